"""Every value of a schema that has few: where luck fails, all of them are tried, and none found is a proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.loops import NOTHING
from generator.values.identity import identity

MOST_VALUES = 2_000
"""More values than are worth trying one by one."""

_DEEPEST = 12
_LONGEST_LIST = 12


class TooMany(Exception):
    """The node admits more values than can be listed."""


def every_value(
    form: JsonValue, resolve: Callable[[str], JsonValue], most: int = MOST_VALUES
) -> list[JsonValue] | None:
    """Return values among which are all that the form admits; None where those are too many."""
    if isinstance(form, dict) and "enum" in form:
        values: list[JsonValue] = form["enum"]
        return values
    try:
        return _Listing(resolve, most).of(form, 0)
    except TooMany:
        return None


class _Listing:
    def __init__(self, resolve: Callable[[str], JsonValue], most: int) -> None:
        self._resolve = resolve
        self._most = most

    def of(self, node: JsonValue, depth: int) -> list[JsonValue]:
        """List the values of one node."""
        if node is False or node == NOTHING:
            return []
        if not isinstance(node, dict) or depth > _DEEPEST:
            raise TooMany
        if "const" in node or "enum" in node:
            return [node["const"]] if "const" in node else self._kept(node["enum"])
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                return self._kept(value for part in node[keyword] for value in self.of(part, depth + 1))
        if "$ref" in node:
            return self.of(self._resolve(node["$ref"]), depth + 1)
        kinds = node.get("type")
        if kinds is None:
            return self._of_conjuncts(node, depth)
        return self._kept(value for kind in ([kinds] if isinstance(kinds, str) else kinds)
                          for value in self._of_kind(kind, node, depth))  # fmt: skip

    def _of_conjuncts(self, node: JsonObject, depth: int) -> list[JsonValue]:
        """List the values of whichever conjunct has few: the whole has no others."""
        for part in node.get("allOf", ()):
            try:
                return self.of(part, depth + 1)
            except TooMany:
                continue
        raise TooMany

    def _of_kind(self, kind: str, node: JsonObject, depth: int) -> Iterable[JsonValue]:
        if kind == "null":
            return [None]
        if kind == "boolean":
            return [False, True]
        if kind == "integer":
            return self._integers(node)
        if kind == "array":
            return self._arrays(node, depth)
        if kind == "object":
            return self._objects(node, depth)
        raise TooMany

    def _integers(self, node: JsonObject) -> Iterable[JsonValue]:
        low, high = node.get("minimum"), node.get("maximum")
        if low is None or high is None or high - low > self._most:
            raise TooMany
        step = node.get("multipleOf", 1)
        return [number for number in range(int(low), int(high) + 1) if not isinstance(step, int) or number % step == 0]

    def _arrays(self, node: JsonObject, depth: int) -> Iterator[JsonValue]:
        first, rest = node.get("prefixItems", []), node.get("items", {})
        most = node.get("maxItems", len(first) if rest is False or rest == NOTHING else None)
        if most is None or most > _LONGEST_LIST:
            raise TooMany
        for length in range(int(node.get("minItems", 0)), int(most) + 1):
            nodes = [*first[:length], *[rest] * (length - len(first))]
            for values in self._products([self.of(part, depth + 1) for part in nodes]):
                yield list(values)

    def _objects(self, node: JsonObject, depth: int) -> Iterator[JsonValue]:
        if node.get("additionalProperties") not in (False, NOTHING) or node.get("patternProperties"):
            raise TooMany
        properties, required = node.get("properties", {}), set(node.get("required", ()))
        if required - properties.keys():
            return
        absent: list[JsonValue] = [_ABSENT]
        choices = [self.of(part, depth + 1) + ([] if name in required else absent) for name, part in properties.items()]
        for values in self._products(choices):
            yield {name: value for name, value in zip(properties, values, strict=True) if value is not _ABSENT}

    def _products(self, choices: list[list[JsonValue]]) -> Iterator[tuple[JsonValue, ...]]:
        size = 1
        for choice in choices:
            size *= len(choice)
            if size > self._most:
                raise TooMany
        return product(*choices)

    def _kept(self, values: Iterable[JsonValue]) -> list[JsonValue]:
        found: dict[bytes, JsonValue] = {}
        for value in values:
            found.setdefault(identity(value), value)
            if len(found) > self._most:
                raise TooMany
        return list(found.values())


_ABSENT = object()
