"""Settling: an outcome as it stands after all before it, unlike theirs, and of nothing that was given up by then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from generator.backends.budget import total_spent
from generator.runs.giving_up import Exclusions
from generator.runs.outcome import Outcome
from generator.validation.verdict import Rejection, Violation

DUPLICATE = "RUN001"
"""The rule that a run holds no two records with the same request."""


class Maker(Protocol):
    """Makes the outcome of any index of one job."""

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        """Attempt one index, beginning with this attempt number."""
        ...


class Requests(Protocol):
    """Knows the requests of the records so far."""

    def with_request(self, key: bytes) -> int | None:
        """Return the index of the record that has this request, or None."""
        ...


class Settling:
    """Settles the outcomes of a run one after the other, in the order of their indices.

    An attempt whose request an earlier record has is a repeat, whatever else is wrong with it, and whether it was left
    off for it or found so late: what is settled does not depend on what was known when it was made.
    """

    def __init__(self, requests: Requests, maker: Maker, exclusions: Exclusions | None = None) -> None:
        self._requests = requests
        self._maker = maker
        self._exclusions = exclusions

    def settled(self, found: Outcome, most_repeats: Callable[[str], int]) -> Outcome:
        """Return the outcome as it stands; `most_repeats` says how many attempts of a kind may be repeats.

        Raises:
            Stopped: the run is to stop, and another attempt has not come.
        """
        outcome, repeats = self._admitted(found, most_repeats(found.kind))
        left = most_repeats(outcome.kind) - repeats
        while (twin := self._twin(outcome.key)) is not None:
            left -= 1
            again = _given_up(outcome)
            if left > 0:
                again, repeats = self._admitted(self._maker.produce(outcome.index, outcome.attempt + 1), left)
                left -= repeats
            outcome = _after(outcome, again, [_duplicate(outcome, twin)])
        if self._exclusions is not None:
            if outcome.line is None and not outcome.rejections:
                outcome = replace(outcome, rejections=(self._exclusions.nothing_left(outcome.index, outcome.kind),))
            self._exclusions.settle(outcome)
        return outcome

    def _twin(self, key: bytes) -> int | None:
        return self._requests.with_request(key) if key else None

    def _admitted(self, outcome: Outcome, left: int) -> tuple[Outcome, int]:
        """Return an outcome without the attempts that are not to be made, and how many attempts of it are repeats."""
        outcome, repeats = self._with_late_repeats(outcome, left)
        if self._exclusions is None:
            return outcome, repeats
        outcome = replace(outcome, rejections=self._exclusions.admit(outcome))
        while self._exclusions.excludes_record(outcome):
            again = self._maker.produce(outcome.index, outcome.attempt + 1)
            again, more = self._with_late_repeats(again, left - repeats)
            repeats += more
            outcome = _after(outcome, replace(again, rejections=self._exclusions.admit(again)))
        return outcome, repeats

    def _with_late_repeats(self, outcome: Outcome, left: int) -> tuple[Outcome, int]:
        """Return an outcome whose repeats are told among its rejections, and how many; the last allowed ends it."""
        rejections = list(outcome.rejections)
        repeats = 0
        for place, key in enumerate(outcome.requests):
            if (twin := self._twin(key)) is None:
                continue
            rejections[place] = _as_duplicate(rejections[place], twin)
            repeats += 1
            if repeats >= left:
                ended = replace(_given_up(outcome), attempt=rejections[place].attempt)
                kept = tuple(rejections[: place + 1])
                return replace(ended, rejections=kept, spent=outcome.spent.for_nothing()), repeats
        return (replace(outcome, rejections=tuple(rejections)) if repeats else outcome), repeats


def _after(outcome: Outcome, again: Outcome, why: Sequence[Rejection] = ()) -> Outcome:
    """Return the outcome that takes the place of one that does not stand."""
    spent = total_spent([outcome.spent.for_nothing(), again.spent])
    return replace(again, rejections=(*outcome.rejections, *why, *again.rejections), spent=spent)


def _given_up(outcome: Outcome) -> Outcome:
    return Outcome(outcome.index, outcome.attempt, outcome.kind, None, b"", (), ())


def _duplicate(outcome: Outcome, twin: int) -> Rejection:
    tools = outcome.planned or tuple(name for name, _ in outcome.statuses) or outcome.shown
    rejection = Rejection(
        index=outcome.index,
        attempt=outcome.attempt,
        kind=outcome.kind,
        tools=tools,
        violations=(),
        request=outcome.request,
        origins=outcome.origins,
    )
    return _as_duplicate(rejection, twin)


def _as_duplicate(rejection: Rejection, twin: int) -> Rejection:
    violation = Violation(rule=DUPLICATE, pointer="/messages", message=f"the request is that of record {twin}")
    return rejection.model_copy(update={"violations": (violation,)})
