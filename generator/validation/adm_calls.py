"""ADM, first half: tool definitions and arguments by the ALTAR Data Model (seeds/004, 4.2 to 4.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.schemas.adm_tools import ADVISED_DESCRIPTION
from generator.validation.call_view import LARGEST_INTEGER, LEAST_INTEGER
from generator.validation.openai_messages import refused
from generator.validation.rule import Check, Finding, of_tools
from generator.validation.say import brief
from generator.validation.tool_view import ToolView
from generator.validation.view import RecordView

_OPENAI_NAME = re.compile(r"[a-zA-Z0-9_-]+")
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")


def is_adm_name(name: JsonValue) -> bool:
    """Say whether a name is one that ADM gives functions (4.2.2)."""
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def _tool_name_is_adm_name(tool: ToolView) -> Iterator[Finding]:
    if _OPENAI_NAME.fullmatch(tool.name) and not is_adm_name(tool.name):
        yield Finding(
            "/function/name", f"{brief(tool.name)}: a name starts with a letter or _ and has at most 64 signs"
        )


def _tool_is_described(tool: ToolView) -> Iterator[Finding]:
    description = tool.function.get("description")
    if tool.function and not (isinstance(description, str) and description.strip()):
        yield Finding("/function/description", "a tool says what it does, in a description that is not blank")


def _description_is_short(tool: ToolView) -> Iterator[Finding]:
    description = tool.function.get("description")
    if isinstance(description, str) and len(description) > ADVISED_DESCRIPTION:
        what = f"has {len(description)} characters, more than the {ADVISED_DESCRIPTION} that are recommended"
        yield Finding("/function/description", f"the description {what}")


def _required_are_properties(tool: ToolView) -> Iterator[Finding]:
    for node in tool.nodes:
        properties, required = node.schema.get("properties"), node.schema.get("required")
        if isinstance(properties, dict) and isinstance(required, list):
            for name in required:
                if isinstance(name, str) and name not in properties:
                    yield Finding(f"{node.pointer}/required", f"{brief(name)} is required but not among the properties")


def _arrays_have_items(tool: ToolView) -> Iterator[Finding]:
    for node in tool.nodes:
        if node.schema.get("type") == "array" and "items" not in node.schema and "prefixItems" not in node.schema:
            yield Finding(node.pointer, "an array says what its `items` are")


def _enums_have_values(tool: ToolView) -> Iterator[Finding]:
    for node in tool.nodes:
        if node.schema.get("enum") == []:
            yield Finding(f"{node.pointer}/enum", "an enum has at least one value")


def _enum_values_differ(tool: ToolView) -> Iterator[Finding]:
    for node in tool.nodes:
        values = node.schema.get("enum")
        if isinstance(values, list) and _repeats(values):
            yield Finding(f"{node.pointer}/enum", "the values of an enum are all different")


def _repeats(values: list[JsonValue]) -> bool:
    texts = [value for value in values if isinstance(value, str)]
    return len(set(texts)) < len(texts)


def _arguments_are_declared(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        yield from refused(call, call.judgement.undeclared)


def _integers_are_whole(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        for number in call.odd_integers:
            if isinstance(number.value, float):
                yield Finding(call.arguments_pointer + number.pointer, "an INTEGER is written without a fraction")


def _integers_fit_64_bits(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        for number in call.odd_integers:
            if not LEAST_INTEGER <= number.value <= LARGEST_INTEGER:
                yield Finding(call.arguments_pointer + number.pointer, "an INTEGER is between -2^63 and 2^63 - 1")


CHECKS: dict[str, Check] = {
    "ADM001": of_tools(_tool_name_is_adm_name),
    "ADM002": of_tools(_enums_have_values),
    "ADM003": of_tools(_tool_is_described),
    "ADM004": of_tools(_description_is_short),
    "ADM005": of_tools(_required_are_properties),
    "ADM006": of_tools(_arrays_have_items),
    "ADM007": of_tools(_enum_values_differ),
    "ADM008": Check(_arguments_are_declared, "misfits"),
    "ADM009": Check(_integers_are_whole, "odd_calls"),
    "ADM010": Check(_integers_fit_64_bits, "odd_calls"),
}
