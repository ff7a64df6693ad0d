"""Clause: the ways to say one parameter, or some together."""

from __future__ import annotations

from dataclasses import dataclass

from generator.authors.offline.fields import Field
from generator.authors.offline.pieces import Pieces, pieces
from generator.authors.offline.words import is_plural, is_uncounted, with_article

NAMED, PLACE, DATE, DURATION, WHOM, WITH, MANNER, LAST = range(8)
"""Where a clause stands in the sentence, in the order people say things."""


@dataclass(frozen=True, slots=True)
class Clause:
    """Ways to say one field or pair.

    `inline` follow the sentence; `item` is one entry of "with A, B and C"; `fact` one entry of "the A is 1 and the
    B is 2"; `extra` are sentences of their own. `cost` tells how stilted it reads: 0 natural, 3 hardly.
    """

    names: tuple[str, ...]
    order: int
    inline: tuple[Pieces, ...] = ()
    item: Pieces = ()
    fact: Pieces = ()
    extra: tuple[Pieces, ...] = ()
    extra_false: tuple[Pieces, ...] = ()
    cost: float = 1.0


def told(
    field: Field,
    order: int,
    *inline: str,
    item: str = "",
    fact: str = "",
    extra: tuple[str, ...] = (),
    cost: float = 0.0,
) -> Clause:
    """Make the clause of one field from templates: `{}` is its value, `{n}` its noun.

    Without `fact`, "the {n} is {}" is told where it must stand in a sentence of facts.
    """
    return Clause(
        names=(field.name,),
        order=order,
        inline=tuple([pieces(text, field) for text in inline]),
        item=pieces(item, field) if item else (),
        fact=pieces(fact, field) if fact else fact_of(field),
        extra=tuple([pieces(text, field) for text in extra]),
        cost=cost,
    )


def fact_of(field: Field) -> Pieces:
    """Say the field as a fact: "the radius is 5 cm", "the labels are bug and urgent"."""
    last = field.noun.rsplit(" ", 1)[-1].lower()
    many = is_plural(last) and (field.kind == "list" or not is_uncounted(last))
    return pieces(f"the {{n}} {'are' if many else 'is'} {{}}", field)


def attribute(field: Field) -> Clause:
    """Say the field as something that the object has: "with a radius of 5 cm"."""
    noun = field.noun
    if " per " in noun:
        return told(field, WITH, item="{} {n}", cost=0.3)
    last = noun.rsplit(" ", 1)[-1]
    bare = is_plural(last) or is_uncounted(last)
    return told(field, WITH, item=f"{noun if bare else with_article(noun)} of {{}}", cost=0.4)
