"""The proxy that the environment names for a server."""

from __future__ import annotations

import os
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit
from urllib.request import getproxies_environment, proxy_bypass

from generator.backends.credentials import MASK


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
