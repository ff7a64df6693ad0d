"""`toolgen export`: write the records of a run in another format, in splits, each read back and checked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from generator.cli.data_set_options import (
    STDOUT,
    chosen,
    for_option,
    shaping,
    shaping_options,
    writable,
)
from generator.cli.option_types import Choice, max_length_option, tokenizer_option
from generator.cli.terminal import pour, say_line
from generator.compressed import write_packed
from generator.datasets.decontamination import Benchmarks
from generator.datasets.export import Export
from generator.datasets.origin import Origin, find_origin
from generator.datasets.splits import HELD_OUT, LEAST_NEAR, NEAR, Splits, read_splits
from generator.datasets.trainers import TRAINERS, Trainer, next_command, require_sidecar, trainer_of, write_sidecar
from generator.domains.catalog import Catalog
from generator.errors import DataError, UsageError
from generator.formats import FORMATS
from generator.formats.deepfabric import HF
from generator.formats.recognition import WRITTEN
from generator.jsontext import encodable
from generator.lengths import in_words, open_counter
from generator.suggestions import did_you_mean

_Command = TypeVar("_Command", bound=Callable[..., Any])
_OPTIONS = (
    click.option(
        "--splits",
        metavar="NAME=SHARE,...",
        help=f"With {HF}: the share of each split, e.g. train=0.9,test=0.1. The digest of its request decides where a "
        "record goes; near duplicates stay together.",
    ),
    click.option(
        "--hold-out",
        "hold_out",
        multiple=True,
        metavar="TOOL",
        help=f"With {HF}: records that show or call this tool go to the split {HELD_OUT}, into no other. Repeatable.",
    ),
    click.option(
        "--near",
        type=click.FloatRange(LEAST_NEAR, 1),
        metavar="P",
        help=f"How alike requests are that may not be in two splits, {LEAST_NEAR} to 1: the share of three words in a "
        f"row that both have.  [default: {NEAR}]",
    ),
    click.option(
        "--split-index",
        metavar="FILE",
        help="Keep in this file where each request went, so that it goes there again in the next export.",
    ),
)


def split_options(command: _Command) -> _Command:
    """Give a command the options of splits."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class SplitsAsked:
    """What the options say of splits."""

    shares: dict[str, float]
    hold_out: Collection[str]
    near: float
    index: Path | None

    @property
    def are_several(self) -> bool:
        """Whether records can go to different splits, or are to be remembered."""
        return len(self.shares) > 1 or bool(self.hold_out) or self.index is not None

    @property
    def names(self) -> Sequence[str]:
        """The splits in their order."""
        return [*self.shares, HELD_OUT] if self.hold_out else list(self.shares)

    def open(self) -> Splits:
        """Return the splits, to be used in a block of `with`."""
        return Splits(self.shares, self.hold_out, self.near, self.index)


def splits_asked(options: dict[str, Any], target: str, catalog: Catalog | None) -> SplitsAsked:
    """Take the options of splits out of those of a command.

    Raises:
        UsageError: the format has no splits, the shares are none, or the catalog has no such tool to hold out.
    """
    given = {name: options.pop(name) for name in ("splits", "hold_out", "near", "split_index")}
    for name, value in given.items():
        if value and target != HF:
            raise UsageError(f"--{name.replace('_', '-')} is for --format {HF}")
    if catalog is not None:
        _require_held_out(given["hold_out"], [tool.name for tool in catalog.tools])
    index = Path(given["split_index"]) if given["split_index"] else None
    return SplitsAsked(read_splits(given["splits"]), given["hold_out"], given["near"] or NEAR, index)


def _require_held_out(held_out: Sequence[str], known: list[str]) -> None:
    for tool in held_out:
        if known and tool not in known:
            raise UsageError(
                f"--hold-out {tool}: the run has no such tool; {did_you_mean(tool, known) or 'see `toolgen tools`'}"
            )


@click.command(
    epilog="""\b
Examples:
  toolgen export runs/mine --format trl -o train.jsonl
  toolgen export runs/mine --trainer axolotl -o train.jsonl
  toolgen export runs/mine --for Qwen/Qwen3-8B -o train.jsonl
  toolgen export runs/mine --for my_model/chat_template.jinja -o train.jsonl
  toolgen export runs/mine --format qwen3 --no-metadata -o - | gzip > train.jsonl.gz
  toolgen export runs/mine --format qwen3-text --variant instruct -o train.jsonl.gz
  toolgen export runs/mine --format hf --splits train=0.9,test=0.1 -o dataset

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
@split_options
@click.option(
    "--decontaminate",
    "benchmarks",
    multiple=True,
    metavar="FILE",
    help="Leave out records that ask a question of this benchmark. Repeatable.",
)
@click.option(
    "--trainer",
    type=Choice(list(TRAINERS)),
    metavar="NAME",
    help=f"The trainer, in place of a format: {', '.join(TRAINERS)}.",
)
@max_length_option
@tokenizer_option
@for_option
@shaping_options
def command(
    source: str,
    target: str | None,
    output: str,
    benchmarks: tuple[str, ...],
    trainer: str | None,
    model: str | None,
    most: int | None,
    tokenizer: str | None,
    **options: Any,
) -> None:
    """Write the records of a run in another format, checked again.

    Each record is read back and checked by every rule before it counts; one that fails is left out and told. The
    file appears whole, or not at all, and beside it the one that its trainer needs: dataset_info.json for
    LLaMA-Factory, a section of the configuration for Axolotl and mistral-finetune, a reader for verl.
    """
    origin = find_origin(source)
    if trainer is not None:
        target, options = _for_trainer(TRAINERS[trainer], target, model, options)
    choice = chosen(model, target, options, "--format")
    target, options = choice.target, choice.options
    reads = None if output == STDOUT else _reader(trainer, target)
    if reads is not None:
        require_sidecar(reads, Path(output))
    asked = splits_asked(options, target, origin.catalog)
    by_turn = trainer is not None and TRAINERS[trainer].by_turn
    shape = shaping(FORMATS[target], options)
    questions = Benchmarks.read([Path(name) for name in benchmarks]) if benchmarks else None
    counter = open_counter(tokenizer)
    export = Export(shape, origin.catalog, origin.is_run, choice.passage(), counter, most, by_turn, questions)
    told = _export_folder(export, origin, output, asked) if target == HF else _export_file(export, origin, output)
    sidecar = _written_beside(reads, export, output)
    _report(export, origin, output, target, told)
    choice.explain(export.passage.shortened if export.passage else 0)
    if reads is not None:
        _lead_on(reads, Path(output), sidecar, model)


def _reader(trainer: str | None, target: str) -> Trainer | None:
    """Return the trainer that reads what is written: the one that is named, else the first that can."""
    return TRAINERS[trainer] if trainer is not None else trainer_of(target)


def _written_beside(reads: Trainer | None, export: Export, output: str) -> Path | None:
    """Write what a trainer needs beside the data, where there are any; return where."""
    return write_sidecar(reads, Path(output)) if reads is not None and export.written else None


def _lead_on(trainer: Trainer, output: Path, sidecar: Path | None, model: str | None) -> None:
    """Tell of what was written beside the data, and of the command that trains."""
    if sidecar is not None:
        say_line(f"{sidecar} tells the trainer how to read it", err=True)
    named = model if model and not model.endswith((".jinja", ".json")) else "MODEL"
    say_line(f"next: {next_command(trainer, output, named)}", err=True)


def _for_trainer(
    trainer: Trainer, target: str | None, model: str | None, options: dict[str, Any]
) -> tuple[str, dict[str, Any]]:
    """Return the format and the options of a trainer, which leaves none of these to the user.

    Raises:
        UsageError: another format, a model or a variant is asked for as well.
    """
    given = {"--format": target, "--for": model, "--variant": options["variant"]}
    for option, value in given.items():
        if value:
            raise UsageError(f"--trainer chooses the form: leave {option} {value} out, or --trainer")
    return trainer.form, {**options, **trainer.options}


def _export_file(export: Export, origin: Origin, output: str) -> Sequence[str]:
    """Write the file; there is nothing to tell of it beside what the export knows."""
    with origin.open() as stream:
        if output == STDOUT:
            pour(export.lines(stream))
        else:
            path = writable(Path(output), [origin])
            write_packed(path, export.lines(stream))
    return ()


def _export_folder(export: Export, origin: Origin, output: str, asked: SplitsAsked) -> Sequence[str]:
    """Write the folder; return what there is to tell of its splits."""
    from generator.datasets.folder import write_dataset

    if encodable(output) != output:
        raise UsageError(f"{output}: the name of the folder is no UTF-8, as Parquet's writer needs it; give another")
    folder, notes = Path(output), _on_benchmarks(export)
    with origin.open() as stream:
        if not asked.are_several:
            [only] = asked.names
            records = ((only, each) for each in export.records(stream, export.shaping))
            write_dataset(folder, records, asked.names, notes)
            return ()
        with asked.open() as splits:
            placed = export.placed(stream, export.shaping, splits)
            write_dataset(folder, placed, asked.names, [splits.rule, *notes])
        return splits.account()


def _on_benchmarks(export: Export) -> list[str]:
    """Say for the card which questions no record asks."""
    if export.benchmarks is None:
        return []
    names = ", ".join(dict.fromkeys(Path(file).name for file in export.benchmarks.files))
    return [f"Left out: records that ask one of the {len(export.benchmarks):,} questions of {names}."]


def _report(export: Export, origin: Origin, output: str, target: str, told: Sequence[str]) -> None:
    _tell_left_out(export, origin)
    where = "stdout" if output == STDOUT else output
    done = f"{export.written:,} records written to {where} as {target}"
    if export.too_long:
        done += f"; {export.too_long:,} of more than {export.most:,} tokens were left out"
    if export.overlapping:
        done += f"; {export.overlapping:,} that ask a question of a benchmark were left out"
    for line in told:
        say_line(line, err=True)
    if export.failed:
        raise DataError(f"{done}; {export.failed:,} failed and were left out")
    if not export.written:
        nothing = done.replace(f"0 records written to {where}", f"no record is left to be written to {where}")
        raise DataError(nothing if export.too_long or export.overlapping else f"{origin.name}: holds no records")
    say_line(done, err=True)
    say_line(f"lengths: {in_words(export.lengths.spread())}", err=True)


def _tell_left_out(export: Export, origin: Origin) -> None:
    for failure in export.failures:
        for violation in failure.violations:
            where = f"{origin.name}:{failure.line}: {violation.pointer or '/'}"
            say_line(f"{where}: {violation.rule}: {violation.message}", err=True)
    for overlap in export.overlaps:
        say_line(f"{origin.name}:{overlap.line}: asks what {overlap.question} asks, and is left out", err=True)
