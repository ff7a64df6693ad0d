"""What outcomes claim: calls that need what earlier ones brought, fail, fail in part, are mended, or find nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from generator.jsontext import JsonObject, JsonValue
from generator.validation.kinds.turns import KindCheck, UnderWay, called_name, request_of, system_text, wishes
from generator.validation.kinds.values_in_text import (
    is_worded_by_domain,
    leaves,
    leaves_of,
    leaves_of_call,
    properties_of,
    says,
    says_argument,
    tells,
    tells_any,
    tells_any_of,
    words_of,
)
from generator.validation.view import CallView, RecordView, ResultView, as_list, is_beyond_words, is_judged

_TWO_WISHES = re.compile(
    r"\b(?:then|after (?:that|this)|afterwards?|next(?=,)|also|once you|as soon as"
    r"|when (?:that's|that is|you(?:'ve| have))"
    r"|two things|secondly|finally|and (?:what|where|how|which|who|when|is|are|does|do|has|will|can|could))\b",
    re.IGNORECASE,
)
"""Words by which a second wish follows a first one."""
_BACK = re.compile(
    r"\b(?:of them|the (?:[\w-]+ ){1,2}one|the first \w+ (?:listed|on)|(?:at|for|on|to|from|of|in) that(?!\s+\w)"
    r"|from there)\b",
    re.IGNORECASE,
)
"""Words that refer to what another wish brings, which one wish alone has not."""
_SENTENCE_END = re.compile(r"[.?!](?=\s|$)")
_LONG_WORD, _RETOLD = 5, 4
"""Letters of a word that tells one text from another, and how many such words of a text retell it."""
_LOOKING = frozenset(
    "get find search list look lookup fetch show read retrieve query view check by for of from in all any id ids info "
    "information detail details data user current available the a an to with".split()
)
"""Words of tool names that say that something is looked up, and not what."""


def sequential(record: RecordView) -> Iterator[str]:
    """One message asks for two things; the second call needs what the first brought; the answer tells both."""
    yield from _carries_on(record)
    yield from _says_two_wishes(record)
    answer = _answer(record)
    for result in record.results:
        told = _tells_of(answer, result, record.results) or _tells_what_came_of(answer, result, record)
        if not (told or is_judged(record)):
            yield f"tells in the end what {called_name(result)} brought"


def _tells_what_came_of(answer: str, result: ResultView, record: RecordView) -> bool:
    """Say whether a later call has a value of a result, and the answer tells something of it that nobody said.

    Of a list that was looked up for its oldest entry, the answer tells that entry, which the later call brings too.
    """
    said = _all_said(record)
    later = [call for call in record.calls if call.turn > result.message.index]
    if not _carry_any(later, [result], said):
        return False
    parts, folded = leaves_of(result), answer.casefold()
    likely = [leaf for leaf in parts if type(leaf) is str and leaf.casefold() in folded]
    return any(tells_any(answer, leaf) and not tells_any(said, leaf) for leaf in chain(likely, parts))


def nested(record: RecordView) -> Iterator[str]:
    """One message asks for one thing; its call needs what a tool brought that the user does not name."""
    yield from _carries_on(record)
    turns = record.turns_of_calls
    last = {call.name for call in turns[-1].calls} if turns else set()
    yield from _says_one_wish(record, [call for turn in turns[:-1] for call in turn.calls], last)
    told = is_judged(record) or not record.results
    if not (told or _tells_of(_answer(record), record.results[-1], record.results[-1:])):
        yield f"tells in the end what {called_name(record.results[-1])} brought"


def sequential_under_way(record: RecordView, coming: frozenset[str]) -> Iterator[str]:
    """What was said asks for two things, and what was called so far carries something on."""
    yield from _carried_so_far(record)
    yield from _says_two_wishes(record)


def nested_under_way(record: RecordView, coming: frozenset[str]) -> Iterator[str]:
    """What was said asks for one thing and names no tool whose result another call needs."""
    yield from _carried_so_far(record)
    if coming:
        yield from _says_one_wish(record, list(record.calls), set(coming))


def _says_two_wishes(record: RecordView) -> Iterator[str]:
    request = request_of(record)
    two = _TWO_WISHES.search(request) or len(_SENTENCE_END.findall(request.strip())) > 1
    if not two and not is_worded_by_domain(record):
        yield "has a user who says two wishes at once"


def _says_one_wish(record: RecordView, looking: list[CallView], last: set[str]) -> Iterator[str]:
    """Check that the user wishes for what the last calls do, and names none of those that look something up for it."""
    request = request_of(record)
    found = _TWO_WISHES.search(request) or _BACK.search(request)
    if found and not is_worded_by_domain(record):
        yield f"has a user who says one wish alone, without {found[0]!r}"
    for call in looking:
        for word in sorted(_own_words(call, record, last)):
            if says(request, word):
                yield f"has a user who does not name {call.name}, as {word!r} does"


def _carries_on(record: RecordView) -> Iterator[str]:
    """Check what both kinds share: one user turn, calls one after the other, each carrying something on."""
    turns = record.turns_of_calls
    if len(turns) < 2:
        yield "calls at least twice, one call after the result of the other"
    yield from _carried_so_far(record)
    if len(turns) > 1:
        yield from _carries_what_is_claimed(record, turns[-1].calls[0])


def _carried_so_far(record: RecordView) -> Iterator[str]:
    if len(wishes(record)) != 1:
        yield "has one message of the user"
    said = _all_said(record)
    for turn in record.turns_of_calls[1:]:
        if not _carry_any(turn.calls, _brought_before(turn.index, record), said):
            yield "has in every later call a value that an earlier result holds and nobody said"


def _carries_what_is_claimed(record: RecordView, call: CallView) -> Iterator[str]:
    """Check what the metadata claim of the values carried on: which they are, and by what they were chosen."""
    claim, said = record.claim, _all_said(record)
    names = list(map(str, as_list(claim.get("carried"))))
    earlier = _brought_before(call.turn, record)
    for name in names:
        if not _carried(call, name, earlier, said):
            yield f"carries {name} on from an earlier result"
    if names and "chosen" in claim:
        value = (call.arguments or {}).get(names[0])
        if not any(_is_chosen(value, entries, claim) for each in earlier for entries in _lists(each.value)):
            yield f"carries on the entry that the user chose: {claim['chosen']} {claim.get('chosen_by', 'of all')}"


def _all_said(record: RecordView) -> str:
    """Return what the system message and the user say."""
    return f"{system_text(record)}\n{request_of(record)}"


def _brought_before(turn: int, record: RecordView) -> list[ResultView]:
    """Return the results before a message, but for those that failed."""
    return [result for result in record.results if result.message.index < turn and not result.failed]


def _carry_any(calls: Iterable[CallView], earlier: list[ResultView], said: str) -> bool:
    """Say whether any argument of some calls is carried on from earlier results."""
    return any(_carried(call, name, earlier, said) for call in calls for name in call.arguments or ())


def _carried(call: CallView, name: str, earlier: list[ResultView], said: str) -> bool:
    """Say whether an argument stands in an earlier result and neither in what was said nor in the schema."""
    value = (call.arguments or {}).get(name)
    if isinstance(value, dict | list):
        return any(_stands_earlier(leaf, earlier, said) for leaf in leaves(value))
    schema = properties_of(call.tool.parameters).get(name) if call.tool else None
    if isinstance(schema, dict) and value in (schema.get("default"), schema.get("const")):
        return False
    return _stands_earlier(value, earlier, said)


def _stands_earlier(value: JsonValue, earlier: list[ResultView], said: str) -> bool:
    if value is None or isinstance(value, bool):
        return False
    return any(value in leaves_of(result) for result in earlier) and not says(said, value)


def _lists(value: JsonValue) -> Iterator[list[JsonObject]]:
    """Yield the lists of objects of a result, at its root or one key below."""
    for inner in (value, *(value.values() if isinstance(value, dict) else ())):
        if isinstance(inner, list) and inner and all(isinstance(entry, dict) for entry in inner):
            yield inner


def _is_chosen(value: JsonValue, entries: list[JsonObject], claim: JsonObject) -> bool:
    """Say whether the value belongs to the entry that comes first by what the claim says, and to it alone."""
    field, how = claim.get("chosen_by"), claim["chosen"]
    if how == "first":
        return value in entries[0].values()
    if not isinstance(field, str):
        return False
    ranked = [entry[field] for entry in entries if field in entry]
    if len(ranked) < len(entries):
        return False
    try:
        best = max(ranked) if how == "most" else min(ranked)
    except TypeError:
        return False
    return ranked.count(best) == 1 and value in entries[ranked.index(best)].values()


def _answer(record: RecordView) -> str:
    last = record.messages[-1] if record.messages else None
    return last.text if last is not None and last.role == "assistant" else ""


def _own_words(call: CallView, record: RecordView, last: set[str]) -> frozenset[str]:
    """Return the words that name a tool, and neither what it is given, what it brings, nor another tool."""
    tool = record.tools_by_name.get(call.name)
    about = " ".join([*last, *properties_of(tool.parameters if tool else None)])
    brought = " ".join(
        key
        for result in record.results
        if result.call is call and isinstance(result.value, dict)
        for key in result.value
    )
    others = " ".join(
        str(record.tools_by_name[name].function.get("description")) for name in last & record.tools_by_name.keys()
    )
    given = " ".join(str(leaf) for leaf in leaves(call.arguments))
    return words_of(call.name) - words_of(f"{about} {brought} {others} {given}") - _LOOKING


def _tells_of(answer: str, result: ResultView, results: list[ResultView]) -> bool:
    """Say whether an answer tells something of one call that belongs to no other call."""
    others = _leaves_of_others(result, results)
    own = [leaf for leaf in leaves_of_call(result) if leaf not in others]
    if not own or tells_any_of(answer, own):
        return True
    told = words_of(answer)
    return _names_the_deed(told, result, results) or _retells_any(told, own, others)


def _leaves_of_others(result: ResultView, results: list[ResultView]) -> set[JsonValue]:
    """Return the texts and numbers of all calls but one, and of their results."""
    return set(chain.from_iterable([leaves_of_call(other) for other in results if other is not result]))


def _names_the_deed(told: frozenset[str], result: ResultView, results: list[ResultView]) -> bool:
    """Say whether an answer has a word of what one call does that the names of the other calls have not."""
    deed = words_of(called_name(result)).difference(
        *(words_of(called_name(each)) for each in results if each is not result)
    )
    return not {word[:5] for word in deed - _LOOKING}.isdisjoint(word[:5] for word in told)


def _retells_any(told: frozenset[str], own: list[JsonValue], others: set[JsonValue]) -> bool:
    """Say whether an answer gives any long text of one call in its words, which no other call has."""
    long = [leaf for leaf in own if isinstance(leaf, str) and (len(leaf) >= _LONG_WORD * _RETOLD or not leaf.isascii())]
    known = words_of(" ".join(map(str, others))) if long else frozenset()
    return any(_retells(told, leaf, known) for leaf in long)


def _retells(told: frozenset[str], text: str, known: frozenset[str]) -> bool:
    """Say whether an answer gives a long text in its words: several of them that are not known from elsewhere."""
    shared = (words_of(text) - known) & told
    return len([word for word in shared if len(word) >= _LONG_WORD]) >= _RETOLD


UNDER_WAY: dict[str, UnderWay] = {"sequential": sequential_under_way, "nested": nested_under_way}


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
    answer = _outcomes_answer(record)
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
    if {result.failed for result in record.results} != {True, False}:
        yield "makes several calls at once, of which some fail and some succeed"
    answer = _outcomes_answer(record)
    if not (is_beyond_words(record) or _FAILED.search(answer)):
        yield "says in the end what did not work"
    for result in record.results:
        if not result.failed:
            if not _tells_own(answer, result, record.results):
                yield f"tells what {called_name(result)} brought"
        elif not (is_beyond_words(record) or _says_why(answer, result)):
            yield f"tells that {called_name(result)} failed, and why"


def error_recovery(record: RecordView) -> Iterator[str]:
    """A call fails over a value; the next call of the tool has another one that was allowed or named, and succeeds."""
    turns = record.turns_of_calls
    if len(wishes(record)) != 1 or [len(turn.calls) for turn in turns] != [1, 1]:
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
    answer = _outcomes_answer(record)
    if not _tells_own(answer, mended, [mended]):
        yield "tells in the end what the second call brought"


def _mends(record: RecordView, first: CallView, second: CallView, refused: ResultView) -> Iterator[str]:
    """Check that what changed between two calls is what the error is about, and that somebody said the new value."""
    changes = _changes(first, second)
    if not changes:
        yield "changes a value in the second call"
    message, request = _message(refused), request_of(record)
    for name, before, after in changes:
        if not (tells(message, before) or words_of(name) <= words_of(message)):
            yield f"changes what the error is about, not {name}"
        if not (tells(message, after) or says_argument(request, name, second, record)):
            yield f"takes a value for {name} that the user allowed or the error named"
        if not tells(_outcomes_answer(record), after):
            yield f"tells in the end which value it took for {name}"


def _changes(first: CallView, second: CallView) -> list[tuple[str, JsonValue, JsonValue]]:
    """Return the arguments in which two calls differ, each with its value before and after; None for no value."""
    before, after = first.arguments or {}, second.arguments or {}
    arguments = ((name, before.get(name), after.get(name)) for name in {**before, **after})
    return [(name, old, new) for name, old, new in arguments if old != new]


def empty_result(record: RecordView) -> Iterator[str]:
    """A search succeeds and finds nothing; the answer says so, and tells nothing that was not said."""
    yield from _one_turn(record)
    for result in record.results:
        if result.failed or not _is_empty(result):
            yield f"finds nothing: the result of {called_name(result)} is no empty list"
    answer = _outcomes_answer(record)
    if not (is_beyond_words(record) or _NONE.search(answer)) or _SUCCEEDED.search(answer):
        yield "says in the end that nothing was found"
    for figure in _invented_figures(answer, record):
        yield f"invents nothing, such as {figure}"


def _invented_figures(answer: str, record: RecordView) -> Iterator[str]:
    """Yield the figures of an answer that neither the user said nor a call gave."""
    known = "\n".join([request_of(record), *(str(leaf) for call in record.calls for leaf in _figures(call))])
    for figure in _FIGURE.findall(answer):
        if not says(known, figure) and figure not in known:
            yield figure


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
    others = _leaves_of_others(result, results)
    errors = " ".join(_message(other) for other in results)
    own = [leaf for leaf in leaves_of_call(result) if leaf not in others and not tells(errors, leaf)]
    elsewhere = words_of(" ".join([errors, *(called_name(other) for other in results if other is not result)]))
    return not own or tells_any(answer, own) or bool((words_of(called_name(result)) - elsewhere) & words_of(answer))


def _outcomes_answer(record: RecordView) -> str:
    last = record.messages[-1] if record.messages else None
    return last.text if last is not None and last.role == "assistant" and not last.calls else ""


CHECKS: dict[str, KindCheck] = {
    "error_report": error_report,
    "partial_failure": partial_failure,
    "error_recovery": error_recovery,
    "empty_result": empty_result,
    "sequential": sequential,
    "nested": nested,
}
