"""Kept records: a run takes them over to the byte, knows them again, and makes the others around them."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from generator.errors import StorageError
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.run import run_job
from generator.runs.kept import KeptRecords, Place, checksum_of
from tests.checkout import CHECKOUT

CATALOG = load_catalog([CHECKOUT / "tool_specs" / "reading.json"]).catalog
JOB = Job(count=20, seed=1, mix={"simple": 1, "irrelevance": 1})


def places_of(file: Path, keep: set[int]) -> dict[int, Place]:
    """Where the lines of some indices stand."""
    found, start = {}, 0
    for index, line in enumerate(file.read_bytes().splitlines(keepends=True)):
        if index in keep:
            found[index] = Place(start, len(line), checksum_of(line))
        start += len(line)
    return found


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of another seed: none that the job would make itself."""
    folder = tmp_path_factory.mktemp("other")
    run_job(JOB.model_copy(update={"seed": 2}), CATALOG, folder)
    return folder / "records.jsonl"


@pytest.mark.parametrize("keep", [{0, 1, 2}, {3, 7, 19}, set(range(20)), set(range(0, 20, 2))])
def test_they_are_taken_over_to_the_byte_and_the_others_are_made(other: Path, tmp_path: Path, keep: set[int]) -> None:
    kept = KeptRecords(other, places_of(other, keep), CATALOG)
    report = run_job(JOB, CATALOG, tmp_path, kept=kept)
    assert (report.resumed, report.made) == (len(keep), 20 - len(keep))
    given = other.read_bytes().splitlines()
    lines = (tmp_path / "records.jsonl").read_bytes().splitlines()
    assert {index for index in range(20) if lines[index] == given[index]} == keep
    requests = {" ".join(m["content"] for m in orjson.loads(line)["messages"] if m["role"] == "user") for line in lines}
    assert len(requests) == 20


def test_a_later_session_knows_them_again(other: Path, tmp_path: Path) -> None:
    kept = KeptRecords(other, places_of(other, {2, 5}), CATALOG)
    run_job(JOB, CATALOG, tmp_path, kept=kept)
    before = (tmp_path / "records.jsonl").read_bytes()
    (tmp_path / "summary.json").unlink()  # so that the run is looked at from the beginning
    report = run_job(JOB, CATALOG, tmp_path, kept=kept)
    assert (report.resumed, report.made) == (20, 0)
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_a_run_that_is_stopped_in_between_comes_to_the_same(other: Path, tmp_path: Path) -> None:
    kept = KeptRecords(other, places_of(other, set(range(0, 20, 3))), CATALOG)
    run_job(JOB, CATALOG, tmp_path / "whole", kept=kept)

    class Stopped(Exception):
        pass

    def stop(progress: object) -> None:
        if progress.decided == 12:  # type: ignore[attr-defined]  # a Progress
            raise Stopped

    with pytest.raises(Stopped):
        run_job(JOB, CATALOG, tmp_path / "run", kept=kept, on_progress=stop)
    run_job(JOB, CATALOG, tmp_path / "run", kept=kept)
    both = [(tmp_path / name / "records.jsonl").read_bytes() for name in ("run", "whole")]
    assert both[0] == both[1]


def test_what_they_count_for_is_what_new_ones_count_for(other: Path, tmp_path: Path) -> None:
    job = JOB.model_copy(update={"seed": 2})
    whole = run_job(job, CATALOG, tmp_path / "whole").summary
    kept = KeptRecords(other, places_of(other, set(range(20))), CATALOG)
    again = run_job(job, CATALOG, tmp_path / "again", kept=kept).summary
    for told in ("coverage", "tools", "lengths", "successes", "errors", "records"):
        assert getattr(again, told) == getattr(whole, told), told


def test_a_file_that_changes_meanwhile_is_refused(other: Path, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes(other.read_bytes())
    kept = KeptRecords(file, places_of(file, {0}), CATALOG)
    file.write_bytes(file.read_bytes().replace(b"user", b"User", 1))
    with pytest.raises(StorageError, match="was changed while it was read"):
        list(kept.outcomes())
