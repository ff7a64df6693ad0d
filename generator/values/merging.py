"""Merging: several nodes that must all hold, as one node to draw from; what it cannot express is checked later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.canonical import canonical_form
from generator.values.compiling import Compiling
from generator.values.identity import identity

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
    defs = plan.form.get("$defs", {}) if isinstance(plan.form, dict) else {}
    form = canonical_form({"allOf": nodes, "$defs": defs})
    if form is False:
        return False
    if isinstance(form, dict) and form.get("$defs", {}).keys() <= defs.keys():
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
        else:
            whole[key] = _both(key, whole[key], value)


def _both(key: str, first: JsonValue, second: JsonValue) -> JsonValue:
    if key == "required":
        return list(dict.fromkeys([*first, *second]))
    if key in ("properties", "patternProperties", "$defs"):
        return first | {
            name: {"allOf": [first[name], part]} if name in first else part for name, part in second.items()
        }
    if key in ("items", "additionalProperties", "propertyNames"):
        return {"allOf": [first, second]}
    if key == "not":
        return {"anyOf": [first, second]}
    if key == "enum":
        known = set(map(identity, second))
        return [value for value in first if identity(value) in known]
    if key == "type":
        kinds = [
            kind
            for kind in _listed(first)
            if kind in _listed(second) or (kind == "integer" and "number" in _listed(second))
        ]
        return (kinds[0] if len(kinds) == 1 else kinds) or first
    return [*first, *second] if key == "allOf" else first


def _listed(kind: JsonValue) -> list[str]:
    return [kind] if isinstance(kind, str) else kind
