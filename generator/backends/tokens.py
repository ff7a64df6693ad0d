"""The tokens of requests and answers: what a server counts where that can be true, else an estimate."""

from __future__ import annotations

from dataclasses import dataclass

from generator.backends.backend import CompletionRequest
from generator.jsontext import JsonObject, JsonValue, dump_compact


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a request and its answer."""

    prompt: int = 0
    completion: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.prompt + other.prompt, self.completion + other.completion)

    def __sub__(self, other: Usage) -> Usage:
        return Usage(self.prompt - other.prompt, self.completion - other.completion)

    @property
    def total(self) -> int:
        """Both together."""
        return self.prompt + self.completion


NO_USAGE = Usage()


BYTES_PER_TOKEN = 4
"""The usual estimate where a server counts no tokens."""
_FEWEST_BYTES_PER_TOKEN = 3
_MOST_BYTES_PER_TOKEN = 40
"""Of an answer: no text of sentences and JSON is told in fewer tokens."""
_HIDDEN_TOKENS = 100_000
"""What a server may add to a prompt; a count beyond it and the bytes that were sent is no count."""
_MOST_TOKENS = 1_000_000
"""Tokens of an answer, thoughts that are not shown included; more are no count either."""


def most_tokens(request: CompletionRequest, size: int) -> Usage:
    """Return what a request of that many bytes may take at most, by the limit that it sets its answer."""
    return Usage(-(-size // _FEWEST_BYTES_PER_TOKEN), request.model.max_output_tokens)


@dataclass(frozen=True, slots=True)
class Counted:
    """The tokens of a request and its answer, and whether they are an estimate."""

    usage: Usage
    estimated: bool


def count_tokens(prompt: JsonValue, completion: JsonValue, answered: int, asked: JsonObject, size: int) -> Counted:
    """Return the server's own count where it can be true: no prompt is of no tokens, and no text either.

    Args:
        prompt: what the server says of the prompt.
        completion: what it says of the answer.
        answered: bytes of the answer, thoughts included.
        asked: the parts of the request that hold its prompt.
        size: bytes of the request.
    """
    sent = _count(prompt, 1, size + _HIDDEN_TOKENS)
    said = _count(completion, -(-answered // _MOST_BYTES_PER_TOKEN), _MOST_TOKENS)
    if sent is not None and said is not None:
        return Counted(Usage(sent, said), estimated=False)
    return Counted(Usage(estimate_tokens(asked), -(-answered // BYTES_PER_TOKEN)), estimated=True)


def _count(value: JsonValue, least: int, most: int) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most else None


def estimate_words(text: str) -> int:
    """Estimate the tokens of a text."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


def estimate_tokens(prompt: JsonObject) -> int:
    """Estimate the tokens of a prompt, its messages and tools, from the bytes of its JSON."""
    return -(-len(dump_compact(prompt)) // BYTES_PER_TOKEN)
