"""The assistant asks before it calls: over the bundled domains, and where it cannot be planned."""

from __future__ import annotations

import pytest

from generator.jsontext import JsonObject
from generator.scenarios.wording import phrases
from tests.domains_library import tool
from tests.kind_records import calls, turns
from tests.planning_contexts import book_of, context_over, made, plan_error

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
    book = book_of({"tools": {"count": {"ways": [known]}}}, [counting])
    assert plan_error(kind, context_over(book, "count")) == reason


def test_an_ambiguous_tool_that_is_not_in_the_catalog_is_no_plan() -> None:
    ways = [
        {
            "requests": ["Count."],
            "replies": {"ok": ["Counted."]},
            "ambiguous": [{**TALK, "answers": ["All."], "tool": "sum"}],
        }
    ]
    book = book_of({"tools": {"count": {"ways": ways}, "sum": {}}}, [tool("count"), tool("sum")])
    del book.tools["sum"]
    assert plan_error("ambiguous", context_over(book, "count")) == "the tool sum is not there"


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
    book = book_of(document, [tool("count")])
    assert plan_error("confirm_before_write", context_over(book, "count")) == reason
