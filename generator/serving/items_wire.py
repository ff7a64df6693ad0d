"""Responses as they are written: one response object, or the events of a stream in their order."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from generator.jsontext import JsonObject
from generator.serving.answers import Answer
from generator.serving.asking import Asked
from generator.serving.chat_wire import CREATED, argument_pieces, pieces

_ECHOED: JsonObject = {
    "instructions": None, "max_output_tokens": None, "metadata": {}, "parallel_tool_calls": True,
    "previous_response_id": None, "reasoning": {"effort": None, "summary": None}, "store": True, "temperature": 1.0,
    "text": {"format": {"type": "text"}}, "tool_choice": "auto", "tools": [], "top_p": 1.0, "truncation": "disabled",
}  # fmt: skip
"""What a response repeats of its request, and what it says where the request has nothing."""


def identity(asked: Asked) -> str:
    """Return the id of the response."""
    return f"resp_{asked.digest}"


def response(document: JsonObject, asked: Asked, answer: Answer) -> JsonObject:
    """Return the whole response to a request."""
    is_cut = answer.finish == "length"
    return {
        **_begun(document, asked),
        "status": "incomplete" if is_cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if is_cut else None,
        "output": output(asked, answer),
        "usage": _usage(asked, answer),
    }


def _begun(document: JsonObject, asked: Asked) -> JsonObject:
    """Return the response before anything was said."""
    repeated = {key: usual if document.get(key) is None else document[key] for key, usual in _ECHOED.items()}
    return {
        "id": identity(asked),
        "object": "response",
        "created_at": CREATED,
        "status": "in_progress",
        "error": None,
        "incomplete_details": None,
        "model": asked.model,
        "output": [],
        **repeated,
        "usage": None,
    }


def _usage(asked: Asked, answer: Answer) -> JsonObject:
    told = answer.tokens
    return {
        "input_tokens": asked.prompt_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": told,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": asked.prompt_tokens + told,
    }


def output(asked: Asked, answer: Answer) -> list[JsonObject]:
    """Return the items of an answer: the text, where there is one or nothing else, and the calls."""
    status = "incomplete" if answer.finish == "length" else "completed"
    items: list[JsonObject] = []
    if answer.text or not answer.calls:
        parts = [_part(answer.text)]
        items.append(
            {"id": f"msg_{asked.digest}", "type": "message", "status": status, "role": "assistant", "content": parts}
        )
    for call in answer.calls:
        named = {"call_id": f"call_{call.id}", "name": call.name, "arguments": call.arguments}
        items.append({"id": f"fc_{asked.digest[:16]}{call.id}", "type": "function_call", "status": status, **named})
    return items


def _part(text: str) -> JsonObject:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def events(document: JsonObject, asked: Asked, answer: Answer) -> Iterator[bytes]:
    """Yield the events of a stream, numbered: the response begins, each item grows and is done, the response ends."""
    begun, whole = _begun(document, asked), response(document, asked, answer)
    told: list[tuple[str, JsonObject]] = [
        ("response.created", {"response": begun}),
        ("response.in_progress", {"response": begun}),
    ]
    for index, item in enumerate(whole["output"]):
        told += _growing(index, item)
    told.append((f"response.{whole['status']}", {"response": whole}))
    for number, (kind, data) in enumerate(told):
        written = orjson.dumps({"type": kind, "sequence_number": number, **data})
        yield b"event: " + kind.encode() + b"\ndata: " + written + b"\n\n"


def _growing(index: int, item: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Yield the events of one item, without their numbers."""
    is_text = item["type"] == "message"
    empty: JsonObject = {"content": []} if is_text else {"arguments": ""}
    place: JsonObject = {"output_index": index}
    yield "response.output_item.added", {**place, "item": {**item, "status": "in_progress", **empty}}
    of_item = {"item_id": item["id"], **place}
    yield from _growing_text(of_item, item["content"][0]) if is_text else _growing_arguments(of_item, item)
    yield "response.output_item.done", {**place, "item": item}


def _growing_text(of_item: JsonObject, part: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    place = {**of_item, "content_index": 0}
    yield "response.content_part.added", {**place, "part": {**part, "text": ""}}
    for text in pieces(part["text"]):
        yield "response.output_text.delta", {**place, "delta": text, "logprobs": []}
    yield "response.output_text.done", {**place, "text": part["text"], "logprobs": []}
    yield "response.content_part.done", {**place, "part": part}


def _growing_arguments(of_item: JsonObject, item: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    for text in argument_pieces(item["arguments"]):
        yield "response.function_call_arguments.delta", {**of_item, "delta": text}
    done = {"name": item["name"], "arguments": item["arguments"]}
    yield "response.function_call_arguments.done", {**of_item, **done}
