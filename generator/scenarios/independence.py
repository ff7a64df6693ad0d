"""Independence: calls that are made at once bring the same in any order, since nobody knows which one comes first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from generator.scenarios.blueprint import PlanError
from generator.scenarios.scenario import PlannedCall
from generator.worlds.execution import Unfit, execute
from generator.worlds.world import World


def require_independent(start: World, calls: Sequence[PlannedCall]) -> None:
    """Require that no call brings anything else for another one having been made before it.

    Args:
        start: the world before the calls.
        calls: what is called at once.

    Raises:
        PlanError: one does.
    """
    for first, second in permutations(calls, 2):
        try:
            after = execute(start, first.tool, first.arguments).world
            behind = execute(after, second.tool, second.arguments).result
            alone = execute(start.as_late_as(after), second.tool, second.arguments).result
        except Unfit as error:
            raise PlanError(str(error)) from error
        if behind != alone:
            raise PlanError(f"what {second.tool.name} brings depends on {first.tool.name}")
