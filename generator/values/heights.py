"""Heights: how many references lie between a node and a finite value, so that recursion finds its way down."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.loops import NOTHING

INFINITE = 1_000_000
"""The height of a node no finite value satisfies."""

_NEEDING = frozenset("$ref anyOf oneOf allOf required minProperties minItems contains".split())
"""Keywords by which a value cannot do without others."""
_LEAST_PASSES = 4
_MOST_WORK = 100_000


class Heights:
    """The heights of every reference of a schema: the least solution, found by repeating until nothing changes.

    A form without references needs no `resolve`.
    """

    def __init__(
        self,
        form: JsonValue,
        resolve: Callable[[str], JsonValue] | None = None,
        is_dead: Callable[[JsonValue], bool] | None = None,
    ) -> None:
        self._is_dead = is_dead
        self._of_reference: dict[str, int] = {}
        if resolve is not None:
            self._solve({reference: resolve(reference) for reference in dict.fromkeys(_references(form))})

    def _solve(self, targets: dict[str, JsonValue]) -> None:
        self._of_reference = dict.fromkeys(targets, INFINITE)
        order = list(targets)
        for turn in range(max(_LEAST_PASSES, _MOST_WORK // max(1, len(order)))):
            changed = False
            for reference in order if turn % 2 else reversed(order):
                height = min(INFINITE, 1 + self.of(targets[reference]))
                changed |= height != self._of_reference[reference]
                self._of_reference[reference] = height
            if not changed:
                return
        self._of_reference = {key: min(height, INFINITE - 1) for key, height in self._of_reference.items()}

    def of(self, node: JsonValue) -> int:
        """Return the height of a node; `INFINITE` is a proof."""
        if not isinstance(node, dict):
            return INFINITE if node is False else 0
        if node == NOTHING or (self._is_dead is not None and self._is_dead(node)):
            return INFINITE
        if _NEEDING.isdisjoint(node):
            return 0
        parts = [self._of_reference.get(node["$ref"], 0)] if "$ref" in node else []
        choices = [node[keyword] for keyword in ("anyOf", "oneOf") if keyword in node]
        parts += [min((self.of(branch) for branch in branches), default=INFINITE) for branches in choices]
        parts += [self.of(part) for part in node.get("allOf", [])]
        if node.get("type") == "object":
            parts += self._of_object(node)
        elif node.get("type") == "array":
            parts += self._of_array(node)
        return max(parts, default=0)

    def _of_object(self, node: JsonObject) -> Iterator[int]:
        """Yield the heights of what an object cannot do without."""
        properties = node.get("properties", {})
        others = {} if "patternProperties" in node else node.get("additionalProperties", {})
        for name in node.get("required", ()):
            yield self.of(properties.get(name, others))
        if self._lacks_properties(node, properties):
            yield INFINITE

    def _of_array(self, node: JsonObject) -> Iterator[int]:
        least = node.get("minItems", 0)
        first = node.get("prefixItems", [])
        for part in first[: int(least)]:
            yield self.of(part)
        if least > len(first) and "items" in node:
            yield self.of(node["items"])
        if "contains" in node and node.get("minContains", 1) > 0:
            yield self.of(node["contains"])

    def _lacks_properties(self, node: JsonObject, properties: JsonObject) -> bool:
        """Say whether a closed object asks for more properties than can be given."""
        least = int(node.get("minProperties", 0))
        if not least or node.get("additionalProperties") not in (False, NOTHING) or "patternProperties" in node:
            return False
        return least > sum(self.of(part) < INFINITE for part in properties.values())


def _references(form: JsonValue) -> Iterator[str]:
    pending = [form]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                yield node["$ref"]
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)
