"""What a text says of an argument: its value, or the words that the author of its call names for it."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation.kinds.quoting import quotes, says_argument, unsaid
from generator.validation.view import RecordView
from tests.record_examples import FIRST, call

Json = Any  # parsed JSON


def called(arguments: Json, evidence: Json) -> tuple[Any, RecordView]:
    view = RecordView(
        {
            "messages": [{"role": "assistant", "content": "", "tool_calls": [call(FIRST, "act", arguments)]}],
            "tools": [],
            "metadata": {"evidence": {FIRST: evidence}},
        }
    )
    return view.calls[0], view


@pytest.mark.parametrize(
    ("text", "arguments", "evidence", "said"),
    [
        ("am Zehnten, bitte", {"day": "2026-02-10"}, {"day": "am Zehnten"}, True),
        ("Am  zehnten, bitte", {"day": "2026-02-10"}, {"/day": "am Zehnten"}, True),
        ("on February 10", {"day": "2026-02-10"}, {}, True),
        ("am Elften, bitte", {"day": "2026-02-10"}, {"day": "am Zehnten"}, False),
        ("the parcel from Everpine", {"day": "PX-926576"}, {"day": "the parcel from Everpine"}, False),
        ("in Lyon, 69002", {"day": {"city": "Lyons", "zip": "x"}}, {"/day/city": "Lyon", "/day/zip": "69002"}, True),
        ("in Lyon, 69002", {"day": {"city": "Lyons", "zip": "x"}}, {"/day/city": "Lyon", "/day/zip": "69003"}, False),
        ("whatever", {"day": "2026-02-10"}, {"day": " "}, False),
        ("whatever", {"day": "2026-02-10"}, {"day": 7}, False),
        ("whatever", {"day": "2026-02-10"}, {"daylight": "whatever"}, False),
    ],
)
def test_an_argument_is_said_by_its_value_or_by_its_evidence(
    text: str, arguments: Json, evidence: Json, said: bool
) -> None:
    made, view = called(arguments, evidence)
    assert says_argument(text, "day", made, view) == said
    assert (not list(unsaid(text, made, view))) == said


def test_every_argument_must_be_said_but_flags_and_what_is_empty() -> None:
    made, view = called({"city": "Rome", "guests": 2, "quiet": True, "note": []}, {"guests": "the two of us"})
    assert not list(unsaid("Rome, for the two of us", made, view))
    assert list(unsaid("Rome, for both of us", made, view)) == ["guests = 2"]
    assert not list(unsaid("Rome, for both of us", made, view, but="guests"))


def test_a_whole_letter_is_no_evidence_and_a_call_without_an_id_has_none() -> None:
    letter = "so many words " * 20
    made, view = called({"day": "2026-02-10"}, {"day": letter.strip()})
    assert not quotes(letter, "day", made, view)
    view = RecordView({"messages": [{"role": "assistant", "tool_calls": [call(None, "act", {"day": "x"})]}]})
    assert not quotes("x", "day", view.calls[0], view)
