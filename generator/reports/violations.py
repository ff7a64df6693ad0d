"""Reports on violations: text for people, JSON Lines, annotations of GitHub Actions, or SARIF 2.1.0 for code scanners.

In: data sets that are checked. Out: the lines of any report, written as violations are found, and a verdict; no number
of violations fills the memory.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

import orjson

from generator.datasets.checking import Expected, Task, account, check_all, unmet
from generator.errors import ToolgenError
from generator.garbage_collection import take_for_kept
from generator.jsontext import JsonObject, encodable
from generator.validation.lines import Located
from generator.validation.rule_reference import entry, every_rule, summary_of
from generator.validation.verdict import RESULT_RULES, SEVERITIES, Severity, Tally
from generator.version import VERSION

_OF_RUNS = "deepfabric"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known when everything was read."""

    tally: Tally
    unchecked: tuple[str, ...] = ()
    """The inputs whose results were not checked against schemas, as no catalog was at hand."""
    held_back: int = 0
    """Violations that were found and not reported one by one."""
    exit_code: int = 0
    failure: str = ""
    """Why not everything could be read; "" where it was."""
    unmet: tuple[str, ...] = ()
    """The inputs that did not yield the calls that are expected of them, each in words."""


class Report(Protocol):
    """Writes what was found; each method yields lines without their ends."""

    def begin(self) -> Iterator[str]:
        """Yield what comes before any violation."""
        ...

    def add(self, source: str, located: Sequence[Located]) -> Iterator[str]:
        """Take violations of one input, in their order, and yield what is written of them at once."""
        ...

    def end(self, verdict: Verdict) -> Iterator[str]:
        """Yield what comes last."""
        ...


class Limit:
    """Lets the first violations through and counts the rest."""

    def __init__(self, most: int | None) -> None:
        self._room = most
        self.held_back = 0

    def admit(self, located: list[Located]) -> list[Located]:
        """Return those that are still within the limit."""
        if self._room is None or len(located) <= self._room:
            self._room = None if self._room is None else self._room - len(located)
            return located
        admitted = located[: self._room]
        self.held_back += len(located) - len(admitted)
        self._room = 0
        return admitted


def _known(name: str) -> str:
    """Say of the format that runs are written in that it is theirs."""
    return ", the form of runs" if name == _OF_RUNS else ""


def summary_line(verdict: Verdict) -> str:
    """Say in one line how many records passed."""
    tally = verdict.tally
    read = [f"{name} ({count:,}){_known(name)}" for name, count in sorted(tally.formats.items())]
    return (
        f"{tally.records:,} records, {tally.passed:,} passed, {tally.errors:,} errors, {tally.warnings:,} warnings"
        + (f", {tally.notes:,} notes" if tally.notes else "")
        + (f"; read as {', '.join(read)}" if read else "")
    )


def not_checked(verdict: Verdict) -> str:
    """Say what was not checked, or nothing."""
    if not verdict.unchecked:
        return ""
    names = ", ".join(verdict.unchecked)
    return f"NOT CHECKED: results by their schemas ({', '.join(RESULT_RULES)}) of {names}; give --tools"


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


class SarifReport:
    """Writes one run; its results are separate lines of the one JSON document."""

    def __init__(self) -> None:
        self._index = {code: number for number, code in enumerate(every_rule())}
        self._before = ""

    def begin(self) -> Iterator[str]:
        """Yield the head: the program and every rule it knows."""
        driver = {"name": "toolgen", "semanticVersion": VERSION, "rules": [_rule(code) for code in every_rule()]}
        yield f'{{"$schema":"{SCHEMA}","version":"2.1.0","runs":[{{"tool":{{"driver":{_text(driver)}}},"results":['

    def add(self, source: str, located: Sequence[Located]) -> Iterator[str]:
        """Yield one result for each violation."""
        uri = _uri(source)
        for each in located:
            yield self._before + _text(self._result(uri, each))
            self._before = ","

    def end(self, verdict: Verdict) -> Iterator[str]:
        """Yield the tail: how the run ended."""
        invocation: JsonObject = {"executionSuccessful": not verdict.failure, "exitCode": verdict.exit_code}
        if messages := [*filter(None, [verdict.failure]), *verdict.unmet]:
            notifications = [{"level": "error", "message": {"text": encodable(text)}} for text in messages]
            invocation["toolExecutionNotifications"] = notifications
        yield f'],"invocations":[{_text(invocation)}]}}]}}'

    def _result(self, uri: str, located: Located) -> JsonObject:
        location: JsonObject = {
            "physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": located.line}}
        }
        if located.pointer:
            location["logicalLocations"] = [{"fullyQualifiedName": located.pointer, "kind": "element"}]
        return {
            "ruleId": located.rule,
            "ruleIndex": self._index[located.rule],
            "level": located.severity,
            "message": {"text": _plain(located.message)},
            "locations": [location],
        }


def _rule(code: str) -> JsonObject:
    explained = entry(code)
    return {
        "id": code,
        "shortDescription": {"text": explained.summary},
        "fullDescription": {"text": explained.why},
        "help": {
            "text": f"{explained.summary} {explained.why} Source: {explained.source}. Examples: toolgen rule {code}"
        },
        "defaultConfiguration": {"level": explained.severity if explained.severity != "off" else explained.read},
    }


def _uri(source: str) -> str:
    path = Path(source)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))


def _plain(message: str) -> str:
    """Return a message without links: SARIF reads `[text](place)` as one, and what a record holds is quoted there."""
    return message.replace("](", "] (")


def _text(value: JsonObject) -> str:
    return orjson.dumps(value).decode()


REPORTS: dict[str, Callable[[], Report]] = {
    "json": JsonLinesReport,
    "sarif": SarifReport,
    "github": AnnotationReport,
    "statistics": Statistics,
}
"""What writes the findings where another report is asked for than that for people, by the name of its option."""


@dataclass(slots=True)
class CheckReport:
    """Checks tasks, and writes of what is found while it is found."""

    tasks: Sequence[Task]
    report: Report
    limit: Limit
    expected: Expected
    strict: bool
    tally: Tally = field(default_factory=Tally)
    by_origin: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    failure: ToolgenError | None = None
    """What kept them from being read to the end."""

    def lines(self, jobs: int) -> Iterator[str]:
        """Check everything and yield the lines of the report, but for those that come last."""
        yield from self.report.begin()
        take_for_kept()
        try:
            for origin, findings in check_all(self.tasks, jobs):
                self.tally.merge(findings.tally)
                self.by_origin[origin.name].merge(findings.tally)
                yield from self.report.add(origin.name, self.limit.admit(findings.located))
        except ToolgenError as error:
            self.failure = error

    def verdict(self) -> Verdict:
        """Sum up."""
        failure = self.failure
        unchecked = tuple(task.origin.name for task in self.tasks if task.lacks_catalog)
        found = [unmet(name, tally, self.expected) for name, tally in self.by_origin.items()] if not failure else []
        missed = tuple(filter(None, found))
        code = failure.exit_code if failure is not None else self._exit_code(missed)
        return Verdict(self.tally, unchecked, self.limit.held_back, code, str(failure or ""), missed)

    def _exit_code(self, missed: tuple[str, ...]) -> int:
        failed = self.tally.errors or (self.strict and self.tally.warnings) or missed or not self.tally.records
        return 1 if failed else 0


def closing_lines(verdict: Verdict) -> Iterator[str]:
    """Yield what was counted, and what is missed."""
    if verdict.held_back:
        yield f"... and {verdict.held_back:,} more violations"
    if unchecked := not_checked(verdict):
        yield unchecked
    yield summary_line(verdict)
    yield account(verdict.tally)
    for missed in verdict.unmet:
        yield f"error: {missed}"
    if not verdict.tally.records and not verdict.failure:
        yield "error: there is no record to check"
