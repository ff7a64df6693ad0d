"""The result schemas of a run with a model: proposed once per tool, settled before the first record is planned.

What was settled is kept in the run store with what it cost, so that a continued run has the same catalog, asks for no
tool twice, and counts no token twice.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from generator.authors.llm.schema_author import Proposed, SchemaAuthor
from generator.job import Job
from generator.jsontext import JsonObject, dump_compact
from generator.runs.folder import RunFolder, read_catalog
from generator.runs.identity import read_job_document
from generator.runs.read_back import is_standing
from generator.runs.store import RunStore
from generator.runs.summary import SCHEMA_NOTES, read_schema_note
from generator.runs.tally import count_proposal
from generator.runs.window import Window
from generator.tools.catalog import Catalog
from generator.tools.tool import Tool

_PATIENCE = 8
"""Tools without a usable answer after which a model that never gave one is asked no more."""

log = logging.getLogger(__name__)

OpenAuthor = Callable[[], AbstractAsyncContextManager[SchemaAuthor]]
"""Opens the author with its connections, which close when its block ends."""


def proposes(job: Job) -> bool:
    """Say whether the model of a job proposes result schemas."""
    return job.author == "llm" and job.proposals


def wanting(catalog: Catalog) -> list[Tool]:
    """Return the tools whose result schema a model is asked for, one of each definition.

    Sentences that were written for a tool's replies name fields of the derived result, so such a tool keeps it.
    """
    found = {
        tool.fingerprint: tool for tool in catalog.tools if tool.result_origin == "derived" and not tool.frames.replies
    }
    return list(found.values())


def settle(
    catalog: Catalog, store: RunStore, opening: OpenAuthor, concurrency: int, stopping: Callable[[], bool]
) -> Catalog:
    """Return the catalog with the result schemas that the model proposes, asking for those that are not settled yet.

    Where the run is to stop, the catalog is what it is by then, and nothing must be made with it.

    Raises:
        BackendError: the server refuses for good or only fails; what was settled is kept.
    """
    tools = wanting(catalog)
    schemas = _settled(tools, store)
    missing = [tool for tool in tools if tool.fingerprint not in schemas]
    if missing and not _is_hopeless(schemas) and not stopping():
        with Window(_proposing(opening, missing), concurrency, stopping) as window:
            for tool, proposed in zip(missing, window.outcomes(0, len(missing), stopping), strict=False):
                _keep(store, tool, proposed)
                schemas[tool.fingerprint] = proposed.schema
                if _is_hopeless(schemas):
                    break
    if _is_hopeless(schemas):
        for tool in missing:
            if tool.fingerprint not in schemas:
                _keep(store, tool, Proposed(None, f"not asked for: no answer for {_PATIENCE} tools could be used"))
    schemas = _settled(tools, store)
    return Catalog(tools=tuple(_with_result(tool, schemas.get(tool.fingerprint)) for tool in catalog.tools))


def settle_as_published(catalog: Catalog, store: RunStore, folder: RunFolder) -> None:
    """Note in a store that has lost its notes what its run has settled: once there are records, its catalog is final.

    The catalog of the run is believed where it is the one that `job.json` names, and these tools without proposals.
    """
    if (store.empty and not is_standing(folder)) or not folder.catalog.exists():
        return
    held, resolved = read_catalog(folder.catalog), read_job_document(folder.job).resolved
    if resolved is None or held.digest != resolved.catalog or held.given_digest != catalog.given_digest:
        return
    tools = wanting(catalog)
    settled = _settled(tools, store)
    for tool in tools:
        final = held.by_fingerprint[tool.fingerprint]
        schema = final.result_schema if final.result_origin == "proposed" else None
        if tool.fingerprint not in settled or settled[tool.fingerprint] != schema:
            note: JsonObject = {"schema": schema, "reason": "" if schema else "as it is in catalog.json"}
            store.set_note(_note(tool), dump_compact(note))


def _settled(tools: Sequence[Tool], store: RunStore) -> dict[str, JsonObject | None]:
    """Return what is settled already, by fingerprint; None stands for a tool that keeps its derived schema."""
    notes = {tool.fingerprint: read_schema_note(store.note(_note(tool)) or "") for tool in tools}
    return {key: note["schema"] for key, note in notes.items() if note is not None}


def _is_hopeless(schemas: Mapping[str, JsonObject | None]) -> bool:
    """Say whether a model does not know how to propose: the first tools, in their order, got nothing from it."""
    return len(schemas) >= _PATIENCE and not any(schemas.values())


def _note(tool: Tool) -> str:
    return f"{SCHEMA_NOTES}{tool.name} {tool.fingerprint}"


def _keep(store: RunStore, tool: Tool, proposed: Proposed) -> None:
    if proposed.schema is None:
        log.warning("%s keeps its derived result schema: %s", tool.name, proposed.reason)
    settled: JsonObject = {"schema": proposed.schema, "reason": proposed.reason}
    store.settle_note(_note(tool), dump_compact(settled), count_proposal(proposed.spent))


def _with_result(tool: Tool, schema: JsonObject | None) -> Tool:
    if schema is None or tool.result_origin != "derived" or tool.frames.replies:
        return tool
    return tool.model_copy(update={"result_schema": schema, "result_origin": "proposed"})


@dataclass(frozen=True, slots=True)
class _Proposing:
    """Proposes the result schemas of a row of tools by their number."""

    author: SchemaAuthor
    tools: Sequence[Tool]

    async def produce_waiting(self, index: int, first_attempt: int = 0) -> Proposed:
        """Ask for the result schema of one tool."""
        return await self.author.propose(self.tools[index])


def _proposing(opening: OpenAuthor, tools: Sequence[Tool]) -> Callable[[], AbstractAsyncContextManager[_Proposing]]:
    @asynccontextmanager
    async def opened() -> AsyncIterator[_Proposing]:
        async with opening() as author:
            yield _Proposing(author, tools)

    return opened
