"""Views of responses and streams: their choices, each with the conversation that it continues, and their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple, TypeGuard

from generator.jsontext import JsonObject, JsonValue
from generator.validation.rule import Finding
from generator.validation.view import RecordView, as_list

_MESSAGE = re.compile(r"/messages/(\d+)")
_MOST_TOGETHER = 1_000_000


def as_object(value: JsonValue) -> JsonObject:
    """Return the value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def conversation_for(request: JsonObject | None, choices: int) -> JsonObject | None:
    """Return the request that choices continue; without its messages where together they are too many to look at.

    Each choice is judged as the next turn of the conversation, so that the work grows with the product of both.
    """
    messages = len(as_list((request or {}).get("messages")))
    return {**request, "messages": []} if request and messages * choices > _MOST_TOGETHER else request


class ChoiceView:
    """One entry of `choices`, whatever JSON it is, as the next turn of the conversation that was asked for."""

    def __init__(self, pointer: str, raw: JsonValue, request: JsonObject | None) -> None:
        self.pointer = pointer
        self.raw = raw
        self.entry = as_object(raw)
        self.message: JsonValue = self.entry.get("message")
        self.finish: JsonValue = self.entry.get("finish_reason")
        self._request = request

    @cached_property
    def record(self) -> RecordView:
        """The request's conversation, where it is known, with this message as its last."""
        asked = self._request or {}
        kept = {key: asked[key] for key in ("tools", "parallel_tool_calls") if asked.get(key) is not None}
        return RecordView({**kept, "messages": [*as_list(asked.get("messages")), self.message]}, generated=False)

    @property
    def calls(self) -> int:
        """How many calls the message makes."""
        return len(as_list(as_object(self.message).get("tool_calls")))

    def place(self, finding: Finding) -> Finding | None:
        """Bring a finding in the conversation to the choice; None where it speaks of the request."""
        found = _MESSAGE.match(finding.pointer)
        if found is None or int(found[1]) != len(self.record.messages) - 1:
            return None
        return Finding(f"{self.pointer}/message{finding.pointer[found.end() :]}", finding.message)


class ResponseView:
    """One response, whatever JSON it is, with the request that it answers, where that is known."""

    def __init__(self, document: JsonValue, request: JsonObject | None = None) -> None:
        self.document = document
        self.is_object = isinstance(document, dict)
        self.entry = as_object(document)
        self.request = request
        self.has_choices = isinstance(self.entry.get("choices"), list)
        entries = as_list(self.entry.get("choices"))
        asked = conversation_for(request, len(entries))
        self.choices = [ChoiceView(f"/choices/{index}", raw, asked) for index, raw in enumerate(entries)]


DONE = "[DONE]"
"""What servers send after the last chunk; it may stand at the end of the array."""

_CALL = re.compile(r"/messages/\d+/tool_calls/(\d+)")


class Piece(NamedTuple):
    """One choice of one chunk."""

    pointer: str
    entry: JsonObject

    @property
    def delta(self) -> JsonObject:
        """What the chunk adds; empty where that is no object."""
        return as_object(self.entry.get("delta"))


class CallPiece(NamedTuple):
    """One entry of a delta's `tool_calls`."""

    pointer: str
    entry: JsonObject

    @property
    def function(self) -> JsonObject:
        """What it adds to the function; empty where that is no object."""
        return as_object(self.entry.get("function"))


class FoldedChoice(ChoiceView):
    """The choice that the pieces of one index add up to."""

    def __init__(self, pieces: list[Piece], request: JsonObject | None) -> None:
        self.pieces = pieces
        self.call_pieces = _call_pieces(pieces)
        self._first_pieces = [parts[0] for parts in self.call_pieces.values()]
        message = _fold(pieces, self.call_pieces)
        raw = {"message": message, "finish_reason": pieces[-1].entry.get("finish_reason")}
        super().__init__(pieces[-1].pointer, raw, request)

    def place(self, finding: Finding) -> Finding | None:
        """Bring a finding in the folded message to the piece where its part begins; None where it is the request's."""
        placed = super().place(finding)
        if placed is None:
            return None
        rest = placed.pointer.removeprefix(f"{self.pointer}/message")
        where = f"{self.pieces[0].pointer}/delta{rest}"
        found = _CALL.match(finding.pointer)
        if found is not None:
            first = self._first_pieces[int(found[1])]
            where = first.pointer + rest.removeprefix(f"/tool_calls/{found[1]}")
        return Finding(where, finding.message)


def _call_pieces(pieces: Iterable[Piece]) -> dict[float, list[CallPiece]]:
    """Gather the pieces of each call by its index, in the order of the indexes."""
    gathered: dict[float, list[CallPiece]] = {}
    for piece in pieces:
        for number, entry in enumerate(as_list(piece.delta.get("tool_calls"))):
            index = as_object(entry).get("index")
            if is_whole(index):
                where = f"{piece.pointer}/delta/tool_calls/{number}"
                gathered.setdefault(index, []).append(CallPiece(where, as_object(entry)))
    return dict(sorted(gathered.items()))


def _fold(pieces: list[Piece], calls: dict[float, list[CallPiece]]) -> JsonObject:
    """Add the deltas up: texts are joined, of everything else the first value holds."""
    message: JsonObject = {}
    for piece in pieces:
        for key, value in piece.delta.items():
            if key != "tool_calls" and message.get(key) is None:
                message[key] = value
    if isinstance(message.get("content"), str):
        texts = [piece.delta.get("content") for piece in pieces]
        message["content"] = "".join(text for text in texts if isinstance(text, str))
    if calls:
        message["tool_calls"] = [_folded_call(parts) for parts in calls.values()]
    return message


def _folded_call(parts: list[CallPiece]) -> JsonObject:
    texts = [part.function["arguments"] for part in parts if isinstance(part.function.get("arguments"), str)]
    function = {"name": _first(part.function.get("name") for part in parts), "arguments": "".join(texts)}
    call = {key: _first(part.entry.get(key) for part in parts) for key in ("id", "type")}
    return {**{key: value for key, value in call.items() if value is not None}, "function": function}


def _first(values: Iterable[JsonValue]) -> JsonValue:
    return next((value for value in values if value is not None and value != ""), None)


class StreamView:
    """The chunks of one response, whatever JSON they are, with the request that they answer, where that is known."""

    def __init__(self, document: JsonValue, request: JsonObject | None = None) -> None:
        self.document = document
        entries = as_list(document)
        self.raw: list[JsonValue] = entries[:-1] if entries and entries[-1] == DONE else entries
        self.request = request
        self.chunks = [ResponseView(raw, request) for raw in self.raw]
        pieces: dict[float, list[Piece]] = {}
        for number, chunk in enumerate(self.chunks):
            for choice in chunk.choices:
                index = choice.entry.get("index")
                if is_whole(index):
                    pieces.setdefault(index, []).append(Piece(f"/{number}{choice.pointer}", choice.entry))
        asked = conversation_for(request, len(pieces))
        self.choices = [FoldedChoice(parts, asked) for _, parts in sorted(pieces.items())]

    @property
    def pieces(self) -> list[Piece]:
        """Every choice of every chunk that is an object."""
        return [Piece(f"/{number}{choice.pointer}", choice.entry) for number, chunk in enumerate(self.chunks)
                for choice in chunk.choices if isinstance(choice.raw, dict)]  # fmt: skip


def is_number(value: JsonValue) -> TypeGuard[int | float]:
    """Say whether a JSON value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_whole(value: JsonValue) -> TypeGuard[int | float]:
    """Say whether a JSON value is a whole number, 5.0 included; how it is written is another rule's."""
    return is_number(value) and (isinstance(value, int) or value.is_integer())


def has_fraction(value: JsonValue) -> bool:
    """Say whether a whole number is written with a fraction, as 5.0."""
    return isinstance(value, float) and value.is_integer()
