"""A helper that a host's configuration names is a helper, whatever its program is called; nothing else becomes one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.homes import process, table
from trayapp.attribution import attribute
from trayapp.hosts.base import claim_on
from trayapp.hosts.mcp_servers import ConfigFiles, Configured, Server, helper_claims, servers_in
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, Observation, Role, SessionFact, SessionKey
from trayapp.model.snapshot import GroupKind

HOST = "acme"
AGENT = process(10, "acme", ppid=5)
INIT = process(1, "init", ppid=0, age_s=9000)
BACKEND = claim_on(AGENT, Role.BACKEND, ClaimKind.REGISTRY, "its record", "s1", host=HOST)
NOTES = Server("notes", ("/usr/bin/python3", "/srv/notes/server.py", "--db", "a.sqlite"))
SEARCH = Server("search", ("npx", "-y", "search-tool@latest", "serve"))
LINTER = Server("linter", ("linter",))


def found(*processes: Process, servers: tuple[Server, ...] = (NOTES, SEARCH, LINTER)) -> dict[int, Claim]:
    at = table([INIT, AGENT, *processes])
    return {
        claim.identity.pid: claim
        for claim in helper_claims(at, Configured(servers), {AGENT.identity: BACKEND}, host=HOST)
    }


@pytest.mark.parametrize(
    ("told", "servers"),
    [
        ({"a": {"command": "node", "args": ["x.js"]}}, (Server("a", ("node", "x.js")),)),
        ({"a": {"type": "local", "command": ["node", "x.js"]}}, (Server("a", ("node", "x.js")),)),
        ({"a": {"command": "srv"}}, (Server("a", ("srv",)),)),
        ({"a": {"type": "http", "url": "https://h"}, "b": {"command": "srv", "disabled": True}}, ()),
        ({"a": {"command": ["srv"], "enabled": False}, "b": "srv", "c": {"command": 7}, "d": {"command": ""}}, ()),
        ({"a": {"command": "srv", "args": [1]}}, ()),
        ([], ()),
        (None, ()),
    ],
)
def test_servers_are_read_in_both_ways_of_writing_and_addresses_are_none(
    told: Any, servers: tuple[Server, ...]
) -> None:
    assert servers_in(told) == servers


@pytest.mark.parametrize(
    "argv",
    [
        NOTES.argv,
        ("python3", *NOTES.argv[1:]),
        ("npx", "-y", "search-tool@latest", "serve"),
        ("npm exec search-tool@latest serve", ""),
        ("node", "/usr/lib/node_modules/npm/bin/npx-cli.js", "-y", "search-tool@latest", "serve"),
        ("linter",),
        ("node", "/usr/local/bin/linter"),
        ("sh", "-c", "linter")[2:],
    ],
)
def test_a_configured_server_is_known_however_it_was_started(argv: tuple[str, ...]) -> None:
    (claim,) = found(process(20, *argv, ppid=10)).values()
    assert (claim.role, claim.kind, claim.session) == (Role.HELPER, ClaimKind.ARGV, None)
    assert claim.source.startswith("its arguments are those of the configured server “")


@pytest.mark.parametrize(
    "argv",
    [
        ("/usr/bin/python3", "/srv/notes/server.py"),
        ("/usr/bin/python3", "/srv/notes/server.py", "--db", "b.sqlite"),
        ("npx", "-y", "search-tool@latest", "build"),
        ("npx", "-y", "other-tool", "serve"),
        ("linter", "src"),
        ("make", "linter"),
        ("vim", "/usr/local/bin/linter"),
        ("go", "build", "linter"),
        ("bash", "-c", "echo linter"),
    ],
)
def test_a_job_that_runs_the_same_program_otherwise_is_none(argv: tuple[str, ...]) -> None:
    assert found(process(20, *argv, ppid=10)) == {}


def test_an_interpreter_behind_a_runner_is_no_package() -> None:
    server = Server("a", ("uv", "run", "python", "server.py"))
    other = process(20, "uv", "run", "python", "build.py", ppid=10)
    assert found(other, servers=(server,)) == {}
    assert list(found(process(20, "uv", "run", "python", "server.py", ppid=10), servers=(server,))) == [20]


def test_what_stands_elsewhere_is_not_the_hosts() -> None:
    shell = process(7, "bash", ppid=5)
    assert found(shell, process(20, *NOTES.argv, ppid=7)) == {}


def placed(*processes: Process) -> dict[int, Any]:
    at = table([INIT, AGENT, *processes])
    told = (BACKEND, *helper_claims(at, Configured((NOTES,)), {AGENT.identity: BACKEND}, host=HOST))
    key = SessionKey(HOST, "s1")
    seen = Observation(host=HOST, read_epoch_s=0.0, sessions=(SessionFact(key=key),), claims=told)
    return {identity.pid: place for identity, place in attribute(at, (seen,), {}).places.items()}


def test_below_its_agent_it_is_a_helper_of_the_session_and_no_work() -> None:
    places = placed(process(20, *NOTES.argv, ppid=10), process(21, "python3", "job.py", ppid=10))
    assert [(places[pid].key, places[pid].role) for pid in (20, 21)] == [
        ("acme:s1", Role.HELPER),
        ("acme:s1", Role.WORK),
    ]


def test_left_alone_it_is_an_orphan_of_its_host_with_all_that_it_started() -> None:
    places = placed(process(20, *NOTES.argv, ppid=1), process(21, "chrome", ppid=20), process(22, "renderer", ppid=21))
    assert {(places[pid].kind, places[pid].host) for pid in (20, 21, 22)} == {(GroupKind.ORPHAN_HELPER, HOST)}


@pytest.mark.parametrize("argv", [("node", "server.js"), ("npm", "start"), ("linter",)])
def test_what_stands_alone_with_a_command_that_may_be_anybodys_is_left_alone(argv: tuple[str, ...]) -> None:
    server = Server("a", argv)
    assert found(process(20, *argv, ppid=1), servers=(server,)) == {}
    assert list(found(process(20, *argv, ppid=10), servers=(server,))) == [20]


def test_a_service_of_the_user_with_the_same_arguments_is_left_alone() -> None:
    places = placed(process(20, *NOTES.argv, ppid=1, unit="notes.service"))
    assert places[20].kind is GroupKind.NOT_OURS


JSONC = """
{
  // the notes
  "mcp": {
    "notes": {"type": "local", "command": ["srv", "http://x//y", "a,]"],}, /* and no other */
  },
}
"""


def test_configurations_are_read_with_comments_and_again_only_when_they_change(tmp_path: Path) -> None:
    files, path, other = ConfigFiles("mcp"), tmp_path / "a.jsonc", tmp_path / "b.json"
    path.write_text(JSONC)
    os.utime(path, (1e9, 1e9))
    configured, problems = files.read([path, other])
    server = configured.find(process(20, "srv", "http://x//y", "a,]"))
    assert server is not None
    assert (server.name, problems) == ("notes", ())
    assert files.read([path, other])[0] is configured
    other.write_text('{"mcp": {"b": {"command": "two"}}}')
    again, _ = files.read([path, other])
    assert again.find(process(20, "two")) is not None
    assert again.find(process(20, "srv", "http://x//y", "a,]")) is not None


def test_the_servers_of_a_toml_file_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[mcp_servers.notes]\ncommand = "srv"\nargs = ["--x"]\n')
    assert ConfigFiles("mcp_servers").read([path])[0].find(process(20, "/bin/srv", "--x")) is not None


@pytest.mark.parametrize("content", [b"{", b"\xff", b"[1]"])
def test_what_cannot_be_read_is_told_and_the_other_files_count(tmp_path: Path, content: bytes) -> None:
    broken, good = tmp_path / "broken.json", tmp_path / "good.json"
    broken.write_bytes(content)
    good.write_text('{"mcp": {"b": {"command": "two"}}}')
    configured, problems = ConfigFiles("mcp").read([broken, good])
    assert configured.find(process(20, "two")) is not None
    assert [p.where for p in problems] == ([] if content == b"[1]" else [str(broken)])
