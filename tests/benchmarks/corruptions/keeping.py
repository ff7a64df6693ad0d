"""What of a measurement is kept beside the rules, for their pages and that of grounding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.validation.rules import RULES
from generator.validation.verdict import SEVERITIES
from tests.benchmarks.corruptions.measuring import Caught
from tests.benchmarks.corruptions.tables import Alarms, Measured

Json = Any  # parsed JSON
MODE = "read"
"""The mode that rule pages speak of: what people run on data of others."""


def kept(wrong: Mapping[str, str], measured: Measured, by_family: Measured, alarms: Alarms) -> Json:
    """Return the figures by class and by rule, as plain JSON."""
    sources = alarms[MODE]
    return {
        "good": {source: counted["", ""] for source, counted in sources.items()},
        "flagged": {source: _flagged(counted) for source, counted in sources.items()},
        "classes": {name: {"wrong": wrong[name], **_modes(modes)} for name, modes in measured.items()},
        "families": {name: _modes(modes) for name, modes in by_family.items()},
        "rules": {code: told for code in RULES if (told := _rule(code, measured, alarms))},
    }


def _flagged(counted: Mapping[tuple[str, str], int]) -> dict[str, int]:
    """Return how many records have a finding of their meaning, by the surest of them, and how many of form alone."""
    return {**{each: counted.get(("meaning", each), 0) for each in SEVERITIES}, "form": counted.get(("form", ""), 0)}


def _modes(modes: Mapping[str, Caught]) -> Json:
    records = next(iter(modes.values())).records
    return {"records": records, **{mode: [each.at_least(s) for s in SEVERITIES] for mode, each in modes.items()}}


def _rule(code: str, measured: Measured, alarms: Alarms) -> Json:
    """Return in how many records of which classes a rule found something, and in how many good ones."""
    found = {name: modes[MODE].rules[code] for name, modes in measured.items() if modes[MODE].rules[code]}
    flagged = {
        source: count
        for source, counted in alarms[MODE].items()
        if (count := sum(n for (rule, _), n in counted.items() if rule == code))
    }
    return {"found": found, "flagged": flagged} if found else {}
