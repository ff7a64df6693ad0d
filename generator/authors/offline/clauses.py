"""Clauses: how the parameters are said for which the description has no place."""

from __future__ import annotations

from collections.abc import Mapping

from generator.authors.offline.clause import Clause, attribute
from generator.authors.offline.fields import Field
from generator.authors.offline.number_clauses import NUMBERS
from generator.authors.offline.pair_clauses import clause_for_pair
from generator.authors.offline.pairs import Pair
from generator.authors.offline.thing_clauses import THINGS

_BUILDERS = {**THINGS, **NUMBERS}


def clause_for(field: Field) -> Clause:
    """Say one field by its class."""
    return _BUILDERS.get(field.kind, attribute)(field)


def clauses_for(fields: Mapping[str, Field], pairs: tuple[Pair, ...], said: set[str], verb: str = "") -> list[Clause]:
    """Return the clauses for every field that is not said yet, in the order people say them.

    Args:
        fields: the fields of the call.
        pairs: those of them that are said together.
        said: names of the fields that the core of the sentence says.
        verb: the verb of the sentence.
    """
    clauses, done = [], set(said)
    for pair in pairs:
        if done.isdisjoint(pair.names):
            clauses.append(clause_for_pair(pair, verb))
            done.update(pair.names)
    clauses += [clause_for(field) for name, field in fields.items() if name not in done]
    return sorted(clauses, key=lambda clause: clause.order)
