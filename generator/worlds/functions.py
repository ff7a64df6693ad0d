"""Functions: what operators calculate from plain values; from others they raise TypeError or ValueError."""

from __future__ import annotations

from typing import Any

_LONGEST_TEXT = 20_000


def as_text(value: Any) -> str:
    """Return a plain value as text, as JSON writes it.

    Raises:
        TypeError: it is a row, an object or a list, which no text stands for.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    raise TypeError("no plain value")


def as_number(text: Any) -> float:
    """Return the number that a text writes."""
    written = as_text(text)
    return float(written) if any(mark in written for mark in ".eE") else int(written)


def total(values: list[Any]) -> Any:
    """Return the sum, without the noise of binary fractions."""
    found = sum(values)
    return round(found, 4) if isinstance(found, float) else found


def mean(values: list[Any]) -> float:
    """Return the mean, to two decimals."""
    return float(round(sum(values) / len(values), 2))


def distinct_values(values: list[Any]) -> list[Any]:
    """Return each value once, in their order; 1 and true are two."""
    seen: dict[str, Any] = {}
    for value in values:
        seen.setdefault(repr(value), value)
    return list(seen.values())


def merged(*objects: Any) -> dict[str, Any]:
    """Return several objects in one; later keys win."""
    if not all(isinstance(each, dict) for each in objects):
        raise TypeError("no object")
    return {key: value for each in objects for key, value in each.items()}


def split(text: Any, separator: str = ",") -> list[str]:
    """Return the parts of a text, without the spaces around them."""
    return [each.strip() for each in as_text(text).split(as_text(separator))]


def joined_text(values: list[Any], separator: str = ", ") -> str:
    """Return one text of several values.

    Raises:
        ValueError: it is longer than any result should be.
    """
    text = as_text(separator).join(map(as_text, values))
    if len(text) > _LONGEST_TEXT:
        raise ValueError("too long a text")
    return text


def first_of(values: Any, many: Any) -> Any:
    """Return the first of a list, or of the characters of a text."""
    if not isinstance(values, list | str):
        raise TypeError("no list")
    return values[: max(0, int(many))]
