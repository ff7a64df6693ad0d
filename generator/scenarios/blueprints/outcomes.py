"""Outcomes over a domain: calls that fail, fail in part, are mended, or find nothing."""

from __future__ import annotations

from generator.records.calls import SUCCESS
from generator.scenarios.blueprints.single_turn import draw_several, in_order, one_by_one
from generator.scenarios.failures import thing_of
from generator.scenarios.leads import Layout, every, lax, may_fail, unasked, with_way
from generator.scenarios.plan_state import outcome_of
from generator.scenarios.planning_context import Play, turn
from generator.scenarios.scenario import Blueprint, PlanError, PlannedCall
from generator.worlds.rows import Scope
from generator.worlds.ways import WayProgram

_MOST_BESIDE = 4
_SHARE_OF_OUTAGES = 0.3
_NOT_ERRORS = ("ok", "empty")
_TRIES = 12


def error_report(play: Play) -> Blueprint:
    """The call fails, since the world refuses it or the service is out; the answer says so and what can be done."""
    play.open()
    beside = play.beside(play.random.randint(0, _MOST_BESIDE))
    if play.book.outages != () and (play.random.random() < _SHARE_OF_OUTAGES or not _failing_ways(play)):
        way = play.way()
        scope = play.draw(way)
        play.let_know(way.arguments, scope)
        request = play.ask(way.requests, scope)
        play.require_known(way.arguments, scope)
        call = play.call(play.name, way.arguments, scope, request, play.failing())
        thing = thing_of(play.stage, way, scope, call)
    else:
        way, scope = _refused_wish(play)
        play.let_know(way.arguments, scope)
        request = play.ask(way.requests, scope)
        play.require_known(way.arguments, scope)
        call = play.call(play.name, way.arguments, scope, request)
        thing = ""
    return play.blueprint(turn(request, [[call]], play.reply(way, scope, thing)), (play.lead, *beside))


def _failing_ways(play: Play) -> list[WayProgram]:
    return [way for way in play.book.ways.get(play.name, ()) if any(key not in _NOT_ERRORS for key in way.replies)]


def _refused_wish(play: Play) -> tuple[WayProgram, Scope]:
    """Draw a wish that the world refuses, with an error that the domain has words for.

    Raises:
        PlanError: none was found.
    """
    ways = _failing_ways(play)
    if not ways:
        raise PlanError("the domain knows of no failure")
    for attempt in range(_TRIES):
        way = ways[(play.visit + attempt) % len(ways)]
        draws = way.missing if attempt % 2 else way.loose
        scope = play.stage.draw(draws, play.stage.scope())
        outcome = _outcome(play, way, scope)
        if outcome not in _NOT_ERRORS and outcome in way.replies:
            return way, scope
    raise PlanError("the world refuses nothing that the domain has words for")


def _outcome(play: Play, way: WayProgram, scope: Scope) -> str:
    """Return how a call would end, without making it."""
    world, results = play.stage.world, list(play.stage.results)
    call = play.stage.call(play.name, play.stage.values_of(way.arguments, scope))
    play.stage.world, play.stage.results = world, results
    return outcome_of(call.answer) if call.answer is not None else SUCCESS


def partial_failure(play: Play) -> Blueprint:
    """Several calls at once, some of which fail; all are told."""
    play.open()
    way = play.way(lambda way: way.parallel is not None)
    each = draw_several(play, way)
    failing = play.random.randrange(len(each))
    outage = None
    struck = play.book.outages != () and play.random.random() < _SHARE_OF_OUTAGES
    if way in _failing_ways(play) and not struck:
        draws = way.missing if play.random.random() < 0.5 else way.loose
        shared = {name: each[0][name] for name in (way.parallel[0].same if way.parallel else ())}
        scope = play.stage.draw(
            {key: one for key, one in draws.items() if key not in shared}, play.stage.scope(**shared)
        )
        each[failing] = {name: scope.names[name] for name in way.draws}
        each = in_order(each)
    else:
        outage = play.failing(alone=True)
    scopes = [play.stage.scope(**names) for names in each]
    for scope in scopes:
        play.let_know(way.arguments, scope)
    requests = way.parallel[1] if way.parallel else ()
    shared = {name: each[0][name] for name in (way.parallel[0].same if way.parallel else ())}
    request = play.ask(requests, play.stage.scope(each=each, **shared))
    calls: list[PlannedCall] = []
    for place, scope in enumerate(scopes):
        play.require_known(way.arguments, scope)
        calls.append(play.call(play.name, way.arguments, scope, request, outage if place == failing else None))
    outcomes = {call.outcome == SUCCESS for call in calls}
    if outcomes != {True, False}:
        raise PlanError("all of the calls end alike")
    reply = one_by_one(play, [(way, scope) for scope in scopes], calls, each)
    beside = play.beside(play.random.randint(0, _MOST_BESIDE - 1), lax=True)
    return play.blueprint(turn(request, [calls], reply), (play.lead, *beside))


def error_recovery(play: Play) -> Blueprint:
    """A call fails over one value; a second one with what the user allowed succeeds."""
    play.open()
    way = play.way(lambda way: way.recover)
    _, draws, first, requests, replies = play.random.choice(way.recover)
    scope = play.draw(way)
    play.stage.draw(draws, scope)
    play.let_know(way.arguments, scope)
    request = play.ask(requests, scope)
    play.require_known(way.arguments, scope)
    wanted = play.stage.values_of(way.arguments, scope)
    refused = {**wanted, **{name: value(scope) for name, value in first.items()}}
    failed = play.stage.call(play.name, refused)
    if failed.outcome == SUCCESS:
        raise PlanError("the first call does not fail")
    call = play.call(play.name, way.arguments, scope, request)
    if call.outcome != SUCCESS:
        raise PlanError("the second call fails as well")
    scope.names |= play.stage.result_names()
    reply = play.stage.tell(replies, scope)
    beside = play.beside(play.random.randint(0, _MOST_BESIDE))
    return play.blueprint(turn(request, [[failed], [call]], reply), (play.lead, *beside))


def empty_result(play: Play) -> Blueprint:
    """A search succeeds and finds nothing, and the answer says so."""
    play.open()
    way = play.way(lambda way: way.empty is not None and "empty" in way.replies)
    scope = play.draw(way)
    play.stage.draw(way.empty or {}, scope)
    play.let_know(way.arguments, scope)
    request = play.ask(way.requests, scope)
    play.require_known(way.arguments, scope)
    call = play.call(play.name, way.arguments, scope, request)
    if call.answer is None or outcome_of(call.answer) != "empty":
        raise PlanError("something is found")
    beside = play.beside(play.random.randint(0, _MOST_BESIDE))
    return play.blueprint(turn(request, [[call]], play.reply(way, scope)), (play.lead, *beside))


LAYOUTS: dict[str, Layout] = {
    "error_report": Layout(error_report, may_fail(every)),
    "partial_failure": Layout(partial_failure, may_fail(lax(with_way(lambda way: way.parallel is not None)))),
    "error_recovery": Layout(error_recovery, unasked(with_way(lambda way: way.recover))),
    "empty_result": Layout(empty_result, with_way(lambda way: way.empty is not None and "empty" in way.replies)),
}
