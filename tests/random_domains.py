"""Small random domains: entities with fields, and tools that list, get, create, update and delete them."""

from __future__ import annotations

from random import Random
from typing import Any

from generator.domains.domain import Domain
from generator.jsontext import JsonObject
from generator.tools import Tool
from generator.worlds.program import CompiledDomain, compiled_domain
from tests.domains_library import tool

WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath")


def random_domain(seed: int) -> CompiledDomain:
    """A domain of one to three entities with its tools, compiled without a fault."""
    random = Random(seed)
    names = ["depot", "crate", "parcel"][: random.randint(1, 3)]
    entities = {name: _entity(names[:place], random) for place, name in enumerate(names)}
    tools: list[Tool] = []
    known: dict[str, Any] = {}
    for name, entity in entities.items():
        for made, spec in _tools(name, entity):
            tools.append(made)
            known[made.name] = spec
    value = {"domain": 1, "pools": {"words": list(WORDS)}, "entities": entities, "tools": known}
    compiled = compiled_domain(Domain.model_validate(value), tools)
    assert compiled.faults == ()
    return compiled


def _entity(before: list[str], random: Random) -> JsonObject:
    fields: JsonObject = {
        "id": random.choice([{"pattern": "[A-Z]{2}[0-9]{3}"}, {"integer": [1, 99]}, {"pattern": "x-[a-z]{4}"}]),
        "name": random.choice([{"pool": "words"}, {"faker": "word"}, {"text": "thing {id}"}]),
        "weight": random.choice([{"integer": [0, 50]}, {"number": [0, 9], "decimals": 1}]),
        "state": {"from": ["new", "sent", "lost"]},
        "day": random.choice([{"day": [-5, 5]}, {"moment": [-2, 2]}, {"maybe": 0.5, "value": {"day": [0, 3]}}]),
        "tags": {"list": {"pool": "words"}, "count": [0, 3]},
    }
    entity: JsonObject = {"rows": [0, random.randint(1, 4)], "fields": fields}
    if before and random.random() < 0.6:
        entity["in"] = random.choice(before)
    if before and random.random() < 0.6:
        fields["at"] = {"maybe": 0.8, "value": {"ref": random.choice(before)}, "else": None}
    view = {"id": "$id", "name": "$name", "weight": "$weight", "state": "$state", "tags": "$tags"}
    if "in" in entity:
        view["parent"] = f"${entity['in']}.id"
    entity["views"] = {"full": view}
    return entity


def row_schema(entity: JsonObject) -> JsonObject:
    """The schema of a row as the tools show it."""
    properties: JsonObject = {
        "id": {"type": ["string", "integer"]},
        "name": {"type": "string"},
        "weight": {"type": "number"},
        "state": {"enum": ["new", "sent", "lost"]},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    }
    if "in" in entity:
        properties["parent"] = {"type": ["string", "integer"]}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _tools(name: str, entity: JsonObject) -> list[tuple[Tool, JsonObject]]:
    identity = {"type": ["string", "integer"]}
    found = {"get": name, "where": [["id", "=", "$id"]], "else": {"RESOURCE_NOT_FOUND": f"No {name} {{id}}."}}
    row = row_schema(entity)
    listed = {
        "type": "object",
        "properties": {
            "rows": {"type": "array", "items": row},
            "count": {"type": "integer"},
            "weight": {"type": "number"},
            "more": {"type": "boolean"},
            "at": {"type": "string"},
        },
        "required": ["rows", "count", "weight", "more", "at"],
    }
    given: JsonObject = {"name": "$name", "state": "$state", "weight": "$weight"}
    sort = {"by": "$sort", "fields": {"weight": "weight", "-weight": "-weight"}}
    return [
        (
            tool(f"list_{name}", listed, (), state="string", limit="integer", offset="integer", sort="string"),
            {
                "effect": [
                    {
                        "list": name, "where": [["state", "=", "$state"]], "sort": sort,
                        "limit": "$limit", "offset": "$offset",
                    }
                ],
                "result": {
                    "rows": "$rows|full", "count": {"$count": "$all"}, "weight": {"$sum": ["$all", "weight"]},
                    "more": "$more", "at": "$now",
                },
            },
        ),
        (tool(f"get_{name}", row, ("id",), id=identity), {"effect": [found], "result": "$it|full"}),
        (
            tool(f"create_{name}", row, ("name",), name="string", state={"enum": ["new", "sent"]}, weight="integer"),
            {"effect": [{"create": name, "set": given}], "result": "$it|full"},
        ),
        (
            tool(f"update_{name}", row, ("id",), id=identity, name="string", state="string", tag="string"),
            {
                "effect": [
                    found,
                    {"require": [{"any": [[["$state", "missing"]], [["$state", "in", ["new", "sent", "lost"]]]]}],
                     "else": {"BUSINESS_RULE_VIOLATION": "No such state."}},
                    {"update": "$it", "set": {"name": "$name", "state": "$state"}, "append": {"tags": "$tag"}},
                ],
                "result": "$it|full",
            },
        ),
        (
            tool(f"delete_{name}", None, ("id",), id=identity),
            {"effect": [found, {"delete": "$it"}], "result": {"deleted": True, "id": "$it.id"}},
        ),
    ]  # fmt: skip
