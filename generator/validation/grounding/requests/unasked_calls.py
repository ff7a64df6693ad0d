"""Unasked calls: those made before the user was asked as wished, and those made once too often.

"Ask me before you book it" is heeded where the assistant asks and the user answers before anything is done. What only
looks something up may be called before that. A demand with a condition ("if it costs more than 50, ask me first") may
not apply, and is noted at the most. A call repeats an earlier one where its arguments are the same, that one was
answered, and nothing has changed since.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from generator.validation.call_view import CallView
from generator.validation.grounding.reading.denials import denials_in
from generator.validation.grounding.reading.languages import LANGUAGES, entries, language_of, phrases, table
from generator.validation.grounding.reading.names import is_harmless
from generator.validation.grounding.reading.words import LONGEST_TEXT, fold, stem, tokens_of, tokens_of_value
from generator.validation.rule import Finding
from generator.validation.say import brief
from generator.validation.verdict import Severity
from generator.validation.view import RecordView, ResultView


class _Demand(NamedTuple):
    """Words with which a message asks for a question before any deed."""

    words: str
    sentence: str
    at_most: Severity


def without_consent(record: RecordView) -> Iterator[Finding]:
    """Yield the calls that are made at once although a message asks to be asked first."""
    said = ""
    calls: list[CallView] = []
    for message in [*record.messages, None]:
        if message is not None and message.role != "user":
            calls += message.calls
            continue
        if calls and said and _may_demand(said):
            yield from _unasked(said, calls)
        said = message.content if message is not None and isinstance(message.content, str) else ""
        calls = []


def _unasked(said: str, calls: list[CallView]) -> Iterator[Finding]:
    demand = _demand_in(fold(said[:LONGEST_TEXT]))
    if demand is None:
        return
    wished = [call for call in calls if not is_harmless(call.name)]
    about = frozenset(map(stem, tokens_of(demand.sentence)))
    named = [call for call in wished if _most_of_its_name(call, about)]
    for call in named if named and len(named) < len(wished) else wished:
        why = f"is called at once, and the user wants to be asked first: {brief(demand.words)}"
        yield Finding(call.pointer, why, demand.at_most)


def _most_of_its_name(call: CallView, about: frozenset[str]) -> bool:
    """Say whether the sentence of a demand speaks of a call by the words of its tool's name."""
    own = [stem(token) for token in tokens_of_value(call.name)]
    return 2 * sum(each in about for each in own) > len(own)


def _demand_in(folded: str) -> _Demand | None:
    """Return the demand that a message makes; None where it makes none, or waives it."""
    language = language_of(folded)
    found = _first_demand(folded, language) if entries(language, "consent", "demands") else None
    if found is None:
        return None
    waivers = list(phrases(language, "consent", "waived").places_in(folded))
    if any(each.start() <= found.start() < each.end() for each in waivers) or _is_quoted(found, folded):
        return None
    start = max(folded.rfind(sign, 0, found.start()) for sign in _ENDS) + 1
    ends = [at for sign in _ENDS if (at := folded.find(sign, found.end())) >= 0]
    sentence = folded[start : min(ends, default=len(folded))]
    limited = phrases(language, "consent", "limits").found_in(sentence.replace(found[0], " "))
    apart = any(each.start() >= found.end() or each.end() <= found.start() for each in waivers)
    return _Demand(found[0], sentence, "note" if limited or apart else "warning")


def _is_quoted(found: re.Match[str], folded: str) -> bool:
    """Say whether the words stand in a quotation: somebody else is to be told them."""
    return _QUOTE_SIGNS.search(folded) is not None and "\x00" in denials_in(folded).masked[found.start() : found.end()]


_QUOTE_SIGNS = re.compile("[\"“«「']")
_ENDS = (".", "!", "?", "\n", "。", "！", "？")
_GAP = r"[,;:]?(?:\s[^\s.!?]{1,40}){0,8}?\s"


def _first_demand(folded: str, language: str) -> re.Match[str] | None:
    """Return the first demand of a text."""
    by_word = _demands(language)
    if language == "zh":
        return by_word[""].search(folded)
    for word in _WORD.finditer(folded):
        forms = by_word.get(word[0])
        found = forms.match(folded, word.start()) if forms is not None else None
        if found is not None:
            return found
    return None


_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


@cache
def _demands(language: str) -> dict[str, re.Pattern[str]]:
    """Return what finds the demands of a language, by the words that they begin with where words have spaces."""
    classes = {name: _any(entries(language, "consent", name), language) for name in ("yes", "agree")}
    forms: dict[str, list[str]] = {}
    for entry in entries(language, "consent", "demands"):
        first = "" if language == "zh" else entry.split()[0].rstrip(",")
        forms.setdefault(first, []).append(_written(entry, classes, language))
    return {first: re.compile("|".join(written)) for first, written in forms.items()}


def _any(words: tuple[str, ...], language: str) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return f"(?:{'|'.join(_written(word, {}, language) for word in longest_first)})"


def _written(entry: str, classes: dict[str, str], language: str) -> str:
    form = re.escape(entry)
    form = form.replace(r"\ \*\ ", _GAP).replace(r"\ ", r"[,;:]?\s").replace(r"\*", r"\w{0,16}")
    for name, words in classes.items():
        form = form.replace(rf"\{{{name}\}}", words)
    return form if language == "zh" else rf"{form}(?!\w)"


def _may_demand(text: str) -> bool:
    """Say, after a first look, whether a text may ask for a question."""
    lower = text.lower()
    words, ideographs = _hints()
    if not words.isdisjoint(lower.split()):
        return True
    return not lower.isascii() and any(map(lower.__contains__, ideographs))


_AFTER = ("", ",", ".", "!", "?", ":", ";", ")", "-", '"', "'")
_BEFORE = ("", "(", '"', "¡", "¿", "'")


@cache
def _hints() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the words that texts with a demand have, as they stand between others, and letters for the rest."""
    found = table("en", "consent")["hints"].replace("|", " ").split()
    words = frozenset(f"{before}{word}{after}" for word in found for before in _BEFORE for after in _AFTER)
    return words, tuple(hint for hint in found if hint >= _IDEOGRAPHS)


_IDEOGRAPHS = "\u4e00"


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
    spoken = language_of(folded)
    languages = (spoken,) if entries(spoken, "repeating", "again") else LANGUAGES
    return any(phrases(language, "repeating", "again").found_in(folded) for language in languages)
