"""The protocols that servers speak: one file each, and this mapping."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from generator.backends.protocols.chat_completions import ChatCompletions
from generator.backends.protocols.protocol import ServerProtocol
from generator.backends.server import ServerOptions

PROTOCOLS: Mapping[str, Callable[[], ServerProtocol]] = {"openai": ChatCompletions}
"""What makes a protocol, by its name; each run has its own, which may learn how its server wants things said."""


def protocol_of(options: ServerOptions) -> ServerProtocol:
    """Return the protocol of a server, for one run."""
    return PROTOCOLS["openai"]()
