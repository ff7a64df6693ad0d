"""Masks: names of tools and parameters scrambled one-to-one, so that a model must read descriptions.

What a mask hides is a name: definitions, calls and tool messages keep everything else. The metadata tell what stands
for what, so that the examiner can judge the record by its own names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from generator.jsontext import JsonObject, JsonValue

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
    tools = [_renamed_tool(tool, mask.tools, mask.parameters) for tool in document["tools"]]
    random.shuffle(tools)
    messages = [_renamed_message(message, mask.tools, mask.parameters) for message in document["messages"]]
    return {"messages": messages, "tools": tools, "metadata": {**document["metadata"], "mask": mask.told}}


def unmasked(document: JsonObject, told: JsonObject) -> JsonObject:
    """Return a document by its own names, as its metadata tell them; tools stay in their order."""
    names, parameters = told["tools"], told["parameters"]
    return {
        **document,
        "messages": [_renamed_message(message, names, parameters) for message in document["messages"]],
        "tools": [_renamed_tool(tool, names, parameters) for tool in document["tools"]],
    }


def _renamed_tool(tool: JsonValue, names: dict[str, str], parameters: dict[str, str]) -> JsonValue:
    if not isinstance(tool, dict) or not isinstance(function := tool.get("function"), dict):
        return tool
    changed = {**function, "name": _renamed(function.get("name"), names)}
    if isinstance(schema := function.get("parameters"), dict):
        changed["parameters"] = _renamed_schema(schema, parameters)
    return {**tool, "function": changed}


def _renamed_schema(schema: JsonObject, parameters: dict[str, str]) -> JsonObject:
    """Rename the parameters; what is inside a parameter keeps its names."""
    changed = dict(schema)
    if isinstance(schema.get("properties"), dict):
        changed["properties"] = _renamed_keys(schema["properties"], parameters)
    if isinstance(schema.get("required"), list):
        changed["required"] = [_renamed(name, parameters) for name in schema["required"]]
    for keyword in _RENAMED_KEYS:
        if isinstance(schema.get(keyword), dict):
            changed[keyword] = {
                parameters.get(name, name): [_renamed(each, parameters) for each in value]
                if isinstance(value, list)
                else value
                for name, value in schema[keyword].items()
            }
    return changed


def _renamed_message(message: JsonValue, names: dict[str, str], parameters: dict[str, str]) -> JsonValue:
    if not isinstance(message, dict):
        return message
    changed = dict(message)
    if message.get("role") == "tool":
        changed["name"] = _renamed(message.get("name"), names)
    if isinstance(calls := message.get("tool_calls"), list):
        changed["tool_calls"] = [_renamed_call(call, names, parameters) for call in calls]
    return changed


def _renamed_call(call: JsonValue, names: dict[str, str], parameters: dict[str, str]) -> JsonValue:
    if not isinstance(call, dict) or not isinstance(function := call.get("function"), dict):
        return call
    changed = {**function, "name": _renamed(function.get("name"), names)}
    if isinstance(arguments := function.get("arguments"), dict):
        changed["arguments"] = _renamed_keys(arguments, parameters)
    return {**call, "function": changed}


def _renamed(name: JsonValue, names: dict[str, str]) -> JsonValue:
    return names.get(name, name) if isinstance(name, str) else name


def _renamed_keys(values: JsonObject, names: dict[str, str]) -> JsonObject:
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
