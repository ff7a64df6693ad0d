"""What is secret stays out of answers; what comes from outside is one line, short, and steers no terminal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.backends.backend import AnsweredCall, Completion
from generator.backends.credentials import Credentials, one_line
from generator.backends.http import masked


@given(st.text(st.characters() | st.sampled_from("\x1b\x00\n\r\u2028\u202e\x9b\ud800")), st.integers(1, 50))
def test_any_text_becomes_a_short_line(text: str, longest: int) -> None:
    line = one_line(text, longest)
    assert len(line) <= longest + 1
    assert len(line.splitlines()) <= 1
    assert not set(line) & set("\x1b\x00\u202e\x9b\ud800")


def test_plain_text_is_left_as_it_is() -> None:
    assert one_line("Grüße, 短信 and 🙂", 30) == "Grüße, 短信 and 🙂"
    assert one_line("two\nlines", 30) == "two lines"
    assert one_line("a\x1b[2Jb", 30) == r"a\x1b[2Jb"


def test_a_huge_text_is_cut_before_it_is_worked_on() -> None:
    assert one_line("x" * 50_000_000, 5) == "xxxxx…"


KEY = "sk-proj/4fT9+x0123456789"
CREDENTIALS = Credentials([KEY, "none", "hunter2!"])


@pytest.mark.parametrize(
    "said",
    [
        f"your key is {KEY}",
        f"Bearer {KEY}, {KEY}",
        "sk-proj%2F4fT9%2Bx0123456789",
        json.dumps(KEY).replace("/", "\\/"),
        "".join(f"\\u{ord(character):04x}" for character in KEY),
        "sk-proj\\u002f4fT9\\u002Bx0123456789",
        "hunter2!",
    ],
)
def test_a_credential_that_an_answer_says_back_is_masked(said: str) -> None:
    found = CREDENTIALS.masked_answer(said)
    assert "***" in found
    assert "4fT9" not in found and "hunter2" not in found


def test_a_word_that_stands_for_no_key_stays_in_answers() -> None:
    """Local servers are given any word as their key."""
    for word in ("none", "dummy", "EMPTY", "local"):
        assert Credentials([word]).masked_answer(f"There is {word} of it.") == f"There is {word} of it."
    assert Credentials(["none"]).masked("key none") == "key ***"


@given(st.text())
def test_answers_without_a_credential_are_left_as_they_are(text: str) -> None:
    assert CREDENTIALS.masked_answer(text) == text or "hunter2!" in text


def test_every_text_of_a_completion_is_masked() -> None:
    completion = Completion(
        text=f"a {KEY}",
        calls=(AnsweredCall(name=KEY, arguments=json.dumps({"request": KEY})),),
        finish_reason=KEY,
        refusal=f"no, {KEY}",
    )
    assert "4fT9" not in masked(completion, CREDENTIALS).model_dump_json()


def test_no_credentials_mask_nothing() -> None:
    assert Credentials(["", ""]).masked("text") == "text"
