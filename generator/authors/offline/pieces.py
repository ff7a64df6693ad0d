"""Pieces: texts with places for values, compiled once and filled for each request."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from generator.authors.offline.fields import Field
from generator.authors.offline.matching import GENERIC
from generator.authors.offline.saying import Voice, say
from generator.authors.offline.units import with_unit
from generator.authors.offline.words import article, singular
from generator.jsontext import JsonObject


@dataclass(frozen=True, slots=True)
class Ref:
    """A place for the value of a field.

    `mode` is `plain`, `unit` (a number with its unit or currency), `mark` (a text in quotation marks), `named` (its
    noun before it where the value alone would be opaque), `bracket` (numbers in brackets) or `pair` (owner and
    repository).
    """

    field: Field
    mode: str
    partner: Field | None = None


NUMERIC = ("measure", "number", "letter", "money", "count", "duration", "coordinate")
_BEFORE_IDS = ("a", "an", "the", "any", "existing")
_NOUN_AFTER = re.compile(r"([ -])([a-z]+)")
Piece: TypeAlias = "str | Ref"
Pieces: TypeAlias = "tuple[Piece, ...]"


def ref(field: Field) -> Ref:
    """Return a place for the field's value in its usual form."""
    if field.kind in ("text", "title", "query", "formula"):
        return Ref(field, "mark")
    if field.kind == "list" and field.element is not None and field.element.kind in NUMERIC:
        return Ref(field, "bracket")
    return Ref(field, "unit" if field.unit else "plain")


def named(field: Field) -> Ref:
    """Return a place for a value that names a thing by itself."""
    return Ref(field, "named") if field.kind in ("thing", "id", "person", "choice") else ref(field)


def identified(words: tuple[str, ...], field: Field) -> Pieces:
    """Name a thing by its id: "pending order W1"."""
    kept = [word for word in words if word.lower() not in _BEFORE_IDS and word.lower() not in GENERIC]
    while len(kept) > 1 and kept[-1].lower() in ("id", "identifier", "number", "ids"):
        kept.pop()
    return (f"{' '.join(kept or field.subject)} ", ref(field))


def pieces(template: str, *fields: Field) -> Pieces:
    """Compile a template: `{}` is the next field's value, `{n}` the noun of the first."""
    noun = fields[0].noun if fields else ""
    parts = template.replace("{n}", noun).split("{}")
    result: list[Piece] = [parts[0]] if parts[0] else []
    for field, after in zip(fields, parts[1:], strict=False):
        result.append(ref(field))
        if after:
            result.append(after)
    return tuple(result)


def fill(parts: Pieces, arguments: JsonObject, voice: Voice) -> str:
    """Fill the places with what a person would say for the arguments.

    Raises:
        Unsayable: a value that has no natural wording.
    """
    out = ""
    one = False
    for part in parts:
        if isinstance(part, str):
            out += after_one(part) if one else part
            one = False
            continue
        one = arguments[part.field.name] in (1, "1") and not part.field.unit
        said = _fill_ref(part, arguments, voice)
        out = _agree(out, said) + said
    return out


def _fill_ref(place: Ref, arguments: JsonObject, voice: Voice) -> str:
    field = place.field
    value = arguments[field.name]
    if place.partner is not None:
        return f"{value}/{arguments[place.partner.name]}"
    said = say(value, field, voice)
    if place.mode == "bracket" and isinstance(value, list):
        marks = "()" if field.vector and len(value) < 4 else "[]"
        return (
            said
            if len(value) < 2
            else f"{marks[0]}{', '.join([say(entry, field.element or field, voice) for entry in value])}{marks[1]}"
        )
    if place.mode == "unit":
        return unit_said(said, field)
    if place.mode == "mark":
        return field.mark(said)
    if place.mode == "named" and is_opaque(said):
        return f"{field.noun} {said}"
    return said


def unit_said(said: str, field: Field) -> str:
    """Put the field's unit or currency sign to a number."""
    if field.unit in ("$", "€", "£"):
        return f"-{field.unit}{said[1:]}" if said.startswith("-") else field.unit + said
    return with_unit(said, field.unit)


def is_opaque(said: str) -> bool:
    """Say whether a value does not tell by itself what it is: codes, identifiers."""
    return " " not in said and (any(char.isdigit() for char in said) or "_" in said)


def _agree(before: str, said: str) -> str:
    """Let the article before a value agree with its sound."""
    if before.endswith((" a ", " an ")) or before in ("a ", "an "):
        stem = before.rstrip()[: -2 if before.endswith("an ") else -1]
        return f"{stem}{article(said)} "
    return before


def after_one(words: str) -> str:
    """Put the noun that follows the number one in the singular: " nights in Rome" gives " night in Rome"."""
    match = _NOUN_AFTER.match(words)
    if match is None:
        return words
    noun = match[2] if match[2] in ("is", "was", "as", "has") else singular(match[2])
    return match[1] + noun + words[match.end() :]
