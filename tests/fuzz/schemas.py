"""JSON Schemas of 2020-12 over every keyword that asserts something, satisfiable or not."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Json = Any  # parsed JSON
Schemas = st.SearchStrategy[Json]

NAMES = ("a", "b", "c", "city", "start_date", "count", "tags")
FORMATS = (
    "date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri "
    "iri-reference uuid uri-template json-pointer relative-json-pointer regex"
).split()
PATTERNS = (
    "^a", "b$", "^[a-c]+$", "^[A-Z]{2}-\\d+$", "^\\S+$", "^(?=.*\\d)[a-z\\d]{4,8}$", "^(?!x)", "a|b", "^$", "\\d",
    "^(ab|c){1,3}$", "^[^a]*$", "^x-", "^\\w+@\\w+$", "^.{3,5}$", "^\\p{Lu}",
)  # fmt: skip
DEFINITIONS = ("node", "leaf")

SCALARS: Schemas = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-4, 12),
    st.sampled_from([0.5, 1.0, 0.07, -2.25, 1e9, "", "a", "ab", "b1", "2024-02-29", "x-1", "AB-12", "city"]),
)
VALUES: Schemas = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=4,
)
KINDS = ("string", "integer", "number", "boolean", "null", "array", "object")
SMALL = st.integers(0, 4)


def _some(**keywords: Schemas) -> Schemas:
    """A few of the keywords, rarely all: a schema that says everything admits nothing."""
    return st.lists(st.sampled_from(sorted(keywords)), max_size=3, unique=True).flatmap(
        lambda chosen: st.fixed_dictionaries({key.removesuffix("_"): keywords[key] for key in chosen})
    )


NUMBERS = st.integers(-6, 12) | st.sampled_from([0.5, 2.5, -1.25, 0.07])
NUMBER_WORDS = _some(
    minimum=NUMBERS,
    maximum=NUMBERS,
    exclusiveMinimum=NUMBERS,
    exclusiveMaximum=NUMBERS,
    multipleOf=st.sampled_from([1, 2, 3, 7, 0.5, 0.01, 0.1, 2.5]),
)
STRING_WORDS = _some(
    minLength=SMALL,
    maxLength=st.integers(0, 30),
    pattern=st.sampled_from(PATTERNS),
    format=st.sampled_from(FORMATS),
)
PLAIN = st.one_of(
    st.sampled_from([True, {}, False]),
    st.builds(lambda kind: {"type": kind}, st.sampled_from(KINDS)),
    st.builds(lambda kinds: {"type": kinds}, st.lists(st.sampled_from(KINDS), min_size=1, max_size=3, unique=True)),
    st.builds(lambda words: {"type": "number", **words}, NUMBER_WORDS),
    st.builds(lambda words: {"type": "integer", **words}, NUMBER_WORDS),
    st.builds(lambda words: {"type": "string", **words}, STRING_WORDS),
    NUMBER_WORDS,
    STRING_WORDS,
    st.builds(lambda value: {"const": value}, VALUES),
    st.builds(lambda values: {"enum": values}, st.lists(VALUES, min_size=1, max_size=4)),
    st.builds(lambda name: {"$ref": f"#/$defs/{name}"}, st.sampled_from(DEFINITIONS)),
)


def _composed(inner: Schemas) -> Schemas:
    named = st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    names = st.lists(st.sampled_from(NAMES), max_size=3, unique=True)
    few = st.lists(inner, min_size=1, max_size=3)
    arrays = _some(
        items=inner,
        prefixItems=few,
        minItems=SMALL,
        maxItems=SMALL,
        uniqueItems=st.booleans(),
        contains=inner,
        minContains=SMALL,
        maxContains=SMALL,
        unevaluatedItems=inner,
    )
    objects = _some(
        properties=named,
        required=names,
        patternProperties=st.dictionaries(st.sampled_from(PATTERNS), inner, max_size=2),
        additionalProperties=inner,
        propertyNames=inner,
        minProperties=SMALL,
        maxProperties=SMALL,
        dependentRequired=st.dictionaries(st.sampled_from(NAMES), names, max_size=2),
        dependentSchemas=named,
        unevaluatedProperties=inner,
    )
    composed = _some(allOf=few, anyOf=few, oneOf=few, not_=inner, if_=inner, then=inner, else_=inner)
    typed_arrays = st.builds(lambda words: {"type": "array", **words}, arrays)
    typed_objects = st.builds(lambda words: {"type": "object", **words}, objects)
    both = st.builds(lambda left, right: {**left, **right}, st.one_of(typed_arrays, typed_objects, objects), composed)
    return st.one_of(typed_arrays, typed_objects, arrays, objects, composed, both)


SCHEMAS: Schemas = st.recursive(PLAIN, _composed, max_leaves=8)


def _document(schema: Json, node: Json, leaf: Json) -> Json:
    if not isinstance(schema, dict) or "#/$defs/" not in repr((schema, node, leaf)):
        return schema
    return {**schema, "$defs": {"node": node, "leaf": leaf}}


DOCUMENTS: Schemas = st.builds(_document, SCHEMAS, SCHEMAS, PLAIN)
"""Whole schemas, whose references are defined."""
