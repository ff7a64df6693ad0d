"""A wish with its details below it: for what does not go into a sentence."""

from __future__ import annotations

from random import Random

import pytest

from generator.authors.offline.listing import list_details
from generator.authors.offline.saying import Unsayable, Voice
from generator.jsontext import JsonObject
from generator.tools.tool import Tool

TEXT: JsonObject = {"type": "string"}
DEPLOY = Tool(
    name="deploy_application",
    description="Deploy an application.",
    parameters={
        "type": "object",
        "properties": {
            "target": {
                "type": "object",
                "description": "Where to.",
                "properties": {"region": TEXT, "size": {"type": "integer"}},
            },
            "probes": {
                "type": "array",
                "description": "Probes.",
                "items": {"type": "object", "properties": {"path": TEXT}},
            },
            "tags": {"type": "array", "description": "Tags.", "items": TEXT},
            "to": {"type": "string", "description": "Email address."},
            "cc": {"type": "string", "description": "Email address."},
            "dry_run": {"type": "boolean", "description": "Whether to try it only."},
        },
    },
    result_schema={"type": "object", "properties": {}},
    result_origin="derived",
)


def _lines(arguments: JsonObject) -> list[str]:
    return list_details(DEPLOY, arguments, Voice(Random(1)), "plain").splitlines()


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ({"target": {"region": "Oslo", "size": 3}}, ["- target, region: Oslo", "- target, size: 3"]),
        ({"probes": [{"path": "/a"}, {"path": "/b"}]}, ["- probes 1, path: /a", "- probes 2, path: /b"]),
        ({"tags": ["red", "blue"]}, ["- tags: red and blue"]),
        ({"dry_run": False}, ["- dry run: no"]),
    ],
)
def test_each_value_has_a_line(arguments: JsonObject, lines: list[str]) -> None:
    wish, *told = _lines(arguments)
    assert "application" in wish
    assert wish.endswith(":")
    assert told == lines


def test_what_would_be_called_the_same_is_called_by_its_name() -> None:
    told = _lines({"to": "ada@example.com", "cc": "bo@example.com"})[1:]
    assert len({line.partition(":")[0] for line in told}) == 2


@pytest.mark.parametrize(
    "arguments",
    [{}, {"target": {"region": "a\nb"}}, {"probes": [["x"], ["y"]]}, {"tags": ["x" * 500]}, {"unknown": 1}],
    ids=["nothing", "two lines", "lists in lists", "too long", "unknown"],
)
def test_what_nobody_would_write_is_refused(arguments: JsonObject) -> None:
    with pytest.raises(Unsayable):
        _lines(arguments)
