"""The scene of the design's pictures as values: 12.4 of 32 GB held, 5.1 GB can be released, one session waits.

Titles, figures, states and processes are those of the pictures, so that a screenshot can be laid beside them.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from trayapp.model.access import Permission
from trayapp.model.incident import Account, Cause, Incident, IncidentKind, Sample, SessionThen, Successor
from trayapp.model.keep import Keep
from trayapp.model.life import Life, Run
from trayapp.model.plan import SENTENCES, Action, Allowed, Decision, Reason
from trayapp.model.policy import Choice, DryRun, Match, Notice, Policy, QuietHours, Trigger
from trayapp.model.process import Identity, Machine, Pressure, Process
from trayapp.model.receipt import Fate, HeapChange, Outcome, Receipt, Survivor, Target, program_mark
from trayapp.model.series import Gap, GapKind, Layer, Mark, Series, SeriesQuery, StackBy
from trayapp.model.session import (
    Claim,
    ClaimKind,
    EndsBy,
    Evidence,
    EvidenceKind,
    Heap,
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
from trayapp.model.setup import HostSetup
from trayapp.model.snapshot import (
    HELD_KINDS,
    ORPHAN_KINDS,
    Group,
    GroupKind,
    HeapUse,
    Member,
    OwnCost,
    Snapshot,
    Totals,
    Verdict,
)
from trayapp.own_files import OwnFile
from trayapp.reclaim.simulate import Sweep, SweepPoint

GB = 1024**3
MB = 1024**2
NOW = datetime(2026, 11, 30, 16, 20, 8, tzinfo=UTC)
NOW_EPOCH_S = NOW.timestamp()

CLAUDE = HostLabel(host="claude-code", title="Claude Code", letters="Cl", hue=Hue.RUST, rank=10)
CODEX = HostLabel(host="codex", title="Codex", letters="Cx", hue=Hue.TEAL, rank=20)
OPENCODE = HostLabel(host="opencode", title="OpenCode", letters="Oc", hue=Hue.BLUE, rank=30)
CRAFT = HostLabel(host="craft-agents", title="craft-agents", letters="Cr", hue=Hue.VIOLET, rank=40)
DSH = HostLabel(host="dsh", title="DSH", letters="Ds", hue=Hue.OLIVE, rank=50)
LABELS = (CLAUDE, CODEX, OPENCODE, CRAFT)

OWN_FILES = (
    OwnFile(name="settings", path=Path.home() / ".config/agentring/settings.toml", size_bytes=412),
    OwnFile(name="history", path=Path.home() / ".local/share/agentring/history.sqlite", size_bytes=21 * MB),
    OwnFile(name="journal", path=Path.home() / ".local/share/agentring/journal.jsonl", size_bytes=48_200),
    OwnFile(name="keeps", path=Path.home() / ".local/share/agentring/keeps.json", size_bytes=None),
)

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
    label = next(label for label in (*LABELS, DSH) if label.host == host)
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


def snapshot_of(
    groups: tuple[Group, ...],
    *,
    pressure: Pressure = Pressure.NORMAL,
    labels: tuple[HostLabel, ...] = LABELS,
    heaps: tuple[HeapUse, ...] = (),
) -> Snapshot:
    """Make a snapshot whose totals come from its groups."""
    counted = [g for g in groups if g.kind in HELD_KINDS]
    cpu = [g.cpu_percent for g in counted if g.cpu_percent is not None]
    return Snapshot(
        taken_at=NOW,
        monotonic_s=50_000.0,
        interval_s=2.0,
        gap=False,
        machine=machine(pressure),
        instances=tuple(HostInstance(host=label.host, identity=None, version="1.0") for label in labels),
        labels=labels,
        groups=groups,
        heaps=heaps,
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
    return _like(snapshot, groups)


def without(snapshot: Snapshot, *keys: str) -> Snapshot:
    """Return a snapshot in which these groups are gone."""
    return _like(snapshot, tuple(g for g in snapshot.groups if g.key not in keys))


def _like(snapshot: Snapshot, groups: tuple[Group, ...]) -> Snapshot:
    return snapshot_of(groups, pressure=snapshot.machine.pressure, labels=snapshot.labels, heaps=snapshot.heaps)


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
        heap_of=made_from.heap_of,
        expected_heap_bytes=made_from.retained_bytes or 0,
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


# ----------------------------------------------------------------------------------------------------- a heap host

DSH_HOST = Identity(5200, 905_200)
DSH_LIMIT = round(8.2 * GB)
DSH_INFRA = "infra:dsh"
INGEST = "dsh:s-01"
LEDGER = "dsh:s-05"
NIGHTLY = "dsh:s-06"
TERMINAL = "dsh:s-07"
DSH_RELEASABLE = ("dsh:s-01", "dsh:s-02", "dsh:s-03", "dsh:s-04")
NEEDS_PLUGIN = "It needs the plugin to be released: `agentring hosts dsh install-plugin` puts it into its host"

_TURN = Reason.OPEN_TURN
_VIEW = Reason.ATTACHED_TERMINAL
_DSH_SESSIONS: tuple[tuple[str, str, int, float | None, tuple[Decision, ...]], ...] = (
    ("s-01", "Rework the ingest pipeline", 1300, 15_480, _IDLE),
    ("s-02", "Compare vector stores", 900, 30_120, _IDLE),
    ("s-03", "Draft the quarterly review", 640, 4_260, _IDLE),
    ("s-04", "Name the new endpoints", 436, 96_300, _IDLE),
    ("s-05", "Reconcile the ledger import", 380, None, _release(Allowed.REFUSE, _TURN)),
    (
        "s-06",
        "Nightly link check",
        240,
        1_900,
        (
            Decision(
                action=Action.RELEASE,
                allowed=Allowed.REFUSE,
                reason=Reason.BUSY_BACKGROUND_TASK,
                detail="Its host would refuse: a job is running",
            ),
        ),
    ),
    (
        "s-07",
        "Terminal on the build box",
        160,
        2_400,
        (
            Decision(
                action=Action.RELEASE,
                allowed=Allowed.REFUSE,
                reason=_VIEW,
                detail="Its host would refuse: a terminal is open in it",
            ),
        ),
    ),
    ("s-08", "Watch the price feed", 90, 7_300, _release(Allowed.CONFIRM, Reason.PENDING_WAKEUP)),
    ("s-09", "Sketch the landing page", 60, 540, _release(Allowed.CONFIRM, Reason.IDLE_CONFIRMED)),
    ("s-10", "Answer the support mail", 30, 300, _release(Allowed.CONFIRM, Reason.IDLE_CONFIRMED)),
    ("s-11", "Say hello", 12, 200, _release(Allowed.CONFIRM, Reason.IDLE_CONFIRMED)),
)


def _dsh_session(
    name: str, title: str, retained_mb: int, idle_s: float | None, decisions: tuple[Decision, ...], *, plugin: bool
) -> Group:
    if idle_s is None:
        verdict = Verdict(state=State.BUSY, since_epoch_s=NOW_EPOCH_S - 260)
    else:
        verdict = _idle(idle_s)
    if not plugin:
        decisions = (
            Decision(action=Action.RELEASE, allowed=Allowed.REFUSE, reason=Reason.UNKNOWN_STATE, detail=NEEDS_PLUGIN),
        )
    ticket = ResumeTicket(argv=(), note="It stays listed in DSH; opening it or its next prompt wakes it")
    made = session(f"dsh:{name}", title, "~/work", verdict, (), decisions, ticket)
    step = LadderStep(
        kind=StepKind.HOST_CALL,
        label="DSH is asked to unload it",
        wait_s=10.0,
        call="release",
        frees_processes=False,
    )
    return replace(
        made,
        flags=("shared-backend",),
        heap_of=DSH_HOST,
        retained_bytes=retained_mb * MB if plugin else None,
        ladder=(step,) if plugin else (),
    )


def heap_use(*, used_gb: float = 6.3, growth_mb_per_h: float = 420.0) -> HeapUse:
    """Return the heap of the scene's DSH host, filled that far."""
    used, growth = round(used_gb * GB), growth_mb_per_h * MB
    return HeapUse(
        host="dsh",
        identity=DSH_HOST,
        used_bytes=used,
        limit_bytes=DSH_LIMIT,
        external_bytes=180 * MB,
        at_epoch_s=NOW_EPOCH_S - 1,
        rss_bytes=round(7.1 * GB),
        sessions_bytes=sum(mb for _, _, mb, _, _ in _DSH_SESSIONS) * MB,
        releasable_bytes=sum(mb for name, _, mb, _, _ in _DSH_SESSIONS if f"dsh:{name}" in DSH_RELEASABLE) * MB,
        growth_bytes_per_h=growth or None,
        full_in_s=(DSH_LIMIT - used) / growth * 3600 if growth else None,
    )


def heap_scene(
    *,
    used_gb: float = 6.3,
    growth_mb_per_h: float = 420.0,
    plugin: bool = True,
    pressure: Pressure = Pressure.NORMAL,
) -> Snapshot:
    """Return the scene of a DSH host: 6.3 of 8.2 GB of heap, 11 live sessions, of which 4 can be released.

    Beside it Claude Code and a Codex session with a process of its own. Without the `plugin` nothing is known of the
    heap and nothing of it can be released.
    """
    host = member(5200, "dsh", Role.INFRA, 6.9, 7.1, 3.0, host="dsh", source="its program")
    infra = group(DSH_INFRA, GroupKind.INFRA, (host,), title="DSH host", host="dsh")
    sessions = tuple(_dsh_session(*row, plugin=plugin) for row in _DSH_SESSIONS)
    others = (*_claude_sessions(), _other_sessions()[0])
    heap = heap_use(used_gb=used_gb, growth_mb_per_h=growth_mb_per_h)
    made = snapshot_of(
        (*others, *sessions, infra),
        pressure=pressure,
        labels=(CLAUDE, CODEX, DSH),
        heaps=(heap,) if plugin else (),
    )
    told = Heap(used_bytes=heap.used_bytes, limit_bytes=heap.limit_bytes) if plugin else None
    instance = HostInstance(
        host="dsh", identity=DSH_HOST, version="0.2.1", heap=told, heap_limit_bytes=DSH_LIMIT, has_heap=True
    )
    return replace(made, instances=(*made.instances[:2], instance))


def heap_receipt(*, collected: bool = True) -> Receipt:
    """Return what a release of the four sessions did: the heap went from 6.3 to 3.2 GB, no process ended."""
    seen = heap_scene()
    outcomes = []
    for key in DSH_RELEASABLE:
        found = seen.group(key)
        assert found is not None
        outcomes.append(
            Outcome(
                target=target(found),
                fate=Fate.RELEASED,
                sentence="Unloaded by its host",
                took_s=0.4,
                resume=found.resume,
            )
        )
    ledger = seen.group(LEDGER)
    assert ledger is not None
    outcomes.append(
        Outcome(
            target=target(ledger),
            fate=Fate.REFUSED,
            sentence="Not released: a turn has started",
            reason=Reason.OPEN_TURN,
        )
    )
    change = HeapChange(
        host="dsh",
        identity=DSH_HOST,
        before_bytes=round(6.3 * GB),
        after_bytes=round((3.2 if collected else 5.9) * GB),
        limit_bytes=DSH_LIMIT,
        expected_bytes=heap_use().releasable_bytes,
        awaited_s=18.0 if collected else 60.0,
        collected=collected,
    )
    return Receipt(
        receipt_id="r-heap",
        started_at=NOW + timedelta(seconds=4),
        finished_at=NOW + timedelta(seconds=24),
        origin="menu bar",
        outcomes=tuple(outcomes),
        available_before_bytes=round(8.2 * GB),
        available_after_bytes=round(8.4 * GB),
        footprint_metric="physical-footprint",
        heaps=(change,),
    )


def heap_series(query: SeriesQuery) -> Series:
    """Return heap, limit and resident memory of the DSH host over time: a saw, collected, and RSS that follows late."""
    span = query.until_epoch_s - query.since_epoch_s
    columns = max(2, query.columns)
    times = tuple(query.since_epoch_s + span * at / (columns - 1) for at in range(columns))
    sleep = (NOW_EPOCH_S - 3.67 * 3600, NOW_EPOCH_S - 2.92 * 3600)
    heap: list[float | None] = []
    rss: list[float | None] = []
    limit: list[float | None] = []
    for at in times:
        if sleep[0] <= at <= sleep[1]:
            for row in (heap, rss, limit):
                row.append(None)
            continue
        share = (at - query.since_epoch_s) / span
        saw = (share * 17) % 1 * 0.5
        fallen = 1.6 if share > 0.55 else 0.0
        heap.append((5.4 + 2.2 * share + saw - fallen) * GB)
        rss.append((6.2 + 1.9 * share - (1.0 if share > 0.68 else 0.0)) * GB)
        limit.append(float(DSH_LIMIT))
    heap[-1], rss[-1] = 6.3 * GB, 7.1 * GB
    nothing: tuple[float | None, ...] = (None,) * columns

    def layer(key: str, title: str, values: list[float | None]) -> Layer:
        return Layer(key=key, host="dsh", title=title, memory_bytes=tuple(values), cpu_percent=nothing)

    return Series(
        times_epoch_s=times,
        column_s=span / columns,
        layers=(
            layer("heap:5200:905200", "Heap of DSH", heap),
            layer("limit:5200:905200", "Its limit", limit),
            layer("rss:5200:905200", "RSS of DSH", rss),
        ),
        gaps=(Gap(kind=GapKind.SLEEP, since_epoch_s=sleep[0], until_epoch_s=sleep[1]),),
        marks=(
            Mark(
                at_epoch_s=query.since_epoch_s + span * 0.55,
                came_back_bytes=round(1.6 * GB),
                title="Released 2 sessions",
                receipt_id="r-heap",
            ),
            incident_mark(incident()),
        ),
        memory_metric="heap",
    )


def host_setups(host: str) -> tuple[HostSetup, ...]:
    """Return what can be put into DSH: one profile has nothing of it yet, one cannot be changed."""
    if host != "dsh":
        return ()
    return (
        HostSetup(
            key="web",
            host="dsh",
            title="Profile “web”",
            steps=(
                "copy the plugin 0.1.0 to ~/.local/share/agentring/dsh-plugin/0.1.0",
                "keep a copy of ~/.dsh/profiles/web/cordis.patch.yml beside it as cordis.patch.yml.before-agentring",
                "write one row “agentring” into ~/.dsh/profiles/web/cordis.patch.yml",
            ),
            says=("A DSH that runs takes it up within seconds; one older than 0.2 needs a restart",),
            undo="agentring hosts dsh remove-plugin --profile web",
        ),
        HostSetup(
            key="desktop",
            host="dsh",
            title="Profile “desktop”",
            fault="~/.dsh/profiles/desktop/cordis.patch.yml is left alone: line 4 is no list",
        ),
    )


# ------------------------------------------------------------------------------- a host that brings its sessions back

SUPPORT = "craft-agents:w-204"
REMNANT = "craft-agents:w-198"
BACK_REMNANT = ResumeTicket(call="resume", given=(("workspace", "support"), ("session", "w-198")))
BACK = ResumeTicket(call="resume", given=(("workspace", "support"), ("session", "w-204")))
CONSENTS = {
    "craft-agents": (
        HostSetup(
            key="token",
            host="craft-agents",
            title="Read the token of its server",
            steps=(
                "read CRAFT_SERVER_TOKEN from the environment of process 36000, whenever it is needed",
                "ask the server at 127.0.0.1:9100 for its sessions with it",
            ),
            says=("It is kept in memory only: never written, logged or exported",),
            undo="agentring hosts forbid craft-agents read-secret",
            permits=Permission.READ_SECRET,
        ),
        HostSetup(
            key="helpers",
            host="craft-agents",
            title="Close the helpers of released sessions",
            steps=("have the server close them by taking their sources out of the settings of the session",),
            says=("The sources have to be switched on again when the session goes on",),
            undo="agentring hosts forbid craft-agents close-helpers",
            permits=Permission.CLOSE_HELPERS,
        ),
    )
}


def hosted() -> Group:
    """Return a session with two surplus backends, a helper that its host closes and one that stays."""
    backends = [
        member(36210 + at, "claude", Role.BACKEND, size, size * 0.9, cpu, host="craft-agents", source="--resume")
        for at, (size, cpu) in enumerate([(0.6, 0.2), (0.5, 0.3), (0.7, 1.1)])
    ]
    helpers = [
        member(36310, "search server", Role.HELPER, 0.2, 0.2, 0.1, host="craft-agents", source="source “search”"),
        member(36311, "docs server", Role.HELPER, 0.1, 0.1, 0.0, host="craft-agents", source="started with it"),
    ]
    for at, ends_by in enumerate((EndsBy.HOST, EndsBy.NOT)):
        claim = helpers[at].claim
        assert claim is not None
        helpers[at] = replace(helpers[at], claim=replace(claim, ends_by=ends_by))
    made = session(SUPPORT, "Answer support mail", "~/support", _idle(86_400), (*backends, *helpers), _IDLE, BACK)
    return replace(made, flags=("duplicates",))


def remnant() -> Group:
    """Return a session of which nothing runs any more, but which its host still lists."""
    ended = Verdict(state=State.ENDED, since_epoch_s=NOW_EPOCH_S - 7_300)
    clear = Decision(action=Action.RELEASE, allowed=Allowed.CONFIRM, reason=Reason.ALREADY_ENDED)
    made = session(REMNANT, "Try the new search", "~/support", ended, (), (clear,), BACK_REMNANT)
    return replace(made, flags=("remnant",))


def hosted_scene() -> Snapshot:
    """Return the scene with that session, and with one that has ended."""
    return snapshot_of((*_claude_sessions(), *_other_sessions(), hosted(), remnant(), *_rest()))


def hosted_receipt() -> Receipt:
    """Return the receipt of its release."""
    group = hosted()
    gone = Outcome(
        target=target(group),
        fate=Fate.RELEASED,
        sentence="3 backends and 1 helper gone",
        gone=tuple(m.process.identity for m in group.leaving),
        came_back_bytes=round(1.9 * GB),
        took_s=2.0,
        resume=BACK,
    )
    copied = _outcome(PARSER, Fate.RELEASED, "1 backend and 2 helpers gone", 1.2)
    return replace(receipt(), receipt_id="r-back", outcomes=(gone, copied))


def incident(kind: IncidentKind = IncidentKind.HOST_ENDED, *, before_s: float = 5_400.0) -> Incident:
    """Return an incident of the DSH host: it ran into its cap with a turn open, and came up again."""
    at = NOW_EPOCH_S - before_s
    ended = kind is IncidentKind.HOST_ENDED
    held = ((key, title, mb) for key, title, mb, _, _ in _DSH_SESSIONS[:3])
    sessions = [
        SessionThen(
            group=f"dsh:{name}",
            session=SessionKey("dsh", name),
            title=title,
            state=State.IDLE,
            open_turn=False,
            held_bytes=0,
            retained_bytes=mb * MB,
        )
        for name, title, mb in held
    ]
    sessions.append(
        SessionThen(
            group=LEDGER,
            session=SessionKey("dsh", "s-05"),
            title="Reconcile the ledger import",
            state=State.BUSY,
            open_turn=True,
            held_bytes=0,
            retained_bytes=380 * MB,
        )
    )
    moment = datetime.fromtimestamp(at, UTC).strftime("%Y%m%dT%H%M%SZ")
    return Incident(
        incident_id=f"{moment}-dsh-5188",
        kind=kind,
        cause=Cause.HEAP_CAP,
        sentence="DSH ended with its heap full; 1 turn was open" if ended else "The heap of DSH is 96 % full",
        evidence=(
            "Its heap held 8.1 of 8.2 GB 2 s before",
            "The kernel log could not be read: only the administrator may",
            "A new one began 4 s later",
        ),
        host="dsh",
        host_title="DSH",
        identity=Identity(5188, 905_188),
        last_seen_epoch_s=at - 2,
        missed_epoch_s=at,
        platform="linux",
        memory_total_bytes=32 * GB,
        process_name="dsh",
        version="0.2.1",
        started_epoch_s=at - 90_000,
        successor=Successor(identity=DSH_HOST, version="0.2.1", after_s=4.0) if ended else None,
        sessions=tuple(sessions),
    )


def incident_mark(of: Incident) -> Mark:
    """Return the mark of an incident in a chart."""
    return Mark(
        at_epoch_s=of.at_epoch_s,
        came_back_bytes=0,
        title=of.sentence,
        receipt_id="",
        groups=of.groups,
        incident_id=of.incident_id,
    )


def account(of: Incident) -> Account:
    """Return an incident with the hour before it."""
    samples = tuple(
        Sample(
            at_epoch_s=of.at_epoch_s - 3600 + at * 60,
            gap=False,
            heap_used_bytes=round((6.0 + 2.1 * at / 60) * GB),
            heap_limit_bytes=DSH_LIMIT,
            heap_external_bytes=180 * MB,
            rss_bytes=round((6.9 + 1.6 * at / 60) * GB),
            footprint_bytes=None,
            cpu_percent=12.0,
            sessions=11,
            retained_bytes=4 * GB,
            available_bytes=9 * GB,
            pressure=Pressure.NORMAL,
        )
        for at in range(60)
    )
    return Account(incident=of, samples=samples)


# ------------------------------------------------------------------------------------- what stays, what goes by itself

IDLE_POLICY = Policy(
    name="idle-4h",
    trigger=Trigger.IDLE,
    on=True,
    after_s=14_400.0,
    never=(Match(folder="~/src/billing"),),
    quiet=(QuietHours(since_min=22 * 60, until_min=7 * 60),),
)
ORPHAN_POLICY = Policy(name="orphans-1h", trigger=Trigger.ORPHANS, after_s=3600.0)
KEEPS = (
    Keep(group_key=GUIDE, until_epoch_s=datetime(2026, 11, 30, 18, 0, tzinfo=UTC).timestamp()),
    Keep(group_key=REFACTOR),
)


def kept_scene() -> Snapshot:
    """Return the scene with two sessions that the user keeps: a release of them asks."""
    made = scene()
    for keep in KEEPS:
        found = made.group(keep.group_key)
        assert found is not None
        made = with_group(made, replace(found, decisions=_release(Allowed.CONFIRM, Reason.KEPT)))
    return made


def choice(key: str, why: str, *, action: Action = Action.RELEASE, policy: str = "idle-4h") -> Choice:
    """Return what a policy would do with a group of the scene."""
    found = scene().group(key)
    assert found is not None
    return Choice(
        policy=policy,
        group_key=key,
        action=action,
        title=found.name,
        host=found.host if action is Action.RELEASE else None,
        bytes=found.held_bytes,
        why=why,
    )


def notice(key: str = PARSER, *, due_epoch_s: float = NOW_EPOCH_S + 48) -> Notice:
    """Return what the policy of the scene is about to do."""
    return Notice(choice=choice(key, "Idle for 5 h 40 min, longer than 4 h"), due_epoch_s=due_epoch_s)


def dry_runs() -> tuple[DryRun, ...]:
    """Return what the policies of the scene would do now."""
    return (
        DryRun(
            policy="idle-4h",
            triggered=True,
            why="2 sessions are idle for longer than 4 h",
            choices=(
                choice(REPORT, "Idle for 1 d 3 h, longer than 4 h"),
                choice(PARSER, "Idle for 5 h 40 min, longer than 4 h"),
            ),
            spared=((MIGRATE, "It waits for your answer"), (UPGRADE, "Cannot tell if it is idle")),
        ),
        DryRun(
            policy="orphans-1h",
            triggered=True,
            why="1 orphan is older than 1 h",
            choices=(choice(LANGUAGE_SERVER, "Its session is gone for 3 h", action=Action.END_ORPHAN),),
        ),
    )


def sweep(*, covered_s: float = 6.4 * 86_400, points: int = 8) -> Sweep:
    """Return what a policy would have done on some days: the later it acts, the less it frees, the less it is wrong."""
    thresholds = (300.0, 900.0, 1800.0, 3600.0, 7200.0, 14_400.0, 28_800.0, 86_400.0)
    freed = (412, 371, 330, 268, 190, 121, 64, 12)
    wrong = (38, 21, 12, 6, 3, 1, 0, 0)
    touched = (61, 55, 49, 40, 31, 22, 13, 3)
    return Sweep(
        policy=IDLE_POLICY,
        since_epoch_s=NOW_EPOCH_S - 7 * 86_400,
        until_epoch_s=NOW_EPOCH_S,
        covered_s=covered_s,
        soon_s=1800.0,
        points=tuple(
            SweepPoint(
                threshold_s=thresholds[at],
                freed_byte_hours=float(freed[at] * GB),
                peak_freed_bytes=4 * GB,
                releases=touched[at],
                wrong_releases=wrong[at],
                touched=touched[at],
                wrong=wrong[at],
            )
            for at in range(points)
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


def lives() -> dict[str, Life]:
    """Return the life of one session: a run of the day before, one that was released, and the one that goes on."""

    def run(since_h: float, until_h: float, *pids: int) -> Run:
        return Run(
            since_epoch_s=NOW_EPOCH_S - since_h * 3600,
            until_epoch_s=NOW_EPOCH_S - until_h * 3600,
            processes=tuple(Identity(pid, 900_000 + pid) for pid in pids),
        )

    runs = (
        run(26.4, 23.1, 30114, 30120),
        run(8.2, 4.8, 38802, 38810, 38815),
        run(4.1, 0.0, 41877, 41902, 41911, 42310),
    )
    return {
        REFACTOR: Life(
            first_seen_epoch_s=runs[0].since_epoch_s,
            last_seen_epoch_s=NOW_EPOCH_S,
            peak_bytes=round(2.2 * GB),
            runs=runs,
        )
    }
