"""Lists in derived results: the key they stand under, and entries open to what a search looks for."""

from __future__ import annotations

from generator.jsontext import JsonObject
from generator.tools.operations import plural, snake
from generator.tools.result_schemas_echoes import opened_to
from generator.tools.result_schemas_fields import closed, text

LENGTH_LIMIT = 14
"""A derived list has at most so many entries."""
QUERIES = ("query", "q", "keyword", "keywords", "search_query", "search_term", "term", "topic", "text", "search")
"""Parameters that hold the words a search looks for."""
SEARCHED: dict[str, str] = {
    "repository": "repository",
    "issue": "matter", "pull request": "matter", "discussion": "matter", "ticket": "matter", "commit": "matter",
    "article": "news", "news": "news", "document": "text", "note": "text", "page": "text", "web": "text",
    "website": "text", "video": "text", "course": "text", "report": "text", "search engine": "text",
    "email": "email", "mail": "email", "question": "text", "organization": "organization",
    "product": "product", "item": "product",
}  # fmt: skip
"""The nouns whose title or description repeats what is searched for, and in which way."""
TITLED = ("title", "name", "subject", "message", "description")
"""The fields that may repeat it."""
_LAST_WORD = ("alert", "match", "increase")


def list_key(noun: str) -> str:
    """Return the key a list of things stands under: their plural."""
    if noun in ("web", "search engine"):
        return "results"
    head = noun.removesuffix(" history").removesuffix(" schedule") or "result"
    return plural(head.split()[-1] if head.endswith(_LAST_WORD) else head.replace(" ", "_"))


def query_name(parameters: JsonObject) -> str | None:
    """Return the parameter that holds the words a search looks for; None where there is none."""
    properties = parameters.get("properties")
    if not isinstance(properties, dict):
        return None
    found = {snake(name): name for name, schema in properties.items() if _is_open_text(schema)}
    return next((found[key] for key in QUERIES if key in found), None)


def _is_open_text(schema: object) -> bool:
    return isinstance(schema, dict) and schema.get("type") == "string" and "enum" not in schema


def searchable(family: str, noun: str, parameters: JsonObject, fields: dict[str, JsonObject]) -> dict[str, JsonObject]:
    """Return the fields of an entry with texts open to the words searched for, where a search has words."""
    if family not in ("get", "search") or noun not in SEARCHED or query_name(parameters) is None:
        return fields
    return {
        name: opened_to(text(f"{name.capitalize()} of the {noun}"), schema) if name in TITLED else schema
        for name, schema in fields.items()
    }


def listed_of(fields: dict[str, JsonObject]) -> JsonObject:
    """Return the schema of a list of things, which may be empty."""
    return {"type": "array", "items": closed(fields), "minItems": 0, "maxItems": LENGTH_LIMIT}
