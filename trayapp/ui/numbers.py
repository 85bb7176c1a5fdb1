"""Numbers as this user's locale writes them: the wording of the whole product with QLocale's decimal mark and times."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QLocale

from trayapp import wording
from trayapp.model.process import Identity
from trayapp.model.snapshot import Member, Snapshot
from trayapp.say import noted, say, say_n

METRIC_NAMES = {
    "physical-footprint": noted("physical footprint"),
    "pss": noted("PSS"),
    "private-working-set": noted("private working set"),
    None: noted("RSS"),
}


def memory(size_bytes: int | None) -> str:
    """Say a size: "1.2 GB", or "1,2 GB" where the comma is the decimal mark."""
    return wording.memory(size_bytes, decimal_point=QLocale().decimalPoint())


def memory_parts(size_bytes: int) -> tuple[str, str]:
    """Split a size into number and unit."""
    return wording.memory_parts(size_bytes, decimal_point=QLocale().decimalPoint())


def of_total(held_bytes: int, total_bytes: int) -> str:
    """Say "12.4 of 32 GB": both in the unit of the total, and the total of a machine without needless decimals."""
    number, unit = memory_parts(held_bytes)
    whole, total_unit = round_total(total_bytes)
    held = number if unit == total_unit or not held_bytes else f"{number}{wording.THIN_SPACE}{unit}"
    return say("{held} of {total}", held=held, total=f"{whole}{wording.THIN_SPACE}{total_unit}")


def round_total(total_bytes: int) -> tuple[str, str]:
    """Return number and unit of a machine's memory: "32", "GB"; 31.3 stays 31.3."""
    number, unit = memory_parts(total_bytes)
    return number.removesuffix(QLocale().decimalPoint() + "0"), unit


def percent(cpu_percent: float | None) -> str:
    """Say a CPU figure, 100 = one core."""
    return wording.percent(cpu_percent, decimal_point=QLocale().decimalPoint())


def clock_time(moment: datetime, *, seconds: bool = False) -> str:
    """Say a moment in local time as the locale writes it: "16:20", or "16:20:08"."""
    from PySide6.QtCore import QDateTime  # many names; the tray tells no time

    local = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
    if seconds:
        return QLocale().toString(local.time(), "HH:mm:ss")
    return QLocale().toString(local.time(), QLocale.FormatType.ShortFormat)


def count(number: int, noun: str, plural: str | None = None) -> str:
    """Say "1 session", "4 sessions"; English only: for what is shown there is `say_n`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def sessions(number: int) -> str:
    """Say "1 session", "4 sessions"."""
    return say_n("{n} session", "{n} sessions", number)


def processes(number: int) -> str:
    """Say "1 process", "4 processes"."""
    return say_n("{n} process", "{n} processes", number)


def orphans(number: int) -> str:
    """Say "1 orphan", "4 orphans"."""
    return say_n("{n} orphan", "{n} orphans", number)


def metric_name(snapshot: Snapshot) -> str:
    """Return the figure's name: "physical footprint", "PSS", or "RSS" where there is no better one."""
    return metric_words(snapshot.footprint_metric)


def metric_words(metric: str | None) -> str:
    """Return the name of a figure for people; one that is not known here as it is."""
    return say(METRIC_NAMES[metric]) if metric in METRIC_NAMES else str(metric)


def identities(members: tuple[Member, ...]) -> tuple[Identity, ...]:
    """Return who the members are, as a Target freezes them."""
    return tuple(member.process.identity for member in members)
