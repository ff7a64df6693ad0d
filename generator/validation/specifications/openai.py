"""OA: messages, calls, tool definitions and strict mode by the OpenAI-compatible data model (seeds/003, 1 to 5, 7)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.schemas.validators import SchemaProblem
from generator.validation.rule import Check, Finding, of_tools
from generator.validation.tool_view import ToolView
from generator.validation.verdict import brief, kind_of
from generator.validation.view import CALLS, CallView, RecordView

ROLES = ("system", "user", "assistant", "tool")

NAME = re.compile(r"[a-zA-Z0-9_-]+")


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
        if call.tool is None and call.has_function and not NAME.fullmatch(call.name):
            name = call.function.get("name")
            yield Finding(
                f"{call.pointer}/function/name", f"a function name is letters, digits, _ and -, not {brief(name)}"
            )


def _called_tools_are_shown(record: RecordView) -> Iterator[Finding]:
    if not record.shows_tools:
        return
    for call in record.calls:
        if call.tool is None and NAME.fullmatch(call.name):
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


MESSAGE_CHECKS: dict[str, Check] = {
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


STRICT_PROPERTIES = 100
STRICT_LEVELS = 5


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
    if _has_function(tool) and not NAME.fullmatch(tool.name):
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


TOOL_CHECKS: dict[str, Check] = {
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
