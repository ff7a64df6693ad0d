"""jsonschema as the one that words messages: regular expressions bounded, no reference outside the document."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry

_HARMFUL = frozenset({"patternProperties"})
"""Keywords whose regular expressions jsonschema matches in several places with Python's `re`."""


@lru_cache(maxsize=4096)
def _pattern(pattern: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True)


def _bounded_pattern(_validator: Any, pattern: str, value: object, _schema: Any) -> Iterator[ValidationError]:
    """`pattern` by the bounded engine, so that no text takes exponential time."""
    if isinstance(value, str) and not _pattern(pattern).is_valid(value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


@lru_cache(maxsize=4096)
def _format(name: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({"format": name}, validate_formats=True, offline=True)


def _decided_format(_validator: Any, name: str, value: object, _schema: Any) -> Iterator[ValidationError]:
    """`format` as jsonschema_rs decides it, whatever optional packages are installed."""
    if isinstance(value, str) and not _format(name).is_valid(value):
        yield ValidationError(f"{value!r} is not a {name!r}")


_extend: Any = extend  # jsonschema ships no types for it
_WithFormats = _extend(Draft202012Validator, {"pattern": _bounded_pattern, "format": _decided_format})
_WithoutFormats = _extend(Draft202012Validator, {"pattern": _bounded_pattern})


def wording_validator(schema: Any, *, formats: bool) -> Any:
    """Return a jsonschema validator of the schema.

    Raises:
        ValueError: the schema holds keywords that could take jsonschema exponential time.
    """
    if any(_holds(schema, keyword) for keyword in _HARMFUL):
        raise ValueError("jsonschema could take exponential time over this schema")
    return (_WithFormats if formats else _WithoutFormats)(schema, registry=Registry())


def _holds(schema: Any, keyword: str) -> bool:
    """Say whether any object of the schema has the key; a property of that name counts too, which only costs words."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if keyword in node:
                return True
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
    return False
