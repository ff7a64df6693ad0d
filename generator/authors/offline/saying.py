"""Values in human form: dates in words, numbers with separators, enum values in words, lists joined.

`say` writes a value; `generator.authors.offline.gate` proves that what was written can be found again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from random import Random

from generator.authors.offline.fields import Field
from generator.authors.offline.units import ordinal_ending
from generator.authors.offline.words import join_and, split_identifier, spoken, word_set
from generator.jsontext import JsonValue

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December")  # fmt: skip
_ISO_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_ISO_MOMENT = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")
_SLASHED = re.compile(r"(\d\d?)[/-](\d\d?)[/-](\d{4})")
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::00)?")
_DATE_STYLES = ("mdy", "mdy", "mdy", "mdth", "dmy", "short")


class Several(list[JsonValue]):
    """The values of one parameter in several calls, said as one: "Paris and Rome"."""


_LONGEST = 1_500
"""Characters nobody types into a request."""
_MAY_BE_OPAQUE = ("id", "formula", "path", "url", "email", "repo", "owner", "branch")


class Unsayable(Exception):
    """A value that has no natural wording."""


@dataclass(frozen=True, slots=True)
class Voice:
    """How this record's user speaks: the record's stream, and the date both sides know (None where nobody told it)."""

    stream: Random
    today: date | None = None
    date_style: str = "mdy"
    oxford: bool = False
    marks: Mapping[str, str] = field(default_factory=dict)
    """By parameter: what stands for its value until the words that refer to it take the place."""


def draw_voice(stream: Random, today: date | None, marks: Mapping[str, str] | None = None) -> Voice:
    """Draw the habits of one user, kept for the whole request."""
    return Voice(stream, today, _DATE_STYLES[int(stream.random() * 6)], stream.random() < 0.4, marks or {})


def say(value: JsonValue, field: Field, voice: Voice) -> str:
    """Say a value as a person would write it in running text.

    Raises:
        Unsayable: null, an empty list, or an object that is not simple.
    """
    if field.name in voice.marks:
        return voice.marks[field.name]
    if isinstance(value, str):
        return say_text(value, field, voice)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return say_number(value, field)
    if isinstance(value, Several):
        return join_and([say(entry, field, voice) for entry in value], oxford=voice.oxford)
    if isinstance(value, list) and value:
        return say_list(value, field, voice)
    if isinstance(value, dict) and value:
        return say_object(value, field, voice)
    raise Unsayable(f"an empty value for '{field.noun}'")


def say_text(value: str, field: Field, voice: Voice) -> str:
    """Say a string: dates and times in words, enum values in words, anything else as it stands."""
    if len(value) > _LONGEST:
        raise Unsayable(f"a text of {len(value)} characters for '{field.noun}'")
    if not value.strip():
        raise Unsayable(f"an empty text for '{field.noun}'")
    if field.enum:
        if field.kind == "unit" and value.lower() in ("c", "f"):
            return "Celsius" if value.lower() == "c" else "Fahrenheit"
        if (
            value.isupper()
            and value.isalpha()
            and any(isinstance(entry, str) and len(entry) > 5 for entry in field.enum)
        ):
            return value.lower()
        return say_choice(value) + (" units" if field.kind == "unit" and value in ("metric", "imperial") else "")
    if len(value) > 15 and field.kind not in _MAY_BE_OPAQUE and value.isalnum() and value.isascii():
        raise Unsayable(f"an opaque value for '{field.noun}'")
    if value[0].isdigit() or value[0] == "-":
        return say_moment(value, field, voice) or value
    if "_" in value and not field.literal and not any(char.isdigit() or char in "./@:-" for char in value):
        return spoken(split_identifier(value))
    return value


def say_choice(value: str) -> str:
    """Say an enum value in words: `one_way` is "one way", `PULL_REQUEST` "pull request", `asc` "ascending"."""
    if value in _CHOICES:
        return _CHOICES[value]
    if " " in value or "/" in value or "." in value or ":" in value or value.startswith("-"):
        return value
    if "_" in value or ("-" in value and value.upper() != value):
        words = value.replace("_", " ").replace("-", " ") if "_" in value else value
        return words.lower() if value.upper() == value or value.lower() == value else words
    if re.search(r"[a-z][A-Z]", value):
        return spoken(split_identifier(value))
    if value.isupper() and len(value) > 4 and value.isalpha() and value != "HTTPS":
        return value.lower()
    return value.upper() if value in _FILE_TYPES else value


def say_number(value: int | float, field: Field) -> str:
    """Say a number: literal, with separators from 10,000 where it is a quantity, a share as a percentage."""
    if field.share and 0 < abs(value) < 1:
        percent = round(value * 100, 6)
        return f"{int(percent) if percent == int(percent) else percent}%"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    if field.money and isinstance(value, float):
        return f"{value:,.2f}" if round(value, 2) == value else f"{value:,}"
    if isinstance(value, int) and abs(value) >= 10_000 and not field.literal:
        return f"{value:,}"
    return repr(value)


def say_list(values: list[JsonValue], field: Field, voice: Voice) -> str:
    """Say a list: texts and numbers joined with "and", points in brackets."""
    element = field.element or field
    if len(values) > 12:
        raise Unsayable(f"a list of {len(values)} elements")
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        said = [say_number(value, element) for value in values]
        return ", ".join(said) if field.vector and len(said) != 2 else join_and(said, oxford=voice.oxford)
    if any(isinstance(value, list) for value in values):
        return join_and([_say_row(value) for value in values], oxford=voice.oxford)
    objects = sum(isinstance(value, dict) for value in values)
    if objects > 3 or 0 < objects < len(values):
        raise Unsayable(f"a list of {objects} objects among {len(values)} elements")
    said = [say(value, element, voice) for value in values]
    if any("," in text for text in said):
        return "; ".join(said)
    return join_and(said, oxford=voice.oxford)


def _say_row(row: JsonValue) -> str:
    if not isinstance(row, list) or not all(isinstance(cell, int | float | str) for cell in row) or not row:
        raise Unsayable("a list of mixed lists")
    return f"({', '.join([repr(cell) if isinstance(cell, float) else str(cell) for cell in row])})"


def say_object(value: dict[str, JsonValue], field: Field, voice: Voice) -> str:
    """Say a simple object: at most four plain values, each with its noun; a full name is put together."""
    rest = dict(value)
    said: list[str] = []
    if "first_name" in rest and "last_name" in rest:
        said.append(f"{rest.pop('first_name')} {rest.pop('last_name')}")
    elif isinstance(rest.get("name"), str) and len(rest) > 1:
        said.append(str(rest.pop("name")))
    if len(rest) > 4:
        raise Unsayable(f"an object of {len(value)} fields for '{field.noun}'")
    for key, entry in rest.items():
        child = field.child(key)
        if isinstance(entry, dict) or (
            isinstance(entry, list) and any(isinstance(item, dict | list) for item in entry)
        ):
            raise Unsayable(f"an object inside '{field.noun}'")
        if isinstance(entry, bool):
            said.append(child.noun if entry else f"no {child.noun}")
        else:
            said.append(f"{child.noun} {child.mark(say(entry, child, voice))}")
    return join_and(said)


def say_moment(value: str, field: Field, voice: Voice) -> str:
    """Say a date, a moment or a time of day in words; the empty string where the text is none of them."""
    if match := _ISO_MOMENT.fullmatch(value):
        day = _say_day(int(match[1]), int(match[2]), int(match[3]), voice)
        zone = match[7] or ""
        return day and f"{day} at {_say_clock(int(match[4]), int(match[5]), match[6])}{_say_zone(zone)}"
    if match := _ISO_DATE.fullmatch(value):
        return _say_day(int(match[1]), int(match[2]), int(match[3]), voice)
    if match := _SLASHED.fullmatch(value):
        first, second = int(match[1]), int(match[2])
        if field.day_first or first > 12:
            first, second = second, first
        elif not field.month_first and second <= 12:
            return ""
        return _say_day(int(match[3]), first, second, voice)
    if (match := _CLOCK.fullmatch(value)) and field.kind in ("time", "text", "thing"):
        return _say_clock(int(match[1]), int(match[2]), None)
    return ""


def _say_day(year: int, month: int, day: int, voice: Voice) -> str:
    try:
        moment = datetime(year, month, day)  # noqa: DTZ001 - a calendar day has no time zone
    except ValueError:
        return ""
    name = MONTHS[month - 1]
    plain = voice.today is not None and 0 <= (moment.date() - voice.today).days < 300 and year == voice.today.year
    if voice.date_style == "dmy":
        return f"{day} {name}" + ("" if plain else f" {year}")
    if voice.date_style == "short" and month not in (5, 6, 7):
        name = "Sept" if month == 9 else name[:3]
    ordinal = f"{day}{ordinal_ending(str(day))}" if voice.date_style == "mdth" else str(day)
    return f"{name} {ordinal}" + ("" if plain else f", {year}")


def _say_clock(hour: int, minute: int, second: str | None) -> str:
    half = "AM" if hour < 12 else "PM"
    seconds = f":{second}" if second and second != "00" else ""
    minutes = f":{minute:02d}{seconds}" if minute or seconds else ""
    return f"{hour % 12 or 12}{minutes} {half}"


def _say_zone(zone: str) -> str:
    if not zone:
        return ""
    if zone == "Z" or zone.strip("+-").replace(":", "") == "0000":
        return " UTC"
    return f" (UTC{zone[0]}{int(zone[1:3])}{'' if zone[-2:] == '00' else ':' + zone[-2:]})"


_CHOICES = {
    "asc": "ascending", "ASC": "ascending", "desc": "descending", "DESC": "descending", "usd": "USD", "eur": "EUR",
    "gbp": "GBP", "m": "m", "am": "AM", "pm": "PM", "one_way": "one-way", "ONE_WAY": "one-way", "celsius": "Celsius",
    "fahrenheit": "Fahrenheit", "kelvin": "Kelvin",
}  # fmt: skip
_FILE_TYPES = word_set("csv json pdf xml html png svg yaml utc gif tsv mp3 mp4 webp css sql")
