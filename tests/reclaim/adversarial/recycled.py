"""Scenes in a PID namespace of their own, in which a pid can be given to whom one likes: FOLDER ACTOR.

Runs below the first process of that namespace, an actor. Every scene ends with an innocent program under the pid of one
that was listed.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tests.reclaim.adversarial.conftest import shorten_waits
from tests.reclaim.adversarial.host import CALL_STEP, KILL_STEP, TERM_STEP, StageHost
from tests.reclaim.adversarial.product import once
from tests.reclaim.adversarial.stage import AGENT, MCP, Part, Stage, staged
from trayapp.hosts.base import CallResult
from trayapp.model.plan import Action
from trayapp.model.receipt import Fate
from trayapp.model.session import SessionFact

LONELY = Part(program=AGENT, session="s1")
HEIRS = {f"heir-{n}": Part(program="bin/heir", stays=True, later=True) for n in range(20)}


def hand_on(stage: Stage, old: str, *, below: str = "shell") -> str:
    """End a part and have an innocent program take its pid; returns that one's name."""
    identity = stage.identity(old)
    if stage.runs(old):
        stage.end(old)
    for name in HEIRS:
        if (stage.root / "roll" / name).exists():
            continue
        Path("/proc/sys/kernel/ns_last_pid").write_text(str(identity.pid - 1))
        stage.begin(name, below=below)
        stage.bystanders.add(name)
        if stage.pid(name) == identity.pid:
            assert stage.identity(name) != identity
            return name
    raise AssertionError(f"nobody got pid {identity.pid}")


def after_the_list(stage: Stage) -> None:
    """Between the list and the click."""
    target = stage.target(Action.KILL, force=True)
    hand_on(stage, "agent")
    assert stage.act(target).fate is Fate.ALREADY_GONE


def after_the_click(stage: Stage) -> None:
    """Between the look of the click and the first signal."""
    target = stage.target(Action.KILL, force=True)
    stage.product.after_the_click = lambda: note(hand_on(stage, "agent"))
    stage.act(target)


def while_it_is_held(stage: Stage) -> None:
    """While the guard holds the process and is about to read it again."""
    target = stage.target(Action.KILL, force=True)
    stage.product.before_the_guard_looks = once(lambda: note(hand_on(stage, "agent")))
    stage.act(target)


def right_before_the_signal(stage: Stage) -> None:
    """After everything was read again, at the last moment: the handle alone can tell."""
    target = stage.target(Action.KILL, force=True)
    hands_on = once(lambda: note(hand_on(stage, "agent")))
    stage.product.before_a_signal = lambda _identity, _which: hands_on()
    stage.act(target)


def between_two_rungs(stage: Stage) -> None:
    """A stubborn agent ends after it was asked, and another has its pid before it would be ended at once."""
    target = stage.target(Action.KILL, force=True)
    hands_on = once(lambda: note(hand_on(stage, "agent")))
    stage.product.after_a_signal = lambda _identity, _which: hands_on()
    stage.intends(agent="TERM")
    stage.act(target)


def while_the_host_is_called(stage: Stage) -> None:
    """The host ends its session, another gets the pid, and the host says that it could not."""
    stage.product.host.ladder = (CALL_STEP, TERM_STEP, KILL_STEP)

    async def end_and_deny(_session: SessionFact) -> CallResult:
        hand_on(stage, "agent")
        return CallResult(ok=False, message="no such session")

    stage.product.host.answers(end_and_deny)
    stage.act(stage.target(Action.RELEASE, force=True))


def a_helper_of_a_released_agent(stage: Stage) -> None:
    """A helper ends with its agent, and its pid is another's when left-over helpers are asked to end."""
    target = stage.target(Action.RELEASE, force=True)
    hands_on = once(lambda: note(hand_on(stage, "helper")))
    stage.product.after_a_signal = lambda _identity, _which: hands_on()
    stage.intends(agent="TERM")
    stage.act(target)


def a_child_of_the_other_session(stage: Stage) -> None:
    """The other session's work takes the pid of the listed agent."""
    target = stage.target(Action.KILL, force=True)
    hand_on(stage, "agent", below="other")
    stage.act(target)


def note(_name: str) -> None:
    """Give nothing back, as what happens in between must."""


SCENES: dict[str, Callable[[Stage], None]] = {
    scene.__name__.replace("_", "-"): scene
    for scene in (
        after_the_list,
        after_the_click,
        while_it_is_held,
        right_before_the_signal,
        between_two_rungs,
        while_the_host_is_called,
        a_helper_of_a_released_agent,
        a_child_of_the_other_session,
    )
}


def play(root: Path, actor: Path, name: str) -> str:
    """Play one scene; returns "played", or what went wrong."""
    helper = {"helper": Part(program=MCP, ends_with_input=True)} if name == "a-helper-of-a-released-agent" else {}
    agent = replace(LONELY, children=tuple(helper), stays=name == "between-two-rungs")
    try:
        with staged(root, actor, StageHost(), agent=agent, **helper, **HEIRS) as stage:
            SCENES[name](stage)
    except Exception:  # noqa: BLE001  whatever went wrong is what the test outside shows
        return traceback.format_exc()
    return "played"


def main(folder: Path, actor: Path) -> None:
    """Play all scenes and write down what came of each."""
    shorten_waits(setattr)
    for name in SCENES:
        (folder / name).write_text(play(folder / f"scene-{name}", actor, name))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
