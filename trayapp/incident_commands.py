"""The command `agentring incidents`; trayapp.commands takes it in, and is only loaded from here when it runs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group as Lines
from rich.console import RenderableType
from rich.text import Text

from trayapp.incident_report import SCHEMA, account_to_json, incident_to_json, write
from trayapp.model.incident import Account, Incident, IncidentKind, Sample
from trayapp.report import clean
from trayapp.wording import THIN_SPACE, clock_time, duration, memory

ALL = 1000
"""More than are kept."""


def incidents(
    ctx: typer.Context,
    incident: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="This one in full: its id, or a beginning that names it alone.")
    ] = None,
    limit: Annotated[int, typer.Option(help="How many, the newest first.", min=1)] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print the documented JSON instead of text.")] = False,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it to a file that can be handed on, redacted.")
    ] = None,
    with_titles: Annotated[bool, typer.Option("--with-titles", help="Keep the sessions' titles in that file.")] = False,
) -> int:
    """Show which hosts ended, filled their heap or lost a session, and what speaks for which cause."""
    from trayapp import commands

    if export is not None and incident is None:
        raise commands.BadCall("--export needs the id of an incident. `agentring incidents` lists them")
    if with_titles and export is None:
        raise commands.BadCall("--with-titles is about the file that --export FILE writes")
    with commands._running(ctx) as core:
        found = core.incidents(limit if incident is None else ALL).result()
        name = _named(found, incident) if incident is not None else None
        account = core.incident(name).result() if name is not None else None
    if incident is None:
        if as_json:
            commands._print_json({"schema": SCHEMA, "incidents": [incident_to_json(each) for each in found]})
        else:
            commands._print(incident_lines(found, now_epoch_s=time.time()))
        return commands.DONE
    if account is None:
        raise commands.BadCall(f"The file of {name} cannot be read. `agentring doctor` tells of broken files")
    if export is not None:
        write(export, account, with_titles=with_titles)
        typer.echo(f"Written to {export}. It is text: read it before you send it", err=True)
    elif as_json:
        commands._print_json(account_to_json(account))
    else:
        commands._print(account_lines(account, now_epoch_s=time.time()))
    return commands.DONE


def _named(found: Sequence[Incident], name: str) -> str:
    """Return the id that a call means."""
    from trayapp.commands import BadCall

    ids = [incident.incident_id for incident in found]
    fitting = [name] if name in ids else [known for known in ids if known.startswith(name)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise BadCall(f"{name!r} can be {', '.join(fitting[:6])}. Write more of the id")
    there = f"The newest is {ids[0]}" if ids else "None is kept yet"
    raise BadCall(f"No incident is called {name!r}. {there}")


# ----------------------------------------------------------------------------------------------------------- people


def incident_lines(found: Sequence[Incident], *, now_epoch_s: float) -> RenderableType:
    """Return the list, newest first."""
    if not found:
        return Text(
            "No host has ended unasked, filled its heap or lost a session while the tray app ran. What ended while it "
            "did not run, or before the computer started anew, is not known."
        )
    lines: list[RenderableType] = []
    for incident in found:
        when = clock_time(incident.at_epoch_s, now_epoch_s=now_epoch_s)
        lines += [clean(f"{when}  {incident.sentence}"), Text(f"       {incident.incident_id}", style="dim")]
    return Lines(*lines)


def account_lines(account: Account, *, now_epoch_s: float) -> RenderableType:
    """Return one incident: what happened, the evidence, the sessions at the end, how its memory went."""
    incident = account.incident
    head = clean(incident.sentence)
    head.stylize("bold")
    lines: list[RenderableType] = [head, clean(_span(incident, now_epoch_s)), clean(_who(incident))]
    lines += [clean(f"  {fact}") for fact in incident.evidence]
    if incident.sessions:
        lines.append(Text("Sessions then:"))
    for session in incident.sessions:
        held = session.held_bytes if session.retained_bytes is None else session.retained_bytes
        about = "" if session.retained_bytes is None else "≈"
        turn = ", in a turn" if session.open_turn else ""
        name = session.title or session.session.session_id
        lines.append(clean(f"  {name}: {session.state.value}{turn}, {about}{memory(held)}"))
    lines += [clean(line) for line in _course(account.samples)]
    return Lines(*lines)


def _span(incident: Incident, now_epoch_s: float) -> str:
    missed = clock_time(incident.missed_epoch_s, now_epoch_s=now_epoch_s)
    if incident.kind is IncidentKind.HEAP_FULL:
        return f"Noticed at {missed}; it still ran"
    between = duration(incident.missed_epoch_s - incident.last_seen_epoch_s)
    return f"Missed at {missed}, {between} after it was last seen"


def _who(incident: Incident) -> str:
    parts = [incident.host_title, incident.version, incident.process_name, f"pid {incident.identity.pid}"]
    lasted = incident.missed_epoch_s - incident.started_epoch_s if incident.started_epoch_s is not None else None
    ran = [f"had run {duration(lasted)}"] if lasted is not None else []
    return ", ".join(
        [part for part in parts if part is not None] + ([incident.address] if incident.address else []) + ran
    )


def _course(samples: Sequence[Sample]) -> list[str]:
    """Say how memory went over the time that is kept: at its start, its highest, its end."""
    lines: list[str] = []
    for name, values in (
        ("heap", [s.heap_used_bytes for s in samples]),
        ("RSS", [s.rss_bytes for s in samples]),
        ("footprint", [s.footprint_bytes for s in samples]),
        ("available on the machine", [s.available_bytes for s in samples]),
    ):
        known = [value for value in values if value is not None]
        if known:
            least = ", least " if name.startswith("available") else ", most "
            extreme = min(known) if name.startswith("available") else max(known)
            lines.append(f"  {name}: {memory(known[0])} → {memory(known[-1])}{least}{memory(extreme)}")
    if samples:
        span = duration(samples[-1].at_epoch_s - samples[0].at_epoch_s)
        lines.insert(0, f"Over the last {span} ({len(samples)}{THIN_SPACE}samples):")
    return lines
