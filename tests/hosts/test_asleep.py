"""A host of which nothing runs is recognised by a little; its adapter is there with the first process that is one."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.tables import process, table
from trayapp.hosts.asleep import Asleep
from trayapp.hosts.base import CallResult, Examined, Extensible, Heaped, Resuming, Surroundings, claim_on
from trayapp.hosts.registry import load_hosts
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import Claim, ClaimKind, HostLabel, Observation, Role, SessionFact

ROOT = Path(__file__).resolve().parents[2]
SLEEPERS = [host for host in load_hosts([])[0] if isinstance(host, Asleep)]
LABEL = HostLabel(host="acme", title="Acme", letters="Ac")


def recognise(process: Process) -> Claim | None:
    return claim_on(process, Role.BACKEND, ClaimKind.PROGRAM, "its program", host="acme")


class Acme:
    """An adapter that has something to tell to those who look closely."""

    label = LABEL
    environment_names: tuple[str, ...] = ("ACME",)

    def recognise(self, process: Process) -> Claim | None:
        raise AssertionError("its programs are told without it")

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        return Observation(host="acme", read_epoch_s=7.0, claims=tuple(recognised))

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        return CallResult(ok=True, message=name)

    def findings(self, around: Surroundings) -> tuple[str, ...]:
        return ("found",)


@pytest.fixture
def acme() -> Asleep:
    programs: Any = SimpleNamespace(
        LABEL=LABEL, ENVIRONMENT_NAMES=("ACME",), WORDS=frozenset({"acme"}), recognise=recognise
    )
    return Asleep(programs, Acme)


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    return Surroundings(home=tmp_path, environ={}, now_epoch_s=lambda: 5.0, processes=SimpleNamespace())


def test_while_nothing_of_it_runs_there_is_nothing_to_tell(acme: Asleep, around: Surroundings) -> None:
    told = asyncio.run(acme.observe(table(), (), around))
    assert told == Observation(host="acme", read_epoch_s=5.0)
    assert not acme.is_awake


def test_the_first_process_wakes_it_for_good(acme: Asleep, around: Surroundings) -> None:
    claim = acme.recognise(process(10))
    assert claim is not None
    assert asyncio.run(acme.observe(table(process(10)), (claim,), around)).claims == (claim,)
    assert acme.is_awake
    assert asyncio.run(acme.observe(table(), (), around)).read_epoch_s == 7.0


def test_what_only_some_adapters_have_is_found_through_it(acme: Asleep, around: Surroundings) -> None:
    assert not isinstance(acme, Heaped)
    assert isinstance(acme, Examined)
    assert list(acme.findings(around)) == ["found"]
    with pytest.raises(AttributeError, match="setups"):
        _ = acme.setups


@pytest.mark.parametrize("host", SLEEPERS, ids=lambda host: host.label.host)
def test_a_built_in_host_tells_asleep_what_its_adapter_tells(host: Asleep) -> None:
    awake = host.adapter
    assert (host.label, host.environment_names) == (awake.label, awake.environment_names)
    assert host.words == getattr(awake, "words", frozenset())
    for more in (Examined, Extensible, Heaped, Resuming):
        assert isinstance(host, more) == isinstance(awake, more)


def test_adapters_of_hosts_that_do_not_run_are_not_loaded() -> None:
    script = "import sys; from trayapp.hosts.registry import load_hosts; load_hosts([]); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith("trayapp.hosts.")}
    assert loaded & {type(host.adapter).__module__ for host in SLEEPERS} == set()
