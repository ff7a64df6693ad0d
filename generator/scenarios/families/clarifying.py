"""Clarifying kinds: the assistant asks before it calls, and the user's answer completes the call."""

from __future__ import annotations

from dataclasses import replace

from generator.jsontext import JsonObject, JsonValue
from generator.scenarios.kind import Kind
from generator.scenarios.readings import Reading, can_be_ambiguous, readings_of
from generator.scenarios.refusals import can_refuse, refusals_of
from generator.scenarios.scenario import PlannedCall, Step
from generator.scenarios.sketch import Blueprint, PlanError, Sketch
from generator.scenarios.stock import Stock
from generator.schemas.validators import validator_for
from generator.tools.tool import Tool

_MOST_OTHERS = 4
_SHARE_OF_TWO = 0.25
_SHARE_OF_RIVALS = 0.4
"""Of the ambiguous records that could do either: those that leave open which tool is meant."""
_TOGETHER = (
    ("latitude", "longitude"),
    ("lat", "lon"),
    ("lat", "lng"),
    ("owner", "repo"),
    ("first_name", "last_name"),
    ("start", "end"),
    ("start_date", "end_date"),
)
"""Parameters that people say in one breath: missing together or not at all."""
_FEWEST_CHOICES = 2
_PLAIN = ("string", "integer", "number")


def missing_parameter(sketch: Sketch) -> Blueprint:
    """One or two required parameters are left unsaid; the assistant asks for them, the user supplies them."""
    call = _full_call(sketch)
    names = _left_out(sketch, call)
    said = {name: value for name, value in call.arguments.items() if name not in names}
    partial = replace(call, arguments=said)
    return clarification(sketch, call, partial, names, claim={"missing": list(names)})


def clarification(
    sketch: Sketch, call: PlannedCall, before: PlannedCall, names: tuple[str, ...], *, claim: JsonObject
) -> Blueprint:
    """Lay out a wish that cannot be served yet, the assistant's question, the answer and the call.

    Args:
        sketch: the record's.
        call: what is called in the end.
        before: the call as the first wish has it.
        names: the parameters that the question turns on.
        claim: what the record claims of itself.
    """
    count = sketch.random.randint(0, _MOST_OTHERS)
    others = sketch.stock.beside(sketch.lead, count, sketch.random, lax=False)
    steps = (
        Step(request=True, act="wish", about=(before,), parameters=names),
        Step(reply=True, act="ask", about=(before,), parameters=names),
        Step(request=True, calls=(call,), act="supply", about=(before,), parameters=names),
        Step(reply=True),
    )
    return Blueprint(sketch.shuffled((sketch.lead, *others)), steps, claim=claim)


def _full_call(sketch: Sketch) -> PlannedCall:
    """Plan a call of at least two arguments that are told in words."""
    tool = sketch.stock.tools[sketch.lead]
    call = sketch.calls(sketch.lead, 1)[0]
    if len([name for name in call.arguments if is_asked(tool, name)]) > 1:
        return call
    spare = [name for name in tool.parameters["properties"] if name not in call.arguments and is_asked(tool, name)]
    if not spare:
        raise PlanError(f"{tool.name} has no second parameter to tell")
    include = frozenset({*call.arguments, sketch.random.choice(spare)})
    return sketch.call(sketch.lead, fixed=call.arguments, include=include)


def _left_out(sketch: Sketch, call: PlannedCall) -> tuple[str, ...]:
    """Draw the parameters to leave unsaid, in the order of the schema; at least one argument stays."""
    required = [name for name in call.tool.parameters.get("required", ()) if name in call.arguments]
    askable = [name for name in required if is_asked(call.tool, name)]
    if not askable:
        raise PlanError(f"{call.tool.name} has no required parameter to ask for")
    sketch.random.shuffle(askable)
    names = _with_partner(askable[0], required)
    if len(names) == 1 and len(askable) > 1 and sketch.random.random() < _SHARE_OF_TWO:
        names = _with_partner(askable[1], required) | names
    stay = [name for name in call.arguments if name not in names and is_asked(call.tool, name)]
    if not stay or len(names) > 2:
        raise PlanError(f"{call.tool.name} would have nothing said in the first turn")
    return tuple(name for name in required if name in names)


def _with_partner(name: str, required: list[str]) -> set[str]:
    for pair in _TOGETHER:
        if name in pair and set(pair) <= set(required):
            return set(pair)
    return {name}


def is_asked(tool: Tool, name: str) -> bool:
    """Say whether a person would ask for a parameter: a text, a number, a choice, or a list of texts."""
    schema: JsonValue = tool.parameters["properties"].get(name)
    if not isinstance(schema, dict) or "const" in schema:
        return False
    choices = schema.get("enum")
    if isinstance(choices, list) and len(choices) < _FEWEST_CHOICES:
        return False
    if schema.get("type") == "array":
        items = schema.get("items")
        return isinstance(items, dict) and items.get("type") == "string"
    return schema.get("type") in _PLAIN


def _askable(stock: Stock) -> tuple[str, ...]:
    """The tools with a required parameter to ask for, and another one to tell."""
    return tuple(key for key, tool in stock.tools.items() if _leaves_something(tool))


def _leaves_something(tool: Tool) -> bool:
    plain = [name for name in tool.parameters["properties"] if is_asked(tool, name)]
    return len(plain) > 1 and any(name in plain for name in tool.parameters.get("required", ()))


def invalid_value(sketch: Sketch) -> Blueprint:
    """A value is wished for that the schema refuses; the assistant says what is possible, the user picks one."""
    tool = sketch.stock.tools[sketch.lead]
    refusals = refusals_of(tool, sketch.reference_date, sketch.random)
    if not refusals:
        raise PlanError(f"{tool.name} refuses nothing that people wish for")
    refusal = sketch.random.choice(refusals)
    name = refusal.parameter
    fixed: JsonObject = {} if refusal.mended is None else {name: refusal.mended}
    planned = sketch.call(sketch.lead, fixed=fixed)
    call = sketch.call(sketch.lead, fixed={**planned.arguments, **fixed}, include=frozenset({*planned.arguments, name}))
    wished = replace(call, arguments={**call.arguments, name: refusal.value})
    claim: JsonObject = {"parameter": name, "refused": refusal.value}
    if refusal.words:
        claim["said"] = refusal.words
    return clarification(sketch, call, wished, (name,), claim=claim)


def _refusing(stock: Stock) -> tuple[str, ...]:
    return tuple(key for key, tool in stock.tools.items() if can_refuse(tool))


def ambiguous(sketch: Sketch) -> Blueprint:
    """What is said can be read in two ways; the assistant asks which is meant, the user says it."""
    tool = sketch.stock.tools[sketch.lead]
    found = readings_of(tool, sketch.reference_date, sketch.random)
    rivals = sketch.stock.kin.rivals(sketch.lead)
    if rivals and (not found or sketch.random.random() < _SHARE_OF_RIVALS):
        return _between_tools(sketch, sketch.random.choice(rivals))
    if not found:
        raise PlanError(f"nothing said to {tool.name} can be read in two ways")
    return _between_values(sketch, sketch.random.choice(found))


def _between_values(sketch: Sketch, reading: Reading) -> Blueprint:
    """A place, a date, a time or a currency can mean two values."""
    name, meant = reading.parameter, sketch.random.choice(reading.values)
    planned = sketch.call(sketch.lead, fixed={name: meant})
    include = frozenset({*planned.arguments, name})
    call = sketch.call(sketch.lead, fixed={**planned.arguments, name: meant}, include=include)
    claim: JsonObject = {"parameter": name, "said": reading.said, "readings": list(reading.values)}
    return clarification(sketch, call, call, (name,), claim=claim)


def _between_tools(sketch: Sketch, rival: str) -> Blueprint:
    """A thing is named, and nothing of what is to be done with it: two tools could take it."""
    call = sketch.call(sketch.lead, include=frozenset())
    other = sketch.stock.tools[rival]
    if not validator_for(other.parameters).is_valid(call.arguments):
        raise PlanError(f"{other.name} would refuse what is said to {call.tool.name}")
    readings = (call, PlannedCall(other, call.arguments))
    count = sketch.random.randint(0, _MOST_OTHERS - 1)
    apart = sketch.stock.kin.of(sketch.lead)
    others = sketch.stock.beside(sketch.lead, count, sketch.random, lax=False, without=apart)
    steps = (
        Step(request=True, act="wish", about=readings),
        Step(reply=True, act="ask", about=_in_any_order(readings, sketch)),
        Step(request=True, calls=(call,), act="supply", about=readings),
        Step(reply=True),
    )
    claim: JsonObject = {"tools": sorted((call.tool.name, other.name))}
    return Blueprint(sketch.shuffled((sketch.lead, rival, *others)), steps, claim=claim)


def _in_any_order(calls: tuple[PlannedCall, ...], sketch: Sketch) -> tuple[PlannedCall, ...]:
    return calls if sketch.random.random() < 0.5 else calls[::-1]


def _readable(stock: Stock) -> tuple[str, ...]:
    return tuple(key for key, tool in stock.tools.items() if can_be_ambiguous(tool) or stock.kin.rivals(key))


KINDS = (
    Kind(
        "missing_parameter",
        "the assistant asks for what is missing, the user supplies it, then the call",
        _askable,
        "a tool with a required parameter to ask for and another one to tell",
        missing_parameter,
    ),
    Kind(
        "invalid_value",
        "the assistant points out a value that the schema refuses, the user picks another, then the call",
        _refusing,
        "a tool with a choice, a range or a date that refuses some values",
        invalid_value,
    ),
    Kind(
        "ambiguous",
        "the assistant asks between two readings, the user chooses, then the call",
        _readable,
        "a place, a date, a time or a currency that can be read in two ways, or two tools that take the same",
        ambiguous,
    ),
)
