"""Whatever is on the table and whatever a policy says: nothing is ever chosen that must not go without a person."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reclaim.policy_scenes import DAY, GB, HOUR, backend, in_heap, orphan, scene, session
from tests.reclaim.test_policy_words import matches as any_matches
from tests.reclaim.test_policy_words import policies as any_policies
from tests.rows import NOW_EPOCH_S, evidence
from trayapp.model.plan import Action, Allowed
from trayapp.model.policy import Match, Policy, Trigger
from trayapp.model.process import Identity, Pressure
from trayapp.model.session import EvidenceKind, Role, Speaks, State
from trayapp.model.snapshot import ORPHAN_KINDS, Group, GroupKind, HeapUse, Snapshot
from trayapp.reclaim.order import next_to_go
from trayapp.reclaim.plan import MIN_AGE_S
from trayapp.reclaim.policy import Deed, dry_run, is_quiet

HEAP_PID = Identity(500, 5)
FOLDERS = ("/home/ada/shop", "/home/ada/work/x", "/srv", None)
HOSTS = ("acme", "beta")
PROGRAMS = ("agent", "node", "a-name-of-bytes")

known_matches = st.one_of(
    st.sampled_from([Match(folder=folder) for folder in ("/home/ada", "/home/ada/work", "/srv")]),
    st.sampled_from([Match(host=host) for host in HOSTS]),
    st.sampled_from([Match(program=program) for program in PROGRAMS]),
    st.sampled_from([Match(session=name) for name in ("s0", "acme:s1", "o2")]),
    any_matches,
)
few_matches = st.one_of(st.just(()), st.lists(known_matches, max_size=2).map(tuple))
plain = {
    "name": st.just("p"),
    "only": few_matches,
    "never": few_matches,
    "most_an_hour": st.integers(2, 6),
    "typed_s": st.sampled_from([900.0, 0.0]),
}
hours = st.integers(0, 6).map(lambda h: h * HOUR + 1)
likely_policies = st.one_of(
    st.builds(Policy, trigger=st.just(Trigger.IDLE), after_s=hours, **plain),
    st.builds(Policy, trigger=st.just(Trigger.ORPHANS), after_s=hours, **plain),
    st.builds(Policy, trigger=st.just(Trigger.MOST), at_most=st.integers(0, 1), **plain),
    st.builds(Policy, trigger=st.just(Trigger.TOTAL), over_bytes=st.integers(1, 3 * GB), **plain),
    st.builds(Policy, trigger=st.just(Trigger.HEAP), over_share=st.floats(0.1, 0.9), **plain),
    st.builds(Policy, trigger=st.sampled_from([Trigger.PRESSURE, Trigger.DUPLICATES]), **plain),
    any_policies,
)
told = st.builds(
    evidence, st.sampled_from(EvidenceKind), st.sampled_from(Speaks), age_s=st.sampled_from([None, 5 * HOUR])
).map(lambda each: (each,))


def mostly(draw: st.DrawFn, good: Any, *others: Any) -> Any:
    """Return the good value six times of seven, so that most of what is made can go."""
    return draw(st.sampled_from(others)) if draw(st.integers(0, 6)) == 6 else good


@st.composite
def groups(draw: st.DrawFn) -> list[Group]:
    return [draw(one_group(number)) for number in range(draw(st.integers(2, 7)))]


@st.composite
def one_group(draw: st.DrawFn, number: int) -> Group:
    on_terminal = mostly(draw, False, True)
    of_backend: dict[str, Any] = {
        "age_s": mostly(draw, 3 * DAY, 30.0, 119.0, 121.0),
        "tty": "pts/1" if on_terminal else None,
        "tty_input_epoch_s": draw(
            st.sampled_from([None, NOW_EPOCH_S - 60, NOW_EPOCH_S - HOUR, NOW_EPOCH_S + 60] if on_terminal else [None])
        ),
        "gigabytes": draw(st.floats(0.0, 3.0)),
        "name": draw(st.sampled_from(PROGRAMS))[:15],
    }
    cwd = draw(st.sampled_from(FOLDERS))
    what = draw(st.sampled_from(["orphan", "session", "session", "double", "in heap"]))
    if what == "orphan":
        kind = mostly(draw, GroupKind.ORPHAN_HELPER, *ORPHAN_KINDS)
        flags = mostly(draw, (), ("stale",), ("leftover",), ("serves-live-sessions",))
        return replace(orphan(f"o{number}", kind=kind, cwd=cwd, **of_backend), flags=flags)
    about: dict[str, Any] = {
        "idle_s": draw(st.integers(0, 12)) * HOUR,
        "state": mostly(draw, State.IDLE, *State),
        "host": mostly(draw, "acme", "beta"),
        "cwd": cwd,
        "confirmations": mostly(draw, 2, 0, 1, 3),
        "told": draw(told) if mostly(draw, False, True) else (),
    }
    flags = mostly(draw, (), ("stale",), ("ambiguous",), ("remnant",), ("unverified",), ("shared-backend",))
    if what == "in heap":
        return in_heap(f"s{number}", HEAP_PID, draw(st.sampled_from([None, GB])), **about)
    if what == "double":
        second = backend(age_s=5 * DAY, role=draw(st.sampled_from([Role.BACKEND, Role.WORK])))
        return session(f"s{number}", members=(backend(**of_backend), second), flags=(*flags, "duplicates"), **about)
    return session(f"s{number}", flags=flags, **about, **of_backend)


@st.composite
def scenes(draw: st.DrawFn) -> Snapshot:
    made = draw(groups())
    kept = frozenset(group.key for group in made if mostly(draw, False, True))
    used = draw(st.integers(6, 10)) * GB
    return scene(
        *made,
        kept=kept,
        pressure=mostly(draw, Pressure.CRITICAL, *Pressure),
        heaps=(HeapUse(host="acme", identity=HEAP_PID, used_bytes=used, limit_bytes=10 * GB),),
    )


deeds = st.lists(
    st.builds(
        Deed,
        at_epoch_s=st.floats(NOW_EPOCH_S - 2 * HOUR, NOW_EPOCH_S + HOUR),
        policy=st.sampled_from(["p", "q"]),
        group_key=st.just("acme:x"),
        host=st.sampled_from(HOSTS),
    ),
    max_size=4,
)
clocks = st.builds(datetime, st.just(2026), st.just(11), st.just(30), st.integers(0, 23), st.integers(0, 59))


@settings(max_examples=400, deadline=None)
@given(policy=likely_policies, seen=scenes(), past=deeds, local=clocks)
def test_no_choice_is_busy_waiting_unknown_kept_excepted_young_or_typed_in(
    policy: Policy, seen: Snapshot, past: list[Deed], local: datetime
) -> None:
    run = dry_run(policy, seen, now_epoch_s=NOW_EPOCH_S, local=local, past=past)
    order = [(each.group.key, each.decision.action) for each in next_to_go(seen)]
    chosen = [(choice.group_key, choice.action) for choice in run.choices]
    assert chosen == sorted(chosen, key=order.index)
    assert len({key for key, _ in chosen}) == len(chosen)
    assert {key for key, _ in chosen}.isdisjoint(key for key, _ in run.spared)
    in_hour = sum(deed.policy == policy.name and deed.at_epoch_s > NOW_EPOCH_S - HOUR for deed in past)
    assert len(chosen) <= max(0, policy.most_an_hour - in_hour)
    assert not chosen or (run.triggered and is_quiet(policy.quiet, local) is None)
    for key, action in chosen:
        group = seen.group(key)
        assert group is not None
        _may_go(policy, group, action)
    assert all(why for _, why in run.spared)
    assert run.why


def _may_go(policy: Policy, group: Group, action: Action) -> None:
    """Say again, in other words than the code, what must hold for whatever goes without a person."""
    for wanted in (action, Action.AUTO_CLEAN):
        decision = group.decision(wanted)
        assert decision is not None
        assert decision.allowed is Allowed.ALLOW
    if group.kind is GroupKind.SESSION:
        assert action in (Action.RELEASE, Action.END_DUPLICATE)
        assert group.verdict is not None
        assert (group.verdict.state, group.verdict.stale_s) == (State.IDLE, None)
        assert group.verdict.confirmations >= 2
        assert not any(e.speaks_for in (Speaks.PROTECTS,) for e in group.verdict.evidence)
    else:
        assert (group.kind, action) == (GroupKind.ORPHAN_HELPER, Action.END_ORPHAN)
    assert {"stale", "ambiguous", "remnant", "unverified", "leftover"}.isdisjoint(group.flags)
    processes = [member.process for member in group.members]
    assert all(1_000_000.0 - process.start_s >= MIN_AGE_S for process in processes)
    if policy.typed_s:
        for process in processes:
            assert process.tty is None or (
                process.tty_input_epoch_s is not None and NOW_EPOCH_S - process.tty_input_epoch_s >= policy.typed_s
            )
    assert not any(_named_by(match, group) for match in policy.never)
    assert not policy.only or any(_named_by(match, group) for match in policy.only)


def _named_by(match: Match, group: Group) -> bool:
    folders = [folder for folder in (group.cwd, *(m.process.cwd for m in group.members)) if folder]
    if match.folder is not None:
        return (
            any(f"{folder}/".startswith(f"{match.folder.rstrip('/')}/") for folder in folders) and match.folder != "/"
        )
    if match.host is not None:
        return match.host == group.host
    if match.program is not None:
        called = ((m.process.name, m.process.exe or "", *(m.process.argv or ())[:1]) for m in group.members)
        return any(match.program == path.rsplit("/", 1)[-1] for names in called for path in names)
    own = group.session.session_id if group.session is not None else group.owner_hint
    return match.session in (group.key, own)
