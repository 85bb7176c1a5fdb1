"""What the operating system says of its processes and its memory; one file per system, one choice here.

`Probe` is the class for this system. All of them have the same methods:

- `scan(*, whole=True) -> ProcessTable`: with `whole` every process is read. Without, those that are followed are read
  in full, new ones are found in one listing, identified once and read at each scan while they are young (10 s), and all
  others take turns: each is read again within about a minute, not more than a bounded number per scan. That one of
  these others is gone can take 10 s to be seen;
- `follow(identities)`: whom to read at every scan (those of agents), and no others, until the next call; who is not
  there is left out;
- `footprints(identities, budget_s) -> Mapping[Identity, int]`: what ending each would give back, in bytes, read in turn
  within a budget (trayapp.probe.turns); the same mapping object while nothing in it is different;
- `open_files(identity)`, `listening_ports(identity)`: dear reads about one process (hosts.base.ProcessReads);
- `variable(identity, name)`: one variable of its environment, "" where it is not set; read when asked, kept nowhere;
- `forget(identities)`: read these anew at the next scan;
- `machine() -> Machine`; `close()`.

A table's `changes` say exactly in what it differs from that of the scan before, whole or not; the first has None. A
process can be in `changed` and in `moved` at once. Whoever is in none of the sets is the very same object as before,
and where nobody is in any, `processes` is the very same mapping. What a scan did not read is as it was read last: an
exec, a new parent or new figures of a process whose turn has not come are in no table yet.

A Probe belongs to one thread at a time.

Absence is a value. A process that is gone (also one that goes while it is read) is left out of the table and of
`footprints`, and so is one whose start the system refuses to tell: it cannot be told from the next with its pid. What
else the system refuses to tell is None (or missing from `env`), and the field's name stands in `Process.unreadable`;
`open_files`, `listening_ports` and `variable` answer None for gone and for denied. What a process does not have (no
terminal, no user memory) is None or zero without being named there. No exception of psutil or ctypes leaves this
package; an OSError does only for faults of this program itself (no descriptors left, no /proc mounted).

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
