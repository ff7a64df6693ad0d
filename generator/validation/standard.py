"""Standard: what the records of a data set are held to, as data that can travel to other processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from generator.domains.catalog import Catalog
from generator.jsontext import JsonObject, JsonValue
from generator.validation.verdict import Severity, Violation

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
