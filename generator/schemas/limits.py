"""The bounds that keep hostile schemas harmless, and the measures held against them, in one place.

A schema is measured before anything recursive looks at it (`oversized`), before it is compiled (`deepest_value`:
references multiply, a small schema may ask for the same look at a value 2^40 times), before it is brought to its
canonical form (`unfolds_too_far`) and before it becomes a tool (`least_size`). The figures at the end bound making
values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, repeat
from math import prod

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.keywords import walk
from generator.schemas.references import Branches, Targets

DEEPEST_SCHEMA = 200
"""Objects and lists of a schema inside each other."""

MOST_PARTS = 250_000
"""Objects, lists, texts and numbers that a schema holds."""

LARGEST_WORK = 1_000_000
"""How many schemas may be looked at for one path into a value: some tens of milliseconds."""

DEEPEST_VALUE = 1024
"""The deepest nesting any JSON reader in use here delivers."""

LONGEST_CHAIN = 500
"""References that may lead from one to the next over the same value; a validator's stack holds no more."""

DEEPEST_PATH = 2_000
"""Schemas that may stand one below the other, references followed; a reader of schemas has a stack as well."""

MOST_ALTERNATIVES = 2_048
"""Alternatives into which a schema may unfold in its canonical form."""

MOST_DENIED = 1_000_000
"""Values listed times values denied, which the canonical form compares one by one."""

LARGEST_VALUE = 10_000
"""More parts than a value in a training record may need."""

MOST_NODES = 12_000
"""Nodes of a schema that are compiled for making values."""

MOST_UNFOLDED = 10_000
"""Parts of schemas without a canonical form that are folded one by one."""

DEEPEST_REFERENCE = 40
"""References followed one inside the other while a value is made."""

MOST_ELEMENTS = 50_000
"""Elements, or properties, that a value is asked for at one place."""

LONGEST_TEXT = 200_000
"""Characters that a text is asked for."""

MOST_MADE = 150_000
"""Nodes that may be made for one value, all tries together, before it is given up."""

_LONGEST_PERIOD = 6
"""Schemas that refer to each other in turn for which it is seen that the work grows evenly."""
_MOST_LOOKS = 1_000_000
"""Schemas looked at before the bound of a value's depth found so far is taken."""
_DEEPEST_CHOICE = 60
_FEW_REFERENCES = 200
_DEEPEST_FORM = 800
"""Schemas one below the other, references followed: the canonical form goes down them all and its stack has an end."""
_MANY_BRANCHES = 20
_DENYING = frozenset(("not", "if", "oneOf"))
_UNEVALUATED = frozenset(("unevaluatedProperties", "unevaluatedItems"))
_NAMED = frozenset(("properties", "patternProperties", "$defs", "definitions"))
_VALUES = frozenset(("enum", "const", "examples", "default"))


def oversized(schema: JsonValue) -> str:
    """Say how a schema is so deep that reading it would exhaust the stack, or too large to read at all; "" if neither.

    It is looked at without recursion, and no longer than until it is too large: parts may be shared a million times.
    """
    level, parts, nodes = 0, 0, [schema]
    while nodes:
        level += 1
        parts += len(nodes)
        if level > DEEPEST_SCHEMA:
            return f"nests over {DEEPEST_SCHEMA} levels"
        if parts > MOST_PARTS:
            return f"has over {MOST_PARTS:,} parts"
        held = [node.values() if isinstance(node, dict) else node for node in nodes if isinstance(node, (dict, list))]
        nodes = list(chain.from_iterable(held))
    return ""


def deepest_value(schema: JsonValue) -> int:
    """Return how deep a value may nest before the work over it grows beyond `LARGEST_WORK`.

    -1: even a value without parts takes too much. `DEEPEST_VALUE` where there is no bound.
    """
    if not isinstance(schema, dict):
        return DEEPEST_VALUE
    works = _Works(schema)
    if works.exhaust_the_stack:
        return -1
    if works.is_always_small():
        return DEEPEST_VALUE
    before = works.next()
    growths: list[dict[int, int]] = []
    for depth in range(DEEPEST_VALUE + 1):
        if before[id(schema)] > LARGEST_WORK:
            return depth - 1
        if depth * len(before) > _MOST_LOOKS:
            return depth
        work = works.next()
        growths = [*growths[1 - 2 * _LONGEST_PERIOD :], {key: work[key] - before[key] for key in work}]
        if period := _period(growths):  # it stopped growing, or grows by the same again and again from here on
            growth = sum(growth[id(schema)] for growth in growths[-period:])
            return depth + _levels_left(before[id(schema)], growth, period)
        before = work
    return DEEPEST_VALUE


def _period(growths: list[dict[int, int]]) -> int:
    """Return after how many levels the growth repeats itself, as it does where schemas refer to each other; else 0."""
    for period in range(1, min(_LONGEST_PERIOD, len(growths) // 2) + 1):
        if growths[-period:] == growths[-2 * period : -period]:
            return period
    return 0


def deepest_path(schema: JsonValue) -> int:
    """Return how many schemas stand one below the other, references followed, until one leads back."""
    return _Works(schema).deepest_path if isinstance(schema, dict) else 0


def _levels_left(work: int, growth: int, period: int) -> int:
    return min(DEEPEST_VALUE, (LARGEST_WORK - work) * period // growth) if growth else DEEPEST_VALUE


class _Works:
    """The work over a value by each schema of a document, for values of growing depth.

    Counted are the looks at one value and at one path into it: the parts of a value are looked at one by one
    anyway, and so only the schemas that meet the same part multiply. Schemas are told apart by their ids.
    """

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._branches = Branches(root)
        self._same: dict[int, list[int]] = {}
        self._parts: dict[int, list[list[int]]] = {}
        self._kept = list(self._reachable())
        """The schemas themselves, so that their ids stay theirs."""
        self._order, _ = _lowest_first(self._same)
        whole = {key: [*self._same[key], *(part for group in self._parts[key] for part in group)] for key in self._same}
        self._whole_order, self.deepest_path = _lowest_first(whole)
        self.is_circular = _is_circular(whole, self._whole_order)
        """Whether a schema leads back to itself."""
        self._below: dict[int, int] = {}
        self._here: dict[int, int] = {}

    def _reachable(self) -> Iterator[JsonObject]:
        waiting: list[JsonValue] = [self._root]
        while waiting:
            schema = waiting.pop()
            if isinstance(schema, dict) and id(schema) not in self._same:
                yield schema
                same = list(self._branches.same_value(schema))
                groups = [group for group in self._branches.parts(schema) if group]
                self._same[id(schema)] = list(map(id, same))
                self._parts[id(schema)] = [list(map(id, group)) for group in groups]
                waiting.extend(same)
                waiting.extend(chain.from_iterable(groups))

    @property
    def exhaust_the_stack(self) -> bool:
        """Whether more schemas follow one another than a validator, or a reader of schemas, can go down."""
        return self.longest_chain > LONGEST_CHAIN or self.deepest_path > DEEPEST_PATH

    @property
    def longest_chain(self) -> int:
        """How many schemas one after the other look at the same value."""
        lengths: dict[int, int] = {}
        for key in self._order:
            lengths[key] = 1 + max((lengths.get(child, 0) for child in self._same[key]), default=0)
        return lengths[id(self._root)]

    def is_always_small(self) -> bool:
        """Say whether no schema leads back to itself, and the work stays small however deep the value."""
        if self.is_circular:
            return False
        works: dict[int, int] = {}
        for key in self._whole_order:
            works[key] = self._work(key, works, works)
        return works[id(self._root)] <= LARGEST_WORK

    def next(self) -> dict[int, int]:
        """Return the work of each schema, by its id, over values one level deeper than before; first without parts."""
        self._below, self._here = self._here, {}
        for key in self._order:
            self._here[key] = self._work(key, self._here, self._below)
        return self._here

    def _work(self, key: int, here: dict[int, int], below: dict[int, int]) -> int:
        """Sum the looks of one schema; what is not known, a reference back among it, costs one."""
        work = 1 + sum(here.get(child, 1) for child in self._same[key])
        if below:
            work += sum(max(below.get(part, 1) for part in group) for group in self._parts[key])
        return min(work, LARGEST_WORK + 1)


def _lowest_first(edges: Mapping[int, list[int]]) -> tuple[list[int], int]:
    """Return the nodes of a graph, each behind those it leads to, and how many were open at once at most."""
    order: list[int] = []
    is_open: dict[int, bool] = {}
    depth = deepest = 0
    for start in edges:
        waiting = [start] if start not in is_open else []
        while waiting:
            node = waiting[-1]
            if node not in is_open:
                is_open[node] = True
                depth += 1
                deepest = max(deepest, depth)
                waiting.extend(child for child in reversed(edges[node]) if child in edges and child not in is_open)
            else:
                waiting.pop()
                if is_open[node]:
                    is_open[node] = False
                    depth -= 1
                    order.append(node)
    return order, deepest


def _is_circular(edges: Mapping[int, list[int]], order: list[int]) -> bool:
    """Say whether some node leads to one that does not stand before it in the order."""
    places = {node: at for at, node in enumerate(order)}
    return any(places.get(child, -1) >= places[node] for node in order for child in edges[node])


def depth_of(value: JsonValue, limit: int) -> int:
    """Return how deep a value nests; anything beyond the limit is told as one more than it."""
    level, depth = [value], 0
    while depth <= limit:
        level = [part for node in level for part in _parts_of(node)]
        if not level:
            break
        depth += 1
    return depth


def _parts_of(value: JsonValue) -> Iterable[JsonValue]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def unfolds_too_far(schema: JsonValue) -> bool:
    """Say whether the canonical form of a schema would take seconds, gigabytes or more stack than there is."""
    ways = alternatives(schema)
    if ways > MOST_ALTERNATIVES:
        return True
    listed, denied, references = _counted(schema)
    if listed * denied > MOST_DENIED:
        return True
    if references and ways > 1 and _asks_what_was_evaluated(schema) and _Works(schema).is_circular:
        return True
    return references > _FEW_REFERENCES and deepest_path(schema) > _DEEPEST_FORM


def _asks_what_was_evaluated(schema: JsonObject) -> bool:
    """Say whether a part depends on what the schema behind a reference looked at.

    Where that one holds the part, and there are branches besides, the library goes down for ever.
    """
    branches = Branches(schema)
    return any(not _UNEVALUATED.isdisjoint(node) and branches.refers(node) for node, _ in walk(schema))


def _counted(root: JsonValue) -> tuple[int, int, int]:
    """Count the values that `enum` lists, those among them below `not`, `if` or `oneOf`, and the references."""
    listed = denied = references = 0
    waiting = [(root, False)]
    while waiting:
        node, below = waiting.pop()
        if isinstance(node, list):
            waiting.extend((part, below) for part in node)
        elif isinstance(node, dict):
            values = node.get("enum")
            references += "$ref" in node
            if isinstance(values, list):
                listed += len(values)
                denied += len(values) if below else 0
            waiting.extend((part, below or key in _DENYING) for key, part in node.items() if key != "enum")
    return listed, denied, references


def alternatives(node: JsonValue, depth: int = 0) -> int:
    """Estimate into how many alternatives the largest part of a schema unfolds; what is nested deepest counts too."""
    if isinstance(node, list):
        return max(map(alternatives, node, repeat(depth + 1)), default=1)
    if not isinstance(node, dict) or depth > _DEEPEST_CHOICE:
        return 1
    here = inner = 1
    for keyword, value in node.items():
        ways = _ways(keyword, value, node, depth)
        if ways is not None:
            here *= ways
        elif isinstance(value, (dict, list)) and keyword not in _VALUES:
            parts = value.values() if isinstance(value, dict) and keyword in _NAMED else [value]
            inner = max(inner, max(map(alternatives, parts, repeat(depth + 1)), default=1))
    return max(min(here, 10**9), inner)


def _ways(keyword: str, value: JsonValue, node: JsonObject, depth: int) -> int | None:
    """Return by how many a keyword multiplies the alternatives; None where it offers none."""
    if keyword in ("allOf", "anyOf", "oneOf") and isinstance(value, list):
        return _of_branches(keyword, value, depth + 1)
    if keyword in ("then", "else"):
        return 1 + alternatives(value, depth + 1)
    if keyword in ("dependentSchemas", "dependentRequired") and isinstance(value, dict):
        return 1 << min(len(value), 40)
    if keyword.startswith("unevaluated"):
        return 1 << min(_branches_beside(node), 20)
    return _denied_alternatives(value) if keyword == "not" and isinstance(value, dict) else None


def _of_branches(keyword: str, branches: list[JsonValue], depth: int) -> int:
    """Return the alternatives of branches: of `allOf` each goes with each, of `oneOf` what overlaps is denied."""
    sizes = [alternatives(branch, depth) for branch in branches]
    if keyword == "allOf":
        return prod(sizes)
    return sum(sizes) * (_overlaps(branches) if keyword == "oneOf" else 1)


def _branches_beside(node: JsonObject) -> int:
    """Count the branches of which any may have looked at a part that is otherwise unevaluated."""
    return sum(len(node[keyword]) for keyword in ("anyOf", "oneOf") if isinstance(node.get(keyword), list))


def _overlaps(branches: list[JsonValue]) -> int:
    """Weigh a long `oneOf`: each branch is set against every other, unless both are constants."""
    meeting = sum(not isinstance(branch, dict) or "const" not in branch for branch in branches)
    return max(1, meeting // _MANY_BRANCHES)


def _denied_alternatives(node: JsonObject) -> int:
    """Estimate the alternatives of `not`: each of the denied branches may fail in each of its keywords."""
    branches = node.get("anyOf", node.get("oneOf", []))
    if not isinstance(branches, list):
        return 1
    return prod(max(1, len(branch)) for branch in branches if isinstance(branch, dict))


_CHARACTERS_PER_PART = 16
_DEEPEST_SIZE = 80
"""References followed one inside the other; what lies deeper counts as nothing."""
_ENOUGH = 10**18
"""Where counting ends: figures above it say no more."""


def least_size(schema: JsonValue) -> int:
    """Return a lower bound of the parts (members, elements, stretches of text) that each value has.

    `schema` is a bounded, valid JSON Schema 2020-12; a reference inside itself counts as nothing.
    """
    return _Sizes(schema).of(schema)


class _Sizes:
    def __init__(self, root: JsonValue) -> None:
        self._targets = Targets(root)
        self._of_reference: dict[str, int] = {}
        self._open = 0
        """References that are being followed."""

    def of(self, node: JsonValue) -> int:
        """Return the least size of a node's values."""
        if not isinstance(node, dict):
            return 1
        bounds = [1, self._referred(node), _by_type(node, self)]
        bounds += [min(map(self.of, node[choice])) for choice in ("anyOf", "oneOf") if node.get(choice)]
        bounds += map(self.of, node.get("allOf", ()))
        return min(max(bounds), _ENOUGH)

    def _referred(self, node: JsonObject) -> int:
        reference = node.get("$ref")
        if not isinstance(reference, str):
            return 1
        if reference not in self._of_reference:
            self._of_reference[reference] = 0
            self._open += 1
            if self._open < _DEEPEST_SIZE:
                self._of_reference[reference] = self.of(self._targets.of(reference))
            self._open -= 1
        return self._of_reference[reference]


def _by_type(node: JsonObject, sizes: _Sizes) -> int:
    kind = node.get("type")
    if "const" in node or "enum" in node:
        return 1
    if kind == "object":
        return _object_size(node, sizes)
    if kind == "array":
        return _array_size(node, sizes)
    return int(node.get("minLength", 0)) // _CHARACTERS_PER_PART if kind == "string" else 1


def _object_size(node: JsonObject, sizes: _Sizes) -> int:
    properties = node.get("properties", {})
    required = sum(sizes.of(properties.get(name)) for name in node.get("required", ()))
    return 1 + max(required, int(node.get("minProperties", 0)))


def _array_size(node: JsonObject, sizes: _Sizes) -> int:
    least, first = int(node.get("minItems", 0)), node.get("prefixItems", [])
    rest = max(0, least - len(first))
    return 1 + sum(map(sizes.of, first[:least])) + (rest * sizes.of(node.get("items")) if rest else 0)
