"""Values of results as an assistant tells them: dates and times in words, amounts with currency, numbers with units."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache

from generator.authors.offline.words import join_and, split_identifier, spoken, word_set
from generator.jsontext import JsonObject, JsonValue

_MONTHS = tuple("January February March April May June July August September October November December".split())
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_MOMENT = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?")
_CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?")
_CODED = re.compile(r"[A-Z]+(?:_[A-Z]+)*|[a-z]+(?:_[a-z]+)+")
_CODES = re.compile(r"[ACGTUN]+")
_SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹"}
_MONEY = word_set("""
    price cost fare fee amount balance total subtotal payment salary revenue budget tax refund value principal
    interest charge
    """)
_NOT_MONEY = word_set("count number items results pages quantity rate percent percentage minutes hours days")
_LITERAL = word_set("""
    id key code slug login user username handle path file filename branch table column repo repository sha hash
    token url link email symbol ticker query expression number version reference tag
    """)
_UNITS: dict[tuple[str, ...], str] = {
    ("km", "h"): " km/h", ("kmh",): " km/h", ("kph",): " km/h", ("mph",): " mph", ("km",): " km", ("m",): " m",
    ("percent",): "%", ("percentage",): "%", ("celsius",): "°C", ("fahrenheit",): "°F", ("bpm",): " bpm",
    ("meters",): " meters", ("metres",): " metres", ("miles",): " miles", ("cm",): " cm", ("mm",): " mm",
    ("kg",): " kg", ("g",): " g", ("grams",): " grams", ("lbs",): " lbs", ("mg",): " mg", ("liters",): " liters",
    ("minutes",): " minutes", ("mins",): " minutes", ("seconds",): " seconds", ("hours",): " hours", ("ms",): " ms",
    ("days",): " days", ("years",): " years", ("months",): " months", ("weeks",): " weeks", ("mb",): " MB",
    ("gb",): " GB", ("kb",): " KB", ("bytes",): " bytes", ("kcal",): " kcal", ("watts",): " W", ("kwh",): " kWh",
    ("hpa",): " hPa",
}  # fmt: skip
_COUNTED = word_set("minutes mins seconds hours days years months weeks")


def say_day(year: str, month: str, day: str) -> str:
    """Say a calendar day, e.g. "March 4, 2026"; a day that does not exist is said as written."""
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return f"{year}-{month}-{day}"
    return f"{_MONTHS[int(month) - 1]} {int(day)}, {year}"


def _say_clock(hour: str, minute: str) -> str:
    return f"{int(hour) % 12 or 12}:{minute} {'AM' if int(hour) < 12 else 'PM'}"


def say_text(text: str, *, literal: bool = False) -> str:
    """Say a string: dates, times and coded words (`on_time`, `IN_PROGRESS`) in human form, all else as it stands."""
    if not text:
        return text
    if text[0].isdigit():
        if match := _DAY.fullmatch(text):
            return say_day(*match.groups())
        if match := _MOMENT.fullmatch(text):
            return f"{say_day(match[1], match[2], match[3])} at {_say_clock(match[4], match[5])}"
        if match := _CLOCK.fullmatch(text):
            return _say_clock(match[1], match[2])
        return text
    if text in ("celsius", "fahrenheit"):
        return text.capitalize()
    if not literal and _CODED.fullmatch(text) and ("_" in text or (4 < len(text) < 16 and not _CODES.fullmatch(text))):
        return text.replace("_", " ").lower()
    return text


def say_figure(value: int | float) -> str:
    """Say a number with separators from 10,000 and no trailing zeros."""
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 1e15:
            value = int(value)
        else:
            return f"{value:,}" if 1e-4 <= abs(value) < 1e15 else repr(value)
    return f"{value:,}" if abs(value) >= 10_000 else str(value)


@lru_cache(maxsize=8192)
def key_words(key: str) -> tuple[str, ...]:
    """Return the words of a result's key, lower case, abbreviations written out."""
    return split_identifier(key)


@lru_cache(maxsize=8192)
def raw_words(key: str) -> tuple[str, ...]:
    """Return the words of a result's key as written, lower case, split at underscores and capitals."""
    return tuple(word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^A-Z_\W]+|\d+", key))


@lru_cache(maxsize=8192)
def unit_of(key: str) -> str:
    """Return the unit that a key ends with, as it is written after a number; the empty string where it has none."""
    words = raw_words(key)
    return (_UNITS.get(words[-2:]) or _UNITS.get(words[-1:]) or "") if words else ""


@lru_cache(maxsize=8192)
def noun_of(key: str) -> str:
    """Return the words of a key without its unit: `distance_to_center_km` is "distance to center"."""
    raw = raw_words(key)
    words = list(key_words(key))
    if len(raw) > 1 and unit_of(key):
        words = list(split_identifier("_".join(raw[:-2] if raw[-2:] in _UNITS and len(raw) > 2 else raw[:-1])))
    if len(words) > 1 and words[-1] in ("usd", "eur", "gbp"):
        words = words[:-1]
    return spoken(words)


@lru_cache(maxsize=8192)
def is_money(key: str) -> bool:
    """Say whether a key names an amount of money."""
    words = set(raw_words(key))
    return bool(words & _MONEY) and not words & _NOT_MONEY


@lru_cache(maxsize=8192)
def is_literal(key: str) -> bool:
    """Say whether the value of a key is quoted to the letter: ids, paths, user names."""
    words = raw_words(key)
    return bool(words) and (words[-1] in _LITERAL or (words[-1] == "name" and words[0] in _LITERAL))


def say_money(value: int | float, currency: str) -> str:
    """Say an amount with two decimals where it has any, and its currency where the data tell it."""
    figure = (
        f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}" if round(value, 2) == value else f"{value:,}"
    )
    symbol = _SYMBOLS.get(currency)
    if symbol:
        return f"-{symbol}{figure[1:]}" if figure.startswith("-") else symbol + figure
    return f"{figure} {currency}".rstrip()


def _currency_beside(key: str, beside: Mapping[str, JsonValue]) -> str:
    for name in ("currency", "currency_code", "to_currency"):
        if isinstance(value := beside.get(name), str) and len(value) <= 12:
            return value
    return "USD" if raw_words(key)[-1:] == ("usd",) else "EUR" if raw_words(key)[-1:] == ("eur",) else ""


def _unit_beside(key: str, beside: Mapping[str, JsonValue]) -> str:
    unit = beside.get("unit") or beside.get("units")
    if not isinstance(unit, str) or len(unit) > 14:
        return ""
    if any("temperature" in word or word in ("temp", "high", "low") for word in raw_words(key)):
        return {"celsius": "°C", "fahrenheit": "°F", "c": "°C", "f": "°F", "metric": "°C", "imperial": "°F"}.get(
            unit.lower(), ""
        )
    if raw_words(key)[-1] in (
        "value",
        "distance",
        "weight",
        "height",
        "length",
        "area",
        "volume",
        "speed",
        "result",
        "mass",
        "displacement",
        "emissions",
        "energy",
        "force",
        "velocity",
        "acceleration",
        "pressure",
        "density",
        "momentum",
        "download",
        "upload",
    ):
        return f" {say_text(unit)}"
    return ""


def say_number(key: str, value: int | float, beside: Mapping[str, JsonValue]) -> str:
    """Say a number of a result with the unit or currency which its key or its neighbours tell."""
    if is_money(key):
        return say_money(value, _currency_beside(key, beside))
    unit = unit_of(key)
    if unit:
        words = unit.strip()
        return say_figure(value) + (f" {words[:-1]}" if value == 1 and words in _COUNTED else unit)
    if raw_words(key)[-1:] in (("year",), ("id",), ("number",), ("code",), ("port",)):
        return str(value)
    return say_figure(value) + (_unit_beside(key, beside) if "unit" in beside or "units" in beside else "")


def say_value(key: str, value: JsonValue, beside: JsonObject) -> str:
    """Say a plain value or a list of plain values; the empty string for what has no short wording (objects, null)."""
    if isinstance(value, str):
        return say_text(value.strip(), literal=is_literal(key))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return say_number(key, value, beside) if key else say_figure(value)
    if isinstance(value, list) and value and all(isinstance(entry, str | int | float) for entry in value):
        said = [say_value(key, entry, beside) for entry in value[:6]]
        if len(value) > 6:
            return join_and([*said, f"{len(value) - 6} more"])
        return join_and(said)
    return ""
