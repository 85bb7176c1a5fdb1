"""Craft Agents' server as it is asked: the token, the handshake, the pace, what is never asked, and what it may do."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from tests.hosts.craft_fake import FakeCraft, Settings, running
from tests.hosts.craft_homes import CraftHome, server
from tests.hosts.homes import observe, process, recorded_lines, surroundings
from trayapp.hosts import craft_lines, craft_rpc
from trayapp.hosts.base import Surroundings
from trayapp.hosts.craft import CraftAgents
from trayapp.hosts.craft_rpc import Address, Link, RpcUnusable, Told, connect
from trayapp.model.access import HostAccess, Permission
from trayapp.model.finding import Finding, Standing
from trayapp.model.process import Identity, ProcessTable
from trayapp.model.session import EvidenceKind, Observation, SessionFact, Speaks, StepKind
from trayapp.probe import Probe

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the fake host runs on Linux"),
]
READ, CLOSE = Permission.READ_SECRET, Permission.CLOSE_HELPERS


@dataclass(slots=True)
class Reads:
    """Pass on what the probe reads, and keep which variables were asked for."""

    probe: Probe
    asked: list[str] = field(default_factory=list)
    ports: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def open_files(self, identity: Identity) -> tuple[str, ...] | None:
        return self.probe.open_files(identity)

    def listening_ports(self, identity: Identity) -> tuple[int, ...] | None:
        return self.ports.get(identity.pid) or self.probe.listening_ports(identity)

    def variable(self, identity: Identity, name: str) -> str | None:
        self.asked.append(name)
        return self.probe.variable(identity, name)


class Watch:
    """Look at one fake host with the real probe, in one loop; the clock of the tables goes on as told."""

    def __init__(self, craft: FakeCraft, probe: Probe) -> None:
        self.craft = craft
        self.probe = probe
        self.reads = Reads(probe)
        self.adapter = CraftAgents()
        self.access = HostAccess()
        self.later_s = 0.0

    @property
    def around(self) -> Surroundings:
        return Surroundings(
            home=self.craft.home,
            environ={},
            now_epoch_s=lambda: time.time() + self.later_s,
            processes=self.reads,
            access=lambda _host: self.access,
        )

    def scan(self) -> ProcessTable:
        """Return the processes of this host alone, at the moment that the test's clock says."""
        seen = self.probe.scan(whole=True)
        own = {started.pid for started in self.craft.started()}
        processes = {pid: p for pid, p in seen.processes.items() if pid in own}
        return replace(
            seen,
            processes=processes,
            taken_at=seen.taken_at + timedelta(seconds=self.later_s),
            monotonic_s=seen.monotonic_s + self.later_s,
            uptime_s=seen.uptime_s + self.later_s,
            changes=None,
        )

    async def look(self) -> Observation:
        table = self.scan()
        claims = [claim for p in table.processes.values() if (claim := self.adapter.recognise(p)) is not None]
        return await self.adapter.observe(table, claims, self.around)

    async def fact(self, session: str) -> SessionFact:
        (fact,) = [fact for fact in (await self.look()).sessions if fact.key.session_id == session]
        return fact

    def findings(self) -> list[Finding]:
        return list(self.adapter.findings(self.around))

    def asked(self, channel: str) -> int:
        return sum(name == channel for name, _ in self.craft.asked())


@pytest.fixture
def probe() -> Iterator[Probe]:
    made = Probe(environment_names=set(CraftAgents.environment_names))
    yield made
    made.close()


def watched(craft: FakeCraft, probe: Probe, *allowed: Permission, secret: str | None = None) -> Watch:
    watch = Watch(craft, probe)
    watch.access = HostAccess(secret=secret, allowed=frozenset(allowed))
    return watch


@asynccontextmanager
async def linked(craft: FakeCraft, token: str | None = None) -> AsyncIterator[Link]:
    link = await connect(Address(host="127.0.0.1", port=craft.port, token=token or craft.token))
    try:
        yield link
    finally:
        await link.close()


# ------------------------------------------------------------------------------------------ the connection


def test_after_the_handshake_its_channels_say_what_it_can_do(tmp_path: Path) -> None:
    async def run(craft: FakeCraft) -> None:
        async with linked(craft) as link:
            assert (link.version, len(link.channels), link.release_channel) == ("0.10.0", 210, None)
            assert {told.id for told in await link.sessions()} == {"s1", "s2"}
        assert not link.is_open
        assert len(asyncio.all_tasks()) == 1

    with running(tmp_path) as craft:
        for name in ("s1", "s2"):
            craft.create(name, session_id=name)
        asyncio.run(run(craft))
        assert {name for name, _ in craft.asked()} == {"handshake", "sessions:get"}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeCraft]:
    """Run one server for the tests that only change its mood."""
    with running(tmp_path_factory.mktemp("shared")) as craft:
        yield craft


def ask(craft: FakeCraft) -> RpcUnusable:
    """Ask once for the sessions; return why that is not possible."""

    async def run() -> RpcUnusable:
        with pytest.raises(RpcUnusable) as told:
            async with linked(craft) as link:
                await link.sessions()
        return told.value

    fault = asyncio.run(run())
    assert craft.token not in f"{fault.what}{fault.mend}{fault!r}"
    return fault


@pytest.mark.parametrize(
    ("mood", "lasting", "word"),
    [
        ({"refuses": True}, True, "does not take the token"),
        ({"hangs": "handshake"}, False, "does not answer within"),
        ({"hangs": "sessions:get"}, False, "does not answer within"),
        ({"drops": "sessions:get"}, False, "ended"),
        ({"garbles": "sessions:get"}, False, "something answers in place of the server"),
        ({"lies": {"sessions:get": [{"id": 3}]}}, False, "something answers in place of the server"),
    ],
)
def test_a_server_that_does_not_answer_well_is_told_within_seconds(
    shared: FakeCraft, monkeypatch: pytest.MonkeyPatch, mood: dict[str, Any], lasting: bool, word: str
) -> None:
    if "hangs" in mood:
        monkeypatch.setattr(craft_rpc, "ANSWER_TIMEOUT_S", 0.3)
    shared.behave(**mood)
    fault = ask(shared)
    assert word in fault.what
    assert fault.lasting is lasting


def test_a_server_that_is_full_is_told_as_such(tmp_path: Path) -> None:
    with running(tmp_path, Settings(max_clients=0)) as craft:
        assert "takes no more connections" in ask(craft).what


def test_nobody_at_the_port_is_told_as_such() -> None:
    with pytest.raises(RpcUnusable, match="cannot be reached"):
        asyncio.run(connect(Address(host="127.0.0.1", port=1, token="x" * 16)))


def test_the_address_does_not_show_the_token() -> None:
    assert "secret" not in repr(Address(host="127.0.0.1", port=1, token="secret-token-secret"))


class Replay:
    """Stand for a connection on which the server says what was recorded."""

    def __init__(self, frames: list[object]) -> None:
        self.frames = frames
        self.sent: list[str] = []

    async def send(self, text: str) -> None:
        self.sent.append(text)

    async def recv(self) -> str:
        return json.dumps(self.frames.pop(0))


def recorded_cases() -> dict[str, list[object]]:
    """Return what the server said in each recorded handshake."""
    cases: dict[str, list[object]] = {}
    for line in recorded_lines("craft/handshake.jsonl"):
        if line["dir"] == "note" and "case" in line["frame"]:
            said = cases.setdefault(line["frame"]["case"], [])
        elif line["dir"] == "server>client":
            said.append(line["frame"])
    return cases


def shake(frames: list[object]) -> tuple[Any, Replay]:
    replay = Replay(list(frames))
    address = Address(host="127.0.0.1", port=9100, token="TEST-TOKEN-NOT-A-SECRET-000000")
    return asyncio.run(craft_rpc._shake_hands(cast(Any, replay), address)), replay


def test_the_recorded_handshake_is_understood() -> None:
    hello, replay = shake(recorded_cases()["ok"])
    assert (hello.server_version, len(hello.registered_channels)) == ("0.10.0", 210)
    (asked,) = [json.loads(text) for text in replay.sent]
    sent = [line["frame"] for line in recorded_lines("craft/handshake.jsonl") if line["dir"] == "client>server"]
    theirs = next(f for f in sent if isinstance(f, dict) and f.get("token", "").startswith("TEST"))
    assert {**asked, "id": ""} == {**theirs, "id": ""}


@pytest.mark.parametrize("case", ["bad-token", "no-token", "wrong-protocol", "no-protocol"])
def test_the_recorded_refusals_are_lasting(case: str) -> None:
    with pytest.raises(RpcUnusable) as told:
        shake(recorded_cases()[case])
    assert told.value.lasting
    assert ("token" if case.endswith("token") else "protocol") in told.value.what


def test_the_recorded_lists_of_sessions_are_understood() -> None:
    for name in ("rpc-monitor", "rpc-sigterm-backends", "rpc-helpers-sources-delete", "rpc-create-and-send"):
        lines = [line["frame"] for line in recorded_lines(f"craft/{name}.jsonl")]
        replies = [f for f in lines if f.get("type") == "response" and f.get("channel") == "sessions:get"]
        for reply in replies:
            told = msgspec.json.decode(json.dumps(reply["result"]), type=list[Told])
            assert [t.id for t in told] == [each["id"] for each in reply["result"]]
            assert [t.is_processing for t in told] == [each["isProcessing"] for each in reply["result"]]


def test_what_the_server_does_not_know_is_said_in_its_words(tmp_path: Path) -> None:
    async def run(craft: FakeCraft) -> None:
        async with linked(craft) as link:
            with pytest.raises(RpcUnusable, match="Session not found: nope"):
                await link.close_helpers("nope")
            with pytest.raises(RpcUnusable, match="offers no sessions:release"):
                await link.release("sessions:release", "nope")
            assert await link.sessions() == ()

    with running(tmp_path) as craft:
        asyncio.run(run(craft))


# ------------------------------------------------------------------------------------------ the token


def test_without_consent_the_server_is_not_asked_and_its_sessions_are_known(tmp_path: Path, probe: Probe) -> None:
    with running(tmp_path) as craft:
        session = craft.create("Shop", sources=["notes"])
        craft.send(session)
        watch = watched(craft, probe)
        seen = asyncio.run(watch.look())
        assert [fact.title for fact in seen.sessions] == ["Shop"]
        assert [step.kind for step in seen.sessions[0].ladder] == [StepKind.SIGTERM, StepKind.SIGKILL]
        assert (craft.asked(), watch.reads.asked, seen.problems) == ([], [], ())
        (finding,) = watch.findings()
        assert (finding.standing, "no token is known" in finding.what) == (Standing.ABSENT, True)
        (offer,) = watch.adapter.setups(watch.around)
        assert offer.permits is READ
        assert craft.token not in repr((seen, finding, offer))


def test_after_consent_the_token_comes_from_its_environment_and_is_shown_nowhere(tmp_path: Path, probe: Probe) -> None:
    with running(tmp_path) as craft:
        session = craft.create("Shop")
        craft.send(session)
        watch = watched(craft, probe, READ)
        seen = asyncio.run(watch.look())
        assert watch.reads.asked == ["CRAFT_SERVER_TOKEN"]
        assert [e.source for e in seen.sessions[0].evidence if e.kind is EvidenceKind.HOST_STATUS] == ["its server"]
        (instance,) = seen.instances
        assert (instance.version, instance.address) == ("0.10.0", f"ws://127.0.0.1:{craft.port}")
        assert [finding.standing for finding in watch.findings()] == [Standing.GOOD]
        assert {offer.permits for offer in watch.adapter.setups(watch.around)} == {CLOSE}
        assert craft.token not in repr(
            (seen, watch.findings(), vars(watch.adapter.watch._lines) if watch.adapter.watch is not None else None)
        )


def test_a_typed_token_needs_no_environment(tmp_path: Path, probe: Probe) -> None:
    with running(tmp_path) as craft:
        watch = watched(craft, probe, secret=craft.token)
        seen = asyncio.run(watch.look())
        assert watch.reads.asked == []
        assert seen.instances[0].address is not None


def test_a_refused_token_is_not_tried_again_until_it_is_another(tmp_path: Path, probe: Probe) -> None:
    async def run(watch: Watch) -> None:
        for _ in range(3):
            seen = await watch.look()
            watch.later_s += 60.0
        assert watch.asked("handshake") == 1
        assert [problem.what for problem in seen.problems] == ["the server does not take the token"]
        watch.access = HostAccess(secret=watch.craft.token)
        assert (await watch.look()).problems == ()
        assert watch.asked("handshake") == 2

    with running(tmp_path) as craft:
        asyncio.run(run(watched(craft, probe, secret="wrong-wrong-wrong-1")))


def test_a_consent_that_is_taken_back_ends_the_connection(tmp_path: Path, probe: Probe) -> None:
    async def run(watch: Watch) -> None:
        await watch.look()
        watch.access = HostAccess()
        seen = await watch.look()
        assert (seen.instances[0].address, len(asyncio.all_tasks())) == (None, 1)

    with running(tmp_path) as craft:
        asyncio.run(run(watched(craft, probe, READ)))


def test_the_token_goes_to_no_port_on_which_the_server_does_not_listen(tmp_path: Path, probe: Probe) -> None:
    with running(tmp_path) as craft:
        watch = watched(craft, probe, READ)
        watch.reads.ports[craft.pid] = (1,)
        seen = asyncio.run(watch.look())
        assert craft.asked() == []
        assert "does not listen" in seen.problems[0].what


def test_the_token_goes_past_every_proxy(tmp_path: Path, probe: Probe, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "WS_PROXY", "ws_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with running(tmp_path) as craft:
        assert asyncio.run(watched(craft, probe, READ).look()).problems == ()


def test_a_desktop_app_works_without_any_token(tmp_path: Path, probe: Probe) -> None:
    with running(tmp_path, Settings(desktop=True)) as craft:
        session = craft.create("Shop", sources=["notes"])
        craft.send(session)
        watch = watched(craft, probe, READ, secret="typed-typed-typed-1")
        seen = asyncio.run(watch.look())
        assert ([fact.title for fact in seen.sessions], seen.problems, craft.asked()) == (["Shop"], (), [])
        (finding,) = watch.findings()
        assert "keeps its token to itself" in finding.what
        assert finding.mend is None


def test_the_token_of_an_apps_server_mode_is_read_after_consent_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Address] = []

    async def refuse(address: Address) -> Link:
        asked.append(address)
        raise RpcUnusable("nobody", "nothing")

    monkeypatch.setattr(craft_lines, "connect", refuse)
    craft = CraftHome(tmp_path)
    craft.more = {"serverConfig": {"enabled": True, "port": 9107, "token": "TOKEN-OF-THIS-APP-1"}}
    craft.add_workspace("far", remoteServer={"url": "ws://far:9100", "token": "TOKEN-OF-ANOTHER-MACHINE"})
    app = process(10, "/tmp/.mount_Craft-x/craft-agents", age_s=9000)
    around = surroundings(tmp_path, ports={10: (9107,)})
    adapter = CraftAgents()
    observe(adapter, [app], around)
    assert asked == []
    assert "config.json" in next(iter(adapter.setups(around))).steps[0]
    observe(adapter, [app], replace(around, access=lambda _host: HostAccess(allowed=frozenset({READ}))))
    assert [(address.url, address.token) for address in asked] == [("ws://127.0.0.1:9107", "TOKEN-OF-THIS-APP-1")]


def test_a_port_that_the_server_chose_is_found_by_where_it_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def refuse(address: Address) -> Link:
        asked.append(address.url)
        raise RpcUnusable("nobody", "nothing")

    monkeypatch.setattr(craft_lines, "connect", refuse)
    env = {"CRAFT_RPC_PORT": "0", "CRAFT_HEALTH_PORT": "9101", "CRAFT_RPC_HOST": "0.0.0.0"}
    around = replace(
        surroundings(tmp_path, ports={10: (9101, 45671)}),
        access=lambda _host: HostAccess(secret="typed-typed-typed-1"),
    )
    CraftHome(tmp_path)
    observe(CraftAgents(), [server(env=env)], around)
    assert asked == ["ws://127.0.0.1:45671"]


# ------------------------------------------------------------------------------------------ the pace


def test_it_is_asked_every_ten_seconds_at_most_over_one_connection(tmp_path: Path, probe: Probe) -> None:
    async def run(watch: Watch) -> None:
        for _ in range(12):
            await watch.look()
            watch.later_s += 2.0
        assert (watch.asked("handshake"), watch.asked("sessions:get")) == (1, 3)

    with running(tmp_path) as craft:
        asyncio.run(run(watched(craft, probe, READ)))
        assert craft.transcripts_loaded() == []


def test_a_cut_connection_is_opened_again(tmp_path: Path, probe: Probe) -> None:
    async def run(watch: Watch) -> None:
        await watch.look()
        watch.craft.drop_clients()
        watch.later_s += 11.0
        await watch.look()
        watch.later_s += 16.0
        assert (await watch.look()).problems == ()
        assert watch.asked("handshake") == 2

    with running(tmp_path) as craft:
        asyncio.run(run(watched(craft, probe, READ)))


def test_a_server_that_hangs_is_let_be_and_its_sessions_stay(
    tmp_path: Path, probe: Probe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(craft_rpc, "ANSWER_TIMEOUT_S", 0.5)

    async def run(watch: Watch) -> None:
        await watch.look()
        watch.craft.behave(hangs="sessions:get")
        watch.later_s += 11.0
        seen = await watch.look()
        assert len(seen.sessions) == 1
        assert all(e.kind is not EvidenceKind.HOST_STATUS for e in seen.sessions[0].evidence)
        before = watch.asked("sessions:get")
        watch.later_s += 5.0
        await watch.look()
        assert watch.asked("sessions:get") == before

    with running(tmp_path) as craft:
        craft.send(craft.create("Shop"))
        asyncio.run(run(watched(craft, probe, READ)))


def test_a_restarted_server_is_another_one(tmp_path: Path, probe: Probe) -> None:
    async def run(watch: Watch) -> None:
        await watch.look()
        watch.craft.stop()
        assert (await watch.look()).instances == ()
        watch.craft.start()
        seen = await watch.look()
        assert [i.address for i in seen.instances] == [f"ws://127.0.0.1:{watch.craft.port}"]

    with running(tmp_path) as craft:
        asyncio.run(run(watched(craft, probe, READ)))


# ------------------------------------------------------------------------------------------ what a session does


def test_an_open_turn_is_told_by_the_server(tmp_path: Path, probe: Probe) -> None:
    async def run(watch: Watch, session: str) -> None:
        told = [e.fact for e in (await watch.fact(session)).evidence if e.speaks_for is Speaks.BUSY]
        assert "Its server says that a turn runs" in told
        watch.craft.finish(session)
        watch.craft.flush()
        watch.later_s += 11.0
        fact = await watch.fact(session)
        said = {e.speaks_for for e in fact.evidence}
        assert Speaks.IDLE in said
        assert Speaks.BUSY not in said

    with running(tmp_path) as craft:
        session = craft.create("Shop")
        craft.send(session, "SLOWREPLY")
        asyncio.run(run(watched(craft, probe, READ), session))


def test_a_message_after_the_last_question_is_not_idleness(tmp_path: Path, probe: Probe) -> None:
    """What the server said ten seconds ago is older than what the session's record says now."""

    async def run(watch: Watch, session: str) -> None:
        await watch.look()
        watch.craft.send(session, "SLOWREPLY")
        watch.craft.flush()
        fact = await watch.fact(session)
        assert any(e.speaks_for is Speaks.BUSY for e in fact.evidence)

    with running(tmp_path) as craft:
        session = craft.create("Shop")
        craft.send(session)
        asyncio.run(run(watched(craft, probe, READ), session))


def test_a_background_agent_works_while_the_server_says_that_no_turn_runs(tmp_path: Path, probe: Probe) -> None:
    with running(tmp_path, Settings(keep_claude=True, version="0.11.4")) as craft:
        session = craft.create("Shop", kind="claude")
        craft.send(session)
        craft.work_in_background(session)
        # the record is written a little later; the server itself knows the log's name at once
        watch = watched(craft, probe, READ)
        watch.later_s = 60.0
        fact = asyncio.run(watch.fact(session))
        said = {(e.kind, e.speaks_for) for e in fact.evidence}
        assert (EvidenceKind.HOST_STATUS, Speaks.IDLE) in said
        assert (EvidenceKind.SUBAGENT, Speaks.BUSY) in said


# ------------------------------------------------------------------------------------------ what it may do


def test_closing_helpers_is_offered_only_where_it_is_allowed(tmp_path: Path, probe: Probe) -> None:
    async def run(watch: Watch, session: str) -> None:
        assert [step.call for step in (await watch.fact(session)).ladder] == [None, None]
        watch.access = HostAccess(allowed=frozenset({READ, CLOSE}))
        fact = await watch.fact(session)
        first = fact.ladder[0]
        assert (first.kind, first.call, first.frees_processes) == (StepKind.HOST_CALL, "close-helpers", False)
        assert fact.resume is not None
        assert (fact.resume.note or "").endswith("have to be switched on again: fake-helper, notes")
        helper = watch.craft.truth(session).helpers["notes"]
        answer = await watch.adapter.call("close-helpers", fact, watch.around)
        assert answer.ok, answer.message
        assert watch.craft.truth(session).helpers == {}
        assert helper not in {process.pid for process in watch.craft.running()}
        assert ("sessions:command", [session, {"type": "setSources", "sourceSlugs": []}]) in watch.craft.asked()

    with running(tmp_path) as craft:
        session = craft.create("Shop", sources=["notes", "fake-helper"])
        craft.send(session)
        asyncio.run(run(watched(craft, probe, READ), session))


def test_a_session_that_works_by_now_keeps_its_helpers(tmp_path: Path, probe: Probe) -> None:
    async def run(watch: Watch, session: str) -> None:
        fact = await watch.fact(session)
        watch.craft.send(session, "SLOWREPLY")
        answer = await watch.adapter.call("close-helpers", fact, watch.around)
        assert (answer.ok, answer.message) == (False, "a turn runs in it by now")
        assert list(watch.craft.truth(session).helpers) == ["notes"]

    with running(tmp_path) as craft:
        session = craft.create("Shop", sources=["notes"])
        craft.send(session)
        asyncio.run(run(watched(craft, probe, READ, CLOSE), session))


def test_an_id_that_two_workspaces_share_is_not_commanded(tmp_path: Path, probe: Probe) -> None:
    """The command takes an id alone."""

    async def run(watch: Watch) -> None:
        seen = await watch.look()
        assert len(seen.sessions) == 2
        assert all(step.kind is not StepKind.HOST_CALL for fact in seen.sessions for step in fact.ladder)

    craft = FakeCraft(tmp_path)
    second = craft.add_workspace("Second Space")
    craft.add_source("notes", "--stdio", workspace="second-space")
    with running(craft=craft):
        for workspace in (craft.workspace, second):
            made = craft.create("Same", sources=["notes"], workspace=workspace, session_id="261130-same-one")
            craft.send(str(next(t.folder for t in craft.truths() if t.workspace_id == workspace)))
        assert made
        asyncio.run(run(watched(craft, probe, READ, CLOSE)))


def test_a_newer_servers_own_release_goes_first(tmp_path: Path, probe: Probe) -> None:
    async def run(watch: Watch, session: str) -> None:
        fact = await watch.fact(session)
        assert [step.call for step in fact.ladder] == ["release", None, None]
        backend = watch.craft.truth(session).backend
        answer = await watch.adapter.call("release", fact, watch.around)
        assert answer.ok, answer.message
        assert backend not in {process.pid for process in watch.craft.running()}

    with running(tmp_path, Settings(more_channels=("sessions:release",))) as craft:
        session = craft.create("Shop")
        craft.send(session)
        asyncio.run(run(watched(craft, probe, READ), session))


def test_a_release_channel_of_an_unknown_name_is_told_and_not_tried(tmp_path: Path, probe: Probe) -> None:
    with running(tmp_path, Settings(more_channels=("sessions:evictIdle",))) as craft:
        session = craft.create("Shop")
        craft.send(session)
        watch = watched(craft, probe, READ)
        fact = asyncio.run(watch.fact(session))
        assert [step.call for step in fact.ladder] == [None, None]
        assert any("sessions:evictIdle" in finding.what for finding in watch.findings())


def test_what_keeps_agents_between_turns_is_told_with_its_mend(tmp_path: Path, probe: Probe) -> None:
    with running(tmp_path, Settings(keep_claude=True, version="0.11.4")) as craft:
        craft.send(craft.create("Shop", kind="claude"))
        watch = watched(craft, probe, READ)
        asyncio.run(watch.look())
        assert any("CRAFT_KEEP_BG_AGENTS_ALIVE=0" in (finding.mend or "") for finding in watch.findings())


def test_what_was_set_against_keeping_agents_is_not_advised_again(tmp_path: Path, probe: Probe) -> None:
    variables = {"CRAFT_KEEP_BG_AGENTS_ALIVE": "0"}
    with running(tmp_path, Settings(version="0.11.4", variables=variables)) as craft:
        watch = watched(craft, probe, READ)
        asyncio.run(watch.look())
        assert [finding.standing for finding in watch.findings()] == [Standing.GOOD]


def test_a_killed_server_leaves_orphans_and_no_live_session(tmp_path: Path, probe: Probe) -> None:
    with running(tmp_path) as craft:
        session = craft.create("Shop", sources=["fake-helper"])
        craft.send(session)
        helper = craft.truth(session).helpers["fake-helper"]
        craft.stop(signal.SIGKILL)
        os.kill(helper, 0)
        seen = asyncio.run(watched(craft, probe).look())
        assert seen.instances == ()
        assert [(c.identity.pid, c.leaked) for c in seen.claims] == [(helper, True)]
        assert (craft.config / ".server.lock").exists()
