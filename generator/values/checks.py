"""Checks of parts: does one node of a schema accept a value, references and all?"""

from __future__ import annotations

from generator.jsontext import JsonValue
from generator.schemas.keywords import REFERENCES, mentions
from generator.schemas.validators import InvalidSchema, SchemaValidator, content_of, validator_for

_CACHE: dict[tuple[int, int], tuple[JsonValue, JsonValue, SchemaValidator | None]] = {}
_CACHE_SIZE = 2_000


def admits(form: JsonValue, node: JsonValue, value: JsonValue) -> bool:
    """Say whether `node`, a part of the schema `form`, accepts the value; a node that cannot be compiled does."""
    validator = _validator(form, node)
    return validator is None or validator.is_valid(value)


def _validator(form: JsonValue, node: JsonValue) -> SchemaValidator | None:
    key = (id(form), id(node))
    entry = _CACHE.get(key)
    if entry is None:
        if len(_CACHE) >= _CACHE_SIZE:
            _CACHE.clear()
        # The entry holds both nodes, so that their ids stay theirs.
        entry = _CACHE[key] = (form, node, _compiled(form, node))
    return entry[2]


def _compiled(form: JsonValue, node: JsonValue) -> SchemaValidator | None:
    try:
        text = content_of(node)
        if node is form or not isinstance(node, dict) or not mentions(text, REFERENCES):
            return validator_for(node, text=text)  # many schemas ask for the same formats and patterns
        defs = form.get("$defs", {}) if isinstance(form, dict) else {}
        return SchemaValidator({**node, "$defs": {**defs, **node.get("$defs", {})}} if defs else node)
    except (InvalidSchema, TypeError, ValueError):
        return None
