"""Listing: a wish followed by its details, line by line, as people write what does not go into a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from generator.authors.offline.composing import compose
from generator.authors.offline.fields import Field
from generator.authors.offline.plans import BOOK
from generator.authors.offline.saying import Unsayable, Voice, say
from generator.authors.offline.words import split_identifier, spoken
from generator.jsontext import JsonObject, JsonValue
from generator.tools.tool import Tool

_MOST_LINES = 24
_DEEPEST = 5
_LONGEST_LINE = 240
_INTRODUCTIONS = (
    "Here are the details:", "The details:", "With these settings:", "This is what I have:",
    "Please use the following:", "These are the values:",
)  # fmt: skip


def list_details(tool: Tool, arguments: JsonObject, voice: Voice, register: str) -> str:
    """Write a wish and, below it, a line for every value.

    Raises:
        Unsayable: there is nothing to list, a value has no words, or there are more than anybody would write.
    """
    fields = BOOK.fields(tool)
    if not arguments.keys() <= fields.keys():
        raise Unsayable("an argument that nothing describes")
    told = [_apart(fields[name], [fields[other] for other in arguments if other != name]) for name in arguments]
    values = zip(arguments.values(), told, strict=True)
    lines = [line for value, field in values for line in _lines((), value, field, voice)]
    if not 0 < len(lines) <= _MOST_LINES:
        raise Unsayable(f"{len(lines)} lines of details")
    wish = compose(BOOK.plan(tool, {}), {}, voice, register)
    return "\n".join([f"{wish} {voice.stream.choice(_INTRODUCTIONS)}", *lines])


def _apart(field: Field, others: list[Field]) -> Field:
    """Call a field by its name where others have the same noun."""
    if all(other.noun != field.noun for other in others):
        return field
    return replace(field, noun=spoken(split_identifier(field.name)))


def _lines(above: tuple[str, ...], value: JsonValue, field: Field, voice: Voice) -> Iterator[str]:
    """Yield the lines of one value; what lies inside an object is led by what it lies in."""
    if len(above) >= _DEEPEST:
        raise Unsayable(f"{_DEEPEST} objects inside each other")
    nouns = (*above, field.noun)
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _lines(nouns, inner, field.child(key), voice)
    elif isinstance(value, list) and any(isinstance(entry, dict | list) for entry in value):
        for number, entry in enumerate(value, start=1):
            inner = field.element or field
            named = (*above, f"{field.noun} {number}") if len(value) > 1 else nouns
            yield from _lines_of_entry(named, entry, inner, voice)
    else:
        yield f"- {', '.join(nouns)}: {_one_line(say(value, field, voice))}"


def _lines_of_entry(above: tuple[str, ...], entry: JsonValue, field: Field, voice: Voice) -> Iterator[str]:
    if not isinstance(entry, dict) or not entry:
        raise Unsayable("a list of mixed lists")
    for key, inner in entry.items():
        yield from _lines(above, inner, field.child(key), voice)


def _one_line(text: str) -> str:
    if "\n" in text or len(text) > _LONGEST_LINE:
        raise Unsayable("a text of several lines")
    return text
