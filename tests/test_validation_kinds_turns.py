"""Wishes: a plain yes to a question belongs to the wish before it; anything else is a turn of its own."""

from __future__ import annotations

from itertools import product

import pytest

from generator.scenarios.phrases import phrases
from generator.validation.kinds.turns import wishes
from generator.validation.view import RecordView
from tests.kind_records import Json

GIVEN = {"level": "critical", "days": 5, "city": "Oslo", "at": "20:00"}
CALL = {"id": "c1", "type": "function", "function": {"name": "count", "arguments": GIVEN}}


def record(answer: str, question: str = "Shall I count?", *, calls: bool = True) -> RecordView:
    called: list[Json] = [
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "name": "count", "content": "{}"},
    ]
    messages = [
        {"role": "user", "content": "Count."},
        {"role": "assistant", "content": question},
        {"role": "user", "content": answer},
        *(called if calls else []),
        {"role": "assistant", "content": "Done."},
    ]
    return RecordView({"messages": messages, "tools": [], "metadata": {}})


TEXTS = phrases()["confirmation"]
AGREEING = [
    *TEXTS["yes"],
    *TEXTS["right"],
    "Yes, please go ahead. That's the camera I want, so it's all fine with me.",
    "Sure, do that, I have read enough about it.",
    *(t.format(all=a) for t, a in product(TEXTS["yes_to_all"], ["both", "all of it"])),
]


@pytest.mark.parametrize("answer", AGREEING)
def test_a_yes_belongs_to_its_wish(answer: str) -> None:
    (wish,) = wishes(record(answer))
    assert (wish.text, [call.name for call in wish.calls], wish.answers) == ("Count.", ["count"], ["Done."])


@pytest.mark.parametrize(
    "answer",
    [
        "I'm not sure.",
        "OK, critical.",
        "Yes, by 5 days.",
        "No, thanks.",
        "Right away, to Oslo.",
        "Yes, at 8 pm please.",
        "Yes, but count twice.",
        "Sure, and count another one.",
        "Yes? Why?",
        "Count them, yes, I do want that.",
    ],
)
def test_what_says_more_is_a_turn_of_its_own(answer: str) -> None:
    assert len(wishes(record(answer))) == 2


def test_a_yes_to_no_question_or_without_a_call_is_a_turn_of_its_own() -> None:
    assert len(wishes(record("Yes.", "I can count."))) == 2
    assert len(wishes(record("Yes.", calls=False))) == 2
