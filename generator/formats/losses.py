"""What a format cannot hold of a tool, said once for every format."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import pointer
from generator.tools.tool import Change, Tool


def result_loss(tool: Tool) -> Iterator[Change]:
    """Say that the result schema is left out; a derived one is no loss, since it is derived again."""
    if tool.result_origin != "domain":
        yield Change(pointer="/result_schema", kind="lost", message="the format has no place for a result schema")


def extension_losses(tool: Tool) -> Iterator[Change]:
    """Say which extensions are left out."""
    for name in tool.extensions:
        yield Change(pointer=pointer((name,)), kind="lost", message="the format has no place for extensions")


def strict_loss(tool: Tool) -> Iterator[Change]:
    """Say that `strict` is left out, where it was said."""
    if tool.strict is not None:
        yield Change(pointer="/strict", kind="lost", message="the format has no strict mode")
