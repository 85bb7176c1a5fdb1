"""Programs that are nobody's to end are known by what they are."""

from __future__ import annotations

import pytest

from tests.rows import process
from trayapp.bystanders import Bystander, bystander
from trayapp.model.process import Process


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        (process(1, 0, "/sbin/init"), Bystander.SERVICE_MANAGER),
        (process(2, 1, "/usr/lib/systemd/systemd", "--user"), Bystander.SERVICE_MANAGER),
        (process(3, 1, "tmux", "new-session", "-d"), Bystander.MULTIPLEXER),
        (process(4, 1, "x", name="tmux: server", argv=("tmux: server",)), Bystander.MULTIPLEXER),
        (process(5, 1, "x", name="tmux: client", argv=("rewritten",)), Bystander.MULTIPLEXER),
        (process(6, 1, "/usr/share/code/code"), Bystander.EDITOR),
        (process(7, 1, "C:\\Windows\\System32\\conhost.exe", "--headless"), Bystander.CONSOLE),
        (process(8, 1, "vmmemWSL"), Bystander.VIRTUAL_MACHINE),
        (process(9, 1, "node", "kitty.js"), None),
        (process(9, 1, "python", "-c", "tmux"), None),
    ],
)
def test_a_bystander_is_known_by_its_program(row: Process, kind: Bystander | None) -> None:
    assert bystander(row) is kind


def test_the_executable_counts_before_a_rewritten_title() -> None:
    assert bystander(process(5, 1, "anything", exe="/usr/bin/alacritty")) is Bystander.TERMINAL


def test_a_process_without_readable_names_is_no_bystander() -> None:
    assert bystander(process(5, 1, argv=None, name="")) is None
