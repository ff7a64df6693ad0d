"""Strings and numbers: first what the name means, then what the constraints need."""

from __future__ import annotations

from collections.abc import Callable

from generator.errors import GaveUp
from generator.jsontext import JsonObject, JsonValue
from generator.values.contents import content_maker
from generator.values.draw import Draw, Maker, TextMaker
from generator.values.formats import format_text
from generator.values.hints import Hint
from generator.values.languages import Declined, Language
from generator.values.number_meanings import number_range, special_number
from generator.values.numbers import Bounds, bounds_of, draw_within
from generator.values.patterns import PatternTexts
from generator.values.text_demands import demands_of
from generator.values.text_meanings import text_maker

_MEANT_TRIES = 4
_PATTERN_TRIES = 60
_LONGEST_TEXT = 200_000
_LUCKY_TRIES = 6
"""Candidates drawn as people write them, before all demands are met at once."""


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
    meant = content_maker(hint) or text_maker(hint)
    shortest, longest = int(node.get("minLength", 0)), node.get("maxLength")
    if shortest > _LONGEST_TEXT:
        raise GaveUp(f"minLength {shortest:,} is over the limit of {_LONGEST_TEXT:,} characters")
    pattern, form = node.get("pattern"), node.get("format")
    if pattern is None and form is None and "not" not in node and "allOf" not in node:
        return _sized(meant, shortest, longest) if shortest > 1 or longest is not None else _non_empty(meant)
    constrained = _constrained(node, shortest, longest)

    def make(draw: Draw) -> str:
        if not draw.exploring:
            for _ in range(_MEANT_TRIES):
                text = (format_text(form, hint, draw) if form else None) or meant(draw)
                if accepts(text):
                    return text
        for attempt in range(_PATTERN_TRIES):
            text = constrained(draw, attempt)
            if accepts(text):
                return text
            draw.spend()
        return text

    return make


def _non_empty(meant: TextMaker) -> Maker:
    return lambda draw: meant(draw) or "none"


def _constrained(node: JsonObject, shortest: int, longest: int | None) -> Callable[[Draw, int], str]:
    """Make candidates in turn: from a pattern or a format as people write it, from the language of all demands."""
    demands = demands_of(node)
    patterns = [PatternTexts(pattern) for pattern in demands.patterns]
    language: list[Language | None] = []

    def of_all(draw: Draw, attempt: int) -> str | None:
        if demands.are_simple and attempt < _LUCKY_TRIES:
            return None
        if not language:
            language.append(demands.language())
        return _of_language(language[0], draw, shortest, longest) if language[0] is not None else None

    def of_pattern(draw: Draw, attempt: int) -> str | None:
        if len(patterns) > 1 and attempt % 4 < 2:
            order = patterns if attempt % 8 < 2 else patterns[::-1]
            return "".join([pattern.make(draw.random, 0, longest) for pattern in order])
        one = patterns[attempt % len(patterns)] if patterns else None
        return None if one is None else one.make(draw.random, shortest, longest, generous=attempt > _PATTERN_TRIES // 3)

    def of_format(draw: Draw, attempt: int) -> str | None:
        forms = demands.formats
        bare = attempt > _LUCKY_TRIES
        return format_text(forms[attempt % len(forms)], Hint(()), draw, bare=bare) if forms else None

    def of_length(draw: Draw, attempt: int) -> str:
        return fitted("", draw.whole(shortest, shortest + 8), longest, draw)

    ways = (of_format, of_all, of_pattern) if demands.formats else (of_all, of_pattern)

    def make(draw: Draw, attempt: int) -> str:
        draw.spend(1 + shortest // 100)
        for way in (*ways[attempt % len(ways) :], *ways[: attempt % len(ways)]):
            if (text := way(draw, attempt)) is not None:
                return text
        return of_length(draw, attempt)

    return make


def _of_language(language: Language, draw: Draw, shortest: int, longest: int | None) -> str:
    try:
        return language.make(draw.random, shortest, longest)
    except Declined:
        return fitted("", shortest, longest, draw)


def _sized(meant: TextMaker, shortest: int, longest: int | None) -> Maker:
    def make(draw: Draw) -> str:
        text = ""
        for _ in range(_MEANT_TRIES):
            text = meant(draw)
            if len(text) >= shortest and (longest is None or len(text) <= longest):
                return text
        return fitted(text, shortest, longest, draw)

    return make


def fitted(text: str, shortest: int, longest: int | None, draw: Draw) -> str:
    """Cut a text at a word where it is too long, lengthen it where it is too short."""
    if longest is not None and len(text) > longest:
        cut = text[:longest]
        shorter = cut.rsplit(" ", 1)[0].rstrip(" ,.;:")
        text = shorter if len(shorter) >= max(shortest, longest // 2) else cut
    if len(text) < shortest and shortest - len(text) > 2000:
        draw.spend(shortest // 100)
        text = (text + " and so on").ljust(shortest, ".")
    while len(text) < shortest:
        text += "".join(draw.random.choices("abcdefghjkmnpqrstuvwxyz23456789", k=min(8, shortest - len(text))))
    return text
