"""Codeman's web server, as one monitor may use it: on this computer only, gently, with short limits.

Speaks both dialects (bare bodies and HTTP 200 for errors before 0.9.8, an envelope and status codes since) and tells
them apart by looking at each answer. Signs in with HTTP Basic once and with the cookie from then on, as every other
request with Basic would throw out somebody's browser. A refusal is never answered by trying again: ten of them lock
everybody on this computer out for a quarter of an hour. Sends no Origin, and no content type without a body.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from trayapp.hosts.codeman_disk import MuxSession, decode_mux_sessions
from trayapp.hosts.files import Stamp, stamp

if TYPE_CHECKING:
    import httpx

_T = TypeVar("_T")

ANSWER_TIMEOUT_S = 2.0
DELETE_TIMEOUT_S = 10.0
"""A delete took 0.1 to 2.9 s; whoever carries out a release waits 15 s for the whole call."""
START_TIMEOUT_S = 10.0
REPLY_LIMIT_BYTES = 16 * 1024 * 1024
LOCKED_OUT_S = 900.0
_COOKIE = "codeman_session"
_STATUS = "/api/status"
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class Trouble(StrEnum):
    """Why a server could not be used."""

    GONE = "gone"
    SILENT = "silent"
    SIGN_IN = "sign-in"
    FORBIDDEN = "forbidden"
    LOCKED_OUT = "locked-out"
    CERTIFICATE = "certificate"
    STRANGE = "strange"


class ServerUnusable(Exception):
    """The server cannot be used; `what` says why, as a sentence without a full stop, and `mend` what helps."""

    def __init__(self, trouble: Trouble, what: str, mend: str) -> None:
        super().__init__(what)
        self.trouble = trouble
        self.what = what
        self.mend = mend

    def __str__(self) -> str:
        return f"{self.what}. {self.mend}"


class Refused(Exception):
    """The server understood a call and did not do it; `code` is its own word, such as NOT_FOUND."""

    def __init__(self, code: str, what: str) -> None:
        super().__init__(what)
        self.code = code
        self.what = what


# -------------------------------------------------------------------------------------------------- what it says


class TaskStats(msgspec.Struct, rename="camel"):
    """How many of a session's tasks there are."""

    running: int = 0


class RalphLoop(msgspec.Struct, rename="camel"):
    """Whether a session goes on by itself."""

    active: bool = False


class Record(msgspec.Struct, rename="camel", kw_only=True):
    """One session, as the server tells it; times are epoch milliseconds.

    `pid` is not the agent's: it is the server's own tmux client, and None while the server is not attached.
    """

    id: str
    pid: int | None = None
    status: str | None = None
    is_working: bool | None = None
    last_activity_at: float | None = None
    created_at: float | None = None
    working_dir: str | None = None
    name: str | None = None
    mode: str | None = None
    claude_session_id: str | None = None
    resume_session_id: str | None = None
    current_task_id: Any = None
    task_stats: TaskStats | None = None
    ralph_loop: RalphLoop | None = None
    respawn_enabled: bool | None = None
    cli_model: str | None = None
    pane_exit: Any = None
    remote: Any = None
    docker: Any = None
    owner: Any = None


class _Status(msgspec.Struct, rename="camel"):
    """All three fields without a default have to be there: it is how Codeman is told from another program."""

    version: str
    sessions: list[msgspec.Raw]
    global_stats: dict[str, Any]
    scheduled_runs: Any = None
    respawn_status: Any = None
    subagents: Any = None


class _Envelope(msgspec.Struct, rename="camel"):
    success: bool | None = None
    data: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    error: str | None = None
    error_code: str | None = None
    message: str | None = None


class _Made(msgspec.Struct):
    session: Record


class _Mux(msgspec.Struct):
    sessions: msgspec.Raw


class _Uptime(msgspec.Struct):
    seconds: float


class _Memory(msgspec.Struct):
    uptime: _Uptime


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """When an agent's own hooks last said that it is done, where the server watches for them."""

    stop_epoch_s: float | None = None
    idle_epoch_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Hold one answer of a server, whole.

    Attributes:
        enveloped: the dialect since 0.9.8.
        strange: how many sessions were not understood.
        scheduled, subagents: as told: shapes that change from version to version.
        hooks: by session id.
    """

    version: str
    enveloped: bool
    records: Mapping[str, Record]
    strange: int
    scheduled: tuple[Mapping[str, Any], ...]
    subagents: tuple[Mapping[str, Any], ...]
    hooks: Mapping[str, Hooks]
    read_epoch_s: float


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who signs in; the secret is in no text."""

    user: str
    secret: str = field(repr=False)


def address_of(url: str) -> str | None:
    """Return a server's address where it is on this computer, else None: another one is never spoken to."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    host = parts.hostname
    if parts.scheme not in ("http", "https") or host not in _LOOPBACK or parts.username is not None:
        return None
    name = f"[{host}]" if host == "::1" else host
    return f"{parts.scheme}://{name}:{port or (443 if parts.scheme == 'https' else 80)}{parts.path.rstrip('/')}"


def port_of(address: str) -> int:
    """Return the port of an address made by `address_of`."""
    return urlsplit(address).port or 0


def unwrap(status: int, body: bytes) -> tuple[bytes, bool]:
    """Return the payload of an answer in either dialect and whether it came in the envelope.

    Raises ServerUnusable for the refusals that come as plain text, and for what is no answer of Codeman's; Refused for
    its own errors, which older versions send with HTTP 200.
    """
    if status in (401, 403, 429):
        raise _refusal(status, body)
    try:
        if body.lstrip()[:1] == b"[":
            return bytes(msgspec.json.decode(body, type=msgspec.Raw)), False
        said = msgspec.json.decode(body, type=_Envelope)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise _strange(f"answers with {status} and something that is not known here") from None
    if said.success is False or status >= 400:
        code = said.error_code or ("NOT_FOUND" if status == 404 else f"HTTP {status}")
        raise Refused(code, said.message or said.error or f"it answers with {status}")
    if said.success is not None and said.data is not msgspec.UNSET:
        return bytes(said.data), True
    return body, False


def _refusal(status: int, body: bytes) -> ServerUnusable:
    """Say what a refusal means; these come before anything of the API, as plain text."""
    text = body[:80].decode(errors="replace").strip().splitlines()
    said = f" (“{text[0]}”)" if text else ""
    if status == 401:
        return ServerUnusable(
            Trouble.SIGN_IN,
            "its server asks for a password",
            "Enter it in the settings of Agent Ring, or allow Agent Ring to read it from the server",
        )
    if status == 403:
        return ServerUnusable(
            Trouble.FORBIDDEN,
            f"its server does not let this program in{said}",
            "Let 127.0.0.1 and localhost in, and sign in as a user who may see all sessions",
        )
    return ServerUnusable(
        Trouble.LOCKED_OUT,
        "its server has locked this computer out after too many wrong passwords",
        "Wait 15 minutes, and check the password in the settings of Agent Ring",
    )


def _strange(what: str) -> ServerUnusable:
    return ServerUnusable(Trouble.STRANGE, f"its server {what}", "Update Agent Ring, or restart Codeman")


def decode_reading(payload: bytes, *, enveloped: bool, read_epoch_s: float) -> Reading:
    """Return what `/api/status` says; a session that is not understood is counted. Raises ServerUnusable."""
    try:
        said = msgspec.json.decode(payload, type=_Status)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise _strange("answers as another program would") from None
    records: dict[str, Record] = {}
    for raw in said.sessions:
        try:
            record = msgspec.json.decode(raw, type=Record)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
        records[record.id] = record
    return Reading(
        version=said.version,
        enveloped=enveloped,
        records=records,
        strange=len(said.sessions) - len(records),
        scheduled=_objects(said.scheduled_runs),
        subagents=_objects(said.subagents),
        hooks=_hooks(said.respawn_status),
        read_epoch_s=read_epoch_s,
    )


def _objects(value: object) -> tuple[Mapping[str, Any], ...]:
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return tuple(each for each in values if isinstance(each, dict))


def _hooks(value: object) -> dict[str, Hooks]:
    found: dict[str, Hooks] = {}
    for session_id, status in value.items() if isinstance(value, dict) else ():
        detection = status.get("detection") if isinstance(status, dict) else None
        if isinstance(detection, dict):
            found[session_id] = Hooks(
                stop_epoch_s=_seconds(detection.get("stopHookTime")),
                idle_epoch_s=_seconds(detection.get("idlePromptTime")),
            )
    return found


def _seconds(value: object) -> float | None:
    return value / 1000 if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0 else None


# -------------------------------------------------------------------------------------------------- asking it


class Client:
    """Speak to one server. Keeps the cookie, and whether the server refused whoever signs in now.

    Attributes:
        certificate: the only authority that is trusted, for a server that speaks HTTPS.
        signed_in: how, for people.
    """

    def __init__(self, address: str, certificate: Path) -> None:
        self.address = address
        self.certificate = certificate
        self.signed_in: str | None = None
        self._credentials: Credentials | None = None
        self._cookie: str | None = None
        self._refused: ServerUnusable | None = None
        self._let_be_until_epoch_s = 0.0
        self._context: tuple[Stamp | None, ssl.SSLContext] | None = None
        self._no_approvals = False

    @property
    def credentials(self) -> Credentials | None:
        """Return who signs in now."""
        return self._credentials

    def sign_in_as(self, credentials: Credentials | None) -> None:
        """Say who signs in from now on; whom the server refused is only tried again when it is somebody else."""
        if credentials != self._credentials:
            self._credentials, self._cookie, self.signed_in = credentials, None, None
            if self._refused is not None and self._refused.trouble in (Trouble.SIGN_IN, Trouble.FORBIDDEN):
                self._refused = None

    async def status(self, now_epoch_s: float) -> Reading:
        """Return all that it says of its sessions. Raises ServerUnusable."""
        payload, enveloped = await self._read(_STATUS, now_epoch_s)
        return decode_reading(payload, enveloped=enveloped, read_epoch_s=now_epoch_s)

    async def session(self, session_id: str, now_epoch_s: float) -> Record | None:
        """Return one session as it is now, None where the server does not know it. Raises ServerUnusable."""
        try:
            payload, _ = await self._ask("GET", f"/api/sessions/{quote(session_id, safe='')}", now_epoch_s)
        except Refused as refused:
            if refused.code == "NOT_FOUND":
                return None
            raise _strange(f"does not tell of the session ({refused.what})") from refused
        return _decode(payload, Record)

    async def mux_sessions(self, now_epoch_s: float) -> tuple[MuxSession, ...]:
        """Return what it runs in tmux; it starts `ps` for this, so it is asked rarely. Raises ServerUnusable."""
        payload, _ = await self._read("/api/mux-sessions", now_epoch_s)
        try:
            return decode_mux_sessions(_decode(payload, _Mux).sessions)[0]
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise _strange("answers something that is not known here") from None

    async def approvals(self, now_epoch_s: float) -> frozenset[str]:
        """Return the sessions that wait for an approval; a server that cannot tell is not asked again."""
        if self._no_approvals:
            return frozenset()
        try:
            payload, _ = await self._ask("GET", "/api/approvals", now_epoch_s)
        except (Refused, ServerUnusable) as fault:
            if isinstance(fault, ServerUnusable) and fault.trouble is not Trouble.FORBIDDEN:
                raise
            self._no_approvals = True
            return frozenset()
        said = msgspec.json.decode(payload)
        pending = said.get("approvals", said.get("pending")) if isinstance(said, dict) else said
        asked = (each.get("sessionId", each.get("session_id")) for each in _objects(pending))
        return frozenset(each for each in asked if isinstance(each, str))

    async def started_epoch_s(self, now_epoch_s: float) -> float | None:
        """Return when the server began, by its own word; None where it does not tell. Raises ServerUnusable."""
        try:
            payload, _ = await self._ask("GET", "/api/debug/memory", now_epoch_s)
        except Refused:
            return None
        return now_epoch_s - _decode(payload, _Memory).uptime.seconds

    async def delete(self, session_id: str, now_epoch_s: float, *, only_in_tmux: bool) -> str:
        """Have a session ended and return the answer in words. Raises ServerUnusable, Refused.

        What is gone already is no error. `only_in_tmux`: one that is in no list of sessions any more.
        """
        kind = "mux-sessions" if only_in_tmux else "sessions"
        try:
            await self._ask(
                "DELETE", f"/api/{kind}/{quote(session_id, safe='')}", now_epoch_s, timeout_s=DELETE_TIMEOUT_S
            )
        except Refused as refused:
            if refused.code == "NOT_FOUND" or (only_in_tmux and refused.code == "HTTP 200"):
                return "already gone"
            raise
        return "it says that the session is closed"

    async def create(self, wanted: Mapping[str, str], now_epoch_s: float) -> Record:
        """Make a session and return it; nothing runs in it yet. Raises ServerUnusable, Refused."""
        payload, _ = await self._ask("POST", "/api/sessions", now_epoch_s, body=wanted, timeout_s=START_TIMEOUT_S)
        return _decode(payload, _Made).session

    async def start(self, session_id: str, now_epoch_s: float) -> None:
        """Start the agent of a session. Raises ServerUnusable, Refused."""
        path = f"/api/sessions/{quote(session_id, safe='')}/interactive"
        await self._ask("POST", path, now_epoch_s, timeout_s=START_TIMEOUT_S)

    # -- one exchange ---------------------------------------------------------------------------------------------

    async def _read(self, path: str, now_epoch_s: float) -> tuple[bytes, bool]:
        try:
            return await self._ask("GET", path, now_epoch_s)
        except Refused as refused:
            raise _strange(f"does not tell ({refused.what})") from refused

    async def _ask(
        self,
        method: str,
        path: str,
        now_epoch_s: float,
        *,
        body: Mapping[str, str] | None = None,
        timeout_s: float = ANSWER_TIMEOUT_S,
    ) -> tuple[bytes, bool]:
        """Send one request; whom the server refused sends nothing at all."""
        if self._refused is not None:
            if self._refused.trouble is Trouble.SIGN_IN or now_epoch_s < self._let_be_until_epoch_s:
                raise self._refused
            self._refused = None
        status, headers, answer = await self._exchange(method, path, body, timeout_s)
        self._keep_cookie(headers)
        if status == 401 and "codeman" not in headers.get("www-authenticate", "").lower():
            raise _strange("asks for a password as another program would")
        try:
            return unwrap(status, answer)
        except ServerUnusable as refused:
            # one address may be closed to whom all others are open: the list of tmux sessions wants an administrator
            everywhere = refused.trouble is Trouble.FORBIDDEN and path == _STATUS
            if everywhere or refused.trouble in (Trouble.SIGN_IN, Trouble.LOCKED_OUT):
                self._note_refusal(refused, headers, now_epoch_s)
                raise self._refused or refused from None
            raise

    def _note_refusal(self, refused: ServerUnusable, headers: httpx.Headers, now_epoch_s: float) -> None:
        if refused.trouble is Trouble.SIGN_IN and self._credentials is not None:
            was_in = self._cookie is not None
            refused = ServerUnusable(
                Trouble.SIGN_IN,
                "its server has ended the sign-in" if was_in else "its server does not take the password",
                "Restart Agent Ring to sign in again"
                if was_in
                else "Enter the right one in the settings of Agent Ring; it is not tried again before",
            )
        self._cookie = None
        self._refused = refused
        wait = headers.get("retry-after", "")
        self._let_be_until_epoch_s = now_epoch_s + (float(wait) if wait.isdecimal() else LOCKED_OUT_S)

    def _keep_cookie(self, headers: httpx.Headers) -> None:
        for line in headers.get_list("set-cookie"):
            name, _, value = line.split(";", 1)[0].partition("=")
            if name.strip() == _COOKIE and value:
                self._cookie = value.strip()
                self.signed_in = "with a password, then by cookie"

    def _headers(self) -> dict[str, str]:
        if self._cookie is not None:
            return {"cookie": f"{_COOKIE}={self._cookie}"}
        if self._credentials is not None:
            from base64 import b64encode

            pair = f"{self._credentials.user}:{self._credentials.secret}".encode()
            return {"authorization": f"Basic {b64encode(pair).decode('ascii')}"}
        return {}

    async def _exchange(
        self, method: str, path: str, body: Mapping[str, str] | None, timeout_s: float
    ) -> tuple[int, httpx.Headers, bytes]:
        import httpx  # 12 MB and 0.15 s, only where such a server runs

        headers = self._headers()
        content = None
        if body is not None:
            content, headers = msgspec.json.encode(body), {**headers, "content-type": "application/json"}
        limits = httpx.Timeout(timeout_s, connect=1.0)
        answer = bytearray()
        try:
            # trust_env: a proxy from the environment must not see requests to this machine
            async with (
                asyncio.timeout(timeout_s),
                httpx.AsyncClient(
                    verify=self._trusted(), timeout=limits, trust_env=False, follow_redirects=False
                ) as client,
                client.stream(method, self.address + path, headers=headers, content=content) as response,
            ):
                async for part in response.aiter_bytes():
                    answer += part
                    if len(answer) > REPLY_LIMIT_BYTES:
                        raise _strange("sends more than can be read")
                return response.status_code, response.headers, bytes(answer)
        except (TimeoutError, httpx.TimeoutException):
            raise ServerUnusable(
                Trouble.SILENT,
                f"its server does not answer within {timeout_s:.0f} s",
                "If this stays, restart Codeman; its sessions live on",
            ) from None
        except httpx.HTTPError as fault:
            raise self._unreached(fault) from fault

    def _trusted(self) -> ssl.SSLContext:
        """Return what is trusted: the server's own certificate and nothing else. Raises ServerUnusable."""
        if not self.address.startswith("https:"):
            if self._context is None:
                # trusts nobody, and is made in no time
                self._context = (None, ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
            return self._context[1]
        written = stamp(self.certificate)
        if self._context is None or self._context[0] != written or written is None:
            try:
                context = ssl.create_default_context(cafile=str(self.certificate))
            except (OSError, ssl.SSLError) as fault:
                raise self._untrusted(f"the certificate {self.certificate} cannot be read") from fault
            # a certificate that signs itself lacks what the strict rules ask for
            context.verify_flags &= ~getattr(ssl, "VERIFY_X509_STRICT", 0)
            self._context = (written, context)
        return self._context[1]

    def _unreached(self, fault: Exception) -> ServerUnusable:
        cause: BaseException | None = fault
        while cause is not None:
            if isinstance(cause, ssl.SSLCertVerificationError):
                return self._untrusted(f"its server shows another certificate than {self.certificate}")
            cause = cause.__cause__ or cause.__context__
        return ServerUnusable(
            Trouble.GONE, f"its server cannot be reached ({type(fault).__name__})", "Start Codeman again"
        )

    def _untrusted(self, what: str) -> ServerUnusable:
        return ServerUnusable(Trouble.CERTIFICATE, what, "Restart Codeman, so that it writes its certificate anew")


def _decode(payload: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(payload, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise _strange("answers something that is not known here") from None
