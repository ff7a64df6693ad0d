"""Plans: the shapes a request can take for one tool and one set of given arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from generator.authors.offline.clause import Clause
from generator.authors.offline.clauses import clauses_for
from generator.authors.offline.descriptions import PREPOSITIONS, Sentence, read_description
from generator.authors.offline.fields import Field, fields_of
from generator.authors.offline.methods import method_of, sentence_for
from generator.authors.offline.pairs import find_pairs
from generator.authors.offline.pieces import Pieces
from generator.authors.offline.verbs import sort_of, wordings_of
from generator.authors.offline.weaving import Woven, weave
from generator.authors.offline.words import split_identifier
from generator.jsontext import JsonObject
from generator.tools.tool import Tool

_TOOLS = 2_048
_PLANS = 8_192
_UNFIT = 3.0
"""The cost of a plan that makes no sentence."""
_NO_OBJECTS = ("tool", "placeholder", "function", "api")
_OPAQUE = ("exec", "cmd", "run", "main", "handler")
K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Plan:
    """What stays the same for a tool and the names of the arguments given."""

    sentence: Sentence
    verbs: tuple[str, ...]
    core: Pieces
    clauses: tuple[Clause, ...]
    unspoken: str
    """The name of the method that the verb alone tells, empty where there is none."""
    asks: str
    """`is` or `are` where the core can be asked for with "what is ...", else empty."""
    bare: bool
    """Whether the core begins with a name: "Apple's stock price" takes no "the"."""
    cost: float


@dataclass(frozen=True, slots=True)
class _Known:
    sentence: Sentence
    fields: Mapping[str, Field]


class PlanBook:
    """The plans of the tools met so far, compiled once; the oldest go where there are too many."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._plans: dict[tuple[str, tuple[str, ...], tuple[str, str] | None], Plan] = {}

    def plan(self, tool: Tool, arguments: JsonObject) -> Plan:
        """Return the plan for these arguments of a tool: it depends on their names, and on the method among them."""
        known = self._study(tool)
        found = method_of(known.fields, arguments)
        method = (found[0].name, found[1]) if found else None
        key = (tool.fingerprint, tuple(arguments), method)
        plan = self._plans.get(key)
        return plan if plan is not None else _keep(self._plans, key, _compile(known, key[1], method), _PLANS)

    def fields(self, tool: Tool) -> Mapping[str, Field]:
        """Return the fields of a tool's parameters."""
        return self._study(tool).fields

    def _study(self, tool: Tool) -> _Known:
        known = self._known.get(tool.fingerprint)
        if known is None:
            known = _Known(read_description(tool.name, tool.description), fields_of(tool.parameters))
            _keep(self._known, tool.fingerprint, known, _TOOLS)
        return known


def _keep(cache: dict[K, V], key: K, value: V, limit: int) -> V:
    """Put a value into a bounded cache; the oldest one makes room."""
    if len(cache) >= limit:
        del cache[next(iter(cache))]
    cache[key] = value
    return value


def _compile(known: _Known, names: tuple[str, ...], method: tuple[str, str] | None) -> Plan:
    """Weave the sentence and the clauses for these names of arguments."""
    fields = {name: known.fields[name] for name in names if name in known.fields}
    sentence = known.sentence
    unspoken = ""
    if method is not None:
        unspoken = method[0]
        sentence = sentence_for(sentence, method[1], fields)
        del fields[method[0]]
    pairs = find_pairs(fields)
    woven = weave(sentence, fields, pairs)
    clauses = clauses_for(fields, pairs, woven.used, sentence.verb)
    asks = ""
    if sentence.sort in ("inform", "compute") and woven.object.determined:
        asks = "are" if woven.object.plural else "is"
    verbs = wordings_of(sentence.verb) if sentence.sort == sort_of(sentence.verb) else (sentence.verb,)
    bare = not isinstance(next((part for part in woven.parts if part), ""), str)
    cost = _cost(sentence, woven, clauses)
    if method is not None and split_identifier(method[1])[-1] in PREPOSITIONS:
        cost += _UNFIT
    return Plan(sentence, verbs, tuple(woven.parts), tuple(clauses), unspoken, asks, bare, cost)


def _cost(sentence: Sentence, woven: Woven, clauses: list[Clause]) -> float:
    """Return how stilted a plan reads: what its parts cost, and what a sentence without an object or verb adds."""
    cost = woven.cost + sum(clause.cost for clause in clauses)
    if not any(woven.parts):
        cost += _UNFIT
    if woven.object.head in _NO_OBJECTS and sentence.verb == "get":
        cost += _UNFIT - 1
    if not clauses and not woven.used and woven.object.head in (*_NO_OBJECTS, sentence.verb, *_OPAQUE):
        cost += _UNFIT
    return cost + 0.8 if sentence.from_name else cost


BOOK = PlanBook()
"""The plans of this process: requests and answers speak from the same ones."""
