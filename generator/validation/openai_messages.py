"""OA, first half: messages, calls and their arguments by the OpenAI-compatible data model (seeds/003, 1 to 3, 7)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.schemas.validators import SchemaProblem
from generator.validation.call_view import CallView
from generator.validation.rule import Check, Finding
from generator.validation.say import brief, kind_of
from generator.validation.view import CALLS, RecordView

ROLES = ("system", "user", "assistant", "tool")

_NAME = re.compile(r"[a-zA-Z0-9_-]+")


def _messages_are_not_empty(record: RecordView) -> Iterator[Finding]:
    if record.has_messages and not record.messages:
        yield Finding("/messages", "a record has at least one message")


def _messages_are_objects(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if not isinstance(message.raw, dict):
            yield Finding(message.pointer, f"a message is an object, this is {kind_of(message.raw)}")


def _roles_are_known(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if message.role not in ROLES and isinstance(message.raw, dict):
            role = message.entry.get("role")
            yield Finding(f"{message.pointer}/role", f"a role is one of {', '.join(ROLES)}, not {brief(role)}")


def _content_is_text(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if isinstance(message.content, str) or message.role == "tool" or message.role not in ROLES:
            continue
        if message.content is not None or message.turn != CALLS:
            what = kind_of(message.content) if "content" in message.entry else "missing"
            yield Finding(f"{message.pointer}/content", f"the content of this message is a string, here it is {what}")


def _only_assistants_call(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if message.role != "assistant" and message.role in ROLES and message.entry.get("tool_calls") is not None:
            yield Finding(
                f"{message.pointer}/tool_calls", f"only an assistant calls tools, not a {message.role} message"
            )


def _only_results_name_a_call(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if message.role != "tool" and message.role in ROLES and message.entry.get("tool_call_id") is not None:
            yield Finding(
                f"{message.pointer}/tool_call_id", f"only a tool message names a call, not a {message.role} one"
            )


def _results_have_call_id(record: RecordView) -> Iterator[Finding]:
    for result in record.results:
        if result.message.entry.get("tool_call_id") is None:
            yield Finding(f"{result.message.pointer}/tool_call_id", "a tool message names the call it answers")


def _results_have_content(record: RecordView) -> Iterator[Finding]:
    for result in record.results:
        if result.message.content is None:
            yield Finding(f"{result.message.pointer}/content", "a tool message has content")


def _results_follow_their_call(record: RecordView) -> Iterator[Finding]:
    for result in record.results:
        if result.call is not None and result.call.turn >= result.message.index:
            yield Finding(f"{result.message.pointer}/tool_call_id", "a result comes after the call it answers")


def _calls_are_objects(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if not isinstance(call.raw, dict):
            yield Finding(call.pointer, f"a call is an object, this is {kind_of(call.raw)}")
        elif not call.entry:
            yield Finding(call.pointer, "a call is an object with `id`, `type` and `function`, this is empty")
        elif not call.has_function:
            what = kind_of(call.entry["function"]) if "function" in call.entry else "missing"
            yield Finding(f"{call.pointer}/function", f"the `function` of a call is an object, here it is {what}")


def _call_names_are_names(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if call.tool is None and call.has_function and not _NAME.fullmatch(call.name):
            name = call.function.get("name")
            yield Finding(
                f"{call.pointer}/function/name", f"a function name is letters, digits, _ and -, not {brief(name)}"
            )


def _called_tools_are_shown(record: RecordView) -> Iterator[Finding]:
    if not record.shows_tools:
        return
    for call in record.calls:
        if call.tool is None and _NAME.fullmatch(call.name):
            yield Finding(f"{call.pointer}/function/name", f"{brief(call.name)} is none of the tools shown")


def _arguments_parse(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if call.malformed:
            yield Finding(call.arguments_pointer, "the arguments are a string that is not JSON")


def _arguments_fit(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        yield from refused(call, call.judgement.refused)


def refused(call: CallView, problems: tuple[SchemaProblem, ...]) -> Iterator[Finding]:
    """Yield what the parameters of a call's tool refuse."""
    for problem in problems:
        yield Finding(call.arguments_pointer + problem.pointer, f"{brief(call.name)} refuses: {problem.message}")


CHECKS: dict[str, Check] = {
    "OA001": Check(_messages_are_not_empty),
    "OA002": Check(_messages_are_objects),
    "OA003": Check(_roles_are_known),
    "OA004": Check(_content_is_text),
    "OA005": Check(_only_assistants_call),
    "OA006": Check(_only_results_name_a_call),
    "OA007": Check(_results_have_call_id, "results"),
    "OA008": Check(_results_have_content, "results"),
    "OA009": Check(_results_follow_their_call, "mispaired"),
    "OA012": Check(_calls_are_objects, "calls"),
    "OA013": Check(_call_names_are_names, "calls"),
    "OA014": Check(_called_tools_are_shown, "calls"),
    "OA015": Check(_arguments_parse, "calls"),
    "OA016": Check(_arguments_fit, "misfits"),
}
