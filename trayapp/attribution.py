"""Who owns which process: a process table and claims in, every process in exactly one place out.

Pure. Knows nothing of any host but what claims say, reads nothing, and decides nothing about ending anything.

The rules, strongest evidence first (DESIGN 4.6), each in one place:

- `_strongest`: of several claims on one process the strongest kind wins; two sessions at that strength are ambiguous.
- `_Attributor.settle`: a process is a zombie, the monitor's own, an agent with a claim, or it follows its owner.
- `_Attributor._is_plain`: most processes have nothing to do with agents, which is seen at a glance.
- `_Attributor._owner_of`: session variable of a live session, then the nearest owned ancestor, then remembered lineage.
- `_Attributor._orphan`: nothing owns it any more, and there is proof that something once did.
- `_Attributor._above_agents`: what drives agents from above is host overhead, a launcher of one agent is part of it.
- `_Attributor._share_copies`: below a backend of many conversations, several copies of one helper serve any of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from trayapp.bystanders import Bystander, bystander
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import Claim, ClaimKind, EndsBy, Observation, Role, Scope, SessionFact, SessionKey
from trayapp.model.snapshot import ORPHAN_KINDS, GroupKind
from trayapp.programs import basename, is_shell, is_wrapper, looks_like_helper, shell_command, words


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """Remember whose a process was while that could still be seen.

    `parent` was its parent then: once that is gone another took it over, a reaper that no table may name. `released`
    says that we asked its session to go.
    """

    session: SessionKey | None
    host: str
    role: Role
    parent: Identity | None = None
    released: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Say where one process belongs: under which group, in which role, by which claim."""

    key: str
    kind: GroupKind
    role: Role
    host: str | None = None
    session: SessionKey | None = None
    claim: Claim | None = None
    owner_hint: str | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """Hold the places of all processes of a table, and the sessions that hosts tell of."""

    places: Mapping[Identity, Place]
    facts: Mapping[SessionKey, SessionFact]
    _groups: list[Mapping[str, tuple[Identity, ...]]] = field(
        init=False, default_factory=list, repr=False, compare=False
    )

    @property
    def groups(self) -> Mapping[str, tuple[Identity, ...]]:
        """Return the processes that are counted together, by the key of their group."""
        if not self._groups:
            groups: dict[str, list[Identity]] = {}
            for identity, place in self.places.items():
                groups.setdefault(place.key, []).append(identity)
            self._groups.append({key: tuple(members) for key, members in groups.items()})
        return self._groups[0]

    def telling(self, facts: Mapping[SessionKey, SessionFact]) -> Ownership:
        """Return the same places with what hosts tell of sessions now."""
        told = replace(self, facts=facts)
        told._groups.extend(self._groups)
        return told


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Hold an attribution with what it rests on, so that the next look can tell whether it still stands.

    Attributes:
        serial, reaper_pids: of its table.
        claims, told: of each host, as they were given: its claims, and what it says of sessions.
        rests_on, lineage: what was remembered before it and after it; the same object where nothing is new.
        followed: whose figures count: all that is owned, and this program.
        concerned: processes that it would not stand without: owned ones, all above them, claimed and remembered ones.
    """

    serial: int
    reaper_pids: frozenset[int]
    claims: tuple[tuple[Claim, ...], ...]
    told: tuple[tuple[SessionFact, ...], ...]
    ownership: Ownership
    rests_on: Mapping[Identity, Lineage]
    lineage: Mapping[Identity, Lineage]
    followed: tuple[Identity, ...]
    concerned: frozenset[Identity]


_AGENT_ROLES = frozenset({Role.BACKEND})
_HOST_ROLES = frozenset({Role.INFRA, Role.SPARE, Role.CLIENT, Role.APP})
_PERSONS_OWN = frozenset({Bystander.TERMINAL, Bystander.CONSOLE, Bystander.EDITOR, Bystander.VIRTUAL_MACHINE})
_HANDS_ON = frozenset({Bystander.TERMINAL, Bystander.EDITOR, Bystander.MULTIPLEXER})
_OWNING_KINDS = frozenset({GroupKind.SESSION, GroupKind.INFRA, GroupKind.SHARED_HELPER, *ORPHAN_KINDS})
NOBODYS = frozenset({GroupKind.UNRELATED, GroupKind.NOT_OURS})
"""Kinds of groups that have nothing to do with our user's agents."""
_WITHOUT_FIGURES = NOBODYS | {GroupKind.ZOMBIE}
_UNRELATED = Place(key="unrelated", kind=GroupKind.UNRELATED, role=Role.UNKNOWN)
_NOT_OURS = Place(key="not-ours", kind=GroupKind.NOT_OURS, role=Role.UNKNOWN)


def attribute(
    table: ProcessTable,
    observations: Sequence[Observation],
    lineage: Mapping[Identity, Lineage],
) -> Ownership:
    """Put every process of `table` in exactly one place.

    The result does not depend on the order of processes, observations or claims.
    """
    return _Attributor(table, observations, lineage).run()


def attribute_again(
    table: ProcessTable,
    observations: Sequence[Observation],
    lineage: Mapping[Identity, Lineage],
    before: Standing | None,
) -> Standing:
    """Attribute, taking over what still stands from the look before; the places are those that `attribute` would give.

    An attribution stands while claims and lineage are the same and nobody whom it concerns came, went or changed. Then
    only processes that have nothing to do with agents are new or gone, and each of those has a place by itself.
    """
    claims = tuple([observation.claims for observation in observations])
    told = tuple([observation.sessions for observation in observations])
    if before is not None and before.claims == claims and before.rests_on is lineage:
        places = _places_that_stand(table, before)
        if places is not None:
            ownership = before.ownership
            same_word = all(now is then for now, then in zip(told, before.told, strict=True))
            if not same_word or places is not ownership.places:
                facts = ownership.facts if same_word else _facts(observations)
                ownership = (
                    ownership.telling(facts) if places is ownership.places else Ownership(places=places, facts=facts)
                )
            return replace(before, serial=table.serial, told=told, ownership=ownership)
    ownership = attribute(table, observations, lineage)
    kept: Mapping[Identity, Lineage] = remember(ownership, lineage, table)
    if kept == lineage:
        kept = lineage
    return Standing(
        serial=table.serial,
        reaper_pids=table.reaper_pids,
        claims=claims,
        told=told,
        ownership=ownership,
        rests_on=lineage,
        lineage=kept,
        followed=tuple(i for i, place in ownership.places.items() if place.kind not in _WITHOUT_FIGURES),
        concerned=_concerned(table, ownership, claims, kept),
    )


def _facts(observations: Iterable[Observation]) -> dict[SessionKey, SessionFact]:
    return {fact.key: fact for observation in observations for fact in observation.sessions}


def _places_that_stand(table: ProcessTable, before: Standing) -> Mapping[Identity, Place] | None:
    """Return the places for this table where those of the look before still hold for all whom they concern."""
    changes = table.changes
    if changes is None or changes.since != before.serial or table.reaper_pids != before.reaper_pids:
        return None
    if not changes:
        return before.ownership.places
    fresh = changes.appeared | changes.changed | _left_alone(table, changes.gone)
    fresh |= _starters(table, fresh)
    if not before.concerned.isdisjoint(changes.gone) or not before.concerned.isdisjoint(fresh):
        return None
    attributor = _Attributor(table, (), {})
    places = dict(before.ownership.places)
    for identity in changes.gone:
        del places[identity]
    for identity in sorted(fresh, key=lambda i: (i.start, i.pid)):
        process = table.processes[identity.pid]
        if not attributor.is_plain(process, places):
            return None
        places[identity] = attributor.plain(process)
    return places


def _left_alone(table: ProcessTable, gone: Collection[Identity]) -> set[Identity]:
    """Return the processes whose parents are gone; what has a new parent already has changed."""
    pids = {identity.pid for identity in gone}
    return {p.identity for p in table.processes.values() if p.ppid in pids} if pids else set()


def _starters(table: ProcessTable, started: Iterable[Identity]) -> set[Identity]:
    """Return the wrappers right above these: what one is depends on what it started."""
    found: set[Identity] = set()
    for identity in started:
        for above in table.ancestors(table.processes[identity.pid]):
            if not is_wrapper(above):
                break
            found.add(above.identity)
    return found


def _concerned(
    table: ProcessTable,
    ownership: Ownership,
    claims: Iterable[Iterable[Claim]],
    lineage: Mapping[Identity, Lineage],
) -> frozenset[Identity]:
    owned = [i for i, place in ownership.places.items() if place.kind not in NOBODYS]
    above = {a.identity for i in owned for a in table.ancestors(table.processes[i.pid])}
    return frozenset({*owned, *above, *lineage, *(claim.identity for told in claims for claim in told)})


def remember(ownership: Ownership, before: Mapping[Identity, Lineage], table: ProcessTable) -> dict[Identity, Lineage]:
    """Return the lineage to keep for the next tick: what is owned now, and what was owned and still runs."""
    kept: dict[Identity, Lineage] = {}
    for identity, place in ownership.places.items():
        of_host = place.kind in (GroupKind.INFRA, GroupKind.SHARED_HELPER) and place.role is Role.HELPER
        if (place.kind is GroupKind.SESSION or of_host) and place.host is not None:
            above = table.parent(table.processes[identity.pid])
            parent = above.identity if above is not None else None
            kept[identity] = Lineage(session=place.session, host=place.host, role=place.role, parent=parent)
        elif identity in before:
            kept[identity] = before[identity]
    return kept


class _Attributor:
    """Hold what one pass needs; each process is settled once, its parent before it."""

    def __init__(
        self, table: ProcessTable, observations: Sequence[Observation], lineage: Mapping[Identity, Lineage]
    ) -> None:
        self.table = table
        self.lineage = lineage
        self.own_pids: frozenset[int] | None = None
        self.facts = _facts(observations)
        self.claims = _by_identity(table, observations)
        self.agents_by_tty = self._agents_by_tty()
        self.places: dict[Identity, Place] = {}
        self.agents: dict[Identity, Place] = {}
        self.live: dict[SessionKey, Place] = {}

    def run(self) -> Ownership:
        own = self.table.own_pid
        self.own_pids = frozenset((own, *(process.pid for process in self.table.descendants(own))))
        self._settle_agents()
        self.agents = dict(self.places)
        for process in sorted(self.table.processes.values(), key=_in_order_of_birth):
            if process.identity not in self.places:
                self.places[process.identity] = (
                    self.plain(process) if self.is_plain(process, self.places) else self._find(process)
                )
        self._above_agents()
        self._share_copies()
        return Ownership(places=self.places, facts=self.facts)

    # -- agents ---------------------------------------------------------------------------------------------------

    def _settle_agents(self) -> None:
        """Place the processes that hosts themselves name: they are what everything else is measured against."""
        apps: list[tuple[Process, Claim]] = []
        for identity, claims in self.claims.items():
            process = self.table.processes[identity.pid]
            if process.is_zombie or self._is_own(process):
                continue
            claim, ambiguous = _strongest(claims)
            if claim.role in _AGENT_ROLES and bystander(process) in _HANDS_ON:
                continue  # a person's own program, whatever a record says
            if claim.role is Role.APP and claim.scope is Scope.OWN:
                apps.append((process, claim))
                continue
            place = self._claimed(process, claim, ambiguous=ambiguous)
            if place is not None:
                self.places[identity] = place
                self._note_live(place, claims)
        for process, claim in apps:
            self.places[process.identity] = self._app(process, claim)

    def _note_live(self, place: Place, claims: Sequence[Claim]) -> None:
        """Note which sessions live in a process: the one it was given to, or all that are claimed on it.

        All where a backend runs many, and where another host's agent is embedded: its tools name its own session.
        """
        if place.kind is GroupKind.NOT_OURS:
            return
        named = [place.session] if place.role in _AGENT_ROLES else []
        if any(claim.serves_many or claim.embedded for claim in claims):
            named += [claim.session for claim in claims]
        for session in named:
            if session is not None:
                self.live.setdefault(session, place)

    def _claimed(self, process: Process, claim: Claim, *, ambiguous: bool) -> Place | None:
        if claim.scope is not Scope.OWN:
            return self._another_installation(claim)
        if claim.role in _AGENT_ROLES:
            return self._agent(process, claim, ambiguous=ambiguous)
        if claim.role in _HOST_ROLES:
            return Place(key=f"infra:{claim.host}", kind=GroupKind.INFRA, role=claim.role, host=claim.host, claim=claim)
        if claim.leaked:
            return self._leaked(claim)
        if claim.role is Role.HELPER and claim.kind is ClaimKind.PROGRAM:
            # PRECEDENCE A7: an agent that may use no tool answers questions of other programs and is no session
            return Place(
                key=f"shared:{process.identity}",
                kind=GroupKind.SHARED_HELPER,
                role=Role.HELPER,
                host=claim.host,
                claim=claim,
                flags=("helper-agent",),
            )
        return None

    def _leaked(self, claim: Claim) -> Place:
        """Give a helper that its own, living host cannot reach any more to the orphans of the session it came from."""
        owner = claim.session.session_id if claim.session is not None else None
        return Place(
            key=f"{GroupKind.ORPHAN_HELPER.value}:{owner or claim.identity}",
            kind=GroupKind.ORPHAN_HELPER,
            role=Role.HELPER,
            host=claim.host,
            claim=claim,
            owner_hint=owner,
            flags=("leaked",),
        )

    def _agent(self, process: Process, claim: Claim, *, ambiguous: bool) -> Place:
        session = None if ambiguous else claim.session
        is_orphan = self._is_orphan_agent(process)
        key = str(session) if session is not None else f"{claim.host}:{process.identity}"
        flag = ("shared-backend" if claim.serves_many else "ambiguous",) if ambiguous else ()
        return Place(
            key=f"orphan-agent:{process.identity}" if is_orphan else key,
            kind=GroupKind.ORPHAN_AGENT if is_orphan else GroupKind.SESSION,
            role=Role.BACKEND,
            host=claim.host,
            session=session,
            claim=claim,
            flags=flag,
        )

    def _another_installation(self, claim: Claim) -> Place:
        """Keep what belongs to another installation of a host out of ours (PRECEDENCE A9)."""
        unverified = claim.scope is Scope.UNVERIFIED
        return Place(
            key=f"not-ours:{claim.host}:{claim.scope.value}",
            kind=GroupKind.NOT_OURS,
            role=claim.role,
            host=claim.host,
            claim=claim,
            flags=("unverified",) if unverified else (),
        )

    def _app(self, process: Process, claim: Claim) -> Place:
        """Count a host's app as overhead while a session hangs below it, also an ended one that is remembered (B4)."""
        carries = any(
            ((place := self.places.get(below.identity)) is not None and place.kind is GroupKind.SESSION)
            or ((past := self.lineage.get(below.identity)) is not None and past.session is not None)
            for below in self.table.descendants(process.pid)
        )
        if not carries:
            return Place(
                key=f"not-ours:{claim.host}:app",
                kind=GroupKind.NOT_OURS,
                role=Role.APP,
                host=claim.host,
                claim=claim,
            )
        return Place(key=f"infra:{claim.host}", kind=GroupKind.INFRA, role=Role.APP, host=claim.host, claim=claim)

    def _is_orphan_agent(self, process: Process) -> bool:
        """Say whether an agent sits under a reaper without a terminal to talk to it (PRECEDENCE A8).

        A terminal that another agent holds by now, with its launcher alive, is lost to it as well (case 037). An agent
        whose host vouches for it in a live registry is in use, however it was started; one of which its host says that
        it knows nothing of it any more is lost, wherever it stands.
        """
        if any(claim.leaked for claim in self.claims.get(process.identity, ())):
            return True
        if process.unit is not None or not self._under_reaper(self._top_of_chain(process)):
            return False
        if any(claim.kind is ClaimKind.REGISTRY for claim in self.claims.get(process.identity, ())):
            return False
        return process.tty is None or any(
            other.pid != process.pid and not self._under_reaper(self._top_of_chain(other))
            for other in self.agents_by_tty[process.tty]
        )

    def _top_of_chain(self, process: Process) -> Process:
        """Return the topmost of what only started this process: its owner, or that it has none, shows above."""
        for ancestor in self.table.ancestors(process):
            if self._is_reaper(ancestor) or not (self._is_claimed_wrapper(ancestor) or is_wrapper(ancestor)):
                break
            process = ancestor
        return process

    def _is_claimed_wrapper(self, process: Process) -> bool:
        return any(claim.role is Role.WRAPPER for claim in self.claims.get(process.identity, ()))

    def _agents_by_tty(self) -> dict[str, list[Process]]:
        found: dict[str, list[Process]] = {}
        for identity, claims in self.claims.items():
            process = self.table.processes[identity.pid]
            if process.tty is not None and _strongest(claims)[0].role in _AGENT_ROLES:
                found.setdefault(process.tty, []).append(process)
        return found

    # -- everything else ------------------------------------------------------------------------------------------

    def settle(self, process: Process) -> Place:
        """Return the place of `process`, settling its parent first."""
        known = self.places.get(process.identity)
        if known is not None:
            return known
        place = self._find(process)
        self.places[process.identity] = place
        return place

    def is_plain(self, process: Process, places: Mapping[Identity, Place]) -> bool:
        """Say whether a process has nothing to do with agents: nobody names it, and neither has what is above it.

        `places` holds its parent's, if that is known already. What only looks so is found out by `_find`.
        """
        if process.is_zombie or process.client_pids or self._is_own(process):
            return False
        if process.identity in self.claims or process.identity in self.lineage:
            return False
        parent = self.table.parent(process)
        if parent is None or parent.pid in self.table.reaper_pids:
            return not self._is_helper_chain(process)
        above = places.get(parent.identity)
        return above is not None and above.kind in NOBODYS

    def plain(self, process: Process) -> Place:
        """Return the place of a plain process; a terminal or an editor that an agent opened is the person's as well."""
        kind = bystander(process)
        if kind is None:
            return self._unowned(process)
        return _NOT_OURS if kind in _PERSONS_OWN else _UNRELATED

    def _find(self, process: Process) -> Place:
        if process.is_zombie:
            return Place(key=f"zombie:{process.ppid}", kind=GroupKind.ZOMBIE, role=Role.UNKNOWN)
        if process.pid == self.table.own_pid:
            return Place(key="monitor", kind=GroupKind.MONITOR, role=Role.INFRA)
        if self._is_own(process):
            return Place(key="monitor-children", kind=GroupKind.MONITOR, role=Role.HELPER)
        kind = bystander(process)
        if kind is Bystander.TERMINAL or (kind is not None and not self._is_below_owned(process)):
            # A terminal or an editor that an agent opened is the person's, whatever variables it inherited. Below an
            # agent an editor may be a job of its tools; a terminal never is.
            return self.plain(process)
        return self._left_over(process) or self._owner_of(process) or self._orphan(process) or self._unowned(process)

    def _is_below_owned(self, process: Process) -> bool:
        parent = self.table.parent(process)
        return parent is not None and not self._is_reaper(parent) and self.settle(parent).kind in _OWNING_KINDS

    def _owner_of(self, process: Process) -> Place | None:
        """Find a living owner: a claim that names it, the nearest owned ancestor, or remembered lineage."""
        claim = self._session_claim(process)
        if claim is not None and claim.session in self.live:
            return self._member(process, claim, self.live[claim.session])
        parent = self.table.parent(process)
        if parent is not None and not self._is_reaper(parent):
            above = self.settle(parent)
            if above.kind not in _OWNING_KINDS or above.host is None:
                # not every reaper is known as one: a session manager or a terminal takes orphans just so
                return self._remembered(process)
            if claim is not None and claim.role is not Role.HELPER and above.session is not None:
                # PRECEDENCE A4: a job of an ended session stays that session's, even below another one's process.
                # Helpers keep the id that was valid when they started, so for them descent counts (case 047).
                return None
            below = self._below(process, parent, above)
            return self._between_sessions(below) if self._serves_one_of_several(process, above) else below
        return self._remembered(process)

    def _serves_one_of_several(self, process: Process, above: Place) -> bool:
        """Say whether a helper of a host's server serves one of several sessions, and it cannot be told which."""
        named = {c.session for c in self.claims.get(process.identity, ()) if c.role is Role.HELPER and c.session}
        return above.kind is GroupKind.INFRA and len(named) > 1 and self._session_claim(process) is None

    def _between_sessions(self, place: Place) -> Place:
        return replace(
            place, key=f"shared:{place.host}", kind=GroupKind.SHARED_HELPER, role=Role.HELPER, flags=("ambiguous",)
        )

    def _remembered(self, process: Process) -> Place | None:
        past = self.lineage.get(process.identity)
        if past is None or past.session is None or past.session not in self.live:
            return None
        claim = Claim(
            identity=process.identity,
            host=past.host,
            role=past.role,
            kind=ClaimKind.LINEAGE,
            source="seen below it earlier",
            session=past.session,
        )
        return self._member(process, claim, self.live[past.session])

    def _below(self, process: Process, parent: Process, above: Place) -> Place:
        host = above.host or ""
        claim = Claim(
            identity=process.identity,
            host=host,
            role=self._role(process, above.role),
            kind=ClaimKind.DESCENT,
            source=f"child of {parent.pid}",
            session=above.session,
            ends_by=self._ends_by(process, above),
        )
        return replace(above, role=claim.role, claim=claim, flags=())

    def _ends_by(self, process: Process, above: Place) -> EndsBy:
        """Return what a host says of this process itself, else what holds for what it stands below."""
        said = (claim.ends_by for claim in self.claims.get(process.identity, ()))
        inherited = above.claim.ends_by if above.claim is not None else EndsBy.SIGNAL
        return next((ends_by for ends_by in said if ends_by is not EndsBy.SIGNAL), inherited)

    def _member(self, process: Process, claim: Claim, owner: Place) -> Place:
        parent = self.table.parent(process)
        above = self.places.get(parent.identity) if parent is not None else None
        role = claim.role if claim.role is not Role.UNKNOWN else self._role(process, above.role if above else None)
        if claim.ends_by is EndsBy.SIGNAL and above is not None and above.claim is not None:
            claim = replace(claim, ends_by=above.claim.ends_by)
        if owner.kind is GroupKind.INFRA and claim.session is not None:
            # The process is the host's; what it runs for a session is the session's, which has its own row.
            owner = replace(owner, key=str(claim.session), kind=GroupKind.SESSION, session=claim.session)
        return replace(owner, role=role, claim=claim, flags=())

    def _role(self, process: Process, parent_role: Role | None) -> Role:
        """Say what a process below an agent is for; without any sign it counts as work, which protects it."""
        hint = next((c.role for c in self.claims.get(process.identity, ()) if c.role is not Role.UNKNOWN), None)
        if hint is not None:
            return hint
        if process.argv is None or "argv" in process.unreadable:
            return Role.UNKNOWN
        if looks_like_helper(process) or parent_role is Role.HELPER:
            return Role.HELPER
        if parent_role is Role.WORK:
            return Role.WORK
        if is_wrapper(process) and self._leads_to_helper(process):
            return Role.HELPER
        if not self._has_command(process) or bystander(process) is Bystander.CONSOLE:
            return Role.SHELL
        return Role.WORK

    def _leads_to_helper(self, process: Process) -> bool:
        below = self.table.children(process.pid)
        return any(looks_like_helper(child) or (is_wrapper(child) and self._leads_to_helper(child)) for child in below)

    def _orphan(self, process: Process) -> Place | None:
        """Prove that a process lost its owner; being under a reaper alone proves nothing (PRECEDENCE B1)."""
        if self.table.is_anothers(process):
            return None
        claim = self._session_claim(process)
        past = self.lineage.get(process.identity)
        if claim is not None:
            return self._orphaned(
                process, claim.host, claim.role, claim, str(claim.session.session_id) if claim.session else None
            )
        if past is not None and (self._under_reaper(process) or self._was_taken_over(past)):
            owner = past.session.session_id if past.session is not None else None
            return self._orphaned(process, past.host, past.role, None, owner)
        if self._under_reaper(process) and process.unit is None:
            configured = self._configured(process)
            if configured is not None or self._is_helper_chain(process):
                return self._orphaned(process, configured.host if configured else None, Role.HELPER, configured, None)
        parent = self.table.parent(process)
        above = self.settle(parent) if parent is not None and not self._is_reaper(parent) else None
        if above is not None and above.kind in ORPHAN_KINDS:
            return replace(above, role=self._role(process, above.role))
        return self._shared(process)

    def _was_taken_over(self, past: Lineage) -> bool:
        """Say whether the parent that a process had is gone: whoever is its parent now did not start it."""
        return past.parent is not None and self.table.get(past.parent) is None

    def _left_over(self, process: Process) -> Place | None:
        """Keep what a released session left without a command of its own in that session's row (PRECEDENCE B9)."""
        past = self.lineage.get(process.identity)
        if past is None or past.session is None or not past.released or past.session in self.live:
            return None
        if self._has_command(process):
            return None
        return Place(
            key=str(past.session),
            kind=GroupKind.SESSION,
            role=Role.SHELL,
            host=past.host,
            session=past.session,
            flags=("leftover",),
        )

    def _has_command(self, process: Process) -> bool:
        return not (is_shell(process) and shell_command(process) is None)

    def _shared(self, process: Process) -> Place | None:
        """Find a helper that serves sessions over a socket although none of them owns it (case 096)."""
        clients = (self.table.processes.get(pid) for pid in process.client_pids or ())
        if not self._under_reaper(process) or not any(c is not None and self._is_in_session(c) for c in clients):
            return None
        return Place(key=f"shared:{process.identity}", kind=GroupKind.SHARED_HELPER, role=Role.HELPER)

    def _orphaned(
        self, process: Process, host: str | None, role: Role, claim: Claim | None, owner: str | None
    ) -> Place:
        helper = role is Role.HELPER or looks_like_helper(process)
        kind = GroupKind.ORPHAN_HELPER if helper else GroupKind.ORPHAN_WORK
        serves = self._serves_live_sessions(process)
        return Place(
            key=f"{kind.value}:{process.identity if serves else owner or ''}",
            kind=kind,
            role=Role.HELPER if helper else Role.WORK,
            host=host,
            claim=claim,
            owner_hint=owner,
            flags=("serves-live-sessions",) if serves else (),
        )

    def _serves_live_sessions(self, process: Process) -> bool:
        """Say whether it, or what it wraps, has clients in sessions although its own owner is gone (case 003)."""
        served = [process, *self.table.descendants(process.pid)]
        below = {each.pid for each in served}
        return any(
            pid not in below and (client := self.table.processes.get(pid)) is not None and self._is_in_session(client)
            for each in served
            for pid in each.client_pids or ()
        )

    def _is_in_session(self, process: Process) -> bool:
        """Say whether a session lives in a process or above it; looks at what is known before anything is settled."""
        claim = self._session_claim(process)
        if claim is not None and claim.session in self.live:
            return True
        line = (process, *self.table.ancestors(process))
        agents = (place for each in line if (place := self.agents.get(each.identity)) is not None)
        return any(place.kind is GroupKind.SESSION for place in agents)

    def _unowned(self, process: Process) -> Place:
        if process.unit is not None or self.table.is_anothers(process) or "argv" in process.unreadable:
            return _NOT_OURS
        return _UNRELATED

    # -- above agents ---------------------------------------------------------------------------------------------

    def _above_agents(self) -> None:
        """Take in what stands above agents (PRECEDENCE A5).

        The topmost program that drives agents is host overhead, and so is a multiplexer with the shells in its panes.
        A process between it and exactly one agent is that agent's launcher, and so is a topmost one whose arguments
        name the agent. A person's own terminal, editor and shell stay theirs.
        """
        for identity, keys in self._carried().items():
            process, place = self.table.processes[identity.pid], self.places[identity]
            if place.kind is not GroupKind.UNRELATED:
                continue
            above = [p for p in self.table.ancestors(process) if not self._is_reaper(p)]
            kinds = {bystander(p) for p in above}
            if bystander(process) is Bystander.MULTIPLEXER or (
                Bystander.MULTIPLEXER in kinds and not self._has_command(process)
            ):
                self.places[identity] = self._driver()
            elif bystander(process) is not None or not self._has_command(process):
                continue
            elif len(keys) == 1 and (
                self._is_claimed_wrapper(process) or self._names_agent(process) or (above and not kinds & _PERSONS_OWN)
            ):
                self.places[identity] = self._launcher(process, next(iter(keys)))
            elif not kinds & _PERSONS_OWN or is_wrapper(process):
                self.places[identity] = self._driver()

    def _launcher(self, process: Process, key: str) -> Place:
        agent = min(i for i, place in self.places.items() if place.key == key and place.role is Role.BACKEND)
        owner = self.places[agent]
        thin = self._is_claimed_wrapper(process) or is_wrapper(process) or self._names_agent(process)
        claim = Claim(
            identity=process.identity,
            host=owner.host or "",
            role=Role.WRAPPER if thin else Role.LAUNCHER,
            kind=ClaimKind.DESCENT,
            source=f"started {agent.pid}",
            session=owner.session,
        )
        return replace(owner, role=claim.role, claim=claim, flags=())

    def _carried(self) -> dict[Identity, set[str]]:
        """Return, for each process above an agent, the groups of the agents below it; nearest to the agents first."""
        carried: dict[Identity, set[str]] = {}
        for identity, place in list(self.places.items()):
            if self._is_backend(place):
                for ancestor in self.table.ancestors(self.table.processes[identity.pid]):
                    if self._is_reaper(ancestor):
                        break
                    carried.setdefault(ancestor.identity, set()).add(place.key)
        return carried

    def _driver(self) -> Place:
        return Place(key="infra:", kind=GroupKind.INFRA, role=Role.INFRA)

    def _names_agent(self, process: Process) -> bool:
        """Say whether a process's arguments hold the one agent below it, as in `timeout 60 agent` (PRECEDENCE A5).

        That is its program, by name or path, its script, or its session's id, each as a whole argument; of a shell's
        command, each word.
        """
        below = next(p for p in self.table.descendants(process.pid) if self._is_backend(self.places[p.identity]))
        command = shell_command(process)
        given = command.split() if command is not None else (process.argv or ())[1:]
        session = self.places[below.identity].session
        names = set((below.argv or ())[:1]) | ({session.session_id} if session is not None else set())
        script = next((a for a in (below.argv or ())[1:] if not a.startswith("-")), "")
        names |= {script} if basename(script) != script else set()
        program = basename((below.argv or ("",))[0])
        return any(a in names or (program and basename(a) == program) for a in given if " " not in a)

    def _is_backend(self, place: Place) -> bool:
        """Say whether this is an agent of ours; what drives another installation's agents is not ours either."""
        return place.role is Role.BACKEND and place.kind is not GroupKind.NOT_OURS

    # -- below backends of many conversations -----------------------------------------------------------------------

    def _share_copies(self) -> None:
        """Give several copies of one helper below a backend of many conversations a row of their own (PRECEDENCE A6).

        Whose conversation each copy serves cannot be told from outside; a single copy belongs to the backend.
        """
        for identity, claims in self.claims.items():
            owner = self.places.get(identity)
            if owner is None or not any(claim.serves_many for claim in claims) or owner.kind is GroupKind.NOT_OURS:
                continue
            copies: dict[tuple[str, ...], list[Process]] = {}
            for child in self.table.children(identity.pid):
                place = self.places[child.identity]
                if place.key == owner.key and place.role is Role.HELPER:
                    copies.setdefault(words(child), []).append(child)
            shared = [child for same in copies.values() if len(same) > 1 for child in same]
            for child in shared:
                self._share(child, identity, owner)
            if shared:
                self.places[identity] = replace(owner, flags=tuple({*owner.flags, "shared-backend"}))

    def _share(self, helper: Process, backend: Identity, owner: Place) -> None:
        for process in (helper, *self.table.descendants(helper.pid)):
            place = self.places[process.identity]
            if place.key == owner.key:
                self.places[process.identity] = replace(
                    place,
                    key=f"shared:{backend}",
                    kind=GroupKind.SHARED_HELPER,
                    role=Role.HELPER,
                    session=None,
                    flags=("per-conversation",),
                )

    # -- small questions ------------------------------------------------------------------------------------------

    def _session_claim(self, process: Process) -> Claim | None:
        """Return the strongest claim that names a session; two sessions at the same strength name none."""
        named = [claim for claim in self.claims.get(process.identity, ()) if claim.session is not None]
        if any(claim.kind is ClaimKind.ENVIRONMENT for claim in named):
            named = [claim for claim in named if not self._was_handed_on(process, claim)]
        if not named:
            return None
        claim, ambiguous = _strongest(named)
        return None if ambiguous else claim

    def _was_handed_on(self, process: Process, claim: Claim) -> bool:
        """Say whether a session's variable came through a terminal, editor or multiplexer that the session opened.

        What a person does in there is theirs, for as long as that program runs, whichever session opened it.
        """
        if claim.kind is not ClaimKind.ENVIRONMENT:
            return False
        for above in self.table.ancestors(process):
            claims = self.claims.get(above.identity, ())
            if any(each.role in _AGENT_ROLES for each in claims):
                return False
            if bystander(above) in _HANDS_ON:
                return any(each.session == claim.session for each in claims)
        return False

    def _is_own(self, process: Process) -> bool:
        """Say whether a process is this program or below it, and not itself an agent that a person started."""
        own = self.table.own_pid
        if self.own_pids is None:  # who asks about a few does not need all of them
            return process.pid == own or any(ancestor.pid == own for ancestor in self.table.ancestors(process))
        return process.pid in self.own_pids

    def _is_reaper(self, process: Process) -> bool:
        return process.pid in self.table.reaper_pids

    def _under_reaper(self, process: Process) -> bool:
        """Say whether the process has no living parent of its own: a reaper took it, or its parent is gone."""
        if process.ppid in self.table.reaper_pids:
            return True
        if self.table.parent(process) is not None:
            return False
        return self.table.complete or process.ppid in self.table.absent_pids or process.ppid in self.table.processes

    def _configured(self, process: Process) -> Claim | None:
        """Return the claim of a host by whose configuration a process is one of its helpers, whichever session's."""
        of_helpers = (c for c in self.claims.get(process.identity, ()) if c.role is Role.HELPER)
        return next((claim for claim in of_helpers if claim.kind is ClaimKind.ARGV and claim.session is None), None)

    def _is_helper_chain(self, process: Process) -> bool:
        return looks_like_helper(process) or (is_wrapper(process) and self._leads_to_helper(process))


def _by_identity(table: ProcessTable, observations: Iterable[Observation]) -> dict[Identity, tuple[Claim, ...]]:
    """Return the claims on processes that are still there, in an order that does not depend on who spoke first."""
    found: dict[Identity, list[Claim]] = {}
    for observation in observations:
        for claim in observation.claims:
            if table.get(claim.identity) is not None:
                found.setdefault(claim.identity, []).append(claim)
    for claims in found.values():
        if len(claims) > 1:
            claims.sort(key=lambda c: (c.kind, c.host, c.role, str(c.session), c.source))
    return {identity: tuple(claims) for identity, claims in sorted(found.items())}


def _in_order_of_birth(process: Process) -> tuple[int, int]:
    pid, start = process.identity
    return start, pid


def _strongest(claims: Collection[Claim]) -> tuple[Claim, bool]:
    """Return the strongest claim and whether another session is claimed just as strongly.

    A claim that names no session leaves the naming to the next weaker one, but keeps its role. A host that runs
    another host's agent inside a session of its own goes before that one.
    """
    if len(claims) == 1:
        return next(iter(claims)), False
    claims = [claim for claim in claims if claim.embedded] or claims
    ordered = sorted(claims, key=lambda c: (c.kind, c.session is None, str(c.session), c.source))
    role = next((c.role for c in ordered if c.role in _AGENT_ROLES | _HOST_ROLES), ordered[0].role)
    named = [claim for claim in ordered if claim.session is not None]
    if not named:
        return replace(ordered[0], role=role), False
    best = named[0]
    rivals = {claim.session for claim in named if claim.kind is best.kind}
    return replace(best, role=role), len(rivals) > 1
