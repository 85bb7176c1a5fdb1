"""A model server that answers by script: Anthropic Messages, OpenAI chat and responses, and Gemini, on loopback.

The last user message of a request says what happens:

    SAY text          that text
    FILL n            n thousand characters of text, streamed in small pieces
    SLEEP n, QUIET n  an open stream for n seconds, with or without heartbeats, then text
    SHELL cmd         a call of the shell tool
    BG cmd            the same in the background, where the tool offers it
    TOOL name {json}  that call (namespace/name where tools have namespaces)
    FAIL code         an HTTP error

Anything else is answered with "ok". The rules: a request without tools (a title, a summary) gets plain text; only the
last user message counts (with others right before it), without the blocks that hosts put around it; after a tool result
the answer is "done", never the call again, unless a foreground command goes on behind it: then it is waited for; the
shell tool and its arguments are taken from the request's own list.

It knows four wire formats; it must not know which host is asking.
"""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol
from urllib.parse import urlsplit

HEARTBEAT_S = 1.0
TOOL_TIMEOUT_MS = 600_000
PIECE = 200
FILLING = "the quick brown fox jumps over the lazy dog, again and again; "
REMINDER = re.compile(r"<(system-reminder|system_reminder|current_datetime)>.*?</\1>", re.DOTALL)
GOES_ON = re.compile(r"running with session ID (\d+)")
YIELD_MS = 30_000
BACKGROUND_YIELD_MS = 1_000
WAIT_MS = 300_000
WORD = re.compile(r"\s*(SAY|FILL|SLEEP|QUIET|SHELL|BG|TOOL|FAIL)\b[ \t]*(.*)", re.DOTALL)


# What a request asks, whatever its format


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Hold what counts of one request.

    Attributes:
        parts: the texts of the last user message.
        answered: a tool result follows that message (or is all it holds).
        tools: argument schemas by tool name.
        result: the text of the last tool result, where the format tells it.
    """

    parts: tuple[str, ...]
    answered: bool
    tools: Mapping[str, Mapping[str, Any]]
    result: str = ""


@dataclass(frozen=True, slots=True)
class Say:
    """Answer with text, `after_s` seconds from now; `heartbeat` keeps the stream audibly alive until then."""

    text: str
    after_s: float = 0.0
    heartbeat: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """Answer with one tool call."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fail:
    """Answer with an HTTP error."""

    status: int


Reply = Say | Call | Fail


def decide(turn: Turn) -> Reply:
    """Return the answer that the script prescribes."""
    if not turn.tools:
        return Say("A title")
    # Of messages in a row the last word counts: an interrupted turn leaves nothing between its prompt and the next.
    match = next(filter(None, (WORD.match(REMINDER.sub("", part)) for part in reversed(turn.parts))), None)
    if turn.answered:
        return _wait_on(turn) if match and match[1] == "SHELL" else Say("done")
    return _obey(match[1], match[2].strip(), turn.tools) if match else Say("ok")


def _wait_on(turn: Turn) -> Reply:
    """Keep a turn open whose command was handed back to the model while it runs."""
    running = GOES_ON.search(turn.result)
    if running is None or "write_stdin" not in turn.tools:
        return Say("done")
    return Call("write_stdin", {"session_id": int(running[1]), "chars": "", "yield_time_ms": WAIT_MS})


def _obey(word: str, rest: str, tools: Mapping[str, Mapping[str, Any]]) -> Reply:
    match word:
        case "FILL":
            size = int(_number(rest)) * 1000
            return Say((FILLING * (size // len(FILLING) + 1))[:size])
        case "SLEEP" | "QUIET":
            return Say("slept", after_s=_number(rest), heartbeat=word == "SLEEP")
        case "SHELL" | "BG":
            return _shell_call(rest, tools, background=word == "BG")
        case "TOOL":
            name, _, arguments = rest.partition(" ")
            return Call(name, json.loads(arguments or "{}"))
        case "FAIL":
            return Fail(int(rest))
        case _:
            return Say(rest or "ok")


def _number(rest: str) -> float:
    """Return the number that a text begins with: DSH puts words of its own right after a subagent's prompt."""
    found = re.match(r"[0-9.]+", rest)
    if found is None:
        raise ValueError(f"a number should come first in {rest!r}")
    return float(found[0])


SHELL_TOOLS: Mapping[str, str] = {
    "bash": "command",
    "exec_command": "cmd",
    "run_shell_command": "command",
    "run_commands": "commands",
}
"""The argument that takes the command, by the tool's name in lower case."""


def _shell_call(command: str, tools: Mapping[str, Mapping[str, Any]], *, background: bool) -> Reply:
    name = next((name for name in tools if name.lower() in SHELL_TOOLS), None)
    if name is None:
        return Say("no shell tool here")
    properties = tools[name].get("properties", {})
    arguments: dict[str, Any] = dict.fromkeys(tools[name].get("required", ()), "run the scripted command")
    takes = SHELL_TOOLS[name.lower()]
    arguments[takes] = [command] if takes == "commands" else command
    if "timeout" in properties:
        arguments["timeout"] = TOOL_TIMEOUT_MS  # hosts end a command after two minutes if not told otherwise
    if "yield_time_ms" in properties:
        arguments["yield_time_ms"] = BACKGROUND_YIELD_MS if background else YIELD_MS
    elif background:
        switch = _background_switch(properties)
        if not switch:
            return Say("no background shell here")
        arguments |= switch
    if "initial_wait" in properties and not background:
        arguments["initial_wait"] = TOOL_TIMEOUT_MS // 1000  # else it is a background command after 30 s
    for flag in arguments.keys() & {"is_background", "run_in_background"}:
        arguments[flag] = background
    return Call(name, arguments)


def _background_switch(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the argument that sends a command to the background; empty where there is none."""
    if "mode" in properties:
        return {"mode": "async"}
    return {name: True for name in ("run_in_background", "is_background") if name in properties}


# How it is said


class WireFormat(Protocol):
    """Translate one API's requests and streams."""

    @property
    def content_type(self) -> str: ...

    def turn(self, body: Mapping[str, Any]) -> Turn: ...

    def opening(self) -> bytes: ...

    def heartbeat(self) -> bytes: ...

    def rest(self, reply: Say | Call) -> bytes: ...


EVENT_STREAM = "text/event-stream"
TEXT_PARTS = frozenset({"text", "input_text", "output_text"})


def _texts(content: object) -> tuple[str, ...]:
    """Return the texts of a message's content, which is a string or a list of typed parts."""
    if isinstance(content, str):
        return (content,)
    parts = content if isinstance(content, list) else []
    return tuple(part["text"] for part in parts if isinstance(part, dict) and part.get("type") in TEXT_PARTS)


def _call_id() -> str:
    return f"call_{time.monotonic_ns():x}"


class AnthropicMessages:
    """Speak POST /v1/messages; tool results come as user messages."""

    content_type = EVENT_STREAM

    def turn(self, body: Mapping[str, Any]) -> Turn:
        user = [message["content"] for message in body["messages"] if message["role"] == "user"]
        last = user[-1] if user else ""
        results = isinstance(last, list) and any(part.get("type") == "tool_result" for part in last)
        tools = {tool["name"]: tool.get("input_schema", {}) for tool in body.get("tools") or () if "name" in tool}
        return Turn(parts=_texts(last), answered=results, tools=tools)

    def opening(self) -> bytes:
        message = {
            "id": f"msg_{time.monotonic_ns():x}",
            "type": "message",
            "role": "assistant",
            "content": [],
            "model": "scripted",
            "usage": {"input_tokens": 100, "output_tokens": 1},
        }
        return self._event({"type": "message_start", "message": message})

    def heartbeat(self) -> bytes:
        return self._event({"type": "ping"})

    def rest(self, reply: Say | Call) -> bytes:
        block: dict[str, Any]
        delta: dict[str, Any]
        if isinstance(reply, Say):
            block = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": reply.text}
            stop = "end_turn"
        else:
            block = {"type": "tool_use", "id": _call_id(), "name": reply.tool, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(reply.arguments)}
            stop = "tool_use"
        return b"".join(
            (
                self._event({"type": "content_block_start", "index": 0, "content_block": block}),
                self._event({"type": "content_block_delta", "index": 0, "delta": delta}),
                self._event({"type": "content_block_stop", "index": 0}),
                self._event({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 10}}),
                self._event({"type": "message_stop"}),
            )
        )

    @staticmethod
    def _event(data: Mapping[str, Any]) -> bytes:
        return f"event: {data['type']}\ndata: {json.dumps(data)}\n\n".encode()


class OpenAIChat:
    """Speak POST /v1/chat/completions; tool results come as messages of role tool."""

    content_type = EVENT_STREAM

    def turn(self, body: Mapping[str, Any]) -> Turn:
        messages = body["messages"]
        user = [index for index, message in enumerate(messages) if message["role"] == "user"]
        last = user[-1] if user else len(messages)
        # DSH adds what it knows of its surroundings to a first prompt as user messages of their own.
        first = last
        while first > 0 and messages[first - 1]["role"] == "user":
            first -= 1
        functions = [tool["function"] for tool in body.get("tools") or () if "function" in tool]
        return Turn(
            parts=tuple(text for message in messages[first : last + 1] for text in _texts(message["content"])),
            answered=any(message["role"] == "tool" for message in messages[last:]),
            tools={function["name"]: function.get("parameters", {}) for function in functions},
        )

    def opening(self) -> bytes:
        return self._chunk({"role": "assistant", "content": ""}, None)

    def heartbeat(self) -> bytes:
        return b": still here\n\n"

    def rest(self, reply: Say | Call) -> bytes:
        if isinstance(reply, Say):
            pieces = [reply.text[at : at + PIECE] for at in range(0, len(reply.text), PIECE)] or [""]
            chunk = b"".join(self._chunk({"content": piece}, None) for piece in pieces) + self._chunk({}, "stop")
        else:
            function = {"name": reply.tool, "arguments": json.dumps(reply.arguments)}
            call = {"index": 0, "id": _call_id(), "type": "function", "function": function}
            chunk = self._chunk({"tool_calls": [call]}, "tool_calls")
        return chunk + b"data: [DONE]\n\n"

    @staticmethod
    def _chunk(delta: Mapping[str, Any], finish: str | None) -> bytes:
        chunk: dict[str, Any] = {
            "id": "chat",
            "object": "chat.completion.chunk",
            "model": "m1",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }
        if finish is not None:
            chunk["usage"] = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        return f"data: {json.dumps(chunk)}\n\n".encode()


class OpenAIResponses:
    """Speak POST /v1/responses; messages, calls and their results are items of one list."""

    content_type = EVENT_STREAM

    def turn(self, body: Mapping[str, Any]) -> Turn:
        given = body.get("input") or []
        items: list[Mapping[str, Any]] = [{"role": "user", "content": given}] if isinstance(given, str) else given
        prompts = [index for index, item in enumerate(items) if self._is_prompt(item)]
        last = prompts[-1] if prompts else len(items)
        results = [item for item in items[last:] if str(item.get("type", "")).endswith("_call_output")]
        return Turn(
            parts=_texts(items[last]["content"]) if prompts else (),
            answered=bool(results),
            tools=self._tools(body.get("tools") or ()),
            result=self._result(results[-1]["output"]) if results else "",
        )

    @staticmethod
    def _is_prompt(item: Mapping[str, Any]) -> bool:
        """Tell a person's message from those that the host writes in their name, which are blocks in angle brackets."""
        texts = _texts(item.get("content")) if item.get("role") == "user" else ()
        return any(not text.lstrip().startswith("<") for text in texts)

    @staticmethod
    def _result(output: object) -> str:
        if isinstance(output, dict):
            output = output.get("content")
        return "\n".join(_texts(output))

    @staticmethod
    def _tools(tools: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
        named: dict[str, Mapping[str, Any]] = {}
        for tool in tools:
            if tool.get("type") == "namespace":
                named |= {f"{tool['name']}/{each['name']}": each.get("parameters", {}) for each in tool["tools"]}
            elif "name" in tool:
                named[tool["name"]] = tool.get("parameters", {})
        return named

    def opening(self) -> bytes:
        return self._event({"type": "response.created", "response": {"id": "resp"}})

    def heartbeat(self) -> bytes:
        return b": still here\n\n"

    def rest(self, reply: Say | Call) -> bytes:
        item: dict[str, Any]
        if isinstance(reply, Say):
            content = [{"type": "output_text", "text": reply.text}]
            item = {"type": "message", "role": "assistant", "content": content}
        else:
            namespace, _, name = reply.tool.rpartition("/")
            arguments = json.dumps(reply.arguments)
            item = {"type": "function_call", "call_id": _call_id(), "name": name, "arguments": arguments}
            if namespace:
                item["namespace"] = namespace
        usage = {
            "input_tokens": 100,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 10,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 110,
        }
        done = self._event({"type": "response.output_item.done", "output_index": 0, "item": item})
        return done + self._event({"type": "response.completed", "response": {"id": "resp", "usage": usage}})

    @staticmethod
    def _event(data: Mapping[str, Any]) -> bytes:
        return f"event: {data['type']}\ndata: {json.dumps(data)}\n\n".encode()


class Gemini:
    """Speak POST /v1beta/models/M:streamGenerateContent; tool results come as user messages."""

    content_type = EVENT_STREAM

    def turn(self, body: Mapping[str, Any]) -> Turn:
        contents = [content for content in body["contents"] if content.get("role", "user") == "user"]
        parts = contents[-1]["parts"] if contents else []
        declared = [each for tool in body.get("tools") or () for each in tool.get("functionDeclarations", ())]
        return Turn(
            parts=tuple(part["text"] for part in parts if "text" in part),
            answered=any("functionResponse" in part for part in parts),
            tools={each["name"]: each.get("parametersJsonSchema") or each.get("parameters", {}) for each in declared},
        )

    def opening(self) -> bytes:
        return b""

    def heartbeat(self) -> bytes:
        return b""  # its clients take a comment line for broken JSON

    def rest(self, reply: Say | Call) -> bytes:
        return b"data: " + self.whole(reply) + b"\n\n"

    @staticmethod
    def whole(reply: Say | Call) -> bytes:
        """Return the answer as one JSON object."""
        part: dict[str, Any]
        if isinstance(reply, Say):
            part = {"text": reply.text}
        else:
            part = {"functionCall": {"name": reply.tool, "args": reply.arguments}}
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
        usage = {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}
        return json.dumps({"candidates": [candidate], "usageMetadata": usage}).encode()


class GeminiWhole(Gemini):
    """Speak POST /v1beta/models/M:generateContent, which is answered in one piece."""

    content_type = "application/json"

    def rest(self, reply: Say | Call) -> bytes:
        return self.whole(reply)


FORMATS: Mapping[str, WireFormat] = {
    "/v1/messages": AnthropicMessages(),
    "/v1/chat/completions": OpenAIChat(),
    "/v1/responses": OpenAIResponses(),
    ":streamGenerateContent": Gemini(),
    ":generateContent": GeminiWhole(),
}
"""By path, or by what follows the model's name in it."""


def format_of(path: str) -> WireFormat | None:
    """Return the format that a path asks for, None when it is none of ours."""
    plain = urlsplit(path).path
    return FORMATS.get(plain) or FORMATS.get(plain[plain.rindex(":") :] if ":" in plain else "")


# The server


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Log one request: when, by whom, how many tools it offered and what was decided."""

    time_s: float
    method: str
    path: str
    user_agent: str
    tools: int
    prompt: str
    decision: str

    def line(self) -> str:
        return json.dumps({name: getattr(self, name) for name in self.__slots__})


@dataclass(slots=True)
class Log:
    """Keep what was asked, and let a test wait for it."""

    _asked: list[Asked] = field(default_factory=list)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def add(self, asked: Asked) -> None:
        with self._changed:
            self._asked.append(asked)
            self._changed.notify_all()

    def matching(self, wanted: Callable[[Asked], bool]) -> list[Asked]:
        with self._changed:
            return [asked for asked in self._asked if wanted(asked)]

    def lines(self) -> Iterator[str]:
        """Yield one JSON line per request so far."""
        return (asked.line() for asked in self.matching(lambda _: True))

    def wait_for(self, wanted: Callable[[Asked], bool], *, timeout_s: float, count: int = 1) -> Asked:
        """Return the latest request that fits once there are `count`; raise TimeoutError that shows the whole log."""
        with self._changed:
            if self._changed.wait_for(lambda: sum(map(wanted, self._asked)) >= count, timeout_s):
                return [asked for asked in self._asked if wanted(asked)][-1]
        log = "\n".join(self.lines())
        raise TimeoutError(f"{count} such request(s) did not come within {timeout_s} s. Log:\n{log}")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelServer

    def do_HEAD(self) -> None:
        self._log(tools=0, prompt="", decision="200")
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self._log(tools=0, prompt="", decision="404")
        self._send_error_body(404)

    def do_POST(self) -> None:
        body = self._read_body()
        wire = format_of(self.path)
        if wire is None:
            self._log(tools=0, prompt="", decision="404")
            self._send_error_body(404)
            return
        turn = wire.turn(json.loads(body))
        reply = decide(turn)
        self._log(tools=len(turn.tools), prompt=" ".join(turn.parts)[-200:], decision=repr(reply))
        if isinstance(reply, Fail):
            self._send_error_body(reply.status)
        else:
            self._stream(wire, reply)

    def _read_body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _stream(self, wire: WireFormat, reply: Say | Call) -> None:
        try:
            self.send_response(200)
            self.send_header("Content-Type", wire.content_type)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self._chunk(wire.opening())
            if isinstance(reply, Say):
                self._hold(wire, reply)
            self._chunk(wire.rest(reply))
            self.wfile.write(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the host was ended in the middle of its turn, which is what is tested

    def _hold(self, wire: WireFormat, reply: Say) -> None:
        deadline = time.monotonic() + reply.after_s
        while (left := deadline - time.monotonic()) > 0:
            if self.server.closing.wait(min(left, HEARTBEAT_S)):
                return
            if reply.heartbeat:
                self._chunk(wire.heartbeat())

    def _chunk(self, data: bytes) -> None:
        if not data:
            return  # an empty chunk would end the body
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()

    def _send_error_body(self, status: int) -> None:
        kind = "not_found_error" if status == 404 else "api_error"
        body = json.dumps({"type": "error", "error": {"type": kind, "message": f"scripted {status}"}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _log(self, *, tools: int, prompt: str, decision: str) -> None:
        self.server.log.add(
            Asked(
                time_s=time.time(),
                method=self.command,
                path=self.path,
                user_agent=self.headers.get("User-Agent", ""),
                tools=tools,
                prompt=prompt,
                decision=decision,
            )
        )

    def log_message(self, format: str, *args: object) -> None:
        """Keep standard error quiet; Log has it all."""


class ModelServer(ThreadingHTTPServer):
    """Serve on a free port of 127.0.0.1 from a thread of its own; a context manager."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.log = Log()
        self.closing = threading.Event()
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, name="model-server")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self.shutdown()
        self._thread.join()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A host that vanishes between two requests is no fault worth a traceback."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)
