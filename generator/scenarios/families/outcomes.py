"""Outcomes: calls that fail, fail in part, are mended, or find nothing."""

from __future__ import annotations

from dataclasses import replace

from generator.jsontext import JsonObject, JsonValue
from generator.records.calls import SUCCESS
from generator.scenarios.chains import READING
from generator.scenarios.kind import Kind
from generator.scenarios.misspelling import misspelled
from generator.scenarios.scenario import PlannedCall, Refusal, Step
from generator.scenarios.sketch import Blueprint, PlanError, Sketch, ask_and_answer
from generator.scenarios.stock import Stock
from generator.tools.error_types import plausible_error_types
from generator.tools.operations import name_words, read_operation
from generator.tools.tool import Tool

_TIMES = frozenset("date time day".split())
_EXCHANGEABLE = _TIMES | frozenset(
    "id number name code symbol ticker city location place destination origin airport station country address venue "
    "restaurant hotel title branch room team player artist song movie book product item company species topic account "
    "username email start end recipient sku isbn repo path file tag".split()
)
"""Last words of parameters for which people name a second choice."""
_OWN_WORDS = frozenset("full first last guest customer card from user password own my current new".split())
"""Words of what belongs to the speaker, who has no other, or is new."""
_SCOPES = frozenset("repo title start".split())
"""What everything else in the call belongs to, or a new thing is called: no other takes its place."""
_KEPT = frozenset("id number name account file path branch room item product order".split())
"""Last words of parameters for things that are kept somewhere, and so have a state."""
_OF_THE_SERVICE = ("SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED")
"""Error types that concern no value of a call."""
_SHORT = 60
_MOST_OTHERS = 4
_MOST_BESIDE_PARALLEL = 3
_TRIES = 4
_SHARE_OF_ONE_TOOL = 0.7
"""Of the records that fail in part: those whose calls are all of one tool."""
_SHARE_NAMED = 0.5
"""Of the mended look-ups: those where the error names the valid value."""


def error_report(sketch: Sketch) -> Blueprint:
    """A call fails, and the assistant says so, with what can be done."""
    error = sketch.random.choice(plausible_error_types(sketch.stock.tools[sketch.lead]))
    call = sketch.call(sketch.lead, outcome=error)
    return Blueprint(_shown(sketch, sketch.lead), ask_and_answer((call,)))


def partial_failure(sketch: Sketch) -> Blueprint:
    """Of several calls at once some fail and some succeed, and the assistant tells them all."""
    calls = _several(sketch)
    failing = sketch.random.sample(range(len(calls)), sketch.random.choice(range(1, len(calls))))
    ended = tuple(
        _failing(sketch, call, calls) if number in failing else replace(call, outcome=SUCCESS)
        for number, call in enumerate(calls)
    )
    keys = tuple(dict.fromkeys(call.tool.key for call in calls))
    count = sketch.random.randint(0, _MOST_BESIDE_PARALLEL)
    others = sketch.stock.beside(sketch.lead, count, sketch.random, lax=True, without=keys[1:])
    return Blueprint(sketch.shuffled((*keys, *others)), ask_and_answer(ended))


def _several(sketch: Sketch) -> tuple[PlannedCall, ...]:
    """Plan calls of one tool, or one call each of several tools."""
    if sketch.random.random() < _SHARE_OF_ONE_TOOL:
        return sketch.calls(sketch.lead, sketch.random.choices((2, 3, 4), weights=(6, 3, 1))[0])
    partners = sketch.stock.beside(sketch.lead, sketch.random.choice((1, 1, 2)), sketch.random, lax=True)
    if not partners:
        return sketch.calls(sketch.lead, 2)
    return tuple(call for key in (sketch.lead, *partners) for call in sketch.calls(key, 1))


def _failing(sketch: Sketch, call: PlannedCall, calls: tuple[PlannedCall, ...]) -> PlannedCall:
    """Let a call fail over what it has alone: what another call has too cannot be wrong in one of them."""
    same = [other for other in calls if other is not call and other.tool is call.tool]
    own = [name for name in call.arguments if all(other.arguments.get(name) != call.arguments[name] for other in same)]
    plausible = plausible_error_types(call.tool)
    refusals = [
        (error, name) for name in exchangeable(call.tool) if name in own for error in _mendable(call.tool, name)
    ]
    if not refusals and "PARAMETER_VALIDATION_FAILED" in plausible:
        refusals = [("PARAMETER_VALIDATION_FAILED", name) for name in own if _is_figure(call, name)]
    if refusals:
        error, name = sketch.random.choice(refusals)
        return replace(call, outcome=error, refusal=Refusal(name))
    of_the_service = [error for error in plausible if error in _OF_THE_SERVICE] or list(_OF_THE_SERVICE)
    return replace(call, outcome=sketch.random.choice(of_the_service if same else plausible))


def _is_figure(call: PlannedCall, name: str) -> bool:
    """Say whether an argument is a number or a short text that its schema does not list, so that it may be refused."""
    value, schema = call.arguments[name], call.tool.parameters["properties"].get(name)
    listed = isinstance(schema, dict) and ("enum" in schema or "const" in schema)
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return not listed and (plain or (isinstance(value, str) and 0 < len(value) <= _SHORT))


def error_recovery(sketch: Sketch) -> Blueprint:
    """A call fails over one value; a second one, with what the user allowed or the error names, succeeds."""
    tool = sketch.stock.tools[sketch.lead]
    wanted = sketch.call(sketch.lead, outcome=SUCCESS)
    names = exchangeable(tool)
    if not names:
        raise PlanError(f"no single value of {tool.name} can be replaced by another")
    name = sketch.random.choice([name for name in names if _mendable(tool, name)] or names)
    slip = misspelled(wanted.arguments[name], sketch.random) if _looks_up(tool) else None
    if slip is not None and sketch.random.random() < _SHARE_NAMED:
        return _named_by_the_error(sketch, wanted, name, slip)
    return _allowed_by_the_user(sketch, wanted, name)


def exchangeable(tool: Tool) -> tuple[str, ...]:
    """Return the required parameters that name a thing or a time, for which another can be taken."""
    properties, required = tool.parameters["properties"], tool.parameters.get("required", ())
    if read_operation(tool.name, tool.description).family == "session":
        return ()  # nobody signs in as somebody else instead
    names = [name for name in properties if name in required and _is_exchangeable(name, properties[name])]
    scoped = len(required) > 2 or not _looks_up(tool)
    return tuple(name for name in names if name_words(name)[-1] not in (_SCOPES if scoped else ()))


def _is_exchangeable(name: str, schema: JsonValue) -> bool:
    words = name_words(name)
    return (
        isinstance(schema, dict)
        and schema.get("type") == "string"
        and not {"enum", "const"} & schema.keys()
        and bool(words)
        and _OWN_WORDS.isdisjoint(words)
        and words[-1] in _EXCHANGEABLE
    )


def _looks_up(tool: Tool) -> bool:
    operation = read_operation(tool.name, tool.description)
    return operation.family in READING and operation.words[0] != "return"


def _named_by_the_error(sketch: Sketch, wanted: PlannedCall, name: str, slip: str) -> Blueprint:
    """The user's slip of the pen is refused, and the error names what is meant."""
    refused = replace(
        wanted,
        arguments={**wanted.arguments, name: slip},
        outcome="RESOURCE_NOT_FOUND",
        refusal=Refusal(name, wanted.arguments[name]),
    )
    return _mended(sketch, refused, wanted, name, Step(request=True, calls=(refused,), act="slip", parameters=(name,)))


def _allowed_by_the_user(sketch: Sketch, wanted: PlannedCall, name: str) -> Blueprint:
    """The user says what to take instead where the first choice cannot be had."""
    errors = _mendable(wanted.tool, name)
    if not errors:
        raise PlanError(f"no error of {wanted.tool.name} is about one value")
    first = _with_another(sketch, wanted, name)
    refused = replace(first, outcome=sketch.random.choice(errors), refusal=Refusal(name))
    asked = Step(request=True, calls=(refused,), act="fallback", about=(wanted,), parameters=(name,))
    return _mended(sketch, refused, wanted, name, asked)


def _mended(sketch: Sketch, refused: PlannedCall, wanted: PlannedCall, name: str, asked: Step) -> Blueprint:
    """Lay out the refused call, the one that mends it, and the answer that tells both."""
    told = Step(reply=True, act="mended", about=(refused, wanted), parameters=(name,))
    steps = (asked, Step(calls=(wanted,), act="mend", parameters=(name,)), told)
    return Blueprint(_shown(sketch, sketch.lead), steps, claim={"mended": name})


def _with_another(sketch: Sketch, call: PlannedCall, name: str) -> PlannedCall:
    """Plan the same call with another value of one argument."""
    kept = {key: value for key, value in call.arguments.items() if key != name}
    for _ in range(_TRIES):
        other = sketch.call(call.tool.key, fixed=kept, include=frozenset(call.arguments))
        value: JsonValue = other.arguments.get(name)
        if value is not None and value != call.arguments[name] and _but(other.arguments, name) == kept:
            return other
    raise PlanError(f"{call.tool.name} has too few different values of {name}")


def _but(arguments: JsonObject, name: str) -> JsonObject:
    return {key: value for key, value in arguments.items() if key != name}


def empty_result(sketch: Sketch) -> Blueprint:
    """A search finds nothing, and the assistant says so and invents nothing."""
    call = replace(sketch.call(sketch.lead, outcome=SUCCESS), empty=True)
    if not call.arguments:
        raise PlanError("a search for nothing in particular finds something")
    return Blueprint(_shown(sketch, sketch.lead), ask_and_answer((call,)))


def _shown(sketch: Sketch, *keys: str) -> tuple[str, ...]:
    count = sketch.random.randint(0, _MOST_OTHERS)
    return sketch.shuffled((*keys, *sketch.stock.beside(sketch.lead, count, sketch.random, lax=False)))


def _mendable(tool: Tool, name: str) -> list[str]:
    """Return the error types with which a tool may refuse one value: a time is taken, a thing is not there."""
    plausible = plausible_error_types(tool)
    timely = name_words(name)[-1] in _TIMES
    if _looks_up(tool):
        return [error for error in plausible if error == "RESOURCE_NOT_FOUND" and not timely]
    fitting = {"BUSINESS_RULE_VIOLATION"} if timely else {"BUSINESS_RULE_VIOLATION", "RESOURCE_NOT_FOUND"}
    if name_words(name)[-1] in _KEPT:
        fitting.add("INVALID_STATE")
    return [error for error in plausible if error in fitting]


def _recoverable(stock: Stock) -> tuple[str, ...]:
    return tuple(key for key, tool in stock.tools.items() if any(_mendable(tool, name) for name in exchangeable(tool)))


def may_find_nothing(tool: Tool) -> bool:
    """Say whether a tool searches by something given, and its result may be an empty list."""
    if not _looks_up(tool) or not tool.parameters["properties"]:
        return False
    schema = tool.result_schema
    if schema.get("type") == "array":
        return not schema.get("minItems")
    properties = schema.get("properties", {})
    own = [part for name, part in properties.items() if name not in tool.parameters["properties"] and name != "total"]
    return len(own) == 1 and isinstance(own[0], dict) and own[0].get("type") == "array" and not own[0].get("minItems")


KINDS = (
    Kind(
        "error_report",
        "a call fails, and the assistant says so and what can be done",
        lambda stock: stock.every,
        "a tool",
        error_report,
    ),
    Kind(
        "partial_failure",
        "several calls at once, some of which fail; all are told",
        lambda stock: stock.repeatable,
        "a tool that is not strict and has a parameter with more than one value",
        partial_failure,
    ),
    Kind(
        "error_recovery",
        "a call fails over one value; a second one with what the user allowed or the error names succeeds",
        _recoverable,
        "a tool with a required parameter of many values, which it may refuse",
        error_recovery,
    ),
    Kind(
        "empty_result",
        "a search finds nothing, and the assistant says so",
        lambda stock: tuple(key for key, tool in stock.tools.items() if may_find_nothing(tool)),
        "a tool that searches, and whose result may be an empty list",
        empty_result,
    ),
)
