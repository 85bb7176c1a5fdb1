"""What the lines of /proc mean. Pure: each function is given what was read, and says it in values.

Sources: proc(5), proc_pid_stat(5), cgroups(7), pid_namespaces(7), Documentation/accounting/psi.rst.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

ARGV_LIMIT_BYTES = 64 * 1024
"""What is kept of a command line; the argument at the limit is cut there (prompts in arguments reach 128 KiB)."""


class Stat(NamedTuple):
    """Hold what one line of /proc/PID/stat says, in the kernel's units (clock ticks, pages).

    `stack_bottom` is field 28: 0 or 1 where the reader may not trace the process. `flags` holds PF_KTHREAD.
    """

    pid: int
    name: str
    state: str
    ppid: int
    pgid: int
    sid: int
    tty_number: int
    flags: int
    cpu_ticks: int
    children_cpu_ticks: int
    start: int
    rss_pages: int
    stack_bottom: int


def parse_stat(line: bytes) -> Stat:
    """Parse a line of /proc/PID/stat.

    The name stands between the first "(" and the last ")" and may itself hold both, spaces and line ends; what follows
    are numbers. Raises ValueError on anything else.
    """
    opening = line.index(b"(")
    closing = line.rindex(b")")
    fields = line[closing + 2 :].split(None, 26)
    if len(fields) < 26:
        raise ValueError(f"/proc/PID/stat has {len(fields)} fields after the name instead of 26 or more")
    # By position, which is a third faster; in the order of the class.
    return Stat(
        int(line[:opening]),
        line[opening + 1 : closing].decode("utf-8", "replace"),
        fields[0].decode("ascii"),
        int(fields[1]),
        int(fields[2]),
        int(fields[3]),
        int(fields[4]) & 0xFFFFFFFF,
        int(fields[6]),
        int(fields[11]) + int(fields[12]),
        int(fields[13]) + int(fields[14]),
        int(fields[19]),
        int(fields[21]),
        int(fields[25]),
    )


def is_thread(line: bytes) -> bool:
    """Tell a line of a thread from one of a process; /proc shows threads to those who know their number.

    Field 38, the signal that its parent gets at its end, is -1 in all threads but the first (kernel/fork.c).
    """
    return line[line.rindex(b")") + 2 :].split(None, 36)[35] == b"-1"


def parse_argv(raw: bytes) -> tuple[str, ...]:
    """Split the content of /proc/PID/cmdline into arguments.

    Bytes that are not UTF-8 become U+FFFD, so that every argument can go into JSON. A text followed by nothing but NULs
    is a title that the program wrote over its arguments: one argument. Not more than ARGV_LIMIT_BYTES are used.
    """
    raw = raw[:ARGV_LIMIT_BYTES]
    if not raw:
        return ()
    title = raw.rstrip(b"\0")
    if b"\0" not in title:
        return (text_of(title),)
    return tuple(text_of(raw.removesuffix(b"\0")).split("\0"))


def environment_pattern(names: Collection[str]) -> re.Pattern[bytes] | None:
    """Return what finds these variables in NUL, then the content of /proc/PID/environ; None without names."""
    if not names:
        return None
    return re.compile(rb"\0(" + b"|".join(re.escape(os.fsencode(name)) for name in sorted(names)) + rb")=([^\0]*)")


def parse_environ(raw: bytes, wanted: re.Pattern[bytes]) -> dict[str, str]:
    """Pick the wanted variables out of the content of /proc/PID/environ; the rest is forgotten at once."""
    # The first of two of the same name counts, as for getenv(3).
    return {text_of(name): text_of(value) for name, value in reversed(wanted.findall(b"\0" + raw))}


def variable_of(raw: bytes, name: str) -> str:
    """Return one variable in the content of /proc/PID/environ, "" where it is not set; the rest is forgotten."""
    # The first of two of the same name counts, as for getenv(3).
    sign = name.encode("utf-8") + b"="
    return next((text_of(entry[len(sign) :]) for entry in raw.split(b"\0") if entry.startswith(sign)), "")


def parse_cgroup(text: str) -> str | None:
    """Return the service unit in /proc/PID/cgroup whose own cgroup this is ("ollama.service"), or None."""
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        leaf = path.rsplit("/", 1)[-1]
        if controllers in ("", "name=systemd") and leaf.endswith(".service"):
            return leaf
    return None


def tty_name(number: int) -> str | None:
    """Name the terminal of a device number as in stat's tty_nr: "pts/3", "tty1", "ttyS0"; None for 0.

    Major numbers by Documentation/admin-guide/devices.txt; any other terminal is called "major:minor".
    """
    if number == 0:
        return None
    major, minor = os.major(number), os.minor(number)
    if 136 <= major <= 143:
        return f"pts/{(major - 136) * 256 + minor}"
    if major == 4:
        return f"tty{minor}" if minor < 64 else f"ttyS{minor - 64}"
    if (major, minor) == (5, 1):
        return "console"
    return f"{major}:{minor}"


def parse_listening(table: str, inodes: Collection[str]) -> Iterator[int]:
    """Yield the ports of the listening sockets (state 0A) with these inodes in a table of /proc/PID/net/tcp."""
    for line in table.splitlines()[1:]:
        columns = line.split()
        if len(columns) > 9 and columns[3] == "0A" and columns[9] in inodes:
            yield int(columns[1].rsplit(":", 1)[1], 16)


def pid_inside_namespace(status: bytes) -> int | None:
    """Return its pid as its own PID namespace counts (last figure of NSpid)."""
    _, found, rest = status.partition(b"\nNSpid:")
    return int(rest.split(b"\n", 1)[0].split()[-1]) if found else None


def real_uid(status: bytes) -> int:
    """Return the real user id in the content of /proc/PID/status."""
    return int(status.partition(b"\nUid:")[2].split(None, 1)[0])


def parse_stalls(raw: bytes) -> tuple[float | None, float | None]:
    """Return the `some` and `full` avg10 of /proc/pressure/memory in per cent."""
    averages: dict[bytes, float] = {}
    for line in raw.splitlines():
        kind, _, rest = line.partition(b" avg10=")
        averages[kind] = float(rest.split(b" ", 1)[0])
    return averages.get(b"some"), averages.get(b"full")


def meminfo_bytes(raw: bytes, name: bytes) -> int | None:
    """Return one size of /proc/meminfo; None where it has no such line."""
    _, found, rest = raw.partition(name)
    return int(rest.split(None, 1)[0]) * 1024 if found else None


def text_of(raw: bytes) -> str:
    """Decode; what is not UTF-8 becomes U+FFFD, so that it can go into JSON."""
    return raw.decode("utf-8", "replace")
