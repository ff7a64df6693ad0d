"""A record read by turns of its user: what was said, what was called for it, what came back; and what a check is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from generator.validation.kinds.telling import leaves
from generator.validation.view import CallView, MessageView, RecordView, ResultView


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


def called_name(result: ResultView) -> str:
    """Return the name of the tool that a result comes from, to speak of it."""
    return result.call.name if result.call else "a call"


KindCheck = Callable[[RecordView], Iterator[str]]
"""Yields what a record of the kind should be and is not."""

UnderWay = Callable[[RecordView, frozenset[str]], Iterator[str]]
"""Yields what the record of a kind should be and already is not, when the tools that it is still to call are known."""
