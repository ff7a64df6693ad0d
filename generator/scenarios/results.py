"""What the calls of a draft bring on the world of their scenario, and what of it later calls carry on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generator.jsontext import JsonObject, JsonValue
from generator.records import Draft, DraftCall, Exchange, ToolResult
from generator.scenarios.scenario import PlannedCall, Scenario, Step
from generator.tools import Tool
from generator.worlds.execution import execute
from generator.worlds.world import World


def answer_calls(
    scenario: Scenario, draft: Draft, step: Step, history: tuple[Exchange, ...] = ()
) -> tuple[ToolResult, ...]:
    """Answer the calls of a draft, in their order, on the world as the calls before them left it.

    Calls made just as they were planned, after nothing but planned ones, bring what the plan saw; others are executed.
    """
    if not draft.calls:
        return ()
    if _is_planned(draft, step) and all(
        _is_planned(each.draft, planned) for each, planned in zip(history, scenario.steps, strict=False)
    ):
        return tuple(call.answer for call in step.calls if call.answer is not None)
    drafts = [*(each.draft for each in history), draft]
    results = [result for _, result in _played(scenario, drafts, [*scenario.steps[: len(history)], step])]
    return tuple(results[len(results) - len(draft.calls) :])


def world_after(scenario: Scenario, history: tuple[Exchange, ...]) -> World:
    """Return the world as the calls of a whole conversation left it."""
    return worlds_of(scenario, [each.draft for each in history])[-1]


def worlds_of(scenario: Scenario, drafts: Sequence[Draft]) -> list[World]:
    """Return the world as it began, and as each call of a conversation left it."""
    return [scenario.world, *(world for world, _ in _played(scenario, drafts, scenario.steps))]


def _played(scenario: Scenario, drafts: Sequence[Draft], steps: Sequence[Step]) -> Iterator[tuple[World, ToolResult]]:
    """Execute every call in order; yield the world after each, and what it brought."""
    world = scenario.world
    tools = {tool.name: tool for tool in scenario.tools}
    for call, planned in _all_calls(drafts, steps):
        tool = tools.get(call.name)
        if tool is None:
            message = f"There is no tool called {call.name}."
            yield world, ToolResult(call.name, error_type="RESOURCE_NOT_FOUND", error_message=message)
            continue
        done = execute(world, tool, call.arguments, _outage(call, planned))
        world = done.world
        yield world, done.result


def _is_planned(draft: Draft, step: Step) -> bool:
    return len(draft.calls) == len(step.calls) and all(
        call.name == planned.tool.name and call.arguments == planned.arguments and planned.answer is not None
        for call, planned in zip(draft.calls, step.calls, strict=True)
    )


def _all_calls(drafts: Sequence[Draft], steps: Sequence[Step]) -> Iterator[tuple[DraftCall, PlannedCall | None]]:
    """Yield every call so far with its plan, where it has one."""
    for written, planned in zip(drafts, steps, strict=False):
        for place, call in enumerate(written.calls):
            yield call, planned.calls[place] if place < len(planned.calls) else None


def _outage(call: DraftCall, planned: PlannedCall | None) -> ToolResult | None:
    """Return the outage that was planned for a call of this tool."""
    if planned is None or not planned.struck or planned.tool.name != call.name:
        return None
    return planned.answer


def as_planned(scenario: Scenario, count: int | None = None) -> tuple[Exchange, ...]:
    """Return the conversation of the plan, or its first steps: its words, calls and results."""
    return tuple(
        Exchange(
            Draft(
                request=step.request_text if step.request else None,
                calls=tuple(DraftCall(name=call.tool.name, arguments=call.arguments) for call in step.calls),
                reply=step.reply_text if step.reply else None,
            ),
            tuple(call.answer for call in step.calls if call.answer is not None),
        )
        for step in scenario.steps[:count]
    )


def turn_from(scenario: Scenario, number: int) -> list[int]:
    """Return the numbers of a step and of those that follow it, up to the next word of the user."""
    following = range(number + 1, len(scenario.steps))
    end = next((place for place in following if scenario.steps[place].request), len(scenario.steps))
    return list(range(number, end))


def brought(scenario: Scenario, number: int) -> list[tuple[str, ...]]:
    """Return for each call of a step which arguments the plan takes from earlier results, said by nobody so far."""
    history = as_planned(scenario, number + 1)
    said = said_in(scenario, history)
    return [carried(call.tool, call.arguments, history[:-1], said) for call in scenario.steps[number].calls]


def carried(tool: Tool, arguments: JsonObject, earlier: Sequence[Exchange], said: str) -> tuple[str, ...]:
    """Return the arguments that hold what earlier results brought, and neither anybody said nor the tool assumes."""
    known = {_mark(leaf) for leaf in _brought_by(earlier)}
    properties = tool.parameters.get("properties", {})
    return tuple(
        sorted(
            name
            for name, value in arguments.items()
            if any(_mark(leaf) in known and not says(said, leaf) for leaf in leaves(value))
            and not _is_assumed(value, properties.get(name))
        )
    )


def _is_assumed(value: JsonValue, schema: JsonValue) -> bool:
    return isinstance(schema, dict) and any(schema.get(key, ...) == value for key in ("default", "const"))


def claim_of(scenario: Scenario, history: Sequence[Exchange]) -> JsonObject:
    """Return what a record claims; which values were carried on, by what happened where values are the writer's own."""
    if not scenario.free or "carried" not in scenario.claim:
        return scenario.claim
    called = [number for number, each in enumerate(history) if each.draft.calls]
    if len(called) < 2:
        return {}
    call = history[called[-1]].draft.calls[0]
    names = carried_by(scenario, history[: called[-1]], call, said_in(scenario, history))
    return {**scenario.claim, "carried": list(names)}


def carried_by(scenario: Scenario, earlier: Sequence[Exchange], call: DraftCall, said: str) -> tuple[str, ...]:
    """Return the arguments of a written call that were carried on; none where its tool is not there."""
    tool = next((tool for tool in scenario.tools if tool.name == call.name), None)
    return () if tool is None else carried(tool, call.arguments, earlier, said)


def foreseen(scenario: Scenario, history: tuple[Exchange, ...]) -> tuple[DraftCall, ...]:
    """Return the calls of the next step where the results leave no choice; () where somebody has to make them.

    They leave none where all that the tools take are ids that a result brings, and the results since the user spoke
    show a single row of each kind: what else a tool takes, the message may have asked for.
    """
    if not scenario.free or len(history) >= len(scenario.steps):
        return ()
    step = scenario.steps[len(history)]
    if step.request or not step.calls:
        return ()
    shown = _since_the_request(history)
    calls: list[DraftCall] = []
    for call, names in zip(step.calls, brought(scenario, len(history)), strict=True):
        if not names or set(names) != {*call.arguments, *call.tool.parameters.get("properties", {})}:
            return ()
        made = _made_of_ids(scenario, history, call, shown)
        if made is None or made in calls:
            return ()
        calls.append(made)
    return tuple(calls)


def _since_the_request(history: tuple[Exchange, ...]) -> tuple[Exchange, ...]:
    """Return the exchanges from the last one on in which the user spoke."""
    return history[max((number for number, each in enumerate(history) if each.draft.request is not None), default=0) :]


def _made_of_ids(
    scenario: Scenario, history: tuple[Exchange, ...], call: PlannedCall, shown: Sequence[Exchange]
) -> DraftCall | None:
    """Return a call with the single ids that results show of what it wants; None where they leave a choice."""
    found = {name: ids_shown(scenario, history, name, call.arguments[name], shown) for name in sorted(call.arguments)}
    if any(len(ids) != 1 for ids in found.values()):
        return None
    return DraftCall(name=call.tool.name, arguments={name: ids[0] for name, ids in found.items()})


def entity_wanted(scenario: Scenario, name: str, planned: JsonValue) -> str:
    """Return the entity whose row the plan names by the id of one, as an argument of this name; "" for no id.

    The planned value itself means nothing: it tells what sort of row is wanted.
    """
    return kind_of_row(world_after(scenario, as_planned(scenario)), name, planned)


def ids_shown(
    scenario: Scenario, history: tuple[Exchange, ...], name: str, planned: JsonValue, shown: Sequence[Exchange]
) -> list[JsonValue]:
    """Return the ids, said by nobody, that results show of rows of the sort that is wanted."""
    entity = entity_wanted(scenario, name, planned)
    if not entity:
        return []
    ids = {_mark(each) for each in _ids(world_after(scenario, history), entity)}
    said = said_in(scenario, history)
    found = [leaf for leaf in _brought_by(shown) if _mark(leaf) in ids and not says(said, leaf)]
    return list({_mark(leaf): leaf for leaf in found}.values())


def kind_of_row(world: World, name: str, value: JsonValue) -> str:
    """Return the entity that has a row with this id, given as an argument of this name; "" for a value that is no id.

    A number may be one by chance: the argument's name tells.
    """
    if not isinstance(value, str | int) or isinstance(value, bool):
        return ""
    keys = {each: program.key for each, program in world.program.entities.items()}
    near = [each for each in keys if isinstance(value, str) or each in name.lower() or keys[each] == name]
    return next((each for each in near if _mark(value) in map(_mark, _ids(world, each))), "")


def _ids(world: World, entity: str) -> list[JsonValue]:
    return [world.id_of(row.ref) for row in world.table(entity).values()]


def _brought_by(exchanges: Sequence[Exchange]) -> Iterator[JsonValue]:
    """Yield every text and number of the results that are no errors."""
    for each in exchanges:
        for result in each.results:
            if result.error_type is None:
                yield from leaves(result.content)


def leaves(value: JsonValue) -> Iterator[JsonValue]:
    """Yield the texts and numbers inside a value."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from leaves(inner)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield value


def _mark(value: JsonValue) -> tuple[bool, JsonValue]:
    """Return what tells a number from the text that writes it."""
    return isinstance(value, str), value


def said_in(scenario: Scenario, history: Sequence[Exchange]) -> str:
    """Return what the system message and the user said, folded."""
    return "\n".join([scenario.system, *(each.draft.request or "" for each in history)]).casefold()


def says(said: str, value: JsonValue) -> bool:
    """Say whether folded words hold a value as it stands, as a whole word."""
    wanted = str(int(value) if isinstance(value, float) and value.is_integer() else value).casefold().strip()
    return bool(wanted) and re.search(rf"(?<![^\W_]){re.escape(wanted)}(?![^\W_])", said) is not None
