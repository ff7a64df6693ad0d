"""The assistant asks before it calls: over the bundled domains, and where it cannot be planned."""

from __future__ import annotations

from contextlib import suppress

import pytest

from generator.jsontext import JsonObject
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.phrases import phrases
from generator.scenarios.scenario import Blueprint, PlanError
from generator.worlds.program import CompiledDomain
from tests.domains_library import tool
from tests.kind_records import calls, turns
from tests.planning_contexts import compiled_of, context_over, made, plan_error

KINDS_OF_QUESTIONS = ("missing_parameter", "invalid_value", "ambiguous")


@pytest.mark.parametrize("kind", KINDS_OF_QUESTIONS)
def test_a_question_comes_before_the_only_call(kind: str) -> None:
    for record in made(kind):
        roles = [message["role"] for message in record["messages"] if message["role"] != "system"]
        assert roles == ["user", "assistant", "user", "assistant", "tool", "assistant"]
        assert "?" in turns(record, "assistant")[0]["content"]
        assert not turns(record, "assistant")[0].get("tool_calls")
        assert len(calls(record)) == 1


def test_what_is_claimed_to_be_missing_is_required_and_supplied() -> None:
    for record in made("missing_parameter"):
        missing = record["metadata"]["claim"]["missing"]
        (call,) = calls(record)
        shown = {each["function"]["name"]: each["function"]["parameters"] for each in record["tools"]}
        assert missing
        assert set(missing) <= set(shown[call["name"]]["required"]) & set(call["arguments"])


def test_what_is_claimed_to_be_refused_is_not_what_was_called() -> None:
    for record in made("invalid_value"):
        claim = record["metadata"]["claim"]
        assert calls(record)[0]["arguments"][claim["parameter"]] != claim["refused"]


def test_what_is_ambiguous_is_one_of_two_tools_or_readings() -> None:
    seen = set()
    for record in made("ambiguous", 40):
        claim, (call,) = record["metadata"]["claim"], calls(record)
        if "tools" in claim:
            assert call["name"] in claim["tools"]
            assert set(claim["tools"]) <= {each["function"]["name"] for each in record["tools"]}
        else:
            assert call["arguments"][claim["parameter"]] in claim["readings"]
        seen.add("tools" if "tools" in claim else "readings")
    assert seen == {"tools", "readings"}


TALK: JsonObject = {"requests": ["Count."], "questions": ["How far?"], "answers": ["To {n}."]}


@pytest.mark.parametrize(
    ("kind", "way", "reason"),
    [
        *((kind, {}, "no way of count fits") for kind in KINDS_OF_QUESTIONS),
        (
            "invalid_value",
            {"invalid": [{**TALK, "argument": "n", "draw": {"n": {"integer": [5, 5]}}}]},
            "count does not refuse 5",
        ),
        (
            "ambiguous",
            {"ambiguous": [{**TALK, "argument": "n", "said": "some", "readings": [10, 11]}]},
            "what is meant by 'some' is none of its readings",
        ),
        ("missing_parameter", {"ask": [{**TALK, "missing": ["n"]}], "replies": {}}, "no reply for the outcome ok"),
    ],
)
def test_what_cannot_be_planned(kind: str, way: JsonObject, reason: str) -> None:
    known = {"draw": {"n": {"integer": [1, 9]}}, "arguments": {"n": "$n"}, "requests": ["Count to {n}."],
             "replies": {"ok": ["Counted."]}, **way}  # fmt: skip
    counting = tool("count", None, ("n",), n={"type": "integer", "maximum": 9})
    compiled = compiled_of({"tools": {"count": {"ways": [known]}}}, [counting])
    assert plan_error(kind, context_over(compiled, "count")) == reason


def test_an_ambiguous_tool_that_is_not_in_the_catalog_is_no_plan() -> None:
    ways = [
        {
            "requests": ["Count."],
            "replies": {"ok": ["Counted."]},
            "ambiguous": [{**TALK, "answers": ["All."], "tool": "sum"}],
        }
    ]
    compiled = compiled_of({"tools": {"count": {"ways": ways}, "sum": {}}}, [tool("count"), tool("sum")])
    del compiled.tools["sum"]
    assert plan_error("ambiguous", context_over(compiled, "count")) == "the tool sum is not there"


def test_a_yes_leads_to_the_call_and_a_no_to_none() -> None:
    answers = set()
    for record in made("confirm_before_write", 40):
        claim = record["metadata"]["claim"]
        assert not turns(record, "assistant")[0].get("tool_calls")
        assert "?" in turns(record, "assistant")[0]["content"]
        assert any(rule in turns(record, "system")[0]["content"] for rule in phrases()["confirmation"]["rules"])
        assert [call["name"] for call in calls(record)] == ([claim["asked_about"]] if claim["answer"] == "yes" else [])
        assert claim["asked_about"] in {each["function"]["name"] for each in record["tools"]}
        answers.add(claim["answer"])
    assert answers == {"yes", "no"}


@pytest.mark.parametrize(
    ("way", "known", "reason"),
    [
        ({}, {}, "no way of count fits"),
        (
            {"confirm": ["Shall I?"]},
            {"effect": [{"require": [[1, ">", 2]], "else": {"PERMISSION_DENIED": "No."}}]},
            "count ends with PERMISSION_DENIED",
        ),
    ],
)
def test_what_cannot_be_confirmed(way: JsonObject, known: JsonObject, reason: str) -> None:
    document: JsonObject = {"tools": {"count": {"ways": [{"requests": ["Count."], **way}], **known}}}
    compiled = compiled_of(document, [tool("count")])
    assert plan_error("confirm_before_write", context_over(compiled, "count")) == reason


TEXTS = phrases()["correcting"]
WAY: JsonObject = {
    "draw": {"n": {"integer": [2, 9]}, "d": {"from": ["Friday", "Sunday"]}},
    "arguments": {"people": "$n", "day": "$d"},
    "requests": ["Book the table for {n} on {d}."],
    "replies": {"ok": ["Booked for {n}."]},
    "corrections": {"n": ["Sorry, we are {n}, not {was}."]},
}
ASK: JsonObject = {"missing": ["day"], "requests": ["Book a table for {n}."], "questions": ["On which day?"],
                   "answers": ["On {d}."]}  # fmt: skip
CONFIRM = "Shall I book for {n} on {d}?"


def _book(*, asks_first: bool | None = None, **way: object) -> CompiledDomain:
    definition = tool("book", None, ("people", "day"), people="integer", day="string")
    return compiled_of({"tools": {"book": {"asks_first": asks_first, "ways": [{**WAY, **way}]}}}, [definition])


def _plans(compiled: CompiledDomain, count: int = 24, *, attempt: int = 4) -> list[Blueprint]:
    """Those of so many plans that can be made, where nothing but what is asked anyway was tried before."""
    found = []
    for seed in range(count):
        with suppress(PlanError):
            found.append(
                LAYOUTS["argument_shift"].blueprint(context_over(compiled, "book", seed=seed, attempt=attempt))
            )
    return found


def _said(plan: Blueprint) -> list[str]:
    return [step.request_text or step.reply_text for step in plan.steps]


def test_the_last_value_wins_in_a_message_of_its_own() -> None:
    for record in made("argument_shift"):
        claim, (call,) = record["metadata"]["claim"], calls(record)
        assert call["arguments"][claim["parameter"]] != claim["before"]
        first, asked, second = [message for message in record["messages"] if message["role"] != "system"][:3]
        assert [message["role"] for message in (first, asked, second)] == ["user", "assistant", "user"]
        assert "tool_calls" not in asked and asked["content"].endswith(("?", "!", ".", ":"))
        assert len(turns(record, "user")) == 2  # no bundled tool asks first


def test_it_is_corrected_when_the_assistant_asks_whether_to_go_on() -> None:
    plans = _plans(_book(confirm=[CONFIRM]))
    rests = set()
    for plan in plans:
        request, question, answer, _ = _said(plan)
        was, (call,) = plan.claim["before"], plan.steps[2].calls
        assert (request, question) == (
            f"Book the table for {was} on {call.arguments['day']}.",
            f"Shall I book for {was} on {call.arguments['day']}?",
        )
        correction = f"Sorry, we are {call.arguments['people']}, not {was}."
        assert answer.startswith(correction)
        rests.add(answer.removeprefix(correction).strip())
    assert len(plans) == 24
    assert {"", *TEXTS["rest"]} >= rests > {""}


def test_it_is_corrected_with_what_the_assistant_asked_for() -> None:
    plans = _plans(_book(ask=[ASK]))
    for plan in plans:
        was, (call,) = plan.claim["before"], plan.steps[2].calls
        assert _said(plan)[:3] == [
            f"Book a table for {was}.",
            "On which day?",
            f"On {call.arguments['day']}. Sorry, we are {call.arguments['people']}, not {was}.",
        ]
        assert [step.parameters for step in plan.steps] == [("day",), ("day",), (), ()]
        assert plan.steps[0].about[0].arguments == {"people": was}
    assert len(plans) == 24


@pytest.mark.parametrize(
    ("ask", "correction"),
    [
        ({**ASK, "missing": ["people"], "requests": ["Book a table."], "answers": ["{n}."]}, "Sorry, {n}, not {was}."),
        ({**ASK, "requests": ["Book a table."]}, "Sorry, {n}, not {was}."),
        ({**ASK, "answers": ["{n} on {d}."]}, "Sorry, {n}, not {was}."),
        (ASK, "No, {n}, not {was}."),  # it would deny the answer before it
    ],
)
def test_what_was_asked_for_is_told_where_the_rest_can_be_corrected_beside_it(ask: JsonObject, correction: str) -> None:
    plans = _plans(_book(ask=[ask], corrections={"n": [correction]}))
    assert len(plans) == 24
    assert not any(plan.steps[0].parameters for plan in plans)


@pytest.mark.parametrize(
    ("request_text", "heard"),
    [
        ("Book the table for {n} on {d}.", "{was}"),
        ("Book for {n|words} people on {d}.", "{words} people"),
        ("Book the {n} seats on {d}.", "the {was} seats"),
        ("A {n}-person table on {d}, please.", "{was}"),
        ("Wait for us on {d}, table {n} in the hall.", "{was}"),
    ],
)
def test_what_was_heard_is_read_back(request_text: str, heard: str) -> None:
    words = dict(enumerate("zero one two three four five six seven eight nine".split()))
    compiled = _book(requests=[request_text])
    assert not _plans(compiled, 12, attempt=3), "other tools are tried first, about which something is asked anyway"
    plans = _plans(compiled, 12)
    assert len(plans) > 4
    for plan in plans:
        said = heard.format(was=plan.claim["before"], words=words[plan.claim["before"]])
        assert _said(plan)[1] in {text.format(said=said.casefold()) for text in TEXTS["reading_back"]}, _said(plan)


def test_words_that_mean_a_value_are_not_read_back_alone() -> None:
    """Where nothing can be read back, nobody asks whether that was all: a whole wish is carried out."""
    when = [{"value": "noon", "say": ["around noon"]}, {"value": "night", "say": ["late at night"]}]
    way = {**WAY, "draw": {**WAY["draw"], "d": {"wording": "when"}}, "requests": ["A table for {n}, {d}."],
           "corrections": {"d": ["Sorry, {d}."]}}  # fmt: skip
    definition = tool("book", None, ("people", "day"), people="integer", day="string")
    assert _plans(compiled_of({"wordings": {"when": when}, "tools": {"book": {"ways": [way]}}}, [definition])) == []


def test_a_tool_that_needs_a_yes_is_asked_about_with_the_last_word() -> None:
    plans = _plans(_book(asks_first=True, confirm=[CONFIRM]))
    for plan in plans:
        (call,) = plan.steps[-2].calls
        assert [step.act for step in plan.steps] == ["wish", "ask", "correct", "confirm", "agree", ""]
        assert _said(plan)[2] == f"Sorry, we are {call.arguments['people']}, not {plan.claim['before']}."
        assert _said(plan)[3] == f"Shall I book for {call.arguments['people']} on {call.arguments['day']}?"
    assert len(plans) == 24


def test_a_correction_takes_something_back_in_words() -> None:
    for plan in _plans(_book(corrections={"n": ["make that {n}."]})):
        answer = _said(plan)[2]
        opener = next(text for text in TEXTS["openers"] if answer.startswith(text))
        assert answer.removeprefix(opener).startswith(" Make that ")


@pytest.mark.parametrize(
    "way",
    [
        {"draw": {**WAY["draw"], "n": {"integer": [4, 4]}}},
        {"corrections": {"n": ["And {n} more."]}},
        {"corrections": {"n": ["Sorry, one more."]}},
        {"requests": ["Book a table on {d}."], "confirm": [CONFIRM]},
        {"draw": {"n": {"integer": [4, 5]}, "d": {"from": ["Friday"]}}, "requests": ["For {n} (4 or 5) on {d}."]},
    ],
    ids=["the same again", "adds instead", "not said", "nothing said before", "both said before"],
)
def test_what_is_no_correction(way: JsonObject) -> None:
    assert plan_error("argument_shift", context_over(_book(**way), "book")) == (
        "the correction changes nothing, or what it does not say"
    )


def test_a_value_is_not_corrected_to_itself_in_capitals() -> None:
    way = {"draw": {"n": {"integer": [2, 9]}, "d": {"from": ["Friday", "friday"]}},
           "corrections": {"d": ["Sorry, {d}, not {was}."]}}  # fmt: skip
    assert _plans(_book(**way)) == []


def test_a_day_is_not_taken_back_as_a_code() -> None:
    way = {"draw": {"n": {"integer": [2, 9]}, "d": {"day": [1, 30]}}, "requests": ["For {n} on {d|day}."]}
    coded = _book(**way, corrections={"d": ["Sorry, {d|day}, not {was}."]})
    said = _book(**way, corrections={"d": ["Sorry, {d|day}, not {was|day}."]})
    assert (_plans(coded), len(_plans(said)) > 20) == ([], True)


def _corrected(correction: str) -> int:
    """How many of two dozen corrections of a person, whose number is an argument too, can be planned."""
    way = {
        "draw": {"p": {"from": [{"name": "Ann", "number": "555-01"}, {"name": "Bob", "number": "555-02"}]}},
        "arguments": {"name": "$p.name", "number": "$p.number"}, "requests": ["{p.name} has {p.number} now."],
        "replies": {"ok": ["Done."]}, "corrections": {"p": [correction]},
    }  # fmt: skip
    definition = tool("book", None, ("name", "number"), name="string", number="string")
    return len(_plans(compiled_of({"tools": {"book": {"ways": [way]}}}, [definition])))


def test_a_correction_changes_what_it_says_alone() -> None:
    assert _corrected("Sorry, I meant {p.name}.") == 0
    assert _corrected("Sorry, {p.name} with {p.number}.") > 12


def test_ways_about_which_something_is_asked_anyway_go_first() -> None:
    plain = {key: value for key, value in WAY.items() if key != "confirm"}
    definition = tool("book", None, ("people", "day"), people="integer", day="string")
    compiled = compiled_of({"tools": {"book": {"ways": [plain, {**WAY, "confirm": [CONFIRM]}]}}}, [definition])
    assert all(_said(plan)[1].startswith("Shall I book") for plan in _plans(compiled))


def test_without_corrections_nothing_is_corrected() -> None:
    assert plan_error("argument_shift", context_over(_book(corrections={}), "book")) == "no way of book fits"


@pytest.mark.parametrize(
    ("way", "leads"),
    [
        ({}, True),
        ({"requests": ["Book a table on {d}."]}, False),
        ({"requests": ["Book a table on {d}."], "confirm": [CONFIRM]}, True),
        ({"requests": ["Book a table on {d}."], "ask": [ASK]}, True),
        ({"draw": {**WAY["draw"], "n": {"wording": "many"}}}, False),
        ({"draw": {**WAY["draw"], "n": {"wording": "many"}}, "confirm": [CONFIRM]}, True),
    ],
)
def test_a_way_about_which_nothing_can_be_asked_back_is_not_corrected(way: JsonObject, leads: bool) -> None:
    many = [{"value": 2, "say": ["a couple"]}, {"value": 9, "say": ["the whole team"]}]
    definition = tool("book", None, ("people", "day"), people="integer", day="string")
    known = compiled_of({"wordings": {"many": many}, "tools": {"book": {"ways": [{**WAY, **way}]}}}, [definition])
    assert LAYOUTS["argument_shift"].leads(known) == (("book",) if leads else ())
