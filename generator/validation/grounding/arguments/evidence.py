"""Evidence of one value: the first evidence level that holds it, or the words that the metadata name for it.

The levels are literal, normalised, token overlap and schema. What they cannot follow, two may vouch for: the domain, of
whose phrases a value is part (`metadata.construction`), and the author of the call (`metadata.evidence`). What
they name must have been said before the call. The domain's words mean the value by construction; the author's are its
assertion, which a second opinion may share or not. Words that hold a number are words for that number, and a person's
or a place's name is the name of that person or place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.arguments.argument import (
    Choices,
    Leaf,
    Path,
    choices_at,
    ground_in_schema,
    is_meant,
    is_named,
    words_at,
)
from generator.validation.grounding.arguments.booleans import ground_flag
from generator.validation.grounding.arguments.datetimes import ground_excluding
from generator.validation.grounding.arguments.numbers import (
    ground_bound,
    ground_compass,
    ground_literal_number,
    ground_multiple,
    ground_number,
    is_computed,
    is_part_of_time,
)
from generator.validation.grounding.arguments.sources import (
    ASSERTED,
    CONSTRUCTION,
    SCHEMA,
    Grounding,
    Said,
    Source,
    keys_of,
    speaks_english,
)
from generator.validation.grounding.arguments.strings import (
    ENOUGH,
    ground_by_overlap,
    ground_code,
    ground_formula,
    ground_literal_text,
    ground_spoken_signs,
    ground_text,
    ground_zone,
)
from generator.validation.grounding.reading.names import find_name, other_names
from generator.validation.grounding.reading.words import STOPWORDS, fold, stem, tokens_of
from generator.validation.tool_view import ToolView
from generator.validation.view import CallView, RecordView


def ground(
    value: JsonValue,
    tool: ToolView | None,
    path: Path,
    tool_index: int,
    said: Said,
    *,
    enough: float = ENOUGH,
    literally: bool = True,
) -> Grounding | None:
    """Say where one leaf of a call's arguments comes from; None where nothing explains it.

    Args:
        value: a string, a number, a boolean or null.
        tool: the tool called, None where it is not shown.
        path: the value's path in the arguments.
        tool_index: the tool's place among those shown.
        said: what was said before the call.
        enough: the share of a string's words that must be stated.
        literally: whether a string is looked for as it is written; False where that was done.
    """
    if isinstance(value, str):
        found = (
            (ground_literal_text(value, said) if literally else None)
            or ground_text(value, said)
            or ground_by_overlap(value, said, enough)
        )
    elif isinstance(value, bool) or value is None:
        return _unspoken(value, tool, path, tool_index, said)
    else:
        about = _about(tool, path)
        found = ground_literal_number(value, said) or ground_number(value, said, about)
        if found is not None and tool is not None and is_part_of_time(value, about, said):
            found = None
    if found is None and tool is not None:
        found = ground_in_schema(value, tool, path, tool_index)
    return found or _seldom(value, str(path[-1]) if path else "", said)


def _seldom(value: str | int | float, name: str, said: Said) -> Grounding | None:
    """Look for what few values are: formulas, signs read aloud, numbers and days beside a bound."""
    if isinstance(value, str):
        told = ground_formula(value, said) or ground_spoken_signs(value, said) or ground_zone(value, said)
        return told or ground_code(value, said) or ground_excluding(value, name, said)
    return ground_bound(value, said) or ground_compass(value, said) or ground_multiple(value, said)


def _about(tool: ToolView | None, path: Path) -> frozenset[str]:
    return frozenset() if tool is None else words_at(tool, path)


def _unspoken(value: bool | None, tool: ToolView | None, path: Path, tool_index: int, said: Said) -> Grounding | None:
    if value is None or tool is None:
        return Grounding(SCHEMA, f"/tools/{tool_index}/function/parameters", "null" if value is None else "")
    return ground_flag(value, tool, path, tool_index, said)


_LONGEST_SPAN = 200
"""Characters; who names a whole message names nothing in it."""
_CODE = re.compile(r"(?=.*\d)(?=.*[^\W\d])[\w./:#@+-]+", re.ASCII)
_MOMENT = re.compile(
    r"\d{1,4}(?:[-/.]\d{1,2}){1,2}(?:[T ].*)?|T?\d{1,2}:\d{2}.*|\d+(?:[.,]\d+)?[a-z%]{0,3}", re.ASCII | re.I
)


def ground_by_metadata(leaf: Leaf, call: CallView, record: RecordView, said: Said) -> Grounding | None:
    """Return the words that the metadata name for a value, where they were said before the call."""
    if not leaf.path or not isinstance(call.id, str):
        return None
    choices = () if call.tool is None or leaf.is_key else choices_at(call.tool, leaf.path)
    return _constructed(leaf, call.id, record, said, choices) or _asserted(leaf, call.id, record, said, choices)


def _constructed(leaf: Leaf, call_id: str, record: RecordView, said: Said, choices: Choices) -> Grounding | None:
    words = _named(record, "construction", call_id).get(str(_own_name(leaf.path[0], record)))
    if not isinstance(words, str) or not words.strip():
        return None
    source = next((each for each in said.sources if each.role == "user" and words in each.raw), None)
    if source is None or disproves(words, leaf.value, said, choices):
        return None
    return Grounding(CONSTRUCTION, source.where, words)


def _asserted(leaf: Leaf, call_id: str, record: RecordView, said: Said, choices: Choices) -> Grounding | None:
    named = _named(record, "evidence", call_id)
    if not named or is_code(leaf.value):
        return None
    words = next((named[place] for place in _places(leaf, record) if place in named), None)
    if not isinstance(words, str) or not is_span(words):
        return None
    source = next((each for each in said.sources if holds(each.folded, words)), None)
    if source is None or disproves(words, leaf.value, said, choices):
        return None
    return Grounding(ASSERTED, source.where, words)


def named_evidence(call: CallView, record: RecordView) -> JsonObject:
    """Return the words that the author of a call names for its arguments, by name or by pointer."""
    return _named(record, "evidence", call.id) if isinstance(call.id, str) else {}


def is_span(words: str) -> bool:
    """Say whether words can be the place that a value comes from: some, and not a whole letter."""
    return any(map(str.isalnum, words)) and len(words) <= _LONGEST_SPAN


def holds(folded: str, words: str) -> bool:
    """Say whether a folded text holds words, up to case, accents and spacing."""
    return " ".join(fold(words).split()) in " ".join(folded.split())


def is_code(value: JsonValue) -> bool:
    """Say whether a value is a code that one knows or does not: no words but its own stand for it."""
    return isinstance(value, str) and bool(_CODE.fullmatch(value)) and not is_moment(value)


def is_moment(value: JsonValue) -> bool:
    """Say whether a value is written as a date, a time or an amount."""
    return isinstance(value, str) and bool(_MOMENT.fullmatch(value))


def _places(leaf: Leaf, record: RecordView) -> Iterator[str]:
    """Yield what evidence may call a value: its own place first, then the things that it is part of."""
    path = (_own_name(leaf.path[0], record), *leaf.path[1:])
    for length in range(len(path), 0, -1):
        yield pointer(path[:length])
    yield str(path[0])


def _named(record: RecordView, key: str, call_id: str) -> JsonObject:
    entries = record.metadata.get(key)
    named = entries.get(call_id) if isinstance(entries, dict) else None
    return named if isinstance(named, dict) else {}


def _own_name(parameter: str | int, record: RecordView) -> str | int:
    """Return what a parameter is called without the record's mask."""
    mask = record.metadata.get("mask")
    names = mask.get("parameters") if isinstance(mask, dict) else None
    own = names.get(parameter, parameter) if isinstance(names, dict) else parameter
    return own if isinstance(own, str | int) else parameter


_MOST_NAMES = 6
"""Words of a name at most."""
_DIGITS = re.compile(r"\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_ASCII_DIGITS = frozenset("0123456789")


def disproves(words: str, value: JsonValue, said: Said, choices: Choices) -> bool:
    """Say whether the words that are named for a value, one of these choices where there are any, name another one."""
    if isinstance(value, bool):
        return False
    if isinstance(value, str) and value in choices:
        own = Source(0, words)
        return not is_meant(value, choices, own) and any(is_named(each, own) for each in choices if each != value)
    if isinstance(value, int | float):
        return not _ASCII_DIGITS.isdisjoint(words) and not _tells(words, float(value))
    return isinstance(value, str) and _names_another(words, value, said)


def _tells(words: str, number: float) -> bool:
    """Say whether words with digits tell a number: as it is, in another unit, or computed from several of theirs."""
    return any(_holds(Source(0, written), number) for written in dict.fromkeys((words, *_written_abroad(words))))


def _written_abroad(words: str) -> tuple[str, ...]:
    """Return words with numbers as other countries write them: 9,7 and 5.000."""
    return (words.replace(",", "."), words.replace(".", "").replace(",", "."), words.replace("'", ""))


def _holds(own: Source, number: float) -> bool:
    if {number, -number} & own.numbers.keys() or any(key in own.conversions for key in keys_of(number)):
        return True
    if any(number in (minutes // 60, minutes % 60, minutes) for minutes in own.clocks):
        return True
    stated = [float(digits) for digits in _DIGITS.findall(own.folded)]
    return len(stated) > 1 and is_computed(number, stated)


def _names_another(words: str, value: str, said: Said) -> bool:
    """Say whether the words are a name, the value is one, and the two have nothing to do with each other."""
    if _is_nearly(words, value, said):
        return True
    named, given = _name_of(words), _name_of(value)
    if not named or not given or named & given:
        return False
    if any(find_name(name, words, fold(words)) for name in other_names(value)):
        return False
    if speaks_english(said):
        return True
    alike = any(one[:2] == other[:2] for one in named for other in given)
    return not alike and len(named) > 1 and not other_names(value)


def _is_nearly(words: str, value: str, said: Said) -> bool:
    """Say whether a value has some of a name's words in it, and one that nobody said in the place of another."""
    own, given = _words_of(words), _words_of(value)
    common = own & given
    if not common or own <= given or len(own) > _MOST_NAMES:
        return False
    if not any(fold(word).startswith(token) for token in own - given for word in words.split() if word[0].isupper()):
        return False
    new = [token for token in given - own if token not in said.tokens and stem(token) not in said.stems]
    share = 0 if speaks_english(said) else len(given) / 2
    return bool(new) and len(common) > share and not any(map(other_names, new))


def _words_of(text: str) -> set[str]:
    return {token for token in tokens_of(fold(text)) if token.isalpha() and token not in STOPWORDS}


def _name_of(text: str) -> frozenset[str]:
    """Return the words of a name, folded; none where the text is none: every word of one begins with a capital."""
    words = text.split()
    long = [word for word in words if len(word) > 3]
    if not long or len(words) > _MOST_NAMES or not all(word[0].isupper() and word.isascii() for word in long):
        return frozenset()
    return frozenset(token for token in tokens_of(fold(text)) if token.isalpha() and len(token) > 1)
