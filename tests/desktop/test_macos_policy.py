"""macOS by the Objective-C runtime: the right messages, in the right order, and nothing elsewhere."""

from __future__ import annotations

import pytest

from trayapp.desktop import macos_policy
from trayapp.desktop.macos_policy import Activity, ObjectiveC


class Recorder(ObjectiveC):
    """Stand for the runtime: notes messages, answers with small numbers."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, tuple[int | bytes, ...]]] = []
        self._names: dict[int, str] = {}

    def class_named(self, name: str) -> int:
        return self._known(name)

    def send(self, receiver: int, selector: str, *arguments: int | bytes) -> int:
        self.sent.append((self._names[receiver], selector, arguments))
        return self._known(f"{selector} of {self._names[receiver]}")

    def _known(self, name: str) -> int:
        number = len(self._names) + 1
        self._names[number] = name
        return number


def test_the_app_leaves_the_dock_for_good() -> None:
    objc = Recorder()
    assert macos_policy.become_accessory(objc)
    assert [(selector, arguments) for _, selector, arguments in objc.sent] == [
        ("sharedApplication", ()),
        ("setActivationPolicy:", (1,)),
    ]


def test_an_activity_is_held_once_and_given_back() -> None:
    objc = Recorder()
    activity = Activity(objc)
    activity.hold()
    activity.hold()
    held = activity.is_held
    assert held
    selectors = [selector for _, selector, _ in objc.sent]
    assert selectors.count("beginActivityWithOptions:reason:") == 1
    begin = next(arguments for _, selector, arguments in objc.sent if selector.startswith("begin"))
    assert begin[0] == 0x00EFFFFF
    activity.let_go()
    activity.let_go()
    assert not activity.is_held
    selectors = [selector for _, selector, _ in objc.sent]
    assert selectors.count("endActivity:") == 1
    assert selectors.count("retain") == selectors.count("release") == 1


def test_the_wish_for_less_motion_is_asked_of_the_workspace() -> None:
    objc = Recorder()
    assert macos_policy.reduces_motion(objc)
    assert [(who, selector) for who, selector, _ in objc.sent] == [
        ("NSWorkspace", "sharedWorkspace"),
        ("sharedWorkspace of NSWorkspace", "accessibilityDisplayShouldReduceMotion"),
    ]


def test_elsewhere_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(macos_policy, "_load", lambda: None)
    assert not macos_policy.reduces_motion()
    assert not macos_policy.become_accessory()
    activity = Activity()
    activity.hold()
    assert not activity.is_held
    activity.let_go()
