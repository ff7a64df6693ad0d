"""Verdicts: violations of rules, running counts of what was found, and the standard that a data set is held to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from pydantic import AliasChoices, Field

from generator.boundary import BoundaryModel
from generator.domains.catalog import Catalog
from generator.jsontext import JsonObject, JsonValue

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""How sure a finding is, the surest first: certain, likely, unsure."""


def weaker(first: Severity, second: Severity) -> Severity:
    """Return the one of two severities that is less sure."""
    return max(first, second, key=SEVERITIES.index)


DISAGREES, DOUBTS, UNHEARD = "VE001", "VE002", "VE003"
OPINION_RULES = (DISAGREES, DOUBTS, UNHEARD)
"""Rules that a second opinion breaks, on a record that passed every other: other calls, doubts, none to be had."""


class Violation(BoundaryModel):
    """One rule broken at one place."""

    rule: str
    """The rule's stable code, e.g. `DF002`."""
    pointer: str
    """JSON pointer into the record."""
    message: str
    severity: Severity = "error"


def errors_of(violations: Iterable[Violation]) -> list[Violation]:
    """Keep the violations that a record may not have; warnings it may."""
    return [violation for violation in violations if violation.severity == "error"]


class Rejection(BoundaryModel):
    """An attempt at a scenario that yielded no record, and why."""

    index: int
    attempt: int
    kind: str
    tools: tuple[str, ...]
    """Names of the tools the plan calls (or shows, where it calls none)."""
    violations: tuple[Violation, ...]
    request: str = ""
    """What the user said last, its first 500 characters; "" where no draft was made."""
    origins: tuple[str, ...] = Field(
        default=(), validation_alias=AliasChoices("from", "origins"), serialization_alias="from"
    )
    """The parts of domain files that the wish was taken from: `tools/NAME/ways/N`, `tasks/N`, `unserved/N`."""


_SHOWN = 60
_LARGEST_SHOWN = 10**30

_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
}


def kind_of(value: object) -> str:
    """Name the JSON type of a value, with its article."""
    return _KINDS.get(type(value), f"a {type(value).__name__}")


def brief(value: object) -> str:
    """Show a value in a line, whatever its size: text is cut, containers and huge numbers are named.

    Text keeps its own script; what a screen would obey or hide (controls, overrides, tags) is shown as escapes.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        text = repr(value[:_SHOWN])
        return text if len(value) <= _SHOWN else f"{text[:-1]}...{text[-1]}"
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < _LARGEST_SHOWN):
        return str(value)
    return kind_of(value)


class Read(NamedTuple):
    """What was read of one line, or of many."""

    calls: int = 0
    results: int = 0
    tools: int = 0
    """Definitions of tools, as often as records show them."""
    silent: int = 0
    """Records that show tools and call none, and do not say that this is their kind."""
    columns: tuple[str, ...] = ()
    """Columns beside the record that nobody looked into."""


NOTHING_READ = Read()


@dataclass(slots=True)
class Tally:
    """What was found over all lines so far."""

    records: int = 0
    passed: int = 0
    """Records without an error; warnings and notes do not count."""
    errors: int = 0
    warnings: int = 0
    notes: int = 0
    rules: Counter[tuple[str, Severity]] = field(default_factory=Counter)
    """Violations by rule and severity: a rule may be an error in one record and a warning in another."""
    broken_by: Counter[tuple[str, Severity]] = field(default_factory=Counter)
    """Records by the rule that they break, each counted once."""
    formats: Counter[str] = field(default_factory=Counter)
    """Records by the format they were read in."""
    calls: int = 0
    results: int = 0
    tools: int = 0
    """Definitions of tools, as often as records show them."""
    silent: int = 0
    """Records that show tools and call none, and do not say that this is their kind."""
    columns: Counter[str] = field(default_factory=Counter)
    """Records by the columns beside them that nobody looked into."""

    def add(self, violations: Sequence[Violation], form: str = "", read: Read = NOTHING_READ) -> None:
        """Count one line, what was found in it, the format it was read in, and what was read of it."""
        self.records += 1
        if form:
            self.formats[form] += 1
        self.calls += read.calls
        self.results += read.results
        self.tools += read.tools
        self.silent += read.silent
        if read.columns:
            self.columns.update(read.columns)
        if not violations:
            self.passed += 1
            return
        kinds = Counter((violation.rule, violation.severity) for violation in violations)
        self.rules.update(kinds)
        self.broken_by.update(kinds.keys())
        found = Counter(violation.severity for violation in violations)
        self.errors += found["error"]
        self.warnings += found["warning"]
        self.notes += found["note"]
        self.passed += not found["error"]

    def take_back(self, rule: str, severity: Severity) -> None:
        """Count one note of one record less: it was told of another record."""
        for counts in (self.rules, self.broken_by):
            counts[rule, severity] -= 1
            if not counts[rule, severity]:
                del counts[rule, severity]
        self.notes -= severity == "note"

    def merge(self, other: Tally) -> None:
        """Add what was counted over other lines."""
        self.records += other.records
        self.passed += other.passed
        self.errors += other.errors
        self.warnings += other.warnings
        self.notes += other.notes
        self.rules.update(other.rules)
        self.broken_by.update(other.broken_by)
        self.formats.update(other.formats)
        self.calls += other.calls
        self.results += other.results
        self.tools += other.tools
        self.silent += other.silent
        self.columns.update(other.columns)

    @property
    def by_rule(self) -> dict[str, int]:
        """Violations by rule, the most frequent first, equals by their codes."""
        counts: Counter[str] = Counter()
        for (code, _), count in self.rules.items():
            counts[code] += count
        return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


Mode = Literal["auto", "written", "read"]
"""Whose rules hold: `written` (all that toolgen demands of its own records), `read`, or by each record's metadata."""

STRICT_FORMAT = frozenset(
    "DF010 OA029 OA030 OA121 OA122 OA123 ADM009 ADM112 ADM206 ADM218 ADM240 ADM304 ADM329 Q3004 TC011 TC018 TC103 "
    "TC104".split()
)
"""Rules by which the four documents bind who writes, and which readers forgive: limits of strict tools, ids, line
breaks, calls without a response, numbers and formats to the letter, fields that no document knows."""

RESULT_RULES = ("ADM113", "ADM114")
"""The rules that need a catalog."""


NOTHING: JsonObject = {}
"""Stands for no columns; never changed."""


class Reading(NamedTuple):
    """A document brought to the canonical record, and the name of the format it was in; "" where it is in none."""

    form: str
    document: JsonValue
    problem: str = ""
    """Why it is in no format, where that can be told."""
    beside: JsonObject = NOTHING
    """The columns of the line that the format has no use for, with what they hold."""


Reader = Callable[[JsonValue], Reading]
"""Brings a parsed line to the canonical record; what it cannot read stays as it is, for the rules to find."""

Judge = Callable[[JsonValue], Iterable[Violation]]
"""Judges a parsed line that is no record, such as a request or the result of a call."""


@dataclass(frozen=True, slots=True)
class Standard:
    """What each line is held to. Functions in it are named functions of a module, so that they can be pickled."""

    catalog: Catalog | None = None
    """The tools with their result schemas; without it results are not checked against schemas."""
    mode: Mode = "auto"
    reader: Reader | None = None
    """Without it records are held to the canonical form as they stand."""
    judge: Judge | None = None
    """Judges each line in place of the rules over records."""
    rules: frozenset[str] | None = None
    """Codes of the rules that count; None: all."""
    form_is_told: bool = False
    """Whether the user has said what format the records are in."""
    strict_format: bool = False
    """Whether what a document forbids is an error also where it harms no reader; see `STRICT_FORMAT`."""
    weakest: Severity = "note"
    """The severity from which on findings count."""

    def holds_as_written(self, document: JsonValue) -> bool:
        """Say whether a record is held to all that toolgen demands of what it writes."""
        return is_written(document) if self.mode == "auto" else self.mode == "written"


def is_written(document: JsonValue) -> bool:
    """Say whether a record claims to be written by toolgen, and so is held to all that toolgen demands."""
    metadata = document.get("metadata") if isinstance(document, dict) else None
    return isinstance(metadata, dict) and "toolgen_version" in metadata
