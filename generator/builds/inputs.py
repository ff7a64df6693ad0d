"""Inputs: what decides a build, by digests of its files, so that it is known in a moment when none changed.

Whether the latest build is what a new one would be is seen without what a build imports.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import orjson
from pydantic import Field

from generator.assets import asset_folder
from generator.boundary import BoundaryModel
from generator.builds.folder import MANIFEST, BuildsFolder, is_own
from generator.builds.settings import RequestedBuild
from generator.disk import disk_errors
from generator.formats.loading.functions import names_function
from generator.formats.loading.mcp_servers import Listing
from generator.formats.loading.sources import beside, find_files
from generator.job import Job
from generator.jsontext import JsonObject, digest
from generator.runs.identity import versions

_READ_AT_ONCE = 1 << 20
_NOT_DECISIVE = frozenset({"name", "tools", "domains", "tokenizer", "prompts"})
"""Keys of a job that say where something is; what is there is looked at."""
PUSHED = "pushed.json"
"""Which build each target was given last."""


class Inputs(BoundaryModel):
    """What a build is made from. Equal inputs make no new build."""

    job: JsonObject
    """The job, its seed among it, without where its files are."""
    settings: JsonObject
    """Formats, splits, gates, and where builds are pushed to."""
    sources: dict[str, str]
    """The sha256 of each file of tools and domains, by its path as the job file sees it."""
    others: dict[str, str] = Field(default_factory=dict)
    """The same of prompts and benchmarks."""
    listed: tuple[str, ...] = ()
    """Digests of what the MCP servers list."""
    versions: dict[str, str]
    """The versions that decide the bytes of a record."""
    sealed: bool = Field(default=True)
    """Whether the files hold all there is: not where tools are Python functions, which are looked at as they load."""


def inputs_of(asked: RequestedBuild, listings: Iterable[Listing]) -> Inputs:
    """Look at everything that decides a build, without loading a tool.

    Raises:
        StorageError: a file cannot be read.
    """
    job = asked.requested.job
    return Inputs(
        job=decisive(job),
        settings=asked.settings.model_dump(mode="json", include={"formats", "splits", "gates"})
        | {"push": list(asked.settings.publish.push)},
        sources=_digests(_files(asked), asked.file),
        others=_digests(_other_files(asked), asked.file),
        listed=tuple(digest(listing.document) for listing in listings),
        versions=versions(),
        sealed=not any(map(names_function, asked.requested.sources)),
    )


def decisive(job: Job) -> JsonObject:
    """Return what of a job decides its records, beside the files that it names."""
    return job.model_dump(mode="json", exclude=set(_NOT_DECISIVE))


def sources_of(asked: RequestedBuild) -> tuple[str, ...]:
    """Return the files, folders and globs that tools are loaded from; the bundled ones where nothing is named."""
    bundled = () if asked.settings.mcp else (str(asset_folder("tool_specs")),)
    return asked.requested.sources or bundled


def _files(asked: RequestedBuild) -> Iterator[Path]:
    """Yield every file of tools and domains."""
    sources = [source for source in sources_of(asked) if not names_function(source)]
    found = find_files(sources) if sources else None
    for file in found.files if found else ():
        if file.path is not None and file.path.is_file():
            yield file.path
            yield from beside(file.path, "domain")
    yield from (shared.path for shared in (found.shared if found else ()))
    yield from filter(Path.is_file, map(Path, asked.requested.domains))


def _other_files(asked: RequestedBuild) -> Iterator[Path]:
    """Yield every file of prompts and benchmarks."""
    yield from asked.beside(asked.settings.splits.decontaminate)
    if asked.requested.job.author == "llm":
        own = asked.settings.server.prompts
        yield from sorted(asset_folder("prompts").rglob("*.md"))
        yield from sorted((asked.file.parent / own).rglob("*.md")) if own else ()


def _digests(paths: Iterable[Path], file: Path) -> dict[str, str]:
    return {_named(path, file): file_digest(path) for path in sorted(set(paths))}


def _named(path: Path, file: Path) -> str:
    """Name a file as the job file sees it, wherever the folder of both is moved to."""
    whole, folder = path.absolute(), file.parent.absolute()
    try:
        return whole.relative_to(folder).as_posix()
    except ValueError:
        return str(whole)


def file_digest(path: Path) -> str:
    """Return the sha256 of a file as hex digits.

    Raises:
        StorageError: it cannot be read.
    """
    found = sha256()
    with disk_errors(path), path.open("rb") as file:
        while chunk := file.read(_READ_AT_ONCE):
            found.update(chunk)
    return found.hexdigest()


def differences(before: Inputs, now: Inputs) -> dict[str, list[str]]:
    """Return what changed from one build to the next: names by what they are of."""
    job = _changed(before.job, now.job)
    found = {
        "seed": [name for name in job if name == "seed"],
        "settings": [name for name in job if name != "seed"] + _changed(before.settings, now.settings),
        "versions": _changed(before.versions, now.versions),
        "sources": _changed(before.sources, now.sources),
        "others": _changed(before.others, now.others),
        "listed": ["the lists of MCP servers"] if before.listed != now.listed else [],
    }
    return {what: names for what, names in found.items() if names}


def _changed(before: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    return [name for name in dict.fromkeys((*before, *now)) if before.get(name) != now.get(name)]


def find_unchanged(folder: BuildsFolder, asked: RequestedBuild, inputs: Inputs) -> Path | None:
    """Return the latest build where nothing changed since: neither what it was made from nor its files' sizes.

    Raises:
        StorageError: something else lies where `latest` belongs.
    """
    latest = folder.latest_build()
    if latest is None or not inputs.sealed or not is_own(latest):
        return None
    try:
        held = orjson.loads((latest / MANIFEST).read_bytes())
        same = held["inputs"] == inputs.model_dump(mode="json") and all(
            (latest / file["path"]).stat().st_size == file["size"] for file in held["files"]
        )
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError):
        return None
    return latest if same and is_pushed(folder, asked, latest) else None


def is_pushed(folder: BuildsFolder, asked: RequestedBuild, build: Path) -> bool:
    """Say whether every target has been given the build."""
    targets = asked.settings.publish.push
    known = pushed_to(folder) if targets else {}
    return all(known.get(target) == build.name for target in targets)


def pushed_to(folder: BuildsFolder) -> JsonObject:
    """Return the name of the build that each target was given last."""
    try:
        found = orjson.loads((folder.path / PUSHED).read_bytes())
    except (FileNotFoundError, orjson.JSONDecodeError):
        return {}
    return found if isinstance(found, dict) else {}
