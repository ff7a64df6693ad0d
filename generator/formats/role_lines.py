"""Dialogues written as lines of one text, each with its speaker before a colon."""

from __future__ import annotations

import re
from typing import NamedTuple

_ROLES = {
    "user": "user", "human": "user", "ai": "assistant", "assistant": "assistant", "agent": "assistant",
    "system": "assistant", "bot": "assistant", "api-request": "call", "tool": "result", "observation": "result",
    "用户": "user", "助手": "assistant", "系统": "assistant",
}  # fmt: skip
"""Who speaks under which name; in such dialogues "system" is the side that answers."""
_LINE = re.compile(r"(?m)^[ \t]*([A-Za-z\u4e00-\u9fff][A-Za-z\u4e00-\u9fff-]{0,19})[:：][ \t]*")


class Saying(NamedTuple):
    """What somebody says: user, assistant, call or result."""

    role: str
    text: str


def read_dialogue(text: str) -> list[Saying]:
    """Return who says what; nothing where the text does not begin with a speaker."""
    found = [line for line in _LINE.finditer(text) if line[1].lower() in _ROLES]
    if not found or text[: found[0].start()].strip():
        return []
    ends = [line.start() for line in found[1:]] + [len(text)]
    return [
        Saying(_ROLES[line[1].lower()], text[line.end() : end].strip()) for line, end in zip(found, ends, strict=True)
    ]
