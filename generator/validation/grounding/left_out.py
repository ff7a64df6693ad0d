"""Left out: whether an answer names something of each call made at once but one.

An answer that tells a name, a code, a day, a time or a number of every other result, each its own, and none of one of
them, has most likely forgotten it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.validation.grounding.answers import Answer
from generator.validation.grounding.coverage import COLLECTIVE
from generator.validation.grounding.reading.days import month_number
from generator.validation.grounding.reading.languages import phrases
from generator.validation.grounding.reading.words import STOPWORDS, find_literal, fold, stem, tokens_of
from generator.validation.grounding.result_words import MOST_LEAVES, leaves
from generator.validation.grounding.verdicts import is_empty
from generator.validation.view import ResultView

_MOST, _LONGEST, _SMALLEST = 8, 120, 10
_SHORT = 3
_DAY = re.compile(r"\d{4}-(\d\d)-(\d\d)")
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::\d\d)?")
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")
_NAMING = re.compile(r"[A-Z\d@]|[^\x00-\x7f]")


def left_out(answer: Answer) -> Iterator[ResultView]:
    """Yield the one result of which the answer tells nothing, where it tells of each of the others."""
    results = _at_once(answer)
    if not 1 < len(results) <= _MOST or _names_each(answer.text, results):
        return
    if not answer.language or COLLECTIVE.search(answer.folded):
        return
    if any(result.failed or is_empty(result.value) for result in results):
        return
    if phrases(answer.language, "outcomes", "open").found_in(answer.folded):
        return
    held = [_own_values(each) for each in results]
    untold = []
    for at, (result, own) in enumerate(zip(results, held, strict=True)):
        others = frozenset().union(*(each for place, each in enumerate(held) if place != at))
        telling = own - others
        if not telling or 2 * len(telling) < len(own):  # what it shares with another may be told for both
            return
        if not any(_tells(answer, value) for value in telling):
            untold.append((result, telling))
    if len(untold) == 1 and not _has_words_of(answer, untold[0][1]) and not _repeats(answer, untold[0][0], results):
        yield untold[0][0]


def _repeats(answer: Answer, result: ResultView, results: list[ResultView]) -> bool:
    """Say whether an answer repeats a plain text of a result that no other result holds: a definition, a state."""
    texts = {leaf for leaf in leaves(result.value, MOST_LEAVES) if isinstance(leaf, str) and len(leaf) > _SHORT}
    others = [str(each.message.content) for each in results if each is not result]
    return any(
        find_literal(answer.folded, fold(text)) >= 0 for text in texts if not any(text in other for other in others)
    )


def _at_once(answer: Answer) -> list[ResultView]:
    """Return the results of the last turn of calls."""
    last = answer.results[-1].call if answer.results else None
    if last is None:
        return []
    return [each for each in answer.results if each.call is not None and each.call.turn == last.turn]


def _names_each(text: str, results: list[ResultView]) -> bool:
    """Say quickly whether an answer repeats a name of each result to the letter that no other result holds."""
    held = [f"{each.call.text if each.call is not None else ''}\n{each.message.content}" for each in results]
    return all(
        any(value in text and sum(value in each for each in held) == 1 for value in _first_names(result))
        for result in results
    )


def _first_names(result: ResultView) -> Iterator[str]:
    given = result.call.arguments if result.call is not None else None
    for values in (given, result.value):
        for value in values.values() if isinstance(values, dict) else ():
            if isinstance(value, str) and len(value) > 2 and _NAMING.search(value):
                yield value


def _own_values(result: ResultView) -> frozenset[str]:
    """Return the names, codes, days, times, larger numbers and fractions of a call and its result."""
    given = result.call.arguments if result.call is not None else None
    found: set[str] = set()
    for leaf in (*leaves(given, MOST_LEAVES), *leaves(result.value, MOST_LEAVES)):
        if isinstance(leaf, str) and 1 < len(leaf) <= _LONGEST and _NAMING.search(leaf):
            found.add(leaf)
        elif (
            isinstance(leaf, int | float)
            and not isinstance(leaf, bool)
            and (isinstance(leaf, float) or leaf >= _SMALLEST)
        ):
            found.add(str(leaf))
    return frozenset(found)


def _tells(answer: Answer, value: str) -> bool:
    if day := _DAY.match(value):
        wanted = int(day[1]), int(day[2])
        told = ((month_number(each["m1"] or each["m2"]), int(each["d1"] or each["d2"])) for each in answer.days
                if not each["iso"])  # fmt: skip
        return wanted in told or value[:10] in answer.text
    if time := _TIME.fullmatch(value):
        wanted = int(time[1]) % 12, int(time[2])
        return wanted in ((int(each[1] or each[4]) % 12, int(each[2] or 0)) for each in answer.clocks)
    if _NUMBER.fullmatch(value):
        number = abs(float(value))
        return any(abs(float(each) - number) <= 0.5 * 10 ** -len(each.partition(".")[2]) for each in answer.figures)
    return find_literal(answer.folded, fold(value)) >= 0


def _has_words_of(answer: Answer, values: frozenset[str]) -> bool:
    """Say whether the answer has a telling word of any of the values."""
    words = {stem(token) for value in values for token in tokens_of(fold(value)) if len(token) > 2}
    return bool((words - STOPWORDS) & answer.stems)
