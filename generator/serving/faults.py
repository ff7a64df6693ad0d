"""Faults on demand: errors, silence and broken answers, by chance from a seed or as a request wishes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

from generator.errors import UsageError
from generator.random_streams import stream
from generator.serving.mistakes import MISTAKES
from generator.serving.refusals import Refusal
from generator.suggestions import did_you_mean

HANG, CUT, MALFORMED, SLOW = "hang", "cut", "malformed", "slow"
NONE = b"none"
"""Wishes for no fault, whatever share of requests gets one."""
KINDS = {
    HANG: "no answer until the client leaves, or so many seconds",
    CUT: "the connection ends in the middle of the answer",
    MALFORMED: "the answer, or one event of the stream, is broken JSON",
    SLOW: "the answer takes so many seconds",
    **MISTAKES,
}
"""The faults beside the HTTP statuses from 400 to 599, each with what it does."""
_SECONDS = {HANG: 3600.0, SLOW: 2.0, "429": 1.0, "503": 1.0}
"""Seconds where none are said: of the wait, and of `Retry-After`."""
_MOST_SECONDS = 86_400.0
_MOST_REMEMBERED = 10_000
_ANSWERS = {
    401: ("Incorrect API key provided.", "invalid_api_key"),
    429: ("Rate limit reached; try again later.", "rate_limit_exceeded"),
}


class Fault(NamedTuple):
    """One way in which a request is not answered as it should be."""

    kind: str
    """One of `KINDS`, or an HTTP status."""
    seconds: float = 0.0

    @property
    def mistake(self) -> str:
        """The mistake that a call of the answer has; "" where the fault is another."""
        return self.kind if self.kind in MISTAKES else ""

    @property
    def refusal(self) -> Refusal | None:
        """The error that is answered; None where the fault is another."""
        if not self.kind.isdigit():
            return None
        status = int(self.kind)
        message, code = _ANSWERS.get(status, (f"The server was told to answer with {status}.", "fault"))
        return Refusal(status, message, code, headers={"retry-after": f"{self.seconds:g}"} if self.seconds else {})


class _Share(NamedTuple):
    fault: Fault
    share: float


@dataclass(slots=True)
class Faults:
    """Which requests are answered with faults: a share of each kind, drawn anew each time that a request comes.

    What is drawn depends on the seed, the request, and how often it came, never on the order of other requests.
    """

    shares: tuple[_Share, ...] = ()
    seed: int = 0
    _seen: OrderedDict[bytes, int] = field(default_factory=OrderedDict)

    def of(self, body: bytes, wished: bytes = b"") -> Fault | None:
        """Return the fault of a request, by what its header wishes, else by chance.

        Raises:
            Refusal: the header names no fault.
        """
        if wished:
            try:
                return None if wished == NONE else _fault(wished.decode("latin-1").strip())
            except UsageError as error:
                raise Refusal(400, f"x-toolgen-fault: {error}", "unknown_fault") from error
        return self._drawn(body) if self.shares else None

    def _drawn(self, body: bytes) -> Fault | None:
        key = blake2b(body, digest_size=16).digest()
        times = self._seen.pop(key, 0)
        self._seen[key] = times + 1
        if len(self._seen) > _MOST_REMEMBERED:
            self._seen.popitem(last=False)
        drawn = stream(self.seed, "fault", key.hex(), times).random()
        for fault, share in self.shares:
            if drawn < share:
                return fault
            drawn -= share
        return None


def read_faults(text: str, seed: int = 0) -> Faults:
    """Read `429=0.1,hang=0.01:5,cut=0.05`: the share of the requests that get a fault, and its seconds.

    Raises:
        UsageError: a fault, a share or seconds are none, or the shares are more than 1.
    """
    shares = tuple(_share(part.strip()) for part in text.split(",") if part.strip())
    if sum(share for _, share in shares) > 1:
        raise UsageError(f"--fault {text}: the shares add up to more than 1")
    named = [fault.kind for fault, _ in shares]
    twice = next((kind for kind in named if named.count(kind) > 1), None)
    if twice is not None:
        raise UsageError(f"--fault {text}: {twice} is named twice")
    return Faults(shares, seed)


def _share(part: str) -> _Share:
    kind, _, told = part.partition("=")
    share, _, seconds = told.partition(":")
    try:
        value = float(share)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise UsageError(f"--fault {part}: say NAME=SHARE or NAME=SHARE:SECONDS, with a share from 0 to 1")
    try:
        return _Share(_fault(f"{kind.strip()}:{seconds}" if seconds else kind.strip()), value)
    except UsageError as error:
        raise UsageError(f"--fault {part}: {error}") from error


def _fault(text: str) -> Fault:
    """Read the name of a fault, with seconds behind a colon where there are any."""
    kind, colon, told = text.partition(":")
    if kind not in KINDS and not (kind.isascii() and kind.isdigit() and 400 <= int(kind) <= 599 and len(kind) == 3):
        known = f"{', '.join(KINDS)}, or an HTTP status from 400 to 599"
        hint = did_you_mean(kind, KINDS)
        raise UsageError(f"{kind!r} is no fault; there are {known}" + (f"; {hint}" if hint else ""))
    try:
        seconds = float(told) if colon else _SECONDS.get(kind, 0.0)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= _MOST_SECONDS:
        raise UsageError(f"{told!r} are no seconds from 0 to {_MOST_SECONDS:,.0f}")
    return Fault(kind, seconds)


def broken(body: bytes) -> bytes:
    """Return a body that is no JSON any more: its first half."""
    return body[: max(1, len(body) // 2)]


def broken_events(events: Sequence[bytes]) -> Iterator[bytes]:
    """Yield events of which the middle one holds no JSON any more."""
    middle = len(events) // 2
    for index, event in enumerate(events):
        yield event.rstrip(b"\n")[: max(7, len(event) // 2)] + b"\n\n" if index == middle else event


def first_half(events: Iterable[bytes]) -> list[bytes]:
    """Return the first half of events, at least one."""
    known = list(events)
    return known[: max(1, len(known) // 2)]
