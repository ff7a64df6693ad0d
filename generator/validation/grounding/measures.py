"""Measures: the numbers that a quantity with its unit is in the other units of its kind."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import pi
from typing import NamedTuple

from generator.validation.grounding.numerals import Quantity

_FAMILIES: dict[str, dict[float, str]] = {
    "length": {1e-9: "nm nanometer", 1e-6: "um micron micrometer", 1e-3: "mm millimeter millimetre",
               0.01: "cm centimeter centimetre",
               1.0: "m meter metre", 1e3: "km kilometer kilometre kms k",
               0.0254: "in inch \"", 0.3048: "ft foot feet '",
               0.9144: "yd yard", 1609.344: "mi mile", 1852.0: "nmi", 9.4607304725808e15: "ly"},
    "mass": {1e-6: "mg milligram", 1e-3: "g gram", 1.0: "kg kilogram kilo kilos", 1e3: "t ton tonne",
             0.45359237: "lb lbs pound", 0.028349523125: "oz ounce", 6.35029318: "stone"},
    "time": {1e-3: "ms millisecond", 1.0: "s sec secs second", 60.0: "min mins minute", 3600.0: "h hr hrs hour",
             86400.0: "d day night", 604800.0: "week", 2592000.0: "month", 7776000.0: "quarter",
             31536000.0: "y yr yrs year", 315360000.0: "decade"},
    "volume": {1e-3: "ml milliliter millilitre", 1.0: "l liter litre", 0.01: "cl", 0.1: "dl", 3.785411784: "gal gallon",
               0.2365882365: "cup", 0.01478676478: "tbsp tablespoon", 0.00492892159: "tsp teaspoon",
               0.473176473: "pint", 0.946352946: "quart"},
    "data": {1.0: "byte", 1e3: "kb kilobyte", 1e6: "mb megabyte", 1e9: "gb gigabyte", 1e12: "tb terabyte"},
    "speed": {1.0: "mps", 0.2777777777777778: "kph kmh kmph", 0.44704: "mph", 0.514444: "knot"},
    "angle": {1.0: "rad radian", pi / 180: "° degree deg"},
    "energy": {1.0: "j joule", 1e3: "kj kilojoule", 4.184: "cal calorie", 4184.0: "kcal", 3.6e6: "kwh", 3.6e3: "wh"},
    "dozens": {1.0: "piece", 12.0: "dozen"},
}  # fmt: skip
_FOOT = 0.3048
_PREFIXES = {"p": 1e-12, "pico": 1e-12, "n": 1e-9, "nano": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "micro": 1e-6,
             "m": 1e-3, "milli": 1e-3, "k": 1e3, "kilo": 1e3, "mega": 1e6, "g": 1e9, "giga": 1e9}  # fmt: skip
_PREFIXED = ("f farad h henry a amp amps ampere v volt w watt hz hertz c coulomb t tesla pa pascal n newton ohm "
             "mol mole kelvin lumen ev b bit").split()  # fmt: skip
_BINARY = {"kb": 1024.0, "mb": 1024.0**2, "gb": 1024.0**3, "tb": 1024.0**4}
_MONTHS_IN = {"year": 12.0, "quarter": 3.0, "decade": 120.0}
_YEAR_DAYS = {"month": (31.0, 28.0, 29.0, 4.0), "year": (52.0, 366.0), "week": (5.0,), "weekend": (2.0,),
              "fortnight": (14.0, 2.0), "century": (100.0,)}  # fmt: skip


@lru_cache(maxsize=1)
def _units() -> dict[str, tuple[str, float]]:
    return {
        unit: (family, factor)
        for family, factors in _FAMILIES.items()
        for factor, names in factors.items()
        for unit in names.split()
    }


def singular(unit: str) -> str:
    """Return the unit without its plural s."""
    return unit[:-1] if len(unit) > 3 and unit.endswith("s") else unit


class Converted(NamedTuple):
    """A quantity in another unit."""

    value: float
    family: str
    """The kind of measure; "" where the unit needs no mention."""
    units: frozenset[str]
    """The names of the other unit."""

    def fits(self, about: frozenset[str]) -> bool:
        """Say whether a parameter spoken of in these words may be in the unit: it names it, or none of its kind."""
        return not self.family or not about or bool(self.units & about) or not (units_of(self.family) & about)


@lru_cache(maxsize=32)
def units_of(family: str) -> frozenset[str]:
    """Return the longer names of the units of a kind of measure, singular and plural."""
    names = [name for text in _FAMILIES[family].values() for name in text.split() if len(name) > 2 or name in _PLAIN]
    return frozenset(form for name in names for form in (name, name + "s", "feet" if name == "foot" else name))


_PLAIN = frozenset("km cm mm kg lb oz ml mg ft kb mb gb ms".split())


@lru_cache(maxsize=256)
def _names(units: str) -> frozenset[str]:
    return frozenset(form for name in units.split() for form in (name, name + "s"))


def converted(quantity: Quantity) -> Iterator[Converted]:
    """Yield what the quantity is in other units: 5 km are 5,000 metres, 5 % are 0.05."""
    value, unit = quantity.value, singular(quantity.unit)
    if unit in ("%", "percent", "percentage", "pct", "bp"):
        yield _bare(value / 100)
    elif unit in ("°c", "c", "celsius", "centigrade", "°f", "f", "fahrenheit", "degree", "°"):
        yield from map(_bare, (value * 9 / 5 + 32, (value - 32) * 5 / 9, value + 273.15))
    if (found := _units().get(unit)) is not None:
        family, own = found
        for factor, names in _FAMILIES[family].items():
            if factor != own:
                yield Converted(value * own / factor, family, _names(names))
        if unit in _BINARY:
            yield _bare(value * _BINARY[unit])
    if unit in _MONTHS_IN:
        yield Converted(value * _MONTHS_IN[unit], "time", _names("month"))
    yield from (Converted(value * days, "time", _names("day week")) for days in _YEAR_DAYS.get(unit, ()))
    for prefix, factor in _PREFIXES.items():
        if unit.startswith(prefix) and unit[len(prefix) :] in _PREFIXED:
            yield _bare(value * factor)


def _bare(value: float) -> Converted:
    return Converted(value, "", frozenset())


def together(first: Quantity, second: Quantity) -> Iterator[Converted]:
    """Yield what two quantities of one kind are together, as in 5 feet 11 inches or 1 hour 30 minutes."""
    one, other = _units().get(singular(first.unit)), _units().get(singular(second.unit))
    if one is None or (other is None and second.unit):
        return
    feet = one == ("length", _FOOT) and other is None
    factor = 0.0254 if feet else 0.0 if other is None or other[0] != one[0] or other[1] >= one[1] else other[1]
    if factor:
        total = first.value * one[1] + second.value * factor
        yield from (Converted(total / each, one[0], _names(names)) for each, names in _FAMILIES[one[0]].items())
