"""Which schemas of a document look at the same value, and which at its parts; references are followed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.jsontext import JsonObject, JsonValue

_NOWHERE: dict[str, Any] = {}
"""What a reference to nowhere finds; one object, since schemas are told apart by identity."""
_SAME_VALUE_LISTS = ("allOf", "anyOf", "oneOf")
_SAME_VALUE_SINGLE = ("not", "if", "then", "else")
_REFERENCES = ("$ref", "$dynamicRef")
_PART_SINGLE = ("items", "additionalProperties", "contains", "propertyNames", "unevaluatedItems",
                "unevaluatedProperties", "additionalItems")  # fmt: skip


class Branches:
    """The schemas of one document as a graph."""

    def __init__(self, root: JsonValue) -> None:
        self._root = root
        self._anchors = dict(_anchors(root))

    @property
    def is_one_resource(self) -> bool:
        """Whether no part of the document has a URI of its own, so that `#` always means the document."""
        return all(name.startswith("#") or node is self._root for name, node in self._anchors.items())

    def same_value(self, schema: JsonObject) -> Iterator[JsonValue]:
        """Yield the schemas that look at the same value."""
        for keyword in _SAME_VALUE_LISTS:
            yield from _listed(schema.get(keyword))
        for keyword in _SAME_VALUE_SINGLE:
            yield schema.get(keyword)
        yield from _mapped(schema.get("dependentSchemas"))
        for keyword in _REFERENCES:
            if isinstance(schema.get(keyword), str):
                yield self.target(schema[keyword])

    def parts(self, schema: JsonObject) -> Iterator[list[JsonValue]]:
        """Yield groups of schemas that look at parts of the value: any part meets one of each group at most."""
        yield _mapped(schema.get("properties"))
        yield _listed(schema.get("prefixItems"))
        for pattern_schema in _mapped(schema.get("patternProperties")):
            yield [pattern_schema]
        for keyword in _PART_SINGLE:
            if isinstance(schema.get(keyword), dict):
                yield [schema[keyword]]

    def target(self, reference: str) -> JsonValue:
        """Follow a reference; one that is not understood is taken for the document, the most it can be."""
        place, _, fragment = reference.partition("#")
        base = self._anchors.get(place, self._root) if place else self._root
        if fragment.startswith("/"):
            return _follow(base, fragment)
        return self._anchors.get(f"#{fragment}", base) if fragment else base


def _follow(node: JsonValue, fragment: str) -> JsonValue:
    for part in fragment.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        elif isinstance(node, dict) and key in node:
            node = node[key]
        else:
            return _NOWHERE
    return node


def _anchors(root: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """Yield every schema that has a name of its own: an anchor with its `#`, or an id."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            for keyword, prefix in (("$anchor", "#"), ("$dynamicAnchor", "#"), ("$id", "")):
                if isinstance(node.get(keyword), str):
                    yield prefix + node[keyword], node
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _mapped(value: JsonValue) -> list[JsonValue]:
    return list(value.values()) if isinstance(value, dict) else []
