"""OA: responses and streams of chunks, their choices and their usage (seeds/003, 6, 8 to 10)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from generator.jsontext import JsonObject, JsonValue
from generator.validation.entities.chat_requests import (
    CallPiece,
    ChoiceView,
    ResponseView,
    StreamView,
    as_object,
    chosen_name,
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


CHUNK = "chat.completion.chunk"

_OF_CHUNKS = ("OA132", "OA134", "OA135", "OA136", "OA138", "OA139", "OA140", "OA145", "OA146")
"""The rules of a response that hold for each chunk."""


def _stream_is_array(stream: StreamView) -> Iterator[Finding]:
    if not isinstance(stream.document, list):
        yield Finding("", f"a stream is an array of chunks, this is {kind_of(stream.document)}")
    elif not stream.chunks:
        yield Finding("", "a stream has at least one chunk")
    for number, chunk in enumerate(stream.raw):
        if not isinstance(chunk, dict):
            yield Finding(f"/{number}", f"a chunk is a JSON object, this is {kind_of(chunk)}")


def _objects_are_chunks(stream: StreamView) -> Iterator[Finding]:
    for number, chunk in enumerate(stream.chunks):
        for finding in envelope_problems(chunk.entry, CHUNK) if chunk.is_object else ():
            yield Finding(f"/{number}{finding.pointer}", finding.message)


def _choices_have_deltas(stream: StreamView) -> Iterator[Finding]:
    for piece in stream.pieces:
        if "message" in piece.entry:
            yield Finding(f"{piece.pointer}/message", "a choice of a stream has a `delta`, no `message`")
        if not isinstance(piece.entry.get("delta"), dict):
            what = kind_of(piece.entry["delta"]) if "delta" in piece.entry else "missing"
            yield Finding(f"{piece.pointer}/delta", f"the `delta` of a choice is an object, here it is {what}")


def _chat_streams_finish_is_known(stream: StreamView) -> Iterator[Finding]:
    for piece in stream.pieces:
        finish = piece.entry.get("finish_reason")
        if "finish_reason" not in piece.entry or not (finish is None or finish in FINISHES):
            what = brief(finish) if "finish_reason" in piece.entry else "missing"
            known = ", ".join(FINISHES)
            where = f"{piece.pointer}/finish_reason"
            yield Finding(where, f"`finish_reason` is one of {known}, or null, here it is {what}")


def _only_the_last_finishes(stream: StreamView) -> Iterator[Finding]:
    for choice in stream.choices:
        for piece in choice.pieces[:-1]:
            if piece.entry.get("finish_reason") is not None:
                where = f"{piece.pointer}/finish_reason"
                yield Finding(where, "`finish_reason` is null in all chunks but the last of its choice")


def _the_last_finishes(stream: StreamView) -> Iterator[Finding]:
    for choice in stream.choices:
        if choice.finish is None:
            yield Finding(f"{choice.pointer}/finish_reason", "the stream ends, but nothing says why: it was cut")


def _usage_comes_last(stream: StreamView) -> Iterator[Finding]:
    for number, chunk in enumerate(stream.chunks[:-1]):
        if chunk.entry.get("usage") is not None:
            yield Finding(f"/{number}/usage", "the usage stands in the final chunk alone")


def _includes_usage(stream: StreamView) -> bool:
    return as_object((stream.request or {}).get("stream_options")).get("include_usage") is True


def _usage_is_as_asked(stream: StreamView) -> Iterator[Finding]:
    if stream.request is None or not stream.chunks:
        return
    last, told = len(stream.chunks) - 1, stream.chunks[-1].entry.get("usage") is not None
    if _includes_usage(stream) and not told:
        yield Finding(f"/{last}/usage", "`include_usage` is true, but the final chunk has no usage")
    elif told and not _includes_usage(stream):
        yield Finding(f"/{last}/usage", "the usage is told, but `include_usage` is not true")


def _chunks_are_of_one_response(stream: StreamView) -> Iterator[Finding]:
    for name in ("id", "model"):
        first = next((chunk.entry.get(name) for chunk in stream.chunks), None)
        for number, chunk in enumerate(stream.chunks):
            if name in chunk.entry and chunk.entry[name] != first:
                yield Finding(f"/{number}/{name}", f"the `{name}` of the first chunk is {brief(first)}")


def _empty_choices_carry_usage(stream: StreamView) -> Iterator[Finding]:
    for number, chunk in enumerate(stream.chunks):
        if chunk.has_choices and not chunk.choices and chunk.entry.get("usage") is None:
            yield Finding(f"/{number}/choices", "a chunk without choices is the one with the usage")


def _deltas_hold_parts(stream: StreamView) -> Iterator[Finding]:
    for piece in stream.pieces:
        where, calls = f"{piece.pointer}/delta", piece.delta.get("tool_calls")
        for key in ("role", "content"):
            if piece.delta.get(key) is not None and not isinstance(piece.delta[key], str):
                yield Finding(f"{where}/{key}", f"a part of `{key}` is a string, not {kind_of(piece.delta[key])}")
        if calls is not None and not isinstance(calls, list):
            yield Finding(f"{where}/tool_calls", f"`tool_calls` is an array, here it is {kind_of(calls)}")
        for number, call in enumerate(as_list(calls)):
            index = as_object(call).get("index")
            if not (is_whole(index) and index >= 0):
                message = "a part of a call has the `index` of its call, an integer"
                yield Finding(f"{where}/tool_calls/{number}/index", message)


def _every_call_piece(stream: StreamView) -> Iterator[list[CallPiece]]:
    for choice in stream.choices:
        yield from choice.call_pieces.values()


def _parts_of_arguments_are_text(stream: StreamView) -> Iterator[Finding]:
    for parts in _every_call_piece(stream):
        for part in parts:
            arguments = part.function.get("arguments")
            if arguments is not None and not isinstance(arguments, str):
                where = f"{part.pointer}/function/arguments"
                yield Finding(where, f"a part of the arguments is a string, not {kind_of(arguments)}")


def _parts_of_a_call_agree(stream: StreamView) -> Iterator[Finding]:
    for parts in _every_call_piece(stream):
        yield from _disagreements(parts, "/id", lambda part: part.entry.get("id"))
        yield from _disagreements(parts, "/type", lambda part: part.entry.get("type"))
        yield from _disagreements(parts, "/function/name", lambda part: part.function.get("name"))


def _disagreements(parts: list[CallPiece], at: str, value_of: Callable[[CallPiece], object]) -> Iterator[Finding]:
    told = [(part, value) for part in parts if (value := value_of(part)) not in (None, "")]
    for part, value in told[1:]:
        if value != told[0][1]:
            yield Finding(f"{part.pointer}{at}", f"an earlier part of this call says {brief(told[0][1])}")


def _chat_streams_messages_are_the_assistants(stream: StreamView) -> Iterator[Finding]:
    for choice in stream.choices:
        role = as_object(choice.message).get("role")
        if isinstance(role, str) and role != "assistant":
            yield Finding(f"{choice.pieces[0].pointer}/delta/role", f"the assistant answers, not {brief(role)}")


def _chat_streams_choice_of_tool_is_kept(stream: StreamView) -> Iterator[Finding]:
    for choice in stream.choices:
        for problem in choice_problems((stream.request or {}).get("tool_choice"), choice):
            yield Finding(f"{choice.pieces[0].pointer}/delta", problem)


def _in_each_chunk(rule: Rule[ResponseView]) -> Find[StreamView]:
    def find(stream: StreamView) -> Iterator[Finding]:
        for number, chunk in enumerate(stream.chunks):
            for finding in rule.find(chunk):
                yield Finding(f"/{number}{finding.pointer}", finding.message)

    return find


STREAM_CHECKS: dict[str, Find[StreamView]] = {
    "OA151": _stream_is_array,
    "OA152": _objects_are_chunks,
    "OA153": _choices_have_deltas,
    "OA154": _chat_streams_finish_is_known,
    "OA155": _only_the_last_finishes,
    "OA156": _the_last_finishes,
    "OA157": _usage_comes_last,
    "OA158": _usage_is_as_asked,
    "OA159": _chunks_are_of_one_response,
    "OA160": _deltas_hold_parts,
    "OA161": _parts_of_a_call_agree,
    "OA162": _parts_of_arguments_are_text,
    "OA163": _empty_choices_carry_usage,
}
"""The checks that streams alone have."""

OWN_RULES = rules_of("openai_chat", STREAM_CHECKS)

_AS_IN_RESPONSES = {
    "OA142": _chat_streams_messages_are_the_assistants,
    "OA144": finish_tells_of_calls,
    "OA148": _chat_streams_choice_of_tool_is_kept,
}


def _over_streams(rule: Rule[ResponseView]) -> Rule[StreamView]:
    """Make of a rule over responses the same rule over streams."""
    return Rule(rule.row, _AS_IN_RESPONSES.get(rule.code) or _in_each_chunk(rule), rule.severity, rule.read)


STREAM_RULES: tuple[Rule[StreamView], ...] = (
    *OWN_RULES,
    *(_over_streams(rule) for rule in RESPONSE_RULES if rule.code in _OF_CHUNKS or rule.code in _AS_IN_RESPONSES),
)
"""Every rule over a stream; those over the messages it folds into are MESSAGE_RULES."""
