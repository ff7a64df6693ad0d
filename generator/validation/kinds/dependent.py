"""What dependent calls claim: a later call has a value that the result of an earlier one holds, and nobody said."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
    tells_any,
    tells_any_of,
    words_of,
)
from generator.validation.view import CallView, RecordView, ResultView, is_judged

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
    said = f"{system_text(record)}\n{request_of(record)}"
    later = [call for call in record.calls if call.turn > result.message.index]
    if not any(_carried(call, name, [result], said) for call in later for name in call.arguments or ()):
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
    said = f"{system_text(record)}\n{request_of(record)}"
    yield from _claimed(record, turns[-1].calls if len(turns) > 1 else (), said)


def _carried_so_far(record: RecordView) -> Iterator[str]:
    if len(wishes(record)) != 1:
        yield "has one message of the user"
    turns = record.turns_of_calls
    said = f"{system_text(record)}\n{request_of(record)}"
    for turn in turns[1:]:
        earlier = [result for result in record.results if result.message.index < turn.index and not result.failed]
        if not any(_carried(call, name, earlier, said) for call in turn.calls for name in call.arguments or ()):
            yield "has in every later call a value that an earlier result holds and nobody said"


def _claimed(record: RecordView, calls: tuple[CallView, ...], said: str) -> Iterator[str]:
    """Check what the metadata claim of the values carried on: which they are, and by what they were chosen."""
    claim = record.claim
    names = claim.get("carried")
    for call in calls[:1]:
        earlier = [result for result in record.results if result.message.index < call.turn and not result.failed]
        for name in names if isinstance(names, list) else ():
            if not _carried(call, name, earlier, said):
                yield f"carries {name} on from an earlier result"
        if isinstance(names, list) and names and "chosen" in claim:
            value = (call.arguments or {}).get(names[0])
            if not any(_is_chosen(value, entries, claim) for each in earlier for entries in _lists(each.value)):
                yield f"carries on the entry that the user chose: {claim['chosen']} {claim.get('chosen_by', 'of all')}"


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
    others = set(chain.from_iterable([leaves_of_call(other) for other in results if other is not result]))
    own = [leaf for leaf in leaves_of_call(result) if leaf not in others]
    if not own or tells_any_of(answer, own):
        return True
    deed = words_of(called_name(result)).difference(
        *(words_of(called_name(each)) for each in results if each is not result)
    )
    told = words_of(answer)
    if {word[:5] for word in deed - _LOOKING} & {word[:5] for word in told}:
        return True
    long = [leaf for leaf in own if isinstance(leaf, str) and (len(leaf) >= _LONG_WORD * _RETOLD or not leaf.isascii())]
    known = words_of(" ".join(map(str, others))) if long else frozenset()
    return any(_retells(told, leaf, known) for leaf in long)


def _retells(told: frozenset[str], text: str, known: frozenset[str]) -> bool:
    """Say whether an answer gives a long text in its words: several of them that are not known from elsewhere."""
    shared = (words_of(text) - known) & told
    return len([word for word in shared if len(word) >= _LONG_WORD]) >= _RETOLD


UNDER_WAY: dict[str, UnderWay] = {"sequential": sequential_under_way, "nested": nested_under_way}
CHECKS: dict[str, KindCheck] = {"sequential": sequential, "nested": nested}
