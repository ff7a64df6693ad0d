"""Where a server is: its base URL in parts, those that are secret apart, and the key that goes with every request."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit

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
