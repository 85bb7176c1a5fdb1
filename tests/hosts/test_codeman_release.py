"""Codeman through the whole product: what is released, what survives the server's success, and what comes back."""

from __future__ import annotations

import shutil
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.hosts.codeman_desk import act_on, core_on, group_of
from tests.hosts.codeman_fake import VERSIONS, Agent, FakeCodeman, alive, running
from trayapp.core import Core
from trayapp.hosts import codeman_look, codeman_servers
from trayapp.model.plan import Action, Allowed, Reason
from trayapp.model.receipt import Fate
from trayapp.model.session import State
from trayapp.model.snapshot import Snapshot

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(sys.platform != "linux", reason="the fake reads terminals and sessions of processes from /proc"),
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs the tmux program"),
]

CONVERSATION = "11111111-2222-3333-4444-555555555555"
PATIENCE_S = 30.0


@pytest.fixture(scope="module", params=VERSIONS)
def used(request: pytest.FixtureRequest) -> Iterator[FakeCodeman]:
    with running(request.param) as fake:
        yield fake


@pytest.fixture(autouse=True)
def _ask_at_every_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the server asked as often as this test looks; how gently it is asked is tested elsewhere."""
    monkeypatch.setattr(codeman_servers, "ASK_INTERVAL_S", 0.0)
    monkeypatch.setattr(codeman_servers, "SECOND_LOOK_S", 0.0)


@pytest.fixture
def fake(used: FakeCodeman) -> FakeCodeman:
    """Return a server that is as new, whose agents have no helpers: work below an agent protects it."""
    used.reset()
    used.agents_are(helpers=False)
    return used


def settled(core: Core, *agents: Agent) -> Snapshot:
    """Look until the idleness of these sessions was read twice: tmux repaints a new one for a few seconds."""
    deadline_s = time.monotonic() + PATIENCE_S
    while True:
        snapshot = core.look(0.1)
        verdicts = [group_of(snapshot, agent.session_id).verdict for agent in agents]
        if all(v is not None and (v.state is not State.IDLE or v.confirmations > 1) for v in verdicts):
            return snapshot
        assert time.monotonic() < deadline_s, verdicts


def test_an_idle_session_is_released_and_brought_back_and_the_others_stay(fake: FakeCodeman, tmp_path: Path) -> None:
    fake.transcript(CONVERSATION)
    plain, resumed = fake.session("plain"), fake.session("resumed", resumes=CONVERSATION)
    shell = fake.session("shell", mode="shell")
    fake.hold(resumed, 40)
    with core_on(fake, tmp_path) as core:
        snapshot = settled(core, plain, resumed, shell)
        groups = {a.session_id: group_of(snapshot, a.session_id) for a in (plain, resumed, shell)}
        decisions = {key: group.decision(Action.RELEASE) for key, group in groups.items()}
        assert [(d.allowed, d.reason) for d in decisions.values() if d is not None] == [
            (Allowed.ALLOW, Reason.IDLE_CONFIRMED),
            (Allowed.ALLOW, Reason.IDLE_CONFIRMED),
            (Allowed.CONFIRM, Reason.ATTACHED_TERMINAL),
        ]
        before = sum(process.memory_full_info().pss for process in fake.of_session(resumed.session_id))
        outcome = act_on(core, groups[resumed.session_id], Action.RELEASE)
        assert (outcome.fate, outcome.survived) == (Fate.RELEASED, ())
        assert {identity.pid for identity in outcome.gone} == {resumed.pid, resumed.pane_pid}
        assert outcome.came_back_bytes >= 0.98 * before
        assert outcome.steps[0].startswith("Codeman is asked to close the session: done")
        assert not alive(resumed.pid)
        assert alive(plain.pid)
        assert alive(shell.pane_pid)
        assert outcome.resume is not None
        assert outcome.resume.call == "resume"
        fake.forget_answers()
        back = core.resume("codeman", outcome.resume).result(30)
        assert back.ok, back.message
        assert "as “resumed”" in back.message
    fake.forget_answers()
    names = sorted(record["name"] for record in fake.call("GET", "/api/sessions").body)
    assert names == ["plain", "resumed", "shell"]


def test_success_is_not_believed_while_the_agent_lives(
    fake: FakeCodeman, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codeman_look, "_DELETE", replace(codeman_look._DELETE, wait_s=1.0))
    agent = fake.session("w")
    fake.behave(lies=True)
    with core_on(fake, tmp_path) as core:
        group = group_of(settled(core, agent), agent.session_id)
        outcome = act_on(core, group, Action.RELEASE)
        assert outcome.fate is Fate.SURVIVED
        assert [survivor.identity.pid for survivor in outcome.survived] == [agent.pid]
        assert "it says that the session is closed" in outcome.steps[0]
        assert outcome.came_back_bytes == 0
        assert alive(agent.pid)
        # what survived is still offered
        again = group_of(settled(core, agent), agent.session_id)
        assert again.decision(Action.KILL) is not None
        ended = act_on(core, again, Action.KILL, confirmed=True)
    assert ended.fate is Fate.ENDED
    assert not alive(agent.pid)


def test_work_below_an_agent_keeps_it_from_being_released(fake: FakeCodeman, tmp_path: Path) -> None:
    agent = fake.session("w")
    large = fake.grandchild(agent)
    with core_on(fake, tmp_path) as core:
        group = group_of(settled(core, agent), agent.session_id)
        decision = group.decision(Action.RELEASE)
        assert decision is not None
        assert (decision.allowed, decision.reason) == (Allowed.REFUSE, Reason.BUSY_BACKGROUND_TASK)
        assert group.rss_bytes > 99 * 1024**2
        outcome = act_on(core, group, Action.KILL, confirmed=True)
    assert large in {identity.pid for identity in outcome.gone}
    assert outcome.fate is Fate.ENDED


def test_a_session_that_begins_to_work_is_left_alone(fake: FakeCodeman, tmp_path: Path) -> None:
    agent = fake.session("w")
    with core_on(fake, tmp_path) as core:
        group = group_of(settled(core, agent), agent.session_id)
        assert group.releasable is not None
        fake.busy(agent)
        outcome = act_on(core, group, Action.RELEASE)
    assert outcome.fate in (Fate.REFUSED, Fate.SURVIVED)
    assert outcome.gone == ()
    assert alive(agent.pid)
    assert "DELETE" not in {each["method"] for each in fake.asked()}


def test_a_dead_pane_is_shown_as_ended_and_cleared(fake: FakeCodeman, tmp_path: Path) -> None:
    agent = fake.session("w")
    fake.signal(agent, signal.SIGTERM)
    with core_on(fake, tmp_path) as core:
        group = group_of(settled(core, agent), agent.session_id)
        assert "remnant" in group.flags
        assert group.members == ()
        assert group.verdict is not None
        assert group.verdict.state is State.ENDED
        outcome = act_on(core, group, Action.RELEASE, confirmed=True)
    assert outcome.fate is Fate.RELEASED, outcome
    fake.forget_answers()
    assert fake.call("GET", "/api/sessions").body == []


def test_with_the_server_down_an_agent_is_ended_in_order_and_leaves_a_dead_pane(
    fake: FakeCodeman, tmp_path: Path
) -> None:
    agent = fake.session("w")
    log = fake.transcript(agent.session_id)
    log.write_text(
        '{"type":"assistant","timestamp":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":[],'
        '"stop_reason":"end_turn"}}\n',
        encoding="utf-8",
    )
    fake.end(signal.SIGKILL)
    try:
        with core_on(fake, tmp_path) as core:
            group = group_of(settled(core, agent), agent.session_id)
            # without the server's word tmux and the agent's log have to agree
            assert group.verdict is not None
            assert group.verdict.state is State.IDLE
            outcome = act_on(core, group, Action.RELEASE)
        assert outcome.fate is Fate.RELEASED
        assert not alive(agent.pid)
        fake.wait_for("the pane to be dead", lambda: fake.pane(agent)["dead"] == "1")
    finally:
        fake.start()
    with core_on(fake, tmp_path) as core:
        assert "remnant" in group_of(settled(core, agent), agent.session_id).flags
