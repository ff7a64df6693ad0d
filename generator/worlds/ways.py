"""How people want something, compiled: ways of one tool, tasks of several calls, and wishes that no tool serves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from generator.domains.domain import (
    Ambiguous,
    Ask,
    Invalid,
    Parallel,
    Profile,
    Recover,
    Replies,
    Reply,
    Task,
    TaskCall,
    TaskTurn,
    Unserved,
    Way,
)
from generator.jsontext import JsonObject, JsonValue
from generator.worlds.compiler import Compiler, Path, Types, Value
from generator.worlds.conditions import Test, compile_conditions
from generator.worlds.rows import Source
from generator.worlds.sources import compile_source
from generator.worlds.templates import Template, compile_template, templates
from generator.worlds.values import compile_path, compile_value

Draws = dict[str, Source]
Templates = tuple[Template, ...]
ReplyTemplates = tuple[tuple[Test | None, Template], ...]
"""Replies, each with the condition under which it holds."""

_ROWS = ("row", "new", "ref")


@dataclass(frozen=True, slots=True)
class Identified:
    """An argument that holds the id of a row: people know the row, and perhaps not its id."""

    argument: str
    row: Value
    entity: str


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call."""

    values: dict[str, Value]
    ids: tuple[Identified, ...]
    constants: frozenset[str]
    """Arguments that are the same in every record: the words of the request say them."""
    draws: dict[str, str]
    """Arguments that are what a draw is, each with its name."""
    confirm: Templates = ()
    """How the assistant asks before it makes the call."""


@dataclass(frozen=True, slots=True)
class WayProgram:
    """One way, compiled."""

    number: int
    way: Way
    types: Types
    compiler: Compiler
    draws: Draws
    tests: dict[str, Test]
    """What a row must fulfil to be drawn, by draw."""
    loose: Draws
    """The draws without what makes the call sensible."""
    missing: Draws
    """The draws with a row that the world does not have."""
    arguments: Arguments
    requests: Templates
    replies: dict[str, ReplyTemplates]
    confirm: Templates
    follow_ups: Templates
    corrections: dict[str, Templates]
    asks: tuple[tuple[Ask, Templates, Templates, Templates], ...]
    """What is missing; requests, questions, answers."""
    invalid: tuple[tuple[Invalid, Draws, Templates, Templates, Templates], ...]
    ambiguous: tuple[tuple[Ambiguous, Templates, Templates, Templates], ...]
    recover: tuple[tuple[Recover, Draws, dict[str, Value], Templates, Templates], ...]
    profile: tuple[tuple[Profile, dict[str, Value], Templates, Templates], ...]
    parallel: tuple[Parallel, Templates, Templates] | None
    empty: Draws | None
    tells: bool
    """Whether the ids in its arguments can be typed or told: where not, they have to be looked up."""


def compile_ways(compiler: Compiler, parameters: Mapping[str, JsonObject]) -> dict[str, tuple[WayProgram, ...]]:
    """Compile the ways of every tool that `parameters` has; what is wrong is noted as a fault."""
    domain = compiler.domain
    return {
        name: tuple(
            _way(name, number, way, compiler, parameters[name]) for number, way in enumerate(domain.tools[name].ways)
        )
        for name in domain.tools
        if name in parameters
    }


def compile_draws(
    given: dict[str, JsonValue], path: Path, compiler: Compiler, examples: list[JsonObject] | None = None
) -> tuple[Draws, Compiler]:
    """Compile draws in their order; return the compiler that knows them."""
    draws: Draws = {}
    for name, spec in given.items():
        if isinstance(spec, dict) and spec.get("example") is True:
            drawn: JsonValue = {"from": examples or [{}]}
        else:
            drawn = spec
        draws[name] = compile_source(drawn, (*path, name), compiler)
        compiler = compiler.naming({name: _type_of(drawn)})
    return draws, compiler


def _type_of(spec: JsonValue) -> str:
    if not isinstance(spec, dict):
        return ""
    return next((str(spec[key]) for key in _ROWS if key in spec), "")


def _way(name: str, number: int, way: Way, compiler: Compiler, parameters: JsonObject) -> WayProgram:
    path: Path = ("tools", name, "ways", number)
    domain = compiler.domain
    examples = [{"arguments": each.arguments, "result": each.result} for each in domain.tools[name].examples]
    draws, inner = compile_draws(way.draw, (*path, "draw"), compiler, examples)
    loose, _ = compile_draws(_loosened(way.draw), (*path, "draw"), compiler, examples)
    missing, _ = compile_draws(_missing(way.draw), (*path, "draw"), compiler, examples)
    with_results = replying(inner)
    replies = {**domain.tools[name].replies}
    arguments = compile_arguments(way.arguments, (*path, "arguments"), inner, parameters)
    confirm = templates(way.confirm, (*path, "confirm"), inner)
    return WayProgram(
        number=number, way=way, types=inner.types, compiler=inner, draws=draws, tests=_tests(way, path, inner),
        loose=loose, missing=missing,
        arguments=replace(arguments, confirm=confirm),
        requests=templates(way.requests, (*path, "requests"), inner),
        replies={
            **_replies(replies, ("tools", name, "replies"), with_results.naming({}, open=True)),
            **_replies(way.replies, (*path, "replies"), with_results),
        },
        confirm=confirm,
        follow_ups=templates(way.follow_ups, (*path, "follow_ups"), inner),
        corrections={
            key: templates(texts, (*path, "corrections", key), inner.naming({"was": inner.types.get(key, "")}))
            for key, texts in way.corrections.items()
        },
        asks=tuple(
            (ask, *_talk(ask, (*path, "ask", place), inner)) for place, ask in enumerate(way.ask)
        ),
        invalid=tuple(_invalid(each, (*path, "invalid", place), inner, way) for place, each in enumerate(way.invalid)),
        ambiguous=tuple(
            (each, *_talk(each, (*path, "ambiguous", place), inner.naming({"said": ""})))
            for place, each in enumerate(way.ambiguous)
        ),
        recover=tuple(_recover(each, (*path, "recover", place), inner) for place, each in enumerate(way.recover)),
        profile=tuple(_profile(each, (*path, "profile", place), inner) for place, each in enumerate(way.profile)),
        parallel=_parallel(way.parallel, (*path, "parallel"), inner),
        empty=None if way.empty is None else compile_draws(way.empty, (*path, "empty"), inner)[0],
        tells=all(_can_be_said(entity, way, inner) for entity in _entities_told(way.arguments, inner)),
    )  # fmt: skip


def _tests(way: Way, path: Path, compiler: Compiler) -> dict[str, Test]:
    return {
        name: compile_conditions(spec.get("where", []), (*path, "draw", name, "where"), compiler, str(spec["row"]))
        for name, spec in way.draw.items()
        if isinstance(spec, dict) and isinstance(spec.get("row"), str) and spec["row"] in compiler.domain.entities
    }


def _entities_told(arguments: JsonObject, compiler: Compiler) -> set[str]:
    return {each.entity for each in _identified(arguments, compiler)}


_TALK: Any = {"draw", "arguments", "replies", "empty", "follow_ups", "confirm"}
"""Parts of a way that are no words in which the user wants something."""


def _texts(value: Any) -> Iterator[str]:
    """Yield every text of a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _can_be_said(name: str, way: Way, compiler: Compiler) -> bool:
    """Say whether the id of a row may be said: by its name, by the system message, or by the request itself."""
    entity = compiler.domain.entities[name]
    if entity.told or name == compiler.domain.me:
        return True
    texts = list(_texts(way.model_dump(exclude=_TALK)))
    rows = "|".join(re.escape(each) for each, of in compiler.types.items() if of) or "it"
    if entity.say_id and any(re.search(rf"[{{.](?:{rows}|{re.escape(name)}|it|each)\s*[}}:|]", text) for text in texts):
        return True
    slot = re.compile(rf"\{{[^{{}}]*\b{re.escape(entity.key)}\b")
    return any(map(slot.search, [*entity.say, *texts]))


def _loosened(draws: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {
        name: {"row": spec["row"]} if isinstance(spec, dict) and "row" in spec else spec for name, spec in draws.items()
    }


def _missing(draws: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Let the first row be one that the world does not have."""
    found = next((name for name, spec in draws.items() if isinstance(spec, dict) and "row" in spec), None)
    return draws if found is None else {**draws, found: {"new": draws[found]["row"]}}


def replying(compiler: Compiler) -> Compiler:
    """Return a compiler that knows the names of results."""
    return compiler.naming({"r": "", **{f"r{number}": "" for number in range(1, 9)}})


def _talk(spec: Ask | Ambiguous | Invalid, path: Path, compiler: Compiler) -> tuple[Templates, Templates, Templates]:
    return (
        templates(spec.requests, (*path, "requests"), compiler),
        templates(spec.questions, (*path, "questions"), compiler),
        templates(spec.answers, (*path, "answers"), compiler),
    )


def _invalid(
    spec: Invalid, path: Path, compiler: Compiler, way: Way
) -> tuple[Invalid, Draws, Templates, Templates, Templates]:
    draws, inner = compile_draws(spec.draw, (*path, "draw"), compiler)
    requests, questions, answers = _talk(spec, path, inner)
    if not requests:
        requests = templates(way.requests, (*path, "requests"), inner)
    return spec, draws, requests, questions, answers


def _recover(
    spec: Recover, path: Path, compiler: Compiler
) -> tuple[Recover, Draws, dict[str, Value], Templates, Templates]:
    draws, inner = compile_draws(spec.draw, (*path, "draw"), compiler)
    first = {key: compile_value(value, (*path, "first", key), inner) for key, value in spec.first.items()}
    replies = templates(spec.replies, (*path, "replies"), replying(inner))
    return spec, draws, first, templates(spec.requests, (*path, "requests"), inner), replies


def _profile(spec: Profile, path: Path, compiler: Compiler) -> tuple[Profile, dict[str, Value], Templates, Templates]:
    values = {key: compile_value(value, (*path, "arguments", key), compiler) for key, value in spec.arguments.items()}
    texts = templates(spec.told, (*path, "told"), compiler)
    return spec, values, texts, templates(spec.requests, (*path, "requests"), compiler)


def _parallel(spec: Parallel | None, path: Path, compiler: Compiler) -> tuple[Parallel, Templates, Templates] | None:
    if spec is None:
        return None
    inner = compiler.naming({"each": ""})
    return (
        spec,
        templates(spec.requests, (*path, "requests"), inner),
        templates(spec.replies, (*path, "replies"), replying(inner)),
    )


def _replies(given: Replies, path: Path, compiler: Compiler) -> dict[str, ReplyTemplates]:
    return {outcome: compile_replies(each, (*path, outcome), compiler) for outcome, each in given.items()}


def compile_replies(given: tuple[str | Reply, ...], path: Path, compiler: Compiler) -> ReplyTemplates:
    """Compile replies, some of which hold under a condition."""
    found: list[tuple[Test | None, Template]] = []
    for number, each in enumerate(given):
        if isinstance(each, str):
            found.append((None, compile_template(each, (*path, number), compiler)))
            continue
        test = compile_conditions(list(each.when), (*path, number, "when"), compiler)
        found += [(test, text) for text in templates(each.say, (*path, number, "say"), compiler)]
    return tuple(found)


def compile_arguments(given: JsonObject, path: Path, compiler: Compiler, parameters: JsonObject) -> Arguments:
    """Compile the arguments of a call; names that the tool has no parameter of are faults."""
    properties = parameters.get("properties", {})
    takes_any = not properties and parameters.get("additionalProperties", True) is True
    for name in () if takes_any else given:
        if name not in properties:
            compiler.faults.unknown((*path, name), "argument", name, properties)
    values = {name: compile_value(value, (*path, name), compiler) for name, value in given.items()}
    return Arguments(
        values,
        tuple(_identified(given, compiler)),
        frozenset(name for name, value in given.items() if not _is_open(value)),
        _draws_of(given, compiler),
    )


def _draws_of(given: JsonObject, compiler: Compiler) -> dict[str, str]:
    """Return the arguments such as `$loan.book.title` that go from a name that is known, each with that name."""
    paths = {name: value[1:] for name, value in given.items() if isinstance(value, str) and value.startswith("$")}
    names = {name: path.split(".")[0] for name, path in paths.items()}
    return {name: first for name, first in names.items() if first in compiler.types}


def _is_open(value: Any) -> bool:
    if isinstance(value, str):
        return value.startswith("$") and not value.startswith("$$")
    if isinstance(value, dict):
        return any(key.startswith("$") for key in value) or any(_is_open(each) for each in value.values())
    return any(_is_open(each) for each in value) if isinstance(value, list) else False


def _identified(given: JsonObject, compiler: Compiler) -> Iterator[Identified]:
    """Yield the arguments that are or hold `$row.id`, at any depth, whatever the entity calls its key."""
    for name, value in given.items():
        for each in _plain_leaves(value):
            if isinstance(each, str) and each.startswith("$") and "." in each:
                keys = each[1:].split("|")[0].split(".")
                entity = compiler.type_at(keys[:-1])
                if entity and compiler.domain.entities[entity].key == keys[-1]:
                    yield Identified(name, compile_path(keys[:-1]), entity)


def _plain_leaves(value: JsonValue) -> Iterator[JsonValue]:
    """Yield what stands in lists and objects as it is; what an operator makes something of is left out."""
    if isinstance(value, list):
        for each in value:
            yield from _plain_leaves(each)
    elif isinstance(value, dict):
        for each in () if any(key.startswith("$") for key in value) else value.values():
            yield from _plain_leaves(each)
    else:
        yield value


RESULT = re.compile(r"r[0-9]*")


@dataclass(frozen=True, slots=True)
class TurnProgram:
    """One turn of a task, compiled: groups of calls made at once, each call with its tool."""

    requests: Templates
    groups: tuple[tuple[tuple[str, Arguments, Test | None], ...], ...]
    replies: ReplyTemplates


@dataclass(frozen=True, slots=True)
class TaskProgram:
    """A task, compiled."""

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
        compile_replies(turn.replies, (*path, "replies"), compiler),
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
    return bool(arguments.ids) or any(RESULT.fullmatch(name) for name in arguments.draws.values())


def _unserved(number: int, wish: Unserved, compiler: Compiler) -> WishProgram:
    path: Path = ("unserved", number)
    draws, inner = compile_draws(wish.draw, (*path, "draw"), compiler)
    return WishProgram(
        draws, templates(wish.requests, (*path, "requests"), inner), templates(wish.replies, (*path, "replies"), inner)
    )
