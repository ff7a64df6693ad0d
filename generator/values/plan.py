"""Plan: a schema compiled once into makers, one per node.

The structure comes from the canonical form, the realism from the hints of the raw schema.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from generator.errors import GaveUp
from generator.jsontext import JsonObject, JsonValue
from generator.schemas.canonical import canonical_form
from generator.schemas.limits import DEEPEST_REFERENCE, MOST_NODES, MOST_UNFOLDED
from generator.values.arrays import array_maker
from generator.values.compiling import admits, admits_nothing, check_of, listed_types
from generator.values.draw import Draw, Maker, later
from generator.values.emptiness import Heights
from generator.values.hints import Hint, identified, resolve_pointer, sources_of
from generator.values.merging import apart, as_part, cases_of, definitions_of, merged, size_of
from generator.values.objects import object_maker
from generator.values.scalars import boolean_maker, number_maker, preferred_types, share_of_null, string_maker

_ALL_TYPES = ("string", "integer", "number", "boolean", "object", "array", "null")
_FLAT_TYPES = ("null", "boolean", "integer", "number", "string")
"""Types of values without parts, the smallest first."""
_MOST_HOPS = 1_000
_GUARDED_TRIES = 60
_LEAST_GUARDED_TRIES = 2
"""What was in vain before, within one value, is tried less often: guards stand inside guards."""
_FOLDED = frozenset(
    "allOf anyOf oneOf not if dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems".split()
)
_LIST_KEYWORDS = {"contains", "minContains", "maxContains"}
_TEXT_KEYWORDS = {"type", "pattern", "format", "not", "minLength", "maxLength"}


class Plan:
    """The makers of one schema. Build it once, draw from it as often as wanted."""

    def __init__(
        self, form: JsonValue, raw: JsonValue, topic: tuple[str, str] = ("", ""), heights: Heights | None = None
    ) -> None:
        """Compile a form; `heights` are given where it and the raw schema refer to nothing by a name."""
        self.form = form
        self.raw = raw
        self.topic = topic
        self._references: dict[tuple[str, tuple[str, ...], bool], Maker] = {}
        self._is_raw = form is raw
        self._nodes = 0
        self._unfolded_parts = 0
        self._identified = {} if heights else identified(raw)
        self._heights = heights or Heights(form, self.resolve)
        self.make = self.maker(form, Hint(sources_of([raw], raw), (), topic))

    def maker(self, node: JsonValue, hint: Hint) -> Maker:
        """Compile one node of the canonical form."""
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise GaveUp(f"the schema has over {MOST_NODES:,} nodes")
        if self._is_raw:
            node = self._unfolded(node)
        if not isinstance(node, dict):
            return _nothing if node is False else self._anything(hint)
        if "$ref" in node:
            return self._reference(node, hint)
        if "const" in node or "enum" in node:
            return self._listed(node)
        return self._composed(node, hint) or self._typed(node, hint)

    def _listed(self, node: JsonObject) -> Maker:
        if "const" in node:
            return _constant(node["const"])
        return self._guarded(node, _choice(node["enum"]), {"enum", "type"}) if node["enum"] else _nothing

    def _composed(self, node: JsonObject, hint: Hint) -> Maker | None:
        """Compile a node that is made of others, or says nothing; None where it is of a type."""
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                return self._branches(node, keyword, hint)
        if "allOf" in node and not _is_text(node) and not _is_list(node):
            return self._lazy(lambda: self._all_of(node, hint)) if _refers(node) else self._all_of(node, hint)
        return self._anything(hint) if "type" not in node and not _constrains(node) else None

    def _unfolded(self, node: JsonValue) -> JsonValue:
        """Fold a part of a schema which as a whole had no canonical form, or keep to a few of its cases."""
        if not isinstance(node, dict) or node is self.form or node.keys().isdisjoint(_FOLDED):
            return node
        self._unfolded_parts += size_of(node)
        if self._unfolded_parts > MOST_UNFOLDED:
            return node
        definitions = definitions_of(self.form)
        form = canonical_form({**node, "$defs": definitions})
        if form is None:
            form = cases_of(self.form, node)
        if isinstance(form, dict):
            form = as_part(form, definitions)
        return node if form is None else form

    def resolve(self, reference: str) -> JsonValue:
        """Return the node of the canonical form a reference points to."""
        if reference in self._identified:
            return self._identified[reference]
        return resolve_pointer(self.form, reference)

    def admits(self, node: JsonValue, value: JsonValue) -> bool:
        """Say whether one node of the form accepts the value."""
        return admits(self.form, node, value)

    def _reference(self, node: JsonObject, hint: Hint) -> Maker:
        target = self._end_of(node["$ref"])
        if target is None:
            raise GaveUp(f"the reference {node['$ref']!r} points to nothing inside the schema")
        rest = _beside(node, "$ref")
        if _constrains(rest):
            return self.maker({**rest, "allOf": [*rest.get("allOf", []), {"$ref": node["$ref"]}]}, hint)
        key = (node["$ref"], hint.path[-2:], hint.listed)

        def compiled() -> Maker:
            made = self._references.get(key)
            if made is None:
                made = self._references[key] = self.maker(target, hint)
            return made

        return self._lazy(compiled)

    def _lazy(self, compiled: Callable[[], Maker]) -> Maker:
        """Compile when a value is first asked for: what refers to itself would never be compiled at once."""
        found: list[Maker] = []

        def make(draw: Draw) -> JsonValue:
            if not found:
                found.append(compiled())
            if draw.depth >= DEEPEST_REFERENCE:
                raise GaveUp(f"the value nests over {DEEPEST_REFERENCE} references")
            draw.depth += 1
            value = found[0](draw)
            draw.depth -= 1
            return value

        return make

    def _end_of(self, reference: str) -> JsonValue:
        """Follow a reference, and those it only leads on to."""
        target = self.resolve(reference)
        for _ in range(_MOST_HOPS):
            if not isinstance(target, dict) or target.keys() != {"$ref"}:
                break
            target = self.resolve(target["$ref"])
        return target

    def _branches(self, node: JsonObject, keyword: str, hint: Hint) -> Maker:
        nodes = self._alternatives(node, keyword)
        if not nodes:
            return _nothing
        makers = [later(partial(self.maker, branch, hint)) for branch in nodes]
        first, null = self._preferred(nodes, makers, hint)
        flattest = makers[min(range(len(makers)), key=lambda at: self.height(nodes[at]))]
        make = _branching(makers, first, null, flattest, share_of_null(hint))
        if not hint.path:
            make = self._root_branching(nodes, makers, make)
        return self._guarded(node, make, {keyword}) if keyword == "oneOf" else make

    def _preferred(self, nodes: list[JsonValue], makers: list[Maker], hint: Hint) -> tuple[list[Maker], Maker | None]:
        """Return the makers of the branches that a value should rather have, and that of null, if it may be null."""
        wanted = preferred_types(hint)
        preferred = [branch for branch in nodes if _type_of(branch, self) & wanted]
        nulls = [branch for branch in nodes if _type_of(branch, self) == {"null"}]
        first = [makers[nodes.index(branch)] for branch in preferred if branch not in nulls] or makers
        return first, makers[nodes.index(nulls[0])] if nulls else None

    def _alternatives(self, node: JsonObject, keyword: str) -> list[JsonValue]:
        """Return the branches of a choice, each with what stands beside it and, of `oneOf`, without the others."""
        rest = _beside(node, keyword)
        nodes = [branch for branch in node[keyword] if not admits_nothing(branch)]
        if _constrains(rest):
            nodes = [whole for branch in nodes if (whole := merged(self, [rest, branch])) is not False]
        return [branch for branch in apart(self, nodes) if branch is not False] if keyword == "oneOf" else nodes

    def _root_branching(self, nodes: list[JsonValue], makers: list[Maker], make: Maker) -> Maker:
        """At the root, keep to the branches in which the asked-for properties may be given."""
        forbidden = [_forbidden(node, self) for node in nodes]

        def choose(draw: Draw) -> JsonValue:
            asked = {*draw.context.fixed, *(draw.context.include or ())}
            if not asked or draw.exploring:
                return make(draw)
            fitting = [makers[at] for at, names in enumerate(forbidden) if names is not None and not (names & asked)]
            return draw.random.choice(fitting)(draw) if fitting else make(draw)

        return choose

    def _anything(self, hint: Hint) -> Maker:
        """Where everything is admitted: a scalar of the type its name suggests, or what the raw schema speaks of."""
        kinds = preferred_types(hint)
        text, number = string_maker({}, hint, lambda value: True), number_maker({}, hint, whole="integer" in kinds)
        first = boolean_maker(hint) if "boolean" in kinds else number if "number" in kinds else text
        others: list[Maker] = [text, number, boolean_maker(hint), _constant(None), _constant([]), _constant({})]
        return _branching(others, [first], None, first, (0.0, 0.0))

    def _all_of(self, node: JsonObject, hint: Hint) -> Maker:
        whole = merged(self, [_beside(node, "allOf"), *node["allOf"]])
        if isinstance(whole, dict) and "allOf" in whole and not _is_text(whole) and not _is_list(whole):
            whole = _beside(whole, "allOf")
        return self._guarded(node, self.maker(whole, hint), set())

    def _typed(self, node: JsonObject, hint: Hint) -> Maker:
        declared = node.get("type", _ALL_TYPES)
        if isinstance(declared, str) and "not" not in node:
            return self._of_type(declared, node, hint)
        makers = {kind: self._of_type(kind, node, hint) for kind in listed_types(declared)}
        make = next(iter(makers.values())) if len(makers) == 1 else _of_any_type(makers, hint)
        return self._guarded(node, make, set()) if "not" in node else make

    def _of_type(self, kind: str, node: JsonObject, hint: Hint) -> Maker:
        self._nodes += 1
        match kind:
            case "string":
                return string_maker(node, hint, check_of(self.form, node))
            case "integer" | "number":
                return number_maker(node, hint, whole=kind == "integer")
            case "object":
                return object_maker(node, hint, self)
            case "array":
                return array_maker(node, hint, self)
            case "boolean":
                return boolean_maker(hint)
            case "null":
                return _constant(None)
        raise GaveUp(f"unknown type {kind!r}")

    def _guarded(self, node: JsonObject, make: Maker, known: set[str]) -> Maker:
        """Let pass only what the node accepts, where it says more than `known` keywords do."""
        if (
            known
            and not _constrains({key: value for key, value in node.items() if key not in known})
            and "oneOf" not in known
        ):
            return make
        said = ", ".join(sorted(node.keys() - known)) or "its keywords"
        by = f"what was drawn broke one of {said}"

        def guarded(draw: Draw) -> JsonValue:
            failures = draw.failures.get(id(node), 0)
            for _ in range(max(_LEAST_GUARDED_TRIES, _GUARDED_TRIES >> failures)):
                mark = draw.mark()
                value = make(draw)
                if self.admits(node, value):
                    return value
                draw.refuse(mark, by, 5)
            draw.failures[id(node)] = failures + 1
            return value

        return guarded

    def height(self, node: JsonValue) -> int:
        """Return the least number of references below a node on its way to a finite value."""
        return self._heights.of(node)


def _beside(node: JsonObject, keyword: str) -> JsonObject:
    """Return what stands beside a keyword."""
    return {key: part for key, part in node.items() if key != keyword}


def _constrains(rest: JsonObject) -> bool:
    return any(key not in ("$defs", "$schema", "definitions", "$id", "$anchor", "type") for key in rest)


def _refers(node: JsonObject) -> bool:
    return any(isinstance(part, dict) and "$ref" in part for part in node["allOf"])


def _is_list(node: JsonObject) -> bool:
    """Say whether the node is an array with several `contains`, which the array maker takes together."""
    return node.get("type") == "array" and all(
        isinstance(part, dict) and part.keys() <= _LIST_KEYWORDS for part in node["allOf"]
    )


def _is_text(node: JsonObject) -> bool:
    """Say whether the node is a string with several patterns or formats, which the string maker takes together."""
    return node.get("type") == "string" and all(
        isinstance(part, dict) and part.keys() <= _TEXT_KEYWORDS for part in node["allOf"]
    )


def _nothing(draw: Draw) -> JsonValue:
    raise GaveUp("a part of the schema that is needed accepts no value")


def _constant(value: JsonValue) -> Maker:
    if isinstance(value, (dict, list)):
        return lambda draw: _copied(value)
    return lambda draw: value


def _copied(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    return [_copied(part) for part in value] if isinstance(value, list) else value


def _choice(values: list[JsonValue]) -> Maker:
    told = [value for value in values if value not in (None, "")] or values

    def choose(draw: Draw) -> JsonValue:
        return _copied(draw.random.choice(values if draw.exploring else told))

    return choose


def _branching(
    makers: list[Maker], first: list[Maker], null: Maker | None, flattest: Maker, nulls: tuple[float, float]
) -> Maker:
    def choose(draw: Draw) -> JsonValue:
        if draw.is_deep:
            return flattest(draw)
        if draw.exploring:
            return draw.random.choice(makers)(draw)
        if null is not None and draw.chance(nulls[0] if draw.for_argument else nulls[1]):
            return null(draw)
        return first[0](draw) if len(first) == 1 else draw.random.choice(first)(draw)

    return choose


def _of_any_type(makers: dict[str, Maker], hint: Hint) -> Maker:
    """Return a maker of values of several types, rather of those that the hint tells."""
    wanted, every = preferred_types(hint), list(makers.values())
    first = [make for kind, make in makers.items() if kind in wanted and kind != "null"] or every
    null = makers.get("null") if "null" in wanted else None
    flattest = next((makers[kind] for kind in _FLAT_TYPES if kind in makers), first[0])
    return _branching(every, first, null, flattest, share_of_null(hint))


def _type_of(node: JsonValue, plan: Plan, depth: int = 0) -> set[str]:
    """The types a branch may have, as far as it says."""
    if not isinstance(node, dict) or depth > 8:
        return set()
    if "$ref" in node:
        return _type_of(plan.resolve(node["$ref"]), plan, depth + 1)
    if "type" in node:
        return set(listed_types(node["type"]))
    if "const" in node or "enum" in node:
        return {json_type(value) for value in node.get("enum", [node.get("const")])}
    found: set[str] = set()
    for keyword in ("anyOf", "oneOf", "allOf"):
        for branch in node.get(keyword, []):
            found |= _type_of(branch, plan, depth + 1)
    return found


_JSON_TYPES = {type(None): "null", bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}


def json_type(value: Any) -> str:
    """Return the JSON Schema type of a value."""
    return _JSON_TYPES.get(type(value), "object")


def _forbidden(node: JsonValue, plan: Plan) -> frozenset[str] | None:
    """The properties an object branch forbids; None where the branch is no object."""
    if isinstance(node, dict) and "$ref" in node:
        node = plan.resolve(node["$ref"])
    if not isinstance(node, dict) or node.get("type", "object") != "object":
        return None
    return frozenset(name for name, part in node.get("properties", {}).items() if admits_nothing(part))
