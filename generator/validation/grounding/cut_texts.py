"""Cut texts: arguments that are the beginning or the end of what the user dictates in quotation marks.

Who dictates a title or a message wants all of it. A part of it may be searched for, and what is left may stand in
another argument.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from generator.jsontext import pointer
from generator.validation.grounding.leaves import Leaf, leaves_of
from generator.validation.grounding.literals import literals_of
from generator.validation.grounding.tool_verbs import is_harmless
from generator.validation.grounding.words import LONGEST_TEXT, fold, tokens_of
from generator.validation.rule import Finding
from generator.validation.verdict import brief
from generator.validation.view import CallView, RecordView

_SIGNS = ("“", "„", "«", "「", "‘", "”")
_QUOTED = re.compile(
    "\"[^\"]{1,4000}\"|[“„][^“”„]{1,4000}[“”]|«[^«»]{1,4000}»|「[^「」]{1,4000}」|(?<!\\w)['‘][^'‘’]{1,4000}['’](?!\\w)"
)
_FEWEST_WORDS = 3
_FEWEST_SAID, _FEWEST_OF_END = 2, 3
"""Words of a part that show whence it is: fewer may be said by chance."""


class _Quote(NamedTuple):
    """A text that a user dictates."""

    text: str
    spaced: str
    """Its words, each with a space before and after it."""
    size: int


def cut_texts(record: RecordView) -> Iterator[Finding]:
    """Yield the arguments that are but a part of what the user dictates."""
    if not _may_be_cut(record):
        return
    for turn in record.turns_of_calls:
        quotes = _quotes_before(record, turn.index)
        left = [quote for quote in quotes if not _is_taken(quote, record)]
        for call in turn.calls if left else ():
            if not is_harmless(call.name):
                yield from _cut(call, left, quotes, turn.calls)


def _may_quote(text: str) -> bool:
    """Say, after a first look, whether a text has quotation marks."""
    if '"' in text or " '" in text or text.startswith("'"):
        return True
    return not text.isascii() and any(map(text.__contains__, _SIGNS))


def _may_be_cut(record: RecordView) -> bool:
    """Say, after a first look, whether any call is not given all that stands in quotation marks."""
    given = ""
    for message in record.messages:
        text = message.content
        if message.role == "user" and isinstance(text, str) and _may_quote(text):
            given = given or "\n".join([call.text for call in record.calls])
            for match in _QUOTED.finditer(text):
                if " " in match[0] and match[0][1:-1].rstrip(" .,!?") not in given:
                    return True
    return False


def _cut(call: CallView, left: list[_Quote], quotes: list[_Quote], calls: tuple[CallView, ...]) -> Iterator[Finding]:
    for leaf in leaves_of(call):
        quote = next((each for each in left if _is_part(leaf, each)), None)
        if quote is not None and not _goes_on_elsewhere(leaf, quote, quotes, calls):
            message = f"is but a part of what the user dictates: {brief(quote.text)}"
            yield Finding(call.arguments_pointer + pointer(leaf.path), message, "warning")


def _quotes_before(record: RecordView, turn: int) -> list[_Quote]:
    """Return what users dictate before a turn, in their last two messages."""
    said = [each.content for each in record.messages[:turn] if each.role == "user"]
    found = []
    for at, text in enumerate(said[-_LATEST:], max(0, len(said) - _LATEST)):
        if isinstance(text, str) and len(text) < LONGEST_TEXT and _may_quote(text):
            whole = _QUOTED.fullmatch(text.strip()) if at else None  # what answers a question may be a text alone
            literals = [whole[0][1:-1]] if whole else [each.text for each in literals_of(text) if each.sort == "quote"]
            for literal in literals:
                words = tokens_of(fold(literal))
                if len(words) >= _FEWEST_WORDS:
                    found.append(_Quote(literal, f" {' '.join(words)} ", len(words)))
    return found


_LATEST = 2


def _is_taken(quote: _Quote, record: RecordView) -> bool:
    """Say whether any call is given all of a text."""
    return any(
        quote.spaced in _spaced(leaf.value)
        for call in record.calls
        for leaf in leaves_of(call)
        if isinstance(leaf.value, str) and len(leaf.value) >= quote.size
    )


def _spaced(text: str) -> str:
    return f" {' '.join(tokens_of(fold(text)))} "


def _is_part(leaf: Leaf, quote: _Quote) -> bool:
    """Say whether a value is the beginning or the end of a text, and not all of it."""
    if not isinstance(leaf.value, str) or leaf.is_key:
        return False
    own = _spaced(leaf.value)
    size = own.count(" ") - 1
    if size >= quote.size:
        return False
    begins = size >= _FEWEST_SAID and quote.spaced.startswith(own)
    return begins or (size >= _FEWEST_OF_END and quote.spaced.endswith(own))


def _goes_on_elsewhere(leaf: Leaf, quote: _Quote, quotes: list[_Quote], calls: tuple[CallView, ...]) -> bool:
    """Say whether another argument of the turn holds the rest of a text, and is no other text."""
    own = _spaced(str(leaf.value))
    rest = quote.spaced.removeprefix(own) if quote.spaced.startswith(own) else quote.spaced.removesuffix(own)
    others = frozenset(each.spaced for each in quotes)
    held = (
        _spaced(each.value)
        for call in calls
        for each in leaves_of(call)
        if each.path != leaf.path and isinstance(each.value, str)
    )
    return any(rest.strip() in each for each in held if each not in others)
