"""Which tools of a domain can lead a record of each kind, and how such a record is laid out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.scenarios.blueprints import (
    choosing,
    clarifying,
    confirming,
    context,
    conversation,
    dependent,
    no_call,
    outcomes,
    single_turn,
)
from generator.scenarios.play import Play
from generator.scenarios.sketch import Blueprint
from generator.worlds.playbook import Playbook
from generator.worlds.ways import WayProgram

Leads = Callable[[Playbook], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DomainKind:
    """How a kind is played over a domain."""

    blueprint: Callable[[Play], Blueprint]
    leads: Leads
    """The names of the tools that can lead it."""
    mates: int = 0
    """How many other tools there must be to show."""


def _with_way(fits: Callable[[WayProgram], object]) -> Leads:
    def leads(book: Playbook) -> tuple[str, ...]:
        return tuple(name for name, ways in book.ways.items() if any(fits(way) for way in ways))

    return leads


def _lax(leads: Leads) -> Leads:
    """Leave out strict tools, which are never called with others."""
    return lambda book: tuple(name for name in leads(book) if not book.tools[name].strict)


def _can_be_found(book: Playbook) -> tuple[str, ...]:
    """The tools with a way whose row can be looked up."""
    found = {name for name, entity in book.program.entities.items() if entity.find and name != book.program.me}
    return _with_way(lambda way: any(each.entity in found for each in way.arguments.ids))(book)


def _in_tasks(fits: Callable[[object], bool]) -> Leads:
    def leads(book: Playbook) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(name for task in book.tasks if fits(task) for name in task.tools if name in book.ways)
        )

    return leads


def _several_at_once(book: Playbook) -> tuple[str, ...]:
    return _lax(_every)(book) if len(book.ways) > 1 else ()


def _followed(book: Playbook) -> tuple[str, ...]:
    """The tools with a row that a later wish can refer to."""
    later = {way.types[name] for ways in book.ways.values() for way in ways if way.follow_ups for name in way.draws}
    return _with_way(lambda way: any(way.types.get(name) in later - {""} for name in way.draws))(book)


def _turns_or_followed(book: Playbook) -> tuple[str, ...]:
    turns = _in_tasks(lambda task: len(task.turns) > 1)(book)  # type: ignore[attr-defined]  # a TaskProgram
    return tuple(dict.fromkeys((*turns, *_followed(book))))


def _any_tool(book: Playbook) -> tuple[str, ...]:
    """Every tool: none is called."""
    return tuple(book.tools)


_every: Leads = _with_way(lambda way: True)

DOMAIN_KINDS: dict[str, DomainKind] = {
    "simple": DomainKind(single_turn.simple, _every),
    "multiple": DomainKind(single_turn.multiple, _every, mates=1),
    "many_tools": DomainKind(single_turn.many_tools, _every, mates=23),
    "parallel": DomainKind(single_turn.parallel, _lax(_with_way(lambda way: way.parallel is not None))),
    "parallel_multiple": DomainKind(single_turn.parallel_multiple, _several_at_once),
    "irrelevance": DomainKind(no_call.irrelevance, _any_tool),
    "no_tools": DomainKind(no_call.no_tools, _any_tool),
    "chitchat": DomainKind(no_call.chitchat, _any_tool),
    "multi_turn": DomainKind(conversation.multi_turn, _turns_or_followed),
    "coreference": DomainKind(conversation.coreference, _followed),
    "argument_shift": DomainKind(conversation.argument_shift, _with_way(lambda way: way.corrections)),
    "intent_switch": DomainKind(
        conversation.intent_switch, lambda book: tuple(book.ways) if len(book.ways) > 1 else ()
    ),
    "canonicalization": DomainKind(
        context.canonicalization, _with_way(lambda way: any(context.has_spoken(text) for text in way.requests))
    ),
    "profile": DomainKind(context.profile, _with_way(lambda way: way.profile)),
    "long_context": DomainKind(context.long_context, _with_way(lambda way: way.profile)),
    "missing_parameter": DomainKind(clarifying.missing_parameter, _with_way(lambda way: way.asks)),
    "invalid_value": DomainKind(clarifying.invalid_value, _with_way(lambda way: way.invalid)),
    "ambiguous": DomainKind(clarifying.ambiguous, _with_way(lambda way: way.ambiguous)),
    "sequential": DomainKind(dependent.sequential, _in_tasks(dependent.is_chain)),  # type: ignore[arg-type]
    "nested": DomainKind(dependent.nested, _can_be_found),
    "error_report": DomainKind(outcomes.error_report, _every),
    "partial_failure": DomainKind(outcomes.partial_failure, _lax(_with_way(lambda way: way.parallel is not None))),
    "error_recovery": DomainKind(outcomes.error_recovery, _with_way(lambda way: way.recover)),
    "empty_result": DomainKind(outcomes.empty_result, _with_way(lambda way: way.empty is not None)),
    "confirm_before_write": DomainKind(confirming.confirm_before_write, _with_way(lambda way: way.confirm)),
    "similar_tools": DomainKind(
        choosing.similar_tools,
        lambda book: tuple(
            name for name in book.ways if any(near in book.tools for near in book.domain.tools[name].near)
        ),
    ),
    "missing_function": DomainKind(choosing.missing_function, lambda book: tuple(filter(book.can, book.ways))),
}
"""Every kind that is about tools, by its name."""
