"""Days and hours near the reference date, in the notation the field asks for."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import TypeAlias

from generator.values.draw import Draw, TextMaker
from generator.values.hints import Hint, mentions, split_name

_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_PAST = frozenset(
    "created updated published modified founded joined last uploaded posted merged closed opened recorded registered "
    "signed issued previous changed pushed completed sent received observed logged discovered released historical "
    "submitted purchase purchased hired seen commit transaction noticed discovery "
    "incident occurred verified reported".split()
)
_OPEN_ENDED = frozenset("since after before until start from begin end to range stop since".split())
"""Ends of a range: in the past where things are looked up, to come where they are planned."""
_FUTURE = frozenset(
    "departure depart return arrival checkin checkout check due deadline expiry expiration expires expire appointment "
    "event delivery pickup booking reservation travel trip schedule scheduled meeting next target remind reminder "
    "ships flight arrive estimated expected renewal rental wedding book hotel reserve plan planned concert forecast "
    "visit tour restaurant stay vacation upcoming todo task calendar".split()
)
_OPENING = frozenset("open opens opening".split())
_CLOSING = frozenset("close closes closing".split())
_LONG_AGO = frozenset("history historical treaty battle ancient".split())
_RECORDS = frozenset(
    "transaction payment order booking browsing price stock limit closure account chat credit search usage weather "
    "data temperature user customer purchase medical patient job vehicle employee".split()
)
"""What keeps a history of its own, of the last months."""
_CARD_EXPIRY = re.compile(r"\bcard\b|mm/yy", re.I)
_TODAY = frozenset(("today", "current", "now"))
_BIRTH = frozenset("birth dob birthday birthdate born".split())
_NOTATIONS = (
    (re.compile(r"\b(?:mm/dd/yyyy|month/day/year)\b", re.I), "%m/%d/%Y"),
    (re.compile(r"\bdd/mm/yyyy\b", re.I), "%d/%m/%Y"),
    (re.compile(r"\bdd-mm-yyyy\b", re.I), "%d-%m-%Y"),
    (re.compile(r"\bmm-dd-yyyy\b", re.I), "%m-%d-%Y"),
    (re.compile(r"\bdd\.mm\.yyyy\b", re.I), "%d.%m.%Y"),
    (re.compile(r"\byyyy/mm/dd\b", re.I), "%Y/%m/%d"),
    (re.compile(r"\byyyymmdd\b", re.I), "%Y%m%d"),
    (re.compile(r"\byyyy[-/]mm\b(?![-/])", re.I), "%Y-%m"),
    (re.compile(r"\bmm/yy\b", re.I), "%m/%y"),
    (re.compile(r"\bmm/yyyy\b", re.I), "%m/%Y"),
)
_SPELLED = re.compile(
    r"(?<![A-Za-z])(?!yyyy-yyyy)(?:yyyy|yy|mm|dd)(?:[-/.](?:yyyy|yy|mm|dd)){1,2}(?:[T ]hh:mm(?::ss)?)?(?![A-Za-z])",
    re.I,
)
"""A notation in letters; `hh` comes after the day."""
_MOMENT = re.compile(r"timestamp|date[ -]time|date and time|datetime|HH:MM|RFC ?3339", re.I)
_CLOCK = re.compile(r"\bhh:mm(:ss)?\b", re.I)


def day_near(draw: Draw, earliest: int, latest: int) -> date:
    """Draw a day between two offsets, in days from the reference date; kept within the calendar."""
    ordinal = draw.context.reference_date.toordinal() + draw.whole(earliest, latest)
    return date.fromordinal(min(max(ordinal, 1), date.max.toordinal()))


def say_day(day: date) -> str:
    """Write a day as in `March 3, 2026`, whatever the machine's locale."""
    return f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"


def day_for(hint: Hint, draw: Draw) -> date:
    """Draw the day a field means: a birth decades ago, a departure within weeks, a creation lately."""
    words = {*hint.words, *hint.parent_words}
    if words & _TODAY:
        return draw.context.reference_date
    days = _days_by_words(words, hint) or _days_by_topic(words, hint)
    if days is None:
        days = (-30, -1) if not draw.for_argument and draw.chance(0.7) else (1, 60)
    return day_near(draw, *days)


Days: TypeAlias = tuple[int, int]
"""The earliest and the latest day that is meant, counted from the reference date."""


def _days_by_words(words: set[str], hint: Hint) -> Days | None:
    """Return the days that the words of the field tell whatever the tool is about."""
    if words & _BIRTH:
        return -25_500, -7_000
    if words & {"expiration", "expiry", "expires"} and _CARD_EXPIRY.search(hint.description):
        return 200, 1500
    if words & {"founded", "historical"}:
        return -30_000, -2_000
    return None


def _days_by_topic(words: set[str], hint: Hint) -> Days | None:
    """Return the days that the words tell together with what the tool is about."""
    topic = set(split_name(hint.topic[0]))
    if topic & _LONG_AGO and not topic & _RECORDS:
        return -95_000, -20_000
    if words & _PAST or "histor" in hint.topic[0].lower() or "past" in hint.description.lower():
        return -200, -1
    if (words | topic) & _FUTURE:
        return 3, 75
    return (-200, -1) if words & _OPEN_ENDED else None


def date_text(hint: Hint) -> TextMaker:
    """Return a maker of a day, or of day and time, in the notation the description asks for."""
    words = set(hint.words)
    style = notation_of(hint.description)
    stamped = bool(
        words & {"timestamp", "datetime", "time"} or "at" in hint.words[-1:] or _MOMENT.search(hint.description)
    )

    def make(draw: Draw) -> str:
        day = day_for(hint, draw)
        if style:
            return written(day, style, draw)
        return moment_text(day, draw) if stamped and "YYYY-MM-DD" not in hint.description else day.isoformat()

    return make


def written(day: date, style: str, draw: Draw) -> str:
    """Write a day, and a time of it, in digits; strftime is left aside, since it asks the platform."""
    parts = {"%Y": f"{day.year:04d}", "%m": f"{day.month:02d}", "%d": f"{day.day:02d}", "%y": f"{day.year % 100:02d}"}
    if "%H" in style:
        hour, minute = hour_and_minute(draw)
        parts |= {"%H": f"{hour:02d}", "%M": f"{minute:02d}", "%S": "00" if draw.for_argument else f"{minute:02d}"}
    for mark, text in parts.items():
        style = style.replace(mark, text)
    return style


def notation_of(description: str) -> str:
    """Return the notation a description names, "" for the international one."""
    spelled = _SPELLED.search(description)
    if spelled is not None and (style := _style_of(spelled[0])) not in ("", "%Y-%m-%d"):
        return style
    return next((style for pattern, style in _NOTATIONS if pattern.search(description)), "")


@lru_cache(maxsize=256)
def _style_of(spelled: str) -> str:
    """Translate letters such as `YYYY-MM-DD HH:MM`; "" where they tell no day. MM is the month up to an hour."""
    marks = {"yyyy": "%Y", "yy": "%y", "dd": "%d", "hh": "%H", "ss": "%S"}
    parts: list[str] = []
    for part in re.split(r"([-/.: T]+)", spelled):
        minutes = "%H" in parts
        parts.append(marks.get(part.lower(), ("%M" if minutes else "%m") if part.lower() == "mm" else part))
    return "".join(parts) if {"%Y", "%y"} & set(parts) else ""


def moment_text(day: date, draw: Draw) -> str:
    """Write a moment of that day, RFC 3339, in universal time."""
    second = 0 if draw.for_argument else draw.whole(0, 59)
    hour, minute = hour_and_minute(draw)
    return f"{day.isoformat()}T{hour:02d}:{minute:02d}:{second:02d}Z"


def hour_and_minute(draw: Draw) -> tuple[int, int]:
    """Draw a time people keep: round as an argument, any as a result."""
    if draw.for_argument:
        return draw.whole(7, 21), 15 * draw.whole(0, 3) if draw.chance(0.4) else 0
    return draw.whole(6, 22), draw.whole(0, 59)


def clock_time(draw: Draw) -> str:
    """Write a time of day as 18:30."""
    hour, minute = hour_and_minute(draw)
    return f"{hour:02d}:{minute:02d}"


_MARKS_OF_MOMENTS = ("iso", "rfc", "timestamp", "date", "yyyy")


def time_text(hint: Hint) -> TextMaker:
    """Return a maker of a time of day, or of day and time where the description asks for both."""
    description = hint.description
    if mentions(hint.folded, _MARKS_OF_MOMENTS) and re.search(
        r"ISO[- ]?8601|RFC ?3339|timestamp|date and time|datetime|YYYY", description, re.I
    ):
        return date_text(hint)
    if mentions(description, ("AM", "PM")) and re.search(r"\b(?:AM|PM)\b", description):
        return lambda draw: f"{draw.whole(1, 12)}:{draw.pick(('00', '15', '30', '45'))} {draw.pick(('AM', 'PM'))}"
    words = set(hint.words)
    hours = (8, 10) if words & _OPENING else (17, 22) if words & _CLOSING else None
    if hours is not None:
        return lambda draw: f"{draw.whole(*hours):02d}:{draw.pick(('00', '00', '30'))}"
    seconds = bool((match := _CLOCK.search(description)) and match[1])
    return lambda draw: clock_time(draw) + (":00" if seconds else "")


def epoch(hint: Hint, draw: Draw) -> int:
    """Return the Unix time of the moment a field means, in seconds."""
    day = day_for(hint, draw)
    hour, minute = hour_and_minute(draw)
    start = datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)
    return int((start - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(seconds=1))
