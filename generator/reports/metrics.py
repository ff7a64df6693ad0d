"""Metrics of a run in the text format of Prometheus, for the textfile collector of node_exporter and its like.

Each file has one label of its own, `data_set`, so that the files of several data sets can lie in one folder. What has
to outlive a run, the last success and how often it ended how, is read back from the file that was there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, TypeAlias

from generator.disk import disk_errors, write_whole
from generator.errors import EXIT_CODES
from generator.version import VERSION

if TYPE_CHECKING:  # a command line that is refused at once has no summary
    from generator.runs.summary import Summary

_LONGEST = 1 << 20
"""Bytes of the file that was there that are read."""
_MOST_RULES = 40
"""Rules that have a line of their own; the others are summed up."""
_OTHER = "other"
_LINE = re.compile(r"^(\w+)\{([^\n]*)\} (\S+)$", re.MULTILINE)
_CODE = re.compile(r'exit_code="(\d{1,3})"')
_LAST_SUCCESS, _RUNS = "toolgen_run_last_success_timestamp_seconds", "toolgen_runs_total"


Labels: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, and what there is to tell of its run."""

    exit_code: int
    seconds: float
    """How long the command took."""
    summary: Summary | None = None
    """What became of its run, None where it did not come so far."""
    kept: int = 0
    """Records that were taken over from an earlier build."""
    build: str = ""
    """The digest of the build that was published, "" for none."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: its name, kind, meaning, and values by their labels."""

    name: str
    kind: str
    meaning: str
    values: Mapping[Labels, float]

    def lines(self, label: tuple[str, str]) -> Iterator[str]:
        """Yield its lines, with one label more than each value has."""
        yield f"# HELP {self.name} {self.meaning}"
        yield f"# TYPE {self.name} {self.kind}"
        for labels, value in self.values.items():
            told = ",".join(f'{name}="{_escaped(text)}"' for name, text in (label, *labels))
            yield f"{self.name}{{{told}}} {value!r}"


def write_metrics(path: Path, ended: Ended, now: float | None = None) -> None:
    """Write the metrics of a run that ended, whole under a temporary name, then renamed.

    Args:
        path: the file; its name without the last suffix is the label `data_set`.
        ended: how it ended.
        now: when, in seconds since 1970; None for this moment.

    Raises:
        StorageError: the disk refused; the file that was there is as it was.
    """
    label = ("data_set", path.stem)
    metrics = _metrics(ended, _Before(path), time() if now is None else now)
    text = "".join(f"{line}\n" for metric in metrics for line in metric.lines(label))
    write_whole(path, [text.encode("utf-8", "backslashreplace")])


class _Before:
    """What the file that was there says; nothing where there was none, or it holds something else."""

    def __init__(self, path: Path) -> None:
        found = _LINE.findall(_text(path))
        successes = [_number(value) for name, _, value in found if name == _LAST_SUCCESS]
        self.last_success = max(successes, default=0.0)
        self.runs: dict[int, float] = {}
        for name, labels, value in found:
            code = _CODE.search(labels)
            if name == _RUNS and code and int(code[1]) in EXIT_CODES:
                self.runs[int(code[1])] = _number(value)


def _text(path: Path) -> str:
    if not path.is_file():
        return ""
    with disk_errors(path), path.open("rb") as file:
        return file.read(_LONGEST).decode("utf-8", "replace")


def _number(text: str) -> float:
    """Read a number that counts; what is none counts nothing."""
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if isfinite(number) and number > 0 else 0.0


def _metrics(ended: Ended, before: _Before, now: float) -> Iterator[Metric]:
    runs = before.runs | {ended.exit_code: before.runs.get(ended.exit_code, 0.0) + 1}
    last = now if ended.exit_code == 0 else before.last_success
    yield _gauge("toolgen_run_exit_code", "Exit code of the last run.", ended.exit_code)
    yield _gauge("toolgen_run_timestamp_seconds", "When the last run ended, in seconds since 1970.", now)
    if last:
        yield _gauge(_LAST_SUCCESS, "When a run last ended with exit code 0, in seconds since 1970.", last)
    yield _gauge("toolgen_run_duration_seconds", "How long the last run took.", ended.seconds)
    by_code: dict[Labels, float] = {(("exit_code", str(code)),): count for code, count in sorted(runs.items())}
    yield Metric(_RUNS, "counter", "Runs by their exit code.", by_code)
    if ended.summary is not None:
        yield from _of_summary(ended.summary, ended)


def _of_summary(summary: Summary, ended: Ended) -> Iterator[Metric]:
    from generator.runs.settling import DUPLICATE

    made = summary.records - ended.kept
    yield _gauge("toolgen_records_asked", "Records that the job asks for.", summary.asked)
    yield _gauge("toolgen_records_made", "Records that were made, and passed every rule.", made)
    yield _gauge("toolgen_records_kept", "Records that were taken over from an earlier build.", ended.kept)
    yield _gauge("toolgen_attempts_rejected", "Attempts that yielded no record.", summary.rejected)
    duplicates = summary.rules[DUPLICATE].rejected if DUPLICATE in summary.rules else 0
    yield _gauge("toolgen_attempts_duplicate", "Attempts rejected since a record has their request.", duplicates)
    yield Metric("toolgen_attempts_rejected_by_rule", "gauge", "Rejected attempts by rule.", _by_rule(summary))
    yield _gauge("toolgen_run_cpu_seconds", "CPU time that its records took.", summary.cpu_seconds)
    yield from _of_tokens(summary)
    info = {"job": summary.name, "status": summary.status, "identity": summary.identity, "build": ended.build}
    labels = tuple({**info, "version": VERSION}.items())
    yield Metric("toolgen_build_info", "gauge", "What was made last: its job, digests and version.", {labels: 1})


def _of_tokens(summary: Summary) -> Iterator[Metric]:
    tokens = summary.tokens
    by_kind: dict[Labels, float] = {
        (("kind", "prompt"),): float(tokens.prompt),
        (("kind", "completion"),): float(tokens.completion),
    }
    yield Metric("toolgen_tokens", "gauge", "Tokens that the records took.", by_kind)
    yield _gauge("toolgen_tokens_wasted", "Those of answers that became no part of a record.", tokens.wasted)
    if tokens.cost is not None:
        yield _gauge("toolgen_cost", "What the tokens cost, in the currency of the prices given.", tokens.cost)


def _by_rule(summary: Summary) -> dict[Labels, float]:
    """Return the rejected attempts by rule: the rules met most, all of them known, and the others in one."""
    from generator.reports.codes import meanings
    from generator.validation.rule_reference import every_rule

    known = meanings().keys() | every_rule().keys()
    counts: dict[str, float] = {}
    for rule, count in sorted(summary.rules.items(), key=lambda pair: -pair[1].rejected):
        name = rule if rule in known and len(counts) < _MOST_RULES else _OTHER
        counts[name] = counts.get(name, 0.0) + count.rejected
    return {(("rule", name),): count for name, count in counts.items()}


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return Metric(name, "gauge", meaning, {(): float(value)})


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
