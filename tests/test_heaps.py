"""How full hosts' heaps are, how fast they fill, and what is in them."""

from __future__ import annotations

from dataclasses import replace

from tests.rows import NOW_EPOCH_S, UPTIME_S, claim, fact, idle_evidence, key, observed, process, table
from trayapp.heaps import Past, growth_bytes_per_h, heap_uses, remember
from trayapp.model.plan import Action, Allowed, Reason
from trayapp.model.session import Heap, HostInstance, HostLabel, LadderStep, Role, StepKind
from trayapp.model.snapshot import HeapUse
from trayapp.pipeline import Conclusion, Inputs, Memory, conclude
from trayapp.reclaim.plan import Rules

MB = 1024**2
GB = 1024**3
HOST = process(50, 5, "node", "dsh", age_s=90_000, rss_bytes=7 * GB)
RELEASE = LadderStep(kind=StepKind.HOST_CALL, label="The host is asked to release it", wait_s=10.0, call="release")


def instance(used_bytes: int, limit_bytes: int | None = 8 * GB) -> HostInstance:
    return HostInstance(host="acme", identity=HOST.identity, heap=Heap(used_bytes=used_bytes, limit_bytes=limit_bytes))


def saw(*, hours: float, from_bytes: int, to_bytes: int, tooth_bytes: int = 400 * MB) -> Past:
    """Return samples of a heap that is collected every five minutes and keeps a little more each time."""
    count = int(hours * 120)
    points = []
    for n in range(count + 1):
        floor = from_bytes + (to_bytes - from_bytes) * n / count
        points.append((n * 30.0, int(floor + tooth_bytes * (n % 10) / 10)))
    return tuple(points)


def test_the_rate_is_that_of_what_survives_collections() -> None:
    rate = growth_bytes_per_h(saw(hours=1, from_bytes=2 * GB, to_bytes=3 * GB))
    assert rate is not None
    assert abs(rate - GB) < 0.03 * GB


def test_a_heap_that_only_goes_up_and_down_does_not_grow() -> None:
    assert growth_bytes_per_h(saw(hours=1, from_bytes=2 * GB, to_bytes=2 * GB)) == 0.0


def test_a_short_past_tells_nothing() -> None:
    assert growth_bytes_per_h(()) is None
    assert growth_bytes_per_h(saw(hours=0.15, from_bytes=GB, to_bytes=2 * GB)) is None


def test_the_past_is_thinned_out_bounded_and_forgotten_with_its_host() -> None:
    kept = remember({}, [instance(GB)], 0.0)
    for n in range(1, 5000):
        kept = remember(kept, [instance(GB + n)], n * 2.0)
    assert len(kept[HOST.identity]) == 121
    assert kept[HOST.identity][-1][0] - kept[HOST.identity][0][0] == 3600.0
    assert remember(kept, [], 10_000.0) == {}


def test_a_heap_is_cut_by_session_and_tells_when_it_is_full() -> None:
    past = {HOST.identity: saw(hours=1, from_bytes=5 * GB, to_bytes=6 * GB, tooth_bytes=0)}
    (use,) = heap_uses([instance(6 * GB)], (), table(HOST), past)
    assert use == HeapUse(
        host="acme",
        identity=HOST.identity,
        used_bytes=6 * GB,
        limit_bytes=8 * GB,
        rss_bytes=7 * GB,
        growth_bytes_per_h=use.growth_bytes_per_h,
        full_in_s=use.full_in_s,
    )
    assert use.share == 0.75
    assert use.full_in_s is not None
    assert abs(use.full_in_s - 7200.0) < 60.0


def test_a_heap_without_a_limit_is_never_full() -> None:
    past = {HOST.identity: saw(hours=1, from_bytes=5 * GB, to_bytes=6 * GB)}
    (use,) = heap_uses([instance(6 * GB, None)], (), table(HOST), past)
    assert (use.share, use.full_in_s) == (None, None)


# -- a host that releases inside of its own process --------------------------------------------------------------------


def tick(memory: Memory, *, retained_bytes: int = 120 * MB, refusal: str | None = None, step: int = 0) -> Conclusion:
    told = replace(
        fact(idle_evidence(read_s=2.0 * step)),
        shares_backend=True,
        heap_of=HOST.identity,
        retained_bytes=retained_bytes,
        ladder=(RELEASE,) if refusal is None else (),
        refusal=refusal,
    )
    word = observed([claim(HOST, None, role=Role.INFRA)], told)
    at = table(HOST, monotonic_s=UPTIME_S + 2 * step)
    inputs = Inputs(
        table=at,
        observations=(replace(word, instances=(instance(6 * GB),)),),
        labels=(HostLabel(host="acme", title="Acme", letters="Ac"),),
        rules=Rules(),
        now_epoch_s=NOW_EPOCH_S + 2 * step,
    )
    return conclude(inputs, memory, lambda _: {HOST.identity: 6 * GB})


def test_a_session_in_a_heap_can_be_released_and_holds_no_memory_of_its_own() -> None:
    snapshot = tick(tick(Memory()).memory, step=1).snapshot
    group = snapshot.group(str(key()))
    assert group is not None
    assert (group.members, group.held_bytes, group.heap_of, group.retained_bytes) == ((), 0, HOST.identity, 120 * MB)
    decision = group.decision(Action.RELEASE)
    assert decision is not None
    assert (decision.allowed, decision.reason) == (Allowed.ALLOW, Reason.IDLE_CONFIRMED)
    kill = group.decision(Action.KILL)
    assert kill is not None
    assert kill.allowed is Allowed.REFUSE  # there is nothing of it that a signal could reach
    (heap,) = snapshot.heaps
    assert (heap.sessions_bytes, heap.releasable_bytes, heap.rss_bytes) == (120 * MB, 120 * MB, 7 * GB)
    assert snapshot.totals.held_bytes == 6 * GB  # the heap lies in the host's memory, which is counted once
    assert snapshot.totals.reclaimable_bytes == 0


def test_the_host_itself_is_never_ended() -> None:
    snapshot = tick(Memory()).snapshot
    (infra,) = [g for g in snapshot.groups if HOST.identity in {m.process.identity for m in g.members}]
    assert all(decision.allowed is Allowed.REFUSE for decision in infra.decisions)


def test_without_the_plugin_a_release_is_refused_in_the_adapters_words() -> None:
    snapshot = tick(tick(Memory(), refusal="Needs the plugin").memory, refusal="Needs the plugin", step=1).snapshot
    group = snapshot.group(str(key()))
    assert group is not None
    decision = group.decision(Action.RELEASE)
    assert decision is not None
    assert (decision.allowed, decision.detail) == (Allowed.REFUSE, "Needs the plugin")
