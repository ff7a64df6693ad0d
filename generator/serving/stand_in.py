"""The stand-in: what the assistant says where a request continues no record; seeded, so that equal requests agree.

No model reads the request. A tool is called whose words it shares, with arguments drawn from the tool's domain file, or
made by its schema; values that the request states in so many words take their place. Results are told in the words of
the domain, or as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import orjson

from generator.domains.plain_requests import resolved
from generator.errors import ValueSynthesisError
from generator.ids import draw_call_ids
from generator.job_choices import DEFAULT_REFERENCE_DATE, DEFAULT_SEED
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.random_streams import derive_seed, stream
from generator.scenarios.phrases import phrases
from generator.schemas.validators import SchemaValidator, validator_for
from generator.serving.answers import Answer, Call
from generator.serving.asking import Asked
from generator.serving.domain_words import DomainWords, words_of
from generator.serving.refusals import Refusal
from generator.serving.said import Said
from generator.values import Context, synthesize_value

_NOT_NOW = "I would need one of my tools for that, and I am not to call any now."
_LONGEST_TOLD = 2000
_MOST_PROPERTIES = 100
"""Properties of one tool for which the request is searched."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """Answers requests that continue no record."""

    seed: int = DEFAULT_SEED
    words: DomainWords = field(default_factory=DomainWords)

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
        return Answer(self._text(asked, seed))

    def _chosen(self, asked: Asked, seed: int) -> str | None:
        """Return the tool to call; None where the assistant speaks."""
        if asked.named is not None:
            return asked.named
        if not asked.tools or asked.choice == "none" or (asked.choice == "auto" and _results(asked)):
            return None
        words = words_of(_last_request(asked))
        scores = [(self._likeness(words, tool["function"]), tool["function"]["name"]) for tool in asked.tools]
        best = max(score for score, _ in scores)
        if best == 0 and asked.choice == "auto":
            return None
        return str(stream(seed, "tool").choice([name for score, name in scores if score == best]))

    def _likeness(self, words: set[str], function: JsonObject) -> int:
        """Return how much a request and a tool have in common: the words of its name count double."""
        name = words_of(function["name"].replace("_", " ").replace("-", " "))
        told = words_of(str(function.get("description") or "")) | self.words.asks_for(function["name"])
        return 2 * len(words & name) + len(words & told)

    def _call(self, asked: Asked, name: str, seed: int) -> Answer:
        function = asked.tool(name) or {}
        arguments = self._arguments(function, Said(_last_request(asked), DEFAULT_REFERENCE_DATE), seed)
        return Answer("", (Call(draw_call_ids(1, stream(seed, "call id"))[0], name, dump_compact(arguments)),))

    def _arguments(self, function: JsonObject, said: Said, seed: int) -> JsonObject:
        """Return arguments that the parameters accept.

        Raises:
            Refusal: none are known.
        """
        name, parameters = function["name"], function["parameters"]
        validator = validator_for(parameters)
        drawn = self.words.arguments(name, said, seed)
        if drawn is None or not validator.is_valid(drawn):
            context = Context(name=name, description=str(function.get("description") or ""))
            try:
                drawn = synthesize_value(parameters, seed=seed, context=context)
            except ValueSynthesisError as error:
                message = f"no arguments for {name} are known that its parameters accept: {error}"
                raise Refusal(400, message, "invalid_function_parameters", "tools") from error
        return _grounded(drawn, parameters, validator, said)

    def _text(self, asked: Asked, seed: int) -> str:
        """Return what is said: of the results, or that nothing can be done."""
        random = stream(seed, "reply")
        results = _results(asked)
        if results:
            return " ".join(self.words.reply(name, content, seed) or _plainly(content) for name, content in results)
        if asked.tools and asked.choice == "none":
            return _NOT_NOW
        declining = phrases()["declining"]["deed" if asked.tools else "without_tools"]
        return str(random.choice(declining)).format(deed="do that")


def _grounded(drawn: JsonObject, parameters: JsonObject, validator: SchemaValidator, said: Said) -> JsonObject:
    """Return the arguments with values of the request in place of such that it does not state, as far as they fit."""
    declared = parameters.get("properties")
    properties = list(declared.items())[:_MOST_PROPERTIES] if isinstance(declared, dict) else []
    used = {str(value) for value in drawn.values() if said.stands(value)}
    for name, schema in properties:
        shape = resolved(schema, parameters)
        if (name in drawn and said.stands(drawn[name])) or (name not in drawn and "enum" not in shape):
            continue
        for value in said.candidates(name, shape):
            changed = {**drawn, name: value}
            if str(value) not in used and validator.is_valid(changed):
                used.add(str(value))
                drawn = changed
                break
    return drawn


def _json_text(schema: JsonValue, seed: int) -> str:
    try:
        return dump_compact(synthesize_value(schema, seed=seed))
    except ValueSynthesisError as error:
        message = f"no value is known that the schema of the answer accepts: {error}"
        raise Refusal(400, message, param="response_format") from error


def _last_request(asked: Asked) -> str:
    said = (message.get("content") for message in reversed(asked.messages) if message["role"] == "user")
    found = next(said, "")
    return found if isinstance(found, str) else dump_compact(found)


def _results(asked: Asked) -> list[tuple[str, JsonValue]]:
    """Return the results at the end of the conversation, in the order of their calls, each with its tool."""
    contents: dict[str, JsonValue] = {}
    for message in reversed(asked.messages):
        if message["role"] != "tool":
            calls = message.get("tool_calls") or () if contents else ()
            return [(call["function"]["name"], contents[call["id"]]) for call in calls if call["id"] in contents]
        contents[message["tool_call_id"]] = _value(message.get("content"))
    return []


def _value(content: JsonValue) -> JsonValue:
    try:
        return orjson.loads(content) if isinstance(content, str) else content
    except orjson.JSONDecodeError:
        return content


def _plainly(content: JsonValue) -> str:
    """Tell a result as it is."""
    error = content.get("error") if isinstance(content, dict) else None
    if error:
        message = error.get("message") if isinstance(error, dict) else error
        return f"That did not work: {_cut(message)}"
    if isinstance(content, dict) and content:
        return f"Here is what came back: {_cut(', '.join(_fields(content)))}."
    return f"Here is what came back: {_cut(content)}." if content not in (None, "", [], {}) else "Nothing came back."


def _fields(content: JsonObject) -> Iterator[str]:
    for key, value in content.items():
        yield f"{key.replace('_', ' ')}: {value if isinstance(value, str) else dump_compact(value)}"


def _cut(value: JsonValue) -> str:
    text = value if isinstance(value, str) else dump_compact(value)
    return text if len(text) <= _LONGEST_TOLD else f"{text[:_LONGEST_TOLD]}..."
