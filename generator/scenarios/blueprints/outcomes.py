"""Outcomes over a domain: calls that fail, fail in part, are mended, or find nothing."""

from __future__ import annotations

from generator.records.calls import SUCCESS
from generator.scenarios.blueprints.single_turn import draw_several, in_order, one_by_one
from generator.scenarios.failures import subject_of
from generator.scenarios.lead_tools import Layout, every, lax, may_fail, unasked, with_way
from generator.scenarios.plan_state import outcome_of
from generator.scenarios.planning_context import PlanningContext, turn
from generator.scenarios.scenario import Blueprint, PlanError, PlannedCall
from generator.worlds.rows import Scope
from generator.worlds.ways import WayProgram

_MOST_BESIDE = 4
_SHARE_OF_OUTAGES = 0.3
_NOT_ERRORS = ("ok", "empty")
_TRIES = 12


def error_report(context: PlanningContext) -> Blueprint:
    """The call fails, since the world refuses it or the service is out; the answer says so and what can be done."""
    context.open()
    beside = context.beside(context.random.randint(0, _MOST_BESIDE))
    if context.book.outages != () and (context.random.random() < _SHARE_OF_OUTAGES or not _failing_ways(context)):
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
        way for way in context.book.ways.get(context.name, ()) if any(key not in _NOT_ERRORS for key in way.replies)
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
            return way, scope
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
    struck = context.book.outages != () and context.random.random() < _SHARE_OF_OUTAGES
    if way in _failing_ways(context) and not struck:
        draws = way.missing if context.random.random() < 0.5 else way.loose
        shared = {name: each[0][name] for name in (way.parallel[0].same if way.parallel else ())}
        scope = context.state.draw(
            {key: one for key, one in draws.items() if key not in shared}, context.state.scope(**shared)
        )
        each[failing] = {name: scope.names[name] for name in way.draws}
        each = in_order(each)
    else:
        outage = context.failing(alone=True)
    scopes = [context.state.scope(**names) for names in each]
    for scope in scopes:
        context.let_know(way.arguments, scope)
    requests = way.parallel[1] if way.parallel else ()
    shared = {name: each[0][name] for name in (way.parallel[0].same if way.parallel else ())}
    request = context.ask(requests, context.state.scope(each=each, **shared))
    calls: list[PlannedCall] = []
    for place, scope in enumerate(scopes):
        context.require_known(way.arguments, scope)
        calls.append(context.call(context.name, way.arguments, scope, request, outage if place == failing else None))
    outcomes = {call.outcome == SUCCESS for call in calls}
    if outcomes != {True, False}:
        raise PlanError("all of the calls end alike")
    reply = one_by_one(context, [(way, scope) for scope in scopes], calls, each)
    beside = context.beside(context.random.randint(0, _MOST_BESIDE - 1), lax=True)
    return context.blueprint(turn(request, [calls], reply), (context.lead, *beside))


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
}
