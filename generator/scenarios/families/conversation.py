"""Conversations of several turns: further wishes, references to what was said, changes of mind."""

from __future__ import annotations

from dataclasses import replace

from generator.jsontext import JsonObject, JsonValue, dump_canonical
from generator.scenarios.arguments import varied_parameter
from generator.scenarios.kind import Kind
from generator.scenarios.scenario import PlannedCall, Step
from generator.scenarios.sketch import Blueprint, PlanError, Sketch
from generator.scenarios.stock import Stock

_TURNS = (2, 3, 4, 5, 6)
_TURN_WEIGHTS = (38, 30, 18, 9, 5)
_MOST_OTHERS = 4
_TRIES = 4


def multi_turn(sketch: Sketch) -> Blueprint:
    """Two to six user turns, each with a wish of its own, each answered before the next."""
    turns = sketch.random.choices(_TURNS, _TURN_WEIGHTS)[0]
    count = sketch.random.randint(1, _MOST_OTHERS)
    others = sketch.stock.beside(sketch.lead, count, sketch.random, lax=False)
    shown = sketch.shuffled((sketch.lead, *others))
    order = [sketch.lead, *(sketch.random.choice(shown) for _ in range(turns - 1))]
    sketch.random.shuffle(order)
    steps: list[Step] = []
    taken: set[bytes] = set()
    for key in order:
        steps += [Step(request=True, calls=(_new_call(sketch, key, taken),), act="wish"), Step(reply=True)]
    return Blueprint(shown, tuple(steps))


def _new_call(sketch: Sketch, key: str, taken: set[bytes]) -> PlannedCall:
    """Plan a call that none of those taken equals."""
    for _ in range(_TRIES):
        call = sketch.calls(key, 1)[0]
        mark = dump_canonical([key, call.arguments])
        if mark not in taken:
            taken.add(mark)
            return call
    raise PlanError("the tool has too few different calls for so many turns")


def coreference(sketch: Sketch) -> Blueprint:
    """The second turn leaves unsaid what the first has told: "the same for Rome", "cancel it", "and there?"."""
    forms = [_same_thing, _same_again]
    sketch.random.shuffle(forms)
    for form in forms:
        if (blueprint := form(sketch)) is not None:
            return blueprint
    raise PlanError("nothing of this tool's call can be referred to")


def _same_thing(sketch: Sketch) -> Blueprint | None:
    """Another tool is asked about the thing the first call was about."""
    partners = sketch.stock.shared.partners(sketch.lead)
    if not partners:
        return None
    name, other = sketch.random.choice(partners)
    first = _succeeding(sketch.calls(sketch.lead, 1)[0])
    second = sketch.call(other, fixed={name: first.arguments[name]})
    others = sketch.stock.beside(sketch.lead, sketch.random.randint(0, 2), sketch.random, lax=False, without=(other,))
    steps = (
        Step(request=True, calls=(first,)),
        Step(reply=True),
        Step(request=True, calls=(second,), act="same thing", parameters=(name,)),
        Step(reply=True),
    )
    return Blueprint(sketch.shuffled((sketch.lead, other, *others)), steps)


def _same_again(sketch: Sketch) -> Blueprint | None:
    """The same tool is asked again with one argument changed; the others stay as they were said."""
    parameters = sketch.stock.tools[sketch.lead].parameters
    first = _succeeding(sketch.calls(sketch.lead, 1)[0])
    name = varied_parameter(parameters, first.arguments)
    if name is None or len(first.arguments) < 2:
        return None
    kept = {key: value for key, value in first.arguments.items() if key != name}
    second = _other_value(sketch, first, kept, name)
    others = sketch.stock.beside(sketch.lead, sketch.random.randint(0, 3), sketch.random, lax=False)
    steps = (
        Step(request=True, calls=(first,)),
        Step(reply=True),
        Step(request=True, calls=(second,), about=(first,), act="same again", parameters=(name,)),
        Step(reply=True),
    )
    return Blueprint(sketch.shuffled((sketch.lead, *others)), steps)


def _succeeding(call: PlannedCall) -> PlannedCall:
    return replace(call, outcome="SUCCESS")


def _other_value(sketch: Sketch, first: PlannedCall, kept: JsonObject, name: str) -> PlannedCall:
    for _ in range(_TRIES):
        other = sketch.call(sketch.lead, fixed=kept, include=frozenset(first.arguments))
        if _differ(other.arguments[name], first.arguments[name]):
            return other
    raise PlanError(f"{name} has no other value")


def _differ(value: JsonValue, other: JsonValue) -> bool:
    """Say whether two values differ so that neither stands inside the other's text."""
    mine, theirs = str(value).casefold(), str(other).casefold()
    return mine not in theirs and theirs not in mine


def argument_shift(sketch: Sketch) -> Blueprint:
    """The user corrects one argument, in the same breath or after the answer; the last word wins."""
    parameters = sketch.stock.tools[sketch.lead].parameters
    call = sketch.calls(sketch.lead, 1)[0]
    name = varied_parameter(parameters, call.arguments)
    if name is None or not _is_said_as_it_stands(call.arguments[name]):
        raise PlanError("no argument of this call is one that people correct")
    kept = {key: value for key, value in call.arguments.items() if key != name}
    meant = _other_value(sketch, call, kept, name)
    if not _is_said_as_it_stands(meant.arguments[name]):
        raise PlanError(f"another {name} would not be said as it stands")
    others = sketch.stock.beside(sketch.lead, sketch.random.randint(0, 3), sketch.random, lax=False)
    claim: JsonObject = {"parameter": name, "before": call.arguments[name]}
    return Blueprint(sketch.shuffled((sketch.lead, *others)), _correction(sketch, call, meant, name), claim=claim)


def _correction(sketch: Sketch, call: PlannedCall, meant: PlannedCall, name: str) -> tuple[Step, ...]:
    if sketch.random.random() < 0.5:
        step = Step(request=True, calls=(meant,), about=(call,), act="correct at once", parameters=(name,))
        return (step, Step(reply=True))
    return (
        Step(request=True, calls=(_succeeding(call),)),
        Step(reply=True),
        Step(request=True, calls=(meant,), about=(call,), act="correct later", parameters=(name,)),
        Step(reply=True),
    )


def _is_said_as_it_stands(value: JsonValue) -> bool:
    """Say whether a person says a value as it is written: a small number, or a text without code in it."""
    if isinstance(value, int) and not isinstance(value, bool):
        return 0 <= value < 10_000
    return isinstance(value, str) and value[:1].isalpha() and "_" not in value and len(value) < 32


def intent_switch(sketch: Sketch) -> Blueprint:
    """The user asks for one thing, drops it and asks for another, which alone is done."""
    others = sketch.stock.beside(sketch.lead, sketch.random.randint(1, _MOST_OTHERS), sketch.random, lax=False)
    if not others:
        raise PlanError("every other tool is too much like the one that fits")
    dropped = sketch.calls(others[0], 1)[0]
    step = Step(request=True, calls=sketch.calls(sketch.lead, 1), about=(dropped,), act="switch")
    claim: JsonObject = {"dropped": dropped.tool.name, "arguments": dropped.arguments}
    return Blueprint(sketch.shuffled((sketch.lead, *others)), (step, Step(reply=True)), claim=claim)


def _varying(stock: Stock) -> tuple[str, ...]:
    """The tools whose required parameters leave one that a person would ask again with."""
    return tuple(
        key
        for key in stock.every
        if varied_parameter(stock.tools[key].parameters, dict.fromkeys(stock.tools[key].parameters.get("required", ())))
    )


KINDS = (
    Kind(
        "multi_turn",
        "two to six wishes, one after the other",
        lambda stock: stock.accompanied,
        "at least two tools that may be shown together",
        multi_turn,
    ),
    Kind(
        "coreference",
        "a later turn refers to what was said before",
        lambda stock: tuple(dict.fromkeys((*stock.shared.leads, *_varying(stock)))),
        "a tool with a required parameter that names a thing",
        coreference,
    ),
    Kind(
        "argument_shift",
        "an argument is corrected; the last word wins",
        _varying,
        "a tool with a required parameter that is open",
        argument_shift,
    ),
    Kind(
        "intent_switch",
        "a wish is dropped for another; the last word wins",
        lambda stock: stock.accompanied,
        "at least two tools that may be shown together",
        intent_switch,
    ),
)
