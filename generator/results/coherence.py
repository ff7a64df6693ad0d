"""Coherence inside a result: lists as long as asked, totals that count them, days that follow each other."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from generator.jsontext import JsonObject, JsonValue
from generator.tools.operations import snake

LENGTH_LIMIT = 14
"""A list is made no longer than this whatever was asked."""

_EXACT = frozenset("days count quantity n_results number_of_results num_results top top_n num n".split())
_EXACT_ENDS = frozenset("days results count matches items recipes".split())
_AT_MOST = frozenset("limit max_results max_count page_size per_page perpage first max size".split())
_TOTALS = re.compile(r"(?:total|count|total_count|num_results|number_of_results|result_count|total_results|returned)")
_LABELS = (
    "tag_name",
    "title",
    "name",
    "full_name",
    "subject",
    "tag_name",
    "path",
    "message",
    "description",
    "summary",
    "text",
)
_DAYS = frozenset(("days", "forecast", "forecasts", "itineraries", "itinerary", "daily"))


@dataclass(frozen=True, slots=True)
class Length:
    """How many entries a call asks for."""

    number: int
    exact: bool


def asked_length(arguments: JsonObject) -> Length | None:
    """Read from the arguments how many entries the result shall have; None where they do not say."""
    for name, value in arguments.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            continue
        key = snake(name)
        if key in _AT_MOST or key.startswith(("max_results", "limit", "max_num")):
            return Length(min(value, LENGTH_LIMIT), exact=False)
        if key in _EXACT or (key.startswith(("num_", "number_of_", "days_")) and key.split("_")[-1] in _EXACT_ENDS):
            return Length(min(value, LENGTH_LIMIT), exact=value <= LENGTH_LIMIT)
    return None


def main_list(value: JsonValue) -> str | None:
    """Return the key of the only list at the root of a result; None where there is none or several."""
    if not isinstance(value, dict):
        return None
    keys = [key for key, inner in value.items() if isinstance(inner, list)]
    return keys[0] if len(keys) == 1 else None


def resize(value: JsonValue, length: Length, one_more: Callable[[int], JsonValue]) -> JsonValue:
    """Return the result with its only list cut to the length asked, or filled up where exactly so many were."""
    key = main_list(value)
    if key is None:
        return value
    entries = list(value[key][: length.number])
    while entries and length.exact and len(entries) < length.number:
        entries.append(one_more(len(entries)))
    return {**value, key: entries}


def distinct(value: JsonValue) -> JsonValue:
    """Return the result without the entries of its only list that have the name or title of an earlier one."""
    key = main_list(value)
    if key is None:
        return value
    entries: dict[JsonValue, JsonValue] = {}
    for number, entry in enumerate(value[key]):
        entries.setdefault(_label(entry, number), entry)
    kept = {_number(entry, place): entry for place, entry in enumerate(entries.values())}
    return {**value, key: list(kept.values())} if len(kept) < len(value[key]) else value


def _number(entry: JsonValue, place: int) -> tuple[str, int]:
    """Return the number that an entry is known by, else its place."""
    number = entry.get("number") if isinstance(entry, dict) else None
    return ("number", number) if isinstance(number, int) else ("place", place)


def _label(entry: JsonValue, number: int) -> JsonValue:
    """Return what tells an entry from others: its name or title, else its place."""
    label = next((entry[name] for name in _LABELS if name in entry), number) if isinstance(entry, dict) else number
    return label if isinstance(label, str) else number


def settle(value: JsonValue, city: str) -> JsonValue:
    """Return the result with its street addresses, at the root and in its only list, in the place asked for."""
    if not isinstance(value, dict):
        return value
    key = main_list(value)
    settled = _settled(value, city)
    if key is not None:
        settled = {**settled, key: [_settled(e, city) if isinstance(e, dict) else e for e in value[key]]}
    return settled


def _settled(thing: JsonObject, city: str) -> JsonObject:
    address = thing.get("address")
    if not isinstance(address, str) or city in address:
        return thing
    return {**thing, "address": f"{address.partition(',')[0]}, {city}"}


def count_entries(value: JsonValue) -> JsonValue:
    """Return the result with its totals equal to the length of its only list."""
    key = main_list(value)
    if key is None:
        return value
    counts = {
        name: len(value[key])
        for name, inner in value.items()
        if isinstance(inner, int) and not isinstance(inner, bool) and _TOTALS.fullmatch(name)
    }
    return {**value, **counts}


def order_entries(value: JsonValue, start: date) -> JsonValue:
    """Return the result with its ranks and days counting up, and its forecast days following each other."""
    key = main_list(value)
    entries = value[key] if key is not None else None
    if not entries or not all(isinstance(entry, dict) for entry in entries):
        return value
    return {**value, key: [_placed(entry, number, key in _DAYS, start) for number, entry in enumerate(entries)]}


def _placed(entry: JsonObject, number: int, daily: bool, start: date) -> JsonObject:
    placed: JsonObject = {
        name: number + 1 for name in ("rank", "day", "step", "position") if type(entry.get(name)) is int
    }
    if daily and isinstance(entry.get("date"), str):
        placed["date"] = (start + timedelta(days=number)).isoformat()
    return {**entry, **placed} if placed else entry


def order_bounds(value: JsonValue) -> JsonValue:
    """Return the result with the lower of each pair of bounds below the upper, at the root."""
    if not isinstance(value, dict):
        return value
    swapped: JsonObject = {**value}
    for low, high in _BOUNDS:
        below: JsonValue = swapped.get(low)
        above: JsonValue = swapped.get(high)
        if _comparable(below, above) and below > above:
            swapped[low], swapped[high] = above, below
    return swapped


def _comparable(one: JsonValue, other: JsonValue) -> bool:
    """Say whether two values are both text or both numbers."""
    if isinstance(one, str):
        return isinstance(other, str)
    return type(one) in (int, float) and type(other) in (int, float)


_BOUNDS = (
    ("low", "high"), ("lower", "upper"), ("min", "max"), ("minimum", "maximum"), ("start_year", "end_year"),
    ("start_date", "end_date"), ("departure", "arrival"), ("opens_at", "closes_at"), ("term_start", "term_end"),
    ("start_time", "end_time"), ("created_at", "updated_at"), ("melting_point", "boiling_point"),
)  # fmt: skip
