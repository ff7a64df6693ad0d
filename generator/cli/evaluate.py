"""`toolgen evaluate`: the exam of a model over held-out records."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli.job_options import given_options, note
from generator.cli.model_options import JOB_KEYS, asking_options, limits_of, tell_of_waiting
from generator.cli.option_types import FilePath
from generator.cli.terminal import columns_of, say, say_json, say_line, tell
from generator.errors import BackendError, DataError, LimitError, UsageError
from generator.jsontext import dump_pretty

if TYPE_CHECKING:  # imported where they are used, so that --help costs none of them
    from generator.datasets.origin import Origin
    from generator.domains.catalog import Catalog
    from generator.exams.asking import Examinee, Progress, Sitting
    from generator.exams.examination import ExamReport, Loop
    from generator.exams.questions import Questions
    from generator.exams.results import Exam, ModelResult
    from generator.runs.progress import OnProgress

_TOOLS_TOLD = 12
_BAD_TOLD = 3
_STOPPED = {"interrupted": 130, "terminated": 143}
_EPILOG = """\b
Examples:
  toolgen evaluate runs/held_out --model MODEL --base-url http://localhost:8000/v1
  toolgen evaluate test.jsonl --model before --model after --base-url http://localhost:8000/v1 --out exams/first
  toolgen evaluate test.jsonl --model after --against exams/before --to-records next.toml
  toolgen evaluate runs/held_out --model MODEL --loop --most-steps 12
  toolgen evaluate test.parquet --model MODEL --count 200 --max-cost 2 --prices prices.toml --dry-run

The same command goes on with an exam that was interrupted or killed: what was answered is asked no more.

\b
Exit codes: 0 good, 1 no records, or lines that are none, 2 usage, 3 the server failed or left turns unanswered,
4 a limit you set was reached, 5 a file could not be read or written, 75 locked, 130 and 143 interrupted."""


@click.command(epilog=_EPILOG)
@click.argument("records", metavar="RECORDS...", nargs=-1, required=True)
@click.option("--model", "models", multiple=True, metavar="M", help="A model to examine. Repeatable: side by side.")
@click.option(
    "--base-url",
    "base_urls",
    multiple=True,
    metavar="URL",
    help="Its server; one for all models, or one for each in their order.  [default: $OPENAI_BASE_URL, else OpenAI's]",
)
@click.option(
    "--api-key-env",
    "key_variables",
    multiple=True,
    metavar="NAME",
    help="The environment variable with its key; one for all, or one for each.  [default: that of the protocol]",
)
@click.option("--out", "-o", type=FilePath(), metavar="DIR", help="The exam's folder.  [default: output/exam-DIGEST]")
@click.option("--count", type=click.IntRange(1), metavar="N", help="Ask about N records only, of each kind its share.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Decides which those are.")
@click.option("--against", type=FilePath(), metavar="EXAM", help="Compare with this exam's folder, turn by turn.")
@click.option("--answers", type=FilePath(), metavar="EXAM", help="Use the answers of another exam wherever they apply.")
@click.option("--to-records", type=FilePath(), metavar="JOB", help="Write the job of the next data set to this file.")
@click.option("--loop", is_flag=True, help="Hold whole conversations: calls are executed on the records' worlds.")
@click.option(
    "--most-steps",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="The most calls of a conversation, with --loop.  [default: 20]",
)
@asking_options
@click.option(
    "--grace",
    type=click.FloatRange(0, 3600),
    default=8,
    show_default=True,
    metavar="S",
    help="Seconds that an exam which is stopped waits for the answers in flight; Ctrl-C again ends it at once.",
)
@click.option("--dry-run", is_flag=True, help="Print what would be asked and what it takes; send nothing.")
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("--verbose", is_flag=True, help="Tell every tool, and not only those with the most mistakes.")
@click.option("--json", "as_json", is_flag=True, help="Print the results (or the preview) as JSON on stdout.")
def command(records: tuple[str, ...], **options: Any) -> int:
    """Examine a model over held-out records, turn by turn.

    RECORDS are run folders, files of records in any record format, folders of data sets, or - for stdin. Each turn of
    the assistant is asked after the record's own messages before it.
    """
    from generator.datasets.origin import find_origins
    from generator.exams.examination import Examination
    from generator.exams.folder import ExamFolder
    from generator.exams.next_job import require_writable
    from generator.exams.questions import choose, read_questions
    from generator.jsontext import digest

    quiet = options["quiet"]
    examinees = _examinees(options)
    origins = [origin for name in records for origin in find_origins(name)]
    if options["to_records"] is not None:
        require_writable(options["to_records"], len(_catalogs(origins)))
    questions = read_questions(origins)
    _tell_left_out(questions, quiet=quiet)
    questions.records = choose(questions.records, options["count"], options["seed"])
    if options["dry_run"]:
        return _preview(questions, examinees, as_json=options["as_json"])
    examination = Examination(questions, examinees, ExamFolder(Path()), _sitting(options), loop=_loop(options, origins))
    folder = options["out"] or Path("output") / f"exam-{digest(examination.plan.model_dump(mode='json'))[:8]}"
    examination = replace(
        examination, folder=ExamFolder(folder), earlier=options["answers"], against=options["against"]
    )
    with _progress(quiet=quiet) as examination.on_progress:
        report = examination.hold()
    _tell(report, folder, options)
    _tell_uncompared(report, options["against"], quiet=quiet)
    if options["to_records"] is not None:
        _write_job(report.exam, options["to_records"], origins, questions, quiet=quiet)
    return _ending(report, questions, folder)


def _loop(options: dict[str, Any], origins: list[Origin]) -> Loop | None:
    """Return how whole conversations are held; None where turns are asked.

    Raises:
        UsageError: the most steps are given, and no conversation is held.
    """
    from generator.exams.examination import Loop
    from generator.exams.results import MOST_STEPS

    if not options["loop"]:
        if options["most_steps"] is not None:
            raise UsageError("--most-steps limits whole conversations: it needs --loop")
        return None
    return Loop([each.catalog for each in origins if each.catalog is not None], options["most_steps"] or MOST_STEPS)


def _examinees(options: dict[str, Any]) -> list[Examinee]:
    """Return the models with their servers.

    Raises:
        UsageError: there is none, the numbers of models and servers do not fit, or a server cannot be asked.
    """
    from generator.backends.protocols.protocol import require_free
    from generator.backends.server import ServerOptions, protocol_of
    from generator.exams.asking import Examinee

    models = options["models"]
    if not models:
        raise UsageError("an exam needs a model: give --model, by the name its server knows")
    count = max(len(models), len(options["base_urls"]))
    names = _each(models, count, "--model")
    urls = _each(options["base_urls"] or ("",), count, "--base-url")
    keys = _each(options["key_variables"] or ("",), count, "--api-key-env")
    found: list[Examinee] = []
    for place, (name, url, key) in enumerate(zip(names, urls, keys, strict=True)):
        server = ServerOptions(
            base_url=url,
            protocol=options["protocol"] or "",
            api_key_env=key,
            timeout=options["timeout"],
            connections=options["max_concurrency"],
        )
        model = _model_options(options, name)
        server.require_usable()
        require_free(protocol_of(server), model)
        again = names[:place].count(name)
        label = f"{name} ({again + 1})" if again else name
        found.append(Examinee(label, model, server, limits_of(options, name).price, str(again + 1) if again else ""))
    return found


def _each(given: tuple[str, ...], count: int, option: str) -> tuple[str, ...]:
    if len(given) not in (1, count):
        raise UsageError(f"{option} is given {len(given)} times: give it once for all, or {count} times, one for each")
    return given * count if len(given) == 1 else given


def _model_options(options: dict[str, Any], name: str) -> Any:
    """Return what every request says, checked as the options of a job are."""
    from generator.authors.llm.session import model_of
    from generator.runs.job_file import read_job

    held = {key: options[key] for key in JOB_KEYS if key in options}
    return model_of(read_job({**given_options(held), "author": "llm", "model": name}).job)


def _sitting(options: dict[str, Any]) -> Sitting:
    from generator.exams.asking import Sitting

    limits = limits_of(options, options["models"][0])
    notify = (lambda message: None) if options["quiet"] else tell_of_waiting
    return Sitting(limits, options["grace"], notify, options["keep_thoughts"])


def _tell_left_out(questions: Questions, *, quiet: bool) -> None:
    for bad in questions.bad[:_BAD_TOLD]:
        say_line(f"{bad.where}: {bad.why}", err=True)
    if len(questions.bad) > _BAD_TOLD:
        say_line(f"and {len(questions.bad) - _BAD_TOLD:,} more lines that are no records", err=True)
    if questions.silent:
        note(f"{questions.silent:,} records are not asked: the assistant answers nobody in them", quiet=quiet)
    if questions.twice:
        note(f"{questions.twice:,} records stand there twice, and are asked once", quiet=quiet)


def _preview(questions: Questions, examinees: list[Examinee], *, as_json: bool) -> int:
    from generator.exams.examination import preview, preview_text

    told = preview(questions, examinees)
    if as_json:
        say_json(dump_pretty(told))
    else:
        tell(preview_text(told))
    return 0


def _progress(*, quiet: bool) -> Any:
    """Return the display of the progress, fed by an exam's own count."""
    from contextlib import contextmanager

    from generator.cli.screen import progress_screen
    from generator.runs.progress import Progress as Shown

    @contextmanager
    def screen() -> Any:
        with progress_screen(quiet=quiet) as show:
            on_progress: OnProgress = show

            def tick(at: Progress) -> None:
                on_progress(
                    Shown(at.asked, at.resumed, at.decided, at.decided, 0, at.tokens, at.estimated, 0, True, at.cost)
                )

            yield tick

    return screen()


def _tell(report: ExamReport, folder: Path, options: dict[str, Any]) -> None:
    """Print the tables, and where everything is."""
    from generator.cli.tables import laid_out
    from generator.exams.tables import exam_tables

    if options["as_json"]:
        say_json(dump_pretty(report.exam.model_dump(mode="json")))
    if options["quiet"] or options["as_json"]:
        return
    for table in exam_tables(report.exam, None if options["verbose"] else _TOOLS_TOLD):
        say(f"{laid_out(table, columns_of())}\n")
    for model in report.exam.models:
        _tell_calls_elsewhere(model)
    _tell_folder(report.exam, folder)


def _tell_calls_elsewhere(model: ModelResult) -> None:
    """Tell of answers whose calls stood where a server should not leave them."""
    for count, where in ((model.in_text, "the text"), (model.in_thoughts, "the thoughts alone")):
        if count:
            tell(f"note: {model.label}: {count:,} answers had their calls in {where}, and were read there", err=True)


def _tell_folder(exam: Exam, folder: Path) -> None:
    """Tell where the answers are that were graded, if any were, and where to read on."""
    if figures := [model.figures for model in exam.models if model.figures is not None]:
        failed = any(each.metrics["right"].count < each.metrics["right"].of for each in figures)
        to_read = f"to read: `toolgen show {folder}/failures.jsonl`" if failed else "nothing failed"
        tell(f"{folder}: exam.json, grades.jsonl and failures.jsonl; {to_read}", err=True)


def _tell_uncompared(report: ExamReport, against: Path | None, *, quiet: bool) -> None:
    """Tell where an exam ended before it had answers to compare with those of the earlier one."""
    if against is not None and not report.exam.comparisons:
        note(f"--against {against}: nothing is compared, as no turn is graded in both exams", quiet=quiet)


def _write_job(exam: Exam, path: Path, origins: list[Origin], questions: Questions, *, quiet: bool) -> None:
    from generator.exams.next_job import write_next_job

    note(write_next_job(exam, path, _catalogs(origins), questions.records), quiet=quiet)


def _catalogs(origins: list[Origin]) -> list[Catalog]:
    """Return what the origins know of their tools, each catalog once."""
    return list({each.catalog.digest: each.catalog for each in origins if each.catalog is not None}.values())


def _ending(report: ExamReport, questions: Questions, folder: Path) -> int:
    """Return the exit code, or raise what the exam lacks.

    Raises:
        LimitError: a limit was reached.
        BackendError: the server failed, or left turns unanswered.
        DataError: lines were no records.
    """
    again = shlex.join(["toolgen", *(click.get_current_context().find_root().obj or ("evaluate",))])
    if isinstance(report.problem, LimitError):
        raise LimitError(f"{report.problem}. To go on: {again}")
    if report.problem is not None:
        raise report.problem
    if (code := _STOPPED.get(report.exam.status)) is not None:
        say_line(f"{report.exam.status}; to go on: {again}", err=True)
        return code
    if lacking := [_unanswered(model) for model in report.exam.models if model.unanswered]:
        raise BackendError(f"{folder}: {'; '.join(lacking)}; the same command asks for these again")
    if questions.bad:
        raise DataError(f"{len(questions.bad):,} lines are no records, and were not asked")
    return 0


def _unanswered(model: Any) -> str:
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in model.unanswered.items())
    return f"{sum(model.unanswered.values()):,} turns got no answer of {model.label} ({reasons})"
