"""Text for people: violations grouped by rule, with their counts and the first places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from generator.reports.report import Verdict
from generator.validation.lines import Located
from generator.validation.rulebook import summary_of
from generator.validation.verdict import SEVERITIES, Severity

FIRST_PLACES = 5
"""Places that are shown of each rule."""


class GroupedReport:
    """Keeps the first places of each rule and writes everything at the end."""

    def __init__(self, places: int | None = FIRST_PLACES) -> None:
        self._most = places
        self._places: dict[tuple[str, Severity], list[str]] = defaultdict(list)

    def begin(self) -> Iterator[str]:
        """Yield nothing."""
        yield from ()

    def add(self, source: str, located: Sequence[Located]) -> Iterator[str]:
        """Keep the places of rules that have not enough of them yet."""
        for each in located:
            places = self._places[each.rule, each.severity]
            if self._most is None or len(places) < self._most:
                places.append(f"{source}:{each.line}: {each.pointer or '/'}: {each.message}")
        yield from ()

    def end(self, verdict: Verdict) -> Iterator[str]:
        """Yield the groups: errors before warnings before notes, the most frequent rules first."""
        counts = verdict.tally.rules
        for key in sorted(counts, key=lambda key: (SEVERITIES.index(key[1]), -counts[key], key[0])):
            code, severity = key
            records = verdict.tally.broken_by[key]
            yield f"{code} {severity}, {_times(counts[key])} in {_records(records)}: {summary_of(code)}"
            places = self._places.get(key, [])
            yield from (f"    {place}" for place in places)
            if places and counts[key] > len(places):
                yield f"    ... and {counts[key] - len(places):,} more"


class Statistics:
    """One line per rule and nothing of the places."""

    def begin(self) -> Iterator[str]:
        """Yield nothing."""
        yield from ()

    def add(self, source: str, located: Sequence[Located]) -> Iterator[str]:
        """Yield nothing: the tally counts."""
        yield from ()

    def end(self, verdict: Verdict) -> Iterator[str]:
        """Yield count, records, code, severity and summary of each rule that was broken, the most frequent first."""
        counts = verdict.tally.rules
        for key in sorted(counts, key=lambda key: (-counts[key], key)):
            code, severity = key
            share = f"{counts[key]:>9,} in {verdict.tally.broken_by[key]:>9,} records"
            yield f"{share}  {code:<7} {severity:<7} {summary_of(code)}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _records(count: int) -> str:
    return "1 record" if count == 1 else f"{count:,} records"
