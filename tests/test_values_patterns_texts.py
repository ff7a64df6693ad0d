"""Texts for patterns match them, with the wanted length, or the pattern is given up."""

from __future__ import annotations

import re
from random import Random

import pytest

from generator.errors import GaveUp
from generator.values.draw import Context, Draw
from generator.values.patterns.texts import PatternTexts, fitted

PATTERNS = [
    r"^[A-Z]{2}-\d+$",
    r"^(ab|c)+$",
    r"^\+?[1-9]\d{1,14}$",
    r"^(?:[01]\d|2[0-3]):[0-5]\d$",
    r"^[^\s@]+@[^\s@]+\.[a-z]{2,}$",
    r"^(a)(b)\2\1$",
    r"^(?<year>\d{4})-\k<year>$",
    r"^\u0041\x42\cJ?$",
    r"a{2,}b?",
    r"^$",
    r"^[\w.-]+$",
    r"^.{5}$",
    r"\.(jpg|png)$",
    r"^[-a-z]]$",
    r"^x{a}$",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_text_matches_its_pattern(pattern: str) -> None:
    expression = re.compile(pattern.replace("(?<y", "(?P<y").replace(r"\k<year>", "(?P=year)").replace(r"\cJ", "\n"))
    for seed in range(20):
        text = PatternTexts(pattern).make(Random(seed), 0, None)
        assert expression.search(text), text


def test_text_of_a_pattern_has_the_wanted_length() -> None:
    for length in (3, 9, 25):
        texts = [PatternTexts(r"^[a-z]+\d$").make(Random(seed), length, length + 30) for seed in range(10)]
        assert all(length <= len(text) <= length + 30 for text in texts)


@pytest.mark.parametrize("pattern", ["(a", "[a", "a)", "(" * 100 + ")" * 100, "a" * 25_000, r"\xzz"])
def test_pattern_that_cannot_be_read_is_given_up(pattern: str) -> None:
    with pytest.raises(GaveUp):
        PatternTexts(pattern)


def test_texts_are_fitted_to_their_bounds() -> None:
    draw = Draw(Random(1), Context(), "en_US")
    assert fitted("one two three", 0, 9, draw) == "one two"
    assert len(fitted("ab", 10, 12, draw)) == 10
    assert len(fitted("", 5_000, None, draw)) == 5_000
