"""Compiling: what a node of a schema needs of its plan, and the checks of the values that it makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from generator.jsontext import JsonValue, dump_canonical
from generator.schemas.keywords import REFERENCES, mentions
from generator.schemas.references import NOTHING
from generator.schemas.validators import InvalidSchema, SchemaValidator, content_of, validator_for
from generator.values.draw import Maker
from generator.values.hints import Hint

_CACHE: dict[tuple[int, int], tuple[JsonValue, JsonValue, SchemaValidator | None]] = {}
_CACHE_SIZE = 2_000


def admits(form: JsonValue, node: JsonValue, value: JsonValue) -> bool:
    """Say whether `node`, a part of the schema `form`, accepts the value; a node that cannot be compiled does."""
    validator = _validator(form, node)
    return validator is None or validator.is_valid(value)


def check_of(form: JsonValue, node: JsonValue) -> Callable[[JsonValue], bool]:
    """Return `admits` of one node, whose validator is compiled when it is first asked."""
    found: list[Callable[[JsonValue], bool]] = []

    def check(value: JsonValue) -> bool:
        if not found:
            validator = _validator(form, node)
            found.append(_anything if validator is None else validator.is_valid)
        return found[0](value)

    return check


def _anything(value: JsonValue) -> bool:
    return True


def _validator(form: JsonValue, node: JsonValue) -> SchemaValidator | None:
    key = (id(form), id(node))
    entry = _CACHE.get(key)
    if entry is None:
        if len(_CACHE) >= _CACHE_SIZE:
            _CACHE.clear()
        # The entry holds both nodes, so that their ids stay theirs.
        entry = _CACHE[key] = (form, node, _compiled(form, node))
    return entry[2]


def _compiled(form: JsonValue, node: JsonValue) -> SchemaValidator | None:
    try:
        text = content_of(node)
        if node is form or not isinstance(node, dict) or not mentions(text, REFERENCES):
            return validator_for(node, text=text)  # many schemas ask for the same formats and patterns
        defs = form.get("$defs", {}) if isinstance(form, dict) else {}
        return SchemaValidator({**node, "$defs": {**defs, **node.get("$defs", {})}} if defs else node)
    except (InvalidSchema, TypeError, ValueError):
        return None


def admits_nothing(node: JsonValue) -> bool:
    """Say whether a node is `false`, in either of its spellings."""
    return node is False or node == NOTHING


def listed_types(declared: JsonValue) -> Sequence[str]:
    """Return the types of a `type`, which is one name or a list of them."""
    return [declared] if isinstance(declared, str) else declared


def identity(value: JsonValue) -> bytes:
    """Return bytes that equal values share, and only they."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass") + b'"'
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return b"%d" % int(value)
    if isinstance(value, list):
        return b"[" + b",".join(map(identity, value)) + b"]"
    if isinstance(value, dict):
        return b"{" + b",".join(b"%s:%s" % (identity(key), identity(value[key])) for key in sorted(value)) + b"}"
    try:
        return dump_canonical(value)
    except (TypeError, ValueError):
        return repr(value).encode("utf-8", "surrogatepass")


class Compiling(Protocol):
    """A plan, as its nodes see it."""

    @property
    def form(self) -> JsonValue:
        """The schema in canonical form, or as it was where there is none."""

    @property
    def raw(self) -> JsonValue:
        """The schema as it was written, with its names and descriptions."""

    def maker(self, node: JsonValue, hint: Hint) -> Maker:
        """Compile one node of the form."""

    def resolve(self, reference: str) -> JsonValue:
        """Return the node of the form a reference points to."""

    def admits(self, node: JsonValue, value: JsonValue) -> bool:
        """Say whether one node of the form accepts the value."""

    def height(self, node: JsonValue) -> int:
        """Return the least number of references below a node on its way to a finite value."""
