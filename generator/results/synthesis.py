"""One result for each call of a draft."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from random import Random

from generator.errors import ValueSynthesisError
from generator.jsontext import JsonObject, JsonValue, digest, dump_canonical, dump_compact
from generator.records.calls import SUCCESS, Draft, DraftCall, Exchange, ToolResult
from generator.results import choices, coherence, details, moments, ranges, wanted
from generator.results.arithmetic import compute
from generator.results.currencies import exchange
from generator.results.echo import echo, known_values
from generator.results.emptiness import emptied
from generator.results.failures import failure_message, unknown_tool_message, validation_message
from generator.results.refusals import refusal_message
from generator.results.things import with_own_id
from generator.results.world import World
from generator.scenarios.answering import answer_calls
from generator.scenarios.scenario import PlannedCall, Scenario, Step
from generator.schemas.validators import SchemaValidator, validator_for
from generator.streams import stream
from generator.tools.operations import Operation, read_operation, snake
from generator.tools.result_schemas import noun_of
from generator.tools.result_schemas_lists import SEARCHED
from generator.tools.result_schemas_methods import READING
from generator.tools.tool import Tool
from generator.values import Context, synthesize_value

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_A_DAY: JsonObject = {"type": "string", "format": "date"}
_DEEDS = frozenset(
    ("create", "update", "delete", "send", "pay", "order", "book", "schedule", "run", "toggle", "generate")
)
_MAKING = frozenset(("create", "send", "pay", "order", "book", "schedule", "generate"))
"""Families whose result has an id of its own, whatever ids the call gives."""
_TOLD_DEEDS = frozenset(("create", "update", "delete"))
_TIME = frozenset(("current", "time"))
_OWN = frozenset(("id", "number"))
_DRAWING = frozenset(("random", "generate", "pick", "roll", "draw"))
_PLACES = ("city", "location")

Fix = Callable[[JsonValue], JsonValue]


def synthesize_results(
    scenario: Scenario, draft: Draft, step: Step, history: tuple[Exchange, ...] = ()
) -> tuple[ToolResult, ...]:
    """Answer the calls of a draft, in their order.

    A call the plan foresaw (same position, same name) ends as planned; an unknown tool or arguments that do not
    fit its schema get an error result, never an exception. Equal calls of a scenario get equal results.

    `history` holds the steps before this one. What they told of a thing stays so: the same id has the same name, a
    thing that was made can be found, what was changed stays changed, and what was deleted is not there.
    """
    if not draft.calls:
        return ()
    if scenario.world is not None:
        return answer_calls(scenario, scenario.world, draft, step, history)
    tools = {tool.name: tool for tool in scenario.tools}
    world = World()
    for earlier in history:
        for call, result in zip(earlier.draft.calls, earlier.results, strict=True):
            _learn(world, tools.get(call.name), call, result)
    results: list[ToolResult] = []
    for position, call in enumerate(draft.calls):
        if results:
            before = draft.calls[position - 1]
            _learn(world, tools.get(before.name), before, results[-1])
        results.append(_answer(scenario, tools.get(call.name), call, _planned(step, position, call), world))
    return tuple(results)


def _learn(world: World, tool: Tool | None, call: DraftCall, result: ToolResult) -> None:
    if tool is not None and result.error_type is None:
        world.learn(tool, call.arguments, result.content)


def _planned(step: Step, position: int, call: DraftCall) -> PlannedCall | None:
    """Return the plan of a call; None where the plan knows no such call, so that it succeeds."""
    planned = step.calls[position] if position < len(step.calls) else None
    return planned if planned is not None and planned.tool.name == call.name else None


def _answer(
    scenario: Scenario, tool: Tool | None, call: DraftCall, planned: PlannedCall | None, world: World
) -> ToolResult:
    if tool is None:
        return _failed(call.name, "RESOURCE_NOT_FOUND", unknown_tool_message(call.name))
    problem = _problem(tool, call.arguments)
    if problem:
        return _failed(tool.name, "PARAMETER_VALIDATION_FAILED", validation_message(problem))
    random = stream(scenario.seed, "result", tool.name, digest(call.arguments))
    outcome = SUCCESS if planned is None else planned.outcome
    if outcome == SUCCESS and world.lacks(tool, call.arguments):
        outcome = "RESOURCE_NOT_FOUND"
    if outcome == SUCCESS:
        try:
            value = _value(scenario, tool, call.arguments, random, world)
            return ToolResult(tool.name, emptied(value, tool) if planned is not None and planned.empty else value)
        except ValueSynthesisError:
            # A result schema that admits no value shows to the caller as a tool that cannot answer.
            outcome = "SERVICE_UNAVAILABLE"
    refusal = planned.refusal if planned is not None else None
    if refusal is not None and refusal.parameter in call.arguments:
        return _failed(tool.name, outcome, refusal_message(tool, call.arguments, outcome, refusal, random))
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
    value = synthesize_value(choices.full_schema(tool), seed=random, context=context, locale=scenario.locale)
    fixes = tuple(_fixes(scenario, tool, arguments, known, context, random, world, value))
    return _fixed(value, fixes, validator_for(tool.result_schema))


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


def _read(tool: Tool) -> tuple[Operation, str]:
    """Return what a tool does, and the noun that it is about."""
    operation = read_operation(tool.name, tool.description)
    return operation, noun_of(operation, tool.description)


def _fixes(
    scenario: Scenario,
    tool: Tool,
    arguments: JsonObject,
    known: dict[str, JsonValue],
    context: Context,
    random: Random,
    world: World,
    value: JsonValue,
) -> Iterator[Fix]:
    """Yield what makes the value coherent, in order; each is dropped where it breaks the result schema."""
    operation, noun = _read(tool)
    yield lambda value: echo(value, known)
    if operation.family not in _MAKING:
        yield lambda value: with_own_id(value, arguments, noun)
    yield lambda value: world.recall(value, tool, arguments, lasting=True)
    if operation.family in READING:
        yield lambda value: wanted.filtered(value, arguments)
        if noun in SEARCHED:
            yield lambda value: wanted.about_query(value, tool, noun, arguments, random)
    yield coherence.distinct
    days = ranges.asked_days(known, scenario.reference_date)
    length = coherence.asked_length(arguments) or ranges.days_asked(value, days)
    one_more = _one_more(value, tool, context, random, scenario.locale)
    if length is not None:
        yield lambda value: coherence.resize(value, length, one_more)
        yield coherence.distinct
    yield coherence.count_entries
    if operation.family in READING:
        yield lambda value: ranges.of_year(ranges.between_days(value, days), arguments)
    yield from _placed(tool, operation, arguments, scenario.reference_date)
    yield lambda value: exchange(value, arguments, random)
    yield lambda value: compute(tool, arguments, value)
    if tool.result_origin == "derived":
        yield from _derived(tool, arguments)
    elif operation.family in _TOLD_DEEDS:
        yield lambda value: details.tell_done(value, operation, arguments)
    yield lambda value: details.agree(value, noun, arguments)
    yield lambda value: details.name_person(value, arguments)
    yield from _as_known(tool, operation, arguments, world, one_more)


def _as_known(
    tool: Tool, operation: Operation, arguments: JsonObject, world: World, one_more: Callable[[int], JsonValue]
) -> Iterator[Fix]:
    """Yield what earlier calls have told, made and removed, and last of all which fields are wanted of it."""
    if not world.is_empty:
        yield lambda value: world.recall(value, tool, arguments)
        yield lambda value: world.show_made(value, tool, arguments)
        yield lambda value: coherence.count_entries(world.without_gone(value, tool, one_more))
    else:
        yield coherence.count_entries
    if operation.family in READING:
        yield lambda value: wanted.flagged(value, tool, arguments)
        yield lambda value: wanted.selected(value, tool, arguments)


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
    drawn = not _DRAWING.isdisjoint(operation.words)
    yield lambda value: ranges.within(value, arguments, drawn=drawn)
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
