"""Consent: what is asked before a call that a domain allows only after the user has said yes to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

from generator.jsontext import JsonObject, JsonValue
from generator.scenarios.plan_state import PlanState
from generator.scenarios.scenario import PlanError, PlannedCall, Step
from generator.scenarios.wording import phrases
from generator.worlds.rows import Scope
from generator.worlds.ways import Arguments, Templates, WayProgram

_RIGHT = re.compile(r"\b(?:right|correct)\?$", re.IGNORECASE)
"""The end of a question to which people say that it is right."""


def question_before(state: PlanState, name: str, arguments: Arguments, scope: Scope) -> str:
    """Return what the assistant asks before a call; "" where the tool may be called without a yes.

    Raises:
        PlanError: the domain has no words in which to ask.
    """
    if name not in state.compiled.asking:
        return ""
    if arguments.confirm:
        return _alike(state, name, arguments.confirm, scope)
    values = state.values_of(arguments, scope)
    given = {key: arguments.values[key](scope) for key in values}
    for way in state.compiled.ways.get(name, ()):
        names = _as_drawn(state, way, values, given) if way.confirm else None
        if names is not None and all(text.names <= {*names, "me", "today", "now"} for text in way.confirm):
            return state.tell(way.confirm, state.scope(**names))
    raise PlanError(f"the domain has no words to ask before {name} is called")


def _alike(state: PlanState, name: str, confirm: Templates, scope: Scope) -> str:
    """Ask as was asked before another call of the tool in this record, where that can be said."""
    order = list(confirm)
    state.random.shuffle(order)
    order.sort(key=lambda template: template is not state.questions.get(name))
    for template in order:
        with suppress(PlanError):
            text = state.tell((template,), scope)
            state.questions[name] = template
            return text
    return state.tell(confirm, scope)


def _as_drawn(state: PlanState, way: WayProgram, values: JsonObject, given: dict[str, Any]) -> dict[str, Any] | None:
    """Return what a way would have drawn to make a call with these values; None where it makes no such call."""
    if set(way.arguments.values) != set(values):
        return None
    names: dict[str, Any] = {}
    for key, value in values.items():
        spec = way.way.arguments[key]
        if key in way.arguments.constants:
            if spec != value:
                return None
        elif isinstance(spec, list) and isinstance(value, list) and len(spec) == len(value):
            if not all(_bind(state, way, *pair, names) for pair in zip(spec, value, strict=True)):
                return None
        elif not _bind(state, way, spec, given[key], names):
            return None
    return names


def _bind(state: PlanState, way: WayProgram, spec: JsonValue, value: Any, names: dict[str, Any]) -> bool:
    """Find what a draw of a way stands for where an argument that it fills has this value."""
    if not isinstance(spec, str) or not spec.startswith("$"):
        return bool(spec == value)
    root, *fields = spec[1:].split(".")
    if root not in way.draws:
        return True  # the user's own, or today: the same in every call
    entity = way.types.get(root, "")
    if not fields:
        found = [value]
    else:
        rows = state.world.table(entity).values() if entity and len(fields) == 1 else ()
        found = [row for row in rows if row.get(fields[0]) == value]
    if len(found) != 1 or (root in names and names[root] != found[0]):
        return False
    names[root] = found[0]
    return True


def with_consent(steps: Iterable[Step], random: Random) -> Iterator[Step]:
    """Let the assistant ask before each call that needs a yes, and the user say it, unless that is planned already."""
    before = ""
    for step in steps:
        questions = list(dict.fromkeys(call.question for call in step.calls if call.question))
        if not questions or before == "confirm":
            yield step
        else:
            if step.request:
                yield replace(step, calls=(), act=step.act or "wish", about=step.about or step.calls)
            yield Step(reply=True, act="confirm", about=step.calls, reply_text=asked(questions, random))
            yield Step(request=True, calls=step.calls, act="agree", request_text=agreed(questions, random))
        before = step.act


def asked(questions: list[str], random: Random) -> str:
    """Put one question, or several as a list."""
    if len(questions) == 1:
        return questions[0]
    listed = "\n".join(f"{number}. {each}" for number, each in enumerate(questions, 1))
    return f"{random.choice(phrases()['confirmation']['several'])}\n{listed}"


def agreed(questions: list[str], random: Random) -> str:
    """Say yes to what was asked."""
    texts = phrases()["confirmation"]
    if len(questions) > 1:
        return str(random.choice(texts["yes_to_all"])).format(all="both" if len(questions) == 2 else "all of it")
    return str(random.choice([*texts["yes"], *(texts["right"] if _RIGHT.search(questions[0]) else ())]))


def require_consent(calls: Iterable[PlannedCall], asking: frozenset[str]) -> None:
    """Require that something is asked before each call that needs a yes.

    Raises:
        PlanError: nothing is asked before one.
    """
    for call in calls:
        if call.tool.name in asking and not call.question:
            raise PlanError(f"nobody asks before {call.tool.name} is called")
