"""Q3: what a record may not say, so that the Qwen3 template reads it back as it was written (seeds/002)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.validation.rule import Check, Finding
from generator.validation.view import RecordView

CHAT_MARKERS = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")
TOOL_TAGS = tuple(f"<{slash}{tag}>" for tag in ("tools", "tool_call", "tool_response") for slash in ("", "/"))
THINK_TAGS = ("<think>", "</think>")


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


CHECKS: dict[str, Check] = {
    "Q3001": Check(never_says(CHAT_MARKERS), "has_markers"),
    "Q3002": Check(never_says(TOOL_TAGS), "has_markers"),
    "Q3003": Check(never_says(THINK_TAGS), "has_markers"),
}
