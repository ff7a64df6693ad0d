"""Settings of a build: the job of its file, and what only a build knows, each mistake told with its file and line."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, ValidationError

from generator.boundary import BoundaryModel
from generator.errors import JobError
from generator.formats.loading.mcp_servers import DEFAULT_TIMEOUT, McpServer
from generator.formats.recognition import WRITTEN
from generator.job_choices import BUILD_KEYS
from generator.jsontext import dump_compact
from generator.kinds import KINDS
from generator.runs.job_file import STDIN, RequestedJob, read_job, today_utc
from generator.settings_file import Settings, read_settings
from generator.suggestions import did_you_mean

Rate = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, strict=True)]


class Table(BoundaryModel):
    """One table of a job file."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class McpSettings(Table):
    """An MCP server, with what it is given."""

    address: str
    """The command that starts it, or its URL."""
    env: tuple[str, ...] = ()
    """Names of variables that the command gets."""
    headers: tuple[str, ...] = ()
    """Headers for the URL; `$VARIABLE` in one is read from the environment."""
    timeout: float = Field(default=DEFAULT_TIMEOUT, gt=0, le=3_600)
    """Seconds to wait for its list at most."""

    @property
    def server(self) -> McpServer:
        """The server as it is asked."""
        return McpServer(self.address, self.env, self.headers, self.timeout)


class ServerSettings(Table):
    """Who is asked where a model writes; it decides no record."""

    base_url: str = ""
    """Where it is; else OPENAI_BASE_URL, else its owner's own server."""
    protocol: str | None = None
    """What it speaks, where its host does not tell."""
    api_key_env: str | None = None
    """The NAME of the environment variable with its key, never the key."""
    timeout: float = Field(default=120.0, ge=0.1, le=3_600)
    """The longest one request may take, in seconds."""
    max_concurrency: int = Field(default=64, ge=1, le=4_096, strict=True)
    """The most requests at a time."""
    prompts: str = ""
    """The folder of prompts of your own."""
    keep_thoughts: bool = Field(default=False, strict=True)
    """Whether what the model thought is kept with its answers."""
    verify_base_url: str | None = None
    """The server of second opinions, where it is another one."""
    verify_api_key_env: str | None = None
    """The NAME of the variable with the key of that server."""


class LimitSettings(Table):
    """What one build may take; what it made stays, and the next build goes on."""

    max_minutes: Positive | None = None
    """Send nothing after that many minutes."""
    max_requests: Annotated[int, Field(ge=1, strict=True)] | None = None
    """The most requests."""
    max_tokens: Annotated[int, Field(ge=1, strict=True)] | None = None
    """The most tokens, of prompts and answers."""
    max_cost: Positive | None = None
    """The most it may cost, by the prices."""
    rpm: Positive | None = None
    """The most requests a minute."""
    tpm: Positive | None = None
    """The most tokens a minute."""
    price_in: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    """Price of a million tokens of prompts."""
    price_out: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    """Price of a million tokens of answers."""
    prices: str = ""
    """A file with both prices of each model."""


class SplitSettings(Table):
    """Who goes into which split."""

    shares: dict[Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}\z")], Positive] = Field(
        default_factory=lambda: {"train": 1.0}, min_length=1
    )
    """The share of each split, 1 together."""
    hold_out: tuple[str, ...] = ()
    """Tools that no split but `held_out` shows."""
    near: float = Field(default=0.8, ge=0.5, le=1, allow_inf_nan=False)
    """From which likeness on requests never stand in two splits."""
    decontaminate: tuple[str, ...] = ()
    """Files of benchmarks: records that overlap with one of their questions are left out."""


class GateSettings(Table):
    """What a build must fulfil to be published."""

    min_records: Count | None = None
    """The fewest records; unless given, all that were asked for."""
    min_yield: Rate | None = None
    """The fewest records for each attempt that was made."""
    min_of_kind: dict[str, Count] = Field(default_factory=dict)
    """The fewest records of a kind."""
    max_rejection_rate: Rate | None = None
    """The most rejected attempts, of all that were made."""
    max_duplicate_rate: Rate | None = None
    """The most attempts that repeated a request, of all that were made."""
    max_derived_share: Rate | None = None
    """The most records whose tools no domain file speaks of, of all."""


class PublishSettings(Table):
    """Where builds go, and how many stay."""

    keep: Annotated[int, Field(ge=1, strict=True)] = 7
    """How many builds stay; `latest` always does."""
    push: tuple[str, ...] = ()
    """Where each build goes besides: `hf://datasets/NAME/SET`, or a URL that fsspec knows."""


class BuildSettings(Table):
    """What only a build knows."""

    mcp: tuple[str | McpSettings, ...] = ()
    """MCP servers that are asked for their tools when a build begins."""
    formats: tuple[str, ...] = ()
    """Formats that the records are written in beside records.jsonl, a file for each split."""
    server: ServerSettings = ServerSettings()
    limits: LimitSettings = LimitSettings()
    splits: SplitSettings = SplitSettings()
    gates: GateSettings = GateSettings()
    publish: PublishSettings = PublishSettings()

    @property
    def servers(self) -> tuple[McpServer, ...]:
        """The MCP servers as they are asked."""
        return tuple(McpServer(each) if isinstance(each, str) else each.server for each in self.mcp)


TABLES: dict[str, type[Table]] = {
    "server": ServerSettings,
    "limits": LimitSettings,
    "splits": SplitSettings,
    "gates": GateSettings,
    "publish": PublishSettings,
}


@dataclass(frozen=True, slots=True)
class RequestedBuild:
    """What a job file asks for."""

    file: Path
    requested: RequestedJob
    settings: BuildSettings
    dated: bool
    """Whether the seed is that of the day."""

    def beside(self, paths: tuple[str, ...]) -> tuple[Path, ...]:
        """Return the files that paths or globs of the job file name, which are relative to it; each must be there.

        Raises:
            JobError: there is none.
        """
        found: list[Path] = []
        for path in paths:
            pattern = str(self.file.parent / path)
            matches = [Path(pattern)] if Path(pattern).exists() else sorted(map(Path, glob.glob(pattern)))  # noqa: PTH207 - absolute patterns too
            if not matches:
                raise JobError(f"{self.file}: {path}: no such file; check the path")
            found += matches
        return tuple(found)


def read_build(
    file: Path, *, allow_code: bool = False, today: Callable[[], date] = today_utc, **options: Any
) -> RequestedBuild:
    """Read a job file with the tables of a build.

    Args:
        file: TOML or JSON; paths in it are relative to it.
        allow_code: whether it may name Python functions as tools.
        today: the day that `seed = "date"` means, that of UTC.
        options: fields of the job that win over the file.

    Raises:
        JobError: a key is unknown or a value is wrong; every mistake is named, with its line.
    """
    settings = read_settings(file, "JOB", "job file", JobError)
    mistakes: list[str] = []
    try:
        requested = read_job(options, file, allow_code=allow_code, today=today)
    except JobError as error:
        mistakes.append(str(error))
    found, wrong = _tables(settings)
    mistakes += wrong
    if found is None or mistakes:
        raise JobError("\n".join(mistakes))
    if STDIN in requested.sources or requested.catalog is not None:
        raise JobError(
            f"{file}: tools: a build reads its tools anew each time: name files, folders, globs or MCP servers"
        )
    if requested.job.compress != "none" or requested.job.shard:
        raise JobError(f"{file}: compress, shard: the records of a build are one plain file; leave both out")
    return RequestedBuild(file, requested, found, settings.held.get("seed") == "date" and "seed" not in options)


def _tables(settings: Settings) -> tuple[BuildSettings | None, list[str]]:
    """Return what the tables of a build say, and what is wrong with them."""
    held = {key: settings.held[key] for key in BUILD_KEYS if key in settings.held}
    try:
        found = BuildSettings.model_validate(held)
    except ValidationError as error:
        return None, list(dict.fromkeys(_said(error, settings)))
    return found, list(_contradictions(found, settings))


def _said(error: ValidationError, settings: Settings) -> Iterator[str]:
    for mistake in error.errors(include_url=False, include_context=False):
        loc = tuple(part for part in mistake["loc"] if part not in ("str", "McpSettings"))
        names = tuple(part for part in loc if isinstance(part, str))
        place = f"{settings.place(*names[:2])}: {'.'.join(map(str, loc))}"
        if mistake["type"] == "extra_forbidden":
            known = _keys_of(loc[0])
            near = did_you_mean(str(loc[-1]), known) or "the keys are " + ", ".join(known)
            yield f"{place}: unknown key {loc[-1]!r}; {near}"
        else:
            message = str(mistake["msg"]).removeprefix("Value error, ").replace("Input should", "it should")
            given = "" if "key" in str(loc[-1]) else f"; {_in_few_letters(mistake['input'])} was given"
            yield f"{place}: {message}{given}"


def _in_few_letters(value: object) -> str:
    """Write a value in JSON; what TOML knows and JSON does not as text."""
    try:
        return dump_compact(value)[:80]
    except TypeError:
        return str(value)[:80]


def _keys_of(table: str | int) -> list[str]:
    model: type[BoundaryModel] = McpSettings if table == "mcp" else TABLES.get(str(table), BuildSettings)
    return list(model.model_fields)


def _contradictions(found: BuildSettings, settings: Settings) -> Iterator[str]:
    """Yield what no single value shows to be wrong."""
    for name in found.formats:
        if name not in WRITTEN:
            near = did_you_mean(name, WRITTEN) or "the formats are " + ", ".join(WRITTEN)
            yield f"{settings.place('formats')}: formats: unknown format {name!r}; {near}"
    shares = found.splits.shares
    if abs(sum(shares.values()) - 1) > 1e-6:
        place = settings.place("splits", "shares")
        yield f"{place}: splits.shares: they are 1 together, as in train = 0.9, test = 0.1"
    if found.splits.hold_out and "held_out" in shares:
        place = settings.place("splits", "shares")
        yield f"{place}: splits.shares: held_out is the split of the tools in hold_out; give it another name"
    for kind in found.gates.min_of_kind:
        if kind not in KINDS:
            near = did_you_mean(kind, KINDS) or "the kinds are " + ", ".join(KINDS)
            yield f"{settings.place('gates', 'min_of_kind')}: gates.min_of_kind: unknown kind {kind!r}; {near}"


def model_options(settings: BuildSettings, file: Path) -> Mapping[str, Any]:
    """Return what the options of `generate` of the same names would say."""
    server, limits = settings.server, settings.limits
    placed = {"prompts": server.prompts, "prices": limits.prices}
    files = {name: file.parent / path if path else None for name, path in placed.items()}
    asked = server.model_dump(exclude={"prompts"}) | limits.model_dump(exclude={"prices", "max_tokens"})
    return asked | files | {"max_tokens_spent": limits.max_tokens, "answers": None}
