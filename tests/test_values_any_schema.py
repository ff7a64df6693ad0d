"""Any schema gets a value that two judges accept, or a true refusal: real ones, the official suite's, random ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema_rs import canonical

from generator.formats.loading.tool_files import load_catalog
from generator.schemas.validators import validator_for
from generator.tools import Tool
from generator.values import Context, synthesize_value
from tests.fuzz.schemas import DOCUMENTS, SCHEMAS
from tests.fuzz.values import outcome, run
from tests.shared_data import SHARED, needs_shared
from tests.suite_cases import RUST, Case, cases, missed

Json = Any  # parsed JSON

FOLDERS = (
    "adm_spec anthropic_cookbook bfcl bfcl_multi_turn gemini_cookbook github_mcp mcp_reference openai_sdk openapi "
    "playwright_mcp tau2"
).split()
"""All of the corpus; the tools of bfcl_gold are those of bfcl."""
PURPOSES: tuple[Literal["argument", "result"], ...] = ("argument", "result")
SEEDS_OF_REAL_TOOLS = range(1, 6)

SEEDS_OF_THE_SUITE = (1, 2, 3)
TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")
DRAFTS = ("draft7", "draft2020-12")

BEYOND_PYTHON = {
    "draft7": {
        "optional/ecmascript-regex.json: ECMA 262 regex escapes control codes with \\c and upper letter",
        "optional/ecmascript-regex.json: ECMA 262 regex escapes control codes with \\c and lower letter",
    },
    "draft2020-12": {
        "optional/ecmascript-regex.json: ECMA 262 regex escapes control codes with \\c and upper letter",
        "optional/ecmascript-regex.json: ECMA 262 regex escapes control codes with \\c and lower letter",
        "pattern.json: pattern with Unicode property escape requires unicode mode",
    },
}
"""Texts are asked for by a pattern that Python's `re` cannot read: jsonschema fails on every text."""

ELSEWHERE = {"draft7": 12, "draft2020-12": 21}
"""How many schemas refer to other documents, which are never fetched."""

FOUND: list[Json] = [
    # What was thought over after luck had failed gave another value the second time.
    {
        "type": "object",
        "required": ["city", "b", "a"],
        "oneOf": [
            {"type": "array"},
            {"additionalProperties": {"pattern": "^(?=.*\\d)[a-z\\d]{4,8}$", "format": "date", "minLength": 3}},
        ],
    },
    # Two conjuncts that list nothing in common.
    {
        "prefixItems": [
            {
                "propertyNames": {"maxItems": 0, "unevaluatedItems": {"type": "string", "format": "hostname"}},
                "properties": {
                    "count": {
                        "type": "object",
                        "allOf": [{"enum": [[{"city": 1e9}], [False], 7]}, {"enum": [{}]}],
                        "anyOf": [{"type": ["object"]}],
                        "not": {"const": {"tags": 0.5}},
                    }
                },
            }
        ]
    },
    {"properties": {"count": {"enum": [1]}}, "allOf": [{"properties": {"count": {"enum": [True]}}}]},
    # One look at a value may end by chance where another one never does.
    {"type": "array", "contains": {"$ref": "#/$defs/leaf"}, "$defs": {"leaf": {"$ref": "#/$defs/leaf"}}},
    # What is contained stands where the position says something as well.
    {"type": "array", "prefixItems": [{"type": "string"}, {"type": "object"}], "maxItems": 2,
     "contains": {"const": "x"}},
    {"type": "array", "prefixItems": [{}, {"type": ["object", "null"]}], "contains": {"type": ["object", "null"]},
     "maxContains": 1, "minItems": 2},
    {"type": "array", "prefixItems": [{"enum": [1, 2]}, {"enum": [1, 2]}], "uniqueItems": True, "minItems": 2,
     "contains": {"const": 2}},
]  # fmt: skip
"""Schemas that once gave something wrong, or nothing."""


@lru_cache(maxsize=1)
def tools() -> tuple[tuple[str, Tool], ...]:
    """Return every tool of the corpus with its folder."""
    return tuple(
        (folder, tool)
        for folder in FOLDERS
        for tool in load_catalog([SHARED / "corpus" / folder], skip_invalid=True, on_conflict="source").catalog.tools
    )


def refused(folder: str, tool: Tool, seeds: range) -> Iterator[tuple[str, str, str, object]]:
    """Yield each value of a tool that one of the judges refuses."""
    for purpose in PURPOSES:
        schema = tool.parameters if purpose == "argument" else tool.result_schema
        context = Context(name=tool.name, description=tool.description, purpose=purpose)
        rust = jsonschema_rs.Draft202012Validator(schema, validate_formats=True, offline=True)
        python = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
        for seed in seeds:
            value = synthesize_value(schema, seed=seed, context=context)
            if not (rust.is_valid(value) and python.is_valid(value)):
                yield folder, tool.name, purpose, value


@needs_shared
def test_real_tools_get_valid_arguments_and_results() -> None:
    """Every sixth tool; the slow test takes all."""
    found = [
        wrong for at, (folder, tool) in enumerate(tools()[::6]) for wrong in refused(folder, tool, range(at, at + 1))
    ]
    assert not found


@needs_shared
@pytest.mark.slow
def test_every_real_tool_gets_valid_arguments_and_results() -> None:
    assert len(tools()) >= 2_404
    assert sum(folder == "openapi" for folder, _ in tools()) >= 120
    assert [wrong for folder, tool in tools() for wrong in refused(folder, tool, SEEDS_OF_REAL_TOOLS)] == []


def whole(draft: str, *, declared: bool) -> list[Case]:
    """Return the schemas that are one document."""
    return [case for case in cases(draft, declared=declared) if case.is_whole]


def misses(draft: str, *, declared: bool) -> dict[str, str]:
    """Return what is missed, and why."""
    found: dict[str, str] = {}
    for case in whole(draft, declared=declared):
        for seed in SEEDS_OF_THE_SUITE:
            if said := missed(draft, case.schema, seed):
                found[case.name] = said
    return found


@needs_shared
@pytest.mark.parametrize("draft", DRAFTS)
def test_every_schema_with_a_valid_value_gets_one(draft: str) -> None:
    found = misses(draft, declared=True)
    assert set(found) == BEYOND_PYTHON[draft], found
    assert all("cannot judge" in said for said in found.values())


@needs_shared
@pytest.mark.parametrize("draft", DRAFTS)
def test_so_does_every_one_that_does_not_say_its_draft(draft: str) -> None:
    found = misses(draft, declared=False)
    assert set(found) == BEYOND_PYTHON[draft], found


@needs_shared
@pytest.mark.parametrize("draft", DRAFTS)
def test_what_lies_elsewhere_is_refused_and_named(draft: str) -> None:
    refused = [missed(draft, case.schema, 1) for case in cases(draft, declared=True) if not case.is_whole]
    assert len([said for said in refused if said.startswith("refused: the schema cannot be used")]) == ELSEWHERE[draft]


@needs_shared
@pytest.mark.parametrize("draft", DRAFTS)
def test_every_one_with_a_type_added_gets_a_value_where_there_is_one(draft: str) -> None:
    found: dict[str, str] = {}
    asked = 0
    for case in whole(draft, declared=True):
        if not isinstance(case.schema, dict) or "type" in case.schema:
            continue
        for kind in TYPES:
            typed = case.with_type(kind)
            if not _is_satisfiable(draft, typed.schema):
                continue
            asked += 1
            if said := missed(draft, typed.schema, 1):
                found[typed.name] = said
    assert asked > 900
    unjudged = {name: said for name, said in found.items() if "cannot judge" in said}
    assert len(found) - len(unjudged) <= asked * 0.002, found
    assert len(found) <= asked * 0.01, found


def _is_satisfiable(draft: str, schema: object) -> bool:
    dialect = jsonschema_rs.Draft7 if draft == "draft7" else jsonschema_rs.Draft202012
    form = jsonschema_rs.canonicalize(schema, draft=dialect, validate_formats=True, offline=True)
    return bool(form.satisfiability() == canonical.Satisfiability.YES)


@needs_shared
def test_the_judges_can_say_no() -> None:
    assert not RUST["draft7"]({"type": "string"}).is_valid(1)
    assert missed("draft7", {"enum": [1], "type": "string"}, 1).startswith("refused")


@pytest.mark.parametrize("schema", FOUND)
def test_what_was_found_stays_mended(schema: Json) -> None:
    for seed in range(5):
        assert outcome(schema, seed) in ("value", "unsatisfiable")


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(schema=DOCUMENTS, seed=st.integers(0, 2**53 - 1))
def test_any_schema_ends_well(schema: Json, seed: int) -> None:
    outcome(schema, seed)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(schema=SCHEMAS)
def test_a_conjunction_with_itself_changes_nothing(schema: Json) -> None:
    if "$ref" in repr(schema):
        return
    once, twice = outcome(schema), outcome({"allOf": [schema, schema]})
    assert {once, twice} != {"value", "unsatisfiable"}


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(schema=SCHEMAS, seed=st.integers(0, 99))
def test_an_optional_property_never_stands_in_the_way(schema: Json, seed: int) -> None:
    if "$ref" in repr(schema):
        return
    whole = {"type": "object", "properties": {"x": schema}}
    assert validator_for(whole).is_valid(synthesize_value(whole, seed=seed))


@pytest.mark.slow
def test_thousands_of_schemas_end_well() -> None:
    tally, failures = run(3_000, seed=5)
    assert failures == []
    assert tally["value"] > 2_400
    assert tally["unsatisfiable"] > 100
    assert tally["gave up"] < 40
