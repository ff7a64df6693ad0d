"""Every code that is printed, explained: rules, reasons of rejected attempts, fixes, levels of evidence, exit codes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from generator.assets import asset_file
from generator.errors import EXIT_CODES, UsageError
from generator.suggestions import did_you_mean
from generator.validation.rule_reference import Entry, entry, every_rule, find_rule

TOPICS = {
    "attempt": "why an attempt is rejected",
    "level": "what vouches for an argument",
    "error": "what a call reports",
    "export": "why a record is left out of an export",
    "answer": "why an answer is of no use",
    "status": "how a run ends",
    "fix": "what `toolgen fix` mends",
    "exit": "exit code",
}
_NUMBERED = re.compile(r"(http|refused)_(\d{3})")
_OF_A_RULE = re.compile(r"rule_(\w+)")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What is told of a code that is no rule over records."""

    code: str
    topic: str
    summary: str
    reason: str = ""
    """What goes wrong, in full."""
    remedy: str = ""
    """What helps; "" where there is nothing to be done."""
    bad: str = ""
    good: str = ""


@cache
def meanings() -> Mapping[str, Meaning]:
    """Return the codes that are no rules over records, by code."""
    from generator.validation.fixes.mending import FIXES

    told = tomllib.loads(asset_file("codes.toml").read_text("utf-8"))
    known = {code: Meaning(code, topic, **said) for topic, codes in told.items() for code, said in codes.items()}
    fixes = {
        fix.name: Meaning(
            fix.name,
            "fix",
            fix.summary,
            f"It mends what is found by {', '.join(fix.codes)}." + (f" It may lose {fix.loses}." if fix.loses else ""),
            "toolgen fix FILE -o FIXED" + ("" if fix.is_safe else " --unsafe"),
        )
        for fix in FIXES.values()
    }
    codes = {str(code): Meaning(str(code), "exit", f"{what}.") for code, what in EXIT_CODES.items()}
    return {**known, **fixes, **codes}


def attempt_codes() -> tuple[str, ...]:
    """Return the codes of rejected attempts that are no rules over records."""
    return tuple(code for code, each in meanings().items() if each.topic == "attempt")


def explain(code: str) -> Entry | Meaning:
    """Explain a code, whatever case it is given in.

    Raises:
        UsageError: nothing that is printed is called so; the message suggests the nearest.
    """
    known = meanings()
    for each in (code, code.upper(), code.lower()):
        if each in known:
            return known[each]
    if found := _NUMBERED.fullmatch(code):
        told = f"The server answered with the HTTP status {found[2]}."
        return Meaning(code, "answer", told, remedy="look at the server and its log")
    rule = found[1] if (found := _OF_A_RULE.fullmatch(code)) else code
    try:
        return entry(find_rule(rule))
    except UsageError as error:
        near = did_you_mean(code, [*every_rule(), *known])
        raise UsageError(f"no such rule: {code}; {near}; toolgen rules lists them") if near else error from None


def holds(code: str) -> str:
    """Return what holds where a rule is kept, or an attempt is not rejected; "" where the code is an author's own."""
    from generator.validation.rules import RULES

    if code in RULES:
        return RULES[code].row.summary
    return meanings()[code].summary if code in meanings() else ""
