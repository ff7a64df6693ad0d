"""Objects: which properties are given, declared or not, in which order, and members that agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from generator.errors import GaveUp
from generator.jsontext import JsonObject, JsonValue
from generator.schemas.limits import MOST_ELEMENTS
from generator.values.agreement import EchoKeys, agreements_of, echo_keys
from generator.values.compiling import Compiling, admits, admits_nothing, check_of
from generator.values.draw import Draw, Maker, later
from generator.values.hints import Hint, kept
from generator.values.meanings.pools import rows
from generator.values.merging import merged_text
from generator.values.scalars import string_maker

_NAME_TRIES = 200
_TRIES_PER_NAME = 4
_TOGETHER = 3
"""Up to so many members, an untold object has all of them: latitude and longitude."""
_PATIENCE = 20
"""Names tried as people would have them before every branch is explored."""

_SPARE_NAMES = tuple(
    "category region priority owner version color size language currency department city status".split()
)


@dataclass(frozen=True, slots=True)
class _NamePattern:
    node: JsonObject
    """What a name of this pattern must match."""
    name: Maker
    value: Maker


@dataclass(frozen=True, slots=True)
class _Members:
    """The properties that an object admits without declaring them."""

    patterns: tuple[_NamePattern, ...]
    name: Maker | None
    """None: nothing but what is declared or matches a pattern is admitted."""
    value: Maker
    is_name: Callable[[str], bool]
    """Whether a name satisfies what is said of every name."""
    is_free: bool
    """Whether nothing is said of the names."""
    spare: dict[str, Maker]
    """Members for an object that says nothing of its own, by name; {} where it says what its values are."""

    def add(self, value: JsonObject, declared: Mapping[str, Maker], draw: Draw, attempt: int) -> bool:
        """Draw a member, and say whether it could be added."""
        drawn = self._name_and_value(draw, attempt, len(value))
        if drawn is None:
            return False
        name, make = drawn
        if name in value or name in declared or not self.is_name(name):
            return False
        for pattern in self.patterns:
            if admits(pattern.node, pattern.node, name):
                make = pattern.value
        value[name] = make(draw)
        return True

    def _name_and_value(self, draw: Draw, attempt: int, count: int) -> tuple[str, Maker] | None:
        if self.patterns and (attempt % 2 == 0 or self.name is None):
            pattern = self.patterns[attempt // 2 % len(self.patterns)]
            return str(pattern.name(draw)), pattern.value
        if self.name is None:
            return None
        if attempt < len(self.spare) <= _TOGETHER:
            return list(self.spare.items())[attempt]
        name = str(self.name(draw))
        if name in self.spare:
            return name, self.spare[name]
        free = self.is_free and attempt >= len(_SPARE_NAMES)
        return (f"{name}_{count + 1}" if free else name), self.value


class Undeclared:
    """How many properties an object has, and what those that are not declared look like.

    Raises:
        GaveUp: it asks for more properties than are given.
    """

    def __init__(self, node: JsonObject, hint: Hint, plan: Compiling, *, declared: bool) -> None:
        self.least = int(node.get("minProperties", 0))
        if self.least > MOST_ELEMENTS:
            raise GaveUp(f"minProperties {self.least:,} is over the limit of {MOST_ELEMENTS:,} properties")
        self.most = None if node.get("maxProperties") is None else int(node["maxProperties"])
        self._node, self._hint, self._plan = node, hint, plan
        self._closed = _is_closed(node)
        self.is_map = not declared and not self._closed and (bool(hint.path) or _speaks_of_members(node))
        """Whether the object declares no property and says what its values are, so that it wants some."""

    @kept
    def _members(self) -> _Members:
        """What may be added, compiled when it is first wanted: most objects never want any."""
        return _members_of(self._node, self._hint, self._plan, closed=self._closed)

    def complete(self, value: JsonObject, declared: Mapping[str, Maker], draw: Draw, *, is_root: bool) -> None:
        """Add optional, then undeclared properties until there are enough."""
        wanted = self._wanted(value, draw, is_root=is_root)
        for name, make in declared.items():
            if len(value) >= wanted:
                return
            if name not in value:
                value[name] = make(draw)
        if len(value) < wanted:
            self._add(wanted, value, declared, draw)

    def _add(self, wanted: int, value: JsonObject, declared: Mapping[str, Maker], draw: Draw) -> None:
        members, exploring = self._members, draw.exploring
        if members.name is None and not members.patterns:
            return
        for attempt in range(_NAME_TRIES + _TRIES_PER_NAME * wanted):
            if len(value) >= wanted:
                break
            mark = draw.mark()
            draw.spend()
            draw.exploring = exploring or attempt > _PATIENCE
            if not members.add(value, declared, draw, attempt):
                draw.refuse(mark, "a name broke `propertyNames` or its like, or was there already", 0)
        draw.exploring = exploring

    def _wanted(self, value: JsonObject, draw: Draw, *, is_root: bool) -> int:
        wanted = self.least
        if not draw.is_deep and self.is_map and not is_root:
            spare = len(self._members.spare)
            wanted = max(wanted, spare if 0 < spare <= _TOGETHER else draw.whole(1, 3))
        if not draw.is_deep and draw.exploring and draw.chance(0.4):
            wanted = max(wanted, len(value) + draw.whole(1, 2))
        return wanted if self.most is None else min(wanted, self.most)


def _is_closed(node: JsonObject) -> bool:
    """Say whether a name must be declared, or match a pattern."""
    names, rest = node.get("propertyNames"), node.get("additionalProperties")
    if names is None and rest is None:
        return False
    return admits_nothing(names) or admits_nothing(rest) or _are_declared(names, node)


def _speaks_of_members(node: JsonObject) -> bool:
    """Say whether the node tells what properties it does not declare look like."""
    told = node.get("additionalProperties", {}) not in (True, {})
    return told or not all(map(admits_nothing, node.get("patternProperties", {}).values()))


def _members_of(node: JsonObject, hint: Hint, plan: Compiling, *, closed: bool) -> _Members:
    """Compile what an object node says about properties it does not declare."""
    rest = node.get("additionalProperties", {})
    patterns, refused = _patterns(node, hint, plan)
    name_node = _opened_names(node.get("propertyNames", {}), plan)
    if refused:
        denials = [{"not": {"pattern": pattern}} for pattern in refused]
        name_node = {**name_node, "allOf": [*name_node.get("allOf", []), *denials]}
    return _Members(
        patterns=patterns,
        name=None if closed else _name_maker(name_node, hint, plan),
        value=_no_value if closed else _value_maker(rest, hint, plan),
        is_name=(lambda name: plan.admits(name_node, name)) if name_node else (lambda name: True),
        is_free=not name_node,
        spare=_spare(rest, name_node, hint, plan) if not closed else {},
    )


def _opened_names(names: JsonValue, plan: Compiling) -> JsonObject:
    """Return what every name must satisfy in one node: the patterns behind references and `allOf` are followed."""
    if not isinstance(names, dict) or names.keys().isdisjoint(("$ref", "allOf")):
        return names if isinstance(names, dict) else {}
    whole = merged_text(plan, [names])
    return whole if isinstance(whole, dict) else names


def _are_declared(names: JsonValue, node: JsonObject) -> bool:
    """Say whether every name that may be is declared: the canonical form closes objects so."""
    if not isinstance(names, dict) or names.keys().isdisjoint(("enum", "const")):
        return False
    known = {*node.get("properties", ()), *node.get("required", ())}
    return all(not isinstance(name, str) or name in known for name in names.get("enum", [names.get("const")]))


def _patterns(node: JsonObject, hint: Hint, plan: Compiling) -> tuple[tuple[_NamePattern, ...], list[str]]:
    """Return the patterns whose properties may be given, and those whose may not."""
    found, refused = [], []
    for pattern, part in node.get("patternProperties", {}).items():
        if admits_nothing(part):
            refused.append(pattern)
            continue
        only: JsonObject = {"type": "string", "pattern": pattern}
        name = string_maker(only, Hint((), ("key",)), check_of(only, only))
        found.append(_NamePattern(only, name, plan.maker(part, hint)))
    return tuple(found), refused


def _spare(rest: JsonValue, name_node: JsonObject, hint: Hint, plan: Compiling) -> dict[str, Maker]:
    """Compile the members an untold object is given, as its name suggests."""
    if rest not in (True, {}) or name_node or not hint.path:
        return {}
    words = {*hint.words, *hint.parent_words}
    told = next((members for of, members in rows("free_objects") if words & set(of.split(","))), "")
    names = told.split(", ") if told else _SPARE_NAMES
    hints = {name: Hint((), (*hint.path, name), hint.topic) for name in names}
    return {name: later(partial(plan.maker, {}, inner)) for name, inner in hints.items()}


def _name_maker(name_node: JsonObject, hint: Hint, plan: Compiling) -> Maker:
    if not name_node:
        return lambda draw: draw.pick(_SPARE_NAMES)
    return plan.maker({"type": "string"} | name_node, Hint((), ("key",), hint.topic))


def _value_maker(rest: JsonValue, hint: Hint, plan: Compiling) -> Maker:
    inner = hint.property("", plan.raw).renamed(hint.path[-1] if hint.path else "value")
    return later(partial(plan.maker, rest, inner))


def _no_value(draw: Draw) -> JsonValue:
    raise GaveUp("the object admits no property that is not declared, yet needs more of them")


_MOST_SPOKEN = 3
_SHARE_SPOKEN = 0.35
_SHARE_SPOKEN_OF_OPTIONAL = 0.6
"""How many are spoken of where none must be."""
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


_is_required = attrgetter("required")


def object_maker(node: JsonObject, hint: Hint, plan: Compiling) -> Maker:
    """Compile an object node."""
    properties = _properties(node, hint, plan)
    undeclared = Undeclared(node, hint, plan, declared=bool(properties))
    makers = {prop.name: prop.given for prop in properties}
    agree = agreements_of([prop.name for prop in properties], node)
    is_root = not hint.path and not hint.listed
    at_most = undeclared.most if undeclared.most is not None and undeclared.most < len(properties) else None

    def make(draw: Draw) -> JsonValue:
        draw.spend(1 + len(properties))
        chosen = _chosen_at_root(properties, draw) if is_root else _chosen(properties, draw)
        if at_most is not None:
            chosen = _cut(chosen, at_most)
        fixed = draw.context.fixed if is_root else _NOTHING_FIXED
        value = _given(chosen, fixed, draw)
        for law in agree:
            law(value, draw)
        if is_root:
            _pin(value, fixed)
        if len(value) < undeclared.least or undeclared.is_map or draw.exploring:
            undeclared.complete(value, makers, draw, is_root=is_root)
        return value

    return make


_NOTHING_FIXED: Mapping[str, JsonValue] = {}


def _given(chosen: list[_Property], fixed: Mapping[str, JsonValue], draw: Draw) -> JsonObject:
    """Give each of these properties: as it is fixed, as it is known, or as its maker has it."""
    known = draw.context.known if draw.echo else None
    value: JsonObject = {}
    for prop in chosen:
        if prop.name in fixed:
            value[prop.name] = fixed[prop.name]
        elif known and (echoed := prop.echo.find(known, draw)) is not None:
            value[prop.name] = echoed[0]
        else:
            value[prop.name] = prop.given(draw)
    return value


def _pin(value: JsonObject, fixed: Mapping[str, JsonValue]) -> None:
    """Give what is fixed, whatever agreement or the schema's silence made of it."""
    value.update(fixed)


def _properties(node: JsonObject, hint: Hint, plan: Compiling) -> list[_Property]:
    declared: JsonObject = node.get("properties", {})
    required = node.get("required", ())
    missing = {name: _undeclared(name, node, plan) for name in required if name not in declared}
    nodes = {name: part for name, part in (declared | missing).items() if not admits_nothing(part)}
    order = dict.fromkeys([name for name in hint.names("properties") if name in nodes]) | dict.fromkeys(nodes)
    needed = frozenset(required)
    properties = [_Property(name, nodes[name], hint, plan, required=name in needed) for name in order]
    for prop in properties:
        if prop.required:
            prop.compile()
    return properties


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
        return _with_some(properties, _SHARE_EXPLORED, draw)
    if draw.for_argument:
        return _spoken(properties, draw)
    return properties if len(properties) <= _ALWAYS_RETURNED else _with_some(properties, _SHARE_RETURNED, draw)


def _with_some(properties: list[_Property], share: float, draw: Draw) -> list[_Property]:
    """Return what is required, and about so large a share of the others."""
    return [prop for prop in properties if prop.required or draw.chance(share)]


def _spoken(properties: list[_Property], draw: Draw) -> list[_Property]:
    """Return the properties that a person would speak of in one sentence."""
    needed = any(map(_is_required, properties))
    share = _SHARE_SPOKEN if needed else _SHARE_SPOKEN_OF_OPTIONAL
    spoken = [prop for prop in properties if not prop.required and draw.chance(share)][:_MOST_SPOKEN]
    if not needed and not spoken:
        spoken = properties[:1]
    return [prop for prop in properties if prop.required or prop in spoken]


def _cut(chosen: list[_Property], most: int) -> list[_Property]:
    room = most - sum(map(_is_required, chosen))
    kept = []
    for prop in chosen:
        if prop.required or room > 0:
            kept.append(prop)
            room -= not prop.required
    return kept
