"""Codeman over real processes and a real tmux: what the adapter makes of a server that lies, hangs, moves or locks."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.hosts.codeman_desk import Desk, OwnCodeman, core_on, desk_for, group_of
from tests.hosts.codeman_fake import VERSIONS, FakeCodeman, Version, basic, prepare, running
from tests.hosts.homes import fact_of
from trayapp.hosts.codeman import Codeman
from trayapp.hosts.codeman_servers import Servers, scene_of
from trayapp.hosts.codeman_tmux import list_panes
from trayapp.model.access import HostAccess, Permission
from trayapp.model.finding import Standing
from trayapp.model.session import EvidenceKind, ResumeTicket, Role, SessionKey, Speaks, StepKind

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(sys.platform != "linux", reason="the fake reads terminals and sessions of processes from /proc"),
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs the tmux program"),
]
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs the openssl program")

CONVERSATION = "11111111-2222-3333-4444-555555555555"
PASSWORD = "correct horse"


@pytest.fixture(scope="module", params=VERSIONS)
def used(request: pytest.FixtureRequest) -> Iterator[FakeCodeman]:
    with running(request.param) as fake:
        yield fake


@pytest.fixture
def desk(used: FakeCodeman) -> Iterator[Desk]:
    """Return a desk with a server that is as new, whose agents have no helpers."""
    used.reset()
    used.agents_are(helpers=False)
    with desk_for(used) as made:
        yield made


@pytest.fixture(scope="module")
def newer() -> Iterator[FakeCodeman]:
    with running("1.2.2") as fake:
        yield fake


@pytest.fixture
def one(newer: FakeCodeman) -> Iterator[Desk]:
    """Return a desk with a server of 1.2.2, for what does not depend on the dialect."""
    newer.reset()
    newer.agents_are(helpers=False)
    with desk_for(newer) as made:
        yield made


def speaking(desk: Desk, session_id: str, *, later_s: float = 0.0) -> set[tuple[EvidenceKind, Speaks]]:
    fact = desk.fact(session_id, later_s=later_s)
    return {(e.kind, e.speaks_for) for e in fact.evidence if e.speaks_for is not Speaks.NOTHING}


IDLE = {(EvidenceKind.RECORD, Speaks.IDLE)}


# --- what is found ---------------------------------------------------------------------------------------------------


def test_plain_resumed_and_shell_sessions_are_found_with_their_state(desk: Desk) -> None:
    fake = desk.fake
    fake.transcript(CONVERSATION)
    plain, resumed = fake.session("plain"), fake.session("resumed", resumes=CONVERSATION)
    shell = fake.session("shell", mode="shell")
    seen = desk.look(later_s=90)
    (instance,) = seen.instances
    assert instance.identity is not None
    assert (instance.identity.pid, instance.version, instance.error) == (fake.pid, fake.version, None)
    assert instance.address == fake.url
    assert seen.problems == ()
    assert [fact.title for fact in seen.sessions] == ["plain", "resumed", "shell"]
    claims = {claim.identity.pid: claim for claim in seen.claims}
    assert (claims[resumed.pane_pid].role, claims[resumed.pid].role) == (Role.WRAPPER, Role.BACKEND)
    assert claims[shell.pane_pid].session == SessionKey("codeman", shell.session_id)
    assert claims[fake.tmux_server().pid].role is Role.INFRA
    assert speaking(desk, plain.session_id) == IDLE
    assert speaking(desk, shell.session_id) == IDLE | {(EvidenceKind.VIEW, Speaks.PROTECTS)}
    assert fact_of(seen, shell.session_id).resume is None
    ticket = fact_of(seen, resumed.session_id).resume
    assert ticket is not None
    assert dict(ticket.given)["resumeSessionId"] == CONVERSATION
    assert ticket.call == "resume"


def test_a_session_that_works_is_busy_and_one_that_wrote_just_now_is_not_idle(one: Desk) -> None:
    agent = one.fake.session("w")
    assert speaking(one, agent.session_id) == set()
    one.fake.busy(agent)
    assert speaking(one, agent.session_id, later_s=90) == IDLE | {(EvidenceKind.HOST_STATUS, Speaks.BUSY)}
    assert (EvidenceKind.HOST_STATUS, Speaks.BUSY) in speaking(one, agent.session_id, later_s=30)


def test_a_status_latched_on_busy_lets_go_after_half_an_hour_of_silence(one: Desk) -> None:
    agent = one.fake.session("w")
    one.fake.latch(agent)
    assert speaking(one, agent.session_id, later_s=90) == IDLE | {(EvidenceKind.HOST_STATUS, Speaks.BUSY)}
    assert speaking(one, agent.session_id, later_s=1800) == IDLE


def test_the_whole_tree_counts_also_the_grandchild_that_codeman_does_not_see(desk: Desk, tmp_path: Path) -> None:
    fake = desk.fake
    agent = fake.session("w")
    large = fake.grandchild(agent)
    lost = fake.spawn(agent, "sleep", "36003", setsid=True, twice=True)
    with core_on(fake, tmp_path) as core:
        group = group_of(core.look(0.0), agent.session_id)
    members = {member.process.pid: member.process for member in group.members}
    assert {agent.pid, large, lost} <= set(members)
    assert (members[large].rss_bytes or 0) > 95 * 1024**2
    assert set(members) == {process.pid for process in fake.of_session(agent.session_id)}
    own_sum = sum(process.memory_info().rss for process in fake.of_session(agent.session_id))
    assert group.rss_bytes == pytest.approx(own_sum, rel=0.02)
    listed = fake.call("GET", "/api/mux-sessions").body["sessions"][0]["stats"]["memoryMB"]
    assert listed * 1024**2 < group.rss_bytes / 3


def test_a_resumed_sessions_bash_is_counted_with_it(one: Desk, tmp_path: Path) -> None:
    one.fake.transcript(CONVERSATION)
    agent = one.fake.session("resumed", resumes=CONVERSATION)
    with core_on(one.fake, tmp_path) as core:
        group = group_of(core.look(0.0), agent.session_id)
    assert {m.process.pid: m.role for m in group.members} == {agent.pid: Role.BACKEND, agent.pane_pid: Role.WRAPPER}


def test_checks_of_its_own_are_the_hosts_and_nobodys_session(one: Desk) -> None:
    one.fake.session("w")
    check = one.fake.idle_check()
    claims = {claim.identity.pid: claim for claim in one.look().claims}
    assert (claims[check].role, claims[check].session) == (Role.INFRA, None)
    assert len(one.look().sessions) == 1


def test_a_one_shot_run_is_busy_and_is_not_released(one: Desk) -> None:
    fake = one.fake
    fake.session("w")
    asking = threading.Thread(target=lambda: fake.call("POST", "/api/run", {"prompt": "go"}))
    asking.start()
    fake.wait_for("the run", lambda: any(len(one.look().sessions) == 2 for _ in (0,)))
    (run,) = [fact for fact in one.look(later_s=60).sessions if fact.title != "w"]
    assert run.ladder == ()
    assert run.resume is None
    assert (EvidenceKind.BACKGROUND_TASK, Speaks.BUSY) in {(e.kind, e.speaks_for) for e in run.evidence}
    for process in fake.of_session(run.key.session_id):
        process.kill()
    asking.join(20)


def test_what_runs_elsewhere_is_shown_and_left_alone(one: Desk) -> None:
    fake = one.fake
    remote, contained, anothers = (fake.session(name) for name in ("far", "box", "theirs"))
    fake.lay_over(remote.session_id, remote={"host": "build-7"})
    fake.lay_over(contained.session_id, docker={"container": "c1"})
    fake.lay_over(anothers.session_id, owner="grace")
    seen = one.look(later_s=90)
    refusals = [fact_of(seen, a.session_id).refusal or "" for a in (remote, contained, anothers)]
    assert ["another computer" in refusals[0], "container" in refusals[1], "another user" in refusals[2]] == [True] * 3
    for agent in (remote, contained, anothers):
        fake.signal(agent, signal.SIGKILL)
    assert one.look(later_s=30).sessions == ()  # never a remnant: clearing it would end it where it runs
    assert any("left alone" in finding.what for finding in one.adapter.findings(one.around))


def test_an_agent_of_another_kind_is_brought_back_by_hand(one: Desk) -> None:
    agent = one.fake.session("w")
    one.fake.lay_over(agent.session_id, mode="codex")
    ticket = one.fact(agent.session_id, later_s=90).resume
    assert ticket is not None
    assert (ticket.call, ticket.note) == (None, "Start it again in Codeman, in this folder")


def test_a_log_that_cannot_be_read_keeps_its_session(one: Desk) -> None:
    agent = one.fake.session("w")
    (one.fake.home / ".claude" / "projects" / "-x" / f"{agent.session_id}.jsonl").mkdir(parents=True)
    assert (EvidenceKind.RECORD, Speaks.UNREADABLE) in speaking(one, agent.session_id, later_s=90)


# --- asked gently ----------------------------------------------------------------------------------------------------


def test_the_server_is_asked_at_most_every_five_seconds_and_never_for_what_tmux_tells(desk: Desk) -> None:
    desk.fake.session("w")
    began, began_epoch_s = len(desk.targets()), desk.around.now_epoch_s()
    for _ in range(12):
        desk.look(later_s=1.0)
    asked, took_s = desk.targets()[began:], desk.around.now_epoch_s() - began_epoch_s
    # twice at first, since idleness is only believed when it is read twice; then every 5 s
    assert 3 <= asked.count("GET /api/status") <= 2 + took_s / 5
    assert set(asked) <= {"GET /api/status", "GET /api/approvals"}
    assert asked.count("GET /api/approvals") <= 1  # not known there: not asked again


def test_tmux_is_asked_at_most_every_ten_seconds(one: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    one.fake.session("w")
    asked: list[str] = []

    async def counted(path: str, program: str) -> object:
        asked.append(path)
        return await list_panes(path, program)

    monkeypatch.setattr("trayapp.hosts.codeman_tmux.list_panes", counted)
    began_epoch_s = one.around.now_epoch_s()
    for _ in range(19):
        one.look(later_s=1.0)
    assert 2 <= asked.count(str(one.fake.tmux_socket)) <= 1 + (one.around.now_epoch_s() - began_epoch_s) / 10


def test_where_nothing_of_codemans_runs_nothing_is_read(tmp_path: Path) -> None:
    fake = prepare()
    try:
        (fake.home / ".codeman").mkdir()
        (fake.home / ".codeman" / "mux-sessions.json").write_text("broken")
        with desk_for(fake) as desk:
            seen = desk.look()
        assert (seen.sessions, seen.claims, seen.instances, seen.problems) == ((), (), (), ())
    finally:
        fake.close()


# --- the server is down, moves, hangs, or is another program --------------------------------------------------------


def test_with_the_server_down_sessions_are_found_from_processes_tmux_and_its_file(desk: Desk) -> None:
    fake = desk.fake
    fake.transcript(CONVERSATION)
    plain, resumed = fake.session("plain"), fake.session("resumed", resumes=CONVERSATION)
    shell = fake.session("shell", mode="shell")
    fake.end(signal.SIGKILL)
    try:
        seen = desk.look(later_s=90)
        assert seen.instances == ()
        assert {fact.title for fact in seen.sessions} == {"plain", "resumed", "shell"}
        kinds = {fact.title: [step.kind for step in fact.ladder] for fact in seen.sessions}
        # SIGTERM leaves a dead pane; the bash above a resumed agent would start a fresh one; a shell ignores it
        assert kinds == {"plain": [StepKind.SIGTERM, StepKind.SIGKILL], "resumed": [], "shell": []}
        assert "until it is closed there" in fact_of(seen, plain.session_id).ladder[0].label
        assert any("Start Codeman" in e.fact for e in fact_of(seen, resumed.session_id).evidence)
        assert (EvidenceKind.VIEW, Speaks.PROTECTS) in speaking(desk, shell.session_id)
        answer = asyncio.run(desk.adapter.call("delete", fact_of(seen, plain.session_id), desk.around))
        assert not answer.ok
        assert any(finding.what.startswith("nobody answers") for finding in desk.adapter.findings(desk.around))
    finally:
        fake.start()


def test_a_server_that_came_back_on_another_port_is_found_although_agents_name_the_old_one(desk: Desk) -> None:
    fake = desk.fake
    agent = fake.session("w")
    before = desk.fact(agent.session_id, later_s=90)
    old = fake.url
    fake.restart(elsewhere=True)
    seen = desk.look(later_s=90)
    (instance,) = seen.instances
    assert instance.address is not None
    assert instance.address.endswith(f":{fake.port}")
    after = fact_of(seen, agent.session_id)
    assert (after.title, after.cwd, [step.kind for step in after.ladder]) == (
        before.title,
        before.cwd,
        [StepKind.HOST_CALL],
    )
    # the stamps of the restart are no activity
    assert after.last_activity_epoch_s is not None
    assert before.last_activity_epoch_s is not None
    assert after.last_activity_epoch_s <= before.last_activity_epoch_s
    assert [f.what for f in desk.adapter.findings(desk.around) if old in f.what] == [
        f"nobody answers at {old}, which its agents remember"
    ]
    # 0.4.3 is not attached again, so only tmux can tell: one source is not two
    assert speaking(desk, agent.session_id) == (IDLE if fake.version == "1.2.2" else set())


def test_another_program_on_a_port_that_agents_remember_gets_no_password(one: Desk) -> None:
    fake = one.fake
    fake.session("w")
    one.access = HostAccess(secret=PASSWORD)
    one.look()
    fake.end(signal.SIGKILL)
    heard: list[bytes] = []
    done = threading.Event()

    def listen(server: socket.socket) -> None:
        server.settimeout(0.1)
        while not done.is_set():
            try:
                connection, _ = server.accept()
            except TimeoutError:
                continue
            with connection:
                heard.append(connection.recv(4096))
                reply = b'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="Codeman"\r\n'
                connection.sendall(reply + b"Content-Length: 0\r\nConnection: close\r\n\r\n")

    with socket.create_server(("127.0.0.1", fake.port)) as server:
        thread = threading.Thread(target=listen, args=(server,))
        thread.start()
        for _ in range(3):
            one.look(later_s=20)
        done.set()
        thread.join()
    fake.start()
    assert heard
    assert not any(word in request.lower() for request in heard for word in (b"authorization", b"cookie"))


def test_a_look_alike_that_is_no_codeman_is_not_claimed(tmp_path: Path) -> None:
    fake = prepare("0.4.3")
    script = fake.root / "app" / "dist" / "index.js"
    script.write_text(
        "import http.server, sys\nhttp.server.HTTPServer(('127.0.0.1', int(sys.argv[2])), "
        "http.server.SimpleHTTPRequestHandler).serve_forever()\n"
    )
    process = subprocess.Popen(
        ["node", "dist/index.js", "web", str(fake.port)],
        executable=str(fake.root / "bin" / "node"),
        cwd=fake.root / "app",
        env=fake.environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with desk_for(fake) as desk:
            fake.wait_for("the port", lambda: _answers(fake.port))
            seen = desk.look()
        assert (seen.claims, seen.instances) == ((), ())
    finally:
        process.kill()
        process.wait()
        fake.close()


def _answers(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


def test_a_server_that_hangs_makes_its_sessions_stale_and_is_told(one: Desk) -> None:
    agent = one.fake.session("w")
    one.look(later_s=90)
    one.fake.behave(hangs=True)
    try:
        seen = one.look(later_s=6)
        (instance,) = seen.instances
        assert instance.error is not None
        assert "does not answer within 2 s" in instance.error
        assert fact_of(seen, agent.session_id).title == "w"
        assert (EvidenceKind.RECORD, Speaks.UNREADABLE) in speaking(one, agent.session_id)
        assert fact_of(seen, agent.session_id).ladder == ()
    finally:
        one.fake.behave()


@pytest.mark.parametrize(
    ("status", "text", "what"),
    [
        (403, "Forbidden: host not allowed", "does not let this program in (“Forbidden: host not allowed”)"),
        (429, "Too Many Requests — try again later", "locked this computer out"),
        (502, "<html>Bad gateway</html>", "answers with 502"),
    ],
)
def test_answers_in_plain_text_are_the_instances_error(one: Desk, status: int, text: str, what: str) -> None:
    agent = one.fake.session("w")
    one.fake.behave(status=status, text=text)
    try:
        began = len(one.targets())
        seen = one.look()
        (instance,) = seen.instances
        assert instance.error is not None
        assert what in instance.error
        assert (EvidenceKind.RECORD, Speaks.UNREADABLE) in speaking(one, agent.session_id)
        for _ in range(5):
            one.look(later_s=2)
        # a refusal is not repeated, and 429 is left in peace for its time
        assert len(one.targets()) - began == (1 if status != 502 else 2)
    finally:
        one.fake.behave()


# --- signing in ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=VERSIONS)
def with_password(request: pytest.FixtureRequest) -> Iterator[FakeCodeman]:
    version: Version = request.param
    with running(version, password=PASSWORD) as fake:
        yield fake


@pytest.fixture
def locked(with_password: FakeCodeman) -> Iterator[Desk]:
    """Return a desk with a server that wants a password and that nobody has signed in to yet."""
    with_password.reset()
    with_password.agents_are(helpers=False)
    with desk_for(with_password) as made:
        yield made


def heads(desk: Desk, name: str) -> list[str]:
    return [each["headers"][name] for each in desk.fake.asked() if name in each["headers"]]


def test_a_password_is_sent_once_and_the_cookie_from_then_on(locked: Desk) -> None:
    agent = locked.fake.session("w")
    locked.access = HostAccess(secret=PASSWORD)
    tests_own = len(heads(locked, "authorization"))
    for _ in range(4):
        seen = locked.look(later_s=6)
    fact = fact_of(seen, agent.session_id)
    (instance,) = seen.instances
    assert instance.error is None
    assert len(heads(locked, "authorization")) == tests_own + 1
    assert len(set(heads(locked, "cookie"))) == 1
    assert len(heads(locked, "cookie")) >= 3
    (finding,) = [f for f in locked.adapter.findings(locked.around) if f.standing is Standing.GOOD]
    assert "then by cookie" in finding.what
    assert PASSWORD not in repr(seen) + repr(locked.adapter.findings(locked.around))
    locked.later_s += 90
    answer = asyncio.run(locked.adapter.call("delete", fact, locked.around))
    assert answer.ok, answer.message
    assert len(heads(locked, "authorization")) == tests_own + 1


def test_a_wrong_password_is_tried_once_and_the_lockout_is_never_reached(locked: Desk) -> None:
    agent = locked.fake.session("w")
    for secret in (None, "wrong", "worse"):
        locked.access = HostAccess(secret=secret)
        began = len(locked.targets())
        for _ in range(6):
            seen = locked.look(later_s=20)
        assert len(locked.targets()) - began == 1
        (instance,) = seen.instances
        assert instance.error is not None
        assert ("does not take the password" in instance.error) is (secret is not None)
        assert ("asks for a password" in instance.error) is (secret is None)
    # the session is shown all the same, and nothing is concluded from the server's silence
    assert (EvidenceKind.RECORD, Speaks.UNREADABLE) in speaking(locked, agent.session_id)
    assert fact_of(seen, agent.session_id).ladder == ()
    assert locked.fake.call("GET", "/api/status").status == 200
    locked.access = HostAccess(secret=PASSWORD)
    assert locked.look(later_s=20).instances[0].error is None


def test_the_password_is_read_from_the_servers_environment_only_after_consent(locked: Desk) -> None:
    locked.fake.session("w")
    locked.look()
    (offer,) = locked.adapter.setups(locked.around)
    assert offer.permits is Permission.READ_SECRET
    assert str(locked.fake.pid) in offer.steps[0]
    assert offer.undo == "agentring hosts forbid codeman read-secret"
    locked.adapter.set_up(offer, locked.around)
    locked.allow_reading()
    assert locked.look(later_s=20).instances[0].error is None
    assert locked.adapter.setups(locked.around) == ()
    assert heads(locked, "authorization")[-1] == basic(PASSWORD)


def test_a_socket_that_cannot_be_seen_for_a_moment_is_no_reason_to_sign_in_again(
    locked: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked.fake.session("w")
    locked.access = HostAccess(secret="wrong")
    locked.look()
    began = len(locked.targets())
    monkeypatch.setattr(locked.probe, "listening_ports", lambda _identity: None)
    for _ in range(4):
        locked.look(later_s=70)
    assert len(locked.targets()) == began
    assert locked.look().instances[0].identity is not None


def test_no_browser_is_thrown_out(locked: Desk) -> None:
    fake = locked.fake
    fake.session("w")
    handed = fake.call("GET", "/api/status").headers["set-cookie"].split(";")[0]
    locked.access = HostAccess(secret=PASSWORD)
    for _ in range(12):
        locked.look(later_s=6)
    assert fake.call("GET", "/api/status", headers={"cookie": handed}, login=False).status == 200


def test_a_sign_in_that_ended_is_not_repeated_by_itself(locked: Desk) -> None:
    fake = locked.fake
    fake.session("w")
    locked.access = HostAccess(secret=PASSWORD)
    locked.look()
    for _ in range(100):  # a hundred sign-ins of others
        fake.call("GET", "/api/status")
    began = len(locked.targets())
    for _ in range(4):
        seen = locked.look(later_s=20)
    assert len(locked.targets()) - began == 1
    error = seen.instances[0].error
    assert error is not None
    assert "has ended the sign-in" in error


@needs_openssl
def test_https_trusts_the_servers_own_certificate_and_nothing_else() -> None:
    with running("1.2.2", https=True) as fake, desk_for(fake) as desk:
        agent = fake.session("w")
        seen = desk.look(later_s=90)
        (instance,) = seen.instances
        assert (instance.address, instance.error) == (fake.url, None)
        assert fact_of(seen, agent.session_id).title == "w"
        # told by its port alone: nothing says that it speaks HTTPS
        plain = Servers()
        scene = scene_of(desk.table or desk.probe.scan(), [], desk.around)
        process = (desk.table or desk.probe.scan()).processes[fake.pid]
        scene = replace(scene, servers=(replace(process, argv=tuple(a for a in process.argv or () if a != "--https")),))
        (found,) = asyncio.run(plain.look(scene, desk.probe.scan(), desk.around, desk.around.now_epoch_s()))
        assert (found.client.address, found.fault) == (f"https://127.0.0.1:{fake.port}", None)
        # another certificate of the same name
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", os.devnull,
             "-out", str(fake.certificate)],
            check=True,
            capture_output=True,
        )  # fmt: skip
        (instance,) = desk.look(later_s=20).instances
        assert instance.error is not None
        assert "another certificate" in instance.error
        fake.certificate.unlink()
        (instance,) = desk.look(later_s=20).instances
        assert instance.error is not None
        assert "cannot be read" in instance.error


# --- what is left in tmux --------------------------------------------------------------------------------------------


def test_a_dead_pane_that_still_reads_idle_has_ended_and_can_be_cleared(desk: Desk) -> None:
    fake = desk.fake
    agent = fake.session("w")
    desk.look(later_s=90)
    fake.exit(agent, 3)
    assert fake.record(agent.session_id)["status"] == "idle"
    fact = desk.fact(agent.session_id, later_s=20)
    assert fact.remnant
    (ended,) = [e.fact for e in fact.evidence if e.speaks_for is Speaks.ENDED]
    # tmux does not always tell how it ended
    assert ended.replace(" (exit 3)", "") == "Its program has ended; Codeman still lists it"
    answer = asyncio.run(desk.adapter.call("delete", fact, desk.around))
    assert answer.ok, answer.message
    fake.forget_answers()
    assert desk.look(later_s=20).sessions == ()


def test_an_exit_that_codeman_tells_of_needs_no_second_look(one: Desk) -> None:
    one.fake.session("other")
    session_id = one.fake.create("done")
    one.fake.lay_over(session_id, paneExit={"status": 0, "at": 1796039330902})
    assert one.fact(session_id).remnant


def test_a_deleted_session_that_is_still_told_for_a_second_is_not_shown(desk: Desk) -> None:
    agent, _ = desk.fake.session("w"), desk.fake.session("other")
    fact = desk.fact(agent.session_id, later_s=90)
    assert asyncio.run(desk.adapter.call("delete", fact, desk.around)).ok
    desk.fake.wait_gone(agent.pid)
    assert [each.title for each in desk.look().sessions] == ["other"]


def test_a_session_that_was_only_just_made_is_no_remnant(one: Desk) -> None:
    one.fake.session("other")
    session_id = one.fake.create("fresh")
    assert session_id not in {fact.key.session_id for fact in one.look().sessions}
    assert one.fact(session_id, later_s=12).remnant


def test_what_a_dead_agent_left_behind_is_not_its_session_any_more(one: Desk) -> None:
    fake = one.fake
    agent = fake.session("w")
    left = fake.spawn(agent, "sleep", "36003", setsid=True)
    fake.signal(agent, signal.SIGKILL)
    seen = one.look(later_s=20)
    assert fact_of(seen, agent.session_id).remnant
    claims = {claim.identity.pid: claim for claim in seen.claims}
    assert (claims[left].role, claims[left].session) == (Role.UNKNOWN, SessionKey("codeman", agent.session_id))


def test_adopted_sessions_are_joined_by_their_tmux_name_and_told_by_what_runs(desk: Desk) -> None:
    fake = desk.fake
    agent, shell = fake.session("w"), fake.session("sh", mode="shell")
    fake.restart(forgets=True)
    seen = desk.look(later_s=90)
    fact = fact_of(seen, f"restored-{agent.session_id[:8]}")
    # what is said of it is the server's own folder
    assert fact.cwd == str(fake.home / "projects" / "w")
    ticket = fact.resume
    assert ticket is not None
    assert dict(ticket.given)["resumeSessionId"] == agent.session_id
    claims = {claim.identity.pid: claim for claim in seen.claims}
    assert claims[agent.pid].session == fact.key
    assert (EvidenceKind.VIEW, Speaks.PROTECTS) in speaking(desk, f"restored-{shell.session_id[:8]}")


def test_the_conversation_of_a_resumed_session_is_known_after_a_restart_that_forgets_it(one: Desk) -> None:
    fake = one.fake
    fake.transcript(CONVERSATION)
    agent = fake.session("resumed", resumes=CONVERSATION)
    fake.restart()
    assert fake.record(agent.session_id)["claudeSessionId"] == agent.session_id
    ticket = one.fact(agent.session_id, later_s=90).resume
    assert ticket is not None
    assert dict(ticket.given)["resumeSessionId"] == CONVERSATION


def test_a_session_that_codeman_let_go_of_is_still_its_own_and_is_closed_through_tmux(desk: Desk) -> None:
    fake = desk.fake
    agent = fake.session("w")
    fake.call("DELETE", f"/api/sessions/{agent.session_id}?killMux=false")
    fake.forget_answers()
    (fake.data / "session-lifecycle.jsonl").unlink()
    assert any("looked at once more" in e.fact for e in desk.fact(agent.session_id, later_s=90).evidence)
    assert "GET /api/mux-sessions" not in desk.targets()
    fact = desk.fact(agent.session_id, later_s=12)
    assert any("let go of it" in e.fact for e in fact.evidence)
    assert not any(claim.leaked for claim in desk.look(later_s=60).claims)
    answer = asyncio.run(desk.adapter.call("delete", fact, desk.around))
    assert answer.ok, answer.message
    fake.wait_gone(agent.pid)


def test_an_agent_in_neither_list_is_an_orphan_when_seen_twice(desk: Desk) -> None:
    fake = desk.fake
    agent, other = fake.session("w"), fake.session("other")
    fake.kill_tmux_session(agent)
    fact = desk.fact(agent.session_id, later_s=90)
    assert any("cannot reach" in e.fact for e in fact.evidence)
    # success within milliseconds, and nothing was ended
    assert asyncio.run(desk.adapter.call("delete", fact, desk.around)).ok
    fake.forget_answers()

    def leaked() -> set[int]:
        return {claim.identity.pid for claim in desk.look().claims if claim.leaked}

    (desk.fake.data / "session-lifecycle.jsonl").unlink()
    assert leaked() == set()
    desk.later_s += 6
    assert leaked() == set()
    desk.later_s += 20
    assert leaked() == {agent.pid}
    assert {f.key.session_id for f in desk.look().sessions} == {other.session_id}


def test_a_session_whose_end_the_server_wrote_down_need_not_be_missed_twice(one: Desk) -> None:
    agent, _ = one.fake.session("w"), one.fake.session("other")
    one.fake.kill_tmux_session(agent)
    one.fake.call("DELETE", f"/api/sessions/{agent.session_id}")
    one.fake.forget_answers()
    assert not any(claim.leaked for claim in one.look(later_s=2).claims)
    one.adapter = OwnCodeman(one.fake)  # started anew, as the command line is
    assert {claim.identity.pid for claim in one.look(later_s=12).claims if claim.leaked} == {agent.pid}


def test_a_server_that_cannot_be_read_makes_nobody_an_orphan(one: Desk) -> None:
    fake = one.fake
    agent = fake.session("w")
    fake.behave(status=403, text="Forbidden")
    try:
        for _ in range(5):
            seen = one.look(later_s=20)
        assert not any(claim.leaked for claim in seen.claims)
        assert fact_of(seen, agent.session_id).key.session_id == agent.session_id
    finally:
        fake.behave()


def test_a_second_list_that_is_closed_to_us_makes_nobody_an_orphan_and_closes_nothing_else(one: Desk) -> None:
    fake = one.fake
    agent, other = fake.session("w"), fake.session("other")
    fake.call("DELETE", f"/api/sessions/{agent.session_id}?killMux=false")
    (fake.data / "mux-sessions.json").unlink()
    fake.forget_answers()
    fake.behave(only="GET /api/mux-sessions", status=403, text="Forbidden")
    try:
        for _ in range(4):
            seen = one.look(later_s=20)
        assert not any(claim.leaked for claim in seen.claims)
        assert seen.instances[0].error is None
        assert fact_of(seen, other.session_id).ladder != ()
    finally:
        fake.behave()


def test_another_instances_server_makes_nobody_an_orphan(one: Desk) -> None:
    fake = one.fake
    agent = fake.session("w")
    fake.end(signal.SIGKILL)
    environ = fake.environ
    fake.environ = {**environ, "CODEMAN_INSTANCE": "beta", "CODEMAN_DATA_DIR": str(fake.home / ".codeman-beta")}
    (fake.data / "mux-sessions.json").unlink()
    try:
        fake.start()
        for _ in range(5):
            seen = one.look(later_s=20)
        if agent.session_id in {f.key.session_id for f in seen.sessions}:
            assert not any(claim.leaked for claim in seen.claims)
    finally:
        fake.end(signal.SIGKILL)
        fake.environ = environ
        fake.start()


# --- calls -----------------------------------------------------------------------------------------------------------


def test_a_session_that_works_by_now_is_not_closed_since_codeman_would_not_refuse(desk: Desk) -> None:
    agent = desk.fake.session("w")
    fact = desk.fact(agent.session_id, later_s=90)
    desk.fake.busy(agent)
    answer = asyncio.run(desk.adapter.call("delete", fact, desk.around))
    assert (answer.ok, answer.message) == (False, "It works by now: Codeman says busy")
    assert desk.targets("DELETE") == []


def test_what_was_written_since_the_look_keeps_a_session(one: Desk) -> None:
    agent = one.fake.session("w")
    fact = one.fact(agent.session_id, later_s=90)
    before = one.fake.pane(agent)["activity"]

    def moved() -> bool:
        one.fake.print(agent)
        return one.fake.pane(agent)["activity"] > before

    one.fake.wait_for("the activity to move", moved)
    answer = asyncio.run(one.adapter.call("delete", fact, one.around))
    assert not answer.ok
    assert "since it was looked at" in answer.message


def test_closing_sends_no_content_type_no_origin_and_never_keeps_the_agent(desk: Desk) -> None:
    agent = desk.fake.session("w")
    fact = desk.fact(agent.session_id, later_s=90)
    first = asyncio.run(desk.adapter.call("delete", fact, desk.around))
    again = asyncio.run(desk.adapter.call("delete", fact, desk.around))
    assert (first.ok, again.ok, again.message) == (True, True, "already gone")
    desk.fake.wait_gone(agent.pid)
    deletes = [each for each in desk.fake.asked() if each["method"] == "DELETE"]
    assert [each["target"] for each in deletes] == [f"/api/sessions/{agent.session_id}"]
    assert all(set(each["headers"]) == {"host"} for each in deletes)
    assert not any("origin" in each["headers"] for each in desk.fake.asked())


def test_a_call_that_is_not_offered_is_refused(one: Desk) -> None:
    agent = one.fake.session("w")
    fact = one.fact(agent.session_id)
    assert not asyncio.run(one.adapter.call("detach", fact, one.around)).ok
    assert not asyncio.run(Codeman().call("delete", fact, one.around)).ok


def test_a_released_session_is_brought_back_by_the_api(desk: Desk) -> None:
    fake = desk.fake
    fake.transcript(CONVERSATION)
    agent = fake.session("resumed", resumes=CONVERSATION)
    fact = desk.fact(agent.session_id, later_s=90)
    assert fact.resume is not None
    assert asyncio.run(desk.adapter.call("delete", fact, desk.around)).ok
    fake.wait_gone(agent.pid)
    fake.forget_answers()
    desk.look(later_s=20)
    answer = asyncio.run(desk.adapter.resume(fact.resume, desk.around))
    assert answer.ok, answer.message
    fake.forget_answers()
    (back,) = desk.look(later_s=20).sessions
    assert back.title == "resumed"
    assert back.key.session_id in answer.message
    assert back.key != fact.key
    assert dict(back.resume.given if back.resume else ())["resumeSessionId"] == CONVERSATION
    starts = [each for each in fake.asked() if each["target"].endswith("/interactive")]
    assert "content-type" not in starts[-1]["headers"]


def test_a_resume_that_fails_names_the_mend(one: Desk) -> None:
    one.fake.session("w")
    one.look()
    lost = ResumeTicket(call="resume", given=(("workingDir", str(one.fake.home / "gone")), ("name", "x")))
    answer = asyncio.run(one.adapter.resume(lost, one.around))
    assert not answer.ok
    assert "Make the folder again" in answer.message
    nobody = asyncio.run(Codeman().resume(lost, one.around))
    assert (nobody.ok, "Start Codeman" in nobody.message) == (False, True)
    assert not asyncio.run(one.adapter.resume(ResumeTicket(), one.around)).ok
