"""Fixes of calls and their results: arguments, ids and the links between them, and the errors that tools return."""

from __future__ import annotations

import ast
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from itertools import filterfalse

import orjson

from generator.ids import draw_call_ids, is_call_id
from generator.jsontext import JsonObject, JsonValue, digest, dump_compact
from generator.random_streams import stream
from generator.schemas.adm import ERROR_TYPES
from generator.validation.fixes.fix import (
    Fix,
    Turn,
    all_calls,
    function_of,
    functions_called,
    functions_shown,
    key_of,
    letters_of,
    messages_of,
    parsed,
    put_after,
    say_the_same,
    turns_of,
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


_PREFIX = "call_"


def _ids_of_nine(record: JsonObject) -> None:
    """Give a new id to every call whose id is not one, or is an earlier call's, and to the results of that call.

    `call_` and nine characters keep the nine. The others are drawn from a stream that the record decides.
    """
    taken = {call["id"] for call in all_calls(record) if is_call_id(call.get("id"))}
    fresh = _fresh_ids(record, taken)
    used: set[str] = set()
    renamed: dict[str, str] = {}
    for turn in turns_of(record):
        old = [key_of(call.get("id")) for call in turn.calls]
        for call in turn.calls:
            if not is_call_id(call.get("id")) or call["id"] in used:
                before, new = call.get("id"), _new_id(call.get("id"), taken, fresh)
                taken.add(new)
                renamed.setdefault(key_of(before), new)
                _keep_told(record, before, new)
                call["id"] = new
            used.add(call["id"])
        _relink(turn, old)
    _relink_late(record, renamed)
    _drop_old(record, renamed)


def _new_id(identity: JsonValue, taken: set[str], fresh: Iterator[str]) -> str:
    bare = identity.removeprefix(_PREFIX) if isinstance(identity, str) else ""
    return bare if is_call_id(bare) and bare not in taken else next(fresh)


def _fresh_ids(record: JsonObject, taken: set[str]) -> Iterator[str]:
    count = sum(1 for _ in all_calls(record))
    draws = stream(0, "mended call ids", digest(record.get("messages")))
    for identity in draw_call_ids(2 * count + len(taken) + 1, draws):
        if identity not in taken:
            yield identity


def _relink(turn: Turn, old: list[str]) -> None:
    """Link the results of a turn again: those that named one old id go to its calls in their order."""
    queues: dict[str, deque[str]] = defaultdict(deque)
    for key, call in zip(old, turn.calls, strict=True):
        queues[key].append(call["id"])
    for result in turn.results:
        queue = queues.get(key_of(result.get("tool_call_id")))
        if queue and key_of(result.get("tool_call_id")):
            result["tool_call_id"] = queue[0]
            if len(queue) > 1:
                queue.popleft()


def _relink_late(record: JsonObject, renamed: dict[str, str]) -> None:
    """Link results that do not stand right behind their call; an id that is still a call's is left alone."""
    ids = _ids(record)
    for message in messages_of(record):
        named = message.get("tool_call_id")
        if message.get("role") == "tool" and not (isinstance(named, str) and named in ids):
            message.update({"tool_call_id": renamed[key]} if (key := key_of(named)) and key in renamed else {})


def _told_by_id(record: JsonObject) -> list[JsonObject]:
    """Return what the metadata tell of calls by their ids, such as statuses."""
    metadata = record.get("metadata")
    return [told for told in metadata.values() if isinstance(told, dict)] if isinstance(metadata, dict) else []


def _keep_told(record: JsonObject, before: JsonValue, new: str) -> None:
    for told in _told_by_id(record):
        if isinstance(before, str) and before in told:
            told[new] = told[before]


def _drop_old(record: JsonObject, renamed: dict[str, str]) -> None:
    ids = _ids(record)
    for told in _told_by_id(record):
        for call_id in [known for known in told if known not in ids and key_of(known) in renamed]:
            del told[call_id]


def _results_linked(record: JsonObject) -> None:
    """Link results without a link, where as many calls of their turn are unanswered: by name, else by place."""
    ids = _ids(record)
    for turn in turns_of(record):
        loose = [result for result in turn.results if not _is_link(result.get("tool_call_id"), ids)]
        open_calls = _unanswered(turn)
        if loose and len(loose) == len(open_calls) and all(is_call_id(call.get("id")) for call in open_calls):
            for result, call in _pairs(loose, open_calls):
                put_after(result, "tool_call_id", call["id"], "role")


def _unanswered(turn: Turn) -> list[JsonObject]:
    """Return the calls of a turn that no result of it names."""
    linked = {key_of(result.get("tool_call_id")) for result in turn.results}
    return [call for call in turn.calls if key_of(call.get("id")) not in linked]


def _ids(record: JsonObject) -> set[str]:
    return {call["id"] for call in all_calls(record) if isinstance(call.get("id"), str)}


def _is_link(named: JsonValue, ids: set[str]) -> bool:
    return isinstance(named, str) and named in ids


def _pairs(results: list[JsonObject], calls: list[JsonObject]) -> list[tuple[JsonObject, JsonObject]]:
    """Pair results with calls, named ones first: each with the first open call of its name; none where one is left."""
    by_name: dict[str, deque[int]] = defaultdict(deque)
    for index, call in enumerate(calls):
        by_name[key_of(function_of(call).get("name"))].append(index)
    pairs = []
    for result in filter(_name_of, results):
        fitting = by_name[key_of(_name_of(result))]
        if not fitting:
            return []
        pairs.append((result, calls[fitting.popleft()]))
    rest = sorted(index for indexes in by_name.values() for index in indexes)
    unnamed = filterfalse(_name_of, results)
    return [*pairs, *((result, calls[index]) for result, index in zip(unnamed, rest, strict=True))]


def _name_of(result: JsonObject) -> str:
    name = result.get("name")
    return name if isinstance(name, str) else ""


def _results_in_order(record: JsonObject) -> None:
    messages = record.get("messages")
    for turn in turns_of(record):
        places = {call.get("id"): index for index, call in enumerate(turn.calls) if isinstance(call.get("id"), str)}
        links = [result.get("tool_call_id") for result in turn.results]
        if isinstance(messages, list) and all(isinstance(link, str) and link in places for link in links):
            ordered = sorted(turn.results, key=lambda result: places[result["tool_call_id"]])
            messages[turn.first_result : turn.first_result + len(ordered)] = ordered


def _results_answered_once(record: JsonObject) -> None:
    """Leave out a result that says again, word by word, what an earlier one of its turn says."""
    messages = record.get("messages")
    again: set[int] = set()
    for turn in turns_of(record):
        seen: set[str] = set()
        for index, result in enumerate(turn.results, turn.first_result):
            said = digest(result)
            again.update([index] if said in seen else [])
            seen.add(said)
    if again and isinstance(messages, list):
        record["messages"] = [message for index, message in enumerate(messages) if index not in again]


def _names_of_results(record: JsonObject) -> None:
    names = {call["id"]: function_of(call).get("name") for call in all_calls(record) if isinstance(call.get("id"), str)}
    for message in messages_of(record):
        link, name = message.get("tool_call_id"), message.get("name")
        if message.get("role") == "tool" and isinstance(link, str) and not (isinstance(name, str) and name):
            called = names.get(link)
            if isinstance(called, str) and called:
                put_after(message, "name", called, "tool_call_id")


def _names_as_called(record: JsonObject) -> None:
    names = {call["id"]: function_of(call).get("name") for call in all_calls(record) if isinstance(call.get("id"), str)}
    for message in messages_of(record):
        link = message.get("tool_call_id")
        called = names.get(link) if isinstance(link, str) else None
        if message.get("role") == "tool" and isinstance(called, str) and called and "name" in message:
            message["name"] = called


LINK_FIXES = (
    Fix(
        "ids-of-nine",
        "Gives calls without a compliant or unique id a new one, and their results with them.",
        ("DF005", "DF006"),
        _ids_of_nine,
    ),
    Fix(
        "results-linked",
        "Links results to the unanswered calls of their turn, by name and place, where their numbers agree.",
        ("DF008", "OA007", "TC011"),
        _results_linked,
    ),
    Fix("results-in-order", "Puts the results of a turn into the order of its calls.", ("TC006",), _results_in_order),
    Fix("results-once", "Leaves out a result that is there twice, word by word.", ("TC012",), _results_answered_once),
    Fix("names-of-results", "Gives a tool message the name of the tool it answers for.", ("TC005",), _names_of_results),
    Fix(
        "names-as-called",
        "Gives a tool message the name that its call has.",
        ("ADM101",),
        _names_as_called,
        loses="a name that may tell that the link is wrong",
    ),
)
"""Fixes of ids and links."""


_FIELDS = ("type", "message")


def _change_errors(change: Callable[[JsonObject], JsonObject]) -> Callable[[JsonObject], None]:
    """Make a fix of a change to the error object in a tool message; a text that would lose digits stays."""

    def mend(record: JsonObject) -> None:
        for message in messages_of(record):
            content = message.get("content")
            value: JsonValue = parsed(content) if message.get("role") == "tool" else None
            error = value.get("error") if isinstance(value, dict) and len(value) == 1 else None
            if isinstance(error, dict) and isinstance(content, str) and say_the_same(content, dump_compact(value)):
                changed = change(error)
                if changed != error:
                    message["content"] = dump_compact({"error": changed})

    return mend


def _in_capitals(error: JsonObject) -> JsonObject:
    kind = error.get("type")
    if not isinstance(kind, str) or kind in ERROR_TYPES:
        return error
    alike = next((known for known in ERROR_TYPES if letters_of(known) == letters_of(kind)), None)
    return error if alike is None else {**error, "type": alike}


def _bare(error: JsonObject) -> JsonObject:
    return {key: value for key, value in error.items() if key in _FIELDS}


ERROR_FIXES = (
    Fix(
        "error-types-in-capitals",
        "Writes a standard type of errors as it is written: resourceNotFound becomes RESOURCE_NOT_FOUND.",
        ("ADM108",),
        _change_errors(_in_capitals),
    ),
    Fix(
        "errors-bare",
        "Leaves of an error its type and message.",
        ("ADM112",),
        _change_errors(_bare),
        loses="the details of the error",
    ),
)
"""Fixes of the errors that tools return."""
