"""Quantities: the numbers that a text states, in digits and in words, with their units and in other units.

In digits and scaled ("1k", "2 million", "5 %"), in the words of `number_words`, in words for parts of an hour
("three quarters of an hour", Viertelstunde); what a quantity is in the other units of its kind; and what the words
after numbers measure, in each language, as far as requests use them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from math import pi
from typing import NamedTuple

from generator.validation.grounding.reading.languages import LANGUAGES, entries, table
from generator.validation.grounding.reading.number_words import number_words
from generator.validation.grounding.reading.words import fold

_HINTS = ("hour", "stund", "heure", "hora", "\u523b")
"""Of which one is in every such word."""


def minutes_in(folded: str, languages: tuple[str, ...]) -> Iterator[tuple[float, str]]:
    """Yield the minutes of each part of an hour that a folded text names in these languages, with its words."""
    if any(hint in folded for hint in _HINTS):
        for language in languages:
            minutes = _minutes(language)
            for match in _pattern_of_hours(language).finditer(folded) if minutes else ():
                yield minutes[match[0]], match[0]


@cache
def _minutes(language: str) -> dict[str, float]:
    known = table(language, "numbers").get("of_an_hour", {}).items()
    return {fold(form): float(minutes) for minutes, forms in known for form in forms.replace("\n", "|").split("|")}


@cache
def _pattern_of_hours(language: str) -> re.Pattern[str]:
    """Find the longest of the words at each place, as words of their own where words stand apart."""
    forms = "|".join(map(re.escape, sorted(_minutes(language), key=len, reverse=True)))
    return re.compile(forms if language == "zh" else rf"(?<!\w)(?:{forms})(?!\w)")


class Quantity(NamedTuple):
    """A number that a text states."""

    value: float
    unit: str
    """The word or sign that follows it; "" where none does."""
    text: str
    """What the text says, e.g. "twenty-one", "1.2m", "half an hour"."""


_MOST_QUANTITIES = 400
_DIGITS = re.compile(
    r"(?<![\d.])(-(?<![\w)]-))?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,18}(?:\.\d{1,18})?|\.\d{1,18})"
    r"(?:e([-+]?\d{1,2})(?![a-z\d]))?((?:st|nd|rd|th)(?![a-z]))?[\s-]?(%|°?[^\W\d_]+|'|\")?(?:\s([^\W\d_]+))?"
)
_SCALES = {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "mio": 1e6, "million": 1e6, "millions": 1e6, "b": 1e9,
    "bn": 1e9, "billion": 1e9, "billions": 1e9, "trillion": 1e12, "t": 1e12, "tn": 1e12, "hundred": 1e2, "grand": 1e3,
    "lakh": 1e5, "crore": 1e7, "dozen": 12.0, "thousands": 1e3, "hundreds": 1e2,
}  # fmt: skip
_ALSO_UNITS = frozenset("m b t k mm".split())
"""Scales that are units as well: "5 m" is five million, or five metres."""

_MULTIPLIERS = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12.0,
                "lakh": 1e5, "crore": 1e7}  # fmt: skip
_CURRENCIES = tuple("$€£¥₹")
_OPENING = ("[", "(", "{")
_COMMA_FIGURE = re.compile(r"(?<![\d.,])(\d{1,3}(?:[. ]\d{3}){1,6}|\d{1,18})(,\d{1,18})?(?![\d])(?![.,]\d)")
_POINTS = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d{3}){2,6}|\d{1,3}(?:\.\d{3}){1,6}(?=,\d))(,\d{1,2})?(?![\d.,]*\d)")
"""Numbers that no other way of writing explains: "1.234.567", "1.234,56"."""
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3}){1,6}(?![\d])(?![.,]\d)")
_LAKHS = re.compile(r"(?<![\d.,])\d{1,2}(?:,\d\d){1,4},\d{3}(?![\d,])")
_FRACTION = re.compile(r"(?<![\d./])(?:(\d{1,3}) )?(\d{1,2})/(\d{1,2})(?![\d/.])")
COMMA_LANGUAGES = frozenset(("de", "es", "fr"))
"""Languages that write 1.234,56."""


def figures_of(text: str, languages: tuple[str, ...]) -> str:
    """Return a folded text with its numbers as the English write them, letter for letter at the same places."""
    if languages and COMMA_LANGUAGES.issuperset(languages):
        return _COMMA_FIGURE.sub(_in_english, text)
    if "." not in text or (text.isascii() and not _MAY_HAVE_POINTS.search(text)):
        return text
    return _POINTS.sub(_in_english, text)


_MAY_HAVE_POINTS = re.compile(r"[0-9]\.[0-9]{3}")
"""What each number with points between its thousands has, in a text of ASCII letters alone."""


_SIGNED_FIGURE = re.compile(r"\d[., ]\d")
_ASCII_SIGNED_FIGURE = re.compile(r"[0-9][., ][0-9]")


def has_signs_in_figures(text: str) -> bool:
    """Say whether any number has a sign or a space inside, and so may be written otherwise than the English do."""
    return (_ASCII_SIGNED_FIGURE if text.isascii() else _SIGNED_FIGURE).search(text) is not None


def _in_english(match: re.Match[str]) -> str:
    whole, part = match[1].replace(".", ",").replace(" ", ","), match[2] or ""
    return whole + part.replace(",", ".")


def ordinals_of(text: str, languages: tuple[str, ...] = ("en",)) -> dict[float, str]:
    """Return the ordinals that a folded text says in words: "the third page"."""
    found = [each for language in languages for each in number_words(language).ordinals(text)]
    return {each.value: text[each.start : each.end] for each in reversed(found)}


def quantities_of(text: str, languages: tuple[str, ...] = ("en",)) -> list[Quantity]:
    """Return what a folded text states in digits and in words of these languages, bounded in number."""
    found: list[Quantity] = []
    of_hours = (Quantity(minutes, "minute", said) for minutes, said in minutes_in(text, languages))
    for quantity in (*_in_digits(text), *_in_parts(text), *of_hours, *_in_words(text, languages)):
        found.append(quantity)
        if len(found) >= _MOST_QUANTITIES:
            break
    return found


def _in_parts(text: str) -> Iterator[Quantity]:
    """Yield figures of several parts: "1 000 000", "1,50,000", "3/4", "1 1/2"."""
    if "/" in text:
        for match in _FRACTION.finditer(text):
            if int(match[3]):
                yield Quantity(int(match[1] or 0) + int(match[2]) / int(match[3]), _word_after(text, match), match[0])
    for match in _GROUPED.finditer(text):
        yield Quantity(float(match[0].replace(" ", "")), _word_after(text, match), match[0])
    if "," in text:
        for match in _LAKHS.finditer(text):
            yield Quantity(float(match[0].replace(",", "")), _word_after(text, match), match[0])


_NEXT_WORD = re.compile(r"[\s-]?(%|°?[^\W\d_]+)")


def _word_after(text: str, match: re.Match[str]) -> str:
    following = _NEXT_WORD.match(text, match.end())
    return following[1] if following is not None else ""


def _in_words(text: str, languages: tuple[str, ...]) -> Iterator[Quantity]:
    """Read runs of number words: "twenty-one", "two and a half", "half a million", "an hour"."""
    for language in languages:
        for each in number_words(language).read(text):
            if not each.ordinal:
                yield Quantity(each.value, each.unit, text[each.start : each.end])


def _in_digits(text: str) -> Iterator[Quantity]:
    for match in _DIGITS.finditer(text):
        sign, digits, power, _, word, following = match.groups("")
        said, before = match[0].strip(), text[match.start() - 1 : match.start()]
        value = _figure(sign, digits, power)
        scale = _SCALES.get(word)
        if scale is None:
            yield Quantity(value, word, said)
            if following in _MULTIPLIERS and not word:
                yield Quantity(value * _MULTIPLIERS[following], "", said)
        else:
            yield Quantity(value * scale, following, said)
            if word in _ALSO_UNITS and before not in _CURRENCIES:
                yield Quantity(value, word, said)
        if "," in digits and before in _OPENING:
            yield from (Quantity(float(part), "", part) for part in digits.split(","))


def _figure(sign: str, digits: str, power: str) -> float:
    """Return the number that digits are with their sign and their power of ten."""
    return float(digits.replace(",", "")) * 10.0 ** int(power or 0) * (-1.0 if sign else 1.0)


NEGATIVE = re.compile(r"\b(?:minus|negative|below|south|west|loss|lost|debt|debit)\b|°\s?[sw]\b")
"""Words that make a number stated without a sign a negative one."""


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
    yield from _without_prefix(value, unit)


def _without_prefix(value: float, unit: str) -> Iterator[Converted]:
    """Yield what a number is without the prefix of its unit: 5 kV are 5,000 volts."""
    for prefix, factor in _PREFIXES.items():
        if unit.startswith(prefix) and unit[len(prefix) :] in _PREFIXED:
            yield _bare(value * factor)


def _bare(value: float) -> Converted:
    return Converted(value, "", frozenset())


def added_together(first: Quantity, second: Quantity) -> Iterator[Converted]:
    """Yield what two quantities of one kind are together, as in 5 feet 11 inches or 1 hour 30 minutes."""
    one, other = _units().get(singular(first.unit)), _units().get(singular(second.unit))
    if one == ("length", _FOOT) and not second.unit:
        other = _units()["inch"]
    if one is None or other is None or other[0] != one[0] or other[1] >= one[1]:
        return
    total = first.value * one[1] + second.value * other[1]
    yield from (Converted(total / each, one[0], _names(names)) for each, names in _FAMILIES[one[0]].items())


class Unit(NamedTuple):
    """A unit of measure."""

    name: str
    """One name for all of its words."""
    family: str
    """What it measures."""
    factor: float
    """How much of it; 0 where units of its family are no multiples of each other."""

    def is_as_much_as(self, other: Unit) -> bool:
        """Say whether a number is the same in both: nights are days, and degrees may be of either scale."""
        if self.family != other.family or _UNKNOWN in (self.name, other.name):
            return self.family == other.family
        if not self.factor or not other.factor:
            return self.name == other.name
        return abs(self.factor / other.factor - 1) < _NEARLY


_NEARLY = 0.02
_UNKNOWN = "deg"
"""Degrees of a scale that is not told."""


@cache
def unit_named(name: str) -> Unit | None:
    """Return the unit of one of the names that the tables give to words."""
    return _units_by_name().get(name.rstrip("?"))


@cache
def _units_by_name() -> dict[str, Unit]:
    rows = [entry.split() for name in ("families", "further_families") for entry in entries("en", "signs", name)]
    return {
        unit: Unit(unit, family, float(factor))
        for family, *units in rows
        for unit, _, factor in [each.partition(":") for each in units]
    }


@cache
def _words(language: str) -> dict[str, Unit]:
    """Return the units of a language's words; every language writes the same short forms."""
    forms = [
        form for spoken in dict.fromkeys(("en", language)) for part in ("units", "spoken")
        for form in entries(spoken, "measures", part)
    ]  # fmt: skip
    named = [(word, unit_named(name)) for word, _, name in (form.rpartition(" ") for form in forms)]
    return {word: unit for word, unit in named if unit is not None}  # pounds of money are no unit


@cache
def _pattern_of_units(language: str) -> re.Pattern[str]:
    """Return what finds the unit right after a number, the longest word of it."""
    longest_first = sorted(_words(language), key=lambda word: (-len(word), word))
    forms = "|".join(re.escape(word) for word in longest_first)
    edge = "" if language == "zh" else r"(?![^\W_])(?!'[a-z])"
    return re.compile(rf"[\s-]?({forms}){edge}")


def unit_after(text: str, at: int, language: str) -> Unit | None:
    """Return the unit that a folded text names at a place; None where it names none."""
    match = _pattern_of_units(language).match(text, at)
    return _words(language)[match[1]] if match is not None else None


@cache
def unit_of_word(word: str) -> Unit | None:
    """Return the unit that a word of a definition names, which is English everywhere."""
    return _words("en").get(word)


@cache
def words_of_others(unit: Unit) -> re.Pattern[str]:
    """Return what a folded text has that names any other unit of the family, in any language: for a first look."""
    words = {
        word
        for language in LANGUAGES
        for word, each in _words(language).items()
        if each.family == unit.family and not each.is_as_much_as(unit)
    }
    forms = "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))
    return re.compile(rf"(?:[\s\d-]|[\u2e80-\uffff])(?:{forms})(?![a-z])")


COUNTING = frozenset({"count", "number", "num", "total"})
"""Last words of parameters that count what their first word says: `guest_count`."""


def units_in_name(words: list[str]) -> set[str]:
    """Return the words of a parameter's name that may be the unit of its number: a price "per night" is in none."""
    if "per" in words:
        return set()
    return {*words[-1:], *(words[:1] if words and words[-1] in COUNTING else ())}
