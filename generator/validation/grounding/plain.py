"""Plain records: most repeat every value to the letter, and a short look finds that out.

What is plain here keeps every rule of grounding; what is not may keep them as well, and is looked at in full.
"""

from __future__ import annotations

import re
from collections import Counter

from generator.jsontext import JsonObject, JsonValue
from generator.validation.call_view import CallView
from generator.validation.grounding.days import MONTH_LETTERS
from generator.validation.grounding.places import declared_at
from generator.validation.grounding.words import find_literal, find_number
from generator.validation.tool_view import FITTING
from generator.validation.view import MessageView, RecordView, ResultView

_MONTHS = frozenset(letters.capitalize() for letters in MONTH_LETTERS)
_DIGIT = re.compile(r"\d")
_AROUND = "\"'“”‘’()[]*|.,;!?"
_ENDS = frozenset(".!?:\"“”‘’'*•–—|-")
_HALVES = frozenset({"am", "pm", "a.m", "p.m"})
_LONGEST = 2000


def has_plain_arguments(record: RecordView) -> bool:
    """Say whether every argument is a string or a number that an earlier text holds, each number once."""
    heard: list[str] = []
    numbers: set[float] = set()
    for message in record.messages:
        if message.calls:
            text = "\n".join(heard)
            if len(message.calls) > 1 and _may_be_mixed_up(message.calls):
                return False
            for call in message.calls:
                if not _is_plain(call, text, numbers):
                    return False
        elif message.role != "assistant" and isinstance(message.content, str):
            heard.append(message.content)
    return True


def _may_be_mixed_up(calls: tuple[CallView, ...]) -> bool:
    """Say whether a value of one call may stand in another's place, or a call be there twice."""
    if len({(call.name, call.text) for call in calls}) < len(calls):
        return True
    return sum(len(call.arguments or ()) > 1 for call in calls) > 1


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
            if value in numbers or not _stands_apart(str(value), text):
                return False
            numbers.add(value)
        else:
            return False
    return True


def _stands_apart(digits: str, text: str) -> bool:
    """Say whether a text holds a number, and not as a part of a time of day."""
    at = find_number(text, digits)
    return at >= 0 and text[at + len(digits) : at + len(digits) + 1] != ":" and text[at - 1 : at] != ":"


def has_plain_answers(record: RecordView) -> bool:
    """Say whether the answers repeat texts to the letter: their numbers, their names, a leaf of each call."""
    results_at = {result.message.index: result for result in record.results}
    heard: list[str] = []
    results: list[ResultView] = []
    for message in record.messages:
        if message.role == "assistant":
            if not message.calls:
                if not _repeats(message, "\n".join(heard), results):
                    return False
                results = []
        elif isinstance(message.content, str):
            heard.append(message.content)
            if message.role == "user":
                results = []
            elif message.index in results_at:
                results.append(results_at[message.index])
    return True


def _repeats(message: MessageView, heard: str, results: list[ResultView]) -> bool:
    answer = message.content
    if not isinstance(answer, str) or len(answer) > _LONGEST or any(result.failed for result in results):
        return False
    if not _holds_what_stands_out(answer, heard):
        return False
    return not results or _tells_all(answer, results)


def _holds_what_stands_out(answer: str, heard: str) -> bool:
    """Say whether the texts before hold each word of the answer with a digit, and each name within a sentence."""
    last = "."
    for word in answer.split():
        if not word.isalpha() and _DIGIT.search(word):
            if not _is_held(word, heard):
                return False
        elif word[0].isupper() and (word[:3] in _MONTHS or (last not in _ENDS and not _is_held(word, heard))):
            return False
        if last.isdigit() and word.rstrip(".,;").lower() in _HALVES:
            return False
        last = word[-1]
    return True


def _is_held(word: str, heard: str) -> bool:
    word = word.strip(_AROUND)
    return (find_number if word.replace(".", "").isdigit() else find_literal)(heard, word) >= 0


def _tells_all(answer: str, results: list[ResultView]) -> bool:
    if len(results) == 1:
        return any(leaf in answer for leaf in _leaves_of(results[0]))
    leaves = [_leaves_of(result) for result in results]
    holding = Counter(leaf for own in leaves for leaf in own)
    return all(any(holding[leaf] == 1 and leaf in answer for leaf in own) for own in leaves)


def _leaves_of(result: ResultView) -> set[str]:
    arguments: JsonObject = (result.call.arguments if result.call is not None else None) or {}
    values: list[JsonValue] = [*arguments.values()][:40]
    values += [*result.value.values()][:40] if isinstance(result.value, dict) else [result.value]
    return {str(value) for value in values if type(value) in (str, int, float) and value != ""}
