"""How many wild processes are told right: those seen in runs, those users told of, and those of the real reports."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cases.conftest import OWN
from tests.cases.loading import HOSTS as REPORTED
from tests.cases.loading import answer, load
from tests.hosts.homes import RECORDED, process, surroundings, table
from trayapp.hosts.base import Surroundings
from trayapp.hosts.registry import load_hosts
from trayapp.model.process import Process
from trayapp.model.session import Claim

WANTED = 0.9
WILD = RECORDED / "wild"
HOSTS, _ = load_hosts([])
NAMES = {host.label.host for host in HOSTS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One wild process: where it is from, and what it should be; `host` is None for what nobody may claim."""

    scene: str
    process: Process
    host: str | None
    roles: frozenset[str]

    @property
    def is_known(self) -> bool:
        return self.host is None or any(_same(self.host, name) for name in NAMES)


def _same(wanted: str, host: str) -> bool:
    return host == wanted or wanted in host.split("-")


def scenes() -> Iterator[list[Line]]:
    for scene in yaml.safe_load((WILD / "lines.yaml").read_text(encoding="utf-8")):
        title = str(scene.get("shape") or scene["told"])
        env: dict[int, dict[str, str]] = scene.get("env", {})
        lines = []
        for pid, ppid, exe, argv, said in scene["rows"]:
            name = exe.rpartition("/")[2][:15]
            seen = process(pid, *argv, ppid=ppid, exe=exe, name=name, cwd="/w", age_s=5000 - pid, env=env.get(pid, {}))
            host, _, roles = said.partition(" ")
            lines.append(
                Line(
                    scene=title,
                    process=seen,
                    host=None if host == "none" else host,
                    roles=frozenset(roles.split("|")),
                )
            )
        yield lines


def told(lines: Sequence[Line], around: Surroundings) -> dict[int, Claim]:
    """Return the claim that counts on each process, after every host has looked."""
    rows = table(line.process for line in lines)
    found: dict[int, list[Claim]] = {}
    for host in HOSTS:
        claims = [claim for p in rows.processes.values() if (claim := host.recognise(p)) is not None]
        for claim in asyncio.run(host.observe(rows, claims, around)).claims:
            found.setdefault(claim.identity.pid, []).append(claim)
    return {pid: min(claims, key=lambda c: (not c.embedded, c.kind)) for pid, claims in found.items()}


def misses(lines: Sequence[Line], around: Surroundings) -> list[str]:
    found = told(lines, around)
    wrong = []
    for line in lines:
        claim = found.get(line.process.pid)
        if line.host is None:
            right = claim is None
        else:
            right = claim is not None and _same(line.host, claim.host) and claim.role.value in line.roles
        if not right:
            is_what = f"{claim.host} {claim.role.value}" if claim is not None else "nothing"
            argv = " ".join(line.process.argv or ())[:70]
            wrong.append(f"{line.scene}: {argv!r} is told as {is_what}, not {line.host} {'|'.join(sorted(line.roles))}")
    return wrong


def test_nine_of_ten_wild_processes_are_told_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    all_lines = list(scenes())
    known = [kept for lines in all_lines if (kept := [line for line in lines if line.is_known])]
    count = sum(len(lines) for lines in known)
    wrong = [miss for lines in known for miss in misses(lines, surroundings(tmp_path))]
    with capsys.disabled():
        print(f"\n{count - len(wrong)} of {count} wild processes told right", *wrong, sep="\n  ")
    assert 1 - len(wrong) / count >= WANTED, "\n".join(wrong)
    absent = sorted({str(line.host) for lines in all_lines for line in lines if not line.is_known})
    if absent:
        pytest.skip(f"no adapter yet for {', '.join(absent)}: {sum(map(len, all_lines)) - count} processes left out")


def test_no_wild_process_is_claimed_that_is_nobodys(tmp_path: Path) -> None:
    wrong = [miss for lines in scenes() for miss in misses(lines, surroundings(tmp_path)) if ", not None" in miss]
    assert wrong == []


def test_every_line_of_the_recording_is_tried() -> None:
    shapes = (WILD / "process-shapes.txt").read_text(encoding="utf-8").splitlines()
    tried = tuple(f"{scene[0].scene} " for scene in scenes())
    assert [line for line in shapes if not line.startswith(("#", *tried))] == []
    assert len(shapes) > 20


@pytest.mark.parametrize("path", [pytest.param(OWN, id="reports")])
def test_nine_of_ten_processes_of_the_real_reports_are_told_right(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The kind of its group, and its host where the report names one, tell what a process was taken for."""
    count = 0
    wrong = []
    for file in sorted(path.glob("[0-9]*.yaml")):
        case = load(file)
        if case.kind != "process-table":
            continue
        given = answer(case, tmp_path / case.name)
        for group in case.expected["groups"]:
            for pid in _pids(group):
                count += 1
                found = given.group_of(pid)
                host = REPORTED.get(group.get("host", ""), group.get("host"))
                if found.kind.value != group["kind"] or (host is not None and found.host != host):
                    wrong.append(
                        f"{case.name}: {pid} is {found.kind.value} of {found.host}, not {group['kind']} of {host}"
                    )
    with capsys.disabled():
        print(f"\n{count - len(wrong)} of {count} processes of the reports told right", *wrong, sep="\n  ")
    assert count > 500
    assert 1 - len(wrong) / count >= WANTED, "\n".join(wrong)


def _pids(group: dict[str, Any]) -> list[int]:
    ranged = [pid for first, last in group.get("pid_ranges", ()) for pid in range(first, last + 1)]
    return [*group.get("pids", ()), *ranged]
