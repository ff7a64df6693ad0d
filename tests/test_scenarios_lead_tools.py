"""Which tools lead a kind is what a domain knows of them."""

from __future__ import annotations

import pytest

from generator.jsontext import JsonObject
from generator.kinds import KINDS
from generator.scenarios.blueprints import LAYOUTS
from generator.tools.tool import Tool
from generator.worlds.playbook import Playbook
from tests.domains_library import desk, library, tool
from tests.planning_contexts import book_of

TALK = {"requests": ["Go."], "questions": ["How?"], "answers": ["So."]}
WAY: JsonObject = {"requests": ["Go."], "draw": {"n": {"integer": [1, 9]}}, "arguments": {"n": "$n"}}


def _book(*, strict: bool | None = None, near: tuple[str, ...] = (), can: str = "", **way: object) -> Playbook:
    """A domain of two tools: one with the way, the other with no way at all."""
    tools = [tool("go", None, ("n",), n="integer").model_copy(update={"strict": strict}), tool("stay")]
    known = {"go": {"can": can, "near": list(near), "ways": [{**WAY, **way}]}, "stay": {}}
    return book_of({"tools": known}, tools)


@pytest.mark.parametrize(
    ("kind", "way"),
    [
        ("missing_parameter", {"ask": [{**TALK, "missing": ["n"]}]}),
        ("invalid_value", {"invalid": [{**TALK, "argument": "n", "draw": {"n": {"integer": [10, 12]}}}]}),
        ("ambiguous", {"ambiguous": [{**TALK, "tool": "stay"}]}),
        ("confirm_before_write", {"confirm": ["Shall I go?"]}),
        ("argument_shift", {"requests": ["Go {n} times."], "corrections": {"n": ["No, {n}."]}}),
        ("empty_result", {"empty": {"n": {"integer": [0, 0]}}, "replies": {"ok": ["Gone."], "empty": ["None."]}}),
        ("canonicalization", {"requests": ["Go {n|words} times."]}),
        ("parallel", {"parallel": {"requests": ["Go <each: {n}>."]}}),
        ("partial_failure", {"parallel": {"requests": ["Go <each: {n}>."]}}),
        ("error_recovery", {"recover": [{"first": {"n": 0}, "requests": ["Go."], "replies": ["Gone."]}]}),
        *(
            (kind, {"profile": [{"arguments": {"n": 3}, "labels": {"n": "way"}, "told": ["3."], "requests": ["Go."]}]})
            for kind in ("profile", "long_context")
        ),
        ("missing_function", {"can": "go"}),
        ("similar_tools", {"near": ("stay",)}),
    ],
)
def test_what_a_domain_must_know_for_a_kind(kind: str, way: dict[str, object]) -> None:
    assert LAYOUTS[kind].leads(_book()) == ()
    assert LAYOUTS[kind].leads(_book(**way)) == ("go",)  # type: ignore[arg-type]  # each name is one of its parameters


@pytest.mark.parametrize("kind", ["simple", "multiple", "many_tools", "error_report"])
def test_a_tool_with_a_way_can_lead_what_needs_no_more(kind: str) -> None:
    assert LAYOUTS[kind].leads(_book()) == ("go",)


@pytest.mark.parametrize("kind", ["irrelevance", "no_tools", "chitchat"])
def test_every_tool_can_stand_by_where_none_is_called(kind: str) -> None:
    assert LAYOUTS[kind].leads(_book()) == ("go", "stay")
    assert not KINDS[kind].calls


@pytest.mark.parametrize("kind", ["parallel", "partial_failure"])
def test_a_strict_tool_leads_no_calls_at_once(kind: str) -> None:
    several = {"requests": ["Go <each: {n}>."]}
    assert LAYOUTS[kind].leads(_book(strict=True, parallel=several)) == ()


def _without(*names: str) -> Playbook:
    """The desk without some of its tools."""
    kept: list[Tool] = [each for name, each in desk().tools.items() if name not in names]
    document = desk().domain.model_dump(by_alias=True)
    document["tools"] = {name: known for name, known in document["tools"].items() if name not in names}
    document["rules"] = []
    return book_of(document, kept)


def test_two_tools_that_people_want_can_be_wanted_at_once() -> None:
    assert len(LAYOUTS["parallel_multiple"].leads(desk())) > 1
    alone = _without("open_ticket", "change_ticket", "list_tickets", "close_all", "drop_tickets")
    assert LAYOUTS["parallel_multiple"].leads(alone) == ()


def test_a_wish_is_dropped_where_the_assistant_would_ask_back() -> None:
    assert LAYOUTS["intent_switch"].leads(desk()) == ()
    assert "renew_loan" not in LAYOUTS["intent_switch"].leads(library())
    assert LAYOUTS["intent_switch"].leads(library())


def test_a_tool_whose_row_can_be_looked_up_leads_nested_calls() -> None:
    assert LAYOUTS["nested"].leads(library()) == ("renew_loan", "return_loan")
    assert LAYOUTS["nested"].leads(desk()) == ()


def test_errands_of_one_message_lead_chains() -> None:
    assert LAYOUTS["sequential"].leads(library()) == ("list_loans", "renew_loan")
    assert LAYOUTS["sequential"].leads(desk()) == ()


def test_a_wish_that_refers_to_a_row_lets_those_about_such_rows_go_before_it() -> None:
    document = library().domain.model_dump(by_alias=True)
    assert LAYOUTS["coreference"].leads(library()) == ()
    document["tools"]["return_loan"]["ways"][0]["follow_ups"] = ["Return it."]
    followed = book_of(document, library().tools.values())
    assert LAYOUTS["coreference"].leads(followed) == ("renew_loan", "return_loan")
    assert set(LAYOUTS["multi_turn"].leads(followed)) == {"renew_loan", "return_loan"}
