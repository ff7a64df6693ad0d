"""Records in the Qwen3 format (seeds/002): calls and results as tagged text inside the messages.

Calls stand as `<tool_call>` blocks in the assistant's content, the results of one turn as `<tool_response>`
blocks in one user message, matched by position. The format holds no ids: reading assigns them in order, from
the statuses of the metadata where those fit, else new ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import orjson

from generator.formats.conversation import all_calls, calls_of, fresh_ids, function_of, messages_of
from generator.formats.format import Format
from generator.ids import is_call_id
from generator.jsontext import JsonObject, JsonValue, digest

_CALL_OPENS, _CALL_CLOSES = "<tool_call>", "</tool_call>"
_RESPONSE_OPENS, _RESPONSE_CLOSES = "<tool_response>", "</tool_response>"
_STRICT_RESPONSE = re.compile(r"<tool_response>\n(.*?)\n</tool_response>", re.DOTALL)
_LOOSE_RESPONSE = re.compile(r"<tool_response>(.*?)</tool_response>", re.DOTALL)
_DECODER = json.JSONDecoder()


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document is a record with tagged calls or results in its messages."""
    if not isinstance(document, dict):
        return False
    return any(_is_tagged(message) for message in messages_of(document)) and not any(all_calls(document))


def _is_tagged(message: JsonObject) -> bool:
    content = message.get("content")
    if not isinstance(content, str):
        return False
    return (message.get("role") == "assistant" and _CALL_OPENS in content) or _holds_responses(message)


def _holds_responses(message: JsonObject) -> bool:
    content = message.get("content")
    if message.get("role") != "user" or not isinstance(content, str):
        return False
    return content.startswith(_RESPONSE_OPENS) and content.rstrip().endswith(_RESPONSE_CLOSES)


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record in this format; its ids are lost from the messages, the metadata is kept."""
    messages: list[JsonObject] = []
    responses: list[str] = []
    for message in messages_of(document):
        if message.get("role") == "tool":
            responses.append(f"{_RESPONSE_OPENS}\n{message.get('content', '')}\n{_RESPONSE_CLOSES}")
            continue
        messages.extend(_batch(responses))
        responses = []
        messages.append(_dump_turn(message))
    return {**document, "messages": [*messages, *_batch(responses)]}


def _batch(responses: list[str]) -> Iterator[JsonObject]:
    if responses:
        yield {"role": "user", "content": "\n".join(responses)}


def _dump_turn(message: JsonObject) -> JsonObject:
    if not calls_of(message):
        return message
    text = message.get("content")
    blocks = [_dump_call(function_of(call)) for call in calls_of(message)]
    return {"role": message["role"], "content": "\n".join([text, *blocks] if text else blocks)}


def _dump_call(function: JsonObject) -> str:
    call = {"name": function.get("name"), "arguments": function.get("arguments")}
    return f"{_CALL_OPENS}\n{json.dumps(call, ensure_ascii=False)}\n{_CALL_CLOSES}"


def load_record(document: JsonObject) -> JsonObject:
    """Bring a Qwen3 record to the canonical document.

    A turn whose calls cannot be read stays text, and a result that no call answers to gets no id: the rules
    find both.
    """
    messages: list[JsonValue] = []
    unanswered: list[JsonObject] = []
    ids = iter(_ids(document))
    if not isinstance(document.get("messages"), list):
        return document
    for message in document["messages"]:
        if isinstance(message, dict) and _holds_responses(message):
            messages.extend(_load_responses(message["content"], unanswered))
            unanswered = []
            continue
        turn = _load_turn(message, ids)
        unanswered = calls_of(turn) if isinstance(turn, dict) else []
        messages.append(turn)
    return {**document, "messages": messages}


def _ids(document: JsonObject) -> list[str]:
    """Return an id for every tagged call: those the metadata tells where they fit, else new ones."""
    texts = [message["content"] for message in messages_of(document) if isinstance(message.get("content"), str)]
    count = sum(text.count(_CALL_OPENS) for text in texts)
    metadata = document.get("metadata")
    statuses = metadata.get("statuses") if isinstance(metadata, dict) else None
    told = list(statuses) if isinstance(statuses, dict) else []
    if len(told) == count and all(is_call_id(identity) for identity in told):
        return told
    return fresh_ids(count, (), "qwen3", digest(texts))


def _load_turn(message: JsonValue, ids: Iterator[str]) -> JsonValue:
    content = message.get("content") if isinstance(message, dict) and message.get("role") == "assistant" else None
    if not isinstance(content, str) or _CALL_OPENS not in content:
        return message
    text, _, rest = content.partition(_CALL_OPENS)
    functions = _read_calls(_CALL_OPENS + rest)
    if functions is None:
        return message
    calls = [{"id": next(ids), "type": "function", "function": function} for function in functions]
    return {"role": "assistant", "content": text.removesuffix("\n"), "tool_calls": calls}


def _read_calls(text: str) -> list[JsonObject] | None:
    """Read a text that consists of call blocks alone; None where it does not."""
    functions: list[JsonObject] = []
    position = 0
    while position < len(text):
        read = _read_call(text, position)
        if read is None:
            return None
        functions.append(read[0])
        position = _skip_space(text, read[1])
    return functions


def _read_call(text: str, start: int) -> tuple[JsonObject, int] | None:
    """Read the block at `start`; return its function and where it ends."""
    if not text.startswith(_CALL_OPENS, start):
        return None
    opening = _skip_space(text, start + len(_CALL_OPENS))
    try:
        ending = _DECODER.raw_decode(text, opening)[1]
        function = orjson.loads(text[opening:ending])
    except (ValueError, RecursionError):
        return None
    closing = _skip_space(text, ending)
    if not isinstance(function, dict) or set(function) != {"name", "arguments"}:
        return None
    return (function, closing + len(_CALL_CLOSES)) if text.startswith(_CALL_CLOSES, closing) else None


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _load_responses(content: str, calls: list[JsonObject]) -> Iterator[JsonObject]:
    """Yield a tool message for each block, linked to the call of the same position."""
    for position, text in enumerate(_response_texts(content)):
        if position < len(calls):
            call = calls[position]
            linked = {"tool_call_id": call["id"], "name": function_of(call).get("name")}
            yield {"role": "tool", **linked, "content": text}
        else:
            yield {"role": "tool", "content": text}


def _response_texts(content: str) -> list[str]:
    """Return the text of each block: exactly between the newlines where every block has them, else stripped."""
    strict = _STRICT_RESPONSE.findall(content)
    if len(strict) == content.count(_RESPONSE_OPENS):
        return [str(text) for text in strict]
    return [str(text).strip() for text in _LOOSE_RESPONSE.findall(content)]


FORMAT = Format(
    name="qwen3",
    summary="Qwen3 messages: calls and results as tagged text, matched by position; loses the ids",
    matches_record=matches_record,
    load_record=load_record,
    dump_record=dump_record,
)
