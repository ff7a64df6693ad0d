"""What a blueprint works with: ways in turn, system texts, known ids, replies, failures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.jsontext import JsonObject
from generator.records.calls import ToolResult
from generator.scenarios.planning_context import Play, require_success, turn
from generator.scenarios.scenario import PlanError, PlannedCall, Step
from generator.scenarios.wording import phrases
from tests.domains_library import LIBRARY, LIBRARY_TOOLS, domain_of, tool
from tests.plays import book_of, library_play, play_over

OUTAGES = ("SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED")


def _looking(visit: int = 0, seed: int = 7, error_rate: float = 0.0, **known: object) -> Play:
    ways = [{"requests": [f"Look {word}."], "replies": {"ok": ["I looked."]}} for word in ("up", "down", "around")]
    document: JsonObject = {"tools": {"look": {"ways": ways, **known}}}
    return play_over(book_of(document, [tool("look")]), "look", visit=visit, seed=seed, error_rate=error_rate)


def test_each_visit_of_a_tool_takes_its_next_way() -> None:
    said = [_looking(visit).way().way.requests[0] for visit in range(4)]
    assert said == ["Look up.", "Look down.", "Look around.", "Look up."]


def test_where_no_way_fits_there_is_no_plan() -> None:
    with pytest.raises(PlanError, match="no way of look fits"):
        _looking().way(lambda way: way.confirm)


def test_a_domain_with_a_user_always_tells_who_it_is() -> None:
    for seed in range(8):
        play = library_play(seed=seed)
        play.open()
        me = play.stage.world.me
        assert play.stage.system == [f"You help {me.fields['name']} (member {me.fields['id']}) with the library."]
        assert play.stage.is_known(me.fields["id"])


def test_the_date_is_told_where_a_day_was_said_without_its_year() -> None:
    for seed in range(12):
        play = library_play(seed=seed)
        play.stage.speech.tells_no_year = True
        assert "January 15, 2026" in play.system(tools=True)
        assert play.states_date


def test_tools_are_shown_once_each_in_an_order_of_their_own() -> None:
    orders = set()
    for seed in range(12):
        made = library_play(seed=seed).blueprint((), ("renew_loan", "return_loan", "renew_loan", "list_loans"))
        assert sorted(made.shown) == ["list_loans", "renew_loan", "return_loan"]
        orders.add(made.shown)
    assert len(orders) > 3


def test_the_world_of_a_blueprint_is_the_one_before_the_first_call() -> None:
    play = library_play()
    before = play.stage.world.digest()
    play.stage.call("renew_loan", {"loan_id": _loan(play), "days": 3})
    assert play.blueprint((), ("renew_loan",)).world.digest() == before != play.stage.world.digest()


def _loan(play: Play) -> str:
    return str(next(iter(play.stage.world.table("loan").values())).fields["id"])


def test_ids_are_typed_by_the_user_or_told_by_the_system_message() -> None:
    told = {**LIBRARY["entities"]["loan"], "told": ["Loans: <rows: {book.title} ({id})>."], "find": None}
    document = domain_of(LIBRARY).model_dump(by_alias=True)
    for known, typed in (({"typed": 1, "told": 0}, True), ({"typed": 0, "told": 1}, False)):
        document["entities"] = {**LIBRARY["entities"], "loan": {**told, "known": known}}
        play = play_over(book_of(document, LIBRARY_TOOLS), "renew_loan")
        scope = play.draw(way := play.way())
        play.let_know(way.arguments, scope)
        loan = scope.names["l"]
        request = play.ask(way.requests[:1], scope)
        assert (f"loan {loan.fields['id']}" in request) is typed
        assert any(str(loan.fields["id"]) in text for text in play.stage.system) is not typed
        play.require_known(way.arguments, scope)


def test_an_id_that_was_neither_said_nor_told_is_no_plan() -> None:
    play = library_play()
    scope = play.draw(way := play.way())
    with pytest.raises(PlanError, match="nobody tells the id of the loan for loan_id"):
        play.require_known(way.arguments, scope)


@pytest.mark.parametrize(("rate", "least", "most"), [(0.0, 0, 0), (1.0, 300, 300), (0.25, 45, 105)])
def test_outages_come_at_the_rate_of_the_job(rate: float, least: int, most: int) -> None:
    play = _looking(error_rate=rate)
    drawn = [outage for _ in range(300) if (outage := play.outage()) is not None]
    assert least <= len(drawn) <= most
    assert {outage.error_type for outage in drawn} <= set(OUTAGES)


def test_the_reply_to_an_outage_says_why() -> None:
    for outage in phrases()["outages"]:
        play = _looking()
        result = ToolResult("look", error_type=outage["type"], error_message=outage["message"])
        play.stage.call("look", {}, result)
        assert outage["why"] in play.reply(play.way(), play.stage.scope())


def test_an_empty_result_without_words_of_its_own_is_told_as_any() -> None:
    play = _looking(result={"found": []})
    play.stage.call("look", {})
    assert play.reply(play.way(), play.stage.scope()) == "I looked."
    play = _looking(result={"found": []}, replies={"empty": ["Nothing there."]})
    play.stage.call("look", {})
    assert play.reply(play.way(), play.stage.scope()) == "Nothing there."


def test_an_error_without_words_of_its_own_is_told_with_its_message() -> None:
    play = _looking(effect=[{"require": [[1, ">", 2]], "else": {"PERMISSION_DENIED": "Not for you."}}])
    play.stage.call("look", {})
    assert "Not for you." in play.reply(play.way(), play.stage.scope())


def test_a_success_without_words_is_no_plan() -> None:
    document: JsonObject = {"tools": {"look": {"ways": [{"requests": ["Look."]}]}}}
    play = play_over(book_of(document, [tool("look")]), "look")
    play.stage.call("look", {})
    with pytest.raises(PlanError, match="no reply for the outcome ok"):
        play.reply(play.way(), play.stage.scope())


def test_others_are_drawn_from_the_playbook_without_the_leading_tool() -> None:
    names = ["list_loans", "renew_loan", "return_loan"]
    drawn = {library_play(seed=seed).others(names, 2) for seed in range(12)}
    assert {frozenset(each) for each in drawn} == {frozenset({"list_loans", "return_loan"})}
    assert library_play().others(["renew_loan"], 2) == ()


def test_a_failed_call_is_no_plan_where_success_is_required() -> None:
    call = PlannedCall(tool("look"), {})
    require_success(call)
    with pytest.raises(PlanError, match="look ends with INVALID_STATE"):
        require_success(replace(call, outcome="INVALID_STATE"))


def test_a_turn_is_a_request_its_calls_in_groups_and_a_reply() -> None:
    first, second = PlannedCall(tool("look"), {}), PlannedCall(tool("find"), {})
    assert turn("Hi.", [], "Hello.") == (
        Step(request=True, request_text="Hi."), Step(reply=True, reply_text="Hello."),
    )  # fmt: skip
    steps = turn("Look, then find.", [[first, first], [second]], "Found.")
    assert [step.calls for step in steps] == [(first, first), (second,), ()]
    assert [step.request for step in steps] == [True, False, False]
    assert [step.reply for step in steps] == [False, False, True]
