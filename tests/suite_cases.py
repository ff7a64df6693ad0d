"""The official test suite of JSON Schema as schemas to make values for, and what its judges say of a value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jsonschema
import jsonschema_rs

from generator.errors import ValueSynthesisError
from generator.values import synthesize_value
from tests.shared_data import SHARED

Json = Any  # parsed JSON

SUITE = SHARED / "json-schema-test-suite" / "tests"
URIS = {
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
RUST: dict[str, Any] = {"draft7": jsonschema_rs.Draft7Validator, "draft2020-12": jsonschema_rs.Draft202012Validator}
PYTHON: dict[str, Any] = {"draft7": jsonschema.Draft7Validator, "draft2020-12": jsonschema.Draft202012Validator}


@dataclass(frozen=True, slots=True)
class Case:
    """One schema for which the suite has a valid value."""

    draft: str
    name: str
    schema: Json

    @property
    def is_whole(self) -> bool:
        """Whether the schema is one document: what lies elsewhere is never fetched."""
        try:
            RUST[self.draft](self.schema, offline=True)
        except jsonschema_rs.ValidationError as error:
            return "is not present in a registry" not in str(error)
        return True

    def with_type(self, kind: str) -> Case:
        return Case(self.draft, f"{self.name} as {kind}", {**self.schema, "type": kind})


def cases(draft: str, *, declared: bool) -> Iterator[Case]:
    """Yield the schemas with a valid value, each with its `$schema` where `declared`, else as the suite has it."""
    for path in sorted((SUITE / draft).rglob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8")):
            schema = case["schema"]
            if declared and isinstance(schema, dict):
                schema = {"$schema": URIS[draft], **schema}
            if any(test["valid"] for test in case["tests"]):
                yield Case(draft, f"{path.relative_to(SUITE / draft)}: {case['description']}", schema)


def missed(draft: str, schema: Json, seed: int) -> str:
    """Return why the value made for a schema is no good: "" where both judges accept it."""
    try:
        value = synthesize_value(schema, seed=seed)
    except ValueSynthesisError as error:
        return f"refused: {error}"
    if not RUST[draft](schema, validate_formats=True, offline=True).is_valid(value):
        return f"jsonschema_rs refuses {value!r}"
    judge = PYTHON[draft]
    try:
        return "" if judge(schema, format_checker=judge.FORMAT_CHECKER).is_valid(value) else f"refused: {value!r}"
    except re.error as error:
        return f"jsonschema cannot judge any text: {error}"
