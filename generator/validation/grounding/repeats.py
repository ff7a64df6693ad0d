"""Repeats: calls that were made before with the same arguments, and answered, since when nothing has changed."""

from __future__ import annotations

from collections.abc import Iterator

from generator.validation.grounding.language import entries, language_of, phrases
from generator.validation.grounding.tool_verbs import is_harmless
from generator.validation.grounding.words import LONGEST_TEXT, fold, tokens_of_value
from generator.validation.rule import Finding
from generator.validation.verdict import Severity
from generator.validation.view import CallView, RecordView, ResultView


def repeated_calls(record: RecordView) -> Iterator[Finding]:
    """Yield the calls that only repeat an earlier one of the same turn of the user, which was answered."""
    if len(record.calls) < len(_PAIR):
        return
    results = {result.call.pointer: result for result in record.results if result.call is not None}
    known: dict[tuple[str, str], CallView] = {}
    turn = 0
    changed = -1
    for call in record.calls:
        begun = _last_request(record, call.turn)
        if begun != turn:
            known, turn = {}, begun
        first = known.setdefault((call.name, call.text), call)
        if first is not call:
            at_most = _sureness(first, call, results, record, begun)
            if at_most == "note" and changed > first.turn:  # the tests again, after a change
                at_most = None
            if at_most is not None:
                yield Finding(call.pointer, f"is made as at {first.pointer}, which was answered", at_most)
        if not is_harmless(call.name):
            changed = max(changed, call.turn) if first is call and call.turn > 0 else changed
            known = {key: each for key, each in known.items() if each is call or not is_harmless(each.name)}


_PAIR = ("first", "second")


def _last_request(record: RecordView, turn: int) -> int:
    """Return the place of the user's last message before a turn of calls."""
    return next((at for at in range(turn - 1, -1, -1) if record.messages[at].role == "user"), -1)


def _sureness(
    first: CallView, call: CallView, results: dict[str, ResultView], record: RecordView, begun: int
) -> Severity | None:
    """Return how sure it is that a call is made once too often; None where it may be meant."""
    one, other = results.get(first.pointer), results.get(call.pointer)
    is_over = first.turn < call.turn
    if one is None or one.failed or _is_under_way(one) or _never_the_same(call):
        return None
    if begun >= 0 and _asks_again(record.messages[begun].content):
        return None
    if other is not None and not other.failed and one.message.content != other.message.content:
        return "note" if is_over else None
    return "warning"


def _is_under_way(result: ResultView) -> bool:
    """Say whether a result says that something goes on or is to be tried again."""
    content = result.message.content
    return isinstance(content, str) and phrases("en", "repeating", "under_way").found_in(fold(content[:LONGEST_TEXT]))


def _never_the_same(call: CallView) -> bool:
    """Say whether a tool is called for something else each time, by its name: it rolls dice, or turns pages."""
    return not _of_chance().isdisjoint(tokens_of_value(call.name))


def _of_chance() -> frozenset[str]:
    return frozenset(entries("en", "repeating", "of_chance"))


def _asks_again(content: object) -> bool:
    """Say whether a message asks for something more than once."""
    if not isinstance(content, str):
        return True
    folded = fold(content[:LONGEST_TEXT])
    told = language_of(folded)
    languages = (told,) if entries(told, "repeating", "again") else _ALL
    return any(phrases(language, "repeating", "again").found_in(folded) for language in languages)


_ALL = ("en", "de", "es", "fr", "zh")
