"""Domain files in: `NAME.domain.yaml` beside `NAME.json`, one for a folder, or named by the operator; or every problem.

A tool is spoken of by the first of these that names it: the files the operator named, the file beside its tool file,
the file of the nearest folder. A phrase that is wrong is left out with a warning; anything else refuses the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from generator.domains.domain import Domain
from generator.domains.reading import Fault, before, owner_of, phrase_at, read_domain, with_names, without
from generator.errors import Problem
from generator.formats.loading.merging import shortest_labels
from generator.formats.loading.parsing import Document, lines_of, read_documents
from generator.formats.loading.sources import Reader, SharedFile, SourceFile, beside
from generator.jsontext import JsonValue, pointer
from generator.suggestions import did_you_mean
from generator.tools import Tool
from generator.worlds.program import compiled_domain

MAX_BYTES = 4 * 1024 * 1024
"""The largest domain file that is read: knowledge of two thousand tools."""
MAX_VALUES = 100_000
"""How many values one domain file may hold."""
_MOST_SHOWN = 100
_MOST_ROUNDS = 12

Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class DomainFile:
    """One domain file, parsed."""

    place: str
    stem: str
    value: JsonValue
    text: str = ""
    """What it was parsed from, so that a line can be told; "" for a part of another document."""
    at: Place = ()
    """Where it stands in that document."""
    folder: Path | None = None
    """It speaks of the tool files below this folder."""
    owner: SourceFile | None = None
    """The tool file that it stands beside."""

    def serves(self, files: Iterable[SourceFile]) -> bool:
        """Say whether it speaks of what one of these tool files defines."""
        if self.owner is not None:
            return self.owner in files
        folder = self.folder
        if folder is None:
            return True
        return any(file.path is not None and file.path.resolve().is_relative_to(folder.resolve()) for file in files)

    def problem(self, fault: Fault, lines: Mapping[Place, int]) -> Problem:
        """Return a fault with its file, line and pointer."""
        line = f":{lines[fault.path]}" if fault.path in lines else ""
        at = pointer((*self.at, *fault.path))
        return Problem(f"{self.place}{line}{f'#{at}' if at else ''}", fault.what, fault.remedy)

    def problems(self, faults: Sequence[Fault]) -> list[Problem]:
        """Return faults as problems, the first hundred of them."""
        shown = list(dict.fromkeys(faults))[:_MOST_SHOWN]
        lines = lines_of(self.text, (fault.path for fault in shown)) if self.text and shown else {}
        found = [self.problem(fault, lines) for fault in shown]
        left = len(set(faults)) - len(shown)
        return [*found, Problem(self.place, f"has {left:,} more problems")] if left > 0 else found


@dataclass(slots=True)
class Spoken:
    """Tools with the domains that speak of them, and what was wrong."""

    tools: list[Tool]
    domains: list[Domain] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def at(self, places: Iterable[int]) -> list[Tool]:
        """Return the tools at some places."""
        return [self.tools[place] for place in places]

    def take(self, domain: Domain, places: Iterable[int]) -> None:
        """Let a domain speak of the tools at some places."""
        self.domains.append(domain)
        for place in places:
            self.tools[place] = self.tools[place].model_copy(update={"domain": domain.name})


def read_beside(file: SourceFile, reader: Reader, problems: list[Problem]) -> list[DomainFile]:
    """Read the domain files that stand beside a tool file."""
    paths = beside(file.path, "domain") if file.path is not None else ()
    return [replace(one, owner=file) for path in paths for one in read_domain_file(path, reader, problems)]


def read_shared(files: Iterable[SharedFile], reader: Reader, problems: list[Problem]) -> list[DomainFile]:
    """Read the domain files that speak of several tool files: those the operator named first, then the nearest."""
    found = [
        replace(one, folder=file.folder) for file in files for one in read_domain_file(file.path, reader, problems)
    ]
    return sorted(found, key=lambda one: -len(one.folder.resolve().parts) if one.folder is not None else -(10**6))


def read_domain_file(path: Path, reader: Reader, problems: list[Problem]) -> list[DomainFile]:
    """Read one domain file: a single document."""
    data = reader.read(path, str(path))
    if isinstance(data, Problem):
        problems.append(data)
        return []
    if len(data) > MAX_BYTES:
        what = f"is {len(data):,} bytes large; at most {MAX_BYTES:,} are read of a domain file"
        problems.append(Problem(str(path), what, "write a domain file for each toolset"))
        return []
    reading = read_documents(data, str(path))
    problems += reading.problems
    if reading.problems:
        return []
    if len(reading.documents) != 1:
        remedy = "keep one document, without `---` between parts"
        problems.append(Problem(str(path), "a domain file is one document", remedy))
        return []
    if (many := _count(reading.documents[0].value)) > MAX_VALUES:
        what = f"holds {many:,} values; at most {MAX_VALUES:,} are read of a domain file"
        problems.append(Problem(str(path), what, "write a domain file for each toolset"))
        return []
    text = data.decode("utf-8").removeprefix("\ufeff")
    return [DomainFile(str(path), _stem(path), reading.documents[0].value, text)]


def domains_within(document: Document, file: SourceFile) -> list[DomainFile]:
    """Return the domains that a catalog of ours holds beside its tools."""
    value = document.value
    held = value.get("domains") if isinstance(value, dict) and isinstance(value.get("tools"), list) else None
    return [
        DomainFile(document.place, str(each.get("name", "")), each, at=("domains", number), owner=file)
        for number, each in enumerate(held if isinstance(held, list) else ())
        if isinstance(each, dict)
    ]


def _stem(path: Path) -> str:
    return Path(path.stem).stem if Path(path.stem).suffix == ".domain" else path.stem


def _count(value: JsonValue) -> int:
    many = 0
    stack = [value]
    while stack and many <= MAX_VALUES:
        node = stack.pop()
        many += 1
        if isinstance(node, dict | list):
            stack += node.values() if isinstance(node, dict) else node
    return many + len(stack)


def speak(
    files: Sequence[DomainFile],
    tools: Sequence[Tool],
    sources: Sequence[Sequence[SourceFile]],
    refused: Iterable[str],
    *,
    strict: bool,
) -> Spoken:
    """Give each tool the domain that speaks of it.

    Args:
        files: the domain files, those that come first first.
        tools: the tools of the catalog, with the names that they have there.
        sources: for each tool, the files that define it.
        refused: names of tools that are in the files and could not be used: a domain may name them.
        strict: refuse a file for a phrase that is wrong, too.
    """
    spoken = Spoken([tool.model_copy(update={"domain": ""}) if tool.domain else tool for tool in tools])
    ordered = sorted(files, key=lambda one: (one.folder is not None) * 2 + (one.owner is not None))
    labels = _labels(ordered)
    for file in ordered:
        served = [place for place, tool in enumerate(spoken.tools) if file.serves(sources[place])]
        _speak_of(file, labels[id(file)], served, set(refused), spoken, strict=strict)
    return spoken


def _labels(files: Sequence[DomainFile]) -> dict[int, str]:
    """Name each file by its stem, or by as much of its path as tells it from the others."""
    paths = {file.place: str(Path(file.place).with_name(file.stem)) for file in files if not file.at}
    shortest = shortest_labels(list(dict.fromkeys(paths.values())))
    return {id(file): shortest[paths[file.place]] if not file.at else file.stem for file in files}


@dataclass(frozen=True, slots=True)
class _Speech:
    """What a domain file says of the tools it serves, under the names that they have in the catalog."""

    file: DomainFile
    value: JsonValue
    named: Collection[str]
    """The tools that it names."""
    unknown: list[Fault]
    """What it says of tools that are none."""
    old_names: dict[str, str]
    strict: bool

    def compiled_over(self, name: str, tools: Sequence[Tool], spoken: Spoken) -> Domain | None:
        """Return the domain over some of the tools, None where it cannot be used; what is wrong is told."""
        made = compiled(self.value, name, tools)
        wrong = [_as_written(fault, self.old_names) for fault in (*self.unknown, *made.faults)]
        left = [_as_written(fault, self.old_names) for fault in made.left]
        spoken.problems += self.file.problems([*wrong, *left] if self.strict else wrong)
        spoken.warnings += [] if self.strict or wrong else _left_out(self.file.problems(left))
        return None if wrong or (self.strict and left) else made.domain


def _speech(file: DomainFile, here: Sequence[Tool], refused: set[str], *, strict: bool) -> _Speech:
    names = {tool.original_name: tool.name for tool in here if tool.original_name not in ("", tool.name)}
    known = {tool.name for tool in here} | refused
    value = with_names(file.value, names)
    given = value.get("tools") if isinstance(value, dict) else None
    named = given if isinstance(given, dict) else {}
    unknown = [Fault(("tools", name), *_no_tool(name, known)) for name in named if name not in known]
    return _Speech(file, value, named, unknown, {new: old for old, new in names.items()}, strict)


def _speak_of(
    file: DomainFile, label: str, served: list[int], refused: set[str], spoken: Spoken, *, strict: bool
) -> None:
    """Let one file speak of those of the tools it serves that no file before it names."""
    speech = _speech(file, spoken.at(served), refused, strict=strict)
    mine = [at for at in served if spoken.tools[at].name in speech.named and not spoken.tools[at].domain]
    groups = _toolsets(mine, spoken)
    for toolset, places in (groups or {"": []}).items():
        name = _free(f"{toolset}/{label}" if len(groups) > 1 else label, {one.name for one in spoken.domains})
        domain = speech.compiled_over(name, spoken.at(places), spoken)
        if domain is not None and places:
            spoken.take(domain, places)


def _toolsets(places: Iterable[int], spoken: Spoken) -> dict[str, list[int]]:
    """Return the places of tools by toolset."""
    groups: dict[str, list[int]] = {}
    for at in places:
        groups.setdefault(spoken.tools[at].toolset, []).append(at)
    return groups


def _no_tool(name: str, known: Iterable[str]) -> tuple[str, str]:
    return f"there is no tool called {name[:80]!r}", did_you_mean(
        name[:80], known
    ) or "name a tool of the files it serves"


def _free(name: str, taken: set[str]) -> str:
    return next(
        each for number in range(1, len(taken) + 2) if (each := f"{name}-{number}" if number > 1 else name) not in taken
    )


def _left_out(problems: Iterable[Problem]) -> list[Problem]:
    return [replace(one, what=f"{one.what}: the phrase is left out") for one in problems]


def _as_written(fault: Fault, old_names: Mapping[str, str]) -> Fault:
    """Return a fault with the name of the tool as the file has it."""
    if len(fault.path) > 1 and fault.path[0] == "tools" and fault.path[1] in old_names:
        return replace(fault, path=("tools", old_names[str(fault.path[1])], *fault.path[2:]))
    return fault


@dataclass(frozen=True, slots=True)
class Compiled:
    """A domain file over its tools."""

    domain: Domain | None
    """None where it cannot be used."""
    faults: list[Fault]
    left: list[Fault]
    """What was wrong with the phrases that it does without."""
    gone: tuple[list[Place], ...] = ()
    """What was left out, in its order."""

    def as_written(self, fault: Fault) -> Fault:
        """Return a fault of the domain with its path in the file, where nothing was left out."""
        path = fault.path
        for one in reversed(self.gone):
            path = before(path, one)
        return replace(fault, path=path)


def compiled(value: JsonValue, name: str, tools: Sequence[Tool]) -> Compiled:
    """Read and compile a domain over its tools; phrases that are wrong are left out."""
    found = Compiled(None, [], [])
    for _ in range(_MOST_ROUNDS):
        domain, faults = _read_over(value, name, tools)
        if not faults:
            return replace(found, domain=domain)
        phrases = {phrase_at(fault.path) for fault in faults}
        placed = [found.as_written(fault) for fault in faults]
        if None in phrases or len(faults) >= _MOST_SHOWN:
            return replace(found, faults=[*placed, *found.left], left=[])
        value, gone = _without(value, [path for path in phrases if path is not None])
        found = replace(found, left=[*found.left, *placed], gone=(*found.gone, *gone))
    return replace(found, faults=found.left, left=[])


def _read_over(value: JsonValue, name: str, tools: Sequence[Tool]) -> tuple[Domain | None, list[Fault]]:
    """Read a domain, and return what is wrong with it as it stands and over its tools."""
    domain, faults = read_domain(value, name)
    if domain is None:
        return None, faults
    return domain, [fault for fault in compiled_domain(domain, tools).faults if not _is_of_tool(fault)]


def _without(value: JsonValue, phrases: list[Place]) -> tuple[JsonValue, list[list[Place]]]:
    """Leave phrases out, and the parts that have no phrase left; return what is gone, in its order."""
    value, emptied = without(value, phrases)
    faults = read_domain(value, "")[1]
    owners = list({owner_of(fault.path) for fault in faults if fault.path in emptied})
    if not owners:
        return value, [phrases]
    return without(value, owners)[0], [phrases, owners]


def _is_of_tool(fault: Fault) -> bool:
    """Say whether a tool is not there: the other tools of the file may be loaded without it."""
    return len(fault.path) == 2 and fault.path[0] == "tools" and fault.what.startswith("unknown tool")
