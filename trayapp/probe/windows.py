"""Processes and memory on Windows: psutil, and a clock that stops in sleep.

Not run on Windows yet; the shared base runs in the tests on Linux. There is no user id, process group or terminal here.
A dead parent's pid stays in its children (case 053), which ProcessTable.parent sorts out by start times.
"""

from __future__ import annotations

import ctypes
import sys

from trayapp.probe import portable


class Probe(portable.Probe):
    """Read this Windows system; see the package for what its methods promise."""

    def _monotonic_s(self) -> float:
        """Return the time since boot without sleep (QueryUnbiasedInterruptTime, 100 ns units)."""
        if sys.platform == "win32":
            ticks = ctypes.c_ulonglong()
            ctypes.windll.kernel32.QueryUnbiasedInterruptTime(ctypes.byref(ticks))
            return ticks.value / 10_000_000
        else:
            return super()._monotonic_s()
