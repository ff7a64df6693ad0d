"""Records in which no tool is called."""

from __future__ import annotations

from generator.scenarios.blueprint import Blueprint, PlanError
from generator.scenarios.phrases import phrases
from generator.scenarios.play import Play, turn
from generator.scenarios.scenario import Step
from generator.scenarios.talk.everyday_wishes import draw_wish
from generator.scenarios.talk.plain_questions import draw_question
from generator.scenarios.talk.small_talk import Talk, draw_wording, load_small_talk
from generator.worlds.formats import joined
from generator.worlds.tasks import WishProgram

_MOST_BESIDE = 4
_SHARE_NEAR = 0.7
"""Of the irrelevant wishes over a domain that names some: those that are near to what its tools do."""
_SHARE_ANSWERED = 0.6
_SHARE_PARTING = 0.4
_PARTING = ("thanks", "goodbye", "praise")
"""Talk that nobody begins with: it looks back at what was said."""
_SHARE_WITH_SYSTEM = 0.6
_SYSTEM_TEXTS = (
    "You are a helpful assistant.",
    "You are a friendly assistant. Answer in one or two sentences.",
    "Help the user. Keep answers short and to the point.",
    "You are a careful assistant. Say so when there is something that you cannot do.",
    "Answer the user's questions as well as you can.",
)
"""None of them speaks of tools."""


def irrelevance(play: Play) -> Blueprint:
    """Tools are shown, the wish is one that none of them can serve, and the assistant says so in words that fit it."""
    shown = (play.lead, *play.beside(play.random.randint(0, _MOST_BESIDE)))
    if play.book.unserved and play.random.random() < _SHARE_NEAR:
        wish: WishProgram = play.random.choice(play.book.unserved)
        scope = play.stage.draw(wish.draws, play.stage.scope())
        request = play.ask(wish.requests, scope)
        return play.blueprint(turn(request, [], play.stage.tell(wish.replies, scope)), shown)
    drawn = draw_wish(play.random, tuple(play.stock.tools[key] for key in shown))
    if drawn is None:
        raise PlanError("the tools shown speak of everything")
    topic, request = drawn
    reply = play.random.choice(phrases()["declining"]["deed"]).format(deed=topic.deed)
    return play.blueprint(turn(request, [], reply), shown)


def _abilities(play: Play, shown: tuple[str, ...]) -> list[str]:
    """Return what the shown tools of the domain can do, in its words."""
    if play.book.domain.origin == "derived":
        return []
    names = [play.stock.tools[key].name for key in shown]
    return [can for name in names if name in play.book.tools and (can := play.book.can(name))]


def no_tools(play: Play) -> Blueprint:
    """No tool is shown: a plain question is answered, a wish that needs a tool is declined."""
    if play.random.random() < _SHARE_ANSWERED:
        request, reply = draw_question(play.random)
    else:
        drawn = draw_wish(play.random)
        if drawn is None:
            raise PlanError("there is no topic to speak of")
        topic, request = drawn
        reply = play.random.choice(phrases()["declining"]["without_tools"]).format(deed=topic.deed)
    play.own_system += [play.random.choice(_SYSTEM_TEXTS)] if play.random.random() < _SHARE_WITH_SYSTEM else []
    return play.blueprint(turn(request, [], reply), ())


def chitchat(play: Play) -> Blueprint:
    """Tools are shown and none is needed: a greeting, thanks, small talk, a question about the assistant itself."""
    shown = (play.lead, *play.beside(play.random.randint(0, _MOST_BESIDE)))
    steps = _talk(play, shown, parting=False)
    if play.random.random() < _SHARE_PARTING:
        steps += _talk(play, shown, parting=True)
    return play.blueprint(steps, shown)


def _talk(play: Play, shown: tuple[str, ...], *, parting: bool) -> tuple[Step, ...]:
    known = load_small_talk()
    can = _abilities(play, shown)
    talks = [talk for talk in known.talks if (talk.name in _PARTING) is parting and (can or not talk.about)]
    talk: Talk = play.random.choice(talks)
    text = draw_wording(play.random.choice(talk.requests), play.random, known.pools)
    offers = joined(can[:3])
    return turn(text, [], play.random.choice(talk.replies).format(offers=offers))
