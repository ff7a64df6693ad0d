"""Text from outside on a terminal: records and tool files must not be able to steer it."""

from __future__ import annotations

import re

# C0 and C1 controls but tab and newline, bidirectional overrides, and surrogates that no encoding can write.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return the text with every control character written as its escape (`\x1b`, `\u202e`)."""
    return _STEERING.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
