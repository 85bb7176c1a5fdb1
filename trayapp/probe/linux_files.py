"""The files and links of one process in /proc, so read that they are that process's and no other's.

A descriptor of /proc/PID belongs to the process, not to the number: once the process is gone every read through it
fails with ESRCH or ENOENT, even when the pid is in use again. So where all files are opened relative to one, a check of
the start time at the beginning holds to the end. GONE are the errors that say so; PermissionError says denied.
"""

from __future__ import annotations

import os
import stat as file_mode
from collections.abc import Iterator
from contextlib import contextmanager

from trayapp.model.process import Identity
from trayapp.probe.linux_lines import parse_stat, text_of

GONE = (FileNotFoundError, ProcessLookupError, NotADirectoryError)
FOLDER_FLAGS = os.O_PATH | os.O_DIRECTORY


@contextmanager
def folder_of_pid(pid: int) -> Iterator[int]:
    """Open /proc/PID; the descriptor stays with the process that has the pid now."""
    descriptor = os.open(f"/proc/{pid}", FOLDER_FLAGS)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def process_folder(identity: Identity) -> Iterator[int]:
    """Open the /proc folder of that very process; raises ProcessLookupError when its pid names another."""
    with folder_of_pid(identity.pid) as folder:
        if parse_stat(read(folder, "stat")).start != identity.start:
            raise ProcessLookupError(f"process {identity} is gone")
        yield folder


def descriptor_numbers(folder: int) -> list[str]:
    """List the descriptors that the process has open."""
    descriptor = os.open("fd", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder)
    try:
        return os.listdir(descriptor)
    finally:
        os.close(descriptor)


def regular_file(folder: int, number: str) -> str | None:
    """Return the path behind a descriptor if it is a regular file that still has a name."""
    try:
        entry = os.stat(f"fd/{number}", dir_fd=folder)
    except GONE:
        return None
    return read_link(folder, f"fd/{number}") if file_mode.S_ISREG(entry.st_mode) and entry.st_nlink else None


def link_or_unreadable(folder: int, name: str, field_name: str, unreadable: set[str]) -> str | None:
    """Return where a link leads; where that is denied, None, and the field is named in `unreadable`."""
    try:
        return read_link(folder, name)
    except PermissionError:
        unreadable.add(field_name)
        return None


def read_link(folder: int, name: str) -> str | None:
    """Return where a link of the process leads, without the kernel's " (deleted)"; None where there is no such link."""
    try:
        return clean_link(os.readlink(name.encode("ascii"), dir_fd=folder))
    except GONE:
        return None


def clean_link(target: bytes) -> str:
    """Return the target of a link as text, without " (deleted)" unless that is its name."""
    if target.endswith(b" (deleted)") and not os.path.lexists(target):
        target = target[:-10]
    return text_of(target)


def read_stat(pid: int) -> bytes | None:
    """Return the line of who has this pid now; None = nobody, or hidden (proc(5), hidepid)."""
    try:
        return read_at(f"/proc/{pid}/stat", 2048)
    except (*GONE, PermissionError):
        return None


def read_at(path: str, limit_bytes: int) -> bytes:
    """Return what one read(2) gives; the files of /proc/PID give all they have at once."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, limit_bytes)
    finally:
        os.close(descriptor)


def read(folder: int, name: str, limit_bytes: int = 16384) -> bytes:
    """Return what one read(2) gives of a file of the process; what /proc makes up in one piece comes in one piece."""
    descriptor = os.open(name, os.O_RDONLY, dir_fd=folder)
    try:
        return os.read(descriptor, limit_bytes)
    finally:
        os.close(descriptor)


def read_all(folder: int, name: str) -> bytes:
    """Return a file of the process of any length."""
    descriptor = os.open(name, os.O_RDONLY, dir_fd=folder)
    try:
        parts = [os.read(descriptor, 16384)]
        while len(parts[-1]) == 16384:  # less than asked for is the end
            parts.append(os.read(descriptor, 16384))
        return b"".join(parts)
    finally:
        os.close(descriptor)


def read_text(folder: int, name: str) -> str:
    """Return a file of the process as text."""
    return text_of(read(folder, name))
