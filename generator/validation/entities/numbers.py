"""What counts as a number and as an integer in the fields of an entity; a boolean is neither."""

from __future__ import annotations

from typing import TypeGuard

from generator.jsontext import JsonValue


def is_number(value: JsonValue) -> TypeGuard[int | float]:
    """Say whether a JSON value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_whole(value: JsonValue) -> TypeGuard[int | float]:
    """Say whether a JSON value is a whole number, 5.0 included; how it is written is another rule's."""
    return is_number(value) and (isinstance(value, int) or value.is_integer())


def has_fraction(value: JsonValue) -> bool:
    """Say whether a whole number is written with a fraction, as 5.0."""
    return isinstance(value, float) and value.is_integer()
