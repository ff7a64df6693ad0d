"""What single turns claim: the right tool among others, or no call at all; and what the check of each kind refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from generator.tools import Tool
from generator.validation.kinds.topics import why_it_may_fit
from generator.validation.tool_view import tool_view
from tests.bundled import bundled
from tests.kind_records import Json, calls, complaints, records_of, require_refused_by_words, turns
from tests.record_examples import FIRST, call, result
from tests.test_validation_kinds_clarifying import GIVEN, talk

WITHOUT_CALLS = ("irrelevance", "no_tools", "chitchat")
OFTEN = 20


def shown(name: str) -> Json:
    """A bundled tool as records show it."""
    return next(tool.shown for tool in bundled().tools if tool.name == name)


def reply_to(kind: str, request: str, reply: str, *names: str) -> Json:
    """A record of one request and one reply."""
    said = [{"role": "user", "content": request}, {"role": "assistant", "content": reply}]
    return {"messages": said, "tools": [shown(name) for name in names], "metadata": {"kind": kind}}


SORRY = "I'm afraid I can't do that."
WITHOUT_CALLS_KEPT = [
    reply_to("irrelevance", "When is the next train to Lyon?", SORRY, "get_air_quality", "add_task"),
    reply_to("irrelevance", "Walk my dog tomorrow.", SORRY, "convert_currency"),
    reply_to("no_tools", "What's the capital of Peru?", "The capital of Peru is Lima."),
    reply_to("no_tools", "Book me a flight to Oslo.", "I'm afraid I can't book flights."),
    reply_to("no_tools", "What does \"inflation\" mean?", "It means that prices rise over time."),
    reply_to("chitchat", "Hi there, how are you today?", "I'm fine, thank you!", "get_current_weather"),
    reply_to("chitchat", "Thanks, you were great.", "My pleasure!", "search_flights", "send_email"),
]  # fmt: skip
WITHOUT_CALLS_BROKEN = [
    (
        "a tool fits",
        reply_to("irrelevance", "Will it rain in Lyon tomorrow?", SORRY, "add_task", "get_weather_forecast"),
    ),
    ("a tool fits", reply_to("irrelevance", "How warm is it in Lyon?", SORRY, "get_current_weather")),
    ("a tool fits", reply_to("irrelevance", "Find me a plane to Oslo.", SORRY, "search_flights")),
    ("a tool fits", reply_to("irrelevance", "Send Tom a mail.", SORRY, "send_email", "get_air_quality")),
    ("a tool fits", reply_to("irrelevance", "Get us a table for two at a bistro.", SORRY, "reserve_table")),
    ("a tool fits", reply_to("irrelevance", "Where is my courier?", SORRY, "track_parcel")),
    ("a tool fits", reply_to("irrelevance", "How much is 5 euro in yen?", SORRY, "convert_currency")),
    ("no tool is shown", reply_to("irrelevance", "Walk my dog tomorrow.", SORRY)),
    (
        "a tool is shown",
        reply_to("no_tools", "What's the capital of Peru?", "The capital of Peru is Lima.", "add_task"),
    ),
    ("it pretends", reply_to("no_tools", "Book me a flight to Oslo.", "Done! I've booked flight SK12.")),
    ("it makes something up", reply_to("no_tools", "Will it rain in Oslo tomorrow?", "Yes, all day long.")),
    ("no tool is shown", reply_to("chitchat", "Hi there, how are you?", "I'm fine, thank you!")),
    ("a tool is needed", reply_to("chitchat", "Hi, what's the weather in Rome?", "Sunny!", "get_current_weather")),
    ("a tool is needed", reply_to("chitchat", "Thanks! Turn on the lamp now.", "Sure.", "control_light")),
    ("nobody is sociable", reply_to("chitchat", "Explain tax law.", "Gladly.", "get_current_weather")),
    ("it pretends", reply_to("chitchat", "Thanks, bye!", "Done, I've sent it.", "send_email")),
]


def _calls(record: Json) -> None:
    record["messages"][-1:] = [
        {"role": "assistant", "content": "", "tool_calls": [call(FIRST, "add_task", {"title": "Rest"})]},
        result(FIRST, "add_task", "{}"),
        record["messages"][-1],
    ]


def _says_nothing(record: Json) -> None:
    record["messages"][-1]["content"] = " "


def _shows_what_fits(record: Json) -> None:
    """Show a tool that is described by the very words of the request, one of which tells what it is about."""
    said = turns(record, "user")[0]["content"] = f"It's for my bicycle. {turns(record, 'user')[0]['content']}"
    record["tools"].append(Tool(name="serve", description=said, parameters={"type": "object", "properties": {}},
                                result_schema={}, result_origin="domain").shown)  # fmt: skip


def _shows_nothing(record: Json) -> None:
    record["tools"] = []


def _shows_something(record: Json) -> None:
    record["tools"] = [shown("add_task")]


def _pretends(record: Json) -> None:
    turns(record, "assistant")[0]["content"] = "I've booked it for you."


def _wants_something(record: Json) -> None:
    turns(record, "user")[0]["content"] = f"Please run {record['tools'][0]['function']['name'].replace('_', ' ')}."


OF_WITHOUT_CALLS: list[tuple[str, Callable[[Json], None]]] = [
    *((kind, mutate) for kind in WITHOUT_CALLS for mutate in (_calls, _says_nothing)),
    ("irrelevance", _shows_what_fits),
    ("irrelevance", _shows_nothing),
    ("irrelevance", _wants_something),
    ("no_tools", _shows_something),
    ("no_tools", _pretends),
    ("chitchat", _shows_what_fits),
    ("chitchat", _shows_nothing),
    ("chitchat", _wants_something),
    ("chitchat", _pretends),
]


@pytest.mark.parametrize(
    ("request_text", "fits"),
    [("What's the weather in Oslo?", True), ("Turn off the lamp in the kitchen.", False), ("Call my mother.", False)],
)
def test_a_general_tool_serves_what_needs_no_hands(request_text: str, fits: bool) -> None:
    search = {"type": "function", "function": {"name": "web_search", "description": "Search the web.",
              "parameters": {"type": "object", "properties": {}}}}  # fmt: skip
    assert bool(why_it_may_fit(request_text, tool_view(search))) is fits
    assert not why_it_may_fit("Hello, how are you?", tool_view(search), general=False)


def _near_wish() -> Json:
    """A wish near to what the tools of one domain do, with the word of its file that none of them serves it."""
    record = reply_to(
        "irrelevance", "Which of my tasks takes longest?", "I can't tell how long tasks take.", "add_task"
    )
    record["metadata"] |= {"claim": {"unserved_by": ["add_task"]}, "author": "offline", "domain": "written"}
    return record


def test_what_a_domain_file_says_no_tool_serves_is_taken_at_its_word() -> None:
    assert complaints(_near_wish()) == []


@pytest.mark.parametrize(
    "changed",
    [{"claim": {}}, {"claim": {"unserved_by": ["list_tasks"]}}, {"claim": {"unserved_by": "add_task"}},
     {"domain": "derived"}, {"author": "llm"}],
)  # fmt: skip
def test_nobody_elses_word_is_taken_for_it(changed: Json) -> None:
    record = _near_wish()
    record["metadata"] |= changed
    assert complaints(record)


def test_a_tool_that_the_user_names_is_meant_whatever_a_domain_file_says() -> None:
    record = _near_wish()
    turns(record, "user")[0]["content"] = "Please add the task to call Ben."
    assert complaints(record)


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


@pytest.mark.parametrize(
    "record", [*KEPT, *LACKING_KEPT, *WITHOUT_CALLS_KEPT], ids=lambda record: record["messages"][0]["content"]
)
def test_records_written_by_hand_keep_their_claim(record: Json) -> None:
    assert complaints(record) == []


@pytest.mark.parametrize(
    ("why", "record"),
    [*BROKEN, *LACKING_BROKEN, *WITHOUT_CALLS_BROKEN],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_records_written_by_hand_break_it(why: str, record: Json) -> None:
    assert complaints(record), why


@pytest.mark.parametrize(
    ("kind", "count"), [*((kind, COUNT) for kind in KINDS), *((kind, OFTEN) for kind in WITHOUT_CALLS)]
)
def test_what_is_written_keeps_its_claim(kind: str, count: int) -> None:
    records = records_of(kind, count)
    assert len(records) == count
    assert [complaints(record) for record in records] == [[]] * count


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


@pytest.mark.parametrize(
    ("kind", "mutate"), [*MUTATIONS, *OF_WITHOUT_CALLS], ids=lambda value: getattr(value, "__name__", value).strip("_")
)
def test_a_broken_claim_is_refused(kind: str, mutate: Callable[[Json], None]) -> None:
    for record in records_of(kind, OFTEN if kind in WITHOUT_CALLS else COUNT):
        mutate(record)
        assert complaints(record), [message["content"] for message in record["messages"]]


@pytest.mark.parametrize(("kind", "mutate"), BY_WORDS, ids=lambda value: getattr(value, "__name__", value).strip("_"))
def test_words_that_break_a_claim_are_refused_unless_a_domain_has_them(
    kind: str, mutate: Callable[[Json], None]
) -> None:
    require_refused_by_words(kind, mutate, MANY)
