"""Rules between arguments: how they are read, what they refuse and in which words, and their faults."""

from __future__ import annotations

from typing import Any

import pytest

from generator.domains.domain import Domain
from generator.worlds.execution import broken_rule, execute
from generator.worlds.playbook import Playbook, open_playbook
from tests.domains_library import DESK, DESK_TOOLS, desk, domain_of, library, tool, world

TOOLS = (
    tool(
        "book_room",
        None,
        (),
        check_in="string",
        check_out="string",
        guests="integer",
        days={"type": "integer", "default": 3},
    ),
    tool("files/read-all", None, (), **{"max-size": "integer", "min": "integer"}),
)


def ruled(*rules: str) -> Playbook:
    value = {"domain": 1, "tools": {each.name: {"result": True} for each in TOOLS}, "rules": list(rules)}
    return open_playbook(Domain.model_validate(value), TOOLS)


@pytest.mark.parametrize(
    ("rule", "arguments", "said"),
    [
        ("book_room.guests > 0", {"guests": 0}, "guests must be more than 0"),
        ("book_room.guests > 0", {"guests": 1}, ""),
        ("book_room.guests > 0", {}, ""),
        ("0 < book_room.guests <= 4", {"guests": 5}, "0 < guests <= 4 must hold"),
        ("book_room.guests <= 4", {"guests": 5}, "guests must be at most 4"),
        ("book_room.check_in < book_room.check_out", {"check_in": "2026-02-02", "check_out": "2026-02-01"},
         "check_in must be before check_out"),
        ("book_room.check_in < book_room.check_out", {"check_in": "2026-02-01", "check_out": "2026-02-02"}, ""),
        ("book_room.check_in < book_room.check_out", {"check_in": "2026-02-01"}, ""),
        ("book_room.check_in >= today", {"check_in": "2026-01-14"}, "check_in must be not before today"),
        ("book_room.guests * book_room.days < 10", {"guests": 4}, "guests * days must be less than 10"),
        ("book_room.guests * book_room.days < 10", {"guests": 3}, ""),
        ("len(book_room.check_in) == 10", {"check_in": "x"}, "len(check_in) must be the same as 10"),
        ("$book_room.guests != 13", {"guests": 13}, "$guests must be other than 13"),
    ],
)  # fmt: skip
def test_rules(rule: str, arguments: dict[str, Any], said: str) -> None:
    playbook = ruled(rule)
    assert playbook.faults == ()
    assert broken_rule(world(playbook), TOOLS[0], arguments) == said
    result = execute(world(playbook), TOOLS[0], arguments).result
    assert (result.error_type, result.error_message) == (("PARAMETER_VALIDATION_FAILED", said) if said else (None, ""))


def test_tools_and_arguments_may_have_any_name() -> None:
    playbook = ruled("files/read-all.min <= files/read-all.max-size")
    assert playbook.faults == ()
    at = world(playbook)
    assert broken_rule(at, TOOLS[1], {"min": 3, "max-size": 2}) == "min must be at most max-size"
    assert broken_rule(at, TOOLS[1], {"min": 2, "max-size": 2}) == ""


@pytest.mark.parametrize(
    ("rule", "what", "nearest"),
    [
        ("book_rom.guests > 0", "unknown tool 'book_rom'", "book_room"),
        ("book_room.gests > 0", "unknown argument of book_room 'gests'", "guests"),
        ("guests > 0", "unknown tool 'guests'", "book_room"),
        ("book_room.guests", "compares no arguments of one tool", "tool.argument < 10"),
        ("3 > 0", "compares no arguments of one tool", ""),
        ("book_room.guests < files/read-all.min", "compares no arguments of one tool", ""),
        ("book_room.guests >", "is no rule", "tool.argument < 10"),
        ("book_room.guests and 1", "is no rule", ""),
        ("__import__('os') < book_room.guests", "is no rule", ""),
    ],
)
def test_faults_of_rules(rule: str, what: str, nearest: str) -> None:
    (fault,) = ruled("book_room.days > 0", rule).faults
    assert what in fault.what
    assert nearest in fault.remedy
    assert fault.path == ("rules", 1)


def test_a_refused_call_changes_nothing() -> None:
    at = world()
    loan = next(iter(at.table("loan").values()))
    done = execute(at, library().tools["renew_loan"], {"loan_id": loan.fields["id"], "days": -2})
    assert done.result.error_message == "days must be more than 0"
    assert done.world.digest() == at.digest()
    assert done.world.changes == ()
    booked = execute(world(desk()), desk().tools["book-room"], {"from": "2", "to": "1"})
    assert booked.result.error_message == "from must be before to"


def test_a_rule_that_is_wrong_leaves_the_others() -> None:
    playbook = open_playbook(domain_of(DESK, rules=["no.such > 1", *DESK["rules"]]), DESK_TOOLS)
    assert len(playbook.faults) == 1
    assert broken_rule(world(playbook), playbook.tools["book-room"], {"from": "2", "to": "1"})
