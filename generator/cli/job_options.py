"""The job that the options of a command name, and the catalog of the tools it is over."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.assets import asset_folder
from generator.cli.terminal import tell
from generator.errors import JobError

if TYPE_CHECKING:  # imported where they are used, so that --help costs none of them
    from generator.domains.catalog import Catalog
    from generator.formats.loading.tool_files import LoadedCatalog
    from generator.runs.identity import Resolved
    from generator.runs.job_file import RequestedJob


def given_options(options: dict[str, Any]) -> dict[str, Any]:
    """Keep the options that were given, named as the fields of a Job."""
    given = {name: value for name, value in options.items() if value is not None and value is not False and value != ()}
    if given.pop("no_metadata", False):
        given["metadata"] = False
    if given.pop("no_grounding", False):
        given["grounding"] = False
    if given.pop("no_domains", False):
        given["write_domains"] = False
    return given


def load_requested_tools(requested: RequestedJob, *, quiet: bool) -> Catalog:
    """Load the tools of the job: its sources, the catalog of the run it repeats, or the bundled ones."""
    if requested.catalog is not None:
        return _repeated(requested.catalog, requested.resolved, quiet=quiet)
    from generator.formats.loading.tool_files import load_catalog

    if not requested.sources:
        note("no tool files given: the bundled ones are used", quiet=quiet)
    loaded = load_catalog(
        requested.sources or [asset_folder("tool_specs")],
        skip_invalid=requested.job.skip_invalid,
        on_conflict=requested.job.on_conflict,
        domains=requested.domains,
    )
    tell_of(loaded, quiet=quiet)
    return loaded.catalog


def load_tools_of(sources: Sequence[str], *, skip_invalid: bool) -> Catalog:
    """Load the tools of these sources, or the bundled ones, and say what was skipped, warned of and merged."""
    from generator.formats.loading.tool_files import load_catalog

    loaded = load_catalog(sources or [asset_folder("tool_specs")], skip_invalid=skip_invalid)
    tell_of(loaded, quiet=False)
    return loaded.catalog


def tell_of(loaded: LoadedCatalog, *, quiet: bool) -> None:
    """Say what was skipped, warned of and merged."""
    from generator.reports.problems import in_few_words

    for what, problems in (("skipped", loaded.skipped), ("warning", loaded.warnings)):
        for told in in_few_words(problems, everything="`toolgen tools --verbose` tells all"):
            note(f"{what}: {told}", quiet=quiet)
    if loaded.merged:
        more = f"; and {len(loaded.merged) - 1:,} more" if len(loaded.merged) > 1 else ""
        note(f"merged: {loaded.merged[0]}{more}", quiet=quiet)


def _repeated(path: Path, resolved: Resolved | None, *, quiet: bool) -> Catalog:
    """Read the catalog of the run that is repeated, and say where the repetition may differ."""
    from generator.runs.folder import read_catalog
    from generator.runs.identity import versions

    catalog = read_catalog(path)
    if resolved is not None and resolved.catalog != catalog.digest:
        raise JobError(f"{path}: not the catalog that job.json was resolved with; give the tool files as TOOLS")
    if resolved is not None and resolved.versions != (here := versions()):
        changed = [f"{name} {resolved.versions.get(name)}, here {here[name]}" for name in here]
        note(f"made with other versions ({'; '.join(changed)}): records may differ", quiet=quiet)
    return catalog


def note(message: str, *, quiet: bool) -> None:
    """Say on stderr what the user may want to know, unless nothing is to be said."""
    if not quiet:
        tell(message, err=True)
