"""Schemas that ask for too much, and a child process that makes values for them within limits of time and memory.

python -m tests.hostile_schemas NAME...    prints one JSON line per schema: how making a value ended
"""

from __future__ import annotations

import json
import random
import resource
import sys
from collections.abc import Callable
from typing import Any

Json = Any  # parsed JSON
INTEGER = {"type": "integer"}


def chain(length: int, link: Callable[[Json], Json] = lambda ref: ref) -> Json:
    """Definitions each of which refers to the next."""
    links = {f"d{at}": link({"$ref": f"#/$defs/d{at + 1}"}) for at in range(length)}
    return {"$ref": "#/$defs/d0", "$defs": {**links, f"d{length}": INTEGER}}


def web(count: int, width: int) -> Json:
    """Definitions that refer to any of the others."""
    draw = random.Random(1)
    made = {
        f"d{at}": {
            "type": "object",
            "properties": {f"p{n}": {"$ref": f"#/$defs/d{draw.randrange(count)}"} for n in range(width)},
        }
        for at in range(count)
    }
    return {"$ref": "#/$defs/d0", "$defs": made}


def deep(levels: int, outer: Callable[[Json], Json]) -> Json:
    """A schema in a schema and so on."""
    schema: Json = INTEGER
    for _ in range(levels):
        schema = outer(schema)
    return schema


def twins(levels: int, word: str) -> Json:
    return deep(levels, lambda inner: {word: [inner, {"type": "array", "items": inner}]})


PAIR = ("x", "y")
BOUND = {
    "refs in a row": lambda: chain(100),
    "5,000 refs in a row": lambda: chain(5_000),
    "5,000 objects in a row": lambda: chain(5_000, lambda ref: {"type": "object", "properties": {"a": ref}}),
    "1,000 needed objects in a row": lambda: chain(
        1_000, lambda ref: {"type": "object", "properties": {"a": ref}, "required": ["a"]}
    ),
    "a web of refs": lambda: web(2_000, 5),
    "a dense web of refs": lambda: web(300, 20),
    "a web of conjunctions": lambda: {
        "$ref": "#/$defs/d0",
        "$defs": {
            f"d{at}": {"properties": {"x": {"allOf": [{"$ref": f"#/$defs/d{(at * 7 + n * 13) % 60}"} for n in (1, 2)]}}}
            for at in range(60)
        },
    },
    "lists in lists": lambda: deep(95, lambda inner: {"type": "array", "items": inner}),
    "50,000 levels": lambda: deep(50_000, lambda inner: {"type": "array", "items": inner}),
    "not not not": lambda: deep(150, lambda inner: {"not": inner}),
    "anyOf in anyOf": lambda: deep(60, lambda inner: {"anyOf": [inner, {"type": "string"}]}),
    "twins of anyOf": lambda: twins(14, "anyOf"),
    "twins of oneOf": lambda: twins(12, "oneOf"),
    "a million twins": lambda: twins(20, "oneOf"),
    "if in then in else": lambda: deep(8, lambda inner: {"if": inner, "then": inner, "else": inner}),
    "huge minItems": lambda: {"type": "array", "minItems": 10**9},
    "minItems in minItems": lambda: {"type": "array", "minItems": 999, "items": {"type": "array", "minItems": 999}},
    "minItems beyond any integer": lambda: {"type": "array", "minItems": 1e30},
    "huge minContains": lambda: {"type": "array", "contains": INTEGER, "minContains": 10**9},
    "40,000 different elements": lambda: {"type": "array", "minItems": 40_000, "uniqueItems": True},
    "all of 20,000 elements": lambda: {
        "type": "array", "minItems": 20_000, "uniqueItems": True, "items": {**INTEGER, "minimum": 1, "maximum": 20_000}
    },
    "one element too many of a trillion": lambda: {
        "type": "array", "minItems": 10**12, "uniqueItems": True, "items": {**INTEGER, "minimum": 2, "maximum": 10**12}
    },
    "huge minLength": lambda: {"type": "string", "minLength": 10**9},
    "long text of a pattern": lambda: {"type": "string", "minLength": 100_000, "pattern": "^a+$"},
    "huge minProperties": lambda: {"type": "object", "minProperties": 10**9},
    "20,000 properties": lambda: {"type": "object", "properties": {f"k{at}": {"minLength": 1} for at in range(20_000)}},
    "10,000 required": lambda: {"type": "object", "required": [f"k{at}" for at in range(10_000)]},
    "exponential pattern": lambda: {"type": "string", "pattern": "^((a+)+)+b$", "minLength": 40},
    "exponential denial": lambda: {"type": "string", "pattern": "^(a+)+$", "not": {"pattern": "^a+$"}},
    "exponential automaton": lambda: {"type": "string", "pattern": "^(a|b)*a(a|b){40}$", "minLength": 60},
    "repeat of repeats": lambda: {"type": "string", "pattern": "^((a{100}){100}){100}$"},
    "repeat of nothing": lambda: {"type": "string", "pattern": "^(a{0,1000}){0,1000}b$"},
    "groups told again": lambda: {"type": "string", "pattern": "^(.*)\\1\\1$", "minLength": 31, "maxLength": 32},
    "many patterns": lambda: {"allOf": [{"type": "string", "pattern": chr(97 + at)} for at in range(26)]},
    "many look-aheads": lambda: {
        "type": "string", "pattern": "^" + "".join(f"(?=.*{chr(97 + at)})" for at in range(20)) + "[a-t]{20,40}$"
    },
    "many words": lambda: {"type": "string", "pattern": "^(" + "|".join(f"w{at}x*" for at in range(800)) + ")+$"},
    "200 name patterns": lambda: {
        "type": "object", "patternProperties": {f"^(a+)+{at}$": INTEGER for at in range(200)}, "minProperties": 50
    },
    "all values but one": lambda: {"enum": list(range(50_000)), "not": {"enum": list(range(49_999))}},
    "no value of many": lambda: {"enum": [f"v{at}" for at in range(50_000)], "pattern": "^x"},
    "5,000 branches": lambda: {"anyOf": [{"type": "object", "required": [f"k{at}"]} for at in range(5_000)]},
    "500 exclusive branches": lambda: {"type": "integer", "oneOf": [{"minimum": at} for at in range(500)]},
    "four million cases": lambda: {
        "allOf": [{"anyOf": [{"required": [f"a{at}"]}, {"required": [f"b{at}"]}]} for at in range(22)]
    },
    "exclusive pairs": lambda: {
        "type": "object", "allOf": [{"oneOf": [{"required": [f"a{at}"]}, {"required": [f"b{at}"]}]} for at in range(14)]
    },
    "300 names that follow": lambda: {
        "type": "object", "required": ["a0"], "dependentRequired": {f"a{at}": [f"a{at + 1}"] for at in range(300)}
    },
    "60 schemas that follow": lambda: {
        "type": "object",
        "required": ["a0"],
        "dependentSchemas": {f"a{at}": {"required": [f"a{at + 1}"]} for at in range(60)},
    },
    "doubling": lambda: chain(
        30, lambda ref: {"type": "object", "required": list(PAIR), "properties": dict.fromkeys(PAIR, ref)}
    ),
    "a ref to itself": lambda: {"$ref": "#"},
    "refs in a circle": lambda: {
        "$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}
    },
    "a circle of not": lambda: {"not": {"$ref": "#"}},
    "unevaluated over branches": lambda: {
        "type": "object",
        "anyOf": [{"properties": {f"k{at}": INTEGER}, "required": [f"k{at}"]} for at in range(14)],
        "unevaluatedProperties": False,
    },
    "unevaluated in unevaluated": lambda: deep(
        8,
        lambda inner: {
            "type": "object",
            "anyOf": [{"properties": {"a": inner}}, {"properties": {"b": inner}}],
            "unevaluatedProperties": False,
        },
    ),
    "unevaluated in a circle": lambda: {
        "type": "object",
        "if": {"required": ["a"]},
        "then": {"properties": {"a": {"unevaluatedProperties": False, "$ref": "#"}}},
    },
    "unevaluated in a circle of branches": lambda: {
        "oneOf": [{"required": ["b"]}, {"properties": {"a": {"unevaluatedProperties": False, "$ref": "#"}}}]
    },
    "100 contained": lambda: {"type": "array", "allOf": [{"contains": {"const": at}} for at in range(100)]},
    "a tiny grid": lambda: {"type": "number", "multipleOf": 1e-300, "minimum": 0.1, "maximum": 0.2},
    "a far grid": lambda: {"type": "number", "multipleOf": 0.01, "minimum": 0, "maximum": 1e15},
    "a grid of primes": lambda: {"type": "integer", "allOf": [{"multipleOf": at} for at in range(2, 60)], "minimum": 1},
    "an integer of 400 digits": lambda: {"type": "integer", "minimum": 10**400},
    "a name of 200,000 letters": lambda: {"type": "object", "required": ["x" * 200_000]},
    "a description of quotes": lambda: {"type": "string", "description": "'" * 50_000 + "e.g. " * 20_000},
    "a million letters of description": lambda: {"type": "string", "description": "a " * 500_000},
    "100,000 examples": lambda: {"type": "string", "examples": ["x"] * 100_000},
}  # fmt: skip
"""Schemas by name, made when they are asked for."""

CPU_SECONDS = 110
MEMORY = 2 * 1024**3


def main() -> None:
    """Make a value for each schema named, and say how it ended."""
    from generator.errors import GaveUp, Unsatisfiable
    from generator.schemas.validators import validator_for
    from generator.values import synthesize_value

    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for name in sys.argv[1:]:
        schema = BOUND[name]()
        try:
            value = synthesize_value(schema, seed=1)
            ended, said = "value", "valid" if validator_for(schema).is_valid(value) else "INVALID"
        except Unsatisfiable as error:
            ended, said = "unsatisfiable", f"{error} {error.keywords}"
        except GaveUp as error:
            ended, said = "gave up", str(error)
        cpu = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        print(json.dumps({"name": name, "ended": ended, "said": said[:400], "cpu": round(cpu, 2)}), flush=True)


if __name__ == "__main__":
    main()
