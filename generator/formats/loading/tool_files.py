"""Tool files in: every definition of every source as a Tool in the working form, or every problem at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import filterfalse
from operator import is_not
from pathlib import Path
from typing import Any, TypeGuard

from generator.domains.catalog import Catalog
from generator.errors import Problem, ToolFileError
from generator.formats import FORMATS
from generator.formats.definitions import FRAMES_EXTENSION
from generator.formats.format import Format, RawTool
from generator.formats.loading import domain_files
from generator.formats.loading.domain_files import DomainFile
from generator.formats.loading.functions import import_function, names_function, read_function
from generator.formats.loading.merging import Entry, OnConflict, merge
from generator.formats.loading.parsing import Document, Reading, find_unusable, read_documents
from generator.formats.loading.sources import Reader, SharedFile, SourceFile, Sources, find_files
from generator.garbage_collection import not_looked_for
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.canonical import canonical_form, find_contradiction
from generator.schemas.dialects import Normalized, normalize_parameters, normalize_schema
from generator.schemas.keywords import Note, shown, under
from generator.schemas.limits import LARGEST_VALUE, least_size
from generator.schemas.steps import find_control_token, find_control_token_in, name_in_words, without_control_tokens
from generator.schemas.strict import strict_notes
from generator.schemas.validators import schema_problems
from generator.tools import Change, ResultOrigin, Tool

_CONTAINERS = ("tools", "functions", "function", "result")
"""Fields that hold definitions: a request's or answer's `tools`, older requests' `functions`, JSON-RPC's `result`."""
_EXPECTED = "a definition has a name with parameters, inputSchema or input_schema, or stands in function_declarations"


@dataclass(frozen=True, slots=True)
class Definitions:
    """One element of a document that holds definitions of a format."""

    format: Format
    pointer: str
    element: JsonObject


@dataclass(frozen=True, slots=True)
class Miss:
    """One element of a document that holds no definition of any format."""

    pointer: str
    message: str
    remedy: str = _EXPECTED


def find_definitions(document: JsonValue) -> Iterator[Definitions | Miss]:
    """Yield what a document holds, in its order; its depth must be bounded."""
    return _find(document, ())


def _find(value: JsonValue, path: tuple[str | int, ...]) -> Iterator[Definitions | Miss]:
    if isinstance(value, list):
        if not value:
            yield Miss(pointer(path), "holds nothing")
        for index, element in enumerate(value):
            yield from _find(element, (*path, index))
        return
    known = next((one for one in FORMATS.values() if one.matches_tools and one.matches_tools(value)), None)
    if known is not None:
        yield Definitions(known, pointer(path), value)
        return
    container = _container(value)
    if container is None:
        yield Miss(pointer(path), *_why(value))
    else:
        yield from _find(value[container], (*path, container))


def _container(value: JsonValue) -> str | None:
    """Return the field that holds definitions, or None."""
    if not isinstance(value, dict):
        return None
    for name in _CONTAINERS:
        held = value.get(name)
        if isinstance(held, list) or (name == "result" and isinstance(held, dict)):
            return name
    return None


def _why(value: JsonValue) -> tuple[str, str]:
    """Say why an element is no definition, in the words that fit it."""
    if not isinstance(value, dict):
        return f"{shown(value)} is no tool definition", _EXPECTED
    if "arguments" in value or (isinstance(value.get("function"), dict) and {"id", "index"} & value.keys()):
        return "is a tool call, no definition", _EXPECTED
    if isinstance(value.get("type"), str) and "name" in value:
        return f"has the type {shown(value['type'])} and no parameters: a built-in tool?", _EXPECTED
    if "type" in value or "properties" in value:
        return "is a schema without a name", _EXPECTED
    keys = ", ".join(list(value)[:6]) or "nothing"
    return f"is no tool definition: it has {keys}", _EXPECTED


MOST_TOOLS = 20_000
"""Definitions that one load reads; each takes about a millisecond."""


@dataclass(frozen=True, slots=True)
class LoadedCatalog:
    """The tools of a load, and everything that is worth saying about it."""

    catalog: Catalog
    skipped: tuple[Problem, ...] = ()
    """What could not be used and was left out (`skip_invalid`)."""
    warnings: tuple[Problem, ...] = ()
    """What is used although a rule of its format is broken: unknown fields, misfit defaults, missing descriptions."""
    merged: tuple[str, ...] = ()
    """Which equal definitions became one tool."""


@dataclass(slots=True)
class _Load:
    """What one load has gathered."""

    strict: bool
    entries: list[Entry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    reader: Reader = field(default_factory=Reader)
    domains: list[DomainFile] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    """Names of definitions that cannot be used."""
    definitions: int = 0

    def count(self, place: str) -> None:
        """Count one more definition.

        Raises:
            ToolFileError: it is one too many.
        """
        self.definitions += 1
        if self.definitions > MOST_TOOLS:
            remedy = "give the tools you need, or make several runs"
            raise ToolFileError(
                [Problem(place, f"here the tools are more than {MOST_TOOLS:,}, which are read", remedy)]
            )

    def read_shared(self, found: Sources, named: Sequence[str | Path]) -> None:
        """Read the domain files that speak of several files, those that the operator named among them."""
        files = [*_shared_files(named), *found.shared]
        self.domains += domain_files.read_shared(files, self.reader, self.problems)
        self.warnings += found.old.values()


def _shared_files(named: Sequence[str | Path]) -> list[SharedFile]:
    return [SharedFile(Path(path)) for path in dict.fromkeys(map(str, named))]


class LoadedTools(list[Tool]):
    """Tools, and the domains that speak of them."""

    def __init__(self, catalog: Catalog) -> None:
        super().__init__(catalog.tools)
        self.domains = catalog.domains
        self._catalog = catalog

    @property
    def catalog(self) -> Catalog:
        """The catalog of what the list holds now: the one that was loaded, unless the list was changed since.

        What plans over a catalog is prepared once, so that the same one is better than an equal one.
        """
        if len(self) != len(self._catalog.tools) or any(map(is_not, self, self._catalog.tools)):
            self._catalog = Catalog(tools=tuple(self), domains=self.domains)
        return self._catalog


@not_looked_for()
def load_catalog(
    sources: Sequence[str | Path],
    *,
    skip_invalid: bool = False,
    on_conflict: OnConflict = "refuse",
    strict: bool = False,
    domains: Sequence[str | Path] = (),
    listed: Mapping[str, JsonValue] | None = None,
    bare: bool = False,
) -> LoadedCatalog:
    """Load the tools of files, folders, globs and `-` (standard input) into one catalog.

    Args:
        sources: paths as the operator wrote them; a file in several of them is read once.
        skip_invalid: go on without what cannot be used; a source that is not there, and different definitions of one
            name, are refused even so.
        on_conflict: what to do with different definitions of one name: "refuse" them, or make each "source" a
            toolset of its own.
        strict: refuse deviations from a format's specification too, unknown fields among them.
        domains: domain files; they come before those beside the files.
        listed: tool files that are no files, by how messages name them: the lists of MCP servers.
        bare: the tools alone, whatever domain files say of them: one of those may be half written.

    Raises:
        ToolFileError: with every problem of every file.
    """
    files = list(filter(_is_path, sources))
    found = find_files(files) if files or not (sources or listed) else Sources()
    load = _Load(strict)
    load.read_shared(found, domains)
    for file in found.files:
        _load_file(file, load)
    for source in dict.fromkeys(map(str, filterfalse(_is_path, sources))):
        _load_named_function(source, load)
    for place, document in (listed or {}).items():
        _load_value(document, place, load)
    load.domains = [] if bare else load.domains
    return _finish(load, found.problems, skip_invalid=skip_invalid, on_conflict=on_conflict)


@not_looked_for()
def load_tools(
    *sources: str | Path | Tool | Mapping[str, Any] | Sequence[Any] | Callable[..., Any],
    skip_invalid: bool = False,
    on_conflict: OnConflict = "refuse",
    strict: bool = False,
    domains: Sequence[str | Path] = (),
) -> LoadedTools:
    """Load tools from paths, from definitions that are parsed already (a dict, a list, a Tool) and from functions.

        load_tools("my_tools.json", "servers/", domains=["my_tools.domain.yaml"])
        load_tools({"name": "get_time", "description": "Tells the time.", "inputSchema": {"type": "object"}})
        load_tools(get_weather, "my_package.my_module:find_restaurants")

    Args:
        sources: what to load; paths are files, folders and globs. A function is a callable, or named as
            `package.module:function`.
        skip_invalid: go on without what cannot be used.
        on_conflict: what to do with different definitions of one name: "refuse" them, or make each "source" a
            toolset of its own.
        strict: refuse deviations from a format's specification too, unknown fields among them.
        domains: domain files; those beside tool files are read anyway.

    Returns:
        The tools, a list; `generate_records` knows the domains that came with them.

    Raises:
        ToolFileError: with every problem of every source.
    """
    load = _Load(strict)
    missing = _load_sources(tuple(part for source in sources for part in _apart(source)), domains, load)
    loaded = _finish(load, missing, skip_invalid=skip_invalid, on_conflict=on_conflict)
    return LoadedTools(loaded.catalog)


def _load_sources(sources: Sequence[Any], domains: Sequence[str | Path], load: _Load) -> list[Problem]:
    """Load each source in its order; return the problems of those that are not there."""
    paths = list(filter(_is_path, sources))
    found = find_files(paths) if paths or not sources else Sources()
    load.read_shared(found, domains)
    files: dict[str, list[SourceFile]] = defaultdict(list)
    for file in found.files:
        files[file.source].append(file)
    for number, source in enumerate(sources, 1):
        if _is_path(source):
            for file in files.pop(str(source), ()):
                _load_file(file, load)
        elif isinstance(source, str):
            _load_named_function(source, load)
        else:
            _load_value(source, f"argument {number}", load)
    return found.problems


def _is_path(source: object) -> TypeGuard[str | Path]:
    """Say whether a source is the path of files, and neither a function's name nor a value."""
    return isinstance(source, Path) or (isinstance(source, str) and not names_function(source))


def _apart(source: Any) -> Iterator[Any]:
    """Take a list apart that holds functions or tools, which no document can."""
    mixed = isinstance(source, list | tuple) and any(callable(part) or isinstance(part, Tool) for part in source)
    yield from source if mixed else (source,)


def _load_named_function(source: str, load: _Load) -> None:
    function = import_function(source)
    if isinstance(function, Problem):
        load.problems.append(function)
    else:
        _load_function(function, source, load)


def _load_function(function: Callable[..., Any], place: str, load: _Load) -> None:
    """Load one Python function."""
    raw = read_function(function)
    _load_raw(raw, Document({}, place), "", SourceFile(None, place, place), load)


def _load_value(value: Any, place: str, load: _Load) -> None:
    """Load what a caller holds in memory."""
    file = SourceFile(None, place, place)
    if isinstance(value, Tool):
        load.entries.append(Entry(value, file))
        return
    if callable(value):
        _load_function(value, place, load)
        return
    unusable = [Problem(f"{place}#{at}", message, remedy) for at, message, remedy in find_unusable(value)]
    reading = Reading(problems=tuple(unusable)) if unusable else Reading((Document(value, place),))
    _load_reading(reading, file, load)


def _load_file(file: SourceFile, load: _Load) -> None:
    data = load.reader.read(file.path, file.place)
    if isinstance(data, Problem):
        load.problems.append(data)
    else:
        load.domains += domain_files.read_beside(file, load.reader, load.problems)
        _load_reading(read_documents(data, file.place), file, load)


def _load_reading(reading: Reading, file: SourceFile, load: _Load) -> None:
    load.problems += reading.problems
    found = [(document, list(find_definitions(document.value))) for document in reading.documents]
    holds_tools = any(isinstance(part, Definitions) for _, parts in found for part in parts)
    for document, parts in found:
        load.domains += domain_files.domains_within(document, file)
        for part in parts:
            if isinstance(part, Definitions):
                _load_definitions(document, part, file, load)
            elif holds_tools:
                load.problems.append(Problem(document.where(part.pointer), part.message, part.remedy))
    if reading.documents and not holds_tools:
        load.problems.append(_holds_none(found[0][0], found[0][1][0]))


def _holds_none(document: Document, miss: Miss | Definitions) -> Problem:
    """Say that a file holds no tool, by its first element: a file of other data has one problem, not hundreds."""
    message, remedy = (miss.message, miss.remedy) if isinstance(miss, Miss) else ("", "")
    return Problem(document.where(miss.pointer), f"{message}; the file holds no tool", remedy)


def _load_definitions(document: Document, part: Definitions, file: SourceFile, load: _Load) -> None:
    """Load the definitions of one element."""
    for raw in _raw_tools(part):
        load.count(document.where(part.pointer))
        _load_raw(raw, document, part.pointer, file, load)


def _load_raw(raw: RawTool, document: Document, at: str, file: SourceFile, load: _Load) -> None:
    """Load one definition."""
    definition = Definition(raw, document, at + raw.pointer)
    tool = read_tool(definition) if raw.is_definition else None
    definition.notes += () if raw.is_definition else raw.notes
    refused = definition.refused(strict=load.strict)
    load.problems += refused
    load.refused |= {raw.name} if refused and isinstance(raw.name, str) else set()
    if not refused:
        load.warnings += [*definition.warnings(), *_old_sentences(definition)]
        load.entries += [Entry(tool, file)] if tool is not None else []


def _old_sentences(definition: Definition) -> Iterator[Problem]:
    """Say of sentences in a definition that they are not read any more."""
    if FRAMES_EXTENSION in definition.raw.extensions:
        remedy = "`toolgen domain --from-sidecars` writes a domain file from it"
        place = definition.where(pointer((FRAMES_EXTENSION,)))
        yield Problem(place, f"`{FRAMES_EXTENSION}` is not read any more: domain files have taken its place", remedy)


def _raw_tools(part: Definitions) -> Iterator[RawTool]:
    return part.format.load_tools(part.element) if part.format.load_tools else iter(())


def _finish(load: _Load, missing: Sequence[Problem], *, skip_invalid: bool, on_conflict: OnConflict) -> LoadedCatalog:
    """Merge what was loaded, or refuse all of it with every problem."""
    merged = merge(load.entries, on_conflict)
    if not merged.tools:  # a domain file of tools that cannot be used is not to blame
        wrong = [*missing, *load.problems, *merged.conflicts]
        raise ToolFileError(_ordered(wrong) or [_no_tool(load.domains)])
    spoken = domain_files.speak(load.domains, merged.tools, merged.files, load.refused, strict=load.strict)
    load.problems += spoken.problems
    load.warnings += spoken.warnings
    if missing or merged.conflicts or (load.problems and not skip_invalid):
        raise ToolFileError(_ordered([*missing, *load.problems, *merged.conflicts]))
    return LoadedCatalog(
        Catalog(tools=tuple(spoken.tools), domains=tuple(spoken.domains)),
        tuple(load.problems),
        tuple(load.warnings),
        tuple(merged.merged),
    )


def _no_tool(domains: Sequence[DomainFile]) -> Problem:
    if not domains:
        return Problem("tools", "no tool was found", "give a tool file")
    what = "is a domain file, and there is no tool that it could speak of"
    return Problem(domains[0].place, what, "give the file of its tools, too")


def _ordered(problems: list[Problem]) -> list[Problem]:
    return list(dict.fromkeys(problems))


@dataclass(slots=True)
class Definition:
    """One definition on its way into a catalog: where it stands, and what was found in it."""

    raw: RawTool
    document: Document
    pointer: str
    """Where the definition stands in its document."""
    notes: list[Note] = field(default_factory=list)
    """Findings; pointers are relative to the definition."""
    problems: list[Problem] = field(default_factory=list)
    """Findings in other files: sidecars."""

    def where(self, at: str = "") -> str:
        """Name a place in the definition."""
        return self.document.where(self.pointer + at)

    def note(self, level: str, at: str, message: str, remedy: str = "") -> None:
        """Note a finding at a place in the definition."""
        self.notes.append(Note(at, level, message, remedy))  # type: ignore[arg-type]  # callers pass literals

    def refused(self, *, strict: bool) -> list[Problem]:
        """Return the findings that make the definition unusable."""
        levels = ("error", "deviation") if strict else ("error",)
        return [*self.problems, *(self._problem(note) for note in self.notes if note.level in levels)]

    def warnings(self) -> list[Problem]:
        """Return the findings that are reported while the definition is used."""
        return [self._problem(note) for note in self.notes if note.level in ("deviation", "advice")]

    def _problem(self, note: Note) -> Problem:
        what = f"{note.message} [{note.code}]" if note.code else note.message
        return Problem(self._place(note.pointer), what, note.remedy)

    def _place(self, at: str) -> str:
        """Name a place in the definition; what its format put together, by where it stands in the document."""
        parts = [part for part in self.raw.places if at == part or at.startswith(part + "/")]
        if not parts:
            return self.where(at)
        part = max(parts, key=len)
        element = self.pointer.removesuffix(self.raw.pointer)
        return self.document.where(element + self.raw.places[part] + at[len(part) :])


def read_tool(definition: Definition) -> Tool | None:
    """Bring a definition to the working form; None where it cannot be used, its notes say why.

    The tool keeps the name it was given: names are mapped when all of them are known.
    """
    raw = definition.raw
    definition.notes += raw.notes
    if any(note.level == "error" for note in raw.notes):
        return None
    if raw.tool is not None:
        return _trusted_as_json_schema(definition, raw.tool)
    name = _name(definition)
    description, changes = _description(definition, name)
    parameters = _schema(definition, normalize_parameters(raw.parameters), raw.parameters_at)
    result, origin, result_changes = _result(definition)
    strict = _strict(definition, parameters)
    if definition.refused(strict=False):
        return None
    changes += [*_changes("", raw.notes), *_changes("/parameters", parameters.notes), *result_changes]
    if raw.strict is True and strict is None:
        changes.append(Change(pointer="/strict", kind="changed", message="left out: the parameters are not strict"))
    return Tool(
        name=name,
        description=description,
        parameters=parameters.schema,
        strict=strict,
        result_schema=result,
        result_origin=origin,
        source=definition.where(),
        original_name=name,
        changes=tuple(changes),
        extensions=raw.extensions,
    )


def _trusted_as_json_schema(definition: Definition, tool: Tool) -> Tool | None:
    """Check that the schemas of a catalog's tool are schemas: anyone can have written the file."""
    for at, schema in (("/parameters", tool.parameters), ("/result_schema", tool.result_schema)):
        for problem in schema_problems(schema):
            definition.note("error", at + problem.pointer, problem.message, "take the catalog.json that a run wrote")
        definition.notes += under(at, _oversized(schema))
    if tool.parameters.get("type") != "object" or not isinstance(tool.parameters.get("properties"), dict):
        definition.note("error", "/parameters", "parameters are an object schema with `properties`")
    return None if definition.refused(strict=False) else tool


def _name(definition: Definition) -> str:
    name = definition.raw.name
    if isinstance(name, str) and name.strip():
        if token := find_control_token(name):
            definition.note("error", "", f"the name holds the control token {token!a}", "rename it")
        return name
    what = "has no name" if name is None else f"the name is {shown(name)}, no text"
    definition.note("error", "", what, "give it a name")
    return ""


def _description(definition: Definition, name: str) -> tuple[str, list[Change]]:
    given = definition.raw.description
    if given is not None and not isinstance(given, str):
        definition.note("error", "/description", f"`description` is {shown(given)}, no text", "write a text")
    if not isinstance(given, str) or not given.strip():
        words = name_in_words(name)
        words = words[:1].upper() + words[1:]
        return words, [_changed("/description", f"the missing description became {shown(words)}")]
    if token := find_control_token(given):
        return without_control_tokens(given), [
            _changed("/description", f"the control token {token!a} became plain text")
        ]
    return given, []


def _changed(at: str, message: str) -> Change:
    return Change(pointer=at, kind="changed", message=message)


def _changes(prefix: str, notes: Iterable[Note]) -> list[Change]:
    return [
        Change(pointer=prefix + note.pointer, kind=note.level, message=note.message)
        for note in notes
        if note.level == "changed" or note.level == "lost"
    ]


def _schema(definition: Definition, normalized: Normalized, at: str) -> Normalized:
    """Take over the notes of a schema, and refuse what is still no schema or admits no value."""
    if normalized.is_usable:
        normalized = Normalized(normalized.schema, (*normalized.notes, *faults_of(normalized.schema)))
    # What the format's own rules have said already, with their code, is not said again.
    said = {note.pointer for note in definition.notes if note.code}
    found = under(at, normalized.notes)
    definition.notes += [note for note in found if note.level != "deviation" or note.pointer not in said]
    return normalized


def faults_of(schema: JsonObject) -> list[Note]:
    """Note why a schema in its working form cannot be used: no JSON Schema, control tokens, no or only huge values."""
    problems = schema_problems(schema)
    remedy = "write the keyword as JSON Schema 2020-12 has it"
    if problems:
        return [Note(problem.pointer, "error", f"is no JSON Schema: {problem.message}", remedy) for problem in problems]
    if token := find_control_token_in(schema):
        message = f"holds the control token {token!a}, which chat templates or terminals obey"
        return [Note("", "error", message, "give it another spelling")]
    if oversized := _oversized(schema):
        return oversized
    if canonical_form(schema) is not False:
        return []
    found = find_contradiction(schema)
    words = f": {_blame(found.keywords)}" if found and found.keywords else ""
    at = found.pointer if found else ""
    return [Note(at, "error", f"no value satisfies the schema{words}", "remove the contradiction")]


def _blame(keywords: tuple[str, ...]) -> str:
    return f"{', '.join(keywords)} exclude each other" if len(keywords) > 1 else f"`{keywords[0]}` excludes every value"


def _oversized(schema: JsonObject) -> list[Note]:
    """Note a schema whose smallest value is larger than any record should be."""
    least = least_size(schema)
    if least <= LARGEST_VALUE:
        return []
    message = f"every value has {least:,} parts or more; a record holds {LARGEST_VALUE:,} at most"
    remedy = "lower minItems, minLength or minProperties, or require less"
    return [Note("", "error", message, remedy)]


def _result(definition: Definition) -> tuple[JsonObject, ResultOrigin, list[Change]]:
    """Return the result schema that the definition declares; where it declares none, its domain says what comes."""
    if definition.raw.result_schema is not None:
        normalized = _schema(definition, normalize_schema(definition.raw.result_schema), definition.raw.result_at)
        return normalized.schema, "declared", _changes("/result_schema", normalized.notes)
    return {}, "domain", []


def _strict(definition: Definition, parameters: Normalized) -> bool | None:
    """Return `strict`; None where it is claimed and not true, since servers refuse such a tool."""
    strict = definition.raw.strict
    if strict is None or strict is False:
        return strict
    if strict is not True:
        definition.note(
            "error", "/strict", f"`strict` is {shown(strict)}, neither true nor false", "write true or false"
        )
        return None
    notes = list(strict_notes(parameters.schema)) if parameters.is_usable else []
    definition.notes += under(definition.raw.parameters_at, notes)
    return None if notes else True


__all__ = ["LoadedCatalog", "OnConflict", "load_catalog", "load_tools"]
