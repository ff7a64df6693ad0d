"""Masks: names of tools and parameters scrambled one-to-one, so that a model must read descriptions.

What a mask hides is a name: definitions, calls and tool messages keep everything else. The metadata tell what stands
for what, so that the examiner can judge the record by its own names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from generator.jsontext import JsonObject

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_FIGURES = "23456789"
_RENAMED_KEYS = ("dependentRequired", "dependentSchemas")


@dataclass(frozen=True, slots=True)
class Mask:
    """What stands for each name, from the original to the masked one."""

    tools: dict[str, str]
    parameters: dict[str, str]

    @property
    def told(self) -> JsonObject:
        """The mask as the metadata tell it: from the masked name to the original."""
        return {
            "tools": {masked: name for name, masked in self.tools.items()},
            "parameters": {masked: name for name, masked in self.parameters.items()},
        }


def draw_mask(definitions: Iterable[JsonObject], random: Random) -> Mask:
    """Draw a mask for the tools of a record, as they are shown (`{"type": "function", "function": {...}}`)."""
    functions = [definition["function"] for definition in definitions]
    names = dict.fromkeys(function["name"] for function in functions)
    parameters = dict.fromkeys(name for function in functions for name in function["parameters"].get("properties", {}))
    taken = {*names, *parameters}
    return Mask(_scrambled(names, "f_", random, taken), _scrambled(parameters, "p_", random, taken))


def _scrambled(names: Iterable[str], prefix: str, random: Random, taken: set[str]) -> dict[str, str]:
    scrambled: dict[str, str] = {}
    for name in names:
        masked = _invented(prefix, random)
        while masked in taken:
            masked = _invented(prefix, random)
        taken.add(masked)
        scrambled[name] = masked
    return scrambled


def _invented(prefix: str, random: Random) -> str:
    return prefix + "".join(random.choice(_LETTERS) + random.choice(_FIGURES) for _ in range(3))


def masked(document: JsonObject, mask: Mask, random: Random) -> JsonObject:
    """Return a canonical document under a mask, its tools in another order, its metadata telling the mask."""
    tools = [_masked_tool(tool, mask) for tool in document["tools"]]
    random.shuffle(tools)
    messages = [_masked_message(message, mask) for message in document["messages"]]
    return {"messages": messages, "tools": tools, "metadata": {**document["metadata"], "mask": mask.told}}


def _masked_tool(tool: JsonObject, mask: Mask) -> JsonObject:
    function: JsonObject = tool["function"]
    parameters = _masked_schema(function["parameters"], mask.parameters)
    return {**tool, "function": {**function, "name": mask.tools[function["name"]], "parameters": parameters}}


def _masked_schema(schema: JsonObject, names: dict[str, str]) -> JsonObject:
    """Rename the parameters; what is inside a parameter keeps its names."""
    changed = dict(schema)
    if "properties" in schema:
        changed["properties"] = _masked_keys(schema["properties"], names)
    if "required" in schema:
        changed["required"] = [names.get(name, name) for name in schema["required"]]
    for keyword in _RENAMED_KEYS:
        if keyword in schema:
            changed[keyword] = {
                names.get(name, name): [names.get(each, each) for each in value] if isinstance(value, list) else value
                for name, value in schema[keyword].items()
            }
    return changed


def _masked_message(message: JsonObject, mask: Mask) -> JsonObject:
    changed = dict(message)
    if message["role"] == "tool":
        changed["name"] = mask.tools.get(message["name"], message["name"])
    if "tool_calls" in message:
        changed["tool_calls"] = [_masked_call(call, mask) for call in message["tool_calls"]]
    return changed


def _masked_call(call: JsonObject, mask: Mask) -> JsonObject:
    function: JsonObject = call["function"]
    name = mask.tools.get(function["name"], function["name"])  # a draft may call what is not shown
    arguments = _masked_keys(function["arguments"], mask.parameters)
    return {**call, "function": {**function, "name": name, "arguments": arguments}}


def _masked_keys(values: JsonObject, names: dict[str, str]) -> JsonObject:
    return {names.get(name, name): value for name, value in values.items()}


_COMPOSED = frozenset(
    {
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "else",
        "patternProperties",
        "propertyNames",
        "$ref",
        "dependencies",
    }
)


def can_be_masked(parameters: JsonObject) -> bool:
    """Say whether the names of parameters stand nowhere but where a mask renames them."""
    return _COMPOSED.isdisjoint(parameters) and not parameters.get("dependentSchemas")
