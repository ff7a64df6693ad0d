"""Fixes of results: ids and the links between calls and results, and the errors that tools return."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator

from generator.ids import draw_call_ids, is_call_id
from generator.jsontext import JsonObject, JsonValue, digest, dump_compact
from generator.random_streams import stream
from generator.schemas.adm.schema import ERROR_TYPES
from generator.validation.fixes.fix import (
    Fix,
    Turn,
    all_calls,
    function_of,
    key_of,
    letters_of,
    messages_of,
    parsed,
    put_after,
    say_the_same,
    turns_of,
)

_PREFIX = "call_"


def _ids_of_nine(record: JsonObject) -> None:
    """Give a new id to every call whose id is not one, or is an earlier call's, and to the results of that call.

    `call_` and nine characters keep the nine. The others are drawn from a stream that the record decides.
    """
    taken = {call["id"] for call in all_calls(record) if is_call_id(call.get("id"))}
    fresh = _fresh_ids(record, taken)
    used: set[str] = set()
    renamed: dict[str, str] = {}
    for turn in turns_of(record):
        old = [key_of(call.get("id")) for call in turn.calls]
        for call in turn.calls:
            if not is_call_id(call.get("id")) or call["id"] in used:
                before, new = call.get("id"), _new_id(call.get("id"), taken, fresh)
                taken.add(new)
                renamed.setdefault(key_of(before), new)
                _keep_told(record, before, new)
                call["id"] = new
            used.add(call["id"])
        _relink(turn, old)
    _relink_late(record, renamed)
    _drop_old(record, renamed)


def _new_id(identity: JsonValue, taken: set[str], fresh: Iterator[str]) -> str:
    bare = identity.removeprefix(_PREFIX) if isinstance(identity, str) else ""
    return bare if is_call_id(bare) and bare not in taken else next(fresh)


def _fresh_ids(record: JsonObject, taken: set[str]) -> Iterator[str]:
    count = sum(1 for _ in all_calls(record))
    draws = stream(0, "mended call ids", digest(record.get("messages")))
    for identity in draw_call_ids(2 * count + len(taken) + 1, draws):
        if identity not in taken:
            yield identity


def _relink(turn: Turn, old: list[str]) -> None:
    """Link the results of a turn again: those that named one old id go to its calls in their order."""
    queues: dict[str, deque[str]] = defaultdict(deque)
    for key, call in zip(old, turn.calls, strict=True):
        queues[key].append(call["id"])
    for result in turn.results:
        queue = queues.get(key_of(result.get("tool_call_id")))
        if queue and key_of(result.get("tool_call_id")):
            result["tool_call_id"] = queue[0]
            if len(queue) > 1:
                queue.popleft()


def _relink_late(record: JsonObject, renamed: dict[str, str]) -> None:
    """Link results that do not stand right behind their call; an id that is still a call's is left alone."""
    ids = _ids(record)
    for message in messages_of(record):
        named = message.get("tool_call_id")
        if message.get("role") == "tool" and not (isinstance(named, str) and named in ids):
            message.update({"tool_call_id": renamed[key]} if (key := key_of(named)) and key in renamed else {})


def _told_by_id(record: JsonObject) -> list[JsonObject]:
    """Return what the metadata tell of calls by their ids, such as statuses."""
    metadata = record.get("metadata")
    return [told for told in metadata.values() if isinstance(told, dict)] if isinstance(metadata, dict) else []


def _keep_told(record: JsonObject, before: JsonValue, new: str) -> None:
    for told in _told_by_id(record):
        if isinstance(before, str) and before in told:
            told[new] = told[before]


def _drop_old(record: JsonObject, renamed: dict[str, str]) -> None:
    ids = _ids(record)
    for told in _told_by_id(record):
        for call_id in [known for known in told if known not in ids and key_of(known) in renamed]:
            del told[call_id]


def _results_linked(record: JsonObject) -> None:
    """Link results without a link, where as many calls of their turn are unanswered: by name, else by place."""
    ids = _ids(record)
    for turn in turns_of(record):
        linked = {key_of(result.get("tool_call_id")) for result in turn.results}
        loose = [result for result in turn.results if not _is_link(result.get("tool_call_id"), ids)]
        open_calls = [call for call in turn.calls if key_of(call.get("id")) not in linked]
        if loose and len(loose) == len(open_calls) and all(is_call_id(call.get("id")) for call in open_calls):
            for result, call in _pairs(loose, open_calls):
                put_after(result, "tool_call_id", call["id"], "role")


def _ids(record: JsonObject) -> set[str]:
    return {call["id"] for call in all_calls(record) if isinstance(call.get("id"), str)}


def _is_link(named: JsonValue, ids: set[str]) -> bool:
    return isinstance(named, str) and named in ids


def _pairs(results: list[JsonObject], calls: list[JsonObject]) -> list[tuple[JsonObject, JsonObject]]:
    """Pair results with calls, named ones first: each with the first open call of its name; none where one is left."""
    by_name: dict[str, deque[int]] = defaultdict(deque)
    for index, call in enumerate(calls):
        by_name[key_of(function_of(call).get("name"))].append(index)
    pairs = []
    for result in [each for each in results if _name_of(each)]:
        fitting = by_name[key_of(_name_of(result))]
        if not fitting:
            return []
        pairs.append((result, calls[fitting.popleft()]))
    rest = sorted(index for indexes in by_name.values() for index in indexes)
    unnamed = [each for each in results if not _name_of(each)]
    return [*pairs, *((result, calls[index]) for result, index in zip(unnamed, rest, strict=True))]


def _name_of(result: JsonObject) -> str:
    name = result.get("name")
    return name if isinstance(name, str) else ""


def _results_in_order(record: JsonObject) -> None:
    messages = record.get("messages")
    for turn in turns_of(record):
        places = {call.get("id"): index for index, call in enumerate(turn.calls) if isinstance(call.get("id"), str)}
        links = [result.get("tool_call_id") for result in turn.results]
        if isinstance(messages, list) and all(isinstance(link, str) and link in places for link in links):
            ordered = sorted(turn.results, key=lambda result: places[result["tool_call_id"]])
            messages[turn.first_result : turn.first_result + len(ordered)] = ordered


def _results_answered_once(record: JsonObject) -> None:
    """Leave out a result that says again, word by word, what an earlier one of its turn says."""
    messages = record.get("messages")
    again: set[int] = set()
    for turn in turns_of(record):
        seen: set[str] = set()
        for index, result in enumerate(turn.results, turn.first_result):
            said = digest(result)
            again.update([index] if said in seen else [])
            seen.add(said)
    if again and isinstance(messages, list):
        record["messages"] = [message for index, message in enumerate(messages) if index not in again]


def _names_of_results(record: JsonObject) -> None:
    names = {call["id"]: function_of(call).get("name") for call in all_calls(record) if isinstance(call.get("id"), str)}
    for message in messages_of(record):
        link, name = message.get("tool_call_id"), message.get("name")
        if message.get("role") == "tool" and isinstance(link, str) and not (isinstance(name, str) and name):
            called = names.get(link)
            if isinstance(called, str) and called:
                put_after(message, "name", called, "tool_call_id")


def _names_as_called(record: JsonObject) -> None:
    names = {call["id"]: function_of(call).get("name") for call in all_calls(record) if isinstance(call.get("id"), str)}
    for message in messages_of(record):
        link = message.get("tool_call_id")
        called = names.get(link) if isinstance(link, str) else None
        if message.get("role") == "tool" and isinstance(called, str) and called and "name" in message:
            message["name"] = called


LINK_FIXES = (
    Fix(
        "ids-of-nine",
        "Gives calls without a compliant or unique id a new one, and their results with them.",
        ("DF005", "DF006"),
        _ids_of_nine,
    ),
    Fix(
        "results-linked",
        "Links results to the unanswered calls of their turn, by name and place, where their numbers agree.",
        ("DF008", "OA007", "TC011"),
        _results_linked,
    ),
    Fix("results-in-order", "Puts the results of a turn into the order of its calls.", ("TC006",), _results_in_order),
    Fix("results-once", "Leaves out a result that is there twice, word by word.", ("TC012",), _results_answered_once),
    Fix("names-of-results", "Gives a tool message the name of the tool it answers for.", ("TC005",), _names_of_results),
    Fix(
        "names-as-called",
        "Gives a tool message the name that its call has.",
        ("ADM101",),
        _names_as_called,
        loses="a name that may tell that the link is wrong",
    ),
)
"""Fixes of ids and links."""


_FIELDS = ("type", "message")


def _change_errors(change: Callable[[JsonObject], JsonObject]) -> Callable[[JsonObject], None]:
    """Make a fix of a change to the error object in a tool message; a text that would lose digits stays."""

    def mend(record: JsonObject) -> None:
        for message in messages_of(record):
            content = message.get("content")
            value: JsonValue = parsed(content) if message.get("role") == "tool" else None
            error = value.get("error") if isinstance(value, dict) and len(value) == 1 else None
            if isinstance(error, dict) and isinstance(content, str) and say_the_same(content, dump_compact(value)):
                changed = change(error)
                if changed != error:
                    message["content"] = dump_compact({"error": changed})

    return mend


def _in_capitals(error: JsonObject) -> JsonObject:
    kind = error.get("type")
    if not isinstance(kind, str) or kind in ERROR_TYPES:
        return error
    alike = next((known for known in ERROR_TYPES if letters_of(known) == letters_of(kind)), None)
    return error if alike is None else {**error, "type": alike}


def _bare(error: JsonObject) -> JsonObject:
    return {key: value for key, value in error.items() if key in _FIELDS}


ERROR_FIXES = (
    Fix(
        "error-types-in-capitals",
        "Writes a standard type of errors as it is written: resourceNotFound becomes RESOURCE_NOT_FOUND.",
        ("ADM108",),
        _change_errors(_in_capitals),
    ),
    Fix(
        "errors-bare",
        "Leaves of an error its type and message.",
        ("ADM112",),
        _change_errors(_bare),
        loses="the details of the error",
    ),
)
"""Fixes of the errors that tools return."""
