"""What of a schema a sentence can say: narrowed, and every value of it still one of the schema's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.domains.plain_requests import Given, given_together, is_nested, sayable
from generator.jsontext import JsonObject, JsonValue
from generator.schemas.validators import validator_for
from generator.values import synthesize_value
from tests.tables import each_row

TEXT: JsonObject = {"type": "string"}
PLACE: JsonObject = {
    "type": "object",
    "properties": {"city": TEXT, "zip": TEXT, "note": TEXT, "free": {"type": "object"}, "more": TEXT},
}
ROOT: JsonObject = {"$defs": {"Place": PLACE, "Loop": {"$ref": "#/$defs/Loop"}}}
KEPT: list[tuple[JsonObject, list[str]]] = [
    (PLACE, ["city", "zip", "note"]),
    ({**PLACE, "required": ["more"]}, ["more"]),
    ({"$ref": "#/$defs/Place"}, ["city", "zip", "note"]),
    ({"anyOf": [{"type": "null"}, PLACE]}, ["city", "zip", "note"]),
    ({"oneOf": [{"type": "object", "maxProperties": 0}, {**PLACE, "required": ["zip"]}]}, ["zip"]),
]


@pytest.mark.parametrize(("schema", "kept"), KEPT)
def test_of_an_object_the_required_parts_are_said_or_the_first_few(schema: JsonObject, kept: list[str]) -> None:
    said = sayable(schema, ROOT)
    assert said is not None
    assert list(said["properties"]) == said["required"] == kept
    assert is_nested(said)


NEVER: list[JsonObject] = [
    {},
    {"type": "null"},
    {"type": "object"},
    {"type": "object", "additionalProperties": TEXT},
    {**PLACE, "required": ["free"]},
    {**PLACE, "required": ["unknown"]},
    {"type": "array", "items": {"type": "object"}},
    {"type": "array", "items": {"type": "boolean"}},
    {"type": "array"},
    {"type": "string", "format": "binary"},
    {"enum": [{"a": 1}]},
    {"anyOf": [{"type": "null"}, {"type": "object"}]},
    {"$ref": "#/$defs/Loop"},
    {"$ref": "#/$defs/Unknown"},
]


@each_row("schema", NEVER)
def test_what_tells_no_plain_value_cannot_be_said(schema: JsonObject) -> None:
    assert sayable(schema, ROOT) is None


def test_what_nests_too_deeply_cannot_be_said() -> None:
    schema: JsonObject = TEXT
    for _ in range(4):
        schema = {"type": "array", "items": schema}
    assert sayable(schema, {}) is not None
    assert sayable({"type": "array", "items": schema}, {}) is None


def test_few_objects_are_listed_unless_more_are_required() -> None:
    for least, most in ((None, 2), (1, 2), (3, 3)):
        schema: JsonObject = {"type": "array", "items": PLACE, **({"minItems": least} if least else {})}
        said = sayable(schema, {})
        assert said is not None and said["maxItems"] == most
        assert is_nested(said)
    plain = sayable({"type": "array", "items": TEXT}, {})
    assert plain is not None and "maxItems" not in plain and not is_nested(plain)


@pytest.mark.parametrize("schema", [PLACE, {"type": "array", "items": PLACE}, *(schema for schema, _ in KEPT)])
def test_values_of_the_narrowed_schema_are_values_of_the_schema(schema: JsonObject) -> None:
    said, whole = sayable(schema, ROOT), validator_for({**ROOT, "allOf": [schema]})
    assert all(whole.is_valid(synthesize_value({**ROOT, "allOf": [said]}, seed=seed)) for seed in range(20))


DOMAINS_GIVING_TEXT: JsonObject = {"type": "string"}
NUMBER: JsonObject = {"type": "integer"}


def _given(
    required: list[str], said: dict[str, JsonObject], *, changes: bool = False, creates: bool = False
) -> list[Given]:
    return list(given_together(required, said, changes=changes, creates=creates))


STATED: list[JsonObject] = [
    {"enum": ["a", "b"]},
    {"type": "boolean"},
    {**DOMAINS_GIVING_TEXT, "examples": ["a"]},
    {**DOMAINS_GIVING_TEXT, "format": "date"},
    {**NUMBER, "default": 10},
    {**NUMBER, "minimum": 1, "maximum": 9},
    {**DOMAINS_GIVING_TEXT, "description": "One of 'metric', 'imperial'."},
    {**DOMAINS_GIVING_TEXT, "description": "Such as 'Rome'."},
    {**NUMBER, "description": "A number between 1 and 7."},
    {"type": "array", "items": {"enum": ["a", "b"]}},
]
UNSTATED: list[JsonObject] = [
    DOMAINS_GIVING_TEXT,
    {**NUMBER, "minimum": 1},
    {**DOMAINS_GIVING_TEXT, "default": ""},
    {**DOMAINS_GIVING_TEXT, "default": "None"},
    {"type": "array", "items": DOMAINS_GIVING_TEXT},
]


@each_row(("schema", "is_given"), [*((s, True) for s in STATED), *((s, False) for s in UNSTATED)])
def test_an_optional_argument_is_given_where_its_values_are_stated(schema: JsonObject, is_given: bool) -> None:
    found = _given(["it"], {"it": DOMAINS_GIVING_TEXT, "more": schema})
    assert [each.names for each in found] == [("it",), *([("it", "more")] if is_given else [])]


def test_one_optional_argument_is_given_at_a_time_and_half_of_the_requests_give_none() -> None:
    flags: dict[str, JsonObject] = {f"flag{number}": {"type": "boolean"} for number in range(4)}
    found = _given(["it"], {"it": DOMAINS_GIVING_TEXT, **flags})
    assert [each.names for each in found] == [("it",), *(("it", name) for name in flags)]
    assert found[0].weight == sum(each.weight for each in found[1:])


def test_a_default_is_kept_to_where_no_other_value_is_told() -> None:
    def kept(schema: JsonObject) -> JsonObject:
        return _given(["it"], {"it": DOMAINS_GIVING_TEXT, "more": schema})[-1].kept

    assert kept({**NUMBER, "default": 10}) == {"more": {**NUMBER, "default": 10, "enum": [10]}}
    for told in ({"enum": [10, 20]}, {"minimum": 1, "maximum": 50}, {"description": "From 1 to 50."}):
        assert kept({**NUMBER, "default": 10, **told}) == {}
    assert kept({"type": "boolean", "default": True}) == {}


def test_without_required_arguments_each_optional_one_is_given() -> None:
    assert [each.names for each in _given([], {"a": DOMAINS_GIVING_TEXT, "b": DOMAINS_GIVING_TEXT})] == [
        (),
        ("a",),
        ("b",),
    ]


def test_what_is_changed_is_said() -> None:
    said = {"id": NUMBER, "name": DOMAINS_GIVING_TEXT, "note": DOMAINS_GIVING_TEXT}
    assert [each.names for each in _given(["id"], said, changes=True)] == [("id", "name"), ("id", "note")]
    assert [each.names for each in _given(["id"], {"id": NUMBER}, changes=True)] == [("id",)]


def test_a_new_thing_is_given_its_first_parts_but_the_id() -> None:
    said = {"id": NUMBER, "pet": NUMBER, "quantity": NUMBER, "day": DOMAINS_GIVING_TEXT, "status": {"enum": ["a"]}}
    assert [each.names for each in _given([], said, changes=True, creates=True)] == [("pet", "quantity", "day")]


ACTION: JsonObject = {"type": "string", "enum": ["list", "close", "new", "stop"]}


def _told(text: str) -> JsonObject:
    return {"type": "string", "description": text}


def test_arguments_that_speak_of_a_choice_go_with_it() -> None:
    said = {"action": ACTION, "index": _told("Used for close."), "url": _told("Used for new."), "sort": ACTION}
    found = _given(["action"], said)
    chosen: list[tuple[tuple[str, ...], JsonValue]] = [(each.names, each.kept["action"]["enum"]) for each in found]
    assert chosen == [
        (("action",), ["list", "stop"]),
        (("action", "index"), ["close"]),
        (("action", "url"), ["new"]),
    ]


@pytest.mark.parametrize("text", ["Needed unless close.", "For all except 'close'.", "Of the closet.", "A re-close."])
def test_an_exception_or_a_part_of_a_word_speaks_of_no_choice(text: str) -> None:
    assert [each.names for each in _given(["action"], {"action": ACTION, "index": _told(text)})] == [("action",)]


@pytest.mark.parametrize(
    ("text", "leans"),
    [("Only with `sort`.", True), ("Of sort.", False), ("Only with minLength.", True), ("Of length.", False)],
)
def test_an_argument_that_leans_on_another_optional_one_is_not_given(text: str, leans: bool) -> None:
    said = {
        "it": DOMAINS_GIVING_TEXT,
        "sort": DOMAINS_GIVING_TEXT,
        "minLength": NUMBER,
        "order": {**_told(text), "enum": ["asc", "desc"]},
    }
    assert (("it", "order") in [each.names for each in _given(["it"], said)]) is not leans


NAMES = st.lists(st.sampled_from("abcdefgh"), unique=True)
SCHEMAS = st.sampled_from([*STATED, *UNSTATED, ACTION, _told("Used for close, with `a`.")])


@given(st.dictionaries(st.sampled_from("abcdefgh"), SCHEMAS), st.data(), st.booleans(), st.booleans())
def test_every_request_gives_what_is_required_and_nothing_unknown(
    said: dict[str, JsonObject], data: st.DataObject, changes: bool, creates: bool
) -> None:
    required = data.draw(st.lists(st.sampled_from(sorted(said)), unique=True)) if said else []
    found = _given(required, said, changes=changes, creates=creates)
    assert found
    for each in found:
        assert each.names[: len(required)] == tuple(required)
        assert set(each.names) <= set(said) and len(set(each.names)) == len(each.names)
        assert len(each.names) <= len(required) + 3
        assert set(each.kept) <= set(each.names) and each.weight > 0
