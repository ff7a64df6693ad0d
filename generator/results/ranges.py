"""Ranges: what a call asks for between two numbers, between two days or of one year is answered from within."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from generator.jsontext import JsonObject, JsonValue
from generator.results.coherence import LENGTH_LIMIT, Length, main_list
from generator.tools.operations import snake

_PRICES = frozenset(("cost", "budget", "fare", "spend"))
_LEAST = frozenset(("min", "minimum", "lower", "from", "lowest", "at_least"))
_MOST = frozenset(("max", "maximum", "upper", "to", "highest", "at_most"))
_SPAN = re.compile(r"\s*\$?(\d+(?:\.\d+)?)\s*(?:-|to|\.\.)\s*\$?(\d+(?:\.\d+)?)\s*")
_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_STARTS = ("start_date", "from_date", "date_from", "begin_date", "since", "after", "start", "from", "date_start")
_ENDS = ("end_date", "to_date", "date_to", "finish_date", "until", "before", "end", "to", "date_end")
_LATER = re.compile(r".*(?:due|expir|deliver|renew|valid|next|last|birth|updated|modified|closed|ends?_).*|end_.*")
"""Days of a thing that lie where they lie, whatever days a call asks for."""
_DAILY = frozenset(("days", "forecast", "forecasts", "itineraries", "itinerary", "daily", "daily_forecast"))
_WHOLES = ("value", "result", "number", "random_number", "integer")


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of the range of a field, which is "" where the call names none."""

    field: str
    above: bool
    number: float


def bounds_of(arguments: JsonObject) -> list[Bound]:
    """Read the bounds that a call sets: `max_price`, `rating_min`, `price_range` as a pair, an object or a text."""
    found: list[Bound] = []
    for name, value in arguments.items():
        words = snake(name).split("_")
        if words[-1] == "range":
            found.extend(_of_pair("_".join(words[:-1]), value))
        elif _is_number(value):
            found.extend(_of_side(words, value))
    return [Bound("price" if bound.field in _PRICES else bound.field, bound.above, bound.number) for bound in found]


def _of_side(words: list[str], number: float) -> Iterator[Bound]:
    for side, rest in ((words[0], words[1:]), (words[-1], words[:-1])):
        if side in _LEAST | _MOST and side not in ("from", "to"):
            field = "_".join(rest)
            yield Bound("" if field in ("value", "number", "range", "bound") else field, side in _MOST, number)
            return


def _of_pair(field: str, value: JsonValue) -> Iterator[Bound]:
    pair: list[JsonValue] = []
    if isinstance(value, dict):
        pair = [next((value[name] for name in value if snake(name) in sides), None) for sides in (_LEAST, _MOST)]
    elif isinstance(value, list) and len(value) == 2:
        pair = value
    elif isinstance(value, str) and (span := _SPAN.fullmatch(value)) is not None:
        pair = [float(span[1]), float(span[2])]
    for above, number in zip((False, True), pair, strict=False):
        if _is_number(number):
            yield Bound(field, above, number)


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def within(value: JsonValue, arguments: JsonObject, *, drawn: bool = False) -> JsonValue:
    """Return the result with its numbers, at the root and in its only list, inside the bounds that the call sets.

    `drawn` says that the result is a number drawn between bounds without a field: `min` and `max`.
    """
    bounds = bounds_of(arguments)
    if not bounds or not isinstance(value, dict | int | float) or isinstance(value, bool):
        return value
    plain = [bound for bound in bounds if drawn and not bound.field]
    if not isinstance(value, dict):
        return _kept(value, 0, plain)
    whole = {name: _kept(number, 0, plain) for name, number in value.items() if name in _WHOLES}
    known = {snake(name) for name in arguments}
    told = {**_bounded(value, 0, bounds, known), **whole}
    key = main_list(value)
    if key is None:
        return told
    entries = [
        _bounded(entry, place, bounds, set()) if isinstance(entry, dict) else _kept(entry, place, plain)
        for place, entry in enumerate(value[key])
    ]
    return {**told, key: entries}


def _bounded(fields: JsonObject, place: int, bounds: list[Bound], given: set[str]) -> JsonObject:
    told: JsonObject = {}
    for name, number in fields.items():
        own = [bound for bound in bounds if bound.field and snake(name) not in given and _is_of(name, bound.field)]
        if own and _is_number(number):
            told[name] = _kept(number, place, own)
    return {**fields, **told} if told else fields


def _is_of(name: str, field: str) -> bool:
    return name == field or name.endswith("_" + field) or name.startswith(field + "_")


def _kept(number: JsonValue, place: int, bounds: list[Bound]) -> JsonValue:
    """Return a number inside its bounds: near the end that it lies beyond, each entry a little further inside."""
    if not bounds or not _is_number(number):
        return number
    low = max((bound.number for bound in bounds if not bound.above), default=None)
    high = min((bound.number for bound in bounds if bound.above), default=None)
    if (low is None or number >= low) and (high is None or number <= high):
        return number
    if low is not None and high is not None:
        kept = low + (high - low) * ((place * 3 + 2) % 7 + 1) / 9 if low <= high else low
    elif high is not None:
        kept = high * (1 - 0.06 * (place + 1)) if high > 0 else high
    else:
        kept = low * (1 + 0.04 * place) if low is not None else number
    return _like(number, kept, low, high)


def _like(number: JsonValue, kept: float, low: float | None, high: float | None) -> JsonValue:
    if not isinstance(number, int):
        return round(kept, 2) if (low is None or round(kept, 2) >= low) else kept
    whole = round(kept)
    if high is not None and whole > high:
        whole -= 1
    if low is not None and whole < low:
        whole += 1
    return max(1, whole) if high is not None and high >= 1 and low is None else whole


def asked_days(known: JsonObject, reference: date) -> tuple[date, date] | None:
    """Read the first and the last day that a call asks about; None where it sets no such bounds.

    A call that names the first day alone asks until the reference date.
    """
    start = next((day for name in _STARTS if (day := _day(known.get(name))) is not None), None)
    end = next((day for name in _ENDS if (day := _day(known.get(name))) is not None), None)
    if start is None:
        return None
    last = end if end is not None else reference
    return (start, last) if start <= last else None


def _day(value: JsonValue) -> date | None:
    if not isinstance(value, str) or _DAY.match(value) is None:
        return None
    try:
        return date.fromisoformat(value[:10])
    except ValueError:
        return None


def days_asked(value: JsonValue, days: tuple[date, date] | None) -> Length | None:
    """Return how many entries a list with one entry per day has between the days of a call."""
    key = main_list(value)
    if days is None or key not in _DAILY:
        return None
    number = (days[1] - days[0]).days + 1
    return Length(min(number, LENGTH_LIMIT), exact=number <= LENGTH_LIMIT)


def between_days(value: JsonValue, days: tuple[date, date] | None) -> JsonValue:
    """Return the result with the days of its entries between those that the call asks about."""
    key = main_list(value)
    if days is None or key is None or key in _DAILY or not value[key]:
        return value
    entries = [entry for entry in value[key] if isinstance(entry, dict)]
    field = next((name for name in entries[0] if _is_placed(name, entries)), None) if entries else None
    if field is None or len(entries) < len(value[key]):
        return value
    span = (days[1] - days[0]).days
    evenly = [days[0] + timedelta(days=span * (2 * place + 1) // (2 * len(entries))) for place in range(len(entries))]
    placed = [
        entry if _inside(entry[field], days) else {**entry, field: day.isoformat() + entry[field][10:]}
        for entry, day in zip(entries, evenly, strict=True)
    ]
    return {**value, key: placed}


def _is_placed(name: str, entries: list[JsonObject]) -> bool:
    return not _LATER.fullmatch(snake(name)) and all(_day(entry.get(name)) is not None for entry in entries)


def _inside(text: str, days: tuple[date, date]) -> bool:
    told = _day(text)
    return told is not None and days[0] <= told <= days[1]


def of_year(value: JsonValue, arguments: JsonObject) -> JsonValue:
    """Return the result with the things of its list of the year that the call asks for."""
    key, year = main_list(value), arguments.get("year")
    if key is None or isinstance(year, bool) or not isinstance(year, int):
        return value
    entries = [
        {**entry, "year": year} if isinstance(entry, dict) and type(entry.get("year")) is int else entry
        for entry in value[key]
    ]
    return {**value, key: entries}
