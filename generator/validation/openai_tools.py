"""OA, second half: tool definitions and strict mode by the OpenAI-compatible data model (seeds/003, 4, 5 and 7)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.validation.rule import Check, Finding, of_tools
from generator.validation.say import brief, kind_of
from generator.validation.tool_view import ToolView
from generator.validation.view import RecordView

STRICT_PROPERTIES = 100
STRICT_LEVELS = 5

_NAME = re.compile(r"[a-zA-Z0-9_-]+")


def _tools_are_list(record: RecordView) -> Iterator[Finding]:
    tools = record.entry.get("tools")
    if tools is not None and not isinstance(tools, list):
        yield Finding("/tools", f"`tools` is an array, here it is {kind_of(tools)}")


def _tool_is_object(tool: ToolView) -> Iterator[Finding]:
    if not isinstance(tool.raw, dict):
        yield Finding("", f"a tool is an object, this is {kind_of(tool.raw)}")


def _tool_type_is_function(tool: ToolView) -> Iterator[Finding]:
    if isinstance(tool.raw, dict) and tool.entry.get("type") != "function":
        yield Finding("/type", f'the type of a tool is "function", not {brief(tool.entry.get("type"))}')


def _tool_has_function(tool: ToolView) -> Iterator[Finding]:
    if isinstance(tool.raw, dict) and not isinstance(tool.entry.get("function"), dict):
        what = kind_of(tool.entry["function"]) if "function" in tool.entry else "missing"
        yield Finding("/function", f"the `function` of a tool is an object, here it is {what}")


def _tool_names_are_unique(record: RecordView) -> Iterator[Finding]:
    if len(record.tools_by_name) == len(record.tools):
        return
    seen: set[str] = set()
    for index, tool in enumerate(record.tools):
        if tool.name and tool.name in seen:
            yield Finding(f"/tools/{index}/function/name", f"an earlier tool is called {brief(tool.name)} too")
        seen.add(tool.name)


def _tool_name_is_name(tool: ToolView) -> Iterator[Finding]:
    if _has_function(tool) and not _NAME.fullmatch(tool.name):
        name = tool.function.get("name")
        yield Finding("/function/name", f"a tool's name is letters, digits, _ and -, not {brief(name)}")


def _parameters_are_object(tool: ToolView) -> Iterator[Finding]:
    parameters = tool.function.get("parameters")
    if _has_function(tool) and not isinstance(parameters, dict):
        what = kind_of(parameters) if "parameters" in tool.function else "missing"
        yield Finding("/function/parameters", f"the `parameters` of a tool are a JSON Schema object, here {what}")


def _parameters_are_schema(tool: ToolView) -> Iterator[Finding]:
    if isinstance(tool.parameters, dict):
        for problem in tool.schema_problems:
            yield Finding(f"/function/parameters{problem.pointer}", f"no valid JSON Schema: {problem.message}")


def _parameters_describe_object(tool: ToolView) -> Iterator[Finding]:
    if isinstance(tool.parameters, dict) and tool.parameters.get("type") != "object":
        what = brief(tool.parameters.get("type"))
        yield Finding("/function/parameters/type", f'the parameters of a tool have the type "object", not {what}')


def _strict_is_boolean(tool: ToolView) -> Iterator[Finding]:
    strict = tool.function.get("strict")
    if strict is not None and not isinstance(strict, bool):
        yield Finding("/function/strict", f"`strict` is true or false, not {brief(strict)}")


def _strict_requires_all(tool: ToolView) -> Iterator[Finding]:
    for node in tool.strict_objects:
        required = node.schema.get("required")
        known = required if isinstance(required, list) else []
        for name in node.schema.get("properties") or ():
            if name not in known:
                yield Finding(
                    f"{node.pointer}/required", f"a strict tool requires every property; {brief(name)} is not"
                )


def _strict_admits_no_more(tool: ToolView) -> Iterator[Finding]:
    for node in tool.strict_objects:
        if node.schema.get("additionalProperties") is not False:
            yield Finding(node.pointer, "a strict tool says `additionalProperties: false` on every object")


def _strict_has_few_properties(tool: ToolView) -> Iterator[Finding]:
    count = sum(len(node.schema.get("properties") or ()) for node in tool.strict_objects)
    if count > STRICT_PROPERTIES:
        yield Finding("/function/parameters", f"a strict tool has at most {STRICT_PROPERTIES} properties, not {count}")


def _strict_is_shallow(tool: ToolView) -> Iterator[Finding]:
    for node in tool.strict_objects:
        if node.level >= STRICT_LEVELS and node.schema.get("properties"):
            yield Finding(node.pointer, f"a strict tool nests properties at most {STRICT_LEVELS} levels deep")


def _strict_tools_are_called_singly(record: RecordView) -> Iterator[Finding]:
    if len(record.calls) < 2 or not any(len(message.calls) > 1 for message in record.messages):
        return
    for index, tool in enumerate(record.tools):
        if tool.strict:
            yield Finding(f"/tools/{index}/function/strict", "a record with parallel calls shows no strict tool")


def _parallel_tool_calls_is_boolean(record: RecordView) -> Iterator[Finding]:
    allowed = record.entry.get("parallel_tool_calls")
    if allowed is not None and not isinstance(allowed, bool):
        yield Finding("/parallel_tool_calls", f"`parallel_tool_calls` is true or false, not {brief(allowed)}")


def _parallel_calls_are_allowed(record: RecordView) -> Iterator[Finding]:
    if record.entry.get("parallel_tool_calls") is not False:
        return
    for message in record.messages:
        if len(message.calls) > 1:
            yield Finding(
                f"{message.pointer}/tool_calls", "several calls in a turn, but `parallel_tool_calls` is false"
            )


def _has_function(tool: ToolView) -> bool:
    return isinstance(tool.entry.get("function"), dict)


CHECKS: dict[str, Check] = {
    "OA011": Check(_parallel_tool_calls_is_boolean),
    "OA017": Check(_tools_are_list),
    "OA018": of_tools(_tool_is_object),
    "OA019": of_tools(_tool_type_is_function),
    "OA020": of_tools(_tool_has_function),
    "OA021": Check(_tool_names_are_unique),
    "OA022": of_tools(_tool_name_is_name),
    "OA023": of_tools(_parameters_are_object),
    "OA024": of_tools(_parameters_are_schema),
    "OA025": of_tools(_parameters_describe_object),
    "OA026": of_tools(_strict_is_boolean),
    "OA027": of_tools(_strict_requires_all),
    "OA028": of_tools(_strict_admits_no_more),
    "OA029": of_tools(_strict_has_few_properties),
    "OA030": of_tools(_strict_is_shallow),
    "OA031": Check(_strict_tools_are_called_singly, "parallel_calls"),
    "OA032": Check(_parallel_calls_are_allowed, "parallel_calls"),
}
