"""Plain records: most repeat every value to the letter, and a short look finds that out.

What is plain here keeps every rule of grounding; what is not may keep them as well, and is looked at in full.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.accounts import misplaced
from generator.validation.grounding.answers import Answer
from generator.validation.grounding.arguments import explanation, said_before_calls
from generator.validation.grounding.figures import counts_something, figure_of, holds_figure, length_around
from generator.validation.grounding.invented import is_near, lengths
from generator.validation.grounding.leaves import Grounded, Leaf, leaves_of, pointer_of
from generator.validation.grounding.places import Path, declared_at
from generator.validation.grounding.sources import Grounding, Said
from generator.validation.grounding.texts import ground_literal_text
from generator.validation.view import CallView, RecordView, ResultView

_DIGIT = re.compile(r"\d")
_AROUND = "\"'“”‘’()[]*|.,;:!?"
_LONGEST = 2000
_TOLD = frozenset({str, int, float})
_NUMBERS = frozenset({int, float})
_LONGEST_COUNT = 6


def has_plain_arguments(record: RecordView) -> bool:
    """Say whether every argument is explained, each in its own place, as the metadata say if they say it."""
    if record.has_plain_arguments is None:
        record.has_plain_arguments = _are_explained(record)
    return record.has_plain_arguments


_UNTOLD: JsonObject = {}
"""Stands for entries of the metadata where there are none."""
_MOST_LEAVES = 500


def _are_explained(record: RecordView) -> bool:
    """Say whether each argument is explained, and as the metadata tell where they tell it."""
    told = record.metadata.get("grounding", _UNTOLD)
    calls = record.calls
    if not calls:
        return bool(told == _UNTOLD)
    if type(told) is not dict or len(record.calls_by_id) < len(calls) or (told and len(told) > len(calls)):
        return False
    explaining = _Explaining(record)
    telling = 0
    for turn, said in said_before_calls(record):
        for call in record.messages[turn].calls:
            found = explaining.entries_of(call, said)
            if found is None or (told is not _UNTOLD and told.get(call.id, _UNTOLD) != found):
                return False
            telling += bool(found)
    return (told is _UNTOLD or telling == len(told)) and not explaining.misplaces()


class _Explaining:
    """Explains the arguments of a record call by call."""

    def __init__(self, record: RecordView) -> None:
        self._record = record
        self._left = _MOST_LEAVES
        self._explained: list[tuple[CallView, Path, JsonValue, Grounding]] = []
        self._numbers: set[float] = set()
        self._is_doubtful = False
        """Whether a number is given twice, or is said in a word that may count anything."""

    def entries_of(self, call: CallView, said: Said) -> JsonObject | None:
        """Return what explains each argument of a call, as the metadata tell it; None where something is not plain."""
        found: JsonObject = {}
        for path, value, is_key in _leaves(call):
            self._left -= 1
            if is_key or self._left < 0:
                return None
            if type(value) is str:
                grounding = ground_literal_text(value, said) or self._in_full(Leaf(path, value), call, said)
            else:
                grounding = self._in_full(Leaf(path, value), call, said)
                if type(value) in _NUMBERS and grounding is not None:
                    self._count(abs(float(value)), grounding)
            if grounding is None:
                return None
            self._explained.append((call, path, value, grounding))
            found[pointer_of(path)] = {"rung": grounding[0], "where": grounding[1], "text": grounding[2]}
        return found

    def _in_full(self, leaf: Leaf, call: CallView, said: Said) -> Grounding | None:
        index = next((at for at, tool in enumerate(self._record.tools) if tool is call.tool), 0)
        return explanation(leaf, call, index, said, self._record, literally=False)

    def _count(self, number: float, grounding: Grounding) -> None:
        if number in self._numbers or grounding.text.isalpha():
            self._is_doubtful = True
        self._numbers.add(number)

    def misplaces(self) -> bool:
        """Say whether anything that is explained stands in another's place."""
        if not self._is_doubtful and not _are_at_once(self._record.calls):
            return False
        grounded = [Grounded(call, Leaf(path, value), found) for call, path, value, found in self._explained]
        return next(misplaced(self._record, grounded), None) is not None


def _are_at_once(calls: list[CallView]) -> bool:
    """Say whether calls are several and of one turn, so that one may be there twice."""
    return len(calls) > 1 and calls[0].turn == calls[-1].turn


_HOLDERS = frozenset({dict, list})


def _leaves(call: CallView) -> Iterable[tuple[Path, JsonValue, bool]]:
    """Return the leaves of the arguments of a call; most lie side by side."""
    arguments = call.arguments or {}
    if not _HOLDERS.isdisjoint(map(type, arguments.values())):
        return leaves_of(call)
    if call.tool is not None and not arguments.keys() <= declared_at(call.tool, ()):
        return leaves_of(call)
    return [((name,), value, False) for name, value in arguments.items() if value != ""]


def has_plain_figures(answer: Answer) -> bool:
    """Say whether an answer repeats to the letter what it tells in figures: numbers, dates and times."""
    if answer.has_plain_figures is None:
        answer.has_plain_figures = _holds_figures(answer)
    return answer.has_plain_figures


def _holds_figures(answer: Answer) -> bool:
    if not _DIGIT.search(answer.text):
        return True
    if len(answer.text) > _LONGEST:
        return False
    heard, words = answer.heard, answer.text.split()
    for at, word in enumerate(words):
        if word.isalpha() or not _DIGIT.search(word) or holds_figure(words, at, heard):
            continue
        if not _holds_otherwise(words, at, answer):
            return False
    return True


def _holds_otherwise(words: list[str], at: int, answer: Answer) -> bool:
    """Say whether a number is a count, or stands in the evidence rounded, without its sign, or in minutes."""
    if not counts_something(words, at):
        return False
    count = words[at].strip(_AROUND)
    if count.isdecimal() and len(words[at]) < _LONGEST_COUNT and _is_length(int(count), answer.results):
        return True
    if len(answer.evidence_as_said) > _FEW_NUMBERS:
        return False
    minutes = length_around(words, at)
    if minutes is not None:
        return minutes in answer.numbers
    figure = figure_of(words[at])
    return bool(figure) and is_near(figure, answer)


_FEW_NUMBERS = 4000
"""Characters that hold no more numbers than an answer keeps of what was said before it."""


def tells_of_each_call(record: RecordView) -> bool:
    """Say whether each answer repeats a value of each call before it, and none of these failed."""
    results_at = {result.message.index: result for result in record.results}
    results: list[ResultView] = []
    for message in record.messages:
        if message.role == "user":
            results = []
        elif message.role == "tool":
            if not isinstance(message.content, str):
                return False
            results.append(results_at[message.index])
        elif message.role == "assistant" and not message.calls:
            if results and not _tells_of(message.content, results):
                return False
            results = []
    return True


def _tells_of(answer: JsonValue, results: list[ResultView]) -> bool:
    if not isinstance(answer, str) or len(answer) > _LONGEST or any(result.failed for result in results):
        return False
    return _tells_all(answer, results)


def _is_length(number: int, results: list[ResultView]) -> bool:
    """Say whether a number is that of the entries of a list in the results."""
    return any(number == length for result in results[:32] for length in lengths(result.value))


def has_things_to_mix_up(record: RecordView) -> bool:
    """Say whether there are several results of one tool, or several entries in a list of one."""
    tools: set[str] = set()
    for result in record.results:
        value = result.value
        if result.call is not None and isinstance(value, dict):
            if result.call.name in tools or any(type(inner) is list and len(inner) > 1 for inner in value.values()):
                return True
            tools.add(result.call.name)
    return False


def _tells_all(answer: str, results: list[ResultView]) -> bool:
    if len(results) == 1:
        return any(str(value) in answer for value in _values_of(results[0]))
    leaves = [{str(value) for value in _values_of(result)} for result in results]
    holding = Counter(leaf for own in leaves for leaf in own)
    return all(any(holding[leaf] == 1 and leaf in answer for leaf in own) for own in leaves)


def _values_of(result: ResultView) -> Iterator[JsonValue]:
    """Yield the texts and numbers of a result at its first level, then what its call was given."""
    arguments: JsonObject = (result.call.arguments if result.call is not None else None) or {}
    brought = islice(result.value.values(), 40) if isinstance(result.value, dict) else (result.value,)
    for value in chain(brought, islice(arguments.values(), 40)):
        if type(value) in _TOLD and value != "":
            yield value
