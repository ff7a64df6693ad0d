"""ADM: FunctionCalls, alone or with the Tool that declares the function (seeds/004, 4.4)."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.adm import ADM_TYPES
from generator.schemas.adm_tools import DECLARATIONS
from generator.schemas.extensions import is_extension
from generator.validation.adm_calls import is_adm_name
from generator.validation.rule import Find, Finding, Rule, rules_of
from generator.validation.rules import RULES
from generator.validation.say import brief, kind_of
from generator.validation.view import RecordView, as_list

_FIELDS = frozenset({"name", "args"})
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
        texts = [text for text in as_list(schema.get(keyword)) if isinstance(text, str)]
        if texts:
            said[keyword] = list(dict.fromkeys(texts))
    return said


def _call_is_object(view: AdmCallView) -> Iterator[Finding]:
    if not view.is_object:
        yield Finding("", f"a FunctionCall is an object, this is {kind_of(view.call)}")


def _name_is_name(view: AdmCallView) -> Iterator[Finding]:
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


def _fields_are_known(view: AdmCallView) -> Iterator[Finding]:
    for name in view.entry:
        if name not in _FIELDS and not is_extension(name):
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
    "ADM302": _name_is_name,
    "ADM303": _args_are_object,
    "ADM304": _fields_are_known,
    "ADM305": _tool_is_given,
}
"""The checks that a FunctionCall alone has."""

OWN_RULES = rules_of("adm_structures", CALL_CHECKS)

CALL_RULES: tuple[Rule[AdmCallView], ...] = (
    *OWN_RULES,
    *(_as_in_records(code) for code in ("OA014", "OA016", "ADM008", "ADM009", "ADM010")),
)
"""Every rule over a FunctionCall."""
