"""What a program on a screen answers when it is driven: little more than that it was done."""

from __future__ import annotations

from collections.abc import Mapping

from generator.jsontext import JsonObject
from generator.tools.operations import Operation
from generator.tools.result_schemas_echoes import scalar
from generator.tools.result_schemas_fields import closed, fields_of

_SURFACES = frozenset(("browser",))
_HANDLED = frozenset(
    "click type press select hover drag drop fill resize close handle wait navigate mouse emulate highlight annotate "
    "dialog upload chapter actions hide start stop resume video tracing recording scroll key".split()
)
_SHOWN: dict[str, str] = {
    "console": "messages*level:console_level,text:console_line",
    "requests": "requests*method:request_method,url:request_url,status:http_status",
    "request": "method:request_method url:request_url status:http_status",
    "tabs": "tabs*index:number,title:page_title,url:url",
    "screenshot": "path:image_path",
    "pdf": "path:pdf_path",
    "snapshot": "url title:page_title elements*:element_text",
    "evaluate": "result:evaluated",
    "code": "result:evaluated",
    "find": "matches*:element_text",
    "locator": "locator",
    "verify": "verified",
    "navigate": "url title:page_title",
}
"""What is answered by a word of the tool's name; `key*a,b` is a list of objects."""
_TOLD = ("url", "element", "key")


def surface_fields(operation: Operation, parameters: JsonObject) -> dict[str, JsonObject]:
    """Return the fields of a result of a program that is driven; none for any other tool."""
    words = operation.words
    if _SURFACES.isdisjoint(words[:1]):
        return {}
    shown = next((spec for word, spec in _SHOWN.items() if word in words), None)
    if shown is not None:
        return _fields(shown)
    if _HANDLED.isdisjoint(words):
        return {}
    return {**fields_of("success"), **_repeated(parameters)}


def _fields(spec: str) -> dict[str, JsonObject]:
    key, star, inner = spec.partition("*")
    if not star or inner.startswith(":"):
        return fields_of(spec)
    if " " in key:
        return fields_of(spec)
    entry = closed(fields_of(inner.replace(",", " ")))
    return {key: {"type": "array", "items": entry, "minItems": 1, "maxItems": 6}}


def _repeated(parameters: JsonObject) -> dict[str, JsonObject]:
    """Return the echo of what was acted on: one element or key, and the paths of an upload."""
    properties = parameters.get("properties")
    required = parameters.get("required")
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        return {}
    given = {name: scalar(properties[name]) for name in _TOLD if name in required and name in properties}
    found = {name: echo for name, echo in given.items() if echo is not None}
    if "paths" in properties:
        found["paths"] = {"type": "array", "items": {"type": "string"}}
    return found
