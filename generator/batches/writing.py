"""Writing a round: the run goes as far as its answers reach, and what it lacks then becomes files of requests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from generator.backends.backend import Verdicts
from generator.backends.batches.wanted import Wanted
from generator.backends.budget import NO_USAGE, Usage
from generator.batches.folder import Round
from generator.batches.order import Order
from generator.batches.requests import FailureLog, KnownAnswers, RoundRequests
from generator.engines.engine import EngineOptions
from generator.errors import EngineError
from generator.run import RunReport, run_job
from generator.runs.made import holds_record, remove_made


@dataclass(frozen=True, slots=True)
class Written:
    """What came of writing a round."""

    round: Round | None
    """The round that is open now; None where no answer is lacking any more, or the run was stopped."""
    report: RunReport | None = None
    """What the run is now; None where the round was open already, and nothing was made."""
    left_out: int = 0
    """Requests that a limit left out; a later round asks them."""
    aside: Usage = NO_USAGE
    """What the requests may take at most, as far as a limit has that counted."""


def write_round(order: Order) -> Written:
    """Make what can be made and write what is lacking as the next round; one that is open already stays as it is.

    Raises:
        LimitError: a limit leaves no request in the round.
        BackendError: none of the answers so far can be used.
    """
    folder = order.folder
    last = folder.last_round()
    if last is not None and last.is_open:
        return Written(last)
    settings = order.settings()
    folder.save_settings(settings)
    number = 1 if last is None else last.number + 1
    with FailureLog(folder.failures) as failures:
        requests = RoundRequests(
            order.servers,
            settings,
            failures,
            folder.make_round(number),
            order.session.budget,
            order.file_requests,
        )
        try:
            report = _run(order, requests, "ask")
            if report.summary.status != "waiting":
                if report.summary.decided == report.summary.asked:
                    remove_made(folder.made)
                return Written(None, report)
            files = requests.close()
        finally:
            requests.discard()
    if not files:
        raise requests.limit or EngineError(f"{order.out}: nothing is left to ask, and records are lacking")
    written = Round(number=number, files=files)
    folder.save(written)
    return Written(written, report, requests.left_out, requests.aside)


def settle(order: Order) -> RunReport:
    """Make the records that the answers so far are enough for, and publish them; nothing is written to be asked."""
    folder = order.folder
    with FailureLog(folder.failures) as failures:
        return _run(order, KnownAnswers(order.servers, order.settings(), failures), "settle")


def _run(order: Order, wanted: Wanted, stage: Literal["settle", "ask"]) -> RunReport:
    verdicts = Verdicts()
    session = replace(order.session, wanted=wanted, verdicts=verdicts)
    report = run_job(
        order.job,
        order.catalog,
        order.out,
        engine=EngineOptions(round=stage, made=order.folder.made, examined=order.examined),
        session=session,
        on_progress=order.on_progress,
    )
    if (
        report.summary.status == "waiting"
        and verdicts.on_trial
        and not (report.summary.records or holds_record(order.folder.made))
        and (end := verdicts.hopeless(session.server.masked_url))
    ):
        raise end
    return report
