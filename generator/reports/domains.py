"""Domain files checked and listed: what is wrong with one, and what is known of each tool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from generator.domains.catalog import Catalog
from generator.domains.deriving import derive_domain
from generator.domains.domain import ToolDomain
from generator.errors import Problem, UsageError
from generator.formats.loading.domain_files import DomainFile, compiled, read_domain_file, speak
from generator.formats.loading.sources import SUFFIXES, Reader
from generator.formats.loading.tool_files import load_catalog
from generator.scenarios.rehearsing import rehearse
from generator.tools.tool import Tool
from generator.worlds.playbook import open_playbook


@dataclass(slots=True)
class Checked:
    """What came of checking domain files."""

    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    """What is worth knowing and no problem."""
    requests: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By tool, how many different requests were said, and how many there may be."""


@dataclass(frozen=True, slots=True)
class Listed:
    """What is known of one tool."""

    tool: str
    origin: str
    """written, model, derived, or "none" where nothing can be said."""
    domain: str
    missing: tuple[str, ...]
    requests: int
    """How many different requests it can be given, estimated."""
    unsaid: tuple[str, ...] = ()
    """Optional parameters, and values of enumerations as `parameter=value`, that no way of it ever says."""


def check_domains(files: Sequence[Path], sources: Sequence[str], *, rounds: int, fewest: int) -> Checked:
    """Check domain files over their tools: their text, what they name, and every way and task over many worlds.

    Without sources, the tool files that the domain files stand beside are taken.

    Raises:
        ToolFileError: a tool file cannot be used.
        UsageError: no tool file is named, and none stands beside.
    """
    checked = Checked()
    tools = load_catalog(list(sources) or _tool_files(files), skip_invalid=True).catalog
    reader = Reader()
    for path in files:
        for file in read_domain_file(path, reader, checked.problems):
            _check(file, tools, checked, rounds, fewest)
    return checked


def _tool_files(files: Sequence[Path]) -> list[str]:
    """Return the tool files that domain files stand beside."""
    found = []
    for path in files:
        stem = Path(path.stem).stem
        beside = [path.with_name(stem + suffix) for suffix in sorted(SUFFIXES)]
        found += [str(each) for each in beside if each.is_file()][:1]
    if not found:
        raise UsageError(f"{files[0]}: no tool file of its name stands beside it; name the tool files after it")
    return found


def _check(file: DomainFile, tools: Catalog, checked: Checked, rounds: int, fewest: int) -> None:
    """Load one file over the tools as a run would, then rehearse it."""
    spoken = speak([file], tools.tools, [()] * len(tools.tools), (), strict=False)
    checked.problems += [*spoken.problems, *spoken.warnings]
    catalog = Catalog(tools=tuple(spoken.tools), domains=tuple(spoken.domains))
    for domain in spoken.domains:
        served = catalog.domain_tools[domain.name]
        made = compiled(file.value, domain.name, served)
        came = rehearse(open_playbook(domain, served), rounds=rounds, fewest=fewest)
        checked.problems += file.problems([made.as_written(fault) for fault in came.faults])
        checked.notes += file.problems([made.as_written(fault) for fault in came.notes])
        checked.requests |= came.requests


_PARTS = ("ask", "confirm", "parallel", "follow_ups", "corrections", "invalid", "ambiguous", "recover", "profile")


def list_tools(catalog: Catalog, *, rounds: int) -> list[Listed]:
    """Tell of each tool who wrote what is known of it, what is missing, and how many requests it can be given."""
    books = {domain.name: open_playbook(domain, catalog.domain_tools[domain.name]) for domain in catalog.domains}
    rehearsals = {name: rehearse(book, rounds=rounds, fewest=0) for name, book in books.items()}
    rest = [tool for tool in catalog.tools if tool.domain not in books]
    derived = derive_domain(rest, "")
    known = rehearse(open_playbook(derived, rest), rounds=rounds, fewest=0).requests if derived.tools else {}
    listed = []
    for tool in catalog.tools:
        if tool.domain in books:
            book = books[tool.domain]
            written = book.domain.tools[tool.name]
            came = rehearsals[tool.domain]
            _, many = came.requests.get(tool.name, (0, 0))
            missing = tuple(_missing(written, changes=tool.name in book.writing, tool=tool))
            unsaid = came.unsaid.get(tool.name, ())
            listed.append(Listed(tool.name, book.domain.origin, tool.domain, missing, many, unsaid))
        else:
            _, many = known.get(tool.name, (0, 0))
            origin = "derived" if tool.name in derived.tools else "none"
            listed.append(Listed(tool.name, origin, "", (), many))
    return listed


def _missing(written: ToolDomain, *, changes: bool, tool: Tool) -> list[str]:
    """Name the parts that a tool's domain does without."""
    missing = [key for key in ("can", "effect", "result", "ways", "near") if not getattr(written, key)]
    if written.examples:
        missing = [key for key in missing if key not in ("effect", "result")]
    parts = [key for key in _PARTS if not any(getattr(way, key) for way in written.ways)]
    if not changes:
        parts = [key for key in parts if key != "confirm"]
    if not tool.parameters.get("required"):
        parts = [key for key in parts if key not in ("ask", "ambiguous")]
    replies = set(written.replies).union(*(way.replies for way in written.ways))
    return [*missing, *parts, *(() if replies - {"ok", "empty"} else ("errors",))]
