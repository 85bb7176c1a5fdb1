"""The scripted model itself, without any host: what it decides, and that both streams carry it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.live.model_server import FORMATS, TOOL_TIMEOUT_MS, Call, Fail, ModelServer, Reply, Say, decide

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


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


def test_both_streams_carry_the_text(server: ModelServer) -> None:
    function = {"type": "function", "function": {"name": "bash", "parameters": {}}}
    asked = {"messages": [user("SAY tea at four")]}
    anthropic = httpx.post(server.address + "/v1/messages?beta=true", json={**asked, "tools": [SHELL]})
    openai = httpx.post(server.address + "/v1/chat/completions", json={**asked, "tools": [function]})
    assert _events(anthropic)[2]["delta"]["text"] == "tea at four"
    assert _events(openai)[1]["choices"][0]["delta"]["content"] == "tea at four"
    assert [json.loads(line)["tools"] for line in server.log.lines()] == [1, 1]


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
