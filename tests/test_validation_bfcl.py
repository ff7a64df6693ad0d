"""BFCL's own answers, read as records: the examiner finds what plain jsonschema finds, and what can be defended."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import jsonschema

from generator.datasets.origin import any_format
from generator.validation import Violation, check
from tests.shared_data import SHARED, needs_shared

Json = Any  # parsed JSON

GOLD = SHARED / "corpus" / "bfcl_gold"
PLAIN_TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": None, "String": "string"}
pytestmark = needs_shared


@cache
def lines() -> tuple[Json, ...]:
    """Every question that has an accepted answer, with it."""
    found = []
    for path in sorted(GOLD.glob("answers_*.jsonl")):
        answers = {each["id"]: each for each in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
        questions = path.with_name(path.name.replace("answers", "questions")).read_text(encoding="utf-8")
        found += [{**each, **answers[each["id"]]} for each in map(json.loads, questions.splitlines())]
    return tuple(found)


@cache
def records() -> tuple[tuple[str, Json], ...]:
    """The records by the ids of their questions."""
    read = [(line["id"], any_format(line)) for line in lines()]
    assert {reading.form for _, reading in read} == {"bfcl"}
    return tuple((identity, reading.document) for identity, reading in read)


@cache
def violations() -> tuple[tuple[str, Json, Violation], ...]:
    """Every violation with its question and its record; where values come from is left to the rules of grounding."""
    return tuple(
        (identity, record, found)
        for identity, record in records()
        for found in check(record, generated=False)
        if not found.rule.startswith("TC2")
    )


def plain(schema: Json) -> Json:
    """A schema of BFCL with the names of JSON's types, and nothing else changed."""
    if not isinstance(schema, dict):
        return schema
    copy = {key: value for key, value in schema.items() if key not in ("type", "properties", "items")}
    named = PLAIN_TYPES.get(schema.get("type"), schema.get("type"))
    if named is not None:
        copy["type"] = named
    if isinstance(schema.get("properties"), dict):
        copy["properties"] = {name: plain(part) for name, part in schema["properties"].items()}
    if "items" in schema:
        copy["items"] = plain(schema["items"])
    return copy


def calls(record: Json) -> list[Json]:
    return [call["function"] for turn in record["messages"] for call in turn.get("tool_calls", ())]


def refused_by_jsonschema() -> Iterator[tuple[str, int]]:
    for line, (identity, record) in zip(lines(), records(), strict=True):
        schemas = {function["name"]: plain(function["parameters"]) for function in line["function"]}
        for number, call in enumerate(calls(record)):
            if not jsonschema.Draft202012Validator(schemas[call["name"]]).is_valid(call["arguments"]):
                yield identity, number


def place(violation: Violation) -> int:
    """Which call of the record's one turn a violation points at."""
    found = re.match(r"/messages/\d+/tool_calls/(\d+)", violation.pointer)
    assert found is not None
    return int(found[1])


def is_undeclared(record: Json, violation: Violation) -> bool:
    call = calls(record)[place(violation)]
    (tool,) = [each["function"] for each in record["tools"] if each["function"]["name"] == call["name"]]
    return not call["arguments"].keys() <= tool["parameters"]["properties"].keys()


def is_no_name(record: Json, violation: Violation) -> bool:
    name = record["tools"][int(violation.pointer.split("/")[2])]["function"]["name"]
    return re.fullmatch(r"[a-zA-Z0-9_-]+", name) is None


def is_repeated(record: Json, violation: Violation) -> bool:
    made = calls(record)
    return made.index(made[place(violation)]) < place(violation)


def is_unanswered(record: Json, violation: Violation) -> bool:
    return not any(turn["role"] == "tool" for turn in record["messages"])


DEFENDED: dict[str, tuple[str, Callable[[Json, Violation], bool]]] = {
    "ADM008": ("the argument is in no property: jsonschema admits it, the function does not take it", is_undeclared),
    "OA022": ("the name has a dot, which OpenAI and ADM refuse", is_no_name),
    "TC011": ("BFCL holds no results, so that no call is answered: a warning", is_unanswered),
    "TC013": ("the answer makes one call twice in a turn: a warning", is_repeated),
}
"""What is found beyond plain jsonschema, by rule: why it is right, and how that is seen."""


def test_there_are_a_thousand_answers() -> None:
    assert len(lines()) == 1000


def test_arguments_are_refused_where_plain_jsonschema_refuses_them() -> None:
    refused = {(identity, place(found)) for identity, _, found in violations() if found.rule == "OA016"}
    assert refused == set(refused_by_jsonschema()) != set()


def test_whatever_else_is_found_can_be_defended() -> None:
    others = [(record, found) for _, record, found in violations() if found.rule != "OA016"]
    assert {found.rule for _, found in others} == set(DEFENDED)
    assert [found for record, found in others if not DEFENDED[found.rule][1](record, found)] == []


def test_where_its_values_come_from_is_doubted_seldom_and_never_refused() -> None:
    """BFCL's answers are right: what the rules of calls say of them is a false alarm, but for what is noted."""
    codes = {"TC201", "TC213", "TC214"}
    found = [[each for each in check(record, generated=False) if each.rule in codes] for _, record in records()]
    assert not any(each.severity == "error" for record in found for each in record)
    assert sum(any(each.severity == "warning" for each in record) for record in found) <= MOST_DOUBTED


MOST_DOUBTED = 8
"""Records of a thousand."""
