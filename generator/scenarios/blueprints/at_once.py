"""Several tools at once: an errand that says so, or wishes of one message that have nothing to do with each other."""

from __future__ import annotations

import re

from generator.jsontext import JsonObject, JsonValue
from generator.records.calls import SUCCESS
from generator.scenarios.blueprint import Blueprint, PlanError
from generator.scenarios.blueprints.single_turn import answers_of, fewest
from generator.scenarios.independence import require_independent
from generator.scenarios.joining import joined_answers, joined_wishes
from generator.scenarios.leads import Layout, every, lax
from generator.scenarios.play import Play, require_success, turn
from generator.scenarios.scenario import PlannedCall
from generator.worlds.playbook import Playbook
from generator.worlds.rows import Scope
from generator.worlds.ways import TaskProgram, WayProgram

_MOST_BESIDE = 3
_SHARE_OF_TASKS = 0.5
_SHARE_OF_THREE = 0.25
_TELLING = re.compile(r"(?=.*\d).{3}", re.DOTALL)
"""An id that an answer holds by no chance."""


def parallel_multiple(play: Play) -> Blueprint:
    """Several tools are called at once: an errand that says so, or wishes that have nothing to do with each other."""
    play.open()
    if play.random.random() < _SHARE_OF_TASKS or not at_once_with(play.book, play.name):
        from_task = _task_at_once(play)
        if from_task is not None:
            return from_task
    return _wishes(play)


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
    beside = play.beside(play.random.randint(0, _MOST_BESIDE), called=task.tools, lax=True)
    return play.blueprint(turn(request, [calls], reply), (*map(play.key, task.tools), *beside))


def at_once_with(book: Playbook, name: str) -> tuple[str, ...]:
    """Return the tools that may be wanted in one message with another and called at once.

    What needs a yes is not done at once with what needs none, and nobody wants the same deed of two tools, where
    there are others.
    """
    asks, telling = name in book.asking, set(book.telling)
    found = tuple(
        other
        for other in book.related[name]
        if other in telling and not book.tools[other].strict and (other in book.asking) is asks
    )
    return tuple(other for other in found if not book.deeds[other] or book.deeds[other] != book.deeds[name]) or found


def _wishes(play: Play) -> Blueprint:
    others = play.others(at_once_with(play.book, play.name), 2 if play.random.random() < _SHARE_OF_THREE else 1)
    if not others or play.stock.tools[play.lead].strict:
        raise PlanError("no other tool can be called at once with this one")
    if len({play.book.deeds[name] or name for name in others}) < len(others):
        others = others[:1]
    chosen = [play.name, *others]
    wishes: list[tuple[WayProgram, Scope]] = []
    for name in chosen:
        way = play.way(name="" if name == play.name else name)
        wishes.append((way, _apart(play, way, name, wishes)))
        play.let_know(way.arguments, wishes[-1][1])
    texts = [play.stage.say(way.requests, scope) for way, scope in wishes]
    request = play.stage.hear(joined_wishes(texts, play.random))
    start = play.stage.world
    calls = []
    for name, (way, scope) in zip(chosen, wishes, strict=True):
        play.require_known(way.arguments, scope)
        calls.append(play.call(name, way.arguments, scope, request))
        if calls[-1].outcome != SUCCESS:
            raise PlanError(f"{name} ends with {calls[-1].outcome}")
    if len({call.answer.message_text for call in calls if call.answer is not None}) < len(calls):
        raise PlanError("two of the calls bring the same")
    require_independent(start, calls)
    answers = answers_of(play, wishes, calls)
    _require_apart(wishes, calls, answers)
    beside = play.beside(play.random.randint(0, _MOST_BESIDE), called=tuple(chosen), lax=True)
    steps = turn(request, [calls], joined_answers(answers, alike=False))
    return play.blueprint(steps, (*map(play.key, chosen), *beside))


def _require_apart(wishes: list[tuple[WayProgram, Scope]], calls: list[PlannedCall], answers: list[str]) -> None:
    """Require that no wish is about a row of which the answer to another one tells, by an id that is no mere word.

    Raises:
        PlanError: one is.
    """
    for place, ((way, _), call) in enumerate(zip(wishes, calls, strict=True)):
        given = [str(call.arguments.get(each.argument, "")) for each in way.arguments.ids]
        ids = [row_id for row_id in given if _TELLING.search(row_id)]
        others = [text for at, text in enumerate(answers) if at != place]
        if any(re.search(rf"(?<!\w){re.escape(row_id)}(?!\w)", text) for row_id in ids for text in others):
            raise PlanError(f"another answer tells of what {call.tool.name} is about")


def _apart(play: Play, way: WayProgram, name: str, wishes: list[tuple[WayProgram, Scope]]) -> Scope:
    """Draw a wish that has as little in common with those before it as can be: no row, and few texts."""
    taken = {
        f"_{number}_{key}": scope.names[key] for number, (other, scope) in enumerate(wishes) for key in other.draws
    }
    said = {text for other, scope in wishes for text in _texts(play.stage.values_of(other.arguments, scope))}
    chosen = _choices(play.book.tools[name].parameters)

    def draw() -> tuple[int, Scope]:
        scope = play.draw(way, scope=play.stage.scope(**taken))
        given = play.stage.values_of(way.arguments, scope)
        own = {key: value for key, value in given.items() if key not in chosen | way.arguments.constants}
        return len(said.intersection(_texts(own))), scope

    return fewest(draw)


def _choices(parameters: JsonObject) -> frozenset[str]:
    """Return the parameters that have but a few values: two wishes may well share one."""
    known = parameters.get("properties", {})
    return frozenset(name for name, schema in known.items() if isinstance(schema, dict) and "enum" in schema)


def _texts(value: JsonValue) -> set[str]:
    """Return every text of some arguments."""
    if isinstance(value, str):
        return {value}
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {text for part in parts for text in _texts(part)}


def _several_at_once(book: Playbook) -> tuple[str, ...]:
    told = {name for task in book.tasks if is_at_once(task) for name in task.tools}
    return tuple(name for name in lax(every)(book) if name in told or at_once_with(book, name))


LAYOUTS: dict[str, Layout] = {
    "parallel_multiple": Layout(parallel_multiple, _several_at_once),
}
