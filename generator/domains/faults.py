"""What is wrong with a domain file, all of it at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from generator.suggest import did_you_mean

_LONGEST_WORD = 80
_MOST_COMPARED = 2_000
_MOST_SUGGESTIONS = 100


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a domain file: where by keys and places, what, and what to do."""

    path: tuple[str | int, ...]
    what: str
    remedy: str = ""


@dataclass(slots=True)
class Faults:
    """Collects what is wrong while a domain is compiled."""

    found: list[Fault] = field(default_factory=list)
    _seen: set[Fault] = field(default_factory=set, repr=False)

    def add(self, path: tuple[str | int, ...], what: str, remedy: str = "") -> None:
        """Note one fault, once: parts of a domain are compiled more than once."""
        fault = Fault(path, what, remedy)
        if fault not in self._seen:
            self._seen.add(fault)
            self.found.append(fault)

    def unknown(self, path: tuple[str | int, ...], noun: str, name: object, known: Iterable[str]) -> None:
        """Note a name that stands for nothing, with the nearest that does."""
        word = str(name)[:_LONGEST_WORD]
        # Comparing words takes its time: a file of nothing but mistakes has none of it after the first hundred.
        names = [each for each in islice(known, _MOST_COMPARED) if len(each) <= _LONGEST_WORD]
        near = did_you_mean(word, names) if len(self.found) < _MOST_SUGGESTIONS else ""
        self.add(path, f"unknown {noun} {word!r}", near or (f"one of: {', '.join(names[:12])}" if names else ""))
