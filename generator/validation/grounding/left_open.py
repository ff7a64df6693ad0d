"""Left open: searches that are given nothing to look for, and limits that the user states and no call is given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from generator.validation.grounding.facts import currencies
from generator.validation.grounding.language import entries
from generator.validation.grounding.languages import words_for
from generator.validation.grounding.places import schemas_at
from generator.validation.grounding.taken_units import taken_units
from generator.validation.grounding.unit_names import Unit, unit_after, unit_named
from generator.validation.grounding.vocabulary import languages_of
from generator.validation.grounding.words import LONGEST_TEXT, find_number, fold, stem, tokens_of, tokens_of_value
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import brief
from generator.validation.view import CallView, RecordView

_SEARCHING = frozenset({"search", "find"})


class _Limit(NamedTuple):
    """A parameter that takes the most or the least of something."""

    name: str
    is_upper: bool
    matter: frozenset[str]
    """The stems of the rest of its name."""
    unit: Unit | None
    is_money: bool


def left_open(record: RecordView) -> Iterator[Finding]:
    """Yield the calls that leave out what they are to look for, or a limit that the user states."""
    for call in record.calls:
        if call.tool is None or call.arguments is None:
            continue
        if not call.arguments and _looks_for_text(call.tool) and not _asks_for_everything(call, record):
            yield Finding(call.arguments_pointer, "a search is given nothing to look for", "warning")
        limits = [each for each in _limits_of(call.tool) if each.name not in call.arguments]
        for limit in limits:
            said = _limit_said(limit, call, record)
            if said:
                why = f"leaves out {limit.name}, of which the user says {brief(said)}"
                yield Finding(call.arguments_pointer, why, "warning")


@lru_cache(maxsize=4096)
def _looks_for_text(tool: ToolView) -> bool:
    """Say whether a tool searches, by its name, and takes a text to look for."""
    names = frozenset(token for name in tool.property_names for token in tokens_of_value(name))
    is_search = not _SEARCHING.isdisjoint(tokens_of_value(tool.name)[:3])
    return is_search and not words_for("bounds", "query_names").isdisjoint(names)


def _asks_for_everything(call: CallView, record: RecordView) -> bool:
    said = [each.content for each in record.messages[: call.turn] if each.role == "user"]
    text = said[-1] if said and isinstance(said[-1], str) else ""
    return not text or not words_for("bounds", "everything").isdisjoint(tokens_of(fold(text[:LONGEST_TEXT])))


@lru_cache(maxsize=4096)
def _limits_of(tool: ToolView) -> tuple[_Limit, ...]:
    units = {each.path: each.unit for each in taken_units(tool)}
    found = []
    for name in tool.property_names:
        tokens = frozenset(tokens_of_value(name))
        upper, lower = tokens & words_for("bounds", "upper_names"), tokens & words_for("bounds", "lower_names")
        is_number = any(schema.get("type") in ("number", "integer") for _, schema in schemas_at(tool, (name,)))
        if is_number and bool(upper) is not bool(lower):
            is_money = not _money().isdisjoint(tokens)
            matter = frozenset(map(stem, tokens - upper - lower))
            found.append(_Limit(name, bool(upper), matter, units.get((name,)), is_money))
    return tuple(found)


@cache
def _money() -> frozenset[str]:
    return frozenset(entries("en", "results", "money"))


def _limit_said(limit: _Limit, call: CallView, record: RecordView) -> str:
    """Return the limit that the user's last message states and no call is given; "" for none."""
    said = [each.content for each in record.messages[: call.turn] if each.role == "user"]
    text = said[-1] if said and isinstance(said[-1], str) else ""
    folded = fold(text[:LONGEST_TEXT])
    for match in _bound(limit.is_upper).finditer(folded):
        if _is_of(limit, match, folded) and not _is_given(match["number"], record):
            return match[0]
    return ""


def _is_of(limit: _Limit, match: re.Match[str], folded: str) -> bool:
    """Say whether a bound is one of what a limit is of: money, a measure, or what its name says."""
    languages = languages_of(folded)
    units = [unit for each in languages if (unit := unit_after(folded, match.end(), each)) is not None]
    following = tokens_of(folded[match.end() : match.end() + _NEAR])[:1]
    is_money = bool(match["sign"]) or any(each in currencies() or each in _coins() for each in following)
    if limit.is_money:
        return is_money
    if limit.unit is not None:
        return any(unit.is_as_much_as(limit.unit) for unit in units)
    near = frozenset(map(stem, tokens_of(folded[max(0, match.start() - _NEAR) : match.end() + _NEAR])))
    return not is_money and not units and bool(limit.matter & near)


_NEAR = 20


@cache
def _coins() -> frozenset[str]:
    """Return the words for currencies in every language: those beside units that are no units of measure."""
    forms = [
        entry.rpartition(" ")
        for language in ("en", "de", "es", "fr", "zh")
        for entry in entries(language, "measures", "units")
    ]
    return frozenset(word for word, _, name in forms if unit_named(name) is None and name != "%")


def _is_given(number: str, record: RecordView) -> bool:
    plain = number.replace(",", "")
    return any(find_number(call.text, plain) >= 0 for call in record.calls)


@cache
def _bound(is_upper: bool) -> re.Pattern[str]:
    """Return what finds a number that is said as the most or the least."""
    tables = ("at_most", "under") if is_upper else ("at_least", "over")
    words = sorted((word for name in tables for word in words_for("bounds", name)), key=lambda word: (-len(word), word))
    forms = "|".join(map(re.escape, words))
    number = r"(?P<number>\d{1,3}(?:,\d{3})+|\d{1,9}(?:\.\d{1,3})?)"
    return re.compile(rf"(?<!\w)(?:{forms})\s(?P<sign>[$€£¥₹]?){number}")
