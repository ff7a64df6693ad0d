"""Plans: the shapes a request can take for one tool and one set of given arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from generator.authors.offline.clause import Clause
from generator.authors.offline.clauses import clauses_for
from generator.authors.offline.descriptions import Sentence, read_description
from generator.authors.offline.fields import Field, fields_of
from generator.authors.offline.methods import method_of, sentence_for
from generator.authors.offline.pairs import find_pairs
from generator.authors.offline.pieces import Pieces
from generator.authors.offline.verbs import sort_of, wordings_of
from generator.authors.offline.weaving import weave
from generator.jsontext import JsonObject
from generator.tools.tool import Tool

_TOOLS = 2_048
_SHAPES = 8_192


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
    """The plans of the tools met so far, compiled once and kept within bounds."""

    def __init__(self) -> None:
        self._known = lru_cache(maxsize=_TOOLS)(_study)
        self._plans = lru_cache(maxsize=_SHAPES)(self._compile)

    def plan(self, tool: Tool, arguments: JsonObject) -> Plan:
        """Return the plan for these arguments of a tool: it depends on their names, and on the method among them."""
        key = _Key(tool)
        method = method_of(self._known(key).fields, arguments)
        return self._plans(key, tuple(arguments), (method[0].name, method[1]) if method else None)

    def fields(self, tool: Tool) -> Mapping[str, Field]:
        """Return the fields of a tool's parameters."""
        return self._known(_Key(tool)).fields

    def _compile(self, key: _Key, names: tuple[str, ...], method: tuple[str, str] | None) -> Plan:
        known = self._known(key)
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
        head = woven.object.head
        bare = not isinstance(next((part for part in woven.parts if part), ""), str)
        vague = 2.0 if head in ("tool", "placeholder", "function", "api") and sentence.verb == "get" else 0.0
        cost = vague + woven.cost + sum(clause.cost for clause in clauses) + (0.8 if sentence.from_name else 0)
        return Plan(sentence, verbs, tuple(woven.parts), tuple(clauses), unspoken, asks, bare, cost)


class _Key:
    """A tool as a cache key: by what the model sees of it."""

    __slots__ = ("_hash", "tool")

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        self._hash = hash(tool.fingerprint)  # fingerprints are only compared within this process

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.tool.fingerprint == other.tool.fingerprint


def _study(key: _Key) -> _Known:
    tool = key.tool
    return _Known(read_description(tool.name, tool.description), fields_of(tool.parameters))
