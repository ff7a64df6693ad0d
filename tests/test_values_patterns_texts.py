"""Texts of patterns: they match, they vary, they are short, and what cannot be made is refused at once."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import GaveUp
from generator.random_streams import stream
from generator.values.patterns.texts import pattern_text
from tests.bounded import bounded

PATTERNS = [
    "L-[A-Z0-9]{6}", "M-[0-9]{5}", "[0-9a-f]{8}-[0-9a-f]{4}", "[A-Z]{2,4}", "[a-z]+", "x*", "a?b", "(a|b){2,3}x?",
    "^abc$", "(cat|dog)-(red|blue)", r"\d{3}-\d{4}", r"\w{5}", "[äöü]{3}", "(?:ab){2}", "a{0}b", "(?=a)a{3}", r"(\w)\1",
    "(?!a)[ab]", r"\bfoo\b", "[^a]", "(a*)*", "", "a|", "(x{2}){2}", "[A-Z][a-z]{3,8} [0-9]",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
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


@pytest.mark.parametrize(
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
