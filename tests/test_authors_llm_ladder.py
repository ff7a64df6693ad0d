"""The ladder steps down once for all, and reads answers on every rung."""

import asyncio

import pytest

from generator.authors.llm.extract import BadAnswer
from generator.authors.llm.ladder import Ladder, Question, read_object
from generator.backends.backend import MODES, AnsweredCall, Completion, CompletionRequest, RequestRefused
from generator.backends.model import ModelOptions
from generator.backends.scripted import Answer, ScriptedBackend
from generator.errors import BackendError
from generator.jsontext import JsonObject

SCHEMA: JsonObject = {"type": "object", "properties": {"reply": {"type": "string"}}}
MODEL = ModelOptions("m", 100)
QUESTION = Question(({"role": "user", "content": "Say it."},), SCHEMA, strict=True, salt="1")


def refusing(*rungs: str) -> ScriptedBackend:
    def answer(request: CompletionRequest) -> Answer:
        return RequestRefused(400, "no") if request.mode in rungs else "{}"

    return ScriptedBackend(answer)


@pytest.mark.parametrize("lowest", range(len(MODES)))
def test_the_highest_accepted_rung_is_found_and_remembered(lowest: int) -> None:
    backend = refusing(*MODES[:lowest])
    noted: list[str] = []
    ladder = Ladder(backend, MODEL, on_rung=noted.append)

    async def ask_twice() -> None:
        await ladder.ask(QUESTION)
        await ladder.ask(QUESTION)

    asyncio.run(ask_twice())
    assert [request.mode for request in backend.requests] == [*MODES[: lowest + 1], MODES[lowest]]
    assert ladder.rung == MODES[lowest]
    assert noted == list(MODES[1 : lowest + 1])


def test_refusals_in_flight_together_move_the_ladder_once() -> None:
    backend = refusing("json_schema")
    ladder = Ladder(backend, MODEL)

    async def ask_many() -> None:
        await asyncio.gather(*(ladder.ask(QUESTION) for _ in range(20)))

    asyncio.run(ask_many())
    assert ladder.rung == "tools"


def test_a_server_that_refuses_every_rung_ends_the_run() -> None:
    with pytest.raises(BackendError, match="every form"):
        asyncio.run(Ladder(refusing(*MODES), MODEL).ask(QUESTION))


def test_a_question_is_passed_on_as_it_is() -> None:
    backend = refusing()
    asyncio.run(Ladder(backend, MODEL).ask(QUESTION))
    assert backend.requests == [CompletionRequest(MODEL, QUESTION.messages, SCHEMA, True, "json_schema", "1")]


def test_a_protocol_without_a_rung_is_not_asked_on_it() -> None:
    backend = refusing("tools")
    ladder = Ladder(backend, MODEL, rungs=("tools", "text"))
    asyncio.run(ladder.ask(QUESTION))
    assert [request.mode for request in backend.requests] == ["tools", "text"]
    assert Ladder(backend, MODEL, rungs=("tools", "text"), rung="text").rung == "text"


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


def test_the_arguments_of_a_call_are_the_answer_on_the_rung_of_tools() -> None:
    completion = Completion(text="", calls=(AnsweredCall(name="submit", arguments='{"reply": "hi"}'),))
    assert read_object(completion) == {"reply": "hi"}
