"""What is possible of a parameter, whether a text says so, and what an ambiguous expression can mean."""

from __future__ import annotations

import re

from generator.jsontext import JsonObject, JsonValue
from generator.validation.kinds.telling import day_exists, tells

_FEWEST_CHOICES = 2
_FEW = 4
"""A list of so many choices is told whole."""
_ISO_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_SLASHED = re.compile(r"(\d\d?)/(\d\d?)/(\d{4})")
_HOUR = re.compile(r"(\d\d?)(?::(\d\d))?")
_CLOCK = re.compile(r"(\d\d):(\d\d)(?::\d\d)?")
_CURRENCIES = {
    "dollar": "USD CAD AUD NZD HKD SGD TWD JMD BSD", "peso": "MXN ARS CLP COP PHP UYU CUP DOP",
    "franc": "CHF XOF XAF XPF BIF DJF GNF KMF RWF", "crown": "SEK NOK DKK CZK ISK", "krone": "NOK DKK",
    "rupee": "INR PKR LKR NPR MUR SCR", "pound": "GBP EGP LBP SYP SDG", "dinar": "KWD JOD TND DZD BHD IQD LYD RSD",
    "real": "BRL", "yuan": "CNY", "yen": "JPY",
}  # fmt: skip


def tells_what_is_possible(text: str, refused: JsonValue, schema: JsonObject) -> bool:
    """Say whether a text tells what a schema admits in place of a value: choices, the bound, the length of a month.

    Of a schema that limits in other ways it is enough to speak of the refused value.
    """
    choices = schema.get("enum")
    if isinstance(choices, list):
        told = [choice for choice in choices if tells(text, choice)]
        return len(told) >= (len(choices) if len(choices) <= _FEW else _FEWEST_CHOICES)
    if isinstance(refused, int | float) and not isinstance(refused, bool):
        bounds = [schema.get(key) for key in ("maximum", "exclusiveMaximum") if _is_above(refused, schema.get(key))]
        bounds += [schema.get(key) for key in ("minimum", "exclusiveMinimum") if _is_above(schema.get(key), refused)]
        return any(tells(text, bound) for bound in bounds) if bounds else tells(text, refused)
    if isinstance(refused, str) and (match := _ISO_DAY.fullmatch(refused)):
        year, month = int(match[1]), int(match[2])
        last = next((day for day in (31, 30, 29, 28) if 1 <= month <= 12 and day_exists(year, month, day)), 0)
        return re.search(rf"(?<!\d){last}(?!\d)", text) is not None
    return tells(text, refused)


def _is_above(value: JsonValue, bound: JsonValue) -> bool:
    return isinstance(value, int | float) and isinstance(bound, int | float) and value >= bound


def may_mean(said: str, value: JsonValue) -> bool:
    """Say whether an expression can mean a value and leaves something of it open.

    "03/04/2026" is a day of March or April, "7" an hour of the morning or evening, "dollars" those of several
    countries, "Portland" every "Portland, ...".
    """
    if not isinstance(value, str):
        return False
    said = said.strip()
    if (day := _ISO_DAY.fullmatch(value)) and (slashed := _SLASHED.fullmatch(said)):
        return _is_day(int(slashed[1]), int(slashed[2]), int(slashed[3]), day)
    if (clock := _CLOCK.fullmatch(value)) and (hour := _HOUR.fullmatch(said)):
        return 1 <= int(hour[1]) <= 12 and int(clock[1]) % 12 == int(hour[1]) % 12 and (hour[2] or "00") == clock[2]
    if value in _CURRENCIES.get(said.casefold().removesuffix("s"), "").split():
        return True
    return bool(said) and re.match(rf"{re.escape(said.casefold())}\W+\w", value.casefold()) is not None


def _is_day(first: int, second: int, year: int, day: re.Match[str]) -> bool:
    month, number = int(day[2]), int(day[3])
    return year == int(day[1]) and first != second and (month, number) in ((first, second), (second, first))
