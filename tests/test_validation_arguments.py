"""The verdict on the arguments of a call, with jsonschema as the oracle, over the bundled tools."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import jsonschema

from generator.random_streams import stream
from generator.schemas.strict import closed
from generator.tools import Tool
from generator.validation.tool_view import FITTING, tool_view
from generator.values import synthesize_value
from tests.bundled import bundled
from tests.tables import each_row

Json = Any  # parsed JSON

TOOLS = bundled().tools
ODD_VALUES: tuple[Json, ...] = (None, True, -1, 0, 3.5, 10**9, "", "x", "\n", [], [[]], {}, {"undeclared": 1})
MUTATIONS = 40


def holders(value: Json) -> list[Json]:
    """Every container inside, the value itself first."""
    found = [value]
    for node in found:
        children = node.values() if isinstance(node, dict) else node
        found.extend(child for child in children if isinstance(child, dict | list) and child)
    return found


def mutate(arguments: Json, draw: Random) -> Json:
    """Change, lose or add one thing somewhere."""
    changed = copy.deepcopy(arguments)
    holder = draw.choice(holders(changed)) if changed else changed
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    action = draw.choice(["change", "lose", "add"])
    if action == "add" or not keys:
        if isinstance(holder, dict):
            holder["undeclared"] = draw.choice(ODD_VALUES)
        else:
            holder.append(draw.choice(ODD_VALUES))
    elif action == "lose":
        del holder[draw.choice(keys)]
    else:
        holder[draw.choice(keys)] = draw.choice(ODD_VALUES)
    return changed


def admits(schema: Json, value: Json) -> bool:
    """What jsonschema says, formats left out."""
    return bool(jsonschema.Draft202012Validator(schema).is_valid(value))


@each_row("tool", TOOLS, ids=lambda tool: tool.key)
def test_jsonschema_agrees_on_valid_and_mutated_arguments(tool: Tool) -> None:
    draw = stream(1, tool.name)
    view = tool_view(tool.shown)
    valid = [synthesize_value(tool.parameters, seed=draw) for _ in range(4)]
    for arguments in valid:
        assert view.judge(arguments) == FITTING
    for _ in range(MUTATIONS):
        arguments = mutate(draw.choice(valid), draw)
        judgement = view.judge(arguments)
        if not admits(tool.parameters, arguments):
            assert judgement.refused or judgement.undeclared, arguments
        else:
            assert judgement.refused == (), arguments
            assert bool(judgement.undeclared) is not admits(closed(tool.parameters), arguments), arguments


def test_mutations_reach_every_verdict() -> None:
    draw = stream(2, "verdicts")
    judged = []
    for tool in TOOLS:
        valid = synthesize_value(tool.parameters, seed=draw)
        judged += [tool_view(tool.shown).judge(mutate(valid, draw)) for _ in range(MUTATIONS)]
    assert any(each.refused for each in judged)
    assert any(each.undeclared for each in judged)
    assert any(each == FITTING for each in judged)
