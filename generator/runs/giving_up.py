"""Giving up: from failures in a row, when a run stops, and which kinds and tools a model is asked for no more.

Both follow from the attempts in the order of index and attempt alone, whatever order they came in: the same answers
give the same records, also where a run was interrupted. Attempts that were made ahead of the decision, and would not
have been made after it, are left out of the run.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from typing import Self

from generator.kinds import KINDS
from generator.runs.outcome import Outcome
from generator.runs.rows import StoredRow
from generator.scenarios.planner import ATTEMPTS_OF_A_KIND, Planner
from generator.scenarios.scenario import NOT_PLANNED, PlanError
from generator.validation.verdict import Rejection, Violation

MOST_FAILED_INDICES = 500
"""Indices in a row, of whatever kinds, that may end without a record before the run stops."""
_MOST_HALVINGS = 30


class ConsecutiveFailures:
    """Counts indices in a row that ended without a record; each of one kind halves what is tried at its next.

    Such a run lacks records already; the full number of attempts at every further index would only cost time.
    """

    def __init__(self, attempts: int) -> None:
        self._attempts = attempts
        self._misses: Counter[str] = Counter()
        self.indices = 0
        """Indices in a row that ended without a record, up to the last one."""

    @classmethod
    def after(cls, ends: Iterable[tuple[str, bool]], attempts: int) -> Self:
        """Return what is left after these outcomes: the kind of each index in order, and whether it has a record."""
        failures = cls(attempts)
        for kind, kept in ends:
            failures.note(kind, kept=kept)
        return failures

    def note(self, kind: str, *, kept: bool) -> None:
        """Take note of how the next index ended."""
        self._misses[kind] = 0 if kept else self._misses[kind] + 1
        self.indices = 0 if kept else self.indices + 1

    def repeats(self, kind: str) -> int:
        """Return how many requests of earlier records the next index of this kind may come upon, at least one."""
        return max(1, self._attempts >> min(self._misses[kind], _MOST_HALVINGS))

    @property
    def none(self) -> bool:
        """Whether no index of any kind has ended without a record since one of its kind had one."""
        return not self.indices and not any(self._misses.values())

    @property
    def too_many(self) -> bool:
        """Whether the run is to stop, since nothing has come of it for long."""
        return self.indices >= MOST_FAILED_INDICES


MOST_FAILURES_BEFORE_SUCCESS = 8
"""Attempts in a row without a usable answer after which a kind or a tool is given up that has never served."""
MOST_FAILURES_AFTER_SUCCESS = 24
"""As many of one that has."""
KINDS_OF_A_TOOL = 3
"""Kinds in which a tool must have failed, where there are as many: else it is the kind's fault."""
NOTHING_LEFT = "RUN002"
"""The rule that a record can be made without what was given up."""
IN_DOUBT = 3
"""A kind is in doubt after one in so many of the attempts that give it up."""
_NOT_OF_ANSWERS = frozenset({NOT_PLANNED, "RUN001", NOTHING_LEFT, "LM002", "LM010"})
"""Rules that say nothing of whether answers can be used: of plans, repeats, and servers that do not answer."""
_LONGEST_REASON = 160

Subject = tuple[str, str]
"""`kind` or `tool`, and its name."""


@dataclass(slots=True)
class _Ledger:
    """What came of the attempts so far, in their order."""

    given_up: dict[Subject, str] = field(default_factory=dict)
    misses: Counter[Subject] = field(default_factory=Counter)
    """Attempts in a row that failed."""
    kinds: dict[str, set[str]] = field(default_factory=dict)
    """The kinds in which a tool has failed since it last served."""
    served: set[Subject] = field(default_factory=set)

    def most(self, subject: Subject) -> int:
        """Return how many attempts in a row may fail."""
        return MOST_FAILURES_AFTER_SUCCESS if subject in self.served else MOST_FAILURES_BEFORE_SUCCESS


class Exclusions:
    """What is given up. Indices are at work in one event loop, and are settled one after the other."""

    def __init__(
        self,
        planner: Planner,
        attempts: int,
        tell: Callable[[str], None] = lambda message: None,
        *,
        in_doubt: int = IN_DOUBT,
    ) -> None:
        self._planner = planner
        self._in_doubt = in_doubt
        self._attempts = attempts
        self._tell = tell
        self._calling = sum(KINDS[kind].calls for kind in planner.mix)
        self._ledger = _Ledger()
        self._next = 0
        """The first index that is not settled."""
        self._own: dict[int, list[Rejection]] = {}
        """What is rejected at indices that are not settled."""
        self._unsettled_failures: Counter[str] = Counter()
        """Attempts of a kind in a row that failed, in the order in which they came."""
        self._tried: dict[str, set[int]] = {}
        """The indices at which a kind was tried, of those that are not settled."""
        self._change = asyncio.Event()

    @property
    def given_up(self) -> dict[Subject, str]:
        """What is asked for no more, and why."""
        return self._ledger.given_up

    def begin_from(self, rows: Iterable[StoredRow], following: int) -> None:
        """Begin anew from what is settled; `following` is the index that comes next."""
        self._ledger = _Ledger()
        self._count(rows)
        self._own.clear()
        self._tried.clear()
        self._next = following

    def pass_over(self, rows: Iterable[StoredRow], following: int) -> None:
        """Go on behind what was settled before; `following` is the index that comes next."""
        self._count(rows)
        self._next = following
        self._wake()

    def _count(self, rows: Iterable[StoredRow]) -> None:
        for kept in rows:
            for rejection in kept.rejections:
                self._take(self._ledger, rejection)
            if kept.line is not None:
                self._serve(kept.index, kept.attempt)

    def admit(self, outcome: Outcome) -> tuple[Rejection, ...]:
        """Take the attempts of the next index, and return those rejections that stand: of attempts to be made."""
        self._own.pop(outcome.index, None)
        before = len(self.given_up)
        standing = tuple(each for each in outcome.rejections if self._take(self._ledger, each))
        for (of, name), reason in list(self.given_up.items())[before:]:
            self._tell(f"the {of} {name} is given up, and gives its share to the others: {reason}")
        return standing

    def settle(self, outcome: Outcome) -> None:
        """Take note that an index is settled."""
        if outcome.line is not None:
            self._serve(outcome.index, outcome.attempt)
        self._next = outcome.index + 1
        for indices in self._tried.values():
            indices.discard(outcome.index)
        self._wake()

    def excludes(self, index: int, attempt: int, called: Iterable[str] = ()) -> bool:
        """Say whether an attempt is not to be made: its kind is given up, or a tool that leads it or is called."""
        return self._excludes(self._ahead(index), index, attempt, called)

    def excludes_record(self, outcome: Outcome) -> bool:
        """Say whether an outcome holds a record of a kind, or with a call of a tool, that is given up."""
        if outcome.line is None and not outcome.key:
            return False
        planned = outcome.planned if outcome.kind in KINDS and KINDS[outcome.kind].calls else ()
        called = planned if outcome.line is None else (name for name, _ in outcome.statuses)
        return self.excludes(outcome.index, outcome.attempt, called)

    def excludes_rejection(self, rejection: Rejection) -> bool:
        """Say whether a rejected attempt is not to be made."""
        return self._excludes(self._ledger, rejection.index, rejection.attempt, _called_by(rejection))

    def skips(self, index: int, attempt: int) -> bool:
        """Say whether an attempt of which nothing was made is not to be made, by the tools it would call as well."""
        if not self.has_tool_given_up(index):
            return self.excludes(index, attempt)
        try:
            called = tuple(call.tool.name for call in self._planner.plan(index, attempt).calls)
        except PlanError:
            called = ()
        return self.excludes(index, attempt, called)

    def has_tool_given_up(self, index: int) -> bool:
        """Say whether some tool is given up where an index is at work."""
        return any(of == "tool" for of, _ in self._ahead(index).given_up)

    def nothing_left(self, index: int, kind: str) -> Rejection:
        """Return why an index has no record at which no attempt is made."""
        message = "every kind and tool that could serve here was given up"
        violation = Violation(rule=NOTHING_LEFT, pointer="", message=message)
        return Rejection(index=index, attempt=self._attempts - 1, kind=kind, tools=(), violations=(violation,))

    async def turn(self, index: int, attempt: int) -> bool:
        """Wait until an attempt may be made; False where it is not to be.

        Where a kind fails and fails, the first index that is not settled goes on alone, until it is decided whether
        the kind is given up.
        """
        kind = self._planner.kind_at(index, attempt)
        tried = self._tried.setdefault(kind, set())
        tried.add(index)
        while not (excluded := self.excludes(index, attempt)) and self._is_in_doubt(kind) and index != min(tried):
            await self._change.wait()
        return not excluded

    def note(self, index: int, attempt: int, rejection: Rejection | None) -> None:
        """Take note of an attempt as it comes: None for one that made a record. It decides nothing for the others."""
        kind = self._planner.kind_at(index, attempt)
        if rejection is None:
            self._unsettled_failures[kind] = 0
            self._wake()
            return
        self._own.setdefault(index, []).append(rejection)
        self._unsettled_failures[kind] += _is_miss(rejection)

    def recall(self, index: int, rejections: Iterable[Rejection], attempt: int | None) -> None:
        """Take note of attempts that were made in an earlier round; `attempt` is the one that made a record."""
        for each in rejections:
            self._unsettled_failures[self._planner.kind_at(index, each.attempt)] += _is_miss(each)
        if attempt is not None:
            self._unsettled_failures[self._planner.kind_at(index, attempt)] = 0

    def decisive(self) -> list[tuple[int, int]]:
        """Return the attempts that are to be gone through ahead of their turn, by index: none, where all may wait."""
        return []

    def _is_in_doubt(self, kind: str, in_doubt: int = 0) -> bool:
        subject, failures = ("kind", kind), self._unsettled_failures[kind] * (in_doubt or self._in_doubt)
        return failures >= self._ledger.most(subject) and self._can_go(self._ledger, subject)

    def _wake(self) -> None:
        self._change.set()
        self._change = asyncio.Event()

    def _ahead(self, index: int) -> _Ledger:
        """Return the ledger as it will be for an index: its own attempts count where all before it is settled."""
        if index != self._next or index not in self._own:
            return self._ledger
        ledger = deepcopy(self._ledger)
        for rejection in self._own[index]:
            self._take(ledger, rejection)
        return ledger

    def _excludes(self, ledger: _Ledger, index: int, attempt: int, called: Iterable[str]) -> bool:
        if not ledger.given_up:
            return False
        tools = (("tool", name) for name in called)
        return any(subject in ledger.given_up for subject in (*self._subjects(index, attempt), *tools))

    def _take(self, ledger: _Ledger, rejection: Rejection) -> bool:
        """Count a rejection; False where its attempt is not to be made."""
        if self._excludes(ledger, rejection.index, rejection.attempt, _called_by(rejection)):
            return False
        for subject in self._subjects(rejection.index, rejection.attempt) if _is_miss(rejection) else ():
            self._miss(ledger, subject, rejection)
        return True

    def _serve(self, index: int, attempt: int) -> None:
        for subject in self._subjects(index, attempt):
            self._ledger.served.add(subject)
            self._ledger.misses[subject] = 0
            self._ledger.kinds.pop(subject[1], None)

    def _subjects(self, index: int, attempt: int) -> tuple[Subject, ...]:
        """Return what an attempt is about: its kind, and the tool that leads it."""
        kind = self._planner.kind_at(index, attempt)
        if not KINDS[kind].calls:
            return (("kind", kind),)
        return ("kind", kind), ("tool", self._planner.lead_at(index, attempt).name)

    def _miss(self, ledger: _Ledger, subject: Subject, rejection: Rejection) -> None:
        of, name = subject
        ledger.misses[subject] += 1
        if of == "tool":
            kinds = ledger.kinds.setdefault(name, set())
            kinds.add(rejection.kind)
            if len(kinds) < min(KINDS_OF_A_TOOL, self._calling):
                return
        if ledger.misses[subject] < ledger.most(subject) or not self._can_go(ledger, subject):
            return
        found = rejection.violations[0]
        text = " ".join(f"{found.rule} {found.message}".split())
        cut = text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]}..."
        row = f"no usable answer in {ledger.misses[subject]} attempts in a row"
        ledger.given_up[subject] = f"{row}, the last at record {rejection.index}: {cut}"

    def _can_go(self, ledger: _Ledger, subject: Subject) -> bool:
        """Say whether something is left where a subject goes, and whether it may take its place."""
        of, name = subject
        if subject in ledger.given_up or (of == "kind" and self._attempts <= ATTEMPTS_OF_A_KIND):
            return False
        every = self._planner.mix if of == "kind" else self._planner.tool_names
        return any((of, other) not in ledger.given_up for other in every if other != name)


_PLACES = -(-MOST_FAILURES_AFTER_SUCCESS // ATTEMPTS_OF_A_KIND)
"""Indices whose attempts of a kind are enough to give it up."""


class ExclusionsOfRounds(Exclusions):
    """What is given up where answers come in rounds, so that none waits for others to settle.

    After a third of the failures that give a kind up, the attempts that decide it are asked for all at once, in the
    order of index and attempt: as many as may still fail, so that what is asked in vain, where one of them succeeds, is
    at most that many requests a round. After as many failures as give it up, only these are made.
    """

    def __init__(self, planner: Planner, attempts: int, tell: Callable[[str], None] = lambda message: None) -> None:
        super().__init__(planner, attempts, tell, in_doubt=1)
        self._first: dict[str, list[int]] = {}
        """The first indices that are not settled at which a kind was tried, in their order."""

    async def turn(self, index: int, attempt: int) -> bool:
        """Wait until an attempt may be made; False where it is not to be."""
        kind = self._planner.kind_at(index, attempt)
        first = self._first.setdefault(kind, [])
        if index not in first and len(first) < _PLACES:
            first.append(index)
        while not (excluded := self.excludes(index, attempt)) and self._is_in_doubt(kind):
            if (index, attempt) in self._deciding(kind):
                break
            await self._change.wait()
        return not excluded

    def settle(self, outcome: Outcome) -> None:
        """Take note that an index is settled."""
        super().settle(outcome)
        for indices in self._first.values():
            if outcome.index in indices:
                indices.remove(outcome.index)

    def decisive(self) -> list[tuple[int, int]]:
        """Return the attempts that decide whether kinds are given up, but for those that are known to have failed."""
        of_kinds = [self._deciding(kind) for kind in self._first if self._is_in_doubt(kind, IN_DOUBT)]
        failed = {(index, each.attempt) for index, own in self._own.items() for each in own}
        return [each for attempts in of_kinds for each in attempts if each not in failed]

    def _deciding(self, kind: str) -> list[tuple[int, int]]:
        """Return the attempts after which a kind is given up if all of them fail."""
        subject = ("kind", kind)
        most = self._ledger.most(subject) - self._ledger.misses[subject]
        tried = ((index, attempt) for index in self._first.get(kind, ()) for attempt in range(self._attempts))
        return list(islice((each for each in tried if self._planner.kind_at(*each) == kind), max(0, most)))


def _called_by(rejection: Rejection) -> tuple[str, ...]:
    """Return the tools that a rejected attempt was to call: of a kind that calls none, it tells those it shows."""
    return rejection.tools if rejection.kind in KINDS and KINDS[rejection.kind].calls else ()


def _is_miss(rejection: Rejection) -> bool:
    return rejection.violations[0].rule not in _NOT_OF_ANSWERS
