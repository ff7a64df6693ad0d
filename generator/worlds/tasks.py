"""Tasks: errands of several calls, and wishes that no tool serves, compiled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generator.domains.domain import Task, TaskCall, Unserved
from generator.jsontext import JsonObject
from generator.worlds.compiler import Compiler, Path
from generator.worlds.conditions import Test, compile_conditions
from generator.worlds.ways import (
    Arguments,
    Draws,
    Templates,
    Told,
    compile_arguments,
    compile_draws,
    replying,
    templates,
    told,
)

_RESULT = re.compile(r"r[0-9]*")


@dataclass(frozen=True, slots=True)
class TurnProgram:
    """One turn of a task, compiled: groups of calls made at once, each call with its tool."""

    requests: Templates
    groups: tuple[tuple[tuple[str, Arguments, Test | None], ...], ...]
    replies: Told


@dataclass(frozen=True, slots=True)
class TaskProgram:
    """An errand, compiled."""

    number: int
    draws: Draws
    turns: tuple[TurnProgram, ...]
    tools: tuple[str, ...]
    carries: bool
    """Whether a later call of a turn is given what an earlier one brings, or needs a look-up."""


@dataclass(frozen=True, slots=True)
class WishProgram:
    """A wish that no tool serves, compiled."""

    draws: Draws
    requests: Templates
    replies: Templates


def compile_tasks(compiler: Compiler, parameters: Mapping[str, JsonObject]) -> tuple[TaskProgram, ...]:
    """Compile the tasks whose tools are all there."""
    found = []
    for number, task in enumerate(compiler.domain.tasks):
        called = [call.call for call in _calls_of(task)]
        for name in called:
            if name not in compiler.domain.tools and name not in parameters:
                compiler.faults.unknown(("tasks", number), "tool", name, parameters)
        if all(name in parameters for name in called):
            found.append(_task(number, task, compiler, parameters))
    return tuple(found)


def compile_unserved(compiler: Compiler) -> tuple[WishProgram, ...]:
    """Compile the wishes that no tool serves."""
    return tuple(_unserved(number, each, compiler) for number, each in enumerate(compiler.domain.unserved))


def _calls_of(task: Task) -> Iterator[TaskCall]:
    for turn in task.turns:
        for call in turn.calls:
            yield from call if isinstance(call, tuple) else (call,)


def _task(number: int, task: Task, compiler: Compiler, parameters: Mapping[str, JsonObject]) -> TaskProgram:
    path: Path = ("tasks", number)
    draws, inner = compile_draws(task.draw, (*path, "draw"), compiler)
    inner = replying(inner)
    turns = []
    for place, turn in enumerate(task.turns):
        at = (*path, "turns", place)
        groups = []
        for position, group in enumerate(turn.calls):
            calls = group if isinstance(group, tuple) else (group,)
            groups.append(
                tuple(
                    (
                        call.call,
                        compile_arguments(
                            call.arguments, (*at, "calls", position, "arguments"), inner, parameters[call.call]
                        ),
                        compile_conditions(list(call.when), (*at, "calls", position, "when"), inner)
                        if call.when
                        else None,
                    )
                    for call in calls
                )
            )
        turns.append(
            TurnProgram(
                templates(turn.requests, (*at, "requests"), inner),
                tuple(groups),
                told(turn.replies, (*at, "replies"), inner),
            )
        )
    carries = any(_is_given(arguments) for turn in turns for group in turn.groups[1:] for _, arguments, _ in group)
    tools = tuple(dict.fromkeys(call.call for call in _calls_of(task)))
    return TaskProgram(number, draws, tuple(turns), tools, carries)


def _is_given(arguments: Arguments) -> bool:
    """Say whether a call has an id, or a value from an earlier result."""
    return bool(arguments.ids) or any(_RESULT.fullmatch(name) for name in arguments.draws.values())


def _unserved(number: int, wish: Unserved, compiler: Compiler) -> WishProgram:
    path: Path = ("unserved", number)
    draws, inner = compile_draws(wish.draw, (*path, "draw"), compiler)
    return WishProgram(
        draws, templates(wish.requests, (*path, "requests"), inner), templates(wish.replies, (*path, "replies"), inner)
    )
