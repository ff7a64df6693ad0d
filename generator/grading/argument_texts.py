"""Texts of arguments by what they mean: moments, words, dictated texts, and what is meant to the letter."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Hashable
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from typing import Literal

from generator.assets import asset_file
from generator.jsontext import JsonObject

TextSort = Literal["exact", "words", "dictated", "date", "date-time", "time", "uuid"]

_TO_THE_LETTER = ("enum", "const", "pattern", "contentEncoding", "contentMediaType", "format")
"""What in a schema says that its texts are meant to the letter; some formats are read."""
_READ: dict[str, TextSort] = {"date": "date", "date-time": "date-time", "time": "time", "uuid": "uuid"}

_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_MARKS = re.compile(r"[/\\_@#:=<>{}\[\]|~^$%*+&;`]|[^\s\d.,(]\d|\d[^\s\d.,)!?]|(?<=[a-z])[A-Z]|^[A-Z]{1,6}$")
"""Signs of a text that is no plain words: of paths and codes, digits in words, capitals inside, short capitals."""
_SPACES = re.compile(r"\s+")
_SAME_SIGNS = str.maketrans("\u2018\u2019\u201c\u201d\u00a0\u202f", "''\"\"  ")
_LONGEST = 100_000
"""Characters of a text that is read by its words; a longer one is meant to the letter."""


def sort_of_texts(schema: JsonObject, name: str) -> TextSort:
    """Say how the texts of a parameter are to be read, by its schema and its name."""
    form = schema.get("format")
    if isinstance(form, str) and form in _READ and not {"enum", "const", "pattern"} & schema.keys():
        return _READ[form]
    if any(keyword in schema for keyword in _TO_THE_LETTER):
        return "exact"
    return _sort_by_name(name)


@lru_cache(maxsize=4096)
def _sort_by_name(name: str) -> TextSort:
    parts = [part.lower() for part in _PARTS.findall(name)]
    return _sorts_by_word().get(parts[-1], "words") if parts else "words"


@cache
def _sorts_by_word() -> dict[str, TextSort]:
    """Return how texts are to be read by the last word of their parameter's name, where it tells."""
    names = tomllib.loads(asset_file("text_names.toml").read_text("utf-8"))
    sorts: tuple[TextSort, TextSort] = ("exact", "dictated")
    return {word: sort for sort in sorts for word in names[sort].split()}


def read_text(value: str, sort: TextSort) -> Hashable:
    """Return what a text means, read as texts of its sort are."""
    if sort == "words":
        return _words(value)
    if sort == "exact" or len(value) > _LONGEST:
        return value
    if sort == "dictated":
        text = unicodedata.normalize("NFC", value.strip()).translate(_SAME_SIGNS)
        return text[:1].lower() + text[1:]
    if sort == "uuid":
        return value.lower()
    moment = _moment(value, sort)
    return value if moment is None else moment


def _words(value: str) -> str:
    """Return plain words without their case and spacing, and what is no plain words as it stands."""
    if len(value) > _LONGEST or _MARKS.search(value):
        return value
    if value.isascii():
        return _SPACES.sub(" ", value.strip()).lower()
    text = unicodedata.normalize("NFC", value.strip()).translate(_SAME_SIGNS)
    return _SPACES.sub(" ", text).casefold()


_DAY = r"(\d{4})-(\d\d)-(\d\d)"
_CLOCK = r"(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?"
_ZONE = r"(Z|[+-]\d\d:?\d\d)?"
_DATE = re.compile(rf"{_DAY}(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?)?", re.ASCII | re.IGNORECASE)
_DATE_TIME = re.compile(rf"{_DAY}[T ]{_CLOCK}{_ZONE}", re.ASCII | re.IGNORECASE)
_TIME = re.compile(rf"{_CLOCK}{_ZONE}", re.ASCII | re.IGNORECASE)


def _moment(value: str, sort: TextSort) -> Hashable | None:
    """Return the moment that a text names; None where it names none."""
    try:
        if sort == "date":
            found = _DATE.fullmatch(value)
            return date(*map(int, found.groups())) if found else None
        if sort == "date-time":
            found = _DATE_TIME.fullmatch(value)
            return _instant(date(*map(int, found.groups()[:3])), found.groups()[3:]) if found else None
        found = _TIME.fullmatch(value)
        return _instant(None, found.groups()) if found else None
    except (ValueError, OverflowError):  # there is no such day, or it lies at the end of time
        return None


def _instant(day: date | None, parts: tuple[str | None, ...]) -> Hashable:
    """Return an instant in UTC with its fraction of a second, or a local one where no zone is told."""
    hour, minute, second, fraction, zone = parts
    clock = time(int(hour or 0), int(minute or 0), int(second or 0))
    local = datetime.combine(day or date(2000, 1, 2), clock)
    told = (fraction or "").rstrip("0")
    if zone is None:
        return ("local", local if day else clock, told)
    offset = timedelta() if zone in "Zz" else timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    moment = (local - offset if zone[0] != "-" else local + offset).replace(tzinfo=UTC)
    return (moment if day else moment.time(), told)
