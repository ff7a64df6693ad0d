"""Outcomes over a domain: calls that need an earlier one's result, fail, fail in part, are mended, or find nothing."""

from __future__ import annotations

import re
from typing import Any

from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.records import SUCCESS
from generator.scenarios.blueprints.single_turn import draw_several, in_order, one_by_one, shared_by
from generator.scenarios.failures import subject_of
from generator.scenarios.plan_state import outcome_of
from generator.scenarios.planning_context import (
    Layout,
    PlanningContext,
    every,
    in_tasks,
    lax,
    may_fail,
    require_success,
    turn,
    unasked,
    with_way,
)
from generator.scenarios.scenario import Blueprint, PlanError, PlannedCall
from generator.worlds.program import CompiledDomain
from generator.worlds.rows import Scope
from generator.worlds.ways import TaskProgram, TurnProgram, WayProgram

_MOST_BESIDE = 4
_SHARE_OF_TASKS = 0.4


def nested(context: PlanningContext) -> Blueprint:
    """One wish, whose call needs what a look-up brings that nobody has asked for."""
    context.open()
    found = {
        name
        for name, entity in context.compiled.program.entities.items()
        if entity.find and name != context.compiled.program.me
    }
    way = context.way(lambda way: any(each.entity in found for each in way.arguments.ids), look_ups=True)
    scope = context.draw(way)
    request = context.ask(way.requests, scope)
    looked_up = context.look_up(way.arguments, scope)
    if not looked_up:
        raise PlanError("nothing has to be looked up")
    call = context.call(context.name, way.arguments, scope, request)
    require_success(call)
    reply = context.reply(way, scope)
    groups = [[each] for each in looked_up] + [[call]]
    return _carried_on(context, request, groups, reply)


def sequential(context: PlanningContext) -> Blueprint:
    """A task of several calls in one message; a later one needs what an earlier one brings."""
    context.open()
    tasks = [task for task in context.compiled.tasks if context.name in task.tools and is_chain(task)]
    if not tasks:
        raise PlanError(f"no task of several calls has {context.name}")
    (task,) = context.random.choices(tasks, [len(each.turns[0].groups) ** 2 for each in tasks])  # long tasks are rare
    scope = context.state.draw(context.task(task).draws, context.state.scope())
    request, groups, reply = plan_turn(context, task.turns[0], scope)
    if len(groups) < 2:
        raise PlanError("the task ends after its first call")
    return _carried_on(context, request, groups, reply)


def is_chain(task: TaskProgram) -> bool:
    """Say whether a task is one message with calls one after the other."""
    return len(task.turns) == 1 and len(task.turns[0].groups) > 1 and task.carries


def plan_turn(context: PlanningContext, program: TurnProgram, scope: Scope) -> tuple[str, list[list[PlannedCall]], str]:
    """Plan one turn of a task: the request, its calls in groups with the look-ups they need, the reply."""
    scope.names |= numbered(context, scope)
    request = context.ask(program.requests, scope)
    groups: list[list[PlannedCall]] = []
    for group in program.groups:
        made: list[PlannedCall] = []
        for name, arguments, test in group:
            scope.names |= numbered(context, scope)
            if test is not None and not test(scope):
                continue
            kept = list(context.state.results)
            looked_up = context.look_up(arguments, scope)
            context.state.results = kept
            groups += [[each] for each in looked_up]
            made.append(context.call(name, arguments, scope, request))
            require_success(made[-1])
        context.state.show(made)
        groups += [made] if made else []
    scope.names |= numbered(context, scope)
    return request, groups, context.state.keep(context.state.reply(program.replies, scope))


def numbered(context: PlanningContext, scope: Scope) -> JsonObject:
    """Return the results of the task's own calls by their numbers; look-ups that were put in do not count."""
    names = context.state.result_names()
    return {name: value for name, value in names.items() if name not in scope.names or scope.names[name] != value}


def _carried_on(context: PlanningContext, request: str, groups: list[list[PlannedCall]], reply: str) -> Blueprint:
    called = tuple(dict.fromkeys(call.tool.name for group in groups for call in group))
    beside = context.beside(
        context.random.randint(0, _MOST_BESIDE), called=called, lax=any(len(group) > 1 for group in groups)
    )
    claim: JsonObject = {"carried": carried(context, groups, request)}
    if not all(carried(context, groups[:many], request) for many in range(2, len(groups) + 1)):
        raise PlanError("a later call carries nothing on from an earlier one")
    return context.blueprint(turn(request, groups, reply), (*map(context.key, called), *beside), claim)


def carried(context: PlanningContext, groups: list[list[PlannedCall]], request: str) -> list[str]:
    """Return the arguments of the last calls that stand in an earlier result and were not said."""
    earlier = [call.answer.message_text for group in groups[:-1] for call in group if call.answer is not None]
    said = "\n".join([*context.own_system, *context.state.system, request]).casefold()
    last = [item for call in groups[-1] for item in call.arguments.items()]
    return sorted({name for name, value in last if _is_carried(value, earlier, said)})


def _is_carried(value: JsonValue, earlier: list[str], said: str) -> bool:
    if isinstance(value, dict | list):
        return any(_is_carried(each, earlier, said) for each in (value.values() if isinstance(value, dict) else value))
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return False
    whole = re.compile(rf"(?<![\w.-]){re.escape(dump_compact(value))}(?![\w.-])")
    return str(value).casefold() not in said and any(whole.search(text) for text in earlier)


def _found(compiled: CompiledDomain) -> set[str]:
    """Return the entities whose rows can be looked up."""
    return {name for name, entity in compiled.program.entities.items() if entity.find and name != compiled.program.me}


def _can_be_found(compiled: CompiledDomain) -> tuple[str, ...]:
    """The tools with a way whose row can be looked up."""
    found = _found(compiled)
    return with_way(lambda way: any(each.entity in found for each in way.arguments.ids), look_ups=True)(compiled)


_SHARE_OF_OUTAGES = 0.3
_NOT_ERRORS = ("ok", "empty")
_TRIES = 12


def error_report(context: PlanningContext) -> Blueprint:
    """The call fails, since the world refuses it or the service is out; the answer says so and what can be done."""
    context.open()
    beside = context.beside(context.random.randint(0, _MOST_BESIDE))
    if context.compiled.outages != () and (context.random.random() < _SHARE_OF_OUTAGES or not _failing_ways(context)):
        way = context.way()
        scope = context.draw(way)
        context.let_know(way.arguments, scope)
        request = context.ask(way.requests, scope)
        context.require_known(way.arguments, scope)
        call = context.call(context.name, way.arguments, scope, request, context.failing())
        thing = subject_of(context.state, way, scope, call)
    else:
        way, scope = _refused_wish(context)
        context.let_know(way.arguments, scope)
        request = context.ask(way.requests, scope)
        context.require_known(way.arguments, scope)
        call = context.call(context.name, way.arguments, scope, request)
        thing = ""
    return context.blueprint(turn(request, [[call]], context.reply(way, scope, thing)), (context.lead, *beside))


def _failing_ways(context: PlanningContext) -> list[WayProgram]:
    return [
        way for way in context.compiled.ways.get(context.name, ()) if any(key not in _NOT_ERRORS for key in way.replies)
    ]


def _refused_wish(context: PlanningContext) -> tuple[WayProgram, Scope]:
    """Draw a wish that the world refuses, with an error that the domain has words for.

    Raises:
        PlanError: none was found.
    """
    ways = _failing_ways(context)
    if not ways:
        raise PlanError("the domain knows of no failure")
    for attempt in range(_TRIES):
        way = ways[(context.visit + attempt) % len(ways)]
        draws = way.missing if attempt % 2 else way.loose
        scope = context.state.draw(draws, context.state.scope())
        outcome = _outcome(context, way, scope)
        if outcome not in _NOT_ERRORS and outcome in way.replies:
            return context.taken(way), scope
    raise PlanError("the world refuses nothing that the domain has words for")


def _outcome(context: PlanningContext, way: WayProgram, scope: Scope) -> str:
    """Return how a call would end, without making it."""
    world, results = context.state.world, list(context.state.results)
    call = context.state.call(context.name, context.state.values_of(way.arguments, scope))
    context.state.world, context.state.results = world, results
    return outcome_of(call.answer) if call.answer is not None else SUCCESS


def partial_failure(context: PlanningContext) -> Blueprint:
    """Several calls at once, some of which fail; all are told."""
    context.open()
    way = context.way(lambda way: way.parallel is not None)
    each = draw_several(context, way)
    failing = context.random.randrange(len(each))
    outage = None
    struck = context.compiled.outages != () and context.random.random() < _SHARE_OF_OUTAGES
    if way in _failing_ways(context) and not struck:
        each[failing] = _likely_refused(context, way, shared_by(way, each))
        each = in_order(each)
    else:
        outage = context.failing(alone=True)
    wishes = [(way, context.state.scope(**names)) for names in each]
    for _, scope in wishes:
        context.let_know(way.arguments, scope)
    _, requests, _ = way.parallel  # type: ignore[misc]  # ways without it were left out
    request = context.ask(requests, context.state.scope(each=each, **shared_by(way, each)))
    calls: list[PlannedCall] = []
    for place, (_, scope) in enumerate(wishes):
        context.require_known(way.arguments, scope)
        calls.append(context.call(context.name, way.arguments, scope, request, outage if place == failing else None))
    if {call.outcome == SUCCESS for call in calls} != {True, False}:
        raise PlanError("all of the calls end alike")
    reply = one_by_one(context, wishes, calls, each)
    beside = context.beside(context.random.randint(0, _MOST_BESIDE - 1), lax=True)
    return context.blueprint(turn(request, [calls], reply), (context.lead, *beside))


def _likely_refused(context: PlanningContext, way: WayProgram, shared: dict[str, Any]) -> dict[str, Any]:
    """Draw a way with what it shares with others, so that the world may well refuse the call."""
    draws = way.missing if context.random.random() < 0.5 else way.loose
    own = {key: one for key, one in draws.items() if key not in shared}
    scope = context.state.draw(own, context.state.scope(**shared))
    return {name: scope.names[name] for name in way.draws}


def error_recovery(context: PlanningContext) -> Blueprint:
    """A call fails over one value; a second one with what the user allowed succeeds."""
    context.open()
    way = context.way(lambda way: way.recover)
    _, draws, first, requests, replies = context.random.choice(way.recover)
    scope = context.draw(way)
    context.state.draw(draws, scope)
    context.let_know(way.arguments, scope)
    request = context.ask(requests, scope)
    context.require_known(way.arguments, scope)
    wanted = context.state.values_of(way.arguments, scope)
    refused = {**wanted, **{name: value(scope) for name, value in first.items()}}
    failed = context.state.call(context.name, refused)
    if failed.outcome == SUCCESS:
        raise PlanError("the first call does not fail")
    call = context.call(context.name, way.arguments, scope, request)
    if call.outcome != SUCCESS:
        raise PlanError("the second call fails as well")
    scope.names |= context.state.result_names()
    reply = context.state.tell(replies, scope)
    beside = context.beside(context.random.randint(0, _MOST_BESIDE))
    return context.blueprint(turn(request, [[failed], [call]], reply), (context.lead, *beside))


def empty_result(context: PlanningContext) -> Blueprint:
    """A search succeeds and finds nothing, and the answer says so."""
    context.open()
    way = context.way(lambda way: way.empty is not None and "empty" in way.replies)
    scope = context.draw(way)
    context.state.draw(way.empty or {}, scope)
    context.let_know(way.arguments, scope)
    request = context.ask(way.requests, scope)
    context.require_known(way.arguments, scope)
    call = context.call(context.name, way.arguments, scope, request)
    if call.answer is None or outcome_of(call.answer) != "empty":
        raise PlanError("something is found")
    beside = context.beside(context.random.randint(0, _MOST_BESIDE))
    return context.blueprint(turn(request, [[call]], context.reply(way, scope)), (context.lead, *beside))


LAYOUTS: dict[str, Layout] = {
    "error_report": Layout(error_report, may_fail(every)),
    "partial_failure": Layout(partial_failure, may_fail(lax(with_way(lambda way: way.parallel is not None)))),
    "error_recovery": Layout(error_recovery, unasked(with_way(lambda way: way.recover))),
    "empty_result": Layout(empty_result, with_way(lambda way: way.empty is not None and "empty" in way.replies)),
    "sequential": Layout(sequential, in_tasks(is_chain)),
    "nested": Layout(nested, _can_be_found),
}
