"""The Responses API: its items read as messages, calls and results of a chat, and answers written as responses.

In: a request as a client sends it. Out: the chat completion request that it is, and one response object, or the events
of a stream in their order.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

import orjson

from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.serving.answers import Answer
from generator.serving.asking import Asked, read_chat
from generator.serving.chat_wire import CREATED, argument_pieces, pieces
from generator.serving.messages import plain_content
from generator.serving.refusals import Refusal

_SAME = ("model", "stream", "temperature", "top_p", "parallel_tool_calls", "seed")
_UNSEEN = ("reasoning",)
"""Items that say nothing to compare."""
_UNSUPPORTED = ("conversation", "background")
_AS_CHAT = {"max_tokens": "max_output_tokens", "response_format": "text.format"}
_OF_MESSAGE = re.compile(r"messages\[(\d+)\](.*)")
_OF_TOOL = re.compile(r"(tools\[\d+\]|tool_choice)\.function")
_ECHOED: JsonObject = {
    "instructions": None, "max_output_tokens": None, "metadata": {}, "parallel_tool_calls": True,
    "previous_response_id": None, "reasoning": {"effort": None, "summary": None}, "store": True, "temperature": 1.0,
    "text": {"format": {"type": "text"}}, "tool_choice": "auto", "tools": [], "top_p": 1.0, "truncation": "disabled",
}  # fmt: skip
"""What a response repeats of its request, and what it says where the request has nothing."""


class _Kept(NamedTuple):
    messages: tuple[JsonObject, ...]
    size: int


@dataclass(slots=True)
class Conversations:
    """The conversations of the last responses, by id: `previous_response_id` goes on from them.

    At most so many, of so many characters together; those made longest ago are forgotten first.
    """

    most: int = 1000
    most_characters: int = 32 * 1024 * 1024
    _kept: OrderedDict[str, _Kept] = field(default_factory=OrderedDict)
    _characters: int = 0
    _lock: Lock = field(default_factory=Lock)
    """Long requests are read in threads of their own."""

    def keep(self, identity: str, messages: Iterable[JsonObject]) -> None:
        """Keep the messages of a conversation, its last answer included."""
        whole = tuple(messages)
        size = len(dump_compact(whole))
        with self._lock:
            self._forget(identity)
            if size <= self.most_characters:
                self._kept[identity] = _Kept(whole, size)
                self._characters += size
            while len(self._kept) > self.most or self._characters > self.most_characters:
                self._forget(next(iter(self._kept)))

    def _forget(self, identity: str) -> None:
        kept = self._kept.pop(identity, None)
        self._characters -= kept.size if kept is not None else 0

    def of(self, identity: JsonValue) -> tuple[JsonObject, ...]:
        """Return the messages up to a response, that included; none where no response is named.

        Raises:
            Refusal: the response is not known, or not any more.
        """
        if identity is None:
            return ()
        kept = self._kept.get(identity) if isinstance(identity, str) else None
        if kept is None:
            message = f"Previous response with id {identity!r} not found: the last {self.most:,} are kept"
            raise Refusal(400, message, "previous_response_not_found", "previous_response_id")
        return kept.messages


def read_responses(document: JsonObject, conversations: Conversations) -> Asked:
    """Read a request of the Responses API.

    Raises:
        Refusal: it breaks a rule, or asks for what is not served; places are named as in the request.
    """
    for name in _UNSUPPORTED:
        if document.get(name):
            raise Refusal(400, f"`{name}` is not served here.", "unsupported_parameter", name)
    before = conversations.of(document.get("previous_response_id"))
    instructions = document.get("instructions")
    first: list[JsonValue] = [] if instructions is None else [{"role": "system", "content": instructions}]
    first += before
    messages, places = _messages(document.get("input"))
    chat = {
        **{name: document[name] for name in _SAME if name in document},
        "messages": [*first, *messages],
        **_tools(document),
        "max_tokens": document.get("max_output_tokens"),
        "response_format": _response_format(document.get("text")),
    }
    try:
        return read_chat(chat)
    except Refusal as refusal:
        refusal.param = _as_named(refusal.param, len(first), places)
        raise


def _as_named(param: str | None, first: int, places: Sequence[int]) -> str | None:
    """Return how a part of the chat completion request is called in the one that was sent."""
    if param is None or param in _AS_CHAT:
        return _AS_CHAT.get(param or "")
    found = _OF_MESSAGE.fullmatch(param)
    if found is not None:
        place = int(found[1]) - first
        return f"input[{places[place]}]" if 0 <= place < len(places) else "input"
    return "input" if param == "messages" else _OF_TOOL.sub(r"\1", param)


def _messages(given: JsonValue) -> tuple[list[JsonValue], list[int]]:
    """Return the messages that the input is, and from which item each begins."""
    if isinstance(given, str):
        return [{"role": "user", "content": given}], [0]
    if not isinstance(given, list):
        raise Refusal(400, "`input` is a text or an array of items.", param="input")
    messages: list[JsonValue] = []
    places: list[int] = []
    for index, item in enumerate(given):
        if isinstance(item, dict) and item.get("type") in _UNSEEN:
            continue
        message = _message(item, index)
        last = messages[-1] if messages else None
        if "tool_calls" in message and isinstance(last, dict) and last.get("role") == "assistant":
            last.setdefault("tool_calls", []).extend(message["tool_calls"])
        else:
            messages.append(message)
            places.append(index)
    return messages, places


def _message(item: JsonValue, index: int) -> JsonObject:
    kind = item.get("type", "message") if isinstance(item, dict) else None
    if kind == "message":
        return {"role": item.get("role"), "content": plain_content(item.get("content"))}
    if kind == "function_call":
        function = {"name": item.get("name"), "arguments": item.get("arguments")}
        call = {"id": item.get("call_id"), "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    if kind == "function_call_output":
        return {"role": "tool", "tool_call_id": item.get("call_id"), "content": plain_content(item.get("output"))}
    what = f"of type {kind!r}" if isinstance(item, dict) else "that is no object"
    message = f"An item {what} is not served: messages, function_call and function_call_output are."
    raise Refusal(400, message, "unsupported_value", f"input[{index}]")


def _tools(document: JsonObject) -> JsonObject:
    """Return the tools and the choice among them as chat completions have them."""
    tools, choice = document.get("tools"), document.get("tool_choice")
    chat: JsonObject = {}
    if tools is not None:
        chat["tools"] = [_nested(tool) for tool in tools] if isinstance(tools, list) else tools
    if choice is not None:
        chat["tool_choice"] = _nested(choice)
    return chat


def _nested(flat: JsonValue) -> JsonValue:
    """Put what a tool or a choice says of its function into a `function` of its own."""
    if not isinstance(flat, dict) or flat.get("type") != "function":
        return flat
    function = {key: value for key, value in flat.items() if key != "type" and value is not None}
    return {"type": "function", "function": function}


def _response_format(text: JsonValue) -> JsonValue:
    form = text.get("format") if isinstance(text, dict) else None
    if isinstance(form, dict) and form.get("type") == "json_schema":
        return {"type": "json_schema", "json_schema": form}
    return form


def message_of(answer: Answer) -> JsonObject:
    """Return an answer as a message of a conversation that goes on."""
    message: JsonObject = {"role": "assistant", "content": answer.text}
    if answer.calls:
        message["tool_calls"] = [
            {"id": f"call_{call.id}", "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in answer.calls
        ]
    return message


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
