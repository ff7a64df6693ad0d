"""Dependent calls over a domain: what a call is given is known from the result of an earlier one alone."""

from __future__ import annotations

import re

from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.scenarios.leads import Layout, in_tasks, with_way
from generator.scenarios.planning_context import Play, require_success, turn
from generator.scenarios.scenario import Blueprint, PlanError, PlannedCall
from generator.worlds.playbook import Playbook
from generator.worlds.rows import Scope
from generator.worlds.ways import TaskProgram, TurnProgram

_MOST_BESIDE = 4
_SHARE_OF_TASKS = 0.4


def nested(play: Play) -> Blueprint:
    """One wish, whose call needs what a look-up brings that nobody has asked for."""
    play.open()
    found = {
        name for name, entity in play.book.program.entities.items() if entity.find and name != play.book.program.me
    }
    way = play.way(lambda way: any(each.entity in found for each in way.arguments.ids), look_ups=True)
    scope = play.draw(way)
    request = play.ask(way.requests, scope)
    looked_up = play.look_up(way.arguments, scope)
    if not looked_up:
        raise PlanError("nothing has to be looked up")
    call = play.call(play.name, way.arguments, scope, request)
    require_success(call)
    reply = play.reply(way, scope)
    groups = [[each] for each in looked_up] + [[call]]
    return _carried_on(play, request, groups, reply)


def sequential(play: Play) -> Blueprint:
    """An errand of several calls in one message; a later one needs what an earlier one brings."""
    play.open()
    tasks = [task for task in play.book.tasks if play.name in task.tools and is_chain(task)]
    if not tasks:
        raise PlanError(f"no errand of several calls has {play.name}")
    (task,) = play.random.choices(tasks, [len(each.turns[0].groups) ** 2 for each in tasks])  # long errands are rare
    scope = play.stage.draw(task.draws, play.stage.scope())
    request, groups, reply = play_turn(play, task.turns[0], scope)
    if len(groups) < 2:
        raise PlanError("the errand ends after its first call")
    return _carried_on(play, request, groups, reply)


def is_chain(task: TaskProgram) -> bool:
    """Say whether a task is one message with calls one after the other."""
    return len(task.turns) == 1 and len(task.turns[0].groups) > 1 and task.carries


def play_turn(play: Play, program: TurnProgram, scope: Scope) -> tuple[str, list[list[PlannedCall]], str]:
    """Play one turn of a task: the request, its calls in groups with the look-ups they need, the reply."""
    scope.names |= numbered(play, scope)
    request = play.ask(program.requests, scope)
    groups: list[list[PlannedCall]] = []
    for group in program.groups:
        made: list[PlannedCall] = []
        for name, arguments, test in group:
            scope.names |= numbered(play, scope)
            if test is not None and not test(scope):
                continue
            kept = list(play.stage.results)
            looked_up = play.look_up(arguments, scope)
            play.stage.results = kept
            groups += [[each] for each in looked_up]
            made.append(play.call(name, arguments, scope, request))
            require_success(made[-1])
        play.stage.show(made)
        groups += [made] if made else []
    scope.names |= numbered(play, scope)
    return request, groups, play.stage.hear(play.stage.reply(program.replies, scope))


def numbered(play: Play, scope: Scope) -> JsonObject:
    """Return the results of the task's own calls by their numbers; look-ups that were put in do not count."""
    names = play.stage.result_names()
    return {name: value for name, value in names.items() if name not in scope.names or scope.names[name] != value}


def _carried_on(play: Play, request: str, groups: list[list[PlannedCall]], reply: str) -> Blueprint:
    called = tuple(dict.fromkeys(call.tool.name for group in groups for call in group))
    beside = play.beside(
        play.random.randint(0, _MOST_BESIDE), called=called, lax=any(len(group) > 1 for group in groups)
    )
    claim: JsonObject = {"carried": carried(play, groups, request)}
    if not all(carried(play, groups[:many], request) for many in range(2, len(groups) + 1)):
        raise PlanError("a later call carries nothing on from an earlier one")
    return play.blueprint(turn(request, groups, reply), (*map(play.key, called), *beside), claim)


def carried(play: Play, groups: list[list[PlannedCall]], request: str) -> list[str]:
    """Return the arguments of the last calls that stand in an earlier result and were not said."""
    earlier = [call.answer.message_text for group in groups[:-1] for call in group if call.answer is not None]
    said = "\n".join([*play.own_system, *play.stage.system, request]).casefold()
    last = [item for call in groups[-1] for item in call.arguments.items()]
    return sorted({name for name, value in last if _is_carried(value, earlier, said)})


def _is_carried(value: JsonValue, earlier: list[str], said: str) -> bool:
    if isinstance(value, dict | list):
        return any(_is_carried(each, earlier, said) for each in (value.values() if isinstance(value, dict) else value))
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return False
    whole = re.compile(rf"(?<![\w.-]){re.escape(dump_compact(value))}(?![\w.-])")
    return str(value).casefold() not in said and any(whole.search(text) for text in earlier)


def _can_be_found(book: Playbook) -> tuple[str, ...]:
    """The tools with a way whose row can be looked up."""
    found = {name for name, entity in book.program.entities.items() if entity.find and name != book.program.me}
    return with_way(lambda way: any(each.entity in found for each in way.arguments.ids), look_ups=True)(book)


LAYOUTS: dict[str, Layout] = {
    "sequential": Layout(sequential, in_tasks(is_chain)),
    "nested": Layout(nested, _can_be_found),
}
