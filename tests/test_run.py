"""Running a job into its folder: begun, continued, extended, refused, and always the same bytes."""

from __future__ import annotations

import json
import signal
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from generator.domains.catalog import Catalog
from generator.engines.engine import EngineOptions
from generator.errors import JobError, StorageError
from generator.job import Job
from generator.run import RunReport, run_job
from generator.runs.folder import RunFolder, read_catalog
from generator.runs.giving_up import MOST_FAILED_INDICES
from generator.runs.identity import read_job_document
from generator.runs.progress import Progress
from generator.runs.settling import DUPLICATE
from tests.run_fakes import CATALOG, FAKE, FAULTY, POOR, FakeProducer


def run(folder: Path, count: int = 300, *, make: type[FakeProducer] = FAKE, jobs: int = 1, **job: Any) -> RunReport:
    return run_job(Job(count=count, **job), CATALOG, folder, engine=EngineOptions(jobs=jobs), make=make)


def published(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "records.jsonl").read_bytes(), (folder / "rejections.jsonl").read_bytes()


def test_a_run_makes_exactly_what_was_asked(tmp_path: Path) -> None:
    report = run(tmp_path / "run", 300)
    lines = [json.loads(line) for line in published(tmp_path / "run")[0].splitlines()]
    assert [line["metadata"]["index"] for line in lines] == list(range(300))
    assert report.summary.status == "complete"
    assert report.summary.exit_code == 0
    assert (report.made, report.resumed) == (300, 0)
    assert json.loads((tmp_path / "run" / "summary.json").read_text()) == report.summary.model_dump(mode="json")
    assert read_catalog(tmp_path / "run" / "catalog.json") == CATALOG


def test_no_two_records_have_the_same_request(tmp_path: Path) -> None:
    report = run(tmp_path / "run", 1000)
    lines = published(tmp_path / "run")[0].splitlines()
    requests = [json.loads(line)["messages"][0]["content"] for line in lines]
    assert len(set(requests)) == 1000
    assert report.summary.rules[DUPLICATE].rejected > 20
    assert report.summary.rules[DUPLICATE].tools.keys() == {"get_weather", "get_time"}


@pytest.mark.parametrize("jobs", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_jobs_change_no_byte(tmp_path: Path, jobs: int) -> None:
    run(tmp_path / "one", 1000)
    run(tmp_path / "many", 1000, jobs=jobs)
    assert published(tmp_path / "one") == published(tmp_path / "many")


def test_a_smaller_count_is_a_prefix_and_a_larger_one_extends(tmp_path: Path) -> None:
    run(tmp_path / "run", 500)
    prefix = published(tmp_path / "run")
    report = run(tmp_path / "run", 1000)
    run(tmp_path / "once", 1000)
    extended = published(tmp_path / "run")
    assert (report.resumed, report.made) == (500, 500)
    assert extended[0].startswith(prefix[0])
    assert extended[1].startswith(prefix[1])
    assert extended == published(tmp_path / "once")
    assert read_job_document(tmp_path / "run" / "job.json").count == 1000


@pytest.mark.parametrize("step", ["run.open_store", "run._write_inputs", "engines.opening.InProcess", "run.publish"])
def test_a_run_goes_on_from_wherever_it_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    module, _, name = f"generator.{step}".rpartition(".")
    take = getattr(import_module(module), name)

    def taken_and_killed(*given: Any) -> None:
        take(*given)
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(f"generator.{step}", taken_and_killed)
        with pytest.raises(SystemExit):
            run(tmp_path / "run", 100)
    run(tmp_path / "run", 100)
    run(tmp_path / "once", 100)
    assert published(tmp_path / "run") == published(tmp_path / "once")


def test_a_finished_run_does_nothing(tmp_path: Path) -> None:
    first = run(tmp_path / "run")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "run").glob("*.json*")}
    again = run(tmp_path / "run")
    assert again.made == 0
    assert again.summary == first.summary
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "run").glob("*.json*")} == before


@pytest.mark.parametrize("name", ["records.jsonl", "rejections.jsonl", "summary.json", "catalog.json"])
@pytest.mark.parametrize("action", ["delete", "cut"])
def test_a_published_file_that_is_not_whole_is_published_again(tmp_path: Path, name: str, action: str) -> None:
    run(tmp_path / "run")
    before, path = published(tmp_path / "run"), tmp_path / "run" / name
    if action == "delete":
        path.unlink()
    elif name != "summary.json":
        path.write_bytes(path.read_bytes()[:-10])
    assert run(tmp_path / "run").made == 0
    assert published(tmp_path / "run") == before
    assert path.exists()


def test_a_deleted_store_is_read_back_from_what_was_published(tmp_path: Path) -> None:
    run(tmp_path / "run")
    before = published(tmp_path / "run")
    for path in (tmp_path / "run").glob("run.db*"):
        path.unlink()
    report = run(tmp_path / "run")
    assert (report.resumed, report.made) == (300, 0)
    assert published(tmp_path / "run") == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 9}, "seed: 0 there, 9 here"),
        ({"error_rate": 0.5}, "error_rate: 0.1 there, 0.5 here"),
        ({"mix": {"simple": 1, "parallel": 2}}, "mix: the default there, parallel=2,simple=1 here"),
        ({"locale": ("de_DE", "en_US")}, "locale: en_US there, de_DE,en_US here"),
        ({"metadata": False}, "metadata: True there, False here"),
    ],
)
def test_another_job_is_refused_and_told_apart(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    run(tmp_path / "run")
    before = published(tmp_path / "run")
    with pytest.raises(JobError) as caught:
        run(tmp_path / "run", **change)
    assert message in str(caught.value)
    assert published(tmp_path / "run") == before


def test_an_extension_that_is_stopped_at_once_is_told_in_the_summary(tmp_path: Path) -> None:
    run(tmp_path / "run", 100)

    def interrupt(progress: Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    report = run_job(Job(count=5000), CATALOG, tmp_path / "run", make=FAKE, on_progress=interrupt)
    held = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert (held["status"], held["asked"], held["decided"]) == ("interrupted", 5000, 101)
    assert report.made == 1


def test_another_catalog_is_refused(tmp_path: Path) -> None:
    run(tmp_path / "run")
    other = Catalog(tools=CATALOG.tools[:1])
    with pytest.raises(JobError, match=r"catalog: .* there, .* here"):
        run_job(Job(count=300), other, tmp_path / "run", make=FAKE)


@pytest.mark.parametrize("change", [{"name": "renamed"}, {"tools": ("elsewhere/tools.json",)}, {"skip_invalid": True}])
def test_what_does_not_decide_a_byte_may_change(tmp_path: Path, change: dict[str, Any]) -> None:
    run(tmp_path / "run")
    assert run(tmp_path / "run", **change).made == 0


def test_a_run_is_never_cut(tmp_path: Path) -> None:
    run(tmp_path / "run", 300)
    with pytest.raises(JobError, match="holds 300 settled records and a run is never cut to 200"):
        run(tmp_path / "run", 200)
    assert read_job_document(tmp_path / "run" / "job.json").count == 300


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_text("mine")
    with pytest.raises(JobError, match=r"holds 'records\.jsonl' but no run"):
        run(tmp_path)
    assert (tmp_path / "records.jsonl").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["records.jsonl"]


def test_a_job_that_the_catalog_cannot_serve_leaves_no_folder(tmp_path: Path) -> None:
    one = Catalog(tools=CATALOG.tools[:1])
    with pytest.raises(JobError, match="multiple"):
        run_job(Job(mix={"multiple": 1}), one, tmp_path / "run", make=FAKE)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("text", ["{", "{}", '{"count": 3}', "[]"])
def test_a_damaged_job_document_is_one_error(tmp_path: Path, text: str) -> None:
    run(tmp_path / "run")
    (tmp_path / "run" / "job.json").write_text(text)
    with pytest.raises(StorageError, match=r"job\.json"):
        run(tmp_path / "run")


def test_too_few_records_is_told_with_rule_and_tools(tmp_path: Path) -> None:
    report = run(tmp_path / "run", 20, make=POOR)
    assert report.summary.status == "incomplete"
    assert report.summary.exit_code == 1
    assert (report.summary.records, report.summary.decided) == (3, 20)
    assert report.summary.rules[DUPLICATE].rejected < 17 * Job().attempts  # less is tried where it is of no use
    assert sum(kind.given_up for kind in report.summary.kinds.values()) == 17
    again = run(tmp_path / "run", 20, make=POOR)
    assert (again.made, again.summary.exit_code) == (0, 1)


def test_a_run_stops_when_nothing_has_come_of_it_for_long(tmp_path: Path) -> None:
    lines = {}
    for jobs in (1, 2):
        report = run(tmp_path / f"run{jobs}", 5000, make=POOR, jobs=jobs)
        assert (report.summary.status, report.summary.exit_code) == ("incomplete", 1)
        assert (report.summary.records, report.summary.decided) == (3, 3 + MOST_FAILED_INDICES)
        lines[jobs] = report.folder.rejections.read_bytes()
    assert lines[1] == lines[2]
    again = run(tmp_path / "run1", 6000, make=POOR)
    assert (again.made, again.summary.exit_code) == (0, 1)


def test_patience_is_the_same_after_an_interruption(tmp_path: Path) -> None:
    run(tmp_path / "parts", 7, make=POOR)
    parts = run(tmp_path / "parts", 30, make=POOR)
    whole = run(tmp_path / "whole", 30, make=POOR)
    assert parts.folder.rejections.read_bytes() == whole.folder.rejections.read_bytes()


def test_an_error_of_the_producer_keeps_what_was_made(tmp_path: Path) -> None:
    with pytest.raises(LookupError):
        run(tmp_path / "run", make=FAULTY)
    assert run(tmp_path / "run").resumed == 50


@pytest.mark.parametrize(
    ("number", "status", "code"), [(signal.SIGINT, "interrupted", 130), (signal.SIGTERM, "terminated", 143)]
)
def test_a_signal_stops_at_the_next_record_and_publishes(
    tmp_path: Path, number: signal.Signals, status: str, code: int
) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.decided == 150:
            signal.raise_signal(number)

    report = run_job(Job(count=300), CATALOG, tmp_path / "run", make=FAKE, on_progress=interrupt)
    assert (report.summary.status, report.summary.exit_code) == (status, code)
    assert report.summary.decided == 150
    run(tmp_path / "once", 300)
    assert published(tmp_path / "once")[0].startswith(published(tmp_path / "run")[0])
    assert len(published(tmp_path / "run")[0].splitlines()) == 150
    assert run(tmp_path / "run").resumed == 150
    assert published(tmp_path / "run") == published(tmp_path / "once")
    assert signal.getsignal(number) is not None


def test_a_second_interrupt_ends_at_once_and_loses_nothing_committed(tmp_path: Path) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.decided == 150:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run_job(Job(count=300), CATALOG, tmp_path / "run", make=FAKE, on_progress=interrupt)
    assert run(tmp_path / "run").resumed == 150


def test_a_run_works_outside_the_main_thread(tmp_path: Path) -> None:
    thread = threading.Thread(target=run, args=(tmp_path / "run", 50))
    thread.start()
    thread.join()
    assert len(published(tmp_path / "run")[0].splitlines()) == 50


def test_progress_tells_where_the_run_is(tmp_path: Path) -> None:
    seen: list[Progress] = []
    run(tmp_path / "run", 100)
    run_job(Job(count=150), CATALOG, tmp_path / "run", make=FAKE, on_progress=seen.append)
    assert [progress.decided for progress in seen] == list(range(101, 151))
    assert {(progress.asked, progress.resumed) for progress in seen} == {(150, 100)}
    assert seen[-1].kept == 150
    assert seen[-1].rejected == len(published(tmp_path / "run")[1].splitlines())


def test_no_temporary_file_stays(tmp_path: Path) -> None:
    run(tmp_path / "run")
    names = {path.name for path in (tmp_path / "run").iterdir()}
    folder = RunFolder(tmp_path / "run")
    kept = (folder.job, folder.catalog, folder.database, folder.records, folder.rejections, folder.summary, folder.lock)
    assert names == {path.name for path in kept}
