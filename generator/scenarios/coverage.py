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

    Optional parameters come in groups of two and one empty group, in turn; an enum steps to its next value
    each time its parameter is shown. So `groups * longest enum` visits show everything at least once.
    """
    properties: JsonObject = parameters.get("properties", {})
    required = set(parameters.get("required", ()))
    optional = [name for name in properties if name not in required]
    groups = _groups(parameters)
    turn, group = divmod(visit, groups)
    shown = optional[group * OPTIONAL_AT_ONCE : (group + 1) * OPTIONAL_AT_ONCE]
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
    longest = max((len(choices(schema)) for schema in properties.values()), default=0)
    return _groups(parameters) * max(longest, 1)


def _groups(parameters: JsonObject) -> int:
    required = set(parameters.get("required", ()))
    optional = [name for name in parameters.get("properties", {}) if name not in required]
    return -(-len(optional) // OPTIONAL_AT_ONCE) + 1 if optional else 1


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
