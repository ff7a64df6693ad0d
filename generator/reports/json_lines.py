"""JSON Lines for programs: one object per violation, a summary last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import orjson

from generator.jsontext import JsonObject, encodable
from generator.reports.report import Verdict
from generator.validation.lines import Located
from generator.validation.standard import RESULT_RULES


class JsonLinesReport:
    """Writes each violation as it is found."""

    def begin(self) -> Iterator[str]:
        """Yield nothing."""
        yield from ()

    def add(self, source: str, located: Sequence[Located]) -> Iterator[str]:
        """Yield an object of file, line, rule, severity, pointer and message for each."""
        for line, rule, severity, pointer, message in located:
            entry = {
                "file": encodable(source),
                "line": line,
                "rule": rule,
                "severity": severity,
                "pointer": pointer,
                "message": message,
            }
            yield orjson.dumps(entry).decode()

    def end(self, verdict: Verdict) -> Iterator[str]:
        """Yield the summary, the only object with the key `summary`."""
        yield orjson.dumps({"summary": _summary(verdict)}).decode()


def _summary(verdict: Verdict) -> JsonObject:
    tally, unchecked = verdict.tally, list(map(encodable, verdict.unchecked))
    summary: JsonObject = {
        "records": tally.records,
        "passed": tally.passed,
        "errors": tally.errors,
        "warnings": tally.warnings,
        "notes": tally.notes,
        "rules": tally.by_rule,
        "formats": dict(sorted(tally.formats.items())),
        "calls": tally.calls,
        "results": tally.results,
        "tools": tally.tools,
        "columns": {encodable(name): count for name, count in sorted(tally.columns.items())},
        "unmet": list(map(encodable, verdict.unmet)),
        "held_back": verdict.held_back,
        "not_checked": {"rules": list(RESULT_RULES) if unchecked else [], "files": unchecked},
    }
    return {**summary, "failure": encodable(verdict.failure)} if verdict.failure else summary
