"""Request bodies: which content a call sends, and whether its fields can stand among the parameters."""

from __future__ import annotations

from collections.abc import Iterable

from generator.formats.openapi_document import ApiDocument, UnfollowableError
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import ANNOTATIONS

_PLAIN = ANNOTATIONS | {"type", "properties", "required", "allOf", "additionalProperties", "$ref"}
_SILENT = frozenset({"xml", "externalDocs", "discriminator", "nullable"})
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_FLAGS = ("readOnly", "writeOnly")


def preferred_content(media_types: Iterable[str]) -> str | None:
    """Return the content to use: JSON first, then a form, then any."""
    ranked = sorted(enumerate(media_types), key=lambda one: (_rank(one[1]), one[0]))
    return ranked[0][1] if ranked else None


def _rank(media_type: str) -> int:
    plain = media_type.partition(";")[0].strip().casefold()
    if plain == "application/json":
        return 0
    if plain.endswith(("+json", "/json")):
        return 1
    return 2 + _FORMS.index(plain) if plain in _FORMS else 4 if plain == "*/*" else 5


def fields_of(schema: JsonValue, place: str, api: ApiDocument) -> tuple[JsonObject, dict[str, str]] | None:
    """Return an object schema with the properties of a body, references and `allOf` merged, and their places.

    None where the body is no plain object: a list, a text, a choice, a map. Such a body is one argument.

    Raises:
        UnfollowableError: a reference cannot be followed.
    """
    places: dict[str, str] = {}
    whole = _merged(schema, place, api, places, frozenset())
    return (whole, places) if whole is not None and whole["properties"] else None


def _merged(
    schema: JsonValue, place: str, api: ApiDocument, places: dict[str, str], seen: frozenset[str]
) -> JsonObject | None:
    if not isinstance(schema, dict) or not _is_plain(schema):
        return None
    properties = schema.get("properties", {})
    whole: JsonObject = {"properties": {}, "required": []}
    parts: list[JsonObject | None] = []
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference in seen:
            raise UnfollowableError("the request body only refers to itself", "write the body out")
        seen |= {reference}
        parts.append(_merged(api.target(reference), reference[1:], api, places, seen))
    for index, part in enumerate(schema.get("allOf", [])):
        parts.append(_merged(part, f"{place}/allOf/{index}", api, places, seen))
    places.update({name: place + pointer(("properties", name)) for name in properties})
    required = schema["required"] if isinstance(schema.get("required"), list) else []
    parts.append({**schema, "properties": properties, "required": required})
    return _joined(whole, parts)


def _is_plain(schema: JsonObject) -> bool:
    """Say whether an object schema has nothing but properties."""
    kind = schema.get("type", "object")
    kinds = kind if isinstance(kind, list) else [kind]
    return (
        all(keyword in _PLAIN or keyword in _SILENT or keyword.startswith("x-") for keyword in schema)
        and "object" in [one.casefold() for one in kinds if isinstance(one, str)]
        and isinstance(schema.get("properties", {}), dict)
        and isinstance(schema.get("allOf", []), list)
        and isinstance(schema.get("additionalProperties", True), bool)
    )


def _joined(whole: JsonObject, parts: list[JsonObject | None]) -> JsonObject | None:
    """Join object schemas that must all hold; None where two say different things of one property."""
    for part in parts:
        if part is None:
            return None
        for name, schema in part["properties"].items():
            if whole["properties"].setdefault(name, schema) != schema:
                return None
        whole["required"] += [name for name in part["required"] if name not in whole["required"]]
        kept = ("description", "example", "examples", "additionalProperties", *_FLAGS)
        whole.update({keyword: part[keyword] for keyword in kept if keyword in part})
    return whole
