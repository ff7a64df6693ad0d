"""What a number means: a plausible range and step for its name, its description's range, its default's scale."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from generator.values.draw import Draw
from generator.values.hints import Hint, tells
from generator.values.meanings.entities import place
from generator.values.meanings.names import singular
from generator.values.meanings.pools import rows
from generator.values.meanings.times import epoch
from generator.values.numbers import Bounds

Range = tuple[float, float, float]


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Range]:
    """The ranges of `numbers.rows` by field name; the first row that names a field has it."""
    found: dict[str, Range] = {}
    for low, high, step, names in rows("numbers"):
        for name in names.split(", "):
            found.setdefault(name, (float(low), float(high), float(step)))
    return found


@lru_cache(maxsize=1)
def _senses() -> dict[str, list[tuple[str, Range]]]:
    """The senses of `number_senses.rows` by the last word of the field's name."""
    found: dict[str, list[tuple[str, Range]]] = {}
    for name, told, low, high, step in rows("number_senses"):
        found.setdefault(name, []).append((told, (float(low), float(high), float(step))))
    return found


def _sensed(hint: Hint) -> Range | None:
    """Return the range of the sense that the name, the description or the tool tells."""
    last = next((singular(word) for word in reversed(hint.words) if not word.isdecimal()), "")
    senses = _senses().get(last, ())
    for text in hint.contexts if senses else ():
        for told, span in senses:
            if tells(told, text):
                return span
    return None


_YEAR_WANTED = re.compile(
    r"calendar|\bin which\b|\bof the\b|year (?:of|in|for|to|when|was|they)|\b(?:19|20)\d\d\b|specific year|"
    r"which year|fiscal|the year",
    re.I,
)
_YEARS_COUNTED = re.compile(r"number of years|how many years|in years", re.I)
_COUNTING = frozenset(("num", "number", "duration", "count"))
_OF_A_PERSON = re.compile(r"person|patient|your|user|individual|bmi|body", re.I)
_LONG_AGO = re.compile(
    r"\bhistorical event|\bhistory\b|\bwars?\b|\bpaint|\bartwork|\bart\b|\bdiscover(?:y|ed|ies)|\binvent", re.I
)
_EVERYDAY = (1e-4, 1e7)
"""Outside of it a default tells a constant of nature, from which nobody strays."""
_FAR_OFF = 4
"""A range whose end is so many times away from the default does not know the field."""
_PER_CENT_AS_FRACTION = re.compile(r"decimal|\b0?\.\d+\b|0 (?:to|and) 1\b|between 0 and 1|fraction|0\.0", re.I)
_UNIT_RANGES = (
    (re.compile(r"\bcentimet|\bin cm\b|\(cm\)", re.I), {"height": (150, 195, 1), "length": (10, 120, 5)}),
    (
        re.compile(r"\bin feet\b|\bfeet\b|\bft\b", re.I),
        {"height": (5, 60, 1), "length": (4, 40, 1), "width": (3, 30, 1)},
    ),
    (re.compile(r"\binch", re.I), {"height": (58, 78, 1), "length": (4, 60, 1), "width": (4, 40, 1)}),
    (
        re.compile(r"\bmeters?\b|\bmetres?\b|\(m\)|\bin m\b", re.I),
        {
            "height": (2, 80, 1),
            "length": (2, 50, 1),
            "distance": (50, 2000, 50),
            "radius": (1, 25, 1),
            "width": (2, 20, 1),
        },
    ),
    (re.compile(r"\bpounds?\b|\blbs?\b", re.I), {"weight": (110, 240, 5)}),
    (re.compile(r"\bfahrenheit\b|°F", re.I), {"temperature": (38, 95, 1), "temp": (38, 95, 1)}),
    (re.compile(r"\bkelvin\b", re.I), {"temperature": (260, 420, 5), "temp": (260, 420, 5)}),
    (
        re.compile(
            r"\bgeomet|triangle|cylinder|cone|pyramid|rectang|trapez|prism|falling|dropped|building|projectile", re.I
        ),
        {"height": (3, 60, 1)},
    ),
    (re.compile(r"\bsphere|circle|cylinder|cone|disk|orbit", re.I), {"radius": (2, 25, 1)}),
)  # fmt: skip
_PERSON_HEIGHTS: dict[str, Range] = {
    "cent": (152, 194, 1),
    "cm": (152, 194, 1),
    "inch": (59, 76, 1),
    "feet": (5, 6.5, 0.1),
    "meter": (1.52, 1.94, 0.01),
}
_FRACTIONS = frozenset(
    "rate percentage percent interest yield growth discount inflation return probability tax".split()
)
"""Words of shares, which some fields want in per cent and some as a part of one."""
_NICE_STEPS = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 50, 100, 500, 1000, 5000, 10_000, 100_000, 1_000_000)


@lru_cache(maxsize=8192)
def number_meaning(words: tuple[str, ...]) -> Range | None:
    """Return the range of the longest tail of the name that is known; counts by their prefix."""
    words = tuple(word for word in words if not word.isdecimal()) or words
    named = _by_name()
    for start in range(max(0, len(words) - 3), len(words)):
        tail = words[start:]
        for key in (" ".join(tail), " ".join((*tail[:-1], singular(tail[-1])))):
            if key in named:
                return named[key]
    if words and words[0] in ("num", "number", "count", "total", "max", "min", "n", "no"):
        return (1, 10, 1)
    return None


def number_range(hint: Hint, bounds: Bounds, *, whole: bool) -> Range | None:
    """Return the (low, high, step) a number should rather come from; None where nothing tells."""
    wanted = _told(hint, whole) or _sensed(hint) or _meant(hint, whole)
    near = _near_default(hint, whole)
    wanted = near if wanted is None or (near is not None and _is_far_off(wanted, _default_number(hint))) else wanted
    if wanted is None:
        return None
    if not whole and wanted[0] >= 1 and _FRACTIONS & set(hint.words) and _PER_CENT_AS_FRACTION.search(hint.description):
        low, high, step = wanted
        wanted = (low / 100, high / 100, step / 100)
    return _within(wanted, bounds, whole)


def _is_far_off(wanted: Range, default: float | None) -> bool:
    """Say whether the default lies far from the range that a name suggests: the speed of light among speeds."""
    if default is None or default <= 0 or wanted[0] < 0:
        return False
    return default > wanted[1] * _FAR_OFF or default * _FAR_OFF < wanted[0]


def _told(hint: Hint, whole: bool) -> Range | None:
    if hint.told_range is None:
        return None
    low, high = hint.told_range
    if low > 1900 and high < 2100:
        return (low, high, 1)
    if not whole and (low, high) == (0, 1):
        return (0.05, 0.95, 0.01)
    return (low, high, _nice_step(high - low, whole))


def _nice_step(span: float, whole: bool) -> float:
    step = next((nice for nice in reversed(_NICE_STEPS) if nice * 8 <= span), 1 if whole else 0.01)
    return max(1, step) if whole else step


def _meant(hint: Hint, whole: bool) -> Range | None:
    words = hint.words
    last = next((singular(word) for word in reversed(words) if not word.isdecimal()), "")
    text = f"{hint.description} {hint.topic[0].replace('_', ' ')} {hint.topic[1]}"
    if last == "year" and _is_calendar_year(hint):
        return (2010, 2025, 1) if not _LONG_AGO.search(text) else (1800, 2010, 5)
    return _measured(last, text, hint) or _named(last, hint, whole)


def _is_calendar_year(hint: Hint) -> bool:
    """Say whether a field whose name ends in `year` means one of the calendar rather than how many."""
    words, description = hint.words, hint.description
    if words[-1] == "years" or not _COUNTING.isdisjoint(words) or _YEARS_COUNTED.search(description):
        return False
    return len(words) == 1 or bool(_YEAR_WANTED.search(description))


def _measured(last: str, text: str, hint: Hint) -> Range | None:
    """Return the range of a length, a weight, a temperature, in the unit that is told."""
    if last in ("height", "m") and _OF_A_PERSON.search(text):
        return _PERSON_HEIGHTS[next((unit for unit in _PERSON_HEIGHTS if unit in hint.description.lower()), "cent")]
    return next((spans[last] for pattern, spans in _UNIT_RANGES if last in spans and pattern.search(text)), None)


def _named(last: str, hint: Hint, whole: bool) -> Range | None:
    """Return the range that the name tells, shares and spans of time by their unit."""
    words = hint.words
    span = number_meaning(words)
    if set(words) & _FRACTIONS and _PER_CENT_AS_FRACTION.search(hint.description) and not whole:
        return (0.01, 0.12, 0.005) if not set(words) & {"probability"} else (0.05, 0.95, 0.05)
    if last == "time" and whole:
        return (5, 60, 5)
    if last == "time":
        return (1, 20, 0.5)
    if span is not None and whole and span[2] < 1:
        return (max(1, span[0]), max(span[1], 5), 1)
    return span


_TOLD_DEFAULT = re.compile(
    r"\bdefaults?(?: value)?(?: is| to|:)?(?: approximated to be)? (-?\d+(?:\.\d+)?(?:e-?\d+)?)(?![\d.]*[*^/])", re.I
)


def _default_number(hint: Hint) -> float | None:
    """Return the default, or example, that is declared or told."""
    for value in (hint.default, *hint.declared_examples):
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value
    told = _TOLD_DEFAULT.search(hint.description) if "default" in hint.folded else None
    return float(told[1]) if told is not None else None


def _near_default(hint: Hint, whole: bool) -> Range | None:
    default = _default_number(hint)
    if default is None or default == 0 or abs(default) > 1e15:
        return None
    low, high = sorted((default * 0.5, default * 2 + (4 if whole and 0 < default < 4 else 0)))
    step = _nice_step(high - low, whole)
    low = max(step, round(low / step) * step) if default > 0 else round(low / step) * step
    return (low, max(high, low + step), step)


def _within(wanted: Range, bounds: Bounds, whole: bool) -> Range | None:
    """Cut the wanted range to the bounds; None where nothing of it is left."""
    low, high, step = wanted
    if bounds.low is not None and bounds.low > low:
        low = low + step * -((float(bounds.low) - low) // -step)
    if bounds.high is not None and bounds.high < high:
        high = float(bounds.high)
    if low > high or (low == high and wanted[0] != wanted[1]):
        return None
    if bounds.grid is not None and bounds.grid != 1 and (step / float(bounds.grid)) % 1:
        return None
    return (low, high, max(1, round(step)) if whole else step)


def special_number(hint: Hint) -> Callable[[Draw], float | None] | None:
    """Return a maker for numbers that belong to an entity: coordinates, moments."""
    words = {singular(word) for word in hint.words}
    constant = _default_number(hint)
    if constant is not None and constant > 0 and not _EVERYDAY[0] <= constant <= _EVERYDAY[1]:
        return lambda draw: constant
    if words & {"latitude", "lat"}:
        return lambda draw: place(draw, _place_role(hint)).latitude
    if words & {"longitude", "lon", "lng"} or (words & {"long"} and "ongitude" in hint.description):
        return lambda draw: place(draw, _place_role(hint)).longitude
    if words & {"timestamp", "epoch", "unix"} or (hint.words[-1:] == ("at",)):
        scale = 1000 if "milli" in hint.description else 1
        return lambda draw: epoch(hint, draw) * scale
    return None


def _place_role(hint: Hint) -> str:
    noise = {"latitude", "lat", "longitude", "lon", "lng", "long", "coordinate", "location"}
    return " ".join(word for word in hint.words if word not in noise)
