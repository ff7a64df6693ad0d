"""Consent: no call of a tool that asks first without a question about it and a yes right before, whatever the kind."""

import json
import re
from random import Random
from typing import Any

import pytest

from generator.domains.catalog import Catalog
from generator.domains.domain import Domain
from generator.job import Job
from generator.jsontext import JsonObject
from generator.kinds import KINDS
from generator.record import Producer
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.consent import agreed, asked, require_consent, with_consent
from generator.scenarios.planner import Planner
from generator.scenarios.scenario import PlanError, PlannedCall, Step
from generator.scenarios.wording import phrases
from generator.worlds.compiled_domain import CompiledDomain, compiled_domain
from tests.domain_examples import domain, tools
from tests.domains_library import tool
from tests.planning_contexts import context_over, plan_error

TURN = {"requests": ["Longer, please: {l.title}, {n} days."], "replies": ["{r1.title} is due on {r1.due_date|day}."]}


def asking(level: str = "domain", **way: Any) -> JsonObject:
    """The library, whose loans are renewed after a yes alone."""
    whole = domain()
    known = whole["tools"]["renew_loan"]
    whole["asks_first"], known["asks_first"] = level == "domain", True if level == "tool" else None
    known["ways"][0] |= {
        "confirm": ["Shall I renew {l} by {n} days?"],
        "parallel": {"requests": ["Renew <each: {l}> by {n} days each."], "same": ["n"]},
        "follow_ups": ["Renew it by {n} days."], "corrections": {"n": ["Sorry, {n} days, not {was}."]}, **way,
    }  # fmt: skip
    known["ways"][0]["ask"][0]["requests"] = ["I need more time for {l}."]
    known["near"] = ["list_loans"]
    return whole


def opened(whole: JsonObject) -> CompiledDomain:
    compiled = compiled_domain(Domain.model_validate(whole), tools())
    assert compiled.faults == ()
    return compiled


@pytest.mark.parametrize(("level", "expected"), [("domain", {"renew_loan"}), ("tool", {"renew_loan"}), ("", set())])
def test_a_tool_asks_first_where_it_says_so_or_where_it_writes_and_the_domain_says_so(
    level: str, expected: set[str]
) -> None:
    assert opened(asking(level)).asking == expected


def test_a_tool_may_say_no_to_what_its_domain_says() -> None:
    whole = asking()
    whole["tools"]["renew_loan"]["asks_first"] = False
    assert opened(whole).asking == set()


def _catalog() -> Catalog:
    shown = tuple(each.model_copy(update={"domain": "library"}) for each in tools())
    return Catalog(tools=shown, domains=(Domain.model_validate({**asking(), "name": "library"}),))


def _made(kind: str, count: int) -> list[Any]:
    producer = Producer(Job(count=count, seed=3, mix={kind: 1.0}, error_rate=0.0, attempts=12), _catalog())
    lines = [producer.produce(index).line for index in range(count)]
    return [json.loads(line) for line in lines if line is not None]


def _writes(record: Any) -> list[int]:
    return [
        place
        for place, message in enumerate(record["messages"])
        for call in message.get("tool_calls", ())
        if call["function"]["name"] == "renew_loan"
    ]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_no_record_calls_without_a_yes(kind: str) -> None:
    served = Planner(Job(count=1, seed=3), _catalog()).mix
    for record in _made(kind, 12) if kind in served else ():
        for place in _writes(record):
            question, answer = record["messages"][place - 2 : place]
            assert question["role"] == "assistant" and "Shall I renew" in question["content"], record["messages"]
            assert answer["role"] == "user" and len(answer["content"].split()) < 9


@pytest.mark.parametrize(
    "kind",
    ["simple", "parallel", "sequential", "nested", "missing_parameter", "argument_shift",
     "confirm_before_write", "error_report", "multiple", "similar_tools", "missing_function"],
)  # fmt: skip
def test_kinds_hold_the_exchange(kind: str) -> None:
    assert any(_writes(record) for record in _made(kind, 16))


def test_a_task_asks_in_its_own_words_or_in_those_of_a_way_with_the_same_arguments() -> None:
    whole = asking()
    call = {"call": "renew_loan", "arguments": {"loan_id": "$l.id", "days": "$n"}}
    draw = {"l": {"row": "loan"}, "n": {"integer": [3, 9]}}
    whole["tasks"] = [{"draw": draw, "turns": [{**TURN, "calls": [{**call, "confirm": ["{l.title}: really?"]}]}]}]
    task = opened(whole).tasks[0]
    ((_, arguments, _),) = task.turns[0].groups[0]
    assert [text.source for text in arguments.confirm] == ["{l.title}: really?"]


def test_words_of_a_way_are_not_lent_to_a_call_that_it_would_not_make() -> None:
    whole = asking()
    whole["tools"]["renew_loan"]["ways"][0]["arguments"]["days"] = 7
    whole["tools"]["renew_loan"]["ways"][0]["confirm"] = ["Shall I renew {l.title} by a week?"]
    whole["tasks"][0]["turns"][0]["calls"][1]["arguments"]["days"] = 8
    assert "no words to ask" in plan_error("sequential", context_over(opened(whole), "renew_loan"))


def test_where_nothing_can_be_asked_nothing_is_called() -> None:
    whole = asking(confirm=[])
    errors = [plan_error("simple", context_over(opened(whole), "renew_loan", seed=seed)) for seed in range(12)]
    asked = [error for error in errors if "nobody tells" not in error]
    assert asked and all("no words to ask" in error for error in asked)
    with pytest.raises(PlanError, match="nobody asks before count"):
        require_consent([PlannedCall(tool("count"), {})], frozenset({"count"}))


def test_what_is_planned_with_its_question_is_not_asked_twice() -> None:
    call = PlannedCall(tool("count"), {}, question="Shall I count?")
    planned = (Step(reply=True, act="confirm", reply_text="Shall I?"), Step(request=True, calls=(call,), act="agree"))
    assert tuple(with_consent(planned, Random(1))) == planned


def test_a_call_within_a_chain_is_asked_about_after_what_came_before() -> None:
    call = PlannedCall(tool("count"), {}, question="Shall I count?")
    plain = Step(request=True, calls=(PlannedCall(tool("look"), {}),), request_text="Count.")
    steps = list(with_consent((plain, Step(calls=(call,), act="go on")), Random(1)))
    assert [step.act for step in steps] == ["", "confirm", "agree"]
    assert steps[1].reply_text == "Shall I count?"
    assert steps[2].calls == (call,) and steps[2].request


@pytest.mark.parametrize(("many", "word"), [(2, "both"), (3, "all of it")])
def test_several_questions_are_a_list_and_one_yes(many: int, word: str) -> None:
    questions = [f"Shall I do {number}?" for number in range(many)]
    lines = asked(questions, Random(4)).splitlines()
    assert lines[0] in phrases()["confirmation"]["several"]
    assert lines[1:] == [f"{number}. {each}" for number, each in enumerate(questions, 1)]
    assert {word in agreed(questions, Random(seed)) for seed in range(8)} == {True}


def test_right_is_said_to_what_asks_whether_it_is_right() -> None:
    right = set(phrases()["confirmation"]["right"])
    assert not {agreed(["Shall I do it?"], Random(seed)) for seed in range(60)} & right
    assert {agreed(["It goes to Oslo, right?"], Random(seed)) for seed in range(60)} & right


def test_calls_of_one_tool_are_asked_about_in_the_same_words() -> None:
    confirm = [
        "Shall I renew {l.title} by {n} days?",
        "{n} days more for {l.title}: right?",
        "Renew {l.title}, {n} days?",
    ]
    titles = re.compile(r"(?:The|A|My) (?:Sea|Sky|Hill|Lake)")
    seen = set()
    for seed in range(12):
        plan = LAYOUTS["parallel"].blueprint(context_over(opened(asking(confirm=confirm)), "renew_loan", seed=seed))
        forms = [titles.sub("", call.question) for step in plan.steps for call in step.calls]
        assert len(set(forms)) == 1 < len(forms)
        seen.add(re.sub(r"\d+", "", forms[0]))
    assert len(seen) == len(confirm)
