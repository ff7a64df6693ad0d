"""What a call may choose of its result: lists of fields, and flags such as `include_reviews`."""

from __future__ import annotations

from generator.jsontext import JsonObject
from generator.tools.operations import name_words, singular, snake
from generator.tools.result_schemas_fields import ENDINGS, FIELDS, closed, field_schema, fields_of, whole
from generator.tools.result_schemas_lists import listed_of
from generator.tools.result_schemas_nouns import NOUNS
from generator.tools.result_schemas_pools import POOLS

_CHOOSERS = frozenset(
    "fields columns attributes properties select metrics return_fields include_fields data_points data_fields "
    "field_names indicators statistics nutrients".split()
)
_COUNTED = frozenset(("metrics", "statistics", "indicators"))
_FLAGS = frozenset(("include", "with", "show", "return", "includes"))
_MOST_CHOICES = 16
_MOST_FLAGS = 3


def field_chooser(parameters: JsonObject) -> str | None:
    """Return the parameter by which a call chooses the fields of its result; None where there is none."""
    properties = parameters.get("properties")
    if not isinstance(properties, dict):
        return None
    return next((name for name, schema in properties.items() if snake(name) in _CHOOSERS and _is_list(schema)), None)


def _is_list(schema: object) -> bool:
    return isinstance(schema, dict) and schema.get("type") in ("array", "string") and "enum" not in schema


def with_offered(fields: dict[str, JsonObject], parameters: JsonObject) -> dict[str, JsonObject]:
    """Return the fields of a thing and those that a chooser offers beside them, named as it names them."""
    more = _offers(parameters)
    own = {name: schema for name, schema in fields.items() if name not in set(map(snake, more)) - set(more)}
    return {**own, **{name: schema for name, schema in more.items() if name not in own}}


def _offers(parameters: JsonObject) -> JsonObject:
    """Return a field for each value that a chooser of fields may hold and whose name tells what it is."""
    name = field_chooser(parameters)
    items = parameters["properties"][name].get("items") if name is not None else None
    values = items.get("enum") if isinstance(items, dict) else None
    if name is None or not isinstance(values, list) or len(values) > _MOST_CHOICES:
        return {}
    texts = [value for value in values if isinstance(value, str) and value]
    found = {value: _offered(snake(value), snake(name)) for value in texts}
    return {value: schema for value, schema in found.items() if schema is not None}


def _offered(field: str, chooser: str) -> JsonObject | None:
    if field in FIELDS or field in POOLS or field.rpartition("_")[2] in ENDINGS:
        return field_schema(field)
    return whole(0, 40) if chooser in _COUNTED else None


def flag_field(name: str) -> str:
    """Return the field that a flag asks for: `reviews` for `include_reviews`; "" where it asks for none."""
    first, *rest = name_words(name) or [""]
    return "_".join(rest) if first in _FLAGS else ""


def flags(parameters: JsonObject) -> dict[str, str]:
    """Return the flags among the parameters that ask for a field, with that field."""
    properties = parameters.get("properties")
    if not isinstance(properties, dict):
        return {}
    return {
        name: field
        for name, schema in properties.items()
        if isinstance(schema, dict) and schema.get("type") == "boolean" and (field := flag_field(name))
    }


def is_flagged(field: str, flagged: str) -> bool:
    """Say whether a field of a result is the one that a flag asks for."""
    words, asked = name_words(field), flagged.split("_")
    return list(map(singular, words)) == list(map(singular, asked)) or (len(asked) == 1 and asked[0] in words)


def choosable(schema: JsonObject, parameters: JsonObject) -> JsonObject:
    """Return a derived schema whose fields may be left out where the call chooses them, with those its flags add."""
    asked = list(flags(parameters).values())[:_MOST_FLAGS]
    chosen = field_chooser(parameters) is not None
    if not asked and not chosen:
        return schema
    properties = dict(schema["properties"])
    lists = [name for name, inner in properties.items() if inner.get("items", {}).get("type") == "object"]
    if len(lists) == 1 and len(properties) <= 3:
        inner = properties[lists[0]]["items"]
        properties[lists[0]] = {**properties[lists[0]], "items": _with_choice(inner, asked, chosen=chosen)}
        return {**schema, "properties": properties}
    return _with_choice(schema, asked, chosen=chosen)


def _with_choice(schema: JsonObject, asked: list[str], *, chosen: bool) -> JsonObject:
    properties: JsonObject = dict(schema["properties"])
    for field in asked:
        if not any(is_flagged(name, field) for name in properties):
            properties.update(_added(field))
    free = set(properties) - set(schema["required"])
    free |= {name for name in properties if any(is_flagged(name, field) for field in asked)}
    return closed(properties, tuple(properties) if chosen else tuple(free))


def _added(field: str) -> JsonObject:
    """Return the field that a flag adds, where its name says what it holds."""
    *before, last = field.split("_")
    thing = " ".join([*before, singular(last)])
    if field in FIELDS or field in POOLS:
        return {field: field_schema(field)}
    if thing in NOUNS:
        fields = dict(list(fields_of(NOUNS[thing], thing).items())[:4])
        return {field: closed(fields) if thing == field.replace("_", " ") else listed_of(fields)}
    return {}
