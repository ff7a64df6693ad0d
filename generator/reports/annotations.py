"""Workflow commands of GitHub Actions, which show violations beside the lines of a data set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.reports.report import Verdict, summary_line
from generator.validation.lines import Located

_IN_MESSAGES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
_LEVELS = {"note": "notice"}


class AnnotationReport:
    """Writes each violation as an `::error`, `::warning` or `::notice` command."""

    def begin(self) -> Iterator[str]:
        """Yield nothing."""
        yield from ()

    def add(self, source: str, located: Sequence[Located]) -> Iterator[str]:
        """Yield a command for each violation."""
        file = source.translate(_IN_PROPERTIES)
        for each in located:
            message = f"{each.rule} {each.pointer or '/'}: {each.message}".translate(_IN_MESSAGES)
            level = _LEVELS.get(each.severity, each.severity)
            yield f"::{level} file={file},line={each.line},title={each.rule}::{message}"

    def end(self, verdict: Verdict) -> Iterator[str]:
        """Yield what is missed, and a notice that sums up."""
        for missed in verdict.unmet:
            yield f"::error title=toolgen validate::{missed.translate(_IN_MESSAGES)}"
        yield f"::notice title=toolgen validate::{summary_line(verdict).translate(_IN_MESSAGES)}"
