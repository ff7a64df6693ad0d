"""Result schemas that a model proposes: checked like a sidecar's, and held to the shape that derived ones have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.errors import ValueSynthesisError
from generator.formats.working_form import faults_of
from generator.jsontext import JsonObject, JsonValue, dump_compact, pointer
from generator.schemas.dialects import normalize_schema
from generator.tools.tool import Tool
from generator.validation.verdict import Violation
from generator.values import Context, synthesize_value

MOST_FIELDS = 40
DEEPEST = 4
"""Objects and lists inside each other."""
MOST_CHARACTERS = 8_000
_TRIALS = 2
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_UNWANTED = ("$ref", "$dynamicRef", "allOf", "not", "if", "patternProperties", "dependentSchemas")
_KEY = "result_schema"


class BadProposal(Exception):
    """A proposal that cannot be used, with everything that is wrong with it in words for the model."""

    def __init__(self, violations: list[Violation]) -> None:
        self.violations = violations
        super().__init__("; ".join(violation.message for violation in violations))


def proposal_envelope() -> JsonObject:
    """Return the schema of the answer: an object that holds a schema."""
    return {
        "type": "object",
        "properties": {_KEY: {"type": "object", "description": "JSON Schema 2020-12 of the tool's result"}},
        "required": [_KEY],
        "additionalProperties": False,
    }


def read_proposal(answer: JsonObject, tool: Tool) -> JsonObject:
    """Return the result schema of an answer in its working form: JSON Schema 2020-12, closed, without nulls.

    Raises:
        BadProposal: it is no schema, admits no value, is too large, or is not of the shape that was asked for.
    """
    schema = answer.get(_KEY)
    if not isinstance(schema, dict):
        raise BadProposal([_violation("", f"your JSON lacks {_KEY!r}, an object")])
    if len(dump_compact(schema)) > MOST_CHARACTERS:
        raise BadProposal(
            [_violation("", f"the schema is longer than {MOST_CHARACTERS:,} characters; leave fields out")]
        )
    _refuse(_misshapen(schema))
    closed = _closed(schema)
    normalized = normalize_schema(closed)
    faults = [note for note in normalized.notes if note.level == "error"] or faults_of(normalized.schema)
    _refuse(_violation(note.pointer, note.message) for note in faults)
    _refuse(_untried(normalized.schema, tool))
    return normalized.schema


def _refuse(found: Iterator[Violation]) -> None:
    violations = list(found)
    if violations:
        raise BadProposal(violations)


def _violation(at: str, message: str) -> Violation:
    place = f"in result_schema at {at}: " if at else ""
    return Violation(rule="LM010", pointer=at, message=place + message)


def _misshapen(schema: JsonObject) -> Iterator[Violation]:
    """Yield where a schema is not of the shape that was asked for."""
    if schema.get("type") != "object" or not _properties(schema):
        yield _violation("", 'the result is an object with `properties`: write "type": "object" and its fields')
        return
    nodes = list(_nodes(schema, (), 0))
    if len(nodes) > MOST_FIELDS:
        yield _violation("", f"{len(nodes)} fields are too many; keep the {MOST_FIELDS} that matter most at most")
        return
    for node, path, depth in nodes:
        yield from (_violation(pointer(path), message) for message in _faults(node, depth))
        for name in _properties(node):
            if not _NAME.fullmatch(name):
                at = pointer((*path, "properties", name))
                yield _violation(at, f"{name[:80]!r} is no field name; use letters, digits and underscores")


def _properties(node: JsonObject) -> JsonObject:
    properties = node.get("properties")
    return properties if isinstance(properties, dict) else {}


def _nodes(node: JsonValue, path: tuple[str, ...], depth: int) -> Iterator[tuple[JsonObject, tuple[str, ...], int]]:
    """Yield the nodes of a schema that stand for values, each once, down to the first that is too deep."""
    if not isinstance(node, dict):
        yield {}, path, depth
        return
    yield node, path, depth
    if depth > DEEPEST:
        return
    for name, inner in _properties(node).items():
        yield from _nodes(inner, (*path, "properties", name), depth + 1)
    if "items" in node:
        yield from _nodes(node["items"], (*path, "items"), depth + 1)


def _faults(node: JsonObject, depth: int) -> Iterator[str]:
    """Yield what is wrong with one node."""
    if depth > DEEPEST:
        yield f"nested deeper than {DEEPEST} levels; flatten it"
        return
    kind = node.get("type")
    if not isinstance(kind, str) or kind == "null":
        yield "needs one `type` as a text, and not null: leave a field out of `required` where it may be absent"
    if kind == "array" and not isinstance(node.get("items"), dict):
        yield "a list needs `items`, the schema of its entries"
    if kind == "object" and not _properties(node) and not isinstance(node.get("additionalProperties"), dict):
        yield "an object needs `properties`"
    for keyword in _UNWANTED:
        if keyword in node:
            yield f"`{keyword}` is not used here: write the fields in place"


def _closed(schema: JsonObject) -> JsonObject:
    """Return a schema whose objects are closed; where none says what is required, everything is."""
    closed = {**schema}
    properties = _properties(schema)
    if properties:
        closed["properties"] = {
            name: _closed(inner) if isinstance(inner, dict) else inner for name, inner in properties.items()
        }
        closed.setdefault("required", list(properties))
        closed["additionalProperties"] = False
    if isinstance(schema.get("items"), dict):
        closed["items"] = _closed(schema["items"])
    return closed


def _untried(schema: JsonObject, tool: Tool) -> Iterator[Violation]:
    """Yield why no result can be made for a schema."""
    context = Context(name=tool.name, description=tool.description, purpose="result")
    for seed in range(_TRIALS):
        try:
            synthesize_value(schema, seed=seed, context=context)
        except ValueSynthesisError as error:
            yield _violation("", f"no result can be made for the schema: {error}")
            return
