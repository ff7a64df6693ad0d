"""Judging ADM's structures: a Tool, a FunctionCall with its Tool, a ToolResult with its call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.adm import fields_have_values
from generator.schemas.adm_versions import is_newer_minor, is_refused
from generator.validation.entities.adm_calls import CALL_RULES, AdmCallView
from generator.validation.entities.adm_results import RESULT_RULES, AdmResultView
from generator.validation.entities.adm_tools import SHARED_RULES, TOOL_STRUCTURE_RULES, ToolStructures
from generator.validation.rule import Finding, ask
from generator.validation.verdict import Violation

_SHARED = {rule.code: rule for rule in SHARED_RULES}
_OF_VERSIONS = tuple(rule for rule in SHARED_RULES if rule.code != "ADM219")
_NEW_FIELDS = frozenset({"ADM206", "ADM218", "ADM240", "ADM304", "ADM329", "ADM112"})
_NEW_WORDS = frozenset({"ADM223", "ADM224", "ADM323"})
"""What a newer MINOR version may add: fields, which are ignored, and types and statuses, which are told."""


def tool_violations(document: JsonValue, prefix: str = "") -> Iterator[Violation]:
    """Yield every violation in an ADM Tool."""
    view = ToolStructures(document)
    rules = () if _refused(document) else (*TOOL_STRUCTURE_RULES, _SHARED["ADM219"])
    yield from _tolerated(document, ask((*_OF_VERSIONS, *rules), view, prefix))


def call_violations(document: JsonValue) -> Iterator[Violation]:
    """Yield every violation in `{"tool": ..., "call": ...}`, or in a FunctionCall alone."""
    parts = _parts(document, "call", "tool")
    if parts is None:
        yield from _call_violations(document, None, "", has_tool=False)
        return
    yield from ask(_OF_VERSIONS, ToolStructures(parts), "")
    if not _refused(parts):
        yield from _pair_violations(parts)


def _pair_violations(parts: JsonObject) -> Iterator[Violation]:
    yield from tool_violations(parts.get("tool"), "/tool")
    yield from _call_violations(parts.get("call"), parts.get("tool"), "/call", has_tool=True)


def _call_violations(call: JsonValue, tool: JsonValue, prefix: str, *, has_tool: bool) -> Iterator[Violation]:
    yield from _of_structure(call, prefix, ())
    if not _refused(call):
        view = AdmCallView(call, tool, has_tool=has_tool, is_known=has_tool and not _refused(tool))
        yield from _tolerated(call, ask(CALL_RULES, view, prefix))


def result_violations(document: JsonValue) -> Iterator[Violation]:
    """Yield every violation in a ToolResult, or in `{"tool": ..., "call": ..., "result": ...}`."""
    parts = _parts(document, "result", "tool", "call")
    if parts is None:
        yield from _result_violations(document, None, "")
        return
    yield from ask(_OF_VERSIONS, ToolStructures(parts), "")
    if not _refused(parts):
        yield from _pair_violations(parts)
        yield from _result_violations(parts.get("result"), parts.get("call"), "/result")


def _result_violations(result: JsonValue, call: JsonValue, prefix: str) -> Iterator[Violation]:
    yield from _of_structure(result, prefix, ("content",))
    if not _refused(result):
        yield from _of_error(result, prefix)
        yield from _tolerated(result, ask(RESULT_RULES, AdmResultView(result, call), prefix))


def _parts(document: JsonValue, *names: str) -> JsonObject | None:
    """Return the document where it holds several structures by these names, the first of which tells it apart."""
    if isinstance(document, dict) and (names[0] in document or names[1] in document) and "name" not in document:
        return document
    return None


def _of_structure(structure: JsonValue, prefix: str, nullable: tuple[str, ...]) -> Iterator[Violation]:
    """Yield what is wrong with the version and with nulls, of which `nullable` fields may have one."""
    yield from ask(_OF_VERSIONS, ToolStructures(structure), prefix)
    if isinstance(structure, dict) and not _refused(structure):
        shown = {name: value for name, value in structure.items() if name not in nullable}
        yield from _nulls(shown, prefix)


def _of_error(result: JsonValue, prefix: str) -> Iterator[Violation]:
    error = result.get("error") if isinstance(result, dict) else None
    if isinstance(error, dict):
        yield from _nulls(error, f"{prefix}/error")


def _nulls(structure: JsonObject, prefix: str) -> Iterator[Violation]:
    rule = _SHARED["ADM219"]
    for at, message in fields_have_values(structure):
        yield rule.violation(Finding(pointer(at), message), "error", prefix)


def _refused(structure: JsonValue) -> bool:
    return isinstance(structure, dict) and is_refused(structure)


def _tolerated(structure: JsonValue, violations: Iterable[Violation]) -> Iterator[Violation]:
    """Pass on what holds for the version of a structure: a newer MINOR one may hold what is not known here."""
    newer = isinstance(structure, dict) and is_newer_minor(structure)
    for violation in violations:
        if newer and violation.rule in _NEW_WORDS:
            yield violation.model_copy(update={"severity": "warning"})
        elif not (newer and violation.rule in _NEW_FIELDS):
            yield violation
