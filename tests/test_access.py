"""What a person allows with a host: kept in the settings, known to adapters at once, and taken back."""

from __future__ import annotations

import asyncio
import gzip
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.trees import AGENT, FakeAgentHost, Part, core_for, planted, running_core, until
from trayapp import core as core_module
from trayapp.app import make_core
from trayapp.core import Core, Places
from trayapp.hosts.base import CallResult, Surroundings
from trayapp.model.access import HostAccess, Permission
from trayapp.model.process import ProcessTable
from trayapp.model.session import Claim, Observation, ResumeTicket
from trayapp.model.setup import HostSetup
from trayapp.settings import Settings, load
from trayapp.settings_writing import save

HOST = "fake-agent"
TICKET = ResumeTicket(call="bring-back", given=(("id", "s1"),))
OFFER = HostSetup(key="secret", host=HOST, title="Read its password", permits=Permission.READ_SECRET)
SECRET = "hunter2-of-the-host"


class ResumingHost(FakeAgentHost):
    """Bring sessions back, and note what is allowed whenever it is asked."""

    def __init__(self, answer: CallResult | Exception | None, *, ticket: ResumeTicket | None = None) -> None:
        super().__init__()
        self.answer = answer
        self.ticket = ticket
        self.given: list[ResumeTicket] = []
        self.access: list[HostAccess] = []
        self.set_up_offers: list[HostSetup] = []

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        self.access.append(around.access(HOST))
        seen = await super().observe(table, recognised, around)
        sessions = tuple(replace(fact, resume=self.ticket) for fact in seen.sessions) if self.ticket else seen.sessions
        return replace(seen, sessions=sessions)

    async def resume(self, ticket: ResumeTicket, around: Surroundings) -> CallResult:
        self.given.append(ticket)
        if isinstance(self.answer, Exception):
            raise self.answer
        if self.answer is None:
            await asyncio.sleep(3600)
            raise AssertionError
        return self.answer

    def setups(self, _around: Surroundings) -> Sequence[HostSetup]:
        return [OFFER]

    def set_up(self, offer: HostSetup, _around: Surroundings) -> None:
        self.set_up_offers.append(offer)


@contextmanager
def ticking(core: Core) -> Iterator[Core]:
    core.start(ticking=True)
    try:
        yield core
    finally:
        core.stop()


def allowed(path: Path) -> frozenset[Permission]:
    return load(path)[0].access(HOST).allowed


# -- consents ---------------------------------------------------------------------------------------------------------


def test_a_consent_is_kept_in_the_settings_and_the_adapter_is_not_asked_to_write_anything(tmp_path: Path) -> None:
    host = ResumingHost(None)
    with running_core(tmp_path, host) as core:
        assert core.access(HOST) == HostAccess()
        core.set_up(OFFER).result(10)
        assert core.access(HOST).allowed == {Permission.READ_SECRET}
    assert allowed(tmp_path / "settings.toml") == {Permission.READ_SECRET}
    assert host.set_up_offers == []


def test_an_offer_that_writes_something_is_still_carried_out_by_its_adapter(tmp_path: Path) -> None:
    host = ResumingHost(None)
    with running_core(tmp_path, host) as core:
        plugin = replace(OFFER, permits=None)
        core.set_up(plugin).result(10)
    assert host.set_up_offers == [plugin]
    assert not (tmp_path / "settings.toml").exists()


def test_what_is_forbidden_again_holds_at_once_and_leaves_the_rest(tmp_path: Path) -> None:
    with running_core(tmp_path, ResumingHost(None)) as core:
        core.permit(HOST, Permission.READ_SECRET, allowed=True).result(10)
        core.permit(HOST, Permission.CLOSE_HELPERS, allowed=True).result(10)
        writing = core.permit(HOST, Permission.READ_SECRET, allowed=False)
        assert core.access(HOST).allowed == {Permission.CLOSE_HELPERS}
        writing.result(10)
    assert allowed(tmp_path / "settings.toml") == {Permission.CLOSE_HELPERS}


def test_hosts_are_asked_anew_at_once_when_something_is_allowed(tmp_path: Path) -> None:
    host = ResumingHost(None)
    with ticking(core_for(tmp_path, host, settings=Settings(interval_s=60.0))) as core:
        until(lambda: bool(host.access), "the host is not asked at all")
        core.set_up(OFFER).result(10)
        until(lambda: host.access[-1].allowed == {Permission.READ_SECRET}, "the host is not asked anew")


def test_what_another_program_allows_holds_without_a_restart(tmp_path: Path) -> None:
    with running_core(tmp_path, ResumingHost(None)) as tray, running_core(tmp_path, ResumingHost(None)) as command:
        tray.update_settings(replace(tray.settings, keep_days=9)).result(10)
        assert command.settings.keep_days == 9
        command.set_up(OFFER).result(10)
        assert tray.access(HOST).allowed == {Permission.READ_SECRET}
        tray.update_settings(replace(tray.settings, keep_days=8)).result(10)
        assert command.access(HOST).allowed == {Permission.READ_SECRET}
        assert command.settings.keep_days == 8


def test_a_file_that_is_edited_by_hand_holds_with_the_next_tick(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    with ticking(core_for(tmp_path, settings=Settings(interval_s=0.5))) as core:
        core.set_detail(True)  # or a core without agents looks every ten seconds
        save(path, Settings(interval_s=0.6, idle_after_s=60.0, record=False))
        until(lambda: core._monitor.rules.idle_after_s == 60.0, "the file is not read")
        assert core._monitor.interval_s == 0.6
        path.write_text("keep_days = [\n")
        until(lambda: core.latest is not None and bool(core.latest.problems), "the fault is not told")
        assert core.settings.idle_after_s == 60.0
        save(path, Settings(interval_s=0.5, idle_after_s=120.0))
        until(lambda: core.latest is not None and not core.latest.problems, "the mend is not seen")
        assert core.settings.idle_after_s == 120.0


def test_a_look_with_its_own_idle_time_keeps_it_when_something_is_allowed(tmp_path: Path) -> None:
    with running_core(tmp_path, ResumingHost(None)) as core:
        core.look(0.0, idle_after_s=5.0)
        core.set_up(OFFER).result(10)
        assert core._monitor.rules.idle_after_s == 5.0


def test_a_host_in_the_settings_that_is_not_known_is_told(tmp_path: Path) -> None:
    settings = Settings().with_permission("fake-agnet", Permission.READ_SECRET, True)
    core = core_for(tmp_path, settings=settings)
    core.start()
    try:
        (problem,) = core.look(0.0).problems
    finally:
        core.stop()
    assert problem.where == str(tmp_path / "settings.toml")
    assert "fake-agnet" in problem.what
    assert HOST in problem.mend


@pytest.mark.skipif(os.name != "posix", reason="file modes are those of POSIX")
def test_a_secret_is_told_by_no_face_of_the_core(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(f"[hosts.fake-agent]\nsecret = '{SECRET}'\nsecrets = 1\nallowed = ['all']\n")
    path.chmod(0o644)
    places = Places(settings=path, history=tmp_path / "history.sqlite", journal=tmp_path / "journal.jsonl")
    caplog.set_level(0)
    core = make_core(places)
    core.start()
    try:
        assert core.access(HOST).secret == SECRET
        seen = core.look(0.0)
        told = [p for p in seen.problems if str(path) in p.where]
        assert any(problem.mend == f"chmod 600 {path}" for problem in told)
        capture = tmp_path / "capture.gz"
        core.record(capture, for_s=0.0, every_s=1.0)
        texts = [repr(core.settings), repr(seen), repr(core.doctor()), caplog.text]
        texts.append(gzip.decompress(capture.read_bytes()).decode())
        assert not any(SECRET in text for text in texts)
    finally:
        core.stop()


# -- bringing a session back ------------------------------------------------------------------------------------------


def test_a_session_is_brought_back_by_its_host(tmp_path: Path) -> None:
    host = ResumingHost(CallResult(ok=True, message="It is back in the window “work”"))
    with running_core(tmp_path, host) as core:
        answer = core.resume(HOST, TICKET).result(10)
    assert answer == CallResult(ok=True, message="It is back in the window “work”")
    assert host.given == [TICKET]
    assert len(host.access) == 1  # it had looked at its host before


@pytest.mark.skipif(sys.platform != "linux", reason="starts processes by the rules of Linux")
def test_a_session_that_runs_is_not_brought_back_a_second_time(tmp_path: Path) -> None:
    agent = Part(program=AGENT, session_id="s1", detached=True, setsid=True)
    with planted(tmp_path / "tree", agent=agent) as tree:
        tree.start("agent")
        host = ResumingHost(CallResult(ok=True, message="back"), ticket=TICKET)
        with running_core(tree.root, host) as core:
            answer = core.resume(HOST, TICKET).result(10)
            assert answer == CallResult(ok=True, message="It runs already; nothing to bring back")
            assert host.given == []
            another = ResumeTicket(call="bring-back", given=(("id", "s2"),))
            assert core.resume(HOST, another).result(10).message == "back"


@pytest.mark.parametrize(
    ("host", "ticket"),
    [("another", TICKET), (HOST, ResumeTicket(argv=("fake-agent", "--resume", "s1")))],
)
def test_what_cannot_be_brought_back_by_a_call_is_told(tmp_path: Path, host: str, ticket: ResumeTicket) -> None:
    adapter = ResumingHost(CallResult(ok=True, message="back"))
    with running_core(tmp_path, adapter) as core:
        answer = core.resume(host, ticket).result(10)
    assert not answer.ok
    assert "cannot be asked" in answer.message
    assert adapter.given == []


@pytest.mark.logs
def test_an_adapter_that_fails_is_an_answer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with running_core(tmp_path, ResumingHost(ValueError(f"token {SECRET}"))) as core:
        answer = core.resume(HOST, TICKET).result(10)
    assert (answer.ok, answer.message[:34]) == (False, "Its adapter failed: ValueError in ")
    assert "Fake Agent failed to resume: ValueError" in caplog.text
    assert SECRET not in caplog.text


def test_a_host_that_does_not_answer_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_module, "RESUME_S", 0.05)
    began_s = time.monotonic()
    with running_core(tmp_path, ResumingHost(None)) as core:
        answer = core.resume(HOST, TICKET).result(10)
    assert time.monotonic() - began_s < 30
    assert not answer.ok
    assert "did not answer" in answer.message
