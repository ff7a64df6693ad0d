"""Records in which no tool is called."""

from __future__ import annotations

from generator.scenarios.kind import Kind
from generator.scenarios.scenario import Step
from generator.scenarios.sketch import Blueprint, Sketch

_MOST_OTHERS = 4
_SHARE_ANSWERED = 0.6
_SHARE_PARTING = 0.25
_SHARE_WITH_SYSTEM = 0.6
_SYSTEM_TEXTS = (
    "You are a helpful assistant.",
    "You are a friendly assistant. Answer in one or two sentences.",
    "Help the user. Keep answers short and to the point.",
    "You are a careful assistant. Say so when there is something that you cannot do.",
    "Answer the user's questions as well as you can.",
)
"""None of them speaks of tools."""


def irrelevance(sketch: Sketch) -> Blueprint:
    """Tools are shown, the request is one that none of them can serve, and the assistant says so."""
    return Blueprint(_shown(sketch), (Step(request=True), Step(reply=True)))


def no_tools(sketch: Sketch) -> Blueprint:
    """No tool is shown: a plain question is answered, a wish that needs a tool is declined."""
    act = "answer" if sketch.random.random() < _SHARE_ANSWERED else "decline"
    system = sketch.random.choice(_SYSTEM_TEXTS) if sketch.random.random() < _SHARE_WITH_SYSTEM else ""
    return Blueprint((), (Step(request=True, act=act), Step(reply=True, act=act)), system=system)


def chitchat(sketch: Sketch) -> Blueprint:
    """Tools are shown and none is needed: a greeting, thanks, small talk, a question about the assistant itself."""
    talk = (Step(request=True, act="talk"), Step(reply=True, act="talk"))
    parting = (Step(request=True, act="part"), Step(reply=True, act="part"))
    return Blueprint(_shown(sketch), talk + (parting if sketch.random.random() < _SHARE_PARTING else ()))


def _shown(sketch: Sketch) -> tuple[str, ...]:
    count = sketch.random.randint(0, _MOST_OTHERS)
    others = sketch.stock.beside(sketch.lead, count, sketch.random, lax=False)
    return sketch.shuffled((sketch.lead, *others))


KINDS = (
    Kind(
        "irrelevance",
        "tools shown, none fits, no call",
        lambda stock: stock.every,
        "a tool",
        irrelevance,
        calls=False,
    ),
    Kind(
        "no_tools",
        "no tool shown: a question answered or a wish declined",
        lambda stock: stock.every,
        "a tool",
        no_tools,
        calls=False,
    ),
    Kind(
        "chitchat",
        "tools shown, none needed: greetings, thanks, small talk",
        lambda stock: stock.every,
        "a tool",
        chitchat,
        calls=False,
    ),
)
