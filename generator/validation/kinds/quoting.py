"""Whether a text says an argument of a call: as the value stands, or in the words that its author names for it."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import pointer
from generator.validation.grounding.vouched import evidence_of, holds, is_code, is_span
from generator.validation.grounding.words import fold
from generator.validation.kinds.telling import tells
from generator.validation.kinds.turns import leaves
from generator.validation.verdict import brief
from generator.validation.view import CallView, RecordView


def says_argument(text: str, name: str, call: CallView, record: RecordView) -> bool:
    """Say whether a text tells the value of an argument, or holds the words that are its evidence."""
    return tells(text, (call.arguments or {}).get(name)) or quotes(text, name, call, record)


def unsaid(text: str, call: CallView, record: RecordView, *, but: str = "") -> Iterator[str]:
    """Yield each argument of a call that a text does not say, but for one; flags and what is empty need not be said."""
    for name, value in (call.arguments or {}).items():
        if name != but and leaves(value) and not says_argument(text, name, call, record):
            yield f"{name} = {brief(value)}"


def quotes(text: str, name: str, call: CallView, record: RecordView) -> bool:
    """Say whether a text holds the words that are named for an argument, or for each named part of it.

    Words that mean a code prove nothing: it is known or it is not.
    """
    if any(is_code(leaf) for leaf in leaves((call.arguments or {}).get(name))):
        return False
    place = pointer((name,))
    named = [
        words for key, words in evidence_of(call, record).items() if key in (name, place) or key.startswith(f"{place}/")
    ]
    folded = fold(text)
    return bool(named) and all(isinstance(each, str) and is_span(each) and holds(folded, each) for each in named)
