"""Many definitions, one catalog: equal ones merge, different ones of one name conflict, names become valid.

With `on_conflict="source"` each source is a toolset of its own, and only tools of one toolset are shown together.
A source is what the operator named: a file, or a folder whose files belong together (a server's tools, one file
each). Where files of one folder define a name differently, those files leave the folder's toolset for one of
their own; where one file does, its second definitions go to `FILE#2`. Equal definitions merge within a toolset
and stay in each of several. Which toolsets a source has depends on it alone; where two sources share a name, their
labels grow by the folders that tell them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Literal

from generator.errors import Problem
from generator.formats.loading.sources import STDIN, SourceFile
from generator.jsontext import digest
from generator.tools import Change, Tool, map_names

OnConflict = Literal["refuse", "source"]

_SHOWN_PLACES = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One usable definition, the file it came from and the toolset it belongs to."""

    tool: Tool
    file: SourceFile
    toolset: str = ""

    @property
    def variant(self) -> str:
        """What makes definitions of one name differ: all that a record shows."""
        return self.tool.fingerprint


@dataclass(slots=True)
class Merged:
    """The tools of a catalog, and what merging found."""

    tools: list[Tool] = field(default_factory=list)
    files: list[tuple[SourceFile, ...]] = field(default_factory=list)
    """For each tool, the files that define it."""
    conflicts: list[Problem] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)


def merge(entries: Sequence[Entry], on_conflict: OnConflict) -> Merged:
    """Merge equal definitions and part or refuse different ones; names are made valid and unique."""
    if on_conflict == "source":
        entries = _by_source(entries)
    else:
        entries = [replace(entry, toolset=entry.tool.toolset) for entry in entries]
    result = Merged()
    for group in _groups(entries).values():
        _merge_group(group, result)
    names = map_names(tool.name for tool in result.tools)
    result.tools = [_named(tool, names[tool.name]) for tool in result.tools]
    return result


def _groups(entries: Iterable[Entry]) -> dict[tuple[str, str], list[Entry]]:
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        groups.setdefault((entry.toolset, entry.tool.name), []).append(entry)
    return groups


def _merge_group(group: list[Entry], result: Merged) -> None:
    """Merge the definitions of one name in one toolset, or note their conflict."""
    conflicting = _conflicting(group)
    if conflicting:
        result.conflicts.append(_conflict(conflicting))
        return
    best = next((entry for entry in group if _declares(entry.tool)), group[0])
    result.tools.append(best.tool.model_copy(update={"toolset": best.toolset}))
    result.files.append(tuple(entry.file for entry in group))
    if len(group) > 1:
        places = ", ".join(entry.tool.source for entry in group[:_SHOWN_PLACES])
        places += f" and {len(group) - _SHOWN_PLACES:,} more" if len(group) > _SHOWN_PLACES else ""
        result.merged.append(f"{best.tool.name}: {len(group)} equal definitions are one tool ({places})")


def _conflicting(group: list[Entry]) -> list[Tool]:
    """Return one of each of the different definitions of one name; none where they are equal."""
    variants: dict[str, Tool] = {}
    for entry in group:
        variants.setdefault(entry.variant, entry.tool)
    if len(variants) > 1:
        return list(variants.values())
    declared = {digest(entry.tool.result_schema): entry.tool for entry in group if _declares(entry.tool)}
    return list(declared.values()) if len(declared) > 1 else []


def _declares(tool: Tool) -> bool:
    return tool.result_origin != "domain"


def _conflict(tools: list[Tool]) -> Problem:
    others = ", ".join(tool.source for tool in tools[1:])
    return Problem(
        tools[0].source,
        f"{tools[0].name!r} is defined differently at {others}",
        "leave one of them out, or use --on-conflict source",
    )


def _named(tool: Tool, name: str) -> Tool:
    """Give a tool its valid name, and say so where it is another."""
    if name == tool.name:
        return tool
    change = Change(
        pointer="/name", kind="changed", message=f"{tool.name!r} became {name!r}, which every consumer takes"
    )
    return tool.model_copy(update={"name": name, "original_name": tool.name, "changes": (change, *tool.changes)})


def _by_source(entries: Sequence[Entry]) -> list[Entry]:
    """Give every definition the toolset of its source, or one of its file where the source contradicts itself."""
    labels = _labels(dict.fromkeys(entry.file for entry in entries))
    grouped = [_labelled(entry, labels[entry.file][0]) for entry in entries]
    apart = {entry.file for group in _groups(grouped).values() if _conflicting(group) for entry in group}
    parted = [_labelled(entry, labels[entry.file][1 if entry.file in apart else 0]) for entry in entries]
    return [entry for group in _groups(parted).values() for entry in _numbered(group)]


def _labelled(entry: Entry, label: str) -> Entry:
    """Give a definition a toolset, where it does not name one itself."""
    return replace(entry, toolset=entry.tool.toolset or label)


def _numbered(group: list[Entry]) -> list[Entry]:
    """Part the different definitions of one name in one file: the first stays, the others are numbered."""
    order: dict[tuple[str, str], int] = {}
    numbered = []
    for entry in group:
        result = digest(entry.tool.result_schema) if _declares(entry.tool) else ""
        number = order.setdefault((entry.variant, result), len(order) + 1)
        numbered.append(entry if number == 1 else replace(entry, toolset=f"{entry.toolset}#{number}"))
    return numbered


def _labels(files: Iterable[SourceFile]) -> dict[SourceFile, tuple[str, str]]:
    """Give every file the labels of its source and of itself: short, stable, no two alike."""
    known = list(files)
    sources = shortest_labels(list(dict.fromkeys(file.source for file in known)))
    stems: dict[str, list[SourceFile]] = {}
    for file in known:
        within = str(PurePath(file.within).with_suffix("")) if file.within else ""
        stems.setdefault(f"{sources[file.source]}/{within}".rstrip("/"), []).append(file)
    labels = {}
    for stem, sharing in stems.items():
        for file in sharing:
            own = stem if len(sharing) == 1 or not file.within else f"{sources[file.source]}/{file.within}"
            labels[file] = (sources[file.source], own)
    return labels


def shortest_labels(sources: list[str]) -> dict[str, str]:
    """Name each source by as few of its last path parts as tell it from the others."""
    parts = {source: _parts(source) for source in sources}
    labels: dict[str, str] = {}
    for source, own in parts.items():
        others = [other for name, other in parts.items() if name != source]
        count = next(
            (count for count in range(1, len(own) + 1) if all(own[-count:] != other[-count:] for other in others)), 0
        )
        labels[source] = "/".join(own[-count:]) if count else source
    return labels


def _parts(source: str) -> tuple[str, ...]:
    if source == STDIN:
        return ("stdin",)
    path = PurePath(source)
    named = path.with_suffix("") if path.suffix.lower() in (".json", ".jsonl", ".ndjson", ".yaml", ".yml") else path
    return tuple(part for part in named.parts if part not in (".", "..", "/")) or ("tools",)
