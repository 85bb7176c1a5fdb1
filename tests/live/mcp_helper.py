"""A small MCP server over standard input and output, for hosts under test.

It answers `initialize`, `tools/list` and `tools/call` of one tool, `probe`, and ends at end of input. With `--stubborn`
it ignores SIGTERM, SIGINT, SIGHUP and end of input, as helpers do that outlive their host.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import Any

TOOL = {
    "name": "probe",
    "description": "Say that the helper is there",
    "inputSchema": {"type": "object", "properties": {}},
}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """Return the result for a request, or None for a method that is not known here."""
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "probe", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": "the helper is there"}]}
    return {} if method == "ping" else None


def serve() -> None:
    """Answer one JSON-RPC message per line until end of input; messages without an id get no answer."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        result = answer(message.get("method", ""), message.get("params") or {})
        if result is None:
            reply["error"] = {"code": -32601, "message": "method not found"}
        else:
            reply["result"] = result
        print(json.dumps(reply), flush=True)


def main() -> None:
    stubborn = "--stubborn" in sys.argv[1:]
    if stubborn:
        for ignored in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(ignored, signal.SIG_IGN)
    try:
        serve()
    except (BrokenPipeError, ConnectionResetError):
        if not stubborn:
            return
    while stubborn:
        signal.pause()


if __name__ == "__main__":
    main()
