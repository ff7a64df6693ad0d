"""`toolgen domain TOOLS --model M -o FILE`: a model writes what a domain file lacks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.cli.model_options import JOB_KEYS, complete
from generator.cli.terminal import say
from generator.errors import DataError, UsageError
from generator.jsontext import dump_compact
from generator.tools.tool import Tool

if TYPE_CHECKING:
    from generator.live import Live

_TOKENS = 16_384
"""What one part may take: worlds are long."""


def write(tools: list[Tool], output: Path | None, options: dict[str, Any], *, dry_run: bool) -> None:
    """Have a model write a domain file, or tell what that would take.

    Raises:
        UsageError: no output is named, or a model, key or prompt is missing.
        DataError: some tool has no domain in the end.
        BackendError, LimitError: the server refuses, or a limit is reached; what was written stays.
    """
    from generator.runs.job_file import read_job

    if output is None:
        raise UsageError("give the file to write: -o NAME.domain.yaml, beside NAME.json")
    if options["answers"] is not None:
        raise UsageError("--answers is for runs: what a model answered for a domain file is kept beside it")
    asked = {key: options[key] for key in JOB_KEYS if options[key] is not None}
    wanted = read_job({"name": "domain", "author": "llm", "max_output_tokens": _TOKENS, **asked})
    job, live = complete(wanted.job, options)
    if live is None:
        raise UsageError("a model writes domain files: give --model")
    from generator.domain_files import answers_beside, write_domain

    if dry_run:
        _tell_cost(tools, output, live)
        return
    written = write_domain(tools, output, job, live, lambda part: say(f"asking for {part}", err=True))
    for note in written.draft.notes:
        say(f"note: {note}")
    known = written.draft.raw.get("tools", {})
    say(f"written     {output}: {len(known)} of {len(tools)} tools, {written.asked} questions")
    say(f"answers     {answers_beside(output)}")
    if lacking := [tool.name for tool in tools if not known.get(tool.name, {}).get("ways")]:
        raise DataError(
            f"no domain for {', '.join(lacking)}: write what lacks by hand, or move {answers_beside(output)} away "
            "and run the same command again, so that the model is asked anew"
        )


def _tell_cost(tools: list[Tool], output: Path, live: Live) -> None:
    """Print how many questions the file would take, and of what size, without asking any."""
    from generator.domain_files import existing_domain
    from generator.preview import domain_cost

    say(dump_compact(domain_cost(tools, existing_domain(output, tools), live)))
