"""Telling: whether a text says a value, in any of the forms in which templates say values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from generator.jsontext import JsonValue
from generator.worlds.rows import Worded
from generator.worlds.speech import FORMATS, Speech, Unsayable
from generator.worlds.templates import Template

_WORD = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_SLOT = re.compile(r"\{\s*\$?([A-Za-z_][A-Za-z0-9_]*)")
_LETTERS = re.compile(r"\w+")
_ENDING = re.compile(r"(?<=\w{2})ies$|(?<=(?:ss|sh|ch|\wx|\wz))es$|(?<=\w{2}[^su])s$")
"""Endings of a plural; "bus" and "dress" have none."""
_NOT_DRAWN = frozenset({"me", "today", "now", "args", "it"})
_LOSSY = frozenset({"plural", "yes", "cut", "first", "count", "brief", "weekday_name"})
"""Formats that say a part of a value, or a word in its place."""


def is_told(value: JsonValue, text: str) -> bool:
    """Say whether a text holds a value as it stands or in one of the formats; of an object, all that it holds."""
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, dict | list):
        return all(is_told(each, text) for each in (value.values() if isinstance(value, dict) else value))
    plain = _plain(text)
    if _stands(str(value), plain) or any(_stands(form, plain) for form in _forms(value)):
        return True
    return isinstance(value, str) and _singular(value) in _singulars(plain)


@lru_cache(maxsize=4096)
def _forms(value: str | float) -> list[str]:
    speech = Speech()
    found = [str(value)]
    for name, (write, _) in FORMATS.items():
        if name in _LOSSY:
            continue
        try:
            found.append(write(value, "", speech))
        except (Unsayable, ValueError, TypeError, IndexError, OverflowError):
            continue
    return [form for form in found if form]


def _stands(form: str, text: str) -> bool:
    plain = _plain(form)
    return plain in text and re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", text) is not None


def _singular(text: str) -> str:
    """Write a text with its words in one number, so that one storm and storms are the same, with a space around."""
    words = _LETTERS.findall(_plain(text))
    return f" {' '.join(_ENDING.sub(_without_ending, word) for word in words)} "


@lru_cache(maxsize=256)
def _singulars(plain: str) -> str:
    return _singular(plain)


def _without_ending(ending: re.Match[str]) -> str:
    return "y" if ending[0] == "ies" else ""


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def says(template: Template, spec: JsonValue, given: Any, value: JsonValue, text: str) -> bool:
    """Say whether what a template wrote says an argument.

    Args:
        template: the template.
        spec: how the domain file writes the argument.
        given: what it stands for before it is brought to JSON: a worded value has words of its own.
        value: the argument.
        text: what the template wrote, and what was said and told before it.
    """
    if isinstance(given, Worded):
        return any(words.casefold() in text.casefold() for words in given.say) or is_told(value, text)
    if isinstance(spec, str) and re.search(r"\{\s*\$?" + re.escape(spec[1:]) + r"\s*[|}]", template.source):
        return True
    roots = set(_roots(spec)) - _NOT_DRAWN
    if not isinstance(spec, str) and roots:
        return roots <= template.names or is_told(value, text)
    return is_told(value, text) and not (isinstance(value, bool) and not roots <= template.names)


def _roots(spec: JsonValue, key: str = "") -> Iterator[str]:
    """Yield the names that a value begins with, in texts and formulas among them; operators are none."""
    if isinstance(spec, dict):
        for name, inner in spec.items():
            yield from _roots(inner, name)
    elif isinstance(spec, list):
        for inner in spec:
            yield from _roots(inner, key)
    elif isinstance(spec, str):
        yield from _SLOT.findall(spec) if key == "$text" else _WORD.findall(spec)
