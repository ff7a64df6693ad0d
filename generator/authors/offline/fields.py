"""Field: what is known about one parameter (or a property inside one) before any value is said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from generator.authors.offline.kinds import classify
from generator.authors.offline.number_kinds import is_share
from generator.authors.offline.units import unit_of, without_units
from generator.authors.offline.words import singular, split_identifier, spoken, word_set
from generator.jsontext import JsonObject, JsonValue

_LITERAL = word_set("id email url path phone owner repo formula letter coordinate year unit query")
_QUOTED = word_set("text title query formula")
_SUFFIXES = word_set("name id ids identifier number code uuid key slug title value string login type")
_HEAD_END = re.compile(
    r"\s+(?:of|for|in|to|that|which|used|from|on|at|where|when|with|by|as|such|is|are|being|should|must|will|can|if|between|"
    r"whose|per|within|about|under|over|you|the|a|an|or|and|e\.g)\b|[,.;:(\[/\"'`]| - |\n"
)
_HEAD_START = re.compile(
    r"^(?:optional[.:,]?|required[.:,]?|the|a|an|one of the|list of|array of|exact|full|unique|your|new)\s+",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(r"\bdd[/-]mm", re.IGNORECASE)
_MONTH_FIRST = re.compile(r"\bmm[/-]dd", re.IGNORECASE)
_CAPITALS = re.compile(r"\b[A-Z]{2,5}\b")
_INSTRUCTIONS = word_set("save return returns include filter filters set specify specifies use get limit only if when")
_VAGUE_HEADS = word_set("coefficient coefficients value variable constant number parameter integer term float")
MAX_DEPTH = 3
_READ = 600
"""Characters of a description that are read."""


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter, as a person thinks of it.

    `noun` is what a person calls it ("interest rate"), `subject` the thing it names or identifies ("order" for
    `order_id`), both in lower-case words; `kind` its class (see `kinds`).
    """

    name: str
    kind: str
    noun: str
    subject: tuple[str, ...]
    heads: frozenset[str]
    """Singular nouns by which a description may speak of it."""
    label: str = ""
    """The subject as it is written: acronyms in capitals, where its description has them so."""
    description: str = ""
    unit: str = ""
    enum: tuple[JsonValue, ...] = ()
    share: bool = False
    vector: bool = False
    day_first: bool = False
    month_first: bool = False
    required: bool = False
    element: Field | None = None
    children: Mapping[str, Field] = field(default_factory=dict)

    @property
    def literal(self) -> bool:
        """Whether its values stand as they are, without separators."""
        return self.kind in _LITERAL

    @property
    def money(self) -> bool:
        """Whether it is a sum of money."""
        return self.kind == "money"

    def mark(self, said: str) -> str:
        """Set a value off from the sentence where it is a text of its own."""
        if self.kind in _QUOTED and not said.startswith('"'):
            return f'"{said}"'
        return said

    def child(self, key: str) -> Field:
        """Return the field of a property of this object, made up from its key where the schema is silent."""
        known = self.children.get(key)
        return known if known is not None else make_field(key, {})


def make_field(name: str, schema: JsonValue, *, required: bool = False, depth: int = 0) -> Field:
    """Learn what there is to know about a parameter from its name and schema."""
    schema = schema if isinstance(schema, dict) else {}
    words = split_identifier(name)
    words = ("number", *words[1:]) if words[:1] == ("n",) and len(words) > 1 else words
    description = " ".join(str(schema.get("description") or "")[:_READ].split())
    kind = classify(name, words, schema)
    subject = _subject(words, description)
    unit = unit_of(name, description, kind)
    items = schema.get("items")
    element = make_field(_element_name(name), items, depth=depth + 1) if kind == "list" and depth < MAX_DEPTH else None
    values = schema.get("enum")
    return Field(
        name=name,
        kind=kind,
        noun=_cased(_noun(name, without_units(words) if unit else words, description), description),
        label=_cased(spoken(subject), description),
        subject=subject,
        heads=_heads(subject, words, description),
        description=description,
        unit=unit,
        enum=tuple(values) if isinstance(values, list) else (),
        share=is_share(words, schema),
        vector=bool(words) and words[-1] in ("coordinates", "vector", "point", "position", "matrix", "array", "data"),
        day_first=bool(_DAY_FIRST.search(description)),
        month_first=bool(_MONTH_FIRST.search(description)),
        required=required,
        element=element,
        children=_children(schema, depth),
    )


def fields_of(parameters: JsonObject) -> dict[str, Field]:
    """Return the fields of a tool's parameters by name."""
    required = frozenset(parameters.get("required") or ())
    properties = parameters.get("properties") or {}
    fields = {name: make_field(name, schema, required=name in required) for name, schema in properties.items()}
    if any(field.kind == "currency" for field in fields.values()):
        return {name: replace(field, unit="") if field.kind == "money" else field for name, field in fields.items()}
    return fields


def _children(schema: JsonObject, depth: int) -> dict[str, Field]:
    properties = schema.get("properties")
    if not isinstance(properties, dict) or depth >= MAX_DEPTH:
        return {}
    return {key: make_field(key, value, depth=depth + 1) for key, value in properties.items()}


def _element_name(name: str) -> str:
    """Name one element after its list: `cities` gives `city`."""
    words = split_identifier(name)
    return " ".join([*words[:-1], singular(words[-1])]) if words else name


def description_head(description: str) -> str:
    """Return the noun phrase a description starts with: "The annual interest rate in percent." gives its noun."""
    text = description[:160]
    for _ in range(3):
        text = _HEAD_START.sub("", text)
    match = _HEAD_END.search(text)
    head = (text[: match.start()] if match else text).strip()
    if head.split(" ", 1)[0].lower() in _INSTRUCTIONS:
        return ""
    return head.lower() if 0 < len(head.split()) <= 4 else ""


def _noun(name: str, words: tuple[str, ...], description: str) -> str:
    """Return what a person calls the parameter."""
    cryptic = not words or len(name) <= 2 or all(len(word) <= 2 for word in words)
    if cryptic:
        head = description_head(description)
        return name if not head or (len(name) == 1 and head in _VAGUE_HEADS) else head
    if words[:2] == ("no", "of"):
        return spoken(("number", *words[1:]))
    if words[:2] == ("number", "of") or (words[0] == "number" and len(words) > 1):
        return spoken(words if words[1] == "of" else ("number", "of", *words[1:]))
    if words[-1] == "count" and len(words) > 1:
        return "number of " + spoken(words[:-1])
    return spoken(words)


def _subject(words: tuple[str, ...], description: str) -> tuple[str, ...]:
    """Return the thing that the parameter names, identifies or measures."""
    if words in (("target",), ("reference",)) and "element" in description.lower():
        return ("element",)
    if words[:2] in (("number", "of"), ("no", "of")) and len(words) > 2:
        return words[2:]
    if words[:1] == ("number",) and len(words) > 1 and not words[-1].isdigit():
        return words[1:]
    trimmed = words
    while len(trimmed) > 1 and trimmed[-1] in _SUFFIXES:
        trimmed = trimmed[:-1]
    head = _trimmed(tuple(description_head(description).split()))
    if trimmed and trimmed[-1] not in _SUFFIXES:
        return (
            head
            if len(trimmed) < len(head) < 4
            and not head[-1].endswith(("ed", "ing"))
            and (trimmed[-1] in head or words[-1] in ("id", "number"))
            else trimmed
        )
    if head and head[-1] not in _SUFFIXES:
        return head
    match = re.search(
        r"\b(?:of|for) (?:the|a|an|this) (?:\w+ing )?([a-z ]+?)(?= to\b| that\b|[.,;(]|$)", description.lower()
    )
    return tuple(match[1].split()[-2:]) if match else words


def _cased(text: str, description: str) -> str:
    """Write words in capitals where the description does: "snp" is "SNP"."""
    if not description:
        return text
    written = {word.lower(): word for word in _CAPITALS.findall(description)}
    return " ".join([written.get(word, word) for word in text.split()]) if written else text


def _trimmed(words: tuple[str, ...]) -> tuple[str, ...]:
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words = words[:-1]
    return words


def _heads(subject: tuple[str, ...], words: tuple[str, ...], description: str) -> frozenset[str]:
    """Return the singular nouns by which a description may speak of the parameter."""
    heads = {singular(subject[-1])} if subject else set()
    if words:
        heads.add(singular(words[-1]))
    head = _trimmed(tuple(description_head(description).split()))
    if head:
        heads.add(singular(head[-1]))
    if heads & {"symbol", "ticker"}:
        heads.add("stock")
    return frozenset(heads - {"name", "id", "list", "number", "value", "type", "identifier", "array", "string"})
