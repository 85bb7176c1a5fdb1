"""Every real report, run through the real pipeline: groups, totals and actions as its right answer has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.cases.conftest import OWN, folders
from tests.cases.loading import HOSTS, Answer, Case, answer, load
from tests.cases.values import UNMAPPED, VALUES
from trayapp.model.plan import Action, Allowed, Reason
from trayapp.model.process import Identity, Process
from trayapp.model.snapshot import Group, GroupKind
from trayapp.reclaim.plan import decide, part_of, recheck


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" not in metafunc.fixturenames:
        return
    cases = [load(path) for folder in folders(metafunc.config) for path in sorted(folder.glob("[0-9]*.yaml"))]
    tables = [case for case in cases if case.kind == "process-table"]
    metafunc.parametrize("case", tables, ids=[case.name for case in tables])


@pytest.fixture(scope="session")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Answer each case once, for all its aspects."""

    @cache
    def of(path: Path) -> Answer:
        return answer(load(path), tmp_path_factory.mktemp("home"))

    return of


def test_groups(case: Case, answers: Any) -> None:
    given = answers(case.path)
    for wanted in case.expected["groups"]:
        pids = _pids(case, wanted)
        if not pids:  # a row that only a record knows: the product shows none
            continue
        groups = {given.group_of(pid).key: given.group_of(pid) for pid in pids}
        for pid in pids:
            _compare(wanted, given.group_of(pid), pid)
        if wanted["kind"] == "session":
            assert len(groups) == wanted.get("sessions", 1), sorted(groups)
        members = [m for g in groups.values() for m in g.members if m.process.pid in set(pids)]
        assert sum(m.process.rss_bytes or 0 for m in members) == wanted["rss_bytes"]
        if "cpu_percent" in wanted:
            assert sum(m.cpu_percent or 0.0 for m in members) == pytest.approx(wanted["cpu_percent"], abs=0.06)
        if "footprint_bytes" in wanted:
            assert sum(g.footprint_bytes or 0 for g in groups.values()) == wanted["footprint_bytes"]


def _compare(wanted: dict[str, Any], group: Group, pid: int) -> None:
    assert group.kind.value == wanted["kind"], (pid, group.key)
    if "host" in wanted:
        assert group.host == HOSTS.get(wanted["host"], wanted["host"]), (pid, group.key)
    if "session_id" in wanted:
        assert group.session is not None, (pid, group.key)
        assert group.session.session_id == wanted["session_id"], (pid, group.key)
    if "state" in wanted:
        state = group.verdict.state.value if group.verdict is not None else None
        assert state == wanted["state"], (pid, group.key, group.verdict)
    if "owner_hint" in wanted:
        assert group.owner_hint == wanted["owner_hint"]
    for flag in wanted.get("flags", ()):
        assert flag in group.flags, (pid, group.flags)


def test_totals(case: Case, answers: Any) -> None:
    given = answers(case.path)
    wanted = case.expected["totals"]
    members = [member for group in given.groups for member in group.members]
    assert len({member.process.pid for member in members}) == len(members) == wanted["processes"]
    assert sum(member.process.rss_bytes or 0 for member in members) == wanted["rss_bytes"]
    sessions = [g for g in given.groups if g.kind is GroupKind.SESSION and g.members]
    assert len(sessions) == wanted["sessions"], [g.key for g in sessions]


def test_actions(case: Case, answers: Any) -> None:
    given = answers(case.path)
    for wanted in case.expected.get("actions", ()):
        for found in _decided(case, given, wanted):
            assert found == (wanted["allowed"], wanted["reason"]), wanted


def test_values(case: Case, answers: Any) -> None:
    """Check the other right answers of our own reports; what the names of other folders mean is not known here."""
    if not (OWN / case.path.name).exists():
        return
    given = answers(case.path)
    for name, wanted in case.expected.get("values", {}).items():
        if name in UNMAPPED:
            continue
        found = VALUES[name](case, given, wanted)
        assert found == (pytest.approx(wanted, rel=1e-3) if isinstance(wanted, float) else wanted), name


def test_no_value_without_a_figure_lacks_a_reason() -> None:
    named = {
        name
        for path in OWN.glob("[0-9]*.yaml")
        if (case := load(path)).kind == "process-table"
        for name in case.expected.get("values", {})
    }
    assert named == VALUES.keys() | UNMAPPED.keys()
    assert not VALUES.keys() & UNMAPPED.keys()


def _decided(case: Case, given: Answer, wanted: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the product's answers to one wanted action: of what it starts from, else of each group that it is about."""
    target, action = str(wanted["target"]), str(wanted["action"])
    changed = _changed(case, given, target) or _changed_since(case, given, target, wanted.get("via"))
    if changed is not None:
        yield "refuse", changed.value
        return
    groups = _targets(case, given, target)
    if action == "signal-group":
        groups = [part_of(given.group_of(pid), pid) for pid in _process_group(case, groups)]
    decisions = []
    for group in groups:
        fact = given.facts.get(group.session) if group.session is not None else None
        decisions.append(
            decide(_ACTIONS.get(action) or Action(action), group, given.table, fact=fact, rules=given.rules)
        )
    if action == "signal-group":
        # one signal to all of them at once: the strictest answer counts
        decisions = sorted(decisions, key=lambda d: _STRICTEST.index(d.allowed))[:1]
    yield from ((decision.allowed.value, decision.reason.value) for decision in decisions)


_ACTIONS = {"signal-group": Action.KILL, "send-keys": Action.KILL}
"""What the product never does, and what it is judged as: keys and group signals may end a process."""
_STRICTEST = (Allowed.REFUSE, Allowed.CONFIRM, Allowed.ALLOW)


def _process_group(case: Case, groups: Sequence[Group]) -> list[int]:
    """Return all processes in the process groups of these, of the whole table."""
    wanted = {case.processes[m.process.pid].get("pgid", m.process.pid) for group in groups for m in group.members}
    return [pid for pid, process in case.processes.items() if process.get("pgid", pid) in wanted]


def _changed_since(case: Case, given: Answer, target: str, via: Any) -> Reason | None:
    """Judge an action that starts from a record by that record first (PRECEDENCE A15)."""
    record = _record(case, target, via)
    if record is None:
        return None
    pid = int(record.get("pid", target if target.isdecimal() else 0))
    now = given.table.processes.get(pid)
    if now is None:
        return Reason.IDENTITY_UNVERIFIED if pid in case.given.get("alive_outside", ()) else Reason.ALREADY_ENDED
    start = next((record[key] for key in ("procStart", "start", "start_ticks", "start_epoch") if key in record), None)
    own = case.processes[now.pid]
    known = {str(own[key]) for key in ("start_ticks", "start_epoch") if key in own}
    same = start is None or str(start) in known
    if start is None and "mtime_age_s" in record:
        same = given.table.age_s(now) >= float(record["mtime_age_s"])
    argv = record.get("argv")
    seen = replace(
        now,
        identity=now.identity if same else Identity(now.pid, -1),
        argv=now.argv if argv is None else tuple(argv),
        name=record.get("name", now.name),
    )
    parent = given.table.processes.get(now.ppid)
    if parent is not None and "ppid" in record and parent.start_s > now.start_s:
        return Reason.IDENTITY_CHANGED
    return recheck(seen, now)


def _record(case: Case, target: str, via: Any) -> dict[str, Any] | None:
    """Find the record that an action names: itself, an entry of a file, or one of a list of the input."""
    if via is None:
        return None
    if isinstance(via, dict):
        return via
    wanted = target.partition(" ")[0]
    for file in case.given.get("files", ()):
        if str(file["path"]).endswith(str(via)):
            found = next((e for e in _entries(file.get("content")) if _is_about(e, wanted)), None)
            return None if found is None else {"mtime_age_s": file.get("mtime_age_s", 0), **found}
    return next((e for e in _entries(case.given.get(str(via))) if _is_about(e, wanted)), None)


def _entries(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every entry with a pid in a record, however deep; one under a session's id says so."""
    if isinstance(value, dict):
        if "pid" in value:
            yield value
        for key, below in value.items():
            yield from ({"sessionId": key, **e} if below is e else e for e in _entries(below))
    elif isinstance(value, list):
        for below in value:
            yield from _entries(below)


def _is_about(entry: Mapping[str, Any], target: str) -> bool:
    return target in (str(entry["pid"]), str(entry.get("sessionId")), str(entry.get("session_id")))


def _changed(case: Case, given: Answer, target: str) -> Reason | None:
    """Look again at what an action starts from: a list shown earlier, or the process after the grace time."""
    number, _, variant = target.partition(" ")
    pid = int(number) if number.isdecimal() else 0
    for listed in case.given.get("listed", ()):
        if listed["pid"] == pid:
            seen = replace(_some_process(given, pid), identity=Identity(pid, listed["start_ticks"]))
            return recheck(seen, given.table.processes.get(pid))
    for later in case.given.get("after_grace", ()):
        if later["variant"] == variant:
            seen = given.table.processes[pid]
            if "pid" not in later:
                return recheck(seen, None)
            now = replace(seen, identity=Identity(pid, later["start_ticks"]), argv=tuple(later.get("argv", seen.argv)))
            return recheck(seen, now)
    return None


def _some_process(given: Answer, pid: int) -> Process:
    return given.table.processes.get(pid) or Process(identity=Identity(pid, 0), ppid=1, name="gone")


def _targets(case: Case, given: Answer, target: str) -> list[Group]:
    """Return what an action is about: groups by key, single processes by pid or range, or what only a record names."""
    by_key = {group["key"]: group for group in case.expected["groups"]}
    found = []
    for part in [target] if target in by_key else target.split(" ")[0].split(","):
        if part in by_key:
            keys = {given.group_of(pid).key for pid in _pids(case, by_key[part])}
            found += [group for group in given.groups if group.key in keys]
        elif not re.fullmatch(r"\d+(-\d+)?", part):
            # a session that only a record names: nothing of it runs
            found.append(Group(key=part, kind=GroupKind.SESSION, host=None, members=()))
        else:
            first, _, last = part.partition("-")
            pids = [pid for pid in range(int(first), int(last or first) + 1) if pid in case.processes]
            found += [part_of(given.group_of(pid), pid) for pid in pids]
            if not pids:
                found.append(Group(key=part, kind=GroupKind.SESSION, host=None, members=()))
    return found


def _pids(case: Case, group: dict[str, Any]) -> list[int]:
    listed = list(group.get("pids", ()))
    ranged = [pid for first, last in group.get("pid_ranges", ()) for pid in range(first, last + 1)]
    return listed + ranged or (list(case.repeats[group["repeat"]]) if "repeat" in group else [])
