"""Why a server could not be reached, or was lost: the cause in words that say what to do."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator

import aiohttp

from generator.backends.backend import Transient
from generator.backends.server import ServerOptions

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
            told = options.clean(f"HTTP {each.status} {each.message}")
            return "proxy", f"the proxy {proxy.masked} (from {proxy.variable}) refuses to connect: {told}"
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
