"""Running: rounds are written, submitted, waited for and collected, one after the other, until nothing is lacking."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tenacity import AsyncRetrying, RetryCallState, RetryError, retry_if_result, wait_exponential
from tenacity.stop import stop_base

from generator.backends.budget import NO_USAGE, Budget
from generator.batches.collecting import Collected, collect
from generator.batches.order import Order
from generator.batches.submitting import submit, withdraw
from generator.batches.writing import Written, write_round
from generator.errors import BackendError, LimitError
from generator.run import RunReport, run_job

FIRST_LOOK = 5.0
"""Seconds after which a batch is first looked at; then it is left alone twice as long each time."""
LONGEST_PAUSE = 300.0
"""Seconds between two looks at most."""

MOST_UNANSWERED = 3
"""Rounds in a row of which nothing may be answered before the run ends: whatever is lost is asked again till then."""


def run_rounds(order: Order, pause: float = LONGEST_PAUSE, *, at_once: int = 0) -> RunReport:
    """Ask in rounds until every record is made, or can be made no more.

    Args:
        order: what is worked on.
        pause: the longest time between two looks, in seconds.
        at_once: a round of so many requests or fewer is not worth a batch: the rest is asked at once.

    Raises:
        LimitError: a limit is reached; what was asked for is collected, and everything is kept.
        BackendError: a server refuses, only fails, or answered nothing of a round.
    """
    unanswered = 0
    while (written := write_round(order)).round is not None:
        if written.round.requests <= at_once and withdraw(order.folder, written.round):
            order.told(f"the last {written.round.requests:,} requests, and what follows from them, are asked at once")
            return _finish_at_once(order)
        tell_written(order, written)
        collected = asyncio.run(finish_round(order, pause))
        order.session.budget.settle(written.aside, collected.used)
        order.told(told_of(collected))
        unanswered = 0 if collected.answered else unanswered + 1
        if unanswered >= MOST_UNANSWERED:
            raise BackendError(f"nothing of the last {unanswered} rounds was answered: {_reasons(collected)}")
    if written.report is None:
        raise ValueError("a round that is not open was not written")
    return written.report


def _finish_at_once(order: Order) -> RunReport:
    """Ask what is lacking as any run does, at the price of that."""
    limits = replace(order.session.budget.limits, price=order.price)
    session = replace(order.session, budget=Budget(limits), wanted=None)
    return run_job(order.job, order.catalog, order.out, session=session, on_progress=order.on_progress)


def tell_written(order: Order, written: Written) -> None:
    """Tell of a round that is open now."""
    if written.round is None:
        return
    files = f"{len(written.round.files):,} file{'' if len(written.round.files) == 1 else 's'}"
    left = f"; a limit leaves out {written.left_out:,} more" if written.left_out else ""
    made = "" if written.report is None else f"; {written.report.summary.records:,} records are made"
    order.told(f"round {written.round.number}: {written.round.requests:,} requests in {files}{left}{made}")


async def finish_round(order: Order, pause: float = LONGEST_PAUSE) -> Collected:
    """Submit what is not submitted of the last round, and collect until all of it has come back."""
    total: Collected | None = None

    async def look() -> Collected:
        nonlocal total
        await submit(order.folder, order.servers)
        found = await collect(order)
        total = _added(total, found)
        _require_more(found)
        return found

    policy = AsyncRetrying(
        retry=retry_if_result(_is_open),
        stop=_TimeIsUp(order.session.budget),
        wait=wait_exponential(multiplier=FIRST_LOOK, max=pause),
        sleep=asyncio.sleep,
    )
    try:
        found: Collected = await policy(look)
    except RetryError as late:
        limit = order.session.budget.exceeded_by(NO_USAGE) or LimitError("--max-minutes is reached")
        raise LimitError(f"{limit}; the batches go on: the same command collects them") from late
    return found if total is None else total


class _TimeIsUp(stop_base):
    """Stops where no more is to be waited for."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def __call__(self, retry_state: RetryCallState) -> bool:
        """Say whether the time of the session is up."""
        return self._budget.seconds_left() <= 0


def _is_open(found: Collected) -> bool:
    return found.round.is_open


def _added(total: Collected | None, found: Collected) -> Collected:
    if total is not None:
        found.counts += total.counts
        found.used += total.used
    return found


def _require_more(found: Collected) -> None:
    """End the run where a line or a whole batch says that nothing will come of it.

    Raises:
        BackendError: it does.
    """
    if found.fatal is not None:
        raise found.fatal
    if found.refused and not (found.may_pass and (found.waiting or found.closed)):
        raise BackendError("\n".join(found.refused))


def told_of(found: Collected) -> str:
    """Say what was collected in a line."""
    back = sum(file.state == "collected" for file in found.round.files)
    others = _reasons(found)
    return (
        f"round {found.round.number}: {back:,} of {len(found.round.files):,} files are back, with "
        f"{found.answered:,} answers" + (f"; {others}" if others else "")
    )


def _reasons(found: Collected) -> str:
    return ", ".join(f"{reason} {count:,}" for reason, count in found.counts.most_common() if reason != "answered")
