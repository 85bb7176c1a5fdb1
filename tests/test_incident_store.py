"""Incidents on disk: bounded, private, whole or not at all, and none hides the others."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from trayapp.incident_store import MOST_SET_ASIDE, IncidentStore
from trayapp.model.incident import Account, Cause, Incident, IncidentKind, Sample, SessionThen, Successor
from trayapp.model.process import Identity, Pressure
from trayapp.model.session import SessionKey, State

SAMPLE = Sample(
    at_epoch_s=1_796_000_000.5,
    gap=False,
    heap_used_bytes=7_900_000_000,
    heap_limit_bytes=8_589_934_592,
    heap_external_bytes=None,
    rss_bytes=9_000_000_000,
    footprint_bytes=8_900_000_000,
    cpu_percent=97.25,
    sessions=2,
    retained_bytes=6_000_000_000,
    available_bytes=1_000_000_000,
    pressure=Pressure.CRITICAL,
)
INCIDENT = Incident(
    incident_id="20261130T140600Z-acme-41-host-ended",
    kind=IncidentKind.HOST_ENDED,
    cause=Cause.HEAP_CAP,
    sentence="Acme ended with its heap at 96\u202f% of its limit",
    evidence=("Its heap held 7.7\u202fGB of 8.0\u202fGB",),
    host="acme",
    host_title="Acme",
    identity=Identity(41, 7),
    last_seen_epoch_s=1_796_000_000.5,
    missed_epoch_s=1_796_000_002.5,
    platform="linux",
    memory_total_bytes=34_359_738_368,
    process_name="node",
    version="2.1.4",
    address="http://127.0.0.1:4096",
    started_epoch_s=1_795_990_000.0,
    successor=Successor(identity=Identity(90, 8), version="2.1.5", after_s=6.0),
    sessions=(
        SessionThen(
            group="acme:5f0a91c2",
            session=SessionKey("acme", "5f0a91c2"),
            title="Fix Rosa's login",
            state=State.BUSY,
            open_turn=True,
            held_bytes=5_000_000_000,
            retained_bytes=5_000_000_000,
        ),
    ),
    footprint_metric="pss",
)
ACCOUNT = Account(incident=INCIDENT, samples=(SAMPLE, replace(SAMPLE, gap=True)))


def account(number: int) -> Account:
    """Make one of as many moments."""
    name = f"20261130T{number // 3600:02d}{number // 60 % 60:02d}{number % 60:02d}Z-acme-41-host-ended"
    return replace(ACCOUNT, incident=replace(INCIDENT, incident_id=name))


@pytest.fixture
def store(tmp_path: Path) -> IncidentStore:
    return IncidentStore(tmp_path / "data" / "incidents")


def names(store: IncidentStore) -> list[str]:
    return sorted(path.name for path in store.folder.iterdir())


def test_what_is_written_is_read_in_full_and_listed_without_its_samples(store: IncidentStore) -> None:
    assert store.newest(10) == ()
    store.save(ACCOUNT)
    assert store.newest(10) == (INCIDENT,)
    assert store.account(INCIDENT.incident_id) == ACCOUNT
    assert store.problems == ()
    assert names(store) == [f"{INCIDENT.incident_id}.json"]


def test_a_file_tells_its_schema_and_is_json(store: IncidentStore) -> None:
    store.save(ACCOUNT)
    document = json.loads((store.folder / f"{INCIDENT.incident_id}.json").read_bytes())
    assert list(document) == ["schema", "incident", "samples"]
    assert document["schema"] == 1
    assert document["incident"]["cause"] == "heap-cap"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_only_this_user_can_read_them(store: IncidentStore) -> None:
    store.save(ACCOUNT)
    assert (store.folder / f"{INCIDENT.incident_id}.json").stat().st_mode & 0o777 == 0o600
    assert store.folder.stat().st_mode & 0o777 == 0o700


def test_what_is_better_known_replaces_what_was_written(store: IncidentStore) -> None:
    store.save(ACCOUNT)
    better = replace(INCIDENT, cause=Cause.OOM_KILL)
    store.save(replace(ACCOUNT, incident=better))
    assert store.newest(10) == (better,)


def test_the_newest_come_first_and_no_more_than_asked_for(store: IncidentStore) -> None:
    for number in (5, 1, 9):
        store.save(account(number))
    assert [i.incident_id[:16] for i in store.newest(2)] == ["20261130T000009Z", "20261130T000005Z"]


def test_the_oldest_go_beyond_the_number(tmp_path: Path) -> None:
    store = IncidentStore(tmp_path, most=3)
    for number in range(6):
        store.save(account(number))
    assert [i.incident_id[13:15] for i in store.newest(10)] == ["05", "04", "03"]


def test_the_oldest_go_beyond_the_size_but_never_the_newest(tmp_path: Path) -> None:
    store = IncidentStore(tmp_path)
    store.save(account(0))
    (path,) = tmp_path.iterdir()
    size = path.stat().st_size
    store = IncidentStore(tmp_path, most_bytes=2 * size + 1)
    for number in range(1, 5):
        store.save(account(number))
    assert [i.incident_id[13:15] for i in store.newest(10)] == ["04", "03"]
    store = IncidentStore(tmp_path, most_bytes=1)
    store.save(account(5))
    assert [i.incident_id[13:15] for i in store.newest(10)] == ["05"]


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b'{"schema":1}', b'{"schema":1,"incident":{}}'])
def test_a_damaged_file_is_set_aside_and_told_of_and_hides_no_other(store: IncidentStore, content: bytes) -> None:
    store.save(account(1))
    store.save(account(2))
    damaged = store.folder / f"{account(2).incident.incident_id}.json"
    damaged.write_bytes(content)
    assert [i.incident_id[13:15] for i in store.newest(10)] == ["01"]
    (problem,) = store.problems
    assert problem.where == str(damaged)
    assert f"it was set aside as {damaged.stem}.set-aside" in problem.what
    assert (store.folder / f"{damaged.stem}.set-aside").read_bytes() == content
    assert [i.incident_id[13:15] for i in store.newest(10)] == ["01"]


def test_a_file_cut_in_its_samples_is_found_when_it_is_read_in_full(store: IncidentStore) -> None:
    store.save(ACCOUNT)
    path = store.folder / f"{INCIDENT.incident_id}.json"
    path.write_bytes(path.read_bytes().replace(b'"pressure":"critical"', b'"pressure":"purple"'))
    assert store.newest(10) == (INCIDENT,)
    assert store.account(INCIDENT.incident_id) is None
    assert "purple" in store.problems[0].what


def test_a_file_of_a_newer_version_is_left_alone_and_told_of(store: IncidentStore) -> None:
    store.save(account(1))
    newer = store.folder / f"{account(2).incident.incident_id}.json"
    newer.write_bytes(b'{"schema":2,"incident":{"who":"knows"}}')
    assert len(store.newest(10)) == 1
    assert "written by a newer version (schema 2)" in store.problems[0].what
    assert newer.read_bytes() == b'{"schema":2,"incident":{"who":"knows"}}'
    newer.unlink()
    store.account(newer.stem)
    assert store.problems == ()


def test_files_of_others_in_the_folder_are_left_alone(store: IncidentStore) -> None:
    store.save(ACCOUNT)
    (store.folder / "notes.json").write_text("mine")
    assert store.newest(10) == (INCIDENT,)
    store.delete_all()
    assert names(store) == ["notes.json"]


def test_only_the_newest_that_were_set_aside_stay(store: IncidentStore) -> None:
    for number in range(MOST_SET_ASIDE + 3):
        store.save(account(number))
        (store.folder / f"{account(number).incident.incident_id}.json").write_bytes(b"{")
        assert store.newest(1) == ()
    store.save(account(999))
    aside = [name for name in names(store) if name.endswith(".set-aside")]
    assert len(aside) == MOST_SET_ASIDE
    assert aside[0][13:15] == "03"


def test_deleting_takes_all_of_them(store: IncidentStore) -> None:
    store.delete_all()
    store.save(account(1))
    store.save(account(2))
    (store.folder / f"{account(2).incident.incident_id}.json").write_bytes(b"{")
    store.newest(10)
    store.delete_all()
    assert names(store) == []
    assert store.problems == ()


def test_what_cannot_be_written_is_told_and_done_again_with_the_next(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where a folder should be")
    store = IncidentStore(tmp_path / "data" / "incidents")
    store.save(ACCOUNT)
    (problem,) = store.problems
    assert "an incident could not be written" in problem.what
    (tmp_path / "data").unlink()
    store.save(ACCOUNT)
    assert store.problems == ()
    assert store.newest(1) == (INCIDENT,)


@pytest.mark.parametrize("name", ["../secrets", "20261130T140600Z-", "20261130T140600Z-a/../../x", ""])
def test_what_is_no_id_is_never_a_path(store: IncidentStore, name: str) -> None:
    assert store.account(name) is None
    with pytest.raises(ValueError, match="no id"):
        store.save(replace(ACCOUNT, incident=replace(INCIDENT, incident_id=name)))
    assert not os.path.lexists(store.folder)
