"""Several nodes as one to draw from: all that must hold merged, or one case of many alternatives."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from random import Random

from generator.jsontext import JsonObject, JsonValue
from generator.random_streams import stream
from generator.schemas.canonical import canonical_form
from generator.values.compiling import Compiling, identity, listed_types
from generator.values.hints import resolve_pointer

_DEEPEST = 12
_MOST_APART = 6
_LOWER_BOUNDS = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
_UPPER_BOUNDS = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")


def merged(plan: Compiling, nodes: list[JsonValue]) -> JsonValue:
    """Return one node that stands for all: canonically where the library can, else keyword by keyword."""
    opened = [_opened(plan, node, 0) for node in nodes if node not in (True, {})]
    if len(opened) == 1:
        return opened[0]
    folded = _folded(plan, opened)
    if folded is not None:
        return folded
    return _added(_conjuncts(plan, opened, 0))


def merged_text(plan: Compiling, nodes: list[JsonValue]) -> JsonValue:
    """Return one node for texts of which all must hold; references are opened wherever they stand for the text."""
    parts = list(_conjuncts(plan, [{"type": "string"}, *(_opened(plan, node, 0) for node in nodes)], 0))
    form = _form_of(plan, parts)
    return _added(parts) if form is None or (isinstance(form, dict) and "$ref" in form) else form


def _added(conjuncts: Iterable[JsonValue]) -> JsonValue:
    """Return one node for all, keyword by keyword."""
    whole: JsonObject = {}
    for node in conjuncts:
        if node is False:
            return False
        if isinstance(node, dict):
            _add(whole, node)
    return whole


def apart(plan: Compiling, branches: list[JsonValue]) -> list[JsonValue]:
    """Return each branch without the values of the others, as far as the library can tell; false where none is left."""
    if len(branches) > _MOST_APART:
        return branches
    opened = [_opened(plan, branch, 0) for branch in branches]
    found = []
    for at, branch in enumerate(branches):
        others = [{"not": other} for number, other in enumerate(opened) if number != at]
        alone = _folded(plan, [opened[at], *others])
        found.append(branch if alone is None or (isinstance(alone, dict) and "oneOf" in alone) else alone)
    return found


def _folded(plan: Compiling, nodes: list[JsonValue]) -> JsonValue | None:
    """Return one node in canonical form for all; None where the library cannot fold them."""
    form = _form_of(plan, nodes)
    return None if isinstance(form, dict) and "allOf" in form else form


def _form_of(plan: Compiling, nodes: list[JsonValue]) -> JsonValue | None:
    """Return the canonical form of all nodes together; None where there is none, or it needs definitions of its own."""
    definitions = definitions_of(plan.form)
    form = canonical_form({"allOf": nodes, "$defs": definitions})
    if isinstance(form, dict):
        return as_part(form, definitions)
    return False if form is False else None


def definitions_of(root: JsonValue) -> JsonObject:
    """Return the definitions of a document by name."""
    definitions: JsonObject = root.get("$defs", {}) if isinstance(root, dict) else {}
    return definitions


def as_part(form: JsonObject, definitions: JsonObject) -> JsonObject | None:
    """Return a form as a part of the document that has the definitions; None where it needs some of its own."""
    if form.get("$defs", {}).keys() <= definitions.keys():
        return {key: value for key, value in form.items() if key not in ("$defs", "$schema")}
    return None


def _opened(plan: Compiling, node: JsonValue, depth: int) -> JsonValue:
    """Follow a reference, so that what it says can be merged."""
    if depth > _DEEPEST or not isinstance(node, dict) or "$ref" not in node:
        return node
    target = _opened(plan, plan.resolve(node["$ref"]), depth + 1)
    rest = {key: value for key, value in node.items() if key != "$ref"}
    return {**rest, "allOf": [*rest.get("allOf", []), target]} if rest else target


def _conjuncts(plan: Compiling, nodes: list[JsonValue], depth: int) -> Iterator[JsonValue]:
    """Yield nodes without `allOf`, and what stands below it: what is added as a whole would keep only the first."""
    for node in nodes:
        if depth > _DEEPEST or not isinstance(node, dict) or "allOf" not in node:
            yield node
            continue
        rest = {key: value for key, value in node.items() if key != "allOf"}
        if rest:
            yield rest
        yield from _conjuncts(plan, [_opened(plan, part, depth) for part in node["allOf"]], depth + 1)


def _add(whole: JsonObject, node: JsonObject) -> None:
    for key, value in node.items():
        if key not in whole:
            whole[key] = value
        elif key in _LOWER_BOUNDS:
            whole[key] = max(whole[key], value)
        elif key in _UPPER_BOUNDS:
            whole[key] = min(whole[key], value)
        elif key in ("pattern", "format") and whole[key] != value:
            whole["allOf"] = [*whole.get("allOf", []), {key: value}]
        elif (both := _BOTH.get(key)) is not None:
            whole[key] = both(whole[key], value)


def _united(first: JsonValue, second: JsonValue) -> JsonValue:
    return list(dict.fromkeys([*first, *second]))


def _by_name(first: JsonValue, second: JsonValue) -> JsonValue:
    return first | {name: {"allOf": [first[name], part]} if name in first else part for name, part in second.items()}


def _conjoined(first: JsonValue, second: JsonValue) -> JsonValue:
    return {"allOf": [first, second]}


def _disjoined(first: JsonValue, second: JsonValue) -> JsonValue:
    return {"anyOf": [first, second]}


def _common_values(first: JsonValue, second: JsonValue) -> JsonValue:
    known = set(map(identity, second))
    return [value for value in first if identity(value) in known]


def _common_types(first: JsonValue, second: JsonValue) -> JsonValue:
    others = listed_types(second)
    kinds = [kind for kind in listed_types(first) if kind in others or (kind == "integer" and "number" in others)]
    return (kinds[0] if len(kinds) == 1 else kinds) or first


_BOTH: dict[str, Callable[[JsonValue, JsonValue], JsonValue]] = {
    "required": _united,
    "allOf": operator.add,
    **dict.fromkeys(("properties", "patternProperties", "$defs"), _by_name),
    **dict.fromkeys(("items", "additionalProperties", "propertyNames"), _conjoined),
    "not": _disjoined,
    "enum": _common_values,
    "type": _common_types,
}
"""How what two conjuncts say by one keyword is said at once; of any other keyword the first one's word is kept."""


_TRIES = 40
_LEAST_TRIES = 2
_MOST_PARTS = 20_000
"""Parts of schemas that are looked at, all tries together."""
_WANTED = 3
_MOST_CONJUNCTS = 2_000
_CHOICES = ("anyOf", "oneOf")
_TAKEN = frozenset(
    "allOf anyOf oneOf required dependentRequired dependentSchemas if then else $defs definitions".split()
)
_MOST_DENIED = 8
_LARGEST_DENIED = 60


def cases_of(root: JsonValue, schema: JsonValue) -> JsonValue | None:
    """Return the union of a few cases of a schema in canonical form; None where none was found, or there is one only.

    `root` is the document whose definitions the references of the schema mean.
    """
    if not isinstance(schema, dict):
        return None
    random = stream(0, "cases")
    found: list[JsonValue] = []
    for _ in range(max(_LEAST_TRIES, min(_TRIES, _MOST_PARTS // size_of(schema)))):
        form = canonical_form(_Case(root, random).of(schema))
        if isinstance(form, dict) and form not in found:
            found.append({key: part for key, part in form.items() if key != "$schema"})
        if len(found) == _WANTED:
            break
    return _together(found) if found else None


def size_of(node: JsonValue) -> int:
    """Return how many parts a schema has."""
    count, waiting = 0, [node]
    while waiting:
        part = waiting.pop()
        count += 1
        if isinstance(part, dict):
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return count


def _together(found: list[JsonValue]) -> JsonValue:
    if len(found) == 1:
        return found[0]
    definitions: JsonObject = {}
    for form in found:
        definitions |= form.get("$defs", {})
    branches = [{key: part for key, part in form.items() if key != "$defs"} for form in found]
    return {"anyOf": branches, **({"$defs": definitions} if definitions else {})}


class _Case:
    def __init__(self, root: JsonValue, random: Random) -> None:
        self._root = root
        self._random = random
        self._conjuncts: list[JsonObject] = []
        self._required: set[str] = set()
        self._waiting: list[tuple[str, JsonValue]] = []
        """What holds for the values that have a property."""

    def of(self, schema: JsonObject) -> JsonObject:
        """Return one case: the schema's conjuncts without alternatives."""
        self._add(schema)
        while due := [part for name, part in self._waiting if name in self._required]:
            self._waiting = [entry for entry in self._waiting if entry[0] not in self._required]
            for part in due:
                self._add(part)
        absent = {name: False for name, _ in self._waiting}
        whole = [*self._conjuncts, {"required": sorted(self._required)}, {"properties": absent}]
        outer = {key: part for key, part in schema.items() if key.startswith("unevaluated")}
        return {"allOf": whole, **outer, "$defs": definitions_of(self._root)}

    def _add(self, node: JsonValue) -> None:
        """Take a node apart into conjuncts, choosing where there is a choice."""
        if not isinstance(node, dict) or len(self._conjuncts) > _MOST_CONJUNCTS:
            self._conjuncts.append({"not": {}} if node is False else {})
            return
        plain = _without_alternatives(node)
        if "$ref" in plain:
            self._add(resolve_pointer(self._root, plain.pop("$ref")))
        self._conjuncts.append(plain)
        self._required |= set(node.get("required", ()))
        for name, names in node.get("dependentRequired", {}).items():
            self._waiting.append((name, {"required": names}))
        self._waiting += node.get("dependentSchemas", {}).items()
        for part in node.get("allOf", ()):
            self._add(part)
        for keyword in _CHOICES:
            if node.get(keyword):
                self._choose(node[keyword], exclusive=keyword == "oneOf")
        if "if" in node:
            self._add_side(node)

    def _choose(self, branches: list[JsonValue], *, exclusive: bool) -> None:
        """Keep to one branch, and of a few exclusive ones deny the others."""
        chosen = self._random.randrange(len(branches))
        self._add(branches[chosen])
        if exclusive and len(branches) <= _MOST_DENIED:
            others = [part for at, part in enumerate(branches) if at != chosen and size_of(part) <= _LARGEST_DENIED]
            self._conjuncts += [{"not": part} for part in others]

    def _add_side(self, node: JsonObject) -> None:
        if self._random.random() < 0.5:
            self._add(node["if"])
            self._add(node.get("then", True))
        else:
            self._add({"not": node["if"]})
            self._add(node.get("else", True))


def _without_alternatives(node: JsonObject) -> JsonObject:
    """Return what a node says beside what is taken apart, or stands for the whole."""
    return {key: part for key, part in node.items() if key not in _TAKEN and not key.startswith("unevaluated")}
