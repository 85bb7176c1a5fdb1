"""What a person can allow with a host, in words: the adapter's own offer, or what holds for every host.

Pure. What is allowed stands in the settings; what an adapter would do with it, its offer says.
"""

from __future__ import annotations

from collections.abc import Iterable

from trayapp.model.access import Permission
from trayapp.model.session import HostLabel
from trayapp.model.setup import HostSetup
from trayapp.say import noted

TITLES = {
    Permission.READ_SECRET: noted("Read its token or password"),
    Permission.CLOSE_HELPERS: noted("Close the helpers of released sessions"),
}
"""As the head of an offer, and beside a switch."""

_STEPS = {
    Permission.READ_SECRET: (
        noted("read the token or password of {host} from the environment of its process whenever it is needed"),
        noted("sign in to {host} with it, on this computer"),
    ),
    Permission.CLOSE_HELPERS: (
        noted("ask {host} to close the helpers of a session that is released"),
        noted("change the settings of that session in {host} for it"),
    ),
}
_SAYS = {
    Permission.READ_SECRET: (noted("It is kept in memory only: never written, logged, shown or exported"),),
    Permission.CLOSE_HELPERS: (noted("Without it they stay with {host} and count as its own"),),
}


def undo_of(host: str, permission: Permission) -> str:
    """Return the command that takes a consent back."""
    return f"agentring hosts forbid {host} {permission}"


def offer_of(label: HostLabel, permission: Permission, offers: Iterable[HostSetup] = ()) -> HostSetup:
    """Return what is asked before something is allowed: the adapter's offer, else one in general words."""
    own = next((offer for offer in offers if offer.permits is permission), None)
    if own is not None:
        return own
    return HostSetup(
        key=permission.value,
        host=label.host,
        title=TITLES[permission],
        steps=tuple(step.format(host=label.title) for step in _STEPS[permission]),
        says=tuple(sentence.format(host=label.title) for sentence in _SAYS[permission]),
        undo=undo_of(label.host, permission),
        permits=permission,
    )
