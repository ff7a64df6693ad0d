"""Wants: a request is cut where it plainly asks for several things, and nowhere else."""

from __future__ import annotations

from generator.serving.wants import MOST_WANTS, Want, one_by_one, wants_of
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
