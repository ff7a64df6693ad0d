"""`toolgen batch`: a run whose model is asked in batches, round by round."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from generator.cli.generate import command as generate
from generator.cli.job_options import given_options, load_requested_tools, note
from generator.cli.model_options import complete
from generator.cli.option_types import FilePath
from generator.cli.tables import laid_out
from generator.cli.terminal import columns_of, say, say_json, tell
from generator.errors import BackendError, DataError, UsageError
from generator.jsontext import dump_pretty
from generator.reports.table import Column, Table

if TYPE_CHECKING:  # imported where they are used, so that --help costs none of them
    from generator.authors.llm.session import LLMSession
    from generator.batches.collecting import Collected
    from generator.batches.folder import BatchFolder, BatchSettings, RequestFile, Round
    from generator.batches.order import Order, Servers
    from generator.batches.writing import Written
    from generator.domains.catalog import Catalog
    from generator.job import Job
    from generator.run import RunReport
    from generator.runs.summary import Summary

Command = TypeVar("Command", bound=Callable[..., Any])

_OF_THE_JOB = (
    "count", "seed", "mix", "error_rate", "locale", "reference_date", "days", "domains", "skip_invalid", "on_conflict",
    "job_file", "allow_code", "no_metadata", "max_length", "tokenizer", "mask", "no_grounding", "world", "freedom",
    "verify", "verify_model", "results", "proof", "no_domains", "model", "tries", "temperature", "top_p",
    "max_output_tokens", "reasoning_effort", "extra_body",
)  # fmt: skip
_OF_SERVERS = ("base_url", "protocol", "api_key_env", "timeout", "verify_base_url", "verify_api_key_env")
_OF_ANSWERS = ("prompts", "answers", "keep_thoughts")
_OF_LIMITS = ("max_requests", "max_tokens_spent", "max_cost", "price_in", "price_out", "prices")
_UNTOLD: dict[str, Any] = {
    "base_url": "", "protocol": None, "api_key_env": None, "timeout": 120.0, "max_concurrency": 64, "prompts": None,
    "answers": None, "keep_thoughts": False, "prices": None, "price_in": None, "price_out": None, "max_requests": None,
    "max_tokens_spent": None, "max_cost": None, "max_minutes": None, "rpm": None, "tpm": None,
    "verify_base_url": None, "verify_api_key_env": None,
}  # fmt: skip
"""What a session is told beside its job where a command does not say it."""
_CODES = "Exit codes: 0 good, 2 usage, 3 a server failed or refused, 4 a limit was reached, 5 the disk, 75 locked."


def _like_generate(*names: str) -> Callable[[Command], Command]:
    """Give a command options of `toolgen generate`, which mean the same here."""
    known = {parameter.name: parameter for parameter in generate.params}

    def add(command: Command) -> Command:
        params = getattr(command, "__click_params__", [])
        command.__click_params__ = [*[known[name] for name in reversed(names)], *params]  # type: ignore[attr-defined] # where click keeps them until the command is made
        return command

    return add


_run = click.argument("run", type=FilePath(), metavar="RUN")
_tools = click.argument("tools", metavar="[TOOLS]...", nargs=-1)
_quiet = click.option("--quiet", is_flag=True, help="Say nothing but errors.")
_json = click.option("--json", "as_json", is_flag=True, help="Print the round as JSON on stdout.")
_file_requests = click.option(
    "--file-requests",
    type=click.IntRange(1),
    metavar="N",
    help="The most requests of one file, where an account may have few under way.  [default: all that one may hold]",
)


@click.group(
    epilog="""\b
Examples:
  toolgen batch run RUN my_tools.json --model MODEL --count 5000
  toolgen batch write RUN my_tools.json --model MODEL --count 5000
  toolgen batch submit RUN
  toolgen batch status RUN
  toolgen batch collect RUN

`toolgen help batches` has more."""
)
def command() -> None:
    """Ask the model of a run in batches, at half the price."""


@command.command(
    epilog=f"""\b
Examples:
  toolgen batch write RUN my_tools.json --model MODEL --count 5000
  toolgen batch write RUN
  vllm run-batch -i RUN/batches/round-0001/requests-1.jsonl -o results.jsonl --model MODEL

{_CODES}"""
)
@_run
@_tools
@_like_generate(*_OF_THE_JOB, *_OF_SERVERS, *_OF_ANSWERS, *_OF_LIMITS)
@_file_requests
@click.option("--again", is_flag=True, help="Give up what has not come back of the last round, and ask it again.")
@click.option("--dry-run", is_flag=True, help="Print the plan of the run; write nothing.")
@_quiet
@_json
def write(
    run: Path, file_requests: int | None, again: bool, dry_run: bool, quiet: bool, as_json: bool, **options: Any
) -> int:
    """Make what can be made, and write what is lacking as files of requests.

    The first time the job is told as to `toolgen generate`; later RUN is enough. Prints the paths of the files, one a
    line, and nothing where no more is lacking. A round that has not come back yet is told, and stays.
    """
    from generator.batches.collecting import give_up
    from generator.batches.writing import write_round

    if dry_run:
        return _show_plan(run, options)
    with _working_on(run, options, quiet=quiet, file_requests=file_requests) as order:
        if again:
            give_up(order)
        written = write_round(order)
        paths = [] if written.round is None else list(order.folder.files(written.round))
    if as_json:
        say_json(dump_pretty(_document(written.round, written.report)))
    else:
        for path in paths:
            say(str(path))
    return _end_of_writing(order, written, quiet=quiet)


@command.command(epilog=f"Example: toolgen batch submit RUN\n\n{_CODES}")
@_run
@_like_generate(*_OF_SERVERS)
@_quiet
@_json
def submit(run: Path, quiet: bool, as_json: bool, **options: Any) -> None:
    """Hand in the files of the last round that are not handed in yet.

    After a kill, or a connection that was cut, what the server has already is found there and not paid for again.
    """
    from generator.batches.submitting import submit as submit_round

    with _at_servers(run, options) as (folder, servers):
        round_ = asyncio.run(submit_round(folder, servers))
    _tell_round(round_, quiet=quiet, as_json=as_json)


@command.command(epilog=f"Example: toolgen batch status RUN\n\n{_CODES}")
@_run
@_json
def status(run: Path, as_json: bool) -> None:
    """Tell where the files of every round are, as of the last look at them; nobody is asked."""
    folder = _folder_of(run)
    rounds = list(folder.rounds())
    if as_json:
        say_json(dump_pretty([round_.model_dump(mode="json") for round_ in rounds]))
    elif not rounds:
        note(f"{run}: no round is written; `toolgen batch write` writes one", quiet=False)
    else:
        say(laid_out(_table(rounds), columns_of()))


@command.command(
    epilog=f"""\b
Examples:
  toolgen batch collect RUN
  toolgen batch collect RUN --output results.jsonl

{_CODES}"""
)
@_run
@click.option(
    "--output",
    "outputs",
    multiple=True,
    type=FilePath(),
    metavar="FILE",
    help="Take what a program wrote into this file, and ask no server. Repeatable.",
)
@_like_generate(*_OF_SERVERS, *_OF_ANSWERS)
@_quiet
@_json
def collect(run: Path, outputs: tuple[Path, ...], quiet: bool, as_json: bool, **options: Any) -> int:
    """Fetch what has come back of the last round, and make the records that the answers are enough for.

    What is not done yet is told, and left. What was lost, expired or failed is asked again in the next round.
    """
    from generator.batches.collecting import collect as collect_round
    from generator.batches.collecting import collect_by_hand
    from generator.batches.running import told_of
    from generator.batches.writing import settle

    with _working_on(run, options, quiet=quiet, at_once=not outputs, begins=False) as order:
        found = collect_by_hand(order, outputs) if outputs else asyncio.run(collect_round(order))
        note(told_of(found), quiet=quiet)
        report = settle(order) if found.closed else None
    if report is not None:
        note(_made(report.summary), quiet=quiet)
    if as_json:
        say_json(dump_pretty(_document(found.round, report)))
    _refuse(found)
    return 0


@command.command(
    epilog=f"""\b
Examples:
  toolgen batch run RUN my_tools.json --model MODEL --count 5000 --max-cost 40 --prices prices.toml
  toolgen batch run RUN

{_CODES}"""
)
@_run
@_tools
@_like_generate(*_OF_THE_JOB, *_OF_SERVERS, *_OF_ANSWERS, *_OF_LIMITS, "max_minutes")
@_file_requests
@click.option(
    "--pause",
    type=click.FloatRange(1, 3600),
    default=300,
    show_default=True,
    metavar="S",
    help="The longest time between two looks at the batches, in seconds.",
)
@click.option(
    "--finish",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Ask the rest at once, at the full price, where a round would be of N requests or fewer.  [default: never]",
)
@_quiet
@_json
def run(
    run: Path, file_requests: int | None, pause: float, finish: int, quiet: bool, as_json: bool, **options: Any
) -> int:
    """Write, submit and collect round after round, until every record is made.

    It may be stopped at any moment: the batches go on at the server, and the same command collects them.
    """
    from generator.batches.running import run_rounds
    from generator.batches.writing import Written

    with _working_on(run, options, quiet=quiet, file_requests=file_requests, at_once=True) as order:
        report = run_rounds(order, pause, at_once=finish)
    if as_json:
        say_json(dump_pretty(report.summary.model_dump(mode="json")))
    return _end_of_writing(order, Written(None, report), quiet=quiet)


@contextmanager
def _working_on(
    run: Path,
    options: dict[str, Any],
    *,
    quiet: bool,
    file_requests: int | None = None,
    at_once: bool = False,
    begins: bool = True,
) -> Iterator[Order]:
    """Put together what is worked on, and let nobody else work on it while the block runs.

    `at_once` says whether a server is asked, `begins` whether the run may be a new one.
    """
    from generator.batches.order import Order
    from generator.cli.screen import progress_screen

    folder = _folder_of(run, begins=begins)
    asked = _asked(run, options, folder.settings(), quiet=quiet, at_once=at_once)
    if begins:
        folder.make()
    with folder.locked(), progress_screen(quiet=quiet) as on_progress:
        yield Order(
            asked.job,
            asked.catalog,
            run,
            _at_batch_prices(asked.session),
            prompts=asked.prompts,
            price=asked.session.budget.limits.price,
            file_requests=file_requests,
            told=lambda message: note(message, quiet=quiet),
            on_progress=on_progress,
        )


class _Asked(NamedTuple):
    """What a command was told, and what was told before."""

    job: Job
    catalog: Catalog
    session: LLMSession
    prompts: Path | None
    """The folder of prompts of the user's own."""


def _asked(run: Path, options: dict[str, Any], settings: BatchSettings | None, *, quiet: bool, at_once: bool) -> _Asked:
    """Return the job with its tools and its session: what is not told now was told before."""
    from generator.runs.folder import RunFolder
    from generator.runs.job_file import read_job

    model = {**_UNTOLD, **{name: options.pop(name) for name in _UNTOLD if name in options}}
    if settings is not None:
        _fill_in(model, settings)
    known, allow_code = RunFolder(run).job, bool(options.pop("allow_code", False))
    file = options.pop("job_file", None) or (known if known.exists() else None)
    requested = read_job({**given_options(options), "author": "llm"}, file, allow_code=allow_code)
    catalog = load_requested_tools(requested, quiet=quiet or file == known)
    job, session = complete(requested.job, model, quiet=quiet, at_once=at_once)
    if session is None:
        raise UsageError("batches are for --author llm")
    return _Asked(job, catalog, session, model["prompts"])


def _fill_in(model: dict[str, Any], settings: BatchSettings) -> None:
    """Fill in what was told before and is not told now."""
    if settings.author.withheld and not model["base_url"]:
        raise UsageError("the base URL of this run may hold secrets, and was kept nowhere: give --base-url again")
    for name, told in _told_before(settings).items():
        model[name] = model[name] or told or _UNTOLD[name]
    if settings.price is not None and model["prices"] is None and model["price_in"] is model["price_out"] is None:
        model["price_in"], model["price_out"] = settings.price


def _told_before(settings: BatchSettings) -> dict[str, Any]:
    """Return what is kept of the options that a command may leave out, by their names."""
    author, opinion = settings.author, settings.opinion
    told = {
        "base_url": author.base_url,
        "protocol": author.protocol,
        "api_key_env": author.api_key_env,
        "keep_thoughts": settings.keep_thoughts,
        "prompts": Path(settings.prompts) if settings.prompts else None,
    }
    if opinion is None:
        return told
    return told | {"verify_base_url": opinion.base_url, "verify_api_key_env": opinion.api_key_env}


def _at_batch_prices(session: LLMSession) -> LLMSession:
    from generator.backends.budget import Budget

    limits = session.budget.limits
    price = None if limits.price is None else limits.price.in_batches
    return replace(session, budget=Budget(replace(limits, price=price)))


def _folder_of(run: Path, *, begins: bool = False) -> BatchFolder:
    """Return the folder of a run's batches.

    Raises:
        UsageError: there is none.
    """
    from generator.batches.folder import BatchFolder
    from generator.runs.folder import RunFolder

    folder = BatchFolder(RunFolder(run))
    if not begins and not folder.path.is_dir():
        raise UsageError(f"{run}: holds no run with batches; `toolgen batch write` begins one")
    return folder


@contextmanager
def _at_servers(run: Path, options: dict[str, Any]) -> Iterator[tuple[BatchFolder, Servers]]:
    """Find the servers of a run, without its job."""
    from generator.backends.server import ServerOptions
    from generator.batches.order import Servers, server_of

    folder = _folder_of(run)
    settings = folder.settings()
    if settings is None:
        raise UsageError(f"{run}: no round is written; `toolgen batch write` writes one")
    given = ServerOptions(
        options["base_url"], options["protocol"] or "", options["api_key_env"] or "", options["timeout"]
    )
    second = None
    if settings.opinion is not None:
        told = ServerOptions(
            options["verify_base_url"] or "", "", options["verify_api_key_env"] or "", options["timeout"]
        )
        second = server_of(settings.opinion, told)
    with folder.locked():
        yield folder, Servers(server_of(settings.author, given), second)


def _show_plan(run: Path, options: dict[str, Any]) -> int:
    from generator.reports.plan import plan_document, plan_text

    asked = _asked(run, options, _folder_of(run, begins=True).settings(), quiet=True, at_once=False)
    tell(plan_text(plan_document(asked.job, asked.catalog, run, asked.session)))
    return 0


def _end_of_writing(order: Order, written: Written, *, quiet: bool) -> int:
    """Tell what became of the run, and return its exit code.

    Raises:
        DataError: fewer records than asked can be made.
    """
    from generator.batches.running import tell_written
    from generator.reports.summary import reason_of

    if written.round is not None:
        if written.report is None:
            note(f"round {written.round.number} has not come back yet: {_next_step(written.round)}", quiet=quiet)
        else:
            tell_written(order, written)
        return 0
    if written.report is None:
        return 0
    summary = written.report.summary
    note(_made(summary), quiet=quiet)
    if summary.status == "incomplete":
        raise DataError(reason_of(summary))
    return summary.exit_code


def _next_step(round_: Round) -> str:
    states = {file.state for file in round_.files}
    if states & {"written", "sending"}:
        return "`toolgen batch submit` hands it in; or have the files answered, and collect with --output"
    return "`toolgen batch collect` fetches what is done; --again gives it up"


def _made(summary: Summary) -> str:
    ending = {"complete": "; the run is complete", "incomplete": "; no more can be made"}
    return f"{summary.records:,} of {summary.asked:,} records are made{ending.get(summary.status, '')}"


def _document(round_: Round | None, report: RunReport | None) -> dict[str, Any]:
    """Return a round and the run as JSON."""
    summary = None if report is None else report.summary
    made = {} if summary is None else {"status": summary.status, "made": summary.records, "asked": summary.asked}
    return {**made, "round": None if round_ is None else round_.model_dump(mode="json")}


def _refuse(found: Collected) -> None:
    """Raise what a line, or a server of a whole batch, says that is for the user to mend."""
    if found.fatal is not None:
        raise found.fatal
    if found.refused:
        raise BackendError("\n".join([*found.refused, "`toolgen batch submit` hands the same file in again"]))


def _tell_round(round_: Round, *, quiet: bool, as_json: bool) -> None:
    if as_json:
        say_json(dump_pretty(_document(round_, None)))
    elif not quiet:
        say(laid_out(_table([round_]), columns_of()), err=True)


_COLUMNS = (
    Column("round"), Column("file", "left"), Column("model", "left"), Column("requests"), Column("done"),
    Column("state", "left"), Column("server says", "left"), Column("batch", "left"),
)  # fmt: skip


def _table(rounds: list[Round]) -> Table:
    return Table(_COLUMNS, [(str(round_.number), *_cells(file)) for round_ in rounds for file in round_.files])


def _cells(file: RequestFile) -> tuple[str, ...]:
    return (
        file.name,
        file.model,
        f"{file.requests:,}",
        f"{file.done:,}",
        file.state,
        file.said,
        file.batch or ", ".join(file.refused),
    )
