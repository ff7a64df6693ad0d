"""Emptiness: what is proven to admit no value, by canonical form, by heights, by automata, by trying every value."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from generator.jsontext import JsonValue
from generator.schemas.canonical import canonical_form
from generator.schemas.loops import NOTHING, without_loops
from generator.schemas.validators import InvalidSchema, SchemaValidator
from generator.values.enumeration import every_value
from generator.values.heights import INFINITE, Heights
from generator.values.hints import identified, resolve_pointer
from generator.values.proofs import Proofs

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
