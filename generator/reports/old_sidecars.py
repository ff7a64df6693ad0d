"""Old sidecars brought over: sentences of NAME.frames.json and x_frames become the ways of a domain file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from generator.errors import Problem
from generator.formats.loading.parsing import Reading, read_documents
from generator.formats.loading.sources import Reader, beside, find_files
from generator.formats.loading.tool_files import load_catalog
from generator.jsontext import JsonObject, JsonValue
from generator.tools import Tool

_MOST_VARIANTS = 6
_PART = re.compile(r"\[([^\[\]]*)\]|\(([^()]*\|[^()]*)\)")
_SLOT = re.compile(r"\{([^{}?|]+)(?:\?([^{}|]*)(?:\|([^{}|]*))?)?\}")


@dataclass(slots=True)
class Brought:
    """A domain file made of old sidecars."""

    document: JsonObject
    notes: list[Problem] = field(default_factory=list)
    """What could not be brought over, and what is to be done by hand."""


def bring_over(sources: Sequence[str]) -> Brought:
    """Write a domain file from the old sidecars of some tool files.

    Raises:
        ToolFileError: a tool file cannot be used.
    """
    brought = Brought({"domain": 1, "about": "", "tools": {}})
    sentences = _sentences(sources, brought.notes)
    for tool in load_catalog(list(sources), skip_invalid=True, on_conflict="source").catalog.tools:
        held = sentences.get(tool.original_name or tool.name) or tool.extensions.get("x_frames")
        if isinstance(held, dict):
            brought.document["tools"][tool.name] = {"ways": _ways(tool, held, brought.notes)}
    if not brought.document["tools"]:
        brought.notes.append(Problem(", ".join(sources), "there are no sentences to bring over"))
    return brought


def _sentences(sources: Sequence[str], notes: list[Problem]) -> dict[str, JsonValue]:
    """Read the sentences beside the tool files, and note the result schemas there."""
    reader, found = Reader(), dict[str, JsonValue]()
    tool_files = [file.path for file in find_files(sources).files if file.path is not None]
    for tool_file in tool_files:
        for path in beside(tool_file, "frames"):
            data = reader.read(path, str(path))
            reading = Reading(problems=(data,)) if isinstance(data, Problem) else read_documents(data, str(path))
            notes += reading.problems
            for document in reading.documents:
                found |= document.value if isinstance(document.value, dict) else {}
        notes += map(_of_results, beside(tool_file, "results"))
    return found


def _of_results(path: Path) -> Problem:
    remedy = "move each schema into its tool's definition: outputSchema, response or x_result_schema"
    return Problem(str(path), "result schemas are no part of a domain file", remedy)


def _ways(tool: Tool, sentences: JsonObject, notes: list[Problem]) -> list[JsonObject]:
    """Return a way for each set of arguments that the sentences say."""
    required = set(tool.parameters.get("required", ()))
    parameters = list(tool.parameters.get("properties", {}))
    by_arguments: dict[tuple[str, ...], list[str]] = {}
    for text in _texts(sentences.get("requests")):
        variants = [(each, _given(each, parameters)) for each in _variants(text)]
        fitting = [(each, given) for each, given in variants if required <= set(given)]
        if not fitting:
            notes.append(Problem(tool.name, f"left out: {text!r} does not say all that the tool requires"))
        for each, given in fitting:
            by_arguments.setdefault(given, []).append(_slots(each, given, ()))
    replies = _texts(sentences.get("replies"))
    results = tuple(tool.result_schema.get("properties", {}))
    return [_way(tool, given, requests, replies, results) for given, requests in by_arguments.items()]


def _way(
    tool: Tool, given: tuple[str, ...], requests: list[str], replies: list[str], results: tuple[str, ...]
) -> JsonObject:
    drawn: JsonObject = {
        "schema": tool.parameters, "give": list(given), "tool": tool.original_name or tool.name,
        "description": tool.description,
    }  # fmt: skip
    unsaid = tool.parameters.get("properties", {}).keys() - {*given, *results}
    told = [
        _slots(each, given, results) for text in replies for each in _variants(text) if unsaid.isdisjoint(_roots(each))
    ]
    return {
        **({"draw": {"a": drawn}} if given else {}),
        "arguments": {name: f"$a.{place}" for place, name in enumerate(given)},
        "requests": list(dict.fromkeys(requests)),
        **({"replies": {"ok": list(dict.fromkeys(told))}} if told else {}),
    }


def _texts(value: JsonValue) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _variants(text: str) -> Iterator[str]:
    """Yield a sentence with and without its parts in brackets, with each of its alternatives."""
    choices: list[list[str]] = []
    place = 0
    for part in _PART.finditer(text):
        choices.append([text[place : part.start()]])
        choices.append([part.group(1), ""] if part.group(1) is not None else part.group(2).split("|"))
        place = part.end()
    choices.append([text[place:]])
    for number, parts in enumerate(product(*choices)):
        if number >= _MOST_VARIANTS:
            return
        yield "".join(parts)


def _roots(text: str) -> list[str]:
    return [slot.group(1).split(".")[0] for slot in _SLOT.finditer(text)]


def _given(text: str, parameters: list[str]) -> tuple[str, ...]:
    said = _roots(text)
    return tuple(name for name in parameters if name in said)


def _slots(text: str, given: tuple[str, ...], results: tuple[str, ...]) -> str:
    """Write the slots of a sentence as templates have them: results first, as they were looked up."""

    def written(slot: re.Match[str]) -> str:
        root, *rest = (key for key in slot.group(1).split(".") if key != "*")
        keys = ["a", str(given.index(root))] if root in given and root not in results else ["r", root]
        words = f"|yes:{slot.group(2)},{slot.group(3) or ''}" if slot.group(2) is not None else ""
        return "{" + ".".join([*keys, *rest]) + words + "}"

    return _SLOT.sub(written, text)
