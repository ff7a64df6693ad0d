"""Texts of patterns: they match, they vary, they are short, and what cannot be made is refused at once."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import GaveUp
from generator.random_streams import stream
from generator.values.draw import Context, Draw
from generator.values.patterns.texts import PatternTexts, fitted, pattern_text
from tests.bounded import bounded
from tests.tables import each_row

PATTERNS = [
    "L-[A-Z0-9]{6}", "M-[0-9]{5}", "[0-9a-f]{8}-[0-9a-f]{4}", "[A-Z]{2,4}", "[a-z]+", "x*", "a?b", "(a|b){2,3}x?",
    "^abc$", "(cat|dog)-(red|blue)", r"\d{3}-\d{4}", r"\w{5}", "[äöü]{3}", "(?:ab){2}", "a{0}b", "(?=a)a{3}", r"(\w)\1",
    "(?!a)[ab]", r"\bfoo\b", "[^a]", "(a*)*", "", "a|", "(x{2}){2}", "[A-Z][a-z]{3,8} [0-9]",
]  # fmt: skip


@each_row("pattern", PATTERNS)
def test_texts_match_their_pattern(pattern: str) -> None:
    make = pattern_text(pattern)
    texts = [make(stream(number)) for number in range(50)]
    assert all(re.fullmatch(pattern, text) for text in texts), texts
    assert all(len(text) <= 220 for text in texts)
    assert texts == [make(stream(number)) for number in range(50)]


@pytest.mark.parametrize(
    ("pattern", "least"), [("L-[A-Z0-9]{6}", 300), ("[0-9]{2}", 90), ("[ab]", 2), ("[a-c]{3}", 27), ("x{1,3}", 3)]
)
def test_every_text_can_come(pattern: str, least: int) -> None:
    make, random = pattern_text(pattern), stream(pattern)
    assert len({make(random) for _ in range(600)}) >= least


@each_row(
    "pattern",
    [
        "(((",
        "[",
        "a{1000000}",
        "(a{200}){200}",
        "(" * 500,
        "(" * 60 + "a" + "{3})" * 60,
        "a" * 501,
        "$a",
        "[^\\x00-\\x{10ffff}]",
        "a{2,1}",
        "[]",
    ],
)
def test_what_cannot_be_made_is_refused_at_once(pattern: str) -> None:
    with bounded(2), pytest.raises(ValueError, match=r".+"):
        pattern_text(pattern)


PIECES = st.sampled_from(["a", "[0-9]", "[a-f]", r"\d", "x", "-", "."])
SHAPES = st.recursive(
    PIECES,
    lambda inner: st.builds("({}|{})".format, inner, inner)
    | st.builds("({}){{{}}}".format, inner, st.integers(0, 3))
    | st.builds("{}{}".format, inner, inner)
    | st.builds("({})?".format, inner)
    | st.builds("(?:{})+".format, inner),
    max_leaves=8,
)  # fmt: skip


@settings(deadline=2000)
@given(SHAPES, st.integers(0, 10**6))
def test_whatever_the_pattern_the_text_matches(pattern: str, seed: int) -> None:
    try:
        text = pattern_text(pattern)(stream(seed))
    except (ValueError, GaveUp):
        return
    assert re.fullmatch(pattern, text)


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


@each_row("pattern", PATTERNS)
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
