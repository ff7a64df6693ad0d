"""A record read by wishes of its user: a yes to the question whether to go ahead belongs to the wish before it."""

from __future__ import annotations

import re

from generator.validation.kinds.telling import leaves, tells
from generator.validation.kinds.turns import Turn, user_turns
from generator.validation.view import RecordView

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
