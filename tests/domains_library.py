"""Two small domains with their tools, for tests of the world engine: a library, and a desk of tickets."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any

from generator.domains.domain import Domain
from generator.domains.reading import Faults
from generator.jsontext import JsonObject, JsonValue
from generator.tools import Tool
from generator.worlds.compiler import Compiler
from generator.worlds.program import CompiledDomain, compiled_domain, compiler_of
from generator.worlds.rows import Scope
from generator.worlds.world import World

TODAY = date(2026, 1, 15)


def tool(name: str, result: JsonObject | None = None, required: tuple[str, ...] = (), /, **properties: Any) -> Tool:
    """A tool whose parameters are these; with a result schema where one is given."""
    schemas = {key: {"type": value} if isinstance(value, str) else value for key, value in properties.items()}
    return Tool(
        name=name,
        description=name.replace("_", " "),
        parameters={"type": "object", "properties": schemas, "required": list(required), "additionalProperties": False},
        result_schema=result or {},
        result_origin="declared" if result else "domain",
    )


LOAN = {
    "type": "object",
    "properties": {
        "loan_id": {"type": "string"},
        "title": {"type": "string"},
        "due_date": {"type": "string", "format": "date"},
        "status": {"enum": ["overdue", "active"]},
    },
    "required": ["loan_id", "title", "due_date", "status"],
    "additionalProperties": False,
}

LIBRARY_TOOLS = (
    tool(
        "list_loans",
        {
            "type": "object",
            "properties": {"loans": {"type": "array", "items": LOAN}, "total": {"type": "integer"}},
            "required": ["loans", "total"],
        },
        ("member_id",),
        member_id="string",
        status={"enum": ["overdue", "active"]},
        limit="integer",
    ),
    tool("renew_loan", LOAN, ("loan_id", "days"), loan_id="string", days="integer"),
    tool("return_loan", None, ("loan_id",), loan_id="string"),
    tool("borrow_book", LOAN, ("book_id",), book_id="string", days={"type": "integer", "default": 14}),
    tool("search_books", None, (), query="string", from_year="integer", to_year="integer", page="integer"),
)

LIBRARY: JsonObject = {
    "domain": 1,
    "about": "Loans of a public library.",
    "me": "member",
    "context": ["You help {me.name} (member {me.id}) with the library."],
    "pools": {"titles": [f"The {word} {noun}" for word in ("Red", "Blue", "Old", "Lost") for noun in ("Sea", "City")]},
    "entities": {
        "member": {"rows": 1, "fields": {"id": {"pattern": "M-[0-9]{5}"}, "name": {"faker": "name"}}},
        "book": {
            "rows": [5, 7],
            "fields": {
                "id": {"pattern": "B[0-9]{4}"},
                "title": {"pool": "titles"},
                "year": {"integer": [1900, 2020]},
                "tags": {"list": {"pool": ["novel", "poems", "crime"]}, "count": [1, 2]},
            },
            "say": ["{title}"],
        },
        "loan": {
            "in": "member",
            "rows": [2, 4],
            "fields": {
                "id": {"pattern": "L-[A-Z0-9]{6}"},
                "book": {"ref": "book", "distinct": True},
                "due": {"day": [-10, 20]},
                "renewals": 0,
            },
            "say": ["my loan of {book.title}", "{book.title}"],
            "say_id": ["loan {id}"],
            "find": {"call": "list_loans", "arguments": {"member_id": "$it.member.id"}},
            "views": {
                "full": {
                    "loan_id": "$id",
                    "title": "$book.title",
                    "due_date": "$due",
                    "status": {"$if": [["$due", "<", "$today"], "overdue", "active"]},
                }
            },
        },
    },
    "wordings": {
        "shelf": [
            {"value": {"tag": "novel"}, "say": ["among the novels"], "means": [["tags", "has", "novel"]]},
            {"value": {"tag": "crime"}, "say": ["among the thrillers"], "means": [["tags", "has", "crime"]]},
        ]
    },
    "tools": {
        "list_loans": {
            "can": "show your loans",
            "effect": [
                {"get": "member", "where": [["id", "=", "$member_id"]], "else": {"RESOURCE_NOT_FOUND": "No member."}},
                {
                    "list": "loan",
                    "where": [
                        ["member.id", "=", "$member_id"],
                        [
                            "due",
                            "<",
                            {"$if": [["$status", "given"], {"$pick": ["$status", {"overdue": "$today"}]}, "9"]},
                        ],
                    ],
                    "sort": "due",
                    "limit": "$limit",
                },
            ],
            "result": {"loans": "$rows|full", "total": {"$count": "$all"}},
            "ways": [
                {
                    "arguments": {"member_id": "$me.id"},
                    "requests": ["Which books do I have out?"],
                    "replies": {"ok": ["You have {r.total|count:book} out: <r.loans: {title}, due {due_date|day}>."]},
                }
            ],
        },
        "renew_loan": {
            "can": "renew a loan",
            "effect": [
                {"get": "loan", "where": [["id", "=", "$loan_id"]], "else": {"RESOURCE_NOT_FOUND": "No {loan_id}."}},
                {"require": [["$it.renewals", "<", 1]], "else": {"INVALID_STATE": "It was renewed already."}},
                {"update": "$it", "set": {"due": {"$shift": ["$due", "$days"]}, "renewals": 1}},
            ],
            "result": "$it|full",
            "ways": [
                {
                    "draw": {"l": {"row": "loan", "where": [["renewals", "<", 1]]}, "n": {"integer": [3, 14]}},
                    "arguments": {"loan_id": "$l.id", "days": "$n"},
                    "requests": ["Renew {l} by {n} days.", "Can I keep {l.book.title} {n} days longer?"],
                    "replies": {
                        "ok": ["Done, {r.title} is due on {r.due_date|day} now."],
                        "INVALID_STATE": [{"when": [["$n", ">", 0]], "say": ["It was renewed before."]}],
                    },
                    "ask": [
                        {"missing": ["days"], "requests": ["Renew {l}."], "questions": ["By how many days?"],
                         "answers": ["{n} days."]}
                    ],
                    "corrections": {"n": ["Sorry, {n} days, not {was}."]},
                    "parallel": {"requests": ["Renew <each: {l}> by {n} days."], "replies": ["<each: {r.title}>."],
                                 "same": ["n"]},
                }
            ],
        },
        "return_loan": {
            "effect": [
                {"get": "loan", "where": [["id", "=", "$loan_id"]], "else": {"RESOURCE_NOT_FOUND": "No {loan_id}."}},
                {"delete": "$it"},
            ],
            "result": {"returned": True, "loan_id": "$it.id"},
            "ways": [
                {"draw": {"l": {"row": "loan"}}, "arguments": {"loan_id": "$l.id"}, "requests": ["Return {l}."]}
            ],
        },
        "borrow_book": {
            "effect": [
                {"get": "book", "where": [["id", "=", "$book_id"]], "as": "b",
                 "else": {"RESOURCE_NOT_FOUND": "No book {book_id}."}},
                {"create": "loan", "set": {"member": "$me", "book": "$b", "due": {"$shift": ["$today", "$days"]}}},
            ],
            "result": "$it|full",
            "ways": [{"draw": {"b": {"row": "book"}}, "arguments": {"book_id": "$b.id"}, "requests": ["Lend me {b}."]}],
        },
        "search_books": {
            "effect": [
                {"list": "book", "where": [["year", ">=", "$from_year"], ["year", "<=", "$to_year"]],
                 "search": {"in": ["title", "tags"], "for": "$query"}, "sort": "-year", "limit": 2, "page": "$page"}
            ],
            "result": {"books": {"$each": ["$rows", {"id": "$id", "title": "$title"}]}, "total": {"$count": "$all"},
                       "more": "$more", "next": "$next"},
            "ways": [{"draw": {"q": {"from": ["sea", "city"]}}, "arguments": {"query": "$q"},
                      "requests": ["Anything on the {q}?"]}],
        },
    },
    "tasks": [
        {
            "draw": {"l": {"row": "loan"}, "n": {"integer": [3, 9]}},
            "turns": [
                {
                    "requests": ["Find {l} and renew it by {n} days."],
                    "calls": [
                        {"call": "list_loans", "arguments": {"member_id": "$me.id"}},
                        {"call": "renew_loan", "arguments": {"loan_id": "$l.id", "days": "$n"},
                         "when": [["$r1.total", ">", 0]]},
                    ],
                    "replies": ["{r2.title} is due on {r2.due_date|day} now."],
                }
            ],
        }
    ],
    "unserved": [{"requests": ["Buy me this book."], "replies": ["I can't buy books."]}],
    "rules": ["renew_loan.days > 0", "search_books.from_year <= search_books.to_year"],
}  # fmt: skip

DESK_TOOLS = (
    tool("list_tickets", None, (), status="string", label="string"),
    tool("open_ticket", None, ("title",), title="string", labels={"type": "array", "items": {"type": "string"}}),
    tool("change_ticket", None, ("id",), id="integer", status="string", add="string", remove="string", owner="string"),
    tool("close_all", None, ("status",), status="string"),
    tool("drop_tickets", None, ("ids",), ids={"type": "array", "items": {"type": "integer"}}),
    tool("book-room", None, ("from", "to"), **{"from": "string", "to": "string"}),
)

DESK: JsonObject = {
    "domain": 1,
    "entities": {
        "person": {
            "rows": [2, 4],
            "fields": {"id": {"pattern": "u[0-9]{3}"}, "name": {"faker": "first_name"}},
            "say": ["{name}"],
        },
        "ticket": {
            "rows": [3, 5],
            "fields": {
                "id": {"integer": [100, 999]},
                "title": {"text": "Issue {id}"},
                "status": {"from": ["open", "closed"], "weights": [3, 1]},
                "labels": {"list": {"pool": ["bug", "ui", "docs"]}, "count": [0, 2]},
                "owner": {"maybe": 0.5, "value": {"ref": "person"}, "else": None},
            },
            "say": ["{title}"],
            "views": {"short": {"id": "$id", "title": "$title", "owner": "$owner.name", "status": "$status"}},
        },
        "note": {
            "in": "ticket",
            "rows": [0, 2],
            "fields": {"id": {"pattern": "n[0-9]{4}"}, "text": {"faker": "sentence"}},
        },
    },
    "tools": {
        "list_tickets": {
            "effect": [{"list": "ticket", "where": [["status", "=", "$status"], ["labels", "has", "$label"]]}],
            "result": {"tickets": "$rows|short", "count": {"$count": "$rows"}},
            "ways": [{"requests": ["Which tickets are there?"]}],
        },
        "open_ticket": {
            "effect": [
                {"create": "ticket", "set": {"title": "$title", "labels": "$labels", "status": "open", "owner": None}}
            ],
            "result": "$it|short",
            "ways": [{"draw": {"t": {"new": "ticket"}}, "arguments": {"title": "$t.title"}, "requests": ["File {t}."]}],
        },
        "change_ticket": {
            "effect": [
                {"get": "ticket", "where": [["id", "=", "$id"]], "else": {"RESOURCE_NOT_FOUND": "No ticket {id}."}},
                {
                    "if": [["$owner", "given"]],
                    "then": [
                        {"get": "person", "where": [["name", "is", "$owner"]], "as": "who",
                         "else": {"RESOURCE_NOT_FOUND": "Nobody is called {owner}."}},
                        {"update": "$it", "set": {"owner": "$who"}},
                    ],
                },
                {"update": "$it", "set": {"status": "$status"}, "append": {"labels": "$add"},
                 "remove": {"labels": "$remove"}},
            ],
            "result": {"ticket": "$it|short", "labels": "$it.labels"},
            "ways": [{"draw": {"t": {"row": "ticket", "where": [["status", "=", "open"]]}},
                      "arguments": {"id": "$t.id", "status": "closed"}, "requests": ["Close {t}, ticket {t.id}."]}],
        },
        "close_all": {
            "effect": [{"update_all": "ticket", "where": [["status", "=", "$status"]], "set": {"status": "closed"}}],
            "result": {"closed": {"$count": "$rows"}},
        },
        "drop_tickets": {
            "effect": [
                {
                    "each": "$ids",
                    "as": "one",
                    "do": [
                        {"get": "ticket", "where": [["id", "=", "$one"]], "else": {"RESOURCE_NOT_FOUND": "No {one}."}},
                        {"delete": "$it"},
                    ],
                }
            ],
            "result": {"dropped": {"$each": ["$made", "$id"]}},
        },
        "book-room": {"result": {"booked": True, "from": "$from", "to": "$to"}},
    },
    "rules": ["book-room.from < book-room.to"],
}  # fmt: skip


def domain_of(value: JsonObject, **changes: JsonValue) -> Domain:
    """The domain that a document writes, some of its parts replaced."""
    return Domain.model_validate({**value, **changes})


@cache
def library() -> CompiledDomain:
    """The library, compiled; it has no faults."""
    return _faultless(compiled_domain(domain_of(LIBRARY), LIBRARY_TOOLS))


@cache
def desk() -> CompiledDomain:
    """The desk, compiled; it has no faults."""
    return _faultless(compiled_domain(domain_of(DESK), DESK_TOOLS))


def _faultless(compiled: CompiledDomain) -> CompiledDomain:
    assert compiled.faults == ()
    return compiled


def world(compiled: CompiledDomain | None = None, seed: int = 7) -> World:
    """The world of a record."""
    return World((compiled or library()).program, seed, TODAY, "en_US")


def scope(compiled: CompiledDomain | None = None, seed: int = 7, **names: Any) -> Scope:
    """A scope over such a world."""
    return world(compiled, seed).scope(**names)


def compiler(*names: str, domain: Domain | None = None, **types: str) -> Compiler:
    """A compiler that knows these names, with faults of its own."""
    return compiler_of(domain or domain_of(LIBRARY), Faults()).naming({**dict.fromkeys(names, ""), **types})
