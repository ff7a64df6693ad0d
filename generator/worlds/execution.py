"""One call on a world: the steps from the call to its result, ADM's union of a value or an error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.errors import ValueSynthesisError
from generator.jsontext import JsonObject, JsonValue, digest, dump_canonical
from generator.random_streams import stream
from generator.records import ToolResult
from generator.schemas.validators import BoundedCache, validator_for
from generator.tools import Tool
from generator.values import Context, synthesize_value
from generator.values.hints import split_name
from generator.worlds.compiler import Refused
from generator.worlds.program import ToolProgram
from generator.worlds.rows import ABSENT, NothingToDraw
from generator.worlds.values import exposed
from generator.worlds.world import World

_CACHE_SIZE = 1_000
_MOST_REFERENCES = 8
_KNOWN: BoundedCache[int, tuple[JsonObject, JsonObject]] = BoundedCache(_CACHE_SIZE)


def plain_result(schema: JsonObject) -> JsonObject:
    """Return the schema of a result narrowed to what its definition tells; every value of it is one of the schema's."""
    kept = _KNOWN.get(id(schema))
    if kept is not None:
        return kept[1]
    narrowed: JsonObject = _narrowed(schema, schema)
    # The entry holds the schema itself, so that its id is not given to another object meanwhile.
    _KNOWN.put(id(schema), (schema, narrowed))
    return narrowed


def without_rivals(value: JsonValue, schema: JsonObject, arguments: JsonObject) -> JsonValue:
    """Leave out what says anew, and otherwise, what was given: of a temperature that is set, the `currentTemperature`.

    What the schema requires stays, and so does the last part of a result.
    """
    if not isinstance(value, dict):
        return value
    given = {split_name(name): held for name, held in arguments.items()}
    rivals = {
        name
        for name, held in value.items()
        if name not in schema.get("required", ()) and name not in arguments and _is_rival(split_name(name), held, given)
    }
    return {name: held for name, held in value.items() if name not in rivals} if rivals < value.keys() else value


def _is_rival(words: tuple[str, ...], held: JsonValue, given: dict[tuple[str, ...], JsonValue]) -> bool:
    return any(0 < len(own) < len(words) and words[-len(own) :] == own and held != said for own, said in given.items())


def _narrowed(node: JsonValue, root: JsonObject) -> JsonValue:
    if not isinstance(node, dict):
        return node
    if _is_map(node):
        return node if node.get("minProperties") else {**node, "maxProperties": 0}
    found: JsonObject = dict(node)
    if isinstance(node.get("$defs"), dict):
        found["$defs"] = {name: _narrowed(part, root) for name, part in node["$defs"].items()}
    if isinstance(node.get("properties"), dict):
        found["properties"] = _properties(node, root)
    if isinstance(items := node.get("items"), dict):
        found["items"] = _narrowed(items, root)
        if _is_map(_resolved(items, root)) and not node.get("minItems"):
            found["maxItems"] = 0
    return found


def _properties(node: JsonObject, root: JsonObject) -> JsonObject:
    """Leave out things inside a thing that need not be there, as long as something is left."""
    declared: JsonObject = node["properties"]
    required = node.get("required", ())
    plain = {name for name, part in declared.items() if _resolved(part, root).get("type") != "object"}
    kept = {name: part for name, part in declared.items() if name in required or name in plain} if plain else declared
    return {name: _narrowed(part, root) for name, part in kept.items()}


def _is_map(node: JsonObject) -> bool:
    """Say whether a node is an object that names none of its keys."""
    named = ("properties", "patternProperties", "required", "propertyNames", "allOf", "anyOf", "oneOf", "$ref")
    return node.get("type") == "object" and not any(node.get(key) for key in named)


def _resolved(node: JsonValue, root: JsonObject) -> JsonObject:
    for _ in range(_MOST_REFERENCES):
        if not isinstance(node, dict) or "$ref" not in node:
            break
        node = root.get("$defs", {}).get(str(node["$ref"]).removeprefix("#/$defs/"))
    return node if isinstance(node, dict) else {}


_DEEPEST_ARGUMENTS = 64


class Unfit(Exception):
    """A domain's result does not fit what the tool declares, and cannot be filled."""


@dataclass(frozen=True, slots=True)
class Done:
    """A call that was executed: the world after it, and what the tool answered."""

    world: World
    result: ToolResult


def execute(world: World, tool: Tool, arguments: JsonObject, outcome: ToolResult | None = None) -> Done:
    """Execute a call by the first of the steps that answers it; the world that was given stays as it is.

    `outcome` is an answer that takes the place of the world's: an outage. Arguments that break the tool's schema or
    a rule of the domain, and calls that the world refuses, are answered with an error and change nothing but the clock.

    Raises:
        Unfit: the result does not fit what the tool declares.
    """
    call = _Call(world, _later(world), tool, world.program.tools.get(tool.name), arguments, outcome)
    try:
        result = next(result for step in STEPS if (result := step(call)) is not None)
    except Refused as refused:
        return Done(_later(world), _error(tool, refused.error_type, refused.message))
    except NothingToDraw as error:
        return Done(_later(world), _error(tool, "INVALID_STATE", f"{str(error)[:1].upper()}{str(error)[1:]}."))
    return Done(call.world, result)


@dataclass(frozen=True, slots=True)
class _Call:
    """A call on its way to a result."""

    before: World
    world: World
    """The world after it: a copy of the one before, which the steps change."""
    tool: Tool
    program: ToolProgram | None
    """What the domain knows of the tool; None where it knows nothing."""
    arguments: JsonObject
    outage: ToolResult | None


def _later(world: World) -> World:
    """Return a copy of a world whose clock has gone on."""
    after = world.copy()
    after.tick()
    return after


def _error(tool: Tool, error_type: str, message: str) -> ToolResult:
    return ToolResult(tool.name, error_type=error_type, error_message=message)


def _refuses_arguments(call: _Call) -> ToolResult | None:
    """Answer arguments that break the tool's schema."""
    problem = problem_of(call.tool, call.arguments)
    return _error(call.tool, "PARAMETER_VALIDATION_FAILED", problem) if problem else None


def _keeps_to_rules(call: _Call) -> ToolResult | None:
    """Answer arguments that break a rule of the domain."""
    problem = broken_rule(call.before, call.tool, call.arguments)
    return _error(call.tool, "PARAMETER_VALIDATION_FAILED", problem) if problem else None


def _is_struck(call: _Call) -> ToolResult | None:
    """Answer with the outage that is planned."""
    return call.outage


def _finds_example(call: _Call) -> ToolResult | None:
    """Answer as a worked example of the domain with these very arguments."""
    for given, result in call.program.examples if call.program is not None else ():
        if given == call.arguments:
            return _succeeds(call, result)
    return None


def _changes_world(call: _Call) -> ToolResult | None:
    """Make the effects of the call, and answer with the result that the domain tells of them."""
    if call.program is None:
        return None
    scope = call.world.scope(**{**call.program.defaults, **call.arguments, "args": call.arguments})
    for effect in call.program.effects:
        effect(scope)
    if call.program.result is None:
        return None
    value = call.program.result(scope)
    return _succeeds(call, exposed(None if value is ABSENT else value, scope))


def _lacks_example(call: _Call) -> ToolResult | None:
    """Refuse what no worked example tells, of a tool that is known by them alone."""
    if call.program is not None and call.program.examples:
        raise Refused("SERVICE_UNAVAILABLE", "There is no answer to this.")
    return None


def _synthesizes(call: _Call) -> ToolResult:
    """Answer with a value of the declared schema, of a tool whose result nobody tells; else with what was given."""
    return _succeeds(call, _echoed(call.world, call.tool, call.arguments))


STEPS: tuple[Callable[[_Call], ToolResult | None], ...] = (
    _refuses_arguments,
    _keeps_to_rules,
    _is_struck,
    _finds_example,
    _changes_world,
    _lacks_example,
    _synthesizes,
)
"""The way from a call to its result: each step answers it, or leaves it to the next."""


def _succeeds(call: _Call, value: JsonValue) -> ToolResult:
    """Return a value as the result of a call, fitted to what the tool declares."""
    if call.world.is_spent:
        raise Refused("SERVICE_UNAVAILABLE", "This takes too long.")
    return ToolResult(call.tool.name, fitted(call.tool, value, call.world, call.arguments))


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
