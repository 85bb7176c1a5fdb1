"""Who owned which process, kept on disk: a restart of the monitor does not lose the owner of a helper.

A small file, replaced whole. It counts for one boot only, and an entry of it only for the very process that it names:
whoever reads it looks for that identity among the processes that run.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from trayapp.attribution import Lineage
from trayapp.model.process import Identity
from trayapp.model.session import Problem

SCHEMA = 2
SAVE_EVERY_S = 30.0


class _File(msgspec.Struct):
    schema: int
    boot_id: str
    entries: list[tuple[Identity, Lineage]]


class LineageFile:
    """Read and write the file. One thread at a time; `problem` tells what the last read or write met."""

    def __init__(self, path: Path, *, boot_id: str) -> None:
        self.path = path
        self.problem: Problem | None = None
        self._boot_id = boot_id
        self._written: dict[Identity, Lineage] | None = None
        self._written_s = float("-inf")

    def load(self) -> dict[Identity, Lineage]:
        """Return what was remembered in this boot; a broken file is set aside and told of."""
        try:
            file = msgspec.json.decode(self.path.read_bytes(), type=_File)
        except FileNotFoundError:
            return {}
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            return self._begin_anew(str(error))
        except OSError as error:
            self.problem = self._problem(f"it cannot be read ({error.strerror or error})", "Allow this user to read it")
            return {}
        if file.schema != SCHEMA:
            return self._begin_anew(f"its schema is {file.schema}, this Agent Ring knows {SCHEMA}")
        if file.boot_id != self._boot_id:
            return {}
        self._written = dict(file.entries)
        return dict(file.entries)

    def is_due(self, lineage: Mapping[Identity, Lineage], *, now_s: float) -> bool:
        """Say whether to write it at a slow beat: it changed, and the last writing is long ago. Monotonic seconds."""
        return now_s - self._written_s >= SAVE_EVERY_S and lineage != self._written

    def save(self, lineage: Mapping[Identity, Lineage], *, now_s: float) -> None:
        """Write it if it changed; what goes wrong becomes the problem, and is tried again at the next beat."""
        self._written_s = now_s
        if lineage == self._written:
            return
        file = _File(schema=SCHEMA, boot_id=self._boot_id, entries=sorted(lineage.items()))
        try:
            self._replace(msgspec.json.encode(file))
        except OSError as error:
            what = f"it could not be written ({error.strerror or error})"
            self.problem = self._problem(what, "Make room, or let this user write there; a restart forgets owners")
            return
        self._written = dict(lineage)
        self.problem = None

    def _begin_anew(self, why: str) -> dict[Identity, Lineage]:
        aside = self.path.with_name(f"{self.path.stem}.set-aside{self.path.suffix}")
        try:
            self.path.replace(aside)
        except OSError as error:
            self.problem = self._problem(
                f"it cannot be used ({why}) nor set aside ({error.strerror or error})", "Delete it"
            )
            return {}
        self.problem = self._problem(
            f"it cannot be used ({why}); it was set aside as {aside.name}", "It is begun anew; nothing needs to be done"
        )
        return {}

    def _problem(self, what: str, mend: str) -> Problem:
        return Problem(where=str(self.path), what=what, mend=mend)

    def _replace(self, data: bytes) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.", suffix=".part")
        part = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            part.replace(self.path)
        finally:
            part.unlink(missing_ok=True)
