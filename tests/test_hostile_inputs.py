"""No input takes more than seconds, or more memory than a small machine has: it is read, or refused with the limit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.validation import check
from generator.validation.shape import MOST_CALLS, MOST_LOOKED_THROUGH, MOST_MESSAGES
from tests.hostile_inputs import FILES, RECORDS, Make, measure
from tests.record_examples import Json, irrelevance, simple

SECONDS = 12
MEGABYTES = 1_500
TABLE = [
    *(pytest.param("validate", make, says, id=f"validate {name}") for name, (make, says) in RECORDS.items()),
    *(pytest.param("tools", make, says, id=f"tools {name}") for name, (make, says) in FILES.items()),
]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "make", "says"), TABLE)
def test_no_input_takes_long(command: str, make: Make, says: str, tmp_path: Path) -> None:
    path = tmp_path / "input.json"
    path.write_bytes(make())
    ended = measure([command, str(path)])
    assert ended.code in (0, 1, 2)
    assert "Traceback" not in ended.said
    assert says in ended.said
    assert ended.seconds < SECONDS
    assert ended.megabytes < MEGABYTES


@pytest.mark.slow
@pytest.mark.parametrize("command", [["show"], ["fix", "--diff"], ["convert", "--to", "trl"]], ids=lambda each: each[0])
@pytest.mark.parametrize(
    "name", ["20,000 calls at once", "100,000 messages", "one huge answer", "controls without end"]
)
def test_no_other_command_takes_long(command: list[str], name: str, tmp_path: Path) -> None:
    path = tmp_path / "input.json"
    path.write_bytes(RECORDS[name][0]())
    ended = measure([*command, str(path)])
    assert ended.code in (0, 1)
    assert "Traceback" not in ended.said
    assert ended.seconds < SECONDS
    assert ended.megabytes < MEGABYTES


def with_messages(count: int) -> Json:
    record = irrelevance()
    record["messages"][-2]["content"] = record["messages"][-1]["content"] = "x"
    record["messages"] += record["messages"][-2:] * ((count - len(record["messages"]) + 1) // 2)
    record["messages"] = record["messages"][:count]
    return record


def with_calls(count: int) -> Json:
    record = simple()
    record["messages"][2]["tool_calls"] *= count
    return record


def with_text(characters: int) -> Json:
    record = irrelevance()
    record["messages"][1]["content"] = "x" * (characters - len(record["messages"][0]["content"]))
    return record


@pytest.mark.parametrize(
    ("make", "most", "says"),
    [
        (with_messages, MOST_MESSAGES, "10,001 messages are too many for a record; 10,000 are read"),
        (with_calls, MOST_CALLS, "5,001 calls are too many for a record; 5,000 are read"),
        pytest.param(
            with_text,
            MOST_LOOKED_THROUGH,
            "200,000,001 to look through; 200,000,000 characters are looked through",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_limits_are_where_they_are_said_to_be(make: object, most: int, says: str) -> None:
    assert callable(make)
    assert not [each for each in check(make(most)) if each.rule == "TC101"]
    (violation,) = check(make(most + 1))
    assert violation.rule == "TC101"
    assert re.search(re.escape(says), violation.message)
