"""Calls and results as tagged text (seeds/002): `<tool_call>` and `<tool_response>` blocks, Qwen3's and Hermes's.

What is written has the newlines inside the tags; what is read may have any space there. Text that is not made of
whole blocks is not read at all.
"""

from __future__ import annotations

from generator.formats.embedded_json import between, python_json, read_json_at, skip_space
from generator.formats.literals import read_literal
from generator.jsontext import JsonObject

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
