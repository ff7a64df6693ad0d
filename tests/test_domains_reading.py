"""The shape of a domain file: what is read, and what is told of a mistake."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.domains.reading import Path, before, owner_of, phrase_at, phrasing_faults, read_domain, without
from tests.domain_examples import domain
from tests.tables import each_row


def edited(path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """Return the domain with another value at a path."""
    whole = domain()
    held: Any = whole
    for part in path[:-1]:
        held = held[part]
    held[path[-1]] = value
    return whole


def test_a_domain_is_read_with_the_name_that_it_is_given() -> None:
    read, faults = read_domain(domain(), "library")
    assert read is not None
    assert (read.name, read.tools["renew_loan"].can, faults) == ("library", "renew a loan", [])
    assert read.entities["loan"].parent == "member"


WAY = ("tools", "renew_loan", "ways", 0)
MISTAKES = [
    (("entites",), {}, ("entites",), "unknown key 'entites'", "did you mean entities?"),
    ((*WAY, "request"), ["x"], (*WAY, "request"), "unknown key 'request'", "did you mean requests?"),
    ((*WAY, "ask", 0, "question"), [], (*WAY, "ask", 0, "question"), "unknown key 'question'", "questions"),
    (("entities", "loan", "row"), 3, ("entities", "loan", "row"), "unknown key 'row'", "did you mean rows?"),
    ((*WAY, "requests"), "Renew it.", (*WAY, "requests"), "must be a list", ""),
    ((*WAY, "requests", 1), 7, (*WAY, "requests", 1), "must be a string", ""),
    ((*WAY, "weight"), 0, (*WAY, "weight"), "must be greater than 0", ""),
    (("domain",), 2, ("domain",), "must be 1", ""),
    (("tasks", 0, "turns", 0, "replies"), [], ("tasks", 0, "turns", 0, "replies"), "at least 1 item", ""),
]


@pytest.mark.parametrize(("path", "value", "at", "what", "remedy"), MISTAKES, ids=lambda each: str(each)[:40])
def test_a_mistake_is_told_with_its_place_and_the_nearest_name(
    path: tuple[str | int, ...], value: Any, at: tuple[str | int, ...], what: str, remedy: str
) -> None:
    read, faults = read_domain(edited(path, value), "library")
    assert read is None
    (fault,) = [each for each in faults if each.path == at]
    assert what in fault.what
    assert remedy in fault.remedy


def test_every_mistake_is_told_at_once() -> None:
    whole = domain(entites={}, rulez=[])
    whole["tools"]["renew_loan"]["ways"][0]["request"] = []
    assert len(read_domain(whole, "library")[1]) == 3


@pytest.mark.parametrize("value", [None, 7, "domain: 1", [], [{"domain": 1}]])
def test_what_is_no_mapping_is_no_domain(value: Any) -> None:
    read, (fault,) = read_domain(value, "library")
    assert (read, fault.path, fault.remedy) == (None, (), "start it with `domain: 1`")


def faults(requests: list[str], replies: list[str] | None = None) -> list[str]:
    tool = {"ways": [{"requests": requests, "replies": {"ok": replies or ["It is {r.x}."]}}]}
    return [fault.what for fault in phrasing_faults({"tools": {"do_it": tool}}, ["do_it"])]


@pytest.mark.parametrize(
    ("requests", "twins"),
    [
        (["Renew {l} by {n} days.", "Renew {l} by {n} weeks."], 1),
        (["Renew {l} by {n} days.", "renew {l} by {n} days"], 1),
        (["Show me {a} now please.", "Show me {b} now please."], 1),
        (["Renew {l} by {n} days.", "Could you give me {n} more days for {l}?"], 0),
        (["Show it.", "Hide it."], 0),
        (["Renew {l}."], 0),
    ],
)
def test_requests_that_differ_in_a_word_are_told_together(requests: list[str], twins: int) -> None:
    found = [what for what in faults(requests) if "alike but for a word" in what]
    assert len(found) == twins


def test_all_twins_of_a_tool_are_one_problem() -> None:
    (found,) = faults([f"Renew {{l}} by {number} days." for number in range(6)])
    assert found.count(" and 'Renew") == 4 and "and 11 more pairs" in found


@pytest.mark.parametrize(
    ("reply", "is_wrong"),
    [
        ("Here it is: {r.a}: {r.b}.", True),
        ("There are two: <r.rows: {name}: {price}>.", True),
        ("There are two:<r.rows|lines: {name}: {price}>", False),
        ("There are two: <r.rows: {name} at {price}>.", False),
        ("It's {r.a}. Note: {r.b}. Also: {r.c}.", False),
        ("At 12:30 it is {r.a}: fine.", False),
        ("Done.", False),
    ],
)
def test_two_colons_in_one_sentence_of_a_reply_are_told(reply: str, is_wrong: bool) -> None:
    assert any("two colons" in what for what in faults(["Do {x} for me, please."], [reply])) is is_wrong


def test_small_letters_are_told_once_with_their_number() -> None:
    (found,) = faults(["what is on", "show it", "{l|cap} please", "Show all."])
    assert found == "2 requests start with a small letter, as 'what is on'"


def test_the_tasks_are_looked_at_where_no_tool_is_named() -> None:
    known = domain()
    assert phrasing_faults(known, []) == []
    known["tasks"][0]["turns"][0]["requests"] = ["see what I have"]
    (found,) = phrasing_faults(known, [])
    assert found.path == ("tasks",)


@pytest.mark.parametrize("raw", [{}, {"tools": []}, {"tools": {"do_it": 3}}, {"tools": {"do_it": {"ways": "x"}}}])
def test_whatever_a_model_wrote_is_borne(raw: dict[str, Any]) -> None:
    assert phrasing_faults(raw, ["do_it"]) == []
    assert phrasing_faults({"tasks": "x"}, []) == []


DOMAINS_PHRASING_WAY = ("tools", "renew_loan", "ways", 0)


@each_row(
    ("path", "phrase"),
    [
        ((*DOMAINS_PHRASING_WAY, "requests", 3), (*DOMAINS_PHRASING_WAY, "requests", 3)),
        ((*DOMAINS_PHRASING_WAY, "requests", 3, "b"), (*DOMAINS_PHRASING_WAY, "requests", 3)),
        ((*DOMAINS_PHRASING_WAY, "replies", "ok", 1), (*DOMAINS_PHRASING_WAY, "replies", "ok", 1)),
        ((*DOMAINS_PHRASING_WAY, "replies", "ok", 1, "say", 2), (*DOMAINS_PHRASING_WAY, "replies", "ok", 1, "say", 2)),
        ((*DOMAINS_PHRASING_WAY, "replies", "ok", 1, "when", 0, 1), (*DOMAINS_PHRASING_WAY, "replies", "ok", 1)),
        ((*DOMAINS_PHRASING_WAY, "corrections", "draw", 0), (*DOMAINS_PHRASING_WAY, "corrections", "draw", 0)),
        ((*DOMAINS_PHRASING_WAY, "parallel", "requests", 0), (*DOMAINS_PHRASING_WAY, "parallel", "requests", 0)),
        (("tasks", 1, "turns", 0, "replies", 0), ("tasks", 1, "turns", 0, "replies", 0)),
        (("entities", "say", "say_id", 0), ("entities", "say", "say_id", 0)),
        (("wordings", "f", 1, "say", 0), ("wordings", "f", 1, "say", 0)),
        (("context", 0), ("context", 0)),
        (("tools", "requests", "ways", 0, "draw", "say", 0), None),
        (("tools", "renew_loan", "effect", 0, "else", "say", 0), None),
        (("pools", "say", 0), None),
        (("entities", "loan", "fields", "say"), None),
        (("entities", "loan", "data", 0, "say", 0), None),
        ((*DOMAINS_PHRASING_WAY, "requests"), None),
        ((*DOMAINS_PHRASING_WAY, "arguments", "days"), None),
        (("tasks", 0, "turns", 0, "calls", 0, "arguments", "q"), None),
        ((), None),
    ],
)
def test_where_the_phrase_of_a_path_is(path: Path, phrase: Path | None) -> None:
    assert phrase_at(path) == phrase


def test_phrases_are_left_out_and_nothing_else_is_changed() -> None:
    value = {"a": [1, 2, 3, 4], "b": {"c": [5], "d": [6, 7]}}
    kept, emptied = without(value, [("a", 0), ("a", 2), ("b", "c", 0), ("b", "d", 9)])
    assert kept == {"a": [2, 4], "b": {"c": [], "d": [6, 7]}}
    assert emptied == {("b", "c")}
    assert value == {"a": [1, 2, 3, 4], "b": {"c": [5], "d": [6, 7]}}


@pytest.mark.parametrize(
    ("emptied", "owner"),
    [
        ((*DOMAINS_PHRASING_WAY, "requests"), DOMAINS_PHRASING_WAY),
        ((*DOMAINS_PHRASING_WAY, "ask", 1, "questions"), (*DOMAINS_PHRASING_WAY, "ask", 1)),
        ((*DOMAINS_PHRASING_WAY, "parallel", "requests"), (*DOMAINS_PHRASING_WAY, "parallel")),
        ((*DOMAINS_PHRASING_WAY, "replies", "ok", 2, "say"), (*DOMAINS_PHRASING_WAY, "replies", "ok", 2)),
        (("tasks", 3, "turns", 1, "requests"), ("tasks", 3)),
        (("unserved", 2, "replies"), ("unserved", 2)),
        (("wordings", "f", 0, "say"), ("wordings", "f", 0)),
    ],
)
def test_what_has_no_phrase_left_goes_with_it(emptied: Path, owner: Path) -> None:
    assert owner_of(emptied) == owner


@given(st.sets(st.integers(0, 9), max_size=6))
def test_a_place_is_found_again_where_it_was(gone: set[int]) -> None:
    value, _ = without({"a": list(range(10))}, [("a", number) for number in gone])
    for place, was in enumerate(value["a"]):
        assert before(("a", place), [("a", number) for number in gone]) == ("a", was)
