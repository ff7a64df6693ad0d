"""Types written as programs and their documentation write them: `Optional[int]`, `Array<string>`, "str, optional".

What they say of elements and choices is kept: `list[str]` is an array of strings, `int | None` an integer or null.
"""

from __future__ import annotations

import re

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.types import ANY, read_name

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
    choices = [choice for part in _split(text, "|") for choice in re.split(r"\s+or\s+", part)] if text else []
    if len(parts) > 1 and len(choices) == 1 and not text.startswith(tuple(_OPENING)):
        choices = parts
    meanings = [_read_one(choice.strip()) for choice in choices]
    return join_meanings(meanings) if meanings else None


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
        return _generic(
            found[1].rpartition(".")[2].casefold(), next(part for part in found.groups()[1:] if part is not None)
        )
    found = _ELEMENTS.fullmatch(text)
    meaning = read_name(found[1]) if found else None
    if found and meaning and meaning[0] == "array":
        return _container("array", found[1].casefold(), [_singular(found[2])])
    return None


def _singular(text: str) -> str:
    return text[:-1] if read_name(text) is None and text.endswith("s") and read_name(text[:-1]) is not None else text


def _generic(name: str, inside: str) -> JsonObject | None:
    """Read `NAME[INSIDE]`."""
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
    if kind == "array" and name == "tuple" and "..." not in parts and len(parts) > 1:
        members = [_read(part) for part in parts]
        fixed = {"type": "array", "prefixItems": members, "minItems": len(members), "maxItems": len(members)}
        return fixed if None not in members else None
    element = _read(parts[-1] if kind == "object" else parts[0])
    if element is None:
        return None
    held = {"items" if kind == "array" else "additionalProperties": element} if element else {}
    return {"type": kind, **held, **({"uniqueItems": True} if name in _UNIQUE else {})}


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
    kinds = [branch.get("type") for branch in branches]
    if all(isinstance(kind, str) for kind in kinds) and len(set(kinds)) == len(kinds):
        whole = {keyword: part for branch in branches for keyword, part in branch.items()}
        if not any("enum" in branch for branch in branches):
            return {**whole, "type": kinds}
    return {"anyOf": branches}
