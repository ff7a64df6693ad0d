"""Kinds with calls that follow: the model finds its own values, and what happened decides how it goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pytest

from generator.assets import asset_folder
from generator.authors.author import NoDraft, OfflineAuthor
from generator.authors.llm.author import LLMAuthor, opening
from generator.authors.llm.draft_checks import examiner, is_asked
from generator.authors.llm.response_formats import FormatFallback, Question
from generator.backends.backend import Completion, Verdicts
from generator.domains.catalog import Catalog
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.jsontext import JsonObject
from generator.record import Producer
from generator.records import Draft, DraftCall, Exchange
from generator.scenarios.results import answer_calls
from generator.scenarios.scenario import PlanError, Scenario
from generator.validation import check
from tests.bundled import bundled, bundled_prompts
from tests.faults.completion_processes import run_llm, served
from tests.faults.completion_server import good_answer
from tests.tables import each_row
from tests.test_authors_llm_kinds import Copying, Knowing

PROMPTS = bundled_prompts()
KINDS = ("nested", "sequential", "multi_turn", "coreference")


@cache
def producer(kind: str, freedom: str = "world", verify: str = "auto") -> Producer:
    job = {"count": 40, "seed": 5, "author": "llm", "freedom": freedom, "verify": verify, "mix": {kind: 1.0}}
    return Producer(Job.model_validate(job), bundled())


@dataclass
class Inventing(FormatFallback):
    """A fallback whose model invents values where its prompt lets it, and takes what follows from the results."""

    asked: list[str] = field(default_factory=list)
    verdicts: Verdicts = field(default_factory=Verdicts)

    async def ask(self, question: Question) -> Completion:
        self.asked.append(str(question.messages[0]["content"]))
        return Completion(text=json.dumps(good_answer({"messages": question.messages})), finish_reason="stop")


def made(kind: str, count: int) -> tuple[list[JsonObject], list[str]]:
    """The first records that such a model writes, and all that it was asked."""
    fallback = Inventing()
    author = LLMAuthor(fallback, PROMPTS, examiner(bundled(), "llm"), tries=2)
    making = Producer(Job(count=40, seed=5, author="llm", mix={kind: 1.0}), bundled(), author)
    lines = [asyncio.run(making.produce_waiting(index)).line for index in range(count)]
    return [orjson.loads(line) for line in lines if line is not None], fallback.asked


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_that_invents_yields_records_of_each_kind(kind: str) -> None:
    records, asked = made(kind, 8)
    assert len(records) == 8
    assert all(check(record, catalog=bundled()) == [] for record in records)
    assert any("with values of your own" in text for text in asked)
    assert any("Give the exact calls that the assistant makes next" in text for text in asked)


def test_what_is_written_depends_on_job_and_answers_alone() -> None:
    assert made("sequential", 4) == made("sequential", 4)


@pytest.mark.parametrize("kind", KINDS)
def test_the_planned_values_are_as_good_as_any(kind: str) -> None:
    fallback = Knowing()
    author = Copying(fallback, PROMPTS, examiner(bundled(), "llm"), tries=1)
    author.fallback = fallback
    making = Producer(Job(count=40, seed=6, author="llm", mix={kind: 1.0}), bundled(), author)
    offline = Producer(Job(count=40, seed=6, mix={kind: 1.0}), bundled())
    for index in range(6):
        outcome, by_plan = asyncio.run(making.produce_waiting(index)), offline.produce(index)
        assert outcome.attempt == by_plan.attempt
        assert outcome.line is not None and by_plan.line is not None
        mine, theirs = orjson.loads(outcome.line), orjson.loads(by_plan.line)
        assert mine["metadata"].get("claim") == theirs["metadata"].get("claim")
        assert [each for each in mine["messages"] if each["role"] != "system"] == [
            each for each in theirs["messages"] if each["role"] != "system"
        ]


@pytest.mark.parametrize("kind", KINDS)
def test_with_the_freedom_of_the_plan_nothing_is_asked_that_follows(kind: str) -> None:
    for scenario in plans(kind, 10, freedom="plan"):
        assert not scenario.free
        for history in walked(scenario):
            step = scenario.steps[len(history)]
            assert is_asked(scenario, history) == (step.request or step.reply)


def plans(kind: str, count: int, freedom: str = "world", verify: str = "auto") -> list[Scenario]:
    found = []
    for index in range(count):
        try:
            found.append(producer(kind, freedom, verify).scenario(index))
        except PlanError:
            continue
    return found


def walked(scenario: Scenario) -> list[tuple[Exchange, ...]]:
    """What went before each step, as the offline author writes it."""
    histories: list[tuple[Exchange, ...]] = [()]
    for step in scenario.steps[:-1]:
        draft = OfflineAuthor().write(scenario, histories[-1])
        results = answer_calls(scenario, draft, step, histories[-1])
        histories.append((*histories[-1], Exchange(draft, results)))
    return histories


@cache
def projects() -> Catalog:
    return load_catalog([asset_folder("tool_specs") / "projects.jsonl"]).catalog


@cache
def issue_to_change() -> Scenario:
    """An issue is looked up by words of its title, and changed by its key."""
    job = Job(count=40, author="llm", verify="off", mix={"nested": 1.0})
    making = Producer(job, projects())
    for index in range(40):
        scenario = making.scenario(index)
        if [call.tool.name for call in scenario.calls] == ["search_issues", "update_issue"] and scenario.free:
            return scenario
    raise AssertionError("no such plan")


def issues(**fields: str) -> list[Any]:
    rows = issue_to_change().world.table("issue").values()
    return [row for row in rows if all(row.get(key) == value for key, value in fields.items())]


def answer(request: str | None, name: str, /, **arguments: str) -> JsonObject:
    said = {} if request is None else {"request": request}
    return {**said, "calls": [{"name": name, "arguments": arguments, "evidence": []}]}


def refused(scenario: Scenario, history: tuple[Exchange, ...], given: JsonObject) -> list[tuple[str, str]]:
    """The rules that refuse an answer, each with what is said of it; none where it is used."""
    fallback = Knowing(answer=orjson.dumps(given))
    author = LLMAuthor(fallback, PROMPTS, examiner(projects(), "llm"), tries=1)
    try:
        asyncio.run(author.draft(scenario, history))
    except NoDraft as refusal:
        return [(each.rule, each.message) for each in refusal.violations]
    return []


def asked_for(row: Any, **more: str) -> tuple[str, JsonObject]:
    """A message about an issue of one's own choice, and the answer that it leads to."""
    title = str(row.get("title"))
    request = f"Please make the issue {title!r} critical."
    return request, answer(request, "search_issues", query=title, **more)


def looked_up(row: Any) -> tuple[Exchange, ...]:
    """The conversation after the first answer about an issue."""
    scenario = issue_to_change()
    _, given = asked_for(row)
    draft = Draft.model_validate(given)
    return (Exchange(draft, answer_calls(scenario, draft, scenario.steps[0])),)


def other_issue(**fields: str) -> Any:
    """An issue that the plan does not speak of, whose title no other issue shares."""
    planned = issue_to_change().calls[-1].arguments["issue_key"]
    titles = [row.get("title") for row in issues()]
    fitting = [row for row in issues(**fields) if titles.count(row.get("title")) == 1]
    return next(row for row in fitting if row.get("issue_key") != planned and row.get("severity") != "critical")


def test_another_thing_than_the_plan_has_may_be_asked_for() -> None:
    scenario, row = issue_to_change(), other_issue(status="open")
    assert refused(scenario, (), asked_for(row)[1]) == []
    given = answer(None, "update_issue", issue_key=row.get("issue_key"), severity="critical")
    assert refused(scenario, looked_up(row), given) == []


Fault = Callable[[], tuple[tuple[Exchange, ...], JsonObject]]


def _nothing_there() -> tuple[tuple[Exchange, ...], JsonObject]:
    text = "Please make the issue with the coffee machine critical."
    return (), answer(text, "search_issues", query="coffee machine")


def _known_beforehand() -> tuple[tuple[Exchange, ...], JsonObject]:
    row = other_issue(status="open")
    request, given = asked_for(row)
    return (), {**given, "request": f"{request} It is {row.get('issue_key')}."}


def _two_wishes() -> tuple[tuple[Exchange, ...], JsonObject]:
    row = other_issue(status="open")
    request, given = asked_for(row)
    return (), {**given, "request": f"Get me {row.get('title')!r} first. After that, make it critical. {request}"}


def _names_a_tool() -> tuple[tuple[Exchange, ...], JsonObject]:
    request, given = asked_for(other_issue(status="open"))
    return (), {**given, "request": f"{request} Do it with update_issue."}


def _other_calls() -> tuple[tuple[Exchange, ...], JsonObject]:
    return (), answer("Make it critical.", "update_issue", issue_key="ISS-100", severity="critical")


def _key_of_nowhere() -> tuple[tuple[Exchange, ...], JsonObject]:
    row = other_issue(status="open")
    return looked_up(row), answer(None, "update_issue", issue_key="ISS-101", severity="critical")


def _key_of_another() -> tuple[tuple[Exchange, ...], JsonObject]:
    row, another = other_issue(status="open"), issues(status="in progress")[0]
    return looked_up(row), answer(None, "update_issue", issue_key=another.get("issue_key"), severity="critical")


def _not_the_next_call() -> tuple[tuple[Exchange, ...], JsonObject]:
    row = other_issue(status="open")
    return looked_up(row), answer(None, "search_issues", query=row.get("title"))


def _so_already() -> tuple[tuple[Exchange, ...], JsonObject]:
    row = other_issue(status="open")
    same = answer(None, "update_issue", issue_key=row.get("issue_key"), status="open")
    return looked_up(row), same


def _cannot_be_done() -> tuple[tuple[Exchange, ...], JsonObject]:
    (row,) = issues(status="closed")
    return looked_up(row), answer(None, "update_issue", issue_key=row.get("issue_key"), severity="critical")


FAULTS: list[tuple[Fault, str, str]] = [
    (_nothing_there, "LM014", "update_issue, which follows, needs issue_key from a result, the id of one issue"),
    (_known_beforehand, "LM014", "the results bring none that nobody has said"),
    (_two_wishes, "TC114", "has a user who says one wish alone"),
    (_names_a_tool, "LM007", "the text must not name 'update_issue'"),
    (_other_calls, "LM006", "the calls must be search_issues x 1, yours are update_issue x 1"),
    (_key_of_nowhere, "LM013", "update_issue fails here"),
    (_key_of_another, "LM014", "none of these calls has a value that a result brings"),
    (_not_the_next_call, "LM006", "the calls must be update_issue x 1"),
    (_so_already, "LM015", "update_issue changes nothing: it is so already"),
    (_cannot_be_done, "LM013", "it has to be opened again first"),
]


@each_row(("fault", "rule", "message"), FAULTS, ids=lambda value: getattr(value, "__name__", "")[1:])
def test_what_leads_nowhere_goes_back_with_its_reason(fault: Fault, rule: str, message: str) -> None:
    history, given = fault()
    found = refused(issue_to_change(), history, given)
    assert rule in [each for each, _ in found]
    assert any(message in said for each, said in found if each == rule)


def test_ids_that_a_result_is_to_bring_are_not_told() -> None:
    """Who knows a key may say it; and none of them is at hand."""
    (message,) = opening(PROMPTS, issue_to_change(), ())
    titles = [str(row.get("title")) for row in issues()]
    keys = [str(row.get("issue_key")) for row in issues()]
    assert sum(title in message["content"] for title in titles) >= 3
    assert not any(key in message["content"] for key in keys)
    assert "1. update_issue, with issue_key from an earlier result\n" in message["content"]
    assert '"later"' not in message["content"]


def test_whoever_goes_on_is_shown_what_was_said_called_and_brought() -> None:
    scenario, row = issue_to_change(), other_issue(status="open")
    history = looked_up(row)
    (message,) = opening(PROMPTS, scenario, history)
    (result,) = history[0].results
    for said in ("user: Please make", "call: search_issues {", f"result: search_issues {result.message_text}\n"):
        assert said in message["content"]
    assert "1. update_issue, with issue_key from a result\n" in message["content"]
    assert str(scenario.calls[-1].arguments["issue_key"]) not in message["content"]


def test_a_claim_is_of_what_happened() -> None:
    """Nothing of the plan's own claim is left where a model carries something else on."""
    for kind in ("nested", "sequential"):
        records, _ = made(kind, 6)
        for record in records:
            (*_, last) = [message for message in record["messages"] if message.get("tool_calls")]
            arguments = last["tool_calls"][0]["function"]["arguments"]
            carried = record["metadata"]["claim"]["carried"]
            assert carried and set(carried) <= set(arguments)


def only_ids() -> tuple[Scenario, list[tuple[Exchange, ...]]]:
    """A plan whose last call is given nothing but an id that the results show alone, and what goes before its steps."""
    for scenario in plans("sequential", 60):
        histories = walked(scenario)
        following = [place for place, step in enumerate(scenario.steps) if step.calls and not step.request]
        if scenario.free and following and not is_asked(scenario, histories[following[-1]]):
            return scenario, histories[: following[-1] + 1]
    raise AssertionError("no such plan")


def test_a_call_that_leaves_no_choice_is_asked_of_nobody() -> None:
    scenario, histories = only_ids()
    fallback = Knowing()
    author = LLMAuthor(fallback, PROMPTS, examiner(bundled(), "llm"))
    draft = asyncio.run(author.draft(scenario, histories[-1]))
    assert fallback.asked == []
    planned = scenario.steps[len(histories) - 1].calls
    assert [(each.name, each.arguments) for each in draft.calls] == [
        (each.tool.name, each.arguments) for each in planned
    ]


def test_a_call_is_asked_for_where_the_results_show_several_things() -> None:
    """The id that the plan has is among them; which of them was meant only the message tells."""
    scenario, histories = only_ids()
    *earlier, last = histories[-1]
    (planned, *_) = scenario.steps[len(histories) - 1].calls
    ids = [each for each in planned.arguments.values() if isinstance(each, str)]
    entity = next(name for name in scenario.world.program.entities if ids[0] in row_ids(scenario, name))
    several = replace(last.results[0], content=[{"id": each} for each in islice(row_ids(scenario, entity), 3)])
    history = (*earlier, Exchange(last.draft, (several, *last.results[1:])))
    assert is_asked(scenario, history)


def row_ids(scenario: Scenario, entity: str) -> list[Any]:
    world = scenario.world
    return [world.id_of(row.ref) for row in world.table(entity).values()]


def test_a_later_turn_is_told_what_happened_and_how_the_world_is_now() -> None:
    shown = 0
    for scenario in plans("coreference", 40):
        if not scenario.free:
            continue
        histories = walked(scenario)
        (place,) = [place for place, step in enumerate(scenario.steps) if step.request and place]
        (message,) = opening(PROMPTS, scenario, histories[place])
        text = str(message["content"])
        assert "goes on talking to the assistant" in text
        assert f"result: {scenario.calls[0].tool.name} " in text
        first, afterwards = opening(PROMPTS, scenario, ())[0]["content"], scenario.steps[place].calls[0].tool.name
        assert "In later messages, of which this one says nothing yet" in first and afterwards in first
        shown += 1
    assert shown > 10


def test_what_was_answered_is_not_asked_again() -> None:
    """A turn that repeats a call, with nothing changed between, is no further wish."""
    for scenario in plans("multi_turn", 40):
        histories = walked(scenario)
        place = next(place for place, step in enumerate(scenario.steps) if step.request and place)
        calls = scenario.steps[place].calls
        first = next((call for call in scenario.calls if call.tool.name == calls[0].tool.name), None)
        if not scenario.free or len(calls) != 1 or first is None or first is calls[0]:
            continue
        again = Draft(
            request="And once more, please.", calls=(DraftCall(name=first.tool.name, arguments=first.arguments),)
        )
        found = examiner(bundled(), "llm")(scenario, histories[place], again)
        if any("was called with these values before" in each.message for each in found):
            return
    raise AssertionError("nothing was refused")


def test_records_of_these_kinds_are_made_with_a_server(tmp_path: Path) -> None:
    mix = ",".join(f"{kind}=1" for kind in KINDS)
    with served() as server:
        code, _, err = run_llm(tmp_path / "run", server, 12, "--mix", mix)
    assert code == 0, err
    lines = (tmp_path / "run" / "records.jsonl").read_text().splitlines()
    kinds = [json.loads(line)["metadata"]["kind"] for line in lines]
    assert sorted(set(kinds)) == sorted(KINDS)
