"""TLS comes late: asyncio is imported without it, and gets it when an adapter may speak to a server by TLS.

asyncio imports ssl where there is one, and so OpenSSL: 4 MB resident, 1.2 MB of them this program's own, for sockets
that hardly anybody's hosts have. Its modules are made to do without (`except ImportError: ssl = None`).
"""

from __future__ import annotations

import sys
from typing import Any


def postpone() -> None:
    """Import asyncio without TLS; nothing where either is there already."""
    if "asyncio" in sys.modules or "ssl" in sys.modules:
        return
    modules: dict[str, Any] = sys.modules
    modules["ssl"] = None  # so an import of it fails (https://docs.python.org/3/reference/import.html#the-module-cache)
    try:
        import asyncio  # noqa: F401
    finally:
        del modules["ssl"]


def allow() -> None:
    """Let asyncio speak TLS from now on."""
    import importlib
    import ssl
    from asyncio import base_events, selector_events, sslproto

    modules: tuple[Any, ...] = (base_events, selector_events)
    if all(module.ssl is not None for module in modules):
        return
    for module in modules:
        module.ssl = ssl
    importlib.reload(sslproto)  # no connection has used it yet
