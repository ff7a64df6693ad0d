"""The arguments that the plan suggests for each call, and how its tool will answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from random import Random

from generator.errors import ValueSynthesisError
from generator.jsontext import JsonObject, dump_canonical
from generator.records.calls import SUCCESS
from generator.scenarios.coverage import NO_VARIANT, Variant, variant
from generator.scenarios.scenario import PlannedCall
from generator.scenarios.sketch import PlanError
from generator.tools.error_types import plausible_error_types
from generator.tools.tool import Tool
from generator.values import Context, synthesize_value

_TRIES = 6
_IDENTIFYING = re.compile(r"(?:^|_)(?:id|number|no|key|code|sku|sha)$|(?:Id|ID|Number)$")
_PERSONAL = re.compile(
    r"name|mail|phone|user|customer|contact|recipient|passenger|patient|birth|dob|account", re.IGNORECASE
)
_SHARE_VARYING_ONE = 0.6
"""Of the parallel records: those whose calls differ in one argument alone, as people ask ("in Paris and in Rome")."""


class CallPlanner:
    """Plans the calls of one record from its own stream."""

    def __init__(
        self, random: Random, visit: int, *, bare: bool, error_rate: float, locale: str, reference_date: date
    ) -> None:
        self._random = random
        self._visit = visit
        self._bare = bare
        self._error_rate = error_rate
        self._locale = locale
        self._reference_date = reference_date

    def plan(self, tool: Tool, count: int) -> tuple[PlannedCall, ...]:
        """Plan `count` calls of one tool with different arguments.

        Raises:
            PlanError: the schema has no value that can be found, or too few different ones.
        """
        first = self._arguments(tool, self._variant(tool, 0))
        drawn = [first]
        vary = self._varying_one(tool, first) if count > 1 else None
        while len(drawn) < count:
            drawn.append(self._another(tool, drawn, vary))
        return tuple(PlannedCall(tool, arguments, self._outcome(tool)) for arguments in drawn)

    def plan_one(
        self,
        tool: Tool,
        *,
        fixed: JsonObject | None = None,
        include: frozenset[str] | None = None,
        outcome: str | None = None,
    ) -> PlannedCall:
        """Plan one call, of which some things are given; see `sketch.PlanCall`.

        Raises:
            PlanError: no arguments can be found.
        """
        drawn = self._variant(tool, 0)
        kept = {name: value for name, value in drawn.fixed.items() if include is None or name in include}
        plan = Variant(drawn.include if include is None else include, {**kept, **(fixed or {})})
        return PlannedCall(tool, self._arguments(tool, plan), self._outcome(tool) if outcome is None else outcome)

    def _variant(self, tool: Tool, turn: int) -> Variant:
        if not self._bare:
            return variant(tool.parameters, self._visit + turn)
        required = variant({**tool.parameters, "properties": _required_properties(tool)}, self._visit + turn)
        return Variant(NO_VARIANT.include, required.fixed)

    def _another(self, tool: Tool, drawn: list[JsonObject], vary: Callable[[int], Variant] | None) -> JsonObject:
        taken = {dump_canonical(arguments) for arguments in drawn}
        for turn in range(_TRIES):
            plan = vary(turn) if vary and turn < _TRIES // 2 else self._variant(tool, len(drawn) + turn)
            arguments = self._arguments(tool, plan)
            if dump_canonical(arguments) not in taken:
                return arguments
        raise PlanError(f"{tool.name} has too few different arguments for {len(drawn) + 1} calls")

    def _varying_one(self, tool: Tool, first: JsonObject) -> Callable[[int], Variant] | None:
        """Keep all arguments of the first call but one."""
        if len(first) < 2 or self._random.random() >= _SHARE_VARYING_ONE:
            return None
        name = varied_parameter(tool.parameters, first)
        if name is None:
            return None
        kept = {key: value for key, value in first.items() if key != name}
        return lambda turn: Variant(frozenset(first), kept)

    def _arguments(self, tool: Tool, plan: Variant) -> JsonObject:
        context = Context(
            reference_date=self._reference_date,
            name=tool.name,
            description=tool.description,
            include=plan.include,
            fixed=plan.fixed,
            purpose="argument",
        )
        try:
            value: JsonObject = synthesize_value(
                tool.parameters, seed=self._random, context=context, locale=self._locale
            )
        except ValueSynthesisError as error:
            raise PlanError(f"no arguments for {tool.name}: {error}") from error
        return value

    def _outcome(self, tool: Tool) -> str:
        if self._random.random() >= self._error_rate:
            return SUCCESS
        return self._random.choice(plausible_error_types(tool))


def varied_parameter(parameters: JsonObject, given: JsonObject) -> str | None:
    """Return the argument in which several calls would differ when a person asks; None where they differ in all.

    Of several open ones it is what identifies a thing ("cards 3 and 8"), else the last, which is the most
    particular, but text before figures ("in Paris and in Rome for 3 days"). What belongs to one person never
    stays while another person's comes.
    """
    properties, required = parameters["properties"], parameters.get("required", ())
    free = [name for name in given if name in required and _is_plain_open(properties.get(name))]
    if not free or (len(free) > 1 and any(_PERSONAL.search(name) for name in free)):
        return None
    if things := [name for name in free if _IDENTIFYING.search(name)]:
        return things[-1]
    texts = [name for name in free if properties[name]["type"] == "string"]
    return free[-1] if len(free) > 2 or not texts else texts[-1]


def _is_plain_open(schema: object) -> bool:
    return (
        isinstance(schema, dict)
        and schema.get("type") in ("string", "number", "integer")
        and not {"enum", "const"} & schema.keys()
    )


def _required_properties(tool: Tool) -> JsonObject:
    required = set(tool.parameters.get("required", ()))
    return {name: schema for name, schema in tool.parameters.get("properties", {}).items() if name in required}
