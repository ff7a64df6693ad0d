"""A run in a process of its own, for tests that kill it: `python -m tests.run_child FOLDER PRODUCER COUNT JOBS`."""

from __future__ import annotations

import sys
from pathlib import Path

from generator.engines.engine import EngineOptions
from generator.errors import ToolgenError
from generator.job import Job
from generator.run import run_job
from tests import run_fakes
from tests.run_fakes import CATALOG


def main() -> int:
    folder, producer, count, jobs = sys.argv[1:]
    try:
        report = run_job(
            Job(count=int(count)),
            CATALOG,
            Path(folder),
            engine=EngineOptions(jobs=int(jobs)),
            make=getattr(run_fakes, producer),
        )
    except ToolgenError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return report.summary.exit_code


if __name__ == "__main__":
    sys.exit(main())
