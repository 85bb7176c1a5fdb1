"""Read the life of one group: from the first process of it that was recorded to the newest, resumes between them.

As all readers, it opens its own connection and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from trayapp.history.schema import reading
from trayapp.model.life import Life, Run
from trayapp.model.process import Identity


def read_life(path: Path, group_key: str) -> Life:
    """Return what is recorded of a group by its key; an empty life when nothing is. Raises HistoryError."""
    with reading(path) as connection:
        if connection is None:
            return Life()
        connection.execute("BEGIN")  # one view of the history from the first statement to the last
        first_s, last_s, peak_kib = connection.execute(
            "SELECT min(first_seen_s), max(last_seen_s), max(peak_held) FROM subjects WHERE key = ? AND kind <> 'heap'",
            (group_key,),
        ).fetchone()
        seen = connection.execute(
            """
            SELECT l.identity, min(l.first_seen_s), max(l.last_seen_s)
            FROM lives l JOIN subjects s USING (id) WHERE s.key = ? AND s.kind <> 'heap'
            GROUP BY l.identity ORDER BY 2, 3
            """,
            (group_key,),
        ).fetchall()
    if first_s is None:
        return Life()
    runs = _runs((_identity(text), since_s, until_s) for text, since_s, until_s in seen)
    if runs:  # processes that stay are noted now and then only, the session itself is at every look
        runs = (*runs[:-1], replace(runs[-1], until_epoch_s=max(runs[-1].until_epoch_s, float(last_s))))
    return Life(
        first_seen_epoch_s=float(first_s), last_seen_epoch_s=float(last_s), peak_bytes=peak_kib << 10, runs=runs
    )


def _identity(text: str) -> Identity:
    pid, _, start = text.partition(":")
    return Identity(int(pid), int(start))


_Seen = tuple[Identity, int, int]


def _runs(seen: Iterable[_Seen]) -> tuple[Run, ...]:
    """Put processes together that were there at one time; `seen` comes by when each began."""
    found: list[list[_Seen]] = []
    until_s = 0
    for one in seen:
        if not found or one[1] > until_s:
            found.append([])
            until_s = one[2]
        found[-1].append(one)
        until_s = max(until_s, one[2])
    return tuple(
        Run(
            since_epoch_s=float(together[0][1]),
            until_epoch_s=float(max(until for _, _, until in together)),
            processes=tuple(who for who, *_ in sorted(together, key=lambda s: (s[1] - s[2], s[0]))),
        )
        for together in found
    )
