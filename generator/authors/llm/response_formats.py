"""Response formats: the schemas of the answers, and up to four ways to ask for one JSON object and find it."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import orjson

from generator.backends.backend import (
    MODES,
    Backend,
    Completion,
    CompletionRequest,
    Judges,
    Mode,
    ModelOptions,
    RequestRefused,
    Unavailable,
    Verdicts,
)
from generator.errors import BackendError
from generator.jsontext import JsonObject, JsonValue
from generator.scenarios.scenario import Step
from generator.tools import Tool

LONGEST_REQUEST = 1200
LONGEST_REPLY = 2000
"""Characters; a bound keeps a wandering model from running to its token limit."""
LONGEST_SPAN = 200
"""Characters of the words that one argument comes from."""
_MOST_EVIDENCE = 60
_SAID: JsonObject = {"argument": {"type": "string"}, "said": {"type": "string", "maxLength": LONGEST_SPAN}}
_DEEPEST_STRICT = 8


@dataclass(frozen=True, slots=True)
class Envelope:
    """The schema of an answer, and whether it meets strict mode."""

    schema: JsonObject
    strict: bool


def reply_envelope() -> Envelope:
    """The answer that holds the assistant's final text."""
    text = {"type": "string", "minLength": 1, "maxLength": LONGEST_REPLY}
    return Envelope(_object({"reply": text}), strict=True)


def draft_envelope(step: Step, later: int = 0) -> Envelope:
    """The answer that holds the user's text and exactly the planned number of calls.

    Each call's arguments are bound to its tool's parameters. They are the strict form where every tool has
    one (optional parameters become nullable, null is read as absent), else the schema as it stands. Where `later`
    calls follow without a word of the user, it holds the evidence for them as well.
    """
    text = {"type": "string", "minLength": 1, "maxLength": LONGEST_REQUEST}
    calls, strict = _planned_calls(step)
    parts: JsonObject = {"request": text, "calls": calls}
    if later:
        said = {"call": {"type": "integer", "minimum": 1, "maximum": later}, **_SAID}
        parts["later"] = {"type": "array", "items": _object(said), "maxItems": _MOST_EVIDENCE}
    return Envelope(_object(parts), strict)


def following_envelope(step: Step) -> Envelope:
    """The answer that holds exactly the planned number of calls, before which nobody speaks."""
    calls, strict = _planned_calls(step)
    return Envelope(_object({"calls": calls}), strict)


def _planned_calls(step: Step) -> tuple[JsonObject, bool]:
    """Return the schema of as many calls as are planned, and whether it meets strict mode."""
    tools = list({call.tool.key: call.tool for call in step.calls}.values())
    strict_forms = [strict_form(tool.shown_parameters) for tool in tools]
    strict = all(form is not None for form in strict_forms)
    forms = [
        form if strict and form is not None else tool.shown_parameters
        for tool, form in zip(tools, strict_forms, strict=True)
    ]
    calls: JsonObject = {"type": "array", "minItems": len(step.calls), "maxItems": len(step.calls)}
    if tools:
        branches = [_call(tool, form) for tool, form in zip(tools, forms, strict=True)]
        calls["items"] = branches[0] if len(branches) == 1 else {"anyOf": branches}
    else:
        calls["items"] = _object({})
    return calls, strict


_MOST_CALLS = 16
_LONGEST_REASONS = 600
_MOST_BOUND = 12
"""Tools to which the calls of an answer are bound one by one; more would make a schema that few servers take."""


def calls_envelope(tools: Sequence[Tool]) -> Envelope:
    """The answer that holds whatever calls follow from a conversation, none included."""
    forms = {tool.name: strict_form(tool.shown_parameters) for tool in tools}
    strict = 0 < len(forms) <= _MOST_BOUND and all(form is not None for form in forms.values())
    names: JsonObject = {"type": "string", "enum": list(forms)}
    if strict:
        branches = [_object({"name": {"type": "string", "enum": [name]}, "arguments": forms[name]}) for name in forms]
        item = branches[0] if len(branches) == 1 else {"anyOf": branches}
    else:
        item = _object({"name": names if forms else {"type": "string"}, "arguments": {"type": "object"}})
    calls = {"type": "array", "items": item, "maxItems": _MOST_CALLS}
    return Envelope(_object({"calls": calls}), strict)


def results_envelope(count: int) -> Envelope:
    """The answer that holds the results of so many calls, whatever JSON they are."""
    return Envelope(_object({"results": {"type": "array", "minItems": count, "maxItems": count}}), strict=False)


def judgement_envelope() -> Envelope:
    """The answer of a judge: reasons, then what holds."""
    held = {name: {"type": "boolean"} for name in ("request", "calls", "results", "answer", "kind")}
    return Envelope(_object({"reasons": {"type": "string", "maxLength": _LONGEST_REASONS}, **held}), strict=True)


def _call(tool: Tool, arguments: JsonObject) -> JsonObject:
    evidence = {"type": "array", "items": _object(_SAID), "maxItems": _MOST_EVIDENCE}
    return _object({"name": {"type": "string", "enum": [tool.name]}, "arguments": arguments, "evidence": evidence})


def _object(properties: JsonObject) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


_STRICT_KEYWORDS = frozenset({"type", "description", "enum", "const", "title", "default", "examples"})


def strict_form(schema: JsonValue, depth: int = 0) -> JsonObject | None:
    """Return the strict form of a schema (seeds/003, 5), None where it has none.

    Every property is required and additionalProperties false at every level; an optional property may be
    null instead. Keywords that only narrow a value are left out: the validator checks them afterwards.
    """
    if not isinstance(schema, dict) or depth > _DEEPEST_STRICT or not isinstance(schema.get("type"), str):
        return None
    kept: JsonObject = {
        key: value for key, value in schema.items() if key in _STRICT_KEYWORDS - {"default", "examples", "title"}
    }
    if schema["type"] == "object":
        return _strict_object(schema, kept, depth)
    if schema["type"] == "array":
        inner = strict_form(schema.get("items"), depth + 1)
        return None if inner is None else kept | {"items": inner}
    return kept


def _strict_object(schema: JsonObject, kept: JsonObject, depth: int) -> JsonObject | None:
    properties = schema.get("properties")
    if not isinstance(properties, dict) or schema.get("additionalProperties", False) is not False:
        return None
    if not properties and depth:
        return None
    forms: JsonObject = {}
    for name, part in properties.items():
        form = strict_form(part, depth + 1)
        if form is None:
            return None
        forms[name] = form if name in schema.get("required", ()) else {"anyOf": [form, {"type": "null"}]}
    return kept | {"properties": forms, "required": list(forms), "additionalProperties": False}


def without_absent(value: JsonValue, schema: JsonValue) -> JsonValue:
    """Take out the nulls that stand for absent optional properties in an answer to the strict form."""
    if isinstance(value, list) and isinstance(schema, dict):
        return [without_absent(part, schema.get("items")) for part in value]
    if not isinstance(value, dict) or not isinstance(schema, dict):
        return value
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    return {
        name: without_absent(part, properties.get(name))
        for name, part in value.items()
        if part is not None or name in required or _takes_null(properties.get(name, True))
    }


def _takes_null(schema: JsonValue) -> bool:
    if not isinstance(schema, dict):
        return schema is True
    kinds = schema.get("type")
    branches = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return kinds == "null" or (isinstance(kinds, list) and "null" in kinds) or any(map(_takes_null, branches))


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the conversation with the model, and the schema of the answer."""

    messages: tuple[JsonObject, ...]
    schema: JsonObject
    strict: bool
    """Whether the schema meets the strict mode of seeds/003, so that the server may be told to enforce it."""
    salt: str
    """Tells two askings of the same words apart."""


class Model(Protocol):
    """A model that is asked for one JSON object at a time."""

    @property
    def verdicts(self) -> Judges:
        """Where whoever reads the answers tells whether they could be used."""
        ...

    async def ask(self, question: Question) -> Completion:
        """Return the model's answer.

        Raises:
            BackendError: the server refuses for good.
            Unavailable: no answer after every retry, or this question alone is refused.
        """
        ...


class FormatFallback:
    """Asks a backend in the firmest response format that its server accepts."""

    def __init__(
        self,
        backend: Backend,
        model: ModelOptions,
        *,
        modes: Sequence[Mode] = MODES,
        mode: Mode | None = None,
        on_mode: Callable[[str], None] = lambda mode: None,
        verdicts: Verdicts | None = None,
        served: Collection[Mode] = (),
    ) -> None:
        self._backend = backend
        self._model = model
        self._modes = tuple(modes)
        self._place = 0 if mode is None else self._modes.index(mode)
        self._on_mode = on_mode
        self._served = {self._modes.index(each) for each in served}
        self.verdicts = verdicts or Verdicts()
        """Whoever reads the answers tells here whether they could be used."""

    @property
    def mode(self) -> str:
        """The response format in use."""
        return self._modes[self._place]

    async def ask(self, question: Question) -> Completion:
        """Return the server's answer in the firmest response format it accepts.

        Raises:
            BackendError: the server refuses every response format, or for good.
            Unavailable: no answer after every retry, or this question alone is refused.
        """
        place = self._place
        while True:
            try:
                completion = await self._backend.complete(self._request(question, self._modes[place]))
            except RequestRefused as refusal:
                place = self._below(place, refusal)
            else:
                self._served.add(place)
                return completion

    def _below(self, refused: int, refusal: RequestRefused) -> int:
        """Requests in flight may be refused together: only the first refusal of a response format moves on."""
        lowest = refused + 1 == len(self._modes)
        if self._served and (lowest or not refusal.named):
            raise Unavailable(f"refused_{refusal.status}", str(refusal)) from refusal
        if lowest:
            raise BackendError(f"the server refuses every form of request; the last: {refusal}") from refusal
        if refused in self._served:
            return refused + 1
        if refused == self._place:
            self._place += 1
            log.warning("the server refuses %s (%s); going on with %s", self._modes[refused], refusal, self.mode)
            self._on_mode(self.mode)
        return max(refused + 1, self._place)

    def _request(self, question: Question, mode: Mode) -> CompletionRequest:
        return CompletionRequest(self._model, question.messages, question.schema, question.strict, mode, question.salt)


def read_object(completion: Completion, keys: Collection[str] = ()) -> JsonObject:
    """Return the JSON object of an answer in any response format; where it holds several, the one with these keys.

    Raises:
        BadAnswer: it is cut, refused, filtered, empty, or holds no JSON object; a cut answer is never used,
            even where what there is of it could be read.
    """
    if completion.finish_reason == "length":
        raise BadAnswer("length", "your answer was cut at the token limit; write a shorter one")
    if completion.finish_reason == "content_filter":
        raise BadAnswer("content_filter", "the server's content filter stopped your answer")
    if completion.refusal:
        raise BadAnswer("refusal", "you refused; the request is harmless: write the example")
    text = next((call.arguments for call in completion.calls), completion.text)
    if not text.strip():
        raise BadAnswer("empty", "your answer was empty")
    return extract_object(text, keys)


LARGEST_TEXT = 200_000
"""Characters; a longer answer is refused unread."""
DEEPEST = 40
"""Levels of nesting; a deeper object is refused."""

_MOST_SCANNED = 5 * LARGEST_TEXT
"""Characters that are looked at in search of the object: braces in prose may each seem to begin one."""
_LEAST_SCANNED = 1000
"""What a brace counts for at least, so that a thousand of them are enough."""


class BadAnswer(Exception):
    """A model's answer that cannot be used; `reason` is a short word for the summary."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


def extract_object(text: str, keys: Collection[str] = ()) -> JsonObject:
    """Return the JSON object of a text: the first that holds every one of the keys, else the longest there is.

    Prose around it may hold braces of its own, and small objects as well. Where what would be longer is no object,
    that is the answer, and what is found inside is a part of it.

    Raises:
        BadAnswer: there is none, it is cut, too large or too deep.
    """
    if len(text) > LARGEST_TEXT:
        raise BadAnswer("oversized", f"your answer has {len(text):,} characters; write a short one")
    best: tuple[int, JsonObject] | None = None
    worst: tuple[int, BadAnswer] = (-1, BadAnswer("no_json", "your answer holds no JSON object"))
    for length, found in _candidates(text):
        if isinstance(found, BadAnswer):
            worst = max(worst, (length, found), key=_length)
        elif keys and all(key in found for key in keys):
            return found
        else:
            best = (length, found) if best is None else max(best, (length, found), key=_length)
    if best is None or worst[0] > best[0]:
        raise worst[1]
    return best[1]


def _length(candidate: tuple[int, object]) -> int:
    return candidate[0]


def _candidates(text: str) -> Iterator[tuple[int, JsonObject | BadAnswer]]:
    """Yield what stands at each opening brace, with its length: an object, or why it is none."""
    start, scanned = text.find("{"), 0
    while start >= 0 and scanned < _MOST_SCANNED:
        end, fault = _balanced(text, start)
        scanned += max(end - start, _LEAST_SCANNED)
        found = fault or _parsed(text[start:end])
        yield (len(text) if fault else end) - start, found
        start = text.find("{", start + 1 if isinstance(found, BadAnswer) else end)


def _parsed(span: str) -> JsonObject | BadAnswer:
    try:
        return dict(orjson.loads(span))
    except orjson.JSONDecodeError as error:
        return BadAnswer("wrong_json", f"your answer is not valid JSON: {error}")


_STRUCTURE = re.compile(r'["{}\[\]]')
_REST_OF_STRING = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


def _balanced(text: str, start: int) -> tuple[int, BadAnswer | None]:
    """Return where the brackets that open at `start` are closed; where they are not, how far one looked, and why."""
    depth, at = 0, start
    while match := _STRUCTURE.search(text, at):
        at = match.end()
        if match[0] == '"':
            rest = _REST_OF_STRING.match(text, at)
            if rest is None:
                break
            at = rest.end()
            continue
        depth += 1 if match[0] in "{[" else -1
        if depth == 0:
            return at, None
        if depth > DEEPEST:
            return at, BadAnswer("too_deep", f"your JSON is nested deeper than {DEEPEST} levels")
    return len(text), BadAnswer("cut_json", "your JSON object ends before it is complete")


log = logging.getLogger(__name__)
