"""Where a completion server is, how long to wait for it, and what about it is secret."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit

from generator.backends.credentials import MASK, Credentials
from generator.backends.oneline import one_line
from generator.backends.proxy import Proxy, proxy_for
from generator.errors import UsageError

_LONGEST_TEXT = 300
_VERSION = "api-version"
"""The one thing in a query that is no secret."""


@dataclass(frozen=True, slots=True)
class Usual:
    """What is usual for the servers of a protocol: their variables, where its owner's server is, what a URL is like."""

    key_variable: str
    url_variable: str = ""
    url: str = ""
    like: str = "http://localhost:8000/v1"


USUAL: Mapping[str, Usual] = {
    "openai": Usual("OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "azure": Usual("AZURE_OPENAI_API_KEY", like="https://NAME.openai.azure.com/openai/v1"),
    "anthropic": Usual("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "https://api.anthropic.com", "http://localhost:8000"),
}
"""By the names of the protocols."""
_HOSTS = {
    **dict.fromkeys((".openai.azure.com", ".openai.azure.us"), "azure"),
    **dict.fromkeys((".services.ai.azure.com", ".cognitiveservices.azure.com"), "azure"),
    ".api.anthropic.com": "anthropic",
}
"""Hosts, with all below them, that are known to speak another protocol than most."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where the server is and how long to wait for it. Times in seconds."""

    base_url: str = ""
    protocol: str = ""
    """What it speaks, where its host does not tell."""
    api_key_env: str = ""
    """The variable of its key; "" for the usual one of its protocol."""
    timeout: float = 120.0
    """The longest one request may take, from sending to its last byte."""
    tries: int = 6
    connections: int = 64
    shortest_wait: float = 0.5

    @property
    def url(self) -> str:
        """The server's base URL as given: the option, else the protocol's variable, else its owner's server."""
        usual = USUAL[self.protocol or "openai"]
        return self.base_url or os.environ.get(usual.url_variable) or usual.url

    @property
    def speaks(self) -> str:
        """The name of the protocol: as given, else as the host tells, else that of most servers."""
        return self.protocol or next((name for host, name in _HOSTS.items() if _is_at(self.url, host)), "openai")

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
        return self.basic or (f"Bearer {self.key}" if self.key else "")

    @property
    def key(self) -> str:
        """The key from the environment, "" where there is none."""
        return os.environ.get(self._variable, "").strip()

    @property
    def key_variable(self) -> str:
        """The variable of the key for messages: a word that names none may be the key itself, and is not shown."""
        return self._variable if self._is_variable else "the variable that --api-key-env names"

    @property
    def proxy(self) -> Proxy:
        """The proxy that the environment names for this server."""
        return proxy_for(self.url)

    def require_usable(self) -> None:
        """Refuse what cannot work before anything is sent.

        Raises:
            UsageError: the URL is none or lacks a part, the key cannot be sent or its variable is not there, the proxy
                is of a kind that cannot be used, or a server that is known to want a key is asked without.
        """
        usual = USUAL[self.speaks]
        if not _is_http(self.url):
            raise UsageError(f"the base URL {self.masked_url!r} is none; give one like {usual.like} with --base-url")
        if not self._is_variable:
            raise UsageError(
                "--api-key-env takes the name of an environment variable, and what was given names none that is set "
                "(it is not repeated here: it may be a key); set the variable and give its name"
            )
        if not self.key.isprintable() or not self.key.isascii():
            raise UsageError(f"the key in {self.key_variable} holds characters that no header can carry")
        if self._wants_key and not (self.key or self.basic):
            raise UsageError(
                f"no API key: set the environment variable {self.key_variable}, "
                "or give --base-url for a server of your own"
            )
        if self.speaks == "azure":
            self._require_whole()
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
        secret = [value for name, value in self.query.items() if name != _VERSION]
        found = [self.key, userinfo, parts.password or "", *secret, *([parts.query] if secret else [])]
        found.append(self.basic.removeprefix("Basic "))
        if not self._is_variable:
            found.append(self.api_key_env)
        return Credentials([*found, *(self.proxy.user or ())])

    @property
    def basic(self) -> str:
        """The header for a user and password in the base URL, "" where there is none."""
        userinfo = urlsplit(self.url).netloc.rpartition("@")[0]
        return f"Basic {b64encode(unquote(userinfo).encode()).decode()}" if userinfo else ""

    @property
    def _variable(self) -> str:
        return self.api_key_env or USUAL[self.speaks].key_variable

    @property
    def _is_variable(self) -> bool:
        """Whether what was given as the name of a variable is known to be one."""
        usual = [usual.key_variable for usual in USUAL.values()]
        return self.api_key_env in ("", *usual) or self.api_key_env in os.environ

    @property
    def _wants_key(self) -> bool:
        """Whether this is a server of which everybody knows that it wants one."""
        own = [urlsplit(usual.url).hostname for usual in USUAL.values() if usual.url]
        return urlsplit(self.url).hostname in own or any(_is_at(self.url, host) for host in _HOSTS)

    def _require_whole(self) -> None:
        """Refuse a URL of Azure's that lacks what its servers only call "not found"."""
        path = urlsplit(self.url).path
        if not path.strip("/"):
            raise UsageError(f"{self.masked_url} is no whole base URL; give one like {USUAL['azure'].like}")
        if "/deployments/" in path and _VERSION not in self.query:
            raise UsageError(
                f"{self.masked_url} names a deployment, which wants a version: add ?{_VERSION}=2024-10-21, or the one "
                f"that Azure shows for it; {USUAL['azure'].like} wants none"
            )


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


def _is_at(url: str, suffix: str) -> bool:
    """Whether a URL's host is this one, or below it."""
    try:
        return f".{urlsplit(url).hostname or ''}".endswith(suffix)
    except ValueError:
        return False


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
