"""The world of one record: remade from its seed and its domain, and proven by what the record shows; else a likeness.

A record's metadata tell the seed, the day and the locale of its world, the catalog what its tools do. Whether it is
that world, its calls tell: executed there, they must bring what the record shows. What they bring otherwise was planned
(an outage), or written by a model where no domain knows what a tool does. Where no such world is found, the record's
calls are answered as it shows them, and others in a world that is only like it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from generator.domains.catalog import Catalog
from generator.domains.deriving import derive_domain
from generator.errors import ToolFileError, ValueSynthesisError
from generator.formats.conversation import calls_of, digest_of, function_of, messages_of, with_object_arguments
from generator.formats.literals import parse_json
from generator.formats.loading.tool_files import load_tools
from generator.grading.values import Reading, reader_of
from generator.job import EARLIEST_REFERENCE_DATE, LATEST_REFERENCE_DATE
from generator.job_choices import DEFAULT_REFERENCE_DATE
from generator.jsontext import JsonObject, JsonValue
from generator.random_streams import derive_seed
from generator.records import SUCCESS, ToolResult
from generator.scenarios.planner import PreparedCatalog, prepared
from generator.schemas.validators import schema_problems
from generator.tools import Tool
from generator.validation.masks import mask_of, unmasked
from generator.validation.view import RecordView
from generator.values.meanings.entities import known_locales
from generator.worlds.execution import Done, Unfit, execute
from generator.worlds.program import CompiledDomain, compiled_domain
from generator.worlds.world import World

_LOCALE = "en_US"
_NOT_NOW = "The service is temporarily unavailable."


@dataclass(frozen=True, slots=True)
class WrittenResult(ToolResult):
    """A result as a record writes it, which need not be the compact JSON that toolgen writes."""

    written: str = ""

    @property
    def message_text(self) -> str:
        """The tool message's content, byte for byte that of the record."""
        return self.written


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call that a record shows with its result, by its own names."""

    turn: int
    """The number of its message among the assistant's: calls of one turn have no order."""
    name: str
    arguments: JsonObject
    result: WrittenResult


def recorded_calls(document: JsonObject) -> tuple[RecordedCall, ...]:
    """Return the calls of a canonical record that are answered in it, in their order; what is malformed is left out."""
    metadata = document.get("metadata")
    statuses = metadata.get("statuses") if isinstance(metadata, dict) else None
    return tuple(_calls(document, statuses if isinstance(statuses, dict) else {}))


def _calls(document: JsonObject, statuses: JsonObject) -> Iterator[RecordedCall]:
    turn = -1
    asked: list[JsonObject] = []
    for message in messages_of(document):
        if message.get("role") == "assistant":
            turn += 1
            asked = [with_object_arguments(call) for call in calls_of(message)]
        elif message.get("role") == "tool":
            call = _answered(asked, message.get("tool_call_id"))
            function = function_of(call)
            name, arguments, content = function.get("name"), function.get("arguments"), message.get("content")
            if isinstance(name, str) and isinstance(arguments, dict) and isinstance(content, str):
                yield RecordedCall(turn, name, arguments, _result(name, content, statuses.get(str(call.get("id")))))


def _answered(asked: list[JsonObject], identity: JsonValue) -> JsonObject:
    """Take the call out that a result belongs to: the one of its id, else, where it has none, the first."""
    for place, call in enumerate(asked):
        if identity is None or call.get("id") == identity:
            return asked.pop(place)
    return {}


def _result(name: str, content: str, status: JsonValue) -> WrittenResult:
    """Read the content of a tool message: a value, or an error as toolgen writes it or as the metadata tell it."""
    value = parse_json(content)
    error = value.get("error") if isinstance(value, dict) and len(value) == 1 else None
    if isinstance(error, dict) and isinstance(error.get("type"), str):
        return WrittenResult(name, None, error["type"], str(error.get("message", "")), written=content)
    if isinstance(status, str) and status != SUCCESS:
        return WrittenResult(name, None, status, content, written=content)
    return WrittenResult(name, value, written=content)


def told_mask(document: JsonObject) -> JsonObject | None:
    """Return what a record's scrambled names stand for, `{"tools": {...}, "parameters": {...}}`; None for none."""
    if not (isinstance(document.get("messages"), list) and isinstance(document.get("tools"), list)):
        return None
    return mask_of(RecordView({"metadata": document.get("metadata")}))


def by_own_names(document: JsonObject) -> JsonObject:
    """Return a record without its mask; itself where it has none."""
    told = told_mask(document)
    return document if told is None else unmasked(document, told)


@dataclass(frozen=True, slots=True)
class ShownTool:
    """A tool as a record shows it, and as the world knows it."""

    definition: JsonObject
    """What the record shows: `{"type": "function", "function": {...}}`, its names scrambled where the record's are."""
    tool: Tool | None
    """The tool under its own name; None where its definition cannot be used."""
    judge: Tool | None
    """The tool by the names that are shown, by which calls are judged; None where its definition cannot be used."""
    parameters: dict[str, str]
    """Its own parameter names by those that are shown, where they differ."""

    @property
    def name(self) -> str:
        """The name that is shown."""
        return str(function_of(self.definition).get("name"))

    def by_own_names(self, arguments: JsonObject) -> tuple[str, JsonObject]:
        """Return a call of it under the tool's own name, with its own names of parameters."""
        own = self.name if self.tool is None else self.tool.name
        return own, {self.parameters.get(key, key): value for key, value in arguments.items()}


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """A call of the record, and what it brings in place of what the world would bring by itself."""

    call: RecordedCall
    forced: ToolResult | None
    """None where the world brings what the record shows."""
    is_outage: bool
    """Whether the tool failed for a reason that has nothing to do with the world."""


def meaning_of(arguments: JsonObject, tool: Tool | None) -> Reading:
    """Return what the arguments of a call mean: equal for calls of this tool that mean the same."""
    return reader_of({} if tool is None else tool.parameters).read(arguments)


@dataclass(frozen=True, slots=True)
class RecordWorld:
    """The world of one record as it begins, its tools, and what is known of its own calls."""

    id: str
    tools: dict[str, ShownTool]
    """By the names that are shown."""
    own_tools: dict[str, Tool]
    """Those that can be used, by their own names."""
    script: tuple[ScriptedCall, ...]
    meanings: tuple[Reading, ...]
    """What the arguments of each call of the script mean."""
    start: World
    is_remade: bool
    """Whether this is the world that the record was made in, rather than one like it."""
    writing: frozenset[str]
    """The tools that change something, by their own names; in a world that is not remade, those that may."""


def _opened(
    identity: str,
    tools: dict[str, ShownTool],
    script: tuple[ScriptedCall, ...],
    start: World,
    *,
    is_remade: bool,
    writing: frozenset[str],
) -> RecordWorld:
    own = {each.tool.name: each.tool for each in tools.values() if each.tool is not None}
    meanings = tuple(meaning_of(each.call.arguments, own.get(each.call.name)) for each in script)
    return RecordWorld(identity, tools, own, script, meanings, start, is_remade, writing)


class WorldMaker:
    """Makes the worlds of records.

    `catalogs` hold what is known of their tools; `domains` are domain files for tools that no catalog has.
    """

    def __init__(self, catalogs: Sequence[Catalog] = (), domains: Sequence[str] = ()) -> None:
        self._catalogs = tuple(catalogs)
        self._prepared: dict[int, PreparedCatalog] = {}
        self._domains = tuple(domains)

    def world_of(self, identity: str, document: JsonObject) -> RecordWorld:
        """Return the world of a canonical record, which may be malformed."""
        own = by_own_names(document)
        calls = recorded_calls(own)
        definitions = [each for each in _listed(own.get("tools")) if isinstance(each, dict)]
        for number, catalog in enumerate(self._catalogs):
            tools = _known(definitions, catalog)
            for compiled in self._domains_of(number, tools, calls):
                world = _told_world(document, compiled)
                script = None if world is None else _script(world, tools, calls)
                if world is not None and script is not None:
                    shown = _shown(document, definitions, tools)
                    return _opened(identity, shown, script, world, is_remade=True, writing=compiled.writing)
        return self._likeness(identity, document, definitions, calls)

    def _domains_of(
        self, number: int, tools: dict[str, Tool], calls: Sequence[RecordedCall]
    ) -> Iterator[CompiledDomain]:
        """Yield the domains that may speak of a record: those of the tools that it calls, else of those it shows."""
        called = [tools[call.name] for call in calls if call.name in tools]
        of = called if calls else list(tools.values())
        seen: set[str] = set()
        for tool in of:
            compiled = self._prepared_catalog(number).compiled_of(tool.key)
            if compiled.domain.name not in seen:
                seen.add(compiled.domain.name)
                yield compiled

    def _prepared_catalog(self, number: int) -> PreparedCatalog:
        if number not in self._prepared:
            self._prepared[number] = prepared(self._catalogs[number])
        return self._prepared[number]

    def _likeness(
        self, identity: str, document: JsonObject, definitions: list[JsonObject], calls: Sequence[RecordedCall]
    ) -> RecordWorld:
        """Return a world that is only like that of the record, in which its own calls are answered as it shows them."""
        tools, compiled = self._loaded(identity, definitions)
        seed = derive_seed("likeness", digest_of([document.get("messages"), document.get("tools")]))
        metadata = document.get("metadata")
        told = metadata if isinstance(metadata, dict) else {}
        day = _day(told.get("reference_date")) or DEFAULT_REFERENCE_DATE
        start = World(compiled.program, seed, day, _locale(told.get("locale")) or _LOCALE)
        script = tuple(ScriptedCall(call, call.result, is_outage=False) for call in calls)
        shown = _shown(document, definitions, tools)
        writing = frozenset(name for name, tool in tools.items() if name in compiled.writing or _may_write(tool))
        return _opened(identity, shown, script, start, is_remade=False, writing=writing)

    def _loaded(self, identity: str, definitions: list[JsonObject]) -> tuple[dict[str, Tool], CompiledDomain]:
        """Return the tools of a record that can be used, by their own names, and what is known of most of them."""
        found: dict[str, Tool] = {}
        for number, catalog in enumerate(self._catalogs):
            found = _known(definitions, catalog)
            if found:
                compiled = next(self._domains_of(number, found, ()))
                return {**self._bare(definitions)[0], **found}, compiled
        return self._bare(definitions, identity)

    def _bare(self, definitions: list[JsonObject], name: str = "") -> tuple[dict[str, Tool], CompiledDomain]:
        """Return the tools of definitions, and what the domain files or else the definitions themselves tell."""
        try:
            loaded = load_tools(definitions, domains=self._domains, skip_invalid=True, on_conflict="source")
        except (
            ToolFileError
        ):  # there is no tool, or none that can be used; `RecordWorlds` has looked at the domain files
            return {}, compiled_domain(derive_domain([], name), [])
        tools = {tool.original_name or tool.name: tool for tool in reversed(loaded)}
        for domain in loaded.domains:
            return tools, compiled_domain(domain, [tool for tool in loaded if tool.domain == domain.name])
        return tools, compiled_domain(derive_domain(loaded, name), loaded)


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _known(definitions: Iterable[JsonObject], catalog: Catalog) -> dict[str, Tool]:
    """Return the tools of a catalog that are shown: those that are defined so, else those of that name alone."""
    named: dict[str, list[Tool]] = {}
    for each in catalog.tools:
        named.setdefault(each.name, []).append(each)
    found: dict[str, Tool] = {}
    for definition in definitions:
        name = function_of(definition).get("name")
        alike = named.get(name, []) if isinstance(name, str) else []
        tool = catalog.by_fingerprint.get(digest_of(definition)) or (alike[0] if len(alike) == 1 else None)
        if tool is not None:
            found.setdefault(tool.name, tool)
    return found


def _shown(document: JsonObject, own: list[JsonObject], tools: dict[str, Tool]) -> dict[str, ShownTool]:
    """Return what a record shows, by the names that it shows, with the tools behind them."""
    told = told_mask(document)
    shown: dict[str, ShownTool] = {}
    definitions = [each for each in _listed(document.get("tools")) if isinstance(each, dict)]
    for definition, named in zip(definitions, own, strict=True):
        function = function_of(definition)
        name = function.get("name")
        if not isinstance(name, str) or name in shown:
            continue
        tool = tools.get(str(function_of(named).get("name")))
        names = {} if told is None else _renamed(function.get("parameters"), told["parameters"])
        shown[name] = ShownTool(definition, tool, _judge(definition, tool, told), names)
    return shown


def _renamed(schema: JsonValue, renamed: JsonObject) -> JsonObject:
    """Return the names of those parameters of a schema that are scrambled, with their own."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return {each: renamed[each] for each in properties if each in renamed} if isinstance(properties, dict) else {}


def _judge(definition: JsonObject, tool: Tool | None, told: JsonObject | None) -> Tool | None:
    """Return a tool by the names that a record shows, scrambled where a mask is told; None where its schema is none."""
    if tool is None or told is None:
        return tool
    function = function_of(definition)
    parameters = function.get("parameters")
    if not isinstance(parameters, dict) or schema_problems(parameters):
        return None
    return tool.model_copy(update={"name": str(function["name"]), "parameters": parameters})


def _told_world(document: JsonObject, compiled: CompiledDomain) -> World | None:
    """Return the world that the metadata tell; None where they tell none."""
    metadata = document.get("metadata")
    if not isinstance(metadata, dict):
        return None
    seed, day, locale = metadata.get("seed"), _day(metadata.get("reference_date")), _locale(metadata.get("locale"))
    if type(seed) is not int or day is None or locale is None:
        return None
    return World(compiled.program, seed, day, locale)


def _day(told: JsonValue) -> date | None:
    try:
        day = date.fromisoformat(told) if isinstance(told, str) else None
    except ValueError:
        return None
    return day if day is not None and EARLIEST_REFERENCE_DATE <= day <= LATEST_REFERENCE_DATE else None


def _locale(told: JsonValue) -> str | None:
    return told if isinstance(told, str) and told in known_locales() else None


def _script(world: World, tools: dict[str, Tool], calls: Sequence[RecordedCall]) -> tuple[ScriptedCall, ...] | None:
    """Execute the calls of a record, and say what each brings that the world does not; None where this is another one.

    A failure may have been planned; a value that the world does not bring is a model's, of a tool that nobody knows.
    """
    script: list[ScriptedCall] = []
    for call in calls:
        tool = tools.get(call.name)
        if tool is None:
            return None
        done = executed(world, tool, call.arguments)
        if done.result.message_text == call.result.message_text:
            script.append(ScriptedCall(call, None, is_outage=False))
        elif call.result.error_type is not None:
            done = executed(world, tool, call.arguments, call.result)
            script.append(ScriptedCall(call, call.result, is_outage=True))
        elif _is_unknown(world, tool):
            script.append(ScriptedCall(call, call.result, is_outage=False))
        else:
            return None
        world = done.world
    return tuple(script)


def _is_unknown(world: World, tool: Tool) -> bool:
    """Say whether the world knows nothing of what a tool does, so that its results are a model's or a schema's."""
    program = world.program.tools.get(tool.name)
    return world.program.domain.origin == "derived" and (program is None or not program.effects)


def executed(world: World, tool: Tool, arguments: JsonObject, outcome: ToolResult | None = None) -> Done:
    """Execute a call as the world does; where it comes to nothing that fits the tool, the service is unavailable."""
    try:
        return execute(world, tool, arguments, outcome)
    except (Unfit, ValueSynthesisError):
        later = world.copy()
        later.tick()
        return Done(later, ToolResult(tool.name, error_type="SERVICE_UNAVAILABLE", error_message=_NOT_NOW))


def _may_write(tool: Tool) -> bool:
    """Say whether a definition leaves open that its tool changes something."""
    operation = tool.extensions.get("x_openapi")
    if isinstance(operation, dict):
        return str(operation.get("method", "get")).lower() not in ("get", "head", "options")
    notes = tool.extensions.get("annotations")
    return not (isinstance(notes, dict) and notes.get("readOnlyHint") is True)
