"""What a server or its model says, made fit for a line of a message, a log or a summary."""

from __future__ import annotations

import re

# Controls, direction overrides, what is invisible, line ends that are not whitespace everywhere, and half characters.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")


def one_line(text: str, longest: int) -> str:
    r"""Return the text in one line, cut where it is long, with control characters written as escapes (`\x1b`)."""
    head = text[: longest * 8]  # more than enough, and little work where a text is huge
    line = _CONTROL.sub(_escaped, " ".join(head.split()))
    return line if len(line) <= longest and len(head) == len(text) else line[:longest] + "…"


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()
