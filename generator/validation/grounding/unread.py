"""What of a record is too long or too much to be read to the end, so that nobody takes it for checked.

Texts of any length are searched to the letter and word for word. Numbers, days, times and negations are read as far
as `LONGEST_TEXT` goes, and a value is looked for in the latest messages; what lies beyond is told here.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.validation.grounding.arguments.grounded import MOST_LEAVES, MOST_SOURCES, UNEXPLAINED
from generator.validation.grounding.arguments.leaves import leaves_of
from generator.validation.grounding.reading.words import LONGEST_TEXT
from generator.validation.rule import Finding
from generator.validation.view import RecordView


def unread_ends(record: RecordView) -> Iterator[Finding]:
    """Yield where reading ends before the record does."""
    if len(record.text) > LONGEST_TEXT:
        yield from _texts(record)
    if len(record.messages) > MOST_SOURCES:
        yield from _messages(record)
    if record.grounded is not None and len(record.grounded) >= MOST_LEAVES // UNEXPLAINED:
        yield from _values(record, len(record.grounded))


def _texts(record: RecordView) -> Iterator[Finding]:
    long = [each for each in record.messages if isinstance(each.content, str) and len(each.content) > LONGEST_TEXT]
    for message in long:
        what = f"is longer than {LONGEST_TEXT:,} characters: its numbers, days and negations are not read to the end"
        yield Finding(f"{message.pointer}/content", what)
    if not long and record.results:
        yield Finding("/messages", f"are longer than {LONGEST_TEXT:,} characters together: which values belong to "
                      "which thing is not looked at")  # fmt: skip


def _messages(record: RecordView) -> Iterator[Finding]:
    for role in ("user", "tool"):
        held = [message for message in record.messages if message.role == role]
        if len(held) > MOST_SOURCES:
            what = f"are looked through for where a value comes from no further back than {MOST_SOURCES} of a role"
            yield Finding("/messages", f"{what}; there are {len(held):,} with the role {role}")


def _values(record: RecordView, read: int) -> Iterator[Finding]:
    held = sum(1 for call in record.calls for _ in leaves_of(call))
    if held > read:
        yield Finding("/messages", f"hold {held:,} values in calls, of which the first {read:,} are looked at")
