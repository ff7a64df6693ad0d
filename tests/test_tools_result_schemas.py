"""Result schemas derived from tools: their shapes, and that every real tool gets a usable one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from generator.jsontext import JsonObject
from generator.schemas.validators import schema_problems
from generator.tools.result_schemas import MOST_LEAVES, derive_result_schema
from tests.shared_data import SHARED, needs_shared


def takes(*required: str, **optional: str) -> JsonObject:
    """Return an object schema of string parameters, or of the types given."""
    properties = {name: {"type": "string"} for name in required} | {n: {"type": t} for n, t in optional.items()}
    return {"type": "object", "properties": properties, "required": list(required)}


SHAPES: list[tuple[str, str, JsonObject, set[str]]] = [
    ("get_weather", "Get the weather.", takes("city"), {"city", "temperature", "conditions", "humidity", "wind_speed"}),
    ("search_restaurants", "Search restaurants.", takes("city"), {"city", "restaurants", "total"}),
    ("create_task", "Create a task.", takes("title"), {"task_id", "title", "status", "created_at"}),
    ("update_ticket", "Update a ticket.", takes("ticket_id"), {"ticket_id", "status", "updated_at"}),
    ("delete_file", "Delete a file.", takes("path"), {"path", "status", "deleted_at"}),
    ("send_email", "Send an email.", takes("to", "subject"), {"message_id", "to", "status", "sent_at"}),
    ("calculate_area", "Calculate the area.", takes(width="number", height="number"), {"area"}),
    ("convert_currency", "Convert an amount.", takes("from_currency", "to_currency"),
     {"from_currency", "to_currency", "converted_amount", "rate"}),
    ("is_available", "Check whether a room is available.", takes("room_id"), {"room_id", "available"}),
    ("book_hotel", "Book a hotel.", takes("city"),
     {"booking_id", "city", "status", "confirmation_number", "total_price"}),
    ("play_song", "Play a song.", takes("title"), {"title", "status", "now_playing", "duration_seconds"}),
    ("flights.search", "Find flights.", takes("origin", "destination"), {"origin", "flights", "total"}),
    ("sentiment_analysis", "Analyze the sentiment of a text.", takes("text"), {"sentiment", "confidence"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "description", "parameters", "fields"), SHAPES, ids=[row[0] for row in SHAPES])
def test_the_family_of_a_tool_decides_its_shape(
    name: str, description: str, parameters: JsonObject, fields: set[str]
) -> None:
    schema = derive_result_schema(name, description, parameters)
    assert set(schema["properties"]) == fields
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == fields


def test_a_list_holds_what_its_noun_is_made_of_under_its_plural() -> None:
    schema = derive_result_schema("list_repositories", "List repositories.", takes("owner"))
    assert set(schema["properties"]["repositories"]["items"]["properties"]) == {"name", "owner", "description", "stars"}


def test_an_echo_keeps_the_type_and_the_choices_of_its_parameter() -> None:
    parameters = {
        "type": "object",
        "properties": {
            "unit": {"type": "string", "enum": ["km", "mi"], "description": "Unit"},
            "city": {"type": "string"},
        },
        "required": ["city", "unit"],
    }
    properties = derive_result_schema("get_distance", "Get the distance.", parameters)["properties"]
    assert properties["unit"] == {"type": "string", "enum": ["km", "mi"]}
    assert properties["city"] == {"type": "string"}


def test_a_unit_is_constant_unless_the_caller_may_choose_it() -> None:
    fixed = derive_result_schema("calculate_speed", "Calculate the speed.", takes(distance="number", time="number"))
    assert fixed["properties"]["unit"]["const"] == "m/s"
    chosen = derive_result_schema("calculate_speed", "Calculate the speed.", takes("unit", distance="number"))
    assert chosen["properties"]["unit"] == {"type": "string"}


@pytest.mark.parametrize(
    "parameters", [{}, {"properties": None}, {"properties": {"a": True, "b": 3}}, {"required": "x"}]
)
@pytest.mark.parametrize("name", ["", "get", "do_it", "日本", "a.b.c", "x" * 300, "__", "123"])
def test_any_definition_gets_a_schema(name: str, parameters: JsonObject) -> None:
    assert schema_problems(derive_result_schema(name, "", parameters)) == []


def nodes(schema: Any) -> Iterator[JsonObject]:
    """Yield every schema object below a derived schema."""
    yield schema
    for inner in schema.get("properties", {}).values():
        yield from nodes(inner)
    if "items" in schema:
        yield from nodes(schema["items"])


def corpus_tools() -> Iterator[JsonObject]:
    """Yield the definitions of the corpus that are written as bare tools, with the types of their dialect."""
    for path in sorted((SHARED / "corpus").glob("*/*.json")):
        if path.parent.name in ("bfcl", "tau2", "github_mcp", "playwright_mcp") and "returns" not in path.name:
            yield from definitions(json.loads(path.read_text(encoding="utf-8")))


def definitions(document: Any) -> Iterator[JsonObject]:
    """Yield the objects that name a tool."""
    if isinstance(document, list):
        for part in document:
            yield from definitions(part)
    elif isinstance(document, dict):
        if isinstance(document.get("function"), dict):
            document = document["function"]
        if isinstance(document.get("name"), str):
            yield document
        else:
            for part in document.values():
                yield from definitions(part)


@needs_shared
def test_every_real_tool_gets_a_small_closed_valid_schema_without_nulls() -> None:
    seen = 0
    for tool in corpus_tools():
        parameters = tool.get("parameters") or tool.get("inputSchema") or {}
        schema = derive_result_schema(tool["name"], tool.get("description") or "", parameters)
        assert schema_problems(schema) == [], tool["name"]
        assert schema["properties"], tool["name"]
        assert len(schema["required"]) <= MOST_LEAVES, tool["name"]
        for node in nodes(schema):
            assert node["type"] in ("object", "array", "string", "number", "integer", "boolean"), tool["name"]
            if node["type"] == "object":
                assert node["additionalProperties"] is False
        assert schema == derive_result_schema(tool["name"], tool.get("description") or "", parameters)
        seen += 1
    assert seen > 1500


def test_bounds_and_choices_in_the_tables_can_be_met() -> None:
    from generator.tools.result_schemas_computed import QUANTITIES
    from generator.tools.result_schemas_fields import closed, fields_of
    from generator.tools.result_schemas_nouns import NOUNS

    for noun, spec in {**NOUNS, **QUANTITIES}.items():
        for field, schema in fields_of(spec, noun).items():
            jsonschema.Draft202012Validator.check_schema(closed({field: schema}))
            assert schema.get("minimum", 0) <= schema.get("maximum", 1e30), (noun, field)
