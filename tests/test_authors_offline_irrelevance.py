"""Irrelevance: requests stay away from the tools shown, replies say what cannot and what can be done."""

from __future__ import annotations

import re
from random import Random

import pytest

from generator.assets import asset_folder
from generator.authors.author import NoDraft
from generator.authors.offline.irrelevance import fill, stem, stems_of, write_irrelevant_reply, write_irrelevant_request
from generator.authors.offline.irrelevance_topics import load_topics
from generator.formats.tool_files import load_catalog
from generator.scenarios.scenario import Scenario
from generator.tools.tool import Tool
from tests.replies_fixtures import make_scenario, make_tool

TOPICS = load_topics()
BUNDLED = load_catalog([asset_folder("tool_specs")]).catalog.tools
OWN_TOPICS = {
    "get_current_weather": "weather",
    "search_flights": "flights",
    "search_hotels": "hotels",
    "reserve_table": "restaurants",
    "get_stock_quote": "stocks",
    "transfer_money": "banking",
    "get_directions": "traffic",
    "create_calendar_event": "calendar",
    "send_email": "email",
    "control_light": "home",
    "search_news": "news",
    "track_parcel": "parcels",
    "check_book_availability": "library",
    "log_workout": "fitness",
}
"""The topic that each of these tools could serve."""


def shown(*tools: Tool, seed: int = 0) -> Scenario:
    return make_scenario(tools, seed)


def topic_of(request: str) -> str:
    """The topic a request was drawn from, by its sentences as patterns."""
    for topic in TOPICS.topics:
        for sentence in topic.requests:
            pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape(sentence))
            pattern = re.sub(r"\\\((.*?)\\\)", lambda match: "(?:" + match[1].replace(r"\|", "|") + ")", pattern)
            if re.fullmatch(pattern, request, re.IGNORECASE):
                return topic.name
    raise AssertionError(f"no sentence gives {request!r}")


def test_there_are_enough_topics_and_sentences() -> None:
    sentences = [sentence for topic in TOPICS.topics for sentence in topic.requests]
    assert len(TOPICS.topics) >= 30
    assert len(sentences) >= 120
    assert len(set(sentences)) == len(sentences)
    assert len({topic.name for topic in TOPICS.topics}) == len(TOPICS.topics)


def test_every_slot_names_a_pool() -> None:
    for topic in TOPICS.topics:
        for sentence in topic.requests:
            assert set(re.findall(r"\{(\w+)\}", sentence)) <= TOPICS.pools.keys(), sentence


def test_thousands_of_requests_exist() -> None:
    random = Random(1)
    sentences = [sentence for topic in TOPICS.topics for sentence in topic.requests]
    drawn = {fill(random.choice(sentences), random) for _ in range(6000)}
    assert len(drawn) > 3000
    assert not [text for text in drawn if re.search(r"[{}|]", text)]


@pytest.mark.parametrize(("name", "topic"), OWN_TOPICS.items())
def test_a_tool_never_meets_a_request_it_could_serve(name: str, topic: str) -> None:
    tool = next(tool for tool in BUNDLED if tool.name == name)
    assert topic not in {topic_of(write_irrelevant_request(shown(tool, seed=seed))) for seed in range(150)}


@pytest.mark.parametrize("tool", BUNDLED, ids=lambda tool: tool.name)
def test_requests_share_no_word_with_the_name_of_a_tool(tool: Tool) -> None:
    for seed in range(30):
        request = write_irrelevant_request(shown(tool, seed=seed))
        assert stems_of(request).isdisjoint(stems_of(tool.name.replace("_", " ")))


@pytest.mark.parametrize("name", ["browser_navigate", "execute_shell_command", "web_search"])
def test_general_tools_leave_only_what_needs_hands(name: str) -> None:
    hands = {topic.name for topic in TOPICS.topics if topic.hands}
    for seed in range(60):
        assert topic_of(write_irrelevant_request(shown(make_tool(name), seed=seed))) in hands


def test_what_is_told_to_people_stays_away_from_tools_that_write_to_them() -> None:
    tool = make_tool("post_message", "Post a message to a channel.")
    for seed in range(150):
        request = write_irrelevant_request(shown(tool, seed=seed))
        assert request.split()[0] not in ("Tell", "Text", "Call", "Send", "Forward", "Leave")


def test_where_no_topic_is_safe_there_is_no_draft() -> None:
    everything = make_tool("assist", " ".join(word for topic in TOPICS.topics for word in topic.words))
    with pytest.raises(NoDraft) as refusal:
        write_irrelevant_request(shown(everything))
    assert refusal.value.violations[0].rule == "AU003"
    with pytest.raises(NoDraft):
        write_irrelevant_reply(shown(everything))


def test_the_reply_is_of_the_topic_of_the_request() -> None:
    deeds = {topic.name: topic.deed for topic in TOPICS.topics}
    for seed in range(60):
        scenario = shown(*BUNDLED[seed % 30 : seed % 30 + 3], seed=seed)
        assert deeds[topic_of(write_irrelevant_request(scenario))] in write_irrelevant_reply(scenario)


def test_the_reply_says_what_the_tools_do_without_their_names() -> None:
    tools = tuple(tool for tool in BUNDLED if tool.name in ("get_air_quality", "convert_currency"))
    for seed in range(40):
        text = write_irrelevant_reply(shown(*tools, seed=seed))
        assert "get the air quality index of a city" in text
        assert "convert an amount of money" in text
        assert "_" not in text


def test_requests_and_replies_depend_on_the_seed_alone() -> None:
    tools = BUNDLED[:4]
    texts = [
        (write_irrelevant_request(shown(*tools, seed=s)), write_irrelevant_reply(shown(*tools, seed=s)))
        for s in range(30)
    ]
    again = [
        (write_irrelevant_request(shown(*tools, seed=s)), write_irrelevant_reply(shown(*tools, seed=s)))
        for s in range(30)
    ]
    assert texts == again
    assert len({request for request, _ in texts}) > 25


@pytest.mark.parametrize(
    ("word", "other"), [("bookings", "booked"), ("flights", "flight"), ("cities", "city"), ("weather", "weather")]
)
def test_stems_bring_forms_of_a_word_together(word: str, other: str) -> None:
    assert stem(word) == stem(other)
