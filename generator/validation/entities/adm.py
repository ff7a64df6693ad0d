"""ADM's structures: a Tool, a FunctionCall with its Tool, a ToolResult with its call (seeds/004, 4.1 to 4.5).

A file is loaded wherever one safe reading is left; here the specification is taken at its word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.records import SUCCESS
from generator.schemas.adm import (
    ADM_TYPES,
    DECLARATION_RULES,
    DECLARATIONS,
    ERROR_TYPES,
    NO_NULLS,
    SCHEMA_RULES,
    TOOL_RULES,
    VERSION_RULES,
    AdmRule,
    fields_have_values,
    is_newer_minor,
    is_refused,
)
from generator.schemas.keywords import Path, is_extension
from generator.validation.rule import Find, Finding, Rule, ask, rules_of
from generator.validation.rules import RULES
from generator.validation.specifications.adm import MESSAGE_LENGTH, is_adm_name
from generator.validation.verdict import Severity, Violation, brief, kind_of
from generator.validation.view import RecordView, as_list

TYPE_CODES = frozenset({"ADM223", "ADM224"})
"""The rules that tell of a type which is not one of ADM's."""

Part = Literal["tools", "declarations", "schemas", "structures"]


class Structure(NamedTuple):
    """One object inside a Tool, and where it stands."""

    path: Path
    entry: JsonObject


class ToolStructures:
    """The structures of an ADM Tool, whatever JSON it is."""

    def __init__(self, document: JsonValue) -> None:
        self.document = document
        self.tools = [Structure((), document)] if isinstance(document, dict) else []
        self.is_newer = bool(self.tools) and is_newer_minor(document)
        self.misplaced: list[tuple[Path, JsonValue, str]] = []
        """Values that stand where an object has to, with the name of that object."""
        self.declarations: list[Structure] = []
        self.schemas: list[Structure] = []
        field = next((name for name in DECLARATIONS if self.tools and name in document), "")
        for index, declaration in enumerate(as_list(document[field]) if field else []):
            self._keep((field, index), declaration, "a FunctionDeclaration", self.declarations)
        for path, declaration in self.declarations:
            self._walk((*path, "parameters"), declaration.get("parameters"))

    def _walk(self, path: Path, root: JsonValue) -> None:
        waiting = [(path, root)] if root is not None else []
        while waiting:
            at, value = waiting.pop()
            self._keep(at, value, "a Schema", self.schemas)
            if isinstance(value, dict):
                properties = value.get("properties")
                inner = [((*at, "items"), value["items"])] if value.get("items") is not None else []
                named = properties.items() if isinstance(properties, dict) else ()
                inner += [((*at, "properties", name), part) for name, part in named]
                waiting += reversed(inner)

    def _keep(self, path: Path, value: JsonValue, what: str, kept: list[Structure]) -> None:
        if isinstance(value, dict):
            kept.append(Structure(path, value))
        else:
            self.misplaced.append((path, value, what))

    def is_of_new_type(self, entry: JsonObject) -> bool:
        """Say whether a schema has a type that only a newer MINOR version can know, and so a form of its own."""
        kind = entry.get("type")
        return self.is_newer and isinstance(kind, str) and kind not in ADM_TYPES

    @property
    def structures(self) -> list[Structure]:
        """Every object that ADM defines."""
        return [*self.tools, *self.declarations, *self.schemas]


def over(rule: AdmRule, part: Part) -> Find[ToolStructures]:
    """Make the search for what breaks a rule of one structure in every such structure of a Tool."""

    def find(view: ToolStructures) -> Iterator[Finding]:
        structures: list[Structure] = getattr(view, part)
        for path, entry in structures:
            if rule.code not in TYPE_CODES and view.is_of_new_type(entry):
                continue
            for at, message in rule.check(entry):
                yield Finding(pointer((*path, *at)), message)

    return find


def _tool_is_object(view: ToolStructures) -> Iterator[Finding]:
    if not isinstance(view.document, dict):
        yield Finding("", f"a Tool is an object, this is {kind_of(view.document)}")


def _list_has_its_name(view: ToolStructures) -> Iterator[Finding]:
    for _, tool in view.tools:
        if DECLARATIONS[0] not in tool and DECLARATIONS[1] in tool:
            yield Finding(f"/{DECLARATIONS[1]}", f"the list of a Tool is called `{DECLARATIONS[0]}`")


def _parts_are_objects(what: str) -> Find[ToolStructures]:
    def find(view: ToolStructures) -> Iterator[Finding]:
        for path, value, due in view.misplaced:
            if due == what:
                yield Finding(pointer(path), f"{what} is an object, this is {kind_of(value)}")

    return find


def _judged(rules: tuple[AdmRule, ...], part: Part) -> dict[str, Find[ToolStructures]]:
    return {rule.code: over(rule, part) for rule in rules if rule is not NO_NULLS}


TOOL_CHECKS: dict[str, Find[ToolStructures]] = {
    "ADM201": _tool_is_object,
    **_judged(TOOL_RULES, "tools"),
    "ADM207": _parts_are_objects("a FunctionDeclaration"),
    **_judged(DECLARATION_RULES, "declarations"),
    "ADM220": _parts_are_objects("a Schema"),
    **_judged(SCHEMA_RULES, "schemas"),
    "ADM241": _list_has_its_name,
}
"""The checks of an ADM Tool, its declarations and its schemas."""
SHARED_CHECKS: dict[str, Find[ToolStructures]] = {
    NO_NULLS.code: over(NO_NULLS, "structures"),
    **_judged(VERSION_RULES, "tools"),
}
"""The checks that FunctionCalls and ToolResults keep as Tools do: no nulls, and a version that is known."""

TOOL_STRUCTURE_RULES = rules_of("adm_structures", TOOL_CHECKS)
SHARED_RULES = rules_of("adm_structures", SHARED_CHECKS)


_CALL_FIELDS = frozenset({"name", "args"})
_CALL = "/messages/0/tool_calls/0/function"


class AdmCallView:
    """One FunctionCall, whatever JSON it is, and the Tool that stands beside it."""

    def __init__(self, call: JsonValue, tool: JsonValue, *, has_tool: bool, is_known: bool) -> None:
        self.call = call
        self.entry: JsonObject = call if isinstance(call, dict) else {}
        self.is_object = isinstance(call, dict)
        self.tool = tool
        self.has_tool = has_tool
        self.is_known = is_known
        """Whether the Tool is there, in a version that can be read."""

    def record(self) -> RecordView:
        """The call as that of a record which shows the functions of the Tool, so that the same rules judge it."""
        function = {"name": self.entry.get("name"), "arguments": self.entry.get("args")}
        turn = {"role": "assistant", "content": "", "tool_calls": [{"function": function}]}
        return RecordView({"messages": [turn], "tools": list(_shown(self.tool))}, generated=False)


def _shown(tool: JsonValue) -> Iterator[JsonObject]:
    declared = next((tool[name] for name in DECLARATIONS if name in tool), None) if isinstance(tool, dict) else None
    for declaration in as_list(declared):
        if isinstance(declaration, dict):
            parameters = json_schema(declaration.get("parameters"))
            yield {"type": "function", "function": {"name": declaration.get("name"), "parameters": parameters}}


def json_schema(schema: JsonValue) -> JsonObject:
    """Say what an ADM Schema says in JSON Schema; what it does not define, or says wrongly, demands nothing."""
    if not isinstance(schema, dict):
        return {}
    said: JsonObject = {}
    kind = schema.get("type")
    if isinstance(kind, str) and kind.upper() in ADM_TYPES:
        said["type"] = kind.lower()
    if isinstance(schema.get("properties"), dict):
        said["properties"] = {name: json_schema(part) for name, part in schema["properties"].items()}
    if isinstance(schema.get("items"), dict):
        said["items"] = json_schema(schema["items"])
    for keyword in ("required", "enum"):
        if texts := _distinct_texts(schema.get(keyword)):
            said[keyword] = texts
    return said


def _distinct_texts(listed: JsonValue) -> list[str]:
    return list(dict.fromkeys(text for text in as_list(listed) if isinstance(text, str)))


def _call_is_object(view: AdmCallView) -> Iterator[Finding]:
    if not view.is_object:
        yield Finding("", f"a FunctionCall is an object, this is {kind_of(view.call)}")


def _call_name_is_name(view: AdmCallView) -> Iterator[Finding]:
    name = view.entry.get("name")
    if view.is_object and not is_adm_name(name):
        what = brief(name) if "name" in view.entry else "missing"
        yield Finding(
            "/name", f"a name starts with a letter or _ and has at most 64 letters, digits, _, -; it is {what}"
        )


def _args_are_object(view: AdmCallView) -> Iterator[Finding]:
    if view.is_object and not isinstance(view.entry.get("args"), dict):
        what = kind_of(view.entry["args"]) if "args" in view.entry else "missing"
        yield Finding("/args", f"`args` is an object, {{}} where there are none; here it is {what}")


def _call_fields_are_known(view: AdmCallView) -> Iterator[Finding]:
    for name in view.entry:
        if name not in _CALL_FIELDS and not is_extension(name):
            yield Finding(pointer([name]), f"{brief(name)} is no field of a FunctionCall")


def _tool_is_given(view: AdmCallView) -> Iterator[Finding]:
    if not view.has_tool:
        message = 'no Tool stands beside the call, so that it is not checked against one: {"tool": ..., "call": ...}'
        yield Finding("", message)


def _as_in_records(code: str) -> Rule[AdmCallView]:
    """Ask a rule over records of the call: its findings point into the call."""
    rule = RULES[code]

    def find(view: AdmCallView) -> Iterator[Finding]:
        if view.is_known and view.is_object:
            for found in rule.find(view.record()):
                where = found.pointer.removeprefix(_CALL)
                yield Finding(where.replace("/arguments", "/args", 1), found.message)

    severity = rule.read or "error"
    return Rule(rule.row, find, severity, severity)


CALL_CHECKS: dict[str, Find[AdmCallView]] = {
    "ADM301": _call_is_object,
    "ADM302": _call_name_is_name,
    "ADM303": _args_are_object,
    "ADM304": _call_fields_are_known,
    "ADM305": _tool_is_given,
}
"""The checks that a FunctionCall alone has."""

OWN_CALL_RULES = rules_of("adm_structures", CALL_CHECKS)

CALL_RULES: tuple[Rule[AdmCallView], ...] = (
    *OWN_CALL_RULES,
    *(_as_in_records(code) for code in ("OA014", "OA016", "ADM008", "ADM009", "ADM010")),
)
"""Every rule over a FunctionCall."""


ERROR = "ERROR"
STATUSES = (SUCCESS, ERROR)

_RESULT_FIELDS = frozenset({"name", "status", "content", "error"})
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


def _result_name_is_name(view: AdmResultView) -> Iterator[Finding]:
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


def _result_fields_are_known(view: AdmResultView) -> Iterator[Finding]:
    for name in view.entry:
        if name not in _RESULT_FIELDS and not is_extension(name):
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
    "ADM322": _result_name_is_name,
    "ADM323": _status_is_known,
    "ADM324": _success_has_content,
    "ADM325": _success_has_no_error,
    "ADM326": _error_has_error,
    "ADM327": _error_has_no_content,
    "ADM328": _error_is_object,
    "ADM329": _result_fields_are_known,
    "ADM330": _error_type_is_constant,
}
"""The checks that a ToolResult alone has."""

OWN_RESULT_RULES = rules_of("adm_structures", RESULT_CHECKS)

RESULT_RULES: tuple[Rule[AdmResultView], ...] = (
    *OWN_RESULT_RULES,
    _same_rule("ADM101", _name_is_that_of_call, "error"),
    _same_rule("ADM108", _error_type_is_standard, "warning"),
    _same_rule("ADM109", _error_type_is_text, "error"),
    _same_rule("ADM110", _error_has_message, "error"),
    _same_rule("ADM111", _error_message_is_short, "warning"),
    _same_rule("ADM112", _error_holds_no_more, "warning"),
)
"""The rules over a ToolResult; those that all structures share are asked beside them."""


_SHARED = {rule.code: rule for rule in SHARED_RULES}
_OF_VERSIONS = tuple(rule for rule in SHARED_RULES if rule.code != "ADM219")
_NEW_FIELDS = frozenset({"ADM206", "ADM218", "ADM240", "ADM304", "ADM329", "ADM112"})
_NEW_WORDS = frozenset({"ADM223", "ADM224", "ADM323"})
"""What a newer MINOR version may add: fields, which are ignored, and types and statuses, which are told."""


def tool_violations(document: JsonValue, prefix: str = "") -> Iterator[Violation]:
    """Yield every violation in an ADM Tool."""
    view = ToolStructures(document)
    rules = () if _refused(document) else (*TOOL_STRUCTURE_RULES, _SHARED["ADM219"])
    yield from _tolerated(document, ask((*_OF_VERSIONS, *rules), view, prefix))


def call_violations(document: JsonValue) -> Iterator[Violation]:
    """Yield every violation in `{"tool": ..., "call": ...}`, or in a FunctionCall alone."""
    parts = _parts(document, "call", "tool")
    if parts is None:
        yield from _call_violations(document, None, "", has_tool=False)
        return
    yield from ask(_OF_VERSIONS, ToolStructures(parts), "")
    if not _refused(parts):
        yield from _pair_violations(parts)


def _pair_violations(parts: JsonObject) -> Iterator[Violation]:
    yield from tool_violations(parts.get("tool"), "/tool")
    yield from _call_violations(parts.get("call"), parts.get("tool"), "/call", has_tool=True)


def _call_violations(call: JsonValue, tool: JsonValue, prefix: str, *, has_tool: bool) -> Iterator[Violation]:
    yield from _of_structure(call, prefix, ())
    if not _refused(call):
        view = AdmCallView(call, tool, has_tool=has_tool, is_known=has_tool and not _refused(tool))
        yield from _tolerated(call, ask(CALL_RULES, view, prefix))


def result_violations(document: JsonValue) -> Iterator[Violation]:
    """Yield every violation in a ToolResult, or in `{"tool": ..., "call": ..., "result": ...}`."""
    parts = _parts(document, "result", "tool", "call")
    if parts is None:
        yield from _result_violations(document, None, "")
        return
    yield from ask(_OF_VERSIONS, ToolStructures(parts), "")
    if not _refused(parts):
        yield from _pair_violations(parts)
        yield from _result_violations(parts.get("result"), parts.get("call"), "/result")


def _result_violations(result: JsonValue, call: JsonValue, prefix: str) -> Iterator[Violation]:
    yield from _of_structure(result, prefix, ("content",))
    if not _refused(result):
        yield from _of_error(result, prefix)
        yield from _tolerated(result, ask(RESULT_RULES, AdmResultView(result, call), prefix))


def _parts(document: JsonValue, *names: str) -> JsonObject | None:
    """Return the document where it holds several structures by these names, the first of which tells it apart."""
    if isinstance(document, dict) and (names[0] in document or names[1] in document) and "name" not in document:
        return document
    return None


def _of_structure(structure: JsonValue, prefix: str, nullable: tuple[str, ...]) -> Iterator[Violation]:
    """Yield what is wrong with the version and with nulls, of which `nullable` fields may have one."""
    yield from ask(_OF_VERSIONS, ToolStructures(structure), prefix)
    if isinstance(structure, dict) and not _refused(structure):
        shown = {name: value for name, value in structure.items() if name not in nullable}
        yield from _nulls(shown, prefix)


def _of_error(result: JsonValue, prefix: str) -> Iterator[Violation]:
    error = result.get("error") if isinstance(result, dict) else None
    if isinstance(error, dict):
        yield from _nulls(error, f"{prefix}/error")


def _nulls(structure: JsonObject, prefix: str) -> Iterator[Violation]:
    rule = _SHARED["ADM219"]
    for at, message in fields_have_values(structure):
        yield rule.violation(Finding(pointer(at), message), "error", prefix)


def _refused(structure: JsonValue) -> bool:
    return isinstance(structure, dict) and is_refused(structure)


def _tolerated(structure: JsonValue, violations: Iterable[Violation]) -> Iterator[Violation]:
    """Pass on what holds for the version of a structure: a newer MINOR one may hold what is not known here."""
    newer = isinstance(structure, dict) and is_newer_minor(structure)
    for violation in violations:
        if newer and violation.rule in _NEW_WORDS:
            yield violation.model_copy(update={"severity": "warning"})
        elif not (newer and violation.rule in _NEW_FIELDS):
            yield violation
