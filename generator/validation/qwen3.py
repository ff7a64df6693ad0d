"""Q3: what a record may not say, so that the Qwen3 template reads it back as it was written (seeds/002)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.validation.rule import Finding, Rule
from generator.validation.view import RecordView

CHAT_MARKERS = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")
TOOL_TAGS = tuple(f"<{slash}{tag}>" for tag in ("tools", "tool_call", "tool_response") for slash in ("", "/"))
THINK_TAGS = ("<think>", "</think>")

_SOURCE = "Qwen3 tool-calling format"


def never_says(tokens: tuple[str, ...]) -> Callable[[RecordView], Iterator[Finding]]:
    """Make the search for tokens in everything that is said, called or answered."""

    def find(record: RecordView) -> Iterator[Finding]:
        text = record.text
        found = [token for token in tokens if token in text] if "<" in text else ()
        for token in found:
            for pointer, said in places(record):
                if token in said:
                    yield Finding(pointer, f"{token} is a control token of chat templates; text never holds it")

    return find


def places(record: RecordView) -> Iterator[tuple[str, str]]:
    """Yield the pointer and the text of every content and of every call's arguments."""
    for message in record.messages:
        if isinstance(message.content, str):
            yield f"{message.pointer}/content", message.content
        for call in message.calls:
            yield call.arguments_pointer, call.text


RULES = (
    Rule(
        "Q3001",
        "No text holds the markers of a turn.",
        f"{_SOURCE}, layout",
        never_says(CHAT_MARKERS),
        read="warning",
        scope="has_markers",
    ),
    Rule(
        "Q3002",
        "No text holds the tags of tools.",
        f"{_SOURCE}, layout",
        never_says(TOOL_TAGS),
        read="warning",
        scope="has_markers",
    ),
    Rule(
        "Q3003",
        "No text holds the tags of thinking, at which templates cut it.",
        f"{_SOURCE}, template",
        never_says(THINK_TAGS),
        read="warning",
        scope="has_markers",
    ),
)
