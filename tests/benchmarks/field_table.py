"""A table of fields drawn at random from tool files, with the values they get: for reading, by people.

python tests/benchmarks/field_table.py FOLDER ... [--seed N] [--fields 150]

Fields are drawn from the parameters of the tools and from the result schemas that they declare, at any depth. An
argument is taken from a call with every parameter, a result's field from the answer to such a call.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from generator.results import synthesize_results

from generator.errors import ValueSynthesisError
from generator.formats.tool_files import load_catalog
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.records.calls import Draft, DraftCall
from generator.scenarios.scenario import Persona, PlannedCall, Scenario, Step
from generator.tools.tool import Tool
from generator.values import Context, synthesize_value

_REFERENCE = date(2026, 1, 15)
_DEEPEST = 6
_ABSENT = object()
_WIDTH = 110

Path_ = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """One property of a tool's parameters, or of the result it declares."""

    tool: Tool
    part: str
    """`parameters` or `result`."""
    path: Path_
    """Names of properties from the root; `[]` stands for the entries of a list."""
    schema: JsonObject


def main() -> None:
    """Draw the fields, make their values and print both, one row per field."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fields", type=int, default=150)
    options = parser.parse_args()
    tools = load_catalog(options.folders, skip_invalid=True, on_conflict="source").catalog.tools
    fields = [field for tool in tools for field in _fields_of(tool)]
    drawn = Random(options.seed).sample(fields, min(options.fields, len(fields)))
    print(f"{len(fields)} fields of {len(tools)} tools; {len(drawn)} drawn with seed {options.seed}")
    for number, field in enumerate(drawn, 1):
        print(_row(number, field, options.seed))


def _fields_of(tool: Tool) -> Iterator[Field]:
    for part, schema in (("parameters", tool.parameters), ("result", tool.result_schema)):
        if part == "parameters" or tool.result_origin == "declared":
            yield from (Field(tool, part, path, node) for path, node in _walk(schema, schema, (), 0))


def _walk(root: JsonObject, node: JsonValue, path: Path_, depth: int) -> Iterator[tuple[Path_, JsonObject]]:
    """Yield every property below a node with its path."""
    node = _resolved(root, node)
    if depth > _DEEPEST or not isinstance(node, dict):
        return
    for name, inner in (node.get("properties") or {}).items():
        if isinstance(inner, dict):
            yield (*path, name), _resolved(root, inner)
            yield from _walk(root, inner, (*path, name), depth + 1)
    if isinstance(node.get("items"), dict):
        yield from _walk(root, node["items"], (*path, "[]"), depth + 1)


def _resolved(root: JsonObject, node: JsonValue) -> JsonValue:
    if isinstance(node, dict) and str(node.get("$ref", "")).startswith("#/$defs/"):
        return root.get("$defs", {}).get(node["$ref"].removeprefix("#/$defs/"), node)
    return node


def _row(number: int, field: Field, seed: int) -> str:
    try:
        value = _value(field, seed * 1000 + number)
    except ValueSynthesisError as error:
        value = f"(none: {error})"
    told = str(field.schema.get("description", "")).replace("\n", " ")
    shown = "(absent)" if value is _ABSENT else dump_compact(value)
    name = f"{field.tool.name} {'-> ' if field.part == 'result' else ''}{'.'.join(field.path)}"
    return f"{number:>3} {name}\n      {told[:_WIDTH]}\n      = {shown[:_WIDTH]}"


def _value(field: Field, seed: int) -> JsonValue:
    """Return the value of a field in a call with every parameter, or in the answer to it."""
    tool = field.tool
    context = Context(name=tool.name, description=tool.description, reference_date=_REFERENCE)
    value: JsonValue = _ABSENT
    for turn in range(8):
        every = Context(
            name=tool.name,
            description=tool.description,
            reference_date=_REFERENCE,
            include=frozenset(tool.parameters.get("properties", {})) if field.part == "parameters" else None,
        )
        chosen = every if field.part == "parameters" else context
        arguments = synthesize_value(tool.parameters, seed=seed * 10 + turn, context=chosen)
        whole = arguments if field.part == "parameters" else _answer(tool, arguments, seed)
        value = _at(whole, field.path)
        if value is not _ABSENT and value is not None:
            return value
    return value


def _answer(tool: Tool, arguments: JsonObject, seed: int) -> JsonValue:
    step = Step(calls=(PlannedCall(tool, arguments),))
    scenario = Scenario(0, 0, seed, "simple", (tool,), (step,), Persona("user", "plain"), "en_US", _REFERENCE)
    return synthesize_results(scenario, Draft(calls=(DraftCall(name=tool.name, arguments=arguments),)), step)[0].content


def _at(value: JsonValue, path: Sequence[str]) -> JsonValue:
    for name in path:
        if name == "[]" and isinstance(value, list) and value:
            value = value[0]
        elif isinstance(value, dict) and name in value:
            value = value[name]
        else:
            return _ABSENT
    return value


if __name__ == "__main__":
    main()
