"""The scripted model itself, without any host: what it decides, and that each format's stream carries it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.live.model_server import (
    FORMATS,
    TOOL_TIMEOUT_MS,
    WAIT_MS,
    YIELD_MS,
    Call,
    Fail,
    ModelServer,
    Reply,
    Say,
    decide,
    format_of,
)

SHELL = {
    "name": "Bash",
    "input_schema": {
        "required": ["command", "description"],
        "properties": {"command": {}, "description": {}, "timeout": {}, "run_in_background": {}},
    },
}


def decided(*messages: dict[str, Any], tools: list[dict[str, Any]] | None = None) -> Reply:
    body = {"messages": list(messages), "tools": [SHELL] if tools is None else tools}
    return decide(FORMATS["/v1/messages"].turn(body))


def user(content: object) -> dict[str, Any]:
    return {"role": "user", "content": content}


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("SAY good morning", Say("good morning")),
        ("SLEEP 3", Say("slept", after_s=3.0, heartbeat=True)),
        ("QUIET 3", Say("slept", after_s=3.0, heartbeat=False)),
        ('TOOL probe {"a": 1}', Call("probe", {"a": 1})),
        ("FAIL 500", Fail(500)),
        ("please SAY nothing", Say("ok")),
    ],
)
def test_the_word_at_the_start_of_the_last_user_message_decides(text: str, reply: Reply) -> None:
    assert decided(user("FAIL 400"), user(text)) == reply


def test_reminders_are_not_the_users_words_and_any_part_may_hold_the_word() -> None:
    parts = [
        {"type": "text", "text": "<system-reminder>SAY wrong</system-reminder>"},
        {"type": "text", "text": "<system-reminder>x</system-reminder>\nSAY right"},
    ]
    assert decided(user(parts)) == Say("right")


def test_a_request_without_tools_is_a_title_and_never_a_call() -> None:
    assert decided(user("SHELL rm x"), tools=[]) == Say("A title")


def test_a_call_is_never_made_twice() -> None:
    result = {"type": "tool_result", "tool_use_id": "1", "content": "SHELL again"}
    assert decided(user("SHELL ls"), user([result])) == Say("done")


@pytest.mark.parametrize(("word", "extra"), [("SHELL", {}), ("BG", {"run_in_background": True})])
def test_the_shell_call_fills_what_the_tool_asks_for(word: str, extra: dict[str, Any]) -> None:
    reply = decided(user(f"{word} sleep 5"))
    assert isinstance(reply, Call)
    assert reply.tool == "Bash"
    description = reply.arguments["description"]
    assert description
    asked = {"command": "sleep 5", "description": description, "timeout": TOOL_TIMEOUT_MS}
    assert reply.arguments == asked | extra


@pytest.mark.parametrize(
    ("name", "required", "properties", "foreground", "background"),
    [
        (
            "bash",
            ["command"],
            ["command", "mode", "initial_wait"],
            {"command": "make", "initial_wait": 600},
            {"command": "make", "mode": "async"},
        ),
        (
            "run_shell_command",
            ["command", "is_background"],
            ["command", "is_background"],
            {"command": "make", "is_background": False},
            {"command": "make", "is_background": True},
        ),
        ("run_commands", ["commands"], ["commands"], {"commands": ["make"]}, None),
        (
            "exec_command",
            ["cmd"],
            ["cmd", "yield_time_ms"],
            {"cmd": "make", "yield_time_ms": YIELD_MS},
            {"cmd": "make", "yield_time_ms": 1000},
        ),
    ],
)
def test_each_shell_tool_gets_its_own_arguments(
    name: str,
    required: list[str],
    properties: list[str],
    foreground: dict[str, Any],
    background: dict[str, Any] | None,
) -> None:
    tool = {"name": name, "input_schema": {"required": required, "properties": {key: {} for key in properties}}}
    assert decided(user("SHELL make"), tools=[tool]) == Call(name, foreground)
    expected = Say("no background shell here") if background is None else Call(name, background)
    assert decided(user("BG make"), tools=[tool]) == expected


def test_of_messages_in_a_row_the_last_word_counts() -> None:
    """A turn that was cut off leaves its prompt behind with no answer after it."""
    body = {"messages": [user("QUIET 900"), user("SAY back again")], "tools": [OPENAI_SHELL]}
    assert decide(FORMATS["/v1/chat/completions"].turn(body)) == Say("back again")


OPENAI_SHELL = {"type": "function", "function": {"name": "bash", "parameters": {}}}


# Responses


def item(role: str, *texts: str) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text} for text in texts]}


EXEC = {"type": "function", "name": "exec_command", "parameters": {"properties": {"yield_time_ms": {}}}}
STDIN = {"type": "function", "name": "write_stdin", "parameters": {}}
SEARCH = {"type": "web_search"}
PROBE = {"type": "namespace", "name": "mcp__probe", "tools": [{"type": "function", "name": "probe"}]}


def responded(*items: dict[str, Any]) -> Reply:
    return decide(FORMATS["/v1/responses"].turn({"input": list(items), "tools": [EXEC, STDIN, SEARCH, PROBE]}))


def test_what_a_host_writes_in_the_users_name_is_no_prompt() -> None:
    told = item("user", "<environment_context>\nSAY wrong</environment_context>")
    aborted = item("user", "<turn_aborted>\nthe turn was interrupted</turn_aborted>")
    assert responded(told, item("user", "QUIET 900"), aborted, item("user", "SAY right"), told) == Say("right")
    assert responded(item("developer", "FAIL 500"), told) == Say("ok")


def test_a_foreground_command_that_goes_on_behind_the_model_is_waited_for() -> None:
    output = {"type": "function_call_output", "call_id": "1", "output": "Process running with session ID 712\n"}
    waits = Call("write_stdin", {"session_id": 712, "chars": "", "yield_time_ms": WAIT_MS})
    assert responded(item("user", "SHELL make"), output) == waits
    assert responded(item("user", "BG make"), output) == Say("done")
    assert responded(item("user", "SHELL make"), output | {"output": "exited with code 0"}) == Say("done")


def test_a_tool_of_a_namespace_is_called_in_it(server: ModelServer) -> None:
    body = {"input": [item("user", "TOOL mcp__probe/probe {}")], "tools": [PROBE]}
    called = _events(httpx.post(server.address + "/v1/responses", json=body))[1]["item"]
    assert (called["namespace"], called["name"], called["arguments"]) == ("mcp__probe", "probe", "{}")


# Gemini

GEMINI_SHELL = {
    "functionDeclarations": [{"name": "run_shell_command", "parametersJsonSchema": {"required": ["command"]}}]
}


def told(*parts: dict[str, Any], role: str = "user") -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


def test_gemini_puts_its_surroundings_before_the_prompt_and_results_into_user_messages() -> None:
    wire = FORMATS[":streamGenerateContent"]
    first = told({"text": "This is the folder listing"}, {"text": "SHELL make"})
    call = told({"functionCall": {"name": "run_shell_command", "args": {}}}, role="model")
    result = told({"functionResponse": {"name": "run_shell_command", "response": {"output": "SHELL again"}}})
    assert decide(wire.turn({"contents": [first], "tools": [GEMINI_SHELL]})) == Call(
        "run_shell_command", {"command": "make"}
    )
    assert decide(wire.turn({"contents": [first, call, result], "tools": [GEMINI_SHELL]})) == Say("done")


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse", True),
        ("/v1beta/models/gemini-2.5-flash:generateContent", True),
        ("/v1beta/models/gemini-2.5-flash:countTokens", False),
        ("/v1/responses", True),
        ("/v1/models", False),
    ],
)
def test_the_path_says_which_format_it_is(path: str, known: bool) -> None:
    assert (format_of(path) is not None) is known


# Streams


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


def test_every_stream_carries_the_text(server: ModelServer) -> None:
    asked = {"messages": [user("SAY tea at four")]}
    anthropic = httpx.post(server.address + "/v1/messages?beta=true", json={**asked, "tools": [SHELL]})
    openai = httpx.post(server.address + "/v1/chat/completions", json={**asked, "tools": [OPENAI_SHELL]})
    items = {"input": [item("user", "SAY tea at four")], "tools": [EXEC]}
    responses = httpx.post(server.address + "/v1/responses", json=items)
    contents = {"contents": [told({"text": "SAY tea at four"})], "tools": [GEMINI_SHELL]}
    gemini = httpx.post(server.address + "/v1beta/models/m1:streamGenerateContent?alt=sse", json=contents)
    whole = httpx.post(server.address + "/v1beta/models/m1:generateContent", json=contents)
    assert _events(anthropic)[2]["delta"]["text"] == "tea at four"
    assert _events(openai)[1]["choices"][0]["delta"]["content"] == "tea at four"
    assert _events(responses)[1]["item"]["content"][0]["text"] == "tea at four"
    assert _events(gemini) == [whole.json()]
    assert whole.json()["candidates"][0]["content"]["parts"] == [{"text": "tea at four"}]
    assert [json.loads(line)["tools"] for line in server.log.lines()] == [1] * 5


def test_a_failure_is_an_http_error_and_an_unknown_path_is_404(server: ModelServer) -> None:
    failed = httpx.post(server.address + "/v1/messages", json={"messages": [user("FAIL 529")], "tools": [SHELL]})
    assert (failed.status_code, failed.json()["type"]) == (529, "error")
    assert httpx.get(server.address + "/package").status_code == 404


def test_a_quiet_stream_ends_with_its_server() -> None:
    with ModelServer() as server, httpx.Client(timeout=30) as client:
        body = {"messages": [user("QUIET 600")], "tools": [SHELL]}
        with client.stream("POST", server.address + "/v1/messages", json=body) as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: message_start"
            began_s = time.monotonic()
            server.closing.set()
            assert "event: message_stop" in list(lines)
            assert time.monotonic() - began_s < 10


def _events(response: httpx.Response) -> list[dict[str, Any]]:
    data = [line.removeprefix("data: ") for line in response.text.splitlines() if line.startswith("data: {")]
    return [json.loads(each) for each in data]
