"""Ways: whether the ids of a wish can be said by anybody."""

from __future__ import annotations

from typing import Any

import pytest

from generator.domains.domain import Domain
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.rehearsal import rehearse
from generator.worlds.program import CompiledDomain, compiled_domain
from tests.domains_library import tool


def shop(request: str, **entity: Any) -> CompiledDomain:
    """A shop whose orders can be returned, in the words of this request."""
    fields = {"id": {"pattern": "W-[0-9]{4}"}, "item": {"pool": ["lamp", "desk"]}}
    order = {"rows": 3, "fields": fields, "say": ["the {item}"], **entity}
    way = {
        "draw": {"o": {"row": "order"}},
        "arguments": {"order_id": "$o.id"},
        "requests": [request],
        "replies": {"ok": ["Done with {o.id}."]},
        "ask": [{"missing": ["order_id"], "requests": ["Return it."], "questions": ["Which?"], "answers": [request]}],
    }
    tools = {"return_order": {"effect": [{"get": "order", "where": [["id", "=", "$order_id"]]}], "ways": [way]}}
    domain = Domain.model_validate({"domain": 1, "entities": {"order": order}, "tools": tools})
    compiled = compiled_domain(domain, [tool("return_order", None, ("order_id",), order_id="string")])
    assert compiled.faults == ()
    return compiled


TOLD: dict[str, tuple[str, dict[str, Any]]] = {
    "by its name": ("Return {o}.", {"say": ["order {id}"]}),
    "typed": ("Return {o}.", {"say_id": ["order {id}"]}),
    "by the system message": ("Return {o}.", {"told": ["Orders: <rows: {item} ({id})>."]}),
    "by the request": ("Return order {o.id}.", {}),
}
UNTOLD: dict[str, tuple[str, dict[str, Any]]] = {
    "nowhere": ("Return {o}.", {}),
    "typed, but never called": ("Return the {o.item}.", {"say_id": ["order {id}"]}),
}


@pytest.mark.parametrize("how", TOLD)
def test_a_way_tells_an_id_that_somebody_can_say(how: str) -> None:
    request, entity = TOLD[how]
    compiled = shop(request, **entity)
    assert compiled.telling == ("return_order",)
    assert LAYOUTS["simple"].leads(compiled) == LAYOUTS["missing_parameter"].leads(compiled) == ("return_order",)


@pytest.mark.parametrize(("rows", "entity", "wrong"), [(1, "me", True), (3, "me", False), (1, "friend", False)])
def test_the_only_user_is_not_drawn_besides_the_user(rows: int, entity: str, wrong: bool) -> None:
    fields = {"id": {"pattern": "U-[0-9]{4}"}}
    entities = {"me": {"rows": rows, "fields": fields}, "friend": {"rows": 1, "fields": fields}}
    way = {"draw": {"u": {"row": entity}}, "arguments": {"user": "$u.id"}, "requests": ["Greet {u.id}."],
           "replies": {"ok": ["Done."]}}  # fmt: skip
    document = {"domain": 1, "me": "me", "entities": entities, "tools": {"greet": {"ways": [way]}}}
    compiled = compiled_domain(Domain.model_validate(document), [tool("greet", None, ("user",), user="string")])
    assert compiled.faults == ()
    told = [fault.remedy for fault in rehearse(compiled, rounds=4, fewest=0).faults]
    assert any(remedy.startswith("write `$me`") for remedy in told) is wrong


@pytest.mark.parametrize("how", UNTOLD)
def test_a_way_whose_id_nobody_can_say_leads_no_single_call(how: str) -> None:
    request, entity = UNTOLD[how]
    compiled = shop(request, **entity)
    assert compiled.telling == ()
    assert LAYOUTS["simple"].leads(compiled) == LAYOUTS["missing_parameter"].leads(compiled) == ()


HELD: list[tuple[Any, list[str]]] = [
    ("$o.id", ["order"]),
    (["$o.id"], ["order"]),
    ([{"order": "$o.id", "note": "now"}], ["order"]),
    ({"first": {"id": "$o.id"}, "item": "$o.item"}, ["order"]),
    ({"$if": [[["$o.id", "given"]], "$o.id", None]}, []),
]


@pytest.mark.parametrize(("given", "entities"), HELD)
def test_ids_are_found_at_any_depth_of_an_argument(given: Any, entities: list[str]) -> None:
    """Whoever fills in a form of several fields knows them no better than one."""
    way = {"draw": {"o": {"row": "order"}}, "arguments": {"what": given}, "requests": ["Return {o}."]}
    fields = {"id": {"pattern": "W-[0-9]{4}"}, "item": {"pool": ["lamp", "desk"]}}
    document = {"domain": 1, "entities": {"order": {"fields": fields}}, "tools": {"return_order": {"ways": [way]}}}
    compiled = compiled_domain(Domain.model_validate(document), [tool("return_order", None, ("what",), what="object")])
    assert compiled.faults == ()
    assert [each.entity for each in compiled.ways["return_order"][0].arguments.ids] == entities
