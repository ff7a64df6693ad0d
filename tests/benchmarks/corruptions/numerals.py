"""Numbers and units as requests and answers tell them."""

from __future__ import annotations

import re
from typing import NamedTuple

WORDS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty".split(),
    "de": "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn".split(),
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince".split(),
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze".split(),
}
UNITS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "minute": ("minutes", "min"), "hour": ("hours", "hrs"), "second": ("seconds",), "day": ("days",),
        "night": ("nights",), "week": ("weeks",), "month": ("months",), "year": ("years",),
        "kg": ("kilos", "kg", "kilograms"), "pound": ("pounds", "lbs"), "gram": ("grams",), "km": ("km", "kilometers"),
        "mile": ("miles",), "meter": ("meters",), "feet": ("feet",), "liter": ("liters",), "gallon": ("gallons",),
    },
    "de": {
        "minute": ("Minuten",), "hour": ("Stunden",), "day": ("Tage",), "night": ("Nächte",), "week": ("Wochen",),
        "month": ("Monate",), "year": ("Jahre",), "kg": ("Kilo", "kg"), "pound": ("Pfund",),
    },
    "es": {
        "minute": ("minutos",), "hour": ("horas",), "day": ("días",), "night": ("noches",), "week": ("semanas",),
        "month": ("meses",), "year": ("años",), "kg": ("kilos", "kg"), "pound": ("libras",),
    },
    "zh": {
        "minute": ("分钟",), "hour": ("小时",), "day": ("天",), "night": ("晚",), "week": ("周",), "month": ("个月",),
        "year": ("年",), "kg": ("公斤", "千克"), "pound": ("磅",),
    },
}  # fmt: skip
OTHERS = {
    "minute": "hour", "hour": "minute", "second": "minute", "day": "week", "night": "week", "week": "month",
    "month": "year", "year": "month", "kg": "pound", "pound": "kg", "gram": "kg", "km": "mile", "mile": "km",
    "meter": "feet", "feet": "meter", "liter": "gallon", "gallon": "liter",
}  # fmt: skip
STEMS = {
    "kg": r"\bkg|kilo",
    "km": r"\bkm|kilomet",
    "meter": r"(?<!kilo)(?<!centi)met(?:er|re)",
    "feet": r"\bf(?:eet|oot|t)\b",
}


class Unit(NamedTuple):
    """A unit after a number in a text, the one to put in its place, and what finds it in a parameter's text."""

    start: int
    end: int
    language: str
    other: str
    parameter: str


def units_in(text: str, start: int) -> Unit | None:
    """Return the unit that follows a number which ends at `start`."""
    for language, units in UNITS.items():
        for name, words in units.items():
            for written in (*words, name) if language == "en" else words:
                found = re.compile(rf"[ -]?({re.escape(written)})" + (r"(?!\w)" if written.isascii() else "")).match(
                    text, start
                )
                if found and OTHERS[name] in units:
                    return Unit(found.start(1), found.end(1), language, OTHERS[name], STEMS.get(name, name))
    return None
