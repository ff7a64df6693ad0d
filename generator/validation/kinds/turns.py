"""A record read by turns of its user: what was said, what was called for it, what came back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from generator.jsontext import JsonValue
from generator.validation.call_view import CallView
from generator.validation.view import MessageView, RecordView

_DEPTH = 8
_MOST_LEAVES = 400


@dataclass(slots=True)
class Turn:
    """What one message of the user led to, up to their next one."""

    text: str
    calls: list[CallView] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    """What the assistant said."""
    results: list[str] = field(default_factory=list)

    @property
    def all_text(self) -> str:
        """All that was said, called and answered in this turn."""
        called = [str(leaf) for call in self.calls for leaf in leaves(call.arguments)]
        return "\n".join([self.text, *called, *self.results, *self.answers])


def user_turns(record: RecordView) -> list[Turn]:
    """Return the turns of a record; what precedes the user's first message belongs to none."""
    turns: list[Turn] = []
    for message in record.messages:
        if message.role == "user":
            turns.append(Turn(text_of(message)))
        elif turns and message.role == "tool":
            turns[-1].results.append(text_of(message))
        elif turns:
            turns[-1].calls += message.calls
            if message.speaks:
                turns[-1].answers.append(text_of(message))
    return turns


def text_of(message: MessageView) -> str:
    """Return the text of a message; "" where it has none."""
    return message.content if isinstance(message.content, str) else ""


def system_text(record: RecordView) -> str:
    """Return what the system message says."""
    return "\n".join(text_of(message) for message in record.messages if message.role == "system")


def leaves(value: JsonValue, depth: int = 0) -> Iterator[JsonValue]:
    """Yield the texts and numbers inside a value; flags and null stand for nothing that is said."""
    if isinstance(value, dict) and depth < _DEPTH:
        for inner in value.values():
            yield from leaves(inner, depth + 1)
    elif isinstance(value, list) and depth < _DEPTH:
        for inner in value[:_MOST_LEAVES]:
            yield from leaves(inner, depth + 1)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield value


def says(text: str, value: JsonValue) -> bool:
    """Say whether a text holds a value as it stands, as a whole word, whatever the case."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    wanted = str(value).casefold().strip()
    if not wanted:
        return False
    folded = text.casefold()
    if not wanted.isascii() or not (wanted[0].isalnum() and wanted[-1].isalnum()):
        return wanted in folded
    if wanted.isdigit():
        folded = re.sub(r"(?<=\d),(?=\d{3}\b)", "", folded)
    start = folded.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not folded[start - 1 : start].isalnum() and not folded[end : end + 1].isalnum():
            return True
        start = folded.find(wanted, start + 1)
    return False
