"""The commands behind `agentring`: how they are spelled, what is asked before something ends, what the exit code says.

Decides nothing itself: what may be done stands in the snapshot's decisions, and the core carries it out and looks
again before it does. A question is only asked on a terminal, on standard error; where nobody can be asked, `--yes`
answers the list ("release these?") and `--confirm` also each question that names a loss.
"""

from __future__ import annotations

import io
import json
import math
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, RenderableType
from rich.live import Live
from typer.exceptions import Abort, TyperException

from trayapp import (
    __version__,
    hosts_commands,
    incident_commands,
    next_commands,
    policy_commands,
    recording,
    report,
    resume_commands,
    simulate_commands,
)
from trayapp.cli import Core
from trayapp.history.csv_export import ExportCancelled
from trayapp.history.schema import HistoryError
from trayapp.keeps import KeepError
from trayapp.model.plan import Action, Allowed, Decision
from trayapp.model.receipt import Progress
from trayapp.model.series import KEPT_S, Tier
from trayapp.model.snapshot import ORPHAN_KINDS, SCHEMA, Group, GroupKind, Snapshot
from trayapp.targets import question_of, target_of, total_bytes
from trayapp.wording import THIN_SPACE, duration, memory

DONE, NOT_ALL, BAD_CALL, INTERRUPTED = 0, 1, 2, 130

ORIGIN = "command line"

LEAST_PREFIX = 4
"""Shorter beginnings of an id are not taken for it."""

WIDTH_WITHOUT_TERMINAL = 160

MakeCore = Callable[[], Core]
Choice = tuple[Group, Decision]


class BadCall(Exception):
    """The call cannot be understood or not be answered here; the message is the line that is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Consent:
    """Hold what the call itself has already answered."""

    yes: bool
    confirm: bool
    force: bool = False
    review: bool = False


app = typer.Typer(
    name="agentring",
    help="Show what AI-agent sessions hold on this computer, and give it back.",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_Json = Annotated[bool, typer.Option("--json", help="Print the documented JSON instead of text.")]
_Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask about the list.")]
_Confirm = Annotated[
    bool, typer.Option("--confirm", help="Answer yes to the questions that name a loss as well; includes --yes.")
]
_DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and why; do nothing.")]


def run(arguments: Sequence[str], make_core: MakeCore) -> int:
    """Run one call; errors are one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a code page without U+202F must not end the program
    try:
        result = app(args=list(arguments), prog_name="agentring", obj=make_core, standalone_mode=False)
    except (BadCall, TyperException) as error:
        _complain(error.format_message() if isinstance(error, TyperException) else str(error))
        return BAD_CALL
    except (HistoryError, KeepError) as error:
        _complain(report.problem_line(error.problem))
        return NOT_ALL
    except OSError as error:
        _complain(f"{error.filename or 'the system'}: {error.strerror or error}. The call was given up there")
        return NOT_ALL
    except (Abort, KeyboardInterrupt):
        return INTERRUPTED
    return result if isinstance(result, int) else DONE


# --------------------------------------------------------------------------------------------------------- commands


@app.callback(invoke_without_command=True)
def _main(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        typer.echo(f"agentring {__version__}")
        raise typer.Exit


@app.command()
def snapshot(
    ctx: typer.Context,
    sessions: Annotated[
        list[str] | None, typer.Argument(metavar="[SESSION]...", help="Say of these why they stand as they stand.")
    ] = None,
    as_json: _Json = False,
) -> int:
    """Take two looks a second apart, then show what holds what, or why a session counts as idle or busy."""
    with _running(ctx) as core:
        seen = core.look()
    _tell_problems(seen)
    if sessions:
        groups = [_named(seen.groups, name) for name in sessions]
        if not as_json:
            for group in groups:
                _print(report.why_lines(group, seen))
            return DONE
        seen = replace(seen, groups=tuple(groups))
    _print_json(report.snapshot_to_json(seen)) if as_json else _print(report.snapshot_table(seen))
    return DONE


@app.command()
def watch(
    ctx: typer.Context,
    interval: Annotated[float, typer.Option(help="Seconds between looks.", min=0.5, max=3600.0)] = 2.0,
) -> int:
    """Show the same live in the terminal; Ctrl-C ends it."""
    console = _console()
    with _running(ctx) as core:
        try:
            with Live(console=console, auto_refresh=False, screen=console.is_terminal) as live:
                while True:
                    live.update(report.snapshot_table(core.look(interval)), refresh=True)
        except KeyboardInterrupt:
            return DONE


@app.command()
def release(
    ctx: typer.Context,
    sessions: Annotated[
        list[str] | None, typer.Argument(metavar="[SESSION]...", help="Id, its beginning, host:id, or a pid.")
    ] = None,
    idle: Annotated[
        bool, typer.Option("--idle", help="All that is idle and can be released without a question.")
    ] = False,
    first: Annotated[
        bool, typer.Option("--next", help="The first of `agentring next`; shown and asked about before.")
    ] = False,
    min_idle: Annotated[str | None, typer.Option(help="How long a session must be idle, such as 15m.")] = None,
    dry_run: _DryRun = False,
    yes: _Yes = False,
    confirm: _Confirm = False,
    as_json: _Json = False,
) -> int:
    """Release sessions; their host can resume them."""
    if idle + first + bool(sessions) != 1:
        raise BadCall("release needs one of: sessions, --idle, --next. `agentring snapshot` lists the sessions")
    idle_after_s = None if min_idle is None else _duration_s(min_idle, "--min-idle")
    with _running(ctx) as core:
        seen = core.look(idle_after_s=idle_after_s)
        if first:
            return next_commands.release_next(core, seen, yes=yes, confirm=confirm, dry_run=dry_run, as_json=as_json)
        choices = _all_idle(seen) if idle else [_chosen(seen, name, Action.RELEASE) for name in sessions or ()]
        consent = _Consent(yes=yes, confirm=confirm, review=idle or len(choices) > 1)
        return _carry_out(core, seen, choices, consent, verb="Release", dry_run=dry_run, as_json=as_json)


@app.command()
def kill(
    ctx: typer.Context,
    targets: Annotated[
        list[str], typer.Argument(metavar="SESSION|PID...", help="Id, its beginning, host:id, or a pid of the group.")
    ],
    force: Annotated[bool, typer.Option("--force", help="Allow SIGKILL for what does not end when asked.")] = False,
    dry_run: _DryRun = False,
    yes: _Yes = False,
    confirm: _Confirm = False,
    as_json: _Json = False,
) -> int:
    """End sessions or other groups by signal; a running turn is lost."""
    with _running(ctx) as core:
        seen = core.look()
        choices = [_chosen(seen, name, Action.KILL, Action.END_ORPHAN) for name in targets]
        consent = _Consent(yes=yes, confirm=confirm, force=force, review=len(choices) > 1)
        return _carry_out(core, seen, choices, consent, verb="End", dry_run=dry_run, as_json=as_json)


@app.command("end-orphans")
def end_orphans(
    ctx: typer.Context,
    targets: Annotated[list[str] | None, typer.Argument(metavar="[ORPHAN]...", help="A pid; none = all.")] = None,
    dry_run: _DryRun = False,
    yes: _Yes = False,
    confirm: _Confirm = False,
    as_json: _Json = False,
) -> int:
    """End processes whose session is gone."""
    with _running(ctx) as core:
        seen = core.look()
        if targets:
            choices = [_chosen(seen, name, Action.END_ORPHAN, Action.RELEASE, orphans=True) for name in targets]
        else:
            choices = _all_orphans(seen, also_asked=dry_run or confirm or _can_ask())
        consent = _Consent(yes=yes, confirm=confirm, review=True)
        return _carry_out(core, seen, choices, consent, verb="End", dry_run=dry_run, as_json=as_json)


@app.command()
def export(
    ctx: typer.Context,
    since: Annotated[str, typer.Option(help="How far back, such as 24h or 7d.")] = "24h",
    session: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this session: its id, or host:id. May be given again.")
    ] = None,
    tier: Annotated[
        Tier,
        typer.Option(
            metavar="raw|minute|quarter|auto",
            help="One row for every sample (kept 2 hours), minute (7 days) or 15 minutes; "
            "auto takes the finest of them that holds the whole range.",
        ),
    ] = Tier.AUTO,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; without it, standard output.")] = None,
) -> int:
    """Write the measurements as CSV."""
    until_s = time.time()
    since_s = until_s - _duration_s(since, "--since")
    with _running(ctx) as core, tempfile.TemporaryDirectory(prefix="agentring-") as folder:
        target = out if out is not None else Path(folder) / "export.csv"
        try:
            rows = _export(core, target, since_s, until_s, session, tier)
        except OSError as error:
            _complain(f"{error.filename or target}: {error.strerror or error}. Name another place with --out")
            return NOT_ALL
        if rows is None:
            _complain("The export was stopped; no file was written")
            return INTERRUPTED
        if out is None:
            with target.open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.flush()
        else:
            typer.echo(f"{rows} rows written to {out}", err=True)
    if rows == 0:
        _complain("Nothing was recorded in that time; measurements are recorded while the tray app runs")
    elif until_s - since_s > KEPT_S.get(tier, math.inf):
        kept = duration(KEPT_S[tier]).replace(THIN_SPACE, " ")
        _complain(f"Of {tier.value} rows the last {kept} are kept; --tier auto has all of the range")
    return DONE


@app.command()
def journal(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option(help="How many, the newest first.", min=1)] = 20,
    as_json: _Json = False,
) -> int:
    """Show what was done, by whom, what was refused, what came back by itself, and how to resume."""
    with _running(ctx) as core:
        receipts = core.receipts(limit).result()
        begun = core.open_intents().result()
    if as_json:
        told = {"open": [report.intent_to_json(intent) for intent in begun]}
        told["receipts"] = [report.receipt_to_json(receipt) for receipt in receipts]
        _print_json({"schema": SCHEMA} | told)
    else:
        _print(report.journal_lines(receipts, open_intents=begun, now_epoch_s=time.time()))
    return DONE


@app.command()
def doctor(ctx: typer.Context, as_json: _Json = False) -> int:
    """Show what is found, what is not and why, and what cannot be read here."""
    with _running(ctx) as core:
        findings = core.doctor()
    if as_json:
        _print_json({"schema": SCHEMA, "findings": [report.finding_to_json(finding) for finding in findings]})
    else:
        _print(report.findings_table(findings))
    return DONE


@app.command()
def record(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to, such as report.agentring.gz.")],
    length: Annotated[str, typer.Option("--for", help="How long, such as 60s or 10m.")] = "60s",
    every: Annotated[float, typer.Option(help="Seconds between looks.", min=0.5, max=3600.0)] = 2.0,
) -> int:
    """Write what is seen to a file for a report, without names, folders, prompts or tokens."""
    for_s = _duration_s(f"{length}s" if length.replace(".", "", 1).isdecimal() else length, "--for")
    with _running(ctx) as core:
        recorded = core.record(file, for_s=for_s, every_s=every, progress=_looks_line())
    looks = "1 look" if recorded.ticks == 1 else f"{recorded.ticks} looks"
    typer.echo(f"{looks} written to {file}, {max(1, recorded.size_bytes // 1000)} KB", err=True)
    typer.echo(f"See what is in it before you send it: `gzip -dc {file}`, `agentring replay {file}`", err=True)
    return DONE


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `agentring record` wrote.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print every look as documented JSON, one a line.")] = False,
) -> int:
    """Say again what was seen when a file was recorded; looks at nothing on this computer."""
    looks = 0
    last: Snapshot | None = None
    try:
        for last in recording.replay(file):
            looks += 1
            if as_json:
                typer.echo(json.dumps(report.snapshot_to_json(last), allow_nan=False))
    except recording.CaptureUnreadable as error:
        raise BadCall(str(error)) from error
    if last is not None and not as_json:
        typer.echo(f"{'1 look' if looks == 1 else f'{looks} looks'}; the last, at {report.rfc3339(last.taken_at)}:")
        _print(report.snapshot_table(last))
        _tell_problems(last)
    return DONE


app.command("next")(next_commands.next_)
app.command()(next_commands.keep)
app.command()(next_commands.unkeep)
app.command()(incident_commands.incidents)
app.command()(resume_commands.resume)
app.command()(simulate_commands.simulate)
app.add_typer(hosts_commands.app, name="hosts")
app.add_typer(policy_commands.app, name="policies")


# --------------------------------------------------------------------------------------------------------- choosing


def _all_idle(seen: Snapshot) -> list[Choice]:
    found = [(g, d) for g in seen.groups if g.counts and (d := g.decision(Action.RELEASE)) is not None]
    return [(group, decision) for group, decision in found if decision.allowed is Allowed.ALLOW]


def _all_orphans(seen: Snapshot, *, also_asked: bool) -> list[Choice]:
    wanted = (Allowed.ALLOW, Allowed.CONFIRM) if also_asked else (Allowed.ALLOW,)
    found = [(g, d) for g in seen.groups if (d := g.decision(Action.END_ORPHAN)) is not None]
    return [(group, decision) for group, decision in found if decision.allowed in wanted]


def _chosen(seen: Snapshot, name: str, *actions: Action, orphans: bool = False) -> Choice:
    """Find the group that an argument names, and the answer to the first of the actions that it has."""
    candidates = [g for g in seen.groups if g.kind in ORPHAN_KINDS] if orphans else list(seen.groups)
    group = _named(candidates, name)
    decision = next((d for action in actions if (d := group.decision(action)) is not None), None)
    if decision is None:
        mend = (
            "`agentring end-orphans` ends what has lost its session"
            if group.kind in ORPHAN_KINDS
            else "See `agentring snapshot`"
        )
        raise BadCall(f"{group.name} is nothing that {actions[0].value} can be asked for. {mend}")
    return group, decision


def _named(groups: Sequence[Group], name: str) -> Group:
    """Return the one group of that key or id, of that pid, or whose id begins so (4 or more characters)."""
    exact = [g for g in groups if name in _names(g)]
    of_pid = [g for g in groups if name.isdecimal() and any(m.process.pid == int(name) for m in g.members)]
    long_enough = len(name) >= LEAST_PREFIX
    found = exact or of_pid or [g for g in groups if long_enough and any(n.startswith(name) for n in _names(g))]
    if len(found) == 1:
        return found[0]
    if found:
        raise BadCall(f"{name!r} can be {_listed(found)}. Write more of the id, or host:id")
    known = [g for g in groups if g.kind is GroupKind.SESSION or g.kind in ORPHAN_KINDS]
    there = f"There are {_listed(known)}" if known else "There is none now"
    short = "" if long_enough or name.isdecimal() else f"; at least {LEAST_PREFIX} characters of an id are needed"
    raise BadCall(f"Nothing is called {name!r}{short}. {there}")


def _names(group: Group) -> tuple[str, ...]:
    return (group.key,) if group.session is None else (group.key, str(group.session), group.session.session_id)


def _listed(groups: Sequence[Group], most: int = 6) -> str:
    names = [f"{group.key} ({group.name})" if group.title else group.key for group in groups[:most]]
    return ", ".join(names) + (f" and {len(groups) - most} more" if len(groups) > most else "")


def _duration_s(text: str, option: str, *, also: str = "") -> float:
    """Return seconds from "90s", "15m", "24h", "7d"; `also` names what else the option takes."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|m|min|h|d)", text)
    if match is None:
        raise BadCall(f"{option}: {text!r} is no length of time. Write it as 90s, 15m, 24h or 7d{also}")
    return float(match[1]) * {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}[match[2]]


# --------------------------------------------------------------------------------------------------------- carrying out


def _carry_out(
    core: Core,
    seen: Snapshot,
    choices: Sequence[Choice],
    consent: _Consent,
    *,
    verb: str,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Ask what has to be asked, have it done, print the receipt."""
    choices = list({group.key: (group, decision) for group, decision in choices}.values())
    refused = any(decision.allowed is Allowed.REFUSE for _, decision in choices)
    if dry_run:
        if as_json:
            _print_json({"schema": SCHEMA, "would": [report.choice_to_json(*choice) for choice in choices]})
        elif choices:
            _print(report.choices_table(choices, seen))
        else:
            typer.echo(f"Nothing to {verb.lower()}.")
        return NOT_ALL if refused else DONE
    if not choices:
        _print_json({"schema": SCHEMA, "receipt": None}) if as_json else typer.echo(f"Nothing to {verb.lower()}.")
        return DONE
    if not _list_agreed(seen, choices, consent, verb):
        return NOT_ALL
    answered = [(group, decision, _agreed(group, decision, consent)) for group, decision in choices]
    going = [answer for answer in answered if answer[2] is not False]
    if not going or (consent.force and not _force_agreed(consent)):
        return NOT_ALL
    targets = [target_of(g, d, confirmed=agreed is True, force=consent.force) for g, d, agreed in going]
    receipt = core.reclaim(targets, ORIGIN, _progress_line()).result()
    if as_json:
        _print_json({"schema": SCHEMA, "receipt": report.receipt_to_json(receipt)})
    else:
        _print(report.receipt_lines(receipt))
    if any(agreed is None and d.allowed is Allowed.CONFIRM for _, d, agreed in going):
        _complain("What has to be asked first was refused, nobody could be asked here. --confirm answers yes")
    return DONE if receipt.complete and len(going) == len(answered) else NOT_ALL


def _list_agreed(seen: Snapshot, choices: Sequence[Choice], consent: _Consent, verb: str) -> bool:
    """Show several targets before anything happens; one alone is released at once or has its own question."""
    can_go = [group for group, decision in choices if decision.allowed is not Allowed.REFUSE]
    if not can_go or not consent.review or consent.yes or consent.confirm:
        return True
    if not _can_ask():
        raise BadCall(f"{verb} {_count(choices)}? Nobody can be asked here. --yes answers, --dry-run shows the list")
    _print(report.choices_table(choices, seen), err=True)
    return typer.confirm(f"{verb} {_count(choices)}, about {memory(total_bytes(can_go))}?", err=True)


def _agreed(group: Group, decision: Decision, consent: _Consent) -> bool | None:
    """Answer the question of one target; None = there was none, or nobody who could be asked."""
    if decision.allowed is not Allowed.CONFIRM:
        return None
    if consent.confirm:
        return True
    if not _can_ask():
        return None
    question = question_of(group, decision)
    return typer.confirm(report.clean(f"{question.title} {question.loss}").plain, err=True)


def _force_agreed(consent: _Consent) -> bool:
    """Ask the second question, the one before SIGKILL."""
    if consent.confirm:
        return True
    if not _can_ask():
        raise BadCall("--force needs a second answer, and nobody can be asked here. --confirm answers yes")
    return typer.confirm("End it now if it does not end when asked? What it is doing is lost.", err=True)


def _count(choices: Sequence[Choice]) -> str:
    sessions = sum(group.kind is GroupKind.SESSION for group, _ in choices)
    orphans = len(choices) - sessions
    parts = [f"{n} {word}{'s' if n != 1 else ''}" for n, word in ((sessions, "session"), (orphans, "orphan")) if n]
    return " and ".join(parts)


def _can_ask() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _progress_line() -> Callable[[Progress], None]:
    """Return a listener that says each new step on standard error, where someone watches."""
    told: list[str] = []

    def tell(progress: Progress) -> None:
        line = f"{progress.title}: {progress.label}"
        if sys.stderr.isatty() and told[-1:] != [line]:
            told.append(line)
            typer.echo(report.clean(line).plain, err=True)

    return tell


def _looks_line() -> Callable[[int], None]:
    """Return a listener that counts looks on standard error, where someone watches."""
    shows = sys.stderr.isatty()

    def tell(looks: int) -> None:
        if shows:
            typer.echo(f"\r{looks} looks; Ctrl-C ends it and keeps them  ", err=True, nl=False)

    return tell


def _export(
    core: Core, target: Path, since_s: float, until_s: float, sessions: Sequence[str] | None, tier: Tier
) -> int | None:
    """Return the number of rows, None when it was stopped by Ctrl-C."""
    stop = threading.Event()
    shows = sys.stderr.isatty()

    def tell(done: int, total: int) -> None:
        if shows:
            typer.echo(f"\r{100 * done // max(1, total)} %", err=True, nl=done >= total)

    future = core.export_csv(
        target,
        since_epoch_s=since_s,
        until_epoch_s=until_s,
        session=sessions or None,
        tier=tier,
        progress=tell,
        cancelled=stop.is_set,
    )
    try:
        return future.result()
    except KeyboardInterrupt:
        stop.set()
        try:
            return future.result()  # it may have been whole already
        except ExportCancelled:
            return None


# --------------------------------------------------------------------------------------------------------- printing


@contextmanager
def _running(ctx: typer.Context) -> Iterator[Core]:
    make_core: MakeCore = ctx.obj
    core = make_core()
    core.start()
    try:
        yield core
    finally:
        core.stop()


def _console(*, err: bool = False) -> Console:
    stream = sys.stderr if err else sys.stdout
    width = None if stream.isatty() else WIDTH_WITHOUT_TERMINAL
    return Console(file=stream, width=width, highlight=False, emoji=False, markup=False)


def _print(what: RenderableType, *, err: bool = False) -> None:
    _console(err=err).print(what)


def _print_json(document: dict[str, Any]) -> None:
    typer.echo(json.dumps(document, indent=2, allow_nan=False))


def _tell_problems(seen: Snapshot) -> None:
    for problem in seen.problems:
        _complain(report.problem_line(problem))


def _complain(line: str) -> None:
    typer.echo(report.clean(f"agentring: {' '.join(line.split())}").plain, err=True)
