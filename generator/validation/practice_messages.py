"""TC, first half: messages as the templates and trainers in use read them right (tool-calling practice)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonValue, dump_canonical, dump_compact
from generator.validation.call_view import CallView
from generator.validation.openai_messages import refused
from generator.validation.qwen3 import CHAT_MARKERS, places
from generator.validation.rule import Check, Finding
from generator.validation.say import brief
from generator.validation.view import RecordView

_CONTROL_TOKEN = re.compile(
    r"<\|[a-zA-Z0-9_]{1,40}\|>|<\uff5c[^\uff5c>]{1,40}\uff5c>|</?s>|<</?SYS>>|<(?:start|end)_of_turn>|<(?:bos|eos|pad|unk)>"
    r"|\[/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT)\]"
)
_ANGLED_PARTS = ("<|", "<\uff5c", "<s>", "</s>", "<<", "_of_turn>", "os>", "<pad>", "<unk>")
_BRACKETED_PARTS = ("INST]", "TOOL", "_PROMPT]")
"""Parts of every control token: text that holds none of them is not searched."""

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
    if angled or ("[" in text and any(part in text for part in _BRACKETED_PARTS)):
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


CHECKS: dict[str, Check] = {
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
