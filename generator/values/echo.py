"""Echo: a result gives back what the call asked about, where a field of that name and type occurs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generator.jsontext import JsonObject, JsonValue
from generator.values.draw import Draw
from generator.values.hints import Hint
from generator.values.meanings.names import singular, split_name

_GENERIC = frozenset(
    "name id title key value type text message description content data body status url path date time label "
    "number count code index amount quantity price note summary items results query".split()
)
_TYPES = {str: "string", bool: "boolean", list: "array", dict: "object", type(None): "null", float: "number"}


@dataclass(frozen=True, slots=True)
class EchoKeys:
    """Under which words a field may be known, the most telling first, and which types it takes."""

    keys: tuple[str, ...]
    listed_keys: tuple[str, ...]
    """The keys that hold inside the elements of a list, where a bare `id` is another thing's."""
    types: frozenset[str]
    choices: tuple[JsonValue, ...] | None = None
    """The closed choice that the field has; of a list that is known, it takes one of these."""

    def find(self, known: Mapping[str, JsonValue], draw: Draw) -> tuple[JsonValue] | None:
        """Return the known value of this field, in a tuple; None where nothing fitting is known."""
        wanted = self.listed_keys if draw.in_list else self.keys
        if not wanted:
            return None
        words = draw.scope.get("known") or _known_words(known, draw)
        for key in wanted:
            if key in words and (echoed := self._taken(words[key], draw)) is not None:
                return echoed
        return None

    def _taken(self, known: JsonValue, draw: Draw) -> tuple[JsonValue] | None:
        """Return what a field makes of what is known: the value, or of a choice one of those that were asked for."""
        if self.choices is None:
            return (known,) if _fits(known, self.types) else None
        asked = known if isinstance(known, list) else [known]
        possible = [value for value in asked if any(_is_same(value, choice) for choice in self.choices)]
        return (draw.random.choice(possible),) if possible else None


def _known_words(known: Mapping[str, JsonValue], draw: Draw) -> dict[str, JsonValue]:
    words = {" ".join(map(singular, split_name(name))): value for name, value in known.items()}
    draw.scope["known"] = words
    return words


def _is_same(value: JsonValue, other: JsonValue) -> bool:
    """Say whether two values are one in JSON, where true is no 1."""
    return type(value) is type(other) and value == other


def _fits(value: JsonValue, types: frozenset[str]) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return not types or "integer" in types or "number" in types
    return not types or _TYPES[type(value)] in types


def echo_keys(hint: Hint, node: JsonValue) -> EchoKeys:
    """Compile the keys of one property."""
    own = " ".join(map(singular, hint.words))
    parent = " ".join(map(singular, hint.parent_words))
    last = singular(hint.words[-1]) if hint.words else ""
    joined = f"{parent} {own}" if parent else ""
    tails = ()
    keys = tuple(key for key in (joined, own, *tails) if key)
    listed = tuple(key for key in keys if len(key.split()) > 1 or (key == own and last not in _GENERIC))
    return EchoKeys(keys, listed, _types(node), _choices(node))


def _types(node: JsonValue) -> frozenset[str]:
    if not isinstance(node, dict):
        return frozenset()
    found: set[str] = set()
    nodes: list[JsonObject] = [node, *(part for part in node.get("anyOf", []) if isinstance(part, dict))]
    for part in nodes:
        declared = part.get("type", ())
        found.update([declared] if isinstance(declared, str) else declared)
    return frozenset(found)


def _choices(node: JsonValue) -> tuple[JsonValue, ...] | None:
    if not isinstance(node, dict):
        return None
    if "const" in node:
        return (node["const"],)
    return tuple(node["enum"]) if isinstance(node.get("enum"), list) else None
