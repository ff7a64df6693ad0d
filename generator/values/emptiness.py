"""What admits no value: by heights, by automata and counting, by trying every value of the few there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, product

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.canonical import canonical_form
from generator.schemas.references import NOTHING, without_loops
from generator.schemas.validators import InvalidSchema, SchemaValidator
from generator.values.compiling import admits_nothing, identity, listed_types
from generator.values.hints import identified, resolve_pointer
from generator.values.patterns.texts import demands_of

INFINITE = 1_000_000
"""The height of a node no finite value satisfies."""

_NEEDING = frozenset("$ref anyOf oneOf allOf required minProperties minItems contains".split())
"""Keywords by which a value cannot do without others."""
_LEAST_PASSES = 4
_MOST_WORK = 100_000


class Heights:
    """The heights of every reference of a schema: the least solution, found by repeating until nothing changes.

    A form without references needs no `resolve`.
    """

    def __init__(
        self,
        form: JsonValue,
        resolve: Callable[[str], JsonValue] | None = None,
        is_dead: Callable[[JsonValue], bool] | None = None,
    ) -> None:
        self._is_dead = is_dead
        self._of_reference: dict[str, int] = {}
        if resolve is not None:
            self._solve({reference: resolve(reference) for reference in dict.fromkeys(_references(form))})

    def _solve(self, targets: dict[str, JsonValue]) -> None:
        self._of_reference = dict.fromkeys(targets, INFINITE)
        order = list(targets)
        for turn in range(max(_LEAST_PASSES, _MOST_WORK // max(1, len(order)))):
            changed = False
            for reference in order if turn % 2 else reversed(order):
                height = min(INFINITE, 1 + self.of(targets[reference]))
                changed |= height != self._of_reference[reference]
                self._of_reference[reference] = height
            if not changed:
                return
        self._of_reference = {key: min(height, INFINITE - 1) for key, height in self._of_reference.items()}

    def of(self, node: JsonValue) -> int:
        """Return the height of a node; `INFINITE` is a proof."""
        if not isinstance(node, dict):
            return INFINITE if node is False else 0
        if node == NOTHING or (self._is_dead is not None and self._is_dead(node)):
            return INFINITE
        return 0 if _NEEDING.isdisjoint(node) else max(self._of_needed(node), default=0)

    def _of_needed(self, node: JsonObject) -> Iterator[int]:
        """Yield the heights of what a value cannot do without."""
        if "$ref" in node:
            yield self._of_reference.get(node["$ref"], 0)
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                yield min(map(self.of, node[keyword]), default=INFINITE)
        yield from map(self.of, node.get("allOf", ()))
        if node.get("type") == "object":
            yield from self._of_object(node)
        elif node.get("type") == "array":
            yield from self._of_array(node)

    def _of_object(self, node: JsonObject) -> Iterator[int]:
        """Yield the heights of what an object cannot do without."""
        properties = node.get("properties", {})
        others = {} if "patternProperties" in node else node.get("additionalProperties", {})
        for name in node.get("required", ()):
            yield self.of(properties.get(name, others))
        if self._lacks_properties(node, properties):
            yield INFINITE

    def _of_array(self, node: JsonObject) -> Iterator[int]:
        least = node.get("minItems", 0)
        first = node.get("prefixItems", [])
        for part in first[: int(least)]:
            yield self.of(part)
        if least > len(first) and "items" in node:
            yield self.of(node["items"])
        if "contains" in node and node.get("minContains", 1) > 0:
            yield self.of(node["contains"])

    def _lacks_properties(self, node: JsonObject, properties: JsonObject) -> bool:
        """Say whether a closed object asks for more properties than can be given."""
        least = int(node.get("minProperties", 0))
        if not least or node.get("additionalProperties") not in (False, NOTHING) or "patternProperties" in node:
            return False
        return least > sum(self.of(part) < INFINITE for part in properties.values())


def _references(form: JsonValue) -> Iterator[str]:
    pending = [form]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                yield node["$ref"]
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)


_MOST_CHECKS = 400
_LARGEST_DOMAIN = 200
_MANY = 100_000


class Proofs:
    """Decides nodes of one form, each once; after 400 of them it proves no more."""

    def __init__(self, resolve: Callable[[str], JsonValue]) -> None:
        self._resolve = resolve
        self._dead: dict[int, bool] = {}
        self._kept: list[JsonValue] = []

    def is_dead(self, node: JsonValue) -> bool:
        """Say whether it is proven that no value of this node's own type satisfies it."""
        if not isinstance(node, dict) or not isinstance(node.get("type"), str):
            return False
        known = self._dead.get(id(node))
        if known is None:
            if len(self._dead) >= _MOST_CHECKS:
                return False
            # The node is kept, so that its id stays its own.
            self._kept.append(node)
            known = self._dead[id(node)] = self._decide(node)
        return known

    def _decide(self, node: JsonObject) -> bool:
        if "const" in node or "enum" in node:
            return False
        if node["type"] == "string":
            return demands_of(node).are_impossible()
        if node["type"] == "array":
            return bool(node.get("uniqueItems")) and not self._can_differ(node)
        return node["type"] == "object" and self._lacks_names(node)

    def _lacks_names(self, node: JsonObject) -> bool:
        """Say whether fewer names are admitted than properties are asked for."""
        enough = int(min(node.get("minProperties", 0), _MANY))
        names = node.get("propertyNames", {})
        if enough < 1 or not isinstance(names, dict):
            return False
        patterns = node.get("patternProperties", {})
        if node.get("additionalProperties") in (False, NOTHING):
            open_ones = [demands_of({"allOf": [names, {"pattern": pattern}]}) for pattern in patterns]
            return len(node.get("properties", {})) + sum(demands.count(enough) for demands in open_ones) < enough
        refused = [{"not": {"pattern": pattern}} for pattern, part in patterns.items() if part in (False, NOTHING)]
        return demands_of({"allOf": [names, *refused]}).count(enough) < enough

    def _can_differ(self, node: JsonObject) -> bool:
        """Say whether each needed position can have a value of its own."""
        least, first = int(node.get("minItems", 0)), node.get("prefixItems", [])
        positions = [self._domain(part) for part in first[:least]]
        if least > len(first):
            rest = node.get("items", {})
            few = self._count(rest)
            if few is not None and few < least - len(first):
                return False
            positions += [self._domain(rest)] * min(least - len(first), _LARGEST_DOMAIN)
        return _can_be_matched([domain for domain in positions if domain is not None])

    def _count(self, node: JsonValue) -> int | None:
        if isinstance(node, dict) and node.get("type") == "string" and ("pattern" in node or "format" in node):
            count = demands_of(node).count(_MANY)
            return count if count < _MANY else None
        return None

    def _domain(self, node: JsonValue) -> Sequence[bytes] | None:
        """Return all that a node may admit, where that is little."""
        for _ in range(_LARGEST_DOMAIN):
            if not isinstance(node, dict) or node.keys() != {"$ref"}:
                break
            node = self._resolve(node["$ref"])
        return _few_values(node) if isinstance(node, dict) else None


def _few_values(node: JsonObject) -> list[bytes] | None:
    """Return all that a node without references may admit; None where that may be much."""
    if "const" in node:
        return [identity(node["const"])]
    if "enum" in node:
        return list(map(identity, node["enum"])) if len(node["enum"]) <= _LARGEST_DOMAIN else None
    if node.get("type") in ("boolean", "null"):
        return [b"true", b"false"] if node["type"] == "boolean" else [b"null"]
    low, high = node.get("minimum"), node.get("maximum")
    if node.get("type") != "integer" or low is None or high is None or high - low >= _LARGEST_DOMAIN:
        return None
    return list(map(identity, range(int(low), int(high) + 1)))


def _can_be_matched(domains: list[Sequence[bytes]]) -> bool:
    """Say whether each domain can give a value that no other gives (Kuhn's algorithm)."""
    owner: dict[bytes, int] = {}

    def claim(at: int, seen: set[bytes]) -> bool:
        for value in domains[at]:
            if value not in seen:
                seen.add(value)
                if value not in owner or claim(owner[value], seen):
                    owner[value] = at
                    return True
        return False

    return all(claim(at, set()) for at in range(len(domains)))


MOST_VALUES = 2_000
"""More values than are worth trying one by one."""

_DEEPEST = 12
_LONGEST_LIST = 12


class TooMany(Exception):
    """The node admits more values than can be listed."""


def every_value(
    form: JsonValue, resolve: Callable[[str], JsonValue], most: int = MOST_VALUES
) -> list[JsonValue] | None:
    """Return values among which are all that the form admits; None where those are too many."""
    if isinstance(form, dict) and "enum" in form:
        values: list[JsonValue] = form["enum"]
        return values
    try:
        return _Listing(resolve, most).of(form, 0)
    except TooMany:
        return None


class _Listing:
    def __init__(self, resolve: Callable[[str], JsonValue], most: int) -> None:
        self._resolve = resolve
        self._most = most

    def of(self, node: JsonValue, depth: int) -> list[JsonValue]:
        """List the values of one node."""
        if admits_nothing(node):
            return []
        if not isinstance(node, dict) or depth > _DEEPEST:
            raise TooMany
        if "const" in node:
            return [node["const"]]
        return self._kept(node["enum"]) if "enum" in node else self._of_unlisted(node, depth)

    def _of_unlisted(self, node: JsonObject, depth: int) -> list[JsonValue]:
        """List the values of a node by its alternatives, its reference, its types or its conjuncts."""
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                return self._kept(value for part in node[keyword] for value in self.of(part, depth + 1))
        if "$ref" in node:
            return self.of(self._resolve(node["$ref"]), depth + 1)
        if "type" not in node:
            return self._of_conjuncts(node, depth)
        kinds = listed_types(node["type"])
        return self._kept(value for kind in kinds for value in self._of_kind(kind, node, depth))

    def _of_conjuncts(self, node: JsonObject, depth: int) -> list[JsonValue]:
        """List the values of whichever conjunct has few: the whole has no others."""
        for part in node.get("allOf", ()):
            try:
                return self.of(part, depth + 1)
            except TooMany:
                continue
        raise TooMany

    def _of_kind(self, kind: str, node: JsonObject, depth: int) -> Iterable[JsonValue]:
        if kind == "null":
            return [None]
        if kind == "boolean":
            return [False, True]
        if kind == "integer":
            return self._integers(node)
        if kind == "array":
            return self._arrays(node, depth)
        if kind == "object":
            return self._objects(node, depth)
        raise TooMany

    def _integers(self, node: JsonObject) -> Iterable[JsonValue]:
        low, high = node.get("minimum"), node.get("maximum")
        if low is None or high is None or high - low > self._most:
            raise TooMany
        step = node.get("multipleOf", 1)
        return [number for number in range(int(low), int(high) + 1) if not isinstance(step, int) or number % step == 0]

    def _arrays(self, node: JsonObject, depth: int) -> Iterator[JsonValue]:
        first, rest = node.get("prefixItems", []), node.get("items", {})
        most = node.get("maxItems", len(first) if admits_nothing(rest) else None)
        if most is None or most > _LONGEST_LIST:
            raise TooMany
        for length in range(int(node.get("minItems", 0)), int(most) + 1):
            nodes = [*first[:length], *[rest] * (length - len(first))]
            for values in self._products([self.of(part, depth + 1) for part in nodes]):
                yield list(values)

    def _objects(self, node: JsonObject, depth: int) -> Iterator[JsonValue]:
        if node.get("additionalProperties") not in (False, NOTHING) or node.get("patternProperties"):
            raise TooMany
        properties, required = node.get("properties", {}), set(node.get("required", ()))
        if required - properties.keys():
            return
        absent: list[JsonValue] = [_ABSENT]
        choices = [self.of(part, depth + 1) + ([] if name in required else absent) for name, part in properties.items()]
        for values in self._products(choices):
            yield {name: value for name, value in zip(properties, values, strict=True) if value is not _ABSENT}

    def _products(self, choices: list[list[JsonValue]]) -> Iterator[tuple[JsonValue, ...]]:
        size = 1
        for choice in choices:
            size *= len(choice)
            if size > self._most:
                raise TooMany
        return product(*choices)

    def _kept(self, values: Iterable[JsonValue]) -> list[JsonValue]:
        found: dict[bytes, JsonValue] = {}
        for value in values:
            found.setdefault(identity(value), value)
            if len(found) > self._most:
                raise TooMany
        return list(found.values())


_ABSENT = object()


_FEW_VALUES = 300


def is_proven_empty(form: JsonValue, heights: Heights | None = None) -> bool:
    """Say whether the structure of a form alone, or its heights, show that no finite value satisfies it."""
    return (heights or Heights(form, _resolver(form))).of(form) >= INFINITE


def is_empty(schema: JsonValue) -> bool:
    """Say whether it is proven, by all means there are, that nothing satisfies a schema."""
    whole = without_loops(schema)
    form = canonical_form(whole)
    if form is False:
        return True
    return _Proven(whole if form is None else form).is_dead or _has_no_value(whole, form)


def _has_no_value(schema: JsonValue, form: JsonValue) -> bool:
    """Try every value of a schema that has few."""
    known = schema if form is None else form
    values = every_value(known, _resolver(known), _FEW_VALUES)
    if values is None:
        return False
    try:
        is_valid = SchemaValidator(schema).is_possible
    except InvalidSchema:
        return False
    return not any(map(is_valid, values))


def second_thoughts(form: JsonValue, validator: SchemaValidator) -> JsonValue:
    """Think again about a form for which no value was found.

    Return false where there is none; or a form without the parts that admit nothing, or of all the values there are;
    None where nothing more is known.
    """
    values = every_value(form, _resolver(form))
    if values is not None:
        valid = list(islice(filter(validator.is_valid, values), _FEW_VALUES))
        if valid:
            return {"enum": valid}
        return None if any(map(validator.is_possible, values)) else False
    proven = _Proven(form)
    return False if proven.is_dead else proven.pruned()


class _Proven:
    """What is proven about the nodes of a form."""

    def __init__(self, form: JsonValue) -> None:
        self._form = form
        resolve = _resolver(form)
        self._heights = Heights(form, resolve, Proofs(resolve).is_dead)
        self.is_dead = self._heights.of(form) >= INFINITE
        self._found = False

    def pruned(self) -> JsonValue:
        """Return the form with nothing in place of each node that is dead; None where there is none."""
        pruned = self._prune(self._form)
        return pruned if self._found else None

    def _prune(self, node: JsonValue) -> JsonValue:
        if isinstance(node, list):
            return [self._prune(part) for part in node]
        if not isinstance(node, dict):
            return node
        if node != NOTHING and isinstance(node.get("type"), str) and self._heights.of(node) >= INFINITE:
            self._found = True
            return False
        return {key: part if key in ("const", "enum") else self._prune(part) for key, part in node.items()}


def _resolver(form: JsonValue) -> Callable[[str], JsonValue]:
    names = identified(form)
    return lambda reference: names[reference] if reference in names else resolve_pointer(form, reference)
