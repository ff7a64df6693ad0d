"""`toolgen export`: write the records of a run in another format, each read back and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli.data_set_options import STDOUT, shaping, shaping_options, writable
from generator.cli.for_model import FormChoice, chosen, for_option
from generator.cli.option_types import Choice
from generator.cli.terminal import pour, say_line
from generator.datasets.compressed import packed
from generator.datasets.export import Export
from generator.datasets.llama_factory import add_dataset_info, dataset_name, has_dataset_info, read_dataset_info
from generator.datasets.origin import Origin, find_origin
from generator.disk import write_whole
from generator.errors import DataError, UsageError
from generator.formats import FORMATS
from generator.formats.deepfabric import HF
from generator.formats.recognition import WRITTEN
from generator.jsontext import encodable


@click.command(
    epilog="""\b
Examples:
  toolgen export runs/mine --format trl -o train.jsonl
  toolgen export runs/mine --for Qwen/Qwen3-8B -o train.jsonl
  toolgen export runs/mine --for my_model/chat_template.jinja -o train.jsonl
  toolgen export runs/mine --format qwen3 --no-metadata -o - | gzip > train.jsonl.gz
  toolgen export runs/mine --format qwen3-text --variant instruct -o train.jsonl.gz
  toolgen export runs/mine --format hf --splits train=0.9,test=0.1 -o dataset

\b
Exit codes: 0 every record was written, 1 a record failed and was left out, or there was none, 2 usage,
5 a file could not be read or written."""
)
@click.argument("source", metavar="RUN|FILE")
@click.option(
    "--format",
    "target",
    type=Choice([*WRITTEN, HF]),
    metavar="NAME",
    help=f"The format to write: {', '.join(WRITTEN)}, or {HF}, a folder for Hugging Face `datasets`.",
)
@click.option("--output", "-o", required=True, metavar="FILE", help="The file (hf: the folder) to write; - for stdout.")
@click.option(
    "--splits",
    metavar="NAME=SHARE,...",
    help=f"With {HF}: how the records are shared out, each kind alike, e.g. train=0.9,test=0.1.",
)
@for_option
@shaping_options
def command(
    source: str, target: str | None, output: str, splits: str | None, model: str | None, **options: Any
) -> None:
    """Write the records of a run in another format, checked again.

    Each record is read back and checked by every rule before it counts; one that fails is left out and told. The
    file appears whole, or not at all. Beside those for LLaMA-Factory its dataset_info.json is written, or added to.
    """
    origin = find_origin(source)
    choice = chosen(model, target, options, "--format")
    target, options = choice.target, choice.options
    if target == HF:
        _export_folder(origin, output, splits, choice)
        return
    if splits is not None:
        raise UsageError(f"--splits is for --format {HF}")
    export = Export(shaping(WRITTEN[target], options), origin.catalog, origin.is_run, choice.passage())
    _write(export, origin, output, target)
    _report(export, origin, output, target)
    _explain(choice, export)
    if output != STDOUT and has_dataset_info(target):
        path = Path(output)
        info = add_dataset_info(path, target)
        say_line(
            f"{info} tells LLaMA-Factory of it: --dataset_dir {path.parent} --dataset {dataset_name(path)}", err=True
        )


def _export_folder(origin: Origin, output: str, splits: str | None, choice: FormChoice) -> None:
    from generator.datasets.folder import write_dataset
    from generator.datasets.splits import read_splits

    if encodable(output) != output:
        raise UsageError(f"{output}: the name of the folder is no UTF-8, as Parquet's writer needs it; give another")
    shape = shaping(FORMATS[HF], choice.options)
    export = Export(shape, origin.catalog, origin.is_run, choice.passage())
    with origin.open() as stream:
        write_dataset(Path(output), export.records(stream, shape), read_splits(splits))
    _report(export, origin, output, HF)
    _explain(choice, export)


def _explain(choice: FormChoice, export: Export) -> None:
    choice.explain(export.passage.shortened if export.passage else 0)


def _write(export: Export, origin: Origin, output: str, target: str) -> None:
    with origin.open() as stream:
        if output == STDOUT:
            pour(export.lines(stream))
        else:
            path = writable(Path(output), [origin])
            if has_dataset_info(target):
                read_dataset_info(path.parent)  # before an hour of work, not after it
            write_whole(path, packed(export.lines(stream), path.name))


def _report(export: Export, origin: Origin, output: str, target: str) -> None:
    for failure in export.failures:
        for violation in failure.violations:
            where = f"{origin.name}:{failure.line}: {violation.pointer or '/'}"
            say_line(f"{where}: {violation.rule}: {violation.message}", err=True)
    where = "stdout" if output == STDOUT else output
    done = f"{export.written:,} records written to {where} as {target}"
    if export.failed:
        raise DataError(f"{done}; {export.failed:,} failed and were left out")
    if not export.written:
        raise DataError(f"{origin.name}: holds no records")
    say_line(done, err=True)
