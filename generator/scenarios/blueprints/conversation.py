"""Conversations over a domain: tasks of several turns, references, dropped wishes, contexts that explain words."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Any

from generator.jsontext import JsonObject, dump_compact
from generator.scenarios.blueprints.outcomes import plan_turn
from generator.scenarios.phrases import phrases, says_value, upper_first
from generator.scenarios.plan_state import outcome_of, question_before, says_nothing_new
from generator.scenarios.planning_context import Layout, PlanningContext, in_tasks, require_success, turn, with_way
from generator.scenarios.scenario import Blueprint, PlanError, PlannedCall, Step
from generator.worlds.compiler import Value
from generator.worlds.program import CompiledDomain
from generator.worlds.rows import ABSENT, Row, Scope
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
    spoken = _expressions(context, arguments)
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


def _expressions(context: PlanningContext, arguments: JsonObject) -> dict[str | int, str]:
    """Return the everyday expression of each value of a call that has one."""
    return {
        value: expression
        for value in arguments.values()
        if isinstance(value, str | int) and not isinstance(value, bool)
        and (expression := everyday(value, context.reference_date, context.random))
    }  # fmt: skip


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
    clock = {0: "{}", 30: "half past {}", 15: "quarter past {}"}.get(minute)
    if clock is None or hour % 12 == 0:
        return ""
    return f"{clock.format(_NUMBERS[hour % 12])} in the {part}"


def profile(context: PlanningContext) -> Blueprint:
    """Values of the call stand in the system message, and the user refers to them."""
    return _profiled(context, "")


def long_context(context: PlanningContext) -> Blueprint:
    """The same in a context of thousands of characters: records of the world around it."""
    return _profiled(context, _records(context))


def _profiled(context: PlanningContext, around: str) -> Blueprint:
    context.open()
    way = context.way(lambda way: way.profile)
    spec, values, texts, requests = context.random.choice(way.profile)
    scope = context.draw(way)
    context.let_know(way.arguments, scope)
    text = context.state.keep(context.state.say(texts, scope))
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
    question = context.state.keep(question_before(context.state, context.name, way.arguments, scope))
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
    for name, entity in context.compiled.program.entities.items():
        view = next(iter(entity.views), None)
        if view is not None and name != context.compiled.program.me:
            lines += [f"- {name} {dump_compact(world.show(row, view))}" for row in world.table(name).values()]
    if sum(len(line) + 1 for line in lines) < _LONG:
        raise PlanError("the world is too small for a long context")
    context.random.shuffle(lines)
    return "\n".join(["Records on file:", *lines])


_SHARE_OF_TASKS = 0.7
_TRIES = 4
"""How often the values of a further wish are drawn, until it fits what it is about."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """A further wish, in words."""

    name: str
    way: WayProgram
    scope: Scope
    text: str
    fresh: frozenset[str]
    """The arguments whose values were not given before: those that it says itself."""


def multi_turn(context: PlanningContext) -> Blueprint:
    """A task over several turns, or two wishes about the same thing."""
    context.open()
    tasks = [task for task in context.compiled.tasks if context.name in task.tools and len(task.turns) > 1]
    if not tasks or context.random.random() >= _SHARE_OF_TASKS:
        return _followed_up(context)
    task = context.task(context.random.choice(tasks))
    scope = context.state.draw(task.draws, context.state.scope())
    steps: tuple[Step, ...] = ()
    for program in task.turns:
        request, groups, reply = plan_turn(context, program, scope)
        steps += turn(request, groups, reply)
    return _shown(context, steps)


def coreference(context: PlanningContext) -> Blueprint:
    """A later turn refers to what was said before."""
    context.open()
    return _followed_up(context, refers=True)


def _followed_up(context: PlanningContext, *, refers: bool = False) -> Blueprint:
    """Lay out a wish about a row, then another one about it, which does not call it by its name where it `refers`."""
    first = context.way(_rows_of, look_ups=True)
    scope = context.draw(first)
    request = context.ask(first.requests, scope)
    groups = [[each] for each in context.look_up(first.arguments, scope)]
    call = context.call(context.name, first.arguments, scope, request)
    require_success(call)
    if call.answer is not None and outcome_of(call.answer) == "empty":
        raise PlanError("there is nothing to speak of further")
    context.state.show([call])
    changed = context.state.world.changes
    steps = turn(request, [*groups, [call]], context.reply(first, scope))
    wish = _next_wish(context, first, scope, call, refers=refers)
    groups = [[each] for each in context.look_up(wish.way.arguments, wish.scope)]
    further = context.call(wish.name, wish.way.arguments, wish.scope, wish.text)
    require_success(further)
    earlier = [each for step in steps for each in step.calls]
    if says_nothing_new(further, wish.fresh, earlier, changed=changed != context.state.start.changes):
        raise PlanError(f"{wish.name} was called like this before")
    return _shown(context, (*steps, *turn(wish.text, [*groups, [further]], context.reply(wish.way, wish.scope))))


def _rows_of(way: WayProgram) -> list[str]:
    """Return the draws of a way that are rows of an entity."""
    return [name for name in way.draws if way.types.get(name)]


def _next_wish(context: PlanningContext, first: WayProgram, scope: Scope, call: PlannedCall, *, refers: bool) -> _Wish:
    """Return a further wish about the rows of the first one, as they are now.

    Raises:
        PlanError: nothing further is wanted.
    """
    rows = _rows_now(context, first, scope)
    found = _further_wishes(context, first, {row.entity for row in rows.values()})
    context.random.shuffle(found)
    for name, way, text in found:
        meant = _meant(way, text.names, rows, again=name == context.name)
        kept = {**_said_before(way, text.names, first, scope, call), **meant}
        if (refers and kept.keys() <= text.names) or _is_unmentioned(way, {*text.names, *kept}):
            continue
        with suppress(PlanError):
            later = _drawn_around(context, way, kept, {f"_{draw}": row for draw, row in rows.items()})
            fresh = frozenset(
                key for key, draw in way.arguments.draws.items() if draw in way.draws and draw not in kept
            )
            return _Wish(name, context.taken(way, name), later, context.ask((text,), later), fresh)
    raise PlanError("nothing further is wanted of this")


def _rows_now(context: PlanningContext, first: WayProgram, scope: Scope) -> dict[str, Row]:
    """Return the rows of a wish as they are now, by their draws: those that "it" can mean."""
    return {
        name: current
        for name in _rows_of(first)
        if isinstance(row := scope.names.get(name), Row)
        and isinstance(current := context.state.world.row(row.ref), Row)
        and _is_clear(context, row)
    }


def _further_wishes(
    context: PlanningContext, first: WayProgram, entities: set[str]
) -> list[tuple[str, WayProgram, Template]]:
    """Return what may be wanted after a wish of rows of these entities: the tool, the way and the words."""
    return [
        (name, way, text)
        for name, ways in context.compiled.ways.items()
        for way in ways
        if way is not first and any(way.types.get(draw) in entities for draw in way.draws)
        for text in way.follow_ups
    ]


def _drawn_around(context: PlanningContext, way: WayProgram, kept: dict[str, Any], others: dict[str, Any]) -> Scope:
    """Draw the rest of a wish about rows as they are now, so that all of it makes sense: what it sets is not so yet.

    Args:
        context: the record.
        way: the wish.
        kept: its draws that are given.
        others: what is drawn anew is none of these.

    Raises:
        PlanError: it makes no sense of these rows, whatever else is drawn.
    """
    left = {key: source for key, source in way.draws.items() if key not in kept}
    for _ in range(_TRIES if left else 1):
        later = context.state.draw(left, context.state.scope(**others, **kept))
        if all(way.tests[draw](later.inside(row)) for draw, row in kept.items() if draw in way.tests):
            return later
    raise PlanError("it makes no sense of what it is about")


def _is_unmentioned(way: WayProgram, mentioned: set[str]) -> bool:
    """Say whether a wish is about a row that nobody has spoken of."""
    roots = {way.arguments.draws.get(each.argument, "") for each in way.arguments.ids}
    return any(root in way.draws and root not in mentioned for root in roots)


def _meant(way: WayProgram, said: frozenset[str], rows: dict[str, Row], *, again: bool) -> dict[str, Any]:
    """Return the draws of a further wish that stand for rows of the first one, each with its row."""
    left = dict(rows)
    meant: dict[str, Any] = {}
    for draw in _referring(way, said, {row.entity for row in rows.values()}, again=again):
        fitting = [name for name, row in left.items() if row.entity == way.types[draw]]
        if fitting:
            meant[draw] = left.pop(draw if draw in fitting else fitting[0])
    return meant


def _referring(way: WayProgram, said: frozenset[str], entities: set[str], *, again: bool) -> list[str]:
    """Return the draws of a further wish that refer to rows of these entities: those that its words leave unsaid.

    Where they say every one, it is the first that they call by its name, unless the same is wanted `again`: that is
    wanted of another one.
    """
    drawn = [draw for draw in way.draws if way.types.get(draw) in entities]
    return [draw for draw in drawn if draw not in said] or drawn[: 0 if again else 1]


def _said_before(
    way: WayProgram, said: frozenset[str], first: WayProgram, scope: Scope, call: PlannedCall
) -> dict[str, Any]:
    """Return the other draws of a further wish that stay as they were: unsaid, and given under the same name before."""
    return {
        draw: scope.names[before]
        for key, draw in way.arguments.draws.items()
        if draw in way.draws and draw not in said and not way.types.get(draw) and key in call.arguments
        if (before := first.arguments.draws.get(key)) in first.draws
    }


def _is_clear(context: PlanningContext, row: Row) -> bool:
    """Say whether "it" can mean this row alone: it was called by name, or no other of its kind was mentioned."""
    if row in context.state.speech.named:
        return True
    key = context.compiled.program.entities[row.entity].key
    result = context.state.results[-1].message_text
    ids = {str(each.get(key)) for each in context.state.world.table(row.entity).values()}
    return {each for each in ids if each in result} <= {str(row.get(key))}


def _shown(context: PlanningContext, steps: tuple[Step, ...]) -> Blueprint:
    called = tuple(dict.fromkeys(call.tool.name for step in steps for call in step.calls))
    lax = any(len(step.calls) > 1 for step in steps)
    beside = context.beside(context.random.randint(0, _MOST_BESIDE), called=called, lax=lax)
    return context.blueprint(steps, (context.lead, *map(context.key, called), *beside))


def dropped_for(compiled: CompiledDomain, name: str) -> tuple[str, ...]:
    """Return the tools of which something may be wanted that is dropped for a wish of another one: when asked back."""
    return tuple(
        other for other in compiled.related[name] if any(way.asks and way.tells for way in compiled.ways[other])
    )


def _entities_of(way: WayProgram) -> set[str]:
    return {entity for draw in way.draws if (entity := way.types.get(draw))}


def _of_the_same(context: PlanningContext, way: WayProgram, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tools that are wanted of the same sort of row as a way, if any are; else all of these."""
    own = _entities_of(way)
    near = [
        name for name in names if any(own & _entities_of(each) for each in context.compiled.ways[name] if each.asks)
    ]
    return tuple(near) or names


def _drawn_of_the_same(context: PlanningContext, left: WayProgram, way: WayProgram, scope: Scope) -> Scope:
    """Draw a wish of the same rows as another one, where it makes sense of them."""
    rows = {name: row for name in _rows_of(way) if isinstance(row := scope.names.get(name), Row)}
    kept = _meant(left, frozenset(), rows, again=False)
    if kept:
        with suppress(PlanError):
            return _drawn_around(context, left, kept, {})
    return context.draw(left)


def intent_switch(context: PlanningContext) -> Blueprint:
    """A wish is dropped for another when the assistant asks back; the last word wins."""
    context.open()
    way = context.way()
    others = context.others(_of_the_same(context, way, dropped_for(context.compiled, context.name)), 1)
    if not others:
        raise PlanError("there is no other wish to drop")
    (dropped,) = others
    left = context.way(lambda way: way.asks, dropped)
    scope = context.draw(way)
    unwanted = _drawn_of_the_same(context, left, way, scope)
    for each, names in ((left, unwanted), (way, scope)):
        context.let_know(each.arguments, names)
    _, requests, questions, _ = context.random.choice(left.asks)
    first = context.state.keep(context.state.say(requests, unwanted))
    question = context.state.keep(context.state.tell(questions, unwanted))
    second = upper_first(context.state.say(way.requests, scope))
    request = context.state.keep(f"{context.random.choice(phrases()['switching']['dropped'])} {second}")
    context.require_known(way.arguments, scope)
    call = context.call(context.name, way.arguments, scope, second)
    require_success(call)
    wished = context.state.values_of(left.arguments, unwanted)
    said = {name: value for name, value in wished.items() if says_value(value, first)}
    claim: JsonObject = {"dropped": dropped, "arguments": said}
    steps = (
        Step(request=True, act="drop", request_text=first),
        Step(reply=True, act="ask", reply_text=question),
        *turn(request, [[call]], context.reply(way, scope)),
    )
    beside = context.beside(context.random.randint(0, _MOST_BESIDE), called=(dropped,))
    return context.blueprint(steps, (context.lead, context.key(dropped), *beside), claim)


def _followed(compiled: CompiledDomain) -> tuple[str, ...]:
    """The tools with a row that a later wish can refer to."""
    later = {way.types[name] for ways in compiled.ways.values() for way in ways if way.follow_ups for name in way.draws}
    return with_way(lambda way: any(way.types.get(name) in later - {""} for name in way.draws), look_ups=True)(compiled)


def _turns_or_followed(compiled: CompiledDomain) -> tuple[str, ...]:
    turns = in_tasks(lambda task: len(task.turns) > 1)(compiled)
    return tuple(dict.fromkeys((*turns, *_followed(compiled))))


LAYOUTS: dict[str, Layout] = {
    "multi_turn": Layout(multi_turn, _turns_or_followed),
    "coreference": Layout(coreference, _followed),
    "intent_switch": Layout(
        intent_switch, lambda compiled: tuple(name for name in compiled.telling if dropped_for(compiled, name))
    ),
    "canonicalization": Layout(canonicalization, with_way(lambda way: any(has_spoken(text) for text in way.requests))),
    "profile": Layout(profile, with_way(lambda way: way.profile)),
    "long_context": Layout(long_context, with_way(lambda way: way.profile)),
}
