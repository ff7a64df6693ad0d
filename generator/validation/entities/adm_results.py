"""ADM: ToolResults and their ErrorObjects, alone or with the call that they answer (seeds/004, 4.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.records.calls import SUCCESS
from generator.schemas.adm_errors import ERROR_TYPES
from generator.schemas.extensions import is_extension
from generator.validation.adm_calls import is_adm_name
from generator.validation.adm_results import MESSAGE_LENGTH
from generator.validation.rule import Find, Finding, Rule, rules_of
from generator.validation.rules import RULES
from generator.validation.say import brief, kind_of
from generator.validation.verdict import Severity

ERROR = "ERROR"
STATUSES = (SUCCESS, ERROR)

_FIELDS = frozenset({"name", "status", "content", "error"})
_ERROR_FIELDS = frozenset({"message", "type"})
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")


class AdmResultView:
    """One ToolResult, whatever JSON it is, and the call that stands beside it."""

    def __init__(self, result: JsonValue, call: JsonValue = None) -> None:
        self.result = result
        self.is_object = isinstance(result, dict)
        self.entry: JsonObject = result if isinstance(result, dict) else {}
        self.status: JsonValue = self.entry.get("status")
        error = self.entry.get("error")
        self.error: JsonObject | None = error if isinstance(error, dict) else None
        self.called: JsonValue = call.get("name") if isinstance(call, dict) else None


def _result_is_object(view: AdmResultView) -> Iterator[Finding]:
    if not view.is_object:
        yield Finding("", f"a ToolResult is an object, this is {kind_of(view.result)}")


def _name_is_name(view: AdmResultView) -> Iterator[Finding]:
    name = view.entry.get("name")
    if view.is_object and not is_adm_name(name):
        what = brief(name) if "name" in view.entry else "missing"
        yield Finding("/name", f"the name of a ToolResult is that of a function, here it is {what}")


def _name_is_that_of_call(view: AdmResultView) -> Iterator[Finding]:
    name = view.entry.get("name")
    if isinstance(name, str) and isinstance(view.called, str) and name != view.called:
        yield Finding("/name", f"{brief(name)} answers a call of {brief(view.called)}")


def _status_is_known(view: AdmResultView) -> Iterator[Finding]:
    if view.is_object and view.status not in STATUSES:
        what = brief(view.status) if "status" in view.entry else "missing"
        yield Finding("/status", f"`status` is {SUCCESS} or {ERROR}, here it is {what}")


def _success_has_content(view: AdmResultView) -> Iterator[Finding]:
    if view.status == SUCCESS and "content" not in view.entry:
        yield Finding("/content", f"the status is {SUCCESS}, but there is no `content`")


def _success_has_no_error(view: AdmResultView) -> Iterator[Finding]:
    if view.status == SUCCESS and "error" in view.entry:
        yield Finding("/error", f"the status is {SUCCESS}, but there is an `error`")


def _error_has_error(view: AdmResultView) -> Iterator[Finding]:
    if view.status == ERROR and "error" not in view.entry:
        yield Finding("/error", f"the status is {ERROR}, but there is no `error`")


def _error_has_no_content(view: AdmResultView) -> Iterator[Finding]:
    if view.status == ERROR and "content" in view.entry:
        yield Finding("/content", f"the status is {ERROR}, but there is a `content`")


def _error_is_object(view: AdmResultView) -> Iterator[Finding]:
    if "error" in view.entry and view.error is None:
        yield Finding("/error", f"an ErrorObject is an object, here it is {kind_of(view.entry['error'])}")


def _fields_are_known(view: AdmResultView) -> Iterator[Finding]:
    for name in view.entry:
        if name not in _FIELDS and not is_extension(name):
            yield Finding(pointer([name]), f"{brief(name)} is no field of a ToolResult")


def _error_type_is_constant(view: AdmResultView) -> Iterator[Finding]:
    error_type = (view.error or {}).get("type")
    if isinstance(error_type, str) and not _CONSTANT.fullmatch(error_type):
        yield Finding("/error/type", f"the type of an error is written like {ERROR_TYPES[1]}, not {brief(error_type)}")


def _error_type_is_standard(view: AdmResultView) -> Iterator[Finding]:
    error_type = (view.error or {}).get("type")
    if isinstance(error_type, str) and error_type not in ERROR_TYPES:
        yield Finding("/error/type", f"an error has one of the eight standard types, not {brief(error_type)}")


def _error_type_is_text(view: AdmResultView) -> Iterator[Finding]:
    error_type = (view.error or {}).get("type")
    if error_type is not None and not isinstance(error_type, str):
        yield Finding("/error/type", f"the type of an error is a string, not {kind_of(error_type)}")


def _error_has_message(view: AdmResultView) -> Iterator[Finding]:
    message = (view.error or {}).get("message")
    if view.error is not None and not (isinstance(message, str) and message.strip()):
        yield Finding("/error/message", "an error says what went wrong, in a message that is not blank")


def _error_message_is_short(view: AdmResultView) -> Iterator[Finding]:
    message = (view.error or {}).get("message")
    if isinstance(message, str) and len(message) > MESSAGE_LENGTH:
        what = f"has {len(message)} characters, more than the {MESSAGE_LENGTH} that are recommended"
        yield Finding("/error/message", f"the message of the error {what}")


def _error_holds_no_more(view: AdmResultView) -> Iterator[Finding]:
    for name in view.error or ():
        if name not in _ERROR_FIELDS and not is_extension(name):
            yield Finding(f"/error{pointer([name])}", f"an error has a type and a message; {brief(name)} is neither")


def _same_rule(code: str, find: Find[AdmResultView], severity: Severity) -> Rule[AdmResultView]:
    """Make of a rule over results in records the same rule over ToolResults."""
    return Rule(RULES[code].row, find, severity, severity)


RESULT_CHECKS: dict[str, Find[AdmResultView]] = {
    "ADM321": _result_is_object,
    "ADM322": _name_is_name,
    "ADM323": _status_is_known,
    "ADM324": _success_has_content,
    "ADM325": _success_has_no_error,
    "ADM326": _error_has_error,
    "ADM327": _error_has_no_content,
    "ADM328": _error_is_object,
    "ADM329": _fields_are_known,
    "ADM330": _error_type_is_constant,
}
"""The checks that a ToolResult alone has."""

OWN_RULES = rules_of("adm_structures", RESULT_CHECKS)

RESULT_RULES: tuple[Rule[AdmResultView], ...] = (
    *OWN_RULES,
    _same_rule("ADM101", _name_is_that_of_call, "error"),
    _same_rule("ADM108", _error_type_is_standard, "warning"),
    _same_rule("ADM109", _error_type_is_text, "error"),
    _same_rule("ADM110", _error_has_message, "error"),
    _same_rule("ADM111", _error_message_is_short, "warning"),
    _same_rule("ADM112", _error_holds_no_more, "warning"),
)
"""The rules over a ToolResult; those that all structures share are asked beside them."""
