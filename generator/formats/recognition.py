"""Which format a record is in: by what it says, line by line."""

from __future__ import annotations

from typing import NamedTuple

from generator.formats import FORMATS
from generator.formats.call_notations import is_marked
from generator.formats.canonical_shape import find_misshapen
from generator.formats.conversation import all_calls, calls_of, function_of, messages_of, rewrite_messages
from generator.formats.embedded_json import parse_json
from generator.formats.format import Format
from generator.formats.record_losses import IDS, forget
from generator.formats.shown_tools import read_foreign
from generator.formats.speakers import entries_of, said, system_of
from generator.jsontext import JsonObject, JsonValue

READ: dict[str, Format] = {name: known for name, known in FORMATS.items() if known.load_record is not None}
"""The formats that records are read in, by name."""
WRITTEN: dict[str, Format] = {name: known for name, known in FORMATS.items() if known.dump_record is not None}
"""The formats that records are written in, by name."""
_CONVERSATIONS = ("llamafactory", "hermes", "toolace", "react", "marked")
_BY_KEY: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "messages",
        (
            "adm", "ms-swift", "tau", "openai-functions", "mistral", "openai-finetune", "openai", "anthropic", "qwen3",
            "hermes", "toolace", "react", "marked", "deepfabric",
        ),
    ),
    ("conversations", _CONVERSATIONS),
    ("conversation", _CONVERSATIONS),
    ("text", ("qwen3-text",)),
    ("contents", ("gemini",)),
    ("question", ("acebench", "bfcl")),
    ("query", ("xlam",)),
    ("chat", ("glaive",)),
    ("sample", ("glaive",)),
    ("api", ("toolalpaca",)),
    ("traj", ("tau",)),
    ("instruction", ("api-bank", "alpaca")),
    ("prompt", ("prompt-completion",)),
    ("chosen", ("prompt-completion",)),
    ("input", ("openai-responses",)),
    ("responses_create_params", ("openai-responses",)),
)  # fmt: skip
"""The formats whose records hold a key, the most telling first."""
_ALONE = frozenset({"tau", "openai-functions", "api-bank"})
"""Formats that leave no doubt where they claim a record."""
_LAST = frozenset({"marked", "react"})
"""Formats that stand back where another makes as much of a record."""
_IN_TEXT = ("messages", "conversations", "conversation", "traj")
"""Columns that some data sets write as the text of their JSON."""
_TOOLS = ("functions", "function", "available_tools", "tool_definitions", "tool_list")
"""Columns that hold the tools where there is no column `tools`."""
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

    Of several formats that claim a line the one is taken that makes more sense of it than any other; where none does,
    the line is refused.
    """
    if not isinstance(document, dict):
        return Recognised("", document, "a record is a JSON object")
    opened = _opened(document)
    readings = _readings(opened)
    if not readings:
        return Recognised("", document, _unknown(document))
    if len(readings) > 1:
        readings.sort(key=_sense, reverse=True)
        first, second = map(_sense, readings[:2])
        if first == second or not first.is_whole:
            choices = ", ".join(name for name, _ in readings)
            return Recognised("", document, f"may be a record of {choices}: say which")
    return Recognised(*readings[0])


def _opened(document: JsonObject) -> JsonObject:
    """Return the document with the columns read that are texts of JSON."""
    texts = [name for name in _IN_TEXT if isinstance(document.get(name), str) and document[name][:1] == "["]
    return {**document, **{name: parse_json(document[name]) for name in texts}} if texts else document


def _readings(document: JsonObject) -> list[tuple[str, JsonObject]]:
    """Return what each format that claims a document makes of it, without those that read the same as another."""
    readings: list[tuple[str, JsonObject]] = []
    for name in recognise(document):
        loaded = read_in(name, document)
        if not any(_alike(loaded, other) for _, other in readings):
            readings.append((name, loaded))
    return readings


class _Sense(NamedTuple):
    """How much sense a reading makes of a line; the more telling first."""

    is_whole: bool
    """Whether it has the shape of a record, and no mark of a call is left in it."""
    calls: int
    results: int
    shows_tools: bool
    stands_first: bool


def _sense(reading: tuple[str, JsonObject]) -> _Sense:
    name, loaded = reading
    calls = sum(1 for _ in all_calls(loaded))
    results = sum(message.get("role") == "tool" for message in messages_of(loaded))
    said_by_assistant = [
        message.get("content") for message in messages_of(loaded) if message.get("role") == "assistant"
    ]
    is_left = any(isinstance(content, str) and is_marked(content) for content in said_by_assistant)
    is_whole = not is_left and find_misshapen({"tools": [], **loaded}) is None
    return _Sense(is_whole, calls, results, bool(loaded.get("tools")), name not in _LAST)


def read_in(name: str, document: JsonObject) -> JsonObject:
    """Bring a document to the canonical one in the format of this name; parts of text are joined."""
    load = READ[name].load_record
    loaded = document if load is None else load(_opened(document))
    if not loaded.get("tools") and "tools" not in document:
        other = next((document[column] for column in _TOOLS if column in document), None)
        loaded = {**loaded, "tools": read_foreign(other)} if other else loaded
    return rewrite_messages(loaded, _joined) if any(map(_has_parts, messages_of(loaded))) else loaded


def _has_parts(message: JsonObject) -> bool:
    return isinstance(message.get("content"), list)


def _joined(message: JsonObject) -> JsonObject:
    """Return a message whose parts are all text with the whole text; other parts stay, for the rules to find."""
    parts = message.get("content")
    texts = [part.get("text") if isinstance(part, dict) else None for part in parts] if isinstance(parts, list) else []
    if not texts or not all(isinstance(text, str) for text in texts):
        return message
    return {**message, "content": "\n".join(text for text in texts if isinstance(text, str))}


def beside(form: str, document: JsonValue) -> JsonObject:
    """Return the columns of a line that its format has no use for, with what they hold."""
    known = FORMATS.get(form)
    if known is None or not isinstance(document, dict) or document.keys() <= known.columns:
        return NOTHING
    other_tools = () if "tools" in document else _TOOLS
    return {name: value for name, value in document.items() if name not in known.columns and name not in other_tools}


def recognise(document: JsonObject) -> tuple[str, ...]:
    """Return the names of the formats that a document may be in, the most telling of each key's formats."""
    found: list[str] = []
    for key, names in _BY_KEY:
        if key in document:
            found += _most_telling(document, names) or _plain(key, document)
    return tuple(dict.fromkeys(found))


def _plain(key: str, document: JsonObject) -> tuple[str, ...]:
    is_plain = key in ("conversations", "conversation") and any(said(entry)[0] for entry in entries_of(document))
    return _PLAIN_CONVERSATION if is_plain else ()


def _most_telling(document: JsonObject, names: tuple[str, ...]) -> list[str]:
    """Return the formats of a key that claim the document, without those that read the same as another."""
    if "deepfabric" in names:
        suspected = _suspected(document)
        names = tuple(name for name in names if name in suspected)
    matching = [name for name in names if (match := READ[name].matches_record) is not None and match(document)]
    if alone := [name for name in matching if name in _ALONE]:
        return alone[:1]
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
        if isinstance(message, dict):
            _suspect(message, suspected)
    if not document.get("tools") and _lists_tools(document):
        suspected |= {"hermes", "toolace"}
    return suspected


def _suspect(message: JsonObject, suspected: set[str]) -> None:
    """Add the formats that a message looks like one of."""
    content, role = message.get("content"), message.get("role")
    if isinstance(content, list):
        suspected.add("anthropic")
    elif isinstance(content, str) and "<tool_" in content:
        suspected |= {"qwen3", "hermes", "marked"}
    elif isinstance(content, str) and role == "assistant":
        if is_marked(content):
            suspected.add("marked")
        if "Action Input:" in content:
            suspected.add("react")
    if role not in _CANONICAL_ROLES:
        suspected.add("ms-swift")
    if role == "function" or "function_call" in message:
        suspected.add("openai-functions")
    if "requestor" in message:
        suspected.add("tau")
    if "tool_calls" in message:
        calls = calls_of(message)
        if any(map(_is_of_openai, calls)):
            suspected |= _WITH_TEXT_ARGUMENTS
        if any("requestor" in call for call in calls):
            suspected.add("tau")


def _lists_tools(document: JsonObject) -> bool:
    system = system_of(document)
    return "<tools>" in system or '"parameters"' in system


def _is_of_openai(call: JsonObject) -> bool:
    return isinstance(function_of(call).get("arguments"), str) or str(call.get("id")).startswith("call_")


def _has_input_schema(tools: JsonValue) -> bool:
    return isinstance(tools, list) and any(isinstance(tool, dict) and "input_schema" in tool for tool in tools)


def _alike(one: JsonObject, other: JsonObject) -> bool:
    return forget(one, (IDS,)) == forget(other, (IDS,))


def _unknown(document: JsonObject) -> str:
    keys = ", ".join(repr(key)[:40] for key in list(document)[:6]) or "nothing"
    return f"is in no format that is known: it has {keys}"
