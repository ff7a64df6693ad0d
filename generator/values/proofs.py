"""Proofs that a node admits nothing, beyond what its canonical form already shows.

Texts are decided by automata, distinct elements by matching, names by counting. A proof that is not found proves
nothing: `is_dead` is then false.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.loops import NOTHING
from generator.values.identity import identity
from generator.values.text_demands import demands_of

_MOST_CHECKS = 400
_LARGEST_DOMAIN = 200
_MANY = 100_000


class Proofs:
    """Decides nodes of one form, each once; after 400 of them it proves no more."""

    def __init__(self, resolve: Callable[[str], JsonValue]) -> None:
        self._resolve = resolve
        self._dead: dict[int, bool] = {}
        self._kept: list[JsonValue] = []

    def is_dead(self, node: JsonValue) -> bool:
        """Say whether it is proven that no value of this node's own type satisfies it."""
        if not isinstance(node, dict) or not isinstance(node.get("type"), str):
            return False
        known = self._dead.get(id(node))
        if known is None:
            if len(self._dead) >= _MOST_CHECKS:
                return False
            # The node is kept, so that its id stays its own.
            self._kept.append(node)
            known = self._dead[id(node)] = self._decide(node)
        return known

    def _decide(self, node: JsonObject) -> bool:
        if "const" in node or "enum" in node:
            return False
        if node["type"] == "string":
            return demands_of(node).are_impossible()
        if node["type"] == "array":
            return bool(node.get("uniqueItems")) and not self._can_differ(node)
        return node["type"] == "object" and self._lacks_names(node)

    def _lacks_names(self, node: JsonObject) -> bool:
        """Say whether fewer names are admitted than properties are asked for."""
        enough = int(min(node.get("minProperties", 0), _MANY))
        names = node.get("propertyNames", {})
        if enough < 1 or not isinstance(names, dict):
            return False
        patterns = node.get("patternProperties", {})
        if node.get("additionalProperties") in (False, NOTHING):
            open_ones = [demands_of({"allOf": [names, {"pattern": pattern}]}) for pattern in patterns]
            return len(node.get("properties", {})) + sum(demands.count(enough) for demands in open_ones) < enough
        refused = [{"not": {"pattern": pattern}} for pattern, part in patterns.items() if part in (False, NOTHING)]
        return demands_of({"allOf": [names, *refused]}).count(enough) < enough

    def _can_differ(self, node: JsonObject) -> bool:
        """Say whether each needed position can have a value of its own."""
        least, first = int(node.get("minItems", 0)), node.get("prefixItems", [])
        positions = [self._domain(part) for part in first[:least]]
        if least > len(first):
            rest = node.get("items", {})
            few = self._count(rest)
            if few is not None and few < least - len(first):
                return False
            positions += [self._domain(rest)] * min(least - len(first), _LARGEST_DOMAIN)
        return _can_be_matched([domain for domain in positions if domain is not None])

    def _count(self, node: JsonValue) -> int | None:
        if isinstance(node, dict) and node.get("type") == "string" and ("pattern" in node or "format" in node):
            count = demands_of(node).count(_MANY)
            return count if count < _MANY else None
        return None

    def _domain(self, node: JsonValue) -> Sequence[bytes] | None:
        """Return all that a node may admit, where that is little."""
        hops = 0
        while isinstance(node, dict) and node.keys() == {"$ref"} and hops < _LARGEST_DOMAIN:
            node, hops = self._resolve(node["$ref"]), hops + 1
        if not isinstance(node, dict):
            return None
        if "const" in node:
            return [identity(node["const"])]
        if "enum" in node:
            return [identity(value) for value in node["enum"]][:_LARGEST_DOMAIN] if _is_few(node["enum"]) else None
        if node.get("type") in ("boolean", "null"):
            return [b"true", b"false"] if node["type"] == "boolean" else [b"null"]
        low, high = node.get("minimum"), node.get("maximum")
        if node.get("type") == "integer" and low is not None and high is not None and high - low < _LARGEST_DOMAIN:
            return [identity(number) for number in range(int(low), int(high) + 1)]
        return None


def _is_few(values: Sequence[JsonValue]) -> bool:
    return len(values) <= _LARGEST_DOMAIN


def _can_be_matched(domains: list[Sequence[bytes]]) -> bool:
    """Say whether each domain can give a value that no other gives (Kuhn's algorithm)."""
    owner: dict[bytes, int] = {}

    def claim(at: int, seen: set[bytes]) -> bool:
        for value in domains[at]:
            if value not in seen:
                seen.add(value)
                if value not in owner or claim(owner[value], seen):
                    owner[value] = at
                    return True
        return False

    return all(claim(at, set()) for at in range(len(domains)))
