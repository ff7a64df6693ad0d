"""Every rule there is, over records and what travels beside them: what is told of it, and what was measured."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson

from generator.assets import asset_file
from generator.errors import UsageError
from generator.jsontext import JsonObject
from generator.suggestions import did_you_mean
from generator.validation.rule import Rule
from generator.validation.rules import RULES

_SHOWN_CLASSES = 8

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
    return (RULES.get(code) or every_rule()[code]).row.summary


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
    from generator.validation.fixes.mending import fixes_of

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


@cache
def _figures() -> JsonObject:
    figures: JsonObject = orjson.loads(asset_file("measured.json").read_bytes())
    return figures


def measured(code: str) -> tuple[str, ...]:
    """Return lines that tell what was measured of a rule; none where no class of corruptions breaks it."""
    figures = _figures()
    told: JsonObject | None = figures["rules"].get(code)
    if told is None:
        return ()
    classes = {name: figures["classes"][name]["records"] for name in told["found"]}
    found, flagged, good = sum(told["found"].values()), sum(told["flagged"].values()), sum(figures["good"].values())
    finds = [f"{count} of {classes[name]} {name}" for name, count in _most(told["found"])]
    flags = [f"{count} of {figures['good'][source]:,} {source}" for source, count in _most(told["flagged"])]
    recall = f"Recall {_share(found, sum(classes.values()))} over {len(classes)} classes of corruptions"
    precision = f"precision {_share(found, found + flagged)} beside {good:,} good records"
    more = len(classes) - len(finds)
    return (
        f"{recall}, {precision}, of which it flags {flagged:,}.",
        f"Finds {', '.join(finds)}{f' and {more} more classes' if more else ''}.",
        f"Flags of the good ones: {', '.join(flags) or 'none'}.",
    )


def _most(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:_SHOWN_CLASSES]


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.0f} %" if of else "-"
