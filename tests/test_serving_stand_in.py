"""The stand-in: several things are several calls, and whatever it answers the schemas and the rules accept."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import orjson
import pytest

from generator.formats.loading.tool_files import load_catalog
from generator.random_streams import stream
from generator.serving.refusals import Refusal
from generator.serving.replay import Replay
from generator.serving.service import Service
from generator.serving.stand_in import MOST_WANTS, Want, one_by_one, wants_of
from generator.validation.entities import ENTITIES
from tests.bundled import bundled
from tests.served_records import Json
from tests.shared_data import SHARED, needs_shared
from tests.tables import each_row

LISTS = {
    "weather in Oslo and Porto?": ["weather in Oslo?", "weather in Porto?"],
    "Weather in Oslo, Porto, and in Rome": ["Weather in Oslo", "Weather in Porto", "Weather in Rome"],
    "Weather in New York & San Jose": ["Weather in New York", "Weather in San Jose"],
    "Mail ann@example.com and bo@example.com": ["Mail ann@example.com", "Mail bo@example.com"],
    "Track AB-12 and CD-34": ["Track AB-12", "Track CD-34"],
    'Find "one" and "two and three"': ['Find "one"', 'Find "two and three"'],
    "buy milk and bread": ["buy milk", "buy bread"],
    "Wetter in Wien und Graz": ["Wetter in Wien", "Wetter in Graz"],
    "Weather in Paris, France": None,
    "How far is it between Oslo and Porto": None,
    "Fly from Oslo to Porto": None,
    "Oslo": None,
    "": None,
}


@each_row("text", list(LISTS))
def test_a_list_is_asked_one_by_one(text: str) -> None:
    assert one_by_one(text, ["milk", "bread"]) == (LISTS[text] or [text])


def tool_of(clause: str) -> str | None:
    return next((tool for tool in ("weather", "table") if tool in clause), None)


WANTS = {
    "the weather in Oslo and a table at Luigi": [
        ("weather", "the weather in Oslo and "),
        ("table", "a table at Luigi"),
    ],
    "Please, the weather in Oslo": [("weather", "Please, the weather in Oslo")],
    "a table at Luigi, for 4, and the weather": [
        ("table", "a table at Luigi, for 4, "),
        ("weather", "a table at Luigi, for 4, and the weather"),
    ],
    "the weather in Oslo, and the weather": [("weather", "the weather in Oslo, and the weather")],
    "Hello. Who are you?": [],
    "": [],
}


@each_row("text", list(WANTS))
def test_a_request_is_cut_by_its_tools(text: str) -> None:
    assert wants_of(text, tool_of) == [Want(*want) for want in WANTS[text]]


def test_long_requests_are_cut_within_bounds() -> None:
    assert len(wants_of("the weather in Oslo. A table in Rome. " * 500, tool_of)) == MOST_WANTS
    assert len(one_by_one("in " + " and ".join(f"City{number}" for number in range(500)), [])) == MOST_WANTS


TOOLS = [tool.shown for tool in bundled().tools]


@cache
def service() -> Service:
    return Service(Replay())


def errors(entity: str, request: Json, response: Json) -> list[str]:
    found = ENTITIES[entity]({"request": request, "response": response})
    return [f"{each.rule} {each.pointer} {each.message}" for each in found if each.severity == "error"]


def asked_for(text: str, names: list[str], **more: Any) -> list[tuple[str, Json]]:
    tools = [tool for tool in TOOLS if tool["function"]["name"] in names]
    assert len(tools) == len(names)
    request = {"model": "m", "messages": [{"role": "user", "content": text}], "tools": tools, **more}
    response = orjson.loads(service().chat(request).body)
    assert errors("openai-response", request, response) == []
    calls = response["choices"][0]["message"].get("tool_calls") or ()
    return [(call["function"]["name"], json.loads(call["function"]["arguments"])) for call in calls]


TWO = ["get_current_weather", "reserve_table"]
SEVERAL: dict[str, tuple[str, list[str], list[str]]] = {
    "rows of the domain": ("What's the weather in Oslo and Porto?", TWO, ["get_current_weather"] * 2),
    "three": ("Weather in Oslo, Porto, and Rome please", TWO, ["get_current_weather"] * 3),
    "small letters": ("weather in oslo and porto", TWO, ["get_current_weather"] * 2),
    "two tools": ("Reserve a table for 4 at Luigi and tell me the weather in Oslo", TWO, [*reversed(TWO)]),
    "both": ("Reserve a table at Luigi. What's the weather in Oslo and Porto?", TWO, [TWO[1], TWO[0], TWO[0]]),
    "asked twice": ("What's the weather in Oslo? And what is the weather in Porto?", TWO, ["get_current_weather"] * 2),
    "one, in two clauses": ("Reserve a table at Luigi, and the table is for 4", TWO, ["reserve_table"]),
    "one": ("What's the weather in Oslo, Norway?", TWO, ["get_current_weather"]),
}


@each_row("asked", list(SEVERAL))
def test_several_things_are_several_calls(asked: str) -> None:
    text, names, expected = SEVERAL[asked]
    made = asked_for(text, names)
    assert [name for name, _ in made] == expected
    for name, place in (("get_current_weather", "oslo"), ("get_current_weather", "porto"), ("reserve_table", "luigi")):
        told = [call for call in made if call[0] == name and place in json.dumps(call[1]).casefold()]
        assert len(told) == (place in text.casefold())
    assert len(asked_for(text, names, parallel_tool_calls=False)) == 1


def test_a_strict_tool_is_called_alone() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    for strict in (False, True):
        function = {"name": "look_up", "parameters": {**schema, "additionalProperties": False}, "strict": strict}
        request = {"model": "m", "tools": [{"type": "function", "function": function}], "tool_choice": "required",
                   "messages": [{"role": "user", "content": "Look up Oslo and Porto"}]}  # fmt: skip
        calls = orjson.loads(service().chat(request).body)["choices"][0]["message"]["tool_calls"]
        cities = [json.loads(call["function"]["arguments"])["city"] for call in calls]
        assert cities == (["Oslo"] if strict else ["Oslo", "Porto"])


FOLDERS = (
    "adm_spec anthropic_cookbook bfcl bfcl_multi_turn gemini_cookbook github_mcp mcp_reference openai_sdk openapi "
    "playwright_mcp tau2"
).split()
TEXTS = ("Please do it for Oslo and Porto, 3 times, by 2026-02-03", "Ask 'Ann Lee' and ann@example.com; then go on")
_SAMPLED = 300


@pytest.mark.slow
@needs_shared
def test_tools_of_the_wild_are_called_by_their_schemas() -> None:
    found = [
        tool.shown
        for folder in FOLDERS
        for tool in load_catalog([SHARED / "corpus" / folder], skip_invalid=True, on_conflict="source").catalog.tools
    ]
    assert len(found) > _SAMPLED
    several = 0
    for number, tool in enumerate(stream(7, "sampled").sample(found, _SAMPLED)):
        request = {"model": "m", "messages": [{"role": "user", "content": TEXTS[number % len(TEXTS)]}],
                   "tools": [tool], "tool_choice": "required"}  # fmt: skip
        response = orjson.loads(service().chat(request).body)
        assert errors("openai-response", request, response) == []  # the schemas are among the rules
        calls = response["choices"][0]["message"]["tool_calls"]
        assert {call["function"]["name"] for call in calls} == {tool["function"]["name"]}
        several += len(calls) > 1
    assert several > 0


HOSTILE: dict[str, Json] = {
    "nothing fits": {"type": "object", "required": ["a"], "properties": {"a": False}},
    "at odds": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "enum": ["x"]}}},
    "bounds crossed": {"type": "object", "required": ["a"],
                       "properties": {"a": {"type": "integer", "minimum": 5, "maximum": 4}}},
    "not itself": {"type": "object", "not": {}},
    "endless": {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#"}}},
    "to itself": {"type": "object", "properties": {"a": {"$ref": "#/properties/a"}}, "required": ["a"]},
    "to nowhere": {"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}, "required": ["a"]},
    "elsewhere": {"type": "object", "properties": {"a": {"$ref": "https://example.com/a.json"}}, "required": ["a"]},
    "very long": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "minLength": 10**9}}},
    "very many": {"type": "object", "required": ["a"], "properties": {"a": {"type": "array", "minItems": 10**9}}},
    "a slow pattern": {"type": "object", "required": ["a"],
                       "properties": {"a": {"type": "string", "pattern": "^(a+)+$", "minLength": 40}}},
    "no pattern": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "pattern": "("}}},
    "no object": {"type": "string"},
    "properties of no object": {"type": "object", "properties": [1]},
    "odd keys": {"type": "object", "properties": {"": {"type": "string"}, "\x00": {}, "a/~b": {"const": 1}},
                 "required": ["", "\x00", "a/~b"]},
    "no schema": {"type": 5},
}  # fmt: skip


def answered(request: Json) -> Json:
    """The response to a request, or the status of its refusal."""
    try:
        return orjson.loads(service().chat(request).body)
    except Refusal as refused:
        return refused.status if refused.message else 500


@each_row("schema", list(HOSTILE))
def test_a_hostile_schema_is_answered_or_refused(schema: str) -> None:
    function = {"name": "do_it", "parameters": HOSTILE[schema]}
    for choice in ("required", "auto"):
        request = {"model": "m", "messages": [{"role": "user", "content": "Do it for Oslo and Porto"}],
                   "tools": [{"type": "function", "function": function}], "tool_choice": choice}  # fmt: skip
        reply = answered(request)
        assert reply == 400 or errors("openai-response", request, reply) == []
