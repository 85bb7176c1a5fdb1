"""What did not stay gone: seen by looking again, and who started it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from tests.fake_core import group, outcome, receipt, snapshot
from tests.rows import process, table
from trayapp.model.plan import Action
from trayapp.model.process import Identity
from trayapp.model.receipt import Fate, Receipt, Target
from trayapp.model.snapshot import Member
from trayapp.reclaim.aftermath import returns

OLD = group("one", pid=100)
BACKEND = OLD.members[0].process


def released(fate: Fate = Fate.RELEASED) -> Receipt:
    target = Target(
        group_key=OLD.key,
        action=Action.RELEASE,
        members=(BACKEND.identity,),
        title="One",
        host="alpha",
        expected_bytes=0,
    )
    return receipt(replace(outcome(target, fate, "1 process gone"), gone=(BACKEND.identity,)))


def again(ppid: int) -> Member:
    started = BACKEND.identity.start + 500
    new = replace(BACKEND, identity=Identity(300, started), ppid=ppid, start_s=BACKEND.start_s + 5)
    return replace(OLD.members[0], process=new)


def test_a_session_that_a_supervisor_started_again_is_told_with_who_did() -> None:
    member = again(50)
    supervisor = process(50, 1, "supervisord", age_s=999_999)
    seen = snapshot(replace(OLD, members=(member,)))
    done = released()
    now = done.finished_at + timedelta(seconds=20)
    (found,) = returns(done, seen, table(supervisor, member.process), now=now)
    assert (found.group_key, found.by, found.after_s) == (OLD.key, "supervisord (50)", 20.0)
    assert found.sentence == "It runs again, seen 20 s later, started by supervisord (50)"
    assert found.members == (member.process.identity,)


def test_what_nobody_visible_started_is_told_without_a_name() -> None:
    member = again(1)
    done = released()
    seen = snapshot(replace(OLD, members=(member,)))
    init = process(1, 0, "init", age_s=1_000_000)
    at = replace(table(init, member.process), reaper_pids=frozenset({1}))
    (found,) = returns(done, seen, at, now=done.finished_at + timedelta(seconds=20))
    assert found.by is None


def test_what_stayed_gone_is_not_told() -> None:
    done = released()
    assert returns(done, snapshot(), table(), now=done.finished_at) == ()


def test_what_survived_did_not_come_back() -> None:
    done = released(Fate.SURVIVED)
    seen = snapshot(replace(OLD, members=(again(1),)))
    assert returns(done, seen, table(), now=done.finished_at) == ()


def test_a_backend_that_was_there_all_the_time_did_not_come_back() -> None:
    done = released()
    sibling = replace(again(1).process, identity=Identity(300, BACKEND.identity.start - 500))
    seen = snapshot(replace(OLD, members=(replace(again(1), process=sibling),)))
    assert returns(done, seen, table(), now=done.finished_at) == ()
