"""Chat completions as they are written: one response, or the chunks of a stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import orjson

from generator.jsontext import JsonObject
from generator.serving.answers import Answer
from generator.serving.asking import Asked

CREATED = 1_767_225_600
"""When every response says it was made: the same request is answered with the same bytes."""
DONE = b"data: [DONE]\n\n"
_TEXT_PIECE = 12
_ARGUMENTS_PIECE = 16
"""Characters of one delta."""


def response(asked: Asked, answers: Sequence[Answer]) -> JsonObject:
    """Return the response with a choice for each answer."""
    return {
        "id": f"chatcmpl-{asked.digest}",
        "object": "chat.completion",
        "created": CREATED,
        "model": asked.model,
        "choices": [
            {"index": index, "message": _message(answer), "logprobs": None, "finish_reason": answer.finish}
            for index, answer in enumerate(answers)
        ],
        "usage": usage(asked, answers),
    }


def _message(answer: Answer) -> JsonObject:
    message: JsonObject = {"role": "assistant", "content": answer.text, "refusal": None}
    if answer.calls:
        message["content"] = answer.text or None
        message["tool_calls"] = [
            {"id": f"call_{call.id}", "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in answer.calls
        ]
    return message


def usage(asked: Asked, answers: Sequence[Answer]) -> JsonObject:
    """Return the tokens of a request and its answers, estimated from their bytes."""
    completion = sum(answer.tokens for answer in answers)
    return {
        "prompt_tokens": asked.prompt_tokens,
        "completion_tokens": completion,
        "total_tokens": asked.prompt_tokens + completion,
    }


def chunks(asked: Asked, answers: Sequence[Answer]) -> Iterator[bytes]:
    """Yield the events of a stream: the deltas of each choice, the usage where it was asked for, and `[DONE]`."""
    frame: JsonObject = {
        "id": f"chatcmpl-{asked.digest}",
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": asked.model,
    }
    rest: JsonObject = {"usage": None} if asked.include_usage else {}
    for index, answer in enumerate(answers):
        for delta in _deltas(answer):
            yield event({**frame, "choices": [_choice(index, delta, None)], **rest})
        yield event({**frame, "choices": [_choice(index, {}, answer.finish)], **rest})
    if asked.include_usage:
        yield event({**frame, "choices": [], "usage": usage(asked, answers)})
    yield DONE


def event(data: JsonObject) -> bytes:
    """Write one event of a stream."""
    return b"data: " + orjson.dumps(data) + b"\n\n"


def _choice(index: int, delta: JsonObject, finish: str | None) -> JsonObject:
    return {"index": index, "delta": delta, "logprobs": None, "finish_reason": finish}


def _deltas(answer: Answer) -> Iterator[JsonObject]:
    yield {"role": "assistant", "content": None if answer.calls and not answer.text else "", "refusal": None}
    for text in pieces(answer.text, _TEXT_PIECE):
        yield {"content": text}
    for index, call in enumerate(answer.calls):
        begun = {"name": call.name, "arguments": ""}
        yield {"tool_calls": [{"index": index, "id": f"call_{call.id}", "type": "function", "function": begun}]}
        for text in argument_pieces(call.arguments):
            yield {"tool_calls": [{"index": index, "function": {"arguments": text}}]}


def pieces(text: str, size: int = _TEXT_PIECE) -> Iterator[str]:
    """Cut a text into pieces of so many characters."""
    return (text[at : at + size] for at in range(0, len(text), size))


def argument_pieces(arguments: str) -> Iterator[str]:
    """Cut the text of arguments into pieces."""
    return pieces(arguments, _ARGUMENTS_PIECE)
