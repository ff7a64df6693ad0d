"""What a wire format is: up to four functions, every one optional."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from generator.formats.losses import Loss
from generator.jsontext import JsonObject, JsonValue
from generator.schemas.keywords import Note
from generator.tools import Change, Tool


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


Sign = Literal[
    "calls beside",
    "parallel_tool_calls",
    "text arguments",
    "system beside",
    "input schema",
    "parts",
    "tags",
    "marks",
    "action input",
    "other roles",
    "function role",
    "requestor",
    "listed tools",
]
"""What one look at `messages` may find, before any format is asked about them (see `recognition`)."""
TEXT_ARGUMENTS: frozenset[Sign] = frozenset({"parallel_tool_calls", "text arguments"})
Standing = Literal["certain", "usual", "modest", "otherwise"]
"""How a format stands among those that claim a record: it leaves no doubt; it is judged by the sense it makes; it
stands back where another makes as much; it is taken where no other claims the record."""


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
    """Say whether a parsed line that has one of `keys` is a record of this format."""
    keys: tuple[str, ...] = ()
    """The keys under which its records hold what is said: a line that has none of them is none of its records."""
    signs: frozenset[Sign] = frozenset()
    """Signs of which `messages` must show one before it is asked; without any it is asked about all of them."""
    standing: Standing = "usual"
    reads_as: str = ""
    """The format of which it is a narrower form: of those that read alike, the first that claims a record is taken."""
    takes_plain: Callable[[JsonObject, str], bool] | None = None
    """Say whether it reads what stands under one of its keys where no format claims that."""
    in_text: tuple[str, ...] = ()
    """Columns that some data sets write as the text of their JSON."""
    unfold: Callable[[JsonObject], list[JsonObject]] | None = None
    """Return the records of a line that holds several."""
    unfolded_keys: tuple[str, ...] = ()
    """The keys of which such a line has one."""
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
