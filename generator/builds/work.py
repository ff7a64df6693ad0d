"""The work of a build: the run in which its records are made, begun anew for other inputs, continued for the same ones.

The answers of a model outlive it: what was answered once is asked no more, whichever build asks.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from generator.builds.folder import BuildsFolder
from generator.builds.inputs import Inputs
from generator.builds.manifest import Before
from generator.builds.states import change_of, states_of
from generator.disk import disk_errors, write_own
from generator.domains.catalog import Catalog
from generator.job import Job
from generator.jsontext import JsonObject, digest, dump_pretty
from generator.runs.folder import read_catalog
from generator.runs.identity import job_document, resolve_with

if TYPE_CHECKING:  # it imports the openai package, which an offline build does without
    from generator.authors.llm.session import LLMSession
    from generator.domains.domain import Domain
    from generator.tools import Tool


def prepare_work(folder: BuildsFolder, job: Job, catalog: Catalog, inputs: Inputs, before: str) -> None:
    """Leave in `work` what an interrupted build of the same inputs made, and nothing but answers of any other.

    Raises:
        StorageError: the disk refused.
    """
    resolved = resolve_with(job, catalog)
    plan = {"inputs": digest(inputs.model_dump(mode="json")), "identity": resolved.identity, "before": before}
    text = dump_pretty(plan).encode()
    with disk_errors(folder.plan):
        same = folder.plan.exists() and folder.plan.read_bytes() == text
    if same and folder.work.job.exists():
        return
    clear_work(folder)
    folder.work.make()
    write_own(folder.work.job, [dump_pretty(job_document(job, resolved)).encode()])
    write_own(folder.plan, [text])


def clear_work(folder: BuildsFolder) -> None:
    """Delete what was made, all but the answers of a model."""
    with disk_errors(folder.plan):
        folder.plan.unlink(missing_ok=True)
    with disk_errors(folder.work.path):
        for path in folder.work.path.iterdir() if folder.work.path.is_dir() else ():
            if path == folder.work.answers:
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()


@dataclass(frozen=True, slots=True)
class Known:
    """What a model wrote of the tools in earlier builds, as far as they are the same."""

    catalog: Catalog
    """The tools with the domains that need nothing more."""
    given: Mapping[str, JsonObject]
    """Domains that lack some tools, by the name they will have."""
    passed_over: frozenset[str]
    """Tools that it was asked about and did not describe."""

    def given_to(self, session: LLMSession) -> LLMSession:
        """Return a session that asks only for what is not known."""
        return replace(session, given=self.given, passed_over=self.passed_over)


def known_before(catalog: Catalog, before: Before | None) -> Known:
    """Find what a model wrote in the build before of tools that are the same.

    Raises:
        StorageError: its catalog cannot be read.
    """
    if before is None:
        return Known(catalog, {}, frozenset())
    earlier = read_catalog(before.folder / "catalog.json")
    same = _same_tools(catalog, earlier)
    given: dict[str, JsonObject] = {}
    done: list[Domain] = []
    passed_over: set[str] = set()
    for domain, tools in _written_before(catalog, earlier):
        kept = {tool.name for tool in tools if tool.key in same}
        spoken = kept & domain.tools.keys()
        if len(kept) == len(tools) and spoken == domain.tools.keys():
            done.append(domain)
            passed_over |= {tool.key for tool in tools if tool.name not in domain.tools}
        elif spoken:
            given[domain.name] = _narrowed(domain, spoken, catalog)
    return Known(_spoken_of(catalog, done), given, frozenset(passed_over))


def _written_before(catalog: Catalog, earlier: Catalog) -> Iterator[tuple[Domain, Sequence[Tool]]]:
    """Yield each domain that a catalog lacks and a model has written earlier, with the tools that it is to speak of."""
    from generator.authors.llm.session import lacking_domains

    written = {domain.name: domain for domain in earlier.domains if domain.origin == "model"}
    for name, tools in lacking_domains(catalog).items():
        if name in written:
            yield written[name], tools


def _same_tools(now: Catalog, before: Catalog) -> frozenset[str]:
    there, here = states_of(before), states_of(now)
    return frozenset(key for key in here if key in there and change_of(key, there, here) == "")


def _spoken_of(catalog: Catalog, domains: list[Domain]) -> Catalog:
    from generator.authors.llm.session import with_domains

    return with_domains(catalog, domains) if domains else catalog


def _narrowed(domain: Domain, names: set[str], catalog: Catalog) -> JsonObject:
    """Return the document of a domain with what it says of some tools alone, without what was about the others."""
    from generator.authors.llm.domain_author import DomainDraft

    whole = domain.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"name"})
    whole["tools"] = {name: said for name, said in whole["tools"].items() if name in names}
    tools = tuple(tool for tool in catalog.tools if tool.name in names)
    draft = DomainDraft(whole, tools, domain.name, ahead=False)
    return draft.mended({"domain": 1, "origin": "model", **whole})[0]
