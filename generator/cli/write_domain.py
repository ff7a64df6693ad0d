"""`toolgen domain TOOLS --model M -o FILE`: a model writes what a domain file lacks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from generator.cli.model_options import complete
from generator.cli.terminal import say
from generator.errors import DataError, UsageError
from generator.job import Job
from generator.jsontext import dump_compact
from generator.tools.tool import Tool

_TOKENS = 16_384
"""What one part may take: worlds are long."""


def write(tools: list[Tool], output: Path | None, options: dict[str, Any], *, dry_run: bool) -> None:
    """Have a model write a domain file, or tell what that would take.

    Raises:
        UsageError: no output is named, or a model, key or prompt is missing.
        DataError: some tool has no domain in the end.
        BackendError, LimitError: the server refuses, or a limit is reached; what was written stays.
    """
    if output is None:
        raise UsageError("give the file to write: -o NAME.domain.yaml, beside NAME.json")
    given = {
        key: options[key] for key in ("model", "tries", "max_tokens", "temperature") if options.get(key) is not None
    }
    job, live = complete(Job(name="domain", author="llm", **{"max_tokens": _TOKENS, **given}), options)
    if live is None:
        raise UsageError("a model writes domain files: give --model")
    from generator.backends.answer import estimate_tokens
    from generator.domain_files import answers_beside, cost, existing_domain, write_domain
    from generator.worlds.reference import vocabulary

    if dry_run:
        guide = live.prompts.render("domain/guide", {"tables": vocabulary()})
        say(
            dump_compact(
                cost(
                    tools,
                    existing_domain(output, tools),
                    estimate_tokens({"messages": [{"role": "user", "content": guide}]}),
                )
            )
        )
        return
    written = write_domain(tools, output, job, live, lambda part: say(f"asking for {part}", err=True))
    for note in written.draft.notes:
        say(f"note: {note}")
    known = written.draft.raw.get("tools", {})
    say(f"written     {output}: {len(known)} of {len(tools)} tools, {written.asked} questions")
    say(f"answers     {answers_beside(output)}")
    if lacking := [tool.name for tool in tools if not known.get(tool.name, {}).get("ways")]:
        raise DataError(f"no domain for {', '.join(lacking)}: run the same command again, or write them by hand")
