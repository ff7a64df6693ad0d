"""Fixes of the structure of a record: its messages and what they say, its metadata and the order of its turns."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import filterfalse

import orjson

from generator.jsontext import JsonObject, JsonValue, digest, dump_compact, read_exactly
from generator.records import SUCCESS
from generator.schemas.adm import ERROR_TYPES
from generator.schemas.steps import without_control_tokens
from generator.validation.fixes.fix import (
    Fix,
    all_calls,
    calls_of,
    function_of,
    functions_shown,
    messages_of,
    parsed,
    put_after,
    say_the_same,
    turns_of,
)
from generator.validation.grounding.arguments.grounded import explain
from generator.validation.rules import RULES
from generator.validation.view import RecordView

_ROLES = {
    "human": "user",
    "gpt": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "ai": "assistant",
    "function": "tool",
    "observation": "tool",
    "tool_response": "tool",
    "developer": "system",
}
_KNOWN = ("system", "user", "assistant", "tool")
_OPTIONAL = ("tool_calls", "tool_call_id", "name")


def _as_list(holder: JsonObject, key: str) -> None:
    """Read a text of a JSON array or object, and put a single object into an array."""
    value = holder.get(key)
    if isinstance(value, str):
        value = parsed(value)
    if isinstance(value, dict):
        value = [value]
    if isinstance(value, list):
        holder[key] = value


def _lists_from_text(record: JsonObject) -> None:
    for key in ("messages", "tools"):
        _as_list(record, key)
    for message in messages_of(record):
        _as_list(message, "tool_calls")


def _objects_from_text(record: JsonObject) -> None:
    for key in ("messages", "tools"):
        _parse_entries(record.get(key))
    for message in messages_of(record):
        _parse_entries(message.get("tool_calls"))
    if isinstance(parsed(record.get("metadata")), dict):
        record["metadata"] = parsed(record["metadata"])


def _parse_entries(entries: JsonValue) -> None:
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(parsed(entry), dict):
            entries[index] = parsed(entry)


def _nulls_left_out(record: JsonObject) -> None:
    _leave_out_nulls(record, "metadata", "parallel_tool_calls")
    for message in messages_of(record):
        _leave_out_nulls(message, *_OPTIONAL)
    for function in functions_shown(record):
        _leave_out_nulls(function, "strict")


def _leave_out_nulls(holder: JsonObject, *keys: str) -> None:
    for key in keys:
        if key in holder and holder[key] is None:
            del holder[key]


def _empty_calls_left_out(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("tool_calls") == []:
            del message["tool_calls"]


def _roles_by_their_names(record: JsonObject) -> None:
    for message in messages_of(record):
        role = message.get("role")
        if isinstance(role, str) and role not in _KNOWN:
            plain = role.strip().lower()
            message["role"] = _ROLES.get(plain, plain if plain in _KNOWN else role)


def _flags_from_text(record: JsonObject) -> None:
    for holder, key in [
        (record, "parallel_tool_calls"),
        *((function, "strict") for function in functions_shown(record)),
    ]:
        if isinstance(holder.get(key), str) and holder[key].strip().lower() in ("true", "false"):
            holder[key] = holder[key].strip().lower() == "true"


def _no_tools_shown(record: JsonObject) -> None:
    bare = record.get("tools") is None and "functions" not in record and not any(all_calls(record))
    if bare and isinstance(record.get("messages"), list):
        put_after(record, "tools", [], "messages")


def _statuses_of_calls(record: JsonObject) -> None:
    metadata = record.get("metadata")
    statuses = metadata.get("statuses") if isinstance(metadata, dict) else None
    if isinstance(metadata, dict) and isinstance(statuses, dict):
        told = _told_statuses(record)
        ids = dict.fromkeys(call["id"] for call in all_calls(record) if isinstance(call.get("id"), str))
        kept = {call_id: status for call_id, status in statuses.items() if call_id in ids}
        for each in ids:
            if told.get(each):
                kept.setdefault(each, told[each])
        metadata["statuses"] = kept


def _told_statuses(record: JsonObject) -> dict[str, str]:
    """Return the status that each result tells, by the id of its call."""
    return {
        message["tool_call_id"]: _status_of(message.get("content"))
        for message in messages_of(record)
        if message.get("role") == "tool" and isinstance(message.get("tool_call_id"), str)
    }


def _status_of(content: JsonValue) -> str:
    """Return the status that a result tells by itself; "" where its error has no standard type."""
    value = parsed(content)
    error = value.get("error") if isinstance(value, dict) and len(value) == 1 else None
    if not isinstance(error, dict):
        return SUCCESS
    kind = error.get("type")
    return kind if isinstance(kind, str) and kind in ERROR_TYPES else ""


def _grounding_told_again(record: JsonObject) -> None:
    metadata = record.get("metadata")
    if isinstance(metadata, dict) and "grounding" in metadata:
        metadata["grounding"] = explain(record)


def _misplaced_links_left_out(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") in ("system", "user", "assistant"):
            message.pop("tool_call_id", None)


def _parallel_flag_left_out(record: JsonObject) -> None:
    if record.get("parallel_tool_calls") is False and any(len(calls_of(each)) > 1 for each in messages_of(record)):
        del record["parallel_tool_calls"]


def _unknown_keys_left_out(record: JsonObject) -> None:
    for code in ("TC103", "TC104"):
        for finding in list(RULES[code].find(RecordView(record))):
            *path, key = (part.replace("~1", "/").replace("~0", "~") for part in finding.pointer.split("/")[1:])
            holder: JsonValue = record
            for step in path:
                holder = holder[int(step)] if isinstance(holder, list) else holder[step]
            del holder[key]


STRUCTURE_FIXES = (
    Fix(
        "lists-from-text",
        "Reads messages, tools and calls that are JSON text, and puts a single one into an array.",
        ("DF002", "DF003", "OA017"),
        _lists_from_text,
    ),
    Fix(
        "objects-from-text",
        "Reads single messages, tools, calls and metadata that are the text of a JSON object.",
        ("OA002", "OA012", "OA018", "TC111"),
        _objects_from_text,
    ),
    Fix("nulls-left-out", "Leaves out optional keys that are null.", ("TC003", "TC110"), _nulls_left_out),
    Fix(
        "empty-calls-left-out", "Leaves out `tool_calls` where it is empty.", ("TC004", "OA005"), _empty_calls_left_out
    ),
    Fix(
        "roles-by-their-names",
        "Writes roles as system, user, assistant and tool: human, gpt, function, developer and other spellings.",
        ("OA003",),
        _roles_by_their_names,
    ),
    Fix("flags-from-text", 'Reads "true" and "false" as booleans.', ("OA011", "OA026"), _flags_from_text),
    Fix("no-tools-shown", "Says `tools: []` where none is shown and none is called.", ("TC102",), _no_tools_shown),
    Fix(
        "statuses-of-calls",
        "Leaves out statuses of calls that are not there, and gives calls the status that their result tells.",
        ("ADM102", "ADM103"),
        _statuses_of_calls,
    ),
    Fix(
        "grounding-told-again",
        "Tells in the metadata again where the arguments come from.",
        ("TC207",),
        _grounding_told_again,
    ),
    Fix(
        "misplaced-links-left-out",
        "Leaves out `tool_call_id` where the message is no tool's.",
        ("OA006",),
        _misplaced_links_left_out,
        loses="a link that no reader follows",
    ),
    Fix(
        "unknown-keys-left-out",
        "Leaves out keys that a written record does not have.",
        ("TC103", "TC104"),
        _unknown_keys_left_out,
        loses="what stands there",
    ),
    Fix(
        "parallel-flag-left-out",
        "Leaves out `parallel_tool_calls: false` where there are parallel calls.",
        ("OA032",),
        _parallel_flag_left_out,
        loses="what the request allowed",
    ),
)
"""Fixes of the record as a whole."""


_BETWEEN = "\n\n"


def _late_results_moved(record: JsonObject) -> None:
    """Put every result right behind the turn that calls, in the order of the calls."""
    messages = record.get("messages")
    answers = _answers(record)
    if not isinstance(messages, list) or len(answers) < len(list(all_calls(record))):
        return
    ordered: list[JsonValue] = []
    for message in messages:
        if _link(message) not in answers:
            ordered.append(message)
            if isinstance(message, dict) and message.get("role") == "assistant":
                ordered += [answer for call in calls_of(message) for answer in answers[call["id"]]]
    if len(ordered) == len(messages):
        record["messages"] = ordered


def _answers(record: JsonObject) -> dict[str, list[JsonObject]]:
    """Return the results of each call that has an id, by that id."""
    answers: dict[str, list[JsonObject]] = {
        call["id"]: [] for call in all_calls(record) if isinstance(call.get("id"), str)
    }
    for message in messages_of(record):
        link = _link(message)
        if link in answers:
            answers[link].append(message)
    return answers


def _link(message: JsonValue) -> str | None:
    """Return the id of the call that a message is the result of, be it ""; None where it is none."""
    link = message.get("tool_call_id") if isinstance(message, dict) and message.get("role") == "tool" else None
    return link if isinstance(link, str) else None


def _open_ends_cut(record: JsonObject) -> None:
    messages = record.get("messages")
    if isinstance(messages, list):
        answers = [index for index, message in enumerate(messages) if _is_answer(message)]
        del messages[answers[-1] + 1 if answers else len(messages) :]


def _is_answer(message: JsonValue) -> bool:
    return isinstance(message, dict) and message.get("role") == "assistant" and not message.get("tool_calls")


def _instructions_joined(record: JsonObject) -> None:
    messages = record.get("messages")
    told = list(filter(_instructs, messages_of(record)))
    texts = [message["content"] for message in told if isinstance(message.get("content"), str)]
    if isinstance(messages, list) and told and len(texts) == len(told):
        record["messages"] = [{**told[0], "content": _BETWEEN.join(texts)}, *filterfalse(_instructs, messages)]


def _instructs(message: JsonValue) -> bool:
    return isinstance(message, dict) and message.get("role") == "system"


def _turns_joined(record: JsonObject) -> None:
    messages = record.get("messages")
    if not isinstance(messages, list):
        return
    joined: list[JsonValue] = []
    parts: list[list[str]] = []
    for message in messages:
        if joined and _speaks(joined[-1]) and _speaks(message) and joined[-1]["role"] == message["role"]:
            parts[-1].append(message["content"])
        else:
            joined.append(message)
            parts.append([message["content"]] if _speaks(message) else [])
    for message, texts in zip(joined, parts, strict=True):
        if len(texts) > 1:
            message["content"] = _BETWEEN.join(texts)
    record["messages"] = joined


def _speaks(message: JsonValue) -> bool:
    if not isinstance(message, dict) or message.get("role") not in ("user", "assistant"):
        return False
    return isinstance(message.get("content"), str) and not message.get("tool_calls")


def _repeated_calls_left_out(record: JsonObject) -> None:
    """Leave out a call that an earlier one of its turn makes with the same arguments, and what answers it."""
    gone = _repeated_calls(record)
    messages = record.get("messages")
    if not gone or not isinstance(messages, list):
        return
    record["messages"] = [message for message in messages if _link(message) not in gone]
    for message in messages_of(record):
        if isinstance(message.get("tool_calls"), list):
            kept = [call for call in message["tool_calls"] if not (isinstance(call, dict) and call.get("id") in gone)]
            message["tool_calls"] = kept


def _repeated_calls(record: JsonObject) -> set[str]:
    """Return the ids of the calls that say again what an earlier one of their turn says."""
    repeated: set[str] = set()
    for turn in turns_of(record):
        seen: set[str] = set()
        for call in turn.calls:
            function = function_of(call)
            key = digest([function.get("name"), function.get("arguments")])
            if key in seen and isinstance(call.get("id"), str):
                repeated.add(call["id"])
            seen.add(key)
    return repeated


TURN_FIXES = (
    Fix(
        "late-results-moved",
        "Moves results right behind the turn that calls.",
        ("OA009", "OA010"),
        _late_results_moved,
        loses="the order in which it was said",
    ),
    Fix(
        "instructions-joined",
        "Joins the system messages into one, the first.",
        ("TC007",),
        _instructions_joined,
        loses="where in the conversation an instruction was given",
    ),
    Fix(
        "turns-joined",
        "Joins messages of one speaker that follow each other.",
        ("TC008",),
        _turns_joined,
        loses="where one message ended",
    ),
    Fix(
        "repeated-calls-left-out",
        "Leaves out a call that its turn makes twice, with its result.",
        ("TC013",),
        _repeated_calls_left_out,
        loses="a call that may have been meant twice",
    ),
    Fix(
        "open-ends-cut",
        "Cuts what follows the last answer.",
        ("TC010",),
        _open_ends_cut,
        loses="the messages behind it",
    ),
)
"""Fixes of the order of a conversation."""


_ENDINGS = (
    *(f"<|{word}|>" for word in ("im_end", "endoftext", "eot_id", "eom_id", "end", "end_of_text", "return", "call")),
    "</s>",
    "<end_of_turn>",
    "<eos>",
    "<\uff5cend\u2581of\u2581sentence\uff5c>",
)
"""Tokens that end a turn, in the templates of several families."""
_EMPTY_THOUGHT = re.compile(r"\A\s*<think>\s*</think>\s*")
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
_SPOKEN = ("system", "user", "assistant")


def _content_of_calls(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") == "assistant" and calls_of(message) and message.get("content") is None:
            put_after(message, "content", "", "role")


def _content_from_parts(record: JsonObject) -> None:
    for message in messages_of(record):
        content = message.get("content")
        if message.get("role") in (*_SPOKEN, "tool") and isinstance(content, list) and content:
            texts = [part.get("text") if _is_text_part(part) else part for part in content]
            if all(isinstance(text, str) for text in texts) and any(map(_is_text_part, content)):
                message["content"] = "".join(texts)


def _is_text_part(part: JsonValue) -> bool:
    return isinstance(part, dict) and part.get("type") == "text" and part.keys() <= {"type", "text", "cache_control"}


def _results_as_text(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") == "tool" and "content" in message and not isinstance(message["content"], str):
            message["content"] = _written(message["content"])


def _written(value: JsonValue) -> JsonValue:
    try:
        return dump_compact(value)
    except TypeError:
        return value


def _numbers_as_text(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") in _SPOKEN and isinstance(message.get("content"), bool | int | float):
            message["content"] = _written(message["content"])


def _results_compact(record: JsonObject) -> None:
    for message in messages_of(record):
        content = message.get("content")
        if message.get("role") == "tool" and isinstance(content, str):
            message["content"] = _compact(content)


def _compact(text: str) -> str:
    """Write a JSON text without white space; the text itself where that would change a number or a repeated key."""
    try:
        written = dump_compact(read_exactly(text))
    except (ValueError, TypeError):
        return text
    return written if written != text and say_the_same(text, written) else text


def _endings_cut(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") in _SPOKEN and isinstance(message.get("content"), str):
            message["content"] = _without_ending(message["content"])


def _without_ending(text: str) -> str:
    """Cut tokens that end a turn, and the white space about them, from the end of a text."""
    cut = False
    end = _end_of_words(text, len(text))
    while token := next((token for token in _ENDINGS if text.endswith(token, 0, end)), ""):
        cut = True
        end = _end_of_words(text, end - len(token))
    return text[:end] if cut else text


def _end_of_words(text: str, end: int) -> int:
    """Return where the white space begins that ends at `end`."""
    while end and text[end - 1].isspace():
        end -= 1
    return end


def _cut_from_answers(pattern: re.Pattern[str]) -> Callable[[JsonObject], None]:
    """Make the mend that takes what a pattern finds out of all that the assistant says."""

    def mend(record: JsonObject) -> None:
        for message in messages_of(record):
            if message.get("role") == "assistant" and isinstance(message.get("content"), str):
                message["content"] = pattern.sub("", message["content"])

    return mend


def _tokens_as_words(record: JsonObject) -> None:
    for message in messages_of(record):
        if isinstance(message.get("content"), str):
            message["content"] = without_control_tokens(message["content"])
        for call in calls_of(message):
            function = call.get("function")
            if isinstance(function, dict) and isinstance(function.get("arguments"), dict):
                function["arguments"] = _as_words(function["arguments"])


def _as_words(value: JsonValue) -> JsonValue:
    """Reduce control tokens to words in every text of a value; its keys stay."""
    if isinstance(value, str):
        return without_control_tokens(value)
    if isinstance(value, dict):
        return {key: _as_words(part) for key, part in value.items()}
    return [_as_words(part) for part in value] if isinstance(value, list) else value


def _text_beside_calls_cut(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") == "assistant" and calls_of(message) and isinstance(message.get("content"), str):
            message["content"] = ""


def _content_empty(record: JsonObject) -> None:
    for message in messages_of(record):
        if message.get("role") in (*_SPOKEN, "tool") and message.get("content") is None:
            put_after(message, "content", "", "role")


def _plain_results_as_json(record: JsonObject) -> None:
    for message in messages_of(record):
        content = message.get("content")
        if message.get("role") == "tool" and isinstance(content, str) and not _is_json(content):
            message["content"] = dump_compact(content)


def _is_json(text: str) -> bool:
    try:
        orjson.loads(text)
    except ValueError:
        return False
    return True


FIXES = (
    Fix("content-of-calls", 'Gives a turn of calls the content "".', ("TC001", "OA004"), _content_of_calls),
    Fix(
        "content-from-parts",
        "Joins content that is a list of text parts.",
        ("OA004", "DF009"),
        _content_from_parts,
    ),
    Fix("results-as-text", "Writes what a tool returned as compact JSON.", ("DF009", "OA008"), _results_as_text),
    Fix("numbers-as-text", "Writes content that is a number or a boolean as text.", ("OA004",), _numbers_as_text),
    Fix("endings-cut", "Cuts the end-of-turn tokens that close a text.", ("Q3001", "TC014"), _endings_cut),
    Fix(
        "empty-thoughts-cut",
        "Cuts an empty thought from the start of an answer.",
        ("Q3003",),
        _cut_from_answers(_EMPTY_THOUGHT),
    ),
    Fix("results-compact", "Takes the white space out of the JSON that a tool returned.", ("TC016",), _results_compact),
    Fix(
        "thoughts-cut",
        "Cuts a thought from the start of an answer.",
        ("Q3003",),
        _cut_from_answers(_THOUGHT),
        loses="the thought",
    ),
    Fix(
        "tokens-as-words",
        "Reduces control tokens to their words, <|im_end|> to im_end, and takes control characters out.",
        ("Q3001", "Q3002", "Q3003", "TC014", "TC019"),
        _tokens_as_words,
        loses="the exact text",
    ),
    Fix(
        "text-beside-calls-cut",
        "Empties the content of a turn of calls.",
        ("TC002",),
        _text_beside_calls_cut,
        loses="what the assistant says before it calls",
    ),
    Fix(
        "content-empty",
        'Gives a message without content the content "".',
        ("OA004", "OA008"),
        _content_empty,
        loses="the sign that a text is missing here",
    ),
    Fix(
        "plain-results-as-json",
        "Writes a result that is plain text as a JSON string.",
        ("DF010",),
        _plain_results_as_json,
        loses="the text as the tool wrote it: it gets quotes",
    ),
)
"""Fixes of what messages say."""
