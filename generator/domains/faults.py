"""What is wrong with a domain file, all of it at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from generator.suggest import did_you_mean


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

    def add(self, path: tuple[str | int, ...], what: str, remedy: str = "") -> None:
        """Note one fault."""
        self.found.append(Fault(path, what, remedy))

    def unknown(self, path: tuple[str | int, ...], noun: str, name: object, known: Iterable[str]) -> None:
        """Note a name that stands for nothing, with the nearest that does."""
        names = list(known)
        nearest = did_you_mean(str(name), names) or (f"one of: {', '.join(names[:12])}" if names else "")
        self.add(path, f"unknown {noun} {str(name)[:80]!r}", nearest)
