"""Figures of an answer that a short look finds in the texts before it; what it does not find is looked for in full."""

from __future__ import annotations

import pytest

from generator.validation.grounding.verbatim import holds_figure

HEARD = 'Book it for February 3. {"at":"2026-01-26T18:30:00","price":58.9,"total":1343,"from":"09:00","id":"H-77"}'


def is_held(answer: str, word: str) -> bool:
    words = answer.split()
    return holds_figure(words, words.index(word), HEARD)


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ("at 6:30 PM.", "6:30"),
        ("from 9 AM, daily", "9"),
        ("from 9 a.m.", "9"),
        ("on January 26, at noon", "26,"),
        ("on 26 January", "26"),
        ("on the 26th January 2026", "26th"),
        ("on January 26, 2026", "26,"),
        ("on February 3", "3"),
        ("for $58.90;", "$58.90;"),
        ("1,343 in all", "1,343"),
        ("with 1343°C", "1343°C"),
        ("it is H-77.", "H-77."),
    ],
)
def test_what_stands_there_is_found(answer: str, word: str) -> None:
    assert is_held(answer, word)


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ("at 6:30 AM.", "6:30"),
        ("at 6:30, AM", "6:30,"),
        ("at 18:30 PM", "18:30"),
        ("from 9 PM", "9"),
        ("at 6:30 pm-ish", "6:30"),
        ("on January 27", "27"),
        ("on January 26, 2027", "26,"),
        ("on 26 January 2027", "26"),
        ("on the 26th of January", "26th"),
        ("January 26 February", "26"),
        ("for $58.80;", "$58.80;"),
        ("1,344 in all", "1,344"),
        ("on 2026-01-18", "2026-01-18"),
        ("at 6:30", "6:30"),
        ("at 6pm", "6pm"),
        ("it is H-78.", "H-78."),
    ],
)
def test_what_may_be_another_is_left_to_the_full_look(answer: str, word: str) -> None:
    assert not is_held(answer, word)
