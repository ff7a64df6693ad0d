"""Canonical forms of schemas: by jsonschema_rs's experimental one, or for the plainest put together here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

import jsonschema_rs
from jsonschema_rs import canonical

from generator.jsontext import JsonObject, JsonValue, dump_canonical
from generator.schemas.keywords import CHOICES, REFERENCES, mentions
from generator.schemas.limits import unfolds_too_far

_DRAFT = jsonschema_rs.Draft202012
_BOUNDED_REGEX = jsonschema_rs.FancyRegexOptions(
    backtrack_limit=100_000, size_limit=10_000_000, dfa_size_limit=10_000_000
)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Where a schema admits nothing, and the keywords that exclude each other there."""

    pointer: str
    keywords: tuple[str, ...]


_WEIGHING = (*CHOICES, *REFERENCES)
_LISTING = (b'"const":', b'"enum":')
_CONSTANTS = frozenset(("const", "enum"))


def canonical_form(schema: JsonValue, text: bytes | None = None) -> JsonValue | None:
    """Return an equivalent schema in canonical form; None where the library cannot model it.

    A schema that would unfold into thousands of alternatives is not given to the library, which would need
    seconds and gigabytes. False, or an object with `not: {}`, means that no value satisfies the schema.
    `text` is the schema's compact JSON text, where that is known: it tells soonest that there are no alternatives.
    """
    if (text is None or mentions(text, _WEIGHING)) and unfolds_too_far(schema):
        return None
    try:
        form = jsonschema_rs.canonicalize(
            schema, draft=_DRAFT, validate_formats=True, pattern_options=_BOUNDED_REGEX, offline=True
        )
        if form.kind == canonical.CanonicalKind.RAW:
            return None
        if form.satisfiability() == canonical.Satisfiability.NO:
            return False
        found = form.to_json_schema()
        return _with_plain_constants(found) if text is None or mentions(text, _LISTING) else found
    except (canonical.CanonicalizationError, ValueError):
        return None


def _with_plain_constants(form: JsonValue) -> JsonValue:
    """Write the values of `const` and `enum` as JSON has them, in place: the library gives fractions as decimals."""
    waiting = [form]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            for key, part in node.items():
                if key in _CONSTANTS:
                    node[key] = _plain(part)
                elif type(part) is dict or type(part) is list:
                    waiting.append(part)
        elif isinstance(node, list):
            waiting.extend(node)
    return form


def _plain(value: JsonValue) -> JsonValue:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return {key: _plain(part) for key, part in value.items()} if isinstance(value, dict) else value


def find_contradiction(schema: JsonValue) -> Contradiction | None:
    """Name the outermost place at which the schema contradicts itself; None when it names no place."""
    if unfolds_too_far(schema):
        return None
    try:
        reasons = canonical.find_unsatisfiable(schema, draft=_DRAFT, validate_formats=True, offline=True)
    except (canonical.CanonicalizationError, ValueError):
        return None
    if not reasons:
        return None
    at = _innermost(schema, reasons)
    causes = _causes(reasons[at])
    if len(causes) == 1:
        at = causes[0][0]
    keywords = tuple(dict.fromkeys(keyword for _, words in causes for keyword in words))
    return Contradiction(at, keywords)


def _innermost(schema: JsonValue, reasons: Mapping[str, object]) -> str:
    """Follow the contradiction from the outermost dead place into those parts which every value needs."""
    at = min(reasons, key=lambda place: (place.count("/"), place))
    while True:
        deeper = [
            place
            for place in reasons
            if place != at and place.startswith(at + "/") and _causes(reasons[place]) and _is_needed(schema, at, place)
        ]
        if not deeper:
            return at
        at = min(deeper, key=lambda place: (place.count("/"), place))


def _is_needed(schema: JsonValue, at: str, place: str) -> bool:
    """Say whether the part at `place` is one that every value of the schema at `at` must satisfy."""
    node = schema
    for part in at.split("/")[1:]:
        node = node[int(part)] if isinstance(node, list) else node[part.replace("~1", "/").replace("~0", "~")]
    keyword, *rest = place[len(at) + 1 :].split("/")
    if keyword == "properties" and len(rest) == 1:
        return rest[0].replace("~1", "/").replace("~0", "~") in node.get("required", ())
    return (keyword == "allOf" and len(rest) == 1) or (keyword == "items" and not rest and node.get("minItems", 0) > 0)


def _causes(reason: object) -> list[tuple[str, list[str]]]:
    causes = getattr(reason, "causes", None) or [cause for cause in [getattr(reason, "cause", None)] if cause]
    return [(cause.pointer, list(cause.keywords)) for cause in causes]


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
    said = _without_annotations(node)
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


def _without_annotations(node: JsonObject) -> JsonObject:
    """Return what a node says of its values, where its annotations are plain."""
    said: JsonObject = {}
    for key, part in node.items():
        if key not in _ANNOTATIONS:
            said[key] = part
        elif not _is_plain_annotation(key, part):
            raise _NotPlain
    return said


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
        form["propertyNames"] = _one_of(names)
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
    return _one_of(sorted(choices))


def _one_of(texts: list[str]) -> JsonObject:
    """Return the form of a choice of sorted texts."""
    return {"enum": texts} if len(texts) > 1 else {"const": texts[0]}


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
    return _ends_as_said(said) if kind in ("integer", "number") and said.keys() <= _ENDS else None


def _ends_as_said(said: JsonObject) -> JsonObject | None:
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
