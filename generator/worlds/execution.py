"""Execution: one call on a world, answered as ADM's union of a value or an error."""

from __future__ import annotations

from dataclasses import dataclass

from generator.errors import ValueSynthesisError
from generator.jsontext import JsonObject, JsonValue, digest, dump_canonical
from generator.records.calls import ToolResult
from generator.schemas.validators import validator_for
from generator.streams import stream
from generator.tools.tool import Tool
from generator.values import Context, synthesize_value
from generator.worlds.drawing import NothingToDraw
from generator.worlds.plain_results import plain_result, without_rivals
from generator.worlds.program import ToolProgram
from generator.worlds.refusals import Refused
from generator.worlds.rows import ABSENT
from generator.worlds.values import exposed
from generator.worlds.world import World

_DEEPEST_ARGUMENTS = 64


class Unfit(Exception):
    """A domain's result does not fit what the tool declares, and cannot be filled."""


@dataclass(frozen=True, slots=True)
class Done:
    """A call that was executed: the world after it, and what the tool answered."""

    world: World
    result: ToolResult


def execute(world: World, tool: Tool, arguments: JsonObject, outcome: ToolResult | None = None) -> Done:
    """Execute a call; the world that was given stays as it is.

    `outcome` is an answer that takes the place of the world's: an outage. Arguments that break the tool's schema or
    a rule of the domain, and calls that the world refuses, are answered with an error and change nothing.

    Raises:
        Unfit: the result does not fit what the tool declares.
    """
    if problem := problem_of(tool, arguments) or broken_rule(world, tool, arguments):
        return _answered(world, _error(tool, "PARAMETER_VALIDATION_FAILED", problem))
    if outcome is not None:
        return _answered(world, outcome)
    changed = world.copy()
    changed.tick()
    try:
        value = _run(changed, tool, world.program.tools.get(tool.name), arguments)
    except Refused as refused:
        return _answered(world, _error(tool, refused.error_type, refused.message))
    except NothingToDraw as error:
        return _answered(world, _error(tool, "INVALID_STATE", f"{str(error)[:1].upper()}{str(error)[1:]}."))
    if changed.is_spent:
        return _answered(world, _error(tool, "SERVICE_UNAVAILABLE", "This takes too long."))
    return Done(changed, ToolResult(tool.name, fitted(tool, value, changed, arguments)))


def _answered(world: World, result: ToolResult) -> Done:
    """Return a call that changed nothing but the clock."""
    after = world.copy()
    after.tick()
    return Done(after, result)


def _error(tool: Tool, error_type: str, message: str) -> ToolResult:
    return ToolResult(tool.name, error_type=error_type, error_message=message)


def problem_of(tool: Tool, arguments: JsonObject) -> str:
    """Return the first problem of a call's arguments in words; "" where they fit the tool's parameters."""
    if any(isinstance(value, dict | list) for value in arguments.values()) and _nests_too_deeply(arguments):
        return f"nests over {_DEEPEST_ARGUMENTS} levels"
    validator = validator_for(tool.parameters)
    if not validator.is_valid(arguments):
        problem = validator.problems(arguments)[0]
        place = problem.pointer.strip("/").replace("/", ".")
        return f"{place}: {problem.message}" if place else problem.message
    try:
        dump_canonical(arguments)
    except TypeError:
        return "a number is outside the signed 64-bit range, or a text is no Unicode"
    return ""


def _nests_too_deeply(value: JsonValue) -> bool:
    level = [value]
    for _ in range(_DEEPEST_ARGUMENTS):
        level = [each for part in level if isinstance(part, dict | list) for each in _parts(part)]
        if not level:
            return False
    return True


def _parts(value: JsonValue) -> list[JsonValue]:
    return list(value.values()) if isinstance(value, dict) else value


def broken_rule(world: World, tool: Tool, arguments: JsonObject) -> str:
    """Return what the first rule of the domain says that these arguments break; "" where they keep to all."""
    program = world.program.tools.get(tool.name)
    if program is None or not program.rules:
        return ""
    scope = world.scope(**{**program.defaults, **arguments})
    return next((said for rule in program.rules if (said := rule.broken(scope))), "")


def _run(world: World, tool: Tool, program: ToolProgram | None, arguments: JsonObject) -> JsonValue:
    if program is None:
        return _echoed(world, tool, arguments)
    for given, result in program.examples:
        if given == arguments:
            return result
    scope = world.scope(**{**program.defaults, **arguments, "args": arguments})
    for effect in program.effects:
        effect(scope)
    if program.result is not None:
        value = program.result(scope)
        return exposed(None if value is ABSENT else value, scope)
    if program.examples:
        raise Refused("SERVICE_UNAVAILABLE", "There is no answer to this.")
    return _echoed(world, tool, arguments)


def _echoed(world: World, tool: Tool, arguments: JsonObject) -> JsonValue:
    """Return what a tool answers of which nothing is known: a value of the declared schema, else what was given."""
    if tool.result_origin == "domain":
        return {"status": "ok", **arguments}
    context = Context(
        reference_date=world.today,
        name=tool.name,
        description=tool.description,
        known={**_named_id(arguments), **arguments},
        purpose="result",
    )
    seed = stream(world.seed, "result", tool.name, digest(arguments))
    try:
        value = synthesize_value(plain_result(tool.result_schema), seed=seed, context=context, locale=world.locale)
    except ValueSynthesisError as error:
        raise Refused("SERVICE_UNAVAILABLE", "The service is temporarily unavailable.") from error
    return without_rivals(value, tool.result_schema, arguments)


def _named_id(arguments: JsonObject) -> JsonObject:
    """Return the one id that was given as what a result calls its own: `orderId` is the order's `id`."""
    ids = [value for name, value in arguments.items() if name.lower().endswith("id") and not isinstance(value, list)]
    return {"id": ids[0]} if len(ids) == 1 else {}


def fitted(tool: Tool, value: JsonValue, world: World, arguments: JsonObject) -> JsonValue:
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
        seed=stream(world.seed, "fill", tool.name, digest(arguments), len(world.changes)),
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
