"""The scene of the design's pictures as values: 12.4 of 32 GB held, 5.1 GB can be released, one session waits.

Titles, figures, states and processes are those of the pictures, so that a screenshot can be laid beside them.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from trayapp.model.plan import SENTENCES, Action, Allowed, Decision, Reason
from trayapp.model.process import Identity, Machine, Pressure, Process
from trayapp.model.receipt import Fate, Outcome, Receipt, Survivor, Target, program_mark
from trayapp.model.series import Gap, GapKind, Layer, Mark, Series, SeriesQuery, StackBy
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Evidence,
    EvidenceKind,
    HostInstance,
    HostLabel,
    Hue,
    LadderStep,
    Problem,
    ResumeTicket,
    Role,
    SessionKey,
    Speaks,
    State,
    StepKind,
)
from trayapp.model.snapshot import (
    HELD_KINDS,
    ORPHAN_KINDS,
    Group,
    GroupKind,
    Member,
    OwnCost,
    Snapshot,
    Totals,
    Verdict,
)

GB = 1024**3
MB = 1024**2
NOW = datetime(2026, 11, 30, 16, 20, 8, tzinfo=UTC)
NOW_EPOCH_S = NOW.timestamp()

CLAUDE = HostLabel(host="claude-code", title="Claude Code", letters="Cl", hue=Hue.RUST, rank=10)
CODEX = HostLabel(host="codex", title="Codex", letters="Cx", hue=Hue.TEAL, rank=20)
OPENCODE = HostLabel(host="opencode", title="OpenCode", letters="Oc", hue=Hue.BLUE, rank=30)
CRAFT = HostLabel(host="craft-agents", title="craft-agents", letters="Cr", hue=Hue.VIOLET, rank=40)
LABELS = (CLAUDE, CODEX, OPENCODE, CRAFT)

MIGRATE = "claude-code:2c81d0e4"
FIX = "claude-code:91b3c7f0"
REFACTOR = "claude-code:7f3a19c2"
PARSER = "codex:01jd8q"
UPGRADE = "codex:01jc2m"
GUIDE = "opencode:ses_4b21"
REPORT = "craft-agents:w-118"
SHARED = "shared:helpers"
LANGUAGE_SERVER = "orphan:40110"
BROWSER_HELPER = "orphan:40377"


def member(
    pid: int,
    name: str,
    role: Role,
    footprint_gb: float,
    rss_gb: float,
    cpu_percent: float | None = 0.0,
    *,
    host: str = "claude-code",
    kind: ClaimKind = ClaimKind.DESCENT,
    source: str = "child of its backend",
) -> Member:
    identity = Identity(pid, 900_000 + pid)
    process = Process(
        identity=identity,
        ppid=1,
        name=name,
        argv=(name,),
        uid=1000,
        rss_bytes=math.ceil(rss_gb * GB),
        footprint_bytes=math.ceil(footprint_gb * GB),
        cpu_s=12.0,
    )
    claim = Claim(identity=identity, host=host, role=role, kind=kind, source=source)
    return Member(process=process, role=role, claim=claim, cpu_percent=cpu_percent)


def group(key: str, kind: GroupKind, members: tuple[Member, ...], **more: object) -> Group:
    """Make a group whose sums come from its members."""
    cpu = [m.cpu_percent for m in members if m.cpu_percent is not None]
    made = Group(
        key=key,
        kind=kind,
        host=key.split(":")[0],
        members=members,
        rss_bytes=sum(m.process.rss_bytes or 0 for m in members),
        footprint_bytes=sum(m.process.footprint_bytes or 0 for m in members),
        footprint_metric="physical-footprint",
        cpu_percent=sum(cpu) if cpu else None,
    )
    return replace(made, **more)  # type: ignore[arg-type]


def session(
    key: str,
    title: str,
    cwd: str,
    verdict: Verdict,
    members: tuple[Member, ...],
    decisions: tuple[Decision, ...],
    resume: ResumeTicket | None = None,
) -> Group:
    host, _, session_id = key.partition(":")
    label = next(label for label in LABELS if label.host == host)
    ladder = (
        LadderStep(
            kind=StepKind.HOST_CALL, label=f"{label.title} is asked to end the session", wait_s=10.0, call="release"
        ),
        LadderStep(kind=StepKind.SIGTERM, label="What is left is ended by SIGTERM", wait_s=10.0),
    )
    return group(
        key,
        GroupKind.SESSION,
        members,
        session=SessionKey(host, session_id),
        title=title,
        cwd=cwd,
        verdict=verdict,
        decisions=decisions,
        resume=resume,
        ladder=ladder,
    )


def _idle(idle_s: float) -> Verdict:
    since = NOW_EPOCH_S - idle_s
    seen = NOW_EPOCH_S - 4

    def said(kind: EvidenceKind, fact: str, source: str, speaks_for: Speaks = Speaks.IDLE) -> Evidence:
        return Evidence(kind=kind, speaks_for=speaks_for, fact=fact, source=source, at_epoch_s=since, read_epoch_s=seen)

    evidence = (
        said(EvidenceKind.TURN, "The turn ended", "Host's session record"),
        said(EvidenceKind.WORK_PROCESS, "No work process runs", "Process table: 1 backend, 3 helpers"),
        said(EvidenceKind.BACKGROUND_TASK, "No background task, no wake-up", "Host's session record"),
        said(EvidenceKind.SUBAGENT, "No subagent log grows", "2 logs, unchanged since 14:05"),
        said(EvidenceKind.QUESTION, "No question waits, no view is open", "Last terminal closed at 14:31"),
        said(EvidenceKind.RECORD, "3 files changed in its folder", "Git work tree", Speaks.NOTHING),
    )
    return Verdict(state=State.IDLE, evidence=evidence, since_epoch_s=since, idle_s=float(idle_s), confirmations=2)


def _release(allowed: Allowed, reason: Reason) -> tuple[Decision, ...]:
    return (
        Decision(action=Action.RELEASE, allowed=allowed, reason=reason),
        Decision(action=Action.KILL, allowed=Allowed.CONFIRM, reason=reason),
    )


_IDLE = _release(Allowed.ALLOW, Reason.IDLE_CONFIRMED)
_END = (
    Decision(action=Action.END_ORPHAN, allowed=Allowed.ALLOW, reason=Reason.ORPHAN_CONFIRMED),
    Decision(action=Action.KILL, allowed=Allowed.CONFIRM, reason=Reason.ORPHAN_CONFIRMED),
)


def _claude_sessions() -> tuple[Group, ...]:
    refactor = (
        member(41902, "typescript server", Role.HELPER, 0.9, 0.7, 0.0, source="child of 41877"),
        member(
            41877,
            "claude",
            Role.BACKEND,
            0.8,
            0.3,
            0.1,
            kind=ClaimKind.ARGV,
            source="session id in its arguments",
        ),
        member(41911, "docs server", Role.HELPER, 0.12, 0.06, 0.0, source="child of 41877"),
        member(
            42310,
            "browser bridge",
            Role.HELPER,
            0.08,
            0.037,
            0.0,
            kind=ClaimKind.LINEAGE,
            source="started by 41877 at 13:58",
        ),
    )
    turn = Evidence(
        kind=EvidenceKind.TURN,
        speaks_for=Speaks.BUSY,
        fact="A turn is open since 16:08",
        source="session record",
        at_epoch_s=NOW_EPOCH_S - 725,
        read_epoch_s=NOW_EPOCH_S - 1,
    )
    question = Evidence(
        kind=EvidenceKind.QUESTION,
        speaks_for=Speaks.WAITING,
        fact="It asked for your answer",
        source="session record",
        at_epoch_s=NOW_EPOCH_S - 380,
        read_epoch_s=NOW_EPOCH_S - 2,
    )
    return (
        session(
            FIX,
            "Fix flaky upload tests",
            "~/src/upload",
            Verdict(state=State.BUSY, evidence=(turn,), since_epoch_s=NOW_EPOCH_S - 725),
            (
                member(42001, "claude", Role.BACKEND, 1.4, 1.6, 62.0, kind=ClaimKind.REGISTRY, source="registry"),
                member(42120, "pytest", Role.WORK, 0.9, 1.3, 22.0, source="child of 42001"),
            ),
            _release(Allowed.REFUSE, Reason.OPEN_TURN),
        ),
        session(
            REFACTOR,
            "Refactor settings page",
            "~/src/console",
            _idle(8055),
            refactor,
            _IDLE,
            ResumeTicket(argv=("claude", "--resume", "7f3a19c2"), cwd="~/src/console"),
        ),
        session(
            MIGRATE,
            "Migrate billing to v2",
            "~/src/billing",
            Verdict(state=State.WAITING, evidence=(question,), since_epoch_s=NOW_EPOCH_S - 380),
            (member(41500, "claude", Role.BACKEND, 1.6, 1.9, 0.3, kind=ClaimKind.REGISTRY, source="registry"),),
            _release(Allowed.REFUSE, Reason.WAITING_PERMISSION),
            ResumeTicket(argv=("claude", "--resume", "2c81d0e4"), cwd="~/src/billing"),
        ),
    )


def _other_sessions() -> tuple[Group, ...]:
    unreadable = Evidence(
        kind=EvidenceKind.RECORD,
        speaks_for=Speaks.UNREADABLE,
        fact="Its record could not be read",
        source="rollout file, permission denied",
        read_epoch_s=NOW_EPOCH_S - 3,
    )
    return (
        session(
            PARSER,
            "Write parser benchmarks",
            "~/src/parser",
            _idle(20_430),
            (
                member(39001, "codex", Role.BACKEND, 0.9, 0.7, 0.2, host="codex"),
                member(39044, "docs server", Role.HELPER, 0.3, 0.2, 0.0, host="codex"),
                member(39047, "browser bridge", Role.HELPER, 0.1, 0.1, 0.0, host="codex"),
            ),
            _IDLE,
            ResumeTicket(argv=("codex", "resume", "01jd8q"), cwd="~/src/parser"),
        ),
        session(
            UPGRADE,
            "Upgrade to Qt 6.11",
            "~/src/viewer",
            Verdict(state=State.UNKNOWN, evidence=(unreadable,)),
            (member(39100, "codex", Role.BACKEND, 1.2, 1.1, 0.2, host="codex"),),
            _release(Allowed.REFUSE, Reason.UNKNOWN_STATE),
        ),
        session(
            GUIDE,
            "Getting started guide",
            "~/src/docs",
            _idle(2910),
            (
                member(37010, "opencode", Role.BACKEND, 0.7, 0.8, 0.1, host="opencode"),
                member(37055, "language server", Role.HELPER, 0.2, 0.2, 0.0, host="opencode"),
            ),
            _IDLE,
            ResumeTicket(argv=("opencode", "-s", "ses_4b21"), cwd="~/src/docs"),
        ),
        session(
            REPORT,
            "Weekly report",
            "~/reports",
            _idle(97_900),
            (member(36001, "craft", Role.BACKEND, 0.7, 0.6, 0.0, host="craft-agents"),),
            _IDLE,
            ResumeTicket(argv=(), note="Resumes when you open it there"),
        ),
    )


def _rest() -> tuple[Group, ...]:
    helpers = tuple(
        member(38000 + at, name, Role.HELPER, size, size * 1.18, cpu, host="codex", source="serves several sessions")
        for at, (name, size, cpu) in enumerate(
            [
                ("docs server", 0.8, 1.2),
                ("browser bridge", 0.5, 0.3),
                ("search server", 0.4, 0.2),
                ("index server", 0.3, 0.2),
                ("mail bridge", 0.1, 0.0),
                ("clock", 0.1, 0.0),
            ]
        )
    )
    return (
        group(SHARED, GroupKind.SHARED_HELPER, helpers, title="Shared helpers", host=None),
        group(
            LANGUAGE_SERVER,
            GroupKind.ORPHAN_HELPER,
            (member(40110, "language server", Role.HELPER, 0.2, 0.25, 0.0, kind=ClaimKind.LINEAGE),),
            title="Language server",
            host="claude-code",
            decisions=_END,
            owner_hint="Claude Code, no parent for 3 h 5 min",
        ),
        group(
            BROWSER_HELPER,
            GroupKind.ORPHAN_HELPER,
            (member(40377, "browser helper", Role.HELPER, 0.1, 0.15, 0.0, host="codex", kind=ClaimKind.LINEAGE),),
            title="Browser helper",
            host="codex",
            decisions=_END,
            owner_hint="Codex, no parent for 51 min",
        ),
    )


def machine(pressure: Pressure = Pressure.NORMAL, available_gb: float = 8.2) -> Machine:
    return Machine(
        name="workstation",
        platform="darwin",
        memory_total_bytes=32 * GB,
        memory_available_bytes=round(available_gb * GB),
        pressure=pressure,
        cpu_count=10,
    )


def snapshot_of(groups: tuple[Group, ...], *, pressure: Pressure = Pressure.NORMAL) -> Snapshot:
    """Make a snapshot whose totals come from its groups."""
    counted = [g for g in groups if g.kind in HELD_KINDS]
    cpu = [g.cpu_percent for g in counted if g.cpu_percent is not None]
    return Snapshot(
        taken_at=NOW,
        monotonic_s=50_000.0,
        interval_s=2.0,
        gap=False,
        machine=machine(pressure),
        instances=tuple(HostInstance(host=label.host, identity=None, version="1.0") for label in LABELS),
        labels=LABELS,
        groups=groups,
        totals=Totals(
            processes=sum(len(g.members) for g in counted),
            sessions=sum(g.kind is GroupKind.SESSION for g in counted),
            rss_bytes=sum(g.rss_bytes for g in counted),
            footprint_bytes=sum(g.footprint_bytes or 0 for g in counted),
            held_bytes=sum(g.held_bytes for g in counted),
            cpu_percent=sum(cpu) if cpu else None,
            reclaimable_bytes=sum(g.held_bytes for g in counted if g.releasable is not None),
        ),
        own=OwnCost(rss_bytes=74 * MB, footprint_bytes=58 * MB, cpu_percent=0.3, tick_ms=6.0),
        footprint_metric="physical-footprint",
    )


def scene(*, pressure: Pressure = Pressure.NORMAL) -> Snapshot:
    """Return the scene of the pictures."""
    return snapshot_of(_claude_sessions() + _other_sessions() + _rest(), pressure=pressure)


def empty() -> Snapshot:
    """Return a computer without a single agent session."""
    return snapshot_of(())


def stale() -> Snapshot:
    """Return the scene with an OpenCode that has not answered for 40 s."""
    before = scene()
    guide = before.group(GUIDE)
    assert guide is not None
    assert guide.verdict is not None
    silent = replace(
        guide,
        verdict=replace(guide.verdict, stale_s=40.0),
        flags=("stale",),
        decisions=_release(Allowed.REFUSE, Reason.UNKNOWN_STATE),
    )
    groups = tuple(silent if g.key == GUIDE else g for g in before.groups)
    problem = Problem(
        where="OpenCode",
        what="has not answered for 40 s",
        mend="Its memory is measured and counted. Its states are from 16:19, so it cannot be released.",
    )
    return replace(snapshot_of(groups), problems=(problem,))


def with_group(snapshot: Snapshot, changed: Group) -> Snapshot:
    """Return a snapshot in which one group is replaced, totals summed anew."""
    groups = tuple(changed if g.key == changed.key else g for g in snapshot.groups)
    return snapshot_of(groups, pressure=snapshot.machine.pressure)


def without(snapshot: Snapshot, *keys: str) -> Snapshot:
    """Return a snapshot in which these groups are gone."""
    groups = tuple(g for g in snapshot.groups if g.key not in keys)
    return snapshot_of(groups, pressure=snapshot.machine.pressure)


def target(made_from: Group) -> Target:
    """Return the target that a click on a group's button makes."""
    action = Action.END_ORPHAN if made_from.kind in ORPHAN_KINDS else Action.RELEASE
    return Target(
        group_key=made_from.key,
        action=action,
        members=tuple(m.process.identity for m in made_from.members),
        programs=tuple(program_mark(m.process) for m in made_from.members),
        title=made_from.name,
        host=made_from.host,
        expected_bytes=made_from.held_bytes,
    )


def _outcome(key: str, fate: Fate, sentence: str, came_back_gb: float, **more: object) -> Outcome:
    found = scene().group(key)
    assert found is not None
    made = Outcome(
        target=target(found),
        fate=fate,
        sentence=sentence,
        gone=tuple(m.process.identity for m in found.members),
        came_back_bytes=round(came_back_gb * GB),
        took_s=4.0,
        resume=found.resume,
    )
    return replace(made, **more)  # type: ignore[arg-type]


def receipt() -> Receipt:
    """Return the receipt of the pictures: 4.7 of 5.1 GB came back, one helper survived."""
    survivor = Survivor(identity=Identity(37055, 937_055), name="language server", note="still runs after 10 s")
    return Receipt(
        receipt_id="r-1620",
        started_at=NOW + timedelta(seconds=4),
        finished_at=NOW + timedelta(seconds=15),
        origin="menu bar",
        outcomes=(
            _outcome(REFACTOR, Fate.RELEASED, "1 backend and 3 helpers gone", 1.9),
            _outcome(PARSER, Fate.RELEASED, "1 backend and 2 helpers gone", 1.2),
            _outcome(
                GUIDE,
                Fate.SURVIVED,
                "1 helper still runs after 10 s",
                0.7,
                gone=(Identity(37010, 937_010),),
                survived=(survivor,),
            ),
            _outcome(REPORT, Fate.RELEASED, "1 backend gone", 0.6),
            _outcome(LANGUAGE_SERVER, Fate.ENDED, "1 process gone", 0.2),
            _outcome(BROWSER_HELPER, Fate.ENDED, "1 process gone", 0.1),
        ),
        available_before_bytes=round(8.2 * GB),
        available_after_bytes=round(12.8 * GB),
        footprint_metric="physical-footprint",
    )


def receipts() -> tuple[Receipt, ...]:
    """Return a journal of two days, newest first."""

    def small(name: str, before: timedelta, origin: str, *outcomes: Outcome) -> Receipt:
        at = NOW - before
        return replace(
            receipt(),
            receipt_id=name,
            started_at=at,
            finished_at=at + timedelta(seconds=4),
            origin=origin,
            outcomes=outcomes,
        )

    def renamed(outcome: Outcome, title: str) -> Outcome:
        return replace(outcome, target=replace(outcome.target, title=title))

    refused = _outcome(FIX, Fate.REFUSED, SENTENCES[Reason.OPEN_TURN], 0.0, gone=(), reason=Reason.OPEN_TURN)
    port = renamed(_outcome(PARSER, Fate.RELEASED, "3 processes gone", 1.4), "Port the build")
    return (
        receipt(),
        small("r-1448", timedelta(hours=1, minutes=32), "window", port),
        small("r-1331", timedelta(hours=2, minutes=49), "menu bar", refused),
        small(
            "r-1132",
            timedelta(hours=4, minutes=48),
            "menu bar",
            _outcome(REFACTOR, Fate.RELEASED, "4 processes gone", 1.7),
            _outcome(GUIDE, Fate.RELEASED, "2 processes gone", 0.9),
        ),
        small(
            "r-1712",
            timedelta(hours=23, minutes=8),
            "window",
            _outcome(LANGUAGE_SERVER, Fate.ENDED, "1 process gone", 0.2),
            _outcome(BROWSER_HELPER, Fate.ENDED, "1 process gone", 0.1),
        ),
    )


# ------------------------------------------------------------------------------------------------------ over time

_LAYERS = (
    (SHARED, None, "Shared helpers", 1.5, 2.2, 1.5),
    ("claude-code", "claude-code", "Claude Code", 4.4, 5.8, 55.0),
    ("codex", "codex", "Codex", 2.0, 2.5, 12.0),
    ("opencode", "opencode", "OpenCode", 0.4, 0.9, 6.0),
    ("craft-agents", "craft-agents", "craft-agents", 1.0, 0.7, 3.0),
    ("orphans", None, "Orphans", 0.0, 0.3, 0.0),
)


def series(query: SeriesQuery) -> Series:
    """Return plausible measurements that end in the scene, with a sleep of 45 min and two releases where they fit."""
    span = query.until_epoch_s - query.since_epoch_s
    columns = max(2, query.columns)
    times = tuple(query.since_epoch_s + span * at / (columns - 1) for at in range(columns))
    sleep = (NOW_EPOCH_S - 3.67 * 3600, NOW_EPOCH_S - 2.92 * 3600)
    releases = ((NOW_EPOCH_S - 4.8 * 3600, 2.6), (NOW_EPOCH_S - 1.53 * 3600, 1.4))
    layers = tuple(
        _layer(row, times, query.since_epoch_s, span, sleep)
        for row in (_session_rows() if query.stack_by is StackBy.SESSION else _LAYERS)
        if query.session is None or row[0] == query.session or query.stack_by is not StackBy.SESSION
    )
    inside = [(at, size) for at, size in releases if query.since_epoch_s < at < query.until_epoch_s]
    return Series(
        times_epoch_s=times,
        column_s=span / columns,
        layers=layers,
        gaps=(Gap(kind=GapKind.SLEEP, since_epoch_s=sleep[0], until_epoch_s=sleep[1]),),
        marks=tuple(
            Mark(at_epoch_s=at, came_back_bytes=round(size * GB), title="Released 2 sessions", receipt_id=f"r-{n}")
            for n, (at, size) in enumerate(inside)
        ),
        memory_metric="physical-footprint",
    )


def _session_rows() -> tuple[tuple[str, str | None, str, float, float, float], ...]:
    rows = []
    for made in scene().groups:
        now = made.held_bytes / GB
        rows.append((made.key, made.host, made.name, now * 0.7, now, made.cpu_percent or 0.5))
    return tuple(rows)


def _layer(
    row: tuple[str, str | None, str, float, float, float],
    times: tuple[float, ...],
    since: float,
    span: float,
    sleep: tuple[float, float],
) -> Layer:
    key, host, title, first, last, cpu = row
    noise = random.Random(key)
    memory: list[float | None] = []
    load: list[float | None] = []
    for at in times:
        if sleep[0] <= at <= sleep[1]:
            memory.append(None)
            load.append(None)
            continue
        share = (at - since) / span
        wave = 0.04 * math.sin(share * 19 + len(key)) + noise.uniform(-0.02, 0.02)
        memory.append(max(0.0, (first + (last - first) * share) * (1 + wave)) * GB)
        load.append(max(0.0, cpu * (0.6 + 0.8 * noise.random() * abs(math.sin(share * 31 + len(key))))))
    memory[-1] = last * GB
    return Layer(key=key, host=host, title=title, memory_bytes=tuple(memory), cpu_percent=tuple(load))


def sparklines(columns: int) -> dict[str, tuple[float | None, ...]]:
    """Return memory over the last hour for every group of the scene."""
    made: dict[str, tuple[float | None, ...]] = {}
    for one in scene().groups:
        noise = random.Random(one.key)
        points = []
        for at in range(columns):
            share = at / max(1, columns - 1)
            points.append(one.held_bytes * (0.72 + 0.28 * share**0.4 + noise.uniform(-0.03, 0.03)))
        points[-1] = float(one.held_bytes)
        made[one.key] = tuple(points)
    return made
