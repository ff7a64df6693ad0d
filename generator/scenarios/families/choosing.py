"""Choosing the right tool: among near twins, or once it has become available."""

from __future__ import annotations

from collections import Counter
from random import Random

from generator.jsontext import JsonObject, JsonValue
from generator.scenarios.kin import name_words
from generator.scenarios.kind import Kind
from generator.scenarios.scenario import PlannedCall, Step
from generator.scenarios.sketch import Blueprint, PlanError, Sketch, ask_and_answer
from generator.scenarios.voices import say_day
from generator.tools.tool import Tool

_MOST_KIN = 3
_MOST_OTHERS = 3
_SHARE_WITH_DATE = 0.4


def similar_tools(sketch: Sketch) -> Blueprint:
    """Near twins are shown together; what the request says fits one of them alone."""
    call = sketch.calls(sketch.lead, 1)[0]
    kin = [key for key in sketch.stock.kin.of(sketch.lead) if _is_apart(call, sketch.stock.tools[key])]
    if not kin:
        raise PlanError(f"whatever is near to {call.tool.name} would take the same call")
    kept = kin[: sketch.random.randint(1, _MOST_KIN)]
    return Blueprint(sketch.shuffled((sketch.lead, *kept)), ask_and_answer((call,)))


def _is_apart(call: PlannedCall, twin: Tool) -> bool:
    """Say whether the twin could not take what the call says, or is about something that the call is not about.

    It could where its required parameters and the call's arguments are as many of each type, whatever their names.
    """
    given = Counter(_sort(value) for value in call.arguments.values())
    properties: JsonObject = twin.parameters["properties"]
    wanted = Counter(_declared(properties.get(name)) for name in twin.parameters.get("required", ()))
    if wanted - given or given - Counter(map(_declared, properties.values())):
        return True
    mine, theirs = name_words(call.tool.name), name_words(twin.name)
    return bool(mine - theirs) and bool(theirs - mine)


def _sort(value: JsonValue) -> str:
    return _SORTS.get(type(value), "text")


_SORTS: dict[type, str] = {bool: "flag", int: "number", float: "number", list: "list", dict: "object"}
_DECLARED = {"boolean": "flag", "integer": "number", "number": "number", "array": "list", "object": "object"}


def _declared(schema: JsonValue) -> str:
    kind = schema.get("type") if isinstance(schema, dict) else None
    return _DECLARED.get(kind, "text") if isinstance(kind, str) else "text"


def missing_function(sketch: Sketch) -> Blueprint:
    """A tool is said to be unavailable; the assistant says so, the user makes it available, then it is called.

    A record shows one list of tools and may call those alone, so what becomes available later is shown from the
    start: it is the system message that takes it away, and a user who brings it back.
    """
    call = sketch.calls(sketch.lead, 1)[0]
    count = sketch.random.randint(0, _MOST_OTHERS)
    kin = sketch.stock.kin.of(sketch.lead)
    others = sketch.stock.beside(sketch.lead, count, sketch.random, lax=False, without=kin)
    states_date = sketch.random.random() < _SHARE_WITH_DATE
    system = _unavailable(call.tool.name, sketch.random)
    steps = (
        Step(request=True, act="wish", about=(call,)),
        Step(reply=True, act="lack", about=(call,)),
        Step(request=True, calls=(call,), act="enable", about=(call,)),
        Step(reply=True),
    )
    return Blueprint(
        sketch.shuffled((sketch.lead, *others)),
        steps,
        system=f"{system} Today is {say_day(sketch.reference_date)}." if states_date else system,
        states_date=states_date,
        claim={"function": call.tool.name},
    )


_ROLES = (
    "You are a helpful assistant.",
    "You are an assistant who answers with the help of the available functions.",
    "Help the user. Keep answers short and to the point.",
    "You are a careful assistant. Rely on the results of your tools.",
)
_UNAVAILABLE = (
    "The function {name} is not available yet. Do not call it until the user says that it is.",
    "{name} is switched off for now; it may be used only once the user says that it has been switched on.",
    "Access to {name} has not been granted yet. Wait until the user tells you that it has.",
    "For now the function {name} is disabled. Say so when it is needed, and use it only after the user has enabled it.",
)


def _unavailable(name: str, random: Random) -> str:
    return f"{random.choice(_ROLES)} {random.choice(_UNAVAILABLE).format(name=name)}"


KINDS = (
    Kind(
        "similar_tools",
        "near twins shown, what the request says fits one of them",
        lambda stock: stock.kin.leads,
        "at least two tools that are about the same thing and may be shown together",
        similar_tools,
    ),
    Kind(
        "missing_function",
        "the assistant says what it cannot do, the tool becomes available, then the call",
        lambda stock: stock.every,
        "a tool",
        missing_function,
    ),
)
