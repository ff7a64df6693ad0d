"""Outcomes: whether an answer tells an error."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.validation.grounding.answers import Answer
from generator.validation.grounding.reading.languages import Phrases, phrases
from generator.validation.grounding.reading.words import STOPWORDS, fold, stem, tokens_of
from generator.validation.grounding.result_words import forms_of_text, tool_words, words_of
from generator.validation.view import ResultView


def untold_errors(answer: Answer) -> Iterator[ResultView]:
    """Yield the results of the turn that are errors, were not mended by a later call, and are not told as errors."""
    failed = [result for result in answer.results if result.failed]
    if failed and answer.language:
        words = frozenset(map(stem, tokens_of(answer.folded)))
        yield from (each for each in tells_each_failure(answer, failed) if not _repeats(each, words))


def tells_each_failure(answer: Answer, failed: list[ResultView]) -> list[ResultView]:
    """Return the failed results that no later call made good and that the answer does not tell as failed."""
    failed = _unmended(answer, failed)
    if not failed or not _failure(answer).found_in(answer.folded, answer.words):
        return failed
    return [] if len(answer.results) == 1 else _untold_among(failed, answer)


def _failure(answer: Answer) -> Phrases:
    return phrases(answer.language, "outcomes", "failure")


def _untold_among(failed: list[ResultView], answer: Answer) -> list[ResultView]:
    """Return the failed results among several of which no sentence of failure speaks."""
    sentences = _SENTENCE.split(answer.folded)
    failing = [at for at, sentence in enumerate(sentences) if _failure(answer).found_in(sentence)]
    return [result for result in failed if not _tells_failure(result, answer, sentences, failing)]


_SENTENCE = re.compile(r"(?<=[.!?\n])\s+|\n|[。！？；]")
_FOR_ALL = re.compile(
    r"\b(?:none|nothing|neither|all|both|any|everything|each|every|the (?:others?|second|latter|last|rest))\b"
)


def _tells_failure(result: ResultView, answer: Answer, sentences: list[str], failing: list[int]) -> bool:
    """Say whether a sentence of failure, or one beside it, speaks of this call among several."""
    if len(failing) >= len(answer.results) or any(_FOR_ALL.search(sentences[at]) for at in failing):
        return True
    own = words_of(result) | tool_words(result)
    return any(own & forms_of_text(" ".join(sentences[max(0, at - 1) : at + 2])) for at in failing)


def _unmended(answer: Answer, failed: list[ResultView]) -> list[ResultView]:
    """Return the failed results; where a later call of the same tool succeeded, the error was overcome."""
    unmended: list[ResultView] = []
    succeeded: dict[str, set[int | None]] = {}
    """By tool, the turns of the calls that succeeded later; None for a result without a call."""
    for result in reversed(answer.results):
        turns = succeeded.setdefault(str(result.message.entry.get("name")), set())
        turn = result.call.turn if result.call is not None else None
        if not any(result is each for each in failed):
            turns.add(turn)
        elif not (turns - {turn} or (turn is None and turns)):
            unmended.append(result)
    return unmended[::-1]


def _repeats(result: ResultView, words: frozenset[str]) -> bool:
    """Say whether the answer gives the error's own message in its words."""
    message = (result.error or {}).get("message")
    if not isinstance(message, str):
        return False
    tokens = [stem(token) for token in tokens_of(fold(message)) if token not in STOPWORDS]
    return bool(tokens) and sum(token in words for token in tokens) * 2 >= len(tokens)
