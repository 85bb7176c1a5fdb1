"""Who owns which process: one test for each rule that the reports do not already hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.rows import claim, fact, idle_evidence, key, observed, process, renamed, table
from trayapp.attribution import Lineage, Place, attribute, remember
from trayapp.model.process import Identity, Process, ProcessStatus, ProcessTable
from trayapp.model.session import Claim, ClaimKind, EndsBy, Role, Scope
from trayapp.model.snapshot import GroupKind

AGENT = process(10, 5, "acme")


def places(*rows: Process, claims: tuple[Claim, ...] = (), **fields: object) -> dict[int, Place]:
    lineage = fields.pop("lineage", {})
    at: ProcessTable = table(*rows, **fields)
    ownership = attribute(at, [observed(claims, fact())], lineage)  # type: ignore[arg-type]
    return {identity.pid: place for identity, place in ownership.places.items()}


def test_children_follow_the_nearest_owned_ancestor() -> None:
    inner = process(20, 11, "acme", age_s=500)
    rows = (AGENT, process(11, 10, "bash", "-c", "make", age_s=600), inner, process(21, 20, "cc1", age_s=400))
    found = places(*rows, claims=(claim(AGENT), claim(inner, "s2")))
    assert {pid: found[pid].key for pid in (10, 11, 20, 21)} == {
        10: "acme:s1",
        11: "acme:s1",
        20: "acme:s2",
        21: "acme:s2",
    }


def test_a_parent_younger_than_its_child_is_another_process() -> None:
    found = places(renamed(AGENT), process(11, 10, "node", "server.js", age_s=5000), claims=(claim(AGENT),))
    assert found[11].kind is GroupKind.UNRELATED


def test_the_stronger_claim_names_the_session() -> None:
    rivals = (claim(AGENT, "old", kind=ClaimKind.ARGV), claim(AGENT, "new", kind=ClaimKind.REGISTRY))
    assert places(AGENT, claims=rivals)[10].session == key("new")
    assert places(AGENT, claims=rivals[::-1])[10].session == key("new")


def test_two_sessions_claimed_as_strongly_are_ambiguous_and_not_guessed() -> None:
    found = places(AGENT, claims=(claim(AGENT, "a"), claim(AGENT, "b")))[10]
    assert (found.session, found.flags, found.kind) == (None, ("ambiguous",), GroupKind.SESSION)


def test_a_claim_on_a_recycled_pid_counts_for_nothing() -> None:
    other = renamed(AGENT, identity=Identity(10, 1))
    assert places(AGENT, claims=(claim(other),))[10].kind is GroupKind.UNRELATED


def test_a_detached_job_stays_with_the_live_session_that_its_variable_names() -> None:
    job = process(30, 1, "python", "serve.py", age_s=100)
    variable = claim(job, role=Role.WORK, kind=ClaimKind.ENVIRONMENT)
    found = places(AGENT, job, claims=(claim(AGENT), variable))
    assert (found[30].key, found[30].role) == ("acme:s1", Role.WORK)


def test_a_helper_with_the_id_of_before_stays_with_the_process_that_started_it() -> None:
    helper = process(11, 10, "node", "bridge.js", age_s=900)
    variable = claim(helper, "before-clear", role=Role.HELPER, kind=ClaimKind.ENVIRONMENT)
    assert places(AGENT, helper, claims=(claim(AGENT), variable))[11].key == "acme:s1"


def test_a_helper_that_lost_its_parent_keeps_its_owner_by_lineage() -> None:
    helper = process(11, 1, "node", "bridge.js", age_s=900)
    lineage = {helper.identity: Lineage(session=key(), host="acme", role=Role.HELPER)}
    found = places(AGENT, helper, claims=(claim(AGENT),), lineage=lineage)[11]
    assert (found.key, found.role) == ("acme:s1", Role.HELPER)
    assert found.claim is not None
    assert found.claim.kind is ClaimKind.LINEAGE


def test_a_remembered_helper_whose_session_is_gone_is_an_orphan_with_a_hint() -> None:
    helper = process(11, 1, "node", "bridge.js", age_s=900)
    lineage = {helper.identity: Lineage(session=key(), host="acme", role=Role.HELPER)}
    found = places(helper, lineage=lineage)[11]
    assert (found.kind, found.owner_hint) == (GroupKind.ORPHAN_HELPER, "s1")


def test_being_under_init_alone_proves_nothing() -> None:
    assert places(process(11, 1, "node", "server.js"))[11].kind is GroupKind.UNRELATED


def test_a_helper_of_a_living_stranger_is_not_an_orphan() -> None:
    rows = (process(5, 1, "node", "gateway.js"), process(11, 5, "context7-mcp", age_s=500))
    assert places(*rows)[11].kind is GroupKind.UNRELATED


def test_a_service_is_not_an_orphan_whatever_it_looks_like() -> None:
    assert places(process(11, 1, "context7-mcp", unit="context7.service"))[11].kind is GroupKind.NOT_OURS


def test_what_an_orphan_started_goes_with_it() -> None:
    rows = (process(11, 1, "playwright-mcp"), process(12, 11, "chrome", "--headless", age_s=500))
    found = places(*rows)
    assert (found[12].kind, found[12].key) == (GroupKind.ORPHAN_HELPER, found[11].key)


def test_a_terminal_that_an_agent_opened_is_the_persons() -> None:
    terminal = process(40, 1, "alacritty", age_s=100)
    variable = claim(terminal, role=Role.WORK, kind=ClaimKind.ENVIRONMENT)
    assert places(AGENT, terminal, claims=(claim(AGENT), variable))[40].kind is GroupKind.NOT_OURS


def test_an_editor_in_the_agents_own_terminal_is_its_work() -> None:
    rows = (AGENT, process(11, 10, "bash", "-c", "vim x", age_s=50), process(12, 11, "vim", "x", age_s=50))
    assert places(*rows, claims=(claim(AGENT),))[12].role is Role.WORK


def test_an_unreadable_child_is_neither_helper_nor_work() -> None:
    child = process(11, 10, age_s=50, argv=None, unreadable=frozenset({"argv"}))
    assert places(AGENT, child, claims=(claim(AGENT),))[11].role is Role.UNKNOWN


def test_a_package_runner_is_a_helper_when_it_leads_to_one() -> None:
    rows = (
        AGENT,
        process(11, 10, "npx", "-y", "some-tool", age_s=50),
        process(12, 11, "sh", "-c", "context7-mcp", age_s=50),
        process(13, 12, "node", "/x/node_modules/.bin/context7-mcp", age_s=50),
        process(14, 10, "npx", "-y", "vitest", age_s=50),
    )
    found = places(*rows, claims=(claim(AGENT),))
    assert [found[pid].role for pid in (11, 12, 13, 14)] == [Role.HELPER, Role.HELPER, Role.HELPER, Role.WORK]


def test_zombies_are_counted_by_parent_and_hold_no_session() -> None:
    dead = process(11, 10, age_s=50, status=ProcessStatus.ZOMBIE)
    found = places(AGENT, dead, claims=(claim(AGENT), claim(dead, "s2")))
    assert (found[11].kind, found[11].key) == (GroupKind.ZOMBIE, "zombie:10")


def test_what_the_monitor_starts_is_its_own_even_if_it_is_an_agent() -> None:
    child = process(11, 99, "acme", age_s=50)
    assert places(child, claims=(claim(child),))[11].kind is GroupKind.MONITOR


def test_an_agent_whose_host_vouches_for_it_is_no_orphan_without_a_terminal() -> None:
    agent = process(10, 1, "acme")
    assert places(agent, claims=(claim(agent),))[10].kind is GroupKind.SESSION
    assert places(agent, claims=(claim(agent, kind=ClaimKind.ARGV),))[10].kind is GroupKind.ORPHAN_AGENT


def test_hosts_own_processes_are_overhead_and_what_they_start_follows() -> None:
    server = process(10, 1, "acme-server")
    rows = (server, process(11, 10, "node", "worker.js", age_s=50))
    found = places(*rows, claims=(claim(server, None, role=Role.INFRA, kind=ClaimKind.PROGRAM),))
    assert [found[pid].kind for pid in (10, 11)] == [GroupKind.INFRA, GroupKind.INFRA]


def test_a_claim_that_is_neither_agent_nor_host_does_not_make_a_session() -> None:
    client = process(10, 5, "acme", "version")
    found = places(client, claims=(claim(client, None, role=Role.UNKNOWN, kind=ClaimKind.PROGRAM),))
    assert found[10].kind is GroupKind.UNRELATED


def test_two_agents_below_one_driver_leave_it_as_overhead() -> None:
    driver = process(5, 1, "node", "gateway.js", age_s=5000)
    one, two = process(10, 5, "acme"), process(11, 5, "acme")
    found = places(driver, one, two, claims=(claim(one), claim(two, "s2")))
    assert found[5].kind is GroupKind.INFRA


def test_a_launcher_between_two_agents_and_the_driver_serves_neither() -> None:
    rows = (process(4, 1, "node", "gateway.js", age_s=5000), process(5, 4, "node", "pool.js", age_s=4000))
    one, two = process(10, 5, "acme"), process(11, 5, "acme")
    found = places(*rows, one, two, claims=(claim(one), claim(two, "s2")))
    assert [found[pid].kind for pid in (4, 5)] == [GroupKind.INFRA, GroupKind.INFRA]


def test_what_stands_between_an_editor_and_an_agent_is_the_editors() -> None:
    rows = (process(4, 1, "code", age_s=5000), process(5, 4, "extension-host", "--type=utility", age_s=4000))
    found = places(*rows, AGENT, claims=(claim(AGENT),))
    assert [found[pid].kind for pid in (4, 5)] == [GroupKind.NOT_OURS, GroupKind.UNRELATED]


def test_a_persons_shell_above_an_agent_stays_theirs() -> None:
    rows = (process(4, 1, "kitty", age_s=5000), process(5, 4, "-zsh", age_s=4000))
    assert places(*rows, AGENT, claims=(claim(AGENT),))[5].kind is GroupKind.UNRELATED


def test_another_users_process_is_not_ours() -> None:
    assert places(process(11, 1, "context7-mcp", uid=0))[11].kind is GroupKind.NOT_OURS


def test_a_cut_table_says_nothing_about_parents_outside_it() -> None:
    helper = process(11, 77, "context7-mcp")
    assert places(helper)[11].kind is GroupKind.ORPHAN_HELPER
    assert places(helper, complete=False)[11].kind is GroupKind.UNRELATED
    assert places(helper, complete=False, absent_pids=frozenset({77}))[11].kind is GroupKind.ORPHAN_HELPER


def test_a_helper_that_serves_sessions_over_a_socket_is_shared() -> None:
    daemon = process(50, 1, "indexd", client_pids=(11,))
    rows = (AGENT, process(11, 10, "index-mcp", age_s=50), daemon)
    assert places(*rows, claims=(claim(AGENT),))[50].kind is GroupKind.SHARED_HELPER
    assert places(renamed(daemon, client_pids=(777,)))[50].kind is GroupKind.UNRELATED


def test_lineage_is_kept_for_what_is_owned_and_for_what_still_runs() -> None:
    helper = process(11, 10, "index-mcp", age_s=50)
    watched = table(AGENT, helper)
    lineage = remember(attribute(watched, [observed([claim(AGENT)], fact())], {}), {}, watched)
    assert lineage[helper.identity] == Lineage(session=key(), host="acme", role=Role.HELPER, parent=AGENT.identity)
    later = table(renamed(helper, ppid=1))
    assert remember(attribute(later, [], lineage), lineage, later) == {helper.identity: lineage[helper.identity]}
    assert remember(attribute(table(), [], lineage), lineage, table()) == {}


def test_an_unknown_reaper_is_seen_by_the_parent_that_is_gone() -> None:
    keeper, helper = process(40, 1, "session-keeper", age_s=9000), process(11, 10, "node", "bridge.js", age_s=50)
    watched = table(AGENT, helper, keeper)
    lineage = remember(attribute(watched, [observed([claim(AGENT)], fact())], {}), {}, watched)
    taken_over = renamed(helper, ppid=40)
    found = places(keeper, taken_over, lineage=lineage)[11]
    assert (found.kind, found.owner_hint) == (GroupKind.ORPHAN_WORK, "s1")
    assert places(AGENT, keeper, taken_over, lineage=lineage)[11].kind is GroupKind.UNRELATED


def test_a_child_of_the_same_clock_tick_with_a_smaller_pid_follows_its_parent() -> None:
    shell = process(900, 10, "sh", "-c", "make -j; ls", age_s=50)
    job = process(20, 900, "make", "-j", age_s=50)  # pids were used up in between
    assert places(AGENT, shell, job, claims=(claim(AGENT),))[20].key == "acme:s1"


def test_members_are_told_by_group() -> None:
    helper = process(11, 10, "index-mcp", age_s=50)
    owned = attribute(table(AGENT, helper), [observed([claim(AGENT)], fact())], {})
    assert set(owned.groups["acme:s1"]) == {AGENT.identity, helper.identity}


def test_an_agent_without_a_launcher_loses_its_terminal_to_a_living_one() -> None:
    old = process(20, 1, "acme", tty="pts/6", age_s=9000)
    launcher = process(5, 4, "node", "launch.js", tty="pts/6", age_s=600)
    new = process(10, 5, "acme", tty="pts/6", age_s=590)
    claims = (claim(old, None, kind=ClaimKind.PROGRAM), claim(new, kind=ClaimKind.ARGV))
    found = places(process(4, 1, "runner", age_s=10_000), old, launcher, new, claims=claims)
    assert [found[pid].kind for pid in (20, 10)] == [GroupKind.ORPHAN_AGENT, GroupKind.SESSION]
    assert (found[4].kind, found[5].role, found[5].key) == (GroupKind.INFRA, Role.LAUNCHER, "acme:s1")
    assert found[5].claim is not None
    assert found[5].claim.source == "started 10"


def test_a_job_of_an_ended_session_stays_that_sessions_even_below_another() -> None:
    job = process(11, 10, "bash", "-c", "pnpm dev", age_s=50)
    variable = claim(job, "ended", role=Role.WORK, kind=ClaimKind.ENVIRONMENT)
    found = places(AGENT, job, claims=(claim(AGENT), variable))[11]
    assert (found.kind, found.owner_hint) == (GroupKind.ORPHAN_WORK, "ended")


def test_an_interactive_shell_below_an_agent_is_no_work() -> None:
    rows = (AGENT, process(11, 10, "bash", "-i", age_s=50))
    assert places(*rows, claims=(claim(AGENT),))[11].role is Role.SHELL


def test_what_a_released_session_left_stays_in_its_row_unless_it_has_a_command() -> None:
    shell, job = process(11, 800, "powershell.exe", "-NoLogo"), process(12, 800, "node", "server.js")
    lineage = {p.identity: Lineage(session=key(), host="acme", role=Role.WORK, released=True) for p in (shell, job)}
    found = places(process(800, 1, "acme-app", age_s=5000), shell, job, lineage=lineage)
    assert (found[11].key, found[11].flags) == ("acme:s1", ("leftover",))
    assert found[12].kind is GroupKind.UNRELATED


def test_an_orphan_with_clients_in_a_session_is_told_apart() -> None:
    rows = (AGENT, process(11, 10, "index-mcp", age_s=50), process(30, 1, "npx", "index-mcp"))
    served = process(31, 30, "node", "/x/index-mcp", age_s=900, client_pids=(11, 31))
    found = places(*rows, served, claims=(claim(AGENT),))
    assert (found[30].kind, found[30].flags) == (GroupKind.ORPHAN_HELPER, ("serves-live-sessions",))
    assert found[31].key == found[30].key


def test_a_multiplexer_and_the_shells_in_its_panes_are_overhead() -> None:
    rows = (process(4, 1, "tmux: server", age_s=9000), process(5, 4, "-bash", age_s=8000))
    found = places(*rows, AGENT, claims=(claim(AGENT),))
    assert [found[pid].kind for pid in (4, 5)] == [GroupKind.INFRA, GroupKind.INFRA]
    assert places(*rows)[4].kind is GroupKind.UNRELATED


def test_a_launcher_that_names_its_agent_is_part_of_it() -> None:
    rows = (process(5, 1, "timeout", "60", "acme", "chat", age_s=5000),)
    assert places(*rows, AGENT, claims=(claim(AGENT),))[5].role is Role.WRAPPER


def test_a_launcher_below_a_reaper_is_followed_no_further() -> None:
    rows = (process(1, 0, "init", age_s=90_000), process(5, 1, "timeout", "60", "acme", age_s=5000))
    found = places(*rows, AGENT, claims=(claim(AGENT),))
    assert (found[1].kind, found[5].role) == (GroupKind.UNRELATED, Role.WRAPPER)


# -- backends of many conversations -----------------------------------------------------------------------------------

SERVER = process(10, 5, "acme", "serve", age_s=5000)


def many(*sessions: str | None, on: Process = SERVER, role: Role = Role.BACKEND) -> tuple[Claim, ...]:
    return tuple(
        replace(
            claim(on, each, role=role, kind=ClaimKind.PROGRAM if each is None else ClaimKind.OPEN_FILE),
            serves_many=True,
        )
        for each in sessions
    )


def test_one_copy_of_a_helper_belongs_to_a_backend_of_many_and_several_to_none_of_its_sessions() -> None:
    rows = (
        process(5, 4, "-zsh", age_s=9000),
        SERVER,
        process(11, 10, "notes-mcp", age_s=100),
        process(12, 10, "npx", "-y", "browser-mcp", age_s=90),
        process(13, 12, "node", "/x/browser-mcp", age_s=89),
        process(14, 10, "npx", "-y", "browser-mcp", age_s=80),
        process(15, 10, "bash", "-c", "make", age_s=70),
        process(16, 10, "bash", "-c", "make", age_s=60),
    )
    found = places(*rows, claims=many(None))
    assert {pid: found[pid].kind for pid in found if found[pid].kind is GroupKind.SHARED_HELPER} == dict.fromkeys(
        (12, 13, 14), GroupKind.SHARED_HELPER
    )
    assert len({found[pid].key for pid in (12, 13, 14)}) == 1
    assert {found[pid].key for pid in (10, 11, 15, 16)} == {found[10].key}
    assert (found[10].flags, found[12].flags, found[10].kind) == (
        ("shared-backend",),
        ("per-conversation",),
        GroupKind.SESSION,
    )


def test_an_agent_below_a_shared_helper_stays_its_own_session() -> None:
    inner = process(13, 12, "acme", age_s=50)
    copies = (process(11, 10, "notes-mcp", age_s=100), process(12, 10, "notes-mcp", age_s=90))
    found = places(SERVER, *copies, inner, claims=(*many(None), claim(inner, "s2")))
    assert (found[12].kind, found[13].key) == (GroupKind.SHARED_HELPER, "acme:s2")


def test_a_single_conversation_keeps_all_copies_of_its_helpers() -> None:
    copies = (process(11, 10, "notes-mcp", age_s=100), process(12, 10, "notes-mcp", age_s=90))
    found = places(AGENT, *copies, claims=(claim(AGENT),))
    assert {found[pid].key for pid in (10, 11, 12)} == {"acme:s1"}


def test_a_backend_of_many_is_nobodys_session_alone_and_keeps_the_jobs_of_all() -> None:
    job = process(30, 1, "python", "serve.py", age_s=100)
    variable = claim(job, "b", role=Role.WORK, kind=ClaimKind.ENVIRONMENT)
    found = places(SERVER, job, claims=(*many("a", "b"), variable))
    assert (found[10].session, found[10].flags) == (None, ("shared-backend",))
    assert (found[30].key, found[30].role) == (found[10].key, Role.WORK)
    assert places(SERVER, claims=many("a"))[10].session == key("a")


def test_the_copies_below_a_hosts_daemon_are_shared_too() -> None:
    copies = (process(11, 10, "notes-mcp", age_s=100), process(12, 10, "notes-mcp", age_s=90))
    found = places(SERVER, *copies, claims=many(None, role=Role.INFRA))
    assert [found[pid].kind for pid in (10, 11)] == [GroupKind.INFRA, GroupKind.SHARED_HELPER]


def test_the_claim_on_a_backend_of_many_that_another_installation_runs_shares_nothing() -> None:
    copies = (process(11, 10, "notes-mcp", age_s=100), process(12, 10, "notes-mcp", age_s=90))
    (told,) = many(None)
    found = places(SERVER, *copies, claims=(replace(told, scope=Scope.OTHER),))
    assert [found[pid].kind for pid in (10, 11)] == [GroupKind.NOT_OURS, GroupKind.UNRELATED]


def test_what_a_server_leaves_behind_is_remembered_as_its_helper() -> None:
    helper = process(11, 10, "node", "bridge.js", age_s=900)
    told = claim(helper, None, role=Role.HELPER, kind=ClaimKind.DESCENT)
    server = claim(SERVER, None, role=Role.INFRA, kind=ClaimKind.PROGRAM)
    watched = table(SERVER, helper)
    before = remember(attribute(watched, [observed([server, told])], {}), {}, watched)
    past = Lineage(session=None, host="acme", role=Role.HELPER, parent=SERVER.identity)
    assert before == {helper.identity: past}
    assert places(renamed(helper, ppid=1), lineage=before)[11].kind is GroupKind.ORPHAN_HELPER


# -- other installations, other hosts' agents, helper agents ----------------------------------------------------------


def test_another_installation_is_not_ours_and_one_that_cannot_be_read_is_not_verified() -> None:
    other, unread = process(20, 5, "acme"), process(21, 5, "acme")
    claims = (replace(claim(other), scope=Scope.OTHER), replace(claim(unread), scope=Scope.UNVERIFIED))
    found = places(other, unread, claims=claims)
    assert {found[pid].kind for pid in (20, 21)} == {GroupKind.NOT_OURS}
    assert [found[pid].flags for pid in (20, 21)] == [(), ("unverified",)]


def test_what_drives_another_installations_agents_is_no_overhead_of_ours() -> None:
    driver = process(5, 1, "node", "gateway.js", age_s=5000)
    one, two = process(10, 5, "acme"), process(11, 5, "acme")
    claims = (replace(claim(one), scope=Scope.OTHER), replace(claim(two, "s2"), scope=Scope.OTHER))
    assert places(driver, one, two, claims=claims)[5].kind is GroupKind.UNRELATED


def test_a_variable_of_a_session_that_only_another_installation_runs_has_lost_its_owner() -> None:
    job = process(30, 1, "python", "serve.py", age_s=100)
    variable = claim(job, role=Role.WORK, kind=ClaimKind.ENVIRONMENT)
    assert places(AGENT, job, claims=(replace(claim(AGENT), scope=Scope.OTHER), variable))[30].kind is (
        GroupKind.ORPHAN_WORK
    )


def test_a_host_that_runs_anothers_agent_goes_before_that_one() -> None:
    own = claim(AGENT, "inner", kind=ClaimKind.REGISTRY)
    driven = replace(claim(AGENT, "outer", kind=ClaimKind.ARGV, host="zeta"), embedded=True)
    assert places(AGENT, claims=(own, driven))[10].key == "zeta:outer"


def test_the_tools_of_an_embedded_agent_name_its_own_session_and_belong_to_the_other() -> None:
    own = claim(AGENT, "inner", kind=ClaimKind.REGISTRY)
    driven = replace(claim(AGENT, "outer", kind=ClaimKind.ARGV, host="zeta"), embedded=True)
    below, away = process(11, 10, "bash", "-c", "make", age_s=50), process(12, 1, "python", "serve.py", age_s=50)
    tools = tuple(claim(tool, "inner", role=Role.WORK, kind=ClaimKind.ENVIRONMENT) for tool in (below, away))
    found = places(AGENT, below, away, claims=(own, driven, *tools))
    assert {found[pid].key for pid in (10, 11, 12)} == {"zeta:outer"}


def test_an_agent_without_tools_is_a_shared_helper_and_no_session() -> None:
    quiet = claim(AGENT, None, role=Role.HELPER, kind=ClaimKind.PROGRAM)
    found = places(AGENT, process(11, 10, "node", "x.js", age_s=50), claims=(quiet,))
    assert (found[10].kind, found[10].flags) == (GroupKind.SHARED_HELPER, ("helper-agent",))
    assert found[11].key == found[10].key


# -- apps, launchers, reapers -----------------------------------------------------------------------------------------


def test_an_app_is_overhead_while_a_session_hangs_below_it_and_else_not_ours() -> None:
    app = process(4, 1, "/Applications/Acme.app/Contents/MacOS/Acme", age_s=9000)
    shell = process(11, 4, "zsh", age_s=50)
    told = claim(app, None, role=Role.APP, kind=ClaimKind.PROGRAM)
    assert places(app, claims=(told,))[4].kind is GroupKind.NOT_OURS
    assert places(app, process(10, 4, "acme"), claims=(told, claim(process(10, 4, "acme"))))[4].kind is GroupKind.INFRA
    past = {shell.identity: Lineage(session=key("ended"), host="acme", role=Role.SHELL)}
    assert places(app, shell, claims=(told,), lineage=past)[4].kind is GroupKind.INFRA
    nameless = {shell.identity: Lineage(session=None, host="acme", role=Role.HELPER)}
    assert places(app, shell, claims=(told,), lineage=nameless)[4].kind is GroupKind.NOT_OURS


def test_an_agent_is_an_orphan_together_with_what_only_started_it() -> None:
    shim, agent = process(20, 1, "node", "acme.js", age_s=900), process(21, 20, "acme", age_s=899)
    claims = (
        claim(shim, None, role=Role.WRAPPER, kind=ClaimKind.PROGRAM),
        claim(agent, None, kind=ClaimKind.PROGRAM),
    )
    found = places(shim, agent, claims=claims)
    assert {found[pid].kind for pid in (20, 21)} == {GroupKind.ORPHAN_AGENT}
    assert found[20].key == found[21].key


def test_a_program_that_a_service_manager_runs_is_no_orphan() -> None:
    agent = process(10, 1, "acme", unit="acme.service")
    assert places(agent, claims=(claim(agent, kind=ClaimKind.ARGV),))[10].kind is GroupKind.SESSION


def test_a_launcher_in_a_terminal_is_told_by_what_it_names() -> None:
    agent = process(10, 5, "/opt/acme/acme", "/opt/acme/main.js")
    kitty = process(4, 1, "kitty", age_s=9000)

    def role(*argv: str, claimed: bool = False) -> Role:
        launcher = process(5, 4, *argv, age_s=5000)
        told = (claim(launcher, None, role=Role.WRAPPER, kind=ClaimKind.PROGRAM),) if claimed else ()
        return places(kitty, launcher, agent, claims=(claim(agent), *told))[5].role

    assert role("timeout", "60", "acme") is Role.WRAPPER
    assert role("bash", "-c", "cd /srv; acme --resume s1") is Role.WRAPPER
    assert role("node", "pool.js", "--session", "s1") is Role.WRAPPER
    assert role("node", "/opt/acme/main.js") is Role.WRAPPER
    assert role("node", "shim.js", claimed=True) is Role.WRAPPER
    assert role("node", "shim.js") is Role.UNKNOWN
    assert role("node", "shim.js", "write about acme") is Role.UNKNOWN


def test_two_agents_below_a_launcher_that_names_one_leave_it_to_neither() -> None:
    launcher = process(5, 4, "node", "pool.js", "acme", age_s=5000)
    one, two = process(10, 5, "acme"), process(11, 5, "acme")
    found = places(process(4, 1, "kitty", age_s=9000), launcher, one, two, claims=(claim(one), claim(two, "s2")))
    assert found[5].kind is GroupKind.UNRELATED


def test_a_client_of_a_helper_is_in_a_session_by_its_variable_too() -> None:
    daemon = process(50, 1, "indexd", client_pids=(30,))
    bridge = process(30, 1, "python", "bridge.py", age_s=100)
    variable = claim(bridge, role=Role.WORK, kind=ClaimKind.ENVIRONMENT)
    assert places(AGENT, bridge, daemon, claims=(claim(AGENT), variable))[50].kind is GroupKind.SHARED_HELPER


def test_a_program_of_its_own_that_started_an_agent_is_counted_with_it_as_a_launcher() -> None:
    rows = (process(4, 1, "bash", "run.sh", age_s=6000), process(5, 4, "python", "bot.py", age_s=5000))
    found = places(*rows, AGENT, claims=(claim(AGENT),))
    assert (found[4].kind, found[5].key, found[5].role) == (GroupKind.INFRA, "acme:s1", Role.LAUNCHER)


def test_what_a_session_in_a_heap_started_is_counted_in_that_sessions_row() -> None:
    host = process(50, 5, "node", "dsh", age_s=9000)
    job = process(51, 50, "make", age_s=60)
    server = process(52, 50, "files-mcp", age_s=8000)
    hosts = [replace(claim(host, role=Role.INFRA, kind=ClaimKind.OPEN_FILE), serves_many=True)]
    started = claim(job, role=Role.WORK, kind=ClaimKind.ENVIRONMENT)
    told = fact(idle_evidence(), shares_backend=True, heap_of=host.identity)
    found = attribute(table(host, job, server), [observed([*hosts, started], told)], {}).places
    assert (found[job.identity].kind, found[job.identity].key) == (GroupKind.SESSION, "acme:s1")
    assert {found[p.identity].key for p in (host, server)} == {"infra:acme"}


# -- helpers that a host's server holds -------------------------------------------------------------------------------

HOLDER = process(40, 1, "acme-server", age_s=9000)
HELD = process(41, 40, "node", "mcp.js", age_s=8000)


def holding(*sessions: str) -> tuple[Claim, ...]:
    """Claim the server, and that it runs something for each of these sessions."""
    server = claim(HOLDER, None, role=Role.INFRA, kind=ClaimKind.PROGRAM)
    return (server, *(replace(server, session=key(each), serves_many=True) for each in sessions))


def held(helper: Process, session: str, **fields: object) -> Claim:
    told = claim(helper, session, role=Role.HELPER, kind=ClaimKind.ENVIRONMENT)
    return replace(told, **fields)  # type: ignore[arg-type]


def test_a_helper_that_the_server_holds_is_in_its_sessions_row_with_or_without_a_backend() -> None:
    claims = (*holding("s1", "s2"), held(HELD, "s2"))
    assert places(AGENT, HOLDER, HELD, claims=(claim(AGENT), *claims))[41].key == "acme:s2"
    backend = process(42, 40, "acme", age_s=7000)
    found = places(AGENT, HOLDER, HELD, backend, claims=(claim(AGENT), claim(backend, "s2"), *claims))
    assert (found[41].key, found[42].key, found[40].key) == ("acme:s2", "acme:s2", "infra:acme")


def test_who_may_end_a_helper_holds_for_what_it_started() -> None:
    inner = process(43, 41, "node", "inner.js", age_s=7999)
    claims = (*holding("s1"), held(HELD, "s1", ends_by=EndsBy.NOT))
    found = places(HOLDER, HELD, inner, claims=claims)
    assert [found[pid].claim.ends_by for pid in (41, 43)] == [EndsBy.NOT, EndsBy.NOT]  # type: ignore[union-attr]
    assert found[43].key == "acme:s1"


def test_a_leaked_helper_is_an_orphan_although_its_server_lives() -> None:
    inner = process(43, 41, "node", "inner.js", age_s=7999)
    found = places(HOLDER, HELD, inner, claims=(*holding(), held(HELD, "deleted", leaked=True)))
    assert (found[41].kind, found[41].flags, found[41].owner_hint) == (
        GroupKind.ORPHAN_HELPER,
        ("leaked",),
        "deleted",
    )
    assert found[43].key == found[41].key
    assert found[40].kind is GroupKind.INFRA


def test_a_helper_of_one_of_two_sessions_is_nobodys_guess() -> None:
    claims = (*holding("s1", "s2"), held(HELD, "s1", ends_by=EndsBy.NOT), held(HELD, "s2", ends_by=EndsBy.NOT))
    found = places(HOLDER, HELD, claims=claims)[41]
    assert (found.kind, found.flags, found.session) == (GroupKind.SHARED_HELPER, ("ambiguous",), None)


def test_an_agent_that_its_living_host_has_forgotten_is_an_orphan() -> None:
    backend = process(42, 40, "acme", age_s=7000)
    forgotten = replace(claim(backend, "gone", kind=ClaimKind.ENVIRONMENT), leaked=True)
    found = places(HOLDER, backend, claims=(*holding(), forgotten))
    assert (found[42].kind, found[42].session) == (GroupKind.ORPHAN_AGENT, key("gone"))
    assert found[40].kind is GroupKind.INFRA


# -- what a person does in a program that a session opened ------------------------------------------------------------


@pytest.mark.parametrize("program", ["tmux", "gnome-terminal-server", "code"])
def test_a_variable_that_came_through_a_persons_own_program_names_nobody(program: str) -> None:
    opened = process(50, 1, program, age_s=800)
    shell, job = process(51, 50, "bash", age_s=700), process(52, 51, "make", age_s=600)
    carried = tuple(claim(p, role=Role.WORK, kind=ClaimKind.ENVIRONMENT) for p in (opened, shell, job))
    found = places(AGENT, opened, shell, job, claims=(claim(AGENT), *carried))
    assert {found[pid].key for pid in (51, 52)}.isdisjoint({"acme:s1"})
    gone = places(opened, shell, job, claims=carried)
    assert {gone[pid].kind for pid in (51, 52)}.isdisjoint({GroupKind.ORPHAN_WORK, GroupKind.ORPHAN_HELPER})


def test_a_pane_with_a_variable_of_its_own_is_its_sessions() -> None:
    server = process(50, 1, "tmux", age_s=800)
    job = process(51, 50, "make", age_s=600)
    variable = claim(job, role=Role.WORK, kind=ClaimKind.ENVIRONMENT)
    assert places(AGENT, server, job, claims=(claim(AGENT), variable))[51].key == "acme:s1"
