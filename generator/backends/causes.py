"""Why a server could not be reached, or was lost: the cause in words that say what to do."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator

import aiohttp

from generator.backends.retry import Transient
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
    """Where a proxy stands between, what fails is the way to it, or the proxy itself."""
    proxy = options.proxy
    for each in causes:
        if isinstance(each, aiohttp.ClientHttpProxyError):
            told = options.clean(f"HTTP {each.status} {each.message}")
            return "proxy", f"the proxy {proxy.masked} (from {proxy.variable}) refuses to connect: {told}"
        if isinstance(each, aiohttp.ClientProxyConnectionError):
            return "proxy", (
                f"the proxy {proxy.masked} (from {proxy.variable}) cannot be reached: "
                f"{options.clean(str(each.os_error))}; mend or unset {proxy.variable}"
            )
    return None


def _connection_cause(causes: list[BaseException], options: ServerOptions) -> tuple[str, str] | None:
    server = options.masked_url
    numbers = {each.errno for each in causes if isinstance(each, OSError)}
    for each in causes:
        if isinstance(each, ssl.SSLCertVerificationError):
            why = options.clean(each.verify_message or str(each))
            return "tls", (
                f"the certificate of {server} is not trusted ({why}): check --base-url, "
                "or name a file with its authority in SSL_CERT_FILE"
            )
        if isinstance(each, ssl.SSLError):
            why = options.clean(each.reason or str(each))
            return "tls", f"{server} does not speak TLS as it should ({why}): is it http:// instead of https://?"
        if isinstance(each, socket.gaierror | aiohttp.ClientConnectorDNSError | UnicodeError):
            return "unknown_host", f"the host of {server} is not known ({_no_name(each)}): check --base-url"
        if isinstance(each, aiohttp.ConnectionTimeoutError):
            return "no_connection", f"no connection to {server} came in time: check --base-url and the network"
    if errno.ECONNREFUSED in numbers or any("Connect call failed" in str(each) for each in causes):
        return "refused", f"nothing listens at {server} (connection refused): start the server or check --base-url"
    if numbers & _NO_WAY:
        return "unreachable", f"there is no way to {server} (network unreachable): check --base-url and the network"
    return None


def _no_name(error: BaseException) -> str:
    return "name resolution failed" if isinstance(error, aiohttp.ClientError) else str(error)
