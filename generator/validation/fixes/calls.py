"""Fixes of calls: their shape, their type, and their arguments where these are not yet an object."""

from __future__ import annotations

import ast

import orjson

from generator.jsontext import JsonObject, JsonValue
from generator.validation.fixes.fix import Fix
from generator.validation.fixes.parts import (
    all_calls,
    functions_called,
    functions_shown,
    messages_of,
    parsed,
    put_after,
)

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
            alike = [known for known in shown if _letters(known) == _letters(name)]
            if len(alike) == 1:
                function["name"] = alike[0]


def _letters(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


FIXES = (
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
