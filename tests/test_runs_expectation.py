"""What was read is told, and a file that shows tools and yields no call is not passed."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from generator.cli import main
from generator.runs.expectation import Expected, account, unmet
from generator.validation.tally import Read, Tally
from tests.record_examples import KINDS, simple


def tally(*read: Read) -> Tally:
    counted = Tally()
    for each in read:
        counted.add((), "openai", each)
    return counted


SILENT, CALLING, CHATTING = Read(0, 0, 2, True), Read(1, 1, 2), Read()


@pytest.mark.parametrize(
    ("read", "expected", "is_unmet"),
    [
        ([SILENT], "some", True),
        ([SILENT, CALLING], "some", False),
        ([SILENT], "none", False),
        ([SILENT], "any", False),
        ([CALLING], "none", True),
        ([CALLING], "any", False),
        ([CHATTING], "some", False),
        ([], "some", False),
    ],
)
def test_a_file_with_tools_is_expected_to_call(read: list[Read], expected: Expected, is_unmet: bool) -> None:
    assert bool(unmet("x.jsonl", tally(*read), expected)) is is_unmet


def test_what_was_read_is_told_with_what_was_not() -> None:
    counted = tally(CALLING, Read(2, 1, 3, False, ("id", "label")), Read(columns=("id",)))
    assert account(counted) == "read 3 calls, 2 results, 5 tools; not looked into: id (2), label (1)"


def test_counts_over_lines_add_up() -> None:
    whole = tally(CALLING, SILENT)
    whole.merge(tally(Read(2, 1, 3, False, ("id",))))
    assert (whole.calls, whole.results, whole.tools, whole.silent, dict(whole.columns)) == (3, 2, 7, 1, {"id": 1})


def lines(path: Path, *records: object) -> str:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    return str(path)


UNREAD = {
    "messages": [{"role": "user", "content": "Rome?"}, {"role": "assistant", "content": "Sunny, I would say."}],
    "tools": simple()["tools"],
}


@pytest.mark.parametrize("command", [["validate"], ["convert", "--to", "openai", "-o", "-"]])
def test_a_file_that_yields_no_call_fails_unless_none_is_expected(
    command: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = lines(tmp_path / "x.jsonl", UNREAD, UNREAD)
    name, *options = command
    assert main([name, path, *options]) == 1
    assert "not one call was read" in capsys.readouterr().err
    assert main([name, path, *options, "--expect-calls", "none"]) == 0
    assert "read 0 calls, 0 results, 2 tools" in capsys.readouterr().err


def test_each_file_is_held_to_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    calling, silent = lines(tmp_path / "a.jsonl", simple()), lines(tmp_path / "b.jsonl", UNREAD)
    assert main(["validate", calling, silent]) == 1
    assert f"error: {silent}: " in capsys.readouterr().err


def test_records_whose_kind_is_one_without_calls_are_taken_at_their_word(tmp_path: Path) -> None:
    assert main(["validate", lines(tmp_path / "x.jsonl", KINDS["irrelevance"]())]) == 0


def test_programs_are_told_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", UNREAD)
    assert main(["validate", path, "--json"]) == 1
    assert "not one call" in orjson.loads(capsys.readouterr().out.splitlines()[-1])["summary"]["unmet"][0]
    assert main(["validate", path, "--sarif"]) == 1
    (invocation,) = orjson.loads(capsys.readouterr().out)["runs"][0]["invocations"]
    assert "not one call" in invocation["toolExecutionNotifications"][0]["message"]["text"]
    assert main(["validate", path, "--github"]) == 1
    assert "::error title=toolgen validate::" in capsys.readouterr().out
