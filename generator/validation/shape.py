"""The written shape of a record as one schema: a record that has it cannot break the rules of shape.

Most records have it, and one look by a compiled schema is cheaper than thirty rules that find nothing. The rules
stay the law: they alone say what is wrong with a record that has another shape.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from generator.jsontext import JsonValue
from generator.records.calls import SUCCESS
from generator.schemas.adm.schema import ERROR_TYPES
from generator.schemas.validators import SchemaValidator, validator_for
from generator.validation.kinds import KIND_CHECKS

SHAPE_RULES = frozenset(
    [
        "DF001",
        "DF002",
        "DF003",
        "DF004",
        "DF005",
        "DF007",
        "DF009",
        "OA001",
        "OA002",
        "OA003",
        "OA004",
        "OA005",
        "OA006",
        "OA007",
        "OA008",
        "OA011",
        "OA012",
        "OA013",
        "OA015",
        "OA017",
        "OA032",
        "ADM104",
        "TC001",
        "TC002",
        "TC003",
        "TC004",
        "TC005",
        "TC102",
        "TC103",
        "TC111",
        "TC113",
    ]
)
"""The rules that a record of the written shape cannot break."""

_TEXT = {"type": "string"}


def _object(optional: dict[str, Any] | None = None, **required: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


_CALL = _object(
    id={"type": "string", "pattern": "^[a-zA-Z0-9]{9}$"},
    type={"const": "function"},
    function=_object(name={"type": "string", "pattern": "^[a-zA-Z0-9_-]+$"}, arguments={"type": "object"}),
)
_MESSAGE = {
    "anyOf": [
        _object(role={"enum": ["user", "assistant", "system"]}, content=_TEXT),
        _object(
            role={"const": "assistant"},
            content={"const": ""},
            tool_calls={"type": "array", "minItems": 1, "items": _CALL},
        ),
        _object(role={"const": "tool"}, tool_call_id=_TEXT, name={"type": "string", "minLength": 1}, content=_TEXT),
    ]
}
_METADATA = {
    "type": "object",
    "properties": {
        "kind": {"enum": list(KIND_CHECKS)},
        "statuses": {"type": "object", "additionalProperties": {"enum": [SUCCESS, *ERROR_TYPES]}},
    },
}
SHAPE: dict[str, Any] = _object(
    {"metadata": _METADATA},
    messages={"type": "array", "minItems": 1, "items": _MESSAGE},
    tools={"type": "array"},
)
"""JSON Schema 2020-12 of a record's written shape."""


@lru_cache(maxsize=1)
def _shape() -> SchemaValidator:
    return validator_for(SHAPE)


def has_written_shape(document: JsonValue) -> bool:
    """Say whether a document has the written shape, so that no rule of shape need be asked."""
    return _shape().is_valid(document)
