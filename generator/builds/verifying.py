"""Verifying: proves from its manifest that a build is what was published, and names every damage."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePosixPath

import orjson
from pydantic import ValidationError

from generator.builds.folder import MANIFEST, folder_name
from generator.builds.manifest import LARGEST, FileSeal, Manifest
from generator.builds.states import states_of
from generator.domains.catalog import Catalog
from generator.errors import UsageError
from generator.runs.identity import JobFile
from generator.runs.summary import Summary

_OF_SPLIT = re.compile(r"data/([^/]+)/([^/]*)\.jsonl")
_READ_AT_ONCE = 1 << 20
_MOST_MANIFESTD = 100


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing that is not as it was published."""

    path: str
    """Within the build, with `/`; "" for the folder itself."""
    what: str

    def __str__(self) -> str:
        return f"{self.path or 'the folder'}: {self.what}"


def verify(folder: Path) -> tuple[Damage, ...]:
    """Return every damage of a build, the first hundred; a link to it may be given.

    Raises:
        UsageError: there is no such folder.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder; give a build, as in output/NAME/latest")
    return damages(folder.resolve())


def damages(folder: Path, *, named: bool = True) -> tuple[Damage, ...]:
    """Return every damage of a build; `named`: whether its folder has its name already."""
    found: list[Damage] = []
    for damage in _damages(folder, named):
        found.append(damage)
        if len(found) >= _MOST_MANIFESTD:
            break
    return tuple(found)


def _damages(folder: Path, named: bool) -> Iterator[Damage]:
    text = _bytes_of(folder, MANIFEST)
    if isinstance(text, Damage):
        yield text
        return
    stamp = folder.name.partition("-")[0]
    if named and folder_name(stamp, text) != folder.name:
        yield Damage(MANIFEST, "is not the one that was published: its digest is another than the folder's name tells")
    try:
        manifest = Manifest.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        yield Damage(MANIFEST, f"is no manifest of a build: /{'/'.join(map(str, first['loc']))}: {first['msg']}")
        return
    if named and manifest.stamp != stamp:
        yield Damage(MANIFEST, f"tells of a build of {manifest.stamp}, and the folder of one of {stamp}")
    there = dict(_walk(folder))
    yield from _foreign(manifest, there)
    broken = set()
    for file in manifest.files:
        for damage in _of_file(folder, file, there):
            broken.add(file.path)
            yield damage
    yield from _of_contents(folder, manifest, broken)


def _bytes_of(folder: Path, name: str) -> bytes | Damage:
    path = folder / name
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            return Damage(name, "is no file")
        if found.st_size > LARGEST:
            return Damage(name, f"is larger than {LARGEST:,} bytes")
        return path.read_bytes()
    except FileNotFoundError:
        return Damage(name, "is missing")
    except OSError as error:
        return Damage(name, f"cannot be read: {error.strerror}")


def _walk(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield everything in the folder but folders, without following a link."""
    for parent, folders, names in os.walk(folder):
        for name in [*names, *(each for each in folders if Path(parent, each).is_symlink())]:
            path = Path(parent, name)
            yield path.relative_to(folder).as_posix(), path.lstat()


def _foreign(manifest: Manifest, there: dict[str, os.stat_result]) -> Iterator[Damage]:
    known = [file.path for file in manifest.files]
    for path, count in Counter(known).items():
        parts = PurePosixPath(path)
        if count > 1:
            yield Damage(path, "stands in the manifest twice")
        if parts.is_absolute() or ".." in parts.parts or path == MANIFEST:
            yield Damage(path, "is no name of a file within a build")
    for path in sorted(set(there) - {*known, MANIFEST}):
        yield Damage(path, "is no file of the build")


def _of_file(folder: Path, file: FileSeal, there: dict[str, os.stat_result]) -> Iterator[Damage]:
    found = there.get(file.path)
    if found is None:
        yield Damage(file.path, "is missing")
    elif stat.S_ISLNK(found.st_mode):
        yield Damage(file.path, "is a symbolic link, and a build has none")
    elif not stat.S_ISREG(found.st_mode):
        yield Damage(file.path, "is no file")
    elif found.st_size != file.size:
        cut = "is cut" if found.st_size < file.size else "is longer than it was"
        yield Damage(file.path, f"{cut}: {found.st_size:,} bytes, and it had {file.size:,}")
    else:
        yield from _of_bytes(folder / file.path, file)


def _of_bytes(path: Path, file: FileSeal) -> Iterator[Damage]:
    held = sha256()
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(_READ_AT_ONCE):
                held.update(chunk)
    except OSError as error:
        yield Damage(file.path, f"cannot be read: {error.strerror}")
        return
    if held.hexdigest() != file.sha256:
        yield Damage(file.path, "was changed: its sha256 is another one")


def _of_contents(folder: Path, manifest: Manifest, broken: set[str]) -> Iterator[Damage]:
    """Yield where the manifest tells something else than the files hold that are as it says."""
    sealed = {file.path for file in manifest.files} - broken
    for name in ("records.jsonl", "rejections.jsonl", "summary.json", "catalog.json", "job.json"):
        if name not in sealed and name not in broken:
            yield Damage(name, "is not in the manifest, and a build has it")
    if "records.jsonl" in sealed:
        yield from _of_records(folder / "records.jsonl", manifest)
    if manifest.kept + manifest.attempts.records != manifest.records:
        yield Damage(MANIFEST, f"tells {manifest.records:,} records, kept and made anew, which do not add up")
    if "summary.json" in sealed:
        yield from _of_summary(folder / "summary.json", manifest)
    if "job.json" in sealed:
        yield from _of_job(folder / "job.json", manifest)
    if "catalog.json" in sealed:
        yield from _of_catalog(folder / "catalog.json", manifest)
    yield from _of_splits(folder, manifest, sealed)


def _of_records(path: Path, manifest: Manifest) -> Iterator[Damage]:
    kinds: Counter[str] = Counter()
    last = -1
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                own = orjson.loads(line)["metadata"]
                index, kind = own["index"], own["kind"]
            except (orjson.JSONDecodeError, KeyError, TypeError):
                yield Damage(path.name, f"line {number} is no record")
                continue
            if type(index) is not int or index <= last:
                yield Damage(path.name, f"line {number}: record {index} is not in its place")
            else:
                last = index
            kinds[kind] += 1
    if kinds.total() != manifest.records:
        yield Damage(MANIFEST, f"tells {manifest.records:,} records, and there are {kinds.total():,}")
    told = {name: kind.records for name, kind in manifest.kinds.items() if kind.records}
    for kind in sorted({*told, *kinds}):
        if told.get(kind, 0) != kinds[kind]:
            yield Damage(MANIFEST, f"tells {told.get(kind, 0):,} records of {kind}, and there are {kinds[kind]:,}")


def _of_summary(path: Path, manifest: Manifest) -> Iterator[Damage]:
    try:
        summary = Summary.model_validate_json(path.read_bytes())
    except ValidationError:
        yield Damage(path.name, "is no summary of a run")
        return
    if summary.records != manifest.records:
        yield Damage(path.name, f"tells {summary.records:,} records, and the manifest {manifest.records:,}")


def _of_job(path: Path, manifest: Manifest) -> Iterator[Damage]:
    try:
        held = JobFile.model_validate_json(path.read_bytes())
    except ValidationError:
        yield Damage(path.name, "is no job of a run")
        return
    if held.model_dump(mode="json") != manifest.job:
        yield Damage(path.name, "is another job than the manifest tells")


def _of_catalog(path: Path, manifest: Manifest) -> Iterator[Damage]:
    try:
        catalog = Catalog.model_validate_json(path.read_bytes())
    except ValidationError:
        yield Damage(path.name, "is no catalog")
        return
    if states_of(catalog) != manifest.tools:
        yield Damage(path.name, "has other tools than the manifest tells")


def _lines_of(path: Path) -> int:
    with path.open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(partial(file.read, _READ_AT_ONCE), b""))


def _of_splits(folder: Path, manifest: Manifest, sealed: set[str]) -> Iterator[Damage]:
    """Yield where a split has another number of lines than the manifest tells, in whichever format."""
    by_format: dict[str, set[str]] = {}
    for path in sorted(sealed):
        if of_split := _OF_SPLIT.fullmatch(path):
            name, split = of_split.groups()
            by_format.setdefault(name, set()).add(split)
            lines = _lines_of(folder / path)
            if not manifest.unwritten.get(name) and lines != manifest.splits.get(split, 0):
                yield Damage(path, f"has {lines:,} records, and the manifest tells {manifest.splits.get(split, 0):,}")
    for name, splits in by_format.items():
        for split in sorted(set(manifest.splits) - splits):
            if f"data/{name}/{split}.jsonl" not in {file.path for file in manifest.files}:
                yield Damage(f"data/{name}/{split}.jsonl", "is not in the manifest, and other splits are")
