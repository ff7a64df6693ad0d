"""Sidecars: NAME.frames.json with sentences, NAME.results.json with result schemas, both by tool name."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from generator.errors import Problem
from generator.formats.documents import read_documents
from generator.formats.sources import Reader, sidecar_paths
from generator.jsontext import JsonValue, pointer


@dataclass(slots=True)
class Sidecars:
    """What stands beside one tool file: values by tool name, each with its place."""

    frames: dict[str, tuple[JsonValue, str]] = field(default_factory=dict)
    results: dict[str, tuple[JsonValue, str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def unused(self, names: set[str]) -> list[Problem]:
        """Return a problem for each entry that names none of the file's tools."""
        entries = [*self.frames.items(), *self.results.items()]
        remedy = "name a tool of the file, or leave the entry out"
        return [Problem(place, f"there is no tool called {name!r}", remedy) for name, (_, place) in entries
                if name not in names]  # fmt: skip


def read_sidecars(path: Path | None, reader: Reader) -> Sidecars:
    """Read the sidecars of a tool file; standard input has none."""
    found = Sidecars()
    for kind, beside in sidecar_paths(path) if path is not None else ():
        data = reader.read(beside, str(beside))
        if isinstance(data, Problem):
            found.problems.append(data)
            continue
        reading = read_documents(data, str(beside))
        found.problems += reading.problems
        for document in reading.documents:
            if not isinstance(document.value, dict):
                found.problems.append(Problem(str(beside), "is no object of tool names", 'write {"tool_name": ...}'))
                continue
            entries = found.frames if kind == "frames" else found.results
            entries.update({name: (value, document.where(pointer((name,)))) for name, value in document.value.items()})
    return found
