"""Tools: the callable functions of a job, their names where others must accept them, and what they offer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Literal

from pydantic import Field

from generator.boundary import BoundaryModel
from generator.jsontext import JsonObject, JsonValue, digest, dump_compact
from generator.schemas.pruning import pruned

ResultOrigin = Literal["declared", "domain"]
"""Where a result schema comes from; `domain`: there is none, and the domain makes the results."""


class Change(BoundaryModel):
    """One thing that loading changed in a definition, or could not keep."""

    pointer: str
    """JSON pointer inside the tool's own definition, e.g. `/parameters/properties/city/type`."""
    kind: Literal["changed", "lost"]
    message: str


class Tool(BoundaryModel):
    """One callable function.

    `name` satisfies both OpenAI (data model, 5) and ADM (4.2.2); `parameters` is always an object
    schema of JSON Schema 2020-12 with `properties`; `result_schema` is JSON Schema 2020-12 of any type.
    """

    name: str
    description: str
    parameters: JsonObject
    strict: bool | None = None
    result_schema: JsonObject
    result_origin: ResultOrigin
    source: str = ""
    """Where the definition was read: `file#/json/pointer`."""
    toolset: str = ""
    """Tools of one name live in different toolsets and are never shown together; "" is the common one."""
    domain: str = ""
    """The name of the domain that speaks of it; "" where nothing is known beyond its definition."""
    original_name: str = ""
    """The name before it was mapped to a valid one; equal to `name` where nothing was mapped."""
    changes: tuple[Change, ...] = ()
    extensions: JsonObject = Field(default_factory=dict)
    """Extension and reserved fields (`x_*`, `_metadata` ...), preserved through load and dump."""

    @cached_property
    def shown(self) -> JsonObject:
        """The tool as records show it to the model: `{"type": "function", "function": {...}}`."""
        return self._function(self.shown_parameters)

    @cached_property
    def shown_parameters(self) -> JsonObject:
        """The parameters without what says nothing and costs tokens: definitions that nothing in them refers to."""
        return pruned(self.parameters)

    @property
    def whole(self) -> JsonObject:
        """The tool in the same form with all that its parameters hold."""
        return self._function(self.parameters)

    def _function(self, parameters: JsonObject) -> JsonObject:
        function: JsonObject = {"name": self.name, "description": self.description, "parameters": parameters}
        if self.strict is not None:
            function["strict"] = self.strict
        return {"type": "function", "function": function}

    @cached_property
    def key(self) -> str:
        """The name of the tool within its catalog: stable when its definition changes."""
        return f"{self.toolset}\x1f{self.name}" if self.toolset else self.name

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits of what the model sees: equal definitions have equal fingerprints."""
        return digest(self.shown)


MAX_NAME = 64
_VALID = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")
_OTHER = re.compile(r"[^a-zA-Z0-9_-]+")
_DIGEST_SIZE = 4


def is_valid_name(name: object) -> bool:
    """Say whether a name satisfies OpenAI's and ADM's rules (OpenAI data model, 5; ADM, 4.2.2)."""
    return isinstance(name, str) and _VALID.fullmatch(name) is not None


def map_names(originals: Iterable[str]) -> dict[str, str]:
    """Give every name a valid one: valid names keep theirs, and no two share one.

    The result depends on the set of names alone, not on their order.
    """
    names = sorted(set(originals))
    mapped = {name: name for name in names if is_valid_name(name)}
    taken = set(mapped)
    for name in names:
        if name not in mapped:
            mapped[name] = _first_free(_as_valid(name), taken)
            taken.add(mapped[name])
    return mapped


def _as_valid(name: str) -> str:
    """Return the valid name nearest to this one."""
    letters = [letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter)]
    plain = _OTHER.sub("_", "".join(letters)).strip("_")
    if not re.search("[a-zA-Z0-9]", plain):
        return f"tool_{_digest(name)}"
    if not plain[0].isalpha():
        plain = "_" + plain.lstrip("-")
    return plain if len(plain) <= MAX_NAME else f"{plain[: MAX_NAME - 2 * _DIGEST_SIZE - 1]}_{_digest(name)}"


def _digest(name: str) -> str:
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).hexdigest()


def _first_free(name: str, taken: set[str]) -> str:
    candidate, count = name, 1
    while candidate in taken:
        count += 1
        ending = f"_{count}"
        candidate = name[: MAX_NAME - len(ending)] + ending
    return candidate


_DEEPEST = 6
_MOST_CHOICES = 200
"""Values of one enumeration that are told apart."""


@dataclass(frozen=True, slots=True)
class Surface:
    """What the parameters of a tool offer; a parameter's name is its path, `order.items[].sku`."""

    optional: frozenset[str]
    choices: Mapping[str, frozenset[str]]
    """The values of each enumeration as JSON, by parameter."""


def surface_of(tool: Tool) -> Surface:
    """Return what the parameters of a tool offer, read once per definition."""
    return _surface(dump_compact(tool.parameters))


@lru_cache(maxsize=8192)
def _surface(parameters: str) -> Surface:
    from orjson import loads

    root = loads(parameters)
    optional: set[str] = set()
    choices: dict[str, set[str]] = {}
    for name, schema, required in _parameters("", root, root, 0):
        if not required:
            optional.add(name)
        for value in _choices(schema, root):
            choices.setdefault(name, set()).add(dump_compact(value))
    held = {name: frozenset(values) for name, values in choices.items() if 1 < len(values) <= _MOST_CHOICES}
    return Surface(frozenset(optional), held)


def _parameters(
    prefix: str, schema: JsonObject, root: JsonObject, depth: int
) -> Iterator[tuple[str, JsonObject, bool]]:
    for part in _alternatives(schema, root):
        properties = part.get("properties")
        required = part.get("required")
        for name, child in properties.items() if isinstance(properties, dict) else ():
            if isinstance(child, dict):
                path = f"{prefix}{name}"
                yield path, child, isinstance(required, list) and name in required
                if depth < _DEEPEST:
                    yield from _parameters(f"{path}.", child, root, depth + 1)
        items = part.get("items")
        if isinstance(items, dict) and prefix and depth < _DEEPEST:
            entry = f"{prefix[:-1]}[]"
            yield entry, items, True
            yield from _parameters(f"{entry}.", items, root, depth + 1)


def _alternatives(schema: JsonObject, root: JsonObject) -> Iterator[JsonObject]:
    """Yield a schema, what it refers to and what it chooses from, one level deep."""
    parts: list[JsonValue] = [schema]
    for keyword in ("anyOf", "oneOf", "allOf"):
        parts += schema[keyword] if isinstance(schema.get(keyword), list) else []
    for part in parts:
        if isinstance(part, dict):
            yield part
            target = _target(part.get("$ref"), root)
            if isinstance(target, dict):
                yield target


def _target(reference: JsonValue, root: JsonValue) -> JsonValue:
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    for step in reference[2:].split("/"):
        root = root.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(root, dict) else None
    return root


def _choices(schema: JsonObject, root: JsonObject) -> Iterator[JsonValue]:
    for part in _alternatives(schema, root):
        found = part.get("enum")
        yield from found if isinstance(found, list) else ()


def parts_used(value: JsonValue, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path of everything an argument gives, with the JSON of what is no object and no array."""
    if isinstance(value, dict):
        for key, child in value.items():
            path = f"{prefix}{key}"
            yield path, "" if isinstance(child, dict | list) else dump_compact(child)
            if isinstance(child, dict | list):
                yield from parts_used(child, f"{path}.")
    elif isinstance(value, list):
        entry = f"{prefix[:-1]}[]"
        for child in value:
            yield entry, "" if isinstance(child, dict | list) else dump_compact(child)
            if isinstance(child, dict | list):
                yield from parts_used(child, f"{entry}.")
