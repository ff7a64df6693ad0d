"""How varied texts are: distinct-n, self-BLEU-4 and near duplicates, over a number of texts that can be compared.

Tokeniser: lower case, runs of letters and digits, every other sign alone. distinct-n is the share of different runs of
n tokens among all. self-BLEU-4 is the mean over the texts of BLEU with all others as references, brevity penalty and
equal weights, add-one smoothing from pairs on. A near duplicate has a Jaccard overlap of word sets of 0.7 or more with
another text. All of them depend on how many texts there are, so figures of unlike numbers say nothing.
"""

from __future__ import annotations

import heapq
import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from generator.random_streams import derive_seed

COMPARED = 200
"""Texts that are compared, as many as people's own were."""
_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")
_NEAR = 0.7
_ORDER = 4
_LONGEST = 4000
"""Characters of a text that are looked at."""

Tokens = Sequence[str]


@dataclass(frozen=True, slots=True)
class Diversity:
    """How varied some texts are."""

    texts: int
    distinct_1: float
    distinct_2: float
    self_bleu_4: float
    near_duplicates: float


@dataclass(slots=True)
class Choice:
    """So many texts of a stream, chosen by a seed: which of them depends on their numbers alone."""

    most: int = COMPARED
    seed: int = 0
    _kept: list[tuple[int, int, str]] = field(default_factory=list)
    """A heap of what is kept, the next to go first."""

    def add(self, number: int, text: str) -> None:
        """Offer one text."""
        entry = (-derive_seed("diversity", self.seed, number), number, text[:_LONGEST])
        if len(self._kept) < self.most:
            heapq.heappush(self._kept, entry)
        else:
            heapq.heappushpop(self._kept, entry)

    def texts(self) -> list[str]:
        """Return the texts that are chosen, in the order of their numbers."""
        return [text for _, _, text in sorted(self._kept, key=lambda entry: entry[1])]


def measure(texts: Sequence[str]) -> Diversity:
    """Measure some texts, at least two."""
    cut = [tokens_of(text) for text in texts]
    return Diversity(len(cut), distinct(cut, 1), distinct(cut, 2), self_bleu(cut), near_duplicates(cut))


def tokens_of(text: str) -> list[str]:
    """Cut a text into tokens."""
    return _TOKEN.findall(text.lower())


def grams(tokens: Tokens, size: int) -> Counter[tuple[str, ...]]:
    """Count the runs of `size` tokens."""
    return Counter(tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1))


def distinct(texts: Sequence[Tokens], size: int = 2) -> float:
    """Return the share of different runs among all."""
    counted: Counter[tuple[str, ...]] = Counter()
    for tokens in texts:
        counted += grams(tokens, size)
    return len(counted) / max(1, counted.total())


def self_bleu(texts: Sequence[Tokens]) -> float:
    """Return the mean BLEU-4 of each text with all others as references."""
    by_order = [_Order(texts, size) for size in range(1, _ORDER + 1)]
    lengths = sorted(map(len, texts))
    return sum(_bleu(place, len(tokens), by_order, lengths) for place, tokens in enumerate(texts)) / max(1, len(texts))


class _Order:
    """The runs of one size in every text, and how often the two texts that have most of a run have it."""

    def __init__(self, texts: Sequence[Tokens], size: int) -> None:
        self.counts = [grams(tokens, size) for tokens in texts]
        self._most: dict[tuple[str, ...], tuple[int, int, int]] = {}
        for place, counted in enumerate(self.counts):
            for gram, count in counted.items():
                first, holder, second = self._most.get(gram, (0, -1, 0))
                if count > first:
                    self._most[gram] = (count, place, first)
                else:
                    self._most[gram] = (first, holder, max(second, count))

    def matched(self, place: int) -> int:
        """Return how many runs of a text the others have, each as often as the one that has it most."""
        found = 0
        for gram, count in self.counts[place].items():
            first, holder, second = self._most[gram]
            found += min(count, second if holder == place else first)
        return found


def _bleu(place: int, length: int, by_order: Sequence[_Order], lengths: Sequence[int]) -> float:
    logs = 0.0
    for order, runs in enumerate(by_order):
        smooth = 1 if order else 0
        matched, total = runs.matched(place) + smooth, runs.counts[place].total() + smooth
        if not matched or not total:
            return 0.0
        logs += math.log(matched / total) / _ORDER
    nearest = _nearest(length, lengths)
    return math.exp(logs) * (1.0 if length >= nearest else math.exp(1 - nearest / max(length, 1)))


def _nearest(length: int, lengths: Sequence[int]) -> int:
    """Return the length of another text that is nearest, the shorter of two; `lengths` are sorted and hold its own."""
    at = bisect_left(lengths, length)
    others = [lengths[near] for near in (at - 1, at + 1) if 0 <= near < len(lengths)]
    return min(others, key=lambda other: (abs(other - length), other), default=length)


def near_duplicates(texts: Sequence[Tokens]) -> float:
    """Return the share of texts that another one nearly repeats."""
    sets = [set(tokens) for tokens in texts]
    near = sum(
        any(len(mine & other) >= _NEAR * len(mine | other) for there, other in enumerate(sets) if there != here)
        for here, mine in enumerate(sets)
    )
    return near / max(1, len(sets))
