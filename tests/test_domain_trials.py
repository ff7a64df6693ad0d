"""Trials make records of the tools of a draft, tell why others cannot be made, and never fail themselves."""

from __future__ import annotations

from typing import Any

import pytest

from generator.authors.llm.domain_draft import Draft
from generator.domain_trials import try_out
from tests.domain_examples import domain, tools

NAMES = ("list_loans", "renew_loan")


def draft(**changes: Any) -> Draft:
    return Draft(domain(**changes), tuple(tools()), "library")


def test_the_records_are_conversations_over_the_tools_asked_about() -> None:
    records, problems = try_out(draft(), ["renew_loan"])
    assert records
    assert all(problem.startswith("renew_loan (") for problem in problems)
    for record in records:
        lines = record.splitlines()
        assert any(line.startswith("call renew_loan {") for line in lines)
        assert any(line.startswith("user: ") for line in lines)
        assert any(line.startswith("result {") for line in lines)
        assert lines[-1].startswith("assistant: ")


def test_the_same_draft_is_tried_in_the_same_way() -> None:
    assert try_out(draft(), NAMES) == try_out(draft(), NAMES)


def test_what_cannot_be_made_is_told_with_its_tool_and_how_often() -> None:
    spoiled = domain()
    way = spoiled["tools"]["renew_loan"]["ways"][0]
    way["draw"]["l"] = {"row": "loan", "where": [["title", "=", "No such book"]]}
    records, problems = try_out(draft(tools=spoiled["tools"]), ["renew_loan"])
    assert records == []
    assert problems
    assert all(problem.startswith("renew_loan") and problem.endswith(" times)") for problem in problems)
    assert try_out(draft(tools=spoiled["tools"]), ["list_loans"])[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"tools": {}},
        {"tools": []},
        {"domain": 2},
        {"entities": {}},
        {"tools": {"list_loans": {}}},
        {"tools": {"other": {}}},
    ],
)
def test_a_draft_of_which_nothing_can_be_made_has_no_records(changes: dict[str, Any]) -> None:
    records, problems = try_out(draft(**changes), NAMES)
    assert records == []
    assert bool(problems) == (changes == {"tools": {"list_loans": {}}})
