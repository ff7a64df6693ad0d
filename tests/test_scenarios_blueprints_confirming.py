"""What changes something is done after a yes alone: over the bundled domains, and where it cannot be planned."""

import pytest

from generator.jsontext import JsonObject
from generator.scenarios.phrases import phrases
from tests.domains_library import tool
from tests.kind_records import calls, turns
from tests.plays import book_of, made, plan_error, play_over


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
def test_what_cannot_be_planned(way: JsonObject, known: JsonObject, reason: str) -> None:
    document: JsonObject = {"tools": {"count": {"ways": [{"requests": ["Count."], **way}], **known}}}
    book = book_of(document, [tool("count")])
    assert plan_error("confirm_before_write", play_over(book, "count")) == reason
