"""How short of memory a machine is, where its kernel gives figures instead of a word."""

from __future__ import annotations

from trayapp.model.process import Pressure


def judge_pressure(
    *, available_share: float, some_avg10: float | None = None, full_avg10: float | None = None
) -> Pressure:
    """Judge how short of memory the machine is.

    `available_share` is available / total memory. The averages are per cent of the last 10 s in which some or all tasks
    waited for memory (Linux's /proc/pressure/memory), None where the kernel keeps none. Critical: less than 5 %
    available, or all tasks waited 10 % or some 40 % of the time. Warning: less than 10 % available, or some tasks
    waited 10 % of the time. The two shares are those at which earlyoom ends processes hard and gently.
    """
    some, full = some_avg10 or 0.0, full_avg10 or 0.0
    if available_share < 0.05 or full >= 10.0 or some >= 40.0:
        return Pressure.CRITICAL
    if available_share < 0.10 or some >= 10.0:
        return Pressure.WARNING
    return Pressure.NORMAL
