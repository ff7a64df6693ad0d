"""Values in everyday words, or that stand in the context: over the bundled domains, and what cannot be planned."""

from datetime import date
from random import Random

import pytest

from generator.jsontext import JsonObject
from generator.scenarios.blueprints.context import everyday
from tests.domains_library import tool
from tests.kind_records import calls, turns
from tests.planning_contexts import book_of, context_over, made, plan_error

TODAY = date(2026, 1, 15)  # a Thursday


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("2026-01-15", {"today"}),
        ("2026-01-16", {"tomorrow", "this Friday"}),
        ("2026-01-17", {"the day after tomorrow", "this Saturday"}),
        ("2026-01-19", {"next Monday", "in four days"}),
        ("2026-01-22", {"a week from today", "next Thursday", "in seven days"}),
        ("2026-01-29", {"in two weeks"}),
        ("2026-01-14", {""}),
        ("2026-03-29", {""}),
        ("12:00", {"noon"}),
        ("00:00", {"midnight"}),
        ("09:30", {"half past nine in the morning"}),
        ("15:15", {"quarter past three in the afternoon"}),
        ("19:00", {"seven in the evening"}),
        ("12:30", {""}),
        ("09:40", {""}),
        ("25 apples", {""}),
        (3, {"three"}),
        (12, {"twelve"}),
        (1, {""}),
        (13, {""}),
    ],
)
def test_what_people_say_for_a_day_a_time_or_a_number(value: str | int, said: set[str]) -> None:
    assert {everyday(value, TODAY, Random(seed)) for seed in range(30)} <= said


def test_the_words_of_the_claim_stand_in_the_request_and_the_date_is_told() -> None:
    for record in made("canonicalization"):
        claim, (call,) = record["metadata"]["claim"], calls(record)
        assert claim["said"].lower() in turns(record, "user")[0]["content"].lower()
        assert claim["parameter"] in call["arguments"]
        assert "2026" in turns(record, "system")[0]["content"]


@pytest.mark.parametrize(("kind", "least"), [("profile", 0), ("long_context", 4_000)])
def test_a_value_of_the_call_stands_in_the_context_and_not_in_the_request(kind: str, least: int) -> None:
    for record in made(kind):
        system, asked = turns(record, "system")[0]["content"], turns(record, "user")[0]["content"]
        (call,) = calls(record)
        assert len(system) > least
        for name, label in record["metadata"]["claim"]["profile"].items():
            assert label.lower() in asked.lower()
            value = call["arguments"][name]
            if isinstance(value, str):
                assert value in system
                assert value not in asked


PROFILE: JsonObject = {"arguments": {"n": 4}, "labels": {"n": "usual"}, "told": ["4."], "requests": ["The usual."]}


@pytest.mark.parametrize(
    ("kind", "way", "reason"),
    [
        ("canonicalization", {}, "no way of count fits"),
        (
            "canonicalization",
            {"draw": {"n": {"integer": [40, 90]}}, "requests": ["Count to {n|words}."]},
            "no value of the call has an everyday expression",
        ),
        ("profile", {}, "no way of count fits"),
        ("long_context", {"profile": [PROFILE]}, "the world is too small for a long context"),
    ],
)
def test_what_cannot_be_planned(kind: str, way: JsonObject, reason: str) -> None:
    known = {"draw": {"n": {"integer": [4, 4]}}, "arguments": {"n": "$n"}, "requests": ["Count to {n}."], **way}
    book = book_of({"tools": {"count": {"ways": [known]}}}, [tool("count", None, ("n",), n="integer")])
    assert plan_error(kind, context_over(book, "count")) == reason


def test_a_world_of_one_small_row_is_too_small_for_a_long_context() -> None:
    known = {"draw": {"n": {"integer": [4, 4]}}, "arguments": {"n": "$n"}, "requests": ["Count."], "profile": [PROFILE]}
    document: JsonObject = {
        "entities": {"it": {"rows": 1, "fields": {"id": {"integer": [1, 2]}}}}, "tools": {"count": {"ways": [known]}},
    }  # fmt: skip
    book = book_of(document, [tool("count", None, ("n",), n="integer")])
    assert plan_error("long_context", context_over(book, "count")) == "the world is too small for a long context"
