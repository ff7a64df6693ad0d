"""Contradictions: flags and choices against the words of the request."""

from __future__ import annotations

from typing import Any

from generator.validation import check
from generator.validation.grounding.arguments.booleans import flag_clauses_of, is_negated
from generator.validation.grounding.reading.words import fold
from tests.tables import each_row

Json = Any  # parsed JSON
CALL = "aB3dE6gH9"


def record(asked: str, *arguments: Json, properties: Json) -> Json:
    """A request and one turn of calls of one tool."""
    calls = [
        {"id": f"{CALL[:-1]}{number}", "type": "function", "function": {"name": "act", "arguments": each}}
        for number, each in enumerate(arguments)
    ]
    schema = {"type": "object", "properties": properties}
    return {
        "messages": [
            {"role": "user", "content": asked},
            {"role": "assistant", "content": "", "tool_calls": calls},
        ],
        "tools": [{"type": "function", "function": {"name": "act", "description": "Act.", "parameters": schema}}],
    }


def found(asked: str, *arguments: Json, properties: Json) -> list[tuple[str, str]]:
    """Where the rule finds what, and how sure it is in what toolgen writes."""
    violations = check(record(asked, *arguments, properties=properties))
    return [(each.pointer.rpartition("/")[2], each.severity) for each in violations if each.rule == "TC213"]


def flag(asked: str, name: str, value: bool) -> str:
    """How sure the rule is of one flag; "" where it is silent."""
    return "".join(severity for _, severity in found(asked, {name: value}, properties={name: {"type": "boolean"}}))


CONTRADICTED: list[tuple[str, str, bool]] = [
    ("A pizza without alcohol in the sauce, please", "include_alcohol", True),
    ("Keep it private", "public", True),
    ("Make it public", "public", False),
    ("No need for a receipt", "send_receipt", True),
    ("Please send me a receipt", "send_receipt", False),
    ("A room with breakfast in Rome", "breakfast_included", False),
    ("A room in Rome, breakfast isn't needed", "breakfast_included", True),
    ("Find a route and avoid tolls", "avoid_tolls", False),
    ("Find a route with toll roads avoided", "avoid_tolls", False),
    ("Skip the gift wrap", "gift_wrap", True),
    ("Please don't notify the customer", "notify_customer", True),
    ("Notify the customer", "notify_customer", False),
    ("A sugar free cake", "sugar", True),
    ("Ein Zimmer ohne balcony", "balcony", True),
    ("Un hotel sin parking", "parking", True),
]
KEPT: list[tuple[str, str, bool]] = [
    ("A pizza without alcohol in the sauce, please", "include_alcohol", False),
    ("Keep it private", "public", False),
    ("Don't forget the receipt", "send_receipt", True),
    ("No problem if there is a receipt", "send_receipt", True),
    ("A room with breakfast in Rome", "breakfast_included", True),
    ("Find a route and avoid tolls", "avoid_tolls", True),
    ("Case no 28473 with its history", "include_history", True),
    ("I am not lazy, and I am quite forgiving", "forgiving", True),
    ("Search all my notes, not just the pinned ones", "pinned_only", False),
    ("If breakfast is cheap, I may take it", "breakfast_included", False),
    ("Is breakfast included?", "breakfast_included", False),
    ("Upper or lower case doesn't matter", "ignore_case", True),
    ("I don't skip breakfast", "breakfast_included", True),
    ("It has few artistic interests", "artistic_interests", False),
    ("How is Rome?", "send_receipt", False),
]


@each_row(("asked", "name", "value"), CONTRADICTED)
def test_a_flag_against_the_words_is_found(asked: str, name: str, value: bool) -> None:
    assert flag(asked, name, value) in ("error", "warning")
    assert flag(asked, name, not value) == ""


@each_row(("asked", "name", "value"), KEPT)
def test_a_flag_that_follows_the_words_or_is_not_spoken_of_is_none(asked: str, name: str, value: bool) -> None:
    assert flag(asked, name, value) == ""


def test_what_is_but_mentioned_is_less_sure() -> None:
    assert flag("Fly nonstop to Rome", "nonstop_only", False) == "warning"
    assert flag("I want to fly with nonstop service to Rome", "nonstop_only", False) == "error"


def test_a_flag_that_another_call_of_the_turn_has_is_that_call_s() -> None:
    asked = "A room with breakfast in Rome and one in Oslo"
    properties = {"breakfast": {"type": "boolean"}, "city": {"type": "string"}}
    calls = ({"city": "Rome", "breakfast": True}, {"city": "Oslo", "breakfast": False})
    assert found(asked, *calls, properties=properties) == []


def test_a_flag_left_out_is_found_where_its_default_is_known_and_another() -> None:
    def left_out(schema: Json) -> list[tuple[str, str]]:
        return found("Book it with breakfast", {}, properties={"breakfast": {"type": "boolean", **schema}})

    assert left_out({"default": False}) == [("arguments", "warning")]
    assert left_out({"description": "Whether to have breakfast. Default is false."}) == [("arguments", "warning")]
    assert left_out({"default": True}) == []
    assert left_out({}) == []


def choice(asked: str, value: str, *choices: str, more: Json | None = None, **others: Json) -> list[tuple[str, str]]:
    properties = {"kind": {"type": "string", "enum": list(choices)}, **{name: {} for name in others}, **(more or {})}
    return found(asked, {"kind": value, **others}, properties=properties)


def test_a_choice_is_found_where_the_request_names_another() -> None:
    said = [("kind", "error")]
    assert choice("Fly business to Rome", "economy", "economy", "business") == said
    assert choice("Mark it as high priority", "low", "low", "high") == said
    assert choice("Fly business to Rome", "business", "economy", "business") == []


def test_a_choice_under_a_name_that_the_schema_leaves_open_is_found_once() -> None:
    lamps = {"type": "object", "additionalProperties": {"type": "string", "enum": ["green", "purple"]}}
    assert found("Make the lamp purple", {"lamps": {"lamp": "green"}}, properties={"lamps": lamps}) == [
        ("lamp", "error")
    ]


def test_a_choice_is_kept_where_it_is_said_in_any_way_or_none_is() -> None:
    assert choice("Fly business or economy to Rome", "economy", "economy", "business") == []
    assert choice("Not business, please", "economy", "economy", "business") == []
    assert choice("The cheapest way to Rome", "economy", "economy", "business") == []
    assert choice("With backstage access", "Backstage Pass", "Backstage Pass", "Parking Pass") == []


def test_a_word_that_another_parameter_takes_names_no_choice() -> None:
    choices = ("price", "rating")
    assert choice("The cheapest with a rating over 4", "price", *choices, min_rating=4) == []
    assert choice("The cheapest in Rating", "price", *choices, city="Rating") == []


def test_a_negation_reaches_as_far_as_its_clause() -> None:
    def negated(text: str, word: str) -> bool:
        return any(
            is_negated(clause, clause.tokens.index(word))
            for clause in flag_clauses_of(fold(text))
            if word in clause.tokens
        )

    assert negated("without nuts, dairy and alcohol", "alcohol")
    assert not negated("without nuts, but with dairy", "dairy")
    assert not negated("no, with dairy", "dairy")
    assert not negated("not without dairy", "dairy")
    assert negated("dairy is not needed", "dairy")
