"""The `adm` format: ALTAR's data model. Tools are function declarations, records have calls and results apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.formats import adm_records
from generator.formats.fields import RESULT_EXTENSION, extensions_of, result_of
from generator.formats.format import Format, RawTool, ToolDump
from generator.formats.losses import strict_loss
from generator.jsontext import JsonObject, JsonValue, digest, pointer
from generator.schemas.adm.dump import to_adm
from generator.schemas.adm.schema import ADM_TYPES, VERSION_RULES, schema_notes
from generator.schemas.adm.tools import (
    DECLARATION_RULES,
    DECLARATIONS,
    JSON_SCHEMA_PARAMETERS,
    RESULTS,
    TOOL_RULES,
    declaration_is_object,
)
from generator.schemas.node import Note, under
from generator.tools.tool import Change, Tool

TOOL_EXTENSIONS = "_adm_tool"
"""Where a tool keeps the extensions of the ADM Tool that declared it; a name that ADM reserves."""


def matches(element: JsonValue) -> bool:
    """Say whether this is an ADM Tool, or a declaration whose types are ADM's."""
    if not isinstance(element, dict):
        return False
    if any(name in element for name in DECLARATIONS):
        return True
    parameters = element.get("parameters")
    in_capitals = isinstance(parameters, dict) and parameters.get("type") in ADM_TYPES
    return "name" in element and "type" not in element and (in_capitals or _has_json_schema(element))


def _has_json_schema(element: JsonObject) -> bool:
    return any(name in element for name in JSON_SCHEMA_PARAMETERS)


def load(element: JsonObject) -> Iterator[RawTool]:
    """Read the declarations; what is wrong with the Tool around them comes first, as a definition without a name."""
    name = next((name for name in DECLARATIONS if name in element), None)
    if name is None:
        yield _declaration(element, "", {})
        return
    notes = tuple(note for rule in (*TOOL_RULES, *VERSION_RULES) for note in rule.notes(element, ()))
    if notes:
        yield RawTool(pointer="", name=None, description=None, parameters=None, notes=notes, is_definition=False)
    declarations = element[name]
    for index, declaration in enumerate(declarations if isinstance(declarations, list) else []):
        yield _declaration(declaration, pointer((name, index)), extensions_of(element))


def _declaration(declaration: JsonValue, at: str, of_tool: JsonObject) -> RawTool:
    notes = tuple(declaration_is_object(declaration))
    if notes:
        return RawTool(pointer=at, name=None, description=None, parameters=None, notes=notes)
    parameters_name = next((name for name in JSON_SCHEMA_PARAMETERS if declaration.get(name)), "parameters")
    result, result_at, conflicts = result_of(declaration, *RESULTS)
    extensions = extensions_of(declaration)
    if of_tool:
        extensions[TOOL_EXTENSIONS] = of_tool
    return RawTool(
        pointer=at,
        name=declaration.get("name"),
        description=declaration.get("description"),
        parameters=declaration.get(parameters_name),
        parameters_at=f"/{parameters_name}",
        result_schema=result,
        result_at=result_at,
        extensions=extensions,
        notes=(*_notes(declaration), *conflicts),
    )


def _notes(declaration: JsonObject) -> Iterator[Note]:
    for rule in (*DECLARATION_RULES, *VERSION_RULES):
        yield from rule.notes(declaration, ())
    if declaration.get("parameters") is not None:
        yield from under("/parameters", schema_notes(declaration["parameters"]))


def dump(tools: Sequence[Tool]) -> ToolDump:
    """Write the tools as one ADM Tool, or as a list of them where they came with different extensions.

    Each keyword that ADM's Schema cannot hold is a loss; result schemas are kept as extensions.
    """
    groups: dict[str, JsonObject] = {}
    losses: dict[str, tuple[Change, ...]] = {}
    for tool in tools:
        of_tool = _of_tool(tool)
        group = groups.setdefault(digest(of_tool), {"function_declarations": [], **of_tool})
        declaration, lost = _write(tool)
        group["function_declarations"].append(declaration)
        if lost:
            losses[tool.name] = lost
    documents = list(groups.values())
    return ToolDump(documents[0] if len(documents) == 1 else documents, losses)


def _of_tool(tool: Tool) -> JsonObject:
    kept = tool.extensions.get(TOOL_EXTENSIONS)
    return kept if isinstance(kept, dict) else {}


def _write(tool: Tool) -> tuple[JsonObject, tuple[Change, ...]]:
    parameters, notes = to_adm(tool.parameters)
    written: JsonObject = {"name": tool.name, "description": tool.description, "parameters": parameters}
    if tool.result_origin != "domain":
        written[RESULT_EXTENSION] = tool.result_schema
    of_adm = {name: value for name, value in extensions_of(tool.extensions).items() if name != TOOL_EXTENSIONS}
    lost = [Change(pointer=f"/parameters{note.pointer}", kind="lost", message=note.message) for note in notes]
    lost += [
        Change(pointer=pointer((name,)), kind="lost", message="ADM has no field for it")
        for name in tool.extensions
        if name not in of_adm and name != TOOL_EXTENSIONS
    ]
    return {**written, **of_adm}, (*lost, *strict_loss(tool))


FORMAT = Format(
    name="adm",
    summary="ADM: function_declarations; records with calls and results beside messages",
    matches_tools=matches,
    load_tools=load,
    dump_tools=dump,
    matches_record=adm_records.matches_record,
    load_record=adm_records.load_record,
    dump_record=adm_records.dump_record,
    columns=frozenset({"messages", "tools", "metadata", "calls", "results"}),
    recognised_by="`messages` with `calls` and `results` beside them",
    losses=adm_records.LOSSES,
)
