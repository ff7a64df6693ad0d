"""Splits of a data set: every kind of record is shared out alike, and the order decides who goes where."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from generator.errors import UsageError
from generator.jsontext import JsonObject

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_EXAMPLE = "give NAME=SHARE,..., e.g. train=0.9,test=0.1"
WHOLE = {"train": 1.0}


def read_splits(text: str | None) -> dict[str, float]:
    """Return the share of each split, in the order given; one split called train where nothing is given.

    Raises:
        UsageError: the text is no list of splits, or the shares are not 1 together.
    """
    if text is None:
        return dict(WHOLE)
    shares: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = part.strip().partition("=")
        if not _NAME.fullmatch(name) or name in shares:
            raise UsageError(f"--splits: {part.strip()!r} names no split of its own; {_EXAMPLE}")
        try:
            shares[name] = float(share)
        except ValueError as error:
            raise UsageError(f"--splits: {share!r} is no share; {_EXAMPLE}") from error
    if not all(share > 0 for share in shares.values()) or abs(sum(shares.values()) - 1) > 1e-6:
        raise UsageError(f"--splits: the shares are more than 0 each and 1 together; {_EXAMPLE}")
    return shares


@dataclass(slots=True)
class Sharing:
    """Shares records out, each kind in the proportions of the splits: none is ever more than one record behind."""

    shares: dict[str, float]
    _given: dict[str, Counter[str]] = field(default_factory=dict)

    def split_of(self, document: JsonObject) -> str:
        """Return the split that the record goes to: the one that is furthest behind with its kind."""
        metadata = document.get("metadata")
        kind = str(metadata.get("kind", "")) if isinstance(metadata, dict) else ""
        given = self._given.setdefault(kind, Counter())
        total = sum(given.values()) + 1
        split = max(self.shares, key=lambda name: self.shares[name] * total - given[name])
        given[split] += 1
        return split
