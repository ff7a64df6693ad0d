"""Reading a chat completion's JSON, which every server shapes a little differently."""

from __future__ import annotations

from collections.abc import Iterator

from generator.backends.backend import AnsweredCall, Completion, CompletionRequest
from generator.backends.retry import Transient, TransientFailure
from generator.jsontext import JsonObject, JsonValue, dump_compact

BYTES_PER_TOKEN = 4
"""The usual estimate where a server counts no tokens."""


def read_completion(document: JsonValue, request: CompletionRequest) -> Completion:
    """Return the parts of a chat completion that matter.

    Raises:
        TransientFailure: the document is no completion with a choice.
    """
    message, finish_reason = _first_choice(document)
    text = _text(message.get("content"))
    calls = tuple(_calls(message.get("tool_calls")))
    prompt, completion, estimated = _tokens(document, request, text, calls)
    return Completion(
        text=text,
        calls=calls,
        finish_reason=finish_reason if isinstance(finish_reason, str) else "",
        refusal=_text(message.get("refusal")),
        prompt_tokens=prompt,
        completion_tokens=completion,
        estimated=estimated,
    )


def _first_choice(document: JsonValue) -> tuple[JsonObject, JsonValue]:
    choices = document.get("choices") if isinstance(document, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise TransientFailure(Transient("no_choice", "the server's answer holds no choice"))
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
            yield AnsweredCall(
                name=name, arguments=arguments if isinstance(arguments, str) else dump_compact(arguments)
            )


def _tokens(
    document: JsonObject, request: CompletionRequest, text: str, calls: tuple[AnsweredCall, ...]
) -> tuple[int, int, bool]:
    usage = document.get("usage")
    if isinstance(usage, dict):
        prompt, completion = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
        if prompt is not None and completion is not None:
            return prompt, completion, False
    answered = len(text.encode("utf-8", "replace")) + sum(len(call.arguments) for call in calls)
    return estimate_tokens(request.body), -(-answered // BYTES_PER_TOKEN), True


def _count(value: JsonValue) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**40 else None


def estimate_tokens(body: JsonObject) -> int:
    """Estimate the prompt's tokens from the bytes of its JSON."""
    return -(-len(dump_compact({key: body[key] for key in ("messages", "tools") if key in body})) // BYTES_PER_TOKEN)
