"""The envelope binds arguments to each tool, in strict form where there is one."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.authors.llm.response_formats import (
    DEEPEST,
    LARGEST_TEXT,
    BadAnswer,
    FormatFallback,
    Question,
    draft_envelope,
    extract_object,
    following_envelope,
    read_object,
    strict_form,
    without_absent,
)
from generator.backends.backend import MODES, AnsweredCall, Completion, CompletionRequest, ModelOptions, RequestRefused
from generator.backends.scripted import Answer, ScriptedBackend
from generator.errors import BackendError
from generator.jsontext import JsonObject, dump_compact
from generator.scenarios.scenario import PlannedCall, Step
from generator.schemas.validators import schema_problems, validator_for
from generator.tools import Tool
from tests.bounded import bounded
from tests.tables import each_row


def tool(name: str, parameters: JsonObject) -> Tool:
    return Tool(name=name, description="Does it.", parameters=parameters, result_schema={}, result_origin="domain")


WEATHER = tool(
    "get_weather",
    {
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 1},
            "days": {"type": "integer", "minimum": 1},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["city"],
    },
)
FREE = tool("store", {"type": "object", "properties": {"data": {"type": "object"}}, "required": ["data"]})


def test_optional_parameters_become_nullable_and_required() -> None:
    form = strict_form(WEATHER.parameters)
    assert form is not None
    assert form["required"] == ["city", "days", "tags"]
    assert form["additionalProperties"] is False
    assert form["properties"]["days"] == {"anyOf": [{"type": "integer"}, {"type": "null"}]}


@pytest.mark.parametrize(
    "schema",
    [
        FREE.parameters,
        {"type": "object", "properties": {"a": {}}},
        {"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}]}}},
        {"type": "object", "properties": {}, "additionalProperties": True},
        {"$ref": "#/$defs/A"},
        True,
    ],
)
def test_a_free_form_has_no_strict_form(schema: object) -> None:
    assert strict_form(schema) is None


def test_the_envelope_holds_exactly_the_planned_calls() -> None:
    envelope = draft_envelope(Step(request=True, calls=(PlannedCall(WEATHER, {}), PlannedCall(WEATHER, {}))))
    assert envelope.strict
    assert not schema_problems(envelope.schema)
    validator = validator_for(envelope.schema)
    call = {"name": "get_weather", "arguments": {"city": "Oslo", "days": None, "tags": None}, "evidence": []}
    assert validator.is_valid({"request": "Oslo?", "calls": [call, call]})
    assert not validator.is_valid({"request": "Oslo?", "calls": [call]})
    assert not validator.is_valid({"request": "Oslo?", "calls": [call, {**call, "name": "other"}]})


def test_calls_that_follow_come_without_a_message() -> None:
    step = Step(calls=(PlannedCall(WEATHER, {}), PlannedCall(WEATHER, {})), act="go on")
    following = following_envelope(step)
    assert following.strict
    assert following.schema["required"] == ["calls"]
    assert following.schema["properties"]["calls"] == draft_envelope(step).schema["properties"]["calls"]


def test_tools_without_a_strict_form_are_bound_as_they_are() -> None:
    envelope = draft_envelope(Step(request=True, calls=(PlannedCall(WEATHER, {}), PlannedCall(FREE, {}))))
    assert not envelope.strict
    assert WEATHER.parameters in [
        branch["properties"]["arguments"] for branch in envelope.schema["properties"]["calls"]["items"]["anyOf"]
    ]


def test_nulls_of_the_strict_form_are_read_as_absent() -> None:
    assert without_absent({"city": "Oslo", "days": None, "tags": ["a"]}, WEATHER.parameters) == {
        "city": "Oslo",
        "tags": ["a"],
    }


def test_a_null_that_the_schema_wants_is_kept() -> None:
    schema = {"type": "object", "properties": {"until": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}
    assert without_absent({"until": None}, schema) == {"until": None}
    assert without_absent({"unknown": None, "city": None}, WEATHER.parameters | {"required": ["city"]}) == {
        "unknown": None,
        "city": None,
    }


KEYS = st.text(max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, max_size=5), st.sampled_from(["", "Sure: ", "```json\n"]))
def test_an_object_is_found_behind_prose_and_fences(value: dict[str, object], before: str) -> None:
    assert extract_object(f"{before}{dump_compact(value)}\n```\nDone {{") == value


@each_row(
    ("text", "reason"),
    [
        ("", "no_json"),
        ("I would rather not.", "no_json"),
        ('{"a": 1', "cut_json"),
        ('{"a": "}', "cut_json"),
        ("{'a': 1}", "wrong_json"),
        ('{"a": 1,}', "wrong_json"),
        ('{"a": NaN}', "wrong_json"),
        ('{"a": ' + "[" * (DEEPEST + 1), "too_deep"),
        ("x" * (LARGEST_TEXT + 1), "oversized"),
        ('{"a": "\ud800"}', "wrong_json"),
    ],
)
def test_what_cannot_be_read_has_a_reason(text: str, reason: str) -> None:
    with pytest.raises(BadAnswer) as caught:
        extract_object(text)
    assert caught.value.reason == reason


ANSWER = '{"request": "Is {x} in Oslo?", "calls": [{"name": "a", "arguments": {}}]}'
KEYS_ASKED_FOR = ("request", "calls")


@each_row(
    "before",
    [
        "Here is the {answer} you asked for: ",
        "As in {a, b}, or {}, or {1}: ",
        'With {"city": "Oslo"} the call is: ',
        'With {"city": {"a": [1, 2]}, "many": "more words than the answer itself has", "x": "y z"} it is: ',
        "An emoticon :-{ and one more :{ and then ",
        'An unclosed { "quote and then ',
        'An unclosed " and { then ',
        "{" * 30,
        "{ [ ",
        "}}}]] ",
        '{"request": "a draft without calls"} ',
    ],
)
@each_row("after", ["", " Hope {this} helps!", ' {"a": 1}', " {", "\n```"])
def test_prose_with_braces_costs_no_request(before: str, after: str) -> None:
    assert extract_object(f"{before}{ANSWER}{after}", KEYS_ASKED_FOR)["request"] == "Is {x} in Oslo?"


@given(st.text(st.sampled_from('{}[]": ,a1\\'), max_size=60))
def test_no_prose_hides_an_answer_unless_it_opens_a_text_around_it(prose: str) -> None:
    found = extract_object(f"{prose}\n{ANSWER}", KEYS_ASKED_FOR)
    assert found["request"] == "Is {x} in Oslo?"


def test_a_part_of_an_answer_is_no_answer() -> None:
    with pytest.raises(BadAnswer) as caught:
        extract_object(ANSWER[:-2], KEYS_ASKED_FOR)
    assert caught.value.reason == "cut_json"


@each_row(
    "text",
    [
        "{" * LARGEST_TEXT,
        '{"' * (LARGEST_TEXT // 2),
        '{"a":' * (LARGEST_TEXT // 5),
        '{"x' * (LARGEST_TEXT // 3),
        '{"' + "{x}" * 66_000,
        "{ " * 39 + '"' + "a" * 190_000,
        '{"a": "' + "\\" * 190_000,
        '"{' * 100_000,
        "{}" * 100_000,
        '{"' + "{[" * 39 + "x" * 190_000,
    ],
)
def test_hostile_texts_are_read_in_little_time(text: str) -> None:
    with bounded(1.5), suppress(BadAnswer):
        assert extract_object(text[:LARGEST_TEXT], KEYS_ASKED_FOR) == {}


SCHEMA: JsonObject = {"type": "object", "properties": {"reply": {"type": "string"}}}
MODEL = ModelOptions("m", 100)
QUESTION = Question(({"role": "user", "content": "Say it."},), SCHEMA, strict=True, salt="1")


def refusing(*modes: str) -> ScriptedBackend:
    def answer(request: CompletionRequest) -> Answer:
        return RequestRefused(400, "no") if request.mode in modes else "{}"

    return ScriptedBackend(answer)


@pytest.mark.parametrize("lowest", range(len(MODES)))
def test_the_firmest_accepted_mode_is_found_and_remembered(lowest: int) -> None:
    backend = refusing(*MODES[:lowest])
    noted: list[str] = []
    fallback = FormatFallback(backend, MODEL, on_mode=noted.append)

    async def ask_twice() -> None:
        await fallback.ask(QUESTION)
        await fallback.ask(QUESTION)

    asyncio.run(ask_twice())
    assert [request.mode for request in backend.requests] == [*MODES[: lowest + 1], MODES[lowest]]
    assert fallback.mode == MODES[lowest]
    assert noted == list(MODES[1 : lowest + 1])


def test_refusals_in_flight_together_move_it_once() -> None:
    backend = refusing("json_schema")
    fallback = FormatFallback(backend, MODEL)

    async def ask_many() -> None:
        await asyncio.gather(*(fallback.ask(QUESTION) for _ in range(20)))

    asyncio.run(ask_many())
    assert fallback.mode == "tools"


def test_a_server_that_refuses_every_mode_ends_the_run() -> None:
    with pytest.raises(BackendError, match="every form"):
        asyncio.run(FormatFallback(refusing(*MODES), MODEL).ask(QUESTION))


def test_a_question_is_passed_on_as_it_is() -> None:
    backend = refusing()
    asyncio.run(FormatFallback(backend, MODEL).ask(QUESTION))
    assert backend.requests == [CompletionRequest(MODEL, QUESTION.messages, SCHEMA, True, "json_schema", "1")]


def test_a_protocol_without_a_mode_is_not_asked_in_it() -> None:
    backend = refusing("tools")
    fallback = FormatFallback(backend, MODEL, modes=("tools", "text"))
    asyncio.run(fallback.ask(QUESTION))
    assert [request.mode for request in backend.requests] == ["tools", "text"]
    assert FormatFallback(backend, MODEL, modes=("tools", "text"), mode="text").mode == "text"


@pytest.mark.parametrize(
    ("completion", "reason"),
    [
        (Completion(text='{"reply": "cut but readable"}', finish_reason="length"), "length"),
        (Completion(finish_reason="content_filter"), "content_filter"),
        (Completion(refusal="no", finish_reason="stop"), "refusal"),
        (Completion(text=" \n", finish_reason="stop"), "empty"),
    ],
)
def test_unusable_answers_have_a_reason_each(completion: Completion, reason: str) -> None:
    with pytest.raises(BadAnswer) as caught:
        read_object(completion)
    assert caught.value.reason == reason


def test_the_arguments_of_a_call_are_the_answer_in_the_mode_of_tools() -> None:
    completion = Completion(text="", calls=(AnsweredCall(name="submit", arguments='{"reply": "hi"}'),))
    assert read_object(completion) == {"reply": "hi"}
