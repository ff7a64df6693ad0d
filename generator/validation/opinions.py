"""What second opinions settle in a record, so that no list of words need do so."""

from __future__ import annotations

from generator.validation.view import RecordView


def is_judged(record: RecordView) -> bool:
    """Say whether a model that has not written the record has judged it."""
    opinions = record.metadata.get("second_opinion")
    return isinstance(opinions, list) and "judge" in opinions


def is_abroad(record: RecordView) -> bool:
    """Say whether a record is in another language than English, of which lists of English words know nothing."""
    locale = record.metadata.get("locale")
    return isinstance(locale, str) and not locale.startswith("en")


def is_judged_abroad(record: RecordView) -> bool:
    """Say whether a record in another language than English was judged."""
    return is_abroad(record) and is_judged(record)


def is_beyond_words(record: RecordView) -> bool:
    """Say whether no list of English words may convict a record: it is judged, or in another language."""
    return is_judged(record) or is_abroad(record)
