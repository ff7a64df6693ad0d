"""Splits of a data set: the digest of a record's request decides where it goes, so that it goes there every time.

Near duplicates stay together, and no request nor near duplicate of one is in two splits. Tools can be held out: what
shows or calls one is in the split `held_out` and nowhere else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from generator.datasets.request import Request, RequestIndex
from generator.errors import UsageError
from generator.formats.conversation import all_calls, function_of
from generator.jsontext import JsonObject, dump_compact

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_EXAMPLE = "give NAME=SHARE,..., e.g. train=0.9,test=0.1"
WHOLE = {"train": 1.0}
HELD_OUT = "held_out"
"""The split of the records that show or call a tool that is held out."""
NEAR = 0.8
LEAST_NEAR = 0.5
_ROUNDING = 1e-6
_LEFT_OUT = ""
"""The label of requests that are in no split; no split is named so."""


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
    return dict(require_shares(shares, "--splits"))


def require_shares(shares: Mapping[str, float], where: str) -> Mapping[str, float]:
    """Return the shares, which are more than 0 each and 1 together, under names that files can have.

    Raises:
        UsageError: they are not; `where` says in it where they stand.
    """
    for name in shares:
        if not _NAME.fullmatch(name):
            raise UsageError(f"{where}: {name!r} is no name of a split; {_EXAMPLE}")
    if not all(share > 0 for share in shares.values()) or not abs(sum(shares.values()) - 1) <= _ROUNDING:
        raise UsageError(f"{where}: the shares are more than 0 each and 1 together; {_EXAMPLE}")
    return shares


@dataclass(frozen=True, slots=True)
class Placing:
    """Where a record goes, and why."""

    split: str | None
    """None: it is left out of all splits."""
    why: str


class Splits:
    """Places records in splits; what was placed is kept in the index file when the block of `with` ends well.

    The share of a split holds on average. The same documents in the same order, or with the same index file, are
    placed the same. An index file of other splits, held-out tools or likeness is begun anew, and `begun_anew` says so.

    Args:
        shares: the share of each split, 1 together.
        hold_out: names of tools that no split but `held_out` may show.
        near: the Jaccard similarity of three words in a row from which two requests are near duplicates, 0.5 to 1.
        index: the file that keeps where requests were put; None keeps it for the time being.

    Raises:
        UsageError: the shares, the tools held out or the likeness contradict themselves.
        StorageError: the index cannot be opened, or is none.
    """

    def __init__(
        self,
        shares: Mapping[str, float],
        hold_out: Collection[str] = (),
        near: float = NEAR,
        index: Path | None = None,
    ) -> None:
        if not LEAST_NEAR <= near <= 1:
            raise UsageError(f"near duplicates: {near} is no likeness; give {LEAST_NEAR} to 1, e.g. {NEAR}")
        if hold_out and HELD_OUT in shares:
            raise UsageError(f"the split {HELD_OUT} is that of the tools held out; give it another name")
        self.shares = dict(require_shares(shares, "shares"))
        self.hold_out = frozenset(hold_out)
        self.near = near
        self.counts: Counter[str] = Counter()
        """Records placed, by split."""
        self.left_out = 0
        self.joined = 0
        """Records that went where a near duplicate lies, and not where their digest says."""
        self.held_out_met: set[str] = set()
        """The tools held out that a record showed or called."""
        settings = dump_compact({"splits": sorted(self.shares), "hold_out": sorted(self.hold_out)})
        self._index = RequestIndex(index, near, settings)
        self.begun_anew = self._index.was_emptied

    def split_of(self, document: JsonObject) -> Placing:
        """Return where a record in the canonical form goes, and take it in."""
        placing = self._place(Request.of(document), self._held_out_of(document))
        if placing.split is None:
            self.left_out += 1
        else:
            self.counts[placing.split] += 1
        return placing

    def _held_out_of(self, document: JsonObject) -> str:
        """Return a tool held out that the record shows or calls; "" where there is none."""
        met = self.hold_out.intersection(_tools_of(document)) if self.hold_out else frozenset()
        self.held_out_met |= met
        return min(met, default="")

    def _place(self, request: Request, tool: str) -> Placing:
        before = self._index.label_of(request)
        if before is not None:
            return self._again(before, tool)
        placing = self._fresh(request, tool)
        split = placing.split
        self._index.add(request, _LEFT_OUT if split is None else split, findable=split is not None)
        return placing

    def _again(self, before: str, tool: str) -> Placing:
        """Place a record whose very request was placed."""
        if before == _LEFT_OUT:
            return Placing(None, "its request was left out before")
        if bool(tool) != (before == HELD_OUT and bool(self.hold_out)):
            return Placing(None, f"its request is in {before}" + (f", and it has {tool}, held out" if tool else ""))
        return Placing(before, "its request is there")

    def _fresh(self, request: Request, tool: str) -> Placing:
        """Place a record whose request was not met before."""
        wanted = HELD_OUT if tool else self._by_digest(request)
        near = self._index.labels_near(request)
        if len(near) > 1:
            return Placing(None, f"it is near to records of {' and '.join(sorted(near))}")
        other = next(iter(near), wanted)
        if bool(tool) != (other == HELD_OUT and bool(self.hold_out)):
            also = f", and has {tool}, held out" if tool else ""
            return Placing(None, f"it is near to a record of {other}{also}")
        self.joined += other != wanted
        why = f"it has {tool}, held out" if tool else "a near duplicate is there" if near else "its digest says so"
        return Placing(other, why)

    def _by_digest(self, request: Request) -> str:
        drawn = int.from_bytes(request.digest[:8], "big") / 2**64
        for name, share in self.shares.items():
            drawn -= share
            if drawn < 0:
                return name
        return next(reversed(self.shares))

    @property
    def rule(self) -> str:
        """How records come into splits, in a few sentences for those who read the data."""
        held = ", ".join(sorted(self.hold_out))
        told = (
            "The digest of its request decides which split a record is in, so it is there in every build. "
            f"Requests that are nearly the same (Jaccard similarity of three words in a row {self.near} or more) are "
            "in one split."
        )
        return told + (f" Records that show or call {held} are in the split {HELD_OUT} alone." if held else "")

    def account(self) -> list[str]:
        """Say in a few lines how many records each split got, what was left out, and what was not met."""
        total = self.counts.total() or 1
        names = [*self.shares, *([HELD_OUT] if self.hold_out else [])]
        parts = [f"{name} {self.counts[name]:,} ({self.counts[name] / total:.1%})" for name in names]
        told = f"splits: {', '.join(parts)}"
        if self.joined:
            told += f"; {self.joined:,} went with a near duplicate"
        if self.left_out:
            told += f"; {self.left_out:,} left out, near to records of another split"
        lines = [told]
        if self.begun_anew:
            lines.append("the index was of other splits, tools held out or likeness: it is begun anew")
        if unmet := self.hold_out - self.held_out_met:
            lines.append(f"held out, and in no record: {', '.join(sorted(unmet))}")
        return lines

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._index.commit()
        finally:
            self._index.close()


def _tools_of(document: JsonObject) -> Iterator[str]:
    """Yield the names of the tools that a record shows or calls, what a mask hides under its own name."""
    shown = document.get("tools")
    metadata = document.get("metadata")
    mask = metadata.get("mask") if isinstance(metadata, dict) else None
    unmasked = mask.get("tools") if isinstance(mask, dict) else None
    tools = [tool for tool in shown if isinstance(tool, dict)] if isinstance(shown, list) else []
    for function in map(function_of, [*tools, *all_calls(document)]):
        if isinstance(name := function.get("name"), str):
            yield str(unmasked.get(name, name)) if isinstance(unmasked, dict) else name
