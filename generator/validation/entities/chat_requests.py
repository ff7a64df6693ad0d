"""OA: chat completion requests: parameters, messages, calls and tools; and views of the answers (seeds/003)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple, TypeGuard

import orjson

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.validators import SchemaProblem
from generator.validation.rule import Find, Finding, Rule, rules_of
from generator.validation.rules import RULES
from generator.validation.specifications.deepfabric import messages_are_list, tool_calls_are_list
from generator.validation.specifications.openai import refused
from generator.validation.tool_view import miscased
from generator.validation.verdict import brief, kind_of
from generator.validation.view import CallView, RecordView, as_list

_MESSAGE = re.compile(r"/messages/(\d+)")
_MOST_TOGETHER = 1_000_000


def as_object(value: JsonValue) -> JsonObject:
    """Return the value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def conversation_for(request: JsonObject | None, choices: int) -> JsonObject | None:
    """Return the request that choices continue; without its messages where together they are too many to look at.

    Each choice is judged as the next turn of the conversation, so that the work grows with the product of both.
    """
    messages = len(as_list((request or {}).get("messages")))
    return {**request, "messages": []} if request and messages * choices > _MOST_TOGETHER else request


class ChoiceView:
    """One entry of `choices`, whatever JSON it is, as the next turn of the conversation that was asked for."""

    def __init__(self, pointer: str, raw: JsonValue, request: JsonObject | None) -> None:
        self.pointer = pointer
        self.raw = raw
        self.entry = as_object(raw)
        self.message: JsonValue = self.entry.get("message")
        self.finish: JsonValue = self.entry.get("finish_reason")
        self._request = request

    @cached_property
    def record(self) -> RecordView:
        """The request's conversation, where it is known, with this message as its last."""
        asked = self._request or {}
        kept = {key: asked[key] for key in ("tools", "parallel_tool_calls") if asked.get(key) is not None}
        return RecordView({**kept, "messages": [*as_list(asked.get("messages")), self.message]}, generated=False)

    @property
    def calls(self) -> int:
        """How many calls the message makes."""
        return len(as_list(as_object(self.message).get("tool_calls")))

    def place(self, finding: Finding) -> Finding | None:
        """Bring a finding in the conversation to the choice; None where it speaks of the request."""
        found = _MESSAGE.match(finding.pointer)
        if found is None or int(found[1]) != len(self.record.messages) - 1:
            return None
        return Finding(f"{self.pointer}/message{finding.pointer[found.end() :]}", finding.message)


class ResponseView:
    """One response, whatever JSON it is, with the request that it answers, where that is known."""

    def __init__(self, document: JsonValue, request: JsonObject | None = None) -> None:
        self.document = document
        self.is_object = isinstance(document, dict)
        self.entry = as_object(document)
        self.request = request
        self.has_choices = isinstance(self.entry.get("choices"), list)
        entries = as_list(self.entry.get("choices"))
        asked = conversation_for(request, len(entries))
        self.choices = [ChoiceView(f"/choices/{index}", raw, asked) for index, raw in enumerate(entries)]


DONE = "[DONE]"
"""What servers send after the last chunk; it may stand at the end of the array."""

_CALL = re.compile(r"/messages/\d+/tool_calls/(\d+)")


class Piece(NamedTuple):
    """One choice of one chunk."""

    pointer: str
    entry: JsonObject

    @property
    def delta(self) -> JsonObject:
        """What the chunk adds; empty where that is no object."""
        return as_object(self.entry.get("delta"))


class CallPiece(NamedTuple):
    """One entry of a delta's `tool_calls`."""

    pointer: str
    entry: JsonObject

    @property
    def function(self) -> JsonObject:
        """What it adds to the function; empty where that is no object."""
        return as_object(self.entry.get("function"))


class FoldedChoice(ChoiceView):
    """The choice that the pieces of one index add up to."""

    def __init__(self, pieces: list[Piece], request: JsonObject | None) -> None:
        self.pieces = pieces
        self.call_pieces = _call_pieces(pieces)
        self._first_pieces = [parts[0] for parts in self.call_pieces.values()]
        message = _fold(pieces, self.call_pieces)
        raw = {"message": message, "finish_reason": pieces[-1].entry.get("finish_reason")}
        super().__init__(pieces[-1].pointer, raw, request)

    def place(self, finding: Finding) -> Finding | None:
        """Bring a finding in the folded message to the piece where its part begins; None where it is the request's."""
        placed = super().place(finding)
        if placed is None:
            return None
        rest = placed.pointer.removeprefix(f"{self.pointer}/message")
        where = f"{self.pieces[0].pointer}/delta{rest}"
        found = _CALL.match(finding.pointer)
        if found is not None:
            first = self._first_pieces[int(found[1])]
            where = first.pointer + rest.removeprefix(f"/tool_calls/{found[1]}")
        return Finding(where, finding.message)


def _call_pieces(pieces: Iterable[Piece]) -> dict[float, list[CallPiece]]:
    """Gather the pieces of each call by its index, in the order of the indexes."""
    gathered: dict[float, list[CallPiece]] = {}
    for piece in pieces:
        for number, entry in enumerate(as_list(piece.delta.get("tool_calls"))):
            index = as_object(entry).get("index")
            if is_whole(index):
                where = f"{piece.pointer}/delta/tool_calls/{number}"
                gathered.setdefault(index, []).append(CallPiece(where, as_object(entry)))
    return dict(sorted(gathered.items()))


def _fold(pieces: list[Piece], calls: dict[float, list[CallPiece]]) -> JsonObject:
    """Add the deltas up: texts are joined, of everything else the first value holds."""
    message: JsonObject = {}
    for piece in pieces:
        for key, value in piece.delta.items():
            if key != "tool_calls" and message.get(key) is None:
                message[key] = value
    if isinstance(message.get("content"), str):
        message["content"] = "".join(text for piece in pieces if isinstance(text := piece.delta.get("content"), str))
    if calls:
        message["tool_calls"] = [_folded_call(parts) for parts in calls.values()]
    return message


def _folded_call(parts: list[CallPiece]) -> JsonObject:
    texts = [part.function["arguments"] for part in parts if isinstance(part.function.get("arguments"), str)]
    function = {"name": _first(part.function.get("name") for part in parts), "arguments": "".join(texts)}
    call = {key: _first(part.entry.get(key) for part in parts) for key in ("id", "type")}
    return {**{key: value for key, value in call.items() if value is not None}, "function": function}


def _first(values: Iterable[JsonValue]) -> JsonValue:
    return next((value for value in values if value is not None and value != ""), None)


class StreamView:
    """The chunks of one response, whatever JSON they are, with the request that they answer, where that is known."""

    def __init__(self, document: JsonValue, request: JsonObject | None = None) -> None:
        self.document = document
        entries = as_list(document)
        self.raw: list[JsonValue] = entries[:-1] if entries and entries[-1] == DONE else entries
        self.request = request
        self.chunks = [ResponseView(raw, request) for raw in self.raw]
        pieces: dict[float, list[Piece]] = {}
        for number, chunk in enumerate(self.chunks):
            for choice in chunk.choices:
                index = choice.entry.get("index")
                if is_whole(index):
                    pieces.setdefault(index, []).append(Piece(f"/{number}{choice.pointer}", choice.entry))
        asked = conversation_for(request, len(pieces))
        self.choices = [FoldedChoice(parts, asked) for _, parts in sorted(pieces.items())]

    @property
    def pieces(self) -> list[Piece]:
        """Every choice of every chunk that is an object."""
        return [Piece(f"/{number}{choice.pointer}", choice.entry) for number, chunk in enumerate(self.chunks)
                for choice in chunk.choices if isinstance(choice.raw, dict)]  # fmt: skip


def is_number(value: JsonValue) -> TypeGuard[int | float]:
    """Say whether a JSON value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_whole(value: JsonValue) -> TypeGuard[int | float]:
    """Say whether a JSON value is a whole number, 5.0 included; how it is written is another rule's."""
    return is_number(value) and (isinstance(value, int) or value.is_integer())


def has_fraction(value: JsonValue) -> bool:
    """Say whether a whole number is written with a fraction, as 5.0."""
    return isinstance(value, float) and value.is_integer()


_CALL_ID = re.compile(r"call_[a-zA-Z0-9]+")
_UNDECLARED = ("additionalProperties", "unevaluatedProperties")


def _ids_are_call_ids(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if call.entry and not (isinstance(call.id, str) and _CALL_ID.fullmatch(call.id)):
            yield Finding(f"{call.pointer}/id", f"a call id is `call_` and letters and digits, not {brief(call.id)}")


def _arguments_are_text(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if call.has_function and not isinstance(call.given, str):
            what = kind_of(call.given) if "arguments" in call.function else "missing"
            yield Finding(call.arguments_pointer, f"the arguments of a call are a JSON string, here they are {what}")


def _arguments_hold_object(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if isinstance(call.given, str) and call.arguments is None and not call.malformed:
            what = kind_of(orjson.loads(call.given))
            yield Finding(call.arguments_pointer, f"the arguments of a call are the text of an object, not of {what}")


def _closed_parameters_hold(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if call.judgement.undeclared:
            yield from refused(call, tuple(_closed_out(call)))


def _closed_out(call: CallView) -> Iterator[SchemaProblem]:
    validator = call.tool.validator if call.tool is not None else None
    if validator is not None and call.arguments is not None:
        yield from (each for each in validator.problems(call.arguments) if each.keyword in _UNDECLARED)


def _result_content_is_text(record: RecordView) -> Iterator[Finding]:
    for result in record.results:
        content = result.message.content
        if content is not None and not isinstance(content, str):
            where = f"{result.message.pointer}/content"
            yield Finding(where, f"the content of a tool message is a string, here it is {kind_of(content)}")


def _names_are_text(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        name = message.entry.get("name")
        if name is not None and not isinstance(name, str):
            yield Finding(f"{message.pointer}/name", f"the name of a message is a string, here it is {kind_of(name)}")


def _descriptions_are_text(record: RecordView) -> Iterator[Finding]:
    for index, tool in enumerate(record.tools):
        description = tool.function.get("description")
        if description is not None and not isinstance(description, str):
            where = f"/tools/{index}/function/description"
            yield Finding(where, f"the description of a tool is a string, here it is {kind_of(description)}")


def _types_are_lower_case(record: RecordView) -> Iterator[Finding]:
    for index, tool in enumerate(record.tools):
        for node in tool.nodes:
            kind = node.schema.get("type")
            if miscased(kind):
                yield Finding(f"/tools/{index}{node.pointer}/type", f"JSON Schema has no type {brief(kind)}")


MESSAGE_CHECKS: dict[str, Find[RecordView]] = {
    "OA121": _ids_are_call_ids,
    "OA122": _arguments_are_text,
    "OA123": _arguments_hold_object,
    "OA124": _closed_parameters_hold,
    "OA125": tool_calls_are_list,
    "OA126": _result_content_is_text,
    "OA127": _names_are_text,
    "OA128": _descriptions_are_text,
    "OA129": _types_are_lower_case,
}
"""The checks that hold for OpenAI's own shape alone, where the canonical record differs or has another source."""

OWN_MESSAGE_RULES = rules_of("openai_chat", MESSAGE_CHECKS)

_SHARED = (
    "DF006", "DF007", "DF008", "OA001", "OA002", "OA003", "OA004", "OA005", "OA006", "OA007", "OA008", "OA009", "OA010",
    "OA011", "OA012", "OA013", "OA014", "OA015", "OA016", "OA017", "OA018", "OA019", "OA020", "OA021", "OA022", "OA023",
    "OA024", "OA025", "OA026", "OA027", "OA028", "OA029", "OA030", "OA031", "OA032", "TC008", "TC011", "TC012", "TC018",
)  # fmt: skip
"""The rules of records that speak of messages, calls and tools in any shape, and have this document as a source."""

MESSAGE_RULES: tuple[Rule[RecordView], ...] = (*(RULES[code] for code in _SHARED), *OWN_MESSAGE_RULES)
"""Every rule over the messages and the tools of a request, or over those that a response continues."""


MOST_TOOLS = 100
"""The most tools in one request that are recommended."""
TOOL_CHOICES = ("auto", "none", "required")
EFFORTS = ("low", "medium", "high")


def _request_is_object(request: RecordView) -> Iterator[Finding]:
    if not request.is_object:
        yield Finding("", f"a request is a JSON object, this is {kind_of(request.document)}")


def _model_is_named(request: RecordView) -> Iterator[Finding]:
    model = request.entry.get("model")
    if request.is_object and not (isinstance(model, str) and model.strip()):
        what = brief(model) if "model" in request.entry else "missing"
        yield Finding("/model", f"`model` is a string that is not empty, here it is {what}")


def _stream_is_boolean(request: RecordView) -> Iterator[Finding]:
    stream = request.entry.get("stream")
    if stream is not None and not isinstance(stream, bool):
        yield Finding("/stream", f"`stream` is true or false, not {brief(stream)}")


def _max_tokens_is_positive(request: RecordView) -> Iterator[Finding]:
    limit = request.entry.get("max_tokens")
    if limit is not None and not (is_whole(limit) and limit > 0):
        yield Finding("/max_tokens", f"`max_tokens` is a positive integer, not {brief(limit)}")


def _max_tokens_has_no_fraction(request: RecordView) -> Iterator[Finding]:
    if has_fraction(request.entry.get("max_tokens")):
        yield Finding("/max_tokens", "an integer is written without a fraction")


def _temperature_is_not_negative(request: RecordView) -> Iterator[Finding]:
    temperature = request.entry.get("temperature")
    if temperature is not None and not (is_number(temperature) and temperature >= 0):
        yield Finding("/temperature", f"`temperature` is a number that is not negative, not {brief(temperature)}")


def _temperature_is_in_range(request: RecordView) -> Iterator[Finding]:
    temperature = request.entry.get("temperature")
    if is_number(temperature) and temperature > 2:
        yield Finding("/temperature", f"`temperature` lies between 0 and 2, here it is {brief(temperature)}")


def _top_p_is_share(request: RecordView) -> Iterator[Finding]:
    top_p = request.entry.get("top_p")
    if top_p is not None and not (is_number(top_p) and 0 <= top_p <= 1):
        yield Finding("/top_p", f"`top_p` is a number between 0 and 1, not {brief(top_p)}")


def _stop_is_text(request: RecordView) -> Iterator[Finding]:
    stop = request.entry.get("stop")
    texts = stop if isinstance(stop, list) else [stop]
    if stop is not None and not all(isinstance(text, str) for text in texts):
        yield Finding("/stop", "`stop` is a string or an array of strings")


def _tools_are_few(request: RecordView) -> Iterator[Finding]:
    if len(request.tools) > MOST_TOOLS:
        yield Finding("/tools", f"at most {MOST_TOOLS} tools are recommended, here are {len(request.tools)}")


def _tool_choice_is_known(request: RecordView) -> Iterator[Finding]:
    choice = request.entry.get("tool_choice")
    if isinstance(choice, dict):
        yield from _named_choice_is_whole(choice)
    elif choice is not None and choice not in TOOL_CHOICES:
        known = ", ".join(TOOL_CHOICES)
        yield Finding("/tool_choice", f"`tool_choice` is one of {known}, or an object that names a function")


def _named_choice_is_whole(choice: JsonObject) -> Iterator[Finding]:
    if choice.get("type") != "function":
        yield Finding("/tool_choice/type", f'the type of a choice is "function", not {brief(choice.get("type"))}')
    if chosen_name(choice) is None:
        yield Finding("/tool_choice/function", 'a choice names its function: {"function": {"name": ...}}')


def chosen_name(choice: JsonValue) -> str | None:
    """Return the name of the function that a `tool_choice` asks for; None where it names none."""
    function = choice.get("function") if isinstance(choice, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    return name if isinstance(name, str) and name else None


def _chosen_tool_is_shown(request: RecordView) -> Iterator[Finding]:
    name = chosen_name(request.entry.get("tool_choice"))
    if name is not None and name not in request.tools_by_name:
        yield Finding("/tool_choice/function/name", f"{brief(name)} is none of the tools of the request")


def _required_call_has_tools(request: RecordView) -> Iterator[Finding]:
    if request.entry.get("tool_choice") == "required" and not request.tools:
        yield Finding("/tool_choice", "a call is required, but the request shows no tool")


def _strict_tools_forbid_parallel_calls(request: RecordView) -> Iterator[Finding]:
    if request.entry.get("parallel_tool_calls") is True and any(tool.strict for tool in request.tools):
        yield Finding("/parallel_tool_calls", "`parallel_tool_calls` is false where a tool is strict")


def _strict_tools_say_so(request: RecordView) -> Iterator[Finding]:
    if request.entry.get("parallel_tool_calls") is None and any(tool.strict for tool in request.tools):
        message = "a tool is strict: say `parallel_tool_calls: false`, since the default is true"
        yield Finding("/parallel_tool_calls", message)


def _stream_options_are_object(request: RecordView) -> Iterator[Finding]:
    options = request.entry.get("stream_options")
    if options is not None and not isinstance(options, dict):
        yield Finding("/stream_options", f"`stream_options` is an object, here it is {kind_of(options)}")


def _include_usage_is_boolean(request: RecordView) -> Iterator[Finding]:
    options = request.entry.get("stream_options")
    if isinstance(options, dict) and not isinstance(options.get("include_usage", False), bool):
        where, value = "/stream_options/include_usage", options["include_usage"]
        yield Finding(where, f"`include_usage` is true or false, not {brief(value)}")


def _stream_options_need_stream(request: RecordView) -> Iterator[Finding]:
    if request.entry.get("stream_options") is not None and request.entry.get("stream") is not True:
        yield Finding("/stream_options", "`stream_options` are given, but `stream` is not true")


def _effort_is_known(request: RecordView) -> Iterator[Finding]:
    effort = request.entry.get("reasoning_effort")
    if effort is not None and effort not in EFFORTS:
        yield Finding("/reasoning_effort", f"`reasoning_effort` is one of {', '.join(EFFORTS)}, not {brief(effort)}")


REQUEST_CHECKS: dict[str, Find[RecordView]] = {
    "OA101": _request_is_object,
    "OA102": _model_is_named,
    "OA103": messages_are_list,
    "OA104": _stream_is_boolean,
    "OA105": _max_tokens_is_positive,
    "OA106": _max_tokens_has_no_fraction,
    "OA107": _temperature_is_not_negative,
    "OA108": _temperature_is_in_range,
    "OA109": _top_p_is_share,
    "OA110": _stop_is_text,
    "OA111": _tools_are_few,
    "OA112": _tool_choice_is_known,
    "OA113": _chosen_tool_is_shown,
    "OA114": _required_call_has_tools,
    "OA115": _strict_tools_forbid_parallel_calls,
    "OA116": _strict_tools_say_so,
    "OA117": _stream_options_are_object,
    "OA118": _include_usage_is_boolean,
    "OA119": _stream_options_need_stream,
    "OA120": _effort_is_known,
}
"""The checks of the parameters of a request."""

OWN_RULES = rules_of("openai_chat", REQUEST_CHECKS)
REQUEST_RULES: tuple[Rule[RecordView], ...] = (*OWN_RULES, *MESSAGE_RULES)
"""Every rule over a request."""
