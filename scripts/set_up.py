"""Make this checkout ready to run: system packages, `.venv`, locked packages, the project itself.

    python3 scripts/set_up.py run|dev|live

Standard library only, since it runs before anything is installed. A stamp in `.venv` holds what was installed; when
nothing changed, there is nothing to do and no network is asked for.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST_PYTHON = (3, 11)

QT_PACKAGES = (
    "libegl1 libgl1 libxkbcommon0 libfontconfig1 libdbus-1-3 libglib2.0-0 fonts-dejavu-core "
    "libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 "
    "libxcb-shape0 libxcb-xinerama0"
).split()
"""What the Qt wheel links against but does not bring along (Debian's names)."""

TEST_PACKAGES = "xvfb xauth trayer xdotool x11-utils imagemagick dbus dbus-x11 xfce4-panel tmux git procps".split()
"""A screen, a tray of either kind, a hand to click with and a terminal to run agents in."""


@dataclass(frozen=True)
class Profile:
    """Say what one purpose needs."""

    lock: str
    system_packages: tuple[str, ...]
    programs: tuple[tuple[str, str], ...] = ()
    """(program, Debian package) for what may come from elsewhere than Debian."""


PROFILES = {
    "run": Profile("run.txt", tuple(QT_PACKAGES)),
    "dev": Profile("dev.txt", tuple(QT_PACKAGES + TEST_PACKAGES)),
    "live": Profile("dev.txt", tuple(QT_PACKAGES + TEST_PACKAGES), (("node", "nodejs"), ("npm", "npm"))),
}


class SetUpError(Exception):
    """Hold one sentence that names what is wrong and one that names the mend."""


def say(text: str) -> None:
    """Tell the person at the terminal what is going on."""
    print(f"set-up: {text}", flush=True)


def run(*command: str | Path, quiet: bool = False) -> None:
    """Run a command; a failing one ends the set-up with the command's own output."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        check=False,
        stdout=subprocess.PIPE if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
        text=True,
    )
    if done.returncode != 0:
        shown = "\n".join((done.stdout or "").splitlines()[-20:])
        raise SetUpError(f"`{' '.join(map(str, command))}` failed with exit code {done.returncode}.\n{shown}".rstrip())


def require_python() -> None:
    """Refuse a Python that is too old, and say how to name another."""
    if sys.version_info < OLDEST_PYTHON:
        wanted, found = ".".join(map(str, OLDEST_PYTHON)), sys.version.split()[0]
        raise SetUpError(
            f"Python {wanted} or later is needed, {sys.executable} is {found}. Name another: make PYTHON=python3.12 run"
        )


# --- system packages -------------------------------------------------------------------------------------------------


def missing_packages(profile: Profile) -> list[str]:
    """Return the Debian packages that are not there; nothing is known of other systems' packages."""
    if shutil.which("dpkg-query") is None:
        return []
    known = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *profile.system_packages],
        check=False,
        capture_output=True,
        text=True,
    ).stdout
    installed = {line.split()[0] for line in known.splitlines() if line.endswith(" installed")}
    missing = [package for package in profile.system_packages if package not in installed]
    return missing + [package for program, package in profile.programs if shutil.which(program) is None]


def install_packages(missing: list[str]) -> None:
    """Install them on Debian as root; otherwise say how to, and go on: a desktop often has them by other names."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        say("these system packages were not found; if Qt does not start, run")
        say(f"  sudo {' '.join(command)}")
        return
    say(f"installing {len(missing)} system packages: {' '.join(missing)}")
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    run("apt-get", "update", quiet=True)
    run(*command, quiet=True)


def ensure_system_packages(profile: Profile) -> None:
    """Bring Linux's packages up to what the profile needs; macOS and Windows need nothing."""
    if not sys.platform.startswith("linux"):
        return
    if shutil.which("dpkg-query") is None:
        programs = ["Xvfb", "trayer", "xdotool", "dbus-daemon", "xfce4-panel", "tmux"]
        wanted = programs if profile.lock == "dev.txt" else []
        absent = [program for program in wanted if shutil.which(program) is None]
        if absent:
            say(f"not found: {', '.join(absent)}; tests that need a screen will fail until they are installed")
        return
    missing = missing_packages(profile)
    if missing:
        install_packages(missing)


# --- Python packages -------------------------------------------------------------------------------------------------


def venv_python() -> Path:
    """Return the path of the environment's own Python."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def ensure_venv() -> None:
    """Create `.venv` unless there is a working one of this Python."""
    same = f"import pip, sys; sys.exit(sys.version_info[:2] != {tuple(sys.version_info[:2])})"
    if venv_python().exists() and subprocess.run([str(venv_python()), "-c", same], check=False).returncode == 0:
        return
    if find_spec("ensurepip") is None:  # Debian keeps it in a package of its own
        package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        if not (shutil.which("apt-get") and os.name == "posix" and os.geteuid() == 0):
            raise SetUpError(
                f"this Python has no venv module. Install it (Debian: sudo apt-get install {package}) and try again."
            )
        install_packages([package])
    say(f"creating {VENV.name} with Python {sys.version.split()[0]}")
    run(sys.executable, "-m", "venv", "--clear", VENV, quiet=True)


def fingerprint(lock: Path) -> str:
    """Return what an installation depends on: the locked packages, the project's own metadata, the Python."""
    digest = hashlib.sha256(sys.version.encode())
    for path in (lock, ROOT / "pyproject.toml"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def ensure_packages(lock_name: str) -> None:
    """Install the locked packages and the project itself, unless the stamp says that they are there."""
    lock = ROOT / "requirements" / lock_name
    stamps = [VENV / f"installed-{name}" for name in {lock_name, "dev.txt"}]  # dev.txt holds all of run.txt
    if any(
        stamp.exists() and stamp.read_text() == fingerprint(lock.with_name(stamp.name.removeprefix("installed-")))
        for stamp in stamps
    ):
        return
    ensure_venv()
    say(f"installing the packages of requirements/{lock_name}")
    pip = (venv_python(), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--no-deps")
    # the lock is complete, so pip has nothing to resolve; and only what is imported needs compiling
    run(*pip, "--require-hashes", "--only-binary", ":all:", "--no-compile", "-r", lock, quiet=True)
    run(*pip, "--no-build-isolation", "--no-index", "--editable", ROOT, quiet=True)
    (VENV / f"installed-{lock_name}").write_text(fingerprint(lock))


def main(arguments: list[str]) -> int:
    """Set up for the purpose named by the only argument."""
    if len(arguments) != 1 or arguments[0] not in PROFILES:
        print(f"usage: set_up.py {'|'.join(PROFILES)}", file=sys.stderr)
        return 2
    profile = PROFILES[arguments[0]]
    try:
        require_python()
        ensure_system_packages(profile)
        ensure_packages(profile.lock)
    except SetUpError as error:
        print(f"set-up: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
