"""The engine for answers that come in batches: each index goes as far as answers are there, and waits for none.

Outcomes are handed on in index order up to the first index that lacks an answer, since what is settled depends on all
before it. When the block ends well, every index behind is gone through as well, for what it will ask: what comes of it
is forgotten, and made again from the kept answers when its turn has come.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from contextlib import suppress
from itertools import islice

from generator.backends.batches.wanted import Outstanding
from generator.engines.engine import OpenProducer, Stopped, Stopping
from generator.engines.producer_loop import ProducerLoop
from generator.runs.outcome import Outcome


class Rounds(ProducerLoop):
    """Makes what can be made now; `asks` says whether indices behind the first that waits are gone through too."""

    def __init__(self, opening: OpenProducer, *, asks: bool) -> None:
        super().__init__(opening)
        self._asks = asks
        self._indices: Sequence[int] = ()
        self._next = 0
        """The place of the first of them that is not gone through."""
        self._stopping: Stopping = lambda: False
        self._requests: set[bytes] = set()
        """The keys of the requests of what was made ahead: the same one again is a repeat, unless that is rejected."""

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        """Make one outcome.

        Raises:
            Stopped: it lacks an answer.
        """
        try:
            return self._runner.run(self._made(index, first_attempt))
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

    async def _made(self, index: int, first_attempt: int) -> Outcome:
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
        for index in islice(self._indices if self._asks else (), self._next, None):
            if self._stopping():
                return
            with suppress(Stopped):
                outcome = self.produce(index)
                while outcome.key and (outcome.line is None or outcome.key in self._requests):
                    outcome = self.produce(index, outcome.attempt + 1)  # as it will be when its turn has come
                self._requests.add(outcome.key)
