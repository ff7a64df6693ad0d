"""Readings: what people say of a place, a date, a time or a currency that can mean either of two values."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from random import Random

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.validators import validator_for
from generator.tools.tool import Tool

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_HOMONYMS: dict[str, tuple[str, str]] = {
    city: (f"{city}, {first}", f"{city}, {second}")
    for city, first, second in (
        ("Portland", "Oregon", "Maine"), ("Springfield", "Illinois", "Missouri"),
        ("Salem", "Oregon", "Massachusetts"), ("Cambridge", "England", "Massachusetts"),
        ("Birmingham", "England", "Alabama"), ("Lincoln", "Nebraska", "England"),
        ("Richmond", "Virginia", "California"), ("Columbus", "Ohio", "Georgia"),
        ("Columbia", "Missouri", "South Carolina"), ("Rochester", "New York", "Minnesota"),
        ("Kansas City", "Missouri", "Kansas"), ("Aurora", "Colorado", "Illinois"), ("Arlington", "Texas", "Virginia"),
        ("Glendale", "Arizona", "California"), ("Peoria", "Illinois", "Arizona"),
        ("San Jose", "California", "Costa Rica"), ("Cordoba", "Spain", "Argentina"),
        ("Newcastle", "England", "Australia"), ("Wilmington", "Delaware", "North Carolina"),
        ("Hamilton", "Ontario", "New Zealand"), ("Durham", "England", "Ontario"), ("Alexandria", "Egypt", "Virginia"),
        ("Georgetown", "Texas", "Guyana"), ("Bloomington", "Indiana", "Illinois"),
        ("Jackson", "Mississippi", "Wyoming"), ("Fayetteville", "Arkansas", "North Carolina"),
        ("Burlington", "Vermont", "Ontario"), ("Charleston", "South Carolina", "West Virginia"),
        ("Concord", "California", "New Hampshire"), ("Pasadena", "California", "Texas"),
        ("Auburn", "Alabama", "Washington"), ("Worcester", "England", "Massachusetts"),
        ("Plymouth", "England", "Massachusetts"), ("Hyderabad", "India", "Pakistan"), ("Tripoli", "Libya", "Lebanon"),
        ("Lancaster", "California", "Pennsylvania"), ("Greenville", "South Carolina", "North Carolina"),
        ("Lafayette", "Louisiana", "Indiana"), ("Monterey", "California", "Virginia"),
        ("Medina", "Ohio", "Saudi Arabia"),
    )
}  # fmt: skip
"""Cities of one name, each with two places where it is."""
_PLACES = frozenset("city location place town destination origin".split())
_NO_PLACES = frozenset("id code name airport iata country state address file url path type store current".split())
_NOT_SIMPLE = frozenset(("const", "pattern", "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if"))
"""Keywords of parameters that are not simply a text."""
_PAST = frozenset("birth birthday dob since issued founded from historical history".split())
_LOOKS_BACK = re.compile(r"histor|\bpast\b|previous|happened|score|result|winner", re.IGNORECASE)
"""Tools that look back: of them nobody asks for one of the days to come."""
_LOCATING = frozenset("state country zip postal province county region latitude lat".split())
"""Parameters that tell which of the cities of one name it is."""
_CURRENCIES = {
    "dollars": ("USD", "CAD"), "pesos": ("MXN", "ARS"), "francs": ("CHF", "XOF"), "crowns": ("SEK", "NOK"),
    "rupees": ("INR", "PKR"), "pounds": ("GBP", "EGP"),
}  # fmt: skip
_LATE = 10
"""From this month on too few of the days to come can be read in two ways, and the next year is taken."""
_ISO_DAY = re.compile(r"yyyy-mm-dd|iso ?8601", re.IGNORECASE)
_CLOCK = re.compile(r"hh:mm", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """What is said of a parameter, and the two values that it can mean."""

    parameter: str
    said: str
    values: tuple[str, str]


def readings_of(tool: Tool, day: date, random: Random) -> list[Reading]:
    """Return what can be said of a tool's parameters in two ways: at most one reading for each."""
    properties: JsonObject = tool.parameters["properties"]
    found = []
    for name, schema in properties.items():
        find = _reader(name, schema, tool)
        reading = find(name, day, random) if find else None
        if reading is not None and all(validator_for(schema).is_valid(value) for value in reading.values):
            found.append(reading)
    return found


def can_be_ambiguous(tool: Tool) -> bool:
    """Say whether something said to a tool can be read in two ways."""
    return any(_reader(name, schema, tool) for name, schema in tool.parameters["properties"].items())


_Find = Callable[[str, date, Random], Reading]


def _reader(name: str, schema: JsonValue, tool: Tool) -> _Find | None:
    """Return what draws an ambiguity for a parameter; None where it has none."""
    if not isinstance(schema, dict) or schema.get("type") != "string" or not _NOT_SIMPLE.isdisjoint(schema):
        return None
    words = [word.lower() for word in _WORD.findall(name)]
    description = str(schema.get("description", ""))[:300]
    if "currency" in words:
        return _currency
    if "enum" in schema or not words:
        return None
    if schema.get("format") == "date" or ("date" in words and _ISO_DAY.search(description)):
        return _day if _PAST.isdisjoint(words) and not _LOOKS_BACK.search(f"{tool.name} {tool.description}") else None
    if words[-1] == "time" and _CLOCK.search(description):
        return _time
    named = words[-1] in _PLACES and _NO_PLACES.isdisjoint(words) and "format" not in schema
    return _place if named and _LOCATING.isdisjoint(_words_of(tool)) else None


def _words_of(tool: Tool) -> set[str]:
    """Return the words of the names of a tool's parameters."""
    return {word.lower() for name in tool.parameters["properties"] for word in _WORD.findall(name)}


def _place(name: str, day: date, random: Random) -> Reading:
    said = random.choice(list(_HOMONYMS))
    return Reading(name, said, _HOMONYMS[said])


def _currency(name: str, day: date, random: Random) -> Reading:
    said = random.choice(list(_CURRENCIES))
    return Reading(name, said, _CURRENCIES[said])


def _day(name: str, day: date, random: Random) -> Reading:
    """A day of which nobody knows whether the month comes first, and which is to come either way: 03/04/2026."""
    year = day.year if day.month < _LATE else day.year + 1
    days = [date(year, month, number) for month in range(1, 13) for number in range(1, 13) if number != month]
    drawn = random.choice([each for each in days if each > day and date(year, each.day, each.month) > day])
    other = date(year, drawn.day, drawn.month)
    said = f"{drawn.month:02}/{drawn.day:02}/{drawn.year}"
    return Reading(name, said, (drawn.isoformat(), other.isoformat()))


def _time(name: str, day: date, random: Random) -> Reading:
    hour = random.randint(5, 11)
    return Reading(name, str(hour), (f"{hour:02}:00", f"{hour + 12:02}:00"))
