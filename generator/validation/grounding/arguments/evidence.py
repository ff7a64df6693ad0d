"""Evidence of one value: the first evidence level that holds it, to the letter or in other words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

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
from generator.validation.grounding.arguments.datetimes import ground_excluding, ground_moment, is_moment
from generator.validation.grounding.arguments.sources import (
    ASSERTED,
    BEGINNING,
    CONSTRUCTION,
    LITERAL,
    NORMALISED,
    OVERLAP,
    SCHEMA,
    Grounding,
    Said,
    Source,
    ground_bound,
    ground_compass,
    ground_literal_number,
    ground_multiple,
    ground_number,
    is_computed,
    is_part_of_time,
    keys_of,
    speaks_english,
)
from generator.validation.grounding.reading.languages import every, find_name, other_names
from generator.validation.grounding.reading.words import STOPWORDS, find_literal, fold, stem, tokens_of, tokens_of_value
from generator.validation.tool_view import ToolView
from generator.validation.view import CallView, RecordView

ENOUGH = 0.67
"""The share of a value's words that must be stated: tuned by tests/benchmarks/grounding_curve.py."""

_SHORTEST_SQUEEZED = 6
_LONGEST_IN_PARTS = 1000
_NUMBER = re.compile(r"[-+]?\d{1,15}(?:\.\d{1,15})?%?")
_PARTS = re.compile(r"\s*[,;|/&+:()\[\]{}]\s*|\s+-\s+|\s+and\s+|\s+to\s+")
_INITIALS = re.compile(r"[A-Z][A-Z.]{1,6}")


def ground_literal_text(value: str, said: Said) -> Grounding | None:
    """Find a string as it is written; one that differs in case or accents alone is normalised."""
    folded = fold(value).strip()
    for source in said.sources:
        text = source.folded
        if folded in text and find_literal(text, folded) >= 0:
            exact = value in source.raw
            if exact or not _is_code(value):
                return Grounding(LITERAL if exact else NORMALISED, source.where, value[:80])
    return None


def _is_code(value: str) -> bool:
    """Say whether a value is a code that is quite another word in lower case: IN, US, OR."""
    return value.isupper() and value.lower() in STOPWORDS


def ground_text(value: str, said: Said) -> Grounding | None:
    """Find a string in other words: the same up to spacing, punctuation, accents and endings, or another form."""
    folded = fold(value).strip()
    if folded[:1].isdigit() and (found := ground_moment(folded, said)) is not None:
        return found
    tokens = _tokens(value)
    return (
        _phrase(value, tokens, said)
        or _number(value, said)
        or (None if folded[:1].isdigit() else ground_moment(folded, said))
        or _other_name(value, said)
        or _initials(value, tokens, said)
        or (None if is_moment(folded) else _parts(value, said))
    )


_LONGEST_KEPT = 500


def _tokens(value: str) -> tuple[str, ...]:
    return _kept_tokens(value) if len(value) <= _LONGEST_KEPT else tuple(tokens_of_value(value))


@lru_cache(maxsize=4096)
def _kept_tokens(value: str) -> tuple[str, ...]:
    return tuple(tokens_of_value(value))


def _phrase(value: str, tokens: tuple[str, ...], said: Said) -> Grounding | None:
    if not tokens or _is_symbolic(value, tokens) or _is_code(value):
        return None
    phrase, stems = f" {' '.join(tokens)} ", f" {' '.join(map(stem, tokens))} "
    squeezed = "".join(tokens)
    for source in said.sources:
        words = source.words
        if phrase in words.spaced or stems in words.stems_spaced or (
            len(squeezed) >= _SHORTEST_SQUEEZED and squeezed in words.squeezed
        ):  # fmt: skip
            return Grounding(NORMALISED, source.where, phrase.strip()[:80])
    return None


_SYMBOLS = re.compile(r"[^\w\s.,;:'\"/()&!?-]")


def _is_symbolic(value: str, tokens: tuple[str, ...]) -> bool:
    """Say whether signs carry the meaning of a short value, as in "C#" or "A+"."""
    return sum(map(len, tokens)) < 4 and _SYMBOLS.search(value) is not None


def _number(value: str, said: Said) -> Grounding | None:
    written = value.strip()
    if len(written) > 32 or not _NUMBER.fullmatch(written):
        return None
    number = float(written.rstrip("%"))
    found = ground_literal_number(number, said) or ground_number(number, said)
    return found._replace(level=NORMALISED) if found is not None else None


def _other_name(value: str, said: Said) -> Grounding | None:
    if len(value) > 48:
        return None
    for name in other_names(value):
        for source in said.sources:
            if find_name(name, source.raw, source.folded):
                return Grounding(NORMALISED, source.where, name.written)
    return None


def _initials(value: str, tokens: tuple[str, ...], said: Said) -> Grounding | None:
    """Find "NYC" in "New York City", and the other way round."""
    if _INITIALS.fullmatch(value.strip()):
        wanted = value.replace(".", "").strip().lower()
        for source in said.sources:
            at = source.words.initials.find(wanted)
            if at >= 0:
                return Grounding(NORMALISED, source.where, " ".join(source.words.tokens[at : at + len(wanted)]))
    if 2 <= len(tokens) <= 7:
        initials = "".join(token[0] for token in tokens if token not in STOPWORDS).upper()
        for source in said.sources:
            if len(initials) > 1 and find_literal(source.raw, initials) >= 0:
                return Grounding(NORMALISED, source.where, initials)
    return None


def _parts(value: str, said: Said) -> Grounding | None:
    """Ground a value part by part: "Austin, TX", "en-US", "3 pm to 5 pm"."""
    if len(value) > _LONGEST_IN_PARTS:
        return None
    parts = [part for part in _PARTS.split(value) if any(map(str.isalnum, part))]
    if not 1 < len(parts) <= 12:
        return None
    found = None
    for part in parts:
        own = ground_literal_text(part, said) or _part(part, said)
        if own is None:
            return None
        found = found or own
    return found._replace(level=NORMALISED, text=value[:80]) if found is not None else None


def _part(part: str, said: Said) -> Grounding | None:
    tokens = _tokens(part)
    return (
        _phrase(part, tokens, said) or _number(part, said) or ground_moment(fold(part), said) or _other_name(part, said)
    )


def ground_by_overlap(value: str, said: Said, enough: float) -> Grounding | None:
    """Ground a string of whose words enough are stated somewhere.

    What identifies is never nearly right: ids, addresses, days and formulas are stated whole or not at all.
    """
    tokens = [token for token in _tokens(value) if token not in STOPWORDS]
    if not tokens or _identifies(value):
        return None
    if "," in value and (completed := _completed(value, said)) is not None:
        return completed
    return _ground_most(tokens, said, enough)


def _ground_most(tokens: list[str], said: Said, enough: float) -> Grounding | None:
    """Ground words of which enough are stated, and each number and each short one."""
    found = [token for token in tokens if _is_stated(token, said)]
    if not found or len(found) < enough * len(tokens):
        return None
    stated = set(found)
    if any(token[0].isdigit() or len(token) < 3 for token in tokens if token not in stated):
        return None
    where = max(said.sources, key=lambda source: sum(token in source.words.tokens_set for token in found)).where
    return Grounding(OVERLAP, where, " ".join(found)[:80])


def _completed(value: str, said: Said) -> Grounding | None:
    """Ground a place that the value tells more fully than the text: "Chicago, IL" where Chicago is said."""
    first, *rest = [part.strip(" .") for part in value.split(",")]
    if not 0 < len(rest) < 3 or not all(other_names(part) for part in rest):
        return None
    found = ground_literal_text(first, said) or _part(first, said) if len(first) > 2 else None
    return None if found is None else found._replace(level=OVERLAP)


_IDENTIFIER = re.compile(r"\S*[@\d/\\=#^*]\S*")
_FORMULA = re.compile(r"[*^=<>]|\w\(")


def _identifies(value: str) -> bool:
    return _IDENTIFIER.fullmatch(value.strip()) is not None or _FORMULA.search(value) is not None


def _is_said(token: str, said: Said) -> bool:
    return token in said.tokens or stem(token) in said.stems


def _is_stated(token: str, said: Said) -> bool:
    if _is_said(token, said):
        return True
    if len(token) >= BEGINNING and token[:BEGINNING] in said.beginnings:
        return True
    return token.isalpha() and any(
        find_name(name, source.raw, source.folded) for name in other_names(token) for source in said.sources
    )


_SIGN = re.compile(r"[-+*/^=]")
_AROUND_SIGN = re.compile(r" ?([-+*/^=(),]) ?")
_LONGEST_NAME = 60
_MOST_SIGNS = 6
_ZONE = re.compile(
    r"(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Za-z_/-]{2,40}"
)
_LAMBDA = re.compile(r"lambda \w{1,20}(?:, ?\w{1,20}){0,5}: ?")


def ground_formula(value: str, said: Said) -> Grounding | None:
    """Find a formula however its powers, products and spaces are written."""
    if not _SIGN.search(value):
        return None
    wanted = _plain(_LAMBDA.sub("", fold(value).strip(), count=1))
    if len(wanted) < 2 or not any(map(str.isalnum, wanted)):
        return None
    for source in said.sources:
        if _SIGN.search(source.folded) and find_literal(_plain(source.folded), wanted) >= 0:
            return Grounding(NORMALISED, source.where, value[:80])
    return None


def _plain(folded: str) -> str:
    """Write a formula without the signs that several ways of writing leave out: of powers and of products."""
    joined = _AROUND_SIGN.sub(r"\1", " ".join(folded.split()))
    return joined.replace("*", "").replace("^", "")


def ground_spoken_signs(value: str, said: Said) -> Grounding | None:
    """Find a short value whose signs are read aloud."""
    signs = every("aloud")
    held = [each for each in signs if each in value]
    if not held or len(value) > _LONGEST_NAME or sum(map(value.count, held)) > _MOST_SIGNS:
        return None
    for source in said.sources:
        if _is_read_aloud(fold(value), signs, source.words.spaced):
            return Grounding(NORMALISED, source.where, value[:80])
    return None


def _is_read_aloud(folded: str, signs: dict[str, list[str]], spaced: str) -> bool:
    """Say whether a text holds the value with each sign as one of its words."""
    pattern = "".join(_aloud(each, signs) for each in folded)
    return re.search(rf"(?<= ){' '.join(pattern.split())} ", spaced) is not None


def _aloud(character: str, signs: dict[str, list[str]]) -> str:
    if character in signs:
        return f" (?:{'|'.join(map(re.escape, signs[character]))}) "
    return re.escape(character) if character.isalnum() else " "


def ground_zone(value: str, said: Said) -> Grounding | None:
    """Find the city that names a time zone of the IANA's: "New York" for `America/New_York`."""
    if not _ZONE.fullmatch(value):
        return None
    city = fold(value.rpartition("/")[2]).replace("_", " ")
    for source in said.sources:
        if find_literal(source.folded, city) >= 0:
            return Grounding(NORMALISED, source.where, city)
    return None


_CODE = re.compile(r"[A-Za-z]{1,8}[-_#/]?(\d{2,15})")


def ground_code(value: str, said: Said) -> Grounding | None:
    """Find the number of a code that is said without its letters: "invoice 2188" for `INV-2188`."""
    match = _CODE.fullmatch(value)
    if match is None:
        return None
    for source in said.sources:
        if find_literal(source.folded, match[1]) >= 0:
            return Grounding(OVERLAP, source.where, match[1])
    return None


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
        found = _figure(value, tool, path, said)
    if found is None and tool is not None:
        found = ground_in_schema(value, tool, path, tool_index)
    return found or _seldom(value, path, said)


def _seldom(value: str | int | float, path: Path, said: Said) -> Grounding | None:
    """Look for what few values are: formulas, signs read aloud, numbers and days beside a bound."""
    if isinstance(value, str):
        told = ground_formula(value, said) or ground_spoken_signs(value, said) or ground_zone(value, said)
        name = str(path[-1]) if path else ""
        return told or ground_code(value, said) or ground_excluding(value, name, said)
    return ground_bound(value, said) or ground_compass(value, said) or ground_multiple(value, said)


def _figure(value: int | float, tool: ToolView | None, path: Path, said: Said) -> Grounding | None:
    """Find a number as it is written or in other words, but in no time of day where its schema speaks of none."""
    about = frozenset() if tool is None else words_at(tool, path)
    found = ground_literal_number(value, said) or ground_number(value, said, about)
    return None if found is not None and tool is not None and is_part_of_time(value, about, said) else found


def _unspoken(value: bool | None, tool: ToolView | None, path: Path, tool_index: int, said: Said) -> Grounding | None:
    if value is None or tool is None:
        return Grounding(SCHEMA, f"/tools/{tool_index}/function/parameters", "null" if value is None else "")
    return ground_flag(value, tool, path, tool_index, said)


_LONGEST_SPAN = 200
"""Characters; who names a whole message names nothing in it."""
_EVIDENCE_CODE = re.compile(r"(?=.*\d)(?=.*[^\W\d])[\w./:#@+-]+", re.ASCII)
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
    for source in said.sources:
        if holds(source.folded, words):
            is_disproved = disproves(words, leaf.value, said, choices)
            return None if is_disproved else Grounding(ASSERTED, source.where, words)
    return None


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
    return isinstance(value, str) and bool(_EVIDENCE_CODE.fullmatch(value)) and not is_written_moment(value)


def is_written_moment(value: JsonValue) -> bool:
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
    return not _begin_alike(named, given) and len(named) > 1 and not other_names(value)


def _begin_alike(some: frozenset[str], others: frozenset[str]) -> bool:
    """Say whether any of some words begins as any of others does."""
    return any(one[:2] == other[:2] for one in some for other in others)


def _is_nearly(words: str, value: str, said: Said) -> bool:
    """Say whether a value has some of a name's words in it, and one that nobody said in the place of another."""
    own, given = _words_of(words), _words_of(value)
    common = own & given
    if not common or own <= given or len(own) > _MOST_NAMES:
        return False
    if not _has_capital(words, own - given):
        return False
    new = [token for token in given - own if not _is_said(token, said)]
    share = 0 if speaks_english(said) else len(given) / 2
    return bool(new) and len(common) > share and not any(map(other_names, new))


def _has_capital(text: str, tokens: set[str]) -> bool:
    """Say whether a text writes a word that begins with any of some tokens with a capital."""
    return any(fold(word).startswith(token) for token in tokens for word in text.split() if word[0].isupper())


def _words_of(text: str) -> set[str]:
    return {token for token in tokens_of(fold(text)) if token.isalpha() and token not in STOPWORDS}


def _name_of(text: str) -> frozenset[str]:
    """Return the words of a name, folded; none where the text is none: every word of one begins with a capital."""
    words = text.split()
    long = [word for word in words if len(word) > 3]
    if not long or len(words) > _MOST_NAMES or not all(map(_begins_with_capital, long)):
        return frozenset()
    return frozenset(token for token in tokens_of(fold(text)) if token.isalpha() and len(token) > 1)


def _begins_with_capital(word: str) -> bool:
    return word[0].isupper() and word.isascii()
