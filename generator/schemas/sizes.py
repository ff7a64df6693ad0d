"""Sizes: how many parts every value of a schema has at least, so that hopeless schemas are refused at once."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.references import Targets

MOST_PARTS = 10_000
"""More parts than a value in a training record may need."""

_CHARACTERS_PER_PART = 16
_DEEPEST = 80
"""References followed one inside the other; what lies deeper counts as nothing."""
_ENOUGH = 10**18
"""Where counting ends: figures above it say no more."""


def least_size(schema: JsonValue) -> int:
    """Return a lower bound of the parts (members, elements, stretches of text) that each value has.

    `schema` is a bounded, valid JSON Schema 2020-12; a reference inside itself counts as nothing.
    """
    return _Sizes(schema).of(schema)


class _Sizes:
    def __init__(self, root: JsonValue) -> None:
        self._targets = Targets(root)
        self._of_reference: dict[str, int] = {}
        self._open = 0
        """References that are being followed."""

    def of(self, node: JsonValue) -> int:
        """Return the least size of a node's values."""
        if not isinstance(node, dict):
            return 1
        bounds = [1, self._referred(node), _by_type(node, self)]
        bounds += [min(map(self.of, node[choice])) for choice in ("anyOf", "oneOf") if node.get(choice)]
        bounds += map(self.of, node.get("allOf", ()))
        return min(max(bounds), _ENOUGH)

    def _referred(self, node: JsonObject) -> int:
        reference = node.get("$ref")
        if not isinstance(reference, str):
            return 1
        if reference not in self._of_reference:
            self._of_reference[reference] = 0
            self._open += 1
            if self._open < _DEEPEST:
                self._of_reference[reference] = self.of(self._targets.of(reference))
            self._open -= 1
        return self._of_reference[reference]


def _by_type(node: JsonObject, sizes: _Sizes) -> int:
    kind = node.get("type")
    if "const" in node or "enum" in node:
        return 1
    if kind == "object":
        return _object_size(node, sizes)
    if kind == "array":
        return _array_size(node, sizes)
    return int(node.get("minLength", 0)) // _CHARACTERS_PER_PART if kind == "string" else 1


def _object_size(node: JsonObject, sizes: _Sizes) -> int:
    properties = node.get("properties", {})
    required = sum(sizes.of(properties.get(name)) for name in node.get("required", ()))
    return 1 + max(required, int(node.get("minProperties", 0)))


def _array_size(node: JsonObject, sizes: _Sizes) -> int:
    least, first = int(node.get("minItems", 0)), node.get("prefixItems", [])
    rest = max(0, least - len(first))
    return 1 + sum(map(sizes.of, first[:least])) + (rest * sizes.of(node.get("items")) if rest else 0)
