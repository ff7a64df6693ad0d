"""Cases: one way through the alternatives of a schema whose ways are too many to unfold.

A case keeps one branch of each `anyOf` and `oneOf`, one side of each `if`, and what follows from the required
properties. Its values are some of the schema's, so that each is checked against the schema itself.
"""

from __future__ import annotations

from random import Random

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.canonical import canonical_form
from generator.streams import stream
from generator.values.hints import resolve_pointer

_TRIES = 40
_LEAST_TRIES = 2
_MOST_PARTS = 20_000
"""Parts of schemas that are looked at, all tries together."""
_WANTED = 3
_MOST_CONJUNCTS = 2_000
_CHOICES = ("anyOf", "oneOf")
_TAKEN = frozenset(
    "allOf anyOf oneOf required dependentRequired dependentSchemas if then else $defs definitions".split()
)
_MOST_DENIED = 8
_LARGEST_DENIED = 60


def cases_of(root: JsonValue, schema: JsonValue) -> JsonValue | None:
    """Return the union of a few cases of a schema in canonical form; None where none was found, or there is one only.

    `root` is the document whose definitions the references of the schema mean.
    """
    if not isinstance(schema, dict):
        return None
    random = stream(0, "cases")
    found: list[JsonValue] = []
    for _ in range(max(_LEAST_TRIES, min(_TRIES, _MOST_PARTS // size_of(schema)))):
        form = canonical_form(_Case(root, random).of(schema))
        if isinstance(form, dict) and form not in found:
            found.append({key: part for key, part in form.items() if key != "$schema"})
        if len(found) == _WANTED:
            break
    return _together(found) if found else None


def size_of(node: JsonValue) -> int:
    """Return how many parts a schema has."""
    count, waiting = 0, [node]
    while waiting:
        part = waiting.pop()
        count += 1
        if isinstance(part, dict):
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return count


def _together(found: list[JsonValue]) -> JsonValue:
    if len(found) == 1:
        return found[0]
    definitions: JsonObject = {}
    for form in found:
        definitions |= form.get("$defs", {})
    branches = [{key: part for key, part in form.items() if key != "$defs"} for form in found]
    return {"anyOf": branches, **({"$defs": definitions} if definitions else {})}


class _Case:
    def __init__(self, root: JsonValue, random: Random) -> None:
        self._root = root
        self._random = random
        self._conjuncts: list[JsonObject] = []
        self._required: set[str] = set()
        self._waiting: list[tuple[str, JsonValue]] = []
        """What holds for the values that have a property."""

    def of(self, schema: JsonObject) -> JsonObject:
        """Return one case: the schema's conjuncts without alternatives."""
        self._add(schema)
        while due := [part for name, part in self._waiting if name in self._required]:
            self._waiting = [entry for entry in self._waiting if entry[0] not in self._required]
            for part in due:
                self._add(part)
        absent = {name: False for name, _ in self._waiting}
        whole = [*self._conjuncts, {"required": sorted(self._required)}, {"properties": absent}]
        outer = {key: part for key, part in schema.items() if key.startswith("unevaluated")}
        definitions = self._root.get("$defs", {}) if isinstance(self._root, dict) else {}
        return {"allOf": whole, **outer, "$defs": definitions}

    def _add(self, node: JsonValue) -> None:
        """Take a node apart into conjuncts, choosing where there is a choice."""
        if not isinstance(node, dict) or len(self._conjuncts) > _MOST_CONJUNCTS:
            self._conjuncts.append({"not": {}} if node is False else {})
            return
        plain = {key: part for key, part in node.items() if key not in _TAKEN and not key.startswith("unevaluated")}
        if "$ref" in plain:
            self._add(resolve_pointer(self._root, plain.pop("$ref")))
        self._conjuncts.append(plain)
        self._required |= set(node.get("required", ()))
        for name, names in node.get("dependentRequired", {}).items():
            self._waiting.append((name, {"required": names}))
        self._waiting += node.get("dependentSchemas", {}).items()
        for part in node.get("allOf", ()):
            self._add(part)
        for keyword in _CHOICES:
            if node.get(keyword):
                self._choose(node[keyword], exclusive=keyword == "oneOf")
        if "if" in node:
            self._add_side(node)

    def _choose(self, branches: list[JsonValue], *, exclusive: bool) -> None:
        """Keep to one branch, and of a few exclusive ones deny the others."""
        chosen = self._random.randrange(len(branches))
        self._add(branches[chosen])
        if exclusive and len(branches) <= _MOST_DENIED:
            others = [part for at, part in enumerate(branches) if at != chosen and size_of(part) <= _LARGEST_DENIED]
            self._conjuncts += [{"not": part} for part in others]

    def _add_side(self, node: JsonObject) -> None:
        if self._random.random() < 0.5:
            self._add(node["if"])
            self._add(node.get("then", True))
        else:
            self._add({"not": node["if"]})
            self._add(node.get("else", True))
