"""Places: the schema of an argument's value, and what the schema itself says it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.numbers import forms_of
from generator.validation.grounding.reading.quantities import quantities_of
from generator.validation.grounding.reading.words import find_literal, fold, tokens_of_value
from generator.validation.grounding.sources import SCHEMA, Grounding
from generator.validation.tool_view import ToolView

Path = tuple[str | int, ...]
_Node = tuple[Path, JsonObject]

_MOST_NODES = 64
_CACHED_PLACES = 8192
_DESCRIBED_DEFAULT = re.compile(
    r"\bdefault(?:s|ed)?\b((?:\W|\b(?:is|are|value|values|to|as|the|of|set|will|be|unit|units|a|an|it|used|in|standard|"
    r"if|not|specified|provided|given|assumed|and)\b){0,24})|"
    r"\b(?:if|when) (?:not|un|none)[ -]?(?:is )?(?:provided|specified|given|set)\b"
    r"((?:\W|\b(?:is|it|will|be|to|the|use|uses|used|assume|assumes|assumed)\b){1,12})"
)
_QUOTES = " '\"`(:=[$€£,"
_LINKS = re.compile(r"(?:[ ('\"`]|\bby|\bas|\bis|\bthe|\ba){1,12}$")
"""What may stand between a value and the word `default` after it."""
_REACH = 48
"""Characters beside the word `default` of a description in which the value must stand."""


@lru_cache(maxsize=_CACHED_PLACES)
def schemas_at(tool: ToolView, path: Path) -> tuple[_Node, ...]:
    """Return the schemas that a value at this path of the arguments meets, each with its path in the parameters."""
    nodes = _branches([((), tool.parameters)], tool.parameters)
    for step in path:
        nodes = _branches([child for node in nodes for child in _children(node, step)], tool.parameters)
    return tuple(nodes)


def _branches(nodes: list[tuple[Path, JsonValue]], root: JsonValue) -> list[_Node]:
    """Add what each schema refers to and chooses from; bounded, so that a circle ends."""
    found: list[_Node] = []
    waiting = [(path, schema) for path, schema in nodes if isinstance(schema, dict)]
    while waiting and len(found) < _MOST_NODES:
        path, schema = waiting.pop(0)
        found.append((path, schema))
        for keyword in ("anyOf", "oneOf", "allOf"):
            options = schema.get(keyword)
            if isinstance(options, list):
                waiting += [((*path, keyword, at), each) for at, each in enumerate(options) if isinstance(each, dict)]
        waiting += _referred(schema.get("$ref"), root)
    return found


def _referred(reference: JsonValue, root: JsonValue) -> list[_Node]:
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return []
    target = root
    path: list[str | int] = []
    for step in reference[2:].split("/"):
        target = target.get(step) if isinstance(target, dict) else None
        path.append(step)
    return [(tuple(path), target)] if isinstance(target, dict) else []


def _children(node: _Node, step: str | int) -> Iterator[tuple[Path, JsonValue]]:
    path, schema = node
    if isinstance(step, int):
        tuples = schema.get("prefixItems")
        if isinstance(tuples, list) and step < len(tuples):
            yield (*path, "prefixItems", step), tuples[step]
        elif isinstance(schema.get("items"), dict):
            yield (*path, "items"), schema["items"]
        return
    properties = schema.get("properties")
    if isinstance(properties, dict) and step in properties:
        yield (*path, "properties", step), properties[step]
    elif isinstance(schema.get("additionalProperties"), dict):
        yield (*path, "additionalProperties"), schema["additionalProperties"]


@lru_cache(maxsize=_CACHED_PLACES)
def declared_at(tool: ToolView, path: Path) -> frozenset[str]:
    """Return the keys that the schema of the object at a path names."""
    schemas = [schema for _, schema in schemas_at(tool, path)]
    named = [schema.get("properties") for schema in schemas] + [schema.get("required") for schema in schemas]
    return frozenset(key for keys in named if isinstance(keys, dict | list) for key in keys if isinstance(key, str))


def ground_in_schema(value: JsonValue, tool: ToolView, path: Path, tool_index: int) -> Grounding | None:
    """Find the value in its schema: as const, only choice, default, or default that the description states."""
    for where, schema in schemas_at(tool, path):
        for keyword, found in _given(schema):
            if same(found, value):
                return _grounding(tool_index, (*where, keyword), value)
        if describes_default(schema.get("description"), value):
            return _grounding(tool_index, (*where, "description"), value)
    return _in_parents(value, tool, path, tool_index)


def _given(schema: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    for keyword in ("const", "default"):
        if keyword in schema:
            yield keyword, schema[keyword]
    choices = schema.get("enum")
    if isinstance(choices, list) and len(choices) == 1:
        yield "enum", choices[0]


def _in_parents(value: JsonValue, tool: ToolView, path: Path, tool_index: int) -> Grounding | None:
    """Find the value inside the default of an array or object around it."""
    for depth in range(len(path) - 1, 0, -1):
        for where, schema in schemas_at(tool, path[:depth]):
            for keyword, found in _given(schema):
                if same(_inside(found, path[depth:]), value):
                    return _grounding(tool_index, (*where, keyword), value)
            if describes_default(schema.get("description"), value):
                return _grounding(tool_index, (*where, "description"), value)
    return None


def _inside(root: JsonValue, path: Path) -> JsonValue:
    for step in path:
        if isinstance(root, dict):
            root = root.get(str(step))
        elif isinstance(root, list) and isinstance(step, int) and step < len(root):
            root = root[step]
        else:
            return None
    return root


def same(one: JsonValue, other: JsonValue) -> bool:
    """Say whether two leaves are one JSON value: 5 is 5.0, but true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other and not isinstance(one, dict | list) and one is not None


def describes_default(description: JsonValue, value: JsonValue) -> bool:
    """Say whether the description states the value as its default, next to the word: "Default is 5", "5 by default"."""
    if not isinstance(description, str) or not isinstance(value, str | int | float) or value == "":
        return False
    folded = fold(description[:4000])
    for match in _DESCRIBED_DEFAULT.finditer(folded):
        after, before = (
            folded[match.end() : match.end() + _REACH],
            folded[max(0, match.start() - _REACH) : match.start()],
        )
        if _stands_at(after, value, first=True) or _stands_at(_LINKS.sub("", before), value, first=False):
            return True
    return isinstance(value, int | float) and "default" in folded and _is_first_number_after_default(folded, value)


_FIRST_NUMBER = re.compile(
    r"(?<![\w.])([-−]?\d{1,15}(?:\.\d{1,15})?)(?:\s?[x×*]\s?10\s?\^\s?([-−]?\d{1,2})|e([-+]?\d{1,2}))?"
)
_DEFAULT_REACH = 120
"""Characters after the word `default` of a description in which its number stands."""


def _is_first_number_after_default(folded: str, value: int | float) -> bool:
    """Say whether the first number after the word is this: "default is permeability in free space, 0.01"."""
    for match in re.finditer("default", folded):
        number = _FIRST_NUMBER.search(folded[match.end() : match.end() + _DEFAULT_REACH])
        if number is not None:
            power = (number[2] or number[3] or "0").replace("−", "-")
            stated = float(f"{number[1].replace('−', '-')}e{power}")
            if abs(stated - value) <= 1e-9 * abs(value):
                return True
    return False


def _stands_at(stretch: str, value: str | int | float, *, first: bool) -> bool:
    """Say whether a stretch of text begins, or ends, with the value."""
    forms = forms_of(value) if isinstance(value, int | float) and not isinstance(value, bool) else (fold(str(value)),)
    for written in forms:
        at = find_literal(stretch, written)
        if at >= 0 and first and not stretch[:at].strip(_QUOTES):
            return not stretch[at + len(written) :][:1].isalnum()
        if not first and stretch.endswith(written) and find_literal(stretch, written) >= 0:
            return True
    return first and not isinstance(value, str) and _states_first(stretch, value)


def _states_first(stretch: str, value: int | float) -> bool:
    return any(
        abs(quantity.value - value) <= 1e-9 * abs(value) and not stretch[: stretch.find(quantity.text)].strip(_QUOTES)
        for quantity in quantities_of(stretch)[:4]
    )


@lru_cache(maxsize=_CACHED_PLACES)
def words_at(tool: ToolView, path: Path) -> frozenset[str]:
    """Return the words of the name and the description of the value at a path."""
    names = [step for step in path if isinstance(step, str)]
    described = [text for _, schema in schemas_at(tool, path) if isinstance(text := schema.get("description"), str)]
    return frozenset(token for text in (*names, *described) for token in tokens_of_value(text[:1000]))


def _grounding(tool_index: int, where: Path, value: JsonValue) -> Grounding:
    return Grounding(SCHEMA, f"/tools/{tool_index}/function/parameters{pointer(where)}", str(value)[:80])
