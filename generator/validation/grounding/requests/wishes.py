"""Wishes: what the user said since the last calls, where it says the values of the calls, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from generator.validation.grounding.arguments.argument import Grounded
from generator.validation.grounding.arguments.grounded import grounded_arguments
from generator.validation.grounding.arguments.sources import SCHEMA
from generator.validation.grounding.reading.denials import DenialReading, read_denials
from generator.validation.grounding.reading.quantities import quantities_of
from generator.validation.grounding.reading.words import Literal, find_literal, find_number, fold, tokens_of
from generator.validation.view import CallView, MessageView, RecordView, cached_attribute


class Mention(NamedTuple):
    """A value of a call with the last place at which the user says it."""

    grounded: Grounded
    message: int
    start: int
    end: int
    is_repeated: bool
    """Whether it is said before that as well."""


class Wish(NamedTuple):
    """What the user said since the last calls, and the calls that follow it."""

    readings: dict[int, DenialReading]
    """By the index of the message, the last one last."""
    calls: list[CallView]
    asked: str
    """What the assistant asked before the last of the messages; "" where it asked nothing."""

    @property
    def last(self) -> DenialReading:
        """The message that the calls follow."""
        return next(reversed(self.readings.values()))


def wishes_of(record: RecordView) -> Iterator[Wish]:
    """Yield what the user said, message by message until something was called, with what was called then."""
    said: list[MessageView] = []
    calls: list[CallView] = []
    asked = answered = ""
    for message in [*record.messages, None]:
        if message is not None and message.role != "user":
            calls += message.calls
            answered = message.content if message.speaks and message.role == "assistant" else ""
        elif calls:
            yield Wish({each.index: read_denials(each.content) for each in said}, calls, asked)
            said, calls = [], []
        if message is not None and message.role == "user" and isinstance(message.content, str):
            said.append(message)
            asked = answered if "?" in answered or "？" in answered else ""


def values_said(call: CallView, record: RecordView, wish: Wish) -> Iterator[Mention]:
    """Yield the values of a call that the user says, each where it is said last."""
    said = {f"/messages/{index}/content": (index, reading) for index, reading in wish.readings.items()}
    for each in grounded_arguments(record):
        if each.call is not call or each.leaf.is_key or each.grounding is None or each.grounding.level == SCHEMA:
            continue
        where = said.get(each.grounding.where)
        value = each.leaf.value
        if where is None or not isinstance(value, str | int | float) or isinstance(value, bool):
            continue
        index, reading = where
        words = fold(each.grounding.text)
        places = _places(reading.text, words)
        if places:
            yield Mention(each, index, places[-1], places[-1] + len(words), len(places) > 1)


def _places(text: str, words: str) -> list[int]:
    """Return where a folded value stands in a folded text as words of its own, or the first of its words."""
    found = _whole_places(text, words)
    if found:
        return found
    tokens = tokens_of(words)
    return _whole_places(text, tokens[0]) if len(tokens) > 1 else []


def _whole_places(text: str, words: str) -> list[int]:
    find = find_number if words.replace(".", "", 1).isdigit() else find_literal
    found: list[int] = []
    at = 0
    while words and (place := find(text[at:], words)) >= 0:
        found.append(at + place)
        at += place + len(words)
    return found


class Uptake:
    """All that became of a request: what was called, what came back, what was answered."""

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts
        self._squeezed = ""
        self._tokens: frozenset[str] = frozenset()
        self._numbers: frozenset[float] | None = None

    @cached_attribute
    def _folded(self) -> str:
        return fold("\n".join(self._texts))

    def holds(self, literal: Literal) -> bool:
        """Say whether a literal is taken up, as it stands or in another form of it."""
        words = fold(literal.text).strip()
        if find_literal(self._folded, words) >= 0:
            return True
        if literal.sort == "number":
            return self._holds_number(words.replace(",", ""))
        self._squeezed = self._squeezed or "".join(tokens_of(self._folded))
        squeezed = "".join(tokens_of(words))
        least = _ENOUGH.get(literal.sort)
        return squeezed in self._squeezed or (least is not None and self._holds_words(words, least))

    def _holds_words(self, words: str, least: float) -> bool:
        self._tokens = self._tokens or frozenset(tokens_of(self._folded))
        tokens = tokens_of(words)
        return sum(token in self._tokens for token in tokens) >= least * len(tokens)

    def _holds_number(self, digits: str) -> bool:
        if find_number(self._folded, digits) >= 0:
            return True
        if self._numbers is None:
            self._numbers = frozenset(each.value for each in quantities_of(self._folded))
        value = float(digits)
        return (
            any(abs(value * scale - number) <= 1e-6 * abs(number) for number in self._numbers for scale in _SCALES)
            or round(value) in self._numbers
        )


_ENOUGH: dict[str, float] = {"quote": 0.75, "name": 0.5}
"""The share of the words of a quote or a name that stands for all of it."""
_SCALES = (1.0, 100.0, 0.01, 1000.0, 0.001, 1e6, 60.0, 12.0)
"""How a number is written elsewhere: as a share, in thousands, in minutes."""
