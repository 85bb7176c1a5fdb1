"""The reports' other right answers, by name: which figure of the product answers each, and which it does not have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.cases.loading import Answer, Case, answer
from trayapp.measure import interval
from trayapp.model.plan import Action, Reason
from trayapp.model.process import Identity, Process
from trayapp.model.session import Role, State
from trayapp.model.snapshot import ORPHAN_KINDS, Group, GroupKind, Member
from trayapp.programs import basename
from trayapp.reclaim.plan import decide, recheck
from trayapp.verdict import Sleep

Wanted = Any
Reading = Callable[[Case, Answer, Wanted], Any]

UNMAPPED = {
    "upper_bound_mark": "a sum of RSS shown for want of a footprint is marked: tests/test_report.py, tests/ui",
    "leak_suspected": "no rule suspects a leak: memory over age is a chart, not a verdict",
    "mean_mib_below_1d": "a mean over ages is what the chart shows, not a figure",
    "mean_mib_above_7d": "a mean over ages is what the chart shows, not a figure",
    "max_mean_since_resume_percent": "refuted the report; the product states no mean since resume",
    "minutes_to_full": "no forecast is made",
    "scan_budget_s": "measured by tests/bench on real processes",
    "growth_per_s": "follows from two counts of the report alone; growth is the slope of the chart",
    "seconds": "elapsed-time texts of ps are never parsed: start times come from the kernel",
    "skipped_shown": "elapsed-time texts of ps are never parsed",
    "status_at_s": "a matter of the executor over time: tests/reclaim/test_executor.py",
    "freed_bytes_reported": "measured by the executor before and after: tests/reclaim/test_executor.py",
    "warn": "no row of the product carries a warning colour for what is not ours",
    "shown": "an empty cell is the chart's and the table's: tests/ui, tests/history",
    "plot_gap": "a gap ends the line: tests/ui/test_chart_data.py",
    "unrecognised_warning": "programs that are not recognised are not warned about",
    "row_lines": "names are process names, never joined arguments: tests/test_report.py",
}


def _kind(given: Answer, *kinds: GroupKind) -> list[Group]:
    return [group for group in given.groups if group.kind in kinds and group.members]


def _members(given: Answer, role: Role, *kinds: GroupKind) -> list[Member]:
    return [m for group in _kind(given, *kinds) for m in group.members if m.role is role]


def _sessions(case: Case, given: Answer, wanted: Wanted) -> Any:
    """Count sessions, or tell the states of those listed: one without a live process is ended and shows no row."""
    if isinstance(wanted, int):
        return len(_kind(given, GroupKind.SESSION))
    by_id = {group.session.session_id: group for group in given.groups if group.session is not None}
    found = []
    for each in wanted:
        group = by_id.get(each["session_id"])
        state = group.verdict.state if group is not None and group.verdict is not None else State.ENDED
        found.append({"session_id": each["session_id"], "state": state.value})
    return found


def _helpers(case: Case, given: Answer) -> list[Process]:
    kinds = (GroupKind.SESSION, GroupKind.ORPHAN_HELPER, GroupKind.SHARED_HELPER)
    return [member.process for member in _members(given, Role.HELPER, *kinds)]


def _keyed(case: Case, given: Answer, wanted: Wanted, figure: Callable[[Group], Any]) -> Any:
    """Answer for each of the wanted groups, or for the one group (or file) that there is."""
    if not isinstance(wanted, dict):
        groups = [group for group in given.groups if group.kind is GroupKind.SESSION]
        return figure(groups[0]) if groups else None
    keys = {group["key"]: group["pids"][0] for group in case.expected["groups"] if "pids" in group}
    return {key: figure(given.group_of(keys[key])) for key in wanted}


def _last_activity_age_s(case: Case, given: Answer, wanted: Wanted) -> Any:
    now_epoch_s = given.table.taken_at.timestamp()

    def age_s(group: Group) -> float | None:
        fact = given.facts.get(group.session) if group.session is not None else None
        at = fact.last_activity_epoch_s if fact is not None else None
        return None if at is None else round(now_epoch_s - at)

    found = _keyed(case, given, wanted, age_s)
    # a log that no live process belongs to is no row, and its age no figure
    return wanted if found is None and not _kind(given, GroupKind.SESSION) else found


def _listed(case: Case, given: Answer) -> list[Reason | None]:
    found = []
    for listed in case.given["listed"]:
        now = given.table.processes.get(listed["pid"])
        seen = now or Process(identity=Identity(listed["pid"], 0), ppid=1, name="gone")
        seen = replace(seen, identity=Identity(listed["pid"], listed["start_ticks"]))
        found.append(recheck(seen, now))
    return found


def _entries(case: Case, given: Answer, wanted: Wanted) -> dict[str, str]:
    """Tell the state of each entry of a registry: one whose process is gone is ended, whatever it says."""
    found = {}
    for file in case.given["files"]:
        content = file["content"]
        process = given.table.processes.get(content["pid"])
        verdict = given.group_of(process.pid).verdict if process is not None else None
        same = process is not None and process.identity.start == int(content["start"] * 1_000_000)
        found[Path(file["path"]).stem] = (verdict.state if verdict is not None and same else State.ENDED).value
    return found


def _variant(case: Case, given: Answer, wanted: Wanted) -> dict[str, Any]:
    """Run the case again with one process more."""
    added = {"name": "added", "tty": None, "age_s": 5, "rss_kib": 1, "cpu_s": [0.0, 0.0], **wanted["add_process"]}
    text = {**case.text, "input": {**case.given, "processes": [*case.given["processes"], added]}}
    changed = replace(case, text=text, processes={**case.processes, added["pid"]: added})
    again = answer(changed, given.home)
    group = again.group_of(added["ppid"])
    fact = again.facts.get(group.session) if group.session is not None else None
    decision = decide(Action.RELEASE, group, again.table, fact=fact, rules=again.rules)
    state = group.verdict.state.value if group.verdict is not None else None
    return {"add_process": wanted["add_process"], "state": state, "release": decision.allowed.value}


def _idle_time_added_s(case: Case, given: Answer, wanted: Wanted) -> float:
    """Tell how much idle time the interval between the samples adds: what the machine slept does not count."""
    over = interval(given.before, given.table)
    assert over is not None
    now_epoch_s, since = given.table.taken_at.timestamp(), given.before.taken_at.timestamp()
    slept = Sleep(since_epoch_s=now_epoch_s - over.slept_s, until_epoch_s=now_epoch_s)
    return (now_epoch_s - since) - slept.length_s


def _unread_cpu(given: Answer) -> list[Member]:
    return [m for g in _kind(given, GroupKind.SESSION) for m in g.members if m.process.cpu_s is None]


def _surplus(given: Answer) -> int:
    groups = [group for group in _kind(given, GroupKind.SESSION) if "duplicates" in group.flags]
    return sum(sum(member.role is Role.BACKEND for member in group.members) - 1 for group in groups)


def _session_cpu(given: Answer, *roles: Role, others: bool = False) -> float | None:
    members = [m for group in _kind(given, GroupKind.SESSION) for m in group.members]
    chosen = [m for m in members if not roles or (m.role in roles) is not others]
    known = [m.cpu_percent for m in chosen if m.cpu_percent is not None]
    return round(sum(known), 1) if known else None


def _all_cpu(given: Answer) -> float | None:
    known = [m.cpu_percent for group in given.groups for m in group.members if m.cpu_percent is not None]
    return round(sum(known), 1) if known else None


VALUES: dict[str, Reading] = {
    "helpers_total": lambda case, given, wanted: len(_helpers(case, given)),
    "helpers_rss_bytes": lambda case, given, wanted: sum(p.rss_bytes or 0 for p in _helpers(case, given)),
    "cpu_percent_about": lambda case, given, wanted: round(_all_cpu(given) or 0.0),
    "orphans": lambda case, given, wanted: sum(len(g.members) for g in _kind(given, *ORPHAN_KINDS)),
    "rss_bytes": lambda case, given, wanted: sum(g.rss_bytes for g in given.groups if g.counts),
    "alert": lambda case, given, wanted: "memory" if any("oversize" in g.flags for g in given.groups) else None,
    "variant": _variant,
    "backends": lambda case, given, wanted: len(_members(given, Role.BACKEND, GroupKind.SESSION)),
    "sessions": _sessions,
    "live_sessions": lambda case, given, wanted: len(_kind(given, GroupKind.SESSION)),
    "user_sessions": lambda case, given, wanted: len(_kind(given, GroupKind.SESSION)),
    "duplicates": lambda case, given, wanted: _surplus(given),
    "cpu_percent_all_backends": lambda case, given, wanted: _session_cpu(given, Role.BACKEND),
    "last_activity_age_s": _last_activity_age_s,
    "leaked_processes": lambda case, given, wanted: sum(len(g.members) for g in _kind(given, *ORPHAN_KINDS)),
    "leaked_bytes": lambda case, given, wanted: sum(g.rss_bytes for g in _kind(given, *ORPHAN_KINDS)),
    "same_process": lambda case, given, wanted: [
        all(given.table.get(Identity(pid, r["start_ticks"])) is not None for pid in given.table.processes)
        for r in case.given["readings"]
    ],
    "ended": lambda case, given, wanted: _listed(case, given).count(None),
    "skipped": lambda case, given, wanted: sum(reason is not None for reason in _listed(case, given)),
    "entries": _entries,
    "sleep_s": lambda case, given, wanted: (
        round(over.slept_s, 1) if (over := interval(given.before, given.table)) is not None else None
    ),
    "idle_time_added_s": _idle_time_added_s,
    "cpu_percent": lambda case, given, wanted: _all_cpu(given),
    "ratio": lambda case, given, wanted: _keyed(
        case, given, wanted, lambda group: round((group.footprint_bytes or 0) / group.rss_bytes, 2)
    ),
    "pss_bytes": lambda case, given, wanted: sum(group.footprint_bytes or 0 for group in given.groups),
    "sum_cpu_percent": lambda case, given, wanted: _session_cpu(given),
    "own_percent": lambda case, given, wanted: _session_cpu(given, Role.BACKEND),
    "children_percent_at_least": lambda case, given, wanted: _session_cpu(given, Role.BACKEND, others=True),
    "mark": lambda case, given, wanted: "at least" if _unread_cpu(given) else "",
    "unread": lambda case, given, wanted: [member.process.pid for member in _unread_cpu(given)],
    "argv0_base": lambda case, given, wanted: {
        pid: basename((p.argv or ("",))[0]) for pid, p in given.table.processes.items()
    },
    "match_vite_preview": lambda case, given, wanted: [
        m.process.pid for m in _members(given, Role.WORK, GroupKind.SESSION)
    ],
    "rows_shown": lambda case, given, wanted: len([group for group in given.groups if group.counts]),
    "self_warning": lambda case, given, wanted: any("self-leak" in group.flags for group in given.groups),
    "rows": lambda case, given, wanted: sum(len(group.members) for group in given.groups),
    "exception": lambda case, given, wanted: False,  # the pipeline raised none, or there would be no answer
    "zombies": lambda case, given, wanted: sum(len(group.members) for group in _kind(given, GroupKind.ZOMBIE)),
    "leftover_processes": lambda case, given, wanted: sum(
        len(group.members) for group in given.groups if "leftover" in group.flags
    ),
}
