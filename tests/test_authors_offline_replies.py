"""Replies: results told as a person would, failures told honestly, every value from the data."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.assets import asset_folder
from generator.authors.author import NoDraft
from generator.authors.offline.participles import participle
from generator.authors.offline.replies import write_reply
from generator.authors.offline.replies_actions import action_of
from generator.authors.offline.replies_values import say_value
from generator.formats.tool_files import load_catalog
from generator.job import Job
from generator.records.calls import ERROR_TYPES, Draft, Exchange
from generator.results import synthesize_results
from generator.scenarios.planner import Planner
from tests.replies_fixtures import answered, failure, make_scenario, make_tool, success

SNAKE = re.compile(r"\b[a-z]+_[a-z_]+\b")
CITY = {"city": {"type": "string"}}
WEATHER = make_tool("get_current_weather", "Get the current weather in a city.", properties=CITY, required=("city",))
SEARCH = make_tool("search_flights", "Search flights between two cities.", properties=CITY, required=("city",))
BOOK = make_tool("book_room", "Book a hotel room in a city.", properties=CITY, required=("city",))
SENTENCES = range(40)


def reply(*calls: Any, seed: int = 1) -> str:
    return write_reply(*answered(*calls, seed=seed))


def replies(*calls: Any) -> list[str]:
    return [reply(*calls, seed=seed) for seed in SENTENCES]


TOLD: list[tuple[Any, dict[str, Any], Any, tuple[str, ...]]] = [
    (
        WEATHER,
        {"city": "Rome"},
        {"city": "Rome", "condition": "sunny", "temperature_celsius": 21},
        ("sunny", "Rome", "21°C"),
    ),
    (WEATHER, {"city": "Rome"}, {"message": "Expect rain in Rome"}, ("Expect rain in Rome.",)),
    (SEARCH, {"city": "Rome"}, {"flights": [{"name": "AZ1"}, {"name": "AZ2"}]}, ("2 flights", "AZ1", "AZ2")),
    (SEARCH, {"city": "Rome"}, [{"name": "AZ1", "price": 120.5, "currency": "USD"}], ("one ", "AZ1", "$120.50")),
    (SEARCH, {"city": "Rome"}, {"flights": [{"name": f"F{n}"} for n in range(9)]}, ("9 flights", "F0", "F3")),
    (SEARCH, {"city": "Rome"}, ["red", "blue"], ("red and blue",)),
    (
        BOOK,
        {"city": "Rome"},
        {"booking_id": "B7", "status": "waitlisted"},
        ("booked a hotel room in Rome", "B7", "waitlisted"),
    ),
    (BOOK, {"city": "Rome"}, True, ("booked a hotel room in Rome",)),
    (BOOK, {"city": "Rome"}, None, ("booked a hotel room in Rome",)),
    (BOOK, {"city": "Rome"}, {"success": False}, ("didn't take effect",)),
    (make_tool("calculate_area", "Calculate the area of a circle."), {}, 12.5, ("12.5",)),
    (make_tool("get_user_id"), {}, {"user_id": "u9", "status": "closed"}, ("user ID is u9",)),
    (make_tool("check_valid"), {}, {"valid": True}, ("Yes",)),
    (make_tool("check_valid"), {}, False, ("o",)),
    (make_tool("get_current_time"), {}, {"current_time": "2026-03-04T15:05:00Z"}, ("March 4, 2026 at 3:05 PM",)),
    (make_tool("get_order_status"), {"order_id": "W1"}, {"status": "out_for_delivery"}, ("out for delivery", "W1")),
    (make_tool("get_text"), {}, "All is well.", ("All is well.",)),
    (make_tool("get_thing"), {}, {"data": {"title": "Ulysses", "pages": 730}}, ("Ulysses", "730 pages")),
]


@pytest.mark.parametrize(("tool", "arguments", "content", "expected"), TOLD)
def test_results_are_told_with_what_matters(
    tool: Any, arguments: dict[str, Any], content: Any, expected: tuple[str, ...]
) -> None:
    for text in replies(success(tool, arguments, content)):
        assert [part for part in expected if part not in text] == [], text
        assert not SNAKE.search(text)
        assert not re.search(r"[{}]|\bNone\b|\bTrue\b|\bFalse\b", text)


@pytest.mark.parametrize("content", [[], {}, {"flights": []}, {"flights": [], "total": 0}, None, ""])
def test_an_empty_result_is_told_as_nothing_found(content: Any) -> None:
    for text in replies(success(SEARCH, {"city": "Rome"}, content)):
        assert re.search(r"\bno\b|couldn't find any|[Nn]o flights|There are no", text), text
        assert "flights" in text


@pytest.mark.parametrize("error_type", ERROR_TYPES)
def test_an_error_is_told_with_its_message_and_a_remedy(error_type: str) -> None:
    texts = replies(failure(WEATHER, {"city": "Rome"}, error_type, "The city_name 'Rome' is odd"))
    for text in texts:
        assert "The city name 'Rome' is odd." in text
        assert len(text) > len("The city name 'Rome' is odd.") + 20
        assert error_type not in text
    assert len(set(texts)) >= 8


def test_errors_of_different_types_have_different_remedies() -> None:
    ends = {
        kind: {text.split(" odd. ")[1] for text in replies(failure(WEATHER, {}, kind, "It is odd"))}
        for kind in ERROR_TYPES
    }
    for kind, remedies in ends.items():
        assert len(remedies) >= 3
        for other, others in ends.items():
            assert kind == other or not remedies & others


def test_parallel_results_are_told_in_order_and_tied_to_their_arguments() -> None:
    calls = [
        success(WEATHER, {"city": city}, {"temperature_celsius": degrees})
        for city, degrees in (("Rome", 21), ("Oslo", 4))
    ]
    for text in replies(*calls):
        places = [text.index(part) for part in ("Rome", "21°C", "Oslo", "4°C")]
        assert max(places[:2]) < min(places[2:]), text


def test_a_partial_failure_tells_what_worked_and_what_did_not() -> None:
    good = success(WEATHER, {"city": "Rome"}, {"temperature_celsius": 21})
    bad = failure(WEATHER, {"city": "Oslo"}, "SERVICE_UNAVAILABLE", "The service is down")
    for text in replies(good, bad):
        assert "21°C" in text
        assert "he service is down." in text
        assert text.index("21°C") < text.index("Oslo")


def test_when_all_fail_it_says_so() -> None:
    bad = [failure(WEATHER, {"city": city}, "SERVICE_UNAVAILABLE", "The service is down") for city in ("Rome", "Oslo")]
    for text in replies(*bad):
        assert re.match(r"None of that|Unfortunately all|I couldn't get any|Sorry, none", text)


def test_a_frame_is_preferred_where_all_its_slots_have_values() -> None:
    framed = make_tool("get_current_weather", "Get it.", ("{city} has {degrees} degrees[ and {wind} of wind].",), CITY)
    assert reply(success(framed, {"city": "Rome"}, {"degrees": 21})) == "Rome has 21 degrees."
    assert reply(success(framed, {"city": "Rome"}, {"degrees": 1})) == "Rome has 1 degree."
    assert "has" not in reply(success(framed, {"city": "Rome"}, {"heat": 21})).split()


FRAMES: list[tuple[str, dict[str, Any], str]] = [
    ("{x.count} things: {x.*.name}.", {"x": [{"name": "a"}, {"name": "b"}]}, "2 things: a and b."),
    ("{x.0.name} costs ${x.0.price}.", {"x": [{"name": "a", "price": 1234.5}]}, "A costs $1,234.50."),
    ("{ok?It worked|It failed}.", {"ok": False}, "It failed."),
    ("It is {state}.", {"state": "on_time"}, "It is on time."),
    ("On {day}.", {"day": "2026-03-04"}, "On March 4, 2026."),
    ("({x} or so|around {x}).", {"x": 5}, "(5 or so|around 5)."),
]


@pytest.mark.parametrize(("frame", "content", "expected"), FRAMES)
def test_reply_frames(frame: str, content: dict[str, Any], expected: str) -> None:
    text = reply(success(make_tool("get_x", "Get it.", (frame,)), {}, content))
    assert text == expected or (frame.startswith("(") and text.rstrip(".") in ("5 or so", "Around 5"))


def test_parallel_calls_use_different_frames() -> None:
    framed = make_tool("get_x", "Get it.", ("A {n}.", "B {n}.", "C {n}."), {"n": {"type": "integer"}})
    text = reply(*[success(framed, {"n": n}, {"n": n}) for n in (11, 12, 13)])
    assert {letter for letter in "ABC" if f"{letter} 1" in text} == set("ABC")


def test_the_reply_depends_on_the_seed_alone() -> None:
    call = success(WEATHER, {"city": "Rome"}, {"temperature_celsius": 21, "humidity": 4})
    assert reply(call, seed=5) == reply(call, seed=5)
    assert len(set(replies(call))) >= 3


def test_without_a_result_there_is_no_reply() -> None:
    with pytest.raises(NoDraft):
        write_reply(make_scenario((WEATHER,)), (Exchange(Draft(request="Hello")),))


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abcdeinostu_", min_size=1, max_size=12), inner, max_size=5)
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(content=JSON, family=st.sampled_from(["get_x", "search_items", "create_item", "calculate_sum", "is_open", ""]))
def test_any_json_is_told(content: Any, family: str) -> None:
    text = reply(success(make_tool(family or "x"), {"name": "Ana"}, content))
    assert text.strip()


VALUES = [
    ("price", 12.5, {"currency": "EUR"}, "€12.50"),
    ("price", 1200, {"currency": "SEK"}, "1,200 SEK"),
    ("amount_usd", 5, {}, "$5"),
    ("humidity_percent", 45, {}, "45%"),
    ("distance_km", 1.5, {}, "1.5 km"),
    ("duration_minutes", 1, {}, "1 minute"),
    ("temperature", 21, {"unit": "celsius"}, "21°C"),
    ("year", 20260, {}, "20260"),
    ("views", 20260, {}, "20,260"),
    ("departure", "07:05", {}, "7:05 AM"),
    ("created_at", "2026-03-04T00:30:00Z", {}, "March 4, 2026 at 12:30 AM"),
    ("date", "2026-02-31", {}, "2026-02-31"),
    ("status", "IN_PROGRESS", {}, "in progress"),
    ("file_name", "my_file", {}, "my_file"),
    ("tags", ["a", "b", "c"], {}, "a, b and c"),
]


@pytest.mark.parametrize(("key", "value", "beside", "expected"), VALUES)
def test_values_are_said_in_human_form(key: str, value: Any, beside: dict[str, Any], expected: str) -> None:
    assert say_value(key, value, beside) == expected


@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        ("book", "booked"),
        ("send", "sent"),
        ("create", "created"),
        ("modify", "modified"),
        ("play", "played"),
        ("unfreeze", "unfrozen"),
        ("scroll", "scrolled"),
        ("drag", "dragged"),
    ],
)
def test_participles(verb: str, expected: str) -> None:
    assert participle(verb) == expected


ACTIONS = [
    ("get_weather", "Gets the current weather for a specified location.", "get the current weather"),
    ("book_hotel", "Book a hotel room given the location and dates", "book the hotel room"),
    ("search_x", "Search for recipes by ingredient.", "search for the recipes"),
    ("create_or_update_file", "Create or update a single file in a repository", "create the single file"),
    ("list_tasks", "List the tasks on the user's to-do list.", "list the tasks"),
]


@pytest.mark.parametrize(("name", "description", "phrase"), ACTIONS)
def test_actions_are_read_from_descriptions(name: str, description: str, phrase: str) -> None:
    assert action_of(name, description).phrase == phrase


def _values(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(_values(entry) for entry in value.values())
    if isinstance(value, list):
        return " ".join(_values(entry) for entry in value) + f" {len(value)}"
    if isinstance(value, float):
        return f"{value:,.2f} {value:g} {value:,}"
    if isinstance(value, int):
        return f"{value:,} {value}"
    return f"{value} {say_value('', value, {})}"


def test_every_number_of_a_reply_over_the_bundled_tools_comes_from_the_data() -> None:
    catalog = load_catalog([asset_folder("tool_specs")]).catalog
    planner = Planner(Job(seed=3, mix={"simple": 1, "parallel": 1}), catalog)
    checked = 0
    for index in range(150):
        scenario = planner.plan(index, 0)
        if not scenario.calls:
            continue
        step = scenario.steps[0]
        draft = Draft.model_validate(
            {"request": "x", "calls": [{"name": call.tool.name, "arguments": call.arguments} for call in step.calls]}
        )
        results = synthesize_results(scenario, draft, step)
        text = write_reply(scenario, (Exchange(draft, results),))
        known = " ".join(
            [_values(call.arguments) for call in step.calls]
            + [_values(result.content) + " " + result.error_message for result in results]
        )
        numbers = re.findall(r"\d[\d,.:]*\d|\d", text.replace("out of 5", ""))
        assert [number for number in numbers if number not in known] == [], (text, known)
        assert not SNAKE.search(text.replace("evt_", ""))
        checked += 1
    assert checked > 100


REPO = {"owner": {"type": "string"}, "repo": {"type": "string"}}
ISSUE = {"owner": "kim", "repo": "docs", "issue_number": 7}
RECOUNTED: list[tuple[Any, dict[str, Any], Any, str]] = [
    (
        make_tool(
            "update_issue_title",
            "Update the title of an existing issue.",
            properties={**REPO, "issue_number": {"type": "integer"}, "title": {"type": "string"}},
        ),
        {**ISSUE, "title": "Broken link"},
        {"status": "updated"},
        'I\'ve updated the title of issue 7 to "Broken link" in kim/docs.',
    ),
    (make_tool("toggle_data", "Toggles your phone's mobile data ON or OFF."), {}, {"state": "off"},
     "Your phone's mobile data is now off."),
    (make_tool("turn_on_lights", "Turn on the lights."), {}, {"state": "on"}, "The lights are now on."),
    (make_tool("unfreeze_card", "Unfreeze the card."), {}, {"status": "unfrozen"}, "I've unfrozen the card."),
    (make_tool("check_mms", "Check if the default app can send messages."), {}, {"result": False},
     "No, the default app cannot send messages."),
    (
        make_tool(
            "distance",
            "Calculate the distance between two cities.",
            properties={"origin": {"type": "string"}, "destination": {"type": "string"}},
        ),
        {"origin": "Rome", "destination": "Oslo"},
        {"distance": 2008, "unit": "km"},
        "The distance between Rome and Oslo is 2008 km.",
    ),
    (make_tool("get_phrase", "Get the phrase of the day."), {}, {"id": "P-1", "text": "Well begun", "author": "Ana"},
     'Here it is: "Well begun" (by Ana).'),
    (make_tool("start_engine", "Start the engine."), {}, {"state": "off"}, "I've started the engine."),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "content", "expected"), RECOUNTED)
def test_answers_speak_in_the_words_of_the_request(
    tool: Any, arguments: dict[str, Any], content: Any, expected: str
) -> None:
    for text in replies(success(tool, arguments, content)):
        assert re.sub(r"^(Done! |All set: |That's done\. )", "", text) == expected


def test_deeds_of_one_kind_are_told_in_one_sentence() -> None:
    star = make_tool("star_repository", "Star a repository.", properties=REPO)
    calls = [success(star, {"owner": "kim", "repo": name}, {"status": "starred"}) for name in ("docs", "site")]
    for text in replies(*calls):
        assert text.endswith("I've starred the kim/docs repository and the kim/site repository.")


def test_an_answer_opens_once() -> None:
    tools = [
        success(make_tool(f"{verb}_card", f"{verb.capitalize()} the card."), {}, {"status": "done"})
        for verb in ("freeze", "order", "cancel")
    ]
    for text in replies(*tools):
        assert len(re.findall(r"Done!|All set:|That's done\.", text)) <= 1


def test_a_failure_names_what_was_tried() -> None:
    tool = RECOUNTED[0][0]
    bad = failure(tool, {**ISSUE, "title": "Broken link"}, "PERMISSION_DENIED", "Access denied")
    told = [text for text in replies(bad) if "update" in text]
    assert told
    for text in told:
        assert 'update the title of issue 7 to "Broken link" in kim/docs' in text
