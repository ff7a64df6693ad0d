"""Classes of numbers: counts, limits, sums, durations, measures."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from generator.authors.offline.words import is_plural, word_set
from generator.jsontext import JsonObject

_MONEY = word_set(
    """price cost amount budget salary income revenue fee payment balance principal investment expense expenses
    dividend dividends wage earnings profit loan deposit value debt assets liabilities"""
)
_NO_MONEY = word_set("rate percentage percent number ratio yield")
_MONEY_HINT = re.compile(r"\b(dollars?|usd|us\$|euros?|price|cost|monetary|currency|budget|salary|revenue|income)\b|\$")
_DOLLARS = re.compile(r"\b(usd|dollars?)\b|\$")
_SHARE = re.compile(r"\b(rate|percentage|percent|discount|apr|apy|yield)\b")
_NO_SHARE = re.compile(r"exchange|frame|heart|bit ?rate|tax bracket|confidence|probability")
_RESULTS = re.compile(r"number of [a-z ]*(?:to return|to retrieve|to fetch|to list|to get|results)")
_COUNTED = word_set(
    """nights adults children guests rooms bedrooms bathrooms people passengers tickets seats servings copies stars
    floors attendees participants players rounds questions recipes items episodes sides dice count quantity"""
)
_NUMERALS = word_set("number n num count quantity integer value x amount top limit number1")
_TIMES = word_set("seconds minutes hours days weeks months years milliseconds nights")
_SPANS = word_set("duration period timeframe")
_LIMITS = ("per page", "page size", "limit", "max results", "maximum results", "top k", "top n", "top")
_LIMITING = word_set("limit maximum result results number")
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class _Name:
    """A parameter's name in words, and what else tells its class."""

    words: tuple[str, ...]
    description: str
    whole: bool

    @property
    def last(self) -> str:
        return self.words[-1] if self.words else ""

    @property
    def joined(self) -> str:
        return " ".join(self.words)


def classify_number(words: tuple[str, ...], description: str, type_name: str) -> str:
    """Return the class of a number from its name in words, its description in lower case and its type."""
    name = _Name(words, description, type_name == "integer")
    return next((kind for kind, holds in _RULES if holds(name)), "measure" if len(name.joined) > 1 else "letter")


def _is_id(name: _Name) -> bool:
    return name.last == "id" or "identifier" in name.description[:40]


def _is_limit(name: _Name) -> bool:
    if name.joined in _NUMERALS and _RESULTS.search(name.description):
        return True
    limiting = name.last in ("results", "limit") and name.words[0] in _LIMITING and name.whole
    return limiting or name.joined in _LIMITS


def _is_year(name: _Name) -> bool:
    return name.last == "year" and "number of years" not in name.description and "per" not in name.words


def _is_duration(name: _Name) -> bool:
    if "light" in name.words:
        return False
    told = name.last in _SPANS and any(word in _TIMES for word in _WORD.findall(name.description))
    return told or name.last in _TIMES or name.last == "ahead"


def _is_count(name: _Name) -> bool:
    many = is_plural(name.last)
    if len(name.words) > 1 and name.words[0] in ("number", "no") and not name.last.isdigit():
        return name.words[1] == "of" or many or name.whole
    participle = len(name.words) == 2 and is_plural(name.words[0]) and name.last.endswith("ed")
    return name.last in _COUNTED or (name.whole and (participle or (many and len(name.words) == 1)))


def _is_numbered(name: _Name) -> bool:
    return (name.last == "number" and len(name.words) > 1) or "number of the" in name.description[:18]


def _is_money(name: _Name) -> bool:
    if not _NO_MONEY.isdisjoint(name.words):
        return False
    named = not _MONEY.isdisjoint(name.words[-2:]) and _MONEY_HINT.search(name.description)
    return bool(named or _DOLLARS.search(name.description))


_RULES: tuple[tuple[str, Callable[[_Name], bool]], ...] = (
    ("season", lambda name: name.last == "season"),
    ("century", lambda name: name.last == "century"),
    ("id", _is_id),
    ("limit", _is_limit),
    ("page", lambda name: name.last == "page"),
    ("offset", lambda name: name.last == "offset"),
    ("index", lambda name: name.last == "index"),
    ("year", _is_year),
    ("coordinate", lambda name: name.last in ("latitude", "longitude")),
    ("number", lambda name: name.joined in _NUMERALS),
    ("duration", _is_duration),
    ("number", lambda name: name.last in _SPANS),
    ("count", _is_count),
    ("id", _is_numbered),
    ("money", _is_money),
)
"""Classes and what tells them, the surest first."""


def is_share(words: tuple[str, ...], schema: JsonObject) -> bool:
    """Say whether a number is a share that people tell in percent: 0.05 is "5%"."""
    text = " ".join(words)
    description = str(schema.get("description", "")).lower()
    if schema.get("type") != "number" or _NO_SHARE.search(f"{text} {description[:60]}"):
        return False
    return bool(_SHARE.search(text))
