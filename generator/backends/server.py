"""The server that a run asks: which protocol it speaks, how long to wait for it, and what about it is secret."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from generator.backends.address import (
    Credentials,
    Proxy,
    ServerAddress,
    is_at,
    is_http,
    one_line,
    proxy_for,
    shown_word,
)
from generator.backends.protocols import DEFAULT_PROTOCOL, PROTOCOLS, KnownProtocol, hosts
from generator.backends.protocols.protocol import ServerProtocol
from generator.errors import UsageError

_LONGEST_TEXT = 300
_VERSION = "api-version"
"""The one thing in a query that is no secret."""


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
        defaults = PROTOCOLS[self.protocol or DEFAULT_PROTOCOL]
        return self.base_url or os.environ.get(defaults.url_variable) or defaults.url

    @property
    def speaks(self) -> str:
        """The name of the protocol: as given, else as the host tells, else that of most servers."""
        known = (name for host, name in hosts() if is_at(self.url, host))
        return self.protocol or next(known, DEFAULT_PROTOCOL)

    @property
    def address(self) -> ServerAddress:
        """The base URL with the key."""
        return ServerAddress(self.url, self.key)

    @property
    def masked_url(self) -> str:
        """The base URL without credentials and query, fit for logs and files."""
        return self.address.masked_url

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
        if not is_http(self.url):
            shown = shown_word(self.url)
            told = f"{shown!r} is no base URL" if shown else "what was given as base URL is none (it may be a key)"
            raise UsageError(f"{told}; give one like {self._defaults.like} with --base-url")
        self._require_key()
        if lacking := PROTOCOLS[self.speaks].kind.lacks(self.address):
            raise UsageError(lacking)
        if not self.proxy.usable:
            variable = self.proxy.variable
            raise UsageError(f"the proxy in {variable} is none that can be used; give one like http://proxy:3128")

    def _require_key(self) -> None:
        """Refuse a key that cannot be sent, and none where one is wanted."""
        if not self._is_variable:
            raise UsageError(
                "--api-key-env takes the name of an environment variable, and what was given names none that is set "
                "(it is not repeated here: it may be a key); set the variable and give its name"
            )
        if not self.key.isprintable() or not self.key.isascii():
            raise UsageError(f"the key in {self.key_variable} holds characters that no header can carry")
        if self._wants_key and not (self.key or self.address.basic):
            raise UsageError(
                f"no API key: set the environment variable {self.key_variable}, "
                "or give --base-url for a server of your own"
            )

    def clean(self, text: str) -> str:
        """Shorten a server's text to one line without control characters, and mask every secret that it echoes."""
        return one_line(self.credentials.masked(text), _LONGEST_TEXT)

    @property
    def credentials(self) -> Credentials:
        """Everything secret about the server."""
        address, parts = self.address, urlsplit(self.url)
        secret = [value for name, value in address.query.items() if name != _VERSION]
        found = [self.key, address.userinfo, parts.password or "", *secret, *([parts.query] if secret else [])]
        found.append(address.basic.removeprefix("Basic "))
        if not self._is_variable:
            found.append(self.api_key_env)
        return Credentials([*found, *(self.proxy.user or ())])

    @property
    def _defaults(self) -> KnownProtocol:
        return PROTOCOLS[self.speaks]

    @property
    def _variable(self) -> str:
        return self.api_key_env or self._defaults.key_variable

    @property
    def _is_variable(self) -> bool:
        """Whether what was given as the name of a variable is known to be one."""
        usual = [each.key_variable for each in PROTOCOLS.values()]
        return self.api_key_env in ("", *usual) or self.api_key_env in os.environ

    @property
    def _wants_key(self) -> bool:
        """Whether this is a server of which everybody knows that it wants one."""
        own = [urlsplit(each.url).hostname for each in PROTOCOLS.values() if each.url]
        return urlsplit(self.url).hostname in own or any(is_at(self.url, host) for host, _ in hosts())


def protocol_of(options: ServerOptions) -> ServerProtocol:
    """Return the protocol of a server, for one run."""
    return PROTOCOLS[options.speaks].kind()
