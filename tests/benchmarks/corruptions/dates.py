"""Dates and times as texts tell them."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

MONTHS = {
    1: "jan|ene|janv|januar|january|enero|janvier|jänner",
    2: "feb|févr|februar|february|febrero|février",
    3: "mar|mär|march|märz|marzo|mars",
    4: "apr|abr|avr|april|abril|avril",
    5: "may|mai|mayo",
    6: "jun|juin|june|juni|junio",
    7: "jul|juil|july|juli|julio|juillet",
    8: "aug|ago|août|august|agosto",
    9: "sep|sept|september|septiembre|septembre",
    10: "oct|okt|october|oktober|octubre|octobre",
    11: "nov|november|noviembre|novembre",
    12: "dec|dez|dic|déc|december|dezember|diciembre|décembre",
}
ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?=$|[T ])")
CLOCK = re.compile(r"(?:(?<=T)|^)([01]\d|2[0-3]):([0-5]\d)(?=$|:\d\d)")


def day_of(value: str) -> date | None:
    """Return the day that a value begins with."""
    found = ISO.match(value)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def day_pattern(day: date) -> re.Pattern[str]:
    """Return a pattern that finds a day and its month, in digits or in words of five languages."""
    month, number = MONTHS[day.month], f"0?{day.day}"
    return re.compile(
        rf"{day.isoformat()}|\b(?:{month})\.? (?:the )?{number}(?:st|nd|rd|th)?(?![\d:])"
        rf"|(?<![\d:.,]){number}(?:st|nd|rd|th|er)?\.? (?:of |de |d'|de |)?(?:{month})(?![a-zäéû])"
        rf"|(?<!\d){day.month}月{day.day}(?!\d)",
        re.IGNORECASE,
    )


def a_month_later(day: date) -> date:
    """Return the same day of the next month, or its last."""
    year, month = day.year + day.month // 12, day.month % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def a_month_earlier(day: date) -> date:
    """Return the same day of the month before, or its last."""
    year, month = (day.year, day.month - 1) if day.month > 1 else (day.year - 1, 12)
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def clock_pattern(hour: int, minute: int) -> re.Pattern[str]:
    """Return a pattern that finds a time of day with its half of the day, or on the clock of 24 hours."""
    half, spoken = ("a", hour) if hour < 12 else ("p", hour)
    minutes = rf"[:.]{minute:02}" if minute else r"(?:[:.]00)?"
    twelve = (spoken - 1) % 12 + 1
    parts = "in the morning" if hour < 12 else "in the (?:afternoon|evening)|at night"
    chinese = "(?:早上|上午)" if hour < 12 else "(?:下午|晚上)"
    return re.compile(
        rf"(?<![\d:.])0?{twelve}{minutes} ?(?:{half}\.?m\b|{parts})|{chinese}{twelve}点"
        + (rf"|(?<![\d:.]){hour}[:.]{minute:02}(?![\d:])" if hour > 12 else ""),
        re.IGNORECASE,
    )
