"""Settings of sources: what each may be, so that a file is refused where it is read and never fails where it runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_TIME_FORM = re.compile(r"(?:[^%]|%-?[aAbBdGHIjmMpSuUVwWxXyYfzZ%]){1,40}")
_CLOCK = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_share(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= 1


def _is_count(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_is_whole(each, 0, 10**9) for each in value)


def _are_hours(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_CLOCK.fullmatch(str(each)) for each in value)


def _are_weights(value: Any) -> bool:
    return isinstance(value, list) and all(_is_number(each) and each >= 0 for each in value) and sum(value) > 0


SETTINGS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "pool": (lambda value: isinstance(value, str | list), "the name of a pool, or a list"),
    "faker": (_is_text, "the name of a provider"),
    "pattern": (lambda value: isinstance(value, str) and len(value) <= 500, "a regular expression, of 500 characters"),
    "text": (_is_text, "a template"),
    "maybe": (_is_share, "a probability from 0 to 1"),
    "chance": (_is_share, "a probability from 0 to 1"),
    "ref": (_is_text, "the name of an entity"),
    "row": (_is_text, "the name of an entity"),
    "rows": (_is_text, "the name of an entity"),
    "new": (_is_text, "the name of an entity"),
    "wording": (_is_text, "the name of a wording"),
    "one_of": (lambda value: isinstance(value, list) and bool(value), "a list of sources"),
    "step": (lambda value: _is_number(value) and 0 < value < 10**15, "a number above 0"),
    "decimals": (lambda value: _is_whole(value, 0, 12), "a whole number from 0 to 12"),
    "as": (lambda value: isinstance(value, str) and bool(_TIME_FORM.fullmatch(value)), "a form such as %d/%m/%Y"),
    "only": (lambda value: value == "weekdays", "`weekdays`"),
    "every": (lambda value: _is_whole(value, 1, 1440), "a whole number of minutes from 1 to 1440"),
    "hours": (_are_hours, "[from, to], such as ['08:00', '20:00'] in quotation marks"),
    "count": (_is_count, "[from, to], whole numbers"),
    "weights": (_are_weights, "numbers from 0 up, not all of them 0"),
    "set": (lambda value: isinstance(value, dict), "{field: source}"),
}
"""By key, that of the source itself among them: whether a value fits, and what it should be."""
