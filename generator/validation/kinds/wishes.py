"""A record read by wishes of its user: a yes to the question whether to go ahead belongs to the wish before it."""

from __future__ import annotations

import re

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
_WORDS = re.compile(r"[\w']+")


def wishes(record: RecordView) -> list[Turn]:
    """Return the turns of a record, a turn of consent with the one before it; what was asked there is no answer."""
    found: list[Turn] = []
    for turn in user_turns(record):
        if found and turn.calls and _agrees(turn.text) and found[-1].answers and "?" in found[-1].answers[-1]:
            wish = found[-1]
            found[-1] = Turn(
                wish.text, [*wish.calls, *turn.calls], [*wish.answers[:-1], *turn.answers], wish.results + turn.results
            )
        else:
            found.append(turn)
    return found


def _agrees(text: str) -> bool:
    return bool(YES.search(text)) and set(_WORDS.findall(text.casefold())) <= _AGREEING
