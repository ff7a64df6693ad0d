"""The `openai-finetune` format: lines as OpenAI's and Azure's fine-tuning take them.

`messages`, `tools` and `parallel_tool_calls` alone: unknown keys are refused there. A record without tools has neither
of the last two, since an empty list of tools is refused as well.
"""

from __future__ import annotations

from generator.formats import openai_records
from generator.formats.conversation import messages_of, rewrite_messages
from generator.formats.format import TEXT_ARGUMENTS, Format
from generator.formats.record_losses import METADATA
from generator.jsontext import JsonObject, JsonValue


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document is a line for fine-tuning: it says whether calls may be parallel, and no more."""
    if not isinstance(document, dict) or "parallel_tool_calls" not in document or not messages_of(document):
        return False
    return document.keys() <= {"messages", "tools", "parallel_tool_calls"}


def load_record(document: JsonObject) -> JsonObject:
    """Bring a line to the canonical document; one without tools shows none."""
    loaded = openai_records.load_record(document)
    return loaded if "tools" in loaded else {**loaded, "tools": []}


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record; `parallel_tool_calls` is false where a strict tool is shown (seeds/003, 7)."""
    written = openai_records.dump_record(document)
    line: JsonObject = {"messages": rewrite_messages(written, _without_name)["messages"]}
    if written.get("tools"):
        line |= {"tools": written["tools"], "parallel_tool_calls": written.get("parallel_tool_calls", True)}
    return line


def _without_name(message: JsonObject) -> JsonObject:
    if message.get("role") != "tool":
        return message
    return {key: value for key, value in message.items() if key != "name"}


FORMAT = Format(
    name="openai-finetune",
    summary="OpenAI and Azure fine-tuning: as `openai`, with `parallel_tool_calls`",
    matches_record=matches_record,
    keys=("messages",),
    signs=TEXT_ARGUMENTS,
    reads_as="openai",
    load_record=load_record,
    dump_record=dump_record,
    recognised_by="as `openai`, with `parallel_tool_calls` and no keys but `messages` and `tools`",
    losses=(METADATA,),
)
