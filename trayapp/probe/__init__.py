"""What the operating system says of its processes and its memory; one file per system, one choice here.

`Probe` is the class for this system. All of them have the same methods:

- `scan() -> ProcessTable`: every process, from one pass;
- `footprints(identities, budget_s) -> Mapping[Identity, int]`: what ending each would give back, in bytes;
- `open_files(identity)`, `listening_ports(identity)`: dear reads about one process (hosts.base.ProcessReads);
- `forget(identities)`: read these anew at the next scan;
- `machine() -> Machine`; `close()`.

A Probe belongs to one thread at a time.

Absence is a value. A process that is gone (also one that goes while it is read) is left out of the table and of
`footprints`, and so is one whose start the system refuses to tell: it cannot be told from the next with its pid. What
else the system refuses to tell is None (or missing from `env`), and the field's name stands in `Process.unreadable`;
`open_files` and `listening_ports` answer None for gone and for denied. What a process does not have (no terminal, no
user memory) is None or zero without being named there. No exception of psutil or ctypes leaves this package; an OSError
does only for faults of this program itself (no descriptors left, no /proc mounted).

Nothing here knows a host, decides who owns a process or keeps a measurement; only `signals` can touch a process, and
only reclaim/guard.py may import that.
"""

from __future__ import annotations

import sys

if sys.platform == "linux":
    from trayapp.probe.linux import Probe
elif sys.platform == "darwin":
    from trayapp.probe.macos import Probe
elif sys.platform == "win32":
    from trayapp.probe.windows import Probe
else:
    raise ImportError(f"Agent Ring cannot read the processes of {sys.platform}. Run it on Linux, macOS or Windows.")

__all__ = ["Probe"]
