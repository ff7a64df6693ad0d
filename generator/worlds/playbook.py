"""Playbook: a domain with its tools, compiled: what can be wanted of them, and the worlds to play it on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from generator.domains.domain import Domain
from generator.domains.faults import Fault, Faults
from generator.tools.tool import Tool
from generator.worlds.program import Program, compile_domain
from generator.worlds.tasks import TaskProgram, WishProgram, compile_tasks, compile_unserved
from generator.worlds.templates import Template
from generator.worlds.ways import WayProgram, compile_ways, templates


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

    @cached_property
    def asking(self) -> frozenset[str]:
        """The tools that are called only after the user has said yes to it."""
        own = {name: known.asks_first for name, known in self.domain.tools.items()}
        return frozenset(
            name
            for name in self.tools
            if own[name] or (own[name] is None and self.domain.asks_first and name in self.writing)
        )


def open_playbook(domain: Domain, tools: Iterable[Tool]) -> Playbook:
    """Compile a domain over those of these tools that it speaks of; what is wrong with it is kept as faults."""
    known = {tool.name: tool for tool in tools}
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
