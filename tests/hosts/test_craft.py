"""Craft Agents: the server, the agents that it runs for its sessions, and what their logs say."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from tests.hosts.homes import NOW_EPOCH_S, claim_on, fact_of, iso, observe, process, surroundings, telling
from trayapp.hosts.craft import CraftAgents
from trayapp.model.session import EvidenceKind, Role, Speaks

SERVER = process(10, "bun", "run", "packages/server/src/index.ts", age_s=9000)
AGENT = ("/x/claude-agent-sdk-linux-x64/claude", "--output-format", "stream-json", "--input-format", "stream-json")


def log(home: Path, session_id: str, folder: str = "-home-alex-shop") -> Path:
    path = home / ".claude" / "projects" / folder / f"{session_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    told = {"type": "assistant", "timestamp": iso(500), "cwd": "/home/alex/shop"}
    message = {"role": "assistant", "content": [], "stop_reason": "end_turn"}
    path.write_text(json.dumps({**told, "message": message}) + "\n", encoding="utf-8")
    return path


def test_the_server_is_told_by_its_entry() -> None:
    told = [
        CraftAgents().recognise(process(1, *argv)) is not None
        for argv in (
            ("bun", "run", "packages/server/src/index.ts"),
            ("/opt/bun", "run", "/app/packages/server/src/index.ts"),
            ("bun", "run", "src/index.ts"),
            ("vim", "packages/server/src/index.ts"),
            ("bun", "test"),
        )
    ]
    assert told == [True, True, False, False, False]


def test_its_agents_are_its_sessions_and_anothers_are_not(tmp_path: Path) -> None:
    log(tmp_path, "sdk1")
    mine = process(11, *AGENT, "--resume", "sdk1", ppid=10, age_s=800)
    fresh, mini = process(12, *AGENT, ppid=10, age_s=80), process(13, *AGENT, "--max-turns", "1", ppid=10, age_s=8)
    other, helper = process(14, *AGENT, "--resume", "x"), process(15, "node", "/x/notes-mcp", ppid=10, age_s=70)
    seen = observe(CraftAgents(), [SERVER, mine, fresh, mini, other, helper], surroundings(tmp_path))
    assert {claim.identity.pid: claim.role for claim in seen.claims} == {
        10: Role.INFRA,
        11: Role.BACKEND,
        12: Role.BACKEND,
        13: Role.INFRA,
        15: Role.HELPER,
    }
    assert all(claim.embedded for claim in seen.claims if claim.identity.pid in (11, 12, 13))
    assert claim_on(seen, fresh).session is None
    fact = fact_of(seen, "sdk1")
    assert [(e.kind, e.speaks_for) for e in telling(fact)] == [(EvidenceKind.TURN, Speaks.IDLE)]
    assert fact.last_activity_epoch_s == NOW_EPOCH_S - 500
    assert [step.kind.value for step in fact.ladder] == ["sigterm", "sigkill"]


def test_without_a_log_nothing_is_known(tmp_path: Path) -> None:
    agents = [process(11 + n, *AGENT, "--resume", name, ppid=10, age_s=80) for n, name in enumerate(("s1", "../s2"))]
    seen = observe(CraftAgents(), [SERVER, *agents], surroundings(tmp_path))
    assert [fact.evidence for fact in seen.sessions] == [(), ()]


def test_a_log_that_cannot_be_read_is_a_problem_and_protects(tmp_path: Path) -> None:
    (tmp_path / ".claude" / "projects" / "-home-alex-shop" / "s1.jsonl").mkdir(parents=True)
    agent = process(11, *AGENT, "--resume", "s1", ppid=10, age_s=80, cwd="/home/alex/shop")
    seen = observe(CraftAgents(), [SERVER, agent], surroundings(tmp_path))
    assert [e.speaks_for for e in fact_of(seen, "s1").evidence] == [Speaks.UNREADABLE]
    assert len(seen.problems) == 1


def test_it_offers_no_call(tmp_path: Path) -> None:
    log(tmp_path, "s1")
    agent = process(11, *AGENT, "--resume", "s1", ppid=10, age_s=80)
    around = surroundings(tmp_path)
    fact = fact_of(observe(CraftAgents(), [SERVER, agent], around), "s1")
    assert not asyncio.run(CraftAgents().call("stop", fact, around)).ok


def test_what_looks_after_it_is_loaded_only_where_it_runs(tmp_path: Path) -> None:
    code = (
        "import sys, asyncio; from tests.hosts.homes import *; from trayapp.hosts.craft import CraftAgents\n"
        "from pathlib import Path; here = CraftAgents()\n"
        f"said = observe(here, [process(5, 'vim')], surroundings(Path({str(tmp_path)!r})))\n"
        "assert said.claims == () and here.watch is None\n"
        "loaded = sorted(name for name in sys.modules if 'hosts.craft' in name or name == 'websockets')\n"
        "assert loaded == ['trayapp.hosts.craft', 'trayapp.hosts.craft_programs'], loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
