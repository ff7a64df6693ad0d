"""The ladder steps down once for all, and reads answers on every rung."""

import asyncio

import pytest

from generator.authors.llm.extract import BadAnswer
from generator.authors.llm.ladder import RUNGS, Ladder, Question, read_object
from generator.backends.backend import AnsweredCall, Completion, CompletionRequest, RequestRefused
from generator.backends.scripted import Answer, ScriptedBackend
from generator.errors import BackendError
from generator.jsontext import JsonObject

SCHEMA: JsonObject = {"type": "object", "properties": {"reply": {"type": "string"}}}
QUESTION = Question(({"role": "user", "content": "Say it."},), SCHEMA, strict=True, salt="1")


def rung_of(request: CompletionRequest) -> str:
    if "tools" in request.body:
        return "tools"
    form = request.body.get("response_format")
    return form["type"] if form else "text"


def refusing(*rungs: str) -> ScriptedBackend:
    def answer(request: CompletionRequest) -> Answer:
        return RequestRefused(400, "no") if rung_of(request) in rungs else "{}"

    return ScriptedBackend(answer)


@pytest.mark.parametrize("lowest", range(len(RUNGS)))
def test_the_highest_accepted_rung_is_found_and_remembered(lowest: int) -> None:
    backend = refusing(*RUNGS[:lowest])
    noted: list[str] = []
    ladder = Ladder(backend, {"model": "m"}, on_rung=noted.append)

    async def ask_twice() -> None:
        await ladder.ask(QUESTION)
        await ladder.ask(QUESTION)

    asyncio.run(ask_twice())
    assert [rung_of(request) for request in backend.requests] == [*RUNGS[: lowest + 1], RUNGS[lowest]]
    assert ladder.rung == RUNGS[lowest]
    assert noted == list(RUNGS[1 : lowest + 1])


def test_refusals_in_flight_together_move_the_ladder_once() -> None:
    backend = refusing("json_schema")
    ladder = Ladder(backend, {"model": "m"})

    async def ask_many() -> None:
        await asyncio.gather(*(ladder.ask(QUESTION) for _ in range(20)))

    asyncio.run(ask_many())
    assert ladder.rung == "tools"


def test_a_server_that_refuses_every_rung_ends_the_run() -> None:
    with pytest.raises(BackendError, match="every form"):
        asyncio.run(Ladder(refusing(*RUNGS), {"model": "m"}).ask(QUESTION))


def test_the_body_of_each_rung() -> None:
    ladder = Ladder(refusing(), {"model": "m", "max_tokens": 9})
    bodies = {rung: ladder.body(QUESTION, rung) for rung in RUNGS}
    assert all(body["model"] == "m" and body["max_tokens"] == 9 and body["messages"] for body in bodies.values())
    assert bodies["json_schema"]["response_format"]["json_schema"] == {
        "name": "answer",
        "schema": SCHEMA,
        "strict": True,
    }
    assert bodies["tools"]["tools"][0]["function"]["parameters"] == SCHEMA
    assert bodies["tools"]["tool_choice"] == "required"
    assert bodies["json_object"]["response_format"] == {"type": "json_object"}
    assert "response_format" not in bodies["text"]


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
