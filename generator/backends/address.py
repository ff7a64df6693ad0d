"""Where a server is: its base URL in parts, the key that goes with every request, and the proxy on the way."""

from __future__ import annotations

import os
from base64 import b64encode
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit
from urllib.request import getproxies_environment, proxy_bypass

from generator.backends.credentials import MASK


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The base URL of a server as it was given, and its key."""

    url: str
    key: str = ""

    @property
    def masked_url(self) -> str:
        """The base URL without credentials and query, fit for logs and files."""
        return mask_url(self.url)

    @property
    def plain_url(self) -> str:
        """The base URL that requests go to; credentials and query travel as header and parameters."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, _host(parts), parts.path, "", ""))

    @property
    def query(self) -> dict[str, str]:
        """The query of the base URL, sent with every request."""
        return dict(parse_qsl(urlsplit(self.url).query))

    @property
    def userinfo(self) -> str:
        """User and password as they stand in the base URL."""
        return urlsplit(self.url).netloc.rpartition("@")[0]

    @property
    def basic(self) -> str:
        """The header for a user and password in the base URL, "" where there is none."""
        return f"Basic {b64encode(unquote(self.userinfo).encode()).decode()}" if self.userinfo else ""

    @property
    def authorization(self) -> str:
        """The header for a user and password in the base URL, else for the key; "" where there is neither."""
        return self.basic or (f"Bearer {self.key}" if self.key else "")


def mask_url(url: str) -> str:
    """Replace user, password and query of a URL: they may be secrets. So may be a word that is no URL at all."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return MASK
    if not parts.netloc and not set(url) & set("./:"):
        return MASK
    secret = f"{MASK}@" if "@" in parts.netloc else ""
    return urlunsplit((parts.scheme, secret + _host(parts), parts.path, MASK if parts.query else "", ""))


def is_at(url: str, suffix: str) -> bool:
    """Say whether a URL's host is this one, or below it."""
    try:
        return f".{urlsplit(url).hostname or ''}".endswith(suffix)
    except ValueError:
        return False


def is_http(url: str) -> bool:
    """Say whether a text is a URL that requests can go to."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _host(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy, and the variable that names it; both empty where requests go straight to the server."""

    variable: str = ""
    given: str = ""

    @property
    def url(self) -> str:
        """Where it is, without user and password."""
        return _without_user(self._parts, "") if self.given else ""

    @property
    def masked(self) -> str:
        """The same for messages."""
        return _without_user(self._parts, f"{MASK}@" if "@" in self._parts.netloc else "")

    @property
    def user(self) -> tuple[str, str] | None:
        """User and password, where it asks for them."""
        parts = self._parts
        return (unquote(parts.username), unquote(parts.password or "")) if parts.username else None

    @property
    def usable(self) -> bool:
        """Whether it can be spoken to: SOCKS cannot."""
        try:
            return not self.given or (self._parts.scheme in ("http", "https") and bool(self._parts.hostname))
        except ValueError:
            return False

    @property
    def _parts(self) -> SplitResult:
        return urlsplit(self.given if "://" in self.given else f"http://{self.given}")


NO_PROXY = Proxy()


def proxy_for(url: str) -> Proxy:
    """Return the proxy that HTTPS_PROXY, HTTP_PROXY or ALL_PROXY name for a URL, and NO_PROXY does not except.

    This machine itself is never asked through a proxy.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    proxies = getproxies_environment()
    if _is_here(host) or proxy_bypass(parts.netloc.rpartition("@")[2], proxies):
        return NO_PROXY
    scheme = parts.scheme if parts.scheme in proxies else "all"
    if scheme not in proxies:
        return NO_PROXY
    variable = f"{scheme}_proxy"
    return Proxy(variable if variable in os.environ else variable.upper(), proxies[scheme])


def _is_here(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _without_user(parts: SplitResult, user: str) -> str:
    return urlunsplit((parts.scheme, user + parts.netloc.rpartition("@")[2], "", "", ""))
