"""Fixes of calls, and of their arguments by the parameters of the tool they are for."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

import orjson

from generator.jsontext import JsonObject, JsonValue
from generator.validation.fixes.fix import (
    Fix,
    all_calls,
    functions_called,
    functions_shown,
    letters_of,
    messages_of,
    parsed,
    put_after,
)
from generator.validation.tool_view import JSON_TYPES

_LONGEST_LITERAL = 20_000
"""Characters of a Python literal that is read; the reader's depth grows with its length."""
_DEEPEST_LITERAL = 50
_TIMES_ENCODED = 3
_NAMESPACE = "functions."


def _function_calls_as_calls(record: JsonObject) -> None:
    """Read `function_call`, in which older requests made their one call."""
    for message in messages_of(record):
        called = message.get("function_call")
        if message.get("role") == "assistant" and isinstance(called, dict) and not message.get("tool_calls"):
            del message["function_call"]
            message["tool_calls"] = [{"type": "function", "function": called}]


def _calls_wrapped(record: JsonObject) -> None:
    for call in all_calls(record):
        if "function" not in call and isinstance(call.get("name"), str) and call["name"]:
            function = {key: call.pop(key) for key in ("name", "arguments", "parameters", "args") if key in call}
            for other in ("parameters", "args"):
                if other in function and "arguments" not in function:
                    function["arguments"] = function.pop(other)
            call["function"] = function


def _types_of_calls(record: JsonObject) -> None:
    for call in all_calls(record):
        if call.get("type") != "function" and isinstance(call.get("function"), dict):
            put_after(call, "type", "function", "id")


def _arguments_from_text(record: JsonObject) -> None:
    for function in functions_called(record):
        value = function.get("arguments")
        for _ in range(_TIMES_ENCODED):
            value = parsed(value) if isinstance(value, str) else value
        if isinstance(value, dict):
            function["arguments"] = value


def _arguments_there(record: JsonObject) -> None:
    for function in functions_called(record):
        arguments = function.get("arguments")
        if arguments is None or (isinstance(arguments, str) and arguments.strip() in ("", "null")):
            function["arguments"] = {}


def _arguments_from_python(record: JsonObject) -> None:
    for function in functions_called(record):
        if isinstance(function.get("arguments"), str) and parsed(function["arguments"]) is None:
            value = _literal(function["arguments"])
            if isinstance(value, dict):
                function["arguments"] = value


def _literal(text: str) -> JsonValue:
    """Read a Python literal that JSON can hold; None for anything else. Nothing is run."""
    opened = sum(text.count(bracket) for bracket in "([{")
    if len(text) > _LONGEST_LITERAL or opened > _DEEPEST_LITERAL:
        return None
    try:
        value = ast.literal_eval(text.strip())
        return value if orjson.loads(orjson.dumps(value)) == value else None
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def _names_without_namespace(record: JsonObject) -> None:
    shown = {function.get("name") for function in functions_shown(record) if isinstance(function.get("name"), str)}
    for function in functions_called(record):
        name = function.get("name")
        if isinstance(name, str) and name not in shown:
            plain = name.strip().removeprefix(_NAMESPACE)
            if plain in shown:
                function["name"] = plain


def _names_in_another_case(record: JsonObject) -> None:
    shown = [function["name"] for function in functions_shown(record) if isinstance(function.get("name"), str)]
    for function in functions_called(record):
        name = function.get("name")
        if isinstance(name, str) and name not in shown:
            alike = [known for known in shown if letters_of(known) == letters_of(name)]
            if len(alike) == 1:
                function["name"] = alike[0]


CALL_FIXES = (
    Fix(
        "function-calls-as-calls",
        "Reads `function_call`, in which older requests made their one call.",
        ("OA004", "OA010", "TC103"),
        _function_calls_as_calls,
    ),
    Fix("calls-wrapped", "Puts the name and arguments of a flat call into its `function`.", ("OA012",), _calls_wrapped),
    Fix("types-of-calls", "Gives each call the type function.", ("DF007",), _types_of_calls),
    Fix(
        "arguments-there",
        "Writes {} where arguments are missing, null or empty text.",
        ("DF004", "OA015"),
        _arguments_there,
    ),
    Fix(
        "arguments-from-text",
        "Reads arguments that are JSON text, also where they were encoded twice.",
        ("DF004",),
        _arguments_from_text,
    ),
    Fix(
        "arguments-from-python",
        "Reads arguments that are a Python literal, as {'city': 'Rome'}.",
        ("OA015",),
        _arguments_from_python,
    ),
    Fix(
        "names-without-namespace",
        "Takes `functions.` and white space from the name of a call where a shown tool has the rest.",
        ("OA013",),
        _names_without_namespace,
    ),
    Fix(
        "names-in-another-case",
        "Calls the one tool whose name has the same letters and digits.",
        ("OA013", "OA014"),
        _names_in_another_case,
        loses="a name that may have meant another tool",
    ),
)
"""Fixes of calls."""


_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?")
_LARGEST_WHOLE = 2**53
_BOOLEANS = {"true": True, "false": False}

_Change = Callable[[JsonValue, JsonObject], JsonValue]


def _each_argument(record: JsonObject) -> Iterator[tuple[JsonObject, JsonObject]]:
    """Yield the arguments of each call with the parameters of its tool."""
    shown = {function["name"]: function.get("parameters") for function in functions_shown(record)
             if isinstance(function.get("name"), str)}  # fmt: skip
    for function in functions_called(record):
        name = function.get("name")
        parameters = shown.get(name) if isinstance(name, str) else None
        if isinstance(parameters, dict) and isinstance(function.get("arguments"), dict):
            yield function["arguments"], parameters


def _rewritten(value: JsonValue, schema: JsonValue, change: _Change) -> JsonValue:
    """Change the values that stand at plainly declared places: `properties` and `items`, by a single type."""
    if not isinstance(schema, dict):
        return value
    schema = _without_null(schema)
    if isinstance(value, dict) and isinstance(schema.get("properties"), dict):
        known = schema["properties"]
        return {name: _rewritten(part, known.get(name), change) for name, part in value.items()}
    if isinstance(value, list):
        return [_rewritten(part, schema.get("items"), change) for part in value]
    return change(value, schema)


def _without_null(schema: JsonObject) -> JsonObject:
    """Return the one schema that an `anyOf` has beside null, or the schema itself."""
    branches = schema.get("anyOf")
    if not isinstance(branches, list) or len(branches) != 2 or {"type": "null"} not in branches:
        return schema
    kept = branches[1] if branches[0] == {"type": "null"} else branches[0]
    return kept if isinstance(kept, dict) else schema


def _change_all(change: _Change) -> Callable[[JsonObject], None]:
    def mend(record: JsonObject) -> None:
        for arguments, parameters in _each_argument(record):
            arguments.update(_rewritten(dict(arguments), parameters, change))

    return mend


def _kind(schema: JsonObject) -> str:
    kind = schema.get("type")
    return kind.lower() if isinstance(kind, str) and kind.lower() in JSON_TYPES else ""


def _whole(value: JsonValue, schema: JsonObject) -> JsonValue:
    if _kind(schema) == "integer" and isinstance(value, float) and value.is_integer() and abs(value) <= _LARGEST_WHOLE:
        return int(value)
    return value


def _from_text(value: JsonValue, schema: JsonObject) -> JsonValue:
    kind = _kind(schema)
    if not isinstance(value, str) or "enum" in schema or "const" in schema:
        return value
    if kind == "integer" and _INTEGER.fullmatch(value):
        return int(value)
    if kind == "number" and _NUMBER.fullmatch(value):
        return float(value) if "." in value else int(value)
    return _BOOLEANS.get(value.lower(), value) if kind == "boolean" else value


def _by_enum(value: JsonValue, schema: JsonObject) -> JsonValue:
    values = schema.get("enum")
    if not isinstance(value, str) or not isinstance(values, list) or value in values:
        return value
    alike = [each for each in values if isinstance(each, str) and each.casefold() == value.strip().casefold()]
    return alike[0] if len(alike) == 1 else value


def _nulls_left_out(record: JsonObject) -> None:
    _leave_nulls_out(record, lambda schema: bool(_kind(schema)) and _kind(schema) != "null")


def _nullable_left_out(record: JsonObject) -> None:
    _leave_nulls_out(record, lambda schema: True)


def _leave_nulls_out(record: JsonObject, is_left_out: Callable[[JsonObject], bool]) -> None:
    for arguments, parameters in _each_argument(record):
        required, declared = parameters.get("required"), parameters.get("properties")
        known = required if isinstance(required, list) else []
        for name in [name for name, value in arguments.items() if value is None and name not in known]:
            schema = declared.get(name) if isinstance(declared, dict) else None
            if isinstance(schema, dict) and is_left_out(schema):
                del arguments[name]


def _undeclared_left_out(record: JsonObject) -> None:
    for arguments, parameters in _each_argument(record):
        declared = parameters.get("properties")
        if isinstance(declared, dict) and declared and not _PATTERNS & parameters.keys():
            for name in [name for name in arguments if name not in declared]:
                del arguments[name]


_PATTERNS = frozenset({"patternProperties", "unevaluatedProperties", "$ref", "allOf", "anyOf", "oneOf"})


ARGUMENT_FIXES = (
    Fix(
        "null-arguments-left-out",
        "Leaves out optional arguments that are null where their schema does not admit it.",
        ("TC017", "OA016"),
        _nulls_left_out,
    ),
    Fix(
        "nullable-arguments-left-out",
        "Leaves out optional arguments that are null.",
        ("TC017",),
        _nullable_left_out,
        loses="a null that the schema admits",
    ),
    Fix(
        "integers-without-fraction",
        "Writes 5.0 as 5 where the schema wants an integer.",
        ("ADM009",),
        _change_all(_whole),
    ),
    Fix(
        "values-from-text",
        'Reads "5" and "true" as what they say, where the schema wants a number or a boolean.',
        ("OA016",),
        _change_all(_from_text),
    ),
    Fix(
        "values-of-enums",
        "Writes a value as the enum does, where they differ in case and outer white space alone.",
        ("OA016",),
        _change_all(_by_enum),
    ),
    Fix(
        "undeclared-arguments-left-out",
        "Leaves out arguments that the tool does not declare.",
        ("ADM008",),
        _undeclared_left_out,
        loses="the argument",
    ),
)
"""Fixes of arguments."""
