"""The words of what is told unasked: a title and one sentence each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trayapp.alerts import Alert, AlertKind
from trayapp.say import say, say_n
from trayapp.say import told as retold
from trayapp.ui import numbers
from trayapp.wording import THIN_SPACE

if TYPE_CHECKING:
    from trayapp.model.policy import Notice


def told(alert: Alert) -> tuple[str, str]:
    """Return title and sentence of an alert."""
    size = numbers.memory(alert.size_bytes)
    match alert.kind:
        case AlertKind.MEMORY:
            title = say("Agents hold {size}", size=size)
            limit, unit = numbers.round_total(alert.limit_bytes)
            return title, say("More than the {limit} that you set.", limit=f"{limit}{THIN_SPACE}{unit}")
        case AlertKind.PRESSURE:
            return say("Memory runs short"), _can_go(alert)
        case AlertKind.CRITICAL:
            return say("Memory is nearly full"), _can_go(alert)
        case AlertKind.HEAP:
            title = say("The heap of {host} fills up", host=alert.name)
            limit = numbers.memory(alert.limit_bytes)
            return title, say("{size} of {limit}. Its host ends when it is full.", size=size, limit=limit)
        case AlertKind.ORPHANS:
            title = say_n("{n} orphan appeared, {size}", "{n} orphans appeared, {size}", alert.count, size=size)
            return title, alert.name
        case AlertKind.POLICY_DONE:
            title = say_n("{name}: {size} came back", "{name} and others: {size} came back", alert.count, **_of(alert))
            return title, say("By the policy “{policy}”.", policy=alert.sentence)
        case AlertKind.CAME_BACK:
            return say("{name} did not stay released", name=alert.name), retold(alert.sentence)
        case AlertKind.WAITING:
            return say("{name} waits for you", name=alert.name), say("It is a session of {host}.", host=alert.sentence)
        case AlertKind.POLICY_SOON:
            return alert.name, retold(alert.sentence)


def _of(alert: Alert) -> dict[str, object]:
    return {"name": alert.name, "size": numbers.memory(alert.size_bytes)}


def _can_go(alert: Alert) -> str:
    if alert.size_bytes <= 0:
        return say("Agents hold nothing that could be released now.")
    return say("{size} of agents can be released now.", size=numbers.memory(alert.size_bytes))


def announcement(fresh: Sequence[Notice], *, now_epoch_s: float) -> tuple[str, str]:
    """Return title and sentence of what policies are about to do."""
    from trayapp.ui import notice_card

    title = notice_card.headline(fresh[0], now_epoch_s=now_epoch_s)
    more = len(fresh) - 1
    if more:
        title = say_n("{title}, and {n} more", "{title}, and {n} more", more, title=title)
    return title, say("{why} Click to keep it.", why=notice_card.reason(fresh[0]))
