"""Relations: units, currencies, counts, comparisons, and which number is of which thing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.answer_examples import found, told
from tests.tables import each_row

Json = Any  # parsed JSON
PLAN = {"distance_km": 7.5, "duration_minutes": 240, "price": 126, "currency": "USD", "nights": 3, "rating": 4.5}


@each_row(
    ("answer", "expected"),
    [
        ("It's 7.5 miles away.", ["error"]),
        ("It takes 240 hours.", ["error"]),
        ("Es sind 7,5 Meilen bis zu dir.", ["error"]),
        ("一共7.5英里。", ["error"]),
        ("It costs €126 in all.", ["error"]),
        ("It costs 126 euros in all.", ["error"]),
        ("Cuesta 126 euros en total, para ti.", ["error"]),
        ("It's 7.5 km away.", []),
        ("It's 4.7 miles away.", []),
        ("It's 7,500 m away.", []),
        ("It takes 4 hours.", []),
        ("It takes 3 hours 60 minutes.", []),
        ("It costs $126, or 126 dollars, or 126 USD.", []),
        ("It's for 3 days, rated 4.5.", []),
        ("Within 126 seconds it was yours.", []),
    ],
)
def test_numbers_have_their_own_units(answer: str, expected: list[str]) -> None:
    assert found(told("Plan it for me.", answer, ("plan", {}, PLAN)), "TC217") == expected


def test_another_currency_is_certain_in_what_was_read_too() -> None:
    document = told("Plan it.", "It costs €126 in all.", ("plan", {}, PLAN))
    assert found(document, "TC217", generated=False) == ["error"]


@pytest.mark.parametrize("asked", ["Plan it, I have €126.", "I have 7.5 miles, and €126."])
def test_what_the_user_said_may_be_told_again(asked: str) -> None:
    assert found(told(asked, "You have €126 for that.", ("plan", {}, PLAN)), "TC217") == []


FLIGHTS = {"flights": [
    {"number": "DL93", "price": 427, "minutes": 65}, {"number": "DL48", "price": 419, "minutes": 80},
    {"number": "DL60", "price": 452, "minutes": 70}, {"number": "DL15", "price": 424, "minutes": 90}]}  # fmt: skip


@each_row(
    ("answer", "expected"),
    [
        ("I found five flights.", ["error"]),
        ("There are 7 flights.", ["error"]),
        ("There are three flights: DL93, DL48, DL60 and DL15.", ["error"]),
        ("There are three flights.", ["warning"]),
        ("Hay tres vuelos para ti:\n- DL93\n- DL48\n- DL60\n- DL15", ["warning"]),
        ("I found four flights.", []),
        ("There are 4 flights.", []),
        ("The cheapest two flights leave before noon, the others later.", []),
        ("You can have the last two flights; the first ones are full.", []),
        ("The last six flights are full.", ["error"]),
        ("The first three flights are DL93, DL48 and DL60.", []),
        ("There are two cheap flights, DL48 and DL15.", []),
        ("There are three flights under $430.", []),
        ("I found one flight more than yesterday.", []),
        ("Hay cuatro vuelos para ti:\n- DL93\n- DL48\n- DL60\n- DL15", []),
    ],
)
def test_lists_are_counted_as_they_are_long(answer: str, expected: list[str]) -> None:
    assert found(told("Which flights are there?", answer, ("search", {}, FLIGHTS)), "TC217") == expected


@each_row(
    ("answer", "expected"),
    [
        ("The cheapest is DL93.", ["error"]),
        ("DL93 is the most expensive one.", ["error"]),
        ("DL15 is the fastest.", ["error"]),
        ("DL93 is cheaper than DL48.", ["error"]),
        ("DL48 costs more than DL93.", ["warning"]),
        ("Am günstigsten ist für dich der DL93.", ["warning"]),
        ("The cheapest is DL48.", []),
        ("DL60 is the most expensive one.", []),
        ("DL48 is cheaper than DL93.", []),
        ("The cheapest in the evening is DL15.", ["warning"]),
        ("DL93 is not the cheapest.", []),
        ("Is DL93 the cheapest?", []),
        ("DL93 is cheaper than I thought.", []),
    ],
)
def test_comparisons_are_those_of_the_results(answer: str, expected: list[str]) -> None:
    said = found(told("Which flights are there?", answer, ("search", {}, FLIGHTS)), "TC217")
    assert said == expected or (expected == ["warning"] and said in (["error"], []))


TWO = (("get", {"city": "Rome"}, {"temperature": 13}), ("get", {"city": "Oslo"}, {"temperature": 4}))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("- Rome: 13 degrees\n- Oslo: 13 degrees", ["error"]),
        ("Rome has 13 degrees. Oslo has 13 as well, it says.", ["error"]),
        ("Rome has 13 degrees and Oslo 13.", ["error"]),
        ("- Rome: 13 degrees\n- Oslo: 4 degrees", []),
        ("Rome has 13 degrees and Oslo 4.", []),
        ("At 13 degrees, Rome is fine; at 4, Oslo is not.", []),
        ("Rome has 9 degrees more than Oslo.", []),
        ("Rome and Oslo have 13 and 4 degrees.", []),
        ("The other city has 13 degrees, not Oslo.", []),
    ],
)
def test_each_number_is_told_of_its_own_thing(answer: str, expected: list[str]) -> None:
    assert found(told("How warm is it in Rome and in Oslo?", answer, *TWO), "TC208") == expected


@pytest.mark.parametrize(("generated", "expected"), [(True, []), (False, ["warning"])])
def test_a_small_number_may_count_anything(generated: bool, expected: list[str]) -> None:
    record = told("How warm is it in Rome and in Oslo?", "- Rome: 4 degrees\n- Oslo: 4 degrees", *TWO)
    assert found(record, "TC208", generated=generated) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("In total that's $1,722.", []),
        ("On average they cost $430.50.", []),
        ("DL48 is $8 cheaper than DL93.", []),
        ("Two of DL48 make $838 together.", []),
        ("DL48 is $33 cheaper than DL60.", []),
        ("In total that's $1,822.", ["error"]),
        ("DL48 is $12 cheaper than DL93.", ["error"]),
    ],
)
def test_what_is_reckoned_from_the_results_is_true(answer: str, expected: list[str]) -> None:
    assert found(told("Which flights are there?", answer, ("search", {}, FLIGHTS)), "TC202") == expected


@pytest.mark.parametrize("figure", ["1" * 300, "1,1" * 200, "$" * 300 + "1", "1 hour " * 200, "1.1.1." * 100])
def test_odd_numbers_are_read_in_bounded_time(figure: str) -> None:
    assert found(told("Which flights are there?", f"It is the {figure}.", ("search", {}, FLIGHTS)), "TC217") == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Depot 31 stores 12 pumps and 7 valves.", []),
        ("Depot 31 stores are as follows: 12 pumps, 7 valves.", []),
        ("The depot has 31 stores.", ["error"]),
        ("The depot has three stores: pumps and valves.", ["error"]),
    ],
)
def test_the_number_of_a_thing_counts_nothing(answer: str, expected: list[str]) -> None:
    stores = {"stores": [{"part": "pumps", "pieces": 12}, {"part": "valves", "pieces": 7}]}
    assert found(told("What's in depot 31?", answer, ("get_depot", {"depot_no": "31"}, stores)), "TC217") == expected
