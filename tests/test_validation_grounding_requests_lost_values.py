"""What a request states is called for, told of or disposed of; what nobody takes up is lost."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation import check
from generator.validation.grounding.reading.words import literals_of
from generator.validation.grounding.requests.lost_values import doubts_of
from generator.validation.view import RecordView
from tests.record_examples import result
from tests.tables import each_row
from tests.test_validation_grounding_requests_last_word import Call, record

Json = Any  # parsed JSON


def told(asked: str, calls: list[Call], answer: str = "Done.", properties: Json = None) -> Json:
    """A record of calls that follow what was asked, with an answer, and with further properties of the first tool."""
    document = record(asked, *calls)
    made = document["messages"][-1]["tool_calls"]
    document["messages"] += [result(each["id"], each["function"]["name"], "{}") for each in made]
    document["messages"].append({"role": "assistant", "content": answer})
    document["tools"][0]["function"]["parameters"]["properties"].update(properties or {})
    return document


def found(document: Json, *, generated: bool = False) -> set[str]:
    """How sure the rule is of what it finds."""
    return {each.severity for each in check(document, generated=generated) if each.rule == "TC212"}


ROME, OSLO, LIMA = (("get_weather", {"city": city}) for city in ("Rome", "Oslo", "Lima"))

LOST: list[tuple[str, list[Call], str]] = [
    ("How is the weather in Rome, Oslo and Lima?", [ROME, LIMA], "warning"),
    ("How is the weather in Rome and Oslo?", [ROME], "warning"),
    ("How is the weather in Rome? Also, is order AX-5512 on its way?", [ROME], "warning"),
    ("How is the weather in Rome? Write it to ann@example.com.", [ROME], "warning"),
    ("How is the weather in Rome? Store it in /srv/reports/june.txt.", [ROME], "warning"),
    ('How is the weather in Rome? And put up a note, "Bring an umbrella".', [ROME], "warning"),
    ("What's the weather in Rome? And the rate of Acme Bank for 2,500 pounds?", [ROME], "warning"),
    ("The weather in Rome, 1250 words.", [ROME], "note"),
    ("How is the weather in Rome? Oh, and Lima as well.", [ROME], "warning"),
    ("How is the weather in Rome? What about Lima?", [ROME], "warning"),
    ("How is the weather in Rome? Same for Lima, please.", [ROME], "warning"),
    ("Rome. And do the same for Lima, please.", [ROME], "warning"),
    ("¿Qué tiempo hace en Roma? Y lo mismo para Lima.", [("get_weather", {"city": "Roma"})], "warning"),
    ("Quel temps fait-il à Rome ? Et la même chose pour Lima.", [ROME], "warning"),
]
KEPT: list[tuple[str, list[Call], str]] = [
    ("How is the weather in Rome, Oslo and Lima?", [ROME, OSLO, LIMA], "Done."),
    ("How is the weather in Rome and Oslo?", [ROME], "It is warm in Rome; of Oslo I know nothing."),
    ("How is the weather in Rome, not in Oslo?", [ROME], "It is warm."),
    ("How is the weather in Oslo and Lima? No, forget that. In Rome?", [ROME], "It is warm."),
    ("How is the weather in Rome, Italy?", [ROME], "It is warm."),
    ("Order AX-5512 is here. How is the weather in Rome?", [ROME], "Glad to hear of AX-5512! It is warm."),
    ("How is the weather in Rome? My sister Ann is coming as well.", [ROME], "It is warm."),
    ("How is the weather in Rome? Thanks to Ann as well.", [ROME], "It is warm."),
    ("On Monday I'm off to Rome. How is the weather?", [ROME], "It is warm."),
    ("Read Emma by Jane Austen and Ulysses.", [("read", {"title": "Emma"}), ("read", {"title": "Ulysses"})], "Done."),
    ("Wie ist das Wetter in Rom und die Lage?", [("get_weather", {"city": "Rom"})], "Warm."),
]


@each_row(("asked", "calls", "severity"), LOST)
def test_what_nobody_takes_up_is_found(asked: str, calls: list[Call], severity: str) -> None:
    assert severity in found(told(asked, calls))


@each_row(("asked", "calls", "answer"), KEPT)
def test_what_is_taken_up_or_disposed_of_is_kept(asked: str, calls: list[Call], answer: str) -> None:
    assert found(told(asked, calls, answer)) - {"note"} == set()


@pytest.mark.parametrize(
    ("asked", "calls"),
    [
        ("Show me the weather in Rome, but do NOT send it anywhere.", [ROME]),
        ("The weather in Rome. If it's over 35.5 degrees, say so.", [ROME]),
        ("The weather in Oslo. Oh no, Ann's already there, make that Rome.", [ROME]),
    ],
)
def test_what_asks_for_nothing_of_its_own_is_not_even_noted(asked: str, calls: list[Call]) -> None:
    assert found(told(asked, calls)) == set()


def test_one_of_three_things_of_a_list_is_certain() -> None:
    document = told("How is the weather in Rome, Oslo and Lima?", [ROME, LIMA])
    assert found(document, generated=True) == {"error"}


def test_what_is_only_noted_is_no_matter_of_what_is_written() -> None:
    document = told("The weather in Rome, 1250 words.", [ROME])
    assert (found(document), found(document, generated=True)) == ({"note"}, set())


@pytest.mark.parametrize(
    ("asked", "properties", "expected"),
    [
        ("How is the weather in Rome for 6 nights?", {"nights": {"type": "integer"}}, {"warning"}),
        ("How is the weather in Rome on March 5?", {"day": {"type": "string", "format": "date"}}, {"warning"}),
        ("How is the weather in Rome, detail level hourly?", {"detail": {"enum": ["hourly", "daily"]}}, {"warning"}),
        ("How is the hourly weather in Rome?", {"detail": {"enum": ["hourly", "daily"]}}, {"note"}),
        ("How is the weather in Rome?", {"nights": {"type": "integer"}, "detail": {"enum": ["hourly"]}}, set()),
        ("My 6 nights in Rome: how is the weather?", {"max_price": {"type": "integer"}}, set()),
        ("Not hourly: the weather in Rome.", {"detail": {"enum": ["hourly", "daily"]}}, set()),
    ],
)
def test_what_is_said_for_a_parameter_is_given(asked: str, properties: Json, expected: set[str]) -> None:
    assert found(told(asked, [ROME], "It is warm in Rome.", properties)) == expected


def test_a_result_that_repeats_what_was_not_given_shows_that_it_was_left_out() -> None:
    document = told("How is the hourly weather in Rome?", [ROME], "Warm.", {"detail": {"enum": ["hourly", "daily"]}})
    document["messages"][2]["content"] = '{"detail":"hourly"}'
    assert found(document) == {"warning"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Order AX-5512 for ann@example.com.", [("id", "AX-5512"), ("address", "ann@example.com")]),
        ('Say "Be there at 7", it\'s 1,250.50 dollars.', [("quote", "Be there at 7"), ("number", "1,250.50")]),
        ("See /srv/data/a.txt and report_3.pdf.", [("path", "/srv/data/a.txt"), ("path", "report_3.pdf")]),
        ("The 3rd, at 7:30, for 2 of us.", []),
        ('"The whole request is quoted, with AX-5512"', [("id", "AX-5512")]),
        ("B2B, MP3 and 10am are no codes.", []),
    ],
)
def test_literals_are_what_one_would_look_for_again(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(each.sort, each.text) for each in literals_of(text)] == expected


def test_a_glance_passes_over_what_is_repeated() -> None:
    assert not any(doubts_of(RecordView(told("How is the weather in Rome?", [ROME]))))
    assert any(doubts_of(RecordView(told("How is the weather in Rome and Oslo?", [ROME]))))


def test_what_the_system_message_tells_of_an_argument_is_taken_up() -> None:
    document = told("Oh, and where's the order with the Marex jacket? Rome's weather?", [("get_order", {"id": "W-31"})])
    document["messages"].insert(
        0, {"role": "system", "content": "Orders: W-31 with the Marex jacket; W-32 with a hat."}
    )
    for message in document["messages"]:
        for call in message.get("tool_calls", ()):
            call["function"]["arguments"] = {"id": "W-31"}
    assert not any("Marex" in each.message for each in check(document, generated=False) if each.rule == "TC212")
