"""Which format a record is in: by what it says, line by line."""

from __future__ import annotations

from typing import NamedTuple

from generator.formats import FORMATS
from generator.formats.conversation import calls_of, function_of
from generator.formats.format import Format
from generator.formats.record_losses import IDS, forget
from generator.formats.speakers import entries_of, said
from generator.jsontext import JsonObject, JsonValue

READ: dict[str, Format] = {name: known for name, known in FORMATS.items() if known.load_record is not None}
"""The formats that records are read in, by name."""
WRITTEN: dict[str, Format] = {name: known for name, known in FORMATS.items() if known.dump_record is not None}
"""The formats that records are written in, by name."""
_BY_KEY: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "messages",
        ("adm", "ms-swift", "mistral", "openai-finetune", "openai", "anthropic", "qwen3", "deepfabric"),
    ),
    ("conversations", ("llamafactory", "hermes", "toolace")),
    ("text", ("qwen3-text",)),
    ("contents", ("gemini",)),
    ("question", ("bfcl",)),
    ("query", ("xlam",)),
    ("chat", ("glaive",)),
)
"""The formats whose records hold a key, the most telling first."""
_PLAIN_CONVERSATION = ("hermes",)
"""What reads a conversation without tools and calls."""
_WITH_TEXT_ARGUMENTS = {"openai", "openai-finetune", "mistral"}
_READ_ALIKE = (_WITH_TEXT_ARGUMENTS, {"deepfabric"})
_CANONICAL_ROLES = ("assistant", "tool", "user", "system")


NOTHING: JsonObject = {}
"""Stands for no columns; never changed."""


class Recognised(NamedTuple):
    """A document brought to the canonical record, and the name of its format; "" and why where it is in none."""

    form: str
    document: JsonValue
    problem: str = ""


def read_record(document: JsonValue) -> Recognised:
    """Bring a parsed line to the canonical record, in whichever format it is; never fails.

    A line that several formats claim is refused unless they read the same in it.
    """
    if not isinstance(document, dict):
        return Recognised("", document, "a record is a JSON object")
    names = recognise(document)
    if not names:
        return Recognised("", document, _unknown(document))
    first = names[0]
    loaded = _load(first, document)
    others = [name for name in names[1:] if not _alike(loaded, _load(name, document))]
    if others:
        choices = ", ".join([first, *others])
        return Recognised("", document, f"may be a record of {choices}: say which")
    return Recognised(first, loaded)


def beside(form: str, document: JsonValue) -> JsonObject:
    """Return the columns of a line that its format has no use for, with what they hold."""
    known = FORMATS.get(form)
    if known is None or not isinstance(document, dict) or document.keys() <= known.columns:
        return NOTHING
    return {name: value for name, value in document.items() if name not in known.columns}


def recognise(document: JsonObject) -> tuple[str, ...]:
    """Return the names of the formats that a document may be in, the most telling of each key's formats."""
    found: list[str] = []
    for key, names in _BY_KEY:
        if key in document:
            found += _most_telling(document, names) or _plain(key, document)
    return tuple(found)


def _plain(key: str, document: JsonObject) -> tuple[str, ...]:
    is_plain = key == "conversations" and any(said(entry)[0] for entry in entries_of(document))
    return _PLAIN_CONVERSATION if is_plain else ()


def _most_telling(document: JsonObject, names: tuple[str, ...]) -> list[str]:
    """Return the formats of a key that claim the document, without those that read the same as another."""
    if "deepfabric" in names:
        suspected = _suspected(document)
        names = tuple(name for name in names if name in suspected)
    matching = [name for name in names if (match := READ[name].matches_record) is not None and match(document)]
    if len(matching) > 1 and matching[0] in _READ_ALIKE[0]:
        matching = [name for name in matching if name == matching[0] or name not in _READ_ALIKE[0]]
    return [name for name in matching if name not in _READ_ALIKE[1]] or matching


def _suspected(document: JsonObject) -> set[str]:
    """Return the formats that messages may be in, after one look at each: most records are the canonical ones."""
    suspected = {"deepfabric"}
    if "calls" in document:
        suspected.add("adm")
    if "parallel_tool_calls" in document:
        suspected |= _WITH_TEXT_ARGUMENTS
    if "system" in document or _has_input_schema(document.get("tools")):
        suspected.add("anthropic")
    messages = document["messages"]
    for message in messages if isinstance(messages, list) else ():
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, list):
            suspected.add("anthropic")
        elif isinstance(content, str) and "<tool_" in content:
            suspected.add("qwen3")
        if isinstance(message, dict) and message.get("role") not in _CANONICAL_ROLES:
            suspected.add("ms-swift")
        if isinstance(message, dict) and "tool_calls" in message and any(map(_is_of_openai, calls_of(message))):
            suspected |= _WITH_TEXT_ARGUMENTS
    return suspected


def _is_of_openai(call: JsonObject) -> bool:
    return isinstance(function_of(call).get("arguments"), str) or str(call.get("id")).startswith("call_")


def _has_input_schema(tools: JsonValue) -> bool:
    return isinstance(tools, list) and any(isinstance(tool, dict) and "input_schema" in tool for tool in tools)


def _load(name: str, document: JsonObject) -> JsonObject:
    load = READ[name].load_record
    return document if load is None else load(document)


def _alike(one: JsonObject, other: JsonObject) -> bool:
    return forget(one, (IDS,)) == forget(other, (IDS,))


def _unknown(document: JsonObject) -> str:
    keys = ", ".join(repr(key)[:40] for key in list(document)[:6]) or "nothing"
    return f"is in no format that is known: it has {keys}"
