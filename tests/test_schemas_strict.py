"""Strict mode: the rules of the OpenAI data model on tools that are loaded."""

from typing import Any

import pytest

from generator.formats.loading.tool_files import load_tools
from generator.schemas.strict import strict_notes
from tests.tables import each_row


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def nested(levels: int) -> dict[str, Any]:
    return closed({"deeper": nested(levels - 1)} if levels > 1 else {"leaf": {"type": "string"}})


GOOD = closed({"a": {"type": "string"}, "properties": closed({"type": {"type": "string"}})})


@each_row(
    ("parameters", "codes"),
    [
        (GOOD, []),
        (closed({}), []),
        (nested(5), []),
        (nested(6), ["STRICT-LEVELS"]),
        (closed({f"p{n}": {"type": "string"} for n in range(100)}), []),
        (closed({f"p{n}": {"type": "string"} for n in range(101)}), ["STRICT-PROPERTIES"]),
        ({**GOOD, "required": ["a"]}, ["STRICT-REQUIRED"]),
        ({**GOOD, "additionalProperties": True}, ["STRICT-CLOSED"]),
        (closed({"a": {"type": "object", "properties": {}}}), ["STRICT-CLOSED"]),
        (closed({"a": {"anyOf": [{"type": "object"}, {"type": "null"}]}}), ["STRICT-CLOSED"]),
        (closed({"a": {"type": "array", "items": {**closed({"b": {}}), "required": []}}}), ["STRICT-REQUIRED"]),
    ],
)
def test_strict_rules(parameters: dict[str, Any], codes: list[str]) -> None:
    assert [note.code for note in strict_notes(parameters)] == codes


def tool(strict: Any, parameters: Any) -> dict[str, Any]:
    return {"type": "function", "name": "f", "description": "F.", "strict": strict, "parameters": parameters}


def test_a_strict_tool_stays_strict() -> None:
    described = closed({"a": {"type": "string", "description": "A"}})
    (loaded,) = load_tools(tool(True, described), strict=True)
    assert loaded.strict is True
    assert loaded.changes == ()


def test_a_tool_that_only_claims_to_be_strict_is_shown_without() -> None:
    (loaded,) = load_tools(tool(True, {"type": "object", "properties": {}}))
    assert loaded.strict is None
    assert [(change.pointer, change.kind) for change in loaded.changes] == [("/strict", "changed")]


@pytest.mark.parametrize(("given", "kept"), [(None, None), (False, False)])
def test_other_values_are_kept(given: Any, kept: Any) -> None:
    (loaded,) = load_tools(tool(given, {"type": "object", "properties": {}}))
    assert loaded.strict is kept
