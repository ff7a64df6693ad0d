"""Plain results: a declared result without the parts of which its definition tells too little.

What would stand there is invented: a map whose keys nobody names, a thing inside a thing that need not be there.
"""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.validators import BoundedCache
from generator.values.meanings.names import split_name

_CACHE_SIZE = 1_000
_MOST_REFERENCES = 8
_KNOWN: BoundedCache[int, tuple[JsonObject, JsonObject]] = BoundedCache(_CACHE_SIZE)


def plain_result(schema: JsonObject) -> JsonObject:
    """Return the schema of a result narrowed to what its definition tells; every value of it is one of the schema's."""
    kept = _KNOWN.get(id(schema))
    if kept is not None:
        return kept[1]
    narrowed: JsonObject = _narrowed(schema, schema)
    # The entry holds the schema itself, so that its id is not given to another object meanwhile.
    _KNOWN.put(id(schema), (schema, narrowed))
    return narrowed


def without_rivals(value: JsonValue, schema: JsonObject, arguments: JsonObject) -> JsonValue:
    """Leave out what says anew, and otherwise, what was given: of a temperature that is set, the `currentTemperature`.

    What the schema requires stays, and so does the last part of a result.
    """
    if not isinstance(value, dict):
        return value
    given = {split_name(name): held for name, held in arguments.items()}
    rivals = {
        name
        for name, held in value.items()
        if name not in schema.get("required", ()) and name not in arguments and _is_rival(split_name(name), held, given)
    }
    return {name: held for name, held in value.items() if name not in rivals} if rivals < value.keys() else value


def _is_rival(words: tuple[str, ...], held: JsonValue, given: dict[tuple[str, ...], JsonValue]) -> bool:
    return any(0 < len(own) < len(words) and words[-len(own) :] == own and held != said for own, said in given.items())


def _narrowed(node: JsonValue, root: JsonObject) -> JsonValue:
    if not isinstance(node, dict):
        return node
    if _is_map(node):
        return node if node.get("minProperties") else {**node, "maxProperties": 0}
    found: JsonObject = dict(node)
    if isinstance(node.get("$defs"), dict):
        found["$defs"] = {name: _narrowed(part, root) for name, part in node["$defs"].items()}
    if isinstance(node.get("properties"), dict):
        found["properties"] = _properties(node, root)
    if isinstance(items := node.get("items"), dict):
        found["items"] = _narrowed(items, root)
        if _is_map(_resolved(items, root)) and not node.get("minItems"):
            found["maxItems"] = 0
    return found


def _properties(node: JsonObject, root: JsonObject) -> JsonObject:
    """Leave out things inside a thing that need not be there, as long as something is left."""
    declared: JsonObject = node["properties"]
    required = node.get("required", ())
    plain = {name for name, part in declared.items() if _resolved(part, root).get("type") != "object"}
    kept = {name: part for name, part in declared.items() if name in required or name in plain} if plain else declared
    return {name: _narrowed(part, root) for name, part in kept.items()}


def _is_map(node: JsonObject) -> bool:
    """Say whether a node is an object that names none of its keys."""
    named = ("properties", "patternProperties", "required", "propertyNames", "allOf", "anyOf", "oneOf", "$ref")
    return node.get("type") == "object" and not any(node.get(key) for key in named)


def _resolved(node: JsonValue, root: JsonObject) -> JsonObject:
    for _ in range(_MOST_REFERENCES):
        if not isinstance(node, dict) or "$ref" not in node:
            break
        node = root.get("$defs", {}).get(str(node["$ref"]).removeprefix("#/$defs/"))
    return node if isinstance(node, dict) else {}
