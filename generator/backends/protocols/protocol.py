"""What a protocol knows: the JSON of one kind of server, out and in. Everything else is the same for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from generator.backends.backend import Completion, CompletionRequest, Mode, RequestRefused
from generator.backends.server import ServerOptions
from generator.jsontext import JsonObject, JsonValue


class ServerProtocol(Protocol):
    """How one kind of server is spoken to during one run."""

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The ways of asking that it can word, from the firmest to the most portable."""
        ...

    @property
    def options(self) -> Mapping[str, str]:
        """The options of the command line that a user may change, by the words that say them to the server."""
        ...

    def path(self, options: ServerOptions) -> str:
        """Return where requests go, below the base URL."""
        ...

    def headers(self, options: ServerOptions) -> Mapping[str, str]:
        """Return the headers that every request carries, its key among them."""
        ...

    def body(self, request: CompletionRequest) -> JsonObject:
        """Return the JSON that asks this question."""
        ...

    def reword(self, refusal: RequestRefused, body: JsonObject) -> bool:
        """Take up another word for the same where the server asks for it; say whether there is one to try."""
        ...

    def read(self, document: JsonValue, body: JsonObject, size: int) -> Completion:
        """Return what a server's answer holds; `body` is what was asked, `size` its bytes.

        Raises:
            TransientFailure: the document is no answer.
        """
        ...
