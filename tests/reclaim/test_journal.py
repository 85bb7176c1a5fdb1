"""What was done is written down before and after, and survives a crash at any moment."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from trayapp.model.plan import Action, Reason
from trayapp.model.process import Identity
from trayapp.model.receipt import Fate, Outcome, Receipt, Return, Survivor, Target
from trayapp.model.session import ResumeTicket
from trayapp.reclaim.journal import Intent, Journal

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

TARGET = Target(
    group_key="fake-agent:s1",
    action=Action.RELEASE,
    members=(Identity(200, 5000), Identity(201, 5001)),
    title="First",
    host="fake-agent",
    expected_bytes=1_500_000_000,
)


def intent(receipt_id: str = "r1") -> Intent:
    return Intent(receipt_id=receipt_id, started_at=AT, origin="menu bar", targets=(TARGET,))


def receipt(receipt_id: str = "r1") -> Receipt:
    outcome = Outcome(
        target=TARGET,
        fate=Fate.SURVIVED,
        sentence="1 still runs, 1 process gone",
        reason=Reason.OPEN_TURN,
        gone=(Identity(200, 5000),),
        survived=(Survivor(identity=Identity(201, 5001), name="node", note="still runs"),),
        came_back_bytes=1_400_000_000,
        rss_came_back_bytes=1_600_000_000,
        took_s=2.5,
        steps=("SIGTERM to agent (200)",),
        resume=ResumeTicket(argv=("agent", "--resume", "s1"), cwd="/home/me/project"),
    )
    return Receipt(
        receipt_id=receipt_id,
        started_at=AT,
        finished_at=AT,
        origin="menu bar",
        outcomes=(outcome,),
        available_before_bytes=1,
        available_after_bytes=2,
        footprint_metric="pss",
    )


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "state" / "journal.jsonl")


def test_a_receipt_comes_back_as_it_was_written(journal: Journal) -> None:
    journal.write_intent(intent())
    journal.write_receipt(receipt())
    assert journal.receipts(10) == (receipt(),)
    assert journal.open_intents() == ()
    assert journal.problems == ()


def test_the_newest_receipts_come_first_and_no_more_than_asked_for(journal: Journal) -> None:
    for number in range(5):
        journal.write_receipt(receipt(f"r{number}"))
    assert [r.receipt_id for r in journal.receipts(2)] == ["r4", "r3"]
    assert journal.receipts(0) == ()


def test_a_journal_that_is_not_there_yet_is_empty(journal: Journal) -> None:
    assert journal.receipts(10) == ()
    assert journal.open_intents() == ()
    assert journal.problems == ()


def test_only_the_user_can_read_it(journal: Journal) -> None:
    before = os.umask(0)
    try:
        journal.write_intent(intent())
    finally:
        os.umask(before)
    assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600


def test_a_cut_last_line_is_told_and_swallows_nothing(journal: Journal) -> None:
    journal.write_receipt(receipt("r1"))
    journal.write_intent(intent("r2"))
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole[:-40])
    journal.write_receipt(receipt("r3"))
    assert [r.receipt_id for r in journal.receipts(10)] == ["r3", "r1"]
    (problem,) = journal.problems
    assert problem.where == str(journal.path)
    assert "line 2" in problem.what


@pytest.mark.parametrize("broken", [b"{nonsense", b'{"schema":2,"receipt":{"receipt_id":5}}', b"\xff\xfe\x00", b"[]"])
def test_a_broken_line_is_told_left_alone_and_passed_over(journal: Journal, broken: bytes) -> None:
    journal.write_receipt(receipt("r1"))
    with journal.path.open("ab") as file:
        file.write(broken + b"\n")
    journal.write_receipt(receipt("r2"))
    assert [r.receipt_id for r in journal.receipts(10)] == ["r2", "r1"]
    assert len(journal.problems) == 1
    assert broken in journal.path.read_bytes()


def test_a_line_of_a_newer_version_is_not_misread(journal: Journal) -> None:
    journal.write_receipt(receipt("r1"))
    line = json.loads(journal.path.read_text()) | {"schema": 4}
    with journal.path.open("a") as file:
        file.write(json.dumps(line) + "\n")
    assert [r.receipt_id for r in journal.receipts(10)] == ["r1"]
    (problem,) = journal.problems
    assert "newer version" in problem.what


def test_a_crash_between_intent_and_receipt_leaves_the_intent_open(journal: Journal) -> None:
    program = """
import os, signal, sys
from pathlib import Path
from tests.reclaim.test_journal import intent
from trayapp.reclaim.journal import Journal
Journal(Path(sys.argv[1])).write_intent(intent("half-done"))
os.kill(os.getpid(), signal.SIGKILL)
"""
    checkout = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    ended = subprocess.run([sys.executable, "-c", program, str(journal.path)], env=environment, check=False, timeout=60)
    assert ended.returncode == -9
    journal.write_intent(intent("r2"))
    journal.write_receipt(receipt("r2"))
    (left_open,) = journal.open_intents()
    assert left_open == intent("half-done")


def test_a_full_disk_is_an_error_and_leaves_earlier_entries_whole(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.write_receipt(receipt("r1"))
    write = os.write
    room = [25]

    def write_a_little(descriptor: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(28, "No space left on device")
        written = write(descriptor, data[: room[0]])
        room[0] -= written
        return written

    with monkeypatch.context() as full:
        full.setattr(os, "write", write_a_little)
        with pytest.raises(OSError, match="No space"):
            journal.write_receipt(receipt("r2"))
    assert any("No space left" in problem.what for problem in journal.problems)
    journal.write_receipt(receipt("r3"))
    assert [r.receipt_id for r in journal.receipts(10)] == ["r3", "r1"]
    assert not any("No space left" in problem.what for problem in journal.problems)


def test_two_programs_can_write_to_one_journal(journal: Journal) -> None:
    other = Journal(journal.path)
    journal.write_intent(intent("r1"))
    other.write_intent(intent("r2"))
    journal.write_receipt(receipt("r1"))
    other.write_receipt(receipt("r2"))
    assert {r.receipt_id for r in journal.receipts(10)} == {"r1", "r2"}
    assert journal.open_intents() == ()


def test_what_a_process_ran_is_kept_as_a_digest_only(journal: Journal) -> None:
    from tests.tables import process
    from trayapp.model.receipt import program_mark

    secret = process(200, argv=("agent", "--api-key", "sk-live-4711"))
    target = replace(TARGET, programs=(program_mark(secret),))
    journal.write_intent(replace(intent(), targets=(target,)))
    written = journal.path.read_text()
    assert "sk-live-4711" not in written
    assert "--api-key" not in written
    assert set(json.loads(written)["intent"]["targets"][0]) == {
        "group_key", "action", "members", "title", "host", "expected_bytes", "confirmed", "asked", "force", "programs",
        "heap_of", "expected_heap_bytes", "unattended",
    }  # fmt: skip


def test_what_did_not_stay_gone_is_told_with_its_receipt(journal: Journal) -> None:
    journal.write_receipt(receipt("r1"))
    journal.write_receipt(receipt("r2"))
    again = Return(
        receipt_id="r1", group_key="a:1", title="One", at=AT, after_s=20.0, by="pm2 (7)", members=(Identity(9, 9),)
    )
    journal.write_return(again)
    newest, older = journal.receipts(2)
    assert (newest.returns, older.returns) == ((), (again,))
