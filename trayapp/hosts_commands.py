"""The commands `agentring hosts ...`: what is put into a host, what is taken out, and what is asked before.

Says everything that will be written, and where, before anything is. trayapp.commands takes these commands in; what
does the work is loaded only when one of them runs.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from trayapp.hosts.dsh_install import Installer, Plan

app = typer.Typer(help="Put a plugin into a host, or take it out.", no_args_is_help=True)
dsh = typer.Typer(help="The plugin for DSH: it tells what each session holds, and releases idle ones.")
app.add_typer(dsh, name="dsh", no_args_is_help=True)

_Profile = Annotated[str, typer.Option(metavar="NAME", help="The profile, such as web or desktop.")]
_Home = Annotated[Path | None, typer.Option(metavar="DIR", help="DSH's home; without it $DSH_HOME, else ~/.dsh.")]
_Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
_By = Annotated[
    str | None,
    typer.Option(
        metavar="WAY", help="command: by `dsh plugin`, which needs pnpm. patch: by a row in cordis.patch.yml."
    ),
]


@dsh.command("install-plugin")
def install_plugin(profile: _Profile = "web", home: _Home = None, by: _By = None, yes: _Yes = False) -> int:
    """Put the plugin into a profile of DSH; says first what it writes where."""
    from trayapp import commands
    from trayapp.hosts.dsh_install import InstallError, Way

    if by is not None and by not in {way.value for way in Way}:
        raise commands.BadCall(f"--by is command or patch, not {by!r}")
    try:
        plan = _installer().plan_install(_home(home), profile, way=Way(by) if by is not None else None)
    except InstallError as error:
        return _refused(error)
    done = f"The plugin is in the profile “{profile}”. `agentring doctor` says whether it is mounted"
    return _carry_out(plan, "Put the plugin into DSH?", done, "It is installed already", yes=yes)


@dsh.command("remove-plugin")
def remove_plugin(profile: _Profile = "web", home: _Home = None, yes: _Yes = False) -> int:
    """Take the plugin out of a profile of DSH again."""
    from trayapp.hosts.dsh_install import InstallError

    try:
        plan = _installer().plan_remove(_home(home), profile)
    except InstallError as error:
        return _refused(error)
    done = f"The plugin is out of the profile “{profile}”"
    return _carry_out(plan, "Take the plugin out of DSH?", done, "It is not installed", yes=yes)


def _installer() -> Installer:
    from trayapp.hosts import dsh_install

    return dsh_install.Installer(tools=dsh_install.find_tools(os.environ))


def _home(given: Path | None) -> Path:
    if given is not None:
        return given.expanduser().absolute()
    told = os.environ.get("DSH_HOME")
    return Path(told) if told else Path.home() / ".dsh"


def _carry_out(plan: Plan, question: str, done: str, nothing: str, *, yes: bool) -> int:
    """Show the steps, ask, do them."""
    from trayapp import commands
    from trayapp.hosts.dsh_install import InstallError

    if not plan.steps:
        typer.echo(f"{nothing} in {plan.profile_folder}; nothing to do.")
        return commands.DONE
    typer.echo("This will", err=True)
    for step in plan.steps:
        typer.echo(f"  - {step}", err=True)
    if not yes:
        if not commands._can_ask():
            raise commands.BadCall(f"{question} Nobody can be asked here. --yes answers")
        if not typer.confirm(question, err=True):
            return commands.NOT_ALL
    try:
        plan.carry_out()
    except InstallError as error:
        return _refused(error)
    typer.echo(f"{done}.")
    for say in plan.says:
        typer.echo(f"{say}.")
    return commands.DONE


def _refused(error: Exception) -> int:
    from trayapp import commands

    commands._complain(str(error))
    return commands.NOT_ALL
