"""Where a server is: its base URL, the proxy on the way, and the key with every request, kept out of messages."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from ipaddress import ip_address
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit, urlunsplit
from urllib.request import getproxies_environment, proxy_bypass

MASK = "***"
_SHORTEST_IN_MESSAGES = 4
"""Characters; masking shorter ones would only garble messages."""
_SHORTEST_IN_ANSWERS, _PLAINLY_SECRET = 8, 16
"""Characters; a local server is given a key like `none` or `dummy`, which is a word of the language as well."""
_LONGEST_WORD = 200
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|/)")


class Credentials:
    """The secrets of one server, in the forms in which a server may say them back."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._forms = {form for secret in secrets for form in (secret, unquote(secret), quote(secret, safe=""))}

    def masked(self, text: str) -> str:
        """Mask every secret in a message."""
        return self._in_messages(text)

    def masked_answer(self, text: str) -> str:
        """Mask in an answer what can be nothing but a secret, even where it is written with escapes."""
        masked = self._in_answers(text)
        if "\\" in masked and (plain := _ESCAPE.sub(_unescaped, masked)) != masked:
            cleared = self._in_answers(plain)
            return cleared if cleared != plain else masked
        return masked

    @cached_property
    def _in_messages(self) -> Callable[[str], str]:
        return _masking(form for form in self._forms if len(form) >= _SHORTEST_IN_MESSAGES)

    @cached_property
    def _in_answers(self) -> Callable[[str], str]:
        return _masking(filter(_can_be_nothing_else, self._forms))


def _masking(secrets: Iterable[str]) -> Callable[[str], str]:
    """Longest first, so that no part of one is left where another was masked."""
    ordered = sorted(secrets, key=lambda each: (-len(each), each))
    if not ordered:
        return lambda text: text
    pattern = re.compile("|".join(map(re.escape, ordered)))
    return lambda text: pattern.sub(MASK, text)


def _can_be_nothing_else(secret: str) -> bool:
    mixed = any(map(str.isdigit, secret)) and any(map(str.isalpha, secret))
    return len(secret) >= _PLAINLY_SECRET or (len(secret) >= _SHORTEST_IN_ANSWERS and mixed)


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else "/"


# Controls, direction overrides, what is invisible, line ends that are not whitespace everywhere, and half characters.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")


def one_line(text: str, longest: int) -> str:
    r"""Return the text in one line, cut where it is long, with control characters written as escapes (`\x1b`)."""
    head = text[: longest * 8]  # more than enough, and little work where a text is huge
    line = _CONTROL.sub(_escaped, " ".join(head.split()))
    return line if len(line) <= longest and len(head) == len(text) else line[:longest] + "…"


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


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


def shown_word(text: str) -> str:
    """Return what was given as a URL and is none, for a message; "" where it may be a secret."""
    user, at, rest = text.rpartition("@")
    word = rest.partition("?")[0]
    if "?" in user or (not set(word) & set("./:") and _can_be_nothing_else(word)):
        return ""
    return one_line(f"{MASK}@{word}" if at else word, _LONGEST_WORD)


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
