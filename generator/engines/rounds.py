"""The engine for answers that come in batches: each index goes as far as answers are there, and waits for none.

Outcomes are handed on in index order up to the first index that lacks an answer, since what is settled depends on all
before it. When the block ends well, every index behind is gone through as well, for what it will ask: what comes of it
is kept until its turn has come, so that a round makes only what has got further.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from contextlib import suppress
from itertools import islice

from generator.backends.batches.wanted import Outstanding
from generator.engines.engine import AskingProducer, OpenProducer, Stopped, Stopping
from generator.engines.producer_loop import ProducerLoop
from generator.runs.made import Brief, MadeAhead, brief_of
from generator.runs.outcome import Outcome
from generator.scenarios.planner import after_repeat


class Rounds(ProducerLoop[AskingProducer]):
    """Makes what can be made now; `asks` says whether indices behind the first that waits are gone through too."""

    def __init__(self, opening: OpenProducer, made: MadeAhead, attempts: int, *, asks: bool) -> None:
        super().__init__(opening)
        self._attempts = attempts
        self._made = made
        self._asks = asks
        self._indices: Sequence[int] = ()
        self._next = 0
        """The place of the first of them that is not gone through."""
        self._stopping: Stopping = lambda: False
        self._requests: set[bytes] = set()
        """The keys of the requests of what was made ahead: the same one again is a repeat, unless that is rejected."""

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        """Make one outcome, or take the one that was made before.

        Raises:
            Stopped: it lacks an answer.
        """
        known = self._made.outcome(index, first_attempt)
        return self._new(index, first_attempt) if known is None else known

    def _new(self, index: int, first_attempt: int) -> Outcome:
        try:
            return self._runner.run(self._in_one_go(index, first_attempt))
        except Outstanding as lacking:
            raise Stopped from lacking

    def outcomes(self, indices: Sequence[int], stopping: Stopping) -> Generator[Outcome, None, None]:
        """Yield the outcomes of these indices in order, up to the first that lacks an answer."""
        self._indices, self._stopping = indices, stopping
        for place, index in enumerate(indices):
            if stopping():
                return
            self._next = place + 1
            try:
                outcome = self.produce(index)
            except Stopped:
                return
            yield outcome

    async def _in_one_go(self, index: int, first_attempt: int) -> Outcome:
        """Make an outcome in one go: what is kept comes at once, and what does not is not waited for.

        An attempt may also wait for its turn, since it is in doubt whether its kind is given up: then it has none now.
        """
        making = asyncio.ensure_future(self._producer.produce_waiting(index, first_attempt))
        await asyncio.sleep(0)
        if not making.done():
            making.cancel()
            await asyncio.gather(making, return_exceptions=True)
            raise Outstanding(f"index {index} has to wait for its turn")
        return making.result()

    def _end(self) -> None:
        """Go through the indices behind the first that waits, for what they will ask."""
        if not self._asks or not self._indices or self._stopping():
            return
        self._made.forget_below(self._indices[max(0, self._next - 1)])
        for index in islice(self._indices, self._next, None):
            if self._stopping():
                return
            with suppress(Stopped):
                self._go_through(index)
        self._runner.run(self._producer.ask_ahead())

    def _go_through(self, index: int) -> None:
        """Make an index as it will be when its turn has come, if that is by what is made so far."""
        first = 0
        while True:
            brief = self._made_ahead(index, first)
            if not brief.key or (brief.has_record and brief.key not in self._requests):
                self._requests.add(brief.key)
                return
            first = after_repeat(brief.attempt, self._attempts)

    def _made_ahead(self, index: int, first: int) -> Brief:
        """Return what was made of an index, now or in an earlier round."""
        known = self._made.brief(index, first)
        if known is None:
            outcome = self._new(index, first)
            self._made.keep(first, outcome)
            return brief_of(outcome)
        rejected = self._made.rejections(index, first) if known.failed else ()
        self._producer.recall(index, rejected, known.attempt if known.has_record else None)
        return known
