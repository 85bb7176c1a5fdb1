"""The command `agentring simulate`: what a policy would have released in the past, and what of it wrongly.

trayapp.commands takes it in. Nothing is released; trayapp.reclaim.simulate replays the history. docs/simulate.md
describes the JSON.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, cast

import typer

from trayapp.model.policy import Policy, Trigger
from trayapp.wording import clock_time, duration, memory

if TYPE_CHECKING:
    from concurrent.futures import Future

    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from trayapp.reclaim.simulate import Release, Simulation, Sweep, Terms

SCHEMA = 1

MOST_SHOWN = 40
"""Releases that are listed for people, the newest; the JSON has all."""

GB = 1024**3


class Simulating(Protocol):
    """What this command needs of the core; both may take seconds."""

    def simulate(
        self, policies: Sequence[Policy], since_epoch_s: float, until_epoch_s: float, terms: Terms
    ) -> Future[Sequence[Simulation]]:
        """Replay policies over the history, each as if it were the only one."""
        ...

    def sweep(self, policy: Policy, since_epoch_s: float, terms: Terms | None = None) -> Future[Sweep]:
        """Replay a policy with several idle times; without terms, with those of the settings."""
        ...


def simulate(
    ctx: typer.Context,
    since: Annotated[str, typer.Option(help="How far back, such as 24h or 7d.")] = "7d",
    policy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The [[policies]] in this file, written as in settings.toml.")
    ] = None,
    trigger: Annotated[
        str | None, typer.Option(metavar="TRIGGER", help=f"A policy of this call: {', '.join(Trigger)}.")
    ] = None,
    after: Annotated[str | None, typer.Option(help="Of that policy: idle for longer than this, such as 4h.")] = None,
    at_most: Annotated[
        int | None, typer.Option(help="Of that policy: so many idle sessions of each host stay.")
    ] = None,
    over: Annotated[str | None, typer.Option(help="Of that policy: above so much, such as 8GB or 40%.")] = None,
    soon: Annotated[
        str, typer.Option(help="A session that works again within this time should not have been released.")
    ] = "30m",
    sweep: Annotated[bool, typer.Option("--sweep", help="Try idle times from 5 min to 24 h, to choose one.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the documented JSON instead of text.")] = False,
) -> int:
    """Say what policies would have released, what that would have freed, and what of it would have been wrong."""
    from trayapp import commands
    from trayapp.reclaim.simulate import Terms

    until_s = time.time()
    since_s = until_s - commands._duration_s(since, "--since")
    soon_s = commands._duration_s(soon, "--soon")
    wanted = _policies_of_call(policy, trigger=trigger, after=after, at_most=at_most, over=over)
    with commands._running(ctx) as core:
        policies = wanted or core.policies()
        total_bytes = None
        if any(each.over_share is not None for each in policies):
            total_bytes = core.look(0.0).machine.memory_total_bytes
        terms = Terms(soon_s=soon_s, idle_after_s=core.settings.idle_after_s, memory_total_bytes=total_bytes)
        # cli.Core does not have it
        simulating = cast(Simulating, core)
        swept: list[Sweep] = []
        found: Sequence[Simulation] = ()
        if sweep or not policies:
            tried = policies or (Policy(name="idle", trigger=Trigger.IDLE, after_s=900.0),)
            swept = [simulating.sweep(each, since_s, terms).result() for each in tried]
        else:
            found = simulating.simulate(policies, since_s, until_s, terms).result()
    if as_json:
        commands._print_json(
            {"schema": SCHEMA, "sweeps": [_sweep_json(each) for each in swept]}
            if swept
            else {"schema": SCHEMA, "simulations": [_simulation_json(each) for each in found]}
        )
    else:
        commands._print(_lines(found, swept, now_epoch_s=until_s))
    if max([each.covered_s for each in found] + [each.covered_s for each in swept]) <= 0:
        commands._complain("Nothing was recorded in that time; measurements are recorded while the tray app runs")
    return commands.DONE


def _policies_of_call(
    file: Path | None, *, trigger: str | None, after: str | None, at_most: int | None, over: str | None
) -> tuple[Policy, ...]:
    """Return what the call itself says; nothing where it says nothing. Raises BadCall."""
    from trayapp.commands import BadCall
    from trayapp.policy_words import policy_in

    table = {"after": after, "at_most": at_most, "over": over}
    table = {key: value for key, value in table.items() if value is not None}
    if file is not None:
        if trigger is not None or table:
            raise BadCall("--policy names a file that says all of it; leave out --trigger, --after, --at-most, --over")
        return _policies_in(file)
    if trigger is None and not table:
        return ()
    read = policy_in({"name": "of this call", "trigger": trigger or _trigger_of(table), **table})
    if read.policy is None:
        raise BadCall("; ".join(what for _, what, _ in read.faults) + ". `agentring simulate --help` lists the options")
    return (read.policy,)


def _trigger_of(table: dict[str, Any]) -> str:
    """Return the trigger that takes such a figure."""
    return Trigger.MOST if "at_most" in table else Trigger.TOTAL if "over" in table else Trigger.IDLE


def _policies_in(file: Path) -> tuple[Policy, ...]:
    from trayapp import settings
    from trayapp.commands import BadCall
    from trayapp.report import problem_line

    if not file.exists():
        raise BadCall(f"{file}: there is no such file. Name one with [[policies]] in it")
    found, problems = settings.load(file)
    if problems:
        raise BadCall(problem_line(problems[0]))
    if not found.policies:
        raise BadCall(f"{file}: there is no policy in it. Write [[policies]] and below it name and trigger")
    return found.policies


# ------------------------------------------------------------------------------------------------------------- people


def _lines(found: Sequence[Simulation], swept: Sequence[Sweep], *, now_epoch_s: float) -> RenderableType:
    from rich.console import Group as Lines

    lines: list[RenderableType] = []
    for simulation in found:
        lines += _of_simulation(simulation, now_epoch_s)
    for sweep in swept:
        lines += _of_sweep(sweep)
    return Lines(*lines)


def _of_simulation(found: Simulation, now_epoch_s: float) -> list[RenderableType]:
    from trayapp.report import clean

    lines: list[RenderableType] = [_head(found.policy), _covered(found)]
    if found.releases:
        lines += [_days_table(found), _releases_table(found.releases[-MOST_SHOWN:], found.soon_s, now_epoch_s)]
        if len(found.releases) > MOST_SHOWN:
            lines.append(clean(f"These are the newest {MOST_SHOWN}; --json has all {len(found.releases)}."))
    if found.replayed:
        lines.append(clean(_summary(found)))
    return lines + _notes(found.not_simulated)


def _head(policy: Policy) -> Text:
    from trayapp.policy_words import said
    from trayapp.report import clean

    head = clean(f"{policy.name}  {said(policy)}")
    head.stylize("bold", 0, len(policy.name))
    return head


def _covered(found: Simulation | Sweep) -> Text:
    from trayapp.report import clean

    length_s = found.until_epoch_s - found.since_epoch_s
    return clean(f"Of the last {duration(length_s)}, {duration(found.covered_s)} were measured.")


def _summary(found: Simulation) -> str:
    if not found.releases:
        return "It would have released nothing."
    wrong = len(found.wrong)
    what = _count(found.touched, "orphan" if found.policy.trigger is Trigger.ORPHANS else "session")
    times = "" if len(found.releases) == found.touched else f", {_count(len(found.releases), 'time')} in all"
    soon = duration(found.soon_s)
    touch = f"{_count(wrong, 'release')} would have been wrong: it worked again within {soon}."
    return (
        f"It would have released {what}{times}: {_byte_hours(found.freed_byte_hours)} free, "
        f"{memory(found.peak_freed_bytes)} at most at one moment. "
        + (touch if wrong else f"None of them worked again within {soon}.")
    )


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _byte_hours(value: float) -> str:
    return f"{value / GB:.1f}\u202fGB·h"


def _came(release: Release, soon_s: float) -> str:
    from trayapp.reclaim.simulate import Came

    match release.came:
        case Came.WRONG:
            return f"wrong: worked again after {duration(release.worked_again_s)}"
        case Came.LATER:
            return f"worked again after {duration(release.worked_again_s)}"
        case Came.ENDED:
            return "ended by itself later"
        case Came.RESTED:
            return "not used again"
        case Came.UNDECIDED:
            return f"cannot tell: the record ends within {duration(soon_s)}"


def _releases_table(releases: Sequence[Release], soon_s: float, now_epoch_s: float) -> Table:
    from trayapp.report import clean

    table = _table("when", "what", "host", ">held", ">freed", "then")
    for release in releases:
        table.add_row(
            clock_time(release.at_epoch_s, now_epoch_s=now_epoch_s),
            clean(release.title),
            clean(release.host or ""),
            memory(release.bytes),
            _byte_hours(release.freed_byte_hours),
            _came(release, soon_s),
        )
    return table


def _days_table(found: Simulation) -> Table:
    table = _table("day", ">releases", ">wrong", ">freed")
    for day in found.days:
        if day.releases or day.freed_byte_hours:
            table.add_row(day.day.isoformat(), str(day.releases), str(day.wrong), _byte_hours(day.freed_byte_hours))
    return table


def _of_sweep(sweep: Sweep) -> list[RenderableType]:
    from trayapp.report import clean

    table = _table(">idle for", ">sessions", ">releases", ">wrong", ">freed", ">at most")
    for point in sweep.points:
        table.add_row(
            duration(point.threshold_s),
            str(point.touched),
            str(point.releases),
            str(point.wrong_releases),
            _byte_hours(point.freed_byte_hours),
            memory(point.peak_freed_bytes),
        )
    head = clean("What releasing idle sessions would have done, by how long they were idle")
    if sweep.policy.trigger is not Trigger.IDLE:
        head = clean(f"{sweep.policy.name}, by how long a session must be idle")
    head.stylize("bold")
    wrong = f"Wrong is a release after which the session worked again within {duration(sweep.soon_s)}."
    return [head, _covered(sweep), table, clean(wrong), *_notes(sweep.not_simulated)]


def _notes(sentences: Sequence[str]) -> list[RenderableType]:
    from trayapp.report import clean

    return [clean(f"Note: {sentence}") for sentence in sentences]


def _table(*heads: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head.removeprefix(">"), justify="right" if head.startswith(">") else "left")
    return table


# --------------------------------------------------------------------------------------------------------------- JSON


def _head_json(found: Simulation | Sweep) -> dict[str, Any]:
    from trayapp.policy_words import said, table_of

    return {
        "policy": {**table_of(found.policy), "says": said(found.policy)},
        "since": _rfc3339(found.since_epoch_s),
        "until": _rfc3339(found.until_epoch_s),
        "covered_seconds": round(found.covered_s),
        "soon_seconds": found.soon_s,
        "not_simulated": list(found.not_simulated),
    }


def _simulation_json(found: Simulation) -> dict[str, Any]:
    return {
        **_head_json(found),
        "replayed": found.replayed,
        "freed_byte_hours": round(found.freed_byte_hours),
        "peak_freed_bytes": found.peak_freed_bytes,
        "touched": found.touched,
        "wrong_releases": len(found.wrong),
        "days": [
            {
                "day": day.day.isoformat(),
                "releases": day.releases,
                "wrong_releases": day.wrong,
                "freed_byte_hours": round(day.freed_byte_hours),
            }
            for day in found.days
        ],
        "releases": [_release_json(release) for release in found.releases],
    }


def _release_json(release: Release) -> dict[str, Any]:
    optional = {
        "session_id": release.session_id,
        "host": release.host,
        "worked_again_after_seconds": None if release.worked_again_s is None else round(release.worked_again_s),
    }
    return {
        "at": _rfc3339(release.at_epoch_s),
        "group": release.key,
        "kind": release.kind.value,
        "title": release.title,
        "bytes": release.bytes,
        "freed_byte_hours": round(release.freed_byte_hours),
        "came": release.came.value,
        **{key: value for key, value in optional.items() if value is not None},
    }


def _sweep_json(sweep: Sweep) -> dict[str, Any]:
    return {
        **_head_json(sweep),
        "points": [
            {
                "threshold_seconds": point.threshold_s,
                "freed_byte_hours": round(point.freed_byte_hours),
                "peak_freed_bytes": point.peak_freed_bytes,
                "touched": point.touched,
                "releases": point.releases,
                "wrong": point.wrong,
                "wrong_releases": point.wrong_releases,
            }
            for point in sweep.points
        ],
    }


def _rfc3339(epoch_s: float) -> str:
    from trayapp.report import rfc3339

    return rfc3339(datetime.fromtimestamp(epoch_s, UTC))
