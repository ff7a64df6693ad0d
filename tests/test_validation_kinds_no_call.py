"""What records without a call claim, and what the check of each refuses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from generator.tools import Tool
from generator.validation.kinds.topics import why_it_may_fit
from generator.validation.tool_view import tool_view
from tests.bundled import bundled
from tests.kind_records import Json, complaints, records_of, turns
from tests.record_examples import FIRST, call, result
from tests.tables import each_row

KINDS = ("irrelevance", "no_tools", "chitchat")
COUNT = 20


def shown(name: str) -> Json:
    """A bundled tool as records show it."""
    return next(tool.shown for tool in bundled().tools if tool.name == name)


def talk(kind: str, request: str, reply: str, *names: str) -> Json:
    """A record of one request and one reply."""
    said = [{"role": "user", "content": request}, {"role": "assistant", "content": reply}]
    return {"messages": said, "tools": [shown(name) for name in names], "metadata": {"kind": kind}}


SORRY = "I'm afraid I can't do that."
KEPT = [
    talk("irrelevance", "When is the next train to Lyon?", SORRY, "get_air_quality", "add_task"),
    talk("irrelevance", "Walk my dog tomorrow.", SORRY, "convert_currency"),
    talk("no_tools", "What's the capital of Peru?", "The capital of Peru is Lima."),
    talk("no_tools", "Book me a flight to Oslo.", "I'm afraid I can't book flights."),
    talk("no_tools", "What does \"inflation\" mean?", "It means that prices rise over time."),
    talk("chitchat", "Hi there, how are you today?", "I'm fine, thank you!", "get_current_weather"),
    talk("chitchat", "Thanks, you were great.", "My pleasure!", "search_flights", "send_email"),
]  # fmt: skip
BROKEN = [
    ("a tool fits", talk("irrelevance", "Will it rain in Lyon tomorrow?", SORRY, "add_task", "get_weather_forecast")),
    ("a tool fits", talk("irrelevance", "How warm is it in Lyon?", SORRY, "get_current_weather")),
    ("a tool fits", talk("irrelevance", "Find me a plane to Oslo.", SORRY, "search_flights")),
    ("a tool fits", talk("irrelevance", "Send Tom a mail.", SORRY, "send_email", "get_air_quality")),
    ("a tool fits", talk("irrelevance", "Get us a table for two at a bistro.", SORRY, "reserve_table")),
    ("a tool fits", talk("irrelevance", "Where is my courier?", SORRY, "track_parcel")),
    ("a tool fits", talk("irrelevance", "How much is 5 euro in yen?", SORRY, "convert_currency")),
    ("no tool is shown", talk("irrelevance", "Walk my dog tomorrow.", SORRY)),
    ("a tool is shown", talk("no_tools", "What's the capital of Peru?", "The capital of Peru is Lima.", "add_task")),
    ("it pretends", talk("no_tools", "Book me a flight to Oslo.", "Done! I've booked flight SK12.")),
    ("it makes something up", talk("no_tools", "Will it rain in Oslo tomorrow?", "Yes, all day long.")),
    ("no tool is shown", talk("chitchat", "Hi there, how are you?", "I'm fine, thank you!")),
    ("a tool is needed", talk("chitchat", "Hi, what's the weather in Rome?", "Sunny!", "get_current_weather")),
    ("a tool is needed", talk("chitchat", "Thanks! Turn on the lamp now.", "Sure.", "control_light")),
    ("nobody is sociable", talk("chitchat", "Explain tax law.", "Gladly.", "get_current_weather")),
    ("it pretends", talk("chitchat", "Thanks, bye!", "Done, I've sent it.", "send_email")),
]


@pytest.mark.parametrize("record", KEPT, ids=lambda record: record["messages"][0]["content"])
def test_records_written_by_hand_keep_their_claim(record: Json) -> None:
    assert complaints(record) == []


@each_row(("why", "record"), BROKEN, ids=lambda value: value if isinstance(value, str) else "")
def test_records_written_by_hand_break_it(why: str, record: Json) -> None:
    assert complaints(record), why


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_keeps_its_claim(kind: str) -> None:
    records = records_of(kind, COUNT)
    assert len(records) == COUNT
    assert [complaints(record) for record in records] == [[]] * COUNT


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


MUTATIONS: list[tuple[str, Callable[[Json], None]]] = [
    *((kind, mutate) for kind in KINDS for mutate in (_calls, _says_nothing)),
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


@each_row(("kind", "mutate"), MUTATIONS, ids=lambda value: getattr(value, "__name__", value).strip("_"))
def test_a_broken_claim_is_refused(kind: str, mutate: Callable[[Json], None]) -> None:
    for record in records_of(kind, COUNT):
        mutate(record)
        assert complaints(record), [message["content"] for message in record["messages"]]


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
    record = talk("irrelevance", "Which of my tasks takes longest?", "I can't tell how long tasks take.", "add_task")
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
