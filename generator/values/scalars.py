"""Strings, numbers and flags: first what the name means, then what the constraints need."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from functools import lru_cache, partial

from generator.errors import GaveUp
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.schemas.limits import LONGEST_TEXT
from generator.values.draw import Draw, Maker, TextMaker, later
from generator.values.hints import Hint
from generator.values.meanings.numbers import (
    Bounds,
    bounds_of,
    draw_within,
    number_meaning,
    number_range,
    special_number,
)
from generator.values.meanings.specials import pool_maker
from generator.values.meanings.texts import text_maker
from generator.values.patterns.texts import TRIES, ConstrainedTexts, fitted, format_text

_LONGEST_PATTERN = 1_000
_FLAG_WORDS = frozenset("is has should include enable allow use with show can was are do needs must".split())
_DEGREES = frozenset({"latitude", "longitude"})
_TELLING = tuple(
    (kind, frozenset(words.split()))
    for kind, words in (
        ("object", "properties required patternProperties minProperties maxProperties propertyNames dependentRequired"),
        ("array", "items prefixItems minItems maxItems uniqueItems contains"),
        ("string", "pattern minLength maxLength format contentEncoding"),
        ("number", "minimum maximum multipleOf exclusiveMinimum exclusiveMaximum"),
    )
)
"""Types, and keywords that speak of values of that type."""
_MOSTLY_TRUE = frozenset(
    "active available verified enabled success valid include in stock open public confirmed".split()
)
_MOSTLY_FALSE = frozenset(
    "deleted archived locked draft private error failed blocked banned expired fork disabled".split()
)


def preferred_types(hint: Hint) -> frozenset[str]:
    """Return the types a value should rather have, judged by the raw schema, else by the name."""
    if declared := _declared_types(hint):
        return _with_whole(declared)
    if any(_is_beyond_python(source["pattern"]) for source in hint.sources if isinstance(source.get("pattern"), str)):
        return frozenset({"integer", "number"})
    if told := _told_type(hint):
        return _with_whole({told})
    return _types_by_name(hint)


def _declared_types(hint: Hint) -> set[str]:
    declared: set[str] = set()
    for source in hint.sources:
        kind = source.get("type", ())
        declared.update([kind] if isinstance(kind, str) else kind if isinstance(kind, list) else ())
    return declared


def _told_type(hint: Hint) -> str:
    """Return the type of which the first keyword that is of one type speaks; "" where there is none."""
    for source in hint.sources:
        for kind, words in _TELLING:
            if not words.isdisjoint(source):
                return kind
    return ""


def _with_whole(types: set[str]) -> frozenset[str]:
    """Return the types, with that of whole numbers where numbers are among them."""
    return frozenset(types | {"integer"} if "number" in types else types)


@lru_cache(maxsize=4096)
def _is_beyond_python(pattern: str) -> bool:
    """Say whether Python's `re` cannot read a pattern: consumers that use it would fail on any text."""
    try:
        re.compile(pattern[:_LONGEST_PATTERN])
    except (re.error, OverflowError, RecursionError):
        return len(pattern) <= _LONGEST_PATTERN
    return False


def _types_by_name(hint: Hint) -> frozenset[str]:
    default = hint.default
    if isinstance(default, bool) or (hint.words and hint.words[0] in _FLAG_WORDS):
        return frozenset({"boolean"})
    if set(hint.words) & _DEGREES:
        return frozenset({"number"})
    if isinstance(default, (int, float)) or (not isinstance(default, str) and number_meaning(hint.words)):
        return frozenset({"integer", "number"})
    return frozenset({"string"})


def share_of_null(hint: Hint) -> tuple[float, float]:
    """Return how often null is chosen where it may be: in an argument, in a result."""
    return (0.0, 0.12)


def boolean_maker(hint: Hint) -> Maker:
    """Compile a flag: in an argument rather what is not the default, in a result by its name."""
    default = next((source["default"] for source in hint.sources if isinstance(source.get("default"), bool)), None)
    words = set(hint.words)
    share = 0.85 if words & _MOSTLY_TRUE else 0.1 if words & _MOSTLY_FALSE else 0.5

    def make(draw: Draw) -> bool:
        if draw.exploring:
            return draw.chance(0.5)
        if draw.for_argument and default is not None:
            return draw.chance(0.15) is bool(default)
        return draw.chance(share if not draw.for_argument else 0.75)

    return make


_ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "base64": base64.b64encode,
    "base64url": base64.urlsafe_b64encode,
    "base32": base64.b32encode,
    "base16": base64.b16encode,
}


def content_maker(hint: Hint) -> TextMaker | None:
    """Return a maker of such texts; None where the schema says neither."""
    for source in hint.sources:
        if "contentMediaType" in source or "contentEncoding" in source:
            break
    else:
        return None
    media, encoding = _said(hint, "contentMediaType"), _said(hint, "contentEncoding")
    if not media and not encoding:
        return None
    note, encode = pool_maker("note"), _ENCODERS.get(encoding)

    def make(draw: Draw) -> str:
        text = _written(media, note(draw))
        return text if encode is None else encode(text.encode()).decode()

    return make


def _said(hint: Hint, keyword: str) -> str:
    said: JsonValue = next((source[keyword] for source in hint.sources if isinstance(source.get(keyword), str)), "")
    return str(said).lower()


def _written(media: str, text: str) -> str:
    if media.endswith("json"):
        return dump_compact({"message": text})
    return f"<p>{text}</p>" if media.endswith(("html", "xml")) else text


_MEANT_TRIES = 4
_COST_OF_CANDIDATE = 10
_TEXT_KEYWORDS = frozenset(("pattern", "format", "not", "allOf", "minLength", "maxLength"))


def number_maker(node: JsonObject, hint: Hint, *, whole: bool) -> Maker:
    """Compile a number node: plausible for its name, within its bounds."""
    bounds = bounds_of(node, whole=whole)
    wanted = number_range(hint, bounds, whole=whole)
    special = special_number(hint)

    def make(draw: Draw) -> JsonValue:
        if draw.exploring:
            return draw_within(bounds, draw, None, whole=whole)
        if special is not None and (value := _admitted(special(draw), bounds, whole)) is not None:
            return value
        return draw_within(bounds, draw, wanted, whole=whole)

    return make


def _admitted(value: float | None, bounds: Bounds, whole: bool) -> JsonValue:
    if value is None:
        return None
    number = round(value) if whole else value
    return number if bounds.admits(number) else None


def string_maker(node: JsonObject, hint: Hint, accepts: Callable[[JsonValue], bool]) -> Maker:
    """Compile a string node: what the name means where it fits, else what pattern, format and lengths ask for."""
    shortest, longest = int(node.get("minLength", 0)), node.get("maxLength")
    if shortest > LONGEST_TEXT:
        raise GaveUp(f"minLength {shortest:,} is over the limit of {LONGEST_TEXT:,} characters")
    pattern, form = node.get("pattern"), node.get("format")
    if pattern is None and form is None and "not" not in node and "allOf" not in node:
        meant = _meant(hint)
        return _sized(meant, shortest, longest) if shortest > 1 or longest is not None else _non_empty(meant)
    by_name = later(partial(_meant, hint))  # what has a format is seldom asked for what its name means
    found: list[ConstrainedTexts] = []
    refused = f"a text broke one of {', '.join(sorted(node.keys() & _TEXT_KEYWORDS))}"

    def make(draw: Draw) -> str:
        if not draw.exploring:
            for _ in range(_MEANT_TRIES):
                text = (format_text(form, hint, draw) if form else None) or str(by_name(draw))
                if accepts(text):
                    return text
        if not found:  # what the name means was good enough till now
            found.append(ConstrainedTexts(node))
        constrained = found[0]
        for attempt in range(TRIES):
            mark = draw.mark()
            text = constrained.make(draw, attempt)
            if accepts(text):
                return text
            draw.refuse(mark, refused, _COST_OF_CANDIDATE)
        return text

    return make


def _meant(hint: Hint) -> TextMaker:
    return content_maker(hint) or text_maker(hint)


def _non_empty(meant: TextMaker) -> Maker:
    return lambda draw: meant(draw) or "none"


def _sized(meant: TextMaker, shortest: int, longest: int | None) -> Maker:
    def make(draw: Draw) -> str:
        text = ""
        for _ in range(_MEANT_TRIES):
            text = meant(draw)
            if len(text) >= shortest and (longest is None or len(text) <= longest):
                return text
        return fitted(text, shortest, longest, draw)

    return make
