"""Numbers within bounds, exact in decimal and in float arithmetic alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from generator.errors import GaveUp
from generator.jsontext import JsonObject
from generator.values.draw import Draw

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
    low, high = _interval(bounds)
    step = bounds.grid or _natural_step(low, high)
    first, last = ceil(low / step), floor(high / step)
    if bounds.open_low and first * step == low:
        first += 1
    if bounds.open_high and last * step == high:
        last -= 1
    if first > last:
        return _between(low, high, whole)
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
        if isinstance(value, int) or (_float_multiple(value, step) and reads_alike(value)):
            return value
    for factor in range(first, min(last, first + 200) + 1):
        value = _number(factor * step, whole)
        if isinstance(value, int) or _float_multiple(value, step):
            return value
    return value


def _float_multiple(value: float, step: Fraction) -> bool:
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
