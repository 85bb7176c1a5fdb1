"""Recorded lines of /proc, also such as lie: the parsers must read them or say that they cannot."""

from __future__ import annotations

import pytest

from trayapp.model.process import Pressure
from trayapp.probe.linux_lines import (
    environment_pattern,
    is_thread,
    parse_argv,
    parse_cgroup,
    parse_environ,
    parse_listening,
    parse_stat,
    tty_name,
)
from trayapp.probe.pressure import judge_pressure

REST = (
    "S 4711 4712 4713 34819 4712 4194304 120 3400 0 2 250 75 1000 500 20 0 12 0 987654 1150550016 65795 "
    "18446744073709551615 94190 94200 140720592251536 0 0 0 0 16781312 134217728 0 0 0 17 1 0 0 0 0 0"
)


def line(name: str, rest: str = REST) -> bytes:
    return f"8763 ({name}) {rest}\n".encode()


def test_reads_the_fields_of_a_line() -> None:
    stat = parse_stat(line("claude"))
    assert (stat.pid, stat.name, stat.state) == (8763, "claude", "S")
    assert (stat.ppid, stat.pgid, stat.sid, stat.tty_number) == (4711, 4712, 4713, 34819)
    assert (stat.cpu_ticks, stat.children_cpu_ticks) == (325, 1500)
    assert (stat.start, stat.rss_pages, stat.stack_bottom) == (987654, 65795, 140720592251536)


@pytest.mark.parametrize("name", ["a b", "(sd-pam)", ") S 1 1 1 (", "", "2.1.198", "node\n(x) R 1", "tmux: server"])
def test_a_name_can_hold_anything(name: str) -> None:
    stat = parse_stat(line(name))
    assert stat.name == name
    assert (stat.state, stat.ppid, stat.start) == ("S", 4711, 987654)


def test_a_thread_is_told_from_a_process_by_the_signal_at_its_end() -> None:
    assert not is_thread(line("claude"))
    assert is_thread(line("a) b", REST.replace(" 17 1 0 0 0 0 0", " -1 1 0 0 0 0 0")))


def test_a_name_that_is_not_utf8_does_not_stop_the_scan() -> None:
    assert parse_stat(b"1 (caf\xe9) " + REST.encode()).name == "caf\ufffd"


@pytest.mark.parametrize("raw", [b"", b"8763", b"8763 (claude", b"8763 (claude) S 1 2", b"x (claude) " + REST.encode()])
def test_a_cut_line_is_an_error_and_not_a_process(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"^(subsection not found|invalid literal|/proc/PID/stat has)"):
        parse_stat(raw)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", ()),
        (b"claude\0--resume\0abc\0", ("claude", "--resume", "abc")),
        (b"claude\0-p\0\0", ("claude", "-p", "")),
        (b"nginx: master process\0\0\0\0\0\0", ("nginx: master process",)),
        (b"chrome --type=renderer", ("chrome --type=renderer",)),
        (b"no\0end", ("no", "end")),
        (b"\xff\xfe\0\xc3\xa9\0", ("\ufffd\ufffd", "\u00e9")),
        (b"\0\0\0", ("",)),
    ],
)
def test_arguments(raw: bytes, expected: tuple[str, ...]) -> None:
    assert parse_argv(raw) == expected


def test_only_wanted_variables_are_picked_and_the_first_of_two_counts() -> None:
    raw = b"PATH=/bin\0SESSION=a=b\0SESSION=later\0SESSION_TOKEN=secret\0EMPTY=\0no equals sign\0"
    pattern = environment_pattern({"SESSION", "EMPTY", "ABSENT"})
    assert pattern is not None
    assert parse_environ(raw, pattern) == {"SESSION": "a=b", "EMPTY": ""}
    assert parse_environ(b"SESSION=\0" + raw, pattern) == {"SESSION": "", "EMPTY": ""}
    assert parse_environ(b"", pattern) == {}


def test_a_name_with_signs_of_a_pattern_is_only_a_name() -> None:
    pattern = environment_pattern({"A.B"})
    assert pattern is not None
    assert parse_environ(b"AxB=1\0A.B=2\0", pattern) == {"A.B": "2"}
    assert environment_pattern(()) is None


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("0::/system.slice/ollama.service\n", "ollama.service"),
        ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/codeman.service\n", "codeman.service"),
        ("0::/user.slice/user-1000.slice/session-3.scope\n", None),
        ("0::/user.slice/user-1000.slice/user@1000.service/init.scope\n", None),
        ("9:name=systemd:/system.slice/ssh.service\n8:pids:/\n0::/\n", "ssh.service"),
        ("8:pids:/system.slice/ssh.service\n0::/\n", None),
        ("0::/\n", None),
        ("", None),
    ],
)
def test_the_unit_of_a_cgroup(text: str, unit: str | None) -> None:
    assert parse_cgroup(text) == unit


@pytest.mark.parametrize(
    ("number", "name"),
    [(0, None), (34816, "pts/0"), (34819, "pts/3"), (35072, "pts/256"), (1025, "tty1"), (1088, "ttyS0"),
     (1281, "console"), (0x8800 | 1 << 20, "pts/256"), (48128, "188:0")],
)  # fmt: skip
def test_the_name_of_a_terminal(number: int, name: str | None) -> None:
    assert tty_name(number) == name


def test_listening_ports_are_those_of_the_given_sockets_in_state_listen() -> None:
    table = (
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
        "   0: 0100007F:1000 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1111 1 0\n"
        "   1: 0100007F:1001 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 2222 1 0\n"
        "   2: 0100007F:1002 0100007F:1000 01 00000000:00000000 00:00000000 00000000     0        0 3333 1 0\n"
        "   3: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A "
        "00000000:00000000 00:00000000 00000000     0        0 4444 1 0\n"
    )
    assert list(parse_listening(table, {"1111", "3333", "4444"})) == [4096, 8080]


@pytest.mark.parametrize(
    ("available_share", "some", "full", "expected"),
    [
        (0.50, 0.0, 0.0, Pressure.NORMAL),
        (0.50, None, None, Pressure.NORMAL),
        (0.10, 9.9, 0.0, Pressure.NORMAL),
        (0.099, None, None, Pressure.WARNING),
        (0.50, 10.0, 0.0, Pressure.WARNING),
        (0.049, None, None, Pressure.CRITICAL),
        (0.50, 40.0, 0.0, Pressure.CRITICAL),
        (0.50, 12.0, 10.0, Pressure.CRITICAL),
    ],
)
def test_pressure(available_share: float, some: float | None, full: float | None, expected: Pressure) -> None:
    assert judge_pressure(available_share=available_share, some_avg10=some, full_avg10=full) is expected
