"""Control characters: what terminals, logs and readers of lines obey, and what hides a text from people."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.rule import Check, Finding, of_tools
from generator.validation.say import brief
from generator.validation.tool_view import ToolView
from generator.validation.view import RecordView, may_hold_controls

_WHAT_THEY_ARE = (
    ("\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f", "a control character, which terminals obey"),
    ("\x85\u2028\u2029", "a line separator, at which readers of lines cut a record in two"),
    ("\u202a-\u202e\u2066-\u2069", "a bidirectional control, which shows text in another order"),
    ("\U000e0000-\U000e007f", "a tag character, which models read and nobody sees"),
)
_CONTROL = re.compile(
    f"[{''.join(characters for characters, _ in _WHAT_THEY_ARE[:-1])}]"
    "|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]"
)
"""Tag characters behind a black flag spell the flag of a region, which everybody sees."""


def _texts_hold_no_control(record: RecordView) -> Iterator[Finding]:
    yield from _found_in({name: part for name, part in record.entry.items() if name != "tools"}, ())
    for call in record.calls:
        if isinstance(call.given, str) and call.arguments is not None:
            yield from _unless_seen(call.given, _found_in(call.arguments, ()), call.arguments_pointer)
    for result in record.results:
        if result.is_json and isinstance(result.message.content, str):
            where = f"{result.message.pointer}/content"
            yield from _unless_seen(result.message.content, _found_in(result.value, ()), where)


def _unless_seen(text: str, found: Iterator[Finding], where: str) -> Iterator[Finding]:
    """Yield the first of what JSON inside a text holds as escapes, at the text; what stands there raw was found."""
    first = next(found, None) if "\\" in text and not _CONTROL.search(text) else None
    if first is not None:
        yield Finding(where, first.message)


def _definition_holds_no_control(tool: ToolView) -> Iterator[Finding]:
    if may_hold_controls(tool.raw):
        yield from _found_in(tool.raw, ())


def _found_in(root: JsonValue, at: tuple[str | int, ...]) -> Iterator[Finding]:
    """Yield each text and each key inside that holds a control character, in their order."""
    waiting: list[tuple[tuple[str | int, ...], JsonValue]] = [(at, root)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            if found := _CONTROL.search(value):
                yield Finding(pointer(path), _say(found.group()))
        elif isinstance(value, dict):
            yield from _keys(path, value)
            waiting.extend(((*path, key), child) for key, child in reversed(value.items()))
        elif isinstance(value, list):
            waiting.extend(((*path, index), value[index]) for index in range(len(value) - 1, -1, -1))


def _keys(path: tuple[str | int, ...], members: JsonObject) -> Iterator[Finding]:
    for key in members:
        if found := _CONTROL.search(key):
            yield Finding(pointer((*path, key)), _say(found.group()))


def _say(character: str) -> str:
    what = next(what for characters, what in _WHAT_THEY_ARE if re.match(f"[{characters}]", character))
    return f"{brief(character)} is {what}; a record never holds it"


CHECKS: dict[str, Check] = {
    "TC019": Check(_texts_hold_no_control, "has_controls"),
    "TC118": of_tools(_definition_holds_no_control),
}
