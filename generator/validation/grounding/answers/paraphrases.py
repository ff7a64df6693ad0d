"""Paraphrases: calls of which an answer tells in other words than those of their arguments and results.

Whoever answers rounds and spells out, names a thing by its title where the call has its id, says that something timed
out, and leaves out what was only looked up on the way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.answers.derived_numbers import grouped_digits, number_of
from generator.validation.grounding.caching import cached_attribute, cached_on_record
from generator.validation.grounding.reading.clauses import denies
from generator.validation.grounding.reading.languages import phrases
from generator.validation.grounding.reading.names import find_name, is_harmless, other_names
from generator.validation.grounding.reading.words import find_literal, fold
from generator.validation.grounding.results.status import text_of
from generator.validation.grounding.results.words import MOST_LEAVES, leaves
from generator.validation.view import RecordView, ResultView


class ResultsTogether:
    """What the results of an answer hold together, each once: what one of them alone holds is told by that."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    @cached_attribute
    def numbers(self) -> Counter[float]:
        """In how many results each number is."""
        return Counter(each for result in self.answer.results for each in set(_numbers(result.value)))

    @cached_attribute
    def hours(self) -> Counter[int]:
        """In how many calls or results each hour of a time of day is, on twelve."""
        return Counter(each for result in self.answer.results for each in _hours(result))

    @cached_attribute
    def text(self) -> str:
        """All results, folded."""
        return "\n".join(map(text_of, self.answer.results))

    @cached_attribute
    def said(self) -> str:
        """All that users said before the answer."""
        return "\n".join([str(each.content) for each in self.answer.before if each.role == "user"])

    def is_of_another(self, folded: str, result: ResultView) -> bool:
        """Say whether any other result has a text as well."""
        return self.text.count(folded) > text_of(result).count(folded)


def is_paraphrased(result: ResultView, together: ResultsTogether) -> bool:
    """Say whether an answer tells in other words what became of a call, or need not tell it."""
    answer = together.answer
    return (
        _tells_number(result, together)
        or _tells_time(result, together)
        or _tells_failure(result, answer)
        or _tells_name(result, together)
        or _tells_text(result, together)
        or _is_on_the_way(result, together)
    )


def _tells_number(result: ResultView, together: ResultsTogether) -> bool:
    """Say whether the answer tells a number of this result alone, as people round and write it."""
    answer = together.answer
    own = [each for each in _numbers(result.value) if together.numbers[each] == 1 and each > _SMALL]
    told = [number_of(each, answer) for each in answer.told_numbers] if own else []
    if any(abs(value - each.value) <= each.near for value in own for each in told):
        return True
    return any(value == round(100 * each.value, 4) for value in own for each in told) or _tells_digits(result, answer)


def _tells_digits(result: ResultView, answer: Answer) -> bool:
    """Say whether the answer tells a number that has other signs between its groups: one of a telephone."""
    groups = [digits for _, digits in grouped_digits(answer.folded)]
    texts = [each for each in leaves(result.value, MOST_LEAVES) if isinstance(each, str)] if groups else []
    held = [_NOT_DIGIT.sub("", each) for each in texts]
    return any(each in text for each in groups for text in held)


_NOT_DIGIT = re.compile(r"\D")
_SMALL = 1


def _numbers(value: JsonValue) -> Iterator[float]:
    for leaf in leaves(value, MOST_LEAVES):
        if type(leaf) in (int, float) or (isinstance(leaf, str) and _FIGURE.fullmatch(leaf)):
            yield abs(float(str(leaf)[:_LONGEST]))


_FIGURE = re.compile(r"-?\d{1,15}(?:\.\d{1,10})?")
_LONGEST = 40


def _tells_time(result: ResultView, together: ResultsTogether) -> bool:
    """Say whether a time of day of the call or its result is told by its hour on twelve: "from 4 to 6 PM"."""
    folded = together.answer.folded
    if not _HALF.search(folded):
        return False
    hours = {hour for hour in _hours(result) if together.hours[hour] == 1}
    return bool(hours) and any(int(hour) in hours for hour in _HOUR.findall(folded))


def _hours(result: ResultView) -> set[int]:
    call = result.call.text[:_MOST_READ] if result.call is not None else ""
    return {int(hour) % 12 or 12 for hour in _CLOCK.findall(f"{call} {text_of(result)[:_MOST_READ]}")}


_HALF = re.compile(r"\d ?[ap]\.?m\b")
_HOUR = re.compile(r"(?<![\d.,:])(\d{1,2})(?= ?(?:[ap]\.?m\b|to|until|[-–—]))")
_CLOCK = re.compile(r"(?<!\d)([01]\d|2[0-3]):[0-5]\d")
_MOST_READ = 2000


def _tells_failure(result: ResultView, answer: Answer) -> bool:
    """Say whether a result that failed, or lacks something, is answered by a word for that."""
    if not isinstance(result.value, dict) or not ("error" in result.value or None in result.value.values()):
        return False
    failure = phrases(answer.language, "outcomes", "failure")
    return denies(answer.folded, answer.language) or failure.found_in(answer.folded, answer.words)


def _tells_text(result: ResultView, together: ResultsTogether) -> bool:
    """Say whether the answer repeats a text of several words that this result alone brought."""
    texts = [each for each in leaves(result.value, _FEW) if isinstance(each, str) and each.count(" ") > 1]
    told = (fold(each) for each in texts if find_literal(together.answer.folded, fold(each)) >= 0)
    return any(not together.is_of_another(each, result) for each in told)


def _tells_name(result: ResultView, together: ResultsTogether) -> bool:
    """Say whether the answer has another name of what the result names: "New Zealand" for NZ."""
    answer = together.answer
    texts = [each for each in leaves(result.value, _FEW) if isinstance(each, str) and len(each) <= _LONGEST]
    told = (each for each in texts if any(find_name(name, answer.text, answer.folded) for name in other_names(each)))
    return any(not together.is_of_another(fold(each), result) for each in told)


def _is_on_the_way(result: ResultView, together: ResultsTogether) -> bool:
    """Say whether a call only looks up a thing that no user named, as an earlier result did."""
    answer, call = together.answer, result.call
    if call is None or not is_harmless(call.name) or len(answer.results) < _FEWEST:
        return False
    given = [each for each in leaves(call.arguments, MOST_LEAVES) if isinstance(each, str) and len(each) > 1]
    if not given:
        return False
    if any(each in together.said for each in given):
        return False
    earlier = "\n".join([str(each.content) for each in answer.before[: call.turn] if each.role == "tool"])
    return all(each in earlier for each in given)


_FEWEST = 2


def is_used_later(result: ResultView, record: RecordView) -> bool:
    """Say whether a later call of the record is made with a value that this result brought."""
    if result.call is None or _turns(record)[result.call.turn] < _FEWEST:  # alone, it is what was asked for
        return False
    if record.calls[-1].turn < result.message.index:
        return False
    brought = [each for each in leaves(result.value, MOST_LEAVES) if isinstance(each, str) and len(each) > _SHORT]
    later = "\n".join([call.text for call in record.calls if call.turn > result.message.index])
    given = result.call.text
    return any(each in later and each not in given for each in brought)


@cached_on_record
def _turns(record: RecordView) -> Counter[int]:
    """Return how many results the calls of each turn have."""
    return Counter(each.call.turn for each in record.results if each.call is not None)


_SHORT = 3


def has_nothing_to_tell(result: ResultView, answer: Answer) -> bool:
    """Say whether a result has no more than a word of success, and the answer is in another language than its call."""
    if answer.language == "en" or result.call is None or is_harmless(result.call.name):
        return False
    informing = [each for each in leaves(result.value, _FEW) if not isinstance(each, bool)]
    given = list(leaves(result.call.arguments, MOST_LEAVES))
    return all(each in given or (isinstance(each, str) and len(each) <= _SHORT) for each in informing)


_FEW = 20
