"""The ladder: what explains a value, on which evidence level, and what nothing explains."""

from __future__ import annotations

import copy
from typing import Any

import orjson
import pytest

from generator.record import generate_records
from generator.validation import check
from generator.validation.grounding.arguments.grounded import MOST_LEAVES, UNEXPLAINED, explain, ground_arguments
from generator.validation.grounding.arguments.sources import EVIDENCE_LEVELS
from generator.validation.grounding.reading.words import find_literal, fold
from generator.validation.view import RecordView
from tests import record_examples
from tests.kind_records import indices_of, producer
from tests.tables import each_row

Json = Any  # parsed JSON
FIRST = record_examples.FIRST


def tool(properties: Json, **more: Json) -> Json:
    parameters = {"type": "object", "properties": properties, **more}
    return {"type": "function", "function": {"name": "act", "description": "Act.", "parameters": parameters}}


def record(asked: str, arguments: Json, properties: Json | None = None, *, system: str = "", day: str = "") -> Json:
    call = {"id": FIRST, "type": "function", "function": {"name": "act", "arguments": arguments}}
    schema = properties if properties is not None else {name: {} for name in arguments}
    said = [{"role": "system", "content": system}] if system else []
    return {
        "messages": [
            *said,
            {"role": "user", "content": asked},
            {"role": "assistant", "content": "", "tool_calls": [call]},
        ],
        "tools": [tool(schema)],
        "metadata": {"reference_date": day} if day else {},
    }


def evidence_levels(document: Json) -> list[str | None]:
    return [each.grounding and each.grounding.level for each in ground_arguments(RecordView(document))]


def evidence_level(asked: str, value: Json, schema: Json | None = None, **more: str) -> str | None:
    (found,) = evidence_levels(record(asked, {"value": value}, {"value": schema or {}}, **more))
    return found


LITERAL: list[tuple[str, Json]] = [
    ("How is Rome?", "Rome"),
    ("Order A-17 please", "A-17"),
    ("東京の天気", "東京"),
    ("I need 5 of them", 5),
    ("I need 5 of them", 5.0),
    ("It costs 1,250 dollars", 1250),
    ("at 2.5 percent", 2.5),
    ("down to -4 degrees", -4),
]
NORMALISED: list[tuple[str, Json]] = [
    ("how is ROME?", "Rome"),
    ("A trip to Sao Paulo", "São Paulo"),
    ("a pet friendly hotel", "pet_friendly"),
    ("a pet friendly hotel", "petFriendly"),
    ("two bottles and a red apple", "red apples"),
    ("The U.S. economy, New-York first", "New York"),
    ("twenty-one guests", 21),
    ("three hundred and fifty people", 350),
    ("half a million", 500_000),
    ("about 1k steps", 1000),
    ("$1.2M of revenue", 1_200_000),
    ("2 million rows", 2_000_000),
    ("at 5% interest", 0.05),
    ("at five percent", 0.05),
    ("run 5 km", 5000),
    ("I am 5'11\" tall", 71),
    ("an hour and a half", 1),
    ("for two weeks", 14),
    ("a cap of 100µF", 0.0001),
    ("negative 3", -3),
    ("in 3x^2 - 7x", -7),
    ("on March 14, 2026", "2026-03-14"),
    ("on 14 March 2026", "2026-03-14"),
    ("on the 3rd of May 2026", "2026-05-03"),
    ("on 3/14/2026", "2026-03-14"),
    ("at half past nine", "09:30"),
    ("at half past nine", "21:30"),
    ("at quarter to five pm", "16:45"),
    ("at 3pm", "15:00"),
    ("at nine", "09:00"),
    ("at noon", "12:00"),
    ("at 9:15 PM", 21),
    ("on March 14, 2026 at 3 PM", "2026-03-14T15:00:00"),
    ("a week in California", "CA"),
    ("near Austin, Texas", "Austin, TX"),
    ("fly to Germany", "DE"),
    ("in the US", "United States"),
    ("a German translation", "de"),
    ("in euros", "EUR"),
    ("it was €20", "EUR"),
    ("in °C, please", "celsius"),
    ("15 kilometers", "km"),
    ("every week", "weekly"),
    ("the newest first", "desc"),
    ("to New York City", "NYC"),
    ("to NYC", "New York City"),
    ("3x^2 + 2x - 1", "3x**2 + 2x - 1"),
    ("page twelve", "12"),
]
REFUSED: list[tuple[str, Json]] = [
    ("How is Rome?", "Oslo"),
    ("a party in town", "art"),
    ("It costs 1,250 dollars", 250),
    ("at 2.5 percent", 5),
    ("down to -4 degrees", 4),
    ("order A-17", "A-18"),
    ("write to ann@example.org", "bob@example.org"),
    ("on March 14, 2026", "2026-03-15"),
    ("on March 14, 2026", "2027-03-14"),
    ("at half past nine", "10:30"),
    ("at 3pm", "03:00"),
    ("fifteen guests", 16),
    ("run 5 km", 4000),
    ("at 5% interest", 0.06),
    ("in Canadian dollars", "USD"),
    ("come in, tell us", "IN"),
    ("a C major scale", "C#"),
    ("in California", "NV"),
    ("the Metropolitan Museum of Art", "Louvre Museum"),
    ("gene BRCA1", "BRCA2"),
    ("tell us more", "US"),
]


@pytest.mark.parametrize(("asked", "value"), LITERAL)
def test_what_is_said_to_the_letter(asked: str, value: Json) -> None:
    assert evidence_level(asked, value) == "literal"


@each_row(("asked", "value"), NORMALISED)
def test_what_is_said_in_other_words(asked: str, value: Json) -> None:
    assert evidence_level(asked, value) == "normalised"


@each_row(("asked", "value"), REFUSED)
def test_what_nothing_says(asked: str, value: Json) -> None:
    assert evidence_level(asked, value) is None


RELATIVE = [
    ("tomorrow", "2026-01-16"),
    ("the day after tomorrow", "2026-01-17"),
    ("yesterday", "2026-01-14"),
    ("next Friday", "2026-01-16"),
    ("next Friday", "2026-01-23"),
    ("on Monday", "2026-01-19"),
    ("last Monday", "2026-01-12"),
    ("in three days", "2026-01-18"),
    ("two weeks ago", "2026-01-01"),
    ("until the end of the month", "2026-01-31"),
    ("next month", "2026-02-01"),
    ("March 14", "2026-03-14"),
    ("December 20", "2025-12-20"),
    ("from March 10 for 3 nights", "2026-03-13"),
    ("on Christmas", "2026-12-25"),
    ("next month", "2026-02"),
]
NOT_RELATIVE = [
    ("tomorrow", "2026-01-17"),
    ("next Friday", "2026-01-24"),
    ("in three days", "2026-01-19"),
    ("March 14", "2027-03-14"),
    ("on Monday", "2026-01-20"),
    ("next month", "2026-03-01"),
]


@each_row(("asked", "value"), RELATIVE)
def test_days_are_relative_to_the_reference_day(asked: str, value: str) -> None:
    assert evidence_level(asked, value, day="2026-01-15") == "normalised"
    assert evidence_level(asked, value, system="Today is Thursday, January 15, 2026.") == "normalised"


@pytest.mark.parametrize(("asked", "value"), NOT_RELATIVE)
def test_a_day_off_is_refused(asked: str, value: str) -> None:
    assert evidence_level(asked, value, day="2026-01-15") is None
    assert evidence_level(asked, value, system="Today is Thursday, January 15, 2026.") is None


SYSTEMS = [
    ("Heute ist Donnerstag, der 19. März 2026.", "Was steht diesen Samstag an?", "2026-03-21"),
    ("Heute ist der 19.3.2026.", "Wie wird das Wetter übermorgen in Rostock?", "2026-03-21"),
    ("Heutiges Datum: 19.03.2026, 14:30 Uhr", "Trag das für nächsten Dienstag ein.", "2026-03-24"),
    ("Nous sommes le jeudi 19 mars 2026.", "Réserve une table pour ce samedi.", "2026-03-21"),
    ("Date du jour : 19/03/2026", "Quel temps fera-t-il demain à Nice ?", "2026-03-20"),
    ("Nous sommes le 1er octobre 2026.", "Qu'ai-je fait hier ?", "2026-09-30"),
    ("Hoy es jueves, 19 de marzo de 2026.", "¿Qué tengo pasado mañana?", "2026-03-21"),
    ("Fecha actual: 19-03-2026.", "Resérvame mesa para el próximo martes.", "2026-03-24"),
    ("今天是2026年3月19日，星期四。", "后天天气怎么样？", "2026-03-21"),
]


@pytest.mark.parametrize(("system", "asked", "value"), SYSTEMS)
def test_the_system_message_states_the_day_in_any_language(system: str, asked: str, value: str) -> None:
    assert evidence_level(asked, value, system=system) == "normalised"
    assert evidence_level(asked, "2026-03-29", system=system) is None


EXCLUDING = [
    ("Which invoices fall due this month?", "due_before", "2026-02-01", "normalised"),
    ("Which invoices fall due this month?", "due_on", "2026-02-01", None),
    ("Which invoices fall due this month?", "due_before", "2026-02-02", None),
    ("Tickets opened this month, please.", "createdAfter", "2025-12-31", "normalised"),
    ("Tickets opened this month, please.", "createdAfter", "2025-12-30", None),
]


@pytest.mark.parametrize(("asked", "name", "value", "expected"), EXCLUDING)
def test_a_bound_that_excludes_its_own_day_is_the_day_beside(
    asked: str, name: str, value: str, expected: str | None
) -> None:
    assert evidence_levels(record(asked, {name: value}, day="2026-01-15")) == [expected]


def test_without_a_day_to_be_relative_to_only_the_weekday_is_known() -> None:
    assert evidence_level("tomorrow", "2026-01-16") is None
    assert evidence_level("on Friday", "2026-01-16") == "normalised"
    assert evidence_level("on Friday", "2026-01-17") is None


def test_the_words_of_a_longer_text() -> None:
    asked = "Tell Anna that the train was late and we arrive after dinner"
    assert evidence_level(asked, "The train is late; we will arrive after the dinner") == "overlap"
    assert evidence_level(asked, "Your parcel has been shipped to the wrong address") is None


def test_a_place_may_be_told_more_fully_than_it_was_said() -> None:
    assert evidence_level("The weather in Chicago", "Chicago, IL") == "overlap"
    assert evidence_level("The weather in Lyon", "Lyon, France") == "overlap"
    assert evidence_level("The weather in Chicago", "Boston, MA") is None
    assert evidence_level("The weather in Chicago", "Chicago, Deep Dish") is None


def test_one_thing_is_asked_for_with_an_article() -> None:
    assert evidence_levels(record("Book a ticket.", {"tickets": 1})) == ["normalised"]
    assert evidence_levels(record("Book a ticket.", {"tickets": 2})) == [None]
    assert evidence_levels(record("Play a song.", {"volume": 1})) == [None]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"default": "metric"}, "metric"),
        ({"const": 7}, 7),
        ({"enum": ["json"]}, "json"),
        ({"description": "The unit. Default is 'mph'."}, "mph"),
        ({"description": "The unit (defaults to mph)."}, "mph"),
        ({"description": "How many; 10 by default."}, 10),
        ({"anyOf": [{"type": "string", "default": "low"}, {"type": "null"}]}, "low"),
    ],
)
def test_what_the_schema_gives(schema: Json, value: Json) -> None:
    document = record("Go on.", {"value": value}, {"value": schema})
    (found,) = ground_arguments(RecordView(document))
    assert found.grounding is not None
    assert found.grounding.level == "schema"
    assert found.grounding.where.startswith("/tools/0/function/parameters/properties/value")


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": ["json", "xml"]},
        {"description": "json or xml. Default is 'xml'."},
        {"description": "e.g. json"},
        {"examples": ["json"]},
    ],
)
def test_what_the_schema_only_offers_is_not_given(schema: Json) -> None:
    assert evidence_level("Go on.", "json", schema) is None


@pytest.mark.parametrize(
    ("asked", "name", "value", "expected"),
    [
        ("Search with images.", "include_images", True, "normalised"),
        ("Search without images.", "include_images", False, "normalised"),
        ("Search without images.", "include_images", True, None),
        ("Don't skip the images.", "include_images", True, "normalised"),
        ("Search.", "include_images", False, "schema"),
        ("Search.", "include_images", True, None),
        ("Search.", "include_images", None, "schema"),
    ],
)
def test_flags(asked: str, name: str, value: Json, expected: str | None) -> None:
    assert evidence_levels(record(asked, {name: value})) == [expected]


def test_keys_that_the_schema_does_not_name_are_values() -> None:
    properties = {"labels": {"type": "object", "additionalProperties": {"type": "string"}}}
    document = record("Label it team: blue", {"labels": {"team": "blue", "tier": "blue"}}, properties)
    found = {each.pointer: each.grounding for each in ground_arguments(RecordView(document)) if each.leaf.is_key}
    assert [bool(grounding) for grounding in found.values()] == [True, False]


def test_values_come_from_what_was_said_before_the_call_alone() -> None:
    document = record("How is it there?", {"city": "Rome"})
    later = copy.deepcopy(document)
    later["messages"].append({"role": "user", "content": "I mean Rome."})
    assert evidence_levels(later) == [None]
    earlier = copy.deepcopy(document)
    earlier["messages"][:0] = [{"role": "user", "content": "I live in Rome."}, {"role": "assistant", "content": "Ah."}]
    assert evidence_levels(earlier) == ["literal"]


def test_values_come_from_earlier_results_but_not_from_the_assistant() -> None:
    document = record("Cancel my order.", {"order": "W-4711"})
    shown = {"role": "tool", "tool_call_id": "x", "name": "find", "content": '{"orders":[{"id":"W-4711"}]}'}
    with_result = copy.deepcopy(document)
    with_result["messages"].insert(1, shown)
    (found,) = ground_arguments(RecordView(with_result))
    assert found.grounding is not None
    assert (found.grounding.level, found.grounding.where) == ("literal", "/messages/1/content")
    made_up = copy.deepcopy(document)
    made_up["messages"].insert(1, {"role": "assistant", "content": "That must be W-4711."})
    assert evidence_levels(made_up) == [None]


def test_values_come_from_the_system_message() -> None:
    system = "The user lives at 4 Elm Street."
    assert evidence_level("Send it to my address.", "4 Elm Street", system=system) == "literal"


def test_a_number_said_once_and_given_twice_stands_in_the_wrong_place() -> None:
    asked = "A triangle with a base of 10 and a height of 5."
    assert evidence_levels(record(asked, {"base": 10, "height": 5})) == ["literal", "literal"]
    assert evidence_levels(record(asked, {"base": 5, "height": 5})) == ["literal", None]
    assert evidence_levels(record("Both sides are 5.", {"base": 5, "height": 5})) == ["literal", "literal"]


def test_a_small_number_in_words_does_not_stand_in_for_one_in_digits() -> None:
    asked = "The area of two circles, the first with a radius of 5."
    assert evidence_levels(record(asked, {"radius": 5})) == ["literal"]
    assert evidence_levels(record(asked, {"radius": 2})) == [None]
    assert evidence_levels(record("In year 1 it was two, in year 2 seventeen.", {"year1": 2, "year2": 17})) == [
        "literal",
        "normalised",
    ]


@pytest.mark.parametrize(("asked", "caught"), [("How are Rome and Oslo?", True), ("Ask twice how Rome is.", False)])
def test_a_call_that_is_another_one_again_is_what_nobody_asked_for(asked: str, caught: bool) -> None:
    document = record(asked, {"city": "Rome"})
    again = copy.deepcopy(document["messages"][-1]["tool_calls"][0]) | {"id": record_examples.SECOND}
    document["messages"][-1]["tool_calls"].append(again)
    assert evidence_levels(document) == ["literal", None if caught else "literal"]
    found = [each for each in check(document, generated=False) if each.rule == "TC201"]
    assert [each.pointer for each in found] == (["/messages/1/tool_calls/1/function/arguments/city"] if caught else [])


def test_the_metadata_say_rung_and_evidence() -> None:
    document = record_examples.simple()
    told = explain(document)
    assert told == {FIRST: {"/city": {"level": "literal", "where": "/messages/1/content", "text": "Rome"}}}
    document["metadata"]["grounding"] = told
    assert check(document, catalog=record_examples.CATALOG) == []
    document["metadata"]["grounding"][FIRST]["/city"]["level"] = "schema"
    assert [each.rule for each in check(document, catalog=record_examples.CATALOG)] == ["TC207"]


def test_an_unexplained_value_is_an_error_where_written_and_a_warning_where_read() -> None:
    document = record_examples.simple()
    document["messages"][2]["tool_calls"][0]["function"]["arguments"]["city"] = "Lisbon"
    for generated, severity in ((True, "error"), (False, "warning")):
        found = [each for each in check(document, generated=generated) if each.rule == "TC201"]
        assert [(each.pointer, each.severity) for each in found] == [
            ("/messages/2/tool_calls/0/function/arguments/city", severity)
        ]


@pytest.mark.parametrize(
    "asked",
    ["a " * 200_000, "9" * 400_000, "-" * 300_000, "1,1" * 100_000, "in " * 100_000 + "march", '"' * 300_000],
)
def test_hostile_texts_are_read_in_bounded_work(asked: str) -> None:
    arguments = {f"p{number}": f"value {number} of march 3rd" for number in range(60)}
    assert len(evidence_levels(record(asked, arguments))) == 60  # work that is quadratic in the text takes minutes here


def test_no_more_leaves_are_looked_at_than_a_person_could_read() -> None:
    values = list(range(3 * MOST_LEAVES))
    assert len(evidence_levels(record("Go on with zero.", {"values": values}))) == MOST_LEAVES // UNEXPLAINED + 1
    assert len(evidence_levels(record("Go on with 7.", {"values": [7] * len(values)}))) == MOST_LEAVES


def test_made_records_say_where_their_arguments_come_from_unless_told_not_to() -> None:
    tools = [record_examples.WEATHER]
    (told,) = generate_records(tools, count=1, seed=7, mix={"simple": 1})
    (silent,) = generate_records(tools, count=1, seed=7, mix={"simple": 1}, grounding=False)
    document, bare = told.to_dict(), silent.to_dict()
    held = document["metadata"].pop("grounding")
    assert held == explain(document) != {}
    assert document["messages"] == bare["messages"]
    assert "grounding" not in bare["metadata"]


def test_the_rungs_are_these() -> None:
    assert EVIDENCE_LEVELS == ("literal", "normalised", "overlap", "schema", "construction", "asserted")


LAMP = {"lamp": "L-7", "brightness": 35}
"""What the words below mean, by a domain: neither value is said."""
DIMLY = "Make the reading lamp a bit cosier."


def worded(asked: str, construction: Json, arguments: Json = LAMP, **more: str) -> Json:
    """A record whose metadata name words for the arguments of its call."""
    document = record(asked, arguments, **more)
    document["metadata"]["construction"] = construction
    return document


@each_row(
    ("construction", "expected"),
    [
        ({FIRST: {"lamp": "the reading lamp", "brightness": "a bit cosier"}}, ["construction", "construction"]),
        ({FIRST: {"brightness": "a bit cosier"}}, [None, "construction"]),
        ({FIRST: {"lamp": "the ceiling lamp", "brightness": "A BIT COSIER"}}, [None, None]),
        ({FIRST: {"lamp": "", "brightness": "  "}}, [None, None]),
        ({FIRST: {"lamp": 7, "brightness": ["a bit cosier"]}}, [None, None]),
        ({FIRST: {"colour": "a bit cosier"}}, [None, None]),
        ({record_examples.SECOND: {"lamp": "the reading lamp"}}, [None, None]),
        ({FIRST: "a bit cosier"}, [None, None]),
        ([FIRST], [None, None]),
        (None, [None, None]),
    ],
)
def test_words_that_a_domain_has_for_a_value_explain_it_where_they_were_said(
    construction: Json, expected: list[str | None]
) -> None:
    document = worded(DIMLY, construction)
    assert evidence_levels(document) == expected
    unexplained = [each.pointer for each in check(document, generated=False) if each.rule == "TC201"]
    assert len(unexplained) == expected.count(None)


@pytest.mark.parametrize("place", ["after the call", "the system", "a result", "the assistant"])
def test_words_that_no_user_said_before_the_call_are_no_evidence(place: str) -> None:
    words = {FIRST: {"brightness": "a bit cosier"}}
    document = worded("Set lamp L-7.", words, system="Make all a bit cosier." if place == "the system" else "")
    said = {"after the call": "user", "a result": "tool", "the assistant": "assistant"}.get(place)
    if said is not None:
        message = {"role": said, "content": "Make it a bit cosier."}
        document["messages"].insert(len(document["messages"]) if said == "user" else 0, message)
    assert evidence_levels(document) == ["literal", None]


def test_what_is_said_outright_needs_no_words_of_a_domain() -> None:
    words = {FIRST: {"lamp": "a bit", "brightness": "cosier"}}
    assert evidence_levels(worded("Lamp L-7 to 35, a bit cosier.", words)) == ["literal", "literal"]


def test_the_whole_of_an_argument_comes_from_the_words_for_it() -> None:
    arguments = {"filter": {"status": "overdue", "sizes": [3, 4]}}
    document = worded("Show what is late.", {FIRST: {"filter": "what is late"}}, arguments)
    assert set(evidence_levels(document)) == {"construction"}


def test_a_mask_hides_the_names_that_words_are_kept_under() -> None:
    words = {FIRST: {"brightness": "a bit cosier"}}
    document = worded(DIMLY, words, {"arg_1": 35})
    assert evidence_levels(document) == [None]
    document["metadata"]["mask"] = {"tools": {"func_1": "act"}, "parameters": {"arg_1": "brightness"}}
    assert evidence_levels(document) == ["construction"]
    document["metadata"]["mask"]["parameters"]["arg_1"] = "lamp"
    assert evidence_levels(document) == [None]


def test_metadata_cannot_claim_words_that_nobody_said() -> None:
    document = worded(DIMLY, {FIRST: {"brightness": "a bit cosier"}})
    document["metadata"]["grounding"] = told = explain(document)
    where = {"level": "construction", "where": "/messages/0/content", "text": "a bit cosier"}
    assert told == {FIRST: {"/brightness": where}}
    assert "TC207" not in {each.rule for each in check(document, generated=False)}
    document["messages"][0]["content"] = "Make the reading lamp a little warmer."
    assert {"TC201", "TC207"} <= {each.rule for each in check(document, generated=False)}


@pytest.mark.slow
def test_made_records_hold_construction_under_unmasked_names() -> None:
    """Some arguments of the bundled domains rest on their words alone; with the mask on as without it."""
    for masked in (False, True):
        records = [each for kind in ("simple", "canonicalization") for each in _worded_records(kind, masked)]
        assert records
        for each in records:
            names = {name for words in each["metadata"]["construction"].values() for name in words}
            hidden = each["metadata"]["mask"]["parameters"] if masked else {}
            assert names.isdisjoint(hidden)
            assert "TC201" not in {found.rule for found in check(each)}
            del each["metadata"]["construction"]
            assert "TC201" in {found.rule for found in check(each)}


def _worded_records(kind: str, masked: bool) -> list[Json]:
    """Made records in which an argument has no evidence but the words of its domain."""
    maker = producer(3, 1.0 if masked else 0.0)
    lines = [maker.produce(index).line for index in indices_of(kind, 120)]
    made = [orjson.loads(line) for line in lines if line is not None]
    return [each for each in made if '"construction"' in str(each["metadata"].get("grounding")).replace("'", '"')]


@each_row("text", ["", " ", "a", " party", "party "])
@each_row("value", ["", " ", "\u0301", "\u0301\u0308"])
def test_a_value_that_folds_to_nothing_is_found_at_once(text: str, value: str) -> None:
    assert find_literal(fold(text), fold(value).strip()) == 0


def asserted(asked: str, value: Json, said: str, place: str = "value", **more: Any) -> str | None:
    document = record(asked, {"value": value}, {"value": {}}, **more)
    document["metadata"]["evidence"] = {FIRST: {place: said}}
    return evidence_levels(document)[-1]


@each_row(
    ("asked", "value", "said", "place", "expected"),
    [
        ("发短信给小王", "sms", "短信", "value", "asserted"),
        ("Bitte auf den Zahltag verschieben", "2026-02-10", "auf den Zahltag", "value", "asserted"),
        ("remind me an hour before that", "14:30", "an hour  before THAT", "value", "asserted"),
        ("Bitte auf den Zahltag", ["2026-02-10"], "auf den Zahltag", "/value", "asserted"),
        ("Bitte auf den Zahltag", ["2026-02-10"], "auf den Zahltag", "/value/0", "asserted"),
        ("Bitte auf den Zahltag", "2026-02-10", "auf den Feiertag", "value", None),  # said nowhere
        ("Bitte auf den Zahltag", "2026-02-10", "auf den Zahltag", "other", None),  # of another argument
        ("my order of the lamp", "ORD-1042", "my order of the lamp", "value", None),  # a code is known or it is not
        ("Bitte auf den Zahltag", "2026-02-10", "...", "value", None),
        ("x " * 300, "sms", "x " * 300, "value", None),  # a whole letter is no place in it
        ("How is Rome?", "Rome", "How", "value", "literal"),  # what the ladder finds by itself it finds
    ],
)
def test_words_that_the_author_names_explain_a_value(
    asked: str, value: Json, said: str, place: str, expected: str | None
) -> None:
    assert asserted(asked, value, said, place) == expected


def test_words_that_come_after_the_call_explain_nothing() -> None:
    document = record("Bitte verschieben", {"value": "2026-02-10"}, {"value": {}})
    document["messages"].append({"role": "user", "content": "auf den Zahltag"})
    document["metadata"]["evidence"] = {FIRST: {"value": "auf den Zahltag"}}
    assert evidence_levels(document) == [None]


@pytest.mark.parametrize("evidence", [7, [], {FIRST: 7}, {FIRST: {"value": 7}}, {FIRST: {"value": ""}}, {"x": {}}])
def test_evidence_of_any_shape_is_read(evidence: Json) -> None:
    document = record("Bitte auf den Zahltag", {"value": "2026-02-10"}, {"value": {}})
    document["metadata"]["evidence"] = evidence
    assert evidence_levels(document) == [None]


def test_results_and_the_system_message_are_words_too() -> None:
    assert asserted("Verschieb es", "2026-02-10", "Zahltag", system="Heute ist der Tag vor dem Zahltag.") == "asserted"


BLANK = [
    ("Add Mia to the crew.", {"name": "Mia", "team": ""}, {}, ["error"]),
    ("Add Mia to the crew.", {"name": "Mia", "team": "  "}, {}, ["error"]),
    ("Add Mia to the crew.", {"name": "Mia", "note": ""}, {}, ["note"]),
    ("Add Mia to the crew, leave the team blank.", {"name": "Mia", "team": ""}, {}, []),
    ("Füg Mia hinzu, das Team bleibt leer.", {"name": "Mia", "team": ""}, {}, []),
    ("把Mia加进去，团队留空。", {"name": "Mia", "team": ""}, {}, []),
    ("Add Mia to the crew.", {"name": "Mia", "team": ""}, {"default": ""}, []),
    ("Add Mia to the crew.", {"name": "Mia", "team": ""}, {"enum": ["", "red"]}, []),
    ("Add Mia to the crew.", {"name": "Mia", "team": ""}, {"description": "Empty for all teams."}, []),
]


@pytest.mark.parametrize(("asked", "arguments", "schema", "expected"), BLANK)
def test_a_blank_text_comes_from_somewhere(asked: str, arguments: Json, schema: Json, expected: list[str]) -> None:
    document = record(asked, arguments, {"name": {}, "team": schema, "note": {}})
    document["tools"][0]["function"]["parameters"]["required"] = ["name", "team"]
    for generated, weaker in ((True, "error"), (False, "warning")):
        found = [each.severity for each in check(document, generated=generated) if each.rule == "TC201"]
        assert found == [weaker if each == "error" else each for each in expected]


def test_a_blank_text_of_a_result_may_be_passed_on() -> None:
    document = record("Copy the crew of deck 2.", {"team": "", "names": [""]}, {"team": {}, "names": {}})
    document["messages"].insert(1, {"role": "tool", "tool_call_id": "a", "name": "act", "content": '{"team":""}'})
    assert [each for each in check(document, generated=False) if each.rule == "TC201"] == []
