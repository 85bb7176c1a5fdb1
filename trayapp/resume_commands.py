"""The command `agentring resume`: what a receipt in the journal released comes back, by its host or by a command.

trayapp.commands takes it in. Nothing is started here: a host is asked, or the command is printed for a terminal.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trayapp.model.receipt import Fate, Outcome, Receipt
from trayapp.model.snapshot import SCHEMA
from trayapp.report import clean
from trayapp.targets import resume_command

if TYPE_CHECKING:
    from trayapp.cli import Core

ALL = 1000
"""Receipts that are looked through, the newest first."""

LEAST_PREFIX = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Back:
    """Tell what became of one session; `command` is to be run by a person."""

    outcome: Outcome
    ok: bool
    message: str
    command: str | None = None


def resume(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="RECEIPT|SESSION", help="The id of a receipt or of a session, or its beginning.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print the documented JSON instead of text.")] = False,
) -> int:
    """Bring back what was released: through its host, or by the command that is printed."""
    from trayapp import commands

    with commands._running(ctx) as core:
        wanted = _named(core.receipts(ALL).result(), name)
        told = list(_bring_back(core, wanted))
    if as_json:
        commands._print_json({"schema": SCHEMA, "resumed": [_to_json(back) for back in told]})
    for back in told:
        if not back.ok:
            commands._complain(f"{back.outcome.target.title}: {back.message}")
        elif not as_json:
            typer.echo(back.command or clean(f"{back.outcome.target.title}: {back.message}").plain)
    return commands.DONE if all(back.ok for back in told) else commands.NOT_ALL


def _bring_back(core: Core, outcomes: Sequence[Outcome]) -> Iterator[_Back]:
    titles = {label.host: label.title for label in core.host_labels}
    seen = core.look(0.0) if any(o.resume is not None and o.resume.call is not None for o in outcomes) else None
    for outcome in outcomes:
        ticket, target = outcome.resume, outcome.target
        command = resume_command(ticket)
        group = seen.group(target.group_key) if seen is not None else None
        if ticket is None or (ticket.call is None and command is None):
            note = ticket.note if ticket is not None and ticket.note else "Its host does not tell how to resume it"
            yield _Back(outcome=outcome, ok=False, message=note)
        elif ticket.call is None or target.host is None:
            yield _Back(outcome=outcome, ok=True, message="Run this in a terminal", command=command)
        elif group is not None and (group.members or group.heap_of is not None):
            yield _Back(outcome=outcome, ok=True, message="It runs already; nothing to bring back")
        else:
            if sys.stderr.isatty():
                asked = titles.get(target.host, target.host)
                typer.echo(clean(f"{asked} is asked to bring {target.title} back").plain, err=True)
            answer = core.resume(target.host, ticket).result()
            yield _Back(outcome=outcome, ok=answer.ok, message=answer.message)


def _named(receipts: Sequence[Receipt], name: str) -> list[Outcome]:
    """Return what a call means: all that a receipt released, or the newest release of a session."""
    from trayapp.commands import BadCall

    of_receipt = [receipt for receipt in receipts if receipt.receipt_id == name]
    sessions: dict[str, Outcome] = {}
    for receipt in receipts:
        for outcome in receipt.outcomes:
            if outcome.fate is not Fate.REFUSED:
                sessions.setdefault(outcome.target.group_key, outcome)
    exact = [outcome for key, outcome in sessions.items() if name in _names(key)]
    if not of_receipt and not exact and len(name) >= LEAST_PREFIX:
        of_receipt = [receipt for receipt in receipts if receipt.receipt_id.startswith(name)]
        exact = [o for key, o in sessions.items() if any(known.startswith(name) for known in _names(key))]
    if len(of_receipt) + len(exact) > 1:
        can_be = [*(receipt.receipt_id for receipt in of_receipt), *(outcome.target.group_key for outcome in exact)]
        raise BadCall(f"{name!r} can be {', '.join(can_be[:6])}. Write more of the id")
    if exact:
        return exact
    if not of_receipt:
        raise BadCall(f"Nothing in the journal is called {name!r}. `agentring journal --json` lists what is")
    found = [outcome for outcome in of_receipt[0].outcomes if outcome.fate is not Fate.REFUSED]
    if not found:
        raise BadCall(f"The receipt {of_receipt[0].receipt_id} released nothing, so there is nothing to bring back")
    return found


def _names(group_key: str) -> tuple[str, str]:
    """Return a group's key, and the id of the session in it."""
    return group_key, group_key.partition(":")[2] or group_key


def _to_json(back: _Back) -> dict[str, Any]:
    told: dict[str, Any] = {
        "key": back.outcome.target.group_key,
        "title": back.outcome.target.title,
        "host": back.outcome.target.host,
        "ok": back.ok,
        "message": back.message,
    }
    return told | ({"command": back.command} if back.command is not None else {})
