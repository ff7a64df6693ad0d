"""Lists of types and `nullable`, written as `anyOf`: two templates in use recurse without end on a list."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.keywords import ANNOTATIONS, BY_TYPE, IDENTIFYING
from generator.schemas.node import Node

_OUTSIDE = ANNOTATIONS | IDENTIFYING
_COMPOSED = ("$ref", "anyOf", "oneOf", "allOf")
_PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
    "boolean": (bool,),
    "null": (type(None),),
}


def fits_type(value: JsonValue, kind: str) -> bool:
    """Say whether a value is of a JSON type; 5.0 is an integer, true is no number."""
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _PYTHON_TYPES.get(kind, ()))


def read_nullable(node: Node) -> None:
    """Read OpenAPI's `nullable`: the type, or the type and null."""
    nullable = node.schema.get("nullable")
    if not isinstance(nullable, bool):
        return
    del node.schema["nullable"]
    kind = node.schema.get("type")
    if not nullable:
        node.note("changed", "`nullable: false` says nothing: left out", "nullable")
    elif isinstance(kind, str):
        node.schema["type"] = [kind, "null"]
        node.note("changed", "`nullable` became a choice with null", "nullable")
    elif any(keyword in node.schema for keyword in _COMPOSED):
        inner = {name: node.schema.pop(name) for name in list(node.schema) if name not in _OUTSIDE}
        node.schema["anyOf"] = [inner, {"type": "null"}]
        node.unfold()
        node.note("changed", "`nullable` became a choice with null", "nullable")
    else:
        node.note("changed", "`nullable` without a type says nothing: left out", "nullable")


def join_types(node: Node) -> None:
    """Write a list of types as `anyOf`, each keyword in the branch of the values it speaks of."""
    kinds = node.schema.get("type")
    if not isinstance(kinds, list) or not kinds:
        return
    if len(kinds) == 1:
        node.schema["type"] = kinds[0]
        node.note("changed", f"the list of one type became {kinds[0]}", "type")
        return
    node.note("changed", f"the list of types {', '.join(kinds)} became `anyOf`", "type")
    if isinstance(node.schema.get("allOf", []), list) and not node.schema.keys().isdisjoint(("anyOf", "allOf")):
        # Both must hold: the types move into a conjunct of their own.
        del node.schema["type"]
        choice = {"anyOf": [{"type": kind} for kind in kinds]}
        node.schema["allOf"] = [*node.schema.get("allOf", []), choice]
        return
    inner = {name: node.schema.pop(name) for name in list(node.schema) if name not in _OUTSIDE}
    del inner["type"]
    branches = [branch for kind in kinds if (branch := _branch(kind, inner)) is not None]
    if len(branches) == 1:
        node.schema.update(branches[0])
        return
    node.schema["anyOf"] = branches
    node.unfold()


def _branch(kind: str, keywords: JsonObject) -> JsonObject | None:
    """Return the branch of one type with the keywords that speak of it; None where no such value is listed."""
    own = BY_TYPE.get("number" if kind == "integer" else kind, frozenset())
    branch: JsonObject = {"type": kind}
    for name, value in keywords.items():
        if name == "enum" and isinstance(value, list):
            branch[name] = [choice for choice in value if fits_type(choice, kind)]
        elif name in own or name not in _TYPED:
            branch[name] = value
    if branch.get("enum") == [] or ("const" in branch and not fits_type(branch["const"], kind)):
        return None
    return {"type": "null"} if kind == "null" else branch


_TYPED: frozenset[str] = frozenset().union(*BY_TYPE.values())
