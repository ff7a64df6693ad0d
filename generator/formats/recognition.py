"""Which format a record is in, by what it says, line by line; and the records of a line that holds several."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from generator.formats import FORMATS
from generator.formats.call_notations import is_marked
from generator.formats.conversation import (
    all_calls,
    calls_of,
    find_misshapen,
    function_of,
    messages_of,
    rewrite_messages,
)
from generator.formats.definitions import read_foreign
from generator.formats.format import Format, Sign
from generator.formats.literals import parse_json
from generator.formats.losses import IDS, forget
from generator.formats.speakers import system_of
from generator.jsontext import JsonObject, JsonValue

READ: dict[str, Format] = {name: known for name, known in FORMATS.items() if known.load_record is not None}
"""The formats that records are read in, by name."""
WRITTEN: dict[str, Format] = {name: known for name, known in FORMATS.items() if known.dump_record is not None}
"""The formats that records are written in, by name."""


def _by_key() -> dict[str, tuple[Format, ...]]:
    """Return the formats whose records hold a key, in their order; the keys in that of the formats."""
    claiming = [known for known in READ.values() if known.matches_record is not None]
    keys = dict.fromkeys(key for known in claiming for key in known.keys)
    return {key: tuple(known for known in claiming if key in known.keys) for key in keys}


_BY_KEY = _by_key()
_IN_TEXT = tuple(dict.fromkeys(name for known in READ.values() for name in known.in_text))
_TOOLS = ("functions", "function", "available_tools", "tool_definitions", "tool_list")
"""Columns that hold the tools where there is no column `tools`."""
_MESSAGES = "messages"
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
    return _Sense(is_whole, calls, results, bool(loaded.get("tools")), READ[name].standing != "modest")


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
    for key, formats in _BY_KEY.items():
        if key in document:
            found += _most_telling(document, key, formats) or _plain(document, key, formats)
    return tuple(dict.fromkeys(found))


def _plain(document: JsonObject, key: str, formats: tuple[Format, ...]) -> list[str]:
    return [known.name for known in formats if known.takes_plain and known.takes_plain(document, key)]


def _most_telling(document: JsonObject, key: str, formats: tuple[Format, ...]) -> list[str]:
    """Return the formats of a key that claim the document, without those that read the same as another."""
    if key == _MESSAGES:
        formats = _suspected(frozenset(_signs(document)))
    claiming = [known for known in formats if known.matches_record is not None and known.matches_record(document)]
    certain = [known.name for known in claiming if known.standing == "certain"]
    return certain[:1] or _told_apart(claiming)


def _told_apart(claiming: list[Format]) -> list[str]:
    """Return the names of some formats, without those that read the same as one before them."""
    apart: dict[str, Format] = {}
    for known in claiming:
        apart.setdefault(known.reads_as or known.name, known)
    telling = [known.name for known in apart.values() if known.standing != "otherwise"]
    return telling or [known.name for known in apart.values()]


@cache
def _suspected(signs: frozenset[Sign]) -> tuple[Format, ...]:
    """Return the formats of messages that show these signs."""
    return tuple(known for known in _BY_KEY[_MESSAGES] if not known.signs or not known.signs.isdisjoint(signs))


def _signs(document: JsonObject) -> set[Sign]:
    """Return what one look at each message tells of the formats that a record may be in: most are the canonical one."""
    signs: set[Sign] = set()
    if "calls" in document:
        signs.add("calls beside")
    if "parallel_tool_calls" in document:
        signs.add("parallel_tool_calls")
    if "system" in document:
        signs.add("system beside")
    if _has_input_schema(document.get("tools")):
        signs.add("input schema")
    messages = document[_MESSAGES]
    for message in messages if isinstance(messages, list) else ():
        if isinstance(message, dict):
            _add_signs_of_text(message, signs)
            _add_signs_of_calls(message, signs)
    if not document.get("tools") and _lists_tools(document):
        signs.add("listed tools")
    return signs


def _add_signs_of_text(message: JsonObject, signs: set[Sign]) -> None:
    content, role = message.get("content"), message.get("role")
    if isinstance(content, list):
        signs.add("parts")
    elif isinstance(content, str) and "<tool_" in content:
        signs.add("tags")
    elif isinstance(content, str) and role == "assistant":
        if is_marked(content):
            signs.add("marks")
        if "Action Input:" in content:
            signs.add("action input")
    if role not in _CANONICAL_ROLES:
        signs.add("other roles")


def _add_signs_of_calls(message: JsonObject, signs: set[Sign]) -> None:
    if message.get("role") == "function" or "function_call" in message:
        signs.add("function role")
    if "requestor" in message:
        signs.add("requestor")
    if "tool_calls" in message:
        calls = calls_of(message)
        if any(map(_is_of_openai, calls)):
            signs.add("text arguments")
        if any("requestor" in call for call in calls):
            signs.add("requestor")


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


Unfold = Callable[[JsonObject], list[JsonObject]]
_UNFOLDED: dict[str, Unfold] = {
    key: known.unfold for known in FORMATS.values() if known.unfold is not None for key in known.unfolded_keys
}
"""What makes the records of a line, by a key that such a line has."""


def unfolding_of(document: JsonValue) -> Unfold | None:
    """Return what makes the records of such a line, or None where the line is a record or nothing known."""
    if not isinstance(document, dict):
        return None
    for key, unfold in _UNFOLDED.items():
        if key in document:
            return unfold
    if _fixtures(document):
        return _fixtures
    if recognise(document):
        return None
    if _rows(document):
        return _rows
    return _contained if _container(document) else None


FIXTURES_HEADER, FIXTURES = "toolgen", "records"
"""The keys of a file of fixtures: how it was made, and its records."""


def _fixtures(document: JsonObject) -> list[JsonObject]:
    """Return the records of a file of fixtures, without its header."""
    held = document.get(FIXTURES) if isinstance(document.get(FIXTURES_HEADER), dict) else None
    return held if isinstance(held, list) and all(isinstance(each, dict) for each in held) else []


def _rows(document: JsonObject) -> list[JsonObject]:
    """Return the rows of a page of a data set's viewer."""
    rows = document.get("rows")
    found = [row.get("row") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [row for row in found if isinstance(row, dict)] if found and len(found) == len(rows or ()) else []


def _contained(document: JsonObject) -> list[JsonObject]:
    """Return the records that one column holds, each with what the file says of all of them."""
    name = _container(document)
    return [{**_shared(document, name, record), **record} for record in document[name]]


def _shared(document: JsonObject, name: str, record: JsonObject) -> JsonObject:
    """Return the columns beside the records; large ones but tools are named, with nothing in them."""
    others = {key: value for key, value in document.items() if key != name and key not in record}
    kept = {
        key: value if key == "tools" or not isinstance(value, dict | list) else None for key, value in others.items()
    }
    tools = _tool_definitions(document) if "tools" not in document and "tools" not in record else None
    return {**kept, "tools": tools} if tools else kept


def _tool_definitions(document: JsonObject) -> JsonValue:
    """Return the definitions that the results of tau-bench's runs tell of their environment."""
    info = document.get("info")
    environment = info.get("environment_info") if isinstance(info, dict) else None
    return environment.get("tool_defs") if isinstance(environment, dict) else None


def _container(document: JsonObject) -> str:
    """Return the one column that holds records; "" where there is none, or more than one."""
    return next(iter(names), "") if len(names := list(_containers(document))) == 1 else ""


def _containers(document: JsonObject) -> Iterator[str]:
    for name, value in document.items():
        are_objects = isinstance(value, list) and value and all(isinstance(element, dict) for element in value)
        if are_objects and recognise(value[0]):
            yield name
