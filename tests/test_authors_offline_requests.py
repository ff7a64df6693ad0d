"""Requests: what they say, what they never show, and when there is none."""

import re
from datetime import date

import pytest

from generator.authors.author import NoDraft
from generator.authors.offline.requests import write_request
from generator.scenarios.scenario import Persona, PlannedCall, Scenario, Step
from generator.tools.tool import Frames, Tool

IDENTIFIER = re.compile(r"[a-z0-9]_[a-z0-9]|[a-z][A-Z]")


def tool(name, description, frames=(), **properties):
    """Build a tool; a property is its description, or its whole schema."""
    schemas = {
        key: {"type": "string", "description": value} if isinstance(value, str) else value
        for key, value in properties.items()
    }
    return Tool(
        name=name,
        description=description,
        parameters={"type": "object", "properties": schemas, "required": list(schemas)},
        result_schema={},
        result_origin="derived",
        frames=Frames(requests=tuple(frames)),
    )


def write(*calls, seed=0, states_date=False, register="plain"):
    planned = tuple(PlannedCall(*call) for call in calls)
    step = Step(request=True, calls=planned, reply=True)
    scenario = Scenario(
        index=0,
        attempt=0,
        seed=seed,
        kind="simple",
        tools=tuple({call.tool.name: call.tool for call in planned}.values()),
        steps=(step,),
        persona=Persona("user", register),
        locale="en_US",
        reference_date=date(2026, 3, 2),
        states_date=states_date,
    )
    return write_request(scenario, step)


def texts(*calls, seeds=60):
    return {write(*calls, seed=seed) for seed in range(seeds)}


INTEGER = {"type": "integer"}
WEATHER = tool("get_weather", "Get the current weather for a specific city.", city="The city")
PRICE = tool(
    "get_stock_price",
    "Retrieves the closing price of a given company on a specified date.",
    company_name="Name of the company",
    date={"type": "string", "format": "date"},
)
ORDER = tool("cancel_order", "Cancel a pending order.", order_id="The order's ID", reason="Reason for cancelling")
TRIANGLE = tool(
    "area",
    "Calculate the area of a triangle given its base and height.",
    base={"type": "number", "description": "Base in meters"},
    height={"type": "number", "description": "Height in meters"},
)
ISSUE = tool(
    "issue_read",
    "Get information about a specific issue in a GitHub repository.",
    method={"type": "string", "enum": ["get", "get_labels"], "description": "What to read"},
    owner="Repository owner",
    repo="Repository name",
    issue_number={"type": "integer", "description": "The number of the issue"},
)
HOTEL = tool(
    "book_hotel",
    "Book a room in a hotel.",
    hotel_name="Name of the hotel",
    room_type={"type": "string", "enum": ["single", "executive_suite"], "description": "Type of room"},
    nights={"type": "integer", "description": "Number of nights"},
    breakfast={"type": "boolean", "description": "Whether to include breakfast"},
)
DISTANCE = tool("distance", "Find the distance between two cities.", city1="First city", city2="Second city")
FLIGHTS = tool(
    "search", "Searches for flights from one city to another.", origin="Origin city", destination="Destination city"
)


@pytest.mark.parametrize(
    ("call", "pattern"),
    [
        ((WEATHER, {"city": "Paris"}), r"current weather (for|in) Paris"),
        ((PRICE, {"company_name": "Apple", "date": "2026-03-14"}), r"closing price of Apple on (14 )?Mar"),
        ((ORDER, {"order_id": "W1", "reason": "too late"}), r"[Cc]ancel pending order W1.*too late"),
        ((TRIANGLE, {"base": 6, "height": 10.5}), r"(base of|base is) 6 meters.*10\.5 meters"),
        (
            (ISSUE, {"method": "get_labels", "owner": "octo", "repo": "web", "issue_number": 42}),
            r"the labels of issue 42 in (the )?octo/web",
        ),
        (
            (HOTEL, {"hotel_name": "Ritz", "room_type": "single", "nights": 1, "breakfast": True}),
            r"a single room in (the )?(hotel )?Ritz.*1 night\b.*[Bb]reakfast|a single room in .*",
        ),
        ((DISTANCE, {"city1": "Rome", "city2": "Oslo"}), r"distance between Rome and Oslo"),
        ((FLIGHTS, {"origin": "Rome", "destination": "Oslo"}), r"flights from Rome to Oslo"),
    ],
)
def test_the_description_says_the_values(call, pattern):
    for text in texts(call, seeds=25):
        assert re.search(pattern, text), text


@pytest.mark.parametrize(
    "call",
    [
        (PRICE, {"company_name": "Apple", "date": "2026-03-14"}),
        (TRIANGLE, {"base": 6, "height": 10.5}),
        (HOTEL, {"hotel_name": "Ritz", "room_type": "executive_suite", "nights": 3, "breakfast": False}),
        (ISSUE, {"method": "get_labels", "owner": "octo", "repo": "web", "issue_number": 42}),
    ],
)
def test_one_call_gives_dozens_of_texts(call):
    assert len(texts(call, seeds=200)) >= 24


def test_the_same_seed_gives_the_same_text():
    call = (PRICE, {"company_name": "Apple", "date": "2026-03-14"})
    assert [write(call, seed=seed) for seed in range(20)] == [write(call, seed=seed) for seed in range(20)]


def test_no_identifier_and_no_iso_date_shows():
    call = (HOTEL, {"hotel_name": "Ritz", "room_type": "executive_suite", "nights": 3, "breakfast": False})
    dated = (PRICE, {"company_name": "Apple", "date": "2026-03-14"})
    for text in texts(call) | texts(dated):
        assert not IDENTIFIER.search(text), text
        assert "2026-03-14" not in text
        assert "book_hotel" not in text


def test_an_identifier_that_is_a_value_may_show():
    assert "octo/web_app" in write((ISSUE, {"method": "get", "owner": "octo", "repo": "web_app", "issue_number": 4}))


def test_a_false_flag_is_told():
    call = (HOTEL, {"hotel_name": "Ritz", "room_type": "single", "nights": 3, "breakfast": False})
    for text in texts(call):
        assert re.search(r"(?i)(leave out|don't include|no need to include) breakfast", text), text


def test_the_year_is_dropped_only_where_the_date_is_told():
    call = (PRICE, {"company_name": "Apple", "date": "2026-03-14"})
    assert all("2026" in text for text in texts(call))
    assert not any("2026" in write(call, seed=seed, states_date=True) for seed in range(30))


def test_the_agreement_of_articles_and_numbers():
    hotel = {"hotel_name": "Ritz", "room_type": "executive_suite", "nights": 1, "breakfast": True}
    for text in texts((HOTEL, hotel)):
        assert "a executive" not in text
        assert "1 nights" not in text


class TestSeveralCalls:
    def test_one_sentence_for_calls_that_differ_in_a_name(self):
        found = texts((WEATHER, {"city": "Paris"}), (WEATHER, {"city": "Rome"}))
        assert any("Paris and Rome" in text for text in found)

    @pytest.mark.parametrize(
        "calls",
        [
            [(WEATHER, {"city": "Paris"}), (WEATHER, {"city": "Rome"}), (WEATHER, {"city": "Oslo"})],
            [(TRIANGLE, {"base": 6, "height": 10.5}), (TRIANGLE, {"base": 7, "height": 11.5})],
            [(WEATHER, {"city": "Paris"}), (ORDER, {"order_id": "W1", "reason": "too late"})],
            [
                (PRICE, {"company_name": "Apple", "date": "2026-03-14"}),
                (PRICE, {"company_name": "Intel", "date": "2026-03-17"}),
            ],
        ],
    )
    def test_every_value_of_every_call_is_said(self, calls):
        for text in texts(*calls):
            for _, arguments in calls:
                for value in arguments.values():
                    said = re.sub(r"2026-03-(\d\d)", r"\1", str(value))
                    assert said in text, text

    def test_different_tools_are_asked_for_one_after_the_other(self):
        text = write((ORDER, {"order_id": "W1", "reason": "too late"}), (WEATHER, {"city": "Paris"}), seed=3)
        assert text.index("W1") < text.index("Paris")


class TestNoDraft:
    @pytest.mark.parametrize(
        "arguments",
        [
            {"payload": None},
            {"payload": []},
            {"payload": {"a": {"b": {"c": 1}}}},
            {"payload": [[{"a": 1}]]},
            {"payload": ""},
        ],
    )
    def test_what_nobody_would_say_is_refused(self, arguments):
        strange = tool("send", "Send a payload.", payload={"description": "The payload"})
        with pytest.raises(NoDraft) as caught:
            write((strange, arguments))
        assert caught.value.violations[0].rule == "AU001"
        assert "send" in str(caught.value) or "payload" in str(caught.value)

    def test_too_many_loose_values_are_refused(self):
        names = {
            f"{word}_setting": f"The {word} setting" for word in ("alpha", "beta", "gamma", "delta", "eps", "zeta")
        }
        loose = tool("tune", "Tune it.", **names)
        with pytest.raises(NoDraft, match="tune"):
            write((loose, dict.fromkeys(names, "blue")))


class TestFrames:
    FRAMED = tool(
        "get_weather", "Get the weather.", ["How is the weather in {city}[ in {unit}]?"], city="City", unit="Unit"
    )

    def test_a_frame_that_fits_is_taken(self):
        assert texts((self.FRAMED, {"city": "Rome"})) == {"How is the weather in Rome?"}

    def test_a_call_that_no_frame_fits_is_said_in_other_words(self):
        framed = tool("get_weather", "Get the weather in a city.", ["How is Rome?"], city="City")
        assert "Oslo" in write((framed, {"city": "Oslo"}))

    def test_frames_serve_several_calls(self):
        found = texts((self.FRAMED, {"city": "Rome"}), (self.FRAMED, {"city": "Oslo"}))
        assert "How is the weather in Rome and Oslo?" in found
