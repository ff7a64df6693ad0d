"""From a definition as it was read to a Tool in the working form, or to the problems that refuse it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from generator.errors import Problem
from generator.formats.format import RawTool
from generator.formats.loading.documents import Document
from generator.jsontext import JsonObject
from generator.schemas.canonical import canonical_form, find_contradiction
from generator.schemas.dialects import Normalized, normalize_parameters, normalize_schema
from generator.schemas.keywords import Note, shown, under
from generator.schemas.limits import LARGEST_VALUE, least_size
from generator.schemas.steps import find_control_token, find_control_token_in, name_in_words, without_control_tokens
from generator.schemas.strict import strict_notes
from generator.schemas.validators import schema_problems
from generator.tools import Change, ResultOrigin, Tool


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
