"""Two sets of calls agree where they mean the same, and differ where a person would say they do."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from generator.authors.author import Opinion
from generator.authors.llm.response_formats import FormatFallback
from generator.authors.llm.second_opinion import SecondOpinion, disagreement, has_doubts
from generator.backends.backend import CompletionRequest, ModelOptions
from generator.backends.scripted import Answer, ScriptedBackend
from generator.job_choices import Verify
from generator.jsontext import JsonObject
from generator.record import AcceptedRecord, Making, make_record
from generator.records import Draft, DraftCall, Evidence, Exchange
from generator.scenarios.scenario import Scenario
from generator.tools import Tool
from generator.validation.grounding.arguments.grounded import explain_view
from tests.tables import each_row
from tests.test_authors_llm_author import BOTH, CATALOG, ONE, PROMPTS, answer, author_of, weather
from tests.test_authors_llm_draft_checks import on_the_tenth

NOTE = "Please bring the blue folder and the signed contract tomorrow"
TOOL = Tool(
    name="act",
    description="Acts.",
    parameters={"type": "object", "properties": {"unit": {"type": "string", "default": "metric"}, "flag": {}}},
    result_schema={},
    result_origin="domain",
)


def differ(mine: list[JsonObject], theirs: list[JsonObject], name: str = "act") -> str:
    calls = [[DraftCall(name=name, arguments=each) for each in side] for side in (mine, theirs)]
    return disagreement(calls[0], calls[1], (TOOL,))


SAME: list[tuple[JsonObject, JsonObject]] = [
    ({"city": "Rome"}, {"city": "rome "}),
    ({"city": "Zürich"}, {"city": "Zurich"}),
    ({"n": 3}, {"n": 3.0}),
    ({"at": "2026-03-14T15:00"}, {"at": "2026-03-14T15:00:00Z"}),
    ({"a": 1}, {"a": 1, "unit": "metric"}),
    ({"a": 1, "flag": False}, {"a": 1}),
    ({"a": 1, "note": ""}, {"a": 1}),
    ({"tags": ["Urgent", "new"]}, {"tags": ["urgent", "new"]}),
    ({"place": {"city": "Rome", "zip": None}}, {"place": {"city": "Rome"}}),
    ({"text": NOTE}, {"text": "Bring the blue folder and the signed contract"}),
    ({"query": "espresso machine"}, {"query": "espresso machines"}),
    ({"place": "93 Windmill Street"}, {"place": "93 Windmill St."}),
]
OTHER: list[tuple[JsonObject, JsonObject]] = [
    ({"city": "Rome"}, {"city": "Paris"}),
    ({"from": "Rome", "to": "Oslo"}, {"from": "Oslo", "to": "Rome"}),
    ({"n": 3}, {"n": 4}),
    ({"n": 1}, {"n": True}),
    ({"n": 3}, {"n": "3 or 4"}),
    ({"at": "2026-03-14T15:00"}, {"at": "2026-03-14T16:00"}),
    ({"day": "2026-03-14"}, {"day": "2026-03-15"}),
    ({"a": 1}, {"a": 1, "unit": "imperial"}),
    ({"a": 1, "flag": True}, {"a": 1}),
    ({"a": 1, "note": "call me"}, {"a": 1}),
    ({"tags": ["new"]}, {"tags": ["new", "old"]}),
    ({"id": "ORD-1"}, {"id": "ORD-2"}),
    ({"place": "93 Windmill Street"}, {"place": "39 Windmill St"}),
    ({"city": "Portland, Maine"}, {"city": "Portland, Main"}),
    ({"street": "Main Street"}, {"street": "Maine Street"}),
    ({"state": "open"}, {"state": "opened"}),
    ({"query": "espresso machine"}, {"query": "machine espresso"}),
    ({"text": NOTE}, {"text": "I cannot come to the meeting because my train is late"}),
]


@each_row(("mine", "theirs"), SAME)
def test_these_mean_the_same(mine: JsonObject, theirs: JsonObject) -> None:
    assert differ([mine], [theirs]) == differ([theirs], [mine]) == ""


@each_row(("mine", "theirs"), OTHER)
def test_these_do_not(mine: JsonObject, theirs: JsonObject) -> None:
    assert differ([mine], [theirs])
    assert differ([theirs], [mine])


def test_order_means_nothing_and_number_does() -> None:
    one, two = {"city": "Rome"}, {"city": "Oslo"}
    assert differ([one, two], [two, one]) == ""
    assert differ([one, two], [one]) and differ([one], [one, two]) and differ([one, one], [one])
    assert differ([], []) == ""
    assert differ([one], []).endswith("against no call")


def test_what_follows_by_itself_may_be_called_at_once() -> None:
    one, two, three = (DraftCall(name="act", arguments={"city": city}) for city in ("Rome", "Oslo", "Bern"))
    assert disagreement([one], [one, two], (TOOL,), later=[two, three]) == ""
    assert disagreement([one], [two], (TOOL,), later=[two])
    assert disagreement([one], [one, three], (TOOL,), later=[two])
    assert disagreement([one], [one, two, two], (TOOL,), later=[two])


def test_another_tool_is_another_call() -> None:
    calls = (DraftCall(name="act"),), (DraftCall(name="other"),)
    assert disagreement(*calls, (TOOL,)) == "act {} against other {}"


@pytest.mark.parametrize(
    ("said", "theirs", "agree"),
    [
        ("暖气", "暖气", True),
        ("el curso de vela", "curso de vela", True),
        ("die Heizung", "Lüftung", False),
        ("von Rom nach Oslo", "Oslo", False),
        ("", "", False),
    ],
)
def test_who_leaves_a_value_in_the_language_it_was_said_in_means_its_translation(
    said: str, theirs: str, *, agree: bool
) -> None:
    mine = DraftCall(name="act", arguments={"unit": "heating"}, evidence=(Evidence(argument="unit", said=said),))
    other = DraftCall(name="act", arguments={"unit": theirs})
    assert (disagreement([mine], [other], (TOOL,)) == "") is agree


WELL = {"reasons": "A fine record.", "request": True, "calls": True, "results": True, "answer": True, "kind": True}
DINNER = {"restaurant": "Luigi's", "guests": 2, "day": "2026-02-10"}
TABLE = {"name": "book_table", "arguments": DINNER}


def made(plan: Scenario, draft: str, reply: str) -> AcceptedRecord:
    author, _ = author_of(draft, json.dumps({"reply": reply}))
    record = asyncio.run(make_record(plan, Making(author, CATALOG)))
    assert isinstance(record, AcceptedRecord), record
    return record


def plain(plan: Scenario = ONE) -> AcceptedRecord:
    return made(plan, answer("What will the weather be like in Oslo?", weather(city="Oslo")), "It is done for Oslo.")


def asserted() -> AcceptedRecord:
    reply = "Das Wetter in Oslo und der Tisch bei Luigi's sind erledigt."
    return made(BOTH, on_the_tenth(day="am kommenden Zehnten"), reply)


def opinion_of(record: AcceptedRecord, verify: Verify, *answers: Answer) -> tuple[Opinion, list[CompletionRequest]]:
    backend = ScriptedBackend(answers)
    second = SecondOpinion(FormatFallback(backend, ModelOptions("m", 100)), PROMPTS, verify)
    grounding = explain_view(record.view)
    found = asyncio.run(second.opinion(record.scenario, record.history, record.document, grounding))
    return found, list(backend.requests)


def calls(*made_calls: JsonObject) -> str:
    return json.dumps({"calls": list(made_calls)})


@pytest.mark.parametrize(
    ("verify", "judged", "expected"),
    [
        ("auto", False, ()),
        ("auto", True, ("judge",)),
        ("blind", False, ("blind",)),
        ("judge", False, ("judge",)),
        ("both", False, ("blind", "judge")),
    ],
)
def test_an_opinion_is_asked_for_where_it_is_wanted(verify: Verify, judged: bool, expected: tuple[str, ...]) -> None:
    answers = {"blind": calls(weather(city="oslo")), "judge": json.dumps(WELL)}
    found, asked = opinion_of(plain(replace(ONE, judged=judged)), verify, *(answers[each] for each in expected))
    assert (found.asked, found.violations, len(asked)) == (expected, (), len(expected))
    assert found.spent.answers == len(expected)


def test_what_is_but_asserted_is_found_anew() -> None:
    record = asserted()
    found, (request,) = opinion_of(record, "auto", calls(TABLE, weather(city="Oslo")))
    assert (found.asked, found.violations) == (("blind",), ())
    text = request.messages[0]["content"]
    assert "kommenden Zehnten" in text
    assert "2026-02-10" not in text  # what the author called is not shown
    later = {"name": "book_table", "arguments": DINNER | {"day": "2026-03-10"}}
    found, _ = opinion_of(record, "auto", calls(later, weather(city="Oslo")))
    (violation,) = found.violations
    assert violation.rule == "VE001"
    assert "2026-02-10" in violation.message and "2026-03-10" in violation.message  # both answers are kept


def test_what_follows_without_a_word_may_be_called_at_once() -> None:
    """Cancelling, then booking anew: whoever is asked for the first step may do both."""
    record = plain()
    first, second = (DraftCall(name="get_weather", arguments={"city": city}) for city in ("Oslo", "Rome"))
    steps = (
        Exchange(Draft(request="Oslo, then Rome?", calls=(first,))),
        Exchange(Draft(calls=(second,), reply="Mild.")),
    )
    for spoken, expected in ((None, ()), ("And Rome?", ("VE001",))):
        later = replace(steps[1], draft=steps[1].draft.model_copy(update={"request": spoken}))
        both = replace(record, history=(steps[0], later))
        found, _ = opinion_of(both, "blind", calls(weather(city="Oslo"), weather(city="Rome")))
        assert tuple(each.rule for each in found.violations) == expected


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"request": False}, "nobody would ask for this: A fine record."),
        ({"calls": False}, "the calls are not what was asked for"),
        ({"results": False}, "the results make no sense"),
        ({"answer": False}, "the answer does not say what the results say"),
        ({"kind": False}, "it is no record of its kind"),
    ],
)
def test_a_judge_says_what_does_not_hold(wrong: JsonObject, said: str) -> None:
    found, _ = opinion_of(plain(), "judge", json.dumps(WELL | wrong))
    (violation,) = found.violations
    assert violation.rule == "VE002"
    assert said in violation.message


@pytest.mark.parametrize("answers", [("", "No."), (json.dumps({"reasons": "x", "request": "yes"}),), ("[]", "{")])
def test_an_opinion_that_cannot_be_had_is_none(answers: tuple[str, ...]) -> None:
    found, _ = opinion_of(plain(), "judge", *answers)
    assert [each.rule for each in found.violations] == ["VE003"]


def test_an_unusable_answer_is_asked_for_once_more() -> None:
    found, asked = opinion_of(plain(), "judge", "", json.dumps(WELL))
    assert (found.violations, len(asked)) == ((), 2)
    assert found.spent.unusable == (("empty", 1),)


def test_a_conversation_is_shown_to_a_judge_line_by_line() -> None:
    _, (request,) = opinion_of(plain(), "judge", json.dumps(WELL))
    text = request.messages[0]["content"]
    for line in ("user: What will", 'call: get_weather {"city":"Oslo"}', "result: get_weather {", "assistant: It is"):
        assert f"\n{line}" in text


def test_what_a_rule_doubts_is_found_anew() -> None:
    """A record that passed, with a warning: another opinion on its calls is asked for."""
    record = plain()
    assert not has_doubts(record.document)
    words = "What will the weather be like in Oslo? And in Bergen?"
    changed = json.loads(json.dumps(record.document))
    next(each for each in changed["messages"] if each["role"] == "user")["content"] = words
    assert has_doubts(changed)
    found, _ = opinion_of(replace(record, document=changed), "auto", calls(weather(city="Oslo")))
    assert found.asked == ("blind",)
