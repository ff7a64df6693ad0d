"""Times of a result: deeds happen on the reference date, what is past lies before it, journeys end after they begin."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta

from generator.jsontext import JsonObject, JsonValue

DEPTH_LIMIT = 4
LONGEST_JOURNEY = 11 * 60
"""Minutes of a journey at most, beyond its first 45."""

_DEED = re.compile(r"(?!(?:starts|ends|expires|opens|closes|renews|delivers|received|published)_at)[a-z_]+_at")
_UNDER_WAY = ("boarding", "landed", "departed", "in_air", "arrived", "delayed")
_PRESENT = re.compile(r"current_(?:date_?)?time|now|local_time")
_ASKED_TIME = re.compile(rf"{_PRESENT.pattern}|datetime|time|date_?time|iso")
_PAST = frozenset(
    "date_filed filed_on signed_on published_on published_at opened_on released_on date_of_conviction starred_at "
    "received_at started_at registered_on joined_at purchased_at last_login discovered_on trained_at".split()
)
_FUTURE = frozenset(
    "estimated_delivery expires_at due_date renews_on next_available starts_at eta cycle_ends_on".split()
)
_HAPPENED = frozenset(("transaction_id", "payment_id", "sha", "home_score", "referral_id"))
_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)")


def done_today(value: JsonValue, reference: date) -> JsonValue:
    """Return the result of a deed with its root moments (`created_at`, `sent_at`) on the reference date."""
    return _on_day(value, _DEED, reference)


def now(value: JsonValue, reference: date, *, asked: bool) -> JsonValue:
    """Return the result with the present on the reference date; `asked` where the call asks what time it is."""
    return _on_day(value, _ASKED_TIME if asked else _PRESENT, reference)


def not_yet(value: JsonValue, reference: date, asked: str | None, told: list[JsonValue]) -> JsonValue:
    """Return the result of asking about a day to come without a status that only today can have.

    `told` are the statuses that the result schema knows.
    """
    if asked is None or asked <= reference.isoformat() or not isinstance(value, dict):
        return value
    if value.get("status") not in _UNDER_WAY:
        return value
    planned = next((status for status in ("scheduled", "on_time", "on time") if status in told), None)
    return {**value, "status": planned} if planned is not None else value


def _on_day(value: JsonValue, names: re.Pattern[str], day: date) -> JsonValue:
    if not isinstance(value, dict):
        return value
    told = {
        name: day.isoformat() + inner[10:]
        for name, inner in value.items()
        if isinstance(inner, str) and names.fullmatch(name) and _MOMENT.fullmatch(inner)
    }
    return {**value, **told} if told else value


def place_in_time(value: JsonValue, reference: date, asked: str | None) -> JsonValue:
    """Return the result with its past before the reference date, its future after it, and journeys in order.

    `asked` is the day a journey shall begin, YYYY-MM-DD; None leaves it where it is.
    """
    return _each(value, lambda thing: _journey(_sided(thing, reference), asked), 0)


def _each(value: JsonValue, fix: Callable[[JsonObject], JsonObject], depth: int) -> JsonValue:
    if depth > DEPTH_LIMIT:
        return value
    if isinstance(value, list):
        return [_each(inner, fix, depth + 1) for inner in value]
    if not isinstance(value, dict):
        return value
    inner = {
        name: _each(part, fix, depth + 1) if isinstance(part, dict | list) else part for name, part in value.items()
    }
    return fix(inner)


def _sided(thing: JsonObject, reference: date) -> JsonObject:
    """Mirror at the reference date what lies on the wrong side of it."""
    told = {}
    for name, value in thing.items():
        past = name in _PAST or (name == "date" and not _HAPPENED.isdisjoint(thing))
        future = name in _FUTURE
        if (past or future) and isinstance(value, str) and _DAY.match(value):
            day = date.fromisoformat(value[:10])
            if (past and day > reference) or (future and day <= reference):
                away = abs((day - reference).days)
                mirrored = reference - timedelta(days=away) if past else reference + timedelta(days=away % 60 + 1)
                told[name] = mirrored.isoformat() + value[10:]
    return {**thing, **told} if told else thing


def _journey(thing: JsonObject, asked: str | None) -> JsonObject:
    """Let an arrival follow its departure within hours, and the departure be on the day that was asked for."""
    start, end = thing.get("departure"), thing.get("arrival")
    if not (isinstance(start, str) and isinstance(end, str) and _MOMENT.fullmatch(start) and _MOMENT.fullmatch(end)):
        return thing
    if asked is not None:
        start = asked + start[10:]
    minutes = 45 + (int(end[11:13]) * 60 + int(end[14:16])) % LONGEST_JOURNEY
    arrival = datetime.fromisoformat(start[:19]) + timedelta(minutes=minutes)
    return {**thing, "departure": start, "arrival": arrival.isoformat(timespec="seconds") + start[19:]}
