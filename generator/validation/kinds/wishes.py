"""A record read by wishes of its user: a yes to the question whether to go ahead belongs to the wish before it."""

from __future__ import annotations

import re

from generator.validation.kinds.turns import Turn, user_turns
from generator.validation.view import RecordView

YES = re.compile(
    r"\b(?:yes|yep|yeah|sure|ok|okay|confirm(?:ed)?|go ahead|do it|please do|correct|right|exactly|absolutely"
    r"|of course|fine)\b",
    re.I,
)
NO = re.compile(
    r"\b(?:no|don't|do not|not now|stop|cancel|never mind|leave it|forget|rather not|hold o(?:n|ff)"
    r"|changed my mind)\b",
    re.I,
)
_AGREEING = re.compile(
    r"\W*(?:yes|yep|yeah|sure|ok|okay|confirmed|i confirm|go ahead|please do|right|that's right|exactly|absolutely"
    r"|of course|fine|sounds good|perfect)\b",
    re.I,
)
"""The beginning of a message that does no more than agree."""
_MOST_WORDS = 8
"""Words of a message that does no more than agree."""


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
    return len(text.split()) <= _MOST_WORDS and bool(_AGREEING.match(text)) and not NO.search(text)
