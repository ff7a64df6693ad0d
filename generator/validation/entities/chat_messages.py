"""OA: messages, calls and tools as OpenAI's protocol writes them (seeds/003, 1 to 5), in requests and responses."""

from __future__ import annotations

import re
from collections.abc import Iterator

import orjson

from generator.schemas.validators import SchemaProblem
from generator.validation.call_view import CallView
from generator.validation.openai_messages import refused
from generator.validation.rule import Find, Finding, Rule, rules_of
from generator.validation.rules import RULES
from generator.validation.say import brief, kind_of
from generator.validation.tool_view import miscased
from generator.validation.view import RecordView

_CALL_ID = re.compile(r"call_[a-zA-Z0-9]+")
_UNDECLARED = ("additionalProperties", "unevaluatedProperties")


def _ids_are_call_ids(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if call.entry and not (isinstance(call.id, str) and _CALL_ID.fullmatch(call.id)):
            yield Finding(f"{call.pointer}/id", f"a call id is `call_` and letters and digits, not {brief(call.id)}")


def _arguments_are_text(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if call.has_function and not isinstance(call.given, str):
            what = kind_of(call.given) if "arguments" in call.function else "missing"
            yield Finding(call.arguments_pointer, f"the arguments of a call are a JSON string, here they are {what}")


def _arguments_hold_object(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if isinstance(call.given, str) and call.arguments is None and not call.malformed:
            what = kind_of(orjson.loads(call.given))
            yield Finding(call.arguments_pointer, f"the arguments of a call are the text of an object, not of {what}")


def _closed_parameters_hold(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if call.judgement.undeclared:
            yield from refused(call, tuple(_closed_out(call)))


def _closed_out(call: CallView) -> Iterator[SchemaProblem]:
    validator = call.tool.validator if call.tool is not None else None
    if validator is not None and call.arguments is not None:
        yield from (each for each in validator.problems(call.arguments) if each.keyword in _UNDECLARED)


def _tool_calls_are_list(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        calls = message.entry.get("tool_calls")
        if calls is not None and not isinstance(calls, list):
            yield Finding(f"{message.pointer}/tool_calls", f"`tool_calls` is an array, here it is {kind_of(calls)}")


def _result_content_is_text(record: RecordView) -> Iterator[Finding]:
    for result in record.results:
        content = result.message.content
        if content is not None and not isinstance(content, str):
            where = f"{result.message.pointer}/content"
            yield Finding(where, f"the content of a tool message is a string, here it is {kind_of(content)}")


def _names_are_text(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        name = message.entry.get("name")
        if name is not None and not isinstance(name, str):
            yield Finding(f"{message.pointer}/name", f"the name of a message is a string, here it is {kind_of(name)}")


def _descriptions_are_text(record: RecordView) -> Iterator[Finding]:
    for index, tool in enumerate(record.tools):
        description = tool.function.get("description")
        if description is not None and not isinstance(description, str):
            where = f"/tools/{index}/function/description"
            yield Finding(where, f"the description of a tool is a string, here it is {kind_of(description)}")


def _types_are_lower_case(record: RecordView) -> Iterator[Finding]:
    for index, tool in enumerate(record.tools):
        for node in tool.nodes:
            kind = node.schema.get("type")
            if miscased(kind):
                yield Finding(f"/tools/{index}{node.pointer}/type", f"JSON Schema has no type {brief(kind)}")


MESSAGE_CHECKS: dict[str, Find[RecordView]] = {
    "OA121": _ids_are_call_ids,
    "OA122": _arguments_are_text,
    "OA123": _arguments_hold_object,
    "OA124": _closed_parameters_hold,
    "OA125": _tool_calls_are_list,
    "OA126": _result_content_is_text,
    "OA127": _names_are_text,
    "OA128": _descriptions_are_text,
    "OA129": _types_are_lower_case,
}
"""The checks that hold for OpenAI's own shape alone, where the canonical record differs or has another source."""

OWN_RULES = rules_of("openai_chat", MESSAGE_CHECKS)

_SHARED = (
    "DF006", "DF007", "DF008", "OA001", "OA002", "OA003", "OA004", "OA005", "OA006", "OA007", "OA008", "OA009", "OA010",
    "OA011", "OA012", "OA013", "OA014", "OA015", "OA016", "OA017", "OA018", "OA019", "OA020", "OA021", "OA022", "OA023",
    "OA024", "OA025", "OA026", "OA027", "OA028", "OA029", "OA030", "OA031", "OA032", "TC008", "TC011", "TC012", "TC018",
)  # fmt: skip
"""The rules of records that speak of messages, calls and tools in any shape, and have this document as a source."""

MESSAGE_RULES: tuple[Rule[RecordView], ...] = (*(RULES[code] for code in _SHARED), *OWN_RULES)
"""Every rule over the messages and the tools of a request, or over those that a response continues."""
