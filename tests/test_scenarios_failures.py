"""Failures: outages and errors are told with what was tried and why it failed; a domain may have outages of its own."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from generator.jsontext import JsonObject
from generator.records import SUCCESS, ToolResult
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.failures import deed, draw_outage, listed_subject, of_one, subject_of, tell_error, tell_outage
from generator.scenarios.phrases import phrases
from generator.scenarios.planning_context import PlanningContext
from generator.scenarios.scenario import PlannedCall
from generator.worlds.program import CompiledDomain
from generator.worlds.rows import Row
from tests.domains_library import tool
from tests.planning_contexts import compiled_of, context_over, library_context, plan_error
from tests.tables import each_row

OWN = {"type": "CONFIGURATION_ERROR", "message": "The disk is full.", "replies": ["I can't count: {r.error.message}"]}
COUNT: JsonObject = {"ways": [{"requests": ["Count."], "replies": {"ok": ["Done."]}}]}
MANY = {"many": [2, 2], "requests": ["Count <each: {n}>."]}


def compiled(**parts: Any) -> CompiledDomain:
    return compiled_of({"tools": {"count": {**COUNT, "can": "count the sheep"}}, **parts}, [tool("count")])


def failed(outage: JsonObject) -> ToolResult:
    return ToolResult("count", error_type=str(outage["type"]), error_message=str(outage["message"]))


@pytest.mark.parametrize("outage", phrases()["outages"], ids=lambda each: each["message"])
def test_an_outage_is_told_with_what_was_tried_and_why(outage: JsonObject) -> None:
    for seed in range(20):
        text = tell_outage(compiled(), failed(outage), Random(seed))
        assert "count the sheep" in text and str(outage["why"]) in text
        several = tell_outage(compiled(), failed(outage), Random(seed), "your loan")
        assert "your loan" in several and str(outage["why"]) in several


@pytest.mark.parametrize(
    ("can", "expected"),
    [
        ("", "do that"), ("renew a loan", "renew a loan"), ("list the pets that are sold", "do that"),
        ("look up a request, its files and checks", "do that"), ("add one or two", "do that"),
        ("a b c d e f g h", "do that"), ("open and close blinds", "do that"),
    ],
)  # fmt: skip
def test_a_long_ability_does_not_stand_in_a_sentence(can: str, expected: str) -> None:
    known = compiled_of({"tools": {"count": {**COUNT, "can": can}}}, [tool("count")])
    assert deed(known, "count") == expected


@pytest.mark.parametrize(
    ("can", "wanted"),
    [
        ("renew a loan", "renew the loan"),
        ("look up an issue", "look up the issue"),
        ("check the balance of an account", "check the balance of the account"),
        ("calculate the price of a loan", "calculate the price of the loan"),
        ("transfer you to a human agent", "transfer you to a human agent"),
        ("show a few books", "show a few books"),
        ("count the sheep", "count the sheep"),
    ],
)
def test_what_failed_is_the_thing_that_was_wanted_not_any(can: str, wanted: str) -> None:
    known = compiled_of({"tools": {"count": {**COUNT, "can": can}}}, [tool("count")])
    for seed in range(9):
        assert f"{wanted}" in tell_outage(known, failed(phrases()["outages"][0]), Random(seed))
    assert deed(known, "count") == can


def test_what_is_derived_from_a_name_may_be_no_deed() -> None:
    known = compiled_of({"origin": "derived", "tools": {"count": {**COUNT, "can": "geometry area"}}}, [tool("count")])
    assert deed(known, "count") == "do that"


def test_what_is_no_outage_has_other_words() -> None:
    assert (
        tell_outage(compiled(), ToolResult("count", error_type="INVALID_STATE", error_message="No."), Random(1)) == ""
    )


def test_an_error_without_words_of_its_own_is_told_with_its_message() -> None:
    result = ToolResult("count", error_type="INVALID_STATE", error_message="The sheep are gone")
    for seed in range(9):
        text = tell_error(compiled(), result, Random(seed))
        assert "count the sheep" in text and "The sheep are gone." in text


def test_a_failure_says_which_wish_it_is_about_unless_its_words_do() -> None:
    assert of_one("I can't find Loan 5.", "loan 5", Random(1)) == "I can't find Loan 5."
    assert of_one("No.", "", Random(1)) == "No."
    texts = {of_one("There is none.", "loan 5", Random(seed)) for seed in range(20)}
    assert all("oan 5. There" in text and text[0].isupper() for text in texts)


def test_words_that_tell_a_failure_are_not_told_again_that_it_failed() -> None:
    texts = {of_one("I couldn't find it.", "loan 5", Random(seed)) for seed in range(20)}
    assert {text.removesuffix(" I couldn't find it.") for text in texts} == {
        "Loan 5:", "As for loan 5:", "Regarding loan 5:",
    }  # fmt: skip


def test_a_domain_has_outages_of_its_own() -> None:
    own = compiled(outages=[OWN])
    drawn = draw_outage(own, "count", Random(1))
    assert drawn == ToolResult("count", error_type="CONFIGURATION_ERROR", error_message="The disk is full.")
    plan = LAYOUTS["error_report"].blueprint(context_over(own, "count"))
    assert plan.steps[-1].reply_text == "I can't count: The disk is full."
    assert plan.steps[0].calls[0].struck


def test_a_domain_may_have_none() -> None:
    none = compiled(outages=[])
    assert draw_outage(none, "count", Random(1)) is None
    assert context_over(none, "count", error_rate=1.0).outage() is None
    assert "count" not in LAYOUTS["error_report"].leads(none)
    assert plan_error("error_report", context_over(none, "count")) == "the domain knows of no failure"


def test_errors_of_the_world_are_left_where_there_are_no_outages() -> None:
    way = {"draw": {"n": {"integer": [1, 9]}}, "arguments": {"n": "$n"}, "requests": ["Count {n}."], "parallel": MANY}
    ways = [{**way, "replies": {"ok": ["{n}."], "INVALID_STATE": ["I couldn't, {n} are too few. Try more?"]}}]
    effect = [{"require": [["$n", ">", 99]], "else": {"INVALID_STATE": "Too few."}}]
    known = compiled_of(
        {"tools": {"count": {"ways": ways, "effect": effect}}, "outages": []},
        [tool("count", None, ("n",), n="integer")],
    )
    for kind in ("error_report", "partial_failure"):
        assert LAYOUTS[kind].leads(known) == ("count",)
    plan = LAYOUTS["error_report"].blueprint(context_over(known, "count"))
    assert plan.steps[0].calls[0].outcome == "INVALID_STATE"


LOOK: JsonObject = {"effect": [{"list": "sheep"}], "ways": COUNT["ways"]}
SHEAR: JsonObject = {"effect": [{"create": "sheep"}], "ways": COUNT["ways"]}


@pytest.mark.parametrize(
    ("known", "can", "manner"),
    [
        (LOOK, "", "sought"), (SHEAR, "", "named"), (LOOK, "check flocks", "deed"), (SHEAR, "shear the flock", "deed"),
        (LOOK, "count the legs of Dolly", "sought"),
        (SHEAR, "pay for shearing", "named"),
    ],
)  # fmt: skip
def test_what_was_looked_up_did_not_go_through_for_nothing(known: JsonObject, can: str, manner: str) -> None:
    """Words for a payment do not tell that a look-up failed; where few words say what was wanted, they do."""
    entities = {"sheep": {"rows": 2, "fields": {"id": {"pattern": "S[0-9]{4}"}}}}
    flock = compiled_of({"entities": entities, "tools": {"count": {**known, "can": can}}}, [tool("count")])
    why = phrases()["outages"][0]["why"]
    said = {tell_outage(flock, failed(phrases()["outages"][0]), Random(seed), "Dolly") for seed in range(40)}
    assert said == {text.format(thing="Dolly", why=why, can=can) for text in phrases()["failing"][manner]}
    assert not [text for texts in phrases()["failing"].values() for text in texts if "go through" in text]


def test_what_was_looked_up_in_vain_is_named_without_more_words() -> None:
    texts = {of_one("There is none.", "loan 5", Random(seed), sought=True) for seed in range(20)}
    assert texts == {"Loan 5: There is none.", "As for loan 5: There is none.", "Regarding loan 5: There is none."}


@pytest.mark.parametrize(
    ("can", "thing", "told"),
    [
        ("renew a loan", "your loan of Dune", "renew your loan of Dune"),
        ("cancel your hotel booking", "booking H01", "cancel booking H01"),
        ("check the status of an order", "order W-1", "check the status of order W-1"),
        ("cancel your booking", "The Ritz", ""),
        ("look up loans", "loan 5", ""),
    ],
)
def test_what_was_to_be_done_is_told_with_the_thing_that_it_was_to_be_done_to(can: str, thing: str, told: str) -> None:
    known = compiled_of({"tools": {"count": {**COUNT, "can": can}}}, [tool("count")])
    texts = {tell_outage(known, failed(phrases()["outages"][0]), Random(seed), thing) for seed in range(20)}
    assert all((told or can) in text for text in texts)
    assert all(("For " in text or "As for " in text) is not bool(told) for text in texts)


OUTAGE = ToolResult("count", error_type="SERVICE_UNAVAILABLE", error_message="Out.")


def _context(listed: str, draw: JsonObject) -> PlanningContext:
    way = {
        "draw": draw, "arguments": {}, "requests": ["Count."], "replies": {"ok": ["Done."]},
        "parallel": {"many": [2, 2], "requests": [f"Count {listed}."]},
    }  # fmt: skip
    entities = {"task": {"fields": {"id": {"pattern": "T[0-9]{4}"}, "title": {"from": ["Buy stamps"]}}, "say": ["it"]}}
    return context_over(
        compiled_of({"entities": entities, "tools": {"count": {"ways": [way]}}}, [tool("count")]), "count"
    )


def _failed(context: PlanningContext) -> PlannedCall:
    return PlannedCall(context.compiled.tools["count"], {}, outcome="SERVICE_UNAVAILABLE", answer=OUTAGE, struck=True)


def _things(listed: str, *each: dict[str, Any]) -> list[str]:
    """What is said of each of several, had it failed, after a request that lists them."""
    context = _context(listed, {name: {"from": [1]} for name in each[0]})
    way = context.way()
    assert way.parallel is not None
    context.ask(way.parallel[1], context.state.scope(each=list(each)))
    scope = context.state.scope()
    return [subject_of(context.state, way, scope, _failed(context), each, place) for place in range(len(each))]


DISHES = ({"a": "duck", "b": "kale"}, {"a": "beef", "b": "rice"})
SPORTS = ({"n": 85, "a": "rowing"}, {"n": 45, "a": "yoga"})
NAMES = ({"f": "Ann", "l": "Lee", "n": 5}, {"f": "Ann", "l": "Cole", "n": 6})
RENTS = ({"a": "rent", "b": "May"}, {"a": "rent", "b": "June"})
TESTS = ({"a": "unit", "b": "x"}, {"a": "load", "b": "y"})
CITIES = ({"c": "Paris, France"}, {"c": "Rome, Italy"})


@each_row(
    ("listed", "each", "things"),
    [
        ("<each: {c}>", ({"c": "Prague"}, {"c": "Rome"}), ["Prague", "Rome"]),
        ("<each: {c}>", CITIES, ["Paris, France", "Rome, Italy"]),
        ("<each: my {c}>", ({"c": "loan"}, {"c": "card"}), ["your loan", "your card"]),
        ("<each: with {a} and {b}>", DISHES, ["duck and kale", "beef and rice"]),
        ("<each: {n} minutes of {a}>", SPORTS, ["85 minutes of rowing", "45 minutes of yoga"]),
        ("<each: {p} {n|money:$}>", ({"p": "Neil", "n": 5}, {"p": "Marie", "n": 5}), ["Neil", "Marie"]),
        ("<each: {f} {l}, {n}>", NAMES, ["Ann Lee", "Ann Cole"]),
        ("<each: {a} in {b}>", RENTS, ["rent in May", "rent in June"]),
        ("<each: the {a} tests of {b}>", TESTS, ["the unit tests of x", "the load tests of y"]),
        ("<each: {n} {s} shares>", ({"n": 5, "s": "ACME"}, {"n": 6, "s": "NVDA"}), ["5 ACME shares", "6 NVDA shares"]),
        ("<each: \"{t}\": {x}>", ({"t": "Wine", "x": "Red"}, {"t": "Tea", "x": "Green"}), ['"Wine"', '"Tea"']),
        ("<each: {d|on}>", ({"d": "2026-01-20"}, {"d": "2026-02-01"}), ["January 20", "February 1"]),
        ("<each: {n|money:$}>", ({"n": 170}, {"n": 1050}), ["$170", "$1,050"]),
        ("<each: #{n}>", ({"n": 170}, {"n": 1050}), ["#170", "#1050"]),
        ("<each: {c}>", ({"c": "book the ferry"}, {"c": "sign up for a course"}), ["the first one", "the second one"]),
        ("<each: {c}>", ({"c": "bees and ants"}, {"c": "a car and the dog"}), ["bees and ants", "a car and the dog"]),
        ("<each: {n}> years", ({"n": 6}, {"n": 5}, {"n": 4}), ["the first one", "the second one", "the third one"]),
        ("<each: {m}>", ({"m": "by bus"}, {"m": "on foot"}), ["the first one", "the second one"]),
        ("<each: what I owe {p}>", ({"p": "to me"}, {"p": "at my place"}), ["the first one", "the second one"]),
        ("<each: {c}>", ({"c": "one; two"}, {"c": "a" * 90}), ["the first one", "the second one"]),
        ("<each: {c}>", ({"c": "Rome"}, {"c": "Rome"}), ["the first one", "the second one"]),
        ("them all", ({"c": "Rome"}, {"c": "Oslo"}), ["the first one", "the second one"]),
    ],
)  # fmt: skip
def test_one_of_several_is_named_by_what_tells_it_apart(
    listed: str, each: tuple[dict[str, Any], ...], things: list[str]
) -> None:
    assert _things(listed, *each) == things


def test_words_that_were_not_said_after_all_name_nothing() -> None:
    """A text is given up over a slot that stands for nothing; what it listed by then was never said."""
    each = [{"c": "Rome"}, {"c": "Oslo"}]
    context = _context("<each: {c}> {c}", {"c": {"from": [1]}})
    with pytest.raises(Exception, match="nothing can be said"):
        context.ask(context.way().parallel[1], context.state.scope(each=each))  # type: ignore[index]  # this way has it
    assert (
        subject_of(context.state, context.way(), context.state.scope(), _failed(context), each, 1) == "the second one"
    )


def test_a_title_in_small_letters_is_quoted_as_it_is() -> None:
    context = _context("<each: {t.title|lower}>", {"t": {"row": "task"}})
    each = [{"t": Row("task", number, {"title": title})} for number, title in enumerate(("Buy stamps", "Call Anna"))]
    way = context.way()
    context.ask(way.parallel[1], context.state.scope(each=each))  # type: ignore[index]  # this way has it
    assert subject_of(context.state, way, context.state.scope(), _failed(context), each, 0) == '"Buy stamps"'


def _alone(name: str = "renew_loan") -> tuple[PlanningContext, Any, Any, str]:
    """A wish about one row that the user calls by its name, and not by its id."""
    for seed in range(20):
        context = library_context(name, seed=seed)
        way = context.way()
        scope = context.draw(way)
        context.let_know(way.arguments, scope)
        request = context.ask(way.requests, scope)
        if context.state.speech.named:
            return context, way, scope, request
    raise AssertionError("nobody calls a row by its name")


def test_a_call_alone_is_about_the_row_that_was_called() -> None:
    context, way, scope, request = _alone()
    failed = context.call(context.name, way.arguments, scope, request, OUTAGE)
    (row,) = (each.row(scope) for each in way.arguments.ids)
    assert subject_of(context.state, way, scope, failed) == context.state.speech.named[row].replace("my", "your")
    del context.state.speech.named[row]
    assert subject_of(context.state, way, scope, failed) == ""


def test_a_call_that_succeeds_is_about_nothing_that_failed() -> None:
    context, way, scope, request = _alone()
    call = context.call(context.name, way.arguments, scope, request)
    assert call.outcome == SUCCESS
    assert subject_of(context.state, way, scope, call) == ""
    assert subject_of(context.state, way, scope, call, [{}], 0) == ""


def test_who_gets_something_new_is_not_what_failed() -> None:
    """A payment to somebody fails: the payment, not the person."""
    entities = {
        "payee": {"rows": 3, "fields": {"id": {"pattern": "P[0-9]{5}"}, "name": {"faker": "name"}}, "say": ["{name}"],
                  "say_id": ["{name} ({id})"]},
        "payment": {"rows": 0, "fields": {"id": {"pattern": "X[0-9]{5}"}}},
    }  # fmt: skip
    way = {"draw": {"p": {"row": "payee"}}, "arguments": {"payee_id": "$p.id"}, "requests": ["Pay {p}."],
           "replies": {"ok": ["Paid."]}}  # fmt: skip
    known = {"effect": [{"create": "payment"}], "ways": [way]}
    compiled = compiled_of({"entities": entities, "tools": {"pay": known}}, [tool("pay", None, (), payee_id="string")])
    context = context_over(compiled, "pay")
    scope = context.draw(context.way())
    context.let_know(context.way().arguments, scope)
    request = context.ask(context.way().requests, scope)
    failed = context.call("pay", context.way().arguments, scope, request, OUTAGE)
    assert subject_of(context.state, context.way(), scope, failed) == ""


def test_what_succeeds_is_named_as_it_was_listed_or_not_at_all() -> None:
    each = [{"c": "Rome"}, {"c": "Oslo"}]
    context = _context("<each: {c}>", {"c": {"from": [1]}})
    context.ask(context.way().parallel[1], context.state.scope(each=each))  # type: ignore[index]  # this way has it
    assert [listed_subject(context.state, each, place) for place in (0, 1)] == ["Rome", "Oslo"]
    assert listed_subject(context.state, [], 0) == listed_subject(context.state, [{"c": "Bonn"}], 0) == ""
