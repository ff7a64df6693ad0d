"""How much work references can make: a small schema may ask for the same look at a value 2^40 times.

A validator follows every branch. Branches that refer to schemas with branches multiply, level by level of the
schema or of the value; such a schema is refused, or bounded to values of a depth at which the work stays small.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.jsontext import JsonValue

LARGEST_WORK = 1_000_000
"""How many schemas may be looked at for one path into a value: some tens of milliseconds."""

DEEPEST_VALUE = 1024
"""The deepest nesting any JSON reader in use here delivers."""

_NOTHING: dict[str, Any] = {}
"""What a reference to nowhere finds; one object, since schemas are told apart by identity."""
_SAME_VALUE_LISTS = ("allOf", "anyOf", "oneOf")
_SAME_VALUE_SINGLE = ("not", "if", "then", "else")
_REFERENCES = ("$ref", "$dynamicRef")
_PART_SINGLE = ("items", "additionalProperties", "contains", "propertyNames", "unevaluatedItems",
                "unevaluatedProperties", "additionalItems")  # fmt: skip


def refers(text: bytes) -> bool:
    """Say whether the JSON text of a schema could hold a reference; without one the work is no more than its size."""
    return b"$ref" in text or b"$dynamicRef" in text


def deepest_value(schema: JsonValue) -> int:
    """Return how deep a value may nest before the work over it grows beyond `LARGEST_WORK`.

    -1: even a value without parts takes too much. `DEEPEST_VALUE` where there is no bound.
    """
    if not isinstance(schema, dict):
        return DEEPEST_VALUE
    try:
        works = _Works(schema)
        before = works.next()
        growth: dict[int, int] = {}
        for depth in range(DEEPEST_VALUE + 1):
            if before[id(schema)] > LARGEST_WORK:
                return depth - 1
            work = works.next()
            last, growth = growth, {key: work[key] - before[key] for key in work}
            if growth == last:  # it stopped growing, or grows by the same at every level from here on
                return depth + _levels_left(before[id(schema)], growth[id(schema)])
            before = work
    except RecursionError:
        return -1
    return DEEPEST_VALUE


def _levels_left(work: int, growth: int) -> int:
    return min(DEEPEST_VALUE, (LARGEST_WORK - work) // growth) if growth else DEEPEST_VALUE


class _Works:
    """The work over a value by each schema of a document, for values of growing depth.

    Counted are the looks at one value and at one path into it: the parts of a value are looked at one by one
    anyway, and so only the schemas that meet the same part multiply.
    """

    def __init__(self, root: JsonValue) -> None:
        self._root = root
        self._anchors = dict(_anchors(root))
        self._schemas = list(self._reachable())
        self._below: dict[int, int] = {}
        self._here: dict[int, int] = {}

    def _reachable(self) -> Iterator[dict[str, Any]]:
        waiting, seen = [self._root], set()
        while waiting:
            schema = waiting.pop()
            if isinstance(schema, dict) and id(schema) not in seen:
                seen.add(id(schema))
                yield schema
                waiting.extend(self._same_value(schema))
                waiting.extend(part for group in self._parts(schema) for part in group)

    def next(self) -> dict[int, int]:
        """Return the work of each schema, by its id, over values one level deeper than before; first without parts."""
        self._below, self._here = self._here, {}
        for schema in self._schemas:
            self._work(schema)
        return self._here

    def _work(self, schema: JsonValue) -> int:
        if not isinstance(schema, dict):
            return 1
        known = self._here.get(id(schema))
        if known is not None:
            return known
        self._here[id(schema)] = 1  # what a reference back to this same value costs
        work = 1 + sum(self._work(branch) for branch in self._same_value(schema))
        if self._below:
            work += sum(
                max((self._below.get(id(part), 1) for part in group), default=0) for group in self._parts(schema)
            )
        self._here[id(schema)] = min(work, LARGEST_WORK + 1)
        return self._here[id(schema)]

    def _same_value(self, schema: dict[str, Any]) -> Iterator[JsonValue]:
        """Yield the schemas that look at the same value."""
        for keyword in _SAME_VALUE_LISTS:
            yield from _listed(schema.get(keyword))
        for keyword in _SAME_VALUE_SINGLE:
            yield schema.get(keyword)
        yield from _mapped(schema.get("dependentSchemas"))
        for keyword in _REFERENCES:
            if isinstance(schema.get(keyword), str):
                yield self._target(schema[keyword])

    def _parts(self, schema: dict[str, Any]) -> Iterator[list[JsonValue]]:
        """Yield groups of schemas that look at parts of the value: any part meets one of each group at most."""
        yield _mapped(schema.get("properties"))
        yield _listed(schema.get("prefixItems"))
        for pattern_schema in _mapped(schema.get("patternProperties")):
            yield [pattern_schema]
        for keyword in _PART_SINGLE:
            if isinstance(schema.get(keyword), dict):
                yield [schema[keyword]]

    def _target(self, reference: str) -> JsonValue:
        """Follow a reference; one that is not understood is taken for the document, the most it can be."""
        place, _, fragment = reference.partition("#")
        base = self._anchors.get(place, self._root) if place else self._root
        if fragment.startswith("/"):
            return _follow(base, fragment)
        return self._anchors.get(f"#{fragment}", base) if fragment else base


def _follow(node: JsonValue, fragment: str) -> JsonValue:
    for part in fragment.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        elif isinstance(node, dict) and key in node:
            node = node[key]
        else:
            return _NOTHING
    return node


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


def depth_of(value: JsonValue, limit: int) -> int:
    """Return how deep a value nests; anything beyond the limit is told as one more than it."""
    level, depth = [value], 0
    while depth <= limit:
        level = [child for node in level for child in (*_mapped(node), *_listed(node))]
        if not level:
            break
        depth += 1
    return depth
