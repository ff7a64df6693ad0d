"""Tools that do several things, chosen by an argument: `issue_read` with a method, `manage_...` with an action."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generator.jsontext import JsonObject
from generator.tools.operations import Operation, is_verb, name_words, past, singular
from generator.tools.result_schemas_fields import fields_of
from generator.tools.result_schemas_lists import list_key, listed_of
from generator.tools.result_schemas_nouns import NOUNS

READING = frozenset(("get", "search"))
"""Families that change nothing."""
_CHOOSERS = ("method", "action", "operation")
_READING_VERBS = frozenset("get list search read find fetch show view download query".split())
_QUOTED = re.compile(r"['\"`]([a-z][a-z_]{2,30})['\"`]")
_MOST_FIELDS = 24


def _are_deeds(choices: Sequence[str]) -> bool:
    """Say whether most choices begin with a verb: `meiosis` and `mitosis` are methods of another kind."""
    return 2 * sum(is_verb((name_words(choice) or [""])[0]) or _is_reading(choice) for choice in choices) >= len(
        choices
    )


def chooser(parameters: JsonObject) -> tuple[str, tuple[str, ...]]:
    """Return the parameter that chooses what a tool does, and its choices; empty where there is none."""
    properties = parameters.get("properties")
    if isinstance(properties, dict):
        for name in _CHOOSERS:
            schema = properties.get(name)
            values = (schema.get("enum") or _quoted(schema)) if isinstance(schema, dict) else None
            if isinstance(values, list) and values and all(isinstance(value, str) and value for value in values):
                return name, tuple(values)
    return "", ()


def _quoted(schema: JsonObject) -> list[str]:
    """Return the choices that a description puts in quotes: "Options are: 'add', 'remove'"."""
    told = schema.get("description")
    found = _QUOTED.findall(told) if isinstance(told, str) and schema.get("type") == "string" else []
    deeds = list(dict.fromkeys(word for word in found if is_verb(name_words(word)[0])))
    return deeds if len(deeds) > 1 else []


def deed_told(choice: str) -> str:
    """Return how a status tells that a choice is done: `delete` gives deleted."""
    verb = (name_words(choice) or [choice])[0]
    return "queued" if verb == "run" else past(verb)


def told_deeds(operation: Operation, parameters: JsonObject) -> tuple[str, ...]:
    """Return how the result of a tool that changes things tells each of its choices; empty where it has none."""
    name, choices = chooser(parameters)
    if (
        not name
        or operation.family in READING
        or not _are_deeds(choices)
        or any(_is_reading(choice) for choice in choices)
    ):
        return ()
    return tuple(dict.fromkeys(deed_told(choice) for choice in choices))


def _is_reading(choice: str) -> bool:
    return not _READING_VERBS.isdisjoint(name_words(choice)[:1])


def method_fields(noun: str, parameters: JsonObject) -> JsonObject:
    """Return the fields of all that a reading tool can be asked for; none unless an argument chooses."""
    _, choices = chooser(parameters)
    if len(choices) < 2 or not all(_is_reading(choice) or _known_noun(_singulars(choice)) for choice in choices):
        return {}
    fields: JsonObject = {}
    for choice in choices:
        for field, schema in fields_of_choice(choice, noun).items():
            if len(fields) < _MOST_FIELDS:
                fields.setdefault(field, schema)
    return fields


def fields_of_choice(choice: str, noun: str) -> JsonObject:
    """Return the fields of what one choice of a reading tool asks for."""
    words = name_words(choice)[1:] if _is_reading(choice) else name_words(choice)
    if words[-1:] in (["url"], ["status"]):
        return fields_of("url:link_url" if words[-1] == "url" else "combined_status:check_state")
    named = _known_noun([singular(word) for word in words])
    thing = named or noun
    many = words[-1] != singular(words[-1]) or not named if words else choice.startswith("list")
    spec = NOUNS.get(thing, "id name updated_at")
    if not many:
        return fields_of(spec, thing)
    key = "_".join(words) if words else list_key(thing)
    return {key: listed_of(fields_of(spec, thing))}


def _singulars(choice: str) -> list[str]:
    return [singular(word) for word in name_words(choice)]


def _known_noun(words: Sequence[str]) -> str:
    """Return the longest known thing that ends the words; "" where there is none."""
    tails = (" ".join(words[start:]) for start in range(len(words)))
    return next((tail for tail in tails if tail in NOUNS), "")
