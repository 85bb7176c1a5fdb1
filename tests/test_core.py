"""The core behind every face, with the real probe on this machine."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.history.snapshots import MB, START_S, group, receipt, snapshot
from tests.test_incident_store import ACCOUNT, INCIDENT
from tests.trees import AGENT, CHECKOUT, FakeAgentHost, Part, act, core_for, planted, running_core, target_of, until
from trayapp import settings as settings_module
from trayapp.app import make_core
from trayapp.core import Core, Places
from trayapp.history.store import HistoryStore
from trayapp.incident_store import IncidentStore
from trayapp.model.finding import Standing
from trayapp.model.incident import Incident
from trayapp.model.life import Life
from trayapp.model.plan import Action, Reason
from trayapp.model.policy import Policy, Trigger
from trayapp.model.process import Identity
from trayapp.model.receipt import Fate, Target
from trayapp.model.series import SeriesQuery, Tier
from trayapp.model.session import SessionKey, StepKind
from trayapp.model.snapshot import GroupKind, HeapUse, Snapshot
from trayapp.reclaim.journal import Intent, Journal
from trayapp.settings import Settings

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="starts processes by the rules of Linux")


@contextmanager
def measuring(root: Path, settings: Settings | None = None) -> Iterator[Core]:
    """Yield a core that ticks and records by itself, as the tray app does."""
    core = core_for(root, settings=settings or Settings(interval_s=0.5))
    core.set_detail(True)
    core.start(ticking=True)
    try:
        yield core
    finally:
        core.stop()


def next_snapshot(core: Core, that: Callable[[Snapshot], bool] = lambda _snapshot: True) -> Snapshot:
    found: list[Snapshot] = []
    unsubscribe = core.subscribe(lambda snapshot: found.append(snapshot) if that(snapshot) else None)
    try:
        core.refresh()
        until(lambda: bool(found), "no such snapshot")
    finally:
        unsubscribe()
    return found[0]


def monitor_group(snapshot: Snapshot) -> list[int]:
    return [m.process.pid for g in snapshot.groups if g.kind is GroupKind.MONITOR for m in g.members]


# -- snapshots --------------------------------------------------------------------------------------------------------


def test_without_an_agent_a_look_finds_the_monitor_and_no_fault(tmp_path: Path) -> None:
    with running_core(tmp_path) as core:
        snapshot = core.look(0.05)
    assert os.getpid() in monitor_group(snapshot)
    assert [g for g in snapshot.groups if g.host == "fake-agent"] == []
    assert snapshot.problems == ()
    assert snapshot.own.rss_bytes is not None
    assert snapshot.own.rss_bytes > 0
    assert snapshot.own.cpu_percent is not None
    assert snapshot.interval_s is not None
    assert 0.05 <= snapshot.interval_s < 20


def test_listeners_are_told_until_they_leave(tmp_path: Path) -> None:
    heard: list[Snapshot] = []
    with running_core(tmp_path) as core:
        unsubscribe = core.subscribe(heard.append)
        latest = core.look(0.0)
        assert len(heard) == 2
        assert heard[-1] is latest is core.latest
        unsubscribe()
        unsubscribe()
        core.look(0.0)
        assert len(heard) == 2


@pytest.mark.logs
def test_a_listener_that_fails_keeps_nobody_else_from_being_told(tmp_path: Path) -> None:
    def fail(_snapshot: Snapshot) -> None:
        raise RuntimeError("widget is gone")

    heard: list[Snapshot] = []
    with running_core(tmp_path) as core:
        core.subscribe(fail)
        core.subscribe(heard.append)
        core.look(0.0)
    assert len(heard) == 2


def test_a_paused_core_looks_only_when_asked(tmp_path: Path) -> None:
    with measuring(tmp_path) as core:
        next_snapshot(core)
        core.set_paused(True)
        assert core.paused
        next_snapshot(core)
        core.set_paused(False)
        assert next_snapshot(core).gap


# -- history and settings ---------------------------------------------------------------------------------------------


def export(core: Core, out: Path) -> list[dict[str, str]]:
    now_s = time.time()
    core.export_csv(
        out,
        since_epoch_s=now_s - 3600,
        until_epoch_s=now_s + 3600,
        session=None,
        progress=lambda _done, _all: None,
        cancelled=lambda: False,
    ).result(30)
    with out.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@LINUX
def test_what_is_measured_is_in_the_export(tmp_path: Path) -> None:
    agent = Part(program=AGENT, session_id="s1", title="First", detached=True, setsid=True)
    with planted(tmp_path / "tree", agent=agent) as tree:
        tree.start("agent")
        with measuring(tree.root) as core:
            seen = next_snapshot(core, lambda s: s.group("fake-agent:s1") is not None)
            group = seen.group("fake-agent:s1")
            assert group is not None
            rows = [row for row in export(core, tmp_path / "out.csv") if row["session_id"] == "s1"]
            assert rows
            assert {row["kind"] for row in rows} == {"session"}
            assert int(rows[-1]["rss_bytes"]) == pytest.approx(group.rss_bytes, rel=0.1)


def test_an_export_can_be_estimated_and_the_files_are_told(tmp_path: Path) -> None:
    with measuring(tmp_path) as core:
        next_snapshot(core)
        now_s = time.time()
        about = core.estimate_csv(
            since_epoch_s=now_s - 3600, until_epoch_s=now_s + 3600, session=None, tier=Tier.RAW
        ).result(30)
        files = {file.name: file for file in core.files().result(30)}
    assert about.rows > 0
    assert about.tier is Tier.RAW
    assert set(files) >= {"settings", "history", "journal"}
    assert files["history"].size_bytes


def test_a_core_that_only_answers_records_nothing(tmp_path: Path) -> None:
    with running_core(tmp_path) as core:
        core.look(0.0)
    assert not (tmp_path / "history.sqlite").exists()


def test_recording_can_be_switched_on_and_off_while_it_runs(tmp_path: Path) -> None:
    with measuring(tmp_path, Settings(interval_s=0.5, record=False)) as core:
        next_snapshot(core)
        assert not (tmp_path / "history.sqlite").exists()
        core.update_settings(replace(core.settings, record=True)).result(10)
        next_snapshot(core)
        assert export(core, tmp_path / "out.csv")
        core.update_settings(replace(core.settings, record=False)).result(10)
        next_snapshot(core)
        recorded = len(export(core, tmp_path / "out.csv"))
        time_passes = [next_snapshot(core) for _ in range(3)]
        assert time_passes
        assert len(export(core, tmp_path / "out.csv")) == recorded


def test_new_settings_hold_at_once_and_are_in_the_file(tmp_path: Path) -> None:
    with measuring(tmp_path) as core:
        core.update_settings(replace(core.settings, idle_after_s=60.0, keep_days=7)).result(10)
        assert core.settings.idle_after_s == 60.0
        read, problems = settings_module.load(tmp_path / "settings.toml")
    assert problems == ()
    assert (read.idle_after_s, read.keep_days) == (60.0, 7)


def test_history_can_be_deleted_and_the_journal_stays(tmp_path: Path) -> None:
    with measuring(tmp_path) as core:
        next_snapshot(core)
        assert export(core, tmp_path / "out.csv")
        core.journal.write_intent(Intent(receipt_id="r", started_at=datetime.now(UTC), origin="test", targets=()))
        core.update_settings(replace(core.settings, record=False)).result(10)
        core.delete_history().result(10)
        assert export(core, tmp_path / "out.csv") == []
        assert core.journal.path.exists()


@LINUX
def test_an_action_is_in_the_journal_and_marked_in_a_history_that_another_program_writes(tmp_path: Path) -> None:
    agent = Part(program=AGENT, session_id="s1", detached=True, setsid=True)
    with planted(tmp_path / "tree", agent=agent) as tree:
        tree.start("agent")
        with measuring(tree.root) as tray, running_core(tree.root) as command:
            next_snapshot(tray, lambda s: s.group("fake-agent:s1") is not None)
            receipt = act(command, target_of(command.look(0.05), "fake-agent:s1", Action.RELEASE))
            assert receipt.outcomes[0].fate is Fate.RELEASED
            assert tray.receipts(5).result(10) == (receipt,)
            next_snapshot(tray, lambda s: s.group("fake-agent:s1") is None)
        database = (tree.root / "history.sqlite").read_bytes()
        assert receipt.receipt_id.encode() in database


def test_charts_are_answered_from_the_history(tmp_path: Path) -> None:
    with measuring(tmp_path) as core:
        next_snapshot(core)
        now_s = time.time()
        series = core.series(SeriesQuery(since_epoch_s=now_s - 60, until_epoch_s=now_s, columns=10)).result(10)
        assert len(series.times_epoch_s) == 10
        # what else runs on this machine may have leftovers of its own
        assert all(len(line) == 10 for line in core.sparklines(10).result(10).values())


def test_the_life_of_a_session_is_answered_from_the_history(tmp_path: Path) -> None:
    store = HistoryStore(tmp_path / "history.sqlite", now_epoch_s=lambda: START_S + 60)
    store.append(snapshot(0, group("one", host="acme")))
    store.close()
    with measuring(tmp_path) as core:
        life = core.life("acme:one").result(10)
        assert (life.first_seen_epoch_s, len(life.runs)) == (START_S, 1)
        assert core.life("acme:other").result(10) == Life()


@pytest.fixture
def lost(tmp_path: Path) -> Incident:
    """Leave a history of the heap of a host that ran for a minute, and the incident that ended it."""
    store = HistoryStore(tmp_path / "history.sqlite", now_epoch_s=lambda: START_S + 60)
    for after_s in range(0, 60, 2):
        full = HeapUse(host="acme", identity=Identity(41, 7), used_bytes=100 * MB, limit_bytes=128 * MB)
        store.append(replace(snapshot(after_s, group("one", host="acme")), heaps=(full,)))
    store.add_receipt(receipt(70, 3 * MB))
    store.close()
    incident = replace(
        INCIDENT,
        missed_epoch_s=START_S + 61.0,
        sessions=(replace(INCIDENT.sessions[0], group="acme:one", session=SessionKey("acme", "one")),),
    )
    IncidentStore(tmp_path / "incidents").save(replace(ACCOUNT, incident=incident))
    return incident


def test_what_happened_to_a_host_is_marked_among_what_came_back(tmp_path: Path, lost: Incident) -> None:
    minutes = SeriesQuery(since_epoch_s=START_S, until_epoch_s=START_S + 120, columns=20)
    with running_core(tmp_path) as core:

        def marked(query: SeriesQuery) -> list[str | None]:
            return [mark.incident_id for mark in core.series(query).result(10).marks]

        assert marked(minutes) == [lost.incident_id, None]
        assert marked(replace(minutes, session="one")) == [lost.incident_id]
        assert marked(replace(minutes, session="acme:one")) == [lost.incident_id]
        assert marked(replace(minutes, session="two")) == []
        assert marked(replace(minutes, since_epoch_s=START_S + 62)) == [None]
        assert marked(replace(minutes, until_epoch_s=START_S + 60)) == []
        mark = core.series(minutes).result(10).marks[0]
        assert (mark.at_epoch_s, mark.title, mark.groups) == (START_S + 61, lost.sentence, ("acme:one",))


def test_heaps_over_time_are_answered_with_the_end_of_their_host(tmp_path: Path, lost: Incident) -> None:
    with running_core(tmp_path) as core:
        query = SeriesQuery(since_epoch_s=START_S, until_epoch_s=START_S + 120, columns=20, session="another")
        series = core.heap_series(query).result(10)
    assert [layer.key for layer in series.layers] == ["heap:41:7", "limit:41:7", "rss:41:7"]
    assert set(series.layers[0].memory_bytes) == {100.0 * MB, None}
    assert [mark.incident_id for mark in series.marks] == [lost.incident_id]


def test_stopping_after_the_current_target_is_possible_at_any_time(tmp_path: Path) -> None:
    with running_core(tmp_path) as core:
        core.stop_after_current()
        gone = Target(
            group_key="fake-agent:s1",
            action=Action.KILL,
            members=(Identity(1 << 22, 1),),
            title="Gone",
            host=None,
            expected_bytes=0,
        )
        receipt = core.reclaim([gone, gone], "test", lambda _progress: None).result(30)
        assert [outcome.fate for outcome in receipt.outcomes] == [Fate.ALREADY_GONE] * 2
        core.stop_after_current()


# -- doctor -----------------------------------------------------------------------------------------------------------


def findings(core: Core) -> dict[str, tuple[Standing, str]]:
    return {finding.topic: (finding.standing, finding.what) for finding in core.doctor()}


def test_doctor_tells_of_program_hosts_memory_files_and_own_cost(tmp_path: Path) -> None:
    with running_core(tmp_path) as core:
        found = findings(core)
    assert found["Agent Ring"][0] is Standing.GOOD
    assert found["Fake Agent"] == (Standing.ABSENT, "does not run now")
    assert "memory" in found
    assert found["history"] == (Standing.ABSENT, f"{tmp_path / 'history.sqlite'} does not exist yet")
    assert "ms CPU" in found["own cost"][1]


@LINUX
def test_doctor_counts_the_sessions_of_a_host(tmp_path: Path) -> None:
    agent = Part(program=AGENT, session_id="s1", detached=True, setsid=True)
    with planted(tmp_path / "tree", agent=agent) as tree:
        tree.start("agent")
        with running_core(tree.root) as core:
            assert findings(core)["Fake Agent"] == (Standing.GOOD, "found, 1 session")


def test_doctor_tells_of_an_action_that_was_never_finished(tmp_path: Path) -> None:
    with running_core(tmp_path) as core:
        begun = Intent(
            receipt_id="r", started_at=datetime(2026, 11, 30, 12, 0, tzinfo=UTC), origin="menu bar", targets=()
        )
        core.journal.write_intent(begun)
        standing, what = findings(core)["journal"]
    assert standing is Standing.TROUBLE
    assert "2026-11-30 12:00" in what


def test_a_broken_settings_file_is_told_and_everything_else_works(tmp_path: Path) -> None:
    places = Places(
        settings=tmp_path / "settings.toml", history=tmp_path / "history.sqlite", journal=tmp_path / "journal.jsonl"
    )
    places.settings.write_text("interval_s = 'often\n")
    core = make_core(places)
    core.start()
    try:
        snapshot = core.look(0.0)
        (problem,) = [p for p in snapshot.problems if p.where.startswith(str(places.settings))]
        assert "line 1" in str(problem)
        assert core.settings == Settings()
        assert places.settings.read_text() == "interval_s = 'often\n"
        assert any(f.topic == problem.where and f.standing is Standing.TROUBLE for f in core.doctor())
    finally:
        core.stop()


def test_a_broken_session_record_is_told_and_the_other_sessions_stay(tmp_path: Path) -> None:
    record = tmp_path / "home" / ".fake-agent" / "sessions" / "half.json"
    record.parent.mkdir(parents=True)
    record.write_text('{"session_id": "s9", "pid": 12')
    with running_core(tmp_path) as core:
        (problem,) = core.look(0.0).problems
        assert problem.where == str(record)


def test_a_core_stops_within_a_second_while_an_action_waits(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("starts processes by the rules of Linux")
    patient = replace(FakeAgentHost().ladder[0], wait_s=60.0)
    assert patient.kind is StepKind.SIGTERM
    agent = Part(program=AGENT, session_id="s1", detached=True, setsid=True, ignores_term=True)
    with planted(tmp_path / "tree", agent=agent) as tree:
        tree.start("agent")
        core = core_for(tree.root, FakeAgentHost(ladder=(patient,)))
        core.start()
        waits: list[float] = []
        target = target_of(core.look(0.05), "fake-agent:s1", Action.RELEASE)
        asked = core.reclaim([target], "test", lambda p: waits.append(p.waited_s))
        until(lambda: bool(waits) and waits[-1] > 0.1, "the action does not begin")
        began_s = time.monotonic()
        core.stop()
        assert time.monotonic() - began_s < 1.0
        assert asked.cancelled()
        assert len(core.journal.open_intents()) == 1


# -- the program itself -----------------------------------------------------------------------------------------------


def alone(*argv: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a program on a machine on which nothing else runs: in a PID namespace of its own."""
    unshare = shutil.which("unshare")
    if unshare is None or os.geteuid() != 0:
        pytest.skip("only root can make a machine without other processes (a PID namespace)")
    command = [unshare, "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", '"$@"; exit $?', "sh", *argv]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(CHECKOUT), "LANG": "C.UTF-8"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    if "unshare:" in ran.stderr:
        pytest.skip(f"no PID namespace can be made here: {ran.stderr.strip()}")
    return ran


@LINUX
def test_a_snapshot_where_nothing_runs_holds_the_monitor_alone(tmp_path: Path) -> None:
    ran = alone(sys.executable, "-m", "trayapp", "snapshot", "--json", home=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    snapshot = json.loads(ran.stdout)
    assert {group["kind"] for group in snapshot["groups"]} == {"monitor"}
    assert snapshot["hosts"] == []
    assert snapshot["totals"]["processes"] == 0
    assert snapshot["totals"]["rss_bytes"] == 0
    assert snapshot["self"]["rss_bytes"] > 0
    assert list(tmp_path.rglob("*.sqlite")) == []


@LINUX
def test_doctor_where_nothing_runs_finds_nothing_wrong(tmp_path: Path) -> None:
    ran = alone(sys.executable, "-m", "trayapp", "doctor", home=tmp_path)
    assert ran.stderr == ""
    assert ran.returncode == 0
    assert "own cost" in ran.stdout


@LINUX
def test_what_the_user_keeps_is_not_released_until_the_user_says_so(tmp_path: Path) -> None:
    agent = Part(program=AGENT, session_id="s1", detached=True, setsid=True)
    with planted(tmp_path / "tree", agent=agent) as tree:
        tree.start("agent")
        with running_core(tree.root) as core:
            listed = target_of(core.look(0.05), "fake-agent:s1", Action.RELEASE)
            core.keep("fake-agent:s1", None).result(10)
            assert [keep.group_key for keep in core.keeps()] == ["fake-agent:s1"]
            receipt = act(core, listed)
            assert (receipt.outcomes[0].fate, receipt.outcomes[0].reason) == (Fate.REFUSED, Reason.KEPT)
            core.unkeep("fake-agent:s1").result(10)
            assert act(core, listed).outcomes[0].fate is Fate.RELEASED


def test_a_core_that_starts_finds_out_what_became_of_an_action_that_nobody_finished(tmp_path: Path) -> None:
    gone = Identity(2**22 - 1, 1)
    target = Target(group_key="a:1", action=Action.RELEASE, members=(gone,), title="One", host="a", expected_bytes=MB)
    begun = Intent(
        receipt_id="left", started_at=datetime.now(UTC), origin="window", targets=(target,), actor=Identity(2, 1)
    )
    Journal(tmp_path / "journal.jsonl").write_intent(begun)
    with measuring(tmp_path) as core:
        until(lambda: core.journal.open_intents() == (), "the intent stays open")
        (receipt,) = core.receipts(5).result(10)
    assert (receipt.receipt_id, receipt.outcomes[0].gone) == ("left", (gone,))
    assert receipt.outcomes[0].steps == ("Agent Ring ended in the middle of this; it was looked at afterwards",)


@LINUX
def test_a_session_that_somebody_starts_again_is_told_and_in_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trayapp.reclaim.aftermath.LOOK_AFTER_S", 3.0)
    agent = Part(program=AGENT, session_id="s1", detached=True, setsid=True)
    with planted(tmp_path / "tree", agent=agent, again=agent) as tree:
        tree.start("agent")
        with measuring(tree.root) as core:
            listed = target_of(core.look(0.05), "fake-agent:s1", Action.RELEASE)
            assert act(core, listed).outcomes[0].fate is Fate.RELEASED
            tree.start("again")
            until(lambda: any(r.returns for r in core.receipts(1).result(10)), "nobody saw it come back")
            told = next_snapshot(core, lambda s: any("runs again" in p.what for p in s.problems))
            (receipt,) = core.receipts(1).result(10)
        assert receipt.returned(receipt.outcomes[0]) is receipt.returns[0]
        assert any(problem.where == listed.title for problem in told.problems)


@LINUX
def test_a_policy_releases_after_its_grace_and_what_somebody_keeps_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trayapp.reclaim.plan.MIN_AGE_S", 0.0)
    monkeypatch.setattr("trayapp.policy_words.LEAST_GRACE_S", 0.5)
    policy = Policy(name="idle", trigger=Trigger.IDLE, on=True, after_s=0.1, grace_s=1.0, typed_s=0.0)
    settings = Settings(interval_s=0.5, idle_after_s=0.0, policies=(policy,))
    kept, goes = (Part(program=AGENT, session_id=name, detached=True, setsid=True) for name in ("kept", "goes"))
    with planted(tmp_path / "tree", kept=kept, goes=goes) as tree:
        tree.start("kept")
        with measuring(tree.root, settings) as core:
            core.keep("fake-agent:kept", None).result(10)
            tree.start("goes")
            until(lambda: any(n.choice.group_key == "fake-agent:goes" for n in core.notices()), "nothing is announced")
            assert core.receipts(5).result(10) == ()
            until(lambda: core.receipts(5).result(10) != (), "nothing is released")
            (receipt,) = core.receipts(5).result(10)
            until(lambda: core.dry_runs().result(10)[0].choices == (), "it would be released once more")
            (dry_run,) = core.dry_runs().result(10)
        assert (receipt.origin, receipt.outcomes[0].fate) == ("policy idle", Fate.RELEASED)
        assert receipt.outcomes[0].target.group_key == "fake-agent:goes"
        assert receipt.outcomes[0].target.unattended
        assert [key for key, _ in dry_run.spared] == ["fake-agent:kept"]
