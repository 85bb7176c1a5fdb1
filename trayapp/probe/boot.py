"""Which run of the machine this is: what was written down of processes is void after the next boot."""

from __future__ import annotations

from pathlib import Path

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def boot_id() -> str:
    """Return a text that another boot does not share; "" where starts of processes are absolute and need none.

    Linux counts starts from boot (random(4) describes boot_id); macOS and Windows keep them as a time of day.
    """
    try:
        return BOOT_ID.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ""
