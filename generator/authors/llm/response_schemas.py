"""The schemas of the answers: an envelope that carries the calls as data, bound to each tool's own schema."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.jsontext import JsonObject, JsonValue
from generator.scenarios.scenario import Step
from generator.tools.tool import Tool

LONGEST_REQUEST = 1200
LONGEST_REPLY = 2000
"""Characters; a bound keeps a wandering model from running to its token limit."""
LONGEST_SPAN = 200
"""Characters of the words that one argument comes from."""
_MOST_EVIDENCE = 60
_SAID: JsonObject = {"argument": {"type": "string"}, "said": {"type": "string", "maxLength": LONGEST_SPAN}}
_DEEPEST_STRICT = 8


@dataclass(frozen=True, slots=True)
class Envelope:
    """The schema of an answer, and whether it meets strict mode."""

    schema: JsonObject
    strict: bool


def reply_envelope() -> Envelope:
    """The answer that holds the assistant's final text."""
    text = {"type": "string", "minLength": 1, "maxLength": LONGEST_REPLY}
    return Envelope(_object({"reply": text}), strict=True)


def draft_envelope(step: Step, later: int = 0) -> Envelope:
    """The answer that holds the user's text and exactly the planned number of calls.

    Each call's arguments are bound to its tool's parameters. They are the strict form where every tool has
    one (optional parameters become nullable, null is read as absent), else the schema as it stands. Where `later`
    calls follow without a word of the user, it holds the evidence for them as well.
    """
    text = {"type": "string", "minLength": 1, "maxLength": LONGEST_REQUEST}
    calls, strict = _planned_calls(step)
    parts: JsonObject = {"request": text, "calls": calls}
    if later:
        said = {"call": {"type": "integer", "minimum": 1, "maximum": later}, **_SAID}
        parts["later"] = {"type": "array", "items": _object(said), "maxItems": _MOST_EVIDENCE}
    return Envelope(_object(parts), strict)


def following_envelope(step: Step) -> Envelope:
    """The answer that holds exactly the planned number of calls, before which nobody speaks."""
    calls, strict = _planned_calls(step)
    return Envelope(_object({"calls": calls}), strict)


def _planned_calls(step: Step) -> tuple[JsonObject, bool]:
    """Return the schema of as many calls as are planned, and whether it meets strict mode."""
    tools = list({call.tool.key: call.tool for call in step.calls}.values())
    strict_forms = [strict_form(tool.shown_parameters) for tool in tools]
    strict = all(form is not None for form in strict_forms)
    forms = [
        form if strict and form is not None else tool.shown_parameters
        for tool, form in zip(tools, strict_forms, strict=True)
    ]
    calls: JsonObject = {"type": "array", "minItems": len(step.calls), "maxItems": len(step.calls)}
    if tools:
        branches = [_call(tool, form) for tool, form in zip(tools, forms, strict=True)]
        calls["items"] = branches[0] if len(branches) == 1 else {"anyOf": branches}
    else:
        calls["items"] = _object({})
    return calls, strict


_MOST_CALLS = 16
_LONGEST_REASONS = 600
_MOST_BOUND = 12
"""Tools to which the calls of an answer are bound one by one; more would make a schema that few servers take."""


def calls_envelope(tools: Sequence[Tool]) -> Envelope:
    """The answer that holds whatever calls follow from a conversation, none included."""
    forms = {tool.name: strict_form(tool.shown_parameters) for tool in tools}
    strict = 0 < len(forms) <= _MOST_BOUND and all(form is not None for form in forms.values())
    names: JsonObject = {"type": "string", "enum": list(forms)}
    if strict:
        branches = [_object({"name": {"type": "string", "enum": [name]}, "arguments": forms[name]}) for name in forms]
        item = branches[0] if len(branches) == 1 else {"anyOf": branches}
    else:
        item = _object({"name": names if forms else {"type": "string"}, "arguments": {"type": "object"}})
    calls = {"type": "array", "items": item, "maxItems": _MOST_CALLS}
    return Envelope(_object({"calls": calls}), strict)


def results_envelope(count: int) -> Envelope:
    """The answer that holds the results of so many calls, whatever JSON they are."""
    return Envelope(_object({"results": {"type": "array", "minItems": count, "maxItems": count}}), strict=False)


def judgement_envelope() -> Envelope:
    """The answer of a judge: reasons, then what holds."""
    held = {name: {"type": "boolean"} for name in ("errand", "calls", "results", "answer", "kind")}
    return Envelope(_object({"reasons": {"type": "string", "maxLength": _LONGEST_REASONS}, **held}), strict=True)


def _call(tool: Tool, arguments: JsonObject) -> JsonObject:
    evidence = {"type": "array", "items": _object(_SAID), "maxItems": _MOST_EVIDENCE}
    return _object({"name": {"type": "string", "enum": [tool.name]}, "arguments": arguments, "evidence": evidence})


def _object(properties: JsonObject) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


_STRICT_KEYWORDS = frozenset({"type", "description", "enum", "const", "title", "default", "examples"})


def strict_form(schema: JsonValue, depth: int = 0) -> JsonObject | None:
    """Return the strict form of a schema (seeds/003, 5), None where it has none.

    Every property is required and additionalProperties false at every level; an optional property may be
    null instead. Keywords that only narrow a value are left out: the validator checks them afterwards.
    """
    if not isinstance(schema, dict) or depth > _DEEPEST_STRICT or not isinstance(schema.get("type"), str):
        return None
    kept: JsonObject = {
        key: value for key, value in schema.items() if key in _STRICT_KEYWORDS - {"default", "examples", "title"}
    }
    if schema["type"] == "object":
        return _strict_object(schema, kept, depth)
    if schema["type"] == "array":
        inner = strict_form(schema.get("items"), depth + 1)
        return None if inner is None else kept | {"items": inner}
    return kept


def _strict_object(schema: JsonObject, kept: JsonObject, depth: int) -> JsonObject | None:
    properties = schema.get("properties")
    if not isinstance(properties, dict) or schema.get("additionalProperties", False) is not False:
        return None
    if not properties and depth:
        return None
    forms: JsonObject = {}
    for name, part in properties.items():
        form = strict_form(part, depth + 1)
        if form is None:
            return None
        forms[name] = form if name in schema.get("required", ()) else {"anyOf": [form, {"type": "null"}]}
    return kept | {"properties": forms, "required": list(forms), "additionalProperties": False}


def without_absent(value: JsonValue, schema: JsonValue) -> JsonValue:
    """Take out the nulls that stand for absent optional properties in an answer to the strict form."""
    if isinstance(value, list) and isinstance(schema, dict):
        return [without_absent(part, schema.get("items")) for part in value]
    if not isinstance(value, dict) or not isinstance(schema, dict):
        return value
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    return {
        name: without_absent(part, properties.get(name))
        for name, part in value.items()
        if part is not None or name in required or name not in properties or _takes_null(properties[name])
    }


def _takes_null(schema: JsonValue) -> bool:
    if not isinstance(schema, dict):
        return schema is True
    kinds = schema.get("type")
    branches = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return kinds == "null" or (isinstance(kinds, list) and "null" in kinds) or any(map(_takes_null, branches))
