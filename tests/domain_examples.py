"""A small library: its tools, and the domain file that knows them."""

import copy
from typing import Any

from generator.tools import Tool


def definition(name: str, required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    """Return a bare definition."""
    parameters = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"name": name, "description": f"{name.replace('_', ' ').capitalize()}.", "parameters": parameters}


TOOLS = [
    definition(
        "list_loans",
        ["member_id"],
        member_id={"type": "string", "description": "The member's id"},
        status={"type": "string", "enum": ["active", "overdue"], "description": "Only those"},
    ),
    definition(
        "renew_loan",
        ["loan_id", "days"],
        loan_id={"type": "string", "description": "The id of the loan"},
        days={"type": "integer", "minimum": 1, "maximum": 30, "description": "How many days longer"},
    ),
]

_DOMAIN: dict[str, Any] = {
    "domain": 1,
    "about": "Loans of a public library.",
    "me": "member",
    "context": ["You help {me.name} (member {me.id}) with the library."],
    "pools": {"titles": [f"{one} {two}" for one in ("The", "A", "My") for two in ("Sea", "Sky", "Hill", "Lake")]},
    "entities": {
        "member": {"rows": 1, "fields": {"id": {"pattern": "M-[0-9]{5}"}, "name": {"faker": "name"}}},
        "loan": {
            "in": "member",
            "rows": [4, 6],
            "fields": {
                "id": {"pattern": "L-[A-Z0-9]{6}"},
                "title": {"pool": "titles"},
                "due": {"day": [-10, 20]},
                "status": {"$if": [["$due", "<", "$today"], "overdue", "active"]},
            },
            "say": ["my loan of {title}", "{title}"],
            "say_id": ["loan {id}"],
            "find": {"call": "list_loans", "arguments": {"member_id": "$it.member.id"}},
            "views": {"full": {"loan_id": "$id", "title": "$title", "due_date": "$due"}},
        },
    },
    "tools": {
        "list_loans": {
            "can": "show your loans",
            "effect": [{"list": "loan", "where": [["member.id", "=", "$member_id"], ["status", "=", "$status"]]}],
            "result": {"loans": "$rows|full", "total": {"$count": "$all"}},
            "replies": {
                "ok": ["You have {r.total|count:loan}: <r.loans: {title}, due {due_date|day}>."],
                "empty": ["There are none."],
            },
            "ways": [
                {
                    "arguments": {"member_id": "$me.id"},
                    "requests": ["Which books do I have at the moment?", "Show me my loans, please."],
                },
                {
                    "draw": {"s": {"from": ["overdue", "active"]}},
                    "arguments": {"member_id": "$me.id", "status": "$s"},
                    "requests": ["Which of my loans are {s}?"],
                },
            ],
        },
        "renew_loan": {
            "can": "renew a loan",
            "effect": [
                {"get": "loan", "where": [["id", "=", "$loan_id"]], "else": {"RESOURCE_NOT_FOUND": "No {loan_id}."}},
                {"update": "$it", "set": {"due": {"$shift": ["$due", "$days"]}, "status": "active"}},
            ],
            "result": "$it|full",
            "replies": {"RESOURCE_NOT_FOUND": ["There's no such loan; shall I look at your loans?"]},
            "ways": [
                {
                    "draw": {"l": {"row": "loan"}, "n": {"integer": [3, 14]}},
                    "arguments": {"loan_id": "$l.id", "days": "$n"},
                    "requests": ["Renew {l} by {n} days.", "Can I keep {l.title} {n} days longer?"],
                    "replies": {"ok": ["Done, {r.title} is due on {r.due_date|day} now."]},
                    "confirm": ["Shall I renew {l.title} by {n} days?"],
                    "ask": [
                        {
                            "missing": ["days"],
                            "requests": ["I need more time for {l.title}."],
                            "questions": ["How many days longer?"],
                            "answers": ["{n} days, please."],
                        }
                    ],
                }
            ],
        },
    },
    "tasks": [
        {
            "draw": {"l": {"row": "loan"}, "n": {"integer": [3, 9]}},
            "turns": [
                {
                    "requests": ["See what I have, and renew {l.title} by {n} days."],
                    "calls": [
                        {"call": "list_loans", "arguments": {"member_id": "$me.id"}},
                        {"call": "renew_loan", "arguments": {"loan_id": "$l.id", "days": "$n"}},
                    ],
                    "replies": ["You have {r1.total|count:loan}, and {r2.title} is due on {r2.due_date|day} now."],
                }
            ],
        }
    ],
    "unserved": [{"requests": ["Buy this book for me."], "replies": ["I can't buy books, but I can renew a loan."]}],
}  # fmt: skip


def domain(**changes: Any) -> dict[str, Any]:
    """Return the domain, with other parts of its first level."""
    return {**copy.deepcopy(_DOMAIN), **changes}


def tools() -> list[Tool]:
    """Return its tools."""
    from generator.formats.loading.tool_files import load_tools

    return list(load_tools(*copy.deepcopy(TOOLS)))
