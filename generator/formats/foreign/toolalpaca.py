"""The `toolalpaca` format, for reading: an instruction over an API, with the steps taken or the golden ones.

A step is `[[action, input, log], observation]`, or `{"Action", "Action_Input"}` without an observation. The functions
of the API are described in words, with their parameters as an object of JSON.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats.call_notations import as_call
from generator.formats.conversation import Said, messages_of_turns
from generator.formats.definitions import read_foreign
from generator.formats.format import Format
from generator.formats.literals import parse_json, read_json_at
from generator.jsontext import JsonObject, JsonValue

_PARAMETERS = "Parameters:"
_STEPS = ("intermediate_steps", "golden")


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document is an instruction over an API, as a file of such is unfolded to."""
    return isinstance(document, dict) and isinstance(document.get("api"), dict) and "input" in document


def load_record(document: JsonObject) -> JsonObject:
    """Bring an instance to the canonical document."""
    api = document.get("api")
    if not isinstance(api, dict):
        return document
    turns = [Said("user", document.get("input"))]
    for name in _STEPS:
        steps = parse_json(document.get(name))
        turns += [turn for step in steps for turn in _step(step)] if isinstance(steps, list) else []
    answer = document.get("output")
    if isinstance(answer, str) and answer:
        turns.append(Said("assistant", answer))
    return {"messages": messages_of_turns(document, turns, "toolalpaca"), "tools": _tools(api)}


def _step(step: JsonValue) -> Iterator[Said]:
    """Yield the call of a step and its observation; a step that is neither stays text."""
    made, observed = step if isinstance(step, list) and len(step) == 2 else (step, None)
    if isinstance(made, list) and len(made) >= 2:
        made = {"name": made[0], "arguments": made[1]}
    call = as_call(made)
    if call is None:
        yield Said("assistant", made)
        return
    yield Said("assistant", "", (call,))
    if observed is not None:
        yield Said("result", observed)


def _tools(api: JsonObject) -> JsonValue:
    described = api.get("Function_Description")
    if not isinstance(described, dict):
        return []
    return read_foreign([_definition(name, text) for name, text in described.items() if name != "components"])


def _definition(name: str, text: JsonValue) -> JsonObject:
    """Return a function as its description tells of it: what it does, then its parameters with what each is."""
    if not isinstance(text, str):
        return {"name": name, "description": "", "parameters": {}}
    before, _, after = text.partition(_PARAMETERS)
    start = after.find("{")
    parameters, _ = (read_json_at(after, start) if start >= 0 else None) or ({}, 0)
    named = parameters if isinstance(parameters, dict) else {}
    schemas = {key: _schema(said) for key, said in named.items()}
    required = [key for key, said in named.items() if isinstance(said, str) and "required" in said.lower()[:12]]
    schema = {"type": "object", "properties": schemas, **({"required": required} if required else {})}
    return {"name": name, "description": before.strip(), "parameters": schema}


def _schema(said: JsonValue) -> JsonObject:
    """Return the schema of a parameter that is told in words, its type first: `string. What it is.`."""
    if not isinstance(said, str):
        return {"description": str(said)}
    words = [word.strip().lower() for word in said.split(".")[:2]]
    known = {"string", "integer", "number", "boolean", "array", "object"}
    kind = next((word for word in words if word in known), None)
    return {**({"type": kind} if kind else {}), "description": said}


def unfold(api: JsonObject) -> list[JsonObject]:
    """Return ToolAlpaca's instances, each with its API; or its instructions with their golden answers."""
    shared = {key: value for key, value in api.items() if key not in ("Instances", "Instructions", "Golden_Answers")}
    instances, answers = api.get("Instances"), api.get("Golden_Answers")
    if isinstance(instances, list):
        return [{"api": shared, **_named(instance)} for instance in instances]
    asked = api.get("Instructions")
    if not isinstance(answers, list) or not isinstance(asked, list) or len(asked) != len(answers):
        return [api]
    return [{"api": shared, "input": text, "golden": golden} for text, golden in zip(asked, answers, strict=True)]


def _named(instance: JsonValue) -> JsonObject:
    return instance if isinstance(instance, dict) else {"input": instance}


FORMAT = Format(
    name="toolalpaca",
    summary="ToolAlpaca: an API with instances, each an instruction with its steps or golden answers",
    matches_record=matches_record,
    keys=("api",),
    unfold=unfold,
    unfolded_keys=("Instances", "Golden_Answers"),
    load_record=load_record,
    columns=frozenset({"api", "input", "output", *_STEPS}),
    recognised_by="`Instances` or `Golden_Answers` of an API with `Function_Description`",
)
