"""Ledger: what went well and what did not, part by part, and what is told of it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from generator.domains.reading import Fault

Path = tuple[str | int, ...]

UNSAID = "does not say"
LEAKED = "which nothing said or found before tells"
TOLD = "the system text tells already what this looks up"
_LONGEST_REASON = 200
_SHARE_FAILED = 0.5
"""A part that fails in fewer worlds than this is taken in others."""
_SHARE_UNSAID = 0.2
_REMEDIES: tuple[tuple[str, str], ...] = (
    ("the user is the only", "write `$me` in place of the draw; the effect requires what must hold of them"),
    ("fulfils the conditions", "loosen `where`, or give the entity more rows or values that fulfil it"),
    ("such rows of", "loosen `where` or `count`, or give the entity more rows"),
    ("nobody can know the id", "give the entity `find`, `say_id` or `told`"),
    ("does not tell the id", "let the view that this look-up shows hold the entity's key"),
    ("does not find", "correct the arguments of `find`, or what that tool lists"),
    ("changes nothing", "draw with a `where` under which the call changes something"),
    ("a source gives nothing", "correct the sources of its fields: bounds, `where`, references"),
    ("ends with", "draw with a `where` that fulfils what the effect requires"),
    ("breaks its schema", "correct `result`: it must fit what the tool declares"),
    ("has no words to ask", "give the call `confirm`, or the tool a way with the same arguments and `confirm`"),
    ("no reply for", "add it to `replies`"),
    (LEAKED, "say {r.field} where the result shows it, or name the row as the user did: {row}"),
    (TOLD, "leave it out of `context`, or let people ask about something else"),
    (UNSAID, "say it in the phrase, as {draw}"),
    ("is no result", "correct the path: the result does not hold it"),
    ("stands for nothing", "correct the path, or put the phrase under `when` where it may be missing"),
    ("nothing to list", "use it under `when`, or for `ok` alone"),
)


@dataclass(slots=True)
class Ledger:
    """How often each part of a domain file went well, and why not."""

    went: Counter[Path] = field(default_factory=Counter)
    failed: dict[Path, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    faults: list[Fault] = field(default_factory=list)
    """What is wrong whatever the world."""
    notes: list[Fault] = field(default_factory=list)
    """What is worth knowing and no fault."""
    requests: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By tool, the requests that were said."""
    said: dict[str, set[tuple[str, str]]] = field(default_factory=lambda: defaultdict(set))
    """By tool, the parameters that its calls gave, by their paths, each with the JSON of a value."""

    def goes(self, path: Path) -> None:
        """Note that a part went well."""
        self.went[path] += 1

    def fails(self, path: Path, reason: object) -> None:
        """Note that a part did not go well."""
        self.failed[path][str(reason)[:_LONGEST_REASON]] += 1

    def wrong(self, path: Path, what: str, remedy: str = "") -> None:
        """Note what is wrong whatever the world."""
        fault = Fault(path, what, remedy)
        if fault not in self.faults:
            self.faults.append(fault)

    def told(self) -> Iterator[Fault]:
        """Yield what is wrong: parts that fail in most worlds."""
        yield from self.faults
        for path, reasons in self.failed.items():
            reason = reasons.most_common(1)[0][0]
            failures = reasons.total()
            is_of_a_text = UNSAID in reason or LEAKED in reason
            all_tries = max(failures, self.went[path]) if is_of_a_text else failures + self.went[path]
            if failures < all_tries * (_SHARE_UNSAID if is_of_a_text else _SHARE_FAILED):
                continue
            often = "in every world" if failures == all_tries else f"in {failures} of {all_tries} worlds"
            yield Fault(path, f"fails {often}: {reason}", _remedy(reason))

    def variety(self, tool: str) -> tuple[int, int]:
        """Return how many different requests for a tool were said, and how many there may be."""
        counts = self.requests.get(tool, Counter())
        once = sum(1 for many in counts.values() if many == 1)
        twice = sum(1 for many in counts.values() if many == 2)
        # Chao's estimate: from those that were met once and twice to those that were not met.
        return len(counts), len(counts) + once * (once - 1) // (2 * (twice + 1))


def _remedy(reason: str) -> str:
    return next((remedy for words, remedy in _REMEDIES if re.search(re.escape(words), reason)), "")
