"""Recall: a record that was stored is taken for one of the run only if it passes all that a new one passes.

Who can write a line can write its checksum as well. So nothing is taken on trust: the line is examined by every rule,
and must be what this job makes at this index, of these tools.
"""

from __future__ import annotations

from typing import Any

import orjson

from generator.domains.catalog import Catalog
from generator.job import Job
from generator.jsontext import JsonObject, JsonValue, digest, dump_compact, dump_line
from generator.records.record import FORMAT_VERSION
from generator.runs.outcome import Outcome, outcome_of
from generator.scenarios.planner import Planner
from generator.streams import derive_seed
from generator.tools.tool import Tool
from generator.validation import examine
from generator.validation.grounding.arguments.grounded import explain_view
from generator.validation.masks import unmasked
from generator.validation.view import RecordView
from generator.version import VERSION


class Foreign(Exception):
    """A line is no record of the run; the text says why."""


class Recall:
    """Reads the records of one job back in."""

    def __init__(self, job: Job, catalog: Catalog, planner: Planner) -> None:
        self._job = job
        self._catalog = catalog
        self._planner = planner

    def __call__(self, line: bytes, metadata: bytes = b"") -> Outcome:
        """Return the outcome that a stored line is, examined; `metadata` are those of a line that has none.

        Raises:
            Foreign: it is no record that this job could have made.
        """
        document = _read(line)
        if metadata and "metadata" not in document:
            document["metadata"] = _parsed(metadata)
        told = document.get("metadata")
        if not isinstance(told, dict):
            raise Foreign("it has no metadata that tell which record it is")
        self._require_of_the_job(told)
        tools = self._tools(document, told)
        violations, view = examine(document, catalog=self._catalog)
        found = next((each for each in violations if each.severity == "error"), None)
        if found is not None or view is None:
            raise Foreign(f"{found.rule} at {found.pointer or '/'}: {found.message}" if found else "it cannot be read")
        return self._outcome(document, view, tools, line, metadata)

    def _outcome(
        self, document: JsonObject, view: RecordView, tools: tuple[Tool, ...], line: bytes, metadata: bytes
    ) -> Outcome:
        try:
            if "mask" not in document["metadata"]:
                _require_id(document, tools)
            return outcome_of(document, explain_view(view), tools, line, metadata)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Foreign(f"it is no record as toolgen writes them ({type(error).__name__}: {error})") from error

    def _require_of_the_job(self, told: JsonObject) -> None:
        """Refuse what another job, catalog, index or version has made."""
        index, attempt = told.get("index"), told.get("attempt")
        if type(index) is not int or type(attempt) is not int or index < 0 or not 0 <= attempt < self._job.attempts:
            raise Foreign("its metadata tell no index or attempt of the run")
        expected: dict[str, Any] = {
            "kind": self._planner.kind_at(index, attempt),
            "seed": derive_seed(self._job.seed, "record", index, attempt),
            "author": self._job.author,
            "format_version": FORMAT_VERSION,
            "toolgen_version": VERSION,
            "catalog": self._catalog.digest,
            "reference_date": self._job.reference_date.isoformat(),
        }
        for name, value in expected.items():
            if told.get(name) != value:
                raise Foreign(f"its metadata tell {name} {told.get(name)!r}, where record {index} has {value!r}")

    def _tools(self, document: JsonObject, told: JsonObject) -> tuple[Tool, ...]:
        """Return the tools that a record shows, which are those of the catalog."""
        try:
            named = unmasked(document, told["mask"]) if "mask" in told else document
            known = self._catalog.by_fingerprint
            return tuple(known[digest(tool)] for tool in named["tools"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Foreign("it shows a tool that the catalog does not have") from error


def _read(line: bytes) -> JsonObject:
    """Read a line that says the same thing in no other way: no spaces, no key twice."""
    document = _parsed(line)
    if not isinstance(document, dict) or dump_line(document) != line:
        raise Foreign("it is no line as toolgen writes them")
    return document


def _parsed(line: bytes) -> JsonValue:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise Foreign(f"it is not JSON: {error}") from error


def _require_id(document: JsonObject, tools: tuple[Tool, ...]) -> None:
    made = digest([document["messages"], [tool.fingerprint for tool in tools]])
    if document["metadata"].get("id") != made:
        raise Foreign(f"its id is not that of its messages, {dump_compact(made)}")
