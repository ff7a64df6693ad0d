"""Clauses for parameters that are said together."""

from __future__ import annotations

from collections.abc import Callable

from generator.authors.offline.clause import DATE, PLACE, WHOM, WITH, Clause
from generator.authors.offline.pairs import Pair
from generator.authors.offline.pieces import Piece, Pieces, Ref, ref
from generator.authors.offline.words import plural, with_article, word_set

_MOVING = word_set("send ship deliver update change modify set move forward")
_NUMERIC = ("measure", "money", "number", "letter", "count")


def clause_for_pair(pair: Pair, verb: str = "") -> Clause:
    """Say the fields of a pair together; `verb` is that of the sentence."""
    if pair.sort == "address":
        return _address(pair, "to" if verb in _MOVING else "at")
    if pair.sort in ("twins", "series"):
        return _twins(pair)
    order, cost, phrases = _SORTS[pair.sort]
    return Clause(pair.names, order, phrases(pair, ref(pair.first), ref(pair.second)), cost=cost)


def _repository(pair: Pair, one: Ref, two: Ref) -> tuple[Pieces, ...]:
    place = Ref(pair.first, "pair", pair.second)
    return (("in ", place), ("in the ", place, " repo"), ("in the ", place, " repository"))


def _element(pair: Pair, one: Ref, two: Ref) -> tuple[Pieces, ...]:
    start = {"startElement": "from", "endElement": "to"}.get(pair.first.name, "on")
    return ((f"{start} the ", one, " (", two, ")"),)


def _span(pair: Pair, one: Ref, two: Ref) -> tuple[Pieces, ...]:
    noun = with_article(" ".join(pair.first.subject[1:]) or pair.second.noun)
    return ((f"with {noun} between ", one, " and ", two), (f"with {noun} from ", one, " to ", two))


_Phrases = Callable[[Pair, Ref, Ref], tuple[Pieces, ...]]
_SORTS: dict[str, tuple[int, float, _Phrases]] = {
    "repo": (PLACE, 0.0, _repository),
    "dates": (DATE, 0.0, lambda pair, one, two: (("from ", one, " to ", two), ("between ", one, " and ", two))),
    "route": (PLACE, 0.0, lambda pair, one, two: (("from ", one, " to ", two),)),
    "merge": (PLACE, 0.0, lambda pair, one, two: (("from ", one, " into ", two), ("to merge ", one, " into ", two))),
    "name": (WHOM, 0.1, lambda pair, one, two: (("for ", one, " ", two),)),
    "element": (PLACE, 0.3, _element),
    "place": (PLACE, 0.0, lambda pair, one, two: (("in ", one, ", ", two),)),
    "point": (PLACE, 0.5, lambda pair, one, two: (("at (", one, ", ", two, ")"), ("at ", one, ", ", two))),
    "end point": (DATE, 0.5, lambda pair, one, two: (("to (", one, ", ", two, ")"),)),
    "size": (WITH, 0.5, lambda pair, one, two: (("to ", one, " by ", two), ("to ", one, " x ", two))),
    "span": (WITH, 0.5, _span),
}
"""Where each sort of pair stands, how stilted it reads, and its phrases."""


def _address(pair: Pair, preposition: str) -> Clause:
    parts: list[Piece] = [f"{preposition} ", ref(pair.first)]
    for field in (pair.second, *pair.more):
        parts += [" " if "zip" in field.name or "postal" in field.name else ", ", ref(field)]
    return Clause(pair.names, PLACE, (tuple(parts),), cost=0.0)


def _twins(pair: Pair) -> Clause:
    """Say "sides of 3, 4 and 5"; what is no number is said with "for"."""
    fields = (pair.first, pair.second, *pair.more)
    joined: list[Piece] = []
    for position, field in enumerate(fields):
        joined += [", " if position < len(fields) - 1 else " and "] if position else []
        joined.append(ref(field))
    if pair.first.kind in _NUMERIC:
        noun = plural(" ".join(pair.first.subject).rstrip("0123456789 ")) or "values"
        start = f"the {noun} " if pair.first.kind == "letter" else f"{noun} of "
        return Clause(pair.names, WITH, item=(start, *joined), cost=0.5)
    return Clause(pair.names, WITH, (("for ", *joined),), cost=0.8)
