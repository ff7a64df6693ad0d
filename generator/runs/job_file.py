"""Job files and options in: one Job, or every mistake in one message."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from math import isfinite
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from generator.errors import JobError
from generator.formats.loading.functions import names_function
from generator.job import Job
from generator.job_choices import BUILD_KEYS, JOB_KEYS, SEED_OF_THE_DAY
from generator.jsontext import JsonObject, encodable
from generator.kinds import KINDS
from generator.lengths import open_counter
from generator.runs.folder import RunFolder
from generator.runs.identity import Resolved
from generator.runs.ranges import read_range
from generator.settings_file import NO_SETTINGS, Settings, read_settings
from generator.suggestions import did_you_mean
from generator.values.meanings.entities import known_locales

_RESOLVED = "resolved"
_NOT_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME = 40
_FEW = 20
_SOME = {"kind": "`toolgen kinds` lists them", "locale": "give en_US or de_DE, for instance"}
"""What is told of the words that there are, where they are many."""
STDIN = "-"


@dataclass(frozen=True, slots=True)
class RequestedJob:
    """The job that was asked for, and where its tools are."""

    job: Job
    sources: tuple[str, ...]
    """Tool files, folders and globs; none where `catalog` holds the tools, or for the bundled ones."""
    domains: tuple[str, ...] = ()
    """Domain files for these tools."""
    catalog: Path | None = None
    """The `catalog.json` of the run that is repeated."""
    resolved: Resolved | None = None
    """What that run was."""


def today_utc() -> date:
    """Return the day that it is, in UTC."""
    return datetime.now(UTC).date()


def read_job(
    options: Mapping[str, Any],
    file: Path | None = None,
    *,
    allow_code: bool = False,
    today: Callable[[], date] = today_utc,
) -> RequestedJob:
    """Bring options and a job file together; options win, and what only a build reads is left aside.

    Args:
        options: the fields of a Job that were given on the command line, `mix` and `locale` as text.
        file: a job file in TOML or JSON, `job.json` of a run among them; paths in it are relative to it.
        allow_code: whether the file may name Python functions as tools: their modules are imported, and so run.
        today: the day that the seed "date" of a file means.

    Raises:
        JobError: the file cannot be read, a key is unknown, a value is wrong, or it names code that is not allowed;
            every mistake is named.
    """
    settings = NO_SETTINGS if file is None else read_settings(file, "--job", "job file", JobError)
    held = _of_the_job(settings.held, today)
    resolved = _resolved(settings.held.get(_RESOLVED), file)
    fields = {key: value for key, value in held.items() if key in JOB_KEYS} | dict(options)
    places = _places(fields, options, settings)
    mistakes = [*_unknown_keys(settings, held), *_normalize(fields, places), *_unwritable(fields, places)]
    given = tuple(fields.get("tools", ()))
    fields.setdefault("name", _name(given, file))
    job, wrong = _validate(fields, places)
    mistakes += wrong
    if job is None or mistakes:
        raise JobError("\n".join(mistakes))
    job = _with_tokenizer(job, options, file)
    if "tools" not in options:
        if resolved is not None and file is not None:
            return _repeated(job, resolved, file, options)
        if not allow_code:
            _refuse_code(given, file)
    return RequestedJob(job, _placed("tools", given, options, file), _placed("domains", job.domains, options, file))


def _places(fields: Iterable[str], options: Mapping[str, Any], settings: Settings) -> dict[str, str]:
    """Return where each field was given: the option, or the place in the file."""
    return {key: f"--{key.replace('_', '-')}" if key in options else f"{settings.place(key)}: {key}" for key in fields}


def requested_range(requested: RequestedJob, text: str | None) -> range | None:
    """Return the indices that are asked for, where they are a part of the job: as given, or those of the repeated run.

    Raises:
        JobError: `A:B` is written otherwise, or is no range of the job.
    """
    if text is not None:
        return read_range(text, requested.job.count)
    held = "" if requested.resolved is None else requested.resolved.range
    return read_range(held, requested.job.count) if held else None


def _repeated(job: Job, resolved: Resolved, file: Path, options: Mapping[str, Any]) -> RequestedJob:
    """Return the job of a run that is made again, with its catalog."""
    if "domains" in options:
        raise JobError("--domain: the tools of job.json have their domains; give the tool files as TOOLS")
    return RequestedJob(job, (), catalog=RunFolder(file.parent).catalog, resolved=resolved)


def _of_the_job(held: JsonObject, today: Callable[[], date]) -> JsonObject:
    """Return the keys of a file that are a job's, its seed as a number."""
    found = {key: value for key, value in held.items() if key not in (_RESOLVED, *BUILD_KEYS)}
    return found | ({"seed": int(f"{today():%Y%m%d}")} if found.get("seed") == SEED_OF_THE_DAY else {})


def _placed(key: str, paths: tuple[str, ...], options: Mapping[str, Any], file: Path | None) -> tuple[str, ...]:
    """Return paths as they are read from here: those of the file stand beside it."""
    return paths if file is None or key in options else _beside(paths, file)


def _with_tokenizer(job: Job, options: Mapping[str, Any], file: Path | None) -> Job:
    """Return the job with the whole path of its tokenizer, which stands beside the file that names it, and the digest.

    Raises:
        UsageError: it is none.
    """
    if not job.tokenizer:
        return job.model_copy(update={"tokenizer_digest": ""})
    (path,) = _placed("tokenizer", (job.tokenizer,), options, file)
    digest = open_counter(path).digest
    return job.model_copy(update={"tokenizer": str(Path(path).absolute()), "tokenizer_digest": digest})


def job_of(fields: Mapping[str, Any]) -> Job:
    """Return the job with these fields, which a program gives.

    Raises:
        JobError: a field is none of a job's, or a value is wrong; every mistake is named.
    """
    job, mistakes = _validate({key: fields[key] for key in fields if key in JOB_KEYS}, {})
    mistakes += [f"unknown option {key!r}; {_nearest_key(key)}" for key in fields if key not in JOB_KEYS]
    if job is None or mistakes:
        raise JobError("\n".join(mistakes))
    return job


def _refuse_code(sources: tuple[str, ...], file: Path | None) -> None:
    """Refuse what would run code that nobody asked for on the command line: a file may come from anybody."""
    named = [source for source in sources if names_function(source)]
    if named:
        raise JobError(
            f"{file}: tools: {named[0]!a} names a Python function, whose module would be imported, and so run; "
            "give --allow-code if you trust it, or name the function on the command line"
        )


DEFAULT = "default"
"""The mix that is taken where none is given, by its name."""


def parse_mix(text: str) -> dict[str, float]:
    """Read `parallel=3,simple=1`.

    Raises:
        ValueError: it is written otherwise, or a weight is no number.
    """
    mix: dict[str, float] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        kind, equals, weight = part.partition("=")
        if not equals or kind.strip() in mix:
            raise ValueError(f"{part!r}: write each kind once with its weight, as in parallel=3,simple=1")
        mix[kind.strip()] = _weight(part, weight)
    if not mix:
        raise ValueError("it names no kind; write kinds with their weights, as in parallel=3,simple=1")
    return mix


def _object(text: str) -> JsonObject:
    """Read one JSON object.

    Raises:
        ValueError: it is none.
    """
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"this is not JSON ({error})") from error
    if not isinstance(found, dict):
        raise ValueError("this is JSON, but no object")
    return found


def _weight(part: str, text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = -1.0
    if not isfinite(weight) or weight < 0:
        raise ValueError(f"{part!r}: a weight is a number from 0 up, as in parallel=3,simple=1")
    return weight


def _normalize(fields: dict[str, Any], places: Mapping[str, str]) -> list[str]:
    """Bring texts to the form that Job holds, in place; return what is wrong with them."""
    mistakes = []
    if fields.get("mix") == DEFAULT:
        fields["mix"] = None
    if isinstance(fields.get("mix"), str):
        try:
            fields["mix"] = parse_mix(fields["mix"])
        except ValueError as error:
            mistakes.append(f"{places['mix']}: {error}")
            del fields["mix"]
    if isinstance(fields.get("extra_body"), str):
        try:
            fields["extra_body"] = _object(fields["extra_body"])
        except ValueError as error:
            mistakes.append(f"{places['extra_body']}: {error}; give a JSON object, as in '{{\"top_k\": 20}}'")
            del fields["extra_body"]
    if isinstance(fields.get("mix"), dict):
        mistakes += [_unknown("kind", kind, KINDS, places["mix"]) for kind in fields["mix"] if kind not in KINDS]
    return mistakes + _normalize_locales(fields, places)


def _normalize_locales(fields: dict[str, Any], places: Mapping[str, str]) -> list[str]:
    if isinstance(locales := fields.get("locale"), str):
        fields["locale"] = tuple(dict.fromkeys(filter(None, map(str.strip, locales.split(",")))))
    if fields.get("locale") in ((), []):
        del fields["locale"]
        return [f"{places['locale']}: it names no locale; give en_US or de_DE, for instance"]
    if isinstance(fields.get("locale"), list | tuple):
        return _unknown_locales(fields["locale"], places["locale"])
    return []


def _unwritable(fields: Mapping[str, Any], places: Mapping[str, str]) -> list[str]:
    """Refuse what `job.json` cannot hold: names of files that are no UTF-8."""
    paths = [(key, path) for key in ("tools", "domains") for path in fields.get(key, ()) if isinstance(path, str)]
    return [
        f"{places[key]}: {shown}: the name of this file is no UTF-8, as a job's must be; rename it"
        for key, path in paths
        if (shown := encodable(path)) != path
    ]


def _unknown_locales(locales: list[Any] | tuple[Any, ...], place: str) -> list[str]:
    known = known_locales()
    return [_unknown("locale", str(locale), _near(str(locale)), place) for locale in locales if locale not in known]


def _near(locale: str) -> list[str]:
    """Return the locales of the same language, or all."""
    known = sorted(known_locales())
    language = locale.replace("-", "_").partition("_")[0].casefold()
    return [name for name in known if name.partition("_")[0] == language] or known


def _unknown(what: str, word: str, known: Iterable[str], place: str) -> str:
    names = list(known)
    few = f"give {', '.join(names)}" if len(names) < _FEW else _SOME[what]
    return f"{place}: unknown {what} {word!r}; {did_you_mean(word, names) or few}"


def _unknown_keys(settings: Settings, held: JsonObject) -> list[str]:
    keys = [key for key in held if key not in JOB_KEYS]
    found = [
        f"{settings.place(key)}: unknown key {key!r}; {_nearest_key(key, (*JOB_KEYS, *BUILD_KEYS))}"
        for key in keys[:_FEW]
    ]
    return [*found, f"{settings.file}: {len(keys) - _FEW:,} more unknown keys"] if len(keys) > _FEW else found


def _nearest_key(key: str, known: Sequence[str] = JOB_KEYS) -> str:
    return did_you_mean(key, known) or "the keys are " + ", ".join(known)


def _validate(fields: Mapping[str, Any], places: Mapping[str, str]) -> tuple[Job | None, list[str]]:
    try:
        return Job.model_validate(dict(fields)), []
    except ValidationError as error:
        return None, [_say(dict(mistake), places) for mistake in error.errors(include_url=False, include_context=False)]


def _say(mistake: Mapping[str, Any], places: Mapping[str, str]) -> str:
    key, *inside = mistake["loc"]
    place = places.get(str(key), str(key)) + "".join(f".{part}" for part in inside)
    message = str(mistake["msg"]).removeprefix("Value error, ").replace("Input should", "it should")
    return f"{place}: {message}; {json.dumps(mistake['input'], default=str)[:80]} was given"


def _resolved(held: object, file: Path | None) -> Resolved | None:
    if held is None:
        return None
    try:
        return Resolved.model_validate(held)
    except ValidationError as error:
        raise JobError(f"{file}: {_RESOLVED}: not what toolgen writes; leave it out, or use the run's own") from error


def _beside(sources: tuple[str, ...], file: Path) -> tuple[str, ...]:
    kept = (source == STDIN or names_function(source) for source in sources)
    return tuple(source if keep else str(file.parent / source) for source, keep in zip(sources, kept, strict=True))


def _name(sources: tuple[Any, ...], file: Path | None) -> str:
    """Name a run that has no name: after its job file, else its first source."""
    if file is None and not sources:
        return str(Job.model_fields["name"].default)
    first = file if file is not None else Path(str(sources[0])).absolute()
    text = "stdin" if file is None and sources[0] == STDIN else first.stem or first.name
    return _NOT_NAME.sub("-", text).strip("-._")[:_LONGEST_NAME] or "run"
