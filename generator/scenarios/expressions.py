"""Expressions: how people say dates, times and numbers that a schema wants in its own form.

Only expressions with one reading are used. "Next Friday" is said where the Friday after today and the Friday of the
week after this one are the same day; else it is "this Friday".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.validators import validator_for

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ISO_DAY = re.compile(r"YYYY-MM-DD(?![T ]?HH)", re.IGNORECASE)
_HOUR_MINUTE = re.compile(r"\bHH:MM\b(?!:)", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:^|_)(?:id|number|no|code|year|zip|lat|lon|latitude|longitude|page|port|month|x|y|line)s?$|Id$"
)
_BORN = re.compile(r"birth|\bdob\b|born|expir|issued", re.IGNORECASE)
"""Days that lie far from today."""
_PARTS = {"in the morning": 0, "in the afternoon": 12, "in the evening": 12}


@dataclass(frozen=True, slots=True)
class Expression:
    """What a person says, and the value it means."""

    said: str
    value: JsonValue


def expressible(name: str, schema: JsonValue) -> str:
    """Return `date`, `time` or `number` where a parameter's values have everyday names, else ""."""
    if not isinstance(schema, dict) or {"enum", "const", "pattern"} & schema.keys() or _BORN.search(name):
        return ""
    kind, description = schema.get("type"), str(schema.get("description", ""))
    if kind == "string":
        if schema.get("format") == "date" or _ISO_DAY.search(description):
            return "date"
        return "time" if "format" not in schema and _HOUR_MINUTE.search(description) else ""
    numbered = kind in ("integer", "number") and not _NUMBERED.search(name)
    return "number" if numbered and "multipleOf" not in schema else ""


def express(name: str, schema: JsonObject, planned: JsonValue, today: date, random: Random) -> Expression | None:
    """Return an expression for a parameter, near the value that was planned for it; None where none suits."""
    kind = expressible(name, schema)
    found: Expression | None
    if kind == "date":
        found = _day(today, random)
    elif kind == "time":
        found = _clock(random)
    else:
        found = _number(planned, random)
    return found if found is not None and validator_for(schema).is_valid(found.value) else None


def _day(today: date, random: Random) -> Expression:
    weekday = random.randrange(7)
    ahead = (weekday - today.weekday()) % 7 or 7
    which = "next" if weekday <= today.weekday() else "this"
    said, days = random.choice(
        (
            ("tomorrow", 1),
            ("the day after tomorrow", 2),
            (f"{which} {WEEKDAYS[weekday]}", ahead),
            (f"{which} {WEEKDAYS[weekday]}", ahead),
            ("a week from today", 7),
            ("two weeks from today", 14),
            ("ten days from today", 10),
        )
    )
    return Expression(said, (today + timedelta(days=days)).isoformat())


def _clock(random: Random) -> Expression:
    part, shift = random.choice(tuple(_PARTS.items()))
    hour = random.choice(
        {"in the morning": (7, 8, 9, 10, 11), "in the afternoon": (1, 2, 3, 4)}.get(part, (6, 7, 8, 9))
    )
    form, minutes = random.choice((("half past {}", 30), ("a quarter past {}", 15), ("a quarter to {}", -15)))
    total = (hour + shift) * 60 + minutes
    if random.random() < 0.15:
        return Expression("noon", "12:00")
    return Expression(f"{form.format(_ONES[hour])} {part}", f"{total // 60:02d}:{total % 60:02d}")


def _number(planned: JsonValue, random: Random) -> Expression | None:
    if isinstance(planned, bool) or not isinstance(planned, int | float) or planned < 2:
        return None
    if planned >= 1000:
        halves = min(round(planned / 500), 199)
        thousands = f"{halves // 2}{'.5' if halves % 2 else ''}"
        return Expression(f"{thousands}k", halves * 500) if planned < 100_000 else None
    if 10 <= planned <= 14 and random.random() < 0.7:
        return Expression("a dozen", 12)
    if planned < 20:
        return Expression(_ONES[int(planned)], int(planned))
    if planned < 100:
        return Expression(_TENS[min(round(planned / 10), 9) - 2], min(round(planned / 10), 9) * 10)
    hundreds = min(round(planned / 100), 9)
    return Expression(f"{_ONES[hundreds]} hundred", hundreds * 100)
