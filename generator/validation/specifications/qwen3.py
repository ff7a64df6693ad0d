"""Q3: what a record may not say, so that the Qwen3 template reads back what was written, and its tags (seeds/002)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.validation.rule import Check, Find, Finding
from generator.validation.view import RecordView

CHAT_MARKERS = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")
TOOL_TAGS = tuple(f"<{slash}{tag}>" for tag in ("tools", "tool_call", "tool_response") for slash in ("", "/"))
THINK_TAGS = ("<think>", "</think>")
_LINED_TAGS = ("tool_call", "tool_response")


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


def _tags_have_lines_of_their_own(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if isinstance(message.content, str):
            yield from _joined(message.content, f"{message.pointer}/content")
    text = record.document.get("text") if isinstance(record.document, dict) else None
    if isinstance(text, str):
        yield from _joined(text.rpartition("</tool_call> XML tags:")[2], "/text")


def _joined(text: str, pointer: str) -> Iterator[Finding]:
    """Yield one finding for each tag that has no line break inside it."""
    for tag in _LINED_TAGS:
        blocks = text.split(f"<{tag}>")[1:]
        if any(not block.startswith("\n") or not _ends_with_break(block, tag) for block in blocks):
            yield Finding(pointer, f"<{tag}> and </{tag}> have a line break inside them, as the model was trained")


def _ends_with_break(block: str, tag: str) -> bool:
    inside, closing, _ = block.partition(f"</{tag}>")
    return not closing or inside.endswith("\n")


CHECKS: dict[str, Check] = {
    "Q3001": Check(never_says(CHAT_MARKERS), "has_markers"),
    "Q3002": Check(never_says(TOOL_TAGS), "has_markers"),
    "Q3003": Check(never_says(THINK_TAGS), "has_markers"),
}

AS_WRITTEN: dict[str, Find[RecordView]] = {"Q3004": _tags_have_lines_of_their_own}
"""The checks of records in the format's own form, before reading takes any space inside the tags."""
