"""The names that dialects give to types, and the JSON Schema type each means."""

from __future__ import annotations

JSON_TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")

ANY = ""
"""The meaning of a type name that admits every value: no `type` at all."""

_MEANINGS: dict[str, str] = {
    "object": "object dict dictionary hashmap hashtable map mapping hash record struct json",
    "array": "array list arraylist linkedlist vector set frozenset tuple queue stack sequence collection iterable",
    "number": "number float double decimal bigdecimal real numeric",
    "integer": "integer int long short byte bigint biginteger int32 int64 uint uint32 uint64",
    "string": "string str char character text varchar",
    "boolean": "boolean bool",
    "null": "null none nil void",
}

# Names that say a format as well; the value of "enum" and "file" is written as a string.
_FORMATTED: dict[str, tuple[str, str]] = {
    "date": ("string", "date"),
    "time": ("string", "time"),
    "datetime": ("string", "date-time"),
    "date-time": ("string", "date-time"),
    "timestamp": ("string", "date-time"),
    "uuid": ("string", "uuid"),
    "email": ("string", "email"),
    "uri": ("string", "uri"),
    "url": ("string", "uri"),
    "enum": ("string", ""),
    "file": ("string", ""),
}

_MEANING: dict[str, str] = {name: meaning for meaning, names in _MEANINGS.items() for name in names.split()}
_MEANING.update(dict.fromkeys(("", "any", "mixed", "unknown", "undefined", "variant", "value"), ANY))


def read_name(name: str) -> tuple[str, str] | None:
    """Return the JSON type and the format that one plain name means, or None for a name nobody uses.

    The type is `ANY` for names that admit every value; the format is mostly "".
    """
    if name in JSON_TYPES:
        return name, ""
    folded = name.strip().casefold()
    return (_MEANING[folded], "") if folded in _MEANING else _FORMATTED.get(folded)
