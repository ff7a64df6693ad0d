"""Strings and numbers: first what the name means, then what the constraints need."""

from __future__ import annotations

from collections.abc import Callable

from generator.errors import GaveUp
from generator.jsontext import JsonObject, JsonValue
from generator.values.constrained_texts import TRIES, ConstrainedTexts
from generator.values.contents import content_maker
from generator.values.draw import Draw, Maker, TextMaker
from generator.values.formats import format_text
from generator.values.hints import Hint
from generator.values.number_meanings import number_range, special_number
from generator.values.numbers import Bounds, bounds_of, draw_within
from generator.values.text_lengths import fitted
from generator.values.text_meanings import text_maker

_MEANT_TRIES = 4
_COST_OF_CANDIDATE = 10
_LONGEST_TEXT = 200_000
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
    meant = content_maker(hint) or text_maker(hint)
    shortest, longest = int(node.get("minLength", 0)), node.get("maxLength")
    if shortest > _LONGEST_TEXT:
        raise GaveUp(f"minLength {shortest:,} is over the limit of {_LONGEST_TEXT:,} characters")
    pattern, form = node.get("pattern"), node.get("format")
    if pattern is None and form is None and "not" not in node and "allOf" not in node:
        return _sized(meant, shortest, longest) if shortest > 1 or longest is not None else _non_empty(meant)
    found: list[ConstrainedTexts] = []
    refused = f"a text broke one of {', '.join(sorted(node.keys() & _TEXT_KEYWORDS))}"

    def make(draw: Draw) -> str:
        if not draw.exploring:
            for _ in range(_MEANT_TRIES):
                text = (format_text(form, hint, draw) if form else None) or meant(draw)
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
