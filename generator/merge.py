"""Merging: runs of ranges of one job become the run of the whole, to the byte what it is when it is made at once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from generator.engines.engine import EngineOptions, MakeProducer
from generator.errors import DataError, JobError
from generator.record import Producer
from generator.run import RunReport, run_job
from generator.runs.parts import Joined, Parts, join
from generator.runs.progress import OnProgress
from generator.runs.ranges import range_text

_SHOWN = 20


def merge(
    paths: Iterable[Path],
    out: Path,
    *,
    fill: bool = False,
    engine: EngineOptions = EngineOptions(),  # noqa: B008 - frozen, so one for all calls is safe
    make: MakeProducer = Producer,
    on_progress: OnProgress = lambda progress: None,
) -> RunReport:
    """Put the parts of a job together in a folder, from wherever an earlier session left it.

    Args:
        paths: the folders of the parts, in any order.
        out: the folder of the whole run.
        fill: whether to make what no part has, rather than to refuse.
        engine: how what is to be made is made: what lacks, and records whose request another part has already.
        make: makes the producer.
        on_progress: called with each record.

    Raises:
        DataError: the parts leave something out; the message has the commands that make it.
        JobError: parts are of different jobs, or hold different records of one index; or a folder is none of a run.
        StorageError: a part is damaged or not finished, or the disk refused.
        RunLockedError: another process works on a part, or on the run.
        EngineError: a worker process was lost; what was committed is kept.
    """
    folders = list(paths)
    if out.resolve() in {path.resolve() for path in folders}:
        raise JobError(f"{out}: is one of the parts; give -o another folder")
    joined = join(folders)
    if joined.holes and not fill:
        raise DataError(_lacking(joined))
    with Parts(joined.parts, joined.job.count) as parts:
        return run_job(joined.job, joined.catalog, out, engine=engine, make=make, parts=parts, on_progress=on_progress)


def _lacking(joined: Joined) -> str:
    """Say what the parts leave out, and which commands make it."""
    holes = joined.holes
    count = sum(map(len, holes))
    lines = [f"{count:,} of {joined.job.count:,} records are in no part; make them, or give --fill:"]
    lines += [f"  {range_text(hole)}: {joined.command_for(hole)}" for hole in holes[:_SHOWN]]
    if more := len(holes) - _SHOWN:
        lines += [f"  and {more:,} more ranges"] if more > 0 else []
    return "\n".join(lines)
