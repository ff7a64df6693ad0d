"""The `openai` format: tool definitions and records as OpenAI's API takes them (seeds/003)."""

from __future__ import annotations

from generator.formats import openai_records, openai_tools
from generator.formats.format import TEXT_ARGUMENTS, Format

FORMAT = Format(
    name="openai",
    summary="OpenAI: nested and flat function tools; records with arguments as text, ids `call_` and the nine",
    matches_tools=openai_tools.matches,
    load_tools=openai_tools.load,
    dump_tools=openai_tools.dump,
    matches_record=openai_records.matches_record,
    keys=("messages",),
    signs=TEXT_ARGUMENTS,
    reads_as="openai",
    load_record=openai_records.load_record,
    dump_record=openai_records.dump_record,
    recognised_by="`messages`, and arguments as text, ids that start with `call_`, or `parallel_tool_calls`",
)
