"""What is news of a call: a field that gets another value, a value that was not said before."""

from typing import Any

import pytest

from generator.jsontext import JsonObject
from generator.scenarios.blueprint import PlanError
from generator.scenarios.news import is_so_already, says_nothing_new
from generator.scenarios.scenario import PlannedCall
from tests.domains_library import tool
from tests.plays import book_of, play_over, stage

AT_THREE: JsonObject = {
    "entities": {
        "lamp": {
            "rows": [2, 2], "new": {"level": 3, "seen": None},
            "fields": {"id": {"pattern": "L[0-9]{3}"}, "level": 3, "seen": "2026-01-01T08:00:00Z"},
        }
    }
}  # fmt: skip
FIND: JsonObject = {"get": "lamp", "where": [["id", "=", "$id"]]}


def _dim(*effect: JsonObject) -> Any:
    definition = tool("dim", None, ("id",), id="string", level="integer", on="boolean")
    return book_of({**AT_THREE, "tools": {"dim": {"effect": [FIND, *effect]}}}, [definition])


def _update(**fields: Any) -> JsonObject:
    return {"update": "$it", "set": fields}


@pytest.mark.parametrize(
    ("effect", "given", "expected"),
    [
        ([_update(level="$level")], {"level": 3}, True),
        ([_update(level="$level")], {"level": 4}, False),
        ([_update(level="$level", seen="$now")], {"level": 3}, True),
        ([_update(level="$level"), _update(seen="$now")], {"level": 3}, True),
        ([_update(level={"$or": ["$level", "$it.level"]})], {"level": 3}, True),
        ([_update(level="$level")], {}, False),  # it gives no level: it reads
        ([_update(level="$args.level")], {"level": 3}, True),
        ([{"update_all": "lamp", "where": [], "set": {"level": "$level"}}], {"level": 3}, True),
        ([_update(level=3)], {}, False),  # its name says all that it does
        ([_update(seen="$now")], {}, False),
        ([_update(level="$level"), {"create": "lamp", "set": {}}], {"level": 3}, False),
        ([{"delete": "$it"}], {"level": 3}, False),
        ([], {"level": 3}, False),
    ],
)
def test_what_is_so_already(effect: list[JsonObject], given: JsonObject, expected: bool) -> None:
    begun = stage(_dim(*effect))
    lamp = next(iter(begun.world.table("lamp").values())).get("id")
    start = begun.world
    begun.call("dim", {"id": lamp, **given})
    assert is_so_already(start, begun.world) is expected


def test_nobody_asks_for_what_is_so_already() -> None:
    way = {"draw": {"l": {"row": "lamp"}}, "arguments": {"id": "$l.id", "level": 3}, "requests": ["Set {l.id} to 3."]}
    known = {"effect": [FIND, _update(level="$level")], "ways": [way]}
    definition = tool("dim", None, ("id", "level"), id="string", level="integer")
    play = play_over(book_of({**AT_THREE, "tools": {"dim": known}}, [definition]), "dim")
    drawn = play.draw(play.way())
    with pytest.raises(PlanError, match="dim changes nothing: it is so already"):
        play.call("dim", play.way().arguments, drawn, "Set it to 3.")


def _call(name: str, **arguments: Any) -> PlannedCall:
    return PlannedCall(tool(name), arguments)


@pytest.mark.parametrize(
    ("call", "fresh", "changed", "expected"),
    [
        (_call("look", city="Oslo", days=3), (), False, True),
        (_call("look", city="Oslo", days=3), (), True, False),
        (_call("look", city="Oslo", days=3), ("days",), True, True),
        (_call("look", city="Oslo"), ("city",), False, True),
        (_call("look", city="Oslo", days=4), ("days",), False, False),
        (_call("look", city="Oslo", days=4), ("city", "days"), False, False),
        (_call("look", city="Oslo", unit="C"), ("unit",), False, False),
        (_call("hear", city="Oslo", days=3), ("city", "days"), False, False),
    ],
)
def test_what_says_nothing_new(call: PlannedCall, fresh: tuple[str, ...], changed: bool, expected: bool) -> None:
    earlier = [_call("hear", city="Rome"), _call("look", city="Oslo", days=3)]
    assert says_nothing_new(call, fresh, earlier, changed=changed) is expected
