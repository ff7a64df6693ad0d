"""Settling: what an outcome is after all before it: no repeat of a request (RUN001), nothing that was given up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import orjson

from generator.backends.budget import total_spent
from generator.runs.giving_up import NOTHING_LEFT, Exclusions
from generator.runs.outcome import LONGEST_REQUEST, Outcome
from generator.scenarios.planner import after_repeat
from generator.validation.verdict import Rejection, Violation

DUPLICATE = "RUN001"
"""The rule that a run holds no two records with the same request."""


class Maker(Protocol):
    """Makes the outcome of any index of one job; a function of its arguments alone."""

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        """Attempt one index, beginning with this attempt number."""
        ...


class Requests(Protocol):
    """Knows the requests of the records so far."""

    def with_request(self, key: bytes) -> int | None:
        """Return the index of the record that has this request, or None."""
        ...


Planning = Callable[[int, int], tuple[tuple[str, ...], tuple[str, ...]]]
"""Returns, of an attempt at an index, the names of the tools that it plans, and the parts of domain files behind it."""


class _Repeats:
    """Counts the attempts at an index that repeat earlier requests: the kind of the first tells how many may be."""

    def __init__(self, most_repeats: Callable[[str], int]) -> None:
        self._most_repeats = most_repeats
        self._most: int | None = None
        self._found = 0

    def note(self, kind: str) -> None:
        """Take note of one, of this kind."""
        if self._most is None:
            self._most = self._most_repeats(kind)
        self._found += 1

    @property
    def over(self) -> bool:
        """Whether there were as many as there may be, so that the index ends without a record."""
        return self._most is not None and self._found >= self._most


class Settling:
    """Settles the outcomes of a run one after the other, in the order of their indices.

    An attempt whose request an earlier record has is a repeat, whatever else is wrong with it, and whether it was left
    off for it or found so late: what is settled does not depend on what was known when it was made. It is followed by
    an attempt with another tool (see `after_repeat`); those between, where they were made, do not stand.
    """

    def __init__(self, requests: Requests, maker: Maker, attempts: int, exclusions: Exclusions | None = None) -> None:
        self._requests = requests
        self._maker = maker
        self._attempts = attempts
        self._exclusions = exclusions

    def settled(self, found: Outcome, most_repeats: Callable[[str], int]) -> Outcome:
        """Return the outcome as it stands; `most_repeats` says how many attempts of a kind may be repeats.

        Raises:
            Stopped: the run is to stop, and another attempt has not come.
        """
        repeats = _Repeats(most_repeats)
        return self._concluded(self._admitted(found, repeats), repeats)

    def _concluded(self, outcome: Outcome, repeats: _Repeats) -> Outcome:
        """Return an admitted outcome with another record where it has the request of an earlier one."""
        while (twin := self._twin(outcome.key)) is not None:
            repeats.note(outcome.kind)
            again = _given_up(outcome)
            if not repeats.over:
                again = self._made(outcome.index, after_repeat(outcome.attempt, self._attempts), repeats)
            outcome = _after(self._rejected(outcome, twin), again)
        if self._exclusions is not None:
            if outcome.line is None and not outcome.rejections:
                outcome = replace(outcome, rejections=(self._exclusions.nothing_left(outcome.index, outcome.kind),))
            self._exclusions.settle(outcome)
        return outcome

    def _twin(self, key: bytes) -> int | None:
        return self._requests.with_request(key) if key else None

    def _rejected(self, outcome: Outcome, twin: int) -> Outcome:
        """Return an outcome whose last attempt is rejected, since another record has its request."""
        rejections, keys = (*outcome.rejections, _duplicate(outcome, twin)), (*_keys(outcome), outcome.key)
        return replace(outcome, rejections=rejections, requests=keys)

    def _made(self, index: int, attempt: int, repeats: _Repeats) -> Outcome:
        """Return what is made of an index from an attempt on, admitted."""
        return self._admitted(self._maker.produce(index, attempt), repeats)

    def _admitted(self, outcome: Outcome, repeats: _Repeats) -> Outcome:
        """Return an outcome without the attempts that are not to be made, its repeats told among its rejections."""
        outcome, following = self._judged(outcome, repeats)
        if outcome.attempt < following and (outcome.line is not None or outcome.key):
            return _after(outcome, self._made(outcome.index, following, repeats))
        if self._exclusions is not None and self._exclusions.excludes_record(outcome):
            return _after(outcome, self._made(outcome.index, outcome.attempt + 1, repeats))
        return outcome

    def _judged(self, outcome: Outcome, repeats: _Repeats) -> tuple[Outcome, int]:
        """Return an outcome with those of its rejections that stand, and the first attempt that may stand after them.

        The last repeat that is allowed ends it.
        """
        if self._exclusions is None and not any(outcome.requests):
            return outcome, 0
        kept: list[Rejection] = []
        keys: list[bytes] = []
        following = 0
        for found, key in zip(outcome.rejections, _keys(outcome), strict=True):
            if found.attempt < following:
                continue
            twin = self._twin(key)
            rejection = found if twin is None else _as_duplicate(found, twin)
            if not self._stands(outcome, rejection):
                continue
            kept.append(rejection)
            keys.append(key)
            if twin is not None:
                repeats.note(rejection.kind)
                following = after_repeat(rejection.attempt, self._attempts)
                if repeats.over:
                    ended = replace(_given_up(outcome), attempt=rejection.attempt, kind=rejection.kind)
                    spent = outcome.spent.for_nothing()
                    return replace(ended, rejections=tuple(kept), requests=tuple(keys), spent=spent), following
        return replace(outcome, rejections=tuple(kept), requests=tuple(keys)), following

    def _stands(self, outcome: Outcome, rejection: Rejection) -> bool:
        """Say whether a rejection is one of an attempt that is to be made."""
        alone = replace(outcome, rejections=(rejection,), requests=())
        return self._exclusions is None or bool(self._exclusions.admit(alone))


class SettlingOfParts(Settling):
    """Settles outcomes that were settled before, each among those of its own part, as if they had just been made.

    What a part rejected as a repeat is one here as well, or the attempt is made again; how many repeats a part went
    through says nothing, since more or fewer of them may be allowed here. So it is with what a part left out since
    its kind, or a tool of it, was given up there.
    """

    def __init__(
        self, requests: Requests, maker: Maker, attempts: int, plan: Planning, exclusions: Exclusions | None = None
    ) -> None:
        super().__init__(requests, maker, attempts, exclusions)
        self._plan = plan
        self._ahead: dict[bytes, int] = {}
        """The requests of outcomes that are not kept, where those behind them are looked at."""

    def remember(self, outcome: Outcome) -> None:
        """Take note of an outcome that is not kept: what is settled after it is unlike it."""
        if outcome.line is not None:
            self._ahead[outcome.key] = outcome.index

    def _twin(self, key: bytes) -> int | None:
        return super()._twin(key) if (ahead := self._ahead.get(key)) is None else ahead

    def settled(self, found: Outcome, most_repeats: Callable[[str], int]) -> Outcome:
        """Return the outcome as it stands; `most_repeats` says how many attempts of a kind may be repeats.

        What its attempts have cost in their part stays what they have cost, also of those that do not stand.

        Raises:
            Stopped: the run is to stop, and another attempt has not come.
        """
        repeats = _Repeats(most_repeats)
        outcome = self._concluded(self._taken_over(found, repeats), repeats)
        return replace(outcome, spent=outcome.spent.without_refund())

    def _taken_over(self, found: Outcome, repeats: _Repeats) -> Outcome:
        """Return an outcome as far as its attempts are those of this run, and made anew from there."""
        taken, following = self._known(found, repeats)
        if repeats.over:
            return taken
        if found.line is None or following != found.attempt:
            return _after(taken, self._made(found.index, following, repeats))
        outcome = replace(found, rejections=taken.rejections, requests=taken.requests)
        if self._exclusions is not None and self._exclusions.excludes_record(outcome):
            return _after(outcome, self._made(found.index, found.attempt + 1, repeats))
        return outcome

    def _rejected(self, outcome: Outcome, twin: int) -> Outcome:
        """Return an outcome whose last attempt is rejected, with what its row does not tell of the attempt."""
        if outcome.line is not None and not outcome.request:
            planned, origins = self._plan(outcome.index, outcome.attempt)
            outcome = replace(outcome, request=_request_of(outcome.line), planned=planned, origins=origins)
        return super()._rejected(outcome, twin)

    def _known(self, found: Outcome, repeats: _Repeats) -> tuple[Outcome, int]:
        """Return the rejections that stand before the first attempt that is to be made anew, and that attempt."""
        taken = replace(_given_up(found), spent=found.spent)
        following = 0
        for rejection, key in zip(found.rejections, _keys(found), strict=True):
            if rejection.attempt < following:
                continue
            anew = self._to_make(found.index, following, rejection.attempt)
            if anew is not None:
                return taken, anew
            if _is_nothing_left(rejection):
                break
            if self._stands_no_more(rejection, key):
                return taken, rejection.attempt
            alone = replace(_given_up(found), rejections=(rejection,), requests=(key,))
            judged, after = self._judged(alone, repeats)
            taken = replace(
                taken,
                attempt=judged.attempt,
                kind=judged.kind,
                rejections=(*taken.rejections, *judged.rejections),
                requests=(*taken.requests, *judged.requests),
            )
            following = max(rejection.attempt + 1, after)
            if repeats.over:
                return replace(taken, spent=found.spent.for_nothing()), following
        if found.line is None or found.attempt < following:
            return taken, following
        anew = self._to_make(found.index, following, found.attempt)
        return taken, found.attempt if anew is None else anew

    def _to_make(self, index: int, start: int, stop: int) -> int | None:
        """Return the first of some attempts that is to be made, None where all of them are given up."""
        if self._exclusions is None:
            return start if start < stop else None
        return next((each for each in range(start, stop) if not self._exclusions.skips(index, each)), None)

    def _stands_no_more(self, rejection: Rejection, key: bytes) -> bool:
        """Say whether what a part rejected as a repeat is none here, nor left out for its kind or tools."""
        if not is_repeat(rejection) or self._twin(key) is not None:
            return False
        return self._exclusions is None or not self._exclusions.excludes_rejection(rejection)


def is_repeat(rejection: Rejection) -> bool:
    """Say whether an attempt was rejected since an earlier record has its request."""
    return any(violation.rule == DUPLICATE for violation in rejection.violations)


def _is_nothing_left(rejection: Rejection) -> bool:
    return any(violation.rule == NOTHING_LEFT for violation in rejection.violations)


def _request_of(line: bytes) -> str:
    """Return what the user says last in a record, as far as a rejection tells it."""
    said = [message["content"] for message in orjson.loads(line)["messages"] if message["role"] == "user"]
    return said[-1][:LONGEST_REQUEST] if said else ""


def _after(outcome: Outcome, again: Outcome) -> Outcome:
    """Return the outcome that takes the place of one that does not stand."""
    spent = total_spent([outcome.spent.for_nothing(), again.spent])
    rejections, keys = (*outcome.rejections, *again.rejections), (*_keys(outcome), *_keys(again))
    return replace(again, rejections=rejections, requests=keys, spent=spent)


def _keys(outcome: Outcome) -> tuple[bytes, ...]:
    """Return the key of each rejected attempt, b"" for those of which none is known."""
    return (*outcome.requests, *[b""] * (len(outcome.rejections) - len(outcome.requests)))


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
