"""References inside one schema: where they lead, which schemas look at the same value, and which lead back for ever."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import Any
from urllib.parse import unquote

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import Note, shown, walk

_MISSING = object()


class Targets:
    """What the references inside one schema point to."""

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._circles: dict[str, bool] = {}
        """By reference: whether following it, and it alone, never ends."""

    def find(self, reference: str) -> JsonValue | object:
        """Return what a reference points to, or `_MISSING`."""
        if not reference.startswith("#"):
            return _MISSING
        fragment = unquote(reference[1:])
        if fragment and not fragment.startswith("/"):
            return self._anchors.get(fragment, _MISSING)
        return _follow(self._root, fragment)

    def of(self, reference: str) -> JsonValue | None:
        """Return what a reference points to, or None where it points nowhere."""
        found = self.find(reference)
        return None if found is _MISSING else found

    @cached_property
    def _anchors(self) -> JsonObject:
        found: JsonObject = {}
        for node, _ in walk(self._root):
            for name in (node.get("$anchor"), node.get("$dynamicAnchor")):
                if isinstance(name, str):
                    found.setdefault(name, node)
        return found

    def is_circle(self, reference: str) -> bool:
        """Say whether following the reference, and it alone, never ends."""
        known = self._circles
        way: dict[str, None] = {}
        while reference not in known and reference not in way:
            way[reference] = None
            target = self.of(reference)
            following = target.get("$ref") if isinstance(target, dict) else None
            if not isinstance(following, str):
                known[reference] = False
            else:
                reference = following
        known.update(dict.fromkeys(way, known.get(reference, True)))
        return known[reference]


def target_of(root: JsonObject, reference: str) -> JsonValue | None:
    """Return what a reference inside the schema points to, or None where it points nowhere."""
    return Targets(root).of(reference)


def _follow(root: JsonValue, fragment: str, nowhere: Any = _MISSING) -> Any:  # what is found, or `nowhere`
    """Follow a JSON pointer."""
    node = root
    for part in fragment.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and key in node:
            node = node[key]
        elif isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        else:
            return nowhere
    return node


def resolve_references(root: JsonObject, moved: dict[str, str], notes: list[Note]) -> None:
    """Point every reference to where its target went, in place, and note those that point nowhere.

    Args:
        root: the schema as read.
        moved: for each part that changed its place, its JSON pointer before and after.
        notes: where findings go.
    """
    nodes = list(walk(root))
    if any(isinstance(node.get("$id"), str) for node, _ in nodes):
        # An `$id` changes what references are relative to: the validator resolves those when it is compiled.
        return
    referring = [(node, path) for node, path in nodes if isinstance(node.get("$ref"), str)]
    for node, _ in referring:
        if node["$ref"].startswith("#"):
            node["$ref"] = _moved(node["$ref"], moved)
    targets = Targets(root)
    for node, path in referring:
        if (wrong := _wrong_with(node["$ref"], targets)) is not None:
            notes.append(Note(f"{pointer(path)}/$ref", "error", *wrong))


def _wrong_with(reference: str, targets: Targets) -> tuple[str, str] | None:
    """Return why a reference leads to no schema, and what to do about it; None where it leads to one."""
    if targets.find(reference) is _MISSING:
        is_inside = reference.startswith("#")
        remedy = "define it, or write it out" if is_inside else "put the definition under `$defs` of this schema"
        return f"the reference {shown(reference)} points to nothing in this schema", remedy
    if targets.is_circle(reference):
        return f"the reference {shown(reference)} only leads back to itself", "write the schema out"
    return None


def _moved(reference: str, moved: dict[str, str]) -> str:
    fragment = unquote(reference[1:])
    return "#" + moved[fragment] if fragment in moved else reference


_NOWHERE: dict[str, Any] = {}
"""What a reference to nowhere finds; one object, since schemas are told apart by identity."""
_SAME_VALUE_LISTS = ("allOf", "anyOf", "oneOf")
_SAME_VALUE_SINGLE = ("not", "if", "then", "else")
_REFERENCES = ("$ref", "$dynamicRef")
_PART_SINGLE = ("items", "additionalProperties", "contains", "propertyNames", "unevaluatedItems",
                "unevaluatedProperties", "additionalItems")  # fmt: skip


class Branches:
    """The schemas of one document as a graph."""

    def __init__(self, root: JsonValue) -> None:
        self._root = root
        self._anchors = dict(_anchors(root))

    @property
    def is_one_resource(self) -> bool:
        """Whether no part of the document has a URI of its own, so that `#` always means the document."""
        return all(name.startswith("#") or node is self._root for name, node in self._anchors.items())

    def same_value(self, schema: JsonObject) -> Iterator[JsonValue]:
        """Yield the schemas that look at the same value."""
        for keyword in _SAME_VALUE_LISTS:
            yield from _listed(schema.get(keyword))
        for keyword in _SAME_VALUE_SINGLE:
            yield schema.get(keyword)
        yield from _mapped(schema.get("dependentSchemas"))
        for keyword in _REFERENCES:
            if isinstance(schema.get(keyword), str):
                yield self.target(schema[keyword])

    def refers(self, schema: JsonValue) -> bool:
        """Say whether a reference leads from a schema to another that looks at the same value."""
        if not isinstance(schema, dict):
            return False
        return any(word in schema for word in _REFERENCES) or any(map(self.refers, self.same_value(schema)))

    def parts(self, schema: JsonObject) -> Iterator[list[JsonValue]]:
        """Yield groups of schemas that look at parts of the value: any part meets one of each group at most."""
        yield _mapped(schema.get("properties"))
        yield _listed(schema.get("prefixItems"))
        for pattern_schema in _mapped(schema.get("patternProperties")):
            yield [pattern_schema]
        for keyword in _PART_SINGLE:
            if isinstance(schema.get(keyword), dict):
                yield [schema[keyword]]

    def target(self, reference: str) -> JsonValue:
        """Follow a reference; one that is not understood is taken for the document, the most it can be."""
        place, _, fragment = reference.partition("#")
        base = self._anchors.get(place, self._root) if place else self._root
        if fragment.startswith("/"):
            return _follow(base, fragment, _NOWHERE)
        return self._anchors.get(f"#{fragment}", base) if fragment else base


def _anchors(root: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """Yield every schema that has a name of its own: an anchor with its `#`, or an id."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            for keyword, prefix in (("$anchor", "#"), ("$dynamicAnchor", "#"), ("$id", "")):
                if isinstance(node.get(keyword), str):
                    yield prefix + node[keyword], node
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _mapped(value: JsonValue) -> list[JsonValue]:
    return list(value.values()) if isinstance(value, dict) else []


NOTHING: JsonObject = {"not": {}}


def without_loops(schema: JsonValue) -> JsonValue:
    """Return the schema with each reference that leads back to where it stands, over the same value, as nothing.

    A value is accepted when looking at it ends somewhere; by such a reference it never does, so that it accepts
    no value. The schema itself is returned where it holds none.
    """
    if not isinstance(schema, dict):
        return schema
    branches = Branches(schema)
    looping = _looping(schema, branches) if branches.is_one_resource else set()
    return _replaced(schema, looping) if looping else schema


def _looping(root: JsonObject, branches: Branches) -> set[int]:
    """Return the ids of the schemas whose reference closes a circle."""
    found: set[int] = set()
    is_open: dict[int, bool] = {}
    starts: list[JsonValue] = [root]
    while starts:
        start = starts.pop()
        waiting = [start] if isinstance(start, dict) and id(start) not in is_open else []
        while waiting:
            node = waiting[-1]
            if id(node) in is_open:
                waiting.pop()
                is_open[id(node)] = False
                continue
            is_open[id(node)] = True
            following = _following(node, branches)
            if any(is_open.get(id(part), False) for part in following):
                found.add(id(node))
            waiting.extend(part for part in following if id(part) not in is_open)
            starts.extend(chain.from_iterable(branches.parts(node)))
    return found


def _following(node: JsonObject, branches: Branches) -> list[JsonObject]:
    """Return the schemas that look at the same value next."""
    return [part for part in branches.same_value(_with_inner_references(node)) if isinstance(part, dict)]


def _with_inner_references(node: JsonObject) -> JsonObject:
    """Leave out references whose target is not known here: another document, or decided while validating."""
    reference = node.get("$ref")
    hidden = {"$dynamicRef"} if isinstance(reference, str) and reference.startswith("#") else {"$ref", "$dynamicRef"}
    return {key: part for key, part in node.items() if key not in hidden}


def _replaced(node: JsonValue, looping: set[int]) -> JsonValue:
    if isinstance(node, list):
        return [_replaced(part, looping) for part in node]
    if not isinstance(node, dict):
        return node
    if id(node) in looping and "$ref" in node:
        kept = {key: part for key, part in node.items() if key != "$ref"}
        node = {**kept, "allOf": [*kept.get("allOf", []), NOTHING]}
    return {key: _replaced(part, looping) for key, part in node.items()}
