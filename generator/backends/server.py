"""Where a completion server is, how long to wait for it, and what about it is secret."""

from __future__ import annotations

import os
from base64 import b64encode
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit

from generator.backends.credentials import MASK, Credentials
from generator.backends.oneline import one_line
from generator.backends.proxy import Proxy, proxy_for
from generator.errors import UsageError

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_KEY_VARIABLE = "OPENAI_API_KEY"
_LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where the server is and how long to wait for it. Times in seconds."""

    base_url: str = ""
    api_key_env: str = DEFAULT_KEY_VARIABLE
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
        """The header for a user and password in the base URL, else for the key; "" where there is neither."""
        return self._basic or (f"Bearer {self.key}" if self.key else "")

    @property
    def key(self) -> str:
        """The key from the environment, "" where there is none."""
        return os.environ.get(self.api_key_env, "").strip()

    @property
    def key_variable(self) -> str:
        """The variable of the key for messages: a word that names none may be the key itself, and is not shown."""
        known = self.api_key_env == DEFAULT_KEY_VARIABLE or self.api_key_env in os.environ
        return self.api_key_env if known else "the variable that --api-key-env names"

    @property
    def proxy(self) -> Proxy:
        """The proxy that the environment names for this server."""
        return proxy_for(self.url)

    def require_usable(self) -> None:
        """Refuse what cannot work before anything is sent.

        Raises:
            UsageError: the URL is none, the key cannot be sent or its variable is not there, the proxy is of a kind
                that cannot be used, or OpenAI's own server is asked without a key.
        """
        if not _is_http(self.url):
            raise UsageError(f"the base URL {self.masked_url!r} is none; give one like http://localhost:8000/v1")
        if self.api_key_env != DEFAULT_KEY_VARIABLE and self.api_key_env not in os.environ:
            raise UsageError(
                "--api-key-env takes the name of an environment variable, and what was given names none that is set "
                "(it is not repeated here: it may be a key); set the variable and give its name"
            )
        if not self.key.isprintable() or not self.key.isascii():
            raise UsageError(f"the key in {self.key_variable} holds characters that no header can carry")
        if self.url.rstrip("/") == DEFAULT_BASE_URL and not self.key:
            raise UsageError(
                f"no API key: set the environment variable {self.key_variable}, "
                "or give --base-url for a server of your own"
            )
        if not self.proxy.usable:
            variable = self.proxy.variable
            raise UsageError(f"the proxy in {variable} is none that can be used; give one like http://proxy:3128")

    def clean(self, text: str) -> str:
        """Shorten a server's text to one line without control characters, and mask every secret that it echoes."""
        return one_line(self.credentials.masked(text), _LONGEST_TEXT)

    @property
    def credentials(self) -> Credentials:
        """Everything secret about the server."""
        parts = urlsplit(self.url)
        userinfo = parts.netloc.rpartition("@")[0]
        found = [self.key, userinfo, parts.password or "", parts.query, *self.query.values()]
        found.append(self._basic.removeprefix("Basic "))
        if self.api_key_env not in os.environ and self.api_key_env != DEFAULT_KEY_VARIABLE:
            found.append(self.api_key_env)
        return Credentials([*found, *(self.proxy.user or ())])

    @property
    def _basic(self) -> str:
        userinfo = urlsplit(self.url).netloc.rpartition("@")[0]
        return f"Basic {b64encode(unquote(userinfo).encode()).decode()}" if userinfo else ""


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


def _host(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
