"""News: what a call changes that was not so before it, and what it asks that was not asked before."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from generator.scenarios.scenario import PlannedCall
from generator.worlds.world import Change, World

_MINUTE = len("2026-01-15T09:12")


def is_so_already(start: World, end: World) -> bool:
    """Say whether the call between two worlds gave fields the values that they had, and changed no more than the hour.

    A call that gives no field a value of its own may change nothing: it reads, or its name says all that it does.
    """
    return bool(end.held) and all(_is_stamp(change, end) for change in end.changes[len(start.changes) :])


def _is_stamp(change: Change, world: World) -> bool:
    """Say whether a change does no more than to note when it was made."""
    before, after = change
    if before is None or after is None:
        return False
    fresh = [key for key in {*before.fields, *after.fields} if before.get(key) != after.get(key)]
    return all(str(after.get(key)).startswith(world.now[:_MINUTE]) for key in fresh)


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
