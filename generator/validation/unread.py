"""TC, nothing unread: calls in plain text, labels beside the record, texts that were cut."""

from __future__ import annotations

import re
from collections.abc import Iterator

import orjson

from generator.jsontext import JsonValue, pointer
from generator.validation.rule import Finding, Rule
from generator.validation.say import brief
from generator.validation.verdict import Severity
from generator.validation.view import MessageView, RecordView

_SOURCE = "tool-calling practice"

_MARKS = (
    "<tool_call>", "<tool_calls>", "<TOOLCALL>", "<function_call", "<functioncall>", "<function=", "<invoke ",
    "<|tool_call", "<|python_tag|>", "[TOOL_CALLS]", "<\uff5ctool\u2581call", "<|function_call", "<tool_use>",
)  # fmt: skip
"""What data sets put before the calls that they write as text."""
_NAMING = ("name", "function", "tool", "tool_name", "api", "api_name", "action", "function_name", "recipient_name")
_GIVING = ("arguments", "parameters", "args", "kwargs", "input", "action_input", "params", "tool_input", "parameter")
_ACTION = re.compile(r"(?:\A|\n)[ \t]*Action:[ \t]*[^\s]")
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
    if "<" in text or "[T" in text:
        mark = next((mark for mark in _MARKS if mark in text), None)
        if mark is not None:
            return brief(text[text.index(mark) :]), "error"
    bare = text.strip()
    if bare[:1] in ("{", "[", "`") and _is_call_of_json(_FENCED.sub("", bare).strip()):
        return brief(bare), "error"
    if "Action:" in text and "Action Input:" in text and _ACTION.search(text) is not None:
        return brief(text[text.index("Action:") :]), "error"
    name = next((name for name in record.tools_by_name if name and name in text), None)
    return None if name is None else _call_of(name, bare)


def _call_of(name: str, text: str) -> tuple[str, Severity] | None:
    """Return how a text that says a tool's name calls it; None where it only speaks of it."""
    start = text.find(name)
    while start >= 0:
        before, after = text[max(start - 40, 0) : start], text[start + len(name) : start + len(name) + 40]
        if before[-1:] in ('"', "'") and after[:1] == before[-1:] and _gives(text[start:], before):
            return brief(text[max(start - 12, 0) :]), "error"
        stands_alone = not (before[-1:].isalnum() or before[-1:] in ("_", "."))
        if stands_alone and after[:1] == "(":
            is_whole = text.strip("`[] \n").startswith(name) and text.rstrip("`] \n").endswith(")")
            return brief(text[start:]), "error" if is_whole else "warning"
        if stands_alone and after.lstrip()[:2] in ('{"', "{'"):
            return brief(text[start:]), "error"
        if before[-1:] == "<" and after[:1] in (">", " "):
            return brief(text[start - 1 :]), "error"
        start = text.find(name, start + len(name))
    return None


def _gives(rest: str, before: str) -> bool:
    """Say whether a quoted name is that of a call: a key that names it before, or one that gives arguments after."""
    key = before[:-1].rstrip().removesuffix(":").rstrip().strip("\"'").rpartition('"')[2].rpartition("'")[2]
    return key in _NAMING and any(f'"{word}"' in rest or f"'{word}'" in rest for word in _GIVING)


def _is_call_of_json(text: str) -> bool:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    listed = value if isinstance(value, list) else [value]
    return bool(listed) and all(map(_is_call, listed))


def _is_call(value: JsonValue) -> bool:
    """Say whether an object names something and gives it arguments."""
    if not isinstance(value, dict):
        return False
    inner = value.get("function")
    if isinstance(inner, dict):
        value = inner
    return any(isinstance(value.get(key), str) for key in _NAMING) and any(key in value for key in _GIVING)


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
            if opened is None and _call_in(value, record) is not None:
                return True
            waiting += [] if opened is None else [opened]
        elif isinstance(value, dict):
            if _is_call(value) or any(isinstance(value[key], dict) for key in value if key in record.tools_by_name):
                return True
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return False


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
        if isinstance(message.content, str):
            mark = _CUT_MARK.search(message.content[-_LONGEST_CUT_MARK:]) if _may_be_cut(message) else None
            if mark is not None:
                yield Finding(f"{message.pointer}/content", f"the text was cut: it ends in {brief(mark[0])}")
    for result in record.results:
        content = result.message.content
        if not result.is_json and isinstance(content, str) and _is_cut_json(content):
            yield Finding(f"{result.message.pointer}/content", f"the JSON was cut: it ends in {brief(content[-20:])}")


def _may_be_cut(message: MessageView) -> bool:
    content = message.content
    return isinstance(content, str) and content[-20:].rstrip()[-1:] in (
        "]",
        ")",
        ">",
        "d",
        "e",
        "\u2026",
        "n",
        "\u65ad",
    )


def _is_cut_json(text: str) -> bool:
    """Say whether a text begins as JSON and ends before all that it opened is closed."""
    if text.lstrip()[:2] not in ('{"', "[{", '["', "[["):
        return False
    depth = text.count("{") + text.count("[") - text.count("}") - text.count("]")
    return depth > 0 and text.rstrip()[-1:] not in ("}", "]")


RULES = (
    Rule("TC301", "No call stands in plain text.", _SOURCE, _no_call_stands_in_text),
    Rule(
        "TC302",
        "No calls stand in a column beside the record.",
        _SOURCE,
        _labels_are_read,
        scope="beside",
    ),
    Rule("TC303", "No text and no result was cut.", _SOURCE, _texts_are_whole, severity="error", read="warning"),
)
