"""Captures: small, whole or refused, and saying again to the byte what was said of the redacted looks."""

from __future__ import annotations

import contextlib
import gzip
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import BOOTED, MB, process, table
from tests.trees import Part, core_for, planted, until
from trayapp import report
from trayapp.attribution import Lineage
from trayapp.model.process import Identity, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Evidence,
    EvidenceKind,
    HostInstance,
    HostLabel,
    Observation,
    Problem,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
)
from trayapp.model.snapshot import GroupKind, Snapshot
from trayapp.pipeline import Footprints, Inputs, Memory, conclude
from trayapp.reclaim.plan import Rules
from trayapp.recording import Capture, CaptureUnreadable, Writer, replay
from trayapp.redaction import Redactor

LABEL = HostLabel(host="alpha", title="Alpha", letters="Al")
SESSION = SessionKey("alpha", "5f0a91c2-7d3e-4a51-9c8b-0a1b2c3d4e5f")
SHELL = process(100, argv=("bash",), tty="pts/3", tty_input_epoch_s=BOOTED.timestamp() + 99.75)
AGENT = process(200, 100, argv=("/opt/alpha", "--resume", SESSION.session_id), rss_bytes=100 * MB)
SERVER = process(300, 200, argv=("node", "/home/sam/tools/notes-mcp/index.js"))
JOB = process(400, 200, argv=("pytest", "-q"))


class Redacted(Redactor):
    """Remember what it let through."""

    def __init__(self) -> None:
        super().__init__(names={"sam", "box"})
        self.let_through: list[Inputs] = []

    def inputs(self, inputs: Inputs) -> Inputs:
        redacted = super().inputs(inputs)
        self.let_through.append(redacted)
        return redacted


def look(now: ProcessTable, *, status: Speaks = Speaks.IDLE, **more: object) -> Inputs:
    read_epoch_s = now.taken_at.timestamp() + 0.01
    told = Evidence(
        kind=EvidenceKind.HOST_STATUS,
        speaks_for=status,
        fact="It says so",
        source="session record",
        at_epoch_s=BOOTED.timestamp() - 7200,
        read_epoch_s=read_epoch_s,
    )
    claim = Claim(
        identity=AGENT.identity,
        host="alpha",
        role=Role.BACKEND,
        kind=ClaimKind.REGISTRY,
        source="session record",
        session=SESSION,
    )
    seen = Observation(
        host="alpha",
        read_epoch_s=read_epoch_s,
        instances=(HostInstance(host="alpha", version="2.1.4"),),
        sessions=(SessionFact(key=SESSION, title="Fix the upload", cwd="/home/sam/shop", evidence=(told,)),),
        claims=(claim,),
        problems=(Problem(where="/home/sam/.alpha/x.json", what="it is cut off", mend="It is passed over"),),
    )
    values: dict[str, object] = {
        "table": now,
        "observations": (seen,),
        "labels": (LABEL,),
        "rules": Rules(),
        "now_epoch_s": read_epoch_s + 0.1,
    }
    return Inputs(**(values | more))  # type: ignore[arg-type]


def sizes(now: ProcessTable) -> Footprints:
    return {p.identity: (p.rss_bytes or 0) // 2 for p in now.processes.values() if p.pid > 150}


def as_json(snapshot: Snapshot) -> bytes:
    return json.dumps(report.snapshot_to_json(snapshot)).encode()


def said(looks: Sequence[Inputs], footprints: Sequence[Footprints], lineage: dict[Identity, Lineage]) -> list[bytes]:
    """Return what the pipeline says of looks, one after the other."""
    memory = Memory(lineage=lineage)
    found: list[bytes] = []
    for inputs, sizes_now in zip(looks, footprints, strict=True):
        concluded = conclude(inputs, memory, lambda _wanted, sizes_now=sizes_now: sizes_now)  # type: ignore[misc]
        memory = concluded.memory
        found.append(as_json(concluded.snapshot))
    return found


def write(path: Path, looks: Sequence[Inputs], *, memory: Memory | None = None) -> Redacted:
    redacted = Redacted()
    with Writer(path, redacted) as writer:
        for inputs in looks:
            writer.write(inputs, sizes(inputs.table), memory or Memory())
    return redacted


def scene() -> list[Inputs]:
    """Return a session with everything that can come, go and change while it is looked at."""
    typed = replace(SHELL, tty_input_epoch_s=BOOTED.timestamp() + 1004.3)
    other = process(300, 1, start=999, argv=("vim",), client_pids=(400,))
    full = table(SHELL, AGENT, SERVER, JOB)
    return [
        look(full),
        look(table(SHELL, AGENT, SERVER, JOB, at_s=1002.0041), status=Speaks.BUSY),
        look(table(typed, AGENT, SERVER, at_s=1004.5)),
        look(table(typed, replace(AGENT, cpu_s=1.5, rss_bytes=None), other, at_s=1006.0)),
        look(table(SHELL, AGENT, other, at_s=1008.0, wall_s=5000.0)),
        look(table(SHELL, AGENT, other, at_s=1010.0, wall_s=5002.0), stale_s={"alpha": 9.5, "beta": float("inf")}),
        look(
            table(SHELL, other, at_s=1012.0, wall_s=5004.0),
            silent=(HostInstance(host="alpha", error="no answer within 8 s"),),
            problems=(Problem(where="Agent Ring", what="a look failed", mend="It goes on"),),
            paused=True,
        ),
        look(table(SHELL, other, at_s=1014.0, wall_s=5006.0), observations=(), rules=Rules(idle_after_s=1.0)),
    ]


# -- the same said again ----------------------------------------------------------------------------------------------


def test_a_scripted_scene_is_said_again_to_the_byte(tmp_path: Path) -> None:
    looks = scene()
    redacted = write(tmp_path / "c.gz", looks)
    expected = said(redacted.let_through, [sizes(i.table) for i in redacted.let_through], {})
    assert [as_json(snapshot) for snapshot in replay(tmp_path / "c.gz")] == expected
    assert len(set(expected)) == len(looks)


def test_every_input_is_read_as_it_was_written(tmp_path: Path) -> None:
    redacted = write(tmp_path / "c.gz", scene())
    ticks = list(Capture(tmp_path / "c.gz").ticks())
    assert [tick.inputs for tick in ticks] == redacted.let_through
    assert [tick.footprints for tick in ticks] == [sizes(inputs.table) for inputs in redacted.let_through]


def test_the_rows_of_a_capture_are_those_that_were_seen(tmp_path: Path) -> None:
    looks = scene()
    write(tmp_path / "c.gz", looks)
    memory = Memory()
    for inputs, snapshot in zip(looks, replay(tmp_path / "c.gz"), strict=True):
        concluded = conclude(inputs, memory, lambda _wanted, inputs=inputs: sizes(inputs.table))  # type: ignore[misc]
        memory = concluded.memory
        assert shape(snapshot) == shape(concluded.snapshot)


def shape(snapshot: Snapshot, *, cpu: bool = True) -> object:
    """Return all that is said, but for words and the order of ties."""
    totals = snapshot.totals if cpu else replace(snapshot.totals, cpu_percent=None)
    return totals, sorted(
        (
            g.kind,
            sorted((m.process.identity, m.role, m.cpu_percent if cpu else None) for m in g.members),
            g.verdict and (g.verdict.state, g.verdict.confirmations),
            g.flags,
            g.decisions and [(d.action, d.allowed, d.reason) for d in g.decisions],
        )
        for g in snapshot.groups
    )


def test_what_was_remembered_at_the_start_is_part_of_a_capture(tmp_path: Path) -> None:
    left = process(500, 1, argv=("node", "/home/sam/watch.js"))
    lineage = {left.identity: Lineage(session=SESSION, host="alpha", role=Role.WORK)}
    write(tmp_path / "c.gz", [look(table(SHELL, AGENT, left))], memory=Memory(lineage=lineage))
    snapshot = next(replay(tmp_path / "c.gz"))
    owner = next(g for g in snapshot.groups if any(m.process.pid == left.pid for m in g.members))
    assert owner.kind is GroupKind.SESSION
    assert [m.process.pid for m in owner.members] == [AGENT.pid, left.pid]
    assert SESSION.session_id not in str(owner)


LIVE_ID = "0c7e5f12-1111-4222-8333-944455556666"
LIVE = {
    "shell": Part(detached=True, setsid=True, children=("agent",)),
    "agent": Part(program="fake-agent/agent.py", session_id=LIVE_ID, title="Mend it", children=("server", "job")),
    "server": Part(program="notes-mcp/server.py"),
    "job": Part(program="bin/job.py"),
}


def may_go(snapshot: bytes) -> bool:
    """Say whether a session may go; orphans may be of anybody on this machine."""
    groups = [group for group in json.loads(snapshot)["groups"] if group["kind"] == "session"]
    return any(action["allowed"] == "allow" for group in groups for action in group["actions"])


def test_a_live_scene_is_said_again_to_the_byte(tmp_path: Path) -> None:
    redacted = Redacted()
    measured: list[Footprints] = []
    with planted(tmp_path / "tree", **LIVE) as tree:
        tree.start("shell")
        core = core_for(tmp_path / "tree")
        core.start()
        try:
            with Writer(tmp_path / "live.gz", redacted) as writer:

                def write_both(inputs: Inputs, footprints: Footprints, memory: Memory) -> None:
                    measured.append(footprints)
                    writer.write(inputs, footprints, memory)

                core._monitor.on_inputs = write_both
                core.look(0.1)
                tree.tell("job", "stop")
                until(lambda: "job" not in tree.running(), "the job does not stop")
                core.look(0.1)
        finally:
            core.stop()
    expected = said(redacted.let_through, measured, {})
    assert [as_json(snapshot) for snapshot in replay(tmp_path / "live.gz")] == expected
    assert [b'"state": "busy"' in each for each in expected] == [True, True, False, False]
    assert [may_go(each) for each in expected] == [False, False, False, True]


def test_the_core_records_what_its_listeners_see(tmp_path: Path) -> None:
    seen: list[Snapshot] = []
    counts: list[int] = []
    with planted(tmp_path / "tree", **LIVE) as tree:
        tree.start("shell")
        core = core_for(tmp_path / "tree")
        core.start()
        try:
            core.subscribe(seen.append)
            recorded = core.record(tmp_path / "live.gz", for_s=0.5, every_s=0.2, progress=counts.append)
            core.look(0.01)
        finally:
            core.stop()
    again = list(replay(tmp_path / "live.gz"))
    # at 0, 0.2 and 0.4 s; on a busy machine a look takes longer than its beat, and there are fewer
    assert 1 <= recorded.ticks <= 3
    assert counts == list(range(1, recorded.ticks + 1))
    assert len(again) == recorded.ticks
    assert recorded.size_bytes == (tmp_path / "live.gz").stat().st_size
    # times are kept to the millisecond, so CPU may differ in the last digits
    assert [shape(s, cpu=False) for s in again] == [shape(s, cpu=False) for s in seen[: recorded.ticks]]
    content = gzip.decompress((tmp_path / "live.gz").read_bytes()).decode()
    assert LIVE_ID not in content
    assert "Mend" not in content
    assert "pytest-of-" not in content


def test_an_interrupted_recording_keeps_what_was_seen(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    core = core_for(tmp_path / "tree")
    core.start()

    def interrupt(looks: int) -> None:
        if looks == 2:
            raise KeyboardInterrupt

    try:
        recorded = core.record(tmp_path / "c.gz", for_s=3600.0, every_s=0.01, progress=interrupt)
    finally:
        core.stop()
    assert recorded.ticks == len(list(replay(tmp_path / "c.gz"))) == 2


# -- size -------------------------------------------------------------------------------------------------------------


def test_a_thousand_looks_at_nothing_happening_are_small(tmp_path: Path) -> None:
    clock = random.Random(1)
    many = [process(1000 + n, 100, argv=("node", f"/opt/server{n}.js", "--port", str(n))) for n in range(300)]
    at_s, looks = 1000.0, []
    for _ in range(1000):
        at_s += 2.0 + clock.random() / 100  # no real beat is even
        now = table(SHELL, AGENT, SERVER, *many, at_s=at_s)
        looks.append(
            look(replace(now, machine=replace(now.machine, memory_available_bytes=(8 << 30) + clock.randrange(9 * MB))))
        )
    write(tmp_path / "c.gz", looks)
    assert (tmp_path / "c.gz").stat().st_size < 40_000
    assert sum(1 for _ in Capture(tmp_path / "c.gz").ticks()) == 1000


# -- whole or refused -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "c.gz"
    write(path, scene())
    return path.read_bytes()


def test_a_file_cut_at_any_byte_is_refused(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "cut.gz"
    for length in (*range(64), *range(64, len(whole), 7), len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(CaptureUnreadable, match=r"cut\.gz: .+\. (Record it again|Name a file)"):
            list(replay(path))


def test_a_file_cut_between_two_looks_is_refused(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "cut.gz"
    lines = gzip.decompress(whole).splitlines(keepends=True)
    for count in range(len(lines)):
        path.write_bytes(gzip.compress(b"".join(lines[:count])))
        with pytest.raises(CaptureUnreadable, match=r"it is (cut off after line \d+|empty)"):
            list(replay(path))


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_refused_or_read(
    data: st.DataObject, whole: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.gz"
    text = bytearray(gzip.decompress(whole))
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(gzip.compress(bytes(text), 1))
    with contextlib.suppress(CaptureUnreadable):
        list(replay(path))


@pytest.mark.parametrize(("schema", "mend"), [(3, "Update Agent Ring"), (1, "Record it again")])
def test_a_file_of_another_program_is_refused_by_its_schema(tmp_path: Path, schema: int, mend: str) -> None:
    path = tmp_path / "c.gz"
    path.write_bytes(gzip.compress(b'{"capture":%d,"wonders":[]}\n' % schema))
    with pytest.raises(CaptureUnreadable, match=rf"its schema is {schema}, this Agent Ring reads 2\. {mend}"):
        list(replay(path))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        gzip.compress(b"hello\n", mtime=0),
        gzip.compress(b'{"a":1}\n', mtime=0),
        gzip.compress(b"[1]\n", mtime=0),
    ],
)
def test_what_is_no_capture_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "c.gz"
    path.write_bytes(content)
    with pytest.raises(CaptureUnreadable):
        list(replay(path))


def test_a_capture_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "c.gz"
    path.write_bytes(b"the one before")

    def fail() -> None:
        with Writer(path, Redacted()) as writer:
            writer.write(look(table(SHELL, AGENT)), {}, Memory())
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        fail()
    assert [p.name for p in tmp_path.iterdir()] == ["c.gz"]
    assert path.read_bytes() == b"the one before"


def test_only_its_user_can_read_a_capture(tmp_path: Path) -> None:
    write(tmp_path / "c.gz", scene()[:1])
    assert (tmp_path / "c.gz").stat().st_mode & 0o077 == 0
