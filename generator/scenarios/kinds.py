"""The kinds of records: what each is, which tools of a domain can lead one, and how it is laid out.

A kind is one declaration here and one name in three places: its blueprint, its instructions for a model, its check.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.scenarios.blueprint import Blueprint
from generator.scenarios.blueprints import (
    at_once,
    choosing,
    clarifying,
    confirming,
    context,
    conversation,
    correcting,
    dependent,
    no_call,
    outcomes,
    single_turn,
)
from generator.scenarios.play import Play
from generator.worlds.playbook import Playbook
from generator.worlds.tasks import TaskProgram
from generator.worlds.ways import WayProgram

Leads = Callable[[Playbook], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of record."""

    summary: str
    need: str
    """What the domains lack where no tool can lead it."""
    blueprint: Callable[[Play], Blueprint]
    leads: Leads
    """The names of the tools that can lead it."""
    mates: int = 0
    """How many other tools there must be to show."""
    calls: bool = True
    """Whether the leading tool is called, so that the record counts for its coverage."""


def _with_way(fits: Callable[[WayProgram], object], *, look_ups: bool = False) -> Leads:
    """Return the tools with a way that fits; without look-ups, one whose ids can be typed or told."""

    def leads(book: Playbook) -> tuple[str, ...]:
        return tuple(
            name for name, ways in book.ways.items() if any((look_ups or way.tells) and fits(way) for way in ways)
        )

    return leads


def _lax(leads: Leads) -> Leads:
    """Leave out strict tools, which are never called with others."""
    return lambda book: tuple(name for name in leads(book) if not book.tools[name].strict)


def _unasked(leads: Leads) -> Leads:
    """Leave out tools that ask first: a second call after a failed one would need another yes."""
    return lambda book: tuple(name for name in leads(book) if name not in book.asking)


def _may_fail(leads: Leads) -> Leads:
    """Leave out tools that have neither outages nor words for any error."""

    def failing(book: Playbook) -> tuple[str, ...]:
        return tuple(
            name
            for name in leads(book)
            if book.outages != () or any(set(way.replies) - {"ok", "empty"} for way in book.ways[name])
        )

    return failing


def _can_be_found(book: Playbook) -> tuple[str, ...]:
    """The tools with a way whose row can be looked up."""
    found = {name for name, entity in book.program.entities.items() if entity.find and name != book.program.me}
    return _with_way(lambda way: any(each.entity in found for each in way.arguments.ids), look_ups=True)(book)


def _in_tasks(fits: Callable[[TaskProgram], bool]) -> Leads:
    def leads(book: Playbook) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(name for task in book.tasks if fits(task) for name in task.tools if name in book.ways)
        )

    return leads


def _several_at_once(book: Playbook) -> tuple[str, ...]:
    told = {name for task in book.tasks if at_once.is_at_once(task) for name in task.tools}
    return tuple(name for name in _lax(_every)(book) if name in told or at_once.at_once_with(book, name))


def _followed(book: Playbook) -> tuple[str, ...]:
    """The tools with a row that a later wish can refer to."""
    later = {way.types[name] for ways in book.ways.values() for way in ways if way.follow_ups for name in way.draws}
    return _with_way(lambda way: any(way.types.get(name) in later - {""} for name in way.draws), look_ups=True)(book)


def _turns_or_followed(book: Playbook) -> tuple[str, ...]:
    turns = _in_tasks(lambda task: len(task.turns) > 1)(book)
    return tuple(dict.fromkeys((*turns, *_followed(book))))


def _any_tool(book: Playbook) -> tuple[str, ...]:
    """Every tool: none is called."""
    return tuple(book.tools)


_every: Leads = _with_way(lambda way: True)

KINDS: dict[str, Kind] = {
    "simple": Kind(
        "one tool shown, one call", "a tool of which a domain knows what people want", single_turn.simple, _every
    ),
    "multiple": Kind(
        "several tools shown, one of them fits, one call",
        "two tools that may be shown together",
        single_turn.multiple,
        _every,
        mates=1,
    ),
    "many_tools": Kind(
        "twenty to sixty tools shown, one call",
        "at least 24 tools that may be shown together",
        single_turn.many_tools,
        _every,
        mates=23,
    ),
    "parallel": Kind(
        "one tool, several independent calls at once",
        "a tool, not strict, that people want several times at once",
        single_turn.parallel,
        _lax(_with_way(lambda way: way.parallel is not None)),
    ),
    "parallel_multiple": Kind(
        "several tools called at once",
        "two tools, not strict, of one domain",
        at_once.parallel_multiple,
        _several_at_once,
    ),
    "irrelevance": Kind("tools shown, none fits, no call", "a tool", no_call.irrelevance, _any_tool, calls=False),
    "no_tools": Kind(
        "no tool shown: a question answered or a wish declined", "a tool", no_call.no_tools, _any_tool, calls=False
    ),
    "chitchat": Kind(
        "tools shown, none needed: greetings, thanks, small talk", "a tool", no_call.chitchat, _any_tool, calls=False
    ),
    "multi_turn": Kind(
        "two to six wishes, one after the other",
        "an errand of several turns, or a wish that follows another about the same thing",
        conversation.multi_turn,
        _turns_or_followed,
    ),
    "coreference": Kind(
        "a later turn refers to what was said before",
        "a wish that follows another about the same thing (`follow_ups`)",
        conversation.coreference,
        _followed,
    ),
    "argument_shift": Kind(
        "a value is corrected when the assistant asks back, before the call; the last word wins",
        "a way with `corrections`, about which the assistant can ask back",
        correcting.argument_shift,
        _with_way(correcting.can_be_corrected),
    ),
    "intent_switch": Kind(
        "a wish is dropped for another when the assistant asks back; the last word wins",
        "two tools of one domain, one of them with an `ask`",
        conversation.intent_switch,
        lambda book: tuple(name for name in book.telling if conversation.dropped_for(book, name)),
    ),
    "canonicalization": Kind(
        "a date, time or number in everyday words becomes a schema value",
        "a request that says a day, a time or a number with `|on`, `|at` or `|words`",
        context.canonicalization,
        _with_way(lambda way: any(context.has_spoken(text) for text in way.requests)),
    ),
    "profile": Kind(
        "a value comes from the profile in the system message",
        "a way with a `profile`",
        context.profile,
        _with_way(lambda way: way.profile),
    ),
    "long_context": Kind(
        "a value stands in a context of thousands of characters",
        "a way with a `profile`",
        context.long_context,
        _with_way(lambda way: way.profile),
    ),
    "missing_parameter": Kind(
        "the assistant asks for what is missing, the user supplies it, then the call",
        "a way with an `ask`",
        clarifying.missing_parameter,
        _with_way(lambda way: way.asks),
    ),
    "invalid_value": Kind(
        "the assistant points out a value that the schema refuses, the user picks another, then the call",
        "a way with an `invalid` value",
        clarifying.invalid_value,
        _with_way(lambda way: way.invalid),
    ),
    "ambiguous": Kind(
        "the assistant asks between two readings, the user chooses, then the call",
        "a way that says what is `ambiguous`",
        clarifying.ambiguous,
        _with_way(lambda way: way.ambiguous),
    ),
    "sequential": Kind(
        "two wishes at once; the second call needs a value from the result of the first",
        "a task of several calls in one message",
        dependent.sequential,
        _in_tasks(dependent.is_chain),
    ),
    "nested": Kind(
        "one wish, which needs another tool's result first, though nobody names that tool",
        "an entity with a `find`",
        dependent.nested,
        _can_be_found,
    ),
    "error_report": Kind(
        "a call fails, and the assistant says so and what can be done",
        "a tool of which a domain knows what people want",
        outcomes.error_report,
        _may_fail(_every),
    ),
    "partial_failure": Kind(
        "several calls at once, some of which fail; all are told",
        "a tool, not strict, that people want several times at once",
        outcomes.partial_failure,
        _may_fail(_lax(_with_way(lambda way: way.parallel is not None))),
    ),
    "error_recovery": Kind(
        "a call fails over one value; a second one with what the user allowed or the error names succeeds",
        "a way with a `recover`",
        outcomes.error_recovery,
        _unasked(_with_way(lambda way: way.recover)),
    ),
    "empty_result": Kind(
        "a search finds nothing, and the assistant says so",
        "a way that says when nothing is found (`empty`)",
        outcomes.empty_result,
        _with_way(lambda way: way.empty is not None and "empty" in way.replies),
    ),
    "confirm_before_write": Kind(
        "the assistant asks before it changes anything; a yes leads to the call, a no to none",
        "a way with a `confirm`",
        confirming.confirm_before_write,
        _with_way(lambda way: way.confirm),
    ),
    "similar_tools": Kind(
        "near twins shown, what the request says fits one of them",
        "a tool with another one `near`",
        choosing.similar_tools,
        lambda book: tuple(
            name for name in book.telling if any(near in book.tools for near in book.domain.tools[name].near)
        ),
    ),
    "missing_function": Kind(
        "the assistant says what it cannot do, the tool becomes available, then the call",
        "a tool whose domain says what it `can` do",
        choosing.missing_function,
        lambda book: tuple(filter(book.can, book.telling)),
    ),
}
"""Every kind by its name, in the order in which people meet them."""
