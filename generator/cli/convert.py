"""`toolgen convert`: data sets of any origin, written in another format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import orjson

from generator.cli.data_set_options import (
    STDOUT,
    answers_option,
    chosen,
    expected_option,
    for_option,
    jobs_option,
    shaping,
    shaping_options,
    writable,
)
from generator.cli.option_types import Choice, max_length_option, tokenizer_option
from generator.cli.terminal import pour, say_line
from generator.compressed import write_packed
from generator.datasets.checking import Expected, account, unmet
from generator.datasets.conversion import Conversion, convert_all
from generator.datasets.origin import Origin, find_origins
from generator.errors import DataError, UsageError
from generator.formats.deepfabric import HF
from generator.formats.recognition import READ, WRITTEN
from generator.jsontext import encodable
from generator.lengths import LengthCounts, in_words, open_counter
from generator.validation.verdict import Tally

_AUTO = "auto"
_OF_ROWS = WRITTEN["deepfabric"]
"""The format that rows of a data set are records of."""


@click.command(
    epilog="""\b
Examples:
  toolgen convert xlam.jsonl --to openai -o train.jsonl
  toolgen convert a.jsonl.gz b.jsonl.zst --from hermes --to llamafactory --jobs 0 -o train.jsonl.gz
  curl -s URL | toolgen convert - --to qwen3-text --variant instruct | head
  toolgen convert xlam.jsonl --for my_model/tokenizer_config.json -o train.jsonl
  toolgen convert downloaded_dataset --to hf -o my_dataset

Exit codes: 0 every record was written, 1 a line was left out, or there was none, or a file that shows tools yielded
no call, 2 usage, 5 a file could not be read or written."""
)
@click.argument("sources", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--from",
    "source",
    type=Choice([_AUTO, *READ]),
    default=_AUTO,
    show_default=True,
    metavar="NAME",
    help=f"The format to read; {_AUTO}: whichever each line is in. One of {', '.join(READ)}.",
)
@click.option(
    "--to",
    "target",
    type=Choice([*WRITTEN, HF]),
    metavar="NAME",
    help=f"The format to write: {', '.join(WRITTEN)}, or {HF}, a folder of Parquet for Hugging Face `datasets`.",
)
@click.option(
    "--output",
    "-o",
    default=STDOUT,
    metavar="FILE",
    help=f"The file to write, packed if its name ends in .gz or .zst, with {HF} the folder; without it stdout.",
)
@jobs_option("convert")
@answers_option
@expected_option
@max_length_option
@tokenizer_option
@for_option
@shaping_options
def command(
    sources: tuple[str, ...],
    source: str,
    target: str | None,
    output: str,
    jobs: int,
    answers: str | None,
    expected: Expected,
    model: str | None,
    most: int | None,
    tokenizer: str | None,
    **options: Any,
) -> None:
    """Write records of any origin in another format.

    They come in JSON Lines files, run folders, or from stdin (-). Arrays of JSON, Parquet, Arrow and the folders of
    data sets are read as well, and archives (gz, zst) unpacked; files of any size take the same memory.
    A line that is no record is told with its number, and the rest goes on. Records are not judged: see
    `toolgen validate`.
    """
    choice = chosen(model, target, options, "--to")
    target, options = choice.target, choice.options
    conversion = Conversion(
        "" if source == _AUTO else source, shaping(WRITTEN.get(target, _OF_ROWS), options), tokenizer or "", most
    )
    counter = open_counter(tokenizer)
    origins = [origin for name in sources for origin in find_origins(name, answers)]
    run = _Run(origins, conversion, jobs, expected, target, LengthCounts(counter.estimates))
    if target == HF:
        run.write_folder(output)
    elif output == STDOUT:
        pour(run.chunks())
    else:
        path = writable(Path(output), origins)
        write_packed(path, run.chunks())
    run.report("stdout" if output == STDOUT else output)
    choice.explain()


@dataclass(slots=True)
class _Run:
    """One conversion, and its account of what was written and left out."""

    origins: list[Origin]
    conversion: Conversion
    jobs: int
    expected: Expected
    target: str
    lengths: LengthCounts
    written: int = 0
    left_out: int = 0
    too_long: int = 0
    tally: Tally = field(default_factory=Tally)
    by_origin: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))

    def chunks(self) -> Iterator[bytes]:
        """Yield what is to be written; tell of the lines that are left out as they come."""
        for origin, converted in convert_all(self.origins, self.conversion, self.jobs):
            for bad in converted.bad:
                where = f"{origin.name}:{bad.line}: {bad.pointer or '/'}"
                say_line(f"{where}: {bad.message}", err=True)
            self.written += converted.written
            self.left_out += len(converted.bad)
            self.too_long += converted.too_long
            self.lengths.counts.update(converted.lengths)
            self.tally.merge(converted.tally)
            self.by_origin[origin.name].merge(converted.tally)
            yield converted.lines

    def write_folder(self, output: str) -> None:
        """Write the records as a data set of one split.

        Raises:
            UsageError: no folder is named, or what writes Parquet is not installed.
        """
        from generator.datasets.folder import write_dataset

        if encodable(output) != output:
            raise UsageError(
                f"{output}: the name of the folder is no UTF-8, as Parquet's writer needs it; give another"
            )
        lines = (line for chunk in self.chunks() for line in chunk.splitlines())
        write_dataset(Path(output), (("train", orjson.loads(line)) for line in lines), ["train"])

    def report(self, where: str) -> None:
        """Sum up.

        Raises:
            DataError: a line was left out, or there was none, or a file did not yield the calls expected of it.
        """
        read = ", ".join(f"{count:,} {form}" for form, count in self.tally.formats.most_common())
        done = f"{self.written:,} records written to {where} as {self.target}"
        done += f", read as {read}; {account(self.tally)}" if read else ""
        if self.too_long:
            done += f"; {self.too_long:,} of more than {self.conversion.most:,} tokens were left out"
        if self.left_out:
            raise DataError(f"{done}; {self.left_out:,} lines were left out")
        if not self.written:
            names = ", ".join(origin.name for origin in self.origins)
            raise DataError(done if self.too_long else f"{names}: no records")
        found = [unmet(name, tally, self.expected) for name, tally in self.by_origin.items()]
        if any(found):
            raise DataError("; ".join([done, *filter(None, found)]))
        say_line(done, err=True)
        say_line(f"lengths: {in_words(self.lengths.spread())}", err=True)
