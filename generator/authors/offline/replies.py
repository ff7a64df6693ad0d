"""Replies: the final answer, which uses the results as a person would tell them.

Hand-written reply frames come first; where a tool has none that fits, the result's own fields are told. Every value
in a reply stands in a result or in the arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from generator.authors.author import NoDraft
from generator.authors.offline.replies_actions import action, label_key, label_of, telling_labels
from generator.authors.offline.replies_errors import remedy_of, tell_failure, tell_failure_briefly
from generator.authors.offline.replies_frames import fill_reply_frame
from generator.authors.offline.replies_telling import Call, tell
from generator.authors.offline.words import upper_first
from generator.jsontext import JsonObject
from generator.records.calls import Exchange, ToolResult
from generator.scenarios.scenario import Scenario
from generator.streams import stream
from generator.tools.tool import Tool

RULE = "AU002"
"""The rejection's rule: there is nothing to reply to."""


@dataclass(frozen=True, slots=True)
class _Answered:
    """One call with its result and the words it is known by among the others."""

    tool: Tool
    arguments: JsonObject
    result: ToolResult
    label: str
    """What tells it from the other calls; empty where its own sentence does."""

    @property
    def failed(self) -> bool:
        return self.result.error_type is not None


def write_reply(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Write the assistant's answer to the calls made since the user last spoke.

    Raises:
        NoDraft: no call was made, so that there is nothing to tell (rule AU002).
    """
    answered = _answered(scenario, history)
    if not answered:
        raise NoDraft(RULE, "a reply without results is not written here")
    random = stream(scenario.seed, "reply")
    if len(answered) == 1:
        return _tell_one(answered[0], random)
    return _tell_several(answered, random)


def _answered(scenario: Scenario, history: tuple[Exchange, ...]) -> list[_Answered]:
    tools = {tool.name: tool for tool in scenario.tools}
    exchanges: list[Exchange] = []
    for exchange in reversed(history):
        exchanges.insert(0, exchange)
        if exchange.draft.request is not None:
            break
    pairs = [pair for exchange in exchanges for pair in zip(exchange.draft.calls, exchange.results, strict=False)]
    known = [(tools[call.name], call.arguments, result) for call, result in pairs if call.name in tools]
    labels = _labels([tool for tool, _, _ in known], [arguments for _, arguments, _ in known])
    return [
        _Answered(tool, arguments, result, label)
        for (tool, arguments, result), label in zip(known, labels, strict=True)
    ]


def _labels(tools: Sequence[Tool], arguments: Sequence[JsonObject]) -> list[str]:
    """Label calls of one tool by what differs; a call that is the only one of its tool by what it is about."""
    labels: list[str] = []
    for position, tool in enumerate(tools):
        same = [index for index, other in enumerate(tools) if other.name == tool.name]
        if len(same) > 1:
            labels.append(telling_labels([arguments[index] for index in same], tool)[same.index(position)])
        else:
            key = label_key(tool, arguments[position])
            labels.append(label_of(key, arguments[position]) if key else "")
    return labels


def _tell_one(answered: _Answered, random: Random) -> str:
    if answered.failed:
        return tell_failure(action(answered.tool), answered.label, answered.result, answered.arguments, random)
    return _tell_success(answered, random, alone=True)


def _tell_success(answered: _Answered, random: Random, *, alone: bool) -> str:
    text = fill_reply_frame(answered.tool, answered.arguments, answered.result.content, random)
    if text:
        return text
    return tell(Call(answered.tool, answered.arguments, answered.result.content, answered.label, alone), random)


_ALL_FAILED = (
    "None of that worked.",
    "Unfortunately all of it failed.",
    "I couldn't get any of this done.",
    "Sorry, none of it went through.",
)


def _tell_several(answered: list[_Answered], random: Random) -> str:
    """Tell several results in their order, each tied to what it was about; failures are told where they stand."""
    failed = [one for one in answered if one.failed]
    told = [_tell_among(one, random) for one in answered]
    remedy = _remedies(failed, random)
    if len(failed) == len(answered):
        return " ".join([_ALL_FAILED[int(random.random() * len(_ALL_FAILED))], *told, remedy])
    if len(answered) > 2 and random.random() < 0.5 or sum(map(len, told)) > 320:
        return "\n".join(
            [_lead(answered, failed, random), *[f"- {text}" for text in told], *([remedy] if remedy else [])]
        )
    return " ".join([*told, *([remedy] if remedy else [])])


def _remedies(failed: list[_Answered], random: Random) -> str:
    """Say once for each type of error what can be done about it."""
    types: dict[str | None, ToolResult] = {}
    for one in failed:
        types.setdefault(one.result.error_type, one.result)
    return " ".join([remedy_of(result, random) for result in list(types.values())[:2]])


_LEADS = (
    "Here's what I found:",
    "Here you go:",
    "Here are the results:",
    "This is what I got:",
    "Here's the overview:",
)
_DEEDS = ("Here's where things stand:", "Here's what happened:", "Here's the summary:", "This is how it went:")


def _lead(answered: list[_Answered], failed: list[_Answered], random: Random) -> str:
    leads = _DEEDS if failed or any(action(one.tool).changes for one in answered) else _LEADS
    return leads[int(random.random() * len(leads))]


def _tell_among(answered: _Answered, random: Random) -> str:
    """Tell one call among others, tied to what it was about where its own sentence does not say so."""
    if answered.failed:
        deed = action(answered.tool)
        label = answered.label or deed.phrase
        return upper_first(tell_failure_briefly(label, answered.result, answered.arguments, random))
    text = _tell_success(answered, random, alone=False)
    if answered.label and answered.label.strip('"').casefold() not in text.casefold():
        return upper_first(f"{answered.label}: {text}")
    return text
