"""The commands around what goes next: `agentring next`, `release --next`, `keep` and `unkeep`.

trayapp.commands takes them in. The order is reclaim/order.py's, what may be done stands in the snapshot's decisions;
nothing is decided here. docs/next.md describes the JSON.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group as Lines
from rich.console import RenderableType
from rich.text import Text

from trayapp import report
from trayapp.model.keep import Keep
from trayapp.model.plan import Action, Decision, Reason
from trayapp.model.snapshot import ORPHAN_KINDS, SCHEMA, Group, GroupKind, Snapshot
from trayapp.reclaim.order import Next, next_to_go
from trayapp.report import clean, rfc3339, short_ids
from trayapp.targets import decision_of
from trayapp.wording import ABOUT, clock_time, decision_words, duration, memory, state_words

if TYPE_CHECKING:
    from trayapp.cli import Core
    from trayapp.commands import Choice

JSON = dict[str, Any]

KEPT_KINDS = ORPHAN_KINDS | {GroupKind.SESSION}
"""What can be released or ended, and so be kept."""

TOLD_KINDS = KEPT_KINDS | {GroupKind.SHARED_HELPER}
"""Of these it is said why they are not offered; a host itself never is."""

MOST_S = 3650 * 86400.0
TODAY = "today"

_Json = Annotated[bool, typer.Option("--json", help="Print the documented JSON instead of text.")]


# ------------------------------------------------------------------------------------------------------ what goes next


def next_(ctx: typer.Context, as_json: _Json = False) -> int:
    """Show what would be released next and why in that order, and what is not offered and why."""
    from trayapp import commands

    with commands._running(ctx) as core:
        seen = core.look()
        keeps = {keep.group_key: keep for keep in core.keeps()}
    commands._tell_problems(seen)
    found, rest = next_to_go(seen), not_offered(seen)
    if as_json:
        commands._print_json(_to_json(seen, found, rest, keeps))
    else:
        commands._print(_as_text(seen, found, rest, keeps))
    return commands.DONE


def not_offered(snapshot: Snapshot) -> tuple[tuple[Group, Decision | None], ...]:
    """Return the sessions, orphans and shared helpers that are not in the list, the heaviest first, each with why."""
    offered = {each.group.key for each in next_to_go(snapshot)}
    groups = [g for g in snapshot.groups if g.kind in TOLD_KINDS and g.key not in offered]
    return tuple((group, _answer(group)) for group in sorted(groups, key=lambda g: (-g.held_bytes, g.key)))


def _answer(group: Group) -> Decision | None:
    return decision_of(group) or group.decision(Action.END_ORPHAN)


def expected(each: Next) -> tuple[int, int]:
    """Return the bytes that are expected to come back as memory, and those in its host's heap, by estimate."""
    heap_bytes = (each.group.retained_bytes or 0) if each.decision.action is Action.RELEASE else 0
    return each.bytes - heap_bytes, heap_bytes


def total(found: Iterable[Next]) -> tuple[int, int]:
    """Return what all of it gives back; a session counts once, also where its surplus backends go before it."""
    most: dict[str, tuple[int, int]] = {}
    for each in found:
        most[each.group.key] = max(most.get(each.group.key, (0, 0)), expected(each))
    return sum(memory_bytes for memory_bytes, _ in most.values()), sum(heap for _, heap in most.values())


def pids(each: Next) -> list[int]:
    """Return whom it would end."""
    group = each.group
    members = group.surplus if each.decision.action is Action.END_DUPLICATE else group.leaving
    return [member.process.pid for member in members]


def _bytes_words(memory_bytes: int, heap_bytes: int) -> str:
    heap = f"{ABOUT}{memory(heap_bytes)} heap" if heap_bytes else None
    if heap is None:
        return memory(memory_bytes)
    return f"{memory(memory_bytes)} + {heap}" if memory_bytes else heap


def _as_text(
    seen: Snapshot,
    found: Sequence[Next],
    rest: Sequence[tuple[Group, Decision | None]],
    keeps: Mapping[str, Keep],
) -> RenderableType:
    parts: list[RenderableType] = []
    ids = short_ids([*(each.group for each in found), *(group for group, _ in rest)])
    if found:
        parts += [Text(f"{_bytes_words(*total(found))} can go now, in this order", style="bold")]
        parts += [_next_table(seen, found, ids)]
    else:
        parts += [Text("Nothing can go now.", style="bold")]
    if rest:
        parts += [Text("Not offered", style="bold"), _rest_table(seen, rest, keeps, ids)]
    return Lines(*parts)


def _next_table(seen: Snapshot, found: Sequence[Next], ids: Mapping[str, str]) -> RenderableType:
    table = report._table("Session", ">", "Host", "Does", ">Memory", "Why", "Id")
    for place, each in enumerate(found, start=1):
        table.add_row(
            clean(each.group.name),
            Text(str(place)),
            report._host_title(seen, each.group),
            Text(each.decision.action.value),
            Text(_bytes_words(*expected(each)), style="bold"),
            clean(each.why),
            clean(ids[each.group.key]),
        )
    return table


def _rest_table(
    seen: Snapshot, rest: Sequence[tuple[Group, Decision | None]], keeps: Mapping[str, Keep], ids: Mapping[str, str]
) -> RenderableType:
    now_epoch_s = seen.taken_at.timestamp()
    table = report._table("Session", "Host", "State", ">Memory", "Why not", "Id")
    for group, decision in rest:
        table.add_row(
            clean(group.name),
            report._host_title(seen, group),
            clean(state_words(group, now_epoch_s=now_epoch_s)),
            Text(report.held(group), style="bold"),
            clean(_why_not(decision, keeps.get(group.key), now_epoch_s)),
            clean(ids[group.key]),
        )
    return table


def _why_not(decision: Decision | None, keep: Keep | None, now_epoch_s: float) -> str:
    words = decision_words(decision) if decision is not None else "Nothing that can be released"
    if keep is None:
        return words
    until = until_words(keep.until_epoch_s, now_epoch_s=now_epoch_s)
    if decision is not None and decision.reason is Reason.KEPT:
        return f"{words}, {until}"
    return f"{words}; kept {until}"


def _to_json(
    seen: Snapshot,
    found: Sequence[Next],
    rest: Sequence[tuple[Group, Decision | None]],
    keeps: Mapping[str, Keep],
) -> JSON:
    memory_bytes, heap_bytes = total(found)
    return {
        "schema": SCHEMA,
        "taken_at": rfc3339(seen.taken_at),
        "expected_bytes": memory_bytes,
        "expected_heap_bytes": heap_bytes,
        "next": [next_to_json(each, place) for place, each in enumerate(found, start=1)],
        "not_offered": [_rest_to_json(group, decision, keeps.get(group.key)) for group, decision in rest],
    }


def next_to_json(each: Next, place: int) -> JSON:
    """Return one entry of the list; docs/next.md."""
    memory_bytes, heap_bytes = expected(each)
    return {
        "place": place,
        **_who(each.group),
        "action": each.decision.action.value,
        "reason": each.decision.reason.value,
        "sentence": each.decision.sentence,
        "why": each.why,
        "expected_bytes": memory_bytes,
        **({"expected_heap_bytes": heap_bytes} if heap_bytes else {}),
        "pids": pids(each),
    }


def _rest_to_json(group: Group, decision: Decision | None, keep: Keep | None) -> JSON:
    told = _who(group) | {"held_bytes": group.held_bytes}
    if group.verdict is not None:
        told["state"] = group.verdict.state.value
    if decision is not None:
        told |= {
            "action": decision.action.value,
            "allowed": decision.allowed.value,
            "reason": decision.reason.value,
            "sentence": decision.sentence,
        }
        if decision.eligible_in_s is not None:
            told["eligible_in_s"] = round(decision.eligible_in_s, 1)
    if keep is not None:
        told["kept"] = {"until": _moment(keep.until_epoch_s)}
    return told


def _who(group: Group) -> JSON:
    told: JSON = {"key": group.key, "kind": group.kind.value, "host": group.host, "title": group.name}
    return told | ({"session_id": group.session.session_id} if group.session is not None else {})


# ------------------------------------------------------------------------------------------------------- release --next


def release_next(core: Core, seen: Snapshot, *, yes: bool, confirm: bool, dry_run: bool, as_json: bool) -> int:
    """Release the first of the list after showing it and asking."""
    from trayapp import commands

    found = next_to_go(seen)[:1]
    if dry_run and as_json:
        commands._print_json({"schema": SCHEMA, "would": [next_to_json(each, 1) for each in found]})
        return commands.DONE
    if not found:
        if as_json:
            commands._print_json({"schema": SCHEMA, "receipt": None})
        else:
            typer.echo("Nothing to release. `agentring next` says why.")
        return commands.DONE
    (first,) = found
    shown = _next_table(seen, found, short_ids([first.group]))
    if dry_run:
        commands._print(shown)
        return commands.DONE
    if not (yes or confirm):
        verb = "Release" if first.decision.action is Action.RELEASE else "End"
        what = "the surplus backends of " if first.decision.action is Action.END_DUPLICATE else ""
        question = f"{verb} {what}{first.group.name}, about {_bytes_words(*expected(first))}?"
        if not commands._can_ask():
            said = clean(question).plain
            raise commands.BadCall(f"{said} Nobody can be asked here. --yes answers, --dry-run shows it")
        commands._print(shown, err=True)
        if not typer.confirm(clean(question).plain, err=True):
            return commands.NOT_ALL
    choice: Choice = (first.group, first.decision)
    consent = commands._Consent(yes=True, confirm=confirm)
    return commands._carry_out(core, seen, [choice], consent, verb="Release", dry_run=False, as_json=as_json)


# ------------------------------------------------------------------------------------------------------- keep, unkeep


def keep(
    ctx: typer.Context,
    sessions: Annotated[
        list[str] | None, typer.Argument(metavar="[SESSION]...", help="Id, its beginning, host:id, or a pid.")
    ] = None,
    length: Annotated[
        str | None,
        typer.Option("--for", metavar="1h|8h|today", help="For how long; without it until `agentring unkeep`."),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Show what is kept.")] = False,
    as_json: _Json = False,
) -> int:
    """Keep sessions: no policy releases them, and nobody without a question."""
    from trayapp import commands

    if listed == bool(sessions) or (listed and length is not None):
        raise commands.BadCall("keep needs sessions or --list, and not both. `agentring snapshot` lists the sessions")
    now_epoch_s = time.time()
    until_epoch_s = until(length, now_epoch_s=now_epoch_s)
    with commands._running(ctx) as core:
        seen = core.look(0.0)
        groups = [_keepable(seen, name) for name in sessions or ()]
        for group in groups:
            core.keep(group.key, until_epoch_s).result()
        keeps = core.keeps()
    commands._tell_problems(seen)
    if as_json:
        commands._print_json(_keeps_to_json(seen, keeps))
    elif listed:
        commands._print(_keeps_table(seen, keeps, now_epoch_s))
    else:
        words = until_words(until_epoch_s, now_epoch_s=now_epoch_s)
        for group in groups:
            typer.echo(clean(f"{group.name}: kept {words}. Only a release that you confirm yourself ends it").plain)
    return commands.DONE


def unkeep(
    ctx: typer.Context,
    sessions: Annotated[list[str], typer.Argument(metavar="SESSION...", help="Id, its beginning, host:id, or a pid.")],
    as_json: _Json = False,
) -> int:
    """Keep sessions no more."""
    from trayapp import commands

    with commands._running(ctx) as core:
        seen = core.look(0.0)
        names = [(name, _kept_key(core.keeps(), seen, name)) for name in sessions]
        for _name, key in names:
            if key is not None:
                core.unkeep(key).result()
        keeps = core.keeps()
    commands._tell_problems(seen)
    if as_json:
        commands._print_json(_keeps_to_json(seen, keeps))
        return commands.DONE
    for name, key in names:
        group = seen.group(key) if key is not None else None
        who = group.name if group is not None else key or name
        typer.echo(clean(f"{who}: {'not kept any more' if key is not None else 'was not kept'}").plain)
    return commands.DONE


def until(length: str | None, *, now_epoch_s: float) -> float | None:
    """Return when a keep of that length ends: "8h" from now, "today" at the next local midnight; None = never."""
    from trayapp import commands

    if length is None:
        return None
    if length == TODAY:
        tomorrow = datetime.fromtimestamp(now_epoch_s).date() + timedelta(days=1)
        return datetime.combine(tomorrow, time_of_day()).timestamp()
    seconds = commands._duration_s(length, "--for", also=f" or {TODAY}")
    if not 0.0 < seconds <= MOST_S:
        raise commands.BadCall(
            f"--for: {length!r} is too {'long' if seconds else 'short'}. Leave it out to keep for good"
        )
    return now_epoch_s + seconds


def until_words(until_epoch_s: float | None, *, now_epoch_s: float) -> str:
    """Say how long something is kept: "until 18:00 (3 h 54 min)", "until you take it back"."""
    if until_epoch_s is None:
        return "until you take it back"
    left = duration(math.ceil(until_epoch_s - now_epoch_s))
    return f"until {clock_time(until_epoch_s, now_epoch_s=now_epoch_s)} ({left})"


def _keepable(seen: Snapshot, name: str) -> Group:
    from trayapp import commands

    group = commands._named(seen.groups, name)
    if group.kind not in KEPT_KINDS:
        raise commands.BadCall(f"{group.name} is nothing that would be released, so there is nothing to keep")
    return group


def _kept_key(keeps: Sequence[Keep], seen: Snapshot, name: str) -> str | None:
    """Return the key of what is kept under that name; None = something that is not kept. What is unknown is refused."""
    from trayapp import commands

    keys = [keep.group_key for keep in keeps]
    exact = [key for key in keys if name in _names(key)]
    long_enough = len(name) >= commands.LEAST_PREFIX
    found = exact or [key for key in keys if long_enough and any(known.startswith(name) for known in _names(key))]
    if len(found) > 1:
        raise commands.BadCall(f"{name!r} can be {', '.join(found[:6])}. Write more of the id, or host:id")
    if found:
        return found[0]
    key = commands._named(seen.groups, name).key
    return key if key in keys else None


def _names(key: str) -> tuple[str, str]:
    return key, key.partition(":")[2] or key


def _keeps_table(seen: Snapshot, keeps: Sequence[Keep], now_epoch_s: float) -> RenderableType:
    if not keeps:
        return Text("Nothing is kept. `agentring keep SESSION` keeps one.")
    table = report._table("Session", "State", "Kept", "Id")
    for each in keeps:
        group = seen.group(each.group_key)
        state = state_words(group, now_epoch_s=seen.taken_at.timestamp()) if group is not None else "Not running"
        words = until_words(each.until_epoch_s, now_epoch_s=now_epoch_s)
        table.add_row(
            clean(group.name if group is not None else each.group_key),
            clean(state),
            clean(words),
            clean(each.group_key),
        )
    return table


def _keeps_to_json(seen: Snapshot, keeps: Sequence[Keep]) -> JSON:
    told = []
    for each in keeps:
        group = seen.group(each.group_key)
        entry: JSON = {"key": each.group_key, "until": _moment(each.until_epoch_s), "running": group is not None}
        told.append(entry | ({"title": group.name, "host": group.host} if group is not None else {}))
    return {"schema": SCHEMA, "keeps": told}


def _moment(epoch_s: float | None) -> str | None:
    return None if epoch_s is None else rfc3339(datetime.fromtimestamp(epoch_s, UTC))
