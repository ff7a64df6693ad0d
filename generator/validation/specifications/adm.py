"""ADM: tool definitions, arguments and results in records by the ALTAR Data Model (seeds/004, 4.2 to 4.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.records import SUCCESS
from generator.schemas.adm import ADVISED_DESCRIPTION, ERROR_TYPES
from generator.schemas.validators import InvalidSchema, SchemaValidator, validator_for
from generator.validation.masks import known_tool
from generator.validation.rule import Check, Finding, of_tools
from generator.validation.specifications.openai import NAME, refused
from generator.validation.tool_view import ToolView
from generator.validation.verdict import brief, kind_of
from generator.validation.view import LARGEST_INTEGER, LEAST_INTEGER, CallView, RecordView, ResultView

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")


def is_adm_name(name: JsonValue) -> bool:
    """Say whether a name is one that ADM gives functions (4.2.2)."""
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def _tool_name_is_adm_name(tool: ToolView) -> Iterator[Finding]:
    if NAME.fullmatch(tool.name) and not is_adm_name(tool.name):
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


CALL_CHECKS: dict[str, Check] = {
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


MESSAGE_LENGTH = 500

_ERRORS = frozenset(ERROR_TYPES)
_STATUSES = _ERRORS | {SUCCESS}


def _result_has_name_of_call(record: RecordView) -> Iterator[Finding]:
    for result in record.results:
        name = result.message.entry.get("name")
        called = result.tool_name
        if called and name and isinstance(name, str) and name != called:
            what = f"{brief(name)} answers a call of {brief(called)}"
            yield Finding(f"{result.message.pointer}/name", what)


def _every_call_has_status(record: RecordView) -> Iterator[Finding]:
    if record.statuses is None:
        return
    for call in record.calls:
        if isinstance(call.id, str) and call.id not in record.statuses:
            yield Finding("/metadata/statuses", f"the call {brief(call.id)} has no status")


def _every_status_has_call(record: RecordView) -> Iterator[Finding]:
    for call_id in record.statuses or ():
        if call_id not in record.calls_by_id:
            yield Finding("/metadata/statuses", f"there is no call {brief(call_id)}, but a status of it")


def _statuses_are_known(record: RecordView) -> Iterator[Finding]:
    for status in (record.statuses or {}).values():
        if not isinstance(status, str) or status not in _STATUSES:
            known = ", ".join((SUCCESS, *ERROR_TYPES))
            yield Finding("/metadata/statuses", f"a status is one of {known}, not {brief(status)}")


def _failures_are_error_objects(record: RecordView) -> Iterator[Finding]:
    for result in record.results:
        if result.error is None and result.status in _ERRORS:
            yield Finding(_content(result), 'a call with an error status is answered by {"error": {"type", "message"}}')


def _successes_are_no_errors(record: RecordView) -> Iterator[Finding]:
    for result, _error in record.errors:
        if result.status == SUCCESS:
            yield Finding(_content(result), f"an error answers a call whose status is {SUCCESS}")


def _error_type_is_status(record: RecordView) -> Iterator[Finding]:
    for result, error in record.errors:
        error_type = error.get("type")
        if isinstance(error_type, str) and result.status in _ERRORS and error_type != result.status:
            yield Finding(_content(result), f"the error is {brief(error_type)}, the status {brief(result.status)}")


def _error_types_are_standard(record: RecordView) -> Iterator[Finding]:
    for result, error in record.errors:
        error_type = error.get("type")
        if error_type is None or (isinstance(error_type, str) and error_type not in _ERRORS):
            what = brief(error_type)
            yield Finding(_content(result), f"an error has one of the eight standard types, not {what}")


def _error_types_are_text(record: RecordView) -> Iterator[Finding]:
    for result, error in record.errors:
        error_type = error.get("type")
        if error_type is not None and not isinstance(error_type, str):
            yield Finding(_content(result), f"the type of an error is a string, not {kind_of(error_type)}")


def _errors_have_message(record: RecordView) -> Iterator[Finding]:
    for result, error in record.errors:
        message = error.get("message")
        if not (isinstance(message, str) and message.strip()):
            yield Finding(_content(result), "an error says what went wrong, in a message that is not blank")


def _error_messages_are_short(record: RecordView) -> Iterator[Finding]:
    for result, error in record.errors:
        message = error.get("message")
        if isinstance(message, str) and len(message) > MESSAGE_LENGTH:
            what = f"has {len(message)} characters, more than the {MESSAGE_LENGTH} that are recommended"
            yield Finding(_content(result), f"the message of the error {what}")


def _errors_hold_no_more(record: RecordView) -> Iterator[Finding]:
    for result, error in record.errors:
        for key in error:
            if key not in ("type", "message"):
                yield Finding(_content(result), f"an error has a type and a message; {brief(key)} is neither")


def _results_fit_their_schema(record: RecordView) -> Iterator[Finding]:
    for result in record.results if record.catalog is not None else ():
        if not result.is_json or result.error is not None or result.failed:
            continue
        validator = result_validator(record, result.call)
        if validator is not None and not validator.is_valid(result.value):
            for problem in validator.problems(result.value):
                where = problem.pointer or "/"
                yield Finding(_content(result), f"the tool's result schema refuses {where}: {problem.message}")


def _called_tools_are_in_catalog(record: RecordView) -> Iterator[Finding]:
    if record.catalog is None:
        return
    for call in record.calls:
        if call.tool is not None and known_tool(record, call.tool) is None:
            where = f"{call.pointer}/function/name"
            yield Finding(where, f"the catalog has no tool {brief(call.name)} with the definition shown here")


def result_validator(record: RecordView, call: CallView | None) -> SchemaValidator | None:
    """Return the validator of a call's result; None where no catalog knows the tool as it is shown."""
    if record.catalog is None or call is None or call.tool is None:
        return None
    if "mask" in record.metadata:
        return _validator_of(record, call.tool)
    kept, catalog = call.tool.result_validators, record.catalog.digest
    if catalog not in kept:
        kept[catalog] = _validator_of(record, call.tool)
    return kept[catalog]


def _validator_of(record: RecordView, shown: ToolView) -> SchemaValidator | None:
    tool = known_tool(record, shown)
    try:
        return validator_for(tool.result_schema) if tool is not None else None
    except InvalidSchema:
        return None


def _content(result: ResultView) -> str:
    return f"{result.message.pointer}/content"


RESULT_CHECKS: dict[str, Check] = {
    "ADM101": Check(_result_has_name_of_call, "mispaired"),
    "ADM102": Check(_every_call_has_status, "misstated"),
    "ADM103": Check(_every_status_has_call, "misstated"),
    "ADM104": Check(_statuses_are_known, "statuses"),
    "ADM105": Check(_failures_are_error_objects, "results"),
    "ADM106": Check(_successes_are_no_errors, "errors"),
    "ADM107": Check(_error_type_is_status, "errors"),
    "ADM108": Check(_error_types_are_standard, "errors"),
    "ADM109": Check(_error_types_are_text, "errors"),
    "ADM110": Check(_errors_have_message, "errors"),
    "ADM111": Check(_error_messages_are_short, "errors"),
    "ADM112": Check(_errors_hold_no_more, "errors"),
    "ADM113": Check(_results_fit_their_schema, "results"),
    "ADM114": Check(_called_tools_are_in_catalog, "calls"),
}
