"""Codeman: its programs, whose process is whose, its two dialects, and what speaks for idleness. No input or output."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.homes import NOW_EPOCH_S, RECORDED, UPTIME_S, observe, surroundings, table
from trayapp.attribution import attribute
from trayapp.hosts import codeman_judge
from trayapp.hosts.claude_code import ClaudeCode
from trayapp.hosts.codeman import Codeman
from trayapp.hosts.codeman_api import (
    Credentials,
    Hooks,
    Record,
    Refused,
    ServerUnusable,
    Trouble,
    address_of,
    decode_reading,
    unwrap,
)
from trayapp.hosts.codeman_disk import Disk, MuxSession, decode_mux_sessions
from trayapp.hosts.codeman_judge import Said, is_reset, judge
from trayapp.hosts.codeman_owners import Holding, Known, hold
from trayapp.hosts.codeman_programs import data_folder, is_own_tmux_server, is_server, recognise, sockets_of
from trayapp.hosts.codeman_tmux import Pane, parse
from trayapp.model.process import Identity, Process
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Evidence,
    EvidenceKind,
    Observation,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
    State,
)
from trayapp.model.snapshot import GroupKind, Member
from trayapp.verdict import judge as verdict

VERSIONS = ("v043", "v122")
ALPHA = "8fee1274-b58f-44a3-9c40-d9360702e107"
BETA = "75e17dec-7384-4abd-a0e8-f97a5cddf9a1"
RESUMED, CONVERSATION = "73e17091-7707-43ed-b39c-b5253be79607", "11111111-2222-3333-4444-555555555555"
SOCKET = "/tmp/tmux-1000/codeman"


def recorded(name: str) -> Any:
    return json.loads((RECORDED / "codeman" / f"{name}.json").read_text(encoding="utf-8"))


def reply(name: str) -> tuple[int, bytes]:
    said = recorded(name)
    return said["status"], json.dumps(said["body"]).encode()


def records(version: str) -> dict[str, Record]:
    payload, enveloped = unwrap(*reply(f"{version}_status"))
    return dict(decode_reading(payload, enveloped=enveloped, read_epoch_s=NOW_EPOCH_S).records)


def mux(version: str) -> dict[str, MuxSession]:
    listed, strange = decode_mux_sessions(json.dumps(recorded(f"{version}_file_mux_sessions")["content"]).encode())
    assert strange == 0
    return {each.session_id: each for each in listed}


def seen(entry: dict[str, Any], **more: Any) -> Process:
    """Return a process as a recording tells it; a lower pid is an older process."""
    start_s = UPTIME_S - 5000 + entry["pid"] / 100
    return Process(
        identity=Identity(entry["pid"], round(start_s * 100)),
        ppid=entry["ppid"],
        name=entry["comm"],
        exe=f"/usr/bin/{entry['args'][0]}",
        argv=tuple(entry["args"]),
        cwd=entry.get("cwd"),
        env=entry["env"],
        tty=entry["tty"],
        uid=1000,
        start_s=start_s,
        **more,
    )


INIT = Process(identity=Identity(1, 0), ppid=0, name="init", exe="/sbin/init", argv=("/sbin/init",), uid=0)


def processes(name: str) -> list[Process]:
    found = recorded(name)
    return [INIT, *(seen(entry) for entry in (found["process_table"] if isinstance(found, dict) else found))]


def panes_of(version: str, *, dead: Sequence[int] = ()) -> tuple[Pane, ...]:
    return tuple(
        Pane(mux_name=m.mux_name, pid=m.pid or 0, dead=m.pid in dead, activity_epoch_s=NOW_EPOCH_S - 90)
        for m in mux(version).values()
    )


def holding(of: Sequence[Process], known: Known) -> tuple[Holding, dict[int, Claim]]:
    seen_table = table(of)
    recognised = [claim for p in of if (claim := recognise(p)) is not None]
    found = hold(seen_table, recognised, known)
    return found, {identity.pid: claim for identity, claim in found.claims.items()}


def agent_env(session_id: str, **more: str) -> dict[str, str]:
    return {
        "CODEMAN_SESSION_ID": session_id,
        "CODEMAN_MUX_NAME": f"codeman-{session_id[:8]}",
        "CODEMAN_API_URL": "http://127.0.0.1:3000",
        "TMUX": f"{SOCKET},50,0",
        **more,
    }


def made(pid: int, ppid: int, *argv: str, env: dict[str, str] | None = None, comm: str = "") -> Process:
    entry = {"pid": pid, "ppid": ppid, "comm": comm or argv[0].rsplit("/", 1)[-1], "args": list(argv)}
    return seen({**entry, "env": env or {}, "tty": None, "cwd": "/home/user/projects/alpha"})


TMUX = made(50, 1, "tmux", "-L", "codeman", "new-session", "-ds", "codeman-8fee1274", "-c", "/tmp", comm="tmux: server")


# --- programs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "is_one"),
    [
        (("node", "dist/index.js", "web"), True),
        (("node", "/opt/codeman/dist/index.js", "web", "--https"), True),
        (("node", "/home/user/.local/bin/codeman", "web"), True),
        (("node", "/usr/bin/aicodeman", "web", "--port", "5000"), True),
        (("codeman", "web", "-d"), True),
        (("node", "/home/user/.local/bin/codeman", "doctor"), False),
        (("node", "dist/index.js", "webserver"), False),
        (("node", "dist/index.js"), False),
        (("vim", "notes-on-codeman.md", "web"), False),
        (("grep", "codeman", "web"), False),
        (("git", "clone", "/srv/codeman", "web"), False),
        (("node", "codeman", "web"), False),
        (("/usr/bin/node", "--inspect", "/srv/bin/codeman", "web", "--https"), True),
    ],
)
def test_a_server_is_told_by_a_whole_argument_and_the_word_web_after_it(argv: tuple[str, ...], is_one: bool) -> None:
    assert is_server(made(9, 1, *argv)) is is_one


@pytest.mark.parametrize(
    ("argv", "own"),
    [
        (("tmux", "-L", "codeman", "new-session", "-ds", "codeman-8fee1274"), True),
        (("tmux", "-S", "/run/x/codeman-beta", "new-session", "-ds", "codeman-8fee1274"), True),
        (("tmux", "new-session", "-ds", "codeman-0f6aaa28"), False),  # before 0.6.12: the user's own server
        (("tmux", "-L", "default", "new-session", "-ds", "codeman-0f6aaa28"), False),
        (("tmux", "-L", "work", "new-session", "-s", "mine"), False),
    ],
)
def test_only_a_tmux_server_on_a_socket_of_its_own_is_codemans(argv: tuple[str, ...], own: bool) -> None:
    assert is_own_tmux_server(made(9, 1, *argv, comm="tmux: server")) is own


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:3000", "http://127.0.0.1:3000"),
        ("http://localhost:3000/", "http://localhost:3000"),
        ("https://localhost:3000/codeman/", "https://localhost:3000/codeman"),
        ("http://[::1]:3000", "http://[::1]:3000"),
        ("http://192.168.0.7:3000", None),
        ("http://codeman.example:3000", None),
        ("http://127.0.0.1.example:3000", None),
        ("http://me:pw@127.0.0.1:3000", None),
        ("ftp://127.0.0.1:3000", None),
        ("http://127.0.0.1:port", None),
        ("", None),
    ],
)
def test_no_other_computer_is_ever_spoken_to(url: str, address: str | None) -> None:
    assert address_of(url) == address


def test_the_data_folder_is_the_servers_own_its_instances_or_that_of_the_hook_secret() -> None:
    home = Path("/home/user")
    assert data_folder({}, home) == home / ".codeman"
    assert data_folder({"CODEMAN_INSTANCE": "beta"}, home) == home / ".codeman-beta"
    assert data_folder({"CODEMAN_INSTANCE": "../x"}, home) == home / ".codeman"
    assert data_folder({"CODEMAN_DATA_DIR": "/data/c", "CODEMAN_INSTANCE": "beta"}, home) == Path("/data/c")
    assert data_folder({"CODEMAN_HOOK_SECRET_FILE": "/data/d/hook-secret"}, home) == Path("/data/d")


def test_sockets_are_told_by_the_agents_variable_and_by_a_private_tmux_folder() -> None:
    agent = made(9, 50, "claude", env=agent_env(ALPHA))
    private = replace(TMUX, env={"TMUX_TMPDIR": "/run/user/1000"})
    assert sockets_of(agent, 1000) == [SOCKET]
    assert sockets_of(private, 1000) == ["/run/user/1000/tmux-1000/codeman"]
    assert sockets_of(TMUX, 1000) == [SOCKET]


def test_panes_are_read_with_their_exit_and_their_activity() -> None:
    dead, alive, _ = parse(
        "11|1|143|1796039320|1796039310|codeman-a|b\n12|0|||1796039311|codeman-c\nnonsense\n|||||\n13|0|||x|codeman-d\n"
    )
    assert (dead.pid, dead.dead, dead.exit_status, dead.died_epoch_s) == (11, True, 143, 1796039320.0)
    assert (dead.mux_name, dead.activity_epoch_s) == ("codeman-a|b", 1796039310.0)
    assert (alive.pid, alive.dead, alive.exit_status, alive.activity_epoch_s) == (12, False, None, 1796039311.0)


# --- whose process is whose ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_agents_are_the_pane_processes_and_never_the_pid_of_the_list(version: str) -> None:
    of = processes(f"{version}_process_table")
    listed, in_tmux = records(version), mux(version)
    found, claims = holding(of, Known(records=listed, mux=in_tmux, panes={SOCKET: panes_of(version)}))
    for session_id, entry in in_tmux.items():
        claim = claims[entry.pid or 0]
        assert (claim.role, claim.kind, claim.embedded) == (Role.BACKEND, ClaimKind.REGISTRY, True)
        assert claim.session == SessionKey("codeman", session_id)
        assert [p.pid for p in found.sessions[session_id].backends] == [entry.pid]
        # its own tmux client is what the list of sessions calls its pid
        client = claims[listed[session_id].pid or 0]
        assert (client.role in (Role.INFRA, Role.CLIENT), client.session) == (True, None)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_recorded_trees_are_counted_whole_and_go_before_the_agents_own_host(version: str) -> None:
    of = processes(f"{version}_process_table")
    server = next(p for p in of if is_server(p))
    known = Known(
        records=records(version),
        mux=mux(version),
        panes={SOCKET: panes_of(version)},
        servers=frozenset({server.identity}),
    )
    found, _ = holding(of, known)
    agents = ClaudeCode()
    others = tuple(claim for p in of if (claim := agents.recognise(p)) is not None)
    assert others  # the agent's own host sees it as well
    facts = tuple(SessionFact(key=SessionKey("codeman", s)) for s in found.sessions)
    observations = [
        Observation(host="codeman", read_epoch_s=0, sessions=facts, claims=tuple(found.claims.values())),
        Observation(host="claude-code", read_epoch_s=0, claims=others),
    ]
    places = attribute(table(of), observations, {}).places
    by_key: dict[str, list[str]] = {}
    for process in of:
        by_key.setdefault(places[process.identity].key, []).append(process.name)
    for session_id in mux(version):
        assert sorted(by_key[f"codeman:{session_id}"]) == ["claude", "sleep", "sleep"]
    assert sorted(by_key["infra:codeman"]) == ["node", "tmux: client", "tmux: client", "tmux: client", "tmux: server"]


def test_the_bash_above_a_resumed_agent_is_its_wrapper_although_it_carries_no_id() -> None:
    of = processes("v122_resumed_session")
    pane = Pane(mux_name="codeman-73e17091", pid=27791, dead=False, activity_epoch_s=NOW_EPOCH_S)
    found, claims = holding(of, Known(panes={SOCKET: (pane,)}))
    assert (claims[27791].role, claims[27791].session) == (Role.WRAPPER, SessionKey("codeman", RESUMED))
    assert (claims[27794].role, claims[27794].kind) == (Role.BACKEND, ClaimKind.REGISTRY)
    wrapper = found.sessions[RESUMED].wrapper
    assert wrapper is not None
    assert wrapper.pid == 27791
    places = attribute(
        table(of), [Observation(host="codeman", read_epoch_s=0, claims=tuple(claims.values()))], {}
    ).places
    assert {p.pid for p in of if places[p.identity].key == f"codeman:{RESUMED}"} == {27791, 27794, 27827, 27829}


def test_no_session_is_read_from_the_arguments_of_the_tmux_server() -> None:
    of = [INIT, TMUX]
    found, claims = holding(of, Known(records=records("v122"), mux=mux("v122")))
    assert found.sessions == {}
    assert (claims[50].role, claims[50].session) == (Role.INFRA, None)


def test_an_adopted_session_is_joined_by_its_tmux_name_since_its_agents_keep_the_old_id() -> None:
    adopted = f"restored-{ALPHA[:8]}"
    agent = made(60, 50, "claude", env=agent_env(ALPHA))
    listed = {adopted: Record(id=adopted, working_dir="/opt/codeman", mode="claude")}
    found, claims = holding([INIT, TMUX, agent], Known(records=listed))
    assert claims[60].session == SessionKey("codeman", adopted)
    assert found.sessions[adopted].carried_id == ALPHA
    by_list = Known(records=listed, mux={adopted: MuxSession(session_id=adopted, mux_name="codeman-8fee1274", pid=60)})
    assert holding([INIT, TMUX, agent], by_list)[1][60].kind is ClaimKind.REGISTRY


def test_what_lost_its_parent_keeps_its_session_by_the_variable() -> None:
    agent = made(60, 50, "claude", env=agent_env(ALPHA))
    child = made(61, 60, "sleep", "36000", env=agent_env(ALPHA))
    lost = made(62, 1, "sleep", "36001", env=agent_env(ALPHA))
    of = [INIT, TMUX, agent, child, lost]
    _, claims = holding(of, Known())
    assert 61 not in claims  # it follows its parent
    assert (claims[62].role, claims[62].kind) == (Role.UNKNOWN, ClaimKind.ENVIRONMENT)
    observation = Observation(host="codeman", read_epoch_s=0, claims=tuple(claims.values()))
    places = attribute(table(of), [observation], {}).places
    assert {p.pid for p in of if places[p.identity].key == f"codeman:{ALPHA}"} == {60, 61, 62}
    alone = [INIT, lost]
    observation = Observation(host="codeman", read_epoch_s=0, claims=tuple(holding(alone, Known())[1].values()))
    place = attribute(table(alone), [observation], {}).places[lost.identity]
    assert (place.kind, place.owner_hint) == (GroupKind.ORPHAN_WORK, ALPHA)


def test_an_agent_that_an_agent_started_is_left_to_its_own_host() -> None:
    agent = made(60, 50, "claude", env=agent_env(ALPHA))
    shell = made(61, 60, "/bin/bash", "-c", "claude -p review", env=agent_env(ALPHA))
    nested = made(62, 61, "claude", "-p", "review", env=agent_env(ALPHA))
    of = [INIT, TMUX, agent, shell, nested]
    _, claims = holding(of, Known())
    assert set(claims) == {50, 60}
    others = tuple(c for p in of if (c := ClaudeCode().recognise(p)) is not None)
    observations = [
        Observation(host="codeman", read_epoch_s=0, claims=tuple(claims.values())),
        Observation(host="claude-code", read_epoch_s=0, claims=others),
    ]
    assert attribute(table(of), observations, {}).places[nested.identity].host == "claude-code"
    # also one that went on when its parent ended
    detached = made(62, 1, "claude", "-p", "review", env=agent_env(ALPHA))
    assert 62 not in holding([INIT, TMUX, agent, detached], Known())[1]


def test_a_one_shot_run_is_the_servers_child_and_an_orphan_once_the_server_was_killed() -> None:
    server = made(40, 1, "node", "/x/bin/codeman", "web")
    env = {"CODEMAN_SESSION_ID": ALPHA, "CODEMAN_API_URL": "http://127.0.0.1:3000", "CLAUDECODE": "undefined"}
    run = made(60, 40, "claude", env=env)
    found, claims = holding([INIT, server, run], Known(servers=frozenset({server.identity})))
    assert (claims[60].role, found.sessions[ALPHA].one_shot) == (Role.BACKEND, True)
    left = made(60, 1, "claude", env=env)
    _, claims = holding([INIT, left], Known())
    observation = Observation(host="codeman", read_epoch_s=0, claims=tuple(claims.values()))
    place = attribute(table([INIT, left]), [observation], {}).places[left.identity]
    assert place.kind is GroupKind.ORPHAN_AGENT


def test_a_session_in_no_list_is_claimed_as_leaked_and_not_as_its_own_any_more() -> None:
    agent = made(60, 50, "claude", env=agent_env(ALPHA))
    _, claims = holding([INIT, TMUX, agent], Known(gone=frozenset({ALPHA})))
    assert (claims[60].leaked, claims[60].role) == (True, Role.BACKEND)
    _, claims = holding([INIT, TMUX, agent], Known())
    assert claims[60].leaked is False


def test_private_sessions_in_the_users_tmux_are_not_codemans() -> None:
    server = made(50, 1, "tmux", "new-session", "-ds", "codeman-8fee1274", comm="tmux: server")
    agent = made(60, 50, "claude", env=agent_env(ALPHA))
    private, editor = made(61, 50, "claude"), made(62, 50, "vim", "notes.md")
    of = [INIT, server, agent, private, editor]
    panes = tuple(
        Pane(mux_name=name, pid=pid, dead=False, activity_epoch_s=NOW_EPOCH_S)
        for name, pid in (("codeman-8fee1274", 60), ("work", 61), ("codeman-notes", 62))
    )
    _, claims = holding(of, Known(panes={"/tmp/tmux-1000/default": panes}))
    assert set(claims) == {60}
    _, claims = holding(of[:3], Known(panes={"/tmp/tmux-1000/default": panes[:1]}))
    assert (claims[50].role, claims[50].session) == (Role.INFRA, None)


def test_a_pid_that_is_in_use_again_is_not_the_agent_of_a_dead_pane() -> None:
    other = made(60, 1, "python3", "report.py")
    known = Known(
        records={ALPHA: Record(id=ALPHA)},
        mux={ALPHA: MuxSession(session_id=ALPHA, mux_name="codeman-8fee1274", pid=60)},
        panes={SOCKET: (Pane(mux_name="codeman-8fee1274", pid=60, dead=False, activity_epoch_s=None),)},
    )
    found, claims = holding([INIT, TMUX, other], known)
    assert 60 not in claims
    assert found.sessions == {}


def test_a_teams_second_pane_counts_as_work_of_its_session() -> None:
    agent, mate = made(60, 50, "claude", env=agent_env(ALPHA)), made(70, 50, "claude", "--agent-name", "mate")
    panes = tuple(Pane(mux_name="codeman-8fee1274", pid=p, dead=False, activity_epoch_s=None) for p in (60, 70))
    _, claims = holding([INIT, TMUX, agent, mate], Known(panes={SOCKET: panes}))
    assert (claims[70].role, claims[70].session) == (Role.WORK, SessionKey("codeman", ALPHA))


def test_checks_of_its_own_on_the_default_socket_are_the_hosts() -> None:
    users = made(51, 1, "tmux", comm="tmux: server")
    check = made(60, 51, "bash", "-c", "claude -p idle?")
    asked = made(61, 60, "claude", "-p", "idle?")
    pane = Pane(mux_name="codeman-aicheck-1", pid=60, dead=False, activity_epoch_s=None)
    _, claims = holding([INIT, users, check, asked], Known(panes={"/tmp/tmux-1000/default": (pane,)}))
    assert {pid: claim.role for pid, claim in claims.items()} == {60: Role.INFRA, 61: Role.INFRA}


def test_a_view_of_the_users_own_is_no_client_of_the_server() -> None:
    server = made(40, 1, "node", "/x/bin/codeman", "web")
    agent = made(60, 50, "claude", env=agent_env(ALPHA))
    attach = ("tmux", "-L", "codeman", "attach-session", "-t", "codeman-8fee1274")
    own, users = made(61, 40, *attach, comm="tmux: client"), made(62, 1, *attach, comm="tmux: client")
    known = Known(servers=frozenset({server.identity}))
    found, claims = holding([INIT, server, TMUX, agent, own], known)
    assert (claims[61].role, found.sessions[ALPHA].viewed) == (Role.INFRA, False)
    found, claims = holding([INIT, server, TMUX, agent, own, users], known)
    assert (claims[62].role, found.sessions[ALPHA].viewed) == (Role.CLIENT, True)


def test_the_pane_of_a_listed_session_is_its_own_also_without_its_variables() -> None:
    agent = made(60, 50, "claude")
    panes = (Pane(mux_name="codeman-8fee1274", pid=60, dead=False, activity_epoch_s=None),)
    known = Known(mux={ALPHA: MuxSession(session_id=ALPHA, mux_name="codeman-8fee1274")}, panes={SOCKET: panes})
    _, claims = holding([INIT, TMUX, agent], known)
    assert (claims[60].role, claims[60].kind) == (Role.BACKEND, ClaimKind.REGISTRY)
    assert claims[60].session == SessionKey("codeman", ALPHA)


def test_where_no_socket_is_known_nothing_is_said_of_panes() -> None:
    agent = made(60, 50, "claude", env=agent_env(ALPHA))
    assert holding([INIT, TMUX, agent], Known())[0].panes_of("codeman-8fee1274") is None
    assert holding([INIT, TMUX, agent], Known(panes={SOCKET: None}))[0].panes_of("codeman-8fee1274") is None
    assert holding([INIT, TMUX, agent], Known(panes={SOCKET: ()}))[0].panes_of("codeman-8fee1274") == ()


def test_recognition_looks_at_nothing_but_the_variables_it_names() -> None:
    assert not {"CODEMAN_PASSWORD", "CODEMAN_USERNAME"} & set(Codeman.environment_names)
    assert recognise(made(9, 1, "sleep", "1", env={"CLAUDECODE": "undefined"})) is None
    assert recognise(made(9, 1, "sleep", "1", env={"CODEMAN_SESSION_ID": "x" * 400})) is None


# --- the disk --------------------------------------------------------------------------------------------------------


def test_a_broken_file_is_one_problem_with_its_mend_and_says_nothing(tmp_path: Path) -> None:
    disk, path = Disk(), tmp_path / "mux-sessions.json"
    assert disk.mux_sessions(tmp_path) == ((), None)
    path.write_text(json.dumps(recorded("v122_file_mux_sessions")["content"]), encoding="utf-8")
    sessions, problem = disk.mux_sessions(tmp_path)
    assert ([each.name for each in sessions], problem) == (["w1-alpha", "w1-beta", "w1-gamma"], None)
    assert disk.mux_sessions(tmp_path)[0] is sessions  # not read again
    path.write_text(json.dumps([{"sessionId": ALPHA, "muxName": "codeman-8fee1274"}, {"muxName": 3}]), encoding="utf-8")
    sessions, problem = disk.mux_sessions(tmp_path)
    assert [each.session_id for each in sessions] == [ALPHA]
    assert problem is not None
    assert "1 of its entries" in problem.what
    for content in ("{", "{}", "\udcff"):
        path.write_bytes(content.encode("utf-8", "surrogateescape"))
        sessions, problem = disk.mux_sessions(tmp_path)
        assert sessions == ()
        assert problem is not None
        assert (problem.where, problem.mend.startswith("If this stays")) == (str(path), True)
    path.unlink()
    path.mkdir()
    assert "cannot be read" in (disk.mux_sessions(tmp_path)[1] or problem).what


def test_a_log_is_found_by_its_folder_else_by_search_and_a_miss_is_remembered(tmp_path: Path) -> None:
    disk, projects = Disk(), tmp_path / "projects"
    line = '{"type":"user","timestamp":"2026-11-30T12:00:00Z","message":{"role":"user","content":"x"}}\n'
    (projects / "-home-user-a").mkdir(parents=True)
    assert disk.transcript(tmp_path, "s1", "/home/user/a", NOW_EPOCH_S) is None
    for name in ("s1", "s2"):
        (projects / "-home-user-a" / f"{name}.jsonl").write_text(line, encoding="utf-8")
    assert disk.transcript(tmp_path, "s1", "/home/user/b", NOW_EPOCH_S + 5) is None
    assert disk.transcript(tmp_path, "s1", "/home/user/a", NOW_EPOCH_S + 5) is not None
    assert disk.transcript(tmp_path, "s2", "/home/user/b", NOW_EPOCH_S) is not None
    assert disk.transcript(tmp_path, "../s1", "/home/user/a", NOW_EPOCH_S) is None


def test_an_address_on_another_computer_is_told_and_not_asked(tmp_path: Path) -> None:
    env = {"CODEMAN_API_URL": "http://192.0.2.7:3000", "CODEMAN_SESSION_ID": ALPHA}
    agent = made(60, 1, "claude", env=env)
    adapter, around = Codeman(), surroundings(tmp_path)
    seen_now = observe(adapter, [INIT, agent], around)
    assert seen_now.instances == ()
    assert [finding.what for finding in adapter.findings(around)] == [
        "http://192.0.2.7:3000 is another computer and is not asked"
    ]


# --- both dialects ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("version", "enveloped"), [("v043", False), ("v122", True)])
def test_the_dialect_is_told_by_the_answer(version: str, enveloped: bool) -> None:
    payload, in_envelope = unwrap(*reply(f"{version}_status"))
    reading = decode_reading(payload, enveloped=in_envelope, read_epoch_s=NOW_EPOCH_S)
    assert (reading.enveloped, reading.version) == (enveloped, {"v043": "0.4.3", "v122": "1.2.2"}[version])
    assert [(r.name, r.status, r.mode) for r in reading.records.values()] == [
        ("w1-alpha", "idle", "claude"),
        ("w1-beta", "busy", "claude"),
        ("w1-gamma", "idle", "claude"),
    ]
    assert reading.strange == 0
    listed, _ = unwrap(*reply(f"{version}_sessions_list"))
    assert [each["id"] for each in json.loads(listed)] == list(reading.records)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_error_is_an_error_with_http_200_too(version: str) -> None:
    codes = []
    for said in recorded(f"{version}_errors"):
        if isinstance(said["body"], dict) and said["body"].get("success") is False:
            with pytest.raises(Refused) as refused:
                unwrap(said["status"], json.dumps(said["body"]).encode())
            codes.append(refused.value.code)
    assert codes[:3] == ["NOT_FOUND", "OPERATION_FAILED", "NOT_FOUND"]
    assert codes[-1] == "INVALID_INPUT"


@pytest.mark.parametrize(
    ("status", "text", "trouble", "mend"),
    [
        (401, b"Unauthorized", Trouble.SIGN_IN, "settings"),
        (403, b"Forbidden: host not allowed", Trouble.FORBIDDEN, "127.0.0.1"),
        ("429", "Too Many Requests — try again later".encode(), Trouble.LOCKED_OUT, "15 minutes"),
    ],
)
def test_refusals_in_plain_text_are_told_with_their_mend(
    status: int | str, text: bytes, trouble: Trouble, mend: str
) -> None:
    with pytest.raises(ServerUnusable) as refused:
        unwrap(int(status), text)
    assert refused.value.trouble is trouble
    assert mend in refused.value.mend


@pytest.mark.parametrize(
    "body", [b"<html>", b"{}", b'{"version": "1", "sessions": []}', b'{"success": true, "data": []}', b"[]", b""]
)
def test_another_program_that_answers_is_not_taken_for_codeman(body: bytes) -> None:
    def read() -> None:
        payload, enveloped = unwrap(200, body)
        decode_reading(payload, enveloped=enveloped, read_epoch_s=0)

    with pytest.raises(ServerUnusable) as strange:
        read()
    assert strange.value.trouble is Trouble.STRANGE


def test_a_session_that_is_not_understood_is_counted_and_the_others_are_read() -> None:
    status = recorded("v122_status")["body"]["data"]
    status["sessions"][0]["id"] = 7
    status["sessions"].append("nonsense")
    reading = decode_reading(json.dumps(status).encode(), enveloped=True, read_epoch_s=0)
    assert ([r.name for r in reading.records.values()], reading.strange) == (["w1-beta", "w1-gamma"], 2)


def test_the_agents_hooks_are_read_where_the_server_watches_for_them() -> None:
    status = recorded("v122_status")["body"]["data"]
    respawn = recorded("v122_session_respawn_on")["body"]["data"]
    respawn["detection"] |= {"stopHookReceived": True, "stopHookTime": 1796039310000}
    status["respawnStatus"] = {ALPHA: respawn, BETA: "nonsense"}
    reading = decode_reading(json.dumps(status).encode(), enveloped=True, read_epoch_s=0)
    assert reading.hooks == {ALPHA: Hooks(stop_epoch_s=1796039310.0)}


def test_a_password_is_in_no_text() -> None:
    assert "hunter2" not in repr(Credentials("admin", "hunter2"))


# --- what speaks for idleness ----------------------------------------------------------------------------------------

SERVER_START = NOW_EPOCH_S - 40_000


def record(**fields: Any) -> Record:
    told: dict[str, Any] = {
        "id": ALPHA,
        "pid": 11954,
        "status": "idle",
        "mode": "claude",
        "created_at": (NOW_EPOCH_S - 30_000) * 1000,
        "last_activity_at": (NOW_EPOCH_S - 2000) * 1000,
        "working_dir": "/home/user/projects/alpha",
        "claude_session_id": ALPHA,
    }
    return Record(**(told | fields))


def pane(quiet_s: float, **fields: Any) -> Pane:
    told: dict[str, Any] = {"mux_name": "codeman-8fee1274", "pid": 60, "dead": False}
    return Pane(**(told | {"activity_epoch_s": NOW_EPOCH_S - quiet_s} | fields))


def said(**fields: Any) -> Said:
    told: dict[str, Any] = {
        "now_epoch_s": NOW_EPOCH_S,
        "record": record(),
        "panes": (pane(2000),),
        "server_start_epoch_s": SERVER_START,
        "began_epoch_s": NOW_EPOCH_S - 30_000,
        "record_read_epoch_s": NOW_EPOCH_S - 1,
        "panes_read_epoch_s": NOW_EPOCH_S - 3,
    }
    return Said(**(told | fields))


def state_of(of: Said) -> State:
    """Say what the verdict makes of it while its agent runs and nothing else does."""
    judged = judge(of)
    fact = SessionFact(
        key=SessionKey("codeman", ALPHA),
        evidence=judged.evidence,
        last_activity_epoch_s=judged.last_activity_epoch_s,
    )
    agent = Member(process=made(60, 50, "claude"), role=Role.BACKEND, claim=None)
    return verdict(fact, [agent], now_epoch_s=NOW_EPOCH_S).state


def protecting(of: Said) -> list[tuple[EvidenceKind, Speaks, str]]:
    return [
        (e.kind, e.speaks_for, e.fact) for e in judge(of).evidence if e.speaks_for not in (Speaks.IDLE, Speaks.NOTHING)
    ]


def test_two_sources_with_times_that_agree_make_it_idle_since_the_newer_one() -> None:
    of = said(panes=(pane(1900),))
    assert state_of(of) is State.IDLE
    assert judge(of).last_activity_epoch_s == NOW_EPOCH_S - 1900


def test_idle_in_the_status_alone_never_makes_it_idle() -> None:
    assert state_of(said(panes=None, record=record(last_activity_at=None))) is State.UNKNOWN
    # one source is not two
    assert state_of(said(panes=None)) is State.UNKNOWN
    assert state_of(said(record=None)) is State.UNKNOWN


@pytest.mark.parametrize(
    "fields", [{"panes": (pane(5),)}, {"record": record(last_activity_at=(NOW_EPOCH_S - 5) * 1000)}]
)
def test_sources_that_disagree_do_not_make_it_idle(fields: dict[str, Any]) -> None:
    # before PR 246 a working agent read idle 2 s into each turn
    assert state_of(said(**fields)) is State.UNKNOWN


def test_busy_in_the_status_is_busy() -> None:
    assert state_of(said(record=record(status="busy"), panes=(pane(100),))) is State.BUSY
    assert state_of(said(record=record(is_working=True), panes=(pane(100),))) is State.BUSY


def test_a_status_that_is_stuck_on_busy_does_not_block_for_ever() -> None:
    latched = record(status="busy", is_working=True)
    silent = codeman_judge.STUCK_S
    assert state_of(said(record=latched, panes=(pane(silent - 1),))) is State.BUSY
    # half an hour of silence by one source alone proves nothing
    assert state_of(said(record=latched, panes=None)) is State.BUSY
    idle = said(record=latched, panes=(pane(silent + 1),))
    assert state_of(idle) is State.IDLE
    assert any("stuck" in e.fact for e in judge(idle).evidence)


def test_stamps_of_a_restart_are_no_activity() -> None:
    """A server that comes back writes its start into all that it finds again (recorded for both versions)."""
    for version in VERSIONS:
        after = recorded(f"{version}_restart")["after_restart"]
        (back,) = after["sessions"]
        started = next(e["ts"] for e in after["lifecycle_tail"] if e["event"] == "server_started") / 1000
        assert is_reset(back["lastActivityAt"] / 1000, back["createdAt"] / 1000, started)
        assert not is_reset(back["lastActivityAt"] / 1000 + 60, back["createdAt"] / 1000, started)
    restart = NOW_EPOCH_S - 100
    stamps = {"created_at": (restart + 2) * 1000, "last_activity_at": (restart + 2.05) * 1000}
    found_again = said(record=record(**stamps), server_start_epoch_s=restart)
    assert judge(found_again).last_activity_epoch_s == NOW_EPOCH_S - 2000
    # that nothing came since is told by an attached server only: the stamp of another one never moves
    assert state_of(found_again) is State.IDLE
    assert state_of(replace(found_again, record=record(**stamps, pid=None))) is State.UNKNOWN
    # an agent that this server started has real stamps
    own = replace(found_again, began_epoch_s=restart + 3)
    assert judge(own).last_activity_epoch_s == restart + 2.05


def test_a_server_that_is_not_attached_says_nothing_about_the_agent() -> None:
    assert state_of(said(record=record(pid=None))) is State.UNKNOWN


def test_the_agents_log_is_a_source_and_can_keep_it_busy() -> None:
    ended = Evidence(
        kind=EvidenceKind.TURN,
        speaks_for=Speaks.IDLE,
        fact="The turn ended",
        source="transcript",
        at_epoch_s=NOW_EPOCH_S - 3000,
        read_epoch_s=NOW_EPOCH_S,
    )
    alone = said(record=None, log_evidence=(ended,), log_epoch_s=NOW_EPOCH_S - 3000)
    assert state_of(alone) is State.IDLE  # with tmux, while the server is down
    assert state_of(replace(alone, panes=None)) is State.UNKNOWN
    assert state_of(replace(alone, panes=(pane(10),))) is State.UNKNOWN
    turn = replace(ended, speaks_for=Speaks.BUSY, fact="A turn is open")
    assert state_of(said(log_evidence=(turn,), log_epoch_s=NOW_EPOCH_S - 3000)) is State.BUSY


def test_a_hook_counts_until_something_newer_is_written() -> None:
    only_tmux = said(record=record(last_activity_at=None))
    assert state_of(only_tmux) is State.UNKNOWN
    assert state_of(replace(only_tmux, hooks=Hooks(stop_epoch_s=NOW_EPOCH_S - 1998))) is State.IDLE
    assert state_of(replace(only_tmux, hooks=Hooks(stop_epoch_s=NOW_EPOCH_S - 2500))) is State.UNKNOWN


@pytest.mark.parametrize(
    ("fields", "kind", "speaks_for"),
    [
        ({"record": record(respawn_enabled=True)}, EvidenceKind.WAKEUP, Speaks.PROTECTS),
        ({"respawns": True}, EvidenceKind.WAKEUP, Speaks.PROTECTS),
        ({"shell": True}, EvidenceKind.VIEW, Speaks.PROTECTS),
        ({"viewed": True}, EvidenceKind.VIEW, Speaks.PROTECTS),
        ({"asks": True}, EvidenceKind.QUESTION, Speaks.WAITING),
        ({"record": record(current_task_id="t1")}, EvidenceKind.BACKGROUND_TASK, Speaks.BUSY),
        (
            {"subagents": ({"sessionId": ALPHA, "status": "active", "lastActivityAt": 1796039310000},)},
            EvidenceKind.SUBAGENT,
            Speaks.BUSY,
        ),
        ({"scheduled": ({"sessionId": ALPHA, "status": "running"},)}, EvidenceKind.BACKGROUND_TASK, Speaks.BUSY),
        (
            {"scheduled": ({"status": "running", "workingDir": "/home/user/projects/alpha"},)},
            EvidenceKind.BACKGROUND_TASK,
            Speaks.PROTECTS,
        ),
    ],
)
def test_what_may_go_on_unattended_keeps_a_silent_session(
    fields: dict[str, Any], kind: EvidenceKind, speaks_for: Speaks
) -> None:
    ((found_kind, found_speaks_for, fact),) = protecting(said(**fields))
    assert (found_kind, found_speaks_for) == (kind, speaks_for)
    assert not fact.endswith(".")


def test_an_active_loop_and_running_tasks_are_read_from_the_record() -> None:
    told = recorded("v122_session_get")["body"]["data"] | {
        "ralphLoop": {"enabled": True, "active": True},
        "taskStats": {"total": 3, "running": 2},
    }
    status = recorded("v122_status")["body"]["data"] | {"sessions": [told]}
    reading = decode_reading(json.dumps(status).encode(), enveloped=True, read_epoch_s=0)
    (of,) = reading.records.values()
    assert [fact for _, _, fact in protecting(said(record=of, panes=None))][-2:] == [
        "It goes on by itself (a Ralph loop is active)",
        "2 tasks of it are running",
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"subagents": ({"sessionId": BETA, "status": "active"}, {"sessionId": ALPHA, "status": "completed"})},
        {"scheduled": ({"sessionId": ALPHA, "status": "completed"}, {"sessionId": BETA, "status": "running"})},
        {"record": record(respawn_enabled=False)},
    ],
)
def test_what_is_another_sessions_or_over_does_not(fields: dict[str, Any]) -> None:
    assert protecting(said(**fields)) == []
    assert state_of(said(**fields)) is State.IDLE
