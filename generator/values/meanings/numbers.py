"""Numbers: what one means by its name, description and default, and how it is kept within bounds, exactly."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from generator.errors import GaveUp
from generator.jsontext import JsonObject
from generator.values.draw import Draw
from generator.values.hints import Hint, singular, tells
from generator.values.meanings.entities import place
from generator.values.meanings.pools import rows
from generator.values.meanings.times import epoch

_WIDEST = 2**53
_WANTED_TRIES = 4
_SMALLEST_INTEGER, _LARGEST_INTEGER = -(2**63), 2**64 - 1
_TRIES = 40
_MOST_KNOWN = 1024


@dataclass(frozen=True, slots=True)
class Bounds:
    """The closed interval and the grid a number lies on; None where it is open."""

    low: Fraction | None
    high: Fraction | None
    grid: Fraction | None
    open_low: bool = False
    open_high: bool = False
    _known: dict[float, bool] = field(default_factory=dict, compare=False, repr=False)
    """What was found about values before."""
    _steps: list[tuple[int, int, Fraction]] = field(default_factory=list, compare=False, repr=False)

    def admits(self, value: float) -> bool:
        """Say whether the value lies in the interval and on the grid, exactly as written in decimal."""
        if (
            self.low is None
            and self.high is None
            and (self.grid is None or (self.grid.denominator == 1 == self.grid.numerator and isinstance(value, int)))
        ):
            return True  # most numbers: exact arithmetic costs more than all else about them
        if value not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[value] = self._holds(exact_value(value))
        return self._known[value]

    def steps(self) -> tuple[int, int, Fraction]:
        """Return the first and the last multiple of a step that lie in the interval, counted in steps, and the step."""
        if not self._steps:
            low, high = _interval(self)
            step = self.grid or _natural_step(low, high)
            first, last = ceil(low / step), floor(high / step)
            self._steps.append((first + (self.open_low and first * step == low),
                                last - (self.open_high and last * step == high), step))  # fmt: skip
        return self._steps[0]

    def _holds(self, exact: Fraction) -> bool:
        if self.low is not None and (exact < self.low or (self.open_low and exact == self.low)):
            return False
        if self.high is not None and (exact > self.high or (self.open_high and exact == self.high)):
            return False
        return self.grid is None or (exact / self.grid).denominator == 1


_BOUNDING = frozenset("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split())
_ANY_INTEGER = Bounds(None, None, Fraction(1))
_ANY_NUMBER = Bounds(None, None, None)


@lru_cache(maxsize=8192)
def exact_value(number: float | int | Decimal) -> Fraction:
    """Return the number a JSON text means: 0.1 is a tenth; a canonical form may hold a Decimal."""
    return Fraction(Decimal(repr(number))) if isinstance(number, float) else Fraction(number)


def bounds_of(node: JsonObject, *, whole: bool) -> Bounds:
    """Read the bounds of a canonical node; `whole` adds the grid of the integers."""
    if _BOUNDING.isdisjoint(node):
        return _ANY_INTEGER if whole else _ANY_NUMBER
    low, open_low = _edge(node, "minimum", "exclusiveMinimum", max)
    high, open_high = _edge(node, "maximum", "exclusiveMaximum", min)
    grid = exact_value(node["multipleOf"]) if "multipleOf" in node else None
    if whole:
        grid = Fraction(1) if grid is None else Fraction(_lcm_fraction(grid, Fraction(1)))
    return Bounds(low, high, grid, open_low, open_high)


def _edge(node: JsonObject, closed: str, strict: str, stricter: object) -> tuple[Fraction | None, bool]:
    edges = [(exact_value(node[key]), key == strict) for key in (closed, strict) if key in node]
    if not edges:
        return None, False
    if len(edges) == 1:
        return edges[0]
    (first, _), (second, _) = edges
    if first == second:
        return first, True
    return edges[0] if (stricter is max) == (first > second) else edges[1]


def _lcm_fraction(left: Fraction, right: Fraction) -> Fraction:
    from math import gcd, lcm

    return Fraction(lcm(left.numerator, right.numerator), gcd(left.denominator, right.denominator))


def draw_within(bounds: Bounds, draw: Draw, wanted: tuple[float, float, float] | None, *, whole: bool) -> int | float:
    """Draw a number within the bounds, in the wanted (low, high, step) as far as the bounds allow."""
    if wanted is not None:
        value = _draw_wanted(bounds, draw, wanted, whole)
        if value is not None:
            return value
    first, last, step = bounds.steps()
    if first > last:
        return _between(*_interval(bounds), whole)
    return _on_grid(first, last, step, draw, whole)


def _draw_wanted(bounds: Bounds, draw: Draw, wanted: tuple[float, float, float], whole: bool) -> int | float | None:
    low, high, step = wanted
    steps = int((high - low) / step + 1e-9)
    admitted: int | float | None = None
    for _ in range(_WANTED_TRIES):
        value = low + draw.whole(0, steps) * step
        number = round(value) if whole else tidy(value, step)
        if bounds.admits(number):
            admitted = number
            if reads_alike(number):
                break
    return admitted


@lru_cache(maxsize=8192)
def reads_alike(number: int | float) -> bool:
    """Say whether fast JSON readers, pandas' and with it that of `datasets`, read the number as it is.

    They multiply the digits behind the point by a power of ten: 0.3 becomes 3 * 0.1, which is another number.
    """
    whole, point, digits = repr(number).partition(".")
    if not point or not digits.isdigit():
        return True
    return int(whole.lstrip("-")) + int(digits) * float(f"1e-{len(digits)}") == abs(number)


def tidy(value: float, step: float) -> float:
    """Round away the float noise of `value`, a multiple of `step`; whole values stay floats of that value."""
    digits = 0
    while step != int(step) and digits < 10:
        step, digits = step * 10, digits + 1
    return round(value, digits) if digits else round(value)


def _interval(bounds: Bounds) -> tuple[Fraction, Fraction]:
    """Close the open sides about where people's numbers are."""
    span = max(Fraction(100), (bounds.grid or Fraction(1)) * 20)
    low, high = bounds.low, bounds.high
    if high is None:
        start = Fraction(1) if span < _WIDEST else Fraction(0)  # of a grid so wide, nought alone can be written
        return (start, span) if low is None else (low, low + max(span, abs(low)))
    if low is None:
        return (high - span if high <= 0 else Fraction(0), high)
    return (low, high)


def _natural_step(low: Fraction, high: Fraction) -> Fraction:
    span = high - low
    for step in (Fraction(1), Fraction(1, 10), Fraction(1, 100)):
        if span >= step * 10:
            return step
    step = Fraction(1, 100)
    while span and span < step * 10 and step > Fraction(1, 10**300):
        step /= 10
    return step


def _on_grid(first: int, last: int, step: Fraction, draw: Draw, whole: bool) -> int | float:
    """Draw a multiple of the step which float arithmetic knows as a multiple too."""
    if last - first > _WIDEST:
        last = first + _WIDEST
    if step.denominator == 1 and max(abs(first), abs(last)) * step.numerator <= _WIDEST:
        return (first + int(draw.random.random() * (last - first + 1))) * step.numerator
    value: int | float = 0
    for _ in range(_TRIES):
        value = _number((first + int(draw.random.random() * (last - first + 1))) * step, whole)
        if _is_multiple(value, step) and reads_alike(value):
            return value
    for factor in range(first, min(last, first + 200) + 1):
        value = _number(factor * step, whole)
        if _is_multiple(value, step):
            return value
    return value


def _is_multiple(value: int | float, step: Fraction) -> bool:
    """Say whether float arithmetic, too, finds a number to be the multiple of the step that it is."""
    if isinstance(value, int):
        return True
    try:
        quotient = value / float(step)
    except (OverflowError, ZeroDivisionError):
        return True
    return quotient == int(quotient) if abs(quotient) < 1e300 else False


def _number(exact: Fraction, whole: bool) -> int | float:
    """Return the number as JSON readers can hold it.

    Raises:
        GaveUp: it is an integer beyond 64 bits, or larger than any float.
    """
    if whole and not _SMALLEST_INTEGER <= exact <= _LARGEST_INTEGER:
        raise GaveUp("the schema asks for an integer that 64 bits cannot hold")
    if whole or (exact.denominator == 1 and abs(exact) <= _WIDEST):
        return int(exact)
    try:
        return float(exact)
    except OverflowError:
        raise GaveUp("the schema asks for a number that no float can hold") from None


def _between(low: Fraction, high: Fraction, whole: bool) -> int | float:
    return _number((low + high) / 2, whole)


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
    if not whole and wanted[0] >= 1 and _is_part_of_one(hint):
        low, high, step = wanted
        wanted = (low / 100, high / 100, step / 100)
    return _within(wanted, bounds, whole)


def _is_part_of_one(hint: Hint) -> bool:
    """Say whether a field is a share that is wanted as a part of one."""
    return not _FRACTIONS.isdisjoint(hint.words) and bool(_PER_CENT_AS_FRACTION.search(hint.description))


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
    span = number_meaning(hint.words)
    if not whole and _is_part_of_one(hint):
        return (0.01, 0.12, 0.005) if "probability" not in hint.words else (0.05, 0.95, 0.05)
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
    if not _is_of_grid(step, bounds.grid):
        return None
    return (low, high, max(1, round(step)) if whole else step)


def _is_of_grid(step: float, grid: Fraction | None) -> bool:
    """Say whether steps of such a size stay on the grid, where it is not that of the integers."""
    return grid is None or grid == 1 or not (step / float(grid)) % 1


def special_number(hint: Hint) -> Callable[[Draw], float | None] | None:
    """Return a maker for numbers that belong to an entity: coordinates, moments."""
    words = {singular(word) for word in hint.words}
    constant = _constant_of_nature(hint)
    if constant is not None:
        return lambda draw: constant
    if words & {"latitude", "lat"}:
        return lambda draw: place(draw, _place_role(hint)).latitude
    if words & {"longitude", "lon", "lng"} or (words & {"long"} and "ongitude" in hint.description):
        return lambda draw: place(draw, _place_role(hint)).longitude
    if words & {"timestamp", "epoch", "unix"} or (hint.words[-1:] == ("at",)):
        scale = 1000 if "milli" in hint.description else 1
        return lambda draw: epoch(hint, draw) * scale
    return None


def _constant_of_nature(hint: Hint) -> float | None:
    """Return the default of a field where it is so small or large that nobody strays from it."""
    default = _default_number(hint)
    if default is not None and default > 0 and not _EVERYDAY[0] <= default <= _EVERYDAY[1]:
        return default
    return None


def _place_role(hint: Hint) -> str:
    noise = {"latitude", "lat", "longitude", "lon", "lng", "long", "coordinate", "location"}
    return " ".join(word for word in hint.words if word not in noise)
