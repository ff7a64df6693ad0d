"""Assembly: the canonical document, its ids and links."""

from datetime import date

from generator.assembly import Provenance, assemble
from generator.ids import is_call_id
from generator.jsontext import JsonObject
from generator.records import Draft, DraftCall, Exchange, Record, ToolResult
from generator.scenarios.scenario import Persona, Scenario, Step
from generator.tools import Tool
from tests.empty_worlds import empty_world

WEATHER = Tool(
    name="get_weather",
    description="Get the weather in a city.",
    parameters={"type": "object", "properties": {"city": {"type": "string", "description": "The city."}}},
    result_schema={"type": "object"},
    result_origin="domain",
)
PROVENANCE = Provenance(author="offline", toolgen_version="0.1.0", catalog="0" * 16)
HISTORY = (
    Exchange(
        Draft(
            request="How is the weather in Oslo and Rome?",
            calls=(
                DraftCall(name="get_weather", arguments={"city": "Oslo"}),
                DraftCall(name="get_weather", arguments={"city": "Rome"}),
            ),
        ),
        (
            ToolResult("get_weather", {"celsius": -3, "sky": "schön"}),
            ToolResult("get_weather", error_type="SERVICE_UNAVAILABLE", error_message="The service is down."),
        ),
    ),
    Exchange(Draft(reply="Oslo has -3 °C; for Rome the service is down.")),
)


def _scenario(**changes: object) -> Scenario:
    fields: dict[str, object] = {
        "index": 4,
        "attempt": 1,
        "seed": 99,
        "kind": "parallel",
        "tools": (WEATHER,),
        "steps": (Step(request=True), Step(reply=True)),
        "persona": Persona("a student", "plain"),
        "locale": "en_US",
        "reference_date": date(2026, 1, 15),
        "world": empty_world(),
    }
    return Scenario(**(fields | changes))  # type: ignore[arg-type]  # a table of fields, typed by Scenario itself


def _document(**changes: object) -> JsonObject:
    return assemble(_scenario(**changes), HISTORY, PROVENANCE)


def test_the_turns_stand_in_the_canonical_order() -> None:
    roles = [message["role"] for message in _document()["messages"]]
    assert roles == ["user", "assistant", "tool", "tool", "assistant"]


def test_a_system_text_comes_first() -> None:
    assert _document(system="Be brief.")["messages"][0] == {"role": "system", "content": "Be brief."}


def test_results_are_linked_to_their_calls_in_order() -> None:
    messages = _document()["messages"]
    ids = [call["id"] for call in messages[1]["tool_calls"]]
    assert all(map(is_call_id, ids))
    assert len(set(ids)) == 2
    assert [message["tool_call_id"] for message in messages[2:4]] == ids


def test_a_turn_of_calls_has_empty_content_and_object_arguments() -> None:
    turn = _document()["messages"][1]
    assert turn["content"] == ""
    assert turn["tool_calls"][0]["function"] == {"name": "get_weather", "arguments": {"city": "Oslo"}}


def test_tool_messages_carry_compact_json_of_the_value_or_of_the_error() -> None:
    messages = _document()["messages"]
    assert messages[2]["content"] == '{"celsius":-3,"sky":"schön"}'
    assert messages[3]["content"] == '{"error":{"type":"SERVICE_UNAVAILABLE","message":"The service is down."}}'


def test_metadata_tell_the_status_of_each_call() -> None:
    document = _document()
    ids = [call["id"] for call in document["messages"][1]["tool_calls"]]
    assert document["metadata"]["statuses"] == {ids[0]: "SUCCESS", ids[1]: "SERVICE_UNAVAILABLE"}


def test_ids_depend_on_the_seed_alone() -> None:
    assert _document() == _document()
    assert _document(seed=100)["messages"][1] != _document()["messages"][1]


def test_the_record_id_follows_the_content() -> None:
    assert _document()["metadata"]["id"] == _document(index=5)["metadata"]["id"]
    assert _document()["metadata"]["id"] != _document(system="x")["metadata"]["id"]


def test_the_document_is_a_strict_record() -> None:
    document = _document(system="Be brief.")
    assert Record.model_validate(document).to_dict() == document
