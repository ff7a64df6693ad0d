"""Where a completion server is, how long to wait for it, and what about it is secret."""

from __future__ import annotations

import os
from base64 import b64encode
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit

from generator.errors import UsageError

DEFAULT_BASE_URL = "https://api.openai.com/v1"
_MASK = "***"
_LONGEST_TEXT = 300
_SHORTEST_SECRET = 4
"""Characters; masking shorter ones would only garble messages."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where the server is and how long to wait for it. Times in seconds."""

    base_url: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    timeout: float = 120.0
    """The longest one request may take, from sending to its last byte."""
    tries: int = 6
    connections: int = 64
    shortest_wait: float = 0.5

    @property
    def url(self) -> str:
        """The server's base URL as given: the option, else OPENAI_BASE_URL, else OpenAI's."""
        return self.base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL

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
    def authorization(self) -> str:
        """The header for a user and password in the base URL, "" where there are none."""
        userinfo = urlsplit(self.url).netloc.rpartition("@")[0]
        return f"Basic {b64encode(unquote(userinfo).encode()).decode()}" if userinfo else ""

    @property
    def key(self) -> str:
        """The key from the environment, "" where there is none."""
        return os.environ.get(self.api_key_env, "").strip()

    def require_usable(self) -> None:
        """Refuse what cannot work before anything is sent.

        Raises:
            UsageError: the URL is none, the key cannot be sent, or OpenAI's own server is asked without one.
        """
        if not _is_http(self.url):
            raise UsageError(f"the base URL {self.masked_url!r} is none; give one like http://localhost:8000/v1")
        if not self.key.isprintable() or not self.key.isascii():
            raise UsageError(f"the key in {self.api_key_env} holds characters that no header can carry")
        if self.url.rstrip("/") == DEFAULT_BASE_URL and not self.key:
            raise UsageError(
                f"no API key: set the environment variable {self.api_key_env}, "
                "or give --base-url for a server of your own"
            )

    def clean(self, text: str) -> str:
        """Shorten a server's text to one line, and mask every secret that it echoes."""
        for secret in self._secrets():
            text = text.replace(secret, _MASK)
        line = " ".join(text.split())
        return line if len(line) <= _LONGEST_TEXT else line[:_LONGEST_TEXT] + "…"

    def _secrets(self) -> list[str]:
        """Everything secret, longest first, so that no part of one is left where another was masked."""
        parts = urlsplit(self.url)
        userinfo = parts.netloc.rpartition("@")[0]
        password = parts.password or ""
        found = {self.key, userinfo, unquote(userinfo), password, unquote(password), parts.query}
        found |= {self.authorization.removeprefix("Basic "), *self.query.values()}
        return sorted((each for each in found if len(each) >= _SHORTEST_SECRET), key=lambda each: (-len(each), each))


def mask_url(url: str) -> str:
    """Replace user, password and query of a URL: they may be secrets."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return _MASK
    secret = f"{_MASK}@" if "@" in parts.netloc else ""
    return urlunsplit((parts.scheme, secret + _host(parts), parts.path, _MASK if parts.query else "", ""))


def _host(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
