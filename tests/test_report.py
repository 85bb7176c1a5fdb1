"""The documented JSON, and that tables and JSON tell nothing that they must not."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console, RenderableType

from tests.fake_core import ASKS, GB, ORPHAN, RELEASABLE, group, outcome, receipt, snapshot
from tests.rows import MB
from trayapp.model.plan import Action
from trayapp.model.process import Identity
from trayapp.model.receipt import Fate, HeapChange, Target
from trayapp.model.session import Drift, EndsBy, Heap, Role, State
from trayapp.model.snapshot import GroupKind, HeapUse, Snapshot
from trayapp.report import held, receipt_lines, receipt_to_json, rfc3339, short_ids, snapshot_table, snapshot_to_json

DOCUMENT = Path(__file__).parents[1] / "docs" / "snapshot.md"

SEEN = snapshot(
    group("one", RELEASABLE, pid=100, title="Fix flaky upload tests"),
    group("two", ASKS, pid=200, state=State.WAITING),
    group("three", ORPHAN, pid=300, kind=GroupKind.ORPHAN_HELPER),
)


def as_text(what: RenderableType) -> str:
    console = Console(file=io.StringIO(), width=160)
    console.print(what)
    written = console.file
    assert isinstance(written, io.StringIO)
    return written.getvalue()


def test_the_snapshot_is_schema_1() -> None:
    document = json.loads(json.dumps(snapshot_to_json(SEEN), allow_nan=False))
    assert {key: document[key] for key in ("schema", "taken_at", "machine", "hosts", "totals", "self")} == {
        "schema": 1,
        "taken_at": "2026-11-30T14:06:00.123Z",
        "machine": {
            "memory_total_bytes": 32 * GB,
            "memory_available_bytes": 20 * GB,
            "pressure": "normal",
            "cpu_count": 8,
        },
        "hosts": [
            {"host": "alpha", "pid": 41, "version": "2.1.4", "heap": {"used_bytes": 5, "limit_bytes": None}},
            {
                "host": "beta",
                "pid": None,
                "version": None,
                "address": "http://127.0.0.1:4096",
                "error": "has not answered for 40 s",
            },
        ],
        "totals": {
            "processes": 3,
            "sessions": 2,
            "rss_bytes": 3 * (int(1.5 * GB) + 4096),
            "footprint_bytes": 3 * int(1.5 * GB),
            "cpu_percent": None,
            "reclaimable_bytes": 2 * int(1.5 * GB),
        },
        "self": {"rss_bytes": 60 * 1024**2, "cpu_percent": 0.3},
    }
    assert document["groups"][0] == {
        "key": "alpha:one",
        "kind": "session",
        "host": "alpha",
        "session_id": "one",
        "title": "Fix flaky upload tests",
        "cwd": "/home/alex/shop",
        "state": "idle",
        "idle_seconds": 8040.0,
        "evidence": [
            {
                "kind": "turn",
                "speaks_for": "idle",
                "fact": "The turn ended",
                "source": "transcript",
                "at": "2026-11-30T00:53:20.500Z",
            }
        ],
        "flags": [],
        "rss_bytes": int(1.5 * GB) + 4096,
        "footprint_bytes": int(1.5 * GB),
        "footprint_metric": "pss",
        "cpu_percent": 0.346,
        "processes": [
            {
                "pid": 100,
                "started_at": "2026-11-30T13:56:00.123Z",
                "name": "node",
                "role": "backend",
                "rss_bytes": int(1.5 * GB) + 4096,
                "footprint_bytes": int(1.5 * GB),
                "cpu_percent": 0.346,
                "claim": "registry",
            }
        ],
        "actions": [
            {"action": "release", "allowed": "allow", "reason": "idle-confirmed"},
            {"action": "kill", "allowed": "confirm", "reason": "idle-confirmed"},
        ],
        "resume": {"argv": ["alpha", "--resume", "one"], "cwd": "/home/alex/my shop"},
    }


def test_what_is_absent_is_left_out_and_never_zero() -> None:
    bare = replace(
        group("one", pid=100),
        footprint_bytes=None,
        cpu_percent=None,
        verdict=None,
        title=None,
        cwd=None,
        resume=None,
        session=None,
    )
    (told,) = snapshot_to_json(snapshot(bare))["groups"]
    optional = {"footprint_bytes", "cpu_percent", "state", "idle_seconds", "title", "cwd", "resume", "session_id"}
    assert optional.isdisjoint(told)
    assert told["evidence"] == []


def test_without_the_time_since_boot_no_start_is_made_up() -> None:
    (told,) = snapshot_to_json(replace(snapshot(group("one", pid=100)), uptime_s=None))["groups"]
    assert told["processes"][0]["started_at"] is None


def test_no_argument_and_no_environment_is_ever_told() -> None:
    assert "sk-secret" not in json.dumps(snapshot_to_json(SEEN))
    assert "sk-secret" not in as_text(snapshot_table(SEEN))


def fields_of(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{path}.{key}".lstrip(".")
            yield from fields_of(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from fields_of(inner, f"{path}[]")


def test_every_field_is_documented_and_nothing_else() -> None:
    documented = set(re.findall(r"^\| `([a-z_.\[\]]+)` \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE))
    told = set(fields_of(snapshot_to_json(full_snapshot())))
    assert documented == told


def full_snapshot() -> Snapshot:
    one = group("one", RELEASABLE, pid=100, title="Fix flaky upload tests")
    drift = Drift(version="9.0", where="session record", field="status")
    one = replace(one, model="m1", tokens=12_000, drift=drift)
    assert one.verdict is not None
    assert one.resume is not None
    evidence = tuple(replace(e, read_epoch_s=1.0) for e in one.verdict.evidence)
    ticket = replace(one.resume, note="In its app", call="resume")
    one = replace(one, verdict=replace(one.verdict, evidence=evidence), resume=ticket)
    (backend,) = one.members
    older = replace(backend, process=replace(backend.process, identity=Identity(99, 1)))
    held_by_host = replace(backend.claim, ends_by=EndsBy.HOST) if backend.claim is not None else None
    members = (older, backend, replace(backend, role=Role.HELPER, claim=held_by_host))
    one = replace(one, members=members, flags=("duplicates",))
    seen = snapshot(replace(one, heap_of=HEAP.identity, retained_bytes=120 * MB))
    instance = replace(seen.instances[0], heap=Heap(used_bytes=6 * GB, limit_bytes=8 * GB, external_bytes=MB))
    told = replace(seen.instances[1], heap_limit_bytes=8 * GB)
    return replace(seen, instances=(instance, told, *seen.instances[2:]), heaps=(HEAP,))


HEAP = HeapUse(
    host="alpha",
    identity=Identity(41, 7),
    used_bytes=6 * GB,
    limit_bytes=8 * GB,
    external_bytes=MB,
    sessions_bytes=4 * GB,
    releasable_bytes=3 * GB,
    growth_bytes_per_h=0.4 * GB,
    full_in_s=18_000.0,
)


def test_surplus_backends_are_marked_and_the_current_one_is_not() -> None:
    (row, *_) = snapshot_to_json(full_snapshot())["groups"]
    told = [(p["pid"], p.get("surplus"), p.get("ends_by")) for p in row["processes"]]
    assert told == [(99, True, None), (100, None, None), (100, None, "host")]


def test_a_heap_is_told_under_the_sessions() -> None:
    text = as_text(snapshot_table(full_snapshot()))
    said = (
        "6.0 GB of 8.0 GB (75 %), ≈4.0 GB in sessions, ≈3.0 GB can be released now, grows 0.4 GB an hour, full in 5 h"
    )
    assert f"Heap of Alpha (41): {said}" in text.replace("\u202f", " ").replace("\n", " ")
    assert held(replace(full_snapshot().groups[0], members=())) == "≈0.1\u202fGB heap"


def test_a_limit_alone_is_told_as_such() -> None:
    text = as_text(snapshot_table(full_snapshot())).replace("\u202f", " ")
    assert "Heap of beta (–): at most 8.0 GB; how full it is cannot be told from outside" in text


def test_a_receipt_tells_of_heaps_apart_from_memory() -> None:
    change = HeapChange(
        host="alpha",
        identity=HEAP.identity,
        before_bytes=6 * GB,
        after_bytes=2 * GB,
        limit_bytes=8 * GB,
        expected_bytes=4 * GB,
        awaited_s=21.25,
        collected=True,
    )
    done = replace(receipt(), heaps=(change,))
    assert receipt_to_json(done)["heaps"] == [
        {
            "host": "alpha",
            "pid": 41,
            "before_bytes": 6 * GB,
            "after_bytes": 2 * GB,
            "limit_bytes": 8 * GB,
            "expected_bytes": 4 * GB,
            "awaited_s": 21.2,
            "collected": True,
        }
    ]
    assert "Heap 6.0 GB → 2.0 GB" in as_text(receipt_lines(done)).replace("\u202f", " ")
    early = replace(change, collected=False, after_bytes=6 * GB, awaited_s=60.0)
    text = as_text(receipt_lines(replace(done, heaps=(early,)))).replace("\u202f", " ")
    assert "its next full collection has not come within 1 min" in text


def test_a_receipt_tells_what_went_what_survived_and_how_to_resume() -> None:
    targets = [
        Target(
            group_key=f"alpha:{n}",
            action=Action.RELEASE,
            members=(Identity(n, 7),),
            title=f"t{n}",
            host="alpha",
            expected_bytes=GB,
        )
        for n in (1, 2, 3)
    ]
    told = receipt_to_json(
        receipt(
            outcome(targets[0], Fate.RELEASED, "1 process gone"),
            outcome(targets[1], Fate.SURVIVED, "1 process is still there"),
            outcome(targets[2], Fate.REFUSED, "Not released: a turn has started"),
        )
    )
    assert (told["complete"], told["came_back_bytes"], told["expected_bytes"]) == (False, GB, 2 * GB)
    first, second, third = told["outcomes"]
    assert (first["gone"], first["resume"]["argv"]) == ([1], ["alpha", "--resume", "x"])
    assert second["survived"] == [{"pid": 2, "name": "node", "note": "did not answer SIGTERM"}]
    assert (third["fate"], third["reason"]) == ("refused", "open-turn")
    assert "resume" not in third


def test_times_have_milliseconds_and_z() -> None:
    assert rfc3339(SEEN.taken_at) == "2026-11-30T14:06:00.123Z"


def test_ids_are_as_short_as_they_are_clear() -> None:
    groups = [
        group("ses_63abc111", pid=1),
        group("ses_63abc222", pid=2),
        group("5f0a91c2-1111-4aaa", pid=3),
        group("x", pid=4),
        group("o", pid=5, kind=GroupKind.ORPHAN_HELPER),
    ]
    assert list(short_ids(groups).values()) == ["ses_63abc1", "ses_63abc2", "5f0a91c2", "x", "5"]


def test_a_sum_of_resident_sizes_is_marked_as_an_upper_bound() -> None:
    one = group("one", pid=100)
    two_processes = replace(one, members=one.members * 2, footprint_bytes=None)
    assert held(two_processes) == "≤1.5\u202fGB"
    assert held(replace(one, footprint_bytes=None)) == "1.5\u202fGB"
    assert held(one) == "1.5\u202fGB"


@pytest.mark.parametrize("width", [40, 80, 160])
def test_tables_fit_and_keep_their_figures(width: int) -> None:
    console = Console(file=io.StringIO(), width=width)
    console.print(snapshot_table(SEEN))
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert all(len(line.rstrip()) <= width for line in lines)
