"""HTTP to one server: a request out, a bounded reply in, or what a failed connection or a refusal means."""

from __future__ import annotations

import errno
import re
import socket
import ssl
import sys
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import aiohttp
import orjson

from generator.backends.backend import RequestRefused, Transient, TransientFailure, Unavailable
from generator.backends.rates import LONGEST_WAIT, wait_in_headers, wait_in_words
from generator.backends.server import ServerOptions
from generator.errors import BackendError
from generator.jsontext import JsonObject, JsonValue
from generator.version import VERSION

CONNECT_TIMEOUT = 30.0
"""Seconds; with hundreds of requests in flight a connection may take long to come."""
LARGEST_ANSWER = 2 * 1024 * 1024
"""Bytes of an answer, packed or unpacked; a larger one is left unread."""
LARGEST_ERROR = 64 * 1024
"""Bytes of an error's body; the rest is left unread."""
_CHUNK = 64 * 1024
_LONGEST_QUIET = 300.0
"""Seconds for which nothing may come of a file that is under way."""
_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
    "User-Agent": f"toolgen/{VERSION}",
}
_ANY_ZLIB = 32 + zlib.MAX_WBITS
"""Tells zlib to know gzip and deflate by their first bytes."""

Unpack = Callable[[bytes, int], bytes]
"""Unpacks a chunk, up to a number of bytes."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server sent: status, headers, and the body as far as it was read."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def is_answer(self) -> bool:
        """Whether the server did what it was asked for."""
        return _is_answer(self.status)


_NONE: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Parcel:
    """What is sent besides what every request carries: where to, below the base URL, and with what."""

    path: str
    content: Any = None
    """The body, as bytes or as what the HTTP client reads it from."""
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    below: str | None = None
    """Below which URL of the same server, where it is not the base URL."""


class Wire:
    """The connections to one server. Use `open_wire` to have them closed."""

    def __init__(self, session: aiohttp.ClientSession, options: ServerOptions) -> None:
        self._session = session
        self._options = options
        self._proxy = options.proxy
        user = self._proxy.user
        self._proxy_headers = {"Proxy-Authorization": aiohttp.encode_basic_auth(*user)} if user else None
        self._tunnelled = options.address.plain_url.startswith("https:")  # else the proxy reads the request itself
        quiet = max(_LONGEST_QUIET, options.timeout)
        self._at_length = aiohttp.ClientTimeout(sock_connect=min(CONNECT_TIMEOUT, options.timeout), sock_read=quiet)

    async def post(self, path: str, content: bytes) -> Reply:
        """Send a JSON body.

        Raises:
            TransientFailure: no reply came, or one that is too large or cannot be unpacked.
        """
        async with self._exchange("POST", Parcel(path, content)) as response:
            return Reply(response.status, response.headers, await _read(response))

    async def get(self, path: str, query: Mapping[str, str] = _NONE, below: str | None = None) -> Reply:
        """Ask for a document (see `post`)."""
        async with self._exchange("GET", Parcel(path, query=query, below=below)) as response:
            return Reply(response.status, response.headers, await _read(response))

    async def send(self, parcel: Parcel) -> Reply:
        """Send a body of any size, however long that takes (see `post`)."""
        async with self._exchange("POST", parcel, self._at_length) as response:
            return Reply(response.status, response.headers, await _read(response))

    async def lines(self, path: str, below: str | None = None) -> AsyncIterator[bytes | Reply]:
        """Yield the lines of a file of any size as they come; what is no answer is yielded as the one reply it is.

        A line beyond the size of an answer is left out.

        Raises:
            TransientFailure: the connection failed, perhaps in the middle of the file.
        """
        headers = {"Accept-Encoding": "identity", "Accept": "*/*"}
        async with self._exchange("GET", Parcel(path, headers=headers, below=below), self._at_length) as response:
            if not _is_answer(response.status):
                yield Reply(response.status, response.headers, await _read(response))
                return
            async for line in _bounded_lines(response.content):
                yield line

    @asynccontextmanager
    async def _exchange(
        self, method: str, parcel: Parcel, patience: aiohttp.ClientTimeout | None = None
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        options, address = self._options, self._options.address
        proxied = {} if self._tunnelled else self._proxy_headers or {}
        base = address.plain_url if parcel.below is None else parcel.below
        try:
            async with self._session.request(
                method,
                base.rstrip("/") + parcel.path,
                params={**address.query, **parcel.query},
                data=parcel.content,
                allow_redirects=False,
                proxy=self._proxy.url or None,
                headers={**proxied, **parcel.headers},
                proxy_headers=self._proxy_headers if self._tunnelled else None,
                timeout=patience or self._session.timeout,
            ) as response:
                yield response
        except (aiohttp.ClientError, OSError, UnicodeError) as error:
            raise TransientFailure(cause_of(error, options)) from error


@asynccontextmanager
async def open_wire(options: ServerOptions, headers: Mapping[str, str]) -> AsyncIterator[Wire]:
    """Open the connections of a run, which carry these headers besides their own, and close them at the end."""
    timeout = aiohttp.ClientTimeout(total=options.timeout, sock_connect=min(CONNECT_TIMEOUT, options.timeout))
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=options.connections, ssl=_trusted()),
        cookie_jar=aiohttp.DummyCookieJar(),
        headers={**_HEADERS, **headers},
        timeout=timeout,
        auto_decompress=False,
    ) as session:
        yield Wire(session, options)


def _trusted() -> ssl.SSLContext:
    """The certificates that this machine trusts; SSL_CERT_FILE names others."""
    if sys.platform in ("darwin", "win32") and not ssl.get_default_verify_paths().cafile:
        import truststore

        return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return ssl.create_default_context()


async def _read(response: aiohttp.ClientResponse) -> bytes:
    """Read a body up to its limit: an answer beyond it is a failure, an error is cut."""
    answered = _is_answer(response.status)
    limit = LARGEST_ANSWER if answered else LARGEST_ERROR
    unpack = _unpacker(response.headers.get("Content-Encoding", ""))
    parts: list[bytes] = []
    packed = unpacked = 0
    async for chunk in response.content.iter_chunked(_CHUNK):
        packed += len(chunk)
        parts.append(unpack(chunk, limit - unpacked + 1))
        unpacked += len(parts[-1])
        if max(packed, unpacked) > limit:
            if answered:
                raise TransientFailure(
                    Transient("oversized", f"an answer of more than {limit:,} bytes, the rest of which was not read")
                )
            break
    return b"".join(parts)[:limit]


async def _bounded_lines(content: aiohttp.StreamReader) -> AsyncIterator[bytes]:
    """Yield lines without their ends; one that is too long is left out, and read no further than to its end."""
    kept = bytearray()
    is_long = False
    async for chunk in content.iter_chunked(_CHUNK):
        *ended, rest = chunk.split(b"\n")
        for end in ended:
            kept += end
            if not is_long and len(kept) <= LARGEST_ANSWER:
                yield bytes(kept)
            kept.clear()
            is_long = False
        kept += rest
        if len(kept) > LARGEST_ANSWER:
            is_long = True
            kept.clear()
    if kept and not is_long:
        yield bytes(kept)


def _is_answer(status: int) -> bool:
    return 200 <= status < 300


def _unpacker(encoding: str) -> Unpack:
    """Return what unpacks a body; encodings that were not asked for are refused, and so are those laid one on another.

    Each layer may multiply what the one below it holds, so that a limit on the last does not bound the work.
    """
    if encoding.strip().lower() in ("", "identity"):
        return lambda chunk, most: chunk
    if encoding.strip().lower() not in ("gzip", "x-gzip", "deflate"):
        raise TransientFailure(Transient("not_json", f"an answer packed as {encoding[:40]!r}, which nobody asked for"))
    unzip = zlib.decompressobj(_ANY_ZLIB)

    def unpack(chunk: bytes, most: int) -> bytes:
        try:
            return unzip.decompress(chunk, most) if not unzip.eof else b""
        except zlib.error as error:
            raise TransientFailure(Transient("not_json", f"an answer that cannot be unpacked: {error}")) from error

    return unpack


_NO_WAY = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN})


def cause_of(error: BaseException, options: ServerOptions) -> Transient:
    """Return why a request failed before its reply was whole.

    `unreached` is set where no connection came to be at all: where that is so from the first request on, the
    configuration is wrong and no later try will mend it.
    """
    causes = list(_chain(error))
    if found := _proxy_cause(causes, options) or _connection_cause(causes, options):
        return Transient(found[0], found[1], unreached=True)
    if any(isinstance(each, TimeoutError) for each in causes):
        return Transient("timeout", f"no answer within {options.timeout:g} s", billed=True)
    text = options.clean(str(error) or type(error).__name__)
    return Transient("connection", f"the connection failed: {text}")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what it came from."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = getattr(error, "os_error", None) or error.__cause__ or error.__context__


def _proxy_cause(causes: list[BaseException], options: ServerOptions) -> tuple[str, str] | None:
    """Where a proxy stands between, what is not reached is the proxy."""
    proxy = options.proxy
    if not proxy.given:
        return None
    for each in causes:
        if isinstance(each, aiohttp.ClientHttpProxyError):
            message = options.clean(f"HTTP {each.status} {each.message}")
            return "proxy", f"the proxy {proxy.masked} (from {proxy.variable}) refuses to connect: {message}"
        if isinstance(each, _NO_NAME):
            return "proxy", f"the host of the proxy {proxy.masked} is not known: mend or unset {proxy.variable}"
        if isinstance(each, aiohttp.ClientConnectorError) and not isinstance(each, ssl.SSLError):
            why = options.clean(each.os_error.strerror or str(each.os_error))
            return "proxy", f"the proxy {proxy.masked} cannot be reached ({why}): mend or unset {proxy.variable}"
    return None


_NO_NAME = (socket.gaierror, aiohttp.ClientConnectorDNSError, UnicodeError)


def _connection_cause(causes: list[BaseException], options: ServerOptions) -> tuple[str, str] | None:
    server = options.masked_url
    for each in causes:
        if isinstance(each, ssl.SSLError):
            return "tls", _said_of_tls(each, options)
        if isinstance(each, _NO_NAME):
            return "unknown_host", f"the host of {server} is not known (no such name): check --base-url"
        if isinstance(each, aiohttp.ConnectionTimeoutError):
            return "no_connection", f"no connection to {server} came in time: check --base-url and the network"
    return _cause_of_the_network(causes, options)


def _cause_of_the_network(causes: list[BaseException], options: ServerOptions) -> tuple[str, str] | None:
    server = options.masked_url
    numbers = {each.errno for each in causes if isinstance(each, OSError)}
    if numbers & _NO_WAY:
        return "unreachable", f"there is no way to {server} (network unreachable): check --base-url and the network"
    if errno.ECONNREFUSED in numbers:
        return "refused", f"nothing listens at {server} (connection refused): start the server or check --base-url"
    for each in causes:
        if isinstance(each, aiohttp.ClientConnectorError):
            return "no_connection", f"no connection to {server} can be made ({options.clean(str(each.os_error))})"
    return None


def _said_of_tls(error: ssl.SSLError, options: ServerOptions) -> str:
    inner = getattr(error, "os_error", error)
    if isinstance(inner, ssl.SSLCertVerificationError):
        return (
            f"the certificate of {options.masked_url} is not trusted ({options.clean(inner.verify_message)}): "
            "check --base-url, or name a file with its authority in SSL_CERT_FILE"
        )
    why = options.clean(str(getattr(inner, "reason", "") or inner)).replace("_", " ").lower()
    return f"{options.masked_url} does not speak TLS as it should ({why}); perhaps it is http:// instead of https://"


@dataclass(frozen=True, slots=True)
class ErrorMessage:
    """The message of an error, the codes and types that it names, and the keys of the body that it blames."""

    text: str
    codes: frozenset[str] = frozenset()
    parameters: frozenset[str] = frozenset()


def read_error(reply: Reply) -> ErrorMessage:
    """Read the body of an error."""
    text = reply.content.decode("utf-8", "replace")
    try:
        document: JsonValue = orjson.loads(reply.content)
    except orjson.JSONDecodeError:
        return ErrorMessage(text)
    error = _error_in(document)
    if not isinstance(error, dict):
        return ErrorMessage(error if isinstance(error, str) else text)
    message = error.get("message", error.get("detail"))
    codes = frozenset(value for key in ("code", "type") if isinstance(value := error.get(key), str))
    return ErrorMessage(message if isinstance(message, str) and message else text, codes, frozenset(_parameters(error)))


def _error_in(document: JsonValue) -> JsonValue:
    """Return the error that a body holds, or is: some put it into a list."""
    document = document[0] if isinstance(document, list) and document else document
    return document.get("error", document) if isinstance(document, dict) else document


def _parameters(error: JsonObject) -> Iterator[str]:
    """Yield the keys that an error blames: by `param`, or by the places of FastAPI's details."""
    if isinstance(named := error.get("param"), str) and named:
        yield named.rpartition(".")[2]
    message = error.get("message")
    details = error.get("detail", message.get("detail") if isinstance(message, dict) else None)
    for detail in details if isinstance(details, list) else ():
        place = detail.get("loc") if isinstance(detail, dict) else None
        yield from (part for part in (place if isinstance(place, list) else ()) if isinstance(part, str))


_REFUSALS_OF_FORM = frozenset({400, 404, 422, 501})
_MAY_PASS = frozenset({408, 409, 425, 429})
_REMEDIES = {
    401: "check the key in {key}",
    402: "the account has nothing left to pay with",
    403: "the key may not use this model",
    404: "check --base-url (it usually ends in /v1) and --model",
}
_ELSEWHERE = "it sends elsewhere, and a key is never sent after it: give the right address with --base-url"
_REQUEST_WORDS = ("context length", "context_length", "context size", "context window", "too long", "content_filter")
"""What servers say of one request that they cannot take, where the next may be taken."""
_REQUEST_CODES = frozenset({"content_filter", "context_length_exceeded"})
_FORM_WORDS = re.compile(r"(?<![a-z])(?:response_format|json_|schema|tool|function|grammar|format)")
_QUOTA_CODES = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance")
_QUOTA_WORDS = (
    "exceeded your current quota",
    "insufficient credit",
    "insufficient balance",
    "insufficient_quota",
    "credit balance is too low",
)
"""What servers say where no wait helps: there is nothing left to pay with. Some say it of a minute's share as well."""


def refusal_of(reply: Reply, options: ServerOptions) -> Exception:
    """Return the exception that a reply with another status than 200 stands for."""
    status, error = reply.status, read_error(reply)
    text = options.clean(error.text or _phrase(status))
    if _is_of_the_quota(reply, error.codes, text):
        return BackendError(f"{options.masked_url} says that its quota is used up: HTTP {status}: {text}")
    if _may_pass(status):
        return _for_now(reply, text, options)
    if status == 413 or (status in _REFUSALS_OF_FORM and _is_of_one_request(error.codes, text)):
        return Unavailable(f"http_{status}", f"HTTP {status}: {text}")
    named = _FORM_WORDS.search(text.lower()) is not None
    if status in _REFUSALS_OF_FORM and (status != 404 or named):
        return RequestRefused(status, f"HTTP {status}: {text}", named=named, parameters=error.parameters)
    told = f"{options.masked_url} refused the request for good: HTTP {status}: {text}"
    return BackendError(f"{told} ({_remedy(status, options)})")


def _is_of_the_quota(reply: Reply, codes: frozenset[str], text: str) -> bool:
    """Say whether there is nothing left to pay with; what a server says of a minute's share comes with a wait."""
    if not codes.isdisjoint(_QUOTA_CODES):
        return True
    is_said = any(word in text.lower() for word in _QUOTA_WORDS)
    return is_said and wait_in_headers(reply.headers) is None and wait_in_words(text) is None


def _may_pass(status: int) -> bool:
    return status in _MAY_PASS or (status >= 500 and status != 501)


def _is_of_one_request(codes: frozenset[str], text: str) -> bool:
    return any(word in text.lower() for word in _REQUEST_WORDS) or not codes.isdisjoint(_REQUEST_CODES)


def _remedy(status: int, options: ServerOptions) -> str:
    """Return what helps where a server refuses every request in the same way."""
    if status == 401 and not options.key and not options.address.basic:
        return f"no key was sent: {options.key_variable} is not set"
    remedy = _ELSEWHERE if 300 <= status < 400 else _REMEDIES.get(status, "check --base-url and --model")
    return remedy.format(key=options.key_variable)


def _for_now(reply: Reply, text: str, options: ServerOptions) -> Exception:
    wait = wait_in_headers(reply.headers)
    wait = wait_in_words(text) if wait is None else wait
    if wait is not None and wait > LONGEST_WAIT:
        return BackendError(
            f"{options.masked_url} asks to wait {wait:,.0f} s (HTTP {reply.status}); run the command again then"
        )
    return TransientFailure(Transient(f"http_{reply.status}", f"HTTP {reply.status}: {text}", wait))


def way_out(refusal: RequestRefused, options: Mapping[str, str]) -> str:
    """Return what to do where a server refuses an option of the user's; "" where it is none of these.

    Args:
        refusal: what the server says.
        options: what was given and sent, as the user gave it, by the words that say it to the server.
    """
    option = next((option for key, option in options.items() if _blames(refusal, key)), "")
    if option == _NEEDED:
        return f"give another {option}"
    return f"leave {option} out, or give what it takes" if option else ""


_NEEDED = "--max-output-tokens"


def _blames(refusal: RequestRefused, key: str) -> bool:
    """A list of keys is exact; a message may quote anything, so one that speaks of the form is not about an option."""
    if refusal.parameters or refusal.named:
        return key in refusal.parameters
    return re.search(rf"(?<![\w.]){re.escape(key)}(?!\w)", str(refusal)) is not None


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "no reason given"
