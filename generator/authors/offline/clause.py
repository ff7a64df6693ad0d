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


def inline(field: Field, order: int, *templates: str, cost: float = 0.0) -> Clause:
    return Clause(
        (field.name,), order, tuple(pieces(text, field) for text in templates), cost=cost, fact=fact_of(field)
    )


def fact_of(field: Field) -> Pieces:
    """ "the radius is 5 cm"."""
    last = field.noun.rsplit(" ", 1)[-1].lower()
    verb = "are" if (is_plural(last) and not is_uncounted(last)) or (field.kind == "list" and is_plural(last)) else "is"
    return pieces("the {n} " + verb + " {}", field)


def attribute(field: Field) -> Clause:
    """ "with a radius of 5 cm", "the radius is 5 cm"."""
    noun = field.noun
    if " per " in noun:
        return Clause((field.name,), WITH, item=pieces("{} {n}", field), fact=fact_of(field), cost=0.3)
    bare = is_plural(noun.rsplit(" ", 1)[-1]) or is_uncounted(noun.rsplit(" ", 1)[-1])
    item = pieces((noun if bare else with_article(noun)) + " of {}", field)
    return Clause((field.name,), WITH, item=item, fact=fact_of(field), cost=0.4)
