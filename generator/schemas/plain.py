"""The canonical form of the plainest schemas, put together part by part without asking the library for the whole.

Most tools take an object of texts, numbers, choices and lists of these. Their canonical form is that of the parts in
a fixed order; what the parts without parts look like is asked of the library once and known for every schema.
"""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue, dump_canonical
from generator.schemas.canonical import canonical_form

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DEEPEST = 30
_ANNOTATIONS = frozenset(("title", "description", "default", "examples"))
_TEXT = frozenset((str,))
_SCALARS = frozenset((str, int, float, bool, type(None)))
_BARE = frozenset(("string", "integer", "number", "boolean", "null"))
_BOUNDS = frozenset("type pattern format minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum".split())
_ENDS = frozenset(("type", "minimum", "maximum"))
_OBJECT = frozenset(("type", "properties", "required", "additionalProperties"))
_ARRAY = frozenset(("type", "items", "minItems", "maxItems"))
_MANY = 1 << 30
_CACHE_SIZE = 4096
_LEAVES: dict[bytes, JsonObject | None] = {}


class _NotPlain(Exception):
    """The schema says more than is understood here."""


def plain_form(schema: JsonValue) -> JsonObject | None:
    """Return the form that `canonical_form` gives; None where the schema is not plain, which says nothing else of it.

    A plain schema is valid, refers to nothing and admits values. It is of bounded size (see `oversized`).
    """
    try:
        form = _form(schema, 0)
    except _NotPlain:
        return None
    return {"$schema": _DIALECT, **form}


def _form(node: JsonValue, depth: int) -> JsonObject:
    """Return the form of one node.

    Raises:
        _NotPlain: it is not plain.
    """
    if type(node) is not dict or depth > _DEEPEST:
        raise _NotPlain
    said: JsonObject = {}
    for key, part in node.items():
        if key not in _ANNOTATIONS:
            said[key] = part
        elif not _is_plain_annotation(key, part):
            raise _NotPlain
    kind = said.get("type")
    if type(kind) is not str:
        raise _NotPlain
    if kind in _BARE:
        return {"type": kind} if len(said) == 1 else _leaf(kind, said)
    if kind == "object":
        return _object(said, depth)
    if kind == "array":
        return _array(said, depth)
    raise _NotPlain


def _object(said: JsonObject, depth: int) -> JsonObject:
    properties, required = said.get("properties", {}), said.get("required", [])
    rest = said.get("additionalProperties", True)
    if not said.keys() <= _OBJECT or type(properties) is not dict or type(required) is not list:
        raise _NotPlain
    if type(rest) is not bool or not _are_declared(required, properties):
        raise _NotPlain
    names = sorted(_named(properties))
    if not names:
        return _nameless(rest)
    form: JsonObject = {"properties": {name: _form(properties[name], depth + 1) for name in names}}
    if not rest:
        form["propertyNames"] = {"enum": names} if len(names) > 1 else {"const": names[0]}
    if required:
        form["required"] = sorted(required)
    form["type"] = "object"
    return form


def _nameless(rest: bool) -> JsonObject:
    if not rest:
        raise _NotPlain
    return {"type": "object"}


def _array(said: JsonObject, depth: int) -> JsonObject:
    if not said.keys() <= _ARRAY or "items" not in said:
        raise _NotPlain
    items = _form(said["items"], depth + 1)
    if "type" not in items:
        raise _NotPlain
    least, most = said.get("minItems", 0), said.get("maxItems", _MANY)
    if type(least) is not int or type(most) is not int or not 0 <= least < most:
        raise _NotPlain
    form: JsonObject = {"items": items}
    if "maxItems" in said:
        form["maxItems"] = most
    if least:
        form["minItems"] = least
    form["type"] = "array"
    return form


def _leaf(kind: str, said: JsonObject) -> JsonObject:
    if "enum" in said:
        return _choice(kind, said)
    if not said.keys() <= _BOUNDS:
        raise _NotPlain
    return _as_said(kind, said) or dict(_bounded(said))


def _choice(kind: str, said: JsonObject) -> JsonObject:
    choices = said["enum"]
    if kind != "string" or len(said) != 2 or type(choices) is not list or not choices:
        raise _NotPlain
    known = set(_named(choices))
    if len(known) < len(choices):
        raise _NotPlain
    return {"enum": sorted(choices)} if len(choices) > 1 else {"const": choices[0]}


def _named(names: list[JsonValue] | JsonObject) -> list[str]:
    """Return what are texts all of them."""
    if not _TEXT.issuperset(map(type, names)):
        raise _NotPlain
    return list(names)


def _are_declared(required: list[JsonValue], properties: JsonObject) -> bool:
    known = set(_named(required))
    return len(known) == len(required) and known <= properties.keys()


def _is_plain_annotation(key: str, said: JsonValue) -> bool:
    """Say whether an annotation is a text, a scalar, or a list of these."""
    if key in ("description", "title"):
        return type(said) is str
    if key == "default" and type(said) in _SCALARS:
        return True
    return type(said) is list and _SCALARS.issuperset(map(type, said))


def _as_said(kind: str, said: JsonObject) -> JsonObject | None:
    """Return the form of a format alone, or of whole bounds with room between them: it says what the schema says."""
    if kind == "string":
        return {"format": said["format"], "type": kind} if len(said) == 2 and type(said.get("format")) is str else None
    if kind not in ("integer", "number") or not said.keys() <= _ENDS:
        return None
    low, high = said.get("minimum", -_MANY), said.get("maximum", _MANY)
    if type(low) is not int or type(high) is not int or not -_MANY <= low < high <= _MANY:
        return None
    return {key: said[key] for key in ("maximum", "minimum", "type") if key in said}


def _bounded(said: JsonObject) -> JsonObject:
    """Return the form of a text or number with bounds, as the library gives it, asked for once."""
    try:
        text = dump_canonical(said)
    except (TypeError, ValueError) as error:
        raise _NotPlain from error
    if text not in _LEAVES:
        if len(_LEAVES) >= _CACHE_SIZE:
            _LEAVES.clear()
        _LEAVES[text] = _asked(said, text)
    found = _LEAVES[text]
    if found is None:
        raise _NotPlain
    return found


def _asked(said: JsonObject, text: bytes) -> JsonObject | None:
    form = canonical_form(said, text)
    if not isinstance(form, dict):
        return None
    found = {key: part for key, part in form.items() if key != "$schema"}
    return found if found.keys() <= _BOUNDS and "type" in found else None
