"""Tools that do several things: the argument that chooses decides which fields are told and what was done."""

from __future__ import annotations

from functools import lru_cache

from generator.jsontext import JsonObject, JsonValue
from generator.tools.operations import read_operation, snake
from generator.tools.result_schemas import noun_of
from generator.tools.result_schemas_echoes import DEED_DONE
from generator.tools.result_schemas_methods import READING, chooser, deed_told, fields_of_choice
from generator.tools.tool import Tool


def chosen_fields(tool: Tool, arguments: JsonObject) -> frozenset[str]:
    """Return the fields that the argument which chooses what is read asks for; none where no argument chooses."""
    operation = read_operation(tool.name, tool.description)
    if operation.family not in READING:
        return frozenset()
    name, choices = chooser(tool.parameters)
    if not name:
        return frozenset()
    choice = arguments.get(name, choices[0])
    return _fields(choice, noun_of(operation, tool.description)) if choice in choices else frozenset()


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
