"""What a policy has to say to hold, and how it is written down: readable units, and one sentence for people.

Pure. Knows the tables of the settings file as plain values; trayapp.settings reads and writes the file itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from trayapp.model.policy import Match, Policy, QuietHours, Trigger
from trayapp.say import noted, say
from trayapp.wording import duration, memory

LEAST_GRACE_S = 10.0
"""Less is no time in which a person can keep anything."""
DAY_MIN = 24 * 60
_DEFAULT = Policy(name="", trigger=Trigger.IDLE)

_S = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
_BYTES = {"B": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3, "TB": 1024**4}

Fault = tuple[str | None, str, str]
"""A key of the table (None = all of it), what is wrong with it, and the mend."""

_WANTED: Mapping[Trigger, frozenset[str]] = {
    Trigger.IDLE: frozenset({"after"}),
    Trigger.MOST: frozenset({"at_most"}),
    Trigger.TOTAL: frozenset({"over"}),
    Trigger.PRESSURE: frozenset(),
    Trigger.HEAP: frozenset({"over"}),
    Trigger.ORPHANS: frozenset({"after"}),
    Trigger.DUPLICATES: frozenset(),
}
"""The figures that each trigger needs; it has no use for the others."""


class Unwritable(ValueError):
    """A text is no length of time, size, share or time of day; the message says how it is written."""


# ---- what holds


def fault_of(policy: Policy) -> str | None:
    """Say why a policy must do nothing, in a sentence; None = it holds together."""
    given = {
        "after": policy.after_s is not None,
        "at_most": policy.at_most is not None,
        "over": policy.over_bytes is not None or policy.over_share is not None,
    }
    wanted = _WANTED[policy.trigger]
    for figure, is_given in given.items():
        if figure in wanted and not is_given:
            return noted("The trigger “{trigger}” needs {figure}").format(trigger=policy.trigger, figure=figure)
        if is_given and figure not in wanted:
            return noted("The trigger “{trigger}” has no use for {figure}").format(
                trigger=policy.trigger, figure=figure
            )
    if policy.trigger is Trigger.HEAP and policy.over_share is None:
        return noted("The trigger “heap” needs over as a share, such as “80%”")
    if policy.trigger is Trigger.HEAP and policy.over_bytes is not None:
        return noted("The trigger “heap” has no use for a size in over")
    return _figure_fault(policy) or next((fault for match in _matches(policy) if (fault := _match_fault(match))), None)


def _figure_fault(policy: Policy) -> str | None:
    if not policy.name.strip() or not policy.name.isprintable():
        return noted("It has no name that can be shown")
    if policy.after_s is not None and not 0 < policy.after_s < math.inf:
        return noted("after has to be longer than nothing")
    if policy.at_most is not None and policy.at_most < 0:
        return noted("at_most cannot be less than 0")
    if policy.over_bytes is not None and policy.over_bytes <= 0:
        return noted("over has to be more than nothing")
    if policy.over_share is not None and not 0 < policy.over_share <= 1:
        return noted("over has to be a share from 0 to 100 %")
    if policy.most_an_hour < 1:
        return noted("most_an_hour has to be 1 or more; switch the policy off where nothing may be done")
    if not LEAST_GRACE_S <= policy.grace_s < math.inf:
        least = f"{LEAST_GRACE_S:.0f}s"
        return noted("grace has to be {least} or longer, so that somebody can keep the session").format(least=least)
    if not 0 <= policy.typed_s < math.inf:
        return noted("typed cannot be less than 0s")
    for quiet in policy.quiet:
        if (
            not (0 <= quiet.since_min < DAY_MIN and 0 <= quiet.until_min <= DAY_MIN)
            or quiet.since_min == quiet.until_min
        ):
            return noted("quiet has to go from one time of day to another; the whole day is 00:00-24:00")
    return None


def _matches(policy: Policy) -> tuple[Match, ...]:
    return (*policy.only, *policy.never)


def _match_fault(match: Match) -> str | None:
    values = [value for value in _values(match).values() if value is not None]
    if len(values) != 1:
        return noted("An exception names exactly one of session, folder, host, program")
    return None if values[0].strip() else noted("An exception is empty")


def _values(match: Match) -> dict[str, str | None]:
    return {"session": match.session, "folder": match.folder, "host": match.host, "program": match.program}


def said(policy: Policy) -> str:
    """Say what a policy does, in one sentence without a full stop."""
    if policy.only_under_pressure:
        return say("{what}, only while memory is short", what=_does(policy))
    return _does(policy)


def _does(policy: Policy) -> str:
    match policy.trigger:
        case Trigger.IDLE:
            return say("Releases sessions that are idle for longer than {time}", time=duration(policy.after_s))
        case Trigger.MOST:
            return say(
                "Keeps at most {number} idle sessions of each host, the most recently used ones", number=policy.at_most
            )
        case Trigger.TOTAL:
            return say("Releases what goes first while agents together hold more than {limit}", limit=_over(policy))
        case Trigger.PRESSURE:
            return say("Releases what goes first, one by one, while the computer is short of memory")
        case Trigger.HEAP:
            return say("Releases idle sessions in a host's heap that is fuller than {limit}", limit=_over(policy))
        case Trigger.ORPHANS:
            return say("Ends helpers whose session is gone for longer than {time}", time=duration(policy.after_s))
        case Trigger.DUPLICATES:
            return say("Ends surplus backends of idle sessions")


def _over(policy: Policy) -> str:
    size = memory(policy.over_bytes) if policy.over_bytes is not None else None
    if policy.over_share is None:
        return size or ""
    number = f"{policy.over_share * 100:.4g}\u202f%"
    of_cap = policy.trigger is Trigger.HEAP
    share = say("{share} of its cap", share=number) if of_cap else say("{share} of memory", share=number)
    return share if size is None else say("{size} or {share}", size=size, share=share)


_EXCEPTIONS: Mapping[str, str] = {
    "session": noted("the session {name}"),
    "folder": noted("the folder {name}"),
    "host": noted("the host {name}"),
    "program": noted("the program {name}"),
}


def said_of(match: Match) -> str:
    """Say what an exception holds for: "the folder ~/work"."""
    found = next(((kind, value) for kind, value in _values(match).items() if value is not None), None)
    return say("the exception {name}", name="?") if found is None else say(_EXCEPTIONS[found[0]], name=found[1])


# ---- units


def seconds_of(text: str) -> float:
    """Return seconds of "90s", "30m", "4h", "1d" or "1h 30m"; raises Unwritable."""
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*(min|s|m|h|d)\s*", text)
    if not parts or re.sub(r"(\d+(?:\.\d+)?)\s*(min|s|m|h|d)\s*", "", text.strip()):
        raise Unwritable(noted("{text} is no length of time. Write it as 90s, 30m, 4h or 1d").format(text=repr(text)))
    return float(sum((Decimal(figure) * _S[unit] for figure, unit in parts), Decimal()))


def written_seconds(seconds: float) -> str:
    """Return a length of time as `seconds_of` reads it, exactly."""
    for unit in ("d", "h", "m"):
        if seconds and seconds % _S[unit] == 0:
            return f"{seconds / _S[unit]:.0f}{unit}"
    return f"{_plain(seconds)}s"


def bytes_of(text: str) -> int:
    """Return bytes of "8 GB", "512 MB"; 1 GB = 1024³. Raises Unwritable."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?B)\s*", text, re.IGNORECASE)
    if match is None:
        raise Unwritable(noted("{text} is no size. Write it as 8 GB or 512 MB").format(text=repr(text)))
    return round(Decimal(match[1]) * _BYTES[match[2].upper()])


def written_bytes(size_bytes: int) -> str:
    """Return a size as `bytes_of` reads it, exactly."""
    unit = next((unit for unit in ("TB", "GB", "MB", "KB") if size_bytes and size_bytes % _BYTES[unit] == 0), "B")
    return f"{size_bytes // _BYTES[unit]} {unit}"


def share_of(text: str) -> float:
    """Return 0.4 of "40%"; raises Unwritable."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%\s*", text)
    if match is None:
        raise Unwritable(noted("{text} is no share. Write it as 40%").format(text=repr(text)))
    return float(Decimal(match[1]) / 100)


def written_share(share: float) -> str:
    """Return a share as `share_of` reads it, exactly."""
    return f"{_plain(Decimal(repr(share)) * 100)}%"


def quiet_of(text: str) -> QuietHours:
    """Return a part of the day of "22:00-07:00"; raises Unwritable."""
    match = re.fullmatch(r"\s*(\d{1,2}):(\d\d)\s*[-–]\s*(\d{1,2}):(\d\d)\s*", text)
    times = [int(match[n]) * 60 + int(match[n + 1]) for n in (1, 3)] if match is not None else []
    if match is None or int(match[2]) > 59 or int(match[4]) > 59 or times[0] >= DAY_MIN or times[1] > DAY_MIN:
        raise Unwritable(noted("{text} is no part of a day. Write it as 22:00-07:00").format(text=repr(text)))
    return QuietHours(since_min=times[0], until_min=times[1])


def written_quiet(quiet: QuietHours) -> str:
    """Return a part of the day as `quiet_of` reads it."""
    return "-".join(f"{minutes // 60:02}:{minutes % 60:02}" for minutes in (quiet.since_min, quiet.until_min))


def _plain(number: float | Decimal) -> str:
    """Write a number without an exponent and without idle zeros, exactly."""
    text = f"{Decimal(repr(number)) if isinstance(number, float) else number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


# ---- the tables of the settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """Hold what a table says: its policy where it holds together, else its faults; why it switched itself off."""

    policy: Policy | None
    off_because: str | None = None
    faults: tuple[Fault, ...] = ()


def policy_in(table: object, *, expand: Callable[[str], str] = lambda folder: folder) -> Read:
    """Read one table of `policies`. One fault in it, and it does nothing: what it leaves out may be an exception.

    `expand` makes the path of a folder of what is written ("~/work").
    """
    if not isinstance(table, Mapping):
        return Read(
            policy=None, faults=((None, noted("is no table"), noted("Write it as [[policies]] with name and trigger")),)
        )
    faults: list[Fault] = []
    values: dict[str, Any] = {}
    for key, value in table.items():
        reader = _KEYS.get(key)
        if reader is None:
            mend = noted("Correct or remove it; until then the policy does nothing. The keys are {keys}")
            shown = key if key.isprintable() else ascii(key)
            what = noted("a key that is not known: {key}").format(key=shown)
            faults.append((key, what, mend.format(keys=", ".join(_KEYS))))
            continue
        try:
            values |= reader(key, value)
        except Unwritable as error:
            what = noted("{key} cannot be used: {why}").format(key=key, why=error)
            faults.append((key, what, noted("Correct that line; until then it does nothing")))
    for key in ("name", "trigger"):
        if key not in table:
            what = noted("it has no {key}").format(key=key)
            faults.append((None, what, noted("Add it; until then it does nothing")))
    if faults:
        return Read(policy=None, faults=tuple(faults))
    off_because = values.pop("off_because", None)
    policy = _with_folders(Policy(**values), expand)
    fault = fault_of(policy)
    if fault is not None:
        mend = noted("Correct it; until then the policy does nothing")
        return Read(policy=None, faults=((_key_of(fault), fault, mend),))
    return Read(policy=policy, off_because=None if policy.on else off_because)


def table_of(policy: Policy, *, off_because: str | None = None) -> dict[str, Any]:
    """Return a policy as the values of its table; what has its default is left out, but for `on`."""
    table: dict[str, Any] = {"name": policy.name, "trigger": policy.trigger.value, "on": policy.on}
    over = [] if policy.over_bytes is None else [written_bytes(policy.over_bytes)]
    over += [] if policy.over_share is None else [written_share(policy.over_share)]
    optional: dict[str, Any] = {
        "after": None if policy.after_s is None else written_seconds(policy.after_s),
        "at_most": policy.at_most,
        "over": (over[0] if len(over) == 1 else over) or None,
        "only_under_pressure": policy.only_under_pressure or None,
        "only": [_written_match(match) for match in policy.only] or None,
        "never": [_written_match(match) for match in policy.never] or None,
        "most_an_hour": _other(policy.most_an_hour, _DEFAULT.most_an_hour),
        "quiet": [written_quiet(quiet) for quiet in policy.quiet] or None,
        "grace": _other(written_seconds(policy.grace_s), written_seconds(_DEFAULT.grace_s)),
        "typed": _other(written_seconds(policy.typed_s), written_seconds(_DEFAULT.typed_s)),
        "sigkill": policy.sigkill or None,
        "off_because": off_because,
    }
    return table | {key: value for key, value in optional.items() if value is not None}


def _other(value: Any, default: Any) -> Any:
    return value if value != default else None


def _written_match(match: Match) -> dict[str, str]:
    return {kind: value for kind, value in _values(match).items() if value is not None}


def _with_folders(policy: Policy, expand: Callable[[str], str]) -> Policy:
    def expanded(matches: tuple[Match, ...]) -> tuple[Match, ...]:
        return tuple(replace(m, folder=expand(m.folder)) if m.folder is not None else m for m in matches)

    return replace(policy, only=expanded(policy.only), never=expanded(policy.never))


def _key_of(fault: str) -> str | None:
    """Return the key that a sentence is about."""
    figures = [key for key in _KEYS if key not in ("name", "trigger", "on")]
    return next((key for key in figures if re.search(rf"\b{key}\b", fault)), None)


# ---- one reader for each key


def _text(key: str, value: object) -> dict[str, Any]:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise Unwritable(noted("it has to be a text"))
    return {key: value}


def _flag(key: str, value: object) -> dict[str, Any]:
    if not isinstance(value, bool):
        raise Unwritable(noted("it has to be true or false"))
    return {key: value}


def _count(key: str, value: object) -> dict[str, Any]:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Unwritable(noted("it has to be a whole number"))
    return {key: value}


def _trigger(key: str, value: object) -> dict[str, Any]:
    try:
        return {key: Trigger(_text(key, value)[key])}
    except ValueError:
        raise Unwritable(noted("there is {choices}").format(choices=", ".join(Trigger))) from None


def _time(name: str) -> Callable[[str, object], dict[str, Any]]:
    return lambda key, value: {name: seconds_of(_text(key, value)[key])}


def _over_in(key: str, value: object) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in _list(value if isinstance(value, list) else [value]):
        part: dict[str, Any]
        if isinstance(text, str) and text.strip().endswith("%"):
            part = {"over_share": share_of(text)}
        else:
            part = {"over_bytes": bytes_of(_text(key, text)[key])}
        if found.keys() & part.keys():
            raise Unwritable(noted("it can name one size and one share"))
        found |= part
    return found


def _quiet(key: str, value: object) -> dict[str, Any]:
    return {key: tuple(quiet_of(_text(key, text)[key]) for text in _list(value))}


def _exceptions(key: str, value: object) -> dict[str, Any]:
    matches: list[Match] = []
    for each in _list(value):
        if not isinstance(each, Mapping) or len(each) != 1 or next(iter(each)) not in _values(Match()):
            raise Unwritable(
                noted("each names exactly one of session, folder, host, program, such as {folder = “~/work”}")
            )
        kind, named = next(iter(each.items()))
        matches.append(Match(**_text(kind, named)))
    return {key: tuple(matches)}


def _list(value: object) -> Collection[Any]:
    if not isinstance(value, list):
        raise Unwritable(noted("it has to be a list, in [ ]"))
    return value


_KEYS: Mapping[str, Callable[[str, object], dict[str, Any]]] = {
    "name": _text,
    "trigger": _trigger,
    "on": _flag,
    "after": _time("after_s"),
    "at_most": _count,
    "over": _over_in,
    "only_under_pressure": _flag,
    "only": _exceptions,
    "never": _exceptions,
    "most_an_hour": _count,
    "quiet": _quiet,
    "grace": _time("grace_s"),
    "typed": _time("typed_s"),
    "sigkill": _flag,
    "off_because": _text,
}
