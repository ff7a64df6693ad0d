"""What others may write and is no alarm there: searches, titles, names of countries, repeated tests, withdrawals."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.validation import check
from tests.record_examples import FIRST, SECOND, call, result

Json = Any  # parsed JSON
THIRD = "mN5oP6qR7"


def likely(asked: str, made: list[tuple[str, Json, Json]], told: str) -> set[str]:
    """Return the rules that find something likely wrong in a record that is read, its calls made one by one."""
    turns = [
        part
        for id_, (name, arguments, value) in zip((FIRST, SECOND, THIRD), made, strict=False)
        for part in (
            {"role": "assistant", "content": "", "tool_calls": [call(id_, name, arguments)]},
            result(id_, name, value if isinstance(value, str) else json.dumps(value)),
        )
    ]
    tools = [
        {"type": "function", "function": {"name": name, "description": "Does it.", "parameters": {"type": "object"}}}
        for name in dict.fromkeys(name for name, _, _ in made)
    ]
    messages = [{"role": "user", "content": asked}, *turns, {"role": "assistant", "content": told}]
    found = check({"messages": messages, "tools": tools}, generated=False)
    return {each.rule for each in found if each.severity != "note" and each.rule.startswith("TC2")} - {"TC201"}


RIGHT: list[tuple[str, list[tuple[str, Json, Json]], str]] = [
    (
        "Find part-time Baker jobs in Ghent please",
        [("search_jobs", {"query": "part-time baker jobs in ghent"}, {"jobs": [{"title": "Baker"}]})],
        "There is one: Baker.",
    ),
    (
        "Where is 9 Quay Road in Galway?",
        [("geocode_lookup", {"address": "9 Quay Road, Galway, Ireland"}, {"lat": 53.27})],
        "It is at latitude 53.27.",
    ),
    ("Where is 1.1.1.7 from?", [("lookup_ip", {"ip": "1.1.1.7"}, {"country": "NZ"})], "It is in New Zealand."),
    (
        "Show me the second page of tasks.",
        [("list_tasks", {"page": 2}, {"page": 2, "tasks": [{"title": "Oil the gate"}, {"title": "Paint the shed"},
                                                            {"title": "Mow the lawn"}]})],
        "Page 2 holds three tasks: Oil the gate, Paint the shed and Mow the lawn.",
    ),
    (
        "The build is broken, please mend it.",
        [
            ("shell", {"command": "make all"}, "error: missing semicolon in lib.c"),
            ("edit_file", {"path": "lib.c", "text": "int x;"}, "written"),
            ("shell", {"command": "make all"}, "build complete"),
        ],
        "The build is complete again: a semicolon was missing in lib.c.",
    ),
    (
        "never mind, don't refund anything, just tell me what I paid for #K5512",
        [("find_order", {"order_id": "#K5512"}, {"order_id": "#K5512", "total": 71.3})],
        "You paid $71.30 for order #K5512.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "made", "told"), RIGHT)
def test_what_is_right_is_no_alarm(asked: str, made: list[tuple[str, Json, Json]], told: str) -> None:
    assert likely(asked, made, told) == set()


WRONG: list[tuple[str, list[tuple[str, Json, Json]], str, str]] = [
    (
        "Show me the second page of tasks.",
        [("list_tasks", {"page": 2}, {"page": 2, "tasks": [{"title": "Oil the gate"}, {"title": "Mow the lawn"}]})],
        "There are three tasks: Oil the gate and Mow the lawn.",
        "TC217",
    ),
    ("Where is 1.1.1.7 from?", [("lookup_ip", {"ip": "1.1.1.7"}, {"country": "NZ"})], "It is in Norway.", "TC204"),
    (
        "Delete the old backup, no, never mind.",
        [("delete_backup", {"name": "old"}, {"deleted": True})],
        "The old backup is deleted.",
        "TC211",
    ),
]


@pytest.mark.parametrize(("asked", "made", "told", "rule"), WRONG)
def test_what_is_wrong_stays_one(asked: str, made: list[tuple[str, Json, Json]], told: str, rule: str) -> None:
    assert rule in likely(asked, made, told)
