"""Tools that do several things: the argument that chooses decides which fields are told and what was done."""

from __future__ import annotations

from functools import lru_cache

from generator.jsontext import JsonObject, JsonValue
from generator.tools.operations import read_operation, snake
from generator.tools.result_schemas import noun_of
from generator.tools.result_schemas_choice import field_chooser, flags
from generator.tools.result_schemas_echoes import DEED_DONE
from generator.tools.result_schemas_methods import READING, chooser, deed_told, fields_of_choice
from generator.tools.tool import Tool


def chosen_fields(tool: Tool, arguments: JsonObject) -> frozenset[str]:
    """Return the optional fields that the arguments which choose what is read ask for."""
    operation = read_operation(tool.name, tool.description)
    if operation.family not in READING:
        return frozenset()
    if field_chooser(tool.parameters) is not None or flags(tool.parameters):
        # What is not asked for is taken out again; what a call leaves out is not repeated.
        return frozenset(tool.result_schema.get("properties", ())) - set(tool.parameters.get("properties", ()))
    name, choices = chooser(tool.parameters)
    if not name:
        return frozenset()
    choice = arguments.get(name, choices[0])
    return _fields(choice, noun_of(operation, tool.description)) if choice in choices else frozenset()


def full_schema(tool: Tool) -> JsonObject:
    """Return the result schema with every field of its listed things, where the call may choose among them."""
    schema = tool.result_schema
    if tool.result_origin != "derived" or (field_chooser(tool.parameters) is None and not flags(tool.parameters)):
        return schema
    return {**schema, "properties": {name: _full(inner) for name, inner in schema["properties"].items()}}


def _full(schema: JsonObject) -> JsonObject:
    items = schema.get("items")
    if not isinstance(items, dict) or "properties" not in items:
        return schema
    return {**schema, "items": {**items, "required": list(items["properties"])}}


@lru_cache(maxsize=2048)
def _fields(choice: str, noun: str) -> frozenset[str]:
    return frozenset(fields_of_choice(choice, noun))


def tell_deed(value: JsonValue, tool: Tool, arguments: JsonObject) -> JsonValue:
    """Return the result with the status of what the call chose to do: `deleted` for the method delete."""
    if not isinstance(value, dict) or "status" not in value:
        return value
    status = tool.result_schema.get("properties", {}).get("status")
    if not isinstance(status, dict) or status.get("description") != DEED_DONE:
        return value
    name, choices = chooser(tool.parameters)
    choice = arguments.get(name)
    return {**value, "status": deed_told(choice)} if choice in choices else value


def id_asked(value: JsonValue, arguments: JsonObject) -> JsonValue:
    """Return the result with the `id` of the resource that the call names, if it names one."""
    given = arguments.get("resource_id")
    return {**value, "id": given} if given is not None and isinstance(value, dict) and "id" in value else value


def number_asked(value: JsonValue, tool: Tool, arguments: JsonObject) -> JsonValue:
    """Return the result with the `number` of the issue or pull request that the call names, if it names one."""
    if not isinstance(value, dict) or "number" not in value:
        return value
    if read_operation(tool.name, tool.description).family == "create" and not chooser(tool.parameters)[0]:
        return value  # a new thing has a number of its own
    given = [number for name, number in arguments.items() if snake(name) in ("issue_number", "pull_number") and number]
    return {**value, "number": given[0]} if len(given) == 1 else value
