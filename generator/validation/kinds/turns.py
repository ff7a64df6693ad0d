"""A record read by turns of its user: what was said, what was called for it, what came back; and what a check is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from generator.jsontext import JsonValue
from generator.validation.view import CallView, MessageView, RecordView, ResultView

_DEPTH = 8
_MOST_LEAVES = 400
_PLAIN = frozenset({str, int, float})
_GROUP = re.compile(r"(?<=\d),(?=\d{3}\b)")


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
    if record.user_turns is None:
        record.user_turns = _user_turns(record)
    return record.user_turns


def _user_turns(record: RecordView) -> list[Turn]:
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


def leaves(value: JsonValue) -> list[JsonValue]:
    """Return the texts and numbers inside a value; flags and null stand for nothing that is said."""
    if type(value) in _PLAIN:
        return [value]
    found: list[JsonValue] = []
    _gather(value, 0, found)
    return found


def leaves_of(result: ResultView) -> list[JsonValue]:
    """Return the texts and numbers inside a result, gathered once."""
    if result.leaves is None:
        result.leaves = leaves(result.value)
    return result.leaves


def leaves_of_call(result: ResultView) -> list[JsonValue]:
    """Return the texts and numbers inside a result, and those that its call gave."""
    return [*leaves_of(result), *leaves(result.call.arguments if result.call else None)]


def called_name(result: ResultView) -> str:
    """Return the name of the tool that a result comes from, to speak of it."""
    return result.call.name if result.call else "a call"


def _gather(value: JsonValue, depth: int, found: list[JsonValue]) -> None:
    if depth < _DEPTH:
        kind = type(value)
        inner = value.values() if kind is dict else value[:_MOST_LEAVES] if kind is list else ()
        for each in inner:
            if type(each) in _PLAIN:
                found.append(each)
            else:
                _gather(each, depth + 1, found)


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
    if "," in folded and wanted.isdigit():
        folded = _GROUP.sub("", folded)
    start = folded.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not folded[start - 1 : start].isalnum() and not folded[end : end + 1].isalnum():
            return True
        start = folded.find(wanted, start + 1)
    return False


KindCheck = Callable[[RecordView], Iterator[str]]
"""Yields what a record of the kind should be and is not."""

UnderWay = Callable[[RecordView, frozenset[str]], Iterator[str]]
"""Yields what the record of a kind should be and already is not, when the tools that it is still to call are known."""
