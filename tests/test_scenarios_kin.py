"""Kin: tools that are about the same thing, found by the words of their names."""

from __future__ import annotations

import pytest

from generator.scenarios.stock import Stock
from generator.domains.catalog import Catalog
from tests.replies_fixtures import make_tool


def kin_of(name: str, *others: str) -> tuple[str, ...]:
    tools = [make_tool(each, f"Serve {each}.") for each in (name, *others)]
    return Stock(Catalog(tools=tuple(tools))).kin.of(name)


@pytest.mark.parametrize(
    ("name", "other", "near"),
    [
        ("get_current_weather", "get_weather_forecast", True),
        ("freezeCard", "unfreezeCard", True),
        ("list_issues", "get_issue", True),
        ("add_task", "add_contact", False),
        ("get_weather", "get_time", False),
        ("get_user_details", "get_order_details", False),
        ("book_flight", "cancel_reservation", False),
    ],
)
def test_kin_share_a_noun_and_many_words(name: str, other: str, near: bool) -> None:
    assert kin_of(name, other) == ((other,) if near else ())


def test_the_nearest_come_first() -> None:
    others = ("get_weather", "find_city_weather_station", "get_city_weather_map")
    assert kin_of("get_city_weather", *others)[0] in ("get_weather", "get_city_weather_map")


def test_tools_of_other_toolsets_are_no_kin() -> None:
    one, other = make_tool("get_weather", "A."), make_tool("find_weather", "B.")
    catalog = Catalog(tools=(one, other.model_copy(update={"toolset": "elsewhere"})))
    assert Stock(catalog).kin.leads == ()


def test_an_index_over_many_tools_stays_small() -> None:
    tools = [make_tool(f"get_weather_{number}", "A.") for number in range(300)]
    kin = Stock(Catalog(tools=tuple(tools))).kin
    assert len(kin.leads) == 300
    assert max(len(kin.of(tool.key)) for tool in tools) <= 12


@pytest.mark.parametrize(
    ("required", "declared", "rival"),
    [(("card",), ("card",), True), (("card", "pin"), ("card", "pin"), False), (("card",), ("card", "note"), True),
     ((), ("other",), False)],
)  # fmt: skip
def test_rivals_take_what_the_tool_requires(required: tuple[str, ...], declared: tuple[str, ...], rival: bool) -> None:
    text = {"type": "string"}
    one = make_tool("block_card", "Block it.", properties={"card": text}, required=("card",))
    other = make_tool("unblock_card", "Free it.", properties=dict.fromkeys(declared, text), required=required)
    assert Stock(Catalog(tools=(one, other))).kin.rivals("block_card") == (("unblock_card",) if rival else ())
