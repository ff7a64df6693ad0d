"""What a wire format is: up to four functions, every one optional."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from generator.formats.record_losses import Loss
from generator.jsontext import JsonObject, JsonValue
from generator.schemas.node import Note
from generator.tools.tool import Change, Tool


@dataclass(frozen=True, slots=True)
class RawTool:
    """A definition as a format's file holds it, before its schemas are brought to the working form."""

    pointer: str
    """JSON pointer of the definition inside its document."""
    name: JsonValue
    description: JsonValue
    parameters: JsonValue
    parameters_at: str = "/parameters"
    """Where the parameters stand inside the definition."""
    result_schema: JsonValue = None
    result_at: str = ""
    """Where the result schema stands inside the definition; "" where there is none."""
    strict: JsonValue = None
    extensions: JsonObject = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    """What the format's own rules found; pointers are relative to the definition."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Where parts that the format put together stand in the document, by their pointers inside the definition."""
    tool: Tool | None = None
    """The tool itself, where the definition was in the working form already."""
    is_definition: bool = True
    """False for what only carries notes on the structure around definitions."""


@dataclass(frozen=True, slots=True)
class ToolDump:
    """Tools written in a format, and what the format could not hold, by tool name."""

    document: JsonValue
    losses: dict[str, tuple[Change, ...]]


@dataclass(frozen=True, slots=True)
class Format:
    """One wire format. Functions that a format has no use for are None."""

    name: str
    summary: str
    matches_tools: Callable[[JsonValue], bool] | None = None
    """Say whether one element of a document, not a list, holds tools of this format."""
    load_tools: Callable[[JsonValue], Iterator[RawTool]] | None = None
    """Read the definitions of what `matches_tools` said yes to; pointers are relative to it."""
    dump_tools: Callable[[Sequence[Tool]], ToolDump] | None = None
    matches_record: Callable[[JsonValue], bool] | None = None
    load_record: Callable[[JsonObject], JsonObject] | None = None
    """Bring a record of this format to the canonical document; what it cannot read stays for the rules to find."""
    dump_record: Callable[[JsonObject], JsonObject] | None = None
    """Write a canonical record that `find_misshapen` has no complaint about in this format."""
    variants: Mapping[str, Callable[[JsonObject], JsonObject]] = field(default_factory=dict)
    """Other ways of writing a record, by name; the first is `dump_record` itself."""
    recognised_by: str = ""
    """What tells a record of this format from others, in words."""
    losses: tuple[Loss, ...] = ()
    """What reading a written record back does not give."""
    columns: frozenset[str] = frozenset({"messages", "tools", "metadata", "parallel_tool_calls"})
    """The columns of a line that the format has a use for; what the others hold is read by nobody."""
    tools_column: str = "tools"
    """The key that holds the list of tools in a written record; "" where there is none."""
