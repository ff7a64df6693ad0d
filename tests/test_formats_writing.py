"""The options of writing: one system message for all, calls one at a time, tools as text, variants."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.errors import UsageError
from generator.formats import FORMATS
from generator.formats.conversation import find_misshapen
from generator.formats.loading.tool_files import load_tools
from generator.formats.recognition import WRITTEN, read_record
from generator.formats.writing import TOOL_FORMATS, Shaping, dump_as_trained, dump_tools, serialized, with_system
from generator.schemas.adm import schema_notes, to_adm
from generator.tools import Tool
from tests import record_examples
from tests.golden_records import trip
from tests.tables import each_row

Json = Any  # parsed JSON


def written(document: Json, name: str, **options: Json) -> Json:
    shaping = Shaping(WRITTEN[name], **options)
    return shaping.write(shaping.prepare(document))


def test_calls_made_together_are_written_one_after_the_other() -> None:
    document = serialized(trip())
    roles = [message["role"] for message in document["messages"]]
    one = ["user", "assistant", "tool", "assistant", "tool", "assistant"]
    assert roles == ["system", *one, "user", "assistant", "tool", "assistant"]
    assert all(len(message.get("tool_calls", [1])) == 1 for message in document["messages"])
    assert "metadata" not in document, "it tells of another conversation"
    assert find_misshapen(document) is None


def test_a_record_without_calls_made_together_stays_as_it_is() -> None:
    for make in (record_examples.simple, record_examples.irrelevance):
        assert serialized(make()) == make()


def test_text_beside_calls_stays_before_the_first() -> None:
    document = record_examples.parallel()
    document["messages"][2]["content"] = "Let me see."
    assert [m["content"] for m in serialized(document)["messages"] if m.get("tool_calls")] == ["Let me see.", ""]


def test_results_in_another_order_follow_their_own_calls() -> None:
    document = record_examples.parallel()
    document["messages"][3:5] = reversed(document["messages"][3:5])
    messages = serialized(document)["messages"]
    pairs = [(messages[at]["tool_calls"][0]["id"], messages[at + 1]["tool_call_id"]) for at in (2, 4)]
    assert all(call == result for call, result in pairs)


def test_calls_without_results_stay_together() -> None:
    document = record_examples.parallel()
    del document["messages"][3:]
    assert serialized(document) == document


def test_a_system_message_takes_the_place_of_the_records_own_or_comes_first() -> None:
    own = with_system(trip(), "Be kind.")["messages"]
    assert [message["role"] for message in own].count("system") == 1
    assert own[0] == {"role": "system", "content": "Be kind."}
    assert own[1:] == trip()["messages"][1:]
    document = trip()
    del document["messages"][0]
    assert with_system(document, "Be kind.")["messages"] == own


@each_row("name", [name for name, known in WRITTEN.items() if known.tools_column])
def test_tools_may_be_text_and_are_read_back(name: str) -> None:
    document = record_examples.parallel()
    line = written(document, name, tools_as_string=True)
    column = FORMATS[name].tools_column
    assert isinstance(line[column], str)
    as_list = written(document, name)[column]
    assert json.loads(line[column]) == (as_list if isinstance(as_list, list) else json.loads(as_list))
    plain = FORMATS[name].load_record(written(document, name))
    assert FORMATS[name].load_record(line)["tools"] == plain["tools"]
    assert read_record(line).form


@each_row("name", WRITTEN)
def test_the_metadata_is_left_out_where_that_is_asked(name: str) -> None:
    assert "metadata" not in written(record_examples.simple(), name, metadata=False)


def test_a_variant_is_written() -> None:
    thinking = written(record_examples.simple(), "qwen3-text")["text"]
    assert thinking == written(record_examples.simple(), "qwen3-text", variant="thinking")["text"]
    instruct = written(record_examples.simple(), "qwen3-text", variant="instruct")["text"]
    assert thinking.replace("<think>\n\n</think>\n\n", "") == instruct
    assert thinking != instruct


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("qwen3-text", {"variant": "fast"}, "--variant fast: the format qwen3-text has thinking, instruct"),
        ("openai", {"variant": "thinking"}, "--variant thinking: the format openai has none"),
        ("hermes", {"tools_as_string": True}, "--tools-as-string: the format hermes has no list of tools"),
    ],
)
def test_what_a_format_cannot_do_is_refused(name: str, options: Json, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Shaping(WRITTEN[name], **options)


ADM_ONLY: dict[str, Any] = {
    "function_declarations": [
        {
            "name": "book_room",
            "description": "Book a room.",
            "parameters": {
                "type": "OBJECT",
                "properties": {
                    "city": {"type": "STRING", "description": "The city", "enum": ["Bern", "Oslo"]},
                    "guests": {
                        "type": "ARRAY",
                        "description": "Who comes",
                        "items": {"type": "OBJECT", "properties": {"age": {"type": "INTEGER", "description": "Age"}}},
                    },
                },
                "required": ["city"],
            },
            "x_owner": {"team": "rooms"},
            "_version": "2",
        }
    ],
    "x_catalog": {"page": 1},
}


def tool(parameters: Any, **more: Any) -> Tool:
    (loaded,) = load_tools({"name": "f", "description": "F.", "parameters": parameters, **more})
    return loaded


def of_property(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"p": {"description": "d", **schema}}}


def test_the_formats_that_tools_can_be_written_in() -> None:
    assert TOOL_FORMATS == ("adm", "openai", "mcp")


def test_adm_comes_back_as_it_was_with_its_extensions() -> None:
    dump = dump_tools(load_tools(ADM_ONLY), "adm")
    assert dump.document == ADM_ONLY
    assert dump.losses == {}


def test_adm_tools_with_different_extensions_stay_apart() -> None:
    other = {
        "function_declarations": [
            {"name": "leave", "description": "Leave.", "parameters": {"type": "OBJECT", "properties": {}}}
        ]
    }
    dump = dump_tools(load_tools([ADM_ONLY, other]), "adm")
    assert dump.document == [ADM_ONLY, other]


@pytest.mark.parametrize("to", TOOL_FORMATS)
def test_what_a_format_writes_is_read_back(to: str) -> None:
    given = load_tools(ADM_ONLY, {"name": "say", "description": "Say.", "inputSchema": of_property({"type": "string"})})
    read = load_tools(dump_tools(given, to).document)
    assert [one.shown for one in read] == [one.shown for one in given]


@pytest.mark.parametrize(
    ("to", "losses"),
    [
        ("adm", ["/annotations", "/strict"]),
        ("mcp", ["/strict"]),
        ("openai", ["/result_schema", "/x_owner", "/annotations", "/x_frames"]),
    ],
)
def test_losses_are_named(to: str, losses: list[str]) -> None:
    given = tool(of_property({"type": "string"}), strict=False, x_owner="me", response={"type": "object"},
                 x_frames={"requests": ["{p}?"]})  # fmt: skip
    given = given.model_copy(update={"extensions": {**given.extensions, "annotations": {"title": "F"}}})
    dump = dump_tools([given], to)
    assert sorted(change.pointer for change in dump.losses["f"]) == sorted(losses)
    assert {change.kind for change in dump.losses["f"]} == {"lost"}


@pytest.mark.parametrize("to", ["adm", "mcp"])
@pytest.mark.parametrize(
    "result", [{"type": "object", "properties": {}}, {"type": "array", "items": {"type": "string"}}]
)
def test_result_schemas_and_extensions_come_back(to: str, result: Any) -> None:
    given = tool(of_property({"type": "string"}), response=result, x_frames={"requests": ["{p}?"], "replies": []})
    (read,) = load_tools(dump_tools([given], to).document)
    assert (read.result_schema, read.result_origin, read.extensions) == (result, "declared", given.extensions)


def test_mcp_keeps_the_name_it_came_with() -> None:
    given = load_tools({"name": "math.sum", "description": "Sum.", "inputSchema": {"type": "object"}})
    assert dump_tools(given, "mcp").document["tools"][0]["name"] == "math.sum"
    assert dump_tools(given, "openai").document[0]["function"]["name"] == "math_sum"


def test_as_trained_is_what_records_show() -> None:
    given = load_tools(ADM_ONLY)
    assert dump_as_trained(given) == [one.shown for one in given]


def test_a_list_of_tools_holds_a_name_once() -> None:
    given = tool({"type": "object", "properties": {}})
    twice = [given, given.model_copy(update={"toolset": "other"})]
    for to in TOOL_FORMATS:
        with pytest.raises(UsageError, match="one source at a time"):
            dump_tools(twice, to)
    with pytest.raises(UsageError, match="one source at a time"):
        dump_as_trained(twice)


@pytest.mark.parametrize("to", ["mpc", "bare"])
def test_other_formats_are_refused(to: str) -> None:
    with pytest.raises(UsageError, match="the formats are adm, openai, mcp"):
        dump_tools([], to)


@each_row(
    ("schema", "written", "lost"),
    [
        ({"type": "string"}, {"type": "STRING"}, []),
        ({"type": "string", "minLength": 1, "pattern": "a"}, {"type": "STRING"}, ["/minLength", "/pattern"]),
        ({"type": "integer", "default": 3}, {"type": "INTEGER"}, ["/default"]),
        ({"type": "integer", "enum": [1, 2]}, {"type": "INTEGER"}, ["/enum"]),
        ({"type": "string", "enum": ["a", "a"]}, {"type": "STRING", "enum": ["a"]}, []),
        ({"enum": ["a", 1]}, {"type": "STRING", "enum": ["a"]}, ["/enum"]),
        ({"const": "a"}, {"type": "STRING", "enum": ["a"]}, []),
        ({}, {"type": "STRING"}, ["/type"]),
        ({"type": "array"}, {"type": "ARRAY", "items": {"type": "STRING"}}, ["/items"]),
        ({"type": "array", "items": False}, {"type": "ARRAY", "items": {"type": "STRING"}}, ["/items"]),
        (
            {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]},
            {"type": "ARRAY", "items": {"type": "NUMBER"}},
            [],
        ),
        (
            {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]},
            {"type": "ARRAY", "items": {"type": "NUMBER"}},
            ["/prefixItems"],
        ),
        ({"anyOf": [{"type": "null"}, {"type": "number"}]}, {"type": "NUMBER"}, ["/anyOf"]),
        ({"anyOf": [{"type": "number"}, {"type": "string"}]}, {"type": "NUMBER"}, ["/anyOf"]),
        (
            {"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"required": ["a"]}]},
            {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "required": ["a"]},
            [],
        ),
        ({"type": "object"}, {"type": "OBJECT", "properties": {}}, []),
        (
            {"type": "object", "properties": {}, "additionalProperties": False},
            {"type": "OBJECT", "properties": {}},
            ["/additionalProperties"],
        ),
        ({"type": "string", "x_unit": "kg"}, {"type": "STRING", "x_unit": "kg"}, []),
        ({"type": "null"}, {"type": "STRING"}, ["/type"]),
        ({"type": ["null", "integer"]}, {"type": "INTEGER"}, ["/type"]),
        ({"properties": {"a": {"type": "string"}}}, {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}, []),
        ({"items": {"type": "string"}}, {"type": "ARRAY", "items": {"type": "STRING"}}, []),
        ({"anyOf": [True]}, {"type": "STRING"}, ["/type"]),
    ],
)
def test_json_schema_as_adm(schema: Any, written: Any, lost: list[str]) -> None:
    adm, notes = to_adm(schema)
    assert adm == written
    assert [note.pointer for note in notes] == lost
    assert [note for note in schema_notes(adm) if note.level == "error"] == []


def test_references_are_written_out_and_recursion_ends() -> None:
    node = {"type": "object", "properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/Node"}}}
    adm, notes = to_adm({"type": "object", "properties": {"head": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}})
    assert adm["properties"]["head"]["properties"]["name"] == {"type": "STRING"}
    assert any("contains itself" in note.message for note in notes)
    assert "$ref" not in str(adm)


def test_a_reference_bomb_is_cut() -> None:
    wide = {"type": "object", "properties": {f"p{n}": {"$ref": "#/$defs/Wide"} for n in range(20)}}
    adm, notes = to_adm({"type": "object", "properties": wide["properties"], "$defs": {"Wide": wide}})
    assert any("too large" in note.message for note in notes)
    assert len(str(adm)) < 5_000_000
