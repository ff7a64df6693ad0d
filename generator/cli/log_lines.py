"""What goes to stderr as JSON, where it was asked for: one object a line, whoever says it."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

LogFormat = Literal["text", "json"]

_LEVELS = {
    "error": "error",
    "warning": "warning",
    "NOT CHECKED": "warning",
    "skipped": "warning",
    "lost": "warning",
    "problem": "warning",
    "note": "info",
    "merged": "info",
}
"""How grave it is what a line begins with."""
_LABEL = re.compile(rf"({'|'.join(_LEVELS)}): ")
_HALF = re.compile("[\ud800-\udfff]")
"""A surrogate on its own, as in a file's name that is no Unicode: no JSON that all can read has one."""
_OURS = "generator"


class Stderr:
    """How stderr is written; there is one of it in a process."""

    form: LogFormat = "text"


STDERR = Stderr()


def log_line(text: str, event: str, fields: Mapping[str, Any], level: str = "") -> str:
    """Return what is said as one line of JSON.

    Args:
        text: what people are told; a label that it begins with, as `warning: `, becomes level and event.
        event: what happened, in one word; "" for what the label says, or `message`.
        fields: what else a program may want to know, as JSON holds it.
        level: how grave it is; "" for what the label says, or `info`.
    """
    import json  # not needed where text is printed

    label = _LABEL.match(text)
    known = label[1] if label else ""
    line = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": level or _LEVELS.get(known, "info"),
        "event": event or known.lower().replace(" ", "_") or "message",
        "message": text[label.end() :] if label else text,
        **fields,
    }
    whole = json.dumps(line, ensure_ascii=False, allow_nan=False, default=str)
    return _HALF.sub(lambda half: rf"\\u{ord(half[0]):04x}", whole)


class LogOfOthers(logging.Handler):
    """Takes what the modules of other projects log, warnings and worse, which would land on stderr as text."""

    def __init__(self, log: logging.Handler) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Hand on what is not ours, which is told already."""
        if record.name.partition(".")[0] != _OURS:
            self._log.emit(record)
