"""What a session of Craft Agents is doing: by its record, its server, its agent's log, and never by a file's time."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.hosts.craft_homes import HELPER_ARGV, PI_ARGV, CraftHome, child, claude_argv, pi_said, said, server
from tests.hosts.homes import NOW_EPOCH_S, fact_of, iso, observe, surroundings
from trayapp.hosts.anthropic_transcript import Transcript, Turn
from trayapp.hosts.craft import CraftAgents
from trayapp.hosts.craft_disk import Stored
from trayapp.hosts.craft_evidence import Signs, evidence_of
from trayapp.hosts.craft_rpc import Told
from trayapp.model.process import Process
from trayapp.model.session import EvidenceKind, SessionFact, Speaks, State
from trayapp.verdict import judge

BEGAN, LAST = NOW_EPOCH_S - 5000, NOW_EPOCH_S - 3600


@pytest.fixture
def craft(tmp_path: Path) -> CraftHome:
    return CraftHome(tmp_path)


def fact(craft: CraftHome, session_id: str, *processes: Process) -> SessionFact:
    return fact_of(observe(CraftAgents(), [server(), *processes], surroundings(craft.home)), session_id)


def pi(folder: str, *, age_s: float = 5000.0) -> Process:
    return child(20, *PI_ARGV, folder=folder, age_s=age_s)


def speaks(fact: SessionFact) -> set[Speaks]:
    return {e.speaks_for for e in fact.evidence} - {Speaks.NOTHING}


def signs(**more: object) -> Signs:
    stored = Stored(folder="/s", root="/", slug="w", id="s", last_message_epoch_s=LAST, last_role="assistant")
    return replace(Signs(stored=stored, began_epoch_s=BEGAN), **more)  # type: ignore[arg-type]


def said_by(of: Signs) -> set[tuple[EvidenceKind, Speaks]]:
    return {(e.kind, e.speaks_for) for e in evidence_of(of, now_epoch_s=NOW_EPOCH_S)}


# ------------------------------------------------------------------------------------------ records


def test_idle_is_the_time_of_the_last_message(craft: CraftHome) -> None:
    told = fact(craft, "s1", pi(craft.session("s1", pi=True, age_s=3600)))
    (evidence,) = told.evidence
    assert (evidence.speaks_for, evidence.at_epoch_s, evidence.source) == (Speaks.IDLE, LAST, "session record")
    assert told.last_activity_epoch_s == LAST


def test_a_rewritten_record_is_no_activity(craft: CraftHome) -> None:
    """Flag, rename, mark-read and source changes write the whole file anew, and lastUsedAt with it."""
    folder = craft.session("s1", pi=True, age_s=3600, lastUsedAt=NOW_EPOCH_S * 1000)
    os.utime(Path(folder) / "session.jsonl", (NOW_EPOCH_S, NOW_EPOCH_S))
    assert fact(craft, "s1", pi(folder)).last_activity_epoch_s == LAST


def test_a_message_without_an_answer_is_an_open_turn(craft: CraftHome) -> None:
    told = fact(craft, "s1", pi(craft.session("s1", pi=True, age_s=60, role="user")))
    assert speaks(told) == {Speaks.BUSY}


def test_a_message_from_before_the_backend_began_was_cut_off(craft: CraftHome) -> None:
    told = fact(craft, "s1", pi(craft.session("s1", pi=True, age_s=9000, role="user"), age_s=100))
    assert speaks(told) == {Speaks.IDLE}


def test_a_record_that_cannot_be_read_makes_the_session_unknown(craft: CraftHome) -> None:
    folder = craft.session("s1", pi=True)
    (Path(folder) / "session.jsonl").write_text("no header", encoding="utf-8")
    observation = observe(CraftAgents(), [server(), pi(folder)], surroundings(craft.home))
    told = fact_of(observation, "s1")
    assert speaks(told) == {Speaks.UNREADABLE}
    assert [problem.where for problem in observation.problems] == [f"{folder}/session.jsonl"]
    assert judge(told, (), now_epoch_s=NOW_EPOCH_S).state is not State.IDLE


def test_a_backend_whose_session_was_deleted_is_unknown(craft: CraftHome) -> None:
    told = fact(craft, "s1", pi(str(craft.folder("s1"))))
    assert speaks(told) == {Speaks.UNREADABLE}
    assert told.resume is None


def test_of_a_session_without_a_backend_no_turn_runs(craft: CraftHome) -> None:
    """What its log left open ended with the backend."""
    craft.source("notes", *HELPER_ARGV)
    folder = craft.session("s1", pi=True, age_s=60, role="user", enabledSourceSlugs=["notes"])
    told = fact(craft, "s1", child(30, *HELPER_ARGV, folder=folder, age_s=100))
    assert speaks(told) == {Speaks.IDLE}


def test_sessions_without_a_process_are_not_listed(craft: CraftHome) -> None:
    folder = craft.session("s0", pi=True)
    for number in range(1, 214):
        craft.session(f"s{number}")
    observation = observe(CraftAgents(), [server(), pi(folder)], surroundings(craft.home))
    assert [f.key.session_id for f in observation.sessions] == ["s0"]


# ------------------------------------------------------------------------------------------ logs


def test_a_pi_backend_is_busy_while_its_log_says_so(craft: CraftHome) -> None:
    folder = craft.session("s1", pi=True, age_s=3600, sdkSessionId="sdk1")
    craft.pi_log("s1", "sdk1", pi_said(300, "user"))
    assert Speaks.BUSY in speaks(fact(craft, "s1", pi(folder)))
    craft.pi_log("s1", "sdk1", pi_said(300, "user"), pi_said(200, "assistant", "stop"))
    told = fact(craft, "s1", pi(folder))
    assert speaks(told) == {Speaks.IDLE}
    assert told.last_activity_epoch_s == NOW_EPOCH_S - 200


def test_an_agents_log_tells_of_an_open_turn_and_its_end(craft: CraftHome) -> None:
    folder = craft.session("s1", sdkSessionId="sdk1", age_s=3600)
    agent = child(20, *claude_argv("sdk1"), cwd=folder, age_s=5000)
    craft.claude_log("sdk1", folder, said(100, None, "user", content="go on"))
    assert Speaks.BUSY in speaks(fact(craft, "s1", agent))
    craft.claude_log("sdk1", folder, said(100, None, "user", content="go on"), said(50))
    told = fact(craft, "s1", agent)
    assert speaks(told) == {Speaks.IDLE}
    assert told.last_activity_epoch_s == NOW_EPOCH_S - 50


def test_a_background_agent_is_seen_by_its_own_log(craft: CraftHome) -> None:
    """The turn is over and the server says so; in a subagent's log each record bears the mark of a side chain."""
    folder = craft.session("s1", sdkSessionId="sdk1", age_s=3600)
    agent = child(20, *claude_argv("sdk1"), cwd=folder, age_s=5000)
    log = craft.claude_log("sdk1", folder, said(3600))
    below = log.with_suffix("") / "subagents" / "agent-a1.jsonl"
    below.parent.mkdir(parents=True)
    working = (
        f'{{"type":"user","isSidechain":true,"timestamp":"{iso(30)}","message":{{"role":"user","content":"x"}}}}\n'
    )
    below.write_text(working, encoding="utf-8")
    told = fact(craft, "s1", agent)
    assert (EvidenceKind.SUBAGENT, Speaks.BUSY) in {(e.kind, e.speaks_for) for e in told.evidence}
    message = '{"role":"assistant","content":[],"stop_reason":"end_turn"}'
    done = f'{{"type":"assistant","isSidechain":true,"timestamp":"{iso(20)}","message":{message}}}\n'
    below.write_text(working + done, encoding="utf-8")
    assert speaks(fact(craft, "s1", agent)) == {Speaks.IDLE}


def test_without_its_agents_log_a_session_is_not_known_to_rest(craft: CraftHome) -> None:
    """A turn that has just ended may have left background agents, which only logs tell."""
    for age_s, expected in ((60.0, {Speaks.IDLE, Speaks.UNREADABLE}), (2 * 86_400.0, {Speaks.IDLE})):
        folder = craft.session("s1", age_s=age_s)
        agent = child(20, *claude_argv(), cwd=folder, age_s=5000)
        assert speaks(fact(craft, "s1", agent)) == expected


def test_the_log_of_a_subagent_from_before_its_agent_began_says_nothing(craft: CraftHome) -> None:
    folder = craft.session("s1", sdkSessionId="sdk1", age_s=3600)
    log = craft.claude_log("sdk1", folder, said(3600))
    below = log.with_suffix("") / "subagents" / "agent-a1.jsonl"
    below.parent.mkdir(parents=True)
    below.write_text(f'{{"type":"user","isSidechain":true,"timestamp":"{iso(9000)}"}}\n', encoding="utf-8")
    agent = child(20, *claude_argv("sdk1"), cwd=folder, age_s=5000)
    assert speaks(fact(craft, "s1", agent)) == {Speaks.IDLE}


# ------------------------------------------------------------------------------------------ the server's word


def test_a_turn_that_waits_for_a_permission_runs(craft: CraftHome) -> None:
    told = Told(id="s", is_processing=True, last_message_at=LAST * 1000)
    assert (EvidenceKind.HOST_STATUS, Speaks.BUSY) in said_by(signs(told=told, told_epoch_s=NOW_EPOCH_S - 5))


def test_the_servers_no_does_not_outweigh_an_open_log(craft: CraftHome) -> None:
    told = Told(id="s", is_processing=False, last_message_at=LAST * 1000)
    log = Transcript(turn=Turn.OPEN, turn_epoch_s=NOW_EPOCH_S - 20, last_activity_epoch_s=NOW_EPOCH_S - 20)
    said_now = said_by(signs(told=told, told_epoch_s=NOW_EPOCH_S - 5, log=log))
    assert {(EvidenceKind.HOST_STATUS, Speaks.IDLE), (EvidenceKind.TURN, Speaks.BUSY)} <= said_now


def test_a_word_from_before_the_last_message_proves_nothing(craft: CraftHome) -> None:
    told = Told(id="s", is_processing=False, last_message_at=LAST * 1000)
    stored = signs().stored
    assert stored is not None
    newer = replace(stored, last_message_epoch_s=NOW_EPOCH_S - 2, last_role="user")
    assert said_by(signs(stored=newer, told=told, told_epoch_s=NOW_EPOCH_S - 8)) == {
        (EvidenceKind.HOST_STATUS, Speaks.NOTHING),
        (EvidenceKind.TURN, Speaks.BUSY),
    }


def test_the_server_knows_how_a_turn_without_an_answer_ended(craft: CraftHome) -> None:
    """A backend that was ended in a turn leaves a record whose last message is the user's."""
    told = Told(id="s", is_processing=False, last_message_at=LAST * 1000)
    stored = signs().stored
    assert stored is not None
    cut = replace(stored, last_role="user")
    assert {speaks_for for _, speaks_for in said_by(signs(stored=cut, told=told, told_epoch_s=NOW_EPOCH_S - 5))} == {
        Speaks.IDLE
    }


# ------------------------------------------------------------------------------------------ what comes of it


def test_nothing_new_is_the_very_same_claims(craft: CraftHome) -> None:
    adapter, around = CraftAgents(), surroundings(craft.home)
    processes = [server(), pi(craft.session("s1", pi=True))]
    first, second = (observe(adapter, processes, around) for _ in range(2))
    assert first.claims is second.claims


def test_a_hundred_live_sessions_cost_little(craft: CraftHome) -> None:
    """Told for whoever changes it: what is asked every two seconds must stay cheap."""
    for number in range(2000):
        craft.session(f"s{number}")
    folders = [craft.session(f"p{number}", pi=True) for number in range(100)]
    backends = [child(100 + n, *PI_ARGV, folder=folder) for n, folder in enumerate(folders)]
    adapter, around = CraftAgents(), surroundings(craft.home)
    observe(adapter, [server(), *backends], around)
    began_s = time.process_time()
    assert len(observe(adapter, [server(), *backends], around).sessions) == 100
    print(f"one look at 100 of 2,100 sessions took {1000 * (time.process_time() - began_s):.1f} ms of CPU")


def test_the_next_message_brings_it_back(craft: CraftHome) -> None:
    told = fact(craft, "s1", pi(craft.session("s1", pi=True)))
    assert told.resume is not None
    assert (told.resume.argv, told.resume.note) == ((), "Its next message starts it again, with its history")
    assert [step.wait_s for step in told.ladder] == [5.0, 2.0]
