"""Wordings: texts that calls take over are exactly what was said; quotations, runs of words, capitals."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.validation import check
from generator.validation.grounding.reading.words import quotes_of
from generator.validation.grounding.requests.wordings import Change, change_in
from tests.bounded import bounded
from tests.record_examples import FIRST, SECOND, call, result
from tests.tables import each_row
from tests.test_validation_grounding_arguments_grounded import record

Json = Any  # parsed JSON


def found(asked: str, schema: Json | None = None, **arguments: Json) -> list[tuple[str, str]]:
    """At which argument the rule finds what, and how sure it is in what toolgen writes."""
    properties = {name: schema or {"type": "string"} for name in arguments}
    violations = check(record(asked, arguments, properties=properties))
    return [(each.pointer.rpartition("/")[2], each.severity) for each in violations if each.rule == "TC214"]


def sure(asked: str, text: str) -> str:
    return "".join(severity for _, severity in found(asked, text=text))


SAID = 'Write to Ann: "Running late today, see you at the station." and call her'
CHANGED = [
    (SAID, "Running late today, meet you at the station.", "error"),
    (SAID, "Running late today, see you at the", "error"),
    (SAID, "late today, see you at the station.", "error"),
    (SAID, "Running late today, sorry, see you at the station.", "error"),
    ('Post "We meet at teh harbour at noon" for me', "We meet at the harbour at noon", "note"),
    ('Post "We meet at the harbour at noon" for me', "We meet at teh harbour at noon", "error"),
    ('Post "We meet at the harbour at noon" for me', "We meet at that harbour at noon", "error"),
    ("Schreib „Wir warten adn hoffen auf dich“", "Wir warten und hoffen auf dich", "error"),
    ("Schreib „Wir warten udn hoffen auf dich“", "Wir warten und hoffen auf dich", "note"),
    (SAID, "RUNNING LATE TODAY, SEE YOU AT THE STATION.", "error"),
    (SAID, "Running Late Today, See You At The Station.", "warning"),
    ("Schreib „Ich bin dabei und freue mich sehr“", "Ich bin dabei und freue mich", "error"),
    ("写“我今天晚到请等我”", "我今天晚到请等他", "error"),
    ("Open report_Final2.PDF", "report_final2.pdf", "error"),
    ("Where is PX-338479?", "px-338479", "error"),
    ("Remind me to buy oat milk and two brown eggs", "buy oat milk and two brown hens", "warning"),
    ("Remind me to buy oat milk and two brown eggs", "BUY OAT MILK AND TWO BROWN EGGS", "warning"),
    ("Show me camping tents", "CAMPING TENT", "warning"),
    ("How is the way to the Old Mill Inn from here?", "the Old Mill", "warning"),
    ("I want a table at Root and Leaf for two", "Root and", "warning"),
    ("Find flights to New York for us", "new york", "warning"),
]
KEPT = [
    (SAID, "Running late today, see you at the station."),
    (SAID, "Running late today, see you at the station"),
    (SAID, "running late today, see you at the station."),
    ("find flights to new york for us", "New York"),
    ("track lh430 please", "LH430"),
    ("in usd please", "USD"),
    ("Remind me to call my mother about the visit", "call mother about the visit"),
    ("Remind me to call my mother about the visit", "Call your mother about the visit"),
    ("What is the population of San Diego County", "San Diego County"),
    ('"Find a hotel in Rome for two nights and a car for one day"', "a car for one day"),
    ("Play 'The Legend of Zelda: Breath of the Wild' again", "The Legend of Zelda: Breath of the Wild"),
    ("What's Ann's number, and is Bob's the same?", "Ann"),
    ("Tell them it's late", "it's late"),
]


@each_row(("asked", "text", "severity"), CHANGED)
def test_a_text_that_is_nearly_what_was_said_is_found(asked: str, text: str, severity: str) -> None:
    assert sure(asked, text) == severity


@each_row(("asked", "text"), KEPT)
def test_a_text_as_it_was_said_is_kept(asked: str, text: str) -> None:
    assert sure(asked, text) == ""


def test_a_quotation_may_be_given_in_parts() -> None:
    asked = 'Search for "best pizza places Rome" please'
    assert found(asked, query="best pizza places", city="Rome") == []
    assert found(asked, query="best pizza places", city="Oslo") == [("query", "error")]


def test_what_the_schema_lists_is_written_as_there() -> None:
    listed = {"type": "string", "description": "The source, e.g. 'yahoo finance'."}
    assert found("With data from Yahoo Finance", listed, source="yahoo finance") == []
    assert found("With data from Yahoo Finance", {"type": "string"}, source="yahoo finance") == [("source", "warning")]


def test_texts_are_compared_to_their_end_whatever_their_length() -> None:
    words = " ".join(f"word{number}" for number in range(9000))
    asked = f'Write this: "{words}" and send it'
    assert len(asked) > 50_000
    assert found(asked, text=words) == []
    assert found(asked, text=words.replace("word8990", "other")) == [("text", "error")]
    assert found(asked, text=words.rpartition(" ")[0]) == [("text", "error")]


def test_a_place_nested_in_the_arguments_is_pointed_at() -> None:
    properties = {"to": {"type": "array", "items": {"type": "string"}}}
    document = record("Invite 'Ann Lee Park' and Bob", {"to": ["Bob", "Ann Lee Perk"]}, properties=properties)
    pointers = [each.pointer for each in check(document) if each.rule == "TC214"]
    assert pointers == ["/messages/1/tool_calls/0/function/arguments/to/1"]


QUOTED = [
    ('say "a b" and "c"', ["a b", "c"]),
    ("it's Bob's 'own text' isn't it", ["own text"]),
    ("„eins“ und »zwei« und «drei» und ‘four’", ["eins", "zwei", "drei", "four"]),
    ("「東京」と『大阪』", ["東京", "大阪"]),
    ('"all of it"', []),
    ("5' 11\" tall", []),
    ("nothing at all", []),
]


@pytest.mark.parametrize(("text", "quotes"), QUOTED)
def test_quotations_are_read_by_their_marks(text: str, quotes: list[str]) -> None:
    assert sorted(each.text for each in quotes_of(text)) == sorted(quotes)
    assert all(text[each.start : each.end] == each.text for each in quotes_of(text))


def test_a_run_has_one_change() -> None:
    spaced = " remind me to buy oat milk and two brown eggs today "
    assert change_in(tuple("buy oat milk and six brown eggs".split()), spaced) == Change(("six",), ("two",), True)
    assert change_in(tuple("buy oat milk and two brown hens".split()), spaced) == Change(("hens",), ("eggs",), False)
    assert change_in(tuple("buy oat milk".split()), spaced) is None
    assert change_in(tuple("sell all the other things".split()), spaced) is None


@pytest.mark.parametrize("sign", ["'", '"', "“", "a 'b", "'a "])
def test_marks_without_end_are_read_in_time(sign: str) -> None:
    text = sign * 200_000
    with bounded(5):
        quotes_of(text)
        check(record(text, {"text": "a b c d e"}, properties={"text": {}}))


THIRD = "mN5oP6qR7"


def likely(asked: str, made: list[tuple[str, Json, Json]], told: str) -> set[str]:
    """Return the rules that find something likely wrong in a record that is read, its calls made one by one."""
    turns = [
        part
        for id_, (name, arguments, value) in zip((FIRST, SECOND, THIRD), made, strict=False)
        for part in (
            {"role": "assistant", "content": "", "tool_calls": [call(id_, name, arguments)]},
            result(id_, name, value if isinstance(value, str) else json.dumps(value)),
        )
    ]
    tools = [
        {"type": "function", "function": {"name": name, "description": "Does it.", "parameters": {"type": "object"}}}
        for name in dict.fromkeys(name for name, _, _ in made)
    ]
    messages = [{"role": "user", "content": asked}, *turns, {"role": "assistant", "content": told}]
    found = check({"messages": messages, "tools": tools}, generated=False)
    return {each.rule for each in found if each.severity != "note" and each.rule.startswith("TC2")} - {"TC201"}


RIGHT: list[tuple[str, list[tuple[str, Json, Json]], str]] = [
    (
        "Find part-time Baker jobs in Ghent please",
        [("search_jobs", {"query": "part-time baker jobs in ghent"}, {"jobs": [{"title": "Baker"}]})],
        "There is one: Baker.",
    ),
    (
        "Where is 9 Quay Road in Galway?",
        [("geocode_lookup", {"address": "9 Quay Road, Galway, Ireland"}, {"lat": 53.27})],
        "It is at latitude 53.27.",
    ),
    ("Where is 1.1.1.7 from?", [("lookup_ip", {"ip": "1.1.1.7"}, {"country": "NZ"})], "It is in New Zealand."),
    (
        "Show me the second page of tasks.",
        [("list_tasks", {"page": 2}, {"page": 2, "tasks": [{"title": "Oil the gate"}, {"title": "Paint the shed"},
                                                            {"title": "Mow the lawn"}]})],
        "Page 2 holds three tasks: Oil the gate, Paint the shed and Mow the lawn.",
    ),
    (
        "The build is broken, please mend it.",
        [
            ("shell", {"command": "make all"}, "error: missing semicolon in lib.c"),
            ("edit_file", {"path": "lib.c", "text": "int x;"}, "written"),
            ("shell", {"command": "make all"}, "build complete"),
        ],
        "The build is complete again: a semicolon was missing in lib.c.",
    ),
    (
        "never mind, don't refund anything, just tell me what I paid for #K5512",
        [("find_order", {"order_id": "#K5512"}, {"order_id": "#K5512", "total": 71.3})],
        "You paid $71.30 for order #K5512.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "made", "told"), RIGHT)
def test_what_is_right_is_no_alarm(asked: str, made: list[tuple[str, Json, Json]], told: str) -> None:
    assert likely(asked, made, told) == set()


WRONG: list[tuple[str, list[tuple[str, Json, Json]], str, str]] = [
    (
        "Show me the second page of tasks.",
        [("list_tasks", {"page": 2}, {"page": 2, "tasks": [{"title": "Oil the gate"}, {"title": "Mow the lawn"}]})],
        "There are three tasks: Oil the gate and Mow the lawn.",
        "TC217",
    ),
    ("Where is 1.1.1.7 from?", [("lookup_ip", {"ip": "1.1.1.7"}, {"country": "NZ"})], "It is in Norway.", "TC204"),
    (
        "Delete the old backup, no, never mind.",
        [("delete_backup", {"name": "old"}, {"deleted": True})],
        "The old backup is deleted.",
        "TC211",
    ),
]


@pytest.mark.parametrize(("asked", "made", "told", "rule"), WRONG)
def test_what_is_wrong_stays_one(asked: str, made: list[tuple[str, Json, Json]], told: str, rule: str) -> None:
    assert rule in likely(asked, made, told)
