"""Told rows: calls with the id of one row of an earlier result, of which their own results tell of another row.

A list has rows with ids, and a call is given one of these. Where its result names another row of the list and not the
one that was taken, the wrong id was picked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.words import LONGEST_TEXT, find_literal, fold, tokens_of_value
from generator.validation.rule import Finding
from generator.validation.verdict import brief
from generator.validation.view import CallView, RecordView

_MOST_ROWS = 200
_SHORTEST_NAME = 3


class _Row(NamedTuple):
    """An entry of a list in a result."""

    values: JsonObject
    others: list[JsonObject]
    """All entries of its list."""


def told_of_other_rows(record: RecordView) -> Iterator[Finding]:
    """Yield the ids that calls are given, where their results tell of another row of the list."""
    first = record.results[0].message.index if record.results else 0
    for call in record.calls:
        if call.turn < first:
            continue
        for name, value in (call.arguments or {}).items():
            if type(value) is str and " " not in value and _is_id(value):
                row = _row_with(value, call, record)
                meant = _meant(row, call, record) if row is not None else ""
                if meant:
                    message = f"is the id of another row than that of which the result tells: {brief(meant)}"
                    yield Finding(call.arguments_pointer + pointer((name,)), message, "warning")


def _row_with(value: str, call: CallView, record: RecordView) -> _Row | None:
    """Return the row of an earlier list that has an id; None where there is none, or no other row."""
    for result in reversed(record.results):
        content = result.message.content
        is_earlier = result.message.index < call.turn and not result.failed
        if is_earlier and isinstance(content, str) and value in content:
            for entries in _lists_in(result.value):
                rows = [entry for entry in entries[:_MOST_ROWS] if isinstance(entry, dict)]
                row = next((each for each in rows if value in each.values()), None)
                if row is not None and len(rows) > 1:
                    return _Row(row, rows)
    return None


def _lists_in(value: JsonValue) -> list[list[Any]]:
    """Return the lists of a result."""
    values = list(value.values()) if isinstance(value, dict) else [value]
    return [each for each in values if isinstance(each, list)]


_ID = re.compile(r"(?=[^\s]{0,63}\d)[\w.:#/-]{2,64}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d.{0,20}|\d{1,2}:\d\d(?::\d\d)?")


def _is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None and _MOMENT.fullmatch(text) is None


def _meant(row: _Row, call: CallView, record: RecordView) -> str:
    """Return the name of the other row that a call's result tells of; "" where it tells of the row itself, or none."""
    result = next((each for each in record.results if each.call is call), None)
    if result is None or result.failed or not isinstance(result.message.content, str):
        return ""
    content = result.message.content[:LONGEST_TEXT]
    if any(
        type(each) is str and each[:1].isupper() and not _is_id(each) and each in content
        for each in row.values.values()
    ):
        return ""  # a first look: most tell of the row itself
    told = fold(content)
    own = _names(row.values, row)
    if not own or any(find_literal(told, name) >= 0 for name in own):
        return ""
    others = [name for other in row.others if other is not row.values for name in _names(other, row)]
    named = [name for name in others if find_literal(told, name) >= 0]
    return named[0] if len(named) == 1 else ""


def _names(values: JsonObject, row: _Row) -> list[str]:
    """Return the folded names of a row: texts with capitals, or of fields that name, of which each row has another."""
    found = []
    for key, value in values.items():
        if not isinstance(value, str) or len(value) < _SHORTEST_NAME or _is_id(value) or _MOMENT.match(value):
            continue
        if _NAMING.isdisjoint(tokens_of_value(key)) and not (value[0].isupper() or value[0] >= _IDEOGRAPHS):
            continue
        if all(other is values or other.get(key) != value for other in row.others):
            found.append(fold(value))
    return found


_NAMING = frozenset(("name", "title", "label", "subject", "description", "nickname"))
_IDEOGRAPHS = "\u2e80"
