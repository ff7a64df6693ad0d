"""The folder of a job's builds: what lies where, which of it is a build of ours, and which is the latest."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from generator.disk import disk_errors, is_part, part_of, sync_folder
from generator.errors import StorageError
from generator.runs.folder import RunFolder

_BUILD = re.compile(r"(\d{8}T\d{6}Z)-[0-9a-f]{8}")
_STAMP = "%Y%m%dT%H%M%SZ"


MANIFEST, RECORDS = "manifest.json", "records.jsonl"
_DIGITS = 8


@dataclass(frozen=True, slots=True)
class BuildsFolder:
    """The paths of the builds of one job."""

    path: Path

    @property
    def lock(self) -> Path:
        """Held while a build is at work."""
        return self.path / "lock"

    @property
    def work(self) -> RunFolder:
        """The run in which records are made; its answers outlive it."""
        return RunFolder(self.path / "work")

    @property
    def plan(self) -> Path:
        """What the run in `work` is for."""
        return self.path / "work.json"

    @property
    def builds(self) -> Path:
        """The builds that passed every gate."""
        return self.path / "builds"

    @property
    def missed(self) -> Path:
        """The builds that missed a gate."""
        return self.path / "missed"

    @property
    def latest(self) -> Path:
        """The link to the build that is read."""
        return self.path / "latest"

    def make(self) -> None:
        """Make the folders that are not there."""
        for folder in (self.builds, self.missed):
            with disk_errors(folder):
                folder.mkdir(parents=True, exist_ok=True)

    def latest_build(self) -> Path | None:
        """Return the build that `latest` leads to; None where it leads to none of ours.

        Raises:
            StorageError: `latest` is no link: somebody has put something else in its place.
        """
        if not os.path.lexists(self.latest):
            return None
        if not self.latest.is_symlink():
            raise StorageError(f"{self.latest}: is no link, and one of the builds belongs there; move it away")
        name = self.latest.readlink().name
        build = self.builds / name
        return build if build.is_dir() and _BUILD.fullmatch(name) else None

    def point_to(self, build: Path) -> None:
        """Let `latest` lead to a build, in one step."""
        part = part_of(self.latest)
        with disk_errors(self.latest):
            part.unlink(missing_ok=True)
            part.symlink_to(os.path.join(self.builds.name, build.name))  # noqa: PTH118 - a text, relative to the link
            part.replace(self.latest)
            sync_folder(self.path)

    def stamp(self, now: datetime, latest: Path | None) -> str:
        """Return the stamp of a build that begins now: later than every other, wherever the clock was set to."""
        stamps = [found[1] for folder in (self.builds, self.missed) for found in _named(folder)]
        text = f"{now.astimezone(UTC):{_STAMP}}"
        newest = max([*stamps, *([latest.name.partition("-")[0]] if latest else [])], default="")
        if text > newest:
            return text
        return f"{datetime.strptime(newest, _STAMP) + timedelta(seconds=1):{_STAMP}}"  # noqa: DTZ007 - of UTC, as written

    def clear_parts(self) -> None:
        """Delete what an earlier build left half written, or half deleted."""
        for folder in (self.builds, self.missed):
            with disk_errors(folder):
                for path in folder.iterdir() if folder.is_dir() else ():
                    if is_part(path) and path.is_dir() and not path.is_symlink():
                        shutil.rmtree(path)


def _named(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield what is named as builds are, with its stamp."""
    with disk_errors(folder):
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if (found := _BUILD.fullmatch(path.name)) and path.is_dir() and not path.is_symlink():
                yield path, found[1]


def builds_in(folder: Path) -> list[Path]:
    """Return the builds of ours in a folder, the oldest first: those whose manifest is the one their name tells."""
    return [path for path, stamp in _named(folder) if _is_own(path, stamp)]


def folder_name(stamp: str, manifest: bytes) -> str:
    """Return the name of a build's folder: when it was made, and the digest of its manifest."""
    return f"{stamp}-{sha256(manifest).hexdigest()[:_DIGITS]}"


def is_own(path: Path) -> bool:
    """Say whether a folder is a build of ours: its manifest is the one that its name tells."""
    found = _BUILD.fullmatch(path.name)
    return found is not None and _is_own(path, found[1])


def _is_own(path: Path, stamp: str) -> bool:
    manifest = path / MANIFEST
    try:
        return not manifest.is_symlink() and folder_name(stamp, manifest.read_bytes()) == path.name
    except OSError:
        return False


def remove(build: Path) -> None:
    """Delete a build: under another name first, so that nobody meets half of one."""
    part = part_of(build)
    with disk_errors(build):
        build.rename(part)
        shutil.rmtree(part)
