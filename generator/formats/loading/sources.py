"""The files that tool sources name: files, folders, globs and standard input."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import filterfalse, islice
from pathlib import Path

from generator.errors import Problem
from generator.formats.loading.parsing import MAX_FILE_BYTES, too_large
from generator.jsontext import encodable

STDIN = "-"
SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".yaml", ".yml"})
"""What a file's name ends with when it is read out of a folder; a file named itself may be called anything."""
SIDECAR_KINDS = ("frames", "results", "domain")
"""NAME.domain.yaml and NAME.results.json speak of the tools in NAME.json; without it, those of SHARED_KINDS of all
around them."""
OLD_KINDS = frozenset({"frames", "results"})
"""Sidecars of the time before domain files, which are not read any more."""
MAX_TOTAL_BYTES = 64 * 1024 * 1024
"""How much is read for one catalog, all files together."""
MAX_FILES = 20_000
"""How many files are looked at in the folders and globs of one source."""
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read, and the source it was found in."""

    path: Path | None
    """None is standard input."""
    place: str
    """How messages name it: as the operator wrote it."""
    source: str
    """The source of the operator's that led to it."""
    within: str = ""
    """Its path inside the folder, with `/`; "" for a file that was named itself."""


@dataclass(frozen=True, slots=True)
class SharedFile:
    """A domain file that speaks of several tool files."""

    path: Path
    folder: Path | None = None
    """It speaks of the files below this folder; None for all tools of a load."""


@dataclass(slots=True)
class Sources:
    """Every file of a load, without repetition, and what was wrong with the sources."""

    files: list[SourceFile] = field(default_factory=list)
    shared: list[SharedFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    """Sources that are not there: refused in any case."""
    old: dict[Path, Problem] = field(default_factory=dict)
    """What is said of the old sidecars that were met."""


def find_files(sources: Sequence[str | Path]) -> Sources:
    """Find the files of every source, in order; a file that two sources lead to belongs to the first."""
    found = Sources()
    if not sources:
        found.problems.append(Problem("tools", "no tool file was given", "name files, folders, globs, or - for stdin"))
    seen: set[str] = set()
    for source in dict.fromkeys(map(str, sources)):
        for entry in _files_of(source):
            if isinstance(entry, Old):
                found.old[entry.path.resolve()] = entry.problem
            elif isinstance(entry, SharedFile):
                found.shared.append(entry)
            elif isinstance(entry, Problem):
                found.problems.append(entry)
            elif (identity := os.path.realpath(entry.path) if entry.path else STDIN) not in seen:
                seen.add(identity)
                found.files.append(_named_in_json(entry))
                found.old |= {each.resolve(): Old(each).problem for each in _old_beside(entry.path)}
    found.shared = _apart(found)
    return found


def _named_in_json(file: SourceFile) -> SourceFile:
    """Name a file as the catalog can: a name need not be UTF-8, JSON is."""
    return replace(file, place=encodable(file.place), source=encodable(file.source), within=encodable(file.within))


def _apart(found: Sources) -> list[SharedFile]:
    """Return the shared domain files, each once; those that stand beside a file of the load are its own."""
    stems = {file.path.resolve().with_suffix("") for file in found.files if file.path is not None}
    kept = {shared.path.resolve(): shared for shared in reversed(found.shared)}
    return [shared for path, shared in reversed(kept.items()) if path.parent / _sidecar_stem(path) not in stems]


@dataclass(frozen=True, slots=True)
class Old:
    """A sidecar of the time before domain files."""

    path: Path

    @property
    def problem(self) -> Problem:
        """Say that it is not read any more, and how it is brought over."""
        remedy = f"`toolgen domain --from-sidecars {_sidecar_stem(self.path)}.json` brings it over; then delete it"
        return Problem(str(self.path), "is not read any more: domain files have taken its place", remedy)


Found = SourceFile | SharedFile | Problem | Old


def _files_of(source: str) -> Iterator[Found]:
    path = Path(source)
    if not source:
        yield Problem("tools", "an empty path was given", "name files, folders, globs, or - for stdin")
    elif source == STDIN:
        yield SourceFile(None, "stdin", STDIN)
    elif path.is_dir():
        yield from _files_in(path, source)
    elif path.exists():
        yield from _named(path, source)
    elif glob.has_magic(source):
        yield from _files_matching(source)
    else:
        yield Problem(source, "no such file or folder", "check the path; a glob may need quotes")


def _named(path: Path, source: str) -> Iterator[Found]:
    """Yield a file that the operator named: a pattern that the shell expands names sidecars as well."""
    yield _sidecar(path, None) if sidecar_kind(path) else SourceFile(path, source, source)


def _sidecar(path: Path, folder: Path | None) -> Old | SharedFile:
    """Return a sidecar that is met by itself: where it is a domain file it speaks of the files below the folder."""
    return Old(path) if sidecar_kind(path) in OLD_KINDS else SharedFile(path, folder)


def _files_matching(pattern: str) -> Iterator[Found]:
    # Path.glob cannot take an absolute pattern; this takes any, as the shell does.
    matches = sorted(map(Path, islice(glob.iglob(pattern, recursive=True), MAX_FILES)))  # noqa: PTH207 - above
    named = [path for path in matches if path.is_file()]
    files = list(filterfalse(sidecar_kind, named))
    for path in files:
        yield SourceFile(path, str(path), str(path))
    for path in filter(sidecar_kind, named):
        yield _sidecar(path, path.parent)
    if not files:
        yield from _folders_matching(pattern, matches)


def _folders_matching(pattern: str, matches: list[Path]) -> Iterator[Found]:
    """Yield the files of the folders that a pattern matches."""
    folders = [path for path in matches if path.is_dir()]
    if not folders:
        yield Problem(pattern, "matches no file", "check the pattern")
    for folder in folders:
        yield from _files_in(folder, str(folder))


def _files_in(folder: Path, source: str) -> Iterator[Found]:
    problems: list[Problem] = []
    paths = list(islice(_walk(folder, problems), MAX_FILES + 1))
    if len(paths) > MAX_FILES:
        problems.append(Problem(source, f"holds more than {MAX_FILES:,} files", "name the folders with tools"))
    yield from problems
    tool_files = list(filterfalse(sidecar_kind, paths))
    if not tool_files and not problems:
        yield Problem(source, "holds no tool file", f"tool files end with {', '.join(sorted(SUFFIXES))}")
    stems = {path.parent / path.stem for path in tool_files}
    for path in sorted(paths, key=lambda path: path.relative_to(folder).parts):
        if not sidecar_kind(path):
            yield SourceFile(path, str(path), source, path.relative_to(folder).as_posix())
        elif sidecar_kind(path) in OLD_KINDS or path.parent / _sidecar_stem(path) not in stems:
            yield _sidecar(path, path.parent)


def _walk(folder: Path, problems: list[Problem]) -> Iterator[Path]:
    """Yield the files of a folder with a tool file's suffix; hidden ones and links out of folders are left."""

    def complain(error: OSError) -> None:
        problems.append(Problem(str(error.filename), f"cannot be read: {error.strerror}", "check its permissions"))

    for parent, folders, names in os.walk(folder, onerror=complain):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED_FOLDERS)
        for name in names:
            if not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES:
                yield Path(parent, name)


def sidecar_kind(path: Path) -> str:
    """Return which kind of sidecar a file's name says it is, or "" for none."""
    if path.suffix.lower() not in SUFFIXES:
        return ""
    kind = Path(path.stem).suffix.removeprefix(".")
    return kind if kind in SIDECAR_KINDS else ""


def _sidecar_stem(path: Path) -> str:
    return Path(path.stem).stem


def beside(path: Path, kind: str) -> Iterator[Path]:
    """Yield the sidecars of a kind that stand beside a tool file."""
    for suffix in sorted(SUFFIXES):
        sidecar = path.with_name(f"{path.stem}.{kind}{suffix}")
        if sidecar.is_file():
            yield sidecar


def _old_beside(path: Path | None) -> Iterator[Path]:
    if path is not None:
        yield from (each for kind in sorted(OLD_KINDS) for each in beside(path, kind))


@dataclass(slots=True)
class Reader:
    """Reads files within the bounds of one load."""

    total: int = 0

    def read(self, path: Path | None, place: str) -> bytes | Problem:
        """Return a file's bytes, or say why it is not read."""
        try:
            data = self._bytes(path)
        except OSError as error:
            return Problem(place, f"cannot be read: {error.strerror or error}", "check the path and its permissions")
        if len(data) > MAX_FILE_BYTES:
            size = path.stat().st_size if path is not None and path.is_file() else len(data)
            return too_large(place, max(size, len(data)))
        self.total += len(data)
        if self.total > MAX_TOTAL_BYTES:
            limit = f"with it the tool files are larger than {MAX_TOTAL_BYTES:,} bytes together"
            return Problem(place, limit, "load fewer files")
        return data

    def _bytes(self, path: Path | None) -> bytes:
        """Read one byte more than is allowed at most: enough to see that there is more."""
        if path is None:
            return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
        if not path.is_file() and not path.is_fifo() and not path.is_char_device():
            raise OSError(0, "there is no such file" if not path.exists() else "it is no regular file")
        with path.open("rb") as stream:
            return stream.read(MAX_FILE_BYTES + 1)
