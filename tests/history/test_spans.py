"""Packs of samples hold what was put in to the last bit, and tell when they are damaged."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.history.snapshots import START_S, group, snapshot
from trayapp.history.rollup import ID_BITS
from trayapp.history.schema import is_damage
from trayapp.history.spans import Span, pack_spans, unpack_spans
from trayapp.history.store import HistoryStore

figure = st.integers(-(2**63), 2**64 - 1)
missing = st.none() | figure
span = st.tuples(
    figure, figure, figure, st.tuples(figure, figure, st.integers(0, 1), missing, missing, figure, missing)
)


@given(st.lists(st.tuples(st.integers(1, 2**ID_BITS - 1), span)))
def test_a_pack_holds_its_spans_in_their_order(whose: list[tuple[int, Span]]) -> None:
    ids, spans = [number for number, _ in whose], [one for _, one in whose]
    assert unpack_spans(pack_spans(ids, spans)) == (ids, spans)


SPANS: list[Span] = [(60, 70, 5, (2, 1, 0, None, 7, 1, 3)), (72, 72, 0, (3, 0, 0, 5, 12, 1, None))]


@given(st.data())
def test_one_wrong_byte_anywhere_in_a_pack_is_told_as_damage(data: st.DataObject) -> None:
    blob = bytearray(pack_spans([1, 2], SPANS))
    blob[data.draw(st.integers(0, len(blob) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(sqlite3.DatabaseError, match="damaged") as told:
        unpack_spans(bytes(blob))
    assert is_damage(told.value)


def test_a_damaged_pack_of_samples_in_a_sound_page_is_found_when_the_file_is_looked_through(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    for second in range(0, 90, 2):
        history.append(snapshot(second, group("one", rss=second * 4096)))
    history.close()
    with closing(sqlite3.connect(path)) as connection:
        key, blob = connection.execute("SELECT max(k), pack FROM raw_packs").fetchone()
        connection.execute("UPDATE raw_packs SET pack = ? WHERE k = ?", (blob[:50] + b"\xa5" + blob[51:], key))
        connection.commit()
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    assert history.set_aside_if_damaged()
    history.close()
    (problem,) = history.problems
    assert "damaged" in problem.what
    assert "set-aside" in problem.what
