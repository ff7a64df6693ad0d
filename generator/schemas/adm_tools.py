"""ADM's rules for a Tool and a FunctionDeclaration (ADM, 4.1 and 4.2), each one small function.

Names that ADM refuses are mapped to valid ones, and what is merely missing has one safe reading: deviations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.adm_schema import NO_NULLS, AdmRule, Finding
from generator.schemas.keywords import Note, is_extension, shown
from generator.schemas.types import read_type

DECLARATIONS = ("function_declarations", "functionDeclarations")
RESULTS = ("response", "response_json_schema", "responseJsonSchema")
JSON_SCHEMA_PARAMETERS = ("parameters_json_schema", "parametersJsonSchema")
MAX_NAME = 64
ADVISED_DESCRIPTION = 1000
"""Characters that ADM recommends at most for a description."""
_OTHER_CHARACTERS = re.compile(r"[^a-zA-Z0-9_-]")
_FIELDS = frozenset({"name", "description", "parameters"})


def _declarations(tool: JsonObject) -> tuple[str, JsonValue]:
    name = next((name for name in DECLARATIONS if name in tool), DECLARATIONS[0])
    return name, tool.get(name)


def _declarations_are_list(tool: JsonObject) -> Iterator[Finding]:
    name, declarations = _declarations(tool)
    if not isinstance(declarations, list):
        yield (name,), f"`{name}` is {shown(declarations)}, no list"


def _declarations_are_given_once(tool: JsonObject) -> Iterator[Finding]:
    if all(name in tool for name in DECLARATIONS):
        yield (DECLARATIONS[1],), "the declarations are given in both spellings"


def _declarations_are_not_empty(tool: JsonObject) -> Iterator[Finding]:
    name, declarations = _declarations(tool)
    if declarations == []:
        yield (name,), f"`{name}` is empty: a Tool declares at least one function"


def _names_are_unique(tool: JsonObject) -> Iterator[Finding]:
    field, declarations = _declarations(tool)
    first: dict[str, int] = {}
    for index, declaration in enumerate(declarations if isinstance(declarations, list) else []):
        name = declaration.get("name") if isinstance(declaration, dict) else None
        if isinstance(name, str) and first.setdefault(name, index) != index:
            message = f"{shown(name)} is declared already at /{field}/{first[name]}; names in a Tool are unique"
            yield (field, index, "name"), message


def _tool_fields_are_known(tool: JsonObject) -> Iterator[Finding]:
    for name in tool:
        if name not in DECLARATIONS and not is_extension(name):
            yield (name,), f"`{name}` is no field of a Tool"


TOOL_RULES: tuple[AdmRule, ...] = (
    AdmRule("ADM202", "error", "list FunctionDeclarations", _declarations_are_list),
    AdmRule("ADM203", "error", "keep one of the two", _declarations_are_given_once),
    AdmRule("ADM204", "error", "declare a function", _declarations_are_not_empty),
    AdmRule("ADM205", "error", "rename or remove one of them", _names_are_unique),
    AdmRule("ADM206", "deviation", "leave it out, or give it an extension's name", _tool_fields_are_known),
    NO_NULLS,
)
"""The rules of ADM for one Tool."""


def declaration_is_object(declaration: JsonValue) -> Iterator[Note]:
    """Note a declaration that is no object; every other rule needs one."""
    if not isinstance(declaration, dict):
        message = f"a FunctionDeclaration is an object, this is {shown(declaration)}"
        yield Note("", "error", message, "write name, description and parameters", "ADM207")


def _name_is_given(declaration: JsonObject) -> Iterator[Finding]:
    if declaration.get("name") is None:
        yield (), "`name` is missing"


def _name_is_text(declaration: JsonObject) -> Iterator[Finding]:
    name = declaration.get("name")
    if name is not None and not (isinstance(name, str) and name.strip()):
        yield ("name",), f"`name` is {shown(name)}, no name"


def _name(declaration: JsonObject) -> str:
    name = declaration.get("name")
    return name if isinstance(name, str) else ""


def _name_has_valid_characters(declaration: JsonObject) -> Iterator[Finding]:
    found = _OTHER_CHARACTERS.search(_name(declaration))
    if found and _name(declaration).strip():
        yield ("name",), f"the name holds {shown(found.group())}; names are letters, digits, _ and -"


def _name_starts_right(declaration: JsonObject) -> Iterator[Finding]:
    start = _name(declaration)[:1]
    if start and not _OTHER_CHARACTERS.match(start) and not (start.isalpha() or start == "_"):
        yield ("name",), f"the name starts with {shown(start)}; names start with a letter or _"


def _name_is_short(declaration: JsonObject) -> Iterator[Finding]:
    length = len(_name(declaration))
    if length > MAX_NAME:
        yield ("name",), f"the name has {length} characters, more than {MAX_NAME}"


def _description_is_given(declaration: JsonObject) -> Iterator[Finding]:
    description = declaration.get("description")
    if description is None:
        yield (), "`description` is missing"
    elif isinstance(description, str) and not description.strip():
        yield ("description",), "`description` is empty"


def _description_is_text(declaration: JsonObject) -> Iterator[Finding]:
    description = declaration.get("description")
    if description is not None and not isinstance(description, str):
        yield ("description",), f"`description` is {shown(description)}, no text"


def _description_is_short(declaration: JsonObject) -> Iterator[Finding]:
    description = declaration.get("description")
    if isinstance(description, str) and len(description) > ADVISED_DESCRIPTION:
        yield ("description",), f"`description` has {len(description)} characters, more than {ADVISED_DESCRIPTION}"


def _parameters_are_given(declaration: JsonObject) -> Iterator[Finding]:
    others = JSON_SCHEMA_PARAMETERS
    if declaration.get("parameters") is None and not any(declaration.get(name) for name in others):
        yield (), "`parameters` is missing; a function without parameters has an empty OBJECT"


def _parameters_are_object(declaration: JsonObject) -> Iterator[Finding]:
    parameters = declaration.get("parameters")
    kind = parameters.get("type") if isinstance(parameters, dict) else None
    meaning = read_type(kind) if isinstance(kind, str) else None
    if meaning is not None and meaning[0] != "object":
        yield ("parameters", "type"), f"parameters are an OBJECT, not {shown(kind)}"


def _declaration_fields_are_known(declaration: JsonObject) -> Iterator[Finding]:
    for name in declaration:
        if name not in _FIELDS and not is_extension(name):
            yield (name,), f"`{name}` is no field of a FunctionDeclaration"


DECLARATION_RULES: tuple[AdmRule, ...] = (
    AdmRule("ADM208", "error", "give it a name", _name_is_given),
    AdmRule("ADM209", "error", "give it a name", _name_is_text),
    AdmRule("ADM210", "deviation", "rename it; it is mapped to a valid name here", _name_has_valid_characters),
    AdmRule("ADM211", "deviation", "rename it; it is mapped to a valid name here", _name_starts_right),
    AdmRule("ADM212", "deviation", "rename it; it is mapped to a valid name here", _name_is_short),
    AdmRule(
        "ADM213",
        "deviation",
        "describe what the function does; its name in words stands in here",
        _description_is_given,
    ),
    AdmRule("ADM214", "error", "write a text", _description_is_text),
    AdmRule("ADM215", "advice", "say it in fewer words", _description_is_short),
    AdmRule("ADM216", "deviation", 'add "parameters": {"type": "OBJECT", "properties": {}}', _parameters_are_given),
    AdmRule("ADM217", "error", "put the value into a property of an OBJECT", _parameters_are_object),
    AdmRule("ADM218", "deviation", "leave it out, or give it an extension's name", _declaration_fields_are_known),
    NO_NULLS,
)
"""The rules of ADM for one FunctionDeclaration."""
