"""TC: who speaks after whom, what messages, calls, results, tools and metadata may not be (tool-calling practice)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import orjson

from generator.jsontext import JsonObject, JsonValue, dump_canonical, dump_compact, pointer
from generator.kinds import KINDS
from generator.validation.kinds import KIND_CHECKS, UNDER_WAY
from generator.validation.masks import MASK_PARTS, by_its_own_names, mask_of
from generator.validation.rule import Check, Finding, of_orders, of_tools
from generator.validation.shape import unstorable
from generator.validation.specifications.openai import refused
from generator.validation.specifications.qwen3 import CHAT_MARKERS, places
from generator.validation.tool_view import ToolView, miscased
from generator.validation.verdict import brief, kind_of
from generator.validation.view import (
    CALLS,
    MARKERS_IN_BRACKETS,
    CallView,
    Order,
    RecordView,
    is_judged_abroad,
    may_hold_controls,
)

_NAMES = {CALLS: "a turn of calls", "system": "a system message", "user": "a user message",
          "assistant": "an assistant message", "tool": "a tool message"}  # fmt: skip
_ANSWERS = ("assistant", CALLS)


def _pairs(order: Order) -> Iterator[tuple[str, str, str]]:
    """Yield the pointer of each turn but the first, the turn before it and the turn; unknown turns are left out."""
    for index in range(1, len(order)):
        if order[index] in _NAMES and order[index - 1] in _NAMES:
            yield f"/messages/{index}", order[index - 1], order[index]


def _turns_follow_calls(order: Order) -> Iterator[Finding]:
    for place, before, turn in _pairs(order):
        if turn == "tool" and before not in ("tool", CALLS):
            yield Finding(place, f"a tool message follows calls or other results, not {_NAMES[before]}")
        elif before == CALLS and turn != "tool":
            yield Finding(place, f"calls are followed by their results, not by {_NAMES[turn]}")
        elif before == "tool" and turn in ("system", "user"):
            yield Finding(place, f"results are followed by the assistant, not by {_NAMES[turn]}")


def _system_comes_first(order: Order) -> Iterator[Finding]:
    for index, turn in enumerate(order):
        if turn == "system" and index > 0:
            yield Finding(f"/messages/{index}", "a record has at most one system message, which comes first")


def _turns_alternate(order: Order) -> Iterator[Finding]:
    for place, before, turn in _pairs(order):
        if turn == before == "user":
            yield Finding(place, "a user message follows another; templates demand turns")
        elif turn in _ANSWERS and before == "assistant":
            yield Finding(place, "an assistant message follows another; templates demand turns")


def _user_opens(order: Order) -> Iterator[Finding]:
    first = 1 if order[:1] == ("system",) else 0
    if order[first : first + 1] in (("assistant",), (CALLS,)):
        yield Finding(f"/messages/{first}", "the assistant speaks before the user has spoken")


def _assistant_closes(order: Order) -> Iterator[Finding]:
    if order and order[-1] in ("system", "user", "tool"):
        yield Finding(f"/messages/{len(order) - 1}", f"a record ends with the assistant, not with {_NAMES[order[-1]]}")


OPENAI_ORDER_CHECKS: dict[str, Check] = {"OA010": of_orders(_turns_follow_calls)}
ORDER_CHECKS: dict[str, Check] = {
    "TC007": of_orders(_system_comes_first),
    "TC008": of_orders(_turns_alternate),
    "TC009": of_orders(_user_opens),
    "TC010": of_orders(_assistant_closes),
}


_CONTROL_TOKEN = re.compile(
    r"<\|[a-zA-Z0-9_]{1,40}\|>|<\uff5c[^\uff5c>]{1,40}\uff5c>|</?s>|<</?SYS>>|<(?:start|end)_of_turn>|<(?:bos|eos|pad|unk)>"
    r"|\[/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT)\]"
)
_ANGLED_PARTS = ("<|", "<\uff5c", "<s>", "</s>", "<<", "_of_turn>", "os>", "<pad>", "<unk>")
"""Parts of every control token in angle brackets: text that holds none of them has none of these."""

_ELSEWHERE = frozenset(CHAT_MARKERS)
"""Tokens whose place in a text has a rule of its own."""


def _calls_have_content(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if message.role == "assistant" and message.calls and message.content is None:
            yield Finding(f"{message.pointer}/content", 'a turn of calls has the content ""')


def _calls_stand_alone(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if message.role == "assistant" and message.calls and isinstance(message.content, str) and message.content:
            yield Finding(
                f"{message.pointer}/content", "templates lose text beside calls; a turn of calls says nothing"
            )


def _keys_have_values(record: RecordView) -> Iterator[Finding]:
    if "metadata" in record.entry and record.entry["metadata"] is None:
        yield Finding("/metadata", "a key without a value is left out, not null")
    for message in record.messages:
        if None in message.entry.values():
            for key in ("tool_calls", "tool_call_id", "name"):
                if key in message.entry and message.entry[key] is None and not _is_due(message.role, key):
                    yield Finding(f"{message.pointer}/{key}", "a key without a value is left out, not null")


def _is_due(role: str, key: str) -> bool:
    """Say whether the lack of the key is another rule's."""
    return role == "tool" and key in ("tool_call_id", "name")


def _tool_calls_are_not_empty(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if message.role == "assistant" and message.entry.get("tool_calls") == []:
            yield Finding(
                f"{message.pointer}/tool_calls", "templates drop a message with an empty `tool_calls`; leave it out"
            )


def _results_have_name(record: RecordView) -> Iterator[Finding]:
    for result in record.results:
        name = result.message.entry.get("name")
        if not (isinstance(name, str) and name):
            yield Finding(f"{result.message.pointer}/name", "a tool message keeps the name of its tool")


def _results_keep_order(record: RecordView) -> Iterator[Finding]:
    last: CallView | None = None
    for result in record.results:
        call = result.call
        if call is not None and last is not None and call.turn == last.turn and call.index < last.index:
            yield Finding(
                result.message.pointer, "results come in the order of their calls; most templates match by place"
            )
        last = call or last


def _calls_are_answered(record: RecordView) -> Iterator[Finding]:
    answered = {id(result.call) for result in record.results}
    for call in record.calls:
        if id(call) not in answered and isinstance(call.id, str) and record.calls_by_id[call.id] is call:
            yield Finding(call.pointer, f"no tool message answers the call {brief(call.id)}")


def _calls_are_answered_once(record: RecordView) -> Iterator[Finding]:
    answered: set[int] = set()
    for result in record.results:
        if result.call is not None and id(result.call) in answered:
            yield Finding(
                f"{result.message.pointer}/tool_call_id", f"the call {brief(result.call.id)} is answered twice"
            )
        answered.add(id(result.call))


def _calls_differ(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if len(message.calls) > 1:
            seen: set[tuple[str, bytes]] = set()
            for call in message.calls:
                key = (call.name, dump_canonical(call.arguments))
                if call.name and call.arguments is not None and key in seen:
                    yield Finding(
                        call.pointer, f"an earlier call of this turn calls {brief(call.name)} with the same arguments"
                    )
                seen.add(key)


def _text_holds_no_control_token(record: RecordView) -> Iterator[Finding]:
    if holds_control_token(record.text):
        for pointer, said in places(record):
            for token in holds_control_token(said):
                if token not in _ELSEWHERE:
                    yield Finding(pointer, f"{brief(token)} is a control token of chat templates; text never holds it")


def holds_control_token(text: str) -> list[str]:
    """Return the control tokens of chat templates that a text holds, each once."""
    angled = "<" in text and any(part in text for part in _ANGLED_PARTS)
    if angled or ("[" in text and any(part in text for part in MARKERS_IN_BRACKETS)):
        return list(dict.fromkeys(_CONTROL_TOKEN.findall(text)))
    return []


_SPEAKING = frozenset({"user", "assistant"})


def _users_and_answers_speak(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if message.turn in _SPEAKING and isinstance(message.content, str) and not message.speaks:
            yield Finding(f"{message.pointer}/content", f"the {message.role} says something here, not nothing")


def _results_are_compact(record: RecordView) -> Iterator[Finding]:
    for result in record.results:
        if result.is_json and _compact(result.value) != result.message.content:
            yield Finding(
                f"{result.message.pointer}/content", "what a tool returns is compact JSON, without white space"
            )


def _compact(value: JsonValue) -> str:
    try:
        return dump_compact(value)
    except TypeError:  # it nests deeper than JSON is written
        return ""


def _optional_arguments_are_left_out(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if call.tool is None or not call.arguments or None not in call.arguments.values():
            continue
        parameters = call.tool.parameters
        required = parameters.get("required") if isinstance(parameters, dict) else None
        for name, value in call.arguments.items():
            if value is None and name not in (required if isinstance(required, list) else ()):
                yield Finding(call.arguments_pointer, f"an optional argument is left out, not null: {brief(name)}")


def _formats_hold(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        yield from refused(call, call.judgement.formats)


MESSAGE_CHECKS: dict[str, Check] = {
    "TC001": Check(_calls_have_content, "calls"),
    "TC002": Check(_calls_stand_alone, "calls"),
    "TC003": Check(_keys_have_values),
    "TC004": Check(_tool_calls_are_not_empty),
    "TC005": Check(_results_have_name, "results"),
    "TC006": Check(_results_keep_order, "mispaired"),
    "TC011": Check(_calls_are_answered, "mispaired"),
    "TC012": Check(_calls_are_answered_once, "mispaired"),
    "TC013": Check(_calls_differ, "parallel_calls"),
    "TC014": Check(_text_holds_no_control_token, "has_markers"),
    "TC015": Check(_users_and_answers_speak),
    "TC016": Check(_results_are_compact, "results"),
    "TC017": Check(_optional_arguments_are_left_out, "calls"),
    "TC018": Check(_formats_hold, "misfits"),
}


_WHAT_THEY_ARE = (
    ("\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f", "a control character, which terminals obey"),
    ("\x85\u2028\u2029", "a line separator, at which readers of lines cut a record in two"),
    ("\u202a-\u202e\u2066-\u2069", "a bidirectional control, which shows text in another order"),
    ("\U000e0000-\U000e007f", "a tag character, which models read and nobody sees"),
)
_CONTROL = re.compile(
    f"[{''.join(characters for characters, _ in _WHAT_THEY_ARE[:-1])}]"
    "|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]"
)
"""Tag characters behind a black flag spell the flag of a region, which everybody sees."""


def _texts_hold_no_control(record: RecordView) -> Iterator[Finding]:
    yield from _found_in({name: part for name, part in record.entry.items() if name != "tools"}, ())
    for call in record.calls:
        if isinstance(call.given, str) and call.arguments is not None:
            yield from _unless_seen(call.given, _found_in(call.arguments, ()), call.arguments_pointer)
    for result in record.results:
        if result.is_json and isinstance(result.message.content, str):
            where = f"{result.message.pointer}/content"
            yield from _unless_seen(result.message.content, _found_in(result.value, ()), where)


def _unless_seen(text: str, found: Iterator[Finding], where: str) -> Iterator[Finding]:
    """Yield the first of what JSON inside a text holds as escapes, at the text; what stands there raw was found."""
    first = next(found, None) if "\\" in text and not _CONTROL.search(text) else None
    if first is not None:
        yield Finding(where, first.message)


def _definition_holds_no_control(tool: ToolView) -> Iterator[Finding]:
    if may_hold_controls(tool.raw):
        yield from _found_in(tool.raw, ())


def _found_in(root: JsonValue, at: tuple[str | int, ...]) -> Iterator[Finding]:
    """Yield each text and each key inside that holds a control character, in their order."""
    waiting: list[tuple[tuple[str | int, ...], JsonValue]] = [(at, root)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            if found := _CONTROL.search(value):
                yield Finding(pointer(path), _say(found.group()))
        elif isinstance(value, dict):
            yield from _keys(path, value)
            waiting.extend(((*path, key), child) for key, child in reversed(value.items()))
        elif isinstance(value, list):
            waiting.extend(((*path, index), value[index]) for index in range(len(value) - 1, -1, -1))


def _keys(path: tuple[str | int, ...], members: JsonObject) -> Iterator[Finding]:
    for key in members:
        if found := _CONTROL.search(key):
            yield Finding(pointer((*path, key)), _say(found.group()))


def _say(character: str) -> str:
    what = next(what for characters, what in _WHAT_THEY_ARE if re.match(f"[{characters}]", character))
    return f"{brief(character)} is {what}; a record never holds it"


CONTROL_CHECKS: dict[str, Check] = {
    "TC019": Check(_texts_hold_no_control, "has_controls"),
    "TC118": of_tools(_definition_holds_no_control),
}


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
_PRACTICE_RECORDS_ELSEWHERE = frozenset({"tool_calls", "tool_call_id", "parallel_tool_calls"})
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
    for key in sorted(entry.keys() - known - _PRACTICE_RECORDS_ELSEWHERE):
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
