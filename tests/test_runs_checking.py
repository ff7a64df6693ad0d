"""Data sets in one process or several, packed or not: the same findings in the same order."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from generator.cli import main
from generator.errors import StorageError
from generator.jsontext import dump_line
from generator.runs.checking import Task, check_all
from generator.runs.origin import find_origin
from generator.runs.readers import any_format
from generator.validation.lines import Located
from generator.validation.standard import Standard
from tests.record_examples import CATALOG, KINDS

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
