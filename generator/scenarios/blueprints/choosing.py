"""Choosing the right tool over a domain: among near twins, or once it has become available."""

from __future__ import annotations

from generator.jsontext import JsonObject
from generator.scenarios.blueprints.single_turn import told_call
from generator.scenarios.failures import deed
from generator.scenarios.lead_tools import Layout
from generator.scenarios.planning_context import PlanningContext, require_success, turn
from generator.scenarios.scenario import Blueprint, PlanError, Step
from generator.scenarios.wording import phrases

_MOST_NEAR = 3
_MOST_BESIDE = 3


def similar_tools(context: PlanningContext) -> Blueprint:
    """Near twins are shown together; what the request says fits one of them alone."""
    context.open()
    near = [name for name in context.book.domain.tools[context.name].near if name in context.book.tools]
    if not near:
        raise PlanError(f"nothing is near to {context.name}")
    context.random.shuffle(near)
    way = context.way()
    request, call, reply = told_call(context, way, context.draw(way))
    kept = near[: context.random.randint(1, _MOST_NEAR)]
    claim: JsonObject = {"near": list(kept)}
    return context.blueprint(turn(request, [[call]], reply), (context.lead, *map(context.key, kept)), claim)


def missing_function(context: PlanningContext) -> Blueprint:
    """A tool is said to be unavailable; the assistant says so, the user makes it available, then it is called."""
    texts = phrases()["missing_function"]
    if not context.book.can(context.name):
        raise PlanError(f"the domain does not say what {context.name} can do")
    context.open()
    context.own_system.append(context.random.choice(texts["system"]).format(name=context.name))
    way = context.way()
    scope = context.draw(way)
    context.let_know(way.arguments, scope)
    request = context.ask(way.requests, scope)
    context.require_known(way.arguments, scope)
    call = context.call(context.name, way.arguments, scope, request)
    require_success(call)
    steps = (
        Step(request=True, act="wish", about=(call,), request_text=request),
        Step(
            reply=True,
            act="lack",
            about=(call,),
            reply_text=context.random.choice(texts["lacking"]).format(can=deed(context.book, context.name)),
        ),
        Step(
            request=True,
            calls=(call,),
            act="enable",
            about=(call,),
            request_text=context.random.choice(texts["enabled"]),
        ),
        Step(reply=True, reply_text=context.reply(way, scope)),
    )
    claim: JsonObject = {"function": context.name}
    near = context.book.domain.tools[context.name].near
    beside = [
        key
        for key in context.beside(context.random.randint(0, _MOST_BESIDE))
        if context.index.tools[key].name not in near
    ]
    return context.blueprint(steps, (context.lead, *beside), claim)


LAYOUTS: dict[str, Layout] = {
    "similar_tools": Layout(
        similar_tools,
        lambda book: tuple(
            name for name in book.telling if any(near in book.tools for near in book.domain.tools[name].near)
        ),
    ),
    "missing_function": Layout(missing_function, lambda book: tuple(filter(book.can, book.telling))),
}
