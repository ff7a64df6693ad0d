"""What a blueprint works with: ways in turn, system texts, known ids, replies, failures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.jsontext import JsonObject
from generator.kinds import KINDS
from generator.records import ToolResult
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.phrases import phrases
from generator.scenarios.planning_context import PlanningContext, require_success, turn
from generator.scenarios.scenario import PlanError, PlannedCall, Step
from generator.tools import Tool
from generator.worlds.program import CompiledDomain
from tests.domains_library import LIBRARY, LIBRARY_TOOLS, desk, domain_of, library, tool
from tests.planning_contexts import compiled_of, context_over, library_context
from tests.tables import each_row

OUTAGES = ("SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED")


def _looking(visit: int = 0, seed: int = 7, error_rate: float = 0.0, **known: object) -> PlanningContext:
    ways = [{"requests": [f"Look {word}."], "replies": {"ok": ["I looked."]}} for word in ("up", "down", "around")]
    document: JsonObject = {"tools": {"look": {"ways": ways, **known}}}
    return context_over(compiled_of(document, [tool("look")]), "look", visit=visit, seed=seed, error_rate=error_rate)


def test_each_visit_of_a_tool_takes_its_next_way() -> None:
    said = [_looking(visit).way().way.requests[0] for visit in range(4)]
    assert said == ["Look up.", "Look down.", "Look around.", "Look up."]


def test_where_no_way_fits_there_is_no_plan() -> None:
    with pytest.raises(PlanError, match="no way of look fits"):
        _looking().way(lambda way: way.confirm)


def test_a_domain_with_a_user_always_tells_who_it_is() -> None:
    for seed in range(8):
        context = library_context(seed=seed)
        context.open()
        me = context.state.world.me
        assert context.state.system == [f"You help {me.fields['name']} (member {me.fields['id']}) with the library."]
        assert context.state.is_known(me.fields["id"])


def test_the_date_is_told_where_a_day_was_said_without_its_year() -> None:
    for seed in range(12):
        context = library_context(seed=seed)
        context.state.speech.tells_no_year = True
        assert "January 15, 2026" in context.system(tools=True)
        assert context.states_date


def test_tools_are_shown_once_each_in_an_order_of_their_own() -> None:
    orders = set()
    for seed in range(12):
        made = library_context(seed=seed).blueprint((), ("renew_loan", "return_loan", "renew_loan", "list_loans"))
        assert sorted(made.shown) == ["list_loans", "renew_loan", "return_loan"]
        orders.add(made.shown)
    assert len(orders) > 3


def test_the_world_of_a_blueprint_is_the_one_before_the_first_call() -> None:
    context = library_context()
    before = context.state.world.digest()
    context.state.call("renew_loan", {"loan_id": _loan(context), "days": 3})
    assert context.blueprint((), ("renew_loan",)).world.digest() == before != context.state.world.digest()


def _loan(context: PlanningContext) -> str:
    return str(next(iter(context.state.world.table("loan").values())).fields["id"])


def test_ids_are_typed_by_the_user_or_told_by_the_system_message() -> None:
    told = {**LIBRARY["entities"]["loan"], "told": ["Loans: <rows: {book.title} ({id})>."], "find": None}
    document = domain_of(LIBRARY).model_dump(by_alias=True)
    for known, typed in (({"typed": 1, "told": 0}, True), ({"typed": 0, "told": 1}, False)):
        document["entities"] = {**LIBRARY["entities"], "loan": {**told, "known": known}}
        context = context_over(compiled_of(document, LIBRARY_TOOLS), "renew_loan")
        scope = context.draw(way := context.way())
        context.let_know(way.arguments, scope)
        loan = scope.names["l"]
        request = context.ask(way.requests[:1], scope)
        assert (f"loan {loan.fields['id']}" in request) is typed
        assert any(str(loan.fields["id"]) in text for text in context.state.system) is not typed
        context.require_known(way.arguments, scope)


def test_an_id_that_was_neither_said_nor_told_is_no_plan() -> None:
    context = library_context()
    scope = context.draw(way := context.way())
    with pytest.raises(PlanError, match="nobody tells the id of the loan for loan_id"):
        context.require_known(way.arguments, scope)


@pytest.mark.parametrize(("rate", "least", "most"), [(0.0, 0, 0), (1.0, 300, 300), (0.25, 45, 105)])
def test_outages_come_at_the_rate_of_the_job(rate: float, least: int, most: int) -> None:
    context = _looking(error_rate=rate)
    drawn = [outage for _ in range(300) if (outage := context.outage()) is not None]
    assert least <= len(drawn) <= most
    assert {outage.error_type for outage in drawn} <= set(OUTAGES)


def test_the_reply_to_an_outage_says_why() -> None:
    for outage in phrases()["outages"]:
        context = _looking()
        result = ToolResult("look", error_type=outage["type"], error_message=outage["message"])
        context.state.call("look", {}, result)
        assert outage["why"] in context.reply(context.way(), context.state.scope())


def test_an_empty_result_without_words_of_its_own_is_told_as_any() -> None:
    context = _looking(result={"found": []})
    context.state.call("look", {})
    assert context.reply(context.way(), context.state.scope()) == "I looked."
    context = _looking(result={"found": []}, replies={"empty": ["Nothing there."]})
    context.state.call("look", {})
    assert context.reply(context.way(), context.state.scope()) == "Nothing there."


def test_an_error_without_words_of_its_own_is_told_with_its_message() -> None:
    context = _looking(effect=[{"require": [[1, ">", 2]], "else": {"PERMISSION_DENIED": "Not for you."}}])
    context.state.call("look", {})
    assert "Not for you." in context.reply(context.way(), context.state.scope())


def test_a_success_without_words_is_no_plan() -> None:
    document: JsonObject = {"tools": {"look": {"ways": [{"requests": ["Look."]}]}}}
    context = context_over(compiled_of(document, [tool("look")]), "look")
    context.state.call("look", {})
    with pytest.raises(PlanError, match="no reply for the outcome ok"):
        context.reply(context.way(), context.state.scope())


def test_others_are_drawn_from_the_domain_without_the_leading_tool() -> None:
    names = ["list_loans", "renew_loan", "return_loan"]
    drawn = {library_context(seed=seed).others(names, 2) for seed in range(12)}
    assert {frozenset(each) for each in drawn} == {frozenset({"list_loans", "return_loan"})}
    assert library_context().others(["renew_loan"], 2) == ()


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


TALK = {"requests": ["Go."], "questions": ["How?"], "answers": ["So."]}
WAY: JsonObject = {"requests": ["Go."], "draw": {"n": {"integer": [1, 9]}}, "arguments": {"n": "$n"}}


def _book(*, strict: bool | None = None, near: tuple[str, ...] = (), can: str = "", **way: object) -> CompiledDomain:
    """A domain of two tools: one with the way, the other with no way at all."""
    tools = [tool("go", None, ("n",), n="integer").model_copy(update={"strict": strict}), tool("stay")]
    known = {"go": {"can": can, "near": list(near), "ways": [{**WAY, **way}]}, "stay": {}}
    return compiled_of({"tools": known}, tools)


@each_row(
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


def _without(*names: str) -> CompiledDomain:
    """The desk without some of its tools."""
    kept: list[Tool] = [each for name, each in desk().tools.items() if name not in names]
    document = desk().domain.model_dump(by_alias=True)
    document["tools"] = {name: known for name, known in document["tools"].items() if name not in names}
    document["rules"] = []
    return compiled_of(document, kept)


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


def test_tasks_of_one_message_lead_chains() -> None:
    assert LAYOUTS["sequential"].leads(library()) == ("list_loans", "renew_loan")
    assert LAYOUTS["sequential"].leads(desk()) == ()


def test_a_wish_that_refers_to_a_row_lets_those_about_such_rows_go_before_it() -> None:
    document = library().domain.model_dump(by_alias=True)
    assert LAYOUTS["coreference"].leads(library()) == ()
    document["tools"]["return_loan"]["ways"][0]["follow_ups"] = ["Return it."]
    followed = compiled_of(document, library().tools.values())
    assert LAYOUTS["coreference"].leads(followed) == ("renew_loan", "return_loan")
    assert set(LAYOUTS["multi_turn"].leads(followed)) == {"renew_loan", "return_loan"}
