"""Chains: which tool's result holds what another must be given, and which it does not."""

from __future__ import annotations

from typing import Any

import pytest

from generator.scenarios.chains import Chain, Chains
from generator.tools.tool import Tool

TEXT = {"type": "string"}
NUMBER = {"type": "number"}
WHOLE = {"type": "integer"}


def shape(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def listing(**properties: Any) -> dict[str, Any]:
    return {"type": "array", "items": shape(**properties)}


def tool(name: str, takes: dict[str, Any], gives: dict[str, Any], toolset: str = "") -> Tool:
    return Tool(
        name=name,
        description="",
        parameters=shape(**takes),
        result_schema=gives,
        result_origin="declared",
        toolset=toolset,
    )


def chains_of(*tools: Tool) -> Chains:
    toolsets: dict[str, tuple[str, ...]] = {}
    for one in tools:
        toolsets[one.toolset] = (*toolsets.get(one.toolset, ()), one.key)
    return Chains({one.key: one for one in tools}, toolsets)


def only_chain(*tools: Tool) -> Chain | None:
    found = chains_of(*tools).of(tools[0].key)
    assert len(found) < 2
    return found[0] if found else None


ORDER_STATUS = tool("get_order_status", {"order_id": TEXT}, shape(order_id=TEXT, status=TEXT, tracking_number=TEXT))
TRACK = tool("track_parcel", {"tracking_number": TEXT}, shape(status=TEXT))


def test_a_field_of_a_result_goes_on_under_its_own_name() -> None:
    chain = only_chain(ORDER_STATUS, TRACK)
    assert chain is not None
    assert (chain.giver, chain.taker, chain.fields) == (
        "get_order_status",
        "track_parcel",
        (("tracking_number", "tracking_number"),),
    )
    assert chain.place.path == () and not chain.place.listed


@pytest.mark.parametrize(
    ("giver", "taker", "fields"),
    [
        (
            tool("list_orders", {"email": TEXT}, shape(orders=listing(id=TEXT, total=NUMBER))),
            tool("cancel_order", {"order_id": TEXT}, shape()),
            (("order_id", "id"),),
        ),
        (
            tool("find_restaurants", {"city": TEXT}, shape(city=TEXT, restaurants=listing(name=TEXT))),
            tool("reserve_table", {"restaurant_name": TEXT, "time": TEXT}, shape()),
            (("restaurant_name", "name"),),
        ),
        (
            tool("search_repositories", {"query": TEXT}, shape(repositories=listing(name=TEXT, owner=TEXT))),
            tool("star_repository", {"owner": TEXT, "repo": TEXT}, shape()),
            (("repo", "name"), ("owner", "owner")),
        ),
        (
            tool("find_nearby_places", {"near": TEXT}, shape(places=listing(name=TEXT, distance_km=NUMBER))),
            tool("get_directions", {"start": TEXT, "end": TEXT}, shape()),
            (("end", "name"),),
        ),
        (
            tool("get_account_balance", {"account": TEXT}, shape(balance=NUMBER, currency=TEXT)),
            tool("convert_currency", {"amount": NUMBER, "from_currency": TEXT, "to_currency": TEXT}, shape()),
            (("amount", "balance"), ("from_currency", "currency")),
        ),
        (
            tool("get_user_id", {"email": TEXT}, shape(user_id=TEXT)),
            tool("close_account", {"userId": TEXT}, shape()),
            (("userId", "user_id"),),
        ),
    ],
    ids=["id of a list", "name", "repository", "place", "sum", "camel case"],
)
def test_what_one_wants_is_found_in_what_another_gives(
    giver: Tool, taker: Tool, fields: tuple[tuple[str, str], ...]
) -> None:
    chain = only_chain(giver, taker)
    assert chain is not None and chain.fields == fields


@pytest.mark.parametrize(
    ("giver", "taker"),
    [
        (tool("get_order", {"order_id": TEXT}, shape(order_id=TEXT)), tool("pay_order", {"order_id": TEXT}, shape())),
        (tool("get_weather", {"city": TEXT}, shape(degrees=NUMBER)), tool("set_alarm", {"time": TEXT}, shape())),
        (
            tool("list_orders", {}, shape(orders=listing(id=WHOLE))),
            tool("cancel_order", {"order_id": TEXT}, shape()),
        ),
        (
            tool("delete_order", {"name": TEXT}, shape(order_id=TEXT)),
            tool("pay_order", {"order_id": TEXT}, shape()),
        ),
        (
            tool("list_branches", {"path": TEXT}, shape(branches=listing(name=TEXT))),
            tool("create_branch", {"branch_name": TEXT}, shape()),
        ),
        (
            tool("search_commits", {"query": TEXT}, shape(commits=listing(sha=TEXT))),
            tool("get_commit", {"owner": TEXT, "repo": TEXT, "sha": TEXT}, shape()),
        ),
        (
            tool("list_users", {}, shape(users=listing(user_id=TEXT))),
            tool("login", {"user_id": TEXT, "password": TEXT}, shape()),
        ),
        (
            tool("find_duplicates", {"issue_number": WHOLE}, shape(issues=listing(number=WHOLE))),
            tool("close_issue", {"issue_number": WHOLE}, shape()),
        ),
        (
            tool("get_user_by_name", {"name": TEXT}, shape(user_id=TEXT)),
            tool("get_user_by_id", {"user_id": TEXT}, shape()),
        ),
        (ORDER_STATUS, TRACK.model_copy(update={"toolset": "elsewhere"})),
        (
            ORDER_STATUS,
            tool("track_parcel", {"tracking_number": {**TEXT, "pattern": "^PX-[0-9]+$"}}, shape()),
        ),
    ],
    ids=[
        "said by the user", "nothing fits", "another type", "deleted", "a new thing of that name", "no repository",
        "opens a session", "means another thing", "the same thing again", "another toolset", "another pattern",
    ],
)  # fmt: skip
def test_what_does_not_lead_on_is_no_chain(giver: Tool, taker: Tool) -> None:
    assert only_chain(giver, taker) is None


def test_the_more_particular_meaning_wins() -> None:
    """The accounts of a tool for credit-card accounts are no bank accounts."""
    cards = tool("get_credit_card_accounts", {"user": TEXT}, shape(accounts=listing(account_id=TEXT)))
    bank = tool("close_bank_account", {"account_id": TEXT}, shape())
    card = tool("close_card", {"credit_card_account_id": TEXT}, shape())
    assert [chain.taker for chain in chains_of(cards, bank, card).of(cards.key)] == ["close_card"]
    assert [chain.taker for chain in chains_of(cards, bank).of(cards.key)] == ["close_bank_account"]


def test_a_tool_knows_the_chains_that_it_begins_and_ends() -> None:
    chains = chains_of(ORDER_STATUS, TRACK)
    assert chains.linked == (ORDER_STATUS.key, TRACK.key)
    assert chains.of(ORDER_STATUS.key) == chains.of(TRACK.key)


def test_hostile_schemas_are_no_obstacle() -> None:
    odd = [
        tool("a", {"x_id": True}, {}),
        tool("b", {"x_id": TEXT}, {"type": "array", "items": True}),
        tool("c", {"": TEXT}, {"properties": {"x_id": False, "": 1, "l": {"type": "array", "items": [1]}}}),
        tool("get_d", {}, {"type": "object", "properties": {"b_id": {"type": ["string", "null"]}}, "required": 5}),
    ]
    assert chains_of(*odd).linked == ()


def test_of_many_takers_each_giver_keeps_some_and_all_are_kept_by_one() -> None:
    givers = [tool(f"list_orders_{n}", {"q": TEXT}, shape(orders=listing(id=TEXT))) for n in range(200)]
    takers = [tool(f"pay_order_{n}", {"order_id": TEXT}, shape()) for n in range(200)]
    chains = chains_of(*givers, *takers)
    assert {len(chains.of(giver.key)) for giver in givers} == {128}
    assert all(chains.of(taker.key) for taker in takers)
