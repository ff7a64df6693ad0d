"""The `llamafactory-openai` format: LLaMA-Factory's openai flavour, arguments as objects and tools as JSON text.

LLaMA-Factory writes the arguments to text itself, so that text would be encoded twice; it needs the `content` key in
every message, and reads no text beside calls.
"""

from __future__ import annotations

from generator.formats.deepfabric import load_record
from generator.formats.format import Format
from generator.formats.record_losses import METADATA
from generator.formats.shown_tools import bare
from generator.jsontext import JsonObject, dump_compact


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record."""
    return {"messages": document["messages"], "tools": dump_compact(bare(document.get("tools", [])))}


FORMAT = Format(
    name="llamafactory-openai",
    summary="LLaMA-Factory, openai flavour: arguments as objects, tools as JSON text",
    load_record=load_record,
    dump_record=dump_record,
    recognised_by="read as `deepfabric`, which takes tools as JSON text too",
    losses=(METADATA,),
)
