"""A report written: the folder read once, its figures told, its records packed, and the page written whole."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from generator.disk import write_whole
from generator.errors import UsageError
from generator.reports.page import sections
from generator.reports.page.changes import Changes, compare
from generator.reports.page.charts import bars, require_pygal
from generator.reports.page.reading import MOST_RECORDS, Reading, chunks_of, read_records
from generator.reports.page.rejections import reasons
from generator.reports.page.rendering import render
from generator.reports.page.source import MANIFEST, Source, open_source
from generator.runs.folder import RunFolder
from generator.runs.record_files import files_there


def write_report(source: Path, output: Path, previous: Path | None = None, *, most: int = MOST_RECORDS) -> None:
    """Write what the folder of a run or a build holds as one HTML file that needs no network.

    Args:
        source: the folder.
        output: the file, which appears whole or not at all.
        previous: the folder before it, to tell what changed; else the one that a build's manifest names.
        most: records that the page holds for reading; of more it holds a choice by a fixed seed.

    Raises:
        UsageError: a folder holds neither, the output is one of its files, or what draws charts is not installed.
        StorageError: a file cannot be read or written.
    """
    require_pygal()
    opened = open_source(source)
    _require_free(opened, output)
    before = previous if previous is not None else _named_before(opened)
    changes = compare(open_source(before), opened) if before is not None else None
    with TemporaryFile("w+", encoding="ascii") as spool:
        reading = read_records(opened, spool, most)
        write_whole(output, render(_told(opened, reading, changes, spool)))


def _require_free(source: Source, output: Path) -> None:
    """Refuse to write over what the report is made of.

    Raises:
        UsageError: the output is a folder, or a file of the run or the build.
    """
    if output.is_dir():
        raise UsageError(f"{output}: is a folder; give -o the file to write")
    folder = source.folder
    mine = (*files_there(folder.path), folder.path / MANIFEST)
    if folder.owns(output) or any(path.exists() and output.exists() and output.samefile(path) for path in mine):
        raise UsageError(f"{output}: is a file that the report is made of; give -o another file")


def _named_before(source: Source) -> Path | None:
    """Return the build before, where the manifest names one that is still there."""
    name = source.manifest.get("previous")
    if not isinstance(name, str) or Path(name).name != name or name in ("", "..") or "\0" in name:
        return None
    folder = source.folder.path.resolve().parent / name
    return folder if RunFolder(folder).summary.is_file() else None


def _told(source: Source, reading: Reading, changes: Changes | None, spool: IO[str]) -> Mapping[str, Any]:
    """Return all that the template shows."""
    summary, coverage = source.summary, source.summary.coverage
    tools, tools_left_out = sections.tools_table(source)
    rejected, rules_left_out = reasons(source)
    kept = {kind: count.kept for kind, count in summary.kinds.items() if count.asked or count.kept}
    return {
        "name": summary.name,
        "folder": source.name,
        "summary": summary,
        "facts": list(sections.facts(source, reading)),
        "settings": sections.settings(source),
        "kinds_chart": bars("Records by kind", "records", kept),
        "kinds_table": sections.kinds_table(summary),
        "passed_on": sections.passed_on(summary),
        "splits": bars("Records by split", "records", reading.splits) if reading.splits else None,
        "shares": sections.shares(coverage),
        "heat": sections.heat_map(source),
        "coverage_charts": sections.coverage_charts(coverage),
        "tools": tools,
        "tools_left_out": tools_left_out,
        "lengths_chart": sections.lengths_chart(reading.lengths),
        "lengths_table": sections.lengths_table(summary),
        "limits_table": sections.limits_table(summary),
        "levels": bars("Values by evidence level", "values", coverage.evidence_levels),
        "proof_table": sections.proof_table(coverage),
        "diversity": sections.diversity_table(reading),
        "reasons": rejected,
        "rules_left_out": rules_left_out,
        "tokens": sections.tokens_table(summary) if summary.tokens.answers else None,
        "answers": sections.answers(summary) if summary.tokens.answers else [],
        "changes": changes,
        "changes_tables": sections.changes_tables(changes) if changes is not None else [],
        "anew": sections.reasons_anew(source),
        "reading": reading,
        "book": _book(reading),
        "chunks": chunks_of(spool),
    }


def _book(reading: Reading) -> dict[str, Any]:
    """Return what the page's script is told of the records that it holds."""
    packer = reading.packer
    names = {"kinds": packer.kinds, "splits": packer.splits, "tools": packer.tools}
    return {"records": packer.records, **{what: list(each.numbers) for what, each in names.items()}}
