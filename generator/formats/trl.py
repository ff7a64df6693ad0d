"""The `trl` format: the columns that TRL's trainers read, `messages` and `tools` alone, arguments as objects.

Axolotl's `chat_template` data sets and verl's have the same shape.
"""

from __future__ import annotations

from generator.formats.deepfabric import load_record
from generator.formats.format import Format
from generator.formats.record_losses import METADATA
from generator.jsontext import JsonObject


def dump_record(document: JsonObject) -> JsonObject:
    """Write the two columns of a canonical record."""
    return {"messages": document["messages"], "tools": document.get("tools", [])}


FORMAT = Format(
    name="trl",
    summary="TRL, Axolotl, verl: the columns messages and tools, arguments as objects",
    load_record=load_record,
    dump_record=dump_record,
    recognised_by="read as `deepfabric`",
    losses=(METADATA,),
)
