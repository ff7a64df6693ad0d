"""The one place that knows jsonschema_rs's experimental canonical form.

`canonicalize` folds allOf, anyOf, oneOf, not, if, dependent* and unevaluated* into a small set of keywords and
proves contradictions. It drops annotations, so that names, descriptions and examples are read elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

import jsonschema_rs
from jsonschema_rs import canonical

from generator.jsontext import JsonValue
from generator.schemas.keywords import CHOICES, REFERENCES, mentions
from generator.schemas.limits import unfolds_too_far

_DRAFT = jsonschema_rs.Draft202012
_BOUNDED_REGEX = jsonschema_rs.FancyRegexOptions(
    backtrack_limit=100_000, size_limit=10_000_000, dfa_size_limit=10_000_000
)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Where a schema admits nothing, and the keywords that exclude each other there."""

    pointer: str
    keywords: tuple[str, ...]


_WEIGHING = (*CHOICES, *REFERENCES)
_LISTING = (b'"const":', b'"enum":')
_CONSTANTS = frozenset(("const", "enum"))


def canonical_form(schema: JsonValue, text: bytes | None = None) -> JsonValue | None:
    """Return an equivalent schema in canonical form; None where the library cannot model it.

    A schema that would unfold into thousands of alternatives is not given to the library, which would need
    seconds and gigabytes. False, or an object with `not: {}`, means that no value satisfies the schema.
    `text` is the schema's compact JSON text, where that is known: it tells soonest that there are no alternatives.
    """
    if (text is None or mentions(text, _WEIGHING)) and unfolds_too_far(schema):
        return None
    try:
        form = jsonschema_rs.canonicalize(
            schema, draft=_DRAFT, validate_formats=True, pattern_options=_BOUNDED_REGEX, offline=True
        )
        if form.kind == canonical.CanonicalKind.RAW:
            return None
        if form.satisfiability() == canonical.Satisfiability.NO:
            return False
        found = form.to_json_schema()
        return _with_plain_constants(found) if text is None or mentions(text, _LISTING) else found
    except (canonical.CanonicalizationError, ValueError):
        return None


def _with_plain_constants(form: JsonValue) -> JsonValue:
    """Write the values of `const` and `enum` as JSON has them, in place: the library gives fractions as decimals."""
    waiting = [form]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            for key, part in node.items():
                if key in _CONSTANTS:
                    node[key] = _plain(part)
                elif type(part) is dict or type(part) is list:
                    waiting.append(part)
        elif isinstance(node, list):
            waiting.extend(node)
    return form


def _plain(value: JsonValue) -> JsonValue:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return {key: _plain(part) for key, part in value.items()} if isinstance(value, dict) else value


def find_contradiction(schema: JsonValue) -> Contradiction | None:
    """Name the outermost place at which the schema contradicts itself; None when it names no place."""
    if unfolds_too_far(schema):
        return None
    try:
        reasons = canonical.find_unsatisfiable(schema, draft=_DRAFT, validate_formats=True, offline=True)
    except (canonical.CanonicalizationError, ValueError):
        return None
    if not reasons:
        return None
    at = _innermost(schema, reasons)
    causes = _causes(reasons[at])
    if len(causes) == 1:
        at = causes[0][0]
    keywords = tuple(dict.fromkeys(keyword for _, words in causes for keyword in words))
    return Contradiction(at, keywords)


def _innermost(schema: JsonValue, reasons: Mapping[str, object]) -> str:
    """Follow the contradiction from the outermost dead place into those parts which every value needs."""
    at = min(reasons, key=lambda place: (place.count("/"), place))
    while True:
        deeper = [
            place
            for place in reasons
            if place != at and place.startswith(at + "/") and _causes(reasons[place]) and _is_needed(schema, at, place)
        ]
        if not deeper:
            return at
        at = min(deeper, key=lambda place: (place.count("/"), place))


def _is_needed(schema: JsonValue, at: str, place: str) -> bool:
    """Say whether the part at `place` is one that every value of the schema at `at` must satisfy."""
    node = schema
    for part in at.split("/")[1:]:
        node = node[int(part)] if isinstance(node, list) else node[part.replace("~1", "/").replace("~0", "~")]
    keyword, *rest = place[len(at) + 1 :].split("/")
    if keyword == "properties" and len(rest) == 1:
        return rest[0].replace("~1", "/").replace("~0", "~") in node.get("required", ())
    return (keyword == "allOf" and len(rest) == 1) or (keyword == "items" and not rest and node.get("minItems", 0) > 0)


def _causes(reason: object) -> list[tuple[str, list[str]]]:
    causes = getattr(reason, "causes", None) or [cause for cause in [getattr(reason, "cause", None)] if cause]
    return [(cause.pointer, list(cause.keywords)) for cause in causes]
