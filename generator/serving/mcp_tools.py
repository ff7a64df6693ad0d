"""The tools of a record as an MCP server lists them, and what their calls bring as it answers them."""

from __future__ import annotations

from generator.formats.conversation import function_of
from generator.jsontext import JsonObject, JsonValue
from generator.records import ToolResult
from generator.schemas.validators import validator_for
from generator.serving.record_world import RecordWorld, ShownTool

_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def listed_tools(record: RecordWorld) -> list[JsonObject]:
    """Return the tools that a record shows, as the answer to `tools/list` holds them."""
    return [_listed(record, each) for each in record.tools.values()]


def _listed(record: RecordWorld, shown: ShownTool) -> JsonObject:
    function = function_of(shown.definition)
    parameters = function.get("parameters")
    schema = parameters if isinstance(parameters, dict) else {}
    described = function.get("description")
    output, title, notes = output_schema(record, shown.name), _title(shown), _annotations(record, shown)
    return {
        "name": shown.name,
        **({"title": title} if title else {}),
        "description": described if isinstance(described, str) else "",
        "inputSchema": {**schema, "type": "object"},
        **({"outputSchema": output} if output is not None else {}),
        **({"annotations": notes} if notes else {}),
    }


def output_schema(record: RecordWorld, name: str) -> JsonObject | None:
    """Return the schema that the results of a tool keep to; None where none is declared that MCP has a place for.

    MCP has one for objects. Nor is one told that a result of the record breaks: a client would refuse that result.
    """
    shown = record.tools.get(name)
    tool = None if shown is None else shown.tool
    if tool is None or tool.result_origin != "declared" or tool.result_schema.get("type") != "object":
        return None
    validator = validator_for(tool.result_schema)
    forced = (each.forced for each in record.script if each.call.name == tool.name and each.forced is not None)
    fits = all(result.error_type is not None or validator.is_valid(result.content) for result in forced)
    return tool.result_schema if fits else None


def _title(shown: ShownTool) -> str:
    """Return the title of a tool; "" for none, and where its name is scrambled, which it would tell."""
    title = None if shown.tool is None or shown.name != shown.tool.name else shown.tool.extensions.get("title")
    return title if isinstance(title, str) else ""


def _annotations(record: RecordWorld, shown: ShownTool) -> JsonObject:
    """Return what is known of what a tool does: its definition says so, or else the domain that speaks of it."""
    if shown.tool is None:
        return {}
    notes = shown.tool.extensions.get("annotations")
    told = {key: notes[key] for key in _HINTS if isinstance(notes.get(key), bool)} if isinstance(notes, dict) else {}
    program = record.start.program
    if record.is_remade and program.domain.origin != "derived" and shown.tool.name in program.tools:
        return {"readOnlyHint": shown.tool.name not in record.writing, **told}
    return told


def answered(result: ToolResult, output: JsonObject | None) -> JsonObject:
    """Return a result as the answer to `tools/call` holds it, structured where a schema of results is told."""
    answer: JsonObject = {
        "content": [{"type": "text", "text": result.message_text}],
        "isError": result.error_type is not None,
    }
    content: JsonValue = result.content
    if output is not None and result.error_type is None and isinstance(content, dict):
        answer["structuredContent"] = content
    return answer
