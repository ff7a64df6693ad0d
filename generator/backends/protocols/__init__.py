"""The protocols that servers speak: one file each, which says all there is to say of it, and an entry in this table.

The command line speaks of them in its help: the table costs no import, a protocol is loaded when a server is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.backends.protocols.protocol import ServerProtocol


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownProtocol:
    """Where a protocol is, and what is usual for its servers: their variables, where its owner's is, a URL like it."""

    home: str
    """Its module and its class, of which each run has its own: it may learn how its server wants things said."""
    key_variable: str
    base_url_in_words: str
    """What to give as --base-url, for the table in the room's page."""
    key_in_words: str
    """Where the key comes from and goes to, for the same."""
    url_variable: str = ""
    url: str = ""
    like: str = "http://localhost:8000/v1"
    hosts: tuple[str, ...] = ()
    """Hosts, with all below them, that are known to speak it."""

    @property
    def kind(self) -> type[ServerProtocol]:
        """The class that speaks it."""
        module, _, name = self.home.partition(":")
        kind: type[ServerProtocol] = getattr(import_module(module), name)
        return kind


DEFAULT_PROTOCOL = "openai"
"""What a server speaks of which nothing is known."""
PROTOCOLS: Mapping[str, KnownProtocol] = {
    "openai": KnownProtocol(
        home="generator.backends.protocols.chat_completions:ChatCompletions",
        key_variable="OPENAI_API_KEY",
        url_variable="OPENAI_BASE_URL",
        url="https://api.openai.com/v1",
        base_url_in_words="`http://localhost:8000/v1`",
        key_in_words="`$OPENAI_API_KEY`, or the variable of `--api-key-env`, as a bearer token",
    ),
    "azure": KnownProtocol(
        home="generator.backends.protocols.azure:AzureChatCompletions",
        key_variable="AZURE_OPENAI_API_KEY",
        like="https://NAME.openai.azure.com/openai/v1",
        hosts=(".openai.azure.com", ".openai.azure.us", ".services.ai.azure.com", ".cognitiveservices.azure.com"),
        base_url_in_words="`https://NAME.openai.azure.com/openai/v1` with the deployment as `--model`; the older "
        "`.../openai/deployments/NAME?api-version=2024-10-21`",
        key_in_words="`$AZURE_OPENAI_API_KEY` in the header `api-key`; with `--protocol openai` a token of Entra ID",
    ),
    "anthropic": KnownProtocol(
        home="generator.backends.protocols.messages:Messages",
        key_variable="ANTHROPIC_API_KEY",
        url_variable="ANTHROPIC_BASE_URL",
        url="https://api.anthropic.com",
        like="http://localhost:8000",
        hosts=(".api.anthropic.com",),
        base_url_in_words="`https://api.anthropic.com`, the default with `--protocol anthropic`",
        key_in_words="`$ANTHROPIC_API_KEY` in the header `x-api-key`",
    ),
}
"""Every protocol by its name: a file beside this one, and its entry here."""


def hosts() -> Iterator[tuple[str, str]]:
    """Yield the hosts that are known to speak another protocol than most, all below them too, and its name."""
    for name, known in PROTOCOLS.items():
        for host in known.hosts:
            yield host, name
