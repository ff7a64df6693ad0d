"""Keywords of older drafts and of OpenAPI, as JSON Schema 2020-12 writes them, and texts freed of control tokens."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from generator.jsontext import JsonObject, JsonValue, dump_compact, pointer
from generator.schemas.keywords import KNOWN, Node, Note, Path, Step, is_extension, shown
from generator.schemas.types import (
    ANY,
    JSON_TYPES,
    fits_type,
    join_meanings,
    join_types,
    read_meaning,
    read_name,
    read_nullable,
)

_CONTROL = re.compile(
    r"<\|([^|<>\s]{1,60})\|>"
    r"|<｜([^｜<>\s]{1,60})｜>"
    r"|</?(think|thinking|tool_call|tool_calls|tool_response|tools|function_calls|s|bos|eos|pad|unk|"
    r"start_of_turn|end_of_turn|begin_of_text|end_of_text|start_of_image)>"
    r"|<<(/?SYS)>>"
    r"|\[/?(INST|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|AVAILABLE_TOOLS|SYSTEM_PROMPT|CALL_ID|ARGS|THINK|IMG)\]"
    r"|\x1b\[[0-9;?]{0,20}[A-Za-z]"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"
    r"|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+"  # seen only where they spell a flag
)
_ESCAPES = ("\\u", "\\b", "\\f")
"""How written JSON shows control characters: where it holds none, it is searched as it is."""
_MAX_ROUNDS = 8


def find_control_token(text: str) -> str | None:
    """Return the first control token or character in a text, or None; line ends and tabs are none.

    Characters are those of terminals, separators of lines that JSON does not escape, bidirectional overrides, which
    show text in another order, and tags, which nobody sees.
    """
    found = _CONTROL.search(text)
    return found.group() if found else None


def find_control_token_in(value: JsonValue) -> str | None:
    """Return the first control token or character in any text or name of a JSON value, or None."""
    written = dump_compact(value)
    if not any(escape in written for escape in _ESCAPES):
        return find_control_token(written)
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            if found := find_control_token(part):
                return found
        elif isinstance(part, dict):
            waiting += [*reversed(part.values()), *reversed(part.keys())]
        elif isinstance(part, list):
            waiting += reversed(part)
    return None


def without_control_tokens(text: str) -> str:
    """Return the text without control characters, each control token reduced to its word: `<|im_end|>` to `im_end`."""
    for _ in range(_MAX_ROUNDS):
        # Taking delimiters away can leave a token that was wrapped in them.
        cleaned = _CONTROL.sub(lambda found: next((word for word in found.groups() if word), ""), text)
        if cleaned == text:
            return text
        text = cleaned
    return _CONTROL.sub("", text).replace("<|", "").replace("|>", "")


_WORD = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+")


@lru_cache(maxsize=8192)
def name_in_words(name: str) -> str:
    """Return the words of a name: `getUserID` and `get_user_id` become `get user ID` and `get user id`.

    A name without a letter or digit is returned as it is.
    """
    words = [word if word.isupper() and len(word) > 1 else word.lower() for word in _WORD.findall(name)]
    return " ".join(words) or name


_CURRENT = "https://json-schema.org/draft/2020-12/schema"


def drop_other_draft(node: Node) -> None:
    """Leave out `$schema` where it names another draft than the working form's."""
    declared = node.schema.get("$schema")
    if declared is not None and declared != _CURRENT:
        del node.schema["$schema"]
        node.note("changed", f"`$schema` {shown(declared)} left out: the schema is 2020-12 now", "$schema")


def rename_definitions(node: Node) -> None:
    """Call `definitions` `$defs`; where both are there, `definitions` stays as it is."""
    if isinstance(node.schema.get("definitions"), dict) and "$defs" not in node.schema:
        node.rename("definitions", "$defs")
        node.note("changed", "`definitions` became `$defs`", "definitions")


def rename_tuple_items(node: Node) -> None:
    """Call a list of `items` `prefixItems`, and what comes after them `items`."""
    if isinstance(node.schema.get("items"), list):
        if node.schema["items"]:
            node.rename("items", "prefixItems")
            node.note("changed", "a list of `items` became `prefixItems`", "items")
        else:
            del node.schema["items"]
            node.note("changed", "an empty list of `items` says nothing: left out", "items")
        if "additionalItems" in node.schema:
            node.rename("additionalItems", "items")
    elif "additionalItems" in node.schema:
        del node.schema["additionalItems"]
        node.note("changed", "`additionalItems` without a list of `items` says nothing: left out", "additionalItems")


def read_exclusive_bounds(node: Node) -> None:
    """Read the boolean `exclusiveMinimum` and `exclusiveMaximum` of draft-04."""
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        value = node.schema.get(exclusive)
        if not isinstance(value, bool):
            continue
        del node.schema[exclusive]
        if value and bound in node.schema:
            node.schema[exclusive] = node.schema.pop(bound)
        node.note("changed", f"a boolean `{exclusive}` became its bound", exclusive)


def split_dependencies(node: Node) -> None:
    """Split `dependencies` into `dependentRequired` and `dependentSchemas`."""
    dependencies = node.schema.get("dependencies")
    if not isinstance(dependencies, dict):
        return
    del node.schema["dependencies"]
    node.note("changed", "`dependencies` became `dependentRequired` and `dependentSchemas`", "dependencies")
    for name, needed in dependencies.items():
        keyword = "dependentRequired" if isinstance(needed, list | str) else "dependentSchemas"
        value = [needed] if isinstance(needed, str) else needed
        node.schema.setdefault(keyword, {})
        if isinstance(node.schema[keyword], dict):
            node.schema[keyword] = {**node.schema[keyword], name: value}
            node.origins[keyword] = (*node.path, "dependencies")


def rename_single_keywords(node: Node) -> None:
    """Rename keywords whose meaning stayed: draft-03's `divisibleBy`, 2019-09's recursion."""
    for old, new in (("divisibleBy", "multipleOf"), ("$recursiveRef", "$ref")):
        if old in node.schema and new not in node.schema:
            node.rename(old, new)
            node.note("changed", f"`{old}` became `{new}`", old)


OLDER_DRAFT_STEPS: tuple[Step, ...] = (
    drop_other_draft,
    rename_definitions,
    rename_tuple_items,
    read_exclusive_bounds,
    split_dependencies,
    rename_single_keywords,
)


_MAY_BE_NULL = frozenset({"default", "const", "example"})
_UNDERSTOOD = KNOWN | {"optional"}


def drop_nulls(node: Node) -> None:
    """Leave out keywords whose value is null."""
    for name in [name for name, value in node.schema.items() if value is None and name not in _MAY_BE_NULL]:
        del node.schema[name]
        node.note("changed", f"`{name}` is null: left out", name)


def read_type_names(node: Node) -> None:
    """Give every type its JSON name."""
    kind = node.schema.get("type")
    if isinstance(kind, str) and kind not in JSON_TYPES:
        _set_types(node, [kind])
    elif isinstance(kind, list):
        _set_types(node, kind)
    elif kind is not None and not isinstance(kind, str):
        node.note("error", f"`type` is {shown(kind)}, no type name", "type", remedy="name a type of JSON Schema")
        del node.schema["type"]


def _set_types(node: Node, given: list[JsonValue]) -> None:
    meanings = [read_name(name) if isinstance(name, str) else None for name in given]
    if given and None not in meanings:
        _set_names(node, [meaning for meaning in meanings if meaning])
    elif not _set_meaning(node, given):
        wrong = given[meanings.index(None)] if given else []
        remedy = f"the types are {', '.join(JSON_TYPES)}; leave `type` out where every value is good"
        node.note("error", f"the type {shown(wrong)} is not known", "type", remedy=remedy)
        del node.schema["type"]


def _set_names(node: Node, meanings: list[tuple[str, str]]) -> None:
    """Write the JSON types that a type, or a list of them, means, and the format that such a name says as well."""
    written = node.schema["type"]
    kinds = list(dict.fromkeys(kind for kind, _ in meanings))
    formats = [form for _, form in meanings if form]
    if ANY in kinds:
        del node.schema["type"]
        node.note("changed", f"the type {shown(written)} admits every value", "type")
    elif isinstance(written, str):
        node.schema["type"] = kinds[0]
        node.note("changed", f"the type {shown(written)} became {kinds[0]}", "type")
    elif kinds != written:
        node.schema["type"] = kinds
        node.note("changed", f"the types {shown(written)} became {shown(kinds)}", "type")
    if formats and "format" not in node.schema and "enum" not in node.schema:
        node.schema["format"] = formats[0]


def _set_meaning(node: Node, given: list[JsonValue]) -> bool:
    """Read types that say what they hold, `list[str]`; keywords that are there already say it better."""
    meaning = join_meanings([read_meaning(name) if isinstance(name, str) else None for name in given])
    if meaning is None:
        return False
    del node.schema["type"]
    written = shown(given[0] if len(given) == 1 else given)
    node.note("changed", f"the type {written} became {shown(meaning)}", "type")
    if "anyOf" in meaning and "anyOf" in node.schema:
        meaning = {"allOf": [*node.schema.pop("allOf", []), meaning]} if _may_have_conjuncts(node) else {}
    for keyword, part in meaning.items():
        node.schema.setdefault(keyword, part)
    return True


def _may_have_conjuncts(node: Node) -> bool:
    return isinstance(node.schema.get("allOf", []), list)


def read_empty_list_of_properties(node: Node) -> None:
    """Read `properties: []`, which some languages write for an empty map."""
    if node.schema.get("properties") == []:
        node.schema["properties"] = {}
        node.note("changed", "an empty list of `properties` became an empty object", "properties")


def read_required_flags(node: Node) -> None:
    """Move `required: true` from properties to the object that has them."""
    properties = node.schema.get("properties")
    if isinstance(node.schema.get("required"), bool):
        del node.schema["required"]
        node.note("changed", "a boolean `required` outside a property says nothing: left out", "required")
    if not isinstance(properties, dict):
        return
    flags = _flags_of(properties)
    if not flags:
        return
    node.schema["properties"] = {name: _without(part, "required", name in flags) for name, part in properties.items()}
    given = node.schema.get("required", [])
    if isinstance(given, list):
        node.schema["required"] = given + [name for name, flag in flags.items() if flag and name not in given]
    for name in flags:
        node.note("changed", "`required` moved to the object that has the property", "properties", name, "required")


def _flags_of(properties: JsonObject) -> dict[str, bool]:
    """Return what the properties that have a flag say of themselves: whether they are required."""
    return {
        name: part["required"]
        for name, part in properties.items()
        if isinstance(part, dict) and isinstance(part.get("required"), bool)
    }


def _without(part: JsonValue, keyword: str, applies: bool) -> JsonValue:
    return {name: value for name, value in part.items() if name != keyword} if applies else part


def read_required(node: Node) -> None:
    """Make `required` a list of distinct names of declared properties."""
    required = node.schema.get("required")
    if required is None:
        return
    if isinstance(required, str):
        required = [required]
        node.note("changed", "`required` became a list", "required")
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        node.note(
            "error", f"`required` is {shown(required)}, no list of names", "required", remedy="list property names"
        )
        del node.schema["required"]
        return
    distinct = list(dict.fromkeys(required))
    if len(distinct) != len(required):
        node.note("changed", "`required` names a property twice: once is enough", "required")
    node.schema["required"] = [name for name in distinct if _is_declared(node, name)]


def _is_declared(node: Node, name: str) -> bool:
    """Say whether an object can have the required property; one that cannot could never be given."""
    properties = node.schema.get("properties")
    open_otherwise = ("patternProperties", "allOf", "anyOf", "oneOf", "$ref", "if", "$dynamicRef")
    if not properties or not isinstance(properties, dict) or name in properties:
        return True
    if node.schema.get("additionalProperties", False) is not False or any(key in node.schema for key in open_otherwise):
        return True
    node.note("lost", f"`required` names {shown(name)}, which is no property: not required any more", "required")
    return False


def check_enum(node: Node) -> None:
    """Refuse an `enum` of which no value is possible."""
    values, kind = node.schema.get("enum"), node.schema.get("type")
    if not isinstance(values, list):
        return
    if not values:
        node.note("error", "`enum` is empty: no value is possible", "enum", remedy="list values, or leave it out")
    elif isinstance(kind, str) and not any(fits_type(value, kind) for value in values):
        remedy = f"list values of the type {kind}, or change the type"
        node.note("error", f"no value of `enum` is of the type {kind}", "enum", remedy=remedy)


_BOUNDS: tuple[tuple[str, Callable[[Any, Any], bool]], ...] = (
    ("minimum", operator.ge), ("maximum", operator.le),
    ("exclusiveMinimum", operator.gt), ("exclusiveMaximum", operator.lt),
)  # fmt: skip
_SIZES: tuple[tuple[str, str, Callable[[Any, Any], bool]], ...] = (
    ("Length", "min", operator.ge), ("Length", "max", operator.le),
    ("Items", "min", operator.ge), ("Items", "max", operator.le),
)  # fmt: skip


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _broken_bound(schema: JsonObject, value: JsonValue) -> str:
    """Return the bound that a value breaks, of numbers, texts and lists; "" where it keeps to all."""
    bounds = _BOUNDS if _is_number(value) else ()
    if isinstance(value, str | list):
        measured = "Length" if isinstance(value, str) else "Items"
        bounds = tuple((side + what, keeps) for what, side, keeps in _SIZES if what == measured)
        value = len(value)
    return next((word for word, keeps in bounds if _is_number(schema.get(word)) and not keeps(value, schema[word])), "")


def check_default(node: Node) -> None:
    """Say where a default is no value of its own schema; it is kept, since it only informs."""
    if "default" not in node.schema:
        return
    default, kind, values = node.schema["default"], node.schema.get("type"), node.schema.get("enum")
    kinds = kind if isinstance(kind, list) else [] if kind is None else [kind]
    if kinds and not any(fits_type(default, name) for name in kinds):
        node.note("advice", f"the default {shown(default)} is not of the type {shown(kind)}", "default")
    elif isinstance(values, list) and default not in values:
        node.note("advice", f"the default {shown(default)} is not in `enum`", "default")
    elif broken := _broken_bound(node.schema, default):
        node.note("advice", f"the default {shown(default)} does not keep to `{broken}`", "default")


def clean_texts(node: Node) -> None:
    """Take control tokens of chat templates out of texts, and refuse them where they are data."""
    for name in ("description", "title", "$comment"):
        text = node.schema.get(name)
        if isinstance(text, str) and find_control_token(text):
            node.schema[name] = without_control_tokens(text)
            node.note("changed", f"the control token {find_control_token(text)!a} became plain text", name)
    for name in ("default", "examples", "example"):
        if name in node.schema and (token := _control_token_in(node.schema[name])):
            del node.schema[name]
            node.note("lost", f"holds the control token {token!a}: left out", name)
    for name in ("enum", "const", "properties"):
        if name in node.schema and (token := _control_token_in(node.schema[name], names=name == "properties")):
            node.note(
                "error", f"holds the control token {token!a}, which chat templates or terminals obey", name,
                remedy="give the value another spelling",
            )  # fmt: skip


def _control_token_in(value: JsonValue, *, names: bool = False) -> str | None:
    """Return the first control token in a value, or with `names` in the names of properties alone."""
    return find_control_token_in(list(value) if names and isinstance(value, dict) else value)


def note_unknown(node: Node) -> None:
    """Name the keywords that JSON Schema does not know; they are kept."""
    for name in node.schema:
        if name not in _UNDERSTOOD and not is_extension(name):
            node.note("deviation", f"`{name}` is no keyword of JSON Schema: kept, without effect", name)


def describe(schema: JsonObject, name: str, path: Path, notes: list[Note]) -> None:
    """Give a property that lacks a description its name in words."""
    given = schema.get("description")
    if given is None or (isinstance(given, str) and not given.strip()):
        schema["description"] = name_in_words(name)
        notes.append(Note(pointer(path), "changed", "the missing description of a parameter became its name"))


STEPS: tuple[Step, ...] = (
    drop_nulls,
    *OLDER_DRAFT_STEPS,
    read_type_names,
    read_nullable,
    read_empty_list_of_properties,
    read_required_flags,
    read_required,
    check_default,
    clean_texts,
    note_unknown,
    join_types,
    check_enum,
)
