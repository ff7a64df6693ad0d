"""The one place that knows jsonschema_rs's experimental canonical form.

`canonicalize` folds allOf, anyOf, oneOf, not, if, dependent* and unevaluated* into a small set of keywords and
proves contradictions. It drops annotations, so that names, descriptions and examples are read elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import jsonschema_rs
from jsonschema_rs import canonical

from generator.jsontext import JsonValue

_DRAFT = jsonschema_rs.Draft202012
_BOUNDED_REGEX = jsonschema_rs.FancyRegexOptions(
    backtrack_limit=100_000, size_limit=10_000_000, dfa_size_limit=10_000_000
)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Where a schema admits nothing, and the keywords that exclude each other there."""

    pointer: str
    keywords: tuple[str, ...]


def canonical_form(schema: JsonValue) -> JsonValue | None:
    """Return an equivalent schema in canonical form; None where the library cannot model it.

    False, or an object with `not: {}`, means that no value satisfies the schema.
    """
    try:
        form = jsonschema_rs.canonicalize(
            schema, draft=_DRAFT, validate_formats=True, pattern_options=_BOUNDED_REGEX, offline=True
        )
        if form.kind == canonical.CanonicalKind.RAW:
            return None
        if form.satisfiability() == canonical.Satisfiability.NO:
            return False
        return form.to_json_schema()
    except (canonical.CanonicalizationError, ValueError):
        return None


def find_contradiction(schema: JsonValue) -> Contradiction | None:
    """Name the outermost place at which the schema contradicts itself; None when it names no place."""
    try:
        reasons = canonical.find_unsatisfiable(schema, draft=_DRAFT, validate_formats=True, offline=True)
    except (canonical.CanonicalizationError, ValueError):
        return None
    if not reasons:
        return None
    at = min(reasons, key=lambda place: (place.count("/"), place))
    causes = _causes(reasons[at])
    if len(causes) == 1:
        at = causes[0][0]
    keywords = tuple(dict.fromkeys(keyword for _, words in causes for keyword in words))
    return Contradiction(at, keywords)


def _causes(reason: object) -> list[tuple[str, list[str]]]:
    causes = getattr(reason, "causes", None) or [cause for cause in [getattr(reason, "cause", None)] if cause]
    return [(cause.pointer, list(cause.keywords)) for cause in causes]
