"""A domain with its tools, compiled: what can be wanted of them, the worlds of its records, its vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from generator.domains.domain import Domain, Outage
from generator.domains.reading import Fault, Faults
from generator.garbage_collection import not_looked_for
from generator.jsontext import JsonValue
from generator.object_key import Same
from generator.schemas.adm_schema import ERROR_TYPES
from generator.tools import Tool
from generator.values.meanings.entities import PROVIDERS
from generator.worlds.compiler import Compiler
from generator.worlds.conditions import OPERATORS as CONDITIONS
from generator.worlds.conditions import UNARY
from generator.worlds.effects import EFFECTS
from generator.worlds.program import Program, compile_domain
from generator.worlds.sources import SOURCES
from generator.worlds.speech import FORMATS
from generator.worlds.templates import Template, templates
from generator.worlds.values import OPERATORS
from generator.worlds.ways import (
    TaskProgram,
    Templates,
    WayProgram,
    WishProgram,
    compile_tasks,
    compile_unserved,
    compile_ways,
    replying,
)


def vocabulary() -> str:
    """Return every source, operator, condition, effect and format, a line each, as Markdown."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "## Sources: where a field or a draw comes from"
    for name, (_, settings, what) in SOURCES.items():
        yield f"- `{name}`: {what}{_with(settings)}"
    yield "- `example: true` (draws of a computing tool): one of its worked `examples`: `$x.arguments`, `$x.result`"
    yield f"- Providers of `faker`: {', '.join(PROVIDERS)}"
    yield "\n## Operators in values: `{$name: parts}`"
    yield from _table({name: what for name, (_, _, what) in OPERATORS.items()})
    yield "- `$draw`: a source, drawn once for the record and the arguments"
    yield "\n## Conditions: `[left, operator, right]`, `{any: [[...], [...]]}`, `{not: [...]}`"
    yield from _table({name: what for name, (_, what) in {**CONDITIONS, **UNARY}.items()})
    yield "\n## Effects: the steps of a call"
    for name, (_, settings, what) in EFFECTS.items():
        yield f"- `{name}`: {what}{_with(settings)}"
    yield f"- Error types of `else`: {', '.join(ERROR_TYPES)}"
    yield "\n## Formats of slots: `{value|format}`"
    yield from _table({name: what for name, (_, what) in FORMATS.items()})


def _table(entries: Mapping[str, str]) -> Iterator[str]:
    for name, what in entries.items():
        yield f"- `{name}`: {what}"


def _with(settings: Iterable[str]) -> str:
    names = ", ".join(f"`{name}`" for name in settings)
    return f"; beside it: {names}" if names else ""


_KEPT = 128
"""Compiled domains that are kept."""


@dataclass(frozen=True)
class CompiledDomain:
    """One domain and the tools of a catalog that it speaks of."""

    domain: Domain
    tools: dict[str, Tool]
    program: Program
    ways: dict[str, tuple[WayProgram, ...]]
    tasks: tuple[TaskProgram, ...]
    unserved: tuple[WishProgram, ...]
    context: tuple[Template, ...]
    outages: tuple[tuple[Outage, Templates], ...] | None
    """The domain's own outages with what is said of each; None where those of any service may strike."""
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

    @cached_property
    def deeds(self) -> dict[str, frozenset[tuple[str, str]]]:
        """By tool, what its effect does to which entities: `get`, `list`, `create` and so on."""
        return {name: frozenset(_deeds(self.domain.tools[name].effect)) for name in self.tools}

    @cached_property
    def related(self) -> dict[str, tuple[str, ...]]:
        """By tool, the others that people may want in one breath with it: of one task, or about the same things.

        Where no two tools have anything in common each is related to all.
        """
        others = {name: tuple(other for other in self.tools if other != name) for name in self.tools}
        found = {
            name: tuple(other for other in those if self._are_related(name, other)) for name, those in others.items()
        }
        return found if any(found.values()) else others

    def _are_related(self, one: str, other: str) -> bool:
        return not self._about[one].isdisjoint(self._about[other]) or any(
            one in task.tools and other in task.tools for task in self.tasks
        )

    @cached_property
    def _about(self) -> dict[str, frozenset[str]]:
        """By tool, the entities that it is about; whose record it is counts where there is no other."""
        about = {name: frozenset(entity for _, entity in self.deeds[name]) for name in self.tools}
        return {name: entities - {self.domain.me} or entities for name, entities in about.items()}


_OF_ENTITY = ("get", "list", "create", "update_all", "delete_all")
_STEPS = ("do", "then", "else")


def _deeds(steps: JsonValue) -> Iterator[tuple[str, str]]:
    """Yield what the steps of an effect do, each with the entity that it is done to."""
    for step in steps if isinstance(steps, list | tuple) else ():
        if isinstance(step, dict):
            yield from ((key, str(step[key])) for key in _OF_ENTITY if key in step)
            for key in _STEPS:
                yield from _deeds(step.get(key))


def compiled_domain(domain: Domain, tools: Iterable[Tool]) -> CompiledDomain:
    """Compile a domain over those of these tools that it speaks of; what is wrong with it is kept as faults.

    What was compiled is kept: a catalog is checked as it is loaded, and planned over by whoever makes its records.
    """
    given = tuple(tools)
    compiled = _compiled(Same((domain, given), domain, *(tool.parameters for tool in given)))
    return replace(compiled, tools={tool.name: tool for tool in given if tool.name in domain.tools})


@lru_cache(maxsize=_KEPT)
@not_looked_for()
def _compiled(same: Same[tuple[Domain, tuple[Tool, ...]]]) -> CompiledDomain:
    domain, tools = same.held
    known = {tool.name: tool for tool in tools}
    faults = Faults()
    parameters = {name: tool.parameters for name, tool in known.items()}
    program = compile_domain(domain, parameters.get, faults)
    for name in domain.tools:
        if name not in known:
            faults.unknown(("tools", name), "tool", name, known)
    return CompiledDomain(
        domain=domain,
        tools={name: tool for name, tool in known.items() if name in domain.tools},
        program=program,
        ways=compile_ways(program.compiler, parameters),
        tasks=compile_tasks(program.compiler, parameters),
        unserved=compile_unserved(program.compiler),
        context=templates(domain.context, ("context",), program.compiler),
        outages=_outages(program.compiler),
        faults=tuple(faults.found),
    )


def _outages(compiler: Compiler) -> tuple[tuple[Outage, Templates], ...] | None:
    given = compiler.domain.outages
    if given is None:
        return None
    replies = replying(compiler)
    return tuple(
        (each, templates(each.replies, ("outages", number, "replies"), replies)) for number, each in enumerate(given)
    )
