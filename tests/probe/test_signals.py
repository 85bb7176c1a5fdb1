"""A signal reaches exactly the process that was seen, or nothing."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from trayapp.model.process import Identity
from trayapp.probe import linux, signals
from trayapp.probe.signals import PidfdProcess, ProcessHandle, RecheckedProcess, SendResult, open_process

if TYPE_CHECKING:
    from tests.probe.conftest import Start

Until = Callable[[Callable[[], bool]], None]
SomeoneElse = Callable[[], contextlib.AbstractContextManager[None]]

pytestmark = pytest.mark.linux


def identity_of(child: subprocess.Popen[bytes]) -> Identity:
    state = linux.read_state(child.pid)
    assert state is not None
    return Identity(child.pid, state[0])


@pytest.fixture(params=["pidfd", "rechecked"])
def opened(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Identity], ProcessHandle | None]:
    """Open a process as on this kernel, and as on one without pidfds."""
    if request.param == "rechecked":

        def no_such_call(pid: int) -> int:
            raise OSError(errno.ENOSYS, "Function not implemented")

        monkeypatch.setattr(os, "pidfd_open", no_such_call)
    return open_process


def test_a_pidfd_is_used_where_there_is_one(start: Start) -> None:
    with open_process(identity_of(start("sleep", "100"))) or pytest.fail("not opened") as handle:
        assert isinstance(handle, PidfdProcess)


def test_sends_to_the_process_and_sees_it_end(
    opened: Callable[[Identity], ProcessHandle | None], start: Start, until: Until
) -> None:
    child, other = start("sleep", "100"), start("sleep", "100")
    handle = opened(identity_of(child))
    assert handle is not None
    assert handle.identity == identity_of(child)
    assert handle.is_alive()
    assert handle.send(signal.SIGTERM) is SendResult.SENT
    until(lambda: not handle.is_alive())
    assert child.wait() == -signal.SIGTERM
    assert other.poll() is None
    handle.close()


def test_another_process_with_the_same_pid_is_not_opened(
    opened: Callable[[Identity], ProcessHandle | None], start: Start
) -> None:
    child = start("sleep", "100")
    before = identity_of(child)
    assert opened(Identity(before.pid, before.start - 1)) is None
    assert opened(Identity(before.pid, before.start + 1)) is None
    assert child.poll() is None


def test_a_process_that_is_gone_is_not_opened(opened: Callable[[Identity], ProcessHandle | None], start: Start) -> None:
    child = start("sleep", "100")
    identity = identity_of(child)
    child.kill()
    child.wait()
    assert opened(identity) is None


def test_a_zombie_counts_as_gone(
    opened: Callable[[Identity], ProcessHandle | None], start: Start, until: Until
) -> None:
    child = start("sleep", "100")
    identity = identity_of(child)
    with opened(identity) or pytest.fail("not opened") as handle:
        child.kill()
        until(lambda: not handle.is_alive())
        state = linux.read_state(child.pid)
        assert state == (identity.start, False)
        assert handle.send(signal.SIGTERM) is SendResult.GONE
    assert opened(identity) is None


def test_nothing_is_sent_to_a_process_that_ended_after_it_was_opened(
    opened: Callable[[Identity], ProcessHandle | None], start: Start
) -> None:
    child = start("sleep", "100")
    with opened(identity_of(child)) or pytest.fail("not opened") as handle:
        child.kill()
        child.wait()
        assert not handle.is_alive()
        assert handle.send(signal.SIGKILL) is SendResult.GONE


def test_without_pidfds_nothing_is_sent_once_the_pid_names_another(start: Start) -> None:
    child = start("sleep", "100")
    sent: list[tuple[int, int]] = []
    mine = identity_of(child)
    stale = RecheckedProcess(Identity(mine.pid, mine.start - 1), kill=lambda pid, sig: sent.append((pid, sig)))
    assert stale.send(signal.SIGTERM) is SendResult.GONE
    assert sent == []
    fresh = RecheckedProcess(mine, kill=lambda pid, sig: sent.append((pid, sig)))
    assert fresh.send(signal.SIGTERM) is SendResult.SENT
    assert sent == [(child.pid, signal.SIGTERM)]


def test_a_refused_signal_is_told(
    opened: Callable[[Identity], ProcessHandle | None], start: Start, someone_else: SomeoneElse
) -> None:
    child = start("sleep", "100")
    with someone_else(), opened(identity_of(child)) or pytest.fail("not opened") as handle:
        assert handle.send(signal.SIGTERM) is SendResult.DENIED
        assert handle.is_alive()


def test_a_closed_handle_sends_nothing(start: Start) -> None:
    child = start("sleep", "100")
    handle = open_process(identity_of(child))
    assert isinstance(handle, PidfdProcess)
    handle.close()
    handle.close()
    assert handle.send(signal.SIGTERM) is SendResult.GONE
    assert child.poll() is None


def test_no_descriptor_is_left_behind(start: Start) -> None:
    identity = identity_of(start("sleep", "100"))
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(10):
        assert open_process(Identity(identity.pid, identity.start + 1)) is None
        with open_process(identity) or pytest.fail("not opened"):
            pass
    assert len(os.listdir("/proc/self/fd")) == before


def test_sigterm_is_orderly_here() -> None:
    assert signals.sigterm_is_orderly()
