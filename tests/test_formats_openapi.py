"""OpenAPI documents as tool files: every operation a tool, in 2.0, 3.0 and 3.1."""

import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import ToolFileError
from generator.formats.loading.tool_files import LoadedCatalog, load_catalog, load_tools
from generator.formats.openapi.schemas import MAX_DEFINITIONS
from generator.schemas.validators import validator_for
from generator.tools import Tool
from generator.values import synthesize_value
from tests.shared_data import SHARED, needs_shared
from tests.tables import each_row

CORPUS = SHARED / "corpus" / "openapi"
PET = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "name": {"type": "string", "example": "Rex"},
        "secret": {"type": "string", "writeOnly": True},
        "parent": {"$ref": "#/components/schemas/Pet"},
        "note": {"type": "string", "nullable": True},
    },
}


def api(*, version: str = "3.0.3", components: dict[str, Any] | None = None, **paths: Any) -> dict[str, Any]:
    named = {"openapi": version, "info": {"title": "t", "version": "1"}}
    return {**named, "paths": paths.get("paths", paths), "components": components or {"schemas": {"Pet": PET}}}


def one(operation: dict[str, Any], method: str = "post", path: str = "/pets", **more: Any) -> Tool:
    (tool,) = load_tools(api(paths={path: {method: operation}}, **more))
    return tool


def body(schema: Any, media_type: str = "application/json", **more: Any) -> dict[str, Any]:
    return {"content": {media_type: {"schema": schema}}, **more}


def query(name: str, location: str = "query", **more: Any) -> dict[str, Any]:
    return {"name": name, "in": location, "schema": {"type": "string"}, **more}


def ok(schema: Any, code: str = "200") -> dict[str, Any]:
    return {code: {"description": "ok", **body(schema)}}


def messages(tool: Tool, kind: str = "changed") -> str:
    return "\n".join(change.message for change in tool.changes if change.kind == kind)


def refused(document: Any) -> list[str]:
    with pytest.raises(ToolFileError) as caught:
        load_tools(document)
    return [str(problem) for problem in caught.value.problems]


def test_parameters_and_body_are_one_object_schema() -> None:
    tool = one(
        {
            "operationId": "renamePet",
            "summary": "Rename a pet",
            "description": "Only for owners.",
            "parameters": [
                query("id", "path", required=True),
                query("dry", description="Only say"),
                query("X-Trace", "header"),
            ],
            "requestBody": body({"$ref": "#/components/schemas/Pet"}, required=True),
            "responses": ok({"$ref": "#/components/schemas/Pet"}, "201"),
        },
        path="/pets/{id}",
    )
    assert tool.description == "Rename a pet.\n\nOnly for owners."
    assert list(tool.parameters["properties"]) == ["id", "dry", "X-Trace", "name", "secret", "parent", "note"]
    assert tool.parameters["required"] == ["id", "name"]
    assert tool.parameters["properties"]["dry"]["description"] == "Only say"
    assert tool.result_origin == "declared"
    assert "secret" not in tool.result_schema["$defs"]["Pet"]["properties"]
    assert tool.extensions["x_openapi"]["path"] == "/pets/{id}"
    assert tool.extensions["x_openapi"]["arguments"]["name"] == {"in": "body", "name": "name"}


def test_names_that_meet_are_told_apart_and_said() -> None:
    tool = one(
        {
            "parameters": [query("id", "path"), query("id"), query("body_id")],
            "requestBody": body({"type": "object", "properties": {"id": {"type": "integer"}}}),
        },
        path="/pets/{id}",
    )
    assert list(tool.parameters["properties"]) == ["id", "query_id", "body_id", "body_id_2"]
    assert tool.parameters["required"] == ["id"]
    assert tool.extensions["x_openapi"]["arguments"]["body_id_2"] == {"in": "body", "name": "id"}
    assert '"id" of the body is called "body_id_2"' in messages(tool)


def test_an_operation_without_an_id_is_called_by_method_and_path() -> None:
    tool = one({"summary": "Delete a pet"}, "delete", "/pets/{pet-id}")
    assert (tool.name, tool.original_name) == ("delete_pets_pet-id", "delete /pets/{pet-id}")


def test_an_id_that_is_given_twice_stays_with_the_first() -> None:
    first, second = load_tools(api(paths={"/a": {"get": {"operationId": "same"}, "put": {"operationId": "same"}}}))
    assert (first.name, second.name) == ("same", "put_a")
    assert "is taken" in messages(second)


def test_read_only_fields_are_no_part_of_a_request_however_deep() -> None:
    wrapped = {
        "type": "object",
        "properties": {"pet": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"required": ["id"]}]}},
    }
    tool = one({"requestBody": body(wrapped)})
    pet = tool.parameters["$defs"]["Pet"]
    assert "id" not in pet["properties"]
    assert pet["required"] == ["name"]
    assert "required" not in tool.parameters["properties"]["pet"]["allOf"][1]
    assert '"id" is read-only' in messages(tool)


def test_circular_references_are_carried_and_have_values() -> None:
    tool = one(
        {
            "requestBody": body({"$ref": "#/components/schemas/Pet"}),
            "responses": ok({"$ref": "#/components/schemas/Pet"}),
        }
    )
    assert tool.parameters["properties"]["parent"]["$ref"] == "#/$defs/Pet"
    for seed in range(5):
        assert isinstance(synthesize_value(tool.parameters, seed=seed), dict)
        assert synthesize_value(tool.result_schema, seed=seed)["name"]


@pytest.mark.parametrize(
    ("content", "chosen"),
    [
        (["application/xml", "application/json"], "json"),
        (["multipart/form-data", "application/problem+json"], "problem+json"),
        (["text/plain", "multipart/form-data", "application/x-www-form-urlencoded"], "x-www-form-urlencoded"),
        (["application/octet-stream"], "octet-stream"),
    ],
)
def test_json_comes_first_and_a_form_second(content: list[str], chosen: str) -> None:
    given = {name: {"schema": {"type": "object", "properties": {name: {"type": "string"}}}} for name in content}
    tool = one({"requestBody": {"content": given}})
    assert [name.partition("/")[2] for name in tool.parameters["properties"]] == [chosen]
    assert ("as well" in messages(tool, "lost")) == (len(content) > 1)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}},
        {"type": "string"},
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"oneOf": [{"$ref": "#/components/schemas/Pet"}, {"type": "string"}]},
        {"allOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"minLength": 2}}}]},
    ],
)
def test_a_body_that_is_no_plain_object_is_one_argument(schema: Any) -> None:
    tool = one({"requestBody": body(schema, required=True)})
    assert list(tool.parameters["properties"]) == ["body"]
    assert tool.parameters["required"] == ["body"]
    assert tool.extensions["x_openapi"]["arguments"] == {"body": {"in": "body"}}


def test_the_fields_of_all_of_are_merged() -> None:
    schema = {
        "allOf": [
            {"$ref": "#/components/schemas/Pet"},
            {"properties": {"age": {"type": "integer"}}, "required": ["age"]},
        ]
    }
    tool = one({"requestBody": body(schema, required=True)})
    assert {"name", "age"} <= set(tool.parameters["properties"])
    assert tool.parameters["required"] == ["name", "age"]


def test_a_discriminator_tells_the_branches_apart() -> None:
    schemas = {
        "Cat": {"type": "object", "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
        "Dog": {"type": "object", "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
    }
    choice = {
        "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
        "discriminator": {"propertyName": "kind", "mapping": {"dog": "#/components/schemas/Dog"}},
    }
    tool = one({"responses": ok(choice)}, components={"schemas": schemas})
    values = [synthesize_value(tool.result_schema, seed=seed) for seed in range(12)]
    assert {value["kind"] for value in values} == {"Cat", "dog"}
    assert "discriminator" not in tool.result_schema
    assert "`kind`" in messages(tool)


def test_what_tools_have_no_place_for_is_reported_as_lost() -> None:
    document = api(
        paths={
            "/a": {
                "get": {
                    "deprecated": True,
                    "servers": [{"url": "https://other.example"}],
                    "security": [{"key": []}],
                    "parameters": [
                        query("Authorization", "header"),
                        query("k"),
                        query("X-API-Key", "header"),
                        query("q"),
                    ],
                }
            }
        },
        components={"securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "k"}}},
    )
    loaded = _loaded({**document, "servers": [{"url": "https://a.example"}]})
    (tool,) = loaded.catalog.tools
    assert list(tool.parameters["properties"]) == ["q"]
    for part in (
        'the header "Authorization"',
        '"k" in the query is a credential',
        '"X-API-Key"',
        "credentials are no",
        "address",
    ):
        assert part in messages(tool, "lost"), part
    warned = "\n".join(problem.what for problem in loaded.warnings)
    assert "`servers` left out" in warned
    assert "deprecated: kept" in warned


def _loaded(document: Any) -> LoadedCatalog:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "api.json"
        path.write_text(json.dumps(document))
        return load_catalog([path])


def test_two_point_zero_with_its_own_ways() -> None:
    document = {
        "swagger": "2.0",
        "parameters": {
            "limit": {"name": "limit", "in": "query", "type": "integer", "maximum": 50, "description": "Most"}
        },
        "definitions": {"Pet": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
        "responses": {"Pet": {"description": "a pet", "schema": {"$ref": "#/definitions/Pet"}}},
        "paths": {
            "/pets": {
                "parameters": [{"$ref": "#/parameters/limit"}, {"name": "tag", "in": "query", "type": "string"}],
                "get": {
                    "parameters": [{"name": "tag", "in": "query", "type": "integer"}],
                    "responses": {"200": {"$ref": "#/responses/Pet"}},
                },
                "post": {"parameters": [{"name": "pet", "in": "body", "schema": {"$ref": "#/definitions/Pet"}}]},
                "put": {"parameters": [{"name": "photo", "in": "formData", "type": "file", "required": True}]},
            }
        },
    }
    get, post, put = load_tools(document)
    assert get.parameters["properties"]["limit"] == {"type": "integer", "maximum": 50, "description": "Most"}
    assert get.parameters["properties"]["tag"]["type"] == "integer"
    assert get.result_schema["$ref"] == "#/$defs/Pet"
    assert post.parameters["required"] == ["name"]
    assert put.parameters["properties"]["photo"] == {"type": "string", "format": "binary", "description": "photo"}


def test_yaml_with_its_plain_version_and_codes(tmp_path: Path) -> None:
    path = tmp_path / "api.yaml"
    path.write_text("swagger: 2.0\npaths:\n  /a:\n    get:\n      responses:\n        200: {schema: {type: integer}}\n")
    (tool,) = load_catalog([path]).catalog.tools
    assert tool.result_schema == {"type": "integer"}


def test_examples_become_hints() -> None:
    tool = one(
        {
            "parameters": [query("city", example="Oslo"), query("unit", examples={"a": {"value": "C"}})],
            "requestBody": {
                "content": {
                    "application/json": {"schema": {"properties": {"n": {"type": "integer"}}}, "example": {"n": 7}}
                }
            },
        }
    )
    assert [part["examples"] for part in tool.parameters["properties"].values()] == [["Oslo"], ["C"], [7]]


@pytest.mark.parametrize(
    ("responses", "expected"),
    [
        (ok({"type": "integer"}, "204") | ok({"type": "string"}, "202"), {"type": "string"}),
        ({"204": {"description": "nothing"}} | ok({"type": "string"}, "2XX"), {"type": "string"}),
        (ok({"type": "string"}, "default"), {"type": "string"}),
        (ok({"type": "string"}, "default") | {"201": {"description": "made"}}, None),
        (ok({"type": "string"}, "404"), None),
    ],
)
def test_the_result_is_that_of_the_first_success(responses: Any, expected: Any) -> None:
    tool = one({"responses": responses})
    assert tool.result_origin == ("declared" if expected else "domain")
    assert tool.result_schema == (expected or {})


@each_row(
    ("operation", "what"),
    [
        ({"requestBody": body({"$ref": "other.yaml#/Pet"})}, "never fetched (bundle the documents into one)"),
        ({"requestBody": body({"$ref": "https://a.example/x.json"})}, "never fetched"),
        ({"requestBody": {"$ref": "#/components/requestBodies/None"}}, "points to nothing"),
        ({"parameters": [{"$ref": "#/components/parameters/p"}]}, "points to nothing"),
        ({"responses": {"200": {"$ref": "r.json"}}}, "never fetched"),
        ({"responses": ok({"type": "array", "items": {"$ref": "#/components/schemas/Gone"}})}, "points to nothing"),
        ({"requestBody": body({"$ref": "#/components/schemas/Loop"})}, "refers to itself"),
        ({"parameters": [{"name": "a", "in": "nowhere"}]}, '"nowhere"'),
        ({"parameters": {"a": 1}}, "no list"),
        ({"parameters": [7]}, "no object"),
        ({"requestBody": []}, "no object"),
        ([], "an operation is an object"),
    ],
)
def test_what_cannot_be_read_is_one_clear_problem_of_its_operation(operation: Any, what: str) -> None:
    document = api(
        paths={"/a": {"get": operation}}, components={"schemas": {"Loop": {"$ref": "#/components/schemas/Loop"}}}
    )
    (problem,) = refused(document)
    assert what in problem
    assert "#/paths/~1a/get" in problem


@pytest.mark.parametrize(
    ("document", "what"),
    [
        ({"openapi": "4.0.0", "paths": {}}, 'OpenAPI "4.0.0" is not read'),
        ({"swagger": "1.2", "apis": []}, "the versions are 2.0, 3.0 and 3.1"),
        ({"openapi": "3.1.0", "components": {}}, "document holds no operation"),
        ({"openapi": "3.1.0", "paths": []}, "document holds no operation"),
        ({"openapi": "3.1.0", "paths": 7}, "no object"),
        ({"openapi": "3.1.0", "paths": {"/a": {"$ref": "b.yaml"}}}, "never fetched"),
    ],
)
def test_a_document_that_is_of_no_use_is_one_problem(document: Any, what: str) -> None:
    (problem,) = refused(document)
    assert what in problem


def test_a_problem_in_a_schema_names_its_place_in_the_document() -> None:
    broken = {"type": "object", "properties": {"a": {"type": "wat"}}}
    operation = {
        "parameters": [{"name": "p", "in": "query", "schema": {"type": "wat"}}],
        "requestBody": body({"$ref": "#/components/schemas/B"}),
    }
    document = api(
        paths={"/a": {"post": operation}},
        components={"schemas": {"B": {"properties": {"b": {"$ref": "#/components/schemas/C"}}}, "C": broken}},
    )
    found = "\n".join(refused(document))
    assert "#/paths/~1a/post/parameters/0/schema/type: " in found
    assert "#/components/schemas/C/properties/a/type: " in found


def test_a_web_of_definitions_is_cut_and_said() -> None:
    count = MAX_DEFINITIONS + 40
    schemas = {
        f"S{n}": {"type": "object", "properties": {"next": {"$ref": f"#/components/schemas/S{n + 1}"}}}
        for n in range(count)
    }
    tool = one(
        {"responses": ok({"$ref": "#/components/schemas/S0"})}, components={"schemas": {**schemas, f"S{count}": {}}}
    )
    assert len(tool.result_schema["$defs"]) == MAX_DEFINITIONS
    assert "the furthest admit any value" in messages(tool, "lost")


def test_subtypes_that_refer_back_to_their_choice_are_loaded_in_time() -> None:
    schemas = {
        "Pet": {"oneOf": [{"$ref": "#/components/schemas/Cat"}], "discriminator": {"propertyName": "kind"}},
        "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"kind": {"type": "string"}}}]},
    }
    document = api(
        paths={"/a": {"post": {"requestBody": body({"$ref": "#/components/schemas/Cat"})}}},
        components={"schemas": schemas},
    )
    (tool,) = load_tools(document)
    assert "kind" in json.dumps(tool.parameters)


@needs_shared
@pytest.mark.parametrize(
    ("name", "tools", "skipped"),
    [
        ("2.0__petstore-expanded", 4, []), ("2.0__petstore", 20, []), ("3.0__complex-nesting", 5, []),
        ("3.0__link-example", 6, []), ("3.0__parameters-style", 25, []), ("3.0__petstore", 20, []),
        ("3.0__schema-enums", 3, []), ("3.0__uspto", 3, []), ("3.1__petstore", 20, []),
        # A string that is an integer as well, twice.
        ("3.0__schema-types", 19, ["`type` excludes every value", "`type` excludes every value"]),
        # `{` outside a quantifier is no pattern under ECMA-262's `u` flag, which JSON Schema asks for.
        ("3.0__schema-validation", 4, ["pattern"]),
    ],
)  # fmt: skip
def test_every_operation_of_the_corpus_is_a_tool_or_refused_with_its_reason(
    name: str, tools: int, skipped: list[str]
) -> None:
    loaded = load_catalog([CORPUS / f"{name}.json"], skip_invalid=True)
    assert len(loaded.catalog.tools) == tools
    assert len(loaded.skipped) == len(skipped)
    assert all(reason in str(problem) for reason, problem in zip(skipped, loaded.skipped, strict=True))


@needs_shared
def test_arguments_and_results_of_the_corpus_have_values() -> None:
    for path in sorted(CORPUS.glob("*.json")):
        for tool in load_catalog([path], skip_invalid=True).catalog.tools:
            for seed in range(3):
                assert isinstance(synthesize_value(tool.parameters, seed=seed), dict)
                assert validator_for(tool.result_schema).is_valid(synthesize_value(tool.result_schema, seed=seed))
