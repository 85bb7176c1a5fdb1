"""The hosts that are shipped as descriptions: how each ends, goes on, and what of it is never ended."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.described_hosts import described, shipped
from tests.hosts.homes import claim_on, fact_of, iso, observe, observe_on, process, surroundings, table, telling
from trayapp.attribution import Ownership, attribute
from trayapp.hosts.base import Surroundings
from trayapp.hosts.registry import load_hosts
from trayapp.model.process import Process
from trayapp.model.session import Role, Speaks, StepKind
from trayapp.model.snapshot import GroupKind

CURSOR = "/home/u/.local/share/cursor-agent/versions/1.2.3/index.js"
SIGNAL = [StepKind.SIGTERM, StepKind.SIGKILL]


@pytest.mark.parametrize(
    ("host", "argv", "session", "ladder", "resume"),
    [
        (
            "cursor-cli",
            ("cursor-agent", CURSOR, "--resume", "c1"),
            "c1",
            SIGNAL,
            ("cursor-agent", "--resume", "c1"),
        ),
        (
            "kiro",
            ("kiro-cli-chat", "chat", "--resume-id", "k1"),
            "k1",
            SIGNAL,
            ("kiro-cli", "chat", "--resume-id", "k1"),
        ),
        (
            "goose",
            ("goose", "session", "-r", "--session-id", "2_1"),
            "2_1",
            SIGNAL,
            ("goose", "session", "--resume", "--session-id", "2_1"),
        ),
        ("amp", ("amp", "threads", "continue", "T-1"), "T-1", [], ("amp", "threads", "continue", "T-1")),
        ("droid", ("droid", "--resume", "d1"), "d1", [], ("droid", "--resume", "d1")),
        ("crush", ("crush", "--session", "s1"), "s1", [], None),
    ],
)
def test_a_session_is_named_and_ends_as_its_facts_allow(
    tmp_path: Path,
    host: str,
    argv: tuple[str, ...],
    session: str,
    ladder: list[StepKind],
    resume: tuple[str, ...] | None,
) -> None:
    seen = observe(shipped(host), [process(10, *argv, exe=f"/usr/bin/{argv[0]}")], surroundings(tmp_path))
    fact = fact_of(seen, session)
    assert [step.kind for step in fact.ladder] == ladder
    assert (fact.resume.argv if fact.resume is not None else None) == resume
    assert telling(fact) == []  # nothing that is read tells its state


# -- beside the other hosts -------------------------------------------------------------------------------------------


def owned(around: Surroundings, *processes: Process) -> Ownership:
    rows = table(processes)
    hosts, _ = load_hosts([])
    return attribute(rows, [asyncio.run(observe_on(host, rows, around)) for host in hosts], {})


def kinds(ownership: Ownership, processes: Sequence[Process]) -> list[tuple[GroupKind, str | None]]:
    return [(ownership.places[p.identity].kind, ownership.places[p.identity].host) for p in processes]


def test_servers_of_hosts_are_counted_and_never_anybodys_to_end(tmp_path: Path) -> None:
    rows = [
        process(10, "crush", "server", ppid=1),
        process(11, "goosed", "agent", ppid=1),
        process(12, "droid", "daemon", ppid=1),
        process(13, "node", CURSOR, "worker-server", ppid=1),
    ]
    wanted = [(GroupKind.INFRA, host) for host in ("crush", "goose", "droid", "cursor-cli")]
    assert kinds(owned(surroundings(tmp_path), *rows), rows) == wanted


def test_an_adapter_is_part_of_its_agents_session_and_the_editor_is_not(tmp_path: Path) -> None:
    rows = [
        process(10, "zed", ppid=1, age_s=500),
        process(11, "node", "/x/.bin/claude-agent-acp", ppid=10, age_s=400),
        process(12, "claude", "--resume", "5f0a91c2-7d3e-4a51-9c8b-0a1b2c3d4e5f", ppid=11, age_s=300),
        process(13, "node", "/x/notes-mcp", ppid=12, age_s=200),
    ]
    ownership = owned(surroundings(tmp_path), *rows)
    keys = [ownership.places[p.identity].key for p in rows]
    assert keys[1] == keys[2] == keys[3]
    assert kinds(ownership, rows)[0] == (GroupKind.NOT_OURS, None)
    assert [ownership.places[p.identity].role for p in rows[1:]] == [Role.WRAPPER, Role.BACKEND, Role.HELPER]


def test_a_described_helper_belongs_to_what_it_stands_below(tmp_path: Path) -> None:
    text = 'id = "acme"\ntitle = "Acme"\nletters = "Ac"\n[[programs]]\nrole = "backend"\nnames = ["acme"]\n'
    acme = described(text + '[[programs]]\nrole = "helper"\nnames = ["acme-index"]\n')
    rows = [
        process(10, "acme", tty="pts/1"),
        process(11, "acme-index", ppid=10, age_s=9),
        process(12, "acme-index"),
    ]
    seen = table(rows)
    ownership = attribute(seen, [asyncio.run(observe_on(acme, seen, surroundings(tmp_path)))], {})
    assert kinds(ownership, rows) == [
        (GroupKind.SESSION, "acme"),
        (GroupKind.SESSION, "acme"),
        (GroupKind.UNRELATED, None),
    ]
    assert ownership.places[rows[1].identity].role is Role.HELPER


# -- Paseo ------------------------------------------------------------------------------------------------------------

SERVER = process(5, "node", "/usr/lib/node_modules/@getpaseo/server/dist/supervisor.js", ppid=1, age_s=500)
ID = "5f0a91c2-7d3e-4a51-9c8b-0a1b2c3d4e5f"
AGENT = process(10, "claude", f"--resume={ID}", ppid=5, age_s=300, env={"PASEO_AGENT_ID": "g1"})


def record(home: Path, **fields: Any) -> None:
    path = home / ".paseo/agents/w-shop/g1.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = {"id": "g1", "title": "Fix it", "cwd": "/w/shop", "config": {"model": "m1"}, "lastActivityAt": iso(60)}
    path.write_text(json.dumps(text | fields))


@pytest.mark.parametrize(
    ("fields", "speaks_for"),
    [
        ({"lastStatus": "idle"}, Speaks.IDLE),
        ({"lastStatus": "idle", "attentionReason": "finished"}, Speaks.IDLE),
        ({"lastStatus": "running"}, Speaks.BUSY),
        ({"lastStatus": "running", "attentionReason": "permission"}, Speaks.WAITING),
    ],
)
def test_paseos_agents_are_its_sessions_and_only_archived(
    tmp_path: Path, fields: dict[str, str], speaks_for: Speaks
) -> None:
    record(tmp_path, **fields)
    seen = observe(shipped("paseo"), [SERVER, AGENT], surroundings(tmp_path))
    assert (claim_on(seen, AGENT).role, claim_on(seen, AGENT).embedded) == (Role.BACKEND, True)
    fact = fact_of(seen, "g1")
    assert (fact.title, fact.model, fact.cwd) == ("Fix it", "m1", "/w/shop")
    assert [evidence.speaks_for for evidence in telling(fact)] == [speaks_for]
    assert [(step.kind, step.call) for step in fact.ladder] == [(StepKind.HOST_CALL, "command")]


def test_a_word_that_paseo_did_not_use_is_not_understood(tmp_path: Path) -> None:
    record(tmp_path, lastStatus="parked")
    fact = fact_of(observe(shipped("paseo"), [SERVER, AGENT], surroundings(tmp_path)), "g1")
    assert fact.drift is not None
    assert fact.drift.field == "lastStatus"


def test_paseos_agent_is_one_row_with_what_it_started(tmp_path: Path) -> None:
    record(tmp_path, lastStatus="idle")
    carried = {"PASEO_AGENT_ID": "g1", "CLAUDE_CODE_SESSION_ID": ID}
    tool = process(11, "make", "test", ppid=10, age_s=9, env=carried)
    helper = process(12, "node", "/x/notes-mcp", ppid=10, age_s=9, env=carried)
    ownership = owned(surroundings(tmp_path), SERVER, AGENT, tool, helper)
    assert {ownership.places[p.identity].key for p in (AGENT, tool, helper)} == {"paseo:g1"}
    assert [ownership.places[p.identity].role for p in (tool, helper)] == [Role.WORK, Role.HELPER]
