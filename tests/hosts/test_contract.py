"""What every adapter keeps to, whichever host it knows: stable, bounded, pure where it is asked to be, never thrown.

One session of each host is laid out in contract_scenes.py; then its home is spoilt in every way that real ones are.
"""

from __future__ import annotations

import asyncio
import builtins
import json
import os
import re
import shutil
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.hosts import agent_homes
from tests.hosts.contract_scenes import LATE_S, SCENES, WITH_DEAD, WITH_LOGS, Scene
from tests.hosts.homes import observe_on, process
from trayapp.hosts.base import Host, words_of
from trayapp.hosts.registry import load_hosts
from trayapp.model.plan import Action, Allowed
from trayapp.model.process import ProcessTable
from trayapp.model.session import Observation, Role, Speaks, State
from trayapp.model.snapshot import Group, GroupKind
from trayapp.pipeline import Inputs, Memory, conclude
from trayapp.reclaim.plan import Rules
from trayapp.redaction import Redactor

TIMEOUT_S = 8.0
"""How long the monitor waits for an adapter."""
DEAD = 20_000
WAITS_FOR_FILES = 16 * 1024 * 1024
HOSTS, _ = load_hosts([])
NAMES = {host.label.host for host in HOSTS}
WITHOUT_PROCESSES = {"openhands"}
SAID_ANEW = {"opencode", "craft-agents"}
"""Hosts that ask anew at each look and say when; what they say is the same."""


def ids(scene: Scene) -> str:
    return scene.host


every_host = pytest.mark.parametrize("scene", SCENES, ids=ids)


def made(scene: Scene) -> Host:
    """Return the host as it is when the program has just begun."""
    return next(host for host in load_hosts([])[0] if host.label.host == scene.host)


@pytest.fixture
def home(tmp_path: Path, scene: Scene) -> Path:
    path = tmp_path / "home"
    path.mkdir()
    scene.lay_out(path)
    return path


def observed(host: Host, scene: Scene, home: Path, of: ProcessTable | None = None) -> Observation:
    """Look once, in a thread that a test can give up; fails where a look takes longer than the monitor waits."""
    found: list[Observation | BaseException] = []

    def look() -> None:
        try:
            found.append(asyncio.run(observe_on(host, of or scene.table(), scene.around(home))))
        except BaseException as fault:  # noqa: BLE001  told in the test's own thread
            found.append(fault)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    thread.join(TIMEOUT_S)
    if not found:
        pytest.fail(f"{scene.host} does not answer within {TIMEOUT_S} s")
    if isinstance(found[0], BaseException):
        raise found[0]
    return found[0]


def told_idle(seen: Observation) -> list[str]:
    return [
        e.fact for fact in seen.sessions for e in fact.evidence if e.speaks_for is Speaks.IDLE and fact.drift is None
    ]


def test_every_built_in_host_is_in_the_contract() -> None:
    assert {scene.host for scene in SCENES} == NAMES - WITHOUT_PROCESSES


# -- finding ----------------------------------------------------------------------------------------------------------


@every_host
def test_what_is_found_is_the_same_at_the_next_look(scene: Scene, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: round((LATE_S + 3600) * 1e9))
    host = made(scene)
    first, second, third = (observed(host, scene, home) for _ in range(3))
    assert first.claims
    assert (second.claims, second.sessions, second.problems) == (first.claims, first.sessions, first.problems)
    assert third.problems == ()
    if scene.host not in SAID_ANEW:
        assert all(now is before for now, before in zip(third.sessions, second.sessions, strict=True))


@every_host
def test_a_resting_session_of_a_host_with_logs_is_told_so_with_a_time_and_a_way_back(scene: Scene, home: Path) -> None:
    seen = observed(made(scene), scene, home)
    if scene.log is None:
        assert all(e.at_epoch_s is not None for f in seen.sessions for e in f.evidence if e.speaks_for is Speaks.IDLE)
        return
    (fact,) = seen.sessions
    idle = [e for e in fact.evidence if e.speaks_for is Speaks.IDLE]
    assert idle
    assert all(e.at_epoch_s is not None and e.source for e in idle)
    assert (fact.resume is not None, fact.ladder != (), fact.cwd) == (True, True, "/home/alex/work/idle")


@every_host
def test_an_adapter_that_never_saw_its_host_reads_nothing(
    scene: Scene, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = counting(monkeypatch, home)
    of = replace(scene.table(), processes={1: process(1, "init")})
    assert observed(made(scene), scene, home, of).claims == ()
    assert calls == Counter()


def row_of(scene: Scene, seen: Observation) -> Group:
    """Return the row of the session, judged and planned as a tick does after two looks that said the same."""
    memory = Memory()
    rows: Sequence[Group] = ()
    for later_s in (0.0, 10.0):
        now = replace(scene.table(), monotonic_s=scene.table().monotonic_s + later_s, uptime_s=scene.table().uptime_s)
        said = replace(seen, read_epoch_s=scene.now_epoch_s + later_s)
        label = next(host.label for host in HOSTS if host.label.host == scene.host)
        inputs = Inputs(
            table=now,
            observations=(said,),
            labels=(label,),
            rules=Rules(idle_after_s=0.0),
            now_epoch_s=scene.now_epoch_s + later_s,
        )
        done = conclude(inputs, memory, lambda _: {})
        memory, rows = done.memory, done.snapshot.groups
    (row,) = [row for row in rows if row.kind is GroupKind.SESSION]
    return row


TOLD_BESIDES = {"claude-code"}
"""Hosts that tell in another file as well that a session rests."""


@pytest.mark.parametrize("scene", [scene for scene in WITH_LOGS if scene.host not in TOLD_BESIDES], ids=ids)
def test_a_resting_session_may_be_released_and_one_that_is_not_understood_may_not(scene: Scene, home: Path) -> None:
    assert scene.log is not None
    rests = row_of(scene, observed(made(scene), scene, home))
    assert rests.verdict is not None
    assert rests.verdict.state is State.IDLE
    release = rests.decision(Action.RELEASE)
    assert release is not None
    assert release.allowed is Allowed.ALLOW, release
    path = scene.log(home)
    path.write_bytes(b'{"type": {}, "timestamp": [], "message": 7, "data": 3, "$set": 1, "payload": "x"}\n' * 12)
    agent_homes.touch(path)
    lost = row_of(scene, observed(made(scene), scene, home))
    assert lost.verdict is not None
    assert lost.verdict.state is State.UNKNOWN
    assert {m.process.identity for m in lost.members} == {m.process.identity for m in rests.members}
    release = lost.decision(Action.RELEASE)
    assert release is None or release.allowed is Allowed.REFUSE


# -- spoilt homes -----------------------------------------------------------------------------------------------------


def _missing(home: Path) -> None:
    shutil.rmtree(home)


def _a_file(home: Path) -> None:
    shutil.rmtree(home)
    home.write_text("no folder", encoding="utf-8")


def _a_loop(home: Path) -> None:
    shutil.rmtree(home)
    home.symlink_to(home)


def _each_file(home: Path, spoil: Callable[[Path], None]) -> None:
    for path in [path for path in home.rglob("*") if path.is_file()]:
        path.unlink()
        spoil(path)


def _loops(home: Path) -> None:
    _each_file(home, lambda path: path.symlink_to(path))


def _folders(home: Path) -> None:
    _each_file(home, lambda path: path.mkdir())


def _fifos(home: Path) -> None:
    _each_file(home, os.mkfifo)


def _fifos_for_folders(home: Path) -> None:
    """Put a FIFO where each folder with files in it was."""
    for folder in {path.parent for path in home.rglob("*") if path.is_file()}:
        if folder.exists():
            shutil.rmtree(folder)
            os.mkfifo(folder)


def _garbage(data: bytes) -> Callable[[Path], None]:
    return lambda home: _each_file(home, lambda path: (path.write_bytes(data), None)[1])


SPOILT: dict[str, Callable[[Path], None]] = {
    "no home": _missing,
    "a file for a home": _a_file,
    "a loop for a home": _a_loop,
    "loops for files": _loops,
    "folders for files": _folders,
    "empty files": _garbage(b""),
    "zeros": _garbage(bytes(4096)),
    "no JSON": _garbage(b"\xff\xfe not JSON\n" * 3),
    "half a record": _garbage(b'{"type": "user", "timest'),
    "a list": _garbage(b"[]\n"),
    "a number": _garbage(b"7\n7\n"),
    "null": _garbage(b"null\n"),
    "an empty record": _garbage(b"{}\n" * 12),
    "deep nesting": _garbage(b"[" * 200_000),
    "other shapes": _garbage(b'{"type": 7, "pid": "x", "status": [], "sessionId": {}, "timestamp": false}\n'),
}
if sys.platform != "win32":
    SPOILT |= {"FIFOs for files": _fifos, "FIFOs for folders": _fifos_for_folders}


@pytest.mark.parametrize("how", SPOILT)
@every_host
def test_in_a_spoilt_home_processes_are_told_and_nothing_is_said_to_rest(scene: Scene, home: Path, how: str) -> None:
    whole = {claim.identity: claim.role for claim in observed(made(scene), scene, home).claims}
    SPOILT[how](home)
    host = made(scene)
    for _ in range(2):  # what may be half written is tried once more
        seen = observed(host, scene, home)
        assert {claim.identity: claim.role for claim in seen.claims} == whole
        assert told_idle(seen) == []


@every_host
def test_files_that_may_not_be_read_are_a_problem_that_names_the_mend(
    scene: Scene, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(real: Callable[..., Any]) -> Callable[..., Any]:
        def ask(path: Any, *args: Any, **more: Any) -> Any:
            if isinstance(path, str | bytes | os.PathLike) and str(home) in os.fsdecode(path):
                raise PermissionError(13, "Permission denied", os.fsdecode(path))
            return real(path, *args, **more)

        return ask

    had_files = any(path.is_file() for path in home.rglob("*"))
    monkeypatch.setattr(os, "open", refused(os.open))
    monkeypatch.setattr(os, "scandir", refused(os.scandir))
    monkeypatch.setattr(builtins, "open", refused(builtins.open))
    monkeypatch.setattr(Path, "open", refused(Path.open))
    host = made(scene)
    observed(host, scene, home)
    seen = observed(host, scene, home)
    assert seen.claims
    assert told_idle(seen) == []
    if had_files:
        assert seen.problems
        assert all(problem.mend and problem.where and problem.what for problem in seen.problems)


@every_host
def test_fields_that_are_new_change_nothing(scene: Scene, home: Path) -> None:
    before = observed(made(scene), scene, home)

    def more(record: Any) -> Any:
        return record | {"zzz_new": {"deep": [1, None]}, "zzz_flag": True} if isinstance(record, dict) else record

    for path in [path for path in home.rglob("*") if path.suffix in (".json", ".jsonl")]:
        text, stamp = path.read_text(encoding="utf-8"), path.stat()
        if path.suffix == ".jsonl":
            path.write_text("".join(json.dumps(more(json.loads(line))) + "\n" for line in text.splitlines()))
        else:
            told = json.loads(text)
            is_map = path.name in scene.maps
            path.write_text(json.dumps({k: more(v) for k, v in told.items()} if is_map else more(told)))
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    after = observed(made(scene), scene, home)
    assert (after.claims, after.sessions, after.problems) == (before.claims, before.sessions, before.problems)


# -- cost -------------------------------------------------------------------------------------------------------------


def counting(monkeypatch: pytest.MonkeyPatch, home: Path) -> Counter[str]:
    """Count what is asked of the file system below a home: looks, opened files, listed names and bytes."""
    calls: Counter[str] = Counter()
    real_open, real_stat, real_scandir, real_read = os.open, os.stat, os.scandir, os.read
    ours: set[int] = set()

    def is_below(path: Any) -> bool:
        return isinstance(path, str | bytes | os.PathLike) and os.fsdecode(path).startswith(str(home))

    def count_open(path: Any, *args: Any, **more: Any) -> int:
        calls["open"] += is_below(path)
        descriptor = real_open(path, *args, **more)
        ours.add(descriptor) if is_below(path) else ours.discard(descriptor)
        return descriptor

    def count_stat(path: Any, *args: Any, **more: Any) -> os.stat_result:
        calls["stat"] += is_below(path)
        return real_stat(path, *args, **more)

    def count_read(descriptor: int, length: int, /) -> bytes:
        data = real_read(descriptor, length)
        calls["bytes"] += len(data) if descriptor in ours else 0
        return data

    class Entries:
        def __init__(self, path: Any) -> None:
            self._entries, self._counts = real_scandir(path), is_below(path)

        def __enter__(self) -> Entries:
            return self

        def __exit__(self, *_: object) -> None:
            self._entries.close()

        def __iter__(self) -> Iterator[os.DirEntry[str]]:
            for entry in self._entries:
                calls["names"] += self._counts
                yield entry

        def close(self) -> None:
            self._entries.close()

    monkeypatch.setattr(os, "open", count_open)
    monkeypatch.setattr(os, "stat", count_stat)
    monkeypatch.setattr(os, "read", count_read)
    monkeypatch.setattr(os, "scandir", Entries)
    return calls


def tick_costs(scene: Scene, home: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Counter[str], Counter[str]]:
    """Return what a tick asks for while nothing changes, and while the log grows."""
    host = made(scene)
    with monkeypatch.context() as patched:
        patched.setattr(time, "time_ns", lambda: round((LATE_S + 3600) * 1e9))
        for _ in range(2):
            observed(host, scene, home)
        calls = counting(patched, home)
        observed(host, scene, home)
        steady = Counter(calls)
        if scene.log is not None:
            path = scene.log(home)
            last = path.read_bytes().splitlines(keepends=True)[-1]
            with path.open("ab") as log:
                log.write(last)
        else:
            path = next(path for path in home.rglob("*.json") if "elsewhere" not in path.parts)
        agent_homes.touch(path)
        for folder in path.parents:
            os.utime(folder, (scene.now_epoch_s - 90, scene.now_epoch_s - 90))
        observed(host, scene, home)
        calls.clear()
        agent_homes.touch(path)
        for folder in path.parents:
            os.utime(folder, (scene.now_epoch_s - 90, scene.now_epoch_s - 90))
        observed(host, scene, home)
        return steady, calls


@pytest.mark.parametrize("scene", WITH_DEAD, ids=ids)
def test_a_tick_does_not_grow_with_the_sessions_that_are_over(
    scene: Scene, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert scene.dead is not None
    scene.dead(home, 20)
    few = tick_costs(scene, home, monkeypatch)
    many_home = tmp_path / "many"
    many_home.mkdir()
    scene.lay_out(many_home)
    scene.dead(many_home, DEAD)
    many = tick_costs(scene, many_home, monkeypatch)
    for with_few, with_many in zip(few, many, strict=True):
        assert with_many["names"] <= with_few["names"] + 20
        assert with_many["open"] <= with_few["open"] + 2
        assert with_many["stat"] <= with_few["stat"] + 60
        assert with_many["bytes"] <= with_few["bytes"] + 64 * 1024
    seen = observed(made(scene), scene, many_home)
    assert len(seen.sessions) == 1


@pytest.mark.parametrize("scene", WITH_LOGS, ids=ids)
def test_of_a_log_of_two_gigabytes_only_the_ends_are_read(
    scene: Scene, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert scene.log is not None
    path = scene.log(home)
    whole = path.read_bytes()
    with path.open("r+b") as log:
        log.truncate(2 * 1024**3)  # a hole: it takes no room
        log.seek(0, os.SEEK_END)
        log.write(b"\n" + whole)
    agent_homes.touch(path)
    calls = counting(monkeypatch, home)
    (fact,) = observed(made(scene), scene, home).sessions
    assert calls["bytes"] < WAITS_FOR_FILES
    assert [e.speaks_for for e in fact.evidence if e.speaks_for is Speaks.IDLE]


# -- programs ---------------------------------------------------------------------------------------------------------

TASK = "claude codex gemini qwen copilot cline pi opencode codeman kiro-cli goose droid amp crush aider"
NOBODYS: tuple[tuple[str, ...], ...] = (
    ("grep", "-r", "claude", "."),
    ("rg", "codex"),
    ("vim", "CLAUDE.md"),
    ("/usr/share/code/code", "/home/alex/claude"),
    ("less", "/home/alex/.codex/config.toml"),
    ("tail", "-f", "/home/alex/.copilot/logs/process.log"),
    ("tmux", "new-session", "-d", "claude --resume x"),
    ("/bin/bash", "-c", f"source /home/alex/.claude/snap.sh && eval '{TASK}'"),
    ("sh", "-c", TASK),
    ("bash", "-lc", "gemini -y"),
    ("python3", "train.py", "--model", "qwen"),
    ("ollama", "run", "qwen"),
    ("git", "commit", "-m", TASK),
    ("node", "/srv/gemini/server.js"),
    ("node", "/srv/pi/index.js"),
    ("node", "-e", TASK),
    ("pi", "1000"),
    ("copilot", "svc", "logs", "--follow"),
    ("copilot-language-server", "--stdio"),
    ("docker", "run", "--rm", "goose"),
    ("ssh", "host", "claude"),
    ("claude", "mcp", "serve"),
    ("/Applications/Claude.app/Contents/Frameworks/Claude Helper.app/Contents/MacOS/Claude Helper", "--type=renderer"),
    ("/Applications/Codex.app/Contents/Frameworks/Codex Helper (Renderer)", "--type=renderer"),
    ("/x/chrome-native-host",),
    ("goose", "-dir", "db", "postgres", "dsn", "up"),
    ("xargs", "cline"),
    ("watch", "copilot"),
    (),
)
NO_SESSIONS: tuple[tuple[str, ...], ...] = (
    ("claude", "daemon", "run"),
    ("claude", "bg-pty-host", "x"),
    ("claude", "bg-spare", "--bg-spare", "x"),
    ("codex", "app-server", "daemon", "pid-update-loop"),
    ("codex", "app-server", "proxy"),
    ("codex", "mcp-server"),
    ("opencode", "attach", "http://127.0.0.1:1"),
    ("cline", "--cline-hub-daemon", "--port", "1"),
    ("copilot", "login"),
    ("node", "/usr/local/bin/gemini", "mcp", "list"),
    ("node", "/usr/local/bin/qwen", "serve"),
    ("kiro-cli", "login"),
)


@pytest.mark.parametrize("argv", NOBODYS, ids=lambda argv: " ".join(argv)[:40])
def test_what_only_mentions_a_host_is_nobodys(argv: tuple[str, ...]) -> None:
    seen = process(10, *argv, exe=f"/usr/bin/{argv[0]}" if argv and "/" not in argv[0] else None)
    assert [host.label.host for host in HOSTS if host.recognise(seen) is not None] == []


@pytest.mark.parametrize("argv", NO_SESSIONS, ids=lambda argv: " ".join(argv)[:40])
def test_what_a_host_runs_besides_its_sessions_is_no_session(argv: tuple[str, ...]) -> None:
    claims = [claim for host in HOSTS if (claim := host.recognise(process(10, *argv))) is not None]
    assert all(claim.role is not Role.BACKEND for claim in claims)


@every_host
def test_recognising_asks_nothing_of_the_system_and_says_the_same_again(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = made(scene)
    first = [host.recognise(each) for each in scene.processes]

    def asked(*_: object, **__: object) -> Any:
        raise AssertionError("it asks the system")

    for name in ("open", "stat", "lstat", "scandir", "listdir", "readlink"):
        monkeypatch.setattr(os, name, asked)
    assert [host.recognise(each) for each in scene.processes] == first
    assert any(claim is not None for claim in first)


@every_host
def test_its_programs_are_recognised_in_a_redacted_capture(scene: Scene) -> None:
    host = made(scene)
    redactor = Redactor(names={"alex"}, words=words_of(host))
    inputs = Inputs(table=scene.table(), observations=(), labels=(), rules=Rules(), now_epoch_s=0.0)
    redacted = redactor.inputs(inputs).table.processes
    said = [(c.role, c.kind) if (c := host.recognise(each)) is not None else None for each in scene.processes]
    again = [
        (c.role, c.kind) if (c := host.recognise(redacted[each.pid])) is not None else None for each in scene.processes
    ]
    assert again == said


def test_no_host_reads_more_variables_than_it_needs() -> None:
    """Each name is looked up in the environment of every process of the user."""
    names = {name: host.label.host for host in HOSTS for name in host.environment_names}
    assert len(names) <= 45
    secrets = re.compile(r".*(KEY|TOKEN|SECRET|PASSWORD)")  # where one lies may be read, what it is may not
    assert not [name for name in names if secrets.fullmatch(name)]
