"""The defaults of each protocol's servers, by its name: their variables, URL and hosts; a table that costs no import.

The command line speaks of them in its help, and must not load the protocols for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerDefaults:
    """What is usual for the servers of a protocol: their variables, where its owner's server is, what a URL is like."""

    key_variable: str
    url_variable: str = ""
    url: str = ""
    like: str = "http://localhost:8000/v1"
    hosts: tuple[str, ...] = ()
    """Hosts, with all below them, that are known to speak it."""
    base_url_in_words: str = ""
    """What to give as --base-url, for the table in the room's page."""
    key_in_words: str = ""
    """Where the key comes from and goes to, for the same."""


DEFAULT_PROTOCOL = "openai"
"""What a server speaks of which nothing is known."""
DEFAULTS: Mapping[str, ServerDefaults] = {
    "openai": ServerDefaults(
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "https://api.openai.com/v1",
        base_url_in_words="`http://localhost:8000/v1`",
        key_in_words="`$OPENAI_API_KEY`, or the variable of `--api-key-env`, as a bearer token",
    ),
    "azure": ServerDefaults(
        "AZURE_OPENAI_API_KEY",
        like="https://NAME.openai.azure.com/openai/v1",
        hosts=(".openai.azure.com", ".openai.azure.us", ".services.ai.azure.com", ".cognitiveservices.azure.com"),
        base_url_in_words="`https://NAME.openai.azure.com/openai/v1` with the deployment as `--model`; the older "
        "`.../openai/deployments/NAME?api-version=2024-10-21`",
        key_in_words="`$AZURE_OPENAI_API_KEY` in the header `api-key`; with `--protocol openai` a token of Entra ID",
    ),
    "anthropic": ServerDefaults(
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "https://api.anthropic.com",
        like="http://localhost:8000",
        hosts=(".api.anthropic.com",),
        base_url_in_words="`https://api.anthropic.com`, the default with `--protocol anthropic`",
        key_in_words="`$ANTHROPIC_API_KEY` in the header `x-api-key`",
    ),
}


def hosts() -> Iterator[tuple[str, str]]:
    """Yield the hosts that are known to speak another protocol than most, all below them too, and its name."""
    for name, defaults in DEFAULTS.items():
        for host in defaults.hosts:
            yield host, name
