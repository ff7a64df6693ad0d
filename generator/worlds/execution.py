"""Execution: one call on a world, answered as ADM's union of a value or an error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from generator.errors import ValueSynthesisError
from generator.jsontext import JsonObject, JsonValue, digest, dump_canonical
from generator.records.calls import ToolResult
from generator.schemas.validators import validator_for
from generator.streams import stream
from generator.tools.tool import Tool
from generator.values import Context, synthesize_value
from generator.worlds.effects import Refused
from generator.worlds.program import Program, ToolProgram
from generator.worlds.rows import ABSENT
from generator.worlds.sources import NothingToDraw
from generator.worlds.values import exposed
from generator.worlds.world import World

_FIRST_PROBLEMS = 1


class Unfit(Exception):
    """A domain's result does not fit what the tool declares, and cannot be filled."""


@dataclass(frozen=True, slots=True)
class Done:
    """A call that was executed: the world after it, and what the tool answered."""

    world: World
    result: ToolResult


def execute(world: World, tool: Tool, arguments: JsonObject, outcome: ToolResult | None = None) -> Done:
    """Execute a call; the world that was given stays as it is.

    `outcome` is an answer that takes the place of the world's: an outage. Arguments that break the tool's schema,
    and calls that the world refuses, are answered with an error and change nothing.
    """
    after = world.copy()
    after.tick()
    problem = problem_of(tool, arguments)
    if problem:
        return Done(after, ToolResult(tool.name, error_type="PARAMETER_VALIDATION_FAILED", error_message=problem))
    if outcome is not None:
        return Done(after, outcome)
    changed = after.copy()
    try:
        value = _run(changed, tool, world.program.tools.get(tool.name), arguments)
    except Refused as refused:
        return Done(after, ToolResult(tool.name, error_type=refused.error_type, error_message=refused.message))
    except NothingToDraw as error:
        return Done(
            after, ToolResult(tool.name, error_type="INVALID_STATE", error_message=f"{str(error).capitalize()}.")
        )
    return Done(changed, ToolResult(tool.name, fitted(tool, value, world)))


def problem_of(tool: Tool, arguments: JsonObject) -> str:
    """Return the first problem of a call's arguments in words; "" where they fit the tool's parameters."""
    validator = validator_for(tool.parameters)
    if not validator.is_valid(arguments):
        problem = validator.problems(arguments)[0]
        place = problem.pointer.strip("/").replace("/", ".")
        return f"{place}: {problem.message}" if place else problem.message
    try:
        dump_canonical(arguments)
    except TypeError:
        return "a number is outside the signed 64-bit range"
    return ""


def _run(world: World, tool: Tool, program: ToolProgram | None, arguments: JsonObject) -> JsonValue:
    if program is None or (program.result is None and not program.examples):
        return _echoed(world, tool, arguments)
    for given, result in program.examples:
        if given == arguments:
            return result
    names: dict[str, Any] = {**with_defaults(tool, arguments), "args": arguments}
    scope = world.scope(**names)
    for effect in program.effects:
        effect(scope)
    if program.result is None:
        raise Refused("SERVICE_UNAVAILABLE", "There is no answer to this.")
    value = program.result(scope)
    return exposed(None if value is ABSENT else value, scope)


def _echoed(world: World, tool: Tool, arguments: JsonObject) -> JsonValue:
    """Return what a tool answers of which nothing is known: a value of the declared schema, else what was given."""
    if tool.result_origin == "domain":
        return {**arguments, "status": "ok"}
    context = Context(
        reference_date=world.today, name=tool.name, description=tool.description, known=arguments, purpose="result"
    )
    seed = stream(world.seed, "result", tool.name, digest(arguments))
    try:
        return synthesize_value(tool.result_schema, seed=seed, context=context, locale=world.locale)
    except ValueSynthesisError as error:
        raise Refused("SERVICE_UNAVAILABLE", "The service is temporarily unavailable.") from error


def with_defaults(tool: Tool, arguments: JsonObject) -> JsonObject:
    """Return the arguments with the defaults that the schema states for those not given."""
    defaults = {
        name: schema["default"]
        for name, schema in tool.parameters.get("properties", {}).items()
        if isinstance(schema, dict) and schema.get("default") is not None
    }
    return {**defaults, **arguments}


def fitted(tool: Tool, value: JsonValue, world: World) -> JsonValue:
    """Return a value that fits the tool's declared result: what is missing is synthesized.

    Raises:
        Unfit: it does not fit even so.
    """
    if tool.result_origin == "domain":
        return value
    validator = validator_for(tool.result_schema)
    if validator.is_valid(value):
        return value
    context = Context(reference_date=world.today, name=tool.name, description=tool.description, purpose="result")
    whole = synthesize_value(
        tool.result_schema,
        seed=stream(world.seed, "fill", tool.name, world.calls),
        context=context,
        locale=world.locale,
    )
    filled = _overlaid(whole, value)
    if not validator.is_valid(filled):
        problem = validator.problems(filled)[0]
        raise Unfit(f"the result of {tool.name} breaks its schema at {problem.pointer or '/'}: {problem.message}")
    return filled


def _overlaid(whole: JsonValue, value: JsonValue) -> JsonValue:
    if isinstance(whole, dict) and isinstance(value, dict):
        return {**whole, **{key: _overlaid(whole.get(key), inner) for key, inner in value.items()}}
    return value


def new_world(program: Program, seed: int, today: Any, locale: str) -> World:
    """Return the world that a record starts with."""
    return World(program, seed, today, locale)
