"""What failed is named as the user said it: one of several by what tells it apart, a call alone by its row."""

from typing import Any

import pytest

from generator.jsontext import JsonObject
from generator.records.calls import SUCCESS, ToolResult
from generator.scenarios.play import Play
from generator.scenarios.scenario import PlannedCall
from generator.scenarios.things import listed_thing, thing_of
from generator.worlds.rows import Row
from tests.domains_library import tool
from tests.plays import book_of, library_play, play_over

OUTAGE = ToolResult("count", error_type="SERVICE_UNAVAILABLE", error_message="Out.")


def _play(listed: str, draw: JsonObject) -> Play:
    way = {
        "draw": draw, "arguments": {}, "requests": ["Count."], "replies": {"ok": ["Done."]},
        "parallel": {"many": [2, 2], "requests": [f"Count {listed}."]},
    }  # fmt: skip
    entities = {"task": {"fields": {"id": {"pattern": "T[0-9]{4}"}, "title": {"from": ["Buy stamps"]}}, "say": ["it"]}}
    return play_over(book_of({"entities": entities, "tools": {"count": {"ways": [way]}}}, [tool("count")]), "count")


def _failed(play: Play) -> PlannedCall:
    return PlannedCall(play.book.tools["count"], {}, outcome="SERVICE_UNAVAILABLE", answer=OUTAGE, struck=True)


def _things(listed: str, *each: dict[str, Any]) -> list[str]:
    """What is said of each of several, had it failed, after a request that lists them."""
    play = _play(listed, {name: {"from": [1]} for name in each[0]})
    way = play.way()
    assert way.parallel is not None
    play.ask(way.parallel[1], play.stage.scope(each=list(each)))
    scope = play.stage.scope()
    return [thing_of(play.stage, way, scope, _failed(play), each, place) for place in range(len(each))]


DISHES = ({"a": "duck", "b": "kale"}, {"a": "beef", "b": "rice"})
SPORTS = ({"n": 85, "a": "rowing"}, {"n": 45, "a": "yoga"})
NAMES = ({"f": "Ann", "l": "Lee", "n": 5}, {"f": "Ann", "l": "Cole", "n": 6})
RENTS = ({"a": "rent", "b": "May"}, {"a": "rent", "b": "June"})
TESTS = ({"a": "unit", "b": "x"}, {"a": "load", "b": "y"})
CITIES = ({"c": "Paris, France"}, {"c": "Rome, Italy"})


@pytest.mark.parametrize(
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
    play = _play("<each: {c}> {c}", {"c": {"from": [1]}})
    with pytest.raises(Exception, match="nothing can be said"):
        play.ask(play.way().parallel[1], play.stage.scope(each=each))  # type: ignore[index]  # this way has it
    assert thing_of(play.stage, play.way(), play.stage.scope(), _failed(play), each, 1) == "the second one"


def test_a_title_in_small_letters_is_quoted_as_it_is() -> None:
    play = _play("<each: {t.title|lower}>", {"t": {"row": "task"}})
    each = [{"t": Row("task", number, {"title": title})} for number, title in enumerate(("Buy stamps", "Call Anna"))]
    way = play.way()
    play.ask(way.parallel[1], play.stage.scope(each=each))  # type: ignore[index]  # this way has it
    assert thing_of(play.stage, way, play.stage.scope(), _failed(play), each, 0) == '"Buy stamps"'


def _alone(name: str = "renew_loan") -> tuple[Play, Any, Any, str]:
    """A wish about one row that the user calls by its name, and not by its id."""
    for seed in range(20):
        play = library_play(name, seed=seed)
        way = play.way()
        scope = play.draw(way)
        play.let_know(way.arguments, scope)
        request = play.ask(way.requests, scope)
        if play.stage.speech.named:
            return play, way, scope, request
    raise AssertionError("nobody calls a row by its name")


def test_a_call_alone_is_about_the_row_that_was_called() -> None:
    play, way, scope, request = _alone()
    failed = play.call(play.name, way.arguments, scope, request, OUTAGE)
    (row,) = (each.row(scope) for each in way.arguments.ids)
    assert thing_of(play.stage, way, scope, failed) == play.stage.speech.named[row].replace("my", "your")
    del play.stage.speech.named[row]
    assert thing_of(play.stage, way, scope, failed) == ""


def test_a_call_that_succeeds_is_about_nothing_that_failed() -> None:
    play, way, scope, request = _alone()
    call = play.call(play.name, way.arguments, scope, request)
    assert call.outcome == SUCCESS
    assert thing_of(play.stage, way, scope, call) == ""
    assert thing_of(play.stage, way, scope, call, [{}], 0) == ""


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
    book = book_of({"entities": entities, "tools": {"pay": known}}, [tool("pay", None, (), payee_id="string")])
    play = play_over(book, "pay")
    scope = play.draw(play.way())
    play.let_know(play.way().arguments, scope)
    request = play.ask(play.way().requests, scope)
    failed = play.call("pay", play.way().arguments, scope, request, OUTAGE)
    assert thing_of(play.stage, play.way(), scope, failed) == ""


def test_what_succeeds_is_named_as_it_was_listed_or_not_at_all() -> None:
    each = [{"c": "Rome"}, {"c": "Oslo"}]
    play = _play("<each: {c}>", {"c": {"from": [1]}})
    play.ask(play.way().parallel[1], play.stage.scope(each=each))  # type: ignore[index]  # this way has it
    assert [listed_thing(play.stage, each, place) for place in (0, 1)] == ["Rome", "Oslo"]
    assert listed_thing(play.stage, [], 0) == listed_thing(play.stage, [{"c": "Bonn"}], 0) == ""
