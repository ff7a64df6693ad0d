"""Results that a model writes: where the world knows nothing, held to the schema, and given up where they never fit."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from generator.authors.llm.response_formats import FormatFallback
from generator.authors.llm.results import ResultWriter
from generator.backends.backend import ModelOptions
from generator.backends.budget import Spent
from generator.backends.scripted import Answer, ScriptedBackend
from generator.record import AcceptedRecord, Making, make_record
from generator.records import Draft, DraftCall, ToolResult
from generator.scenarios.scenario import Scenario
from generator.tools import Tool
from tests.test_authors_llm_author import CATALOG, ONE, PROMPTS, TWO, answer, author_of, weather

RAIN = {"status": "rain", "celsius": 7}
ASKED = Draft(request="Oslo?", calls=(DraftCall(name="get_weather", arguments={"city": "Oslo"}),))
GIVEN = (ToolResult("get_weather", {"status": "ok"}),)


def results(*contents: object) -> str:
    return json.dumps({"results": list(contents)})


def written(
    *answers: Answer, plan: Scenario = ONE, draft: Draft = ASKED, given: tuple[ToolResult, ...] = GIVEN
) -> tuple[tuple[ToolResult, ...], list[str], Spent]:
    backend = ScriptedBackend(answers)
    writer = ResultWriter(FormatFallback(backend, ModelOptions("m", 100)), PROMPTS)
    found = asyncio.run(writer.written(plan, (), draft, given))
    return found, [str(request.messages[-1]["content"]) for request in backend.requests], writer.spent(plan)


def test_the_model_tells_what_the_world_does_not_know() -> None:
    ((result,), (prompt,), spent) = written(results(RAIN))
    assert (result.name, result.content, result.error_type) == ("get_weather", RAIN, None)
    assert '1. get_weather {"city":"Oslo"}' in prompt and "user: Oslo?" in prompt
    assert "its result must fit: {" in prompt  # the tool declares one
    assert spent.answers == 1


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (results({"celsius": 7}), "'status' is a required property"),
        (results(RAIN, RAIN), "give exactly 1 results"),
        (results({}), "it is empty"),
        (results({"status": "x" * 7_000}), "it is longer than 6,000 characters"),
        ("No.", "no JSON"),
    ],
)
def test_what_does_not_fit_goes_back_in_words(bad: str, said: str) -> None:
    (result,), prompts, spent = written(bad, results(RAIN))
    assert result.content == RAIN
    assert said in prompts[1]
    assert spent.unusable == (("results", 1),)


def test_where_nothing_fits_the_results_stay() -> None:
    found, prompts, _ = written("No.", "No.")
    assert (found, len(prompts)) == (GIVEN, 2)


def test_what_fails_by_plan_fails_still() -> None:
    failed = ToolResult("get_weather", error_type="TIMEOUT", error_message="Too slow.")
    assert written(given=(failed,)) == ((failed,), [], Spent())
    draft = Draft(request="?", calls=(*ASKED.calls, DraftCall(name="get_weather", arguments={"city": "Lima"})))
    found, _, _ = written(results(RAIN, RAIN), plan=TWO, draft=draft, given=(failed, *GIVEN))
    assert [each.content for each in found] == [None, RAIN]


def test_a_world_that_knows_a_tool_answers_for_it() -> None:
    domain = ONE.world.program.domain.model_copy(update={"origin": "model"})
    plan = replace(ONE, world=ONE.world.copy())
    plan.world.program = replace(ONE.world.program, domain=domain)
    assert written(plan=plan) == (GIVEN, [], Spent())


def test_a_tool_nobody_shows_is_left_to_the_rules() -> None:
    draft = Draft(request="?", calls=(DraftCall(name="other"),))
    assert written(draft=draft)[0] == GIVEN


def test_a_record_holds_the_results_that_were_written() -> None:
    author, _ = author_of(answer("How is it in Oslo?", weather(city="Oslo")), '{"reply": "Rain in Oslo, 7 degrees."}')
    writer = ResultWriter(FormatFallback(ScriptedBackend([results(RAIN)]), ModelOptions("m", 100)), PROMPTS)
    made = asyncio.run(make_record(ONE, Making(author, CATALOG, writer)))
    assert isinstance(made, AcceptedRecord)
    assert json.loads(made.document["messages"][2]["content"]) == RAIN
    assert isinstance(CATALOG.tools[0], Tool)
