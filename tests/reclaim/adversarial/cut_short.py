"""Agent Rings that act in a scene and end by SIGKILL at a named step; told by lines on standard input."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from tests.reclaim.adversarial.host import CALL_STEP, KILL_STEP, TERM_STEP, StageHost
from tests.reclaim.adversarial.product import Product
from tests.reclaim.adversarial.stage import S1
from tests.trees import target_of
from trayapp.hosts.base import CallResult
from trayapp.model.plan import Action
from trayapp.model.session import SessionFact

JOURNAL_STEPS = ("before the intent", "after the intent", "before the receipt", "after the receipt")
STEPS = (
    *JOURNAL_STEPS[:2],
    "before the look",
    "after the look",
    "while the host is called",
    "while the guard looks",
    "before the signal",
    "after the signal",
    "while it waits",
    "before the second signal",
    *JOURNAL_STEPS[2:],
)
FORCED = ("before the second signal",)


def end() -> None:
    """End as by the system: at once, and without a word."""
    os.kill(os.getpid(), signal.SIGKILL)


def at(number: int) -> Callable[..., None]:
    """Return what ends this program when it is called for that time."""
    calls = [0]

    def called(*_what: object) -> None:
        calls[0] += 1
        if calls[0] == number:
            end()

    return called


def prepare(product: Product, step: str) -> None:
    """Have this program end at that step."""
    host = product.host
    if step in JOURNAL_STEPS:
        product.journal.happens = lambda where: end() if where == step else None
    elif step == "before the look":
        product.before_the_click = end
    elif step == "after the look":
        product.after_the_click = end
    elif step == "while the host is called":
        host.ladder = (CALL_STEP, TERM_STEP)

        async def call(_session: SessionFact) -> CallResult:
            end()
            raise AssertionError("ended")

        host.answers(call)
    elif step == "while the guard looks":
        product.before_the_guard_looks = end
    elif step == "before the signal":
        product.before_a_signal = at(1)
    elif step == "after the signal":
        product.after_a_signal = at(1)
    elif step == "before the second signal":
        product.before_a_signal = at(2)
    elif step == "while it waits":
        product.during_progress = at(1)


def act(root: Path, step: str, action: Action) -> None:
    """Act, and end at the step."""
    product = Product(root, StageHost(ladder=(TERM_STEP, KILL_STEP)))
    product.start()
    try:
        target = target_of(product.look(), S1, action, confirmed=True, force=step in FORCED)
        prepare(product, step)
        print("ready", flush=True)
        product.begin([target], "cut short").result(60)
    finally:
        product.stop()


def main() -> None:
    """Act for every line "ROOT STEP ACTION" (tabs in between) in a child of its own, and tell how each ended."""
    for line in sys.stdin:
        root, step, action = line.rstrip("\n").split("\t")
        child = os.fork()
        if child == 0:
            code = 1
            try:
                act(Path(root), step, Action(action))
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
