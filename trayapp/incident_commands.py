"""The command `agentring incidents`, and incidents as JSON: whole on this computer, redacted in a file to hand on.

trayapp.commands takes the command in, and is only loaded from here when it runs.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group as Lines
from rich.console import RenderableType
from rich.text import Text

from trayapp import __version__
from trayapp.model.incident import Account, Incident, IncidentKind, Sample, SessionThen
from trayapp.report import JSON, clean, rfc3339
from trayapp.wording import THIN_SPACE, clock_time, duration, memory

SCHEMA = 1
"""Of the JSON and of exported files; docs/incidents.md describes every field."""

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


# ------------------------------------------------------------------------------------------------------------- JSON


def incident_to_json(incident: Incident) -> JSON:
    """Return an incident without its samples; what is not known is left out, never 0."""
    successor = incident.successor
    return _known(
        {
            "id": incident.incident_id,
            "kind": incident.kind.value,
            "cause": incident.cause.value,
            "sentence": incident.sentence,
            "evidence": list(incident.evidence),
            "host": incident.host,
            "pid": incident.identity.pid,
            "last_seen_at": _moment(incident.last_seen_epoch_s),
            "missed_at": _moment(incident.missed_epoch_s),
            "gap": incident.gap,
            "lost_turns": incident.lost_turns,
            "machine": {"platform": incident.platform, "memory_total_bytes": incident.memory_total_bytes},
            "sessions": [_session(session) for session in incident.sessions],
        },
        process_name=incident.process_name,
        version=incident.version,
        address=incident.address,
        started_at=_moment(incident.started_epoch_s),
        session_id=incident.session.session_id if incident.session is not None else None,
        successor=_known({"pid": successor.identity.pid}, version=successor.version, within_s=successor.after_s)
        if successor is not None
        else None,
        footprint_metric=incident.footprint_metric,
    )


def account_to_json(account: Account) -> JSON:
    """Return an incident with its samples, oldest first."""
    return {
        "schema": SCHEMA,
        "agentring": __version__,
        "incident": incident_to_json(account.incident),
        "samples": [_sample(sample) for sample in account.samples],
    }


def redacted(document: JSON, *, names: set[str], with_titles: bool) -> JSON:
    """Return what may leave this computer of account_to_json(): no title, id, folder, name or foreign address.

    Sentences are made of fixed words, figures and the host's name alone, and stay. `names` are those of the user and of
    the machine.
    """
    from trayapp.redaction import Redactor

    redactor = Redactor(names=names)
    incident: JSON = dict(document["incident"])
    for field in ("process_name", "version", "session_id"):
        if field in incident:
            incident[field] = redactor.word(incident[field])
    if "address" in incident:
        incident["address"] = redactor.sentence(incident["address"])
    if "version" in incident.get("successor", {}):
        incident["successor"] = {**incident["successor"], "version": redactor.word(incident["successor"]["version"])}
    incident["sessions"] = [
        {
            **session,
            "session_id": redactor.word(session["session_id"]),
            **({} if with_titles or "title" not in session else {"title": redactor.title(session["title"])}),
        }
        for session in incident["sessions"]
    ]
    return {**document, "incident": incident}


def write(path: Path, account: Account, *, with_titles: bool = False) -> None:
    """Write an incident as one redacted file, which only this user can read; it appears whole or not at all."""
    variables = ("USER", "LOGNAME", "USERNAME", "HOSTNAME", "COMPUTERNAME")
    names = {Path.home().name, platform.node(), *(os.environ.get(name, "") for name in variables)} - {""}
    document = redacted(account_to_json(account), names=names, with_titles=with_titles)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1, allow_nan=False)
            file.write("\n")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _session(session: SessionThen) -> JSON:
    return _known(
        {
            "session_id": session.session.session_id,
            "state": session.state.value,
            "open_turn": session.open_turn,
            "held_bytes": session.held_bytes,
        },
        title=session.title,
        retained_bytes=session.retained_bytes,
        since=_moment(session.since_epoch_s),
        idle_seconds=session.idle_s,
    )


def _sample(sample: Sample) -> JSON:
    return _known(
        {
            "at": _moment(sample.at_epoch_s),
            "gap": sample.gap,
            "available_bytes": sample.available_bytes,
            "pressure": sample.pressure.value,
        },
        heap_used_bytes=sample.heap_used_bytes,
        heap_limit_bytes=sample.heap_limit_bytes,
        heap_external_bytes=sample.heap_external_bytes,
        rss_bytes=sample.rss_bytes,
        footprint_bytes=sample.footprint_bytes,
        cpu_percent=sample.cpu_percent,
        sessions=sample.sessions,
        retained_bytes=sample.retained_bytes,
    )


def _known(fields: JSON, **optional: object) -> JSON:
    return fields | {name: value for name, value in optional.items() if value is not None}


def _moment(epoch_s: float | None) -> str | None:
    return None if epoch_s is None else rfc3339(datetime.fromtimestamp(epoch_s, UTC))


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
