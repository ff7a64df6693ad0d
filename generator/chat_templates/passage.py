"""Records on their way through a chat template: what it makes of each, and what it loses, moves or encodes twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

from generator.chat_templates.forms import Form
from generator.chat_templates.probes import texts_of
from generator.chat_templates.rendering import Refusal, Renderer
from generator.chat_templates.template import ChatTemplate
from generator.errors import DataError
from generator.formats.conversation import calls_of, function_of
from generator.formats.losses import TEXT_BESIDE_CALLS
from generator.jsontext import JsonObject, JsonValue, dump_compact

TEXT_BESIDE = "text beside calls"
"""What a template may drop of every record, told by these words."""


@dataclass(slots=True)
class Passage:
    """Renders record after record; text beside calls that a template is known to drop is counted, not refused."""

    template: ChatTemplate
    form: Form
    """The form that records are written in for it."""
    drops: tuple[str, ...]
    renderer: Renderer
    shortened: int = 0
    """The records whose text beside calls was dropped."""

    def faults(self, prepared: JsonObject) -> list[str]:
        """Return what the template makes wrong of a record that is to be written, in words.

        Raises:
            DataError: it took too long, or too much memory: so might every other record.
        """
        rendered = self.renderer.render(self.form.shaping.write(prepared))
        if isinstance(rendered, Refusal):
            if rendered.is_final:
                raise DataError(f"{self.template.source}: given a record, the chat template {rendered.why}")
            return [rendered.why]
        if TEXT_BESIDE in self.drops:
            shorter = TEXT_BESIDE_CALLS.forget(prepared)
            self.shortened += shorter != prepared
            prepared = shorter
        return faults(rendered, prepared)


NO_TOOLS = "shows no tools"
NO_CALLS = "drops the calls"
FIRST_CALL_ALONE = "drops all calls of a turn but the first"
TWICE = "encodes arguments twice, as text inside text"
AS_PYTHON = "writes arguments as Python does, not as JSON"
_WHOSE = {
    "system": "the system message",
    "user": "what the user says",
    "tool": "the results",
    "assistant": "what the assistant says",
}


def faults(text: str, document: JsonObject) -> list[str]:
    """Return what a rendered record has lost, put elsewhere or spoiled, each once, in words."""
    return list(dict.fromkeys([*_of_tools(text, document["tools"]), *_of_messages(text, document["messages"])]))


def holds(text: str, value: JsonValue) -> bool:
    """Say whether a value stands in a text, in any of its spellings."""
    return any(each in text for each in spellings(value))


def spellings(value: JsonValue) -> list[str]:
    """Return how a value may stand in a text: as it is, as JSON, as Python says it."""
    if not isinstance(value, str):
        return list(dict.fromkeys([json.dumps(value), str(value), dump_compact(value)]))
    quoted = [json.dumps(value, ensure_ascii=ascii_only)[1:-1] for ascii_only in (False, True)]
    single = value.replace("\\", "\\\\").replace("'", "\\'")
    return list(dict.fromkeys([value, *quoted, repr(value)[1:-1], single]))


def _of_tools(text: str, tools: list[JsonObject]) -> Iterator[str]:
    """Descriptions may be escaped as in HTML: the model reads them so in training as in use."""
    shown = [function_of(tool) for tool in tools]
    plain = unescape(text)
    are_named = all(holds(text, function["name"]) for function in shown)
    if shown and not any(holds(plain, function["description"]) for function in shown):
        yield "drops the descriptions of tools" if are_named else NO_TOOLS
        return
    if not are_named:
        yield "drops the names of tools"
    for function in shown:
        yield from _of_tool(text, plain, function)


def _of_tool(text: str, plain: str, function: JsonObject) -> Iterator[str]:
    if not holds(text, function["description"]) and not holds(plain, function["description"]):
        yield "drops the descriptions of tools"
    if not all(holds(text, name) for name in function["parameters"]["properties"]):
        yield "drops the parameters of tools"


@dataclass(slots=True)
class _Turn:
    """Calls that were read, and where they may stand: before what is said after their results."""

    calls: list[JsonObject]
    since: int
    results_at: int = -1
    """Where the first of their results begins."""

    def faults(self, text: str, until: int) -> Iterator[str]:
        """Yield what is wrong with the calls in the text up to a place."""
        before_results = text[self.since : until if self.results_at < 0 else self.results_at]
        yield from _of_calls(text[self.since : until], self.calls)
        for call in self.calls:
            yield from _misspelt(before_results, function_of(call)["arguments"])


def _of_messages(text: str, messages: list[JsonObject]) -> Iterator[str]:
    """Read the text from its start to its end."""
    at = 0
    turn: _Turn | None = None
    for message in messages:
        began, behind = _find(text, message["content"].strip(), at)
        if began < 0:
            yield f"{'moves' if holds(text, message['content'].strip()) else 'drops'} {_WHOSE[message['role']]}"
            began = behind = at
        if turn is not None:
            if message["role"] != "tool":
                yield from turn.faults(text, began if message["content"] else len(text))
                turn = None
            elif turn.results_at < 0:
                turn.results_at = began
        if calls := calls_of(message):
            turn = _Turn(calls, behind)
        at = behind
    if turn is not None:
        yield from turn.faults(text, len(text))


def _find(text: str, content: str, at: int) -> tuple[int, int]:
    """Return where a text begins and ends, from a place on; -1 where it is not."""
    places = [(place, place + len(each)) for each in spellings(content) if (place := text.find(each, at)) >= 0]
    return min(places, default=(-1, -1))


def _of_calls(text: str, calls: list[JsonObject]) -> Iterator[str]:
    at = 0
    for place, call in enumerate(calls):
        function = function_of(call)
        at = text.find(function["name"], at)
        if at < 0:
            yield FIRST_CALL_ALONE if place else NO_CALLS
            return
        at += len(function["name"])
        yield from _of_arguments(text, function["arguments"])


def _of_arguments(text: str, arguments: JsonObject) -> Iterator[str]:
    if not all(holds(text, each) for each in texts_of(arguments)):
        yield "drops arguments"


def _misspelt(text: str, arguments: JsonObject) -> Iterator[str]:
    if any(f'\\"{key}\\' in text for key in arguments):
        yield TWICE
    if arguments and str(arguments) in text:
        yield AS_PYTHON
