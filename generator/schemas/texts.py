"""Texts inside schemas: control tokens of chat templates taken out, names told in words."""

from __future__ import annotations

import re
from functools import lru_cache

from generator.jsontext import JsonValue, dump_compact

_CONTROL = re.compile(
    r"<\|([^|<>\s]{1,60})\|>"
    r"|<｜([^｜<>\s]{1,60})｜>"
    r"|</?(think|thinking|tool_call|tool_calls|tool_response|tools|function_calls|s|bos|eos|pad|unk|"
    r"start_of_turn|end_of_turn|begin_of_text|end_of_text|start_of_image)>"
    r"|<<(/?SYS)>>"
    r"|\[/?(INST|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|AVAILABLE_TOOLS|SYSTEM_PROMPT|CALL_ID|ARGS|THINK|IMG)\]"
    r"|\x1b\[[0-9;?]{0,20}[A-Za-z]"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"
    r"|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+"  # seen only where they spell a flag
)
_ESCAPES = ("\\u", "\\b", "\\f")
"""How written JSON shows control characters: where it holds none, it is searched as it is."""
_MAX_ROUNDS = 8


def find_control_token(text: str) -> str | None:
    """Return the first control token or character in a text, or None; line ends and tabs are none.

    Characters are those of terminals, separators of lines that JSON does not escape, bidirectional overrides, which
    show text in another order, and tags, which nobody sees.
    """
    found = _CONTROL.search(text)
    return found.group() if found else None


def find_control_token_in(value: JsonValue) -> str | None:
    """Return the first control token or character in any text or name of a JSON value, or None."""
    written = dump_compact(value)
    if not any(escape in written for escape in _ESCAPES):
        return find_control_token(written)
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            if found := find_control_token(part):
                return found
        elif isinstance(part, dict):
            waiting += [*reversed(part.values()), *reversed(part.keys())]
        elif isinstance(part, list):
            waiting += reversed(part)
    return None


def without_control_tokens(text: str) -> str:
    """Return the text without control characters, each control token reduced to its word: `<|im_end|>` to `im_end`."""
    for _ in range(_MAX_ROUNDS):
        # Taking delimiters away can leave a token that was wrapped in them.
        cleaned = _CONTROL.sub(lambda found: next((word for word in found.groups() if word), ""), text)
        if cleaned == text:
            return text
        text = cleaned
    return _CONTROL.sub("", text).replace("<|", "").replace("|>", "")


_WORD = re.compile(r"[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|\d+")


@lru_cache(maxsize=8192)
def name_in_words(name: str) -> str:
    """Return the words of a name: `getUserID` and `get_user_id` become `get user ID` and `get user id`.

    A name without a letter or digit is returned as it is.
    """
    words = [word if word.isupper() and len(word) > 1 else word.lower() for word in _WORD.findall(name)]
    return " ".join(words) or name
