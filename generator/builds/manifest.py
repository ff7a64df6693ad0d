"""The manifest of a build: what it holds, to the byte, what it was made from, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from generator.boundary import BoundaryModel
from generator.builds.folder import MANIFEST, RECORDS, BuildsFolder, folder_name, is_own
from generator.builds.inputs import Inputs
from generator.builds.states import ToolState
from generator.disk import disk_errors
from generator.errors import StorageError
from generator.jsontext import JsonObject, dump_pretty
from generator.lengths import Lengths
from generator.runs.summary import Summary, Tokens, ToolCount

LARGEST = 256 * 1024 * 1024
"""Bytes of the largest manifest that is read: one of twenty thousand tools takes a few million."""


class FileSeal(BoundaryModel):
    """One file of a build, to the byte."""

    path: str
    """Within the build's folder, with `/`."""
    sha256: str
    size: int


class KindMade(BoundaryModel):
    """Records of one kind: asked for, there."""

    asked: int
    records: int


class Attempts(BoundaryModel):
    """What was tried for the records that were made anew."""

    records: int = 0
    rejected: int = 0
    duplicates: int = 0
    """Of the rejected: those that repeated a request."""

    @property
    def all(self) -> int:
        """Attempts in all."""
        return self.records + self.rejected


class Manifest(BoundaryModel):
    """What a build is; `manifest.json` holds it, and the folder's name ends with its digest."""

    manifest: Literal[1] = 1
    """The version of this format."""
    name: str
    stamp: str
    """When it was made: `20260131T020500Z`."""
    previous: str = ""
    """The name of the build before it, whose records it kept; "" where there was none."""
    job: JsonObject
    """The resolved job, as job.json holds it."""
    inputs: Inputs
    seed_of_the_day: bool = False
    tools: dict[str, ToolState]
    domains: dict[str, str]
    """Digests of the domains, by name."""
    files: tuple[FileSeal, ...]
    records: int
    derived: int
    """Records whose tools no domain file speaks of."""
    kinds: dict[str, KindMade]
    used: dict[str, ToolCount]
    """By tool: records that show it, calls of it."""
    splits: dict[str, int] = Field(default_factory=dict)
    """Records in each split."""
    left_out: dict[str, int] = Field(default_factory=dict)
    """Records that are in no split, by the reason."""
    unwritten: dict[str, int] = Field(default_factory=dict)
    """Records that a format cannot hold, by format."""
    kept: int
    """Records that are to the byte those of the build before."""
    anew: dict[str, int]
    """Records that are not, by the reason."""
    attempts: Attempts
    rules: dict[str, int]
    """Rejected attempts by rule."""
    tokens: Tokens
    proof: dict[str, int]
    """Values of calls by the evidence level that vouches for them."""
    lengths: Lengths
    missed: tuple[str, ...] = ()
    """The gates that it missed, in words."""

    def dump(self) -> bytes:
        """Return the bytes of `manifest.json`."""
        return dump_pretty(self.model_dump(mode="json", by_alias=True)).encode()

    @property
    def folder(self) -> str:
        """The name of the build's folder."""
        return folder_name(self.stamp, self.dump())

    @property
    def sizes(self) -> Mapping[str, int]:
        """The size of each file, by its path."""
        return {file.path: file.size for file in self.files}


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a build, as it stands.

    Raises:
        StorageError: there is none, or it is not what toolgen writes.
    """
    path = folder / MANIFEST
    with disk_errors(path), path.open("rb") as file:
        text = file.read(LARGEST + 1)
    try:
        return Manifest.model_validate_json(text)
    except ValidationError as error:
        where = "/".join(map(str, error.errors()[0]["loc"]))
        raise StorageError(f"{path}: damaged, this is no manifest of a build (/{where})") from error


def read_summary(folder: Path) -> Summary:
    """Read the summary of the run that a build was made in.

    Raises:
        StorageError: there is none, or it is not what toolgen writes.
    """
    path = folder / "summary.json"
    try:
        with disk_errors(path):
            return Summary.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise StorageError(f"{path}: damaged, this is no summary of a run") from error


def whole_manifest(build: Path) -> Manifest | None:
    """Return the manifest of a build whose files are all there with the sizes that it tells; None for another."""
    if not is_own(build):
        return None
    try:
        manifest = read_manifest(build)
        sizes = {path: (build / path).stat().st_size for path in manifest.sizes}
    except (StorageError, OSError):
        return None
    return manifest if sizes == manifest.sizes else None


@dataclass(frozen=True, slots=True)
class Before:
    """The build before, whose records may stay."""

    folder: Path
    manifest: Manifest

    @property
    def records(self) -> Path:
        """Its records, in the order of their indices."""
        return self.folder / RECORDS


def before_of(folder: BuildsFolder) -> Before | None:
    """Return the latest build, whose records may be kept; None where there is none that is whole."""
    latest = folder.latest_build()
    manifest = None if latest is None else whole_manifest(latest)
    return None if latest is None or manifest is None else Before(latest, manifest)
