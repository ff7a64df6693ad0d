"""Objects: which properties are given, in which order, and members that agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.errors import GaveUp
from generator.jsontext import JsonObject, JsonValue
from generator.values.agreement import agreements_of
from generator.values.draw import DEEPEST, Draw, Maker
from generator.values.echo import EchoKeys, echo_keys
from generator.values.hints import Hint
from generator.values.scalars import string_maker

if TYPE_CHECKING:
    from generator.values.plan import Plan

_MOST_SPOKEN = 3
_SHARE_SPOKEN = 0.35
_SHARE_RETURNED = 0.92
_SHARE_EXPLORED = 0.5
_KEY_TRIES = 200
_SPARE_KEYS = ("category", "region", "source", "priority", "owner", "stage", "channel", "team", "version", "label",
               "color", "size", "language", "currency", "department", "environment")  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Property:
    name: str
    make: Maker
    required: bool
    echo: EchoKeys


@dataclass(frozen=True, slots=True)
class _Shape:
    """How many properties an object has, and what those that are not declared look like."""

    least: int
    most: int | None
    names: Maker
    name_node: JsonValue
    patterns: tuple[tuple[JsonObject, Maker, Maker], ...]
    """(node that a name must match, maker of the name, maker of the value) of each pattern."""
    rest: Maker | None
    """None: nothing else is admitted."""
    free: bool
    """Whether the object declares no property, so that it is a map."""


def object_maker(node: JsonObject, hint: Hint, plan: Plan) -> Maker:
    """Compile an object node."""
    properties = _properties(node, hint, plan)
    shape = _shape(node, hint, plan, declared=bool(properties))
    agree = agreements_of([prop.name for prop in properties], node)
    is_root = not hint.path
    at_most = shape.most if shape.most is not None and shape.most < len(properties) else None

    def make(draw: Draw) -> JsonValue:
        draw.spend(1 + len(properties))
        chosen = _chosen_at_root(properties, draw) if is_root else _chosen(properties, draw)
        if at_most is not None:
            chosen = _cut(chosen, at_most)
        value: JsonObject = {}
        known = draw.context.known if draw.echo else None
        fixed = draw.context.fixed if is_root else {}
        for prop in chosen:
            if prop.name in fixed:
                value[prop.name] = fixed[prop.name]
            elif known and (echoed := prop.echo.find(known, draw)) is not None:
                value[prop.name] = echoed[0]
            else:
                value[prop.name] = prop.make(draw)
        for law in agree:
            law(value, draw)
        if is_root:
            _pin(value, fixed)
        if len(value) < shape.least or shape.free or draw.exploring:
            _fill(value, shape, properties, draw, mapped=not is_root)
        return value

    return make


def _pin(value: JsonObject, fixed: object) -> None:
    """Give what is fixed, whatever agreement or the schema's silence made of it."""
    assert hasattr(fixed, "items")  # a Mapping; at the root alone
    value.update(fixed.items())


def _properties(node: JsonObject, hint: Hint, plan: Plan) -> list[_Property]:
    declared: JsonObject = node.get("properties", {})
    required = node.get("required", ())
    missing = {name: _undeclared(name, node, plan) for name in required if name not in declared}
    nodes = {name: part for name, part in (declared | missing).items() if part is not False and part != {"not": {}}}
    order = dict.fromkeys([name for name in hint.names("properties") if name in nodes]) | dict.fromkeys(nodes)
    needed = frozenset(required)
    found = []
    for name in order:
        inner = hint.property(name, plan.raw)
        found.append(_Property(name, plan.maker(nodes[name], inner), name in needed, echo_keys(inner, nodes[name])))
    return found


def _undeclared(name: str, node: JsonObject, plan: Plan) -> JsonValue:
    """Return what a required but undeclared property must satisfy."""
    parts = [part for pattern, part in node.get("patternProperties", {}).items()
             if plan.admits({"type": "string", "pattern": pattern}, name)]  # fmt: skip
    if not parts:
        return node.get("additionalProperties", {})
    return parts[0] if len(parts) == 1 else {"allOf": parts}


def _shape(node: JsonObject, hint: Hint, plan: Plan, *, declared: bool) -> _Shape:
    names = node.get("propertyNames", {})
    element = hint.renamed(hint.path[-1]) if hint.path else hint
    rest = node.get("additionalProperties", {})
    name_node: JsonObject = {"type": "string"} | (names if isinstance(names, dict) else {})
    name_maker = plan.maker(name_node, Hint((), ("key",), hint.topic)) if names is not False else None
    closed = rest is False or name_maker is None
    patterns = []
    for pattern, part in node.get("patternProperties", {}).items():
        if part is not False and part != {"not": {}}:
            only: JsonObject = {"type": "string", "pattern": pattern}
            key = string_maker(only, Hint((), ("key",)), lambda value, only=only: plan.admits(only, value))
            patterns.append((only, key, plan.maker(part, element)))
    refused = tuple(pattern for pattern, part in node.get("patternProperties", {}).items() if part is False or part == {"not": {}})
    name_node = {**name_node, "allOf": [*name_node.get("allOf", []), *({"not": {"pattern": p}} for p in refused)]} if refused else name_node
    described = rest not in (True, {}) or bool(patterns)
    return _Shape(
        least=node.get("minProperties", 0),
        most=node.get("maxProperties"),
        names=(lambda draw: draw.pick(_SPARE_KEYS)) if not names and name_maker else name_maker or _no_name,
        name_node=name_node if names or refused else {},
        patterns=tuple(patterns),
        rest=None if closed else _map_value(rest, hint, plan),
        free=not declared and not closed and (described or bool(hint.path)),
    )


def _map_value(rest: JsonValue, hint: Hint, plan: Plan) -> Maker:
    if rest in (True, {}):
        return lambda draw: draw.pick(("standard", "internal", "north", "beta", "primary", "weekly", "basic", "active"))
    return plan.maker(rest, hint.property("", plan.raw).renamed(hint.path[-1] if hint.path else "value"))


def _no_name(draw: Draw) -> JsonValue:
    raise GaveUp("the object admits no property name, yet needs more properties")


def _chosen_at_root(properties: list[_Property], draw: Draw) -> list[_Property]:
    include, fixed = draw.context.include, draw.context.fixed
    if include is None or draw.depth:
        chosen = {prop.name for prop in _chosen(properties, draw)}
    else:
        chosen = set(include)
    return [prop for prop in properties if prop.required or prop.name in chosen or prop.name in fixed]


def _chosen(properties: list[_Property], draw: Draw) -> list[_Property]:
    if draw.depth > DEEPEST:
        return [prop for prop in properties if prop.required]
    if draw.exploring:
        return [prop for prop in properties if prop.required or draw.chance(_SHARE_EXPLORED)]
    if not draw.for_argument:
        return [prop for prop in properties if prop.required or draw.chance(_SHARE_RETURNED)]
    needed = sum(prop.required for prop in properties)
    share = _SHARE_SPOKEN if needed else 0.6
    spoken = [prop for prop in properties if not prop.required and draw.chance(share)]
    if not needed and not spoken and properties:
        spoken = [properties[0]]
    kept = {prop.name for prop in spoken[:_MOST_SPOKEN]}
    return [prop for prop in properties if prop.required or prop.name in kept]


def _cut(chosen: list[_Property], most: int) -> list[_Property]:
    room = most - sum(prop.required for prop in chosen)
    kept = []
    for prop in chosen:
        if prop.required or room > 0:
            kept.append(prop)
            room -= not prop.required
    return kept


def _fill(value: JsonObject, shape: _Shape, properties: list[_Property], draw: Draw, *, mapped: bool) -> None:
    """Add optional, then undeclared properties until there are enough."""
    wanted = shape.least
    if shape.free and draw.depth <= DEEPEST and mapped:
        wanted = max(wanted, draw.whole(1, 3))
    if shape.most is not None:
        wanted = min(wanted, shape.most)
    for prop in properties:
        if len(value) >= wanted:
            return
        if prop.name not in value:
            value[prop.name] = prop.make(draw)
    declared = {prop.name for prop in properties}
    for attempt in range(_KEY_TRIES + 4 * max(0, wanted)):
        if len(value) >= wanted:
            return
        draw.spend()
        if attempt > 20:
            draw.exploring = True
        _add_undeclared(value, shape, declared, draw, attempt)


def _add_undeclared(value: JsonObject, shape: _Shape, declared: set[str], draw: Draw, attempt: int) -> None:
    from generator.values.checks import admits

    if shape.patterns and (attempt % 2 == 0 or shape.rest is None):
        _, make_name, make = shape.patterns[attempt // 2 % len(shape.patterns)]
        name = str(make_name(draw))
    elif shape.rest is not None:
        make = shape.rest
        name = str(shape.names(draw))
        if attempt >= len(_SPARE_KEYS) and not shape.name_node:
            name += f"_{len(value) + 1}"
    else:
        return
    for node, _, pattern_make in shape.patterns:
        if make is shape.rest and admits(node, node, name):
            make = pattern_make
    if name in value or name in declared or (shape.name_node and not admits(shape.name_node, shape.name_node, name)):
        return
    value[name] = make(draw)
