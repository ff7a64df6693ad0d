"""The work of a build: the same inputs go on, others begin anew, and answers of a model outlive both."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.builds.folder import BuildsFolder
from generator.builds.inputs import Inputs
from generator.builds.work import clear_work, prepare_work
from generator.job import Job
from tests.run_fakes import CATALOG

INPUTS = Inputs(job={}, settings={}, sources={}, versions={})


@pytest.fixture
def folder(tmp_path: Path) -> BuildsFolder:
    """A folder with a run that was begun."""
    found = BuildsFolder(tmp_path)
    prepare_work(found, Job(), CATALOG, INPUTS, "before")
    found.work.database.write_bytes(b"records")
    found.work.answers.write_bytes(b"answers")
    return found


def test_the_same_inputs_go_on(folder: BuildsFolder) -> None:
    prepare_work(folder, Job(), CATALOG, INPUTS, "before")
    assert folder.work.database.read_bytes() == b"records"


@pytest.mark.parametrize(
    ("job", "inputs", "before"),
    [
        (Job(seed=1), INPUTS, "before"),
        (Job(), INPUTS.model_copy(update={"sources": {"x": "y"}}), "before"),
        (Job(), INPUTS, "another"),
    ],
)
def test_other_inputs_begin_anew_and_answers_stay(folder: BuildsFolder, job: Job, inputs: Inputs, before: str) -> None:
    prepare_work(folder, job, CATALOG, inputs, before)
    assert not folder.work.database.exists()
    assert folder.work.answers.read_bytes() == b"answers"
    assert folder.work.job.is_file()


def test_what_is_cleared_is_all_but_answers(folder: BuildsFolder) -> None:
    (folder.work.path / "run.db.damaged-1").write_bytes(b"")
    clear_work(folder)
    assert [path.name for path in folder.work.path.iterdir()] == ["answers.jsonl"]
    assert not folder.plan.exists()


def test_a_run_that_lost_its_job_begins_anew(folder: BuildsFolder) -> None:
    folder.work.job.unlink()
    prepare_work(folder, Job(), CATALOG, INPUTS, "before")
    assert not folder.work.database.exists()
