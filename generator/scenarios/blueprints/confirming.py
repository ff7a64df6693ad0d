"""Confirmation over a domain: what changes something is done only after the user has said yes to it."""

from __future__ import annotations

from generator.jsontext import JsonObject
from generator.scenarios.blueprint import Blueprint
from generator.scenarios.consent import agreed
from generator.scenarios.leads import Layout, with_way
from generator.scenarios.phrases import phrases
from generator.scenarios.play import Play, require_success
from generator.scenarios.scenario import Step

_SHARE_DECLINED = 0.25
_MOST_BESIDE = 4


def confirm_before_write(play: Play) -> Blueprint:
    """The assistant asks before it acts, as the system message demands; a yes leads to the call, a no to none."""
    texts = phrases()["confirmation"]
    play.open()
    play.own_system.append(play.random.choice(texts["rules"]))
    way = play.way(lambda way: way.confirm)
    scope = play.draw(way)
    play.let_know(way.arguments, scope)
    request = play.ask(way.requests, scope)
    play.require_known(way.arguments, scope)
    question = play.stage.hear(play.stage.tell(way.confirm, scope))
    declined = play.random.random() < _SHARE_DECLINED
    call = play.call(play.name, way.arguments, scope, request)
    require_success(call)
    asked = (
        Step(request=True, act="wish", about=(call,), request_text=request),
        Step(reply=True, act="confirm", about=(call,), reply_text=question),
    )
    if declined:
        ended = (
            Step(request=True, act="decline", about=(call,), request_text=play.random.choice(texts["no"])),
            Step(reply=True, act="leave", about=(call,), reply_text=play.random.choice(texts["left"])),
        )
    else:
        ended = (
            Step(request=True, calls=(call,), act="agree", request_text=agreed([question], play.random)),
            Step(reply=True, reply_text=play.reply(way, scope)),
        )
    claim: JsonObject = {"asked_about": play.name, "answer": "no" if declined else "yes"}
    beside = play.beside(play.random.randint(0, _MOST_BESIDE))
    return play.blueprint((*asked, *ended), (play.lead, *beside), claim)


LAYOUTS: dict[str, Layout] = {
    "confirm_before_write": Layout(confirm_before_write, with_way(lambda way: way.confirm)),
}
