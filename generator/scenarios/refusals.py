"""Refusals: values that people ask for and a schema does not admit: no such choice, too much, a day that is none."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from random import Random

from generator.jsontext import JsonObject, JsonValue
from generator.tools.tool import Tool

_MOST_CHOICES = 8
"""Choices that an assistant would list."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LONGER = re.compile(r"[A-Za-z]{2,}")
_ROOT = 4
_LARGE = 1_000_000
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip

_WISHED_FOR: Mapping[str, str] = {
    "color": "turquoise, magenta, beige, olive green", "colour": "turquoise, magenta, beige, olive green",
    "size": "extra tiny, jumbo, gigantic, family size", "language": "Latin, Esperanto, Welsh, Icelandic, Basque",
    "cuisine": "Ethiopian, Georgian, Peruvian, Swedish, Cuban",
    "genre": "polka, yodeling, bluegrass, ska, chamber music", "room": "penthouse, bunk bed, treehouse, wine cellar",
    "seating": "rooftop, balcony, private booth", "cabin": "private suite, sleeper, cargo",
    "class": "private suite, sleeper", "priority": "extreme, ultra, top secret", "severity": "catastrophic, cosmetic",
    "status": "half done, on hold, forgotten", "state": "half done, on hold", "level": "superhuman, off the charts",
    "difficulty": "superhuman, insane", "price": "free, royal, dirt cheap", "diet": "keto, paleo, fruitarian",
    "format": "fax, Morse code, telegram", "carrier": "La Poste, Royal Mail, Correos", "order": "random, backwards",
    "direction": "sideways, zigzag", "sort": "random, backwards", "period": "fortnightly, every decade",
    "interval": "fortnightly, every decade", "frequency": "fortnightly, every decade",
    "granularity": "fortnightly, every decade", "payment": "gold coins, traveler's check",
    "account": "retirement, holiday, business", "region": "Antarctica, Oceania",
    "branch": "Northgate, Hillside, Old Town", "access": "superuser, manager", "permission": "superuser, manager",
    "role": "superuser, mascot", "season": "monsoon, harvest", "reason": "bad luck, second thoughts",
    "occasion": "housewarming, retirement party", "meeting": "rooftop, walking", "line": "garden furniture, toys",
    "style": "baroque, brutalist, rococo", "currency": "Bitcoin, Dogecoin", "quarter": "Q5, Q7",
    "material": "cardboard, chocolate, papier-mache", "shape": "spiral, star", "quality": "cinema, studio",
    "theme": "pirates, under the sea", "speed": "warp, snail", "gear": "turbo", "intensity": "brutal, cozy",
}  # fmt: skip
"""By a word of the parameter's name: what somebody may wish for that hardly any list of choices has."""
_UNITS = (
    (("celsius", "fahrenheit", "c", "f"), "Rankine"), (("kmh", "mph", "ms"), "knots"),
    (("km", "kilometers", "miles", "mi", "meters", "m"), "nautical leagues"),
    (("kg", "lb", "lbs", "kilograms"), "stones"), (("metric", "imperial"), "nautical"),
)  # fmt: skip
"""Units by what a list of them holds: one that is of the same sort and in no list."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A value that one parameter does not admit."""

    parameter: str
    value: JsonValue
    words: str = ""
    """What the user says for it where that is not the value itself: "February 30"."""
    mended: JsonValue = None
    """The value that is near to it and admitted; None where any will do."""


def refusals_of(tool: Tool, day: date, random: Random) -> list[Refusal]:
    """Return what may be wished for of a tool in vain: at most one value for each parameter."""
    properties: JsonObject = tool.parameters["properties"]
    found = (_refusal(name, schema, day, random) for name, schema in properties.items() if isinstance(schema, dict))
    return [refusal for refusal in found if refusal is not None]


def can_refuse(tool: Tool) -> bool:
    """Say whether some value may be wished for of a tool in vain."""
    properties: JsonObject = tool.parameters["properties"]
    return any(_finder(name, schema) for name, schema in properties.items() if isinstance(schema, dict))


_Find = Callable[[str, JsonObject, date, Random], "Refusal | None"]


def _refusal(name: str, schema: JsonObject, day: date, random: Random) -> Refusal | None:
    find = _finder(name, schema)
    return find(name, schema, day, random) if find else None


def _finder(name: str, schema: JsonObject) -> _Find | None:
    """Return what finds a refused value of a parameter; None where nobody wishes for one."""
    values, kind = schema.get("enum"), schema.get("type")
    if isinstance(values, list):
        return _no_such_choice if _is_listed(values) and _wishes(name, values) else None
    if kind in ("integer", "number"):
        return _out_of_range if _bounds(schema) != (None, None) else None
    return _no_such_day if kind == "string" and schema.get("format") == "date" else None


def _is_listed(values: list[JsonValue]) -> bool:
    return 1 < len(values) <= _MOST_CHOICES and all(isinstance(value, str) for value in values)


def _no_such_choice(name: str, schema: JsonObject, day: date, random: Random) -> Refusal | None:
    return Refusal(name, random.choice(_wishes(name, schema["enum"])))


def _wishes(name: str, values: list[JsonValue]) -> list[str]:
    """Return what may be wished for and is like none of the choices."""
    choices = [str(value) for value in values]
    known = {re.sub(r"\W", "", choice.lower()) for choice in choices}
    units = [wish for listed, wish in _UNITS if len(known.intersection(listed)) > 1]
    words = [word.lower() for word in _WORD.findall(name)]
    wished = [wish for word in reversed(words) for wish in _WISHED_FOR.get(word, "").split(", ") if wish]
    roots = {_root(word) for choice in choices for word in _WORD.findall(choice)}
    return [wish for wish in units or wished if roots.isdisjoint(map(_root, _LONGER.findall(wish)))]


def _root(word: str) -> str:
    return word[:_ROOT].lower()


def _out_of_range(name: str, schema: JsonObject, day: date, random: Random) -> Refusal | None:
    most, least = _bounds(schema)
    if most is not None:
        return Refusal(name, int(most) + max(1, round(abs(most) * random.choice((0.2, 0.5, 1)))))
    return Refusal(name, int(least) // 2) if least is not None else None


def _bounds(schema: JsonObject) -> tuple[float | None, float | None]:
    """Return the largest and the least value of a number, where asking for more or less is like people."""
    most, least = schema.get("maximum"), schema.get("minimum")
    upper = most if isinstance(most, int | float) and 1 < most < _LARGE else None
    return upper, least if isinstance(least, int | float) and 2 <= least < _LARGE else None


def _no_such_day(name: str, schema: JsonObject, day: date, random: Random) -> Refusal | None:
    """A day that the calendar does not have, in the coming months, and the last that its month has."""
    months = [(day.year + (day.month + ahead - 1) // 12, (day.month + ahead - 1) % 12 + 1) for ahead in range(1, 10)]
    year, month = random.choice([(year, month) for year, month in months if month in (2, 4, 6, 9, 11)])
    last = calendar.monthrange(year, month)[1]
    wrong = random.randint(last + 1, 31)
    return Refusal(
        name,
        f"{year}-{month:02}-{wrong:02}",
        f"{_MONTHS[month - 1]} {wrong}, {year}",
        f"{year}-{month:02}-{last:02}",
    )
