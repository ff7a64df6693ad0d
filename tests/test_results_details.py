"""The parts of a result agree with each other and with the call."""

from __future__ import annotations

import pytest

from generator.jsontext import JsonObject
from generator.results.details import agree, name_person, tell_done
from generator.tools.operations import read_operation

HERE: JsonObject = {"owner": "ada", "repo": "engine"}
ROWS: list[tuple[str, JsonObject, str, JsonObject, JsonObject]] = [
    ("issue address", {"number": 7, "url": "x"}, "issue", HERE,
     {"number": 7, "url": "https://git.example.com/ada/engine/issues/7"}),
    ("pull request address", {"number": 7, "url": "x"}, "pull request", HERE,
     {"number": 7, "url": "https://git.example.com/ada/engine/pull/7"}),
    ("repository address", {"name": "engine", "url": "x"}, "repository", {},
     {"name": "engine", "url": "https://git.example.com/engine"}),
    ("address asked for", {"url": "x"}, "page", {"url": "x"}, {"url": "x"}),
    ("other address", {"url": "x"}, "page", {}, {"url": "x"}),
    ("private", {"visibility": "public"}, "repository", {"private": True}, {"visibility": "private"}),
    ("dry", {"conditions": "sunny", "precipitation_chance": 95}, "forecast", {},
     {"conditions": "sunny", "precipitation_chance": 15}),
    ("wet", {"conditions": "light rain", "precipitation_chance": 5}, "forecast", {},
     {"conditions": "light rain", "precipitation_chance": 65}),
    ("refused", {"result": False, "reason": "All requirements are met."}, "", {},
     {"result": False, "reason": "The requirements are not met."}),
    ("granted", {"result": True, "reason": "All requirements are met."}, "", {},
     {"result": True, "reason": "All requirements are met."}),
    ("significant", {"p_value": 0.2, "significant": True}, "", {}, {"p_value": 0.2, "significant": False}),
    ("teams", {"home_team": "A", "away_team": "B"}, "match", {"team1": "C", "team2": "D"},
     {"home_team": "C", "away_team": "D"}),
    ("one team", {"home_team": "A", "away_team": "B"}, "match", {"team": "C"}, {"home_team": "C", "away_team": "B"}),
    ("visitor", {"home_team": "A", "away_team": "C"}, "match", {"team": "C"}, {"home_team": "A", "away_team": "C"}),
    ("flight", {"flight_number": "BA547", "airline": "Lufthansa"}, "flight", {},
     {"flight_number": "LH547", "airline": "Lufthansa"}),
    ("flight asked for", {"flight_number": "BA547", "airline": "Lufthansa"}, "flight", {"flight_number": "BA547"},
     {"flight_number": "BA547", "airline": "British Airways"}),
    ("games", {"games_played": 22, "wins": 29, "losses": 13}, "team statistics", {},
     {"games_played": 42, "wins": 29, "losses": 13}),
    ("weekday", {"datetime": "2026-01-15T10:00:00Z", "day_of_week": "Monday"}, "", {},
     {"datetime": "2026-01-15T10:00:00Z", "day_of_week": "Thursday"}),
    ("login", {"login": "x", "name": "Open Data Lab"}, "organization", {},
     {"login": "open-data-lab", "name": "Open Data Lab"}),
    ("file", {"path": "page.pdf"}, "", {"filename": "bill.pdf"}, {"path": "bill.pdf"}),
]  # fmt: skip


@pytest.mark.parametrize(("value", "noun", "arguments", "agreed"), [row[1:] for row in ROWS], ids=[r[0] for r in ROWS])
def test_parts_agree(value: JsonObject, noun: str, arguments: JsonObject, agreed: JsonObject) -> None:
    assert agree(value, noun, arguments) == agreed
    assert agree({"entries": [value]}, noun, arguments) == {"entries": [agreed]}


@pytest.mark.parametrize("value", ["text", 3, None, [], [1], {}])
def test_any_value_comes_back(value: object) -> None:
    assert agree(value, "issue", HERE) == value


def test_the_person_asked_for_is_the_person_told_with_an_address_of_that_name() -> None:
    told = {"full_name": "Jaxon Choi", "email": "jaxon.choi@example.org"}
    assert name_person(told, {"customer_name": "Riley Choi"}) == {
        "full_name": "Riley Choi",
        "email": "riley.choi@example.org",
    }
    assert name_person(told, {"customer_id": "C1"}) == told
    assert name_person(told, {"name": "riley"}) == told


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("create_directory", {"path": "/srv/docs"}, "Successfully created /srv/docs"),
        ("move_file", {"source": "a.txt", "destination": "b.txt"}, "Successfully moved a.txt to b.txt"),
        ("create_directory", {}, "x"),
    ],
)
def test_a_deed_that_answers_in_one_text_says_what_was_done(name: str, arguments: JsonObject, told: str) -> None:
    assert tell_done({"content": "x"}, read_operation(name, ""), arguments) == {"content": told}


def test_only_a_single_text_says_what_was_done() -> None:
    operation = read_operation("create_directory", "")
    assert tell_done({"content": 3}, operation, {"path": "p"}) == {"content": 3}
    assert tell_done({"content": "x", "id": "1"}, operation, {"path": "p"}) == {"content": "x", "id": "1"}
