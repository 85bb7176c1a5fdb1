"""DSH: which programs are its, what is live in them, whose the children are, what its plugin tells and releases."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.hosts import dsh_fake as fake
from tests.hosts.dsh_fake import FakePlugin, listening, told
from tests.hosts.homes import NOW_EPOCH_S, claim_on, fact_of, observe, observe_on, process, surroundings, table, telling
from trayapp.hosts import dsh, dsh_client, dsh_disk, dsh_programs
from trayapp.hosts.base import Surroundings, words_of
from trayapp.hosts.dsh import Dsh
from trayapp.hosts.files import read_whole
from trayapp.model.finding import Standing
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, EvidenceKind, Observation, Role, SessionFact, Speaks, StepKind
from trayapp.pipeline import Inputs
from trayapp.reclaim.plan import Rules
from trayapp.redaction import Redactor

BIN = "/usr/lib/node_modules/@deepseek-ai/dsh/lib/bin.js"
RUNTIME = f"/home/user/venv/lib/python3.11/site-packages/deepseek_harness_runtime/runtime/{fake.RUNTIME}"
DESKTOP = "/Applications/DeepSeek Harness.app/Contents/MacOS/DeepSeek Harness"
DESKTOP_SCRIPT = "/Applications/DeepSeek Harness.app/Contents/Resources/@deepseek-ai/dsh-desktop-host/lib/index.js"
CHECKOUT = ("node", "--import", "tsx/esm", "apps/cli/src/bin.ts")
IN_CHECKOUT = {"cwd": "/home/user/src/deepseek-harness"}


# --- programs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "more", "role", "profile"),
    [
        (("node", BIN, "web"), {}, Role.INFRA, "web"),
        (("node", "--max-old-space-size=8192", BIN, "web", "--no-open", "--port", "3081"), {}, Role.INFRA, "web"),
        (("/usr/bin/node", "/usr/local/bin/dsh", "web"), {}, Role.INFRA, "web"),
        (("node.exe", r"C:\npm\node_modules\@deepseek-ai\dsh\lib\bin.js", "web"), {}, Role.INFRA, "web"),
        ((RUNTIME, "web", "--no-open"), {}, Role.INFRA, "web"),
        ((RUNTIME, "--profile", "web", "--patch", "x.yml"), {}, Role.INFRA, "web"),
        ((RUNTIME, "--patch", "x.yml", "--profile=tui", "--resume", "s"), {}, Role.INFRA, "tui"),
        ((RUNTIME, "headless", "run the tests --help"), {}, Role.BACKEND, "headless"),
        ((RUNTIME, "--profile", "acp"), {}, Role.BACKEND, "acp"),
        ((RUNTIME, "sdk-minimal"), {}, Role.BACKEND, "sdk-minimal"),
        ((*CHECKOUT, "web"), IN_CHECKOUT, Role.INFRA, "web"),
        ((*CHECKOUT, "web"), {"env": {"DSH_HOME": "/home/user/.dsh"}}, Role.INFRA, "web"),
        (
            (DESKTOP, "--expose-internals", DESKTOP_SCRIPT, "/run", "/home/user/.dsh/profiles/desktop", "primary"),
            {"env": {"ELECTRON_RUN_AS_NODE": "1"}},
            Role.INFRA,
            "desktop",
        ),
        (("node", DESKTOP_SCRIPT, "/run", "/home/user/.dsh/profiles/desktop"), {}, Role.INFRA, "desktop"),
        (("node", BIN, "plugin", "--profile", "web", "add", "./x"), {}, Role.INFRA, None),
        ((RUNTIME, "--version"), {}, Role.INFRA, None),
        ((RUNTIME, "web", "--dump-config"), {}, Role.INFRA, None),
    ],
)
def test_each_way_to_run_it_is_told_apart(
    argv: tuple[str, ...], more: dict[str, Any], role: Role, profile: str | None
) -> None:
    found = process(1, *argv, **{"name": "MainThread", **more})
    claim, program = Dsh().recognise(found), dsh_programs.program_of(found)
    assert claim is not None
    assert program is not None
    assert (claim.role, claim.session, program.profile) == (role, None, profile)


@pytest.mark.parametrize(
    ("argv", "more"),
    [
        ((RUNTIME + "-rg", "pattern"), {}),
        (("dsh", "-a", "uptime"), {"name": "dsh"}),
        (("/usr/bin/dsh", "web"), {"name": "MainThread"}),
        (("vim", BIN), {}),
        (("node", "/srv/app/lib/bin.js", "web"), {}),
        (("node", "server.js", BIN), {}),
        ((*CHECKOUT, "web"), {"cwd": "/home/user/src/another-monorepo"}),
        (("bash", "-c", f"node {BIN} web"), {}),
        ((DESKTOP, "--type=renderer"), {}),
        ((), {}),
    ],
)
def test_what_only_names_it_or_is_called_so_is_not_its(argv: tuple[str, ...], more: dict[str, Any]) -> None:
    assert Dsh().recognise(process(1, *argv, **more)) is None


def test_the_desktop_app_itself_is_an_app() -> None:
    claim = Dsh().recognise(process(1, DESKTOP))
    assert claim is not None
    assert claim.role is Role.APP


@pytest.mark.parametrize(
    ("argv", "options", "bytes_"),
    [
        (("node", "--max-old-space-size=8192", BIN, "web"), "", 8192),
        (("node", BIN, "web"), "--require x --max_old_space_size=2048", 2048),
        (("node", "--max-old-space-size", "512", BIN), "--max-old-space-size=4096", 512),
        (("node", BIN, "web"), "--max-old-space-size=lots", None),
    ],
)
def test_the_cap_of_the_heap_is_read_from_flags(argv: tuple[str, ...], options: str, bytes_: int | None) -> None:
    cap = dsh_programs.heap_flag_bytes(process(1, *argv, env={"NODE_OPTIONS": options}))
    assert cap == (bytes_ * 1024 * 1024 if bytes_ is not None else None)


def test_a_desktop_hosts_home_is_told_by_its_profile_folder() -> None:
    argv: tuple[str, ...] = (DESKTOP, "--expose-internals", DESKTOP_SCRIPT, "/home/user/.dsh/profiles/desktop", "x")
    assert dsh_programs.home_of(process(1, *argv)) == "/home/user/.dsh"
    windows = r"C:\Users\user\.dsh\profiles\desktop"
    argv = ("DeepSeek Harness.exe", r"C:\app\@deepseek-ai\dsh-desktop-host\lib\index.js", "x", windows)
    assert dsh_programs.home_of(process(1, *argv)) == r"C:\Users\user\.dsh"


def test_a_capture_without_names_still_holds_its_programs() -> None:
    commands: tuple[tuple[str, ...], ...] = (
        (RUNTIME, "web"),
        (RUNTIME, "headless", "tell nobody"),
        ("node", BIN, "web"),
        (DESKTOP, "--expose-internals", DESKTOP_SCRIPT, "x"),
        (DESKTOP,),
    )
    for argv in commands:
        before = process(1, *argv, exe=argv[0])
        redactor = Redactor(names={"user"}, words=words_of(Dsh()))
        inputs = Inputs(table=table([before]), observations=(), labels=(), rules=Rules(), now_epoch_s=NOW_EPOCH_S)
        after = redactor.inputs(inputs).table.processes[1]
        claims = Dsh().recognise(before), Dsh().recognise(after)
        assert claims[0] is not None
        assert claims[1] is not None
        assert claims[1].role is claims[0].role


# --- what is live, without the plugin --------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fake.make_home(tmp_path / "dsh-home")


def host(home: Path, pid: int = 4000, *words: str, **more: Any) -> Process:
    env = {"DSH_HOME": str(home), **more.pop("env", {})}
    return process(pid, RUNTIME, *(words or ("web", "--port", "38081")), env=env, pgid=pid, name="MainThread", **more)


def held(home: Path, *session_ids: str, pid: int = 4000) -> dict[int, tuple[str, ...]]:
    others = ("/usr/lib/locale/C.utf8", str(home / "storages" / "workspace.json"))
    return {pid: (*others, *(fake.lock(home, session_id) for session_id in session_ids))}


def test_the_locks_that_a_host_holds_open_are_its_live_sessions(home: Path, tmp_path: Path) -> None:
    cold = "session-00000000-0000-0000-0000-000000000000"
    fake.lock(home, cold)
    fake.cache(home, fake.IDLE)
    running = host(home)
    around = surroundings(tmp_path, files=held(home, fake.IDLE), ports={4000: (38081,)})
    seen = observe(Dsh(), [running], around)
    (fact,) = seen.sessions
    assert (fact.key.session_id, fact.title, fact.cwd, fact.model) == (fake.IDLE, "ok", "/home/user/project", "m1")
    assert (fact.shares_backend, fact.heap_of, fact.retained_bytes) == (True, running.identity, None)
    (evidence,) = fact.evidence
    assert (evidence.kind, evidence.speaks_for, evidence.at_epoch_s) == (
        EvidenceKind.TURN,
        Speaks.IDLE,
        1796065393.746,
    )
    (instance,) = seen.instances
    assert (instance.address, instance.heap, instance.error) == ("http://127.0.0.1:38081", None, None)
    assert seen.problems == ()


def test_without_the_plugin_a_release_is_refused_with_the_way_to_get_it(home: Path, tmp_path: Path) -> None:
    fake.cache(home, fake.IDLE)
    around = surroundings(tmp_path, files=held(home, fake.IDLE))
    adapter = Dsh()
    (fact,) = observe(adapter, [host(home)], around).sessions
    assert fact.ladder == ()
    assert fact.refusal is not None
    assert "agentring hosts dsh install-plugin" in fact.refusal
    answer = asyncio.run(adapter.call("release", fact, around))
    assert not answer.ok
    assert "not mounted" in answer.message


def test_an_open_turn_and_a_working_subagent_are_read_from_the_cache(home: Path, tmp_path: Path) -> None:
    for session_id in fake.CACHED:
        fake.cache(home, session_id)
    around = surroundings(tmp_path, files=held(home, *fake.CACHED))
    seen = observe(Dsh(), [host(home)], around)
    assert {fact.key.session_id for fact in seen.sessions} == {fake.IDLE, fake.IN_A_TURN, fake.PARENT}
    speaks = {
        fact.key.session_id: [(e.kind, e.speaks_for) for e in fact.evidence if e.speaks_for is not Speaks.NOTHING]
        for fact in seen.sessions
    }
    assert speaks[fake.IN_A_TURN] == [(EvidenceKind.TURN, Speaks.BUSY)]
    assert speaks[fake.PARENT] == [(EvidenceKind.SUBAGENT, Speaks.BUSY)]


def test_an_older_build_keeps_all_records_in_one_file(home: Path, tmp_path: Path) -> None:
    records = {i: each["record"] for i, each in fake.CACHED.items()}
    unit = {"unit": {"name": "session_projcache", "version": 3}, "global": None, "tables": {"sessions": records}}
    (home / "storages" / "session_projcache.json").write_text(json.dumps(unit), encoding="utf-8")
    around = surroundings(tmp_path, files=held(home, fake.IDLE))
    (fact,) = observe(Dsh(), [host(home)], around).sessions
    assert (fact.title, fact.evidence[0].speaks_for) == ("ok", Speaks.IDLE)


@pytest.mark.parametrize(
    "record",
    ["", "{", "[]", '{"record": {"rows": 7}}', '{"version": 9, "record": {"rows": {"title": {"val": {"a": 1}}}}}'],
)
def test_a_record_that_cannot_be_read_proves_nothing(home: Path, tmp_path: Path, record: str) -> None:
    fake.cache(home, fake.IDLE, record)
    around = surroundings(tmp_path, files=held(home, fake.IDLE))
    (fact,) = observe(Dsh(), [host(home)], around).sessions
    assert fact.title is None
    assert not [e for e in fact.evidence if e.at_epoch_s is not None]


def test_a_record_is_read_again_only_when_its_file_changed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fake.cache(home, fake.IDLE)
    read: list[Path] = []

    def counted(path: Path, *, limit_bytes: int) -> bytes:
        read.append(path)
        return read_whole(path, limit_bytes=limit_bytes)

    monkeypatch.setattr(dsh_disk, "read_whole", counted)
    known = dsh_disk.Cache()
    for _ in range(3):
        assert known.read(home, [fake.IDLE])[fake.IDLE].turn_open is False
    fake.cache(home, fake.IDLE, fake.CACHED[fake.IN_A_TURN])
    assert known.read(home, [fake.IDLE])[fake.IDLE].turn_open is True
    assert read == [path, path]


def test_records_of_many_sessions_are_read_over_several_looks(home: Path) -> None:
    ids = [f"session-{number:04}" for number in range(450)]
    for session_id in ids:
        fake.cache(home, session_id, fake.CACHED[fake.IDLE])
    known = dsh_disk.Cache()
    assert [len(known.read(home, ids)) for _ in range(3)] == [200, 400, 450]
    known.forget_all_but(ids[:10])
    assert len(known.read(home, ids)) == 210


def test_several_hosts_and_homes_are_kept_apart(tmp_path: Path) -> None:
    one, two = fake.make_home(tmp_path / "one"), fake.make_home(tmp_path / "two")
    fake.cache(one, fake.IDLE)
    fake.cache(two, fake.IN_A_TURN)
    files = held(one, fake.IDLE, pid=4000) | held(two, fake.IN_A_TURN, pid=5000)
    around = surroundings(tmp_path, files=files, ports={4000: (38081,), 5000: (40001,)})
    first, second = host(one), host(two, 5000, "web", "--port", "0")
    seen = observe(Dsh(), [first, second], around)
    assert fact_of(seen, fake.IDLE).heap_of == first.identity
    assert fact_of(seen, fake.IN_A_TURN).heap_of == second.identity
    assert [i.address for i in seen.instances] == ["http://127.0.0.1:38081", "http://127.0.0.1:40001"]


def test_a_home_that_no_variable_tells_is_told_by_its_locks(home: Path, tmp_path: Path) -> None:
    fake.cache(home, fake.IDLE)
    running = process(4000, RUNTIME, "web", unreadable=frozenset({"env"}))
    (fact,) = observe(Dsh(), [running], surroundings(tmp_path, files=held(home, fake.IDLE))).sessions
    assert fact.title == "ok"


def test_a_build_that_does_not_lock_is_shown_with_its_sessions_unknown(home: Path, tmp_path: Path) -> None:
    package = tmp_path / "node_modules" / "@deepseek-ai" / "dsh"
    (package / "lib").mkdir(parents=True)
    (package / "lib" / "bin.js").touch()
    (package / "package.json").write_text('{"version": "0.1.0-rc.8"}', encoding="utf-8")
    running = process(4000, "node", str(package / "lib" / "bin.js"), "web", env={"DSH_HOME": str(home)})
    seen = observe(Dsh(), [running], surroundings(tmp_path, files={4000: ()}))
    (instance,) = seen.instances
    assert (instance.version, seen.sessions) == ("0.1.0-rc.8", ())
    assert instance.error == ("a host of version 0.1.0-rc.8 does not show which sessions it holds without the plugin")


def test_an_unknown_build_is_told_by_whether_a_lock_was_ever_made(home: Path) -> None:
    assert not dsh_disk.holds_no_locks(home, None)
    log = home / "sessions" / "--home-user-project--" / "session-1" / "session.jsonl.zstd"
    log.parent.mkdir(parents=True)
    log.touch()
    assert dsh_disk.holds_no_locks(home, None)
    assert dsh_disk.holds_no_locks(home, "0.1.5-rc.1")
    assert not dsh_disk.holds_no_locks(home, "0.2.2-rc.1")
    fake.lock(home, "session-2")
    assert not dsh_disk.holds_no_locks(home, None)


def test_open_files_that_cannot_be_read_leave_the_sessions_unknown(home: Path, tmp_path: Path) -> None:
    (instance,) = observe(Dsh(), [host(home)], surroundings(tmp_path)).instances
    assert instance.error is not None


def test_a_host_without_a_live_session_has_no_row_and_no_trouble(home: Path, tmp_path: Path) -> None:
    seen = observe(Dsh(), [host(home)], surroundings(tmp_path, files={4000: ()}))
    assert (seen.sessions, seen.problems, seen.instances[0].error) == ((), (), None)


def test_the_version_is_read_from_the_installation(tmp_path: Path) -> None:
    packages = tmp_path / "site-packages"
    (packages / "deepseek_harness_runtime" / "runtime").mkdir(parents=True)
    (packages / "deepseek_harness_runtime_bin-0.2.1rc2.dist-info").mkdir()
    running = process(1, str(packages / "deepseek_harness_runtime" / "runtime" / fake.RUNTIME), "web")
    program = dsh_programs.program_of(running)
    assert program is not None
    assert dsh_disk.version_of(program, running) == "0.2.1-rc.2"


def test_a_look_beside_one_that_a_disk_holds_up_is_told_and_waits_for_nothing(home: Path, tmp_path: Path) -> None:
    adapter = Dsh()
    running = host(home)
    around = surroundings(tmp_path, files=held(home, fake.IDLE))
    with adapter._looking:
        seen = observe(adapter, [running], around)
        assert claim_on(seen, running).role is Role.INFRA
        assert (seen.sessions, len(seen.problems)) == ((), 1)
    assert len(observe(adapter, [running], around).sessions) == 1


# --- children --------------------------------------------------------------------------------------------------------


def children(home: Path) -> dict[str, Process]:
    """Return children as the recorded process table of 0.2.1-rc.2 has them."""
    carries = {"DSH_SESSION_ID": fake.IN_A_TURN, "DSH_SHELL": "1", "DSH_HOME": str(home)}
    return {
        "job": process(4001, "sleep", "90", ppid=4000, pgid=4001, env=carries),
        "terminal": process(4002, "/bin/bash", "--rcfile", "/tmp/x/bashrc", "-i", ppid=4000, pgid=4002, env=carries),
        "mcp": process(4003, "/usr/bin/python3", "/home/user/tools/server.py", ppid=4000, pgid=4000),
        "of a subagent": process(
            4004, "sleep", "9", ppid=4000, pgid=4004, env={**carries, "DSH_SESSION_ID": fake.SUBAGENT}
        ),
        "search": process(4005, "rg", "x", ppid=4000, pgid=4005),
    }


def roles(seen: Observation, below: dict[str, Process]) -> dict[str, tuple[Role, ClaimKind, str | None] | None]:
    found: dict[str, Claim] = {name: claim_on(seen, p) for name, p in below.items() if name != "search"}
    return {
        name: (claim.role, claim.kind, claim.session.session_id if claim.session is not None else None)
        for name, claim in found.items()
    }


def test_children_belong_to_the_session_whose_id_they_carry_and_servers_to_the_host(home: Path, tmp_path: Path) -> None:
    for session_id in fake.CACHED:
        fake.cache(home, session_id)
    below = children(home)
    seen = observe(Dsh(), [host(home), *below.values()], surroundings(tmp_path, files=held(home, *fake.CACHED)))
    assert roles(seen, below) == {
        "job": (Role.WORK, ClaimKind.ENVIRONMENT, fake.IN_A_TURN),
        "terminal": (Role.SHELL, ClaimKind.ENVIRONMENT, fake.IN_A_TURN),
        "mcp": (Role.HELPER, ClaimKind.DESCENT, None),
        "of a subagent": (Role.WORK, ClaimKind.ENVIRONMENT, fake.PARENT),
    }
    assert not [c for c in seen.claims if c.identity == below["search"].identity]
    named = [c.session.session_id for c in seen.claims if c.identity.pid == 4000 and c.session is not None]
    assert set(named) == {fake.IDLE, fake.IN_A_TURN, fake.PARENT}


def test_children_of_a_host_that_was_killed_still_name_their_session(home: Path, tmp_path: Path) -> None:
    below = children(home)
    seen = observe(Dsh(), below.values(), surroundings(tmp_path))
    assert claim_on(seen, below["job"]).session is not None
    assert seen.instances == ()


# --- one client's programs -------------------------------------------------------------------------------------------


def test_a_headless_run_is_the_one_session_that_it_holds(home: Path, tmp_path: Path) -> None:
    fake.cache(home, fake.IDLE)
    running = host(home, 4000, "headless", "run the tests")
    seen = observe(Dsh(), [running], surroundings(tmp_path, files=held(home, fake.IDLE)))
    (fact,) = seen.sessions
    assert (fact.shares_backend, fact.heap_of, fact.refusal) == (False, None, None)
    assert [step.kind for step in fact.ladder] == [StepKind.SIGTERM, StepKind.SIGKILL]
    assert [e.kind for e in fact.evidence if e.speaks_for is Speaks.PROTECTS] == [EvidenceKind.VIEW]
    kinds = {(c.kind, c.role, c.session is not None, c.serves_many) for c in seen.claims}
    assert kinds == {
        (ClaimKind.PROGRAM, Role.BACKEND, False, False),
        (ClaimKind.OPEN_FILE, Role.BACKEND, True, False),
    }


# --- the plugin ------------------------------------------------------------------------------------------------------

Then = Callable[[Dsh, Observation, Surroundings], Awaitable[Any]]


def ask(
    plugin: FakePlugin,
    home: Path,
    /,
    *more: Process,
    adapter: Dsh | None = None,
    then: Then | None = None,
    locks: tuple[str, ...] = (),
    **mounted: Any,
) -> Any:
    """Observe a host with that plugin mounted; return the observation, or what `then` makes of it."""

    async def run() -> Any:
        async with listening(plugin):
            running, own = host(home), adapter or Dsh()
            plugin.answers.pid = running.pid
            fake.mount(home, running.pid, mounted.pop("port", plugin.port), **mounted)
            ports = {4000: (38081, plugin.port)}
            around = surroundings(home.parent, files=held(home, *locks), ports=ports)
            seen = await observe_on(own, table([running, *more]), around)
            return seen if then is None else await then(own, seen, around)

    return asyncio.run(run())


@pytest.fixture
def plugin() -> FakePlugin:
    return FakePlugin()


def test_the_plugin_tells_sizes_states_and_the_heap(home: Path, plugin: FakePlugin) -> None:
    seen: Observation = ask(plugin, home)
    (instance,) = seen.instances
    assert (instance.version, instance.address, instance.error) == ("0.2.1-rc.2", "http://127.0.0.1:38081", None)
    heap = instance.heap
    assert heap is not None
    assert (heap.used_bytes, heap.limit_bytes, heap.external_bytes, heap.at_epoch_s) == (
        88251480,
        4496293888,
        203229718,
        NOW_EPOCH_S,
    )
    states = {fact.key.session_id: [(e.kind, e.speaks_for) for e in telling(fact)] for fact in seen.sessions}
    assert states == {
        fake.WITH_TURN: [(EvidenceKind.TURN, Speaks.BUSY)],
        fake.WITH_JOB: [(EvidenceKind.BACKGROUND_TASK, Speaks.BUSY)],
        fake.WITH_SUBAGENT: [(EvidenceKind.SUBAGENT, Speaks.BUSY)],
        fake.AT_REST: [(EvidenceKind.HOST_STATUS, Speaks.IDLE)],
    }
    rest = fact_of(seen, fake.AT_REST)
    assert rest.evidence[0].at_epoch_s == rest.last_activity_epoch_s
    assert [(s.kind, s.call) for s in rest.ladder] == [(StepKind.HOST_CALL, "release")]
    assert rest.refusal is None
    assert rest.retained_bytes == fake.REPLIES["GET /v1/sessions"]["sessions"][-1]["retained_bytes"]
    assert fact_of(seen, fake.WITH_SUBAGENT).retained_bytes == 53996 + 51841
    job = fact_of(seen, fake.WITH_JOB)
    assert [e.fact for e in job.evidence] == ["A background job runs: sleep 300"]
    assert seen.problems == ()


@pytest.mark.parametrize(
    ("changed", "kind", "words"),
    [
        ({"terminals": ["t"], "refusals": ["terminal-open"]}, EvidenceKind.VIEW, "a terminal of it is open"),
        ({"views": 1, "refusals": ["view-attached"]}, EvidenceKind.VIEW, "it is open in a view"),
        ({"schedules": 2, "refusals": ["schedule-active"]}, EvidenceKind.WAKEUP, "a schedule"),
        ({"pending_input": True, "refusals": ["pending-input"]}, EvidenceKind.HOST_STATUS, "input waits"),
    ],
)
def test_what_a_host_would_refuse_is_told_before_it_is_asked(
    home: Path, plugin: FakePlugin, changed: dict[str, Any], kind: EvidenceKind, words: str
) -> None:
    plugin.answers.sessions = [told("session-1", **changed)]
    (fact,) = ask(plugin, home).sessions
    assert [e.kind for e in fact.evidence if e.speaks_for is Speaks.PROTECTS] == [kind]
    assert [e.speaks_for for e in fact.evidence if e.kind is EvidenceKind.HOST_STATUS][-1] is Speaks.IDLE
    assert fact.refusal is not None
    assert words in fact.refusal


def test_a_turn_that_waits_for_an_answer_is_waiting_and_not_released(home: Path, plugin: FakePlugin) -> None:
    record = json.loads(json.dumps(fake.CACHED[fake.IN_A_TURN]))
    record["record"]["rows"]["userQuestions"]["val"]["questions"]["active"] = [{"id": "q1"}]
    fake.cache(home, fake.WITH_TURN, record)
    fact = fact_of(ask(plugin, home), fake.WITH_TURN)
    assert [e.speaks_for for e in fact.evidence] == [Speaks.WAITING, Speaks.BUSY]
    assert fact.refusal == "Its host would refuse: a turn is running in it"


def test_a_refusal_that_is_not_known_yet_is_told_as_the_host_says_it(home: Path, plugin: FakePlugin) -> None:
    plugin.answers.sessions = [told("session-1", refusals=["moon-phase"])]
    (fact,) = ask(plugin, home).sessions
    assert fact.refusal == "Its host would refuse: moon-phase"


def test_a_host_whose_sessions_cannot_be_released_says_so(home: Path, plugin: FakePlugin) -> None:
    plugin.answers.host = {"release_supported": False, "unsupported_reason": "no lifecycle effects"}
    fact = fact_of(ask(plugin, home), fake.AT_REST)
    assert fact.ladder == ()
    assert fact.refusal is not None
    assert fact.refusal.endswith("no lifecycle effects")


# --- releasing -------------------------------------------------------------------------------------------------------


def test_a_release_is_carried_out_by_the_host_and_twice_is_once(home: Path, plugin: FakePlugin) -> None:
    async def release(adapter: Dsh, seen: Observation, around: Surroundings) -> Any:
        fact = fact_of(seen, fake.AT_REST)
        answers = [await adapter.call("release", fact, around) for _ in range(2)]
        return answers, await observe_on(adapter, table([host(home)]), around)

    (first, second), after = ask(plugin, home, then=release)
    assert first.ok
    assert first.message.startswith("released in 12 ms; its heap holds")
    assert (second.ok, second.message) == (True, "already released")
    assert plugin.answers.released == [fake.AT_REST]
    assert fake.AT_REST not in {fact.key.session_id for fact in after.sessions}


@pytest.mark.parametrize(
    ("session_id", "reason"),
    [
        (fake.WITH_TURN, "a turn is running in it"),
        (fake.WITH_JOB, "a background job of it runs"),
        (fake.WITH_SUBAGENT, "a subagent of it is at work"),
    ],
)
def test_the_hosts_own_reasons_are_said_in_plain_words(
    home: Path, plugin: FakePlugin, session_id: str, reason: str
) -> None:
    async def release(adapter: Dsh, seen: Observation, around: Surroundings) -> Any:
        return await adapter.call("release", fact_of(seen, session_id), around)

    answer = ask(plugin, home, then=release)
    assert (answer.ok, answer.message) == (False, f"its host refuses: {reason}")
    assert plugin.answers.released == []


def test_another_call_or_another_session_is_not_offered(home: Path, plugin: FakePlugin) -> None:
    async def call(adapter: Dsh, seen: Observation, around: Surroundings) -> Any:
        strange = SessionFact(key=type(seen.sessions[0].key)("dsh", "session-of-nobody"))
        return [
            await adapter.call("dispose", seen.sessions[0], around),
            await adapter.call("release", strange, around),
        ]

    assert [answer.ok for answer in ask(plugin, home, then=call)] == [False, False]


def test_a_token_that_changed_since_the_look_is_read_again_at_the_call(home: Path, plugin: FakePlugin) -> None:
    async def release(adapter: Dsh, seen: Observation, around: Surroundings) -> Any:
        fake.mount(home, 4000, plugin.port, token="f" * 64)
        return await adapter.call("release", fact_of(seen, fake.AT_REST), around)

    answer = ask(plugin, home, then=release)
    assert not answer.ok
    assert "does not take the token" in answer.message


def test_the_heap_can_be_asked_for_alone(home: Path, plugin: FakePlugin) -> None:
    async def heap(adapter: Dsh, seen: Observation, around: Surroundings) -> Any:
        return await adapter.heap(host(home).identity, around), await adapter.heap(host(home, 7).identity, around)

    known, unknown = ask(plugin, home, then=heap)
    assert (known[0].used_bytes, known[1], unknown) == (88251480, 1, None)


def test_a_host_that_rests_collects_when_it_is_asked_to_and_one_at_work_does_not(
    home: Path, plugin: FakePlugin
) -> None:
    async def collect(adapter: Dsh, seen: Observation, around: Surroundings) -> Any:
        return await adapter.collect(host(home).identity, around), await adapter.collect(host(home, 7).identity, around)

    plugin.answers.sessions = [{**session, "status": "running"} for session in plugin.answers.sessions]
    assert ask(plugin, home, then=collect) == (False, False)
    plugin.answers.sessions = [{**session, "status": "idle"} for session in plugin.answers.sessions]
    assert ask(plugin, home, then=collect) == (True, False)


# --- faults ----------------------------------------------------------------------------------------------------------


def faulty(seen: Observation) -> str:
    """Return the one problem that was told, after checking that nothing else suffers from it."""
    (problem,) = seen.problems
    assert problem.mend
    assert seen.instances[0].error is None
    for fact in seen.sessions:
        assert fact.ladder == ()
        assert fact.refusal is not None
        assert [e.speaks_for for e in fact.evidence] == [Speaks.UNREADABLE]
    return problem.what


@pytest.mark.parametrize(
    ("mood", "what"),
    [
        ("page", "something answers in place of the plugin"),
        ("another", "is older than this program"),
        ("half", "the plugin's answer breaks off"),
        ("dies", "the plugin's answer breaks off"),
        ("gibberish", "something answers in place of the plugin"),
        ("nonsense", "something answers in place of the plugin"),
    ],
)
def test_what_answers_wrongly_is_one_problem_and_the_sessions_stay_listed(
    home: Path, plugin: FakePlugin, mood: str, what: str
) -> None:
    plugin.mood = mood
    seen = ask(plugin, home, locks=(fake.IDLE,))
    assert what in faulty(seen)
    assert [fact.key.session_id for fact in seen.sessions] == [fake.IDLE]


def test_an_endless_answer_is_not_read_to_its_end(
    home: Path, plugin: FakePlugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dsh_client, "REPLY_LIMIT_BYTES", 3_000_000)
    plugin.mood = "endless"
    what = faulty(ask(plugin, home, locks=(fake.IDLE,)))
    assert what == "the plugin sends more than can be read"


def test_a_silent_plugin_costs_one_wait_and_is_then_let_be(
    home: Path, plugin: FakePlugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dsh_client, "ANSWER_TIMEOUT_S", 0.2)
    plugin.mood = "silent"

    async def again(adapter: Dsh, seen: Observation, around: Surroundings) -> Any:
        return seen, await observe_on(adapter, table([host(home)]), around)

    first, second = ask(plugin, home, locks=(fake.IDLE,), then=again)
    assert faulty(first) == faulty(second) == "the plugin does not answer within 0 s"
    assert len(plugin.asked) == 1


def test_the_last_known_heap_is_kept_with_its_time_while_the_plugin_is_silent(
    home: Path, plugin: FakePlugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dsh_client, "ANSWER_TIMEOUT_S", 0.3)

    async def silence(adapter: Dsh, seen: Observation, around: Surroundings) -> Any:
        plugin.mood = "silent"
        return await observe_on(adapter, table([host(home)]), around)

    heap = ask(plugin, home, then=silence).instances[0].heap
    assert heap is not None
    assert (heap.used_bytes, heap.at_epoch_s) == (88251480, NOW_EPOCH_S)


@pytest.mark.parametrize(
    ("mounted", "what"),
    [
        ({"token": "a" * 64}, "does not take the token"),
        ({"start": "12345"}, "left over from an earlier process"),
        ({"started_at": 1.0}, "left over from an earlier process"),
        ({"pid": 4001}, "names another process"),
        ({"token": "a\r\nb"}, "names another process or no port"),
        ({"schema": 0}, "is older than this program understands"),
        ({"schema": 2, "plugin": "2.0.0"}, "the plugin 2.0.0 is newer than this program understands"),
        ({"mode": 0o644}, "can be read by others"),
        ({"port": 9}, "names port 9, on which its host does not listen"),
    ],
)
def test_a_token_file_that_must_not_be_believed_is_one_problem(
    home: Path, plugin: FakePlugin, mounted: dict[str, Any], what: str
) -> None:
    seen = ask(plugin, home, locks=(fake.IDLE,), **mounted)
    assert what in faulty(seen)
    assert all(token != f"Bearer {fake.TOKEN}" for _, token in plugin.asked)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": 1}', "x" * 10_000])
def test_a_damaged_token_file_is_one_problem(home: Path, tmp_path: Path, text: str) -> None:
    path = fake.mount(home, 4000, 1)
    path.write_text(text, encoding="utf-8")
    seen = observe(Dsh(), [host(home)], surroundings(tmp_path, files=held(home, fake.IDLE)))
    assert faulty(seen)


def test_a_token_file_behind_a_link_is_not_followed(home: Path, tmp_path: Path) -> None:
    path = fake.mount(home, 4000, 1)
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    seen = observe(Dsh(), [host(home)], surroundings(tmp_path, files=held(home, fake.IDLE)))
    assert faulty(seen) == "its token file is no plain file"


def test_an_answer_of_another_process_is_refused(home: Path, plugin: FakePlugin) -> None:
    plugin.answers.host = {"pid": 77}
    assert "process 77 answers in place of process 4000" in faulty(ask(plugin, home, locks=(fake.IDLE,)))


@pytest.mark.parametrize(("schema", "what"), [(0, "older"), (2, "newer")])
def test_answers_of_another_schema_are_not_guessed_at(home: Path, plugin: FakePlugin, schema: int, what: str) -> None:
    plugin.answers.schema = schema
    assert what in faulty(ask(plugin, home, locks=(fake.IDLE,)))


def test_a_later_plugin_may_say_more_than_is_known(home: Path, plugin: FakePlugin) -> None:
    plugin.answers.host = {"moon": "full"}
    plugin.answers.sessions = [told("session-1", mood="fine", status="idle")]
    seen = ask(plugin, home)
    assert (len(seen.sessions), seen.problems) == (1, ())


def test_five_thousand_sessions_are_counted_and_the_largest_shown(home: Path, plugin: FakePlugin) -> None:
    small = [told(f"session-{number:04}", retained_bytes=number) for number in range(5000)]
    plugin.answers.sessions = [*small, told("session-works", status="running", refusals=["turn-running"])]

    async def with_adapter(adapter: Dsh, seen: Observation, around: Surroundings) -> Any:
        return seen, adapter

    seen, adapter = ask(plugin, home, then=with_adapter)
    assert len(seen.sessions) == dsh.SESSIONS_LIMIT
    assert seen.sessions[0].key.session_id == "session-works"
    assert seen.sessions[1].retained_bytes == 4999
    (problem,) = seen.problems
    assert "5001 live sessions, of which 500 are shown" in problem.what
    assert len(adapter._where) == dsh.SESSIONS_LIMIT


def test_a_host_that_restarts_on_the_same_port_is_another_host(home: Path, plugin: FakePlugin) -> None:
    async def restart(adapter: Dsh, seen: Observation, around: Surroundings) -> Any:
        younger = host(home, age_s=5.0)
        return seen, await observe_on(adapter, table([younger]), around), younger

    before, after, younger = ask(plugin, home, start=str(host(home).identity.start), then=restart)
    assert before.problems == ()
    assert "left over" in after.problems[0].what
    assert after.instances[0].identity == younger.identity
    assert after.instances[0].heap is None


# --- doctor ----------------------------------------------------------------------------------------------------------


def test_the_doctor_says_whether_the_plugin_is_installed_and_mounted(home: Path, plugin: FakePlugin) -> None:
    async def findings(adapter: Dsh, seen: Observation, around: Surroundings) -> Any:
        return adapter.findings(around)

    profile, mounted = ask(plugin, home, then=findings)
    assert (profile.topic, profile.standing) == ("DSH profile web", Standing.ABSENT)
    assert profile.mend == f"`agentring hosts dsh install-plugin --profile web --home {home}`"
    assert (mounted.topic, mounted.standing) == ("DSH 4000", Standing.GOOD)
    assert mounted.what.startswith("the plugin 0.1.0 is mounted, heap")


@pytest.mark.parametrize(
    ("host_says", "mounted", "standing", "what"),
    [
        ({"release_supported": False}, {}, Standing.TROUBLE, "it cannot release here: it does not say why"),
        ({}, {"schema": 2}, Standing.TROUBLE, "the plugin 0.1.0 is newer than this program understands"),
    ],
)
def test_the_doctor_tells_what_is_wrong_with_a_mounted_plugin(
    home: Path, plugin: FakePlugin, host_says: dict[str, Any], mounted: dict[str, Any], standing: Standing, what: str
) -> None:
    async def findings(adapter: Dsh, seen: Observation, around: Surroundings) -> Any:
        return adapter.findings(around)

    plugin.answers.host = host_says
    last = ask(plugin, home, then=findings, **mounted)[-1]
    assert last.standing is standing
    assert what in last.what


def test_a_token_is_not_shown_where_a_mount_is_printed(home: Path) -> None:
    fake.mount(home, 4000, 38082)
    mounted = dsh_client.read_mount(home, 4000, start=None, start_epoch_s=None)
    assert "38082" in repr(mounted)
    assert fake.TOKEN not in repr(mounted)


def test_the_doctor_tells_the_cap_and_that_nothing_is_mounted(home: Path, tmp_path: Path) -> None:
    adapter = Dsh()
    around = surroundings(tmp_path, files={4000: ()})
    observe(adapter, [host(home, env={"NODE_OPTIONS": "--max-old-space-size=2048"})], around)
    last = adapter.findings(around)[-1]
    assert last.standing is Standing.ABSENT
    assert last.what.replace("\u202f", " ") == "the plugin is not mounted in it; heap capped at 2.0 GB by its flags"
