"""Plain records: most repeat every value to the letter, and a short look finds that out.

What is plain here keeps every rule of grounding; what is not may keep them as well, and is looked at in full.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.call_view import CallView
from generator.validation.grounding.arguments import said_before_calls
from generator.validation.grounding.figures import counts_something, holds_figure
from generator.validation.grounding.invented import lengths
from generator.validation.grounding.leaves import entry_of
from generator.validation.grounding.not_names import NOT_NAMES
from generator.validation.grounding.numbers import ground_literal_number
from generator.validation.grounding.places import declared_at
from generator.validation.grounding.texts import ground_literal_text
from generator.validation.grounding.words import find_literal, find_lone_number
from generator.validation.tool_view import FITTING
from generator.validation.view import RecordView, ResultView

_DIGIT = re.compile(r"\d")
_AROUND = "\"'“”‘’()[]*|.,;:!?"
_ENDS = frozenset(".!?:\"“”‘’'*•–—|-")
_LONGEST = 2000
_TOLD = frozenset({str, int, float})


def has_plain_arguments(record: RecordView) -> bool:
    """Say whether every argument stands in an earlier text to the letter, as the metadata say if they say it."""
    if record.has_plain_arguments is None:
        record.has_plain_arguments = _are_repeated(record) and _is_told_so(record)
    return record.has_plain_arguments


def _is_told_so(record: RecordView) -> bool:
    """Say whether the metadata tell of each argument, if of any, that it stands where it is first found."""
    if "grounding" not in record.metadata:
        return True
    found: JsonObject = {}
    for turn, said in said_before_calls(record):
        for call in record.messages[turn].calls:
            for name, value in (call.arguments or {}).items():
                literal = ground_literal_text(value, said) if type(value) is str else ground_literal_number(value, said)
                if value != "":
                    if literal is None or not isinstance(call.id, str):
                        return False
                    found.setdefault(call.id, {})[pointer((name,))] = entry_of(literal)
    return bool(record.metadata["grounding"] == found)


def _are_repeated(record: RecordView) -> bool:
    """Say whether every argument is a string or a number that an earlier text holds, each number once."""
    heard: list[str] = []
    numbers: set[float] = set()
    for message in record.messages:
        if message.calls:
            text = "\n".join(heard)
            if len(message.calls) > 1 and _one_is_repeated(message.calls):
                return False
            for call in message.calls:
                if not _is_plain(call, text, numbers):
                    return False
        elif message.role != "assistant" and isinstance(message.content, str):
            heard.append(message.content)
    return True


def _one_is_repeated(calls: tuple[CallView, ...]) -> bool:
    """Say whether a call is there twice."""
    return len({(call.name, call.text) for call in calls}) < len(calls)


def _is_plain(call: CallView, text: str, numbers: set[float]) -> bool:
    arguments = call.arguments
    if arguments is None or call.tool is None or call.judgement is not FITTING:
        return False
    if not arguments.keys() <= declared_at(call.tool, ()):
        return False
    for value in arguments.values():
        if type(value) is str:
            if value and find_literal(text, value) < 0:
                return False
        elif type(value) is int:
            if value in numbers or find_lone_number(text, str(value)) < 0:
                return False
            numbers.add(value)
        else:
            return False
    return True


def has_plain_answers(record: RecordView) -> bool:
    """Say whether the answers repeat texts to the letter: their numbers, their dates and times, their names."""
    if record.has_plain_answers is None:
        record.has_plain_answers = _repeat_what_stands_out(record)
    return record.has_plain_answers


def _repeat_what_stands_out(record: RecordView) -> bool:
    heard: list[str] = []
    results_at = {result.message.index: result for result in record.results}
    results: list[ResultView] = []
    for message in record.messages:
        content = message.content
        if message.role != "assistant":
            if message.role == "user":
                results = []
            elif message.index in results_at:
                results.append(results_at[message.index])
            if isinstance(content, str):
                heard.append(content)
        elif not message.calls:
            is_read = isinstance(content, str) and len(content) <= _LONGEST
            if not is_read or not _holds_what_stands_out(content, "\n".join(heard), results):
                return False
            results = []
    return True


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


def _holds_what_stands_out(answer: str, heard: str, results: list[ResultView]) -> bool:
    """Say whether the texts before hold each word of the answer with a digit, and each name within a sentence."""
    last = "."
    words = answer.split()
    for at, word in enumerate(words):
        if not word.isalpha() and _DIGIT.search(word):
            if not (holds_figure(words, at, heard) or (counts_something(words, at) and _is_length(word, results))):
                return False
        elif word[0].isupper() and last not in _ENDS:
            name = word.strip(_AROUND)
            if name.lower() not in NOT_NAMES and find_literal(heard, name) < 0:
                return False
        last = word[-1]
    return True


def _is_length(word: str, results: list[ResultView]) -> bool:
    """Say whether a number is that of the entries of a list in the results."""
    number = int(word.strip(_AROUND))
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
