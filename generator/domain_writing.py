"""Domains written by a model: records tried of what is written so far, and the file that keeps each part."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
import yaml

from generator.authors.llm.domain_author import (
    TOOLS_AT_ONCE,
    DomainAuthor,
    DomainDraft,
    OnPart,
    Trial,
    fault_in_words,
    faults_of,
    review_question,
    tasks_question,
    tools_question,
    with_room,
    world_question,
)
from generator.authors.llm.prompts import Prompts
from generator.authors.llm.response_formats import FormatFallback
from generator.authors.llm.session import LLMSession, model_of
from generator.backends.answers import AnswerFile, LoggedBackend
from generator.disk import write_whole
from generator.domains.catalog import Catalog
from generator.domains.domain import Domain, Entity
from generator.domains.reading import Fault, phrasing_faults
from generator.errors import JobError, Problem, ToolFileError
from generator.formats.loading.domain_files import read_domain_file
from generator.formats.loading.parsing import is_text_when_plain
from generator.formats.loading.sources import Reader
from generator.job import Job
from generator.jsontext import JsonObject, JsonValue, dump_compact, dump_pretty
from generator.kinds import KINDS
from generator.record import Producer
from generator.scenarios.rehearsal import ROUNDS, rehearse, tell_unsaid
from generator.tools import Tool
from generator.validation.verdict import Rejection
from generator.worlds.program import compiled_domain

_TRIAL_RECORDS = 12
"""Records that are tried for each tool."""
_SHOWN_RECORDS = 18
_SHOWN_REASONS = 8
_ROUNDS_OF_TASKS = 8
"""Worlds in which the tasks are gone: all ways are, with them."""
_OFTEN = 3
"""Attempts that are refused less often than this are told of no fault of the domain: others take their place."""
_SHOWN_FAULTS = 20
_SHOWN_RESULT = 1_200
_FEWEST_REQUESTS = 12
"""Different requests that a tool should have: those without arguments have as many as were written."""
KIND_RULE = "TC114"
"""The rule that a record is of the kind that it claims."""
_HASH = re.compile(r"\b[0-9a-f]{32,64}\b")
_JSON = re.compile(r"\{\"[^\"]{1,40}\":.{0,30}")


def try_out(draft: DomainDraft, names: Sequence[str]) -> Trial:
    """Make records of some tools, or of the tasks where none is named."""
    domain, _ = faults_of(draft.raw, draft.tools, draft.name)
    if domain is None:
        return Trial([], [])
    tools = tuple(tool.model_copy(update={"domain": draft.name}) for tool in draft.tools if tool.name in domain.tools)
    if not tools:
        return Trial([], [])
    found, unsaid = _rehearsed(domain, tools, names)
    faults = [*found, *phrasing_faults(draft.raw, names)]
    records, reasons = _records(domain, tools, names)
    lacking = [f"{name}: {tell_unsaid(parts)}" for name, parts in unsaid.items() if name in names]
    return Trial(records, [*map(fault_in_words, faults[:_SHOWN_FAULTS]), *reasons], lacking)


def _records(domain: Domain, tools: tuple[Tool, ...], names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return conversations in which the tools are called, what is bad in their words, and why others are refused."""
    catalog = Catalog(tools=tools, domains=(domain.model_copy(update={"origin": "model"}),))
    wanted = set(names) or {tool.name for tool in tools}
    try:
        producer = Producer(_trial_job(by_tasks=not names), catalog)
    except JobError as error:  # nothing of it can be played
        return [], [str(error)]
    records: list[str] = []
    reasons: Counter[str] = Counter()
    bad: dict[str, str] = {}
    for index in range(_TRIAL_RECORDS * len(tools)):
        outcome = producer.produce(index)
        for rejection in outcome.rejections:
            if set(rejection.tools) & wanted:
                reasons[_reason(rejection)] += 1
        if outcome.line is not None and len(records) < _SHOWN_RECORDS:
            document = orjson.loads(outcome.line)
            if _tools_called(document) & wanted:
                records.append("\n".join(_lines(document)))
                bad |= dict(_unspeakable(document))
    return records, [*bad.values(), *_frequent(reasons, min(_OFTEN, len(tools)))]


def _tools_called(document: Mapping[str, JsonValue]) -> set[str]:
    return {message["name"] for message in document["messages"] if message["role"] == "tool"}


def _trial_job(*, by_tasks: bool) -> Job:
    """Return the job of a trial, of the kinds that tasks lead, or of those that tools do."""
    mix = {name: kind.trial for name, kind in KINDS.items() if kind.trial and kind.led_by_tasks is by_tasks}
    return Job(name="trial", mix=mix, error_rate=0.0, attempts=6, seed=1)


def _frequent(reasons: Counter[str], fewest: int) -> list[str]:
    shown = reasons.most_common(_SHOWN_REASONS)
    return [f"{reason} ({count} times)" for reason, count in shown if count >= fewest]


def _reason(rejection: Rejection) -> str:
    """Return why a record was refused; what is true of each record of its kind is told as what is not so here."""
    first = rejection.violations[0]
    kind = rejection.kind
    what = first.message
    if first.rule == KIND_RULE:
        what = f"refused, since it is not so that a record of this kind {what.removeprefix(f'{kind}: ')}"
    return f"{', '.join(rejection.tools)} ({kind}): {what}"


def _rehearsed(
    domain: Domain, tools: Sequence[Tool], names: Sequence[str]
) -> tuple[list[Fault], dict[str, tuple[str, ...]]]:
    """Return what a rehearsal finds wrong with some tools, or with the tasks, and what no way of a tool says."""
    known = {
        name: tool if name in names or not names else tool.model_copy(update={"ways": ()})
        for name, tool in domain.tools.items()
    }
    tasks = () if names else domain.tasks
    entities = _told_instead(domain)
    tried = domain.model_copy(update={"tools": known, "entities": entities, "tasks": tasks, "unserved": ()})
    rounds = ROUNDS if names else _ROUNDS_OF_TASKS
    found = rehearse(compiled_domain(tried, tools), rounds=rounds, fewest=_FEWEST_REQUESTS if names else 0)
    faults = [fault for fault in found.faults if fault.path[:1] != ("tools",) or fault.path[1] in names]
    return faults, found.unsaid


def _told_instead(domain: Domain) -> dict[str, Entity]:
    """Return the entities, told where the tool that finds them is not described yet, so that this is no fault."""
    described = {name for name, tool in domain.tools.items() if tool.result is not None or tool.effect}
    return {
        name: entity
        if entity.find is None or entity.find.call in described
        else entity.model_copy(update={"find": None, "told": (f"There are <rows: {{{entity.key}}}>.",)})
        for name, entity in domain.entities.items()
    }


def _unspeakable(document: Mapping[str, JsonValue]) -> Iterator[tuple[str, str]]:
    """Yield what nobody would say in prose: whole hashes and raw JSON, each with an example."""
    for message in document["messages"]:
        if message["role"] not in ("assistant", "user") or not message["content"]:
            continue
        if found := _HASH.search(message["content"]):
            yield "hash", f"{message['role']} says a whole hash: {found[0]!r} (write {{x|cut:7}})"
        if message["role"] == "assistant" and (found := _JSON.search(message["content"])):
            yield "json", f"assistant says raw JSON: {found[0]!r} (say it in words)"


def shown_question(prompts: Prompts, name: str, catalog: Catalog) -> str:
    """Return the question for one part of the domain of a catalog's first toolset, over what is known of it."""
    draft = _draft_of_the_first(catalog)
    first = draft.tools[:TOOLS_AT_ONCE]
    if name == "domain/world":
        return world_question(prompts, draft.tools)
    if name == "domain/tools":
        return tools_question(prompts, draft, first)
    if name == "domain/tasks":
        return tasks_question(prompts, draft)
    names = [tool.name for tool in first]
    return review_question(prompts, draft, names, try_out(draft, names))


def _draft_of_the_first(catalog: Catalog) -> DomainDraft:
    """Return the domain of a catalog's first toolset as a draft, as far as it is known."""
    tools = next(iter(catalog.toolsets.values()), ())
    of = next((tool.domain for tool in tools if tool.domain), "")
    known = next((domain for domain in catalog.domains if domain.name == of), None)
    raw = {} if known is None else known.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return DomainDraft(raw, tuple(tool for tool in tools if tool.domain == of), of)


def _lines(document: Mapping[str, JsonValue]) -> Iterator[str]:
    for message in document["messages"]:
        for call in message.get("tool_calls", ()):
            yield f"call {call['function']['name']} {dump_compact(call['function']['arguments'])}"
        if message["role"] == "tool":
            cut = " ... (shown shortened)" if len(message["content"]) > _SHOWN_RESULT else ""
            yield f"result {message['content'][:_SHOWN_RESULT]}{cut}"
        elif message["content"]:
            yield f"{message['role']}: {message['content']}"


_WIDTH = 140
_HEAD = "# What is known about these tools beyond their schemas; see `toolgen domain --reference`.\n"


@dataclass(frozen=True, slots=True)
class Written:
    """What came of it."""

    path: Path
    draft: DomainDraft
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


def write_domain(tools: Sequence[Tool], path: Path, job: Job, session: LLMSession, on_part: OnPart) -> Written:
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
        return asyncio.run(_written(tools, path, job, session, existing, answers, on_part))


async def _written(
    tools: Sequence[Tool],
    path: Path,
    job: Job,
    session: LLMSession,
    existing: JsonObject,
    answers: AnswerFile,
    on_part: OnPart,
) -> Written:
    from generator.backends.http import open_backend
    from generator.backends.server import protocol_of

    session.verdicts.begin()
    async with (
        open_backend(
            session.server, budget=session.budget, verdicts=session.verdicts, notify=session.notify
        ) as backend,
        LoggedBackend(backend, answers, session.grace, keep_thoughts=session.keep_thoughts) as logged,
    ):
        fallback = FormatFallback(
            logged, model_of(job), modes=protocol_of(session.server).modes, verdicts=session.verdicts
        )
        writer = DomainAuthor(fallback, session.prompts, try_out, tries=job.tries, on_part=on_part)
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
