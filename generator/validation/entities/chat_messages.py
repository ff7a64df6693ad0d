"""OA: messages, calls and tools as OpenAI's protocol writes them (seeds/003, 1 to 5), in requests and responses."""

from __future__ import annotations

import re
from collections.abc import Iterator

import orjson

from generator.schemas.validators import SchemaProblem
from generator.validation.call_view import CallView
from generator.validation.entities.entity_rule import EntityRule
from generator.validation.openai_messages import refused
from generator.validation.rule import Finding, Rule
from generator.validation.rules import RULES
from generator.validation.say import brief, kind_of
from generator.validation.tool_view import miscased
from generator.validation.view import RecordView

_SOURCE = "OpenAI data model"
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


OWN_RULES: tuple[EntityRule[RecordView], ...] = (
    EntityRule(
        "OA121",
        "A call id is `call_` and letters and digits.",
        f"{_SOURCE}, 2",
        _ids_are_call_ids,
        "Clients tell calls from other objects by this prefix, and results are linked by the id.",
        '{"tool_calls": [{"id": "aB3dE6gH9"}]}',
        '{"tool_calls": [{"id": "call_aB3dE6gH9"}]}',
    ),
    EntityRule(
        "OA122",
        "The arguments of a call are a JSON string.",
        f"{_SOURCE}, 3",
        _arguments_are_text,
        "Clients parse the arguments; an object makes them fail, or is taken for text.",
        '{"tool_calls": [{"function": {"name": "read_file", "arguments": {"path": "a.txt"}}}]}',
        '{"tool_calls": [{"function": {"name": "read_file", "arguments": "{\\"path\\": \\"a.txt\\"}"}}]}',
    ),
    EntityRule(
        "OA123",
        "The arguments of a call are the text of an object.",
        f"{_SOURCE}, 3, rule 3",
        _arguments_hold_object,
        "Parameters have names; a list or a number passes none of them.",
        '{"tool_calls": [{"function": {"name": "read_file", "arguments": "[1]"}}]}',
        '{"tool_calls": [{"function": {"name": "read_file", "arguments": "{\\"path\\": \\"a.txt\\"}"}}]}',
        name="invalid_tool_arguments",
    ),
    EntityRule(
        "OA124",
        "Arguments hold no property that the parameters shut out.",
        f"{_SOURCE}, 3, rule 3",
        _closed_parameters_hold,
        "`additionalProperties: false` promises the function that it never sees another argument.",
        '{"tool_calls": [{"function": {"name": "read_file", "arguments": "{\\"path\\": \\"a\\", \\"mode\\": 1}"}}]}',
        '{"tool_calls": [{"function": {"name": "read_file", "arguments": "{\\"path\\": \\"a\\"}"}}]}',
        name="invalid_tool_arguments",
    ),
    EntityRule(
        "OA125",
        "`tool_calls` is an array of calls.",
        f"{_SOURCE}, 1",
        _tool_calls_are_list,
        "Several calls may be made at once, so that even one stands in an array.",
        '{"tool_calls": {"id": "call_1"}}',
        '{"tool_calls": [{"id": "call_1"}]}',
    ),
    EntityRule(
        "OA126",
        "The content of a tool message is a string.",
        f"{_SOURCE}, 1",
        _result_content_is_text,
        "Servers refuse an object here; what a function returns is written as text.",
        '{"role": "tool", "tool_call_id": "call_1", "content": {"ok": true}}',
        '{"role": "tool", "tool_call_id": "call_1", "content": "{\\"ok\\": true}"}',
    ),
    EntityRule(
        "OA127",
        "The name of a message is a string.",
        f"{_SOURCE}, 1",
        _names_are_text,
        "It is the name of a function or a speaker.",
        '{"name": 7}',
        '{"name": "read_file"}',
    ),
    EntityRule(
        "OA128",
        "The description of a tool is a string.",
        f"{_SOURCE}, 5",
        _descriptions_are_text,
        "The description is what the model reads to choose a tool.",
        '{"tools": [{"function": {"description": ["Read a file."]}}]}',
        '{"tools": [{"function": {"description": "Read a file."}}]}',
    ),
    EntityRule(
        "OA129",
        "The types in parameters are those of JSON Schema, in lower case.",
        f"{_SOURCE}, 5, rules 2 and 3",
        _types_are_lower_case,
        "Servers that compile parameters to a grammar answer OBJECT with an error.",
        '{"tools": [{"function": {"parameters": {"type": "OBJECT"}}}]}',
        '{"tools": [{"function": {"parameters": {"type": "object"}}}]}',
    ),
)
"""The rules that hold for OpenAI's own shape alone, where the canonical record differs or has another source."""

_SHARED = (
    "DF006", "DF007", "DF008", "OA001", "OA002", "OA003", "OA004", "OA005", "OA006", "OA007", "OA008", "OA009", "OA010",
    "OA011", "OA012", "OA013", "OA014", "OA015", "OA016", "OA017", "OA018", "OA019", "OA020", "OA021", "OA022", "OA023",
    "OA024", "OA025", "OA026", "OA027", "OA028", "OA029", "OA030", "OA031", "OA032", "TC008", "TC011", "TC012", "TC018",
)  # fmt: skip
"""The rules of records that speak of messages, calls and tools in any shape, and have this document as a source."""

MESSAGE_RULES: tuple[Rule | EntityRule[RecordView], ...] = (*(RULES[code] for code in _SHARED), *OWN_RULES)
"""Every rule over the messages and the tools of a request, or over those that a response continues."""
