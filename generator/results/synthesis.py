"""One result for each call of a draft."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from random import Random

from generator.errors import ValueSynthesisError
from generator.jsontext import JsonObject, JsonValue, digest, dump_canonical, dump_compact
from generator.records.calls import SUCCESS, Draft, DraftCall, ToolResult
from generator.results import choices, coherence, details, moments, wanted
from generator.results.arithmetic import compute
from generator.results.currencies import exchange
from generator.results.echo import echo, known_values
from generator.results.failures import failure_message, unknown_tool_message, validation_message
from generator.results.world import World
from generator.scenarios.scenario import Scenario, Step
from generator.schemas.validators import SchemaValidator, validator_for
from generator.streams import stream
from generator.tools.operations import Operation, read_operation, snake
from generator.tools.result_schemas import noun_of
from generator.tools.result_schemas_methods import READING
from generator.tools.tool import Tool
from generator.values import Context, synthesize_value

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_A_DAY: JsonObject = {"type": "string", "format": "date"}
_DEEDS = frozenset(
    ("create", "update", "delete", "send", "pay", "order", "book", "schedule", "run", "toggle", "generate")
)
_TOLD_DEEDS = frozenset(("create", "update", "delete"))
_TIME = frozenset(("current", "time"))
_OWN = frozenset(("id", "number"))
_PLACES = ("city", "location")

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
    problem = _problem(tool, call.arguments)
    if problem:
        return _failed(tool.name, "PARAMETER_VALIDATION_FAILED", validation_message(problem))
    random = stream(scenario.seed, "result", tool.name, digest(call.arguments))
    if outcome == SUCCESS:
        try:
            return ToolResult(tool.name, _value(scenario, tool, call.arguments, random, world))
        except ValueSynthesisError:
            # A result schema that admits no value shows to the caller as a tool that cannot answer.
            outcome = "SERVICE_UNAVAILABLE"
    return _failed(tool.name, outcome, failure_message(tool, call.arguments, outcome, random))


def _failed(name: str, error_type: str, message: str) -> ToolResult:
    return ToolResult(name, error_type=error_type, error_message=message)


def _problem(tool: Tool, arguments: JsonObject) -> str:
    """Return the first problem of a call's arguments in words; "" where they can be used."""
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


def _value(scenario: Scenario, tool: Tool, arguments: JsonObject, random: Random, world: World) -> JsonValue:
    known = known_values(tool.parameters, arguments)
    context = Context(
        reference_date=scenario.reference_date,
        name=tool.name,
        description=tool.description,
        include=_echoed(tool, arguments, known) if tool.result_origin == "derived" else None,
        known=_told_inside(tool, known),
        purpose="result",
    )
    value = synthesize_value(tool.result_schema, seed=random, context=context, locale=scenario.locale)
    fixes = tuple(_fixes(scenario, tool, arguments, known, context, random, world))
    value = _fixed(value, fixes, validator_for(tool.result_schema))
    world.learn(value)
    return value


def _fixed(value: JsonValue, fixes: tuple[Fix, ...], validator: SchemaValidator) -> JsonValue:
    """Return the value with every fix that its schema bears; all are tried at once, then one by one."""
    whole = value
    for fix in fixes:
        whole = fix(whole)
    if whole is value or validator.is_valid(whole):
        return whole
    for fix in fixes:
        fixed = fix(value)
        if fixed is not value and validator.is_valid(fixed):
            value = fixed
    return value


def _told_inside(tool: Tool, known: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Return what values inside the result may repeat: without ids where it lists things, for each has its own."""
    properties = tool.result_schema.get("properties")
    if not isinstance(properties, dict) or not any(
        "items" in one for one in properties.values() if isinstance(one, dict)
    ):
        return known
    return {name: value for name, value in known.items() if snake(name).rpartition("_")[2] not in _OWN}


def _echoed(tool: Tool, arguments: JsonObject, known: dict[str, JsonValue]) -> frozenset[str]:
    """Return the optional fields of a derived result that the call gave a value for, or asks for by its method."""
    echoed = frozenset(name for name in tool.result_schema.get("properties", {}) if name in known)
    return echoed | choices.chosen_fields(tool, arguments)


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
    operation = read_operation(tool.name, tool.description)
    noun = noun_of(operation, tool.description)
    yield lambda value: echo(value, known)
    yield world.recall
    if operation.family in READING:
        yield lambda value: wanted.filtered(value, arguments)
        if tool.result_origin == "derived":
            yield lambda value: wanted.about_query(value, tool, noun, arguments, random)
    yield coherence.distinct
    length = coherence.asked_length(arguments)
    if length is not None:
        yield lambda value: coherence.resize(value, length, _one_more(value, tool, context, random, scenario.locale))
        yield coherence.distinct
    yield coherence.count_entries
    yield from _placed(tool, operation, arguments, scenario.reference_date)
    yield lambda value: exchange(value, arguments, random)
    yield lambda value: compute(tool, arguments, value)
    if tool.result_origin == "derived":
        yield from _derived(tool, arguments)
    elif operation.family in _TOLD_DEEDS:
        yield lambda value: details.tell_done(value, operation, arguments)
    yield lambda value: details.agree(value, noun, arguments)
    yield lambda value: details.name_person(value, arguments)
    yield lambda value: wanted.selected(value, arguments)


def _derived(tool: Tool, arguments: JsonObject) -> Iterator[Fix]:
    """Yield what only results of a derived schema need."""
    yield lambda value: choices.tell_deed(value, tool, arguments)
    yield lambda value: choices.number_asked(value, tool, arguments)
    yield lambda value: choices.id_asked(value, arguments)


def _statuses(tool: Tool) -> list[JsonValue]:
    """Return the statuses that the result of a tool can have; none where they are open."""
    properties = tool.result_schema.get("properties")
    status = properties.get("status") if isinstance(properties, dict) else None
    return list(status.get("enum", ())) if isinstance(status, dict) else []


def _placed(tool: Tool, operation: Operation, arguments: JsonObject, reference: date) -> Iterator[Fix]:
    """Yield what puts numbers, times and places of the value where the call wants them."""
    yield lambda value: coherence.within(value, arguments)
    day = asked_day(arguments)
    if operation.family in READING:
        yield lambda value: wanted.in_natural_order(value, reference)
        yield lambda value: wanted.sorted_as_asked(value, arguments)
    yield lambda value: coherence.order_entries(value, date.fromisoformat(day) if day else reference)
    yield coherence.order_bounds
    yield lambda value: moments.place_in_time(value, reference, day)
    yield lambda value: moments.now(value, reference, asked=_TIME.issubset(operation.words))
    yield lambda value: moments.not_yet(value, reference, day, _statuses(tool))
    if operation.family in _DEEDS:
        yield lambda value: moments.done_today(value, reference)
    city = next((arguments[name] for name in _PLACES if isinstance(arguments.get(name), str)), "")
    if city:
        yield lambda value: coherence.settle(value, city)


def _one_more(
    value: JsonValue, tool: Tool, context: Context, random: Random, locale: str
) -> Callable[[int], JsonValue]:
    """Return what makes a further entry of the only list of a result; a copy where its schema leans on others."""
    key = coherence.main_list(value)
    properties = tool.result_schema.get("properties")
    listed = properties.get(key) if isinstance(properties, dict) else None
    schema = listed.get("items") if isinstance(listed, dict) else None
    alone = isinstance(schema, dict) and "$ref" not in dump_compact(schema)

    def make(number: int) -> JsonValue:
        if alone:
            return synthesize_value(schema, seed=random, context=context, locale=locale)
        return value[key][number % len(value[key])]

    return make


def asked_day(arguments: JsonObject) -> str | None:
    """Return the calendar day a call asks about, YYYY-MM-DD; None where it names none."""
    told = (arguments.get(name) for name in ("start_date", "departure_date", "travel_date", "date", "day"))
    return next((text for text in told if isinstance(text, str) and _is_day(text)), None)


def _is_day(text: str) -> bool:
    return _DAY.fullmatch(text) is not None and validator_for(_A_DAY).is_valid(text)
