"""Programs that stand around agents and are nobody's to end: terminals, editors, multiplexers, service managers.

Pure; knows executables by their exact names, never by a substring of a command line, and knows no agent host.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from trayapp.model.process import Process
from trayapp.programs import basename


class Bystander(StrEnum):
    """What kind of bystander a program is.

    CONSOLE serves the terminal of one program (Windows); it is nobody's to talk to, but ends with that program.
    """

    TERMINAL = "terminal"
    CONSOLE = "console"
    EDITOR = "editor"
    MULTIPLEXER = "multiplexer"
    SERVICE_MANAGER = "service-manager"
    LOGIN = "login"
    VIRTUAL_MACHINE = "virtual-machine"


_PROGRAMS: dict[Bystander, str] = {
    Bystander.MULTIPLEXER: "tmux screen SCREEN zellij dtach abduco",
    Bystander.TERMINAL: """
        Terminal iTerm2 iTermServer Alacritty alacritty kitty wezterm wezterm-gui wezterm-mux-server ghostty Ghostty
        Warp warp-terminal WarpTerminal Hyper gnome-terminal gnome-terminal-server konsole xterm uxterm urxvt rxvt st
        foot xfce4-terminal tilix terminator ptyxis ptyxis-agent kgx WindowsTerminal mintty
        """,
    Bystander.CONSOLE: "conhost OpenConsole",
    Bystander.EDITOR: """
        code Code Electron code-insiders codium VSCodium zed Zed zeditor idea pycharm webstorm goland clion rider nvim
        vim vi emacs Emacs helix hx sublime_text subl Xcode devenv
        """,
    Bystander.SERVICE_MANAGER: """
        systemd launchd init runit runsvdir runsv s6-svscan s6-supervise services tini supervisord supervise monit
        nodemon forever overmind pm2 god
        """,
    Bystander.LOGIN: """
        login sshd sshd-session gdm-session-worker gnome-session-binary gnome-shell plasmashell loginwindow WindowServer
        Finder explorer Xorg Xwayland dbus-daemon dbus-run-session xfce4-session sddm lightdm cron crond
        containerd-shim-runc-v2 docker-init
        """,
    Bystander.VIRTUAL_MACHINE: """
        vmmem vmmemWSL vmmemCmZygote com.apple.Virtualization.VirtualMachine qemu-system-x86_64 qemu-system-aarch64
        limactl colima
        """,
}
_KIND_BY_NAME = {name: kind for kind, names in _PROGRAMS.items() for name in names.split()}
NAMES = frozenset(_KIND_BY_NAME)
"""The names that are looked for: a redacted capture keeps these."""


def bystander(process: Process) -> Bystander | None:
    """Say what kind of bystander a process is, by its executable, its argv[0] or (rewritten titles) its name."""
    return _kind(process.exe, process.argv[0] if process.argv else None, process.name)


@lru_cache(maxsize=4096)
def _kind(exe: str | None, argv0: str | None, name: str) -> Bystander | None:
    for text in (exe, argv0, name):
        if not text:
            continue
        kind = _KIND_BY_NAME.get(basename(text)) or _KIND_BY_NAME.get(text)
        if kind is not None:
            return kind
    if name.startswith("PM2 v"):  # "PM2 v5.3.0: God Daemon (/home/...)", its title
        return Bystander.SERVICE_MANAGER
    return Bystander.MULTIPLEXER if name.startswith("tmux: ") else None
