"""The ways in which data sets write calls and results as text: JSON, Python, marks and tags around either.

What is read is `{"name", "arguments"}`. A text is read whole or not at all: one that holds anything that was not
understood stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from generator.formats.literals import (
    between,
    parse_json,
    parse_literal,
    python_json,
    read_bracketed_calls,
    read_json_at,
    read_literal,
    skip_space,
)
from generator.jsontext import JsonObject, JsonValue

_NAMES = ("name", "function", "tool_name", "tool", "api_name", "api", "action", "Action")
_ARGUMENTS = (
    "arguments", "parameters", "args", "kwargs", "input", "action_input", "Action_Input", "tool_input", "params",
)  # fmt: skip
_PAIRS = (
    ("<tool_call>", "</tool_call>"),
    ("<TOOLCALL>", "</TOOLCALL>"),
    ("<tool_calls>", "</tool_calls>"),
    ("<function_call>", "</function_call>"),
    ("<functioncall>", "</functioncall>"),
    ("<|tool_call|>", "<|/tool_call|>"),
    ("<|python_tag|>", "<|eom_id|>"),
    ("<|python_tag|>", "<|eot_id|>"),
)
"""Marks around the JSON or Python of calls."""
_TO_THE_END = ("[TOOL_CALLS]", "<|python_tag|>", "<functioncall>", "<|tool_call|>")
"""Marks after which nothing but calls follows."""
_ENDS = ("<|endoftext|>", "<|im_end|>", "</s>", "<|eom_id|>", "<|eot_id|>")
_CLOSING = re.compile(
    "|".join(re.escape(closing) for _, closing in _PAIRS) + "|</function>|</function_calls>|</invoke>|</tool_use>"
)
"""What stands behind calls."""
_FUNCTION = re.compile(r"<function=([^<>\s]{1,200})>")
_INVOKED = re.compile(r'<invoke name="([^"<>]{1,200})">')
_PARAMETER = re.compile(r'<parameter name="([^"<>]{1,200})">')
_PARAMETER_OF_FUNCTION = re.compile(r"<parameter=([^<>\s]{1,200})>")
_FENCE = re.compile(r"```[a-z_]{0,20}[ \t]*\n")


class Spoken(NamedTuple):
    """A text without its calls, and the calls."""

    text: str
    calls: list[JsonObject]


def as_call(value: JsonValue) -> JsonObject | None:
    """Return what an object says of a call, under whichever of its usual names; None where it says of none."""
    value = parse_json(value)
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("function"), dict):
        value = value["function"]
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
    has_arguments = not value.keys().isdisjoint(_ARGUMENTS)
    if name is None or not (has_arguments or value.keys() <= {"id", "type", "name"}):
        return None
    return {"name": name, "arguments": _arguments_of(value)}


def _arguments_of(call: JsonObject) -> JsonValue:
    given = next((call[key] for key in _ARGUMENTS if key in call), None)
    arguments = parse_literal(parse_json(given))
    return {} if arguments is None or arguments == "" else arguments


def as_calls(value: JsonValue) -> list[JsonObject] | None:
    """Return the calls of an object, or of a list of nothing but calls; None where it is anything else."""
    value = parse_json(value)
    if isinstance(value, dict) and isinstance(value.get("tool_calls"), list):
        value = value["tool_calls"]
    if not isinstance(value, list):
        value = [value]
    calls = [as_call(each) for each in value]
    found = [call for call in calls if call is not None]
    return found if found and len(found) == len(calls) else None


def read_plain(text: str) -> list[JsonObject] | None:
    """Read a text that is calls and nothing else: JSON, `[f(a=1)]`, or either in a code fence."""
    text = text.strip()
    if text.startswith("```") and text.endswith("```") and (fence := _FENCE.match(text)) is not None:
        text = text[fence.end() : -3].strip()
    if text.startswith(("{", "[")):
        calls = as_calls(_value_of(text))
        if calls is not None:
            return calls
    bracketed = text if text.startswith("[") else f"[{text}]"
    return read_bracketed_calls(bracketed) if text.endswith((")", ")]")) or text.startswith("[") else None


def _value_of(text: str) -> JsonValue:
    """Read a text as one value, of JSON or Python, or as values one after the other."""
    values: list[JsonValue] = []
    position = 0
    while position < len(text):
        read = read_json_at(text, position) or read_literal(text, position)
        if read is None:
            return None
        values.append(read[0])
        position = skip_space(text, read[1], ",;")
    return values[0] if len(values) == 1 else values


def is_marked(text: str) -> bool:
    """Say whether a text holds a mark of calls, at first glance."""
    if "<" not in text and "[TOOL_CALLS]" not in text:
        return False
    marks = (*(opening for opening, _ in _PAIRS), *_TO_THE_END, "<function=", "<invoke name=")
    return any(mark in text for mark in marks)


def read_marked(text: str) -> Spoken | None:
    """Read the calls between marks; None where there is none, or one that cannot be read."""
    if not is_marked(text):
        return None
    return _between_pairs(text) or _to_the_end(text) or _functions(text) or _invocations(text)


def read_amid(text: str) -> Spoken | None:
    """Read calls between marks where text stands behind them as well, as models write; None where one cannot be read.

    Data sets are read by `read_marked`, which leaves a text alone that goes on behind its calls.
    """
    end = max((match.end() for match in _CLOSING.finditer(text)), default=0)
    spoken = read_marked(text[:end])
    behind = _without_ends(text[end:])
    if spoken is None or is_marked(behind):
        return None
    return Spoken("\n".join(filter(None, (spoken.text, behind))), spoken.calls)


def _between_pairs(text: str) -> Spoken | None:
    for opening, closing in _PAIRS:
        start = text.find(opening)
        if start >= 0 and closing in text:
            calls, end = _read_blocks(text, start, opening, closing)
            return Spoken(text[:start].strip(), calls) if calls and not _without_ends(text[end:]) else None
    return None


def _read_blocks(text: str, start: int, opening: str, closing: str) -> tuple[list[JsonObject], int]:
    """Read blocks that follow each other; return the calls, none where one cannot be read, and where they end."""
    calls: list[JsonObject] = []
    while text.startswith(opening, start):
        end = text.find(closing, start)
        read = read_plain(text[start + len(opening) : end]) if end >= 0 else None
        if read is None:
            return [], start
        calls += read
        start = skip_space(text, end + len(closing))
    return calls, start


def _to_the_end(text: str) -> Spoken | None:
    for mark in _TO_THE_END:
        before, found, rest = text.partition(mark)
        calls = read_plain(_without_ends(rest)) if found else None
        if calls is not None:
            return Spoken(before.strip(), calls)
    return None


def _without_ends(text: str) -> str:
    for end in _ENDS:
        text = text.strip().removesuffix(end)
    return text.strip()


def _functions(text: str) -> Spoken | None:
    """Read `<function=NAME>{...}</function>`, with parameters as JSON or as tags of their own."""
    return _blocks(text, _FUNCTION, "</function>", _PARAMETER_OF_FUNCTION)


def _invocations(text: str) -> Spoken | None:
    """Read `<invoke name="NAME"><parameter name="KEY">...</parameter></invoke>`."""
    return _blocks(text, _INVOKED, "</invoke>", _PARAMETER)


def _blocks(text: str, opens: re.Pattern[str], closing: str, parameter: re.Pattern[str]) -> Spoken | None:
    first = opens.search(text)
    if first is None:
        return None
    calls: list[JsonObject] = []
    block: re.Match[str] | None = first
    while block is not None:
        end = text.find(closing, block.end())
        arguments = _arguments(text[block.end() : max(end, 0)], parameter) if end >= 0 else None
        if arguments is None:
            return None
        calls.append({"name": block[1], "arguments": arguments})
        block = opens.search(text, end)
    return Spoken(_before_tags(text[: first.start()]), calls)


def _before_tags(text: str) -> str:
    """Return the text before a block without the tag that opens the list of blocks."""
    text = text.rstrip()
    return text[: text.rfind("<")].rstrip() if text.endswith(">") and "<" in text else text.strip()


def _arguments(inner: str, parameter: re.Pattern[str]) -> JsonObject | None:
    """Read the arguments inside a block: an object of JSON, or a tag for each."""
    inner = inner.strip()
    if not inner:
        return {}
    if inner.startswith("{"):
        value = parse_json(inner)
        return value if isinstance(value, dict) else None
    found = dict(_tagged_values(inner, parameter))
    return found or None


def _tagged_values(inner: str, parameter: re.Pattern[str]) -> Iterator[tuple[str, JsonValue]]:
    for tag in parameter.finditer(inner):
        end = inner.find("</parameter>", tag.end())
        if end < 0:
            return
        yield tag[1], parse_json(inner[tag.end() : end].strip("\n"))


CALL_OPENS, CALL_CLOSES = "<tool_call>", "</tool_call>"
RESPONSE_OPENS, RESPONSE_CLOSES = "<tool_response>", "</tool_response>"


def dump_call(function: JsonObject) -> str:
    """Write one call as a block."""
    call = {"name": function.get("name"), "arguments": function.get("arguments")}
    return f"{CALL_OPENS}\n{python_json(call)}\n{CALL_CLOSES}"


def dump_calls(text: str, functions: list[JsonObject]) -> str:
    """Write the calls of a turn, after the text beside them if there is any."""
    return "\n".join([text, *map(dump_call, functions)] if text else map(dump_call, functions))


def dump_responses(texts: list[str]) -> str:
    """Write the results of a turn, each as a block."""
    return "\n".join(f"{RESPONSE_OPENS}\n{text}\n{RESPONSE_CLOSES}" for text in texts)


def split_calls(content: str, *, literals: bool = False) -> tuple[str, list[JsonObject]] | None:
    """Return the text beside the calls and the functions called; None where the blocks cannot be read.

    `literals` reads calls that are written as Python writes them, too, as some data sets do.
    """
    text, opening, rest = content.partition(CALL_OPENS)
    functions = _read_calls(opening + rest, literals)
    return None if not functions else (text.removesuffix("\n"), functions)


def _read_calls(text: str, literals: bool) -> list[JsonObject] | None:
    """Read a text that consists of call blocks alone; None where it does not."""
    functions: list[JsonObject] = []
    position = 0
    while position < len(text):
        read = _read_call(text, position, literals)
        if read is None:
            return None
        functions.append(read[0])
        position = skip_space(text, read[1])
    return functions


def _read_call(text: str, start: int, literals: bool) -> tuple[JsonObject, int] | None:
    """Read the block at `start`; return its function and where it ends."""
    if not text.startswith(CALL_OPENS, start):
        return None
    opening = skip_space(text, start + len(CALL_OPENS))
    read = read_json_at(text, opening) or (read_literal(text, opening) if literals else None)
    if read is None:
        return None
    function, ending = read
    closing = skip_space(text, ending)
    if not isinstance(function, dict) or set(function) != {"name", "arguments"}:
        return None
    return (function, closing + len(CALL_CLOSES)) if text.startswith(CALL_CLOSES, closing) else None


def holds_responses(content: object) -> bool:
    """Say whether a content is text that begins and ends with the tags of results."""
    return (
        isinstance(content, str) and content.startswith(RESPONSE_OPENS) and content.rstrip().endswith(RESPONSE_CLOSES)
    )


def response_texts(content: str) -> list[str]:
    """Return the text of each block: exactly between the newlines where every block has them, else stripped."""
    texts = between(content, RESPONSE_OPENS, RESPONSE_CLOSES)
    if all(len(text) > 1 and text.startswith("\n") and text.endswith("\n") for text in texts):
        return [text[1:-1] for text in texts]
    return [text.strip() for text in texts]
