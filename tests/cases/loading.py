"""Turns a case file into what the pipeline reads: two process tables and a home folder with real files.

The digests of logs (`last_events`) become records in the host's own shape, so that the same adapters, attribution,
verdict and plan run on them as on a live machine.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from tests.cases.scripted import scripted_hosts
from trayapp.assess import Circumstances, assess
from trayapp.attribution import Lineage, attribute
from trayapp.hosts.base import Host, Surroundings
from trayapp.hosts.registry import load_hosts
from trayapp.measure import cpu_percents, gather, interval
from trayapp.model.process import Identity, Machine, Pressure, Process, ProcessStatus, ProcessTable
from trayapp.model.session import Observation, Role, SessionFact, SessionKey
from trayapp.model.snapshot import Group
from trayapp.reclaim.plan import Rules

HOSTS = {
    "claude-desktop": "claude-code",
    "claude-sdk": "claude-code",
    "codex-app-server": "codex",
}
"""The reports' words for ways to run a host, and the product's host."""

VARIABLES = {"DATA_HOME": "KIRO_HOME"}
"""The reports' made-up names of variables, and the host's."""

NOBODY = -1
OWN_UID, OTHER_UID = 1000, 2000
USERS = {"alex": OWN_UID, "root": 0}
"""The reports' person is alex."""

UPTIME_S = 20_000_000.0
NOW_EPOCH_S = 1_796_000_000.0
STATUS = {"Z": ProcessStatus.ZOMBIE, "T": ProcessStatus.STOPPED, "D": ProcessStatus.UNINTERRUPTIBLE}
UNREADABLE = {"cmdline": "argv", "environ": "env", "memory_info": "rss_bytes", "cwd": "cwd"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Hold one report. `repeats` are the pids that each `repeat` of the input made."""

    path: Path
    text: Mapping[str, Any]
    processes: Mapping[int, Mapping[str, Any]]
    repeats: tuple[tuple[int, ...], ...]

    @property
    def name(self) -> str:
        return f"{self.text['id']}-{self.text['slug']}"

    @property
    def given(self) -> Mapping[str, Any]:
        given: Mapping[str, Any] = self.text["input"]
        return given

    @property
    def expected(self) -> Mapping[str, Any]:
        expected: Mapping[str, Any] = self.text["expected"]
        return expected

    @property
    def kind(self) -> str:
        return str(self.given["kind"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Hold what the pipeline says of a case at its second sample."""

    before: ProcessTable
    table: ProcessTable
    groups: tuple[Group, ...]
    home: Path
    facts: Mapping[SessionKey, SessionFact] = field(default_factory=dict)
    rules: Rules = field(default_factory=Rules)

    def group_of(self, pid: int) -> Group:
        return next(g for g in self.groups if any(m.process.pid == pid for m in g.members))


def load(path: Path) -> Case:
    text = yaml.safe_load(path.read_text(encoding="utf-8"))
    given = text["input"]
    processes = {p["pid"]: p for p in given.get("processes", [])}
    repeats = []
    for repeat in given.get("repeat", []):
        made = [p for i in range(repeat["count"]) for p in _repeated(repeat, i)]
        processes.update({p["pid"]: p for p in made})
        repeats.append(tuple(p["pid"] for p in made))
    return Case(path=path, text=text, processes=processes, repeats=tuple(repeats))


def _repeated(repeat: Mapping[str, Any], i: int) -> Iterator[dict[str, Any]]:
    base = repeat["pid_from"] + i * repeat["pid_stride"]
    for template in repeat["group"]:
        process = _filled(template, i)
        process["pid"] = base + process.pop("pid_offset")
        if "ppid_offset" in process:
            process["ppid"] = base + process.pop("ppid_offset")
        yield process


def _filled(value: Any, i: int) -> Any:
    if isinstance(value, str):
        return value.replace("{i}", str(i))
    if isinstance(value, list):
        return [_filled(each, i) for each in value]
    if isinstance(value, dict):
        return {key: _filled(each, i) for key, each in value.items()}
    return value


def answer(case: Case, home: Path) -> Answer:
    """Run the whole pipeline over both samples of a process-table case."""
    now_epoch_s = _now(case)
    lay_files(case, home, now_epoch_s)
    lay_registry(case, home)
    built_in, _ = load_hosts(plug_ins=())
    hosts = (*built_in, *scripted_hosts(case.given.get("known_agents", ())))
    rules = Rules(
        idle_after_s=float(case.given.get("config", {}).get("idle_after_s", 900)),
        caller_pid=case.given.get("caller_pid"),
    )
    samples = case.given["samples"]
    length_s = float(samples["t1"]) - float(samples["t0"])
    slept_s = float(case.given["wall_gap_s"]) - length_s if "wall_gap_s" in case.given else 0.0
    before = table(case, 0, now_epoch_s - length_s - slept_s, length_s)
    after = table(case, 1, now_epoch_s, length_s)
    lineage = _remembered(case, after)
    around = _surroundings(case, home)
    first = _observe(hosts, before, around(before, now_epoch_s - length_s - slept_s))
    judged, _ = _judge(before, None, first, lineage, rules, now_epoch_s - length_s, {}, {})
    verdicts = {group.key: group.verdict for group in judged if group.verdict is not None}
    second = _observe(hosts, after, around(after, now_epoch_s))
    groups, facts = _judge(after, before, second, lineage, rules, now_epoch_s, verdicts, _asked(case, after))
    return Answer(before=before, table=after, groups=groups, home=home, facts=facts, rules=rules)


def _surroundings(case: Case, home: Path) -> Callable[[ProcessTable, float], Surroundings]:
    own = {VARIABLES.get(name, name): str(value) for name, value in case.given.get("own", {}).items()}

    def at(table: ProcessTable, now_epoch_s: float) -> Surroundings:
        reads = _Reads(case, home, table)
        return Surroundings(home=home, environ=own, now_epoch_s=lambda: now_epoch_s, processes=reads)

    return at


def _observe(hosts: Sequence[Host], at: ProcessTable, around: Surroundings) -> list[Observation]:
    observations = []
    for host in hosts:
        claims = [claim for p in at.processes.values() if (claim := host.recognise(p)) is not None]
        observations.append(asyncio.run(host.observe(at, claims, around)))
    return observations


def _judge(
    now: ProcessTable,
    before: ProcessTable | None,
    observations: list[Observation],
    lineage: Mapping[Identity, Lineage],
    rules: Rules,
    now_epoch_s: float,
    verdicts: Mapping[str, Any],
    asked: Mapping[Identity, float],
) -> tuple[tuple[Group, ...], Mapping[SessionKey, SessionFact]]:
    ownership = attribute(now, observations, lineage)
    footprints = {p.identity: p.footprint_bytes for p in now.processes.values() if p.footprint_bytes is not None}
    percents = cpu_percents(before, now, interval(before, now))
    groups = gather(now, ownership, percents, footprints)
    around = Circumstances(
        table=now,
        ownership=ownership,
        rules=rules,
        now_epoch_s=now_epoch_s,
        told_epoch_s={o.host: o.read_epoch_s for o in observations},
        asked_to_go_s=asked,
    )
    return assess(groups, around, before=verdicts), ownership.facts


class _Reads:
    """Tell the open files and ports that a case gives; what it does not give could not be read."""

    def __init__(self, case: Case, home: Path, table: ProcessTable) -> None:
        self._case, self._home, self._table = case, home, table

    def open_files(self, identity: Identity) -> tuple[str, ...] | None:
        paths = self._given(identity).get("open_files")
        if paths is None:
            return None
        return tuple(str(self._home / path[2:]) if path.startswith("~/") else path for path in paths)

    def listening_ports(self, identity: Identity) -> tuple[int, ...] | None:
        ports = self._given(identity).get("listening_ports")
        return None if ports is None else tuple(ports)

    def variable(self, _identity: Identity, _name: str) -> str | None:
        return None

    def _given(self, identity: Identity) -> Mapping[str, Any]:
        return self._case.processes[identity.pid] if self._table.get(identity) is not None else {}


# -- processes ----------------------------------------------------------------------------------------------------


def table(case: Case, sample: int, now_epoch_s: float, length_s: float) -> ProcessTable:
    given = case.given
    age_offset_s = length_s if sample == 0 else 0.0
    processes = {
        pid: _process(given, p, sample, age_offset_s, now_epoch_s)
        for pid, p in case.processes.items()
        if _seen(p, sample)
    }
    own = next((pid for pid, p in case.processes.items() if p.get("self")), NOBODY)
    told = any("user" in p for p in case.processes.values())
    total_kib = int(given.get("mem_total_kib", 32 * 1024**2))
    return ProcessTable(
        processes=processes,
        taken_at=datetime.fromtimestamp(now_epoch_s, UTC),
        monotonic_s=UPTIME_S - age_offset_s,
        uptime_s=UPTIME_S - age_offset_s,
        machine=Machine(
            name="case",
            platform=str(given["platform"]),
            memory_total_bytes=total_kib * 1024,
            memory_available_bytes=total_kib * 512,
            pressure=Pressure.NORMAL,
            cpu_count=int(given.get("ncpu", 8)),
        ),
        own_pid=own,
        own_uid=OWN_UID if told else case.processes.get(own, {}).get("uid"),
        own_pid_namespace=0,
        reaper_pids=frozenset({1} | {pid for pid, p in case.processes.items() if _is_user_manager(p)}),
        absent_pids=frozenset(given.get("absent_pids", ())),
        complete=False,
        footprint_metric="physical-footprint" if given["platform"] == "macos" else "pss",
    )


def _seen(process: Mapping[str, Any], sample: int) -> bool:
    """Say whether a process was there; one without a first figure of CPU was first seen at the second sample."""
    cpu = process.get("cpu_s")
    return sample == 1 or not (isinstance(cpu, list) and cpu[0] is None)


def _is_user_manager(process: Mapping[str, Any]) -> bool:
    argv = process.get("argv") or []
    return len(argv) > 1 and argv[0].endswith("systemd") and "--user" in argv


def _process(
    given: Mapping[str, Any], p: Mapping[str, Any], sample: int, age_offset_s: float, now_epoch_s: float
) -> Process:
    start_s = UPTIME_S - float(p["age_s"])
    raises = p.get("raises", {})
    unread = {UNREADABLE[call] for call in raises if call in UNREADABLE}
    unread |= {name for name, key in (("argv", "argv"), ("rss_bytes", "rss_kib")) if p[key] is None}
    # of an environment that a case does not give nothing is known
    unreadable = frozenset(unread | (set() if "env" in p else {"env"}))
    cpu = p["cpu_s"]
    tty = p.get("tty")
    return Process(
        identity=Identity(p["pid"], _start(p, start_s)),
        ppid=p["ppid"],
        name=p["name"] or "",
        argv=None if "argv" in unreadable else tuple(p["argv"]),
        cwd=p.get("cwd"),
        env={VARIABLES.get(name, name): value for name, value in p.get("env", {}).items()},
        tty=None if p.get("tty_exists") is False or tty == "?" else tty,
        uid=p.get("uid", USERS.get(p["user"], OTHER_UID) if "user" in p else None),
        status=STATUS.get(str(p.get("stat", "S"))[:1], ProcessStatus.SLEEPING),
        start_s=start_s,
        pgid=p.get("pgid"),
        sid=p.get("sid"),
        pid_namespace=_namespace(p),
        unit=p.get("unit"),
        tty_input_epoch_s=now_epoch_s if p.get("attached") else None,
        client_pids=_clients(p),
        rss_bytes=None if "rss_bytes" in unreadable else p["rss_kib"] * 1024,
        footprint_bytes=next((p[k] * 1024 for k in ("footprint_kib", "pss_kib") if k in p), None),
        cpu_s=None if cpu is None else cpu[sample],
        unreadable=unreadable,
    )


def _start(p: Mapping[str, Any], start_s: float) -> int:
    if "start_ticks" in p:
        return int(p["start_ticks"])
    if "start_epoch" in p:
        return int(p["start_epoch"] * 1_000_000)
    return int(start_s * 100)


def _clients(p: Mapping[str, Any]) -> tuple[int, ...] | None:
    clients = p.get("clients", p.get("connected_from_pids"))
    return None if clients is None else tuple(clients)


def _namespace(p: Mapping[str, Any]) -> int | None:
    return abs(hash(str(p["pid_ns"]))) % 10_000 + 1 if "pid_ns" in p else 0


def _asked(case: Case, now: ProcessTable) -> dict[Identity, float]:
    """Return how long ago each process was asked to go by a release that its events tell of."""
    events = case.given.get("events", ())
    last_s = max((float(event.get("t_s", 0)) for event in events), default=0.0)
    return {
        now.processes[event["release_requested"]].identity: last_s - float(event["t_s"])
        for event in events
        if "release_requested" in event
    }


def _remembered(case: Case, now: ProcessTable) -> dict[Identity, Lineage]:
    lineage = {}
    for pid, p in case.processes.items():
        if "remembered" in p:
            past = p["remembered"] if isinstance(p["remembered"], dict) else {"session": str(p["remembered"])}
            host = HOSTS.get(past.get("host", ""), past.get("host", "claude-code"))
            lineage[now.processes[pid].identity] = Lineage(
                session=SessionKey(host, past["session"]),
                host=host,
                role=Role.UNKNOWN,
                released="released_age_s" in past,
            )
    return lineage


# -- files --------------------------------------------------------------------------------------------------------


def _now(case: Case) -> float:
    given = case.given
    if "now_epoch" in given:
        return float(given["now_epoch"])
    if "now" in given:
        return datetime.fromisoformat(str(given["now"])).timestamp()
    for p in case.processes.values():
        if "start_epoch" in p:
            return float(p["start_epoch"]) + float(p["age_s"])
    return NOW_EPOCH_S


def lay_files(case: Case, home: Path, now_epoch_s: float) -> None:
    """Write the files of a case below `home`; what lies elsewhere is of no concern to any adapter."""
    for file in case.given.get("files", []):
        for i in range(file.get("count", 1)):
            one = _filled(file, i)
            if str(one["path"]).startswith("~/") and one.get("exists", True):
                _lay(home / one["path"][2:], one, now_epoch_s)


def lay_registry(case: Case, home: Path) -> None:
    """Write the entries of `registry` (by session id) as the records that a host keeps of its live processes."""
    registry = case.given.get("registry", {})
    for session_id, entry in registry.items() if isinstance(registry, dict) else ():
        argv = case.processes.get(entry.get("pid"), {}).get("argv") or [""]
        if "claude" in argv[0]:
            record = {"sessionId": session_id, "procStart": entry.get("start_ticks", entry.get("start_epoch")), **entry}
            path = home / ".claude" / "sessions" / f"{entry['pid']}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(record), encoding="utf-8")


def _lay(path: Path, file: Mapping[str, Any], now_epoch_s: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if "content" in file:
        path.write_text(json.dumps(file["content"]), encoding="utf-8")
    else:
        path.write_text("".join(_lines(file, now_epoch_s)), encoding="utf-8")
    modified = float(file.get("mtime_epoch", now_epoch_s - float(file.get("mtime_age_s", 0))))
    os.utime(path, (modified, modified))


def _lines(file: Mapping[str, Any], now_epoch_s: float) -> Iterator[str]:
    if "first_event_age_s" in file:
        yield _line({"type": "user", "age_s": file["first_event_age_s"], "text": "begin"}, now_epoch_s)
    for event in file.get("last_events", []):
        yield _line(event, now_epoch_s)


def _line(event: Mapping[str, Any], now_epoch_s: float) -> str:
    record = {key: value for key, value in event.items() if key != "age_s"}
    if event.get("age_s") is not None:
        at = datetime.fromtimestamp(now_epoch_s - float(event["age_s"]), UTC)
        record["timestamp"] = re.sub(r"\+00:00$", "Z", at.isoformat())
    record.update(_SHAPES.get(str(event["type"]), lambda _: {})(event))
    return json.dumps(record, default=str) + "\n"


def _assistant(event: Mapping[str, Any]) -> dict[str, Any]:
    return {"message": {"role": "assistant", "content": [], "stop_reason": event.get("stop_reason")}}


def _user(event: Mapping[str, Any]) -> dict[str, Any]:
    return {"message": {"role": "user", "content": event.get("text", "a question")}}


def _tool_use(event: Mapping[str, Any]) -> dict[str, Any]:
    given = {"run_in_background": True} if event.get("background") else {}
    block = {"type": "tool_use", "id": event.get("id", "call"), "name": event.get("tool", ""), "input": given}
    return {"type": "assistant", "message": {"role": "assistant", "content": [block], "stop_reason": "tool_use"}}


def _tool_result(event: Mapping[str, Any]) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": event.get("id", "call"), "content": "done"}
    return {"type": "user", "message": {"role": "user", "content": [block]}}


def _event(event: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "event_msg", "payload": {"type": event["type"]}}


def _item(event: Mapping[str, Any]) -> dict[str, Any]:
    call_id = event.get("call_id", event.get("id", "call"))
    payload = {"type": event["type"], "call_id": call_id, "name": event.get("tool", event.get("name"))}
    return {"type": "response_item", "payload": payload}


def _head(event: Mapping[str, Any]) -> dict[str, Any]:
    return {"payload": {key: value for key, value in event.items() if key not in ("type", "age_s")}}


_ROLLOUT_SHAPES = {
    **dict.fromkeys(("task_started", "task_complete", "turn_aborted", "agent_message", "user_message"), _event),
    **dict.fromkeys(("exec_approval_request", "token_count", "request_user_input"), _event),
    **dict.fromkeys(("function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"), _item),
    **dict.fromkeys(("session_meta", "turn_context"), _head),
}
_SHAPES = {
    **_ROLLOUT_SHAPES,
    "assistant": _assistant,
    "user": _user,
    "tool_use": _tool_use,
    "tool_result": _tool_result,
}
