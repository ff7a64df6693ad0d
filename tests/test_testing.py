"""What tests of other projects use: records over their tools, and calls compared by meaning, told as people tell it."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from generator import load_tools, validate_record
from generator.errors import JobError, ToolFileError
from generator.testing import assert_calls_equal, records
from tests.checkout import run_python
from tests.readmes import make_desk

BOOK = {
    "name": "book_table",
    "description": "Books a table at a restaurant on a day, for some guests, with tags.",
    "inputSchema": {
        "type": "object",
        "required": ["restaurant", "day", "guests"],
        "properties": {
            "restaurant": {"type": "string", "description": "Name of the restaurant"},
            "day": {"type": "string", "format": "date", "description": "The day"},
            "guests": {"type": "integer", "description": "How many come"},
            "tags": {"type": "array", "uniqueItems": True, "items": {"type": "string"}, "description": "Wishes"},
        },
    },
}
ARGUMENTS: dict[str, Any] = {"restaurant": "Da Nino", "day": "2026-01-15", "guests": 4, "tags": ["quiet", "garden"]}


def call(**changed: Any) -> dict[str, Any]:
    return {"name": "book_table", "arguments": {**ARGUMENTS, **changed}}


def test_records_are_valid_and_equal_for_equal_arguments() -> None:
    made = records(BOOK, 4, 3, kinds=["simple", "parallel"])
    assert [validate_record(record) for record in made] == [[]] * 4
    assert [record.metadata.kind for record in made if record.metadata] == ["parallel", "simple", "parallel", "simple"]
    assert made == records(load_tools(BOOK), count=4, seed=3, kinds=("simple", "parallel"))
    assert made != records(BOOK, 4, 4, kinds=["simple", "parallel"])


def test_without_tools_the_bundled_ones_are_used() -> None:
    (made,) = records(count=1)
    assert validate_record(made) == []


def test_tools_that_were_loaded_are_those_the_list_holds_now() -> None:
    tools = load_tools(BOOK, {**BOOK, "name": "cancel_table", "description": "Cancels a table."})
    assert tools.catalog is tools.catalog
    tools.pop()
    assert [tool.name for tool in tools.catalog.tools] == ["book_table"]
    assert {shown.function.name for each in records(tools, 3, kinds=["simple"]) for shown in each.tools} == {
        "book_table"
    }


def test_a_domain_file_gives_the_words(tmp_path: Path) -> None:
    make_desk(tmp_path)
    tools = json.loads((tmp_path / "my_tools.json").read_text())
    spoken = records(tools, 5, kinds=["simple"], domain=tmp_path / "my_tools.domain.yaml")
    assert spoken == records(tmp_path / "my_tools.json", 5, kinds=["simple"])
    assert spoken != records(tools, 5, kinds=["simple"])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"tools": "nowhere.json"}, ToolFileError, "nowhere.json: no such file or folder"),
        ({"domian": "x"}, JobError, "unknown argument 'domian'; did you mean domain?"),
        ({"domain": [5]}, JobError, r"domain: \[5\] is no domain file"),
        ({"kinds": ["nested", "simple"]}, JobError, "nested: it needs an entity with a `find`"),
    ],
)
def test_what_cannot_be_made_is_told(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        records(**{"tools": BOOK, **arguments})
    assert [entry.path.name for entry in caught.traceback] == [Path(__file__).name, "testing.py"]


EQUAL: list[tuple[Any, Any]] = [
    ([call()], [call()]),
    ([call()], {"role": "assistant", "tool_calls": [{"function": {**call(), "arguments": json.dumps(ARGUMENTS)}}]}),
    ([call()], [call(guests=4.0)]),
    ([call()], [call(tags=["garden", "quiet"])]),
    ([call()], [call(restaurant="da nino")]),
    ([call(guests=2), call()], [call(), call(guests=2)]),
    ([], None),
    (None, {"role": "assistant", "content": "In which city?"}),
    ([], SimpleNamespace(role="assistant", content="Hello", tool_calls=None)),
]
DIFFERENT: list[tuple[Any, Any, str]] = [
    ([call()], [call(guests=5)], "book_table has guests 5 where 4 was asked"),
    ([call()], [call(day="2026-01-16")], "book_table has day '2026-01-16' where '2026-01-15' was asked"),
    ([call()], None, "book_table was not called"),
    ([], [call()], "book_table was called, though it was not asked for"),
    ([call()], [call(), call()], "book_table was called once too often"),
]


@pytest.mark.parametrize(("expected", "actual"), EQUAL)
def test_calls_that_mean_the_same_are_equal(expected: Any, actual: Any) -> None:
    assert_calls_equal(expected, actual, BOOK)


@pytest.mark.parametrize(("expected", "actual", "told"), DIFFERENT)
def test_a_difference_is_told_as_a_person_would(expected: Any, actual: Any, told: str) -> None:
    with pytest.raises(AssertionError) as caught:
        assert_calls_equal(expected, actual, BOOK)
    assert told in str(caught.value)


def test_the_order_of_calls_counts_where_it_is_asked_for() -> None:
    two = [call(), call(guests=2)]
    assert_calls_equal(two, two[::-1])
    with pytest.raises(AssertionError, match="in the order"):
        assert_calls_equal([call(), {"name": "pay", "arguments": {}}], [{"name": "pay"}, call()], ordered=True)


def test_tools_are_taken_in_every_shape(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text(json.dumps({"tools": [BOOK]}))
    (record,) = records(BOOK, 1, kinds=["simple"])
    shapes: list[Any] = [tmp_path / "tools.json", {"tools": [BOOK]}, load_tools(BOOK), record.tools]
    shapes += [record.to_dict()["tools"], [str(tmp_path / "tools.json")]]
    for tools in shapes:
        assert_calls_equal([call()], [call(tags=["garden", "quiet"])], tools)
    with pytest.raises(AssertionError):
        assert_calls_equal([call()], [call(tags=["garden", "quiet"])])
    with pytest.raises(ToolFileError, match="nowhere"):
        assert_calls_equal([call()], [call()], "nowhere.json")


FAILING = """
import unittest
from generator.testing import assert_calls_equal

class TestCalls(unittest.TestCase):
    def test_calls(self):
        assert_calls_equal([{"name": "f", "arguments": {"n": 1}}], [{"name": "f", "arguments": {"n": 2}}])
"""


@pytest.mark.slow
@pytest.mark.parametrize("runner", [("unittest",), ("pytest", "-p", "no:cacheprovider")])
def test_a_failure_shows_the_explanation_and_no_frame_of_ours(tmp_path: Path, runner: tuple[str, ...]) -> None:
    (tmp_path / "test_calls.py").write_text(FAILING)
    done = run_python("-m", *runner, "test_calls.py", cwd=tmp_path)
    assert done.returncode == 1
    shown = done.stdout + done.stderr
    assert "AssertionError: f has n 2 where 1 was asked" in shown
    assert "assert_calls_equal([{" in shown
    assert "testing.py" not in shown
