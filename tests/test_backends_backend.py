"""What tells two askings apart, and what does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from generator.backends.backend import (
    IN_A_ROW,
    MODES,
    ON_TRIAL,
    Completion,
    CompletionRequest,
    Mode,
    ModelOptions,
    Verdicts,
)
from generator.jsontext import JsonObject

SCHEMA: JsonObject = {"type": "object", "properties": {"a": {}, "b": {}}}
TURNED: JsonObject = {"properties": {"b": {}, "a": {}}, "type": "object"}
MODEL = ModelOptions("m", 100, extra_body={"a": 1, "b": 2})
REQUEST = CompletionRequest(MODEL, ({"role": "user", "content": "Hi"},), SCHEMA, True, "json_schema", "1")


def test_the_order_of_keys_does_not_matter() -> None:
    model = replace(MODEL, extra_body={"b": 2, "a": 1})
    assert replace(REQUEST, model=model, schema=TURNED).key == REQUEST.key


@pytest.mark.parametrize(
    "change",
    [
        {"model": "n"},
        {"max_output_tokens": 101},
        {"temperature": 0.0},
        {"top_p": 1.0},
        {"reasoning_effort": "low"},
        {"extra_body": {}},
    ],
)
def test_every_option_of_the_model_changes_the_key(change: dict[str, Any]) -> None:
    assert replace(REQUEST, model=replace(MODEL, **change)).key != REQUEST.key


@pytest.mark.parametrize(
    "change",
    [{"salt": "2"}, {"mode": "tools"}, {"schema": {}}, {"strict": False}, {"messages": ()}],
)
def test_every_part_of_the_question_changes_the_key(change: dict[str, Any]) -> None:
    assert replace(REQUEST, **change).key != REQUEST.key


@pytest.mark.parametrize("mode", MODES)
def test_a_schema_that_is_not_sent_does_not_count(mode: Mode) -> None:
    request = replace(REQUEST, mode=mode)
    assert (replace(request, schema={}).key == request.key) == (mode in ("json_object", "text"))


def told(verdicts: Verdicts) -> str:
    return str(verdicts.hopeless("http://x") or "")


GOOD = Completion(text="{}")


def bad(verdicts: Verdicts, reason: str, times: int, answer: str = "I'm sorry.\n\nI can't.") -> None:
    for _ in range(times):
        verdicts.sent()
        verdicts.unusable(Completion(text=answer), reason, f"why {reason}")


def test_the_three_commonest_reasons_and_one_answer_are_told() -> None:
    verdicts = Verdicts()
    for reason, times in (("refusal", 30), ("rule_TC201", 10), ("length", 6), ("empty", ON_TRIAL - 47)):
        bad(verdicts, reason, times, "" if reason == "empty" else "I'm sorry.\n\nI can't.")
    assert told(verdicts) == ""
    bad(verdicts, "empty", 1, "")
    message = told(verdicts)
    assert f"first {ON_TRIAL}" in message
    assert (
        "refusal 30 (the model refused); rule_TC201 10 (why rule_TC201); length 6 (cut at the token limit: " in message
    )
    assert "empty" not in message
    assert "\"I'm sorry. I can't.\"" in message
    assert "more tools" not in message


def test_one_answer_that_serves_is_enough_for_long() -> None:
    verdicts = Verdicts()
    bad(verdicts, "refusal", ON_TRIAL - 1)
    verdicts.used(GOOD)
    assert not verdicts.on_trial
    bad(verdicts, "refusal", IN_A_ROW - 1)
    assert told(verdicts) == ""
    bad(verdicts, "refusal", 1)
    assert f"last {IN_A_ROW}" in told(verdicts)


def test_answers_that_were_paid_before_prove_nothing() -> None:
    verdicts = Verdicts()
    kept = GOOD.model_copy(update={"replayed": True})
    bad(verdicts, "refusal", ON_TRIAL - 1)
    for _ in range(1000):
        verdicts.unusable(kept, "empty")
        verdicts.used(kept)
    assert verdicts.on_trial
    assert told(verdicts) == ""
    bad(verdicts, "refusal", 1)
    assert "refusal 50" in told(verdicts) and "empty" not in told(verdicts)


def test_other_questions_begin_anew_but_a_server_that_never_served_has_had_its_chance() -> None:
    verdicts = Verdicts()
    bad(verdicts, "refusal", 30)
    verdicts.begin()
    bad(verdicts, "refusal", ON_TRIAL - 30)
    assert told(verdicts)
    verdicts.used(GOOD)
    bad(verdicts, "refusal", 30)
    verdicts.begin()
    bad(verdicts, "refusal", ON_TRIAL - 1)
    assert told(verdicts) == ""
    bad(verdicts, "refusal", 1)
    assert told(verdicts)


def test_a_long_answer_is_quoted_in_part() -> None:
    verdicts = Verdicts()
    bad(verdicts, "rule_" + "x" * 50, ON_TRIAL, "word " * 10_000)
    assert len(told(verdicts)) < 900


def test_where_no_answer_came_that_is_said() -> None:
    verdicts = Verdicts()
    for _ in range(ON_TRIAL):
        verdicts.sent()
        verdicts.failed("http_413")
    assert "http_413 50" in told(verdicts)
    assert "no answer held any text" in told(verdicts)
