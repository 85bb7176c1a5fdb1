"""Start many programs beside this run, and end exactly those when standard input ends.

Used as `python -I -S spawner.py FILE`; the file holds a list of [path, arguments, variables]. The first process lets
its parent go (double fork), so that the programs do not stand below the bench, which a monitor would count as its own.
Answers with the pids as one line of JSON once all run; standard output ends when all of them, and what they started,
are gone. Needs the standard library only.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h


def main() -> None:
    if os.fork():
        os._exit(0)
    os.setsid()
    # whatever the programs leave behind comes here, to be waited for
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    nothing = os.open(os.devnull, os.O_RDWR)
    files = [(os.POSIX_SPAWN_DUP2, nothing, number) for number in range(3)]
    wanted = json.loads(Path(sys.argv[1]).read_text())
    pids = [os.posix_spawn(path, argv, env, file_actions=files) for path, argv, env in wanted]
    sys.stdout.write(json.dumps(pids) + "\n")
    sys.stdout.flush()
    sys.stdin.read()
    for pid in pids:  # none has been waited for, so that each number still names its process
        os.kill(pid, signal.SIGKILL)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


if __name__ == "__main__":
    main()
