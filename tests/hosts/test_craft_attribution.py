"""Whose a process of Craft Agents is: by the recorded tables, and each trap that they show."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.hosts.craft_homes import (
    CLAUDE,
    HELPER_ARGV,
    PI_ARGV,
    QUESTION_ARGV,
    CraftHome,
    child,
    claude_argv,
    recorded_home,
    recorded_table,
    said,
    server,
)
from tests.hosts.homes import observe, observe_on, process, recorded, surroundings, table
from trayapp.attribution import Place, attribute
from trayapp.hosts.claude_code import ClaudeCode
from trayapp.hosts.craft import CraftAgents
from trayapp.hosts.craft_attribution import is_started_by
from trayapp.hosts.craft_disk import Source
from trayapp.model.process import Process, ProcessStatus
from trayapp.model.session import Claim, ClaimKind, EndsBy, Observation, Role, Scope
from trayapp.model.snapshot import GroupKind

A, B, C, D = "261130-amber-coral", "261130-light-amber", "261130-awake-leaf", "261130-neat-elm"
NOTES = ("node", "/home/user/run/notes.mjs")


@pytest.fixture
def craft(tmp_path: Path) -> CraftHome:
    made = CraftHome(tmp_path)
    made.source("fake-helper", *HELPER_ARGV)
    return made


def seen(craft: CraftHome, *processes: Process, adapter: CraftAgents | None = None) -> Observation:
    return observe(adapter or CraftAgents(), processes, surroundings(craft.home))


def on(observation: Observation, process: Process) -> list[Claim]:
    """Return the claims on a process, strongest first."""
    return sorted((c for c in observation.claims if c.identity == process.identity), key=lambda c: c.kind)


def ids(claims: Iterable[Claim]) -> set[str | None]:
    return {claim.session.session_id if claim.session is not None else None for claim in claims}


def places(observation: Observation, *processes: Process) -> dict[int, Place]:
    found = attribute(table(processes), [observation], {}).places
    return {identity.pid: place for identity, place in found.items()}


# ------------------------------------------------------------------------------------------ what was recorded


def test_two_pi_sessions_in_one_folder_are_told_apart_by_their_variables(tmp_path: Path) -> None:
    craft = recorded_home(tmp_path)
    craft.session(A, pi=True, enabledSourceSlugs=["fake-helper"])
    craft.session(C, enabledSourceSlugs=["fake-helper"])
    told, by_pid = recorded_table("proc-pi-two-sessions-and-helpers.json", tmp_path)
    observation = asyncio.run(observe_on(CraftAgents(), told, surroundings(tmp_path)))
    assert [ids(on(observation, by_pid[pid])) for pid in (43, 63)] == [{A}, {B}]
    # 0.28 s before its backend, with the right variable: high
    (helper,) = on(observation, by_pid[32])
    assert (ids([helper]), helper.kind, helper.ends_by) == ({A}, ClaimKind.ENVIRONMENT, EndsBy.NOT)
    # the turn of this one is over and its agent gone: the variable alone
    (alone,) = on(observation, by_pid[85])
    assert (ids([alone]), alone.kind) == ({C}, ClaimKind.START_AND_CWD)
    assert "likely" in alone.source
    ownership = attribute(told, [observation], {})
    assert {i.pid: place.key for i, place in ownership.places.items()} == {
        13: "infra:craft-agents",
        **dict.fromkeys((32, 43), f"craft-agents:{A}"),
        63: f"craft-agents:{B}",
        85: f"craft-agents:{C}",
    }
    assert {fact.key.session_id for fact in observation.sessions} == {A, B, C}


def test_a_resumed_agent_is_told_by_its_id_and_not_by_its_variable(tmp_path: Path) -> None:
    """The variable of a resumed agent names the session whose agent the server made last."""
    pitfalls = json.loads(recorded("craft/attribution-pitfalls.json"))
    (told,) = [p for p in pitfalls["processes"] if p["role"] == "claude-backend"]
    craft = recorded_home(tmp_path)
    craft.session(C, sdkSessionId=told["resume"], sdkCwd="~/proj-b")
    wrong = craft.folder(told["CRAFT_SESSION_DIR"])
    agent = child(265, *claude_argv(told["resume"]), folder=str(wrong), cwd=f"{tmp_path}/proj-b")
    (claim,) = on(seen(craft, server(), agent), agent)
    assert (ids([claim]), claim.kind, claim.embedded) == ({told["true_session"]}, ClaimKind.ARGV, True)


def test_a_first_turn_in_a_shared_folder_is_told_by_its_variable_as_well(tmp_path: Path) -> None:
    craft = recorded_home(tmp_path)
    for name in (C, "261130-other-one"):
        craft.session(name, sdkCwd="~/proj-b")
    craft.session("261130-a-pi-one", pi=True, sdkCwd="~/proj-b")
    told, by_pid = recorded_table("proc-claude-first-turn.json", tmp_path)
    observation = asyncio.run(observe_on(CraftAgents(), told, surroundings(tmp_path)))
    (claim,) = on(observation, by_pid[144])
    assert (ids([claim]), claim.kind) == ({C}, ClaimKind.ENVIRONMENT)
    assert "nearly certain" in claim.source


def test_before_the_server_was_killed_every_process_is_somebodys(tmp_path: Path) -> None:
    recorded_home(tmp_path)
    told, by_pid = recorded_table("proc-before-server-sigkill.json", tmp_path)
    observation = asyncio.run(observe_on(CraftAgents(), told, surroundings(tmp_path)))
    smart = "261130-smart-slate"
    # its agent runs in the session's own folder: certain without anything else
    assert ids(on(observation, by_pid[497])) == {D}
    # the title is asked for 0.08 s after it, in the server's folder
    (title,) = on(observation, by_pid[498])
    assert (ids([title]), title.role, title.embedded) == ({D}, Role.HELPER, True)
    assert ids(on(observation, by_pid[581])) == {smart}
    assert [(ids([c]), c.kind) for c in on(observation, by_pid[570])] == [({smart}, ClaimKind.ENVIRONMENT)]
    # the helper of a deleted Pi session names a live one that does not use its source: nobody knows whose it is
    left = on(observation, by_pid[364])
    assert ids(left) == {B, smart}
    assert not any(claim.leaked for claim in left)
    place = {i.pid: p for i, p in attribute(told, [observation], {}).places.items()}[364]
    assert (place.kind, place.flags) == (GroupKind.SHARED_HELPER, ("ambiguous",))


def test_after_the_server_was_killed_agents_and_helpers_are_orphans(tmp_path: Path) -> None:
    """What its turn still keeps alive, and helpers that ignore the end of their input, have parent 1."""
    recorded_home(tmp_path)
    told, by_pid = recorded_table("proc-after-server-sigkill.json", tmp_path)
    observation = asyncio.run(observe_on(CraftAgents(), told, surroundings(tmp_path)))
    found = {i.pid: p for i, p in attribute(told, [observation], {}).places.items()}
    assert found[497].kind is GroupKind.ORPHAN_AGENT
    assert [found[pid].kind for pid in (364, 570)] == [GroupKind.ORPHAN_HELPER] * 2
    assert found[570].owner_hint == "261130-smart-slate"
    assert ids(on(observation, by_pid[497])) == {D}
    assert all(c.leaked for pid in (364, 570) for c in on(observation, by_pid[pid]))


# ------------------------------------------------------------------------------------------ agents


def test_an_agent_in_its_sessions_own_folder_is_certain_by_that_alone(craft: CraftHome) -> None:
    own, other = craft.session("s1"), craft.session("s2")
    agent = child(20, *claude_argv(), folder=other, cwd=own)
    (claim,) = on(seen(craft, server(), agent), agent)
    assert ids([claim]) == {"s1"}
    assert "certain" in claim.source


def test_a_log_that_begins_with_an_agent_tells_whose_it_is(craft: CraftHome) -> None:
    for name, age_s in (("s1", 5000.0), ("s2", 3596.0)):
        craft.session(name, sdkCwd="/home/sam/shop", sdkSessionId=f"sdk-{name}")
        craft.claude_log(f"sdk-{name}", "/home/sam/shop", said(age_s))
    agent = child(20, *claude_argv(), folder=str(craft.folder("gone")), cwd="/home/sam/shop", age_s=3600)
    (claim,) = on(seen(craft, server(), agent), agent)
    assert (ids([claim]), claim.kind) == ({"s2"}, ClaimKind.START_AND_CWD)


def test_the_nearest_first_message_is_the_last_means_and_says_so(craft: CraftHome) -> None:
    craft.session("s1", sdkCwd="/home/sam/shop", sent_s=(5000, 100))
    craft.session("s2", sdkCwd="/home/sam/shop", sent_s=(3601,))
    agent = child(20, *claude_argv(), cwd="/home/sam/shop", age_s=3600)
    (claim,) = on(seen(craft, server(), agent), agent)
    assert (ids([claim]), claim.kind) == ({"s2"}, ClaimKind.START_AND_CWD)
    assert "likely" in claim.source
    assert "certain" not in claim.source


def test_two_sessions_that_are_as_likely_are_both_named(craft: CraftHome) -> None:
    for name in ("s1", "s2"):
        craft.session(name, sdkCwd="/home/sam/shop", sent_s=(3600,))
    agent = child(20, *claude_argv(), cwd="/home/sam/shop", age_s=3600)
    observation = seen(craft, server(), agent)
    assert ids(on(observation, agent)) == {"s1", "s2"}
    assert places(observation, server(), agent)[20].flags == ("ambiguous",)


def test_a_session_in_that_folder_which_began_long_ago_is_not_guessed(craft: CraftHome) -> None:
    craft.session("s1", sdkCwd="/home/sam/shop", sent_s=(90_000,))
    agent = child(20, *claude_argv(), cwd="/home/sam/shop", age_s=3600)
    (claim,) = on(seen(craft, server(), agent), agent)
    assert (claim.session, claim.role) == (None, Role.BACKEND)


def test_a_title_without_its_agent_is_the_hosts(craft: CraftHome) -> None:
    folder = craft.session("s1")
    agent = child(20, *claude_argv(), folder=folder, cwd=folder, age_s=3600)
    late = child(21, *QUESTION_ARGV, folder=folder, age_s=3000)
    other = child(22, *QUESTION_ARGV, folder=craft.session("s2"), age_s=3600)
    observation = seen(craft, server(), agent, late, other)
    for question in (late, other):
        (claim,) = on(observation, question)
        assert (claim.role, claim.session, claim.embedded) == (Role.INFRA, None, True)


def test_the_file_search_that_has_the_agents_name_is_its_work_and_no_session(craft: CraftHome) -> None:
    folder = craft.session("s1")
    agent = child(20, *claude_argv(), folder=folder, cwd=folder)
    search = process(21, CLAUDE, "--no-config", "--files", "--hidden", ppid=20, age_s=1.0)
    told = table([server(), agent, search])
    both = [asyncio.run(observe_on(host, told, surroundings(craft.home))) for host in (CraftAgents(), ClaudeCode())]
    found = {i.pid: p for i, p in attribute(told, both, {}).places.items()}
    assert (found[21].key, found[21].role) == ("craft-agents:s1", Role.WORK)


def test_surplus_backends_of_a_session_are_all_its_own(craft: CraftHome) -> None:
    folder = craft.session("s1", pi=True)
    backends = [child(20 + n, *PI_ARGV, folder=folder, age_s=5000 - n) for n in range(3)]
    observation = seen(craft, server(), *backends)
    assert [ids(on(observation, backend)) for backend in backends] == [{"s1"}] * 3
    assert len(observation.sessions) == 1


# ------------------------------------------------------------------------------------------ helpers


def test_helpers_started_anew_carry_the_variable_of_another_session(craft: CraftHome) -> None:
    """setSources starts them under the last made agent's variable: with two that lack one, it cannot be told."""
    last = craft.session("b", pi=True)
    for name in ("a", "c"):
        craft.session(name, pi=True, enabledSourceSlugs=["fake-helper"])
    anew = [child(30 + n, *HELPER_ARGV, folder=last, age_s=500) for n in range(2)]
    observation = seen(craft, server(), *anew)
    for helper in anew:
        claims = on(observation, helper)
        assert ids(claims) == {"a", "c"}
        assert {c.ends_by for c in claims} == {EndsBy.NOT}
    assert {places(observation, server(), *anew)[pid].kind for pid in (30, 31)} == {GroupKind.SHARED_HELPER}


def test_a_helper_with_a_stale_variable_is_given_to_the_one_session_that_lacks_one(craft: CraftHome) -> None:
    last = craft.session("b", pi=True)
    served = craft.session("a", pi=True, enabledSourceSlugs=["fake-helper"])
    craft.session("c", pi=True, enabledSourceSlugs=["fake-helper"])
    own = child(30, *HELPER_ARGV, folder=served, age_s=5001)
    backend = child(31, *PI_ARGV, folder=served, age_s=5000)
    stale = child(32, *HELPER_ARGV, folder=last, age_s=500)
    (claim,) = on(seen(craft, server(), own, backend, stale), stale)
    assert (ids([claim]), claim.kind, claim.leaked) == ({"c"}, ClaimKind.START_AND_CWD, False)


def test_the_helper_of_a_deleted_session_is_leaked_where_all_others_have_theirs(craft: CraftHome) -> None:
    """Deleting a Pi session leaves its helpers behind, and no call reaches them any more."""
    served = craft.session("a", pi=True, enabledSourceSlugs=["fake-helper"])
    own = child(30, *HELPER_ARGV, folder=served, age_s=5001)
    backend = child(31, *PI_ARGV, folder=served, age_s=5000)
    left = child(32, *HELPER_ARGV, folder=str(craft.folder("deleted")), age_s=500)
    observation = seen(craft, server(), own, backend, left)
    (claim,) = on(observation, left)
    assert (claim.leaked, ids([claim]), claim.ends_by) == (True, {"deleted"}, EndsBy.SIGNAL)
    place = places(observation, server(), own, backend, left)[32]
    assert (place.kind, place.owner_hint) == (GroupKind.ORPHAN_HELPER, "deleted")
    assert {fact.key.session_id for fact in observation.sessions} == {"a"}


def test_a_folder_that_is_gone_does_not_prove_a_leak_while_a_session_lacks_its_helper(craft: CraftHome) -> None:
    """The variable may be stale: the deleted session was only the last that got an agent."""
    craft.session("a", pi=True, enabledSourceSlugs=["fake-helper"])
    helper = child(32, *HELPER_ARGV, folder=str(craft.folder("deleted")), age_s=500)
    (claim,) = on(seen(craft, server(), helper), helper)
    assert (claim.leaked, ids([claim])) == (False, {"a"})


def test_a_helper_that_began_just_now_is_not_called_leaked(craft: CraftHome) -> None:
    """Which session switched its source on is written half a second later."""
    helper = child(32, *HELPER_ARGV, folder=str(craft.folder("deleted")), age_s=1.0)
    (claim,) = on(seen(craft, server(), helper), helper)
    assert not claim.leaked


def test_a_session_that_slept_since_the_server_began_lacks_no_helper(craft: CraftHome) -> None:
    craft.session("asleep", pi=True, age_s=90_000, enabledSourceSlugs=["fake-helper"])
    left = child(32, *HELPER_ARGV, folder=str(craft.folder("deleted")), age_s=500)
    (claim,) = on(seen(craft, server(age_s=9000), left), left)
    assert claim.leaked


def test_a_workspace_that_is_away_as_a_whole_proves_no_deletion(craft: CraftHome) -> None:
    left = child(32, *HELPER_ARGV, folder="/mnt/disk/ws/sessions/261130-x", age_s=500)
    (claim,) = on(seen(craft, server(), left), left)
    assert not claim.leaked


def test_more_helpers_than_sessions_are_ambiguous_and_never_leaked(craft: CraftHome) -> None:
    folders = [craft.session(name, pi=True, enabledSourceSlugs=["fake-helper"]) for name in ("a", "b")]
    helpers = [child(30 + n, *HELPER_ARGV, folder=folders[n % 2], age_s=500) for n in range(3)]
    observation = seen(craft, server(), *helpers)
    assert [ids(on(observation, helper)) for helper in helpers] == [{"a"}, {"b"}, {"a", "b"}]
    assert not any(claim.leaked for claim in observation.claims)


def test_a_helper_that_was_seen_beside_its_backend_stays_its_sessions(craft: CraftHome) -> None:
    """A backend that is ended, or a session that is deleted later, does not make its helper a guess."""
    adapter = CraftAgents()
    folder = craft.session("a", pi=True, enabledSourceSlugs=["fake-helper"])
    craft.session("b", pi=True, enabledSourceSlugs=["fake-helper"])
    helper, backend = child(30, *HELPER_ARGV, folder=folder, age_s=501), child(31, *PI_ARGV, folder=folder, age_s=500)
    seen(craft, server(), helper, backend, adapter=adapter)
    released = seen(craft, server(), helper, adapter=adapter)
    (claim,) = on(released, helper)
    assert (ids([claim]), claim.kind) == ({"a"}, ClaimKind.ENVIRONMENT)
    assert places(released, server(), helper)[30].key == "craft-agents:a"
    shutil.rmtree(folder)
    (claim,) = on(seen(craft, server(), helper, adapter=adapter), helper)
    assert (claim.leaked, ids([claim])) == (True, {"a"})


def test_a_helper_of_a_session_without_a_backend_is_that_sessions_row(craft: CraftHome) -> None:
    folder = craft.session("a", pi=True, enabledSourceSlugs=["fake-helper"])
    helper = child(30, *HELPER_ARGV, folder=folder, age_s=500)
    observation = seen(craft, server(), helper)
    place = places(observation, server(), helper)[30]
    assert (place.kind, place.key, place.role) == (GroupKind.SESSION, "craft-agents:a", Role.HELPER)
    assert any(c.serves_many and ids([c]) == {"a"} for c in on(observation, server()))


def test_a_helper_of_no_source_stays_with_its_server(craft: CraftHome) -> None:
    folder = craft.session("a", pi=True)
    for named in (folder, str(craft.folder("deleted"))):
        helper = child(30, "node", "/x/node_modules/@supabase/mcp-server-supabase/dist/index.js", folder=named)
        observation = seen(craft, server(), helper)
        (claim,) = on(observation, helper)
        assert (claim.session, claim.ends_by, claim.leaked) == (None, EndsBy.NOT, False)
        assert places(observation, server(), helper)[30].kind is GroupKind.INFRA


def test_a_source_is_known_however_its_command_was_started() -> None:
    source = Source(root="/r", slug="x", command="npx", args=("-y", "mcp-remote", "https://x.dev/mcp"))
    url = "https://x.dev/mcp"
    assert [
        is_started_by(process(20, *argv), source)
        for argv in (
            ("npx", "-y", "mcp-remote", url),
            ("/usr/bin/node", "/usr/bin/npx", "-y", "mcp-remote", url),
            (f"npm exec mcp-remote {url}", "", ""),
            ("npx", "-y", "mcp-remote"),
            ("npx", "-y", "mcp-remote", "https://y.dev/mcp"),
            ("sh", "-c", f"npx -y mcp-remote {url}"),
        )
    ] == [True, True, True, False, False, False]


def test_a_source_of_another_workspace_does_not_serve_this_one(craft: CraftHome) -> None:
    craft.add_workspace("second-space")
    craft.source("fake-helper", *HELPER_ARGV, workspace="second-space")
    craft.source("notes", *NOTES, workspace="second-space")
    here = craft.session("a", pi=True, enabledSourceSlugs=["notes"])
    there = craft.session("b", pi=True, slug="second-space", enabledSourceSlugs=["notes"])
    helper = child(30, *NOTES, folder=here)
    (claim,) = on(seen(craft, server(), helper, child(31, *PI_ARGV, folder=there)), helper)
    assert ids([claim]) == {"b"}


# ------------------------------------------------------------------------------------------ what lost its server


def test_a_helper_whose_server_is_gone_is_leaked_though_its_session_lives_again(craft: CraftHome) -> None:
    folder = craft.session("a", pi=True, enabledSourceSlugs=["fake-helper"])
    left = child(30, *HELPER_ARGV, folder=folder, ppid=1, age_s=90_000)
    backend = child(31, *PI_ARGV, folder=folder)
    observation = seen(craft, server(), left, backend)
    place = places(observation, server(), left, backend)[30]
    assert (place.kind, place.owner_hint) == (GroupKind.ORPHAN_HELPER, "a")


def test_a_helper_that_an_unknown_reaper_took_is_leaked_and_a_persons_own_is_not(craft: CraftHome) -> None:
    folder = craft.session("a", pi=True, enabledSourceSlugs=["fake-helper"])
    reaper = process(40, "session-manager", ppid=1)
    left = child(30, *HELPER_ARGV, folder=folder, ppid=40)
    typed = child(31, *HELPER_ARGV, folder=folder, ppid=40, tty="pts/3")
    edited = child(32, "vim", "notes.txt", folder=folder, ppid=40)
    observation = seen(craft, server(), reaper, left, typed, edited)
    assert [[c.leaked for c in on(observation, p)] for p in (left, typed, edited)] == [[True], [], []]


def test_a_helper_is_known_by_its_source_although_no_server_runs(craft: CraftHome) -> None:
    craft.source("plain", *NOTES)
    left = child(30, *NOTES, folder=craft.session("a", pi=True), ppid=1)
    (claim,) = on(seen(craft, left), left)
    assert (claim.role, claim.leaked) == (Role.HELPER, True)


def test_what_a_command_left_running_is_work_of_its_session_and_no_helper(craft: CraftHome) -> None:
    folder = craft.session("a", pi=True)
    job = child(30, "python3", "-m", "http.server", folder=folder, ppid=1)
    observation = seen(craft, job)
    (claim,) = on(observation, job)
    assert (claim.role, claim.leaked) == (Role.WORK, False)
    assert places(observation, job)[30].kind is GroupKind.ORPHAN_WORK


def test_another_programs_agents_are_not_blamed_on_it(craft: CraftHome) -> None:
    """A hundred agents with all tools off under one parent were another plug-in's worker."""
    worker = process(40, "node", "/x/claude-mem/worker.js")
    agents = [process(41 + n, CLAUDE, "--disallowedTools", "Bash,Read,Write,Edit", ppid=40) for n in range(3)]
    observation = seen(craft, server(), worker, *agents)
    assert {c.identity.pid for c in observation.claims} == {10}


def test_a_zombie_among_its_children_is_nobodys(craft: CraftHome) -> None:
    """A process that has just ended cannot be read, and must not take the others with it."""
    folder = craft.session("a", pi=True)
    ended = child(20, *PI_ARGV, folder=folder, status=ProcessStatus.ZOMBIE)
    unread = process(21, ppid=10, argv=None, name="bun", unreadable=frozenset({"argv", "env"}))
    backend = child(22, *PI_ARGV, folder=folder)
    observation = seen(craft, server(), ended, unread, backend)
    assert {c.identity.pid for c in observation.claims} == {10, 22}


def test_without_a_host_nothing_is_said(tmp_path: Path) -> None:
    assert seen(CraftHome(tmp_path), process(20, "vim"), process(21, "claude")).claims == ()


# ------------------------------------------------------------------------------------------ servers and folders


def test_servers_with_config_folders_of_their_own_are_kept_apart(tmp_path: Path) -> None:
    one, two = CraftHome(tmp_path), CraftHome(tmp_path, name=".craft-agent-1")
    same = "261130-calm-leaf"
    first = one.session(same, pi=True, created_s=9000, enabledSourceSlugs=["notes"])
    second = two.session(same, pi=True, created_s=8000)
    one.source("notes", *NOTES)
    servers = [server(10), server(11, env={"CRAFT_CONFIG_DIR": str(two.config)})]
    backends = [child(20, *PI_ARGV, folder=first), child(21, *PI_ARGV, folder=second, ppid=11)]
    stranger = child(22, *NOTES, ppid=11)
    observation = seen(one, *servers, *backends, stranger)
    # ids are unique in a workspace only: the older session keeps the short one
    assert [ids(on(observation, b)) for b in backends] == [{same}, {f"demo-space/{same}"}]
    assert len({fact.key for fact in observation.sessions}) == 2
    assert ids(on(observation, stranger)) <= {None}


def test_the_same_id_in_two_workspaces_keeps_its_names(tmp_path: Path) -> None:
    craft, adapter = CraftHome(tmp_path), CraftAgents()
    craft.add_workspace("second-space")
    younger = child(21, *PI_ARGV, folder=craft.session("x", pi=True, slug="second-space", created_s=50))
    assert ids(on(seen(craft, server(), younger, adapter=adapter), younger)) == {"x"}
    older = child(20, *PI_ARGV, folder=craft.session("x", pi=True, created_s=5000))
    again = seen(craft, server(), younger, older, adapter=adapter)
    assert [ids(on(again, p)) for p in (younger, older)] == [{"x"}, {"demo-space/x"}]


def test_a_lock_says_whose_a_config_folder_is(tmp_path: Path) -> None:
    craft = CraftHome(tmp_path)
    craft.lock(10, age_s=8998)
    craft.session("s1", sdkSessionId="sdk1")
    other = server(11, age_s=5000)
    agent = child(20, *claude_argv("sdk1"), ppid=10)
    foreign = child(21, *claude_argv("sdk1"), ppid=11)
    observation = seen(craft, server(10), other, agent, foreign)
    assert [ids(on(observation, p)) for p in (agent, foreign)] == [{"s1"}, {"sdk1"}]


def test_a_lock_left_behind_names_no_other_process_of_that_number(tmp_path: Path) -> None:
    craft = CraftHome(tmp_path)
    craft.lock(40, age_s=80_000)
    assert seen(craft, process(40, "bun", "run", "dev", age_s=500)).instances == ()


def test_a_host_of_an_unknown_shape_is_told_by_its_lock_or_its_backends(tmp_path: Path) -> None:
    craft = CraftHome(tmp_path)
    craft.lock(40, age_s=498)
    locked = process(40, "electron", ".", age_s=500)
    craft.session("s1", pi=True)
    backend = child(20, *PI_ARGV, folder=str(craft.folder("s1")), ppid=41, age_s=400)
    by_child = process(41, "bun", "run", "start.ts", age_s=500)
    observation = seen(craft, locked, by_child, backend)
    assert {i.identity.pid for i in observation.instances if i.identity is not None} == {40, 41}
    assert {c.role for p in (locked, by_child) for c in on(observation, p)} == {Role.INFRA}


def test_a_script_of_the_same_name_in_another_project_is_not_its_server(tmp_path: Path) -> None:
    entry = tmp_path / "shop" / "packages" / "server" / "src"
    entry.mkdir(parents=True)
    (entry / "index.ts").write_text("", encoding="utf-8")
    mine = server(10, cwd=str(tmp_path / "shop"))
    observation = seen(CraftHome(tmp_path), mine)
    assert observation.instances == ()
    assert {c.scope for c in on(observation, mine)} == {Scope.OTHER}
    (tmp_path / "shop" / "packages" / "server-core").mkdir()
    assert len(seen(CraftHome(tmp_path), mine).instances) == 1


def test_the_desktop_app_holds_its_sessions_as_a_server_does(craft: CraftHome) -> None:
    folder = craft.session("a", pi=True, enabledSourceSlugs=["fake-helper"])
    app = process(10, "/tmp/.mount_Craft-x/craft-agents", age_s=9000)
    helper = child(30, *HELPER_ARGV, folder=folder, age_s=500)
    observation = seen(craft, app, helper)
    assert places(observation, app, helper)[30].key == "craft-agents:a"
