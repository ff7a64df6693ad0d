"""The canonical record (seeds/000) and the forms in which Hugging Face's libraries take it: deepfabric, trl, hf.

`trl` is the columns that TRL's trainers read; Axolotl's `chat_template` data sets and verl's have the same shape.

Rows of the `hf` format hold each message, tool and metadata as a cell of JSON. Guessed schemas fill every record with
the null fields of all others, or fail; cells of the feature `Json` do not. That reader rounds some numbers wrongly, so
such a number is spelled another way, of the same value, that it reads right.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from generator.formats.conversation import (
    all_calls,
    calls_of,
    function_of,
    linked_names,
    messages_of,
    rewrite_calls,
    rewrite_messages,
    with_object_arguments,
    with_text_arguments,
)
from generator.formats.definitions import wrapped
from generator.formats.format import Format
from generator.formats.losses import METADATA
from generator.jsontext import JsonObject, JsonValue


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document is a record whose calls, if any, hold no arguments as text."""
    if not isinstance(document, dict) or not isinstance(document.get("messages"), list):
        return False
    return not any(isinstance(function_of(call).get("arguments"), str) for call in all_calls(document))


def load_record(document: JsonObject) -> JsonObject:
    """Bring a DeepFabric record to the canonical choices.

    A turn of calls whose `content` is missing or null gets "" (seeds/000 omits it, seeds/003 allows null), a
    tool message without `name` the name of the call it answers, and tools written as JSON text become a list.
    Nothing else is touched.
    """
    if isinstance(document.get("tools"), str):
        document = {**document, "tools": wrapped(document["tools"])}
    if not any(map(_has_gap, messages_of(document))):
        return document
    names = linked_names(document)

    def canonical(message: JsonObject) -> JsonObject:
        if not _has_gap(message):
            return message
        if message["role"] == "assistant":
            return _with_content(message)
        return _with_name(message, names[_answers(message)]) if _answers(message) in names else message

    return rewrite_messages(document, canonical)


def _has_gap(message: JsonObject) -> bool:
    if message.get("role") == "tool":
        return "name" not in message
    return message.get("content") is None and message.get("role") == "assistant" and bool(calls_of(message))


def _with_content(message: JsonObject) -> JsonObject:
    rest = {key: value for key, value in message.items() if key not in ("role", "content")}
    return {"role": message["role"], "content": "", **rest}


def _with_name(message: JsonObject, name: str) -> JsonObject:
    rest = {key: value for key, value in message.items() if key != "content"}
    return {**rest, "name": name, **{key: message[key] for key in ("content",) if key in message}}


def _answers(message: JsonObject) -> str:
    identity = message.get("tool_call_id")
    return identity if isinstance(identity, str) else ""


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record: it is in this format already."""
    return document


FORMAT = Format(
    name="deepfabric",
    summary="DeepFabric: the canonical record, arguments as objects, ids of nine letters and digits",
    matches_record=matches_record,
    keys=("messages",),
    in_text=("messages",),
    standing="otherwise",
    load_record=load_record,
    dump_record=dump_record,
    recognised_by="`messages`, arguments as objects or no calls at all",
)


def dump_columns(document: JsonObject) -> JsonObject:
    """Write the two columns of a canonical record."""
    return {"messages": document["messages"], "tools": document.get("tools", [])}


def dump_columns_as_text(document: JsonObject) -> JsonObject:
    """Write the two columns with arguments as JSON text, for chat templates that join them to text."""
    written = rewrite_messages(document, lambda message: rewrite_calls(message, with_text_arguments))
    return dump_columns(written)


def load_columns(document: JsonObject) -> JsonObject:
    """Bring a record of two columns to the canonical choices, its arguments objects or JSON text."""
    return load_record(rewrite_messages(document, lambda message: rewrite_calls(message, with_object_arguments)))


AS_OBJECTS, AS_TEXT = "objects", "text"
TRL = Format(
    name="trl",
    summary="TRL, Axolotl, verl: the columns messages and tools, arguments as objects",
    load_record=load_columns,
    dump_record=dump_columns,
    variants={AS_OBJECTS: dump_columns, AS_TEXT: dump_columns_as_text},
    recognised_by="read as `deepfabric`",
    losses=(METADATA,),
)


HF = "hf"
FEATURES: JsonObject = {
    "messages": {"feature": {"_type": "Json"}, "_type": "List"},
    "tools": {"feature": {"_type": "Json"}, "_type": "List"},
    "metadata": {"_type": "Json"},
}
"""The columns as `datasets` declares them: `Features({"messages": List(Json()), ...})`."""


def dump_row(document: JsonObject) -> JsonObject:
    """Return the row of a canonical record."""
    return {name: document[name] for name in FEATURES if name in document}


def cell(value: JsonValue) -> str:
    """Write a value as JSON that `datasets` reads as the same value.

    Raises:
        ImportError: `datasets` is not installed.
    """
    from datasets.utils.json import ujson_loads

    text = orjson.dumps(value).decode()
    return text if ujson_loads(text) == value else orjson.dumps(_respelled(value, ujson_loads)).decode()


def _respelled(value: JsonValue, read: Any) -> JsonValue:
    if isinstance(value, dict):
        return {key: _respelled(inner, read) for key, inner in value.items()}
    if isinstance(value, list):
        return [_respelled(inner, read) for inner in value]
    return _respelled_number(value, read) if isinstance(value, float) else value


def _respelled_number(value: float, read: Any) -> JsonValue:
    if _reads_right(repr(value), value, read):
        return value
    right = (text for text in _spellings(value) if float(text) == value and _reads_right(text, value, read))
    spelled = next(right, None)
    return value if spelled is None else orjson.Fragment(spelled)


def _reads_right(text: str, value: float, read: Any) -> bool:
    try:
        return bool(read(text) == value)
    except ValueError:
        return False


def _spellings(value: float) -> Iterator[str]:
    """Yield other ways to write a number: with more digits, with another exponent."""
    from decimal import Decimal

    for digits in range(1, 18):
        yield f"{value:.{digits}f}"
    for shift in range(20):
        scaled = Decimal(value).scaleb(shift)
        if abs(scaled) < 2**63:
            yield f"{int(scaled.to_integral_value())}e-{shift}"
    for digits in range(10, 18):
        yield f"{value:.{digits}e}"


ROWS = Format(
    name=HF,
    summary="Hugging Face: a folder of Parquet with declared features, splits and a card",
    recognised_by="the folder, which `toolgen` and `datasets.load_dataset(FOLDER)` read",
    tools_column="",
)
