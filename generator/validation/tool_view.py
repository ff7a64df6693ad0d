"""ToolView: a tolerant, read-only view of one tool definition, kept for every record that shows it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import orjson

from generator.jsontext import JsonObject, JsonValue, digest, pointer
from generator.schemas.strict import closed
from generator.schemas.validators import InvalidSchema, SchemaProblem, SchemaValidator, schema_problems, validator_for

JSON_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})

CACHED_TOOLS = 4096
"""How many definitions are kept with all that was found out about them."""

_SUBSCHEMA_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_SUBSCHEMA_LISTS = ("prefixItems", "anyOf", "oneOf", "allOf")
_SUBSCHEMAS = ("items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames",
               "unevaluatedItems", "unevaluatedProperties")  # fmt: skip
_REFUSING = frozenset({"oneOf", "not", "if", "contains", "unevaluatedItems", "unevaluatedProperties"})
_UNDECLARED = frozenset({"additionalProperties", "unevaluatedProperties"})
_DEEPER = frozenset({"properties", "patternProperties", "items", "prefixItems", "additionalProperties"})


class SchemaNode(NamedTuple):
    """One schema inside the parameters."""

    pointer: str
    """JSON pointer from the root of the tool definition."""
    schema: JsonObject
    level: int
    """How many objects or arrays it lies in; the root's properties are level 1."""


class Judgement(NamedTuple):
    """What the parameters of a tool refuse in the arguments of a call, by the rule that speaks of it."""

    refused: tuple[SchemaProblem, ...] = ()
    undeclared: tuple[SchemaProblem, ...] = ()
    formats: tuple[SchemaProblem, ...] = ()


FITTING = Judgement()


class ToolView:
    """One entry of a record's `tools`, whatever JSON it is."""

    def __init__(self, raw: JsonValue) -> None:
        self.raw = raw
        self.entry: JsonObject = raw if isinstance(raw, dict) else {}
        function = self.entry.get("function")
        self.function: JsonObject = function if isinstance(function, dict) else {}
        name = self.function.get("name")
        self.name: str = name if isinstance(name, str) else ""
        self.strict = self.function.get("strict") is True
        self.kept: dict[bool, Any] = {}
        """What the examiner found in this definition, as written and as read."""
        self.result_validators: dict[str, SchemaValidator | None] = {}
        """The validators of its results, by the digests of the catalogs that know its result schema."""

    @cached_property
    def fingerprint(self) -> str:
        """What Tool.fingerprint is for the tool shown so; "" where it cannot be written as JSON."""
        try:
            return digest(self.raw)
        except (TypeError, ValueError):
            return ""

    @cached_property
    def parameters(self) -> JsonValue:
        """The parameters with type names in lower case, so that a wrong case breaks its own rule alone."""
        return _lower_types(self.function.get("parameters"))

    @cached_property
    def property_names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        properties = self.parameters.get("properties") if isinstance(self.parameters, dict) else None
        return tuple(properties) if isinstance(properties, dict) else ()

    @cached_property
    def nodes(self) -> tuple[SchemaNode, ...]:
        """Every schema inside the parameters, the root first."""
        return tuple(_walk(self.function.get("parameters")))

    @cached_property
    def strict_objects(self) -> tuple[SchemaNode, ...]:
        """The object schemas that strict mode speaks of; none where the tool is not strict."""
        if not self.strict:
            return ()
        return tuple(node for node in self.nodes if isinstance(node.schema.get("properties", {}), dict)
                     and (node.schema.get("type") == "object" or "properties" in node.schema))  # fmt: skip

    @cached_property
    def schema_problems(self) -> list[SchemaProblem]:
        """What keeps the parameters from being a JSON Schema 2020-12 that can be used."""
        return schema_problems(self.parameters)

    @cached_property
    def validator(self) -> SchemaValidator | None:
        """The validator of arguments; None where the parameters are no usable schema."""
        return None if self.schema_problems else validator_for(self.parameters)

    @cached_property
    def closed_validator(self) -> SchemaValidator | None:
        """The validator that refuses undeclared arguments as well; None where there is no validator."""
        if self.validator is None:
            return None
        try:
            shut = closed(self.parameters)
            return self.validator if shut == self.parameters else validator_for(shut)
        except (InvalidSchema, RecursionError):
            return self.validator

    @cached_property
    def _closing_tightens(self) -> bool:
        """Whether what the closed schema admits the schema itself admits too: no part of it counts on a refusal."""
        return not any(_REFUSING & node.schema.keys() for node in self.nodes)

    def takes(self, arguments: JsonObject) -> bool:
        """Say whether the parameters refuse nothing in the arguments of a call: no words are sought for it."""
        validator, shut = self.validator, self.closed_validator
        if validator is None or shut is None:
            return True
        return shut.is_valid(arguments) and (self._closing_tightens or validator.is_valid(arguments))

    def judge(self, arguments: JsonObject) -> Judgement:
        """Say what the parameters refuse in the arguments of a call."""
        if self.takes(arguments):
            return FITTING
        validator, shut = self.validator, self.closed_validator
        if validator is None or shut is None:
            return FITTING
        problems = validator.problems(arguments)
        if not problems:
            return Judgement(undeclared=tuple(shut.problems(arguments)))
        problems += [each for each in shut.problems(arguments) if each.keyword == "additionalProperties"]
        formats_alone = validator_for(self.parameters, formats=False).is_valid(arguments)
        return _sorted_by_rule(dict.fromkeys(problems), formats_alone)


def _sorted_by_rule(problems: Iterable[SchemaProblem], formats_alone: bool) -> Judgement:
    refused, undeclared, formats = [], [], []
    for problem in problems:
        if problem.keyword in _UNDECLARED:
            undeclared.append(problem)
        elif formats_alone or problem.keyword == "format":
            formats.append(problem)
        else:
            refused.append(problem)
    return Judgement(tuple(refused), tuple(undeclared), tuple(formats))


@lru_cache(maxsize=CACHED_TOOLS)
def view_of_text(text: bytes) -> ToolView:
    """Return the view of a definition as it is written."""
    return ToolView(orjson.loads(text))


def tool_view(raw: JsonValue) -> ToolView:
    """Return the view of a definition; equal bytes share one view, and so all that was found out about it."""
    try:
        return view_of_text(orjson.dumps(raw))
    except (TypeError, ValueError):
        return ToolView(raw)


def _walk(root: JsonValue) -> Iterator[SchemaNode]:
    """Yield the schemas at schema positions alone: a property may be named like a keyword."""
    waiting: list[SchemaNode] = [SchemaNode("/function/parameters", root, 0)] if isinstance(root, dict) else []
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(list(_children(node))))


def _children(node: SchemaNode) -> Iterator[SchemaNode]:
    for keyword, part in node.schema.items():
        level = node.level + (keyword in _DEEPER)
        for parts, child in _subschemas(keyword, part):
            if isinstance(child, dict):
                yield SchemaNode(node.pointer + pointer(parts), child, level)


def _subschemas(keyword: str, part: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if keyword in _SUBSCHEMA_MAPS and isinstance(part, dict):
        yield from (((keyword, name), child) for name, child in part.items())
    elif keyword in _SUBSCHEMA_LISTS and isinstance(part, list):
        yield from (((keyword, index), child) for index, child in enumerate(part))
    elif keyword in _SUBSCHEMAS:
        yield (keyword,), part


def _lower_types(root: JsonValue) -> JsonValue:
    """Copy a schema with the names of JSON types in lower case; the schema itself where all are."""
    if not any(miscased(node.schema.get("type")) for node in _walk(root)):
        return root
    copy = orjson.loads(orjson.dumps(root))
    for node in _walk(copy):
        if miscased(node.schema.get("type")):
            node.schema["type"] = node.schema["type"].lower()
    return copy


def miscased(name: object) -> bool:
    """Say whether this is the name of a JSON type in another case."""
    return isinstance(name, str) and name not in JSON_TYPES and name.lower() in JSON_TYPES
