"""Preferences: of several values a schema admits, the one a person would expect."""

from __future__ import annotations

import re
from functools import lru_cache

from generator.values.draw import Draw, Maker
from generator.values.hints import Hint
from generator.values.number_meanings import number_meaning

_LONGEST_PATTERN = 1_000
_OBJECT_WORDS = (
    "properties",
    "required",
    "patternProperties",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "dependentRequired",
)
_ARRAY_WORDS = ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains")
_STRING_WORDS = ("pattern", "minLength", "maxLength", "format", "contentEncoding")
_NUMBER_WORDS = ("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum")
_FLAG_WORDS = frozenset("is has should include enable allow use with show can was are do needs must".split())
_DEGREES = frozenset({"latitude", "longitude"})
_TELLING = (("object", _OBJECT_WORDS), ("array", _ARRAY_WORDS), ("string", _STRING_WORDS), ("number", _NUMBER_WORDS))
_MOSTLY_TRUE = frozenset(
    "active available verified enabled success valid include in stock open public confirmed".split()
)
_MOSTLY_FALSE = frozenset(
    "deleted archived locked draft private error failed blocked banned expired fork disabled".split()
)


def preferred_types(hint: Hint) -> frozenset[str]:
    """Return the types a value should rather have, judged by the raw schema, else by the name."""
    declared: set[str] = set()
    for source in hint.sources:
        kind = source.get("type", ())
        declared.update([kind] if isinstance(kind, str) else kind if isinstance(kind, list) else ())
    if declared:
        return frozenset(declared | ({"integer"} if "number" in declared else set()))
    if any(_is_beyond_python(source["pattern"]) for source in hint.sources if isinstance(source.get("pattern"), str)):
        return frozenset({"integer", "number"})
    told = [kind for source in hint.sources for kind, words in _TELLING if any(word in source for word in words)]
    if told:
        return frozenset({told[0], "integer"} if told[0] == "number" else {told[0]})
    return _types_by_name(hint)


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
