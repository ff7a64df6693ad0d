"""Records in which no tool is called."""

from __future__ import annotations

from generator.scenarios.leads import Layout, any_tool
from generator.scenarios.off_topic import (
    Talk,
    draw_question,
    draw_reply,
    draw_wish,
    draw_wording,
    fits_the_hour,
    load_small_talk,
    takes_leave,
)
from generator.scenarios.planning_context import Play, turn
from generator.scenarios.scenario import Blueprint, PlanError, Step
from generator.scenarios.wording import phrases
from generator.streams import derive_seed
from generator.worlds.speech import joined
from generator.worlds.templates import Template
from generator.worlds.ways import WishProgram

_MOST_BESIDE = 4
_MOST_DRAWS = 20
"""How often a parting word is drawn, until it fits the hour of the greeting."""
_SHARE_NEAR = 0.7
"""Of the irrelevant wishes over a domain that names some: those that are near to what its tools do."""
_SHARE_AGAIN = 0.35
"""When each of their wordings had its turn: the share of those that are still near."""
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
    near = _near_wish(play)
    if near is not None:
        return _declined(play, *near)
    shown = (play.lead, *play.beside(play.random.randint(0, _MOST_BESIDE)))
    drawn = draw_wish(play.random, tuple(play.stock.tools[key] for key in shown), before=play.visit)
    if drawn is None:
        raise PlanError("the tools shown speak of everything")
    topic, request = drawn
    reply = play.random.choice(phrases()["declining"]["deed"]).format(deed=topic.deed)
    return play.blueprint(turn(request, [], reply), shown)


def _near_wish(play: Play) -> tuple[WishProgram, Template] | None:
    """Return a wish of the domain with its words; None where the record is to be about something else.

    Each wording has its turn, as far as can be told without a look at other records: by how many records of the kind
    came before, and by the share of them that is about this domain. What is said anew each time, since something in it
    is drawn, may come later too.
    """
    texts = [(wish, text) for wish in play.book.unserved for text in wish.requests]
    if not texts or play.random.random() >= _SHARE_NEAR:
        return None
    before = int(play.visit * _SHARE_NEAR * len(play.book.tools) / len(play.stock.every))
    if before < len(texts):
        if play.attempt:
            return None
        first = derive_seed(play.seed, "unserved", play.book.domain.name)
        return texts[(first + before) % len(texts)]
    varied = [(wish, text) for wish, text in texts if not wish.draws.keys().isdisjoint(text.names)]
    return play.random.choice(varied) if varied and play.random.random() < _SHARE_AGAIN else None


def _declined(play: Play, wish: WishProgram, text: Template) -> Blueprint:
    """Lay out a wish of the domain, of which its file says that none of its tools serves it; no others are shown."""
    scope = play.stage.draw(wish.draws, play.stage.scope())
    request = play.ask((text,), scope)
    names = (play.name, *play.others(play.book.tools, play.random.randint(0, _MOST_BESIDE)))
    reply = play.stage.tell(wish.replies, scope)
    return play.blueprint(turn(request, [], reply), tuple(map(play.key, names)), {"unserved_by": sorted(names)})


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
        drawn = draw_wish(play.random, before=int(play.visit * (1 - _SHARE_ANSWERED)))
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
    if play.random.random() < _SHARE_PARTING and not takes_leave(steps[0].request_text):
        steps += _talk(play, shown, parting=True, before=steps[0].request_text)
    return play.blueprint(steps, shown)


def _talk(play: Play, shown: tuple[str, ...], *, parting: bool, before: str = "") -> tuple[Step, ...]:
    known = load_small_talk()
    can = _abilities(play, shown)
    talks = [talk for talk in known.talks if (talk.name in _PARTING) is parting and (can or not talk.about)]
    for _ in range(_MOST_DRAWS):
        talk: Talk = play.random.choice(talks)
        text = draw_wording(play.random.choice(talk.requests), play.random, known.pools)
        if fits_the_hour(text, before):
            break
    return turn(text, [], draw_reply(talk, text, joined(can[:3]), play.random))


LAYOUTS: dict[str, Layout] = {
    "irrelevance": Layout(irrelevance, any_tool),
    "no_tools": Layout(no_tools, any_tool),
    "chitchat": Layout(chitchat, any_tool),
}
