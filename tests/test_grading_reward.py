"""Rewards: the record's own answer is worth 1.0, what says the same too, and what is wrong always less."""

from __future__ import annotations

import copy
import json
import math
from typing import Any

import pytest

from generator import Reward, reward
from generator.errors import UsageError
from generator.formats.openai import FORMAT as OPENAI
from generator.grading.turns import turns_of
from generator.kinds import KINDS
from generator.record import generate_records
from tests.benchmarks.corruptions.classes import CLASSES
from tests.bundled import bundled_tools
from tests.kind_records import records_of
from tests.test_validation_mutations import MUTATIONS
from tests.wrong_answers import WrongAnswer, corrupted_answers, good_bases, mutated_answers

Json = Any
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Get the weather.",
        "parameters": {
            "type": "object",
            "required": ["city"],
            "properties": {"city": {"type": "string"}, "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}},
        },
    },
}


def calling(*cities: str, **others: Json) -> Json:
    calls = [
        {
            "id": f"aB3dE6gH{at}",
            "type": "function",
            "function": {"name": "get_weather", "arguments": {"city": city, **others}},
        }
        for at, city in enumerate(cities)
    ]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def returning(place: int, content: str) -> Json:
    return {"role": "tool", "tool_call_id": f"aB3dE6gH{place}", "name": "get_weather", "content": content}


CALL_AS_TEXT = '{"name": "get_weather", "arguments": {"city": "%s"}}'
RECORD: Json = {
    "messages": [
        {"role": "user", "content": "How's the weather in Porto and in Oslo?"},
        calling("Porto", "Oslo"),
        returning(0, '{"city":"Porto","sky":"clear","degrees":12}'),
        returning(1, '{"city":"Oslo","sky":"snowy","degrees":-6}'),
        {"role": "assistant", "content": "It's clear in Porto, at 12 degrees, and snowy in Oslo, at -6 degrees."},
    ],
    "tools": [WEATHER],
}  # fmt: skip


def codes(told: Reward) -> set[str]:
    return {reason.code for reason in told.wrong}


RIGHT_CALLS: list[Json] = [
    calling("Porto", "Oslo"),
    calling("Oslo", "porto "),
    {"role": "assistant", "content": None, "tool_calls": calling("Porto", "Oslo")["tool_calls"]},
    [calling("Porto", "Oslo")],
    calling("Porto", "Oslo")["tool_calls"],
    "\n".join(f"<tool_call>\n{CALL_AS_TEXT % city}\n</tool_call>" for city in ("Oslo", "Porto")) + "<|im_end|>",
    "\n".join(f"<tool_call>{CALL_AS_TEXT % city}</tool_call>" for city in ("Oslo", "Porto")) + "\nOne moment.",
    "".join(f'<function=get_weather>{{"city": "{city}"}}</function>' for city in ("Porto", "Oslo")) + " One moment.",
    f"<think>Two cities.</think>[{CALL_AS_TEXT % 'Oslo'}, {CALL_AS_TEXT % 'Porto'}]",
    {"role": "assistant", "content": "Let me look.", "tool_calls": calling("Porto", "Oslo")["tool_calls"]},
]
WRONG_CALLS: list[tuple[Json, set[str]]] = [
    (calling("Porto"), {"missing_call"}),
    (calling("Porto", "Paris"), {"differing_call", "wrong_argument"}),
    (calling("Porto", "Oslo", "Rome"), {"needless_call"}),
    (calling("Porto", "Oslo", "Oslo"), {"needless_call"}),
    (calling("Porto", "Oslo", unit="celsius"), {"differing_call", "needless_argument"}),
    (calling("Porto", "Oslo", unit="kelvin"), {"invalid_arguments", "needless_argument"}),
    ([{"name": "get_rain", "arguments": {}}], {"unknown_tool", "missing_call"}),
    (
        [{"name": "get_weather", "arguments": '{"city": "Porto", "city": "Oslo"}'}],
        {"malformed_arguments", "missing_call"},
    ),
    ([{"name": "get_weather", "arguments": '{"city": NaN}'}], {"malformed_arguments", "missing_call"}),
    ({"role": "assistant", "content": "In which city?"}, {"asked_instead", "missing_call"}),
    ("It's 12 degrees in Porto.", {"no_call", "missing_call"}),
    ({"role": "assistant", "content": ""}, {"empty_answer", "missing_call"}),
    ("<tool_call>{nothing", {"unreadable", "missing_call"}),
    ("<tool_call>{nothing</tool_call>\nOne moment.", {"unreadable", "missing_call"}),
    ({**calling("Porto", "Oslo"), "content": "I can't do that."}, {"denied"}),
    ({**calling("Porto", "Oslo"), "content": "It has 77 degrees there."}, {"told_before"}),
]
RIGHT_TEXTS = [
    RECORD["messages"][-1]["content"],
    "It's clear in Porto, at 12 degrees, and snowy in Oslo, at -6 degrees. Anything else?",
    "In Porto the sky is clear with 12 degrees; in Oslo it is snowy with -6 degrees.",
    "Sure! Porto: clear, 12 degrees.\nOslo: snowy, -6 degrees.",
    "Oslo: snowy, -6 degrees. Porto: clear, twelve degrees.",
]
WRONG_TEXTS: list[tuple[Json, str]] = [
    ("It's clear in Porto, at 13 degrees, and snowy in Oslo, at -6 degrees.", "unborne"),
    ("It's clear in Porto, at -6 degrees, and snowy in Oslo, at 12 degrees.", "other_order"),
    ("It's clear in Oslo, at 12 degrees, and snowy in Porto, at -6 degrees.", "other_order"),
    ("It's clear in Porto, at 12 degrees.", "left_out"),
    ("It's clear in Porto, at 12 degrees, and not snowy in Oslo, at -6 degrees.", "denied"),
    ("It's clear in Porto, at 12 degrees, and snowy in Oslo, at -6 degrees. Take Dr Quennell along.", "unborne"),
    ("It's clear in Porto, at 12 degrees, and snowy in Oslo, at -6 degrees. The pollen count is low.", "states_more"),
    ("I'm sorry, that didn't work.", "denied"),
    ("Which city do you mean?", "asked_instead"),
    ("asdf qwer zxcv uiop", "off_topic"),
    ("", "empty_answer"),
    ("   \n", "empty_answer"),
    (calling("Porto"), "called_instead"),
    ("<tool_call>{nothing", "malformed_call"),
]  # fmt: skip


@pytest.mark.parametrize("answer", RIGHT_CALLS)
def test_calls_that_mean_the_same_are_right(answer: Json) -> None:
    told = reward(RECORD, 0, answer)
    assert told.value == 1.0
    assert told.wrong == ()
    assert {reason.part for reason in told.reasons} == {"call", "argument"}


@pytest.mark.parametrize(("answer", "why"), WRONG_CALLS)
def test_wrong_calls_are_worth_less_and_the_reasons_say_why(answer: Json, why: set[str]) -> None:
    told = reward(RECORD, 0, answer)
    assert 0 <= told.value < 1
    assert codes(told) == why
    assert all(reason.message for reason in told.reasons)


def test_the_more_is_right_the_more_it_is_worth() -> None:
    order = [
        "",
        calling("Paris", "Rome"),
        calling("Porto", "Oslo", "Rome"),
        calling("Paris", "Oslo"),
        calling("Porto", "Oslo"),
    ]
    values = [reward(RECORD, 0, answer).value for answer in order]
    assert values == sorted(set(values))


@pytest.mark.parametrize("text", RIGHT_TEXTS)
def test_texts_that_say_the_same_are_right(text: str) -> None:
    told = reward(RECORD, 1, text)
    assert told.value == 1.0, told.wrong
    assert reward(RECORD, 1, {"role": "assistant", "content": text}) == told


@pytest.mark.parametrize(("answer", "why"), WRONG_TEXTS)
def test_wrong_texts_are_worth_less_and_the_reasons_say_why(answer: Json, why: str) -> None:
    told = reward(RECORD, 1, answer)
    assert 0 <= told.value < 1
    assert why in codes(told)


def done(request: str, result: Json, own: str) -> Json:
    """A record of one request, one call with its result, and the record's own answer."""
    call = {"id": "aB3dE6gH0", "type": "function", "function": {"name": "handle", "arguments": {}}}
    text = json.dumps(result)
    return {
        "messages": [
            {"role": "user", "content": request},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "aB3dE6gH0", "name": "handle", "content": text},
            {"role": "assistant", "content": own},
        ],
        "tools": [
            {"type": "function", "function": {"name": "handle", "description": "Handle hives.",
                                              "parameters": {"type": "object", "properties": {}}}}
        ],
    }  # fmt: skip


COLONY = done(
    "How is Clover doing?",
    {"colony": "Clover", "strength": "medium", "queen_marked": True, "weight_kg": 24},
    "The strength of Clover is medium, its queen is marked, and it weighs 24 kg.",
)
ORDER = done(
    "Order 12 frames for Sage, please.",
    {"order": "FR-30433", "colony": "Sage", "frames": 12, "status": "ordered"},
    "I've ordered 12 frames for Sage; the order is FR-30433.",
)
NOT_WRONG = [
    (COLONY, "Clover's strength is medium, its queen is marked, and it weighs 24 kg."),
    (COLONY, "Clover’s colony is of medium strength, the queen is marked, and it weighs 24 kg."),
    (COLONY, "It's medium, the queen is marked, and it weighs 24 kg."),
    (COLONY, "How Clover does: medium strength, the queen is marked, 24 kilograms."),
    (ORDER, "I've placed Sage's order for 12 frames; it is FR-30433."),
    (ORDER, "I've ordered 12 frames for Sage; the order is FR-30433. Let me know if I can help with anything else!"),
]
TAGGED = done(
    "Tag Heather as requeened.", {"colony": "Heather", "tag": "requeened"}, "Heather is now tagged requeened."
)
VISIT = done(
    "When does the inspector visit Clover?",
    {"colony": "Clover", "visitor": "inspector", "date": "2026-05-12"},
    "The inspector visits Clover on May 12.",
)
BESTELLUNG = done(
    "Bestelle bitte 12 Rahmen für Sage.",
    {"order": "FR-30433", "colony": "Sage", "frames": 12},
    "Ich habe 12 Rahmen für Sage bestellt; die Bestellung ist FR-30433.",
)
PEDIDO = done(
    "Pide 12 marcos para Sage, por favor.",
    {"order": "FR-30433", "colony": "Sage", "frames": 12},
    "He pedido 12 marcos para Sage; el pedido es FR-30433.",
)
COMMANDE = done(
    "Commande 12 cadres pour Sage, s'il te plaît.",
    {"order": "FR-30433", "colony": "Sage", "frames": 12},
    "J'ai commandé 12 cadres pour Sage ; la commande est FR-30433.",
)


def test_a_unit_written_out_is_the_same_unit() -> None:
    own = COLONY["messages"][-1]["content"]
    assert reward(COLONY, 1, own.replace("24 kg", "24 kilograms")).value == 1.0
    assert reward(COLONY, 1, own.replace("24 kg", "24 kilometers")).value < 1.0


UNDONE: list[tuple[Json, str, float]] = [
    (ORDER, "Shall I order 12 frames for Sage? The order is FR-30433.", 0.9),
    (ORDER, "I'll order 12 frames for Sage tomorrow; the order is FR-30433.", 0.9),
    (ORDER, "I can order 12 frames for Sage; the order is FR-30433.", 0.9),
    (ORDER, "You should order 12 frames for Sage; the order is FR-30433.", 0.9),
    (ORDER, "Please tell me whether to order 12 frames for Sage; the order is FR-30433.", 0.9),
    (ORDER, "I have sold 12 frames for Sage; the order is FR-30433.", 0.96),
    (ORDER, "I've returned 12 frames for Sage; the order is FR-30433.", 0.96),
    (ORDER, "I've ordered 12 hives for Sage; the order is FR-30433.", 0.96),
    (ORDER, "I've ordered 12 frames from Sage; the order is FR-30433.", 0.96),
    (TAGGED, "Heather is untagged requeened.", 0.96),
    (TAGGED, "Heather will be tagged requeened.", 0.9),
    (TAGGED, "Heather was tagged requeened before.", 0.96),
    (COLONY, "The strength of Clover is medium, its queen is marked, and it weighs 24 kg an hour.", 0.96),
    (VISIT, "The inspector may visit Clover on May 12.", 0.96),
    (VISIT, "Should the inspector visit Clover on May 12?", 0.9),
    (BESTELLUNG, "Ich werde 12 Rahmen für Sage bestellen; die Bestellung ist FR-30433.", 0.9),
    (BESTELLUNG, "Soll ich 12 Rahmen für Sage bestellen? Die Bestellung ist FR-30433.", 0.9),
    (BESTELLUNG, "Ich habe 12 Rahmen von Sage bestellt; die Bestellung ist FR-30433.", 0.96),
    (PEDIDO, "Voy a pedir 12 marcos para Sage; el pedido es FR-30433.", 0.9),
    (PEDIDO, "He pedido 12 marcos sin Sage; el pedido es FR-30433.", 0.96),
    (COMMANDE, "Je vais commander 12 cadres pour Sage ; la commande est FR-30433.", 0.9),
    (COMMANDE, "J'ai vendu 12 cadres pour Sage ; la commande est FR-30433.", 0.96),
]


@pytest.mark.parametrize(("record", "text", "below"), UNDONE)
def test_what_is_not_done_or_another_deed_is_worth_less(record: Json, text: str, below: float) -> None:
    told = reward(record, 1, text)
    assert told.value < below
    assert told.wrong


@pytest.mark.parametrize(("record", "text"), NOT_WRONG)
def test_right_texts_in_other_words_are_not_graded_wrong(record: Json, text: str) -> None:
    told = reward(record, 1, text)
    assert told.value >= 0.9, told.wrong


@pytest.mark.parametrize("kind", KINDS)
def test_the_own_answer_of_a_record_is_right_in_every_shape(kind: str) -> None:
    for record in records_of(kind, 4):
        written = OPENAI.dump_record(copy.deepcopy(record)) if OPENAI.dump_record else record
        for turn in turns_of(record):
            assert reward(record, turn.number, turn.expected).value == 1.0
            own = turns_of(written)[turn.number].expected
            assert reward(record, turn.number, own).value == 1.0
            assert reward(written, turn.number, turn.expected).value == 1.0


def test_a_record_is_given_as_such_as_its_document_or_as_text() -> None:
    record = next(iter(generate_records(bundled_tools(), count=1, seed=5)))
    turn = turns_of(record)[0]
    wanted = reward(record, 0, turn.expected)
    assert wanted.value == 1.0
    assert reward(record.to_dict(), 0, turn.expected) == wanted == reward(record.model_dump_json(), 0, turn.expected)


def test_a_record_that_is_changed_is_graded_as_it_is_then() -> None:
    record = copy.deepcopy(RECORD)
    assert reward(record, 0, calling("Porto", "Oslo")).value == 1.0
    record["messages"][1] = calling("Porto", "Rome")
    assert reward(record, 0, calling("Porto", "Oslo")).value < 1.0


@pytest.mark.parametrize(("record", "turn"), [(RECORD, 2), (RECORD, -1), (RECORD, "0"), (RECORD, True), ({}, 0), (5, 0),
                                              ("{", 0), ({"messages": []}, 0), ({"messages": [{}, 3]}, 0)])  # fmt: skip
def test_what_is_no_turn_of_a_record_is_refused_in_one_sentence(record: Json, turn: Json) -> None:
    with pytest.raises(UsageError) as refused:
        reward(record, turn, "")
    assert "\n" not in str(refused.value)


def nested(levels: int) -> Json:
    value: Json = "x"
    for at in range(levels):
        value = [value] if at % 2 else {"a": value}
    return value


HOSTILE: list[Json] = [
    None, 0, True, math.nan, b"bytes", object(), {}, [], [[]], [None], {"role": 5}, {"content": 5},
    {"content": nested(5000)}, nested(5000), {"tool_calls": nested(3000)}, {"tool_calls": "x"},
    {"tool_calls": [nested(3000)]}, "x" * 1_000_000,
    "1" * 100_000, "a." * 50_000, "<tool_call>" * 20_000, '{"a":' * 50_000, "[" * 100_000, "\ud800", "<think>" * 30_000,
    {"choices": [{"message": {"choices": []}}]}, {"role": "user", "content": "hi"}, "W-1/" * 30_000, "a@" * 40_000,
    {"role": "assistant", "tool_calls": [{"function": {"name": "get_weather", "arguments": nested(900)}}]},
    {"role": "assistant", "tool_calls": [{"function": {"name": "get_weather", "arguments": "[" * 99_999}}]},
    {"role": "assistant", "tool_calls": [{"function": {"name": "get_weather", "arguments": {"city": 10**5000}}}]},
    {"role": "assistant", "tool_calls": calling(*map(str, range(10_000)))["tool_calls"]},
    {"role": "assistant", "tool_calls": [{}] * 10_000},
]  # fmt: skip


@pytest.mark.parametrize("answer", HOSTILE, ids=range(len(HOSTILE)))
def test_whatever_a_model_answers_is_graded(answer: Json) -> None:
    for turn in (0, 1):
        told = reward(RECORD, turn, answer)
        assert 0 <= told.value < 1
        assert 0 < len(told.reasons) <= 200


FORM_ALONE = ("DF004 arguments are", "DF005", "DF006", "DF007", "TC001", "TC002", "TC003", "TC004", "TC103")
"""What breaks the form of a record and not its meaning: ids, empty columns, keys of its own, arguments as text."""


def ties(answers: list[WrongAnswer]) -> list[str]:
    """The wrong answers that are worth no less than the record's own."""
    return [each.name for each in answers if reward(each.record, each.turn, each.answer).value >= 1.0]


ELSEWHERE = {
    "unit_other", "number_word", "negation_appended", "negation_within", "result_failed_unheeded", "results_exchanged",
    "correction_ignored", "withdrawal_ignored", "wish_added", "consent_ignored", "unasked_deed", "result_contradicts",
}  # fmt: skip
"""Classes that change what the user or a tool says."""
ON_ANSWERS = [each for each in CLASSES if each.name not in ELSEWHERE]


def test_most_classes_of_errors_touch_what_the_assistant_says_or_calls() -> None:
    assert len(ON_ANSWERS) >= 45
    others = (each for each in CLASSES if each.name in ELSEWHERE)
    assert not any(answer for each in others for answer in corrupted_answers(each, good_bases(), 1, 0))


@pytest.mark.parametrize("corruption", ON_ANSWERS, ids=lambda each: each.name)
def test_a_corrupted_answer_is_worth_less_than_the_right_one(corruption: Any) -> None:
    answers = list(corrupted_answers(corruption, good_bases(), 8, 0))
    assert answers
    assert ties(answers) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("corruption", ON_ANSWERS, ids=lambda each: each.name)
def test_corrupted_answers_of_hundreds_of_records_are_worth_less(corruption: Any, seed: int) -> None:
    assert ties(list(corrupted_answers(corruption, good_bases(300), 100, seed))) == []


@pytest.mark.slow
def test_a_mutated_answer_is_worth_less_than_the_right_one() -> None:
    records = [record for kind in KINDS for record in records_of(kind, 4)]
    answers = [each for mutation in MUTATIONS for each in mutated_answers(mutation, records)]
    assert len(answers) > 1000
    assert [name for name in ties(answers) if not name.startswith(FORM_ALONE)] == []
