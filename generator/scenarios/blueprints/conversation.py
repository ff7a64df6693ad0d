"""Conversations over a domain: errands of several turns, references to what was said, changes of mind."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from generator.jsontext import JsonObject, JsonValue
from generator.scenarios.blueprint import Blueprint, PlanError
from generator.scenarios.blueprints.dependent import play_turn
from generator.scenarios.joining import sentence
from generator.scenarios.phrases import phrases
from generator.scenarios.play import Play, require_success, turn
from generator.scenarios.rehearsing.telling import is_told
from generator.scenarios.scenario import PlannedCall, Step
from generator.scenarios.stage import outcome_of
from generator.scenarios.talk.texts import upper_first
from generator.worlds.playbook import Playbook
from generator.worlds.rows import Row, Scope
from generator.worlds.ways import WayProgram

_MOST_BESIDE = 4
_WORDS = re.compile(r"\w+")
_SHARE_OF_TASKS = 0.7
_TRIES = 4
"""How often a value to be corrected is drawn."""


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
    return _followed_up(play, refers=True)


def _followed_up(play: Play, *, refers: bool = False) -> Blueprint:
    """Lay out a wish about a row, then another one about it, which does not call it by its name where it `refers`."""
    first = play.way(_rows_of, look_ups=True)
    scope = play.draw(first)
    request = play.ask(first.requests, scope)
    groups = [[each] for each in play.look_up(first.arguments, scope)]
    call = play.call(play.name, first.arguments, scope, request)
    require_success(call)
    if call.answer is not None and outcome_of(call.answer) == "empty":
        raise PlanError("there is nothing to speak of further")
    play.stage.show([call])
    steps = turn(request, [*groups, [call]], play.reply(first, scope))
    name, second, later, asked = _next_wish(play, first, scope, call, refers=refers)
    groups = [[each] for each in play.look_up(second.arguments, later)]
    further = play.call(name, second.arguments, later, asked)
    require_success(further)
    if _says_nothing_new(further, play.book, [each for step in steps for each in step.calls]):
        raise PlanError(f"{name} was called like this before")
    return _shown(play, (*steps, *turn(asked, [*groups, [further]], play.reply(second, later))))


def _says_nothing_new(call: PlannedCall, book: Playbook, earlier: list[PlannedCall]) -> bool:
    """Say whether a call asks again for what an earlier one has told, with nothing changed since."""
    if any(each.tool.name in book.writing for each in earlier):
        return False
    return any(each.tool.name == call.tool.name and each.arguments == call.arguments for each in earlier)


def _rows_of(way: WayProgram) -> list[str]:
    """Return the draws of a way that are rows of an entity."""
    return [name for name in way.draws if way.types.get(name)]


def _next_wish(
    play: Play, first: WayProgram, scope: Scope, call: PlannedCall, *, refers: bool
) -> tuple[str, WayProgram, Scope, str]:
    """Return a further wish about the rows of the first one, as they are now, with its words.

    Raises:
        PlanError: nothing further is wanted.
    """
    rows = {
        name: current
        for name in _rows_of(first)
        if isinstance(row := scope.names.get(name), Row)
        and isinstance(current := play.stage.world.row(row.ref), Row)
        and _is_clear(play, row)
    }
    entities = {row.entity for row in rows.values()}
    found = [
        (name, way, text)
        for name, ways in play.book.ways.items()
        for way in ways
        if way is not first and any(way.types.get(draw) in entities for draw in way.draws)
        for text in way.follow_ups
    ]
    play.random.shuffle(found)
    for name, way, text in found:
        meant = _meant(way, text.names, rows, again=name == play.name)
        kept = {**_said_before(way, text.names, first, scope, call), **meant}
        if (refers and kept.keys() <= text.names) or _is_unmentioned(way, {*text.names, *kept}):
            continue
        later = play.stage.scope()
        if any(draw in way.tests and not way.tests[draw](later.inside(row)) for draw, row in kept.items()):
            continue
        later.names |= {**{f"_{draw}": row for draw, row in rows.items()}, **kept}  # what is drawn anew is another row
        with suppress(PlanError):
            play.stage.draw({key: source for key, source in way.draws.items() if key not in kept}, later)
            return name, way, later, play.ask((text,), later)
    raise PlanError("nothing further is wanted of this")


def _is_unmentioned(way: WayProgram, mentioned: set[str]) -> bool:
    """Say whether a wish is about a row that nobody has spoken of."""
    roots = {way.arguments.draws.get(each.argument, "") for each in way.arguments.ids}
    return any(root in way.draws and root not in mentioned for root in roots)


def _meant(way: WayProgram, said: frozenset[str], rows: dict[str, Row], *, again: bool) -> dict[str, Any]:
    """Return the draws of a further wish that stand for rows of the first one: those that its words leave unsaid.

    Where they say every one, it is the first that they call by its name, unless the same is wanted `again`: that is
    wanted of another one.
    """
    left = dict(rows)
    meant: dict[str, Any] = {}
    drawn = [draw for draw in way.draws if way.types.get(draw) in {row.entity for row in rows.values()}]
    for draw in [draw for draw in drawn if draw not in said] or drawn[: 0 if again else 1]:
        fitting = [name for name, row in left.items() if row.entity == way.types[draw]]
        if fitting:
            meant[draw] = left.pop(draw if draw in fitting else fitting[0])
    return meant


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
    scope = play.draw(way)
    play.let_know(way.arguments, scope)
    draws = list(way.corrections)
    play.random.shuffle(draws)
    parameter, first, request = next(
        (found for draw in draws for _ in range(_TRIES) if (found := _corrected(play, way, scope, draw))),
        ("", None, ""),
    )
    if not request:
        raise PlanError("the correction changes nothing, or what it does not say")
    play.stage.hear(request)
    play.require_known(way.arguments, scope)
    call = play.call(play.name, way.arguments, scope, request)
    require_success(call)
    claim: JsonObject = {"parameter": parameter, "before": first}
    steps = turn(request, [[call]], play.reply(way, scope))
    beside = play.beside(play.random.randint(0, _MOST_BESIDE))
    return play.blueprint(steps, (play.lead, *beside), claim)


def _corrected(play: Play, way: WayProgram, scope: Scope, draw: str) -> tuple[str, JsonValue, str] | None:
    """Say a wish with another value of a draw, and the correction; None where that says too little or too much."""
    parameter = next((name for name, drawn in way.arguments.draws.items() if drawn == draw), "")
    before = Scope(scope.world, {**scope.names}, scope.around, scope.it)
    play.stage.draw({draw: way.draws[draw]}, before)
    first, last = (play.stage.values_of(way.arguments, each) for each in (before, scope))
    changed = [name for name, value in last.items() if value != first.get(name)]
    if parameter not in changed or first.keys() != last.keys():
        return None
    wished = play.stage.say(way.requests, before)
    told = Scope(scope.world, {**scope.names, "was": before.names[draw]}, scope.around, scope.it)
    corrected = play.stage.say(way.corrections[draw], told)
    if not is_told(first[parameter], wished) or not all(is_told(last[name], corrected) for name in changed):
        return None
    if not set(_WORDS.findall(corrected.casefold())).intersection(phrases()["correcting"]["words"]):
        return None  # two wishes that stand side by side
    return parameter, first[parameter], f"{sentence(wished)} {corrected}"


def dropped_for(book: Playbook, name: str) -> tuple[str, ...]:
    """Return the tools of which something may be wanted that is dropped for a wish of another one: when asked back."""
    return tuple(other for other in book.related[name] if any(way.asks and way.tells for way in book.ways[other]))


def intent_switch(play: Play) -> Blueprint:
    """A wish is dropped for another when the assistant asks back; the last word wins."""
    play.open()
    others = play.others(dropped_for(play.book, play.name), 1)
    if not others:
        raise PlanError("there is no other wish to drop")
    (dropped,) = others
    left = play.way(lambda way: way.asks, dropped)
    unwanted = play.draw(left)
    way = play.way()
    scope = play.draw(way)
    for each, names in ((left, unwanted), (way, scope)):
        play.let_know(each.arguments, names)
    _, requests, questions, _ = play.random.choice(left.asks)
    first = play.stage.hear(play.stage.say(requests, unwanted))
    question = play.stage.hear(play.stage.tell(questions, unwanted))
    second = upper_first(play.stage.say(way.requests, scope))
    request = play.stage.hear(f"{play.random.choice(phrases()['switching']['dropped'])} {second}")
    play.require_known(way.arguments, scope)
    call = play.call(play.name, way.arguments, scope, second)
    require_success(call)
    wished = play.stage.values_of(left.arguments, unwanted)
    told = {name: value for name, value in wished.items() if is_told(value, first)}
    claim: JsonObject = {"dropped": dropped, "arguments": told}
    steps = (
        Step(request=True, act="drop", request_text=first),
        Step(reply=True, act="ask", reply_text=question),
        *turn(request, [[call]], play.reply(way, scope)),
    )
    beside = play.beside(play.random.randint(0, _MOST_BESIDE), called=(dropped,))
    return play.blueprint(steps, (play.lead, play.key(dropped), *beside), claim)
