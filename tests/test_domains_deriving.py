"""Domains from definitions alone: plain requests, things of OpenAPI paths, hints of MCP, tools that cannot be said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.domains.deriving import derive_domain, phrase_of, words_of
from generator.domains.domain import Way
from generator.formats.loading.tool_files import load_catalog
from generator.jsontext import JsonObject, JsonValue
from generator.records import ToolResult
from generator.scenarios.blueprints import LAYOUTS
from generator.tools import Tool
from generator.worlds.execution import execute
from generator.worlds.program import CompiledDomain, compiled_domain
from generator.worlds.world import World
from tests.domains_library import TODAY, tool
from tests.tables import each_row

STATUS: JsonObject = {"type": "string", "enum": ["available", "sold"]}
PET: JsonObject = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 1, "maximum": 99_999},
        "name": {"type": "string"},
        "status": STATUS,
    },
    "required": ["id", "name", "status"],
}
GIVEN: JsonObject = {"type": "object", "properties": {"name": {"type": "string"}, "status": STATUS}}


def _answer(schema: JsonObject | None) -> JsonObject:
    content = {"content": {"application/json": {"schema": schema}}} if schema else {}
    return {"200": {"description": "Fine.", **content}}


def _body(schema: JsonObject) -> JsonObject:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


ID = {"name": "petId", "in": "path", "required": True, "schema": {"type": "integer"}}
PETS: JsonObject = {
    "openapi": "3.0.0",
    "info": {"title": "Pets", "version": "1"},
    "paths": {
        "/pets": {
            "get": {"operationId": "listPets", "summary": "List pets.",
                    "responses": _answer({"type": "array", "items": PET})},
            "post": {"operationId": "createPet", "summary": "Add a pet.",
                     "requestBody": _body({**GIVEN, "required": ["name", "status"]}), "responses": _answer(PET)},
        },
        "/pets/{petId}": {
            "parameters": [ID],
            "get": {"operationId": "getPet", "summary": "Show a pet.", "responses": _answer(PET)},
            "patch": {"operationId": "updatePet", "summary": "Change a pet.", "requestBody": _body(GIVEN),
                      "responses": _answer(PET)},
            "delete": {"operationId": "deletePet", "summary": "Delete a pet.",
                       "responses": _answer({"type": "object", "properties": {"deleted": {"type": "boolean"}}})},
        },
    },
}  # fmt: skip


def _derived(tools: tuple[Tool, ...]) -> CompiledDomain:
    compiled = compiled_domain(derive_domain(tools, "derived"), tools)
    assert compiled.faults == ()
    return compiled


@pytest.fixture(scope="module")
def pets(tmp_path_factory: pytest.TempPathFactory) -> CompiledDomain:
    """What the document of the pets states."""
    path: Path = tmp_path_factory.mktemp("pets") / "pets.json"
    path.write_text(json.dumps(PETS))
    return _derived(load_catalog([path]).catalog.tools)


class Calls:
    """Calls on one world, one after the other."""

    def __init__(self, compiled: CompiledDomain) -> None:
        self.compiled = compiled
        self.world = World(compiled.program, 5, TODAY, "en_US")

    def __call__(self, name: str, /, **arguments: JsonValue) -> ToolResult:
        done = execute(self.world, self.compiled.tools[name], arguments)
        self.world = done.world
        return done.result

    def ids(self) -> list[Any]:
        """The ids that the list tells."""
        return [each["id"] for each in self("listPets").content]


def test_paths_of_one_kind_of_thing_share_one_world(pets: CompiledDomain) -> None:
    assert list(pets.program.entities) == ["pets"]
    made = Calls(pets)
    first, *_ = known = made.ids()
    assert 3 <= len(known) <= 6
    assert made("getPet", petId=first).content == made("listPets").content[0]


def test_what_is_created_is_listed_and_can_be_shown(pets: CompiledDomain) -> None:
    made = Calls(pets)
    before = made.ids()
    created = made("createPet", name="Rex", status="sold").content
    assert (created["name"], created["status"]) == ("Rex", "sold")
    assert made.ids() == [*before, created["id"]]
    assert made("getPet", petId=created["id"]).content == created


def test_what_is_created_under_an_id_has_it(tmp_path: Path) -> None:
    document = json.loads(json.dumps(PETS))
    body = {**GIVEN, "properties": {**GIVEN["properties"], "id": PET["properties"]["id"]}, "required": ["name"]}
    document["paths"]["/pets"]["post"]["requestBody"] = _body(body)
    (tmp_path / "pets.json").write_text(json.dumps(document))
    made = Calls(_derived(load_catalog([tmp_path / "pets.json"]).catalog.tools))
    free = next(number for number in range(1, 99) if number not in made.ids())
    assert made("createPet", name="Rex", id=free).content["id"] == free
    assert made("createPet", name="Rex", id=free).status == "INVALID_STATE"


def test_what_is_changed_stays_changed_and_the_rest_as_it_was(pets: CompiledDomain) -> None:
    made = Calls(pets)
    first = made.ids()[0]
    before = made("getPet", petId=first).content
    after = made("updatePet", petId=first, name="Rex").content
    assert after == {**before, "name": "Rex"} == made("getPet", petId=first).content


def test_what_is_deleted_is_gone(pets: CompiledDomain) -> None:
    made = Calls(pets)
    first, *rest = made.ids()
    assert made("deletePet", petId=first).content["deleted"] is True
    assert made.ids() == rest
    for name in ("getPet", "updatePet", "deletePet"):
        assert made(name, petId=first).status == "RESOURCE_NOT_FOUND"


def test_an_id_that_nothing_has_is_refused(pets: CompiledDomain) -> None:
    assert Calls(pets)("getPet", petId=100_001).status == "RESOURCE_NOT_FOUND"


def test_people_call_a_thing_by_its_name_and_the_list_finds_its_id(pets: CompiledDomain) -> None:
    assert set(LAYOUTS["nested"].leads(pets)) == {"getPet", "updatePet", "deletePet"}
    (way, *_) = pets.ways["getPet"]
    assert [each.entity for each in way.arguments.ids] == ["pets"]


def test_methods_tell_what_is_confirmed(pets: CompiledDomain) -> None:
    assert {name for name, ways in pets.ways.items() if any(way.confirm for way in ways)} == {
        "createPet", "updatePet", "deletePet",
    }  # fmt: skip


def test_a_path_inside_another_thing_makes_no_thing(tmp_path: Path) -> None:
    """Whose toys they are would not be known."""
    owned = {"/pets/{petId}/toys": {"parameters": [ID], "get": {
        "operationId": "listToys", "responses": _answer({"type": "array", "items": PET})}}}  # fmt: skip
    path = tmp_path / "toys.json"
    path.write_text(json.dumps({**PETS, "paths": owned}))
    compiled = _derived(load_catalog([path]).catalog.tools)
    assert compiled.program.entities == {}
    assert isinstance(Calls(compiled)("listToys", petId=3).content, list)


@pytest.mark.parametrize(
    ("annotations", "asks"),
    [
        ({"readOnlyHint": False}, True),
        ({"destructiveHint": True}, True),
        ({"readOnlyHint": True}, False),
        ({"title": "x"}, False),
        ({}, False),
    ],
)
def test_hints_of_mcp_tell_what_is_confirmed(annotations: JsonObject, asks: bool, tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    schema = {"type": "object", "properties": {"it": {"type": "string"}}, "required": ["it"]}
    listed = {"name": "drop_it", "description": "Drop it.", "annotations": annotations, "inputSchema": schema}
    path.write_text(json.dumps({"tools": [listed]}))
    compiled = _derived(load_catalog([path]).catalog.tools)
    assert bool(compiled.ways["drop_it"][0].confirm) is asks


SAID = [
    {"type": "string"},
    {"type": "integer"},
    {"type": "boolean"},
    {"type": "array", "items": {"type": "string"}},
    {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    {"enum": ["a", 1]},
    {"const": "a"},
    {"anyOf": [{"type": "string"}, {"type": "null"}]},
    {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    {"type": "object", "properties": {"a": {"type": "string"}}},
    {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}},
]
UNSAID = [
    {"type": "object"},
    {"type": "object", "additionalProperties": {"type": "string"}},
    {"type": "array", "items": {"type": "object"}},
    {"type": "array"},
    {"type": "string", "format": "binary"},
    {"enum": [{"a": 1}]},
    {},
]


@each_row("schema", SAID)
def test_plain_values_and_their_lists_and_groups_can_be_said(schema: JsonObject) -> None:
    derived = derive_domain([tool("go", None, ("it",), it=schema)], "x")
    assert list(derived.tools["go"].ways[0].arguments) == ["it"]


@pytest.mark.parametrize("schema", UNSAID)
def test_a_tool_that_requires_what_cannot_be_said_is_left_out(schema: JsonObject) -> None:
    assert derive_domain([tool("go", None, ("it",), it=schema)], "x").tools == {}
    optional = derive_domain([tool("go", None, (), it=schema, also="string")], "x").tools["go"]
    assert {name for way in optional.ways for name in way.arguments} == {"also"}


def test_more_than_a_sentence_holds_is_given_in_lines_and_no_more_than_twenty() -> None:
    names = [f"part{number}" for number in range(21)]

    def ways(many: int) -> tuple[Way, ...]:
        listed = names[:many]
        derived = derive_domain([tool("go", None, tuple(listed), **dict.fromkeys(listed, "string"))], "x").tools
        return derived["go"].ways if "go" in derived else ()

    assert all("\n" not in request for request in ways(5)[0].requests) and ways(5)[0].parallel is not None
    assert all(request.count("\n- ") == 6 for request in ways(6)[0].requests) and ways(6)[0].parallel is None
    assert ways(20) and ways(21) == ()


GROUP: JsonObject = {
    "type": "object",
    "properties": {"street": {"type": "string"}, "floor": {"type": "integer"}},
    "required": ["street"],
}


@pytest.mark.parametrize("schema", [GROUP, {"type": "array", "items": GROUP, "minItems": 1}])
def test_requests_say_every_part_of_a_group_and_it_is_not_asked_for(schema: JsonObject) -> None:
    sent = tool("send", None, ("name", "where"), name="string", where=schema)
    compiled = _derived((sent,))
    (way,) = compiled.domain.tools["send"].ways
    assert all("where {a.1|parts}" in request.lower() for request in way.requests)
    assert [ask.missing for ask in way.ask] == [("name",)]


def test_an_optional_argument_of_which_nothing_is_stated_is_not_given() -> None:
    flags = {f"flag{number}": "boolean" for number in range(3)}
    ways = derive_domain([tool("go", None, ("it",), it="string", other="string", **flags)], "x").tools["go"].ways
    assert [list(way.arguments) for way in ways] == [["it"], *(["it", name] for name in flags)]
    assert ways[0].weight == len(flags)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("createIssue_comment", "create issue comment"),
        ("get-weather.v2", "get weather v2"),
        ("__x", "x"),
        ("HTTPGet", "HTTPGet"),
    ],
)
def test_the_words_of_a_name(name: str, words: str) -> None:
    assert words_of(name).lower() == words.lower()


@pytest.mark.parametrize(
    ("title", "phrase"),
    [
        (None, "find it now"),
        ("Find a thing", "Find a thing"),
        ("", "find it now"),
        ("x" * 61, "find it now"),
        (3, "find it now"),
    ],
)
def test_a_title_is_the_phrase_of_a_tool_where_it_is_a_short_text(title: JsonValue, phrase: str) -> None:
    named = tool("find_itNow").model_copy(update={"extensions": {} if title is None else {"title": title}})
    assert phrase_of(named) == phrase


def test_requests_say_every_value_and_nothing_of_the_description() -> None:
    told = tool("find_place", None, ("city",), city="string", open_now="boolean").model_copy(
        update={"description": "Vendor X(tm). Errors: 404 when there is nothing."}
    )
    compiled = _derived((told,))
    assert compiled.domain.origin == "derived"
    for way in compiled.domain.tools["find_place"].ways:
        for request in way.requests:
            assert "Vendor" not in request and "404" not in request
            assert request.lower().count("find place") == 1
            for place, name in enumerate(way.arguments):
                assert f"{{a.{place}" in request, name


def test_a_required_value_is_asked_for_where_another_one_is_said() -> None:
    ways = derive_domain([tool("go", None, ("here", "there"), here="string", there="string")], "x").tools["go"].ways
    assert [ask.missing for ask in ways[0].ask] == [("here",), ("there",)]
    for ask, kept in zip(ways[0].ask, ("there", "here"), strict=True):
        assert all(kept in request.lower() for request in ask.requests)
    alone = derive_domain([tool("go", None, ("here",), here="string")], "x").tools["go"].ways
    assert alone[0].ask == ()


def test_a_tool_of_which_nothing_is_declared_answers_with_what_it_was_given() -> None:
    compiled = _derived((tool("go", None, ("to",), to="string"),))
    assert Calls(compiled)("go", to="Rome").content == {"to": "Rome", "status": "ok"}


@pytest.mark.parametrize(
    ("description", "asks"),
    [
        ("Return items. Ask for explicit user confirmation (yes/no) to proceed.", True),
        ("Sends it after confirmation by the user.", True),
        ("Confirms an order. The user is told.", False),
        ("Return items.", False),
    ],
)
def test_a_description_that_demands_the_user_s_confirmation_is_obeyed(description: str, asks: bool) -> None:
    returning = tool("return_items", None, ("order",), order="string")
    compiled = _derived((returning.model_copy(update={"description": description}),))
    assert compiled.asking == ({"return_items"} if asks else set())
    assert all(way.confirm for way in compiled.ways["return_items"]) == asks


def test_strict_tools_are_not_wanted_several_times_at_once() -> None:
    lax = tool("go", None, ("to",), to="string")
    for strict, wanted in ((True, False), (False, True), (None, True)):
        derived = derive_domain([lax.model_copy(update={"strict": strict})], "x")
        assert (derived.tools["go"].ways[0].parallel is not None) is wanted


COUNT: JsonObject = {"type": "integer"}
TEXT: JsonObject = {"type": "string"}


def _result(**parts: JsonValue) -> JsonObject:
    return {"type": "object", "properties": parts}


@pytest.mark.parametrize(
    ("result", "answer"),
    [
        (TEXT, "ok"),
        (_result(sum=COUNT), {"status": "ok"}),
        (_result(), {"status": "ok"}),
        (_result(text=TEXT), {"status": "ok"}),
        (_result(texts={"type": "array", "items": TEXT}), {"status": "ok"}),
        ({**_result(text=TEXT), "required": ["text"]}, {"text": "ok"}),
        ({**_result(text=TEXT), "additionalProperties": False}, {"text": "ok"}),
    ],
)
def test_nothing_is_invented_of_a_result_that_tells_nothing(result: JsonObject, answer: JsonValue) -> None:
    compiled = _derived((tool("add", result, ("first",), first="integer"),))
    assert Calls(compiled)("add", first=3).content == answer


@pytest.mark.parametrize(
    "result",
    [
        _result(state={"enum": ["a", "b"]}),
        _result(name=TEXT, size=COUNT),
        {**_result(sum=COUNT), "required": ["sum"]},
    ],
)
def test_a_result_that_tells_what_it_holds_is_given(result: JsonObject) -> None:
    content: Any = Calls(_derived((tool("add", result, ("first",), first="integer"),)))("add", first=3).content
    assert set(content) <= set(result["properties"]) and content


def test_an_id_lies_within_what_its_tools_take(tmp_path: Path) -> None:
    document = json.loads(json.dumps(PETS))
    bounded = {"type": "integer", "minimum": 1, "maximum": 10}
    document["paths"]["/pets/{petId}"]["parameters"] = [{**ID, "schema": bounded}]
    (tmp_path / "pets.json").write_text(json.dumps(document))
    made = Calls(_derived(load_catalog([tmp_path / "pets.json"]).catalog.tools))
    assert all(1 <= each <= 10 for each in made.ids())


def test_a_new_thing_is_asked_for_with_its_first_parts(tmp_path: Path) -> None:
    document = json.loads(json.dumps(PETS))
    parts = dict.fromkeys(("id", "name", "kind", "color", "note"), TEXT)
    document["paths"]["/pets"]["post"]["requestBody"] = _body({"type": "object", "properties": parts})
    (tmp_path / "pets.json").write_text(json.dumps(document))
    compiled = _derived(load_catalog([tmp_path / "pets.json"]).catalog.tools)
    assert [list(way.arguments) for way in compiled.domain.tools["createPet"].ways] == [["name", "kind", "color"]]
