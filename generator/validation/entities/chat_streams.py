"""OA: the chunks of a streamed response, one by one and as the message that they fold into (seeds/003, 6, 8, 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.validation.entities.chat_responses import (
    FINISHES,
    RESPONSE_RULES,
    choice_problems,
    envelope_problems,
    finish_tells_of_calls,
)
from generator.validation.entities.chat_view import CallPiece, ResponseView, StreamView, as_object, is_whole
from generator.validation.rule import Find, Finding, Rule, rules_of
from generator.validation.verdict import brief, kind_of
from generator.validation.view import as_list

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


def _finish_is_known(stream: StreamView) -> Iterator[Finding]:
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


def _messages_are_the_assistants(stream: StreamView) -> Iterator[Finding]:
    for choice in stream.choices:
        role = as_object(choice.message).get("role")
        if isinstance(role, str) and role != "assistant":
            yield Finding(f"{choice.pieces[0].pointer}/delta/role", f"the assistant answers, not {brief(role)}")


def _choice_of_tool_is_kept(stream: StreamView) -> Iterator[Finding]:
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
    "OA154": _finish_is_known,
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
    "OA142": _messages_are_the_assistants,
    "OA144": finish_tells_of_calls,
    "OA148": _choice_of_tool_is_kept,
}


def _over_streams(rule: Rule[ResponseView]) -> Rule[StreamView]:
    """Make of a rule over responses the same rule over streams."""
    return Rule(rule.row, _AS_IN_RESPONSES.get(rule.code) or _in_each_chunk(rule), rule.severity, rule.read)


STREAM_RULES: tuple[Rule[StreamView], ...] = (
    *OWN_RULES,
    *(_over_streams(rule) for rule in RESPONSE_RULES if rule.code in _OF_CHUNKS or rule.code in _AS_IN_RESPONSES),
)
"""Every rule over a stream; those over the messages it folds into are MESSAGE_RULES."""
