"""The result of an operation: the schema of its success response."""

from __future__ import annotations

from generator.formats.openapi_bodies import preferred_content
from generator.formats.openapi_document import ApiDocument, Findings, UnfollowableError
from generator.formats.openapi_schemas import SchemaCarrier
from generator.jsontext import JsonObject, JsonValue, pointer

_ANY_SUCCESS = "2XX"


def read_result(operation: JsonObject, api: ApiDocument, findings: Findings) -> tuple[JsonValue, str]:
    """Return the result schema and where it stands inside the operation; None where the API declares none."""
    responses = operation.get("responses")
    if not isinstance(responses, dict):
        return None, ""
    try:
        found = [(code, *_schema(responses[code], api)) for code in _successes(responses)]
    except UnfollowableError as problem:
        findings.note("error", "/responses", str(problem), problem.remedy)
        return None, ""
    declared = [(code, schema, at) for code, schema, at in found if schema is not None]
    if not declared:
        return None, ""
    code, schema, at = declared[0]
    others = [other for other, different, _ in declared[1:] if different != schema]
    if others:
        message = f"the result is that of {code}; {', '.join(others)} answer otherwise"
        findings.note("lost", "/responses", message)
    at = pointer(("responses", code)) + at
    carrier = SchemaCarrier(api, "result", findings, at)
    return carrier.with_definitions(schema), at


def _successes(responses: JsonObject) -> list[str]:
    """Return the codes of success, the lowest first; `default` counts where it stands alone."""
    codes = sorted(code for code in responses if len(code) == 3 and code.startswith("2"))
    codes.sort(key=lambda code: code.upper() == _ANY_SUCCESS)
    return codes or (["default"] if list(responses) == ["default"] else [])


def _schema(given: JsonValue, api: ApiDocument) -> tuple[JsonValue, str]:
    """Return the schema of one response, JSON first, and where it stands inside the response."""
    response, _ = api.resolved_object(given, "", "a response")
    if api.version == "2.0":
        return response.get("schema"), "/schema"
    content = response.get("content")
    if not isinstance(content, dict) or (media_type := preferred_content(content)) is None:
        return None, ""
    media = content[media_type]
    schema = media.get("schema") if isinstance(media, dict) else None
    return schema, pointer(("content", media_type, "schema"))
