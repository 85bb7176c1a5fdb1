"""Resolve the dependencies of pyproject.toml into requirements/*.txt, for Linux, macOS and Windows in one file each.

The files hold names, versions, markers and hashes only: no address, so that whoever installs decides by their own pip
configuration where packages come from, and the hashes decide whether they are the right ones.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {
    # --group build: set-up installs the project itself without fetching a build backend
    "run.txt": ["--extra", "macos", "--group", "build"],
    "dev.txt": ["--all-extras", "--group", "dev"],
}


def main() -> int:
    """Write every lock file; a later one keeps to the versions of the earlier one."""
    keep_to: list[str] = []
    for name, options in LOCKS.items():
        target = f"requirements/{name}"
        command = [
            *(str(Path(sys.executable).with_name("uv")), "pip", "compile", "pyproject.toml"),
            *("--universal", "--python-version", "3.11", "--generate-hashes"),
            *("--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "--quiet"),
            *("--upgrade", "--output-file", target),
            *options,
            *keep_to,
        ]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        keep_to = ["--constraint", target]
        print(f"wrote {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
