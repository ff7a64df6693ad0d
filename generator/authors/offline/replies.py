"""Replies: the final answer, which uses the results as a person would tell them.

Hand-written reply frames come first; where a tool has none that fits, the result's own fields are told. Every value
in a reply stands in a result or in the arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from generator.authors.author import NoDraft
from generator.authors.offline.replies_actions import Call, about_of, action, label_key, label_of, telling_key
from generator.authors.offline.replies_errors import remedy_of, tell_failure, tell_failure_briefly
from generator.authors.offline.replies_frames import fill_reply_frame
from generator.authors.offline.replies_recounting import recount
from generator.authors.offline.replies_telling import tell
from generator.authors.offline.replies_values import say_value
from generator.authors.offline.words import join_and, upper_first
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
    """What the call was about, in words; empty where nothing short says it."""
    about: str
    """The label with its preposition, as it follows a deed: " in Paris"."""
    cores: tuple[str, ...]
    """The values that tell the call from the others of its tool; one of them in its sentence is enough."""
    repeated: bool
    """Whether other calls of the same tool stand beside it."""

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
    random = stream(scenario.seed, "reply", len(history))
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
    return [_answer(*one, [arguments for tool, arguments, _ in known if tool.name == one[0].name]) for one in known]


def _answer(tool: Tool, arguments: JsonObject, result: ToolResult, same: list[JsonObject]) -> _Answered:
    """Name a call by what tells it from the calls of the same tool, else by what it was about."""
    repeated = len(same) > 1
    name = telling_key(same, tool) if repeated else label_key(tool, arguments)
    label = label_of(name, arguments) if name else ""
    about = about_of(name, arguments)
    return _Answered(
        tool, arguments, result, label, about, tuple(_differing(arguments, same)) if repeated else (), repeated
    )


def _differing(arguments: JsonObject, same: list[JsonObject]) -> Iterator[str]:
    for name, value in arguments.items():
        if any(other.get(name) != value for other in same):
            for leaf in value.values() if isinstance(value, dict) else (value,):
                if said := say_value(name, leaf, {}):
                    yield said


def _tell_one(answered: _Answered, random: Random) -> str:
    if answered.failed:
        told = recount(answered.tool, answered.arguments, random)
        return tell_failure(action(answered.tool), answered.about, answered.result, answered.arguments, random, told)
    return _tell_success(answered, random, set())


def _tell_success(answered: _Answered, random: Random, taken: set[str]) -> str:
    text = fill_reply_frame(answered.tool, answered.arguments, answered.result.content, random, taken)
    if text:
        return text
    told = recount(answered.tool, answered.arguments, random)
    call = Call(answered.tool, answered.arguments, answered.result.content, answered.label, answered.about, told)
    return tell(call, random)


_ALL_FAILED = (
    "None of that worked.",
    "Unfortunately all of it failed.",
    "I couldn't get any of this done.",
    "Sorry, none of it went through.",
)


def _tell_several(answered: list[_Answered], random: Random) -> str:
    """Tell several results in their order, each tied to what it was about; failures are told where they stand."""
    failed = [one for one in answered if one.failed]
    taken: set[str] = set()
    told = [_tell_among(one, random, taken) for one in answered]
    told = _merged([told[0], *map(_without_opening, told[1:])])
    remedy = _remedies(failed, random)
    if len(failed) == len(answered):
        return " ".join([_ALL_FAILED[int(random.random() * len(_ALL_FAILED))], *told, remedy])
    if (len(told) > 2 and random.random() < 0.5) or sum(map(len, told)) > 320:
        return "\n".join(
            [
                _lead(answered, failed, random),
                *[f"- {_without_opening(text)}" for text in told],
                *([remedy] if remedy else []),
            ]
        )
    return " ".join([*told, *([remedy] if remedy else [])])


_OPENINGS = ("Done! ", "All set: ", "That's done. ")


def _without_opening(text: str) -> str:
    """Cut the exclamation with which an answer may begin, but none of its later sentences."""
    return next((upper_first(text.removeprefix(opening)) for opening in _OPENINGS if text.startswith(opening)), text)


_DEED = re.compile(r"(?:(?:Done!|All set:|That's done\.) )?I've (\w+) ([^.!?:;,\n]+)\.")


def _merged(told: list[str]) -> list[str]:
    """Tell deeds of one kind in one sentence: "I've starred this, that and the other."."""
    deeds = [_DEED.fullmatch(text) for text in told]
    if len(deeds) < 2 or len({deed[1] if deed else "" for deed in deeds}) > 1 or deeds[0] is None:
        return told
    rests = [deed[2] for deed in deeds if deed is not None]
    if sum(map(len, rests)) > 260 or any(" and " in rest for rest in rests):
        return told
    return [f"{told[0][: deeds[0].start(2)]}{join_and(list(dict.fromkeys(rests)))}."]


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


def _tell_among(answered: _Answered, random: Random, taken: set[str]) -> str:
    """Tell one call among others, tied to what it was about where its own sentence does not say so."""
    if answered.failed:
        label = answered.label if answered.repeated else ""
        told = recount(answered.tool, answered.arguments, random)
        return tell_failure_briefly(action(answered.tool), label, answered.result, answered.arguments, random, told)
    text = _tell_success(answered, random, taken)
    cores = [answered.label, *answered.cores]
    if answered.repeated and answered.label and not any(core.casefold() in text.casefold() for core in cores):
        return upper_first(f"{answered.label}: {_without_opening(text)}")
    return text
