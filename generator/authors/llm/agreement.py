"""Agreement: whether two sets of calls mean the same, whoever wrote them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.records.calls import DraftCall
from generator.tools.tool import Tool
from generator.validation.grounding.reading.words import fold, stem, tokens_of

_FREE_TEXT = 4
"""Words from which on a text is one's own, and need not be the other's to the letter."""
_SHARED = 0.5
"""The share of its words that it must have in common."""
_ABBREVIATION = 3
"""Letters that an abbreviation has at most: the "St" of "Station" and of "Street"."""
_PLURALS = ("s", "es")
_SECONDS = re.compile(r"(?<=\d\d:\d\d):00(?:\.0+)?|(?<=:\d\d)(?:z|\+00:00)$")
_DIGITS = re.compile(r"\d+")
_AROUND = " .,;:!?\"'"


def disagreement(
    mine: Sequence[DraftCall], theirs: Sequence[DraftCall], tools: Sequence[Tool], later: Sequence[DraftCall] = ()
) -> str:
    """Say in what two sets of calls differ in meaning; "" where they do not. Their order means nothing.

    What I call `later` in answer to the same words they may call at once.
    """
    schemas = {tool.name: tool.parameters for tool in tools}
    left, missing = _paired(mine, theirs, schemas)
    if missing or _paired(later, left, schemas)[0]:
        return f"{_shown(mine)} against {_shown(theirs)}"
    return ""


def _paired(
    mine: Sequence[DraftCall], theirs: Sequence[DraftCall], schemas: Mapping[str, JsonObject]
) -> tuple[list[DraftCall], bool]:
    """Return those of their calls that none of mine is the same as, and whether one of mine has no such twin."""
    left, missing = list(theirs), False
    for call in mine:
        twin = next((each for each in left if _is_same(call, each, schemas.get(call.name, {}))), None)
        if twin is None:
            missing = True
        else:
            left.remove(twin)
    return left, missing


def _shown(calls: Sequence[DraftCall]) -> str:
    return "; ".join(f"{call.name} {dump_compact(call.arguments)}" for call in calls) or "no call"


def _is_same(mine: DraftCall, theirs: DraftCall, schema: JsonObject) -> bool:
    if mine.name != theirs.name:
        return False
    properties = schema.get("properties", {})
    return all(
        _means(_given(mine, key, properties), _given(theirs, key, properties)) or _quotes(mine, theirs, key)
        for key in {*mine.arguments, *theirs.arguments}
    )


def _quotes(mine: DraftCall, theirs: DraftCall, key: str) -> bool:
    """Say whether one gives as said what the other translates: most of the words that are its evidence."""
    value = theirs.arguments.get(key)
    if not isinstance(value, str) or not isinstance(mine.arguments.get(key), str) or not (plain := _plain(value)):
        return False
    quoted = (_plain(each.said) for each in mine.evidence if each.argument == key)
    return any(plain in said and len(plain) >= _SHARED * len(said) for said in quoted)


def _given(call: DraftCall, key: str, properties: JsonObject) -> JsonValue:
    """Return an argument; what is left out is its default, else nothing, as an empty one is."""
    declared = properties.get(key)
    default = declared.get("default") if isinstance(declared, dict) else None
    value = call.arguments.get(key, default)
    return None if value in ("", [], {}, False) else value


def _means(mine: JsonValue, theirs: JsonValue) -> bool:
    if isinstance(mine, bool) or isinstance(theirs, bool):
        return mine is theirs
    if isinstance(mine, str) and isinstance(theirs, str):
        return _same_text(mine, theirs)
    if isinstance(mine, list) and isinstance(theirs, list):
        return len(mine) == len(theirs) and all(map(_means, mine, theirs))
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return all(_means(mine.get(key), theirs.get(key)) for key in {*mine, *theirs})
    return bool(mine == theirs)


def _same_text(mine: str, theirs: str) -> bool:
    first, second = _plain(mine), _plain(theirs)
    if first == second or _same_words(tokens_of(first), tokens_of(second)):
        return True
    ours, others = ({stem(word) for word in tokens_of(text) if word.isalpha()} for text in (first, second))
    if min(len(ours), len(others)) < _FREE_TEXT or _DIGITS.findall(first) != _DIGITS.findall(second):
        return False
    return len(ours & others) >= _SHARED * min(len(ours), len(others))


def _same_words(ours: list[str], others: list[str]) -> bool:
    """Say whether two texts have the same words in their order, but for plurals and for words that one abbreviates."""
    return bool(ours) and len(ours) == len(others) and all(map(_same_word, ours, others))


def _same_word(mine: str, theirs: str) -> bool:
    short, long = sorted((mine, theirs), key=len)
    if short == long or not (short.isalpha() and long.isalpha()):
        return short == long
    is_short_for = 1 < len(short) <= _ABBREVIATION and len(long) >= 2 * len(short) and long.startswith(short)
    return is_short_for or long.removeprefix(short) in _PLURALS


def _plain(text: str) -> str:
    return " ".join(_SECONDS.sub("", fold(text)).replace("_", " ").split()).strip(_AROUND)
