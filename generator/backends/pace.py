"""Pace: how many requests may be under way, found by trying: a few more while all is well, far fewer where it is not.

Additive increase, multiplicative decrease, as TCP does it. Until the first trouble, and after an outage up to what went
well before it, each answer adds one; from there on each round of answers does. A request that the server turns away,
fails or lets hang takes a share of it, and so does a round of answers that took far longer than they did with fewer
beside them: those wait in a queue. Of the requests that were sent together only one counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from generator.backends.backend import Transient

AT_FIRST = 8
"""Requests under way before anything is known of the server."""
SHRINK = 0.7
"""What trouble leaves, at most."""
LEAST = 0.3
"""What it leaves at least, where answers take that much longer."""
SLOWER = 2.0
"""How many times longer answers may take than they did with fewer under way."""
_LEAST_RISE = 0.1
"""Seconds; whatever is quicker than that by nature is not in a queue."""
_FEWEST = 8
"""Answers of a round, from which is told how long they take."""
_OVERLOAD = ("timeout", "connection")


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as it was sent: its number, and how many were under way with it."""

    number: int
    beside: int


class Pace:
    """The number of requests that may be under way, between one and `most`."""

    def __init__(self, most: int, first: int = AT_FIRST) -> None:
        self._most = float(most)
        self._exact = float(min(first, most))
        self._reached = self._most
        """Up to here each answer adds one."""
        self._sent = 0
        self._new_from = 0
        """The first request that was sent at this pace; those before it tell of another."""
        self._was_answered = True
        self._round = max(self.limit, _FEWEST)
        """Answers of the round that is under way."""
        self._seconds: list[float] = []
        self._beside = 0
        self._quickest: tuple[float, int] | None = None
        """The seconds of the quickest round, and how many were under way in it."""

    @property
    def limit(self) -> int:
        """How many may be under way."""
        return int(self._exact)

    def sent(self, beside: int) -> Sent:
        """Note that a request is sent, `beside` being under way with it, itself included."""
        self._sent += 1
        return Sent(self._sent - 1, beside)

    def answered(self, sent: Sent, seconds: float) -> None:
        """Note that a request was answered."""
        if sent.number < self._new_from:
            return
        self._was_answered = True
        self._seconds.append(seconds)
        self._beside = max(self._beside, sent.beside)
        share = self._close_round() if len(self._seconds) >= self._round else 1.0
        if share < 1.0:
            self._shrink(share)
        elif 2 * sent.beside >= self.limit:  # where it is not made use of, nothing is known of more
            step = 1.0 if self._exact < self._reached else 1.0 / self._exact
            self._exact = min(self._most, self._exact + step)

    def failed(self, sent: Sent, failure: Transient) -> None:
        """Note that a request failed; only what may come of too many at once counts."""
        if sent.number >= self._new_from and (failure.reason.startswith("http_") or failure.reason in _OVERLOAD):
            self._shrink(SHRINK)

    def _shrink(self, share: float) -> None:
        self._exact = max(1.0, self._exact * share)
        if self._was_answered:  # else nothing is answered at all, which tells nothing of how many are too many
            self._reached = self._exact
        self._was_answered = False
        self._new_from = self._sent
        self._begin_round()

    def _begin_round(self) -> None:
        self._round = max(self.limit, _FEWEST)
        self._seconds.clear()
        self._beside = 0

    def _close_round(self) -> float:
        """Close a round and return the share that is left where it came far slower than the quickest, with more beside.

        A round that is slow with no more under way tells of a server that is slower now, whoever asks it.
        """
        took, beside = median(self._seconds), self._beside
        self._begin_round()
        quickest = self._quickest
        if quickest is None or took <= quickest[0] or beside <= quickest[1]:
            self._quickest = (took, beside)
            return 1.0
        bearable = max(SLOWER * quickest[0], quickest[0] + _LEAST_RISE)
        return 1.0 if took <= bearable else max(LEAST, min(SHRINK, bearable / took))
