"""The list of hosts: built-in ones, plug-ins, and plug-ins that are broken."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from trayapp.hosts.base import Host
from trayapp.hosts.described_programs import SHIPPED
from trayapp.hosts.registry import ENTRY_POINT_GROUP, load_hosts
from trayapp.model.session import Claim, HostLabel


class Toy:
    """A host as a plug-in would bring it."""

    label = HostLabel(host="toy", title="Toy", letters="To", rank=2)
    environment_names: tuple[str, ...] = ()

    def recognise(self, process: object) -> Claim | None:
        return None

    async def observe(self, table: object, recognised: object, around: object) -> None: ...

    async def call(self, name: str, session: object, around: object) -> None: ...


class Second(Toy):
    """Takes a name that is taken."""


class Halfway:
    label = HostLabel(host="half", title="Half", letters="Ha")


def plug_in(value: str) -> EntryPoint:
    return EntryPoint(name="toy", value=value, group=ENTRY_POINT_GROUP)


def names(hosts: tuple[Host, ...]) -> list[str]:
    return [host.label.host for host in hosts]


BUILT_IN = names(load_hosts([])[0])


def test_the_built_in_hosts_come_in_the_order_of_their_rank() -> None:
    hosts, problems = load_hosts([])
    ranks = [host.label.rank for host in hosts]
    assert ranks == sorted(ranks)
    assert BUILT_IN[:3] == ["claude-code", "codex", "opencode"]
    assert {entry.host for entry in SHIPPED} < set(BUILT_IN)
    assert problems == ()


def test_a_plug_in_takes_its_place_among_them() -> None:
    hosts, problems = load_hosts([plug_in(f"{__name__}:Toy")])
    assert names(hosts) == [*BUILT_IN[:2], "toy", *BUILT_IN[2:]]
    assert problems == ()


def test_broken_plug_ins_are_named_and_the_others_go_on() -> None:
    values = [
        "no_such_module_here:Host",
        f"{__name__}:Missing",
        f"{__name__}:Halfway",
        f"{__name__}:Toy",
        f"{__name__}:Second",
    ]
    hosts, problems = load_hosts([plug_in(value) for value in values])
    assert names(hosts) == [*BUILT_IN[:2], "toy", *BUILT_IN[2:]]
    assert [p.where for p in problems] == [f"plug-in toy ({v})" for v in (*values[:3], values[4])]
    assert "No module named" in problems[0].what
    assert "recognise, observe, call" in problems[2].what
    assert "already" in problems[3].what


def test_an_installed_plug_in_is_found_by_its_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "some_host-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: some-host\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[agentring.hosts]\nsome-host = some_host_that_is_gone:Host\n")
    before = load_hosts()[0]
    monkeypatch.syspath_prepend(str(tmp_path))
    hosts, problems = load_hosts()
    assert len(hosts) == len(before)
    assert [problem.where for problem in problems] == ["plug-in some-host (some_host_that_is_gone:Host)"]
