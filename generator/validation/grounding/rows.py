"""Rows: whether the id that a call takes from a list of results is that of the row which the request speaks of.

Where the request calls another row of the list by its name, or asks for the cheapest of them, and another one is taken,
the id is that of the wrong row.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.language import entries, language_of, phrases
from generator.validation.grounding.languages import table
from generator.validation.grounding.leaves import Leaf, leaves_of
from generator.validation.grounding.turns import Heard, turns_heard
from generator.validation.grounding.words import LONGEST_TEXT, STOPWORDS, find_literal, fold, tokens_of, tokens_of_value
from generator.validation.rule import Finding
from generator.validation.verdict import brief
from generator.validation.view import RecordView, ResultView

_MOST_ROWS, _MOST_LISTS = 60, 8
_LONGEST_CELL = 200
_Value = str | int


class _List(NamedTuple):
    """The rows of a result, each by what calls may take it by."""

    rows: list[JsonObject]
    ids: dict[_Value, tuple[int, str]]
    """The row and the field of each text or whole number that one row alone has."""


def of_another_row(record: RecordView) -> Iterator[Finding]:
    """Yield the ids in calls that are those of rows which the request does not speak of, but of another row."""
    if not record.results or not _may_have_rows(record):
        return
    for heard in turns_heard(record):
        turn = heard.calls[0].turn
        lists = [each for result in record.results if result.message.index < turn for each in _lists_in(result)]
        for call in heard.calls if lists else ():
            for leaf in leaves_of(call):
                message = _wrong_row(leaf, lists[-_MOST_LISTS:], heard, record)
                if message:
                    yield Finding(call.arguments_pointer + pointer(leaf.path), message, "warning")


def _may_have_rows(record: RecordView) -> bool:
    last = record.calls[-1].turn
    return any(result.message.index < last and next(_rows_of(result.value), None) for result in record.results)


def _rows_of(value: JsonValue) -> Iterator[list[JsonObject]]:
    for each in value.values() if isinstance(value, dict) else (value,):
        if isinstance(each, list) and 1 < len(each) <= _MOST_ROWS and all(isinstance(row, dict) for row in each):
            yield each


def _lists_in(result: ResultView) -> Iterator[_List]:
    for rows in _rows_of(result.value):
        ids: dict[_Value, tuple[int, str]] = {}
        shared: set[_Value] = set()
        for at, row in enumerate(rows):
            for key, value in row.items():
                if type(value) is str or type(value) is int:
                    shared.update({value} & ids.keys())
                    ids[value] = (at, key)
        yield _List(rows, {value: place for value, place in ids.items() if value not in shared})


def _wrong_row(leaf: Leaf, lists: list[_List], heard: Heard, record: RecordView) -> str:
    """Return why a value is that of the wrong row; "" where it is of none, was said, or may be right."""
    value = leaf.value
    if leaf.is_key or (type(value) is not str and type(value) is not int) or fold(str(value)) in heard.folded:
        return ""
    holding = next((each for each in reversed(lists) if value in each.ids), None)
    if holding is None or len(heard.folded) > LONGEST_TEXT:
        return ""
    taken, key = holding.ids[value]
    others = [at for at in range(len(holding.rows)) if at != taken]
    language = language_of(heard.folded) or "en"
    if _picks_otherwise(heard.folded, language):
        return ""
    wanted, why = _named(holding, taken, others, heard) or _extreme(holding, taken, heard, language)
    if wanted < 0 or _is_taken(holding.rows[wanted].get(key), record):
        return ""
    return f"is {key} of {brief(_title(holding.rows[taken], key))}, while the request speaks of {brief(why)}"


def _picks_otherwise(folded: str, language: str) -> bool:
    """Say whether a request picks by place or excludes, so that the words of a row do not tell which is meant."""
    return phrases(language, "outcomes", "negation").found_in(folded) or not _ordinals(language).isdisjoint(
        tokens_of(folded)
    )


@cache
def _ordinals(language: str) -> frozenset[str]:
    """Return the words that pick by place, and those that speak of the rest."""
    told = table(language, "numbers").get("ordinals", {}).values()
    words = [word for entry in (*told, table(language, "clauses").get("others", "")) for word in tokens_of(fold(entry))]
    return frozenset(words)


def _named(holding: _List, taken: int, others: list[int], heard: Heard) -> tuple[int, str] | None:
    """Return the row which alone is called what the request says, with that, where the one that was taken is not."""
    for key, mine in holding.rows[taken].items():
        cells = [row.get(key) for row in holding.rows]
        if not isinstance(mine, str) or not all(map(_is_title, cells)):
            continue
        if find_literal(heard.folded, fold(mine)) >= 0:
            continue
        said = [at for at in others if find_literal(heard.folded, fold(str(cells[at]))) >= 0]
        if len(said) == 1 and not _words_of(mine) & heard.requests[0].words.tokens_set - _words_of(str(cells[said[0]])):
            return said[0], str(cells[said[0]])
    return None


def _is_title(cell: JsonValue) -> bool:
    """Say whether a field calls a thing by a name of its own, as no state and no class of things does."""
    return isinstance(cell, str) and len(cell) <= _LONGEST_CELL and (" " in cell or not cell.islower())


def _words_of(cell: str) -> frozenset[str]:
    return frozenset(token for token in tokens_of(fold(cell)) if token not in STOPWORDS)


def _extreme(holding: _List, taken: int, heard: Heard, language: str) -> tuple[int, str]:
    """Return the row with the most or the least of what the request wants, where another one is taken."""
    for entry in entries(language, "comparisons", "superlatives"):
        words, _, rest = entry.rpartition(" ")
        phrase, _, field = words.rpartition(" ")
        if f" {phrase} " in f" {' '.join(tokens_of(heard.folded))} ":
            numbers = _numbers(holding, field)
            if len(numbers) == len(holding.rows):
                best = min(numbers) if rest == "<" else max(numbers)
                found = [at for at, number in enumerate(numbers) if number == best]
                return (found[0], phrase) if len(found) == 1 and found[0] != taken else (-1, "")
    return -1, ""


def _numbers(holding: _List, field: str) -> list[float]:
    """Return the numbers of the rows' field of that meaning; [] where several fields or none may be meant."""
    first = holding.rows[0]
    keys = [key for key, value in first.items() if type(value) is int or type(value) is float]
    named = [key for key in keys if field in tokens_of_value(key)]
    chosen = named or (keys if field == "price" else [])
    if len(chosen) != 1:
        return []
    cells = [row.get(chosen[0]) for row in holding.rows]
    return [float(each) for each in cells if isinstance(each, int | float) and not isinstance(each, bool)]


def _is_taken(value: JsonValue, record: RecordView) -> bool:
    """Say whether a call takes the row that is meant as well."""
    return any(leaf.value == value for call in record.calls for leaf in leaves_of(call))


def _title(row: JsonObject, key: str) -> str:
    """Return what a row is called: its first text but the id."""
    return next((value for name, value in row.items() if name != key and isinstance(value, str)), str(row.get(key)))
