"""Units of measure: found in a parameter's name or description, written as people write them."""

from __future__ import annotations

import re

from generator.authors.offline.words import split_identifier, word_set

_UNITS = {
    "kilogram": "kg", "kg": "kg", "gram": "grams", "g": "g", "mg": "mg", "milligram": "mg", "pound": "pounds",
    "lb": "lbs", "lbs": "lbs", "ounce": "ounces", "oz": "oz", "ton": "tons", "tonne": "tonnes", "meter": "meters",
    "metre": "metres", "centimeter": "cm", "centimetre": "cm", "cm": "cm", "millimeter": "mm", "mm": "mm",
    "kilometer": "km", "kilometre": "km", "km": "km", "mile": "miles", "foot": "feet", "feet": "feet",
    "inch": "inches", "inche": "inches", "yard": "yards", "nanometer": "nm", "nm": "nm", "second": "seconds",
    "sec": "seconds", "minute": "minutes", "hour": "hours", "hr": "hours", "day": "days", "week": "weeks",
    "month": "months", "year": "years", "millisecond": "ms", "ms": "ms", "night": "nights", "joule": "joules",
    "watt": "watts", "kilowatt": "kW", "volt": "volts", "ampere": "amps", "amp": "amps", "ohm": "ohms",
    "farad": "farads", "tesla": "tesla", "newton": "newtons", "pascal": "pascals", "hertz": "Hz", "hz": "Hz",
    "mhz": "MHz", "ghz": "GHz", "kelvin": "kelvin", "celsius": "°C", "fahrenheit": "°F", "liter": "liters",
    "litre": "litres", "ml": "ml", "milliliter": "ml", "gallon": "gallons", "mole": "moles", "coulomb": "coulombs",
    "percent": "%", "percentage": "%", "pixel": "pixels", "px": "px", "mb": "MB", "gb": "GB", "kb": "KB",
    "megabyte": "MB", "gigabyte": "GB", "byte": "bytes", "mph": "mph", "mpg": "mpg", "rpm": "rpm",
    "degree": "degrees", "square meter": "square meters", "square feet": "square feet",
    "square foot": "square feet", "square kilometer": "square kilometers", "square inch": "square inches",
    "square mile": "square miles", "cubic meter": "cubic meters", "cubic centimeter": "cubic centimeters",
    "calorie": "calories", "meter per second": "m/s", "meters per second": "m/s", "kilometer per hour": "km/h",
    "kilometers per hour": "km/h", "miles per hour": "mph", "miles per gallon": "mpg",
    "meter per second squared": "m/s²", "meters per second squared": "m/s²", "grams per mole": "g/mol",
    "frames per second": "fps", "beats per minute": "bpm", "kilojoule": "kJ", "atmosphere": "atm", "atm": "atm",
    "acre": "acres", "hectare": "hectares",
}  # fmt: skip
_PHRASE = re.compile(
    r"\bin (?:the unit of |units of )?((?:square |cubic )?[a-z]+(?: per [a-z]+(?: squared)?)?)|"
    r"\((?:in )?([a-z]+(?:/[a-z]+\d?)?)\)|\b(?:number|count) of ([a-z]+)|\b([a-z]+)/s(\^2|²)?\b"
)
_SYMBOL = re.compile(r"\(?\b(m/s\^?2|m/s²|m/s|km/h|kg/m\^?3|J/K|N/m|g/mol|W/m\^?2)\b\)?")
_SUFFIX_UNITS = word_set(
    """kg km cm mm lbs mg ml miles meters minutes minute seconds hours days weeks months years ms px mb gb percent kwh
    mph"""
)
_PLAIN = word_set("id year page limit offset index letter")


ORDINAL = "ordinal"
"""The unit of a number that is said as an ordinal: "the 19th century"."""


def ordinal_ending(number: str) -> str:
    """Return "st", "nd", "rd" or "th" for the digits of a whole number."""
    if number[-2:] in ("11", "12", "13"):
        return "th"
    return {"1": "st", "2": "nd", "3": "rd"}.get(number[-1:], "th")


def unit_of(name: str, description: str, kind: str) -> str:
    """Return the unit a number of this parameter is told in, or the empty string."""
    if kind == "century":
        return ORDINAL
    if kind == "money":
        return currency_sign(description)
    if kind in _PLAIN or kind not in ("measure", "duration", "number", "count"):
        return ""
    symbol = _SYMBOL.search(description)
    if symbol:
        return symbol[1].replace("^2", "²").replace("^3", "³").replace("m/s2", "m/s²")
    words = split_identifier(name)
    if words[-2:] == ("light", "years"):
        return "light years"
    if words and words[-1] in _SUFFIX_UNITS and kind != "count":
        return _look_up(words[-1])
    for match in _PHRASE.finditer(description.lower()):
        found = _look_up(next((group for group in match.groups() if group), ""))
        if found and kind != "count":
            return found
    return ""


def currency_sign(description: str) -> str:
    """Return the sign of the currency a sum is told in; dollars where the description names none."""
    low = description.lower()
    for sign, words in (
        ("€", ("euro", "eur ", "€")),
        ("£", ("gbp", "pounds sterling", "british pound")),
        ("", _OTHER_MONEY),
    ):
        if any(word in low for word in words):
            return sign
    return "$"


_OTHER_MONEY = ("currency", "rupee", "inr", "yen", "yuan", "cents", "smallest unit", "units of", "local")


def _look_up(phrase: str) -> str:
    """Return how a unit is written, by its name in singular or plural."""
    if phrase in _UNITS:
        return _UNITS[phrase]
    first, _, rest = phrase.partition(" ")
    if phrase.endswith("s") and phrase[:-1] in _UNITS:
        return _UNITS[phrase[:-1]]
    if first in ("square", "cubic") and f"{first} {rest.rstrip('s')}" in _UNITS:
        return _UNITS[f"{first} {rest.rstrip('s')}"]
    return _UNITS.get(first.rstrip("s"), "") if not rest.startswith("per") and len(first) > 2 else ""


def without_units(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name without its unit: `weight_kg` is the weight."""
    kept = words[:-3] if words[-3:] == ("in", "light", "years") else words
    if len(kept) > 1 and _is_unit(kept[-1]) and not kept[-2].endswith(("ing", "of")):
        kept = kept[:-1]
    if len(kept) > 1 and kept[-1] == "in":
        kept = kept[:-1]
    if len(kept) > 1 and len(kept[0]) < 4 and _is_unit(kept[0]) and not kept[1].endswith(("ed", "en")):
        kept = kept[1:]
    return kept


def _is_unit(word: str) -> bool:
    return word in _UNITS or word.rstrip("s") in _UNITS


def with_unit(said: str, unit: str) -> str:
    """Put a unit after a number: "5 km", "5%", "1 hour"."""
    if unit == ORDINAL:
        return said + ordinal_ending(said)
    if unit in ("%", "°C", "°F"):
        return said if said.endswith("%") else said + unit
    if said == "1" and unit.endswith("s") and unit not in ("Hz", "lbs", "m/s", "ms", "bps", "fps", "celsius"):
        unit = {"inches": "inch", "grams": "gram"}.get(unit, unit[:-1])
    elif said == "1" and unit == "feet":
        unit = "foot"
    return f"{said} {unit}"
