"""The gate: proof that a request says every value, leaks no identifier, and reads well enough to be kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from operator import eq

from generator.authors.offline.fields import Field
from generator.authors.offline.saying import Unsayable, Voice, say
from generator.authors.offline.words import singular, split_identifier, word_set
from generator.jsontext import JsonObject, JsonValue

_IDENTIFIER = re.compile(r"\b\w*[A-Za-z0-9]_[A-Za-z0-9]\w*|\b[a-z]+[A-Z]\w*")
_CAMEL = re.compile(r"[a-z][A-Z]")
_BROKEN = re.compile(
    r"[{}]|\b(?:specified|given) (?:a|the)\b|\b(?:a|an|the|of|for|in|with|and|to|by)[.?!]$| [,.?!]|\ban? (?:an?|the)\b"
)
_FILLERS = word_set("the a an is of to in for and or whether if include enable show with")


def unsaid(text: str, arguments: JsonObject, fields: Mapping[str, Field], voice: Voice) -> str:
    """Return the name of the first argument that the text does not say in human form, or the empty string."""
    folded = text.casefold()
    for name, value in arguments.items():
        field = fields.get(name)
        if field is None:
            return name
        for leaf, owner in _leaves(value, field):
            if not _is_said(leaf, owner, folded, voice):
                return name
    return ""


def _leaves(value: JsonValue, field: Field) -> Iterator[tuple[JsonValue, Field]]:
    """Yield every leaf with the field it belongs to."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from _leaves(entry, field.child(key))
    elif isinstance(value, list):
        for entry in value:
            yield from _leaves(entry, field.element or field)
    else:
        yield value, field


def _is_said(leaf: JsonValue, field: Field, folded: str, voice: Voice) -> bool:
    if isinstance(leaf, bool):
        words = [*split_identifier(field.name), *field.description.lower().split()[:12]]
        return any(len(word) > 2 and word not in _FILLERS and singular(word)[:5] in folded for word in words)
    if leaf is None:
        return False
    try:
        said = say(leaf, field, voice).casefold()
    except Unsayable:
        return False
    if isinstance(leaf, str):
        return said in folded or (
            bool(field.enum) and all(singular(word)[:5] in folded for word in said.replace("-", " ").split())
        )
    return _stands_alone(said, folded)


def _stands_alone(number: str, text: str) -> bool:
    """Say whether a number stands in a text and is no part of a longer one."""
    start = text.find(number)
    while start >= 0:
        end = start + len(number)
        before, after = text[start - 1 : start], text[end : end + 2]
        part = before.isdigit() or after[:1].isdigit() or (after[:1] in (".", ",") and after[1:].isdigit())
        if not part:
            return True
        start = text.find(number, start + 1)
    return False


def leaks(text: str, arguments: JsonObject) -> str:
    """Return an identifier (snake_case or camelCase) in the text that is no part of a value, or the empty string."""
    if "_" not in text and not _CAMEL.search(text):
        return ""
    found = _IDENTIFIER.findall(text)
    if not found:
        return ""
    values = " ".join(_texts(arguments))
    return next((word for word in found if word not in values), "")


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from _texts(entry)
            del key
    elif isinstance(value, list):
        for entry in value:
            yield from _texts(entry)


def roughness(text: str) -> float:
    """Return how badly a text reads by its form alone: 0 for nothing to object to."""
    rough = 5.0 * len(_BROKEN.findall(text))
    spoken = text.lower().split(" ")
    rough += 5.0 * sum(1 for doubled in map(eq, spoken, spoken[1:]) if doubled)
    words = len(spoken)
    if words > 45:
        rough += (words - 45) * 0.05
    if text.count(" with ") > 1:
        rough += 0.8
    if text.count(" for ") > 2:
        rough += 0.5
    stilted = text.count(" as the ")
    if stilted > 1:
        rough += 0.7 * (stilted - 1)
    if words < 3:
        rough += 0.5
    return rough
