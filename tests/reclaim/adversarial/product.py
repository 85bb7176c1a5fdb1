"""The product put together by its public parts, with doors through which a scene can step in between.

Real probe, real monitor, real guard, real executor. A door changes when something happens, never what is decided.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.reclaim.adversarial.host import StageHost
from trayapp.hosts.base import Surroundings
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.receipt import Progress, Receipt, Target
from trayapp.model.snapshot import Look, Snapshot
from trayapp.monitor import Monitor
from trayapp.probe import Probe
from trayapp.probe.signals import ProcessHandle, SendResult, open_process
from trayapp.reclaim.executor import Executor
from trayapp.reclaim.guard import Guard
from trayapp.reclaim.journal import Intent, Journal
from trayapp.reclaim.plan import Rules


def nothing(*_what: object) -> None:
    """Let nothing happen."""


def once(happens: Callable[[], None]) -> Callable[[], None]:
    """Have something happen at the first call only."""
    left = [happens]
    return lambda: left.pop()() if left else None


class SeenProbe(Probe):
    """Read the real system; a scene may have it look different than it is."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.shows: Callable[[ProcessTable], ProcessTable] = lambda table: table

    def scan(self, *, whole: bool = True) -> ProcessTable:
        return self.shows(super().scan(whole=whole))


class NotedJournal(Journal):
    """Write the real journal; a scene may do something before and after each line."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.happens: Callable[[str], None] = nothing

    def write_intent(self, intent: Intent) -> None:
        self.happens("before the intent")
        super().write_intent(intent)
        self.happens("after the intent")

    def write_receipt(self, receipt: Receipt) -> None:
        self.happens("before the receipt")
        super().write_receipt(receipt)
        self.happens("after the receipt")


class _Reader:
    """Read for the guard."""

    def __init__(self, product: Product) -> None:
        self._product = product

    def scan(self) -> ProcessTable:
        self._product.before_the_guard_looks()
        return self._product.probe.scan()

    def forget(self, identities: Collection[Identity]) -> None:
        self._product.probe.forget(identities)


class _Handle:
    """Hold a process for the guard."""

    def __init__(self, handle: ProcessHandle, product: Product) -> None:
        self._handle, self._product, self.identity = handle, product, handle.identity

    def is_alive(self) -> bool:
        return self._handle.is_alive()

    def send(self, sig: signal.Signals) -> SendResult:
        self._product.before_a_signal(self.identity, sig)
        if self._product.swallows(self.identity):
            return SendResult.SENT
        answer = self._handle.send(sig)
        self._product.after_a_signal(self.identity, sig)
        return answer

    def close(self) -> None:
        self._handle.close()

    def __enter__(self) -> _Handle:
        return self

    def __exit__(self, *_why: object) -> None:
        self.close()


class Product:
    """Look and act as the core does.

    Attributes:
        after_the_click: once, when the look of the click was taken and nothing was signalled yet; before_the_click:
            just before that look.
        before_the_guard_looks: the guard holds its processes open and is about to read them again.
        before_a_signal, after_a_signal: with whom and which.
        swallows: whose signals get lost, as in an uninterruptible sleep.
        during_progress: at every word on how far it is.
        now_s: the wall clock of hosts.
        kept: what the user keeps.
    """

    def __init__(self, root: Path, host: StageHost) -> None:
        host.root = root
        self.host = host
        self.before_the_click: Callable[[], None] = nothing
        self.after_the_click: Callable[[], None] = nothing
        self.before_the_guard_looks: Callable[[], None] = nothing
        self.before_a_signal: Callable[[Identity, signal.Signals], None] = nothing
        self.after_a_signal: Callable[[Identity, signal.Signals], None] = nothing
        self.swallows: Callable[[Identity], bool] = lambda _identity: False
        self.during_progress: Callable[[Progress], None] = nothing
        self.now_s: Callable[[], float] = time.time
        self.probe = SeenProbe(environment_names=set(host.environment_names))
        self.around = Surroundings(
            home=root / "home", environ={}, now_epoch_s=lambda: self.now_s(), processes=self.probe
        )
        self.kept: frozenset[str] = frozenset()
        self.monitor = Monitor(
            probe=self.probe, hosts=(host,), around=self.around, rules=Rules(), kept=lambda: self.kept
        )
        self.journal = NotedJournal(root / "journal.jsonl")
        self.guard = Guard(_Reader(self), open_handle=self._open)
        self.executor = Executor(
            look=self._look_of_the_click,
            guard=self.guard,
            measures=self.probe,
            journal=self.journal,
            hosts={host.label.host: host},
            around=self.around,
        )

    def _open(self, identity: Identity) -> _Handle | None:
        handle = open_process(identity)
        return _Handle(handle, self) if handle is not None else None

    async def _look_of_the_click(self) -> Look:
        before, self.before_the_click = self.before_the_click, nothing
        await asyncio.to_thread(before)
        look = await self.monitor.look()
        after, self.after_the_click = self.after_the_click, nothing
        await asyncio.to_thread(after)
        return look

    def show(self, change: Callable[[Process], Process | None]) -> None:
        """Have every process pass through this wherever the system is read; None takes it out."""

        def changed(table: ProcessTable) -> ProcessTable:
            seen = {pid: now for pid, process in table.processes.items() if (now := change(process)) is not None}
            return replace(table, processes=seen, changes=None)

        self.probe.shows = changed

    def start(self) -> None:
        self.monitor.start(ticking=False)

    def stop(self) -> None:
        self.monitor.stop()

    def look(self, times: int = 2) -> Snapshot:
        """Look twice, as idleness wants."""
        for _ in range(times):
            found = self.monitor.submit(self.monitor.look).result(60)
        return found.snapshot

    def begin(self, targets: Sequence[Target], origin: str = "test") -> Future[Receipt]:
        """Begin to carry targets out."""

        async def carry_out() -> Receipt:
            receipt = await self.executor.carry_out(targets, origin, lambda p: self.during_progress(p))
            self.monitor.note(receipt)
            return receipt

        return self.monitor.submit(carry_out)
