"""States of tools: digests of what a record that shows a tool depends on, by which a later build sees what changed."""

from __future__ import annotations

from collections.abc import Mapping

from generator.boundary import BoundaryModel
from generator.domains.catalog import Catalog
from generator.domains.domain import Domain
from generator.jsontext import JsonObject, digest, dump_compact
from generator.tools import Tool

_ELSEWHERE = frozenset({"source", "changes", "domain"})
"""What of a tool says where it stands, and what its domain is called."""
_OF_SOME = frozenset({"tools", "tasks", "name"})
"""What of a domain is not about every tool."""


class ToolState(BoundaryModel):
    """One tool as it was when a build was made."""

    name: str
    fingerprint: str
    """What a record shows of it."""
    definition: str
    """Digest of its definition, result schema included."""
    knowledge: str = ""
    """Digest of what a domain file that somebody wrote says of it; "" where none does."""
    domain: str = ""
    """The domain that speaks of it."""


def states_of(catalog: Catalog) -> dict[str, ToolState]:
    """Return the state of each tool by its key.

    What a model wrote of a tool is no part of it: it stays as it is while the tool does.
    """
    domains = {domain.name: domain for domain in catalog.domains}
    shared = {name: digest(_shared(domain)) for name, domain in domains.items() if domain.origin == "written"}
    return {tool.key: _state(tool, domains.get(tool.domain), shared) for tool in catalog.tools}


def _state(tool: Tool, domain: Domain | None, shared: Mapping[str, str]) -> ToolState:
    known = ""
    if domain is not None and domain.name in shared:
        said = domain.tools.get(tool.name)
        tasks = [task for each in domain.tasks if f'"{tool.name}"' in dump_compact(task := _dumped(each))]
        known = digest([shared[domain.name], None if said is None else _dumped(said), tasks])
    return ToolState(
        name=tool.name,
        fingerprint=tool.fingerprint,
        definition=digest(tool.model_dump(mode="json", exclude=set(_ELSEWHERE))),
        knowledge=known,
        domain=tool.domain,
    )


def _shared(domain: Domain) -> JsonObject:
    return domain.model_dump(mode="json", by_alias=True, exclude=set(_OF_SOME))


def _dumped(part: BoundaryModel) -> JsonObject:
    return part.model_dump(mode="json", by_alias=True)


def change_of(key: str, before: Mapping[str, ToolState], now: Mapping[str, ToolState]) -> str:
    """Say what became of a tool of an earlier build, in two words; "" where nothing did."""
    old, new = before.get(key), now.get(key)
    if old is None or new is None:
        return "tool removed" if new is None else "tool added"
    if old.definition != new.definition:
        return "tool changed"
    return "domain changed" if old.knowledge != new.knowledge else ""
