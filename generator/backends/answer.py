"""Reading a chat completion's JSON, which every server shapes a little differently."""

from __future__ import annotations

from collections.abc import Iterator

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


def read_completion(document: JsonValue, request: CompletionRequest, size: int) -> Completion:
    """Return the parts of a chat completion that matter; `size` are the bytes of the request.

    Raises:
        TransientFailure: the document is no completion with a choice.
    """
    message, finish_reason = _first_choice(document)
    text = _text(message.get("content"))
    calls = tuple(_calls(message.get("tool_calls")))
    prompt, completion, estimated = _tokens(document, request, size, text, calls)
    return Completion(
        text=text,
        calls=calls,
        finish_reason=finish_reason if isinstance(finish_reason, str) else "",
        refusal=_text(message.get("refusal")),
        prompt_tokens=prompt,
        completion_tokens=completion,
        estimated=estimated,
    )


def masked(completion: Completion, credentials: Credentials) -> Completion:
    """Return a completion without the credentials that its server may have said back: it is stored and published."""
    mask = credentials.masked_answer
    calls = tuple(AnsweredCall(name=mask(call.name), arguments=mask(call.arguments)) for call in completion.calls)
    texts = {"text": mask(completion.text), "refusal": mask(completion.refusal)}
    return completion.model_copy(
        update={**texts, "calls": calls, "finish_reason": mask(completion.finish_reason)[:_LONGEST_REASON]}
    )


def most_tokens(request: CompletionRequest, size: int) -> Usage:
    """Return what a request of that many bytes may take at most, by the limit that it sets its answer."""
    longest = request.body.get("max_tokens", request.body.get("max_completion_tokens", 0))
    return Usage(-(-size // _FEWEST_BYTES_PER_TOKEN), longest if isinstance(longest, int) else 0)


_LONGEST_REASON = 100


def _first_choice(document: JsonValue) -> tuple[JsonObject, JsonValue]:
    choices = document.get("choices") if isinstance(document, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        error = document.get("error") if isinstance(document, dict) else None
        said = error.get("message") if isinstance(error, dict) else error
        why = f": {said}" if isinstance(said, str) else ""
        raise TransientFailure(Transient("no_choice", f"the server's answer holds no choice{why}", billed=True))
    message = choices[0].get("message")
    return message if isinstance(message, dict) else {}, choices[0].get("finish_reason")


def _text(content: JsonValue) -> str:
    """The text of a content: a string, or a list of parts with texts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return content if isinstance(content, str) else ""


def _calls(tool_calls: JsonValue) -> Iterator[AnsweredCall]:
    for call in tool_calls if isinstance(tool_calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and isinstance(name := function.get("name"), str):
            arguments = function.get("arguments")
            yield AnsweredCall(name=name, arguments=arguments if isinstance(arguments, str) else _as_text(arguments))


def _as_text(arguments: JsonValue) -> str:
    try:
        return dump_compact(arguments)
    except TypeError as error:  # orjson reads what is nested deeper than it writes
        message = "the server's answer is nested too deep"
        raise TransientFailure(Transient("too_deep", message, billed=True)) from error


def _tokens(
    document: JsonObject, request: CompletionRequest, size: int, text: str, calls: tuple[AnsweredCall, ...]
) -> tuple[int, int, bool]:
    """The server's own count where it can be true: no prompt is of no tokens, and no text either."""
    answered = len(text.encode("utf-8", "replace")) + sum(len(call.arguments) for call in calls)
    usage = document.get("usage")
    if isinstance(usage, dict):
        prompt = _count(usage.get("prompt_tokens"), 1, size + _HIDDEN_TOKENS)
        completion = _count(usage.get("completion_tokens"), -(-answered // _MOST_BYTES_PER_TOKEN), _MOST_TOKENS)
        if prompt is not None and completion is not None:
            return prompt, completion, False
    return estimate_tokens(request.body), -(-answered // BYTES_PER_TOKEN), True


def _count(value: JsonValue, least: int, most: int) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most else None


def estimate_words(text: str) -> int:
    """Estimate the tokens of a text."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


def estimate_tokens(body: JsonObject) -> int:
    """Estimate the prompt's tokens from the bytes of its JSON."""
    return -(-len(dump_compact({key: body[key] for key in ("messages", "tools") if key in body})) // BYTES_PER_TOKEN)
