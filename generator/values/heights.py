"""Heights: how many references lie between a node and a finite value, so that recursion finds its way down."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.jsontext import JsonValue

INFINITE = 1_000_000
"""The height of a node no finite value satisfies."""

_MOST_PASSES = 60


class Heights:
    """The heights of every reference of a schema: the least solution, found by repeating until nothing changes."""

    def __init__(self, form: JsonValue, resolve: Callable[[str], JsonValue]) -> None:
        targets = {reference: resolve(reference) for reference in dict.fromkeys(_references(form))}
        self._of_reference = dict.fromkeys(targets, INFINITE)
        order = list(targets)
        for turn in range(_MOST_PASSES):
            changed = False
            for reference in order if turn % 2 else reversed(order):
                height = min(INFINITE, 1 + self.of(targets[reference]))
                changed |= height != self._of_reference[reference]
                self._of_reference[reference] = height
            if not changed:
                return

    def of(self, node: JsonValue) -> int:
        """Return the height of a node."""
        if not isinstance(node, dict):
            return INFINITE if node is False else 0
        parts = [self._of_reference.get(node["$ref"], 0)] if "$ref" in node else []
        choices = [node[keyword] for keyword in ("anyOf", "oneOf") if keyword in node]
        parts += [min((self.of(branch) for branch in branches), default=INFINITE) for branches in choices]
        properties = node.get("properties", {})
        parts += [self.of(properties[name]) for name in node.get("required", ()) if name in properties]
        least = node.get("minItems", 0)
        first = node.get("prefixItems", [])
        parts += [self.of(part) for part in first[: int(least)]]
        if least > len(first) and "items" in node:
            parts.append(self.of(node["items"]))
        parts += [self.of(part) for part in node.get("allOf", [])]
        return max(parts, default=0)


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
