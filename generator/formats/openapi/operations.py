"""The `openapi` format: the operations of an OpenAPI 2.0, 3.0 or 3.1 document, each of them a tool.

An operation without an `operationId` is called by its method and path. Addresses and credentials are no arguments;
what is left out is reported. The extension `x_openapi` of each tool keeps the method, the path and where each
argument is sent, so that a call can be made of it again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from generator.formats.format import Format, RawTool
from generator.formats.openapi.arguments import Arguments, add_parameters, add_request_body, read_result
from generator.formats.openapi.schemas import ApiDocument, Findings, SchemaCarrier, UnfollowableError, api_version
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import Note, shown

EXTENSION = "x_openapi"
"""Where a tool keeps its method, its path and where each argument is sent."""
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_BESIDE_PATHS = ("webhooks", "x-webhooks")


def matches(element: JsonValue) -> bool:
    """Say whether this is an OpenAPI document, whatever its version."""
    return isinstance(element, dict) and ("openapi" in element or "swagger" in element) and "name" not in element


def load(element: JsonObject) -> Iterator[RawTool]:
    """Read every operation; what concerns the whole document comes first, as a definition without a name."""
    version = api_version(element)
    if version is None:
        given = shown(element.get("openapi", element.get("swagger")))
        yield _about(Note("", "error", f"OpenAPI {given} is not read", "the versions are 2.0, 3.0 and 3.1"))
        return
    api = ApiDocument(element, version)
    notes = [*_left_out(element)]
    operations = list(_operations(api, notes))
    if not operations and not notes_of_error(notes):
        notes.append(Note("/paths", "error", "the OpenAPI document holds no operation", "give a document with `paths`"))
    if notes:
        yield _about(*notes)
    names: set[str] = set()
    for operation in operations:
        yield _read(operation, api, names)


def notes_of_error(notes: list[Note]) -> list[Note]:
    """Return the notes that make the document unusable."""
    return [note for note in notes if note.level == "error"]


def _about(*notes: Note) -> RawTool:
    return RawTool(pointer="", name=None, description=None, parameters=None, notes=notes, is_definition=False)


def _left_out(root: JsonObject) -> Iterator[Note]:
    """Note what the document says that tools have no place for."""
    for names, what in (
        (("servers", "host", "basePath", "schemes"), "addresses"),
        (("security", "securityDefinitions"), "credentials"),
        (_BESIDE_PATHS, "calls that the API makes itself"),
    ):
        given = [name for name in names if root.get(name)]
        components = root.get("components")
        if what == "credentials" and isinstance(components, dict) and components.get("securitySchemes"):
            given.append("components.securitySchemes")
        if given:
            yield Note("", "advice", f"{', '.join(f'`{name}`' for name in given)} left out: tools have no {what}")


@dataclass(frozen=True, slots=True)
class _Operation:
    """One operation, and what its path says of it."""

    method: str
    path: str
    given: JsonValue
    path_item: JsonObject
    place: str
    path_place: str


def _operations(api: ApiDocument, notes: list[Note]) -> Iterator[_Operation]:
    paths = api.root.get("paths") or {}
    if not isinstance(paths, dict):
        notes.append(Note("/paths", "error", f"`paths` is {shown(paths)}, no object", "map paths to operations"))
        return
    for path, given in paths.items():
        if path.startswith("x-"):
            continue
        at = pointer(("paths", path))
        try:
            item, place = api.resolved_object(given, at, "a path item")
        except UnfollowableError as problem:
            notes.append(Note(at, "error", str(problem), problem.remedy))
            continue
        for method in item:
            if method in _METHODS:
                yield _Operation(method, path, item[method], item, f"{place}/{method}", place)


@dataclass(slots=True)
class _Reader:
    """Reads one operation."""

    api: ApiDocument
    operation: _Operation
    given: JsonObject
    findings: Findings = field(default_factory=Findings)

    def arguments(self) -> Arguments:
        """Return the arguments of the operation, as far as they can be read."""
        arguments = Arguments(self.api, SchemaCarrier(self.api, "request", self.findings, "/parameters"), self.findings)
        try:
            add_parameters(self._parameters(), arguments, _credentials(self.api))
            if "requestBody" in self.given:
                add_request_body(self.given["requestBody"], f"{self.operation.place}/requestBody", arguments)
        except UnfollowableError as problem:
            self.findings.note("error", "", str(problem), problem.remedy)
        return arguments

    def _parameters(self) -> list[tuple[JsonObject, str]]:
        """Return the parameters with their places; the operation's replace those of its path."""
        found: dict[JsonValue, tuple[JsonObject, str]] = {}
        for holder, place in (
            (self.operation.path_item, self.operation.path_place),
            (self.given, self.operation.place),
        ):
            given = holder.get("parameters") or []
            if not isinstance(given, list):
                raise UnfollowableError(f"`parameters` is {shown(given)}, no list", "list the parameters")
            for index, one in enumerate(given):
                parameter, at = self.api.resolved_object(one, f"{place}/parameters/{index}", "a parameter")
                key = (str(parameter.get("in")), str(parameter.get("name")))
                found[key] = (parameter, at)
        return list(found.values())

    def description(self) -> str:
        """Return what summary and description say, the summary first."""
        texts = [self.given.get("summary") or self.operation.path_item.get("summary"), self.given.get("description")]
        summary, description = (text.strip() if isinstance(text, str) else "" for text in texts)
        if not summary or description.casefold().startswith(summary.rstrip(".").casefold()):
            return description
        ended = summary if summary.endswith((".", "!", "?")) else summary + "."
        return f"{ended}\n\n{description}" if description else ended

    def name(self, names: set[str]) -> str:
        """Return the operation's id, or its method and path where it has none of its own."""
        given, own = self.given.get("operationId"), f"{self.operation.method} {self.operation.path}"
        if isinstance(given, str) and given.strip() and given not in names:
            return given
        if isinstance(given, str) and given.strip():
            self.findings.note("changed", "/operationId", f"{shown(given)} is taken: called {shown(own)}")
        return own

    def note_losses(self) -> None:
        """Note what the operation says that a tool has no place for."""
        if self.given.get("deprecated") is True:
            self.findings.note("advice", "/deprecated", "the operation is deprecated: kept")
        security = self.given.get("security", self.api.root.get("security"))
        if security:
            self.findings.note("lost", "/security", "credentials are no arguments")
        for name, what in (("servers", "its own address"), ("callbacks", "calls that the API makes itself")):
            if self.given.get(name):
                self.findings.note("lost", f"/{name}", f"{what}: a tool has no place for it")


def _credentials(api: ApiDocument) -> set[tuple[str, str]]:
    """Return where the API takes its keys, as (location, name)."""
    components = api.root.get("components")
    schemes = components.get("securitySchemes") if isinstance(components, dict) else None
    schemes = api.root.get("securityDefinitions") if api.version == "2.0" else schemes
    found = schemes.values() if isinstance(schemes, dict) else ()
    return {(str(one.get("in")), str(one.get("name"))) for one in found if isinstance(one, dict) and "name" in one}


def _read(operation: _Operation, api: ApiDocument, names: set[str]) -> RawTool:
    """Read one operation; `names` are those that operations before it have."""
    if not isinstance(operation.given, dict):
        note = Note("", "error", f"an operation is an object, this is {shown(operation.given)}", "write it out")
        return RawTool(pointer=operation.place, name=None, description=None, parameters=None, notes=(note,))
    reader = _Reader(api, operation, operation.given)
    name = reader.name(names)
    names.add(name)
    arguments = reader.arguments()
    result, result_at = read_result(operation.given, api, reader.findings)
    reader.note_losses()
    parameters = arguments.finished()
    return RawTool(
        pointer=operation.place,
        name=name,
        description=reader.description(),
        parameters=parameters,
        result_schema=result,
        result_at=result_at,
        extensions={EXTENSION: {"method": operation.method, "path": operation.path, "arguments": arguments.sent}},
        notes=tuple(reader.findings.notes),
        places=reader.findings.places,
    )


OPENAPI = Format(
    name="openapi", summary="OpenAPI 2.0, 3.0 and 3.1: each operation a tool", matches_tools=matches, load_tools=load
)
