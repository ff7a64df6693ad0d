"""What a plain request can say of a schema, and which arguments it gives together, as far as definitions tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from generator.jsontext import JsonObject, JsonValue
from generator.values.hints import told_examples, told_options, told_range

_SCALARS = ("string", "integer", "number", "boolean")
_MOST_REFERENCES = 8
_DEEPEST = 4
"""Objects and lists inside one another that people still write out."""
_MOST_UNASKED = 3
"""Parts given of an object that requires none."""
_MOST_LISTED = 2
"""Objects that a request writes out one after the other."""


def resolved(schema: JsonValue, root: JsonObject) -> JsonObject:
    """Return what a reference into the definitions of a schema means; anything but an object is empty."""
    for _ in range(_MOST_REFERENCES):
        if not isinstance(schema, dict):
            return {}
        name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
        if not name or name not in root.get("$defs", {}):
            break
        schema = root["$defs"][name]
    return schema if isinstance(schema, dict) else {}


def sayable(schema: JsonValue, root: JsonObject, depth: int = 0) -> JsonObject | None:
    """Return a schema narrowed to the values that can be said plainly; None where there are none."""
    whole = resolved(schema, root)
    if depth > _DEEPEST or "$ref" in whole:
        return None
    if isinstance(whole.get("enum"), list) or "const" in whole:
        plain = all(isinstance(each, str | int | float) for each in whole.get("enum", [whole.get("const")]))
        return whole if plain else None
    for keyword in ("anyOf", "oneOf"):
        if isinstance(branches := whole.get(keyword), list):
            return _branch(whole, keyword, branches, root, depth)
    return _by_type(whole, root, depth)


def sayable_parts(parts: JsonObject, root: JsonObject, depth: int = 0) -> dict[str, JsonObject]:
    """Return the schemas of those properties that can be said, each narrowed to the values that can."""
    return {name: said for name, schema in parts.items() if (said := sayable(schema, root, depth)) is not None}


def is_nested(schema: JsonObject) -> bool:
    """Say whether values of a narrowed schema are objects, or lists of more than plain values."""
    items = schema.get("items")
    return schema.get("type") == "object" or (isinstance(items, dict) and items.get("type") in ("object", "array"))


def _by_type(whole: JsonObject, root: JsonObject, depth: int) -> JsonObject | None:
    match whole.get("type"):
        case "object":
            return _object(whole, root, depth)
        case "array":
            return _list(whole, root, depth)
        case str() as kind if kind in _SCALARS and whole.get("format") not in ("binary", "byte"):
            return whole
    return None


def _branch(
    whole: JsonObject, keyword: str, branches: list[JsonValue], root: JsonObject, depth: int
) -> JsonObject | None:
    """Keep to the first branch that can be said; null says nothing."""
    found = (sayable(each, root, depth) for each in branches)
    first = next((each for each in found if each is not None), None)
    return None if first is None else {**first, **{key: part for key, part in whole.items() if key != keyword}}


def _object(whole: JsonObject, root: JsonObject, depth: int) -> JsonObject | None:
    """Keep to the parts that are required; where none are, to the first few."""
    declared = whole.get("properties")
    if not isinstance(declared, dict):
        return None
    said = sayable_parts(declared, root, depth + 1)
    required = [name for name in whole.get("required", ()) if isinstance(name, str)]
    if not set(required) <= set(said):
        return None
    kept = required or [name for name in said if not is_nested(said[name])][:_MOST_UNASKED]
    return {**whole, "properties": {name: said[name] for name in kept}, "required": kept} if kept else None


def _list(whole: JsonObject, root: JsonObject, depth: int) -> JsonObject | None:
    items = sayable(whole.get("items"), root, depth + 1)
    if items is None or items.get("type") == "boolean":
        return None
    few = {"maxItems": max(_MOST_LISTED, int(whole.get("minItems", 0)))} if items.get("type") == "object" else {}
    return {**whole, "items": items, **few}


_MOST_OF_A_CHOICE = 3
"""Optional arguments that a request gives because the value of another one asks for them."""
_MOST_OF_A_NEW_THING = 3
_STATING = ("enum", "const", "examples", "example", "format", "pattern")
_EXCEPTED = re.compile(r"(?i)\b(?:except|unless|not|other than|without)\b")
_NOTHING: tuple[JsonValue, ...] = (None, "", [], {}, "None", "none", "null")
"""Defaults that say no more than that an argument is not given."""
_NAME_LIKE = re.compile(r"[a-z0-9]_[a-z0-9]|[a-z0-9][A-Z]")


@dataclass(frozen=True, slots=True)
class Given:
    """Arguments that one way of asking gives, and the schemas of those whose values it keeps to."""

    names: tuple[str, ...]
    kept: JsonObject = field(default_factory=dict)
    weight: float = 1.0


def given_together(
    required: list[str], said: dict[str, JsonObject], *, changes: bool, creates: bool
) -> Iterator[Given]:
    """Yield what requests give of a tool.

    Args:
        required: the arguments that every call gives.
        said: the schema of each argument that can be said.
        changes: whether the tool changes something that the required arguments do not name.
        creates: whether it makes a new thing, whose first few parts are then given, all but the id.
    """
    optional = [name for name in said if name not in required and not is_nested(said[name])]
    choice, uses = _choice(required, optional, said)
    if choice:
        yield from _by_choice(required, said, choice, uses)
        return
    if creates and changes and optional:
        yield Given((*required, *[name for name in optional if name != "id"][:_MOST_OF_A_NEW_THING]))
        return
    yield from _with_one_more(required, optional, said, changes=changes)


def _with_one_more(
    required: list[str], optional: list[str], said: dict[str, JsonObject], *, changes: bool
) -> Iterator[Given]:
    """Yield what is required, by itself and with each further argument that a request gives."""
    further = _further(optional, said, must_say_more=changes or not required)
    if not (changes and further):  # nobody wants something changed without saying what
        yield Given(tuple(required), weight=max(1, len(further)))
    for name in further:
        yield Given((*required, name), _stated(name, said[name]))


def _further(optional: list[str], said: dict[str, JsonObject], *, must_say_more: bool) -> list[str]:
    """Return the optional arguments of which a request gives one."""
    free = [name for name in optional if not _leans_on_another(name, optional, said)]
    stated = [name for name in free if _states_values(said[name])]
    return stated or (free or optional if must_say_more else [])


def _choice(
    required: list[str], optional: list[str], said: dict[str, JsonObject]
) -> tuple[str, dict[JsonValue, list[str]]]:
    """Return the required choice on whose values optional arguments depend, and those that each value asks for."""
    for name in required:
        values = said[name].get("enum")
        if not isinstance(values, list) or len(values) < len(("this", "that")):
            continue
        uses = {
            value: [other for other in optional if isinstance(value, str) and _speaks_of(said[other], value)]
            for value in values
        }
        if any(uses.values()):
            return name, uses
    return "", {}


def _by_choice(
    required: list[str], said: dict[str, JsonObject], choice: str, uses: dict[JsonValue, list[str]]
) -> Iterator[Given]:
    """Yield each value of a choice with the arguments that speak of it."""
    alone = [value for value, names in uses.items() if not names]
    if alone:
        yield Given(tuple(required), {choice: {**said[choice], "enum": alone}}, weight=len(alone))
    for value, names in uses.items():
        if names:
            yield Given(
                (*required, *names[:_MOST_OF_A_CHOICE]),
                {choice: {**said[choice], "enum": [value]}},
            )


def _speaks_of(schema: JsonObject, value: str) -> bool:
    """Say whether the description of an argument holds the value of another one as a word, and makes no exception."""
    description = str(schema.get("description", ""))
    named = re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", description)
    return named is not None and _EXCEPTED.search(description) is None


def _leans_on_another(name: str, optional: list[str], said: dict[str, JsonObject]) -> bool:
    """Say whether the description of an argument names another optional one: without that one it says nothing."""
    description = str(said[name].get("description", ""))
    return any(_is_named(other, description) for other in optional if other != name)


def _is_named(name: str, description: str) -> bool:
    """Say whether a text names an argument: as it is written, where that is no plain word, else in quotation marks."""
    written = re.escape(name)
    return (
        re.search(rf"(?<!\w){written}(?!\w)" if _NAME_LIKE.search(name) else f"[`'\"]{written}[`'\"]", description)
        is not None
    )


def _states_values(schema: JsonObject) -> bool:
    """Say whether a definition tells which values an argument has."""
    if schema.get("type") == "boolean" or any(key in schema for key in _STATING):
        return True
    if {"minimum", "maximum"} <= schema.keys() or schema.get("default") not in _NOTHING:
        return True
    items = schema.get("items")
    return _is_told(schema) or (isinstance(items, dict) and "enum" in items)


def _is_told(schema: JsonObject) -> bool:
    description = str(schema.get("description", ""))
    return any(told_options(description)) or any(told_examples(description)) or told_range(description) is not None


def _stated(name: str, schema: JsonObject) -> JsonObject:
    """Keep an argument to its default where the definition tells no other value."""
    default = schema.get("default")
    if isinstance(default, bool) or default in _NOTHING or not isinstance(default, str | int | float):
        return {}
    if any(key in schema for key in _STATING) or {"minimum", "maximum"} <= schema.keys() or _is_told(schema):
        return {}
    return {name: {**schema, "enum": [default]}}
