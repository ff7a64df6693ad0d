"""Choosing the right tool over a domain: among near twins, or once it has become available."""

from __future__ import annotations

from generator.jsontext import JsonObject
from generator.scenarios.blueprints.single_turn import told_call
from generator.scenarios.failures import deed
from generator.scenarios.leads import Layout
from generator.scenarios.planning_context import Play, require_success, turn
from generator.scenarios.scenario import Blueprint, PlanError, Step
from generator.scenarios.wording import phrases

_MOST_NEAR = 3
_MOST_BESIDE = 3


def similar_tools(play: Play) -> Blueprint:
    """Near twins are shown together; what the request says fits one of them alone."""
    play.open()
    near = [name for name in play.book.domain.tools[play.name].near if name in play.book.tools]
    if not near:
        raise PlanError(f"nothing is near to {play.name}")
    play.random.shuffle(near)
    way = play.way()
    request, call, reply = told_call(play, way, play.draw(way))
    kept = near[: play.random.randint(1, _MOST_NEAR)]
    claim: JsonObject = {"near": list(kept)}
    return play.blueprint(turn(request, [[call]], reply), (play.lead, *map(play.key, kept)), claim)


def missing_function(play: Play) -> Blueprint:
    """A tool is said to be unavailable; the assistant says so, the user makes it available, then it is called."""
    texts = phrases()["missing_function"]
    if not play.book.can(play.name):
        raise PlanError(f"the domain does not say what {play.name} can do")
    play.open()
    play.own_system.append(play.random.choice(texts["system"]).format(name=play.name))
    way = play.way()
    scope = play.draw(way)
    play.let_know(way.arguments, scope)
    request = play.ask(way.requests, scope)
    play.require_known(way.arguments, scope)
    call = play.call(play.name, way.arguments, scope, request)
    require_success(call)
    steps = (
        Step(request=True, act="wish", about=(call,), request_text=request),
        Step(
            reply=True,
            act="lack",
            about=(call,),
            reply_text=play.random.choice(texts["lacking"]).format(can=deed(play.book, play.name)),
        ),
        Step(
            request=True, calls=(call,), act="enable", about=(call,), request_text=play.random.choice(texts["enabled"])
        ),
        Step(reply=True, reply_text=play.reply(way, scope)),
    )
    claim: JsonObject = {"function": play.name}
    near = play.book.domain.tools[play.name].near
    beside = [
        key for key in play.beside(play.random.randint(0, _MOST_BESIDE)) if play.stock.tools[key].name not in near
    ]
    return play.blueprint(steps, (play.lead, *beside), claim)


LAYOUTS: dict[str, Layout] = {
    "similar_tools": Layout(
        similar_tools,
        lambda book: tuple(
            name for name in book.telling if any(near in book.tools for near in book.domain.tools[name].near)
        ),
    ),
    "missing_function": Layout(missing_function, lambda book: tuple(filter(book.can, book.telling))),
}
