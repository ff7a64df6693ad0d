"""Records in which no tool is called."""

from __future__ import annotations

from generator.random_streams import derive_seed
from generator.scenarios.lead_tools import Layout, any_tool
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
from generator.scenarios.planning_context import PlanningContext, turn
from generator.scenarios.scenario import Blueprint, PlanError, Step
from generator.scenarios.wording import phrases
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


def irrelevance(context: PlanningContext) -> Blueprint:
    """Tools are shown, the wish is one that none of them can serve, and the assistant says so in words that fit it."""
    near = _near_wish(context)
    if near is not None:
        return _declined(context, *near)
    shown = (context.lead, *context.beside(context.random.randint(0, _MOST_BESIDE)))
    drawn = draw_wish(context.random, tuple(context.index.tools[key] for key in shown), before=context.visit)
    if drawn is None:
        raise PlanError("the tools shown speak of everything")
    topic, request = drawn
    reply = context.random.choice(phrases()["declining"]["deed"]).format(deed=topic.deed)
    return context.blueprint(turn(request, [], reply), shown)


def _near_wish(context: PlanningContext) -> tuple[WishProgram, Template] | None:
    """Return a wish of the domain with its words; None where the record is to be about something else.

    Each wording has its turn, as far as can be told without a look at other records: by how many records of the kind
    came before, and by the share of them that is about this domain. What is said anew each time, since something in it
    is drawn, may come later too.
    """
    texts = [(wish, text) for wish in context.book.unserved for text in wish.requests]
    if not texts or context.random.random() >= _SHARE_NEAR:
        return None
    before = int(context.visit * _SHARE_NEAR * len(context.book.tools) / len(context.index.every))
    if before < len(texts):
        if context.attempt:
            return None
        first = derive_seed(context.seed, "unserved", context.book.domain.name)
        return texts[(first + before) % len(texts)]
    varied = [(wish, text) for wish, text in texts if not wish.draws.keys().isdisjoint(text.names)]
    return context.random.choice(varied) if varied and context.random.random() < _SHARE_AGAIN else None


def _declined(context: PlanningContext, wish: WishProgram, text: Template) -> Blueprint:
    """Lay out a wish of the domain, of which its file says that none of its tools serves it; no others are shown."""
    scope = context.state.draw(wish.draws, context.state.scope())
    request = context.ask((text,), scope)
    names = (context.name, *context.others(context.book.tools, context.random.randint(0, _MOST_BESIDE)))
    reply = context.state.tell(wish.replies, scope)
    return context.blueprint(turn(request, [], reply), tuple(map(context.key, names)), {"unserved_by": sorted(names)})


def _abilities(context: PlanningContext, shown: tuple[str, ...]) -> list[str]:
    """Return what the shown tools of the domain can do, in its words."""
    if context.book.domain.origin == "derived":
        return []
    names = [context.index.tools[key].name for key in shown]
    return [can for name in names if name in context.book.tools and (can := context.book.can(name))]


def no_tools(context: PlanningContext) -> Blueprint:
    """No tool is shown: a plain question is answered, a wish that needs a tool is declined."""
    if context.random.random() < _SHARE_ANSWERED:
        request, reply = draw_question(context.random)
    else:
        drawn = draw_wish(context.random, before=int(context.visit * (1 - _SHARE_ANSWERED)))
        if drawn is None:
            raise PlanError("there is no topic to speak of")
        topic, request = drawn
        reply = context.random.choice(phrases()["declining"]["without_tools"]).format(deed=topic.deed)
    context.own_system += [context.random.choice(_SYSTEM_TEXTS)] if context.random.random() < _SHARE_WITH_SYSTEM else []
    return context.blueprint(turn(request, [], reply), ())


def chitchat(context: PlanningContext) -> Blueprint:
    """Tools are shown and none is needed: a greeting, thanks, small talk, a question about the assistant itself."""
    shown = (context.lead, *context.beside(context.random.randint(0, _MOST_BESIDE)))
    steps = _talk(context, shown, parting=False)
    if context.random.random() < _SHARE_PARTING and not takes_leave(steps[0].request_text):
        steps += _talk(context, shown, parting=True, before=steps[0].request_text)
    return context.blueprint(steps, shown)


def _talk(context: PlanningContext, shown: tuple[str, ...], *, parting: bool, before: str = "") -> tuple[Step, ...]:
    known = load_small_talk()
    can = _abilities(context, shown)
    talks = [talk for talk in known.talks if (talk.name in _PARTING) is parting and (can or not talk.about)]
    for _ in range(_MOST_DRAWS):
        talk: Talk = context.random.choice(talks)
        text = draw_wording(context.random.choice(talk.requests), context.random, known.pools)
        if fits_the_hour(text, before):
            break
    return turn(text, [], draw_reply(talk, text, joined(can[:3]), context.random))


LAYOUTS: dict[str, Layout] = {
    "irrelevance": Layout(irrelevance, any_tool),
    "no_tools": Layout(no_tools, any_tool),
    "chitchat": Layout(chitchat, any_tool),
}
