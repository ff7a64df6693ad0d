"""Dependent calls: an argument of the second call is known from the result of the first alone."""

from __future__ import annotations

from dataclasses import replace

from generator.jsontext import JsonObject
from generator.records.calls import SUCCESS
from generator.scenarios.chains import READING, Chain, Place
from generator.scenarios.kind import Kind
from generator.scenarios.scenario import Best, Link, PlannedCall, Step
from generator.scenarios.sketch import Blueprint, PlanError, Sketch
from generator.scenarios.stock import Stock
from generator.tools.operations import name_words, read_operation, singular
from generator.tools.tool import Tool

RANKED: dict[str, tuple[bool, ...]] = {
    "price": (False, False, True), "total_price": (False,), "price_per_night": (False,), "ticket_price": (False, True),
    "rating": (True,), "stars": (True,), "distance_km": (False,), "distance": (False,), "score": (True,),
    "distance_to_center_km": (False,), "duration_minutes": (False,), "created_at": (True, False), "date": (True, False),
    "followers": (True,), "balance": (True, False), "amount": (True, False), "due_date": (False,),
    "departure_time": (False,), "members": (True,), "opened_on": (True,), "downloads": (True,),
}  # fmt: skip
"""Fields by which people choose an entry of a list: True for the most of it, False for the least."""
_SHARE_RANKED = 0.7
_SHARE_PLAIN = 0.8
"""Of the records of a tool whose prices could be converted: those that go on with something else."""
_MOST_OTHERS = 3
_PAGING = frozenset(
    "page perPage per_page page_size limit offset cursor after before sort order sort_by query fields direction method "
    "format title name description text body content message reason note notes summary filename output_format".split()
)
"""Parameters in which two calls of one wish have nothing in common."""


def sequential(sketch: Sketch) -> Blueprint:
    """The user has two wishes, and the second needs what the first brings to light."""
    return _in_turn(sketch, _drawn(sketch, sketch.stock.chains.of(sketch.lead)), plainly=False)


def nested(sketch: Sketch) -> Blueprint:
    """The user has one wish, and it needs a look-up first that nobody has asked for."""
    return _in_turn(sketch, _drawn(sketch, helping(sketch.stock, sketch.lead)), plainly=True)


def helping(stock: Stock, key: str) -> tuple[Chain, ...]:
    """Return the chains of a tool whose first call only looks up a thing that can be described without it."""
    tools = stock.tools
    return tuple(chain for chain in stock.chains.of(key) if _is_help(tools[chain.giver], tools[chain.taker], chain))


def _is_help(giver: Tool, taker: Tool, chain: Chain) -> bool:
    operation = read_operation(giver.name, giver.description)
    if operation.family not in READING or not chain.describable:
        return False
    if not chain.place.listed:
        return "name" not in dict(chain.fields).values()
    said = {singular(word) for name in (*chain.place.path, taker.name) for word in name_words(name)}
    return said.issuperset(operation.things) and not RANKED.keys().isdisjoint(chain.place.properties)


def _drawn(sketch: Sketch, chains: tuple[Chain, ...]) -> Chain:
    plain = tuple(chain for chain in chains if chain.fields[0][0] != "amount")
    few = plain if plain and sketch.random.random() < _SHARE_PLAIN else chains
    return few[int(sketch.random.random() * len(few))]


def _in_turn(sketch: Sketch, chain: Chain, *, plainly: bool) -> Blueprint:
    """Lay out the two calls one after the other, and one answer."""
    first = _first(sketch, chain, plainly=plainly)
    second = _second(sketch, chain, first, _entry(sketch, chain.place, plainly=plainly))
    apart = (chain.giver, chain.taker)
    others = sketch.stock.beside(
        chain.giver, sketch.random.randint(0, _MOST_OTHERS), sketch.random, lax=False, without=(chain.taker,)
    )
    steps = (
        Step(request=True, calls=(first,), act="chain", about=(second,), parameters=_names(second)),
        Step(calls=(second,), act="go on", parameters=_names(second)),
        Step(reply=True, act="tell"),
    )
    return Blueprint(sketch.shuffled((*apart, *others)), steps, claim=_claim(second))


def _names(call: PlannedCall) -> tuple[str, ...]:
    return tuple(link.parameter for link in call.links)


def _first(sketch: Sketch, chain: Chain, *, plainly: bool) -> PlannedCall:
    """Plan the call that brings to light what the second needs; what both need is said to it.

    `plainly` leaves out all that it does not need.
    """
    properties, taker = sketch.stock.tools[chain.giver].parameters, sketch.stock.tools[chain.taker]
    brought = {parameter for parameter, _ in chain.fields}
    both = frozenset(properties["properties"]) & frozenset(taker.parameters.get("required", ())) - brought - _PAGING
    optional = both - frozenset(properties.get("required", ()))
    call = sketch.call(chain.giver, include=optional if optional or plainly else None, outcome=SUCCESS)
    if chain.place.listed and any(value == 1 for name, value in call.arguments.items() if name in _PAGING):
        raise PlanError("a list of one entry leaves nothing to choose from")
    return call


def _second(sketch: Sketch, chain: Chain, first: PlannedCall, entry: tuple[str | int | Best, ...]) -> PlannedCall:
    """Plan the call that goes on: what both take is the same, what the first brings is left to its result."""
    parameters = sketch.stock.tools[chain.taker].parameters
    brought = dict(chain.fields)
    shared = _shared(first.arguments, parameters, brought)
    required = parameters.get("required", ())
    call = sketch.call(chain.taker, fixed={name: value for name, value in shared.items() if name in required})
    told = chain.place.properties.keys() | brought.keys()
    kept = {
        name: shared.get(name, value)
        for name, value in call.arguments.items()
        if name not in brought and (name in required or name in shared or not (name in told or _is_day(name)))
    }
    outcome = SUCCESS if call.outcome == "RESOURCE_NOT_FOUND" else call.outcome  # it was found a moment ago
    links = tuple(Link(parameter, 0, 0, (*entry, field)) for parameter, field in chain.fields)
    return replace(call, arguments=kept, outcome=outcome, links=links)


def _is_day(name: str) -> bool:
    """Say whether a parameter is a day, which would not be the one that the first call is about."""
    return name.lower().endswith("date")


def _shared(given: JsonObject, parameters: JsonObject, brought: dict[str, str]) -> JsonObject:
    """Return the arguments of the first call that the second must have too."""
    taken = parameters["properties"]
    return {
        name: value
        for name, value in given.items()
        if name in taken and name not in brought and name not in _PAGING and isinstance(value, str | int | float | list)
    }


def _entry(sketch: Sketch, place: Place, *, plainly: bool) -> tuple[str | int | Best, ...]:
    """Return the way to the object that is carried on: of a list, the first entry or the best in some way."""
    if not place.listed:
        return place.path
    ranked = [Best(name, most) for name in place.properties for most in RANKED.get(name, ())]
    if ranked and (plainly or sketch.random.random() < _SHARE_RANKED):
        return (*place.path, sketch.random.choice(ranked))
    return (*place.path, 0)


def _claim(second: PlannedCall) -> JsonObject:
    """Say by what an entry was chosen, which its check compares with all entries."""
    chosen = next((key for key in second.links[0].path if not isinstance(key, str)), None)
    carried = sorted(_names(second))
    if isinstance(chosen, Best):
        return {"carried": carried, "chosen_by": chosen.field, "chosen": "most" if chosen.most else "least"}
    return {"carried": carried} if chosen is None else {"carried": carried, "chosen": "first"}


KINDS = (
    Kind(
        "sequential",
        "two wishes at once; the second call needs a value from the result of the first",
        lambda stock: stock.chains.linked,
        "a tool whose result holds what another one must be given, such as an id",
        sequential,
    ),
    Kind(
        "nested",
        "one wish, which needs another tool's result first, though nobody names that tool",
        lambda stock: tuple(key for key in stock.chains.linked if helping(stock, key)),
        "a tool that looks up what another one must be given, such as an id",
        nested,
    ),
)
