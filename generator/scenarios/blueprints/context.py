"""Kinds over a domain whose values are not said as they are called: everyday expressions, profiles, long contexts."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from random import Random

from generator.jsontext import JsonObject, dump_compact
from generator.scenarios.consent import question_before
from generator.scenarios.lead_tools import Layout, with_way
from generator.scenarios.planning_context import PlanningContext, turn
from generator.scenarios.scenario import Blueprint, PlanError
from generator.worlds.compiler import Value
from generator.worlds.rows import ABSENT, Scope
from generator.worlds.templates import Template
from generator.worlds.values import compile_path
from generator.worlds.ways import Arguments, WayProgram

_MOST_BESIDE = 4
_LONG = 4_200
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def canonicalization(context: PlanningContext) -> Blueprint:
    """A date, a time or a number is said in everyday words and called with its value."""
    context.open()
    way = context.way(lambda way: any(has_spoken(template) for template in way.requests))
    scope = context.draw(way)
    arguments = context.state.values_of(way.arguments, scope)
    spoken = {
        value: expression
        for value in arguments.values()
        if isinstance(value, str | int) and not isinstance(value, bool)
        and (expression := everyday(value, context.reference_date, context.random))
    }  # fmt: skip
    context.state.speech.spoken = spoken
    context.let_know(way.arguments, scope)
    request = context.ask(tuple(filter(has_spoken, way.requests)), scope)
    used = [value for value in context.state.speech.used_spoken if value in spoken]
    name = next((name for name, value in arguments.items() if used and value == used[0]), "")
    if not name:
        raise PlanError("no value of the call has an everyday expression")
    context.state.speech.tells_no_year = True
    context.require_known(way.arguments, scope)
    call = context.call(context.name, way.arguments, scope, request)
    context.state.speech.spoken = {}
    steps = turn(request, [[call]], context.reply(way, scope))
    claim: JsonObject = {"parameter": name, "said": spoken[used[0]]}
    return context.blueprint(steps, (context.lead, *context.beside(context.random.randint(0, _MOST_BESIDE))), claim)


def has_spoken(template: Template) -> bool:
    """Say whether a request has a slot that an everyday expression can fill."""
    return any(f"|{form}}}" in template.source for form in ("on", "at", "words"))


def everyday(value: str | int, today: date, random: Random) -> str:
    """Return the everyday expression for a day, a time of day or a number; "" where there is none."""
    if isinstance(value, int):
        return _NUMBERS[value] if 1 < value < len(_NUMBERS) else ""
    try:
        return _day(date.fromisoformat(value), today, random)
    except ValueError:
        return _clock(value)


def _day(day: date, today: date, random: Random) -> str:
    ahead = (day - today).days
    fixed = {0: "today", 1: "tomorrow", 2: "the day after tomorrow", 7: "a week from today"}
    options = [fixed[ahead]] if ahead in fixed else []
    if 1 < ahead <= 7:
        which = "this" if day.weekday() > today.weekday() else "next"
        options.append(f"{which} {_WEEKDAYS[day.weekday()]}")
    if 2 < ahead < 7:
        options.append(f"in {_NUMBERS[ahead]} days")
    if ahead in (14, 21, 28):
        options.append(f"in {_NUMBERS[ahead // 7]} weeks")
    return random.choice(options) if options and timedelta(0) <= day - today else ""


def _clock(value: str) -> str:
    if len(value) != len("09:30") or not value[:2].isdecimal() or not value[3:].isdecimal():
        return ""
    hour, minute = int(value[:2]), int(value[3:])
    if (hour, minute) in ((12, 0), (0, 0)):
        return "noon" if hour else "midnight"
    part = "morning" if hour < 12 else "afternoon" if hour < 18 else "evening"
    told = {0: "{}", 30: "half past {}", 15: "quarter past {}"}.get(minute)
    if told is None or hour % 12 == 0:
        return ""
    return f"{told.format(_NUMBERS[hour % 12])} in the {part}"


def profile(context: PlanningContext) -> Blueprint:
    """Values of the call stand in the system message, and the user refers to them."""
    return _profiled(context, "")


def long_context(context: PlanningContext) -> Blueprint:
    """The same in a context of thousands of characters: records of the world around it."""
    return _profiled(context, _records(context))


def _profiled(context: PlanningContext, around: str) -> Blueprint:
    context.open()
    way = context.way(lambda way: way.profile)
    spec, values, told, requests = context.random.choice(way.profile)
    scope = context.draw(way)
    context.let_know(way.arguments, scope)
    text = context.state.hear(context.state.say(told, scope))
    half = len(around) // 2
    cut = around.find("\n", half) if around else -1
    context.own_system.append(f"{around[:cut]}\n{text}\n{around[cut + 1 :]}" if cut > 0 else text)
    request = context.ask(requests, scope)
    given = {name: value for name, value in way.arguments.values.items() if name not in values}
    arguments: JsonObject = {
        **context.state.values_of(_only(way.arguments, given), scope),
        **context.state.values_of(_only(way.arguments, values), scope),
    }
    _rename(way, spec.arguments, scope)
    question = context.state.hear(question_before(context.state, context.name, way.arguments, scope))
    planned = replace(context.state.call(context.name, arguments), question=question)
    steps = turn(request, [[planned]], context.reply(way, scope))
    claim: JsonObject = {"profile": dict(spec.labels)}
    return context.blueprint(steps, (context.lead, *context.beside(context.random.randint(0, _MOST_BESIDE))), claim)


def _rename(way: WayProgram, filled: JsonObject, scope: Scope) -> None:
    """Let the draws whose arguments the profile fills stand for what it fills them with, or for nothing."""
    for name, given in filled.items():
        draw, own = way.arguments.draws.get(name), way.way.arguments.get(name)
        if draw not in way.draws or not isinstance(own, str):
            continue
        tail = own[1:].split(".")[1:]
        keys = given[1:].split(".") if isinstance(given, str) and given.startswith("$") else []
        fits = bool(keys) and keys[len(keys) - len(tail) :] == tail and len(keys) > len(tail)
        value = compile_path(keys[: len(keys) - len(tail)])(scope) if fits else ABSENT
        if value is ABSENT:
            scope.names.pop(draw, None)
        else:
            scope.names[draw] = value


def _only(arguments: Arguments, values: dict[str, Value]) -> Arguments:
    return replace(arguments, values=values)


def _records(context: PlanningContext) -> str:
    """Return the rows of the world as lines, in the views that results have.

    Raises:
        PlanError: there are too few for a long context.
    """
    world, lines = context.state.world, list[str]()
    for name, entity in context.book.program.entities.items():
        view = next(iter(entity.views), None)
        if view is not None and name != context.book.program.me:
            lines += [f"- {name} {dump_compact(world.show(row, view))}" for row in world.table(name).values()]
    if sum(len(line) + 1 for line in lines) < _LONG:
        raise PlanError("the world is too small for a long context")
    context.random.shuffle(lines)
    return "\n".join(["Records on file:", *lines])


LAYOUTS: dict[str, Layout] = {
    "canonicalization": Layout(canonicalization, with_way(lambda way: any(has_spoken(text) for text in way.requests))),
    "profile": Layout(profile, with_way(lambda way: way.profile)),
    "long_context": Layout(long_context, with_way(lambda way: way.profile)),
}
