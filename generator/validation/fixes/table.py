"""Every fix, in the order they are tried in: what others look at is mended first."""

from __future__ import annotations

from generator.validation.fixes import arguments, calls, errors, links, parameters, structure, texts, tools, turns
from generator.validation.fixes.fix import Fix

_GROUPS = (
    structure.FIXES,
    tools.FIXES,
    parameters.FIXES,
    calls.FIXES,
    links.FIXES,
    turns.FIXES,
    arguments.FIXES,
    texts.FIXES,
    errors.FIXES,
)

FIXES: dict[str, Fix] = {fix.name: fix for group in _GROUPS for fix in sorted(group, key=lambda fix: not fix.is_safe)}
"""The fixes by name, in each group the safe ones first."""


def fixes_of(code: str) -> list[Fix]:
    """Return the fixes that mend what a rule finds."""
    return [fix for fix in FIXES.values() if code in fix.codes]
