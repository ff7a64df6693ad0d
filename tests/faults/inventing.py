"""A model that finds its own values where a prompt leaves them to it: those at hand, else what it met, else any."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from zlib import crc32

from jsonschema import Draft202012Validator

from generator.values import synthesize_value

Body = dict[str, Any]
SHOWN = re.compile(r"^- (\S+): .*\n  parameters: (\{.*\})$", re.MULTILINE)
CALLED = re.compile(r"^\d+\. (\S+)$", re.MULTILINE)
AT_HAND = re.compile(r"^- (\w+): (\[.*\])$", re.MULTILINE)
FOLLOWS = re.compile(r"^\d+\. (\S+?)(?:, with (.*) from a result)?$", re.MULTILINE)
HAPPENED = re.compile(r"^(?:call|result): \S+ (.*)$", re.MULTILINE)
ASKED = re.compile(r"^user: (.*)$", re.MULTILINE)


def invented(prompt: str) -> Iterator[Body]:
    """Make the calls of a prompt that leaves their values to the model: those at hand, else what was told or fits."""
    parameters = {name: json.loads(schema) for name, schema in SHOWN.findall(prompt)}
    at_hand = _at_hand(prompt)
    for number, name in enumerate(CALLED.findall(prompt.partition("The calls that follow")[0])):
        schema = parameters[name]
        values = {key: _met(key, schema["properties"][key], prompt) for key in schema.get("required", ())}
        values |= {key: given[number % len(given)] for key, given in at_hand.items() if key in schema["properties"]}
        values = {key: value for key, value in values.items() if value is not None}
        if any(key not in values for key in schema.get("required", ())):
            values = synthesize_value(schema, seed=crc32(f"{number} {prompt}".encode())) | values
            values = {key: value for key, value in values.items() if key in at_hand or key in schema["required"]}
        yield {"name": name, "arguments": values, "evidence": []}


def _at_hand(prompt: str) -> Body:
    return {name: json.loads(values) for name, values in AT_HAND.findall(prompt.partition("Values of the sort")[2])}


def unmet(arguments: Body, prompt: str) -> Body:
    """What a request has to say of its calls: what was not met before."""
    met = [value for line in HAPPENED.findall(prompt) for _, value in _leaves("", json.loads(line))]
    return {name: value for name, value in arguments.items() if value not in met}


def left(prompt: str, calls: list[Body]) -> Body:
    """What a request has to say for calls that follow: the values at hand that these calls are not given."""
    return {name: given[0] for name, given in _at_hand(prompt).items()
            if not any(name in call["arguments"] for call in calls)}  # fmt: skip


def followed(prompt: str) -> Iterator[Body]:
    """Make the calls that follow: what a result brings is taken from it, all else from what the user said."""
    parameters = {name: json.loads(schema) for name, schema in SHOWN.findall(prompt)}
    said = ASKED.findall(prompt)[-1]
    for name, brought in FOLLOWS.findall(prompt.partition("The calls to make now")[2]):
        values = {}
        for key, schema in parameters[name]["properties"].items():
            told = re.search(rf"\b{key.replace('_', ' ')} (.+?)(?=, | \(note)", said)
            value = told[1] if told and key not in brought.split(", ") else None
            if value is not None and schema.get("type") in ("integer", "number"):
                value = json.loads(value)
            if value is None and (key in brought.split(", ") or key in parameters[name].get("required", ())):
                value = _met(key, schema, prompt, anything=key in brought.split(", "))
            values |= {} if value is None else {key: value}
        yield {"name": name, "arguments": values, "evidence": []}


def _met(key: str, schema: Any, prompt: str, *, anything: bool = False) -> Any:
    """A value of this name that a call or a result had before, the last first; None where there was none."""
    met = [leaf for line in HAPPENED.findall(prompt)[::-1] for leaf in _leaves("", json.loads(line))]
    fitting = [(name, value) for name, value in met if Draft202012Validator(schema).is_valid(value)]
    near: tuple[Callable[[str], bool], ...] = (key.__eq__, lambda name: name != "" and (name in key or key in name))
    for is_near in (*near, lambda name: anything):
        for name, value in fitting:
            if is_near(name):
                return value
    return None


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else ((name, each) for each in value):
            yield from _leaves(key, inner)
    elif value is not None:
        yield name, value
