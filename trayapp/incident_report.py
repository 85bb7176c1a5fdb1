"""Incidents as JSON: whole on this computer, redacted in a file to hand on; docs/incidents.md describes every field."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path

from trayapp import __version__
from trayapp.model.incident import Account, Incident, Sample, SessionThen
from trayapp.report import JSON, rfc3339

SCHEMA = 1
"""Of the JSON and of exported files."""


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
