"""Identity: what decides the bytes of a run's records, and `job.json`, which holds it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pydantic import Field, ValidationError

from generator.boundary import BoundaryModel
from generator.domains.catalog import Catalog
from generator.errors import JobError, StorageError
from generator.job import NOT_IN_IDENTITY, Job
from generator.jsontext import JsonObject, digest, dump_compact
from generator.records import FORMAT_VERSION
from generator.version import VERSION

_LIBRARIES = ("Faker", "jsonschema_rs")
"""Libraries whose versions decide which values are drawn."""


def versions() -> dict[str, str]:
    """Return the versions that decide the bytes of a record, by name."""
    return {"toolgen": VERSION, "format": FORMAT_VERSION} | {name: _installed(name) for name in _LIBRARIES}


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


class Resolved(BoundaryModel):
    """What a job became when it met its tools: the part of `job.json` that toolgen wrote."""

    identity: str
    """16 hex digits of everything that decides record i: the job without its count, catalog and versions."""
    catalog: str
    """Digest of the catalog, which lies beside `job.json` as `catalog.json`."""
    given: str = ""
    """Digest of the tools without the result schemas that nobody gave; "" where no model proposes any."""
    versions: dict[str, str]
    range: str = ""
    """The range of indices, `A:B`, where the run is a part of the job; "" where it is the whole."""

    @property
    def of_the_store(self) -> str:
        """The identity of the run store: a part's store is no other's."""
        return f"{self.identity} {self.range}" if self.range else self.identity


class JobFile(Job):
    """A job as a file holds it: written by a person, or `job.json` with what it was resolved to."""

    resolved: Resolved | None = Field(default=None)

    def job(self) -> Job:
        """Return the job alone."""
        return Job.model_validate(self.model_dump(exclude={"resolved"}))


def resolve_with(job: Job, catalog: Catalog) -> Resolved:
    """Return what this job is with this catalog (see `resolve`).

    Where a model writes domains, they are no part of the identity, as no other answer of a model is: the run can be
    found again before they are known.
    """
    given = catalog.given_digest if job.author == "llm" else ""
    return resolve(job, catalog.digest, given)


def resolve(job: Job, catalog_digest: str, given: str = "") -> Resolved:
    """Return what this job is with a catalog of that digest and the versions installed here.

    `given` is the digest of the tools as they were given, where the catalog holds more.
    """
    used = versions()
    decisive = job.model_dump(mode="json", exclude=set(NOT_IN_IDENTITY))
    return Resolved(
        identity=digest({"job": decisive, "catalog": given or catalog_digest, "versions": used}),
        catalog=catalog_digest,
        given=given,
        versions=used,
    )


def job_document(job: Job, resolved: Resolved) -> JsonObject:
    """Return the content of `job.json`."""
    told = resolved.model_dump(mode="json", exclude=None if resolved.range else {"range"})
    return job.model_dump(mode="json") | {"resolved": told}


def read_job_document(path: Path) -> JobFile:
    """Read a run's `job.json`.

    Raises:
        StorageError: it cannot be read, or is not what toolgen writes.
    """
    try:
        held = JobFile.model_validate_json(path.read_bytes())
    except OSError as error:
        raise StorageError(f"{path}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise StorageError(f"{path}: damaged, this is no job.json of toolgen; give --out another folder") from error
    if held.resolved is None:
        raise StorageError(f"{path}: no job.json of a run (it has no `resolved`); give --out another folder")
    return held


def require_same(held: JobFile, job: Job, resolved: Resolved, folder: Path) -> None:
    """Refuse to continue a run with another job.

    Raises:
        JobError: the folder holds a run of another job, or another range of this one; the message names what differs.
    """
    if differences := differing(held, job, resolved):
        raise JobError(f"{folder}: holds a run of another job ({differences}); give --out another folder")
    there = "" if held.resolved is None else held.resolved.range
    if there != resolved.range:
        holds = f"the range {there} of this job" if there else "a run of this job as a whole"
        asked = f"the range {resolved.range}" if resolved.range else "the whole"
        raise JobError(f"{folder}: holds {holds}; give --out another folder for {asked}")


def differing(held: JobFile, job: Job, resolved: Resolved) -> str:
    """Return what decides the bytes of record i and differs between two jobs, "" where they are one."""
    there = held.resolved
    if there is None or there.identity == resolved.identity:
        return ""
    known, asked = held.model_dump(mode="json"), job.model_dump(mode="json")
    found = [_difference(key, known[key], asked[key]) for key in asked if key not in NOT_IN_IDENTITY]
    found.append(_difference("catalog", there.given or there.catalog, resolved.given or resolved.catalog))
    names = dict.fromkeys((*there.versions, *resolved.versions))
    found += [_difference(f"version of {name}", *_both(name, there.versions, resolved.versions)) for name in names]
    return "; ".join(filter(None, found)) or f"its identity is {there.identity}, not {resolved.identity}"


def _both(name: str, there: Mapping[str, str], here: Mapping[str, str]) -> tuple[str, str]:
    return there.get(name, "none"), here.get(name, "none")


def _difference(name: str, there: object, here: object) -> str:
    return "" if there == here else f"{name}: {_say(there)} there, {_say(here)} here"


def _say(value: object) -> str:
    if isinstance(value, dict):
        plain = all(isinstance(part, int | float) for part in value.values())
        return ",".join(f"{key}={part:g}" for key, part in value.items()) if plain else dump_compact(value)
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "the default" if value is None else str(value)
