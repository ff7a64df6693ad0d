"""Turns: what users said since the turn of calls before, and what was heard before altogether."""

from __future__ import annotations

from collections.abc import Iterator

from generator.validation.grounding.lazily import lazily
from generator.validation.grounding.quotes import has_marks
from generator.validation.grounding.sources import Source, source_among
from generator.validation.grounding.words import fold
from generator.validation.view import CallView, MessageView, RecordView


class Heard:
    """A turn of calls, and what it follows; texts are read no further than somebody asks."""

    def __init__(
        self, record: RecordView, calls: tuple[CallView, ...], asked: list[MessageView], before: list[MessageView]
    ) -> None:
        self._known = record.sources  # and not the record, which keeps its turns
        self.calls = calls
        self._asked = tuple(asked)
        self._before = tuple(before)

    @lazily
    def asked(self) -> str:
        """What users said since the last turn of calls that they spoke after, as one text."""
        if len(self._asked) == 1:
            return str(self._asked[0].content)
        return "\n".join([str(message.content) for message in self._asked])

    @lazily
    def told(self) -> str:
        """Everything that users said and that results told before the calls, as one text."""
        return "\n".join([self.asked, *[str(message.content) for message in self._before]])

    @lazily
    def quotes(self) -> bool:
        """Whether what was asked has quotation marks."""
        return has_marks(self.asked)

    @lazily
    def folded(self) -> str:
        """What was asked, folded."""
        return fold(self.asked)

    @lazily
    def requests(self) -> tuple[Source, ...]:
        """What was asked, the latest first."""
        return self._sources(self._asked)

    @lazily
    def sources(self) -> tuple[Source, ...]:
        """What was asked and what was told before, the latest first."""
        return (*self.requests, *self._sources(self._before))

    def _sources(self, messages: tuple[MessageView, ...]) -> tuple[Source, ...]:
        return tuple([source_among(self._known, each) for each in reversed(messages)])


def turns_heard(record: RecordView) -> list[Heard]:
    """Return each turn of calls that follows something a user said, read once."""
    if record.turns is None:
        record.turns = list(_turns_in(record))
    return record.turns


def _turns_in(record: RecordView) -> Iterator[Heard]:
    asked: list[MessageView] = []
    before: list[MessageView] = []
    has_called = False
    for message in record.messages:
        if message.calls:
            has_called = True
            if asked:
                yield Heard(record, message.calls, asked, before)
        elif not isinstance(message.content, str):
            continue
        elif message.role == "user":
            if has_called:
                before += asked
                asked = []
                has_called = False
            asked.append(message)
        elif message.role in ("tool", "system"):
            before.append(message)
