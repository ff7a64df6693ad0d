"""Merging: any split of a job into ranges, in any order, is to the byte the run that one process makes."""

from __future__ import annotations

import errno
import itertools
import json
import multiprocessing
import os
import shutil
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator import disk
from generator.assets import asset_folder
from generator.domains.catalog import Catalog
from generator.engines.engine import EngineOptions
from generator.engines.processes import LocalProcesses
from generator.errors import DataError, JobError, RunLockedError, StorageError, ToolgenError
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.merge import merge
from generator.record import Producer
from generator.run import RunReport, run_job
from generator.runs.folder import RunFolder
from generator.runs.lock import run_lock
from generator.runs.outcome import Outcome
from generator.runs.progress import Progress
from generator.runs.settling import DUPLICATE
from generator.runs.store import RunStore
from tests.run_fakes import CATALOG, FAKE, POOR, SCARCE, FakeProducer
from tests.run_processes import kill, start, wait_for_rows

PUBLISHED = ("records.jsonl", "rejections.jsonl", "job.json", "catalog.json")


def published(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in PUBLISHED]


def split(job: Job, base: Path, cuts: Sequence[int], **options: Any) -> list[Path]:
    """Make a job in parts, cut at these places."""
    edges = [0, *cuts, job.count]
    folders = []
    for start_, stop in itertools.pairwise(edges):
        folders.append(base / f"part-{start_}")
        run_job(job, options["catalog"], folders[-1], make=options["make"], indices=range(start_, stop))
    return folders


def fakes(base: Path, job: Job, cuts: Sequence[int], make: type[FakeProducer] = FAKE) -> list[Path]:
    """The parts of a job of fakes; beside them lies the run of one process, `one`."""
    run_job(job, CATALOG, base / "one", make=make)
    return split(job, base, cuts, catalog=CATALOG, make=make)


def merged(parts: Sequence[Path], out: Path, make: type[FakeProducer] = FAKE, **options: Any) -> RunReport:
    return merge(parts, out, make=make, **options)


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_split_in_any_order_is_the_run_of_one_process(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.mktemp("split")
    count = data.draw(st.integers(2, 120), label="count")
    cuts = sorted(data.draw(st.sets(st.integers(1, count - 1), max_size=5), label="cuts"))
    make = data.draw(st.sampled_from([FAKE, POOR, SCARCE]), label="producer")
    job = Job(count=count, seed=data.draw(st.integers(0, 50)), attempts=data.draw(st.integers(1, 12)))
    parts = fakes(base, job, cuts, make)
    report = merged(data.draw(st.permutations(parts), label="order"), base / "merged", make)
    assert published(base / "merged") == published(base / "one")
    one = json.loads((base / "one" / "summary.json").read_text())
    told = json.loads(report.summary.model_dump_json())
    measured = ("cpu_seconds", "wall_seconds")
    assert {key: told[key] for key in told if key not in measured} == {
        key: one[key] for key in one if key not in measured
    }
    shutil.rmtree(base)


@pytest.mark.parametrize("producer", [FAKE, SCARCE])
def test_runs_that_come_to_nothing_stop_where_one_process_does(tmp_path: Path, producer: type[FakeProducer]) -> None:
    parts = fakes(tmp_path, Job(count=1500, attempts=8), [3, 700, 701], producer)
    report = merged(parts, tmp_path / "merged", producer, engine=EngineOptions(jobs=2))
    assert published(tmp_path / "merged") == published(tmp_path / "one")
    assert report.summary.rules[DUPLICATE].rejected > 20
    assert (report.summary.decided < 1500) == (producer is SCARCE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"error_rate": 0.5},
        {"mask": 0.5, "world": True},
        {"metadata": False},
        {"grounding": False, "max_length": 900},
        {"mix": {"chitchat": 1, "irrelevance": 1, "simple": 1}, "attempts": 3},
    ],
    ids=lambda options: next(iter(options)),
)
def test_real_records_are_merged_to_the_byte(tmp_path: Path, options: dict[str, Any]) -> None:
    catalog = load_catalog([asset_folder("tool_specs") / "weather.json"]).catalog
    job = Job(count=240, seed=5, **options)
    run_job(job, catalog, tmp_path / "one")
    parts = split(job, tmp_path, [40, 41, 150], catalog=catalog, make=Producer)
    report = merge(parts[::-1], tmp_path / "merged")
    assert published(tmp_path / "merged") == published(tmp_path / "one")
    assert report.summary.rules[DUPLICATE].rejected > 0
    again = run_job(job, catalog, tmp_path / "merged")
    assert (again.made, again.summary.records) == (0, report.summary.records)


class Crowded(FakeProducer):
    """Has nine hundred requests: every second record of a part repeats one of the parts before."""

    def request(self, index: int, attempt: int) -> int:
        return super().request(index, attempt) % 900


def test_repeats_over_parts_are_made_ahead_by_the_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = fakes(tmp_path, Job(count=600, attempts=9), [150, 151, 300], Crowded)
    unforeseen: list[int] = []

    class Counting(LocalProcesses):
        def made_now(self, index: int, first_attempt: int) -> Outcome:
            unforeseen.append(index)
            return super().made_now(index, first_attempt)

    monkeypatch.setattr("generator.engines.processes.LocalProcesses", Counting)
    report = merged(parts, tmp_path / "merged", Crowded, engine=EngineOptions(jobs=2))
    assert published(tmp_path / "merged") == published(tmp_path / "one")
    repeats = report.summary.rules[DUPLICATE].rejected
    assert repeats > 150
    assert len(unforeseen) < repeats / 4
    assert multiprocessing.active_children() == []


def test_a_merged_run_is_extended_as_any(tmp_path: Path) -> None:
    parts = fakes(tmp_path, Job(count=200), [90])
    merged(parts, tmp_path / "merged")
    for folder in ("merged", "one"):
        run_job(Job(count=300), CATALOG, tmp_path / folder, make=FAKE)
    assert published(tmp_path / "merged") == published(tmp_path / "one")


def test_the_same_range_brings_the_same_however_often_it_was_stopped(tmp_path: Path) -> None:
    job, indices, seen = Job(count=300), range(100, 260), []
    run_job(job, CATALOG, tmp_path / "once", make=FAKE, indices=indices)

    def stop(progress: object) -> None:
        seen.append(progress)
        if len(seen) % 50 == 0:
            raise SystemExit

    for _ in range(4):
        try:
            run_job(job, CATALOG, tmp_path / "often", make=FAKE, indices=indices, on_progress=stop)
        except SystemExit:
            continue
    assert published(tmp_path / "often") == published(tmp_path / "once")
    summary = json.loads((tmp_path / "often" / "summary.json").read_text())
    assert (summary["range"], summary["asked"], summary["status"]) == ("100:260", 160, "complete")


def test_a_folder_holds_one_range_of_one_job(tmp_path: Path) -> None:
    run_job(Job(count=100), CATALOG, tmp_path / "part", make=FAKE, indices=range(50))
    run_job(Job(count=100), CATALOG, tmp_path / "whole", make=FAKE)
    for folder, indices, message in (
        ("part", range(50, 100), "holds the range 0:50 of this job; give --out another folder for the range 50:100"),
        ("part", None, "holds the range 0:50 of this job; give --out another folder for the whole"),
        ("whole", range(50, 100), "holds a run of this job as a whole; give --out another folder for the range"),
    ):
        with pytest.raises(JobError, match=message):
            run_job(Job(count=100), CATALOG, tmp_path / folder, make=FAKE, indices=indices)


def test_holes_are_named_with_their_commands_or_filled(tmp_path: Path) -> None:
    parts = fakes(tmp_path, Job(count=200), [50, 120])
    with pytest.raises(DataError) as refusal:
        merged([parts[1]], tmp_path / "merged")
    told = str(refusal.value).splitlines()
    assert told[0] == "130 of 200 records are in no part; make them, or give --fill:"
    command = f"toolgen generate --job {parts[1]}/job.json --count 200 --range"
    assert told[1].startswith(f"  0:50: {command} 0:50 --out ")
    assert told[2].startswith(f"  120:200: {command} 120:200 --out ")
    assert not (tmp_path / "merged").exists()
    merged([parts[1]], tmp_path / "merged", fill=True)
    assert published(tmp_path / "merged") == published(tmp_path / "one")


def test_parts_that_share_indices_are_equal_or_refused(tmp_path: Path) -> None:
    job = Job(count=200)
    parts = fakes(tmp_path, job, [90])
    run_job(job, CATALOG, tmp_path / "over", make=FAKE, indices=range(40, 200))
    merged([*parts, tmp_path / "over"], tmp_path / "merged")
    assert published(tmp_path / "merged") == published(tmp_path / "one")

    class Otherwise(FakeProducer):
        def request(self, index: int, attempt: int) -> int:
            return super().request(index, attempt) + (index == 60)

    run_job(job, CATALOG, tmp_path / "other", make=Otherwise, indices=range(40, 200))
    with pytest.raises(JobError, match="both have record 60, and not the same"):
        merged([*parts, tmp_path / "other"], tmp_path / "never")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 9}, "seed: 0 there, 9 here|seed: 9 there, 0 here"),
        ({"error_rate": 0.5}, "error_rate"),
        ("catalog", "catalog: "),
    ],
)
def test_parts_of_another_job_are_refused(tmp_path: Path, change: Any, message: str) -> None:
    parts = fakes(tmp_path, Job(count=100), [50])
    catalog = CATALOG if change != "catalog" else Catalog(tools=CATALOG.tools[:1])
    other = Job(count=100, **(change if change != "catalog" else {}))
    run_job(other, catalog, tmp_path / "other", make=FAKE, indices=range(50, 100))
    with pytest.raises(JobError, match=message):
        merged([parts[0], tmp_path / "other"], tmp_path / "merged")


def test_parts_of_another_version_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = fakes(tmp_path, Job(count=100), [50])
    monkeypatch.setattr("generator.runs.identity.VERSION", "0.0.1")
    with pytest.raises(JobError, match=r"is not what this version of toolgen makes of its job \(version of toolgen: "):
        merged(parts, tmp_path / "merged")


def _unfinished(part: Path) -> None:
    with RunStore(part / "run.db", _identity(part)) as store:
        store.forget(range(10, 20))


def _stopped(part: Path) -> None:
    """Make the part anew, up to where somebody presses Ctrl-C."""
    shutil.rmtree(part)

    def interrupt(progress: Progress) -> None:
        if progress.decided == 30:
            os.kill(os.getpid(), signal.SIGINT)

    run_job(Job(count=100), CATALOG, part, make=FAKE, indices=range(50), on_progress=interrupt)


def _tampered(part: Path) -> None:
    (part / "records.jsonl").write_bytes((part / "records.jsonl").read_bytes()[:-1])


def _flipped(part: Path) -> None:
    """Change one letter of one row: its checksum tells, when the merge comes to it."""
    with RunStore(part / "run.db", _identity(part)) as store:
        store._connection.execute("UPDATE outcome SET packed = CAST(substr(packed, 2) AS BLOB) WHERE position = 30")


def _identity(part: Path) -> str:
    resolved = json.loads((part / "job.json").read_text())["resolved"]
    return f"{resolved['identity']} {resolved['range']}"


@pytest.mark.parametrize(
    ("damage", "message", "kind"),
    [
        (_unfinished, "is not finished: of 0:50, 40 of 50 are made; go on: toolgen generate", StorageError),
        (_stopped, "is not finished: of 0:50, 30 of 50 are made; go on: toolgen generate", StorageError),
        (_tampered, "its files are not those that were published; mend it: toolgen generate", StorageError),
        (_flipped, "record 30 is not as it was written; mend it: toolgen generate", StorageError),
        (lambda part: (part / "run.db").write_bytes(b"x" * 5000), "damaged .*mend it: toolgen generate", StorageError),
        (lambda part: (part / "run.db").unlink(), "run.db is not there; mend it: toolgen generate", StorageError),
        (lambda part: (part / "job.json").unlink(), "holds no run; name folders", JobError),
        (lambda part: (part / "catalog.json").write_text("{}"), "damaged|not those that were published", StorageError),
    ],
    ids=["lost rows", "stopped", "tampered", "flipped", "store", "no store", "no job", "catalog"],
)
def test_a_part_that_is_not_whole_is_named(tmp_path: Path, damage: Any, message: str, kind: type[ToolgenError]) -> None:
    parts = fakes(tmp_path, Job(count=100), [50])
    damage(parts[0])
    with pytest.raises(kind, match=message) as refusal:
        merged(parts, tmp_path / "merged")
    assert str(parts[0]) in str(refusal.value)


def test_a_part_at_which_somebody_works_is_named(tmp_path: Path) -> None:
    parts = fakes(tmp_path, Job(count=100), [50])
    with run_lock(RunFolder(parts[1]).lock), pytest.raises(RunLockedError, match="is working on this part"):
        merged(parts, tmp_path / "merged")


def test_the_summary_tells_the_digest_of_the_records(tmp_path: Path) -> None:
    parts = fakes(tmp_path, Job(count=100), [50])
    digests = merged(parts, tmp_path / "merged").summary.sha256
    assert digests == {name: sha256((tmp_path / "one" / name).read_bytes()).hexdigest() for name in PUBLISHED[:2]}


def test_the_run_is_none_of_its_parts(tmp_path: Path) -> None:
    parts = fakes(tmp_path, Job(count=100), [50])
    with pytest.raises(JobError, match="is one of the parts"):
        merged(parts, parts[0])


STEPS = [
    "run._write_inputs",
    "run.open_store",
    "runs.store.RunStore.commit",
    "runs.store.RunStore.settle_note",
    "run.publish",
]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("times", [1, 2])
def test_a_merge_goes_on_from_wherever_it_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, times: int
) -> None:
    parts = fakes(tmp_path, Job(count=400), [90, 250])
    place, _, name = f"generator.{step}".rpartition(".")
    holder = import_module(place) if not place.endswith("Store") else RunStore
    take, calls = getattr(holder, name), []

    def taken_and_killed(*given: Any) -> Any:
        done = take(*given)
        calls.append(step)
        if len(calls) == times:
            raise SystemExit
        return done

    with monkeypatch.context() as patch:
        patch.setattr(holder, name, taken_and_killed)
        try:
            merged(parts, tmp_path / "merged")
        except SystemExit:
            assert len(calls) >= times
    report = merged(parts, tmp_path / "merged")
    assert published(tmp_path / "merged") == published(tmp_path / "one")
    assert report.summary.status == "complete"


@pytest.mark.parametrize("after", [10_000, 60_000])
def test_a_full_disk_leaves_a_merge_that_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    parts = fakes(tmp_path, Job(count=300), [100])
    take, written = disk._write_synced, [0]

    def filling(chunks: Iterable[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            written[0] += len(chunk)
            if written[0] > after:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            yield chunk

    with monkeypatch.context() as patch:
        patch.setattr(disk, "_write_synced", lambda handle, chunks: take(handle, filling(chunks)))
        with pytest.raises(StorageError, match="the disk is full"):
            merged(parts, tmp_path / "merged")
    merged(parts, tmp_path / "merged")
    assert published(tmp_path / "merged") == published(tmp_path / "one")


MERGING = """
import sys, time
from pathlib import Path
from generator.merge import merge
from tests.run_fakes import FAKE
parts, out = [Path(each) for each in sys.argv[1:-1]], Path(sys.argv[-1])
merge(parts, out, make=FAKE, on_progress=lambda progress: time.sleep(0.002))
"""


@pytest.mark.slow
def test_a_merge_that_is_killed_goes_on(tmp_path: Path) -> None:
    parts = fakes(tmp_path, Job(count=1200), [500, 800])
    for rows in (100, 600, 1000):
        process = start([sys.executable, "-c", MERGING, *map(str, parts), str(tmp_path / "merged")])
        wait_for_rows(process, tmp_path / "merged", rows)
        kill(process)
    report = merged(parts, tmp_path / "merged")
    assert (report.resumed >= 1000, report.summary.status) == (True, "complete")
    assert published(tmp_path / "merged") == published(tmp_path / "one")
