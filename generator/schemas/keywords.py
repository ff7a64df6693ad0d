"""The keywords of JSON Schema by what they hold: a walker that knows them, and one schema object with notes on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from generator.jsontext import JsonObject, JsonValue, dump_compact, pointer

SCHEMA = frozenset(
    {
        "items",
        "additionalProperties",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contains",
        "propertyNames",
        "not",
        "if",
        "then",
        "else",
        "additionalItems",
        "contentSchema",
    }
)
"""Keywords that hold one schema."""

SCHEMAS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
"""Keywords that hold a list of schemas."""

SCHEMA_MAP = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
"""Keywords that hold schemas by name; the names are data."""

ANNOTATIONS = frozenset(
    {"title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "$comment"}
)
"""Keywords that say something about a value and refuse none."""

IDENTIFYING = frozenset({"$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$defs", "definitions"})
"""Keywords about the schema itself."""

BY_TYPE: dict[str, frozenset[str]] = {
    "string": frozenset({"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
    "array": frozenset(
        {"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"}
        | {"unevaluatedItems"}
    ),
    "object": frozenset(
        {"properties", "patternProperties", "additionalProperties", "required", "propertyNames", "minProperties"}
        | {"maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"}
    ),
}
"""Keywords that speak of values of one type alone."""

KNOWN = (
    SCHEMA
    | SCHEMAS
    | SCHEMA_MAP
    | ANNOTATIONS
    | IDENTIFYING
    | frozenset().union(*BY_TYPE.values())
    | {"type", "enum", "const", "$ref", "$dynamicRef", "contentSchema", "discriminator", "xml", "externalDocs"}
)
"""Every keyword of JSON Schema 2020-12 and of OpenAPI's dialect of it."""

REFERENCES = (b'"$ref":', b'"$dynamicRef":')
"""How references look in the compact JSON text of a schema."""

NAMED = (b'"$id":', b'"$anchor":', b'"$dynamicAnchor":')
"""How a part that has a name of its own looks there."""

CHOICES = tuple(
    b'"%s":' % word.encode()
    for word in (*SCHEMAS - {"prefixItems"}, "not", "if", "then", "else", "dependentRequired", "dependentSchemas",
                 "unevaluatedItems", "unevaluatedProperties")
)  # fmt: skip
"""How keywords look there by which a schema admits what several others admit, or not."""


def mentions(text: bytes, words: tuple[bytes, ...]) -> bool:
    """Say whether the compact JSON text of a schema could hold one of some keywords; a property of that name counts."""
    for word in words:  # noqa: SIM110  # a generator would take twice as long
        if word in text:
            return True
    return False


Path = tuple[str | int, ...]


def walk(node: JsonValue, path: Path = ()) -> Iterator[tuple[JsonObject, Path]]:
    """Yield every object schema in a schema, the outer ones first, with the path to each."""
    if not isinstance(node, dict):
        return
    yield node, path
    for keyword, value in node.items():
        if keyword in SCHEMA:
            yield from walk(value, (*path, keyword))
        elif keyword in SCHEMAS and isinstance(value, list):
            for index, part in enumerate(value):
                yield from walk(part, (*path, keyword, index))
        elif keyword in SCHEMA_MAP and isinstance(value, dict):
            for name, part in value.items():
                yield from walk(part, (*path, keyword, name))


EXTENSION_PREFIXES = ("x_", "x-", "vendor_", "later_", "grid_", "_adm_")
RESERVED_NAMES = frozenset({"_version", "_extensions", "_metadata", "_deprecated", "_experimental"})


def is_extension(name: str) -> bool:
    """Say whether a field is an extension or reserved by ADM; `x-`, OpenAPI's and MCP's prefix, counts as well."""
    return name.startswith(EXTENSION_PREFIXES) or name in RESERVED_NAMES


Level = Literal["changed", "lost", "advice", "deviation", "error"]
"""What a note means for the definition.

changed, lost: loading made the definition fit for its consumers. advice: a recommendation is not followed.
deviation: a rule is broken but there is one safe reading; strict loading refuses it. error: unusable.
"""


@dataclass(frozen=True, slots=True)
class Note:
    """One finding; `pointer` is a JSON pointer relative to what was read."""

    pointer: str
    level: Level
    message: str
    remedy: str = ""
    code: str = ""
    """The code of the rule that was broken, e.g. `ADM233`; "" where no rule of a specification was."""


def under(prefix: str, notes: Iterable[Note]) -> list[Note]:
    """Return the notes with their pointers put under a prefix."""
    return [replace(note, pointer=prefix + note.pointer) for note in notes]


@dataclass(slots=True)
class Node:
    """One schema object, a copy that steps may change; `path` is where it stood in the file."""

    schema: JsonObject
    path: Path
    notes: list[Note]
    origins: dict[str, Path] = field(default_factory=dict)
    """Where the value of a keyword stood, for keywords that were renamed."""
    branches: bool = False
    """Whether `anyOf` was made from what the object itself said."""

    def note(self, level: Level, message: str, *parts: str | int, remedy: str = "") -> None:
        """Note something about the object, or about a part of it."""
        self.notes.append(Note(pointer((*self.path, *parts)), level, message, remedy))

    def rename(self, old: str, new: str) -> None:
        """Give a keyword its name of today, at the end of the object."""
        self.schema[new] = self.schema.pop(old)
        self.origins[new] = (*self.path, old)

    def unfold(self) -> None:
        """Say that the branches of `anyOf` stood where the object itself stands."""
        self.branches = True

    def old_path(self, keyword: str, *parts: str | int) -> Path:
        """Return where a part of a keyword stood in the file."""
        if keyword == "anyOf" and self.branches:
            return self.path
        return (*self.origins.get(keyword, (*self.path, keyword)), *parts)


Step = Callable[[Node], None]
"""One change, or one check, of one schema object."""


def shown(value: JsonValue, length: int = 60) -> str:
    """Return a value as a message shows it: compact JSON, cut."""
    text = dump_compact(value)
    return text if len(text) <= length else text[: length - 3] + "..."
