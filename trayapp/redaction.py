"""What may leave this computer in a capture: everything the rules need, nothing that tells who somebody is or does.

Pure. A text stays only where it is a word that is known beforehand (programs, subcommands, the words of our own
sentences), a flag, a number, or the base name of a program that runs; everything else gets a pseudonym, the same text
the same one within one capture, so that equality still holds. Session ids stay well-formed ids. What the rules ask of
a name (is it an MCP server? which extension has it?) is kept in its pseudonym.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from trayapp import bystanders, programs
from trayapp.attribution import Lineage
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import (
    Claim,
    Evidence,
    HostInstance,
    HostLabel,
    LadderStep,
    Observation,
    Problem,
    ResumeTicket,
    SessionFact,
    SessionKey,
)
from trayapp.pipeline import Footprints, Inputs

MIB = 1024**2

_ORDINARY = frozenset(
    """
    usr bin sbin lib lib64 libexec local opt etc var tmp private home root Users Library Applications Contents MacOS
    Frameworks Resources Support Program Files Windows System32 AppData Roaming Local Programs homebrew Cellar share
    state cache config src dist build out lib index main cli server client app apps core packages pkg scripts tools
    test tests versions current latest next default run start serve web daemon attach agents app-server acp resume
    continue stop status stdio http sse dev proc self fd pts tty devices timeout nice nohup setsid sudo env exec
    worker proxy bridge agent sessions projects jobs harness localhost 127.0.0.1 0.0.0.0 ::1 true false yes no none auto
    login logout whoami auth config settings plugin plugins mcp providers models doctor update upgrade install
    uninstall version completion debug fork review apply sandbox features delete archive unarchive cloud app resume
    logs kill stats export import session db github pr
    renderer gpu-process utility zygote crashpad-handler Bash Read Write Edit * cli.js index.js server.js main.py
    server.py __main__.py exec-server
    """.split()
) - {"root"}
"""Elements of paths and arguments that tell nothing about anybody."""

_SENTENCES = frozenset(
    """
    a about above adapter after agent all already an and another answer answered anything are argument arguments as
    asked asks at auth back backend backends background be before began begin begun being below by bytes call called
    calls came can cannot cause change changed channel child children clock closed code come comes command complete
    completed config could count cpu cut daemon daemon's damaged data database defect delete did does done during
    earlier either else end ended ends entries environment error every exit failed few file files finished first
    folder folder's for forked found from gave gives goes gone group had handed has have healthy held helper helpers
    her here his history hold holds host hosts how id ids idle if in inherited instead interrupted into is it its
    itself job jobs json just keep kept kept key kind known last later left let lies line lines list listens live
    lives local log logs longer look looked looks lost made make mend message metric minute minutes missing model
    more may move ms name named names need needs network never new newer newest next no nobody none not nothing notice
    now of off older on once one only open opened or other others out over own part parts passed password peak
    pending permission permissions place plug port process processes program prompt question ran read reading reads
    ready reason record recorded recording records refuse refused register registry release released remembered
    removed request restart result ring role roster run running runs said samples say says schema second seconds see
    seen sent server servers session session's sessions set settings she shell shells should show shown shows since
    so some somebody something start started starts state status stay stays still stop stopped such subagent sum table
    takes task tasks terminal than that the their them then there these they this those ticks time times to too tool
    tools transcript tree turn turns two type typed uninstall unknown unread until up update updated upgrade use used
    user uses valid value variable variables version view views wait waits wake wal want was way were what when where
    whether which while who whose will with within without work worker working works write writing written yet you
    your
    """.split()
)
"""The words of the sentences that adapters and rules write; a text from elsewhere loses all others."""

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_PREFIXED_ID = re.compile(r"(ses|msg|prt|call|toolu|thread|conv|job)_[0-9A-Za-z]{8,}")
_NUMBER = re.compile(r"\d{1,9}(\.\d{1,6})?", re.ASCII)
_VERSION = re.compile(r"v?\d{1,4}\.\d{1,4}\.\d{1,6}(-(alpha|beta|rc|dev|canary|next)(\.\d{1,6})?)?", re.ASCII)
_PROGRAM_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.+-]{0,31}", re.ASCII)
_LONG_FLAG = re.compile(r"--[A-Za-z][A-Za-z0-9-]{0,39}", re.ASCII)
_SHORT_FLAG = re.compile(r"[-+][A-Za-z0-9]{1,3}", re.ASCII)
_SHELL_FLAG = re.compile(r"-[a-zA-Z]{1,8}", re.ASCII)
_ASSIGNMENT = re.compile(r"(\w+)=(.*)", re.ASCII | re.DOTALL)
_URL = re.compile(r"([a-z]{2,8})://(.*)", re.ASCII | re.DOTALL)
_LOOPBACK = re.compile(r"(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(:\d{1,5})?/?", re.ASCII)
_TTY = re.compile(r"(pts/|tty|ttys|console|con)\d{0,5}", re.ASCII)
_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]{0,79}", re.ASCII)
_CALL = re.compile(r"[a-z][a-z_-]{0,31}", re.ASCII)
_EXTENSION = re.compile(
    r"\.(js|mjs|cjs|ts|mts|cts|py|pyz|sh|exe|cmd|bat|ps1|jar|rb|php|dll|json|jsonl|toml|yaml|yml|md|txt|log|lock|app"
    r"|sock|db|sqlite|service|scope|slice|timer|socket)$",
    re.IGNORECASE,
)
_OPERATOR = re.compile(r"[;&|<>]{1,3}")
_PLAIN = re.compile(r"[\w./\\@:=+,~-]+", re.ASCII)
_LONGEST_SCRIPT = 64
"""Words of a script that are kept apart; a prompt in one is longer."""
_TEXTS = ("name", "exe", "argv", "cwd", "env", "tty", "unit")
"""The fields of a process that are redacted."""
_LEAST_NAME = 3
"""Shorter names of users and machines are looked for as whole words only."""


class Redactor:
    """Redact what ticks read. One for a whole capture, since it remembers who got which pseudonym.

    `names` are those of the user and the machine: whatever contains one is never kept for being a program's name.
    `words` are further known words, those by which host adapters recognise their programs.
    """

    def __init__(self, *, names: Collection[str], words: Collection[str] = ()) -> None:
        self._names = {name.lower() for name in names if name}
        self._words = frozenset({*programs.WORDS, *bystanders.NAMES, *_ORDINARY, *words})
        self._lower_words = frozenset(word.lower() for word in self._words)
        self._programs: set[str] = set()
        self._pseudonyms: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self._known: dict[tuple[Callable[[str], str], str], str] = {}
        self._done: dict[Identity, tuple[Process, Process]] = {}

    # -- what a tick read -----------------------------------------------------------------------------------------

    def inputs(self, inputs: Inputs) -> Inputs:
        """Return the same tick without anything private, its times to the millisecond."""
        self._learn(inputs.table, inputs.labels)
        return Inputs(
            table=self._table(inputs.table),
            observations=tuple(self._observation(observation) for observation in inputs.observations),
            labels=inputs.labels,
            rules=inputs.rules,
            now_epoch_s=round(inputs.now_epoch_s, 3),
            stale_s={host: round(age_s, 3) for host, age_s in inputs.stale_s.items()},
            silent=tuple(self._instance(instance) for instance in inputs.silent),
            problems=tuple(self._problem(problem) for problem in inputs.problems),
            paused=inputs.paused,
        )

    def footprints(self, footprints: Footprints) -> Footprints:
        """Return them in the order of processes."""
        return dict(sorted(footprints.items()))

    def lineage(self, lineage: Mapping[Identity, Lineage]) -> dict[Identity, Lineage]:
        return {identity: replace(past, session=self._key(past.session)) for identity, past in sorted(lineage.items())}

    def _learn(self, table: ProcessTable, labels: Iterable[HostLabel]) -> None:
        """Take in the names of programs that run; what was redacted before one was known is redacted anew."""
        machine = table.machine.name.lower()
        self._names |= {machine, machine.partition(".")[0]} - {""}
        own = {word for label in labels for text in (label.host, label.title) for word in re.split(r"[\s-]", text)}
        found = {label.host for label in labels} | own
        for process in table.processes.values():
            done = self._done.get(process.identity)
            if done is not None and _looks_same(done[0], process):
                continue
            for text in (process.exe, process.argv[0] if process.argv else None, process.name):
                name = programs.basename(text) if text else ""
                if _PROGRAM_NAME.fullmatch(name) and not self._is_private(name) and not _looks_random(name):
                    found.add(name)
        if not found <= self._programs:
            self._programs |= found
            self._known.clear()
            self._done.clear()

    def _table(self, table: ProcessTable) -> ProcessTable:
        taken_at = table.taken_at.replace(microsecond=table.taken_at.microsecond // 1000 * 1000)
        swap_bytes = table.machine.swap_used_bytes
        self._done = {identity: done for identity, done in self._done.items() if table.get(identity) is not None}
        return replace(
            table,
            processes={pid: self._process(p) for pid, p in sorted(table.processes.items())},
            taken_at=taken_at,
            monotonic_s=round(table.monotonic_s, 3),
            uptime_s=round(table.uptime_s, 2),
            machine=replace(
                table.machine,
                name="machine",
                memory_available_bytes=table.machine.memory_available_bytes // MIB * MIB,
                swap_used_bytes=None if swap_bytes is None else swap_bytes // MIB * MIB,
            ),
        )

    def _process(self, process: Process) -> Process:
        done = self._done.get(process.identity)
        if done is not None and done[0] == process:
            return done[1]
        if done is not None and _looks_same(done[0], process):
            redacted = replace(
                process,
                tty_input_epoch_s=_whole(process.tty_input_epoch_s),
                **{name: getattr(done[1], name) for name in _TEXTS},
            )
        else:
            redacted = replace(
                process,
                name=self._title_of_process(process.name),
                exe=self._or_none(self.path, process.exe),
                argv=None if process.argv is None else self.argv(process.argv),
                cwd=self._or_none(self.path, process.cwd),
                env=self._environment(process.env),
                tty=self._or_none(lambda tty: tty if _TTY.fullmatch(tty) else self.word(tty), process.tty),
                tty_input_epoch_s=_whole(process.tty_input_epoch_s),
                unit=self._or_none(self.word, process.unit),
            )
        self._done[process.identity] = (process, redacted)
        return redacted

    def _environment(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Keep ids, numbers and known words; a variable with anything else is dropped."""
        return {
            name: self.word(value) if _is_id(value) else value
            for name, value in sorted(environment.items())
            if _is_id(value) or all(self._says_nothing(part) for part in re.split(r"[_.-]", value))
        }

    def _says_nothing(self, part: str) -> bool:
        return _NUMBER.fullmatch(part) is not None or self._is_known(part)

    # -- what hosts told ------------------------------------------------------------------------------------------

    def _observation(self, seen: Observation) -> Observation:
        read_epoch_s = round(seen.read_epoch_s, 3)
        return Observation(
            host=seen.host,
            read_epoch_s=read_epoch_s,
            instances=tuple(self._instance(instance) for instance in seen.instances),
            sessions=tuple(self._fact(fact) for fact in seen.sessions),
            claims=tuple(self._claim(claim) for claim in seen.claims),
            problems=tuple(self._problem(problem) for problem in seen.problems),
        )

    def _key(self, key: SessionKey | None) -> SessionKey | None:
        return None if key is None else SessionKey(key.host, self.word(key.session_id))

    def _claim(self, claim: Claim) -> Claim:
        return replace(claim, session=self._key(claim.session), source=self.sentence(claim.source))

    def _fact(self, fact: SessionFact) -> SessionFact:
        return replace(
            fact,
            key=SessionKey(fact.key.host, self.word(fact.key.session_id)),
            title=self._or_none(self.title, fact.title),
            cwd=self._or_none(self.path, fact.cwd),
            model=self._or_none(self._model, fact.model),
            evidence=tuple(self._evidence(evidence) for evidence in fact.evidence),
            resume=None if fact.resume is None else self._resume(fact.resume),
            ladder=tuple(self._step(step) for step in fact.ladder),
            refusal=self._or_none(self.sentence, fact.refusal),
        )

    def _evidence(self, evidence: Evidence) -> Evidence:
        read_epoch_s = evidence.read_epoch_s
        return replace(
            evidence,
            fact=self.sentence(evidence.fact),
            source=self.sentence(evidence.source),
            read_epoch_s=None if read_epoch_s is None else round(read_epoch_s, 3),
        )

    def _resume(self, ticket: ResumeTicket) -> ResumeTicket:
        return ResumeTicket(
            argv=self.argv(ticket.argv),
            cwd=self._or_none(self.path, ticket.cwd),
            note=self._or_none(self.sentence, ticket.note),
            call=ticket.call if ticket.call is None or _CALL.fullmatch(ticket.call) else self.word(ticket.call),
        )

    def _step(self, step: LadderStep) -> LadderStep:
        call = step.call if step.call is None or _CALL.fullmatch(step.call) else self.word(step.call)
        return replace(step, label=self.sentence(step.label), call=call)

    def _instance(self, instance: HostInstance) -> HostInstance:
        return replace(
            instance,
            version=self._or_none(self.word, instance.version),
            address=self._or_none(self._argument, instance.address),
            error=self._or_none(self.sentence, instance.error),
        )

    def _problem(self, problem: Problem) -> Problem:
        return Problem(
            where=self.sentence(problem.where), what=self.sentence(problem.what), mend=self.sentence(problem.mend)
        )

    def _model(self, model: str) -> str:
        safe = _MODEL.fullmatch(model) and not self._is_private(model) and not _is_id(model)
        return model if safe else self._pseudonym(model)

    def _or_none(self, redact: Callable[[str], str], text: str | None) -> str | None:
        return None if text is None else redact(text)

    # -- texts ----------------------------------------------------------------------------------------------------

    def word(self, text: str) -> str:
        """Redact one word: an element of a path, an argument without a structure of its own, an id."""
        return self._remembered(self._word, text)

    def path(self, text: str) -> str:
        """Redact a path, element by element; separators and extensions stay."""
        return self._remembered(self._path, text)

    def title(self, text: str) -> str:
        """Redact what a person may have written: one word as everywhere else, several as a whole."""
        return self._pseudonym(text) if re.search(r"\s", text) else self.word(text)

    def sentence(self, text: str) -> str:
        """Redact a sentence that an adapter wrote: known words and numbers stay, what it quotes does not."""
        return self._remembered(self._sentence, text)

    def argv(self, argv: Sequence[str]) -> tuple[str, ...]:
        """Redact arguments: flags, known words, numbers, ids and the shape of paths stay."""
        if not argv:
            return ()
        first, rest = self._first_argument(argv[0]), argv[1:]
        if programs.basename(argv[0]).lower() not in programs.WORDS or not _is_shell(argv[0]):
            return (first, *(self._argument(a, before) for before, a in zip(argv, rest, strict=False)))
        redacted = (first, *self._shell_arguments(rest))
        # a script's odd name can be what keeps its arguments from being read as one plain command
        return (*redacted, "&") if _is_wrapper(redacted) and not _is_wrapper(argv) else redacted

    def _remembered(self, redact: Callable[[str], str], text: str) -> str:
        known = self._known.get((redact, text))
        if known is None:
            known = self._known[redact, text] = redact(text)
        return known

    def _word(self, text: str) -> str:
        if not text or text in (".", "..", "~", "-", "--"):
            return text
        if _is_id(text):
            return self._id(text)
        if _NUMBER.fullmatch(text) or _VERSION.fullmatch(text) or self._is_known(text):
            return text
        if text[0] in ".@-" and len(text) > 1:
            return text[0] + self.word(text[1:])
        extension = _EXTENSION.search(text)
        if extension is not None and extension.start() > 0:
            stem = text[: extension.start()]
            if self._is_known(stem) or _is_id(stem):
                return self.word(stem) + extension[0]
        name, at, version = text.rpartition("@")
        if at and name and (_VERSION.fullmatch(version) or _NUMBER.fullmatch(version) or version in ("latest", "next")):
            return f"{self.word(name)}@{version}"
        ending = extension[0] if extension is not None else ""
        return self._pseudonym(text) + ("-mcp" if programs.is_helper_name(text) else "") + ending

    def _is_known(self, text: str) -> bool:
        if text in self._words or text in self._programs or text.lower() in self._lower_words:
            return True
        plain = re.sub(r"\d{1,2}(\.\d{1,3}){0,2}$", "", text)
        return plain != text and plain.lower() in self._lower_words

    def _path(self, text: str) -> str:
        return "".join(self._element(part) for part in re.split(r"([/\\]+)", text))

    def _element(self, part: str) -> str:
        if not part or part[0] in "/\\" or re.fullmatch(r"[A-Za-z]:", part):
            return part
        return self._title_of_process(part)

    def _title_of_process(self, text: str) -> str:
        """Redact a name that may hold several words, as "tmux: server" and "Program Helper (Renderer)" do."""
        if "/" in text or "\\" in text:
            return self.path(text)
        if not re.search(r"\s", text):
            return self.word(text)
        return "".join(self._token(part, self._is_known) for part in re.split(r"(\s+)", text))

    def _sentence(self, text: str) -> str:
        return "".join(self._token(part, self._is_plain) for part in re.split(r"(\s+)", text))

    def _is_plain(self, word: str) -> bool:
        return word.lower() in _SENTENCES or self._is_known(word)

    def _token(self, token: str, keeps: Callable[[str], bool]) -> str:
        """Redact what stands between spaces, without the punctuation around it."""
        if not token or token.isspace():
            return token
        whole = re.fullmatch(r"([(\[“”\"'‘’<]*)(.*?)([)\]“”\"'‘’>.,:;!?…]*)", token, re.DOTALL)
        if whole is None or not whole[2]:
            return token if re.fullmatch(r"[\W_]+", token, re.ASCII) and token.isascii() else self._pseudonym(token)
        before, core, after = whole[1], whole[2], whole[3]
        return before + (core if keeps(core) else self._argument(core)) + after

    # -- arguments ------------------------------------------------------------------------------------------------

    def _first_argument(self, text: str) -> str:
        """Redact argv[0]; a program may have written a whole title or command line into it."""
        if not re.search(r"\s", text):
            return self.path(text)
        if text[0] in "/\\" or re.match(r"[A-Za-z]:", text):
            return self.path(text)
        return "".join(part if part.isspace() else self._argument(part) for part in re.split(r"(\s+)", text))

    def _argument(self, text: str, before: str = "") -> str:
        if not text or text in ("-", "--"):
            return text
        if text[0] == "+" and ("/" in text or "\\" in text):
            return text[0] + self.path(text[1:])
        if text[0] in "-+":
            return self._flag(text)
        url = _URL.fullmatch(text)
        if url is not None:
            return f"{url[1]}://" + (url[2] if _LOOPBACK.fullmatch(url[2]) else self._pseudonym(text))
        if re.search(r"[\s,]", text):
            # a list of words after a flag may name tools; anything else with spaces is somebody's text
            parts = re.split(r"[\s,]+", text)
            is_list = before.startswith("--") and ("," in text or "tools" in before.lower())
            return text if is_list and all(part and self._is_known(part) for part in parts) else self._pseudonym(text)
        assignment = _ASSIGNMENT.fullmatch(text)
        if assignment is not None:
            return f"{self.word(assignment[1])}={self._argument(assignment[2])}"
        return self.path(text) if "/" in text or "\\" in text else self.word(text)

    def _flag(self, text: str) -> str:
        if text in self._words or text.lower() in self._lower_words:
            return text
        prefix = next((known for known in _KNOWN_DEFINITIONS if text.startswith(known)), None)
        if prefix is not None:
            return prefix
        flag, equals, value = text.partition("=")
        if _SHORT_FLAG.fullmatch(flag) or (_LONG_FLAG.fullmatch(flag) and not self._is_private(flag)):
            return f"{flag}={self._argument(value)}" if equals else flag
        return (text[:2] if text[1:2].isascii() and text[1:2].isalpha() else "-") + self._pseudonym(text)

    def _shell_arguments(self, rest: Sequence[str]) -> tuple[str, ...]:
        """Redact a shell's arguments so that what it is told to run stays one plain command, or stays more than one."""
        found: list[str] = []
        is_command = False
        for argument in rest:
            lower = argument.lower()
            if is_command:
                found.append(self._command(argument))
                is_command = False
            elif lower in ("/c", "/k", "-command"):
                found.append(argument)
                is_command = True
            elif argument.startswith("-") and not argument.startswith("--") and "c" in argument:
                found.append(argument if _SHELL_FLAG.fullmatch(argument) else "-c")
                is_command = True
            elif _SHELL_FLAG.fullmatch(argument):
                found.append(argument)
            else:
                found.append(self._argument(argument))
        return tuple(found)

    def _command(self, text: str) -> str:
        if not text.strip():
            return text
        several = re.search(r"[;&|<>`\n]|\$\(", text) or len(text) > 4096
        try:
            parts = [] if several else shlex.split(text)
        except ValueError:
            parts = []
        if not parts:
            return self._commands(text)
        return shlex.join(self.argv(parts)) if _is_shell(parts[0]) else shlex.join(self._argument(p) for p in parts)

    def _commands(self, text: str) -> str:
        """Redact a script word by word; what was not one plain command does not become one, by the "&" at its end."""
        given = text.split()
        found = [
            part
            if _OPERATOR.fullmatch(part)
            else self._argument(part)
            if _PLAIN.fullmatch(part)
            else self._pseudonym(part)
            for part in given[:_LONGEST_SCRIPT]
        ]
        rest = [] if len(given) <= _LONGEST_SCRIPT else [self._pseudonym(text)]
        return " ".join((*found, *rest, "&"))

    # -- pseudonyms -----------------------------------------------------------------------------------------------

    def _is_private(self, text: str) -> bool:
        lower = text.lower()
        return lower in self._names or any(len(name) >= _LEAST_NAME and name in lower for name in self._names)

    def _pseudonym(self, text: str) -> str:
        known = self._pseudonyms.get(text)
        if known is None:
            known = self._pseudonyms[text] = f"x{len(self._pseudonyms) + 1}"
        return known

    def _id(self, text: str) -> str:
        """Return an id of the same form, numbered."""
        known = self._ids.get(text)
        if known is None:
            number = len(self._ids) + 1
            if _UUID.fullmatch(text):
                known = f"{number:08x}-0000-4000-8000-{number:012x}"
            else:
                prefix, _, rest = text.partition("_")
                known = f"{prefix}_{str(number).zfill(len(rest))}"
            self._ids[text] = known
        return known


_KNOWN_DEFINITIONS = ("-Declipse.application=org.eclipse.jdt.ls",)


def _looks_same(before: Process, now: Process) -> bool:
    return all(getattr(before, name) == getattr(now, name) for name in _TEXTS)


def _is_id(text: str) -> bool:
    return _UUID.fullmatch(text) is not None or _PREFIXED_ID.fullmatch(text) is not None


def _is_shell(program: str) -> bool:
    return programs.is_shell(Process(identity=Identity(0, 0), ppid=0, name="", argv=(program,)))


def _is_wrapper(argv: Sequence[str]) -> bool:
    return programs.is_wrapper(Process(identity=Identity(0, 0), ppid=0, name="", argv=tuple(argv)))


def _looks_random(name: str) -> bool:
    """Say whether a name could be a key or a hash."""
    return _is_id(name) or (len(name) >= 12 and sum(char.isdigit() for char in name) >= 4)


def _whole(epoch_s: float | None) -> float | None:
    """Return a time to the second: no more is needed of a key press."""
    return None if epoch_s is None else float(round(epoch_s))
