"""What confirmation claims: nothing is changed before the user has said yes, and nothing after a no."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.validation.kinds.asking import asks
from generator.validation.kinds.check import KindCheck
from generator.validation.kinds.quoting import quotes
from generator.validation.kinds.telling import tells, words_of
from generator.validation.kinds.turns import Turn, leaves, system_text, user_turns
from generator.validation.kinds.wishes import NO, YES
from generator.validation.view import RecordView, is_beyond_words

_DEMAND = re.compile(
    r"\b(?:confirm\w*|permission|approv\w*|go-ahead|wait for a yes|consent|ask (?:the user )?(?:first|before))\b", re.I
)
_LEFT = re.compile(
    r"\b(?:nothing|haven't|have not|won't|will not|didn't|did not|not (?:been )?(?:changed|done|made|sent|booked)|left"
    r"|leave|cancel(?:l?ed)?|as it is)\b",
    re.I,
)


def confirm_before_write(record: RecordView) -> Iterator[str]:
    """The system message demands a confirmation; it is asked for in words; the call follows a yes, none a no."""
    if not _DEMAND.search(system_text(record)):
        yield "has a system message that demands a confirmation"
    turns = user_turns(record)
    if len(turns) != 2:
        yield f"has two messages of the user, the wish and the answer, not {len(turns)}"
        return
    wish, answer = turns
    yield from _asked_first(record)
    agreed = bool(YES.search(answer.text) and not NO.search(answer.text))
    if is_beyond_words(record) and not (agreed or NO.search(answer.text)):
        agreed = bool(answer.calls)
    if agreed:
        yield from _does_what_was_asked(record, wish, answer)
    elif not (NO.search(answer.text) or is_beyond_words(record)):
        yield "has a user who says yes or no"
    elif answer.calls:
        yield "calls nothing after a no"
    elif not (is_beyond_words(record) or any(_LEFT.search(said) for said in answer.answers)):
        yield "says that nothing was done"


def _does_what_was_asked(record: RecordView, wish: Turn, answer: Turn) -> Iterator[str]:
    """Check that a yes leads to the calls that were asked about, with what was said before it."""
    if not answer.calls:
        yield "calls once the user has agreed"
    told = "\n".join([system_text(record), wish.text, *wish.answers])
    for call in answer.calls:
        for name, value in (call.arguments or {}).items():
            if not quotes(told, name, call, record):
                for leaf in leaves(value):
                    if not tells(told, leaf):
                        yield f"calls {call.name} with what was asked about, not with {str(leaf)[:60]!r}"


def _asked_first(record: RecordView) -> Iterator[str]:
    """Check that the first wish leads to a question about it, and to no call."""
    wish = user_turns(record)[0]
    if wish.calls:
        yield "makes no call before the user has agreed"
    if not wish.answers or not asks(wish.answers[-1]):
        yield "asks whether to go ahead"
        return
    claim = record.metadata.get("claim")
    name = claim.get("asked_about") if isinstance(claim, dict) else None
    later = [call.name for turn in user_turns(record)[1:] for call in turn.calls]
    if isinstance(name, str) and (name not in record.tools_by_name or (later and name not in later)):
        yield f"asks about {name}, a shown tool, and calls no other"
    spoken = words_of(wish.answers[-1])
    if not len(spoken & words_of(wish.text)) > 1:
        yield "repeats in its question what the user wants"


CHECKS: dict[str, KindCheck] = {"confirm_before_write": confirm_before_write}
