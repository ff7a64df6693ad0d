"""Echo: a result gives back what was asked for, a choice among its values too."""

from __future__ import annotations

import pytest

from generator.jsontext import JsonObject, JsonValue
from generator.values import Context, synthesize_value

STATUS: JsonObject = {"type": "string", "enum": ["available", "pending", "sold"]}


def _statuses(schema: JsonObject, known: JsonObject) -> set[JsonValue]:
    whole: JsonObject = {"type": "object", "properties": {"status": schema}, "required": ["status"]}
    context = Context(purpose="result", known=known)
    return {synthesize_value(whole, seed=seed, context=context)["status"] for seed in range(60)}


@pytest.mark.parametrize(
    ("schema", "known", "found"),
    [
        (STATUS, {"status": "sold"}, {"sold"}),
        (STATUS, {"status": ["sold", "pending"]}, {"sold", "pending"}),
        (STATUS, {"status": ["sold", "unknown"]}, {"sold"}),
        (STATUS, {"status": "unknown"}, {"available", "pending", "sold"}),
        (STATUS, {}, {"available", "pending", "sold"}),
        ({"const": "done"}, {"status": "sold"}, {"done"}),
        ({"enum": [1, 2]}, {"status": True}, {1, 2}),
        ({"type": "string"}, {"status": "sold"}, {"sold"}),
    ],
)
def test_a_choice_echoes_what_was_asked_for(schema: JsonObject, known: JsonObject, found: set[JsonValue]) -> None:
    assert _statuses(schema, known) == found
