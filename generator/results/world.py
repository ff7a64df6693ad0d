"""The small world of one record: the same id has the same name in every result."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue

DEPTH_LIMIT = 5
_LASTING = frozenset("name title email phone address city country full_name artist author description".split())


class World:
    """What the results of one record have told so far about the things they name."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, str], JsonObject] = {}

    def learn(self, value: JsonValue) -> None:
        """Remember what a result tells about each thing that has an id."""
        for thing in _objects(value, 0):
            lasting = {name: inner for name, inner in thing.items() if name in _LASTING}
            for key in _keys(thing):
                self._told.setdefault(key, {}).update(lasting)

    def recall(self, value: JsonValue) -> JsonValue:
        """Return the result with what is already known about the things it names."""
        if not self._told:
            return value
        return self._recall(value, 0)

    def _recall(self, value: JsonValue, depth: int) -> JsonValue:
        if depth > DEPTH_LIMIT:
            return value
        if isinstance(value, list):
            return [self._recall(inner, depth + 1) for inner in value]
        if not isinstance(value, dict):
            return value
        known: JsonObject = {}
        for key in _keys(value):
            known.update(self._told.get(key, {}))
        return {name: known.get(name, self._recall(inner, depth + 1)) for name, inner in value.items()}


def _objects(value: JsonValue, depth: int) -> Iterator[JsonObject]:
    if depth > DEPTH_LIMIT:
        return
    if isinstance(value, list):
        for inner in value:
            yield from _objects(inner, depth + 1)
    elif isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from _objects(inner, depth + 1)


def _keys(thing: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the ids of a thing; only scalars that name it."""
    for name, value in thing.items():
        if (name == "id" or name.endswith(("_id", "Id"))) and isinstance(value, str | int):
            yield name, str(value)
