"""Several turns, corrections and changes of mind: over the bundled domains, and where they cannot be planned."""

import pytest

from generator.jsontext import JsonObject
from tests.domains_library import LIBRARY_TOOLS, library, tool
from tests.kind_records import calls, turns
from tests.plays import book_of, library_play, made, plan_error, play_over


def test_errands_over_several_turns_have_calls() -> None:
    for record in made("multi_turn"):
        assert 2 <= len(turns(record, "user")) <= 6
        assert len(calls(record)) >= 2


def test_a_later_turn_refers_to_the_same_thing() -> None:
    for record in made("coreference"):
        assert len(turns(record, "user")) == 2
        assert len(calls(record)) >= 2
        assert {*record["metadata"]["statuses"].values()} == {"SUCCESS"}


def test_the_last_value_wins() -> None:
    for record in made("argument_shift"):
        claim, (call,) = record["metadata"]["claim"], calls(record)
        assert call["arguments"][claim["parameter"]] != claim["before"]


def test_the_last_wish_wins() -> None:
    for record in made("intent_switch"):
        claim, (call,) = record["metadata"]["claim"], calls(record)
        assert call["name"] != claim["dropped"]
        assert claim["dropped"] in {each["function"]["name"] for each in record["tools"]}


WAY: JsonObject = {"draw": {"n": {"integer": [4, 4]}}, "arguments": {"n": "$n"}, "requests": ["Count to {n}."],
                   "replies": {"ok": ["Counted."]}}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "way", "reason"),
    [
        ("argument_shift", {}, "no way of count fits"),
        ("argument_shift", {"corrections": {"n": ["No, {n}."]}}, "the correction changes nothing"),
        ("intent_switch", {}, "there is no other wish to drop"),
        ("coreference", {}, "no way of count fits"),
        ("multi_turn", {}, "no way of count fits"),
    ],
)
def test_what_cannot_be_planned(kind: str, way: JsonObject, reason: str) -> None:
    book = book_of({"tools": {"count": {"ways": [{**WAY, **way}]}}}, [tool("count", None, ("n",), n="integer")])
    assert plan_error(kind, play_over(book, "count")) == reason


def test_where_nothing_further_is_wanted_of_a_thing_nothing_refers_to_it() -> None:
    assert plan_error("coreference", library_play("renew_loan")) == "nothing further is wanted of this"


def test_a_thing_that_is_gone_is_not_referred_to() -> None:
    """A loan that was returned cannot be renewed."""
    document = library().domain.model_dump(by_alias=True)
    document["tools"]["return_loan"]["ways"][0]["replies"] = {"ok": ["Returned."]}
    document["tools"]["renew_loan"]["ways"][0]["follow_ups"] = ["Renew it by {n} days."]
    book = book_of(document, LIBRARY_TOOLS)
    assert plan_error("coreference", play_over(book, "return_loan")) == "nothing further is wanted of this"
