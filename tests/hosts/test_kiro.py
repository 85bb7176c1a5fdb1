"""Kiro, told by its file: told by program, one run for each chain, only what is of the user's own installation."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.hosts.described_hosts import shipped
from tests.hosts.homes import observe, process, surroundings
from trayapp.hosts.base import Host
from trayapp.model.session import Role, Scope, SessionFact, SessionKey

UNREAD = frozenset({"env"})


@pytest.fixture
def kiro() -> Host:
    return shipped("kiro")


def test_programs_are_told_by_their_name_alone(kiro: Host) -> None:
    told = [
        claim.role if (claim := kiro.recognise(process(10, *argv))) is not None else None
        for argv in (
            ("kiro-cli", "acp"),
            ("/usr/local/bin/kiro-cli-chat", "chat"),
            ("kiro-cli", "login"),
            ("timeout", "60", "kiro-cli"),
            ("vim", "kiro-cli"),
        )
    ]
    assert told == [Role.BACKEND, Role.BACKEND, Role.INFRA, None, None]


def test_a_chain_is_one_run(kiro: Host, tmp_path: Path) -> None:
    rows = [
        process(10, "kiro-cli", "chat", "--resume-id", "k1", age_s=100),
        process(11, "kiro-cli-chat", "chat", "--resume-id", "k1", ppid=10, age_s=99),
        process(12, "bun", "/x/tui.js", ppid=11, age_s=98),
        process(13, "node", "/x/acp-server.js", ppid=12, age_s=97),
        process(14, "node", "/x/notes-mcp", ppid=13, age_s=96),
    ]
    seen = observe(kiro, rows, surroundings(tmp_path))
    roles = {claim.identity.pid: claim.role for claim in seen.claims}
    assert roles == {10: Role.WRAPPER, 11: Role.BACKEND, 12: Role.WRAPPER, 13: Role.WRAPPER}
    assert [fact.key.session_id for fact in seen.sessions] == ["k1"]


def test_a_script_of_that_name_elsewhere_is_none_of_it(kiro: Host, tmp_path: Path) -> None:
    rows = [process(12, "bun", "/x/tui.js"), process(13, "node", "/x/acp-server.js", ppid=12)]
    assert observe(kiro, rows, surroundings(tmp_path)).claims == ()


@pytest.mark.parametrize(
    ("env", "unreadable", "scope"),
    [
        ({"KIRO_HOME": "/srv/mine/"}, frozenset(), Scope.OWN),
        ({"KIRO_HOME": "/srv/pod"}, frozenset(), Scope.OTHER),
        ({}, frozenset(), Scope.OTHER),
        ({}, UNREAD, Scope.UNVERIFIED),
    ],
)
def test_only_the_users_own_installation_is_ours(
    kiro: Host, tmp_path: Path, env: dict[str, str], unreadable: frozenset[str], scope: Scope
) -> None:
    run = process(10, "kiro-cli", "acp", env=env, unreadable=unreadable)
    (claim,) = observe(kiro, [run], surroundings(tmp_path, environ={"KIRO_HOME": "/srv/mine"})).claims
    assert claim.scope is scope
    (claim,) = observe(kiro, [run], surroundings(tmp_path)).claims
    assert claim.scope is Scope.OWN


def test_it_offers_no_call(kiro: Host, tmp_path: Path) -> None:
    session = SessionFact(key=SessionKey("kiro", "k1"))
    assert not asyncio.run(kiro.call("stop", session, surroundings(tmp_path))).ok
