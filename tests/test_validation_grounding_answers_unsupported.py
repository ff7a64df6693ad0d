"""Answers: what they may tell, and what they may not leave out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.validation import check
from generator.validation.grounding import rules
from tests.answer_examples import found, tool
from tests.answer_examples import told as told_in_example
from tests.record_examples import FIRST, SECOND, call, result
from tests.tables import each_row

Json = Any  # parsed JSON
THIRD = "mN5oP6qR7"
ERROR = {"error": {"type": "RATE_LIMIT_EXCEEDED", "message": "Too many requests, slow down."}}
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Get the weather of a city from the Meteo service.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "day": {"type": "string"}}},
    },
}


def record(
    asked: str, calls: list[tuple[str, Json, Json]], told: str, *, day: str = "2026-01-15", kind: str = "simple"
) -> Json:
    """One user's turn: each call as its tool's name, its arguments and its result."""
    ids = (FIRST, SECOND, THIRD)
    made = [call(ids[at], name, arguments) for at, (name, arguments, _) in enumerate(calls)]
    results = [result(ids[at], name, json.dumps(value)) for at, (name, _, value) in enumerate(calls)]
    turn = [{"role": "assistant", "content": "", "tool_calls": made}, *results] if calls else []
    return {
        "messages": [{"role": "user", "content": asked}, *turn, {"role": "assistant", "content": told}],
        "tools": [TOOL],
        "metadata": {"reference_date": day, "kind": kind},
    }


def broken(document: Json, *, generated: bool = True) -> set[str]:
    return {each.rule for each in check(document, generated=generated) if "TC202" <= each.rule <= "TC206"}


RESULT = {
    "temperature": 21.46,
    "date": "2026-03-04",
    "updated_at": "2026-03-04T18:05:00Z",
    "population": 1234567,
    "humidity": 0.64,
    "station": "Ciampino",
    "alerts": [{"id": "A-1"}, {"id": "A-2"}, {"id": "A-3"}],
}


def told(answer: str, value: Json = RESULT) -> set[str]:
    return broken(record("How is Rome on March 4?", [("get_weather", {"city": "Rome"}, value)], answer))


@each_row(
    "answer",
    [
        "Rome has 21.46 degrees.",
        "Rome has 21.5 degrees, so about 21.",
        "Humidity is at 64%.",
        "On March 4, 2026 Rome has 21.46 degrees.",
        "On the 4th of March it is 21.46 degrees, as of 6:05 PM.",
        "It was updated at 18:05 on 2026-03-04.",
        "On March 4, from 6:05 to 6:05 PM, it was 21.46 degrees.",
        "About 1,234,567 people live there.",
        "Rome tiene 21,46 grados y 1.234.567,0 habitantes.",
        "Rome tiene 21,46 grados y 1.234.567 habitantes.",
        "Ciampino is read on Wednesdays.",
        "There are 3 alerts, A-1 among them; the station is Ciampino.",
        "Here are two of them:\n1. A-1\n2. A-2\nand 1 more.",
        "According to the Meteo service, Rome has 21.46 degrees.",
        "The station Ciampino reports 21.46 °C, I'm afraid; that's Celsius.",
    ],
)
def test_what_results_and_request_hold_may_be_told(answer: str) -> None:
    assert told(answer) == set()


@each_row(
    ("answer", "rules_broken"),
    [
        ("From Rome it takes 11 hours 40 minutes.", set()),
        ("From Rome it takes 11 hours and 40 minutes, or 1 hour 5 minutes.", set()),
        ("From Rome it takes 1 stop, 11 hours 40 minutes.", set()),
        ("From Rome it takes 11 hours 45 minutes.", {"TC202"}),
        ("From Rome it takes 40 minutes.", {"TC202"}),
        ("From Rome it takes 11 h 40 min.", set()),
        ("From Rome it takes 11h40.", set()),
        ("De Rome tarda 11 horas y 40 minutos.", set()),
        ("Rome 需要11小时40分钟。", set()),
        ("From Rome it takes 11 h 45 min.", {"TC202"}),
        ("De Rome tarda 11 horas y 45 minutos.", {"TC202"}),
        ("Rome 需要11小时45分钟。", {"TC202"}),
    ],
)
def test_lengths_in_minutes_may_be_told_in_hours_and_minutes(answer: str, rules_broken: set[str]) -> None:
    assert (
        told(answer, {"origin": "Rome", "flights": [{"duration_minutes": 700}, {"duration_minutes": 65}]})
        == rules_broken
    )


@each_row(
    ("answer", "rule"),
    [
        ("Rome has 25 degrees.", "TC202"),
        ("Rome has 21.6 degrees.", "TC202"),
        ("Rome has 21.46 degrees, and 7 alerts.", "TC202"),
        ("Rome has 21.46 degrees, alert A-9 is on.", "TC202"),
        ("A-9 is on, and Rome has 21.46 degrees.", "TC202"),
        ("Rome has 46 degrees.", "TC202"),
        ("Rome tiene 21,64 grados.", "TC202"),
        ("Rome tiene 21,4601 grados.", "TC202"),
        ("Rome tiene 1.234.576 habitantes.", "TC202"),
        ("Rome has 21.46 degrees at 6:05 AM.", "TC203"),
        ("March 5 is fine: 21.46 degrees in Rome.", "TC203"),
        ("On March 5, 2026 Rome has 21.46 degrees.", "TC203"),
        ("On 2026-03-14 Rome has 21.46 degrees.", "TC203"),
        ("As of 7:05 PM Rome has 21.46 degrees.", "TC203"),
        ("From 5:05 to 6:05 PM Rome has 21.46 degrees.", "TC203"),
        ("Rome has 21.46 degrees, says Anna Berger.", "TC204"),
        ("In Rome it is 21.46 degrees, as in Florence.", "TC204"),
    ],
)
def test_what_no_result_and_no_request_hold_is_made_up(answer: str, rule: str) -> None:
    assert told(answer) == {rule}


@pytest.mark.parametrize("answer", ["It is 21.5 degrees.", "It is 5 degrees.", "So 21.5 degrees in Rome, says Anna."])
def test_the_short_look_says_what_the_long_one_says(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    document = record("How is Rome?", [("get_weather", {"city": "Rome"}, {"temperature": 21.5})], answer)
    found = check(document)
    monkeypatch.setattr(rules, "has_verbatim_figures", lambda answer: False)
    monkeypatch.setattr(rules, "has_verbatim_arguments", lambda record: False)
    assert check(document) == found


@pytest.mark.parametrize(("commit", "expected"), [("ccea7b5", set()), ("cc41e7b", {"TC202"})])
def test_a_long_id_may_be_quoted_by_its_beginning(commit: str, expected: set[str]) -> None:
    value = {"merged": True, "sha": "ccea7b50c7a3d2e9f8b6", "city": "Rome"}
    assert told(f"It went in as commit {commit}.", value) == expected


def test_nouns_with_capitals_are_no_names() -> None:
    answer = "Rome hat 21.46 Grad, das ist schon ein Erfolg."
    document = record("Wie ist Rome?", [("get_weather", {"city": "Rome"}, RESULT)], answer)
    assert broken(document) == set()
    document["metadata"]["locale"] = "de_DE"
    assert broken(document) == set()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Laut 查过了，在 Rome的气温是 21.46 度。", set()),
        ("查过了 罗马的气温是 21.46 度。", set()),
        ("Rome a 21.46 degrés, cela peut être vérifié un été.", set()),
        ("查过了，在 Florence的气温是 21.46 度。", {"TC204"}),
    ],
)
def test_a_name_is_a_word_with_a_capital_and_ends_with_its_script(answer: str, expected: set[str]) -> None:
    assert told(answer) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Shall I cancel TR-7?", set()),
        ("That's $30 for Anna. Shall I cancel it?", set()),
        ("That's $45 for Anna. Shall I cancel it?", {"TC202"}),
        ("That's $30 for Anna on March 9. Shall I cancel it?", {"TC203"}),
        ("That's the one for Doctor Berger. Shall I cancel it?", {"TC204"}),
    ],
)
def test_what_is_asked_before_the_calls_comes_from_somewhere(question: str, expected: set[str]) -> None:
    document = record("Cancel TR-7, the $30 for Anna.", [("cancel", {"id": "TR-7"}, {"amount": 45})], "It is canceled.")
    turns = [{"role": "assistant", "content": question}, {"role": "user", "content": "Yes, please."}]
    document["messages"][1:1] = turns
    assert broken(document) == expected
    document["metadata"]["kind"] = "ambiguous"
    assert broken(document) == set()


def test_made_up_facts_are_errors_where_written_and_warnings_where_read() -> None:
    document = record("How is Rome?", [("get_weather", {"city": "Rome"}, RESULT)], "Rome has 25 degrees.")
    for generated, severity in ((True, "error"), (False, "warning")):
        (found,) = [each for each in check(document, generated=generated) if each.rule == "TC202"]
        assert (found.severity, found.pointer) == (severity, "/messages/3/content")


def test_an_answer_without_a_result_may_tell_what_was_asked_and_what_tools_do() -> None:
    assert broken(record("Book 3 seats in Rome.", [], "I can't book seats in Rome, be it 3 or more.")) == set()
    assert broken(record("Book 3 seats in Rome.", [], "Your 4 seats are booked.")) == {"TC202"}


@pytest.mark.parametrize("kind", ["chitchat", "no_tools"])
def test_an_answer_from_what_everybody_knows_is_free(kind: str) -> None:
    assert broken(record("What is the capital of France?", [], "It is Paris, since 987.", kind=kind)) == set()


FAILED = [("get_weather", {"city": "Rome"}, ERROR)]
MIXED = [("get_weather", {"city": "Rome"}, {"temperature": 21.5}), ("get_weather", {"city": "Oslo"}, ERROR)]
ASKED = "How are Rome and Oslo?"


@pytest.mark.parametrize(
    ("calls", "answer"),
    [
        (FAILED, "I couldn't get the weather of Rome. Please try again later."),
        (FAILED, "Too many requests were made; slow down, says the service."),
        (MIXED, "Rome has 21.5 degrees. For Oslo it failed: too many requests."),
        (MIXED, "Rome has 21.5 degrees. Sorry, nothing for Oslo."),
    ],
)
def test_errors_that_are_told(calls: list[tuple[str, Json, Json]], answer: str) -> None:
    assert broken(record(ASKED, calls, answer)) == set()


@pytest.mark.parametrize(
    ("calls", "answer"),
    [
        (FAILED, "The weather of Rome is on its way to you."),
        (FAILED, "Rome is lovely at this time of the year."),
        (MIXED, "Rome has 21.5 degrees, and Oslo is lovely."),
        (MIXED, "Rome and Oslo both are at 21.5 degrees."),
        (MIXED, "Rome has 21.5 degrees. Oslo has the same. That is all that is known today. Sorry for the wait."),
    ],
)
def test_errors_that_are_glossed_over(calls: list[tuple[str, Json, Json]], answer: str) -> None:
    assert "TC205" in broken(record(ASKED, calls, answer))


def test_lists_of_english_words_give_way_to_a_judge_abroad() -> None:
    document = record(ASKED, FAILED, "The weather of Rome is on its way to you.")
    document["metadata"] |= {"locale": "es_ES", "kind": "chitchat"}
    assert "TC205" in broken(document)
    assert "TC114" in {each.rule for each in check(document)}
    document["metadata"]["second_opinion"] = ["judge"]
    assert broken(document) == set()
    assert "TC114" not in {each.rule for each in check(document)}
    document["metadata"]["kind"] = "parallel"  # how many calls there are is seen in every language
    assert "TC114" in {each.rule for each in check(document)}
    document["metadata"]["locale"] = "en_US"
    assert "TC205" in broken(document)


def test_an_error_that_a_later_call_mended_need_not_be_told() -> None:
    document = record(ASKED, FAILED, "Rome has 21.5 degrees.")
    again = [
        {"role": "assistant", "content": "", "tool_calls": [call(SECOND, "get_weather", {"city": "Rome"})]},
        result(SECOND, "get_weather", '{"temperature": 21.5}'),
    ]
    document["messages"][-1:-1] = again
    assert broken(document) == set()
    document["messages"][-2]["content"] = json.dumps(ERROR)
    document["messages"][-1]["content"] = "The weather of Rome is lovely."
    assert "TC205" in broken(document)


TWO = [
    ("get_weather", {"city": "Rome"}, {"temperature": 21.5}),
    ("get_weather", {"city": "Oslo"}, {"temperature": 3.5}),
]
SAME = [
    ("get_weather", {"city": "Rome"}, {"temperature": 3.5}),
    ("get_weather", {"city": "Oslo"}, {"temperature": 3.5}),
]
DEEDS = [("lock_door", {}, {"success": True}), ("lights_off", {}, {"success": True})]


@pytest.mark.parametrize(
    ("calls", "answer"),
    [
        (TWO, "Rome has 21.5 degrees, Oslo 3.5."),
        (TWO, "It is 21.5 degrees here and 3.5 there."),
        (SAME, "Both have 3.5 degrees."),
        (SAME, "In Rome and Oslo it is 3.5 degrees."),
        (DEEDS, "The door is locked and the lights are off."),
        (DEEDS, "All done!"),
        ([("get_weather", {"city": "Rome"}, {"temperature": 3.5})], "It is 3.5 degrees."),
        ([("check_door", {}, {"locked": True})], "Yes, it is."),
    ],
)
def test_calls_that_are_covered(calls: list[tuple[str, Json, Json]], answer: str) -> None:
    assert broken(record(ASKED, calls, answer)) == set()


@pytest.mark.parametrize(
    ("calls", "answer"),
    [
        (TWO, "Rome has 21.5 degrees."),
        (TWO, "Oslo has 3.5 degrees."),
        (DEEDS, "The door is locked."),
        ([("get_weather", {"city": "Rome"}, {"temperature": 3.5})], "Here you are, have fun."),
        ([("set_thermostat", {"room": "bedroom"}, {"heating": True})], "That is what there is to say."),
    ],
)
def test_calls_that_are_left_out(calls: list[tuple[str, Json, Json]], answer: str) -> None:
    assert "TC206" in broken(record(ASKED, calls, answer))


def test_every_turn_of_a_conversation_is_answered() -> None:
    first = record(ASKED, TWO, "Rome has 21.5 degrees.")
    second = record("And Rome again?", TWO[:1], "Rome has 21.5 degrees.")
    first["messages"] += second["messages"]
    assert [each.pointer for each in check(first) if each.rule == "TC206"] == ["/messages/4/content"]


@pytest.mark.parametrize(
    "answer", ["9" * 300_000, "A" * 300_000, "A " * 100_000, "1/" * 100_000, "Yes. No! " * 30_000, "\n" * 300_000]
)
def test_hostile_answers_are_read_in_bounded_work(answer: str) -> None:
    check(record(ASKED, TWO, answer))
    check(record(ASKED, [("get_weather", {"city": answer[:20_000]}, {"text": answer})], answer[:20_000]))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Rome的天气已经发给anna@example.net了。", set()),
        ("It went to anna@example.net.", set()),
        ("It went to anna@example.com.", {"TC204"}),
        ("Rome的天气已经发给berta@example.net了。", {"TC204"}),
        ("See https://example.net/rome for Rome.", {"TC204"}),
    ],
)
def test_addresses_come_from_somewhere(answer: str, expected: set[str]) -> None:
    document = record("Mail it to anna@example.net.", [("get_weather", {"city": "Rome"}, {"sent": "Rome"})], answer)
    assert broken(document) - {"TC206"} == expected


BASKET = {"items": [{"name": "hose", "count": 4, "price_eur": 7.25}, {"name": "rake", "count": 2, "price_eur": 19}]}


@each_row(
    ("value", "answer", "expected"),
    [
        (BASKET, "Your basket comes to 67.00 euros: four hoses and two rakes.", set()),
        (BASKET, "Your basket comes to 64.00 euros: four hoses and two rakes.", {"TC202"}),
        (BASKET, "Your basket comes to 26.25 euros: one of each.", set()),
        ({"tanks": [{"id": "A", "level": 81.5}, {"id": "B", "level": 66}]}, "A leads by 15.5: 81.5 against 66.", set()),
        ({"tanks": [{"id": "A", "level": 81.5}, {"id": "B", "level": 66}]}, "A has 81.5, B 66, 14.5 less.", {"TC202"}),
        ({"length_km": 48.3}, "The trail is about 30 miles long.", set()),
        ({"length_km": 48.3}, "The trail is about 36 miles long.", {"TC202", "TC206"}),
        ({"weight_kg": 12}, "It weighs 26.5 pounds.", set()),
        ({"weight_kg": 12}, "It weighs 29.5 pounds.", {"TC202", "TC206"}),
        ({"drop_m": 1000}, "That's 3,300 feet down.", set()),
        ({"temp_c": 21}, "It's 70 degrees there.", set()),
        ({"temp_c": 21}, "It's 77 degrees there.", {"TC202", "TC206"}),
        ({"distance_km": 42.2}, "Das sind etwa 26 Meilen für dich.", set()),
        ({"start": "13:40", "duration_minutes": 35}, "It runs from 13:40 to 14:15.", set()),
        ({"start": "13:40", "duration_minutes": 35}, "It runs from 13:40 to 14:25.", {"TC203"}),
        ({"vans": 3}, "Three.", set()),
        ({"vans": 3}, "Four.", {"TC206"}),
        ({"a": 1, "visits": 27}, "Twenty-seven.", set()),
        ({"a": 1, "visits": 27}, "Twenty-eight.", {"TC206"}),
    ],
)
def test_what_follows_from_the_results_is_true_and_what_does_not_is_made_up(
    value: Json, answer: str, expected: set[str]
) -> None:
    assert broken(record("What about it, please?", [("look_up", {"id": "x9"}, value)], answer)) == expected


@pytest.mark.parametrize(
    ("value", "answer", "expected"),
    [
        ({"rate_sek": 950}, "A night is 950 Swedish kronor.", set()),
        ({"rate_cad": 90}, "It's 90 Canadian dollars a night.", set()),
        ({"rate_usd": 90}, "It's 90 Canadian dollars a night.", {"TC204"}),
        ({"rate_cad": 90}, "It's 90 dollars a night at the Canadian.", {"TC204"}),
    ],
)
def test_the_code_in_the_name_of_a_field_names_the_currency(value: Json, answer: str, expected: set[str]) -> None:
    assert broken(record("What's a night?", [("rate", {"id": "x9"}, value)], answer)) == expected


StrangeJson = Any  # parsed JSON
Call = tuple[str, StrangeJson, StrangeJson]
HOTEL = ("book_hotel", {"hotel": "Astoria"}, {"hotel": "Astoria", "nights": 3, "price": 300, "code": "H-77"})
SHARES = ("get_price", {"symbol": "ACME"}, {"symbol": "ACME", "price": 41.2, "currency": "USD"})
DISH = ("find_recipe", {"dish": "dal"}, {"title": "Red lentil dal", "minutes": 35, "steps": ["Rinse the lentils"]})


def said(answer: str, call: Call, *, generated: bool = False) -> list[str]:
    """How sure the rule is of an answer to a call."""
    tools = (tool(call[0], "Do what it says.", **{name: {"type": "string"} for name in call[1]}),)
    return found(told_in_example("Please see to it.", answer, call, tools=tools), "TC216", generated=generated)


@pytest.mark.parametrize(
    ("call", "answer", "expected"),
    [
        (HOTEL, "The Astoria is booked, code H-77. Breakfast is great there. It overlooks the old harbor.", "warning"),
        (HOTEL, "The Astoria is booked for 3 nights. The hotel was renovated recently.", "note"),
        (HOTEL, "Booked: Astoria, H-77. There's a swimming pool on the roof.", "warning"),
        (HOTEL, "Booked: Astoria, 3 nights, and they serve vegan breakfast.", "warning"),
        (SHARES, "ACME stands at $41.20. Most brokers recommend selling.", "warning"),
        (SHARES, "ACME stands at $41.20. The company announced record profits.", "warning"),
        (DISH, "Red lentil dal takes 35 minutes. It freezes beautifully.", "note"),
        (DISH, "Red lentil dal takes 35 minutes. The recipe is a classic from Bengal's villages.", "note"),
    ],
)
def test_what_nobody_has_said_is_strange(call: Call, answer: str, expected: str) -> None:
    assert said(answer, call) == [expected]
    assert said(answer, call, generated=True) == ([expected] if expected == "warning" else [])


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (HOTEL, "The Astoria is booked for 3 nights, $300 in all. Enjoy your stay!"),
        (HOTEL, "The Astoria is booked. Let me know if you need a taxi or a parking lot."),
        (HOTEL, "The Astoria is booked. You can cancel for free until Friday."),
        (HOTEL, "The booking went through. I hope the weather holds."),
        (HOTEL, "It's booked, and the code is H-77."),
        (SHARES, "ACME stands at $41.20. It may well rise or fall tomorrow."),
        (SHARES, "ACME stands at $41.20. There's no news on dividends."),
        (DISH, "Red lentil dal takes 35 minutes. It looks good!"),
        (DISH, "It takes 35 minutes. The first step: rinse the lentils."),
    ],
)
def test_what_was_said_or_is_only_polite_is_not(call: Call, answer: str) -> None:
    assert said(answer, call) == []


TOOLS = (tool("get_weather", "Get the weather.", city={"type": "string"}),)
CALL = (
    "get_weather",
    {"city": "Madrid"},
    {"city": "Madrid", "sky": "clear", "station": "Three Bridges", "degrees": 17},
)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Madid: clear, 17 degrees.", ["warning"]),
        ("Clear, 17 degrees:\n- Mardid", ["warning"]),
        ("Heute ist es in Madird klar bei 17 Grad, und das ist schön.", ["note"]),
        ("Quennell is clear with 17 degrees.", ["note"]),
        ("Madrid is clear. There are 17 degrees.", []),
        ("Madrid's sky is clear, says Three Bridges.", []),
        ("Madrids Himmel ist klar, und es hat 17 Grad.", []),
        ("Today is clear with 17 degrees.", []),
    ],
)
def test_names_are_spelt_as_the_results_have_them(answer: str, expected: list[str]) -> None:
    document = told_in_example("How is the weather in Madrid?", answer, CALL, tools=TOOLS)
    assert found(document, "TC204", generated=False) == expected
