"""One record as a conversation for people: a line of facts, the tools, then who says and calls what."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.text import Text

from generator.cli.terminal import fitted, printable
from generator.formats.conversation import calls_of, function_of, messages_of
from generator.jsontext import JsonObject, JsonValue

_LABEL = 11
_LONGEST_TEXT = 1200
_LONGEST_STRING = 160
_MOST_ELEMENTS = 8
_MOST_TOOLS = 12
_MOST_MESSAGES = 200
_MOST_CALLS = 50
_DEEPEST = 6
_STYLES = {"system": "dim", "user": "bold cyan", "assistant": "bold green", "tool": "magenta"}


def portray(document: JsonObject, line: int) -> Iterator[Text]:
    """Yield the lines that show a record; control characters of its texts are written as escapes."""
    yield Text(fitted(_headline(document, line)), style="bold reverse")
    yield _labelled("tools", _tool_names(document), "dim")
    messages, statuses = messages_of(document), _statuses(document)
    for message in messages[:_MOST_MESSAGES]:
        yield from _turn(message, statuses)
    if len(messages) > _MOST_MESSAGES:
        yield _labelled("...", f"{len(messages) - _MOST_MESSAGES:,} more messages", "dim")
    yield from _examined(_object(_object(document.get("metadata")).get("exam")))


def _examined(told: JsonObject) -> Iterator[Text]:
    """Yield what an exam found wrong with the last message, and what was expected in its place."""
    expected, reasons = told.get("expected"), told.get("reasons")
    for message in expected if isinstance(expected, list) else ():
        if isinstance(message, dict):
            yield from _turn({**message, "role": "expected"}, {})
    for reason in reasons if isinstance(reasons, list) else ():
        yield _labelled("wrong", str(reason), "red")


def _headline(document: JsonObject, line: int) -> str:
    metadata = _object(document.get("metadata"))
    facts = [f"{key} {metadata[key]}" for key in ("index", "kind", "author", "id") if key in metadata]
    return (
        printable(" · ".join([f" line {line}", *(fact[:_LONGEST_STRING] for fact in facts)])).replace("\n", " ") + " "
    )


def _tool_names(document: JsonObject) -> str:
    tools = document.get("tools")
    listed = tools if isinstance(tools, list) else []
    names = [str(function_of(tool).get("name", "?")) for tool in listed if isinstance(tool, dict)]
    more = f" and {len(names) - _MOST_TOOLS} more" if len(names) > _MOST_TOOLS else ""
    return ", ".join(names[:_MOST_TOOLS]) + more or "none"


def _turn(message: JsonObject, statuses: JsonObject) -> Iterator[Text]:
    role = str(message.get("role", "?"))
    if role == "tool":
        yield _labelled("tool", _result(message, statuses), _STYLES["tool"])
        return
    content = message.get("content")
    if content or not calls_of(message):
        yield _labelled(role, content if isinstance(content, str) else _short(content), _STYLES.get(role, "red"))
    calls = calls_of(message)
    for call in calls[:_MOST_CALLS]:
        function = function_of(call)
        shown = f"→ {function.get('name', '?')} {_short(function.get('arguments'))}  [{call.get('id', '?')}]"
        yield _labelled(role, shown, _STYLES.get(role, "red"))
    if len(calls) > _MOST_CALLS:
        yield _labelled("...", f"{len(calls) - _MOST_CALLS:,} more calls", "dim")


def _result(message: JsonObject, statuses: JsonObject) -> str:
    identity = str(message.get("tool_call_id", "?"))
    status = f" {statuses[identity]}" if identity in statuses else ""
    return f"← {message.get('name', '?')} {_content(message.get('content'))}  [{identity}{status}]"


def _content(content: JsonValue) -> str:
    """Return a tool message's content, shortened as JSON where it is JSON."""
    if not isinstance(content, str):
        return _short(content)
    try:
        return _short(json.loads(content))
    except (ValueError, RecursionError):
        return content


def _short(value: JsonValue) -> str:
    """Return JSON with long strings, lists and objects cut, each cut with the number of what is missing."""
    return json.dumps(_cut(value), ensure_ascii=False)


def _cut(value: JsonValue, depth: int = 0) -> JsonValue:
    if isinstance(value, str) and len(value) > _LONGEST_STRING:
        return f"{value[:_LONGEST_STRING]}… ({len(value) - _LONGEST_STRING:,} more characters)"
    if not isinstance(value, (dict, list)):
        return value
    if depth == _DEEPEST and value:
        return "…"
    if isinstance(value, list):
        return _cut_list(value, depth)
    kept = {key: _cut(element, depth + 1) for key, element in list(value.items())[: 2 * _MOST_ELEMENTS]}
    missing = len(value) - len(kept)
    return {**kept, "…": f"{missing:,} more"} if missing else kept


def _cut_list(value: list[JsonValue], depth: int) -> list[JsonValue]:
    shown = [_cut(element, depth + 1) for element in value[:_MOST_ELEMENTS]]
    missing = len(value) - len(shown)
    return [*shown, f"… {missing:,} more"] if missing else shown


def _labelled(label: str, text: str, style: str) -> Text:
    """Return the text behind its label, further lines indented to it."""
    if len(text) > _LONGEST_TEXT:
        text = f"{text[:_LONGEST_TEXT]}… ({len(text) - _LONGEST_TEXT:,} more characters)"
    first, *others = printable(text).split("\n")
    head = f"{printable(label)[: _LABEL - 1]:<{_LABEL}}"
    lines = [fitted(head + first, _LABEL), *(fitted(" " * _LABEL + line, 0) for line in others)]
    return Text.assemble((lines[0][:_LABEL], style), "\n".join(lines)[_LABEL:])


def _statuses(document: JsonObject) -> JsonObject:
    return _object(_object(document.get("metadata")).get("statuses"))


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}
