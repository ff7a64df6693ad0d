"""What comes from outside is one line, short, and steers no terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generator.backends.oneline import one_line


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
