"""A command opens in the user's terminal, in its folder; none of it is ever read by a shell, nothing is left behind."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from trayapp.desktop import terminal
from trayapp.desktop.terminal import TERMINALS, CannotOpen, Desktop, open_in_terminal

NASTY = (
    "resume",
    "$(touch pwned)",
    "`touch pwned`",
    "a;touch pwned",
    "it's",
    'say "hi"',
    "* ?",
    "&& touch pwned",
    "\n",
)
WAIT_S = 20.0
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="a terminal of X is opened here")


@dataclass
class Started:
    """Take down what would be started."""

    command: list[str] = field(default_factory=list)
    cwd: str = ""
    environ: dict[str, str] = field(default_factory=dict)

    def __call__(self, command: Sequence[str], cwd: str, environ: Mapping[str, str]) -> None:
        self.command, self.cwd, self.environ = list(command), cwd, dict(environ)


def desktop(started: Started, *there: str, platform: str = "linux", **environ: str) -> Desktop:
    """Return a computer on which these programs are installed."""
    known = {"DISPLAY": ":1", "PATH": "/usr/bin", "SHELL": "/bin/bash", "HOME": "/", **environ}

    def which(name: str, _path: str | None) -> str | None:
        return f"/usr/bin/{name}" if name in there else None

    return Desktop(platform=platform, environ=known, which=which, start=started)


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


# ---- which terminal, and how it is called

EXPECTED = {
    "x-terminal-emulator": ["/usr/bin/x-terminal-emulator", "-e"],
    "gnome-terminal": ["/usr/bin/gnome-terminal", "--"],
    "konsole": ["/usr/bin/konsole", "-e"],
    "xfce4-terminal": ["/usr/bin/xfce4-terminal", "-x"],
    "kitty": ["/usr/bin/kitty"],
    "alacritty": ["/usr/bin/alacritty", "-e"],
    "wezterm": ["/usr/bin/wezterm", "start", "--"],
    "foot": ["/usr/bin/foot"],
    "xterm": ["/usr/bin/xterm", "-e"],
}


def test_every_terminal_that_is_known_is_listed_here() -> None:
    assert EXPECTED.keys() == TERMINALS.keys()


@pytest.mark.parametrize("name", EXPECTED)
def test_each_terminal_gets_the_command_in_its_own_way(name: str, tmp_path: Path) -> None:
    started = Started()
    assert open_in_terminal(["agent", "--resume", "7f3a"], str(tmp_path), desktop(started, name)) == name
    before = EXPECTED[name]
    assert started.command[: len(before)] == before
    assert started.command[len(before) :] == [
        "/bin/bash",
        "-l",
        "-i",
        "-c",
        terminal.RUN,
        "/bin/bash",
        str(tmp_path),
        "agent",
        "--resume",
        "7f3a",
    ]
    assert started.cwd == str(tmp_path)


def test_the_terminal_of_the_user_comes_first_with_its_arguments(tmp_path: Path) -> None:
    started = Started()
    here = desktop(started, "xterm", "gnome-terminal", "wezterm", TERMINAL="wezterm --config x=1")
    assert open_in_terminal(["agent"], str(tmp_path), here) == "wezterm"
    assert started.command[:5] == ["/usr/bin/wezterm", "--config", "x=1", "start", "--"]
    here = desktop(started, "st", "xterm", TERMINAL="st")
    assert open_in_terminal(["agent"], str(tmp_path), here) == "st"
    assert started.command[:2] == ["/usr/bin/st", "-e"]


@pytest.mark.parametrize("wished", ["gone-terminal", "'broken"])
def test_a_wished_terminal_that_is_not_there_gives_way_to_one_that_is(wished: str, tmp_path: Path) -> None:
    assert open_in_terminal(["agent"], str(tmp_path), desktop(Started(), "foot", TERMINAL=wished)) == "foot"


def test_without_a_terminal_the_mend_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match=r"No terminal was found\. Set TERMINAL to the one that you use"):
        open_in_terminal(["agent"], str(tmp_path), desktop(Started()))


def test_without_a_screen_nothing_is_started(tmp_path: Path) -> None:
    started = Started()
    with pytest.raises(CannotOpen, match="no screen"):
        open_in_terminal(["agent"], str(tmp_path), desktop(started, "xterm", DISPLAY=""))
    assert started.command == []


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    with pytest.raises(CannotOpen, match=f"Its folder is not there any more: {gone}"):
        open_in_terminal(["agent"], gone, desktop(Started(), "xterm"))


@pytest.mark.parametrize("argv", [(), ("agent", "a\0b")])
def test_what_is_no_command_is_refused(argv: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match="no command"):
        open_in_terminal(argv, str(tmp_path), desktop(Started(), "xterm"))


def test_a_leading_tilde_is_the_home_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    started = Started()
    for cwd, wanted in (("~/src", tmp_path / "src"), ("~", tmp_path), (None, tmp_path)):
        open_in_terminal(["agent"], cwd, desktop(started, "xterm", HOME=str(tmp_path)))
        assert started.cwd == str(wanted)


def test_a_terminal_that_cannot_be_started_is_an_answer(tmp_path: Path) -> None:
    def broken(command: Sequence[str], cwd: str, environ: Mapping[str, str]) -> None:
        raise PermissionError("not for you")

    here = Desktop(platform="linux", environ={"DISPLAY": ":1"}, which=lambda name, _path: name, start=broken)
    with pytest.raises(CannotOpen, match="could not be started: not for you"):
        open_in_terminal(["agent"], str(tmp_path), here)


def test_only_what_a_desktop_gives_is_handed_on(tmp_path: Path) -> None:
    started = Started()
    given = {
        "AGENT_SESSION": "91b3",
        "SOME_API_KEY": "secret",
        "LD_LIBRARY_PATH": "/opt/agentring",
        "LC_TIME": "de_DE.UTF-8",
        "XDG_RUNTIME_DIR": "/run/user/1000",
    }
    open_in_terminal(["agent"], str(tmp_path), desktop(started, "xterm", **given))
    assert started.environ.keys() == {"DISPLAY", "PATH", "SHELL", "HOME", "LC_TIME", "XDG_RUNTIME_DIR"}


# ---- shells


def test_fish_sets_the_path_and_sh_runs_the_command() -> None:
    command = terminal.in_shell(["agent", "x y"], "/src", {"SHELL": "/usr/bin/fish"})
    assert command[:5] == ["/usr/bin/fish", "-l", "-i", "-c", "exec $argv"]
    assert command[5:] == ["/bin/sh", "-c", terminal.RUN, "/usr/bin/fish", "/src", "agent", "x y"]


def test_a_shell_with_words_of_its_own_is_left_out() -> None:
    assert terminal.in_shell(["agent"], "/src", {"SHELL": "/usr/bin/nu"})[0] == "/bin/sh"
    assert terminal.in_shell(["agent"], "/src", {})[0] == "/bin/sh"


@pytest.mark.skipif(os.name == "nt", reason="it is about shells of POSIX")
@pytest.mark.parametrize("shell", ["/bin/sh", "/bin/bash", "/bin/dash", "/bin/zsh", "/usr/bin/fish"])
def test_a_shell_hands_every_argument_on_as_it_is(shell: str, tmp_path: Path) -> None:
    if not Path(shell).exists():
        pytest.skip(f"{shell} is not installed")
    seen = tmp_path / "seen"
    tell = [sys.executable, "-c", "import os,sys; open(sys.argv[1],'w').write(repr((os.getcwd(), sys.argv[2:])))"]
    folder = tmp_path / "it's $(touch pwned) here"
    folder.mkdir()
    command = terminal.in_shell([*tell, str(seen), *NASTY], str(folder), {"SHELL": shell})
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=WAIT_S, cwd=tmp_path, check=False)
    assert seen.read_text() == repr((str(folder), list(NASTY)))
    assert list(tmp_path.rglob("pwned")) == []


# ---- the real thing


@ON_LINUX
def test_a_terminal_on_the_path_gets_the_command_and_is_nobodys_child(tmp_path: Path) -> None:
    told, pid_file = tmp_path / "told", tmp_path / "pid"
    fake = tmp_path / "bin" / "xterm"
    fake.parent.mkdir()
    fake.write_text(
        f'#!/bin/sh\nfor each; do printf "%s\\0" "$each"; done > {shlex.quote(str(told))}.part\n'
        f"env > {shlex.quote(str(told))}.env\necho $$ > {shlex.quote(str(pid_file))}\n"
        f"mv {shlex.quote(str(told))}.part {shlex.quote(str(told))}\nexec sleep 30\n"
    )
    fake.chmod(0o755)
    environ = {"DISPLAY": ":77", "PATH": f"{fake.parent}:/usr/bin:/bin", "HOME": str(tmp_path), "SECRET_TOKEN": "x"}
    environ["TERMINAL"] = "xterm"
    assert open_in_terminal(["agent", *NASTY], str(tmp_path), Desktop(environ=environ)) == "xterm"
    until(told.exists)
    running = psutil.Process(int(pid_file.read_text()))
    try:
        words = told.read_bytes().decode().split("\0")[:-1]
        assert words == ["-e", "/bin/sh", "-l", "-i", "-c", terminal.RUN, "/bin/sh", str(tmp_path), "agent", *NASTY]
        assert "SECRET_TOKEN" not in told.with_suffix(".env").read_text()
        assert running.ppid() != os.getpid()
        assert psutil.Process().pid not in {parent.pid for parent in running.parents()}
        assert os.getsid(running.pid) != os.getsid(0)
        assert [child for child in psutil.Process().children() if child.status() == psutil.STATUS_ZOMBIE] == []
    finally:
        running.terminate()
    assert list(tmp_path.rglob("pwned")) == []


@ON_LINUX
@pytest.mark.x11
def test_xterm_runs_the_command_in_its_folder(tmp_path: Path) -> None:
    missing = [program for program in ("Xvfb", "xterm") if shutil.which(program) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed")
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "640x480x24", "-nolisten", "tcp"],
        pass_fds=(writing,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            display = f":{int(told.readline())}"
        seen = tmp_path / "seen"
        told_words = "repr((os.getcwd(), sys.stdout.isatty(), sys.argv[2:]))"
        code = f"import os,sys; p=sys.argv[1]; open(p+'.part','w').write({told_words}); os.rename(p+'.part', p)"
        environ = {"DISPLAY": display, "PATH": os.environ["PATH"], "HOME": str(tmp_path), "SHELL": "/bin/sh"}
        here = Desktop(environ={**environ, "TERMINAL": "xterm"})
        assert open_in_terminal([sys.executable, "-c", code, str(seen), *NASTY], str(tmp_path), here) == "xterm"
        until(seen.exists)
        assert seen.read_text() == repr((str(tmp_path), True, list(NASTY)))
        assert list(tmp_path.rglob("pwned")) == []
    finally:
        server.terminate()  # xterm ends with its screen
        server.wait(WAIT_S)


# ---- other systems


@pytest.mark.skipif(os.name == "nt", reason="the file is run by a shell of POSIX")
def test_on_macos_a_file_that_only_the_user_can_read_is_opened(tmp_path: Path) -> None:
    started = Started()
    seen = tmp_path / "seen"
    tell = [sys.executable, "-c", "import os,sys; open(sys.argv[1],'w').write(repr((os.getcwd(), sys.argv[2:])))"]
    here = desktop(started, platform="darwin", SHELL="/bin/sh")
    open_in_terminal([*tell, str(seen), *NASTY], str(tmp_path), here)
    opener, file = started.command
    script = Path(file)
    assert opener == "/usr/bin/open"
    assert script.suffix == ".command"
    assert stat.S_IMODE(script.stat().st_mode) == 0o700
    assert stat.S_IMODE(script.parent.stat().st_mode) == 0o700
    subprocess.run([file], stdin=subprocess.DEVNULL, capture_output=True, timeout=WAIT_S, check=False)
    assert seen.read_text() == repr((str(tmp_path), list(NASTY)))
    assert not script.parent.exists()
    assert list(tmp_path.rglob("pwned")) == []


def test_on_windows_the_new_terminal_is_taken_where_it_is(tmp_path: Path) -> None:
    started = Started()
    folder = str(tmp_path)
    with_wt = desktop(started, "wt.exe", "cmd.exe", platform="win32", COMSPEC=r"C:\Windows\System32\cmd.exe")
    assert open_in_terminal(["agent", "--resume", "7f3a"], folder, with_wt) == "Windows Terminal"
    run = [r"C:\Windows\System32\cmd.exe", "/k", "agent", "--resume", "7f3a"]
    assert started.command == ["/usr/bin/wt.exe", "-d", folder, *run]
    assert open_in_terminal(["agent"], folder, desktop(started, "cmd.exe", platform="win32")) == "cmd"
    assert started.command == ["/usr/bin/cmd.exe", "/k", "agent"]


@pytest.mark.parametrize("part", ["a&calc", "a|b", "%PATH%", 'a"b', "a;b", "a^b", "a\nb", "a>b", "!x!", "(a)"])
def test_on_windows_what_cmd_would_read_is_refused(part: str, tmp_path: Path) -> None:
    started = Started()
    with pytest.raises(CannotOpen, match="means something else to cmd"):
        open_in_terminal(["agent", part], str(tmp_path), desktop(started, "wt.exe", platform="win32"))
    assert started.command == []
