"""Every rule there is, over records and over what travels beside them, with what explains it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from generator.errors import UsageError
from generator.suggest import did_you_mean
from generator.validation.measured import measured
from generator.validation.rule import Rule
from generator.validation.rules import RULES

GROUPS: dict[str, str] = {
    "DF": "DeepFabric Data Format",
    "OA": "OpenAI-compatible tool calling",
    "ADM": "ALTAR Data Model",
    "Q3": "Qwen3 tool-calling format",
    "TC": "Tool-calling practice: what chat templates and trainers break on",
}
"""The groups of rules, by the letters that their codes start with."""

ALWAYS = "TC101"
"""The rule by which a line is read at all: only its full code switches it off."""


@cache
def every_rule() -> dict[str, Rule[Any]]:
    """Return the rules over records and those over entities by code, in the order of the groups."""
    from generator.validation.entities.judging import ENTITY_RULES  # few commands need them, and they take long to read

    known: dict[str, Rule[Any]] = {**RULES, **ENTITY_RULES}
    return {code: known[code] for code in sorted(known, key=_place)}


def summary_of(code: str) -> str:
    """Return what holds where a rule is kept."""
    return every_rule()[code].row.summary


@dataclass(frozen=True, slots=True)
class Entry:
    """What is told about one rule."""

    code: str
    group: str
    summary: str
    severity: str
    """In what toolgen writes: error, warning, note or off."""
    read: str
    """In what other people wrote: error, warning, note or off."""
    source: str
    name: str
    """The error code that its source gives it, or ""."""
    why: str
    bad: tuple[str, ...]
    """What breaks the rule: lines of JSON, or of places in a record with what stands there."""
    good: tuple[str, ...]
    """The same, where the rule is kept."""
    fixes: tuple[str, ...]
    """What `toolgen fix` does about it, safe fixes first."""
    measured: tuple[str, ...]
    """What was measured of it over corrupted and good records; none where no corruption of a meaning breaks it."""

    @property
    def severities(self) -> str:
        """Both severities in few words."""
        if self.severity == self.read:
            return self.severity
        if self.severity == "off":
            return f"{self.read} where read"
        return f"{self.severity} where written" if self.read == "off" else f"{self.severity}, {self.read} where read"


def entry(code: str) -> Entry:
    """Return what is told about a rule."""
    rule = every_rule()[code]
    row = rule.row
    severities = (rule.severity or "off", rule.read or "off")
    examples = (row.lines(row.bad), row.lines(row.good))
    told = (row.summary, *severities, row.source, row.name, row.reason, *examples, _fixes(code), measured(code))
    return Entry(code, group_of(code), *told)


def _fixes(code: str) -> tuple[str, ...]:
    from generator.validation.fixes.table import fixes_of

    return tuple(f"{fix.summary} ({fix.name}{'' if fix.is_safe else ', --unsafe'})" for fix in fixes_of(code))


def _place(code: str) -> tuple[int, str]:
    return list(GROUPS).index(group_of(code)), code


def group_of(code: str) -> str:
    """Return the letters a code starts with."""
    return next(group for group in GROUPS if code.startswith(group))


def find_rule(code: str) -> str:
    """Return the code as it is written, whatever case it was given in.

    Raises:
        UsageError: there is no such rule; the message suggests the nearest.
    """
    known = every_rule()
    if code.upper() in known:
        return code.upper()
    named = {rule.row.name: known for known, rule in reversed(known.items()) if rule.row.name}
    if code in named:
        return named[code]
    hint = did_you_mean(code, [*known, *named]) or f"codes start with {', '.join(GROUPS)}"
    raise UsageError(f"no such rule: {code}; {hint}; toolgen rules lists them")


def choose_rules(select: Iterable[str], ignore: Iterable[str], *, always: bool = True) -> frozenset[str] | None:
    """Return the codes that are selected and not ignored, by codes or the starts of codes; None where that is all.

    The longer word wins, as `--ignore TC --select TC101` says. That a line can be read at all is always asked,
    unless that rule is ignored by its full code, or `always` is false.

    Raises:
        UsageError: a word is the start of no code.
    """
    selected, ignored = [_known(word) for word in select], [_known(word) for word in ignore]
    if not selected and not ignored:
        return None
    kept = {code for code in every_rule() if _longest(selected or [""], code) > _longest(ignored, code)}
    return frozenset(kept | ({ALWAYS} - set(ignored) if always else set()))


def _longest(words: list[str], code: str) -> int:
    """Return the length of the longest word that the code starts with; -1 where none is."""
    return max((len(word) for word in words if code.startswith(word)), default=-1)


def _known(word: str) -> str:
    if any(code.startswith(word.upper()) for code in every_rule()) and word:
        return word.upper()
    return find_rule(word)
