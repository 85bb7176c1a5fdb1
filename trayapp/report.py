"""What the command line prints: snapshots, receipts and findings as documented JSON or as tables for people.

JSON has the dot, UTC and plain numbers whatever the locale, and nothing of an argument list or environment; docs/
snapshot.md describes every field. Tables use the words and number formats of every other face.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from rich.console import Group as Lines
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from trayapp import why
from trayapp.model.finding import Finding, Standing
from trayapp.model.plan import Action, Allowed, Decision
from trayapp.model.process import Identity, Process
from trayapp.model.receipt import Fate, Outcome, Receipt
from trayapp.model.session import Drift, EndsBy, Evidence, HostInstance, Problem, ResumeTicket
from trayapp.model.snapshot import SCHEMA, Group, GroupKind, HeapUse, Member, Snapshot
from trayapp.targets import resume_command
from trayapp.why import Bearing
from trayapp.wording import (
    ABSENT,
    THIN_SPACE,
    clock_time,
    decision_words,
    duration,
    heap_change_words,
    heap_content_words,
    heap_growth_words,
    heap_words,
    held_in_heap,
    memory,
    percent,
    state_words,
)

if TYPE_CHECKING:
    from trayapp.reclaim.journal import Intent

JSON = dict[str, Any]

SHORT_ID = 8
"""At least this much of a session's id is shown; more where two begin alike. As much of a receipt's."""


# ------------------------------------------------------------------------------------------------------------- JSON


def snapshot_to_json(snapshot: Snapshot) -> JSON:
    """Return a snapshot as schema 1 of docs/snapshot.md; optional fields are left out where nothing is known."""
    machine, totals = snapshot.machine, snapshot.totals
    return {
        "schema": SCHEMA,
        "taken_at": rfc3339(snapshot.taken_at),
        "machine": {
            "memory_total_bytes": machine.memory_total_bytes,
            "memory_available_bytes": machine.memory_available_bytes,
            "pressure": machine.pressure.value,
            "cpu_count": machine.cpu_count,
        },
        "hosts": [_instance(instance, snapshot) for instance in snapshot.instances],
        "groups": [_group(group, snapshot) for group in snapshot.groups],
        "totals": _known(
            {
                "processes": totals.processes,
                "sessions": totals.sessions,
                "rss_bytes": totals.rss_bytes,
                "cpu_percent": _rounded(totals.cpu_percent),
                "reclaimable_bytes": totals.reclaimable_bytes,
            },
            footprint_bytes=totals.footprint_bytes,
        ),
        "self": {"rss_bytes": snapshot.own.rss_bytes, "cpu_percent": _rounded(snapshot.own.cpu_percent)},
    }


def receipt_to_json(receipt: Receipt) -> JSON:
    """Return a receipt; times in UTC, sizes in bytes."""
    return {
        "receipt_id": receipt.receipt_id,
        "started_at": rfc3339(receipt.started_at),
        "finished_at": rfc3339(receipt.finished_at),
        "origin": receipt.origin,
        "complete": receipt.complete,
        "expected_bytes": receipt.expected_bytes,
        "came_back_bytes": receipt.came_back_bytes,
        "footprint_metric": receipt.footprint_metric,
        "available_before_bytes": receipt.available_before_bytes,
        "available_after_bytes": receipt.available_after_bytes,
        "outcomes": [_outcome(outcome) for outcome in receipt.outcomes],
        "heaps": [
            {
                "host": change.host,
                "pid": change.identity.pid,
                "before_bytes": change.before_bytes,
                "after_bytes": change.after_bytes,
                "limit_bytes": change.limit_bytes,
                "expected_bytes": change.expected_bytes,
                "awaited_s": round(change.awaited_s, 1),
                "collected": change.collected,
            }
            for change in receipt.heaps
        ],
        "returns": [
            _known(
                {
                    "key": returned.group_key,
                    "title": returned.title,
                    "at": rfc3339(returned.at),
                    "after_s": round(returned.after_s, 1),
                    "pids": [identity.pid for identity in returned.members],
                },
                by=returned.by,
            )
            for returned in receipt.returns
        ],
    }


def intent_to_json(intent: Intent) -> JSON:
    """Return an action that was begun and has no receipt."""
    return _known(
        {
            "receipt_id": intent.receipt_id,
            "started_at": rfc3339(intent.started_at),
            "origin": intent.origin,
            "targets": [
                {"key": target.group_key, "host": target.host, "title": target.title, "action": target.action.value}
                for target in intent.targets
            ],
        },
        pid=intent.actor.pid if intent.actor is not None else None,
    )


def choice_to_json(group: Group, decision: Decision) -> JSON:
    """Return what a call would do with a group, for --dry-run."""
    return {
        "key": group.key,
        "host": group.host,
        "title": group.name,
        **_action(decision),
        "sentence": decision.sentence,
        "expected_bytes": group.held_bytes,
        "pids": [member.process.pid for member in group.members],
    }


def finding_to_json(finding: Finding) -> JSON:
    """Return one line of `doctor`."""
    return _known({"topic": finding.topic, "standing": finding.standing.value, "what": finding.what}, mend=finding.mend)


def rfc3339(moment: datetime) -> str:
    """Return a UTC time to the millisecond: "2026-11-30T14:06:00.123Z"."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def _known(fields: JSON, **optional: Any) -> JSON:
    """Add the optional fields that have a value: what is absent is left out, never 0."""
    return fields | {name: value for name, value in optional.items() if value is not None}


def _rounded(cpu_percent: float | None) -> float | None:
    return None if cpu_percent is None else round(cpu_percent, 3)


def _instance(instance: HostInstance, snapshot: Snapshot) -> JSON:
    return _known(
        {
            "host": instance.host,
            "pid": instance.identity.pid if instance.identity is not None else None,
            "version": instance.version,
        },
        address=instance.address,
        heap=_heap(instance, snapshot),
        heap_limit_bytes=instance.heap_limit_bytes if instance.heap is None else None,
        error=instance.error,
    )


def _heap(instance: HostInstance, snapshot: Snapshot) -> JSON | None:
    heap = instance.heap
    if heap is None:
        return None
    told: JSON = {"used_bytes": heap.used_bytes, "limit_bytes": heap.limit_bytes}
    use = next((use for use in snapshot.heaps if use.identity == instance.identity), None)
    if use is not None:
        told |= {"sessions_bytes": use.sessions_bytes, "releasable_bytes": use.releasable_bytes}
    growth = use.growth_bytes_per_h if use is not None else None
    return _known(
        told,
        external_bytes=heap.external_bytes,
        growth_bytes_per_h=round(growth) if growth is not None else None,
        full_in_s=round(use.full_in_s) if use is not None and use.full_in_s is not None else None,
    )


def _group(group: Group, snapshot: Snapshot) -> JSON:
    verdict = group.verdict
    surplus = {member.process.identity for member in group.surplus}
    return _known(
        {
            "key": group.key,
            "kind": group.kind.value,
            "host": group.host,
            "evidence": [_evidence(one, verdict.read_epoch_s(one)) for one in verdict.evidence] if verdict else [],
            "flags": list(group.flags),
            "rss_bytes": group.rss_bytes,
            "footprint_metric": group.footprint_metric,
            "processes": [_member(member, snapshot, surplus) for member in group.members],
            "actions": [_action(decision) for decision in group.decisions],
        },
        session_id=group.session.session_id if group.session is not None else None,
        title=group.title,
        cwd=group.cwd,
        state=verdict.state.value if verdict is not None else None,
        idle_seconds=round(verdict.idle_s, 1) if verdict is not None and verdict.idle_s is not None else None,
        footprint_bytes=group.footprint_bytes,
        heap_bytes=group.retained_bytes,
        model=group.model,
        tokens=group.tokens,
        not_understood=_drift(group.drift),
        cpu_percent=_rounded(group.cpu_percent),
        resume=_resume(group.resume),
    )


def _drift(drift: Drift | None) -> JSON | None:
    return None if drift is None else _known({"where": drift.where, "field": drift.field}, version=drift.version)


def _evidence(evidence: Evidence, read_epoch_s: float | None) -> JSON:
    return _known(
        {
            "kind": evidence.kind.value,
            "speaks_for": evidence.speaks_for.value,
            "fact": evidence.fact,
            "source": evidence.source,
        },
        at=_moment(evidence.at_epoch_s),
        read_at=_moment(read_epoch_s),
    )


def _moment(epoch_s: float | None) -> str | None:
    return None if epoch_s is None else rfc3339(datetime.fromtimestamp(epoch_s, UTC))


def _member(member: Member, snapshot: Snapshot, surplus: Collection[Identity]) -> JSON:
    process = member.process
    return _known(
        {
            "pid": process.pid,
            "started_at": _started_at(process, snapshot),
            "name": process.name,
            "role": member.role.value,
            "rss_bytes": process.rss_bytes,
            "claim": member.claim.kind.word if member.claim is not None else None,
        },
        surplus=True if process.identity in surplus else None,
        ends_by=member.ends_by.value if member.ends_by is not EndsBy.SIGNAL else None,
        footprint_bytes=process.footprint_bytes,
        cpu_percent=_rounded(member.cpu_percent),
    )


def _started_at(process: Process, snapshot: Snapshot) -> str | None:
    if snapshot.uptime_s is None:
        return None
    return rfc3339(snapshot.taken_at - timedelta(seconds=snapshot.uptime_s - process.start_s))


def _action(decision: Decision) -> JSON:
    return {"action": decision.action.value, "allowed": decision.allowed.value, "reason": decision.reason.value}


def _resume(ticket: ResumeTicket | None) -> JSON | None:
    if ticket is None:
        return None
    return _known({"argv": list(ticket.argv)}, cwd=ticket.cwd, note=ticket.note, by_host=True if ticket.call else None)


def _outcome(outcome: Outcome) -> JSON:
    target = outcome.target
    return _known(
        {
            "key": target.group_key,
            "host": target.host,
            "title": target.title,
            "action": target.action.value,
            "fate": outcome.fate.value,
            "sentence": outcome.sentence,
            "expected_bytes": target.expected_bytes,
            "came_back_bytes": outcome.came_back_bytes,
            "rss_came_back_bytes": outcome.rss_came_back_bytes,
            "took_s": round(outcome.took_s, 3),
            "gone": [identity.pid for identity in outcome.gone],
            "survived": [{"pid": s.identity.pid, "name": s.name, "note": s.note} for s in outcome.survived],
            "steps": list(outcome.steps),
        },
        reason=outcome.reason.value if outcome.reason is not None else None,
        resume=_resume(outcome.resume),
        unattended=True if target.unattended else None,
    )


# ----------------------------------------------------------------------------------------------------------- people


def snapshot_table(snapshot: Snapshot) -> RenderableType:
    """Return what holds what: the total in a line, then a row for each group."""
    shown = [group for group in snapshot.groups if group.counts]
    parts: list[RenderableType] = [_headline(snapshot)]
    if shown:
        table = _table("Session", "Host", "State", ">Memory", ">RSS", ">CPU", "Id")
        ids = short_ids(shown)
        for group in sorted(shown, key=lambda g: -g.held_bytes):
            table.add_row(
                clean(_name(snapshot, group)),
                _host_title(snapshot, group),
                clean(state_words(group, now_epoch_s=snapshot.taken_at.timestamp())),
                Text(held(group), style="bold"),
                Text("≤" + memory(group.rss_bytes) if len(group.members) > 1 else memory(group.rss_bytes)),
                Text(percent(group.cpu_percent)),
                clean(ids[group.key]),
            )
        parts.append(table)
    parts.extend(_heap_line(heap, snapshot) for heap in snapshot.heaps)
    parts.extend(_limit_line(i, snapshot) for i in snapshot.instances if i.heap is None and i.heap_limit_bytes)
    parts.append(Text(_own_cost(snapshot), style="dim"))
    return Lines(*parts)


def _limit_line(instance: HostInstance, snapshot: Snapshot) -> Text:
    label = snapshot.label(instance.host)
    title = label.title if label is not None else instance.host
    pid = instance.identity.pid if instance.identity is not None else ABSENT
    limit = memory(instance.heap_limit_bytes)
    return clean(f"Heap of {title} ({pid}): at most {limit}; how full it is cannot be told from outside")


def _heap_line(heap: HeapUse, snapshot: Snapshot) -> Text:
    label = snapshot.label(heap.host)
    said = [heap_words(heap), heap_content_words(heap), heap_growth_words(heap)]
    title = label.title if label is not None else heap.host
    return clean(f"Heap of {title} ({heap.identity.pid}): {', '.join(words for words in said if words is not None)}")


_SIGNS = {Bearing.FOR: "✓", Bearing.TOLD: ABSENT, Bearing.UNREADABLE: "?", Bearing.AGAINST: "!"}


def why_lines(group: Group, snapshot: Snapshot) -> RenderableType:
    """Return why a group stands as it stands: its verdict, the evidence, what may be done, and its processes."""
    now_epoch_s = snapshot.taken_at.timestamp()
    head = clean(f"{group.name}, {held(group)}: {why.verdict_words(group, now_epoch_s)}")
    head.stylize("bold")
    evidence = _table("", "", "", "")
    for line in why.lines(group, now_epoch_s):
        evidence.add_row(Text(_SIGNS[line.bearing]), clean(line.fact), clean(line.source), clean(line.age))
    actions = _table("", "", "")
    for decision in group.decisions:
        allowed = {Allowed.ALLOW: "yes", Allowed.CONFIRM: "asks first", Allowed.REFUSE: "no"}[decision.allowed]
        actions.add_row(clean(decision.action.value), Text(allowed), clean(decision_words(decision)))
    processes = _table("Process", ">Pid", "Role", "Belongs here because", ">RSS")
    for member in group.members:
        because = member.claim.source if member.claim is not None else ABSENT
        processes.add_row(
            clean(member.process.name),
            Text(str(member.process.pid)),
            Text(member.role.value),
            clean(because),
            Text(memory(member.process.rss_bytes)),
        )
    for table in (evidence, actions):
        table.show_header = False
    resume = resume_command(group.resume)
    return Lines(head, evidence, actions, processes, *([clean(f"resume: {resume}")] if resume is not None else []))


def choices_table(choices: Iterable[tuple[Group, Decision]], snapshot: Snapshot) -> RenderableType:
    """Return what a call would do, and why."""
    table = _table("Session", "Host", ">Memory", "Answer", "Why")
    for group, decision in choices:
        table.add_row(
            clean(group.name),
            _host_title(snapshot, group),
            Text(held(group), style="bold"),
            Text({"allow": "yes", "confirm": "asks first", "refuse": "no"}[decision.allowed.value]),
            clean(decision_words(decision)),
        )
    return table


def receipt_lines(receipt: Receipt) -> RenderableType:
    """Return a receipt: what came back, then a line for each target, what survived, and how to resume."""
    lines: list[RenderableType] = [Text(_came_back(receipt), style="bold")]
    for outcome in receipt.outcomes:
        line = clean(f"  {outcome.target.title}: {outcome.sentence}")
        if outcome.fate in (Fate.SURVIVED, Fate.REFUSED):
            line.stylize("yellow")
        lines.append(line)
        for survivor in outcome.survived:
            lines.append(clean(f"    still there: {survivor.name} ({survivor.identity.pid}), {survivor.note}"))
        returned = receipt.returned(outcome)
        if returned is not None:
            line = clean(f"    {returned.sentence}")
            line.stylize("yellow")
            lines.append(line)
        way_back = _way_back(outcome)
        if way_back is not None:
            lines.append(clean(f"    resume: {way_back}"))
    lines.extend(clean(f"  {heap_change_words(change)}") for change in receipt.heaps)
    return Lines(*lines)


def _way_back(outcome: Outcome) -> str | None:
    """Return the line that brings a session back, or what its host says of that; None where nothing went."""
    ticket = outcome.resume
    went = outcome.fate is Fate.RELEASED or outcome.gone
    if ticket is None or not went or outcome.target.action is Action.END_DUPLICATE:
        return None
    if ticket.call is not None and not ticket.argv:
        return f"agentring resume {shlex.quote(outcome.target.group_key)}"
    return resume_command(ticket) or ticket.note


def journal_lines(
    receipts: Sequence[Receipt], *, open_intents: Sequence[Intent] = (), now_epoch_s: float
) -> RenderableType:
    """Return the journal, newest first; before it what was begun and has no outcome."""
    lines: list[RenderableType] = [_open_line(intent, now_epoch_s) for intent in open_intents]
    if not receipts:
        lines.append(Text("Nothing has been released or ended yet."))
    for receipt in receipts:
        when = clock_time(receipt.finished_at.timestamp(), now_epoch_s=now_epoch_s)
        asked_by = _asked_by(receipt.origin, unattended=any(o.target.unattended for o in receipt.outcomes))
        lines += [clean(f"{when}, {asked_by}, receipt {receipt.receipt_id[:SHORT_ID]}"), receipt_lines(receipt)]
    return Lines(*lines)


def _open_line(intent: Intent, now_epoch_s: float) -> Text:
    when = clock_time(intent.started_at.timestamp(), now_epoch_s=now_epoch_s)
    asked_by = _asked_by(intent.origin, unattended=any(target.unattended for target in intent.targets))
    what = ", ".join(f"{target.action.value} {target.title}" for target in intent.targets)
    who = f" in process {intent.actor.pid}" if intent.actor is not None else ""
    line = clean(f"{when}, {asked_by}: begun{who}, no outcome: {what}")
    line.stylize("yellow")
    return line


def _asked_by(origin: str, *, unattended: bool) -> str:
    return f"by {origin}" if unattended else f"from the {origin}"


def findings_table(findings: Iterable[Finding]) -> RenderableType:
    """Return what `doctor` found; trouble has its mend on a line of its own."""
    table = _table("", "", "")
    table.show_header = False
    marks = {Standing.GOOD: "ok", Standing.ABSENT: ABSENT, Standing.TROUBLE: "!"}
    for finding in findings:
        what = clean(finding.what)
        if finding.mend is not None:
            what = what.append("\n").append_text(clean(finding.mend))
        table.add_row(Text(marks[finding.standing], style="bold"), clean(finding.topic), what)
    return table


def problem_line(problem: Problem) -> str:
    """Return a problem as one line."""
    return clean(str(problem)).plain


def held(group: Group) -> str:
    """Say what a group holds, with "≤" where shared pages may be counted more than once."""
    upper_bound = group.held_is_upper_bound and len(group.members) > 1
    own, in_heap = ("≤" if upper_bound else "") + memory(group.held_bytes), held_in_heap(group)
    if in_heap is None:
        return own
    return f"{own} + {in_heap} heap" if group.members else f"{in_heap} heap"


def short_ids(groups: Iterable[Group]) -> dict[str, str]:
    """Return, by key, the shortest beginning of each session's id that names it alone; for others their first pid."""
    groups = list(groups)
    ids = [group.session.session_id for group in groups if group.session is not None]
    short: dict[str, str] = {}
    for group in groups:
        if group.session is None:
            short[group.key] = str(group.members[0].process.pid) if group.members else ABSENT
            continue
        whole = group.session.session_id
        lengths = range(SHORT_ID, len(whole))
        length = next((n for n in lengths if sum(i.startswith(whole[:n]) for i in ids) == 1), len(whole))
        short[group.key] = whole[:length]
    return short


def clean(text: str) -> Text:
    """Return text on one line that cannot steer a terminal: titles come from outside."""
    return Text("".join(_harmless(char) for char in text))


def _harmless(char: str) -> str:
    if char.isprintable() or char in (THIN_SPACE, "\u00a0"):
        return char
    return " " if char.isspace() else "\ufffd"


def _table(*columns: str) -> Table:
    """Make a table without lines; a heading with ">" is a column of figures."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for number, heading in enumerate(columns):
        figures = heading.startswith(">")
        table.add_column(
            heading.lstrip(">"),
            justify="right" if figures else "left",
            no_wrap=figures or number == 0,
            overflow="ellipsis" if number == 0 else "fold",
        )
    return table


def _headline(snapshot: Snapshot) -> Text:
    totals = snapshot.totals
    if not any(group.counts for group in snapshot.groups):
        return Text("No agent session is running.", style="bold")
    upper_bound = "≤" if totals.footprint_bytes is None else ""
    of = memory(snapshot.machine.memory_total_bytes)
    head = Text(f"{upper_bound}{memory(totals.held_bytes)} of {of} held", style="bold")
    if snapshot.footprint_metric is not None:
        head.append(f" ({snapshot.footprint_metric})", style="not bold dim")
    can_go = totals.reclaimable_bytes
    head.append(f", {memory(can_go)} can be released now" if can_go else ", nothing to release", style="not bold")
    return head


def _host_title(snapshot: Snapshot, group: Group) -> Text:
    label = snapshot.label(group.host)
    return clean(label.title if label is not None else group.host or ABSENT)


def _name(snapshot: Snapshot, group: Group) -> str:
    """Return what a row is called; what a host keeps for itself after the host, not after its first process."""
    label = snapshot.label(group.host)
    return f"{label.title} itself" if group.kind is GroupKind.INFRA and label is not None else group.name


def _own_cost(snapshot: Snapshot) -> str:
    monitor = [group for group in snapshot.groups if group.kind is GroupKind.MONITOR]
    rss = snapshot.own.rss_bytes if snapshot.own.rss_bytes is not None else sum(g.rss_bytes for g in monitor) or None
    return f"Agent Ring itself: {memory(rss)}, {percent(snapshot.own.cpu_percent)}"


def _came_back(receipt: Receipt) -> str:
    if receipt.outcomes and all(outcome.fate is Fate.REFUSED for outcome in receipt.outcomes):
        return "Nothing was done"
    if receipt.came_back_bytes <= 0:
        return "Released" if receipt.heaps else "Nothing came back"
    took = duration((receipt.finished_at - receipt.started_at).total_seconds())
    return f"{memory(receipt.came_back_bytes)} of {memory(receipt.expected_bytes)} came back in {took}"
