"""A record read by turns and by wishes of its user: what was said, called, brought and answered; and what a check is.

A yes to the question whether to go ahead is a turn of its own, and belongs to the wish before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from generator.validation.kinds.values_in_text import leaves, tells
from generator.validation.view import CallView, RecordView, ResultView


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
            turns.append(Turn(message.text))
        elif turns and message.role == "tool":
            turns[-1].results.append(message.text)
        elif turns:
            turns[-1].calls += message.calls
            if message.speaks:
                turns[-1].answers.append(message.text)
    return turns


def system_text(record: RecordView) -> str:
    """Return what the system message says."""
    return "\n".join(message.text for message in record.messages if message.role == "system")


def called_name(result: ResultView) -> str:
    """Return the name of the tool that a result comes from, to speak of it."""
    return result.call.name if result.call else "a call"


KindCheck = Callable[[RecordView], Iterator[str]]
"""Yields what a record of the kind should be and is not."""

UnderWay = Callable[[RecordView, frozenset[str]], Iterator[str]]
"""Yields what the record of a kind should be and already is not, when the tools that it is still to call are known."""


YES = re.compile(
    r"\b(?:yes|yep|yeah|sure|ok|okay|confirm(?:ed)?|go ahead|do it|please do|correct|right|exactly|absolutely"
    r"|of course)\b",
    re.I,
)
NO = re.compile(
    r"\b(?:no|don't|do not|not now|stop|cancel|never mind|leave it|forget|rather not|hold o(?:n|ff)"
    r"|changed my mind)\b",
    re.I,
)
_AGREEING = frozenset(
    "yes yep yeah sure ok okay confirm confirmed go ahead do please right that's that is it all correct exactly "
    "absolutely of course fine sounds looks good perfect both them with to thanks thank you i the".split()
)
"""Words of a message that does no more than agree."""
_MOST_WORDS = 30
_TURNING = re.compile(r"\?|\b(?:but|instead|rather|not|only|except|also|another|change|make it)\b", re.I)
"""What turns a yes into another wish."""
_WORDS = re.compile(r"[\w']+")


def wishes(record: RecordView) -> list[Turn]:
    """Return the turns of a record, a turn of consent with the one before it; what was asked there is no answer."""
    if record.wishes is None:
        record.wishes = _wishes(record)
    return record.wishes


def request_of(record: RecordView) -> str:
    """Return all that the user wishes for, as one text."""
    return "\n".join(turn.text for turn in wishes(record))


def _wishes(record: RecordView) -> list[Turn]:
    found: list[Turn] = []
    for turn in user_turns(record):
        if found and turn.calls and found[-1].answers and "?" in found[-1].answers[-1] and _agrees(turn, found[-1]):
            wish = found[-1]
            found[-1] = Turn(
                wish.text, [*wish.calls, *turn.calls], [*wish.answers[:-1], *turn.answers], wish.results + turn.results
            )
        else:
            found.append(turn)
    return found


def _agrees(turn: Turn, wish: Turn) -> bool:
    """Say whether a turn does no more than agree: it says yes, asks nothing, and adds no value to what was wished."""
    words = _WORDS.findall(turn.text.casefold())
    if not YES.search(turn.text) or not words:
        return False
    if set(words) <= _AGREEING:
        return True
    if not YES.match(turn.text.lstrip()) or _TURNING.search(turn.text) or len(words) > _MOST_WORDS:
        return False
    values = [leaf for call in turn.calls for leaf in leaves(call.arguments)]
    return not any(tells(turn.text, value) and not tells(wish.all_text, value) for value in values)
