"""What outcomes claim: calls that fail, fail in part, are mended, or find nothing, and are told so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.validation.kinds.turns import KindCheck, called_name, request_of, wishes
from generator.validation.kinds.values_in_text import (
    leaves,
    leaves_of_call,
    properties_of,
    says,
    says_argument,
    tells,
    tells_any,
    words_of,
)
from generator.validation.view import CallView, RecordView, ResultView, is_beyond_words

_FAILED = re.compile(
    r"\b(?:couldn't|could not|can't|cannot|unable|(?:wasn't|was not|not) able|(?:didn't|did not) (?:go|work)"
    r"|fail(?:s|ed)?|failure|error|no luck|problem|unfortunately|sorry|afraid|refused|declined|denied|went wrong"
    r"|(?:wasn't|was not) (?:possible|found)|isn't (?:known|possible|available)|not found|unavailable|none of"
    r"|nothing (?:for|was found))\b",
    re.IGNORECASE,
)
_WHAT_CAN_BE_DONE = re.compile(
    r"\?|\b(?:try|trying|again|later|check|double-check|confirm|ask|wait|once|administrator|access|settings|please"
    r"|let me know|change|different|another|would have to|needs? to)\b",
    re.IGNORECASE,
)
_SUCCEEDED = re.compile(r"\b(?:done!|all set|that's done|successfully|i've (?!tried|had no))", re.IGNORECASE)
_NONE = re.compile(
    r"\b(?:no|none|nothing|any|zero|0|empty|not a single|without (?:a )?results?|neither|didn't find|did not find)\b",
    re.IGNORECASE,
)
_COMMON = frozenset(
    "the this that for with was were are has have had not and but from into your you please try again later "
    "could check".split()
)
"""Words of errors that are said of every failure."""
_DIGITS = re.compile(r"\d+")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_BEYOND_VALUES = frozenset(("SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED", "PERMISSION_DENIED", "CONFIGURATION_ERROR"))
"""Errors that another value does not mend."""


def error_report(record: RecordView) -> Iterator[str]:
    """All calls of the one turn fail; the answer says so, says why, and what can be done."""
    yield from _one_turn(record)
    answer = _answer(record)
    for result in record.results:
        if not result.failed:
            yield f"has calls that fail, as {called_name(result)} does not"
        elif not (is_beyond_words(record) or _says_why(answer, result)):
            yield f"says why {called_name(result)} failed"
    if not (is_beyond_words(record) or _FAILED.search(answer)):
        yield "says in the end that it did not work"
    if _SUCCEEDED.search(answer):
        yield "does not speak of success"
    if not (is_beyond_words(record) or _WHAT_CAN_BE_DONE.search(answer)):
        yield "says what can be done"


def partial_failure(record: RecordView) -> Iterator[str]:
    """Of the calls of the one turn some fail and some succeed; the answer tells each."""
    yield from _one_turn(record)
    failed = [result for result in record.results if result.failed]
    if len(record.results) < 2 or not failed or len(failed) == len(record.results):
        yield "makes several calls at once, of which some fail and some succeed"
    answer = _answer(record)
    if not (is_beyond_words(record) or _FAILED.search(answer)):
        yield "says in the end what did not work"
    for result in record.results:
        if result.failed and not (is_beyond_words(record) or _says_why(answer, result)):
            yield f"tells that {called_name(result)} failed, and why"
        if not result.failed and not _tells_own(answer, result, record.results):
            yield f"tells what {called_name(result)} brought"


def error_recovery(record: RecordView) -> Iterator[str]:
    """A call fails over a value; the next call of the tool has another one that was allowed or named, and succeeds."""
    turns = record.turns_of_calls
    if len(wishes(record)) != 1 or len(turns) != 2 or any(len(turn.calls) != 1 for turn in turns):
        yield "has one message of the user and two calls, one after the other"
        return
    first, second = record.calls
    if first.name != second.name or len(record.results) != 2:
        yield "calls the same tool again"
        return
    refused, mended = record.results
    if not refused.failed or mended.failed:
        yield "has a first call that fails and a second one that succeeds"
    if refused.status in _BEYOND_VALUES:
        yield f"fails over a value, not because of {refused.status}"
    yield from _mends(record, first, second, refused)
    answer = _answer(record)
    if not _tells_own(answer, mended, [mended]):
        yield "tells in the end what the second call brought"


def _mends(record: RecordView, first: CallView, second: CallView, refused: ResultView) -> Iterator[str]:
    """Check that what changed between two calls is what the error is about, and that somebody said the new value."""
    before, after = first.arguments or {}, second.arguments or {}
    changed = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    if not changed:
        yield "changes a value in the second call"
    message, request = _message(refused), "\n".join(turn.text for turn in wishes(record))
    for name in changed:
        if not (tells(message, before.get(name)) or words_of(name) <= words_of(message)):
            yield f"changes what the error is about, not {name}"
        if not (tells(message, after.get(name)) or says_argument(request, name, second, record)):
            yield f"takes a value for {name} that the user allowed or the error named"
        if not tells(_answer(record), after.get(name)):
            yield f"tells in the end which value it took for {name}"


def empty_result(record: RecordView) -> Iterator[str]:
    """A search succeeds and finds nothing; the answer says so, and tells nothing that was not said."""
    yield from _one_turn(record)
    for result in record.results:
        if result.failed or not _is_empty(result):
            yield f"finds nothing: the result of {called_name(result)} is no empty list"
    answer = _answer(record)
    if not (is_beyond_words(record) or _NONE.search(answer)) or _SUCCEEDED.search(answer):
        yield "says in the end that nothing was found"
    request = request_of(record)
    known = "\n".join([request, *(str(leaf) for call in record.calls for leaf in _figures(call))])
    for figure in _FIGURE.findall(answer):
        if not says(known, figure) and figure not in known:
            yield f"invents nothing, such as {figure}"


def _figures(call: CallView) -> Iterator[JsonValue]:
    """Yield what was asked for, with its numbers as an answer may write them: 05 as 5, 14 hours as 2."""
    for leaf in leaves(call.arguments):
        yield leaf
        for figure in _DIGITS.findall(str(leaf)):
            number = int(figure[:18])
            yield f"{number:,} {number} {number % 12}"


def _one_turn(record: RecordView) -> Iterator[str]:
    if len(wishes(record)) != 1 or len(record.turns_of_calls) != 1:
        yield "has one message of the user and one turn of calls"


def _is_empty(result: ResultView) -> bool:
    """Say whether a result is an empty list or holds one, and no other list and no entry at all."""
    value = result.value
    if isinstance(value, list):
        return not value
    if not isinstance(value, dict):
        return value is None
    lists = [inner for inner in value.values() if isinstance(inner, list | dict)]
    return bool(lists) and not any(lists) and _echoes(value, result.call)


def _echoes(value: dict[str, JsonValue], call: CallView | None) -> bool:
    """Say whether all that stands beside the empty list was asked for, or counts the nothing that was found."""
    given = leaves(call.arguments) if call else []
    asked = properties_of(call.tool.parameters) if call and call.tool else {}
    plain = {name: inner for name, inner in value.items() if not isinstance(inner, list | dict)}
    return all(inner in given or name in asked or inner in (0, None, False) for name, inner in plain.items())


def _says_why(answer: str, result: ResultView) -> bool:
    """Say whether an answer gives the reason: a third of the words of the error's message that are its own."""
    words = {word for word in words_of(_message(result)) if len(word) > 2} - _COMMON
    own = words - words_of(
        " ".join([called_name(result), *map(str, leaves(result.call.arguments if result.call else None))])
    )
    return not own or 3 * len(own & words_of(answer)) >= len(own)


def _message(result: ResultView) -> str:
    message = (result.error or {}).get("message")
    return message if isinstance(message, str) else ""


def _tells_own(answer: str, result: ResultView, results: list[ResultView]) -> bool:
    """Say whether an answer tells something of a call that belongs to no other call, nor to their errors."""
    others = [leaf for other in results if other is not result for leaf in leaves_of_call(other)]
    errors = " ".join(_message(other) for other in results)
    own = [leaf for leaf in leaves_of_call(result) if leaf not in others and not tells(errors, leaf)]
    elsewhere = words_of(" ".join([errors, *(called_name(other) for other in results if other is not result)]))
    return not own or tells_any(answer, own) or bool((words_of(called_name(result)) - elsewhere) & words_of(answer))


def _answer(record: RecordView) -> str:
    last = record.messages[-1] if record.messages else None
    return last.text if last is not None and last.role == "assistant" and not last.calls else ""


CHECKS: dict[str, KindCheck] = {
    "error_report": error_report,
    "partial_failure": partial_failure,
    "error_recovery": error_recovery,
    "empty_result": empty_result,
}
