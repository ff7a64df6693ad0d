"""Fixes of the record as a whole: parts that stand as text, alone instead of in an array, or as null."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue
from generator.records.calls import SUCCESS
from generator.schemas.adm_errors import ERROR_TYPES
from generator.validation.fixes.fix import Fix
from generator.validation.fixes.parts import all_calls, calls_of, functions_shown, messages_of, parsed, put_after
from generator.validation.grounding.arguments.grounded import explain
from generator.validation.rules import RULES
from generator.validation.view import RecordView

_ROLES = {
    "human": "user",
    "gpt": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "ai": "assistant",
    "function": "tool",
    "observation": "tool",
    "tool_response": "tool",
    "developer": "system",
}
_KNOWN = ("system", "user", "assistant", "tool")
_OPTIONAL = ("tool_calls", "tool_call_id", "name")


def _as_list(holder: JsonObject, key: str) -> None:
    """Read a text of a JSON array or object, and put a single object into an array."""
    value = holder.get(key)
    if isinstance(value, str):
        value = parsed(value)
    if isinstance(value, dict):
        value = [value]
    if isinstance(value, list):
        holder[key] = value


def _lists_from_text(record: JsonObject) -> None:
    for key in ("messages", "tools"):
        _as_list(record, key)
    for message in messages_of(record):
        _as_list(message, "tool_calls")


def _objects_from_text(record: JsonObject) -> None:
    for key in ("messages", "tools"):
        _parse_entries(record.get(key))
    for message in messages_of(record):
        _parse_entries(message.get("tool_calls"))
    if isinstance(parsed(record.get("metadata")), dict):
        record["metadata"] = parsed(record["metadata"])


def _parse_entries(entries: JsonValue) -> None:
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(parsed(entry), dict):
            entries[index] = parsed(entry)


def _nulls_left_out(record: JsonObject) -> None:
    for key in ("metadata", "parallel_tool_calls"):
        if key in record and record[key] is None:
            del record[key]
    for message in messages_of(record):
        for key in _OPTIONAL:
            if key in message and message[key] is None:
                del message[key]
    for function in functions_shown(record):
        if "strict" in function and function["strict"] is None:
            del function["strict"]


def _empty_calls_left_out(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("tool_calls") == []:
            del message["tool_calls"]


def _roles_by_their_names(record: JsonObject) -> None:
    for message in messages_of(record):
        role = message.get("role")
        if isinstance(role, str) and role not in _KNOWN:
            plain = role.strip().lower()
            message["role"] = _ROLES.get(plain, plain if plain in _KNOWN else role)


def _flags_from_text(record: JsonObject) -> None:
    for holder, key in [
        (record, "parallel_tool_calls"),
        *((function, "strict") for function in functions_shown(record)),
    ]:
        if isinstance(holder.get(key), str) and holder[key].strip().lower() in ("true", "false"):
            holder[key] = holder[key].strip().lower() == "true"


def _no_tools_shown(record: JsonObject) -> None:
    bare = record.get("tools") is None and "functions" not in record and not any(all_calls(record))
    if bare and isinstance(record.get("messages"), list):
        put_after(record, "tools", [], "messages")


def _statuses_of_calls(record: JsonObject) -> None:
    metadata = record.get("metadata")
    statuses = metadata.get("statuses") if isinstance(metadata, dict) else None
    if isinstance(metadata, dict) and isinstance(statuses, dict):
        told = {message["tool_call_id"]: _status_of(message.get("content")) for message in messages_of(record)
                if message.get("role") == "tool" and isinstance(message.get("tool_call_id"), str)}  # fmt: skip
        ids = dict.fromkeys(call["id"] for call in all_calls(record) if isinstance(call.get("id"), str))
        kept = {call_id: status for call_id, status in statuses.items() if call_id in ids}
        metadata["statuses"] = {**kept, **{each: told[each] for each in ids if each not in kept and told.get(each)}}


def _status_of(content: JsonValue) -> str:
    """Return the status that a result tells by itself; "" where its error has no standard type."""
    value = parsed(content)
    error = value.get("error") if isinstance(value, dict) and len(value) == 1 else None
    if not isinstance(error, dict):
        return SUCCESS
    kind = error.get("type")
    return kind if isinstance(kind, str) and kind in ERROR_TYPES else ""


def _grounding_told_again(record: JsonObject) -> None:
    metadata = record.get("metadata")
    if isinstance(metadata, dict) and "grounding" in metadata:
        metadata["grounding"] = explain(record)


def _misplaced_links_left_out(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") in ("system", "user", "assistant"):
            message.pop("tool_call_id", None)


def _parallel_flag_left_out(record: JsonObject) -> None:
    if record.get("parallel_tool_calls") is False and any(len(calls_of(each)) > 1 for each in messages_of(record)):
        del record["parallel_tool_calls"]


def _unknown_keys_left_out(record: JsonObject) -> None:
    for code in ("TC103", "TC104"):
        for finding in list(RULES[code].find(RecordView(record))):
            *path, key = (part.replace("~1", "/").replace("~0", "~") for part in finding.pointer.split("/")[1:])
            holder: JsonValue = record
            for step in path:
                holder = holder[int(step)] if isinstance(holder, list) else holder[step]
            del holder[key]


FIXES = (
    Fix(
        "lists-from-text",
        "Reads messages, tools and calls that are JSON text, and puts a single one into an array.",
        ("DF002", "DF003", "OA017"),
        _lists_from_text,
    ),
    Fix(
        "objects-from-text",
        "Reads single messages, tools, calls and metadata that are the text of a JSON object.",
        ("OA002", "OA012", "OA018", "TC111"),
        _objects_from_text,
    ),
    Fix("nulls-left-out", "Leaves out optional keys that are null.", ("TC003", "TC110"), _nulls_left_out),
    Fix(
        "empty-calls-left-out", "Leaves out `tool_calls` where it is empty.", ("TC004", "OA005"), _empty_calls_left_out
    ),
    Fix(
        "roles-by-their-names",
        "Writes roles as system, user, assistant and tool: human, gpt, function, developer and other spellings.",
        ("OA003",),
        _roles_by_their_names,
    ),
    Fix("flags-from-text", 'Reads "true" and "false" as booleans.', ("OA011", "OA026"), _flags_from_text),
    Fix("no-tools-shown", "Says `tools: []` where none is shown and none is called.", ("TC102",), _no_tools_shown),
    Fix(
        "statuses-of-calls",
        "Leaves out statuses of calls that are not there, and gives calls the status that their result tells.",
        ("ADM102", "ADM103"),
        _statuses_of_calls,
    ),
    Fix(
        "grounding-told-again",
        "Tells in the metadata again where the arguments come from.",
        ("TC207",),
        _grounding_told_again,
    ),
    Fix(
        "misplaced-links-left-out",
        "Leaves out `tool_call_id` where the message is no tool's.",
        ("OA006",),
        _misplaced_links_left_out,
        loses="a link that no reader follows",
    ),
    Fix(
        "unknown-keys-left-out",
        "Leaves out keys that a written record does not have.",
        ("TC103", "TC104"),
        _unknown_keys_left_out,
        loses="what stands there",
    ),
    Fix(
        "parallel-flag-left-out",
        "Leaves out `parallel_tool_calls: false` where there are parallel calls.",
        ("OA032",),
        _parallel_flag_left_out,
        loses="what the request allowed",
    ),
)
"""Fixes of the record as a whole."""
