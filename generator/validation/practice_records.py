"""TC, second half: the record as a whole, its tools and its metadata (tool-calling practice)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_origin

import orjson

from generator.jsontext import JsonObject, JsonValue, LongFloat, pointer
from generator.kinds import KINDS
from generator.records.record import Metadata
from generator.validation.kinds import KIND_CHECKS, UNDER_WAY
from generator.validation.limits import oversized
from generator.validation.masks import by_its_own_names
from generator.validation.opinions import is_judged_abroad
from generator.validation.practice_messages import holds_control_token
from generator.validation.rule import Finding, Rule, tool_rule
from generator.validation.say import brief, kind_of
from generator.validation.tool_view import ToolView, miscased
from generator.validation.view import RecordView

_SOURCE = "tool-calling practice"

_ROOT_KEYS = frozenset({"messages", "tools", "metadata"})
_MESSAGE_KEYS = {
    "system": frozenset({"role", "content"}),
    "user": frozenset({"role", "content"}),
    "assistant": frozenset({"role", "content", "tool_calls"}),
    "tool": frozenset({"role", "content", "tool_call_id", "name"}),
}
_CALL_KEYS = frozenset({"id", "type", "function"})
_CALLED_KEYS = frozenset({"name", "arguments"})
_TOOL_KEYS = frozenset({"type", "function"})
_FUNCTION_KEYS = frozenset({"name", "description", "parameters", "strict"})
_METADATA_TYPES: dict[str, type[str | int | dict[str, str]]] = {
    name: get_origin(field.annotation) or field.annotation  # type: ignore[misc]  # its fields are of these types
    for name, field in Metadata.model_fields.items()
}
_METADATA_KINDS = tuple(_METADATA_TYPES.values())
_ELSEWHERE = frozenset({"tool_calls", "tool_call_id", "parallel_tool_calls"})
"""Keys whose wrong place has a rule of its own."""


def _document_is_json(record: RecordView) -> Iterator[Finding]:
    yield from unstorable(record.document)


def unstorable(document: JsonValue) -> Iterator[Finding]:
    """Yield one finding where a document cannot be stored as JSON, or is too large to be checked; else none.

    No view of such a document is safe.
    """
    try:
        # NaN is written as null, and so may be hidden.
        hidden = list(_first_unstorable(document)) if b"null" in orjson.dumps(document, option=_PLAIN) else []
        yield from hidden or oversized(document)
    except (TypeError, ValueError, RecursionError) as error:
        found = list(_first_unstorable(document))
        yield found[0] if found else Finding("", f"cannot be written as JSON: {error}")


_PLAIN = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
DEEPEST = 254
"""How many arrays and objects may lie in each other: the most that the JSON writer writes."""


def _first_unstorable(root: JsonValue) -> Iterator[Finding]:
    """Yield the first value inside that JSON cannot hold."""
    waiting: list[tuple[tuple[str | int, ...], JsonValue]] = [((), root)]
    while waiting:
        path, value = waiting.pop()
        problem = "it nests too deeply" if len(path) > DEEPEST else _not_json(value)
        if problem:
            yield Finding(pointer(path[:DEEPEST]).encode("utf-8", "replace").decode(), problem)
            return
        if isinstance(value, dict):
            waiting.extend(((*path, key), child) for key, child in value.items())
        elif isinstance(value, list):
            waiting.extend(((*path, index), child) for index, child in enumerate(value))


def _not_json(value: JsonValue) -> str:
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, str):
        return "it holds a lone surrogate, which is no Unicode text" if _has_surrogate(value) else ""
    if isinstance(value, int):
        return "" if -(2**63) <= value < 2**64 else "a number beyond 64 bits is read differently by different readers"
    if isinstance(value, LongFloat):
        return "a number has more digits than a reader keeps"
    if isinstance(value, float):
        return "NaN and Infinity are not JSON" if value - value != 0 else ""
    if isinstance(value, dict):
        odd = next((key for key in value if not isinstance(key, str) or _has_surrogate(key)), None)
        return "" if odd is None else f"{brief(odd)} is no JSON key"
    return "" if type(value) is list else f"a {type(value).__name__} is not JSON"


def _has_surrogate(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def _record_shows_tools(record: RecordView) -> Iterator[Finding]:
    if record.is_object and record.entry.get("tools") is None:
        yield Finding("/tools", "a record shows its tools; without them no call can be checked")


def _keys_are_known(record: RecordView) -> Iterator[Finding]:
    if not record.entry.keys() <= _ROOT_KEYS:
        yield from _unknown("", record.entry, _ROOT_KEYS)
    for message in record.messages:
        known = _MESSAGE_KEYS.get(message.role)
        if known is not None and not message.entry.keys() <= known:
            given = {key: value for key, value in message.entry.items() if value is not None}  # null: TC003
            yield from _unknown(message.pointer, given, known)
    for call in record.calls:
        if not (call.entry.keys() <= _CALL_KEYS and call.function.keys() <= _CALLED_KEYS):
            yield from _unknown(call.pointer, call.entry, _CALL_KEYS)
            yield from _unknown(f"{call.pointer}/function", call.function, _CALLED_KEYS)


def _unknown(where: str, entry: JsonObject, known: frozenset[str]) -> Iterator[Finding]:
    for key in sorted(entry.keys() - known - _ELSEWHERE):
        yield Finding(where + pointer([key]), f"the format has no key {brief(key)} here")


def _tool_keys_are_known(tool: ToolView) -> Iterator[Finding]:
    yield from _unknown("", tool.entry, _TOOL_KEYS)
    yield from _unknown("/function", tool.function, _FUNCTION_KEYS)


def _parameters_have_properties(tool: ToolView) -> Iterator[Finding]:
    parameters = tool.parameters
    if isinstance(parameters, dict) and parameters.get("type") == "object" and "properties" not in parameters:
        yield Finding("/function/parameters", "templates expect `properties`, {} where there are none")


def _properties_are_described(tool: ToolView) -> Iterator[Finding]:
    parameters = tool.parameters
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        description = schema.get("description") if isinstance(schema, dict) else None
        if not (isinstance(description, str) and description.strip()):
            where = "/function/parameters" + pointer(["properties", name])
            yield Finding(where, f"the parameter {brief(name)} has no description")


def _types_are_lower_case(tool: ToolView) -> Iterator[Finding]:
    for node in tool.nodes:
        kind = node.schema.get("type")
        if miscased(kind):
            yield Finding(f"{node.pointer}/type", f"JSON Schema writes types in lower case: {brief(kind)}")


def _types_are_single(tool: ToolView) -> Iterator[Finding]:
    for node in tool.nodes:
        kinds = node.schema.get("type")
        if isinstance(kinds, list) and "null" in kinds:
            yield Finding(
                f"{node.pointer}/type", "templates recurse without end over a list of types with null; use anyOf"
            )


def _definition_holds_no_control_token(tool: ToolView) -> Iterator[Finding]:
    try:
        text = orjson.dumps(tool.raw).decode()
    except (TypeError, ValueError):
        return
    for token in holds_control_token(text):
        yield Finding("", f"{brief(token)} is a control token of chat templates; a definition never holds it")


def _strict_is_not_null(tool: ToolView) -> Iterator[Finding]:
    if "strict" in tool.function and tool.function["strict"] is None:
        yield Finding("/function/strict", "a key without a value is left out, not null")


def _metadata_are_object(record: RecordView) -> Iterator[Finding]:
    metadata = record.entry.get("metadata")
    if metadata is not None and not isinstance(metadata, dict):
        yield Finding("/metadata", f"the metadata of a record are an object, here {kind_of(metadata)}")


def _metadata_are_whole(record: RecordView) -> Iterator[Finding]:
    if not isinstance(record.entry.get("metadata"), dict):
        return
    if tuple(map(type, map(record.metadata.get, _METADATA_TYPES))) == _METADATA_KINDS:
        return
    for name, kind in _METADATA_TYPES.items():
        value = record.metadata.get(name)
        if type(value) is not kind:
            what = kind_of(value) if name in record.metadata else "missing"
            yield Finding(f"/metadata/{name}", f"`{name}` of a record's metadata is {kind_of(kind())}, here {what}")


def _kind_is_known(record: RecordView) -> Iterator[Finding]:
    kind = record.metadata.get("kind")
    if isinstance(kind, str) and kind not in KIND_CHECKS:
        yield Finding("/metadata/kind", f"a kind is one of {', '.join(KIND_CHECKS)}, not {brief(kind)}")


def _kind_is_kept(record: RecordView) -> Iterator[Finding]:
    kind = record.metadata.get("kind")
    claim = KIND_CHECKS.get(kind) if isinstance(kind, str) else None
    if claim is None or (is_judged_abroad(record) and not KINDS[str(kind)].counts_only):
        return
    for complaint in claim(by_its_own_names(record)):
        yield Finding("/metadata/kind", f"{kind}: {complaint}")


def kind_under_way(record: RecordView, coming: frozenset[str]) -> Iterator[Finding]:
    """Yield what the kind of a record that is not whole will not forgive, when these tools are still to be called."""
    kind = record.metadata.get("kind")
    claim = UNDER_WAY.get(kind) if isinstance(kind, str) and not is_judged_abroad(record) else None
    for complaint in claim(by_its_own_names(record), coming) if claim is not None else ():
        yield Finding("/metadata/kind", f"{kind}: {complaint}")


def _keys_are_unique(record: RecordView) -> Iterator[Finding]:
    for where, key, times in record.repeated_keys:
        yield Finding(where, f"the key {brief(key)} is given {times} times; readers keep one and lose the others")


def _format_is_recognised(record: RecordView) -> Iterator[Finding]:
    if record.unread and record.is_object:
        yield Finding("", record.unread)


DOCUMENT_RULE = Rule(
    "TC101", "A record can be stored as JSON, and is no larger than what is checked.", _SOURCE, _document_is_json
)
"""Asked first; where it is broken nothing else is."""

RULES = (
    DOCUMENT_RULE,
    Rule("TC102", "A record shows its tools.", _SOURCE, _record_shows_tools, read="warning"),
    Rule("TC103", "A written record holds known keys alone.", _SOURCE, _keys_are_known, read="warning"),
    tool_rule("TC104", "A written tool holds known keys alone.", _SOURCE, _tool_keys_are_known, read="warning"),
    tool_rule("TC105", "Parameters have `properties`.", _SOURCE, _parameters_have_properties, read="warning"),
    tool_rule("TC106", "Every parameter has a description.", _SOURCE, _properties_are_described, read="warning"),
    tool_rule("TC107", "Types are written in lower case.", _SOURCE, _types_are_lower_case, read="warning"),
    tool_rule("TC108", "No type is a list with null.", _SOURCE, _types_are_single, read="warning"),
    tool_rule(
        "TC109", "No definition holds a control token.", _SOURCE, _definition_holds_no_control_token, read="warning"
    ),
    tool_rule("TC110", "`strict` is left out rather than null.", _SOURCE, _strict_is_not_null, read="warning"),
    Rule("TC111", "Metadata are an object.", _SOURCE, _metadata_are_object),
    Rule("TC112", "The metadata of a written record are whole.", _SOURCE, _metadata_are_whole, read=None),
    Rule("TC113", "The kind of a written record is known.", _SOURCE, _kind_is_known, read=None),
    Rule("TC114", "A record is of the kind it claims.", _SOURCE, _kind_is_kept, read=None),
    Rule("TC115", "No object names a key twice.", _SOURCE, _keys_are_unique, scope="repeated_keys"),
    Rule(
        "TC116", "A record is in one format, which can be recognised.", _SOURCE, _format_is_recognised, scope="unread"
    ),
)
