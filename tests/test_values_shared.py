"""Values against what others wrote: real tool definitions and the official test suite of JSON Schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator

from generator.errors import ValueSynthesisError
from generator.formats.tool_files import load_catalog
from generator.schemas.validators import InvalidSchema, validator_for
from generator.values import Context, synthesize_value
from tests.shared_data import SHARED, needs_shared

SEEDS = (1, 2, 3)
CORPUS = ("bfcl", "github_mcp", "tau2", "mcp_reference", "playwright_mcp", "gemini_cookbook", "adm_spec")


@needs_shared
@pytest.mark.parametrize("folder", CORPUS)
def test_every_real_tool_gets_valid_arguments_and_results(folder: str) -> None:
    loaded = load_catalog([SHARED / "corpus" / folder], skip_invalid=True, on_conflict="source")
    for tool in loaded.catalog.tools:
        for purpose, schema in (("argument", tool.parameters), ("result", tool.result_schema)):
            context = Context(name=tool.name, description=tool.description, purpose=purpose)  # type: ignore[arg-type]  # literals above
            value = synthesize_value(schema, seed=7, context=context)
            checker = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
            assert checker.is_valid(value), (tool.name, value)


def _satisfiable() -> Iterator[tuple[str, object]]:
    """Yield the schemas for which the suite has a valid instance and which refer to no other document."""
    folder = SHARED / "json-schema-test-suite" / "tests" / "draft2020-12"
    for path in sorted([*folder.glob("*.json"), *folder.glob("optional/format/*.json")]):
        for case in json.loads(path.read_text(encoding="utf-8")):
            if any(test["valid"] for test in case["tests"]) and _is_whole(case["schema"]):
                yield f"{path.stem}: {case['description']}", case["schema"]


def _is_whole(schema: object) -> bool:
    try:
        validator_for(schema)  # type: ignore[arg-type]  # a schema is any JSON here
    except InvalidSchema:
        return False
    return True


def _outcome(schema: object, seed: int) -> str:
    try:
        value = synthesize_value(schema, seed=seed)
    except ValueSynthesisError as error:
        return str(error)
    checker = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    try:
        return "" if checker.is_valid(value) else f"jsonschema refuses {value!r}"
    except re.error:  # Python cannot read \p{Letter}; jsonschema_rs has accepted the value
        return ""


@needs_shared
def test_every_satisfiable_schema_of_the_suite_gets_a_value() -> None:
    cases = list(_satisfiable())
    assert len(cases) > 350
    missed = {name: said for name, schema in cases for seed in SEEDS if (said := _outcome(schema, seed))}
    assert not missed


@needs_shared
def test_so_does_every_one_with_a_type_added() -> None:
    missed, asked = {}, 0
    for name, schema in _satisfiable():
        if not isinstance(schema, dict) or "type" in schema:
            continue
        for kind in ("object", "array", "string", "integer", "number", "boolean"):
            typed = {**schema, "type": kind}
            if (
                jsonschema_rs.canonicalize(typed, validate_formats=True).satisfiability()
                != jsonschema_rs.canonical.Satisfiability.YES
            ):
                continue
            asked += 1
            if said := _outcome(typed, 1):
                missed[f"{name} as {kind}"] = said
    assert asked > 500
    assert len(missed) <= asked // 100, missed
