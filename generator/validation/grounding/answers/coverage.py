"""Coverage: whether an answer leaves a call of its turn out, and tells of it neither in its words nor in others.

Whoever answers rounds and spells out, names a thing by its title where the call has its id, says that something timed
out, and leaves out what was only looked up on the way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.answers.derived_numbers import grouped_digits, number_of
from generator.validation.grounding.answers.unsupported import tells_converted
from generator.validation.grounding.reading.denials import denies
from generator.validation.grounding.reading.languages import find_name, is_harmless, other_names, phrases
from generator.validation.grounding.reading.number_words import number_words
from generator.validation.grounding.reading.words import STOPWORDS, find_literal, fold, stem, tokens_of, tokens_of_value
from generator.validation.grounding.result_status import (
    MOST_LEAVES,
    forms_of_text,
    is_empty,
    leaves,
    name_words,
    plain_leaves,
    text_of,
    tool_words,
    words_of,
)
from generator.validation.view import MessageView, RecordView, ResultView, cached_attribute, cached_on_record

_COLLECTIVE = re.compile(
    r"\b(?:all|both|each|every|everything|neither|none|nothing|respectively|the (?:two|three|four|five))\b"
)


def uncovered_calls(answer: Answer) -> Iterator[ResultView]:
    """Yield the results of the last turn of calls of which the answer says nothing.

    An error is the business of `untold_errors`. A call is covered by any word of its arguments, of its result or of
    its tool's name; among several calls of one tool by what tells it from the others, or by a word for all of them.
    """
    results = _of_last_turn(answer)
    if len(results) == 1 and _is_plainly_told(answer, results[0]):
        return
    if not results or _tells_each(answer, results):
        return
    if len(results) > 1 and _COLLECTIVE.search(answer.folded):
        yield from _left_out_of_list(answer, results)
        return
    is_read = len(results) <= _MOST_NAMED
    yield from (each for each in _unspoken(answer, results) if not (is_read and _speaks_of_its_thing(answer, each)))


def _is_plainly_told(answer: Answer, result: ResultView) -> bool:
    """Say whether a lone call failed, a leaf of it is repeated, or it found nothing and something is denied."""
    if result.failed or _speaks_of_one(answer, result):
        return True
    return is_empty(result.value) and denies(answer.folded, answer.language)


def repeats_each_call(answer: Answer) -> bool:
    """Say at first glance whether an answer repeats something of each call of the last turn of calls."""
    results = _of_last_turn(answer)
    if len(results) < 2:
        return not results or results[0].failed or _speaks_of_one(answer, results[0])
    return (len(results) <= _FEW and _names_each(answer.text, results)) or _tells_each(answer, results)


_FEW = 12


def _names_each(text: str, results: list[ResultView]) -> bool:
    """Say whether a text repeats of each call an argument or a result that the others hold nowhere."""
    held = [f"{_given(each)}\n{each.message.content}" for each in results]
    if any("\\" in each for each in held):  # what is escaped is not found
        return False
    return all(any(_is_held_once(value, held) for value in _repeated(text, result)) for result in results)


def _is_held_once(value: str, held: list[str]) -> bool:
    return sum(value in each for each in held) == 1


def _given(result: ResultView) -> JsonObject:
    """Return the arguments of a result's call; none where it has no call, or a call without an object of them."""
    return (result.call.arguments if result.call is not None else None) or {}


def _repeated(text: str, result: ResultView) -> list[str]:
    """Return the texts and whole numbers of a call and its result that a text repeats."""
    told = [str(each) for each in (*_flat(_given(result)), *_flat(result.value)) if type(each) in _REPEATED]
    return [each for each in told if len(each) > 1 and each in text]


_HOLDERS = frozenset({dict, list})
_REPEATED = frozenset({str, int})


def _flat(value: JsonValue) -> Iterable[JsonValue]:
    """Return the values of an object that holds but a few, and none that hold others."""
    if type(value) is not dict or len(value) > _FEW or not _HOLDERS.isdisjoint(map(type, value.values())):
        return ()
    return value.values()


def _of_last_turn(answer: Answer) -> list[ResultView]:
    """Return the results of the last turn of calls before an answer."""
    last = answer.results[-1].call if answer.results else None
    if last is None:
        return []
    return [each for each in answer.results if each.call is not None and each.call.turn == last.turn]


def _speaks_of_its_thing(answer: Answer, result: ResultView) -> bool:
    """Say whether the answer names what an earlier result tells of a thing that the call has the id of."""
    ids = frozenset(_texts_in(_given(result), 40, longer_than=1))
    earlier = _results_with(ids, answer.before[: result.message.index])
    return any(_names(answer, thing) for value in earlier for thing in _things_with(value, ids))


def _texts_in(value: JsonValue, most: int = MOST_LEAVES, *, longer_than: int = 0) -> Iterator[str]:
    """Yield the texts inside that are longer than so many characters, up to a number of steps."""
    for leaf in leaves(value, most):
        if isinstance(leaf, str) and len(leaf) > longer_than:
            yield leaf


def _results_with(ids: frozenset[str], before: list[MessageView]) -> Iterator[JsonValue]:
    """Yield the earlier results that write one of the ids."""
    written = [f'"{each}"' for each in ids]
    for message in before:
        if message.role == "tool" and any(each in message.text for each in written):
            yield ResultView(message, None, None).value


def _things_with(root: JsonValue, ids: frozenset[str]) -> Iterator[JsonObject]:
    """Yield the objects inside that hold one of the ids."""
    waiting = [root]
    for value in waiting:
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            waiting += value.values()
            if any(isinstance(inner, str) and inner in ids for inner in value.values()):
                yield value


def _names(answer: Answer, thing: JsonObject) -> bool:
    texts = (value for value in thing.values() if isinstance(value, str) and len(value) > _SHORTEST_NUMBER)
    return any(find_literal(answer.folded, fold(text)) >= 0 for text in texts)


def _tells_each(answer: Answer, results: list[ResultView]) -> bool:
    """Say quickly whether the answer repeats a leaf of each call that the other calls do not have."""
    held = [frozenset(plain_leaves(each)) for each in results]
    holding = Counter(chain.from_iterable(held))
    text = answer.text
    return all(any(holding[leaf] == 1 and leaf in text for leaf in own) for own in held)


def _unspoken(answer: Answer, results: list[ResultView]) -> Iterator[ResultView]:
    """Yield the results of which no word is told that their calls alone have."""
    told = _told_words(answer, small_numbers_tell=len(results) == 1 or answer.language != "en")
    confirmed = _confirmed(answer, results)
    holding = _Holding(results)
    for result, words in zip(results, holding.words, strict=True):
        if result.failed:
            continue
        others = holding.others_of_its_tool(result)
        is_only_unnamed = 0 < others < _MOST_NAMED and _is_only_unnamed(result, results, told.forms)
        if is_only_unnamed or not (
            id(result) in confirmed or told.tell_of(result, words, holding) or _tells_rounded(result, answer)
        ):
            yield result


class _ToldWords(NamedTuple):
    """The words of an answer."""

    forms: frozenset[str]
    """Each of them in each of its forms."""
    counts: Counter[str]
    """How often it has each of them."""
    beginnings: frozenset[str]
    """The first letters of those that say something."""
    small_numbers_tell: bool
    """Whether a small number tells of a call, which among several calls it may do by chance."""

    def tell_of(self, result: ResultView, words: frozenset[str], holding: _Holding) -> bool:
        """Say whether they tell of a result with these words, or nothing tells it from the others."""
        own = holding.its_own(result, words)
        if not own or self._have_any_of(own, result):
            return True
        others = holding.others_of_its_tool(result)
        return self._name_as_often(words, others) if others else self._name_deed(result, holding.results)

    def _have_any_of(self, own: frozenset[str], result: ResultView) -> bool:
        telling = own if self.small_numbers_tell else _without_small_numbers(own, result)
        return not telling.isdisjoint(self.forms)

    def _name_as_often(self, words: frozenset[str], others: int) -> bool:
        """Say whether a word that the calls share stands among them once for each of the calls."""
        return any(self.counts[word] > others for word in words)

    def _name_deed(self, result: ResultView, results: list[ResultView]) -> bool:
        """Say whether they have a relative of a word of the tool's name, which the name of no other call's tool has."""
        others = [tokens_of_value(each.tool_name) for each in results if each is not result]
        own = frozenset(tokens_of_value(result.tool_name)).difference(*others)
        return any(word[:_RELATED] in self.beginnings for word in own if len(word) >= _RELATED)


_RELATED = 3
"""Letters that tell a deed: "logged" and `logout`."""


def _told_words(answer: Answer, *, small_numbers_tell: bool) -> _ToldWords:
    counts = Counter(answer.tokens)
    beginnings = frozenset(word[:_RELATED] for word in counts.keys() - STOPWORDS if len(word) >= _RELATED)
    return _ToldWords(forms_of_text(answer.folded), counts, beginnings, small_numbers_tell)


def _without_small_numbers(words: frozenset[str], result: ResultView) -> frozenset[str]:
    """Leave out the short numbers that nobody asked for, which tell of anything, where there are words."""
    asked = result.call.text if result.call is not None else ""
    telling = frozenset(word for word in words if len(word) > _SHORTEST_NUMBER or not word.isdigit() or word in asked)
    return telling if any(word.isalpha() and len(word) > _SHORTEST_NUMBER for word in telling) else words


_TELLING = 10


def _left_out_of_list(answer: Answer, results: list[ResultView]) -> Iterator[ResultView]:
    """Yield the one of several alike that a list with an item for each of the others leaves out."""
    listed = len(results) <= _MOST_NAMED and len(_ITEM.findall(answer.text)) == len(results) - 1
    if listed and not any(result.failed for result in results):
        told = forms_of_text(answer.folded)
        yield from (result for result in results if _is_only_unnamed(result, results, told))


_ITEM = re.compile(r"(?m)^\s*(?:[-*•–]|\d{1,2}[.)])\s")


def _is_only_unnamed(result: ResultView, results: list[ResultView], told: frozenset[str]) -> bool:
    """Say whether the answer names every other call of the tool by its own argument, and this one by nothing."""
    alike = [each for each in results if each.tool_name == result.tool_name]
    own = _naming(result, alike)
    if not own or not own.isdisjoint(told):
        return False
    others = (_naming(each, alike) for each in alike if each is not result)
    if any(map(told.isdisjoint, others)):
        return False
    return not any(len(word) > _SHORTEST_NUMBER and word in told for word in _numbers_of(result, alike))


_SHORTEST_NUMBER = 2
_MOST_NAMED = 30
"""Calls of one tool that an answer may name one by one; of more of them it says something, or it does not."""


def _naming(result: ResultView, alike: list[ResultView]) -> frozenset[str]:
    """Return the words of a call's text arguments, or of its result, that no other call of the tool has."""
    for words in (_argument_words, _result_words):
        own = words(result).difference(*(words(each) for each in alike if each is not result))
        if own:
            return own
    return frozenset()


def _result_words(result: ResultView) -> frozenset[str]:
    texts = [value for value in (result.value.values() if isinstance(result.value, dict) else ()) if _is_name(value)]
    return frozenset(token for text in texts for token in tokens_of(fold(text)) if len(token) > 2 and token.isalpha())


def _argument_words(result: ResultView) -> frozenset[str]:
    texts = _texts_in(_given(result), 40)
    return frozenset(token for text in texts for token in tokens_of(fold(text)) if len(token) > 2 and token.isalpha())


def _is_name(value: JsonValue) -> bool:
    return isinstance(value, str) and value[:1].isupper()


def _numbers_of(result: ResultView, alike: list[ResultView]) -> frozenset[str]:
    """Return the words with digits that this result alone has."""
    own = frozenset(word for word in words_of(result) if word[:1].isdigit())
    return own.difference(*(words_of(each) for each in alike if each is not result))


class _Holding:
    """Which words the calls and results of a turn hold, counted by their tools."""

    def __init__(self, results: list[ResultView]) -> None:
        self.words = [words_of(each) for each in results]
        self.results = results
        self._results: Counter[str] = Counter(each.tool_name for each in results)
        self._words: Counter[tuple[str, str]] = Counter()
        for result, words in zip(results, self.words, strict=True):
            self._words.update((result.tool_name, word) for word in words)

    def others_of_its_tool(self, result: ResultView) -> int:
        """Return how many other results are of the same tool."""
        return self._results[result.tool_name] - 1

    def its_own(self, result: ResultView, words: frozenset[str]) -> frozenset[str]:
        """Return the words that no other result of the tool holds; of a tool's only result, what tells of the tool."""
        tool = result.tool_name
        if self._results[tool] == 1:
            return self._its_own_and_its_tools(result, words)
        return frozenset(word for word in words if self._words[tool, word] == 1)

    def _its_own_and_its_tools(self, result: ResultView, words: frozenset[str]) -> frozenset[str]:
        """Return the words of a result and of its tool that no other result and no other tool has; all for none."""
        every = words | name_words(result)
        others = [each for each in self.results if each is not result]
        own = every.difference(*(words_of(each) | tool_words(each) for each in others))
        return own | self._described(result, others) if own else words | tool_words(result)

    def _described(self, result: ResultView, others: list[ResultView]) -> frozenset[str]:
        """Return the words by which its tool alone is described, where nothing names the result itself."""
        named = any(len(word) > _RELATED and word.isalpha() for word in _argument_words(result))
        return frozenset() if named else tool_words(result).difference(*map(tool_words, others))


def _tells_rounded(result: ResultView, answer: Answer) -> bool:
    """Say whether the answer tells a number of the result, rounded."""
    told = [(float(each), 0.5000001 * 10 ** -len(each.partition(".")[2])) for each in answer.figures]
    alone = len(answer.results) == 1
    if alone and answer.language:
        if any(tells_converted(value, near, answer) for value, near in told[:40]):
            return True
        told += [(each.value, 1e-9) for each in number_words(answer.language).read(answer.folded[:_LONGEST_IN_WORDS])]
    numbers = _telling_numbers(result, alone=alone)
    return any(abs(number - value) <= near for number in numbers[:40] for value, near in told[:40])


def _telling_numbers(result: ResultView, *, alone: bool) -> list[float]:
    """Return the numbers of a result; beside others no small whole ones, which anything may come to by chance."""
    numbers = [abs(leaf) for leaf in leaves(result.value, MOST_LEAVES) if type(leaf) in (int, float)]
    return numbers if alone else [number for number in numbers if number >= _TELLING or number != int(number)]


_LONGEST_IN_WORDS = 2000
_YES_NO = re.compile(r"\b(?:yes|no|not|nothing|isn't|doesn't|done|true|false|checks? out)\b")


def _confirmed(answer: Answer, results: list[ResultView]) -> frozenset[int]:
    """Return the ids of the results that say no more than yes or no, where the answer has a yes or a no for each."""
    plain = [id(each) for each in results if len(_informing(each)) < (2 if len(results) == 1 else 1)]
    return frozenset(plain if plain and len(_YES_NO.findall(answer.folded)) >= len(plain) else ())


def _informing(result: ResultView) -> list[JsonValue]:
    """Return what a result says beyond yes and no and the arguments of its call."""
    given = list(leaves(result.call.arguments, 40)) if result.call is not None else []
    return [leaf for leaf in leaves(result.value, 20) if not isinstance(leaf, bool) and leaf not in (*given, "")]


def _speaks_of_one(answer: Answer, result: ResultView) -> bool:
    """Say quickly whether a lone call's answer repeats one of its leaves; else the words are compared."""
    text, left = answer.text, 12
    waiting = [result.value]
    while waiting and left:  # as `leaves` does, without its steps to and fro
        left -= 1
        value = waiting.pop()
        kind = type(value)
        if kind is dict:
            waiting += value.values()
        elif kind is list:
            waiting += value[:50]
        elif value is not None and kind is not bool and value != "" and str(value) in text:
            return True
    return False


_MOST, _LONGEST, _SMALLEST = 8, 120, 10
_SHORT = 3
_DAY = re.compile(r"\d{4}-(\d\d)-(\d\d)")
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::\d\d)?")
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")
_NAMING = re.compile(r"[A-Z\d@]|[^\x00-\x7f]")


def omitted_calls(answer: Answer) -> Iterator[ResultView]:
    """Yield the one result of which the answer tells nothing, where it tells of each of the others."""
    results = _of_last_turn(answer)
    if not _may_omit_one(answer, results):
        return
    untold = [
        (result, values)
        for result, values in _with_own_values(results)
        if not any(_tells(answer, value) for value in values)
    ]
    if len(untold) == 1:
        result, values = untold[0]
        if not _has_words_of(answer, values) and not _repeats(answer, result, results):
            yield result


def _may_omit_one(answer: Answer, results: list[ResultView]) -> bool:
    """Say whether each of a few results has something to tell, and the answer neither sums up nor leaves it open."""
    if not 1 < len(results) <= _MOST or _tells_enough_of_each(answer.text, results):
        return False
    if not answer.language or _COLLECTIVE.search(answer.folded):
        return False
    if any(result.failed or is_empty(result.value) for result in results):
        return False
    return not phrases(answer.language, "outcomes", "open").found_in(answer.folded)


def _with_own_values(results: list[ResultView]) -> list[tuple[ResultView, frozenset[str]]]:
    """Return the results with the values that each has alone; none where one of them shares most with the others.

    What it shares with another may be told for both.
    """
    held = [_values_of(each) for each in results]
    holding = Counter(chain.from_iterable(held))
    own = [frozenset(value for value in values if holding[value] == 1) for values in held]
    if any(not alone or 2 * len(alone) < len(values) for alone, values in zip(own, held, strict=True)):
        return []
    return list(zip(results, own, strict=True))


def _repeats(answer: Answer, result: ResultView, results: list[ResultView]) -> bool:
    """Say whether an answer repeats a plain text of a result that no other result holds: a definition, a state."""
    texts = set(_texts_in(result.value, longer_than=_SHORT))
    others = [str(each.message.content) for each in results if each is not result]
    return any(
        find_literal(answer.folded, fold(text)) >= 0 for text in texts if not any(text in other for other in others)
    )


def _tells_enough_of_each(text: str, results: list[ResultView]) -> bool:
    """Say quickly whether an answer repeats a name of each result to the letter that no other result holds."""
    held = [f"{each.call.text if each.call is not None else ''}\n{each.message.content}" for each in results]
    return all(
        any(value in text and _is_held_once(value, held) for value in _first_names(result)) for result in results
    )


def _first_names(result: ResultView) -> Iterator[str]:
    for values in (_given(result), result.value):
        for value in values.values() if isinstance(values, dict) else ():
            if isinstance(value, str) and len(value) > 2 and _NAMING.search(value):
                yield value


def _values_of(result: ResultView) -> frozenset[str]:
    """Return the names, codes, days, times, larger numbers and fractions of a call and its result."""
    found: set[str] = set()
    for leaf in (*leaves(_given(result), MOST_LEAVES), *leaves(result.value, MOST_LEAVES)):
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
        return answer.tells_day(int(day[1]), int(day[2])) or value[:10] in answer.text
    if time := _TIME.fullmatch(value):
        return answer.tells_clock(int(time[1]), int(time[2]))
    if _NUMBER.fullmatch(value):
        number = abs(float(value))
        return any(abs(float(each) - number) <= 0.5 * 10 ** -len(each.partition(".")[2]) for each in answer.figures)
    return find_literal(answer.folded, fold(value)) >= 0


def _has_words_of(answer: Answer, values: frozenset[str]) -> bool:
    """Say whether the answer has a telling word of any of the values."""
    words = {stem(token) for value in values for token in tokens_of(fold(value)) if len(token) > 2}
    return bool((words - STOPWORDS) & answer.stems)


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
    told = [number_of(each, answer) for each in answer.stated_numbers] if own else []
    return any(
        abs(value - each.value) <= each.near or value == round(100 * each.value, 4) for value in own for each in told
    ) or _tells_digits(result, answer)


def _tells_digits(result: ResultView, answer: Answer) -> bool:
    """Say whether the answer tells a number that has other signs between its groups: one of a telephone."""
    groups = [digits for _, digits in grouped_digits(answer.folded)]
    held = [_NOT_DIGIT.sub("", each) for each in _texts_in(result.value)] if groups else []
    return any(each in text for each in groups for text in held)


_NOT_DIGIT = re.compile(r"\D")
_SMALL = 1


def _numbers(value: JsonValue) -> Iterator[float]:
    for leaf in leaves(value, MOST_LEAVES):
        if type(leaf) in (int, float) or (isinstance(leaf, str) and _FIGURE.fullmatch(leaf)):
            yield abs(float(str(leaf)[:_LONGEST_NAME]))


_FIGURE = re.compile(r"-?\d{1,15}(?:\.\d{1,10})?")
_LONGEST_NAME = 40


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
    texts = [each for each in _texts_in(result.value, _FEW_LEAVES) if each.count(" ") > 1]
    told = (fold(each) for each in texts if find_literal(together.answer.folded, fold(each)) >= 0)
    return any(not together.is_of_another(each, result) for each in told)


def _tells_name(result: ResultView, together: ResultsTogether) -> bool:
    """Say whether the answer has another name of what the result names: "New Zealand" for NZ."""
    answer = together.answer
    texts = [each for each in _texts_in(result.value, _FEW_LEAVES) if len(each) <= _LONGEST_NAME]
    told = (each for each in texts if any(find_name(name, answer.text, answer.folded) for name in other_names(each)))
    return any(not together.is_of_another(fold(each), result) for each in told)


def _is_on_the_way(result: ResultView, together: ResultsTogether) -> bool:
    """Say whether a call only looks up a thing that no user named, as an earlier result did."""
    answer, call = together.answer, result.call
    if call is None or not is_harmless(call.name) or len(answer.results) < _FEWEST:
        return False
    given = list(_texts_in(call.arguments, longer_than=1))
    if not given or any(each in together.said for each in given):
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
    brought = _texts_in(result.value, longer_than=_SHORT)
    later = "\n".join([call.text for call in record.calls if call.turn > result.message.index])
    given = result.call.text
    return any(each in later and each not in given for each in brought)


@cached_on_record
def _turns(record: RecordView) -> Counter[int]:
    """Return how many results the calls of each turn have."""
    return Counter(each.call.turn for each in record.results if each.call is not None)


def has_nothing_to_tell(result: ResultView, answer: Answer) -> bool:
    """Say whether a result has no more than a word of success, and the answer is in another language than its call."""
    if answer.language == "en" or result.call is None or is_harmless(result.call.name):
        return False
    informing = [each for each in leaves(result.value, _FEW_LEAVES) if not isinstance(each, bool)]
    given = list(leaves(result.call.arguments, MOST_LEAVES))
    return all(each in given or (isinstance(each, str) and len(each) <= _SHORT) for each in informing)


_FEW_LEAVES = 20
