"""Single turns: one request, one or several calls at once, one reply."""

from __future__ import annotations

from random import Random

from generator.scenarios.kind import Kind
from generator.scenarios.sketch import Blueprint, PlanError, Sketch, ask_and_answer

_MOST_DISTRACTORS = 5
_MOST_DISTRACTORS_BESIDE_PARALLEL = 3


def simple(sketch: Sketch) -> Blueprint:
    """One tool shown and called once."""
    return Blueprint((sketch.lead,), ask_and_answer(sketch.calls(sketch.lead, 1)))


def multiple(sketch: Sketch) -> Blueprint:
    """Several tools shown, the leading one called once."""
    count = sketch.random.randint(1, _MOST_DISTRACTORS)
    others = sketch.stock.beside(sketch.lead, count, sketch.random, lax=False)
    if not others:
        raise PlanError("every other tool is too much like the one that fits")
    shown = sketch.shuffled((sketch.lead, *others))
    return Blueprint(shown, ask_and_answer(sketch.calls(sketch.lead, 1)))


def parallel(sketch: Sketch) -> Blueprint:
    """One tool called several times at once, perhaps with others shown beside it."""
    calls = sketch.calls(sketch.lead, _call_count(sketch.random))
    count = sketch.random.randint(0, _MOST_DISTRACTORS_BESIDE_PARALLEL)
    others = sketch.stock.beside(sketch.lead, count, sketch.random, lax=True)
    return Blueprint(sketch.shuffled((sketch.lead, *others)), ask_and_answer(calls))


def parallel_multiple(sketch: Sketch) -> Blueprint:
    """Two or three tools called at once, each once, perhaps with others shown beside them."""
    wanted = 1 if sketch.random.random() < 0.75 else 2
    partners = sketch.stock.beside(sketch.lead, wanted, sketch.random, lax=True)
    if not partners:
        raise PlanError("no other tool can be called beside the leading one")
    called = (sketch.lead, *partners)
    calls = tuple(call for key in called for call in sketch.calls(key, 1))
    count = sketch.random.randint(0, _MOST_DISTRACTORS_BESIDE_PARALLEL)
    others = sketch.stock.beside(sketch.lead, count, sketch.random, lax=True, without=partners)
    return Blueprint(sketch.shuffled((*called, *others)), ask_and_answer(calls))


def _call_count(random: Random) -> int:
    return random.choices((2, 3, 4), weights=(6, 3, 1))[0]


KINDS = (
    Kind("simple", "one tool shown, one call", lambda stock: stock.every, "a tool", simple),
    Kind(
        "multiple",
        "several tools shown, one of them fits, one call",
        lambda stock: stock.accompanied,
        "at least two tools that may be shown together",
        multiple,
    ),
    Kind(
        "parallel",
        "one tool, several independent calls at once",
        lambda stock: stock.repeatable,
        "a tool that is not strict and has a parameter with more than one value",
        parallel,
    ),
    Kind(
        "parallel_multiple",
        "several tools called at once",
        lambda stock: stock.combinable,
        "at least two tools that are not strict and may be shown together",
        parallel_multiple,
    ),
)
