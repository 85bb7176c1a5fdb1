"""The fake Codeman does what was recorded and seen: the same requests, the same shapes, the same processes left."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.hosts import codeman_fake
from tests.hosts.codeman_fake import VERSIONS, Agent, Answer, FakeCodeman, Version, alive, basic, running
from tests.hosts.homes import RECORDED

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(sys.platform != "linux", reason="reads terminals and sessions of processes from /proc"),
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs the tmux program"),
]
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs the openssl program")

NAMES = ("w1-alpha", "w1-beta", "w1-gamma")
CONVERSATION = "11111111-2222-3333-4444-555555555555"
PREFIX = {"0.4.3": "v043", "1.2.2": "v122"}
NOT_ALWAYS = {"cliVersion", "cliModel", "cliAccountType"}
"""Known only once the agent's banner was read."""
PASSWORD = "correct horse"


def recorded(version: Version, name: str) -> Any:
    return json.loads((RECORDED / "codeman" / f"{PREFIX[version]}_{name}.json").read_text(encoding="utf-8"))


def shape(said: Any) -> Any:
    """Return what of a reply does not change from run to run: keys and types; of a list the shapes that occur."""
    match said:
        case dict():
            return {key: shape(value) for key, value in said.items() if key not in NOT_ALWAYS}
        case list():
            return sorted({json.dumps(shape(value), sort_keys=True) for value in said})
        case bool():
            return "bool"
        case int() | float():
            return "number"
    return type(said).__name__


@pytest.fixture(scope="module", params=VERSIONS)
def three(request: pytest.FixtureRequest) -> Iterator[tuple[FakeCodeman, dict[str, Agent]]]:
    """Run a server with three sessions, the second of which works; tests only read."""
    with running(request.param) as fake:
        fake.transcript(CONVERSATION)
        agents = {name: fake.session(name) for name in NAMES}
        fake.busy(agents["w1-beta"])
        fake.forget_answers()
        yield fake, agents


@pytest.fixture(scope="module", params=VERSIONS)
def used(request: pytest.FixtureRequest) -> Iterator[FakeCodeman]:
    with running(request.param) as fake:
        yield fake


@pytest.fixture
def fake(used: FakeCodeman) -> FakeCodeman:
    """Return a server that is as new."""
    used.reset()
    return used


newer = pytest.mark.parametrize("used", ["1.2.2"], indirect=True)
"""For what is the same in both: once is enough."""


# ---------------------------------------------------------------------------------------------- shapes


@pytest.mark.parametrize(
    "name",
    [
        *(
            "status",
            "sessions_list",
            "session_get",
            "mux_sessions",
            "system_stats",
            "debug_memory",
            "stats",
            "subagents",
        ),
        *("session_respawn_none", "config", "cpu_limit", "session_lifecycle", "history_sessions"),
    ],
)
def test_what_is_read_has_the_recorded_shape(three: tuple[FakeCodeman, dict[str, Agent]], name: str) -> None:
    fake, agents = three
    was = recorded(fake.version, name)
    answer = again(fake, was, agents["w1-alpha"].session_id)
    if name == "history_sessions" and fake.version == "0.4.3":
        was["body"]["sessions"] = recorded("1.2.2", name)["body"]["data"]["sessions"]  # it was asked in an empty home
    assert shape(json.loads(answer.text)) == shape(was["body"])


def again(fake: FakeCodeman, was: dict[str, Any], session_id: str = "", **more: Any) -> Answer:
    """Ask what was asked in a recording; the status and the content type must be the same."""
    method, path = was["request"].split(" ")
    parts = path.split("/")
    if parts[2] in {"sessions", "mux-sessions"} and len(parts) > 3 and "-" in parts[3]:
        path = path.replace(parts[3].split("?")[0], session_id)
    answer = fake.call(method, path, was.get("request_body"), **more)
    assert answer.status == was["status"], answer.text
    assert answer.headers["content-type"] == was["content_type"]
    return answer


def test_a_session_is_made_started_and_told_to_go_on_by_itself_as_recorded(fake: FakeCodeman) -> None:
    was = recorded(fake.version, "create_session")
    was["request_body"]["workingDir"] = str(fake.home)
    made = again(fake, was)
    assert shape(json.loads(made.text)) == shape(was["body"])
    session_id = made.body["session"]["id"]
    steps = ("start_interactive", "respawn_start", "session_respawn_on", "respawn_stop", "session_respawn_none")
    for name in steps:
        was = recorded(fake.version, name)
        assert shape(json.loads(again(fake, was, session_id).text)) == shape(was["body"]), name
    stopped = fake.call("POST", f"/api/sessions/{session_id}/respawn/stop")
    assert (stopped.status, stopped.body["errorCode"]) == (200 if fake.version == "0.4.3" else 404, "NOT_FOUND")


def test_a_session_that_goes_on_by_itself_says_so_in_its_record(fake: FakeCodeman) -> None:
    agent = fake.session("alpha")
    fake.call("POST", f"/api/sessions/{agent.session_id}/respawn/start", {"idleTimeoutMs": 60000})
    assert fake.record(agent.session_id)["respawnEnabled"] is True
    entries = json.loads((fake.data / "mux-sessions.json").read_text())
    assert ("respawnConfig" in entries[0]) is (fake.version == "0.4.3")


def test_errors_are_the_recorded_ones(fake: FakeCodeman) -> None:
    for number, was in enumerate(recorded(fake.version, "errors")):
        headers = {1: {"content-type": "application/json"}, 5: {"host": "evil.example"}}.get(number, {})
        answer = again(fake, was, headers=headers)
        if was["body"] == "(normal status body)":
            assert "globalStats" in answer.body
        elif was["content_type"].startswith("text/plain"):
            assert answer.text == was["body"]
        else:
            assert json.loads(answer.text) == was["body"]


@pytest.mark.parametrize("version", VERSIONS)
def test_logins_go_as_recorded(version: Version) -> None:
    with running(version, password=PASSWORD) as fake:
        bad = {"authorization": basic("wrong")}
        for was in recorded(version, "auth"):
            method, path, headers = "GET", "/api/status", {}
            match was["case"]:
                case "good basic" | "good basic while locked out":
                    headers = {"authorization": basic(PASSWORD)}
                case "bad basic":
                    headers = bad
                case "hook-event without anything":
                    method, path = "POST", "/api/hook-event"
                case "12th bad basic in a row":
                    headers = bad
                    # the one above is the first
                    before = [fake.call("GET", "/api/status", headers=bad, login=False).status for _ in range(10)]
                    assert before[-2:] == [401, 429]
            body = {"event": "stop", "sessionId": "nope"} if method == "POST" else None
            answer = fake.call(method, path, body, headers=headers, login=False)
            assert answer.status == was["status"], was["case"]
            told = {name: value for name, value in answer.headers.items() if name != "content-length"}
            if "set-cookie" in told:
                name, _, rest = told["set-cookie"].partition("=")
                token, _, rest = rest.partition(";")
                assert len(token) == 64
                told["set-cookie"] = f"{name}=<64 hex>;{rest}"
            assert told == was["headers"], was["case"]
            cut = was["body"].removesuffix("...")
            assert answer.text.startswith(cut) if cut != was["body"] else answer.text == cut


def test_the_newer_dialect_has_the_routes_under_v1_too(fake: FakeCodeman) -> None:
    answer = fake.call("GET", "/api/v1/status")
    assert answer.status == (404 if fake.version == "0.4.3" else 200)


def test_files_have_the_recorded_shape_and_state_is_stale(three: tuple[FakeCodeman, dict[str, Agent]]) -> None:
    fake, agents = three
    (was,) = [e for e in recorded(fake.version, "file_mux_sessions")["content"] if e["name"] == "w1-beta"]
    entries = json.loads((fake.data / "mux-sessions.json").read_text())
    assert [shape(entry) for entry in entries] == [shape(was)] * 3
    assert [entry["pid"] for entry in entries] == [agents[name].pane_pid for name in NAMES]
    kept = json.loads((fake.data / "state.json").read_text())
    was = recorded(fake.version, "file_state")["trimmed"]
    assert kept.keys() == was.keys()
    ours, theirs = kept["sessions"][agents["w1-alpha"].session_id], next(iter(was["sessions"].values()))
    assert ours.keys() >= theirs.keys() - NOT_ALWAYS - {"respawnConfig"}
    assert kept["sessions"][agents["w1-gamma"].session_id]["pid"] is None
    assert fake.record(agents["w1-gamma"].session_id)["pid"] is not None


# ---------------------------------------------------------------------------------------------- processes


def told_of(process: psutil.Process, names: dict[int, str]) -> dict[str, Any]:
    """Tell of a process what a recorded process table tells, with roles instead of numbers."""
    pid = process.pid
    stat = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    kept = {"CLAUDECODE", "TERM", "TMUX", "TMUX_PANE"}  # what the recordings hold of the environment
    return {
        "comm": Path(f"/proc/{pid}/comm").read_text().strip(),
        "parent": names.get(int(stat[1]), "init" if int(stat[1]) == 1 else "?"),
        "leads": (int(stat[2]) == pid, int(stat[3]) == pid),
        "tty": int(stat[4]) != 0,
        "args": [word for word in process.cmdline() if word],
        "env": sorted(k for k in process.environ() if k in kept or k.startswith("CODEMAN_")),
    }


def was_told(entry: dict[str, Any], names: dict[int, str]) -> dict[str, Any]:
    return {
        "comm": entry["comm"],
        "parent": names.get(entry["ppid"], "init"),
        "leads": (entry["pgid"] == entry["pid"], entry["sid"] == entry["pid"]),
        "tty": entry["tty"] is not None,
        "args": entry["args"],
        "env": sorted(entry["env"]),
    }


def blurred(told: dict[str, Any]) -> dict[str, Any]:
    """Take out of a process's arguments what differs from run to run: ids, folders, the port."""
    args = []
    for word in told["args"]:
        if word == "--port":
            break
        word = "codeman-<id>" if word.startswith("codeman-") else word
        word = "<folder>" if word.startswith("/") and "/projects/" in word else word
        word = f".../{os.path.basename(word)}" if word.startswith("/") and word != "/tmp" else word
        args.append("<wrapper>" if told["comm"] == "bash" and " " in word else word)
    parent = told["parent"] if told["comm"] != "node" else "any"
    return {**told, "args": args, "parent": parent}


def test_processes_stand_as_recorded(three: tuple[FakeCodeman, dict[str, Agent]]) -> None:
    fake, _ = three
    table = recorded(fake.version, "process_table")
    names = {entry["pid"]: entry["comm"] for entry in table}
    was = [blurred(was_told(entry, names)) for entry in table]
    ours = fake.processes()
    names = {p.pid: p.name() for p in ours}
    now = [blurred(told_of(p, names)) for p in ours]
    key = json.dumps
    assert sorted(now, key=key) == sorted(was, key=key)


def test_the_variables_name_session_server_and_tmux(three: tuple[FakeCodeman, dict[str, Agent]]) -> None:
    fake, agents = three
    for name in NAMES:
        agent = agents[name]
        processes = fake.of_session(agent.session_id)
        assert len(processes) == 3
        for process in processes:
            environ = process.environ()
            assert environ["CODEMAN_MUX_NAME"] == f"codeman-{agent.session_id[:8]}"
            assert environ["CODEMAN_API_URL"] == fake.url
            assert environ["TMUX"].split(",")[0] == str(fake.tmux_socket)
    assert "CODEMAN_API_URL" not in psutil.Process(fake.pid).environ()


def test_the_pid_in_the_record_is_the_attached_client_of_the_server(
    three: tuple[FakeCodeman, dict[str, Agent]],
) -> None:
    fake, agents = three
    agent = agents["w1-alpha"]
    client = psutil.Process(fake.record(agent.session_id)["pid"])
    assert client.ppid() == fake.pid
    assert client.cmdline()[-2:] == ["-t", agent.mux_name]
    (entry,) = [e for e in fake.call("GET", "/api/mux-sessions").body["sessions"] if e["name"] == "w1-alpha"]
    assert entry["pid"] == agent.pid != client.pid
    assert "CODEMAN_SESSION_ID" not in client.environ()


def test_the_tmux_server_is_named_after_the_first_session_only(three: tuple[FakeCodeman, dict[str, Agent]]) -> None:
    fake, agents = three
    argv = fake.tmux_server().cmdline()
    assert agents["w1-alpha"].mux_name in argv
    assert not {agents["w1-beta"].mux_name, agents["w1-gamma"].mux_name} & set(argv)


def test_a_resumed_session_hangs_below_a_shell_without_its_id_as_recorded() -> None:
    was = recorded("1.2.2", "resumed_session")
    with running() as fake:
        fake.transcript(CONVERSATION)
        agent = fake.session("resumed", resumes=CONVERSATION)
        names = {entry["pid"]: entry["comm"] for entry in was["process_table"]}
        table = [blurred(was_told(entry, names)) for entry in was["process_table"]]
        for entry in table:
            entry["args"] = ["<wrapper>" if word.startswith("<wrapper") else word for word in entry["args"]]
        ours = fake.processes()
        names = {p.pid: p.name() for p in ours}
        key = json.dumps
        assert sorted((blurred(told_of(p, names)) for p in ours), key=key) == sorted(table, key=key)
        record = fake.record(agent.session_id)
        ids = {"id": agent.session_id, "claudeSessionId": CONVERSATION, "resumeSessionId": CONVERSATION}
        assert {name: record[name] for name in ids} == ids
        (entry,) = fake.call("GET", "/api/mux-sessions").body["sessions"]
        assert (entry["pid"], entry["stats"]["childCount"]) == (agent.pane_pid, 1)  # the helpers are not counted
        assert agent.pane_pid != agent.pid
        fake.restart()
        assert fake.record(agent.session_id)["claudeSessionId"] == agent.session_id


@newer
def test_resuming_without_a_transcript_starts_anew(fake: FakeCodeman) -> None:
    agent = fake.session("alpha", resumes=CONVERSATION)
    assert alive(agent.pid)
    assert fake.pane(agent)["dead"] == "0"


@newer
def test_a_grandchild_is_not_in_the_memory_that_codeman_tells(fake: FakeCodeman) -> None:
    agent = fake.session("alpha")
    grandchild = psutil.Process(fake.grandchild(agent, 99))
    assert 98 < grandchild.memory_info().rss / 1024**2 < 103
    (entry,) = fake.call("GET", "/api/mux-sessions").body["sessions"]
    assert entry["stats"]["memoryMB"] < 40
    before = psutil.Process(agent.pid).memory_info().rss
    fake.hold(agent, 20)
    assert psutil.Process(agent.pid).memory_info().rss - before >= 20 * 1024**2
    fake.call("DELETE", f"/api/sessions/{agent.session_id}")
    assert not alive(grandchild.pid)


# ---------------------------------------------------------------------------------------------- ending


def test_killing_goes_as_recorded_step_by_step(fake: FakeCodeman) -> None:
    agents = {name: fake.session(name) for name in NAMES}
    fake.busy(agents["w1-beta"])
    of = {"75e17dec": "w1-beta", "c1c852df": "w1-gamma", "8fee1274": "w1-alpha"}
    of |= {"a120506e": "w1-beta", "35e3cc98": "w1-gamma", "0f6aaa28": "w1-alpha"}
    for step in recorded(fake.version, "kill_experiments"):
        what, was = step["what"], step.get("response")
        name = of[was["request"].split("/")[3][:8]] if was and len(was["request"].split("/")) > 3 else "w1-alpha"
        agent = agents[name]
        check_left(fake, agent, step["processes_before"])
        if was is None:
            fake.signal(agent, signal.SIGTERM)
        else:
            answer = again(fake, was, agent.session_id)
            assert json.loads(answer.text) == was["body"], what
        fake.forget_answers()
        if "mux route" in what and agent.session_id in str(fake.call("GET", "/api/sessions").text):
            # the client ends a moment after the answer
            fake.wait_for_client(agent, attached=False)
        listed = {r["name"]: (r["status"], r["pid"] is None) for r in fake.call("GET", "/api/sessions").body}
        assert listed == {row[0]: (row[1], row[2] is None) for row in step["sessions_after"]}, what
        mux = fake.call("GET", "/api/mux-sessions").body["sessions"]
        assert [entry["name"] for entry in mux] == [row[0] for row in step["mux_after"]], what
        for entry, row in zip(mux, step["mux_after"], strict=True):
            if len(row) > 2:  # the pane's process is dead: pid stays, figures are 0
                assert {**entry["stats"], "updatedAt": 0} == {**row[2], "updatedAt": 0}
                assert entry["pid"] == agent.pane_pid
        if "start it again" in what:
            agents[name] = fake.agent(agent.session_id)
            fake.wait_for_status(agent.session_id, "idle")
        check_left(fake, agents[name], step["processes_after"])


def check_left(fake: FakeCodeman, agent: Agent, table: list[dict[str, Any]]) -> None:
    """Compare a session's processes with recorded ones: their names, and which of them init has."""
    was = sorted((p["comm"], p["ppid"] == 1) for p in table if p["session"])
    assert sorted((p.name(), p.ppid() == 1) for p in fake.of_session(agent.session_id)) == was
    if table and not any(p["comm"].startswith("tmux") for p in table):
        return  # of this step only what carries the id was written down
    clients = [p for p in fake.processes() if p.cmdline()[-3:] == ["attach-session", "-t", agent.mux_name]]
    assert len(clients) == len([p for p in table if p["comm"] == "tmux: client"])


def test_of_two_deletes_at_once_the_second_says_success_while_the_first_still_kills() -> None:
    with running() as fake:
        agent = fake.session("alpha")
        fake.stubborn(agent)
        fake.behave(kill_s=0.6)
        path, answers = f"/api/sessions/{agent.session_id}", list[Answer]()
        first = threading.Thread(target=lambda: answers.append(fake.call("DELETE", path)))
        first.start()
        fake.wait_for("the first call", lambda: fake.asked()[-1]["method"] == "DELETE")
        second = fake.call("DELETE", path)
        assert json.loads(second.text) == {"success": True, "data": {}}
        assert alive(agent.pid)
        first.join()
        assert json.loads(answers[0].text) == {"success": True, "data": {}}
        assert not fake.of_session(agent.session_id)


def test_a_session_killed_in_tmux_lives_on_and_its_delete_is_a_lie(fake: FakeCodeman) -> None:
    keeps = fake.session("keeps tmux alive")
    agent = fake.session("alpha")
    fake.kill_tmux_session(agent, reconcile=False)
    record = fake.record(agent.session_id)
    assert (record["status"], record["pid"]) == ("idle", None)
    process = psutil.Process(agent.pid)
    assert int(Path(f"/proc/{agent.pid}/stat").read_text().rsplit(")", 1)[1].split()[4]) == 0  # no terminal
    assert process.ppid() == fake.tmux_server().pid
    assert len(fake.call("GET", "/api/mux-sessions").body["sessions"]) == 2
    fake.call("POST", "/api/mux-sessions/reconcile")
    assert [e["name"] for e in fake.call("GET", "/api/mux-sessions").body["sessions"]] == ["keeps tmux alive"]
    answer = fake.call("DELETE", f"/api/sessions/{agent.session_id}")
    assert json.loads(answer.text)["success"] is True
    assert [p.name() for p in fake.of_session(agent.session_id)] == ["claude", "sleep", "sleep"]
    assert [r["id"] for r in fake.call("GET", "/api/sessions").body if r["id"] == agent.session_id] in (
        [],
        [agent.session_id],
    )
    assert alive(keeps.pid)


def test_a_dead_pane_stays_listed_idle_and_only_a_delete_clears_it(fake: FakeCodeman) -> None:
    agent = fake.session("alpha")
    fake.busy(agent)
    fake.exit(agent, 3)
    assert (fake.pane(agent)["dead"], fake.pane(agent)["status"]) == ("1", "3")
    fake.wait_for_status(agent.session_id, "idle")
    assert fake.record(agent.session_id)["pid"] is not None
    assert fake.call("POST", f"/api/sessions/{agent.session_id}/interactive").body["errorCode"] == "OPERATION_FAILED"
    assert json.loads(fake.call("DELETE", f"/api/sessions/{agent.session_id}").text)["success"] is True
    assert not fake.call("GET", "/api/mux-sessions").body["sessions"]


@newer
def test_the_check_for_idleness_runs_elsewhere_and_belongs_to_no_session(fake: FakeCodeman) -> None:
    check = psutil.Process(fake.idle_check())
    assert "CODEMAN_SESSION_ID" not in check.environ()
    assert check.environ()["TMUX"].split(",")[0].endswith("/default")
    fake.restart()
    assert fake.call("GET", "/api/sessions").body == []


@newer
def test_what_was_forked_twice_outlives_a_delete(fake: FakeCodeman) -> None:
    agent = fake.session("alpha")
    daemon = fake.spawn(agent, "sleep", "36003", setsid=True, twice=True)
    fake.call("DELETE", f"/api/sessions/{agent.session_id}")
    assert [p.pid for p in fake.of_session(agent.session_id)] == [daemon]


@newer
def test_a_stubborn_agent_is_killed(fake: FakeCodeman) -> None:
    agent = fake.session("alpha")
    fake.stubborn(agent)
    os.kill(agent.pid, signal.SIGTERM)
    assert alive(agent.pid)
    fake.call("DELETE", f"/api/sessions/{agent.session_id}")
    assert not alive(agent.pid)


def test_the_last_session_takes_tmux_with_it(fake: FakeCodeman) -> None:
    agent = fake.session("alpha")
    tmux = fake.tmux_server().pid
    killed = fake.call("DELETE", "/api/sessions")
    assert json.loads(killed.text) == {"success": True, "data": {"killed": 1}}
    fake.wait_gone(tmux, agent.pid)
    assert [p.pid for p in fake.processes()] == [fake.pid]


def test_a_release_keeps_the_tab_until_the_server_starts_again_and_writes_no_line(fake: FakeCodeman) -> None:
    agent = fake.session("alpha")
    fake.call("DELETE", f"/api/mux-sessions/{agent.session_id}")
    fake.wait_for_client(agent, attached=False)
    entries = fake.call("GET", f"/api/session-lifecycle?sessionId={agent.session_id}").body["entries"]
    assert [entry["event"] for entry in entries] == ["started", "created"]
    fake.restart()
    assert fake.call("GET", "/api/sessions").body == []


def test_a_detached_session_comes_back_with_the_server(fake: FakeCodeman) -> None:
    agent = fake.session("alpha")
    fake.call("DELETE", f"/api/sessions/{agent.session_id}?killMux=false")
    fake.forget_answers()
    assert fake.call("GET", "/api/sessions").body == []
    fake.restart()
    assert [r["id"] for r in fake.call("GET", "/api/sessions").body] == [agent.session_id]
    assert alive(agent.pid)


def test_a_working_session_cannot_be_started_again(fake: FakeCodeman) -> None:
    agent = fake.session("alpha")
    fake.busy(agent)
    answer = fake.call("POST", f"/api/sessions/{agent.session_id}/interactive")
    assert (answer.status, answer.body["errorCode"]) == (200 if fake.version == "0.4.3" else 409, "SESSION_BUSY")


def test_a_deleted_session_is_shown_for_a_second_by_the_older_one(fake: FakeCodeman) -> None:
    session_id = fake.create("alpha")
    fake.call("GET", "/api/sessions")
    fake.call("DELETE", f"/api/sessions/{session_id}")
    shown = [r["id"] for r in fake.call("GET", "/api/sessions").body]
    assert shown == ([session_id] if fake.version == "0.4.3" else [])


# ---------------------------------------------------------------------------------------------- the server goes


@pytest.mark.parametrize("which", [signal.SIGTERM, signal.SIGKILL])
def test_agents_outlive_the_server_and_are_found_again_on_another_port(
    fake: FakeCodeman, which: signal.Signals
) -> None:
    agent = fake.session("w1-alpha")
    before, old_url = fake.record(agent.session_id), fake.url
    fake.end(which)
    fake.wait_for("the clients to end", lambda: len(fake.processes()) == 4)
    was = recorded(fake.version, "restart")
    down = sorted((p["comm"], p["ppid"] == 1) for p in was["processes_while_server_is_down"])
    assert sorted((p.name(), p.ppid() == 1) for p in fake.processes()) == down
    restarted_ms = time.time() * 1000
    fake.restart(elsewhere=True)
    assert fake.url != old_url == psutil.Process(agent.pid).environ()["CODEMAN_API_URL"]
    (after,) = fake.call("GET", "/api/sessions").body
    (theirs,) = was["after_restart"]["sessions"]
    assert (after["pid"] is None, after["status"]) == (theirs["pid"] is None, theirs["status"])
    assert (after["name"], after["claudeSessionId"]) == ("w1-alpha", agent.session_id)
    assert before["createdAt"] < restarted_ms <= after["createdAt"] <= after["lastActivityAt"] + 1
    (entry,) = fake.call("GET", "/api/mux-sessions").body["sessions"]
    assert shape(entry) == shape(was["after_restart"]["mux"][0])
    assert entry["pid"] == agent.pane_pid
    lines = [json.loads(line) for line in (fake.data / "session-lifecycle.jsonl").read_text().splitlines()]
    events = [line["event"] for line in was["after_restart"]["lifecycle_tail"]]
    assert [line["event"] for line in lines][1:] == events
    if fake.version == "0.4.3":  # attached to when somebody opens it
        fake.interactive(agent.session_id)
        assert fake.record(agent.session_id)["pid"] is not None
        assert fake.agent(agent.session_id) == agent


def test_a_server_that_lost_its_files_adopts_sessions_under_made_up_ids(fake: FakeCodeman) -> None:
    agent = fake.session("alpha")
    fake.restart(forgets=True)
    (record,) = fake.call("GET", "/api/sessions").body
    assert record["id"] == f"restored-{agent.session_id[:8]}"
    assert record["workingDir"] == str(fake.root / "app")
    (entry,) = fake.call("GET", "/api/mux-sessions").body["sessions"]
    assert (entry["muxName"], entry["pid"]) == (agent.mux_name, agent.pane_pid)
    assert psutil.Process(agent.pid).environ()["CODEMAN_SESSION_ID"] == agent.session_id


@newer
def test_a_one_shot_agent_of_a_killed_server_is_an_orphan_without_record(fake: FakeCodeman) -> None:
    def ask() -> None:
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            fake.call("POST", "/api/run", {"prompt": "hello"})

    asking = threading.Thread(target=ask)
    asking.start()

    def agents() -> list[psutil.Process]:
        return [p for p in fake.processes() if p.name() == "claude" and (fake.control / f"{p.pid}.sock").exists()]

    fake.wait_for("the agent", lambda: bool(agents()))
    (agent,) = agents()
    assert agent.ppid() == fake.pid
    assert agent.environ()["CLAUDECODE"] == "undefined"
    fake.end(signal.SIGKILL)
    asking.join()
    fake.wait_for("the agent to be an orphan", lambda: agent.ppid() == 1)
    fake.start()
    assert fake.call("GET", "/api/sessions").body == []
    assert agent.environ()["CODEMAN_SESSION_ID"]
    assert "CODEMAN_MUX_NAME" not in agent.environ()


# ---------------------------------------------------------------------------------------------- signs of work


@newer
def test_output_moves_the_activity_of_the_window_and_of_the_record(fake: FakeCodeman) -> None:
    agent = fake.session("alpha")
    before, record = fake.pane(agent)["activity"], fake.record(agent.session_id)
    time.sleep(0.2)
    assert fake.record(agent.session_id)["lastActivityAt"] == record["lastActivityAt"]  # an idle one is silent

    def moved() -> bool:
        fake.print(agent)
        return fake.pane(agent)["activity"] > before  # in seconds

    fake.wait_for("the window's activity to move", moved)
    after = fake.record(agent.session_id)
    assert after["lastActivityAt"] > record["lastActivityAt"]
    assert after["bufferStats"]["terminalBufferSize"] > record["bufferStats"]["terminalBufferSize"]


@newer
def test_work_reads_busy_and_rest_reads_idle_but_one_chunk_of_both_reads_busy_for_ever(fake: FakeCodeman) -> None:
    agent = fake.session("alpha")
    began = fake.record(agent.session_id)["lastPromptTime"]
    fake.busy(agent)
    assert fake.record(agent.session_id)["isWorking"] is True
    fake.idle(agent)
    assert fake.record(agent.session_id)["lastPromptTime"] > began
    fake.latch(agent)
    time.sleep(0.5)
    assert fake.record(agent.session_id)["status"] == "busy"


@newer
def test_a_shell_is_always_idle(fake: FakeCodeman) -> None:
    agent = fake.session("alpha", mode="shell")
    assert psutil.Process(agent.pane_pid).cmdline() == ["/bin/bash"]
    fake.tmux("send-keys", "-t", agent.mux_name, "sleep 500", "Enter")
    fake.wait_for("the command", lambda: bool(psutil.Process(agent.pane_pid).children()))
    record = fake.record(agent.session_id)
    assert (record["mode"], record["status"]) == ("shell", "idle")


def test_events_have_the_recorded_shapes(fake: FakeCodeman) -> None:
    agent = fake.session("alpha")
    connection = http.client.HTTPConnection("127.0.0.1", fake.port, timeout=20)
    connection.request("GET", "/api/events")
    stream = connection.getresponse()
    came: dict[str, Any] = {}

    def listen(until: str) -> None:
        while until not in came:
            name = stream.readline().decode().removeprefix("event: ").strip()
            data = json.loads(stream.readline().decode().removeprefix("data: "))
            stream.readline()
            came.setdefault(name if "session" not in data or name != "session:updated" else "whole", data)

    listen("init")
    assert shape(came["init"]) == shape(
        json.loads(fake.call("GET", "/api/status").text).get("data") or fake.call("GET", "/api/status").body
    )
    fake.call("DELETE", f"/api/mux-sessions/{agent.session_id}")
    listen("session:updated")
    fake.interactive(agent.session_id)
    listen("whole")
    fake.call("DELETE", f"/api/sessions/{agent.session_id}")
    listen("session:deleted")
    connection.close()
    was = recorded(fake.version, "sse_events")["first_two_of_each"]
    for event in was:
        name = event["event"]
        if name == "mux:statsUpdated":  # only after a restart or when it was turned on
            continue
        key = "whole" if name == "session:updated" and "session" in event["data"] else name
        assert shape(came[key]) == shape(event["data"]), name


# ---------------------------------------------------------------------------------------------- the way in


def test_a_hundred_logins_throw_the_oldest_cookie_out() -> None:
    with running(password=PASSWORD) as fake:
        first = fake.call("GET", "/api/status")
        cookie = {"cookie": first.headers["set-cookie"].split(";")[0]}
        assert fake.call("GET", "/api/status", headers=cookie, login=False).status == 200
        for _ in range(100):
            fake.call("GET", "/api/status")
        assert fake.call("GET", "/api/status", headers=cookie, login=False).status == 401


def test_the_password_is_in_the_environment_of_the_server_and_its_panes() -> None:
    with running(password=PASSWORD) as fake:
        agent = fake.session("alpha")
        assert psutil.Process(fake.pid).environ()["CODEMAN_PASSWORD"] == PASSWORD
        assert psutil.Process(agent.pid).environ()["CODEMAN_PASSWORD"] == PASSWORD


@needs_openssl
@pytest.mark.parametrize("version", VERSIONS)
def test_the_servers_own_certificate_serves_as_ca(version: Version) -> None:
    with running(version, https=True, password=PASSWORD) as fake:
        answer = fake.call("GET", "/api/status")  # verified against it
        assert "; Secure;" in answer.headers["set-cookie"]
        assert answer.status == 200
        fake.https = False
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            fake.call("GET", "/api/status")


def test_foreign_origins_may_not_change_anything() -> None:
    with running() as fake:
        answer = fake.call("DELETE", "/api/sessions/nope", headers={"origin": "http://evil.example"})
        assert answer.status == 403
        assert answer.headers["content-type"].startswith("text/plain")


def test_the_server_can_be_made_to_misbehave_and_tells_what_it_was_asked() -> None:
    with running() as fake:
        agent = fake.session("alpha")
        fake.behave(lies=True)
        answer = fake.call("DELETE", f"/api/sessions/{agent.session_id}")
        assert json.loads(answer.text) == {"success": True, "data": {}}
        assert alive(agent.pid)
        fake.behave(only="GET /api/status", status=502, text="<html>Bad gateway</html>")
        assert fake.call("GET", "/api/status").status == 502
        assert fake.call("GET", "/api/sessions").status == 200
        fake.behave(only="GET /api/status", drops=True)
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            fake.call("GET", "/api/status")
        fake.behave(slow_s=0.3)
        assert fake.call("GET", "/api/status").took_s >= 0.3
        fake.behave(only="GET /api/status", hangs=True)
        with pytest.raises(TimeoutError):
            fake.call("GET", "/api/status", timeout_s=0.3)
        fake.behave()
        fake.lay_over(agent.session_id, ralphLoop={"enabled": True, "active": True}, paneExit={"status": 0, "at": 1})
        assert fake.record(agent.session_id)["ralphLoop"]["active"] is True
        fake.tell(subagents=[{"agentId": "a1", "sessionId": agent.session_id, "status": "active"}])
        assert fake.call("GET", f"/api/sessions/{agent.session_id}/subagents").body[0]["agentId"] == "a1"
        assert fake.asked()[-1]["target"].endswith("/subagents")


def test_nothing_is_left_of_a_fake() -> None:
    with running() as fake:
        fake.session("alpha")
        agent = fake.session("beta")
        orphan = fake.spawn(agent, "sleep", "36003", setsid=True, twice=True)
        pids = [p.pid for p in fake.processes()]
        assert orphan in pids
    assert not any(alive(pid) for pid in pids)
    assert not fake.root.exists()


def test_paths_of_sockets_are_short_enough_for_macos() -> None:
    fake = codeman_fake.prepare()
    try:
        longest = max(len(str(fake.control / "server.fresh")), len(str(fake.control / "4194304.sock.fresh")))
        # "/private" goes in front there
        assert max(longest, len(str(fake.tmux_socket))) + len("/private") < 104
    finally:
        fake.close()
