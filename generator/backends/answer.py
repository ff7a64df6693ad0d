"""What holds for the answer of every protocol: what it costs, and that it holds no secret."""

from __future__ import annotations

from dataclasses import dataclass

from generator.backends.backend import AnsweredCall, Completion, CompletionRequest
from generator.backends.credentials import Credentials
from generator.backends.limits import Usage
from generator.backends.retry import Transient, TransientFailure
from generator.jsontext import JsonObject, JsonValue, dump_compact

BYTES_PER_TOKEN = 4
"""The usual estimate where a server counts no tokens."""
_FEWEST_BYTES_PER_TOKEN = 3
_MOST_BYTES_PER_TOKEN = 40
"""Of an answer: no text of sentences and JSON is told in fewer tokens."""
_HIDDEN_TOKENS = 100_000
"""What a server may add to a prompt; a count beyond it and the bytes that were sent is no count."""
_MOST_TOKENS = 1_000_000
"""Tokens of an answer, thoughts that are not shown included; more are no count either."""
_LONGEST_REASON = 100


def masked(completion: Completion, credentials: Credentials) -> Completion:
    """Return a completion without the credentials that its server may have said back: it is stored and published."""
    mask = credentials.masked_answer
    calls = tuple(AnsweredCall(name=mask(call.name), arguments=mask(call.arguments)) for call in completion.calls)
    texts = {"text": mask(completion.text), "refusal": mask(completion.refusal), "thoughts": mask(completion.thoughts)}
    return completion.model_copy(
        update={**texts, "calls": calls, "finish_reason": mask(completion.finish_reason)[:_LONGEST_REASON]}
    )


def most_tokens(request: CompletionRequest, size: int) -> Usage:
    """Return what a request of that many bytes may take at most, by the limit that it sets its answer."""
    return Usage(-(-size // _FEWEST_BYTES_PER_TOKEN), request.model.max_output_tokens)


def no_answer(document: JsonValue) -> TransientFailure:
    """Return what an answer is that calls itself good and holds none; the error that it may hold is told."""
    error = document.get("error") if isinstance(document, dict) else None
    said = error.get("message") if isinstance(error, dict) else error
    why = f": {said}" if isinstance(said, str) else ""
    return TransientFailure(Transient("no_choice", f"the server's answer holds no choice{why}", billed=True))


def text_of(arguments: JsonValue) -> str:
    """Return arguments that came as JSON as the text that they are elsewhere.

    Raises:
        TransientFailure: they are nested deeper than JSON is written here.
    """
    try:
        return dump_compact(arguments)
    except TypeError as error:  # orjson reads what is nested deeper than it writes
        message = "the server's answer is nested too deep"
        raise TransientFailure(Transient("too_deep", message, billed=True)) from error


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
