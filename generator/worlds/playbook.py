"""Playbook: a domain with its tools, compiled: what can be wanted of them, and the worlds to play it on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from generator.domains.domain import Domain
from generator.domains.faults import Fault, Faults
from generator.tools.tool import Tool
from generator.worlds.program import Program, compile_domain
from generator.worlds.tasks import TaskProgram, WishProgram, compile_tasks, compile_unserved
from generator.worlds.templates import Template
from generator.worlds.ways import WayProgram, compile_ways, templates

_KEPT = 128
"""Compiled domains that are kept."""


@dataclass(frozen=True)
class Playbook:
    """One domain and the tools of a catalog that it speaks of."""

    domain: Domain
    tools: dict[str, Tool]
    program: Program
    ways: dict[str, tuple[WayProgram, ...]]
    tasks: tuple[TaskProgram, ...]
    unserved: tuple[WishProgram, ...]
    context: tuple[Template, ...]
    faults: tuple[Fault, ...]

    def can(self, name: str) -> str:
        """Return what a tool does, after "I can"; "" where the domain does not say."""
        tool = self.domain.tools.get(name)
        return tool.can if tool is not None else ""

    @cached_property
    def telling(self) -> tuple[str, ...]:
        """The tools with a way whose ids can be typed or told, so that nothing has to be looked up."""
        return tuple(name for name, ways in self.ways.items() if any(way.tells for way in ways))

    @cached_property
    def writing(self) -> frozenset[str]:
        """The tools that change something."""
        return frozenset(name for name, program in self.program.tools.items() if program.writes)


@dataclass(frozen=True, slots=True, eq=False)
class _Same:
    """A domain with its tools, equal to the very same objects alone: they are frozen, and comparing them takes long."""

    domain: Domain
    tools: tuple[Tool, ...]

    def _parts(self) -> tuple[int, ...]:
        return (id(self.domain), *(id(tool.parameters) for tool in self.tools))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())


def open_playbook(domain: Domain, tools: Iterable[Tool]) -> Playbook:
    """Compile a domain over those of these tools that it speaks of; what is wrong with it is kept as faults.

    What was compiled is kept: a catalog is checked as it is loaded, and planned over by whoever makes its records.
    """
    given = tuple(tools)
    book = _compiled(_Same(domain, given))
    return replace(book, tools={tool.name: tool for tool in given if tool.name in domain.tools})


@lru_cache(maxsize=_KEPT)
def _compiled(same: _Same) -> Playbook:
    domain, known = same.domain, {tool.name: tool for tool in same.tools}
    faults = Faults()
    parameters = {name: tool.parameters for name, tool in known.items()}
    program = compile_domain(domain, parameters.get, faults)
    for name in domain.tools:
        if name not in known:
            faults.unknown(("tools", name), "tool", name, known)
    return Playbook(
        domain=domain,
        tools={name: tool for name, tool in known.items() if name in domain.tools},
        program=program,
        ways=compile_ways(program.compiler, parameters),
        tasks=compile_tasks(program.compiler, parameters),
        unserved=compile_unserved(program.compiler),
        context=templates(domain.context, ("context",), program.compiler),
        faults=tuple(faults.found),
    )
