"""The fake craft-agents does what the recordings of the real one show: the same request, the same shape.

Compared are the RPC frames, the process tables, the files, and what each action releases and what it leaves behind.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.craft_fake import CraftError, FakeCraft, Rpc, Settings, Started, running, runs, until
from tests.hosts.craft_scene import founding_scene, held_bytes
from tests.hosts.homes import RECORDED
from tests.hosts.leftovers import RUN_MARK, left_over

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fake writes its command line as Linux keeps it")

Json = Any
KEPT = Settings(keep_claude=True, version="0.11.4")
TOLD_BY_ID = ("byWorkspace", "hasUnreadByWorkspace")


def frames(name: str) -> list[dict[str, Json]]:
    lines = (RECORDED / "craft" / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


LAYOUT = json.loads((RECORDED / "craft" / "disk-layout.json").read_text(encoding="utf-8"))
RECORDINGS = sorted(path.name for path in (RECORDED / "craft").glob("rpc-*.jsonl"))
SAID = [line["frame"] for name in RECORDINGS for line in frames(name) if line["dir"] == "server>client"]
RESPONSES = [frame for frame in SAID if frame["type"] == "response"]
EVENTS = [frame for frame in SAID if frame["type"] == "event"]


def responses(channel: str, member: str = "result") -> list[Json]:
    return [frame[member] for frame in RESPONSES if frame["channel"] == channel and member in frame]


def events(kind: str) -> list[Json]:
    """Return the recorded events of one kind: by channel, or by type for those of a session."""
    found = [f for f in EVENTS if kind in (f["channel"], *(a.get("type") for a in f["args"]))]
    assert found, f"no {kind} was recorded"
    return found


def differences(value: Json, samples: list[Json], at: str = "") -> Iterator[str]:
    """Tell where a value has another shape than every recorded one: names that are always there, and types."""
    if isinstance(value, dict):
        recorded = [sample for sample in samples if isinstance(sample, dict)]
        if not recorded:
            yield f"{at}: an object, not {samples[:1]}"
        elif at.endswith(TOLD_BY_ID):
            for name, inner in value.items():
                yield from differences(inner, [v for sample in recorded for v in sample.values()], f"{at}.{name}")
        else:
            always = set.intersection(*(set(sample) for sample in recorded))
            ever = set.union(*(set(sample) for sample in recorded))
            yield from (f"{at}.{name} is missing" for name in always - set(value))
            yield from (f"{at}.{name} was never recorded" for name in set(value) - ever)
            for name in ever & set(value):
                yield from differences(value[name], [s[name] for s in recorded if name in s], f"{at}.{name}")
    elif isinstance(value, list):
        lists = [sample for sample in samples if isinstance(sample, list)]
        if not lists:
            yield f"{at}: a list, not {samples[:1]}"
        for number, inner in enumerate(value):
            items = [item for sample in lists for item in sample]
            yield from differences(inner, items, f"{at}[{number}]")
    else:
        kinds = {_kind(sample) for sample in samples}
        if _kind(value) not in kinds:
            yield f"{at}: {value!r}, not one of {kinds}"


def _kind(value: Json) -> str:
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def same_shape(value: Json, samples: list[Json]) -> None:
    assert samples
    assert list(differences(value, samples)) == []


@pytest.fixture(scope="module")
def craft(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeCraft]:
    """Run one server for the tests that only ask."""
    with running(tmp_path_factory.mktemp("craft")) as host:
        yield host


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeCraft]:
    """Run one server as of 0.11, where a claude stays between turns."""
    with running(tmp_path_factory.mktemp("kept"), KEPT) as host:
        yield host


@pytest.fixture
def rpc(craft: FakeCraft) -> Iterator[Rpc]:
    with craft.rpc(craft.workspace) as client:
        yield client


# --- the connection --------------------------------------------------------------------------------------------------


def cases() -> dict[str, list[dict[str, Json]]]:
    found: dict[str, list[dict[str, Json]]] = {}
    for line in frames("handshake.jsonl"):
        if line["dir"] == "note" and "case" in line["frame"]:
            case = found.setdefault(line["frame"]["case"], [])
        elif "closed" not in line["frame"]:
            case.append(line)
    return found


def test_each_recorded_handshake_has_the_recorded_end(craft: FakeCraft) -> None:
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    for case, lines in cases().items():
        with connect(f"ws://127.0.0.1:{craft.port}", compression=None, close_timeout=0.2) as client:
            for line in lines:
                frame = line["frame"]
                if line["dir"] == "client>server":
                    client.send(frame if isinstance(frame, str) else json.dumps(frame))
                elif line["dir"] == "server>client":
                    said = json.loads(client.recv(5))
                    if "clientId" in frame:
                        assert said.pop("clientId") != frame.pop("clientId")
                    assert said == frame, case
                elif frame["close_code"] is not None:
                    with pytest.raises(ConnectionClosed) as closed:
                        client.recv(5)
                    assert closed.value.rcvd is not None
                    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == tuple(frame.values()), case


def test_a_server_that_is_full_or_waits_in_vain_says_so(tmp_path: Path) -> None:
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    with running(tmp_path, Settings(max_clients=1, handshake_s=0.05)) as host:
        address = f"ws://127.0.0.1:{host.port}"
        with connect(address) as silent, pytest.raises(ConnectionClosed) as late:
            silent.recv(5)
        with host.rpc(), connect(address) as second, pytest.raises(ConnectionClosed) as full:
            second.recv(5)
    assert [closed.value.rcvd and closed.value.rcvd.code for closed in (late, full)] == [4001, 4008]


def test_a_plain_get_is_told_to_upgrade_and_the_health_port_answers_without_a_token(tmp_path: Path) -> None:
    def get(port: int, path: str) -> tuple[str, str]:
        with socket.create_connection(("127.0.0.1", port), 5) as asked:
            asked.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            with asked.makefile() as answer:
                head, _, body = answer.read().partition("\n\n")
        return head.split(" ", 2)[1], body

    with socket.create_server(("127.0.0.1", 0)) as free:
        health_port = free.getsockname()[1]
    with running(tmp_path, Settings(variables={"CRAFT_HEALTH_PORT": str(health_port)})) as host:
        assert get(host.port, "/")[0] == "426"
        status, body = get(health_port, "/health")
    assert status == "200"
    same_shape(json.loads(body), responses("server:getHealth"))


def test_a_client_that_comes_back_is_told_whether_it_was_known(craft: FakeCraft) -> None:
    with craft.rpc() as first:
        known = first.ack["clientId"]
    with craft.rpc(reconnectClientId=known, lastSeq=0) as again, craft.rpc(reconnectClientId="x", lastSeq=0) as strange:
        assert [client.ack["stale"] for client in (again, strange)] == [False, True]


def test_a_shape_that_differs_is_told() -> None:
    recorded = [{"id": 1, "name": "a", "list": [{"n": 1}]}, {"id": 2, "list": []}]
    for value, told in (
        ({"id": 3, "list": []}, []),
        ({"id": 3, "list": [{"n": None}]}, [".list[0].n: None, not one of {'number'}"]),
        ({"list": []}, [".id is missing"]),
        ({"id": 3, "list": [], "pid": 1}, [".pid was never recorded"]),
        ([], [": a list, not [{'id': 1, 'name': 'a', 'list': [{'n': 1}]}]"]),
    ):
        assert list(differences(value, recorded)) == told


# --- RPC: the same request gives the recorded shape ------------------------------------------------------------------


def test_every_recorded_channel_answers_in_its_recorded_shape(tmp_path: Path) -> None:
    with running(tmp_path) as host, host.rpc(host.workspace) as rpc:
        host.add_source("fake-helper", "--stay")
        asked: dict[str, list[list[Json]]] = {
            "server:createWorkspace": [["Second Space"]],
            "LLM_Connection:setDefault": [["pi-local"]],
            "sessions:create": [
                [host.workspace, {"name": name, "permissionMode": "safe", "llmConnection": connection, **more}]
                for name, connection, more in (
                    ("Pi A", "pi-local", {"workingDirectory": f"{host.home}/proj-a", "enabledSourceSlugs": []}),
                    ("Claude A", "claude-local", {"workingDirectory": f"{host.home}/proj-b"}),
                )
            ],
        }
        made = []
        for channel, calls in asked.items():
            for args in calls:
                said = rpc.frame(channel, *args)
                same_shape(said, [frame for frame in RESPONSES if frame["channel"] == channel])
                made.append(said["result"])
        pi, claude = made[-2]["id"], made[-1]["id"]
        asked = {channel: [[]] for channel in dict.fromkeys(frame["channel"] for frame in RESPONSES)}
        asked["sessions:sendMessage"] = [[pi, "hello there", [], [], {}], [claude, "SLOWREPLY 0.3", [], [], {}]]
        asked["sessions:cancel"] = [[pi], [claude]]
        asked["LLM_Connection:save"] = [[connection] for connection in rpc.call("LLM_Connection:list")]
        asked["sessions:command"] = [
            *([pi, {"type": "setSources", "sourceSlugs": slugs}] for slugs in (["fake-helper"], [])),
            *([pi, {"type": kind}] for kind in ("flag", "unflag", "archive", "unarchive", "release")),
            ["nope", {"type": "setSources", "sourceSlugs": []}],
        ]
        asked["sessions:delete"] = [["nope"], [claude]]
        del asked["server:createWorkspace"], asked["LLM_Connection:setDefault"], asked["sessions:create"]
        deletes = asked.pop("sessions:delete")
        for channel, calls in [*asked.items(), *asked.items(), ("sessions:delete", deletes)]:
            for args in calls:
                said = rpc.frame(channel, *args)
                recorded = [frame for frame in RESPONSES if frame["channel"] == channel]
                kind = "error" if "error" in said else "result"
                if kind == "error":
                    errors = [frame["error"] for frame in recorded if "error" in frame]
                    assert said["error"] in errors, (channel, args)
                same_shape(said, [f for f in recorded if kind in f] or [f for f in recorded if "error" not in f])


def test_a_channel_that_was_registered_and_not_recorded_fails_aloud(rpc: Rpc) -> None:
    with pytest.raises(CraftError, match="HANDLER_ERROR: The fake has nothing recorded for skills:get"):
        rpc.call("skills:get")


def kinds_of_events(rpc: Rpc, session: str, until_kind: str) -> list[str]:
    rpc.event(until_kind)
    return [
        frame["args"][0]["type"]
        for frame in rpc.events
        if frame["channel"] == "session:event" and frame["args"][0]["sessionId"] == session
    ]


@pytest.mark.parametrize("kind", ["pi", "claude"])
def test_a_message_makes_the_recorded_events_in_their_order(craft: FakeCraft, rpc: Rpc, kind: str) -> None:
    session = craft.create("Events", kind=kind)
    rpc.call("sessions:sendMessage", session, "SLOWREPLY 0.1", [], [], {})
    seen = kinds_of_events(rpc, session, "usage_update")
    if kind == "pi":
        assert seen == "user_message connection_changed text_delta text_complete usage_update".split() or seen == (
            "user_message connection_changed text_delta text_delta text_complete usage_update".split()
        )
    for frame in rpc.events:
        if frame["channel"] == "session:event":
            same_shape(frame, events(frame["args"][0]["type"]))


def test_a_monitor_without_a_workspace_gets_all_sessions_and_no_session_events(tmp_path: Path) -> None:
    host = FakeCraft(tmp_path)
    other = host.add_workspace("Second Space")
    with running(craft=host), host.rpc() as monitor, host.rpc(other) as of_other:
        session = host.create("One")
        elsewhere = host.create("Other WS", workspace=other)
        host.send(session)
        assert {item["id"] for item in monitor.call("sessions:get")} == {session, elsewhere}
        assert [item["id"] for item in of_other.call("sessions:get")] == [elsewhere]
        host.call("sessions:command", session, {"type": "archive"})
        same_shape(monitor.event("sessions:unreadSummaryChanged"), events("sessions:unreadSummaryChanged"))
        assert all(frame["channel"] != "session:event" for frame in monitor.events)
        assert [frame["seq"] for frame in monitor.events] == list(range(1, len(monitor.events) + 1))


def test_sessions_come_newest_first_and_say_nothing_of_backends(craft: FakeCraft, rpc: Rpc) -> None:
    first, second = craft.create("A"), craft.create("B")
    craft.send(first)
    items = rpc.call("sessions:get")
    times = [item["lastMessageAt"] for item in items]
    assert times == sorted(times, reverse=True)
    assert [item["id"] for item in items if item["id"] in (first, second)] == [first, second]
    assert not any("pid" in name.lower() or "backend" in name.lower() for item in items for name in item)


def test_the_time_of_the_last_message_is_that_of_the_users(craft: FakeCraft, rpc: Rpc) -> None:
    # the report says that an answer sets it too; in none of the recordings does it
    for frame in responses("sessions:get"):
        for item in frame:
            if item.get("lastMessageRole") == "assistant" and "lastFinalMessageId" in item:
                assert item["lastMessageAt"] < int(item["lastFinalMessageId"].split("-")[1])
    session = craft.create("Long turn")
    rpc.call("sessions:sendMessage", session, "SLOWREPLY 0.05", [], [], {})
    rpc.event("usage_update")
    (item,) = [item for item in rpc.call("sessions:get") if item["id"] == session]
    assert item["lastMessageRole"] == "assistant"
    assert item["lastMessageAt"] < int(item["lastFinalMessageId"].split("-")[1])


# --- processes -------------------------------------------------------------------------------------------------------

SHOWN = ("CRAFT_", "CLAUDE_", "ANTHROPIC_", "FAKE_")


def seen(craft: FakeCraft, process: Started) -> dict[str, Json]:
    """Read a process from /proc as the recordings tell of one, paths as there."""
    folder = Path("/proc") / str(process.pid)
    argv = (folder / "cmdline").read_bytes().decode().split("\0")[:-1]
    variables = dict(v.split("=", 1) for v in (folder / "environ").read_bytes().decode().split("\0") if "=" in v)
    variables = {name: value for name, value in variables.items() if name.startswith(SHOWN)}
    if "CRAFT_SERVER_TOKEN" in variables:
        variables["CRAFT_SERVER_TOKEN"] = "<set>"
    if "CRAFT_RPC_PORT" in variables:
        variables["CRAFT_RPC_PORT"] = "9100"
    told = {
        "name": (folder / "comm").read_text().strip(),
        "exe": os.readlink(folder / "exe"),
        "cmdline": argv,
        "cwd": os.readlink(folder / "cwd"),
        "env": variables,
    }
    return dict(json.loads(json.dumps(told).replace(str(craft.home), "/home/user")))


def recorded_processes(name: str, *roles: str, renamed: dict[str, str] | None = None) -> list[dict[str, Json]]:
    text = (RECORDED / "craft" / name).read_text(encoding="utf-8")
    for old, new in (renamed or {}).items():
        text = text.replace(old, new)
    found = [process for process in json.loads(text)["processes"] if process["role"] in roles]
    for process in found:
        if process["name"] == "node":
            process["exe"] = "/home/user/bin/node"  # the fake's own
    return found


def assert_seen(craft: FakeCraft, process: Started, recorded: dict[str, Json]) -> None:
    told = seen(craft, process)
    assert told == {name: recorded[name] for name in told}


def test_pi_backends_and_helpers_look_as_recorded(tmp_path: Path) -> None:
    with running(tmp_path) as craft:
        one = craft.create("Pi A", cwd="proj-a", sources=["fake-helper"])
        two = craft.create("Pi B", cwd="proj-a")
        three = craft.create("Claude A", kind="claude", cwd="proj-b", sources=["fake-helper"])
        for session in (one, two, three):
            craft.send(session)
        renamed = {"261130-amber-coral": one, "261130-light-amber": two, "261130-awake-leaf": three}
        name = "proc-pi-two-sessions-and-helpers.json"
        (server,) = recorded_processes(name, "server")
        assert_seen(craft, craft.server(), server)
        for role, recorded_role in (("pi", "pi-backend"), ("helper", "mcp-helper")):
            recorded = recorded_processes(name, recorded_role, renamed=renamed)
            for process, told in zip(craft.running(role), recorded, strict=True):
                assert_seen(craft, process, told)
        until(lambda: not craft.running("claude"), lambda: "claude stays")  # 0.10: gone with its turn
        for process in craft.running("pi", "helper"):
            stat = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
            assert [int(field) for field in stat[1:4]] == [craft.pid] * 3  # parent, group and session


def test_a_claude_looks_as_recorded_in_its_first_turn_and_in_a_later_one(tmp_path: Path) -> None:
    with running(tmp_path) as craft:
        session = craft.create("Claude A", kind="claude", cwd="proj-b", sources=["fake-helper"])
        sdk_id = craft.send(session, "SLOWREPLY").sdk_id
        renamed = {"261130-awake-leaf": session, "4d8a12d8-8cde-4a0f-bc59-52dcc7a32bb6": str(sdk_id)}
        for name in ("proc-claude-first-turn.json", "proc-claude-resumed-turn.json"):
            (claude,) = recorded_processes(name, "claude-backend", renamed=renamed)
            (helper,) = recorded_processes(name, "mcp-helper", renamed=renamed)
            assert_seen(craft, craft.running("claude")[0], claude)
            assert_seen(craft, craft.running("helper")[0], helper)
            craft.finish(session)
            until(lambda: not craft.running("claude"), lambda: "claude stays")
            craft.send(session, "SLOWREPLY")


def test_a_title_call_looks_as_recorded_and_ends_by_itself(tmp_path: Path) -> None:
    with running(tmp_path, Settings(mini_s=0.3)) as craft:
        craft.send(craft.create("Earlier", kind="claude"))
        session = craft.create("", kind="claude")
        craft.send(session, "SLOWREPLY no name")
        (mini,) = craft.running("mini")
        until(lambda: "--max-turns" in seen(craft, mini)["cmdline"], lambda: "no title call")
        renamed = {"261130-neat-elm": session}
        (told,) = recorded_processes("proc-before-server-sigkill.json", "claude-title", renamed=renamed)
        assert_seen(craft, mini, told)
        (backend,) = recorded_processes("proc-before-server-sigkill.json", "claude-backend", renamed=renamed)
        assert_seen(craft, craft.running("claude")[0], backend)
        until(lambda: not runs(mini), lambda: "it stays")
        (log,) = (craft.home / ".claude/projects").glob("*-craft-agents-oss/*.jsonl")
        kinds = [json.loads(line)["type"] for line in log.read_text(encoding="utf-8").splitlines()]
        assert kinds == LAYOUT["claude_transcripts"][2]["line_types"]
        assert craft.truth(session).processing


def test_a_pi_backend_listens_on_one_loopback_port_and_nobody_keeps_a_file_open(craft: FakeCraft) -> None:
    session = craft.create("Ports", sources=["notes"])
    truth = craft.send(session)
    sockets = {}
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, address, _, state, *rest = line.split()
        if state == "0A":
            sockets[f"socket:[{rest[5]}]"] = address
    for pid, listens in ((truth.backend, 1), (truth.helpers["notes"], 0)):
        open_ = [os.readlink(entry) for entry in Path(f"/proc/{pid}/fd").iterdir()]
        addresses = [sockets[name] for name in open_ if name in sockets]
        assert [address.split(":")[0] for address in addresses] == ["0100007F"] * listens
        allowed = ("pipe:", "socket:", f"{craft.root}/server.log")
        assert all(name.startswith(allowed) for name in open_), open_


def test_the_recorded_pitfalls_of_attribution_are_there(tmp_path: Path) -> None:
    recorded = json.loads((RECORDED / "craft" / "attribution-pitfalls.json").read_text(encoding="utf-8"))["processes"]
    host = FakeCraft(tmp_path)
    leaf = host.remember("Claude A", cwd="proj-b", sources=["fake-helper"], session_id="261130-awake-leaf")
    with running(craft=host):
        amber = host.create("Pi A", cwd="proj-a", sources=["fake-helper"], session_id="261130-amber-coral")
        light = host.create("Pi B", cwd="proj-a", session_id="261130-light-amber")
        host.send(leaf)
        host.send(amber)
        host.send(light)
        host.send(leaf, "SLOWREPLY")
        for session in (amber, leaf):
            host.set_sources(session)
            host.set_sources(session, "fake-helper")
        shown = {"helper": "mcp-helper", "pi": "pi-backend", "claude": "claude-backend"}
        processes = [process for process in host.started(*shown) if process.role != "claude" or runs(process)]
        lies = []
        for process in processes:
            if runs(process):
                env = seen(host, process)["env"]
                names = (Path(env["CRAFT_SESSION_DIR"]).name, Path(process.session).name)
                lies.append((shown[process.role], *names))
    told = [(p["role"], p["CRAFT_SESSION_DIR"], p["true_session"]) for p in recorded]
    # the first two helpers were closed when their sources were switched off
    assert sorted(lies) == sorted(told[2:])


# --- what releases what ----------------------------------------------------------------------------------------------


def end(pid: int | None, craft: FakeCraft, which: signal.Signals = signal.SIGTERM) -> Started:
    """Signal one process of the fake, as a release does, and wait until it is gone."""
    (process,) = [process for process in craft.running() if process.pid == pid]
    os.kill(process.pid, which)
    until(lambda: not runs(process), lambda: f"{process} stays")
    return process


def test_an_idle_pi_backend_ends_by_sigterm_and_the_next_message_starts_another(craft: FakeCraft, rpc: Rpc) -> None:
    session = craft.create("Pi A", sources=["notes"])
    before = craft.send(session)
    end(before.backend, craft)
    assert rpc.call("server:getHealth")["status"] == "ok"
    assert craft.truth(session).backend is None
    after = craft.send(session)
    assert after.backend not in (None, before.backend)
    assert (after.sdk_id, after.helpers) == (before.sdk_id, before.helpers)
    assert after.answers == 2
    assert craft.fate(before.backend) == -signal.SIGTERM


def test_a_pi_backend_that_is_ended_in_a_turn_loses_the_answer_only(craft: FakeCraft, rpc: Rpc) -> None:
    session = craft.create("Pi B")
    end(craft.send(session, "SLOWREPLY").backend, craft)
    said = rpc.event("error")
    same_shape(said, events("error"))
    assert said["args"][0]["error"] == events("error")[0]["args"][0]["error"]
    until(lambda: not craft.truth(session).processing, lambda: "still processing")
    assert craft.truth(session).answers == 0
    assert craft.send(session).answers == 1


def test_a_claude_that_is_ended_in_a_turn_is_resumed_by_the_next_message(craft: FakeCraft, rpc: Rpc) -> None:
    session = craft.create("Claude A", kind="claude")
    before = craft.send(session, "SLOWREPLY")
    end(before.backend, craft)
    said = rpc.event("typed_error")
    recorded = [e for e in events("typed_error") if "143" in e["args"][0]["error"]["originalError"]]
    assert said["args"][0]["error"] == recorded[0]["args"][0]["error"]
    until(lambda: not craft.truth(session).processing, lambda: "still processing")
    assert craft.send(session).sdk_id == before.sdk_id
    assert craft.started("claude")[-1].argv[14:16] == ["--resume", before.sdk_id]


def test_a_claude_of_0_11_stays_and_is_ended_and_resumed(kept: FakeCraft) -> None:
    session = kept.create("Claude A", kind="claude")
    before = kept.send(session)
    assert before.backend == kept.send(session).backend
    assert "--resume" not in kept.started("claude")[-1].argv  # fresh for life
    end(before.backend, kept)
    assert kept.fate(before.backend) == 143
    assert kept.send(session).backend is not None
    assert "--resume" in kept.started("claude")[-1].argv


def test_the_variable_brings_back_one_claude_for_each_turn(tmp_path: Path) -> None:
    variables = {"CRAFT_KEEP_BG_AGENTS_ALIVE": "0"}
    with running(tmp_path, Settings(keep_claude=True, variables=variables)) as craft:
        craft.send(craft.create("Claude A", kind="claude"))
        until(lambda: not craft.running("claude"), lambda: "claude stays")


def test_a_helper_of_a_live_session_that_is_ended_is_never_connected_again(craft: FakeCraft) -> None:
    session = craft.create("Pi A", sources=["fake-helper"])
    end(craft.send(session).helpers["fake-helper"], craft)

    def answer() -> str:
        craft.send(session, "USE fake-helper")
        return str(craft.call("sessions:getMessages", session)["messages"][-1]["content"])

    assert answer() == "Not connected"
    craft.set_sources(session, "fake-helper")
    assert answer() == "Not connected"
    craft.set_sources(session)
    craft.set_sources(session, "fake-helper")
    assert answer() == "Hello from helper"


@pytest.mark.parametrize(("flags", "signals"), [(("--stdio",), 0), (("--stay",), -15), (("--stay", "--deaf"), -9)])
def test_switching_its_sources_off_closes_a_helper_and_a_stubborn_one_too(
    craft: FakeCraft, rpc: Rpc, flags: tuple[str, ...], signals: int
) -> None:
    craft.add_source("their-notes", *flags)
    session = craft.create("Pi A", sources=["their-notes"])
    truth = craft.send(session)
    rpc.call("sessions:command", session, {"type": "setSources", "sourceSlugs": []})
    same_shape(rpc.event("sources_changed"), events("sources_changed"))
    assert craft.fate(truth.helpers["their-notes"]) == signals
    assert craft.truth(session).backend == truth.backend
    craft.flush()
    assert header(truth.folder)["enabledSourceSlugs"] == []
    craft.set_sources(session, "their-notes")
    assert craft.truth(session).helpers.keys() == {"their-notes"}


def test_sources_of_a_session_without_a_backend_object_start_nothing(craft: FakeCraft) -> None:
    session = craft.create("Never used")
    craft.set_sources(session, "notes")
    assert craft.truth(session).helpers == {}


def test_deleting_closes_the_helpers_of_a_claude_session_and_leaks_those_of_a_pi_session(kept: FakeCraft) -> None:
    with kept.rpc(kept.workspace) as rpc:
        truths = []
        for kind in ("claude", "pi"):
            truths.append(kept.send(kept.create(kind, kind=kind, sources=["fake-helper", "notes"])))
            kept.delete(truths[-1].id)
        same_shape(rpc.event("session_deleted"), events("session_deleted"))
        claude, pi = truths
        assert not claude.folder.exists()
        assert not pi.folder.exists()
        until(lambda: not kept.running(of=claude.id), lambda: "the helpers of a claude session stay")
        left = kept.running(of=pi.id)
        assert {process.role for process in left} == {"helper"}
        assert {process.pid for process in left} == set(pi.helpers.values()) == kept.leaked()
        named = {seen(kept, process)["env"]["CRAFT_SESSION_DIR"] for process in left}
        assert named == {str(pi.folder).replace(str(kept.home), "/home/user")}


def test_cancel_ends_the_turn_and_releases_nothing_of_an_idle_session(kept: FakeCraft) -> None:
    pi, claude = kept.create("Pi"), kept.create("Claude", kind="claude")
    before = [kept.send(session, "SLOWREPLY") for session in (pi, claude)]
    for session in (pi, claude):
        kept.cancel(session)
    after = [kept.truth(session) for session in (pi, claude)]
    assert [truth.processing for truth in after] == [False, False]
    assert [truth.backend for truth in after] == [before[0].backend, None]
    kept.cancel(pi)
    kept.call("sessions:command", pi, {"type": "archive"})
    assert kept.truth(pi).backend == before[0].backend


def test_saving_a_connection_with_another_provider_disposes_its_idle_backends(tmp_path: Path) -> None:
    with running(tmp_path) as craft, craft.rpc() as rpc:
        idle, busy = craft.create("Idle", sources=["fake-helper"]), craft.create("Busy")
        helper = craft.send(idle).helpers["fake-helper"]
        craft.send(busy, "SLOWREPLY")
        connection = rpc.call("LLM_Connection:list")[0]
        rpc.call("LLM_Connection:save", {**connection, "piAuthProvider": "openai"})
        until(lambda: craft.truth(idle).backend is None, lambda: "the backend stays")
        until(lambda: helper in craft.fates(), lambda: "the helper stays")
        assert craft.truth(busy).backend is not None
        same_shape(rpc.event("LLM_Connection:changed"), events("LLM_Connection:changed"))


def test_a_forgotten_backend_object_and_a_second_query_leave_surplus_backends(kept: FakeCraft) -> None:
    pi, claude = kept.create("Pi", sources=["notes"]), kept.create("Claude", kind="claude")
    first = [kept.send(session) for session in (pi, claude)]
    kept.lose_agent(pi)
    kept.send(pi)
    kept.second_query(claude)
    now = [kept.truth(session) for session in (pi, claude)]
    assert [truth.surplus for truth in now] == [[truth.backend] for truth in first]
    assert kept.surplus() >= {truth.backend for truth in first}
    assert now[0].helpers == first[0].helpers
    assert kept.send(claude).backend == now[1].backend
    assert [kept.truth(session).answers for session in (pi, claude)] == [2, 2]


def test_a_server_that_gets_sigterm_says_so_and_leaves_the_helpers_that_ignore_the_end_of_input(tmp_path: Path) -> None:
    with running(tmp_path, KEPT) as craft, craft.rpc() as rpc:
        for kind in ("pi", "claude"):
            craft.send(craft.create(kind, kind=kind, sources=["fake-helper", "notes"]))
        assert (craft.config / ".server.lock").exists()
        craft.stop()
        same_shape(rpc.event("server:shuttingDown"), events("server:shuttingDown"))
        until(lambda: {p.slug for p in craft.running()} == {"fake-helper"}, lambda: str(craft.running()))
        parents = {Path(f"/proc/{p.pid}/stat").read_text().rpartition(")")[2].split()[1] for p in craft.running()}
        assert str(craft.pid) not in parents
        assert not (craft.config / ".server.lock").exists()


def test_a_killed_server_leaves_its_lock_and_a_claude_that_finishes_its_turn(tmp_path: Path) -> None:
    with running(tmp_path, Settings(mini_s=30)) as craft:
        claude = craft.create("", kind="claude")
        pi = craft.create("Pi", sources=["fake-helper"])
        for session in (pi, claude):
            craft.send(session, "SLOWREPLY")
        craft.stop(signal.SIGKILL)
        until(lambda: not craft.running("pi"), lambda: "the Pi backend stays")
        recorded = {
            p["role"] for p in json.loads((RECORDED / "craft/proc-after-server-sigkill.json").read_text())["processes"]
        }
        assert recorded == {"claude-backend", "claude-title", "mcp-helper"}
        assert {process.role for process in craft.running()} == {"claude", "mini", "helper"}
        assert json.loads((craft.config / ".server.lock").read_text())["pid"] == craft.pid
        until(lambda: {process.role for process in craft.running()} == {"helper"}, lambda: str(craft.running()))


def test_a_newer_server_may_offer_a_channel_that_releases(tmp_path: Path) -> None:
    with (
        running(tmp_path, Settings(keep_claude=True, more_channels=("sessions:release",))) as craft,
        craft.rpc() as rpc,
    ):
        assert "sessions:release" in rpc.ack["registeredChannels"]
        session = craft.create("Claude", kind="claude", sources=["fake-helper"])
        craft.send(session, "SLOWREPLY")
        with pytest.raises(CraftError, match="processing"):
            rpc.call("sessions:release", session)
        craft.finish(session)
        rpc.call("sessions:release", session)
        assert craft.running("claude", "helper") == []
        assert craft.send(session).answers == 2


# --- on disk ---------------------------------------------------------------------------------------------------------


def header(folder: Path) -> dict[str, Json]:
    first = (folder / "session.jsonl").read_text(encoding="utf-8").split("\n", 1)[0]
    return dict(json.loads(first))


def test_what_lies_on_disk_is_as_recorded(tmp_path: Path) -> None:
    host = FakeCraft(tmp_path)
    host.add_workspace("Second Space")
    old = host.remember("Earlier", kind="claude", cwd="proj-b")
    with running(craft=host):
        pi = host.send(host.create("Pi B", cwd="proj-a"))
        claude = host.create("", kind="claude", sources=["fake-helper"])
        host.send(claude, "SLOWREPLY no name")
        truths = [pi, host.truth(claude), host.truth(old)]
        host.flush()
        config = json.loads((host.config / "config.json").read_text())
        same_shape(config["workspaces"], [LAYOUT["config.json"]["workspaces"]])
        same_shape(config["llmConnections"][1], [LAYOUT["config.json"]["llmConnections"][1]])
        assert set(config) == set(LAYOUT["config.json"])
        for name, path in (
            ("server.lock", host.config / ".server.lock"),
            ("workspace config.json", host.workspace_root / "config.json"),
            ("source config.json", host.workspace_root / "sources/fake-helper/config.json"),
        ):
            same_shape(json.loads(path.read_text()), [LAYOUT[name].get("content", LAYOUT[name])])
        headers = [recorded["header"] for recorded in LAYOUT["sessions"].values()]
        for truth in truths:
            told = header(truth.folder)
            same_shape(told, headers)
            assert told["workspaceRootPath"] == "~/.craft-agent/workspaces/demo-space"
            assert told["sdkCwd"].startswith("~/")
            lines = (truth.folder / "session.jsonl").read_text().splitlines()[1:]
            known = [keys for recorded in LAYOUT["sessions"].values() for keys in recorded["message_line_keys"]]
            assert all(sorted(json.loads(line)) in known for line in lines)
        files = sorted(str(p.relative_to(pi.folder)) for p in pi.folder.rglob("*") if p.is_file())
        assert [name.split("Z_")[0][:14] for name in files] == [".pi-agent/sett", ".pi-sessions/2", "session.jsonl"]
        assert files[1].endswith(f"Z_{pi.sdk_id}.jsonl")


def test_transcripts_lie_below_their_folder_with_the_recorded_kinds_of_lines(craft: FakeCraft) -> None:
    session = craft.create("Claude A", kind="claude", cwd="proj-b")
    for _ in range(2):
        truth = craft.send(session)
    name = str(craft.home / "proj-b").replace("/", "-").replace("_", "-").replace(".", "-")
    path = craft.home / ".claude" / "projects" / name / f"{truth.sdk_id}.jsonl"
    kinds = [json.loads(line)["type"] for line in path.read_text().splitlines()]
    recorded = LAYOUT["claude_transcripts"][2]["line_types"]  # one turn in a new log
    assert kinds[: len(recorded)] == recorded
    assert kinds[len(recorded) :] == "queue-operation queue-operation user assistant last-prompt".split()


def test_a_flag_rewrites_the_file_and_is_no_activity(craft: FakeCraft, rpc: Rpc) -> None:
    session = craft.create("Flagged")
    truth = craft.send(session)
    craft.age(session, days=2)
    before, stamp = header(truth.folder), (truth.folder / "session.jsonl").stat()
    rpc.call("sessions:command", session, {"type": "flag"})
    craft.flush()
    after = header(truth.folder)
    assert (truth.folder / "session.jsonl").stat().st_mtime - stamp.st_mtime > 86400
    assert after["lastUsedAt"] - before["lastUsedAt"] > 86_400_000
    assert after["lastMessageAt"] == before["lastMessageAt"]
    (item,) = [item for item in rpc.call("sessions:get") if item["id"] == session]
    assert item["lastUsedAt"] < after["lastUsedAt"]  # over RPC it is the value of load time


def test_a_restarted_server_knows_its_sessions_and_has_no_backends(tmp_path: Path) -> None:
    with running(tmp_path) as craft:
        session = craft.create("Pi", cwd="proj-a")
        before = craft.send(session)
        craft.stop()
        craft.start()
        truth = craft.truth(session)
        assert (truth.backend, truth.sdk_id, truth.answers) == (None, before.sdk_id, 1)
        assert craft.send(session).answers == 2


def test_ageing_makes_all_records_of_a_session_older(kept: FakeCraft) -> None:
    logs: list[Path] = []
    for session in (kept.create("Pi"), kept.create("Claude", kind="claude", cwd="proj-b")):
        truth = kept.send(session)
        folders = (truth.folder, kept.home / ".claude")
        logs += [path for folder in folders for path in folder.rglob(f"*{truth.sdk_id}.jsonl")]
        kept.age(session, days=3)
        assert time.time() - header(truth.folder)["lastMessageAt"] / 1000 == pytest.approx(3 * 86400, abs=60)
    assert len(logs) == 2
    for log in logs:
        assert time.time() - log.stat().st_mtime == pytest.approx(3 * 86400, abs=60)
        day = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 3 * 86400))
        assert f'"timestamp": "{day}' in log.read_text()


# --- trouble, and what a test may ask for ----------------------------------------------------------------------------


def test_it_is_slow_hangs_lies_and_breaks_off_as_told(tmp_path: Path) -> None:
    from websockets.exceptions import ConnectionClosed

    with running(tmp_path) as craft, craft.rpc() as rpc:
        session = craft.create("Pi")
        craft.send(session, "SLOWREPLY")
        craft.behave(slow_s=0.05)
        began_s = time.monotonic()
        rpc.call("server:getHealth")
        assert time.monotonic() - began_s >= 0.05
        craft.behave(lies={"sessions:get": {"sessions": None}})
        assert rpc.call("sessions:get") == {"sessions": None}
        craft.behave(hides_turns=True)
        assert [item["isProcessing"] for item in rpc.call("sessions:get")] == [False]
        craft.behave(hangs="requests")
        rpc.socket.send(json.dumps({"id": "1", "type": "request", "channel": "server:getHealth", "args": []}))
        with pytest.raises(TimeoutError):
            rpc.socket.recv(0.05)
        craft.behave(garbles="server:getHealth")
        with pytest.raises(json.JSONDecodeError):
            rpc.call("server:getHealth")
        craft.behave(drops="server:getHealth")
        with pytest.raises(ConnectionClosed):
            rpc.call("server:getHealth")
        craft.behave(refuses=True)
        with craft.rpc() as refused:
            assert refused.ack["error"]["code"] == "AUTH_FAILED"
        craft.behave(hangs="handshake")
        with pytest.raises(TimeoutError), craft.rpc(wait_s=0.05):
            pass
        craft.behave()
        with craft.rpc() as well:
            assert [item["isProcessing"] for item in well.call("sessions:get")] == [True]


def test_it_knows_what_it_was_asked_and_whether_a_transcript_was_loaded(tmp_path: Path) -> None:
    with running(tmp_path) as craft, craft.rpc() as rpc:
        session = craft.create("Pi")
        rpc.call("sessions:get")
        assert craft.transcripts_loaded() == []
        rpc.call("sessions:getMessages", session)
        assert craft.asked() == [("handshake", []), ("sessions:get", []), ("sessions:getMessages", [session])]
        assert craft.transcripts_loaded() == [str(craft.truth(session).folder)]


def test_the_desktop_app_has_its_own_paths_a_random_port_and_no_token_to_be_found(tmp_path: Path) -> None:
    with running(tmp_path, Settings(keep_claude=True, desktop=True)) as craft:
        pi, claude = craft.create("Pi"), craft.create("Claude", kind="claude")
        for session in (pi, claude):
            craft.send(session)
        told = {process.role: seen(craft, process) for process in craft.running()}
        app = "/home/user/Craft-Agents/resources/app"
        assert told["server"]["cmdline"] == ["/home/user/Craft-Agents/craft-agents"]
        assert told["pi"]["cmdline"][::3] == [f"{app}/vendor/bun/bun", f"{app}/resources/pi-agent-server/index.js"]
        assert told["claude"]["cmdline"][0] == f"{app}/node_modules/@anthropic-ai/claude-agent-sdk-binary/claude"
        assert not any("CRAFT_SERVER_TOKEN" in process["env"] for process in told.values())
        assert json.loads((craft.config / ".server.lock").read_text())["pid"] == craft.pid
        with craft.rpc() as refused:
            assert refused.ack["error"]["message"] == "Invalid token"


def test_backends_hold_what_they_are_told_to_hold(tmp_path: Path) -> None:
    with running(tmp_path, Settings(backend_mb=32)) as craft:
        session = craft.create("Pi", sources=["notes"])
        craft.send(session)
        assert held_bytes(craft.running("pi"), "Private_Dirty") > 32 * 2**20
        assert held_bytes(craft.running("helper")) < 16 * 2**20


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])


def test_tools_searches_and_background_agents_of_a_backend(kept: FakeCraft) -> None:
    session = kept.create("Claude", kind="claude")
    backend = kept.send(session).backend
    tool, search = kept.use_tool(session, "/bin/sleep", "300"), kept.search(session)
    assert [parent(pid) for pid in (tool, search)] == [backend] * 2
    (searching,) = [process for process in kept.running("tool") if process.pid == search]
    until(lambda: seen(kept, searching)["cmdline"][1] == "--no-config", lambda: str(seen(kept, searching)))
    assert seen(kept, searching)["name"] == "claude"
    log = kept.work_in_background(session)
    assert time.time() - log.stat().st_mtime < 60
    assert not kept.truth(session).processing
    end(backend, kept)
    until(lambda: not runs(searching), lambda: "the search goes on")
    assert [process.pid for process in kept.running("tool", of=session)] == [tool]


def test_a_worker_and_a_zombie_stand_below_the_server(craft: FakeCraft) -> None:
    worker, zombie = craft.start_worker(), craft.leave_zombie()
    assert [parent(pid) for pid in (worker, zombie)] == [craft.pid] * 2
    (told,) = [seen(craft, process) for process in craft.running("worker")]
    path = "/home/user/craft-agents-oss/packages/messaging-whatsapp-worker/dist/worker.cjs"
    assert (told["cmdline"], told["cwd"]) == (["node", path], "/home/user/craft-agents-oss")
    assert Path(f"/proc/{zombie}/cmdline").read_bytes() == b""


def test_an_id_may_stand_in_two_workspaces(tmp_path: Path) -> None:
    host = FakeCraft(tmp_path, Settings(bare_lock=True))
    other = host.add_workspace("Second Space")
    with running(craft=host), host.rpc() as rpc:
        one = host.create("One", session_id="261130-neat-elm")
        two = host.create("Two", session_id="261130-neat-elm", workspace=other)
        folders = [item["sessionFolderPath"] for item in rpc.call("sessions:get") if item["id"] == one == two]
        assert len(set(folders)) == 2
        truths = [host.send(folder) for folder in folders]
        assert len({truth.backend for truth in truths}) == 2
        assert (host.config / ".server.lock").read_text() == str(host.pid)  # as older ones wrote it


def test_nothing_of_it_runs_afterwards_whatever_became_of_the_server(tmp_path: Path) -> None:
    host = FakeCraft(tmp_path, KEPT)
    host.add_source("deaf", "--stay", "--deaf")
    with running(craft=host):
        session = host.create("Claude", kind="claude", sources=["deaf"])
        host.send(session, "SLOWREPLY")
        host.use_tool(session, "/bin/sleep", "300")
        host.stop(signal.SIGKILL)
        assert host.running()
    assert host.running() == []
    assert left_over("no run of this name", tmp_path, deadline_s=0) == []


def test_what_a_test_leaves_running_is_found_by_its_mark_and_by_its_folder(tmp_path: Path) -> None:
    marked = subprocess.Popen(["/bin/sleep", "301"], env={RUN_MARK: "a-run"})
    inside = subprocess.Popen(["/bin/sleep", "302"], cwd=tmp_path, env={})
    other = subprocess.Popen(["/bin/sleep", "303"], cwd="/", env={})
    try:
        found = left_over("a-run", tmp_path, deadline_s=0.1)
        assert sorted(found) == sorted([f"{marked.pid} /bin/sleep 301", f"{inside.pid} /bin/sleep 302"])
    finally:
        for process in (marked, inside, other):
            process.kill()
            process.wait()


# --- the founding scene ----------------------------------------------------------------------------------------------


def test_the_founding_scene_is_what_it_says(tmp_path: Path) -> None:
    with founding_scene(tmp_path) as scene:
        craft = scene.craft
        backends = [process for of_session in scene.backends.values() for process in of_session]
        helpers = [process for of_session in scene.helpers.values() for process in of_session]
        assert (len(scene.sessions), len(scene.idle), len(backends), len(scene.surplus)) == (15, 14, 23, 8)
        assert (len(helpers), len(scene.leaked), len(craft.running())) == (14, 6, 44)
        assert len([process for process in scene.surplus if process.role == "claude"]) == 5
        assert {process.pid for process in scene.surplus} == craft.surplus()
        folders = [seen(craft, process)["env"]["CRAFT_SESSION_DIR"] for process in scene.leaked]
        assert not any(Path(folder.replace("/home/user", str(craft.home))).exists() for folder in folders)
        assert [truth.id for truth in craft.truths() if truth.processing] == [scene.working]
        with craft.rpc() as rpc:
            items = {item["id"]: item for item in rpc.call("sessions:get")}
        assert next(iter(items)) == scene.working
        assert all(time.time() - items[session]["lastMessageAt"] / 1000 > 2.9 * 86400 for session in scene.idle)
        for process in scene.idle_backends:
            os.kill(process.pid, signal.SIGTERM)
        until(lambda: len(craft.running("pi", "claude")) == 1, lambda: str(craft.running("pi", "claude")))
        assert craft.truth(scene.working).processing
        assert scene.answers_again() == []
        assert {craft.fate(process.pid) for process in scene.idle_backends} == {-signal.SIGTERM, 143}
