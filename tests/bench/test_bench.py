"""The bench ends what it starts, even when it is killed, and tells what was measured and what was not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench import report
from tests.bench.crowd import children, crowd
from tests.bench.figures import BARS, CHECKOUT, Figure, figure, missing, ratio
from tests.trees import until

linux = pytest.mark.linux
if sys.platform != "linux" or shutil.which("cc") is None:
    linux = pytest.mark.skip(reason="the crowd of the bench needs Linux and a C compiler")


def start_of(pid: int) -> str | None:
    """Return when a process began, or None when there is none or it only waits to be reaped."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] == "Z" else fields[19]


@linux
def test_a_crowd_stands_beside_the_bench_and_is_gone_after_it(tmp_path: Path) -> None:
    with crowd(tmp_path, others=3, sessions=2, each=4) as made:
        pids = [*made.tracked(), *made.others]
        starts = {pid: start_of(pid) for pid in pids}
        assert len(starts) == 2 * 4 + 3
        assert None not in starts.values()
        assert not set(pids) & set(children(os.getpid()))
        records = sorted((made.home / ".claude" / "sessions").iterdir())
        assert {json.loads(record.read_text())["sessionId"] for record in records} == set(made.session_ids)
    assert [pid for pid in pids if start_of(pid) == starts[pid]] == []


@linux
def test_a_crowd_is_gone_when_the_bench_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from tests.bench.crowd import crowd\n"
        "with crowd(pathlib.Path(sys.argv[1]), others=2, sessions=1) as made:\n"
        "    print(*made.tracked(), *made.others, flush=True); sys.stdin.read()\n"
    )
    bench = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with bench:
        assert bench.stdout is not None
        starts = {int(pid): start_of(int(pid)) for pid in bench.stdout.readline().split()}
        assert len(starts) == 4 + 2
        assert None not in starts.values()
        bench.kill()
    until(lambda: not any(start_of(pid) == start for pid, start in starts.items()), "some of the crowd still run")


def part(*figures: Figure) -> report.Part:
    return report.Part(at="2026-11-30T16:20:08+00:00", took_s=1.0, quick=False, figures=figures)


def test_a_ratio_is_that_of_the_medians_with_the_spread_of_the_rounds() -> None:
    told = ratio("tick_cpu_vs_psutil_500", [2.0, 3.0, 10.0], [40.0, 60.0, 50.0])
    assert told.value == 3.0 / 50.0
    assert (told.low, told.high) == (2.0 / 40.0, 10.0 / 50.0)


@pytest.mark.parametrize(
    ("name", "value", "holds"),
    [
        ("tick_cpu_vs_psutil_500", 0.08, True),
        ("tick_cpu_vs_psutil_500", 0.081, False),
        ("short_command_credit", 0.85, True),
        ("short_command_credit", 0.84, False),
    ],
)
def test_a_bar_holds_up_to_its_limit(name: str, value: float, holds: bool) -> None:
    assert report.holds(figure(name, [value], "ratio")) is holds


def test_what_could_not_be_measured_does_not_hold_and_is_told(tmp_path: Path) -> None:
    gone = missing("minute_cpu_vs_btop", "ratio", "btop not installed")
    bench = report.merged(report.Bench(), {"minute": part(gone)})
    assert not bench.bars["minute_cpu_vs_btop"].holds
    assert "missing" in report.line(gone)
    assert "btop not installed" in report.line(gone)
    assert set(bench.bars) == set(BARS)
    report.save(tmp_path / "build" / "bench.json", bench)
    assert report.load(tmp_path / "build" / "bench.json") == bench


def test_a_run_of_some_subjects_keeps_the_others(tmp_path: Path) -> None:
    before = report.merged(report.Bench(), {"tick": part(figure("tick_500_ms", [3.0], "ms")), "growth": part()})
    after = report.merged(before, {"tick": part(figure("tick_500_ms", [2.0, 2.5, 4.0], "ms"))})
    assert after.figures == {"tick_500_ms": 2.5}
    assert set(after.parts) == {"tick", "growth"}


def test_a_broken_file_of_an_earlier_run_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "bench.json").write_text('{"schema": 1, "parts": [')
    assert report.load(tmp_path / "bench.json") == report.Bench()
    assert report.load(tmp_path / "none.json") == report.Bench()


def test_the_table_takes_the_place_of_the_old_one_and_of_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    page.write_text(f"# What it costs\n\n{report.BEGIN}\nold\n{report.END}\n\nThe rest.\n")
    bench = report.merged(report.Bench(), {"tick": part(figure("tick_cpu_vs_psutil_500", [0.05, 0.07], "ratio"))})
    report.write_docs(bench, page)
    written = page.read_text()
    assert written.startswith(f"# What it costs\n\n{report.BEGIN}\n")
    assert written.endswith(f"{report.END}\n\nThe rest.\n")
    assert "old" not in written
    assert "| 0.060 | 0.050 to 0.070 | ≤ 0.080 | yes |" in written


def test_a_page_without_a_place_for_the_table_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    page.write_text("# What it costs\n")
    with pytest.raises(ValueError, match="has no place for the table"):
        report.write_docs(report.Bench(), page)
    assert page.read_text() == "# What it costs\n"


def test_the_page_of_the_project_has_a_place_for_the_table() -> None:
    text = report.DOCS.read_text(encoding="utf-8")
    assert text.index(report.BEGIN) < text.index(report.END)
