"""Where a schema divides by fractions: what `jsonschema` would refuse there, found without asking it."""

from __future__ import annotations

from dataclasses import dataclass

from generator.jsontext import JsonObject, JsonValue

_DEEPEST = 40
_PLAIN = frozenset(
    """type title description examples default deprecated properties required items enum const format
    additionalProperties minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems
    minLength maxLength""".split()
)
"""Keywords under which every number has one place, and a divisor speaks of that place alone."""


@dataclass(frozen=True, slots=True)
class Divisions:
    """The divisor of one place of a value, and those of the places inside it."""

    divisor: int | float | None
    members: tuple[tuple[str, Divisions], ...]
    entries: Divisions | None

    def hold_in(self, value: JsonValue) -> bool:
        """Say whether every number is a multiple where one is wanted, as `jsonschema` calculates.

        Raises:
            OverflowError: a quotient is too large for a float.
        """
        if isinstance(value, dict):
            return all(inner.hold_in(value[name]) for name, inner in self.members if name in value)
        if isinstance(value, list):
            return self.entries is None or all(map(self.entries.hold_in, value))
        if self.divisor is None or not isinstance(value, int | float) or isinstance(value, bool):
            return True
        return _is_multiple(value, self.divisor)


def _is_multiple(value: int | float, divisor: int | float) -> bool:
    if isinstance(divisor, float):
        quotient = value / divisor
        return int(quotient) == quotient
    return not value % divisor


def divisions_of(schema: JsonValue) -> Divisions | None:
    """Return where a schema divides; None where other keywords than the plainest could have a say in it."""
    return _read(schema, 0) if isinstance(schema, dict) else None


def _read(schema: JsonObject, depth: int) -> Divisions | None:
    if depth > _DEEPEST or not _PLAIN.issuperset(schema) or isinstance(schema.get("additionalProperties"), dict):
        return None
    inner = {name: part for name, part in schema.get("properties", {}).items() if part is not True}
    read = {name: _read(part, depth + 1) if isinstance(part, dict) else None for name, part in inner.items()}
    members = tuple((name, part) for name, part in read.items() if part is not None)
    items = schema.get("items")
    entries = _read(items, depth + 1) if isinstance(items, dict) else None
    if len(members) < len(inner) or (items is not None and entries is None):
        return None
    divided = tuple((name, part) for name, part in members if part != _NOTHING)
    return Divisions(schema.get("multipleOf"), divided, None if entries == _NOTHING else entries)


_NOTHING = Divisions(None, (), None)


def divides_by_fractions(schema: JsonValue) -> bool:
    """Say whether any `multipleOf` inside is a fraction; a property of that name counts too, which only costs time."""
    waiting = [schema]
    for node in waiting:
        if isinstance(node, dict):
            divisor = node.get("multipleOf")
            if isinstance(divisor, float) and not divisor.is_integer():
                return True
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
    return False
