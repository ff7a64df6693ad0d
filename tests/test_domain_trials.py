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
    records, problems, _ = try_out(draft(), ["renew_loan"])
    assert records
    assert all(problem.startswith(("renew_loan (", "/tools/renew_loan")) for problem in problems)
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
    records, problems, _ = try_out(draft(tools=spoiled["tools"]), ["renew_loan"])
    assert records == []
    assert problems
    rehearsed = [problem for problem in problems if problem.startswith("/tools/renew_loan/ways")]
    assert any("no loan fulfils the conditions" in problem for problem in rehearsed)
    refused = [problem for problem in problems if problem not in rehearsed]
    assert all(problem.startswith("renew_loan") and problem.endswith(" times)") for problem in refused)
    assert try_out(draft(tools=spoiled["tools"]), ["list_loans"])[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"tools": {}},
        {"tools": []},
        {"domain": 2},
        {"tools": {"list_loans": {}}},
        {"tools": {"other": {}}},
    ],
)
def test_a_draft_of_which_nothing_can_be_made_has_no_records(changes: dict[str, Any]) -> None:
    records, problems, _ = try_out(draft(**changes), NAMES)
    assert records == []
    assert bool(problems) == (changes == {"tools": {"list_loans": {}}})


def test_what_is_looked_up_by_a_tool_that_comes_later_is_no_fault() -> None:
    half = domain()
    del half["tools"]["list_loans"], half["tasks"]
    assert not any("nobody can know" in problem for problem in try_out(Draft(half, tuple(tools()), "l"), NAMES)[1])


def test_the_tasks_are_tried_where_no_tool_is_named() -> None:
    records, problems, _ = try_out(draft(), [])
    assert records and not any(problem.startswith("/") for problem in problems)
    spoiled = domain()
    spoiled["tasks"][0]["draw"]["l"] = {"row": "loan", "where": [["title", "=", "No such book"]]}
    assert any(problem.startswith("/tasks/0: fails") for problem in try_out(draft(tasks=spoiled["tasks"]), [])[1])


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("It is {r.hash}.", "assistant says a whole hash: 'da39a3ee5e6b4b0d3255bfef95601890afd80709'"),
        ("It is {r.hash|cut:7}.", ""),
        ('It is {{"title": "{r.title}"}}.', "assistant says raw JSON"),
    ],
)
def test_hashes_and_raw_json_in_prose_are_told(said: str, problem: str) -> None:
    spoiled = domain()
    tool = spoiled["tools"]["renew_loan"]
    tool["result"] = {"hash": "da39a3ee5e6b4b0d3255bfef95601890afd80709", "title": "$it.title"}
    tool["ways"][0]["replies"] = {"ok": [said]}
    told = [each for each in try_out(draft(tools=spoiled["tools"], tasks=[]), ["renew_loan"])[1] if "assistant" in each]
    assert bool(told) is bool(problem) and all(each.startswith(problem) for each in told)


def test_what_no_way_of_a_tool_says_is_told_and_is_no_problem() -> None:
    poor = domain()
    poor["tools"]["list_loans"]["ways"][1]["draw"]["s"] = {"from": ["overdue"]}
    trial = try_out(draft(tools=poor["tools"]), NAMES)
    assert trial.unsaid == ['list_loans: status="active"']
    assert not any("ever says" in problem for problem in trial.problems)
    assert try_out(draft(tools=poor["tools"]), []).unsaid == try_out(draft(), NAMES).unsaid == []
