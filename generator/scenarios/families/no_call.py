"""Records in which no tool is called."""

from __future__ import annotations

from generator.scenarios.kind import Kind
from generator.scenarios.scenario import Step
from generator.scenarios.sketch import Blueprint, Sketch

_MOST_OTHERS = 4


def irrelevance(sketch: Sketch) -> Blueprint:
    """Tools are shown, the request is one that none of them can serve, and the assistant says so."""
    count = sketch.random.randint(0, _MOST_OTHERS)
    others = sketch.stock.beside(sketch.lead, count, sketch.random, lax=False)
    return Blueprint(sketch.shuffled((sketch.lead, *others)), (Step(request=True), Step(reply=True)))


KINDS = (
    Kind(
        "irrelevance",
        "tools shown, none fits, no call",
        lambda stock: stock.every,
        "a tool",
        irrelevance,
        calls=False,
    ),
)
