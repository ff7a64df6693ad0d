"""`toolgen fix`: bring data sets to the canonical form where that loses nothing, and show what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path

import click

from generator.cli.data_set_options import STDOUT, jobs_option, writable
from generator.cli.option_types import Choice
from generator.cli.terminal import columns_of, folded, pour, say, say_line, tell
from generator.compressed import write_packed
from generator.datasets.checking import account as account_of_reading
from generator.datasets.mending import MendedFormat, any_other_format, mend_all
from generator.datasets.origin import Origin, find_origin
from generator.errors import DataError, UsageError
from generator.formats.recognition import READ
from generator.jsontext import JsonValue, dump_pretty
from generator.runs.folder import RunFolder
from generator.validation.fixes.mending import FIXES, MendedLine
from generator.validation.verdict import Reader, Tally, Violation

_LONGEST = 20_000
"""Lines of a record that are compared; looking for differences takes time that grows with their square."""
_AROUND = 2


_AUTO, _AS_IT_STANDS = "auto", "canonical"
_MOST_TOLD = 20
"""Violations of one record that are told; a record may have thousands."""


@click.command(
    epilog="""\b
Examples:
  toolgen fix train.jsonl -o fixed.jsonl
  toolgen fix train.jsonl --diff
  toolgen fix a.jsonl b.jsonl.gz -o fixed.jsonl.gz --diff
  toolgen fix train.jsonl -o train.jsonl
  toolgen fix others.jsonl --unsafe -o fixed.jsonl
  toolgen fix sharegpt.jsonl --format llamafactory -o fixed.jsonl --jobs 0

\b
What is fixed: toolgen rule CODE says whether and how; toolgen fix --list names every fix.

Exit codes: 0 every record was written, 1 a record could not be fixed and was left out, or there was none,
2 usage, 5 a file could not be read or written."""
)
@click.argument("sources", nargs=-1, metavar="FILE...")
@click.option(
    "--output", "-o", metavar="FILE", help="The file to write, packed if its name ends in .gz or .zst; - for stdout."
)
@click.option("--diff", "show", is_flag=True, help="Print what changes in each record; without -o nothing is written.")
@click.option("--unsafe", is_flag=True, help="Run fixes that may lose something, too; --list says what.")
@click.option(
    "--format",
    "form",
    type=Choice([_AUTO, _AS_IT_STANDS, *READ]),
    default=_AUTO,
    show_default=True,
    metavar="NAME",
    help=f"How to read each line. {_AUTO}: by what it holds; {_AS_IT_STANDS}: as a canonical record, as it stands; "
    f"or a format: {', '.join(READ)}.",
)
@jobs_option("mend")
@click.option("--list", "listed", is_flag=True, help="List every fix, with the rules it mends and what it may lose.")
def command(
    sources: tuple[str, ...], output: str | None, show: bool, unsafe: bool, form: str, jobs: int, listed: bool
) -> None:
    """Mend records of any origin.

    They come in JSON Lines files, run folders, or from stdin (-), and become canonical as far as their meaning stays:
    arguments as objects, ids of nine characters, results linked and in order. What passes every rule then is written;
    the rest is told and left out. A record without a fault keeps its bytes, and fixing twice changes nothing more. The
    file appears whole, or not at all; where it is the input itself, it is replaced only if no record is lost.
    """
    if listed:
        say(folded(_list(), columns_of()))
        return
    if not sources:
        raise UsageError("give the FILEs to fix, or - for stdin")
    if output is None and not show:
        raise UsageError("give -o the file to write, or --diff to see what would change")
    if output == STDOUT and show:
        raise UsageError("--diff and the records cannot both go to stdout; give -o a file")
    origins = [find_origin(name) for name in sources]
    replaces = _replaced(output, origins)
    run = _Run(origins, _reader(form), show, unsafe, replaces, jobs)
    run.write(output)
    run.report(output)


def _reader(form: str) -> Reader | None:
    if form == _AS_IT_STANDS:
        return None
    return any_other_format if form == _AUTO else MendedFormat(form)


def _replaced(output: str | None, origins: list[Origin]) -> bool:
    """Say whether the output replaces the input.

    Raises:
        UsageError: it would replace one of several, or the records of a run.
    """
    if output is None or output == STDOUT:
        return False
    path = Path(output)
    own = [each for each in origins if path.exists() and any(map(path.samefile, each.files))]
    if not own:
        return False
    if len(origins) > 1:
        raise UsageError(f"{path}: is one of several files to fix; give -o another file")
    if own[0].is_run or RunFolder(path.parent).owns(path):
        raise UsageError(f"{path}: holds the records of a run, which stay as they were made; give -o another file")
    return True


@dataclass(slots=True)
class _Run:
    """One run of fixes, and its account."""

    origins: list[Origin]
    reader: Reader | None
    show: bool
    unsafe: bool
    replaces: bool
    jobs: int
    untouched: int = 0
    fixed: int = 0
    failed: int = 0
    brought: Counter[str] = field(default_factory=Counter)
    """Records that were brought from other formats, by their names."""
    fixes: Counter[str] = field(default_factory=Counter)
    tally: Tally = field(default_factory=Tally)

    def write(self, output: str | None) -> None:
        """Write what is mended."""
        if output is None:
            for _ in self._lines():
                continue
        elif output == STDOUT:
            pour(self._lines())
        else:
            path = writable(Path(output), [] if self.replaces else self.origins)
            write_packed(path, self._lines())

    def _lines(self) -> Iterator[bytes]:
        mended = mend_all(self.origins, reader=self.reader, unsafe=self.unsafe, shows=self.show, jobs=self.jobs)
        for origin, line in mended:
            self._count(origin, line)
            if line.text is not None:
                yield line.text
        if self.replaces and self.failed:
            raise DataError(f"{self._account()}; the file was left as it is, since they would be lost: give -o another")

    def _count(self, origin: Origin, line: MendedLine) -> None:
        if line.text is None:
            self.failed += 1
            _tell(f"{origin.name}:{line.number}", line.errors)
            return
        self.tally.add((), line.form, line.read)
        self.fixes.update(line.fixes)
        self.fixed += bool(line.fixes or line.form)
        self.untouched += not (line.fixes or line.form)
        if line.form:
            self.brought[line.form] += 1
        if self.show and (line.fixes or line.form):
            say(difference(f"{origin.name}:{line.number}", line.before, line.after, _told(line)))

    def _account(self) -> str:
        total = self.untouched + self.fixed + self.failed
        account = f"{total:,} records: {self.untouched:,} as they were, {self.fixed:,} fixed, {self.failed:,} not fixed"
        forms = ", ".join(f"{count:,} of {name}" for name, count in self.brought.most_common())
        return f"{account}; brought from other formats: {forms}" if forms else account

    def report(self, output: str | None) -> None:
        """Sum up.

        Raises:
            DataError: a record was left out, or there was none.
        """
        for name, count in self.fixes.most_common():
            tell(f"{count:>8} {name}: {FIXES[name].summary}", err=True)
        where = {None: "nothing was written", STDOUT: "written to stdout"}.get(output, f"written to {output}")
        account = f"{self._account()}; {where}; {account_of_reading(self.tally)}"
        if self.failed:
            raise DataError(account)
        if not self.untouched + self.fixed:
            raise DataError(f"{', '.join(origin.name for origin in self.origins)}: no records")
        say_line(account, err=True)


def _told(line: MendedLine) -> tuple[str, ...]:
    return (f"brought from {line.form}", *line.fixes) if line.form else line.fixes


def _tell(where: str, errors: tuple[Violation, ...]) -> None:
    for error in errors[:_MOST_TOLD]:
        say_line(f"{where}: {error.pointer or '/'}: {error.rule}: {error.message}", err=True)
    if len(errors) > _MOST_TOLD:
        say_line(f"{where}: ... and {len(errors) - _MOST_TOLD} more", err=True)


def _list() -> str:
    lines = []
    for title, safe in (("Safe fixes:", True), ("With --unsafe:", False)):
        lines.append(title)
        for fix in FIXES.values():
            if fix.is_safe == safe:
                lost = f" Loses {fix.loses}." if fix.loses else ""
                lines.append(f"  {fix.name} ({', '.join(fix.codes)})\n      {fix.summary}{lost}")
    return "\n".join(lines)


def difference(where: str, before: JsonValue, after: JsonValue, fixes: Sequence[str]) -> str:
    """Return a unified diff of a record in readable JSON, headed by where it stands and what was fixed."""
    head = f"--- {where}\n+++ {where} fixed: {', '.join(fixes)}"
    old, new = dump_pretty(before).splitlines(), dump_pretty(after).splitlines()
    if max(len(old), len(new)) > _LONGEST:
        return f"{head}\n(a record of {len(old):,} lines: too long to compare)"
    return "\n".join([head, *list(unified_diff(old, new, lineterm="", n=_AROUND))[2:]])
