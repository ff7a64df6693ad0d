"""The `openai-responses` format, for reading: the input of OpenAI's Responses, and what came of it.

Messages, calls and their outputs follow each other in one list; `call_id` links an output to its call.
"""

from __future__ import annotations

from generator.formats.embedded_json import as_text
from generator.formats.format import Format
from generator.formats.openai_records import load_record as load_openai
from generator.formats.shown_tools import read_foreign
from generator.jsontext import JsonObject, JsonValue

_CALL, _OUTPUT = "function_call", "function_call_output"
_TEXTS = ("input_text", "output_text", "text")
_PARAMETERS = "responses_create_params"


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has an input of messages, calls and outputs."""
    items = _items(document) if isinstance(document, dict) else []
    return any(isinstance(each, dict) and ("role" in each or each.get("type") == _CALL) for each in items)


def _request(document: JsonObject) -> JsonObject:
    """Return the request, which some rows keep under the name of the method's parameters."""
    request = document.get(_PARAMETERS)
    return request if isinstance(request, dict) else document


def _items(document: JsonObject) -> list[JsonValue]:
    request = _request(document)
    given, came = request.get("input"), document.get("output")
    first: list[JsonValue] = [{"role": "user", "content": given}] if isinstance(given, str) and came else []
    return [*first, *(given if isinstance(given, list) else []), *(came if isinstance(came, list) else [])]


def load_record(document: JsonObject) -> JsonObject:
    """Bring a request and its output to the canonical document; items of other types stay, for the rules to find."""
    request = _request(document)
    messages: list[JsonValue] = []
    if isinstance(request.get("instructions"), str):
        messages.append({"role": "system", "content": request["instructions"]})
    for each in _items(document):
        _add(messages, each)
    return load_openai({"messages": messages, "tools": read_foreign(request.get("tools", []))})


def _add(messages: list[JsonValue], each: JsonValue) -> None:
    kind = each.get("type", "message") if isinstance(each, dict) else ""
    if kind == _CALL:
        call = {"id": each.get("call_id", each.get("id")), "type": "function", "function": _function(each)}
        last = messages[-1] if messages else None
        if isinstance(last, dict) and "tool_calls" in last:
            last["tool_calls"].append(call)
        else:
            messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
    elif kind == _OUTPUT:
        messages.append({"role": "tool", "tool_call_id": each.get("call_id"), "content": as_text(each.get("output"))})
    elif kind == "message":
        role = "system" if each.get("role") == "developer" else each.get("role")
        messages.append({"role": role, "content": _text(each.get("content"))})
    else:
        messages.append(each)


def _function(call: JsonObject) -> JsonObject:
    return {"name": call.get("name"), "arguments": call.get("arguments", "{}")}


def _text(content: JsonValue) -> JsonValue:
    """Return the text of parts that are all text; other content as it is."""
    if not isinstance(content, list) or not all(
        isinstance(part, dict) and part.get("type") in _TEXTS for part in content
    ):
        return content
    return "".join(str(part.get("text", "")) for part in content)


FORMAT = Format(
    name="openai-responses",
    summary="OpenAI's Responses: input and output of messages, function_call and function_call_output",
    matches_record=matches_record,
    keys=("input", _PARAMETERS),
    load_record=load_record,
    columns=frozenset({"input", "output", "tools", "instructions", _PARAMETERS}),
    recognised_by="`input` with messages or `function_call`, or `responses_create_params`",
)
