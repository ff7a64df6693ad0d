"""Swapped results: those that repeat another call's arguments, and ids that calls take from the wrong row of a list.

Most results name what they are about. One that names what another call of its turn asks for, and nothing that its own
call alone asks for, belongs to the other; where both do so, the two have been exchanged between their ids. A result
that gives another id, address or day under the very name that its call gives one contradicts its call. Where the
request calls another row of a list by its name, or asks for the cheapest of them, or where the result of a call names
another row than the one that was taken, the id is that of the wrong row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.arguments.argument import Leaf, leaves_of
from generator.validation.grounding.arguments.evidence import is_code
from generator.validation.grounding.arguments.sources import CallTurn, call_turns
from generator.validation.grounding.reading.days import ISO_DAY
from generator.validation.grounding.reading.languages import entries, language_of, phrases, table
from generator.validation.grounding.reading.words import (
    LONGEST_TEXT,
    STOPWORDS,
    find_literal,
    find_number,
    fold,
    tokens_of,
    tokens_of_value,
)
from generator.validation.rule import Finding
from generator.validation.verdict import Severity, brief
from generator.validation.view import CallView, RecordView, ResultView

_NAME = re.compile(r"[A-Z][^\W\d_A-Z]{2,40}(?: [A-Z][^\W\d_A-Z]{2,40}){0,4}")
"""A name: words with capitals, and no abbreviation."""
_SHORTEST = 3
"""Characters of a text that names a thing."""
_SURE: tuple[Severity, ...] = ("note", "warning", "error")
_SMALLEST = 10
"""Whole numbers below it count anything."""


_MOST_AT_ONCE = 60
"""Results of one turn that are each compared with each; of more, those that stand beside each other."""


class MisplacedResult(NamedTuple):
    """A result that speaks of something else than its call."""

    result: ResultView
    why: str
    at_most: Severity = "error"


def misplaced_results(record: RecordView) -> Iterator[MisplacedResult]:
    """Yield the results that belong to another call or contradict their own."""
    if not (record.parallel_calls or record.mispaired):
        for result in record.results:
            yield from _contradictions(result)
        return
    by_turn = _by_turn(record.results)
    for results in by_turn.values():
        found = list(_exchanged(results)) if len(results) > 1 else []
        yield from found
        for result in () if found else results:
            yield from _contradictions(result)


def _by_turn(results: list[ResultView]) -> dict[int, list[ResultView]]:
    """Return the results of calls that are given anything, by the turn of the calls."""
    by_turn: dict[int, list[ResultView]] = {}
    for result in results:
        if result.call is not None and result.call.arguments:
            by_turn.setdefault(result.call.turn, []).append(result)
    return by_turn


def _exchanged(results: list[ResultView]) -> Iterator[MisplacedResult]:
    """Yield the results of one turn that stand in each other's place."""
    texts = [_ResultText(each, _asked(each), fold(str(each.message.content))) for each in results]
    for one, other in combinations(texts, 2) if len(texts) <= _MOST_AT_ONCE else pairwise(texts):
        held = _exchange(one, other)
        if held is not None and one.result.call is not None:
            why = f"it tells of what {one.result.call.pointer} asks for, and that one's result of what this asks for"
            yield MisplacedResult(other.result, f"it has changed places: {why}", held)


def _contradictions(result: ResultView) -> Iterator[MisplacedResult]:
    """Yield what a result tells against its own call."""
    given, returned = result.call.arguments if result.call is not None else None, result.value
    if not given or type(returned) is not dict:
        return
    for name, mine in given.items():
        theirs = returned.get(name, mine)
        at_most = _contradicts(mine, theirs) if mine != theirs else None
        if at_most is not None:
            yield MisplacedResult(result, f"its {name!r} is {theirs!r}, where the call's is {mine!r}", at_most)


def _contradicts(asked: JsonValue, returned: JsonValue) -> Severity | None:
    """Say how surely a result gives another value than was asked for; None where it may be the same or a new one."""
    if not isinstance(asked, str) or not isinstance(returned, str) or _is_part(asked, returned):
        return None
    if _identifies(asked) and _identifies(returned):
        return "warning"
    are_days = ISO_DAY.fullmatch(asked) and ISO_DAY.fullmatch(returned)
    return "note" if are_days or _are_other_names(asked, returned) else None


def _are_other_names(one: str, other: str) -> bool:
    """Say whether two texts are names without a word in common."""
    if not all(_NAME.fullmatch(each) for each in (one, other)):
        return False
    return {*tokens_of_value(one)}.isdisjoint(tokens_of_value(other))


def _identifies(value: str) -> bool:
    """Say whether a value is a code or an address, which is repeated to the letter or is another."""
    return is_code(value) or ("@" in value and " " not in value)


def _is_part(one: JsonValue, other: JsonValue) -> bool:
    mine, theirs = fold(str(one)), fold(str(other))
    return mine in theirs or theirs in mine


class _ResultText(NamedTuple):
    """A result with what its call asks for, and its own text, folded."""

    result: ResultView
    asked: set[str]
    text: str


def _exchange(one: _ResultText, other: _ResultText) -> Severity | None:
    """Say how surely two results stand in each other's place: both tell of the other's call, or one of them does."""
    mine, theirs = one.asked - other.asked, other.asked - one.asked
    first, second = one.text, other.text
    if any(_names(first, each) for each in mine) or any(_names(second, each) for each in theirs):
        return None
    strange = any(_names(first, each) for each in theirs) + any(_names(second, each) for each in mine)
    if not strange:
        return None
    names = [each.result.message.entry.get("name") for each in (one, other)]
    alike = names[0] == names[1]  # what tools tell of a thing differs
    return _SURE[(strange == 2) + alike]


def _names(text: str, value: str) -> bool:
    return (find_number if value[0].isdigit() else find_literal)(text, value) >= 0


def _asked(result: ResultView) -> set[str]:
    """Return the values by which a call may be known, folded."""
    arguments = (result.call.arguments if result.call is not None else None) or {}
    values = [each for value in arguments.values() for each in (value if isinstance(value, list) else [value])]
    return {fold(str(value)) for value in values if _tells_apart(value)}


def _tells_apart(value: JsonValue) -> bool:
    if isinstance(value, str):
        return len(value) >= _SHORTEST
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value >= _SMALLEST


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
    for heard in call_turns(record):
        lists = _lists_before(heard.calls[0].turn, record)
        for call in heard.calls if lists else ():
            for leaf in leaves_of(call):
                message = _wrong_row(leaf, lists[-_MOST_LISTS:], heard, record)
                if message:
                    yield Finding(call.arguments_pointer + pointer(leaf.path), message, "warning")


def _lists_before(turn: int, record: RecordView) -> list[_List]:
    return [each for result in record.results if result.message.index < turn for each in _lists_in(result)]


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


def _wrong_row(leaf: Leaf, lists: list[_List], heard: CallTurn, record: RecordView) -> str:
    """Return why a value is that of the wrong row; "" where it is of none, was said, or may be right."""
    value = leaf.value
    if leaf.is_key or type(value) not in (str, int) or fold(str(value)) in heard.folded:
        return ""
    holding = _last_with(value, lists)
    if holding is None or len(heard.folded) > LONGEST_TEXT or _picks_otherwise(heard.folded):
        return ""
    taken, key = holding.ids[value]
    wanted, why = _named(holding, taken, heard) or _extreme(holding, taken, heard)
    if wanted < 0 or _is_taken(holding.rows[wanted].get(key), record):
        return ""
    return f"is {key} of {brief(_title(holding.rows[taken], key))}, while the request speaks of {brief(why)}"


def _last_with(value: _Value, lists: list[_List]) -> _List | None:
    """Return the last list of which one row alone has a value."""
    return next((each for each in reversed(lists) if value in each.ids), None)


def _language(folded: str) -> str:
    """Return the language of a request; English where it is not known."""
    return language_of(folded) or "en"


def _picks_otherwise(folded: str) -> bool:
    """Say whether a request picks by place or excludes, so that the words of a row do not tell which is meant."""
    language = _language(folded)
    return phrases(language, "outcomes", "negation").found_in(folded) or not _ordinals(language).isdisjoint(
        tokens_of(folded)
    )


@cache
def _ordinals(language: str) -> frozenset[str]:
    """Return the words that pick by place, and those that speak of the rest."""
    ordinals = table(language, "numbers").get("ordinals", {}).values()
    words = [
        word for entry in (*ordinals, table(language, "clauses").get("others", "")) for word in tokens_of(fold(entry))
    ]
    return frozenset(words)


def _named(holding: _List, taken: int, heard: CallTurn) -> tuple[int, str] | None:
    """Return the row which alone is called what the request says, with that, where the one that was taken is not."""
    for key, mine in holding.rows[taken].items():
        cells = [row.get(key) for row in holding.rows]
        if not all(map(_is_title, cells)) or find_literal(heard.folded, fold(mine)) >= 0:
            continue
        said = [at for at, cell in enumerate(cells) if at != taken and find_literal(heard.folded, fold(str(cell))) >= 0]
        if len(said) == 1 and not _words_of(mine) & heard.requests[0].words.tokens_set - _words_of(str(cells[said[0]])):
            return said[0], str(cells[said[0]])
    return None


def _is_title(cell: JsonValue) -> bool:
    """Say whether a field calls a thing by a name of its own, as no state and no class of things does."""
    return isinstance(cell, str) and len(cell) <= _LONGEST_CELL and (" " in cell or not cell.islower())


def _words_of(cell: str) -> frozenset[str]:
    return frozenset(token for token in tokens_of(fold(cell)) if token not in STOPWORDS)


def _extreme(holding: _List, taken: int, heard: CallTurn) -> tuple[int, str]:
    """Return the row with the most or the least of what the request wants, where another one is taken."""
    for entry in entries(_language(heard.folded), "comparisons", "superlatives"):
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
    keys = [key for key, value in holding.rows[0].items() if type(value) in (int, float)]
    named = [key for key in keys if field in tokens_of_value(key)]
    chosen = named or (keys if field == "price" else [])
    if len(chosen) != 1:
        return []
    return [float(row[chosen[0]]) for row in holding.rows if type(row.get(chosen[0])) in (int, float)]


def _is_taken(value: JsonValue, record: RecordView) -> bool:
    """Say whether a call takes the row that is meant as well."""
    return any(leaf.value == value for call in record.calls for leaf in leaves_of(call))


def _title(row: JsonObject, key: str) -> str:
    """Return what a row is called: its first text but the id."""
    return next((value for name, value in row.items() if name != key and isinstance(value, str)), str(row.get(key)))


_MOST_ENTRIES = 200
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
            if type(value) is str and _is_id(value):
                row = _row_with(value, call, record)
                meant = _meant(row, call, record) if row is not None else ""
                if meant:
                    message = f"is the id of another row than that of which the result tells: {brief(meant)}"
                    yield Finding(call.arguments_pointer + pointer((name,)), message, "warning")


def _row_with(value: str, call: CallView, record: RecordView) -> _Row | None:
    """Return the row of an earlier list that has an id; None where there is none, or no other row."""
    for result in reversed(record.results):
        if result.message.index < call.turn and not result.failed and value in result.message.text:
            row = _row_in(result, value)
            if row is not None:
                return row
    return None


def _row_in(result: ResultView, value: str) -> _Row | None:
    """Return the row of a list in a result that has an id; None where there is none, or no other row."""
    for listed in _all_lists_in(result.value):
        rows = [entry for entry in listed[:_MOST_ENTRIES] if isinstance(entry, dict)]
        row = next((each for each in rows if value in each.values()), None)
        if row is not None and len(rows) > 1:
            return _Row(row, rows)
    return None


def _all_lists_in(value: JsonValue) -> list[list[Any]]:
    """Return the lists of a result."""
    values = list(value.values()) if isinstance(value, dict) else [value]
    return [each for each in values if isinstance(each, list)]


_ID = re.compile(r"(?=[^\s]{0,63}\d)[\w.:#/-]{2,64}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d.{0,20}|\d{1,2}:\d\d(?::\d\d)?")


def _is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None and _MOMENT.fullmatch(text) is None


def _meant(row: _Row, call: CallView, record: RecordView) -> str:
    """Return the name of the other row that a call's result tells of; "" where it tells of the row itself, or none."""
    told = _told_by_result(call, record)
    if not told or _is_named_plainly(row, told):
        return ""
    folded = fold(told)
    own = _names_of(row.values, row)
    if not own or _said_in(folded, own):
        return ""
    others = [name for other in row.others if other is not row.values for name in _names_of(other, row)]
    named = _said_in(folded, others)
    return named[0] if len(named) == 1 else ""


def _told_by_result(call: CallView, record: RecordView) -> str:
    """Return what the result of a call tells; "" where there is none, or it failed."""
    result = next((each for each in record.results if each.call is call), None)
    return result.message.text[:LONGEST_TEXT] if result is not None and not result.failed else ""


def _is_named_plainly(row: _Row, text: str) -> bool:
    """Say, after a first look, whether a text tells of a row: most do."""
    return any(
        type(each) is str and each[:1].isupper() and not _is_id(each) and each in text for each in row.values.values()
    )


def _said_in(folded: str, names: list[str]) -> list[str]:
    return [name for name in names if find_literal(folded, name) >= 0]


def _names_of(values: JsonObject, row: _Row) -> list[str]:
    """Return the folded names of an entry of a row's list, of which each entry has another."""
    return [
        fold(value)
        for key, value in values.items()
        if _is_name(key, value) and all(other is values or other.get(key) != value for other in row.others)
    ]


def _is_name(key: str, value: JsonValue) -> bool:
    """Say whether a field names its row: a text with a capital, or of a field that names."""
    if not isinstance(value, str) or len(value) < _SHORTEST_NAME or _is_id(value) or _MOMENT.match(value):
        return False
    return value[0].isupper() or value[0] >= _IDEOGRAPHS or not _NAMING.isdisjoint(tokens_of_value(key))


_NAMING = frozenset(("name", "title", "label", "subject", "description", "nickname"))
_IDEOGRAPHS = "\u2e80"
