"""Which of two values is the first and which the second: found by the closed words beside them, in five languages."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation import check
from tests.record_examples import FIRST, SECOND, call
from tests.tables import each_row

Json = Any  # parsed JSON


def findings(asked: str | list[str], *given: Json, described: Json = None, mask: Json = None) -> list[tuple[str, str]]:
    """What is found of roles, with how surely; each call is of one tool with the parameters of them all."""
    texts = [asked] if isinstance(asked, str) else asked
    names = {name for arguments in given for name in arguments}
    properties = {name: {"description": (described or {}).get(name, "")} for name in names}
    tool = {"name": "act", "description": "Act.", "parameters": {"type": "object", "properties": properties}}
    said = [[{"role": "user", "content": text}, {"role": "assistant", "content": "What else?"}] for text in texts]
    document = {
        "messages": [
            *[message for pair in said for message in pair][:-1],
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [call((FIRST, SECOND)[at], "act", each) for at, each in enumerate(given)],
            },
        ],
        "tools": [{"type": "function", "function": tool}],
        "metadata": {"mask": mask} if mask else {},
    }
    return [(each.severity, each.pointer.rsplit("/", 1)[1]) for each in check(document) if each.rule == "TC209"]


def exchanged(arguments: Json) -> Json:
    """The same arguments, the values of the first two in each other's place."""
    (one, mine), (other, theirs), *rest = arguments.items()
    return {one: theirs, other: mine, **dict(rest)}


CERTAIN: list[tuple[str, Json]] = [
    ("A train from Rome to Oslo, please.", {"origin": "Rome", "destination": "Oslo"}),
    ("I need to get to Oslo. I start from Rome.", {"from_city": "Rome", "to_city": "Oslo"}),
    ("To Oslo from Rome, how long?", {"start": "Rome", "end": "Oslo"}),
    ("Flights Rome -> Oslo?", {"departure_airport": "Rome", "arrival_airport": "Oslo"}),
    ("The Rome–Oslo flight, please.", {"source": "Rome", "target": "Oslo"}),
    ("Hotels between 80 and 120 euros", {"min_price": 80, "max_price": 120}),
    ("At least 80, at most 120.", {"price_min": 80, "price_max": 120}),
    ("Nothing over 120, but more than 80.", {"lowest_price": 80, "highest_price": 120}),
    ("Rename draft.txt to final.txt", {"old_name": "draft.txt", "new_name": "final.txt"}),
    ("Replace colour with color.", {"old_text": "colour", "new_text": "color"}),
    ("Message from Ann to Bob: hello", {"sender": "Ann", "recipient": "Bob"}),
    ("Convert 50 dollars to euros.", {"from_currency": "dollars", "to_currency": "euros", "amount": 50}),
    ("Sender: Ann\nRecipient: Bob", {"sender_name": "Ann", "recipient_name": "Bob"}),
    ("Von Rom nach Oslo, bitte.", {"origin": "Rom", "destination": "Oslo"}),
    ("Wie komme ich nach Oslo, und zwar vom Bahnhof Rom?", {"start": "Rom", "ziel": "Oslo"}),
    ("Quiero volar de Roma a Oslo.", {"origen": "Roma", "destino": "Oslo"}),
    ("Llévame hasta Oslo desde Roma", {"start": "Roma", "end": "Oslo"}),
    ("Un train de Rome à Oslo", {"origin": "Rome", "destination": "Oslo"}),
    ("Le trajet vers Oslo depuis Rome ?", {"depart": "Rome", "arrivee": "Oslo"}),
    ("从罗马到奥斯陆的机票", {"origin": "罗马", "destination": "奥斯陆"}),
    ("我在罗马，想去奥斯陆", {"start": "罗马", "end": "奥斯陆"}),
    ("A cab from Rome to Oslo.", {"from": {"city": "Rome"}, "to": {"city": "Oslo"}}),
]


MORE_CERTAIN: list[tuple[str, Json]] = [
    (
        "Change my email from ann@x.example to ann@y.example",
        {"old_email": "ann@x.example", "new_email": "ann@y.example"},
    ),
    ("I'm heading to the airport. Pick me up at Hill House.", {"pickup": "Hill House", "dropoff": "airport"}),
    ("Under 200 but over 100, please", {"min_price": 100, "max_price": 200}),
    ("Nothing under 100, nothing over 200", {"min_price": 100, "max_price": 200}),
    ("30 or younger, but 18 at least; from 18 to 30", {"min_age": 18, "max_age": 30}),
    ("It must end by 16:00 and begin after 14:00", {"start_time": "14:00", "end_time": "16:00"}),
    ("Finish before 16:00, not before 14:00", {"start_time": "14:00", "end_time": "16:00"}),
    ("What happened before 2020 and after 2010?", {"start_year": 2010, "end_year": 2020}),
    ("To: bob@x.example\nFrom: ann@x.example\nHi", {"from": "ann@x.example", "to": "bob@x.example"}),
    ("Upgrade me from Basic to Pro", {"current_plan": "Basic", "new_plan": "Pro"}),
    ("Ich fahre von Köln weiter nach Bonn", {"origin": "Köln", "destination": "Bonn"}),
    ("Unter 200, aber über 100 Euro", {"min_price": 100, "max_price": 200}),
    ("Verschieb den Termin von Montag auf Dienstag", {"old_day": "Montag", "new_day": "Dienstag"}),
    ("Cambia la cita del lunes al martes", {"old_day": "lunes", "new_day": "martes"}),
    ("Entre 100 y 200 euros", {"min_price": 100, "max_price": 200}),
    ("Je pars de Lyon et je vais à Nice", {"origin": "Lyon", "destination": "Nice"}),
    ("Moins de 200 euros mais plus de 100", {"min_price": 100, "max_price": 200}),
    ("把会议从周一改到周二", {"old_day": "周一", "new_day": "周二"}),
    ("200元以下,100元以上", {"min_price": 100, "max_price": 200}),
    ("去北京,从上海出发", {"origin": "上海", "destination": "北京"}),
]


@each_row(("asked", "arguments"), [*CERTAIN, *MORE_CERTAIN])
def test_both_sides_said_the_other_way_round_are_an_error(asked: str, arguments: Json) -> None:
    assert findings(asked, arguments) == []
    found = findings(asked, exchanged(arguments))
    assert [severity for severity, _ in found] == ["error"]


LIKELY: list[tuple[str, Json]] = [
    ("Get me to Oslo, please. Rome is where I live.", {"origin": "Rome", "destination": "Oslo"}),
    ("I'm at the Old Mill. How long to my mother, Hill Street?", {"start": "Old Mill", "end": "Hill Street"}),
    (
        "What would 50 dollars be worth, for euros I mean?",
        {"from_currency": "dollars", "to_currency": "euros", "n": 50},
    ),
    ("Ich muss nach Oslo. Rom ist mein Zuhause.", {"origin": "Rom", "destination": "Oslo"}),
]


@pytest.mark.parametrize(("asked", "arguments"), LIKELY)
def test_one_side_alone_is_a_warning(asked: str, arguments: Json) -> None:
    assert findings(asked, arguments) == []
    assert [severity for severity, _ in findings(asked, exchanged(arguments))] == ["warning"]


@each_row(
    ("asked", "arguments"),
    [
        ("Rome, Oslo, tomorrow.", {"origin": "Oslo", "destination": "Rome"}),
        ("Is Oslo closer to Rome than to Bonn?", {"from_city": "Rome", "to_city": "Oslo"}),
        ("Nothing cheaper than 100; 200 tops", {"min_price": 100, "max_price": 200}),
        ("I'm on Basic now and want Pro", {"current_plan": "Basic", "new_plan": "Pro"}),
        ("How far is Oslo from Rome?", {"origin": "Oslo", "destination": "Rome"}),
        ("What is the nearest bank to Hill Street?", {"start": "Hill Street", "end": "Bank Row"}),
        ("I want to visit Rome after Oslo.", {"origin": "Rome", "destination": "Oslo"}),
        ("Something to eat in Rome, and a hotel.", {"origin": "Rome", "destination": "Oslo"}),
        ("From Rome to Rome", {"origin": "Rome", "destination": "Rome"}),
        ("From 9 to 5", {"start": "9", "end": 5}),
        ("Fly from Rome on 2026-03-04.", {"departure_date": "2026-03-04", "destination": "Oslo"}),
        ("First Ann, then Lee", {"first_name": "Lee", "last_name": "Ann"}),
    ],
)
def test_nothing_is_said_without_a_sign(asked: str, arguments: Json) -> None:
    assert findings(asked, arguments) == []


def test_the_way_back_is_no_exchange() -> None:
    there, back = {"origin": "Rome", "destination": "Oslo"}, {"origin": "Oslo", "destination": "Rome"}
    assert findings("From Rome to Oslo, and the other leg as well.", there, back) == []
    assert findings("I came from Rome to Oslo. Now the way back.", back) == [("note", "origin")]


def test_the_legs_of_a_journey_share_a_place() -> None:
    legs = {"origin": "Rome", "destination": "Oslo"}, {"origin": "Oslo", "destination": "Bonn"}
    assert findings("From Rome to Oslo, then on from Oslo to Bonn.", *legs) == []
    assert findings("From Rome I go to Oslo and on to Bonn.", *legs) == []


def test_values_may_be_said_in_several_turns() -> None:
    asked = ["I have to leave Rome tomorrow.", "To Oslo, please."]
    assert findings(asked, {"origin": "Rome", "destination": "Oslo"}) == []
    assert findings(asked, {"origin": "Oslo", "destination": "Rome"}) == [("error", "origin")]


def test_descriptions_name_the_sides_where_names_do_not() -> None:
    described = {"a": "City of departure.", "b": "City of arrival."}
    asked = "From Rome to Oslo."
    assert findings(asked, {"a": "Rome", "b": "Oslo"}, described=described) == []
    assert findings(asked, {"a": "Oslo", "b": "Rome"}, described=described) == [("error", "a")]
    assert findings(asked, {"a": "Oslo", "b": "Rome"}) == []


def test_masked_names_stand_for_their_own() -> None:
    mask = {"tools": {"act": "fly"}, "parameters": {"x1": "origin", "x2": "destination"}}
    asked = "From Rome to Oslo."
    assert findings(asked, {"x1": "Rome", "x2": "Oslo"}, mask=mask) == []
    assert findings(asked, {"x1": "Oslo", "x2": "Rome"}, mask=mask) == [("error", "x1")]


@pytest.mark.parametrize(
    "arguments",
    [
        {"start_date": "2026-03-04", "end_date": "2026-03-09"},
        {"check_in": "2026-03-04", "check_out": "2026-03-09"},
        {"created_after": "2026-03-04T10:00", "created_before": "2026-03-04T12:00"},
        {"min_price": 80, "max_price": 120},
        {"price": {"min": 80.5, "max": 120}},
        {"from_year": 1990, "to_year": 2000},
    ],
)
def test_ranges_run_forwards(arguments: Json) -> None:
    assert findings("As we said.", arguments) == []
    nested = "price" in arguments
    turned = {"price": exchanged(arguments["price"])} if nested else exchanged(arguments)
    assert [severity for severity, _ in findings("As we said.", turned)] == ["error"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"start_time": "22:00", "end_time": "06:00"},
        {"start": 10, "end": 1},
        {"old_price": 90, "new_price": 80},
        {"start_date": "04.03.2026", "end_date": "01.04.2026"},
    ],
)
def test_what_may_run_backwards_is_no_range(arguments: Json) -> None:
    assert findings("As we said.", arguments) == []


@pytest.mark.parametrize(
    ("asked", "arguments"),
    [
        ("A triangle with a base of 10 and a height of 5.", {"base": 10, "height": 5}),
        ("It has 180 hits and 600 at-bats; print 3 decimals.", {"hits": 180, "decimals": 3}),
        ("Title: The Old House. Author: Ann Lee.", {"title": "The Old House", "author": "Ann Lee"}),
        ('Write a mail with the subject "Hello" and the body "See you"', {"subject": "Hello", "body": "See you"}),
        ("Breite 30, Höhe 40", {"breite": 30, "hohe": 40}),
    ],
)
def test_values_headed_by_each_others_names_are_an_error(asked: str, arguments: Json) -> None:
    assert findings(asked, arguments) == []
    assert [severity for severity, _ in findings(asked, exchanged(arguments))] == ["error"]


def test_the_words_of_descriptions_count_for_numbers() -> None:
    described = {"v": "Speed in meters.", "t": "Time in seconds."}
    asked = "It moves 20 meters in 5 seconds."
    assert findings(asked, {"v": 20, "t": 5}, described=described) == []
    assert findings(asked, {"v": 5, "t": 20}, described=described) == [("warning", "v")]


@pytest.mark.parametrize(
    ("asked", "arguments"),
    [
        ("Lend me 12,000 dollars for 5 years.", {"amount": 12000, "years": 5}),
        ("The title is Dune, by Frank Herbert, the author.", {"title": "Dune", "author": "Frank Herbert"}),
    ],
)
def test_one_value_that_is_headed_is_a_warning(asked: str, arguments: Json) -> None:
    assert findings(asked, arguments) == []
    assert [severity for severity, _ in findings(asked, exchanged(arguments))] == ["warning"]


@pytest.mark.parametrize(
    ("asked", "arguments"),
    [
        ("The base and height are 6 and 10.", {"base": 6, "height": 10}),
        ("A room at the Hilton Hotel in Rome", {"hotel": "Hilton Hotel", "city": "Rome"}),
        ("The city guide of Rome, about hotels", {"topic": "hotels", "city": "Rome"}),
        ("5 base 5 height", {"base": 5, "height": 6}),
        ("base 10, then base 5, height 10", {"base": 5, "height": 10}),
    ],
)
def test_nothing_is_said_where_names_do_not_head(asked: str, arguments: Json) -> None:
    assert findings(asked, arguments) == []


@pytest.mark.parametrize(
    ("arguments", "severity"),
    [
        ({"full_name": "Ann Lee", "phone": "555-0131"}, "error"),
        ({"name": "Ann Lee", "email": "ann@x.example"}, "error"),
        ({"phone": "555-0131", "email": "ann@x.example"}, "error"),
        ({"city": "Graz", "postcode": "8010"}, "error"),
        ({"stadt": "Graz", "plz": "8010"}, "error"),
        ({"address": {"city": "Graz", "zip_code": "8010"}}, "error"),
        ({"note": "call her", "email": "ann@x.example"}, "warning"),
        ({"homepage_url": "https://x.example/a", "note": "nice"}, "warning"),
    ],
)
def test_forms_in_each_others_place_are_found(arguments: Json, severity: str) -> None:
    assert findings("Save it.", arguments) == []
    nested = "address" in arguments
    turned = {"address": exchanged(arguments["address"])} if nested else exchanged(arguments)
    assert [found for found, _ in findings("Save it.", turned)] == [severity]


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "R2D2", "phone": "unknown"},
        {"email": "Ann", "note": "she has no address"},
        {"email": "me", "to": "bob"},
        {"name": "42", "id": "Ann"},
        {"phone": "my brother's", "amount": "500000"},
        {"user_id": "ann", "sha": "a1b2c3"},
        {"city": "T2P 1J9", "postcode": "Calgary"},
    ],
)
def test_what_may_be_of_any_form_is_left_alone(arguments: Json) -> None:
    assert findings("Save it.", arguments) == []
