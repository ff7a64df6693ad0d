"""Units: whether an answer tells the numbers of the results in the units and currencies that they have there."""

from __future__ import annotations

from collections.abc import Iterator

from generator.validation.grounding.answers import Answer
from generator.validation.grounding.facts import (
    Fact,
    Held,
    facts_of,
    family_of,
    is_converted,
    is_money,
    is_same_unit,
    unit_of_key,
    units_in,
)
from generator.validation.grounding.reading.words import find_literal
from generator.validation.grounding.successes import Claim
from generator.validation.grounding.telling import Told


def misunits(answer: Answer) -> Iterator[Claim]:
    """Yield the numbers that an answer tells in another currency or unit than they have."""
    for told in answer.told:
        if not (told.currencies or told.unit) or told.is_part:
            continue
        exact = answer.held.get(told.value)
        if exact is not None and (_is_plain(told, exact) or _claim(told, facts_of(exact), answer) is None):
            continue
        value, near = told.value, told.near
        own = [
            fact
            for fact in answer.facts
            if abs(abs(fact.value) - value) <= near or abs(100 * abs(fact.value) - value) <= near
        ]
        claim = _claim(told, own, answer) if own else None
        if claim is not None and not _is_said(told, answer):
            yield claim


def _is_plain(told: Told, exact: list[Held]) -> bool:
    """Say whether the very number stands in a result in the very unit, or beside the very currency: most do."""
    for name, _, holder in exact:
        unit = unit_of_key(name)
        if not told.currencies:
            if unit == told.unit:
                return True
        elif not unit and holder is not None and type(currency := holder.get("currency")) is str:
            return currency in told.currencies and not units_in(holder)
    return False


def _claim(told: Told, own: list[Fact], answer: Answer) -> Claim | None:
    return _of_currency(told, own, answer) if told.currencies else _of_unit(told, own, answer)


def _is_said(told: Told, answer: Answer) -> bool:
    """Say whether the very words stand in what was said before."""
    return find_literal(answer.evidence, answer.folded[told.start : told.end]) >= 0


def _of_currency(told: Told, own: list[Fact], answer: Answer) -> Claim | None:
    if is_same(told, own):
        return None
    if any(fact.currency in told.currencies for fact in own):
        return None
    words = answer.folded[told.start : told.end].strip()
    held = next((fact for fact in own if fact.currency), None)
    if held is not None:
        return Claim(f"{words!r} where {held.key} is in {held.currency}", is_certain=True)
    if all(fact.unit for fact in own):
        return Claim(f"{words!r} where {own[0].value:g} is {own[0].key}", "warning")
    if answer.speaks_of(told.currencies):
        return None
    spoken = answer.currencies
    if spoken and spoken.isdisjoint(told.currencies):
        return Claim(f"{words!r} where all else is in {', '.join(sorted(spoken)[:2])}")
    return None


def is_same(told: Told, own: list[Fact]) -> bool:
    """Say whether the word may be a unit after all: pounds."""
    return bool(told.unit) and any(is_same_unit(fact.unit, told.unit) for fact in own)


def _of_unit(told: Told, own: list[Fact], answer: Answer) -> Claim | None:
    if any(is_same_unit(fact.unit, told.unit) for fact in own):
        return None
    if any(is_converted(told.value, told.near, told.unit, fact) for fact in answer.facts):
        return None
    words = answer.folded[told.start : told.end].strip()
    family = family_of(told.unit)
    near = next((fact for fact in own if family and family_of(fact.unit) == family), None)
    is_known = all(fact.unit for fact in own)
    if near is not None:
        return Claim(f"{words!r} where {near.key} is {near.value:g}", "error" if is_known else "warning")
    is_other = all(fact.unit or is_money(fact) for fact in own)
    if is_other and any(is_same_unit(fact.unit, told.unit) for fact in answer.facts):
        return Claim(f"{words!r} where {own[0].key} is {own[0].value:g}", "warning")
    return None
