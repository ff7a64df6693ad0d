"""Writing records and tools in a format: how they are shaped before, and what the format could not hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.errors import UsageError
from generator.formats import FORMATS
from generator.formats.conversation import Turn, calls_of, turns_of
from generator.formats.format import Format, ToolDump
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.suggestions import did_you_mean
from generator.tools import Tool


@dataclass(frozen=True, slots=True)
class Shaping:
    """The format that records are written in, and the options of writing.

    `system` takes the place of each record's own system message, or is put first where there is none;
    `merge_system` puts it before the first user message's own words, for templates that have no place for it;
    `serialize_parallel` writes calls that were made together one after the other, each followed by its result;
    `tools_as_string` writes the list of tools as JSON text; `variant` is one of the format's, "" its first.

    Raises:
        UsageError: the format has no such variant, or no list of tools.
    """

    target: Format
    system: str | None = None
    serialize_parallel: bool = False
    metadata: bool = True
    tools_as_string: bool = False
    variant: str = ""
    merge_system: bool = False

    def __post_init__(self) -> None:
        """Refuse what the format cannot do."""
        if self.variant and self.variant not in self.target.variants:
            known = ", ".join(self.target.variants) or "none"
            raise UsageError(f"--variant {self.variant}: the format {self.target.name} has {known}")
        if self.tools_as_string and not self.target.tools_column:
            raise UsageError(f"--tools-as-string: the format {self.target.name} has no list of tools")

    @property
    def is_plain(self) -> bool:
        """Whether a record is written as it is."""
        return self.system is None and not self.serialize_parallel and self.metadata and not self.merge_system

    def tells_the_same(self, document: JsonObject) -> bool:
        """Say whether what the metadata tell of a record still holds for what is written of it."""
        if self.merge_system and with_system_merged(document) is not document:
            return False
        return not self.serialize_parallel or serialized(document) is document

    def prepare(self, document: JsonObject) -> JsonObject:
        """Return the canonical record that is to be written, its shape being that of a record."""
        if self.is_plain:
            return document
        if self.serialize_parallel:
            document = serialized(document)
        if self.system is not None:
            document = with_system(document, self.system)
        if self.merge_system:
            document = with_system_merged(document)
        if not self.metadata and "metadata" in document:
            document = {key: value for key, value in document.items() if key != "metadata"}
        return document

    def write(self, document: JsonObject) -> JsonObject:
        """Write a record that was prepared in the target format."""
        dump = self.target.variants.get(self.variant, self.target.dump_record)
        if dump is None:
            raise UsageError(f"the format {self.target.name} is read, not written")
        written = dump(document)
        column = self.target.tools_column
        if self.tools_as_string and isinstance(written.get(column), list):
            written = {**written, column: dump_compact(written[column])}
        return written


def with_system(document: JsonObject, text: str) -> JsonObject:
    """Return the record with this system message in place of its own."""
    messages = document["messages"]
    rest = messages[1:] if messages[0]["role"] == "system" else messages
    return {**document, "messages": [{"role": "system", "content": text}, *rest]}


def with_system_merged(document: JsonObject) -> JsonObject:
    """Return the record with its system message before the words of the user message that follows it.

    Such a record loses its metadata, which tells of another conversation. One that begins otherwise stays as it is:
    there is nothing to merge, or nothing to merge it into.
    """
    messages = document["messages"]
    if [message["role"] for message in messages[:2]] != ["system", "user"]:
        return document
    system, user = messages[:2]
    merged = {**user, "content": f"{system['content']}\n\n{user['content']}"}
    return {**{key: value for key, value in document.items() if key != "metadata"}, "messages": [merged, *messages[2:]]}


def serialized(document: JsonObject) -> JsonObject:
    """Return the record with calls made one at a time.

    A record that this changes loses its metadata, which tells of another conversation. Calls without results stay
    together, since nothing could stand between them.
    """
    turns = turns_of(document)
    if not any(len(turn.results) > 1 for turn in turns):
        return document
    messages = [message for turn in turns for message in _one_at_a_time(turn)]
    return {key: messages if key == "messages" else value for key, value in document.items() if key != "metadata"}


def up_to_each_turn(document: JsonObject) -> Iterator[JsonObject]:
    """Yield the record as far as each turn of the assistant's, the first one first; metadata tell of the whole."""
    messages = document["messages"]
    rest = {key: value for key, value in document.items() if key != "metadata"}
    for place, message in enumerate(messages, 1):
        if message["role"] == "assistant":
            yield {**rest, "messages": messages[:place]}


def _one_at_a_time(turn: Turn) -> Iterator[JsonObject]:
    calls = calls_of(turn.message)
    if len(turn.results) < 2:
        yield turn.message
        yield from turn.results
        return
    for place, (call, result) in enumerate(zip(calls, turn.results, strict=True)):
        yield {"role": "assistant", "content": "" if place else turn.message["content"], "tool_calls": [call]}
        yield result


TOOL_FORMATS: tuple[str, ...] = tuple(name for name, one in FORMATS.items() if one.dump_tools)
"""The formats that tools can be written in."""


def dump_tools(tools: Sequence[Tool], to: str) -> ToolDump:
    """Write the tools in the format called `to`.

    Raises:
        UsageError: no such format, or two tools of one name (from different toolsets), which no format holds.
    """
    wanted = FORMATS.get(to)
    if wanted is None or wanted.dump_tools is None:
        hint = did_you_mean(to, TOOL_FORMATS)
        raise UsageError(
            f"tools cannot be written as {to!r}; the formats are {', '.join(TOOL_FORMATS)}. {hint}".strip()
        )
    _refuse_repeated_names(tools)
    return wanted.dump_tools(tools)


def dump_as_trained(tools: Sequence[Tool]) -> JsonValue:
    """Write the tools as records show them to the model, which is what to serve the tuned model with.

    Raises:
        UsageError: two tools of one name, which a request cannot hold.
    """
    _refuse_repeated_names(tools)
    return [tool.shown for tool in tools]


def _refuse_repeated_names(tools: Sequence[Tool]) -> None:
    toolsets: dict[str, list[str]] = {}
    for tool in tools:
        toolsets.setdefault(tool.name, []).append(tool.toolset)
    for name, sharing in toolsets.items():
        if len(sharing) > 1:
            raise UsageError(
                f"{name!r} is defined differently in {', '.join(sharing)}, and one list of tools holds a name once: "
                "write one source at a time"
            )
