"""ADM 4.1 to 4.3: every rule broken in turn, through the loader that an operator meets."""

import copy
from typing import Any

import pytest

from generator.errors import ToolFileError
from generator.formats.adm_rules import DECLARATION_RULES, TOOL_RULES
from generator.formats.tool_files import load_tools
from generator.schemas.adm import SCHEMA_RULES

GOOD: dict[str, Any] = {
    "function_declarations": [
        {
            "name": "book_room",
            "description": "Book a room.",
            "parameters": {
                "type": "OBJECT",
                "properties": {
                    "city": {"type": "STRING", "description": "The city", "enum": ["Bern", "Oslo"]},
                    "guests": {"type": "ARRAY", "description": "Who comes", "items": {"type": "STRING"}},
                    "nights": {"type": "INTEGER", "description": "How many nights"},
                },
                "required": ["city"],
            },
        }
    ]
}
DELETE = object()
DECLARATION = ("function_declarations", 0)
PARAMETERS = (*DECLARATION, "parameters")
CITY = (*PARAMETERS, "properties", "city")
GUESTS = (*PARAMETERS, "properties", "guests")
NIGHTS = (*PARAMETERS, "properties", "nights")
OTHER = {"name": "leave", "description": "Leave.", "parameters": {"type": "OBJECT", "properties": {}}}
"""The paths of what the table breaks."""


def broken(path: tuple[Any, ...], value: Any) -> Any:
    """Return the good Tool with one thing set, or deleted."""
    document = copy.deepcopy(GOOD)
    node = document
    for part in path[:-1]:
        node = node[part]
    if value is DELETE:
        del node[path[-1]]
    elif isinstance(node, list) and path[-1] == len(node):
        node.append(value)
    else:
        node[path[-1]] = value
    return document


ERRORS = [
    ("ADM-4.1.2-list", ("function_declarations",), {"name": "x"}, "/function_declarations"),
    ("ADM-4.1.2-list", ("function_declarations",), None, "/function_declarations"),
    ("ADM-4.1.2-once", ("functionDeclarations",), [], "/functionDeclarations"),
    ("ADM-4.1.3-empty", ("function_declarations",), [], "/function_declarations"),
    ("ADM-4.1.3-element", ("function_declarations", 1), "leave", "/function_declarations/1"),
    (
        "ADM-4.1.3-unique",
        ("function_declarations", 1),
        {**OTHER, "name": "book_room"},
        "/function_declarations/1/name",
    ),
    ("ADM-4.2.2-name", (*DECLARATION, "name"), DELETE, "/function_declarations/0"),
    ("ADM-4.2.2-name-text", (*DECLARATION, "name"), 7, "/function_declarations/0/name"),
    ("ADM-4.2.2-name-text", (*DECLARATION, "name"), " ", "/function_declarations/0/name"),
    ("ADM-4.2.2-description-text", (*DECLARATION, "description"), ["a"], "/function_declarations/0/description"),
    ("ADM-4.3.1-object", PARAMETERS, "city", "/function_declarations/0/parameters"),
    ("ADM-4.3.1-object", (*CITY,), "STRING", "/function_declarations/0/parameters/properties/city"),
    ("ADM-4.3.1-object", (*GUESTS, "items"), ["x"], "/function_declarations/0/parameters/properties/guests/items"),
    ("ADM-4.2.3-parameters-object", (*PARAMETERS, "type"), "STRING", "/function_declarations/0/parameters/type"),
    ("ADM-4.3.3-type", (*NIGHTS, "type"), DELETE, "/function_declarations/0/parameters/properties/nights"),
    ("ADM-4.3.2-known", (*NIGHTS, "type"), "DATETIMES", "/function_declarations/0/parameters/properties/nights/type"),
    ("ADM-4.3.2-known", (*NIGHTS, "type"), 3, "/function_declarations/0/parameters/properties/nights/type"),
    (
        "ADM-4.3.3-description",
        (*NIGHTS, "description"),
        5,
        "/function_declarations/0/parameters/properties/nights/description",
    ),
    ("ADM-4.3.3-properties", (*PARAMETERS, "properties"), ["city"], "/function_declarations/0/parameters/properties"),
    ("ADM-4.3.3-required", (*PARAMETERS, "required"), "city", "/function_declarations/0/parameters/required"),
    ("ADM-4.3.3-required", (*PARAMETERS, "required"), ["city", 1], "/function_declarations/0/parameters/required"),
    (
        "ADM-4.3.7-required-declared",
        (*PARAMETERS, "required"),
        ["town"],
        "/function_declarations/0/parameters/required/0",
    ),
    ("ADM-4.3.7-items", (*GUESTS, "items"), DELETE, "/function_declarations/0/parameters/properties/guests"),
    ("ADM-4.3.3-enum", (*CITY, "enum"), "Bern", "/function_declarations/0/parameters/properties/city/enum"),
    ("ADM-4.3.3-enum-values", (*CITY, "enum"), [], "/function_declarations/0/parameters/properties/city/enum"),
    ("ADM-4.3.3-enum-text", (*CITY, "enum"), ["Bern", 2], "/function_declarations/0/parameters/properties/city/enum/1"),
    ("ADM-4.3.7-enum-string", (*NIGHTS, "enum"), ["1"], "/function_declarations/0/parameters/properties/nights/enum"),
]  # fmt: skip

DEVIATIONS = [
    ("ADM-4.1.4-fields", ("retrieval",), {}, "/retrieval"),
    ("ADM-2.2.2-null", ("x_owner",), None, "/x_owner"),
    ("ADM-4.2.2-name-characters", (*DECLARATION, "name"), "book.room", "/function_declarations/0/name"),
    ("ADM-4.2.2-name-start", (*DECLARATION, "name"), "2rooms", "/function_declarations/0/name"),
    ("ADM-4.2.2-name-length", (*DECLARATION, "name"), "b" * 65, "/function_declarations/0/name"),
    ("ADM-4.2.2-description", (*DECLARATION, "description"), DELETE, "/function_declarations/0"),
    ("ADM-4.2.2-description", (*DECLARATION, "description"), " ", "/function_declarations/0/description"),
    ("ADM-4.2.2-parameters", PARAMETERS, DELETE, "/function_declarations/0"),
    ("ADM-4.2.4-fields", (*DECLARATION, "behavior"), "BLOCKING", "/function_declarations/0/behavior"),
    ("ADM-2.2.2-null", (*DECLARATION, "x_owner"), None, "/function_declarations/0/x_owner"),
    ("ADM-4.3.3-type-said", (*CITY, "type"), DELETE, "/function_declarations/0/parameters/properties/city"),
    (
        "ADM-4.3.2-capitals",
        (*NIGHTS, "type"),
        "integer",
        "/function_declarations/0/parameters/properties/nights/type",
    ),
    (
        "ADM-4.3.2-capitals",
        (*NIGHTS, "type"),
        ["INTEGER", "NULL"],
        "/function_declarations/0/parameters/properties/nights/type",
    ),
    (
        "ADM-4.3.3-properties-object",
        (*NIGHTS, "properties"),
        {"x": {"type": "STRING"}},
        "/function_declarations/0/parameters/properties/nights/properties",
    ),
    (
        "ADM-4.3.3-required-distinct",
        (*PARAMETERS, "required"),
        ["city", "city"],
        "/function_declarations/0/parameters/required/1",
    ),
    (
        "ADM-4.3.3-items-array",
        (*NIGHTS, "items"),
        {"type": "STRING"},
        "/function_declarations/0/parameters/properties/nights/items",
    ),
    (
        "ADM-4.3.3-enum-distinct",
        (*CITY, "enum"),
        ["Bern", "Bern"],
        "/function_declarations/0/parameters/properties/city/enum",
    ),
    (
        "ADM-4.3.5-fields",
        (*NIGHTS, "minimum"),
        1,
        "/function_declarations/0/parameters/properties/nights/minimum",
    ),
    (
        "ADM-4.3.5-fields",
        (*NIGHTS, "optionally"),
        True,
        "/function_declarations/0/parameters/properties/nights/optionally",
    ),
    (
        "ADM-2.2.2-null",
        (*NIGHTS, "enum"),
        None,
        "/function_declarations/0/parameters/properties/nights/enum",
    ),
]  # fmt: skip

ADVICE = [
    ("ADM-4.2.2-description-length", (*DECLARATION, "description"), "Book. " * 200),
    ("ADM-4.3.3-description-empty", (*CITY, "description"), ""),
]
COMBINED = {"ADM-4.3.3-required-object"}
"""A rule that is never broken alone: what is required of no object is no property either."""


def codes(error: ToolFileError) -> list[str]:
    return [problem.what.rpartition("[")[2].rstrip("]") for problem in error.problems]


def test_the_good_tool_breaks_no_rule() -> None:
    (tool,) = load_tools(GOOD, strict=True)
    assert tool.name == "book_room"
    assert tool.parameters["properties"]["guests"]["items"] == {"type": "string"}


@pytest.mark.parametrize(("code", "path", "value", "at"), ERRORS)
def test_an_error_refuses_the_definition(code: str, path: tuple[Any, ...], value: Any, at: str) -> None:
    with pytest.raises(ToolFileError) as caught:
        load_tools(broken(path, value))
    assert code in codes(caught.value)
    problem = caught.value.problems[codes(caught.value).index(code)]
    assert problem.where == f"argument 1#{at}"
    assert problem.remedy


@pytest.mark.parametrize(("code", "path", "value", "at"), DEVIATIONS)
def test_a_deviation_is_read_and_refused_under_strict_loading(
    code: str, path: tuple[Any, ...], value: Any, at: str
) -> None:
    document = broken(path, value)
    (tool,) = load_tools(document)
    assert tool.parameters["type"] == "object"
    with pytest.raises(ToolFileError) as caught:
        load_tools(document, strict=True)
    assert codes(caught.value) == [code]
    assert caught.value.problems[0].where == f"argument 1#{at}"
    assert caught.value.problems[0].remedy


@pytest.mark.parametrize(("code", "path", "value"), ADVICE)
def test_advice_never_refuses(code: str, path: tuple[Any, ...], value: Any) -> None:
    assert len(load_tools(broken(path, value), strict=True)) == 1


def test_required_of_a_text_is_two_findings() -> None:
    with pytest.raises(ToolFileError) as caught:
        load_tools(broken((*NIGHTS, "required"), ["x"]), strict=True)
    assert set(codes(caught.value)) == {"ADM-4.3.3-required-object", "ADM-4.3.7-required-declared"}


def test_every_rule_is_broken_by_a_case() -> None:
    broken_codes = {case[0] for case in (*ERRORS, *DEVIATIONS, *ADVICE)} | COMBINED
    rules = (*TOOL_RULES, *DECLARATION_RULES, *SCHEMA_RULES)
    assert {rule.code for rule in rules} <= broken_codes
    assert all(rule.source and rule.summary and rule.remedy for rule in rules)


def test_every_problem_is_listed_at_once() -> None:
    document = broken((*CITY, "enum"), [])
    document["function_declarations"][0]["description"] = 5
    document["function_declarations"].append({**OTHER, "parameters": {"type": "STRING"}})
    with pytest.raises(ToolFileError) as caught:
        load_tools(document)
    assert codes(caught.value) == [
        "ADM-4.2.2-description-text", "ADM-4.3.3-enum-values", "ADM-4.2.3-parameters-object"
    ]  # fmt: skip
    assert str(caught.value).count("\n") == 2


def test_one_bad_declaration_can_be_skipped() -> None:
    document = copy.deepcopy(GOOD)
    document["function_declarations"].append({**OTHER, "parameters": {"type": "STRING"}})
    assert [tool.name for tool in load_tools(document, skip_invalid=True)] == ["book_room"]


@pytest.mark.parametrize("spelling", ["function_declarations", "functionDeclarations"])
def test_both_spellings_and_lists_of_tools(spelling: str) -> None:
    tools = load_tools([{spelling: [OTHER]}, {spelling: GOOD["function_declarations"]}])
    assert [tool.name for tool in tools] == ["leave", "book_room"]


def test_a_bare_declaration() -> None:
    (tool,) = load_tools(GOOD["function_declarations"][0], strict=True)
    assert tool.source == "argument 1"


def test_gemini_json_schema_parameters() -> None:
    declaration = {
        "name": "leave",
        "description": "Leave.",
        "parametersJsonSchema": {"type": "object", "properties": {"at": {"type": "string", "description": "When"}}},
        "responseJsonSchema": {"type": "string"},
    }
    (tool,) = load_tools({"functionDeclarations": [declaration]})
    assert list(tool.parameters["properties"]) == ["at"]
    assert (tool.result_schema, tool.result_origin) == ({"type": "string"}, "declared")
