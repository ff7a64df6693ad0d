"""Tasks: errands of several calls, and wishes that no tool serves, compiled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from generator.domains.domain import Task, TaskCall, TaskTurn, Unserved
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
            yield from _group(call)


def _task(number: int, task: Task, compiler: Compiler, parameters: Mapping[str, JsonObject]) -> TaskProgram:
    path: Path = ("tasks", number)
    draws, inner = compile_draws(task.draw, (*path, "draw"), compiler)
    inner = replying(inner)
    turns = tuple(_turn(turn, (*path, "turns", place), inner, parameters) for place, turn in enumerate(task.turns))
    carries = any(_is_given(arguments) for turn in turns for group in turn.groups[1:] for _, arguments, _ in group)
    tools = tuple(dict.fromkeys(call.call for call in _calls_of(task)))
    return TaskProgram(number, draws, turns, tools, carries)


def _turn(turn: TaskTurn, path: Path, compiler: Compiler, parameters: Mapping[str, JsonObject]) -> TurnProgram:
    return TurnProgram(
        templates(turn.requests, (*path, "requests"), compiler),
        tuple(
            tuple(_call(call, (*path, "calls", number), compiler, parameters) for call in _group(given))
            for number, given in enumerate(turn.calls)
        ),
        told(turn.replies, (*path, "replies"), compiler),
    )


def _group(given: TaskCall | tuple[TaskCall, ...]) -> tuple[TaskCall, ...]:
    return given if isinstance(given, tuple) else (given,)


def _call(
    call: TaskCall, path: Path, compiler: Compiler, parameters: Mapping[str, JsonObject]
) -> tuple[str, Arguments, Test | None]:
    arguments = compile_arguments(call.arguments, (*path, "arguments"), compiler, parameters[call.call])
    asked = replace(arguments, confirm=templates(call.confirm, (*path, "confirm"), compiler))
    return call.call, asked, compile_conditions(list(call.when), (*path, "when"), compiler) if call.when else None


def _is_given(arguments: Arguments) -> bool:
    """Say whether a call has an id, or a value from an earlier result."""
    return bool(arguments.ids) or any(_RESULT.fullmatch(name) for name in arguments.draws.values())


def _unserved(number: int, wish: Unserved, compiler: Compiler) -> WishProgram:
    path: Path = ("unserved", number)
    draws, inner = compile_draws(wish.draw, (*path, "draw"), compiler)
    return WishProgram(
        draws, templates(wish.requests, (*path, "requests"), inner), templates(wish.replies, (*path, "replies"), inner)
    )
