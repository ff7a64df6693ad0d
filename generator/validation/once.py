"""Once: what is told of a data set once, not of each of its records."""

from __future__ import annotations

from generator.validation.lines import Findings

ONCE = frozenset({"TC219"})
"""Rules that say the same of many records, such as that their language is not read."""


class Once:
    """Leaves out what was told of the same data set before."""

    def __init__(self) -> None:
        self._told: set[tuple[str, str]] = set()

    def __call__(self, findings: Findings) -> Findings:
        """Return the findings without those that say what was said before; the tally no longer counts them."""
        kept = []
        for each in findings.located:
            said = (each.rule, each.message)
            if each.rule in ONCE and said in self._told:
                findings.tally.take_back(each.rule, each.severity)
                continue
            kept.append(each)
            if each.rule in ONCE:
                self._told.add(said)
        return Findings(kept, findings.tally)
