"""The `qwen3-text` format: records rendered as Qwen3's own template renders them, in one text.

The variant thinking (Qwen3) opens the last of the assistant's turns with empty thoughts, the variant instruct
(Qwen3-Instruct-2507) does not. Reading takes both.
"""

from __future__ import annotations

from generator.formats import qwen3
from generator.formats.embedded_json import spaced_json
from generator.formats.format import Format
from generator.formats.record_losses import IDS_BESIDE_METADATA, ORDER_OF_RESULTS
from generator.formats.shown_tools import wrapped
from generator.jsontext import JsonObject, JsonValue

_START, _END = "<|im_start|>", "<|im_end|>"
_THOUGHTS = "<think>\n\n</think>\n\n"
_TOOLS_OPEN = (
    "# Tools\n\nYou may call one or more functions to assist with the user query.\n\n"
    "You are provided with function signatures within <tools></tools> XML tags:\n<tools>"
)
_TOOLS_CLOSE = (
    "\n</tools>\n\nFor each function call, return a json object with function name and arguments within "
    '<tool_call></tool_call> XML tags:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n'
    "</tool_call>"
)
_ROLES = ("system", "user", "assistant")


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has a `text` of Qwen3's turns."""
    text = document.get("text") if isinstance(document, dict) else None
    return isinstance(text, str) and text.startswith(_START)


def dump_thinking(document: JsonObject) -> JsonObject:
    """Write a canonical record as Qwen3 renders it."""
    return _dump(document, _THOUGHTS)


def dump_instruct(document: JsonObject) -> JsonObject:
    """Write a canonical record as Qwen3-Instruct-2507 renders it."""
    return _dump(document, "")


def _dump(document: JsonObject, thoughts: str) -> JsonObject:
    messages = qwen3.dump_record(document)["messages"]
    system = messages[0]["content"] if messages[0]["role"] == "system" else None
    turns = [_rendered("system", text)] if (text := _dump_system(system, document.get("tools", []))) is not None else []
    asked = any(message["role"] == "user" for message in document["messages"])
    for place, message in enumerate(messages[0 if system is None else 1 :], 0 if system is None else 1):
        content = message["content"]
        if thoughts and asked and message["role"] == "assistant" and place == len(messages) - 1:
            content = thoughts + content.lstrip("\n")
        turns.append(_rendered(message["role"], content))
    rest = {key: value for key, value in document.items() if key not in ("messages", "tools")}
    return {"text": "".join(turns), **rest}


def _rendered(role: str, content: str) -> str:
    return f"{_START}{role}\n{content}{_END}\n"


def _dump_system(system: str | None, tools: list[JsonObject]) -> str | None:
    if not tools:
        return system
    lines = "".join(f"\n{spaced_json(tool)}" for tool in tools)
    return f"{'' if system is None else system + chr(10) * 2}{_TOOLS_OPEN}{lines}{_TOOLS_CLOSE}"


def load_record(document: JsonObject) -> JsonObject:
    """Bring a rendered record to the canonical document; text outside turns is left to the rules to find."""
    turns = _turns(document.get("text"))
    if turns is None:
        return document
    messages: list[JsonObject] = []
    tools: JsonValue = []
    for role, content in turns:
        if role == "system" and not messages:
            system, tools = _load_system(content)
            messages += [] if system is None else [{"role": "system", "content": system}]
        else:
            messages.append({"role": role, "content": content.removeprefix(_THOUGHTS)})
    rest = {key: value for key, value in document.items() if key != "text"}
    return qwen3.load_record({"messages": messages, "tools": tools, **rest})


def _turns(text: JsonValue) -> list[tuple[str, str]] | None:
    """Return who says what; None where the text is not made of turns alone."""
    if not isinstance(text, str) or not text.startswith(_START):
        return None
    turns: list[tuple[str, str]] = []
    for part in text.split(_START)[1:]:
        said, end, after = part.partition(_END)
        role, newline, content = said.partition("\n")
        if role not in _ROLES or not newline or not end or after.strip():
            return None
        turns.append((role, content))
    return turns


def _load_system(content: str) -> tuple[str | None, JsonValue]:
    system, opening, rest = content.rpartition(_TOOLS_OPEN)
    if not opening or not rest.endswith(_TOOLS_CLOSE):
        return content, []
    own = system.removesuffix("\n\n") if system else None
    lines = rest.removesuffix(_TOOLS_CLOSE).split("\n")
    return own, wrapped([line for line in lines if line])


FORMAT = Format(
    name="qwen3-text",
    summary="Qwen3 as rendered text; variants thinking and instruct",
    matches_record=matches_record,
    keys=("text",),
    load_record=load_record,
    dump_record=dump_thinking,
    variants={"thinking": dump_thinking, "instruct": dump_instruct},
    columns=frozenset({"text", "metadata"}),
    recognised_by="`text` that begins with `<|im_start|>`",
    losses=(IDS_BESIDE_METADATA, ORDER_OF_RESULTS),
    tools_column="",
)
