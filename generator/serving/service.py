"""The service: requests in, replies out, with no word of HTTP in between but the headers of a reply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

import orjson

from generator.jsontext import JsonObject
from generator.schemas.validators import InvalidSchema, validator_for
from generator.serving import chat_wire, items
from generator.serving.answers import Answer, Call, with_new_ids, within
from generator.serving.asking import Asked, read_chat
from generator.serving.items import Conversations, message_of, read_responses
from generator.serving.mistakes import mistaken
from generator.serving.refusals import Refusal
from generator.serving.replay import Replay, cut_to_one
from generator.serving.stand_in import StandIn

JSON = "application/json"
EVENTS = "text/event-stream; charset=utf-8"
OWN_MODEL = "toolgen"


@dataclass(frozen=True, slots=True)
class Reply:
    """What is sent: a whole body, or the events of a stream one after the other."""

    body: bytes = b""
    events: Iterable[bytes] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 200

    @property
    def content_type(self) -> str:
        """The type of the body."""
        return JSON if self.events is None else EVENTS


@dataclass(slots=True)
class Service:
    """Answers requests from records, and those of no record by the stand-in."""

    replay: Replay
    stand_in: StandIn = field(default_factory=StandIn)
    models: tuple[str, ...] = ()
    """The models that may be asked; none named, any may."""
    conversations: Conversations = field(default_factory=Conversations)

    def chat(self, document: JsonObject, mistake: str = "") -> Reply:
        """Answer a chat completion request, with a mistake of this kind where one is named.

        Raises:
            Refusal: the request is wrong, or of another model.
        """
        asked = read_chat(document)
        self.refuse_unknown(asked.model)
        answers = self.answers(asked, mistake)
        headers = told(asked, answers[0])
        if asked.stream:
            return Reply(events=chat_wire.chunks(asked, answers), headers=headers)
        return Reply(orjson.dumps(chat_wire.response(asked, answers)), headers=headers)

    def responses(self, document: JsonObject, mistake: str = "") -> Reply:
        """Answer a request of the Responses API, with a mistake of this kind where one is named.

        Raises:
            Refusal: the request is wrong, or of another model.
        """
        asked = read_responses(document, self.conversations)
        self.refuse_unknown(asked.model)
        answer = self.answers(asked, mistake)[0]
        if document.get("store") is not False:
            instructed = document.get("instructions") is not None  # they hold for one response alone
            self.conversations.keep(items.identity(asked), [*asked.messages[instructed:], message_of(answer)])
        headers = told(asked, answer)
        if asked.stream:
            return Reply(events=items.events(document, asked, answer), headers=headers)
        return Reply(orjson.dumps(items.response(document, asked, answer)), headers=headers)

    def answers(self, asked: Asked, mistake: str = "") -> list[Answer]:
        """Return the answers to a request, one for each choice, with a mistake in each where a kind is named."""
        replayed = next(self._replayed(asked), None)
        found = [replayed or self.stand_in.answer(asked, index) for index in range(asked.choices)]
        fitting = [within(answer, asked.limits) for answer in found]
        if mistake:
            fitting = [mistaken(each, mistake, asked.tools, asked.digest, at) for at, each in enumerate(fitting)]
        return [with_new_ids(each, set(asked.taken), asked.digest, index) for index, each in enumerate(fitting)]

    def _replayed(self, asked: Asked) -> Iterator[Answer]:
        """Yield the turns of records that the request allows."""
        for answer in self.replay.find(asked.trail, asked.tools):
            allowed = cut_to_one(answer) if asked.one_call else answer
            if _is_allowed(allowed, asked):
                yield allowed

    def refuse_unknown(self, model: str) -> None:
        """Refuse a model that is not served.

        Raises:
            Refusal: it is none of those that are.
        """
        if self.models and model not in self.models:
            message = f"The model `{model}` does not exist; here are {', '.join(self.models)}"
            raise Refusal(404, message, "model_not_found", "model")

    def model_list(self) -> Reply:
        """List the models."""
        listed = [_model(name) for name in self.models or (OWN_MODEL,)]
        return Reply(orjson.dumps({"object": "list", "data": listed}))

    def model(self, name: str) -> Reply:
        """Tell of one model.

        Raises:
            Refusal: there is none of this name.
        """
        self.refuse_unknown(name)
        return Reply(orjson.dumps(_model(name)))


def told(asked: Asked, answer: Answer) -> dict[str, str]:
    """Return the headers that say where an answer comes from."""
    source = answer.source
    headers = {"x-request-id": f"req_{asked.digest}", "x-toolgen-match": source.match}
    if source.record:
        headers |= {"x-toolgen-record": quote(source.record, safe=" /:@+,"), "x-toolgen-turn": str(source.turn)}
    return headers


def _model(name: str) -> JsonObject:
    return {"id": name, "object": "model", "created": chat_wire.CREATED, "owned_by": OWN_MODEL}


def _is_allowed(answer: Answer, asked: Asked) -> bool:
    """Say whether a record's turn is one that the request allows: its choice of tools, and the tools themselves."""
    if not answer.calls:
        return asked.choice != "required" and (asked.json_schema is None or _is_json(answer.text, asked.json_schema))
    return asked.choice != "none" and all(_is_call(call, asked) for call in answer.calls)


def _is_call(call: Call, asked: Asked) -> bool:
    function = asked.tool(call.name)
    if function is None or asked.named not in (None, call.name):
        return False
    return _accepts(function["parameters"], call.arguments)


def _is_json(text: str, schema: JsonObject) -> bool:
    try:
        return _accepts(schema, text)
    except orjson.JSONDecodeError:
        return False


def _accepts(schema: JsonObject, text: str) -> bool:
    try:
        return validator_for(schema).is_valid(orjson.loads(text))
    except InvalidSchema:
        return False
