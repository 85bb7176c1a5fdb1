"""A scripted core for the command line: snapshots are handed in, actions are noted and end as they are told to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from pathlib import Path

from trayapp.hosts.base import CallResult
from trayapp.model.access import Permission
from trayapp.model.finding import Finding
from trayapp.model.incident import Account, Incident
from trayapp.model.keep import Keep
from trayapp.model.plan import Action, Allowed, Decision, Reason
from trayapp.model.policy import DryRun, Policy
from trayapp.model.process import Identity, Machine, Pressure, Process
from trayapp.model.receipt import Fate, Outcome, Progress, Receipt, Survivor, Target
from trayapp.model.series import Tier
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Evidence,
    EvidenceKind,
    Heap,
    HostInstance,
    HostLabel,
    Problem,
    ResumeTicket,
    Role,
    SessionKey,
    Speaks,
    State,
)
from trayapp.model.setup import HostSetup
from trayapp.model.snapshot import Group, GroupKind, Member, OwnCost, Snapshot, Totals, Verdict
from trayapp.reclaim.journal import Intent
from trayapp.recording import Recorded
from trayapp.settings import Settings

GB = 1024**3
TAKEN = datetime(2026, 11, 30, 14, 6, 0, 123_456, UTC)


def decision(action: Action, allowed: Allowed, reason: Reason = Reason.IDLE_CONFIRMED) -> Decision:
    return Decision(action=action, allowed=allowed, reason=reason)


RELEASABLE = (
    decision(Action.RELEASE, Allowed.ALLOW),
    decision(Action.KILL, Allowed.CONFIRM),
)
ASKS = (
    decision(Action.RELEASE, Allowed.CONFIRM, Reason.WAITING_PERMISSION),
    decision(Action.KILL, Allowed.CONFIRM, Reason.WAITING_PERMISSION),
)
BUSY = (
    decision(Action.RELEASE, Allowed.REFUSE, Reason.OPEN_TURN),
    decision(Action.KILL, Allowed.CONFIRM, Reason.OPEN_TURN),
)
ORPHAN = (
    decision(Action.END_ORPHAN, Allowed.ALLOW, Reason.ORPHAN_CONFIRMED),
    decision(Action.KILL, Allowed.CONFIRM, Reason.ORPHAN_CONFIRMED),
)
ORPHAN_WORK = (decision(Action.END_ORPHAN, Allowed.CONFIRM, Reason.ORPHAN_WORK),)


def group(
    name: str,
    decisions: tuple[Decision, ...] = (),
    *,
    pid: int,
    kind: GroupKind = GroupKind.SESSION,
    state: State = State.IDLE,
    title: str | None = None,
    host: str = "alpha",
    gigabytes: float = 1.5,
) -> Group:
    is_session = kind is GroupKind.SESSION
    identity = Identity(pid, 77)
    process = Process(
        identity=identity,
        ppid=1,
        name="node",
        argv=("node", "server.js", "--token", "sk-secret"),
        env={"TOKEN": "sk-secret"},
        start_s=400.0,
        rss_bytes=int(gigabytes * GB) + 4096,
        footprint_bytes=int(gigabytes * GB),
    )
    claim = Claim(identity=identity, host=host, role=Role.BACKEND, kind=ClaimKind.REGISTRY, source="session record")
    return Group(
        key=f"{host}:{name}",
        kind=kind,
        host=host,
        members=(Member(process=process, role=Role.BACKEND, claim=claim, cpu_percent=0.34567),),
        session=SessionKey(host, name) if is_session else None,
        title=title,
        cwd="/home/alex/shop",
        verdict=Verdict(
            state=state,
            idle_s=8040.04 if state is State.IDLE else None,
            since_epoch_s=TAKEN.timestamp() - 720,
            evidence=(
                Evidence(
                    kind=EvidenceKind.TURN,
                    speaks_for=Speaks.IDLE,
                    fact="The turn ended",
                    source="transcript",
                    at_epoch_s=1_796_000_000.5,
                ),
            ),
        )
        if is_session
        else None,
        rss_bytes=int(gigabytes * GB) + 4096,
        footprint_bytes=int(gigabytes * GB),
        footprint_metric="pss",
        cpu_percent=0.34567,
        decisions=decisions,
        resume=ResumeTicket(argv=("alpha", "--resume", name), cwd="/home/alex/my shop") if is_session else None,
    )


def snapshot(*groups: Group, problems: tuple[Problem, ...] = ()) -> Snapshot:
    held = [g for g in groups if g.counts]
    return Snapshot(
        taken_at=TAKEN,
        monotonic_s=900.0,
        interval_s=1.0,
        gap=False,
        machine=Machine(
            name="studio",
            platform="linux",
            memory_total_bytes=32 * GB,
            memory_available_bytes=20 * GB,
            pressure=Pressure.NORMAL,
            cpu_count=8,
        ),
        instances=(
            HostInstance(
                host="alpha", identity=Identity(41, 7), version="2.1.4", heap=Heap(used_bytes=5, limit_bytes=None)
            ),
            HostInstance(host="beta", error="has not answered for 40 s", address="http://127.0.0.1:4096"),
        ),
        labels=(HostLabel(host="alpha", title="Alpha", letters="Al", rank=1),),
        groups=groups,
        totals=Totals(
            processes=len(held),
            sessions=sum(g.kind is GroupKind.SESSION for g in held),
            rss_bytes=sum(g.rss_bytes for g in held),
            footprint_bytes=sum(g.footprint_bytes or 0 for g in held),
            held_bytes=sum(g.held_bytes for g in held),
            cpu_percent=None,
            reclaimable_bytes=sum(g.held_bytes for g in held if g.releasable),
        ),
        own=OwnCost(rss_bytes=60 * 1024**2, footprint_bytes=None, cpu_percent=0.3),
        problems=problems,
        footprint_metric="pss",
        uptime_s=1000.0,
    )


def outcome(target: Target, fate: Fate, sentence: str) -> Outcome:
    went = fate in (Fate.RELEASED, Fate.ENDED)
    return Outcome(
        target=target,
        fate=fate,
        sentence=sentence,
        reason=Reason.OPEN_TURN if fate is Fate.REFUSED else None,
        gone=target.members if went else (),
        survived=(Survivor(identity=target.members[0], name="node", note="did not answer SIGTERM"),)
        if fate is Fate.SURVIVED
        else (),
        came_back_bytes=target.expected_bytes if went else 0,
        took_s=1.5,
        steps=("SIGTERM to 4711",),
        resume=ResumeTicket(argv=("alpha", "--resume", "x"), cwd="/home/alex/my shop") if went else None,
    )


def receipt(*outcomes: Outcome, receipt_id: str = "r1") -> Receipt:
    return Receipt(
        receipt_id=receipt_id,
        started_at=TAKEN,
        finished_at=TAKEN + timedelta(seconds=4),
        origin="command line",
        outcomes=outcomes,
        available_before_bytes=20 * GB,
        available_after_bytes=22 * GB,
        footprint_metric="pss",
    )


class FakeCore:
    """Satisfy cli.Core; refuses what the real executor refuses: what the plan refuses, and what was not confirmed."""

    def __init__(self, seen: Snapshot, *, survivors: Sequence[str] = ()) -> None:
        self.seen = seen
        self.survivors = survivors
        self.reclaimed: list[Target] = []
        self.idle_after_s: float | None = None
        self.looks = 0
        self.running = False
        self.stops = 0
        self.journal: list[Receipt] = []
        self.begun: list[Intent] = []
        self.kept: dict[str, float | None] = {}
        self.cannot_keep: Exception | None = None
        self.tried: Sequence[DryRun] = ()
        self.why_off: Mapping[str, str] = {}
        self.findings: list[Finding] = []
        self.accounts: list[Account] = []
        self.csv: bytes | Exception = b"time_utc\r\n"
        self.recorded: list[tuple[Path, float, float]] = []
        self.cannot_record: OSError | None = None
        self.settings = Settings()
        self.host_labels: Sequence[HostLabel] = (
            HostLabel(host="alpha", title="Alpha", letters="AL"),
            HostLabel(host="beta-server", title="Beta Server", letters="BE"),
        )
        self.offers: list[HostSetup] = []
        self.resumed: list[tuple[str, ResumeTicket]] = []
        self.answer = CallResult(ok=True, message="It is back in the window “work”")
        self.exports: list[tuple[Path, float, float, str | Collection[str] | None, Tier]] = []

    def start(self) -> None:
        self.running = True

    def stop(self) -> None:
        self.running = False
        self.stops += 1

    def look(self, seconds: float = 1.0, *, idle_after_s: float | None = None) -> Snapshot:
        assert self.running
        self.looks += 1
        self.idle_after_s = idle_after_s
        return self.seen

    def reclaim(self, targets: Sequence[Target], origin: str, progress: Callable[[Progress], None]) -> Future[Receipt]:
        assert self.running
        assert origin == "command line"
        self.reclaimed.extend(targets)
        outcomes = []
        for number, target in enumerate(targets):
            progress(
                Progress(
                    done=number,
                    total=len(targets),
                    title=target.title,
                    label="SIGTERM",
                    waited_s=0.0,
                    wait_s=10.0,
                    came_back_bytes=0,
                )
            )
            of_group = self.seen.group(target.group_key)
            answer = of_group.decision(target.action) if of_group is not None else None
            allowed = answer.allowed if answer is not None else Allowed.REFUSE
            if allowed is Allowed.REFUSE or (allowed is Allowed.CONFIRM and not target.confirmed):
                outcomes.append(outcome(target, Fate.REFUSED, "Not released: a turn has started"))
            elif target.group_key in self.survivors:
                outcomes.append(outcome(target, Fate.SURVIVED, "1 process is still there"))
            else:
                outcomes.append(outcome(target, Fate.RELEASED, "1 process gone"))
        future: Future[Receipt] = Future()
        future.set_result(receipt(*outcomes))
        return future

    def receipts(self, limit: int) -> Future[Sequence[Receipt]]:
        future: Future[Sequence[Receipt]] = Future()
        future.set_result(self.journal[:limit])
        return future

    def keeps(self) -> tuple[Keep, ...]:
        return tuple(Keep(group_key=key, until_epoch_s=until) for key, until in self.kept.items())

    def keep(self, group_key: str, until_epoch_s: float | None) -> Future[None]:
        assert self.running
        future: Future[None] = Future()
        if self.cannot_keep is not None:
            future.set_exception(self.cannot_keep)
        else:
            self.kept[group_key] = until_epoch_s
            future.set_result(None)
        return future

    def unkeep(self, group_key: str) -> Future[None]:
        assert self.running
        future: Future[None] = Future()
        self.kept.pop(group_key, None)
        future.set_result(None)
        return future

    def open_intents(self) -> Future[Sequence[Intent]]:
        future: Future[Sequence[Intent]] = Future()
        future.set_result(self.begun)
        return future

    def policies(self) -> tuple[Policy, ...]:
        return self.settings.policies

    def switched_off(self) -> Mapping[str, str]:
        return self.why_off

    def update_policies(self, policies: tuple[Policy, ...]) -> Future[None]:
        assert self.running
        self.settings = self.settings.with_policies(policies)
        future: Future[None] = Future()
        future.set_result(None)
        return future

    def dry_runs(self) -> Future[Sequence[DryRun]]:
        assert self.looks
        future: Future[Sequence[DryRun]] = Future()
        future.set_result(self.tried)
        return future

    def incidents(self, limit: int) -> Future[Sequence[Incident]]:
        future: Future[Sequence[Incident]] = Future()
        future.set_result([account.incident for account in self.accounts[:limit]])
        return future

    def incident(self, incident_id: str) -> Future[Account | None]:
        future: Future[Account | None] = Future()
        future.set_result(next((a for a in self.accounts if a.incident.incident_id == incident_id), None))
        return future

    def host_setups(self, host: str) -> Future[Sequence[HostSetup]]:
        assert self.running
        future: Future[Sequence[HostSetup]] = Future()
        future.set_result([offer for offer in self.offers if offer.host == host])
        return future

    def set_up(self, offer: HostSetup) -> Future[None]:
        assert offer.permits is not None
        return self.permit(offer.host, offer.permits, allowed=True)

    def permit(self, host: str, permission: Permission, *, allowed: bool) -> Future[None]:
        assert self.running
        self.settings = self.settings.with_permission(host, permission, allowed)
        future: Future[None] = Future()
        future.set_result(None)
        return future

    def resume(self, host: str, ticket: ResumeTicket) -> Future[CallResult]:
        assert self.running
        self.resumed.append((host, ticket))
        future: Future[CallResult] = Future()
        future.set_result(self.answer)
        return future

    def export_csv(
        self,
        path: Path,
        *,
        since_epoch_s: float,
        until_epoch_s: float,
        session: str | Collection[str] | None,
        tier: Tier,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ) -> Future[int]:
        assert self.running
        self.exports.append((path, since_epoch_s, until_epoch_s, session, tier))
        future: Future[int] = Future()
        if isinstance(self.csv, Exception):
            future.set_exception(self.csv)
        else:
            path.write_bytes(self.csv)
            progress(1, 1)
            future.set_result(self.csv.count(b"\r\n") - 1)
        return future

    def record(self, path: Path, *, for_s: float, every_s: float, progress: Callable[[int], None]) -> Recorded:
        assert self.running
        self.recorded.append((path, for_s, every_s))
        if self.cannot_record is not None:
            raise self.cannot_record
        progress(1)
        return Recorded(path=path, ticks=round(for_s / every_s), size_bytes=8780)

    def doctor(self) -> Sequence[Finding]:
        assert self.running
        return self.findings
