"""What a request asks: checked by the rules of chat completions, then read into one form whatever API it came by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Literal, NamedTuple

import orjson

from generator.jsontext import JsonObject, JsonValue
from generator.lengths import ESTIMATE
from generator.schemas.limits import depth_of
from generator.serving.answers import Limits
from generator.serving.messages import Trail, canonical_json, plain_message
from generator.serving.mistakes import without_mistakes
from generator.serving.refusals import Refusal, place
from generator.validation.entities.chat_requests import REQUEST_RULES, chosen_name
from generator.validation.shape import unstorable
from generator.validation.view import RecordView

Choice = Literal["auto", "none", "required"]
MOST_CHOICES = 128
MOST_TOOLS = 1024
DEEPEST = 100
"""Objects and arrays inside one another in a request."""

CODES = {
    "OA014": "unknown_tool_call",
    "OA015": "malformed_tool_arguments",
    "OA016": "invalid_tool_arguments",
    "OA123": "invalid_tool_arguments",
    "OA124": "invalid_tool_arguments",
}
"""The codes that the specification gives to errors in the calls of a request, by the rule that finds each."""
_DECIDING = ("messages", "tools", "tool_choice", "parallel_tool_calls", "response_format", "seed")
"""The keys of a request that an answer depends on."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request for the assistant's next turn, in the words of chat completions."""

    model: str
    messages: list[JsonObject]
    tools: list[JsonObject]
    choice: Choice
    """Whether a call is to be made; `required` too where one tool is named."""
    named: str | None
    """The one tool that is to be called."""
    one_call: bool
    """Whether at most one call is made at a time: where the request says so, or a tool is strict."""
    limits: Limits
    choices: int
    stream: bool
    include_usage: bool
    json_schema: JsonValue
    """The schema that a text has to satisfy; None where any text will do."""
    trail: Trail
    digest: str
    """What tells the request from others that are answered otherwise."""
    prompt_tokens: int
    taken: frozenset[str] = field(default=frozenset())
    """The ids of the calls in the conversation, without their prefix."""

    def tool(self, name: str) -> JsonObject | None:
        """Return the function of a tool by its name."""
        return next((tool["function"] for tool in self.tools if tool["function"]["name"] == name), None)


class Fault(NamedTuple):
    """The first thing that is wrong with a request, and how many others are."""

    code: str
    pointer: str
    message: str
    others: int


def parsed(body: bytes) -> JsonValue:
    """Read the body of a request.

    Raises:
        Refusal: it is no JSON, or nests too deeply.
    """
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise Refusal(400, f"We could not parse the JSON body of your request: {error}") from error
    if not isinstance(document, dict):
        raise Refusal(400, "The body of a request is a JSON object.")
    if depth_of(document, DEEPEST) > DEEPEST:
        raise Refusal(400, f"The body of the request nests over {DEEPEST} levels.")
    return document


def read_chat(document: JsonObject) -> Asked:
    """Read a chat completion request.

    Raises:
        Refusal: it breaks a rule of requests.
    """
    given = document.get("messages")
    if isinstance(given, list):
        document = {**document, "messages": without_mistakes([plain_message(message) for message in given])}
    if isinstance(document.get("tools"), list) and len(document["tools"]) > MOST_TOOLS:
        raise Refusal(400, f"A request has at most {MOST_TOOLS:,} tools.", "array_above_max_length", "tools")
    refuse_wrong(document)
    return _asked(document, len(given or ()) - len(document["messages"]))


def refuse_wrong(document: JsonObject) -> None:
    """Refuse a request that breaks a rule.

    Raises:
        Refusal: with the first rule that it breaks, in the order of the rules, and how many others it does.
    """
    found = list(_faults(document))
    if found:
        rule, pointer, message = found[0]
        others = len(found) - 1
        more = f" ({others:,} more {'thing is' if others == 1 else 'things are'} wrong)" if others else ""
        raise Refusal(400, f"{message} (rule {rule}){more}", CODES.get(rule), place(pointer))


def _faults(document: JsonObject) -> Iterator[tuple[str, str, str]]:
    """Yield every error of a request: the rule, the pointer, what is wrong."""
    unstored = next(unstorable(document), None)
    if unstored is not None:
        yield "DF001", unstored.pointer, unstored.message
        return
    view = RecordView(document, generated=False)
    for rule in REQUEST_RULES:
        if rule.read == "error":
            for finding in rule.find(view):
                if finding.at_most == "error":
                    yield rule.code, finding.pointer, finding.message


def _asked(document: JsonObject, left_out: int) -> Asked:
    """Read a request that keeps the rules; `left_out` of its messages were of mistakes."""
    tools = document.get("tools") or []
    choice = _choice(document.get("tool_choice"), tools)
    parallel = document.get("parallel_tool_calls")
    strict = any(tool["function"].get("strict") for tool in tools)
    trail = Trail().follow(document["messages"])
    told = canonical_json({key: document[key] for key in _DECIDING if document.get(key) is not None})
    stop = document.get("stop")
    return Asked(
        model=document["model"],
        messages=document["messages"],
        tools=tools,
        choice=choice,
        named=chosen_name(document.get("tool_choice")),
        one_call=parallel is False or strict,
        limits=Limits(
            _most_tokens(document), tuple([stop] if isinstance(stop, str) else stop or ()), choice == "required"
        ),
        choices=_choices(document),
        stream=document.get("stream") is True,
        include_usage=(document.get("stream_options") or {}).get("include_usage") is True,
        json_schema=_json_schema(document.get("response_format")),
        trail=trail,
        digest=blake2b(told, digest_size=16, salt=b"%d" % left_out if left_out else b"").hexdigest(),
        prompt_tokens=ESTIMATE.count(told.decode("utf-8", "replace")),
        taken=frozenset(_ids(document["messages"])),
    )


def _choice(wanted: JsonValue, tools: list[JsonObject]) -> Choice:
    """Return whether a call is to be made."""
    named = chosen_name(wanted)
    choice: Choice = "required" if named is not None else wanted or ("auto" if tools else "none")
    if choice == "required" and not tools:
        raise Refusal(400, "A call is required, but the request shows no tool.", param="tool_choice")
    return choice


def _most_tokens(document: JsonObject) -> int | None:
    """Return the most tokens of an answer, under its old name or its new one."""
    limit = document.get("max_completion_tokens")
    if limit is None:
        limit = document.get("max_tokens")
    elif not (type(limit) is int and limit > 0):
        raise Refusal(400, "`max_completion_tokens` is a positive integer.", param="max_completion_tokens")
    return None if limit is None else int(limit)


def _choices(document: JsonObject) -> int:
    count = document.get("n")
    if count is None:
        return 1
    if not (type(count) is int and 1 <= count <= MOST_CHOICES):
        raise Refusal(400, f"`n` is an integer from 1 to {MOST_CHOICES}.", param="n")
    return count


def _json_schema(form: JsonValue) -> JsonValue:
    """Return the schema that a text has to satisfy by a `response_format`."""
    if form is None:
        return None
    kind = form.get("type") if isinstance(form, dict) else None
    if kind == "text":
        return None
    if kind == "json_object":
        return {"type": "object"}
    schema = (
        form["json_schema"].get("schema")
        if kind == "json_schema" and isinstance(form.get("json_schema"), dict)
        else None
    )
    if not isinstance(schema, dict):
        message = (
            '`response_format` is {"type": "text"}, {"type": "json_object"}, or a `json_schema` with its `schema`.'
        )
        raise Refusal(400, message, param="response_format")
    return schema


def _ids(messages: list[JsonObject]) -> Iterator[str]:
    for message in messages:
        for call in message.get("tool_calls") or ():
            yield call["id"].removeprefix("call_")
