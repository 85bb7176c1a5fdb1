"""The commands `agentring hosts ...`: what is put into a host or allowed with it, and what is asked before.

Says everything that will be written or done, and where, before anything is. trayapp.commands takes these commands in;
what does the work is loaded only when one of them runs.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trayapp.model.access import Permission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from trayapp.cli import Core
    from trayapp.hosts.base import Host
    from trayapp.hosts.described_check import Report
    from trayapp.hosts.described_form import Description
    from trayapp.hosts.dsh_install import Installer, Plan
    from trayapp.model.session import HostLabel
    from trayapp.model.setup import HostSetup

app = typer.Typer(
    help="Say what is allowed with a host, put a plugin into one, or try the description of one.", no_args_is_help=True
)
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


_Host = Annotated[str, typer.Argument(metavar="HOST", help="As `agentring hosts list` names it.")]
_Word = Annotated[str, typer.Argument(metavar="PERMISSION", help=", ".join(Permission))]


@app.command("list")
def list_hosts(
    ctx: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print the documented JSON instead of text.")] = False,
) -> int:
    """Show the hosts that are looked for, what is allowed with each, and what could be."""
    from trayapp import commands
    from trayapp.model.snapshot import SCHEMA

    with commands._running(ctx) as core:
        core.look(0.0)  # what a host could be allowed depends on what of it runs
        told = [_about(core, label) for label in core.host_labels]
    if as_json:
        commands._print_json({"schema": SCHEMA, "hosts": told})
    else:
        commands._print(_hosts_table(told))
    return commands.DONE


@app.command()
def allow(ctx: typer.Context, host: _Host, permission: _Word, yes: _Yes = False) -> int:
    """Allow something with a host; says first what it means."""
    from trayapp import commands
    from trayapp.consents import offer_of, undo_of

    with commands._running(ctx) as core:
        label, wanted = _host(core, host), _permission(permission)
        if wanted in core.settings.access(label.host).allowed:
            typer.echo(f"{wanted} is allowed with {label.title} already; nothing to do.")
            return commands.DONE
        core.look(0.0)
        offer = offer_of(label, wanted, core.host_setups(label.host).result())
        if offer.fault is not None:
            commands._complain(offer.fault)
            return commands.NOT_ALL
        for line in ("This will", *(f"  - {step}" for step in offer.steps), *(f"{say}." for say in offer.says)):
            _say(line, err=True)
        if not _agreed(f"Allow {wanted} with {label.title}?", yes=yes):
            return commands.NOT_ALL
        core.set_up(offer).result()
    typer.echo(f"Allowed. `{undo_of(label.host, wanted)}` takes it back.")
    return commands.DONE


@app.command()
def forbid(ctx: typer.Context, host: _Host, permission: _Word) -> int:
    """Take back what was allowed with a host."""
    from trayapp import commands

    with commands._running(ctx) as core:
        label, wanted = _host(core, host), _permission(permission)
        if wanted not in core.settings.access(label.host).allowed:
            typer.echo(f"{wanted} is not allowed with {label.title}; nothing to do.")
            return commands.DONE
        core.permit(label.host, wanted, allowed=False).result()
    typer.echo(f"{wanted} is not allowed with {label.title} any more.")
    return commands.DONE


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A description, as docs/own-host.md tells.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the documented JSON instead of text.")] = False,
) -> int:
    """Try the description of a host on what runs now: whom it claims, what it finds, what is missing."""
    from trayapp import commands
    from trayapp.hosts.described_own import read_file

    hosts = _hosts_but(file)
    description, problems = read_file(file, hosts)
    if description is None:
        if as_json:
            commands._print_json(_check_as_json(file, None, [str(problem) for problem in problems]))
        else:
            for problem in problems:
                commands._complain(str(problem))
        return commands.NOT_ALL
    report = _check_now(description, hosts)
    if as_json:
        commands._print_json(_check_as_json(file, report, []))
    else:
        for line in _check_lines(description.label.title, report):
            _say(line)
    return commands.NOT_ALL if report.refused else commands.DONE


def _hosts_but(file: Path) -> list[Host]:
    """Return the hosts that there are without this file: one that lies in its place already is no other host."""
    from trayapp.hosts import described_own
    from trayapp.hosts.registry import load_hosts

    hosts, _ = load_hosts()
    folder = file.expanduser().absolute().parent
    own = [path for path in sorted(folder.glob("*.toml")) if path.name != file.name] if folder.name == "hosts" else []
    found = list(hosts)
    for path in own[: described_own.FILES_LIMIT]:
        description, _ = described_own.read_file(path, found)
        if description is not None:
            found.append(described_own.host_of(description))
    return [host for host in found if not _is_shipped_as(file, host)]


def _is_shipped_as(file: Path, host: Host) -> bool:
    """Say whether the file is the shipped description of that host."""
    from trayapp import resources

    return file.absolute() == resources.path("hosts", f"{host.label.host}.toml").absolute()


def _check_now(description: Description, hosts: list[Host]) -> Report:
    import asyncio
    import time

    from trayapp.hosts.base import Surroundings
    from trayapp.hosts.described_check import check as check_now
    from trayapp.probe import Probe

    names = {*description.environment_names, *(name for host in hosts for name in host.environment_names)}
    probe = Probe(environment_names=names)
    try:
        around = Surroundings(home=Path.home(), environ=dict(os.environ), now_epoch_s=time.time, processes=probe)
        return asyncio.run(check_now(description, probe.scan(), hosts, around))
    finally:
        probe.close()


def _check_lines(title: str, report: Report) -> Iterator[str]:
    import time

    from trayapp.wording import duration

    yield f"{title}: {_count(len(report.claimed), 'process', 'es')}, {_count(len(report.sessions), 'session', 's')}"
    for each in report.claimed:
        session = f", session {each.session}" if each.session is not None else ""
        yield f"  {each.pid} {each.name}: {each.role}{session} ({each.seen_by})"
    for found in report.sessions:
        ago = f", {duration(max(0.0, time.time() - found.at_epoch_s))} ago" if found.at_epoch_s is not None else ""
        yield f"  session {found.session}{f' “{found.title}”' if found.title else ''}: {found.state}{ago}"
        yield from (f"    {lack}" for lack in found.lacks)
    for head, lines in (
        ("Refused", report.refused),
        ("Missing", report.lacks),
        ("Not seen running", report.unseen),
        ("Has its name and is not claimed", report.near),
        ("Could not be read", report.problems),
    ):
        if lines:
            yield f"{head}:"
            yield from (f"  {line}" for line in lines)


def _count(number: int, what: str, plural: str) -> str:
    return f"{number or 'no'} {what}{plural if number != 1 else ''}"


def _check_as_json(file: Path, report: Report | None, problems: list[str]) -> dict[str, Any]:
    from dataclasses import asdict

    from trayapp.model.snapshot import SCHEMA

    told: dict[str, Any] = {"schema": SCHEMA, "file": str(file), "usable": report is not None and not report.refused}
    return told | {"faults": problems} | (asdict(report) if report is not None else {})


def _host(core: Core, name: str) -> HostLabel:
    from trayapp.commands import BadCall

    labels = core.host_labels
    found = [label for label in labels if name.casefold() in (label.host.casefold(), label.title.casefold())]
    if not found:
        raise BadCall(f"No host is called {name!r}. The hosts are {', '.join(label.host for label in labels)}")
    return found[0]


def _permission(word: str) -> Permission:
    from trayapp.commands import BadCall

    try:
        return Permission(word)
    except ValueError:
        raise BadCall(f"Nothing that can be allowed is called {word!r}. There is {', '.join(Permission)}") from None


def _about(core: Core, label: HostLabel) -> dict[str, Any]:
    """Return what is allowed with a host and what could be; what is signed in with is only said to be there."""
    access = core.settings.access(label.host)
    offers: list[HostSetup] = list(core.host_setups(label.host).result())
    could = [o for o in offers if o.permits is not None and o.permits not in access.allowed and o.fault is None]
    return {
        "host": label.host,
        "title": label.title,
        "allowed": sorted(access.allowed),
        "could_allow": [{"permission": str(offer.permits), "title": offer.title} for offer in could],
        "could_install": [o.title for o in offers if o.permits is None and o.steps and o.fault is None],
        "user_set": access.user is not None,
        "secret_set": access.secret is not None,
    }


def _hosts_table(told: list[dict[str, Any]]) -> RenderableType:
    from rich.table import Table

    from trayapp.report import clean

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("host", "name", "allowed", "could be allowed or put in"):
        table.add_column(head)
    for each in told:
        set_up = [word for word, there in (("user", each["user_set"]), ("secret", each["secret_set"])) if there]
        allowed = [*each["allowed"], *(f"{word} set" for word in set_up)]
        could = [*(offer["permission"] for offer in each["could_allow"]), *each["could_install"]]
        cells = (each["host"], each["title"], ", ".join(allowed) or "nothing", ", ".join(could))
        table.add_row(*(clean(cell) for cell in cells))
    return table


def _say(line: str, *, err: bool = False) -> None:
    from trayapp.report import clean

    typer.echo(clean(line).plain, err=err)


def _agreed(question: str, *, yes: bool) -> bool:
    """Ask, where it was not answered by the call; raises BadCall where nobody can be asked."""
    from trayapp import commands

    if yes:
        return True
    if not commands._can_ask():
        raise commands.BadCall(f"{question} Nobody can be asked here. --yes answers")
    return typer.confirm(question, err=True)


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
    if not _agreed(question, yes=yes):
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
