"""One result for each call of a draft."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from random import Random

from generator.errors import ValueSynthesisError
from generator.jsontext import JsonObject, JsonValue, digest
from generator.records.calls import SUCCESS, Draft, DraftCall, ToolResult
from generator.results import coherence
from generator.results.arithmetic import compute
from generator.results.echo import echo, known_values
from generator.results.failures import failure_message, unknown_tool_message, validation_message
from generator.results.world import World
from generator.scenarios.scenario import Scenario, Step
from generator.schemas.validators import SchemaValidator, validator_for
from generator.streams import stream
from generator.tools.tool import Tool
from generator.values import Context, synthesize_value

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

Fix = Callable[[JsonValue], JsonValue]


def synthesize_results(scenario: Scenario, draft: Draft, step: Step) -> tuple[ToolResult, ...]:
    """Answer the calls of a draft, in their order.

    A call the plan foresaw (same position, same name) ends as planned; an unknown tool or arguments that do not
    fit its schema get an error result, never an exception. Equal calls of a scenario get equal results.
    """
    tools = {tool.name: tool for tool in scenario.tools}
    world = World()
    return tuple(
        _answer(scenario, tools.get(call.name), call, _outcome(step, position, call), world)
        for position, call in enumerate(draft.calls)
    )


def _outcome(step: Step, position: int, call: DraftCall) -> str:
    """Return how the plan wants the call to end; SUCCESS where the plan knows no such call."""
    planned = step.calls[position] if position < len(step.calls) else None
    return planned.outcome if planned is not None and planned.tool.name == call.name else SUCCESS


def _answer(scenario: Scenario, tool: Tool | None, call: DraftCall, outcome: str, world: World) -> ToolResult:
    if tool is None:
        return _failed(call.name, "RESOURCE_NOT_FOUND", unknown_tool_message(call.name))
    arguments_validator = validator_for(tool.parameters)
    if not arguments_validator.is_valid(call.arguments):
        return _failed(
            tool.name, "PARAMETER_VALIDATION_FAILED", validation_message(_first(arguments_validator, call.arguments))
        )
    random = stream(scenario.seed, "result", tool.name, digest(call.arguments))
    if outcome != SUCCESS:
        return _failed(tool.name, outcome, failure_message(tool, call.arguments, outcome, random))
    try:
        return ToolResult(tool.name, _value(scenario, tool, call.arguments, random, world))
    except ValueSynthesisError:
        # A result schema that admits no value is told as what it is to the caller: a tool that cannot answer.
        return _failed(
            tool.name, "SERVICE_UNAVAILABLE", failure_message(tool, call.arguments, "SERVICE_UNAVAILABLE", random)
        )


def _failed(name: str, error_type: str, message: str) -> ToolResult:
    return ToolResult(name, error_type=error_type, error_message=message)


def _first(validator: SchemaValidator, arguments: JsonObject) -> str:
    """Return the first problem of arguments in words."""
    problem = validator.problems(arguments)[0]
    return f"{problem.pointer.strip('/').replace('/', '.')}: {problem.message}" if problem.pointer else problem.message


def _value(scenario: Scenario, tool: Tool, arguments: JsonObject, random: Random, world: World) -> JsonValue:
    known = known_values(tool.parameters, arguments)
    context = Context(
        reference_date=scenario.reference_date,
        name=tool.name,
        description=tool.description,
        known=known,
        purpose="result",
    )
    value = synthesize_value(tool.result_schema, seed=random, context=context, locale=scenario.locale)
    validator = validator_for(tool.result_schema)
    for fix in _fixes(scenario, tool, arguments, known, context, random, world):
        fixed = fix(value)
        if fixed is not value and validator.is_valid(fixed):
            value = fixed
    world.learn(value)
    return value


def _fixes(
    scenario: Scenario,
    tool: Tool,
    arguments: JsonObject,
    known: dict[str, JsonValue],
    context: Context,
    random: Random,
    world: World,
) -> Iterator[Fix]:
    """Yield what makes the value coherent, in order; each is dropped where it breaks the result schema."""
    yield lambda value: echo(value, known)
    yield world.recall
    length = coherence.asked_length(arguments)
    if length is not None:
        yield lambda value: coherence.resize(value, length, _one_more(value, tool, context, random, scenario.locale))
    yield coherence.count_entries
    yield lambda value: coherence.order_entries(value, _start(arguments, scenario.reference_date))
    yield coherence.order_bounds
    yield lambda value: compute(tool, arguments, value)


def _one_more(
    value: JsonValue, tool: Tool, context: Context, random: Random, locale: str
) -> Callable[[int], JsonValue]:
    """Return what makes a further entry of the only list of a result."""
    key = coherence.main_list(value)
    schema = tool.result_schema.get("properties", {}).get(key, {}).get("items", True)

    def make(number: int) -> JsonValue:
        if not isinstance(schema, dict) or "$ref" in schema:
            return value[key][number % len(value[key])]
        return synthesize_value(schema, seed=random, context=context, locale=locale)

    return make


def _start(arguments: JsonObject, reference: date) -> date:
    """Return the day a forecast starts: the date asked for, else the reference date."""
    told = (arguments.get(name) for name in ("start_date", "date", "day"))
    return next((date.fromisoformat(text) for text in told if isinstance(text, str) and _is_day(text)), reference)


def _is_day(text: str) -> bool:
    """Say whether a text is a calendar day in the form YYYY-MM-DD."""
    return _DAY.fullmatch(text) is not None and validator_for({"type": "string", "format": "date"}).is_valid(text)
