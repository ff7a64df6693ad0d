"""TC, second half: the record as a whole, its tools and its metadata (tool-calling practice)."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from generator.jsontext import JsonObject, pointer
from generator.kinds import KINDS
from generator.validation.kinds import KIND_CHECKS, UNDER_WAY
from generator.validation.limits import unstorable
from generator.validation.masks import MASK_PARTS, by_its_own_names, mask_of
from generator.validation.rule import Check, Finding, of_tools
from generator.validation.specifications.practice_messages import holds_control_token
from generator.validation.tool_view import ToolView, miscased
from generator.validation.verdict import brief, kind_of
from generator.validation.view import RecordView, is_judged_abroad

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
METADATA_TYPES: dict[str, type[str | int | dict[str, str]]] = {
    "id": str, "index": int, "attempt": int, "kind": str, "seed": int, "author": str, "format_version": str,
    "toolgen_version": str, "catalog": str, "reference_date": str, "locale": str, "statuses": dict,
}  # fmt: skip
"""What the metadata of a record that toolgen wrote hold at least."""
_METADATA_KINDS = tuple(METADATA_TYPES.values())
_MASK = "/metadata/mask"
_ELSEWHERE = frozenset({"tool_calls", "tool_call_id", "parallel_tool_calls"})
"""Keys whose wrong place has a rule of its own."""


def _document_is_json(record: RecordView) -> Iterator[Finding]:
    yield from unstorable(record.document)


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
    if tuple(map(type, map(record.metadata.get, METADATA_TYPES))) == _METADATA_KINDS:
        return
    for name, kind in METADATA_TYPES.items():
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


def _mask_is_one_to_one(record: RecordView) -> Iterator[Finding]:
    if "mask" not in record.metadata:
        return
    told = mask_of(record)
    if told is None:
        yield Finding(_MASK, "a mask has `tools` and `parameters`, each from the masked name to the original")
        return
    for part in MASK_PARTS:
        if len(set(told[part].values())) < len(told[part]):
            yield Finding(f"{_MASK}/{part}", "two masked names stand for one original")
    for tool in record.tools:
        if tool.name not in told["tools"]:
            yield Finding(f"{_MASK}/tools", f"the mask does not tell what {brief(tool.name)} stands for")
        for name in tool.property_names:
            if name not in told["parameters"]:
                yield Finding(f"{_MASK}/parameters", f"the mask does not tell what {brief(name)} stands for")


CHECKS: dict[str, Check] = {
    "TC101": Check(_document_is_json),
    "TC102": Check(_record_shows_tools),
    "TC103": Check(_keys_are_known),
    "TC104": of_tools(_tool_keys_are_known),
    "TC105": of_tools(_parameters_have_properties),
    "TC106": of_tools(_properties_are_described),
    "TC107": of_tools(_types_are_lower_case),
    "TC108": of_tools(_types_are_single),
    "TC109": of_tools(_definition_holds_no_control_token),
    "TC110": of_tools(_strict_is_not_null),
    "TC111": Check(_metadata_are_object),
    "TC112": Check(_metadata_are_whole),
    "TC113": Check(_kind_is_known),
    "TC114": Check(_kind_is_kept),
    "TC115": Check(_keys_are_unique, "repeated_keys"),
    "TC116": Check(_format_is_recognised, "unread"),
    "TC117": Check(_mask_is_one_to_one),
}
