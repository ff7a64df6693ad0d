"""ADM 4.1 to 4.3: every rule broken in turn, through the loader that an operator meets."""

import copy
from typing import Any

import pytest

from generator.errors import ToolFileError
from generator.formats.loading.tool_files import load_tools
from generator.schemas.adm import (
    ADVISED_DESCRIPTION,
    DECLARATION_RULES,
    MAX_NAME,
    SCHEMA_RULES,
    TOOL_RULES,
    VERSION_RULES,
)
from generator.validation.rule import rows
from tests.tables import each_row

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
    ("ADM202", ("function_declarations",), {"name": "x"}, "/function_declarations"),
    ("ADM202", ("function_declarations",), None, "/function_declarations"),
    ("ADM203", ("functionDeclarations",), [], "/functionDeclarations"),
    ("ADM204", ("function_declarations",), [], "/function_declarations"),
    ("ADM207", ("function_declarations", 1), "leave", "/function_declarations/1"),
    (
        "ADM205",
        ("function_declarations", 1),
        {**OTHER, "name": "book_room"},
        "/function_declarations/1/name",
    ),
    ("ADM208", (*DECLARATION, "name"), DELETE, "/function_declarations/0"),
    ("ADM209", (*DECLARATION, "name"), 7, "/function_declarations/0/name"),
    ("ADM209", (*DECLARATION, "name"), " ", "/function_declarations/0/name"),
    ("ADM214", (*DECLARATION, "description"), ["a"], "/function_declarations/0/description"),
    ("ADM220", PARAMETERS, "city", "/function_declarations/0/parameters"),
    ("ADM220", (*CITY,), "STRING", "/function_declarations/0/parameters/properties/city"),
    ("ADM220", (*GUESTS, "items"), ["x"], "/function_declarations/0/parameters/properties/guests/items"),
    ("ADM217", (*PARAMETERS, "type"), "STRING", "/function_declarations/0/parameters/type"),
    ("ADM221", (*NIGHTS, "type"), DELETE, "/function_declarations/0/parameters/properties/nights"),
    ("ADM223", (*NIGHTS, "type"), "DATETIMES", "/function_declarations/0/parameters/properties/nights/type"),
    ("ADM223", (*NIGHTS, "type"), 3, "/function_declarations/0/parameters/properties/nights/type"),
    (
        "ADM225",
        (*NIGHTS, "description"),
        5,
        "/function_declarations/0/parameters/properties/nights/description",
    ),
    ("ADM227", (*PARAMETERS, "properties"), ["city"], "/function_declarations/0/parameters/properties"),
    ("ADM229", (*PARAMETERS, "required"), "city", "/function_declarations/0/parameters/required"),
    ("ADM229", (*PARAMETERS, "required"), ["city", 1], "/function_declarations/0/parameters/required"),
    (
        "ADM230",
        (*PARAMETERS, "required"),
        ["town"],
        "/function_declarations/0/parameters/required/0",
    ),
    ("ADM233", (*GUESTS, "items"), DELETE, "/function_declarations/0/parameters/properties/guests"),
    ("ADM235", (*CITY, "enum"), "Bern", "/function_declarations/0/parameters/properties/city/enum"),
    ("ADM236", (*CITY, "enum"), [], "/function_declarations/0/parameters/properties/city/enum"),
    ("ADM237", (*CITY, "enum"), ["Bern", 2], "/function_declarations/0/parameters/properties/city/enum/1"),
    ("ADM239", (*NIGHTS, "enum"), ["1"], "/function_declarations/0/parameters/properties/nights/enum"),
]  # fmt: skip

DEVIATIONS = [
    ("ADM206", ("retrieval",), {}, "/retrieval"),
    ("ADM219", ("x_owner",), None, "/x_owner"),
    ("ADM210", (*DECLARATION, "name"), "book.room", "/function_declarations/0/name"),
    ("ADM211", (*DECLARATION, "name"), "2rooms", "/function_declarations/0/name"),
    ("ADM212", (*DECLARATION, "name"), "b" * 65, "/function_declarations/0/name"),
    ("ADM213", (*DECLARATION, "description"), DELETE, "/function_declarations/0"),
    ("ADM213", (*DECLARATION, "description"), " ", "/function_declarations/0/description"),
    ("ADM216", PARAMETERS, DELETE, "/function_declarations/0"),
    ("ADM218", (*DECLARATION, "behavior"), "BLOCKING", "/function_declarations/0/behavior"),
    ("ADM219", (*DECLARATION, "x_owner"), None, "/function_declarations/0/x_owner"),
    ("ADM222", (*CITY, "type"), DELETE, "/function_declarations/0/parameters/properties/city"),
    (
        "ADM224",
        (*NIGHTS, "type"),
        "integer",
        "/function_declarations/0/parameters/properties/nights/type",
    ),
    (
        "ADM224",
        (*NIGHTS, "type"),
        ["INTEGER", "NULL"],
        "/function_declarations/0/parameters/properties/nights/type",
    ),
    (
        "ADM228",
        (*NIGHTS, "properties"),
        {"x": {"type": "STRING"}},
        "/function_declarations/0/parameters/properties/nights/properties",
    ),
    (
        "ADM231",
        (*PARAMETERS, "required"),
        ["city", "city"],
        "/function_declarations/0/parameters/required/1",
    ),
    (
        "ADM234",
        (*NIGHTS, "items"),
        {"type": "STRING"},
        "/function_declarations/0/parameters/properties/nights/items",
    ),
    (
        "ADM238",
        (*CITY, "enum"),
        ["Bern", "Bern"],
        "/function_declarations/0/parameters/properties/city/enum",
    ),
    (
        "ADM240",
        (*NIGHTS, "minimum"),
        1,
        "/function_declarations/0/parameters/properties/nights/minimum",
    ),
    (
        "ADM240",
        (*NIGHTS, "optionally"),
        True,
        "/function_declarations/0/parameters/properties/nights/optionally",
    ),
    (
        "ADM219",
        (*NIGHTS, "enum"),
        None,
        "/function_declarations/0/parameters/properties/nights/enum",
    ),
]  # fmt: skip

ADVICE = [
    ("ADM215", (*DECLARATION, "description"), "Book. " * 200),
    ("ADM226", (*CITY, "description"), ""),
]
COMBINED = {"ADM232"}
"""A rule that is never broken alone: what is required of no object is no property either."""


def codes(error: ToolFileError) -> list[str]:
    return [problem.what.rpartition("[")[2].rstrip("]") for problem in error.problems]


def test_the_good_tool_breaks_no_rule() -> None:
    (tool,) = load_tools(GOOD, strict=True)
    assert tool.name == "book_room"
    assert tool.parameters["properties"]["guests"]["items"] == {"type": "string"}


@each_row(("code", "path", "value", "at"), ERRORS)
def test_an_error_refuses_the_definition(code: str, path: tuple[Any, ...], value: Any, at: str) -> None:
    with pytest.raises(ToolFileError) as caught:
        load_tools(broken(path, value))
    assert code in codes(caught.value)
    problem = caught.value.problems[codes(caught.value).index(code)]
    assert problem.where == f"argument 1#{at}"
    assert problem.remedy


@each_row(("code", "path", "value", "at"), DEVIATIONS)
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
    assert set(codes(caught.value)) == {"ADM232", "ADM230"}


def test_every_rule_is_broken_by_a_case() -> None:
    broken_codes = {case[0] for case in (*ERRORS, *DEVIATIONS, *ADVICE)} | COMBINED
    rules = (*TOOL_RULES, *DECLARATION_RULES, *SCHEMA_RULES)
    assert {rule.code for rule in rules} <= broken_codes
    assert all(rule.remedy for rule in rules)


def test_the_table_of_rules_says_what_each_demands() -> None:
    rules = (*TOOL_RULES, *DECLARATION_RULES, *SCHEMA_RULES, *VERSION_RULES)
    assert {rule.code for rule in rules} <= rows("adm_structures").keys()
    assert f"at most {MAX_NAME} " in rows("adm_structures")["ADM212"].summary
    assert f"at most {ADVISED_DESCRIPTION} " in rows("adm_structures")["ADM215"].summary


def test_every_problem_is_listed_at_once() -> None:
    document = broken((*CITY, "enum"), [])
    document["function_declarations"][0]["description"] = 5
    document["function_declarations"].append({**OTHER, "parameters": {"type": "STRING"}})
    with pytest.raises(ToolFileError) as caught:
        load_tools(document)
    assert codes(caught.value) == [
        "ADM214", "ADM236", "ADM217"
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
