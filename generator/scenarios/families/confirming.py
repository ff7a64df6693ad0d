"""Confirmation: what changes something is done only after the user has said yes to it."""

from __future__ import annotations

from generator.scenarios.kind import Kind
from generator.scenarios.scenario import Step
from generator.scenarios.sketch import Blueprint, Sketch
from generator.scenarios.stock import Stock
from generator.scenarios.voices import state_date
from generator.tools.operations import read_operation
from generator.tools.tool import Tool

WRITING = frozenset(("create", "update", "delete", "send", "book", "order", "pay", "schedule", "toggle"))
"""Families of operations that change something."""
_RULES = (
    "Before you change, create, send, book or delete anything, ask the user to confirm.",
    "Never carry out an action that changes something without the user's explicit confirmation.",
    "Looking things up needs no permission. For everything else, say what you are about to do and wait for a yes.",
    "Ask for confirmation before every call that writes, pays, books, sends or deletes.",
    "Any action with consequences must be confirmed by the user first.",
    "Always repeat the details of an action and get the user's approval before you carry it out.",
)
_OPENINGS = ("You are a helpful assistant.", "You assist the users of our service.", "You are a careful assistant.", "")
_SHARE_DATED = 0.4
_SHARE_DECLINED = 0.25
_MOST_OTHERS = 4


def confirm_before_write(sketch: Sketch) -> Blueprint:
    """The assistant asks before it acts, as the system message demands; a yes leads to the call, a no to none."""
    call = sketch.call(sketch.lead)
    dated = sketch.random.random() < _SHARE_DATED
    opening = state_date(sketch.random, sketch.reference_date) if dated else sketch.random.choice(_OPENINGS)
    asked = (
        Step(request=True, act="wish", about=(call,)),
        Step(reply=True, act="confirm", about=(call,)),
    )
    declined = sketch.random.random() < _SHARE_DECLINED
    if declined:
        ended = (Step(request=True, act="decline", about=(call,)), Step(reply=True, act="leave", about=(call,)))
    else:
        ended = (Step(request=True, calls=(call,), act="agree"), Step(reply=True))
    count = sketch.random.randint(0, _MOST_OTHERS)
    others = sketch.stock.beside(sketch.lead, count, sketch.random, lax=False)
    return Blueprint(
        sketch.shuffled((sketch.lead, *others)),
        (*asked, *ended),
        system=f"{opening} {sketch.random.choice(_RULES)}".strip(),
        states_date=dated,
        claim={"asked_about": call.tool.name, "answer": "no" if declined else "yes"},
    )


def writes(tool: Tool) -> bool:
    """Say whether a tool changes something, and is given something to change."""
    return read_operation(tool.name, tool.description).family in WRITING and bool(tool.parameters["properties"])


def _writing(stock: Stock) -> tuple[str, ...]:
    return tuple(key for key, tool in stock.tools.items() if writes(tool))


KINDS = (
    Kind(
        "confirm_before_write",
        "the assistant asks before it changes anything; a yes leads to the call, a no to none",
        _writing,
        "a tool that changes something: creates, sends, books, pays, deletes",
        confirm_before_write,
        calls=False,
    ),
)
