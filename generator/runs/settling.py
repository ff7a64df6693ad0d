"""Settling: an outcome as it stands after all before it, unlike theirs, and of nothing that was given up by then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import orjson

from generator.backends.budget import total_spent
from generator.runs.giving_up import Exclusions
from generator.runs.outcome import LONGEST_REQUEST, Outcome
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


Planning = Callable[[int, int], tuple[tuple[str, ...], tuple[str, ...]]]
"""Returns, of an attempt at an index, the names of the tools that it plans, and the parts of domain files behind it."""


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
            outcome = _after(_rejected(outcome, twin), again)
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
        outcome = self._standing(outcome)
        while self._exclusions.excludes_record(outcome):
            again = self._maker.produce(outcome.index, outcome.attempt + 1)
            again, more = self._with_late_repeats(again, left - repeats)
            repeats += more
            outcome = _after(outcome, self._standing(again))
        return outcome, repeats

    def _standing(self, outcome: Outcome) -> Outcome:
        """Return an outcome with those of its rejections alone whose attempts are to be made."""
        if self._exclusions is None:
            return outcome
        standing = self._exclusions.admit(outcome)
        of_them = set(map(id, standing))
        keys = zip(outcome.rejections, _keys(outcome), strict=True)
        return replace(outcome, rejections=standing, requests=tuple(key for each, key in keys if id(each) in of_them))

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
                last = rejections[place]
                ended = replace(_given_up(outcome), attempt=last.attempt, kind=last.kind)
                kept, keys = tuple(rejections[: place + 1]), outcome.requests[: place + 1]
                ended = replace(ended, rejections=kept, requests=keys, spent=outcome.spent.for_nothing())
                return ended, repeats
        return (replace(outcome, rejections=tuple(rejections)) if repeats else outcome), repeats


class SettlingOfParts(Settling):
    """Settles outcomes that were settled before, each among those of its own part, as if they had just been made.

    What a part rejected as a repeat is one here as well, or the attempt is made again; how many repeats a part went
    through says nothing, since more or fewer of them may be allowed here.
    """

    def __init__(self, requests: Requests, maker: Maker, plan: Planning, exclusions: Exclusions | None = None) -> None:
        super().__init__(requests, maker, exclusions)
        self._plan = plan

    def settled(self, found: Outcome, most_repeats: Callable[[str], int]) -> Outcome:
        """Return the outcome as it stands; `most_repeats` says how many attempts of a kind may be repeats.

        Raises:
            Stopped: the run is to stop, and another attempt has not come.
        """
        repeats = (each.kind for each in found.rejections if is_repeat(each))
        most = most_repeats(next(repeats, found.kind))
        return super().settled(self._as_made(found), lambda kind: most)

    def _as_made(self, found: Outcome) -> Outcome:
        """Return an outcome whose repeats are those of earlier records of the run, as far as it was made."""
        keys = _keys(found)
        for place, (rejection, key) in enumerate(zip(found.rejections, keys, strict=True)):
            if rejection.attempt != place or (is_repeat(rejection) and self._twin(key) is None):
                before = replace(_given_up(found), rejections=found.rejections[:place], requests=keys[:place])
                return _after(before, self._maker.produce(found.index, place))
        if found.line is None:
            return _left_off(found) if keys and keys[-1] and is_repeat(found.rejections[-1]) else found
        if self._twin(found.key) is None:
            return found
        planned, origins = self._plan(found.index, found.attempt)
        return replace(found, request=_request_of(found.line), planned=planned, origins=origins)


def is_repeat(rejection: Rejection) -> bool:
    """Say whether an attempt was rejected since an earlier record has its request."""
    return any(violation.rule == DUPLICATE for violation in rejection.violations)


def _left_off(outcome: Outcome) -> Outcome:
    """Return an outcome without a record whose last attempt, a repeat, is not judged yet."""
    last = outcome.rejections[-1]
    return replace(
        outcome,
        attempt=last.attempt,
        kind=last.kind,
        key=outcome.requests[-1],
        rejections=outcome.rejections[:-1],
        requests=outcome.requests[:-1],
        planned=last.tools,
        request=last.request,
        origins=last.origins,
    )


def _request_of(line: bytes) -> str:
    """Return what the user says last in a record, as far as a rejection tells it."""
    said = [message["content"] for message in orjson.loads(line)["messages"] if message["role"] == "user"]
    return said[-1][:LONGEST_REQUEST] if said else ""


def _after(outcome: Outcome, again: Outcome) -> Outcome:
    """Return the outcome that takes the place of one that does not stand."""
    spent = total_spent([outcome.spent.for_nothing(), again.spent])
    rejections, keys = (*outcome.rejections, *again.rejections), (*_keys(outcome), *_keys(again))
    return replace(again, rejections=rejections, requests=keys, spent=spent)


def _rejected(outcome: Outcome, twin: int) -> Outcome:
    """Return an outcome whose last attempt is rejected, since another record has its request."""
    rejections, keys = (*outcome.rejections, _duplicate(outcome, twin)), (*_keys(outcome), outcome.key)
    return replace(outcome, rejections=rejections, requests=keys)


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
