"""The `openai` format: tool definitions as OpenAI's API takes them."""

from __future__ import annotations

from generator.formats import openai_tools
from generator.formats.format import Format

FORMAT = Format(
    name="openai",
    summary="OpenAI: nested and flat function tools",
    matches_tools=openai_tools.matches,
    load_tools=openai_tools.load,
    dump_tools=openai_tools.dump,
)
