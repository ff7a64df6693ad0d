"""Leads: which tools of a domain can lead a record of a kind, and the layout that a kind has by its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.scenarios.planning_context import PlanningContext
from generator.scenarios.scenario import Blueprint
from generator.worlds.playbook import Playbook
from generator.worlds.ways import TaskProgram, WayProgram

Leads = Callable[[Playbook], tuple[str, ...]]
"""Returns the names of the tools of a domain that can lead a record."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How records of a kind are laid out."""

    blueprint: Callable[[PlanningContext], Blueprint]
    leads: Leads


def with_way(fits: Callable[[WayProgram], object], *, look_ups: bool = False) -> Leads:
    """Return the tools with a way that fits; without look-ups, one whose ids can be typed or told."""

    def leads(book: Playbook) -> tuple[str, ...]:
        return tuple(
            name for name, ways in book.ways.items() if any((look_ups or way.tells) and fits(way) for way in ways)
        )

    return leads


def lax(leads: Leads) -> Leads:
    """Leave out strict tools, which are never called with others."""
    return lambda book: tuple(name for name in leads(book) if not book.tools[name].strict)


def unasked(leads: Leads) -> Leads:
    """Leave out tools that ask first: a second call after a failed one would need another yes."""
    return lambda book: tuple(name for name in leads(book) if name not in book.asking)


def may_fail(leads: Leads) -> Leads:
    """Leave out tools that have neither outages nor words for any error."""

    def failing(book: Playbook) -> tuple[str, ...]:
        return tuple(
            name
            for name in leads(book)
            if book.outages != () or any(set(way.replies) - {"ok", "empty"} for way in book.ways[name])
        )

    return failing


def in_tasks(fits: Callable[[TaskProgram], bool]) -> Leads:
    """Return the tools of the tasks that fit."""

    def leads(book: Playbook) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(name for task in book.tasks if fits(task) for name in task.tools if name in book.ways)
        )

    return leads


def any_tool(book: Playbook) -> tuple[str, ...]:
    """Every tool: none is called."""
    return tuple(book.tools)


every: Leads = with_way(lambda way: True)
"""The tools of which a domain knows what people want."""
