"""Who gets a signal and who does not; each refusal with the process that it saves."""

from __future__ import annotations

import signal
from dataclasses import replace
from typing import Self

import pytest

from tests.tables import OWN_NAMESPACE, OWN_PID, ScriptedProbe, process, table
from trayapp.model.plan import Reason
from trayapp.model.process import Identity, Process, ProcessStatus, ProcessTable
from trayapp.probe.signals import SendResult
from trayapp.reclaim.guard import Delivered, Delivery, Guard

AGENT = process(200, 100, argv=("/opt/agent", "--resume", "s1"))
TERMINAL = process(100, argv=("bash",))


class Handle:
    """Stand for an open process; what it is sent goes to the log of the system it belongs to."""

    def __init__(self, identity: Identity, system: System) -> None:
        self.identity = identity
        self._system = system

    def is_alive(self) -> bool:
        return self._system.probe.table.get(self.identity) is not None

    def send(self, sig: signal.Signals) -> SendResult:
        self._system.sent.append((self.identity.pid, sig))
        return self._system.answer

    def close(self) -> None:
        self._system.closed.append(self.identity.pid)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class System:
    """Stand for the processes of a machine and for what was done to them."""

    def __init__(self, now: ProcessTable) -> None:
        self.probe = ScriptedProbe(now)
        self.sent: list[tuple[int, signal.Signals]] = []
        self.opened: list[int] = []
        self.closed: list[int] = []
        self.answer = SendResult.SENT

    def open(self, identity: Identity) -> Handle | None:
        self.opened.append(identity.pid)
        found = self.probe.table.get(identity)
        return Handle(identity, self) if found is not None and not found.is_zombie else None


def send(now: ProcessTable, *targets: Process, caller_pid: int | None = None) -> tuple[System, tuple[Delivered, ...]]:
    system = System(now)
    guard = Guard(system.probe, open_handle=system.open, caller_pid=caller_pid)
    return system, guard.send(targets, signal.SIGTERM)


def refusal(now: ProcessTable, target: Process, caller_pid: int | None = None) -> Reason | None:
    """Return why the target was refused; nothing may have been sent to anyone then."""
    system, (told,) = send(now, target, caller_pid=caller_pid)
    assert told.delivery is Delivery.REFUSED
    assert system.sent == []
    return told.reason


def test_a_process_of_the_users_own_gets_the_signal_and_no_other_does() -> None:
    system, told = send(table(TERMINAL, AGENT), AGENT)
    assert [each.delivery for each in told] == [Delivery.SENT]
    assert system.sent == [(200, signal.SIGTERM)]


def test_signals_go_out_in_the_order_given() -> None:
    helper = process(300, 200, argv=("node", "server.js"))
    system, _ = send(table(TERMINAL, AGENT, helper), helper, AGENT)
    assert [pid for pid, _ in system.sent] == [300, 200]


def test_program_and_arguments_are_read_anew_before_every_signal() -> None:
    system, _ = send(table(TERMINAL, AGENT), AGENT)
    assert system.probe.doubted == [AGENT.identity]
    assert system.probe.scans == 1


def test_handles_are_opened_before_the_table_is_read_and_all_closed() -> None:
    order: list[str] = []
    system = System(table(TERMINAL, AGENT))

    class NotingProbe(ScriptedProbe):
        def scan(self, *, whole: bool = True) -> ProcessTable:
            order.append("scan")
            return super().scan(whole=whole)

    def open_and_note(identity: Identity) -> Handle | None:
        order.append("open")
        return system.open(identity)

    Guard(NotingProbe(system.probe.table), open_handle=open_and_note).send([AGENT], signal.SIGTERM)
    assert order == ["open", "scan"]
    assert system.closed == system.opened


def test_handles_are_closed_when_one_cannot_be_opened() -> None:
    system = System(table(TERMINAL, AGENT))

    def open_or_fail(identity: Identity) -> Handle | None:
        if identity == TERMINAL.identity:
            raise OSError(24, "Too many open files")
        return system.open(identity)

    with pytest.raises(OSError, match="Too many"):
        Guard(system.probe, open_handle=open_or_fail).send([AGENT, TERMINAL], signal.SIGTERM)
    assert system.closed == [200]
    assert system.sent == []


def test_a_recycled_pid_is_refused() -> None:
    another = process(200, 100, start=9999, argv=AGENT.argv or ())
    assert refusal(table(TERMINAL, another), AGENT) is Reason.IDENTITY_CHANGED


def test_a_process_that_called_exec_is_refused() -> None:
    accounting = replace(AGENT, name="accounting", exe="/usr/bin/accounting", argv=("accounting", "--post"))
    assert refusal(table(TERMINAL, accounting), AGENT) is Reason.IDENTITY_CHANGED


def test_another_script_in_the_same_interpreter_is_another_program() -> None:
    agent = process(200, 100, argv=("python3", "/opt/agent.py"))
    accounting = replace(agent, argv=("python3", "/opt/accounting.py"))
    assert refusal(table(TERMINAL, accounting), agent) is Reason.IDENTITY_CHANGED


def test_a_program_that_writes_a_title_over_its_arguments_stays_itself() -> None:
    titled = replace(AGENT, argv=("agent: working on it",))
    system, _ = send(table(TERMINAL, titled), AGENT)
    assert system.sent == [(200, signal.SIGTERM)]


def test_a_process_that_cannot_be_read_any_more_is_refused() -> None:
    dark = replace(AGENT, exe=None, argv=None, unreadable=frozenset({"exe", "argv"}))
    assert refusal(table(TERMINAL, dark), AGENT) is Reason.IDENTITY_UNVERIFIED


def test_the_monitor_itself_is_refused() -> None:
    now = table(TERMINAL, AGENT)
    assert refusal(now, now.processes[OWN_PID]) is Reason.SELF_OR_ANCESTOR


def test_an_agent_that_the_monitor_runs_in_is_refused() -> None:
    shell = process(300, 200, argv=("bash", "-c", "agentring"))
    now = table(TERMINAL, AGENT, shell, process(OWN_PID, 300, argv=("agentring",)))
    assert refusal(now, AGENT) is Reason.SELF_OR_ANCESTOR
    assert refusal(now, TERMINAL) is Reason.SELF_OR_ANCESTOR


def test_who_asks_from_outside_and_its_ancestors_are_refused() -> None:
    caller = process(300, 200, argv=("bash",))
    assert refusal(table(TERMINAL, AGENT, caller), AGENT, caller_pid=300) is Reason.SELF_OR_ANCESTOR


@pytest.mark.parametrize("uid", [0, 1001, None])
def test_a_process_of_another_or_unreadable_user_is_refused(uid: int | None) -> None:
    theirs = replace(AGENT, uid=uid)
    assert refusal(table(TERMINAL, theirs), theirs) is Reason.NOT_OURS


def test_a_process_in_a_container_is_refused() -> None:
    inside = replace(AGENT, pid_namespace=OWN_NAMESPACE + 1)
    assert refusal(table(TERMINAL, inside), inside) is Reason.OTHER_PID_NAMESPACE


def test_a_service_is_refused() -> None:
    daemon = replace(AGENT, unit="ollama.service")
    assert refusal(table(TERMINAL, daemon), daemon) is Reason.LEGIT_DAEMON


@pytest.mark.parametrize("program", ["tmux", "kitty", "sshd", "systemd", "iTerm2"])
def test_terminals_multiplexers_and_service_managers_are_refused(program: str) -> None:
    bystander = process(200, 100, argv=(program,))
    assert refusal(table(TERMINAL, bystander), bystander) is Reason.PROTECTED_APP


def test_an_editor_below_an_agent_is_its_work_and_may_be_ended() -> None:
    editor = process(300, 200, argv=("vim", "COMMIT_EDITMSG"))
    system, _ = send(table(TERMINAL, AGENT, editor), editor)
    assert system.sent == [(300, signal.SIGTERM)]


def test_init_and_other_reapers_are_refused() -> None:
    subreaper = process(150, argv=("my-reaper",))
    now = table(TERMINAL, subreaper, reaper_pids=frozenset({1, 150}), own_uid=None)
    assert refusal(now, subreaper) is Reason.PROTECTED_APP
    assert refusal(now, now.processes[1]) is Reason.SELF_OR_ANCESTOR


def test_what_is_gone_or_a_zombie_is_told_as_gone() -> None:
    zombie = replace(AGENT, status=ProcessStatus.ZOMBIE)
    for now in (table(TERMINAL), table(TERMINAL, zombie)):
        system, (told,) = send(now, AGENT)
        assert told.delivery is Delivery.GONE
        assert system.sent == []


def test_one_that_ends_between_the_scan_and_the_signal_is_told_as_gone() -> None:
    system = System(table(TERMINAL, AGENT))
    system.answer = SendResult.GONE
    (told,) = Guard(system.probe, open_handle=system.open).send([AGENT], signal.SIGTERM)
    assert told.delivery is Delivery.GONE


def test_one_that_could_not_be_opened_gets_nothing_even_if_it_stands_in_the_table() -> None:
    system = System(table(TERMINAL, AGENT))
    (told,) = Guard(system.probe, open_handle=lambda _identity: None).send([AGENT], signal.SIGTERM)
    assert told.delivery is Delivery.GONE
    assert system.sent == []


def test_a_signal_that_the_system_forbids_is_told_as_denied() -> None:
    system = System(table(TERMINAL, AGENT))
    system.answer = SendResult.DENIED
    (told,) = Guard(system.probe, open_handle=system.open).send([AGENT], signal.SIGTERM)
    assert told.delivery is Delivery.DENIED


def test_nobody_to_signal_costs_no_scan() -> None:
    system, told = send(table(TERMINAL))
    assert told == ()
    assert system.probe.scans == 0


def test_alive_leaves_out_zombies_and_other_processes_with_that_pid() -> None:
    zombie = process(300, 200, status=ProcessStatus.ZOMBIE)
    recycled = process(400, start=9999)
    system = System(table(AGENT, zombie, recycled))
    guard = Guard(system.probe, open_handle=system.open)
    asked = [AGENT.identity, zombie.identity, Identity(400, 400), Identity(500, 500)]
    assert guard.alive(asked) == {AGENT.identity}
    assert system.closed == [200]
