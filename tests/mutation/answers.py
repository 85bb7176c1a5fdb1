"""What two modules of rules answer on many made-up sessions, so that a changed pair can be compared with the real one.

The inputs stand at the edges of the rules: one second too young, one confirmation short, the first pid, another user.
"""

from __future__ import annotations

from random import Random
from types import ModuleType

from tests.rows import NOW_EPOCH_S, OWN_PID, SIGTERM_LADDER, evidence, fact, group, key, member, process, renamed, table
from trayapp.model.plan import Action, Allowed
from trayapp.model.process import Identity, Process, ProcessStatus
from trayapp.model.session import Evidence, EvidenceKind, Role, SessionFact, Speaks, State
from trayapp.model.snapshot import GroupKind, Verdict

CASES = 3000
_CRASHES = (TypeError, ValueError, AttributeError, KeyError, IndexError, StopIteration, RuntimeError)
_RANKS = {Allowed.REFUSE: 0, Allowed.CONFIRM: 1, Allowed.ALLOW: 2}
_FLAGS = (
    "ambiguous", "duplicates", "shared-backend", "leftover", "per-conversation", "helper-agent", "unverified",
    "serves-live-sessions",
)  # fmt: skip
_PROGRAMS = ("acme", "acme", "acme", "bash", "kitty", "index-mcp", "systemd")


def answers(verdict: ModuleType, plan: ModuleType) -> list[int]:
    """Return for each question how far the rules let one go: 0 refuse, 1 confirm, 2 allow. A crash refuses."""
    return [rank for seed in range(CASES) for rank in _answers(Random(seed), verdict, plan)]


def looser(mutant: list[int], real: list[int]) -> list[int]:
    """Return the cases in which a mutant lets one go further than the real rules do."""
    per_case = len(real) // CASES
    return sorted({at // per_case for at, (now, was) in enumerate(zip(mutant, real, strict=True)) if now > was})


def _answers(chance: Random, verdict: ModuleType, plan: ModuleType) -> list[int]:
    told = _fact(chance)
    members = [
        member(_process(chance, pid), chance.choice([Role.BACKEND] * 6 + list(Role)))
        for pid in chance.sample([10, 11, 12, 13, *[1] * (chance.random() < 0.2)], chance.choice([0, 1, 1, 1, 2]))
    ]
    own = process(OWN_PID, chance.choice([90] * 6 + [10]), "agentring", age_s=5)
    at = table(*(m.process for m in members), own, own_uid=chance.choice([1000, 1000, None]))
    rules = plan.Rules(caller_pid=chance.choice([None, None, 10, 4711]))
    before = Verdict(state=chance.choice([State.IDLE, State.BUSY]), since_epoch_s=NOW_EPOCH_S - 3600, confirmations=1)
    given = {
        "before": chance.choice([None, before]),
        "nested_agents": chance.choice([(), (), (), ("Review",)]),
        "foreign_work": chance.choice([(), (), (), ("pnpm",)]),
        "stale_s": chance.choice([None, None, None, 40.0]),
    }
    kind = chance.choice([GroupKind.SESSION] * 6 + list(GroupKind))
    flags = tuple(flag for flag in _FLAGS if chance.random() < 0.08)
    made = _verdict(chance) if chance.random() < 0.6 else None
    found: list[int] = []
    try:
        judged = made or verdict.judge(told, members, now_epoch_s=NOW_EPOCH_S, **given)
    except _CRASHES:
        judged = Verdict(state=State.BUSY)
    asked = group(*members, kind=kind, flags=flags, verdict=chance.choice([judged] * 9 + [None]))
    for action in Action:
        try:
            found.append(_RANKS[plan.decide(action, asked, at, fact=told, rules=rules).allowed])
        except _CRASHES:
            found.append(0)
    seen, now = _process(chance, 10), chance.choice([None, _process(chance, 10), _process(chance, 10)])
    try:
        found.append(2 * (plan.recheck(seen, now) is None) + 2 * (plan.recheck(seen, seen) is None))
        found.append(sum(_RANKS[d.allowed] for d in plan.plan(asked, at, {key(): told}, rules).decisions))
    except _CRASHES:
        found += [0] * (len(Action) + 2 - len(found))
    return found


def _process(chance: Random, pid: int) -> Process:
    made = process(pid, 5, chance.choice(_PROGRAMS), age_s=chance.choice([119.0, 120.0, 121.0, 5000.0]))
    return renamed(
        made,
        uid=chance.choice([1000] * 8 + [0, None]),
        pid_namespace=chance.choice([None, 1, 1, 1, 1, 2]),
        unit=chance.choice([None] * 9 + ["acme.service"]),
        status=chance.choice([ProcessStatus.SLEEPING] * 8 + [ProcessStatus.ZOMBIE]),
        tty_input_epoch_s=chance.choice([None, None, *(NOW_EPOCH_S - idle_s for idle_s in (29.0, 30.0, 31.0))]),
        exe=chance.choice([None, "/usr/bin/acme", "/usr/bin/acme", "/usr/bin/vim"]),
        argv=chance.choice([None, made.argv, made.argv, ("acme: idle",)]),
        identity=chance.choice([made.identity] * 5 + [Identity(pid, 7)]),
    )


def _fact(chance: Random) -> SessionFact:
    return fact(
        *(_evidence(chance) for _ in range(chance.choice([0, 1, 1, 2, 3]))),
        shares_backend=chance.random() < 0.2,
        refusal=chance.choice([None] * 8 + ["Its host forbids it"]),
        last_activity_epoch_s=chance.choice([None, NOW_EPOCH_S - 7200, NOW_EPOCH_S - 5]),
        ladder=chance.choice([SIGTERM_LADDER] * 3 + [()]),
    )


def _evidence(chance: Random) -> Evidence:
    return evidence(
        chance.choice(list(EvidenceKind)),
        chance.choice([Speaks.IDLE] * 6 + list(Speaks)),
        age_s=chance.choice([None, 899.0, 901.0, 3600.0, 3600.0]),
        read_s=chance.choice([0.0, 2.0]),
    )


def _verdict(chance: Random) -> Verdict:
    return Verdict(
        state=chance.choice([State.IDLE] * 6 + list(State)),
        evidence=tuple(_evidence(chance) for _ in range(chance.choice([0, 0, 1, 1, 2]))),
        idle_s=chance.choice([None, 0.0, 1.0, 899.5, 900.0, 900.5, 901.0, 3600.0, 3600.0]),
        confirmations=chance.choice([0, 1, 2, 2, 2, 3]),
    )
