"""The commands `agentring policies ...`: what each policy is, what it would do now and why, on, off, add, remove.

trayapp.commands takes them in. Nothing is released here: policies act in the tray app, which
measures by itself. docs/policies.md describes the JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trayapp.model.policy import DryRun, Policy

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from trayapp.cli import Core
    from trayapp.model.snapshot import Snapshot

SCHEMA = 1

app = typer.Typer(help="Show what may be released without a person, and what would be released now.")

_Name = Annotated[str, typer.Argument(metavar="NAME", help="As `agentring policies` lists it.")]


@app.callback(invoke_without_command=True)
def policies(
    ctx: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print the documented JSON instead of text.")] = False,
) -> int:
    """Show the policies, what each would do now and why, and what it spares."""
    from trayapp import commands

    if ctx.invoked_subcommand is not None:
        if as_json:
            raise commands.BadCall("--json belongs to `agentring policies` alone")
        return commands.DONE
    with commands._running(ctx) as core:
        seen = core.look()
        found = core.policies()
        runs = {run.policy: run for run in core.dry_runs().result()}
        off_because = core.switched_off()
    commands._tell_problems(seen)
    if as_json:
        commands._print_json(_to_json(seen, found, runs, off_because))
    else:
        commands._print(_lines(seen, found, runs, off_because))
    return commands.DONE


@app.command()
def on(ctx: typer.Context, name: _Name) -> int:
    """Switch a policy on; says what it would do now. The tray app then carries it out."""
    return _switch(ctx, name, is_on=True)


@app.command()
def off(ctx: typer.Context, name: _Name) -> int:
    """Switch a policy off; what it has announced is withdrawn."""
    return _switch(ctx, name, is_on=False)


@app.command()
def add(
    ctx: typer.Context,
    suggestion: Annotated[
        str | None, typer.Argument(metavar="[SUGGESTION]", help="Which of the suggested ones; none = list them.")
    ] = None,
) -> int:
    """Add one of the suggested policies, switched off."""
    from trayapp import commands
    from trayapp.policy_words import said
    from trayapp.reclaim.policy import suggested

    offers = {policy.name: policy for policy in suggested()}
    if suggestion is None:
        commands._print(_offered(list(offers.values())))
        return commands.DONE
    offer = offers.get(suggestion)
    if offer is None:
        raise commands.BadCall(f"Nothing suggested is called {suggestion!r}. There is {', '.join(offers)}")
    with commands._running(ctx) as core:
        there = core.policies()
        if any(policy.name == suggestion for policy in there):
            typer.echo(f"There is a policy {suggestion} already; nothing to do.")
            return commands.DONE
        _update(core, (*there, offer))
    typer.echo(f"Added, switched off: {said(offer)}. `agentring policies on {suggestion}` switches it on.")
    return commands.DONE


@app.command()
def remove(ctx: typer.Context, name: _Name) -> int:
    """Remove a policy from the settings."""
    from trayapp import commands

    with commands._running(ctx) as core:
        wanted = _named(core.policies(), name)
        _update(core, tuple(policy for policy in core.policies() if policy.name != wanted.name))
    _say(f"The policy {wanted.name} is removed.")
    return commands.DONE


def _switch(ctx: typer.Context, name: str, *, is_on: bool) -> int:
    from trayapp import commands

    with commands._running(ctx) as core:
        wanted = _named(core.policies(), name)
        if wanted.on is is_on:
            _say(f"The policy {wanted.name} is {'on' if is_on else 'off'} already; nothing to do.")
            return commands.DONE
        seen = core.look() if is_on else None
        changed = replace(wanted, on=is_on)
        _update(core, tuple(changed if policy.name == wanted.name else policy for policy in core.policies()))
        runs = {run.policy: run for run in core.dry_runs().result()} if is_on else {}
    _say(f"The policy {wanted.name} is {'on' if is_on else 'off'} now.")
    if seen is not None:
        commands._print(_lines(seen, (changed,), runs, {}))
        _say("The tray app carries it out while it runs, after a notice.")
    return commands.DONE


def _update(core: Core, wanted: tuple[Policy, ...]) -> None:
    from trayapp import commands

    try:
        core.update_policies(wanted).result()
    except ValueError as error:
        raise commands.BadCall(str(error)) from error


def _named(found: Sequence[Policy], name: str) -> Policy:
    from trayapp.commands import BadCall

    policy = next((policy for policy in found if policy.name == name), None)
    if policy is not None:
        return policy
    alike = [policy for policy in found if policy.name.casefold() == name.casefold()]
    if len(alike) == 1:
        return alike[0]
    there = (
        f"There is {', '.join(p.name for p in found)}" if found else "There is none; `agentring policies add` adds one"
    )
    raise BadCall(f"No policy is called {name!r}. {there}")


def _say(line: str) -> None:
    from trayapp.report import clean

    typer.echo(clean(line).plain)


# ------------------------------------------------------------------------------------------------------------- people


def _lines(
    seen: Snapshot, found: Sequence[Policy], runs: Mapping[str, DryRun], off_because: Mapping[str, str]
) -> RenderableType:
    from rich.console import Group as Lines

    from trayapp.report import clean

    if not found:
        return Lines(clean("There is no policy, so nothing is ever released by itself."), *_offers())
    lines: list[RenderableType] = []
    for policy in found:
        lines += _about(policy, runs.get(policy.name), off_because.get(policy.name), seen)
    return Lines(*lines)


def _about(policy: Policy, run: DryRun | None, off_because: str | None, seen: Snapshot) -> list[Text]:
    from trayapp.policy_words import said
    from trayapp.report import clean
    from trayapp.wording import memory

    head = clean(f"{policy.name}  {'on' if policy.on else 'off'}  {said(policy)}")
    head.stylize("bold", 0, len(policy.name))
    lines = [head]
    if off_because is not None:
        lines.append(clean(f"  {off_because}"))
    if run is None:
        return lines
    lines.append(clean(f"  Now: {run.why}"))
    verb = "will release" if policy.on else "would release"
    lines += [
        clean(f"  {verb} {choice.title}, {memory(choice.bytes)}: {choice.why} ({choice.group_key})")
        for choice in run.choices
    ]
    lines += [clean(f"  spares {_title(seen, key)}: {why} ({key})") for key, why in run.spared]
    if run.triggered and not run.choices:
        lines.append(clean("  Nothing would be released"))
    return lines


def _title(seen: Snapshot, key: str) -> str:
    group = seen.group(key)
    return group.name if group is not None else key


def _offers() -> list[Text]:
    from trayapp.report import clean

    return [clean("`agentring policies add` lists suggestions.")]


def _offered(offers: Sequence[Policy]) -> RenderableType:
    from rich.table import Table

    from trayapp.policy_words import said
    from trayapp.report import clean

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("suggestion", "what it does"):
        table.add_column(head)
    for policy in offers:
        table.add_row(clean(policy.name), clean(said(policy)))
    return table


# --------------------------------------------------------------------------------------------------------------- JSON


def _to_json(
    seen: Snapshot, found: Sequence[Policy], runs: Mapping[str, DryRun], off_because: Mapping[str, str]
) -> dict[str, Any]:
    from trayapp.report import rfc3339

    return {
        "schema": SCHEMA,
        "taken_at": rfc3339(seen.taken_at),
        "policies": [_policy_json(p, runs.get(p.name), off_because.get(p.name), seen) for p in found],
    }


def _policy_json(policy: Policy, run: DryRun | None, off_because: str | None, seen: Snapshot) -> dict[str, Any]:
    from trayapp.policy_words import said, table_of

    told: dict[str, Any] = {**table_of(policy), "says": said(policy)}
    if off_because is not None:
        told["off_because"] = off_because
    if run is not None:
        told["now"] = {
            "triggered": run.triggered,
            "why": run.why,
            "choices": [
                {
                    "group": choice.group_key,
                    "action": choice.action.value,
                    "title": choice.title,
                    "host": choice.host,
                    "expected_bytes": choice.bytes,
                    "why": choice.why,
                }
                for choice in run.choices
            ],
            "spared": [{"group": key, "title": _title(seen, key), "why": why} for key, why in run.spared],
        }
    return told
