"""Catalog: the tools of one job by name, each toolset with the domain that speaks of it, and their digest."""

from __future__ import annotations

from functools import cached_property

from generator.boundary import BoundaryModel
from generator.domains.domain import Domain
from generator.jsontext import JsonObject, digest
from generator.tools import Tool


class Catalog(BoundaryModel):
    """The tools of a job in a stable order, names unique within each toolset."""

    tools: tuple[Tool, ...]
    domains: tuple[Domain, ...] = ()
    """What is known about them; each tool names its own by `domain`."""

    @cached_property
    def domain_tools(self) -> dict[str, tuple[Tool, ...]]:
        """The tools that each domain speaks of, by the domain's name."""
        found: dict[str, list[Tool]] = {domain.name: [] for domain in self.domains}
        for tool in self.tools:
            if tool.domain in found:
                found[tool.domain].append(tool)
        return {name: tuple(tools) for name, tools in found.items()}

    @cached_property
    def digest(self) -> str:
        """16 hex digits that identify the tools with their result schemas and domains.

        Where they were read, and in which order, makes no difference: records do not depend on it.
        """
        tools = sorted(self.tools, key=lambda tool: tool.key)
        dumped = [tool.model_dump(mode="json", exclude={"source", "changes"}) for tool in tools]
        domains = [one.model_dump(mode="json", by_alias=True) for one in sorted(self.domains, key=lambda one: one.name)]
        return digest([*dumped, *domains])

    @cached_property
    def given_digest(self) -> str:
        """16 hex digits of the tools as they were given: without the domains that a model wrote."""
        own = tuple(domain for domain in self.domains if domain.origin != "model")
        names = {domain.name for domain in own}
        tools = [tool if tool.domain in names else tool.model_copy(update={"domain": ""}) for tool in self.tools]
        return Catalog(tools=tuple(tools), domains=own).digest

    @cached_property
    def toolsets(self) -> dict[str, tuple[Tool, ...]]:
        """The tools by toolset: only tools of one toolset are shown together."""
        groups: dict[str, list[Tool]] = {}
        for tool in self.tools:
            groups.setdefault(tool.toolset, []).append(tool)
        return {name: tuple(tools) for name, tools in groups.items()}

    @cached_property
    def by_fingerprint(self) -> dict[str, Tool]:
        """The tools by the fingerprint of what a record shows; equal definitions share their first tool."""
        return {tool.fingerprint: tool for tool in reversed(self.tools)}

    def dump(self) -> JsonObject:
        """Return the catalog as `catalog.json` holds it."""
        return self.model_dump(mode="json", exclude_defaults=True, by_alias=True)
