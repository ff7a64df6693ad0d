"""Types as programs write them, with what they hold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.schemas.dialects import normalize_parameters, normalize_schema
from generator.schemas.types import read_meaning, read_type
from generator.schemas.validators import schema_problems
from tests.tables import each_row

STRING, INTEGER, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}


@each_row(
    ("written", "meant"),
    [
        ("Optional[int]", {"type": ["integer", "null"]}),
        ("typing.Optional[int]", {"type": ["integer", "null"]}),
        ("int | None", {"type": ["integer", "null"]}),
        ("integer or null", {"type": ["integer", "null"]}),
        ("Union[int, str]", {"type": ["integer", "string"]}),
        ("string|number", {"type": ["string", "number"]}),
        ("list[str]", {"type": "array", "items": STRING}),
        ("List[List[int]]", {"type": "array", "items": {"type": "array", "items": INTEGER}}),
        ("Array<string>", {"type": "array", "items": STRING}),
        ("string[][]", {"type": "array", "items": {"type": "array", "items": STRING}}),
        ("list of strings", {"type": "array", "items": STRING}),
        ("array(integer)", {"type": "array", "items": INTEGER}),
        ("set[str]", {"type": "array", "items": STRING, "uniqueItems": True}),
        ("tuple[int, ...]", {"type": "array", "items": INTEGER}),
        ("tuple[int, str]", {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2}),
        ("Dict[str, int]", {"type": "object", "additionalProperties": INTEGER}),
        ("map<string, list<int>>", {"type": "object", "additionalProperties": {"type": "array", "items": INTEGER}}),
        ("dict[str, Any]", {"type": "object"}),
        ("Optional[list[str]]", {"type": ["array", "null"], "items": STRING}),
        ("list[int] | list[str]", {"anyOf": [{"type": "array", "items": INTEGER}, {"type": "array", "items": STRING}]}),
        ("str, optional", STRING),
        ("str (optional)", STRING),
        ("string?", STRING),
        ("int, default=3", INTEGER),
        ("int, optional, default: 3", INTEGER),
        ("int, float", {"type": ["integer", "number"]}),
        ("Literal['a', 'b, c']", {"type": "string", "enum": ["a", "b, c"]}),
        ("{'mean', 'sum'}, optional", {"type": "string", "enum": ["mean", "sum"]}),
        ("Literal[1, None]", {"enum": [1, None]}),
        ("Annotated[str, 'a city']", STRING),
        ("datetime.date", {"type": "string", "format": "date"}),
        ("list[datetime]", {"type": "array", "items": {"type": "string", "format": "date-time"}}),
        ("Optional[Any]", {}),
    ],
)
def test_a_type_is_read_with_what_it_holds(written: str, meant: dict[str, Any]) -> None:
    assert read_meaning(written) == meant


@pytest.mark.parametrize(
    "written", ["wat", "list[wat]", "Optional[]", "optional", "str of int", "|", "list[", "int & str", "a" * 400]
)
def test_what_cannot_be_read_stays_unknown(written: str) -> None:
    assert read_meaning(written) is None
    found = normalize_schema({"type": written})
    assert [note.level for note in found.notes] == ["error"]
    assert "is not known" in found.notes[0].message


def test_the_type_alone_leaves_null_out() -> None:
    assert read_type("Optional[dict]") == ("object", "")
    assert read_type("int | str") == ("", "")


def test_each_change_is_reported_and_what_is_said_already_stays() -> None:
    given_schema = {
        "type": "Optional[dict]",
        "properties": {
            "tags": {"type": "list[str]", "items": {"enum": ["a"]}, "description": "Tags"},
            "limit": {"type": "Optional[int]", "minimum": 1, "description": "Most"},
            "either": {
                "type": "list[int] | list[str]",
                "anyOf": [{"minItems": 1}, {"maxItems": 9}],
                "description": "Any",
            },
        },
    }
    read = normalize_parameters(given_schema)
    properties = read.schema["properties"]
    assert properties["tags"]["items"] == {"enum": ["a"]}
    assert properties["limit"]["anyOf"] == [{"type": "integer", "minimum": 1}, NULL]
    assert len(properties["either"]["allOf"][0]["anyOf"]) == 2
    changed = {note.pointer for note in read.notes if note.level == "changed"}
    assert {f"/properties/{name}/type" for name in properties} <= changed
    assert schema_problems(read.schema) == []


@given(st.text(alphabet="intsrlo[]<>(){}|,'\" .?", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    meaning = read_meaning(text)
    assert meaning is None or schema_problems(meaning) == []
