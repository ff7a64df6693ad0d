"""Dialects from end to end: what other writers of definitions do becomes a tool whose calls and results are valid."""

from __future__ import annotations

from typing import Any

import pytest

from generator.formats.loading.tool_files import load_catalog, load_tools
from generator.jsontext import dump_pretty
from generator.schemas.validators import validator_for
from generator.values import Context, synthesize_value


def definition(name: str, parameters: Any, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": f"Do {name}.", "parameters": parameters, **more}


DEFS = {
    "money": {"type": "object", "properties": {"amount": {"type": "number"}, "currency": {"$ref": "#/$defs/code"}}},
    "code": {"type": "string", "enum": ["USD", "EUR"]},
}


def with_defs(name: str) -> dict[str, Any]:
    properties = {"price": {"$ref": "#/$defs/money"}, "fee": {"$ref": "#/$defs/money"}}
    return definition(
        name, {"type": "object", "properties": properties, "required": ["price"], "$defs": DEFS}, response={
            "type": "dict", "properties": {"paid": {"$ref": "#/$defs/money"}}, "required": ["paid"], "$defs": DEFS
        },
    )  # fmt: skip


WRITINGS: dict[str, Any] = {
    "types of other languages": {
        "type": "dict",
        "properties": {
            "a": {"type": "float"}, "b": {"type": "tuple", "items": {"type": "long"}}, "c": {"type": "any"},
            "d": {"type": "HashMap"}, "e": {"type": "Boolean"}, "f": {"type": ""},
        },
        "required": ["a", "b", "c", "d", "e", "f"],
    },
    "upper case": {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "required": ["a"]},
    "lists of types": {"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]},
    "nullable": {"type": "object", "properties": {"a": {"type": "integer", "nullable": True}}, "required": ["a"]},
    "draft 4": {
        "type": "object",
        "properties": {"a": {"type": "integer", "minimum": 3, "exclusiveMinimum": True}},
        "required": ["a"],
    },
    "items as a list": {
        "type": "object",
        "properties": {"a": {"type": "array", "items": [{"type": "integer"}, {"type": "string"}]}},
        "required": ["a"],
    },
    "untyped nodes": {"type": "object", "properties": {"a": {"description": "Anything"}, "b": {}}, "required": ["a"]},
    "names of keywords": {
        "type": "object",
        "properties": {name: {"type": "string"} for name in ("type", "properties", "items", "enum", "required")},
        "required": ["type", "properties", "required"],
    },
    "nothing": {},
}  # fmt: skip


@pytest.mark.parametrize("parameters", WRITINGS.values(), ids=WRITINGS)
def test_whatever_is_written_has_arguments_that_fit(parameters: Any) -> None:
    (tool,) = load_tools(definition("do_it", parameters))
    for seed in range(5):
        value = synthesize_value(tool.parameters, seed=seed, context=Context(name=tool.name))
        assert validator_for(tool.parameters).is_valid(value)


def test_definitions_that_many_tools_carry_stay_with_each() -> None:
    tools = load_tools([with_defs(f"pay_{number}") for number in range(40)])
    assert len(tools) == 40
    for tool in tools[::13]:
        assert tool.parameters["$defs"].keys() == DEFS.keys()
        for schema, name in ((tool.parameters, "price"), (tool.result_schema, "paid")):
            value = synthesize_value(schema, seed=3)
            assert validator_for(schema).is_valid(value)
            assert name in value


@pytest.mark.parametrize(
    ("schema", "misfit"),
    [
        ({"type": "string", "enum": ["celsius", "fahrenheit"]}, "kelvin"),
        ({"type": "integer", "minimum": 1, "maximum": 5}, 50),
        ({"type": "integer"}, "ten"),
        ({"type": "array", "items": {"type": "string"}}, "x"),
        ({"type": "string"}, None),
    ],
)
def test_a_default_that_does_not_fit_is_reported_and_never_used(
    schema: dict[str, Any], misfit: Any, tmp_path: Any
) -> None:
    parameters = {"type": "object", "properties": {"unit": {**schema, "default": misfit}}, "required": ["unit"]}
    (tmp_path / "tools.json").write_text(dump_pretty(definition("do_it", parameters)))
    loaded = load_catalog([tmp_path / "tools.json"])
    (tool,) = loaded.catalog.tools
    said = [*(problem.what for problem in loaded.warnings), *(change.message for change in tool.changes)]
    assert any("default" in message for message in said), said
    for seed in range(20):
        value = synthesize_value(tool.parameters, seed=seed, context=Context(name=tool.name))
        assert validator_for(schema).is_valid(value["unit"])
        assert value["unit"] != misfit


def test_extension_and_reserved_fields_are_kept() -> None:
    extra = {"x_team": "payments", "vendor_cost": 3, "_metadata": {"a": 1}, "_deprecated": True}
    (tool,) = load_tools(definition("do_it", {"type": "object", "properties": {}}, **extra))
    assert tool.extensions == extra
