"""Kiro: its command line programs, recognised; what its sessions do is not read yet, and so not known.

Knows the chain `kiro-cli` -> `kiro-cli-chat` -> `bun tui.js` -> `node acp-server.js`, of which each level is the same
run, and the variable that names its data home. Where the user's own environment sets that variable, a program with
another home belongs to another installation, and one whose environment cannot be read to nobody known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from trayapp.hosts.base import CallResult, Surroundings, claim_on
from trayapp.hosts.scope import scope_of
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import Claim, ClaimKind, HostLabel, Observation, Role, SessionFact
from trayapp.programs import argv_value, basename

HOST = "kiro"
_claim = partial(claim_on, host=HOST)
HOME_VARIABLE = "KIRO_HOME"
_PROGRAMS = frozenset({"kiro-cli", "kiro-cli-chat"})
_INNER_SCRIPTS = frozenset({"tui.js", "acp-server.js"})
_SHORT_COMMANDS = frozenset(
    {"login", "logout", "whoami", "settings", "doctor", "update", "version", "mcp", "diagnostic"}
)


class Kiro:
    """The adapter; keeps nothing between observations."""

    label = HostLabel(host=HOST, title="Kiro", letters="Ki", rank=60)
    environment_names: tuple[str, ...] = (HOME_VARIABLE,)
    words = _PROGRAMS | _INNER_SCRIPTS | _SHORT_COMMANDS

    def recognise(self, process: Process) -> Claim | None:
        """Say by argv[0] or executable what a process is to Kiro. Pure."""
        argv = process.argv or ()
        names = {basename(argv[0]) if argv else "", basename(process.exe or "")}
        if process.is_zombie or not names & _PROGRAMS:
            return None
        if len(argv) > 1 and argv[1] in _SHORT_COMMANDS:
            return _claim(process, Role.INFRA, ClaimKind.PROGRAM, "a command of the host")
        resumed = argv_value(argv, "--resume-id")
        if resumed is not None:
            return _claim(process, Role.BACKEND, ClaimKind.ARGV, "--resume-id in its arguments", resumed)
        return _claim(process, Role.BACKEND, ClaimKind.PROGRAM, "its program")

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Sharpen the claims: whose installation each is, and which levels of a chain are one run."""
        by_identity = {claim.identity: claim for claim in recognised}
        claims: list[Claim] = []
        for claim in recognised:
            process = table.get(claim.identity)
            if process is None:
                continue
            scope = scope_of(process, HOME_VARIABLE, around.environ)
            below = table.children(process.pid)
            if any(_is_run(by_identity.get(child.identity)) for child in below) and _is_run(claim):
                claim = replace(claim, role=Role.WRAPPER, source="starts its program")
            claims.append(replace(claim, scope=scope))
            if _is_run(claim):
                claims.extend(
                    _claim(inner, Role.WRAPPER, ClaimKind.PROGRAM, "a part of its program")
                    for inner in table.descendants(process.pid)
                    if _is_inner(inner)
                )
        sessions = {claim.session: claim for claim in claims if claim.session is not None}
        facts = tuple(SessionFact(key=key) for key in sessions)
        return Observation(host=HOST, read_epoch_s=around.now_epoch_s(), sessions=facts, claims=tuple(claims))

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Offer nothing: how its sessions end well is not known here."""
        return CallResult(ok=False, message=f"Kiro offers no “{name}”")


def _is_run(claim: Claim | None) -> bool:
    return claim is not None and claim.role is Role.BACKEND


def _is_inner(process: Process) -> bool:
    argv = process.argv or ()
    script = next((argument for argument in argv[1:] if not argument.startswith("-")), "")
    return bool(argv) and basename(argv[0]) in ("bun", "node") and basename(script) in _INNER_SCRIPTS
