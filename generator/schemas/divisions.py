"""Where a schema divides by fractions: a look that is cheap and sure, before `jsonschema` is asked for its own."""

from __future__ import annotations

from dataclasses import dataclass

from generator.jsontext import JsonObject, JsonValue

_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Divisions:
    """The divisors of one place of a value, and of the places inside it."""

    divisor: float | None
    members: tuple[tuple[str, Divisions], ...]
    entries: Divisions | None

    def hold_in(self, value: JsonValue) -> bool:
        """Say whether every number is a multiple where one is wanted, as `jsonschema` calculates; False when in doubt.

        What overflows is in doubt.
        """
        if isinstance(value, dict):
            return all(inner.hold_in(value[name]) for name, inner in self.members if name in value)
        if isinstance(value, list):
            return self.entries is None or all(map(self.entries.hold_in, value))
        if self.divisor is None or not isinstance(value, int | float) or isinstance(value, bool):
            return True
        return _is_multiple(value, self.divisor)


def _is_multiple(value: float, divisor: float) -> bool:
    if isinstance(divisor, int):
        return not value % divisor
    try:
        quotient = value / divisor
        return int(quotient) == quotient
    except OverflowError:
        return False


def divisions_of(schema: JsonValue) -> Divisions | None:
    """Return where a schema divides; None where it does so behind other keywords than `properties` and `items`."""
    return _read(schema, 0) if isinstance(schema, dict) else None


def _read(schema: JsonObject, depth: int) -> Divisions | None:
    properties, items = schema.get("properties", {}), schema.get("items", {})
    others = [part for keyword, part in schema.items() if keyword not in ("properties", "items", "multipleOf")]
    if depth > _DEEPEST or "prefixItems" in schema or not isinstance(properties, dict) or divides(others):
        return None
    members = [(name, _read(part, depth + 1)) for name, part in properties.items() if divides(part)]
    sure = tuple((name, inner) for name, inner in members if inner is not None)
    entries = _read(items, depth + 1) if divides(items) else None
    if len(sure) < len(members) or (entries is None and divides(items)):
        return None
    return Divisions(schema.get("multipleOf"), sure, entries)


def divides(schema: JsonValue, *, by_fractions: bool = False) -> bool:
    """Say whether there is any `multipleOf` inside; a property of that name counts too, which only costs time."""
    waiting = [schema]
    for node in waiting:
        if isinstance(node, dict):
            divisor = node.get("multipleOf")
            if divisor is not None and not (by_fractions and _is_whole(divisor)):
                return True
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
    return False


def _is_whole(divisor: JsonValue) -> bool:
    return not isinstance(divisor, float) or divisor.is_integer()
