"""Data sets in one process or several, packed or not: the same findings in the same order."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import orjson
import pytest
import zstandard

from generator.cli import main
from generator.datasets.checking import Expected, Task, account, check_all, unmet
from generator.datasets.origin import any_format, find_origin
from generator.errors import StorageError
from generator.jsontext import dump_line
from generator.validation.lines import Located
from generator.validation.verdict import Read, Standard, Tally
from tests.record_examples import CATALOG, KINDS, simple

Json = Any  # parsed JSON

BROKEN = (b"{}\n", b"nothing\n", b'{"messages":[],"messages":[]}\n', b"\n")


def lines(count: int) -> bytes:
    """Good and bad records, more than one batch of them."""
    good = [dump_line(make()) for make in KINDS.values()]
    return b"".join(good[number % len(good)] if number % 7 else BROKEN[number % len(BROKEN)] for number in range(count))


def found(*paths: Path, jobs: int = 1) -> list[tuple[str, Located]]:
    tasks = [Task(find_origin(str(path)), Standard(CATALOG, reader=any_format)) for path in paths]
    return [(origin.name, each) for origin, findings in check_all(tasks, jobs) for each in findings.located]


def test_several_processes_find_the_same_in_the_same_order(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl.gz"
    one.write_bytes(lines(600))
    two.write_bytes(gzip.compress(lines(300)))
    printed = []
    for jobs in ("1", "2"):
        for look in ("--json", "--statistics"):
            assert main(["validate", str(one), str(two), "--jobs", jobs, look]) == 1
            printed.append(capfd.readouterr())
    assert printed[:2] == printed[2:]
    violations = [json.loads(line) for line in printed[0].out.splitlines()[:-1]]
    places = [(violation["file"], violation["line"]) for violation in violations]
    assert places == sorted(places)
    assert {file for file, _ in places} == {str(one), str(two)}


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress], ids=["gzip", "zst"])
def test_archives_hold_what_files_hold(tmp_path: Path, pack: Any) -> None:
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    plain.write_bytes(lines(600))
    packed.write_bytes(pack(lines(600)))
    assert [each for _, each in found(plain)] == [each for _, each in found(packed)] != []


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_cut_archive_holds_is_found_before_it_is_told(tmp_path: Path, jobs: int) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(lines(2000))[:-2000])
    tasks = [Task(find_origin(str(path)), Standard(CATALOG))]
    given = check_all(tasks, jobs)
    first = next(given)[1]
    assert {each.line for each in first.located} >= {1, 15, 22}
    with pytest.raises(StorageError, match="ends early"):
        list(given)


@pytest.mark.parametrize("look", ["--json", "--sarif", "--github", "--statistics", "--strict"])
def test_a_cut_archive_ends_with_one_message(tmp_path: Path, capfd: pytest.CaptureFixture[str], look: str) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(lines(2000))[:-2000])
    assert main(["validate", str(path), look]) == 5
    out, err = capfd.readouterr()
    assert err.splitlines()[-1].startswith(f"error: {path}: the gzip archive ends early")
    if look == "--json":
        assert "ends early" in json.loads(out.splitlines()[-1])["summary"]["failure"]
    if look == "--sarif":
        assert json.loads(out)["runs"][0]["invocations"][0]["exitCode"] == 5


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


def runs_expectation_lines(path: Path, *records: object) -> str:
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
    path = runs_expectation_lines(tmp_path / "x.jsonl", UNREAD, UNREAD)
    name, *options = command
    assert main([name, path, *options]) == 1
    assert "not one call was read" in capsys.readouterr().err
    assert main([name, path, *options, "--expect-calls", "none"]) == 0
    assert "read 0 calls, 0 results, 2 tools" in capsys.readouterr().err


def test_each_file_is_held_to_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    calling, silent = (
        runs_expectation_lines(tmp_path / "a.jsonl", simple()),
        runs_expectation_lines(tmp_path / "b.jsonl", UNREAD),
    )
    assert main(["validate", calling, silent]) == 1
    assert f"error: {silent}: " in capsys.readouterr().err


def test_records_whose_kind_is_one_without_calls_are_taken_at_their_word(tmp_path: Path) -> None:
    assert main(["validate", runs_expectation_lines(tmp_path / "x.jsonl", KINDS["irrelevance"]())]) == 0


def test_programs_are_told_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = runs_expectation_lines(tmp_path / "x.jsonl", UNREAD)
    assert main(["validate", path, "--json"]) == 1
    assert "not one call" in orjson.loads(capsys.readouterr().out.splitlines()[-1])["summary"]["unmet"][0]
    assert main(["validate", path, "--sarif"]) == 1
    (invocation,) = orjson.loads(capsys.readouterr().out)["runs"][0]["invocations"]
    assert "not one call" in invocation["toolExecutionNotifications"][0]["message"]["text"]
    assert main(["validate", path, "--github"]) == 1
    assert "::error title=toolgen validate::" in capsys.readouterr().out
