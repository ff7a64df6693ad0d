"""OA: responses, their choices and their usage (seeds/003, 8 to 10)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue
from generator.validation.entities.chat_requests import chosen_name
from generator.validation.entities.chat_view import (
    ChoiceView,
    ResponseView,
    StreamView,
    as_object,
    has_fraction,
    is_whole,
)
from generator.validation.rule import Find, Finding, Rule, rules_of
from generator.validation.verdict import brief, kind_of
from generator.validation.view import as_list

COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")


def usage_problems(usage: JsonValue) -> Iterator[Finding]:
    """Yield what is wrong with the counts of a usage; pointers are relative to it."""
    if not isinstance(usage, dict):
        yield Finding("", f"`usage` is an object, here it is {kind_of(usage)}")
        return
    for name in COUNTS:
        count = usage.get(name)
        if not (is_whole(count) and count >= 0):
            what = brief(count) if name in usage else "missing"
            yield Finding(f"/{name}", f"`{name}` is a number of tokens, here it is {what}")


def sum_problems(usage: JsonValue) -> Iterator[Finding]:
    """Yield where the total of a usage is not the sum of its parts."""
    prompt, completion, total = (as_object(usage).get(name) for name in COUNTS)
    if is_whole(prompt) and is_whole(completion) and is_whole(total) and prompt + completion != total:
        message = f"`total_tokens` is the sum of both, {brief(prompt + completion)}, not {brief(total)}"
        yield Finding("/total_tokens", message)


def _usage_is_whole(response: ResponseView) -> Iterator[Finding]:
    if response.entry.get("usage") is not None:
        for finding in usage_problems(response.entry["usage"]):
            yield Finding(f"/usage{finding.pointer}", finding.message)


def _usage_adds_up(response: ResponseView) -> Iterator[Finding]:
    for finding in sum_problems(response.entry.get("usage")):
        yield Finding(f"/usage{finding.pointer}", finding.message)


def _usage_is_told(response: ResponseView) -> Iterator[Finding]:
    if response.is_object and response.entry.get("usage") is None:
        yield Finding("/usage", "a response outside a stream tells its usage")


USAGE_CHECKS: dict[str, Find[ResponseView]] = {
    "OA145": _usage_is_whole,
    "OA146": _usage_adds_up,
    "OA147": _usage_is_told,
}
"""The checks of the usage of a response."""


FINISHES = ("stop", "tool_calls", "length")

_RESPONSE_ID = re.compile(r"chatcmpl-\S+")


def envelope_problems(entry: JsonObject, kind: str) -> Iterator[Finding]:
    """Yield what is wrong with the `object` of a response or a chunk."""
    if entry.get("object") != kind:
        what = brief(entry["object"]) if "object" in entry else "missing"
        yield Finding("/object", f'`object` is "{kind}", here it is {what}')


def _response_is_object(response: ResponseView) -> Iterator[Finding]:
    if not response.is_object:
        yield Finding("", f"a response is a JSON object, this is {kind_of(response.document)}")


def _id_is_response_id(response: ResponseView) -> Iterator[Finding]:
    identity = response.entry.get("id")
    if response.is_object and not (isinstance(identity, str) and _RESPONSE_ID.fullmatch(identity)):
        what = brief(identity) if "id" in response.entry else "missing"
        yield Finding("/id", f"the id of a response is `chatcmpl-` and what tells it apart, here it is {what}")


def _object_is_completion(response: ResponseView) -> Iterator[Finding]:
    if response.is_object:
        yield from envelope_problems(response.entry, "chat.completion")


def _created_is_time(response: ResponseView) -> Iterator[Finding]:
    created = response.entry.get("created")
    if response.is_object and not (is_whole(created) and created >= 0):
        what = brief(created) if "created" in response.entry else "missing"
        yield Finding("/created", f"`created` is a Unix timestamp, an integer, here it is {what}")


def _model_is_named(response: ResponseView) -> Iterator[Finding]:
    model = response.entry.get("model")
    if response.is_object and not (isinstance(model, str) and model.strip()):
        what = brief(model) if "model" in response.entry else "missing"
        yield Finding("/model", f"`model` is the name of the model, here it is {what}")


def _choices_are_list(response: ResponseView) -> Iterator[Finding]:
    if response.is_object and not response.has_choices:
        what = kind_of(response.entry["choices"]) if "choices" in response.entry else "missing"
        yield Finding("/choices", f"`choices` is an array, here it is {what}")
    for choice in response.choices:
        if not isinstance(choice.raw, dict):
            yield Finding(choice.pointer, f"a choice is an object, this is {kind_of(choice.raw)}")


def _there_is_a_choice(response: ResponseView) -> Iterator[Finding]:
    if response.has_choices and not response.choices:
        yield Finding("/choices", "a response has at least one choice, typically one")


def _indexes_are_integers(response: ResponseView) -> Iterator[Finding]:
    for choice in response.choices:
        index = choice.entry.get("index")
        if isinstance(choice.raw, dict) and not (is_whole(index) and index >= 0):
            what = brief(index) if "index" in choice.entry else "missing"
            yield Finding(f"{choice.pointer}/index", f"`index` is the place of the choice, here it is {what}")


def _indexes_differ(response: ResponseView) -> Iterator[Finding]:
    seen: set[float] = set()
    for choice in response.choices:
        index = choice.entry.get("index")
        if is_whole(index) and index in seen:
            yield Finding(f"{choice.pointer}/index", f"an earlier choice has the index {brief(index)} too")
        seen.update([index] if is_whole(index) else [])


def _integers_have_no_fraction(response: ResponseView) -> Iterator[Finding]:
    usage = as_object(response.entry.get("usage"))
    places = [("/created", response.entry.get("created"))]
    places += [(f"{choice.pointer}/index", choice.entry.get("index")) for choice in response.choices]
    places += [(f"/usage/{name}", usage.get(name)) for name in COUNTS]
    for where, value in places:
        if has_fraction(value):
            yield Finding(where, "an integer is written without a fraction")


def _choices_have_messages(response: ResponseView) -> Iterator[Finding]:
    for choice in response.choices:
        if "delta" in choice.entry:
            yield Finding(f"{choice.pointer}/delta", "a choice outside a stream has a `message`, no `delta`")
        if isinstance(choice.raw, dict) and not isinstance(choice.message, dict):
            what = kind_of(choice.message) if "message" in choice.entry else "missing"
            yield Finding(f"{choice.pointer}/message", f"the `message` of a choice is an object, here it is {what}")


def _messages_are_the_assistants(response: ResponseView) -> Iterator[Finding]:
    for choice in response.choices:
        role = as_object(choice.message).get("role")
        if isinstance(role, str) and role != "assistant":
            yield Finding(f"{choice.pointer}/message/role", f"the assistant answers a request, not {brief(role)}")


def _finish_is_known(response: ResponseView) -> Iterator[Finding]:
    for choice in response.choices:
        if isinstance(choice.raw, dict) and choice.finish not in FINISHES:
            what = brief(choice.finish) if "finish_reason" in choice.entry else "missing"
            known = ", ".join(FINISHES)
            yield Finding(f"{choice.pointer}/finish_reason", f"`finish_reason` is one of {known}, here it is {what}")


def finish_problems(calls: int, finish: JsonValue) -> Iterator[str]:
    """Yield where calls and the reason to finish contradict each other."""
    if calls and finish in ("stop", "length"):
        yield f'`finish_reason` is "tool_calls" where there are calls, not {brief(finish)}'
    elif not calls and finish == "tool_calls":
        yield '`finish_reason` is "tool_calls", but no call is made'


def finish_tells_of_calls(response: ResponseView | StreamView) -> Iterator[Finding]:
    """Find choices that end for another reason than their calls, or the lack of them, tell."""
    for choice in response.choices:
        for problem in finish_problems(choice.calls, choice.finish):
            yield Finding(f"{choice.pointer}/finish_reason", problem)


def _choice_of_tool_is_kept(response: ResponseView) -> Iterator[Finding]:
    wanted = (response.request or {}).get("tool_choice")
    for choice in response.choices:
        for problem in choice_problems(wanted, choice):
            yield Finding(f"{choice.pointer}/message", problem)


def choice_problems(wanted: JsonValue, choice: ChoiceView) -> Iterator[str]:
    """Yield where the calls of a choice are not what the request's `tool_choice` asked for."""
    calls = as_list(as_object(choice.message).get("tool_calls"))
    names = [as_object(as_object(call).get("function")).get("name") for call in calls]
    named = chosen_name(wanted)
    if wanted == "none" and calls:
        yield 'a call is made, but `tool_choice` is "none"'
    elif wanted == "required" and not calls:
        yield 'no call is made, but `tool_choice` is "required"'
    elif named is not None and names and any(name != named for name in names):
        yield f"another function is called than {brief(named)}, which `tool_choice` names"


RESPONSE_CHECKS: dict[str, Find[ResponseView]] = {
    **USAGE_CHECKS,
    "OA131": _response_is_object,
    "OA132": _id_is_response_id,
    "OA133": _object_is_completion,
    "OA134": _created_is_time,
    "OA135": _model_is_named,
    "OA136": _choices_are_list,
    "OA137": _there_is_a_choice,
    "OA138": _indexes_are_integers,
    "OA139": _indexes_differ,
    "OA140": _integers_have_no_fraction,
    "OA141": _choices_have_messages,
    "OA142": _messages_are_the_assistants,
    "OA143": _finish_is_known,
    "OA144": finish_tells_of_calls,
    "OA148": _choice_of_tool_is_kept,
}

RESPONSE_RULES: tuple[Rule[ResponseView], ...] = rules_of("openai_chat", RESPONSE_CHECKS)
"""The rules over a response; those over its messages are MESSAGE_RULES."""
