"""Publishing: the ordered steps from a finished run to the build that `latest` leads to.

Each step can be cut short anywhere: what it wrote lies under a temporary name until `name`, and `latest` leads to the
build before until `latest`. A later build clears what was left, or goes on behind the last step that was done. What the
records of a build are is counted as they are read once, and so is where each goes.
"""

from __future__ import annotations

import shutil
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import orjson

from generator.builds.folder import MANIFEST, RECORDS, BuildsFolder, builds_in, remove
from generator.builds.gates import missed_gates
from generator.builds.inputs import PUSHED, Inputs, pushed_to
from generator.builds.keeping import Keeping
from generator.builds.manifest import Attempts, Before, FileSeal, KindMade, Manifest
from generator.builds.settings import BuildSettings, RequestedBuild
from generator.builds.states import states_of
from generator.builds.verifying import damages
from generator.builds.work import clear_work
from generator.datasets.decontamination import Benchmarks
from generator.datasets.export import Export
from generator.datasets.lines import as_stream
from generator.datasets.pushing import push
from generator.datasets.splits import Splits
from generator.datasets.trainers import trainer_of, write_sidecar
from generator.disk import disk_errors, part_of, sync_folder, write_whole
from generator.errors import StorageError, UsageError
from generator.formats import FORMATS
from generator.formats.writing import Shaping
from generator.jsontext import JsonObject, digest, dump_pretty
from generator.reports.page.charts import require_pygal
from generator.reports.page.writing import write_report
from generator.runs.folder import RunFolder, read_catalog
from generator.runs.identity import read_job_document
from generator.runs.kept import Place, checksum_of
from generator.runs.settling import DUPLICATE
from generator.runs.summary import Summary

NOWHERE = -1
_RUN_FILES = ("rejections.jsonl", "summary.json", "catalog.json", "job.json")
REPORT = "report.html"
_READ_AT_ONCE = 1 << 20


@dataclass(slots=True)
class Facts:
    """What the records of a build are, counted one after the other."""

    places: dict[int, Place]
    """The lines of the build before that stay, by index."""
    records: int = 0
    kept: int = 0
    derived: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def reading(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines, counting what they are."""
        for line in lines:
            own = orjson.loads(line)["metadata"]
            place = self.places.get(own["index"])
            self.records += 1
            self.kept += place is not None and place.checksum == checksum_of(line)
            self.derived += own.get("domain") == "derived"
            self.kinds[own["kind"]] += 1
            yield line


@dataclass(slots=True)
class Sharing:
    """Which split each record goes to."""

    names: list[str] = field(default_factory=list)
    """The splits that have a record."""
    chosen: array[int] = field(default_factory=lambda: array("h"))
    """For each line the number of its split, `NOWHERE` for one that is in none."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Records in no split, by the reason."""

    @property
    def counts(self) -> dict[str, int]:
        """Records in each split."""
        found = Counter(self.chosen)
        return {name: found[number] for number, name in enumerate(self.names)}

    def place(self, document: JsonObject, splits: Splits, benchmarks: Benchmarks | None) -> None:
        """Place one more record."""
        question = benchmarks.overlap(document) if benchmarks is not None else None
        if question is not None:
            self.left_out[f"it asks the question at {question}"] += 1
            self.chosen.append(NOWHERE)
            return
        placing = splits.split_of(document)
        if placing.split is None:
            self.left_out["it is near to records of other splits, or holds what is held out"] += 1
            self.chosen.append(NOWHERE)
            return
        if placing.split not in self.names:
            self.names.append(placing.split)
        self.chosen.append(self.names.index(placing.split))

    def lines_of(self, split: str, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines that go to a split."""
        number = self.names.index(split)
        return (line for line, chosen in zip(lines, self.chosen, strict=True) if chosen == number)


@dataclass(slots=True)
class Publishing:
    """One build on its way out of its run."""

    folder: BuildsFolder
    asked: RequestedBuild
    inputs: Inputs
    stamp: str
    before: Before | None = None
    keeping: Keeping = field(default_factory=Keeping)
    summary: Summary | None = None
    manifest: Manifest | None = None
    build: Path | None = None
    """Where it lies once it has its name."""
    files: dict[str, FileSeal] = field(default_factory=dict)
    facts: Facts = field(default_factory=lambda: Facts({}))
    sharing: Sharing = field(default_factory=Sharing)
    unwritten: Counter[str] = field(default_factory=Counter)
    told: Callable[[str], None] = lambda message: None

    @property
    def settings(self) -> BuildSettings:
        """What the build was asked for."""
        return self.asked.settings

    @property
    def run(self) -> RunFolder:
        """The run that it is made from."""
        return self.folder.work

    @property
    def part(self) -> Path:
        """Where it lies while it is written."""
        return part_of(self.folder.builds / self.stamp)

    @property
    def passed(self) -> bool:
        """Whether it missed no gate."""
        return self.manifest is not None and not self.manifest.missed

    @property
    def index(self) -> Path:
        """Where requests were put in splits, in all builds so far."""
        return self.folder.path / "splits.db"

    def write(self, name: str, chunks: Iterable[bytes]) -> None:
        """Write a file of the build, and seal it."""
        path = self.part / name
        with disk_errors(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
        held = sha256()

        def digested() -> Iterator[bytes]:
            for chunk in chunks:
                held.update(chunk)
                yield chunk

        size = write_whole(path, digested())
        self.files[name] = FileSeal(path=name, sha256=held.hexdigest(), size=size)

    def seal(self, path: Path) -> None:
        """Seal a file that was written by somebody else."""
        with disk_errors(path):
            data = path.read_bytes()
        name = path.relative_to(self.part).as_posix()
        self.files[name] = FileSeal(path=name, sha256=sha256(data).hexdigest(), size=len(data))

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the build's records."""
        path = self.part / RECORDS
        with disk_errors(path), path.open("rb") as file:
            yield from file


def _begin(made: Publishing) -> None:
    with disk_errors(made.part):
        if made.part.exists():
            shutil.rmtree(made.part)
        made.part.mkdir()


def _records(made: Publishing) -> None:
    made.facts = Facts(made.keeping.places)
    with disk_errors(made.run.records), made.run.records.open("rb") as file:
        made.write(RECORDS, made.facts.reading(file))


def _run_files(made: Publishing) -> None:
    for name in _RUN_FILES:
        path = made.run.path / name
        with disk_errors(path), path.open("rb") as file:
            made.write(name, iter(lambda: file.read(_READ_AT_ONCE), b""))


def _splits(made: Publishing) -> None:
    """Place each record, by an index that takes the place of the last one when the build gets its name."""
    asked = made.settings.splits
    benchmarks = Benchmarks.read(made.asked.beside(asked.decontaminate)) if asked.decontaminate else None
    made.sharing = Sharing()
    index = part_of(made.index)
    with disk_errors(index):
        index.unlink(missing_ok=True)
        if made.index.exists():
            shutil.copyfile(made.index, index)
    with Splits(asked.shares, asked.hold_out, asked.near, index) as splits:
        for line in made.lines():
            made.sharing.place(orjson.loads(line), splits, benchmarks)
        for told in splits.account():
            made.told(told)


def _formats(made: Publishing) -> None:
    """Write the splits in every format; each record is read back and checked before it counts."""
    catalog = read_catalog(made.part / "catalog.json")
    metadata = made.asked.requested.job.metadata
    for name in made.settings.formats:
        for split in made.sharing.names:
            export = Export(Shaping(target=FORMATS[name], metadata=metadata), catalog, is_run=True)
            given = as_stream(made.sharing.lines_of(split, made.lines()))
            made.write(f"data/{name}/{split}.jsonl", export.lines(given))
            made.unwritten[name] += export.failed
            for failure in export.failures[:1]:
                made.told(f"{name}: {split} line {failure.line}: {failure.violations[0].message}")
            trainer = trainer_of(name)
            written = write_sidecar(trainer, made.part / "data" / name / f"{split}.jsonl") if trainer else None
            if written is not None:
                made.seal(written)


def _manifest(made: Publishing) -> None:
    summary, job = _told(made.summary), read_job_document(made.part / "job.json")
    catalog = read_catalog(made.part / "catalog.json")
    anew = +made.keeping.anew
    rules = {rule: count.rejected for rule, count in summary.rules.items()}
    kinds = {name: count.asked for name, count in summary.kinds.items()}
    facts = made.facts
    manifest = Manifest(
        name=made.folder.path.name,
        stamp=made.stamp,
        previous=made.before.folder.name if made.before is not None and facts.kept else "",
        job=job.model_dump(mode="json"),
        inputs=made.inputs,
        seed_of_the_day=made.asked.dated,
        tools=states_of(catalog),
        domains={one.name: digest(one.model_dump(mode="json", by_alias=True)) for one in catalog.domains},
        files=tuple(made.files[name] for name in sorted(made.files)),
        records=facts.records,
        derived=facts.derived,
        kinds={
            name: KindMade(asked=kinds.get(name, 0), records=facts.kinds[name])
            for name in dict.fromkeys((*kinds, *facts.kinds))
        },
        used=dict(summary.tools),
        splits=made.sharing.counts,
        left_out=dict(made.sharing.left_out),
        unwritten=dict(+made.unwritten),
        kept=facts.kept,
        anew=dict(anew),
        attempts=Attempts(
            records=facts.records - facts.kept, rejected=summary.rejected, duplicates=rules.get(DUPLICATE, 0)
        ),
        rules=rules,
        tokens=summary.tokens,
        proof=summary.coverage.evidence_levels,
        lengths=summary.lengths,
    )
    missed = missed_gates(made.settings.gates, manifest, job.count)
    made.manifest = manifest.model_copy(update={"missed": missed})
    write_whole(made.part / MANIFEST, [made.manifest.dump()])


def _report(made: Publishing) -> None:
    """Write the report of the build, from its files as they stand, and tell of it in the manifest."""
    try:
        require_pygal()
    except UsageError as error:
        made.told(f"no {REPORT}: {error}")
        return
    write_report(made.part, made.part / REPORT, None if made.before is None else made.before.folder)
    made.seal(made.part / REPORT)
    if made.manifest is not None:
        files = tuple(made.files[name] for name in sorted(made.files))
        made.manifest = made.manifest.model_copy(update={"files": files})
        write_whole(made.part / MANIFEST, [made.manifest.dump()])


def _told(summary: Summary | None) -> Summary:
    if summary is None:
        raise StorageError("the run has no summary")
    return summary


def _verify(made: Publishing) -> None:
    """Make everything durable, and prove it from the manifest, read from the disk, before anybody sees it.

    Raises:
        StorageError: the disk gave back something else than was written.
    """
    with disk_errors(made.part):
        for folder in [*(path for path in made.part.rglob("*") if path.is_dir()), made.part]:
            sync_folder(folder)
    if found := damages(made.part, named=False):
        raise StorageError(f"{made.part}: the disk did not keep what was written: {found[0]}")


def _name(made: Publishing) -> None:
    """Give the build its name: among the builds, or beside them where it missed a gate."""
    home = made.folder.builds if made.passed else made.folder.missed
    name = made.manifest.folder if made.manifest is not None else ""
    with disk_errors(home):
        made.part.rename(home / name)
        sync_folder(home)
    made.build = home / name


def _keep_index(made: Publishing) -> None:
    """Let the splits of this build be those of the next one."""
    index = part_of(made.index)
    with disk_errors(made.index):
        if made.passed and index.exists():
            index.replace(made.index)
        index.unlink(missing_ok=True)


def _latest(made: Publishing) -> None:
    if made.passed and made.build is not None:
        made.folder.point_to(made.build)


def _prune(made: Publishing) -> None:
    """Delete the oldest builds beyond those that stay; never `latest`, never what is none of ours."""
    latest = made.folder.latest_build()
    for home in (made.folder.builds, made.folder.missed):
        for build in builds_in(home)[: -made.settings.publish.keep]:
            if build != latest:
                remove(build)


def _push(made: Publishing) -> None:
    """Push the build to every target that does not have it."""
    if not made.passed or made.build is None:
        return
    for target in made.settings.publish.push:
        known = pushed_to(made.folder)
        if known.get(target) == made.build.name:
            continue
        made.told(f"pushed to {push(made.build, target)}")
        write_whole(made.folder.path / PUSHED, [dump_pretty({**known, target: made.build.name}).encode()])


def _tidy(made: Publishing) -> None:
    """Clear the work, all but the answers of a model."""
    clear_work(made.folder)


Step = Callable[[Publishing], None]
STEPS: dict[str, Step] = {
    "begin": _begin,
    "records": _records,
    "run files": _run_files,
    "splits": _splits,
    "formats": _formats,
    "manifest": _manifest,
    "report": _report,
    "verify": _verify,
    "name": _name,
    "index": _keep_index,
    "latest": _latest,
    "keep": _prune,
    "push": _push,
    "tidy": _tidy,
}
"""What is done, in this order."""


def publish(made: Publishing, on_step: Callable[[str], None], first: str = "begin") -> None:
    """Take every step from the first that is asked for; `on_step` is told of each before it is taken.

    Raises:
        StorageError: the disk refused; `latest` leads where it led, or to the build that is whole.
    """
    names = list(STEPS)
    for name in names[names.index(first) :]:
        on_step(name)
        STEPS[name](made)
