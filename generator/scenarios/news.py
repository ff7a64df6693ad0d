"""News: what a call changes that was not so before it, and what it asks that was not asked before."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from generator.jsontext import JsonValue
from generator.scenarios.scenario import PlannedCall
from generator.worlds.changes import Change
from generator.worlds.world import World

_NAME = re.compile(r"[${]\s*\$?(?:args\.)?([A-Za-z_]\w*)")
_UPDATES = ("update", "update_all")
_CHANGES = ("set", "append", "remove", "merge")
_FINDS = ("get", "list", "create")
_STEPS = ("do", "then", "else")
_MINUTE = len("2026-01-15T09:12")


def is_so_already(start: World, end: World, call: PlannedCall, effect: JsonValue) -> bool:
    """Say whether a call gives fields values that they have: nothing is changed but the hour that is noted with it.

    A call that gives no field a value of its own may change nothing: it reads, or its name says all that it does.

    Args:
        start: the world before the call.
        end: the world after it.
        call: the call, which succeeded.
        effect: what the domain file says that its tool does.
    """
    changes = end.changes[len(start.changes) :]
    if not all(_is_stamp(change, end) for change in changes):
        return False
    return not call.arguments.keys().isdisjoint(_set_by(effect, {}))


def _is_stamp(change: Change, world: World) -> bool:
    """Say whether a change does no more than to note when it was made."""
    before, after = change
    if before is None or after is None:
        return False
    fresh = [key for key in {*before.fields, *after.fields} if before.get(key) != after.get(key)]
    return all(str(after.get(key)).startswith(world.now[:_MINUTE]) for key in fresh)


def _set_by(steps: JsonValue, known: dict[str, set[str]]) -> Iterator[str]:
    """Yield the names from which updates take the values of fields; what was found by a name stands for it."""
    for step in steps if isinstance(steps, list | tuple) else ():
        if not isinstance(step, dict):
            continue
        found = step.get("as")
        if isinstance(found, str) and any(key in step for key in _FINDS):
            known[found] = set(_names(step.get("where"), known))
        let = step.get("let")
        if isinstance(let, dict):
            known |= {name: set(_names(value, known)) for name, value in let.items()}
        if any(key in step for key in _UPDATES):
            for key in _CHANGES:
                yield from _names(step.get(key), known)
        for key in _STEPS:
            yield from _set_by(step.get(key), known)


def _names(value: JsonValue, known: dict[str, set[str]]) -> Iterator[str]:
    """Yield the names in a value, and those behind them."""
    if isinstance(value, str):
        for name in _NAME.findall(value):
            yield name
            yield from known.get(name, ())
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _names(each, known)


def says_nothing_new(
    call: PlannedCall, fresh: Collection[str], earlier: Iterable[PlannedCall], *, changed: bool
) -> bool:
    """Say whether a call repeats an earlier one: all of it with nothing `changed` since, or each value said anew."""
    alike = [each for each in earlier if each.tool.name == call.tool.name]
    if any(each.arguments == call.arguments for each in alike) and not changed:
        return True
    return bool(fresh) and any(
        all(name in each.arguments and each.arguments[name] == call.arguments.get(name) for name in fresh)
        for each in alike
    )
