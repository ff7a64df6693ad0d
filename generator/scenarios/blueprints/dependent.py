"""Dependent calls over a domain: what a call is given is known from the result of an earlier one alone."""

from __future__ import annotations

import re

from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.scenarios.lead_tools import Layout, in_tasks, with_way
from generator.scenarios.planning_context import PlanningContext, require_success, turn
from generator.scenarios.scenario import Blueprint, PlanError, PlannedCall
from generator.worlds.playbook import Playbook
from generator.worlds.rows import Scope
from generator.worlds.ways import TaskProgram, TurnProgram

_MOST_BESIDE = 4
_SHARE_OF_TASKS = 0.4


def nested(context: PlanningContext) -> Blueprint:
    """One wish, whose call needs what a look-up brings that nobody has asked for."""
    context.open()
    found = {
        name
        for name, entity in context.book.program.entities.items()
        if entity.find and name != context.book.program.me
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
    tasks = [task for task in context.book.tasks if context.name in task.tools and is_chain(task)]
    if not tasks:
        raise PlanError(f"no task of several calls has {context.name}")
    (task,) = context.random.choices(tasks, [len(each.turns[0].groups) ** 2 for each in tasks])  # long tasks are rare
    scope = context.state.draw(task.draws, context.state.scope())
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
    return request, groups, context.state.hear(context.state.reply(program.replies, scope))


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


def _found(book: Playbook) -> set[str]:
    """Return the entities whose rows can be looked up."""
    return {name for name, entity in book.program.entities.items() if entity.find and name != book.program.me}


def _can_be_found(book: Playbook) -> tuple[str, ...]:
    """The tools with a way whose row can be looked up."""
    found = _found(book)
    return with_way(lambda way: any(each.entity in found for each in way.arguments.ids), look_ups=True)(book)


LAYOUTS: dict[str, Layout] = {
    "sequential": Layout(sequential, in_tasks(is_chain)),
    "nested": Layout(nested, _can_be_found),
}
