"""The stage of one record: what is drawn, said, called, known and looked up while it is planned."""

from dataclasses import replace

import pytest

from generator.jsontext import JsonObject, JsonValue
from generator.records.calls import SUCCESS, ToolResult
from generator.scenarios.blueprint import PlanError
from generator.scenarios.stage import outcome_of
from generator.worlds.rows import Row
from generator.worlds.ways import WayProgram
from tests.domains_library import LIBRARY, LIBRARY_TOOLS, domain_of, library, tool
from tests.plays import book_of, stage


def _way(name: str = "renew_loan") -> WayProgram:
    return library().ways[name][0]


def test_what_a_way_draws_is_known_by_its_names() -> None:
    played = stage()
    scope = played.draw(_way().draws, played.scope())
    assert isinstance(scope.names["l"], Row)
    assert 3 <= scope.names["n"] <= 14
    assert played.values_of(_way().arguments, scope) == {
        "loan_id": scope.names["l"].fields["id"], "days": scope.names["n"],
    }  # fmt: skip


def test_where_there_is_nothing_to_draw_there_is_no_plan() -> None:
    never = {"draw": {"l": {"row": "loan", "where": [["renewals", ">", 9]]}}, "arguments": {"loan_id": "$l.id"},
             "requests": ["Return {l}."]}  # fmt: skip
    tools = {**LIBRARY["tools"], "return_loan": {"ways": [never]}}
    played = stage(book_of(domain_of(LIBRARY, tools=tools).model_dump(by_alias=True), LIBRARY_TOOLS))
    with pytest.raises(PlanError, match="loan"):
        played.draw(played.playbook.ways["return_loan"][0].draws, played.scope())


def _asking(*requests: str) -> JsonObject:
    return {"look": {"ways": [{"draw": {"x": {"integer": [1, 9]}}, "requests": list(requests)}]}}


def test_a_text_that_cannot_be_said_gives_way_to_another_one() -> None:
    book = book_of({"tools": _asking("What is {x}?", "What is there?")}, [tool("look")])
    said = {stage(book, seed).say(book.ways["look"][0].requests, stage(book).scope(x=None)) for seed in range(12)}
    assert said == {"What is there?"}


def test_where_nothing_can_be_said_the_plan_tells_why() -> None:
    book = book_of({"tools": _asking("What is {x}?")}, [tool("look")])
    played = stage(book)
    with pytest.raises(PlanError, match=r"nothing can be said: 'What is \{x\}\?'"):
        played.say(book.ways["look"][0].requests, played.scope(x=None))
    with pytest.raises(PlanError, match="no words"):
        played.say((), played.scope())


def test_replies_whose_condition_holds_come_before_those_without_one() -> None:
    replies = {"ok": ["Fine.", {"when": [["$n", ">", 5]], "say": ["That is much."]}]}
    tools = {"look": {"ways": [{"requests": ["Look."], "draw": {"n": {"integer": [1, 9]}}, "replies": replies}]}}
    book = book_of({"tools": tools}, [tool("look")])
    told = book.ways["look"][0].replies["ok"]
    played = stage(book)
    assert {played.reply(told, played.scope(n=n)) for n in (6, 9, 7, 8)} == {"That is much."}
    assert {played.reply(told, played.scope(n=n)) for n in (1, 5, 3, 2)} == {"Fine."}


def test_a_call_changes_the_world_of_the_plan_and_not_the_one_it_began_with() -> None:
    played = stage()
    row = next(iter(played.world.table("loan").values()))
    before = played.start.digest()
    call = played.call("renew_loan", {"loan_id": row.fields["id"], "days": 5})
    assert call.outcome == SUCCESS
    assert call.answer == played.results[-1]
    assert played.start.digest() == before != played.world.digest()
    again = played.call("renew_loan", {"loan_id": row.fields["id"], "days": 5})
    assert (again.outcome, again.answer and again.answer.error_message) == ("INVALID_STATE", "It was renewed already.")


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("renew_lone", {}, "the tool renew_lone is not there"),
        ("renew_loan", {"loan_id": "L-1"}, "renew_loan: .*days"),
        ("renew_loan", {"loan_id": "L-1", "days": "five"}, "renew_loan: days: "),
        ("renew_loan", {"loan_id": "L-1", "days": 5, "note": ""}, "renew_loan: .*note"),
        ("renew_loan", {"loan_id": "L-1", "days": 2**70}, "renew_loan: a number is outside"),
    ],
)
def test_calls_that_nobody_should_make_are_no_plan(name: str, arguments: dict[str, JsonValue], reason: str) -> None:
    played = stage()
    with pytest.raises(PlanError, match=reason):
        played.call(name, arguments)
    assert played.results == []


def test_an_outage_takes_the_place_of_the_worlds_answer_and_changes_nothing() -> None:
    played = stage()
    row = next(iter(played.world.table("loan").values()))
    outage = ToolResult("renew_loan", error_type="SERVICE_UNAVAILABLE", error_message="Down.")
    call = played.call("renew_loan", {"loan_id": row.fields["id"], "days": 5}, outage)
    assert (call.outcome, call.answer) == ("SERVICE_UNAVAILABLE", outage)
    assert played.world.digest() == played.start.digest()


def test_an_id_nobody_told_is_looked_up_with_ids_that_were_told() -> None:
    played = stage()
    scope = played.draw(_way().draws, played.scope())
    row, member = scope.names["l"], played.world.me
    played.hear(f"You help member {member.fields['id']}.")
    assert list(played.unknown_rows(_way().arguments, scope)) == [("loan_id", row)]
    (found,) = played.look_up(row)
    assert (found.tool.name, found.arguments) == ("list_loans", {"member_id": member.fields["id"]})
    assert list(played.unknown_rows(_way().arguments, scope)) == []


def test_an_id_that_nothing_tells_is_no_plan() -> None:
    played = stage()
    loan = next(iter(played.world.table("loan").values()))
    book = next(iter(played.world.table("book").values()))
    with pytest.raises(PlanError, match="nobody can know the id of this member"):
        played.look_up(loan)  # its look-up needs the member's id, which nobody has told and nothing finds
    with pytest.raises(PlanError, match="nobody can know the id of this book"):
        played.look_up(book)
    imagined = played.world.imagine("loan", {}, played.random)
    with pytest.raises(PlanError, match="nobody can know the id of this loan"):
        played.look_up(imagined)


def test_a_look_up_that_does_not_show_the_id_is_no_plan() -> None:
    shy = {**LIBRARY["tools"], "list_loans": {**LIBRARY["tools"]["list_loans"], "result": {"loans": [], "total": 0}}}
    played = stage(book_of(domain_of(LIBRARY, tools=shy).model_dump(by_alias=True), LIBRARY_TOOLS))
    played.hear(str(played.world.me.fields["id"]))
    with pytest.raises(PlanError, match="list_loans does not tell the id of the loan"):
        played.look_up(next(iter(played.world.table("loan").values())))


def test_results_have_numbers_and_the_last_one_a_name() -> None:
    played = stage()
    assert played.result_names() == {}
    played.call("search_books", {})
    played.call("renew_loan", {"loan_id": "L-none", "days": 2})
    names = played.result_names()
    assert names["r1"] == played.results[0].content
    error = {"error": {"type": "RESOURCE_NOT_FOUND", "message": "No L-none."}}
    assert names["r"] == names["r2"] == error


def test_only_what_was_said_or_shown_is_known() -> None:
    played = stage()
    call = played.call("search_books", {})
    assert call.answer is not None
    first = call.answer.content["books"][0]["id"]
    assert not played.is_known(first)
    played.show([call])
    assert played.is_known(first)


def test_the_words_for_a_worded_value_and_for_constants_are_evidence() -> None:
    way = {"draw": {"f": {"wording": "shelf"}}, "arguments": {"query": "$f.tag", "page": 1},
           "requests": ["What is there {f}, to begin with?"]}  # fmt: skip
    whole = {**way, "arguments": {"filter": "$f", "page": 1}}
    search = tool("search_books", None, (), filter={"type": "object"}, page="integer")
    document = domain_of(LIBRARY).model_dump(by_alias=True)
    document |= {"tools": {"search_books": {"ways": [whole]}}, "tasks": [], "rules": []}
    document["entities"]["loan"]["find"] = None
    book = book_of(document, [search])
    played = stage(book)
    program = book.ways["search_books"][0]
    scope = played.draw(program.draws, played.scope())
    request = played.say(program.requests, scope)
    evidence = played.evidence(program.arguments, scope, request)
    assert evidence["page"] == request
    assert evidence["filter"] in ("among the novels", "among the thrillers")
    assert evidence["filter"] in request
    listed = {"values": {"filter": lambda scope: [program.arguments.values["filter"](scope)]}, "constants": frozenset()}
    assert played.evidence(replace(program.arguments, **listed), scope, request) == {"filter": evidence["filter"]}


@pytest.mark.parametrize(
    ("content", "outcome"),
    [
        ([], "empty"),
        ({}, "empty"),
        ({"items": []}, "empty"),
        ({"items": [], "total": 0}, "empty"),
        ({"items": [], "others": [1]}, "ok"),
        ({"items": [], "filter": {"name": "x"}}, "ok"),
        ({"done": True}, "ok"),
        ([0], "ok"),
        (None, "ok"),
        ("", "ok"),
        (0, "ok"),
    ],
)
def test_how_a_result_ends(content: JsonValue, outcome: str) -> None:
    assert outcome_of(ToolResult("look", content)) == outcome


def test_an_error_ends_with_its_type() -> None:
    assert outcome_of(ToolResult("look", error_type="INVALID_STATE", error_message="No.")) == "INVALID_STATE"
