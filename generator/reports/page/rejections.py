"""Why attempts yielded no record: each rule in plain words, what helps, and some attempts that it met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from generator.disk import disk_errors
from generator.reports.codes import holds, meanings
from generator.reports.page.source import Source
from generator.reports.summary import most_rejected
from generator.validation.lines import read_lines
from generator.validation.rule_reference import entry, every_rule
from generator.validation.verdict import Rejection

_EXAMPLES = 3
_MOST_RULES = 40
_LONGEST = 400
_MOST_TOOLS = 6


@dataclass(frozen=True, slots=True)
class Example:
    """One attempt that was rejected."""

    about: str
    """Its index, kind and tools."""
    message: str


@dataclass(frozen=True, slots=True)
class Reason:
    """One rule that attempts broke."""

    code: str
    rejected: int
    holds: str
    """What holds where the rule is kept."""
    why: str
    """What is bad about it."""
    remedy: str
    tools: str
    """The tools that it met most."""
    examples: tuple[Example, ...]


def reasons(source: Source) -> tuple[list[Reason], int]:
    """Return the rules that attempts broke, the commonest first, and how many rules are left out.

    Raises:
        StorageError: the rejections cannot be read.
    """
    rules = source.summary.rules
    shown = dict(list(rules.items())[:_MOST_RULES])
    examples = _examples(source.folder.rejections, shown)
    told = []
    for code, count in shown.items():
        why, remedy = _explained(code, source.summary.response_mode)
        words = holds(code) or "A rule of the author."
        told.append(Reason(code, count.rejected, words, why, remedy, most_rejected(count), tuple(examples[code])))
    return told, len(rules) - len(shown)


def _explained(code: str, response_mode: str) -> tuple[str, str]:
    """Return what is bad about what breaks a rule, and what helps."""
    if code in meanings():
        return meanings()[code].reason, meanings()[code].remedy
    if code not in every_rule():
        return "", ""
    told = entry(code)
    helps = "another --model, more --attempts, or prompts of your own" if response_mode else ""
    return (
        told.why,
        helps or "nothing is needed where others took its place; else a domain file with more phrases and values",
    )


def _examples(path: Path, rules: Mapping[str, object]) -> dict[str, list[Example]]:
    found: dict[str, list[Example]] = {code: [] for code in rules}
    if not path.is_file():
        return found
    with disk_errors(path), path.open("rb") as stream:
        for _, line in read_lines(stream):
            if all(len(examples) == _EXAMPLES for examples in found.values()):
                break
            if (rejection := _read(line)) is None:
                continue
            for violation in rejection.violations:
                examples = found.get(violation.rule)
                message = violation.message[:_LONGEST]
                if examples is not None and _is_new(examples, message):
                    examples.append(Example(_about(rejection), message))
    return found


def _is_new(examples: Sequence[Example], message: str) -> bool:
    return len(examples) < _EXAMPLES and all(example.message != message for example in examples)


def _read(line: bytes | None) -> Rejection | None:
    """Read one rejection; what is none of this version's is no example."""
    try:
        return Rejection.model_validate_json(line or b"")
    except ValidationError:
        return None


def _about(rejection: Rejection) -> str:
    tools = ", ".join(rejection.tools[:_MOST_TOOLS]) or "no tool"
    return f"record {rejection.index:,}, attempt {rejection.attempt + 1:,}: {rejection.kind} with {tools}"
