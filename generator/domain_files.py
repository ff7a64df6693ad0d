"""Writing a domain file with a model: what exists is kept, each part is on disk before the next is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
import yaml

from generator.authors.llm.domain_author import DomainWriter, OnPart
from generator.authors.llm.domain_draft import Draft, faults_of, with_room
from generator.authors.llm.fallback import FormatFallback
from generator.backends.answers import LoggedBackend
from generator.domain_trials import try_out
from generator.errors import Problem, ToolFileError
from generator.formats.loading.domain_files import read_domain_file
from generator.formats.loading.parsing import is_text_when_plain
from generator.formats.loading.sources import Reader
from generator.job import Job
from generator.jsontext import JsonObject, JsonValue, dump_pretty
from generator.live import Live, model_of
from generator.runs.answer_file import AnswerFile
from generator.runs.disk import write_whole
from generator.tools.tool import Tool

_WIDTH = 140
_HEAD = "# What is known about these tools beyond their schemas; see `toolgen domain --reference`.\n"


@dataclass(frozen=True, slots=True)
class Written:
    """What came of it."""

    path: Path
    draft: Draft
    asked: int
    """Questions that were put, answers kept from before among them."""


def existing_domain(path: Path, tools: Sequence[Tool]) -> JsonObject:
    """Return the domain file as far as it is there; {} where there is none.

    Raises:
        ToolFileError: there is one that cannot be read, or in which something is wrong.
    """
    if not path.exists():
        return {}
    problems: list[Problem] = []
    found = read_domain_file(path, Reader(), problems)
    value: JsonValue = found[0].value if found else None
    if problems or not isinstance(value, dict):
        raise ToolFileError(problems or [Problem(str(path), "is no domain file", "give another file to -o")])
    if faults := faults_of(with_room(value, tools), tools, name_of(path))[1]:
        raise ToolFileError(found[0].problems(faults))
    return value


def write_domain(tools: Sequence[Tool], path: Path, job: Job, live: Live, on_part: OnPart) -> Written:
    """Have a model write what the domain file lacks for these tools.

    The answers are kept beside it, in `NAME.answers.jsonl`: the same command goes on after a break, and pays for
    nothing twice.

    Raises:
        BackendError: the server refuses for good, or none of its answers can be used; what was written stays.
        LimitError: a limit is reached; what was written stays.
        StorageError: the disk refuses.
        ToolFileError: the file that is there cannot be read.
    """
    existing = existing_domain(path, tools)
    with AnswerFile(answers_beside(path)) as answers:
        return asyncio.run(_written(tools, path, job, live, existing, answers, on_part))


async def _written(
    tools: Sequence[Tool],
    path: Path,
    job: Job,
    live: Live,
    existing: JsonObject,
    answers: AnswerFile,
    on_part: OnPart,
) -> Written:
    from generator.backends.http import open_backend
    from generator.backends.server import protocol_of

    live.verdicts.begin()
    async with (
        open_backend(live.server, budget=live.budget, verdicts=live.verdicts, notify=live.notify) as backend,
        LoggedBackend(backend, answers, live.grace, keep_thoughts=live.keep_thoughts) as logged,
    ):
        fallback = FormatFallback(logged, model_of(job), modes=protocol_of(live.server).modes, verdicts=live.verdicts)
        writer = DomainWriter(fallback, live.prompts, try_out, tries=job.tries, on_part=on_part)
        draft = await writer.write(tools, name_of(path), existing, lambda raw: keep(raw, path))
    return Written(path, draft, writer.asked)


def name_of(path: Path) -> str:
    """Return the name of the domain that a file holds."""
    return path.stem.removesuffix(".domain")


def answers_beside(path: Path) -> Path:
    """Return where the model's answers for a domain file are kept."""
    return path.with_name(f"{name_of(path)}.answers.jsonl")


class _Dumper(yaml.SafeDumper):
    """Writes YAML that a reader of version 1.2 takes as it is meant: `1e3` in quotes, where it is a text."""


def _quoted(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = '"' if not text.isprintable() else None if is_text_when_plain(text) else "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _quoted)


def keep(raw: JsonObject, path: Path) -> None:
    """Write the domain file: YAML in blocks, or JSON where its name says so."""
    if path.suffix == ".json":
        write_whole(path, [dump_pretty(raw).encode()])
        return
    plain = orjson.loads(orjson.dumps(raw))
    text = yaml.dump(plain, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
    write_whole(path, [f"{_HEAD}{text}".encode()])
