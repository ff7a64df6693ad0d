"""Which optional parameters and which enum values a call shows: every one gets its turn."""

from __future__ import annotations

from dataclasses import dataclass

from generator.jsontext import JsonObject, JsonValue

OPTIONAL_AT_ONCE = 2
"""People rarely state more than two optional things in one request."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The part of a call's arguments that the plan decides."""

    include: frozenset[str]
    """Optional parameters to give."""
    fixed: JsonObject
    """Parameters whose value is decided: the enum value or flag whose turn it is."""


NO_VARIANT = Variant(frozenset(), {})


def variant(parameters: JsonObject, visit: int) -> Variant:
    """Return what call number `visit` of a tool shows.

    Optional parameters come in groups of two and one empty group. A round shows every group which has a value left
    that no earlier round has shown, so that `visits_needed` visits show everything at least once; then it begins
    anew. Required choices step with every visit.
    """
    properties: JsonObject = parameters.get("properties", {})
    required = set(parameters.get("required", ()))
    shown, turn = _shown(_groups(properties, required), visit)
    fixed = {
        name: values[visit % len(values)]
        for name in properties
        if name in required and (values := choices(properties[name]))
    }
    fixed |= {name: values[turn % len(values)] for name in shown if (values := choices(properties[name]))}
    return Variant(frozenset(shown), fixed)


def visits_needed(parameters: JsonObject) -> int:
    """Return how many visits of a tool show everything at least once."""
    properties: JsonObject = parameters.get("properties", {})
    required = set(parameters.get("required", ()))
    longest = max((len(choices(properties[name])) for name in properties if name in required), default=1)
    return max(longest, sum(rounds for _, rounds in _groups(properties, required)))


_Groups = list[tuple[tuple[str, ...], int]]


def _groups(properties: JsonObject, required: set[str]) -> _Groups:
    """Return the groups of optional parameters, the empty one last, each with the rounds that it takes."""
    optional = [name for name in properties if name not in required]
    groups: _Groups = []
    for start in range(0, len(optional), OPTIONAL_AT_ONCE):
        names = tuple(optional[start : start + OPTIONAL_AT_ONCE])
        groups.append((names, max(1, *(len(choices(properties[name])) for name in names))))
    return [*groups, ((), 1)]


def _shown(groups: _Groups, visit: int) -> tuple[tuple[str, ...], int]:
    """Return the group of a visit, and its round; all groups have their turn before one has its second."""
    place = visit % sum(rounds for _, rounds in groups)
    turn = 0
    while True:
        left = [names for names, rounds in groups if rounds > turn]
        if place < len(left):
            return left[place], turn
        place -= len(left)
        turn += 1


def choices(schema: JsonValue) -> tuple[JsonValue, ...]:
    """Return the values a parameter chooses from: its enum, or both flags; empty where it is open."""
    if not isinstance(schema, dict) or "const" in schema:
        return ()
    if isinstance(values := schema.get("enum"), list):
        return tuple(value for value in values if value is not None)
    return (True, False) if schema.get("type") == "boolean" else ()


def is_open(parameters: JsonObject) -> bool:
    """Say whether two calls of a tool can differ: it has a parameter with more than one value."""
    properties: JsonObject = parameters.get("properties", {})
    return any(_has_alternatives(schema) for schema in properties.values())


def _has_alternatives(schema: JsonValue) -> bool:
    if not isinstance(schema, dict) or "const" in schema:
        return False
    values = schema.get("enum")
    return not isinstance(values, list) or len(values) > 1
