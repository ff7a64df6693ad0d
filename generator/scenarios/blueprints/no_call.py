"""Records over a domain in which no tool is called."""

from __future__ import annotations

from generator.scenarios.phrases import phrases
from generator.scenarios.play import Play, turn
from generator.scenarios.sketch import Blueprint, PlanError
from generator.worlds.ways import WishProgram

_MOST_BESIDE = 4
_SHARE_OWN = 0.6


def irrelevance(play: Play) -> Blueprint:
    """Tools are shown, the wish is one that none of them can serve, and the assistant says so."""
    shown = (play.lead, *play.beside(play.random.randint(0, _MOST_BESIDE)))
    if not play.book.unserved:
        raise PlanError("the domain names no wish that it cannot serve")
    wish: WishProgram = play.random.choice(play.book.unserved)
    scope = play.stage.draw(wish.draws, play.stage.scope())
    request = play.ask(wish.requests, scope)
    own = play.random.random() < _SHARE_OWN
    reply = play.stage.say(wish.replies, scope) if own else declined(play, shown)
    return play.blueprint(turn(request, [], reply), shown)


def declined(play: Play, shown: tuple[str, ...]) -> str:
    """Decline, and offer what a shown tool of the domain can do, at times."""
    texts = phrases()["declining"]
    can = [can for key in shown if (can := play.book.can(play.stock.tools[key].name))]
    if can and play.random.random() < 0.6:
        return str(play.random.choice(texts["offering"]).format(can=play.random.choice(can)))
    return str(play.random.choice(texts["plain"]))
