"""Values that the request does not hold as the schema wants them: expressions, profiles, long contexts, many tools."""

from __future__ import annotations

from generator.jsontext import JsonObject
from generator.scenarios.expressions import express, expressible
from generator.scenarios.kind import Kind
from generator.scenarios.profiles import Fact, owned_label, owned_parameters, write_long_profile, write_profile
from generator.scenarios.scenario import PlannedCall, Step
from generator.scenarios.sketch import Blueprint, PlanError, Sketch, ask_and_answer
from generator.scenarios.stock import Stock
from generator.scenarios.voices import state_date

_MOST_OTHERS = 3
FEWEST_TOOLS, MOST_TOOLS = 20, 60
_SPARE = 4
LONG_CONTEXT = 4_000
"""Characters that a long context has at least."""
_LONGEST_CONTEXT = 12_000


def canonicalization(sketch: Sketch) -> Blueprint:
    """A date, time or number is said in everyday words, and called in the form of the schema."""
    tool = sketch.stock.tools[sketch.lead]
    names = _expressible_names(tool.parameters)
    name = sketch.random.choice(names)
    draft = sketch.call(sketch.lead)
    planned = draft.arguments if name in draft.arguments else _with(sketch, name).arguments
    schema = tool.parameters["properties"][name]
    found = express(name, schema, planned.get(name), sketch.reference_date, sketch.random)
    if found is None:
        raise PlanError(f"no everyday expression suits {name}")
    call = sketch.call(sketch.lead, fixed={**planned, name: found.value}, include=frozenset(planned))
    step = Step(request=True, calls=(call,), act="express", parameters=(name,))
    return Blueprint(
        _shown(sketch),
        (step, Step(reply=True)),
        system=state_date(sketch.random, sketch.reference_date),
        states_date=True,
        claim={"parameter": name, "said": found.said},
    )


def _with(sketch: Sketch, name: str) -> PlannedCall:
    return sketch.call(sketch.lead, include=frozenset({name}))


def _shown(sketch: Sketch) -> tuple[str, ...]:
    count = sketch.random.randint(0, _MOST_OTHERS)
    others = sketch.stock.beside(sketch.lead, count, sketch.random, lax=False)
    return sketch.shuffled((sketch.lead, *others))


def _expressible_names(parameters: JsonObject) -> list[str]:
    return [name for name, schema in parameters.get("properties", {}).items() if expressible(name, schema)]


def profile(sketch: Sketch) -> Blueprint:
    """The system message holds a profile; the user refers to what stands there ("my email address")."""
    call, facts, names = _owned(sketch)
    text = write_profile(facts, sketch.random, sketch.locale, sketch.reference_date)
    step = Step(request=True, calls=(call,), act="refer to profile", parameters=names)
    return Blueprint(_shown(sketch), (step, Step(reply=True)), system=text, claim=_claim(facts, names))


def long_context(sketch: Sketch) -> Blueprint:
    """What the user refers to stands somewhere in thousands of characters of notes."""
    call, facts, names = _owned(sketch)
    length = sketch.random.randint(LONG_CONTEXT, _LONGEST_CONTEXT)
    text = write_long_profile(facts, sketch.random, sketch.reference_date, length)
    step = Step(request=True, calls=(call,), act="refer to profile", parameters=names)
    return Blueprint(_shown(sketch), (step, Step(reply=True)), system=text, claim=_claim(facts, names))


def _owned(sketch: Sketch) -> tuple[PlannedCall, list[Fact], tuple[str, ...]]:
    """Plan a call, the facts of a profile behind it, and the names of the parameters they fill."""
    call = sketch.calls(sketch.lead, 1)[0]
    properties = call.tool.parameters["properties"]
    names = owned_parameters(call.tool.parameters)[:2]
    facts = [Fact(owned_label(name, properties[name]), str(call.arguments[name])) for name in names]
    if len({fact.label for fact in facts}) < len(facts):
        raise PlanError("two parameters would be called by one name")
    return call, facts, names


def _claim(facts: list[Fact], names: tuple[str, ...]) -> JsonObject:
    return {"profile": {name: fact.label for name, fact in zip(names, facts, strict=True)}}


def many_tools(sketch: Sketch) -> Blueprint:
    """Twenty to sixty tools are shown, one of them is called."""
    count = sketch.random.randint(FEWEST_TOOLS - 1, MOST_TOOLS - 1)
    others = sketch.stock.beside(sketch.lead, count, sketch.random, lax=False)
    if len(others) < FEWEST_TOOLS - 1:
        raise PlanError(f"only {len(others)} other tools may be shown beside this one")
    return Blueprint(sketch.shuffled((sketch.lead, *others)), ask_and_answer(sketch.calls(sketch.lead, 1)))


def _leads_with(stock: Stock, names: str) -> tuple[str, ...]:
    find = {"expressible": _expressible_names, "owned": owned_parameters}[names]
    return tuple(key for key, tool in stock.tools.items() if find(tool.parameters))


def _among_many(stock: Stock) -> tuple[str, ...]:
    """The tools of toolsets that hold enough tools no two of which are near twins, with some to spare."""
    large = {name for name, keys in stock.toolsets.items() if _apart(stock, keys) >= FEWEST_TOOLS + _SPARE}
    return tuple(key for key, tool in stock.tools.items() if tool.toolset in large)


def _apart(stock: Stock, keys: tuple[str, ...]) -> int:
    """Count tools that may all be shown together, as far as it matters."""
    shown: list[str] = []
    for key in keys:
        if not any(stock.are_twins(key, other) for other in shown):
            shown.append(key)
        if len(shown) == FEWEST_TOOLS + _SPARE:
            break
    return len(shown)


KINDS = (
    Kind(
        "canonicalization",
        "a date, time or number in everyday words becomes a schema value",
        lambda stock: _leads_with(stock, "expressible"),
        "a tool with a parameter for a date, a time or a quantity",
        canonicalization,
    ),
    Kind(
        "profile",
        "a value comes from the profile in the system message",
        lambda stock: _leads_with(stock, "owned"),
        "a tool that requires something people have on file, such as an email address or a customer ID",
        profile,
    ),
    Kind(
        "long_context",
        "a value stands in a context of thousands of characters",
        lambda stock: _leads_with(stock, "owned"),
        "a tool that requires something people have on file, such as an email address or a customer ID",
        long_context,
    ),
    Kind(
        "many_tools",
        "twenty to sixty tools shown, one call",
        _among_many,
        f"at least {FEWEST_TOOLS + _SPARE} tools that may be shown together, no two of them much alike",
        many_tools,
    ),
)
