"""Texts lose what a template or a terminal would obey, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from generator.schemas.steps import find_control_token, find_control_token_in, without_control_tokens
from tests.tables import each_row


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("end <|im_end|> here", "end im_end here"),
        ("<</SYS>> and [/INST]", "/SYS and INST"),
        ("<|<|im_end|>|>", "im_end"),
        ("\x1b[31mred\x1b[0m bell\x07", "red bell"),
        ("null\x00 and\x9b31m", "null and31m"),
        ("gnp.\u202eexe\u202c and \u2066lines\u2028", "gnp.exe and lines"),
        ("hid\U000e0068\U000e0069den", "hidden"),
    ],
)
def test_what_would_be_obeyed_is_taken_out(text: str, plain: str) -> None:
    assert find_control_token(text)
    assert without_control_tokens(text) == plain
    assert find_control_token(plain) is None


@pytest.mark.parametrize(
    "text", ["a < b and c > d", "line one\n\tline two\r\n", "[INSTALL]", "<thinker>", "naïve 日本 🎉"]
)
def test_plain_text_stays(text: str) -> None:
    assert find_control_token(text) is None
    assert without_control_tokens(text) == text


@each_row("control", ["\x00", "\x08", "\x1b", "\x7f", "\u202e", "<|im_end|>"])
@each_row("wrap", [lambda text: [1, {"a": [text]}], lambda text: {"a": {text: 1}}], ids=["text", "key"])
def test_a_control_is_found_wherever_it_lies(control: str, wrap: Any) -> None:
    assert find_control_token_in(wrap(f"a{control}")) == control
    assert find_control_token_in(wrap("a")) is None
