"""Lists as a call wants them: of the state asked for, in the order asked for, about the words searched for."""

from __future__ import annotations

import re
from datetime import date
from random import Random

from generator.jsontext import JsonObject, JsonValue
from generator.results.coherence import main_list
from generator.results.echo import NO_VALUE
from generator.tools.operations import singular, snake
from generator.tools.result_schemas_choice import field_chooser, flags, is_flagged
from generator.tools.result_schemas_lists import SEARCHED, query_name
from generator.tools.tool import Tool

_FILTERS = ("state", "status", "visibility")
_SORTS = frozenset(("sort", "sort_by", "order_by", "sorting", "sort_order", "sort_field"))
_DIRECTIONS = frozenset(("direction", "order", "sort_order", "sort_direction", "order_by", "sort", "sort_by"))
_ORDERED: dict[str, tuple[tuple[str, ...], bool]] = {
    "price": (("price", "price_per_night", "total_price", "cost", "amount"), False),
    "cheapest": (("price", "price_per_night", "total_price"), False),
    "stars": (("stars", "rating"), True),
    "rating": (("rating", "score"), True),
    "popularity": (("stars", "likes", "views", "followers"), True),
    "created": (("created_at", "published_at", "date"), True),
    "date": (("date", "created_at", "published_at", "received_on", "received_at", "published_on"), True),
    "newest": (("date", "created_at", "published_at", "received_on", "published_on"), True),
    "published": (("published_at", "published_on", "created_at"), True),
    "updated": (("updated_at", "created_at"), True),
    "distance": (("distance_km", "distance", "distance_to_center_km"), False),
    "duration": (("duration_minutes", "duration"), False),
    "name": (("name", "full_name", "title"), False),
    "title": (("title", "name"), False),
    "followers": (("followers",), True),
    "comments": (("comments",), True),
}
"""Words of a sort: the fields it may mean, and whether it begins with the most."""
_MOMENTS = ("date", "created_at", "published_at", "published_on", "received_on", "received_at", "sent_at", "opened_on")
_NATURAL = ("start_time", "starts_at", "due_date", "departure_time", "distance_km", *_MOMENTS)
"""The fields that order a list of its own, the strongest first."""
_UP = frozenset(("asc", "ascending", "lowest", "low", "cheapest", "oldest"))
_DOWN = frozenset(("desc", "descending", "highest", "newest", "latest"))
_WORD = re.compile(r"[^\W_](?:[\w'-]*\w)?")
_QUALIFIER = re.compile(r"\S+:\S+|[\"()*]|\b(?:AND|OR|NOT)\b")
_MOST_WORDS = 6

TEMPLATES: dict[str, tuple[str, ...]] = {
    "matter": ("{Q}", "Improve {q}", "{Q}: wrong result", "Add tests for {q}", "Document {q}", "Follow-up on {q}"),
    "text": (
        "{Q}: an overview", "What to know about {q}", "{Q} in practice", "A short guide to {q}", "{Q} explained",
        "Questions about {q}",
    ),
    "news": (
        "What the new figures on {q} mean", "Five questions about {q} answered", "Why experts disagree on {q}",
        "{Q}: the long road ahead", "A turning point for {q}", "Inside the debate on {q}",
    ),
    "email": ("{Q}", "Re: {q}", "Question about {q}", "Your {q}", "Fwd: {q}", "{Q}: next steps"),
    "product": ("Classic {Q}", "{Q} Pro", "{Q} Plus", "Compact {Q}", "Everyday {Q}", "{Q} Deluxe"),
    "organization": ("{Q}", "{Q} Labs", "{Q} Community", "{Q} Archive", "{Q} Education", "{Q} Research"),
    "repository": ("{s}", "{s}-tools", "awesome-{s}", "{s}-api", "{s}-demo", "simple-{s}"),
    "repository note": (
        "{Q} made simple", "Tools for {q}", "A list of resources on {q}", "Public API for {q}",
        "Example project on {q}", "A small library for {q}",
    ),
}  # fmt: skip
"""How what is found repeats the words that were searched for."""


def filtered(value: JsonValue, arguments: JsonObject) -> JsonValue:
    """Return the result with the entries of its list in the state that the call asks for."""
    key = main_list(value)
    wanted = {
        name: given
        for name in _FILTERS
        if isinstance(given := arguments.get(name), str) and given.lower() not in NO_VALUE
    }
    if key is None or not wanted:
        return value
    return {**value, key: [_kept(entry, wanted) for entry in value[key]]}


def _kept(entry: JsonValue, wanted: dict[str, str]) -> JsonValue:
    return {name: wanted.get(name, told) for name, told in entry.items()} if isinstance(entry, dict) else entry


def selected(value: JsonValue, tool: Tool, arguments: JsonObject) -> JsonValue:
    """Return the result with the fields that the call asks for; all where it asks for none that there is."""
    names = _asked_fields(tool, arguments)
    if not names or not isinstance(value, dict):
        return value
    key = main_list(value)
    if key is None or not all(isinstance(entry, dict) for entry in value[key]):
        kept = _with_fields(value, names | {snake(name) for name in arguments})
        return kept if len(kept) > sum(name in arguments for name in kept) else value
    entries = [_with_fields(entry, names) for entry in value[key]]
    return {**value, key: entries} if entries and all(entries) else value


def _asked_fields(tool: Tool, arguments: JsonObject) -> set[str]:
    name = field_chooser(tool.parameters)
    given = arguments.get(name) if name is not None else None
    fields = given.split(",") if isinstance(given, str) else given if isinstance(given, list) else []
    told = [field.strip() for field in fields if isinstance(field, str)]
    return {snake(field) for field in told} | {snake(field.replace("html_", "")) for field in told}


def _with_fields(fields: JsonObject, names: set[str]) -> JsonObject:
    return {name: told for name, told in fields.items() if snake(name) in names}


def flagged(value: JsonValue, tool: Tool, arguments: JsonObject) -> JsonValue:
    """Return the result without the optional fields whose flag the call does not raise: `include_reviews` false."""
    lowered = [field for name, field in flags(tool.parameters).items() if not _is_raised(name, tool, arguments)]
    if not lowered or not isinstance(value, dict):
        return value
    key = main_list(value)
    told = _without(value, lowered, tool.result_schema)
    if key is None or key not in told:
        return told
    listed = tool.result_schema.get("properties", {}).get(key, {})
    schema = listed.get("items") if isinstance(listed, dict) else None
    entries = [_without(entry, lowered, schema) if isinstance(entry, dict) else entry for entry in value[key]]
    return {**told, key: entries}


def _is_raised(name: str, tool: Tool, arguments: JsonObject) -> bool:
    default = tool.parameters["properties"][name].get("default")
    return arguments.get(name, default) is True


def _without(fields: JsonObject, lowered: list[str], schema: JsonValue) -> JsonObject:
    given = schema.get("required") if isinstance(schema, dict) else None
    required = given if isinstance(given, list) else []
    kept = {
        name: told for name, told in fields.items()
        if name in required or not any(is_flagged(name, field) for field in lowered)
    }  # fmt: skip
    return kept or fields


def sorted_as_asked(value: JsonValue, arguments: JsonObject) -> JsonValue:
    """Return the result with its list in the order that the call asks for; unchanged where it asks for none."""
    order = _asked_order(arguments)
    key = main_list(value)
    if order is None or key is None or not all(isinstance(entry, dict) for entry in value[key]):
        return value
    fields, descending = order
    field = next((name for name in fields if all(_orderable(entry.get(name)) for entry in value[key])), None)
    if field is None or len({isinstance(entry[field], str) for entry in value[key]}) > 1:
        return value
    return {**value, key: sorted(value[key], key=lambda entry: entry[field], reverse=descending)}


def in_natural_order(value: JsonValue, reference: date) -> JsonValue:
    """Return the result with its list as such lists come: an agenda by its times, the nearest and the latest first."""
    key = main_list(value)
    if key is None or not value[key] or not all(isinstance(entry, dict) for entry in value[key]):
        return value
    entries = value[key]
    field = next((name for name in _NATURAL if all(isinstance(e.get(name), str | int | float) for e in entries)), None)
    if field is None or len({isinstance(entry[field], str) for entry in entries}) > 1:
        return value
    today = reference.isoformat()
    latest_first = field in _MOMENTS and all(str(entry[field])[:10] <= today for entry in entries)
    return {**value, key: sorted(entries, key=lambda entry: entry[field], reverse=latest_first)}


def _orderable(value: JsonValue) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _asked_order(arguments: JsonObject) -> tuple[tuple[str, ...], bool] | None:
    """Read from the arguments which fields order a list and whether it begins with the most."""
    sort: tuple[tuple[str, ...], bool] | None = None
    direction: bool | None = None
    for name, given in arguments.items():
        key = snake(name)
        if not isinstance(given, str) or key not in _SORTS | _DIRECTIONS:
            continue
        words = snake(given).split("_")
        if key in _SORTS:
            sort = next((_ORDERED[word] for word in words if word in _ORDERED), sort)
        if not _UP.isdisjoint(words) or not _DOWN.isdisjoint(words):
            direction = _UP.isdisjoint(words)
    if sort is None:
        return None
    return sort[0], sort[1] if direction is None else direction


def about_query(value: JsonValue, tool: Tool, noun: str, arguments: JsonObject, random: Random) -> JsonValue:
    """Return the result with the titles of what was found speaking of the words that were searched for."""
    key, way, name = main_list(value), SEARCHED.get(noun), query_name(tool.parameters)
    if key is None or way is None or name is None or not isinstance(text := arguments.get(name), str):
        return value
    words = _WORD.findall(_QUALIFIER.sub(" ", text))[:_MOST_WORDS]
    if not words:
        return value
    start = random.randrange(len(TEMPLATES[way]))
    return {**value, key: [_about(entry, way, words, start + place) for place, entry in enumerate(value[key])]}


def _about(entry: JsonValue, way: str, words: list[str], place: int) -> JsonValue:
    if not isinstance(entry, dict):
        return entry
    told: JsonObject = {}
    if way == "repository":
        told = {"name": _filled("repository", words, place), "description": _filled("repository note", words, place)}
    else:
        field = next((name for name in ("title", "name", "subject", "message") if name in entry), None)
        told = {field: _filled(way, words, place)} if field is not None else {}
    return {name: told.get(name, inner) for name, inner in entry.items()}


def _filled(way: str, words: list[str], place: int) -> str:
    templates = TEMPLATES[way]
    query = " ".join(words)
    start = query[:1].upper() + query[1:]
    if way == "product":
        start = " ".join(word[:1].upper() + word[1:] for word in (*words[:-1], singular(words[-1])))
    return templates[place % len(templates)].format(q=query, Q=start, s="-".join(words[:3]).lower())
