"""Certainty: what nothing said explains is likely wrong, or only doubtful; words that are named must be the value's."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation import check
from generator.validation.grounding.arguments.evidence import disproves
from generator.validation.grounding.arguments.sources import Said, Source, is_computed
from generator.validation.grounding.reading.languages import is_english
from generator.validation.grounding.reading.words import Words, fold
from tests.tables import each_row
from tests.test_validation_grounding_arguments_grounded import CALL, record

Json = Any  # parsed JSON


def degree(asked: str, value: Json, schema: Json | None = None, **others: Json) -> str:
    """How sure it is in a record that is read that nothing explains a value; "" where something does."""
    properties = {"value": schema or {"description": "A value."}, **{name: {} for name in others}}
    found = check(record(asked, {"value": value, **others}, properties=properties), generated=False)
    return "".join(each.severity for each in found if each.rule == "TC201" and each.pointer.endswith("/value"))


LIKELY: list[tuple[str, Json]] = [
    ("How is the weather in Rome?", "Lisbon"),
    ("Send 45 dollars to Ann", 54),
    ("Send 45 dollars to Ann", 46),
    ("Please send thirteen dollars to Ann", 30),
    ("Write to ann@example.org", "ann@example.com"),
    ("Where is order A-1733?", "A-1773"),
    ("Call Ann Berger, please", "Ann Keller"),
    ("Is it warm in Germany now?", "France"),
    ("Put 14 chairs into the hall", 140),
    ("Show me the 25 newest posts", 10),
    ("Reserve the Blue Room for Dana Whitfield", "Dana Witfield"),
    ("Tell me about the bar at Harbour Lights Inn", "Harbour Nights Inn"),
    ("Is invoice KX-20871 paid?", "KX-20817"),
    ("Renew my membership, please", "MBR-5529017"),
    ("Tell our accountant that I am late", "lucy@example.net"),
    ("Please print docs/plan.md", "docs/plan_1.md"),
    ("Book it for March 14, 2025", "2025-03-19"),
    ("Wake me at 6:30 AM", "07:30"),
    ("Buche den Saal für den 14. März 2025", "2025-03-19"),
]
DOUBTFUL: list[tuple[str, Json]] = [
    ("Crime rates of San Francisco please", "California"),
    ("The probability of a king from a deck of cards", 52),
    ("A car starts from rest", 0),
    ("What is it, 2800 per mole for 5 moles? The total, please, for 5 moles of 2800", 14000),
    ("What is the net worth of Messi?", "Lionel Messi"),
    ("Wo finde ich hier in der Gegend einen Spielplatz?", "playground"),
    ("这附近哪里有游乐场", "playground"),
    ("How hot is 95 Fahrenheit for the sauna?", 35.2),
    ("A pond 3 metres across, how much soil?", 1.45),
    ("Find a bakery within a five-minute walk", 400),
    ("我身高一米七五", 1.75),
    ("What do Litecoin and Monero cost?", "LTCUSDT"),
    ("Ship it from Antwerp to Busan", "BEANR"),
    ("Side effects of aspirin and Aspirin Cardio?", "acetylsalicylic acid"),
    ("the most liked clips of that channel", "likeCount"),
    ("Paint the tile in moss green", "#8A9A5B"),
    ("Which carrier has (312) 555-0188?", "+13125550188"),
    ("Handball table for 2020/21", "2020-2021"),
    ("Clean up the build folder", "rm -rf build/*"),
    ("How many readers signed up?", "SELECT COUNT(*) FROM readers WHERE kind = 'new'"),
    ("Find unread mail of the bank", "from:bank is:unread newer_than:7d"),
    ("Open the documentation of Ruby", "https://ruby-doc.org"),
    ("Write a script that draws a star", "star.py"),
    ("No luggage, the 7 am train", 0),
    ("Where in Vienna can I park?", 48.208),
    ("Invoice of 3 May 2024, net 30", "2024-06-02"),
    ("Start at 10:15 AM", "Kickoff meeting"),
    ("any good whodunits?", "Mystery"),
    ("The plank is 9 feet long, write that down", "inch"),
    ("Flats for 80 to 95 thousand euros", 80000),
    ("东京今天会下雨吗？", "Tokyo"),
    ("The gym on Friday 9 to 10", "09:00"),
]


def test_a_day_that_follows_from_one_that_is_given_is_doubtful() -> None:
    asked = "Bill them on 3 May 2024, they have a fortnight and a day"
    assert degree(asked, "2024-05-18", day="2024-05-03") == "note"
    assert degree(asked, "2024-05-18", day="2024-05-08") == "warning"


def test_what_the_assistant_named_before_is_doubtful_at_most() -> None:
    document = record("12 of them then", {"currency": "CHF", "seats": 13}, properties={"currency": {}, "seats": {}})
    before = [
        {"role": "user", "content": "Two seats for the opera in Zurich, what are they?"},
        {"role": "assistant", "content": "Each is 90 CHF. How many do you want: 2, 12 or 13?"},
    ]
    document["messages"][:0] = before
    found = [each for each in check(document, generated=False) if each.rule == "TC201"]
    assert {each.severity for each in found} <= {"note"}


def test_a_name_is_likely_invented_where_the_request_says_nothing_to_infer_it_from() -> None:
    def named(asked: str) -> str:
        document = record(asked, {"city": "Austin"}, properties={"city": {"type": "string"}})
        document["tools"][0]["function"]["description"] = "Get the weather."
        found = check(document, generated=False)
        return "".join(each.severity for each in found if each.rule == "TC201")

    assert named("What's the weather like?") == "warning"
    assert named("How is the weather at the capital of texas, where my sister studies?") == "note"


@each_row(("asked", "value"), LIKELY)
def test_what_was_said_otherwise_or_nobody_infers_is_likely_wrong(asked: str, value: Json) -> None:
    assert degree(asked, value) == "warning"


@each_row(("asked", "value"), DOUBTFUL)
def test_what_may_be_inferred_is_doubtful(asked: str, value: Json) -> None:
    assert degree(asked, value) == "note"


def test_choices_and_examples_that_nothing_names_are_doubtful() -> None:
    listed = {"type": "string", "enum": ["dessert", "breakfast"]}
    told = {"type": "string", "description": "The kind of recipe, e.g. dessert, main course, breakfast."}
    assert degree("Find me brownies", "dessert", listed) == degree("Find me brownies", "dessert", told) == "note"
    assert degree("Find Rome brownies", True, {"type": "boolean"}) == "note"


def test_what_toolgen_writes_is_held_to_all_of_it() -> None:
    properties = {"value": {"type": "string", "enum": ["dessert", "breakfast"]}}
    found = check(record("Find me brownies", {"value": "dessert"}, properties=properties))
    assert [each.severity for each in found if each.rule == "TC201"] == ["error"]


DISPROVED: list[tuple[str, Json]] = [
    ("70-minute hike", 72),
    ("410 a month", 411),
    ("Maison Claire", "Marta Quinn"),
    ("Southgate Shopping Center", "river Shopping Center"),
]
PROVED: list[tuple[str, Json]] = [
    ("70-minute hike", 70),
    ("9,7 kg", 9.7),
    ("5.000 euros", 5000),
    ("2 weeks", 14),
    ("between 5 and 7", 12),
    ("the Big Apple", "New York"),
    ("my bike shop", "bicycle shop"),
    ("not too expensive", "cheap"),
]


@pytest.mark.parametrize(("words", "value"), DISPROVED)
def test_words_that_name_another_value_prove_none(words: str, value: Json) -> None:
    assert disproves(words, value, Said((Source(0, f"Please do it with {words} for me."),)), ())


@pytest.mark.parametrize(("words", "value"), PROVED)
def test_words_that_may_mean_a_value_prove_it(words: str, value: Json) -> None:
    assert not disproves(words, value, Said((Source(0, f"Please do it with {words} for me."),)), ())


def test_words_that_name_another_choice_prove_none() -> None:
    said = Said((Source(0, "By bus, please."),))
    assert disproves("bus", "bike", said, ("bus", "bike"))
    assert not disproves("bus", "bus", said, ("bus", "bike"))
    assert not disproves("on foot", "walk", said, ("bus", "walk"))


def test_evidence_of_another_value_leaves_an_argument_unexplained() -> None:
    document = record("A 70-minute hike", {"minutes": 72}, properties={"minutes": {}})
    document["metadata"] = {"evidence": {f"{CALL[:-1]}0": {"minutes": "70-minute"}}}
    assert [each.severity for each in check(document) if each.rule == "TC201"] == ["error"]


def test_a_number_may_be_computed_of_two_others() -> None:
    assert all(is_computed(number, [5.0, 2800.0]) for number in (2805, 2795, 14000, 560, 10, 1400))
    assert not any(is_computed(number, [5.0, 2800.0]) for number in (0, 7, 2810, 28000))


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Find me a hotel in Rome", True),
        ("Let ann@example.org view plan.txt", True),
        ("Wo finde ich hier einen Spielplatz?", False),
        ("¿Qué hay por mi bandeja de entrada?", False),
        ("这附近哪里有游乐场", False),
    ],
)
def test_english_is_known_by_its_small_words(text: str, english: bool) -> None:
    assert is_english(Words(fold(text))) is english


def test_the_language_of_the_request_is_no_other_one() -> None:
    assert degree("Wie heißt der höchste Berg in Österreich, und was ist er auf Italienisch?", "de") == "note"
    assert degree("What is the French word for a seagull on the beach?", "en") == "note"


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("instrument_type", "strings", "note"),
        ("genero", "Strings", "note"),
        ("instrument_type", "Strings", "note"),
        ("maker", "Strings", "warning"),
    ],
)
def test_the_sort_of_a_thing_may_be_inferred(name: str, value: str, expected: str) -> None:
    asked = "how many violas of Stradivari are in stock?"
    found = check(record(asked, {name: value}, properties={name: {"description": "What."}}), generated=False)
    assert [each.severity for each in found if each.rule == "TC201"] == [expected]
