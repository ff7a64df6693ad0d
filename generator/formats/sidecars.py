"""Sidecars: NAME.frames.json with sentences, NAME.results.json with result schemas, both by tool name.

One that stands beside NAME.json speaks of that file's tools alone. A NAME.results.json without such a file serves
every tool file of its folder and of those below it; one that the operator names serves all tools.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from generator.errors import Problem
from generator.formats.documents import read_documents
from generator.formats.sources import Reader, SharedFile, sidecar_paths
from generator.jsontext import JsonValue, pointer
from generator.suggest import did_you_mean

_MOST_SUGGESTIONS = 20

Entries = dict[str, tuple[JsonValue, str]]
"""Values by tool name, each with its place."""


@dataclass(slots=True)
class SharedResults:
    """A sidecar of result schemas that serves several tool files."""

    file: SharedFile
    entries: Entries
    served: set[str] = field(default_factory=set)
    """The names of the tools it was there for."""

    def serves(self, path: Path | None) -> bool:
        """Say whether a tool file, None for what has no path, is one of those it speaks of."""
        folder = self.file.folder
        return folder is None or (path is not None and path.resolve().is_relative_to(folder.resolve()))

    def unused(self) -> list[Problem]:
        """Return a problem for each entry that names no tool it was there for."""
        return _unknown(self.entries, self.served, "name a tool of the files it serves, or leave the entry out")


@dataclass(slots=True)
class Sidecars:
    """What tells more of the tools of one file: the sidecars beside it, and those it shares with other files."""

    frames: Entries = field(default_factory=dict)
    results: Entries = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    shared: tuple[SharedResults, ...] = ()

    def result(self, name: str) -> tuple[JsonValue, str] | None:
        """Return the result schema of a tool: the one the operator named, else beside the file, else its folder's."""
        named = [one.entries[name] for one in self.shared if one.file.folder is None and name in one.entries]
        own = [self.results[name]] if name in self.results else []
        around = [one.entries[name] for one in self.shared if one.file.folder is not None and name in one.entries]
        return next(iter((*named, *own, *around)), None)

    def unused(self, names: set[str]) -> list[Problem]:
        """Return a problem for each entry beside the file that names none of its tools; note what was shared."""
        for one in self.shared:
            one.served |= names
        remedy = "name a tool of the file, or leave the entry out"
        return [*_unknown(self.frames, names, remedy), *_unknown(self.results, names, remedy)]


def _unknown(entries: Entries, names: set[str], remedy: str) -> list[Problem]:
    unknown = [(name, place) for name, (_, place) in entries.items() if name not in names]
    known = sorted(names)
    return [
        Problem(
            place,
            f"there is no tool called {name!r}",
            (did_you_mean(name, known) if number < _MOST_SUGGESTIONS else "") or remedy,
        )
        for number, (name, place) in enumerate(unknown)
    ]


def read_sidecars(path: Path | None, reader: Reader, shared: Sequence[SharedResults] = ()) -> Sidecars:
    """Read the sidecars of a tool file; standard input has none beside it."""
    found = Sidecars(shared=tuple(one for one in shared if one.serves(path)))
    entries = {"frames": found.frames, "results": found.results}
    for kind, beside in sidecar_paths(path) if path is not None else ():
        entries[kind].update(_entries(beside, reader, found.problems))
    return found


def read_shared(files: Iterable[SharedFile], reader: Reader, problems: list[Problem]) -> tuple[SharedResults, ...]:
    """Read the sidecars that serve several files, those of the nearest folder first."""
    shared = [SharedResults(file, _entries(file.path, reader, problems)) for file in files]
    problems += _contradictions([one for one in shared if one.file.folder is None])
    return tuple(sorted(shared, key=lambda one: -len(one.file.folder.parts) if one.file.folder is not None else 0))


def _contradictions(named: list[SharedResults]) -> Iterator[Problem]:
    """Yield a problem for each tool to which two of the files the operator named give different result schemas."""
    first: Entries = {}
    for one in named:
        for name, (value, place) in one.entries.items():
            told, there = first.setdefault(name, (value, place))
            if told != value:
                yield Problem(place, f"{name!r} has another result schema at {there}", "leave one of the two out")


def _entries(path: Path, reader: Reader, problems: list[Problem]) -> Entries:
    """Read one sidecar: an object of tool names."""
    data = reader.read(path, str(path))
    if isinstance(data, Problem):
        problems.append(data)
        return {}
    reading = read_documents(data, str(path))
    problems += reading.problems
    entries: Entries = {}
    for document in reading.documents:
        if isinstance(document.value, dict):
            entries.update({name: (value, document.where(pointer((name,)))) for name, value in document.value.items()})
        else:
            problems.append(Problem(str(path), "is no object of tool names", 'write {"tool_name": ...}'))
    return entries
