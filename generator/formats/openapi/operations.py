"""The `openapi` format: the operations of an OpenAPI 2.0, 3.0 or 3.1 document, each a tool with arguments and a result.

An operation without an `operationId` is called by its method and path. Addresses and credentials are no arguments;
what is left out is reported. OpenAPI keeps names apart by where they are sent: `id` in the path and `id` in the body
are two things. Arguments have one name each, so the second becomes `body_id`; the extension `x_openapi` of each tool
keeps the method, the path and where each argument is sent, so that a call can be made of it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from generator.formats.format import Format, RawTool
from generator.formats.openapi.schemas import ApiDocument, Findings, SchemaCarrier, UnfollowableError, api_version
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import ANNOTATIONS, Note, shown
from generator.schemas.steps import name_in_words

_SILENT = frozenset({"xml", "externalDocs", "discriminator", "nullable"})
_PLAIN = ANNOTATIONS | {"type", "properties", "required", "allOf", "additionalProperties", "$ref"} | _SILENT
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_FLAGS = ("readOnly", "writeOnly")


def preferred_content(media_types: Iterable[str]) -> str | None:
    """Return the content to use: JSON first, then a form, then any."""
    ranked = sorted(enumerate(media_types), key=lambda one: (_rank(one[1]), one[0]))
    return ranked[0][1] if ranked else None


def _rank(media_type: str) -> int:
    plain = media_type.partition(";")[0].strip().casefold()
    if plain == "application/json":
        return 0
    if plain.endswith(("+json", "/json")):
        return 1
    return 2 + _FORMS.index(plain) if plain in _FORMS else 4 if plain == "*/*" else 5


def fields_of(schema: JsonValue, place: str, api: ApiDocument) -> tuple[JsonObject, dict[str, str]] | None:
    """Return an object schema with the properties of a body, references and `allOf` merged, and their places.

    None where the body is no plain object: a list, a text, a choice, a map. Such a body is one argument.

    Raises:
        UnfollowableError: a reference cannot be followed.
    """
    places: dict[str, str] = {}
    whole = _merged(schema, place, api, places, frozenset())
    return (whole, places) if whole is not None and whole["properties"] else None


def _merged(
    schema: JsonValue, place: str, api: ApiDocument, places: dict[str, str], seen: frozenset[str]
) -> JsonObject | None:
    if not isinstance(schema, dict) or not _is_plain(schema):
        return None
    properties = schema.get("properties", {})
    whole: JsonObject = {"properties": {}, "required": []}
    parts: list[JsonObject | None] = []
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference in seen:
            raise UnfollowableError("the request body only refers to itself", "write the body out")
        seen |= {reference}
        parts.append(_merged(api.target(reference), reference[1:], api, places, seen))
    for index, part in enumerate(schema.get("allOf", [])):
        parts.append(_merged(part, f"{place}/allOf/{index}", api, places, seen))
    places.update({name: place + pointer(("properties", name)) for name in properties})
    required = schema["required"] if isinstance(schema.get("required"), list) else []
    parts.append({**schema, "properties": properties, "required": required})
    return _joined(whole, parts)


def _is_plain(schema: JsonObject) -> bool:
    """Say whether an object schema has nothing but properties."""
    kind = schema.get("type", "object")
    kinds = kind if isinstance(kind, list) else [kind]
    return (
        all(keyword in _PLAIN or keyword.startswith("x-") for keyword in schema)
        and "object" in [one.casefold() for one in kinds if isinstance(one, str)]
        and isinstance(schema.get("properties", {}), dict)
        and isinstance(schema.get("allOf", []), list)
        and isinstance(schema.get("additionalProperties", True), bool)
    )


def _joined(whole: JsonObject, parts: list[JsonObject | None]) -> JsonObject | None:
    """Join object schemas that must all hold; None where two say different things of one property."""
    for part in parts:
        if part is None:
            return None
        for name, schema in part["properties"].items():
            if whole["properties"].setdefault(name, schema) != schema:
                return None
        whole["required"] += [name for name in part["required"] if name not in whole["required"]]
        kept = ("description", "example", "examples", "additionalProperties", *_FLAGS)
        whole.update({keyword: part[keyword] for keyword in kept if keyword in part})
    return whole


LOCATIONS = ("path", "query", "header", "cookie")
_NOT_SCHEMA = frozenset(
    {"name", "in", "required", "description", "collectionFormat", "allowEmptyValue", "schema", "style", "explode"}
    | {"allowReserved", "content", "example", "examples"}
)
_OF_TRANSPORT = frozenset({"authorization", "proxyauthorization", "accept", "contenttype", "cookie", "contentlength"})
_CREDENTIALS = frozenset({"apikey", "xapikey", "xauthtoken", "xaccesstoken", "accesstoken", "xcsrftoken"})


@dataclass(slots=True)
class Arguments:
    """The arguments of one operation as they are gathered."""

    api: ApiDocument
    carrier: SchemaCarrier
    findings: Findings
    schema: JsonObject = field(default_factory=lambda: {"type": "object", "properties": {}, "required": []})
    sent: dict[str, JsonObject] = field(default_factory=dict)
    """Where each argument is sent: `{"in": "query", "name": "limit"}`; a whole body has no name."""

    def add(
        self, name: str, schema: JsonValue, *, location: str, place: str, required: bool, whole: bool = False
    ) -> None:
        """Add one argument under a name that no other has."""
        free = self._free(name, location)
        if free != name:
            message = f"{shown(name)} of the {location} is called {shown(free)}: another argument has its name"
            self.findings.note("changed", "", message)
            schema = _described(schema, name_in_words(name))
        self.schema["properties"][free] = self.carrier.carry(schema)
        if required:
            self.schema["required"].append(free)
        self.sent[free] = {"in": location} if whole else {"in": location, "name": name}
        self.findings.places["/parameters" + pointer(("properties", free))] = place

    def _free(self, name: str, location: str) -> str:
        candidate, count = name, 1
        while candidate in self.sent:
            candidate = f"{location}_{name}" if count == 1 else f"{location}_{name}_{count}"
            count += 1
        return candidate

    def finished(self) -> JsonObject:
        """Return the object schema with the definitions it refers to."""
        if not self.schema["required"]:
            del self.schema["required"]
        definitions = self.carrier.definitions()
        return {**self.schema, "$defs": definitions} if definitions else self.schema


def add_parameters(
    given: list[tuple[JsonObject, str]], arguments: Arguments, credentials: set[tuple[str, str]]
) -> None:
    """Add the parameters of an operation, resolved and with their places; `credentials` are (location, name)."""
    form: list[tuple[JsonObject, str]] = []
    for parameter, place in given:
        name, location = parameter.get("name"), parameter.get("in")
        if location == "body":
            add_body(parameter.get("schema", {}), place + "/schema", arguments, required=True, source=parameter)
        elif not isinstance(name, str) or not name or location not in (*LOCATIONS, "formData"):
            message = f"a parameter has the name {shown(name)} and is in {shown(location)}"
            arguments.findings.note("error", "", message, f"parameters have a name and are in {', '.join(LOCATIONS)}")
        elif told := _why_no_argument(name, location, credentials):
            arguments.findings.note("lost", "", told)
        elif location == "formData":
            form.append((parameter, place))
        else:
            _add_parameter(parameter, location, place, arguments)
    for parameter, place in form:
        _add_parameter(parameter, "body", place, arguments)


def _why_no_argument(name: str, location: str, credentials: set[tuple[str, str]]) -> str:
    """Say why a parameter is no argument of a call; "" where it is one."""
    if location == "header" and _folded(name) in _OF_TRANSPORT:
        return f"the header {shown(name)} is set by the client: no argument"
    if (location, name) in credentials or (location != "path" and _folded(name) in _CREDENTIALS):
        return f"{shown(name)} in the {location} is a credential: no argument"
    return ""


def _folded(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "")


def _add_parameter(parameter: JsonObject, location: str, place: str, arguments: Arguments) -> None:
    schema, at = _schema_of(parameter)
    required = parameter.get("required") is True or location == "path"
    arguments.add(parameter["name"], schema, location=location, place=place + at, required=required)


def _schema_of(parameter: JsonObject) -> tuple[JsonValue, str]:
    """Return the schema of a parameter, with the parameter's own description and examples, and where it stands."""
    schema, at = _bare_schema_of(parameter)
    if not isinstance(schema, dict):
        return schema, at
    said: JsonObject = {}
    if isinstance(parameter.get("description"), str) and parameter["description"].strip():
        said["description"] = parameter["description"]
    if parameter.get("deprecated") is True:
        said["deprecated"] = True
    if examples := list(examples_of(parameter)):
        said["examples"] = examples
    return {**schema, **said}, at


def _bare_schema_of(parameter: JsonObject) -> tuple[JsonValue, str]:
    """Return the schema that a parameter has, or is itself as in OpenAPI 2.0, and where it stands."""
    if "schema" in parameter:
        return parameter["schema"], "/schema"
    content = parameter.get("content")
    if isinstance(content, dict) and (media_type := preferred_content(content)) is not None:
        media = content[media_type]
        schema = media.get("schema", {}) if isinstance(media, dict) else {}
        return schema, pointer(("content", media_type, "schema"))
    return {name: value for name, value in parameter.items() if name not in _NOT_SCHEMA}, ""


def examples_of(holder: JsonObject) -> Iterator[JsonValue]:
    """Yield the examples that a parameter or a media type gives beside its schema."""
    if holder.get("example") is not None:
        yield holder["example"]
    named = holder.get("examples")
    for one in named.values() if isinstance(named, dict) else ():
        if isinstance(one, dict) and one.get("value") is not None:
            yield one["value"]


def _examples_of_part(holder: JsonObject, name: str) -> list[JsonValue]:
    """Return what the examples of an object have for one of its properties."""
    return [one[name] for one in examples_of(holder) if isinstance(one, dict) and one.get(name) is not None]


def add_request_body(given: JsonValue, place: str, arguments: Arguments) -> None:
    """Add the request body of OpenAPI 3.

    Raises:
        UnfollowableError: a reference cannot be followed.
    """
    body, place = arguments.api.resolved_object(given, place, "a request body")
    content = body.get("content")
    if not isinstance(content, dict) or not content:
        arguments.findings.note("lost", "/requestBody", "the request body says nothing of its content: left out")
        return
    media_type = preferred_content(content) or ""
    others = [name for name in content if name != media_type]
    if others:
        message = f"the body is taken as {media_type}; the API reads {', '.join(others)} as well"
        arguments.findings.note("lost", "/requestBody", message)
    media = content[media_type] if isinstance(content[media_type], dict) else {}
    at = place + pointer(("content", media_type, "schema"))
    schema = media.get("schema", {"type": "string"} if media_type.startswith("text/") else {})
    source = {**body, "examples": dict(enumerate({"value": value} for value in examples_of(media)))}
    add_body(schema, at, arguments, required=body.get("required") is True, source=source)


def add_body(schema: JsonValue, place: str, arguments: Arguments, *, required: bool, source: JsonObject) -> None:
    """Add a request body: its fields where it is a plain object, else the whole as one argument.

    Raises:
        UnfollowableError: a reference cannot be followed.
    """
    found = fields_of(schema, place, arguments.api)
    if found is None:
        said, _ = _schema_of({**source, "schema": schema})
        said = _described(said, "the request body")
        required = required or source.get("required") is True
        arguments.add("body", said, location="body", place=place, required=required, whole=True)
        return
    whole, places = found
    if whole["required"] and not required:
        message = "the body may be left out; arguments always give it, since it has required fields"
        arguments.findings.note("changed", "/requestBody", message)
    for name, part in whole["properties"].items():
        if arguments.carrier.is_hidden(part):
            arguments.findings.note("changed", "/requestBody", f"{shown(name)} is read-only: no part of a request")
            continue
        shown_part = _with_examples(part, _examples_of_part(source, name))
        place_of_part = places.get(name, place)
        arguments.add(name, shown_part, location="body", place=place_of_part, required=name in whole["required"])
    if whole.get("additionalProperties") is False:
        arguments.schema["additionalProperties"] = False


def _described(schema: JsonValue, text: str) -> JsonValue:
    """Give a schema a description where neither it nor what it refers to may have one."""
    bare = isinstance(schema, dict) and "$ref" not in schema and not schema.get("description")
    return {**schema, "description": text} if bare else schema


def _with_examples(schema: JsonValue, examples: list[JsonValue]) -> JsonValue:
    if not isinstance(schema, dict) or not examples or "example" in schema or "examples" in schema:
        return schema
    return {**schema, "examples": examples}


_ANY_SUCCESS = "2XX"


def read_result(operation: JsonObject, api: ApiDocument, findings: Findings) -> tuple[JsonValue, str]:
    """Return the result schema and where it stands inside the operation; None where the API declares none."""
    responses = operation.get("responses")
    if not isinstance(responses, dict):
        return None, ""
    try:
        found = [(code, *_schema(responses[code], api)) for code in _successes(responses)]
    except UnfollowableError as problem:
        findings.note("error", "/responses", str(problem), problem.remedy)
        return None, ""
    declared = [(code, schema, at) for code, schema, at in found if schema is not None]
    if not declared:
        return None, ""
    code, schema, at = declared[0]
    others = [other for other, different, _ in declared[1:] if different != schema]
    if others:
        message = f"the result is that of {code}; {', '.join(others)} answer otherwise"
        findings.note("lost", "/responses", message)
    at = pointer(("responses", code)) + at
    carrier = SchemaCarrier(api, "result", findings, at)
    return carrier.with_definitions(schema), at


def _successes(responses: JsonObject) -> list[str]:
    """Return the codes of success, the lowest first; `default` counts where it stands alone."""
    codes = sorted(code for code in responses if len(code) == 3 and code.startswith("2"))
    codes.sort(key=lambda code: code.upper() == _ANY_SUCCESS)
    return codes or (["default"] if list(responses) == ["default"] else [])


def _schema(given: JsonValue, api: ApiDocument) -> tuple[JsonValue, str]:
    """Return the schema of one response, JSON first, and where it stands inside the response."""
    response, _ = api.resolved_object(given, "", "a response")
    if api.version == "2.0":
        return response.get("schema"), "/schema"
    content = response.get("content")
    if not isinstance(content, dict) or (media_type := preferred_content(content)) is None:
        return None, ""
    media = content[media_type]
    schema = media.get("schema") if isinstance(media, dict) else None
    return schema, pointer(("content", media_type, "schema"))


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
