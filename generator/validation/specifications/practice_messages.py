"""TC: what messages, calls and results may not be by tool-calling practice, control characters among it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue, dump_canonical, dump_compact, pointer
from generator.validation.rule import Check, Finding, of_tools
from generator.validation.specifications.openai import refused
from generator.validation.specifications.qwen3 import CHAT_MARKERS, places
from generator.validation.tool_view import ToolView
from generator.validation.verdict import brief
from generator.validation.view import MARKERS_IN_BRACKETS, CallView, RecordView, may_hold_controls

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
