"""Conversations over a domain: errands of several turns, references to what was said, changes of mind."""

from __future__ import annotations

from generator.jsontext import JsonObject
from generator.scenarios.blueprint import Blueprint, PlanError
from generator.scenarios.blueprints.dependent import play_turn
from generator.scenarios.joining import sentence
from generator.scenarios.phrases import phrases
from generator.scenarios.play import Play, require_success, turn
from generator.scenarios.scenario import Step
from generator.worlds.rows import Row, Scope
from generator.worlds.ways import WayProgram

_MOST_BESIDE = 4
_SHARE_OF_TASKS = 0.7


def multi_turn(play: Play) -> Blueprint:
    """An errand over several turns, or two wishes about the same thing."""
    play.open()
    tasks = [task for task in play.book.tasks if play.name in task.tools and len(task.turns) > 1]
    if not tasks or play.random.random() >= _SHARE_OF_TASKS:
        return _followed_up(play)
    task = play.random.choice(tasks)
    scope = play.stage.draw(task.draws, play.stage.scope())
    steps: tuple[Step, ...] = ()
    for program in task.turns:
        request, groups, reply = play_turn(play, program, scope)
        steps += turn(request, groups, reply)
    return _shown(play, steps)


def coreference(play: Play) -> Blueprint:
    """A later turn refers to what was said before."""
    play.open()
    return _followed_up(play)


def _followed_up(play: Play) -> Blueprint:
    """Lay out a wish about a row, then another one that refers to the row with a word."""
    first = play.way(_rows_of, look_ups=True)
    scope = play.draw(first)
    request = play.ask(first.requests, scope)
    groups = [[each] for each in play.look_up(first.arguments, scope)]
    call = play.call(play.name, first.arguments, scope, request)
    require_success(call)
    play.stage.show([call])
    steps = turn(request, [*groups, [call]], play.reply(first, scope))
    name, second, later = _next_wish(play, first, scope)
    asked = play.ask(second.follow_ups, later)
    groups = [[each] for each in play.look_up(second.arguments, later)]
    call = play.call(name, second.arguments, later, asked)
    require_success(call)
    return _shown(play, (*steps, *turn(asked, [*groups, [call]], play.reply(second, later))))


def _rows_of(way: WayProgram) -> list[str]:
    """Return the draws of a way that are rows of an entity."""
    return [name for name in way.draws if way.types.get(name)]


def _next_wish(play: Play, first: WayProgram, scope: Scope) -> tuple[str, WayProgram, Scope]:
    """Return a further wish about a row of the first one, as it is now; raises PlanError where there is none."""
    rows = {
        current.entity: current
        for name in _rows_of(first)
        if isinstance(row := scope.names.get(name), Row)
        and isinstance(current := play.stage.world.row(row.ref), Row)
        and _is_clear(play, row)
    }
    found = [
        (name, way)
        for name, ways in play.book.ways.items()
        for way in ways
        if way.follow_ups and way is not first and any(way.types.get(draw) in rows for draw in way.draws)
    ]
    play.random.shuffle(found)
    for name, way in found:
        draw = next(draw for draw in way.draws if way.types.get(draw) in rows)
        row = rows[way.types[draw]]
        later = play.stage.scope()
        if draw in way.tests and not way.tests[draw](later.inside(row)):
            continue
        later.names[draw] = row
        play.stage.draw({key: source for key, source in way.draws.items() if key != draw}, later)
        return name, way, later
    raise PlanError("nothing further is wanted of this")


def _is_clear(play: Play, row: Row) -> bool:
    """Say whether "it" can mean this row alone: it was called by name, or no other of its kind was told."""
    if row in play.stage.speech.named:
        return True
    key = play.book.program.entities[row.entity].key
    told = play.stage.results[-1].message_text
    ids = {str(each.get(key)) for each in play.stage.world.table(row.entity).values()}
    return {each for each in ids if each in told} <= {str(row.get(key))}


def _shown(play: Play, steps: tuple[Step, ...]) -> Blueprint:
    called = tuple(dict.fromkeys(call.tool.name for step in steps for call in step.calls))
    lax = any(len(step.calls) > 1 for step in steps)
    beside = play.beside(play.random.randint(0, _MOST_BESIDE), called=called, lax=lax)
    return play.blueprint(steps, (play.lead, *map(play.key, called), *beside))


def argument_shift(play: Play) -> Blueprint:
    """A value is corrected in the same breath or before the call is made; the last word wins."""
    play.open()
    way = play.way(lambda way: way.corrections)
    draw, corrections = play.random.choice(list(way.corrections.items()))
    scope = play.draw(way)
    before = Scope(scope.world, dict(scope.names), scope.around, scope.it)
    play.stage.draw({draw: way.draws[draw]}, before)
    parameter = next((name for name, drawn in way.arguments.draws.items() if drawn == draw), "")
    first, last = (play.stage.values_of(way.arguments, each).get(parameter) for each in (before, scope))
    if first == last or first is None:
        raise PlanError("the correction changes nothing")
    play.let_know(way.arguments, scope)
    wished = play.stage.say(way.requests, before)
    scope.names["was"] = before.names[draw]
    request = play.stage.hear(f"{sentence(wished)} {play.stage.say(corrections, scope)}")
    play.require_known(way.arguments, scope)
    call = play.call(play.name, way.arguments, scope, request)
    require_success(call)
    claim: JsonObject = {"parameter": parameter, "before": first}
    steps = turn(request, [[call]], play.reply(way, scope))
    beside = play.beside(play.random.randint(0, _MOST_BESIDE))
    return play.blueprint(steps, (play.lead, *beside), claim)


def intent_switch(play: Play) -> Blueprint:
    """A wish is dropped for another; the last word wins."""
    play.open()
    others = play.others(play.book.telling, 1)
    if not others:
        raise PlanError("there is no other wish to drop")
    (dropped,) = others
    left = play.way(name=dropped)
    unwanted = play.draw(left)
    way = play.way()
    scope = play.draw(way)
    for each, names in ((left, unwanted), (way, scope)):
        play.let_know(each.arguments, names)
    first, cue = play.stage.say(left.requests, unwanted), play.random.choice(phrases()["switching"]["dropped"])
    second = play.stage.say(way.requests, scope)
    request = play.stage.hear(f"{sentence(first)} {cue} {second}")
    play.require_known(way.arguments, scope)
    call = play.call(play.name, way.arguments, scope, second)
    require_success(call)
    claim: JsonObject = {"dropped": dropped, "arguments": play.stage.values_of(left.arguments, unwanted)}
    steps = turn(request, [[call]], play.reply(way, scope))
    beside = play.beside(play.random.randint(0, _MOST_BESIDE), called=(dropped,))
    return play.blueprint(steps, (play.lead, play.key(dropped), *beside), claim)
