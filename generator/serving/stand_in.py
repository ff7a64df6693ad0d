"""The stand-in: what the assistant says where a request continues no record; seeded, so that equal requests agree."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.errors import ValueSynthesisError
from generator.ids import draw_call_ids
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.random_streams import derive_seed, stream
from generator.serving.answers import Answer, Call
from generator.serving.asking import Asked
from generator.serving.refusals import Refusal
from generator.values import Context, synthesize_value

_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class StandIn:
    """Answers requests that continue no record."""

    seed: int = 0

    def answer(self, asked: Asked, index: int = 0) -> Answer:
        """Return one turn: a call of a tool that was sent, or a text.

        Raises:
            Refusal: a call or a JSON text is demanded, and no value that the schema accepts was found.
        """
        seed = derive_seed(self.seed, "served", asked.digest, index)
        name = self._chosen(asked, seed)
        if name is not None:
            return self._call(asked, name, seed)
        if asked.json_schema is not None:
            return Answer(_json_text(asked.json_schema, seed))
        return Answer(_text(asked))

    def _chosen(self, asked: Asked, seed: int) -> str | None:
        """Return the tool to call; None where the assistant speaks."""
        if asked.named is not None:
            return asked.named
        if not asked.tools or asked.choice == "none":
            return None
        last = asked.messages[-1]
        if asked.choice == "auto" and last["role"] != "user":
            return None
        words = _words(_last_request(asked))
        scores = [(len(words & _words_of(tool["function"])), tool["function"]["name"]) for tool in asked.tools]
        best = max(score for score, _ in scores)
        if best == 0 and asked.choice == "auto":
            return None
        return str(stream(seed, "tool").choice([name for score, name in scores if score == best]))

    def _call(self, asked: Asked, name: str, seed: int) -> Answer:
        function = asked.tool(name) or {}
        context = Context(name=name, description=str(function.get("description") or ""))
        try:
            arguments = synthesize_value(function.get("parameters", {"type": "object"}), seed=seed, context=context)
        except ValueSynthesisError as error:
            message = f"no arguments for {name} are known that its parameters accept: {error}"
            raise Refusal(400, message, "invalid_function_parameters", "tools") from error
        return Answer("", (Call(draw_call_ids(1, stream(seed, "call id"))[0], name, dump_compact(arguments)),))


def _json_text(schema: JsonValue, seed: int) -> str:
    try:
        return dump_compact(synthesize_value(schema, seed=seed))
    except ValueSynthesisError as error:
        message = f"no value is known that the schema of `response_format` accepts: {error}"
        raise Refusal(400, message, param="response_format") from error


def _last_request(asked: Asked) -> str:
    said = (message.get("content") for message in reversed(asked.messages) if message["role"] == "user")
    return str(next(said, ""))


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _words_of(function: JsonObject) -> set[str]:
    return _words(f"{function['name']} {function.get('description') or ''}".replace("_", " ").replace("-", " "))


def _text(asked: Asked) -> str:
    last = asked.messages[-1]
    if last["role"] == "tool":
        return f"Here is what I found: {last.get('content') or 'nothing'}"
    return "None of the tools that I have can help with that."
