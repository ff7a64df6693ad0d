"""The types of JSON Schema by every name and expression they go by, and the unions of several."""

from __future__ import annotations

import re

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.keywords import ANNOTATIONS, BY_TYPE, IDENTIFYING, Node

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


_LONGEST = 300
_OPENING = "[<({"
_CLOSING = dict(zip("]>)}", _OPENING, strict=True))
_GENERIC = re.compile(r"([\w.]+)\s*(?:\[(.*)\]|<(.*)>|\((.*)\))", re.DOTALL)
_ELEMENTS = re.compile(r"(\w+)\s+of\s+(?:type\s+)?(.+)", re.DOTALL | re.IGNORECASE)
_REMARK = re.compile(r"(?:optional|required|default\b.*|keyword[- ]only)", re.DOTALL | re.IGNORECASE)
_TEXT = re.compile(r"""(['"])(.*?)\1""", re.DOTALL)
_NUMBER = re.compile(r"-?[0-9]{1,18}")
_WORDS: dict[str, JsonValue] = {"true": True, "false": False, "none": None, "null": None}
_UNIQUE = frozenset({"set", "frozenset", "hashset"})


def read_type(name: str) -> tuple[str, str] | None:
    """Return the JSON type and the format that a type means, or None for one that cannot be read.

    The type is `ANY` for what admits values of several types, null apart; the format is mostly "".
    """
    meaning = read_meaning(name)
    if meaning is None:
        return None
    kinds = meaning.get("type", ANY)
    kinds = [kind for kind in kinds if kind != "null"] if isinstance(kinds, list) else [kinds]
    return (kinds[0] if len(kinds) == 1 else ANY), meaning.get("format", "")


def read_meaning(text: str) -> JsonObject | None:
    """Return the schema that a type means, or None for one that cannot be read; `{}` admits every value."""
    plain = read_name(text)
    if plain is not None:
        return _of_name(*plain)
    return _read(text) if len(text) <= _LONGEST else None


def _of_name(kind: str, form: str) -> JsonObject:
    return {} if kind == ANY else {"type": kind, "format": form} if form else {"type": kind}


def _read(text: str) -> JsonObject | None:
    """Read a type with its remarks, or a choice of types."""
    parts = [part for part in _split(text.strip().rstrip("?"), ",") if not _REMARK.fullmatch(part.strip(" ()"))]
    text = re.sub(r"\s*\((?:optional|required)\)\s*$", "", ", ".join(parts), flags=re.IGNORECASE)
    choices = [choice for part in _split(text, "|") for choice in re.split(r"\s+or\s+", part)]
    if len(parts) > 1 and len(choices) == 1 and not text.startswith(tuple(_OPENING)):
        choices = parts
    return join_meanings([_read_one(choice.strip()) for choice in choices])


def _split(text: str, separator: str) -> list[str]:
    """Split at a separator that stands outside brackets and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for index, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in _OPENING:
            depth += 1
        elif letter in _CLOSING:
            depth -= 1
        elif letter == separator and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()]


def _read_one(text: str) -> JsonObject | None:
    """Read one type that is no choice."""
    if not text:
        return None
    plain = read_name(text) or read_name(text.rpartition(".")[2] or text)
    if plain is not None:
        return _of_name(*plain)
    if text.endswith("[]"):
        return _container("array", "array", [text[:-2]])
    if text.startswith("{") and text.endswith("}"):
        return _literal(text[1:-1])
    if found := _GENERIC.fullmatch(text):
        return _generic(found)
    return _list_of(text)


def _list_of(text: str) -> JsonObject | None:
    """Read `list of strings`."""
    found = _ELEMENTS.fullmatch(text)
    meaning = read_name(found[1]) if found else None
    if found and meaning and meaning[0] == "array":
        return _container("array", found[1].casefold(), [_singular(found[2])])
    return None


def _singular(text: str) -> str:
    return text[:-1] if read_name(text) is None and text.endswith("s") and read_name(text[:-1]) is not None else text


def _generic(found: re.Match[str]) -> JsonObject | None:
    """Read `NAME[INSIDE]`."""
    name = found[1].rpartition(".")[2].casefold()
    inside = next(part for part in found.groups()[1:] if part is not None)
    if name == "literal":
        return _literal(inside)
    parts = _split(inside, ",")
    if name == "annotated":
        return _read(parts[0])
    if name in ("optional", "union", "required", "notrequired", "final", "classvar"):
        null = [{"type": "null"}] if name == "optional" else []
        return join_meanings([*(_read(part) for part in parts), *null])
    meaning = read_name(name)
    return _container(meaning[0], name, parts) if meaning and meaning[0] in ("array", "object") else None


def _container(kind: str, name: str, parts: list[str]) -> JsonObject | None:
    """Return a list or map with the type of its elements."""
    if name == "tuple" and "..." not in parts and len(parts) > 1:
        return _tuple(parts)
    element = _read(parts[-1] if kind == "object" else parts[0])
    if element is None:
        return None
    held = {"items" if kind == "array" else "additionalProperties": element} if element else {}
    return {"type": kind, **held, **({"uniqueItems": True} if name in _UNIQUE else {})}


def _tuple(parts: list[str]) -> JsonObject | None:
    """Return a list with the type of each of its positions."""
    members = [_read(part) for part in parts]
    fixed = {"type": "array", "prefixItems": members, "minItems": len(members), "maxItems": len(members)}
    return fixed if None not in members else None


def _literal(inside: str) -> JsonObject | None:
    """Read the values that `Literal['a', 1]` lists."""
    values: list[JsonValue] = []
    for part in _split(inside, ","):
        if text := _TEXT.fullmatch(part):
            values.append(text[2])
        elif _NUMBER.fullmatch(part):
            values.append(int(part))
        elif part.casefold() in _WORDS:
            values.append(_WORDS[part.casefold()])
        else:
            return None
    all_text = all(isinstance(value, str) for value in values)
    return {"type": "string", "enum": values} if all_text else {"enum": values}


def join_meanings(meanings: list[JsonObject | None]) -> JsonObject | None:
    """Return the choice of several schemas: a list of types where each type is there once."""
    if None in meanings:
        return None
    branches = [one for index, one in enumerate(meanings) if one is not None and one not in meanings[:index]]
    if {} in branches:
        return {}
    if len(branches) < 2:
        return branches[0] if branches else None
    return _of_several_types(branches) or {"anyOf": branches}


def _of_several_types(branches: list[JsonObject]) -> JsonObject | None:
    """Return the branches as one schema with a list of types; None where types are shared, or values listed."""
    kinds = [branch.get("type") for branch in branches]
    if not all(isinstance(kind, str) for kind in kinds) or len(set(kinds)) < len(kinds):
        return None
    if any("enum" in branch for branch in branches):
        return None
    whole = {keyword: part for branch in branches for keyword, part in branch.items()}
    return {**whole, "type": kinds}


_OUTSIDE = ANNOTATIONS | IDENTIFYING
_COMPOSED = ("$ref", "anyOf", "oneOf", "allOf")
_PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
    "boolean": (bool,),
    "null": (type(None),),
}


def fits_type(value: JsonValue, kind: str) -> bool:
    """Say whether a value is of a JSON type; 5.0 is an integer, true is no number."""
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _PYTHON_TYPES.get(kind, ()))


def read_nullable(node: Node) -> None:
    """Read OpenAPI's `nullable`: the type, or the type and null."""
    nullable = node.schema.get("nullable")
    if not isinstance(nullable, bool):
        return
    del node.schema["nullable"]
    kind = node.schema.get("type")
    if not nullable:
        node.note("changed", "`nullable: false` says nothing: left out", "nullable")
    elif isinstance(kind, str):
        node.schema["type"] = [kind, "null"]
        node.note("changed", "`nullable` became a choice with null", "nullable")
    elif any(keyword in node.schema for keyword in _COMPOSED):
        node.schema["anyOf"] = [_taken_from(node), {"type": "null"}]
        node.unfold()
        node.note("changed", "`nullable` became a choice with null", "nullable")
    else:
        node.note("changed", "`nullable` without a type says nothing: left out", "nullable")


def _taken_from(node: Node) -> JsonObject:
    """Take out of an object what it says of values, for its branches to say."""
    return {name: node.schema.pop(name) for name in list(node.schema) if name not in _OUTSIDE}


def join_types(node: Node) -> None:
    """Write a list of types as `anyOf`, each keyword in the branch of the values it speaks of."""
    kinds = node.schema.get("type")
    if not isinstance(kinds, list) or not kinds:
        return
    if len(kinds) == 1:
        node.schema["type"] = kinds[0]
        node.note("changed", f"the list of one type became {kinds[0]}", "type")
        return
    node.note("changed", f"the list of types {', '.join(kinds)} became `anyOf`", "type")
    if isinstance(node.schema.get("allOf", []), list) and not node.schema.keys().isdisjoint(("anyOf", "allOf")):
        # Both must hold: the types move into a conjunct of their own.
        del node.schema["type"]
        choice = {"anyOf": [{"type": kind} for kind in kinds]}
        node.schema["allOf"] = [*node.schema.get("allOf", []), choice]
        return
    inner = _taken_from(node)
    del inner["type"]
    branches = [branch for kind in kinds if (branch := _branch(kind, inner)) is not None]
    if len(branches) == 1:
        node.schema.update(branches[0])
        return
    node.schema["anyOf"] = branches
    node.unfold()


def _branch(kind: str, keywords: JsonObject) -> JsonObject | None:
    """Return the branch of one type with the keywords that speak of it; None where no such value is listed."""
    of_others = _TYPED - BY_TYPE.get("number" if kind == "integer" else kind, frozenset())
    branch: JsonObject = {"type": kind}
    for name, value in keywords.items():
        if name == "enum" and isinstance(value, list):
            branch[name] = [choice for choice in value if fits_type(choice, kind)]
        elif name not in of_others:
            branch[name] = value
    if not _has_values(branch, kind):
        return None
    return {"type": "null"} if kind == "null" else branch


def _has_values(branch: JsonObject, kind: str) -> bool:
    """Say whether a branch lists a value of its type, if it lists any."""
    return branch.get("enum") != [] and ("const" not in branch or fits_type(branch["const"], kind))


_TYPED: frozenset[str] = frozenset().union(*BY_TYPE.values())
