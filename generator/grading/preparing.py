"""Prepared turns: what is known of a turn of a record before any answer to it is graded, found out once and kept."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import orjson

from generator.errors import UsageError
from generator.grading.calls import ReadCalls, read_calls, readers_of
from generator.grading.text_rewards import SpokenTurn
from generator.grading.turns import Turn, document_of, turns_of
from generator.jsontext import JsonObject, JsonValue
from generator.records import Record
from generator.schemas.validators import BoundedCache
from generator.validation.tool_view import ToolView, tool_view

KEPT = 1024
"""Turns of records that are kept prepared; one takes some tens of kilobytes."""


class PreparedTurn:
    """One turn of a record, with what answers to it are held against."""

    def __init__(self, document: JsonObject, turn: Turn) -> None:
        self.document = document
        self.turn = turn
        shown = document.get("tools")
        self.tools: list[JsonValue] = shown if isinstance(shown, list) else []
        self.readers = readers_of(self.tools)
        self.expected: ReadCalls = read_calls(turn.calls, self.readers)
        content = turn.expected.get("content")
        self.text: str = content if isinstance(content, str) else ""

    @cached_property
    def views(self) -> dict[str, ToolView]:
        """The tools shown, by their names."""
        views = [tool_view(tool) for tool in self.tools]
        return {view.name: view for view in reversed(views) if view.name}

    @cached_property
    def spoken(self) -> SpokenTurn:
        """The record's own answer in words, and what others are held against."""
        return SpokenTurn(self.document, self.turn)

    @property
    def after_results(self) -> bool:
        """Whether the turn follows results."""
        return bool(self.turn.prefix) and self.turn.prefix[-1].get("role") == "tool"


_PREPARED: BoundedCache[tuple[bytes | int, int], tuple[Any, PreparedTurn]] = BoundedCache(KEPT)


def prepared_turn(record: Record | JsonObject | str, number: int) -> PreparedTurn:
    """Return a turn of a record, prepared once for equal records.

    Args:
        record: a `Record`, its document, or the JSON text of it; a record of another format is read as it shows.
        number: which of its assistant messages the turn is, from 0.

    Raises:
        UsageError: it is no record, or has no such turn.
    """
    key = (_key(record), number)
    known = _PREPARED.get(key)
    if known is not None:
        return known[1]
    return _PREPARED.put(key, (record, _prepare(record, number)))[1]


def _key(record: Record | JsonObject | str) -> bytes | int:
    """Return what equal records share; the entry holds the record, so that its id is not given to another one."""
    if isinstance(record, Record):
        return id(record)
    if isinstance(record, str):
        return record.encode("utf-8", "surrogatepass")
    try:
        return orjson.dumps(record)
    except (TypeError, ValueError) as error:
        raise UsageError(f"the record is no JSON: {error}") from error


def _prepare(record: Record | JsonObject | str, number: int) -> PreparedTurn:
    document = document_of(record)
    turns = turns_of(document)
    if type(number) is not int or not 0 <= number < len(turns):
        held = f"it has {len(turns)}, counted from 0" if turns else "it has none"
        raise UsageError(f"the record has no assistant turn {number}: {held}")
    return PreparedTurn(document, turns[number])
