"""Giving: which arguments a plain request gives together, as far as definitions tell.

What a call needs is always given. Beside it stands one optional argument at a time, and rather one whose values the
definition states: two that are drawn apart seldom fit each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from generator.domains.saying import is_nested
from generator.jsontext import JsonObject, JsonValue
from generator.values.descriptions import told_examples, told_options, told_range

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
    free = [name for name in optional if not _leans_on_another(name, optional, said)]
    if creates and changes and optional:
        yield Given((*required, *[name for name in optional if name != "id"][:_MOST_OF_A_NEW_THING]))
        return
    stated = [name for name in free if _states_values(said[name])]
    further = stated or (free or optional if changes or not required else [])
    if not (changes and further):  # nobody wants something changed without saying what
        yield Given(tuple(required), weight=max(1, len(further)))
    for name in further:
        yield Given((*required, name), _stated(name, said[name]))


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
