"""What is claimed where the right tool has to be chosen, and what the check of each kind refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from generator.tools import Tool
from tests.kind_records import Json, by_lists_of_words, calls, complaints, records_of, turns
from tests.record_examples import FIRST, call, result
from tests.tables import each_row
from tests.test_validation_kinds_clarifying import GIVEN, talk

KINDS = ("similar_tools", "missing_function")
COUNT = 12


def tool(name: str, description: str, required: tuple[str, ...] = ("city",), **types: str) -> Json:
    """A tool whose parameters have these types."""
    properties = {each: {"type": kind, "description": each} for each, kind in types.items()}
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


NOW = tool("get_current_weather", "Get the current weather in a city.", city="string")
FORECAST = tool(
    "get_weather_forecast", "Get the weather forecast of a city.", ("city", "days"), city="string", days="integer"
)
HISTORY = tool("get_weather_history", "Get the past weather of a city.", city="string")
TWIN = tool("fetch_current_weather", "Fetch the current weather at a place.", ("place",), place="string")
CLOCK = tool("get_time", "Tell the time.", city="string")


def asked(request: str, arguments: Any, *tools: Json) -> Json:
    """A record of one call of the first tool."""
    name = tools[0]["function"]["name"]
    return {
        "messages": [
            {"role": "user", "content": request},
            {"role": "assistant", "content": "", "tool_calls": [call(FIRST, name, arguments)]},
            result(FIRST, name, "{}"),
            {"role": "assistant", "content": "Fine."},
        ],
        "tools": list(tools),
        "metadata": {"kind": "similar_tools"},
    }


SET = tool("update_weather", "Update the weather of a city.", city="string")
GET = tool("get_weather", "Get the weather of a city.", city="string")

OSLO = {"city": "Oslo"}
KEPT = [
    asked("How is the weather in Oslo?", OSLO, NOW, FORECAST),
    asked("What's the current weather in Oslo?", OSLO, NOW, HISTORY, FORECAST),
    asked("What will Oslo be like for 3 days?", {"city": "Oslo", "days": 3}, FORECAST, NOW),
]
KEPT += [
    asked("Change the weather of Oslo.", OSLO, SET, GET),
    asked("Get me the weather of Oslo.", OSLO, GET, SET),
]
BROKEN = [
    ("a deed is said and a look-up called", asked("Change the weather of Oslo.", OSLO, GET, SET)),
    ("a look-up is said and a deed called", asked("Get me the weather of Oslo.", OSLO, SET, GET)),
    ("a twin takes the same call", asked("How is the weather in Oslo?", OSLO, NOW, HISTORY)),
    ("a twin does the same under other names", asked("What's the current weather in Oslo?", OSLO, NOW, TWIN)),
    ("the words speak for the twin", asked("What's the weather history of Oslo?", OSLO, NOW, HISTORY)),
    ("no twin is shown", asked("What's the current weather in Oslo?", OSLO, NOW, CLOCK)),
    ("nothing else is shown", asked("What's the current weather in Oslo?", OSLO, NOW)),
]
SYSTEM = {"role": "system", "content": "You help. The function book_table is not available yet."}


def lacking(wish: str, answer: str, enabling: str, *, function: str = "book_table", system: Json = SYSTEM) -> Json:
    """A missing_function record of one table."""
    record = talk("missing_function", {"function": function}, (wish, answer, enabling), dict(GIVEN))
    record["messages"].insert(0, system)
    return record


WISH = "Book a table for 4 at Juniper on March 5."
CANNOT = "I'm sorry, I can't book tables yet."
NOW_ON = "I've switched it on."
LACKING_KEPT = [lacking(WISH, CANNOT, NOW_ON), lacking(WISH, "I'm not able to do that.", "Access is granted now.")]
LACKING_BROKEN = [
    ("it does not say so", lacking(WISH, "Sure, in a moment.", NOW_ON)),
    ("nobody makes it available", lacking(WISH, CANNOT, "Please try again.")),
    ("it claims another function", lacking(WISH, CANNOT, NOW_ON, function="get_time")),
    ("nothing takes it away", lacking(WISH, CANNOT, NOW_ON, system={"role": "system", "content": "You help."})),
    ("the call is about something else", lacking("Book a table somewhere.", CANNOT, NOW_ON)),
    ("it was available all the time", lacking(f"{WISH} You have access.", CANNOT, NOW_ON)),
]


@pytest.mark.parametrize("record", [*KEPT, *LACKING_KEPT], ids=lambda record: record["messages"][0]["content"])
def test_records_written_by_hand_keep_their_claim(record: Json) -> None:
    assert complaints(record) == []


@each_row(("why", "record"), [*BROKEN, *LACKING_BROKEN], ids=lambda each: each if isinstance(each, str) else "")
def test_records_written_by_hand_break_it(why: str, record: Json) -> None:
    assert complaints(record), why


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_keeps_its_claim(kind: str) -> None:
    records = records_of(kind, COUNT)
    assert len(records) == COUNT
    assert [complaints(record) for record in records] == [[]] * COUNT


def _shows_one_tool(record: Json) -> None:
    called = calls(record)[0]["name"]
    record["tools"] = [tool for tool in record["tools"] if tool["function"]["name"] == called]


def _shows_the_same_twice(record: Json) -> None:
    called = calls(record)[0]["name"]
    twin = next(tool["function"] for tool in record["tools"] if tool["function"]["name"] == called)
    shown = Tool(name=f"{called}_2", description=twin["description"], parameters=twin["parameters"], result_schema={},
                 result_origin="domain").shown  # fmt: skip
    record["tools"].append(shown)


def _shows_something_else(record: Json) -> None:
    _shows_one_tool(record)
    record["tools"].append(tool("sing_song", "Sing it.", song="string"))


def _calls_twice(record: Json) -> None:
    for message in record["messages"]:
        message["tool_calls"] = message.get("tool_calls", []) * 2


def _system_says_nothing(record: Json) -> None:
    turns(record, "system")[0]["content"] = "You help."


def _assistant_agrees(record: Json) -> None:
    turns(record, "assistant")[0]["content"] = "Of course."


def _stays_unavailable(record: Json) -> None:
    turns(record, "user")[1]["content"] = "Well, try it."


def _wishes_nothing(record: Json) -> None:
    for argument in calls(record)[0]["arguments"]:
        calls(record)[0]["arguments"][argument] = "Xyzzy"
    calls(record)[0]["arguments"]["more"] = "Xyzzy"


def _without_claim(record: Json) -> None:
    record["metadata"]["claim"] = {}


def _calls_at_once(record: Json) -> None:
    record["messages"] = [message for message in record["messages"] if message not in turns(record, "assistant")[:1]]


MUTATIONS: list[tuple[str, Callable[[Json], None]]] = [
    *(("similar_tools", mutate) for mutate in (
        _shows_one_tool, _calls_twice)),
    *(("missing_function", mutate) for mutate in (
        _system_says_nothing, _assistant_agrees, _stays_unavailable, _wishes_nothing, _without_claim, _calls_at_once)),
]  # fmt: skip
BY_WORDS: list[tuple[str, Callable[[Json], None]]] = [
    ("similar_tools", _shows_the_same_twice), ("similar_tools", _shows_something_else)
]  # fmt: skip
MANY = 24


def test_a_near_twin_is_one_by_the_word_of_the_domain_file_whoever_wrote_the_texts() -> None:
    """What the tools are is known from their domain, where lists of words find half of the twins unlike."""
    unlike = "shows a near twin"
    records = records_of("similar_tools", MANY)
    for record in records:
        record["metadata"]["author"] = "llm"
        assert not any(unlike in each for each in complaints(record))
    for record in records:
        record["metadata"]["claim"]["near"] = ["nothing_shown"]
    assert any(unlike in each for record in records for each in complaints(record))
    for record in records:
        record["metadata"]["claim"]["near"] = [each["function"]["name"] for each in record["tools"]]
        record["metadata"]["domain"] = "derived"
    assert any(unlike in each for record in records for each in complaints(record))


@pytest.mark.parametrize(("kind", "mutate"), MUTATIONS, ids=lambda value: getattr(value, "__name__", value).strip("_"))
def test_a_broken_claim_is_refused(kind: str, mutate: Callable[[Json], None]) -> None:
    for record in records_of(kind, COUNT):
        mutate(record)
        assert complaints(record), [message["content"] for message in record["messages"]]


@pytest.mark.parametrize(("kind", "mutate"), BY_WORDS, ids=lambda value: getattr(value, "__name__", value).strip("_"))
def test_words_that_break_a_claim_are_refused_unless_a_domain_has_them(
    kind: str, mutate: Callable[[Json], None]
) -> None:
    """Lists of words judge what others wrote; what a domain file has for the very kind is taken at its word."""
    trusted = records_of(kind, MANY)
    for record in trusted:
        mutate(record)
    assert not all(map(complaints, trusted))
    records = by_lists_of_words(records_of(kind, MANY))
    assert records
    for record in records:
        mutate(record)
        assert complaints(record), [message["content"] for message in record["messages"]]
