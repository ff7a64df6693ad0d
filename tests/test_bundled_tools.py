"""The bundled tools: they load without a change, and their domains know what people want of each."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from generator.assets import asset_folder
from generator.domains.catalog import Catalog
from generator.domains.domain import Domain, Way
from generator.formats.loading.tool_files import LoadedTools
from generator.record import generate_records
from generator.records import Record
from generator.tools import Tool
from generator.worlds.program import compiled_domain
from tests.bundled import bundled
from tests.tables import each_row

FOLDER = asset_folder("tool_specs")
CATALOG = bundled()
TOOLS = CATALOG.tools
DOMAINS = {domain.name: domain for domain in CATALOG.domains}
FEWEST_REQUESTS = 30
FEWEST_TASKS = 5


def by_name(tool: Tool) -> str:
    return tool.name


def required(tool: Tool) -> set[str]:
    return set(tool.parameters.get("required", ()))


def requests_of(way: Way) -> list[str]:
    further = [way.parallel] if way.parallel else []
    parts = [*way.ask, *way.invalid, *way.ambiguous, *way.recover, *way.profile, *further]
    return [*way.requests, *way.follow_ups, *(text for part in parts for text in part.requests)]


def test_there_are_fifteen_toolsets_in_every_format() -> None:
    assert len(DOMAINS) == 15
    assert len({tool.name for tool in TOOLS}) == len(TOOLS)
    assert {path.suffix for path in FOLDER.iterdir()} == {".json", ".jsonl", ".yaml", ".md"}


def test_the_readme_names_every_file() -> None:
    readme = (FOLDER / "README.md").read_text("utf-8")
    files = [path.name for path in FOLDER.iterdir() if path.suffix != ".md" and ".domain." not in path.name]
    assert [name for name in files if f"`{name}`" not in readme] == []


@each_row("tool", TOOLS, ids=by_name)
def test_every_tool_is_known_and_every_parameter_described(tool: Tool) -> None:
    assert tool.domain in DOMAINS
    assert tool.description
    properties = tool.parameters["properties"]
    assert [name for name, schema in properties.items() if not schema.get("description")] == []


@each_row("name", sorted(DOMAINS))
def test_a_domain_has_no_fault(name: str) -> None:
    assert compiled_domain(DOMAINS[name], CATALOG.domain_tools[name]).faults == ()


@each_row("tool", TOOLS, ids=by_name)
def test_people_ask_for_each_tool_in_many_ways(tool: Tool) -> None:
    known = DOMAINS[tool.domain].tools[tool.name]
    requests = [text for way in known.ways for text in requests_of(way)]
    assert len(set(requests)) >= FEWEST_REQUESTS
    assert known.can
    assert known.can[0].islower()


@each_row("tool", TOOLS, ids=by_name)
def test_every_parameter_is_given_in_some_way_and_required_ones_in_each(tool: Tool) -> None:
    ways = DOMAINS[tool.domain].tools[tool.name].ways
    given = [set(way.arguments) for way in ways]
    assert all(required(tool) <= names for names in given)
    assert set().union(*given) == set(tool.parameters["properties"])


@each_row("name", sorted(DOMAINS))
def test_a_domain_has_tasks_and_wishes_that_it_cannot_serve(name: str) -> None:
    domain: Domain = DOMAINS[name]
    assert len(domain.tasks) >= FEWEST_TASKS
    assert len(domain.unserved) >= FEWEST_TASKS
    calls = Counter(len(turn.calls) for task in domain.tasks for turn in task.turns)
    assert sum(count for many, count in calls.items() if many > 1) or any(len(task.turns) > 1 for task in domain.tasks)


def test_definitions_are_changed_only_where_adm_spells_types_in_capitals() -> None:
    changed = {Path(tool.source.split("#")[0]).name for tool in TOOLS if tool.changes}
    assert changed <= {"finance.json", "smart_home.json", "parcels.json"}


def listed_orders(record: Record) -> dict[str, str]:
    """The orders that a system text lists, with what it says is in them."""
    listed = re.search(r"orders: (.*?)\.(?= |$)", record.messages[0].content)
    return dict(order.split(" with the ", 1) for order in listed[1].split("; ")) if listed else {}


def test_an_order_that_a_system_text_lists_names_all_that_can_be_sent_back() -> None:
    returns = [tool for tool in TOOLS if tool.name == "return_order_item"]
    tools = LoadedTools(Catalog(tools=tuple(returns), domains=(DOMAINS["shop"],)))
    found = []
    for record in generate_records(tools, count=80, mix={"simple": 1.0}):
        orders = listed_orders(record)
        calls = [
            call.function.arguments for turn in record.messages for call in getattr(turn, "tool_calls", None) or ()
        ]
        found += [(orders[call["order_id"]], call["item_name"]) for call in calls if call["order_id"] in orders]
    assert len(found) > 10
    assert [item for order, item in found if item not in order] == []
