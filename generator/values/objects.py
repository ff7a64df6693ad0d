"""Objects: which properties are given, in which order, and members that agree."""

from __future__ import annotations

from collections.abc import Mapping

from generator.jsontext import JsonObject, JsonValue
from generator.values.agreement import agreements_of
from generator.values.compiling import Compiling
from generator.values.draw import Draw, Maker
from generator.values.echo import EchoKeys, echo_keys
from generator.values.hints import Hint, kept
from generator.values.undeclared import Undeclared

_MOST_SPOKEN = 3
_SHARE_SPOKEN = 0.35
_SHARE_RETURNED = 0.92
_ALWAYS_RETURNED = 4
_SHARE_EXPLORED = 0.5


class _Property:
    """One property of an object. What it needs is found out when it is first given: most values leave out most."""

    def __init__(self, name: str, node: JsonValue, outer: Hint, plan: Compiling, *, required: bool) -> None:
        self.name = name
        self.required = required
        self._node, self._outer, self._plan = node, outer, plan

    def compile(self) -> Maker:
        """Return the maker of its values, compiled once: of what must be given at once, so that it is known to be."""
        return self._make

    def given(self, draw: Draw) -> JsonValue:
        """Make a value."""
        return self._make(draw)

    @kept
    def _make(self) -> Maker:
        return self._plan.maker(self._node, self._hint)

    @kept
    def echo(self) -> EchoKeys:
        """Under which words what is known is given back here."""
        return echo_keys(self._hint, self._node)

    @kept
    def _hint(self) -> Hint:
        return self._outer.property(self.name, self._plan.raw)


def object_maker(node: JsonObject, hint: Hint, plan: Compiling) -> Maker:
    """Compile an object node."""
    properties = _properties(node, hint, plan)
    undeclared = Undeclared(node, hint, plan, declared=bool(properties))
    for prop in properties:
        if prop.required:
            prop.compile()
    makers = {prop.name: prop.given for prop in properties}
    agree = agreements_of([prop.name for prop in properties], node)
    is_root = not hint.path and not hint.listed
    at_most = undeclared.most if undeclared.most is not None and undeclared.most < len(properties) else None

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
                value[prop.name] = prop.given(draw)
        for law in agree:
            law(value, draw)
        if is_root:
            _pin(value, fixed)
        if len(value) < undeclared.least or undeclared.is_map or draw.exploring:
            undeclared.complete(value, makers, draw, is_root=is_root)
        return value

    return make


def _pin(value: JsonObject, fixed: Mapping[str, JsonValue]) -> None:
    """Give what is fixed, whatever agreement or the schema's silence made of it."""
    value.update(fixed)


def _properties(node: JsonObject, hint: Hint, plan: Compiling) -> list[_Property]:
    declared: JsonObject = node.get("properties", {})
    required = node.get("required", ())
    missing = {name: _undeclared(name, node, plan) for name in required if name not in declared}
    nodes = {name: part for name, part in (declared | missing).items() if part is not False and part != {"not": {}}}
    order = dict.fromkeys([name for name in hint.names("properties") if name in nodes]) | dict.fromkeys(nodes)
    needed = frozenset(required)
    return [_Property(name, nodes[name], hint, plan, required=name in needed) for name in order]


def _undeclared(name: str, node: JsonObject, plan: Compiling) -> JsonValue:
    """Return what a required but undeclared property must satisfy."""
    parts = [part for pattern, part in node.get("patternProperties", {}).items()
             if plan.admits({"type": "string", "pattern": pattern}, name)]  # fmt: skip
    if not parts:
        return node.get("additionalProperties", {})
    return parts[0] if len(parts) == 1 else {"allOf": parts}


def _chosen_at_root(properties: list[_Property], draw: Draw) -> list[_Property]:
    include, fixed = draw.context.include, draw.context.fixed
    decided_here = include is None or draw.depth
    chosen = {prop.name for prop in _chosen(properties, draw)} if decided_here else set(include or ())
    return [prop for prop in properties if prop.required or prop.name in chosen or prop.name in fixed]


def _chosen(properties: list[_Property], draw: Draw) -> list[_Property]:
    if draw.is_deep:
        return [prop for prop in properties if prop.required]
    if draw.exploring:
        return [prop for prop in properties if prop.required or draw.chance(_SHARE_EXPLORED)]
    if not draw.for_argument:
        few = len(properties) <= _ALWAYS_RETURNED
        return [prop for prop in properties if few or prop.required or draw.chance(_SHARE_RETURNED)]
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
