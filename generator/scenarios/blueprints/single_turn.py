"""Single turns over a domain: one request, one call or several at once, one answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from generator.domains.deriving import words_of
from generator.jsontext import JsonValue
from generator.records.calls import SUCCESS
from generator.scenarios.blueprint import Blueprint, PlanError
from generator.scenarios.joining import joined_answers, joined_wishes
from generator.scenarios.play import Play, require_success, turn
from generator.scenarios.scenario import PlannedCall
from generator.worlds.playbook import Playbook
from generator.worlds.rows import Row, Scope
from generator.worlds.speech import Unsayable
from generator.worlds.tasks import TaskProgram
from generator.worlds.templates import say
from generator.worlds.ways import WayProgram

_LONGEST_THING = 40
_MOST_BESIDE = 5
_MOST_DRAWS = 24
"""How often values that several wishes do not share are drawn, so that they differ."""
_FEWEST_MANY, _MOST_MANY = 20, 60
_SHARE_OF_TASKS = 0.5
_SHARE_OF_THREE = 0.25


def simple(play: Play) -> Blueprint:
    """One tool is shown, one call made."""
    return _one_call(play, ())


def multiple(play: Play) -> Blueprint:
    """Several tools are shown, one of them is called."""
    beside = play.beside(play.random.randint(1, _MOST_BESIDE))
    if not beside:
        raise PlanError("no other tool can be shown")
    return _one_call(play, beside)


def many_tools(play: Play) -> Blueprint:
    """Twenty to sixty tools are shown, one of them is called."""
    beside = play.beside(play.random.randint(_FEWEST_MANY, _MOST_MANY) - 1)
    if len(beside) < _FEWEST_MANY - 1:
        raise PlanError("there are too few tools to show")
    return _one_call(play, beside)


def _one_call(play: Play, beside: tuple[str, ...]) -> Blueprint:
    play.open()
    way = play.way()
    scope = play.draw(way)
    request, call, reply = told_call(play, way, scope)
    return play.blueprint(turn(request, [[call]], reply), (play.lead, *beside))


def told_call(play: Play, way: WayProgram, scope: Scope) -> tuple[str, PlannedCall, str]:
    """Plan a request, its one call and the reply; every id is said or told."""
    play.let_know(way.arguments, scope)
    request = play.ask(way.requests, scope)
    play.require_known(way.arguments, scope)
    call = play.call(_tool(play, way), way.arguments, scope, request, play.outage())
    return request, call, play.reply(way, scope, struck=struck_thing(play, way, scope, call))


def _tool(play: Play, way: WayProgram) -> str:
    found = next((name for name, ways in play.book.ways.items() if way in ways), None)
    return found or play.name


def parallel(play: Play) -> Blueprint:
    """One tool is called several times at once."""
    play.open()
    way = play.way(lambda way: way.parallel is not None)
    request, calls, reply = several(play, way)
    for call in calls:
        require_success(call)
    beside = play.beside(play.random.randint(0, _MOST_BESIDE - 2), lax=True)
    return play.blueprint(turn(request, [calls], reply), (play.lead, *beside))


def several(play: Play, way: WayProgram) -> tuple[str, list[PlannedCall], str]:
    """Plan several calls of one way, each with draws of its own but for those that all share."""
    each = draw_several(play, way)
    shared = {name: each[0][name] for name in way.parallel[0].same} if way.parallel else {}
    for names in each:
        play.let_know(way.arguments, play.stage.scope(**names))
    _, requests, replies = way.parallel  # type: ignore[misc]  # ways without it were left out
    request = play.ask(requests, play.stage.scope(each=each, **shared))
    calls = []
    for names in each:
        scope = play.stage.scope(**names)
        play.require_known(way.arguments, scope)
        calls.append(play.call(play.name, way.arguments, scope, request))
        names["r"] = play.stage.result_names()["r"]
    if len({_mark(call) for call in calls}) < len(calls):
        raise PlanError("two of the calls are the same")
    if replies:
        return request, calls, play.stage.hear(play.stage.tell(replies, play.stage.scope(each=each, **shared)))
    return request, calls, one_by_one(play, [(way, play.stage.scope(**names)) for names in each], calls)


def _mark(call: PlannedCall) -> str:
    return repr(call.arguments)


def draw_several(play: Play, way: WayProgram) -> list[dict[str, Any]]:
    """Draw a way several times; what is not shared differs, as far as it can."""
    if way.parallel is None:
        raise PlanError("the domain does not ask for several of these at once")
    spec = way.parallel[0]
    low, high = spec.many
    each: list[dict[str, Any]] = []
    for _ in range(play.random.randint(low, high)):
        shared = {name: each[0][name] for name in spec.same} if each else {}
        each.append(_unlike(play, way, each, shared))
    return each


def _unlike(play: Play, way: WayProgram, each: list[dict[str, Any]], shared: dict[str, Any]) -> dict[str, Any]:
    """Draw a way once more, unlike the times before: rows always, other values as far as there are others."""
    own = {name: source for name, source in way.draws.items() if name not in shared}
    before = {f"_{n}_{name}": value for n, names in enumerate(each) for name, value in names.items() if name in own}
    drawn: dict[str, Any] = {}
    for _ in range(_MOST_DRAWS):
        scope = play.stage.scope(**shared, **before)
        play.stage.draw(own, scope)
        drawn = {name: scope.names[name] for name in way.draws}
        if not any(repr(drawn[name]) == repr(names[name]) for names in each for name in own):
            break
    return drawn


def one_by_one(play: Play, wishes: list[tuple[WayProgram, Scope]], calls: list[PlannedCall]) -> str:
    """Say what became of several wishes, of each whole and in their order."""
    texts = []
    for (way, scope), call in zip(wishes, calls, strict=True):
        if call.answer is None:
            continue
        kept = play.stage.results
        play.stage.results = [call.answer]
        others = [other for other in calls if other is not call and other.tool.name == call.tool.name]
        thing = "" if call.outcome == SUCCESS else thing_of(play, way, scope, call, others)
        texts.append(play.reply(way, scope, thing))
        play.stage.results = kept
    return joined_answers(texts, alike=len({call.tool.name for call in calls}) == 1)


def struck_thing(play: Play, way: WayProgram, scope: Scope, call: PlannedCall) -> str:
    """Return what a failed call was about: a row that was called, or a name; "" where it succeeded or there is none."""
    if call.outcome == SUCCESS:
        return ""
    speech, thing = play.stage.speech, ""
    row = next((value for value in scope.names.values() if isinstance(value, Row) and value in speech.named), None)
    if row is None:
        thing = thing_of(play, way, scope, call)
    else:
        with suppress(Unsayable), speech.of_assistant():
            thing = say(row, scope, speech)
    is_short = len(thing) <= _LONGEST_THING and not any(mark in thing for mark in ",;:\n")
    return thing if is_short and (row is not None or thing[:1].isupper()) else ""


def thing_of(play: Play, way: WayProgram, scope: Scope, call: PlannedCall, others: Sequence[PlannedCall] = ()) -> str:
    """Return the words by which one of several wishes is told from the others; "" where there are none.

    What nobody has called by its name is called by what was said of it.
    """
    shared = way.parallel[0].same if way.parallel else ()
    drawn = {name: scope.names.get(name) for name in way.draws if name not in shared}
    speech = play.stage.speech
    if not any(isinstance(value, Row) and value in speech.named for value in drawn.values()):
        known = call.tool.parameters.get("properties", {})
        chosen = {name for name, schema in known.items() if isinstance(schema, dict) and "enum" in schema}
        alike = {name for each in others for name, value in each.arguments.items() if call.arguments.get(name) == value}
        plain = {name: value for name, value in call.arguments.items() if name not in chosen | alike}
        said = [value for value in plain.values() if isinstance(value, str) and value]
        own = [value for value in said if play.stage.said[-1].count(value) == 1 or len(said) == 1]
        if own and play.stage.is_known(own[0]):
            return own[0]
        if play.book.domain.origin == "derived":  # what it draws is no thing, but the list of all that is given
            return next((f"{words_of(name).lower()} {value}" for name, value in plain.items() if _is_said(value)), "")
    for value in drawn.values():
        if not isinstance(value, int | float):
            with suppress(Unsayable), speech.of_assistant():
                return say(value, scope, speech)
    return ""


def _is_said(value: JsonValue) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def parallel_multiple(play: Play) -> Blueprint:
    """Several tools are called at once: an errand that says so, or wishes that have nothing to do with each other."""
    play.open()
    if play.random.random() < _SHARE_OF_TASKS or not at_once_with(play.book, play.name):
        from_task = _task_at_once(play)
        if from_task is not None:
            return from_task
    return _two_wishes(play)


def is_at_once(task: TaskProgram) -> bool:
    """Say whether a task is one message whose calls, of several tools, are made at once."""
    groups = task.turns[0].groups
    return len(task.turns) == 1 and len(groups) == 1 and len({name for name, _, _ in groups[0]}) > 1


def _task_at_once(play: Play) -> Blueprint | None:
    tasks = [task for task in play.book.tasks if play.name in task.tools and is_at_once(task)]
    if not tasks:
        return None
    task = play.random.choice(tasks)
    scope = play.stage.draw(task.draws, play.stage.scope())
    (group,) = task.turns[0].groups
    for _, arguments, _ in group:
        play.let_know(arguments, scope)
    request = play.ask(task.turns[0].requests, scope)
    calls = []
    for name, arguments, _ in group:
        play.require_known(arguments, scope)
        calls.append(play.call(name, arguments, scope, request))
        require_success(calls[-1])
    scope.names |= play.stage.result_names()
    reply = play.stage.reply(task.turns[0].replies, scope)
    beside = play.beside(play.random.randint(0, _MOST_BESIDE - 2), called=task.tools, lax=True)
    return play.blueprint(turn(request, [calls], reply), (*map(play.key, task.tools), *beside))


def at_once_with(book: Playbook, name: str) -> tuple[str, ...]:
    """Return the tools that may be wanted in one message with another and called at once.

    What needs a yes is not done at once with what needs none.
    """
    asks, telling = name in book.asking, set(book.telling)
    return tuple(
        other
        for other in book.related[name]
        if other in telling and not book.tools[other].strict and (other in book.asking) is asks
    )


def _two_wishes(play: Play) -> Blueprint:
    others = play.others(at_once_with(play.book, play.name), 2 if play.random.random() < _SHARE_OF_THREE else 1)
    if not others or play.stock.tools[play.lead].strict:
        raise PlanError("no other tool can be called at once with this one")
    chosen = [play.name, *others]
    wishes: list[tuple[WayProgram, Scope]] = []
    taken: dict[str, Any] = {}
    for name in chosen:
        way = play.way(name="" if name == play.name else name)
        scope = play.stage.scope(**taken)
        play.draw(way, scope=scope)
        taken |= {f"_{len(wishes)}_{key}": scope.names[key] for key in way.draws}
        play.let_know(way.arguments, scope)
        wishes.append((way, scope))
    texts = [play.stage.say(way.requests, scope) for way, scope in wishes]
    request = play.stage.hear(joined_wishes(texts, play.random))
    calls = []
    for name, (way, scope) in zip(chosen, wishes, strict=True):
        play.require_known(way.arguments, scope)
        calls.append(play.call(name, way.arguments, scope, request))
        if calls[-1].outcome != SUCCESS:
            raise PlanError(f"{name} ends with {calls[-1].outcome}")
    if len({call.answer.message_text for call in calls if call.answer is not None}) < len(calls):
        raise PlanError("two of the calls bring the same")
    reply = one_by_one(play, wishes, calls)
    beside = play.beside(play.random.randint(0, _MOST_BESIDE - 2), called=tuple(chosen), lax=True)
    return play.blueprint(turn(request, [calls], reply), (*map(play.key, chosen), *beside))
