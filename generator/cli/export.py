"""`toolgen export`: write the records of a run in another format, each read back and checked."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from generator.cli.choices import Choice
from generator.cli.terminal import printable
from generator.errors import DataError, StorageError, UsageError
from generator.formats import FORMATS
from generator.runs.disk import write_whole
from generator.runs.export import Export
from generator.runs.folder import RunFolder
from generator.runs.origin import STDIN, Origin, find_origin

_RECORD_FORMATS = {name: known for name, known in FORMATS.items() if known.dump_record and known.load_record}


@click.command(
    epilog="""\b
Examples:
  toolgen export runs/mine --format openai -o train.jsonl
  toolgen export runs/mine --format qwen3 --no-metadata -o - | gzip > train.jsonl.gz
  toolgen export old.jsonl --format deepfabric -o new.jsonl

\b
Exit codes: 0 every record was written, 1 a record failed and was left out, or there was none, 2 usage,
5 a file could not be read or written."""
)
@click.argument("source", metavar="RUN|FILE")
@click.option("--format", "target", type=Choice(list(_RECORD_FORMATS)), required=True, help="The format to write.")
@click.option("--output", "-o", required=True, metavar="FILE", help="The file to write; - for stdout.")
@click.option("--no-metadata", is_flag=True, help="Write messages and tools alone.")
def command(source: str, target: str, output: str, no_metadata: bool) -> None:
    """Write the records of a run in another format, checked again.

    Each line is read back and checked by every rule before it counts; a record that fails is left out and told.
    The file appears whole, or not at all.
    """
    origin = find_origin(source)
    export = Export(
        target=_RECORD_FORMATS[target],
        readers=tuple(_RECORD_FORMATS.values()),
        catalog=origin.catalog,
        is_run=origin.is_run,
        metadata=not no_metadata,
    )
    _write(export, origin, output)
    _report(export, origin, output)


def _write(export: Export, origin: Origin, output: str) -> None:
    with origin.open() as stream:
        if output == STDIN:
            for line in export.lines(stream):
                sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        else:
            write_whole(_writable(Path(output), origin), export.lines(stream))


def _writable(path: Path, origin: Origin) -> Path:
    if path.is_dir():
        raise UsageError(f"{path}: is a folder; give -o the file to write")
    if not path.parent.is_dir():
        raise StorageError(f"{path.parent}: there is no such folder; make it, or give -o another file")
    if RunFolder(path.parent).owns(path):
        raise UsageError(f"{path}: is a file of the run in that folder; give -o another file")
    if origin.path is not None and path.exists() and path.samefile(origin.path):
        raise UsageError(f"{path}: is the file the records come from; give -o another file")
    return path


def _report(export: Export, origin: Origin, output: str) -> None:
    for failure in export.failures:
        for violation in failure.violations:
            where = f"{origin.name}:{failure.line}: {violation.pointer or '/'}"
            click.echo(printable(f"{where}: {violation.rule}: {violation.message}"), err=True)
    where = "stdout" if output == STDIN else output
    done = f"{export.written:,} records written to {where} as {export.target.name}"
    if export.failed:
        raise DataError(f"{done}; {export.failed:,} failed and were left out")
    if not export.written:
        raise DataError(f"{origin.name}: holds no records")
    click.echo(done, err=True)
