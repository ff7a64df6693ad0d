"""TC: what is left unread of a record: calls that stand in plain text, labels beside the record, texts cut short."""

from __future__ import annotations

import re
from collections.abc import Iterator

import orjson

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.rule import Check, Finding
from generator.validation.verdict import Severity, brief
from generator.validation.view import RecordView

_MARKS = (
    "<tool_call>", "<tool_calls>", "<TOOLCALL>", "<function_call", "<functioncall>", "<function=", "<invoke ",
    "<|tool_call", "<|python_tag|>", "[TOOL_CALLS]", "<\uff5ctool\u2581call", "<|function_call", "<tool_use>",
)  # fmt: skip
"""What data sets put before the calls that they write as text."""
_NAMING = ("name", "function", "tool", "tool_name", "api", "api_name", "action", "function_name", "recipient_name")
_GIVING = ("arguments", "parameters", "args", "kwargs", "input", "action_input", "params", "tool_input", "parameter")
_KEY_BEFORE = re.compile(r"(?:" + "|".join(_NAMING) + r")[\"']\s{0,5}:\s{0,5}\Z")
_OBJECT_AFTER = re.compile(r"\s{0,3}\{\s{0,9}[\"'}]")
_WORD = re.compile(r"[\w-]+(?:[./:]+[\w-]+)*")
_FEW_TOOLS = 32
_FEW = 20
"""Characters that a fence and brackets may take before and after a call."""
_NEAR = 2000
"""Characters around a name in which its call gives arguments."""
_ACTION = re.compile(r"(?:\A|\n)[ \t]*Action:[ \t]*[^\s]")
_CALLING = re.compile(r"[<({\[`:]")
"""Signs of which every call that stands in a text has one."""
_FENCED = re.compile(r"\A```[a-zA-Z_]{0,20}\s|```\Z")
_CUT_MARK = re.compile(
    r"(?:\[|\(|<|\.\.\.|\u2026)[^\[\]()<>]{0,40}(?:truncated|omitted|snipped|\d more|\u622a\u65ad|abgeschnitten)"
    r"[^\[\]()<>]{0,40}[\])>]?\s{0,9}\Z",
    re.IGNORECASE,
)
_LONGEST_CUT_MARK = 120


def _no_call_stands_in_text(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if message.role == "assistant" and not message.calls and isinstance(message.content, str):
            found = _call_in(message.content, record)
            if found is not None:
                what, at_most = found
                yield Finding(f"{message.pointer}/content", f"a call stands here as text: {what}", at_most)


def _call_in(text: str, record: RecordView) -> tuple[str, Severity] | None:
    """Return the call that a text holds, and how sure that is; None where it holds none."""
    if _CALLING.search(text) is None:
        return None
    return _marked_call(text, record) or _bare_call(text, record) or _action(text) or _named_call(text, record)


def _marked_call(text: str, record: RecordView) -> tuple[str, Severity] | None:
    """Return the call before which a text has a mark of a data set."""
    if "<" in text or "[T" in text:
        for mark in _MARKS:
            if mark in text:
                return brief(text[text.index(mark) :]), "error" if record.tools else "warning"
    return None


def _bare_call(text: str, record: RecordView) -> tuple[str, Severity] | None:
    """Return the call that is the whole of a text, as JSON."""
    bare = text.strip()
    if bare.startswith(("{", "[", "`")):
        called = _called_by_json(_FENCED.sub("", bare).strip())
        if called:
            return brief(bare), "error" if called <= record.tools_by_name.keys() else "warning"
    return None


def _action(text: str) -> tuple[str, Severity] | None:
    """Return the call that a text writes as an action with its input."""
    if "Action:" in text and "Action Input:" in text and _ACTION.search(text) is not None:
        return brief(text[text.index("Action:") :]), "error"
    return None


def _named_call(text: str, record: RecordView) -> tuple[str, Severity] | None:
    """Return the call that a text makes where it says the name of a tool: the first that is sure, else the first."""
    found: tuple[str, Severity] | None = None
    for name, start in _sayings(text, record):
        call = _call_at(text, start, start + len(name))
        if call is not None and call[1] == "error":
            return call
        found = found or call
    return found


def _sayings(text: str, record: RecordView) -> Iterator[tuple[str, int]]:
    """Yield where a text says the name of a tool shown, in one pass whatever the number of tools is."""
    names = record.tools_by_name
    if len(names) <= _FEW_TOOLS and not any(name in text for name in filter(None, names)):
        return
    for word in _WORD.finditer(text):
        if word[0] in names:
            yield word[0], word.start()
    for name in names:
        if name and _WORD.fullmatch(name) is None:
            yield from ((name, start) for start in _places(text, name))


def _call_at(text: str, start: int, end: int) -> tuple[str, Severity] | None:
    """Return how a text calls the tool whose name stands here; None where it only speaks of it."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before in ('"', "'") and after == before:
        return (brief(text[max(start - 12, 0) :]), "error") if _is_named_in_json(text, start, end) else None
    if before == "<" and after == ">":
        return brief(text[start - 1 :]), "error" if f"</{text[start:end]}>" in text[end : end + _NEAR] else "warning"
    if after == "(":
        return brief(text[start:]), "error" if _is_whole(text, start) else "warning"
    return (brief(text[start:]), "error") if _OBJECT_AFTER.match(text, end) else None


def _is_whole(text: str, start: int) -> bool:
    """Say whether a call in parentheses is all of a text from here on, with no more before it than a fence."""
    return start < _FEW and not text[:start].strip("`[] \n") and text[-_FEW:].rstrip("`] \n").endswith(")")


def _is_named_in_json(text: str, start: int, end: int) -> bool:
    """Say whether a name in quotes stands behind a key of calls, with arguments given near it."""
    if _KEY_BEFORE.search(text[max(start - 41, 0) : start - 1]) is None:
        return False
    near = text[max(end - _NEAR, 0) : end + _NEAR]
    return any(f'"{word}"' in near or f"'{word}'" in near for word in _GIVING)


def _places(text: str, part: str) -> Iterator[int]:
    start = text.find(part)
    while start >= 0:
        yield start
        start = text.find(part, start + len(part))


def _called_by_json(text: str) -> set[str]:
    """Return what the calls are of that a text of JSON is made of; nothing where it is anything else."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return set()
    called = [_called(each) for each in (value if isinstance(value, list) else [value])]
    return set(called) if all(called) else set()


def _called(value: JsonValue) -> str:
    """Return what an object names and gives arguments; "" where it is no call."""
    if not isinstance(value, dict):
        return ""
    inner = value.get("function")
    if isinstance(inner, dict):
        value = inner
    names = (value[key] for key in _NAMING if isinstance(value.get(key), str))
    return next(names, "") if any(key in value for key in _GIVING) else ""


def _labels_are_read(record: RecordView) -> Iterator[Finding]:
    certain: Severity = "note" if record.calls else "error"
    for name, value in record.beside.items():
        if _holds_call(value, record):
            yield Finding(
                pointer([name]), f"the column {brief(name)} holds calls, which are no part of what was read", certain
            )


def _holds_call(root: JsonValue, record: RecordView) -> bool:
    """Say whether a call stands anywhere inside: as an object, as accepted values by name, or as text."""
    waiting: list[JsonValue] = [root]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            opened = _opened(value)
            if opened is not None:
                waiting.append(opened)
            elif _call_in(value, record) is not None:
                return True
        elif isinstance(value, dict):
            if _called(value) or _holds_accepted_values(value, record):
                return True
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return False


def _holds_accepted_values(value: JsonObject, record: RecordView) -> bool:
    """Say whether an object gives accepted values by name: an object under the name of a tool."""
    return any(isinstance(value[key], dict) for key in value if key in record.tools_by_name)


def _opened(text: str) -> JsonValue:
    """Return the object or list that a text of JSON holds; None where it holds none."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict | list) else None


def _texts_are_whole(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if mark := _cut_mark(message.text):
            yield Finding(f"{message.pointer}/content", f"the text was cut: it ends in {brief(mark)}")
    for call in record.calls:
        for text in _texts_in(call.arguments) if call.arguments else ():
            if mark := _cut_mark(text):
                yield Finding(call.arguments_pointer, f"an argument was cut: it ends in {brief(mark)}")
    for result in record.results:
        text = result.message.text
        if not result.is_json and _is_cut_json(text):
            yield Finding(f"{result.message.pointer}/content", f"the JSON was cut: it ends in {brief(text[-20:])}")


def _texts_in(arguments: JsonObject) -> list[str]:
    """Return every text inside."""
    texts: list[str] = []
    waiting: list[JsonValue] = list(arguments.values())
    for value in waiting:
        if type(value) is str:
            texts.append(value)
        elif type(value) is dict:
            waiting.extend(value.values())
        elif type(value) is list:
            waiting.extend(value)
    return texts


def _cut_mark(text: str) -> str:
    """Return the mark that a text ends in where it was cut; "" where it has none."""
    end = text[-_LONGEST_CUT_MARK:].rstrip()
    if end[-1:] not in ("]", ")", ">") and "..." not in end and "\u2026" not in end:
        return ""
    mark = _CUT_MARK.search(end)
    return "" if mark is None else mark[0]


def _is_cut_json(text: str) -> bool:
    """Say whether a text begins as JSON and ends before all that it opened is closed."""
    if text.lstrip()[:2] not in ('{"', "[{", '["', "[["):
        return False
    depth = text.count("{") + text.count("[") - text.count("}") - text.count("]")
    return depth > 0 and text.rstrip()[-1:] not in ("}", "]")


CHECKS: dict[str, Check] = {
    "TC301": Check(_no_call_stands_in_text),
    "TC302": Check(_labels_are_read, "beside"),
    "TC303": Check(_texts_are_whole),
}
